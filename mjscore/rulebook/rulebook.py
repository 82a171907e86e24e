"""A rulebook bound to the options of a table: its entries in force, their rules, their conditions compiled."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mjscore.game.tiles import WINDS
from mjscore.rulebook.compiling import (
    Clause,
    Evaluate,
    SituationOf,
    Test,
    compile_awards,
    compile_situation,
    compile_test,
    holds,
    more_sets_never_hurt,
    threes_never_hurt,
)
from mjscore.rulebook.conditions import NO_LIMIT, Constant, Name, Node, fold, names_in
from mjscore.rulebook.entries import Definition, Entry, Option, option_choices, settled_options
from mjscore.rulebook.facts import BONUS_FACTS, SEASONS, complete_series, own_bonus
from mjscore.rulebook.rule import Award, Rule, part_of_limit
from mjscore.rulebook.settling import is_cap, is_ninth_win, settling_rules
from mjscore.rulebook.shapes import Alternative, compile_shape


@dataclass(frozen=True)
class InForce:
    """An entry in force at a table: its rule, and what the options leave of its conditions, by key.

    Conditions are compiled when they are first asked for.
    """

    entry: Entry
    rule: Rule
    nodes: Mapping[str, Node]

    @cached_property
    def names(self) -> frozenset[str]:
        """The facts that its conditions name."""
        return frozenset(name.name for node in self.nodes.values() for name in names_in(node))

    @cached_property
    def when(self) -> Test:
        """The test of whether it holds for an arranged hand."""
        return compile_test(self.nodes["when"])

    @cached_property
    def shown(self) -> Test:
        """The test of whether what lay on the table showed it, for a liability."""
        return compile_test(self.nodes.get("shown", Constant(True)))

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The shapes of a special hand."""
        return compile_shape(str(self.entry.data["tiles"]))


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
    """A rulebook bound to the options of a table; made by ``bind`` and never changed.

    *settings* are the options that were set, *options* all of them; *limit* is in points or None. *entries* are those
    in force under these options, *rules* what they give, *conditions* what is left of their conditions, each by the
    entry's id. *table* has the multipliers by number of doubles; it is empty if points are doubled. *set_values* and
    *tallies* keep what the scorer has worked out: what sets are worth and what awards add up to.

    >>> book = mjscore.load_rulebook("babcock", {"limit": 600})
    >>> book.title, book.limit, book.options["seasons"]
    ("Babcock's Red Book", 600, 'off')
    """

    def __init__(self, definition: Definition, settings: Mapping[str, Any]) -> None:
        self.definition = definition
        self.settings = dict(settings)
        self.id, self.title, self.book = definition.id, definition.title, definition.book
        self.options = settled_options(definition, settings)
        limit, players = self.options.get("limit", self._own_limit), self.options.get("players")
        self.limit = limit if isinstance(limit, int) else None
        self.players = players if isinstance(players, int) else 4
        doubles = definition.table.get("doubles", ())
        by_option = "option" in definition.table
        self.table: tuple[int, ...] = tuple(
            doubles[self.options[definition.table["option"]]] if by_option else doubles
        )
        self.set_values: dict[Hashable, Any] = {}
        self.tallies: dict[tuple[Award, ...], Any] = {}
        folded = {
            name: {key: fold(node, self._known) for key, node in entry.conditions.items()}
            for name, entry in definition.entries.items()
        }
        self.entries = {
            name: entry
            for name, entry in definition.entries.items()
            if entry.section == "win" or folded[name].get("when") != Constant(False)
        }
        self.conditions = {
            name: fold(folded[name].get("when", Constant(True)), self._known_of_waiting)
            for name in self.entries
        }
        self.rules = {name: self._rule(entry) for name, entry in self.entries.items()}
        self._in_force = [
            InForce(entry, self.rules[name], {**folded[name], "when": self.conditions[name]})
            for name, entry in self.entries.items()
        ]
        ninth_wins = tuple(one.rule for one in self._of("limit") if is_ninth_win(one.nodes["when"]))
        settling = [one.entry for one in self._of("settle")]
        self.settling = settling_rules(settling, self.rules, self.limit, ninth_wins)
        # a table of doubles, or rounding
        self.counts_otherwise = bool(self.table) or self.settling.round_score is not None
        self.seats = self.settling.seats(self.players)
        self.seat_numbers = {seat: WINDS.index(seat) for seat in self.seats}

    @property
    def offered_options(self) -> tuple[Option, ...]:
        """The options that can be set, each with its choices; a limit may be any other number of points too."""
        return tuple(
            Option(name, entry.title, self.options[name], option_choices(entry), entry.source)
            for name, entry in self.definition.options.items()
        )

    @property
    def _own_limit(self) -> int | None:
        """The limit of a rulebook that has no option for it."""
        caps = (entry.data for entry in self.definition.entries.values() if is_cap(entry.data))
        return next((self._figure(data["points"]) for data in caps), None)

    @cached_property
    def flags(self) -> dict[str, Entry]:
        """The rulebook's own flags that hands may have."""
        return {one.entry.id: one.entry for one in self._of("flag")}

    @cached_property
    def liabilities(self) -> tuple[InForce, ...]:
        """The conditions under which a discarder pays for the others."""
        return self._of("liability")

    @cached_property
    def excuses(self) -> tuple[InForce, ...]:
        """What excuses a liable discarder."""
        return self._of("excuse")

    @cached_property
    def wins(self) -> tuple[InForce, ...]:
        """What a hand needs to win."""
        return tuple(one for one in self._of("win") if one.nodes["when"] != Constant(True))

    @cached_property
    def special_hands(self) -> tuple[InForce, ...]:
        """The hands that win by their tiles."""
        return tuple(one for one in self._of("shape") if one.rule.points_under(self.limit) is not None)

    @cached_property
    def laid_hands(self) -> tuple[InForce, ...]:
        """The special hands that may have sets on the table."""
        return tuple(one for one in self.special_hands if one.rule.laid)

    @cached_property
    def lacking_a_limit(self) -> tuple[InForce, ...]:
        """The special hands that do not win, being worth a part of a limit that there is not (D58)."""
        return tuple(one for one in self._of("shape") if one.rule.points_under(self.limit) is None)

    @cached_property
    def evaluate_set(self) -> Evaluate:
        """The function that returns what a set is given."""
        return compile_awards(self._clauses("set"), "t")

    @cached_property
    def situation_of(self) -> SituationOf:
        """The function that returns all that a set's worth depends on beside the set."""
        return compile_situation(self._clauses("set"))

    def _known(self, name: Name) -> bool | int | str | None:
        """Return the value of a fact that the options decide, else None."""
        if name.name == "option":
            value = self.options.get(name.words[0])
            return NO_LIMIT if value is None else value
        return {"players": self.players, "limited": self.limit is not None}.get(name.name)

    def _known_of_waiting(self, name: Name) -> bool | None:
        """Return False for waiting for entries that are all out of force, else None."""
        nobody = name.name == "waiting_for" and self.entries.keys().isdisjoint(name.words)
        return False if nobody else None

    def _figure(self, points: Any) -> int:
        """Return the points that an entry gives, or the option that they come from."""
        figure: object = self.options[points["option"]] if isinstance(points, Mapping) else points
        return figure if isinstance(figure, int) else 0

    def doubled(self, points: int, doubles: int) -> int:
        """Return *points* doubled so many times, or multiplied by the rulebook's table of doubles."""
        if not self.table:
            return points << doubles
        return points * self.table[min(doubles, len(self.table) - 1)]

    def counted(self, points: int, doubles: int, added: int) -> int:
        """Return the score of points, doubles, and points *added* after them; with table and rounding."""
        score, rule = self.doubled(points, doubles) + added, self.settling.round_score
        return score if rule is None else rule.rounded(score)

    def doubles_text(self, doubles: int) -> str:
        """Write a number of doubles as cards and sheets do."""
        if self.table:
            return f"{doubles} double{'s' * (doubles > 1)}"
        return f"×{2**doubles}"

    def _rule(self, entry: Entry) -> Rule:
        """Return the rule of an entry: those of its keys that a rule has, with the options settled."""
        data = entry.data
        points = data.get("points", 0)
        if isinstance(points, Mapping):
            points = (
                self._figure(points) if "option" in points else 0
            )  # those of a wash go by the number of heads
        given = {field: data[key] for key, field in _FIELDS.items() if key in data}
        settled = {
            "section": entry.section,
            "points": points,
            "instead_of": frozenset(data.get("instead_of", ())),
            "of_limit": part_of_limit(data.get("of_limit")),
        }
        return Rule(**{"is_other_score": entry.section in ("set", "bonus"), **given, **settled})

    def _of(self, *sections: str) -> tuple[InForce, ...]:
        return tuple(one for one in self._in_force if one.entry.section in sections)

    def _clauses(self, *sections: str) -> list[Clause]:
        return [Clause(one.rule, one.nodes["when"], one.nodes.get("times")) for one in self._of(*sections)]

    def _scoring(self, won: bool) -> list[Clause]:
        """Return the clauses that score, with what follows from winning, or not, worked out."""
        clauses = self._clauses("bonus", "double", "after", "limit")
        return [clause._replace(when=holds(clause.when, won)) for clause in clauses]

    @cached_property
    def evaluate_winner(self) -> Evaluate:
        """The function that returns the bonuses, doubles and limit hands of a winning hand."""
        return compile_awards(self._scoring(True))

    @cached_property
    def evaluate_other(self) -> Evaluate:
        """The same function for a hand that did not win."""
        return compile_awards(self._scoring(False))

    @cached_property
    def more_sets_never_hurt(self) -> bool:
        """Whether a losing hand never scores less for having one more set."""
        return all(more_sets_never_hurt(clause.when) for clause in self._scoring(False))

    @cached_property
    def threes_never_hurt(self) -> bool:
        """Whether a pung in place of a pair, where it scores more itself, never costs a losing hand anything."""
        return threes_never_hurt(self._scoring(False))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The facts on which a hand's score, or who is liable for it, depends."""
        return frozenset(name for one in self._of(*_ASKING) for name in one.names)

    @cached_property
    def bonus_facts(self) -> frozenset[str]:
        """The facts about flowers and seasons on which scores depend."""
        return BONUS_FACTS & {name for one in self._in_force for name in one.names}

    @cached_property
    def shape_wins(self) -> tuple[Test, ...]:
        """What a hand needs to win, as far as its arrangement alone decides it."""
        return tuple(win.when for win in self.wins if win.names.isdisjoint(_KNOWN_AFTER_COUNTING))

    @cached_property
    def waited_for(self) -> dict[str, InForce]:
        """The special and limit hands for which some condition asks whether a hand waits."""
        nodes = [node for one in self._of(*_ASKING) for node in one.nodes.values()]
        facts = [fact for node in nodes for fact in names_in(node) if fact.name == "waiting_for"]
        asked = {word for fact in facts for word in fact.words}
        limits = [replace(one, nodes={"when": holds(one.nodes["when"], True)}) for one in self._of("limit")]
        return {one.rule.id: one for one in (*self.special_hands, *limits) if one.rule.id in asked}

    def counts_bonus(self, tile: int, bonus: tuple[int, ...], seat: str | None) -> bool:
        """Return whether a bonus tile can bring its player anything: any can, or their own, or a whole series."""
        if "bonus_tiles" in self.bonus_facts:
            return True
        if self.bonus_facts & {"own_bonus", "own_bonus_outside"} and own_bonus((tile,), seat or "E"):
            return True
        series = tuple(other for other in bonus if (other < SEASONS) == (tile < SEASONS))
        return "complete_series" in self.bonus_facts and complete_series(series) > 0

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that change with any entry or option in force."""
        import hashlib
        import json

        data = [[entry.section, dict(entry.data)] for entry in self.definition.entries.values()]
        data += [["table", dict(self.definition.table)]] if self.definition.table else []
        plain = json.dumps([data, sorted(self.options.items())], sort_keys=True, default=str)
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    def __repr__(self) -> str:
        return f"<Rulebook {self.id} {self.fingerprint}>"

    def __reduce__(self) -> tuple[type, tuple[Definition, dict[str, Any]]]:
        """Pickle the definition and the settings: compiled conditions cannot be pickled."""
        return Rulebook, (self.definition, self.settings)

    @property
    def above_limit(self) -> frozenset[int]:
        """The points above the limit that entries give: the double limit and the like."""
        parts = (rule.points_under(self.limit) for rule in self.rules.values() if rule.of_limit is not None)
        return frozenset(points for points in parts if points and self.limit and points > self.limit)
