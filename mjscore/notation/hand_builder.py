"""Building a hand from its parts, however they were typed; refusing impossible hands at the part that is to blame."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from mjscore.game.hand import (
    FLAG_CLAUSES,
    FLAGS_NAMING_A_SEAT,
    FLAGS_OF_A_LOSER,
    FLAGS_OF_EVERY_HAND,
    Flag,
    Hand,
    Seat,
    TileSet,
    Win,
    set_text,
)
from mjscore.game.tiles import KINDS, TILES, UNICODE_TILES, WEIGHT, Tile, fifth_tile
from mjscore.refusal import Refused, refuse

MOST_TILES = 30  # more in one hand is not a typing error, and would overflow the packed counts
_NO_FLAGS: frozenset[str] = frozenset()
_EXCLUDING = (
    ("robbed", "earth"),
    ("call", "earth"),
    ("call", "thirteen"),
    ("robbed", "last"),
    ("earth", "last"),
)
Worth = Callable[[Hand], Hashable]  # a hand's score by the rules; None if they refuse it


class Written(NamedTuple):
    """A part of a line: its *type* in the grammar, its text as *value*, and the tiles, set or flag it stands for.

    *start* and *end* are negative if they follow from the parts before, with nothing but blanks between them.
    """

    type: str
    value: str
    thing: Any = None
    start: int = -1
    end: int = -1


class TileRun(NamedTuple):
    """Tiles without bonus tiles, their packed counts (*weight*) and mask of kinds, and the *bonus* tiles."""

    tiles: tuple[Tile, ...]
    weight: int
    mask: int
    bonus: tuple[Tile, ...]


class Laid(NamedTuple):
    """The content of a bracket: a *set*, or the *fault* if it is not one; its *tiles*, their packed counts and mask."""

    set: TileSet | None
    fault: str
    tiles: tuple[Tile, ...]
    weight: int = 0
    mask: int = 0


class Clause(NamedTuple):
    """How a hand was won: by the first of *number* tiles; *no_set* is a bracket that forms no set with it."""

    win: Win
    number: int
    no_set: str = ""


_CLASSES = {letter: {tile.value: tile for tile in TILES if tile.suit == letter} for letter in "bcdfsw"}
_PLAIN = {
    **{value: _CLASSES["w"][value] for value in "ESN"},
    **{value: _CLASSES["d"][value] for value in "RG"},
    **UNICODE_TILES,
}
# in (111+1d) the fourth tile's class letter applies to the other three as well
_JOINED = str.maketrans("", "", "+ \t")


def read_tiles(text: str) -> TileRun:
    """Read tiles accepted by the grammar, backwards, so that each value comes after its class letter."""
    tiles: list[Tile] = []
    of_class = _PLAIN
    for character in reversed(text):
        if character in _CLASSES:
            of_class = _CLASSES[character]
        elif character in of_class:
            tiles.append(of_class[character])
        else:  # a tile with its own class, a blank, or a variation selector after a Unicode tile
            of_class = _PLAIN
            if character in of_class:
                tiles.append(of_class[character])
    return run_of(reversed(tiles))


def run_of(tiles: Iterable[Tile]) -> TileRun:
    """Return *tiles* in their order, counted, with bonus tiles apart."""
    plain: list[Tile] = []
    bonus: list[Tile] = []
    weight = mask = 0
    for tile in tiles:
        if tile < KINDS:
            plain.append(tile)
            weight += WEIGHT[tile]
            mask |= 1 << tile
        else:
            bonus.append(tile)
    return TileRun(tuple(plain), weight, mask, tuple(bonus))


def seat_of(text: str) -> Seat:
    """Read the header of a hand, ``S@E:`` for example, or the name of a seat."""
    name = text.rstrip(": \t")
    if name.startswith('"'):
        return Seat(name.strip('"'))
    seat, _, round_wind = name.partition("@")
    return Seat(seat, round_wind or None)


def unquote(text: str) -> str:
    """Return a name or label without its quotes."""
    return text[1:-1] if text.startswith('"') else text


def set_of(text: str) -> Laid:
    """Read a bracket: ``(123b)``, ``[1111c]``, ``(111+1d)``."""
    added = text.partition("+")[2]
    return laid(read_tiles(text.translate(_JOINED)), text[0], read_tiles(added) if added else None)


def laid(run: TileRun, bracket: str, added: TileRun | None = None) -> Laid:
    """Return the content of a *bracket*, ``(`` or ``[``; *added* are its tiles that were drawn to an exposed pung."""
    if run.bonus or not run.tiles:
        return Laid(None, "bonus-in-set" if run.bonus else "empty-set", run.tiles)
    ordered = sorted(run.tiles)
    low, high = ordered[0], ordered[-1]
    kind = {3: "pung", 4: "kong"}.get(len(run.tiles), "") if low == high else ""
    if bracket == "[":
        origin, fault = "declared", "" if kind == "kong" else "not-a-declared-four"
    elif added is not None:
        origin, fault = "grown", "" if kind == "kong" and len(added.tiles) == 1 else "not-a-grown-four"
    else:
        if ordered == [low, low + 1, low + 2] and high < 27 and low // 9 == high // 9:
            kind = "chow"
        origin, fault = "fourth" if kind == "kong" else "claimed", "" if kind else "not-a-set"
    held = None if fault else TileSet(kind, low, bracket != "[", origin)
    return Laid(held, fault, run.tiles, run.weight, run.mask)


def clause_of(text: str) -> Clause:
    """Read how a hand was won: ``+7c``, ``<7c(567c):E``."""
    said, _, name = text[1:].partition(":")
    tiles, opening, inside = said.partition("(")
    run, brackets = read_tiles(tiles), (opening + inside).rstrip()
    discarder = unquote(name.strip()) if name else None
    return won(text[0], run.tiles + run.bonus, discarder, brackets, read_tiles(brackets))


def won(sign: str, tiles: Sequence[Tile], discarder: str | None, brackets: str, stated: TileRun) -> Clause:
    """Return how a hand was won by the first of *tiles*, which completed the set *stated* in *brackets*, if any."""
    win = Win(tiles[0], sign == "+", discarder)
    if not brackets:
        return Clause(win, len(tiles))
    held = laid(stated, "(").set
    kind, tile = (held.kind, held.tile) if held is not None else ("", win.tile)
    if stated.tiles == (win.tile, win.tile) and not stated.bonus:
        kind = "pair"
    elif held is None or kind == "kong" or win.tile not in held.tiles:
        return Clause(win, len(tiles), brackets)
    return Clause(win._replace(stated=TileSet(kind, tile, not win.drawn, completed=True)), len(tiles))


def flag_of(text: str) -> Flag:
    """Read a flag: ``!loose``, ``!earlier:S``."""
    word, _, name = text[1:].partition(":")
    return Flag(word.strip(), unquote(name.strip()) if name else None)


_READERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("HEADER", "SEAT_LABEL"), seat_of),
    **dict.fromkeys(("TILES", "GROUP"), read_tiles),
    **dict.fromkeys(("DRAWN", "CLAIMED"), clause_of),
    "SET": set_of,
    "FLAG": flag_of,
}


def thing_of(kind: str, text: str) -> Any:
    """Return what a token of the grammar stands for: tiles, a set, a seat, a flag ...; None for others."""
    return _READERS[kind](text.rstrip()) if kind in _READERS else None


def hand_of(parts: Iterable[Written]) -> Hand:
    """Build a hand from its parts. Raises Refused for an impossible hand, about the part or tile to blame."""
    seat = Seat("")
    sets: list[TileSet] = []
    concealed: list[Tile] = []
    bonus: tuple[Tile, ...] = ()
    weight = laid_weight = kinds = 0
    unlisted = False
    clause: Written | None = None
    flags: list[Written] = []
    for part in parts:
        kind, thing = part.type, part.thing
        if kind == "TILES":
            concealed += thing.tiles
            weight += thing.weight
            kinds |= thing.mask
            bonus += thing.bonus
        elif kind == "SET":
            if thing.set is None:
                raise _no_set(part)
            sets.append(thing.set)
            laid_weight += thing.weight
            kinds |= thing.mask
        elif kind == "DRAWN" or kind == "CLAIMED":
            clause = part
        elif kind == "FLAG":
            flags.append(part)
        elif kind == "HEADER" or kind == "SEAT_LABEL":
            seat = thing
        elif kind == "UNLISTED":
            unlisted = True
    if len(concealed) + 3 * len(sets) > MOST_TILES:
        raise refuse("too-many-tiles", "hand", count=len(concealed) + 3 * len(sets))
    win = _win(clause, flags) if clause is not None else None
    words = frozenset(_named(flags)) if flags and clause is None else _NO_FLAGS
    concealed.sort()
    hand = Hand(
        seat.name or None,
        seat.round,
        tuple(sets),
        tuple(concealed),
        tuple(sorted(bonus)) if bonus else (),
        win,
        "dead" in words,
        "nochoice" in words,
        unlisted,
        weight,
        laid_weight,
        kinds,
        words.difference(FLAGS_OF_A_LOSER) if words else words,  # dead and no choice have fields of their own
    )
    _check_tiles(hand)
    _check_count(hand)
    return hand


def _no_set(part: Written) -> Refused:
    fault, tiles = part.thing.fault, ", ".join(tile.title for tile in part.thing.tiles)
    return refuse(
        fault, "tiles" if fault in ("not-a-set", "not-a-grown-four") else "", about=part, tiles=tiles
    )


def _win(part: Written, flags: Sequence[Written]) -> Win:
    """Return how a hand was won, with its flags. Raise Refused if it cannot be."""
    win: Win = part.thing.win
    count, no_set, sign = part.thing.number, part.thing.no_set, "+" if win.drawn else "<"
    if count != 1:
        raise refuse("one-winning-tile", "sign", about=part, count=count, sign=sign)
    if win.tile >= KINDS:
        raise refuse("bonus-wins", about=part, tile=win.tile.title)
    if no_set:
        example = f"{sign}{win.tile}({set_text('pung', win.tile)})"
        raise refuse(
            "not-that-set", "brackets", about=part, brackets=no_set, tile=win.tile.title, example=example
        )
    if not flags:
        return win
    named = _named(flags, part)
    _check_together(list(named), flags)
    if win.stated is not None and "original" in named:
        raise refuse("not-that-set", "dealt", about=part, clause=f"{sign}{win.tile}")
    words = named.keys() - set(FLAGS_NAMING_A_SEAT)
    if "twofold" in words:
        words.add("loose")
    return win._replace(flags=frozenset(words), earlier=named.get("earlier"), all_from=named.get("allfrom"))


def _check_together(words: Sequence[str], flags: Sequence[Written]) -> None:
    """Refuse two flags that exclude each other, at the later one."""
    dealt = [
        ("original", word) for word in words if word in FLAG_CLAUSES and word not in ("original", "ninth")
    ]
    for word, other in (*dealt, *_EXCLUDING):
        if word in words and other in words:
            later = flags[max(words.index(word), words.index(other))]
            raise refuse("flags-exclude", about=later, one=word, other=other)


def _named(flags: Iterable[Written], clause: Written | None = None) -> dict[str, str | None]:
    """Return the flags allowed with a *clause*, or without one, and the player that each names.

    Whether such a flag exists is checked by the rulebook. Raises Refused for a flag that is out of place or repeated.
    """
    named: dict[str, str | None] = {}
    for part in flags:
        word, player = part.thing
        if clause is None and word in FLAG_CLAUSES and word not in FLAGS_OF_EVERY_HAND:
            raise refuse("flag-without-win", about=part, flag=word)
        if clause is not None and word in FLAGS_OF_A_LOSER:
            raise refuse("flag-of-a-loser", about=part, flag=word)
        if word in named:
            raise refuse("repeated-flag", about=part, flag=word)
        if (word in FLAGS_NAMING_A_SEAT) != (player is not None):
            raise refuse("flag-seat", "missing" if player is None else "needless", about=part, flag=word)
        if clause is not None and clause.value[0] not in (signs := FLAG_CLAUSES.get(word, "+<")):
            tile = clause.value[1:].partition(":")[0].strip()
            raise refuse(
                "flag-clause", "drawn" if signs == "+" else "claimed", about=part, flag=word, tile=tile
            )
        named[word] = player
    return named


def _check_fifth(packed: int) -> None:
    """Refuse a fifth tile of a kind among *packed* counts."""
    fifth = fifth_tile(packed)
    if fifth is not None:
        raise refuse("fifth-tile", about=fifth, tile=fifth.title)


def _check_tiles(hand: Hand) -> None:
    """Refuse a fifth tile of a kind, and a second copy of a bonus tile."""
    _check_fifth(hand.packed)
    if hand.bonus and len(set(hand.bonus)) < len(hand.bonus):
        second = next(tile for tile in hand.bonus if hand.bonus.count(tile) > 1)
        raise refuse("second-bonus-tile", about=second, tile=second.title)


def _check_count(hand: Hand) -> None:
    """Refuse a wrong number of tiles; a dead hand may have any, one with unlisted tiles too few."""
    if hand.dead:
        return
    won, over = hand.win is not None, hand.tiles_over
    if hand.unlisted and won:
        raise refuse("unlisted-in-winner")
    if over == 0 or (hand.unlisted and over < 0):
        return
    count, fours = hand.tile_count, sum(table_set.kind == "kong" for table_set in hand.sets)
    reason = f" (13 and {fours} for the {'kong' if fours == 1 else 'kongs'})" if fours else ""
    if over > 0:
        code, kind = "too-many-tiles", "more" if over > 1 else "winning" if won else "one"
    else:
        code, kind = "too-few-tiles", "won" if won else "lost"
    tiles = f"{count} {'tile' if count == 1 else 'tiles'}{' before the winning tile' if won else ''}"
    due = f"{13 + fours}{reason}"
    raise refuse(code, kind, tiles=tiles, due=due, over=over, missing=-over, about=hand if over > 0 else None)


def dealt_tiles(parts: Iterable[Written]) -> tuple[Tile, ...]:
    """Return a deal's tiles but bonus tiles. Raises Refused for other parts, too many or five alike."""
    tiles: list[Tile] = []
    weight = 0
    for part in parts:
        run = part.thing
        if part.type == "UNLISTED":
            continue
        if not isinstance(run, TileRun):
            raise refuse("only-tiles", about=part)
        tiles += run.tiles
        weight += run.weight
        if len(tiles) > MOST_TILES:
            raise refuse("too-many-tiles", "dealt", about=part, count=len(tiles))
    _check_fifth(weight)
    return tuple(tiles)
