"""Conditions and shapes of a rulebook in words, as a card tells them, and a hand that shows what is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from mjscore.game.tiles import Tile
from mjscore.notation.hands import parse
from mjscore.refusal import Refused
from mjscore.rulebook.binding import Rulebook, SpecialHand
from mjscore.rulebook.conditions import Compare, Constant, Joined, Name, Node, Not, Number, Sum, Text
from mjscore.rulebook.facts import HAND_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.shapes import example_of, shape_parts
from mjscore.scoring.scorer import score_hand

_CLASSES = {
    "any": "any tile", "suited": "suit tiles", "honor": "winds and dragons", "wind": "winds", "dragon": "dragons",
    "head": "ones, nines, winds and dragons", "terminal": "ones and nines", "simple": "2 to 8", "one": "ones",
    "nine": "nines", "own_wind": "the own wind", "round_wind": "the round's wind",
}  # fmt: skip
# facts in fewer words than rules facts has for them
_FACTS = {
    "won": "won", "drawn": "drawn", "claimed": "claimed", "original": "won as dealt", "loose": "a loose tile",
    "last": "the last tile of the wall", "last_discard": "the last discard", "robbed": "a fourth robbed",
    "earth": "East's first discard", "thirteen": "declared on the thirteen as dealt", "call": "an original call",
    "twofold": "a loose tile of a four that a loose tile made", "mixed": "the drawn tile mixed among the others",
    "ninth": "East's ninth win in a row", "one_suit": "all one suit", "one_suit_and_honors": "one suit and honors",
    "all_honors": "nothing but honors", "special": "a special hand", "limited": "there is a limit",
    "concealed_hand": "nothing claimed before the winning tile", "chow": "a run", "pung": "three alike",
    "kong": "four alike", "pair": "a pair", "exposed": "on the table", "concealed": "concealed",
    "completed": "completed last", "waiting": "waiting", "only_place": "the only place to win",
    "only_wait": "the only place to win", "completed_pair": "the pair completed last",
    "hidden_hand": "nothing claimed before but fours of a concealed three",
}  # fmt: skip
# what is counted: of one, of many, and what stands behind the class
_COUNTED = {
    "chows": ("run", "runs", ""), "pungs": ("set", "sets", ""), "kongs": ("four", "fours", ""),
    "pairs": ("pair", "pairs", ""), "concealed_pungs": ("concealed set", "concealed sets", ""),
    "hidden_pungs": ("concealed set", "concealed sets", ""), "concealed_kongs": ("concealed four", "concealed fours", ""),
    "laid_sets": ("set", "sets", " on the table"), "laid_pungs": ("set", "sets", " on the table"),
    "laid_tiles": ("tile", "tiles", " on the table"), "laid_of_suit": ("set", "sets", " on the table of that suit"),
    "suits": ("suit", "suits", ""), "tiles": ("tile", "tiles", ""), "kinds": ("kind", "kinds", ""),
    "bonus_tiles": ("flower or season", "flowers and seasons", ""),
    "own_bonus": ("own flower or season", "own flowers and seasons", ""),
    "own_bonus_outside": ("own flower or season outside a whole series",) * 2 + ("",),
    "complete_series": ("whole series", "whole series", ""), "doubles": ("double", "doubles", ""),
    "doublings": ("combination that doubles", "combinations that double", ""), "score": ("point", "points", ""),
    "waiting_doubles": ("double by a tile waited for", "doubles by a tile waited for", ""),
    "players": ("player", "players", ""),
}  # fmt: skip
_SIGNS = {">=": "at least ", "<=": "at most ", ">": "more than ", "<": "fewer than ", "!=": "not ", "==": ""}
_SETS = {
    "pair": ("a pair", "pairs"), "single": ("a tile", "single tiles"), "pung": ("a three", "threes"),
    "kong": ("a four", "fours"), "chow": ("a run", "runs"),
    "knit": ("a pair of a value in two suits", "pairs of a value in two suits"),
    "triple": ("a value in all suits", "threes of a value in all suits"),
    "mixed chow": ("a run across the suits", "runs across the suits"),
}  # fmt: skip
_LETTERS = {"x": "one suit", "y": "another suit", "z": "the third suit"}


def condition_words(node: Node, book: Rulebook, of_winner: bool = False) -> str:
    """Tell a condition in words; with *of_winner* it goes without saying that the hand won."""

    def words(part: Node) -> str:
        return condition_words(part, book, of_winner)

    match node:
        case Joined("and", parts):
            return ", ".join(text for text in map(words, parts) if text)
        case Joined(_, parts):
            return " or ".join(map(words, parts))
        case Not(Name() as name):
            return f"not {words(name)}"
        case Not(part):
            return f"not: {words(part)}"
        case Compare(sign, left, Number(count) | Constant(count)):
            return _counted(left, sign, int(count))
        case Compare(sign, left, right):
            return f"{_many(left)}: {_SIGNS[sign] or 'as many as '}{_many(right)}"
        case Name("won", _):
            return "" if of_winner else "won"
        case Name(name, arguments):
            return _fact(name, arguments, book)
    return ""


def _fact(name: str, arguments: Sequence[str | Text], book: Rulebook) -> str:
    of = _of(arguments)
    if name in ("waiting_for", "scores_only"):
        titles = [book.entries[of_entry].title for of_entry in _words(arguments) if of_entry in book.entries]
        return f"one tile short of {titles[0]}" if name == "waiting_for" else "nothing else scores"
    if name in ("winning_tile", "all_tiles", "of", "held", "flag"):
        written = all(isinstance(argument, Text) for argument in arguments)
        says = {"winning_tile": f"the winning tile {'is' if written else 'of'} ", "all_tiles": "nothing but ", "of": "of ",
                "held": "the concealed tiles are ", "flag": "!"}  # fmt: skip
        return says[name] + of
    fact = {**SET_VOCABULARY.facts, **HAND_VOCABULARY.facts}[name]
    return _FACTS.get(name) or fact.doc.partition(";")[0].partition(" (D")[0]


def _words(arguments: Sequence[str | Text]) -> list[str]:
    return [argument.value if isinstance(argument, Text) else argument for argument in arguments]


def _of(arguments: Sequence[str | Text]) -> str:
    return " that are ".join(
        argument.value if isinstance(argument, Text) else _CLASSES.get(argument) or _plural(argument)
        for argument in arguments
    )


def _plural(name: str) -> str:
    words = name.replace("_", " ")
    return words if words.endswith("s") or words == "bamboo" else f"{words}s"


def _counted(node: Node, sign: str, count: int) -> str:
    """Tell a number that is asked for: ``3 sets of dragons``, ``no runs``, ``at least 1 tile of bamboo``."""
    if count == 0 and sign in ("==", "<="):
        return f"no {_many(node)}"
    if isinstance(node, Sum):
        return f"{_many(node)}, {_SIGNS[sign]}{count} in all"
    if count == 0 and sign in (">", "!="):
        sign, count = ">=", 1
    return f"{_SIGNS[sign]}{count} {_many(node, count == 1)}"


def _many(node: Node, one: bool = False) -> str:
    if isinstance(node, Sum):
        return " and ".join(f"{'less ' if sign == '-' else ''}{_many(term)}" for sign, term in node.terms)
    if not isinstance(node, Name):
        return str(node.value) if isinstance(node, (Number, Constant)) else ""
    of = _of(node.arguments)
    single, several, behind = _COUNTED.get(node.name, (node.name, node.name, ""))
    return (single if one else several) + (f" of {of}" if of else "") + behind


def shape_words(text: str) -> str:
    """Tell the tiles of a special hand in words."""
    told: list[str] = []
    for part in shape_parts(text):
        letters = {_LETTERS[name[-1]] for name in part.names if name[-1] in _LETTERS and len(name) > 1}
        names = ", ".join(
            name[:-1]
            if name.type == "TILES" and name[-1] in _LETTERS
            else _CLASSES.get(name) or _plural(name)
            for name in part.names
            if name not in _LETTERS
        )
        suits = ", ".join(_LETTERS[name] for name in part.names if name in _LETTERS)
        of = f" of {' or '.join(letters)}" if letters else f" of {suits}" if suits else ""
        if part.kind == "tiles":
            told.append(f"{part.names[0][:-1]}{of}" if letters else str(part.names[0]))
            if not letters and len(told) > 1 and told[-2][0].isdigit() and " of " not in told[-2]:
                told[-2:] = [" ".join(told[-2:])]  # tiles written out stand together
        elif part.kind == "twin":
            told.append(
                "and one of these once more" if part.number == 1 else f"{part.number} of these once more"
            )
        elif part.kind == "run":
            told.append(f"a run of {part.number}{', doubled' if part.copies > 1 else ''}{of}")
        else:
            what = "one of" if letters and part.number == 1 else _SETS[part.kind][part.number > 1]
            count = f"{part.number} " if part.number > 1 else ""
            told.append(
                f"{count}{what}{' ' if letters else ' of ' if names else ''}{names}{'' if letters else of}"
            )
    return ", ".join(told).replace(", and", " and")


# hands that a rulebook is asked about, the plainest of each sort first
_HANDS = (
    "1112345678999c +5c", "222b 444b 666b 888b 3b +3b", "111c 333c 666c 888c 2c +2c", "111b 999b 111c 999d 9c +9c",
    "222d 444d 777d EEE 6d +6d", "111b 999c EEE RRR 1d +1d", "RRR GGG EEE SSS N +N", "RRR GGG WWWd 444c 7b +7b", "EEE SSS WWWw NNN 5c +5c",
    "EEE SSS WWWw 444c N +N", "222b 444c 777d EEE 6d +6d",
    "[2222b] [4444c] [6666d] [7777b] 9d +9d!loose", "111d 234d 678d 999d 5d +5d",
)  # fmt: skip


def example_tiles(name: str, book: Rulebook) -> tuple[tuple[Tile, ...], ...]:
    """Give the tiles, set by set, of a hand that is the special or limit hand *name*; none where no plain hand is."""
    special = next((one for one in _specials(book) if one.rule.id == name), None)
    if special is not None:
        return _grouped(example_of(special.alternatives))
    return _examples(book).get(name, ())


def _specials(book: Rulebook) -> tuple[SpecialHand, ...]:
    return (*book.special_hands, *book.lacking_a_limit)


def _grouped(tiles: Sequence[Tile]) -> tuple[tuple[Tile, ...], ...]:
    return tuple(tuple(group) for _, group in groupby(tiles, key=lambda tile: min(tile // 9, 3)))


@lru_cache(maxsize=16)
def _examples(book: Rulebook) -> Mapping[str, tuple[tuple[Tile, ...], ...]]:
    """Try all hands, and keep for each limit hand the one that is the fewest others too."""
    found: dict[str, tuple[int, tuple[tuple[Tile, ...], ...]]] = {}
    for text in _HANDS:
        try:
            scored = score_hand(parse(f"E: {text}"), book)
        except Refused:
            continue
        if scored.counting is not None:
            given = [
                award.rule for award in scored.counting.given if book.rules[award.rule].section == "limit"
            ]
            sets = sorted(scored.counting.arrangement.sets, key=lambda one: (len(one.tiles) < 3, one.tile))
            for name in given:
                if name not in found or len(given) < found[name][0]:
                    found[name] = len(given), tuple(one.tiles for one in sets)
    return {name: tiles for name, (_, tiles) in found.items()}
