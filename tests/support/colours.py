"""Colours as they are seen."""

from __future__ import annotations


def channels(colour: str) -> list[float]:
    """The linear red, green and blue of a colour."""
    values = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]


def contrast(one: str, other: str) -> float:
    """The ratio of luminances, as WCAG has it."""
    lights = sorted(
        sum(part * value for part, value in zip((0.2126, 0.7152, 0.0722), channels(colour), strict=True))
        for colour in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)
