"""An evening at the prompt: through a real terminal, killed at any moment, on damaged files."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from evenings import holds, play
from lark import Lark
from programs import run_command
from refusals import refusal_of
from tables import rows
from terminal import Terminal

import mjscore
from mjscore.counters.holdings import Purses
from mjscore.page.text import Style
from mjscore.play.controller import Controller
from mjscore.play.offers import MOMENT
from mjscore.play.reading import at_table
from mjscore.play.store import Store
from mjscore.refusal import Refused

FIRST = ["Ann: 8", "Ben: (222d) [1111c] 123b 456b 5c +5c!loose", '"Old Cid": 12', "Dee: dead"]
SECOND = ["Ben: 20 win", "Ann: 3", "W: 4", "S: 5"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "e.mj"


@pytest.fixture
def sit(path) -> Iterator[Callable[..., tuple[Controller, list[str]]]]:
    """Sits down to the evening, in which some lines were played: the table, and all that is said at it."""
    with contextlib.ExitStack() as tables:

        def sit(*lines: str, asks: bool = False) -> tuple[Controller, list[str]]:
            play(path, *lines, "quit")
            said: list[str] = []
            table = Controller(
                Store(str(path)), lambda text: said.append(" ".join(text.split())), Style(), asks=asks
            )
            tables.callback(table.store.close)
            return table, said

        yield sit


def code_of(table: Controller, line: str) -> str:
    """What a line is refused with."""
    return refusal_of(table.take, line).code


def test_an_odd_score_is_asked_about_where_somebody_is_there(path, sit):
    table, said = sit(asks=True)
    table.take("Ann: 8")
    for answer in ("Ben: 4", "yes"):
        assert code_of(table, "Ben: 3") == "odd-score"
        assert "Ben: 3" not in path.read_text()
        table.take(answer)
    assert path.read_text().endswith("  Ann: 8\n  Ben: 3\n")
    table.take("note Ann: 3")
    table.take("label Ben: 5")
    assert "type the line again" not in " ".join(said)
    # yes answers once
    assert code_of(table, "yes") != "odd-score"


def test_an_odd_score_is_told_where_nobody_can_be_asked(path, sit):
    table, said = sit()
    table.take("Ann: 8")
    assert not [text for text in said if "type the line again" in text or "read: " in text]
    table.take("Ben: 3")
    assert (
        "3 is not a possible score under these rules: all scores are even; if it is wrong, type the line again"
        in said[-1]
    )
    assert path.read_text().endswith("  Ann: 8\n  Ben: 3\n")


def test_an_edit_asks_once_at_its_end(path, sit):
    """The odd score of a line is not asked about by itself: the whole hand is, by what it changes."""
    table, said = sit("2 8 64w 0", asks=True)
    for line in ("edit 1", "Dee: 3", "yes"):
        table.take(line)
    assert "scores Dee 0 → 3" in " ".join(said)
    assert "  Dee: 3\n" in path.read_text()


def test_a_line_with_nothing_on_it_does_nothing(path, sit):
    table, said = sit()
    before = path.read_text()
    assert table.take("")
    assert table.take(" \t")
    assert table.take("draw")
    assert len(said) == 1
    assert not table.take("quit")
    assert code_of(table, "note \x1b[2J") == "control-character"
    assert path.read_text() == before + "draw\n  east Ann\n"


def test_a_command_is_no_score_of_a_player_who_is_called_so(path):
    path.write_text("rulebook harr\nplayers Show Ben Cid Dee\n")
    table = Controller(Store(str(path)), print, Style())
    assert code_of(table, "show 8") == "no-such-hand"
    table.take("Show: 8")
    assert path.read_text().endswith("hand @E\n  Show: 8\n")
    table.store.close()


def test_whose_line_is_missing_is_known_while_it_is_typed(sit):
    table, _ = sit("2 8 64w 0")
    hands = [
        mjscore.parse(text)
        for text in (
            "22b 345c 99c 678d 111c",
            "E: 22b 345c 99c 678d 111c",
            "E: 22b 345c 99c 678d 114c +9d",
            "(123b) 444c EEE 77d 67c <8c:E",
        )
    ]

    def missing_and_held() -> tuple[int, list[bool]]:
        line = at_table(table.session)
        assert line.worth is not None
        return len(line.missing), [line.worth(hand) is not None for hand in hands]

    assert missing_and_held() == (4, [False, True, False, False])
    for name in ("Dee", "Ann", "Ben"):
        table.take(f"{name}: 4")
    # one line is missing: what is nobody's is his
    assert missing_and_held() == (1, [True, True, False, True])
    # in an edit every line can be meant
    table.take("edit 1")
    assert missing_and_held() == (4, [False, True, False, False])


def test_no_evening_is_read_where_there_is_no_file(tmp_path):
    assert refusal_of(Controller, Store(str(tmp_path / "e.mj")), print, Style()).code == "no-players"


def test_what_is_no_text_is_refused(path):
    play(path, *FIRST, "quit")
    before = path.read_bytes()
    typed = b"note \xba\nnote a\x0cb\nnote \x1b[2J\n\xff: 8\nAnn: 8\xff\nundo \x00\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "mjscore", "play", str(path)],
        input=typed,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    shown = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, shown
    for code, times in (("not-utf-8", 3), ("control-character", 3)):
        assert shown.count(f"[{code}]") == times
    assert "\x1b" not in shown
    assert path.read_bytes() == before


def test_two_copies_on_one_file_are_refused(path):
    play(path, "quit")
    store = Store(str(path))
    assert "[in-use]" in play(path, "quit")
    store.close()
    assert "[in-use]" not in play(path, "quit")


def test_the_lock_is_one_players_alone_and_leaves_nothing_behind(path, tmp_path):
    """Eight threads open, write and close one evening: a new file in its place never lets two of them in."""
    marker = tmp_path / "marker"
    play(path, "quit")
    held: list[int] = []
    faults: list[Exception] = []

    def try_often() -> None:
        for _ in range(60):
            try:
                store = Store(str(path))
            except Refused:
                continue
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                held.append(1)
                store.replace((store.read() or "") + f"note {len(held)}\n")
                marker.unlink()
            except OSError as error:
                faults.append(error)
            store.close()

    threads = [threading.Thread(target=try_often) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not faults
    assert path.read_text().count("note ") == len(held) > 0
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_changed_by_hand_is_read_again(path, sit):
    table, said = sit(*FIRST)
    with path.open("a") as stream:
        stream.write("draw\n  east Ben\n")
    table.take("standings")
    assert "changed by somebody else: the draw, hand 2 is new" in said[0]
    assert "Hand 3, East round: Ben is East" in said[1]
    assert len(table.session.evening.entries) == 2
    before = path.read_text() + "nonsense\n"
    path.write_text(before)
    assert refusal_of(table.take, "draw").line == before.count("\n")
    assert path.read_text() == before


def test_a_player_who_is_given_another_name(path, sit):
    table, said = sit(*FIRST, "Dee: 6")
    path.write_text(path.read_text().replace("Dee", '"Lady Dee"'))
    table.take("lady 8")
    assert "Dee is now called Lady Dee; hand 1 is changed; the hand under way has Lady Dee" in " ".join(said)
    assert 'hand @E\n  "Lady Dee": 8\n' in path.read_text()


@pytest.mark.parametrize("place", ["/nowhere/e.mj", "/", "/proc/e.mj", "x" * 300])
def test_places_that_cannot_be_written(place):
    result = run_command("play", place, "--players", "Ann Ben Cid Dee", input="quit\n")
    assert result.exit_code == 2
    assert "help:" in result.output


def test_every_truncation_of_the_last_hand_is_seen(path):
    """Cut short anywhere inside its last hand, a file is refused with a place or has lost nothing that pays."""
    play(path, *FIRST, *SECOND, "quit")
    whole = path.read_bytes()
    start = whole.rindex(b"hand ")
    for cut in range(start + 1, len(whole)):
        path.write_bytes(whole[:cut])
        result = run_command("play", str(path), input="quit\n")
        data = whole[:cut]
        if result.exit_code == 0:
            # what is left is a hand under way, and where its last line may be half of one that is said
            assert b"hand" in data[start:]
            assert ("may have been cut short; it is read as:" in result.output) != data.endswith(b"\n")
        else:
            assert re.search(r"e\.mj:\d+:\d+: ", result.output)
        assert path.read_bytes() == data


@pytest.mark.parametrize("spoiled", [b"\xff", b"\x00", b"Q", b"9"])
def test_a_damaged_byte_is_seen_or_harmless(path, spoiled):
    play(path, *FIRST, "quit")
    whole = path.read_bytes()
    start = whole.rindex(b"hand ")
    for place in range(start, len(whole), 3):
        damaged = whole[:place] + spoiled + whole[place + 1 :]
        path.write_bytes(damaged)
        result = run_command("play", str(path), input="quit\n")
        assert result.exit_code in (0, 2)
        assert "Traceback" not in result.output
        assert path.read_bytes() == damaged


def test_a_round_at_a_real_terminal_with_a_kill_in_the_middle(path):
    terminal = Terminal(path)
    terminal.until(r"Ann is East[\s\S]*1> ")
    terminal.type("Ann: 8x")
    terminal.until("unknown-")
    terminal.until(r"1> \Z")
    terminal.type("Ann: 8")
    terminal.until(r"\(Ben.*\)> ")
    os.write(terminal.handle, b"half a li")
    terminal.until("half a li")
    terminal.interrupt("line is discarded")
    for line in FIRST[1:]:
        terminal.type(line)
    terminal.until("Hand 2")
    terminal.type("undo")
    terminal.until("is undone")
    terminal.type("redo")
    terminal.until("Hand 2")
    terminal.type("Ben: 20 win")
    terminal.until(r"\(Old Cid")
    terminal.type("Ann: 3")
    terminal.until(r"3 is not a possible score under these rules: all scores are even \[odd-score\]")
    terminal.type("yes")
    terminal.until(r"\(Old Cid, Dee\)> ")
    terminal.kill()
    terminal.end()
    assert len(holds(path)) == 1
    again = Terminal(path)
    again.until("typed so far: Ben, Ann")
    again.type("Dee: 4")
    again.until(r"2 \(Old Cid\)> ")
    again.type("W: 4")
    again.type('"Old Cid": 6')
    again.until(r"3> ")
    again.type("quit")
    assert again.end() == 0
    assert len(holds(path)) == 2
    hands = [
        line.strip()
        for line in path.read_text().splitlines()
        if re.match(r"  (Ann|Ben|\"Old Cid\"|Dee):", line)
    ]
    assert [hand.replace("123456b", "123b 456b") for hand in hands[:4]] == FIRST
    assert sorted(hands[4:]) == ['"Old Cid": 6', "Ann: 3", "Ben: 20 win", "Dee: 4"]


def test_after_a_refused_line_a_plain_prompt_is_empty_and_up_has_it(tmp_path):
    _, lines = rows(__file__, "after_a_refused_line_a_plain_prompt_is_empty_and_up_has_it")
    terminal = Terminal(tmp_path / "e.mj")
    terminal.until(r"1> \Z")
    for (line,) in lines:
        terminal.type(line)
        terminal.until(r"\]\r[\s\S]*1> \Z")
        terminal.press("\x1b[A")
        terminal.until(re.escape(line) + r"\Z")
        terminal.press("\x15")
    terminal.type("quit")
    assert terminal.end() == 0


def test_enter_alone_takes_what_is_offered_at_a_plain_prompt(tmp_path):
    terminal = Terminal(tmp_path / "e.mj")
    terminal.until(r"1> \Z")
    terminal.type("eve for ann")
    terminal.until(r"Enter alone takes it\)\r?\n1> \Z")
    terminal.type("")  # still of the line before
    terminal.until(r"1> \Z")
    terminal.type("eve for ann")
    terminal.until(r"1> \Z")
    time.sleep(MOMENT / 1000)
    terminal.type("")
    terminal.until(r"eve is East")
    terminal.until(r"1> \Z")
    terminal.type("quit")
    assert terminal.end() == 0


def test_a_question_is_answered_on_an_empty_line(tmp_path):
    terminal = Terminal(tmp_path / "e.mj")
    terminal.until(r"1> \Z")
    terminal.type("ben 1")
    terminal.until(r"odd-score[\s\S]*1> \Z")
    terminal.type("yes")
    terminal.until(r"\(Ann, Old Cid, Dee\)> \Z")
    terminal.type("quit")
    assert terminal.end() == 0


def start(path: Path) -> tuple[int, int, int]:
    """A process of its own that plays what it is sent: its number, where to write, where to read."""
    typed, to_read = os.pipe(), os.pipe()
    child = os.fork()
    if child:
        os.close(typed[0])
        os.close(to_read[1])
        return child, typed[1], to_read[0]
    try:
        os.close(typed[1])
        evening = Controller(Store(str(path)), lambda text: None, Style())

        def tell(word: str) -> None:
            account = evening.session.evening
            rows = len(account.hand.rows)
            os.write(to_read[1], f"{word} {len(account.entries)} {rows}\n".encode())

        tell("ready")
        with os.fdopen(typed[0]) as lines:
            for line in lines:
                with contextlib.suppress(Refused):  # nothing to drop
                    evening.take(line.strip())
                tell("done")
    finally:
        os._exit(0)


def read_all(handle: int) -> str:
    """What a pipe still holds, to its end."""
    parts = []
    while part := os.read(handle, 65536):
        parts.append(part)
    os.close(handle)
    return b"".join(parts).decode()


def test_killed_at_any_moment_nothing_confirmed_is_lost(tmp_path):
    """Dozens of kills: what had been confirmed is there, and what is there holds."""
    chance = random.Random(9)
    seen = set()
    for number in range(30):
        path = tmp_path / f"{number // 6}.mj"
        if not path.exists():
            play(path, "quit")
            hands = rows = 0
        child, typed, shown = start(path)
        os.write(typed, b"drop\n" + "\n".join(2 * ["S: 3", "W: 4", "N: 5", "E: 20 win"]).encode() + b"\n")
        # so many lines are confirmed, and the next is somewhere on its way
        said = b""
        while said.count(b"\n") < number % 10:
            said += os.read(shown, 1)
        time.sleep(chance.random() * 0.01)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(typed)
        told = [
            tuple(map(int, line.split()[1:])) for line in (said.decode() + read_all(shown)).split("\n")[:-1]
        ]
        if told:
            # what was confirmed before the kill before this is there; one line more may have reached the disk
            assert told[0][0] in (hands, hands + 1)
            hands, rows = told[-1]
        seen.add(len(told))
        assert len(holds(path)) in (hands, hands + 1)
        if len(holds(path)) == hands and len(told) > 1:
            with_journal = play(path, "quit")
            kept = re.search(r"typed so far: (.*)", with_journal)
            assert (len(kept.group(1).split(", ")) if kept else 0) in (rows, rows + 1)
        else:
            hands = len(holds(path))
    # the kills came at many different moments
    assert len(seen) >= 5


def test_the_terminal_gone_in_the_middle_of_a_hand(path):
    terminal = Terminal(path)
    terminal.until(r"1> ")
    terminal.type("Ann: 8")
    terminal.until(r"\(Ben.*\)> ")
    os.close(terminal.handle)
    os.waitpid(terminal.process, 0)
    assert path.read_text().endswith("hand @E\n  Ann: 8\n")
    assert list(path.parent.iterdir()) == [path]
    assert "typed so far: Ann" in play(path, "quit")


def test_a_stopped_copy_keeps_the_file_and_goes_on(path):
    terminal = Terminal(path)
    terminal.until(r"1> ")
    terminal.kill(signal.SIGSTOP)
    assert "[in-use]" in play(path, "draw")
    terminal.kill(signal.SIGCONT)
    terminal.type("draw")
    terminal.until(r"2> ")
    terminal.hang_up()
    assert len(holds(path)) == 1


@pytest.mark.parametrize("writes", [True, False])
def test_ctrl_c_while_a_step_is_done_neither_loses_nor_doubles_it(path, sit, monkeypatch, writes):
    table, said = sit(*FIRST)
    replace = table.store.replace

    def stopped(text: str) -> None:
        if writes:
            replace(text)
        raise KeyboardInterrupt

    monkeypatch.setattr(table.store, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        table.take("draw")
    monkeypatch.undo()
    if not writes:
        with path.open("a") as stream:
            stream.write("pay Dee Ann 8\n")
    assert table.look() is not writes
    assert ("the last line was saved" in said) is writes
    assert ("draw" in path.read_text()) is writes
    if writes:
        table.take("undo")
        assert "the draw is undone" in said[-1]
        assert holds(path) == ["hand"]


def test_ctrl_c_while_counters_are_worked_out_loses_no_hand(path, monkeypatch):
    play(path, "note x")
    text = path.read_text().replace("players", "counters babcock\nplayers", 1)
    path.write_text(text)
    settle, calls = Purses.settle, []

    def stopped_once(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return settle(*arguments)

    monkeypatch.setattr(Purses, "settle", stopped_once)
    said = " ".join(play(path, "2 8 64w 0", "show 1").split())
    assert "the last line was saved" in said
    assert "is discarded" not in said
    assert "Ann hands" in said
    assert holds(path) == ["hand"]


def test_words_around_the_hands_are_no_other_hands(path, sit):
    table, said = sit(*FIRST)
    with path.open("a") as stream:
        stream.write("# tea\n")
    assert table.look()
    assert "by somebody else: only the text around the hands has changed" in said[0]


def test_a_line_is_kept_for_the_player_it_was_typed_for(path, sit):
    """Somebody else adds a hand by which the winds move, while a line is being typed."""
    table, said = sit()
    with path.open("a") as stream:
        stream.write('hand\n  Ann: 0\n  Ben: 20 win\n  "Old Cid": 0\n  Dee: 0\n')
    table.take("E: 8")
    assert "hand 1 is new" in said[0]
    assert path.read_text().endswith("hand @E\n  Ann: 8\n")
    # and what takes something away has to be typed again
    with path.open("a") as stream:
        stream.write("  Ben: 4\n")
    for message in (
        "the file was changed before this was done",
        "something else has changed the file since",
    ):
        with pytest.raises(Refused, match=message):
            table.take("undo")
        assert path.read_text().endswith("  Ann: 8\n  Ben: 4\n")
    table.take("Ben: 6")
    table.take("undo")
    assert path.read_text().endswith("  Ann: 8\n  Ben: 4\n")


def test_a_question_stands_where_the_file_is_changed_meanwhile(path, sit):
    table, _ = sit(*FIRST)
    refusal_of(table.take, "sorry, dee 12")
    with path.open("a") as stream:
        stream.write("note late\n")
    assert refusal_of(table.take, "1").code == "changed-meanwhile"
    assert table.offers == ("edit 1: Dee 12", "Dee 12")
    table.take("1")
    assert table.session.proposal is not None


def test_an_edit_is_given_up_where_the_file_is_changed_meanwhile(path, sit):
    table, said = sit(*FIRST, *SECOND)
    table.take("edit 2")
    text = path.read_text().replace('"Old Cid": 12', '"Old Cid": 12 # really')
    path.write_text(text)
    with pytest.raises(Refused):
        table.take("Ann: 5")
    assert "hand 1 is changed; the edit of hand 2 is cancelled" in " ".join(said)
    assert path.read_text() == text


def test_a_file_taken_away_is_written_again(path, sit):
    table, said = sit(*FIRST)
    before = path.read_text()
    path.unlink()
    table.take("draw")
    assert "had been removed; it is written again" in said[0]
    assert path.read_text() == before + "draw\n  east Ben\n"
    # nothing was changed by it: what takes something away is done at once
    path.unlink()
    table.take("undo")
    assert path.read_text() == before
    path.unlink()
    shutil.rmtree(path.parent)
    with pytest.raises(Refused, match="could not be written"):
        table.take("draw")


def ended(path: Path, *lines: str) -> Result:
    return run_command(
        "play", str(path), "--players", "Ann Ben 'Old Cid' Dee", input="".join(f"{x}\n" for x in lines)
    )


@pytest.fixture
def damaged(monkeypatch):
    """What befalls the file before the line ``show`` is done."""
    befalls: list[Callable[[], object]] = []
    act = mjscore.play.commands.act

    def acted(session, action, *rest):
        if action.kind == "standings":
            befalls.pop()()
        return act(session, action, *rest)

    monkeypatch.setattr("mjscore.play.controller.act", acted)
    return befalls


@pytest.mark.parametrize("found", [b"", b"\xff\n", b"nonsense\n", b"players Ann Ben\nhand\n  Ann: x\n"])
def test_a_file_that_was_emptied_or_broken_is_written_back(path, damaged, found):
    damaged.append(lambda: path.write_bytes(found))
    result = ended(path, *FIRST, "standings", "Ann: 20", "yes", "Ann: 20", "quit")
    assert result.exit_code == 0, result.output
    assert "type yes to write back this session's version" in " ".join(result.output.split())
    assert path.read_text().endswith("hand @E\n  Ann: 20\n")
    assert len(holds(path)) == 1
    assert path.with_name("e.found-1.mj").read_bytes() == found


@pytest.mark.parametrize(
    "found", [b"", b"nonsense\n", b"players Ann Ben 'Old Cid' Dee\n", b'players Ann Ben "Old Cid" Dee\n']
)
@pytest.mark.parametrize("end", [[], ["quit"]])
def test_the_evening_does_not_end_well_where_its_file_has_not_what_was_typed(path, damaged, found, end):
    damaged.append(lambda: path.write_bytes(found))
    result = ended(path, *FIRST, "standings", *end)
    assert path.read_bytes() == found
    if b'"' in found and end:  # it was said, and asked whether that is meant
        assert "hand 1 is gone" in result.output
        assert "[changed-meanwhile]" in result.output
    else:
        assert "The evening is in" not in result.output
        assert result.exit_code == 1, result.output


def test_what_was_typed_while_the_file_was_broken_is_told_at_the_end(path, damaged):
    damaged.append(lambda: path.write_bytes(b"nonsense\n"))
    result = ended(path, *FIRST, "standings", "Ann: 20", "note tea", "counters", "quit")
    assert result.exit_code == 1, result.output
    shown = result.output.partition("is incomplete")[2]
    assert "[unknown-line]" in shown
    assert "not typed again: Ann: 20; note tea\n" in shown


@pytest.mark.parametrize("again", [True, False])
def test_a_line_that_could_not_be_written_is_told_at_the_end(path, monkeypatch, again):
    whole_file, full = mjscore.play.store.whole_file, [True]

    def on_a_full_disk(*given, **named):
        if path.exists() and "Ann" in path.read_text() and full:
            full.pop()
            raise OSError(28, "No space left on device")
        return whole_file(*given, **named)

    monkeypatch.setattr("mjscore.play.store.whole_file", on_a_full_disk)
    result = ended(path, "Ann: 8", *["Ann: 8"] * again, "Ben: 4", "quit")
    assert "[unwritable]" in result.output
    assert ("  Ann: 8\n" in path.read_text()) == again
    assert ("not typed again: Ann: 8" in result.output) != again
    assert ("The evening is in" in result.output) == again
    assert result.exit_code == (0 if again else 1)


def test_the_width_is_asked_for_at_each_line(tmp_path, monkeypatch):
    widths = iter([100, 40, 40, 40, 40, 40])
    monkeypatch.setattr("mjscore.cli.printing.width", lambda: next(widths))
    shown = play(tmp_path / "e.mj", "standings", "help", "quit")
    assert max(map(len, shown.partition("1> ")[2].rpartition("1> ")[0].split("\n"))) <= 41


def test_a_typed_line_is_parsed_three_times_at_the_most(sit, monkeypatch):
    """A line is read once and handed on: Lark is asked for what stands in the file alone, each line of that once."""
    table, _ = sit()
    calls: list[str] = []
    parse = Lark.parse

    def counted(self, text, *given, **named):
        calls.append(str(text))
        return parse(self, text, *given, **named)

    monkeypatch.setattr(Lark, "parse", counted)
    for line in (
        "w 123b444ceee/77d67c<8c:e 2 8 0",
        "Ann: 8",
        "8 4 64w",
        "edit 1",
        "S 10",
        "yes",
        "draw",
        "undo",
    ):
        before = table.session.evening.text
        calls.clear()
        table.take(line)
        assert line.startswith("edit 1") or table.session.evening.text != before or table.session.draft
        assert len(calls) <= 3, (line, calls)


def test_an_evening_whose_folder_is_gone_can_be_ended_and_is_kept_elsewhere(tmp_path, monkeypatch):
    folder, elsewhere = tmp_path / "club", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    path = folder / "e.mj"
    play(path, *FIRST, "quit")
    text = path.read_text()
    with contextlib.closing(Store(str(path))) as store:
        table = Controller(store, lambda text: None, Style())
        path.unlink()
        shutil.rmtree(folder)
        assert code_of(table, "Ann: 8") == "unwritable"
        assert table.take("quit") is False
        (told, kept, typed) = table.left_out().split("\n")
    assert "could not be written" in told
    (found,) = elsewhere.iterdir()
    assert kept == f"its contents are saved in {found}"
    assert found.read_text() == text
    assert typed.endswith("Ann: 8")


def test_a_file_that_does_not_hold_is_asked_about_before_the_end(path, sit):
    table, _ = sit(*FIRST)
    path.write_text("players\n")
    assert refusal_of(table.take, "quit").hint.startswith("correct that in an editor")
    assert table.take("quit") is False
    assert "is kept in" not in table.left_out()


def test_the_totals_are_told_at_the_end(path):
    shown = ended(path, "Ann: 8", "Ben: 68 win", '"Old Cid": 12', "Dee: 0", "quit").output
    totals, _, end = shown.rpartition("The evening is in")
    assert end
    assert totals.splitlines()[-5].split()[:2] == ["1.", "Ben"]
    assert totals.splitlines()[-1].startswith("To settle up now: Ann gives Ben ")
    assert "1. Ben" not in ended(path.with_name("none.mj"), "quit").output
