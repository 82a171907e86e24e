"""Whether the entries and options of a rulebook fit together: names that exist, conditions that can hold."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet

from mjscore.game.tiles import ANY, CLASS_MASKS, written_mask
from mjscore.refusal import Faults, Refusal, Refused, did_you_mean, refuse, told
from mjscore.rulebook.compiling import OF_A_WINNER
from mjscore.rulebook.conditions import (
    COMPARISONS,
    Constant,
    Name,
    Namespace,
    Node,
    Operation,
    check_condition,
    fold,
    most,
    names_in,
)
from mjscore.rulebook.entries import CONDITIONS, Definition, RuleEntry
from mjscore.rulebook.facts import FACTS, HAND_NAMESPACE, OPTION_NAMESPACE, SET_NAMESPACE, patterns
from mjscore.rulebook.keys import SECTIONS, are_points, is_list_of
from mjscore.rulebook.set_patterns import groups_of
from mjscore.rulebook.settling import is_cap
from mjscore.rulebook.toml_places import Document

# Facts known only after a hand's waits and score: the conditions of special hands cannot use them.
NOT_OF_A_SHAPE = (
    *("only_place", "only_wait", "waiting", "waiting_for", "scores_only", "special"),
    *("doubles", "waiting_doubles", "score", "doublings"),
)
NOT_OF_A_WIN = ("waiting", "waiting_for", "scores_only", "waiting_doubles")
ONLY_OF_A_WIN = ("score", "doublings")
# Facts known only after counting: the rules that count cannot use them.
AFTER_COUNTING = ("doubles", "waiting_doubles")
_AFTER_ALL_SETS = ("bonus", "double", "after", "limit")
# facts that a section's conditions cannot use; in other sections, those reserved for [[win]]
_UNKNOWN_TO = {
    "win": NOT_OF_A_WIN,
    "shape": NOT_OF_A_SHAPE,
    **dict.fromkeys(_AFTER_ALL_SETS, (*ONLY_OF_A_WIN, *AFTER_COUNTING)),
}
_OTHER_NAMESPACES = {"set": SET_NAMESPACE, "settle": OPTION_NAMESPACE, "flag": OPTION_NAMESPACE}
# facts whose arguments are entries: what to call such an entry, and its sections
_NAMING = {
    "scores_only": ("entry", tuple(SECTIONS)),
    "waiting_for": ("special or limit hand", ("shape", "limit")),
    "flag": ("[[flag]]", ("flag",)),
}
# The type of an option in a condition, by the option's kind.
_VALUE_OF = {"flag": "boolean", "number": "number", "choice": "text", "limit": "limit", "group": "group"}
_MOST_DOUBLES = 1000  # a score of three hundred digits; the books have sixty doubles in all
_MOST_TIMES = 1_000_000
# groups of facts that exclude each other
_EXCLUDING = (
    ("drawn", "claimed", "original"),
    ("middle", "one_end", "both_ends"),
    ("completed_pair", "completed_chow", "completed_pung"),
    ("one_suit", "one_suit_and_honors", "all_honors"),
    ("east", "south", "west", "north"),
    ("chow", "pung", "kong", "pair"),
    ("exposed", "concealed"),
    ("won", "waiting"),
    ("won", "waiting_for"),
    ("last", "last_discard"),
)


def check_together(
    definition: Definition, document: Document, faults: Faults, broken: AbstractSet[str] = frozenset()
) -> None:
    """Check that the options and entries of a rulebook fit together; *document* is the rulebook's own file.

    Faults are added to *faults*. Entries that are *broken* in themselves are checked only for their conditions.
    """
    options, entries = definition.options, definition.entries
    kinds = {name: _VALUE_OF.get(str(entry.data.get("kind")), "text") for name, entry in options.items()}
    namespaces = {section: _namespace(section, kinds) for section in SECTIONS}
    unread = set(broken)
    for entry in (*options.values(), *entries.values()):
        before = len(faults.kept)
        with faults.noted():
            _check_conditions(entry, namespaces[entry.section], definition, document, broken)
        if entry.id not in broken:
            with faults.noted():
                _check_names(entry, definition, document)
        if len(faults.kept) > before:
            unread.add(entry.id)
    with faults.noted():
        _check_table(definition, document)
    sound = [entry for entry in entries.values() if entry.id not in unread]
    with faults.noted():
        _check_doubles(definition, sound)
    limit = options.get("limit")
    limited = any(is_cap(entry.data) for entry in entries.values())
    if limit is not None:
        default = definition.defaults.get("limit", limit.data.get("default"))
        limited = default not in (None, "none") or "default_when" in limit.data
    for entry in sound:
        if entry.place.document.path != definition.path:
            continue
        with faults.noted():
            if "of_limit" in entry.data and not limited and ("extends" in document.data or limit is None):
                raise entry.refused("of_limit", "no-limit", "entry")
            if "when" in entry.data and never_holds(entry.conditions["when"]):
                raise entry.refused("when", "never-holds", "entry")


def _check_conditions(
    entry: RuleEntry,
    namespace: Namespace,
    definition: Definition,
    document: Document,
    broken: AbstractSet[str],
) -> None:
    """Raise Refused for a wrong condition of an entry; conditions that refer to a *broken* entry are not judged."""
    entries = definition.entries
    for key, node in entry.conditions.items():
        try:
            if broken.isdisjoint(word for name in names_in(node) for word in name.words):
                check_condition(node, namespace, CONDITIONS[key])
                for name in names_in(node):
                    _check_words(name, entries)
        except Refused as refused:
            missing = next((word for word in _entries_named(node) if word not in entries), "")
            elsewhere = refused if missing else _elsewhere(refused, node, entry, namespace)
            moved = entry.place.moved(key, elsewhere)
            raise _taken_away(missing, entry, definition, document) or moved from None


def _check_table(definition: Definition, document: Document) -> None:
    """Raise Refused for faults in the table of doubles: a key, the option, a choice's list, a number."""
    table, at = document.data.get("table"), document.at("table")
    if table is None:
        return
    for key in table:
        if key not in ("option", "doubles"):
            raise at.refused(key, "unknown-key", "table", near=did_you_mean(key, ("option", "doubles")))
    doubles, name = table.get("doubles"), table.get("option")
    figures = [doubles]
    if name is not None:
        options = definition.options.items()
        choices = {key: option.data["choices"] for key, option in options if "choices" in option.data}
        if str(name) not in choices:
            near = did_you_mean(str(name), choices)
            raise at.refused("option", "unknown-option", "choice", other=name, near=near)
        if not isinstance(doubles, Mapping) or [*doubles] != [*choices[name]]:
            known = ", ".join(map(str, choices[name]))
            raise at.refused("doubles", "wrong-type", "table-choices", known=known)
        figures = [*doubles.values()]
    if not all(is_list_of(int, row) and row and all(map(are_points, row)) for row in figures):
        raise at.refused("doubles", "wrong-type", "table")


def _namespace(section: str, kinds: Mapping[str, str]) -> Namespace:
    """Return the facts that the conditions of a section may name, and the options with their *kinds*."""
    if section in _OTHER_NAMESPACES:
        return _OTHER_NAMESPACES[section]._replace(options=kinds)
    unknown = _UNKNOWN_TO.get(section, ONLY_OF_A_WIN)
    facts = {name: fact for name, fact in HAND_NAMESPACE.facts.items() if name not in unknown}
    return HAND_NAMESPACE._replace(facts=facts, options=kinds)


def _elsewhere(refused: Refused, node: Node, entry: RuleEntry, namespace: Namespace) -> Refused:
    """Return the refusal, better worded if the condition names a fact that only other sections have."""
    unknown = next((name.name for name in names_in(node) if name.name not in namespace.facts), "")
    if refused.refusal.code != "unknown-name" or unknown not in FACTS or f"{unknown}s" in namespace.facts:
        return refused
    late = {**dict.fromkeys(AFTER_COUNTING, "uncounted"), **dict.fromkeys(ONLY_OF_A_WIN, "of-a-win")}
    sees_less = entry.section in ("set", "shape", "win", "settle", "flag")
    kind = entry.section if sees_less else late.get(unknown, "of-a-set")
    near = did_you_mean(unknown, namespace.facts)
    message, hint = told("unknown-name", kind, section=entry.section, fact=unknown, near=near)
    return Refused(refused.refusal._replace(message=message, hint=hint))


def _named(entry: RuleEntry, definition: Definition) -> Iterator[tuple[str, str, str, str, Collection[str]]]:
    """Yield each option and entry that an entry names outside its conditions.

    Each comes with its key, the code and kind of the refusal if it does not exist, its name, and the names that do
    exist.
    """
    data, options, entries = entry.data, definition.options, definition.entries
    flags, numbers = (
        [name for name, option in options.items() if option.data.get("kind") == kind]
        for kind in ("flag", "number")
    )
    for other in data.get("turns_on", ()):
        yield "turns_on", "unknown-option", "flag", other, flags
    for key in ("needs", "not_with"):
        if key in data:
            yield key, "unknown-option", "other", data[key], [name for name in options if name != entry.id]
    for case in data.get("default_when", ()):
        yield "default_when", "unknown-option", "option", case["option"], options
    for other in data.get("instead_of", ()):
        yield "instead_of", "unknown-entry", "named", other, entries
    if "points_of" in data:
        yield "points_of", "unknown-entry", "named", data["points_of"], entries
    points = data.get("points")
    if isinstance(points, Mapping) and "option" in points:
        yield "points", "unknown-option", "number", points["option"], numbers


def _check_names(entry: RuleEntry, definition: Definition, document: Document) -> None:
    """Raise Refused unless the entries and options that an entry names outside its conditions exist and fit."""
    # sets are evaluated apart from the rest
    together = _AFTER_ALL_SETS if entry.section in _AFTER_ALL_SETS else (entry.section,)
    for key, code, kind, other, known in _named(entry, definition):
        if other not in known:
            refused = entry.refused(key, code, kind, other=other, near=did_you_mean(other, known))
            missing = other if code == "unknown-entry" else ""
            raise _taken_away(missing, entry, definition, document) or refused
        if key == "instead_of" and other == entry.id:
            raise entry.refused(key, "wrong-type", "itself")
        if key == "instead_of" and (section := definition.entries[other].section) not in together:
            raise entry.refused(key, "wrong-type", "instead-of", other=other, of=section)


def _taken_away(name: str, asking: RuleEntry, definition: Definition, document: Document) -> Refused | None:
    """Return the refusal of the line that drops or replaces an entry needed by another, if there is one."""
    dropped = list(document.data.get("drop", ()))
    if name in dropped:
        more = json.dumps([*dropped, *_needing(dropped, definition)])
        key = "drop", dropped.index(name)
        return document.at().refused(key, "needed-entry", "drop", name=name, by=asking.id, more=more)
    for entry in definition.entries.values():
        if entry.data.get("replaces") == name and entry.place.document.path == document.path:
            return entry.refused("replaces", "needed-entry", "replace", other=name, by=asking.id)
    return None


def _needing(dropped: list[str], definition: Definition) -> list[str]:
    """Return the ids of all entries that depend, directly or not, on a dropped entry."""
    needs = {
        entry.id: {
            *(word for node in entry.conditions.values() for word in _entries_named(node)),
            *(other for _, code, _, other, _ in _named(entry, definition) if code == "unknown-entry"),
        }
        for entry in definition.entries.values()
    }
    gone = list(dropped)
    while more := [name for name, of in needs.items() if name not in gone and of.intersection(gone)]:
        gone += more
    return gone[len(dropped) :]


def _entries_named(node: Node) -> list[str]:
    return [word for name in names_in(node) if name.name in _NAMING for word in name.words]


def _check_words(fact: Name, entries: Mapping[str, RuleEntry]) -> None:
    """Raise Refused unless the entries and patterns in a fact's arguments exist and can be used there."""
    words = fact.words
    if fact.name in ("held", "sets"):
        try:
            patterns(words[0]) if fact.name == "held" else groups_of(tuple(words))
        except Refused as refused:
            raise Refused(refused.refusal.at(fact.place())) from None
    elif fact.name in _NAMING:
        what, sections = _NAMING[fact.name]
        known = {name: entry for name, entry in entries.items() if entry.section in sections}
        for word in words:
            if word not in known:
                near = did_you_mean(word, known, "write it as [[flag]]" if fact.name == "flag" else "")
                raise refuse("unknown-entry", "asked", what=what, word=word, near=near, at=fact.place())
    if fact.name == "waiting_for" and entries[words[0]].section == "limit":
        for other in names_in(entries[words[0]].conditions["when"]):
            if other.name in NOT_OF_A_SHAPE:
                raise refuse("wrong-arguments", "late", word=words[0], late=other.name, at=fact.place())


def _check_doubles(definition: Definition, entries: Collection[RuleEntry]) -> None:
    """Raise Refused if a score could become too large to work out and print."""
    numbers = {
        name: entry.data["most"] if "most" in entry.data else max(entry.data["choices"])
        for name, entry in definition.options.items()
        if entry.data.get("kind") == "number" and ("most" in entry.data or entry.data.get("choices"))
    }
    total = 0
    for entry in entries:
        times = most(entry.conditions["times"], numbers) if "times" in entry.data else 1
        total += int(entry.data.get("doubles", 0)) * times
        if times > _MOST_TIMES:
            raise entry.refused("times", "too-many-doubles", "times", most=_MOST_TIMES)
        if total > _MOST_DOUBLES:
            key = "times" if "times" in entry.data else "doubles"
            raise entry.refused(key, "too-many-doubles", "entry", most=_MOST_DOUBLES)


def _fails(node: Node, alone: Callable[[Node], bool], together: Callable[[tuple[Node, ...]], bool]) -> bool:
    """Return whether a condition can be proved never to hold; proofs may be missed, but are never wrong.

    *together* judges the parts of an ``and``, *alone* whatever is neither ``and`` nor ``or``.
    """
    match node:
        case Operation("or", parts):
            return all(_fails(part, alone, together) for part in parts)
        case Operation("and", parts):
            return together(parts) or any(_fails(part, alone, together) for part in parts)
    return alone(node)


def never_holds(node: Node) -> bool:
    """Return whether a condition contradicts itself."""
    return _fails(node, _cannot_be, _contradict)


def _cannot_be(node: Node) -> bool:
    """Return whether a count is compared with a figure that it cannot reach."""
    match node:
        case Operation(sign, (Name(name), Constant(int(figure)))) if name in FACTS and sign in COMPARISONS:
            most = FACTS[name].most
            return most is not None and not any(COMPARISONS[sign](n, figure) for n in range(most + 1))
    return False


def _contradict(parts: tuple[Node, ...]) -> bool:
    stated = [(part.name, part.arguments) for part in parts if isinstance(part, Name)]
    refused = (part.parts[0] for part in parts if isinstance(part, Operation) and part.sign == "not")
    denied = [(part.name, part.arguments) for part in refused if isinstance(part, Name)]
    names = {name for name, _ in stated}
    return (
        any(part in stated for part in denied)
        or (("won", ()) in denied and not names.isdisjoint(OF_A_WINNER))
        or any(len(names.intersection(group)) > 1 for group in _EXCLUDING)
    )


def doubts(definition: Definition) -> Iterator[Refusal]:
    """Yield warnings about a rulebook's own file: conditions with too many sets or no tile, high points."""
    limit = definition.options.get("limit")
    most_points = definition.defaults.get("limit", limit.data["default"]) if limit is not None else None
    for entry in definition.entries.values():
        if entry.place.document.path != definition.path:
            continue
        if "when" in entry.data and _fails(
            fold(entry.conditions["when"], _of_no_tiles), Constant(False).__eq__, _too_many_sets
        ):
            yield entry.refused("when", "never-holds", "sets").refusal
        points = entry.data.get("points")
        if entry.section != "settle" and type(points) is type(most_points) is int and points > most_points:
            yield entry.refused("points", "above-limit", "points", points=points, most=most_points).refusal


def _of_no_tiles(name: Name) -> int | None:
    """Return 0 for a fact about classes that have no tile in common, else None.

    The wind of a player or a round counts as any wind.
    """
    mask, classes = ANY, FACTS[name.name].takes == "class"
    for word in name.words if classes else ():
        kind = "wind" if word in ("own_wind", "round_wind") else word
        mask &= CLASS_MASKS.get(kind) or written_mask(kind)
    return None if mask else 0


def _too_many_sets(parts: tuple[Node, ...]) -> bool:
    """Return whether conditions together require more sets than a hand has."""
    least = {"chows": 0, "pungs": 0, "kongs": 0}
    for part in parts:
        match part:
            case Operation("==" | ">=" | ">" as sign, (Name(name), Constant(int(figure)))) if name in least:
                least[name] = max(least[name], figure + (sign == ">"))
    return least["chows"] + max(least["pungs"], least["kongs"]) > 4
