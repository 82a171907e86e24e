"""Rulebook files read, checked one by one, and joined with those that they extend.

Each check raises the worst fault first; later checks rely on earlier ones. If all faults of a file are wanted, the
faulty parts are left out of later checks.
"""

import contextlib
import os
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER
from mjscore.refusal import Faults, Refusal, Refused, did_you_mean, refuse, whole
from mjscore.rulebook.consistency import check_together, doubts
from mjscore.rulebook.entries import (
    ALIASES,
    FLAG_FOLLOWS,
    RULEBOOKS,
    Definition,
    RuleEntry,
    option_text,
    option_value,
    rulebook_called,
)
from mjscore.rulebook.keys import (
    COMMON,
    HEAD,
    SECTIONS,
    SETTLING_KINDS,
    UNSET,
    Key,
    are_points,
    is_list_of,
    keys_of,
    needed,
    will_do,
)
from mjscore.rulebook.rule import part_of_limit
from mjscore.rulebook.shapes import can_be_made, compile_shape
from mjscore.rulebook.toml_places import Document, NotOurs, read_document, read_file

LONGEST_CHAIN = 20  # rulebooks, each extending the next
_NOTHING = Definition("", "", "", {}, {}, {}, (), "")
_COMMON = tuple(key.name for key in COMMON)
_FOLLOWED = ("drawn", "claimed", "lost")
# by kind of option: the keys that it cannot have
_USELESS = {
    "group": ("default", "choices", "default_when", "when", "least", "most"),
    "choice": ("turns_on", "when", "least", "most"),
    "number": ("turns_on", "when"),
    "flag": ("turns_on", "choices", "when", "least", "most"),
    "limit": ("turns_on", "choices", "when", "least", "most"),
}


def faults_in(
    name: str, shipped: Callable[[str], Definition], bound: Callable[[Definition], object]
) -> tuple[list[Refusal], list[Refusal]]:
    """Return all faults of the rulebook file *name*, and warnings, in the order of its lines.

    Warnings, and faults that appear only when it is *bound*, are looked for if there are no other faults.
    """
    faults, doubtful = Faults(keep=True), Faults(keep=True)
    with faults.noted():
        definition = read(name, "", (), shipped, faults)
        if not faults.kept:
            bound(definition)
            doubtful.kept += doubts(definition)
    return faults.in_order(), doubtful.in_order()


def read(
    name: str, folder: str, seen: tuple[str, ...], shipped: Callable[[str], Definition], faults: Faults
) -> Definition:
    """Return the rulebook *name*, joined with those that it extends.

    *seen* are the files that extend it, *shipped* returns a shipped rulebook. Faults in its own file are added to
    *faults*; any other raises Refused.
    """
    name = rulebook_called(name)
    if seen and name in RULEBOOKS:
        return shipped(name)
    document = _rulebook(name, folder, faults)
    head = document.at()
    above = (*seen, os.path.realpath(document.path))
    if above[-1] in seen:
        chain = " → ".join(Path(path).stem for path in above)
        raise head.refused("extends", "extends-cycle", "circle", chain=chain)
    parent = _NOTHING
    if "extends" in document.data:
        extended = document.data["extends"]
        if len(above) > LONGEST_CHAIN:
            raise head.refused("extends", "extends-cycle", "chain", most=LONGEST_CHAIN)
        try:
            parent = read(extended, os.path.dirname(document.path), above, shipped, Faults())
        except NotOurs as refused:
            unread = refused.unshown
            why = f"{unread.file}: {unread.message}" if unread.file else unread.hint
            raise head.refused("extends", "extends-nothing", "book", extended=extended, why=why) from None
    own = () if name in RULEBOOKS else ((os.path.abspath(document.path), document.text),)
    return replace(_joined(document, parent, faults), files=(*parent.files, *own))


def _rulebook(name: str, folder: str, faults: Faults) -> Document:
    """Return a rulebook's file, its head checked. Raises NotOurs if it is not a rulebook, Refused for other faults."""
    keys: set[str] = set()
    try:
        document = _document(name, folder)
        keys = set(document.data)
        return _check_head(document, faults)
    except Refused as refused:
        if keys >= {"id", "title"} and keys & ({*HEAD, *SECTIONS} - {"id", "title"}):
            raise
        raise NotOurs(refused.refusal, "no-rulebook", "through") from None


def _document(name: str, folder: str) -> Document:
    if name in RULEBOOKS:
        shipped = pkgutil.get_data("mjscore.rulebook", f"books/{name}.toml") or b""
        return read_document(shipped.decode(), f"{name}.toml")
    path = Path(folder, name)
    books = f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml"
    if re.match("[a-z]+://", name):
        raise refuse("no-rulebook", "web", name=name)
    if path.suffix.lower() != ".toml":
        raise refuse("no-rulebook", "name", name=name, near=did_you_mean(name, (*RULEBOOKS, *ALIASES), books))
    large, unread = ("large-rulebook", "large"), ("no-rulebook", "unread")
    return read_file(str(path), "the rulebook file", large, unread, name=name, books=books)


def _joined(document: Document, parent: Definition, faults: Faults) -> Definition:
    """Return a file joined with its *parent*: with options added, entries dropped, changed and added, options set."""
    data, head = document.data, document.at()
    entries, options, defaults = dict(parent.entries), dict(parent.options), dict(parent.defaults)
    dropped: list[RuleEntry] = []
    broken: set[str] = set()  # entries with faults of their own

    def no_entry(name: str) -> str:
        if any(entry.id == name for entry in dropped):
            return "it is already dropped: leave it out of drop, or list it once"
        if name in options:
            return f"{name} is an option: set it under [options]"
        return did_you_mean(name, entries)

    _add(document, "option", options, faults, broken)
    for number, name in enumerate(data.get("drop", ())):
        with faults.noted():
            if name not in entries:
                at = ("drop", number)
                raise head.refused(at, "unknown-entry", "dropped", name=name, near=no_entry(name))
            dropped.append(entries.pop(name))
    for name, changes in data.get("change", {}).items():
        place = document.at("change", name)
        with faults.noted():
            if name not in entries:
                raise place.refused("", "unknown-entry", "changed", name=name, near=no_entry(name))
            changing = replace(entries[name], place=place, changed=True)
            _check_change(changing, changes)
            becomes = {**changing.data, **_with_source(document, changes)}
            for key in (UNSET, *changes.get(UNSET, ())):
                becomes.pop(key, None)
            before = len(faults.kept)
            _check_values(changed := replace(changing, data=becomes), faults)
            if len(faults.kept) == before:
                entries[name] = changed
    for section in SECTIONS:
        if section != "option":
            _add(document, section, entries, faults, broken)
    place = document.at("options")
    own = {str(option.get("id")) for option in data.get("option", ())}
    for name, value in data.get("options", {}).items():
        with faults.noted():
            if name not in options:
                kind, near = "head" if name in HEAD else "option", did_you_mean(name, options)
                raise place.refused(name, "unknown-option", kind, other=name, near=near)
            try:
                defaults[name] = option_value(options[name], value) if name not in broken else None
                was = parent.defaults.get(name, options[name].data.get("default"))
                if option_text(defaults[name]) != option_text(was) or "default_when" in options[name].data:
                    own.add(name)
            except Refused as refused:
                raise place.moved(name, refused) from None
    after = f"after {parent.book.removeprefix('after ')}" if parent.book else data["title"]
    definition = Definition(
        data["id"],
        data["title"],
        data.get("book", after),
        entries,
        options,
        defaults,
        (*parent.lineage, data["id"]),
        document.path,
        tuple(dropped),
        frozenset(own),
        data.get("table", parent.table),
    )
    check_together(definition, document, faults, broken)
    return definition


def _add(
    document: Document, section: str, entries: dict[str, RuleEntry], faults: Faults, broken: set[str]
) -> None:
    """Add a section's entries to *entries*, or in place of those that they replace, and faults to *faults*.

    A faulty entry is added too, and its id to *broken*, so that references to it are no further faults.
    """
    kind = "option" if section == "option" else "entry"
    for index, written in enumerate(document.data.get(section, ())):
        entry = RuleEntry(section, _with_source(document, written), document.at(section, index))
        before = len(faults.kept)
        with faults.noted():
            _check_entry(entry, faults)
            replaced = entry.data.get("replaces")
            if isinstance(replaced, str):
                if replaced not in entries:
                    near = did_you_mean(replaced, entries)
                    raise entry.refused("replaces", f"unknown-{kind}", "replaced", other=replaced, near=near)
                del entries[replaced]
                entry = replace(entry, changed=True)
            if entry.id in entries:
                there = entries[entry.id].place.find("id")
                raise entry.refused("id", "clash", "id", what=kind, path=there.file, line=there.line)
        if len(faults.kept) == before:
            entries[entry.id] = entry
        elif isinstance(entry.data.get("id"), str):
            broken.add(entry.id)
            entries.setdefault(entry.id, entry)


def _with_source(document: Document, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry's data; if it has no source, the file's title is its source."""
    return {**data, "source": data.get("source", document.data["title"])}


def _check_change(entry: RuleEntry, changes: Any) -> None:
    """Raise Refused if ``[change.id]`` has keys of another section, or removes absent or required ones."""
    if not isinstance(changes, Mapping) or not changes:
        raise entry.refused("", "wrong-type", "change")
    allowed = [UNSET, *(key for key in keys_of(entry.section) if key not in ("id", "replaces"))]
    for key in changes:
        if key not in allowed:
            raise entry.refused(key, "unknown-key", "change", near=did_you_mean(key, allowed))
    unset = changes.get(UNSET, [])
    if not is_list_of(str, unset):
        example = unset if str(unset) in entry.data else "when"
        raise entry.refused(UNSET, "wrong-type", "unset", example=example)
    compulsory = ("id", "title", "source", *needed(entry.section))
    loose = [key for key in entry.data if key not in (*compulsory, "replaces")]
    for key in unset:
        if key in compulsory or key not in loose or key in changes:
            kind = "needed" if key in compulsory else "written" if key in loose else "not-there"
            has = f"it has {', '.join(loose)}" if loose else "it has only required keys"
            raise entry.refused(UNSET, "cannot-unset", kind, unset=key, near=did_you_mean(key, loose, has))


def _check_head(document: Document, faults: Faults) -> Document:
    """Return the document with only the valid keys of its head; a missing id or title is the file's name."""
    head, sections = document.at(), [f"[[{section}]]" for section in SECTIONS]
    sound: dict[str, Any] = {}
    for key, value in document.data.items():
        known = HEAD.get(key)
        with faults.noted():
            if known is not None and not will_do(value, known.schema):
                raise head.refused(key, "wrong-type", "head", says=known.says, example=known.example)
            if key in SECTIONS and not is_list_of(dict, value):
                raise head.refused(key, "wrong-type", "section")
            if known is None and key not in SECTIONS:
                is_section = isinstance(value, (list, dict))
                near = did_you_mean(f"[[{key}]]", sections, f"the sections are {', '.join(sections)}")
                near = near if is_section else did_you_mean(key, (*HEAD, *SECTIONS))
                raise head.refused(key, "unknown-key", "section" if is_section else "head", near=near)
            sound[key] = value
    for key in ("id", "title"):
        with faults.noted():
            if key not in document.data:
                raise head.refused(key, "missing-key", "head")
        sound.setdefault(key, Path(document.path).stem)
    return document._replace(data=sound)


def _check_entry(entry: RuleEntry, faults: Faults) -> None:
    """Check that an entry has the keys and values of its section; add faults to *faults*, or raise Refused."""
    data, section = entry.data, entry.section
    known = keys_of(section)
    if not isinstance(data.get("id"), str) or not data["id"]:
        raise entry.place.refused("id", "missing-key", "id", section=section)
    before = len(faults.kept)
    near = {key: did_you_mean(key, known) for key in data if key not in known}
    for key in near:
        with faults.noted():
            raise entry.refused(key, "unknown-key", "of-the-head" if key in HEAD else "entry", near=near[key])
    for key in ("title", *needed(section)):
        with faults.noted():
            if key not in data and f"did you mean {key}?" not in near.values():
                raise entry.refused("id", "missing-key", "title" if key == "title" else "entry", lacks=key)
    _check_values(entry, faults, before)


def _check_values(entry: RuleEntry, faults: Faults, before: int | None = None) -> None:
    """Note wrong values in *faults*; with no more there than *before* (or now), raise Refused if they clash."""
    data = entry.data
    before = len(faults.kept) if before is None else before
    for key in ("title", "source"):
        with faults.noted():
            if key in data and (not isinstance(data[key], str) or not data[key].strip()):
                raise entry.refused(key, "missing-key" if key == "title" else "missing-source", "empty")
    for key, known in keys_of(entry.section).items():
        with faults.noted():
            _check_value(entry, key, known)
    if len(faults.kept) > before:
        return
    points = data.get("points")
    if isinstance(points, Mapping) and not _are_points(points, data.get("rule") == "wash"):
        raise entry.refused("points", "wrong-type", "points")
    match entry.section:
        case "option":
            _check_option(entry)
        case "settle":
            _check_settling(entry)
        case "flag":
            _check_flag(entry)
        case "after" | "limit" | "shape":
            _check_worth(entry)
        case "liability" | "excuse" if "rule" not in data and "when" not in data:
            raise entry.refused("id", "missing-key", "condition")


def _check_value(entry: RuleEntry, key: str, known: Key) -> None:
    """Raise Refused if the entry has this key with a value of the wrong kind."""
    value = entry.data.get(key)
    if key not in entry.data or will_do(value, known.schema):
        return
    if key == "rule":
        near = did_you_mean(str(value), known.schema["enum"])
        raise entry.refused(key, "unknown-rule", "entry", says=known.says, near=near)
    kind = "cost" if key == "points" and type(value) is int and value < 0 else "value"
    nearly = _part_nearly(value) if key == "of_limit" else ""
    if isinstance(value, str) and re.fullmatch("[0-9]{1,6}", value) and will_do(int(value), known.schema):
        nearly = f"{key} = {int(value)}, without quotes"
    raise entry.refused(key, "wrong-type", kind, says=known.says, example=nearly or known.example)


def _part_nearly(value: object) -> str:
    """Return what to type for a fraction of the limit that was written as a decimal number; empty if none."""
    if re.fullmatch(r"\d{0,3}(\.\d{1,9})?(/\d{1,9})?", str(value), re.ASCII):
        from fractions import Fraction

        with contextlib.suppress(ValueError, ZeroDivisionError):
            part = Fraction(str(value)).limit_denominator(99)
            return f'of_limit = "{part}"' if 0 < part < 100 else ""
    return ""


def _are_points(points: Mapping[str, Any], of_a_wash: bool) -> bool:
    """Return whether a table of points names an option or, for a wash, gives points by number of heads."""
    if not of_a_wash:
        return set(points) == {"option"} and isinstance(points["option"], str)
    heads = [re.fullmatch("[0-9]{1,2}", key) for key in points]
    return bool(points) and all(heads) and all(map(are_points, points.values()))


def _check_worth(entry: RuleEntry) -> None:
    """Raise Refused unless an entry gives exactly one thing that fits its section, and its tiles can be a hand."""
    data = entry.data
    known = [key for key in ("of_limit", "points", "doubles") if key in keys_of(entry.section)]
    worths = [key for key in known if key in data]
    if len(worths) != 1:
        key, kind = (worths[1], "several") if worths else ("id", "none")
        raise entry.refused(key, "one-worth", kind, worths=" and ".join(worths), known=", ".join(known))
    if data.get("doubles") == 0:
        raise entry.refused("doubles", "wrong-type", "no-doubles")
    above, below = part_of_limit(data.get("of_limit", "1")) or (0, 1)
    if above > below and entry.section == "after":
        raise entry.refused("of_limit", "wrong-type", "more-than-limit")
    if entry.section == "shape":
        tiles = data["tiles"]
        try:
            if not any(map(can_be_made, compile_shape(tiles))):
                raise refuse("impossible-shape", "tiles", at=whole(tiles))
        except Refused as refused:
            raise entry.place.moved("tiles", refused, entry.id) from None


def _check_word(entry: RuleEntry) -> None:
    """Raise Refused unless the id of an option or a penalty can be typed as one word."""
    if not re.fullmatch(r"[\w.-]+", entry.id):
        fit = re.sub(r"[^\w.-]+", "-", entry.id).strip("-").lower() or "house-rule"
        raise entry.refused("id", "wrong-type", "word", typed=entry.id[:40], fit=fit)


def _check_settling(entry: RuleEntry) -> None:
    data, kind = entry.data, entry.data["rule"]
    _, needs, takes = SETTLING_KINDS[kind]
    reads = ("rule", *needs, *takes)
    for key in keys_of("settle"):
        if key in data and key not in _COMMON and key not in reads:
            raise entry.refused(key, "unknown-key", "settling", sort=kind, near=did_you_mean(key, reads))
    if kind == "penalty":
        _check_word(entry)
    for key in [key for key in needs if key not in data]:
        raise entry.refused("id", "missing-key", "settling", sort=kind, lacks=key, example=needs[key])
    if kind == "wash" and not isinstance(data["points"], Mapping):
        raise entry.refused("points", "wrong-type", "wash", example=needs["points"])
    if "paid" in takes and "points" not in data and "of_limit" not in data:
        raise entry.refused("id", "missing-key", "cost")
    if kind != "penalty" and data.get("paid") == "named":
        raise entry.refused("paid", "wrong-type", "paid")
    if not re.fullmatch("E(S?W?N|S?W|S)", data.get("seats", "ESWN")):
        raise entry.refused("seats", "wrong-type", "seats")


def _check_flag(entry: RuleEntry) -> None:
    name, follows = entry.id, entry.data.get("follows", FLAG_FOLLOWS)
    if not re.fullmatch("[a-z]+", name) or name in FLAG_CLAUSES or name in FLAGS_OF_A_LOSER:
        raise entry.refused("id", "bad-flag", "entry")
    if not follows or not set(follows) <= set(_FOLLOWED):
        raise entry.refused("follows", "wrong-type", "follows", known=", ".join(_FOLLOWED))


def _check_option(entry: RuleEntry) -> None:
    name, data = entry.id, entry.data
    kind = data["kind"]
    _check_word(entry)
    for key in [key for key in _USELESS[kind] if key in data]:
        raise entry.refused(key, "unknown-key", "option", sort=kind)
    if kind == "group" and is_list_of(str, data.get("turns_on")):
        return
    if kind == "group":
        raise entry.refused("id", "missing-key", "turns-on")
    if kind in ("choice", "number"):
        _check_choices(entry)
    wanted = {"limit": "limit", "players": "number"}.get(name, kind)
    if kind != wanted:
        raise entry.refused("kind", "wrong-type", "kind", wanted=wanted)
    if name == "players" and not set(data["choices"]) <= {2, 3, 4, 5}:
        raise entry.refused("choices", "wrong-type", "players")
    _check_defaults(entry)


def _check_choices(entry: RuleEntry) -> None:
    """Raise Refused unless an option has valid choices or, if a number but not ``players``, a valid range."""
    data, kind, choices = entry.data, entry.data["kind"], entry.data.get("choices")
    if kind == "number" and entry.id != "players" and choices is None and "least" in data and "most" in data:
        if data["least"] > data["most"]:
            raise entry.refused("least", "wrong-type", "least")
        return
    for key in [key for key in ("least", "most") if key in data]:
        raise entry.refused(key, "missing-key", "least-and-most")
    if not isinstance(choices, list) or not choices:
        raise entry.refused("choices" if choices is not None else "id", "missing-key", "choices")
    if not all(type(choice) is int or (isinstance(choice, str) and choice.strip()) for choice in choices):
        raise entry.refused("choices", "wrong-type", "choices", what="words or numbers")
    if kind == "number" and not all(map(are_points, choices)):
        raise entry.refused("choices", "wrong-type", "choices", what="numbers")


def _check_defaults(entry: RuleEntry) -> None:
    data, cases = entry.data, entry.data.get("default_when", [])
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
