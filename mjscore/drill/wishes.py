"""What a hand that is to be drawn shall have: by the shares of ordinary hands, or by the condition of an entry."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from mjscore.game.hand import SET_SIZES
from mjscore.game.tiles import ANY, WINDS, written_mask
from mjscore.notation.parsers import packaged
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.conditions import COMPARISONS, Constant, Name, Node, Operation, names_in
from mjscore.rulebook.facts import FACTS, FIRST_WIND
from mjscore.rulebook.shapes import CLASS_MASKS


class Wish(NamedTuple):
    """What a hand shall have; what is left open is drawn.

    *kinds* are the tiles that it may have, *sets* those wished for, each a kind of set, a mask and whether it lies on the
    table; *runs* how many of a hundred sets are runs; *winning* a mask of the winning tile; *shape* the tiles of a special
    hand; *hidden* that nothing lies on the table; *waiting* that it lacks one tile alone; *bonus* that it has flowers.
    """

    seat: str
    round: str
    won: bool | None = None
    drawn: bool | None = None
    kinds: int = ANY
    sets: tuple[tuple[str, int, bool | None], ...] = ()
    runs: int = 50
    winning: int = ANY
    flags: frozenset[str] = frozenset()
    shape: str = ""
    hidden: bool = False
    waiting: bool = False
    bonus: bool = False


@lru_cache(maxsize=1)
def shares() -> dict[str, Any]:
    """Give how often hands of a kind are drawn, and what is wished for a fact."""
    return tomllib.loads(packaged("drill", "hands.toml").decode())


def likely(random: Random, seat: str, round_wind: str) -> Wish:
    """Wish for a hand such as a game gives."""
    (kind,) = random.choices(shares()["kind"], [one["share"] for one in shares()["kind"]])
    return Wish(seat, round_wind, kinds=_kinds(kind.get("tiles", ["any"]), random), runs=kind["runs"])


def wish_for(name: str, book: Rulebook, random: Random, seat: str, round_wind: str) -> Wish:
    """Wish for a hand that may have the entry *name*: of what its condition allows, one way at random."""
    entry = book.entries[name]
    wish = likely(random, seat, round_wind)._replace(kinds=ANY, won=entry.section == "shape" or None)
    wish = wish._replace(shape=str(entry.data["tiles"]) if entry.section == "shape" else "")
    kind, mask, laid = "chow", ANY, None  # of a set that an entry gives points for
    many = [(fact, 1) for fact in names_in(entry.conditions.get("times", Constant(True)))]
    for fact, number in [*_asked(book.conditions[name], random), *many]:
        if fact.name in SET_SIZES and number:
            kind = fact.name
        elif fact.name == "of" and number:
            mask &= _mask(fact, wish)
        elif fact.name in ("exposed", "concealed"):
            laid = (fact.name == "exposed") == bool(number)
        elif fact.name == "waiting_for" and number:
            other = wish_for(fact.words[0], book, random, seat, round_wind)
            wish = other._replace(won=False, waiting=True, flags=frozenset())
        else:
            wish = _with(wish, fact, number, random)
    return wish._replace(sets=((kind, mask, laid),)) if entry.section == "set" else wish


def _asked(node: Node, random: Random, holds: bool = True) -> Iterator[tuple[Name, int]]:
    """Yield the facts that a condition asks for, each with the number that it should be; of what may be, one at random."""
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


def _with(wish: Wish, fact: Name, number: int, random: Random) -> Wish:
    """Give the wish with a fact in it, where that makes such hands likelier."""
    name = fact.name
    if name == "chows":
        return wish._replace(runs=100 if number else 0)
    if name == "won":
        return wish._replace(won=bool(number))
    told = shares()["facts"].get(name, {}) if number or name in ("drawn", "claimed") else {}
    mask = _mask(fact, wish)
    if name == "held":
        return wish._replace(shape=f"{fact.words[0]} twin", won=True)
    return wish._replace(
        won=told.get("won", wish.won),
        drawn=told["drawn"] == bool(number) if "drawn" in told else wish.drawn,
        kinds=wish.kinds & (_kinds(told["tiles"], random, mask) if "tiles" in told else ANY),
        sets=wish.sets
        + ((told.get("set", ""), mask, told.get("laid")),)
        * (told.get("times", number) if "set" in told else 0),
        runs=told.get("runs", wish.runs),
        winning=wish.winning & mask if "winning" in told else wish.winning,
        flags=wish.flags.union(told.get("flags", ())),
        hidden=wish.hidden or "hidden" in told,
        bonus=wish.bonus or "bonus" in told,
        round=wish.seat if "own_round" in told else wish.round,
    )


def _kinds(tiles: Iterable[str], random: Random, mask: int = 0) -> int:
    """Mask the tiles of some classes: of a suit at random, of *mask*."""
    suit = CLASS_MASKS[random.choice(("bamboo", "characters", "dots"))]
    masks = {**CLASS_MASKS, "suit": suit, "mask": mask}
    return sum({name: masks[name] for name in tiles}.values())


def _mask(fact: Name, wish: Wish) -> int:
    """Mask the tiles for which a fact asks."""
    winds = {"own_wind": wish.seat, "round_wind": wish.round}
    own = {name: 1 << FIRST_WIND + WINDS.index(wind) for name, wind in winds.items()}
    mask = ANY
    for one in fact.arguments if FACTS[fact.name].takes == "class" else ():
        mask &= written_mask(str(one.value)) if isinstance(one, Constant) else {**CLASS_MASKS, **own}[one]
    return mask
