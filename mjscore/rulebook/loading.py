"""Rulebook files read and joined with those that they extend; what entries say of each other is checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.conditions import Node, Text, Vocabulary, check_condition, most, names_in
from mjscore.rulebook.entries import RULEBOOKS, Entry, RulebookText, option_value, parsed, placed
from mjscore.rulebook.facts import HAND_VOCABULARY, OPTION_VOCABULARY, SET_VOCABULARY, patterns
from mjscore.rulebook.schema import KEYS, check_top, check_values, checked_entry, complain
from mjscore.rulebook.toml_places import Document, place_of, read_document


def read(name: str, folder: str, seen: tuple[str, ...]) -> RulebookText:
    """The rulebook *name*, joined with what it extends; *seen* are those that extend it. Raises Refused."""
    document = _document(name, folder)
    key = document.path
    if key in seen:
        chain = " → ".join([*(Path(one).stem for one in seen), Path(key).stem])
        line, column, text = place_of(document, "", None, "extends")
        raise refuse(
            "extends-cycle",
            f"the rulebooks extend each other in a circle: {chain}",
            "one of them must not extend another",
            line,
            column,
            1,
            text,
            key,
        )
    data = document.data
    check_top(document)
    parent: RulebookText | None = None
    if "extends" in data:
        try:
            parent = read(str(data["extends"]), str(Path(key).parent), (*seen, key))
        except Refused as refused:
            if refused.refusal.code != "no-rulebook":
                raise
            line, column, text = place_of(document, "", None, "extends")
            raise refuse(
                "extends-nothing",
                f"it extends {data['extends']!r}, which is no rulebook",
                refused.refusal.hint,
                line,
                column,
                len("extends"),
                text,
                key,
            ) from None
    return _joined(document, parent)


def _document(name: str, folder: str) -> Document:
    if name in RULEBOOKS:
        from importlib import resources

        source = resources.files("mjscore.rulebook.books") / f"{name}.toml"
        return read_document(source.read_text(encoding="utf-8"), f"{name}.toml")
    path = Path(folder, name) if folder and not Path(name).is_absolute() else Path(name)
    if path.suffix != ".toml" and not _is_file(path):
        raise refuse(
            "no-rulebook",
            f"there is no rulebook {name!r}",
            did_you_mean(
                name, RULEBOOKS, f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml"
            ),
        )
    try:
        if path.stat().st_size > 1_000_000:
            raise refuse(
                "large-rulebook",
                "the rulebook file is larger than a million bytes",
                "a rulebook is a page or two of TOML",
                file=str(path),
            )
        return read_document(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError:
        raise refuse(
            "not-utf-8", "the rulebook file is not UTF-8 text", "save it as UTF-8", file=str(path)
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise refuse(
            "no-rulebook",
            f"the rulebook file {name!r} cannot be read: {reason}",
            f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml",
        ) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False  # a name that no file can have


def _joined(document: Document, parent: RulebookText | None) -> RulebookText:
    data = document.data
    entries: dict[str, Entry] = dict(parent.entries) if parent else {}
    options: dict[str, Entry] = dict(parent.options) if parent else {}
    defaults: dict[str, Any] = dict(parent.defaults) if parent else {}
    for index, option in enumerate(data.get("option", ())):
        entry = checked_entry(document, "option", index, option)
        if entry.id in options and option.get("replaces") != entry.id:
            raise complain(
                document,
                "option",
                index,
                "id",
                "clash",
                f"there is an option {entry.id} already",
                f'say replaces = "{entry.id}" to put this one in its place',
            )
        options[entry.id] = entry
    for name in data.get("drop", ()):
        if name not in entries:
            raise complain(
                document,
                "",
                None,
                "drop",
                "unknown-entry",
                f"it drops {name!r}, which is no entry",
                did_you_mean(name, entries),
            )
        del entries[name]
    for name, changes in data.get("change", {}).items():
        entries[name] = _changed(document, name, changes, entries)
    for section in KEYS:
        if section == "option":
            continue
        for index, one in enumerate(data.get(section, ())):
            entry = checked_entry(document, section, index, one)
            _add(document, entry, entries)
    for name, value in data.get("options", {}).items():
        if name not in options:
            raise complain(
                document,
                "options",
                None,
                name,
                "unknown-option",
                f"there is no option {name!r}",
                did_you_mean(name, options),
            )
        try:
            defaults[name] = option_value(options[name], value)
        except Refused as refused:
            raise complain(
                document,
                "options",
                None,
                name,
                refused.refusal.code,
                refused.refusal.message,
                refused.refusal.hint,
            ) from None
    text = RulebookText(
        str(data["id"]),
        str(data["title"]),
        str(data.get("book", parent.book if parent else data["title"])),
        entries,
        options,
        defaults,
        (*(parent.lineage if parent else ()), str(data["id"])),
        document.path,
    )
    _check_options(text)
    _check_conditions(text, document)
    _check_doubles(text)
    return text


def _add(document: Document, entry: Entry, entries: dict[str, Entry]) -> None:
    index = entry.place
    replaced = entry.data.get("replaces")
    if replaced is not None:
        if replaced not in entries:
            raise complain(
                document,
                entry.section,
                index,
                "replaces",
                "unknown-entry",
                f"{entry.id} replaces {replaced!r}, which is no entry",
                did_you_mean(str(replaced), entries),
            )
        del entries[str(replaced)]
        entry = entry._replace(changed=True)
    if entry.id in entries:
        other = entries[entry.id]
        line, _, _ = place_of(other.document, other.section, other.place, "id")
        raise complain(
            document,
            entry.section,
            index,
            "id",
            "clash",
            f"there is an entry {entry.id} already ({other.document.path}, line {line})",
            f'say replaces = "{entry.id}" to put this one in its place, or give it another id',
        )
    entries[entry.id] = entry


def _changed(document: Document, name: str, changes: Any, entries: Mapping[str, Entry]) -> Entry:
    section = f"change.{name}"
    if name not in entries:
        raise complain(
            document,
            section,
            None,
            "",
            "unknown-entry",
            f"it changes {name!r}, which is no entry",
            did_you_mean(name, entries),
        )
    if not isinstance(changes, dict) or not changes:
        raise complain(
            document,
            section,
            None,
            "",
            "wrong-type",
            f"{name} is not changed in anything",
            f"write what it becomes under [change.{name}]",
        )
    old = entries[name]
    allowed = ("title", "source", "when", *KEYS[old.section])
    for key in changes:
        if key not in allowed:
            raise complain(
                document,
                section,
                None,
                key,
                "unknown-key",
                f"{name}: a {old.section} has no {key!r} to change",
                did_you_mean(key, allowed),
            )
    if "source" not in changes:
        raise complain(
            document,
            section,
            None,
            "",
            "missing-source",
            f"the change of {name} has no source",
            'write source = "…": the book and page, or the club\'s own paper',
        )
    data = {**old.data, **changes}
    check_values(
        name,
        old.section,
        data,
        lambda key, code, message, hint: complain(
            document, section, None, key if key != "id" else "", code, message, hint
        ),
    )
    return Entry(old.section, data, document._replace(change=name), old.place, True)


def _check_options(text: RulebookText) -> None:
    """Options that speak of other options: these must be there, and flags where they are turned on."""
    for name, entry in text.options.items():
        for other in entry.data.get("turns_on", ()):
            if other not in text.options or text.options[other].data["kind"] != "flag":
                raise complain(
                    entry.document,
                    "option",
                    entry.place,
                    "turns_on",
                    "unknown-option",
                    f"{name} turns on {other!r}, which is no option that is on or off",
                    did_you_mean(other, text.options),
                )
        for case in entry.data.get("default_when", ()):
            if case["option"] not in text.options:
                raise complain(
                    entry.document,
                    "option",
                    entry.place,
                    "default_when",
                    "unknown-option",
                    f"there is no option {case['option']!r}",
                    did_you_mean(case["option"], text.options),
                )


def _check_conditions(text: RulebookText, document: Document) -> None:
    kinds = {
        name: {"flag": "boolean", "number": "number", "choice": "text", "limit": "limit"}.get(
            str(entry.data["kind"]), "group"
        )
        for name, entry in text.options.items()
    }
    known = HAND_VOCABULARY.facts
    hand = Vocabulary(known, HAND_VOCABULARY.classes, kinds)
    vocabularies = {
        "set": Vocabulary(SET_VOCABULARY.facts, SET_VOCABULARY.classes, kinds),
        "settle": Vocabulary(OPTION_VOCABULARY.facts, OPTION_VOCABULARY.classes, kinds),
        "shape": Vocabulary(
            {name: fact for name, fact in known.items() if name not in NOT_OF_A_SHAPE},
            HAND_VOCABULARY.classes,
            kinds,
        ),
    }
    for entry in text.entries.values():
        vocabulary = vocabularies.get(entry.section, hand)
        for key, wanted in (("when", "boolean"), ("times", "number"), ("earlier", "boolean")):
            if key not in entry.data:
                continue
            node = parsed(entry, key)
            try:
                check_condition(node, vocabulary, wanted)
                _check_words(node, text)
            except Refused as refused:
                raise _taken_away(entry, node, text, document) or Refused(
                    placed(entry, key, refused.refusal)
                ) from None
        for key in ("instead_of", "points_of"):
            names = entry.data.get(key, ())
            for name in [names] if isinstance(names, str) else names:
                if name not in text.entries:
                    raise _taken_away_by(name, entry, text, document) or complain(
                        entry.document,
                        entry.section,
                        entry.place,
                        key,
                        "unknown-entry",
                        f"{entry.id} names {name!r}, which is no entry",
                        did_you_mean(name, text.entries),
                    )
        points = entry.data.get("points")
        if isinstance(points, Mapping) and "option" in points:
            option = text.options.get(points["option"])
            if option is None or option.data["kind"] != "number":
                raise complain(
                    entry.document,
                    entry.section,
                    entry.place,
                    "points",
                    "unknown-option",
                    f"there is no option {points['option']!r} that is a number",
                    did_you_mean(
                        points["option"],
                        [name for name, one in text.options.items() if one.data["kind"] == "number"],
                    ),
                )


# What is known only when a hand's waits and its score are: a special hand cannot ask for it.
NOT_OF_A_SHAPE = ("only_place", "waiting", "scores_only", "special", "doubles", "waiting_doubles")


def _taken_away(entry: Entry, node: Node, text: RulebookText, document: Document) -> Refused | None:
    """Where a condition asks for an entry that this rulebook has dropped or replaced: at that place."""
    for name in names_in(node):
        if name.name == "scores_only":
            for word in name.arguments:
                if isinstance(word, Text) and word.value not in text.entries:
                    return _taken_away_by(word.value, entry, text, document)
    return None


def _taken_away_by(name: str, asking: Entry, text: RulebookText, document: Document) -> Refused | None:
    if asking.document.path == document.path:
        return None
    hint = f"keep {name}, or change {asking.id} as well: [change.{asking.id}]"
    if name in document.data.get("drop", ()):
        return complain(
            document, "", None, "drop", "needed-entry", f"it drops {name!r}, for which {asking.id} asks", hint
        )
    for one in text.entries.values():
        if one.data.get("replaces") == name:
            return complain(
                one.document,
                one.section,
                one.place,
                "replaces",
                "needed-entry",
                f"{one.id} takes the place of {name!r}, for which {asking.id} asks",
                hint,
            )
    return None


_MOST_DOUBLES = 1000  # a score of three hundred digits; the books have sixty doubles, all told
_MOST_TIMES = 1_000_000


def _check_doubles(text: RulebookText) -> None:
    """What a hand can score stays a number that can be worked out and printed."""
    numbers = {
        name: max(entry.data["choices"])
        for name, entry in text.options.items()
        if entry.data["kind"] == "number"
    }
    total = 0
    for entry in text.entries.values():
        times = most(parsed(entry, "times"), numbers) if "times" in entry.data else 1
        total += int(entry.data.get("doubles", 0)) * times
        if times > _MOST_TIMES or total > _MOST_DOUBLES:
            raise complain(
                entry.document,
                entry.section,
                entry.place,
                "times" if "times" in entry.data else "doubles",
                "too-many-doubles",
                f"{entry.id}: so many doubles that a score could not be written down",
                f"all doubles of a rulebook together are {_MOST_DOUBLES} at most",
            )


def _check_words(node: Node, text: RulebookText) -> None:
    """The ids and patterns that facts are asked about."""

    for name in names_in(node):
        words = [argument.value for argument in name.arguments if isinstance(argument, Text)]
        if name.name == "scores_only":
            for word in words:
                if word not in text.entries:
                    raise refuse(
                        "unknown-entry",
                        f"there is no entry {word!r}",
                        did_you_mean(word, text.entries),
                        1,
                        name.column,
                        len(name.name),
                    )
        elif name.name == "held":
            try:
                patterns(words[0])
            except Refused as refused:
                raise Refused(refused.refusal._replace(column=name.column)) from None
