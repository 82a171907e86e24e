"""Settings that hold for all tests."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from amounts import part_of
from hypothesis import Phase, settings
from in_memory import folder_for_all, folder_in_memory

from mjscore.system import cores

# parsers and rulebooks stay by the hundred in a process of the tests, and each full collection goes through them all
gc.set_threshold(100_000, 20, 100)
# the first hand of a process builds the parser, so no single example can be held to a deadline
settings.register_profile("mjscore", deadline=None, max_examples=part_of(100, 2))
# HYPOTHESIS_PROFILE=long: what is tried at random is tried for an hour
settings.register_profile("long", deadline=None, max_examples=20_000)
# for mutation testing: the same few examples each time, and none made smaller
settings.register_profile(
    "mutation",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=30,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "mjscore"))
# what a terminal, or Readline for it, says of its size to the programs that the tests start
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)
    os.unsetenv(name)
# what its user has set is none of the tests' business
os.environ["MJSCORE_SETTINGS"] = ""
# to make and remove a small file takes a disk longer than most tests take
if folder := folder_for_all():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", folder)
# the tests start some hundred programs, each of which would compile the package anew, and have some processes themselves,
# each of which would compile all tests
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# what a shell began in the background takes no notice of Ctrl-C, nor below nohup of a terminal that is gone; neither
# would the programs then to which the tests send these
for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Runs folders of tests on all cores where pytest-xdist is installed; single files, and a debugger, on one."""
    option = config.option
    here = getattr(option, "numprocesses", 0) is None and not hasattr(config, "workerinput")
    if here and option.dist == "no" and all(Path(argument).is_dir() for argument in config.args):
        option.numprocesses, option.dist = "auto", "worksteal"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """One process for each core that may be used: the tests wait for little, and another would collect them all once more."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[pytest.CollectReport]:
    """Has every other process collect from the end: each finds compiled what another has read."""
    report = yield
    if os.environ.get("PYTEST_XDIST_WORKER", "")[-1:] in tuple("13579") and isinstance(collector, pytest.Dir):
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Has those that say how long they may take begin first: no core waits for them at the end."""
    items.sort(key=lambda item: (item.get_closest_marker("timeout") is None, item.path))


_numbers = itertools.count()


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for small files that are written thousands of times, in memory where that can be."""
    where = folder_in_memory() or tmp_path_factory.getbasetemp()
    with TemporaryDirectory(prefix="mjscore-", dir=where) as folder:
        yield Path(folder)


@pytest.fixture
def in_memory(memory: Path) -> Path:
    """A new folder there."""
    folder = memory / str(next(_numbers))
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def states(memory: Path) -> Path:
    """Where the tests keep the steps of evenings."""
    return memory / "states"


@pytest.fixture(autouse=True)
def _state_of_its_own(states: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a folder of its own for the steps of evenings, made when it is needed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(states / str(next(_numbers))))


@pytest.fixture
def house(tmp_path: Path) -> Callable[..., str]:
    """Writes a house rulebook of some lines more than another has, and gives its path."""

    def write(lines: str, extends: str = "harr") -> str:
        path = tmp_path / f"house{len(list(tmp_path.iterdir()))}.toml"
        head = f'id = "house"\ntitle = "House"\nextends = "{extends}"\n'
        path.write_text(f"{head}{lines}\n", encoding="utf-8")
        return str(path)

    return write
