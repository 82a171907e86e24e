"""The language of conditions: parsed, checked against a vocabulary, folded, compiled once.

A condition can name facts, compare whole numbers and join them with and, or, not. It has no
assignment, no loop and no call but of facts, so a rulebook file can compute nothing else.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mjscore.refusal import Refusal, Refused, did_you_mean, refuse

if TYPE_CHECKING:
    from lark import Token

LONGEST = 1000  # characters; a condition is a line to read
DEEPEST = 40  # brackets and nots within each other
NO_LIMIT = 1_000_000_000  # what a limit of none is compared as: more than any that can be set


class Number(NamedTuple):
    """A whole number written out."""

    value: int


class Text(NamedTuple):
    """A word in quotes: the value of an option, the id of an entry, a pattern of tiles."""

    value: str


class Name(NamedTuple):
    """A fact, with its arguments (classes of tiles, or words in quotes) and its place."""

    name: str
    arguments: tuple[str | Text, ...]
    column: int


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
    ``text`` or nothing); *template* is the Python expression that computes it, over ``f`` (the hand)
    and ``s`` (one set); *denial* is how to say, to a player, that it does not hold.
    """

    kind: str
    template: str
    denial: str = ""
    takes: str = ""
    doc: str = ""


class Vocabulary(NamedTuple):
    """The facts and classes of tiles that a condition may name, and the options with their kinds."""

    facts: Mapping[str, Fact]
    classes: Mapping[str, str]
    options: Mapping[str, str] = {}


def parse_condition(text: str) -> Node:
    """The condition written *text*. Raises Refused with the column of what cannot stand there."""
    from lark.exceptions import UnexpectedInput

    from mjscore.notation.parsers import condition_parser

    if len(text) > LONGEST:
        raise refuse(
            "long-condition",
            f"a condition of {len(text)} characters",
            f"split it: {LONGEST} characters are the most",
            1,
            1,
            1,
            text,
        )
    try:
        node = _built(condition_parser().parse(text))
    except UnexpectedInput as unexpected:
        place = unexpected.pos_in_stream
        token = getattr(unexpected, "token", None)
        at_end = getattr(token, "type", "") == "$END" or place is None
        column = len(text) if at_end or place is None else place
        message = (
            "the condition ends too early" if at_end else f"{text[column : column + 12]!r} cannot stand here"
        )
        raise refuse(
            "bad-condition",
            message,
            "a condition is like: won and pungs(dragon) == 3 and not drawn",
            1,
            column + 1,
            1,
            text,
        ) from None
    if _depth(node) > DEEPEST:
        raise refuse(
            "deep-condition",
            f"conditions nested more than {DEEPEST} deep",
            "say it with fewer brackets, or as two entries",
            1,
            1,
            1,
            text,
        )
    return node


def _depth(node: Node) -> int:
    parts: tuple[Node, ...] = ()
    if isinstance(node, Not):
        parts = (node.part,)
    elif isinstance(node, Compare):
        parts = (node.left, node.right)
    elif isinstance(node, Sum):
        parts = tuple(term for _, term in node.terms)
    elif isinstance(node, Joined):
        parts = node.parts
    return 1 + max(map(_depth, parts), default=0)


def most(node: Node, options: Mapping[str, int]) -> int:
    """The most that a number can come to: counts of a hand's tiles are 18 at most, options as given."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Sum):
        return sum(most(term, options) for sign, term in node.terms if sign == "+")
    if isinstance(node, Name) and node.name == "option":
        argument = node.arguments[0]
        return options.get(argument.value if isinstance(argument, Text) else argument, 0)
    return 18


def _built(tree: Any) -> Node:
    data = tree.data
    children = tree.children
    if data == "number":
        return Number(int(children[0]))
    if data == "text":
        return Text(children[0][1:-1])
    if data == "fact":
        name: Token = children[0]
        arguments = tuple(
            Text(str(argument)[1:-1]) if argument.type == "TEXT" else str(argument)
            for argument in children[1:]
        )
        return Name(str(name), arguments, (name.start_pos or 0) + 1)
    if data == "comparison":
        return Compare(str(children[1]), _built(children[0]), _built(children[2]))
    if data == "sum":
        terms: list[tuple[str, Node]] = [("+", _built(children[0]))]
        for sign, term in zip(children[1::2], children[2::2], strict=True):
            terms.append((str(sign), _built(term)))
        return Sum(tuple(terms))
    if data == "negation":
        part = _built(children[0])
        return part.part if isinstance(part, Not) else Not(part)
    return Joined("or" if data == "either" else "and", tuple(_built(child) for child in children))


def check_condition(node: Node, vocabulary: Vocabulary, wanted: str = "boolean") -> None:
    """Refuses names that are no facts, arguments that are no classes, and sides that do not compare."""
    found = _kind(node, vocabulary)
    if found != wanted:
        column = node.column if isinstance(node, Name) else 1
        raise refuse(
            "wrong-type",
            f"{_spoken(found)} where {_spoken(wanted)} is needed",
            "compare it: pungs(dragon) >= 1" if wanted == "boolean" else "name a fact that counts",
            1,
            column,
        )


def _spoken(kind: str) -> str:
    return {
        "boolean": "a yes or no",
        "number": "a number",
        "text": "a word",
        "limit": "a limit, which may be none,",
        "group": "a group of options",
    }[kind]


def _kind(node: Node, vocabulary: Vocabulary) -> str:
    if isinstance(node, Number):
        return "number"
    if isinstance(node, Text):
        return "text"
    if isinstance(node, Name):
        return _kind_of_name(node, vocabulary)
    if isinstance(node, Compare):
        # a limit may be none, so it can be compared with a number but not counted with
        left, right = (
            kind if kind != "limit" else "number"
            for kind in (_kind(node.left, vocabulary), _kind(node.right, vocabulary))
        )
        if (
            left in ("boolean", "group")
            or left != right
            or (left == "text" and node.sign not in ("==", "!="))
        ):
            column = next((side.column for side in (node.left, node.right) if isinstance(side, Name)), 1)
            raise refuse(
                "wrong-type",
                f"{_spoken(left)} and {_spoken(right)} cannot be compared by {node.sign}",
                "compare two numbers, or an option with a word in quotes",
                1,
                column,
            )
        return "boolean"
    if isinstance(node, Sum):
        for _, term in node.terms:
            check_condition(term, vocabulary, "number")
        return "number"
    if isinstance(node, Joined):
        for part in node.parts:
            check_condition(part, vocabulary)
        return "boolean"
    if isinstance(node, Not):
        check_condition(node.part, vocabulary)
        return "boolean"
    value = node.value
    return "boolean" if isinstance(value, bool) else "number" if isinstance(value, int) else "text"


def _kind_of_name(node: Name, vocabulary: Vocabulary) -> str:
    fact = vocabulary.facts.get(node.name)
    if fact is None:
        raise Refused(_unknown(node.name, vocabulary.facts, "fact", node.column))
    if not fact.takes and node.arguments:
        raise refuse(
            "wrong-arguments",
            f"{node.name} takes nothing in brackets",
            f"type {node.name}",
            1,
            node.column,
            len(node.name),
        )
    if fact.takes in ("text", "texts") and (
        not node.arguments
        or not all(isinstance(argument, Text) for argument in node.arguments)
        or (fact.takes == "text" and len(node.arguments) != 1)
    ):
        raise refuse(
            "wrong-arguments",
            f"{node.name} takes a word in quotes",
            f'type {node.name}("…")',
            1,
            node.column,
            len(node.name),
        )
    if fact.takes == "class":
        for argument in node.arguments:
            if isinstance(argument, Text) or argument not in vocabulary.classes:
                wrong = argument.value if isinstance(argument, Text) else argument
                raise Refused(_unknown(wrong, vocabulary.classes, "class of tiles", node.column))
    if node.name == "option":
        option = node.arguments[0].value if isinstance(node.arguments[0], Text) else ""
        if option not in vocabulary.options:
            unknown = _unknown(option, vocabulary.options, "option", node.column)
            raise Refused(unknown._replace(code="unknown-option", length=len(node.name)))
        return vocabulary.options[option]
    return fact.kind


def _unknown(name: str, known: Mapping[str, object], what: str, column: int) -> Refusal:
    return Refusal(
        "unknown-name",
        f"there is no {what} {name!r}",
        did_you_mean(name, known),
        1,
        column,
        len(name),
    )


def fold(node: Node, known: Callable[[Name], bool | int | str | None]) -> Node:
    """*node* with everything that *known* can tell beforehand worked out."""
    if isinstance(node, (Number, Text)):
        return Constant(node.value)
    if isinstance(node, Name):
        value = known(node)
        return node if value is None else Constant(value)
    if isinstance(node, Not):
        part = fold(node.part, known)
        return Constant(not part.value) if isinstance(part, Constant) else Not(part)
    if isinstance(node, Compare):
        left, right = fold(node.left, known), fold(node.right, known)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(_compared(node.sign, left.value, right.value))
        return Compare(node.sign, left, right)
    if isinstance(node, Sum):
        terms = tuple((sign, fold(term, known)) for sign, term in node.terms)
        if all(isinstance(term, Constant) for _, term in terms):
            return Constant(
                sum(
                    int(term.value) * (1 if sign == "+" else -1)
                    for sign, term in terms
                    if isinstance(term, Constant)
                )
            )
        return Sum(terms)
    if isinstance(node, Joined):
        decisive = node.word == "or"
        parts: list[Node] = []
        for part in node.parts:
            folded = fold(part, known)
            if not isinstance(folded, Constant):
                parts.append(folded)
            elif bool(folded.value) is decisive:
                return Constant(decisive)
        if not parts:
            return Constant(not decisive)
        return parts[0] if len(parts) == 1 else Joined(node.word, tuple(parts))
    return node


def _compared(sign: str, left: Any, right: Any) -> bool:
    if sign == "==":
        return bool(left == right)
    if sign == "!=":
        return bool(left != right)
    if sign == ">=":
        return bool(left >= right)
    if sign == "<=":
        return bool(left <= right)
    return bool(left > right) if sign == ">" else bool(left < right)


def expression(node: Node, vocabulary: Vocabulary) -> str:
    """The Python expression that computes a checked condition.

    It is put together from the templates of the vocabulary, numbers and quoted words only.
    """
    if isinstance(node, (Number, Text, Constant)):
        return repr(node.value)
    if isinstance(node, Name):
        fact = vocabulary.facts[node.name]
        if fact.takes == "class":
            masks = [vocabulary.classes[str(argument)] for argument in node.arguments]
            return fact.template.format("(" + " & ".join(masks) + ")" if masks else vocabulary.classes["any"])
        words = [argument.value for argument in node.arguments if isinstance(argument, Text)]
        return fact.template.format(repr(words[0]) if fact.takes == "text" else repr(frozenset(words)))
    if isinstance(node, Compare):
        return f"({expression(node.left, vocabulary)} {node.sign} {expression(node.right, vocabulary)})"
    if isinstance(node, Sum):
        return "(" + " ".join(f"{sign} {expression(term, vocabulary)}" for sign, term in node.terms) + ")"
    if isinstance(node, Not):
        return f"(not {expression(node.part, vocabulary)})"
    return "(" + f" {node.word} ".join(expression(part, vocabulary) for part in node.parts) + ")"


def names_in(node: Node) -> list[Name]:
    """Every fact that a condition names."""
    if isinstance(node, Name):
        return [node]
    if isinstance(node, Not):
        return names_in(node.part)
    if isinstance(node, Compare):
        return names_in(node.left) + names_in(node.right)
    if isinstance(node, Sum):
        return [name for _, term in node.terms for name in names_in(term)]
    if isinstance(node, Joined):
        return [name for part in node.parts for name in names_in(part)]
    return []
