"""The site: the page's files, mjscore itself as an archive, and Pyodide, in a folder that any static server serves.

All but three files lie in a folder named after the version and what is in it, so that an update replaces all or nothing.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from html import escape
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

import mjscore
from mjscore.counters.sets import COUNTER_SETS
from mjscore.game.tiles import Tile
from mjscore.notation.cache import cache_folder
from mjscore.page.drawings import draw_faces
from mjscore.page.faces import face
from mjscore.phone.bridge import keyboard, rulebooks
from mjscore.refusal import refuse

PYODIDE = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{PYODIDE}.tgz"
DIGEST = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="  # sha512 of that archive, as npm has it
_OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_HERE = Path(__file__).parent
_STATIC = (
    "phone.js",
    "draw.js",
    "evening.js",
    "python.js",
    "store.js",
    "worker.js",
    "environment.js",
    "phone.css",
    "words.json",
    "manifest.webmanifest",
)
_LIBRARIES = ("lark", "tabulate")
_LEFT_OUT = re.compile(
    r"mjscore/(cli|batch|__main__)|lark/(tools|__pyinstaller)|__pycache__|mjscore/phone/(?!__init__|bridge|keyboard)|/refusals/|README"
)
_CHUNK = 1 << 18

Say = Callable[[str], None]


def build_site(folder: Path, pyodide: Path | None, rulebook: str, say: Say) -> str:
    """Writes the site into *folder* from what is installed and the Pyodide in the folder *pyodide*, which is fetched where
    none is named; gives its version. *say* is told how far it is.

    Raises Refused where the folder has a page that is not ours, or *pyodide* is none; OSError.
    """
    index = folder / "index.html"
    if index.exists() and b'content="mjscore ' not in index.read_bytes()[:2000]:
        raise refuse(
            "no-site",
            f"{folder} has another page in it",
            "name an empty folder, or one that is not there yet",
        )
    pyodide = pyodide or _fetched_pyodide(say)
    files = {f"pyodide/{name}": content for name, content in _pyodide_files(pyodide).items()}
    files |= {name: (_HERE / name).read_bytes() for name in _STATIC}
    files["evening.css"] = (
        (_HERE.parent / "page" / "evening.css").read_bytes().replace(b":root", b":root, :host")
    )
    files["icon.svg"] = _icon().encode()
    files["licences.txt"] = _licences().encode()
    files["python.zip"] = _archive(_python_files())
    snapshot = ""
    if shutil.which("node"):
        say("preparing the Python of the site")
        files["python.zip"], files["snapshot.bin"] = _prepared(files["python.zip"], pyodide)
        snapshot = hashlib.sha256(files["snapshot.bin"]).hexdigest()
    files["worker.js"] = _filled(files["worker.js"].decode(), {"snapshot": json.dumps(snapshot)}).encode()
    digest = hashlib.sha256(
        b"".join(name.encode() + hashlib.sha256(files[name]).digest() for name in sorted(files))
    )
    page = (_HERE / "index.html").read_text(encoding="utf-8") + rulebook
    digest.update(page.encode() + (_HERE / "service.js").read_bytes())
    version = f"{mjscore.__version__}-{digest.hexdigest()[:10]}"
    for name, content in files.items():
        path = folder / version / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    listed = json.dumps([f"{version}/{name}" for name in sorted(files)])
    service = (_HERE / "service.js").read_text(encoding="utf-8")
    (folder / "service.js").write_text(
        _filled(service, {"version": version, "files": listed}), encoding="utf-8"
    )
    index.write_text(_page(version, rulebook), encoding="utf-8")
    for old in folder.iterdir():
        if old.name != version and (old / "worker.js").is_file():
            shutil.rmtree(old)
    say(f"{sum(map(len, files.values())) / 1e6:.1f} MB in {len(files) + 2} files, version {version}")
    return version


def _filled(text: str, values: Mapping[str, str]) -> str:
    """*text* with what stands in double braces."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], text)


def _page(version: str, rulebook: str) -> str:
    """The page, with its words, its keys and the faces of the tiles in it."""
    words: dict[str, Any] = json.loads((_HERE / "words.json").read_text(encoding="utf-8"))
    values = {name: escape(text) for name, text in words.items() if isinstance(text, str)}
    kinds = ("", "", "", " honors", " bonus")
    rows = [
        f'<div class="keys row{kind}">' + "".join(_key(name, title) for name, title in row) + "</div>"
        for kind, row in zip(kinds, keyboard(), strict=True)
    ]
    sets = [
        f'<button type="button" data-set="{kind}" aria-pressed="false" aria-label="{escape(title)}: '
        f'{escape(words["sets_spoken"][kind])}">{escape(title)}</button>'
        for kind, title in words["sets"].items()
    ]
    players = [
        f'<input data-player="{number}" maxlength="40" autocomplete="off" '
        f'aria-label="{escape(words["player"].format(number=number))}" placeholder="{escape(title)}">'
        for number, title in enumerate([*words["winds"].values(), words["player"].format(number=5)], 1)
    ]
    values |= {
        "version": version,
        "faces": draw_faces(),
        "tile_keys": "\n".join(rows),
        "set_keys": "".join(sets),
        "books": "".join(_option(name, title, name == rulebook) for name, title in rulebooks()),
        "winds": "".join(_option(wind, title) for wind, title in words["winds"].items()),
        "counter_sets": "".join(_option(name, words["counters_of"][name]) for name in ("", *COUNTER_SETS)),
        "player_fields": "".join(players),
    }
    return _filled((_HERE / "index.html").read_text(encoding="utf-8"), values)


def _key(name: str, title: str) -> str:
    drawn = f'<svg viewBox="0 0 56 80" aria-hidden="true"><use href="#face-{name}"/></svg>'
    return (
        f'<button type="button" class="key" data-tile="{name}" aria-label="{escape(title)}">{drawn}</button>'
    )


def _option(value: str, title: str, selected: bool = False) -> str:
    return f'<option value="{escape(value)}"{" selected" if selected else ""}>{escape(title)}</option>'


def _icon() -> str:
    """The red dragon on our cloth."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" fill="#2e6b4f"/>'
        '<rect x="29" y="16" width="62" height="88" rx="8" fill="#fffdf5" stroke="#6b6252" stroke-width="2"/>'
        f'<svg x="32" y="20" width="56" height="80" viewBox="0 0 56 80">{face(Tile.parse("Rd"))}</svg></svg>'
    )


# ------------------------------------------------------------- Python


def _python_files() -> Iterator[tuple[str, bytes]]:
    """What the page's Python needs of mjscore and its libraries, by the names under which it is imported."""
    roots = {"mjscore": _HERE.parent}
    for library in _LIBRARIES:
        spec = find_spec(library)
        assert spec is not None
        assert spec.origin is not None
        roots[library] = Path(spec.origin).parent
    for name, root in roots.items():
        for path in sorted(root.rglob("*")):
            inside = f"{name}/{path.relative_to(root).as_posix()}"
            if (
                path.is_file()
                and path.suffix in (".py", ".toml", ".lark", ".css")
                and not _LEFT_OUT.search(inside)
            ):
                yield inside, path.read_bytes()
    # the grammars lie inside an installed package, beside it in a checkout
    for path in sorted((_HERE.parents[1] / "grammar").glob("*.lark")):
        yield f"mjscore/grammar/{path.name}", path.read_bytes()


def _archive(files: Iterator[tuple[str, bytes]]) -> bytes:
    """A zip archive in which the same files are always the same bytes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _prepared(archive: bytes, pyodide: Path) -> tuple[bytes, bytes]:
    """The archive with bytecode, the grammars' tables and the rulebooks, and the memory of a Python that has started, as
    the Pyodide in use makes them by Node.
    """
    with TemporaryDirectory() as folder:
        path, snapshot = Path(folder, "python.zip"), Path(folder, "snapshot.bin")
        path.write_bytes(archive)
        command = ["node", str(_HERE / "prepare.mjs"), str(pyodide.resolve()), str(path), str(snapshot)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise refuse(
                "no-site",
                f"Node cannot prepare the site's Python: {done.stderr.strip()[-200:]}",
                "take a newer Node, or none",
            )
        return path.read_bytes(), snapshot.read_bytes()


# ------------------------------------------------------------- Pyodide


def _pyodide_files(folder: Path) -> dict[str, bytes]:
    """The files of Pyodide that the page fetches. Raises Refused where *folder* is no Pyodide, or another version."""
    try:
        files = {name: (folder / name).read_bytes() for name in _OF_PYODIDE}
        info = json.loads(files["pyodide-lock.json"])["info"]
    except (OSError, ValueError, KeyError):
        raise refuse(
            "no-pyodide", f"{folder} is no folder of Pyodide", "name the folder that has pyodide.mjs in it"
        ) from None
    if f'"{PYODIDE}"'.encode() not in files["pyodide.mjs"]:
        raise refuse("no-pyodide", f"{folder} has another Pyodide", f"the page is made for {PYODIDE}")
    # the page takes no packages from it, and their list is long
    files["pyodide-lock.json"] = json.dumps({"info": info, "packages": {}}).encode()
    return files


def _fetched_pyodide(say: Say) -> Path:
    """The folder of Pyodide, fetched once by version and hash. Raises Refused where it cannot be fetched, or is another."""
    base = cache_folder()
    if base is None:
        raise refuse(
            "no-pyodide", "there is no folder to keep Pyodide in", "name its folder: --pyodide FOLDER"
        )
    folder = Path(base, f"pyodide-{PYODIDE}")
    if all((folder / name).is_file() for name in _OF_PYODIDE):
        return folder
    content = _download(say)
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != DIGEST:
        raise refuse(
            "no-pyodide",
            f"what {ADDRESS} gives is not Pyodide {PYODIDE}",
            "try again, or name its folder: --pyodide FOLDER",
        )
    folder.mkdir(exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name in _OF_PYODIDE:
            member = archive.extractfile(f"package/{name}")
            assert member is not None  # its hash says so
            (folder / name).write_bytes(member.read())
    return folder


def _download(say: Say) -> bytes:
    content = b""
    try:
        with urlopen(ADDRESS, timeout=30) as response:
            total = int(response.headers.get("Content-Length") or 0)
            while chunk := response.read(_CHUNK):
                content += chunk
                say(f"fetching Pyodide {PYODIDE}: {len(content) / 1e6:.1f} of {total / 1e6:.1f} MB")
    except (OSError, ValueError) as error:
        hint = "connect to a network, or name a folder that has it: --pyodide FOLDER (npm install pyodide makes node_modules/pyodide)"
        raise refuse(
            "no-pyodide", f"Pyodide cannot be fetched from {ADDRESS}: {getattr(error, 'reason', error)}", hint
        ) from None
    return content


# ------------------------------------------------------------- licences

_NOTICE = Template("""\
mjscore $version
$own

Pyodide $pyodide, Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/), unchanged but for its list of packages,
which is empty here; its source: https://github.com/pyodide/pyodide/tree/$pyodide
It holds CPython, Python Software Foundation License 2 (https://docs.python.org/3/license.html), and what Emscripten links
to it, MIT License (https://github.com/emscripten-core/emscripten/blob/main/LICENSE).
$libraries""")


def _licences() -> str:
    """The licences of all that the site is made of."""
    libraries = [f"\n{name} {metadata.version(name)}\n{_licence(name)}" for name in _LIBRARIES]
    return _NOTICE.substitute(
        version=mjscore.__version__, own=_licence("mjscore"), pyodide=PYODIDE, libraries="\n".join(libraries)
    )


def _licence(name: str) -> str:
    """The licence that a distribution brings along, or what it says of it."""
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if "licen" in file.name.lower() and file.suffix in ("", ".txt", ".md"):
            return file.read_text(encoding="utf-8")
    beside = _HERE.parents[1] / "LICENSE"
    return beside.read_text(encoding="utf-8") if name == "mjscore" and beside.is_file() else "MIT License"
