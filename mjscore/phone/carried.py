"""House rulebooks carried in an evening: a rulebook's files, and an evening that has them as comments."""

import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from mjscore.rulebook.rulebook import Rulebook

_EXTENDS = re.compile(r"""^([^\S\n]*extends\s*=\s*)(?:"[^"\n]*"|'[^'\n]*')""", re.MULTILINE)
_FILE = re.compile(r"^#: (?P<name>\w[\w.-]*\.toml)\r?\n(?P<lines>(?:#\|.*\n?)*)", re.MULTILINE)


def own_files(book: Rulebook) -> dict[str, str]:
    """Return *book*'s unshipped files, text by new name, ``extends`` changed to match; its own is last."""
    files: dict[str, str] = {}
    for path, text in book.definition.files:
        name = re.sub(r"[^\w.-]|^\W", "_", f"{Path(path).stem}.toml")
        parent = next(reversed(files), None)
        if parent is not None:
            text = _EXTENDS.sub(rf'\1"{parent}"', text, count=1)
        files[name if name not in files else f"{len(files)}-{name}"] = text
    return files


def packed(files: Mapping[str, str]) -> str:
    """Return *files* (texts by name) as comment lines for an evening's file."""
    lines = {name: text.replace("\r\n", "\n").removesuffix("\n").split("\n") for name, text in files.items()}
    return "".join(f"#: {name}\n" + "".join(f"#| {line}\n" for line in lines[name]) for name in files)


def parted(text: str) -> tuple[str, str]:
    """Return the text of an evening without the files in its comments, and those comments."""
    return _FILE.sub("", text), "".join(match[0] for match in _FILE.finditer(text))


@lru_cache(maxsize=64)
def laid_out(carried: str, folder: str) -> str:
    """Write the carried files to a subfolder and return its path, or *folder* itself if there are none."""
    if not carried:
        return folder
    place = Path(folder, sha256(carried.encode()).hexdigest()[:16])
    place.mkdir(exist_ok=True)
    for match in _FILE.finditer(carried):
        text = re.sub(r"(?m)^#\| ?", "", match["lines"])
        Path(place, match["name"]).write_text(text, encoding="utf-8")
    return str(place)
