"""What a line corrects in a hand told before: which hand is meant, its scores, the winning tile, its discarder."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from mjscore.game.hand import Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.lexer import Lattice
from mjscore.notation.told_words import words_of
from mjscore.notation.vocabulary import plain, vocabulary
from mjscore.play.actions import action_of, as_number, says_nothing
from mjscore.play.commands import entry_named
from mjscore.play.evening import EveningFile, rows_of
from mjscore.play.offers import says
from mjscore.play.reading import at_table, one_line, read_action
from mjscore.play.remedies import RefusedLine
from mjscore.play.session import Session
from mjscore.record.lines import SeatRow
from mjscore.refusal import Refused, escape_controls, refuse

_OF_A_TILE = ("TILES", "VALUES", "SUIT")
_LONGEST_CORRECTION = 4  # words


def which_hand(line: str, meant: str, session: Session) -> Refused | None:
    """Return the question whether a line, read as *meant* for this hand, corrects an earlier one; None if it cannot."""
    evening = session.evening
    if session.draft is not None or not _corrected(line, evening, False):
        return None
    rows = rows_told(meant, session)
    has_tiles = any(isinstance(row.given, Hand) for row in rows)
    mark, named = _corrected(line, evening, has_tiles), named_hand(line, evening, has_tiles)
    most = len(session.seats) if named else len(evening.missing)
    if not mark or not 0 < len(rows) < most:
        return None  # scores for everybody are a hand of their own
    try:
        entry = entry_named(evening, mark)
    except Refused as unplayed:
        return unplayed
    if named and _tells_two_hands(line, session.seats.values()):
        return refuse("two-readings", "two-hands", mark=mark)
    rows = rows_told(_behind_hand(line), session) or rows
    is_number = plain(line).split().count(mark) == 1 and any(str(row.given) == mark for row in rows)
    kept = "" if is_number else f": {one_line(with_win(rows, seat_rows(entry.lines)))}"
    lines = (f"edit {mark}{kept}", *([] if named else [one_line(rows)]))
    one, other = map(escape_controls, (lines[0], lines[-1]))
    asked = refuse(
        "two-readings", "corrected-hand" if named else "corrected", mark=mark, one=one, other=other
    )
    return Refused(asked.refusal._replace(lines=lines), asked.kind)


def rows_told(line: str, session: Session) -> list[SeatRow]:
    """Return the rows of a line; none if it is refused, or is no line of scores and hands."""
    with contextlib.suppress(Refused):
        return [row for row in read_action(line, session).records if isinstance(row, SeatRow)]
    return []


def edit_with_line(line: str, seats: Mapping[str, str], marks: Collection[str]) -> tuple[str, str]:
    """Return the mark, one of *marks*, that a line opens for correction, and the line to be typed there: "edit 3: dee 12".

    Return empty texts for other lines.
    """
    head, _, rest = line.partition(":")
    words = line.split()
    parts = ((" ".join(words[:end]), " ".join(words[end:])) for end in range(2, len(words)))
    for said, left in ((head, rest), *parts):
        action = action_of(said, seats, False)
        if action.kind == "edit" and action.text in marks:
            return (action.text, left.strip()) if left.strip() else ("", "")  # edit 1, not 2
    return "", ""


def _corrected(line: str, evening: EveningFile, has_tiles: bool) -> str:
    """Return the mark of the earlier hand that a line seems to correct; empty if it seems to be about the next hand.

    The mark is the hand's number. A line of scores may name it, as in "hand 3: ann 12"; one that *has_tiles* only at its
    head, as in "hand 3 is wrong", not: "hand three greens". A correction without a number is about the last hand. A hand
    later than the next has a mark too, though there is none.
    """
    words = plain(line).split()
    mark = named_hand(line, evening, has_tiles)
    if mark or not evening.entries or evening.hand.is_open:
        return mark
    last = evening.entries[-1]
    denied = says(line.partition(",")[0], "no")  # no, dee had 12
    return last.mark if last.kind == "hand" and (denied or _corrects(words, has_tiles)) else ""


def named_hand(line: str, evening: EveningFile, has_tiles: bool) -> str:
    """Return the mark of a hand named in a line that was played, or is later than the next; empty if none is."""
    words = plain(line).split()
    head = plain(line.partition(":")[0]).split()
    is_head = _at_hand(words) == 0 and (
        (":" in line and len(head) == 2) or all(map(says_nothing, words[2:3]))
    )
    marks = [entry.mark for entry in evening.entries if entry.kind == "hand"]
    within = words if not has_tiles else words[: 2 if is_head else 4]
    named = list(_hands_named(within, marks, is_head or not has_tiles))  # but: in hand three greens
    known = next((mark for mark in named if mark in marks), "")
    later = (one for one in named if one.isdecimal() and int(one[:4]) > len(marks) + 1)
    at = _at_hand(words)
    is_meant = at == 0 or says(" ".join(words[at - 1 : at + 1]), "within")  # but: the limit hand 500
    return known or (next(later, "") if is_meant else "")


def _hands_named(words: Sequence[str], marks: Sequence[str], numbered: bool) -> Iterator[str]:
    """Yield what may be the mark of a hand: of "the third hand", "the last hand" and, if *numbered*, "hand 3"."""
    for word, ahead in pairwise(words):
        meanings = vocabulary().of(ahead if says(word, "hand") else word)
        if says(word, "hand") and numbered:
            yield from (ahead, *(one.value for one in meanings if one.kind == "number"))
        elif says(ahead, "hand") and as_number(word) == word and any(one.kind == "final" for one in meanings):
            yield from marks[-1:]
        elif says(ahead, "hand"):
            yield as_number(word)


def _at_hand(words: Sequence[str]) -> int:
    """Return the place of the word "hand" among *words*, their number if it is not there."""
    return next((at for at, word in enumerate(words) if says(word, "hand")), len(words))


def _tells_two_hands(line: str, names: Iterable[str]) -> bool:
    """Return whether players are named before the word "hand" in a line, and others of *names* after it."""
    words = plain(line).split()
    known = [set(plain(name).split()) for name in names]
    at = _at_hand(words)
    before, behind = (
        [name for name in known if not name.isdisjoint(part)] for part in (words[:at], words[at:])
    )
    return bool(before) and any(name not in before for name in behind)


def _behind_hand(line: str) -> str:
    """Return what follows "hand 1 is wrong," or the like, if only a hand is named before its first comma or colon; else empty.

    The number there is neither a score nor a tile.
    """
    head, _, rest = line.replace(":", ",").partition(",")
    words = plain(head).split()
    told = [word for word in words if _is_number(word) or word.capitalize() in WIND_NAMES.values()]
    return line[-len(rest) :] if rest and len(told) < 2 and _at_hand(words) < len(words) else ""


def _corrects(words: Sequence[str], has_tiles: bool) -> bool:
    """Return whether a word of correction begins a line or, without tiles, is before its first number or at its end."""
    number = next((at for at, word in enumerate(words) if _is_number(word)), len(words))
    sizes = range(1, _LONGEST_CORRECTION + 1)
    phrases = [words[at : at + size] for at in range(1 if has_tiles else number) for size in sizes]
    phrases += [words[-size:] for size in sizes if not has_tiles]
    return any(says(" ".join(phrase), "correction") for phrase in phrases)


def _is_number(word: str) -> bool:
    return word.isdecimal() or vocabulary().says(word, "number", "count")


def seat_rows(lines: Sequence[str]) -> dict[str, SeatRow]:
    """Return the rows among a hand's lines by the player's name."""
    return {row.name: row for _, row in rows_of(lines) if isinstance(row, SeatRow)}


def winner_among(rows: Sequence[SeatRow]) -> SeatRow | None:
    """Return the only row of a winner; None if there is none or are several."""
    won = [row for row in rows if _wins(row)]
    return won[0] if len(won) == 1 else None


def _wins(row: SeatRow) -> bool:
    return row.won or (isinstance(row.given, Hand) and row.given.win is not None)


def moved_win(told: Mapping[str, SeatRow], rows: Sequence[SeatRow]) -> str:
    """Return that *rows* move the win of the hand *told* before to another player; empty if they do not."""
    winner = winner_among(rows)
    lost = [told[row.name] for row in rows if row.name in told and _wins(told[row.name]) and not _wins(row)]
    if winner is None or not lost:
        return ""
    return f"{escape_controls(str(lost[0]))} won this hand; now {escape_controls(winner.name)} wins it"


def claimed_from(row: SeatRow, discarder: str) -> SeatRow:
    """Return a winner's row with another discarder; flags of a drawn tile go."""
    if not isinstance(row.given, Hand) or row.given.win is None:
        return row._replace(drawn=None, discarder=discarder)
    win = row.given.win
    claimed = win._replace(drawn=False, discarder=discarder, flags=frozenset() if win.drawn else win.flags)
    return row._replace(given=row.given._replace(win=claimed))


def with_win(rows: Sequence[SeatRow], told: Mapping[str, SeatRow]) -> list[SeatRow]:
    """Return rows of which none wins, but a bare score of the winner *told* before with that win; other rows unchanged."""
    if winner_among(rows) is not None:
        return list(rows)
    lost = [
        row.name for row in rows if isinstance(row.given, int) and row.name in told and _wins(told[row.name])
    ]
    return [_with_win_of(told[row.name], row) if row.name in lost else row for row in rows]


def _with_win_of(old: SeatRow, row: SeatRow) -> SeatRow:
    win = old.given.win if isinstance(old.given, Hand) else None
    if win is None:
        return old._replace(given=row.given)
    return row._replace(won=True, drawn=win.drawn or None, discarder=win.discarder)


def scores_for_tiles(rows: Sequence[SeatRow], told: Mapping[str, SeatRow]) -> list[SeatRow]:
    """Return the bare scores that would replace tiles *told* before; none if they come with another's win."""
    winner = winner_among(rows)
    scored = [
        row for row in rows if isinstance(row.given, int) and winner in (None, row) and row.name in told
    ]
    return [row for row in scored if isinstance(told[row.name].given, Hand)]


def with_tile(row: SeatRow, tile: str, discarder: str) -> Iterator[str]:
    """Yield lines with another winning *tile*, in words, for a winner's hand: one that was held, or one not told before."""
    hand = row.given
    if isinstance(hand, Hand) and hand.win is not None:
        discarder = discarder or hand.win.discarder or ""
        how = f"from {quote_name(discarder)}" if discarder else "drawn" if hand.win.drawn else "claimed"
        for tiles in ((*hand.concealed, hand.win.tile), hand.concealed):
            held = hand._replace(seat=None, concealed=tiles, win=None)
            yield f"{quote_name(row.name)}: {held}, last tile {tile} {how}"


def tile_told(line: str) -> str:
    """Return the words for the one tile that a line tells as the winning one: "sorry, ann drew the 3 of dots, not the 6".

    Return an empty text for other lines.
    """
    words = words_of(Lattice(line))
    start = next((at for at, one in enumerate(words) if one.says("FINAL", "SIGN", "WIN")), len(words))
    behind = [one for one in words[start + 1 :] if not one.says("COMPLETES", "UPON")]
    tile = list(takewhile(lambda one: one.says(*_OF_A_TILE), behind))
    others = [one for one, before in zip(behind[len(tile) + 1 :], behind[len(tile) :], strict=False)
              if one.says(*_OF_A_TILE) and not before.says("DENIAL", *_OF_A_TILE)]  # fmt: skip
    told = any(one.says(*_OF_A_TILE) for one in words[:start]) or others
    return line[tile[0].start : tile[-1].end] if tile and not told else ""


def with_ending(line: str, session: Session) -> tuple[str, str]:
    """Return the winner's row with the winning tile or discarder that *line* tells; before it, the hand's mark.

    The mark is empty for the hand in progress or being corrected; both are if the line tells no other ending of a
    hand.
    """
    evening, draft = session.evening, session.draft
    last = next((entry for entry in evening.entries[-1:] if entry.kind == "hand"), None)
    earlier = last if draft is None and not evening.hand.is_open else None
    entry = earlier or draft or evening.hand
    row = winner_among(list(seat_rows(entry.lines).values()))
    if row is None:
        return "", ""
    table, lines = at_table(session), list[str]()
    refused = RefusedLine(line, table)
    throwers = {table.seats.get(seat, seat) for seat in refused.named.throwers.values()} - {row.name}
    others = {table.seats.get(seat, seat) for seat in refused.seats} - {row.name, *throwers}
    throwers &= {*table.seats.values()}  # without "somebody"
    if (tile := tile_told(line)) and not others:
        lines += with_tile(row, tile, "".join(throwers) if len(throwers) == 1 else "")
    elif discarder := discarder_told(line, session, row.name):
        lines.append(str(claimed_from(row, discarder)))
    for told in lines:
        with contextlib.suppress(Refused):
            (meant,) = read_action(told, session).records
            return earlier.mark if earlier is not None else "", one_line([meant])
    return "", ""


def discarder_told(line: str, session: Session, winner: str = "") -> str:
    """Return who discarded the winning tile, if a line tells only that (of a *winner*); else empty."""
    table = at_table(session)
    return table.seats.get(RefusedLine(line, table).discarder_of(table.seat_of(winner) or ""), "")
