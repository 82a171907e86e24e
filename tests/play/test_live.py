"""The live line: what is shown below a line while it is typed, as a function and on a screen."""

from __future__ import annotations

import random
from cProfile import Profile

import pytest
from amounts import in_turn, part_of
from evenings import after
from refusals import refusal_of
from tables import table

from mjscore.play.live import completions, live
from mjscore.play.reading import read_action
from mjscore.play.session import open_session

HEAD = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'
SESSION = open_session(HEAD)
WAITING = "w 123b 444c eee / 77d 67c"


def shown(text: str, width: int = 100, tiles: str = "plain") -> str:
    return "\n".join(line for _, line in live(SESSION, text, width, tiles).lines)


@table
def test_what_is_shown(text, said):
    assert said in shown(text)
    assert live(SESSION, text, 100).fault is None


@table
def test_the_first_mistake(text, place, said):
    found = live(SESSION, text, 100)
    start, end = found.fault
    assert text[start:end] == place
    assert found.refusal is not None
    assert said in shown(text)


@table
def test_a_hand_that_is_too_long_is_counted_whole(text, said):
    assert said in shown(text)
    assert "points" not in shown(text)


def test_no_key_of_a_right_line_shows_a_mistake():
    for line in (
        f"{WAITING} <8c:e 2 8 0",
        f"{WAITING} <8c:e dead dead 8",
        "Ann: (RRR) 123b 456b 789b 5d +5d",
        "2 8 64w 0",
        "ben 64",
        "w 1b 3b 5b 7b 9b 2c 4c 6c 8c 1d 3d 5d 7d !dead",
        "w 123b !nochoice",
        "old cid (222d) [1111c] 123b 456b 5c +5c!loose 8 2 0",
        "e 20 win from s doubles 2 ninth, 2 8 dead",
        '"Old Cid" 64 win drawn doubles 3 ninth 2 8 0',
        "eve for ann",
        "old cid leaves",
        "eve joins",
    ):
        for end in in_turn(range(len(line) + 1), line, 2):
            assert live(SESSION, line[:end], 100).fault is None, line[:end]


@pytest.mark.parametrize("line", ["eve for zoe", "eve fo", "zoe leaves", "ann joins 3", "rest", "rest zoe"])
def test_a_change_of_seats_is_refused_as_enter_refuses_it(line):
    refusal = live(SESSION, f"{line}\n", 100).refusal
    assert refusal is not None
    assert refusal.message == refusal_of(read_action, line, SESSION).message


def test_what_is_longer_than_any_hand_is_not_read():
    line = f"w {' ' * 494}123b"
    assert "3 of 13 tiles" in shown(line)
    assert shown(f"{line} ") == shown("")


def test_of_a_command_three_lines_are_shown():
    assert [len(shown("edit", width).split("\n")) for width in (40, 100)] == [3, 2]


def test_a_narrow_line_parts_no_figure_from_what_it_counts():
    assert shown(WAITING, 30).split("\n")[1:4] == [
        "West Old Cid: 13 of 13 tiles ·",
        "  6 points · waits for 5c 8c,",
        "  to score 26 to 28",
    ]
    assert shown(WAITING, 27).split("\n")[2:4] == ["West Old Cid:", "  13 of 13 tiles · 6 points"]


def test_of_a_long_hint_three_lines_are_shown():
    told = shown("w 123b zz", 30).split("\n")
    assert told[-4:] == [
        "zz is not a tile", "a tile is its value and class", "  letter: 5b 5c 5d, Ew, Rd,", "  1f, 1s",
    ]  # fmt: skip
    assert shown("quite wrong", 60).endswith("pool note …")


def test_what_is_left_out_of_help_is_marked_at_a_word():
    assert shown("edit", 30).split("\n")[2:] == ["after it; later …"]


def test_a_player_whose_name_begins_as_a_command():
    session = open_session('rulebook harr\nplayers Ann Ben "Old Cid" Notker\n')
    said = {
        text: "\n".join(line for _, line in live(session, text, 100).lines)
        for text in ("not", "note", "notk 12", "note a")
    }
    assert said["not"].startswith("North Notker: 0 of 13 tiles")
    assert said["notk 12"].startswith("North Notker 12")
    assert "a remark" in said["note"]
    assert "a remark" in said["note a"]


def test_a_letter_with_which_two_names_begin_is_no_mistake_yet():
    session = open_session("rulebook harr\nplayers Ann Wim Cid Dee\n")
    assert live(session, "w", 100).refusal is None
    entered = live(session, "w: 1", 100).refusal
    assert entered is not None
    assert (entered.code, entered.column) == ("two-people", 1)


def test_a_wind_at_which_nobody_sits():
    session = open_session("rulebook harr\nplayers Ann Ben Cid\n")
    found = live(session, "N 20", 100)
    assert found.fault == (0, 1)
    assert [line for _, line in found.lines][-2:] == [
        "nobody here is called 'N'",
        "the players are Ann, Ben, Cid",
    ]
    # a north wind then, of somebody's hand
    assert live(session, "N 123b 4", 100, "plain").lines[0] == ("tiles", "123b Nw")


def test_a_hand_told_for_a_wind_at_which_nobody_sits():
    two = open_session("rulebook harr\nplayers Ann Ben\n")
    line = "for south: pair of souths, no pung of them, and concealed 444 bams"
    assert ("state", "South: 5 of 13 tiles · 6 points so far") in live(two, line, 60).lines


@table
def test_what_is_shown_when_something_was_typed(before, text, said):
    assert "\n".join(line for _, line in live(after(SESSION, *before), text, 100, "plain").lines) == said


@pytest.mark.parametrize("width", [100, 60, 40])
def test_it_fits_the_terminal(width):
    for text in (f"{WAITING} <8c:e 2 8", "w 123b 456b 789b 11d 55c <2d", "", "edit"):
        for line in shown(text, width, "boxed").split("\n"):
            assert len(line) <= width


def test_any_text_is_shown_soon_and_none_raises():
    """Counted in calls of functions, of which a line has some thousands: in a tenth of a second there are 100,000."""
    choose = random.Random(13)
    pieces = [*'wbeE: 1239cdb()[]<+!/.,;"@=-ü中', "RRR ", "123b ", "444c ", "win ", "from ", "!loose", "old "]
    texts = [
        "".join(choose.choice(pieces) for _ in range(choose.randrange(40))) for _ in range(part_of(400, 8))
    ]
    for text in texts[:10]:
        live(SESSION, f"{text} ", 60)  # what is built once, and by the first test on a machine only, is built
    taken = []
    for text in texts:
        with Profile(builtins=False) as profile:
            live(SESSION, text, 60)
        taken.append(sum(entry.callcount for entry in profile.getstats()))
    assert sorted(taken)[len(taken) * 9 // 10] < 15_000
    assert max(taken) < 100_000


def test_an_edit_and_a_hand_under_way():
    session = after(SESSION, "Ann: 2")
    assert live(session, "", 100).lines[0][1] == "to come: South Ben, West Old Cid, North Dee"
    session = after(session, "Ben: 8", '"Old Cid": 64 win', "Dee: 0", "edit 1")
    assert "drop leaves it" in live(session, "", 100).lines[0][1]
    # its question is not forgotten
    asked = after(SESSION, "Ann: 2", "Ben: 8", '"Old Cid": 64 win', "Dee: 0", "edit 1", "Ann: 4")
    assert live(asked, "", 100).lines[0][1] == "write it? yes or no"
    assert live(session, "w 123b", 100).lines
    assert completions(session, "ye") == ("ye", ["yes"])


@table
def test_what_is_offered(before, fitting):
    assert completions(SESSION, before)[1] == fitting


@pytest.fixture
def screen(tmp_path):
    """Starts the evening on a screen of some columns."""
    pyte = pytest.importorskip("pyte")
    from terminal import Screen

    return lambda columns, **environment: Screen(pyte, columns, tmp_path / "e.mj", **environment)


@pytest.mark.parametrize("columns", [100, 60, 40])
def test_on_a_screen(tmp_path, screen, columns):
    with screen(columns) as screen:
        screen.text_with("1> ")
        screen.press(WAITING)
        text = screen.text_with("waits for 5c 8c")
        assert "│6c│7c│ │7d│7d│" in text
        assert "13 of 13 tiles" in text
        assert "West Old Cid" in text
        screen.press(" <8c:e 2x")
        text = screen.text_with("no class of tiles")
        assert "║8c║" in text
        screen.press("\r")
        screen.text_with("offered: Enter takes it")
        screen.press("\x1b[F 2 8 0\r")
        screen.text_with("Hand 2")
        screen.press("edit \t")
        screen.text_with("edit 1")
        screen.press("\x15quit\r")
        screen.text_with("The evening is in")
    text = (tmp_path / "e.mj").read_text()
    assert '"Old Cid": (123b) (444c) (EEEw) 67c 77d <8c:Ann' in text


def test_without_colours_the_live_line_stays(screen):
    with screen(80, NO_COLOR="1") as screen:
        screen.text_with("1> ")
        screen.press(WAITING + " 2x")
        screen.text_with("no class of tiles")
        colours = {cell.fg for line in screen.screen.buffer.values() for cell in line.values()}
        assert colours == {"default"}
        screen.press("\x15quit\r")
        screen.text_with("The evening is in")


def test_lines_pasted_together_are_taken_one_by_one(tmp_path, screen):
    with screen(60) as screen:
        screen.text_with("1> ")
        screen.press("\x1b[200~ann 2\nben 8\ncid x4\ndee 20 w\n\x1b[201~")
        assert screen.text_with("dee 20 w").count("ben 8") == 1
        screen.press("\r")
        text = " ".join(screen.text_with(r"\(Old Cid, Dee\)> cid x4").split())
        assert "the lines pasted after it were ignored: dee 20 w" in text
        screen.press("\x15dee 4\r")
        screen.text_with(r"\(Old Cid\)> ")
        screen.press("quit\r")
        screen.text_with("The evening is in")
    assert (tmp_path / "e.mj").read_text().endswith("hand @E\n  Ann: 2\n  Ben: 8\n  Dee: 4\n")
