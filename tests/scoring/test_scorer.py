"""The arrangement that the player takes, ties, and that a hand is arranged once for every question."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from programs import run_command
from refusals import refusal_of
from strategies import random_loser, random_winner
from tables import table

import mjscore
from mjscore.game.hand import Win
from mjscore.notation.hands import parse
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind
from mjscore.scoring import scorer
from mjscore.scoring.scorer import score_hand

HERE = Path(__file__).parent


@table
def test_of_equal_scores_the_arrangement_that_counts_most(hand, rulebook, limit, counted):
    sheet = mjscore.score(hand, rulebook, options={"limit": limit})
    assert sheet.counted == counted
    assert sheet.score == (counted if limit == "none" else limit)
    assert sheet.limit == (None if limit == "none" else "limit")


def test_the_arrangement_taken_is_the_first_of_the_best():
    chance = random.Random(30)
    several = tied = 0
    for number in range(1500):
        hand = random_winner(chance) if number % 3 else random_loser(chance)
        try:
            scored = score_hand(hand, bind(("harr", "babcock")[number % 2]), keep_others=True)
        except Refused:
            continue
        best = scored.counting
        for other in scored.others:
            several += 1
            tied += (other.score, other.counted) == (best.score, best.counted)
            figures = (other.score, other.counted, -other.scored)
            assert figures <= (best.score, best.counted, -best.scored)
    assert several > 100
    assert tied > 10


def test_the_others_are_kept_only_where_asked_for():
    hand = parse("(345d) 2344466667d")
    assert score_hand(hand, bind("babcock")).others == ()
    several = parse("E: 111222333c 99c 45c +6c")
    assert score_hand(several, bind("harr")).others == ()
    scored = score_hand(several, bind("harr"), keep_others=True)
    assert scored.counting not in scored.others
    assert len(scored.others) >= 1


def test_what_the_scorer_found_is_one_frozen_record():
    scored = score_hand(parse("S: (RRR)(789c) 123b 456b 5c +5c"), bind("harr"))
    assert (scored.facts.doubles, scored.sheet.doubles) == (0, 1)
    assert scored.sheet.hand is scored.facts.hand
    assert scored.sheet.sets == scored.counting.arrangement.sets
    assert scored.counted_facts.doubles == scored.sheet.doubles
    for record in (scored, scored.counting, scored.counting.tally, scored.sheet):
        with pytest.raises(AttributeError):
            setattr(record, record._fields[0], None)


@pytest.fixture
def arranged(monkeypatch):
    """How often the scorer divides or regroups tiles, and which."""
    tiles: list[int] = []
    for name in ("divisions", "regroupings"):
        real = getattr(scorer, name)

        def counted(packed, *rest, real=real):
            tiles.append(packed)
            return real(packed, *rest)

        monkeypatch.setattr(scorer, name, counted)
    return tiles


@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("hand", ["W@E: (111d)(234d)(567d) 88d9d9d <9d:N", "S: (345d) 2344466667d"])
def test_score_with_its_reasons_arranges_a_hand_once(arranged, output, hand):
    result = run_command("score", hand, "--why", "-r", "harr-limit", "--format", output)
    assert result.exit_code == 0
    assert len(arranged) == 1
    if output == "json":
        assert json.loads(result.output)["why"]["not_given"]


def test_a_settlement_with_a_liability_arranges_each_hand_once(arranged):
    settlement = mjscore.settle(
        {
            "W": "(111d)(234d)(567d) 88d9d9d <9d:N",
            "N": "147b 258c 369b 1c 5c 9c 5b",
            "E": "123456b 789c EEw SSw",
            "S": 20,
        },
        rulebook="harr-limit",
    )
    assert settlement.error is None, settlement.error
    assert any("pays for all" in remark for remark in settlement.remarks)
    assert len(arranged) == 3


def test_what_is_kept_of_awards_is_bounded(monkeypatch):
    monkeypatch.setattr(scorer, "_TALLIES_KEPT", 2)
    book = bind("harr", {"limit": 999})
    kept = []
    for dragon in "RGW":
        score_hand(parse(f"({dragon * 3}d)(123b)(456b)(789c) 5c <5c"), book)
        kept.append(len(book.tallies))
    assert kept == [1, 2, 1]


def test_a_dead_hand_has_no_arrangement():
    scored = score_hand(parse("147b 258c 369d 1d 4d 7d Ew !dead"), bind("harr"))
    assert scored.counting is None
    assert (scored.sheet.score, scored.sheet.dead, scored.others) == (0, True, ())


def test_too_few_doubles_for_two():
    hand = "E: (123b)(456c) 789d 11b 99c +9c"
    sheet = mjscore.score(hand, "babcock", options={"players": 2})
    assert sheet.error.code == "may-not-win"
    assert isinstance(sheet.error.about, Win)


@table
def test_bonus_tiles_are_added_to_a_special_hand(bonus, claim):
    """By the British association's rules, up to the limit."""
    sheet = score_hand(parse(f"E: {bonus} 19b19c19d ESWNw RGd Wd +Wd"), bind("bmja")).sheet
    assert [(one.title, one.points) for one in sheet.claims] == [claim]
    assert sheet.score == 1000


@table
def test_bonus_tiles_that_bring_nothing_are_said(bonus, rulebook, remarks):
    """D15."""
    hand = parse(f"E: {bonus} (RRR) (444b) 456b 789b 5c")
    assert score_hand(hand, bind(rulebook)).sheet.remarks == remarks


def test_of_two_special_scores_the_higher_is_claimed():
    """Honours in pairs are worth half the limit, and what is won as dealt is worth all of it."""
    sheet = score_hand(parse("E@E: 11b 99c EESSw RRGGWd 1f +Wd!original"), bind("bmja")).sheet
    assert [(one.rule, one.points) for one in sheet.claims] == [("all-pair-honours", 508), ("heaven", 1008)]
    assert (sheet.score, sheet.limit) == (1000, "heaven")


def test_a_limit_hand_that_counts_as_much_is_named():
    """What counts to the limit and is a limit hand too, is one."""
    sheet = score_hand(parse("E: (RRR)(GGG)(WWWd) EEE 5b <5b"), bind("harr-limit")).sheet
    assert (sheet.score, sheet.limit) == (300, "three-dragons")
    unlimited = mjscore.score(sheet.hand, "harr-limit", options={"limit": "none"})
    assert (unlimited.claims, unlimited.limit) == ((), None)
    assert unlimited.score == unlimited.counted > 300


def test_sets_that_cost_more_than_they_bring_are_left_apart(house):
    """A loser's tiles are grouped as they score most, by a house that rewards a hand without sets."""
    none = '[[bonus]]\nid = "none"\ntitle = "No sets"\npoints = 100\nwhen = "pungs == 0 and pairs == 0"\n'
    sheet = score_hand(parse("S: RRR 147b 258c 369d E"), bind(house(none))).sheet
    assert (sheet.points, sheet.doubles, sheet.sets) == (100, 0, ())
    assert score_hand(parse("S: RRR 147b 258c 369d E"), bind("harr")).sheet.score == 16


def test_a_hand_won_as_dealt_has_no_set_that_was_completed():
    scored = score_hand(parse("E: 111b 234b 567b 88b 99c +9c!original"), bind("harr"), keep_others=True)
    assert not any(one.completed for one in scored.sheet.sets)
    assert scored.others == ()
    drawn = score_hand(parse("E: 111b 234b 567b 88b 99c +9c"), bind("harr"))
    assert [str(one) for one in drawn.sheet.sets if one.completed] == ["999c"]


@pytest.mark.parametrize("win", ["<3b", "+3b", "<6b", "<5c"])
def test_all_five_sets_are_on_the_sheet(win):
    """Each once, whichever of them the winning tile completed."""
    held = {"<3b": "12b 456b 789b 234d 55c", "+3b": "12b 456b 789b 234d 55c", "<6b": "123b 45b 789b 234d 55c"}
    hand = f"E: {held.get(win, '123b 456b 789b 234d 5c')} {win}"
    sheet = score_hand(parse(hand), bind("harr")).sheet
    assert sorted(str(one).strip("()") for one in sheet.sets) == ["123b", "234d", "456b", "55c", "789b"]
    assert [str(one).strip("()") for one in sheet.sets if one.completed] == [
        {"<3b": "123b", "+3b": "123b", "<6b": "456b", "<5c": "55c"}[win]
    ]


def test_a_limit_hand_may_be_worth_the_points_doubled_by_itself():
    """All of one suit, waiting: its points doubled as for the hand alone, where that is more than the claim."""
    sheet = score_hand(parse("E@E: [2222b] [3333b] [4444b] [6666b] 8b"), bind("bmja")).sheet
    assert (sheet.score, sheet.limit) == (512, "fishing-purity")
    assert [(one.rule, one.points) for one in sheet.claims] == [
        ("fishing-imperial-jade", 400),
        ("fishing-four-fours", 400),
        ("fishing-purity", 512),
    ]
    # bonus tiles are counted apart, and said
    sheet = score_hand(parse("E@E: 2f [2222b] [3333b] [4444b] [6666b] 8b"), bind("bmja")).sheet
    assert [(one.title.partition(", and ")[2], one.points) for one in sheet.claims] == [
        ("4 for bonus tiles", 404),
        ("4 for bonus tiles", 404),
        ("4 for bonus tiles", 516),
    ]


@table
def test_a_dead_hand_scores_where_it_has_too_few_tiles(hand, score):
    """D72, in the Chinese game."""
    sheet = score_hand(parse(hand), bind("babcock-chinese")).sheet
    assert (sheet.score, sheet.won, sheet.dead) == (score, False, True)


def test_a_loser_may_be_paid_for_waiting(house):
    book = bind(house('[[bonus]]\nid = "waiting"\ntitle = "Waiting"\npoints = 100\nwhen = "waiting"\n'))
    for hand, score in (("123b 456b 789b 22c 34d", 100), ("123b 456b 789b 22c 36d", 0), ("123b 22c ...", 0)):
        assert score_hand(parse(hand), book).sheet.score == score


def test_a_hand_listed_in_part_is_fishing_for_nothing():
    listed = "E@E: [2222b] [3333b] [4444b] [6666b] 8b"
    assert score_hand(parse(listed), bind("bmja")).sheet.claims
    assert score_hand(parse(f"{listed} ..."), bind("bmja")).sheet.claims == ()


def test_a_hand_that_holds_all_four_of_its_tile_is_fishing_for_nothing():
    assert score_hand(parse("E: (222b) 3b 555b 777b 999b"), bind("bmja")).sheet.claims
    assert score_hand(parse("E: (333b) 3b 555b 777b 999b"), bind("bmja")).sheet.claims == ()


@table
def test_only_thirteen_tiles_that_are_all_listed_wait(hand, score):
    """A hand that lacks a tile scores its sets (D72); it does not wait as well."""
    assert score_hand(parse(hand), bind(str(HERE / "waiting.toml"))).sheet.score == score


def test_a_pair_of_every_honor_is_no_hand_of_winds_and_dragons():
    """A special hand takes nothing of the limit hands of four sets and a pair (D58)."""
    sheet = score_hand(parse("E: EE SS Ww Ww NN RR GG Wd +Wd"), bind("bmja")).sheet
    assert [(one.rule, one.points) for one in sheet.claims] == [("all-pair-honours", 500)]
    assert (sheet.score, sheet.limit) == (500, "all-pair-honours")


def test_half_of_a_limit_of_one_point_is_nothing():
    options = {"seven-twins": True, "limit": 1}
    sheet = mjscore.score("E: 1133b 55b 2299c 77c 8c +8c", "babcock", options=options)
    assert [(one.rule, one.points) for one in sheet.claims] == [("seven-twins", 0)]
    assert sheet.score == 0


@pytest.mark.parametrize("rulebook", ["harr-limit", "dmjl"])
def test_the_fourth_wind_may_be_the_pair(rulebook):
    """Of the last wind too, which stands beside the dragons."""
    hand = "S: (EEE)(SSS)(WWWw) 123b {0} +{0}"
    for pair, given in (("N", True), ("R", False)):
        sheet = score_hand(parse(hand.format(pair)), bind(rulebook)).sheet
        names = {line.rule for line in (*sheet.claims, *sheet.doubling)}
        assert ("three-winds-and-a-pair" in names) is given


def test_without_a_limit_a_hand_worth_a_part_of_it_says_so_where_it_would_have_won():
    house = HERE / "without_limit.toml"
    for clause, missed in (("+8c", True), ("<8c", False)):
        error = mjscore.score(
            f"E: 1133b 55b 2299c 77c 8c {clause}", str(house), options={"limit": "none"}
        ).error
        assert error.code == "not-a-winning-hand"
        assert isinstance(error.about, Win)
        assert ("there is no limit" in error.message) is missed


@pytest.mark.parametrize(("section", "run"), [("bonus", "completed_chow"), ("set", "chow and completed")])
def test_of_arrangements_that_count_the_same_the_one_with_the_fewest_items(house, section, run):
    """D1; the first that is found is the other."""
    entry = '[[{}]]\nid = "{}"\ntitle = "By the {}"\npoints = {}\nwhen = "{}"\n'
    runs = entry.format(section, "run", "run", 2, run) + entry.format(section, "again", "run again", 2, run)
    pair = entry.format("bonus", "pair", "pair", 4, "completed_pair")
    book = bind(house(f'drop = ["only-place"]\n{pair}{runs}'))
    scored = score_hand(parse("E: (EEE) 345b 45b 33b 789c <3b"), book, keep_others=True)
    (other,) = scored.others
    assert (other.score, other.counted) == (scored.counting.score, scored.counting.counted)
    assert [str(one) for one in scored.sheet.sets if one.completed] == ["33b"]


def test_a_special_hand_is_worth_the_limit_at_most(house):
    """Also where only the winner has a limit (Harr p. 62), whom a special hand makes."""
    book = bind(
        house(
            '[[shape]]\nid = "pairs"\ntitle = "Seven pairs"\ntiles = "7 pairs"\npoints = 500\n', "harr-limit"
        )
    )
    sheet = score_hand(parse("E: 1133b 55b 2299c 77c 8c +8c"), book).sheet
    assert ([one.points for one in sheet.claims], sheet.score) == ([500], 300)


@pytest.mark.parametrize(("limit", "score"), [(300, 2 * 22 + 150), (60, 60), (1000, 2 * 22 + 500)])
def test_half_the_limit_for_easts_first_discard_is_added_after_doubling(limit, score):
    """Harr p. 62 (D37); with what the hand counts no more than the limit."""
    sheet = mjscore.score("S: 123b 456b 789b EEE 5b <5b!earth", "harr-limit", options={"limit": limit})
    assert (sheet.points, sheet.doubles, sheet.score) == (22, 1, score)


@table
def test_a_sheet_line_by_line(hand, rulebook, sets, figures, lines):
    """What stands on it, each line with its title and source, and how many lines were counted."""
    scored = score_hand(parse(hand), bind(rulebook))
    sheet = scored.sheet
    assert sheet.rulebook == rulebook
    assert tuple(map(str, sheet.sets)) == sets
    assert all(isinstance(one.exposed, bool) for one in sheet.sets)
    assert (sheet.points, sheet.doubles, sheet.counted, sheet.score) == figures
    shown = (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
    assert tuple(" ".join(map(str, filter(None, line))) for line in shown) == lines
    assert scored.counting.scored == len(sheet.items) + len(sheet.doubling)


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("doubles >= 1", "it has no doubles, not at least 1"),
        ("only_place", "not the only place: 6c and 9c would have won too"),
    ],
)
def test_why_a_whole_hand_may_not_win(house, when, why):
    book = bind(house(f'[[win]]\nid = "win"\ntitle = "Win"\nwhen = "{when}"\n'))
    hand = parse(
        "S: (123c)(789c) 678d 45c 11c <3c" if "doubles" in when else "S: (123c)(789c) 678c 45c 11c <3c"
    )
    assert why in refusal_of(score_hand, hand, book).message


def test_what_is_worth_a_part_of_the_limit_instead_of_what_it_counts(house):
    poor = '[[limit]]\nid = "poor"\ntitle = "Poor"\nof_limit = "1/10"\ninstead = true\nwhen = "won"\n'
    sheet = score_hand(
        parse("S: (RRR)(789c) 123b 456b 5c +5c"), bind(house(poor, "babcock"), {"limit": 500})
    ).sheet
    assert (sheet.counted, sheet.score, sheet.limit) == (56, 50, "poor")


def test_a_limit_hand_is_worth_the_limit_at_most(house):
    """Where only the winner has a limit (Harr p. 62), who is meant."""
    rich = '[[limit]]\nid = "rich"\ntitle = "Rich"\npoints = 500\nwhen = "pungs(dragon) == 1"\n'
    less = rich.replace("rich", "less").replace("500", "400")
    book = bind(house(rich + less, "harr-limit"))
    for hand, score in (("S: (RRR)(789c) 123b 456b 5c +5c", 300), ("S: (RRR) 11c EE 147b 258d", 500)):
        assert score_hand(parse(hand), book).sheet.score == score


@pytest.mark.parametrize("counts", ["", "counts = true"])
def test_a_special_hand_worth_two_limits(house, counts):
    shape = f'[[shape]]\nid = "pairs"\ntitle = "Seven pairs"\ntiles = "7 pairs"\nof_limit = "2"\n{counts}\n'
    book = bind(house(shape, "babcock"), {"limit": 500})
    sheet = score_hand(parse("E: 1133b 55b 2299c 77c 8c +8c"), book).sheet
    assert (sheet.score, sheet.limit, sheet.special) == (1000, "pairs", "pairs")


def test_three_alike_are_a_pair_where_that_is_worth_more(house):
    pair = '[[set]]\nid = "ones"\ntitle = "Two ones"\npoints = 50\nwhen = "pair and of(\'1b\')"\n'
    sheet = score_hand(parse("S: 111b 47b 258c 369d EN"), bind(house(pair, "babcock"))).sheet
    assert sheet.score == 50
