"""What play shows: the greeting before a hand, a hand with its totals, standings, what an edit would change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import zip_longest
from operator import itemgetter
from textwrap import wrap

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.settlements import show_settlement
from mjscore.page.text import Style, signed
from mjscore.play.document import Document
from mjscore.play.mending import Mended, told_entry
from mjscore.play.reading import Account, Entry, east_and_round
from mjscore.record.events import EVENTS
from mjscore.record.lines import NoteLine, SeatRow, parse_row
from mjscore.refusal import text_width, visible
from mjscore.settling.payment import SITTER_OUT

_WIDE_ENOUGH = 72  # columns, for what a command does beside it
_OF_LINES = (
    "A line for each seat, by wind or name; the winner's hand ends with his last tile:",
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
    """What can be typed at the table, or what *command* does; nothing where there is none such."""
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
    """A line of help, an example with spaces between its parts on lines of their own where it is too wide."""
    if not line.startswith("  "):
        return wrap(line, width)
    return [line] if len(line) <= width else [f"  {part.strip()}" for part in line.split("     ")]


def show_greeting(account: Account, style: Style) -> str:
    """Who is East, which round, which hand; whose lines are there already."""
    seats = account.seats
    wind = WIND_NAMES[account.round_wind]
    head = f"Hand {account.hands + 1}, {wind} round: {visible(seats['E'])} is East"
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
    there = {**account.open_hand.rows, **account.open_hand.waiting} if account.open_hand is not None else {}
    if there:
        lines.append(f"typed so far: {', '.join(map(visible, there))}")
    return "\n".join(lines)


def show_entry(entry: Entry, style: Style) -> str:
    """A hand's or event's payments."""
    if entry.checked is None:
        return ""
    moved = sorted((pair for pair in entry.nets.items() if pair[1]), key=itemgetter(1))
    if entry.kind == "pay" and len(moved) == 2:
        (payer, points), (payee, _) = moved
        return f"{visible(payer)} pays {visible(payee)} {-points}"
    settlement = entry.settlement
    if settlement.label is None or settlement.label.isdecimal():
        # a hand goes by its number, whatever number it was given in a file
        settlement = settlement._replace(label=entry.mark if entry.kind == "hand" else None)
    return show_settlement(settlement, entry.checked.seats, style)


def show_totals(entry: Entry, style: Style) -> str:
    """Everybody's points after a hand or event."""
    assert entry.checked is not None
    assert entry.checked.after is not None
    totals = zip(entry.checked.after.players, entry.checked.after.totals, strict=True)
    text = "Totals: " + ", ".join(f"{visible(name)} {signed(points)}" for name, points in totals)
    return "\n".join(wrap(text, style.width, subsequent_indent="  "))


def show_put_right(before: Account, after: Account, style: Style) -> str:
    """Who is to give and who to get what at the table, where counters were handed over before an edit."""
    old, new = _totals(before), _totals(after)
    less = [
        f"{visible(name)} gives {old[name] - points}" for name, points in new.items() if points < old[name]
    ]
    more = [
        f"{visible(name)} gets {points - old[name]}" for name, points in new.items() if points > old[name]
    ]
    said = "; ".join(filter(None, (", ".join(less), ", ".join(more))))
    return show_lines([f"To put the counters right: {said}"], style) if said else ""


def show_lines(lines: Iterable[str], style: Style) -> str:
    """Lines of words, each wrapped to the width."""
    return "\n".join("\n".join(wrap(line, style.width, subsequent_indent="  ")) for line in lines)


def show_standings(account: Account) -> str:
    """Who has what, the most first."""
    totals = zip(account.position.totals, account.position.players, strict=True)
    ranked = sorted(totals, key=lambda pair: -pair[0])  # those who have the same stay as they sit
    return "\n".join(
        f"  {place}. {visible(name):<20} {signed(points):>8}"
        for place, (points, name) in enumerate(ranked, 1)
    )


def show_block(document: Document, entry_place: int) -> str:
    """A block as it stands in the file."""
    return "\n".join(visible(line.rstrip("\r\n")) for line in document[entry_place].lines)


def show_as_written(document: Document, entry_place: int) -> str:
    """A block as people wrote it: without comments, and without what is worked out."""
    head, *rows = (line.rstrip("\r\n") for line in document[entry_place].lines)
    return "\n".join(visible(line) for line in [head, *filter(_is_peoples, rows)])


def _is_peoples(line: str) -> bool:
    row = parse_row(line)
    return isinstance(row, SeatRow) or (isinstance(row, NoteLine) and not row.text.startswith("edited; "))


# ------------------------------------------------------------- what an edit would change


def show_edit(before: Account, after: Account, entry: Entry, mended: Mended) -> list[str]:
    """What an edit would change, a line for each: the entry itself, what follows, the totals."""
    lines = []
    for old, new in zip(before.entries, after.entries, strict=True):
        changes = list(_changes(old, new))
        if old.place == entry.place and not changes:
            changes = ["the points stay as they were"]
        if changes:
            told = told_entry(new)
            lines.append(f"{told[:1].upper()}{told[1:]}: {'; '.join(changes)}")
    for line in mended.rewritten:
        lines.append(f"In {line.mark}, {visible(line.before)} becomes {visible(line.after)}")
    totals = _differences(_totals(before), _totals(after))
    lines += [f"Totals: {', '.join(totals)}"] if totals else ["Totals: as before"]
    if before.seats != after.seats:
        hand = "The hand under way" if after.open_hand is not None else "The next hand"
        lines.append(f"{hand}: {WIND_NAMES[after.round_wind]} round, {visible(after.seats['E'])} is East")
    return lines


def _totals(account: Account) -> dict[str, int]:
    return dict(zip(account.position.players, account.position.totals, strict=True))


def _changes(old: Entry, new: Entry) -> Iterator[str]:
    if old.checked is None:
        return
    if new.kind != "pay":
        (east, wind), (east_now, wind_now) = east_and_round(old), east_and_round(new)
        if east != east_now:
            yield f"{visible(east_now)} is East, not {visible(east)}"
        if wind != wind_now:
            yield f"{WIND_NAMES[wind_now]} round, not {WIND_NAMES[wind]}"
    scores, scores_now = _scores(old), _scores(new)
    changed = [
        f"{visible(name)} {scores[name]} → {score}"
        for name, score in scores_now.items()
        if scores[name] != score
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
        f"{visible(name)} {signed(before[name])} → {signed(points)}"
        for name, points in after.items()
        if before[name] != points
    ]


# ------------------------------------------------------------- what somebody else changed


def show_news(before: Account, after: Account) -> list[str]:
    """What is new in a file that somebody else has written: a line for each entry."""
    old = [before.document[entry.place].text for entry in before.entries]
    new = [after.document[entry.place].text for entry in after.entries]
    names = zip(before.position.players, after.position.players, strict=False)
    lines = [f"{visible(one)} is called {visible(other)} now" for one, other in names if one != other]
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for left, right in zip_longest(before.entries[first:last], after.entries[start:end]):
            if right is None:
                lines.append(f"{told_entry(left)} is gone")
            else:
                lines.append(f"{told_entry(right)} is {'new' if left is None else 'changed'}")
    if _hand_lines(before) != _hand_lines(after):
        rows = after.open_hand.rows if after.open_hand is not None else {}
        lines.append(f"the hand under way has {', '.join(map(visible, rows)) or 'no line'}")
    return lines


def _hand_lines(account: Account) -> str:
    return account.document[account.open_hand.place].text if account.open_hand is not None else ""
