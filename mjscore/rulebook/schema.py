"""A rulebook file's head and its entries, each checked by itself: keys, values, options, shapes.

Each check raises what is wrong, the worst first; what follows relies on what comes before.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER
from mjscore.refusal import Refused, did_you_mean, refuse, whole
from mjscore.rulebook.entries import FLAG_FOLLOWS, Entry, option_value
from mjscore.rulebook.keys import (
    COMMON,
    HEAD,
    SECTIONS,
    SETTLING_KINDS,
    are_points,
    is_list_of,
    keys_of,
    needed,
    will_do,
)
from mjscore.rulebook.rule import part_of_limit
from mjscore.rulebook.shapes import can_be_made, compile_shape
from mjscore.rulebook.toml_places import Document

_ALL_HAVE = tuple(key.name for key in COMMON)
_FOLLOWED = ("drawn", "claimed", "lost")


def check_head(document: Document) -> None:
    """Check the keys at a rulebook's head. Raises Refused."""
    head, sections = document.at(), [f"[[{section}]]" for section in SECTIONS]
    for key, value in document.data.items():
        if key in HEAD:
            if not will_do(value, HEAD[key].schema):
                raise head.refused(key, "wrong-type", "head", says=HEAD[key].says, example=HEAD[key].example)
        elif key in SECTIONS:
            if not is_list_of(dict, value):
                raise head.refused(key, "wrong-type", "section")
        elif isinstance(value, (list, dict)):
            near = did_you_mean(f"[[{key}]]", sections, f"the sections are {', '.join(sections)}")
            raise head.refused(key, "unknown-key", "section", near=near)
        else:
            raise head.refused(key, "unknown-key", "head", near=did_you_mean(key, (*HEAD, *SECTIONS)))
    for key in ("id", "title"):
        if key not in document.data:
            raise head.refused(key, "missing-key", "head")


def checked_entry(document: Document, section: str, index: int, data: Mapping[str, Any]) -> Entry:
    """Give the *index*-th entry of a section. Raises Refused for one that is not whole or has a wrong value."""
    entry = Entry(section, with_source(document, data), document.at(section, index))
    known = keys_of(section)
    if not isinstance(data.get("id"), str) or not data["id"]:
        raise entry.place.refused("id", "missing-key", "id", section=section)
    if "title" not in data:
        raise entry.refused("id", "missing-key", "title")
    for key in data:
        if key not in known:
            raise entry.refused(key, "unknown-key", "entry", near=did_you_mean(key, known))
    for key in needed(section):
        if key not in data:
            raise entry.refused("id", "missing-key", "entry", lacks=key)
    check_values(entry)
    return entry


def with_source(document: Document, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give an entry's data; what names no source is the file's own, by its title."""
    return data if "source" in data else {**data, "source": str(document.data["title"])}


def check_values(entry: Entry) -> None:
    """Check the values of an entry's keys. Raises Refused."""
    data = entry.data
    for key in ("title", "source"):
        if not isinstance(data[key], str) or not data[key].strip():
            raise entry.refused(key, "missing-key" if key == "title" else "missing-source", "empty")
    for key, described in keys_of(entry.section).items():
        value = data.get(key)
        if key not in data or will_do(value, described.schema):
            continue
        if key == "rule":
            near = did_you_mean(str(value), described.schema["enum"])
            raise entry.refused(key, "unknown-rule", "entry", says=described.says, near=near)
        if key == "points" and type(value) is int and value < 0:
            raise entry.refused(key, "wrong-type", "cost", says=described.says)
        example = _part_nearly(value) if key == "of_limit" else ""
        raise entry.refused(
            key, "wrong-type", "value", says=described.says, example=example or described.example
        )
    points = data.get("points")
    if isinstance(points, Mapping) and not _are_points(points, data.get("rule") == "wash"):
        raise entry.refused("points", "wrong-type", "points")
    if entry.section in _CHECKS:
        _CHECKS[entry.section](entry)


def _part_nearly(value: object) -> str:
    """Tell what to type for a part of the limit that is nearly one: a decimal figure."""
    if re.fullmatch(r"\d{0,3}(\.\d{1,9})?(/\d{1,9})?", str(value), re.ASCII):
        from fractions import Fraction

        with contextlib.suppress(ValueError, ZeroDivisionError):
            part = Fraction(str(value)).limit_denominator(99)
            return f'of_limit = "{part}"' if 0 < part < 100 else ""
    return ""


def _are_points(points: Mapping[str, Any], of_a_wash: bool) -> bool:
    """Tell whether points that stand in a table are an option's, or those for washing by a number of tiles."""
    if not of_a_wash:
        return set(points) == {"option"} and isinstance(points["option"], str)
    return bool(points) and all(
        key.isascii() and key.isdigit() and len(key) < 3 and are_points(value)
        for key, value in points.items()
    )


def _check_worth(entry: Entry) -> None:
    """Check a worth: there is one, and what is added to a score is no more than the whole limit."""
    data = entry.data
    known = [key for key in ("of_limit", "points", "doubles") if key in keys_of(entry.section)]
    worths = [key for key in known if key in data]
    if not worths:
        raise entry.refused("id", "one-worth", "none", known=", ".join(known))
    if len(worths) > 1:
        raise entry.refused(
            worths[1], "one-worth", "several", worths=" and ".join(worths), known=", ".join(known)
        )
    if data.get("doubles") == 0:
        raise entry.refused("doubles", "wrong-type", "no-doubles")
    above, below = part_of_limit(data.get("of_limit", "1")) or (0, 1)
    if above > below and entry.section == "after":
        raise entry.refused("of_limit", "wrong-type", "more-than-limit")


def _check_shape(entry: Entry) -> None:
    _check_worth(entry)
    tiles = entry.data["tiles"]
    try:
        if not any(map(can_be_made, compile_shape(tiles))):
            raise refuse("impossible-shape", "tiles", at=whole(tiles))
    except Refused as refused:
        raise entry.place.moved("tiles", refused, entry.id) from None


def _check_word(entry: Entry) -> None:
    """Check that the id of an option or a penalty can stand in a line of a file and in an argument."""
    if not re.fullmatch(r"[\w.-]+", entry.id):
        fit = re.sub(r"[^\w.-]+", "-", entry.id).strip("-").lower() or "house-rule"
        raise entry.refused("id", "wrong-type", "word", typed=entry.id[:40], fit=fit)


def _check_settling(entry: Entry) -> None:
    data, kind = entry.data, entry.data["rule"]
    _, needs, takes = SETTLING_KINDS[kind]
    reads = ("rule", *needs, *takes)
    for key in keys_of("settle"):
        if key in data and key not in _ALL_HAVE and key not in reads:
            raise entry.refused(key, "unknown-key", "settling", sort=kind, near=did_you_mean(key, reads))
    if kind == "penalty":
        _check_word(entry)
    for key, example in needs.items():
        if key not in data:
            raise entry.refused("id", "missing-key", "settling", sort=kind, lacks=key, example=example)
    if kind == "wash" and not isinstance(data["points"], Mapping):
        raise entry.refused("points", "wrong-type", "wash", example=needs["points"])
    if "paid" in takes and "points" not in data and "of_limit" not in data:
        raise entry.refused("id", "missing-key", "cost")
    if kind != "penalty" and data.get("paid") == "named":
        raise entry.refused("paid", "wrong-type", "paid")
    seats = data.get("seats", "ESWN")
    if not re.fullmatch("ES?W?N?", seats) or len(seats) < 2:
        raise entry.refused("seats", "wrong-type", "seats")


def _check_flag(entry: Entry) -> None:
    name, follows = entry.id, entry.data.get("follows", FLAG_FOLLOWS)
    if not re.fullmatch("[a-z]+", name) or name in FLAG_CLAUSES or name in FLAGS_OF_A_LOSER:
        raise entry.refused("id", "bad-flag", "entry")
    if not follows or not set(follows) <= set(_FOLLOWED):
        raise entry.refused("follows", "wrong-type", "follows", known=", ".join(_FOLLOWED))


def _check_who_pays(entry: Entry) -> None:
    """Refuse a liability or an excuse without a condition and without the one rule of its section."""
    if "rule" not in entry.data and "when" not in entry.data:
        raise entry.refused("id", "missing-key", "condition")


# of each kind of option the keys that it does not have
_USELESS = {
    "group": ("default", "choices", "default_when"),
    "choice": ("turns_on",),
    "number": ("turns_on",),
    "flag": ("turns_on", "choices"),
    "limit": ("turns_on", "choices"),
}


def _check_option(entry: Entry) -> None:
    name, data = entry.id, entry.data
    kind, choices, cases = data["kind"], data.get("choices"), data.get("default_when", [])
    _check_word(entry)
    for key in (*_USELESS[kind], "when"):
        if key in data:
            raise entry.refused(key, "unknown-key", "option", sort=kind)
    if kind == "group":
        if not is_list_of(str, data.get("turns_on")):
            raise entry.refused("id", "missing-key", "turns-on")
        return
    if kind in ("choice", "number"):
        if not isinstance(choices, list) or not choices:
            raise entry.refused("choices" if choices is not None else "id", "missing-key", "choices")
        if not all(type(one) is int or (isinstance(one, str) and one.strip()) for one in choices):
            raise entry.refused("choices", "wrong-type", "choices", what="words or numbers")
        if kind == "number" and not all(map(are_points, choices)):
            raise entry.refused("choices", "wrong-type", "choices", what="numbers")
    wanted = {"limit": "limit", "players": "number"}.get(name, kind)
    if kind != wanted:
        raise entry.refused("kind", "wrong-type", "kind", wanted=wanted)
    if name == "players" and not set(data["choices"]) <= {2, 3, 4, 5}:
        raise entry.refused("choices", "wrong-type", "players")
    if not is_list_of(Mapping, cases) or not all(
        set(case) == {"option", "is", "default"} and isinstance(case["option"], str) for case in cases
    ):
        raise entry.refused("default_when", "wrong-type", "default-when")
    if "default" not in data:
        raise entry.refused("id", "missing-key", "default")
    for default in (data["default"], *(case["default"] for case in cases)):
        try:
            option_value(entry, default)
        except Refused as refused:
            raise entry.place.moved("default", refused) from None


_CHECKS: dict[str, Callable[[Entry], None]] = {
    "option": _check_option,
    "after": _check_worth,
    "limit": _check_worth,
    "shape": _check_shape,
    "flag": _check_flag,
    "settle": _check_settling,
    "liability": _check_who_pays,
    "excuse": _check_who_pays,
}
