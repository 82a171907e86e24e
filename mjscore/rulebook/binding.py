"""Rulebooks: data files read, checked, joined with what they extend, and bound to a table's options.

A rulebook is a TOML file. Every set value, bonus, double, limit hand, special hand and settling rule is
an entry with an id, a title, a source and, mostly, a condition. ``read_rulebook`` gives the entries as
they stand; ``bind`` settles the options and compiles the conditions once.
"""

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from mjscore.game.tiles import WINDS
from mjscore.rulebook.compiling import (
    Clause,
    Evaluate,
    Test,
    compile_awards,
    compile_situation,
    compile_test,
    holds,
    more_sets_never_hurt,
    threes_never_hurt,
)
from mjscore.rulebook.conditions import NO_LIMIT, Constant, Name, Node, fold, names_in
from mjscore.rulebook.entries import RULEBOOKS, Definition, Entry, rulebook_called, settled_options
from mjscore.rulebook.facts import BONUS_FACTS, SEASONS, complete_series, own_bonus
from mjscore.rulebook.rule import Award, Rule, part_of_limit
from mjscore.rulebook.settling import is_ninth_win, settling_rules
from mjscore.rulebook.shapes import Alternative, compile_shape


class SpecialHand(NamedTuple):
    """A special winning hand: its rule, its shapes, and the condition over the hand's facts."""

    rule: Rule
    alternatives: tuple[Alternative, ...]
    when: Test


class WinCondition(NamedTuple):
    """A condition without which no hand wins; *of_shape* where an arrangement alone decides it."""

    rule: Rule
    node: Node
    when: Test
    of_shape: bool


class Liability(NamedTuple):
    """Under what a discarder pays for others: what was *shown* to them, and *when*, by the hand that won.

    *earlier* says whether a tile that was fed for a set some turns ago counts too: ``alone``, or ``shared``
    with a last discarder who is liable too; else it is empty.
    """

    rule: Rule
    shown: Test
    when: Test
    earlier: str


# the sections whose conditions are asked of a hand
_ASKING = ("bonus", "double", "after", "limit", "shape", "win", "liability")
# what is known of a hand only when it has been counted, or when all that it waited for is known
_KNOWN_AFTER_COUNTING = {"doubles", "doublings", "score", "only_place", "only_wait"}
# of the keys of an entry those that its rule has, and what they are called there
_FIELDS = {name: name for name in Rule._fields} | {
    "other_score": "is_other_score",
    "instead": "never_counted",
    "counts": "may_be_counted",
    "rule": "kind",
}


class Rulebook:
    """A rulebook bound to the options of a table; made by ``bind`` and not changed afterwards.

    *settings* are the options that were set, *options* all of them; *limit* is in points or None. *entries* are those in
    force under these options, *rules* what they give, *conditions* what is left of their conditions, each by the entry's
    id. *set_values* and *tallies* keep what the scorer has worked out: what sets are worth, what awards add up to.
    """

    def __init__(self, definition: Definition, settings: Mapping[str, Any]) -> None:
        self.definition = definition
        self.settings = dict(settings)
        self.id, self.title, self.book = definition.id, definition.title, definition.book
        self.options = settled_options(definition, settings)
        limit, players = self.options.get("limit"), self.options.get("players")
        self.limit = limit if isinstance(limit, int) else None
        self.players = players if isinstance(players, int) else 4
        self.set_values: dict[Hashable, Any] = {}
        self.tallies: dict[tuple[Award, ...], Any] = {}
        self._folded = {
            name: {key: fold(node, self._known) for key, node in entry.conditions.items()}
            for name, entry in definition.entries.items()
        }
        self.entries = {
            name: entry
            for name, entry in definition.entries.items()
            if entry.section == "win" or self._folded[name].get("when") != Constant(False)
        }
        self.conditions = {
            name: fold(self._folded[name].get("when", Constant(True)), self._known_of_waiting)
            for name in self.entries
        }
        self.rules = {name: self._rule(entry) for name, entry in self.entries.items()}
        self.flags = {entry.id: entry for entry, _, _ in self._of("flag")}
        of_sets = self._clauses("set")
        self.evaluate_set = compile_awards(of_sets, "t")
        self.situation_of = compile_situation(of_sets)
        ninth_wins = tuple(rule for _, rule, node in self._of("limit") if is_ninth_win(node))
        settling = [entry for entry, _, _ in self._of("settle")]
        self.settling = settling_rules(settling, self.rules, self.limit, ninth_wins)
        self.seats = self.settling.seats(self.players)
        self.seat_numbers = {seat: WINDS.index(seat) for seat in self.seats}

    def _known(self, name: Name) -> bool | int | str | None:
        """Tell what the options tell of a fact."""
        if name.name == "option":
            value = self.options.get(name.words[0])
            return NO_LIMIT if value is None else value
        return {"players": self.players, "limited": self.limit is not None}.get(name.name)

    def _known_of_waiting(self, name: Name) -> bool | None:
        """Nobody waits for an entry that is out of force."""
        if name.name != "waiting_for" or any(entry in self.entries for entry in name.words):
            return None
        return False

    def _rule(self, entry: Entry) -> Rule:
        """Make the rule of an entry: of its keys those that a rule has, with the options settled."""
        data = entry.data
        points = data.get("points", 0)
        if isinstance(points, Mapping):  # an option's, or those of a wash by the number of heads
            points = self.options[points["option"]] if "option" in points else 0
        given = {field: data[key] for key, field in _FIELDS.items() if key in data}
        settled = {
            "section": entry.section,
            "points": points,
            "instead_of": frozenset(data.get("instead_of", ())),
            "of_limit": part_of_limit(data.get("of_limit")),
        }
        return Rule(**{"is_other_score": entry.section in ("set", "bonus"), **given, **settled})

    def _of(self, *sections: str) -> list[tuple[Entry, Rule, Node]]:
        """Give the entries of some sections, each with its rule and what is left of its condition."""
        return [
            (entry, self.rules[name], self.conditions[name])
            for name, entry in self.entries.items()
            if entry.section in sections
        ]

    def _clauses(self, *sections: str) -> list[Clause]:
        return [
            Clause(rule, node, self._folded[entry.id].get("times"))
            for entry, rule, node in self._of(*sections)
        ]

    def _scoring(self, won: bool) -> list[Clause]:
        """Give what scores, with what is known beforehand of a hand that won, or of one that did not, worked out."""
        clauses = self._clauses("bonus", "double", "after", "limit")
        return [clause._replace(when=holds(clause.when, won)) for clause in clauses]

    @cached_property
    def evaluate_winner(self) -> Evaluate:
        """Tell what gives an arranged hand that won its bonuses, doubles and limit hands, each with how many times."""
        return compile_awards(self._scoring(True))

    @cached_property
    def evaluate_other(self) -> Evaluate:
        """Give the same for a hand that did not win."""
        return compile_awards(self._scoring(False))

    @cached_property
    def more_sets_never_hurt(self) -> bool:
        """Tell whether a hand that did not win is never the worse for one more set."""
        return all(more_sets_never_hurt(clause.when) for clause in self._scoring(False))

    @cached_property
    def threes_never_hurt(self) -> bool:
        """Tell whether such a hand is never the worse for a three in place of a pair, where the three itself scores
        more.
        """
        return threes_never_hurt(self._scoring(False))

    @cached_property
    def _asking(self) -> list[Name]:
        """Give the facts for which the conditions ask on which what a hand scores, or who is liable for it, depends."""
        nodes = [node for _, _, node in self._of(*_ASKING)]
        nodes += [
            self._folded[entry.id].get("shown", Constant(True)) for entry, _, _ in self._of("liability")
        ]
        return [name for node in nodes for name in names_in(node)]

    @cached_property
    def asked(self) -> frozenset[str]:
        """Give the facts on which what a hand scores, or who is liable for it, depends."""
        return frozenset(name.name for name in self._asking)

    @cached_property
    def bonus_facts(self) -> frozenset[str]:
        """Give the facts of flowers and seasons that what a hand scores depends on."""
        times = [entry.conditions["times"] for entry in self.entries.values() if "times" in entry.conditions]
        return _facts_in([*self.conditions.values(), *times]) & BONUS_FACTS

    @cached_property
    def special_hands(self) -> tuple[SpecialHand, ...]:
        """Give the special hands that win."""
        return tuple(self._specials(lacking=False))

    @cached_property
    def lacking_a_limit(self) -> tuple[SpecialHand, ...]:
        """Those that do not, because they are worth a part of a limit that there is not (D58)."""
        return tuple(self._specials(lacking=True))

    def _specials(self, lacking: bool) -> Iterator[SpecialHand]:
        for entry, rule, node in self._of("shape"):
            if (rule.points_under(self.limit) is None) is lacking:
                yield SpecialHand(rule, compile_shape(str(entry.data["tiles"])), compile_test(node))

    @cached_property
    def wins(self) -> tuple[WinCondition, ...]:
        """Tell what a hand needs to win."""
        return tuple(
            WinCondition(rule, node, compile_test(node), _facts_in([node]).isdisjoint(_KNOWN_AFTER_COUNTING))
            for _, rule, node in self._of("win")
            if node != Constant(True)
        )

    @cached_property
    def shape_wins(self) -> tuple[Test, ...]:
        """That of it which an arrangement alone decides."""
        return tuple(win.when for win in self.wins if win.of_shape)

    @cached_property
    def waited_for(self) -> dict[str, SpecialHand | Test]:
        """Give the entries that a hand is asked whether it lacks one tile of: special hands, or conditions of limit hands."""
        facts = [fact for fact in self._asking if fact.name == "waiting_for"]
        asked = {word for fact in facts for word in fact.words}
        hands: dict[str, SpecialHand | Test] = {hand.rule.id: hand for hand in self.special_hands}
        limits = {rule.id: node for _, rule, node in self._of("limit") if rule.id in asked}
        hands |= {name: compile_test(holds(node, True)) for name, node in limits.items()}
        return {name: hand for name, hand in hands.items() if name in asked}

    @cached_property
    def liabilities(self) -> tuple[Liability, ...]:
        """Under what a discarder pays for others."""
        return tuple(
            Liability(
                rule,
                compile_test(self._folded[entry.id].get("shown", Constant(True))),
                compile_test(node),
                str(entry.data.get("earlier", "")),
            )
            for entry, rule, node in self._of("liability")
        )

    @cached_property
    def excuses(self) -> tuple[tuple[Rule, Test], ...]:
        """Tell what excuses a discarder, each with its condition."""
        return tuple((rule, compile_test(node)) for _, rule, node in self._of("excuse"))

    def counts_bonus(self, tile: int, bonus: tuple[int, ...], seat: str | None) -> bool:
        """Tell whether a flower or season can bring its player anything: all do, or their own, or whole series."""
        if "bonus_tiles" in self.bonus_facts:
            return True
        if self.bonus_facts & {"own_bonus", "own_bonus_outside"} and own_bonus((tile,), seat or "E"):
            return True
        series = tuple(other for other in bonus if (other < SEASONS) == (tile < SEASONS))
        return "complete_series" in self.bonus_facts and complete_series(series) > 0

    @cached_property
    def fingerprint(self) -> str:
        """Give twelve hexadecimal digits that change with any entry or option in force."""
        import hashlib
        import json

        data = [[entry.section, dict(entry.data)] for entry in self.definition.entries.values()]
        plain = json.dumps([data, sorted(self.options.items())], sort_keys=True, default=str)
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    def __repr__(self) -> str:
        return f"<Rulebook {self.id} {self.fingerprint}>"

    def part_of_limit(self, rule: Rule) -> int | None:
        """Tell what a rule gives in points: its part of the limit, or its points; None without a limit."""
        return rule.points_under(self.limit)

    @property
    def above_limit(self) -> frozenset[int]:
        """Tell what entries give that are worth more than the limit, in points: the double limit and the like."""
        parts = (rule.points_under(self.limit) for rule in self.rules.values() if rule.of_limit is not None)
        return frozenset(points for points in parts if points and self.limit and points > self.limit)

    def capped(self, score: int, won: bool, giver: Rule | None = None) -> int:
        """Give a score in points after the limit, where the rulebook has one for such a hand.

        Of a score that *giver* gives, as much stays as that is worth, be it more than the limit.
        """
        rule = self.settling.score_limit
        if self.limit is None or rule is None or not (won or rule.who == "all"):
            return score
        above = giver.points_under(self.limit) or 0 if giver is not None and giver.of_limit is not None else 0
        return min(score, max(self.limit, above))


def _facts_in(nodes: Iterable[Node]) -> frozenset[str]:
    return frozenset(name.name for node in nodes for name in names_in(node))


@lru_cache(maxsize=64)
def read_rulebook(name: str, folder: str = "") -> Definition:
    """Read the rulebook *name*: one of those shipped, or a TOML file, relative to *folder*.

    Raises Refused for one that is unknown, malformed, or extends itself.
    """

    def read_anew() -> Definition:
        # what reads and checks is loaded only where nothing was kept from before
        from mjscore.rulebook.loading import read

        return read(name, folder, (), read_rulebook)

    name = rulebook_called(name)
    if name not in RULEBOOKS:
        return read_anew()
    from mjscore.notation.cache import remembered

    return remembered(f"{name}.toml", _sources, read_anew)


def _sources() -> list[bytes]:
    """Give all that decides what a shipped rulebook says. Raises OSError where it does not lie in files."""
    from mjscore.notation.parsers import grammar_text

    here = os.path.dirname(__file__)
    contents = [grammar_text(name).encode() for name in ("condition.lark", "shape.lark")]
    for folder in (here, os.path.join(here, "books"), os.path.join(os.path.dirname(here), "game")):
        for name in sorted(os.listdir(folder)):
            if name.endswith((".py", ".toml")):
                with open(os.path.join(folder, name), "rb") as stream:
                    contents.append(stream.read())
    return contents


@lru_cache(maxsize=128)
def _bound(name: str, folder: str, settings: tuple[tuple[str, str], ...]) -> Rulebook:
    return Rulebook(read_rulebook(name, folder), dict(settings))


def bind(name: str, settings: Mapping[str, Any] | None = None, folder: str = "") -> Rulebook:
    """Bind the rulebook *name* to *settings* (option names to values). Raises Refused.

    Files are read once in a process; ``forget_rulebooks`` makes them read again.
    """
    plain = tuple(sorted((key, str(value)) for key, value in settings.items())) if settings else ()
    name = rulebook_called(name)
    return _bound(name, folder if name not in RULEBOOKS else "", plain)


def rulebook_of(rulebook: str | Rulebook, options: Mapping[str, object] | None) -> Rulebook:
    """Give the rulebook itself, with *options* beside those that it was bound to. Raises Refused."""
    if isinstance(rulebook, Rulebook):
        return Rulebook(rulebook.definition, {**rulebook.settings, **options}) if options else rulebook
    return bind(rulebook, options)


def forget_rulebooks() -> None:
    """Forget what was read, so that a file that has changed is read again."""
    _bound.cache_clear()
    read_rulebook.cache_clear()
