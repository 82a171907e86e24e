"""Hands from their parts, for the tests; the package itself reads them from text."""

from __future__ import annotations

from collections.abc import Iterable

from mjscore.game.hand import Hand, TileSet, Win
from mjscore.game.tiles import BITS, DIGIT, WEIGHT, Tile


def make_hand(
    sets: tuple[TileSet, ...] = (),
    concealed: tuple[Tile, ...] = (),
    win: Win | None = None,
    *,
    seat: str | None = None,
    round: str | None = None,
    bonus: tuple[Tile, ...] = (),
    dead: bool = False,
    no_choice: bool = False,
    unlisted: bool = False,
    flags: frozenset[str] = frozenset(),
) -> Hand:
    """A hand from its parts, sorted and counted. Nothing is checked here; ``parse`` checks."""
    held = pack(concealed)
    laid = pack(tile for table_set in sets for tile in table_set.tiles)
    return Hand(
        seat,
        round,
        sets,
        tuple(sorted(concealed)),
        tuple(sorted(bonus)),
        win,
        dead,
        no_choice,
        unlisted,
        held,
        laid,
        tile_mask(held + laid),
        flags,
    )


def pack(tiles: Iterable[int]) -> int:
    """The counts of *tiles* in one integer, six bits a kind (at most 36 of any kind)."""
    return sum(WEIGHT[tile] for tile in tiles)


def tile_mask(packed: int) -> int:
    """A 34-bit mask of the kinds present in a packed collection."""
    mask = 0
    while packed:
        kind = ((packed & -packed).bit_length() - 1) // BITS
        mask |= 1 << kind
        packed &= ~(DIGIT << BITS * kind)
    return mask
