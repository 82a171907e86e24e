"""The site: the page's files, mjscore itself as an archive, and Pyodide, in a folder for any static server.

All but two files are in a folder named after version and contents, so that an update replaces all or nothing.
"""

import base64
import gzip
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
from importlib import metadata, resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

import mjscore
from mjscore.game.tiles import TILES, Tile
from mjscore.notation.cache import cache_folder, cached_on_disk
from mjscore.page.html import draw_faces
from mjscore.phone.carried import own_files
from mjscore.refusal import refuse
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

PYODIDE = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{PYODIDE}.tgz"
DIGEST = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="  # sha512 of that archive, as given by npm
_OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_AT_THE_TOP = ("index.html", "service.js")
_PREPARING = ("prepare.mjs", "environment.js")
_PACKED = ("pyodide.asm.mjs", "pyodide.asm.wasm")  # for servers that do not compress; the page unpacks them
_HERE = Path(__file__).parent
_LIBRARIES = ("lark",)
_OF_PYTHON = (".py", ".toml", ".txt", ".lark", ".css", ".svg", ".html")
# modules that the page does not need
_LEFT_OUT = re.compile(
    r"mjscore/((cli|batch)/(?!messages)|refusals|(__main__|api|results|evenings)\.|phone/(site|index|licences)|page/(png|language|differences)\.)|lark/(tools|__pyinstaller|tree_\w+|reconstruct|indenter|ast_utils)|__pycache__"
)
# modules of the standard library left out: old encodings (archives need cp437), debugging, testing, servers
_UNUSED = re.compile(
    r"encodings/(?!cp437)(cp|mac_|iso|koi8|big5|gb|euc|hz|johab|shift|hp_|kz|ptcp|tis|palmos|idna|punycode|utf_(7|16|32)|uu_|rot_|bz2|zlib|quopri|hex|mbcs|oem)"
    r"|email/(?!__init__)|html/|json/(tool|__main__)|pyodide/_nodesock|concurrent/futures/interpreter"
    r"|(xml|unittest|_pyrepl|xmlrpc|wsgiref|http|multiprocessing|sqlite3|ctypes|zoneinfo|profiling|sysconfig|concurrent/interpreters)/"
    r"|concurrent/futures/process|asyncio/(windows_\w+|proactor_events|tools|__main__)|logging/(handlers|config)|pyodide/console"
    r"|^(pdb|bdb|doctest|pydoc|imaplib|mailbox|smtplib|ftplib|poplib|pickletools|statistics|optparse|turtle|profile|plistlib|tarfile|_pyio"
    r"|_pydatetime|_pydecimal|argparse|ipaddress|socketserver|zipapp|trace|pstats|modulefinder|wave|cmd|timeit|compileall|py_compile"
    r"|mimetypes|shelve|symtable|tabnanny|pyclbr|filecmp|fileinput|rlcompleter|cProfile|sched|netrc|pty|webbrowser|_markupbase|stringprep"
    r"|_sysconfigdata\w+(-\w+)?|urllib/(request|robotparser)|configparser|calendar|_strptime|_ast_unparse|pprint"
    r"|code|runpy|tracemalloc|graphlib|hmac|getopt|quopri|colorsys|this|antigravity|secrets|nturl2path)\.py"
)
# the first lines of the site's own files: nothing else in its folder is overwritten or removed
_OURS = re.compile(rb'content="mjscore |^// Offline: a version|^The page for a phone is made of these')
_VERSION = re.compile(r"\d[\w.+]*-[0-9a-f]{10}")
_ROWS = (("", 0, 9), ("", 9, 18), ("", 18, 27), ("honors", 27, 34), ("bonus", 34, 42))
_CHUNK = 1 << 18

Say = Callable[[str], None]


def build_site(folder: Path, pyodide: Path | None, rulebook: str, say: Say) -> str:
    """Write the site into *folder*, remove its older versions, and return its version.

    The site is made from the installed package and the Pyodide in the folder *pyodide*, which is downloaded
    if None. The page starts with *rulebook*, whose file is included; *say* is called with a text for each
    step. Raises Refused if *folder* has a page of something else or *pyodide* is not Pyodide; OSError.
    """
    for name in _AT_THE_TOP:
        if (folder / name).exists() and not _is_ours(folder / name):
            raise refuse("no-site", "other", folder=folder)
    files = _site_files(pyodide or _fetched_pyodide(say), rulebook, say)
    version = next(iter(files)).partition("/")[0]
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for old in folder.iterdir():
        another = _VERSION.fullmatch(old.name) and old.name != version and not old.is_symlink()
        if another and _is_ours(old / "licences.txt"):
            shutil.rmtree(old)
    say(f"{sum(map(len, files.values())) / 1e6:.1f} MB in {len(files)} files")
    return version


def _site_files(pyodide: Path, rulebook: str, say: Say) -> dict[str, bytes]:
    """Return the site's files, all but two in a folder named after the version, which has a hash of them."""
    files = {f"pyodide/{name}": content for name, content in _pyodide_files(pyodide).items()}
    page_files = [path for path in _HERE.iterdir() if path.suffix in (".js", ".css", ".png", ".svg")]
    files |= {path.name: path.read_bytes() for path in page_files}
    style = (_HERE.parent / "page" / "evening.css").read_bytes()
    files["evening.css"] = style.replace(b":root", b":root, :host")
    files["python.zip"] = _archive(_python_files())
    values = _values(rulebook)
    for language, words in _words().items():
        words["club"] = own_files(bind(rulebook))
        files[f"words/{language}.json"] = json.dumps(words, ensure_ascii=False).encode()
    if shutil.which("node"):
        say("preparing the Python of the site")
        source, archive = files["pyodide/python_stdlib.zip"], files["python.zip"]
        scripts = (PYODIDE.encode(), *((_HERE / name).read_bytes() for name in _PREPARING))
        (library,) = cached_on_disk(
            "phone-library", lambda: (source, *scripts), lambda: _prepared(pyodide, source)
        )
        files["pyodide/python_stdlib.zip"] = library
        files["python.zip"], files["snapshot.bin"] = cached_on_disk(
            "phone", lambda: (library, archive, *scripts), lambda: _prepared(pyodide, library, archive)
        )
        values["snapshot"] = hashlib.sha256(files["snapshot.bin"]).hexdigest()
    for name in ("worker.js", "licences.txt", "manifest.webmanifest", "index.html"):
        files[name] = _filled(name, values)
    digests = {name: hashlib.sha256(content) for name, content in sorted(files.items())}
    digest = hashlib.sha256(b"".join(name.encode() + one.digest() for name, one in digests.items()))
    version = values["version"] = f"{mjscore.__version__}-{digest.hexdigest()[:10]}"
    in_folder = {f"{version}/{name}": one for name, one in digests.items() if name not in _AT_THE_TOP}
    values["files"] = json.dumps({path: one.hexdigest()[:16] for path, one in in_folder.items()})
    at_the_top = {name: _filled(name, values) for name in _AT_THE_TOP}
    return {path: files[path.partition("/")[2]] for path in in_folder} | at_the_top


def _is_ours(path: Path) -> bool:
    """Return whether *path* is a file that was written for a site."""
    return path.is_file() and _OURS.search(path.read_bytes()[:2000]) is not None


def _filled(name: str, values: Mapping[str, str]) -> bytes:
    """Return the page's file *name* in English: *values* fill its double braces and elements with words."""
    text = (_HERE / name).read_text(encoding="utf-8")
    text = re.sub(r"\{\{([\w.]+)\}\}", lambda match: values.get(match[1], ""), text)
    if not name.endswith(".html"):
        return text.encode()
    text = re.sub(r'data-word="([\w.]+)"[^<>]{0,200}>', lambda match: match[0] + values[match[1]], text)
    names = {"label": "aria-label", "hint": "placeholder"}
    return re.sub(
        r' data-(label|hint)="([\w.]+)( \w+)?"',
        lambda match: f'{match[0]} {names[match[1]]}="{values[match[2]]}{match[3] or ""}"',
        text,
    ).encode()


def _words() -> dict[str, dict[str, Any]]:
    """Return the words of the page by language, English first."""
    paths = sorted(_HERE.glob("words/*.json"), key=lambda path: (path.stem != "en", path.stem))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def _values(rulebook: str) -> dict[str, str]:
    """Return what fills the page's files: words (e.g. ``winds.E``), keys, tile faces, rulebooks, licences."""
    words = _words()["en"]
    keys = [(kind, "".join(map(_key, TILES[first:last]))) for kind, first, last in _ROWS]
    rows = [f'<div class="keys row {kind}">{tiles}</div>' for kind, tiles in keys]
    book = bind(rulebook)
    club = dict.fromkeys([*own_files(book)][-1:], book.title)
    name = book.title if club else words["title"]
    titles = club | {name: bind(name).title for name in RULEBOOKS}
    chosen = next(iter(club), rulebook)
    books = [
        f'<option value="{escape(name)}"{" selected" if name == chosen else ""}>{escape(title)}</option>'
        for name, title in titles.items()
    ]
    languages = [f'<option value="{name}">{words["called"]}</option>' for name, words in _words().items()]
    groups = {name: group for name, group in words.items() if isinstance(group, dict)}
    return {
        **{name: escape(text) for name, text in words.items() if isinstance(text, str)},
        **{f"{name}.{key}": escape(text) for name, group in groups.items() for key, text in group.items()},
        "title": escape(name),
        "name": json.dumps(name, ensure_ascii=False),
        "faces": draw_faces(),
        "tile_keys": "\n".join(rows),
        "books": "".join(books),
        "languages": "".join(languages),
        "pyodide": PYODIDE,
        "mjscore": f"{mjscore.__version__}\n\n{_licence('mjscore')}",
        **{library: f"{metadata.version(library)}\n\n{_licence(library)}" for library in _LIBRARIES},
    }


def _key(tile: Tile) -> str:
    drawn = f'<svg viewBox="0 0 56 80" aria-hidden="true"><use href="#face-{tile}"/></svg>'
    return f'<button type="button" class="key" data-tile="{tile}" aria-label="{tile.title}">{drawn}</button>'


def _licence(distribution: str) -> str:
    """Return the text of a distribution's licence file; ``MIT License`` if it has none."""
    files = metadata.files(distribution) or []
    return next((file.read_text("utf-8") for file in files if "licen" in file.name.lower()), "MIT License")


def _python_files() -> Iterator[tuple[str, bytes]]:
    """Yield path and contents of each file of mjscore and its libraries that the page's Python imports."""
    # the grammars are inside an installed package, but beside it in a checkout
    roots = {"mjscore": _HERE.parent, "mjscore/grammar": _HERE.parents[1] / "grammar"}
    roots |= {library: Path(str(resources.files(library))) for library in _LIBRARIES}
    for name, root in roots.items():
        for path in sorted(root.rglob("*")):
            inside = f"{name}/{path.relative_to(root).as_posix()}"
            if path.suffix in _OF_PYTHON and not _LEFT_OUT.search(inside):
                yield inside, path.read_bytes()


def _archive(files: Iterator[tuple[str, bytes]]) -> bytes:
    """Return a zip archive; the same files always give the same bytes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compresslevel=9) as archive:
        for name, content in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _prepared(pyodide: Path, library: bytes, archive: bytes | None = None) -> tuple[bytes, ...]:
    """Return Python's own *library* as bytecode or, given an *archive*, that archive prepared and a snapshot.

    The archive gets bytecode, the grammars' tables and the rulebooks; the snapshot is the memory of Python
    after its start. Pyodide makes both, run in Node.
    """
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("library.zip", "python.zip", "snapshot.bin")]
        paths[0].write_bytes(library)
        if archive is not None:
            paths[1].write_bytes(archive)
        inputs = paths if archive is not None else paths[:1]
        command = ["node", str(_HERE / "prepare.mjs"), str(pyodide.resolve()), *map(str, inputs)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise refuse("no-site", "node", said=done.stderr.strip()[-200:])
        return tuple(path.read_bytes() for path in inputs[-2:])


def _pyodide_files(folder: Path) -> dict[str, bytes]:
    """Return the Pyodide files that the page needs. Raises Refused if missing, or of another version."""
    try:
        files = {name: (folder / name).read_bytes() for name in _OF_PYODIDE}
        info = json.loads(files["pyodide-lock.json"])["info"]
    except (OSError, ValueError, KeyError):
        raise refuse("no-pyodide", "folder", folder=folder) from None
    if f'"{PYODIDE}"'.encode() not in files["pyodide.mjs"]:
        raise refuse("no-pyodide", "version", folder=folder, version=PYODIDE)
    # the page uses none of its packages, whose list is long
    files["pyodide-lock.json"] = json.dumps({"info": info, "packages": {}}).encode()
    with zipfile.ZipFile(io.BytesIO(files["python_stdlib.zip"])) as library:
        names = [name for name in library.namelist() if not _UNUSED.search(name)]
        files["python_stdlib.zip"] = _archive((name, library.read(name)) for name in names)
    packed = {f"{name}.bin": gzip.compress(files.pop(name), mtime=0) for name in _PACKED}
    return files | packed


def _fetched_pyodide(say: Say) -> Path:
    """Return the folder of Pyodide, downloaded once and checked by hash. Raises Refused if that fails."""
    folder = Path(cache_folder() or ".", f"pyodide-{PYODIDE}")
    if all((folder / name).is_file() for name in _OF_PYODIDE):
        return folder
    content = b""
    try:
        with urlopen(ADDRESS, timeout=30) as response:
            total = int(response.headers.get("Content-Length") or 0)
            while chunk := response.read(_CHUNK):
                content += chunk
                say(f"fetching Pyodide {PYODIDE}: {len(content) / 1e6:.1f} of {total / 1e6:.1f} MB")
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise refuse("no-pyodide", "fetched", address=ADDRESS, reason=reason) from None
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != DIGEST:
        raise refuse("no-pyodide", "digest", address=ADDRESS, version=PYODIDE)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name in _OF_PYODIDE:
            member = archive.extractfile(f"package/{name}")
            assert member is not None  # ensured by its hash
            (folder / name).write_bytes(member.read())
    return folder
