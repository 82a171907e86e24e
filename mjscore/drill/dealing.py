"""Hands drawn as a game gives them, or with an entry of the rulebook on their sheet. Everything follows from a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from mjscore.drill.wishes import Wish, likely, shares, wish_for
from mjscore.game.hand import FLAG_CLAUSES, SET_SIZES, TileSet
from mjscore.game.tiles import KINDS, TILES, Tile, format_tiles, grouped_tiles, tiles_in
from mjscore.notation.hands import parse
from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.facts import WEST
from mjscore.rulebook.shapes import Alternative, compile_shape, examples_of
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoredHand, ScoreSheet

_SECTIONS = ("set", "bonus", "double", "after", "limit", "shape")  # of the entries that can stand on a sheet
_RARELY = 8  # of so many hands one is about an entry whose turn it is
_FIRST = 16  # hands that are all likely ones
_TRIES = 4000
_IN_TURN = 1000  # of them; an entry that no hand can have would stop the drill else


def entries_of(book: Rulebook) -> list[str]:
    """Give the entries that can stand on a sheet, but those that are a part of the limit where none is played."""
    rules = (rule for rule in book.rules.values() if rule.section in _SECTIONS)
    return [rule.id for rule in rules if rule.points_under(book.limit) is not None]


def entries_on(sheet: ScoreSheet) -> set[str]:
    """Give the entries that stand on a sheet."""
    return {line.rule for line in (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)}


def drawn(book: Rulebook, seed: object, number: int, about: str = "") -> Iterator[ScoredHand]:
    """Draw hands, one of which is the hand *number* of a drill: likely ones, or *about* an entry. Raises Refused.

    Where no entry is asked for, each comes in its turn.
    """
    names = entries_of(book)
    if about and about not in names:
        raise refuse("unknown-name", "drill", word=about[:40], near=did_you_mean(about, names), book=book.id)
    turn, rest = divmod(number, _RARELY)
    in_turn = (
        "" if rest or number < _FIRST else Random(str(seed)).sample(names, len(names))[turn % len(names)]
    )
    random = Random(f"{seed} {number}")
    won = random.randrange(100) < shares()["won"]
    for tries in range(_TRIES):
        seat, round_wind = random.choice(book.seats), random.choice(book.seats)
        asked = about or (in_turn if tries < _IN_TURN else "")
        wish = wish_for(asked, book, random, seat, round_wind) if asked else likely(random, seat, round_wind)
        with suppress(Refused, IndexError):  # there are no tiles, or the rulebook refuses the hand
            scored = score_hand(parse(_dealt(random, _decided(random, wish, won, book), book)), book)
            if not asked or asked in entries_on(scored.sheet):
                yield scored
    raise refuse("not-drawn", name=about or book.id, tries=_TRIES)


def _decided(random: Random, wish: Wish, won: bool, book: Rulebook) -> Wish:
    """Give the wish with what it leaves open decided: whether the hand *won*, how, and with which flags."""
    won = wish.won if wish.won is not None else won
    by_draw = wish.drawn if wish.drawn is not None else random.randrange(100) < shares()["drawn"]
    flags, clause = wish.flags, "+" if by_draw else "<"
    for flag, share in shares()["flags"].items() if won and not flags else ():
        fact = "last_discard" if flag == "last" and not by_draw else flag
        if fact in book.asked and clause in FLAG_CLAUSES[flag] and random.randrange(100) < share:
            flags = frozenset((flag,))
    kinds = wish.kinds & ~WEST if book.settling.no_west is not None else wish.kinds
    return wish._replace(won=won, drawn=by_draw, flags=flags, kinds=kinds)


def _dealt(random: Random, wish: Wish, book: Rulebook) -> str:
    """Deal a hand as is wished, in the notation. Raises IndexError where these tiles cannot be had."""
    sets = [] if wish.shape else _sets(random, wish)
    held = [tile for one in sets if one.origin == "hand" for tile in one.tiles] or _of_shape(random, wish)
    winning = random.choice([tile for tile in held if wish.winning >> tile & 1])
    held.remove(winning)
    laid = [one for one in sets if one.origin != "hand"]
    if not wish.won and not wish.waiting:
        _change(random, held, [tile for one in laid for tile in one.tiles], wish.kinds)
    bonus = _bonus(random, wish) if book.bonus_facts else []
    flags = wish.flags - (frozenset() if bonus or any(one.kind == "kong" for one in laid) else {"loose"})
    clause = f"{'+' if wish.drawn else '<'}{winning}" if wish.won else ""
    words = [*(one.notation() for one in laid), grouped_tiles(held), format_tiles(bonus), clause]
    return f"{wish.seat}@{wish.round}: {' '.join(words)}" + "".join(f" !{flag}" for flag in sorted(flags))


def _bonus(random: Random, wish: Wish) -> list[Tile]:
    """Draw flowers and seasons; where they are wished for, a whole series of flowers half the time."""
    series = KINDS + 4 if wish.bonus and random.random() < 0.5 else 0
    share = 50 if wish.bonus else shares()["bonus"]
    return [tile for tile in TILES[KINDS:] if tile < series or random.randrange(100) < share]


def _of_shape(random: Random, wish: Wish) -> list[Tile]:
    """Draw the tiles of a special hand: its suits, and the values of its sets, at random."""
    while True:
        fixed, sets = random.choice(compile_shape(wish.shape))
        values = [random.sample(range(9), 3 if "chow" in kind else 1) for kind, _ in sets]
        near = [sum(1 << tile for tile in range(KINDS) if tile % 9 in some) for some in values]
        some = tuple((kind, mask & few or mask) for (kind, mask), few in zip(sets, near, strict=True))
        for tiles in examples_of((Alternative(fixed, some),)):
            return list(tiles)


def _sets(random: Random, wish: Wish) -> list[TileSet]:
    """Draw four sets and a pair. Raises IndexError where the tiles for them are not there."""
    used: Counter[int] = Counter()
    share = random.choice(shares()["table"])
    pairs = [one for one in wish.sets if one[0] == "pair"] or [("pair", -1, False)]
    sets = [one for one in wish.sets if one[0] != "pair"]
    sets += [
        ("chow" if random.randrange(100) < wish.runs else "pung", -1, None) for _ in range(4 - len(sets))
    ]
    found = []
    for kind, mask, laid in [*sorted(sets[:4], key=lambda one: one[1] % (1 << KINDS)), *pairs[:1]]:
        if kind == "pung" and random.randrange(100) < shares()["fours"]:
            kind = "kong"
        tiles = tiles_in(mask & wish.kinds)
        tile = random.choice([tile for tile in tiles if _is_there(kind, tile, used, wish.kinds)])
        on_table = laid if laid is not None else not wish.hidden and random.randrange(100) < share
        origin = "claimed" if on_table else "declared" if kind == "kong" else "hand"
        if kind == "kong" and on_table and random.random() < 0.5:
            origin = "grown"
        found.append(TileSet(kind, tile, on_table, origin))
        used.update(found[-1].tiles)
    return found


def _is_there(kind: str, tile: int, used: Counter[int], kinds: int) -> bool:
    """Tell whether there are tiles for a set."""
    if kind == "chow":
        return (
            tile < 27
            and tile % 9 < 7
            and all(used[one] < 4 and kinds >> one & 1 for one in range(tile, tile + 3))
        )
    return used[tile] + SET_SIZES[kind] <= 4


def _change(random: Random, held: list[Tile], laid: list[Tile], kinds: int) -> None:
    """Change some tiles of a hand that waits into others: it was not so far yet."""
    for _ in range(random.randint(0, min(shares()["changed"], len(held)))):
        tile = random.choice(tiles_in(kinds & (1 << KINDS) - 1))
        if [*held, *laid].count(tile) < 4:
            held[random.randrange(len(held))] = tile
