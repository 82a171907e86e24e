"""What a rulebook file may contain: sections, their keys, the settling rules, all from ``keys.toml``.

The loader checks against these, ``mjscore rules schema`` makes a JSON Schema of them, ``mjscore rules facts`` prints
them. Keys that scoring needs become fields of ``Rule`` or ``SettlingRule``, mostly of the same name; ``rulebook``
lists the exceptions.
"""

import pkgutil
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

MOST_POINTS = 1_000_000


class Section(NamedTuple):
    """What the entries of a section score, and for whom."""

    gives: str
    whose: str


class Key(NamedTuple):
    """A key of the entries of some sections; *sections* marks with ``!`` those where it is compulsory.

    *schema* is the JSON Schema of its value; *says* and *example* are for the message about any other value.
    """

    name: str
    sections: str
    schema: Mapping[str, Any]
    says: str
    example: str
    meaning: str


class SettlingKind(NamedTuple):
    """What a kind of settling rule does, the keys it requires, each with an example, and those it allows."""

    meaning: str
    needs: Mapping[str, str]
    takes: tuple[str, ...]


_DATA = tomllib.loads((pkgutil.get_data("mjscore.rulebook", "keys.toml") or b"").decode())
SECTIONS = {name: Section(**row) for name, row in _DATA["sections"].items()}
SETTLING_KINDS = {
    name: SettlingKind(
        row["means"],
        {key.partition(" ")[0]: key for key in row.get("needs", ())},
        tuple(row.get("takes", ())),
    )
    for name, row in _DATA["settling"].items()
}
# in a table [change.id]: the keys to remove from the entry
UNSET = "unset"
_POINTS = _DATA["values"]["points"]["schema"]["anyOf"][0]


def will_do(value: object, schema: Mapping[str, Any]) -> bool:
    """Return whether a value fits the schema of a key."""
    match schema:
        case {"enum": names}:
            return value in names
        case {"anyOf": schemas}:
            return any(will_do(value, member) for member in schemas)
        case {"minimum": least, "maximum": most}:
            return type(value) is int and least <= value <= most  # a bool is an int too
        case {"items": items}:
            return isinstance(value, list) and all(will_do(member, items) for member in value)
        case {"pattern": pattern}:
            return isinstance(value, str) and re.fullmatch(pattern, value) is not None
        case {"type": kind}:
            return isinstance(value, {"string": str, "boolean": bool, "object": Mapping}[kind])
    return True


def are_points(value: object) -> bool:
    """Return whether a value is a number of points."""
    return will_do(value, _POINTS)


def is_list_of(kind: type, value: object) -> bool:
    """Return whether a value is a list containing only *kind*."""
    return isinstance(value, list) and all(isinstance(member, kind) for member in value)


def _key(name: str, value: str | Sequence[str], means: str, of: str = "", example: str = "") -> Key:
    """Return the key of a row in which *value* is a named type, a range of numbers, or a list of words."""
    if value == "settling rule":
        value = list(SETTLING_KINDS)
    if not isinstance(value, str):
        says = f"must be {' or '.join(value)}" if len(value) < 6 else "must be a known one"
        return Key(name, of, {"enum": value}, says, f'{name} = "{value[0]}"', means)
    if number := re.fullmatch("([0-9]+) to ([0-9]+)", value):
        schema = {"type": "integer", "minimum": int(number[1]), "maximum": int(number[2])}
        return Key(
            name, of, schema, f"must be a whole number from {value}", f"{name} = …, a whole number", means
        )
    schema, says, plain = _DATA["values"][value].values()
    return Key(name, of, schema, says, f"{name} = {example or plain}" if plain else f"[{name}]", means)


_HEAD, COMMON, KEYS = (tuple(_key(**row) for row in rows) for rows in _DATA["keys"].values())
HEAD = {key.name: key for key in _HEAD}


@cache
def keys_of(section: str) -> dict[str, Key]:
    """Return the keys that an entry of the section may have, beginning with those common to all entries."""
    own = (key for key in KEYS if section in key.sections.replace("!", "").split())
    return {key.name: key for key in (*COMMON, *own)}


@cache
def needed(section: str) -> tuple[str, ...]:
    """Return the keys that each entry of the section must have, apart from id and title."""
    return tuple(key.name for key in keys_of(section).values() if f"{section}!" in key.sections.split())


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a rulebook file, for editors."""
    loose = {key for section in SECTIONS for key in keys_of(section) if key not in needed(section)}
    unset = {"type": "array", "items": {"enum": sorted(loose - {"id", "title", "source", "replaces"})}}
    unset["description"] = "keys to remove from the entry"
    head = _described(HEAD)
    head["change"]["additionalProperties"] = {"type": "object", "properties": {UNSET: unset}}
    sections = {
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
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "An mjscore rulebook",
        "type": "object",
        "required": ["id", "title"],
        "additionalProperties": False,
        "properties": {**head, **sections},
    }


def _described(keys: Mapping[str, Key]) -> dict[str, dict[str, Any]]:
    return {name: {**key.schema, "description": key.meaning} for name, key in keys.items()}
