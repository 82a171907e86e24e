"""The language of conditions: parsed, checked against a namespace, and simplified (folded).

A condition can name facts, compare whole numbers, and combine these with and, or, not. It has no assignments, no
loops and no calls except of facts, so a rulebook file cannot compute anything else.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from lark import Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from mjscore.game.tiles import written_mask
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Place, did_you_mean, refuse

LONGEST = 1000  # characters; a condition should be readable
DEEPEST = 40  # levels of nested brackets and nots
NO_LIMIT = 1_000_000_000  # stands for no limit in comparisons: more than any limit that can be set
MOST_COUNTED = 18  # tiles of a hand that a fact can count


class Constant(NamedTuple):
    """A number or a quoted word as written, or a value computed by folding."""

    value: bool | int | str


class Name(NamedTuple):
    """A fact, its arguments (classes of tiles, or quoted words), and the column where it starts, from 0."""

    name: str
    arguments: tuple[str | Constant, ...]
    start: int

    @property
    def words(self) -> list[str]:
        """The fact's arguments as written, without quotes."""
        return [str(one.value) if isinstance(one, Constant) else one for one in self.arguments]

    def place(self, word: str = "") -> Place:
        """Return the place of the name in its condition, or of the *word* that begins there."""
        return Place("", self.start, self.start + len(word or self.name))


class Operation(NamedTuple):
    """A *sign* and its parts: ``and`` or ``or`` of several, ``not`` of one, a comparison of two, a sum.

    A number subtracted in a sum is a ``-`` with one part.
    """

    sign: str
    parts: "tuple[Node, ...]"


Node: TypeAlias = Constant | Name | Operation


class Fact(NamedTuple):
    """A name that conditions may use.

    *kind* is ``boolean``, ``number`` or ``text``; *takes* is the kind of its arguments (``class``, ``text``,
    ``texts``, ``patterns`` or nothing); *template* is the Python expression that computes it from ``h`` (a hand's
    facts), ``a`` (its arrangement) and ``t`` (one of its sets); *most* is the greatest value of a number, if known.
    """

    kind: str
    template: str
    takes: str = ""
    most: int | None = None


class Namespace(NamedTuple):
    """The facts and classes of tiles that a condition may name, and the kind of each option."""

    facts: Mapping[str, Fact]
    classes: Mapping[str, str]
    options: Mapping[str, str] = {}


@v_args(inline=True)
class _Nodes(Transformer):  # type: ignore[type-arg]
    """Turns the grammar's rules into nodes."""

    def number(self, digits: Token) -> Node:
        return Constant(int(digits))

    def text(self, quoted: Token) -> Node:
        return Constant(quoted[1:-1])

    def fact(self, name: Token, *arguments: Token | Constant) -> Node:
        words = tuple(one if isinstance(one, Constant) else str(one) for one in arguments)
        start = name.start_pos or 0
        if name == "waiting_for" and len(words) > 1:
            return Operation("or", tuple(Name(str(name), (one,), start) for one in words))
        return Name(str(name), words, start)

    def comparison(self, left: Node, sign: Token, right: Node) -> Node:
        return Operation(str(sign), (left, right))

    def sum(self, first: Node, *rest: Any) -> Node:
        signed = zip(rest[::2], rest[1::2], strict=True)
        terms = (term if sign == "+" else Operation("-", (term,)) for sign, term in signed)
        return Operation("+", (first, *terms))

    def negation(self, part: Node) -> Node:
        if isinstance(part, Operation) and part.sign == "not":
            return part.parts[0]
        return Operation("not", (part,))

    def both(self, *parts: Node) -> Node:
        return Operation("and", parts)

    def either(self, *parts: Node) -> Node:
        return Operation("or", parts)


# kinds of messages, with the signs that people write although a condition cannot have them
_REMEDIES = {"sign": (*"*/%",), "equals": ("=",), "word": (*"&|!",), "quotes": (*"“”„‘’«»",)}
_TURNED = {"=>": ">=", "=<": "<=", "<>": "!="}  # other ways to write comparisons


def parse_condition(text: str) -> Node:
    """Parse a condition. Raises Refused at the column of the first mistake."""
    if len(text) > LONGEST:
        raise refuse("long-condition", "text", length=len(text), most=LONGEST, at=Place(text, 0, 1))
    try:
        node: Node = open_grammar("condition.lark", ("condition",), _Nodes).parse(text)  # type: ignore[assignment]
    except UnexpectedInput as unexpected:
        start = unexpected.pos_in_stream
        if start is None or getattr(getattr(unexpected, "token", None), "type", None) == "$END":
            start, fault = len(text), "the condition ends too early"
        else:
            fault = f"{text[start : start + 12]!r} does not belong here"
        sign = _TURNED.get(text[start : start + 2]) or _TURNED.get(text[max(start - 1, 0) : start + 1])
        kinds = (kind for kind, signs in _REMEDIES.items() if text[start : start + 1] in signs)
        kind, at = "comparison" if sign else next(kinds, "text"), Place(text, start, start + 1)
        raise refuse("bad-condition", kind, said=fault, sign=sign, at=at) from None
    if _depth(node) > DEEPEST:
        raise refuse("deep-condition", "text", most=DEEPEST, at=Place(text, 0, 1))
    return node


def _depth(node: Node) -> int:
    if not isinstance(node, Operation):
        return 1
    # a subtracted number is not nested deeper than an added one
    return max(map(_depth, node.parts)) + (node.sign != "-")


def names_in(node: Node) -> list[Name]:
    """Return every fact that a condition names."""
    if isinstance(node, Operation):
        return [name for part in node.parts for name in names_in(part)]
    return [node] if isinstance(node, Name) else []


def most(node: Node, options: Mapping[str, int]) -> int:
    """Return an upper bound of a number in a condition: 18 for a fact, for an option the value in *options*."""
    match node:
        case Constant(int(value)):
            return value
        case Operation("+", terms):
            return sum(most(term, options) for term in terms)
        case Operation("-"):
            return 0
        case Name("option"):
            return options.get(node.words[0], 0)
    return MOST_COUNTED


_SPOKEN = {
    "boolean": "a yes or no",
    "number": "a number",
    "text": "a word",
    "limit": "a limit, which may be none,",
    "group": "a group of options",
}


def _start(node: Node) -> Place:
    """Return the place of a fact's first character, or of the condition's if *node* is not a fact."""
    return node.place("x") if isinstance(node, Name) else Place("", 0, 1)


def check_condition(node: Node, namespace: Namespace, wanted: str = "boolean") -> None:
    """Raise Refused unless a condition is well formed and its value is of the *wanted* kind."""
    kind = _kind(node, namespace)
    if kind != wanted:
        raise refuse("wrong-type", wanted, found=_SPOKEN[kind], at=_start(node))


def _kind(node: Node, namespace: Namespace) -> str:
    match node:
        case Constant(value):
            return "text" if isinstance(value, str) else "number"
        case Name():
            return _kind_of_name(node, namespace)
        case Operation(sign, (left, right)) if sign in COMPARISONS:
            _check_comparison(sign, left, right, namespace)
            return "boolean"
    wanted = "number" if node.sign in ("+", "-") else "boolean"
    for part in node.parts:
        check_condition(part, namespace, wanted)
    return wanted


def _check_comparison(sign: str, first: Node, other: Node, namespace: Namespace) -> None:
    # a limit may be none, so it can be compared with a number but not added to one
    kinds = (_kind(first, namespace), _kind(other, namespace))
    left, right = ("number" if kind == "limit" else kind for kind in kinds)
    if left in ("boolean", "group") or left != right or (left == "text" and sign not in ("==", "!=")):
        place = _start(first if isinstance(first, Name) else other)
        raise refuse("wrong-type", "compared", left=_SPOKEN[left], right=_SPOKEN[right], sign=sign, at=place)


def _kind_of_name(node: Name, namespace: Namespace) -> str:
    fact = namespace.facts.get(node.name)
    if fact is None:
        near = did_you_mean(node.name, namespace.facts)
        raise refuse("unknown-name", "word", what="fact", word=node.name, near=near, at=node.place())
    quoted = [isinstance(argument, Constant) for argument in node.arguments]
    if not fact.takes and quoted:
        raise refuse("wrong-arguments", "none", fact=node.name, at=node.place())
    if fact.takes in ("text", "texts", "patterns") and (
        not (quoted and all(quoted)) or (fact.takes == "text" and quoted[1:])
    ):
        raise refuse("wrong-arguments", "word", fact=node.name, at=node.place())
    for argument in node.arguments if fact.takes == "class" else ():
        if isinstance(argument, Constant):
            try:
                written_mask(str(argument.value))
            except KeyError:
                typed = str(argument.value)[:40]
                raise refuse("no-such-tiles", "class", fact=node.name, typed=typed, at=node.place()) from None
        elif argument not in namespace.classes:
            near, place = did_you_mean(argument, namespace.classes), node.place(argument)
            raise refuse("unknown-name", "word", what="class of tiles", word=argument, near=near, at=place)
    if node.name == "option":
        (word,) = node.words
        if word not in namespace.options:
            near = did_you_mean(word, namespace.options)
            raise refuse("unknown-option", "word", word=word, near=near, at=node.place())
        return namespace.options[word]
    return fact.kind


def fold(node: Node, known: Callable[[Name], bool | int | str | None]) -> Node:
    """Return *node*, simplified by the facts whose value *known* returns (None for the others)."""
    match node:
        case Name():
            value = known(node)
            return node if value is None else Constant(value)
        case Operation(sign, parts):
            parts = tuple(fold(part, known) for part in parts)
            if sign in ("and", "or"):
                decisive = Constant(sign == "or")
                if decisive in parts:
                    return decisive
                parts = tuple(part for part in parts if not isinstance(part, Constant))
                if len(parts) < 2:
                    return parts[0] if parts else Constant(not decisive.value)
            values = [part.value for part in parts if isinstance(part, Constant)]
            is_known = len(values) == len(parts)
            return Constant(_WORKED_OUT[sign](*values)) if is_known else Operation(sign, parts)
    return node


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_WORKED_OUT: Mapping[str, Callable[..., Any]] = {
    **COMPARISONS,
    "not": operator.not_,
    "-": operator.neg,
    "+": lambda *terms: sum(terms),
}
