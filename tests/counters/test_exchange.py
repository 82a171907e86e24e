"""Counters: the fewest that change hands, against an exhaustive search; none is ever lost."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from amounts import part_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from programs import run_command
from refusals import refusal_of
from tables import table

import mjscore
from mjscore.counters.counter_sets import Counter, CounterSet, load_counters
from mjscore.counters.exchange import debts, exchange, paid_outright
from mjscore.counters.fewest import (
    MOST_STEPS,
    SearchTooLongError,
    Steps,
    _can_be,
    _can_be_dealt,
    _choices,
    _Needs,
    fewest,
)
from mjscore.counters.holdings import Purses
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Settlement

BABCOCK = load_counters("babcock")


def small_set(*values: int) -> CounterSet:
    return CounterSet("small", "Small", "test", tuple(Counter(f"the {value}", value, 3) for value in values))


def exhaustive(values, holdings, net):
    """The fewest counters moved, by trying every way to divide each kind; None where none pays all."""
    fewest_moved = {tuple(net.values()): 0}  # by what everybody is still to get
    for value, held in zip(values, zip(*(holdings[seat] for seat in net), strict=True), strict=True):
        ways = [
            gains for gains in product(*(range(-has, sum(held) - has + 1) for has in held)) if sum(gains) == 0
        ]
        reached = {}
        for (left, moved), gains in product(fewest_moved.items(), ways):
            then = tuple(points - value * gain for points, gain in zip(left, gains, strict=True))
            cost = moved + sum(gain for gain in gains if gain > 0)
            reached[then] = min(cost, reached.get(then, cost))
        fewest_moved = reached
    return fewest_moved.get((0,) * len(net))


@settings(max_examples=part_of(120), deadline=None)
@given(
    st.sampled_from([(10, 5, 1), (10, 4, 1), (7, 3), (6, 4, 2)]),
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=3, max_size=3),
    st.tuples(st.integers(-12, 12), st.integers(-12, 12)),
)
def test_the_exchange_equals_an_exhaustive_search(values, counts, points):
    holdings = {seat: tuple(row[: len(values)]) for seat, row in zip("ESW", counts, strict=True)}
    net = {"E": points[0], "S": points[1], "W": -sum(points)}
    found = exchange(small_set(*values), holdings, net)
    best = exhaustive(values, holdings, net)
    if best is None:
        assert found.problem.code in ("cannot-pay", "no-change")
        assert found.transfers == ()
        return
    assert found.problem is None
    assert found.moved == best
    for seat in net:
        before, after = holdings[seat], found.holdings[seat]
        assert (
            sum(value * (now - was) for value, now, was in zip(values, after, before, strict=True))
            == net[seat]
        )
        assert min(after) >= 0
    for one in found.transfers:
        assert one.giver != one.taker
    for kind in range(len(values)):
        moved = dict.fromkeys(net, 0)
        for one in found.transfers:
            moved[one.giver] -= one.counts[kind]
            moved[one.taker] += one.counts[kind]
        assert all(holdings[seat][kind] + moved[seat] == found.holdings[seat][kind] for seat in net)


@table
def test_the_fewest_where_more_are_found_by_haste(values, holdings, net, moved):
    """What each needs by himself allows less than what all need together: the first that fits is not yet the least."""
    held, due = (dict(zip("ESWNX", rows, strict=False)) for rows in (holdings, net))
    found = exchange(small_set(*values), held, due)
    assert found.moved == moved
    if len(net) == 3:
        assert exhaustive(values, held, due) == moved


@settings(max_examples=part_of(60), deadline=None)
@given(st.lists(st.integers(-60, 60), min_size=3, max_size=3))
def test_never_more_counters_than_paying_outright(parts):
    net = dict(zip("ESW", (2 * part for part in parts), strict=True))
    net["N"] = -sum(net.values())
    start = BABCOCK.starting("ESWN")
    found = exchange(BABCOCK, start, net)
    outright = paid_outright(BABCOCK, debts(net))
    paid = {seat: [0] * 4 for seat in "ESWN"}
    for one in outright.transfers:
        for kind, count in enumerate(one.counts):
            paid[one.giver][kind] += count
    if found.problem is None and all(
        paid[seat][kind] <= start[seat][kind] for seat in "ESWN" for kind in range(4)
    ):
        assert found.moved <= outright.moved


def worth(counts: tuple[int, ...]) -> int:
    return sum(value * count for value, count in zip(BABCOCK.values, counts, strict=True))


@pytest.mark.parametrize(("pair_by_pair", "bank"), [(False, False), (True, False), (False, True)])
def test_an_evening_of_sixty_hands_conserves_every_counter(pair_by_pair, bank):
    chance = random.Random(29)
    purses = Purses(BABCOCK, BABCOCK.starting("ESWN"), pair_by_pair, bank)
    assert {sum(row) for row in purses.holdings.values()} == {29}
    assert {worth(row) for row in purses.holdings.values()} == {2000}
    totals = dict.fromkeys("ESWN", 2000)
    settled = 0
    for _ in range(part_of(60, 2)):
        scores = {seat: 2 * chance.randrange(20) for seat in "ESWN"}
        settlement = mjscore.settle(scores, chance.choice("ESWN"), "babcock")
        found = purses.settle(settlement)
        for seat, points in settlement.net.items():
            totals[seat] += points
        # what could not be handed over is owed, and is handed over with what comes
        for seat, counts in purses.holdings.items():
            assert worth(counts) + purses.owing.get(seat, 0) == totals[seat]
        assert sum(purses.owing.values()) == 0
        if found.problem is None:
            settled += 1
            assert not purses.owing
        else:
            assert found.problem.code == "cannot-pay"
            assert found.problem.message.split()[0] in ("East", "South", "West", "North")
        if not bank:
            kinds = [sum(row[kind] for row in purses.holdings.values()) for kind in range(4)]
            assert kinds == [8, 36, 32, 40]
    assert settled >= 15


@settings(max_examples=part_of(80), deadline=None)
@given(
    values=st.lists(st.integers(1, 12), min_size=1, max_size=3, unique=True).map(sorted).map(tuple),
    counts=st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=3),
    points=st.integers(-40, 40),
)
def test_what_one_player_needs_by_himself(values, counts, points):
    held = [row[: len(values)] for row in counts]
    others = [sum(column) - has for has, column in zip(held[0], zip(*held, strict=True), strict=True)]
    ways = [
        sum(map(abs, gains))
        for gains in product(*(range(-has, most + 1) for has, most in zip(held[0], others, strict=True)))
        if sum(value * gain for value, gain in zip(values, gains, strict=True)) == points
    ]
    assert _Needs(values, held, Steps(10**9)).of(0, 0, points) == min(ways, default=None)


@settings(max_examples=part_of(200), deadline=None)
@given(
    values=st.sampled_from([(1, 5, 10), (2, 10, 100), (1, 2, 4, 8), (3, 6, 30), (4, 6, 9), (2, 6, 15)]),
    counts=st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=2, max_size=3),
    data=st.data(),
)
def test_whether_counters_can_be_divided_is_known_at_once(values, counts, data):
    held = [tuple(row[: len(values)]) for row in counts]
    stock = [sum(column) for column in zip(*held, strict=True)]
    had = [sum(value * count for value, count in zip(values, row, strict=True)) for row in held]
    left = sum(had)
    shares = []
    for _ in counts[1:]:
        shares.append(data.draw(st.integers(0, left)))
        left -= shares[-1]
    shares = (*shares, left)
    wanted = tuple(share - points for share, points in zip(shares, had, strict=True))
    assert _can_be(values, held, wanted, Steps(10**9)) == _can_be_dealt(values, stock, shares, Steps(10**9))


@given(
    holdings=st.lists(st.tuples(*[st.integers(0, 12)] * 4), min_size=3, max_size=5),
    halves=st.lists(st.integers(-300, 300), min_size=4, max_size=4),
    bank=st.booleans(),
)
@example([(1, 0, 0, 4), (2, 2, 11, 8), (1, 4, 3, 0), (0, 4, 7, 7), (1, 0, 1, 2)], [206, -162, 0, 8], False)
@settings(deadline=None)
def test_the_books_counters_always_have_an_answer(holdings, halves, bank):
    """Paid, or named why not: with Babcock's counters the search never has to give up."""
    seats = "ESWNX"[: len(holdings)]
    net = {seat: 2 * half for seat, half in zip(seats, halves, strict=False)}
    net[seats[-1]] = -sum(points for seat, points in net.items() if seat != seats[-1])
    found = exchange(BABCOCK, dict(zip(seats, holdings, strict=True)), net, bank)
    assert found.problem is None or found.problem.code in ("cannot-pay", "no-change")


def test_odd_counters_do_not_keep_the_table_waiting():
    odd = CounterSet("odd", "Odd", "test", tuple(Counter(str(v), v, 9) for v in (13, 11, 7, 5, 3, 2)))
    holdings = {
        "E": (6, 5, 9, 4, 6, 6),
        "S": (3, 9, 2, 12, 11, 0),
        "W": (5, 0, 1, 12, 3, 11),
        "N": (6, 12, 8, 9, 7, 10),
        "X": (11, 1, 6, 3, 5, 3),
    }
    found = exchange(odd, holdings, {"E": 104, "S": -186, "W": 276, "N": -264, "X": 70})
    assert found.problem.code == "no-exchange-found"
    assert (found.counters, found.holdings) == (odd, holdings)


NEARLY_ALIKE = small_set(997, 991, 983, 977, 971)


@pytest.mark.parametrize("amount", [96_000, 10**9 + 1, 10**15 - 1])
def test_a_payment_in_odd_counters_is_bounded_and_that_is_said(amount):
    net = {"E": 3 * amount, "S": -amount, "W": -amount, "N": -amount}
    settlement = Settlement(None, {}, "E", None, net=net)
    for found in (Purses(NEARLY_ALIKE, {}).settle(settlement), paid_outright(NEARLY_ALIKE, debts(net))):
        assert (found.counters, found.transfers) == (NEARLY_ALIKE, ())
        assert found.problem.code == "no-exchange-found"
        assert found.problem.message == (
            f"no way to pay {amount} points with the fewest counters was found in the time a table would wait"
        )


def test_among_hundreds_of_counters_every_step_is_counted(monkeypatch):
    """A step is a gain that is looked at."""
    holdings = {
        "E": (36, 129, 224, 58, 135, 278),
        "S": (34, 120, 276, 178, 142, 126),
        "W": (296, 165, 208, 25, 38, 293),
        "N": (0, 75, 100, 115, 54, 102),
    }
    net = {"E": 1200, "S": -40, "W": -160, "N": -1000}
    looked_up = 0

    class Counted(_Needs):
        def of(self, player: int, kind: int, points: int) -> int | None:
            nonlocal looked_up
            looked_up += 1
            return super().of(player, kind, points)

    monkeypatch.setattr("mjscore.counters.fewest._Needs", Counted)
    found = exchange(small_set(64, 32, 16, 8, 4, 2), holdings, net)
    assert found.problem is None or found.problem.code == "no-exchange-found"
    assert looked_up < 2 * MOST_STEPS


def test_a_search_takes_so_many_steps_and_no_more():
    steps = Steps(2)
    steps.take()
    steps.take()
    with pytest.raises(SearchTooLongError):
        steps.take()
    with pytest.raises(SearchTooLongError):
        _Needs((2, 3), [(1, 1), (2, 2)], Steps(0)).of(0, 0, 3)
    with pytest.raises(SearchTooLongError):
        _choices(_Needs((5,), [(1,), (0,)], Steps(1)), 0, (-5, 5), 2)


@table
def test_what_is_in_vain_is_not_tried(values, stock, shares, least, most):
    assert not _can_be_dealt(values, stock, shares, Steps(most))
    with pytest.raises(SearchTooLongError):
        _can_be_dealt(values, stock, shares, Steps(least))


@table
def test_what_cannot_be_divided_is_seen_before_it_is_tried(values, holdings, net):
    """Each could be paid if the others had nothing to pay, or many shares would have to be tried."""
    held, due = (dict(zip("ESWNX", rows, strict=False)) for rows in (holdings, net))
    assert exchange(small_set(*values), held, due).problem.code == "no-change"


def test_who_cannot_pay_is_named():
    found = exchange(BABCOCK, BABCOCK.starting("ESWN"), {"E": 2400, "S": -2400, "W": 0, "N": 0})
    assert found.problem.message == "South owes 2400 points and holds 2000"
    assert found.problem.hint == "400 points remain owed"
    assert found.transfers == ()
    assert found.holdings == BABCOCK.starting("ESWN")
    assert found.moved == 0
    for poorer in (1, 2):
        start = {"E": (0, 0, 0, 5), "X": (0, 0, 0, 5)}
        owes = exchange(small_set(10, 4, 3, 1), start, {"E": 5 + poorer, "X": -5 - poorer})
        assert owes.problem.message == f"the player sitting out owes {5 + poorer} points and holds 5"
        assert owes.problem.hint == f"{poorer} points remain owed"
    no_change = exchange(small_set(10, 5), {"E": (1, 0), "S": (1, 0)}, {"E": -5, "S": 5})
    assert no_change.problem.code == "no-change"


def test_the_bank_gives_change():
    with_bank = exchange(small_set(10, 5), {"E": (1, 0), "S": (1, 0)}, {"E": -5, "S": 5}, bank=True)
    assert with_bank.problem is None
    assert with_bank.holdings == {"E": (0, 1), "S": (1, 1)}
    # sixty twos for a hundred and twenty
    many = exchange(small_set(120, 2), {"E": (1, 0), "S": (0, 0)}, {"E": -60, "S": 60}, bank=True)
    assert many.holdings == {"E": (0, 30), "S": (0, 30)}


def test_the_bank_gives_no_more_change_than_it_must():
    holdings = {"E": (0, 2, 1), "S": (1, 2, 3), "W": (3, 2, 0), "N": (1, 1, 2), "X": (1, 0, 0)}
    found = exchange(small_set(9, 5, 2), holdings, {"E": 9, "S": -9, "W": -5, "N": 6, "X": -1}, bank=True)
    assert found.moved == 7


def test_who_owes_most_hands_to_who_gets_most():
    counters = small_set(10)
    found = exchange(counters, dict.fromkeys("ESWN", (3,)), {"E": 10, "S": 20, "W": -20, "N": -10})
    assert found.lines() == ["West hands South: 2 × 10 (the 10)", "North hands East: 1 × 10 (the 10)"]


def test_change_is_given_where_that_moves_fewer():
    # 18 is a 20 and 2 back, not 1 x 10 and 4 x 2
    found = exchange(small_set(20, 10, 2), {"E": (1, 1, 4), "S": (0, 0, 1)}, {"E": -18, "S": 18})
    assert found.moved == 2
    assert found.lines() == ["East hands South: 1 × 20 (the 20)", "South hands East: 1 × 2 (the 2)"]


@table
def test_the_fewest_for_an_amount(values, amount, counts):
    assert fewest(values, amount) == counts


@pytest.mark.parametrize(
    "values", [(6, 4, 1), (9, 5, 2), (25, 10, 1), (8, 6, 5), (60, 50, 20), (7, 3), (10, 9, 4, 3)]
)
def test_the_fewest_of_those_held_equal_an_exhaustive_search(values):
    for held in (None, (1, 2, 3, 1), (0, 3, 1, 4), (3, 0, 0, 0)):
        most = held or (3, 6, 12, 12)
        ways = {}
        for way in product(*(range(count + 1) for count, _ in zip(most, values, strict=False))):
            amount = sum(value * count for value, count in zip(values, way, strict=True))
            ways[amount] = min(ways.get(amount, way), way, key=sum)
        for amount in range(3 * values[0]):
            found = fewest(values, amount, held and held[: len(values)])
            assert (found and sum(found)) == (sum(ways[amount]) if amount in ways else None)
            if found:
                assert sum(value * count for value, count in zip(values, found, strict=True)) == amount
                assert held is None or all(has >= count for has, count in zip(held, found, strict=False))


def test_what_no_counters_make_is_not_paid():
    found = paid_outright(BABCOCK, [Payment("S", "E", 12), Payment("W", "E", 189)])
    assert found.problem.message == "189 points cannot be paid in counters of 500, 100, 10, 2"
    assert found.problem.hint == "leave the rest owed until it can be paid"
    # what can be is paid
    assert (found.transfers, found.moved) == ((("S", "E", (0, 0, 1, 1)),), 2)


@table
def test_debts_settle_the_nets(net, payments):
    assert debts(net) == [Payment(*payment) for payment in payments]


def test_the_pool_of_the_evening():
    """Babcock p. 82: the small counters come to 100, 200 or 300 together."""
    holdings = {"E": (2, 9, 8, 10), "S": (2, 9, 8, 1), "W": (2, 9, 8, 19), "N": (0, 0, 0, 0)}
    pool = Purses(BABCOCK, holdings).pool()
    assert {seat: share.points for seat, share in pool.items()} == {"E": 0, "S": 82, "W": 18, "N": 0}
    # South makes 82 of eight tens and a two, West 18 of a ten and four twos
    assert pool["S"].counts == (0, 0, 8, 1)
    assert pool["W"].counts == (0, 0, 1, 4)
    lines = Purses(BABCOCK, holdings).pool_lines()
    assert lines[1] == "South puts in 82: 8 × 10, 1 × 2"
    assert lines[-1].startswith("100 in the pool")
    assert Purses(BABCOCK, {"E": (0, 1, 0, 49)}).pool()["E"].counts == (0, 0, 0, 49)
    # two fifties and a twenty cannot make seventy of themselves
    assert Purses(small_set(50, 20), {"E": (1, 6)}).pool()["E"].counts == (1, 1)
    assert Purses(small_set(60, 50), {"E": (0, 3)}).pool()["E"].counts == (0, 1)
    twice_sixty = Purses(small_set(60, 50), {"E": (2, 0)})
    assert twice_sixty.pool_lines()[0] == "East puts in 20, after changing a counter"
    assert twice_sixty.pool_json() == {"E": {"points": 20, "counters": None}}


@given(st.tuples(*[st.integers(0, 12)] * 4))
def test_the_pool_takes_what_is_over_an_even_hundred(counts):
    (share,) = Purses(BABCOCK, {"E": counts}).pool().values()
    assert share.points == worth(counts) % 100
    ways = [way for way in product(*(range(count + 1) for count in counts)) if worth(way) == share.points]
    if ways:
        assert share.counts in ways
        assert sum(share.counts) == min(map(sum, ways))
    else:
        assert share.counts is None


@pytest.mark.parametrize("pair_by_pair", [False, True])
def test_who_owes_pays_with_the_next_hand(pair_by_pair):
    purses = Purses(BABCOCK, {"E": (0, 0, 0, 5), "W": (0, 0, 1, 5)}, pair_by_pair)
    found = purses.settle(mjscore.settle({"E": 0, "W": 8}, "W"))
    assert found.problem.message == "East owes 16 points and holds 10"
    assert found.problem.hint == "6 points remain owed"
    assert purses.owing == {"E": -6, "W": 6}
    assert purses.holdings == {"E": (0, 0, 0, 0), "W": (0, 0, 1, 10)}
    found = purses.settle(mjscore.settle({"E": 8, "W": 0}, "E"))
    assert (found.problem, purses.owing) == (None, {})
    assert purses.holdings == {"E": (0, 0, 1, 0), "W": (0, 0, 0, 10)}


def test_who_cannot_pay_and_cannot_be_changed_for_owes_it_all():
    """East gives nothing: of his one ten neither of the others can give change."""
    purses = Purses(BABCOCK, {"E": (0, 0, 1, 0), "S": (0, 0, 0, 0), "W": (0, 0, 0, 0)})
    net = {"E": -16, "S": 8, "W": 8}
    found = purses.settle(mjscore.settle(dict.fromkeys("ESW", 0), "E")._replace(net=net))
    assert purses.owing == net
    assert found.lines() == [
        "East owes 16 points and holds 10; the counters on the table cannot pay everybody"
        " exactly; change some at the bank, or leave the rest owed until it can be paid",
        "East owes South 8",
        "East owes West 8",
    ]


@settings(deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=3, max_size=3),
    st.lists(st.tuples(*[st.integers(-900, 900).map(lambda half: 2 * half)] * 2), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
)
def test_what_is_paid_and_what_is_owed_make_what_was_due(counts, nets, bank, pair_by_pair):
    before = dict(zip("ESW", counts, strict=True))
    purses = Purses(BABCOCK, before, pair_by_pair, bank)
    due = dict.fromkeys("ESW", 0)
    for east, south in nets:
        net = {"E": east, "S": south, "W": -east - south}
        payments = tuple(debts(net))
        purses.settle(mjscore.settle({"E": 0, "W": 0, "S": 0}, "E")._replace(net=net, payments=payments))
        for seat in "ESW":
            due[seat] += net[seat]
            assert min(purses.holdings[seat]) >= 0
            paid = worth(purses.holdings[seat]) - worth(before[seat])
            assert paid + purses.owing.get(seat, 0) == due[seat]
        if not bank:
            assert [sum(kind) for kind in zip(*purses.holdings.values(), strict=True)] == [
                sum(kind) for kind in zip(*counts, strict=True)
            ]


def test_settle_keeps_the_counters_of_an_evening():
    arguments = ["settle", "samples/evening.mj", "--counters", "babcock", "--format", "json"]
    found = [json.loads(line) for line in run_command(*arguments).output.splitlines()]
    transfers = [one for table in found for one in table["counters"]["transfers"]]
    assert len(transfers) > 20
    assert {one[key] for one in transfers for key in ("from", "to")} == {"E", "S", "W", "N"}


@table
def test_files_of_counters_that_cannot_be(tmp_path, text, line):
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    load_counters.cache_clear()
    refusal = refusal_of(load_counters, str(path))
    assert refusal.line == line
    assert refusal.hint


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        'id = "x"\ntitle = "X"\nsource = "club"\n[[counter]]\ntitle = "bean"\nvalue = 2\n[[counter]]\ntitle = "nut"\nvalue = 50\n'
    )
    counters = load_counters("own.toml", str(tmp_path))
    assert counters[:3] == ("x", "X", "club")
    assert counters.values == (50, 2)
    assert counters.starting("E") == {}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("title = «x»".encode("latin-1"), "the file of counters is not valid UTF-8"),
        (b" " * 1_000_001, "the file of counters is larger than a million bytes"),
    ],
)
def test_what_is_no_file_of_counters(tmp_path, data, message):
    path = tmp_path / "own.toml"
    path.write_bytes(data)
    assert refusal_of(load_counters, str(path)).message == message


@table
def test_a_file_that_is_not_there(name, message, hint):
    refusal = refusal_of(load_counters, name)
    assert (refusal.message, refusal.hint) == (message, hint)
    assert refusal.code == "no-counters"
