"""An evening with counters on and somebody often away, beside what the players have in their hands.

The hands know only what was said: they hand over what they are told to, put right what they are told to put right, and
must then hold what the program says they hold. What is owed adds up to nothing all the while.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from amounts import part_of
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mjscore.counters.holdings import Purses, table_counters
from mjscore.play import session
from mjscore.play.beginning import NewEvening, beginning
from mjscore.play.changes import Action
from mjscore.play.commands import act
from mjscore.play.rendering import Counters, Outcome, PlayedEntry, Points
from mjscore.play.session import open_session, purses
from mjscore.record.checker import Reader
from mjscore.record.context import Context, Occasion
from mjscore.record.lines import EventLine, SeatRow
from mjscore.record.source import blocks, lines_of
from mjscore.refusal import Refused
from mjscore.settling.settlement import Settlement

FRIENDS = ("Ann", "Ben", "Old Cid", "Dee", "Eve", "Fay")
SETS = (
    "babcock",
    str(Path(__file__).parents[1] / "counters" / "few.toml"),
    str(Path(__file__).with_name("odd.toml")),
)
scores = st.lists(st.integers(0, 200).map(lambda half: 2 * half) | st.integers(0, 9), min_size=4, max_size=4)
friends = st.sampled_from(FRIENDS)


class Evenings(RuleBasedStateMachine):
    @initialize(counters=st.sampled_from(SETS), bank=st.booleans(), pair_by_pair=st.booleans())
    def begin(self, counters: str, bank: bool, pair_by_pair: bool) -> None:
        self.occasion = Occasion("", "2026-11-22", counters, bank, pair_by_pair)
        self.session = open_session(beginning(NewEvening("harr", {}, FRIENDS[:4], self.occasion)))
        self.start = next(iter(self.worth().values()))
        self.in_hand: dict[str, int] = {}

    def worth(self) -> dict[str, int]:
        held = purses(self.session)
        return {name: held.counters.points(counts) for name, counts in held.holdings.items()}

    def do(self, *actions: Action) -> bool:
        """Does what is typed, all or nothing of it, and what is said then; whether it was taken."""
        session = self.session
        try:
            for action in actions:
                session, said = act(session, action)
                said = tuple(said)
        except Refused:
            return False
        self.session = session
        self.heed(said)
        return True

    def heed(self, said: Iterable[Outcome]) -> None:
        for one in said:
            match one:
                case PlayedEntry(_, exchange) if exchange is not None:
                    for giver, taker, counts in exchange.transfers:
                        for holder, sign in ((giver, -1), (taker, 1)):
                            points = sign * exchange.counters.points(counts)
                            self.in_hand[holder] = self.in_hand.get(holder, self.start) + points
                case Points(points, "corrected"):
                    for name, more in points.items():
                        self.in_hand[name] = self.in_hand.get(name, self.start) + more
                case Counters(held, "reckoned"):
                    self.in_hand |= {
                        name: held.counters.points(counts) for name, counts in held.holdings.items()
                    }
                case Counters(held):
                    for name, counts in held.holdings.items():
                        assert self.in_hand.setdefault(name, self.start) == held.counters.points(counts)

    @property
    def players(self) -> tuple[str, ...]:
        return self.session.evening.position.players

    @rule(points=scores, won=st.integers(0, 3))
    def hand(self, points: list[int], won: int) -> None:
        winner = self.players[won % len(self.players)]
        rows = [
            SeatRow(name, score, name == winner) for name, score in zip(self.players, points, strict=False)
        ]
        assert self.do(Action("rows", records=tuple(rows)))

    @rule(comes=friends | st.just(""), leaves=st.integers(0, 4))
    def somebody_comes_or_leaves(self, comes: str, leaves: int) -> None:
        leaver = (*self.players, "")[leaves % (len(self.players) + 1)]
        if comes or leaver:
            self.do(Action("event", records=(EventLine("seat", (comes, leaver)),)))

    @rule(payer=friends, payee=friends, points=st.integers(1, 300))
    def somebody_pays(self, payer: str, payee: str, points: int) -> None:
        self.do(Action("event", records=(EventLine("pay", (payer, payee), number=points),)))

    @rule(winner=friends)
    def pool(self, winner: str) -> None:
        everybody = self.session.evening.position.points
        shares = purses(self.session).pool()
        assert shares.keys() == everybody.keys()
        done = self.do(Action("pool", f'"{winner}"'))
        assert done == (
            winner in everybody and any(share.points for name, share in shares.items() if name != winner)
        )

    @rule()
    def draw(self) -> None:
        assert self.do(Action("event", records=(EventLine("draw"),)))

    @rule(data=st.data(), points=st.integers(0, 300), answer=st.sampled_from(["yes", "keep"]))
    @precondition(lambda self: self.session.evening.played)
    def edit(self, data: st.DataObject, points: int, answer: str) -> None:
        entry = data.draw(st.sampled_from(self.session.evening.played))
        seats = entry.state.seats
        match entry.kind:
            case "hand":
                name = data.draw(st.sampled_from(sorted(entry.rows)))
                won = seats[entry.settlement.winner or "E"] == name
                typed = Action("rows", records=(SeatRow(name, points, won),))
            case "pay":
                payer, payee = (
                    name for name, net in sorted(entry.nets.items(), key=lambda pair: pair[1]) if net
                )
                typed = Action("event", records=(EventLine("pay", (payer, payee), number=points + 1),))
            case "seat":
                comes, leaves = data.draw(friends), data.draw(st.sampled_from(["", *sorted(seats.values())]))
                typed = Action("event", records=(EventLine("seat", (comes, leaves)),))
            case _:
                typed = Action("event", records=(EventLine("draw", manner="four"),))
        self.do(Action("edit", entry.mark), typed, Action(answer))

    @rule()
    def undo(self) -> None:
        self.do(Action("undo"))

    @rule()
    def redo(self) -> None:
        self.do(Action("redo"))

    @rule()
    def end_and_begin_again(self) -> None:
        """What is worked out anew, by another way too, is what was said."""
        before = purses(self.session)
        session._worked_out.cache_clear()
        text = self.session.evening.text
        self.session = open_session(text, steps=self.session.steps)
        settled: Purses = table_counters(
            self.occasion.counters, (), self.occasion.pair_by_pair, self.occasion.bank
        )
        for checked in Reader("e.mj", Context()).check(blocks(lines_of(text))):
            assert isinstance(checked.outcome, Settlement)
            settled.settle(checked.outcome, checked.people)
        for after in (purses(self.session), settled if self.session.evening.played else before):
            assert (after.holdings, after.debts) == (before.holdings, before.debts)

    @invariant()
    def adds_up(self) -> None:
        if not hasattr(self, "session"):
            return
        held, worth = purses(self.session), self.worth()
        owing, points = held.owing, self.session.evening.position.points
        assert sum(owing.values()) == 0
        assert all(held.debts.values())
        assert min(held.debts.values(), default=1) > 0
        assert min(count for counts in held.holdings.values() for count in counts) >= 0
        assert worth.keys() == points.keys()
        for name, total in points.items():
            assert worth[name] + owing.get(name, 0) == self.start + total
            assert self.in_hand.get(name, self.start) == worth[name]
        if not self.occasion.bank:
            for kind, counter in enumerate(held.counters.counters):
                assert sum(counts[kind] for counts in held.holdings.values()) == counter.each * len(points)


TestEvenings = Evenings.TestCase
LONG = settings.default.max_examples > 1000
TestEvenings.settings = settings(
    max_examples=3_000 if LONG else part_of(40), stateful_step_count=30, derandomize=not LONG
)
