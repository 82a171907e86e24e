"""Hands drawn as a game might produce them, or to score by a given rule. Everything follows from a seed."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any, TypeAlias

from mjscore.game.hand import SET_SIZES, TileSet
from mjscore.game.tiles import (
    CLASS_MASKS,
    KINDS,
    TILES,
    WINDS,
    Tile,
    format_tiles,
    grouped_tiles,
    tiles_in,
    written_mask,
)
from mjscore.notation.hands import parse
from mjscore.notation.parsers import packaged
from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.conditions import COMPARISONS, Constant, Name, Node, Operation, names_in
from mjscore.rulebook.facts import FACTS, FIRST_WIND, WEST
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.shapes import Alternative, compile_shape, examples_of
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoredHand

_SECTIONS = ("set", "bonus", "double", "after", "limit", "shape")  # of the rules that can appear on a sheet
_RARELY = 8  # every eighth hand, except at first, is about the rule whose turn it is
_BEGIN_CHOWS = sum(1 << tile for tile in range(27) if tile % 9 < 7)
_TRIES, _IN_TURN = 2000, 1000  # at most; a rule that no hand can have must not stop the drill
Wish: TypeAlias = dict[str, Any]  # what a hand should have: the words of drill.toml with their values


@lru_cache(maxsize=1)
def drill_data() -> dict[str, Any]:
    """Return the contents of ``drill.toml``: how often each kind of hand is drawn, and texts of a drill."""
    return tomllib.loads(packaged("drill", "drill.toml").decode())


def entries_of(book: Rulebook) -> list[str]:
    """Return the ids of rules that can be on a sheet; if *book* has no limit, not those worth part of it."""
    rules = [rule for rule in book.rules.values() if rule.section in _SECTIONS]
    return [rule.id for rule in rules if rule.points_under(book.limit) is not None]


def drawn(
    book: Rulebook, seed: object, number: int, about: str | None = "", won: bool | None = None
) -> Iterator[ScoredHand]:
    """Yield random hands for question *number*, the same for each *seed*; raise Refused after the last try.

    The hands score by the rule *about*, Refused if unknown; if it is empty, likely hands and hands for each
    rule in turn are drawn, if None, only likely hands. *won* is whether they won; None is either.
    """
    names = entries_of(book)
    if about and about not in names:
        raise refuse("unknown-name", "drill", word=about[:40], near=did_you_mean(about, names), book=book.id)
    random, turn = Random(f"{seed} {number}"), number if about == "" and number >= 2 * _RARELY else 1
    order = Random(str(seed)).sample(names, len(names))
    in_turn = "" if turn % _RARELY else order[turn // _RARELY % len(order)]
    chance = random.randrange(100)
    for tries in range(_TRIES):
        entry = about or (in_turn if tries < _IN_TURN else "")
        chance = random.randrange(100) if entry else chance
        wish = _wish(entry, book, random, chance < drill_data()["won"] if won is None else won)
        if won not in (None, wish["won"]):
            continue
        with suppress(Refused, IndexError):  # the tiles are used up, or the rulebook refuses the hand
            scored = score_hand(parse(_dealt(wish, book, random)), book)
            sheet = scored.sheet
            lines = chain[Any](sheet.items, sheet.doubling, sheet.additions, sheet.claims)
            if not entry or entry in {line.rule for line in lines}:
                yield scored
    raise refuse("not-drawn", name=about or book.id, tries=_TRIES)


def _wish(name: str, book: Rulebook, random: Random, won: bool) -> Wish:
    """Return what a dealt hand should be like: likely or, with a *name*, able to score by that rule."""
    (kind,) = random.choices(drill_data()["kind"], [one["share"] for one in drill_data()["kind"]])
    wish: Wish = {**drill_data()["open"], **kind, "won": won}
    wish["drawn"] = random.randrange(100) < drill_data()["drawn"]
    wish |= {"seat": random.choice(book.seats), "round": random.choice(book.seats)}
    wish["kinds"] = _classes(kind["tiles"], random)
    if not name:
        for fact, share in drill_data()["happens"].items() if won else ():
            if fact in book.asked and random.randrange(100) < share:
                _add(wish, Name(fact, (), 0), 1, random)
        return wish
    entry, wish["kinds"] = book.entries[name], CLASS_MASKS["any"]
    if entry.section == "shape":
        wish |= {"won": True, "shape": str(entry.data["tiles"])}
    many = [(fact, 1) for fact in names_in(entry.conditions.get("times", Constant(True)))]
    for wanted, number in [*_asked(book.conditions[name], random), *many]:
        if wanted.name == "waiting_for" and number:
            wish = _wish(wanted.words[0], book, random, won) | {"won": False, "waiting": True, "flags": []}
        _add(wish, wanted, number, random)
    return wish | {"sets": [(wish["of"], wish["mask"], wish.get("laid"))]} if entry.section == "set" else wish


def _asked(node: Node, random: Random, holds: bool = True) -> Iterator[tuple[Name, int]]:
    """Yield facts to wish for, and how many of each, so that a condition is true or, unless *holds*, false.

    Of several ways, one is chosen at random. For a comparison to be false, nothing is wished.
    """
    match node:
        case Operation("not", (part,)):
            yield from _asked(part, random, not holds)
        case Operation(("and" | "or") as sign, parts):
            for part in parts if (sign == "and") == holds else [random.choice(parts)]:
                yield from _asked(part, random, holds)
        case Operation(sign, (left, Constant(int(number)))) if sign in COMPARISONS and holds:
            terms = left.parts if isinstance(left, Operation) else (left,)
            chosen = random.choices(terms, k=0 if sign == "<" else number + (sign == ">"))
            yield from ((term, chosen.count(term)) for term in terms if isinstance(term, Name))
        case Name():
            yield node, int(holds)


def _add(wish: Wish, fact: Name, number: int, random: Random) -> None:
    """Change *wish* so that a fact is likelier to hold *number* times or, if 0, not to hold."""
    of_winds = {"own_wind": wish["seat"], "round_wind": wish["round"]}
    winds, mask = {name: 1 << FIRST_WIND + WINDS.index(wind) for name, wind in of_winds.items()}, -1
    for of in fact.arguments if FACTS[fact.name].takes == "class" else ():
        mask &= written_mask(str(of.value)) if isinstance(of, Constant) else {**CLASS_MASKS, **winds}[of]
    for word, value in drill_data()["facts" if number else "without"].get(fact.name, {}).items():
        match word:
            case "tiles":
                wish["kinds"] &= _classes(value, random, mask)
            case "mask" | "winning":
                wish[word] &= mask
            case "sets":
                more = [(value["of"], mask, value.get("laid"))] * value.get("times", number)
                wish["sets"] = wish["sets"] + more
            case "flags":
                wish["flags"] = wish["flags"] + value
            case "shape" | "round":
                wish[word] = wish["seat"] if word == "round" else f"{fact.words[0]} twin"
            case _:
                wish[word] = value


def _classes(tiles: list[str], random: Random, mask: int = 0) -> int:
    suit = CLASS_MASKS[random.choice(("bamboo", "characters", "dots"))]
    return sum({**CLASS_MASKS, "suit": suit, "mask": mask}[name] for name in tiles)


def _dealt(wish: Wish, book: Rulebook, random: Random) -> str:
    """Return a random hand that fulfils a wish, in the notation. Raises IndexError if the tiles run out."""
    kinds = wish["kinds"] & ~WEST if book.settling.no_west is not None else wish["kinds"]
    sets = [] if wish["shape"] else _sets(wish, kinds, random)
    laid = [one for one in sets if one.origin != "hand"]
    held: list[int] = [tile for one in sets if one not in laid for tile in one.tiles]
    held = held or _of_shape(wish["shape"], random)
    winning = random.choice([tile for tile in held if wish["winning"] >> tile & 1])
    held.remove(winning)
    if not (wish["won"] or wish["waiting"]):
        _change(held, [tile for one in laid for tile in one.tiles], kinds, random)
    bonus = _bonus(wish, random) if book.bonus_facts else []
    words = [*(one.notation() for one in laid), grouped_tiles(held), format_tiles(bonus)]
    words += [f"{'<+'[wish['drawn']]}{winning}"] * wish["won"] + [f"!{flag}" for flag in wish["flags"]]
    return f"{wish['seat']}@{wish['round']}: {' '.join(words)}"


def _bonus(wish: Wish, random: Random) -> list[Tile]:
    share = random.choice(drill_data()["wished_bonus"]) if wish["bonus"] else drill_data()["bonus"]
    return [tile for tile in TILES[KINDS:] if random.randrange(100) < share]


def _change(held: list[int], on_table: list[int], kinds: int, random: Random) -> None:
    """Replace a few tiles *held*, or none, by random ones of the mask *kinds*, so that most do not win."""
    for _ in range(random.randint(0, drill_data()["changed"])):
        tile = random.choice(tiles_in(kinds))
        if [*held, *on_table].count(tile) < 4:
            held[random.randrange(len(held))] = tile


def _of_shape(shape: str, random: Random) -> list[int]:
    """Return a special hand's tiles, with random suits and values of its sets; empty if none can be made."""
    fixed, sets = random.choice(compile_shape(shape))
    near = []
    for kind, mask in sets:
        values = random.sample(range(9), 3 if "chow" in kind else 1)
        near.append((kind, mask & sum(1 << tile for tile in range(KINDS) if tile % 9 in values) or mask))
    return list(next(examples_of((Alternative(fixed, tuple(near)),)), ()))


def _sets(wish: Wish, kinds: int, random: Random) -> list[TileSet]:
    """Return four sets and a pair, as wished or else random. Raises IndexError if the tiles run out."""
    used, drawn = Counter[int](), list[TileSet]()
    share = 0 if wish["hidden"] else random.choice(drill_data()["table"])
    sets = [one for one in wish["sets"] if one[0] != "pair"]
    left = random.choices(("chow", "pung"), (wish["runs"], 100 - wish["runs"]), k=max(0, 4 - len(sets)))
    sets += [(kind, kinds, None) for kind in left]
    pairs = [one for one in wish["sets"] if one[0] == "pair"] or [("pair", kinds, False)]
    # sets with the fewest tiles to choose from come first
    for kind, mask, laid in [*sorted(sets[:4], key=lambda one: one[1].bit_count()), *pairs[:1]]:
        there = kinds & ~sum(1 << tile for tile in used if used[tile] >= 4)
        kind, on_table, origin = _lying(kind, laid, share, random)
        if kind == "chow":
            tiles = tiles_in(mask & there & there >> 1 & there >> 2 & _BEGIN_CHOWS)
        else:
            tiles = tuple(tile for tile in tiles_in(mask & there) if used[tile] + SET_SIZES[kind] <= 4)
        drawn.append(TileSet(kind, random.choice(tiles), on_table, origin))
        used.update(drawn[-1].tiles)
    return drawn


def _lying(kind: str, laid: bool | None, share: int, random: Random) -> tuple[str, bool, str]:
    """Return the kind of a set, whether it is laid down, and its origin.

    By lot, a pung may become a kong and, if *laid* is None, *share* percent of the sets are laid down.
    """
    kind = "kong" if kind == "pung" and random.randrange(100) < drill_data()["fours"] else kind
    on_table = laid if laid is not None else random.randrange(100) < share
    how = random.choice(("claimed", "grown")) if kind == "kong" else "claimed"
    return kind, on_table, how if on_table else "declared" if kind == "kong" else "hand"
