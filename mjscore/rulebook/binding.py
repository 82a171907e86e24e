"""Rulebooks: data files read, checked, joined with what they extend, and bound to a table's options.

A rulebook is a TOML file. Every set value, bonus, double, limit hand, special hand and settling rule is
an entry with an id, a title, a source and, mostly, a condition. ``read_rulebook`` gives the entries as
they stand; ``bind`` settles the options and compiles the conditions once.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from mjscore.game.hand import TileSet
from mjscore.game.tiles import WINDS
from mjscore.rulebook.conditions import NO_LIMIT, Constant, Name, Node, expression, fold, names_in
from mjscore.rulebook.entries import (
    RULEBOOKS,
    Entry,
    OptionValue,
    RulebookText,
    parsed,
    remember_parsed,
    settled_options,
)
from mjscore.rulebook.facts import CLASS_MASKS, HAND_VOCABULARY, SET_VOCABULARY, Facts, patterns
from mjscore.rulebook.rule import Given, Rule, SetValue
from mjscore.rulebook.settling import is_ninth_win, settling_rules
from mjscore.rulebook.shapes import Alternative, compile_shape


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
        "settling",
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
        self.settling = settling_rules(rules.of("settle"), self.rules, self.limit, rules.ninth_wins())
        self.liabilities = rules.liabilities()
        self.excuses = rules.excuses()
        score_limit, two = self.settling.score_limit, self.settling.minimum_doubles
        self.score_limit = score_limit.who if score_limit is not None else ""
        self.minimum_doubles = two.doubles if two is not None else 0
        self.seats = self.settling.seats(self.players)
        self.seat_numbers = {seat: WINDS.index(seat) for seat in self.seats}

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that change with any entry or option in force."""
        return _fingerprint(self.text, self.options)

    def __repr__(self) -> str:
        return f"<Rulebook {self.id} {self.fingerprint}>"

    def part_of_limit(self, rule: Rule) -> int | None:
        """What a rule gives in points: its part of the limit, or its points; None without a limit."""
        return rule.points_under(self.limit)

    def capped(self, score: int, won: bool) -> int:
        """A score in points after the limit, where the rulebook has one for such a hand."""
        if self.limit is None or not (self.score_limit == "all" or (self.score_limit == "winner" and won)):
            return score
        return min(score, self.limit)


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
            return NO_LIMIT if value is None else value
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
        above, _, below = str(data.get("of_limit", "")).partition("/")
        return Rule(
            entry.id,
            entry.title,
            entry.source,
            entry.section,
            points=0 if isinstance(points, Mapping) else int(points),
            doubles=int(data.get("doubles", 0)),
            is_other_score=bool(data.get("other_score", entry.section in ("set", "bonus"))),
            instead_of=frozenset(data.get("instead_of", ())),
            special=bool(data.get("special", False)),
            rank=int(data.get("rank", 0)),
            kind=str(data.get("rule", "")),
            of_limit=(int(above), int(below or 1)) if above else None,
            even=bool(data.get("even", False)),
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
        replacing = any(self.rules[entry.id].instead_of for entry in self.of("bonus", "double"))
        return _without_replaced(evaluate) if replacing else evaluate

    def compiled_sets(self) -> Callable[[Facts, TileSet], tuple[Rule, ...]]:
        """The entries that give a set its value."""
        tests: list[tuple[Rule, Callable[[Facts, TileSet], bool]]] = []
        for entry in self.of("set"):
            code = expression(self.conditions[entry.id], SET_VOCABULARY)
            tests.append((self.rules[entry.id], eval(f"lambda f, s: {code}", {})))

        def evaluate(facts: Facts, one: TileSet) -> tuple[Rule, ...]:
            given = [rule for rule, holds in tests if holds(facts, one)]
            replaced = {name for rule in given for name in rule.instead_of}
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

    def ninth_wins(self) -> tuple[Rule, ...]:
        return tuple(
            self.rules[entry.id] for entry in self.of("limit") if is_ninth_win(self.conditions[entry.id])
        )

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
        replaced = {name for rule, _ in given for name in rule.instead_of}
        return [one for one in given if one[0].id not in replaced] if replaced else given

    return without


_SET_COUNTS = ("chows", "pungs", "kongs", "pairs", "concealed_pungs", "hidden_pungs")


def _grows_with_sets(node: Node) -> bool:
    """Whether more sets can only help: the regrouping of a loser's tiles may then take every set."""
    from mjscore.rulebook.conditions import Compare, Joined, Number

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


@lru_cache(maxsize=64)
def read_rulebook(name: str, folder: str = "") -> RulebookText:
    """The rulebook *name*: one of those shipped, or a TOML file, relative to *folder*.

    Raises Refused for one that is unknown, malformed, or extends itself.
    """
    if name not in RULEBOOKS:
        return _read(name, folder)
    from mjscore.notation.cache import remembered

    text, conditions = remembered(f"{name}.toml", lambda: _with_conditions(_read(name, "")))
    remember_parsed(conditions)
    return text


def _read(name: str, folder: str) -> RulebookText:
    # what reads and checks is loaded only where nothing was kept from before
    from mjscore.rulebook.loading import read

    return read(name, folder, ())


def _with_conditions(text: RulebookText) -> tuple[RulebookText, dict[str, Node]]:
    """A rulebook and its conditions parsed, by their text."""
    conditions = {
        str(entry.data[key]): parsed(entry, key)
        for entry in text.entries.values()
        for key in ("when", "times", "earlier")
        if key in entry.data
    }
    return text, conditions


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


def rulebook_of(rulebook: str | Rulebook, options: Mapping[str, object] | None) -> Rulebook:
    """The rulebook itself; options are for one given by name. Raises Refused."""
    if isinstance(rulebook, Rulebook):
        if options:
            return Rulebook(rulebook.text, {**rulebook.options, **bind_options(rulebook, options)})
        return rulebook
    return bind(rulebook, options)


def bind_options(rulebook: Rulebook, options: Mapping[str, object]) -> Mapping[str, bool | int | str | None]:
    """*options* as values of a rulebook's options. Raises Refused."""
    settled = settled_options(rulebook.text, options)
    return {name: settled[name] for name in options}


def forget_rulebooks() -> None:
    """Forgets what was read, so that a file that has changed is read again."""
    _bound.cache_clear()
    read_rulebook.cache_clear()
