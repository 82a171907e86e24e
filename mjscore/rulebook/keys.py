"""The keys of a rulebook's entries, each said once: where it stands, what its value can be, and what it means.

The loader checks by this table, ``mjscore rules schema`` makes a JSON Schema of it, ``mjscore rules facts`` prints it, and
what a rule has of these keys is a field of ``Rule`` or ``SettlingRule`` of the same name.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from mjscore.rulebook.rule import part_of_limit
from mjscore.rulebook.settling import PAID, SETTLING_KINDS

MOST_POINTS = 1_000_000


class Section(NamedTuple):
    """What the entries of a section give, and to whom."""

    gives: str
    whose: str


class Values(NamedTuple):
    """What a key's value can be: whether one will do, what to say and what to type where it does not, and the same for editors."""

    will_do: Callable[[Any], bool]
    says: str
    example: str
    schema: Mapping[str, Any]
    code: str = "wrong-type"


class Key(NamedTuple):
    """A key of the entries of some sections, those named with ``!`` where no entry can be without it."""

    name: str
    sections: str
    values: Values
    meaning: str


SECTIONS = {
    "option": Section("something that a table can set", "the table"),
    "set": Section("points for a set or a pair", "every hand, unless it says won"),
    "bonus": Section("points, times a number where it says so", "every hand, unless it says won"),
    "double": Section("doubles, times a number where it says so", "every hand, unless it says won"),
    "after": Section("points after doubling, or a part of the limit", "every hand, unless it says won"),
    "limit": Section("a part of the limit, where that is more than counting", "every hand, unless it says won"),
    "shape": Section("a hand that wins by its tiles, and what it scores", "the winner"),
    "win": Section("a condition without which no hand wins", "the winner"),
    "flag": Section('a word that a hand may have, asked for by flag("…")', "the notation"),
    "settle": Section("a way of settling, by the name of its rule", "the table"),
    "liability": Section("who discards to this hand pays for all", "the winner's hand"),
    "excuse": Section("unless the discarder's own hand is this", "the discarder's hand"),
}  # fmt: skip


def is_number(value: object, least: int, most: int) -> bool:
    """Tell whether a value is a whole number within bounds, and no yes or no."""
    return type(value) is int and least <= value <= most


def is_list_of(kind: type | tuple[type, ...], value: object) -> bool:
    """Tell whether a value is a list of nothing but *kind*."""
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def _number(least: int, most: int) -> Values:
    says = f"is a whole number from {least} to {most}"
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Values(lambda value: is_number(value, least, most), says, "{} = 2", schema)


def _list_of(what: str, example: str) -> Values:
    schema = {"type": "array", "items": {"type": "string"}}
    return Values(lambda value: is_list_of(str, value), f"is a list of {what}", example, schema)


def _one_of(names: Sequence[str], code: str = "wrong-type") -> Values:
    says = f"is {' or '.join(names)}" if len(names) < 6 else "is none that there is"
    return Values(names.__contains__, says, f'{{}} = "{names[0]}"', {"enum": list(names)}, code)


_TEXT = Values(lambda value: isinstance(value, str), "is a text", '{} = "…"', {"type": "string"})
_FLAG = Values(lambda value: isinstance(value, bool), "is true or false", "{} = true", {"type": "boolean"})
_TABLE = Values(lambda value: isinstance(value, dict), "is a table", "[{}]", {"type": "object"})
_ANY = Values(lambda _: True, "", "", {})
_POINTS = _number(0, MOST_POINTS)
_POINTS_OR_TABLE = _POINTS._replace(
    will_do=lambda value: isinstance(value, Mapping) or _POINTS.will_do(value),
    schema={"anyOf": [_POINTS.schema, {"type": "object"}]},
)
_PART = Values(
    lambda value: part_of_limit(value) is not None,
    "is a part of the limit",
    '{} = "1" or "1/2"',
    {"type": "string", "pattern": "^[0-9]{1,2}(/[1-9][0-9]?)?$"},
)

# of a table [change.id]: the keys that the entry is to be without
UNSET = "unset"
_HEAD = (
    Key("id", "", _TEXT, "what the rulebook is called"),
    Key("title", "", _TEXT, "what it is called on its card"),
    Key("book", "", _TEXT, "the paper that it follows"),
    Key("extends", "", _TEXT, "the rulebook it starts from, or a file beside this one"),
    Key("drop", "", _list_of("ids", '{} = ["no-runs"]'), "entries that it does without, by their ids"),
    Key("options", "", _TABLE, "options set otherwise"),
    Key("change", "", _TABLE, "what entries become, by their ids"),
)
HEAD = {key.name: key for key in _HEAD}
COMMON = (
    Key("id", "", _TEXT, "what the entry is called by other entries"),
    Key("title", "", _TEXT, "what it is called on a score sheet"),
    Key("source", "", _TEXT, "book and page; the file's title where it is left out"),
    Key("when", "set! limit! win!", _TEXT, "the condition under which it holds"),
    Key("replaces", "", _TEXT, "the entry in whose place it is put"),
)
KEYS = (
    Key("points", "set! bonus! after limit shape settle", _POINTS_OR_TABLE,
        'how much; { option = "mah-jongg" } takes them from an option'),
    Key("doubles", "double! limit", _number(0, 64), "how often it doubles; of a limit hand: its points with these doubles alone"),
    Key("times", "bonus double", _TEXT, 'a number to multiply with: "pungs(dragon)"'),
    Key("instead_of", "set bonus double", _list_of("ids", '{} = ["own-wind"]'),
        "takes the place of these entries where both hold"),
    Key("other_score", "bonus double", _FLAG,
        'whether it forfeits "no other score": sets and bonuses do, doubles do not, unless this says otherwise'),
    Key("tiles", "shape!", _TEXT, "the tiles of a special hand, see shapes"),
    Key("of_limit", "after limit shape settle", _PART,
        '"1", "1/2" or another part of the limit, and of a special or limit hand also "2", the double limit, which nothing caps'),
    Key("even", "after limit shape", _FLAG, "the part is rounded down to an even number"),
    Key("special", "limit", _FLAG, "special hands may claim it too"),
    Key("counts", "shape", _FLAG, "it is counted like other hands where that is more"),
    Key("instead", "limit", _FLAG, "it is not counted, even where that is more"),
    Key("doubled", "limit", _FLAG, "false: what is paid for it is not doubled, for East or for a discard"),
    Key("bonus_tiles", "bonus double limit shape", _FLAG,
        "of a bonus or a double: it is given for bonus tiles; of a special or limit hand: what is given for bonus tiles "
        "is added to it, doubled by these doubles alone, up to the limit"),
    Key("follows", "flag", _list_of("words", '{} = ["drawn", "claimed"]'),
        'what a flag goes with: "drawn" and "claimed" unless it says otherwise, and "lost"'),
    Key("rule", "settle!", _one_of(tuple(SETTLING_KINDS), "unknown-rule"), "which settling rule"),
    Key("rule", "liability", _one_of(("all-from",), "unknown-rule"), "who fed all four sets, in place of a condition"),
    Key("rule", "excuse", _one_of(("no-choice",), "unknown-rule"), "there was no other tile, in place of a condition"),
    Key("factor", "settle", _number(1, 100), "what is multiplied with"),
    Key("who", "settle", _one_of(("winner", "all")), "whose score is limited"),
    Key("seats", "settle", _TEXT, "the winds at which the players sit, East first"),
    Key("to", "settle", _number(1, 1000), "what payments are rounded to"),
    Key("no_pair", "settle", _FLAG, "only without a pair"),
    Key("east_passes", "settle", _FLAG, "East passes"),
    Key("points_of", "settle", _TEXT, "the entry whose points are paid"),
    Key("paid", "settle", _one_of(PAID),
        'who is paid a penalty: "each" of the others, "shared" among them (rounded down), "named" the second player named'),
    Key("east_doubled", "settle", _FLAG, "false: without East's double"),
    Key("rank", "liability excuse", _number(0, 9), "an excuse holds against liabilities of its rank and lower ones"),
    Key("shown", "liability", _TEXT, "what lay on the table before the tile, and which tile; when is what the hand turned out to be"),
    Key("earlier", "liability", _one_of(("alone", "shared")),
        'a tile fed for a set some turns ago counts too: "alone", or "shared" with who is liable for the winning tile'),
    Key("kind", "option!", _one_of(("flag", "number", "choice", "limit", "group")), "what can be chosen"),
    Key("default", "option", _ANY, "what it is where nobody sets it"),
    Key("choices", "option", _ANY, "of a number or a choice: what can be set"),
    Key("turns_on", "option", _ANY, "of a group: the options that it turns on"),
    Key("default_when", "option", _ANY, "what the default is where another option is so"),
    Key("needs", "option", _TEXT, "an option without which this one cannot be on"),
    Key("not_with", "option", _TEXT, "an option beside which this one cannot be on"),
)  # fmt: skip


@cache
def keys_of(section: str) -> dict[str, Key]:
    """Give the keys that an entry of the section can have, those that all have first."""
    own = (key for key in KEYS if section in key.sections.replace("!", "").split())
    return {key.name: key for key in (*COMMON, *own)}


@cache
def needed(section: str) -> tuple[str, ...]:
    """Give the keys that each entry of the section has beside id and title."""
    return tuple(key.name for key in keys_of(section).values() if f"{section}!" in key.sections.split())


def json_schema() -> dict[str, Any]:
    """Make the JSON Schema of a rulebook file, for editors: its head, and the entries of each section with their keys."""
    loose = {key for section in SECTIONS for key in keys_of(section) if key not in needed(section)}
    unset = {"type": "array", "items": {"enum": sorted(loose - {"id", "title", "source", "replaces"})}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A rulebook of mjscore",
        "type": "object",
        "required": ["id", "title"],
        "additionalProperties": False,
        "properties": {
            **_described(HEAD),
            "change": {
                **_described(HEAD)["change"],
                "additionalProperties": {
                    "type": "object",
                    "properties": {UNSET: {**unset, "description": "keys that the entry is to be without"}},
                },
            },
            **{
                name: {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "description": f"{section.gives}; {section.whose}",
                        "required": ["id", "title", *needed(name)],
                        "additionalProperties": False,
                        "properties": _described(keys_of(name)),
                    },
                }
                for name, section in SECTIONS.items()
            },
        },
    }


def _described(keys: Mapping[str, Key]) -> dict[str, dict[str, Any]]:
    return {name: {**key.values.schema, "description": key.meaning} for name, key in keys.items()}
