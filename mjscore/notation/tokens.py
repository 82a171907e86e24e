"""What one token of the grammar says, each kind by one look-up: its tiles, set, seat, winning tile or flag."""

from functools import lru_cache
from typing import NamedTuple

from lark import Token

from mjscore.game.hand import TileSet, Win
from mjscore.game.tiles import KINDS, TILES, UNICODE_TILES, WEIGHT, Tile
from mjscore.refusal import Place, Refused, refuse

LONGEST_WORD = 90  # what is longer is no hand's, and is not kept in memory


def offset_of(token: Token) -> int:
    """Tell where in its line *token* begins."""
    return token.start_pos or 0


def end_of(token: Token) -> int:
    """Tell where in its line *token* ends, without the blanks that it took along."""
    value: str = token.value
    end = offset_of(token) + len(value) if token.end_pos is None else token.end_pos
    return end - len(value) + len(value.rstrip())


def refused_token(token: Token, code: str, message: str, hint: str) -> Refused:
    """Give a refusal that marks *token*, as it was typed."""
    return refuse(code, message, hint, at=Place("", offset_of(token), end_of(token)))


class TileRun(NamedTuple):
    """Tiles that make sets, their packed counts and mask of kinds, and the bonus tiles among them."""

    tiles: tuple[Tile, ...]
    weight: int
    mask: int
    bonus: tuple[Tile, ...]


_CLASSES = {letter: {tile.value: tile for tile in TILES if tile.suit == letter} for letter in "bcdfsw"}
_PLAIN = {
    **{value: _CLASSES["w"][value] for value in "ESN"},
    **{value: _CLASSES["d"][value] for value in "RG"},
    **UNICODE_TILES,
}


def read_tiles(text: str) -> TileRun:
    """Read the tiles that the grammar has accepted: backwards, where each value meets its class letter first."""
    tiles: list[Tile] = []
    bonus: list[Tile] = []
    weight = mask = 0
    of_class = _PLAIN
    for character in reversed(text):
        if character in _CLASSES:
            of_class = _CLASSES[character]
            continue
        if character not in of_class:
            of_class = _PLAIN
        tile = of_class.get(character)
        if tile is None:  # a space, or the sign behind a Unicode tile that asks for a picture
            continue
        if tile < KINDS:
            tiles.append(tile)
            weight += WEIGHT[tile]
            mask |= 1 << tile
        else:
            bonus.append(tile)
    return TileRun(tuple(reversed(tiles)), weight, mask, tuple(reversed(bonus)))


_kept_run = lru_cache(maxsize=1 << 13)(read_tiles)


def tile_run(text: str) -> TileRun:
    """Give the same, remembered: the words of which hands consist come again and again."""
    return _kept_run(text) if len(text) <= LONGEST_WORD else read_tiles(text)


@lru_cache(maxsize=256)
def seat_of(text: str) -> tuple[str, str | None]:
    """Seat (a wind or a player's name) and round of a header token such as ``S@E:``."""
    name = text.rstrip(": \t")
    if name.startswith('"'):
        return name.strip('"'), None
    seat, _, round_wind = name.partition("@")
    return seat, round_wind or None


def unquote(text: str) -> str:
    """Give a name or label without its quotes."""
    return text[1:-1] if text.startswith('"') else text


@lru_cache(maxsize=1 << 14)
def set_of(text: str) -> tuple[TileSet, int, int] | str:
    """Give the set that a bracket holds with its packed counts and mask, or the code that says why it holds none."""
    inside, _, added = text.strip(" \t()[]").partition("+")
    # in (111+1d) the class letter of the fourth serves the three as well
    tiles, weight, mask, bonus = read_tiles(inside.rstrip() + added)
    if bonus:
        return "bonus-in-set"
    if not tiles:
        return "empty-set"
    ordered = sorted(tiles)
    low, high = ordered[0], ordered[-1]
    if text[0] == "[":
        if len(tiles) == 4 and low == high:
            return TileSet("kong", low, False, "declared"), weight, mask
        return "not-a-declared-four"
    if added:
        if len(tiles) == 4 and low == high and len(read_tiles(added).tiles) == 1:
            return TileSet("kong", low, True, "grown"), weight, mask
        return "not-a-grown-four"
    if len(tiles) == 3:
        if low == high:
            return TileSet("pung", low, True, "claimed"), weight, mask
        if low + 1 == ordered[1] and ordered[1] + 1 == high and high < 27 and low // 9 == high // 9:
            return TileSet("chow", low, True, "claimed"), weight, mask
    elif len(tiles) == 4 and low == high:
        return TileSet("kong", low, True, "fourth"), weight, mask
    return "not-a-set"


@lru_cache(maxsize=1 << 12)
def win_of(text: str) -> tuple[Win, int, str]:
    """Give the win by the first tile of a clause, how many tiles stand in it, and brackets that hold no set with it."""
    clause, _, name = text[1:].partition(":")
    tile_text, opening, inside = clause.partition("(")
    run = tile_run(tile_text)
    tiles = run.tiles + run.bonus
    win = Win(tiles[0], text[0] == "+", unquote(name.strip()) if name else None)
    if not opening:
        return win, len(tiles), ""
    bracket = opening + inside.rstrip()
    stated = _completed_set(bracket, win)
    return win._replace(stated=stated), len(tiles), "" if stated is not None else bracket


def _completed_set(bracket: str, win: Win) -> TileSet | None:
    """Give the run, three or pair in the brackets, completed by the winning tile; None where they hold no such set."""
    run = read_tiles(bracket)
    if run.tiles == (win.tile, win.tile) and not run.bonus:
        return TileSet("pair", win.tile, not win.drawn, completed=True)
    held = set_of(bracket)
    if isinstance(held, str) or held[0].kind == "kong" or win.tile not in held[0].tiles:
        return None
    return TileSet(held[0].kind, held[0].tile, not win.drawn, completed=True)


@lru_cache(maxsize=256)
def flag_of(text: str) -> tuple[str, str | None]:
    """Give the word of a flag, and the player whom it names."""
    word, _, name = text[1:].partition(":")
    return word.strip(), unquote(name.strip()) if name else None
