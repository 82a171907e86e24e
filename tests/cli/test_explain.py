"""``mjscore explain``: every example of the table is run, and the page is what it says it is."""

from __future__ import annotations

import builtins
import json
import re
import shlex
import sys
from pathlib import Path

import click
import pytest
from click.testing import Result
from programs import run_command
from refusals import refusal_of
from tables import each

import mjscore
from mjscore.batch.run import Chunk, check_chunk, in_order
from mjscore.batch.workers import Task, WorkerDied, Workers
from mjscore.cli import explain
from mjscore.cli.main import cli
from mjscore.page.manual import explanations
from mjscore.play.store import Store
from mjscore.record.checker import placed
from mjscore.record.context import Context
from mjscore.record.source import SourceLine
from mjscore.refusal import program_fault

SAMPLES = Path(__file__).parents[1] / "notation" / "refusals.txt"
TABLE = explanations()
# what cannot be typed at one terminal: each has a test of its own below
SHOWN = {
    "no-converter", "cluster-silent", "changed-meanwhile", "held-open", "in-use", "no-cluster", "process-died",
    "program-fault", "second-name", "odd-score",
}  # fmt: skip


def run(*arguments: str) -> Result:
    return run_command("explain", *arguments, COLUMNS="100")


@pytest.fixture(scope="module")
def refusals() -> dict[str, str]:
    """Every refusal as its example prints it."""
    with click.Context(cli):
        return {code: explain.refusal_of(explanation) for code, explanation in TABLE.items()}


def test_an_example_knows_nothing_of_what_its_user_has_missed():
    assert run_command("drill", "--seed", "5", input="1\nq\n").exit_code == 0
    assert "[nothing-missed]" in run("nothing-missed").stdout


@each("code", TABLE)
def test_the_example_is_refused_for_its_reason(code, refusals):
    assert f"[{code}]" in refusals[code] or f'"code": "{code}"' in refusals[code]
    assert "help: " in refusals[code] or '"hint": "' in refusals[code] or code.startswith("expected-")


@each("code", TABLE)
def test_the_help_names_no_tile_that_there_is_not(code, refusals):
    _, _, hint = refusals[code].partition("help: ")
    for word in re.findall(r"\b([1-9]+[bcdfsw]|[ESWNRG]+[bcdfsw])\b", f"{hint} {TABLE[code].remedy}"):
        mjscore.parse(f"{word} ...")


def test_the_page_has_all_of_the_table(refusals, monkeypatch):
    monkeypatch.setattr(explain, "refusal_of", lambda explanation: refusals[explanation.code])
    page = run("--format", "markdown").stdout
    assert re.findall(r"^### (\S+)$", page, re.MULTILINE) == list(TABLE)
    for code, explanation in TABLE.items():
        part = page.partition(f"### {code}\n")[2].partition("\n### ")[0]
        assert all(text in part for text in (explanation.means, explanation.remedy, refusals[code])), code


def test_what_is_shown_without_running_is_what_is_printed(tmp_path, monkeypatch):
    assert {code for code, explanation in TABLE.items() if explanation.shown} == SHOWN
    monkeypatch.chdir(tmp_path)
    tea = tmp_path / "tea.mj"
    tea.write_text("players Ann Ben Cid Dee\n")
    first = Store("tea.mj")
    assert refusal_of(Store, "tea.mj").render() == TABLE["in-use"].shown
    first.read()
    tea.write_text("players Ann Ben Cid Eve\n")
    refusal = refusal_of(first.replace, "players Ann Ben Cid Dee\ndraw\n")
    assert refusal.render() == TABLE["changed-meanwhile"].shown
    first.close()
    monkeypatch.setattr("mjscore.play.store.is_held_open", lambda error: True)
    assert first._unwritable(OSError()).refusal.render() == TABLE["held-open"].shown
    (tmp_path / "other.mj").hardlink_to(tea)
    assert refusal_of(Store, "tea.mj").render() == TABLE["second-name"].shown

    real = builtins.__import__

    def without_dask(name, *rest):
        if name == "distributed":
            raise ImportError(name)
        return real(name, *rest)

    (tmp_path / "tea.mj").write_text("S: (RRR) ...\n")
    monkeypatch.setattr(builtins, "__import__", without_dask)
    result = run_command(*shlex.split(TABLE["no-cluster"].example)[1:])
    assert result.stderr.strip() == TABLE["no-cluster"].shown


def test_a_png_without_a_converter_is_refused_as_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)
    result = run_command(*shlex.split(TABLE["no-converter"].example)[1:])
    assert result.exit_code == 2
    assert result.stderr.strip() == TABLE["no-converter"].shown
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_died_is_shown_as_it_is_told(monkeypatch):
    class Dead(Workers):
        def submit(self, chunk):
            task = Task(chunk, self)
            task.set_exception(WorkerDied())
            return task

    monkeypatch.setattr("mjscore.batch.workers.Workers", Dead)
    chunk = Chunk("tea.mj", 2001, b"", Context())
    refusal = refusal_of(list, in_order([chunk], Dead(1, check_chunk).submit, 1, (WorkerDied,)))
    assert refusal.render() == TABLE["process-died"].shown


def test_a_fault_of_the_program_is_shown_as_it_is_told():
    try:
        exec(compile("\n" * 350 + "{}[5]", "mjscore/rulebook/shapes.py", "exec"))
    except KeyError as error:
        line = SourceLine(2, "N: 1199b 999c 119999d")
        told = placed(program_fault(error), "tea.mj", line).render()
    assert told == TABLE["program-fault"].shown


def test_no_example_stands_in_two_places():
    samples = {part.strip("\n").partition("\n")[0] for part in SAMPLES.read_text("utf-8").split("\n\n\n")}
    for code, explanation in TABLE.items():
        words = shlex.split(explanation.example)
        typed = words[2:3] + [line for text in explanation.files.values() for line in text.splitlines()]
        for sample in samples:
            head, _, text = sample.partition("$ ")
            assert head.split("  ")[0] != code or text not in typed, f"{sample} is the table's example"


def test_all_are_listed_and_fit():
    listed = run_command("explain", COLUMNS="60").stdout
    assert re.findall(r"^  (\S+):", listed, re.MULTILINE) == list(TABLE)
    assert max(map(len, listed.splitlines())) <= 60


def test_json():
    found = json.loads(run("fifth-tile", "--format", "json").stdout)
    assert set(found) == {"code", "group", "means", "example", "remedy", "refusal"}
    assert found["example"] == {"command": "mjscore score '1111c 1c 456b'", "files": {}, "input": ""}
    lines = run("--format", "json").stdout.splitlines()
    assert [json.loads(line)["code"] for line in lines] == list(TABLE)
