"""Rulebook files read and joined with those that they extend."""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.consistency import check_together
from mjscore.rulebook.entries import ALIASES, RULEBOOKS, Definition, Entry, option_value, rulebook_called
from mjscore.rulebook.keys import SECTIONS, UNSET, is_list_of, keys_of, needed
from mjscore.rulebook.schema import check_head, check_values, checked_entry, with_source
from mjscore.rulebook.toml_places import Document, read_document, read_file

LONGEST_CHAIN = 20  # rulebooks that extend one another
_NO_RULEBOOK = ("no-rulebook", "bad-toml", "not-utf-8", "large-rulebook")
_NOTHING = Definition("", "", "", {}, {}, {}, (), "")


def read(name: str, folder: str, seen: tuple[str, ...], kept: Callable[[str], Definition]) -> Definition:
    """Read the rulebook *name* and join it with what it extends; *seen* are those that extend it, and *kept* gives one
    that comes along. Raises Refused.
    """
    name = rulebook_called(name)
    if seen and name in RULEBOOKS:
        return kept(name)
    document = _document(name, folder)
    head = document.at()
    above = (*seen, os.path.realpath(document.path) if name not in RULEBOOKS else name)
    if above[-1] in seen:
        chain = " → ".join(os.path.splitext(os.path.basename(path))[0] for path in above)
        raise head.refused("extends", "extends-cycle", "circle", chain=chain)
    check_head(document)
    if "extends" not in document.data:
        return _joined(document, _NOTHING)
    extended = str(document.data["extends"])
    if len(above) > LONGEST_CHAIN:
        raise head.refused("extends", "extends-cycle", "chain", most=LONGEST_CHAIN)
    try:
        parent = read(extended, os.path.dirname(document.path), above, kept)
    except Refused as refused:
        refusal = refused.refusal
        if refusal.code not in _NO_RULEBOOK:
            raise
        # what stands in a file that is no rulebook is nobody's business
        place = refusal.file + (f", line {refusal.line}" if refusal.line else "")
        why = f"{place}: {refusal.message}" if place else refusal.hint
        raise head.refused("extends", "extends-nothing", "book", extended=extended, why=why) from None
    return _joined(document, parent)


def _document(name: str, folder: str) -> Document:
    if name in RULEBOOKS:
        shipped = pkgutil.get_data("mjscore.rulebook", f"books/{name}.toml")
        assert shipped is not None
        return read_document(shipped.decode(), f"{name}.toml")
    path = Path(folder, name)
    books = f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml"
    if path.suffix != ".toml":
        raise refuse("no-rulebook", "name", name=name, near=did_you_mean(name, (*RULEBOOKS, *ALIASES), books))
    large, unread = ("large-rulebook", "large"), ("no-rulebook", "unread")
    return read_file(str(path), "the rulebook file", large, unread, name=name, books=books)


def _joined(document: Document, parent: Definition) -> Definition:
    """Join a file with the rulebook that it extends: options, entries dropped, changed and added, options set."""
    data, head = document.data, document.at()
    entries, options, defaults = dict(parent.entries), dict(parent.options), dict(parent.defaults)
    dropped: list[Entry] = []

    def no_entry(name: str) -> str:
        if any(entry.id == name for entry in dropped):
            return "it is dropped: leave it out of drop, or say it once"
        if name in options:
            return f"{name} is an option: write what it is to be under [options]"
        return did_you_mean(name, entries)

    for index, option in enumerate(data.get("option", ())):
        _add(checked_entry(document, "option", index, option), options, "option")
    for number, name in enumerate(data.get("drop", ())):
        if name not in entries:
            raise head.refused(("drop", number), "unknown-entry", "dropped", name=name, near=no_entry(name))
        dropped.append(entries.pop(name))
    for name, changes in data.get("change", {}).items():
        place = document.at("change", name)
        if name not in entries:
            raise place.refused("", "unknown-entry", "changed", name=name, near=no_entry(name))
        changing = Entry(entries[name].section, entries[name].data, place, changed=True)
        _check_change(changing, changes)
        left = {key: value for key, value in changing.data.items() if key not in changes.get(UNSET, ())}
        becomes = with_source(document, {key: value for key, value in changes.items() if key != UNSET})
        entries[name] = changing._replace(data={**left, **becomes})
        check_values(entries[name])
    for section in SECTIONS:
        for index, written in enumerate(data.get(section, ()) if section != "option" else ()):
            _add(checked_entry(document, section, index, written), entries, "entry")
    place = document.at("options")
    for name, value in data.get("options", {}).items():
        if name not in options:
            near = did_you_mean(name, options)
            raise place.refused(name, "unknown-option", "option", other=name, near=near)
        try:
            defaults[name] = option_value(options[name], value)
        except Refused as refused:
            raise place.moved(name, refused) from None
    book = str(data.get("book", data["title"]))
    if "book" not in data and parent.book:
        book = parent.book if parent.book.startswith("after ") else f"after {parent.book}"
    definition = Definition(
        str(data["id"]),
        str(data["title"]),
        book,
        entries,
        options,
        defaults,
        (*parent.lineage, str(data["id"])),
        document.path,
        tuple(dropped),
        frozenset([*(str(option["id"]) for option in data.get("option", ())), *data.get("options", {})]),
    )
    check_together(definition, document)
    return definition


def _add(entry: Entry, entries: dict[str, Entry], kind: str) -> None:
    """Put an entry, or an option, beside the others, or in the place of the one that it replaces."""
    replaced = entry.data.get("replaces")
    if replaced is not None:
        if replaced not in entries:
            code = "unknown-option" if kind == "option" else "unknown-entry"
            near = did_you_mean(replaced, entries)
            raise entry.refused("replaces", code, "replaced", other=replaced, near=near)
        del entries[replaced]
        entry = entry._replace(changed=True)
    if entry.id in entries:
        other = entries[entry.id]
        line = other.place.find("id").line
        raise entry.refused("id", "clash", "id", what=kind, path=other.document.path, line=line)
    entries[entry.id] = entry


def _check_change(entry: Entry, changes: Any) -> None:
    """Check a table ``[change.id]``: it has keys of the section, and takes away what can be done without."""
    if not isinstance(changes, Mapping) or not changes:
        raise entry.refused("", "wrong-type", "change")
    allowed = [UNSET, *(key for key in keys_of(entry.section) if key not in ("id", "replaces"))]
    for key in changes:
        if key not in allowed:
            raise entry.refused(key, "unknown-key", "change", near=did_you_mean(key, allowed))
    unset = changes.get(UNSET, [])
    if not is_list_of(str, unset):
        raise entry.refused(UNSET, "wrong-type", "unset")
    kept = ("id", "title", "source", *needed(entry.section))
    loose = [key for key in entry.data if key not in (*kept, "replaces")]
    for key in unset:
        if key in kept:
            raise entry.refused(UNSET, "cannot-unset", "needed", unset=key)
        if key not in loose:
            has = f"it has {', '.join(loose)}" if loose else "it has only what it needs"
            raise entry.refused(
                UNSET, "cannot-unset", "not-there", unset=key, near=did_you_mean(key, loose, has)
            )
        if key in changes:
            raise entry.refused(UNSET, "cannot-unset", "written", unset=key)
