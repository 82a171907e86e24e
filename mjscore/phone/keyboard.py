"""The keyboard of tiles: how taps, one after another, make a hand.

A tap is a word: a key of the keyboard (``5c``, ``pung``, ``drawn``), something displayed that was touched
(``in 5c``, ``set 0 5c``) or removed (``out 0``, a set), or something typed (``number 64``; ``line S: 123b
…``, which is replaced by the taps that make it, with its seat as ``at S``).
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from mjscore.game.hand import FLAGS_OF_A_LOSER, TileSet, Win, format_win
from mjscore.game.tiles import TILES, Tile, format_tiles
from mjscore.notation.hand_builder import Worth
from mjscore.notation.hands import read_hand
from mjscore.refusal import Refused, refuse

SET_KEYS = ("pung", "kong", "chow")
WIN_KEYS = ("drawn", "claimed")
# how a set may have come about, in the order in which taps on it cycle
_ORIGINS = {
    "kong": ("claimed", "declared", "grown"),
    "pung": ("claimed", "hand"),
    "chow": ("claimed", "hand"),
}
_IN_A_HAND = 14  # tiles of a winner, a kong counting as three


class Tapped(NamedTuple):
    """What the taps so far have made.

    *sets* includes sets held in the hand (of origin ``hand``), *loose* the winning tile; *flags* are those of
    a hand that did not win; *score* is a number typed in place of tiles. *pending* is the key of a set that
    awaits its tile; *winning* is the key of a win that awaits its tile: ``drawn``, ``claimed`` or ``claimed
    S``. *touched* is the index of the set touched last. *seat* and *round* are those of a typed hand, if any.
    """

    sets: tuple[TileSet, ...] = ()
    loose: tuple[Tile, ...] = ()
    win: Win | None = None
    flags: frozenset[str] = frozenset()
    score: int | None = None
    pending: str = ""
    winning: str = ""
    unlisted: bool = False
    touched: int | None = None
    seat: str | None = None
    round: str | None = None

    @property
    def held(self) -> int:
        """Return the number of tiles with the winning one, without bonus tiles, a kong counting as three."""
        return sum(not tile.is_bonus for tile in self.loose) + 3 * len(self.sets)

    @property
    def kept(self) -> tuple[Tile, ...]:
        """Return the loose tiles without the winning one."""
        return self.loose if self.win is None else _without(self.loose, self.win.tile)

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was tapped except keys that await a tile, or a score of 0."""
        return not (self.sets or self.loose or self.win or self.flags or self.score)

    @property
    def lacks_its_winning_tile(self) -> bool:
        """Return whether there are fourteen tiles and none is marked as the winning one."""
        return self.held == _IN_A_HAND and self.win is None

    @property
    def how_won(self) -> str:
        """Return the key by which the winning tile was marked; empty if none was."""
        if self.win is None:
            return ""
        key = "drawn" if self.win.drawn else "claimed"
        return f"{key} {self.win.discarder}" if self.win.discarder else key

    def body(self) -> str:
        """Return the player's line after the colon (hand, score or dead); ``...`` are missing tiles."""
        if self.score is not None:
            how = {"": "", "drawn": " win drawn", "claimed": " win"}
            return f"{self.score}{how.get(self.how_won, self.how_won.replace('claimed', ' win from'))}"
        if not self.sets and not self.loose:
            return "dead" if "dead" in self.flags else "0"
        laid = [tile_set.notation() for tile_set in self.sets if tile_set.origin != "hand"]
        held = [tile for tile_set in self.sets if tile_set.origin == "hand" for tile in tile_set.tiles]
        parts = [*laid, format_tiles([*held, *self.kept])]
        if self.win is not None:
            parts.append(format_win(self.win))
        else:
            # a dead hand may have too few tiles
            lacks_some = self.held < _IN_A_HAND - 1 and "dead" not in self.flags
            parts += ["..."] * (self.unlisted or lacks_some) + [f"!{flag}" for flag in sorted(self.flags)]
        return " ".join(filter(None, parts))


def tapped(taps: Iterable[str], worth: Worth | None = None) -> tuple[Tapped, list[str], Refused | None]:
    """Return the state after *taps*, taps that lead to it, and the refusal of the last tap, or None.

    *worth* returns the score of a typed hand, if any: of two readings, the one with a score is taken.
    """
    state, refused = Tapped(), None
    taken: list[str] = []
    for tap in taps:
        try:
            if tap.startswith("line "):
                tap = f"line {read_hand(tap[5:], worth=worth).text}"
                state, taken = _spelt(press(state, tap), tap)
            else:
                state = press(state, tap)
                taken = _without_the_set(taken, tap, state) if tap.startswith("out ") else [*taken, tap]
            refused = None
        except Refused as reason:
            refused = reason
    return state, taken, refused


def _spelt(state: Tapped, line: str) -> tuple[Tapped, list[str]]:
    """Return a typed *line*'s state, and the taps that make the same hand, or just *line* if none do."""
    taps = [f"at {state.seat}{f'@{state.round}' if state.round else ''}"] if state.seat else []
    for number, one in enumerate(state.sets):
        ways = _ORIGINS[one.kind]
        # a kong made by claiming for a concealed pung is written like any claimed kong
        turns = ways.index(one.origin) if one.origin in ways else 0
        taps += [one.kind, str(one.tile), *[f"set {number} {one.tile}"] * turns]
    taps += map(str, state.kept)
    if state.win is not None:
        taps += [str(state.win.tile), state.how_won, f"in {state.win.tile}"]
    taps += [f"!{flag}" for flag in sorted(state.win.flags if state.win is not None else state.flags)]
    spelt, _, refused = tapped(taps)
    return (spelt, taps) if refused is None and spelt.body() == state.body() else (state, [line])


def _without_the_set(taps: list[str], out: str, wanted: Tapped) -> list[str]:
    """Return *taps* without those for the set removed by *out*, so that they make the state *wanted*.

    A set that was typed with its hand has no taps to remove: then *out* is added.
    """
    number = int(out[4:])
    for end in range(len(taps)):
        start = end
        while start and taps[start - 1] in SET_KEYS:
            start -= 1
        rest = taps[:start]
        for tap in taps[end + 1 :]:
            key, _, touched = tap.partition(" ")
            at, _, tile = touched.partition(" ")
            if key != "set" or int(at) < number:
                rest.append(tap)
            elif int(at) > number:
                rest.append(f"set {int(at) - 1} {tile}")
        state, _, refused = tapped(rest)
        if refused is None and state._replace(touched=None) == wanted:
            return rest
    return [*taps, out]


def press(state: Tapped, tap: str) -> Tapped:
    """Return the state after one tap. Raises Refused if it is impossible."""
    state = state._replace(touched=None)
    key, _, rest = tap.partition(" ")
    if key in SET_KEYS:
        _check_room(state, 3)
        return state._replace(pending="" if state.pending == key else key, winning="")
    if key in WIN_KEYS:
        return _win_key(state, tap, key == "drawn", rest or None)
    if key == "in":
        return _touched(state, _tile(rest))
    if key == "set":
        number, _, name = rest.partition(" ")
        return _set_touched(state, int(number), _tile(name))
    if key == "out":
        return state._replace(sets=(*state.sets[: int(rest)], *state.sets[int(rest) + 1 :]))
    if key == "line":
        hand = read_hand(rest).hand
        flags = hand.flags.union(["dead"] * hand.dead, ["nochoice"] * hand.no_choice)
        loose = (*hand.concealed, *hand.bonus, *([hand.win.tile] if hand.win is not None else []))
        typed = Tapped(hand.sets, loose, hand.win, flags, unlisted=hand.unlisted)
        return typed._replace(seat=hand.seat, round=hand.round)
    if key == "at":
        seat, _, round_wind = rest.partition("@")
        return state._replace(seat=seat, round=round_wind or None)
    if key == "number":
        if not rest.isdecimal() or len(rest) > 15:
            raise refuse("bad-line", "tapped", typed=rest[:20])
        return Tapped(score=int(rest))
    if key.startswith("!"):
        flag = key[1:]
        if state.win is not None and flag not in FLAGS_OF_A_LOSER:
            return state._replace(win=state.win._replace(flags=state.win.flags ^ {flag}))
        return state._replace(flags=state.flags ^ {flag})
    return _key(state, _tile(key))


def _tile(name: str) -> Tile:
    try:
        return Tile.parse(name)
    except KeyError:
        raise refuse("unknown-character", "tapped", name=name) from None


def _check_room(state: Tapped, tiles: int) -> None:
    """Raise Refused if the hand has no room for that number of *tiles* more."""
    if state.held + tiles > _IN_A_HAND:
        raise refuse("too-many-tiles", "tile" if tiles == 1 else "set")


def _key(state: Tapped, tile: Tile) -> Tapped:
    """Return the state with one more tile, or the set awaiting it. Raise Refused if it cannot be."""
    if state.score is not None:
        state = Tapped(pending=state.pending)  # tiles replace a number
    kind, there = state.pending, Counter((*state.loose, *(one for held in state.sets for one in held.tiles)))
    if tile.is_bonus:
        if kind:
            raise refuse("bonus-in-set", "tapped", tile=tile.title)
        if there[tile]:
            raise refuse("second-bonus-tile", "tapped", tile=tile.title)
        return state._replace(loose=(*state.loose, tile))
    if kind == "chow" and (tile >= 27 or tile % 9 > 6):
        raise refuse("not-a-set", "tapped", tile=tile.title)
    tile_set = TileSet(kind or "single", tile, True, "claimed")
    for one in tile_set.tiles:
        if there[one] + tile_set.tiles.count(one) > 4:
            raise refuse("fifth-tile", "tapped", tile=one.title)
    _check_room(state, 3 if kind else 1)
    if kind:
        return state._replace(sets=(*state.sets, tile_set), pending="")
    state = state._replace(loose=(*state.loose, tile))
    return _with_win(state, tile) if state.winning and state.win is None else state


def _win_key(state: Tapped, tap: str, drawn: bool, discarder: str | None) -> Tapped:
    if state.score is not None:
        won = Win(TILES[0], drawn, discarder)
        return state._replace(win=None if state.win == won else won)
    win = state.win
    if win is not None:
        flags = win.flags if win.drawn == drawn else frozenset()
        win = win._replace(drawn=drawn, discarder=discarder, flags=flags)
    return state._replace(win=win, winning="" if state.winning == tap else tap, pending="")


def _with_win(state: Tapped, tile: Tile) -> Tapped:
    how, _, discarder = state.winning.partition(" ")
    return state._replace(win=Win(tile, how == "drawn", discarder or None), winning="", flags=frozenset())


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """Return *tiles* without one *tile*, if it is among them."""
    at = tiles.index(tile) if tile in tiles else len(tiles)
    return tiles[:at] + tiles[at + 1 :]


def _touched(state: Tapped, tile: Tile) -> Tapped:
    """Return the state after a tile's touch: an awaited win (Raise Refused for a flower), else a removal."""
    if state.winning:
        if tile in state.loose and not tile.is_bonus:
            return _with_win(state, tile)
        number = next((n for n, one in enumerate(state.sets) if tile in one.tiles), None)
        if number is None:
            raise refuse("bonus-wins", "tapped", tile=tile.title)
        return _set_touched(state, number, tile)
    if state.win is not None and state.win.tile == tile:
        return state._replace(win=None)
    return state._replace(loose=_without(state.loose, tile))


def _set_touched(state: Tapped, number: int, tile: Tile) -> Tapped:
    """Return the state with a set touched: a new origin or awaited win. Raise Refused if a kong would win."""
    if number >= len(state.sets):
        return state
    before, tile_set, behind = state.sets[:number], state.sets[number], state.sets[number + 1 :]
    if state.winning:
        if tile_set.kind == "kong":
            raise refuse("not-that-set", "tapped")
        return _with_win(state._replace(sets=before + behind, loose=(*state.loose, *tile_set.tiles)), tile)
    ways = _ORIGINS[tile_set.kind]
    origin = ways[(ways.index(tile_set.origin) + 1) % len(ways)] if tile_set.origin in ways else ways[0]
    changed = tile_set._replace(exposed=origin not in ("hand", "declared"), origin=origin)
    return state._replace(sets=(*before, changed, *behind), touched=number)


def grey_keys(state: Tapped) -> dict[str, Refused]:
    """Return the keys that cannot be tapped now, each with its refusal."""
    greys = {}
    for key in (*map(str, TILES), *SET_KEYS):
        try:
            press(state, key)
        except Refused as refused:
            greys[key] = refused
    return greys
