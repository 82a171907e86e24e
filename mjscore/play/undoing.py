"""What was done last, told from the file alone: so undoing reaches back over a restart.

Everything that play writes shows in the file what there was before it: a row of the hand under way follows
the one that it replaces, hands and notes stand in their order, a pool has its payments marked, an edit keeps
the lines that it replaced.
"""

from __future__ import annotations

from mjscore.play.changes import INTO_THE_POOL
from mjscore.play.document import INDENT, with_lines, without
from mjscore.play.mending import last_edit, told_entry, unmended
from mjscore.play.reading import WAS, Account, taken_in
from mjscore.record.lines import SeatRow, parse_row
from mjscore.refusal import Refused, refuse, visible


def before_last(account: Account) -> tuple[str, str]:
    """The text before what was done last, and what that was, in words. Raises Refused at the beginning."""
    if account.open_hand is not None:
        return _without_last_line(account, account.open_hand.place)
    edit = last_edit(account)
    if edit is not None:
        return unmended(account, edit)
    if not account.entries:
        raise refuse("nothing-to-undo", "nothing has been played yet", "type the first hand")
    last = account.entries[-1]
    pool = _pool(account)
    if pool:
        words = f"the pool of {visible(account.document[pool[0]].lines[0].split(maxsplit=5)[5].strip())}"
        return without(account.document, pool), words
    return without(account.document, [last.place]), told_entry(last)


def _pool(account: Account) -> list[int]:
    """The places of the pool that the file ends with: a note and its payments; none where it ends otherwise."""
    places: list[int] = []
    for entry in reversed(account.entries):
        lines = account.document[entry.place].lines
        if entry.kind == "pay" and len(lines) > 1 and lines[1].strip() == f"note {INTO_THE_POOL}":
            places.append(entry.place)
        elif places and entry.kind == "note" and lines[0].startswith("note the pool goes to "):
            return [entry.place, *reversed(places)]
        else:
            break
    return []


def _without_last_line(account: Account, place: int) -> tuple[str, str]:
    """The hand under way without the line typed last, and with the one that it replaced."""
    lines = list(account.document[place].lines)
    if len(lines) == 1:
        return without(account.document, [place]), f"hand {account.hands + 1}"
    last = lines.pop().rstrip("\r\n")
    player = _player(last)
    if player is not None:
        for number in range(len(lines) - 1, 0, -1):
            if lines[number].startswith(INDENT + WAS):
                old = INDENT + lines[number][len(INDENT + WAS) :]
                if _player(old) == player:
                    lines[number] = old
                    break
    told = f"{visible(player)}’s line" if player is not None else "the note"
    if len(lines) == 1:
        return without(account.document, [place]), told
    return with_lines(account.document, place, lines), told


def _player(line: str) -> str | None:
    """Whose line of a hand it is, also of one that waits; None for a note or a comment."""
    try:
        row = parse_row(taken_in(line).rstrip("\r\n"))
    except Refused:
        return None
    return row.name if isinstance(row, SeatRow) else None
