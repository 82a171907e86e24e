"""What is shown while a line is typed: a fault of the program in it is said once and ends nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import run_command

from mjscore.cli.live_line import LiveLine
from mjscore.page.text import Style
from mjscore.play.controller import Controller
from mjscore.play.live import LiveView
from mjscore.play.store import Store

HEAD = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def shown(tmp_path, said):
    path = tmp_path / "e.mj"
    path.write_text(HEAD)
    store = Store(str(path))
    yield LiveLine(Controller(store, said.append, Style()))
    store.close()


def broken(*given: object) -> None:
    raise RuntimeError("out of order")


def test_a_line_is_worked_out_once_for_each_key(shown, monkeypatch):
    calls = []

    def counted(session, text, columns):
        calls.append(text)
        return LiveView((("state", text),))

    monkeypatch.setattr("mjscore.play.live.live", counted)
    for text in ("w", "w", "w 1", "w 1", "w"):
        assert shown.line(text, 80).lines == (("state", text),)
    shown.line("w", 60)
    assert calls == ["w", "w 1", "w", "w"]


@pytest.mark.parametrize("part", ["live.live", "live.completions"])
def test_a_fault_is_said_once_kept_in_a_file_and_ends_nothing(shown, said, monkeypatch, tmp_path, part):
    monkeypatch.setattr(f"mjscore.play.{part}", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for text in ("w", "w 1"):
        shown.line(text, 80)
        shown.offers(text)
    assert shown.line("w", 80) == LiveView()
    assert shown.offers("b") == ("", [])
    shown.say_fault()
    shown.say_fault()
    (words,) = said
    assert words.startswith("mjscore has a fault: RuntimeError: out of order")
    (details,) = tmp_path.glob("mjscore-fault-*.txt")
    assert str(details) in words.replace("\n  ", "").replace("\n", "")
    assert "in broken" in details.read_text()


def test_what_the_terminal_does_not_answer_is_no_fault(shown, monkeypatch):
    def stopped(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mjscore.play.live.live", stopped)
    with pytest.raises(KeyboardInterrupt):
        shown.line("w", 80)


def test_an_evening_goes_on_after_a_fault_in_what_marks_a_mistake(tmp_path, monkeypatch):
    monkeypatch.setattr("mjscore.play.live.live", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = Path(tmp_path, "e.mj")
    path.write_text(HEAD)
    result = run_command("play", str(path), input="nonsense x\nAnn: 8\nmore nonsense\n")
    assert result.exit_code == 0
    assert result.output.count("mjscore has a fault") == 1
    assert path.read_text() == HEAD + "hand @E\n  Ann: 8\n"
