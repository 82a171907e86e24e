"""The results of an action, as values, and each of them as text for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple, Protocol

from mjscore.counters.exchange import Exchange
from mjscore.counters.holdings import Purses
from mjscore.game.tiles import WIND_NAMES, format_tiles
from mjscore.page.sheets import show_exchange, show_settlement, show_sheet
from mjscore.page.text import Style, signed, wrapped
from mjscore.play.changes import Edit, describe_entry
from mjscore.play.evening import Entry, EveningFile, record_of, written
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, SeatRow
from mjscore.record.statistics import least_payments
from mjscore.refusal import Refusal, escape_controls, text_width, told
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT


class Shown(Protocol):
    """A part of an action's result, shown as lines."""

    def lines(self, style: Style) -> Iterable[str]: ...


# words tell what was done; a refusal tells why the rows of the hand under way, all kept, contradict each other
Outcome = str | Refusal | Shown


class Scored(NamedTuple):
    """A typed hand with its score; payments follow when the hand is settled."""

    sheet: ScoreSheet
    book: Rulebook
    seats: Mapping[str, str]

    def lines(self, style: Style) -> Iterable[str]:
        yield show_sheet(self.sheet, self.book, style, names=self.seats, pays=False)
        hand = self.sheet.hand
        assert hand is not None
        # legal, but perhaps a forgotten bracket
        for tile in sorted(set(hand.concealed)):
            if hand.win is None and hand.concealed.count(tile) == 4:
                four = format_tiles((tile,) * 4)
                yield f"{four}, not declared, counts as a pung; type [{four}] if declared, ({four}) if claimed"


class PlayedEntry(NamedTuple):
    """A hand or an event with its payments, and the counters that it moved, if they are used."""

    entry: Entry
    exchange: Exchange | None = None

    def lines(self, style: Style) -> Iterable[str]:
        yield self._payments(style)
        if self.exchange is not None:
            yield show_exchange(self.exchange, self.entry.state.seats, style)

    def _payments(self, style: Style) -> str:
        entry = self.entry
        if entry.checked is None:
            return ""
        moved = sorted((pair for pair in entry.nets.items() if pair[1]), key=lambda pair: pair[1])
        if entry.kind == "pay" and len(moved) == 2:
            (payer, points), (payee, _) = moved
            return f"{escape_controls(payer)} pays {escape_controls(payee)} {-points}"
        settlement = entry.settlement
        if entry.kind == "seat":
            return escape_controls(settlement.remarks[0])
        if settlement.label is None or settlement.label.isdecimal():
            # hands are numbered here, whatever label a file gives them
            settlement = settlement._replace(label=entry.mark if entry.mark.isdecimal() else None)
        return show_settlement(settlement, entry.checked.seats, style)


class Points(NamedTuple):
    """Everybody's points.

    *shown* is ``totals``, in the first order of seats; ``standings``, highest first; or ``corrected``: then the points
    are what an edit adds to, or takes from, what was handed over before.
    """

    points: Mapping[str, int]
    shown: str = "totals"

    def lines(self, style: Style) -> Iterable[str]:
        points = self.points
        if self.shown == "standings":
            # players with equal points stay in order
            ranked = sorted(points.items(), key=lambda pair: -pair[1])
            gives = [
                escape_controls(f"{one.payer} gives {one.payee} {one.points}")
                for one in least_payments(points)
            ]
            return [
                *(
                    f"  {place}. {escape_controls(name):<20} {signed(amount):>8}"
                    for place, (name, amount) in enumerate(ranked, 1)
                ),
                *([f"To settle up now: {', '.join(gives)}"] if gives else []),
            ]
        if self.shown == "corrected":
            less = [
                f"{escape_controls(name)} gives {-amount}" for name, amount in points.items() if amount < 0
            ]
            more = [f"{escape_controls(name)} gets {amount}" for name, amount in points.items() if amount > 0]
            sides = "; ".join(", ".join(side) for side in (less, more) if side)
            return [f"To correct the counters: {sides}"] if sides else []
        totals = (f"{escape_controls(name)} {signed(amount)}" for name, amount in points.items())
        return [f"Totals: {', '.join(totals)}"]


class Next(NamedTuple):
    """What comes next: which hand and round, who is East, whose rows are already there."""

    evening: EveningFile

    def lines(self, style: Style) -> Iterable[str]:
        return [show_greeting(self.evening, style)]


class Proposal(NamedTuple):
    """An edit that waits for an answer.

    *moved* is the edit if the winds of later hands move, None if later hands would become invalid (*unfit* says why);
    *kept* is the edit if later winds are kept: the same edit if none would move, None if that was refused.
    """

    moved: Edit | None
    kept: Edit | None
    unfit: str = ""

    @property
    def answers(self) -> str:
        """Return the possible answers."""
        if self.kept in (None, self.moved):
            return "yes or no"
        return "keep or no" if self.moved is None else "yes, keep or no"

    def lines(self, style: Style) -> Iterable[str]:
        moved, kept, unfit = self
        first, *second = (show_edit(edit) for edit in (moved, kept) if edit is not None)
        if moved is None:
            return [*first, f"If the winds move, {unfit}; with keep they stay as they were played"]
        others = [line for shown in second for line in shown if line not in first]
        keep = [] if kept in (None, moved) else ["With keep, the winds stay as they were played"]
        return [*first, *keep, *others]


class Counters(NamedTuple):
    """Counters between hands.

    *shown* is ``holdings``, who holds what and who owes whom; ``reckoned``, what everybody is assumed to hold from
    here on; or ``pool``, what everybody would put into the pool.
    """

    purses: Purses
    shown: str = "holdings"

    def lines(self, style: Style) -> Iterable[str]:
        if self.shown == "reckoned":
            return ["From here on the counters count as", *self.purses.holding_lines()]
        lines = self.purses.pool_lines() if self.shown == "pool" else self.purses.holding_lines()
        return lines or told("no-holdings")[:1]


def show(values: Iterable[Outcome], style: Style) -> str:
    """Return the results of an action as text, wrapped at words."""

    def lines_of(value: Outcome) -> Iterable[str]:
        if isinstance(value, str):
            return [value]
        return [value.render(style.width)] if isinstance(value, Refusal) else value.lines(style)

    return wrapped("\n".join(text for value in values for text in lines_of(value) if text), style)


def show_offers(lines: Sequence[str], width: int) -> list[str]:
    """Return the lines offered, numbered; none for a single line, which the refusal shows already."""
    numbered = enumerate(map(escape_controls, lines), 1) if len(lines) > 1 else ()
    return [
        "\n".join(wrap(line, width, initial_indent=f"  {number}  ", subsequent_indent="     "))
        for number, line in numbered
    ]


def show_greeting(evening: EveningFile, style: Style) -> str:
    """Return the greeting: which hand and round, who is East, whose lines are already there."""
    seats = evening.state.seats
    head = f"Hand {evening.hand.mark}, {WIND_NAMES[evening.state.round_wind]} round: {escape_controls(seats['E'])} is East"
    players = ", ".join(f"{wind} {escape_controls(name)}" for wind, name in evening.playing.items())
    lines = [style.strong(head) + "  " + style.faint(players)]
    if text_width(head) + 2 + text_width(players) > style.width:
        below = wrap(players, style.width, initial_indent="  ", subsequent_indent="  ")
        lines = [*map(style.strong, wrap(head, style.width)), *map(style.faint, below)]
    if SITTER_OUT in seats:
        lines.append(f"{escape_controls(seats[SITTER_OUT])} sits out")
    if evening.hand.rows:
        lines.append(f"typed so far: {', '.join(map(escape_controls, evening.hand.rows))}")
    return "\n".join(lines)


def show_return(evening: EveningFile, style: Style) -> str:
    """Return the text on opening an evening: the standings if hands were played, and the rows of the current hand."""
    points = [Points(evening.position.points)] if evening.played else []
    typed = [written([evening.hand.lines[place]]) for place in evening.hand.rows.values()]
    return show([*points, Next(evening), *typed], style)


def show_edit(edit: Edit) -> list[str]:
    """Return what an edit would change, in one line each: the entry itself, later entries, the totals."""
    before, after, entry = edit
    lines = []
    for old, new in zip(before.entries, after.entries, strict=True):
        changes = list(_changes(old, new))
        if old.place == entry.place and not changes:
            changes = ["the points do not change"]
        if changes:
            name = describe_entry(new)
            lines.append(f"{name[:1].upper()}{name[1:]}: {'; '.join(changes)}")
    # rows and events later on that say something else because they mention a wind
    lines += [
        f"In {old.mark}, {escape_controls(line.strip())} becomes {escape_controls(other.strip())}"
        for old, new in zip(before.blocks, after.blocks, strict=True)
        for line, other in zip(old.lines, new.lines, strict=False)
        if old.place != entry.place
        and isinstance(record := record_of(line), SeatRow | EventLine)
        and record != record_of(other)
    ]
    totals = _differences(before.position.points, after.position.points)
    lines.append(f"Totals: {', '.join(totals) or 'as before'}")
    now = after.state
    if before.state.seats != now.seats:
        hand = "The hand under way" if after.hand.is_open else "The next hand"
        lines.append(f"{hand}: {WIND_NAMES[now.round_wind]} round, {escape_controls(now.seats['E'])} is East")
    return lines


def _changes(old: Entry, new: Entry) -> Iterator[str]:
    if old.checked is None:
        return
    then, now = old.state, new.state
    if new.kind not in EVENTS or EVENTS[new.kind].names_east:
        if then.seats["E"] != now.seats["E"]:
            yield f"{escape_controls(now.seats['E'])} is East, not {escape_controls(then.seats['E'])}"
        if then.round_wind != now.round_wind:
            yield f"{WIND_NAMES[now.round_wind]} round, not {WIND_NAMES[then.round_wind]}"
    scores = {then.seats[wind]: score for wind, score in old.settlement.scores.items()}
    scores_now = {now.seats[wind]: score for wind, score in new.settlement.scores.items()}
    # only players in both can have another score
    scores = {name: scores.get(name, score) for name, score in scores_now.items()}
    if changed := _differences(scores, scores_now, str):
        yield f"scores {', '.join(changed)}"
    if changed := _differences(old.nets, new.nets):
        yield f"nets {', '.join(changed)}"


def _differences(
    before: Mapping[str, int], after: Mapping[str, int], say: Callable[[int], str] = signed
) -> list[str]:
    return [
        f"{escape_controls(name)} {say(before.get(name, 0))} → {say(after.get(name, 0))}"
        for name in {**after, **before}  # who came or left in the entry is in only one
        if before.get(name, 0) != after.get(name, 0)
    ]


def show_external_changes(before: EveningFile, after: EveningFile) -> list[str]:
    """Return what somebody else changed in the file, in one line for each entry."""
    old, new = [entry.lines for entry in before.entries], [entry.lines for entry in after.entries]
    names = zip(before.first_players, after.first_players, strict=False)
    lines = [
        f"{escape_controls(one)} is now called {escape_controls(other)}"
        for one, other in names
        if one != other
    ]
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        pairs = zip_longest(before.entries[first:last], after.entries[start:end])
        for left, right in pairs if kind != "equal" else ():
            what = "gone" if right is None else "new" if left is None else "changed"
            lines.append(f"{describe_entry(right or left)} is {what}")
    then, now = (one.hand.lines if one.hand.is_open else () for one in (before, after))
    if then != now:
        lines.append(
            f"the hand under way has {', '.join(map(escape_controls, after.hand.rows)) or 'no lines'}"
        )
    return lines
