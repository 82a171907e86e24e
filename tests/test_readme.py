"""The README's examples, run as they stand."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from mjscore.command_line import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = [
    (command, shown)
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for command, shown in re.findall(r"\$ (.*?)\n(.*?)(?=\n\$ |\Z)", block, re.DOTALL)
]


def test_the_readme_has_examples():
    assert len(EXAMPLES) >= 6


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_examples_come_out_as_shown(command, shown, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("MJSCORE_TILES", raising=False)
    program, *arguments = shlex.split(command)
    assert program == "mjscore"
    result = CliRunner().invoke(cli, arguments)
    assert result.output.rstrip() == shown.rstrip()


def test_the_python_example():
    found = re.findall(r"```pycon\n(.*?)```", README, re.DOTALL)
    assert found
    runner = doctest.DocTestRunner()
    for block in found:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0))
    assert runner.summarize().failed == 0


def test_what_it_names_is_there():
    names = re.findall(r"\]\(([\w./-]+)\)", README)
    assert len(names) >= 6
    for name in names:
        assert (ROOT / name).exists(), name
    for module in re.findall(
        r"`(\w+)`", README[README.index("| stage | module |") : README.index("Shell completion")]
    ):
        if module not in ("D",):
            assert (ROOT / "mjscore" / f"{module}.py").exists(), module


def test_module_examples():
    import mjscore
    from mjscore import notation, tiles

    for module in (mjscore, notation, tiles):
        found = doctest.testmod(module)
        assert found.failed == 0
        assert found.attempted
