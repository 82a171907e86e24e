"""Random evenings of every command, with stops, other editors and restarts, beside a simple list of hands.

The list knows nothing of files: it has scores, payments and notes, settles them by the plain rule of Harr's
game, and keeps what it was before each thing that was done.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from amounts import part_of
from faults import Disk, Stopped, faulty_disk
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from in_memory import folder_in_memory

from mjscore.page.text import Style
from mjscore.play import evening as kept
from mjscore.play.beginning import NewEvening, beginning
from mjscore.play.controller import Controller
from mjscore.play.session import purses
from mjscore.play.store import Store
from mjscore.record.checker import check_file
from mjscore.record.context import Context, Occasion
from mjscore.record.lines import NoteLine, SeatRow, parse_row
from mjscore.refusal import Refused

NAMES = ("Ann", "Ben", "Old Cid", "Dee")
TYPED = {"Ann": "Ann", "Ben": "Ben", "Old Cid": '"Old Cid"', "Dee": "Dee"}
HEAD = beginning(NewEvening("harr", {}, NAMES, Occasion("", "2026-11-21", "babcock", True)))


class Item(NamedTuple):
    """A hand (scores by player, who won), a draw, a payment or a note; *kept* are East and passes as played."""

    kind: str
    scores: tuple[tuple[str, int], ...] = ()
    winner: str = ""
    notes: tuple[str, ...] = ()
    payment: tuple[str, str, int] = ("", "", 0)
    kept: tuple[int, int] | None = None


class Line(NamedTuple):
    """A player's line of the hand under way; those that do not go together are all kept."""

    player: str
    score: int
    won: bool


class Evening(NamedTuple):
    """All there is of an evening; *kept* are East and passes of the hand under way where an edit kept them."""

    items: tuple[Item, ...] = ()
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    kept: tuple[int, int] | None = None

    @property
    def under_way(self) -> bool:
        return bool(self.lines or self.notes)

    @property
    def amiss(self) -> bool:
        """Whether the lines of the hand under way do not go together."""
        won = sum(line.won for line in self.lines)
        return won > 1 or (won == 0 and len(self.lines) == 4)


class Place(NamedTuple):
    """Before an item: which player is East, how often East has passed, everybody's points."""

    east: int
    passes: int
    points: tuple[int, ...]


def places(evening: Evening) -> list[Place]:
    """The place before each item, and the one after the last."""
    east, passes, points = 0, 0, dict.fromkeys(NAMES, 0)
    found = []
    for item in evening.items:
        if item.kept is not None:
            east, passes = item.kept
        found.append(Place(east, passes, tuple(points.values())))
        if item.kind == "pay":
            payer, payee, amount = item.payment
            points[payer] -= amount
            points[payee] += amount
        if item.kind == "hand":
            for name, net in nets(item, NAMES[east]).items():
                points[name] += net
            if item.winner != NAMES[east]:
                east, passes = (east + 1) % 4, passes + 1
    return [*found, Place(*(evening.kept or (east, passes)), tuple(points.values()))]


def nets(item: Item, east: str) -> dict[str, int]:
    """What each player wins: the winner gets his score from all, the others the differences; East twice."""
    net = dict.fromkeys(NAMES, 0)
    for one, score in item.scores:
        for other, less in item.scores:
            if other in (one, item.winner) or not (one == item.winner or score > less):
                continue
            points = (score if one == item.winner else score - less) * (2 if east in (one, other) else 1)
            net[one] += points
            net[other] -= points
    return net


def with_lines(evening: Evening, typed: list[Line]) -> Evening:
    """The evening with players' lines, typed as one; the last settle the hand if exactly one has won."""
    players = [line.player for line in typed]
    others = tuple(line for line in evening.lines if line.player not in players)
    together = (*others, *typed)
    winners = [line.player for line in together if line.won]
    if len(together) == 4 and len(winners) == 1:
        scores = tuple((line.player, line.score) for line in together)
        item = Item("hand", scores, winners[0], evening.notes, kept=evening.kept)
        return Evening((*evening.items, item))
    return evening._replace(lines=together)


def with_edit(evening: Evening, number: int, item: Item, keep: bool) -> Evening:
    """The evening with another item at *number*; *keep* has the later ones played where they were."""
    before = places(evening)
    after = evening._replace(items=(*evening.items[:number], item, *evening.items[number + 1 :]))
    if not keep:
        return after
    for later in range(number + 1, len(evening.items)):
        if evening.items[later].kind in ("hand", "draw") and places(after)[later][:2] != before[later][:2]:
            kept = after.items[later]._replace(kept=before[later][:2])
            after = after._replace(items=(*after.items[:later], kept, *after.items[later + 1 :]))
    if evening.under_way and places(after)[-1][:2] != before[-1][:2]:
        after = after._replace(kept=before[-1][:2])
    return after


def of_account(account: kept.EveningFile) -> tuple[object, ...]:
    """What an account holds, as the list has it."""
    items: list[object] = []
    for entry in account.entries:
        lines = account.document[entry.place]
        if entry.checked is None:
            items.append(("note", lines[0][5:].strip()))
            continue
        scores = {entry.checked.seats[wind]: score for wind, score in entry.settlement.scores.items()}
        won = entry.checked.seats[entry.settlement.winner] if entry.settlement.winner else ""
        assert entry.checked.state.position is not None
        notes = [
            row.text
            for row in map(parse_row, (line.rstrip("\n") for line in lines[1:]))
            if isinstance(row, NoteLine)
        ]
        notes = [note for note in notes if not note.startswith(("edited; ", "into the pool"))]
        east = "" if entry.kind == "pay" else entry.checked.seats["E"]
        items.append((entry.kind, scores, won, entry.nets, tuple(notes), east))
    hand = account.hand
    rows, notes = {}, []
    if hand.is_open:
        lines = account.document[hand.place]
        for name, number in hand.rows.items():
            row = parse_row(lines[number].rstrip("\n"))
            assert isinstance(row, SeatRow)
            rows[name] = (row.given, row.won)
        notes = [
            row.text
            for row in map(parse_row, (line.rstrip("\n") for line in lines[1:]))
            if isinstance(row, NoteLine)
        ]
    position = account.position
    return items, rows, notes, position.totals, position.east, position.passes


def of_evening(evening: Evening) -> tuple[object, ...]:
    """The same of the list."""
    items: list[object] = []
    before = places(evening)
    for item, place in zip(evening.items, before, strict=False):
        east = NAMES[place.east]
        if item.kind == "note":
            items.append(("note", item.notes[0]))
        elif item.kind == "pay":
            payer, payee, amount = item.payment
            net = dict.fromkeys(NAMES, 0)
            net[payer] -= amount
            net[payee] += amount
            items.append(("pay", {}, "", net, (), ""))
        else:
            net = nets(item, east) if item.kind == "hand" else dict.fromkeys(NAMES, 0)
            items.append((item.kind, dict(item.scores), item.winner, net, item.notes, east))
    rows = {line.player: (line.score, line.won) for line in evening.lines}
    last = before[-1]
    return items, rows, list(evening.notes), last.points, last.east, last.passes


players = st.sampled_from(NAMES)
scores = st.integers(0, 80).map(lambda half: 2 * half)
STOPS = st.none() | st.integers(1, 60)  # before which operation on the disk the process ends, if any
words = st.sampled_from(["well played", "E: 5", "pay S E 100", "#", "ein Wort", "西"])


class Evenings(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.stack = contextlib.ExitStack()
        self.disk: Disk = self.stack.enter_context(faulty_disk())
        self.folder, self.state = (Path(tempfile.mkdtemp(dir=folder_in_memory())) for _ in range(2))
        self.stack.enter_context(pytest.MonkeyPatch.context()).setenv("XDG_STATE_HOME", str(self.state))
        self.path = self.folder / "e.mj"
        self.path.write_text(HEAD, encoding="utf-8")
        self.stop: int | None = None
        self.evening = Evening()
        self.history: list[Evening] = []
        self.redone: list[Evening] = []
        self.remarks: list[str] = []
        self.table: Controller = self.opened()

    def opened(self) -> Controller:
        return Controller(Store(str(self.path)), lambda text: None, Style())

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.store.close()
            self.stack.close()
            shutil.rmtree(self.folder)
            shutil.rmtree(self.state)

    def type(self, *lines: str) -> str:
        """Types lines, the last of which may be stopped in the middle; what was said, ``stopped`` then."""
        said = ""
        for number, line in enumerate(lines):
            at, self.stop = (self.stop, None) if number == len(lines) - 1 else (None, self.stop)
            self.disk.arm(at)
            try:
                self.table.take(line)
                said = "done"
            except Refused as refused:
                said = refused.refusal.code
            except Stopped:
                self.disk.bury()
                self.disk.arm(None)
                self.table = self.opened()
                said = "stopped"
            self.disk.arm(None)
        return said

    def done(self, after: Evening, *lines: str) -> None:
        """Something that is done by typing, after which the evening is another."""
        text = self.table.session.evening.text
        said = self.type(*lines)
        assert said in ("done", "stopped"), (lines, said)
        if self.table.session.evening.text == text:
            # stopped before it was done, or typed as it had been already: nothing to undo
            assert said == "stopped" or of_evening(after) == of_evening(self.evening)
            return
        self.history.append(self.evening)
        self.evening, self.redone = after, []

    # the hand under way

    @rule(player=players, score=scores, won=st.booleans(), by_wind=st.booleans(), stop=STOPS)
    def line(self, player: str, score: int, won: bool, by_wind: bool, stop: int | None) -> None:
        place = places(self.evening)[-1]
        seat = "ESWN"[(NAMES.index(player) - place.east) % 4] if by_wind else TYPED[player]
        after = with_lines(self.evening, [Line(player, score, won)])
        self.stop = stop
        self.done(after, f"{seat}: {score}{' win' if won else ''}")

    @rule(won=st.integers(0, 3), points=st.tuples(scores, scores, scores, scores))
    @precondition(lambda self: not self.evening.under_way)
    def hand(self, won: int, points: tuple[int, ...]) -> None:
        for number, name in enumerate(NAMES):
            self.line(name, points[number], number == won, False, None)

    @rule(
        won=st.integers(0, 3),
        points=st.tuples(scores, scores, scores, scores),
        some=st.sets(st.integers(0, 3), min_size=2),
        stop=STOPS,
    )
    def several_in_one_line(
        self, won: int, points: tuple[int, ...], some: set[int], stop: int | None
    ) -> None:
        after, place = self.evening, places(self.evening)[-1]
        typed = [Line(NAMES[number], points[number], number == won) for number in sorted(some)]
        said = ", ".join(
            f"{'ESWN'[(NAMES.index(line.player) - place.east) % 4]} {line.score}{' win' if line.won else ''}"
            for line in typed
        )
        winners = {line.player for line in after.lines if line.won}
        if winners.intersection(line.player for line in typed) and not any(line.won for line in typed):
            assert self.type(said) == "two-readings"  # is the win to be kept?
            said = self.table.offers[-1]  # no: and this is not asked again
        self.stop = stop
        self.done(with_lines(after, typed), said)

    @rule(note=words)
    def note(self, note: str) -> None:
        evening = self.evening
        if evening.under_way:
            after = evening._replace(notes=(*evening.notes, note))
        else:
            after = Evening((*evening.items, Item("note", notes=(note,))))
        self.done(after, f"note {note}")

    @rule(stop=STOPS)
    @precondition(lambda self: self.evening.under_way)
    def drop(self, stop: int | None) -> None:
        self.stop = stop
        self.done(Evening(self.evening.items), "drop")

    # between hands

    @rule()
    @precondition(lambda self: not self.evening.under_way)
    def draw(self) -> None:
        self.done(Evening((*self.evening.items, Item("draw"))), "draw")

    @rule(payer=st.integers(0, 3), other=st.integers(1, 3), amount=st.integers(1, 99), stop=STOPS)
    @precondition(lambda self: not self.evening.under_way)
    def pay(self, payer: int, other: int, amount: int, stop: int | None) -> None:
        east = places(self.evening)[-1].east
        payee = (payer + other) % 4
        item = Item("pay", payment=(NAMES[payer], NAMES[payee], 2 * amount))
        self.stop = stop
        wind = "ESWN"[(payer - east) % 4]
        self.done(Evening((*self.evening.items, item)), f"pay {wind} {TYPED[NAMES[payee]]} {2 * amount}")

    @rule(winner=players)
    @precondition(lambda self: not self.evening.under_way)
    def pool(self, winner: str) -> None:
        before = len(self.table.session.evening.entries)
        if self.type(f"pool {TYPED[winner]}") != "done":
            return
        items = [*self.evening.items, Item("note", notes=(f"the pool goes to {TYPED[winner]}",))]
        for entry in self.table.session.evening.entries[before + 1 :]:
            payer = next(name for name, net in entry.nets.items() if net < 0)
            assert entry.nets[winner] == -entry.nets[payer] > 0
            items.append(Item("pay", payment=(payer, winner, entry.nets[winner])))
        self.history.append(self.evening)
        self.evening, self.redone = Evening(tuple(items)), []

    @rule(data=st.data(), keep=st.booleans(), stop=STOPS)
    @precondition(lambda self: self.evening.items)
    def edit(self, data: st.DataObject, keep: bool, stop: int | None) -> None:
        number = data.draw(st.integers(0, len(self.evening.items) - 1))
        item = self.evening.items[number]
        mark = self.table.session.evening.entries[number].mark
        typed: list[str] = []
        if item.kind == "hand":
            player, score = data.draw(players), data.draw(scores)
            points = dict(item.scores)
            if data.draw(st.booleans()) and player != item.winner:
                typed.append(f"{TYPED[item.winner]}: {points[item.winner]}")
                typed.append(f"{TYPED[player]}: {score} win")
                winner = player
            else:
                winner = item.winner
                typed.append(f"{TYPED[player]}: {score}{' win' if player == winner else ''}")
            points[player] = score
            item = item._replace(scores=tuple(points.items()), winner=winner)
        elif item.kind == "pay":
            payer, payee, amount = item.payment
            typed.append(f"pay {TYPED[payer]} {TYPED[payee]} {amount + 2}")
            item = item._replace(payment=(payer, payee, amount + 2))
        elif item.kind == "note":
            note = data.draw(words)
            typed.append(f"note {note}")
            item = item._replace(notes=(note,))
        else:
            typed.append("draw")
        after = with_edit(self.evening, number, item, keep)
        self.stop = stop
        self.done(after, f"edit {mark}", *typed, "keep" if keep else "yes")

    # back and forth

    @rule(stop=STOPS)
    def undo(self, stop: int | None) -> None:
        self.step("undo", stop, self.history, self.redone)

    @rule(stop=STOPS)
    def redo(self, stop: int | None) -> None:
        self.step("redo", stop, self.redone, self.history)

    def step(self, word: str, stop: int | None, left: list[Evening], gone: list[Evening]) -> None:
        self.stop = stop
        text = self.table.session.evening.text
        said = self.type(word)
        if not left:
            assert said in (f"nothing-to-{word}", "stopped")
        elif self.table.session.evening.text == text:
            assert said == "stopped", said
        else:
            gone.append(self.evening)
            self.evening = left.pop()

    @rule(
        line=st.sampled_from(
            ["standings", "counters", "pool", "show", "help", "edit 99", "Eve: 8", "hello", "yes"]
        )
    )
    def ask(self, line: str) -> None:
        if line != "yes" or not self.table.offers:  # Eve: 8, if only Dee's line is missing, may be hers
            self.type(line)

    # the world

    @rule(kill=st.booleans())
    def restart(self, kill: bool) -> None:
        if kill:
            self.disk.bury()
        else:
            self.table.store.close()
        self.table = self.opened()

    @rule(note=words)
    @precondition(lambda self: not self.evening.under_way)
    def somebody_adds_a_note(self, note: str) -> None:
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(f"\n# by hand\nnote {note}\n")
        self.somebody_wrote(Evening((*self.evening.items, Item("note", notes=(note,)))))

    @rule(player=players, score=scores)
    @precondition(lambda self: self.evening.under_way and len(self.evening.lines) < 3)
    def somebody_adds_a_line(self, player: str, score: int) -> None:
        if player in [line.player for line in self.evening.lines]:
            return
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(f"\t{TYPED[player]} :{score}  # by hand\n")
        line = Line(player, score, False)
        self.somebody_wrote(self.evening._replace(lines=(*self.evening.lines, line)))

    def somebody_wrote(self, after: Evening) -> None:
        self.history, self.redone = [], []
        self.evening = after
        self.type("standings")

    @rule(number=st.integers(0, 9))
    def somebody_adds_a_comment(self, number: int) -> None:
        text = self.path.read_text(encoding="utf-8")
        remark = f"# remark {len(self.remarks)}  {number}\n\n"
        head, tail = text.split("players", 1)
        self.remarks.append(remark)
        other = self.folder / "editor"
        other.write_text(f"{head}{remark}players{tail}", encoding="utf-8")
        other.replace(self.path)
        self.somebody_wrote(self.evening)

    # what must hold

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "table"):
            return
        account = self.table.session.evening
        assert of_account(account) == of_evening(self.evening)
        text = self.path.read_bytes().decode("utf-8")
        assert text == account.text
        assert all(remark in text for remark in self.remarks)
        assert {one.name for one in self.folder.iterdir()} - {".~lock.e.mj#"} == {"e.mj"}
        assert all(checked.ok or checked.amiss for checked in check_file(str(self.path), Context()))
        assert "# w" not in text
        if not self.evening.under_way:
            held = purses(self.table.session)
            assert held.holdings is not None
            for name, points in zip(NAMES, account.position.totals, strict=True):
                assert held.counters.points(held.holdings[name]) + held.owing.get(name, 0) == 2000 + points


TestEvenings = Evenings.TestCase
LONG = settings.default.max_examples > 1000
TestEvenings.settings = settings(
    max_examples=5_000 if LONG else part_of(20, 2),
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow],
)
