"""The entries of a rulebook file, each checked by itself: keys, values, options, shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER
from mjscore.refusal import Refused, did_you_mean, refuse, whole
from mjscore.rulebook.entries import FLAG_FOLLOWS, Entry, option_value
from mjscore.rulebook.facts import CLASS_MASKS
from mjscore.rulebook.keys import (
    COMMON,
    HEAD,
    MOST_POINTS,
    SECTIONS,
    is_list_of,
    is_number,
    keys_of,
    needed,
)
from mjscore.rulebook.rule import part_of_limit
from mjscore.rulebook.settling import PENALTIES, SETTLING_KINDS
from mjscore.rulebook.shapes import can_be_made, compile_shape
from mjscore.rulebook.toml_places import Document

# of a table [change.id]: the keys that the entry is to be without
UNSET = "unset"
_ALL_HAVE = tuple(key.name for key in COMMON)
_FOLLOWED = ("drawn", "claimed", "lost")
_SOURCE = 'write source = "…": the book and page, or the club\'s own paper'


def check_top(document: Document) -> None:
    """Check the keys at a rulebook's head. Raises Refused."""
    head = document.at()
    for key, value in document.data.items():
        if key in HEAD:
            values = HEAD[key].values
            if not values.will_do(value):
                raise head.refused(
                    key, "wrong-type", f"{key} {values.says}", f"type {values.example.format(key)}"
                )
        elif key in SECTIONS:
            if not is_list_of(dict, value):
                message, hint = f"{key} is a list of entries", f"begin each with [[{key}]]"
                raise document.at(key).refused("", "wrong-type", message, hint)
        elif isinstance(value, (list, dict)):
            sections = [f"[[{section}]]" for section in SECTIONS]
            hint = did_you_mean(f"[[{key}]]", sections, f"the sections are {', '.join(sections)}")
            raise document.at(key).refused("", "unknown-key", f"a rulebook has no section {key!r}", hint)
        else:
            hint = did_you_mean(key, (*HEAD, *SECTIONS))
            raise head.refused(key, "unknown-key", f"a rulebook has no {key!r}", hint)
    for key in ("id", "title"):
        if key not in document.data:
            hint = f'write {key} = "…" at its head'
            raise head.refused(key, "missing-key", f"the rulebook has no {key}", hint)


def checked_entry(document: Document, section: str, index: int, data: Mapping[str, Any]) -> Entry:
    """Give the *index*-th entry of a section. Raises Refused for one that is not whole or has a wrong value."""
    place = document.at(section, index)
    name = data.get("id")
    if not isinstance(name, str) or not name:
        raise place.refused("id", "missing-key", f"this [[{section}]] has no id", 'write id = "…"')
    if "title" not in data:
        hint = 'write title = "…", as it stands on a score sheet'
        raise place.refused("id", "missing-key", f"{name} has no title", hint)
    data = with_source(document, data)
    known = keys_of(section)
    for key in data:
        if key not in known:
            message = f"{name}: a [[{section}]] has no {key!r}"
            raise place.refused(key, "unknown-key", message, did_you_mean(key, known))
    for key in needed(section):
        if key not in data:
            raise place.refused("id", "missing-key", f"{name} has no {key}", f"write {key} = …")
    return checked_values(Entry(section, data, place))


def with_source(document: Document, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give an entry's data; what names no source is the file's own, by its title."""
    return data if "source" in data else {**data, "source": str(document.data["title"])}


def checked_values(entry: Entry) -> Entry:
    """Give the entry itself where the values of its keys will do. Raises Refused at the value that will not."""
    name, section, data, place = entry.id, entry.section, entry.data, entry.place
    if not isinstance(data["title"], str) or not data["title"].strip():
        raise place.refused("title", "missing-key", f"{name} has no title", 'write title = "…"')
    if not isinstance(data["source"], str) or not data["source"].strip():
        raise place.refused("source", "missing-source", f"{name} has no source", _SOURCE)
    for key, described in keys_of(section).items():
        values = described.values
        if key in data and not values.will_do(data[key]):
            hint = _instead(key, data[key]) or f"type {values.example.format(key)}"
            if values.code == "unknown-rule":
                hint = did_you_mean(str(data[key]), values.schema["enum"])
            raise place.refused(key, values.code, f"{name}: {key} {values.says}", hint)
    points = data.get("points")
    if isinstance(points, Mapping) and not (
        _by_number(points) if data.get("rule") == "wash" else _by_option(points)
    ):
        hint = 'type points = 10, or points = { option = "mah-jongg" }'
        raise place.refused("points", "wrong-type", f"{name}: points are a number", hint)
    check = _CHECKS.get(section)
    if check is not None:
        check(entry)
    return entry


def _instead(key: str, value: object) -> str:
    """Tell what to type for a value that is nearly right: a decimal part of the limit, points less than none."""
    if key == "of_limit":
        from fractions import Fraction

        if not re.fullmatch(r"\d{0,3}(\.\d{1,9})?(/\d{1,9})?", str(value), re.ASCII):
            return ""
        try:
            part = Fraction(str(value)).limit_denominator(99)
        except (ValueError, ZeroDivisionError):
            return ""
        return f'type of_limit = "{part}"' if 0 < part < 100 else ""
    if key == "points" and type(value) is int and value < 0:
        return 'points are only ever added; what a mistake costs is a [[settle]] with rule = "penalty"'
    return ""


def _by_number(points: Mapping[str, Any]) -> bool:
    """Tell whether points stand in a table by a number of tiles, as those for washing do."""
    return bool(points) and all(
        key.isascii() and key.isdigit() and len(key) < 3 and is_number(value, 0, MOST_POINTS)
        for key, value in points.items()
    )


def _by_option(points: Mapping[str, Any]) -> bool:
    return set(points) == {"option"} and isinstance(points["option"], str)


def _check_worth(entry: Entry) -> None:
    """Check that there is one worth; what is added to a score is, as a part of the limit, no more than the whole."""
    name, data, place = entry.id, entry.data, entry.place
    known = [key for key in ("of_limit", "points", "doubles") if key in keys_of(entry.section)]
    worths = [key for key in known if key in data]
    if len(worths) != 1:
        hint = f"write one of {', '.join(known)}"
        message = f"{name} has no worth" if not worths else f"{name} is worth {' and '.join(worths)}"
        raise place.refused(worths[1] if worths else "id", "one-worth", message, hint)
    if data.get("doubles") == 0:
        hint = "type doubles = 1 or more"
        raise place.refused("doubles", "wrong-type", f"{name}: a limit hand doubles once at least", hint)
    above, below = part_of_limit(data.get("of_limit", "1")) or (0, 1)
    if above > below and entry.section == "after":
        raise place.refused(
            "of_limit",
            "wrong-type",
            f"{name}: of_limit is a part of the limit",
            'type of_limit = "1" or "1/2"; only a special or limit hand may be worth more',
        )


def _check_shape(entry: Entry) -> None:
    name, data, place = entry.id, entry.data, entry.place
    _check_worth(entry)
    try:
        shape = compile_shape(data["tiles"], CLASS_MASKS)
        if not any(map(can_be_made, shape)):
            message = "there are no such tiles: each kind has four"
            hint = "count the tiles of each kind that the shape takes"
            raise refuse("impossible-shape", message, hint, at=whole(data["tiles"]))
    except Refused as refused:
        raise place.moved("tiles", refused, name) from None


def _check_can_be_typed(entry: Entry) -> None:
    """Check that the id of an option or a penalty can stand in a line of a file and in an argument. Raises Refused."""
    if not re.fullmatch(r"[\w.-]+", entry.id):
        fit = re.sub(r"[^\w.-]+", "-", entry.id).strip("-").lower()
        raise entry.place.refused(
            "id",
            "wrong-type",
            f"{entry.id[:40]!r} cannot be typed as one word",
            f'write small letters and hyphens: id = "{fit or "house-rule"}"',
        )


def _check_settling(entry: Entry) -> None:
    """Check what the settling rules need beside their name."""
    name, data, place = entry.id, entry.data, entry.place
    kind = data["rule"]
    needs = SETTLING_KINDS[kind].needs
    reads = ("rule", *needs, *SETTLING_KINDS[kind].takes)
    for key in keys_of("settle"):
        if key in data and key not in _ALL_HAVE and key not in reads:
            raise place.refused(key, "unknown-key", f"{name}: {kind} has no {key}", did_you_mean(key, reads))
    if kind == "penalty":
        _check_can_be_typed(entry)
    for key, example in needs.items():
        if key not in data:
            raise place.refused("id", "missing-key", f"{name}: {kind} needs {key}", f"write {example}")
    if kind == "wash" and not isinstance(data["points"], Mapping):
        raise place.refused("points", "wrong-type", f"{name}: points by the number of heads", needs["points"])
    if kind in PENALTIES and "points" not in data and "of_limit" not in data:
        hint = 'write points = 100, or of_limit = "1/2"'
        raise place.refused("id", "missing-key", f"{name} costs nothing", hint)
    if kind != "penalty" and data.get("paid") == "named":
        hint = 'type paid = "each" or paid = "shared"'
        raise place.refused("paid", "wrong-type", f"{name}: only of a penalty it is said who is paid", hint)
    seats = data.get("seats", "ESWN")
    if not re.fullmatch("ES?W?N?", seats) or len(seats) < 2:
        message = f"{name}: seats are winds in their order, East first"
        raise place.refused("seats", "wrong-type", message, 'type seats = "ESN"')


def _check_flag(entry: Entry) -> None:
    name, data, place = entry.id, entry.data, entry.place
    if not re.fullmatch("[a-z]+", name) or name in FLAG_CLAUSES or name in FLAGS_OF_A_LOSER:
        message = f"a hand cannot have the flag !{name} of a rulebook"
        hint = "the id of a flag is a word of small letters that no rulebook has already"
        raise place.refused("id", "bad-flag", message, hint)
    follows = data.get("follows", FLAG_FOLLOWS)
    if not follows or not set(follows) <= set(_FOLLOWED):
        hint = f'write one or more of {", ".join(_FOLLOWED)}: follows = ["claimed"]'
        raise place.refused("follows", "wrong-type", f"{name}: what does it follow?", hint)


def _check_who_pays(entry: Entry) -> None:
    """Check a liability or an excuse: a condition, or the one rule of its section."""
    name, data, place = entry.id, entry.data, entry.place
    if "rule" not in data and "when" not in data:
        raise place.refused("id", "missing-key", f"{name} has no when", 'write when = "…"')


def _check_option(entry: Entry) -> None:
    name, data, place = entry.id, entry.data, entry.place
    kind = data["kind"]
    _check_can_be_typed(entry)

    def wrong(key: str, message: str, hint: str, code: str = "wrong-type") -> Refused:
        return place.refused(key, code, message, hint)

    useless = {
        "group": ("default", "choices", "default_when"),
        "choice": ("turns_on",),
        "number": ("turns_on",),
    }.get(kind, ("turns_on", "choices"))
    for key in (*useless, "when"):
        if key in data:
            raise wrong(key, f"{name}: a {kind} has no {key}", f"leave out {key}", "unknown-key")
    if kind == "group":
        if not is_list_of(str, data.get("turns_on")):
            raise wrong("id", f"{name} turns nothing on", 'write turns_on = ["…"]', "missing-key")
        return
    choices = data.get("choices")
    if kind in ("choice", "number") and (not isinstance(choices, list) or not choices):
        key = "choices" if choices is not None else "id"
        raise wrong(key, f"{name} has no choices", "write choices = [ … ]", "missing-key")
    if not all(
        type(choice) is int or (isinstance(choice, str) and choice.strip()) for choice in choices or []
    ):
        raise wrong("choices", f"{name}: choices are words or numbers", "write choices = [10, 20]")
    if kind == "number" and not all(is_number(choice, 0, MOST_POINTS) for choice in data["choices"]):
        raise wrong("choices", f"{name}: choices are numbers", "write choices = [10, 20]")
    wanted = {"limit": "limit", "players": "number"}.get(name, kind)
    if kind != wanted:
        raise wrong("kind", f"{name} is a {wanted}", f'type kind = "{wanted}"')
    if name == "players" and not set(data["choices"]) <= {2, 3, 4, 5}:
        raise wrong("choices", "two to five play", "write choices = [2, 3, 4, 5]")
    cases = data.get("default_when", [])
    if not is_list_of(Mapping, cases) or not all(
        set(case) == {"option", "is", "default"} and isinstance(case["option"], str) for case in cases
    ):
        raise wrong(
            "default_when",
            f"{name}: default_when says what the default is where another option is so",
            'write default_when = [{ option = "players", is = 3, default = 600 }]',
        )
    if "default" not in data:
        raise wrong("id", f"{name} has no default", "write default = …", "missing-key")
    for default in (data["default"], *(case["default"] for case in cases)):
        try:
            option_value(entry, default)
        except Refused as refused:
            raise wrong("default", refused.refusal.message, refused.refusal.hint, "option-value") from None


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
