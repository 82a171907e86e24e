"""Drawings as PNG: by resvg (the extra ``png``), or else by an installed program."""

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from mjscore.page.html import element, words
from mjscore.refusal import refuse

_SECONDS = 60
_SVG = "http://www.w3.org/2000/svg"
_GENERIC = "sans-serif|serif|monospace"
_FONTS = r'(?<=font-family=")[^"]*|(?<=font: )\d[^;]*'  # the font names in a drawing and its style


def converters() -> dict[str, str]:
    """Return the installed programs that turn SVG into PNG: their command lines by path, best first."""
    programs = [
        (shutil.which(name), one["typed"]) for one in words()["converters"] for name in one["programs"]
    ]
    return {path: command for path, command in programs if path is not None}


def _by_resvg(drawing: str) -> bytes | None:
    """Return the PNG made by resvg; None if it fails, or if the extra or a font is missing."""
    try:
        import resvg_py
    except ImportError:
        return None
    families = words()["fonts"]
    drawing = re.sub(
        _FONTS, lambda fonts: re.sub(_GENERIC, lambda name: families[name[0]], fonts[0]), drawing
    )
    text = element("text", "m", y=9, font_family=families["sans-serif"])
    empty, word = (element("svg", inner, xmlns=_SVG, width=9, height=9) for inner in (None, text))
    with suppress(ValueError):
        if resvg_py.svg_to_bytes(svg_string=empty) != resvg_py.svg_to_bytes(svg_string=word):
            return bytes(resvg_py.svg_to_bytes(svg_string=drawing, zoom=2))
    return None


def png_of(drawing: str, instead: str) -> bytes:
    """Return the PNG of an SVG drawing, two dots a unit. Raises Refused, with what to do *instead*, if that fails."""
    data = _by_resvg(drawing)
    if data is not None:
        return data
    size = re.search(r'width="(\d+)" height="(\d+)"', drawing)
    assert size is not None
    failed = ""
    for path, command in converters().items():
        with tempfile.TemporaryDirectory() as folder, suppress(OSError, subprocess.SubprocessError):
            source, target = Path(folder) / "drawing.svg", Path(folder) / "drawing.png"
            source.write_text(drawing, encoding="utf-8")
            values = {
                "source": source, "target": target, "profile": Path(folder) / "profile", "address": source.as_uri(),
                "width": size[1], "height": size[2], "double": 2 * int(size[1]),
            }  # fmt: skip
            subprocess.run(
                [path, *(argument.format(**values) for argument in command.split())],
                check=True, capture_output=True, timeout=_SECONDS, cwd=folder, env={**os.environ, "HOME": folder},
            )  # fmt: skip
            return target.read_bytes()
        failed = Path(path).name
    raise refuse("no-converter", "failed" if failed else "none", program=failed, instead=instead)
