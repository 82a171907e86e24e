"""A winner's score, winning tile or discarder told again, and hands named in a sentence."""

import contextlib

import pytest

from mjscore.notation.hands import read_hand
from mjscore.page.text import Style
from mjscore.play.controller import Controller
from mjscore.play.corrections import claimed_from, tile_told, winner_among, with_tile, with_win
from mjscore.play.store import Store
from mjscore.record.lines import SeatRow
from mjscore.refusal import Refused

HEAD = 'rulebook babcock\nplayers Ann Ben "Old Cid" Dee\n'
TILES = "ann: (EEEw) [WWWWd] (456b) 88c 23d +1d"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "e.mj"
    path.write_text(HEAD)
    with contextlib.closing(Store(str(path))) as store:
        yield Controller(store, lambda text: None, Style(), asks=True)


def refused(table, line):
    with pytest.raises(Refused) as raised:
        table.take(line)
    return raised.value.refusal


@pytest.mark.parametrize(
    ("line", "tile"),
    [
        ("sorry ann picked the 4 dots, not the 1", "4 dots"),
        ("the winning tile was the 3 of dots", "3 of dots"),
        ("ann won on the 3 of dots not the 6, and it was ben who threw it", "3 of dots"),
        ("no she drew the north", "north"),
        ("it was the 4", ""),
        ("ann won with 123b 456b and drew the 5 dots", ""),
        ("drew the 5 dots, pung of 3 bams", ""),
    ],
)
def test_one_tile_is_told_as_the_winning_one(line, tile):
    assert tile_told(line) == tile


def test_what_a_winner_had_is_kept():
    won = SeatRow("Ann", 20, True, drawn=True)
    told = {"Ann": won, "Ben": SeatRow("Ben", 8)}
    assert with_win([SeatRow("Ann", 24), SeatRow("Dee", 4)], told) == [
        won._replace(given=24),
        SeatRow("Dee", 4),
    ]
    for row in (SeatRow("Ann", 24, True), SeatRow("Ben", 12), SeatRow("Dee", 4), SeatRow("Ann", None)):
        assert with_win([row], told) == [row]
    assert with_win([SeatRow("Ann", 24), SeatRow("Dee", 4, True)], told)[0] == SeatRow("Ann", 24)
    assert winner_among([won, told["Ben"]]) is won
    assert winner_among([won, won]) is None


def test_another_discarder_takes_the_flags_of_a_drawn_tile_away():
    hand = read_hand("1111b 456b 789b 22c 33d +3d!loose".replace("1111b", "[1111b]")).hand
    row = claimed_from(SeatRow("Ann", hand), "Ben")
    assert str(row).endswith("33d <3d:Ben")
    assert str(claimed_from(SeatRow("Ann", 20, True, drawn=True), "Ben")) == "Ann: 20 win from Ben"
    assert list(with_tile(SeatRow("Ann", 20, True), "3 dots", "Ben")) == []


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sorry ann picked the 4 dots, not the 1", "Ann (EEEw) [WWWWd] (456b) 88c 23d +4d"),
        ("the winning tile was the 3 of dots", "Ann (EEEw) [WWWWd] (456b) 88c 12d +3d"),
        (
            "ann won on the 4 of dots, and it was ben who threw it",
            "Ann (EEEw) [WWWWd] (456b) 88c 23d <4d:Ben",
        ),
        ("dee threw it", "Ann (EEEw) [WWWWd] (456b) 88c 23d <1d:Dee"),
    ],
)
def test_another_ending_of_a_hand_is_offered_whole(table, line, offered):
    table.take(TILES)
    refused(table, line)
    assert table.offers[0] == offered
    table.take(table.offers[0])
    table.take("ben 2 old cid 4 dee 8")
    assert offered.removeprefix("Ann ") in table.session.evening.text
    refused(table, line)  # the hand was played meanwhile
    assert table.offers == (f"edit 1: {offered}",)


def test_nobody_elses_tile_is_offered(table):
    table.take(TILES)
    refused(table, "ann won it off me for 54")  # somebody who is not named
    refused(table, "dee won on the 4 of dots, sorry")
    assert not any("+4d" in one for one in table.offers)


def test_tiles_told_do_not_go_for_a_score_unasked(table):
    table.take(TILES)
    asked = refused(table, "ann 44")
    assert asked.message == "Ann’s tiles were told; do you mean a score instead?"
    assert asked.lines == ("Ann: 44 win drawn", "Ann: 44")
    assert "[WWWWd]" in table.session.evening.text
    table.take("1")
    assert "  Ann: 44 win drawn\n" in table.session.evening.text


@pytest.mark.parametrize(("answer", "row"), [("1", "Ann: 24 win drawn"), ("2", "Ann: 24")])
def test_another_score_of_the_winner_keeps_the_win_if_that_is_meant(table, answer, row):
    table.take("ann 20 win drawn")
    assert refused(table, "ann 24 i mean").message == "Ann won this hand; is that still so?"
    table.take(answer)
    assert f"  {row}\n" in table.session.evening.text


@pytest.mark.parametrize("answer", ["2", "Ann: 24, Ben: 2"])
def test_a_win_given_up_is_asked_about_once(table, answer):
    table.take("ann 20 win drawn")
    refused(table, "ann 24, ben 2")
    table.take(answer)
    assert table.session.evening.text.endswith("  Ann: 24\n  Ben: 2\n")


def test_the_win_is_kept_in_an_earlier_hand(table):
    table.take("ann 20 win drawn, ben 2, old cid 4, dee 8")
    assert refused(table, "in hand 1 ann had 28 not 20").lines == ("edit 1: Ann 28 win drawn",)


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("last hand: ben kong of 6 bam open, pair of reds", "edit 1: Ben (6666b) RRd ..."),
        ("in the last hand bens pung of 7 bams was exposed", "edit 1: Ben (777b) ..."),
        ("dee 10, and last hand ben had 14 not 4", None),
        ("ann had 46 in the last hand and ben 16 in the first", None),
    ],
)
def test_a_line_that_names_a_hand_is_not_for_the_next_one(table, line, first):
    table.take("ann 20 win drawn, ben 2, old cid 4, dee 8")
    table.take("ben 12, old cid 4, ann 2")
    text = table.session.evening.text
    refused(table, line)
    assert table.offers == ((first,) if first else ())
    assert table.session.evening.text == text


@pytest.mark.parametrize("answer", ["dee threw it", "from dee", "it was off dee"])
def test_who_threw_the_last_tile_answers_whether_it_was_drawn(table, answer):
    assert "drawn or claimed" in refused(table, "ben 123b 456b 789b 55d rrr").message
    table.take(answer)
    assert table.session.evening.text.endswith("<Rd:Dee\n")
