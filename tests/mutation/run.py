"""Breaks the code and the rulebooks in small ways, one at a time, and says which faults no test notices.

    python tests/mutation/run.py --seconds 600            a sample of all subjects, as far as the time goes
    python tests/mutation/run.py --subject settling       every mutant of a subject
    python tests/mutation/run.py --only liability.py      the mutants whose name holds the words
    python tests/mutation/run.py --list --subject ledger  their names alone
    python tests/mutation/run.py --files                  for each test file a mutant that it notices by itself

A mutant is tried, in a copy of the repository, on the tests that run its lines (or read its rulebook): those of
its own subject first, the quick before the slow, as far as the first that fails. Which tests run which lines
is measured once and kept in .mutation_cache/. The tests are collected once; each mutant has a forked process, in which
the functions of its module get their new code. How many faults of a kind in a function cannot be noticed stands in
equivalent.txt, with the reason above it: so many may survive there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import accumulate, count
from pathlib import Path
from typing import NamedTuple

import pytest
from forked import ROOT, Ended, Job, Say, copies, run_all, warm
from mutants import Mutant, mutants_of, place_of
from nursery import Nursery
from tabulate import tabulate
from touched import Loaded, Touched, touched

HERE = Path(__file__).parent
BOOKS = "mjscore/rulebook/books"


class Subject(NamedTuple):
    """A part of the program: its files, and the tests that are its own."""

    files: str
    tests: tuple[str, ...]


_said = tomllib.loads((HERE / "subjects.toml").read_text(encoding="utf-8"))
SUBJECTS = {name: Subject(one["files"], tuple(one["tests"])) for name, one in _said["subject"].items()}
WITNESSES = _said["witnesses"]
MOST_FOR_A_FILE = 40  # mutants tried on a test file that notices none
TIMES = count(1)
REMEMBERED = 12  # tests that noticed the mutants before, tried before the others


class Try(NamedTuple):
    """A mutant, its subject, and the tests to try it on: the likely ones, then the others.

    One that survives in a process that had imported the program before is tried once more, with all imported *anew*.
    """

    subject: str
    mutant: Mutant
    stages: tuple[tuple[Touched, ...], ...]
    stage: int = 0
    anew: bool = False

    def following(self) -> Try | None:
        """What comes where it has survived; None where that is all."""
        if self.stage + 1 < len(self.stages):
            return self._replace(stage=self.stage + 1)
        return None if self.anew else self._replace(stage=0, anew=True)


class Came(NamedTuple):
    """What came of a mutant: noticed, survived, timed out; by which test; in how many seconds."""

    subject: str
    mutant: str
    outcome: str
    by: str
    seconds: float


def all_mutants(subjects: Iterable[str] = SUBJECTS) -> dict[str, list[Mutant]]:
    """Every mutant there is of each subject."""
    return {
        subject: [
            mutant
            for path in sorted(ROOT.glob(SUBJECTS[subject].files))
            for mutant in mutants_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        ]
        for subject in subjects
    }


def equivalent() -> Counter[str]:
    """By file, function and kind of fault how many cannot be noticed."""
    found: Counter[str] = Counter()
    for line in (HERE / "equivalent.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            place, _, number = line.rpartition(" | ")
            found[place] += int(number)
    return found


def beyond_known(found: Iterable[Came], known: Counter[str]) -> list[Came]:
    """What came of the mutants, but for as many survivors of a place as cannot be noticed there: these are equivalent."""
    left = Counter(known)
    came = []
    for one in found:
        place = place_of(one.mutant)
        if one.outcome == "survived" and left[place]:
            left[place] -= 1
            one = one._replace(outcome="equivalent")
        came.append(one)
    return came


def test_files(paths: Iterable[str]) -> list[str]:
    """The test files at *paths*."""
    found = {
        file.relative_to(ROOT).as_posix(): None
        for path in paths
        for file in ([ROOT / path] if path.endswith(".py") else sorted((ROOT / path).glob("test_*.py")))
    }
    return list(found)


def books_with(name: str) -> set[str]:
    """The rulebooks that hold the entries of *name*: itself and those that extend it."""
    extends = {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8")).get("extends")
        for path in (ROOT / BOOKS).glob("*.toml")
    }
    found = {name}
    while more := {book for book, other in extends.items() if other in found} - found:
        found |= more
    return found


def witnesses(mutant: Mutant, loaded: dict[str, Loaded]) -> list[Touched]:
    """The tests that can notice a mutant: they run its lines, or read its rulebook."""
    if mutant.path.endswith(".toml"):
        books = books_with(Path(mutant.path).stem)
        return [test for one in loaded.values() for test in one.tests if books & test.books]
    tests = [(one, test) for one in loaded.values() for test in one.tests]
    if not mutant.inside:
        # what runs while a module is imported is noticed, if at all, where the module is used
        return [test for one, test in tests if mutant.path in one.lines or mutant.path in test.lines]
    bits = sum(1 << line for line in mutant.lines)
    return [
        test for one, test in tests if (test.lines.get(mutant.path, 0) | one.lines.get(mutant.path, 0)) & bits
    ]


def stages_of(
    subject: str, mutant: Mutant, loaded: dict[str, Loaded], budget: float
) -> tuple[tuple[Touched, ...], ...]:
    """The tests that can notice a mutant: those of its module, its subject, and all others.

    Of the others so many seconds are taken, as measured; of the subject four times, of the module ten times as many.
    """
    own = test_files(SUBJECTS[subject].tests)
    namesake = f"test_{Path(mutant.path).stem}.py"
    book = Path(mutant.path).stem
    # of a rulebook the samples, and the tests that name the entry
    named = (f"[{book}.mj]", f"-{book}]", f"[{book}]", f"{book}-{mutant.entry}]") if mutant.entry else ()

    def stage(test: Touched) -> int:
        if test.file not in own:
            return 2
        return 0 if test.file.endswith(namesake) or test.name.endswith(named) else 1

    found = sorted(witnesses(mutant, loaded), key=lambda test: test.seconds)
    stages: list[tuple[Touched, ...]] = []
    for number, times in enumerate((10, 4, 1)):
        among = [test for test in found if stage(test) == number]
        spent = accumulate((test.seconds for test in among), initial=0.0)
        stages.append(
            tuple(test for test, before in zip(among, spent, strict=False) if before < times * budget)
        )
    return tuple(filter(None, stages))


class Chosen:
    """A plugin that runs the chosen tests in their order and says how they end."""

    def __init__(self, say: Say, names: Sequence[str]) -> None:
        self.say = say
        self.order = {name: place for place, name in enumerate(names)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.say(test=nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.say(failed=report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.say(failed=report.nodeid)


def job_of(tests: Sequence[Touched], mutant: Mutant | None = None, anew: bool = False) -> Job:
    """The run of these tests, each with ten times the seconds that it took when measured.

    What runs while a module is imported shows only where all is imported *anew*.
    """
    names = [test.name for test in tests]
    seconds = {test.name: 10 + 10 * test.seconds for test in tests}
    files = list(dict.fromkeys(test.file for test in tests))
    job = Job(files, lambda say: Chosen(say, names), lambda name: seconds.get(name, 10))
    if anew or mutant is None or not (mutant.inside or mutant.entry):
        return job
    return job._replace(names=names, changed=mutant.path)


def came_of(one: Try, ended: Ended, seconds: float) -> Came:
    """What the tests said of a mutant."""
    failed = [str(line["failed"]) for line in ended.said if "failed" in line]
    last = next((str(line["test"]) for line in reversed(ended.said) if "test" in line), "")
    how = "noticed" if failed or ended.how == "died" else ended.how
    return Came(
        one.subject,
        str(one.mutant),
        "survived" if how == "ended" else how,
        failed[0] if failed else last,
        seconds,
    )


def put_in(mutant: Mutant, copy: Path) -> None:
    """Writes the fault into the copy. Python tells compiled files by their time and size: each fault has its own time."""
    path = copy / mutant.path
    path.write_text(mutant.text, encoding="utf-8")
    os.utime(path, (next(TIMES),) * 2)


def take_out(mutant: Mutant, copy: Path) -> None:
    """The file as it was."""
    path = copy / mutant.path
    path.write_text(mutant.whole, encoding="utf-8")
    os.utime(path, (0, 0))


def kept_results(path: Path | None) -> dict[str, Came]:
    """What came of each mutant in earlier runs."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {one.mutant: one for one in (Came(**json.loads(line)) for line in lines)}


def try_all(
    tries: Iterable[Try],
    places: Sequence[Path],
    nurseries: dict[Path, Nursery],
    end: float,
    results: Path | None,
) -> list[Came]:
    """Tries the mutants until the clock says *end*; those that survive are printed as they are found."""
    found: list[Came] = []
    noticed_by: defaultdict[str, list[str]] = defaultdict(list)
    started: dict[int, float] = {}

    def jobs() -> Iterator[tuple[object, Job]]:
        for one in tries:
            if time.monotonic() > end:
                return
            if one.stages:
                yield one, job(one)
            else:
                came(Came(one.subject, str(one.mutant), "survived", "no test runs it", 0.0))

    def likely_first(path: str, tests: tuple[Touched, ...]) -> list[Touched]:
        before = noticed_by[path][-REMEMBERED:]
        return sorted(tests, key=lambda test: test.name not in before)

    def job(one: Try) -> Job:
        return job_of(likely_first(one.mutant.path, one.stages[one.stage]), one.mutant, one.anew)

    def before(key: object, copy: Path) -> None:
        assert isinstance(key, Try)
        started.setdefault(id(key.mutant), time.monotonic())
        put_in(key.mutant, copy)

    def after(key: object, copy: Path, ended: Ended) -> Iterator[tuple[object, Job]]:
        assert isinstance(key, Try)
        take_out(key.mutant, copy)
        one = came_of(key, ended, round(time.monotonic() - started[id(key.mutant)], 2))
        following = key.following() if one.outcome == "survived" else None
        if following is not None:
            yield following, job(following)
        else:
            came(one)

    def came(one: Came) -> None:
        found.append(one)
        if results is not None:
            with results.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(one._asdict())}\n")
        if one.outcome == "noticed":
            path = one.mutant.partition(" | ")[0]
            noticed_by[path] = [*(name for name in noticed_by[path] if name != one.by), one.by]
        else:
            print(f"{one.outcome}: {one.mutant}" + (f" ({one.by})" if one.by else ""), flush=True)

    run_all(jobs(), places, before, after, nurseries)
    return found


def false_witnesses(names: Iterable[str], loaded: dict[str, Loaded], places: Sequence[Path]) -> set[str]:
    """Those of the tests that fail by themselves, with no fault in place: what they noticed is not proved."""
    tests = {test.name: test for one in loaded.values() for test in one.tests}
    by_file: defaultdict[str, list[Touched]] = defaultdict(list)
    for name in names:
        if name in tests:
            by_file[tests[name].file].append(tests[name])
    wrong: set[str] = set()

    def after(key: object, copy: Path, ended: Ended) -> Iterable[tuple[object, Job]]:
        wrong.update(str(line["failed"]) for line in ended.said if "failed" in line)
        return ()

    jobs = ((file, job_of(sorted(chosen))._replace(to_the_end=True)) for file, chosen in by_file.items())
    run_all(jobs, places, lambda key, copy: None, after)
    return wrong


def table(found: Sequence[Came], mutants: dict[str, list[Mutant]]) -> str:
    """The report: a row for each subject."""
    rows: list[list[object]] = []
    total = Counter[str]()
    for subject, made in mutants.items():
        outcomes = Counter(one.outcome for one in found if one.subject == subject)
        outcomes["there are"] = len(made)
        total += outcomes
        rows.append([subject, *_figures(outcomes)])
    if len(rows) > 1:
        rows.append(["all", *_figures(total)])
    head = ["subject", "mutants", "equivalent", "run", "noticed", "timed out", "survived", "score"]
    return tabulate(rows, head, colalign=("left", *["right"] * 7), disable_numparse=True)


def _figures(outcomes: Counter[str]) -> list[object]:
    run = outcomes["noticed"] + outcomes["timed out"] + outcomes["survived"]
    score = f"{100 * (run - outcomes['survived']) / run:.1f} %" if run else "–"
    names = ("there are", "equivalent")
    return [
        *(outcomes[name] for name in names),
        run,
        *(outcomes[name] for name in ("noticed", "timed out", "survived")),
        score,
    ]


class Alone(NamedTuple):
    """A test file with a mutant that it is tried on by itself, and how many were tried before."""

    file: str
    mutant: Mutant
    before: int


def noticed_alone(
    mutants: dict[str, list[Mutant]], loaded: dict[str, Loaded], places: Sequence[Path]
) -> dict[str, str]:
    """For each test file of the subjects a mutant that it notices by itself; nothing for one that notices none."""
    found: dict[str, str] = {}
    left: dict[str, Iterator[Mutant]] = {}

    def following(file: str, tried: int) -> Iterator[tuple[object, Job]]:
        """The next mutant of a file's subject that the file runs."""
        mutant = next(left[file], None)
        if mutant is not None and tried < MOST_FOR_A_FILE:
            tests = witnesses(mutant, {file: loaded[file]})
            yield Alone(file, mutant, tried), job_of(sorted(tests, key=lambda test: test.seconds))

    def jobs() -> Iterator[tuple[object, Job]]:
        for subject, made in mutants.items():
            for file in test_files(SUBJECTS[subject].tests):
                if file in found or file not in loaded:
                    continue
                found[file] = ""
                namesake = Path(file).stem.removeprefix("test_")
                here = sorted(made, key=lambda mutant: Path(mutant.path).stem != namesake)
                left[file] = (mutant for mutant in here if witnesses(mutant, {file: loaded[file]}))
                yield from following(file, 0)

    def before(key: object, copy: Path) -> None:
        assert isinstance(key, Alone)
        put_in(key.mutant, copy)

    def after(key: object, copy: Path, ended: Ended) -> Iterator[tuple[object, Job]]:
        assert isinstance(key, Alone)
        take_out(key.mutant, copy)
        if any("failed" in line for line in ended.said):
            found[key.file] = str(key.mutant)
        else:
            yield from following(key.file, key.before + 1)

    run_all(jobs(), places, before, after)
    return found


def main() -> int:
    """0 where every mutant that was tried is noticed or known to be equivalent, else 1."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--subject", action="append", choices=SUBJECTS, help="of this subject alone; may be repeated"
    )
    parser.add_argument("--only", default="", help="a part of the mutants' names")
    parser.add_argument("--names", type=Path, help="a file with the names of the mutants, one to a line")
    parser.add_argument("--seconds", type=float, default=600, help="when to stop")
    parser.add_argument("--sample", type=int, help="at most so many mutants of each subject")
    parser.add_argument("--seed", default="0", help="another sample, in another order")
    parser.add_argument(
        "--budget", type=float, default=10, help="seconds of other subjects' tests, as measured, for a mutant"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument(
        "--results",
        type=Path,
        help="a file that keeps every outcome: what was tried is tried again only by --names",
    )
    parser.add_argument("--list", action="store_true", help="name the mutants, and try none")
    parser.add_argument("--files", action="store_true", help="a mutant for each test file")
    asked = parser.parse_args()
    # a termination ends the processes and removes the copies, as Ctrl-C does
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    mutants = chosen_mutants(asked)
    if asked.list:
        for made in mutants.values():
            for mutant in made:
                print(mutant)
        return 0
    warm()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ExitStack() as stack:
        places = copies(Path(folder), max(1, min(asked.jobs, os.cpu_count() or 1)))
        own = [path for subject in mutants for path in SUBJECTS[subject].tests]
        files = test_files([*own, *WITNESSES])
        loaded = touched(files, places)
        if asked.files:
            return print_files(noticed_alone(mutants, loaded, places))
        started = {copy: Nursery(copy, files) for copy in places}
        for nursery in started.values():
            stack.callback(nursery.end)
        nurseries = {copy: nursery for copy, nursery in started.items() if nursery.ready()}
        kept = kept_results(asked.results)
        tries = [
            (subject, mutant)
            for subject, made in mutants.items()
            for mutant in made[: asked.sample]
            if str(mutant) not in kept or (asked.names and kept[str(mutant)].outcome != "noticed")
        ]
        random.Random(asked.seed).shuffle(tries)
        found = try_all(
            (
                Try(subject, mutant, stages_of(subject, mutant, loaded, asked.budget))
                for subject, mutant in tries
            ),
            places,
            nurseries,
            time.monotonic() + asked.seconds,
            asked.results,
        )
        wrong = false_witnesses({one.by for one in found if one.outcome == "noticed"}, loaded, places)
    for name in sorted(wrong):
        print(f"fails without a fault too: {name}")
    for one in found:
        kept[one.mutant] = one._replace(outcome="survived") if one.by in wrong else one
    if asked.results is not None:
        asked.results.write_text("".join(f"{json.dumps(one._asdict())}\n" for one in kept.values()), "utf-8")
    names = {str(mutant) for made in mutants.values() for mutant in made}
    came = beyond_known((one for name, one in kept.items() if name in names), equivalent())
    print(table(came, mutants))
    return 1 if any(one.outcome == "survived" for one in came) else 0


def chosen_mutants(asked: argparse.Namespace) -> dict[str, list[Mutant]]:
    """The mutants that are asked for, of each subject, in an order that the seed decides."""
    mutants = all_mutants(asked.subject or SUBJECTS)
    names = asked.names.read_text(encoding="utf-8").splitlines() if asked.names else None
    chosen = {}
    for subject, made in mutants.items():
        chosen[subject] = [
            mutant for mutant in made if asked.only in str(mutant) and (names is None or str(mutant) in names)
        ]
        if not asked.list:
            random.Random(f"{asked.seed} {subject}").shuffle(chosen[subject])
    return chosen


def print_files(found: dict[str, str]) -> int:
    """Each test file with its mutant; 1 where a file has none."""
    for file, mutant in sorted(found.items()):
        print(f"{file}: {mutant or 'NOTICES NONE'}")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
