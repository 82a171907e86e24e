"""A rulebook file's head and its entries, each checked by itself: keys, values, options, shapes.

A check yields what is wrong, the worst first, and the first of it is refused; what follows may rely on what comes before.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeAlias

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
from mjscore.rulebook.toml_places import Document, TomlTable

# a key of an entry or a head, a code, a message, what to type instead
Fault: TypeAlias = tuple[str, str, str, str]

_ALL_HAVE = tuple(key.name for key in COMMON)
_FOLLOWED = ("drawn", "claimed", "lost")
_SOURCE = 'write source = "…": the book and page, or the club\'s own paper'


def refuse_first(place: TomlTable, faults: Iterable[Fault]) -> None:
    """Refuse the first of the *faults* of a table, at its key."""
    for fault in faults:
        raise place.refused(*fault)


def check_head(document: Document) -> None:
    """Check the keys at a rulebook's head. Raises Refused."""
    refuse_first(document.at(), _faults_of_head(document.data))


def _faults_of_head(data: Mapping[str, Any]) -> Iterator[Fault]:
    sections = [f"[[{section}]]" for section in SECTIONS]
    for key, value in data.items():
        if key in HEAD:
            if not will_do(value, HEAD[key].schema):
                yield key, "wrong-type", f"{key} {HEAD[key].says}", f"type {HEAD[key].example}"
        elif key in SECTIONS:
            if not is_list_of(dict, value):
                yield key, "wrong-type", f"{key} is a list of entries", f"begin each with [[{key}]]"
        elif isinstance(value, (list, dict)):
            hint = did_you_mean(f"[[{key}]]", sections, f"the sections are {', '.join(sections)}")
            yield key, "unknown-key", f"a rulebook has no section {key!r}", hint
        else:
            yield key, "unknown-key", f"a rulebook has no {key!r}", did_you_mean(key, (*HEAD, *SECTIONS))
    for key in ("id", "title"):
        if key not in data:
            yield key, "missing-key", f"the rulebook has no {key}", f'write {key} = "…" at its head'


def checked_entry(document: Document, section: str, index: int, data: Mapping[str, Any]) -> Entry:
    """Give the *index*-th entry of a section. Raises Refused for one that is not whole or has a wrong value."""
    entry = Entry(section, with_source(document, data), document.at(section, index))
    refuse_first(entry.place, chain(_faults_of_keys(section, data), faults_of_values(entry)))
    return entry


def with_source(document: Document, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give an entry's data; what names no source is the file's own, by its title."""
    return data if "source" in data else {**data, "source": str(document.data["title"])}


def _faults_of_keys(section: str, data: Mapping[str, Any]) -> Iterator[Fault]:
    name, known = data.get("id"), keys_of(section)
    if not isinstance(name, str) or not name:
        yield "id", "missing-key", f"this [[{section}]] has no id", 'write id = "…"'
    if "title" not in data:
        yield "id", "missing-key", f"{name} has no title", 'write title = "…", as it stands on a score sheet'
    for key in data:
        if key not in known:
            yield key, "unknown-key", f"{name}: a [[{section}]] has no {key!r}", did_you_mean(key, known)
    for key in needed(section):
        if key not in data:
            yield "id", "missing-key", f"{name} has no {key}", f"write {key} = …"


def faults_of_values(entry: Entry) -> Iterator[Fault]:
    """Find the keys of an entry whose values will not do."""
    name, data = entry.id, entry.data
    for key, hint in (("title", 'write title = "…"'), ("source", _SOURCE)):
        if not isinstance(data[key], str) or not data[key].strip():
            yield key, "missing-key" if key == "title" else "missing-source", f"{name} has no {key}", hint
    for key, described in keys_of(entry.section).items():
        if key in data and not will_do(data[key], described.schema):
            code, hint = "wrong-type", _instead(key, data[key]) or f"type {described.example}"
            if key == "rule":
                code, hint = "unknown-rule", did_you_mean(str(data[key]), described.schema["enum"])
            yield key, code, f"{name}: {key} {described.says}", hint
    points = data.get("points")
    if isinstance(points, Mapping) and not _are_points(points, data.get("rule") == "wash"):
        hint = 'type points = 10, or points = { option = "mah-jongg" }'
        yield "points", "wrong-type", f"{name}: points are a number", hint
    if entry.section in _FAULTS_OF:
        yield from _FAULTS_OF[entry.section](entry)


def _instead(key: str, value: object) -> str:
    """Tell what to type for a value that is nearly right: a decimal part of the limit, points less than none."""
    if key == "points" and type(value) is int and value < 0:
        return 'points are only ever added; what a mistake costs is a [[settle]] with rule = "penalty"'
    if key == "of_limit" and re.fullmatch(r"\d{0,3}(\.\d{1,9})?(/\d{1,9})?", str(value), re.ASCII):
        from fractions import Fraction

        with contextlib.suppress(ValueError, ZeroDivisionError):
            part = Fraction(str(value)).limit_denominator(99)
            return f'type of_limit = "{part}"' if 0 < part < 100 else ""
    return ""


def _are_points(points: Mapping[str, Any], of_a_wash: bool) -> bool:
    """Tell whether points that stand in a table are an option's, or those for washing by a number of tiles."""
    if not of_a_wash:
        return set(points) == {"option"} and isinstance(points["option"], str)
    return bool(points) and all(
        key.isascii() and key.isdigit() and len(key) < 3 and are_points(value)
        for key, value in points.items()
    )


def _faults_of_worth(entry: Entry) -> Iterator[Fault]:
    """Find what is amiss with a worth: there is one, and what is added to a score is no more than the whole limit."""
    name, data = entry.id, entry.data
    known = [key for key in ("of_limit", "points", "doubles") if key in keys_of(entry.section)]
    worths = [key for key in known if key in data]
    if len(worths) != 1:
        message = f"{name} has no worth" if not worths else f"{name} is worth {' and '.join(worths)}"
        yield worths[1] if worths else "id", "one-worth", message, f"write one of {', '.join(known)}"
    if data.get("doubles") == 0:
        yield (
            "doubles",
            "wrong-type",
            f"{name}: a limit hand doubles once at least",
            "type doubles = 1 or more",
        )
    above, below = part_of_limit(data.get("of_limit", "1")) or (0, 1)
    if above > below and entry.section == "after":
        hint = 'type of_limit = "1" or "1/2"; only a special or limit hand may be worth more'
        yield "of_limit", "wrong-type", f"{name}: of_limit is a part of the limit", hint


def _faults_of_shape(entry: Entry) -> Iterator[Fault]:
    yield from _faults_of_worth(entry)
    tiles = entry.data["tiles"]
    try:
        if not any(map(can_be_made, compile_shape(tiles))):
            message = "there are no such tiles: each kind has four"
            hint = "count the tiles of each kind that the shape takes"
            raise refuse("impossible-shape", message, hint, at=whole(tiles))
    except Refused as refused:
        raise entry.place.moved("tiles", refused, entry.id) from None


def _faults_of_word(entry: Entry) -> Iterator[Fault]:
    """Find out whether the id of an option or a penalty can stand in a line of a file and in an argument."""
    if not re.fullmatch(r"[\w.-]+", entry.id):
        fit = re.sub(r"[^\w.-]+", "-", entry.id).strip("-").lower() or "house-rule"
        hint = f'write small letters and hyphens: id = "{fit}"'
        yield "id", "wrong-type", f"{entry.id[:40]!r} cannot be typed as one word", hint


def _faults_of_settling(entry: Entry) -> Iterator[Fault]:
    name, data = entry.id, entry.data
    kind = data["rule"]
    needs = SETTLING_KINDS[kind].needs
    reads = ("rule", *needs, *SETTLING_KINDS[kind].takes)
    for key in keys_of("settle"):
        if key in data and key not in _ALL_HAVE and key not in reads:
            yield key, "unknown-key", f"{name}: {kind} has no {key}", did_you_mean(key, reads)
    if kind == "penalty":
        yield from _faults_of_word(entry)
    for key, example in needs.items():
        if key not in data:
            yield "id", "missing-key", f"{name}: {kind} needs {key}", f"write {example}"
    if kind == "wash" and not isinstance(data["points"], Mapping):
        yield "points", "wrong-type", f"{name}: points by the number of heads", needs["points"]
    if "paid" in SETTLING_KINDS[kind].takes and "points" not in data and "of_limit" not in data:
        yield "id", "missing-key", f"{name} costs nothing", 'write points = 100, or of_limit = "1/2"'
    if kind != "penalty" and data.get("paid") == "named":
        hint = 'type paid = "each" or paid = "shared"'
        yield "paid", "wrong-type", f"{name}: only of a penalty it is said who is paid", hint
    seats = data.get("seats", "ESWN")
    if not re.fullmatch("ES?W?N?", seats) or len(seats) < 2:
        message = f"{name}: seats are winds in their order, East first"
        yield "seats", "wrong-type", message, 'type seats = "ESN"'


def _faults_of_flag(entry: Entry) -> Iterator[Fault]:
    name, follows = entry.id, entry.data.get("follows", FLAG_FOLLOWS)
    if not re.fullmatch("[a-z]+", name) or name in FLAG_CLAUSES or name in FLAGS_OF_A_LOSER:
        hint = "the id of a flag is a word of small letters that no rulebook has already"
        yield "id", "bad-flag", f"a hand cannot have the flag !{name} of a rulebook", hint
    if not follows or not set(follows) <= set(_FOLLOWED):
        hint = f'write one or more of {", ".join(_FOLLOWED)}: follows = ["claimed"]'
        yield "follows", "wrong-type", f"{name}: what does it follow?", hint


def _faults_of_who_pays(entry: Entry) -> Iterator[Fault]:
    """Find a liability or an excuse without a condition and without the one rule of its section."""
    if "rule" not in entry.data and "when" not in entry.data:
        yield "id", "missing-key", f"{entry.id} has no when", 'write when = "…"'


# of each kind of option the keys that it does not have
_USELESS = {
    "group": ("default", "choices", "default_when"),
    "choice": ("turns_on",),
    "number": ("turns_on",),
    "flag": ("turns_on", "choices"),
    "limit": ("turns_on", "choices"),
}


def _faults_of_option(entry: Entry) -> Iterator[Fault]:
    name, data = entry.id, entry.data
    kind, choices, cases = data["kind"], data.get("choices"), data.get("default_when", [])
    yield from _faults_of_word(entry)
    for key in (*_USELESS[kind], "when"):
        if key in data:
            yield key, "unknown-key", f"{name}: a {kind} has no {key}", f"leave out {key}"
    if kind == "group":
        if not is_list_of(str, data.get("turns_on")):
            yield "id", "missing-key", f"{name} turns nothing on", 'write turns_on = ["…"]'
        return
    if kind in ("choice", "number"):
        if not isinstance(choices, list) or not choices:
            key = "choices" if choices is not None else "id"
            yield key, "missing-key", f"{name} has no choices", "write choices = [ … ]"
        elif not all(type(one) is int or (isinstance(one, str) and one.strip()) for one in choices):
            yield "choices", "wrong-type", f"{name}: choices are words or numbers", "write choices = [10, 20]"
        elif kind == "number" and not all(map(are_points, choices)):
            yield "choices", "wrong-type", f"{name}: choices are numbers", "write choices = [10, 20]"
    wanted = {"limit": "limit", "players": "number"}.get(name, kind)
    if kind != wanted:
        yield "kind", "wrong-type", f"{name} is a {wanted}", f'type kind = "{wanted}"'
    if name == "players" and not set(data["choices"]) <= {2, 3, 4, 5}:
        yield "choices", "wrong-type", "two to five play", "write choices = [2, 3, 4, 5]"
    if not is_list_of(Mapping, cases) or not all(
        set(case) == {"option", "is", "default"} and isinstance(case["option"], str) for case in cases
    ):
        message = f"{name}: default_when says what the default is where another option is so"
        hint = 'write default_when = [{ option = "players", is = 3, default = 600 }]'
        yield "default_when", "wrong-type", message, hint
    if "default" not in data:
        yield "id", "missing-key", f"{name} has no default", "write default = …"
    for default in (data["default"], *(case["default"] for case in cases)):
        try:
            option_value(entry, default)
        except Refused as refused:
            yield "default", "option-value", refused.refusal.message, refused.refusal.hint


_FAULTS_OF: dict[str, Callable[[Entry], Iterator[Fault]]] = {
    "option": _faults_of_option,
    "after": _faults_of_worth,
    "limit": _faults_of_worth,
    "shape": _faults_of_shape,
    "flag": _faults_of_flag,
    "settle": _faults_of_settling,
    "liability": _faults_of_who_pays,
    "excuse": _faults_of_who_pays,
}
