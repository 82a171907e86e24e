"""The site as it is built: which files, by what name, from which Pyodide."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from programs import run_command
from refusals import refusal_of

from mjscore.notation.cache import cache_folder
from mjscore.phone import site
from mjscore.phone.site import build_site
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(autouse=True)
def no_node(monkeypatch):
    monkeypatch.setattr(site.shutil, "which", lambda name: None)


def built(folder: Path, pyodide: Path, rulebook: str = "harr") -> str:
    return build_site(folder, pyodide, rulebook, lambda said: None)


def test_all_but_two_files_are_named_by_version(tmp_path, empty):
    folder = tmp_path / "site"
    version = built(folder, empty)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {name for name in names if not name.startswith(f"{version}/")} == {"index.html", "service.js"}
    listed = re.findall(
        r'"([^"]+/[^"]+)"', (folder / "service.js").read_text().split("const files")[1].splitlines()[0]
    )
    assert {*listed, "index.html", "service.js"} == names
    # every file that another asks for is there
    for name in names:
        if name.endswith((".js", ".html")) and "pyodide" not in name:
            text = (folder / name).read_text(encoding="utf-8")
            assert "{{" not in text, name
            for asked in re.findall(r'(?:from|src=|href=) ?"([./\w-]+\.\w+)"', text):
                assert ((folder / name).parent / asked).is_file(), (name, asked)


def test_the_same_is_built_the_same_and_another_replaces_it(tmp_path, empty):
    folder = tmp_path / "site"
    first = built(folder, empty)
    assert built(folder, empty) == first
    second = built(folder, empty, "babcock")
    assert second != first
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == [second]
    assert '<option value="babcock" selected>' in (folder / "index.html").read_text()


def test_a_clubs_page_takes_its_rulebook_along_with_those_that_it_extends(tmp_path, empty):
    (tmp_path / "by-laws").mkdir()
    shutil.copy(SAMPLES / "house-rules.toml", tmp_path / "by-laws" / "thursday.toml")
    club = tmp_path / "club.toml"
    club.write_text(
        'id = "tea"\ntitle = "Tea & Tiles"\nbook = "Minutes"\nextends = "by-laws/thursday.toml"\n'
    )
    version = built(tmp_path / "site", empty, str(club))
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<option value=\"([\w.-]+)\"", page)[:2] == ["club.toml", "harr"]
    assert '<option value="club.toml" selected>Tea &amp; Tiles</option>' in page
    assert "<title>Tea &amp; Tiles</title>" in page
    manifest = json.loads((tmp_path / "site" / version / "manifest.webmanifest").read_text("utf-8"))
    assert manifest["name"] == "Tea & Tiles"
    taken = json.loads((tmp_path / "site" / version / "words" / "de.json").read_text("utf-8"))["club"]
    assert [*taken] == ["thursday.toml", "club.toml"]
    assert 'extends = "thursday.toml"' in taken["club.toml"]
    assert (tmp_path / "site" / version / "words" / "de.json").stat().st_size < 25_000
    shown = {(icon["purpose"], icon["sizes"]): icon["src"] for icon in manifest["icons"]}
    assert {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")} < shown.keys()
    for (_, size), name in shown.items():
        picture = (tmp_path / "site" / version / name).read_bytes()
        if size != "any":
            assert (picture[:4], int(size[:3])) == (b"\x89PNG", int.from_bytes(picture[16:20], "big"))


def test_what_is_prepared_of_the_same_source_is_prepared_once(tmp_path, empty, cached, monkeypatch):
    monkeypatch.setattr(site.shutil, "which", lambda name: name)
    prepared = []

    def prepare(pyodide: Path, library: bytes, *archives: bytes) -> tuple[bytes, ...]:
        prepared.append("archive" if archives else "library")
        return (*archives, bytes(7_000_000)) if archives else (library,)

    monkeypatch.setattr(site, "_prepared", prepare)
    first = built(tmp_path / "one", empty)
    assert built(tmp_path / "two", empty) == first
    assert prepared == ["library", "archive"]
    monkeypatch.setattr(site, "_LEFT_OUT", site._UNUSED)
    built(tmp_path / "two", empty)
    assert prepared == ["library", "archive", "archive"]


def test_what_others_put_beside_it_stays(tmp_path, empty):
    """Even a folder with a worker.js, a copy of a version and a link to one; a version of its own goes."""
    folder = tmp_path / "site"
    first = built(folder, empty)
    (folder / "theirs").mkdir()
    (folder / "1.0.0-0123456789").mkdir()
    for name in ("theirs", "1.0.0-0123456789"):
        (folder / name / "worker.js").write_text("// somebody else's")
    shutil.copytree(folder / first, folder / "copy")
    (folder / "1.0.0-9876543210").symlink_to(folder / "copy")
    second = built(folder, empty, "babcock")
    left = {path.name for path in folder.iterdir() if path.is_dir()}
    assert left == {"theirs", "1.0.0-0123456789", "copy", "1.0.0-9876543210", second}
    assert (folder / "theirs" / "worker.js").read_text() == "// somebody else's"
    assert (folder / "copy" / "licences.txt").is_file()


def test_no_script_and_no_style_stands_in_the_page(tmp_path, empty):
    built(tmp_path / "site", empty)
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "default-src 'self' 'wasm-unsafe-eval';" in page
    assert re.findall(r"<script(?![^>]* src=)|<style| style=| on\w+=", page) == []
    assert set(re.findall(r"https?://[\w.]+", page)) <= {"http://www.w3.org"}


def test_its_python_is_mjscore_with_its_libraries_and_nothing_for_terminals(tmp_path, empty):
    version = built(tmp_path / "site", empty)
    with zipfile.ZipFile(tmp_path / "site" / version / "python.zip") as archive:
        archive.extractall(tmp_path / "python")
    names = {path.name for path in (tmp_path / "python").iterdir()}
    assert names == {"mjscore", "lark"}
    code = (
        f"import sys; sys.path[:] = [{str(tmp_path / 'python')!r}, *(path for path in sys.path if 'site-packages' not in path)]\n"
        "from mjscore.phone.bridge import answer\n"
        'print(answer(\'{"ask": "hand", "taps": ["line E: (222d) 123b 456b 789b 5c +5c"]}\'))\n'
        "from mjscore.rulebook.binding import bind\n"
        'print(bind("harr").fingerprint)'
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert '"score": 2' in done.stdout
    assert bind("harr").fingerprint in done.stdout
    licences = (tmp_path / "site" / version / "licences.txt").read_text(encoding="utf-8")
    assert licences.count("Permission is hereby granted") >= 2
    assert "Mozilla Public License" in licences


@pytest.mark.parametrize("name", ["index.html", "service.js"])
def test_a_page_that_is_not_ours_stays(tmp_path, empty, name):
    (tmp_path / name).write_text("mine")
    assert refusal_of(built, tmp_path, empty).code == "no-site"
    assert (tmp_path / name).read_text() == "mine"


def test_another_pyodide_is_refused(tmp_path, empty):
    (empty / "pyodide.mjs").write_text('var version="0.1"')
    with pytest.raises(Refused, match="another Pyodide"):
        built(tmp_path / "site", empty)
    (empty / "pyodide.asm.wasm").unlink()
    with pytest.raises(Refused, match="is not a Pyodide folder"):
        built(tmp_path / "site", empty)
    assert not (tmp_path / "site").exists()


@pytest.fixture
def cached(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("MJSCORE_CACHE", str(tmp_path / "cache"))
    cache_folder.cache_clear()
    yield tmp_path / "cache"
    cache_folder.cache_clear()


def test_pyodide_is_fetched_once_by_its_hash(tmp_path, empty, cached, monkeypatch):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(empty, "package")
    (tmp_path / "pyodide.tgz").write_bytes(packed.getvalue())
    handler = type("Handler", (SimpleHTTPRequestHandler,), {"log_message": lambda *parts: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *given: handler(*given, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(site, "ADDRESS", f"http://127.0.0.1:{server.server_port}/pyodide.tgz")
    with pytest.raises(Refused, match="does not deliver Pyodide"):
        built(tmp_path / "site", None)
    monkeypatch.setattr(site, "DIGEST", base64.b64encode(hashlib.sha512(packed.getvalue()).digest()).decode())
    said: list[str] = []
    build_site(tmp_path / "site", None, "harr", said.append)
    assert any("fetching Pyodide" in line for line in said)
    server.shutdown()
    server.server_close()
    built(tmp_path / "site", None)  # without a network


def test_without_a_network_it_is_said_what_to_do(cached, monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        monkeypatch.setattr(site, "ADDRESS", f"http://127.0.0.1:{taken.getsockname()[1]}/pyodide.tgz")
        result = run_command("phone", str(cached / "site"))
    assert result.exit_code == 2
    assert "Pyodide cannot be fetched from" in result.stderr
    assert "--pyodide FOLDER" in result.stderr


def test_the_command_writes_and_serves_it(tmp_path, empty):
    asked = ("phone", tmp_path / "site", "--pyodide", empty, "-r", "bmja", "--serve")
    command = [sys.executable, "-u", "-m", "mjscore", *map(str, asked)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PATH": ""}) as process:
        try:
            assert process.stdout.readline().startswith("written: ")
            address = process.stdout.readline().split()[0]
            with urlopen(address.partition("#")[0], timeout=20) as response:
                assert b'<option value="bmja" selected>' in response.read()
            place = address.partition("index.html")[0]
            (tmp_path / "secret").write_text("mine")
            (tmp_path / "site" / "link").symlink_to(tmp_path / "secret")
            (tmp_path / "site" / "folder").symlink_to(tmp_path)
            for path, host in {
                "link": "",
                "folder/secret": "",
                "": "",
                "index.html": "evil.example:80",
            }.items():
                asked = Request(place + path, headers={"Host": host} if host else {})
                with pytest.raises(HTTPError, match="404"):
                    urlopen(asked, timeout=20)
        finally:
            process.kill()
    assert run_command("phone", "x", "-s", "limit=3").exit_code == 2
