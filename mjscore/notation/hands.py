"""Read a hand: in the strict notation, or as people type it, ``w 123b 444c eee / 77d 67c <8c:e``.

The strict reading goes first: nothing that is valid changes its meaning. What it refuses is read piece by piece, every
way that its words can be taken: to explain what is wrong, with the whole line as it would be read, or as what is meant;
what is left with two readings is refused with both.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.building import LONGEST_WORD, Reading, Worth, hand_of, located
from mjscore.notation.names import ANYBODY, People
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Place, Refused, refuse, tried

LONGEST_HAND = 300  # characters; what is longer was not typed as one hand
LONGEST_TEXT = 10_000  # characters; what is longer is not looked at, whoever gives it
_FIRST_LINES = 2  # for a hand or two, its patterns are not worth making
_MOST_WORDS, _MOST_ORDERS = 1 << 14, 1 << 10  # no more are kept, so that a long file cannot fill the memory
# a letter for the kind of each token; a header is looked for before tiles, as the grammar has it
_LETTERS = {
    "HEADER": "H",
    "SET": "T",
    "UNLISTED": "T",
    "DRAWN": "W",
    "CLAIMED": "W",
    "FLAG": "F",
    "TILES": "T",
}
_ORDER = re.compile("(?:HT*|T+)W?F*")
# by the rule that a parser starts from, the one whose callback builds a hand
_BUILDERS = {"hand": "hand", "line": "hand_line"}


class Hands(Transformer):  # type: ignore[type-arg]
    """What the rules of ``hand.lark`` stand for. Lark calls a method for each rule while it parses."""

    def hand(self, children: list[Token]) -> Hand:
        return hand_of(children)


hand_parser = partial(open_grammar, "hand.lark", ("hand",), Hands)


class _Beside(NamedTuple):
    """What stands before or behind the words of a line: like a token, but made in a quarter of the time."""

    type: str
    value: str
    start_pos: int | None = None
    end_pos: int | None = None


class KnownWords:
    """The orders of tokens in hands that *parser* has read from the rule *start*, and the words of which they were.

    A hand of known words in an order that the parser has let pass is not parsed again. This is no reader of its own: a
    word is taken apart by the grammar's own tokens, and where anything is new or wrong the parser reads the line, and
    alone says what is the matter.
    """

    def __init__(self, parser: Lark, start: str) -> None:
        self._build = getattr(parser.options.transformer, _BUILDERS[start])
        self._patterns = {str(one.name): one.pattern.to_regexp() for one in parser.terminals}
        self._lines = 0
        self._known = lru_cache(maxsize=_MOST_WORDS)(self._taken_apart)
        self._orders: set[str] = set()

    @cached_property
    def _line(self) -> re.Pattern[str]:
        """Give what a line has before and behind its words, as the grammar says it; read in one way only, so never for long."""
        label, expected = (self._patterns.get(name, "(?!)") for name in ("LABEL", "EXPECTED"))
        return re.compile(f'((?>{label}))?+([^"#=]*+)((?>{expected}))?+[ \t]*')

    @cached_property
    def _token(self) -> re.Pattern[str]:
        return re.compile("|".join(f"(?P<{name}>{self._patterns[name]})" for name in _LETTERS))

    def read(self, text: str) -> Any:
        """Build what the parser would build of *text*; None where it has to be asked."""
        parts = self._line.fullmatch(text) if self._orders else None
        if parts is None:
            return None
        label, words, expected = parts.groups()
        found = self._tokens(words)
        if found is None or found[0] not in self._orders:
            return None
        children: list[Any] = found[1]
        if label:
            children.insert(0, _Beside("LABEL", label))
        if expected:
            children.append(_Beside("EXPECTED", expected))
        try:
            return self._build(children)
        except Refused:
            return None  # the parser knows the place

    def learn(self, text: str) -> None:
        """Keep the order of the tokens of *text*, which the parser has just read."""
        self._lines += 1
        parts = self._line.fullmatch(text) if self._lines > _FIRST_LINES else None
        found = self._tokens(parts[2]) if parts is not None else None
        if found is not None and len(self._orders) < _MOST_ORDERS and _ORDER.fullmatch(found[0]):
            self._orders.add(found[0])

    def _tokens(self, words: str) -> tuple[str, list[Token]] | None:
        """Give the letters and the tokens of some words; None where one of them is more or less than whole tokens."""
        letters = ""
        tokens: list[Token] = []
        for word in words.split(" "):
            if word:
                known = self._known(word)
                if known is None:
                    return None
                letters += known[0]
                tokens += known[1]
        return letters, tokens

    def _taken_apart(self, word: str) -> tuple[str, tuple[Token, ...]] | None:
        tokens = []
        place = 0
        while place < len(word) <= LONGEST_WORD:
            found = self._token.match(word, place)
            if found is None:
                return None
            tokens.append(Token(found.lastgroup or "", found[0]))
            place = found.end()
        return ("".join(_LETTERS[token.type] for token in tokens), tuple(tokens)) if tokens else None


known_words = lru_cache(maxsize=4)(KnownWords)


def parse(text: str) -> Hand:
    """Read the hand written *text* in the notation.

    Raises Refused (a ValueError) whose ``refusal`` says place, reason and what to type instead: the whole line,
    where it can be read as people type. Raises TypeError where *text* is no text.

    >>> parse("S@E: (222d) [1111c] 123b 456b 7c +7c!loose").win.tile.title
    '7 characters'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    try:
        return parse_strictly(text)
    except (UnexpectedInput, Refused) as unfit:
        # loaded only where there is something to put right
        from mjscore.notation.choosing import explain

        raise Refused(tried(explain(text, unfit), parse_strictly)) from None


def parse_strictly(text: str) -> Hand:
    """Read the same, without a word on what is no hand of the grammar: raises Lark's UnexpectedInput for that."""
    hand: Hand = parsed(hand_parser(), text, "hand")
    return hand


def parsed(parser: Lark, text: str, start: str) -> Any:
    """Read by *parser* what *text* is from the rule *start*. Raises Refused with the place, and UnexpectedInput."""
    if len(text) > LONGEST_TEXT:
        raise refuse("long-line", "hand", at=Place(text, 0, 1), count=len(text), most=LONGEST_TEXT)
    if "\n" in text or "\r" in text:
        text = text.replace("\r", " ").replace("\n", " ")
    known = known_words(parser, start) if start in _BUILDERS else None
    try:
        record = known.read(text) if known is not None else None
        if record is None:
            record = parser.parse(text, start=start)
            if known is not None:
                known.learn(text)
        return record
    except Refused as refused:
        raise Refused(located(refused.refusal, text)) from None


def read_hand(text: str, people: People = ANYBODY, worth: Worth | None = None) -> Reading:
    """Read the hand that a person means by *text*, and its strict line.

    *worth* says what a hand scores, None where no rule scores it; of several readings, one that is scored is meant.
    Raises Refused: with what is wrong at the furthest place that any reading came to, and with every reading that is
    left where there are two.
    """
    if len(text) > LONGEST_HAND:
        return Reading(text, parse(text))
    strictly: Hand | Refused | None = None
    try:
        strictly = parse_strictly(text)
    except UnexpectedInput:
        pass
    except Refused as no_hand:
        strictly = no_hand
    if isinstance(strictly, Hand):
        win = strictly.win
        named = [strictly.seat] if win is None else [strictly.seat, win.discarder, win.earlier, win.all_from]
        if {None, *WIND_NAMES, *people.players.values()}.issuperset(named):
            return Reading(text, strictly)
    # what loose reading takes is loaded where it is needed first
    from mjscore.notation.choosing import choose

    def offered(line: str) -> Hashable:
        hand = read_hand(line, people, worth).hand
        return hand if worth is None else worth(hand)

    try:
        return choose(text, people, worth, strictly)
    except Refused as refused:
        raise Refused(tried(refused.refusal, offered)) from None
