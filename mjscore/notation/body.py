"""A hand while it is read from what was typed, piece by piece."""

from __future__ import annotations

import re

from mjscore.game.hand import quote_name
from mjscore.game.tiles import Tile
from mjscore.notation.groups import Letters
from mjscore.notation.names import People, nobody_called
from mjscore.notation.pieces import Piece
from mjscore.notation.tokens import tile_run
from mjscore.refusal import refuse, visible


class Body:
    """What has been read of a hand so far."""

    def __init__(self, letters: Letters) -> None:
        self.letters = letters
        self.pieces: list[Piece] = []
        self.sign = ""
        self.said = False  # whether the sign was a word, which may stand behind its tile
        self.winning: Tile | None = None
        self.stated = ""  # the set that it completed, in brackets
        self.discarder: str | None = None
        self.flags: list[str] = []

    def add(self, group: str) -> bool:
        """Takes a group of tiles; the one behind a sign wins."""
        run = tile_run(group)
        tiles = run.tiles + run.bonus
        if self.sign and self.winning is None:
            if len(tiles) != 1:
                return False
            self.winning = tiles[0]
            return True
        if self.sign and self.sign not in "+<":
            return False
        if self.winning is not None or self.flags:
            return False
        self.pieces.append(Piece(group, tiles))
        return True

    def take_last(self) -> bool:
        """The tile typed last, alone, is the winning tile."""
        if not self.pieces or self.pieces[-1].bracket or len(self.pieces[-1].tiles) != 1:
            return False
        self.winning = self.pieces.pop().tiles[0]
        return True

    def take_sign(self, sign: str, text: str) -> bool:
        """Takes the sign before the winning tile. Raises Refused for one that there is not; *text* is the whole."""
        if self.sign:
            return False
        if sign == ">":
            claimed = text.replace(">", "<").strip()
            raise refuse(
                "wrong-sign", "> is no sign: a claimed tile has < before it", f"type {visible(claimed)}"
            )
        self.sign = sign
        return True

    def say_sign(self, sign: str) -> bool:
        """Takes a sign said in words, which may follow the sign itself."""
        if self.sign:
            return self.sign == sign
        self.sign = sign
        self.said = True
        return True

    def take_discarder(self, word: str, people: People) -> bool:
        """Takes the player who discarded the winning tile. Raises Refused where nobody has the name."""
        if self.discarder:
            return False
        named = people.strict(word)
        if named is None and people.players:
            raise nobody_called(word, people.players.values())
        self.discarder = named or word.strip('"')
        return True

    def lay_down(self) -> bool:
        """All that stands before the slash lies on the table: each group is a set."""
        if self.sign or self.flags or not self.pieces:
            return False
        laid: list[Piece] = []
        for piece in self.pieces:
            if piece.bracket or not piece.tiles or any(tile.is_bonus for tile in piece.tiles):
                laid.append(piece)
            elif len(piece.tiles) > 4 or re.search("[A-Z]$", piece.text):
                # honors without a class letter part where one kind ends
                laid += [_table_set(tiles, tiles[0].value * len(tiles)) for tiles in _alike(piece.tiles)]
            else:
                laid.append(_table_set(piece.tiles, piece.text))
        self.pieces = laid
        return True

    def ending(self) -> str:
        """The win clause with its flags, or the flags alone."""
        clause = ""
        if self.winning is not None:
            clause = f"{self.sign}{self.winning}{self.stated}" + (
                f":{quote_name(self.discarder)}" if self.discarder else ""
            )
        return clause + "".join(f"!{flag}" for flag in self.flags)


def _alike(tiles: tuple[Tile, ...]) -> list[tuple[Tile, ...]]:
    parts: list[list[Tile]] = []
    for tile in tiles:
        if parts and parts[-1][0] == tile:
            parts[-1].append(tile)
        else:
            parts.append([tile])
    return [tuple(part) for part in parts]


def _table_set(tiles: tuple[Tile, ...], text: str) -> Piece:
    # a four may have been claimed or declared: which, is not guessed
    if len(tiles) == 4 and len(set(tiles)) == 1:
        return Piece(text, tiles, "?")
    return Piece(f"({text})", tiles, "(")
