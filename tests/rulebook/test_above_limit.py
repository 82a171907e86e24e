"""Special and limit hands worth more than the limit: the double limit, which nothing caps."""

from __future__ import annotations

import pytest

import mjscore
from mjscore.page.cards import worth
from mjscore.record.context import Context
from mjscore.record.statistics import read_evening
from mjscore.refusal import Refused
from mjscore.rulebook.binding import Rulebook, bind

TWINS = "S: 11b 22b 33c 44c 55d 66d Ew +Ew"
HOUSE = """
id = "club"
title = "Club"
extends = "babcock"

[[shape]]
id = "twins"
title = "Twins"
tiles = "7 pairs"
of_limit = "{0}"
{1}

[[limit]]
id = "greens"
title = "All green"
of_limit = "3/2"
when = 'won and all_tiles("23468b Gd")'
"""


@pytest.fixture
def house(tmp_path):
    def write(part: str = "2", more: str = "", options: dict[str, object] | None = None) -> Rulebook:
        path = tmp_path / "club.toml"
        path.write_text(HOUSE.format(part, more), encoding="utf-8")
        return bind(str(path), options)

    return write


def score(book: Rulebook, hand: str) -> tuple[int | None, str | None]:
    sheet = mjscore.score(hand, book)
    assert sheet.error is None, sheet.error
    return sheet.score, sheet.score_set_by


@pytest.mark.parametrize(("part", "points"), [("1/2", 150), ("1", 300), ("2", 600), ("5/2", 750)])
def test_a_special_hand_is_worth_its_multiple(part, points, house):
    assert score(house(part), TWINS) == (points, "twins")
    assert score(house(part, options={"limit": 500}), TWINS) == (points * 5 // 3, "twins")
    # what is counted is capped as ever
    assert score(house(part), "S: RRR GGG WWWd EEE 1b +1b") == (300, "limit")


def test_a_limit_hand_is_worth_its_multiple(house):
    book = house()
    assert score(book, "S: 222b 333b 444b 666b Gd +Gd") == (450, "greens")
    assert mjscore.score("S: 222b 333b 444b 666b 8b +8b", "babcock").score_set_by != "greens"
    assert mjscore.waits("S: 222b 333b 444b 666b Gd", book).waits[0].drawn == 450


def test_bonus_tiles_come_to_it_up_to_its_own_worth(house):
    book = house("2", "bonus_tiles = true", {"seasons": "on"})
    assert score(book, "S: 11b 22b 33c 44c 55d 66d 2f Ew +Ew") == (600, "twins")


def test_points_above_the_limit_are_capped(house, tmp_path):
    path = tmp_path / "points.toml"
    path.write_text(HOUSE.format("1", "").replace('of_limit = "1"', "points = 700"), encoding="utf-8")
    assert score(bind(str(path)), TWINS) == (300, "twins")


@pytest.mark.parametrize("given", [TWINS, 600])
def test_it_is_paid_whole(given, house):
    settled = mjscore.settle({"E": 8, "S": given, "W": 10, "N": 12}, "S", house(), drawn=True)
    assert settled.error is None
    assert settled.scores["S"] == 600
    collected = {payment.payer: payment.points for payment in settled.payments if payment.payee == "S"}
    assert collected == {"E": 1200, "W": 600, "N": 600}


def test_a_bare_score_that_nothing_gives_is_capped(house):
    book = house()
    for points, after in ((601, 300), (450, 450), (300, 300), (299, 299)):
        assert mjscore.settle({"E": 8, "S": points, "W": 10, "N": 12}, "S", book).scores["S"] == after
    # a loser's is not
    assert mjscore.settle({"E": 600, "S": 20, "W": 10, "N": 12}, "S", book).scores["E"] == 300
    assert mjscore.settle({"E": 8, "S": 600, "W": 10, "N": 12}, "S", "babcock").scores["S"] == 300


def test_a_loser_who_is_worth_more_keeps_it(tmp_path):
    path = tmp_path / "fishing.toml"
    fishing = (
        '[[limit]]\nid = "fishing"\ntitle = "Fishing"\nof_limit = "2"\nwhen = \'waiting_for("twins")\'\n'
    )
    path.write_text(HOUSE.format("1", "") + fishing, encoding="utf-8")
    hands = {"E": "E: 11b 22b 33c 44c 55d 66d Ew", "S": 20, "W": 10, "N": 12}
    assert mjscore.settle(hands, "S", bind(str(path))).scores["E"] == 600


def test_the_report_marks_it(house, tmp_path):
    house()
    path = tmp_path / "evening.mj"
    rows = "".join(f"  {name}: 4\n" for name in "BCD")
    path.write_text(
        "rulebook club.toml\nplayers A B C D\n"
        + "".join(f"hand\n  A: {points} win\n{rows}" for points in (600, 300, 200))
    )
    evening = read_evening(str(path), Context(folder=str(tmp_path)))
    assert [played.at_limit for played in evening.played] == [True, True, False]


def test_the_card_says_it(house):
    book = house()
    assert worth(book.entries["twins"], book) == "2 × limit (600)"
    assert worth(book.entries["greens"], book) == "3/2 limit (450)"


def test_what_is_added_is_no_more_than_the_limit(tmp_path):
    path = tmp_path / "after.toml"
    path.write_text(
        'id = "h"\ntitle = "H"\nextends = "babcock"\n[[after]]\nid = "x"\ntitle = "X"\nof_limit = "2"\nwhen = "won"\n'
    )
    with pytest.raises(Refused) as refused:
        bind(str(path))
    assert (refused.value.refusal.code, refused.value.refusal.line) == ("wrong-type", 7)
    assert "special or limit hand" in refused.value.refusal.hint
