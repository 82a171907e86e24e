"""The lines of a hand's block as they were typed: which wait, which another has replaced, which were typed as one.

What was typed stays in its order, and what undoing has to know stands in comments of the block: ``# was`` before
a line that another has replaced, ``# waiting`` before one that does not go with the others yet, ``# 3 in one
line`` above several that were, and ``# settled by`` above those that settled a hand begun before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mjscore.play.document import INDENT
from mjscore.record.lines import EastRow, NoteLine, PaysRow, SeatRow, parse_row
from mjscore.refusal import Refused, visible

WAITING = "# waiting "
WAS = "# was "
SETTLED_BY = "# settled by"
_TOGETHER = re.compile(r"[ \t]*# (?P<count>[2-9]) in one line[ \t]*(?:\r?\n)?\Z")
_HEAD = re.compile(r"hand\b(?![ \t]*:)")
_BARE_HEAD = re.compile(r"hand @[ESWN]\s*")


class Said(NamedTuple):
    """What a line of a hand's block is: a player's ``row`` (also where it waits), one that ``was``, a ``note``, the
    ``label`` that was, what is ``worked out`` (who was East, who pays); empty for anything else.
    """

    kind: str
    player: str = ""


def said(line: str, seats: Mapping[str, str]) -> Said:
    """What a line of a hand's block is; a wind that somebody wrote is the player at it."""
    text = line.strip()
    kind = "row"
    if text.startswith(WAS):
        text, kind = text[len(WAS) :], "was"
        if _HEAD.match(text):
            return Said("label")
    try:
        row = parse_row(f"{INDENT}{text.removeprefix(WAITING)}")
    except Refused:
        return Said("")  # a comment of somebody's that looks like ours
    if isinstance(row, SeatRow):
        return Said(kind, seats.get(row.name, row.name))
    if kind == "was" or text.startswith("#"):
        return Said("")
    if isinstance(row, EastRow | PaysRow):
        return Said("worked out")
    return Said("note" if isinstance(row, NoteLine) else "")


def waits(line: str) -> bool:
    """Whether a line of a block is a player's that waits for another to be put right."""
    return line.lstrip().startswith(WAITING) and said(line, {}).kind == "row"


def waiting(row: str) -> str:
    """A row as one that waits."""
    return f"{INDENT}{WAITING}{row.lstrip()}"


def taken_in(line: str) -> str:
    """A waiting line as a row; any other as it is."""
    return _without(WAITING, line) if waits(line) else line


def replaced(line: str) -> str:
    """A line that another has replaced."""
    margin = line[: len(line) - len(line.lstrip())] or INDENT
    return f"{margin}{WAS}{line.lstrip()}"


def in_one_line(rows: Sequence[str], end: str) -> list[str]:
    """Rows that were typed as one line, below a comment that says so where they are several."""
    return [f"{INDENT}# {len(rows)} in one line{end}", *rows] if len(rows) > 1 else list(rows)


def settled(before: Sequence[str], rows: Sequence[str], end: str) -> list[str]:
    """A block's lines with the rows that settle it: those that waited are taken in with them."""
    waited = [line for line in before if waits(line)]
    kept = [replaced(line) if line in waited else line for line in before]
    return [*kept, f"{INDENT}{SETTLED_BY}{end}", *map(taken_in, waited), *rows]


def told_rows(players: Iterable[str]) -> str:
    """A typed line in words: whose it is."""
    first, *others = map(visible, players)
    return f"the line of {', '.join([first, *others])}" if others else f"{first}’s line"


def is_typed(line: str) -> bool:
    """Whether a line below a hand's head was typed, and is not worked out or a comment."""
    return said(line, {}).kind in ("row", "was", "note", "label")


# ------------------------------------------------------------- back


def before_settling(lines: Sequence[str], seats: Mapping[str, str]) -> tuple[list[str], list[str]] | None:
    """A settled hand's lines before the line that settled it, and whose rows that had; None where it had them all."""
    place = next((number for number, line in enumerate(lines) if line.strip() == SETTLED_BY), None)
    if place is None:
        return None
    kept, players = list(lines[:place]), []
    for line in lines[place + 1 :]:
        found = said(line, seats)
        if found.kind == "row":
            players.append(found.player)
        elif found.kind != "worked out":
            kept.append(line)
    for player in players:
        _restore(kept, player, seats)
    return kept, [player for player in players if not _waited(kept, player, seats)]


def _waited(lines: Sequence[str], player: str, seats: Mapping[str, str]) -> bool:
    return any(waits(line) and said(line, seats).player == player for line in lines)


def before_last_line(lines: Sequence[str], seats: Mapping[str, str]) -> tuple[list[str], str]:
    """A begun hand's lines before what was typed last, and what that was, in words; no lines where it was the first
    of them, and no words where it was the hand's head alone.
    """
    kept = list(lines)
    kinds = [said(line, seats) for line in kept]
    last = max((n for n, one in enumerate(kinds) if one.kind in ("row", "note", "label")), default=0)
    if not last:
        return [], ""
    found = kinds[last]
    if found.kind == "label":
        kept[0] = _without(WAS, kept[last]).lstrip()
        del kept[last]
        return kept, "the label"
    if found.kind == "note":
        del kept[last]
        return _or_none(kept), "the note"
    start = _start_of_line(kept, kinds, last)
    players = [kinds[number].player for number in range(start, last + 1) if kinds[number].kind == "row"]
    kept[start : last + 1] = [
        kept[number]
        for number in range(start, last)
        if kinds[number].kind != "row" and not _TOGETHER.match(kept[number])
    ]
    for player in players:
        _restore(kept, player, seats)
    return _or_none(kept), told_rows(players)


def _or_none(lines: list[str]) -> list[str]:
    """The lines; none where the head that the first of them brought with it is all that is left."""
    return [] if _BARE_HEAD.fullmatch("".join(lines)) else lines


def _start_of_line(lines: Sequence[str], kinds: Sequence[Said], last: int) -> int:
    """Where what was typed with the row at *last* begins: at the comment above several rows, else there."""
    for place in reversed(range(last)):
        together = _TOGETHER.match(lines[place])
        if together is None:
            continue
        rows = [n for n in range(place, len(lines)) if kinds[n].kind in ("row", "was")]
        these = rows[: int(together["count"])]
        return place if len(these) == int(together["count"]) and these[-1] == last else last
    return last


def _restore(lines: list[str], player: str, seats: Mapping[str, str]) -> None:
    """Puts the line of *player* back that was replaced last."""
    for number in reversed(range(len(lines))):
        if said(lines[number], seats) == Said("was", player):
            lines[number] = _without(WAS, lines[number])
            return


def _without(mark: str, line: str) -> str:
    return line.replace(mark, "", 1)
