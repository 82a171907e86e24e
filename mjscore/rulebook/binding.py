"""Rulebooks: data files read, checked, joined with what they extend, and bound to a table's options.

A rulebook is a TOML file. Every set value, bonus, double, limit hand, special hand and settling rule is
an entry with an id, a title, a source and, mostly, a condition. ``read_rulebook`` gives the entries as
they stand; ``bind`` settles the options and compiles the conditions once.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from mjscore.game.hand import TileSet
from mjscore.game.tiles import WINDS
from mjscore.rulebook.compiling import (
    Clause,
    Test,
    compile_hand,
    compile_sets,
    compile_test,
    holds,
    more_sets_never_hurt,
    threes_never_hurt,
)
from mjscore.rulebook.conditions import NO_LIMIT, Constant, Name, Node, Text, fold, names_in
from mjscore.rulebook.entries import (
    RULEBOOKS,
    Definition,
    Entry,
    OptionValue,
    parsed,
    remember_parsed,
    rulebook_called,
    settled_options,
)
from mjscore.rulebook.facts import BONUS_FACTS, CLASS_MASKS, SEASONS, Situation, complete_series, own_bonus
from mjscore.rulebook.rule import Award, Rule, SetValue, part_of_limit
from mjscore.rulebook.settling import is_ninth_win, settling_rules
from mjscore.rulebook.shapes import Alternative, compile_shape


class SpecialHand(NamedTuple):
    """A special winning hand: its rule, its shapes, and the condition over the hand's facts (or None)."""

    rule: Rule
    alternatives: tuple[Alternative, ...]
    when: Test | None


class WinCondition(NamedTuple):
    """A condition without which no hand wins; *of_shape* where an arrangement alone decides it."""

    rule: Rule
    node: Node
    when: Test
    of_shape: bool


class WaitedFor(NamedTuple):
    """An entry that ``waiting_for`` asks about: a special hand, or a limit hand's condition on a won hand."""

    id: str
    special: SpecialHand | None
    when: Test | None


class Liability(NamedTuple):
    """Under what a discarder pays for others: what was *shown* to him, and *when*, by the hand that won.

    *earlier* says whether a tile that was fed for a set some turns ago counts too: ``alone``, or ``shared``
    with a last discarder who is liable himself; else it is empty.
    """

    rule: Rule
    shown: Test
    when: Test
    earlier: str


class Rulebook:
    """A rulebook bound to the options of a table; made by ``bind`` and not changed afterwards.

    *settings* are the options that were set, *options* all of them; *limit* is in points or None. *evaluate_winner* and *evaluate_other* give the bonuses, doubles and
    limit hands of an arranged hand, each with how many times; *asks_only_place* and *asks_waiting* say
    whether these have to know what the hand waits for. *wins* are what a hand needs to win, *shape_wins*
    those of them that an arrangement alone decides; *waited_for* the entries that a hand is asked whether
    it lacks one tile of; *flags* the words of its own that hands may have. *set_values* and *tallies* keep what the scorer
    has worked out: what sets are worth, what awards add up to.
    """

    def __init__(self, definition: Definition, settings: Mapping[str, Any]) -> None:
        options = settled_options(definition, settings)
        self.definition = definition
        self.settings = dict(settings)
        self.id = definition.id
        self.title = definition.title
        self.book = definition.book
        self.options = options
        limit = options.get("limit")
        self.limit = limit if isinstance(limit, int) else None
        players = options.get("players", 4)
        self.players = players if isinstance(players, int) else 4
        self.set_values: dict[Situation, dict[TileSet, SetValue]] = {}
        self.tallies: dict[tuple[Award, ...], Any] = {}
        rules = _Binder(definition, self.options, self.limit, self.players)
        self.entries = rules.applying
        self.rules = rules.rules
        self.conditions = rules.conditions
        self.evaluate_set, self.situation_of = compile_sets(rules.clauses("set"))
        scoring = rules.clauses("bonus", "double", "after", "limit")
        self.evaluate_winner = compile_hand(scoring, True)
        self.evaluate_other = compile_hand(scoring, False)
        self.more_sets_never_hurt = all(more_sets_never_hurt(holds(clause.when, False)) for clause in scoring)
        self.threes_never_hurt = threes_never_hurt(scoring)
        self.asks_only_place = rules.asks("only_place") or rules.asks("only_wait")
        self.bonus_facts = rules.bonus_facts()
        self.asks_waiting = rules.asks("waiting")
        self.asks_last_discard = rules.asks("last_discard")
        self.special_hands = rules.special_hands()
        self.lacking_a_limit = rules.special_hands(without_limit=True)
        self.wins = rules.wins()
        self.shape_wins = tuple(win.when for win in self.wins if win.of_shape)
        self.waited_for = rules.waited_for(self.special_hands)
        self.flags = {entry.id: entry for entry in rules.of("flag")}
        self.settling = settling_rules(rules.of("settle"), self.rules, self.limit, rules.ninth_wins())
        self.liabilities = rules.liabilities()
        self.excuses = rules.excuses()
        self.seats = self.settling.seats(self.players)
        self.seat_numbers = {seat: WINDS.index(seat) for seat in self.seats}

    def counts_bonus(self, tile: int, bonus: tuple[int, ...], seat: str | None) -> bool:
        """Whether a flower or season can bring its player anything: all do, or his own, or whole series."""
        if "bonus_tiles" in self.bonus_facts:
            return True
        if self.bonus_facts & {"own_bonus", "own_bonus_outside"} and own_bonus(
            (tile,), WINDS.index(seat or "E")
        ):
            return True
        series = tuple(other for other in bonus if (other < SEASONS) == (tile < SEASONS))
        return "complete_series" in self.bonus_facts and complete_series(series) > 0

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that change with any entry or option in force."""
        return _fingerprint(self.definition, self.options)

    def __repr__(self) -> str:
        return f"<Rulebook {self.id} {self.fingerprint}>"

    def part_of_limit(self, rule: Rule) -> int | None:
        """What a rule gives in points: its part of the limit, or its points; None without a limit."""
        return rule.points_under(self.limit)

    @property
    def above_limit(self) -> frozenset[int]:
        """What entries give that are worth more than the limit, in points: the double limit and the like."""
        if self.limit is None:
            return frozenset()
        parts = (rule.points_under(self.limit) for rule in self.rules.values() if rule.of_limit is not None)
        return frozenset(points for points in parts if points is not None and points > self.limit)

    def capped(self, score: int, won: bool, giver: Rule | None = None) -> int:
        """A score in points after the limit, where the rulebook has one for such a hand.

        Of a score that *giver* gives, as much stays as that is worth, be it more than the limit.
        """
        rule = self.settling.score_limit
        if self.limit is None or rule is None or not (won or rule.who == "all"):
            return score
        above = giver.points_under(self.limit) or 0 if giver is not None and giver.of_limit is not None else 0
        return min(score, max(self.limit, above))


# the sections whose conditions are asked of a hand
_ASKING = ("bonus", "double", "after", "limit", "shape", "win", "liability")
# what is known of a hand only when it has been counted, or when all that it waited for is known
_KNOWN_AFTER_COUNTING = ("doubles", "doublings", "score", "only_place", "only_wait")


def _fingerprint(definition: Definition, options: Mapping[str, OptionValue]) -> str:
    """Twelve hexadecimal digits that change with any entry or option in force."""
    data = [[entry.section, dict(entry.data)] for entry in definition.entries.values()]
    import hashlib
    import json

    plain = json.dumps([data, sorted(options.items())], sort_keys=True, default=str)
    return hashlib.sha256(plain.encode()).hexdigest()[:12]


# of the keys of an entry those that its rule has, and what they are called there
_FIELDS = {name: name for name in Rule._fields} | {
    "other_score": "is_other_score",
    "instead": "never_counted",
    "counts": "may_be_counted",
    "rule": "kind",
}


class _Binder:
    """Settles a rulebook's conditions under its options."""

    def __init__(
        self, definition: Definition, options: Mapping[str, OptionValue], limit: int | None, players: int
    ) -> None:
        self.options = options
        self.limit = limit
        self.players = players
        self.conditions: dict[str, Node] = {}
        self.applying: dict[str, Entry] = {}
        self.rules: dict[str, Rule] = {}
        for entry in definition.entries.values():
            condition = entry.data.get("when")
            node: Node = Constant(True)
            if condition is not None:
                node = fold(parsed(entry, "when"), self.known)
                if isinstance(node, Constant) and not node.value and entry.section != "win":
                    continue
            self.conditions[entry.id] = node
            self.applying[entry.id] = entry
            self.rules[entry.id] = self.rule(entry)
        for name, node in self.conditions.items():
            self.conditions[name] = fold(node, self.known_of_waiting)

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

    def known_of_waiting(self, name: Name) -> bool | None:
        """Nobody waits for an entry that is out of force."""
        if name.name != "waiting_for":
            return None
        asked = (argument.value for argument in name.arguments if isinstance(argument, Text))
        return None if any(entry in self.applying for entry in asked) else False

    def rule(self, entry: Entry) -> Rule:
        data = entry.data
        points = data.get("points", 0)
        if isinstance(points, Mapping) and "option" in points:
            value = self.options[str(points["option"])]
            points = value if isinstance(value, int) else 0
        given = {field: data[key] for key, field in _FIELDS.items() if key in data}
        if "of_limit" in data:
            given["of_limit"] = part_of_limit(data["of_limit"])
        return Rule(
            **{
                "is_other_score": entry.section in ("set", "bonus"),
                **given,
                "section": entry.section,
                "points": 0 if isinstance(points, Mapping) else points,
                "instead_of": frozenset(data.get("instead_of", ())),
            }
        )

    def of(self, *sections: str) -> list[Entry]:
        return [entry for entry in self.applying.values() if entry.section in sections]

    def clauses(self, *sections: str) -> list[Clause]:
        """The rules of some sections with their conditions."""
        return [
            Clause(
                self.rules[entry.id],
                self.conditions[entry.id],
                fold(parsed(entry, "times"), self.known) if "times" in entry.data else None,
            )
            for entry in self.of(*sections)
        ]

    def asks(self, fact: str) -> bool:
        """Whether what a hand scores, or who is liable for it, depends on *fact*."""
        nodes = [self.conditions[entry.id] for entry in self.of(*_ASKING)]
        nodes += [parsed(entry, "shown") for entry in self.of("liability") if "shown" in entry.data]
        return any(name.name == fact for node in nodes for name in names_in(node))

    def bonus_facts(self) -> frozenset[str]:
        """The facts of flowers and seasons that what a hand scores depends on."""
        nodes = [self.conditions[entry.id] for entry in self.applying.values()]
        nodes += [parsed(entry, "times") for entry in self.applying.values() if "times" in entry.data]
        return frozenset(name.name for node in nodes for name in names_in(node)) & BONUS_FACTS

    def test(self, entry: Entry, key: str = "when") -> Test:
        return compile_test(
            self.conditions[entry.id] if key == "when" else fold(parsed(entry, key), self.known)
        )

    def special_hands(self, without_limit: bool = False) -> tuple[SpecialHand, ...]:
        """The special hands that win, or those that do not because there is no limit to be a part of."""
        found = []
        for entry in self.of("shape"):
            if ("of_limit" in entry.data and self.limit is None) != without_limit:
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

    def wins(self) -> tuple[WinCondition, ...]:
        return tuple(
            WinCondition(
                self.rules[entry.id],
                node,
                self.test(entry),
                not any(name.name in _KNOWN_AFTER_COUNTING for name in names_in(node)),
            )
            for entry in self.of("win")
            if (node := self.conditions[entry.id]) != Constant(True)
        )

    def waited_for(self, special_hands: tuple[SpecialHand, ...]) -> tuple[WaitedFor, ...]:
        asked = {
            argument.value
            for entry in self.of(*_ASKING)
            for name in names_in(self.conditions[entry.id])
            if name.name == "waiting_for"
            for argument in name.arguments
            if isinstance(argument, Text)
        }
        specials = {special.rule.id: special for special in special_hands}
        found = []
        for name in sorted(asked & self.applying.keys()):
            if self.applying[name].section == "limit":
                found.append(WaitedFor(name, None, compile_test(holds(self.conditions[name], True))))
            elif name in specials:
                found.append(WaitedFor(name, specials[name], None))
        return tuple(found)

    def ninth_wins(self) -> tuple[Rule, ...]:
        return tuple(
            self.rules[entry.id] for entry in self.of("limit") if is_ninth_win(self.conditions[entry.id])
        )

    def liabilities(self) -> tuple[Liability, ...]:
        return tuple(
            Liability(
                self.rules[entry.id],
                self.test(entry, "shown") if "shown" in entry.data else compile_test(Constant(True)),
                self.test(entry),
                str(entry.data.get("earlier", "")),
            )
            for entry in self.of("liability")
        )

    def excuses(self) -> tuple[tuple[Rule, Test], ...]:
        return tuple((self.rules[entry.id], self.test(entry)) for entry in self.of("excuse"))


@lru_cache(maxsize=64)
def read_rulebook(name: str, folder: str = "") -> Definition:
    """The rulebook *name*: one of those shipped, or a TOML file, relative to *folder*.

    Raises Refused for one that is unknown, malformed, or extends itself.
    """
    name = rulebook_called(name)
    if name not in RULEBOOKS:
        return _read(name, folder)
    from mjscore.notation.cache import remembered

    definition, conditions = remembered(f"{name}.toml", _sources, lambda: _with_conditions(_read(name, "")))
    remember_parsed(conditions)
    return definition


def _sources() -> list[bytes]:
    """All that decides what a shipped rulebook says. Raises OSError where it does not lie in files."""
    from mjscore.notation.parsers import grammar_text

    here = os.path.dirname(__file__)
    contents = [grammar_text(name).encode() for name in ("condition.lark", "shape.lark")]
    for folder in (here, os.path.join(here, "books"), os.path.join(os.path.dirname(here), "game")):
        for name in sorted(os.listdir(folder)):
            if name.endswith((".py", ".toml")):
                with open(os.path.join(folder, name), "rb") as stream:
                    contents.append(stream.read())
    return contents


def _read(name: str, folder: str) -> Definition:
    # what reads and checks is loaded only where nothing was kept from before
    from mjscore.rulebook.loading import read

    return read(name, folder, ())


def _with_conditions(definition: Definition) -> tuple[Definition, dict[str, Node]]:
    """A rulebook and its conditions parsed, by their text."""
    conditions = {
        str(entry.data[key]): parsed(entry, key)
        for entry in definition.entries.values()
        for key in ("when", "times", "shown")
        if key in entry.data
    }
    return definition, conditions


@lru_cache(maxsize=128)
def _bound(name: str, folder: str, settings: tuple[tuple[str, str], ...]) -> Rulebook:
    return Rulebook(read_rulebook(name, folder), dict(settings))


def bind(name: str, settings: Mapping[str, Any] | None = None, folder: str = "") -> Rulebook:
    """The rulebook *name* under *settings* (option names to values). Raises Refused.

    Files are read once in a process; ``forget_rulebooks`` makes them read again.
    """
    plain = tuple(sorted((key, str(value)) for key, value in settings.items())) if settings else ()
    name = rulebook_called(name)
    return _bound(name, folder if name not in RULEBOOKS else "", plain)


def rulebook_of(rulebook: str | Rulebook, options: Mapping[str, object] | None) -> Rulebook:
    """The rulebook itself, with *options* beside those that it was bound to. Raises Refused."""
    if isinstance(rulebook, Rulebook):
        return Rulebook(rulebook.definition, {**rulebook.settings, **options}) if options else rulebook
    return bind(rulebook, options)


def forget_rulebooks() -> None:
    """Forgets what was read, so that a file that has changed is read again."""
    _bound.cache_clear()
    read_rulebook.cache_clear()
