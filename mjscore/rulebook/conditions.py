"""The language of conditions: parsed, checked against a vocabulary, folded, compiled once.

A condition can name facts, compare whole numbers and join them with and, or, not. It has no
assignment, no loop and no call but of facts, so a rulebook file can compute nothing else.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from lark import Token, v_args
from lark.exceptions import UnexpectedInput
from lark.visitors import Transformer_NonRecursive

from mjscore.game.tiles import written_mask
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Place, did_you_mean, refuse

LONGEST = 1000  # characters; a condition is a line to read
DEEPEST = 40  # brackets and nots within each other
NO_LIMIT = 1_000_000_000  # what a limit of none is compared as: more than any that can be set
MOST_COUNTED = 18  # tiles of a hand that a fact can count


class Number(NamedTuple):
    """A whole number written out."""

    value: int


class Text(NamedTuple):
    """A word in quotes: the value of an option, the id of an entry, a pattern of tiles."""

    value: str


class Name(NamedTuple):
    """A fact, with its arguments (classes of tiles, or words in quotes), and where it starts, from 0."""

    name: str
    arguments: tuple[str | Text, ...]
    start: int

    def place(self, word: str = "") -> Place:
        """Give the place of the name in its condition, or of a *word* in its place."""
        return Place("", self.start, self.start + len(word or self.name))


class Compare(NamedTuple):
    """Two sides and the sign between them."""

    sign: str
    left: "Node"
    right: "Node"


class Sum(NamedTuple):
    """Terms added and subtracted: (sign, term) pairs."""

    terms: "tuple[tuple[str, Node], ...]"


class Joined(NamedTuple):
    """Conditions joined by ``and`` or ``or``."""

    word: str
    parts: "tuple[Node, ...]"


class Not(NamedTuple):
    """A condition denied."""

    part: "Node"


class Constant(NamedTuple):
    """What folding found out beforehand."""

    value: bool | int | str


Node: TypeAlias = Number | Text | Name | Compare | Sum | Joined | Not | Constant


class Fact(NamedTuple):
    """A name that conditions may use.

    *kind* is ``boolean``, ``number`` or ``text``; *takes* says what its arguments are (``class``,
    ``text`` or nothing); *template* is the Python expression that computes it, over ``h`` (a hand's
    facts) and ``a`` (its arrangement), or ``s`` (a set's situation) and ``t`` (the set); *most* is the most that
    a number can be, where that is known.
    """

    kind: str
    template: str
    takes: str = ""
    most: int | None = None


class Vocabulary(NamedTuple):
    """The facts and classes of tiles that a condition may name, and the options with their kinds."""

    facts: Mapping[str, Fact]
    classes: Mapping[str, str]
    options: Mapping[str, str] = {}


@v_args(inline=True)
class _Nodes(Transformer_NonRecursive):  # type: ignore[type-arg]
    """What the grammar's rules are turned into."""

    def number(self, digits: Token) -> Node:
        return Number(int(digits))

    def text(self, quoted: Token) -> Node:
        return Text(quoted[1:-1])

    def fact(self, name: Token, *arguments: Token) -> Node:
        words = tuple(Text(word[1:-1]) if word.type == "TEXT" else str(word) for word in arguments)
        return Name(str(name), words, name.start_pos or 0)

    def comparison(self, left: Node, sign: Token, right: Node) -> Node:
        return Compare(str(sign), left, right)

    def sum(self, first: Node, *rest: Any) -> Node:
        return Sum((("+", first), *zip(map(str, rest[::2]), rest[1::2], strict=True)))

    def negation(self, part: Node) -> Node:
        return part.part if isinstance(part, Not) else Not(part)

    def both(self, *parts: Node) -> Node:
        return Joined("and", parts)

    def either(self, *parts: Node) -> Node:
        return Joined("or", parts)


def parse_condition(text: str) -> Node:
    """Parse the condition written *text*. Raises Refused with the column of what cannot stand there."""

    if len(text) > LONGEST:
        raise refuse("long-condition", "text", length=len(text), most=LONGEST, at=Place(text, 0, 1))
    try:
        node: Node = _Nodes().transform(open_grammar("condition.lark", ("condition",)).parse(text))
    except UnexpectedInput as unexpected:
        start = unexpected.pos_in_stream
        if start is None or getattr(getattr(unexpected, "token", None), "type", None) == "$END":
            start, said = len(text), "the condition ends too early"
        else:
            said = f"{text[start : start + 12]!r} cannot stand here"
        kind = "sign" if text[start : start + 1] in ("*", "/", "%") else "text"
        raise refuse("bad-condition", kind, said=said, at=Place(text, start, start + 1)) from None
    if _depth(node) > DEEPEST:
        raise refuse("deep-condition", "text", most=DEEPEST, at=Place(text, 0, 1))
    return node


def _parts(node: Node) -> tuple[Node, ...]:
    """Give the conditions and numbers that a condition is made of."""
    match node:
        case Not(part):
            return (part,)
        case Compare(_, left, right):
            return (left, right)
        case Sum(terms):
            return tuple(term for _, term in terms)
        case Joined(_, parts):
            return parts
    return ()


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, _parts(node)), default=0)


def words_of(arguments: Sequence[str | Text]) -> list[str]:
    """Give the arguments of a fact as they are written, without quotes."""
    return [argument.value if isinstance(argument, Text) else argument for argument in arguments]


def names_in(node: Node) -> list[Name]:
    """Give every fact that a condition names."""
    return [node] if isinstance(node, Name) else [name for part in _parts(node) for name in names_in(part)]


def most(node: Node, options: Mapping[str, int]) -> int:
    """Give the most that a number can be: counts of a hand's tiles are 18 at most, options as given."""
    match node:
        case Number(value):
            return value
        case Sum(terms):
            return sum(most(term, options) for sign, term in terms if sign == "+")
        case Name("option", (Text(option),)):
            return options.get(option, 0)
    return MOST_COUNTED


_SPOKEN = {
    "boolean": "a yes or no",
    "number": "a number",
    "text": "a word",
    "limit": "a limit, which may be none,",
    "group": "a group of options",
}


def _start(node: Node | None) -> Place:
    """Give the first letter of a fact, or of the condition where *node* is none."""
    return node.place("x") if isinstance(node, Name) else Place("", 0, 1)


def check_condition(node: Node, vocabulary: Vocabulary, wanted: str = "boolean") -> None:
    """Refuse names that are no facts, arguments that are no classes, and sides that do not compare."""
    kind = _kind(node, vocabulary)
    if kind != wanted:
        raise refuse("wrong-type", wanted, found=_SPOKEN[kind], at=_start(node))


def _kind(node: Node, vocabulary: Vocabulary) -> str:
    match node:
        case Number():
            return "number"
        case Text():
            return "text"
        case Name():
            return _kind_of_name(node, vocabulary)
        case Compare():
            _check_comparison(node, vocabulary)
        case Sum(terms):
            for _, term in terms:
                check_condition(term, vocabulary, "number")
            return "number"
        case Not() | Joined():
            for part in _parts(node):
                check_condition(part, vocabulary)
    return "boolean"


def _check_comparison(node: Compare, vocabulary: Vocabulary) -> None:
    # a limit may be none, so it can be compared with a number but not counted with
    left, right = (
        "number" if kind == "limit" else kind
        for kind in (_kind(node.left, vocabulary), _kind(node.right, vocabulary))
    )
    if left in ("boolean", "group") or left != right or (left == "text" and node.sign not in ("==", "!=")):
        named = next((side for side in (node.left, node.right) if isinstance(side, Name)), None)
        raise refuse(
            "wrong-type",
            "compared",
            left=_SPOKEN[left],
            right=_SPOKEN[right],
            sign=node.sign,
            at=_start(named),
        )


def _kind_of_name(node: Name, vocabulary: Vocabulary) -> str:
    fact = vocabulary.facts.get(node.name)
    if fact is None:
        near = did_you_mean(node.name, vocabulary.facts)
        raise refuse("unknown-name", "word", what="fact", word=node.name, near=near, at=node.place())
    words = [argument.value for argument in node.arguments if isinstance(argument, Text)]
    if not fact.takes and node.arguments:
        raise refuse("wrong-arguments", "none", fact=node.name, at=node.place())
    if fact.takes in ("text", "texts") and (
        not words or len(words) < len(node.arguments) or (fact.takes == "text" and len(words) > 1)
    ):
        raise refuse("wrong-arguments", "word", fact=node.name, at=node.place())
    for argument in node.arguments if fact.takes == "class" else ():
        if isinstance(argument, Text):
            try:
                written_mask(argument.value)
            except KeyError:
                typed = argument.value[:40]
                raise refuse("no-such-tiles", "class", fact=node.name, typed=typed, at=node.place()) from None
        elif argument not in vocabulary.classes:
            near, place = did_you_mean(argument, vocabulary.classes), node.place(argument)
            raise refuse("unknown-name", "word", what="class of tiles", word=argument, near=near, at=place)
    if node.name == "option":
        if words[0] not in vocabulary.options:
            near = did_you_mean(words[0], vocabulary.options)
            raise refuse("unknown-option", "word", word=words[0], near=near, at=node.place())
        return vocabulary.options[words[0]]
    return fact.kind


def fold(node: Node, known: Callable[[Name], bool | int | str | None]) -> Node:
    """Work out everything in *node* that *known* can tell beforehand."""
    match node:
        case Number(value) | Text(value):
            return Constant(value)
        case Name():
            told = known(node)
            return node if told is None else Constant(told)
        case Not(part):
            folded = fold(part, known)
            return Constant(not folded.value) if isinstance(folded, Constant) else Not(folded)
        case Compare(sign, left, right):
            left, right = fold(left, known), fold(right, known)
            if isinstance(left, Constant) and isinstance(right, Constant):
                return Constant(COMPARISONS[sign](left.value, right.value))
            return Compare(sign, left, right)
        case Sum(terms):
            terms = tuple((sign, fold(term, known)) for sign, term in terms)
            signed = [
                int(term.value) * (1 if sign == "+" else -1)
                for sign, term in terms
                if isinstance(term, Constant)
            ]
            return Constant(sum(signed)) if len(signed) == len(terms) else Sum(terms)
        case Joined(word, parts):
            decisive = Constant(word == "or")
            folded_parts = [fold(part, known) for part in parts]
            if decisive in folded_parts:
                return decisive
            left_over = tuple(part for part in folded_parts if not isinstance(part, Constant))
            if len(left_over) < 2:
                return left_over[0] if left_over else Constant(not decisive.value)
            return Joined(word, left_over)
    return node


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


def expression(node: Node, vocabulary: Vocabulary) -> str:
    """Write the Python expression that computes a checked condition.

    It is put together from the templates of the vocabulary, numbers and quoted words only.
    """

    def code(part: Node) -> str:
        return expression(part, vocabulary)

    match node:
        case Number(value) | Text(value) | Constant(value):
            return repr(value)
        case Name(name, arguments):
            fact = vocabulary.facts[name]
            if fact.takes == "class":
                masks = " & ".join(
                    str(written_mask(argument.value))
                    if isinstance(argument, Text)
                    else vocabulary.classes[argument]
                    for argument in arguments
                )
                return fact.template.format(f"({masks})" if masks else vocabulary.classes["any"])
            words = [argument.value for argument in arguments if isinstance(argument, Text)]
            return fact.template.format(repr(words[0] if fact.takes == "text" else frozenset(words)))
        case Compare(sign, left, right):
            return f"({code(left)} {sign} {code(right)})"
        case Sum(terms):
            return "(" + " ".join(f"{sign} {code(term)}" for sign, term in terms) + ")"
        case Not(part):
            return f"(not {code(part)})"
        case Joined(word, parts):
            return "(" + f" {word} ".join(map(code, parts)) + ")"
