"""The entries of a rulebook file, each checked by itself: keys, values, options, shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.entries import Entry, option_value
from mjscore.rulebook.facts import CLASS_MASKS
from mjscore.rulebook.shapes import compile_shape
from mjscore.rulebook.toml_places import Document, place_of

# What each section's entries may say beyond id, title, source, when, replaces.
KEYS: dict[str, tuple[str, ...]] = {
    "option": ("kind", "default", "choices", "turns_on", "default_when"),
    "set": ("points", "instead_of"),
    "bonus": ("points", "times", "other_score", "instead_of"),
    "double": ("doubles", "times", "other_score", "instead_of"),
    "after": ("points", "of_limit", "even"),
    "limit": ("of_limit", "even", "special"),
    "shape": ("tiles", "of_limit", "even", "points"),
    "settle": (
        "rule",
        "factor",
        "who",
        "points",
        "of_limit",
        "doubles",
        "seats",
        "to",
        "no_pair",
        "east_passes",
        "points_of",
    ),
    "liability": ("rank", "rule", "earlier"),
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
    "after": (),
    "limit": ("of_limit", "when"),
    "shape": ("tiles",),
    "settle": ("rule",),
    "liability": (),
    "excuse": (),
}
# The settling rules, and what each needs beside its name, as it is written.
SETTLE_RULES: dict[str, dict[str, str]] = {
    "winner-collects": {},
    "losers-settle": {},
    "east-factor": {"factor": "factor = 2"},
    "score-limit": {"who": 'who = "winner", or who = "all"'},
    "difference-limit": {},
    "wash": {"points": "points = { 9 = 50, 10 = 100 }"},
    "false-win": {},
    "east-passes": {},
    "minimum-doubles": {"doubles": "doubles = 2", "seats": 'seats = "EW"'},
    "no-west": {"seats": 'seats = "ESN"'},
    "sitter-out": {"points_of": 'points_of = "mah-jongg"'},
    "discarder-factor": {"factor": "factor = 2"},
    "limit-cancels": {},
    "round-payments": {"to": "to = 10"},
    "short-hand-scores": {},
    "long-hand": {},
    "draw-after-four-passes": {},
    "winner-takes-east": {},
    "every-hand-passes": {},
}
SETTLE_RULES_SAY: dict[str, str] = {
    "winner-collects": "each of the others pays the winner his score",
    "losers-settle": "those who lost pay each other the differences of their scores",
    "east-factor": "what East pays and is paid is multiplied by factor",
    "score-limit": "the limit caps the winner's score, or all scores",
    "difference-limit": "the limit caps each difference between two who lost, before East's double",
    "wash": "points for a new draw by the number of heads; no_pair: only without a pair; east_passes: East passes",
    "false-win": "what calling Mah-Jongg by mistake costs, to each player: points, or of_limit",
    "east-passes": "East passes where he does not win",
    "minimum-doubles": "a win needs this many doubles, and these seats play",
    "no-west": "these seats play, without the west winds",
    "sitter-out": "who sits out is paid the points of that entry by each who lost, doubled as the winner's hand",
    "discarder-factor": "what the discarder pays is multiplied by factor; on a drawn win, what all three pay",
    "limit-cancels": "where the winner's score is the limit, those who lost settle nothing",
    "round-payments": "payments are rounded to multiples of this, a half going down",
    "short-hand-scores": "a dead hand with too few tiles still scores its sets",
    "long-hand": "a hand with too many tiles pays each player: points, or of_limit",
    "draw-after-four-passes": "East passes on a draw in which a four was declared",
    "winner-takes-east": "the winner is East next",
    "every-hand-passes": "East passes after every hand",
}
_NUMBERS = {"points": (0, 1_000_000), "doubles": (0, 64), "factor": (1, 100), "rank": (0, 9), "to": (1, 1000)}
_SOURCE = 'write source = "…": the book and page, or the club\'s own paper'
Complaint = Callable[[str, str, str, str], Refused]


def complain(
    document: Document, section: str, index: int | None, key: str, code: str, message: str, hint: str
) -> Refused:
    """A refusal at *key* of a table, or at the table's head."""
    line, column, text = place_of(document, section, index, key)
    return refuse(code, message, hint, line, column, max(1, len(key)), text, document.path)


def check_top(document: Document) -> None:
    """The keys at a rulebook's head. Raises Refused."""
    for key, value in document.data.items():
        if key not in _TOP:
            raise complain(
                document,
                "",
                None,
                key,
                "unknown-key",
                f"a rulebook has no {key!r}",
                did_you_mean(key, _TOP),
            )
        if key in KEYS and not (isinstance(value, list) and all(isinstance(one, dict) for one in value)):
            raise complain(
                document,
                key,
                None,
                "",
                "wrong-type",
                f"{key} is a list of entries",
                f"begin each with [[{key}]]",
            )
        if key in ("options", "change") and not isinstance(value, dict):
            raise complain(
                document, "", None, key, "wrong-type", f"{key} is a table", f"begin it with [{key}]"
            )
        if key == "drop" and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            raise complain(
                document, "", None, key, "wrong-type", "drop is a list of ids", 'type drop = ["no-runs"]'
            )
    for key in ("id", "title"):
        if not isinstance(document.data.get(key), str):
            raise complain(
                document,
                "",
                None,
                key,
                "missing-key",
                f"the rulebook has no {key}",
                f'write {key} = "…" at its head',
            )


def checked_entry(document: Document, section: str, index: int, data: Mapping[str, Any]) -> Entry:
    """The *index*-th entry of a section. Raises Refused for one that is not whole or has a wrong value."""

    def complaint(key: str, code: str, message: str, hint: str) -> Refused:
        return complain(document, section, index, key, code, message, hint)

    if not isinstance(data.get("id"), str) or not data["id"]:
        raise complaint("id", "missing-key", f"this [[{section}]] has no id", 'write id = "…"')
    name = data["id"]
    if "title" not in data:
        raise complaint(
            "id", "missing-key", f"{name} has no title", 'write title = "…", as it stands on a score sheet'
        )
    if "source" not in data:
        raise complaint("id", "missing-source", f"{name} has no source", _SOURCE)
    for key in data:
        if key not in (*_COMMON, *KEYS[section]):
            raise complaint(
                key,
                "unknown-key",
                f"{name}: a [[{section}]] has no {key!r}",
                did_you_mean(key, (*_COMMON, *KEYS[section])),
            )
    for key in _NEEDED[section]:
        if key not in data:
            raise complaint("id", "missing-key", f"{name} has no {key}", f"write {key} = …")
    check_values(name, section, data, complaint)
    return Entry(section, data, document, index)


def check_values(name: str, section: str, data: Mapping[str, Any], complaint: Complaint) -> None:
    """The values of an entry's keys. Raises what *complaint* makes of key, code, message and hint."""
    if not isinstance(data["title"], str) or not data["title"].strip():
        raise complaint("title", "missing-key", f"{name} has no title", 'write title = "…"')
    if not isinstance(data["source"], str) or not data["source"].strip():
        raise complaint("source", "missing-source", f"{name} has no source", _SOURCE)
    for key in ("when", "times", "earlier", "tiles", "rule", "who", "seats", "replaces", "points_of"):
        if key in data and not isinstance(data[key], str):
            raise complaint(key, "wrong-type", f"{name}: {key} is a text", f'type {key} = "…"')
    for key, (least, most) in _NUMBERS.items():
        value = data.get(key, least)
        if key == "points" and isinstance(value, Mapping):
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise complaint(
                key,
                "wrong-type",
                f"{name}: {key} is a whole number from {least} to {most}",
                f"type {key} = 2",
            )
    points = data.get("points")
    if isinstance(points, Mapping) and not (
        _by_number(points) if data.get("rule") == "wash" else _by_option(points)
    ):
        raise complaint(
            "points",
            "wrong-type",
            f"{name}: points are a number",
            'type points = 10, or points = { option = "mah-jongg" }',
        )
    if "of_limit" in data and not _is_part(data["of_limit"], section):
        raise complaint(
            "of_limit",
            "wrong-type",
            f"{name}: of_limit is a part of the limit",
            'type of_limit = "1" or "1/2"',
        )
    for key in ("other_score", "special", "even", "no_pair", "east_passes"):
        if key in data and not isinstance(data[key], bool):
            raise complaint(key, "wrong-type", f"{name}: {key} is true or false", f"type {key} = true")
    if "instead_of" in data and not (
        isinstance(data["instead_of"], list) and all(isinstance(one, str) for one in data["instead_of"])
    ):
        raise complaint(
            "instead_of",
            "wrong-type",
            f"{name}: instead_of is a list of ids",
            'type instead_of = ["own-wind"]',
        )
    if section == "settle":
        _check_settling(name, data, complaint)
    if section in ("liability", "excuse"):
        known = "all-from" if section == "liability" else "no-choice"
        if "rule" in data and data["rule"] != known:
            raise complaint(
                "rule", "unknown-rule", f"{name}: there is no rule {data['rule']!r} here", f"type {known}"
            )
        if "rule" not in data and "when" not in data:
            raise complaint("id", "missing-key", f"{name} has no when", 'write when = "…"')
    if section == "shape":
        if "of_limit" not in data and "points" not in data:
            raise complaint(
                "id", "missing-key", f"{name} has no worth", 'write of_limit = "1/2", or points = 200'
            )
        try:
            compile_shape(data["tiles"], CLASS_MASKS)
        except Refused as refused:
            raise complaint(
                "tiles", refused.refusal.code, f"{name}: {refused.refusal.message}", refused.refusal.hint
            ) from None
    if section == "option":
        _check_option(name, data, complaint)


def _by_number(points: Mapping[str, Any]) -> bool:
    """Whether points stand in a table by a number of tiles, as those for washing do."""
    return bool(points) and all(
        key.isascii() and key.isdigit() and len(key) < 3 and type(value) is int and 0 <= value <= 1_000_000
        for key, value in points.items()
    )


def _by_option(points: Mapping[str, Any]) -> bool:
    return set(points) == {"option"} and isinstance(points["option"], str)


def _is_part(value: Any, section: str) -> bool:
    """Whether *value* is a part of the limit: a fraction, and no more than the whole for a hand's score."""
    match = (
        re.fullmatch(r"([0-9]{1,2})(?:/([1-9][0-9]?))?", value, re.ASCII) if isinstance(value, str) else None
    )
    if match is None:
        return False
    return section not in ("limit", "shape") or int(match[1]) <= int(match[2] or 1)


def _check_settling(name: str, data: Mapping[str, Any], complaint: Complaint) -> None:
    """What the settling rules need beside their name."""
    rule = data["rule"]
    if rule not in SETTLE_RULES:
        raise complaint(
            "rule",
            "unknown-rule",
            f"{name}: there is no settling rule {rule!r}",
            did_you_mean(rule, SETTLE_RULES),
        )
    for key, example in SETTLE_RULES[rule].items():
        if key not in data:
            raise complaint("id", "missing-key", f"{name}: {rule} needs {key}", f"write {example}")
    if rule == "wash" and not isinstance(data["points"], Mapping):
        raise complaint(
            "points", "wrong-type", f"{name}: points by the number of heads", SETTLE_RULES[rule]["points"]
        )
    if rule in ("false-win", "long-hand") and "points" not in data and "of_limit" not in data:
        raise complaint(
            "id", "missing-key", f"{name} costs nothing", 'write points = 100, or of_limit = "1/2"'
        )
    if "who" in data and data["who"] not in ("winner", "all"):
        raise complaint(
            "who", "wrong-type", f"{name}: whose score is limited?", 'type who = "winner" or who = "all"'
        )
    seats = data.get("seats", "ESWN")
    if not re.fullmatch("ES?W?N?", seats) or len(seats) < 2:
        raise complaint(
            "seats", "wrong-type", f"{name}: seats are winds in their order, East first", 'type seats = "ESN"'
        )


def _check_option(name: str, data: Mapping[str, Any], complaint: Complaint) -> None:
    kinds = ("flag", "number", "choice", "limit", "group")
    if data["kind"] not in kinds:
        raise complaint(
            "kind", "wrong-type", f"{name}: an option is {', '.join(kinds)}", 'type kind = "flag"'
        )
    useless = {
        "group": ("default", "choices", "default_when"),
        "choice": ("turns_on",),
        "number": ("turns_on",),
    }.get(data["kind"], ("turns_on", "choices"))
    for key in (*useless, "when"):
        if key in data:
            raise complaint(key, "unknown-key", f"{name}: a {data['kind']} has no {key}", f"leave out {key}")
    if data["kind"] == "group":
        turned = data.get("turns_on")
        if not isinstance(turned, list) or not all(isinstance(one, str) for one in turned):
            raise complaint("id", "missing-key", f"{name} turns nothing on", 'write turns_on = ["…"]')
        return
    choices = data.get("choices")
    if data["kind"] in ("choice", "number") and (not isinstance(choices, list) or not choices):
        raise complaint(
            "choices" if choices is not None else "id",
            "missing-key",
            f"{name} has no choices",
            "write choices = [ … ]",
        )
    if not all(isinstance(choice, (str, int)) for choice in choices or ()):
        raise complaint(
            "choices", "wrong-type", f"{name}: choices are words or numbers", "write choices = [10, 20]"
        )
    if data["kind"] == "number" and not all(
        type(choice) is int and 0 <= choice <= 1_000_000 for choice in data["choices"]
    ):
        raise complaint("choices", "wrong-type", f"{name}: choices are numbers", "write choices = [10, 20]")
    wanted = {"limit": "limit", "players": "number"}.get(name, data["kind"])
    if data["kind"] != wanted:
        raise complaint("kind", "wrong-type", f"{name} is a {wanted}", f'type kind = "{wanted}"')
    if name == "players" and not set(data["choices"]) <= {2, 3, 4, 5}:
        raise complaint("choices", "wrong-type", "two to five play", "write choices = [2, 3, 4, 5]")
    cases = data.get("default_when", [])
    if not isinstance(cases, list) or not all(
        isinstance(case, Mapping)
        and set(case) == {"option", "is", "default"}
        and isinstance(case["option"], str)
        for case in cases
    ):
        raise complaint(
            "default_when",
            "wrong-type",
            f"{name}: default_when says what the default is where another option is so",
            'write default_when = [{ option = "players", is = 3, default = 600 }]',
        )
    if "default" not in data:
        raise complaint("id", "missing-key", f"{name} has no default", "write default = …")
    for default in (data["default"], *(case["default"] for case in cases)):
        try:
            option_value(Entry("option", data, Document({}, (), ""), None), default)
        except Refused as refused:
            raise complaint(
                "default", "option-value", refused.refusal.message, refused.refusal.hint
            ) from None
