"""What was done last, told from the file alone: so undoing reaches back over a restart.

Everything that play writes shows in the file what there was before it: a row of a hand follows the one that it
replaces, a hand says which line settled it, hands and notes stand in their order, a pool has its payments
marked, an edit keeps the lines that it replaced, and says how much there was when it was made.
"""

from __future__ import annotations

from mjscore.play.changes import WHOSE_POOL, is_of_pool
from mjscore.play.document import with_lines, without
from mjscore.play.mending import last_edit, told_entry, unmended
from mjscore.play.reading import Account
from mjscore.play.rows import before_last_line, before_settling, told_rows
from mjscore.refusal import refuse, visible


def before_last(account: Account) -> tuple[str, str]:
    """The text before what was done last, and what that was, in words. Raises Refused at the beginning."""
    edit = last_edit(account)
    if edit is not None:
        return unmended(account, edit)
    if account.open_hand is not None:
        place = account.open_hand.place
        lines, told = before_last_line(account.document[place].lines, account.seats)
        labelled = '"' in account.document[place].lines[0]
        told = told or ("the label" if labelled else f"hand {account.hands + 1}")
        return with_lines(account.document, place, lines), told
    if not account.entries:
        raise refuse("nothing-to-undo", "nothing has been played yet", "type the first hand")
    last = account.entries[-1]
    pool = _pool(account)
    if pool:
        winner = account.document[pool[0]].lines[0].removeprefix(WHOSE_POOL).strip().strip('"')
        return without(account.document, pool), f"the pool of {visible(winner)}"
    if last.checked is not None and not any(block.head for block in account.document[last.place + 1 :]):
        begun = before_settling(account.document[last.place].lines, last.checked.seats)
        if begun is not None:
            lines, players = begun
            words = f"{told_rows(players)}, the last of {told_entry(last)},"
            return with_lines(account.document, last.place, lines), words
    return without(account.document, [last.place]), told_entry(last)


def _pool(account: Account) -> list[int]:
    """The places of the pool that the file ends with: a note and its payments; none where it ends otherwise."""
    places: list[int] = []
    for entry in reversed(account.entries):
        if is_of_pool(account, entry):
            places.append(entry.place)
        elif places and account.document[entry.place].text.startswith(WHOSE_POOL):
            return [entry.place, *reversed(places)]
        else:
            break
    return []
