"""Where East goes after every kind of hand, by every rulebook; rounds, rotas and totals."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from checks import check_text
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.record.ledger import (
    Position,
    after_draw,
    after_stop,
    after_wash,
    after_win,
    as_played,
    begin,
    change_seats,
    round_number,
    round_wind,
    seating,
    seats_for,
    sitting_out,
    with_net,
)
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

ROOT = Path(__file__).parents[2]
NAMES = ("Ann", "Ben", "Cid", "Dee", "Eve")
WINNER_TAKES_EAST = {"east-passes": "winner"}


def moved(rulebook: str, event: str, **options: object) -> tuple[int, int, int]:
    """East's place, the passes and East's wins in a row, after *event* in a game where East had won twice."""
    book = bind(rulebook, {key.replace("_", "-"): value for key, value in options.items()})
    before = begin(NAMES[:4])._replace(east=1, passes=1, east_wins=2, hands=3)
    kind, _, seat = event.partition(" ")
    after = {
        "win": lambda: after_win(before, seat, book),
        "draw": lambda: after_draw(before, seat == "four", book),
        "wash": lambda: after_wash(before, seat, book.settling.wash, book),
        "stop": lambda: after_stop(before),
    }[kind]()
    assert after.hands == 4
    assert (after.players, after.totals) == (before.players, before.totals)
    return after.east, after.passes, after.east_wins


# a drawn hand breaks the row of wins (D71)
STAYS, DRAWN, PASSES = (1, 1, 2), (1, 1, 0), (2, 2, 0)


@table
def test_east_stays_or_passes(rulebook, event, expected):
    for name in RULEBOOKS if rulebook == "every" else [rulebook]:
        assert moved(name, event) == expected, name


@pytest.mark.parametrize(("seat", "expected"), [("E", PASSES), ("S", STAYS), ("N", STAYS)])
def test_nine_mummies_of_easts_own_pass_it(seat, expected):
    """Babcock p. 80-81; so too for a hand that does not touch (D71)."""
    assert moved("babcock-chinese", f"wash {seat}", nine_mummies=True) == expected
    book = bind("babcock-chinese", {"not-touching": True})
    before = begin(NAMES[:4])._replace(east=1, passes=1, east_wins=2, hands=3)
    after = after_wash(before, seat, book.settling.not_touching, book)
    assert (after.east, after.passes, after.east_wins) == expected


@pytest.mark.parametrize(
    ("event", "expected"),
    [("win E", (1, 1, 3)), ("win S", (2, 2, 0)), ("win W", (3, 2, 0)), ("win N", (0, 2, 0)), ("draw", DRAWN)],
)
def test_the_winner_takes_the_east(event, expected):
    """Babcock p. 79: Ben is East, so South is Cid, West Dee, North Ann."""
    assert moved("babcock-chinese", event, east_passes="winner") == expected


@pytest.mark.parametrize("event", ["win E", "win W", "draw", "draw four"])
@pytest.mark.parametrize("rulebook", ["babcock", "babcock-chinese"])
def test_progressive_mah_jongg_passes_after_every_hand(rulebook, event):
    """Babcock p. 85-86."""
    assert moved(rulebook, event, progressive=True) == PASSES


@table
def test_seats_that_change(rulebook, options, before, change, expected):
    book = bind(rulebook, options)
    names, east, number, in_round = before
    comes, leaves = change
    position = begin(tuple(names))._replace(totals=tuple(range(1, 1 + len(names))))
    position = position._replace(passes=number * len(seats_for(len(names), book)) + in_round)
    playing = [name for name in names if name != sitting_out(position, book)]
    position = position._replace(east=playing.index(east), east_wins=3)
    count = len(expected[0])
    after_book = bind(rulebook, {**options, **({"players": count} if "players" in book.options else {})})
    after = change_seats(position, comes, leaves, book, after_book)
    seats = len(seats_for(count, after_book))
    assert ("".join(after.players), seating(after, after_book)["E"], *divmod(after.passes, seats)) == expected
    assert after.east_wins == (0 if leaves == east else 3)
    assert sum(after.points.values()) == sum(position.totals)
    assert after.points.get(comes, 0) == 0
    assert dict(after.left) == ({leaves: position.points[leaves]} if leaves else {})


def test_who_comes_back_goes_on_with_their_points():
    book = bind("harr")
    position = begin(("A", "B", "C", "D"))._replace(totals=(10, -4, -4, -2))
    position = change_seats(position, "E", "A", book, book)
    position = change_seats(position, "A", "B", book, book)
    assert (position.players, position.totals, position.left) == (
        ("E", "A", "C", "D"),
        (0, 10, -4, -2),
        (("B", -4),),
    )


def test_winds_of_an_evening():
    book = bind("harr")
    position = begin(NAMES[:4])
    assert seating(position, book) == {"E": "Ann", "S": "Ben", "W": "Cid", "N": "Dee"}
    position = after_win(position, "W", book)
    assert seating(position, book) == {"E": "Ben", "S": "Cid", "W": "Dee", "N": "Ann"}
    winds = [round_wind(position._replace(passes=passes), book) for passes in range(18)]
    assert "".join(winds) == "EEEESSSSWWWWNNNNEE"


@pytest.mark.parametrize("name", RULEBOOKS)
def test_four_sit_at_all_winds(name):
    assert seats_for(4, bind(name)) == "ESWN"


@table
def test_smaller_and_larger_tables(count, rulebook, options, winds):
    book = bind(rulebook, options)
    assert seats_for(count, book) == winds
    position = begin(NAMES[:count])
    rounds = [round_number(position._replace(passes=passes), book) for passes in range(3 * len(winds))]
    assert rounds == [number for number in range(3) for _ in winds]
    easts = []
    for _ in winds:
        seats = seating(position, book)
        assert [wind for wind in seats if wind != "X"] == list(winds)
        assert sorted(seats.values()) == sorted(NAMES[:count])
        easts.append(seats["E"])
        position = after_win(position, winds[1], book)
    assert easts == list(NAMES[: len(winds)])
    assert round_wind(position, book) == "S"


def test_five_sit_out_in_turn_and_each_is_east_as_often():
    """Babcock p. 85: a round each, and after five rounds all have sat out once."""
    book = bind("babcock", {"players": 5})
    position = begin(NAMES)
    out, easts = [], []
    for _ in range(20):
        seats = seating(position, book)
        assert seats["X"] == sitting_out(position, book)
        out.append(seats["X"])
        easts.append(seats["E"])
        position = after_win(position, "W", book)
    assert out == [name for name in ("Eve", "Ann", "Ben", "Cid", "Dee") for _ in range(4)]
    assert {name: easts.count(name) for name in NAMES} == dict.fromkeys(NAMES, 4)
    assert sitting_out(begin(NAMES[:4]), book) is None


RULES = st.sampled_from(
    [(name, {}) for name in RULEBOOKS] + [("babcock", {"progressive": True}), ("babcock-chinese", {})]
)
EVENTS = st.lists(
    st.one_of(st.sampled_from("ESWN"), st.sampled_from(["draw", "four", "stop", "wash"])), max_size=60
)


def followed(position: Position, event: str, rulebook: str, options: dict[str, object]) -> Position:
    book = bind(rulebook, options)
    if event in ("draw", "four"):
        return after_draw(position, event == "four", book)
    if event == "stop":
        return after_stop(position)
    if event == "wash":
        return after_wash(position, "S", book.settling.wash, book)
    return after_win(position, event, book)


@given(RULES, EVENTS)
def test_everybody_is_east_once_a_round(rules, events):
    """The East goes round the table; each holds it once, however often it stays with him."""
    book = bind(*rules)
    position = begin(NAMES[:4])
    holders = [seating(position, book)["E"]]
    rounds = [0]
    for event in events:
        before = position
        position = followed(position, event, *rules)
        assert position.passes - before.passes in (0, 1)
        assert position.hands == before.hands + 1
        if position.passes != before.passes:
            holders.append(seating(position, book)["E"])
            rounds.append(round_number(position, book))
        else:
            assert seating(position, book) == seating(before, book)
    for start in range(0, len(holders) - 3, 4):
        assert holders[start : start + 4] == list(NAMES[:4])
        assert len(set(rounds[start : start + 4])) == 1
    assert all(after - before in (0, 1) for before, after in pairwise(rounds))


@given(st.lists(st.sampled_from("SWN"), min_size=1, max_size=40))
def test_where_the_winner_takes_the_east_the_winner_is_east(winners):
    book = bind("babcock-chinese", WINNER_TAKES_EAST)
    position = begin(NAMES[:4])
    for winner in winners:
        name = seating(position, book)[winner]
        position = after_win(position, winner, book)
        assert seating(position, book)["E"] == name
    assert position.passes == len(winners)


@given(
    st.lists(
        st.tuples(st.sampled_from("ESWN"), st.lists(st.integers(0, 900), min_size=4, max_size=4)), max_size=12
    ),
    st.sampled_from(RULEBOOKS),
)
def test_totals_are_the_sums_of_the_nets_and_come_to_nothing(hands, rulebook):
    """A whole file: what each player won and lost, by name, whatever winds he had."""
    lines = [f"rulebook {rulebook}", "players Ann Ben Cid Dee"]
    for winner, scores in hands:
        lines.append("hand")
        for wind, score in zip("ESWN", scores, strict=True):
            lines.append(f"  {wind}: {score}{' win drawn' if wind == winner else ''}")
    sums = dict.fromkeys(NAMES[:4], 0)
    for one in check_text("\n".join(lines)):
        assert not one.refusals, one.refusals
        assert one.after is not None
        for wind, points in one.outcome.net.items():
            sums[one.seats[wind]] += points
        assert dict(zip(one.after.players, one.after.totals, strict=True)) == sums
        assert sum(one.after.totals) == 0
        assert one.after.points["Cid"] == sums["Cid"]


def test_totals_follow_the_names():
    position = with_net(
        begin(NAMES[:4]),
        {"E": -30, "S": 10, "W": 5, "N": 15},
        {"E": "Dee", "S": "Ann", "W": "Ben", "N": "Cid"},
    )
    assert position.totals == (10, 5, 15, -30)


@table
def test_nobody_sits_where_the_dummy_is(rulebook, line, net):
    """Three play a game of four (Harr p. 76): what is paid to each other player is paid to two."""
    text = f"rulebook {rulebook}\nplayers A B C\n{line}\n"
    (event,) = check_text(text)
    assert event.ok, event.refusals
    assert set(event.outcome.net) == set("ESW")
    assert net is None or event.outcome.net == net
    assert sum(event.outcome.net.values()) == 0


def test_remarks_of_an_evening_call_the_players_by_name():
    (hand,) = [
        one
        for one in check_file(str(ROOT / "samples/evening.mj"), Context())
        if one.label == "The third dragon"
    ]
    assert hand.outcome.remarks[0].startswith("Ann pays for all: Discarded the third dragon")


@pytest.mark.parametrize(("winner", "east"), [("S", "Ben"), ("W", "Cid"), ("N", "Dee")])
def test_of_five_the_winner_takes_east_where_a_new_round_seats_others(winner, east):
    book = bind("babcock-chinese", {"players": 5, **WINNER_TAKES_EAST})
    last = begin(NAMES)._replace(passes=3)
    assert seating(last, book)[winner] == east
    assert seating(after_win(last, winner, book), book)["E"] == east


def test_of_five_who_won_and_sits_out_next_cannot_take_east():
    book = bind("babcock-chinese", {"players": 5, **WINNER_TAKES_EAST})
    last = begin(NAMES)._replace(passes=3, east=2)
    assert seating(last, book)["W"] == "Ann"
    after = after_win(last, "W", book)
    assert sitting_out(after, book) == "Ann"
    assert seating(after, book)["E"] == "Ben"


def test_a_new_evening():
    assert begin(NAMES) == Position(NAMES, 0, 0, 0, 0, (0, 0, 0, 0, 0))
    assert Position(NAMES) == Position(NAMES, 0, 0, 0, 0, ())


# Ann, Ben, Cid and Dee began as East, South, West, North: the n-th round has passes 4n to 4n + 3
@table
def test_a_hand_is_taken_at_its_word_on_east_and_round(passes, named, expected):
    book = bind("harr")
    before = begin(NAMES[:4])._replace(east=passes % 4, passes=passes, east_wins=2, hands=3)
    after = as_played(before, *named, None, book)
    assert (after.east, after.passes, after.east_wins) == expected
    assert (after.hands, after.totals) == (before.hands, before.totals)


@pytest.mark.parametrize(
    ("named", "expected"),
    [(("Dee", "E"), (3, 2, 0)), (("Ann", "S"), (0, 4, 0)), (("Cid", "S"), (2, 6, 0))],
)
def test_where_the_winner_takes_the_east_who_is_east_tells_nothing_of_the_round(named, expected):
    """East has passed twice in the round, to whomever; a later round begins with its first East."""
    book = bind("babcock-chinese", WINNER_TAKES_EAST)
    before = begin(NAMES[:4])._replace(east=1, passes=2, east_wins=2)
    after = as_played(before, *named, None, book)
    assert (after.east, after.passes, after.east_wins) == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (("Dee", "E", 1), (3, 1, 0)),
        (("Ben", "E", 3), (1, 3, 2)),
        (("Cid", "S", 2), (2, 6, 0)),
        (("Cid", "S", 9), (2, 7, 0)),
    ],
)
def test_how_often_it_has_passed_may_be_said(named, expected):
    book = bind("babcock-chinese", WINNER_TAKES_EAST)
    before = begin(NAMES[:4])._replace(east=1, passes=2, east_wins=2)
    after = as_played(before, *named, book)
    assert (after.east, after.passes, after.east_wins) == expected


def test_of_five_who_sits_out_in_that_round_is_no_east():
    """In the second round Ann sits out, and Ben is its first East (Babcock p. 85)."""
    book = bind("babcock", {"players": 5})
    before = begin(NAMES)._replace(east=1, passes=1)
    assert as_played(before, "Ann", "S", None, book) == before
    after = as_played(before, "Ben", "S", None, book)
    assert (after.east, after.passes) == (0, 4)
    assert seating(after, book) == {"E": "Ben", "S": "Cid", "W": "Dee", "N": "Eve", "X": "Ann"}


def test_who_is_not_among_the_nets_keeps_his_total():
    position = begin(NAMES)._replace(totals=(5, 5, 5, 5, 5))
    after = with_net(position, {"E": 3, "S": -3}, {"E": "Ben", "S": "Eve"})
    assert after.totals == (5, 8, 5, 5, 2)


def test_four_players_keep_their_places_when_a_round_ends():
    """Where the winner takes the East it may be anybody's; after a draw with a four the next has it (Babcock p. 68)."""
    book = bind("babcock-chinese", WINNER_TAKES_EAST)
    before = begin(NAMES[:4])._replace(east=1, passes=3)
    after = after_draw(before, True, book)
    assert (after.east, after.passes) == (2, 4)


def test_of_two_players_east_passes_to_and_fro():
    book, position = bind("harr"), begin(("Ann", "Ben"))
    places = []
    for _ in range(4):
        position = after_win(position, "W", book)
        places.append((position.east, position.passes))
    assert places == [(1, 1), (0, 2), (1, 3), (0, 4)]
