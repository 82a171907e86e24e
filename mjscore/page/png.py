"""A drawing as PNG, by a program that is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from mjscore.refusal import Refused, refuse

_CONVERTERS = ("rsvg-convert", "cairosvg", "inkscape", "chromium", "chromium-browser", "google-chrome")
_SECONDS = 60
_BROWSER = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--force-device-scale-factor=2",
]


def converters() -> dict[str, str]:
    """The programs that are installed here and can do it, the best first, with their paths."""
    return {name: path for name in _CONVERTERS if (path := shutil.which(name)) is not None}


def png_of(drawing: str) -> bytes:
    """A drawing in SVG as PNG, two dots a unit. Raises Refused where no program is there that can do it."""
    refused: Refused | None = None
    for name, path in converters().items():
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "drawing.svg", Path(folder) / "drawing.png"
            source.write_text(drawing, encoding="utf-8")
            try:
                subprocess.run(
                    [path, *_arguments(name, drawing, source, target)],
                    check=True, capture_output=True, timeout=_SECONDS, cwd=folder,
                    env={**os.environ, "HOME": folder},
                )  # fmt: skip
                return target.read_bytes()
            except (OSError, subprocess.SubprocessError):
                refused = refuse(
                    "no-converter",
                    f"{name} could not make a PNG of the drawing",
                    "write it as SVG: --svg hand.svg",
                )
    raise refused or refuse(
        "no-converter",
        "no program that makes a PNG of a drawing is installed",
        "write it as SVG (--svg hand.svg), or install rsvg-convert, cairosvg, inkscape or chromium",
    )


def _arguments(name: str, drawing: str, source: Path, target: Path) -> list[str]:
    if name == "rsvg-convert":
        return ["--zoom", "2", "--output", str(target), str(source)]
    if name == "cairosvg":
        return [str(source), "--scale", "2", "--output", str(target)]
    size = re.search(r'width="(\d+)" height="(\d+)"', drawing)
    assert size is not None
    if name == "inkscape":
        return [str(source), f"--export-width={2 * int(size[1])}", f"--export-filename={target}"]
    return [
        *_BROWSER, f"--user-data-dir={source.parent / 'profile'}", f"--window-size={size[1]},{size[2]}",
        f"--screenshot={target}", source.as_uri(),
    ]  # fmt: skip
