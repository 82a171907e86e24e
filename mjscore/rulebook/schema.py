"""The entries of a rulebook file, each checked by itself: keys, values, options, shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER
from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.entries import FLAG_FOLLOWS, Entry, option_value
from mjscore.rulebook.facts import CLASS_MASKS
from mjscore.rulebook.settling import PAID, PENALTIES, SETTLING_KINDS
from mjscore.rulebook.shapes import can_be_made, compile_shape
from mjscore.rulebook.toml_places import Document, TomlTable

# What each section's entries may say beyond id, title, source, when, replaces.
KEYS: dict[str, tuple[str, ...]] = {
    "option": ("kind", "default", "choices", "turns_on", "default_when", "needs", "not_with"),
    "set": ("points", "instead_of"),
    "bonus": ("points", "times", "other_score", "instead_of", "bonus_tiles"),
    "double": ("doubles", "times", "other_score", "instead_of", "bonus_tiles"),
    "after": ("points", "of_limit", "even"),
    "limit": ("of_limit", "even", "points", "doubles", "special", "instead", "bonus_tiles", "doubled"),
    "shape": ("tiles", "of_limit", "even", "points", "counts", "bonus_tiles"),
    "win": (),
    "flag": ("follows",),
    "settle": (
        *("rule", "factor", "who", "points", "of_limit", "seats", "to"),
        *("no_pair", "east_passes", "points_of", "paid", "east_doubled"),
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
    "win": ("a condition without which no hand wins", "the winner"),
    "flag": ('a word that a hand may have, asked for by flag("…")', "the notation"),
    "settle": ("a way of settling, by the name of its rule", "the table"),
    "liability": ("who discards to this hand pays for all", "the winner's hand"),
    "excuse": ("unless his own hand is this", "the discarder's hand"),
}
COMMON = ("id", "title", "source", "when", "replaces")
_TOP = ("id", "title", "book", "extends", "options", "change", "drop", *KEYS)
NEEDED: dict[str, tuple[str, ...]] = {
    "option": ("kind",),
    "set": ("points", "when"),
    "bonus": ("points",),
    "double": ("doubles",),
    "limit": ("when",),
    "shape": ("tiles",),
    "win": ("when",),
    "settle": ("rule",),
}
# of a table [change.id]: the keys that the entry is to be without
UNSET = "unset"
_FOLLOWED = ("drawn", "claimed", "lost")
OPTION_KINDS = ("flag", "number", "choice", "limit", "group")
MOST_POINTS = 1_000_000
# keys whose values are whole numbers, with the least and the most; that are true or false; that are lists of words
NUMBERS = {"doubles": (0, 64), "factor": (1, 100), "rank": (0, 9), "to": (1, 1000)}
FLAGS = (
    "other_score",
    "special",
    "even",
    "doubled",
    "no_pair",
    "east_passes",
    "counts",
    "instead",
    "bonus_tiles",
    "east_doubled",
)
LISTS = ("follows", "instead_of", "turns_on")
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
            *("points_of", "needs", "not_with", "paid"),
        ),
        _is_text,
        "is a text",
        'type {} = "…"',
    ),
    (
        ("points",),
        lambda value: isinstance(value, Mapping) or _is_number(value, 0, MOST_POINTS),
        f"is a whole number from 0 to {MOST_POINTS}",
        "type {} = 2",
    ),
    *(
        (
            (key,),
            lambda value, least=least, most=most: _is_number(value, least, most),
            f"is a whole number from {least} to {most}",
            "type {} = 2",
        )
        for key, (least, most) in NUMBERS.items()
    ),
    (
        ("of_limit",),
        lambda value: _part_of_limit(value) is not None,
        "is a part of the limit",
        'type {} = "1" or "1/2"',
    ),
    (
        FLAGS,
        _is_flag,
        "is true or false",
        "type {} = true",
    ),
    (("follows",), _is_words, "is a list of words", 'type {} = ["drawn", "claimed"]'),
    (("instead_of",), _is_words, "is a list of ids", 'type {} = ["own-wind"]'),
)


def check_top(document: Document) -> None:
    """The keys at a rulebook's head. Raises Refused."""
    head = document.at()
    for key, value in document.data.items():
        if key not in _TOP and isinstance(value, (list, dict)):
            sections = [f"[[{section}]]" for section in KEYS]
            hint = did_you_mean(f"[[{key}]]", sections, f"the sections are {', '.join(sections)}")
            raise document.at(key).refused("", "unknown-key", f"a rulebook has no section {key!r}", hint)
        if key not in _TOP:
            raise head.refused(key, "unknown-key", f"a rulebook has no {key!r}", did_you_mean(key, _TOP))
        if key in KEYS and not _is_list_of(dict, value):
            raise document.at(key).refused(
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
    place = document.at(section, index)
    name = data.get("id")
    if not isinstance(name, str) or not name:
        raise place.refused("id", "missing-key", f"this [[{section}]] has no id", 'write id = "…"')
    if "title" not in data:
        hint = 'write title = "…", as it stands on a score sheet'
        raise place.refused("id", "missing-key", f"{name} has no title", hint)
    data = with_source(document, data)
    known = (*COMMON, *KEYS[section])
    for key in data:
        if key not in known:
            message = f"{name}: a [[{section}]] has no {key!r}"
            raise place.refused(key, "unknown-key", message, did_you_mean(key, known))
    for key in NEEDED.get(section, ()):
        if key not in data:
            raise place.refused("id", "missing-key", f"{name} has no {key}", f"write {key} = …")
    check_values(name, section, data, place)
    return Entry(section, data, place)


def with_source(document: Document, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """An entry's data; what names no source is the file's own, by its title."""
    return data if "source" in data else {**data, "source": str(document.data["title"])}


def check_values(name: str, section: str, data: Mapping[str, Any], place: TomlTable) -> None:
    """The values of an entry's keys. Raises Refused at *place*."""
    if not _is_text(data["title"]) or not data["title"].strip():
        raise place.refused("title", "missing-key", f"{name} has no title", 'write title = "…"')
    if not _is_text(data["source"]) or not data["source"].strip():
        raise place.refused("source", "missing-source", f"{name} has no source", _SOURCE)
    for keys, will_do, meaning, example in _VALUES:
        for key in keys:
            if key in data and not will_do(data[key]):
                hint = _instead(key, data[key]) or example.format(key)
                raise place.refused(key, "wrong-type", f"{name}: {key} {meaning}", hint)
    points = data.get("points")
    if isinstance(points, Mapping) and not (
        _by_number(points) if data.get("rule") == "wash" else _by_option(points)
    ):
        hint = 'type points = 10, or points = { option = "mah-jongg" }'
        raise place.refused("points", "wrong-type", f"{name}: points are a number", hint)
    check = _CHECKS.get(section)
    if check is not None:
        check(name, data, place)


def _instead(key: str, value: object) -> str:
    """What to type for a value that is nearly right: a decimal part of the limit, points less than none."""
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
    """Whether points stand in a table by a number of tiles, as those for washing do."""
    return bool(points) and all(
        key.isascii() and key.isdigit() and len(key) < 3 and _is_number(value, 0, MOST_POINTS)
        for key, value in points.items()
    )


def _by_option(points: Mapping[str, Any]) -> bool:
    return set(points) == {"option"} and isinstance(points["option"], str)


def _part_of_limit(value: object) -> tuple[int, int] | None:
    match = (
        re.fullmatch(r"([0-9]{1,2})(?:/([1-9][0-9]?))?", value, re.ASCII) if isinstance(value, str) else None
    )
    return (int(match[1]), int(match[2] or 1)) if match else None


_WORTHS = {
    "limit": ("of_limit", "points", "doubles"),
    "shape": ("of_limit", "points"),
    "after": ("of_limit", "points"),
}


def _check_limit(name: str, data: Mapping[str, Any], place: TomlTable, section: str = "limit") -> None:
    """One worth; what is added to a score is, as a part of the limit, no more than the whole."""
    worths = [key for key in _WORTHS[section] if key in data]
    if len(worths) != 1:
        hint = f"write one of {', '.join(_WORTHS[section])}"
        message = f"{name} has no worth" if not worths else f"{name} is worth {' and '.join(worths)}"
        raise place.refused(worths[1] if worths else "id", "one-worth", message, hint)
    if data.get("doubles") == 0:
        hint = "type doubles = 1 or more"
        raise place.refused("doubles", "wrong-type", f"{name}: a limit hand doubles once at least", hint)
    above, below = _part_of_limit(data.get("of_limit", "1")) or (0, 1)
    if above > below and section == "after":
        raise place.refused(
            "of_limit",
            "wrong-type",
            f"{name}: of_limit is a part of the limit",
            'type of_limit = "1" or "1/2"; only a special or limit hand may be worth more',
        )


def _check_shape(name: str, data: Mapping[str, Any], place: TomlTable) -> None:
    _check_limit(name, data, place, "shape")
    try:
        shape = compile_shape(data["tiles"], CLASS_MASKS)
        if not any(map(can_be_made, shape)):
            raise refuse(
                "impossible-shape",
                "there are no such tiles: each kind has four",
                "count the tiles of each kind that the shape takes",
                column=1,
                length=len(data["tiles"]),
            )
    except Refused as refused:
        refusal = refused.refusal
        raise place.refused(
            "tiles",
            refusal.code,
            f"{name}: {refusal.message}",
            refusal.hint,
            refusal.column,
            refusal.length,
        ) from None


def _check_after(name: str, data: Mapping[str, Any], place: TomlTable) -> None:
    _check_limit(name, data, place, "after")


def _check_can_be_typed(name: str, place: TomlTable) -> None:
    """Whether the id of an option or a penalty can stand in a line of a file and in an argument. Raises Refused."""
    if not re.fullmatch(r"[\w.-]+", name):
        fit = re.sub(r"[^\w.-]+", "-", name).strip("-").lower()
        raise place.refused(
            "id",
            "wrong-type",
            f"{name[:40]!r} cannot be typed as one word",
            f'write small letters and hyphens: id = "{fit or "house-rule"}"',
        )


def _check_settling(name: str, data: Mapping[str, Any], place: TomlTable) -> None:
    """What the settling rules need beside their name."""
    kind = data["rule"]
    if kind not in SETTLING_KINDS:
        message = f"{name}: there is no settling rule {kind!r}"
        raise place.refused("rule", "unknown-rule", message, did_you_mean(kind, SETTLING_KINDS))
    needs = SETTLING_KINDS[kind].needs
    reads = ("rule", *needs, *SETTLING_KINDS[kind].takes)
    for key in KEYS["settle"]:
        if key in data and key not in reads:
            raise place.refused(key, "unknown-key", f"{name}: {kind} has no {key}", did_you_mean(key, reads))
    if kind == "penalty":
        _check_can_be_typed(name, place)
    for key, example in needs.items():
        if key not in data:
            raise place.refused("id", "missing-key", f"{name}: {kind} needs {key}", f"write {example}")
    if kind == "wash" and not isinstance(data["points"], Mapping):
        raise place.refused("points", "wrong-type", f"{name}: points by the number of heads", needs["points"])
    if kind in PENALTIES and "points" not in data and "of_limit" not in data:
        hint = 'write points = 100, or of_limit = "1/2"'
        raise place.refused("id", "missing-key", f"{name} costs nothing", hint)
    if data.get("paid", "each") not in (PAID if kind == "penalty" else PAID[:2]):
        hint = 'type paid = "each", "shared" or, of a penalty, "named"'
        raise place.refused("paid", "wrong-type", f"{name}: who is paid?", hint)
    if data.get("who", "all") not in ("winner", "all"):
        hint = 'type who = "winner" or who = "all"'
        raise place.refused("who", "wrong-type", f"{name}: whose score is limited?", hint)
    seats = data.get("seats", "ESWN")
    if not re.fullmatch("ES?W?N?", seats) or len(seats) < 2:
        message = f"{name}: seats are winds in their order, East first"
        raise place.refused("seats", "wrong-type", message, 'type seats = "ESN"')


def _check_flag(name: str, data: Mapping[str, Any], place: TomlTable) -> None:
    if not re.fullmatch("[a-z]+", name) or name in FLAG_CLAUSES or name in FLAGS_OF_A_LOSER:
        message = f"a hand cannot have the flag !{name} of a rulebook"
        hint = "the id of a flag is a word of small letters that no rulebook has already"
        raise place.refused("id", "bad-flag", message, hint)
    follows = data.get("follows", FLAG_FOLLOWS)
    if not follows or not set(follows) <= set(_FOLLOWED):
        hint = f'write one or more of {", ".join(_FOLLOWED)}: follows = ["claimed"]'
        raise place.refused("follows", "wrong-type", f"{name}: what does it follow?", hint)


def _check_liability(name: str, data: Mapping[str, Any], place: TomlTable) -> None:
    _check_who_pays(name, data, place, "all-from")
    if data.get("earlier", "alone") not in ("alone", "shared"):
        raise place.refused(
            "earlier",
            "wrong-type",
            f"{name}: who pays for a tile fed some turns ago?",
            'type earlier = "alone", or earlier = "shared" with who is liable for the winning tile',
        )


def _check_excuse(name: str, data: Mapping[str, Any], place: TomlTable) -> None:
    _check_who_pays(name, data, place, "no-choice")


def _check_who_pays(name: str, data: Mapping[str, Any], place: TomlTable, known: str) -> None:
    """A liability or an excuse: a condition, or the one rule *known* of its section."""
    if data.get("rule", known) != known:
        message = f"{name}: there is no rule {data['rule']!r} here"
        raise place.refused("rule", "unknown-rule", message, f"type {known}")
    if "rule" not in data and "when" not in data:
        raise place.refused("id", "missing-key", f"{name} has no when", 'write when = "…"')


def _check_option(name: str, data: Mapping[str, Any], place: TomlTable) -> None:
    kind = data["kind"]
    _check_can_be_typed(name, place)

    def wrong(key: str, message: str, hint: str, code: str = "wrong-type") -> Refused:
        return place.refused(key, code, message, hint)

    if kind not in OPTION_KINDS:
        raise wrong("kind", f"{name}: an option is {', '.join(OPTION_KINDS)}", 'type kind = "flag"')
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
    if not all(type(choice) is int or (_is_text(choice) and choice.strip()) for choice in choices or []):
        raise wrong("choices", f"{name}: choices are words or numbers", "write choices = [10, 20]")
    if kind == "number" and not all(_is_number(choice, 0, MOST_POINTS) for choice in data["choices"]):
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


_CHECKS: dict[str, Callable[[str, Mapping[str, Any], TomlTable], None]] = {
    "option": _check_option,
    "after": _check_after,
    "limit": _check_limit,
    "shape": _check_shape,
    "flag": _check_flag,
    "settle": _check_settling,
    "liability": _check_liability,
    "excuse": _check_excuse,
}
