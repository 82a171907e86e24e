"""mjscore works wherever it lies: a bare clone, an editable install, a wheel, a zip on the path, an unpacked sdist.

Each is built from a copy of this tree without a network; what is built must do what the tree itself does.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from filelock import FileLock
from programs import run_all

import mjscore
from mjscore.cli.main import COMMANDS as COMMAND_NAMES

ROOT = Path(__file__).parents[2]
UNTRACKED = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis"
)
# together they read every kind of file that the package carries
COMMANDS = [
    ("score", "S@E: (222d) [1111c] 123b 456b 5c +5c!loose", "-r", "harr", "-r", "harr-limit", "--why"),
    ("score", "S: 19b19c19d ESWNw RG Wd <Wd", "-r", "babcock", "-s", "thirteen-orphans=on"),
    ("score", "E: 123456789d ESWNw +5d", "-r", str(ROOT / "samples/house-rules.toml"), "--format", "json"),
    ("settle", str(ROOT / "samples/table.mj"), "-r", "babcock-chinese", "--counters", "babcock"),
    ("settle", str(ROOT / "samples/table.mj"), "--counters", "harr"),
    ("report", str(ROOT / "samples/evening.mj"), "--html", "-"),
    ("rules", "facts"),
    ("explain", "fifth-tile"),
    ("help", "club"),
    ("check", str(ROOT / "samples/house-rules.mj"), "--format", "json"),
    ("score", "S@E: (222d) 123b 456b 55c W W +W"),
]  # fmt: skip
COMMIT = ("commit", "-qm", "2", "--allow-empty")
# what is built one commit after 2.0.0 is 2.0.1.dev1
LATER = re.sub(
    r"\.\d+$", lambda last: f".{int(last[0][1:]) + 1}.dev1", mjscore.__version__
)  # an sdist's own stays


class Place(NamedTuple):
    """A Python, what it has on its path, and where it is called from."""

    python: Path
    path: str
    folder: Path
    home: Path
    cache: str = ""  # where none is named, the grammars' tables are made anew

    @property
    def environment(self) -> dict[str, str]:
        said = {"MJSCORE_CACHE": self.cache, "COLUMNS": "100", "NO_COLOR": "1", "PYTEST_ADDOPTS": ""}
        return {"PYTHONPATH": self.path, **said}

    def run(self, *arguments: str) -> str:
        environment = {**os.environ, **self.environment}
        done = subprocess.run(
            [str(self.python), *arguments], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        return f"{done.stdout}{done.stderr}exit {done.returncode}"

    def run_all(self) -> str:
        done = run_all(COMMANDS, self.environment, self.python, self.folder)
        return f"{done.stdout.decode()}exit {done.returncode}"


def call_build(hook: str, tree: Path, out: Path) -> Path:
    """What setuptools' build hook *hook* makes of a tree."""
    code = f"import setuptools.build_meta as backend, sys; backend.{hook}(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(out)], cwd=tree, check=True, capture_output=True)
    (made,) = out.iterdir()
    return made


def new_python(folder: Path) -> Path:
    """A virtual environment with everything that this one has but mjscore."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin/python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = subprocess.run(
        [str(python), "-c", where], capture_output=True, text=True, check=True
    ).stdout.strip()
    others = folder / "others"
    others.mkdir()
    # Debian's Python names folders that are not there
    for path in filter(Path.is_dir, map(Path, site.getsitepackages())):
        for entry in path.iterdir():
            if "mjscore" not in entry.name and entry.suffix != ".pth":
                (others / entry.name).symlink_to(entry)
    Path(packages, "others.pth").write_text(f"{others}\n")
    return python


def install(python: Path, *arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index",
         "--no-build-isolation", "--no-compile", *arguments],
        check=True, capture_output=True,
    )  # fmt: skip


@pytest.fixture(scope="session")
def shared(tmp_path_factory) -> Callable[[str, Callable[[Path], object]], Path]:
    """Has a folder made once for all processes of the tests."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, make: Callable[[Path], object]) -> Path:
        folder, done = base / f"packaging-{name}", base / f"packaging-{name}.done"
        with FileLock(base / "packaging.lock"):
            if not done.exists():
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return made


@pytest.fixture(scope="module")
def clone(shared) -> Path:
    """A clone without tags, one commit later than the version."""

    def make(folder: Path) -> None:
        shutil.copytree(ROOT, folder / "mjscore", ignore=UNTRACKED)
        as_anybody = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for arguments in (("init", "-q"), ("add", "."), ("commit", "-qm", "1"), COMMIT):
            subprocess.run([*as_anybody, *arguments], cwd=folder / "mjscore", check=True)

    return shared("clone", make) / "mjscore"


@pytest.fixture(scope="module")
def bare_python(shared) -> Path:
    return shared("bare", lambda folder: new_python(folder / "python")) / "python/bin/python"


@pytest.fixture(scope="module")
def sdist(clone, shared) -> Path:
    def make(folder: Path) -> None:
        (folder / "packed").mkdir()
        with tarfile.open(call_build("build_sdist", clone, folder / "packed")) as archive:
            # Debian's Python 3.11.2 knows no filters
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(folder / "unpacked")

    (unpacked,) = (shared("sdist", make) / "unpacked").iterdir()
    return unpacked


@pytest.fixture(scope="module")
def wheel(sdist, shared) -> Path:
    def make(folder: Path) -> None:
        shutil.copytree(sdist, folder / "tree/mjscore")
        (folder / "made").mkdir()
        call_build("build_wheel", folder / "tree/mjscore", folder / "made")

    (made,) = (shared("wheel", make) / "made").iterdir()
    return made


@pytest.fixture
def places(clone, bare_python, sdist, wheel, tmp_path, tmp_path_factory) -> dict[str, Callable[[], Place]]:
    cache = str(tmp_path_factory.getbasetemp() / "cache")

    def editable() -> Place:
        python = new_python(tmp_path / "editable")
        install(python, "-e", str(shutil.copytree(clone, tmp_path / "tree")))
        return Place(python, "", tmp_path, tmp_path / "tree" / "mjscore", cache)

    def installed() -> Place:
        python = new_python(tmp_path / "installed")
        install(python, str(wheel))
        return Place(python, "", tmp_path, tmp_path / "installed", cache)

    return {
        "clone": lambda: Place(bare_python, "", clone, clone / "mjscore"),
        "clone on the path": lambda: Place(bare_python, str(clone), tmp_path, clone / "mjscore", cache),
        "editable": editable,
        "wheel": installed,
        "zip": lambda: Place(bare_python, str(wheel), tmp_path, wheel / "mjscore", cache),
        "sdist": lambda: Place(bare_python, "", sdist, sdist / "mjscore", cache),
    }


@pytest.fixture(scope="module")
def expected(bare_python, tmp_path_factory) -> str:
    return Place(bare_python, str(ROOT), ROOT, ROOT, str(tmp_path_factory.getbasetemp() / "cache")).run_all()


@pytest.mark.parametrize("name", ["clone", "clone on the path", "editable", "wheel", "zip", "sdist"])
def test_it_works_wherever_it_lies(name, places, expected):
    place = places[name]()
    home = place.run("-c", "import mjscore; print(mjscore.__file__, mjscore.__version__)").split()
    assert Path(home[0]).resolve().is_relative_to(place.home.resolve())
    version = LATER if name in ("wheel", "zip", "sdist") else mjscore.__version__
    assert home[1] == version
    assert place.run("-m", "mjscore", "--version").startswith(f"mjscore {version}")
    assert place.run_all() == expected


def test_the_expected_output_is_no_fault(expected):
    ended = re.findall(r"^exit ([0-9]+) of (\w+)$", expected, re.MULTILINE)
    assert ended == [("0", command[0]) for command in COMMANDS[:-1]] + [("2", "score")]
    assert expected.endswith("exit 0")


def test_the_wheel_has_every_file_of_the_package_and_the_version(wheel):
    assert wheel.name == f"mjscore-{LATER}-py3-none-any.whl"  # no compiler is wanted
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        described = archive.read(metadata).decode()
    assert f"\nVersion: {LATER}\n" in described
    # a registry has no files beside it
    links = re.findall(r"\]\(([^)#\s]+)|src(?:set)?=\"([^\"]+)", described)
    assert len(links) > 10
    assert [link for link in map("".join, links) if not link.startswith("https://")] == []
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mjscore").rglob("*") if path.is_file()}
    for name, folder in (("grammar", ROOT / "grammar"), ("guides", ROOT / "samples/guides")):
        files |= {f"mjscore/{name}/{path.name}" for path in folder.iterdir() if path.is_file()}
    assert names == {name for name in files if "__pycache__" not in name}


def test_at_the_version_s_commit_and_at_its_tag_it_is_that_version(clone, tmp_path):
    """Of a later commit the wheel says it in its name."""

    def version() -> str:
        command = [sys.executable, "setup.py", "--version"]
        return subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout.strip()

    tree = tmp_path / "tree"
    subprocess.run(["git", "clone", "-q", str(clone), str(tree)], check=True)
    subprocess.run(["git", "checkout", "-q", "HEAD^"], cwd=tree, check=True)
    assert version() == mjscore.__version__
    subprocess.run(["git", "checkout", "-q", "-"], cwd=tree, check=True)
    subprocess.run(["git", "tag", f"v{mjscore.__version__}"], cwd=tree, check=True)
    assert version() == mjscore.__version__


def test_the_sdist_has_every_file_and_its_tests_pass(clone, sdist, bare_python):
    def files(folder: Path) -> set[str]:
        paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
        return {
            path.as_posix()
            for path in paths
            if not {"__pycache__", ".git"} & {*path.parts} and ".egg-info" not in str(path)
        }

    assert files(clone) - files(sdist) <= {".gitignore"}  # which an unpacked sdist has not
    # two of them: .ci/everywhere runs them all from an sdist
    place = Place(bare_python, "", sdist, sdist)
    some = ("tests/rulebook/test_living.py", "tests/scoring/test_waits.py")
    done = place.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *some)
    assert done.endswith("exit 0"), done


def test_the_pre_commit_hook_runs_a_command_on_mj_files():
    hook = dict(
        line.strip(" -").split(": ", 1)
        for line in (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8").splitlines()
    )
    program, command = hook["entry"].split()
    assert program == "mjscore"
    assert command in COMMAND_NAMES
    names = ["samples/harr.mj", "samples/harr.mj.txt", "samples/house-rules.toml"]
    assert [name for name in names if re.search(hook["files"], name)] == ["samples/harr.mj"]


def test_each_step_of_a_workflow_is_a_script_that_can_be_run_here():
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    steps = [
        step for path in workflows for step in re.findall(r"\brun:\s*(\S+)", path.read_text(encoding="utf-8"))
    ]
    assert {".ci/run", ".ci/everywhere", ".ci/debian", ".ci/build", ".ci/release"} == set(steps)
    assert all(os.access(ROOT / step, os.X_OK) for step in steps)


def test_what_is_checked_with_is_pinned():
    lines = (ROOT / ".ci" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert {"ruff", "mypy", "setuptools"} <= pinned.keys()
    assert "-c .ci/requirements.txt" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
