"""Rulebook files as JSON Schema, for editors that check and complete TOML."""

from __future__ import annotations

from typing import Any

from mjscore.rulebook.keys import HEAD, SECTIONS, Key, keys_of, needed
from mjscore.rulebook.schema import UNSET


def json_schema() -> dict[str, Any]:
    """Make the schema of a rulebook file: its head, and the entries of each section with their keys."""
    loose = {key for section in SECTIONS for key in keys_of(section) if key not in needed(section)}
    unset = {"type": "array", "items": {"enum": sorted(loose - {"id", "title", "source", "replaces"})}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A rulebook of mjscore",
        "type": "object",
        "required": ["id", "title"],
        "additionalProperties": False,
        "properties": {
            **{name: _value(key) for name, key in HEAD.items()},
            "change": {
                **_value(HEAD["change"]),
                "additionalProperties": {
                    "type": "object",
                    "properties": {UNSET: {**unset, "description": "keys that the entry is to be without"}},
                },
            },
            **{section: {"type": "array", "items": _entry(section)} for section in SECTIONS},
        },
    }


def _entry(section: str) -> dict[str, Any]:
    gives, whose = SECTIONS[section]
    return {
        "type": "object",
        "description": f"{gives}; {whose}",
        "required": ["id", "title", *needed(section)],
        "additionalProperties": False,
        "properties": {name: _value(key) for name, key in keys_of(section).items()},
    }


def _value(key: Key) -> dict[str, Any]:
    return {**key.values.schema, "description": key.meaning}
