"""The entries of a rulebook file, each checked by itself: keys, values, options, shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from mjscore.refusal import Refused, did_you_mean
from mjscore.rulebook.entries import Entry, option_value
from mjscore.rulebook.facts import CLASS_MASKS
from mjscore.rulebook.settling import SETTLING_KINDS
from mjscore.rulebook.shapes import compile_shape
from mjscore.rulebook.toml_places import Document, Place

# What each section's entries may say beyond id, title, source, when, replaces.
KEYS: dict[str, tuple[str, ...]] = {
    "option": ("kind", "default", "choices", "turns_on", "default_when", "needs", "not_with"),
    "set": ("points", "instead_of"),
    "bonus": ("points", "times", "other_score", "instead_of"),
    "double": ("doubles", "times", "other_score", "instead_of"),
    "after": ("points", "of_limit", "even"),
    "limit": ("of_limit", "even", "special", "doubled"),
    "shape": ("tiles", "of_limit", "even", "points"),
    "settle": (
        *("rule", "factor", "who", "points", "of_limit", "doubles", "seats", "to"),
        *("no_pair", "east_passes", "points_of"),
    ),
    "liability": ("rank", "rule", "shown", "earlier"),
    "excuse": ("rank", "rule"),
}
# What each section gives, and to whom; rules facts prints it.
SECTIONS: dict[str, tuple[str, str]] = {
    "option": ("something that a table can set", "the table"),
    "set": ("points for a set or a pair", "every hand, unless it says won"),
    "bonus": ("points, times a number where it says so", "every hand, unless it says won"),
    "double": ("doubles, times a number where it says so", "every hand, unless it says won"),
    "after": ("points after doubling, or a part of the limit", "every hand, unless it says won"),
    "limit": ("a part of the limit, where that is more than counting", "every hand, unless it says won"),
    "shape": ("a hand that wins by its tiles, and what it scores", "the winner"),
    "settle": ("a way of settling, by the name of its rule", "the table"),
    "liability": ("who discards to this hand pays for all", "the winner's hand"),
    "excuse": ("unless his own hand is this", "the discarder's hand"),
}
_COMMON = ("id", "title", "source", "when", "replaces")
_TOP = ("id", "title", "book", "extends", "options", "change", "drop", *KEYS)
_NEEDED: dict[str, tuple[str, ...]] = {
    "option": ("kind",),
    "set": ("points", "when"),
    "bonus": ("points",),
    "double": ("doubles",),
    "limit": ("of_limit", "when"),
    "shape": ("tiles",),
    "settle": ("rule",),
}
_OPTION_KINDS = ("flag", "number", "choice", "limit", "group")
_MOST_POINTS = 1_000_000
_SOURCE = 'write source = "…": the book and page, or the club\'s own paper'


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_list_of(kind: type | tuple[type, ...], value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def _is_words(value: object) -> bool:
    return _is_list_of(str, value)


def _is_number(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


# keys: whether a value will do, what it has to be, and what to type
_VALUES: tuple[tuple[tuple[str, ...], Callable[[object], bool], str, str], ...] = (
    (
        (
            *("when", "times", "shown", "earlier", "tiles", "rule", "who", "seats", "replaces"),
            *("points_of", "needs", "not_with"),
        ),
        _is_text,
        "is a text",
        'type {} = "…"',
    ),
    (
        ("points",),
        lambda value: isinstance(value, Mapping) or _is_number(value, 0, _MOST_POINTS),
        f"is a whole number from 0 to {_MOST_POINTS}",
        "type {} = 2",
    ),
    *(
        (
            (key,),
            lambda value, least=least, most=most: _is_number(value, least, most),
            f"is a whole number from {least} to {most}",
            "type {} = 2",
        )
        for key, least, most in (("doubles", 0, 64), ("factor", 1, 100), ("rank", 0, 9), ("to", 1, 1000))
    ),
    (
        ("of_limit",),
        lambda value: _part_of_limit(value) is not None,
        "is a part of the limit",
        'type {} = "1" or "1/2"',
    ),
    (
        ("other_score", "special", "even", "doubled", "no_pair", "east_passes"),
        _is_flag,
        "is true or false",
        "type {} = true",
    ),
    (("instead_of",), _is_words, "is a list of ids", 'type {} = ["own-wind"]'),
)


def check_top(document: Document) -> None:
    """The keys at a rulebook's head. Raises Refused."""
    head = Place(document)
    for key, value in document.data.items():
        if key not in _TOP:
            raise head.refused(key, "unknown-key", f"a rulebook has no {key!r}", did_you_mean(key, _TOP))
        if key in KEYS and not _is_list_of(dict, value):
            raise Place(document, key).refused(
                "", "wrong-type", f"{key} is a list of entries", f"begin each with [[{key}]]"
            )
        if key in ("options", "change") and not isinstance(value, dict):
            raise head.refused(key, "wrong-type", f"{key} is a table", f"begin it with [{key}]")
        if key == "drop" and not _is_words(value):
            raise head.refused(key, "wrong-type", "drop is a list of ids", 'type drop = ["no-runs"]')
    for key in ("id", "title"):
        if not _is_text(document.data.get(key)):
            raise head.refused(
                key, "missing-key", f"the rulebook has no {key}", f'write {key} = "…" at its head'
            )


def checked_entry(document: Document, section: str, index: int, data: Mapping[str, Any]) -> Entry:
    """The *index*-th entry of a section. Raises Refused for one that is not whole or has a wrong value."""
    place = Place(document, section, index)
    name = data.get("id")
    if not isinstance(name, str) or not name:
        raise place.refused("id", "missing-key", f"this [[{section}]] has no id", 'write id = "…"')
    if "title" not in data:
        hint = 'write title = "…", as it stands on a score sheet'
        raise place.refused("id", "missing-key", f"{name} has no title", hint)
    if "source" not in data:
        raise place.refused("id", "missing-source", f"{name} has no source", _SOURCE)
    known = (*_COMMON, *KEYS[section])
    for key in data:
        if key not in known:
            message = f"{name}: a [[{section}]] has no {key!r}"
            raise place.refused(key, "unknown-key", message, did_you_mean(key, known))
    for key in _NEEDED.get(section, ()):
        if key not in data:
            raise place.refused("id", "missing-key", f"{name} has no {key}", f"write {key} = …")
    check_values(name, section, data, place)
    return Entry(section, data, place)


def check_values(name: str, section: str, data: Mapping[str, Any], place: Place) -> None:
    """The values of an entry's keys. Raises Refused at *place*."""
    for key, code, hint in (
        ("title", "missing-key", 'write title = "…"'),
        ("source", "missing-source", _SOURCE),
    ):
        if not isinstance(data[key], str) or not data[key].strip():
            raise place.refused(key, code, f"{name} has no {key}", hint)
    for keys, will_do, meaning, example in _VALUES:
        for key in keys:
            if key in data and not will_do(data[key]):
                raise place.refused(key, "wrong-type", f"{name}: {key} {meaning}", example.format(key))
    points = data.get("points")
    if isinstance(points, Mapping) and not (
        _by_number(points) if data.get("rule") == "wash" else _by_option(points)
    ):
        hint = 'type points = 10, or points = { option = "mah-jongg" }'
        raise place.refused("points", "wrong-type", f"{name}: points are a number", hint)
    check = _CHECKS.get(section)
    if check is not None:
        check(name, data, place)


def _by_number(points: Mapping[str, Any]) -> bool:
    """Whether points stand in a table by a number of tiles, as those for washing do."""
    return bool(points) and all(
        key.isascii() and key.isdigit() and len(key) < 3 and _is_number(value, 0, _MOST_POINTS)
        for key, value in points.items()
    )


def _by_option(points: Mapping[str, Any]) -> bool:
    return set(points) == {"option"} and isinstance(points["option"], str)


def _part_of_limit(value: object) -> tuple[int, int] | None:
    match = (
        re.fullmatch(r"([0-9]{1,2})(?:/([1-9][0-9]?))?", value, re.ASCII) if isinstance(value, str) else None
    )
    return (int(match[1]), int(match[2] or 1)) if match else None


def _check_limit(name: str, data: Mapping[str, Any], place: Place) -> None:
    """A hand's score is no more than the whole limit."""
    above, below = _part_of_limit(data.get("of_limit", "1")) or (0, 1)
    if above > below:
        raise place.refused(
            "of_limit",
            "wrong-type",
            f"{name}: of_limit is a part of the limit",
            'type of_limit = "1" or "1/2"',
        )


def _check_shape(name: str, data: Mapping[str, Any], place: Place) -> None:
    _check_limit(name, data, place)
    if "of_limit" not in data and "points" not in data:
        hint = 'write of_limit = "1/2", or points = 200'
        raise place.refused("id", "missing-key", f"{name} has no worth", hint)
    try:
        compile_shape(data["tiles"], CLASS_MASKS)
    except Refused as refused:
        refusal = refused.refusal
        raise place.refused("tiles", refusal.code, f"{name}: {refusal.message}", refusal.hint) from None


def _check_settling(name: str, data: Mapping[str, Any], place: Place) -> None:
    """What the settling rules need beside their name."""
    kind = data["rule"]
    if kind not in SETTLING_KINDS:
        message = f"{name}: there is no settling rule {kind!r}"
        raise place.refused("rule", "unknown-rule", message, did_you_mean(kind, SETTLING_KINDS))
    needs = SETTLING_KINDS[kind].needs
    for key, example in needs.items():
        if key not in data:
            raise place.refused("id", "missing-key", f"{name}: {kind} needs {key}", f"write {example}")
    if kind == "wash" and not isinstance(data["points"], Mapping):
        raise place.refused("points", "wrong-type", f"{name}: points by the number of heads", needs["points"])
    if kind in ("false-win", "long-hand") and "points" not in data and "of_limit" not in data:
        hint = 'write points = 100, or of_limit = "1/2"'
        raise place.refused("id", "missing-key", f"{name} costs nothing", hint)
    if data.get("who", "all") not in ("winner", "all"):
        hint = 'type who = "winner" or who = "all"'
        raise place.refused("who", "wrong-type", f"{name}: whose score is limited?", hint)
    seats = data.get("seats", "ESWN")
    if not re.fullmatch("ES?W?N?", seats) or len(seats) < 2:
        message = f"{name}: seats are winds in their order, East first"
        raise place.refused("seats", "wrong-type", message, 'type seats = "ESN"')


def _check_liability(name: str, data: Mapping[str, Any], place: Place) -> None:
    _check_who_pays(name, data, place, "all-from")
    if data.get("earlier", "alone") not in ("alone", "shared"):
        raise place.refused(
            "earlier",
            "wrong-type",
            f"{name}: who pays for a tile fed some turns ago?",
            'type earlier = "alone", or earlier = "shared" with who is liable for the winning tile',
        )


def _check_excuse(name: str, data: Mapping[str, Any], place: Place) -> None:
    _check_who_pays(name, data, place, "no-choice")


def _check_who_pays(name: str, data: Mapping[str, Any], place: Place, known: str) -> None:
    """A liability or an excuse: a condition, or the one rule *known* of its section."""
    if data.get("rule", known) != known:
        message = f"{name}: there is no rule {data['rule']!r} here"
        raise place.refused("rule", "unknown-rule", message, f"type {known}")
    if "rule" not in data and "when" not in data:
        raise place.refused("id", "missing-key", f"{name} has no when", 'write when = "…"')


def _check_option(name: str, data: Mapping[str, Any], place: Place) -> None:
    kind = data["kind"]

    def wrong(key: str, message: str, hint: str, code: str = "wrong-type") -> Refused:
        return place.refused(key, code, message, hint)

    if kind not in _OPTION_KINDS:
        raise wrong("kind", f"{name}: an option is {', '.join(_OPTION_KINDS)}", 'type kind = "flag"')
    useless = {
        "group": ("default", "choices", "default_when"),
        "choice": ("turns_on",),
        "number": ("turns_on",),
    }.get(kind, ("turns_on", "choices"))
    for key in (*useless, "when"):
        if key in data:
            raise wrong(key, f"{name}: a {kind} has no {key}", f"leave out {key}", "unknown-key")
    if kind == "group":
        if not _is_words(data.get("turns_on")):
            raise wrong("id", f"{name} turns nothing on", 'write turns_on = ["…"]', "missing-key")
        return
    choices = data.get("choices")
    if kind in ("choice", "number") and (not isinstance(choices, list) or not choices):
        key = "choices" if choices is not None else "id"
        raise wrong(key, f"{name} has no choices", "write choices = [ … ]", "missing-key")
    if not _is_list_of((str, int), choices or []):
        raise wrong("choices", f"{name}: choices are words or numbers", "write choices = [10, 20]")
    if kind == "number" and not all(_is_number(choice, 0, _MOST_POINTS) for choice in data["choices"]):
        raise wrong("choices", f"{name}: choices are numbers", "write choices = [10, 20]")
    wanted = {"limit": "limit", "players": "number"}.get(name, kind)
    if kind != wanted:
        raise wrong("kind", f"{name} is a {wanted}", f'type kind = "{wanted}"')
    if name == "players" and not set(data["choices"]) <= {2, 3, 4, 5}:
        raise wrong("choices", "two to five play", "write choices = [2, 3, 4, 5]")
    cases = data.get("default_when", [])
    if not _is_list_of(Mapping, cases) or not all(
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
            option_value(Entry("option", data, place), default)
        except Refused as refused:
            raise wrong("default", refused.refusal.message, refused.refusal.hint, "option-value") from None


_CHECKS: dict[str, Callable[[str, Mapping[str, Any], Place], None]] = {
    "option": _check_option,
    "limit": _check_limit,
    "shape": _check_shape,
    "settle": _check_settling,
    "liability": _check_liability,
    "excuse": _check_excuse,
}
