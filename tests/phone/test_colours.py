"""The page's colours: whoever sees weakly reads its words, by day and in the dark."""

import re
from importlib.resources import files

import pytest

PAIRS = [
    "ink on paper",
    "ink on card",
    "soft on paper",
    "soft on card",
    "jade on paper",
    "on-jade on jade",
    "bad on paper",
]


def palettes() -> dict[str, dict[str, str]]:
    """Give the colours of the style sheet by name, by day and in the dark."""
    sheet = files("mjscore.phone").joinpath("phone.css").read_text("utf-8")
    day, dark = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{([^}]*)\}", sheet)
    )
    return {"day": day, "dark": {**day, **dark}}


def light(colour: str) -> float:
    """Give the relative luminance of a colour, as the Web Content Accessibility Guidelines define it."""
    shares = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("palette", ["day", "dark"])
@pytest.mark.parametrize("pair", PAIRS)
def test_words_stand_out_from_what_is_behind_them(palette, pair):
    colours = palettes()[palette]
    lower, higher = sorted(light(colours[name]) for name in pair.split(" on "))
    assert (higher + 0.05) / (lower + 0.05) >= 4.5
