"""Rulebooks: data files read, checked, joined with what they extend, and bound to a table's options.

A rulebook is a TOML file. Every set value, bonus, double, limit hand, special hand and settling rule is
an entry with an id, a title, a source and, mostly, a condition. ``read_rulebook`` gives the entries as
they stand; ``bind`` settles the options and compiles the conditions once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mjscore.conditions import (
    Constant,
    Name,
    Node,
    Vocabulary,
    check_condition,
    expression,
    fold,
    names_in,
    parse_condition,
)
from mjscore.facts import (
    CLASS_MASKS,
    HAND_VOCABULARY,
    OPTION_VOCABULARY,
    SET_VOCABULARY,
    Facts,
    patterns,
)
from mjscore.hand import TileSet
from mjscore.refusal import Refusal, Refused
from mjscore.rulebook_file import Document, place_of, read_document
from mjscore.shapes import Alternative, compile_shape
from mjscore.tiles import WINDS

RULEBOOKS = ("harr", "harr-limit", "babcock", "babcock-chinese")

# What each section's entries may say beyond id, title, source, when, replaces.
_KEYS: dict[str, tuple[str, ...]] = {
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
    ),
    "liability": ("rank", "rule", "earlier"),
    "excuse": ("rank", "rule"),
}
_COMMON = ("id", "title", "source", "when", "replaces")
_TOP = ("id", "title", "book", "extends", "options", "change", "drop", *_KEYS)
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
SETTLE_RULES = (
    "winner-collects",
    "losers-settle",
    "east-factor",
    "score-limit",
    "difference-limit",
    "wash",
    "false-win",
    "east-passes",
    "minimum-doubles",
    "no-west",
    "sitter-out",
    "discarder-factor",
    "limit-cancels",
    "round-payments",
    "short-hand-scores",
    "long-hand",
    "draw-after-four-passes",
    "winner-takes-east",
    "every-hand-passes",
)
_SMALL_NUMBERS = {"points": 1_000_000, "doubles": 64, "factor": 100, "rank": 9, "to": 1000}

OptionValue = bool | int | str | None


class Entry(NamedTuple):
    """One entry of a rulebook as its file has it: section, data, and where it stands."""

    section: str
    data: Mapping[str, Any]
    document: Document
    place: int | None
    changed: bool = False

    @property
    def id(self) -> str:
        """The entry's name."""
        return str(self.data["id"])

    @property
    def title(self) -> str:
        """What it is called on a score sheet."""
        return str(self.data["title"])

    @property
    def source(self) -> str:
        """Book and page."""
        return str(self.data["source"])


class RulebookText(NamedTuple):
    """A rulebook read and joined with those it extends, its options not yet settled."""

    id: str
    title: str
    book: str
    entries: Mapping[str, Entry]
    options: Mapping[str, Entry]
    defaults: Mapping[str, Any]
    lineage: tuple[str, ...]
    path: str


class Rule(NamedTuple):
    """An entry with the options settled: what it gives and from where."""

    id: str
    title: str
    source: str
    section: str
    points: int = 0
    doubles: int = 0
    counts: bool = True
    replaces: frozenset[str] = frozenset()
    special: bool = False
    rank: int = 0
    mechanism: str = ""
    details: Mapping[str, Any] = {}


class SpecialHand(NamedTuple):
    """A special winning hand: its rule, its shapes, and the condition over the hand's facts (or None)."""

    rule: Rule
    alternatives: tuple[Alternative, ...]
    when: Callable[[Facts], bool] | None


class Liability(NamedTuple):
    """A condition under which a discarder pays for others; *earlier* asks for a discard some turns ago."""

    rule: Rule
    when: Callable[[Facts], bool]
    earlier: Callable[[Facts], bool] | None


Given = list[tuple[Rule, int]]


class SetValue(NamedTuple):
    """What a set is worth in one situation: points, and the rules that give them."""

    points: int
    rules: tuple[Rule, ...]


class Rulebook:
    """A rulebook bound to the options of a table; made by ``bind`` and not changed afterwards.

    *limit* is in points or None. *evaluate_winner* and *evaluate_other* give the bonuses, doubles and
    limit hands of an arranged hand, each with how many times.
    """

    __slots__ = (
        "book",
        "conditions",
        "entries",
        "evaluate_other",
        "evaluate_set",
        "evaluate_winner",
        "excuses",
        "id",
        "liabilities",
        "limit",
        "minimum_doubles",
        "monotone",
        "options",
        "players",
        "rules",
        "score_limit",
        "seat_numbers",
        "seats",
        "set_values",
        "settle",
        "special_hands",
        "text",
        "title",
    )

    def __init__(self, text: RulebookText, options: Mapping[str, OptionValue]) -> None:
        self.text = text
        self.id = text.id
        self.title = text.title
        self.book = text.book
        self.options = dict(options)
        limit = options.get("limit")
        self.limit = limit if isinstance(limit, int) else None
        players = options.get("players", 4)
        self.players = players if isinstance(players, int) else 4
        self.set_values: dict[tuple[object, ...], dict[TileSet, SetValue]] = {}
        rules = _Binder(text, self.options, self.limit, self.players)
        self.entries = rules.applying
        self.rules = rules.rules
        self.conditions = rules.conditions
        self.evaluate_set = rules.compiled_sets()
        self.evaluate_winner = rules.compiled(True)
        self.evaluate_other = rules.compiled(False)
        self.monotone = rules.monotone
        self.special_hands = rules.special_hands()
        self.settle = rules.settle_rules()
        self.liabilities = rules.liabilities()
        self.excuses = rules.excuses()
        score_limit = self.settle.get("score-limit")
        self.score_limit = score_limit.details["who"] if score_limit else ""
        two = self.settle.get("minimum-doubles")
        self.minimum_doubles = two.doubles if two else 0
        seats = [rule.details["seats"] for rule in self.settle.values() if "seats" in rule.details]
        self.seats = str(seats[0]) if seats else "ESWN"
        self.seat_numbers = {seat: WINDS.index(seat) for seat in self.seats}

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that change with any entry or option in force."""
        return _fingerprint(self.text, self.options)

    def __repr__(self) -> str:
        return f"<Rulebook {self.id} {self.fingerprint}>"

    def part_of_limit(self, rule: Rule) -> int | None:
        """What a rule gives in points: its part of the limit, or its points; None without a limit."""
        part = rule.details.get("of_limit")
        if part is None:
            return rule.points
        if self.limit is None:
            return None
        above, below = part
        points = self.limit * int(above) // int(below)
        return int(points // 2 * 2 if rule.details.get("even") else points)


def _fingerprint(text: RulebookText, options: Mapping[str, OptionValue]) -> str:
    """Twelve hexadecimal digits that change with any entry or option in force."""
    data = [[entry.section, dict(entry.data)] for entry in text.entries.values()]
    import hashlib
    import json

    plain = json.dumps([data, sorted(options.items())], sort_keys=True, default=str)
    return hashlib.sha256(plain.encode()).hexdigest()[:12]


class _Binder:
    """Settles a rulebook's conditions under its options."""

    def __init__(
        self, text: RulebookText, options: Mapping[str, OptionValue], limit: int | None, players: int
    ) -> None:
        self.options = options
        self.limit = limit
        self.players = players
        self.monotone = True
        self.conditions: dict[str, Node] = {}
        self.applying: dict[str, Entry] = {}
        self.rules: dict[str, Rule] = {}
        for entry in text.entries.values():
            condition = entry.data.get("when")
            node: Node = Constant(True)
            if condition is not None:
                node = fold(parsed(entry, "when"), self.known)
                if isinstance(node, Constant) and not node.value:
                    continue
            self.conditions[entry.id] = node
            self.applying[entry.id] = entry
            self.rules[entry.id] = self.rule(entry)

    def known(self, name: Name) -> bool | int | str | None:
        if name.name == "option":
            argument = name.arguments[0]
            value = self.options.get(argument if isinstance(argument, str) else argument.value)
            return "none" if value is None else value
        if name.name == "players":
            return self.players
        if name.name == "limited":
            return self.limit is not None
        return None

    def rule(self, entry: Entry) -> Rule:
        data = entry.data
        points = data.get("points", 0)
        if isinstance(points, Mapping) and "option" in points:
            value = self.options[str(points["option"])]
            points = value if isinstance(value, int) else 0
        details: dict[str, Any] = {
            key: data[key]
            for key in ("who", "seats", "to", "factor", "even", "no_pair", "east_passes")
            if key in data
        }
        if "of_limit" in data:
            above, _, below = str(data["of_limit"]).partition("/")
            details["of_limit"] = (int(above), int(below or 1))
        if isinstance(points, Mapping):
            details["table"] = {int(key): int(value) for key, value in points.items()}
            points = 0
        return Rule(
            entry.id,
            entry.title,
            entry.source,
            entry.section,
            points=int(points),
            doubles=int(data.get("doubles", 0)),
            counts=bool(data.get("other_score", entry.section in ("set", "bonus"))),
            replaces=frozenset(data.get("instead_of", ())),
            special=bool(data.get("special", False)),
            rank=int(data.get("rank", 0)),
            mechanism=str(data.get("rule", "")),
            details=details,
        )

    def of(self, *sections: str) -> list[Entry]:
        return [entry for entry in self.applying.values() if entry.section in sections]

    def compiled(self, won: bool) -> Callable[[Facts], Given]:
        """One function that goes through the entries of an arranged hand, those that ask what else scored last."""

        def known(name: Name) -> bool | None:
            if name.name == "won":
                return won
            if not won and name.name in ("drawn", "claimed", "original", "only_place", "earth", "loose"):
                return False
            return None

        first: list[str] = []
        last: list[str] = []
        namespace: dict[str, Any] = {"patterns": patterns}
        for entry in self.of("bonus", "double", "after", "limit"):
            node = fold(self.conditions[entry.id], known)
            if isinstance(node, Constant) and not node.value:
                continue
            rule = self.rules[entry.id]
            place = f"r{len(namespace)}"
            namespace[place] = (rule, 1)
            lines = first
            if any(name.name == "scores_only" for name in names_in(node)):
                lines = last
            if not won and not _grows_with_sets(node):
                self.monotone = False
            times = parsed(entry, "times") if "times" in entry.data else None
            if times is None:
                lines.append(f"    if {expression(node, HAND_VOCABULARY)}: add({place})")
            else:
                namespace[place] = rule
                count = expression(fold(times, self.known), HAND_VOCABULARY)
                lines.append(
                    f"    if {expression(node, HAND_VOCABULARY)} and {count} > 0: add(({place}, {count}))"
                )
        body = ["def evaluate(f):", "    given = []", "    add = given.append", *first]
        if last:
            body.append("    f.given = given")
            body += last
        body.append("    return given")
        exec(compile("\n".join(body), "<rulebook>", "exec"), namespace)
        evaluate: Callable[[Facts], Given] = namespace["evaluate"]
        replacing = any(self.rules[entry.id].replaces for entry in self.of("bonus", "double"))
        return _without_replaced(evaluate) if replacing else evaluate

    def compiled_sets(self) -> Callable[[Facts, TileSet], tuple[Rule, ...]]:
        """The entries that give a set its value."""
        tests: list[tuple[Rule, Callable[[Facts, TileSet], bool]]] = []
        for entry in self.of("set"):
            code = expression(self.conditions[entry.id], SET_VOCABULARY)
            tests.append((self.rules[entry.id], eval(f"lambda f, s: {code}", {})))

        def evaluate(facts: Facts, one: TileSet) -> tuple[Rule, ...]:
            given = [rule for rule, holds in tests if holds(facts, one)]
            replaced = {name for rule in given for name in rule.replaces}
            return tuple(rule for rule in given if rule.id not in replaced)

        return evaluate

    def test(self, entry: Entry, key: str = "when") -> Callable[[Facts], bool]:
        node = self.conditions[entry.id] if key == "when" else fold(parsed(entry, key), self.known)
        test: Callable[[Facts], bool] = eval(
            f"lambda f: {expression(node, HAND_VOCABULARY)}", {"patterns": patterns}
        )
        return test

    def special_hands(self) -> tuple[SpecialHand, ...]:
        found = []
        for entry in self.of("shape"):
            if "of_limit" in entry.data and self.limit is None:
                continue  # worth a part of a limit that there is not (D58)
            constant = isinstance(self.conditions[entry.id], Constant)
            found.append(
                SpecialHand(
                    self.rules[entry.id],
                    compile_shape(str(entry.data["tiles"]), CLASS_MASKS),
                    None if constant else self.test(entry),
                )
            )
        return tuple(found)

    def settle_rules(self) -> dict[str, Rule]:
        return {self.rules[entry.id].mechanism: self.rules[entry.id] for entry in self.of("settle")}

    def liabilities(self) -> tuple[Liability, ...]:
        return tuple(
            Liability(
                self.rules[entry.id],
                self.test(entry),
                self.test(entry, "earlier") if "earlier" in entry.data else None,
            )
            for entry in self.of("liability")
        )

    def excuses(self) -> tuple[tuple[Rule, Callable[[Facts], bool]], ...]:
        return tuple((self.rules[entry.id], self.test(entry)) for entry in self.of("excuse"))


def _without_replaced(evaluate: Callable[[Facts], Given]) -> Callable[[Facts], Given]:
    def without(facts: Facts) -> Given:
        given = evaluate(facts)
        replaced = {name for rule, _ in given for name in rule.replaces}
        return [one for one in given if one[0].id not in replaced] if replaced else given

    return without


_SET_COUNTS = ("chows", "pungs", "kongs", "pairs", "concealed_pungs", "hidden_pungs")


def _grows_with_sets(node: Node) -> bool:
    """Whether more sets can only help: the regrouping of a loser's tiles may then take every set."""
    from mjscore.conditions import Compare, Joined, Number

    if isinstance(node, Joined):
        return all(_grows_with_sets(part) for part in node.parts)
    named = [name for name in names_in(node) if name.name in _SET_COUNTS]
    if not named:
        return True
    if isinstance(node, Compare) and isinstance(node.left, Name):
        right = node.right
        if isinstance(right, (Number, Constant)):
            if node.sign in (">=", ">"):
                return True
            # a single kind of tile makes one set at the most, so "== 1" can only be reached
            single = node.left.arguments in (
                ("own_wind",),
                ("round_wind",),
                ("red_dragon",),
                ("green_dragon",),
                ("white_dragon",),
                ("east_wind",),
                ("south_wind",),
                ("west_wind",),
                ("north_wind",),
            )
            return node.sign == "==" and right.value == 1 and single and node.left.name == "pungs"
    return False


def parsed(entry: Entry, key: str) -> Node:
    """The condition that an entry has under *key*; raises Refused with its place in the file."""
    text = str(entry.data[key])
    try:
        return _parsed(text)
    except Refused as refused:
        raise Refused(placed(entry, key, refused.refusal)) from None


# conditions parsed so far, by their text
_PARSED: dict[str, Node] = {}
_MOST_PARSED = 4096


def _parsed(text: str) -> Node:
    node = _PARSED.get(text)
    if node is None:
        node = parse_condition(text)
        if len(_PARSED) < _MOST_PARSED:
            _PARSED[text] = node
    return node


def placed(entry: Entry, key: str, refusal: Refusal) -> Refusal:
    """*refusal* with the place of an entry's *key* in its file added."""
    line, column, text = place_of(entry.document, entry.section, entry.place, key)
    inside = refusal.column - 1 if refusal.column else 0
    value = text.find('"', column - 1)
    apostrophe = text.find("'", column - 1)
    quote = min((place for place in (value, apostrophe) if place >= 0), default=-1)
    start = quote + 2 + inside if quote >= 0 and key in text[: quote + 1] else column
    return refusal._replace(
        file=entry.document.path, line=line, column=start, length=refusal.length, text=text
    )


# ------------------------------------------------------------------ reading


@lru_cache(maxsize=64)
def read_rulebook(name: str, folder: str = "") -> RulebookText:
    """The rulebook *name*: one of those shipped, or a TOML file, relative to *folder*.

    Raises Refused for one that is unknown, malformed, or extends itself.
    """
    if name not in RULEBOOKS:
        return _read(name, folder, ())
    from mjscore.cache import remembered

    text, conditions = remembered(f"{name}.toml", lambda: _with_conditions(_read(name, "", ())))
    _PARSED.update(conditions)
    return text


def _with_conditions(text: RulebookText) -> tuple[RulebookText, dict[str, Node]]:
    """A rulebook and its conditions parsed, by their text."""
    conditions = {
        str(entry.data[key]): parsed(entry, key)
        for entry in text.entries.values()
        for key in ("when", "times", "earlier")
        if key in entry.data
    }
    return text, conditions


def _read(name: str, folder: str, seen: tuple[str, ...]) -> RulebookText:
    document = _document(name, folder)
    key = document.path
    if key in seen:
        chain = " → ".join([*(Path(one).stem for one in seen), Path(key).stem])
        line, column, text = place_of(document, "", None, "extends")
        raise Refused(
            Refusal(
                "extends-cycle",
                f"the rulebooks extend each other in a circle: {chain}",
                "one of them must not extend another",
                line,
                column,
                1,
                text,
                key,
            )
        )
    data = document.data
    _check_top(document)
    parent: RulebookText | None = None
    if "extends" in data:
        try:
            parent = _read(str(data["extends"]), str(Path(key).parent), (*seen, key))
        except Refused as refused:
            if refused.refusal.code != "no-rulebook":
                raise
            line, column, text = place_of(document, "", None, "extends")
            raise Refused(
                Refusal(
                    "extends-nothing",
                    f"it extends {data['extends']!r}, which is no rulebook",
                    refused.refusal.hint,
                    line,
                    column,
                    len("extends"),
                    text,
                    key,
                )
            ) from None
    return _joined(document, parent)


def _document(name: str, folder: str) -> Document:
    if name in RULEBOOKS:
        from importlib import resources

        source = resources.files("mjscore.rulebooks") / f"{name}.toml"
        return read_document(source.read_text(encoding="utf-8"), f"{name}.toml")
    path = Path(folder, name) if folder and not Path(name).is_absolute() else Path(name)
    if path.suffix != ".toml" and not _is_file(path):
        from difflib import get_close_matches

        near = get_close_matches(name, RULEBOOKS, 1)
        raise Refused(
            Refusal(
                "no-rulebook",
                f"there is no rulebook {name!r}",
                f"did you mean {near[0]}?"
                if near
                else f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml",
            )
        )
    try:
        if path.stat().st_size > 1_000_000:
            raise Refused(
                Refusal(
                    "large-rulebook",
                    "the rulebook file is larger than a million bytes",
                    "a rulebook is a page or two of TOML",
                    file=str(path),
                )
            )
        return read_document(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError:
        raise Refused(
            Refusal("not-utf-8", "the rulebook file is not UTF-8 text", "save it as UTF-8", file=str(path))
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(
            Refusal(
                "no-rulebook",
                f"the rulebook file {name!r} cannot be read: {reason}",
                f"the rulebooks are {', '.join(RULEBOOKS)}; a file of your own ends in .toml",
            )
        ) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False  # a name that no file can have


def _complain(
    document: Document, section: str, index: int | None, key: str, code: str, message: str, hint: str
) -> Refused:
    line, column, text = place_of(document, section, index, key)
    return Refused(Refusal(code, message, hint, line, column, max(1, len(key)), text, document.path))


def _check_top(document: Document) -> None:
    for key, value in document.data.items():
        if key not in _TOP:
            from difflib import get_close_matches

            near = get_close_matches(key, _TOP, 1)
            raise _complain(
                document,
                "",
                None,
                key,
                "unknown-key",
                f"a rulebook has no {key!r}",
                f"did you mean {near[0]}?" if near else f"known: {', '.join(_TOP)}",
            )
        if key in _KEYS and not (isinstance(value, list) and all(isinstance(one, dict) for one in value)):
            raise _complain(
                document,
                key,
                None,
                "",
                "wrong-type",
                f"{key} is a list of entries",
                f"begin each with [[{key}]]",
            )
        if key in ("options", "change") and not isinstance(value, dict):
            raise _complain(
                document, "", None, key, "wrong-type", f"{key} is a table", f"begin it with [{key}]"
            )
        if key == "drop" and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            raise _complain(
                document, "", None, key, "wrong-type", "drop is a list of ids", 'type drop = ["no-runs"]'
            )
    for key in ("id", "title"):
        if not isinstance(document.data.get(key), str):
            raise _complain(
                document,
                "",
                None,
                key,
                "missing-key",
                f"the rulebook has no {key}",
                f'write {key} = "…" at its head',
            )


def _joined(document: Document, parent: RulebookText | None) -> RulebookText:
    data = document.data
    entries: dict[str, Entry] = dict(parent.entries) if parent else {}
    options: dict[str, Entry] = dict(parent.options) if parent else {}
    defaults: dict[str, Any] = dict(parent.defaults) if parent else {}
    for index, option in enumerate(data.get("option", ())):
        entry = _entry(document, "option", index, option)
        if entry.id in options and option.get("replaces") != entry.id:
            raise _complain(
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
            raise _complain(
                document,
                "",
                None,
                "drop",
                "unknown-entry",
                f"it drops {name!r}, which is no entry",
                _near(name, entries),
            )
        del entries[name]
    for name, changes in data.get("change", {}).items():
        entries[name] = _changed(document, name, changes, entries)
    for section in _KEYS:
        if section == "option":
            continue
        for index, one in enumerate(data.get(section, ())):
            entry = _entry(document, section, index, one)
            _add(document, entry, entries)
    for name, value in data.get("options", {}).items():
        if name not in options:
            raise _complain(
                document,
                "options",
                None,
                name,
                "unknown-option",
                f"there is no option {name!r}",
                _near(name, options),
            )
        try:
            defaults[name] = option_value(options[name], value)
        except Refused as refused:
            raise _complain(
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
    _check_conditions(text)
    return text


def _near(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(names))}"


def _entry(document: Document, section: str, index: int, data: Mapping[str, Any]) -> Entry:
    def complain(key: str, code: str, message: str, hint: str) -> Refused:
        return _complain(document, section, index, key, code, message, hint)

    if not isinstance(data.get("id"), str) or not data["id"]:
        raise complain("id", "missing-key", f"this [[{section}]] has no id", 'write id = "…"')
    name = data["id"]
    if not isinstance(data.get("title"), str):
        raise complain(
            "id", "missing-key", f"{name} has no title", 'write title = "…", as it stands on a score sheet'
        )
    if not isinstance(data.get("source"), str) or not data["source"].strip():
        raise complain(
            "id",
            "missing-source",
            f"{name} has no source",
            'write source = "…": the book and page, or the club\'s own paper',
        )
    for key in data:
        if key not in (*_COMMON, *_KEYS[section]):
            raise complain(
                key,
                "unknown-key",
                f"{name}: a [[{section}]] has no {key!r}",
                _near(key, (*_COMMON, *_KEYS[section])),
            )
    for key in _NEEDED[section]:
        if key not in data:
            raise complain("id", "missing-key", f"{name} has no {key}", f"write {key} = …")
    _check_values(name, section, data, complain)
    return Entry(section, data, document, index)


def _check_values(
    name: str, section: str, data: Mapping[str, Any], complain: Callable[[str, str, str, str], Refused]
) -> None:
    for key in ("when", "times", "earlier", "tiles", "rule", "who", "seats", "replaces"):
        if key in data and not isinstance(data[key], str):
            raise complain(key, "wrong-type", f"{name}: {key} is a text", f'type {key} = "…"')
    for key, most in _SMALL_NUMBERS.items():
        value = data.get(key, 0)
        if key == "points" and isinstance(value, Mapping):
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise complain(
                key, "wrong-type", f"{name}: {key} is a whole number from 0 to {most}", f"type {key} = 2"
            )
    points = data.get("points")
    if (
        isinstance(points, Mapping)
        and set(points) != {"option"}
        and not (
            section == "settle"
            and all(str(key).isdigit() and isinstance(value, int) for key, value in points.items())
        )
    ):
        raise complain(
            "points",
            "wrong-type",
            f"{name}: points are a number",
            'type points = 10, or points = { option = "mah-jongg" }',
        )
    if "of_limit" in data:
        above, _, below = str(data["of_limit"]).partition("/")
        if not (
            above.isdigit()
            and (below.isdigit() or not below)
            and int(below or 1) > 0
            and len(above + below) < 5
        ):
            raise complain(
                "of_limit",
                "wrong-type",
                f"{name}: of_limit is a part of the limit",
                'type of_limit = "1" or "1/2"',
            )
    for key in ("other_score", "special", "even", "no_pair", "east_passes"):
        if key in data and not isinstance(data[key], bool):
            raise complain(key, "wrong-type", f"{name}: {key} is true or false", f"type {key} = true")
    if "instead_of" in data and not (
        isinstance(data["instead_of"], list) and all(isinstance(one, str) for one in data["instead_of"])
    ):
        raise complain(
            "instead_of",
            "wrong-type",
            f"{name}: instead_of is a list of ids",
            'type instead_of = ["own-wind"]',
        )
    if section == "settle" and data["rule"] not in SETTLE_RULES:
        raise complain(
            "rule",
            "unknown-rule",
            f"{name}: there is no settling rule {data['rule']!r}",
            _near(data["rule"], SETTLE_RULES),
        )
    if section in ("liability", "excuse"):
        known = "all-from" if section == "liability" else "no-choice"
        if "rule" in data and data["rule"] != known:
            raise complain(
                "rule", "unknown-rule", f"{name}: there is no rule {data['rule']!r} here", f"type {known}"
            )
        if "rule" not in data and "when" not in data:
            raise complain("id", "missing-key", f"{name} has no when", 'write when = "…"')
    if section == "shape":
        if "of_limit" not in data and "points" not in data:
            raise complain(
                "id", "missing-key", f"{name} has no worth", 'write of_limit = "1/2", or points = 200'
            )
        try:
            compile_shape(data["tiles"], CLASS_MASKS)
        except Refused as refused:
            raise complain(
                "tiles", refused.refusal.code, f"{name}: {refused.refusal.message}", refused.refusal.hint
            ) from None
    if section == "option":
        _check_option(name, data, complain)


def _check_option(
    name: str, data: Mapping[str, Any], complain: Callable[[str, str, str, str], Refused]
) -> None:
    kinds = ("flag", "number", "choice", "limit", "group")
    if data["kind"] not in kinds:
        raise complain("kind", "wrong-type", f"{name}: an option is {', '.join(kinds)}", 'type kind = "flag"')
    if data["kind"] == "group":
        turned = data.get("turns_on")
        if not isinstance(turned, list) or not all(isinstance(one, str) for one in turned):
            raise complain("id", "missing-key", f"{name} turns nothing on", 'write turns_on = ["…"]')
        return
    if data["kind"] in ("choice", "number") and not isinstance(data.get("choices"), list):
        raise complain("id", "missing-key", f"{name} has no choices", "write choices = [ … ]")
    if not all(isinstance(choice, (str, int)) for choice in data.get("choices", ())):
        raise complain(
            "choices", "wrong-type", f"{name}: choices are words or numbers", "write choices = [10, 20]"
        )
    if data["kind"] == "number" and not all(isinstance(choice, int) for choice in data["choices"]):
        raise complain("choices", "wrong-type", f"{name}: choices are numbers", "write choices = [10, 20]")
    cases = data.get("default_when", [])
    if not isinstance(cases, list) or not all(
        isinstance(case, Mapping)
        and set(case) == {"option", "is", "default"}
        and isinstance(case["option"], str)
        for case in cases
    ):
        raise complain(
            "default_when",
            "wrong-type",
            f"{name}: default_when says what the default is where another option is so",
            'write default_when = [{ option = "players", is = 3, default = 600 }]',
        )
    if "default" not in data:
        raise complain("id", "missing-key", f"{name} has no default", "write default = …")
    for default in (data["default"], *(case["default"] for case in cases)):
        try:
            option_value(Entry("option", data, Document({}, (), ""), None), default)
        except Refused as refused:
            raise complain("default", "option-value", refused.refusal.message, refused.refusal.hint) from None


def _add(document: Document, entry: Entry, entries: dict[str, Entry]) -> None:
    index = entry.place
    replaced = entry.data.get("replaces")
    if replaced is not None:
        if replaced not in entries:
            raise _complain(
                document,
                entry.section,
                index,
                "replaces",
                "unknown-entry",
                f"{entry.id} replaces {replaced!r}, which is no entry",
                _near(str(replaced), entries),
            )
        del entries[str(replaced)]
        entry = entry._replace(changed=True)
    if entry.id in entries:
        other = entries[entry.id]
        line, _, _ = place_of(other.document, other.section, other.place, "id")
        raise _complain(
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
        raise _complain(
            document,
            section,
            None,
            "",
            "unknown-entry",
            f"it changes {name!r}, which is no entry",
            _near(name, entries),
        )
    if not isinstance(changes, dict) or not changes:
        raise _complain(
            document,
            section,
            None,
            "",
            "wrong-type",
            f"{name} is not changed in anything",
            f"write what it becomes under [change.{name}]",
        )
    old = entries[name]
    allowed = ("title", "source", "when", *_KEYS[old.section])
    for key in changes:
        if key not in allowed:
            raise _complain(
                document,
                section,
                None,
                key,
                "unknown-key",
                f"{name}: a {old.section} has no {key!r} to change",
                _near(key, allowed),
            )
    if "source" not in changes:
        raise _complain(
            document,
            section,
            None,
            "",
            "missing-source",
            f"the change of {name} has no source",
            'write source = "…": the book and page, or the club\'s own paper',
        )
    data = {**old.data, **changes}
    _check_values(
        name,
        old.section,
        data,
        lambda key, code, message, hint: _complain(document, section, None, key, code, message, hint),
    )
    return Entry(old.section, data, document._replace(change=name), old.place, True)


def _check_options(text: RulebookText) -> None:
    """Options that speak of other options: these must be there, and flags where they are turned on."""
    for name, entry in text.options.items():
        for other in entry.data.get("turns_on", ()):
            if other not in text.options or text.options[other].data["kind"] != "flag":
                raise _complain(
                    entry.document,
                    "option",
                    entry.place,
                    "turns_on",
                    "unknown-option",
                    f"{name} turns on {other!r}, which is no option that is on or off",
                    _near(other, text.options),
                )
        for case in entry.data.get("default_when", ()):
            if case["option"] not in text.options:
                raise _complain(
                    entry.document,
                    "option",
                    entry.place,
                    "default_when",
                    "unknown-option",
                    f"there is no option {case['option']!r}",
                    _near(case["option"], text.options),
                )


def _check_conditions(text: RulebookText) -> None:
    kinds = {
        name: {"flag": "boolean", "number": "number", "choice": "text", "limit": "number"}.get(
            str(entry.data["kind"]), "boolean"
        )
        for name, entry in text.options.items()
    }
    hand = Vocabulary(HAND_VOCABULARY.facts, HAND_VOCABULARY.classes, kinds)
    one = Vocabulary(SET_VOCABULARY.facts, SET_VOCABULARY.classes, kinds)
    options = Vocabulary(OPTION_VOCABULARY.facts, OPTION_VOCABULARY.classes, kinds)
    for entry in text.entries.values():
        vocabulary = one if entry.section == "set" else options if entry.section == "settle" else hand
        for key, wanted in (("when", "boolean"), ("times", "number"), ("earlier", "boolean")):
            if key not in entry.data:
                continue
            node = parsed(entry, key)
            try:
                check_condition(node, vocabulary, wanted)
                _check_words(node, text)
            except Refused as refused:
                raise Refused(placed(entry, key, refused.refusal)) from None
        for name in entry.data.get("instead_of", ()):
            if name not in text.entries:
                raise _complain(
                    entry.document,
                    entry.section,
                    entry.place,
                    "instead_of",
                    "unknown-entry",
                    f"{entry.id} stands instead of {name!r}, which is no entry",
                    _near(name, text.entries),
                )
        points = entry.data.get("points")
        if isinstance(points, Mapping) and "option" in points and points["option"] not in text.options:
            raise _complain(
                entry.document,
                entry.section,
                entry.place,
                "points",
                "unknown-option",
                f"there is no option {points['option']!r}",
                _near(str(points["option"]), text.options),
            )


def _check_words(node: Node, text: RulebookText) -> None:
    """The ids and patterns that facts are asked about."""
    from mjscore.conditions import Text

    for name in names_in(node):
        words = [argument.value for argument in name.arguments if isinstance(argument, Text)]
        if name.name == "scores_only":
            for word in words:
                if word not in text.entries:
                    raise Refused(
                        Refusal(
                            "unknown-entry",
                            f"there is no entry {word!r}",
                            _near(word, text.entries),
                            1,
                            name.column,
                            len(name.name),
                        )
                    )
        elif name.name == "held":
            try:
                patterns(words[0])
            except Refused as refused:
                raise Refused(refused.refusal._replace(column=name.column)) from None


# ------------------------------------------------------------------ options


def option_value(entry: Entry, value: Any) -> OptionValue:
    """*value* (a text, or as TOML has it) as a value of the option; raises Refused for no such value."""
    kind = entry.data["kind"]
    text = str(value).strip().lower()
    if kind == "flag":
        if text in ("on", "true", "yes", "1"):
            return True
        if text in ("off", "false", "no", "0"):
            return False
        choices = ["on", "off"]
    elif kind == "group":
        if text in ("all", "none"):
            return text
        choices = ["all", "none"]
    elif kind == "limit":
        if text == "none":
            return None
        if text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text) > 0:
            return int(text)
        choices = ["a whole number of points", "none"]
    else:
        choices = [str(choice) for choice in entry.data["choices"]]
        if text in choices:
            return int(text) if kind == "number" else text
    raise Refused(
        Refusal(
            "option-value",
            f"{entry.id} cannot be {str(value)[:40]!r}",
            f"it is {', '.join(choices[:-1])} or {choices[-1]}"
            if len(choices) > 1
            else f"it is {choices[0]}",
        )
    )


def settled_options(text: RulebookText, settings: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Every option's value under *settings*; raises Refused for an option or a value that there is not."""
    chosen: dict[str, OptionValue] = {}
    for name, value in settings.items():
        if name not in text.options:
            raise Refused(
                Refusal("unknown-option", f"{text.id} has no option {name[:40]!r}", _near(name, text.options))
            )
        chosen[name] = option_value(text.options[name], value)
    turned_on = {
        str(name)
        for group, value in chosen.items()
        if value == "all" and text.options[group].data["kind"] == "group"
        for name in text.options[group].data["turns_on"]
    }
    values: dict[str, OptionValue] = {}
    for name, entry in text.options.items():
        if entry.data["kind"] == "group":
            values[name] = chosen.get(name, "none")
        elif name in chosen:
            values[name] = chosen[name]
        elif name in turned_on:
            values[name] = True
        elif name in text.defaults:
            values[name] = text.defaults[name]
        else:
            values[name] = option_value(entry, entry.data["default"])
    for name, entry in text.options.items():
        if name in chosen or name in text.defaults:
            continue
        for case in entry.data.get("default_when", ()):
            if values.get(str(case["option"])) == case["is"]:
                values[name] = option_value(entry, case["default"])
    return values


@lru_cache(maxsize=128)
def _bound(name: str, folder: str, settings: tuple[tuple[str, str], ...]) -> Rulebook:
    text = read_rulebook(name, folder)
    return Rulebook(text, settled_options(text, dict(settings)))


def bind(name: str, settings: Mapping[str, Any] | None = None, folder: str = "") -> Rulebook:
    """The rulebook *name* under *settings* (option names to values). Raises Refused.

    Files are read once in a process; ``forget_rulebooks`` makes them read again.
    """
    plain = tuple(sorted((key, str(value)) for key, value in (settings or {}).items()))
    return _bound(name, folder if name not in RULEBOOKS else "", plain)


def forget_rulebooks() -> None:
    """Forgets what was read, so that a file that has changed is read again."""
    _bound.cache_clear()
    read_rulebook.cache_clear()
