"""Transcripts: what is typed at a command line, what it shows and what stands in the files then, as plain text.

``tests/test_transcripts.py`` runs them all, each part of one in an empty folder of its own. ``tests/play/undo.transcript`` has::

    = What is typed as one line is undone as one
    $ play e.mj --players "Ann Ben Cid Dee"
    > 2 8 64w 0
    > undo
      hand 1 is undone
    holds e.mj
      ...
      players Ann Ben Cid Dee

What stands above the first ``=`` is done before each part. Behind ``$`` stand the words of a command line, before them settings
of the environment, and below it:

``> line``      is typed, line by line;
``  text``      is shown, each text behind the one above; how lines are wrapped does not count;
``3 text``      is shown so often, anywhere;
``! text``      is shown nowhere;
``| line``      such lines are all that is shown, as they are;
``error text``  is shown, on standard error;
``status 2``    is how the command ends, if not 0.

``file NAME`` writes the lines below it, ``more NAME`` adds them, ``holds NAME`` wants them to be all that the file has but for
what stands at ``...`` in the first or last line, ``lacks NAME`` wants none of them there. ``keep NAME as x`` remembers what a file
has, ``same NAME as x`` wants it to be that, without a NAME what the last command showed, ``remove NAME`` and ``rename NAME to NAME`` are what they say, and ``files NAME ...``
are all that there are. ``{samples}`` is the folder of the samples; ``\\e`` in a line that is typed or written is an escape.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result
from programs import run_command

from mjscore.notation.vocabulary import use_languages
from mjscore.rulebook.binding import forget_rulebooks

SAMPLES = Path(__file__).parents[2] / "samples"


class Step(NamedTuple):
    """A line that does something, with those below it that belong to it; *place* says where it stands."""

    place: str
    does: str
    below: list[tuple[str, str]]


class Transcript(NamedTuple):
    title: str
    steps: list[Step]


def transcripts(test_file: str) -> pytest.MarkDecorator:
    """Gives a test every transcript of the folders beside its module, one by one."""
    folder = Path(test_file).parent
    found = {
        f"{path.relative_to(folder).with_suffix('')}: {transcript.title}": transcript
        for path in sorted(folder.rglob("*.transcript"))
        for transcript in _read(path)
    }
    return pytest.mark.parametrize("transcript", found.values(), ids=found)


def _read(path: Path) -> Iterator[Transcript]:
    parts = [Transcript("", [])]
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark, _, text = line.partition(" ")
        if mark == "=":
            parts.append(Transcript(text, []))
        elif not line.strip() or mark == "#":
            continue
        elif line.startswith("  "):
            parts[-1].steps[-1].below.append(("", line[2:].replace("\\e", "\x1b")))
        elif mark in (">", "!", "|", "error", "status") or mark.isdigit():
            parts[-1].steps[-1].below.append((mark, text.replace("\\e", "\x1b") if mark == ">" else text))
        else:
            parts[-1].steps.append(
                Step(f"{path}:{number}", line.replace("{samples}", SAMPLES.as_posix()), [])
            )
    before, *rest = parts
    assert rest, f"{path} has no part"
    return (part._replace(steps=[*before.steps, *part.steps]) for part in rest)


def run(transcript: Transcript, folder: Path) -> None:
    """Does all that a transcript says, in *folder*, which is the current one."""
    __tracebackhide__ = True
    forget_rulebooks()
    use_languages(())
    kept: dict[str, bytes] = {}
    shown = b""
    for step in transcript.steps:
        word, *rest = ["$"] if step.does.startswith("$") else shlex.split(step.does)
        if word == "$":
            result = _called(step)
            shown = result.output_bytes
            _check_shown(step, result)
        elif rest[:1] == ["as"]:
            assert kept.setdefault(rest[1], shown) == shown, f"{step.place}: it shows\n{shown.decode()}"
        elif word == "files":
            assert sorted(path.name for path in folder.iterdir()) == sorted(rest), step.place
        else:
            _do_file(step, word, folder / rest[0], rest[-1], kept)


def _called(step: Step) -> Result:
    words = shlex.split(step.does[2:])
    environment = {"COLUMNS": "100"}
    while words and "=" in words[0] and words[0].partition("=")[0].isupper():
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    typed = "".join(f"{text}\n" for mark, text in step.below if mark == ">")
    return run_command(*words, input=typed, **environment)


def _check_shown(step: Step, result: Result) -> None:
    __tracebackhide__ = True
    # paths are written here with slashes
    shown, place = " ".join(result.output.replace(os.sep, "/").split()), 0
    told = f"{step.place}: {step.does}\n{result.output}"
    status = 0
    for mark, text in step.below:
        sought = " ".join(text.split())
        if not mark:
            place = shown.find(sought, place) + len(sought)
            assert place >= len(sought), f"not shown (there): {text}\n{told}"
        elif mark == "!":
            assert sought not in shown, f"shown: {text}\n{told}"
        elif mark.isdigit():
            assert shown.count(sought) == int(mark), f"not {mark} times: {text}\n{told}"
        elif mark == "error":
            assert sought in " ".join(result.stderr.split()), f"not on standard error: {text}\n{told}"
        elif mark == "status":
            status = int(text)
    assert result.exit_code == status, told
    exactly = [text for mark, text in step.below if mark == "|"]
    assert not exactly or result.output.splitlines() == exactly, told


def _do_file(step: Step, word: str, path: Path, name: str, kept: dict[str, bytes]) -> None:
    __tracebackhide__ = True
    lines = [text for _, text in step.below]
    text = "".join(f"{line}\n" for line in lines)
    if word == "file":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    elif word == "more":
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    elif word == "remove":
        path.unlink()
    elif word == "rename":
        path.rename(path.with_name(name))
    elif word == "keep":
        kept[name] = path.read_bytes()
    elif word == "same":
        assert path.read_bytes() == kept[name], f"{step.place}: it is not the same\n{path.read_text()}"
    elif word == "lacks":
        assert not [line for line in lines if line in path.read_text(encoding="utf-8")], step.place
    else:
        assert word == "holds", f"{step.place}: {step.does}"
        wanted = "".join(r"(?:.*\n)?" if line == "..." else re.escape(f"{line}\n") for line in lines)
        found = path.read_text(encoding="utf-8")
        assert re.fullmatch(wanted, found, re.DOTALL), f"{step.place}: {path.name} holds\n{found}"
