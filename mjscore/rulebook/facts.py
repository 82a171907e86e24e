"""What a hand *is*: the named facts that rulebook conditions ask for.

The code here knows sets, waits, suits and how a hand was won; only rulebooks know what that is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from mjscore.game.hand import Hand, TileSet
from mjscore.game.tiles import (
    ANY,
    BAMBOO,
    BITS,
    CHARACTERS,
    DIGIT,
    DOTS,
    DRAGON_MASK,
    HEADS,
    HONORS,
    KINDS,
    SIMPLES,
    SUITED,
    TERMINALS,
    WIND_MASK,
    WINDS,
)
from mjscore.rulebook.conditions import Fact, Vocabulary
from mjscore.rulebook.rule import Given, SetValue

FIRST_WIND = 27
NO_SET = TileSet("chow", None, False)  # type: ignore[arg-type]


class Facts:
    """The facts of one hand; the scorer sets those of an arrangement before it asks the rulebook.

    Masks have one bit a kind of tile. ``pungs`` counts fours too, as the books do: a four is a set of
    its kind wherever a three is. The facts of an arrangement are set by the scorer.
    """

    completed_pair: bool
    completed_chow: bool
    completed_pung: bool
    form: str
    chows: int
    pungs: int
    kongs: int
    pairs: int
    concealed_pungs: int
    hidden_pungs: int

    __slots__ = (
        "all_honors",
        "bonus",
        "chows",
        "claimed",
        "complete_series",
        "completed_chow",
        "completed_pair",
        "completed_pung",
        "concealed_pungs",
        "doubles",
        "drawn",
        "flags",
        "form",
        "given",
        "hand",
        "hidden_pungs",
        "kinds",
        "kongs",
        "laid_kongs",
        "laid_pungs",
        "one_suit",
        "one_suit_and_honors",
        "original",
        "own_bonus",
        "own_bonus_outside",
        "own_round",
        "own_wind",
        "packed",
        "pairs",
        "pungs",
        "round_wind",
        "seat",
        "set_values",
        "special",
        "suits",
        "waiting_doubles",
        "waits",
        "waits_for",
        "win_bit",
        "won",
    )

    def __init__(self, hand: Hand, seat: int, round_wind: int, waits_for: Callable[[Facts], int]) -> None:
        self.hand = hand
        self.seat = seat
        self.own_wind = 1 << FIRST_WIND + seat
        self.round_wind = 1 << FIRST_WIND + round_wind
        self.own_round = seat == round_wind
        win = hand.win
        packed = hand.packed_concealed + hand.packed_laid
        if win is None:
            self.won = self.drawn = self.claimed = self.original = False
            self.flags: frozenset[str] = frozenset()
            self.win_bit = 0
        else:
            packed += 1 << BITS * win.tile
            self.won = True
            self.flags = win.flags
            self.original = "original" in win.flags
            # a hand won as dealt was completed by no one tile (D12)
            self.drawn = win.drawn and not self.original
            self.claimed = not win.drawn
            self.win_bit = 1 << win.tile
        self.packed = packed
        kinds = hand.kinds_mask | self.win_bit
        self.kinds = kinds
        self.suits = ((kinds & BAMBOO) != 0) + ((kinds & CHARACTERS) != 0) + ((kinds & DOTS) != 0)
        honors = kinds & HONORS
        listed = not hand.unlisted
        self.one_suit = listed and self.suits == 1 and not honors
        self.one_suit_and_honors = listed and self.suits == 1 and honors != 0
        self.all_honors = listed and not self.suits and honors != 0
        self.laid_pungs = self.laid_kongs = 0
        for one in hand.sets:
            if one.kind != "chow":
                self.laid_pungs |= 1 << one.tile
                if one.kind == "kong":
                    self.laid_kongs |= 1 << one.tile
        self.bonus = len(hand.bonus)
        self.own_bonus = self.complete_series = self.own_bonus_outside = 0
        if hand.bonus:
            self._count_bonus_tiles(hand, seat)
        self.waits_for = waits_for
        self.waits = -1
        self.set_values: list[SetValue] = []
        self.given: Given = []
        self.special = False
        self.doubles = self.waiting_doubles = 0

    def _count_bonus_tiles(self, hand: Hand, seat: int) -> None:
        own = [tile for tile in hand.bonus if (tile - KINDS) % 4 == seat]
        complete = [
            first
            for first in (KINDS, KINDS + 4)
            if sum(first <= tile < first + 4 for tile in hand.bonus) == 4
        ]
        self.own_bonus = len(own)
        self.complete_series = len(complete)
        self.own_bonus_outside = sum(not any(first <= tile < first + 4 for first in complete) for tile in own)

    def only_place(self) -> bool:
        """Whether the winning tile is the only kind that would have completed the hand (D6)."""
        if self.waits < 0:
            self.waits = self.waits_for(self)
        return self.waits == self.win_bit

    def waiting(self) -> bool:
        """Whether a hand that did not win lacks one tile only."""
        if self.won or self.hand.unlisted:
            return False
        if self.waits < 0:
            self.waits = self.waits_for(self)
        return self.waits != 0

    def fourth_of_exposed_three(self) -> bool:
        """Whether the winning tile is of the same kind as a three that the winner has exposed (D36)."""
        return bool(self.win_bit & self.laid_pungs & ~self.laid_kongs)

    def scores_only(self, names: frozenset[str]) -> bool:
        """Whether nothing scores but the entries *names*: no set, no pair, no other bonus (D7)."""
        for value in self.set_values:
            for rule in value.rules:
                if rule.id not in names:
                    return False
        return all(rule.id in names for rule, _ in self.given if rule.is_other_score)

    def laid_tiles(self) -> int:
        """How many tiles lie in the sets on the table before the winning tile."""
        return sum(len(one.tiles) for one in self.hand.sets)

    def count(self, mask: int) -> int:
        """How many tiles of the hand belong to *mask*."""
        packed = self.packed
        return sum(packed >> BITS * kind & DIGIT for kind in range(KINDS) if mask >> kind & 1)

    def all_of(self, mask: int) -> bool:
        """Whether every tile of the hand is known and belongs to *mask*."""
        return not self.kinds & ~mask and not self.hand.unlisted

    def holds(self, pattern: str) -> bool:
        """Whether the concealed tiles before the winning tile were just those of *pattern*."""
        return self.hand.packed_concealed in patterns(pattern)


@lru_cache(maxsize=256)
def patterns(text: str) -> frozenset[int]:
    """The packed collections that a pattern of tiles such as ``1112345678999x`` stands for."""
    from mjscore.rulebook.shapes import compile_shape

    return frozenset(alternative.fixed for alternative in compile_shape(text, CLASS_MASKS, size=None))


_CONSTANT_CLASSES = {
    "any": ANY,
    "suited": SUITED,
    "honor": HONORS,
    "wind": WIND_MASK,
    "dragon": DRAGON_MASK,
    "head": HEADS,
    "terminal": TERMINALS,
    "simple": SIMPLES,
    "bamboo": BAMBOO,
    "characters": CHARACTERS,
    "dots": DOTS,
    "one": sum(1 << suit for suit in (0, 9, 18)),
    "nine": sum(1 << suit + 8 for suit in (0, 9, 18)),
    **{
        f"{name}_wind": 1 << FIRST_WIND + place
        for place, name in enumerate(("east", "south", "west", "north"))
    },
    **{f"{name}_dragon": 1 << 31 + place for place, name in enumerate(("red", "green", "white"))},
}
CLASS_MASKS = _CONSTANT_CLASSES
_CLASSES = {name: str(mask) for name, mask in _CONSTANT_CLASSES.items()} | {
    "own_wind": "f.own_wind",
    "round_wind": "f.round_wind",
}

_FROM_OPTIONS = {
    "option": Fact("", "", "", "text", "the value of an option of the rulebook"),
    "players": Fact("number", "", "", "", "how many play"),
    "limited": Fact("boolean", "", "there is no limit", "", "there is a limit"),
}
_HOW_WON = {
    "won": Fact("boolean", "f.won", "the hand did not win", doc="the hand won"),
    "drawn": Fact(
        "boolean",
        "f.drawn",
        "the winning tile was not drawn",
        doc="the winning tile was drawn; not where the hand was won as dealt",
    ),
    "claimed": Fact(
        "boolean", "f.claimed", "the winning tile was not claimed", doc="the winning tile was claimed"
    ),
    "original": Fact(
        "boolean",
        "f.original",
        "the hand was not won as dealt",
        doc="East won as dealt, which is neither drawn nor claimed",
    ),
    "own_round": Fact(
        "boolean",
        "f.own_round",
        "it is not the round of the player's own wind",
        doc="it is the round of the player's own wind",
    ),
}
_HAND_FACTS = {
    **_FROM_OPTIONS,
    **_HOW_WON,
    **{
        flag: Fact("boolean", f"({flag!r} in f.flags)", denial, doc=doc)
        for flag, denial, doc in (
            (
                "loose",
                "the winning tile was no loose tile",
                "the winning tile was drawn for a four or a bonus tile",
            ),
            (
                "last",
                "the winning tile was not the last of the wall",
                "the winning tile was the last one of the wall that may be drawn",
            ),
            (
                "robbed",
                "the winning tile was not the fourth of another player's three",
                "the winning tile was the fourth of another player's exposed three",
            ),
            (
                "earth",
                "the winning tile was not East's first discard",
                "the winning tile was East's first discard",
            ),
            (
                "thirteen",
                "the hand was not declared on its original thirteen tiles",
                "declared on the original thirteen tiles",
            ),
            (
                "mixed",
                "the drawn tile was shown apart",
                "the drawn tile was put among the others before it was shown",
            ),
            ("ninth", "it is not East's ninth win in a row", "East's ninth win in a row"),
        )
    },
    "east": Fact("boolean", "(f.seat == 0)", "the player is not East", doc="the player is East"),
    "south": Fact("boolean", "(f.seat == 1)", "the player is not South", doc="the player is South"),
    "west": Fact("boolean", "(f.seat == 2)", "the player is not West", doc="the player is West"),
    "north": Fact("boolean", "(f.seat == 3)", "the player is not North", doc="the player is North"),
    "chows": Fact("number", "f.chows", "", "", "runs, on the table or in the hand"),
    "pungs": Fact("number", "(f.pungs & {0}).bit_count()", "", "class", "sets of three or four alike"),
    "kongs": Fact("number", "(f.kongs & {0}).bit_count()", "", "class", "sets of four alike"),
    "pairs": Fact("number", "(f.pairs & {0}).bit_count()", "", "class", "pairs"),
    "concealed_pungs": Fact(
        "number",
        "(f.concealed_pungs & {0}).bit_count()",
        "",
        "class",
        "threes and fours that score as concealed",
    ),
    "hidden_pungs": Fact(
        "number",
        "(f.hidden_pungs & {0}).bit_count()",
        "",
        "class",
        "threes and fours whose three was concealed, a four claimed from it included (D4)",
    ),
    "laid_sets": Fact(
        "number",
        "len(f.hand.sets)",
        "",
        "",
        "sets on the table before the winning tile, declared fours included",
    ),
    "laid_pungs": Fact(
        "number",
        "(f.laid_pungs & {0}).bit_count()",
        "",
        "class",
        "threes and fours among the sets on the table",
    ),
    "laid_tiles": Fact(
        "number", "f.laid_tiles()", "", "", "tiles in the sets on the table before the winning tile"
    ),
    "completed_pair": Fact(
        "boolean",
        "f.completed_pair",
        "the winning tile did not complete the pair",
        doc="the winning tile completed the pair",
    ),
    "completed_chow": Fact(
        "boolean",
        "f.completed_chow",
        "the winning tile did not complete a run",
        doc="the winning tile completed a run",
    ),
    "completed_pung": Fact(
        "boolean",
        "f.completed_pung",
        "the winning tile did not complete a three",
        doc="the winning tile completed a set of three",
    ),
    "middle": Fact(
        "boolean",
        '(f.form == "middle")',
        "the winning tile did not fill a run in the middle",
        doc="the winning tile went into the middle of a run",
    ),
    "one_end": Fact(
        "boolean",
        '(f.form == "one_end")',
        "the winning tile did not fill the only open end of a run",
        doc="the winning tile filled a run at its only open end: 3 to 1-2, 7 to 8-9",
    ),
    "both_ends": Fact(
        "boolean",
        '(f.form == "both_ends")',
        "the run was not open at both ends",
        doc="the winning tile filled a run that was open at both ends",
    ),
    "winning_tile": Fact(
        "boolean",
        "(f.win_bit & {0} != 0)",
        "the winning tile is another",
        "class",
        doc="the winning tile is of the class",
    ),
    "only_place": Fact(
        "boolean",
        "f.only_place()",
        "another tile would have won too",
        doc="no other kind of tile would have completed the hand (D6)",
    ),
    "fourth_of_exposed_three": Fact(
        "boolean",
        "f.fourth_of_exposed_three()",
        "the winning tile is no fourth of an exposed three",
        doc="the winning tile is the fourth of a three that the winner has on the table",
    ),
    "one_suit": Fact(
        "boolean",
        "f.one_suit",
        "the hand is not all one suit",
        doc="all tiles are of one suit; flowers and seasons are left aside",
    ),
    "one_suit_and_honors": Fact(
        "boolean",
        "f.one_suit_and_honors",
        "the hand is not one suit and honors",
        doc="all tiles are of one suit or honors, with some of both",
    ),
    "all_honors": Fact(
        "boolean", "f.all_honors", "the hand is not all honors", doc="all tiles are winds and dragons"
    ),
    "all_tiles": Fact(
        "boolean", "f.all_of({0})", "not all of its tiles are such", "class", doc="all tiles are of the class"
    ),
    "suits": Fact("number", "f.suits", "", "", "how many of the three suits are in the hand"),
    "tiles": Fact("number", "f.count({0})", "", "class", "tiles of the hand"),
    "kinds": Fact("number", "(f.kinds & {0}).bit_count()", "", "class", "different tiles of the hand"),
    "held": Fact(
        "boolean",
        "f.holds({0})",
        "the concealed tiles were others",
        "text",
        doc="the concealed tiles are exactly these: a winner's before the winning tile, all that another hand has concealed",
    ),
    "bonus_tiles": Fact("number", "f.bonus", "", "", "flowers and seasons"),
    "own_bonus": Fact("number", "f.own_bonus", "", "", "flowers and seasons of the player's own number"),
    "complete_series": Fact("number", "f.complete_series", "", "", "whole series of flowers or of seasons"),
    "own_bonus_outside": Fact(
        "number", "f.own_bonus_outside", "", "", "own flowers and seasons that are in no whole series"
    ),
    "scores_only": Fact(
        "boolean",
        "f.scores_only({0})",
        "something else in the hand scores",
        "texts",
        "nothing scores but the entries named",
    ),
    "special": Fact(
        "boolean", "f.special", "the hand is four sets and a pair", doc="the hand won by a [[shape]]"
    ),
    "waiting": Fact(
        "boolean", "f.waiting()", "the hand is not waiting", doc="a hand that did not win lacks one tile"
    ),
    "doubles": Fact("number", "f.doubles", "", "", "doubles that the hand has as it stands"),
    "waiting_doubles": Fact(
        "number", "f.waiting_doubles", "", "", "the most doubles that a tile it waits for would give it"
    ),
}
_SET_FACTS = {
    **_FROM_OPTIONS,
    **_HOW_WON,
    "chow": Fact("boolean", '(s.kind == "chow")', doc="a run"),
    "pung": Fact("boolean", '(s.kind == "pung")', doc="three alike"),
    "kong": Fact("boolean", '(s.kind == "kong")', doc="four alike"),
    "pair": Fact("boolean", '(s.kind == "pair")', doc="a pair"),
    "exposed": Fact("boolean", "s.exposed", doc="the set is on the table, or was completed by a claim"),
    "concealed": Fact("boolean", "(not s.exposed)", doc="the set scores as concealed"),
    "of": Fact("boolean", "((1 << s.tile) & {0} != 0)", takes="class", doc="the set is of such tiles"),
    "completed": Fact("boolean", "s.completed", doc="the winning tile completed the set"),
    "middle": _HAND_FACTS["middle"],
    "one_end": _HAND_FACTS["one_end"],
    "both_ends": _HAND_FACTS["both_ends"],
}

HAND_VOCABULARY = Vocabulary(_HAND_FACTS, _CLASSES)
SET_VOCABULARY = Vocabulary(_SET_FACTS, _CLASSES)
OPTION_VOCABULARY = Vocabulary(_FROM_OPTIONS, {})


def chow_form(chow: int, tile: int) -> str:
    """How *tile* filled the run that begins with *chow*: in the middle, at its only open end, or open."""
    place = tile - chow
    if place == 1:
        return "middle"
    low_value = chow % 9
    if (place == 2 and low_value == 0) or (place == 0 and low_value == 6):
        return "one_end"
    return "both_ends"


def seat_number(seat: str) -> int:
    """East 0, South 1, West 2, North 3."""
    return WINDS.index(seat)
