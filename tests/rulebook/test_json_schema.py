"""The schema of rulebook files takes what the loader takes, and nothing that it refuses for its keys."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from tables import table

import mjscore
from mjscore.rulebook.keys import SECTIONS, json_schema

FILES = sorted((Path(mjscore.__file__).parent / "rulebook" / "books").glob("*.toml"))
SAMPLE = Path(__file__).parents[2] / "samples" / "house-rules.toml"


def fits(value: object, schema: dict) -> bool:
    """Whether *value* is what the words of JSON Schema used here allow."""
    kinds = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
    if "anyOf" in schema and not any(fits(value, choice) for choice in schema["anyOf"]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "type" in schema:
        if not isinstance(value, kinds[schema["type"]]):
            return False
        if schema["type"] == "integer" and isinstance(value, bool):
            return False
    if isinstance(value, str) and "pattern" in schema:
        return re.search(schema["pattern"], value) is not None
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, list) and "items" in schema:
        return all(fits(member, schema["items"]) for member in value)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        return set(schema.get("required", ())) <= set(value) and all(
            fits(member, known[key])
            if key in known
            else more is True or (more is not False and fits(member, more))
            for key, member in value.items()
        )
    return True


@pytest.mark.parametrize("path", [*FILES, SAMPLE], ids=lambda path: path.name)
def test_the_books_fit(path):
    assert fits(tomllib.loads(path.read_text(encoding="utf-8")), json_schema())


@table
def test_what_does_not_fit(text):
    assert not fits(tomllib.loads(f'id = "h"\ntitle = "H"\n{text}\n'), json_schema())


def test_keys_are_taken_away():
    assert fits(tomllib.loads('id = "h"\ntitle = "H"\n[change.own-wind]\nunset = ["when"]\n'), json_schema())


def test_every_section_is_there():
    assert set(SECTIONS) < set(json_schema()["properties"])
