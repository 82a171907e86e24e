"""Rulebook files as JSON Schema, for editors that check and complete TOML."""

from __future__ import annotations

from typing import Any

from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.schema import (
    COMMON,
    FLAGS,
    KEYS,
    LISTS,
    MOST_POINTS,
    NEEDED,
    NUMBERS,
    OPTION_KINDS,
    SECTIONS,
    UNSET,
)
from mjscore.rulebook.settling import PAID, SETTLING_KINDS

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_POINTS: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": MOST_POINTS}


def json_schema() -> dict[str, Any]:
    """The schema of a rulebook file: its head, and the entries of each section with their keys."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A rulebook of mjscore",
        "type": "object",
        "required": ["id", "title"],
        "additionalProperties": False,
        "properties": {
            "id": _TEXT,
            "title": _TEXT,
            "book": _TEXT,
            "extends": {
                "type": "string",
                "description": f"{', '.join(RULEBOOKS)}, or a file beside this one",
            },
            "drop": {**_TEXTS, "description": "ids of entries that it does without"},
            "options": {"type": "object", "description": "options set otherwise"},
            "change": {
                "type": "object",
                "description": "what entries become, by their ids",
                "additionalProperties": {"type": "object", "properties": {UNSET: _unset()}},
            },
            **{section: {"type": "array", "items": _entry(section)} for section in KEYS},
        },
    }


def _unset() -> dict[str, Any]:
    """The keys that some entry can do without."""
    keys = {
        key for section, own in KEYS.items() for key in ("when", *own) if key not in NEEDED.get(section, ())
    }
    description = "keys that the entry is to be without"
    return {"type": "array", "items": {"enum": sorted(keys)}, "description": description}


def _entry(section: str) -> dict[str, Any]:
    gives, whose = SECTIONS[section]
    return {
        "type": "object",
        "description": f"{gives}; {whose}",
        "required": ["id", "title", *NEEDED.get(section, ())],
        "additionalProperties": False,
        "properties": {key: _value(section, key) for key in (*COMMON, *KEYS[section])},
    }


def _value(section: str, key: str) -> dict[str, Any]:
    if key == "rule":
        rules = {"settle": list(SETTLING_KINDS), "liability": ["all-from"], "excuse": ["no-choice"]}
        return {"enum": rules[section]}
    if key == "kind":
        return {"enum": list(OPTION_KINDS)}
    if key == "paid":
        return {"enum": list(PAID)}
    if key == "points":
        return {"anyOf": [_POINTS, {"type": "object"}]}
    if key in NUMBERS:
        least, most = NUMBERS[key]
        return {"type": "integer", "minimum": least, "maximum": most}
    if key in FLAGS:
        return {"type": "boolean"}
    if key in LISTS:
        return _TEXTS
    if key == "of_limit":
        return {"type": "string", "pattern": "^[0-9]{1,2}(/[1-9][0-9]?)?$"}
    return {} if key in ("default", "choices", "default_when") else _TEXT
