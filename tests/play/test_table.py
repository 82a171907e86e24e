"""An evening at the prompt: through a real terminal, killed at any moment, on damaged files."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lark import Lark
from systems import posix
from terminal import Terminal

import mjscore
from mjscore.cli.main import cli
from mjscore.page.text import Style
from mjscore.play.store import Store
from mjscore.play.table import Table, at_table
from mjscore.record.reader import Context, check_file
from mjscore.refusal import Refused

ROOT = Path(__file__).parents[2]
NAMES = "Ann Ben 'Old Cid' Dee"
FIRST = ["Ann: 8", "Ben: (222d) [1111c] 123b 456b 5c +5c!loose", '"Old Cid": 12', "Dee: dead"]
SECOND = ["Ben: 20 win", "Ann: 3", "W: 4", "S: 5"]


def play(path: Path, *lines: str, options: tuple[str, ...] = ()) -> str:
    result = CliRunner().invoke(
        cli, ["play", str(path), "--players", NAMES, *options], input="\n".join(lines) + "\n"
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output


def holds(path: Path) -> int:
    """How many hands and events the file has; all of them hold."""
    found = [one for one in check_file(str(path), Context()) if not one.missing]
    assert all(one.ok for one in found), [one.refusals for one in found]
    return len(found)


def test_a_round_of_play(tmp_path):
    path = tmp_path / "e.mj"
    shown = play(
        path,
        *FIRST,
        *SECOND,
        "draw",
        "standings",
        "show 1",
        "note well played",
        "quit",
        options=("--counters", "babcock"),
    )
    assert "Score 68" in shown
    assert "hands" in shown
    assert "Hand 2, East round: Ben is East" in shown
    assert "Hand 4, East round: Ben is East" in shown
    assert holds(path) == 3
    # a hand goes by its number, said once
    assert "\nHand 1\nBen (South) wins" in shown
    told = CliRunner().invoke(cli, ["report", str(path)]).output
    assert "Hand 1: Ben wins 68" in told
    text = path.read_text()
    assert text.startswith("rulebook harr\nrules ")
    assert re.search(r"\ndate \d{4}-\d\d-\d\d\ncounters babcock\nplayers Ann ", text)
    assert "note well played\n" in text
    assert list(tmp_path.iterdir()) == [path]


def test_counters_and_the_pool_at_the_end(tmp_path):
    path = tmp_path / "e.mj"
    shown = play(
        path,
        *["Ann: 8", "Ben: 68 win", "W: 12", "Dee: dead"],
        *["counters", "pool", "pool Eve", "pool Ben", "counters", "quit"],
        options=("-r", "babcock", "--counters", "babcock", "--bank"),
    )
    before, after = (
        dict(re.findall(r"^(.+) holds (\d+): ", part, re.M))
        for part in (shown.split("puts in")[0], shown.split("puts in")[-1])
    )
    assert before == {"Ann": "1872", "Ben": "2272", "Old Cid": "1952", "Dee": "1904"}
    assert after == {"Ann": "1800", "Ben": "2400", "Old Cid": "1900", "Dee": "1900"}
    assert "Ann puts in 72: 6 × 10, 6 × 2" in shown
    assert "200 in the pool" in shown
    (tracked,) = re.findall(r"The counters are reckoned from here on as\n((?:.* holds .*\n)+)", shown)
    assert dict(re.findall(r"^(.+) holds (\d+): ", tracked, re.M)) == after
    assert "[unknown-player]" in shown
    assert path.read_text().endswith("pay Dee Ben 4\n  note into the pool\n")
    assert "note the pool goes to Ben\npay Ann Ben 72\n" in path.read_text()
    assert holds(path) == 4
    # called again, the counters are those of the file
    assert "Ben holds 2400: " in play(path, "counters", "quit", options=("--counters", "babcock", "--bank"))


def test_counters_that_are_not_kept_are_not_invented(tmp_path):
    for line in ("counters", "pool", "pool Ann"):
        assert "[no-counters]" in play(tmp_path / "none.mj", line, "quit")
        assert "not known who holds" in play(tmp_path / "e.mj", line, "quit", options=("--counters", "harr"))
    assert holds(tmp_path / "e.mj") == 0
    path = tmp_path / "open.mj"
    assert "[hand-in-progress]" in play(path, "Ann: 8", "pool", "quit", options=("--counters", "babcock"))


def test_what_cannot_be_paid_is_owed_until_the_next_hand(tmp_path):
    path = tmp_path / "e.mj"
    shown = play(
        path,
        *["Ann: 0", "Ben: 1200 win", "W: 0", "Dee: 0", "counters"],
        *["Ann: 400 win", "Ben: 0", '"Old Cid": 0', "Dee: 0", "counters", "quit"],
        options=("-r", "harr", "--counters", "babcock"),
    )
    assert "Ann owes 2400 points and holds 2000; 400 points remain owing" in shown
    assert "Ann hands Ben: 2 × 500 (five red dots), 9 × 100" in shown
    first, second = shown.split("Ann (North) wins")
    assert "Ann owes 400\nBen is owed 400\n" in re.sub("(?m)^.* holds .*\n", "", first)
    assert "Ann holds 1200: " in second
    assert " owe" not in second


def test_a_bad_line_is_mended_without_the_rest(tmp_path):
    path = tmp_path / "e.mj"
    shown = play(
        path,
        FIRST[0],
        "Ben: (222d) [1111c] 123b 456b 5c W +W",
        *FIRST[1:],
        "Eve: 3",
        "hello",
        "edit 9",
        "quit",
    )
    for code in ("ambiguous-w", "unknown-player", "no-such-hand"):
        assert f"[{code}]" in shown
    assert holds(path) == 1


def test_an_odd_score_is_asked_about_where_somebody_is_there(tmp_path):
    path = tmp_path / "e.mj"
    play(path, "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style(), asks=True)
    table.take("Ann: 8")
    for answer in ("Ben: 4", "yes"):
        with pytest.raises(Refused) as refused:
            table.take("Ben: 3")
        assert refused.value.refusal.code == "odd-score"
        assert "Ben: 3" not in path.read_text()
        table.take(answer)
    assert path.read_text().endswith("  Ann: 8\n  Ben: 3\n")
    table.take("note Ann: 3")
    table.take("label Ben: 5")
    assert "type the line again" not in " ".join(said)
    # yes answers once
    with pytest.raises(Refused) as refused:
        table.take("yes")
    assert refused.value.refusal.code != "odd-score"
    table.store.close()


def test_an_odd_score_is_told_where_nobody_can_be_asked(tmp_path):
    path = tmp_path / "e.mj"
    play(path, "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style())
    table.take("Ann: 8")
    assert "type the line again" not in " ".join(said)
    assert "read: " not in " ".join(said)
    table.take("Ben: 3")
    assert "3 is no score that these rules give: all of theirs are even; type the line again" in " ".join(
        said[-1].split()
    )
    assert path.read_text().endswith("  Ann: 8\n  Ben: 3\n")
    table.store.close()


def test_an_edit_asks_once_at_its_end(tmp_path):
    """The odd score of a line is not asked about by itself: the whole hand is, by what it changes."""
    path = tmp_path / "e.mj"
    play(path, "2 8 64w 0", "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style(), asks=True)
    for line in ("edit 1", "Dee: 3", "yes"):
        table.take(line)
    assert "scores Dee 0 → 3" in " ".join(said)
    assert "  Dee: 3\n" in path.read_text()
    table.store.close()


def test_a_line_with_nothing_on_it_does_nothing(tmp_path):
    path = tmp_path / "e.mj"
    play(path, "quit")
    before, said = path.read_text(), []
    table = Table(Store(str(path)), said.append, Style())
    assert table.take("")
    assert table.take(" \t")
    assert table.take("draw")
    assert len(said) == 1
    assert not table.take("quit")
    with pytest.raises(Refused) as refused:
        table.take("note \x1b[2J")
    assert refused.value.refusal.code == "control-character"
    assert path.read_text() == before + "draw\n  east Ann\n"
    table.store.close()


def test_a_command_is_no_score_of_a_player_who_is_called_so(tmp_path):
    path = tmp_path / "e.mj"
    path.write_text("rulebook harr\nplayers Show Ben Cid Dee\n")
    table = Table(Store(str(path)), print, Style())
    with pytest.raises(Refused) as refused:
        table.take("show 8")
    assert refused.value.refusal.code == "no-such-hand"
    table.take("Show: 8")
    assert path.read_text().endswith("hand @E\n  Show: 8\n")
    table.store.close()


def test_whose_line_is_missing_is_known_while_it_is_typed(tmp_path):
    path = tmp_path / "e.mj"
    play(path, "2 8 64w 0", "quit")
    table = Table(Store(str(path)), print, Style())
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
    table.store.close()


def test_no_evening_is_read_where_there_is_no_file(tmp_path):
    with pytest.raises(Refused) as refused:
        Table(Store(str(tmp_path / "e.mj")), print, Style())
    assert refused.value.refusal.code == "no-players"


def test_two_winners_are_put_right_by_one_line(tmp_path):
    path = tmp_path / "e.mj"
    shown = play(path, "Ann: 8 win", *FIRST[1:], "Ann: 8", "quit")
    assert "two-winners" in shown
    assert holds(path) == 1


def test_what_is_no_text_is_refused(tmp_path):
    path = tmp_path / "e.mj"
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


def test_undo_redo_and_drop(tmp_path):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "quit")
    one = path.read_text()
    play(path, *SECOND, "quit")
    two = path.read_text()
    for _ in range(4):
        shown = play(path, "undo", "quit")
    assert "Ben’s line is undone" in shown
    assert path.read_text() == one
    assert "Ben’s line is back" in play(path, "redo", "quit")
    assert path.read_text() == f"{one}hand @E\n  Ben: 20 win\n"
    play(path, *SECOND, "undo", "redo", "quit")
    assert path.read_text() == two
    shown = play(path, *9 * ["undo"], *9 * ["redo"], "quit")
    assert "nothing-to-undo" in shown
    assert "nothing-to-redo" in shown
    assert "Dee’s line, the last of hand 1, is back" in shown
    assert path.read_text() == two
    shown = play(path, "Ben: 20", "undo", "Ben: 20", "drop", "undo", "undo", "undo", "quit")
    assert shown.count("Ben’s line is undone") == 2
    assert "the dropping of hand 3 is undone" in shown
    assert "Old Cid’s line, the last of hand 2, is undone" in shown


def test_an_earlier_hand_put_right_is_worked_out_again(tmp_path):
    path = tmp_path / "e.mj"
    play(path, *FIRST, *SECOND, "draw", "quit")
    shown = play(path, "edit 1", "Dee: 80", "yes", "quit")
    assert "Totals: Ann" in shown
    assert holds(path) == 3
    assert re.search(r"note edited; it paid before: Ann -\d+ Ben \+272", path.read_text())
    # East wins the first hand after all: the winds of every later hand move
    shown = play(path, "edit 1", "Ben: 68", "Ann: 8 win", "yes", "quit")
    assert "two-winners" not in shown
    assert holds(path) == 3
    east = [line for line in path.read_text().splitlines() if line.startswith("  east")]
    assert east == ["  east Ann", "  east Ann", "  east Ben"]


def test_what_is_kept_of_a_hand_not_finished(tmp_path):
    path = tmp_path / "e.mj"
    play(path, FIRST[0], FIRST[1])
    assert "typed so far: Ann, Ben" in play(path, *FIRST[2:], "quit")
    assert holds(path) == 1


def test_two_copies_on_one_file_are_refused(tmp_path):
    path = tmp_path / "e.mj"
    play(path, "quit")
    store = Store(str(path))
    assert "[in-use]" in play(path, "quit")
    store.close()
    assert "[in-use]" not in play(path, "quit")


def test_the_lock_is_one_players_alone_and_leaves_nothing_behind(tmp_path):
    """Eight threads open, write and close one evening: a new file in its place never lets two of them in."""
    path, marker = tmp_path / "e.mj", tmp_path / "marker"
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


def test_a_file_changed_by_hand_is_read_again(tmp_path):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "quit")
    said: list[str] = []
    store = Store(str(path))
    evening = Table(store, said.append, Style())
    with path.open("a") as stream:
        stream.write("draw\n  east Ben\n")
    evening.take("standings")
    assert "changed by somebody else: the draw, hand 2 is new" in said[0]
    assert "Hand 3, East round: Ben is East" in said[1]
    assert len(evening.session.evening.entries) == 2
    before = path.read_text() + "nonsense\n"
    path.write_text(before)
    with pytest.raises(Refused) as caught:
        evening.take("draw")
    assert caught.value.refusal.line == before.count("\n")
    assert path.read_text() == before
    store.close()


def test_a_player_who_is_given_another_name(tmp_path):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "Dee: 6", "quit")
    said: list[str] = []
    store = Store(str(path))
    evening = Table(store, said.append, Style())
    path.write_text(path.read_text().replace("Dee", '"Lady Dee"'))
    evening.take("lady 8")
    told = " ".join(" ".join(said).split())
    assert "Dee is called Lady Dee now; hand 1 is changed; the hand under way has Lady Dee" in told
    assert 'hand @E\n  "Lady Dee": 8\n' in path.read_text()
    store.close()


@pytest.mark.parametrize("path", ["/nowhere/e.mj", "/", "/proc/e.mj", "x" * 300])
def test_places_that_cannot_be_written(path):
    result = CliRunner().invoke(cli, ["play", path, "--players", NAMES], input="quit\n")
    assert result.exit_code == 2
    assert "help:" in result.output


def test_every_truncation_of_the_last_hand_is_seen(tmp_path):
    """Cut short anywhere inside its last hand, a file is refused with a place or has lost nothing that pays."""
    path = tmp_path / "e.mj"
    play(path, *FIRST, *SECOND, "quit")
    whole = path.read_bytes()
    start = whole.rindex(b"hand ")
    for cut in range(start + 1, len(whole)):
        path.write_bytes(whole[:cut])
        result = CliRunner().invoke(cli, ["play", str(path)], input="quit\n")
        data = whole[:cut]
        if result.exit_code == 0:
            # what is left is a hand under way, and where its last line may be half of one that is said
            assert b"hand" in data[start:]
            assert ("may have been cut short; it is read as:" in result.output) != data.endswith(b"\n")
        else:
            assert re.search(r"e\.mj:\d+:\d+: ", result.output)
        assert path.read_bytes() == data


@pytest.mark.parametrize("spoiled", [b"\xff", b"\x00", b"Q", b"9"])
def test_a_damaged_byte_is_seen_or_harmless(tmp_path, spoiled):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "quit")
    whole = path.read_bytes()
    start = whole.rindex(b"hand ")
    for place in range(start, len(whole), 3):
        damaged = whole[:place] + spoiled + whole[place + 1 :]
        path.write_bytes(damaged)
        result = CliRunner().invoke(cli, ["play", str(path)], input="quit\n")
        assert result.exit_code in (0, 2)
        assert "Traceback" not in result.output
        assert path.read_bytes() == damaged


# ------------------------------------------------------------------ a real terminal, and kill -9


@posix
def test_a_round_at_a_real_terminal_with_a_kill_in_the_middle(tmp_path):
    path = tmp_path / "e.mj"
    terminal = Terminal(path)
    terminal.until(r"Ann is East[\s\S]*1> ")
    terminal.type("Ann: 8x")
    terminal.until("unknown-")
    terminal.until(r"1> Ann: 8x")  # the line is offered to be mended
    os.write(terminal.handle, b"\x15")
    terminal.type("Ann: 8")
    terminal.until(r"\(Ben.*\)> ")
    os.write(terminal.handle, b"half a li")
    terminal.until("half a li")
    terminal.interrupt("line is dropped")
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
    terminal.until(r"3 is no score that these rules give: all of theirs are even \[odd-score\]")
    terminal.type("yes")
    terminal.until(r"\(Old Cid, Dee\)> ")
    terminal.kill()
    terminal.end()
    assert holds(path) == 1
    again = Terminal(path)
    again.until("typed so far: Ben, Ann")
    again.type("Dee: 4")
    again.until(r"2 \(Old Cid\)> ")
    again.type("W: 4")
    again.type('"Old Cid": 6')
    again.until(r"3> ")
    again.type("quit")
    assert again.end() == 0
    assert holds(path) == 2
    hands = [
        line.strip()
        for line in path.read_text().splitlines()
        if re.match(r"  (Ann|Ben|\"Old Cid\"|Dee):", line)
    ]
    assert [hand.replace("123456b", "123b 456b") for hand in hands[:4]] == FIRST
    assert sorted(hands[4:]) == ['"Old Cid": 6', "Ann: 3", "Ben: 20 win", "Dee: 4"]


@posix
@pytest.mark.parametrize(
    "line",
    ["ann 8x", "2 8 64 0 7", "hello", "pay S", "edit 99", "8 win", "false X", "draw five", "w 123b zzz"],
)
def test_every_refused_line_comes_back_at_a_plain_prompt(tmp_path, line):
    terminal = Terminal(tmp_path / "e.mj")
    terminal.until(r"1> \Z")
    terminal.type(line)
    terminal.until(re.escape(f"1> {line}") + r"\Z")
    os.write(terminal.handle, b"\x15")
    terminal.type("quit")
    assert terminal.end() == 0


@posix
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
        evening = Table(Store(str(path)), lambda text: None, Style())

        def tell(word: str) -> None:
            account = evening.session.evening
            rows = len(account.open_hand.rows) if account.open_hand is not None else 0
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


@posix
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
        assert holds(path) in (hands, hands + 1)
        if holds(path) == hands and len(told) > 1:
            with_journal = play(path, "quit")
            kept = re.search(r"typed so far: (.*)", with_journal)
            assert (len(kept.group(1).split(", ")) if kept else 0) in (rows, rows + 1)
        else:
            hands = holds(path)
    # the kills came at many different moments
    assert len(seen) >= 5


@posix
def test_the_terminal_gone_in_the_middle_of_a_hand(tmp_path):
    path = tmp_path / "e.mj"
    terminal = Terminal(path)
    terminal.until(r"1> ")
    terminal.type("Ann: 8")
    terminal.until(r"\(Ben.*\)> ")
    os.close(terminal.handle)
    os.waitpid(terminal.process, 0)
    assert path.read_text().endswith("hand @E\n  Ann: 8\n")
    assert list(tmp_path.iterdir()) == [path]
    assert "typed so far: Ann" in play(path, "quit")


@posix
def test_a_stopped_copy_keeps_the_file_and_goes_on(tmp_path):
    path = tmp_path / "e.mj"
    terminal = Terminal(path)
    terminal.until(r"1> ")
    terminal.kill(signal.SIGSTOP)
    assert "[in-use]" in play(path, "draw")
    terminal.kill(signal.SIGCONT)
    terminal.type("draw")
    terminal.until(r"2> ")
    terminal.kill(signal.SIGHUP)
    terminal.end()
    assert holds(path) == 1


def test_ctrl_c_while_a_step_is_done_neither_loses_nor_doubles_it(tmp_path, monkeypatch):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style())
    replace = table.store.replace

    def stopped_after(text: str) -> None:
        replace(text)
        raise KeyboardInterrupt

    monkeypatch.setattr(table.store, "replace", stopped_after)
    with pytest.raises(KeyboardInterrupt):
        table.take("draw")
    monkeypatch.undo()
    assert not table.look()
    assert "what was typed last is in the file" in said
    table.take("undo")
    assert "the draw is undone" in said[-1]
    table.store.close()
    assert holds(path) == 1


def test_what_ctrl_c_kept_out_of_the_file_is_not_said_to_be_in_it(tmp_path, monkeypatch):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style())

    def stopped_before(text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(table.store, "replace", stopped_before)
    with pytest.raises(KeyboardInterrupt):
        table.take("draw")
    monkeypatch.undo()
    with path.open("a") as stream:
        stream.write("pay Dee Ann 8\n")
    assert table.look()
    assert "what was typed last is in the file" not in said
    assert "draw" not in path.read_text()
    table.store.close()


def test_words_around_the_hands_are_no_other_hands(tmp_path):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style())
    with path.open("a") as stream:
        stream.write("# tea\n")
    assert table.look()
    assert "by somebody else: only words around the hands are others" in " ".join(said[0].split())
    table.store.close()


def test_a_line_is_kept_for_the_player_it_was_typed_for(tmp_path):
    """Somebody else adds a hand by which the winds move, while a line is being typed."""
    path = tmp_path / "e.mj"
    play(path, "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style())
    with path.open("a") as stream:
        stream.write('hand\n  Ann: 0\n  Ben: 20 win\n  "Old Cid": 0\n  Dee: 0\n')
    table.take("E: 8")
    assert "hand 1 is new" in said[0]
    assert path.read_text().endswith("hand @E\n  Ann: 8\n")
    # and what takes something away has to be typed again
    with path.open("a") as stream:
        stream.write("  Ben: 4\n")
    with pytest.raises(Refused, match="the file was changed before this was done"):
        table.take("undo")
    assert path.read_text().endswith("  Ann: 8\n  Ben: 4\n")
    with pytest.raises(Refused, match="the file was changed since by something else"):
        table.take("undo")
    table.take("Ben: 6")
    table.take("undo")
    assert path.read_text().endswith("  Ann: 8\n  Ben: 4\n")
    table.store.close()


def test_an_edit_is_given_up_where_the_file_is_changed_meanwhile(tmp_path):
    path = tmp_path / "e.mj"
    play(path, *FIRST, *SECOND, "quit")
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style())
    table.take("edit 2")
    text = path.read_text().replace('"Old Cid": 12', '"Old Cid": 12 # really')
    path.write_text(text)
    with pytest.raises(Refused):
        table.take("Ann: 5")
    assert "hand 1 is changed; the edit of hand 2 is given up" in " ".join(said)
    assert path.read_text() == text
    table.store.close()


def test_a_file_taken_away_is_written_again(tmp_path):
    path = tmp_path / "e.mj"
    play(path, *FIRST, "quit")
    before = path.read_text()
    said: list[str] = []
    table = Table(Store(str(path)), said.append, Style())
    path.unlink()
    table.take("draw")
    assert "had been taken away; it is written again" in " ".join(said[0].split())
    assert path.read_text() == before + "draw\n  east Ben\n"
    # nothing was changed by it: what takes something away is done at once
    path.unlink()
    table.take("undo")
    assert path.read_text() == before
    path.unlink()
    tmp_path.rmdir()
    with pytest.raises(Refused, match="could not be written"):
        table.take("draw")
    table.store.close()


# ------------------------------------------------------------- a file that is not what was typed


def ended(path: Path, *lines: str) -> Result:
    return CliRunner().invoke(
        cli, ["play", str(path), "--players", NAMES], input="".join(f"{x}\n" for x in lines)
    )


@pytest.fixture
def damaged(monkeypatch):
    """What befalls the file before the line ``show`` is done."""
    befalls: list[Callable[[], object]] = []
    act = mjscore.play.session.act

    def acted(session, action, *rest):
        if action.kind == "standings":
            befalls.pop()()
        return act(session, action, *rest)

    monkeypatch.setattr("mjscore.play.table.act", acted)
    return befalls


@pytest.mark.parametrize("found", [b"", b"\xff\n", b"nonsense\n", b"players Ann Ben\nhand\n  Ann: x\n"])
def test_a_file_that_was_emptied_or_broken_is_written_back(tmp_path, damaged, found):
    path = tmp_path / "e.mj"
    damaged.append(lambda: path.write_bytes(found))
    result = ended(path, *FIRST, "standings", "Ann: 20", "yes", "Ann: 20", "quit")
    assert result.exit_code == 0, result.output
    assert "type yes to write back what is held here" in " ".join(result.output.split())
    assert path.read_text().endswith("hand @E\n  Ann: 20\n")
    assert holds(path) == 1
    assert (tmp_path / "e.found-1.mj").read_bytes() == found


@pytest.mark.parametrize(
    "found", [b"", b"nonsense\n", b"players Ann Ben 'Old Cid' Dee\n", b'players Ann Ben "Old Cid" Dee\n']
)
@pytest.mark.parametrize("end", [[], ["quit"]])
def test_the_evening_does_not_end_well_where_its_file_has_not_what_was_typed(tmp_path, damaged, found, end):
    path = tmp_path / "e.mj"
    damaged.append(lambda: path.write_bytes(found))
    result = ended(path, *FIRST, "standings", *end)
    assert path.read_bytes() == found
    if b'"' in found and end:  # it was said, and asked whether that is meant
        assert "hand 1 is gone" in result.output
        assert "[changed-meanwhile]" in result.output
    else:
        assert "The evening is in" not in result.output
        assert result.exit_code == 1, result.output


@pytest.mark.parametrize("again", [True, False])
def test_a_line_that_could_not_be_written_is_told_at_the_end(tmp_path, monkeypatch, again):
    from mjscore.play import store

    path = tmp_path / "e.mj"
    whole_file, full = store.whole_file, [True]

    def on_a_full_disk(*given, **named):
        if path.exists() and "Ann" in path.read_text() and full:
            full.pop()
            raise OSError(28, "No space left on device")
        return whole_file(*given, **named)

    monkeypatch.setattr(store, "whole_file", on_a_full_disk)
    result = ended(path, "Ann: 8", *["Ann: 8"] * again, "Ben: 4", "quit")
    assert "[unwritable]" in result.output
    assert ("  Ann: 8\n" in path.read_text()) == again
    assert ("was not typed again: Ann: 8" in result.output) != again
    assert ("The evening is in" in result.output) == again
    assert result.exit_code == (0 if again else 1)


def test_the_width_is_asked_for_at_each_line(tmp_path, monkeypatch):
    widths = iter([100, 40, 40, 40, 40, 40])
    monkeypatch.setattr("mjscore.cli.options.width", lambda: next(widths))
    shown = play(tmp_path / "e.mj", "standings", "help", "quit")
    assert max(map(len, shown.partition("1> ")[2].rpartition("1> ")[0].split("\n"))) <= 41


def test_a_typed_line_is_parsed_three_times_at_the_most(tmp_path, monkeypatch):
    """A line is read once and handed on: Lark is asked for what stands in the file alone, each line of that once."""
    path = tmp_path / "e.mj"
    play(path, "quit")
    table = Table(Store(str(path)), lambda text: None, Style())
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
    table.store.close()
