"""Rulebook files read and joined with those that they extend; what entries say of each other is checked."""

from __future__ import annotations

import json
import os
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.conditions import Name, Node, Vocabulary, check_condition, most, names_in, words_of
from mjscore.rulebook.contradictions import never_holds
from mjscore.rulebook.entries import (
    ALIASES,
    CONDITIONS,
    RULEBOOKS,
    Definition,
    Entry,
    option_value,
    parsed,
    placed,
    rulebook_called,
)
from mjscore.rulebook.facts import HAND_VOCABULARY, OPTION_VOCABULARY, SET_VOCABULARY, patterns
from mjscore.rulebook.keys import SECTIONS, UNSET, is_list_of, keys_of, needed
from mjscore.rulebook.schema import (
    Fault,
    check_head,
    checked_entry,
    faults_of_values,
    refuse_first,
    with_source,
)
from mjscore.rulebook.toml_places import Document, read_document, read_file

LONGEST_CHAIN = 20  # rulebooks that extend one another
_NO_RULEBOOK = ("no-rulebook", "bad-toml", "not-utf-8", "large-rulebook")
_NOTHING = Definition("", "", "", {}, {}, {}, (), "")


def read(name: str, folder: str, seen: tuple[str, ...]) -> Definition:
    """Read the rulebook *name* and join it with what it extends; *seen* are those that extend it. Raises Refused."""
    name = rulebook_called(name)
    document = _document(name, folder)
    head = document.at()
    above = (*seen, os.path.realpath(document.path) if name not in RULEBOOKS else name)
    if above[-1] in seen:
        chain = " → ".join(os.path.splitext(os.path.basename(path))[0] for path in above)
        message = f"the rulebooks extend each other in a circle: {chain}"
        raise head.refused("extends", "extends-cycle", message, "one of them must not extend another")
    check_head(document)
    if "extends" not in document.data:
        return _joined(document, _NOTHING)
    extended = str(document.data["extends"])
    if len(above) > LONGEST_CHAIN:
        message = f"more than {LONGEST_CHAIN} rulebooks extend each other in a row"
        hint = "let one of them extend a rulebook further up"
        raise head.refused("extends", "extends-cycle", message, hint)
    try:
        parent = read(extended, os.path.dirname(document.path), above)
    except Refused as refused:
        refusal = refused.refusal
        if refusal.code not in _NO_RULEBOOK:
            raise
        # what stands in a file that is no rulebook is nobody's business
        message = f"it extends {extended!r}, which is no rulebook"
        place = refusal.file + (f", line {refusal.line}" if refusal.line else "")
        hint = f"{place}: {refusal.message}" if place else refusal.hint
        raise head.refused("extends", "extends-nothing", message, hint) from None
    return _joined(document, parent)


def _document(name: str, folder: str) -> Document:
    if name in RULEBOOKS:
        shipped = pkgutil.get_data("mjscore.rulebook", f"books/{name}.toml")
        assert shipped is not None
        return read_document(shipped.decode(), f"{name}.toml")
    books = f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml"
    path = Path(folder, name)
    if path.suffix != ".toml":
        hint = did_you_mean(name, (*RULEBOOKS, *ALIASES), books)
        raise refuse("no-rulebook", f"there is no rulebook {name!r}", hint)
    codes, said = ("large-rulebook", "no-rulebook"), f"the rulebook file {name!r}"
    return read_file(str(path), "the rulebook file", codes, said, books)


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
            message = f"it drops {name!r}, which is no entry"
            raise head.refused(("drop", number), "unknown-entry", message, no_entry(name))
        dropped.append(entries.pop(name))
    for name, changes in data.get("change", {}).items():
        place = document.at("change", name)
        if name not in entries:
            message = f"it changes {name!r}, which is no entry"
            raise place.refused("", "unknown-entry", message, no_entry(name))
        refuse_first(place, _faults_of_change(entries[name], changes))
        left = {key: value for key, value in entries[name].data.items() if key not in changes.get(UNSET, ())}
        becomes = with_source(document, {key: value for key, value in changes.items() if key != UNSET})
        entries[name] = Entry(entries[name].section, {**left, **becomes}, place, changed=True)
        refuse_first(place, faults_of_values(entries[name]))
    for section in SECTIONS:
        for index, written in enumerate(data.get(section, ()) if section != "option" else ()):
            _add(checked_entry(document, section, index, written), entries, "entry")
    place = document.at("options")
    for name, value in data.get("options", {}).items():
        refuse_first(place, _unless_known(name, options, name, f"there is no option {name!r}"))
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
    for entry in options.values():
        refuse_first(entry.place, _faults_of_option(entry, options))
    _check_conditions(definition, document)
    _check_doubles(definition)
    _check_they_can_hold(definition, document)
    return definition


def _unless_known(
    name: str, known: Iterable[str], key: str, message: str, code: str = "unknown-option"
) -> Iterator[Fault]:
    """Find fault, at *key*, with a name that is not among those known."""
    if name not in known:
        yield key, code, message, did_you_mean(name, known)


def _add(entry: Entry, entries: dict[str, Entry], kind: str) -> None:
    """Put an entry, or an option, beside the others, or in the place of the one that it replaces."""
    replaced = entry.data.get("replaces")
    if replaced is not None:
        message = f"{entry.id} replaces {replaced!r}, which is no {kind}"
        refuse_first(entry.place, _unless_known(replaced, entries, "replaces", message, f"unknown-{kind}"))
        del entries[replaced]
        entry = entry._replace(changed=True)
    if entry.id in entries:
        other = entries[entry.id]
        message = f"there is an {kind} {entry.id} already ({other.document.path}, line {other.place.find('id')[0].line})"
        hint = f'say replaces = "{entry.id}" to put this one in its place, or give it another id'
        raise entry.place.refused("id", "clash", message, hint)
    entries[entry.id] = entry


def _faults_of_change(entry: Entry, changes: Any) -> Iterator[Fault]:
    """Find what is amiss with a table ``[change.id]``: it has keys of the section, and takes away what can be done without."""
    name, section = entry.id, entry.section
    if not isinstance(changes, dict) or not changes:
        hint = f"write what it becomes under [change.{name}]"
        yield "", "wrong-type", f"{name} is not changed in anything", hint
    allowed = [UNSET, *(key for key in keys_of(section) if key not in ("id", "replaces"))]
    for key in changes:
        yield from _unless_known(
            key, allowed, key, f"{name}: a {section} has no {key!r} to change", "unknown-key"
        )
    unset = changes.get(UNSET, [])
    if not is_list_of(str, unset):
        yield UNSET, "wrong-type", f"{name}: {UNSET} is a list of keys", f'type {UNSET} = ["when"]'
    kept = ("id", "title", "source", *needed(section))
    loose = [key for key in entry.data if key not in (*kept, "replaces")]
    for key in unset:
        if key in kept:
            hint = f'write what it becomes, {key} = …, or do without the entry: drop = ["{name}"]'
            yield UNSET, "cannot-unset", f"{name}: a [[{section}]] cannot do without {key}", hint
        if key not in loose:
            has = f"it has {', '.join(loose)}" if loose else "it has only what it needs"
            hint = did_you_mean(key, loose, has)
            yield UNSET, "cannot-unset", f"{name} has no {key!r} to take away", hint
        if key in changes:
            hint = f"leave it out of {UNSET}: what is written takes the place of what was there"
            yield UNSET, "cannot-unset", f"{name}: {key} is taken away, and written too", hint


def _faults_of_option(entry: Entry, options: Mapping[str, Entry]) -> Iterator[Fault]:
    """Find what is amiss where an option speaks of others: they must be there, and flags where they are turned on."""
    name, data = entry.id, entry.data
    flags = [flag for flag, option in options.items() if option.data["kind"] == "flag"]
    for other in data.get("turns_on", ()):
        message = f"{name} turns on {other!r}, which is no option that is on or off"
        yield from _unless_known(other, flags, "turns_on", message)
    others = [other for other in options if other != name]
    for key in ("needs", "not_with"):
        if key in data:
            message = f"{name}: {key} names {data[key]!r}, which is no other option"
            yield from _unless_known(data[key], others, key, message)
    for case in data.get("default_when", ()):
        other = case["option"]
        yield from _unless_known(other, options, "default_when", f"there is no option {other!r}")


# What is known only when a hand's waits and its score are: a special hand cannot ask for it.
NOT_OF_A_SHAPE = (
    *("only_place", "only_wait", "waiting", "waiting_for", "scores_only", "special"),
    *("doubles", "waiting_doubles", "score", "doublings"),
)
NOT_OF_A_WIN = ("waiting", "waiting_for", "scores_only", "waiting_doubles")
ONLY_OF_A_WIN = ("score", "doublings")
# Known only of a hand that has been counted: what counts it cannot ask for them.
AFTER_COUNTING = ("doubles", "waiting_doubles")
# facts that ask about entries: what these are called, and their sections; of a special or a limit hand tiles alone decide
_NAMING = {
    "scores_only": ("entry", tuple(SECTIONS)),
    "waiting_for": ("special or limit hand", ("shape", "limit")),
    "flag": ("[[flag]]", ("flag",)),
}
_AFTER_ALL_SETS = ("bonus", "double", "after", "limit")
# What the value of an option is in a condition, by the option's kind.
_VALUE_OF = {"flag": "boolean", "number": "number", "choice": "text", "limit": "limit", "group": "group"}


def _check_conditions(definition: Definition, document: Document) -> None:
    """Conditions name facts and options that there are, and entries name others that there are."""
    kinds = {name: _VALUE_OF[str(entry.data["kind"])] for name, entry in definition.options.items()}

    def without(*names: str) -> Vocabulary:
        facts = {name: fact for name, fact in HAND_VOCABULARY.facts.items() if name not in names}
        return HAND_VOCABULARY._replace(facts=facts, options=kinds)

    others = without(*ONLY_OF_A_WIN)
    vocabularies = {
        "set": SET_VOCABULARY._replace(options=kinds),
        "settle": OPTION_VOCABULARY._replace(options=kinds),
        "flag": OPTION_VOCABULARY._replace(options=kinds),
        "win": without(*NOT_OF_A_WIN),
        "shape": without(*NOT_OF_A_SHAPE),
        **dict.fromkeys(_AFTER_ALL_SETS, without(*ONLY_OF_A_WIN, *AFTER_COUNTING)),
    }
    numbers = [name for name, kind in kinds.items() if kind == "number"]
    for entry in definition.entries.values():
        vocabulary = vocabularies.get(entry.section, others)
        for key, wanted in CONDITIONS.items():
            if key not in entry.data:
                continue
            node = parsed(entry, key)
            try:
                with placed(entry, key):
                    check_condition(node, vocabulary, wanted)
                    for name in names_in(node):
                        _check_words(name, definition.entries)
            except Refused as refused:
                missing = [word for word in _entries_named(node) if word not in definition.entries]
                if not missing:
                    raise _elsewhere(refused, node, entry, vocabulary) from None
                _refuse_taken_away(missing[0], entry, definition, document)
                raise
        refuse_first(entry.place, _faults_of_names(entry, definition, document, numbers))


def _faults_of_names(
    entry: Entry, definition: Definition, document: Document, numbers: list[str]
) -> Iterator[Fault]:
    """Find entries and options that an entry names outside its conditions, and that there are not, or not of such a kind."""
    data, section, entries = entry.data, entry.section, definition.entries
    named = [("instead_of", name) for name in data.get("instead_of", ())]
    if "points_of" in data:
        named.append(("points_of", data["points_of"]))
    # what a set is worth is found out apart from the rest
    together = _AFTER_ALL_SETS if section in _AFTER_ALL_SETS else (section,)
    for key, name in named:
        if name not in entries:
            _refuse_taken_away(name, entry, definition, document)
            message = f"{entry.id} names {name!r}, which is no entry"
            yield key, "unknown-entry", message, did_you_mean(name, entries)
        if key == "instead_of" and name == entry.id:
            hint = "leave it out, or name the entry whose place it takes"
            yield key, "wrong-type", f"{name} would take the place of itself", hint
        if key == "instead_of" and entries[name].section not in together:
            other = f"{name}, which is a [[{entries[name].section}]]"
            hint = f'say in its condition where {name} is not given, or do without it: drop = ["{name}"]'
            yield key, "wrong-type", f"{entry.id}: a [[{section}]] cannot take the place of {other}", hint
    points = data.get("points")
    if isinstance(points, Mapping) and "option" in points:
        message = f"there is no option {points['option']!r} that is a number"
        yield from _unless_known(points["option"], numbers, "points", message)


_SEES = {
    "set": ("sees one set", "write it as a [[bonus]] or a [[double]]"),
    "shape": ("is looked at before it is counted", "leave it out: a special hand is what its tiles are"),
    "win": ("is asked of a hand that won", "write it as an entry of its own"),
    "settle": ("sees options alone", "write it as an entry that scores"),
    "flag": ("sees options alone", "ask for the flag in an entry that scores"),
}


def _elsewhere(refused: Refused, node: Node, entry: Entry, vocabulary: Vocabulary) -> Refused:
    """Say, where a condition names a fact that there is, but not in such a section, what the section sees."""
    unknown = next((name.name for name in names_in(node) if name.name not in vocabulary.facts), "")
    known = HAND_VOCABULARY.facts.keys() | SET_VOCABULARY.facts.keys()
    if refused.refusal.code != "unknown-name" or unknown not in known:
        return refused
    if entry.section in _SEES:
        sees, hint = _SEES[entry.section]
        message = f"a [[{entry.section}]] {sees}, and cannot ask for {unknown}"
        near = did_you_mean(unknown, vocabulary.facts, "")
        hint = f"{hint}; {near}" if near else hint
    elif unknown in AFTER_COUNTING:
        message = (
            f"a [[{entry.section}]] is looked at before the doubles are known, and cannot ask for {unknown}"
        )
        hint = "only a [[win]] and those who pay for others ask for doubles"
    else:
        section = "[[win]]" if unknown in ONLY_OF_A_WIN else "[[set]]"
        message, hint = f"only a {section} asks for {unknown}", f"write it as a {section}"
    return Refused(refused.refusal._replace(message=message, hint=hint))


def _refuse_taken_away(name: str, asking: Entry, definition: Definition, document: Document) -> None:
    """Refuse, at its place, what drops or replaces an entry for which another asks, where something does."""
    dropped = list(document.data.get("drop", ()))
    if name in dropped:
        message = f"it drops {name!r}, for which {asking.id} asks"
        more = [*dropped, *_needing(dropped, definition)]
        hint = f"drop what asks for it too: drop = {json.dumps(more)}; or change it: [change.{asking.id}]"
        raise document.at().refused(("drop", dropped.index(name)), "needed-entry", message, hint)
    hint = f"keep {name}, or change {asking.id} as well: [change.{asking.id}]"
    for entry in definition.entries.values():
        if entry.data.get("replaces") == name and entry.document.path == document.path:
            message = f"{entry.id} takes the place of {name!r}, for which {asking.id} asks"
            raise entry.place.refused("replaces", "needed-entry", message, hint)


def _needing(dropped: list[str], definition: Definition) -> list[str]:
    """Find the entries that cannot do without one that is *dropped*, and those that cannot do without these."""
    asked = {
        entry.id: {
            *(word for key in CONDITIONS if key in entry.data for word in _entries_named(parsed(entry, key))),
            *entry.data.get("instead_of", ()),
            entry.data.get("points_of", ""),
        }
        for entry in definition.entries.values()
    }
    found: list[str] = []
    while more := [
        name for name, of in asked.items() if name not in (*dropped, *found) and of & {*dropped, *found}
    ]:
        found += more
    return found


def _entries_named(node: Node) -> list[str]:
    names = (name for name in names_in(node) if name.name in _NAMING)
    return [word for name in names for word in words_of(name.arguments)]


def _check_they_can_hold(definition: Definition, document: Document) -> None:
    """Check the file's own entries: each can hold for some hand, and is a part of a limit only where there is one."""
    limit = definition.options.get("limit")
    limited = limit is not None and (
        definition.defaults.get("limit", limit.data["default"]) not in (None, "none")
        or "default_when" in limit.data
    )
    for entry in definition.entries.values():
        if entry.document.path != document.path:
            continue
        if "of_limit" in entry.data and not limited and ("extends" in document.data or limit is None):
            hint = "write limit = 500 under [options], or points in place of of_limit"
            message = f"{entry.id} is a part of the limit, and there is none"
            raise entry.place.refused("of_limit", "no-limit", message, hint)
        if "when" in entry.data and never_holds(parsed(entry, "when")):
            hint = "look at its and, not and figures; two things that exclude each other are joined by or"
            raise entry.place.refused("when", "never-holds", f"{entry.id} can never hold", hint)


_MOST_DOUBLES = 1000  # a score of three hundred digits; the books have sixty doubles, all told
_MOST_TIMES = 1_000_000


def _check_doubles(definition: Definition) -> None:
    """Check that what a hand can score stays a number that can be worked out and printed."""
    numbers = {
        name: max(entry.data["choices"])
        for name, entry in definition.options.items()
        if entry.data["kind"] == "number"
    }
    total = 0
    for entry in definition.entries.values():
        times = most(parsed(entry, "times"), numbers) if "times" in entry.data else 1
        total += int(entry.data.get("doubles", 0)) * times
        if times > _MOST_TIMES or total > _MOST_DOUBLES:
            key = "times" if "times" in entry.data else "doubles"
            message = f"{entry.id}: so many doubles that a score could not be written down"
            hint = f"all doubles of a rulebook together are {_MOST_DOUBLES} at most"
            raise entry.place.refused(key, "too-many-doubles", message, hint)


def _check_words(fact: Name, entries: Mapping[str, Entry]) -> None:
    """Check the ids and patterns that a fact is asked about. Raises Refused with the fact's column."""
    words = words_of(fact.arguments)
    if fact.name == "held":
        try:
            patterns(words[0])
        except Refused as refused:
            raise Refused(refused.refusal._replace(column=fact.start + 1)) from None
    elif fact.name in _NAMING:
        kind, sections = _NAMING[fact.name]
        known = {name: entry for name, entry in entries.items() if entry.section in sections}
        for word in words:
            if word not in known:
                hint = did_you_mean(word, known, "write it as [[flag]]" if fact.name == "flag" else "")
                raise refuse("unknown-entry", f"there is no {kind} {word!r}", hint, at=fact.place())
    if fact.name == "waiting_for" and entries[words[0]].section == "limit":
        asked = (name.name for name in names_in(parsed(entries[words[0]], "when")))
        for late in (name for name in asked if name in NOT_OF_A_SHAPE):
            message = f"{words[0]} asks for {late}, which is not known of a hand that has not won"
            hint = (
                f"name a hand that its tiles decide, or write its condition without {late} in another entry"
            )
            raise refuse("wrong-arguments", message, hint, at=fact.place())
