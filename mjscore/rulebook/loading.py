"""Rulebook files read and joined with those that they extend; what entries say of each other is checked."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from mjscore.refusal import Refusal, Refused, did_you_mean, refuse
from mjscore.rulebook.conditions import (
    Name,
    Node,
    Vocabulary,
    check_condition,
    most,
    names_in,
    words_of,
)
from mjscore.rulebook.contradictions import never_holds
from mjscore.rulebook.entries import (
    ALIASES,
    RULEBOOKS,
    Definition,
    Entry,
    option_value,
    parsed,
    placed,
    rulebook_called,
)
from mjscore.rulebook.facts import HAND_VOCABULARY, OPTION_VOCABULARY, SET_VOCABULARY, patterns
from mjscore.rulebook.keys import SECTIONS, keys_of, needed
from mjscore.rulebook.schema import UNSET, check_top, checked_entry, checked_values, with_source
from mjscore.rulebook.toml_places import Document, TomlTable, read_document, read_text

LONGEST_CHAIN = 20  # rulebooks that extend one another
_NO_RULEBOOK = ("no-rulebook", "bad-toml", "not-utf-8", "large-rulebook")


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
    check_top(document)
    if "extends" not in document.data:
        return _joined(document, None)
    extended = str(document.data["extends"])
    if len(above) > LONGEST_CHAIN:
        message = f"more than {LONGEST_CHAIN} rulebooks extend each other in a row"
        raise head.refused(
            "extends", "extends-cycle", message, "let one of them extend a rulebook further up"
        )
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
        return read_document(_shipped(f"{name}.toml"), f"{name}.toml")
    from pathlib import Path

    path = Path(folder, name) if folder and not Path(name).is_absolute() else Path(name)
    books = f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml"
    if path.suffix != ".toml":
        raise refuse(
            "no-rulebook", f"there is no rulebook {name!r}", did_you_mean(name, (*RULEBOOKS, *ALIASES), books)
        )
    try:
        return read_document(read_text(path, "large-rulebook", "the rulebook file"), str(path))
    except UnicodeDecodeError:
        raise refuse(
            "not-utf-8", "the rulebook file is not UTF-8 text", "save it as UTF-8", file=str(path)
        ) from None
    except Refused:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if getattr(error, "errno", None) == errno.ELOOP:
            reason = "it is a link, and its links lead in a circle"
        message = f"the rulebook file {name!r} cannot be read: {reason}"
        raise refuse("no-rulebook", message, books, file=str(path)) from None


def _shipped(name: str) -> str:
    """Give the text of a rulebook that comes along: beside this file, inside an archive where the package is one."""
    try:
        with open(os.path.join(os.path.dirname(__file__), "books", name), encoding="utf-8") as stream:
            return stream.read()
    except OSError:
        from importlib import resources

        return (resources.files("mjscore.rulebook.books") / name).read_text(encoding="utf-8")


def _joined(document: Document, parent: Definition | None) -> Definition:
    data = document.data
    entries: dict[str, Entry] = dict(parent.entries) if parent else {}
    options: dict[str, Entry] = dict(parent.options) if parent else {}
    defaults: dict[str, Any] = dict(parent.defaults) if parent else {}
    dropped: list[Entry] = []
    for index, option in enumerate(data.get("option", ())):
        _add(checked_entry(document, "option", index, option), options, "option")
    for number, name in enumerate(data.get("drop", ())):
        if name not in entries:
            hint = _no_entry(name, entries, options, dropped)
            message = f"it drops {name!r}, which is no entry"
            raise document.at().refused(("drop", number), "unknown-entry", message, hint)
        dropped.append(entries.pop(name))
    for name, changes in data.get("change", {}).items():
        place = document.at("change", name)
        if name not in entries:
            hint = _no_entry(name, entries, options, dropped)
            raise place.refused("", "unknown-entry", f"it changes {name!r}, which is no entry", hint)
        entries[name] = _changed(place, name, changes, entries)
    for section in SECTIONS:
        for index, written in enumerate(data.get(section, ()) if section != "option" else ()):
            _add(checked_entry(document, section, index, written), entries, "entry")
    place = document.at("options")
    for name, value in data.get("options", {}).items():
        _known(name, options, place, name, f"there is no option {name!r}")
        try:
            defaults[name] = option_value(options[name], value)
        except Refused as refused:
            raise place.moved(name, refused) from None
    definition = Definition(
        str(data["id"]),
        str(data["title"]),
        _book(data, parent),
        entries,
        options,
        defaults,
        (*(parent.lineage if parent else ()), str(data["id"])),
        document.path,
        tuple(dropped),
        frozenset([*(str(option["id"]) for option in data.get("option", ())), *data.get("options", {})]),
    )
    _check_options(definition)
    _check_conditions(definition, document)
    _check_doubles(definition)
    _check_they_can_hold(definition, document)
    return definition


def _known(
    name: str, known: Iterable[str], place: TomlTable, key: str, message: str, code: str = "unknown-option"
) -> None:
    """Refuse at *key* a name that is not among those known."""
    if name not in known:
        raise place.refused(key, code, message, did_you_mean(name, known))


def _no_entry(
    name: str, entries: Mapping[str, Entry], options: Mapping[str, Entry], dropped: list[Entry]
) -> str:
    """Tell what to type for an entry that there is not: it may be dropped already, or be an option."""
    if any(entry.id == name for entry in dropped):
        return "it is dropped: leave it out of drop, or say it once"
    if name in options:
        return f"{name} is an option: write what it is to be under [options]"
    return did_you_mean(name, entries)


def _book(data: Mapping[str, Any], parent: Definition | None) -> str:
    """Give the paper that a rulebook follows: its own, or that of the one it extends."""
    if "book" in data or parent is None:
        return str(data.get("book", data["title"]))
    return parent.book if parent.book.startswith("after ") else f"after {parent.book}"


def _add(entry: Entry, entries: dict[str, Entry], kind: str) -> None:
    """Put an entry, or an option, beside the others, or in the place of the one that it replaces."""
    replaced = entry.data.get("replaces")
    if replaced is not None:
        message = f"{entry.id} replaces {replaced!r}, which is no {kind}"
        _known(replaced, entries, entry.place, "replaces", message, f"unknown-{kind}")
        del entries[replaced]
        entry = entry._replace(changed=True)
    if entry.id in entries:
        other = entries[entry.id]
        message = f"there is an {kind} {entry.id} already ({other.document.path}, line {other.place.find('id').line})"
        hint = f'say replaces = "{entry.id}" to put this one in its place, or give it another id'
        raise entry.place.refused("id", "clash", message, hint)
    entries[entry.id] = entry


def _changed(place: TomlTable, name: str, changes: Any, entries: Mapping[str, Entry]) -> Entry:
    """Make the entry *name* as the table ``[change.name]`` at *place* has it."""
    if not isinstance(changes, dict) or not changes:
        hint = f"write what it becomes under [change.{name}]"
        raise place.refused("", "wrong-type", f"{name} is not changed in anything", hint)
    section = entries[name].section
    allowed = [UNSET, *(key for key in keys_of(section) if key not in ("id", "replaces"))]
    for key in changes:
        _known(key, allowed, place, key, f"{name}: a {section} has no {key!r} to change", "unknown-key")
    unset = _unset(place, entries[name], changes)
    written = {key: value for key, value in changes.items() if key != UNSET}
    left = {key: value for key, value in entries[name].data.items() if key not in unset}
    data = {**left, **with_source(place.document, written)}
    return checked_values(Entry(section, data, place, True))


def _unset(place: TomlTable, entry: Entry, changes: Mapping[str, Any]) -> list[str]:
    """Give the keys that the change of *entry* takes away: those that it has, and can do without."""
    unset = changes.get(UNSET, [])
    if not isinstance(unset, list) or not all(isinstance(key, str) for key in unset):
        message = f"{entry.id}: {UNSET} is a list of keys"
        raise place.refused(UNSET, "wrong-type", message, f'type {UNSET} = ["when"]')
    kept = ("id", "title", "source", *needed(entry.section))
    loose = [key for key in entry.data if key not in (*kept, "replaces")]
    for key in unset:
        message = ""
        if key in kept:
            message = f"{entry.id}: a [[{entry.section}]] cannot do without {key}"
            hint = f'write what it becomes, {key} = …, or do without the entry: drop = ["{entry.id}"]'
        elif key not in loose:
            message = f"{entry.id} has no {key!r} to take away"
            hint = did_you_mean(
                key, loose, f"it has {', '.join(loose)}" if loose else "it has only what it needs"
            )
        elif key in changes:
            message = f"{entry.id}: {key} is taken away, and written too"
            hint = f"leave it out of {UNSET}: what is written takes the place of what was there"
        if message:
            raise place.refused(UNSET, "cannot-unset", message, hint)
    return unset


def _check_options(definition: Definition) -> None:
    """Check options that speak of other options: these must be there, and flags where they are turned on."""
    options = definition.options
    flags = [flag for flag, option in options.items() if option.data["kind"] == "flag"]
    for name, entry in options.items():
        for other in entry.data.get("turns_on", ()):
            message = f"{name} turns on {other!r}, which is no option that is on or off"
            _known(other, flags, entry.place, "turns_on", message)
        others = [other for other in options if other != name]
        for key in ("needs", "not_with"):
            if key in entry.data:
                message = f"{name}: {key} names {entry.data[key]!r}, which is no other option"
                _known(entry.data[key], others, entry.place, key, message)
        for case in entry.data.get("default_when", ()):
            other = case["option"]
            _known(other, options, entry.place, "default_when", f"there is no option {other!r}")


# the keys whose values are conditions, and what kind of value each gives
CONDITIONS = {"when": "boolean", "times": "number", "shown": "boolean"}
# What is known only when a hand's waits and its score are: a special hand cannot ask for it.
NOT_OF_A_SHAPE = (
    *("only_place", "only_wait", "waiting", "waiting_for", "scores_only", "special"),
    *("doubles", "waiting_doubles", "score", "doublings"),
)
NOT_OF_A_WIN = ("waiting", "waiting_for", "scores_only", "waiting_doubles")
ONLY_OF_A_WIN = ("score", "doublings")
# Known only of a hand that has been counted: what counts it cannot ask for them.
AFTER_COUNTING = ("doubles", "waiting_doubles")
NAMING_ENTRIES = ("scores_only", "waiting_for", "flag")
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
    for entry in definition.entries.values():
        vocabulary = vocabularies.get(entry.section, others)
        for key, wanted in CONDITIONS.items():
            if key in entry.data:
                _check_condition(entry, key, wanted, vocabulary, definition, document)
        for key in ("instead_of", "points_of"):
            names = entry.data.get(key, ())
            for name in [names] if isinstance(names, str) else names:
                if name not in definition.entries:
                    message = f"{entry.id} names {name!r}, which is no entry"
                    if taken_away := _taken_away(name, entry, definition, document):
                        raise taken_away
                    _known(name, definition.entries, entry.place, key, message, "unknown-entry")
                if key == "instead_of":
                    _check_instead_of(name, entry, definition.entries[name])
        points = entry.data.get("points")
        if isinstance(points, Mapping) and "option" in points:
            numbers = [name for name, kind in kinds.items() if kind == "number"]
            message = f"there is no option {points['option']!r} that is a number"
            _known(points["option"], numbers, entry.place, "points", message)


def _check_instead_of(name: str, entry: Entry, other: Entry) -> None:
    """Check that an entry can take the place of another: what a set is worth is found out apart from the rest."""
    together = _AFTER_ALL_SETS if entry.section in _AFTER_ALL_SETS else (entry.section,)
    if name == entry.id:
        hint = "leave it out, or name the entry whose place it takes"
        message = f"{name} would take the place of itself"
    elif other.section not in together:
        hint = f'say in its condition where {name} is not given, or do without it: drop = ["{name}"]'
        message = f"{entry.id}: a [[{entry.section}]] cannot take the place of {name}, which is a [[{other.section}]]"
    else:
        return
    raise entry.place.refused("instead_of", "wrong-type", message, hint)


def _check_condition(
    entry: Entry, key: str, wanted: str, vocabulary: Vocabulary, definition: Definition, document: Document
) -> None:
    node = parsed(entry, key)
    try:
        with placed(entry, key):
            check_condition(node, vocabulary, wanted)
            _check_words(node, definition)
    except Refused as refused:
        missing = next((word for word in _entries_named(node) if word not in definition.entries), None)
        if missing is None:
            raise _elsewhere(refused.refusal, node, entry, vocabulary) or refused from None
        raise _taken_away(missing, entry, definition, document) or refused from None


_SEES = {
    "set": ("sees one set", "write it as a [[bonus]] or a [[double]]"),
    "shape": ("is looked at before it is counted", "leave it out: a special hand is what its tiles are"),
    "win": ("is asked of a hand that won", "write it as an entry of its own"),
    "settle": ("sees options alone", "write it as an entry that scores"),
    "flag": ("sees options alone", "ask for the flag in an entry that scores"),
}


def _elsewhere(refusal: Refusal, node: Node, entry: Entry, vocabulary: Vocabulary) -> Refused | None:
    """Say, where a condition names a fact that there is, but not in such a section, what the section sees."""
    strange = next((name for name in names_in(node) if name.name not in vocabulary.facts), None)
    known = {**HAND_VOCABULARY.facts, **SET_VOCABULARY.facts}
    if refusal.code != "unknown-name" or strange is None or strange.name not in known:
        return None
    if strange.name in AFTER_COUNTING and entry.section not in _SEES:
        message = f"a [[{entry.section}]] is looked at before the doubles are known, and cannot ask for {strange.name}"
        hint = "only a [[win]] and those who pay for others ask for doubles"
    elif entry.section not in _SEES:
        section = "[[win]]" if strange.name in ONLY_OF_A_WIN else "[[set]]"
        message, hint = f"only a {section} asks for {strange.name}", f"write it as a {section}"
    else:
        sees, hint = _SEES[entry.section]
        message = f"a [[{entry.section}]] {sees}, and cannot ask for {strange.name}"
        near = did_you_mean(strange.name, vocabulary.facts, "")
        hint = f"{hint}; {near}" if near else hint
    return Refused(refusal._replace(message=message, hint=hint))


def _taken_away(name: str, asking: Entry, definition: Definition, document: Document) -> Refused | None:
    """Refuse, at its place, what drops or replaces an entry for which another asks."""
    dropped = list(document.data.get("drop", ()))
    if name in dropped:
        message = f"it drops {name!r}, for which {asking.id} asks"
        more = [*dropped, *_needing(set(dropped), definition)]
        hint = f"drop what asks for it too: drop = {json.dumps(more)}; or change it: [change.{asking.id}]"
        return document.at().refused(("drop", dropped.index(name)), "needed-entry", message, hint)
    hint = f"keep {name}, or change {asking.id} as well: [change.{asking.id}]"
    for entry in definition.entries.values():
        if entry.data.get("replaces") == name and entry.document.path == document.path:
            message = f"{entry.id} takes the place of {name!r}, for which {asking.id} asks"
            return entry.place.refused("replaces", "needed-entry", message, hint)
    return None


def _needing(gone: set[str], definition: Definition) -> list[str]:
    """Find the entries that ask for one that is *gone*, and those that ask for these."""
    found: list[str] = []
    while True:
        more = [
            entry.id
            for entry in definition.entries.values()
            if entry.id not in (*gone, *found) and _asked_by(entry) & {*gone, *found}
        ]
        if not more:
            return found
        found += more


def _asked_by(entry: Entry) -> set[str]:
    """Find the entries for which an entry cannot do without another."""
    conditions = [parsed(entry, key) for key in CONDITIONS if key in entry.data]
    asked = {word for node in conditions for word in _entries_named(node)}
    return asked | {entry.data.get("points_of", ""), *entry.data.get("instead_of", ())}


def _entries_named(node: Node) -> list[str]:
    names = (name for name in names_in(node) if name.name in NAMING_ENTRIES)
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
        if "of_limit" in entry.data and not limited:
            hint = "write limit = 500 under [options], or points in place of of_limit"
            message = f"{entry.id} is a part of the limit, and there is none"
            if "extends" in document.data or limit is None:
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


def _check_words(node: Node, definition: Definition) -> None:
    """Check the ids and patterns that facts are asked about. Raises Refused with the fact's column."""
    for name in names_in(node):
        words = words_of(name.arguments)
        if name.name == "scores_only":
            for word in words:
                if word not in definition.entries:
                    message, hint = f"there is no entry {word!r}", did_you_mean(word, definition.entries)
                    raise refuse("unknown-entry", message, hint, at=name.place())
        elif name.name == "flag":
            flags = {entry.id: entry for entry in definition.entries.values() if entry.section == "flag"}
            if words[0] not in flags:
                otherwise = "write it as [[flag]]"
                hint = did_you_mean(words[0], flags, otherwise) if flags else otherwise
                message = f"there is no [[flag]] {words[0]!r}"
                raise refuse("unknown-entry", message, hint, at=name.place())
        elif name.name == "waiting_for":
            _check_waited_for(words[0], name, definition)
        elif name.name == "held":
            try:
                patterns(words[0])
            except Refused as refused:
                raise Refused(refused.refusal._replace(column=name.start + 1)) from None


def _check_waited_for(word: str, name: Name, definition: Definition) -> None:
    """Check what ``waiting_for`` asks about: a special hand, or a limit hand that tiles alone decide."""
    hands = {entry.id: entry for entry in definition.entries.values() if entry.section in ("shape", "limit")}
    entry = hands.get(word)
    if entry is None:
        message = f"there is no special or limit hand {word!r}"
        raise refuse("unknown-entry", message, did_you_mean(word, hands), at=name.place())
    facts = names_in(parsed(entry, "when")) if entry.section == "limit" else []
    asked = next((fact.name for fact in facts if fact.name in NOT_OF_A_SHAPE), None)
    if asked is not None:
        raise refuse(
            "wrong-arguments",
            f"{word} asks for {asked}, which is not known of a hand that has not won",
            f"name a hand that its tiles decide, or write its condition without {asked} in another entry",
            at=name.place(),
        )
