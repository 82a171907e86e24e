"""What a second reading of both books decided: each decision by its number, with a hand on which it is seen."""

from __future__ import annotations

import pytest
from checks import check_text
from refusals import refusal_of
from tables import table

import mjscore
from mjscore.record.ledger import after_wash, begin
from mjscore.rulebook.binding import bind


def score(hand: str, rulebook: str = "harr", **options: object):
    return mjscore.score(
        hand, rulebook, options={key.replace("_", "-"): value for key, value in options.items()}
    )


def codes(text: str) -> list[str]:
    return [refusal.code for one in check_text(text) for refusal in one.refusals]


@table
def test_d4_a_claimed_fourth_spoils_four_concealed_sets_and_not_three(hand, three, four):
    sheet = score(hand, "babcock", three_concealed=True)
    assert ("three-concealed" in [line.rule for line in sheet.doubling]) is three
    assert (score(hand, "babcock", four_concealed=True).limit == "four-concealed") is four


def test_d4_a_fourth_claimed_to_a_concealed_three_is_one_of_three():
    claimed = score("S: (6666c) 444d 222b 789c 3d <3d", "babcock", three_concealed=True)
    grown = score("S: (666+6c) 444d 222b 789c 3d <3d", "babcock", three_concealed=True)
    assert (claimed.doubles, grown.doubles) == (1, 0)


@pytest.mark.parametrize("rulebook", ["harr", "babcock", "babcock-chinese"])
def test_d6_a_kind_that_the_hand_holds_all_four_of_is_another_place(rulebook):
    sheet = score("(4444b) 56b 789c 123d 99d <7b", rulebook)
    assert "only-place" not in [item.rule for item in sheet.items]
    assert [str(wait.tile) for wait in mjscore.waits("(4444b) 56b 789c 123d 99d", rulebook).waits] == ["7b"]


def test_d14_the_first_discard_is_easts():
    error = score("S: 123b 456c 789d 22d 67c <5c:N!earth", "babcock").error
    assert (error.code, error.column) == ("earth-not-from-east", 32)
    assert score("S: 123b 456c 789d 22d 67c <5c:E!earth", "babcock").error is None
    assert score("S: 123b 456c 789d 22d 67c <5c!earth", "babcock").error is None


@table
def test_d14_the_flags_of_other_rulebooks(hand, code):
    error = score(hand, "babcock").error
    assert error.code == code
    assert score("S: (123b) 456c 789d 22d 67c <5c!call", "babcock").score == 30


@table
def test_d15_a_bonus_tile_that_brings_nothing_is_remarked(rulebook, options, idle):
    sheet = score("W: 22b 345b 678b 123c 55d 14f3s +2b!loose", rulebook, **options)
    assert [remark.partition(" score")[0] for remark in sheet.remarks] == ([idle] if idle else [])
    assert sheet.as_json()["remarks"] == list(sheet.remarks)
    assert sheet.error is None


@table
def test_d58_twins_of_heads_alone_are_a_hand_of_heads(hand, worth):
    found = tuple(
        score(hand, "babcock", seven_twins=True, ones_nines_honors=on).score for on in (False, True)
    )
    assert found == worth


@table
def test_d61_two_players_need_two_combinations_that_double(hand, wins):
    error = score(hand, "babcock", players=2).error
    assert (error is None) is wins
    assert wins or error.code == "may-not-win"


@table
def test_d71_options_that_cannot_be_together(options, code):
    assert refusal_of(bind, "babcock-chinese", options).code == code
    assert bind("babcock-chinese", {"nine-mummies": True, "optional": "all", "thirteen-orphans": False})


@table
def test_d71_a_new_draw_moves_nobody_but_an_east_who_asks_for_it(rulebook, rule, passes):
    options = {"nine-mummies": True, "not-touching": True} if rulebook == "babcock-chinese" else {}
    book = bind(rulebook, options)
    settling_rule = getattr(book.settling, rule)
    for seat in "ESWN":
        after = after_wash(begin(("Ann", "Ben", "Cid", "Dee")), seat, settling_rule, book)
        assert after.east == (1 if seat == "E" and passes else 0)


@pytest.mark.parametrize(("wins", "refused"), [(0, True), (7, True), (8, False), (9, True)])
def test_d78_the_ninth_win_of_an_evening_has_eight_before_it(wins, refused):
    block = "hand\n  Ann: 20 win{}\n  Ben: 0\n  Cid: 0\n  Dee: 0\n"
    start = "rulebook babcock-chinese\nset nine-wins on\nplayers Ann Ben Cid Dee\n"
    assert codes(start + block.format("") * wins + block.format(" ninth")) == (
        ["not-the-ninth"] if refused else []
    )
    hand = "hand\n  Ann: (567c) (789b) 34d 22b 234b +2d!ninth\n  Ben: 0\n  Cid: 0\n  Dee: 0\n"
    assert codes(start + block.format("") * wins + hand) == (["not-the-ninth"] if refused else [])
    # elsewhere it is believed
    assert (
        codes("rulebook babcock-chinese\nset nine-wins on\nhand\n  E: 20 win ninth\n  S: 0\n  W: 0\n  N: 0\n")
        == []
    )


def test_the_cards_say_whose_and_only_what_is():
    from mjscore.page.cards import show_rulebook
    from mjscore.page.text import Style

    card = show_rulebook(bind("harr-limit"), Style(100))
    sets = [line.rpartition("  ")[0] for line in card.partition("Bonuses")[0].splitlines()[4:]]
    titles = [line[2:66].strip() for line in sets if line]
    assert len(titles) == len(set(titles))
    assert "The winner's pung of heads, in the hand" in card
    for options in ({}, {"limit": 500}):
        assert "without a limit" not in show_rulebook(bind("harr", options), Style(100))
    assert "without a limit" in show_rulebook(bind("babcock", {"limit": "none"}), Style(100))
    assert "without a limit" not in show_rulebook(bind("babcock"), Style(100))
