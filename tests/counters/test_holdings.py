"""What everybody holds through an evening: hand by hand, pair by pair, taken back and put right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from programs import run_command
from refusals import refusal_of
from tables import table

import mjscore
from mjscore.counters.counter_sets import Counter, CounterSet, load_counters, parse_holding
from mjscore.counters.exchange import exchange
from mjscore.counters.fewest import MOST_STEPS, Steps
from mjscore.counters.holdings import Purses, table_counters
from mjscore.refusal import Refused
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Settlement

BABCOCK = load_counters("babcock")
PLAYERS = ("Ann", "Ben", "Cid", "Dee")
SEATS = dict(zip("ESWN", PLAYERS, strict=True))


def hand(winner: str, **scores: int) -> Settlement:
    """A hand settled by Harr: everybody scores 10 where nothing else is said."""
    return mjscore.settle({**dict.fromkeys("ESWN", 10), **scores}, winner)


def test_pair_by_pair_each_payment_is_handed_over_by_itself():
    settlement = hand("E", E=100, S=40)
    purses = Purses(BABCOCK, BABCOCK.starting("ESWN"), pair_by_pair=True)
    moved = purses.settle(settlement)
    assert moved.problem is None
    paid = [(transfer.giver, transfer.taker, BABCOCK.points(transfer.counts)) for transfer in moved.transfers]
    nets = dict.fromkeys("ESWN", 0)
    for giver, taker, points in paid:
        nets[giver] -= points
        nets[taker] += points
    assert nets == settlement.net
    assert {(payer, payee) for payer, payee, *_ in settlement.payments} <= {pair[:2] for pair in paid}
    assert moved.moved == sum(sum(transfer.counts) for transfer in moved.transfers)
    assert purses.holdings == moved.holdings
    # of what is due net, fewer counters make it
    assert Purses(BABCOCK, BABCOCK.starting("ESWN")).settle(settlement).moved < moved.moved


def test_pair_by_pair_the_bank_changes_for_each_payment():
    tens = CounterSet("small", "Small", "ours", (Counter("ten", 10, 0), Counter("five", 5, 0)))
    purses = Purses(tens, {"E": (1, 0), "S": (0, 0), "W": (0, 0)}, pair_by_pair=True, bank=True)
    settlement = mjscore.settle(dict.fromkeys("ESW", 0), "S")
    payments = (Payment("E", "S", 5), Payment("E", "W", 5))
    moved = purses.settle(settlement._replace(net={"E": -10, "S": 5, "W": 5}, payments=payments))
    assert moved.problem is None
    assert moved.transfers[-1] == ("E", "W", (0, 1))


def test_what_everybody_holds_is_said():
    purses = Purses(BABCOCK, BABCOCK.starting("ESWN"))
    assert not purses.bank
    assert not purses.pair_by_pair
    lines = purses.holding_lines()
    assert [line.partition(" holds ")[0] for line in lines] == ["East", "South", "West", "North"]
    assert all(" holds 2000: " in line for line in lines)
    assert Purses(BABCOCK, {"N": (0, 0, 0, 0)}).holding_lines() == ["North holds 0"]
    assert Purses(BABCOCK, {}).holding_lines() == []
    assert Purses(BABCOCK, {}).pool_lines() == []
    assert Purses(BABCOCK, {}).pool_json() is None


PLAIN = CounterSet("plain", "Plain", "ours", (Counter("ten", 10, 0), Counter("two", 2, 0)))


def test_where_nobody_begins_with_counters_those_are_told_that_pay():
    """The set says nothing of what each begins with, so each payment is made of the fewest."""
    table = table_counters("harr", [], False, False)
    assert table.holdings == {}
    settlement = hand("E", E=20)
    for names in ({}, SEATS):
        own = Purses(PLAIN, {}, False, False)
        assert own.settle(settlement, names).problem is None
        assert own.holdings == {}
    moved = Purses(PLAIN, {}).settle(settlement, SEATS)
    assert moved.problem is None
    assert moved.holdings == {}
    assert {transfer.taker for transfer in moved.transfers} == {"Ann"}


def test_players_begin_with_what_the_set_gives_and_with_what_is_said_of_one():
    table = table_counters("babcock", ["E=1,0,0,0"], False, False)
    table.settle(hand("S"), SEATS)
    assert sum(map(BABCOCK.points, table.holdings.values())) == 3 * 2000 + BABCOCK.values[0]
    # it is asked once: the second hand goes on with what is held
    held = dict(table.holdings)
    table.settle(hand("S"), SEATS)
    assert table.holdings != held
    # without players' names nothing is known of who is not named
    refusal = refusal_of(table_counters("babcock", ["E=1,0,0,0"], False, False).settle, hand("S"), {})
    assert refusal.code == "missing-holding"
    assert "South" in refusal.message


def test_what_is_said_of_an_empty_seat_stays_there():
    table = table_counters("babcock", ["S=1,0,0,0"], False, False)
    table.settle(mjscore.settle({"E": 10, "W": 20}, "W"), {"E": "Ann", "W": "Ben"})
    assert set(table.holdings) == {"Ann", "Ben", "S"}


def test_of_a_set_that_gives_nothing_it_is_said_what_each_holds():
    settlement = hand("E", E=20)
    held = dict.fromkeys("ESWN", (9, 9))
    table = Purses(PLAIN, held, False, False)
    assert table.settle(settlement, SEATS).problem is None
    assert set(table.holdings) == set(PLAYERS)
    for players in (SEATS, {}):
        refusal = refusal_of(Purses(PLAIN, {"E": (9, 9)}, False, False).settle, settlement, players)
        assert refusal.message == "what South holds is missing"


def test_who_comes_begins_with_a_set_and_who_left_gives_no_change():
    table = table_counters("babcock", [], False, False)
    table.settle(hand("E"), SEATS)
    came = hand("S", S=20)
    assert table.settle(came, {**SEATS, "S": "Eve"}).problem is None
    assert BABCOCK.points(table.holdings["Eve"]) == 2000 + came.net["S"]
    tens = CounterSet("small", "Small", "ours", (Counter("ten", 10, 0), Counter("five", 5, 0)))
    purses = Purses(tens, {"Ann": (1, 0), "Ben": (0, 2), "Cid": (0, 0)})
    few = mjscore.settle({"E": 0, "W": 0}, "E")._replace(net={"E": -5, "W": 5})
    assert purses.settle(few, {"E": "Ann", "W": "Cid"}).problem.code == "no-change"


def test_a_hand_before_an_evening_is_no_part_of_it():
    table = table_counters("babcock", [], False, False)
    assert table.settle(hand("E", E=100), {}).holdings == {}
    settlement = hand("S", S=20)
    table.settle(settlement, SEATS)
    held = {name: BABCOCK.points(counts) for name, counts in table.holdings.items()}
    assert held == {name: 2000 + settlement.net[seat] for seat, name in SEATS.items()}


@pytest.mark.parametrize("pair_by_pair", [False, True])
def test_where_counters_cannot_be_worked_out_all_is_owed_and_that_is_said(monkeypatch, pair_by_pair):
    table = table_counters("babcock", [], pair_by_pair, False)
    settlement = hand("E", E=20)
    nets = {name: settlement.net[seat] for seat, name in SEATS.items()}
    with monkeypatch.context() as patch:
        patch.setattr("mjscore.counters.holdings.exchange", lambda *_: {}["Ann"])
        found = table.settle(settlement, SEATS)
    assert found.problem.code == "program-fault"
    assert found.transfers == ()
    assert (table.owing, {*map(BABCOCK.points, table.holdings.values())}) == (nets, {2000})
    assert found.lines()[1:] == [f"{name} owes Ann {-points}" for name, points in nets.items() if points < 0]
    table.settle(settlement, SEATS)
    assert not table.debts
    assert {name: BABCOCK.points(counts) for name, counts in table.holdings.items()} == {
        name: 2000 + 2 * points for name, points in nets.items()
    }


def test_an_evening_of_odd_counters_keeps_nobody_waiting(monkeypatch):
    """Each search that is in vain leaves the next one half of the steps: no evening takes more than two in vain."""
    values = (997, 991, 983, 977, 971)
    odd = CounterSet("odd", "Odd", "ours", tuple(Counter(str(value), value, 60) for value in values))
    taken, take = [0], Steps.take

    def counted(steps: Steps, count: int = 1) -> None:
        taken[0] += count
        take(steps, count)

    monkeypatch.setattr(Steps, "take", counted)
    table = Purses(odd, odd.starting(PLAYERS), named=True)
    for number in range(20):
        settlement = hand("ESWN"[number % 4], E=2 * number, S=110)
        found = table.settle(settlement, SEATS)
        assert found.problem is None or found.problem.code in ("no-exchange-found", "no-change")
        assert sum(table.owing.values()) == 0
    assert table.most_steps < MOST_STEPS
    assert taken[0] < 2 * MOST_STEPS + 20 * 20_000


def test_what_there_is_no_change_for_is_paid_to_the_nearest_counter():
    """One odd point never stops the counters of an evening."""
    table = table_counters("babcock", [], False, False)
    odd = hand("E", E=20, W=21)
    found = table.settle(odd, SEATS)
    assert found.problem.code == "no-change"
    assert found.transfers
    assert max(map(abs, table.owing.values())) <= 2
    for _ in range(3):
        table.settle(hand("S", S=20), SEATS)
        assert max(map(abs, table.owing.values())) <= 2


def test_debts_stay_between_those_who_have_them_while_others_settle():
    table = table_counters("babcock", [], False, False)
    table.settle(hand("S", S=1200, E=0, W=0, N=0), SEATS)
    assert table.debts == {("Ann", "Ben"): 400}
    others = {**SEATS, "S": "Eve"}
    for winner in "EWN":
        assert table.settle(hand(winner, **{winner: 20}), others).problem is None
        assert table.debts == {("Ann", "Ben"): 400}  # whatever Ann wins meanwhile
    table.settle(hand("E", E=100), SEATS)
    assert not table.debts


@pytest.mark.parametrize(
    "text", ["E=٢,9,8,10", "E=²,9,8,10", "E=2,9,8", "E=2,9,8,-1", "E=2,9,8,10000", "E", "Q=2,9,8,10"]
)
def test_holdings_are_plain_numbers(text):
    with pytest.raises(Refused):
        parse_holding(text, BABCOCK)
    assert parse_holding("E=2,9,8, 10 ", BABCOCK) == ("E", (2, 9, 8, 10))
    assert parse_holding("N=0,0,0,9999", BABCOCK) == ("N", (0, 0, 0, 9999))


def test_what_cannot_be_paid_as_programs_read_it():
    found = exchange(BABCOCK, BABCOCK.starting("ESWN"), {"E": 2400, "S": -2400, "W": 0, "N": 0})
    assert found.as_json()["problem"]["code"] == "cannot-pay"
    assert found.as_json()["moved"] == 0
    assert exchange(BABCOCK, BABCOCK.starting("ESWN"), dict.fromkeys("ESWN", 0)).as_json()["problem"] is None


def test_an_exchange_in_words():
    start = BABCOCK.starting("ESX")
    assert start is not None
    found = exchange(BABCOCK, start, {"E": 10, "S": 0, "X": -10})
    assert found.lines() == ["the player sitting out hands East: 1 × 10 (ten black dots)"]
    assert found.lines({"E": "Ann"}) == ["the player sitting out hands Ann: 1 × 10 (ten black dots)"]
    assert found.lines({"X": "Eve"}) == ["Eve hands East: 1 × 10 (ten black dots)"]
    assert exchange(BABCOCK, start, dict.fromkeys("ESX", 0)).lines() == ["no counters change hands"]
    short = exchange(BABCOCK, start, {"E": 2400, "S": -2400, "X": 0})
    assert short.lines() == ["South owes 2400 points and holds 2000; 400 points remain owed"]


def test_the_bank_as_programs_read_it():
    tens = CounterSet("small", "Small", "ours", (Counter("ten", 10, 1), Counter("five", 5, 0)))
    found = exchange(tens, {"E": (1, 0), "S": (1, 0)}, {"E": -5, "S": 5}, bank=True)
    names = {name for one in found.as_json()["transfers"] for name in (one["from"], one["to"])}
    assert names == {"E", "S", "bank"}
    assert any(line.startswith("the bank hands ") for line in found.lines())


@table
def test_a_line_of_an_evening_says_how_counters_are_handed_over(line, moved, by_the_bank, tmp_path):
    few = Path(__file__).with_name("few.toml")
    hands = "hand\n  Ann: 18\n  Ben: 30 win\n  Cid: 10\n  Dee: 2\nhand\n  Ann: 38 win\n  Ben: 34\n  Cid: 24\n  Dee: 2\n"
    evening = tmp_path / "tea.mj"
    evening.write_text(f'rulebook harr\nplayers Ann Ben Cid Dee\ncounters "{few}"\n{line}\n{hands}')
    shown = run_command("settle", str(evening), "--format", "json").stdout
    handed = [json.loads(hand)["counters"] for hand in shown.splitlines()]
    assert tuple(one["moved"] for one in handed) == moved
    assert ("bank" in [transfer["from"] for one in handed for transfer in one["transfers"]]) is by_the_bank
    assert [one["problem"] is None for one in handed] == [True, by_the_bank]
