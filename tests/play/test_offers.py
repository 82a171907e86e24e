"""What stands in the prompt after a refusal: what a key makes of it, which line a word means, and on a screen."""

from __future__ import annotations

import pytest
from evenings import play
from refusals import refusal_of
from tables import table

from mjscore.page.text import Style
from mjscore.play.controller import Controller
from mjscore.play.offers import (
    MOMENT,
    OpenQuestion,
    PromptText,
    after_key,
    filled_rows,
    standing_after,
    told_of,
    words_of,
)
from mjscore.play.store import Store

REFUSED = PromptText(("ben 12x",), place=4)
ONE = PromptText(("seat Eve for Ann",), True)
TWO = PromptText(("Ben: 5d +5d", "Ben: 5d <5d"), True)
STANDING = {"refused": REFUSED, "one": ONE, "two": TWO, "second": TWO._replace(chosen=1)}


@table
def test_what_a_key_makes_of_it(stands, key, text, cursor, left, taken):
    pressed = after_key(STANDING[stands], key, MOMENT)
    assert (pressed.text, pressed.cursor, pressed.taken) == (text, cursor, taken)
    assert pressed.stands == (STANDING[left] if left else None)


def test_enter_that_was_on_its_way_takes_no_offer():
    early = after_key(ONE, "enter", MOMENT - 1)
    assert (early.stands, early.taken) == (ONE, False)
    # a line that stands there again offers nothing
    assert after_key(REFUSED, "enter", 0).taken


@table
def test_what_stands_there_after_a_refusal(line, fault, read, offered, asks, stands):
    found = standing_after(line, fault, read, offered, asks)
    assert (found.lines if found else ()) == stands
    assert found is None or found.offered == bool(offered)


def test_what_keys_do_fits_sixty_columns():
    for standing in STANDING.values():
        assert len(told_of(standing)) < 60


@table
def test_words_stay_whole_at_the_edge(text, column, width, rows):
    filled = filled_rows(text, column, width)
    shown = " " * column + "".join(" " * filled.get(at, 0) + letter for at, letter in enumerate(text))
    found = [shown[at : at + width].strip() for at in range(0, len(shown), width)]
    assert tuple(filter(None, found)) == rows


@table
def test_which_line_a_word_means(lines, word, meant):
    assert OpenQuestion(tuple(lines)).answered(word) == meant


def test_words_by_which_a_line_is_told():
    assert words_of(["Ben: (RRRR) 5d <5d", "Ben: [RRRR] 5d <5d"]) == [
        ["claimed", "exposed"],
        ["declared", "concealed"],
    ]


@pytest.fixture
def sit(tmp_path):
    """Sits down to an evening in which lines were typed."""
    path = tmp_path / "e.mj"
    play(path, "quit", options=("--players", "Ann Ben 'Old Cid' Dee", "-r", "harr"))
    table = Controller(Store(str(path)), lambda text: None, Style(), asks=True)
    yield table
    table.store.close()


@table
def test_what_is_offered_and_what_it_comes_to(sit, typed, offers, answer, file):
    for line in typed:
        refusal_of(sit.take, line)
    assert list(sit.offers) == offers
    sit.take(answer)
    assert sit.session.evening.text.rstrip().rpartition("\n")[2].strip() == file


def test_a_number_that_may_be_a_score_is_asked_about(sit):
    for line in ("ann 2", "cid 8", "dee 0"):
        sit.take(line)
    refusal_of(sit.take, "ben rrr 123b 456b 789b 5d 5d")
    assert refusal_of(sit.take, "2").code == "two-readings"
    assert sit.offers == ("Ben: RRR 123b 456b 789b 5d <5d", "Ben 2")
    sit.take("2")
    assert "  Ben: 2\n" in sit.session.evening.text


def test_a_number_that_may_be_a_tile_is_asked_about(sit):
    refusal_of(sit.take, "ben 123b 456b 789b 55d rrr drawn")
    assert refusal_of(sit.take, "2").code == "two-readings"
    assert sit.offers[1] == "ben 123b 456b 789b 55d rrr drawn, last tile 2"
    sit.take("2")
    assert "+2b" in sit.session.evening.text
    # a line of its own is no tile
    refusal_of(sit.take, "cid 123b 456b 789b 55d rrr drawn")
    sit.take("ann 2")
    assert sit.session.evening.text.endswith("  Ann: 2\n")


def test_a_question_stands_until_it_is_answered(sit):
    line = "ben chow 123 bamboo, chow 456 bamboo, 777 dots, 888 dots, pair of 5 dots, last 5"
    refusal_of(sit.take, line)
    offered = sit.offers
    sit.take("what are the standings")
    refusal_of(sit.take, "hmm")
    assert sit.offers == offered
    sit.take("it was claimed, I think")
    assert sit.session.evening.text.endswith("  Ben: 123b 456b 777d 888d 5d <5d\n")
    # another line is no answer: what was offered before it goes
    for other in ("ann 12x", "dee foo", "foo 5"):
        refusal_of(sit.take, line)
        refusal_of(sit.take, other)
        assert sit.offers != offered


def test_yes_takes_what_was_offered_last_and_writes_no_change_for_it(sit):
    """The question whether to write a change stays, until nothing else is offered."""
    sit.take("2 8 64w 0")
    sit.take("edit 1")
    sit.take("ann 4")
    text = sit.session.evening.text
    assert refusal_of(sit.take, "wait how do I get out of this").lines == ("help",)
    sit.take("yes")
    assert (sit.session.evening.text, sit.offers, sit.session.proposal is None) == (text, (), False)
    sit.take("yes")
    assert "  Ann: 4\n" in sit.session.evening.text
    assert sit.session.proposal is None


def test_a_hand_whose_discarder_is_told_within_it_is_not_split(sit):
    """No part of it can be read alone."""
    line = "dee shanpon 3p/chun, ann dealt the chun. 444s called, 789m closed twice"
    assert all(offered.startswith("Dee: ") for offered in refusal_of(sit.take, line).lines)


def test_yes_to_several_lines_asks_which(sit):
    sit.take("2 8 64w 0")
    sit.take("edit 1")
    sit.take("ann 4")
    text = sit.session.evening.text
    refusal_of(sit.take, "flower number one")
    offered = sit.offers
    assert len(offered) == 4
    asked = refusal_of(sit.take, "yes")
    assert (asked.message, asked.lines, sit.offers) == ("which is meant?", offered, offered)
    assert sit.session.evening.text == text


def test_a_hand_of_nobody_is_that_of_a_player_whose_line_is_missing(sit):
    """So no hand that was read is replaced by one that names nobody."""
    sit.take("ben: 111b 222b 333b 444b 5d drew 5d")
    refusal_of(sit.take, "flower number one")
    assert sit.offers == ("Ann: 1f ...", '"Old Cid": 1f ...', "Dee: 1f ...")


@pytest.mark.parametrize("head", ["hand 1 is wrong,", "hand 1:", "Hand one was wrong:"])
def test_tiles_of_a_hand_that_is_numbered_are_not_of_the_next(sit, head):
    sit.take("2 8 64w 0")
    refused = refusal_of(sit.take, f"{head} dee had a kong of souths concealed")
    assert refused.message == "is this about hand 1, which was played?"
    assert sit.offers[0] == "edit 1: Dee [SSSSw] ..."


@pytest.mark.parametrize("tile", ["the five of dots", "it was the five", "5d", "the 5 of circles"])
def test_the_last_tile_is_told_in_words(sit, tile):
    refusal_of(sit.take, "ben 123b 456b 789b 55d rrr drawn")
    sit.take(tile)
    assert sit.session.evening.text.endswith("  Ben: 123b 456b 789b 5d RRRd +5d\n")


@pytest.mark.parametrize(
    "answer", ["the five of dots and old cid threw it", "5d, from cid", "5 dots, off cid"]
)
def test_the_last_tile_is_told_with_its_discarder(sit, answer):
    refusal_of(sit.take, "ben 123b 456b 789b rrr 5d 5d")
    sit.take(answer)
    assert sit.session.evening.text.endswith('  Ben: 123b 456b 789b 5d RRRd <5d:"Old Cid"\n')


def test_a_tile_that_cannot_be_the_last_leaves_the_question(sit):
    refusal_of(sit.take, "ben 123b 456b 789b rrr 5d 5d")
    offered = sit.offers
    refusal_of(sit.take, "the nine of dots and dee threw it")
    assert sit.offers == offered


@pytest.mark.parametrize(
    "line", ["from dee", "off dee", "Ann's was off dee", "dee threw it", "it was dee's tile"]
)
def test_a_discarder_is_added_to_who_won_this_hand(sit, line):
    sit.take("ann 30 win")
    refusal_of(sit.take, line)
    assert sit.offers == ("Ann 30 win from Dee",)
    sit.take("yes")
    assert sit.session.evening.text.endswith("  Ann: 30 win from Dee\n")


@pytest.mark.parametrize("line", ["from dee", "that was off dee", "Ann's was off dee"])
def test_a_discarder_is_added_to_a_hand_that_was_played(sit, line):
    sit.take("30w 2 8 0")
    told = refusal_of(sit.take, line)
    assert (told.message, told.hint) == (
        "is this about hand 1, which was played?",
        "type edit 1: Ann 30 win from Dee",
    )
    sit.take("yes")
    sit.take("yes")
    assert "Ann: 30 win from Dee" in sit.session.evening.text


@pytest.mark.parametrize(
    ("before", "line"),
    [("ben 30", "from dee"), ("ann 30 win", "from ann"), ("ann 30 win", "dee pays for it")],
)
def test_a_discarder_is_added_to_nothing_else(sit, before, line):
    sit.take(before)
    refusal_of(sit.take, line)
    assert not any(" from " in offered for offered in sit.offers)


def test_what_was_offered_may_be_taken_after_a_question_but_no_longer_stands_there(sit):
    refusal_of(sit.take, "who is wining")
    sit.take("who is east")
    assert (sit.offers, sit.goes_on) == (("who is winning",), False)
    refusal_of(sit.take, "cid gives everyone 10")
    assert sit.goes_on


@pytest.mark.parametrize(
    ("line", "said"),
    [("set mandarins yes", "-s mandarins=yes"), ("set limit 600", "set limit 600 at the head")],
)
def test_a_setting_belongs_to_the_beginning(sit, line, said):
    assert said in refusal_of(sit.take, line).hint


@pytest.mark.parametrize(
    "line",
    [
        "sorry dee 12",
        "make that dee 12",
        "no, dee had 12",
        "dee should have 12",
        "correction: Dee 12",
        "that's wrong, dee had 12 not 8",
    ],
)
def test_what_seems_to_correct_a_hand_that_was_played_is_asked(sit, line):
    sit.take("2 8 64w 0")
    assert refusal_of(sit.take, line).message == "is this about hand 1, which was played?"
    assert sit.offers == ("edit 1: Dee 12", "Dee 12")
    sit.take("1")
    assert sit.session.proposal is not None


def test_a_win_that_was_told_goes_to_another_only_if_that_is_confirmed(sit):
    sit.take("ben: (222d) 123b 456b 789b 5c <5c:dee")
    told = refusal_of(sit.take, "dee 52 win from ann, ann 6, ben 0")
    assert told.message == "Ben: (222d) 123b 456b 789b 5c <5c:Dee won this hand; now Dee wins it"
    assert "Ben: (222d)" in sit.session.evening.text
    sit.take("yes")
    assert "Dee: 52 win from Ann" in sit.session.evening.text
    sit.take("dee 54 win, ben 2")  # the same winner


def test_a_win_in_an_earlier_hand_is_not_that_of_the_hand_in_progress(sit):
    said: list[str] = []
    table = Controller(sit.store, said.append, Style(), asks=False)
    for line in ("2 8 64w 0", "ben 64 win", "edit 1", "ann 2, ben 8, old cid 0, dee 52 win", "yes"):
        table.take(line)
    assert "Dee: 52 win" in table.session.evening.text
    assert not any("won this hand" in one for one in said)
    table.take("dee 52 win, ben 8")  # here it is told, since nobody can be asked
    assert any("Ben: 64 win won this hand; now Dee wins it" in one for one in said)


@pytest.mark.parametrize(
    "line",
    [
        "edit 1: Dee 12",
        "edit 1 Dee 12",
        "EDIT 1:DEE 12",
        "edit first: dee 12",
        "edit the 1st hand: dee 12",
        "edit 1 d 12",
    ],
)
def test_a_hand_is_corrected_in_one_line(sit, line):
    sit.take("2 8 64w 0")
    assert refusal_of(sit.take, "edit 7: Dee 12").message == "there is no hand 7"
    sit.take(line)
    sit.take("yes")
    assert "  Dee: 12\n" in sit.session.evening.text
    assert refusal_of(sit.take, "edit 1: Dee a lot").code == "no-seat-line"
    assert sit.session.draft is not None  # the hand is open, and the line can be typed again


@pytest.mark.parametrize(
    "line",
    [
        "in hand 1 dee had 14, not 4", "we made a mistake in the first hand, dee had fourteen",
        "the first hand was wrong, dee had 14", "in the last hand dee had 14", "change hand 1, dee had 14",
        "hand 1: dee 14",
    ],
)  # fmt: skip
def test_a_correction_in_a_sentence_is_offered_whole(sit, line):
    sit.take("2 8 64w 0")
    assert refusal_of(sit.take, line).lines[0] == "edit 1: Dee 14"
    sit.take(sit.offers[0])
    sit.take("yes")
    assert "  Dee: 14\n" in sit.session.evening.text


@pytest.mark.parametrize("line", ["hand 3: dee 12", "in hand 5 dee had 12 not 22", "dee had 12 in hand 3"])
def test_no_score_of_this_hand_is_offered_for_one_that_was_not_played(sit, line):
    sit.take("2 8 64w 0")
    assert refusal_of(sit.take, line).code == "no-such-hand"
    assert sit.offers == ()
    assert refusal_of(sit.take, "in hand 2 dee had 12").lines == ("Dee 12",)  # the hand under way
    assert refusal_of(sit.take, "ben out on a chicken hand, 22").code != "no-such-hand"


@pytest.mark.parametrize(
    "line",
    [
        "cid: on the table pung of reds, in hand three greens",
        "dee in hand 2 easts and 3 whites",
        "ann drew 5 dots to make 567 dots, 123 bamboo, 456 bamboo, 789 bamboo and a pair of reds",
        "ben's hand 3 kongs hidden, whites reds greens",
        "ann makes 12",
        "sorry, ann 12, ben 64 win, old cid 8, dee 2",
    ],
)
def test_what_is_of_the_next_hand_is_not_taken_for_a_correction(sit, line):
    for _ in range(3):
        sit.take("2 8 64w 0")
    sit.take(line)
    assert len(sit.session.evening.played) == 4 or sit.session.evening.hand.is_open


def test_what_corrects_a_line_of_this_hand_is_not_asked(sit):
    sit.take("2 8 64w 0")
    sit.take("dee 2")
    sit.take("sorry dee 12")
    assert sit.session.evening.text.endswith("  Dee: 12\n")


@pytest.mark.parametrize("line", ["no it was dee who threw the tile", "it was dee who discarded it"])
def test_who_threw_is_not_asked_back(sit, line):
    sit.take("2 8 64w 0")
    assert refusal_of(sit.take, line).lines == ('edit 1: "Old Cid" 64 win from Dee',)


@pytest.mark.parametrize(
    ("line", "offers"), [("the 2nd hand was wrong", ()), ("the 1st hand was wrong", ("edit 1",))]
)
def test_only_a_hand_that_was_played_is_offered_to_be_corrected(sit, line, offers):
    sit.take("2 8 64w 0")
    refusal_of(sit.take, line)
    assert sit.offers == offers


@pytest.mark.parametrize(
    "line", ["so who owes whom overall?", "who pays what at the end of the night", "settle the evening"]
)
def test_what_is_owed_for_the_evening_is_in_the_standings(sit, line):
    sit.take("2 8 64w 0")
    assert refusal_of(sit.take, line).lines == ("standings",)


@pytest.mark.parametrize(
    ("answer", "written"), [("1", "  Dee: 6"), ("2", "note Dee 6"), ("note Dee 6", "note Dee 6")]
)
def test_scores_are_noted_only_if_that_is_meant(sit, answer, written):
    refusal = refusal_of(sit.take, "please note Dee 6")
    assert refusal.message == "these are scores; are they only to be noted?"
    assert sit.offers == ("Dee 6", "note Dee 6")
    sit.take(answer)
    assert sit.session.evening.text.rstrip("\n").rpartition("\n")[2] == written


def test_what_cannot_be_shown_yet_is_not_offered(sit):
    refusal = refusal_of(sit.take, "so who forks over what to whom")
    assert sit.offers == ()
    assert "did you mean" not in refusal.hint
    sit.take("2 8 64w 0")
    refusal_of(sit.take, "so who forks over what to whom")
    assert sit.offers == ("show last",)


@pytest.mark.parametrize("line", ["note Dee 6", "  NOTE Dee 6"])
def test_what_is_called_a_note_is_noted(sit, line):
    sit.take(line)
    assert sit.session.evening.text.endswith("note Dee 6\n")


def test_what_is_not_to_be_corrected_is_no_line_of_the_edit(sit):
    sit.take("2 8 64w 0")
    sit.take("edit 1, not 2")
    assert sit.session.draft is not None


def test_what_is_no_score_is_noted_at_once(sit):
    sit.take("please note dee was late")
    assert sit.session.evening.text.endswith("note dee was late\n")


@pytest.mark.parametrize("yes", ["yes", "Yes.", "yes please", "ok", "go on"])
def test_yes_without_a_question(sit, yes):
    assert refusal_of(sit.take, yes).code == "nothing-to-write"


def test_yes_is_of_an_edit_where_nothing_else_asks(sit):
    for line in ("2 8 64w 0", "edit 1", "ann 4"):
        sit.take(line)
    refusal_of(sit.take, "ben rrrr 22b 345c 99c 678d +9c")
    assert refusal_of(sit.take, "yes").message == "which is meant?"
    sit.take("no")  # to what is offered
    assert "note edited" not in sit.session.evening.text
    sit.take("yes")
    assert "note edited" in sit.session.evening.text


@pytest.fixture
def screen(tmp_path):
    """Starts the evening on a screen of some columns."""
    pyte = pytest.importorskip("pyte")
    from terminal import Screen

    return lambda columns, **environment: Screen(pyte, columns, tmp_path / "e.mj", **environment)


@pytest.mark.parametrize(("columns", "environment"), [(100, {}), (60, {"NO_COLOR": "1"})])
def test_on_a_screen(tmp_path, screen, columns, environment):
    with screen(columns, **environment) as screen:
        screen.text_with("1> ")
        screen.press("ben 12x\r")
        screen.text_with("typing replaces it", selected="ben 12x")
        line, column = screen.cursor()
        assert screen.lines()[line][column : column + 3] == "12x"
        # what is typed takes its place; an arrow keeps it
        screen.press("ben 12q\r")
        screen.text_with("1> ben 12q\\s+typing replaces it")
        screen.press("\x1b[D")
        screen.text_with("ben 12q", selected="")
        screen.press("\x7f\x15quite wrong\r")
        # nothing in it could be read: the line is empty, and Up has it
        screen.text_with(r"quite is not[\s\S]*1> +\n")
        screen.press("\x1b[A")
        screen.text_with(r"1> quite wrong +\n")
        screen.press("\x15ann rrr 123b 456b 789b 5d 5d\r")
        screen.text_with("offered, 1 of 2", selected="Ann: RRR 123b 456b 789b 5d +5d")
        screen.press("\t")
        screen.text_with("offered, 2 of 2")
        screen.press("\r")
        screen.text_with(r"1 \(Ben, Old Cid, Dee\)> ")
        screen.press("eve for ann\r")
        screen.text_with("hand is being typed")
        screen.press("drop\r")
        screen.text_with("undo brings them back")
        screen.press("eve for ann\r")
        screen.text_with("offered: Enter takes it")
        screen.press("who is east\r")
        screen.text_with(r"N Dee\s+1> +\n")
        screen.press("\x1b[200~ann 2\rben 8\x1b[201~")
        screen.text_with(r"1> ann 2 +\n *ben 8 ")
        screen.press("\r")
        screen.text_with(r"1 \(Old Cid, Dee\)> ")
        screen.press("quit\r")
        screen.text_with("The evening is in")
    assert (tmp_path / "e.mj").read_text().endswith("hand @E\n  Ann: 2\n  Ben: 8\n")
