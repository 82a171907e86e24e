"""What a line corrects in the hand of a winner told before: the score, the winning tile, its discarder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from mjscore.game.hand import Hand, quote_name
from mjscore.notation.lexer import Lattice
from mjscore.notation.told_words import words_of
from mjscore.play.evening import rows_of
from mjscore.record.lines import SeatRow
from mjscore.refusal import escape_controls

_OF_A_TILE = ("TILES", "VALUES", "SUIT")


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
