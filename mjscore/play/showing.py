"""What play shows: the greeting before a hand, a hand with its totals, standings, what an edit would change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import zip_longest
from operator import itemgetter
from textwrap import wrap

from mjscore.game.tiles import WIND_NAMES, format_tiles
from mjscore.page.settlements import show_exchange, show_settlement
from mjscore.page.sheets import show_sheet
from mjscore.page.text import Style, signed
from mjscore.play import outcomes
from mjscore.play.changes import Edit, describe_entry
from mjscore.play.evening import Entry, Evening
from mjscore.play.outcomes import Outcome
from mjscore.record.events import EVENTS
from mjscore.refusal import text_width, visible
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT

_NOT_KNOWN = "it is not known who holds which counters: the set does not say with how many a player begins"
_WIDE_ENOUGH = 72  # columns, for what a command does beside it
_OF_LINES = (
    "A line for each seat, by wind or name; the winner's hand ends with its last tile:",
    "  Ann: (RRR) 123b 456b 789b 5d <5d:Ben",
    "  E: 64     S: dead     W: 40 win from N",
    "All in one line, what lies on the table before a slash, bare scores in order from East:",
    "  w 123b444ceee/77d67c<8c:e 2 8 0",
    "  2 8 64w 0     e 2, s 8, w 64 win from s, n 0",
    "Typed again, a seat's line replaces the first. When all have one, the hand is settled.",
)
_OF_COMMANDS = (
    *((event.usage, event.help) for event in EVENTS.values()),
    ("undo, redo", "take back what was done last, whatever it was; bring it back"),
    ("edit 3, edit 3a", "put hand 3 right, or what came after it; what follows is worked out again"
     " (there: a line as it is to be, label words, note words; then yes, keep or no)"),
    ("show, show 3", "the hand in progress; hand 3"),
    ("standings", "who has what"),
    ("counters, pool", "who holds which counters; the pool at the end (pool Ann: it is hers)"),
    ("note any words", "a remark, kept in the file"),
    ("label any words", "what the hand under way is called"),
    ("drop", "forget the lines of this hand"),
    ("help, help edit, quit", "this; of one command; the end"),
)  # fmt: skip


def show_help(width: int, command: str = "") -> list[str]:
    """Tell what can be typed at the table, or what *command* does; nothing where there is none such."""
    rows = [row for row in _OF_COMMANDS if any(part.startswith(command) for part in row[0].split(", "))]
    if not rows:
        return []
    lines = [] if command else [part for line in _OF_LINES for part in _of_width(line, width)]
    longest = max(len(typed) for typed, _ in rows)
    for typed, words in rows:
        if width < _WIDE_ENOUGH:
            lines += wrap(f"{typed}: {words}", width, initial_indent="  ", subsequent_indent="      ")
        else:
            first = f"  {typed:<{longest}}  "
            lines += wrap(words, width, initial_indent=first, subsequent_indent=" " * len(first))
    return lines


def _of_width(line: str, width: int) -> list[str]:
    """Give a line of help, an example with spaces between its parts on lines of their own where it is too wide."""
    if not line.startswith("  "):
        return wrap(line, width)
    return [line] if len(line) <= width else [f"  {part.strip()}" for part in line.split("     ")]


def show_greeting(evening: Evening, style: Style) -> str:
    """Tell who is East, which round, which hand; whose lines are there already."""
    seats = evening.seats
    wind = WIND_NAMES[evening.round_wind]
    head = f"Hand {evening.hands + 1}, {wind} round: {visible(seats['E'])} is East"
    players = ", ".join(f"{wind} {visible(name)}" for wind, name in seats.items() if wind in WIND_NAMES)
    lines = [style.strong(head) + "  " + style.faint(players)]
    if text_width(head) + 2 + text_width(players) > style.width:
        lines = [style.strong(line) for line in wrap(head, style.width)]
        lines += [
            style.faint(line)
            for line in wrap(players, style.width, initial_indent="  ", subsequent_indent="  ")
        ]
    if SITTER_OUT in seats:
        lines.append(f"{visible(seats[SITTER_OUT])} sits out")
    there = evening.open_hand.rows if evening.open_hand is not None else {}
    if there:
        lines.append(f"typed so far: {', '.join(map(visible, there))}")
    return "\n".join(lines)


def show_entry(entry: Entry, style: Style) -> str:
    """Give a hand's or event's payments."""
    if entry.checked is None:
        return ""
    moved = sorted((pair for pair in entry.nets.items() if pair[1]), key=itemgetter(1))
    if entry.kind == "pay" and len(moved) == 2:
        (payer, points), (payee, _) = moved
        return f"{visible(payer)} pays {visible(payee)} {-points}"
    settlement = entry.settlement
    if entry.kind == "seat":
        return visible(settlement.remarks[0])
    if settlement.label is None or settlement.label.isdecimal():
        # a hand goes by its number, whatever number it was given in a file
        settlement = settlement._replace(label=entry.mark if entry.kind == "hand" else None)
    return show_settlement(settlement, entry.checked.seats, style)


def show_totals(points: Mapping[str, int], style: Style) -> str:
    """Give everybody's points after a hand or event."""
    totals = ", ".join(f"{visible(name)} {signed(amount)}" for name, amount in points.items())
    return show_lines([f"Totals: {totals}"], style)


def show_corrections(differences: Mapping[str, int], style: Style) -> str:
    """Tell who is to give and who to get what at the table, where counters were handed over before an edit."""
    less = [f"{visible(name)} gives {-points}" for name, points in differences.items() if points < 0]
    more = [f"{visible(name)} gets {points}" for name, points in differences.items() if points > 0]
    said = "; ".join(filter(None, (", ".join(less), ", ".join(more))))
    return show_lines([f"To put the counters right: {said}"], style) if said else ""


def show_lines(lines: Iterable[str], style: Style) -> str:
    """Give lines of words, each wrapped to the width."""
    return "\n".join("\n".join(wrap(line, style.width, subsequent_indent="  ")) for line in lines)


def show_standings(points: Mapping[str, int]) -> str:
    """Tell who has what, the most first."""
    ranked = sorted(points.items(), key=lambda pair: -pair[1])  # those who have the same stay as they sit
    return "\n".join(
        f"  {place}. {visible(name):<20} {signed(amount):>8}"
        for place, (name, amount) in enumerate(ranked, 1)
    )


def _undeclared(sheet: ScoreSheet) -> Iterator[str]:
    """Give a remark on each four that a loser holds: legal, and easily a forgotten bracket."""
    hand = sheet.hand
    assert hand is not None
    for tile in sorted(set(hand.concealed)):
        if hand.win is None and hand.concealed.count(tile) == 4:
            four = format_tiles((tile,) * 4)
            yield f"four {four} undeclared count as three; type [{four}] if declared, ({four}) if claimed"


def show(values: Iterable[Outcome], style: Style) -> str:
    """Show what an action came to, as text."""
    return "\n".join(text for value in values for text in _shown(value, style) if text)


def _shown(value: Outcome, style: Style) -> Iterable[str]:
    match value:
        case outcomes.Said(words):
            return [words]
        case outcomes.Scored(sheet, book, seats):
            return [show_sheet(sheet, book, style, names=seats, pays=False), *_undeclared(sheet)]
        case outcomes.Amiss(refusal):
            return [refusal.render(style.width), "the line is kept; type the line to change"]
        case outcomes.Unfit(refusal):
            return [f"{refusal.message}; type the other line too, or drop"]
        case outcomes.Played(entry, exchange):
            counters = [show_exchange(exchange, entry.seats, style)] if exchange is not None else []
            return [show_entry(entry, style), *counters]
        case outcomes.Totals(points):
            return [show_totals(points, style)]
        case outcomes.Standings(points):
            return [show_standings(points)]
        case outcomes.Next(evening):
            return [show_greeting(evening, style)]
        case outcomes.Block(lines):
            return [visible(line.rstrip("\r\n")) for line in lines]
        case outcomes.Proposal():
            return [show_lines(_proposal_lines(value), style)]
        case outcomes.Corrected(differences):
            return [show_corrections(differences, style)]
        case outcomes.Counters(purses, "pool"):
            return [show_lines(purses.pool_lines() or [_NOT_KNOWN], style)]
        case outcomes.Counters(purses, "reckoned"):
            return [show_lines(["The counters are reckoned from here on as", *purses.holding_lines()], style)]
        case outcomes.Counters(purses):
            owing = [
                f"{visible(name)} {'is owed' if points > 0 else 'owes'} {abs(points)}"
                for name, points in purses.owing.items()
            ]
            return [show_lines([*(purses.holding_lines() or [_NOT_KNOWN]), *owing], style)]
        case outcomes.Help(command):
            return show_help(style.width, command) or show_help(style.width)


def _proposal_lines(value: outcomes.Proposal) -> list[str]:
    kept = show_edit(value.kept) if value.kept is not None else []
    if value.moved is None:
        reason = value.unfit.message if value.unfit is not None else ""
        return [*kept, f"With the winds moved, {reason}; with keep they stay as they were played"]
    moved = show_edit(value.moved)
    keep = ["With keep, the winds stay as they were played"] if value.kept is not None else []
    return [*moved, *keep, *(line for line in kept if line not in moved)]


def show_edit(edit: Edit) -> list[str]:
    """Tell what an edit would change, a line for each: the entry itself, what follows, the totals."""
    before, after, entry, rewritten = edit
    lines = []
    for old, new in zip(before.entries, after.entries, strict=True):
        changes = list(_changes(old, new))
        if old.place == entry.place and not changes:
            changes = ["the points stay as they were"]
        if changes:
            told = describe_entry(new)
            lines.append(f"{told[:1].upper()}{told[1:]}: {'; '.join(changes)}")
    for line in rewritten:
        lines.append(f"In {line.mark}, {visible(line.before)} becomes {visible(line.after)}")
    totals = _differences(before.points, after.points)
    lines += [f"Totals: {', '.join(totals)}"] if totals else ["Totals: as before"]
    if before.seats != after.seats:
        hand = "The hand under way" if after.open_hand is not None else "The next hand"
        lines.append(f"{hand}: {WIND_NAMES[after.round_wind]} round, {visible(after.seats['E'])} is East")
    return lines


def _changes(old: Entry, new: Entry) -> Iterator[str]:
    if old.checked is None:
        return
    if new.kind not in EVENTS or EVENTS[new.kind].names_east:
        if old.seats["E"] != new.seats["E"]:
            yield f"{visible(new.seats['E'])} is East, not {visible(old.seats['E'])}"
        if old.round_wind != new.round_wind:
            yield f"{WIND_NAMES[new.round_wind]} round, not {WIND_NAMES[old.round_wind]}"
    scores, scores_now = _scores(old), _scores(new)
    changed = [
        f"{visible(name)} {scores[name]} → {score}"
        for name, score in scores_now.items()
        if name in scores and scores[name] != score
    ]
    if changed:
        yield f"scores {', '.join(changed)}"
    nets = _differences(old.nets, new.nets)
    if nets:
        yield f"nets {', '.join(nets)}"


def _scores(entry: Entry) -> dict[str, int]:
    return {entry.seats[wind]: score for wind, score in entry.settlement.scores.items()}


def _differences(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    return [
        f"{visible(name)} {signed(before.get(name, 0))} → {signed(after.get(name, 0))}"
        for name in {**after, **before}  # who came or left in an entry that is put right is in one of them
        if before.get(name, 0) != after.get(name, 0)
    ]


def show_external_changes(before: Evening, after: Evening) -> list[str]:
    """Tell what is new in a file that somebody else has written: a line for each entry."""
    old, new = [entry.lines for entry in before.entries], [entry.lines for entry in after.entries]
    names = zip(before.first_players, after.first_players, strict=False)
    lines = [f"{visible(one)} is called {visible(other)} now" for one, other in names if one != other]
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for left, right in zip_longest(before.entries[first:last], after.entries[start:end]):
            if right is None:
                lines.append(f"{describe_entry(left)} is gone")
            else:
                lines.append(f"{describe_entry(right)} is {'new' if left is None else 'changed'}")
    hand, rows = after.open_hand, after.open_hand.rows if after.open_hand is not None else {}
    if (before.open_hand and before.open_hand.lines) != (hand and hand.lines):
        lines.append(f"the hand under way has {', '.join(map(visible, rows)) or 'no line'}")
    return lines
