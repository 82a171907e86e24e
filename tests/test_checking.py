"""Files: good and bad lines together, blocks, events, evenings whose winds pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjscore.checking import Checked, Context, Reader
from mjscore.ledger import begin, round_wind, seating, sitting_out
from mjscore.rulebook import bind
from mjscore.table_file import groups, lines_of


def check(text: str, **context: object) -> list[Checked]:
    return list(Reader("x.mj", Context(**context)).check(groups(lines_of(text))))


def codes(found: list[Checked]) -> list[tuple[int, str]]:
    return [(refusal.line or 0, refusal.code) for one in found for refusal in one.refusals]


MIXED = """# good and bad together
rulebook harr
"good" (123b) (456c) 22d 789b 11c <2d = 22
123 456b
"wrong figure" (123b) (456c) 22d 789b 11c <2d = 24
(124b) 333c
nonsense
"refused as expected" 123 = error
"refused as expected, by its tiles" 11111b 22c ... = error
"not refused" (123b) (456c) 22d 789b 11c <2d = error
  S: 64
rulebook nothing
(123b) (456c) 22d 789b 11c <2d
rulebook babcock
set limit much
set limits 3
round X
set limit 600
E: RRR GGG WWWd EEE S +S!original = 600
"""


def test_a_file_reports_every_bad_line_and_scores_every_good_one():
    found = check(MIXED)
    assert codes(found) == [
        (4, "missing-class"), (6, "not-a-set"), (7, "unknown-line"), (11, "stray-row"), (12, "no-rulebook"),
        (13, "no-rulebook"), (15, "option-value"), (16, "unknown-option"), (17, "bad-round"),
    ]  # fmt: skip
    assert [one.line for one in found if not one.ok] == [4, 5, 6, 7, 10, 11, 12, 13, 15, 16, 17]
    assert [one.line for one in found if one.ok] == [3, 8, 9, 19]
    for one in found:
        for refusal in one.refusals:
            assert refusal.file
            assert refusal.column is not None
            assert refusal.hint


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_marks(ending, mark):
    text = mark + ending.join(
        ["", "# a comment", '"a" (123b) (456c) 22d 789b 11c <2d = 22 # so it is', "draw"]
    )
    assert [(one.line, one.ok) for one in check(text)] == [(3, True), (4, True)]


def test_labels_may_hold_anything():
    (one,) = check('"a # b = 3 S: +7c" (123b) (456c) 22d 789b 11c <2d = 22')
    assert one.ok
    assert one.label == "a # b = 3 S: +7c"


@pytest.mark.parametrize(
    ("rows", "code", "line"),
    [
        ("  E: 3 win\n  S: 1\n  W: 1\n  N: x", "unknown-character", 5),
        ("  E: 3 win\n  S: 1 win\n  W: 1\n  N: 1", "two-winners", 1),
        ("  E: 3\n  S: 1\n  W: 1\n  N: 1", "no-winner", 1),
        ("  E: 3 win\n  S: 1\n  W: 1\n  W: 1\n  N: 1", "second-seat", 5),
        ("  E: 3 win\n  Q: 1", "no-such-seat", 3),
        ("  E: 3 win from E\n  S: 1", "from-oneself", 1),
        ("  E: 3 win from Q\n  S: 1", "no-such-seat", 1),
        ("  E: 3 win won", "bad-line", 2),
        ("  E: dead win", "unknown-character", 2),
        ("  E: 3 win\n  S: 1\n  pays Q 3", "no-such-seat", 4),
        ("  E: 3 win\n  S: 1\n  pays E 3 E 3", "second-seat", 4),
        ("  E: 3 win\n  hello", "unknown-line", 3),
        ("  E: (RRR) 123b 456b 789b 5d <5d = 3\n  S: 1", "expected-score", 2),
        ("  E: 99999999999999999999 win\n  S: 1", "huge-number", 2),
        ("  E: RRR ...\n  S: RR ...\n  W: 3 win", "fifth-tile", 1),
    ],
)
def test_blocks_that_cannot_be(rows, code, line):
    found = check(f"hand\n{rows}")
    assert code in [name for _, name in codes(found)] or code == "bad-line", codes(found)
    assert (line, code) in codes(found) or code == "bad-line"
    assert not all(one.ok for one in found)


def test_rows_may_carry_their_score():
    (one,) = check("hand\n  E: (RRR) 123b 456b 789b 5d <5d = 52\n  S: 1\n  W: (GGG) ... = 8\n  N: dead\n")
    assert one.ok


def test_wrong_nets_do_not_hold():
    text = "hand\n  E: 480 win\n  S: 64\n  W: 272\n  N: 16\n  pays E +2880 S -1120 W -496 N {}\n"
    assert check(text.format("-1264"))[0].ok
    assert check(text.format("−1264"))[0].ok
    assert not check(text.format("-1266"))[0].ok


def test_a_block_round_and_defaults():
    text = "round S\nhand\n  S: (SSS) 123b 456b 789c 5c <5c\n  E: 0\n  W: 0\n  N: 0\n"
    assert check(text, rulebook="harr-limit")[0].outcome.sheets["S"].doubles == 2
    assert check(text.replace("hand", "hand @E"), rulebook="harr-limit")[0].outcome.sheets["S"].doubles == 1


def test_false_mah_jongg_and_payments():
    found = check("rulebook harr-limit\nfalse W\npay S E 100\nrulebook harr\nfalse W\npay S S 3\n")
    assert found[0].outcome.net == {"E": 300, "S": 150, "W": -600, "N": 150}
    assert found[1].outcome.net == {"E": 100, "S": -100, "W": 0, "N": 0}
    assert codes(found) == [(5, "no-penalty"), (6, "pays-himself")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("wash S 8", "too-few-heads"),
        ("wash S: 19b19c19d ESWNw RGWd 1b1b", "too-many-tiles"),
        ("wash S: (111b) 5b", "only-tiles"),
        ("wash Q 9", "no-such-seat"),
        ("wash S", "unfinished-line"),
    ],
)
def test_washes_that_cannot_be(line, code):
    assert [name for _, name in codes(check(f"rulebook harr-limit\n{line}"))] == [code]


# ------------------------------------------------------------------ evenings

EVENING = """rulebook babcock
players Ann Ben "Old Cid" Dee
hand @E
  Ann: 22 win
  Ben: 3
  "Old Cid": dead
  Dee: (RRR) ...
  east Ann
draw
hand
  S: (RRR) 123b 456b 789b 5d <5d:Ann
  Ann: 3
  "Old Cid": 0
  Dee: 1
hand
  Ben: 20
  "Old Cid": 40 win from Dee
  Dee: 1
  Ann: 2
  east Ben
"""


def test_the_winds_pass_by_themselves():
    found = check(EVENING)
    assert codes(found) == []
    assert [one.seats["E"] for one in found] == ["Ann", "Ann", "Ann", "Ben"]
    assert found[2].outcome.winner == "S"
    assert found[2].outcome.discarder == "E"
    position = found[-1].after
    assert position.passes == 2
    assert position.hands == 4
    assert sum(position.totals) == 0
    assert position.total("Ann") == sum(
        one.outcome.net[wind] for one in found for wind, name in one.seats.items() if name == "Ann"
    )


def test_the_first_misfit_of_the_winds_is_named():
    mended = EVENING.replace("S: (RRR)", "Ann: 3 win\n  Ben: (RRR)").replace("5d <5d:Ann\n  Ann: 3", "5d")
    found = check(mended)
    assert codes(found) == [(20, "winds-differ")]
    assert codes(check(EVENING.replace("hand @E", "hand @S"))) == [(3, "winds-differ")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("players Ann Ann Cid Dee", "player-name"),
        ("players Ann E Cid Dee", "player-name"),
        ("players Ann", "player-count"),
        ("players Ann Ben Cid Dee Eve", "player-count"),
        ("players Ann Ben Cid", "player-count"),
        ("players Ann Ben Cid Dee\nplayers Ann Ben Cid Dee", "second-players"),
        ("players Ann Ben Cid Dee\nhand\n  Eve: 3 win", "unknown-player"),
        ("rules 0123456789ab", "rules-changed"),
    ],
)
def test_evenings_that_cannot_be(text, code):
    assert code in [name for _, name in codes(check("rulebook babcock\n" + text))]


def test_a_fingerprint_tells_other_rules():
    mark = bind("babcock", {"limit": 600}).fingerprint
    assert check(f"rulebook babcock\nset limit 600\nrules {mark}\n") == []
    assert [name for _, name in codes(check(f"rulebook babcock\nrules {mark}\n"))] == ["rules-changed"]


def test_the_ninth_win_in_a_row_is_seen():
    hand = "hand\n  Ann: 22 win\n  Ben: 0\n  Cid: 0\n  Dee: 0\n"
    text = "rulebook babcock-chinese\nset nine-wins on\nplayers Ann Ben Cid Dee\n" + 9 * hand
    assert [one.outcome.scores["E"] for one in check(text)] == [22] * 8 + [300]


# ------------------------------------------------------------------ the ledger

WINNERS = st.lists(st.sampled_from("ESWN"), min_size=1, max_size=60)


@given(WINNERS)
def test_rounds_end_when_everybody_has_lost_the_east(winners):
    from mjscore.ledger import after_win

    book = bind("harr")
    position = begin(("Ann", "Ben", "Cid", "Dee"))
    lost = 0
    for winner in winners:
        assert sorted(seating(position, book).values()) == ["Ann", "Ben", "Cid", "Dee"]
        assert round_wind(position, book) == "ESWN"[lost // 4 % 4]
        assert seating(position, book)["E"] == position.players[lost % 4]
        position = after_win(position, winner, book)
        lost += winner != "E"
    assert position.hands == len(winners)


def test_five_players_sit_out_in_turn():
    from mjscore.ledger import after_win

    book = bind("babcock", {"players": 5})
    position = begin(("Ann", "Ben", "Cid", "Dee", "Eve"))
    out = []
    for _ in range(20):
        out.append(sitting_out(position, book))
        assert len(set(seating(position, book).values())) == 5
        position = after_win(position, "S", book)
    assert out == ["Eve"] * 4 + ["Ann"] * 4 + ["Ben"] * 4 + ["Cid"] * 4 + ["Dee"] * 4


@pytest.mark.parametrize(("names", "rulebook", "options", "winds"), [
    (("Ann", "Ben"), "babcock", {"players": 2}, "EW"),
    (("Ann", "Ben", "Cid"), "babcock", {"players": 3}, "ESN"),
    (("Ann", "Ben", "Cid"), "harr", {}, "ESW"),
    (("Ann", "Ben"), "harr-limit", {}, "EW"),
])  # fmt: skip
def test_smaller_tables(names, rulebook, options, winds):
    assert "".join(seating(begin(names), bind(rulebook, options))) == winds
