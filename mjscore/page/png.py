"""A drawing as PNG: by resvg (the extra ``png``), else by a program that is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from mjscore.refusal import refuse

_SECONDS = 60
_SVG = "http://www.w3.org/2000/svg"
_BROWSER = (
    "--headless --disable-gpu --disable-quic --no-first-run --disable-background-networking --hide-scrollbars "
    "--force-device-scale-factor=2 --user-data-dir={profile} --window-size={width},{height} --screenshot={target} {address}"
)
# the programs that can do it, the best first, with what is typed behind them
_CONVERTERS = {
    "rsvg-convert": "--zoom 2 --output {target} {source}",
    "cairosvg": "{source} --scale 2 --output {target}",
    "inkscape": "{source} --export-width={double} --export-filename={target}",
    **dict.fromkeys(("chromium", "chromium-browser", "google-chrome"), _BROWSER),
}


def converters() -> dict[str, str]:
    """Give the programs that are installed here and can do it, the best first, with their paths."""
    return {name: path for name in _CONVERTERS if (path := shutil.which(name)) is not None}


# resvg asks nobody which fonts stand for these: the commonest of each system are named
_FAMILIES = {
    "sans-serif": "Arial, Helvetica, 'DejaVu Sans', 'Liberation Sans', 'Noto Sans', Roboto, sans-serif",
    "serif": "Georgia, 'Times New Roman', 'DejaVu Serif', 'Liberation Serif', 'Noto Serif', serif",
    "monospace": "'Courier New', Menlo, 'DejaVu Sans Mono', 'Liberation Mono', 'Noto Sans Mono', monospace",
}
_GENERIC = "sans-serif|serif|monospace"
_FONTS = r'(?<=font-family=")[^"]*|(?<=font: )\d[^;]*'  # where a drawing and its style name fonts


def _by_resvg(drawing: str) -> bytes | None:
    """Make the PNG with resvg; None where the extra is not installed, or there is no font for the words."""
    try:
        import resvg_py
    except ImportError:
        return None
    drawing = re.sub(
        _FONTS, lambda fonts: re.sub(_GENERIC, lambda name: _FAMILIES[name[0]], fonts[0]), drawing
    )
    text = f'<text y="9" font-family="{_FAMILIES["sans-serif"]}">m</text>'
    empty, word = (f'<svg xmlns="{_SVG}" width="9" height="9">{inner}</svg>' for inner in ("", text))
    try:
        if resvg_py.svg_to_bytes(svg_string=empty) == resvg_py.svg_to_bytes(svg_string=word):
            return None
        return bytes(resvg_py.svg_to_bytes(svg_string=drawing, zoom=2))
    except ValueError:
        return None


def png_of(drawing: str) -> bytes:
    """Make a PNG of a drawing in SVG, two dots a unit. Raises Refused where nothing is there that can do it."""
    data = _by_resvg(drawing)
    if data is not None:
        return data
    size = re.search(r'width="(\d+)" height="(\d+)"', drawing)
    assert size is not None
    message, hint = (
        "nothing that makes a PNG of a drawing is installed",
        "pip install 'mjscore[png]'; or write it as SVG, --svg hand.svg",
    )
    for name, path in converters().items():
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "drawing.svg", Path(folder) / "drawing.png"
            source.write_text(drawing, encoding="utf-8")
            given = {
                "source": source, "target": target, "profile": Path(folder) / "profile", "address": source.as_uri(),
                "width": size[1], "height": size[2], "double": 2 * int(size[1]),
            }  # fmt: skip
            try:
                subprocess.run(
                    [path, *(argument.format(**given) for argument in _CONVERTERS[name].split())],
                    check=True, capture_output=True, timeout=_SECONDS, cwd=folder,
                    env={**os.environ, "HOME": folder},
                )  # fmt: skip
                return target.read_bytes()
            except (OSError, subprocess.SubprocessError):
                message, hint = (
                    f"{name} could not make a PNG of the drawing",
                    "write it as SVG: --svg hand.svg",
                )
    raise refuse("no-converter", message, hint)
