"""A hand as it was typed, taken apart into pieces, and the strict lines that it may stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mjscore.game.tiles import Tile, format_tiles
from mjscore.refusal import Refusal, Refused


class OpenFour(Refused):
    """Four equal tiles without brackets: *lines* are the hand with the four claimed, and declared concealed."""

    def __init__(self, refusal: Refusal, lines: tuple[str, ...]) -> None:
        super().__init__(refusal)
        self.lines = lines


class Piece(NamedTuple):
    """Tiles of one group, or a set with its brackets."""

    text: str
    tiles: tuple[Tile, ...]
    bracket: str = ""


class Typed(NamedTuple):
    """A hand taken apart: its seat, its pieces in the order typed, and how it ends."""

    header: str
    pieces: tuple[Piece, ...]
    ending: str
    winning: Tile | None

    def line(self) -> str:
        """The hand in the strict notation."""
        return " ".join(
            part for part in (self.header, *(piece.text for piece in self.pieces), self.ending) if part
        )


def strict_lines(typed: Typed, others: list[Refused]) -> Iterator[str]:
    """The strict lines that a hand taken apart may stand for; fours without brackets are refused to *others*."""
    fours = [number for number, piece in enumerate(typed.pieces) if _is_open_four(piece)]
    asked = [number for number in fours if typed.pieces[number].bracket == "?"]
    held = [piece for piece in typed.pieces if piece.bracket in ("", "?")]
    tiles = sum(not tile.is_bonus for piece in held for tile in piece.tiles)
    sets = sum(bool(piece.bracket) and piece.bracket != "?" for piece in typed.pieces)
    over = tiles + 3 * sets - 13
    if asked or (fours and over > 0):
        others.append(_without_brackets(typed, asked or fours))
        return
    yield typed.line()
    if over == 1 and typed.winning is not None:
        yield from _winning_tile_taken_out(typed, typed.winning)


def _is_open_four(piece: Piece) -> bool:
    return piece.bracket in ("", "?") and len(piece.tiles) == 4 and len(set(piece.tiles)) == 1


def _without_brackets(typed: Typed, fours: list[int]) -> Refused:
    lines = []
    for opening, closing in ("()", "[]"):
        pieces = [
            piece._replace(text=f"{opening}{piece.text}{closing}") if number in fours else piece
            for number, piece in enumerate(typed.pieces)
        ]
        lines.append(typed._replace(pieces=tuple(pieces)).line())
    four = typed.pieces[fours[0]].text
    refusal = Refusal(
        "four-without-brackets",
        f"{four}: a four needs brackets",
        f"type {lines[0]} if it was claimed, {lines[1]} if it was declared concealed",
    )
    return OpenFour(refusal, tuple(lines))


def _winning_tile_taken_out(typed: Typed, winning: Tile) -> Iterator[str]:
    """The hand without the winning tile among the tiles before it, or in the set on the table that it completed."""
    pieces = typed.pieces
    for number in reversed(range(len(pieces))):
        if not pieces[number].bracket and winning in pieces[number].tiles:
            yield _with_one_less(typed, number, winning)
            break
    if typed.ending.startswith("<"):
        for number, piece in enumerate(pieces):
            if piece.bracket == "(" and len(piece.tiles) == 3 and winning in piece.tiles:
                yield _with_one_less(typed, number, winning)


def _with_one_less(typed: Typed, number: int, tile: Tile) -> str:
    left = list(typed.pieces[number].tiles)
    left.remove(tile)
    pieces = list(typed.pieces)
    pieces[number : number + 1] = [Piece(format_tiles(left), tuple(left))] if left else []
    return typed._replace(pieces=tuple(pieces)).line()
