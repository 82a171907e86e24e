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
    Test,
    compile_awards,
    compile_situation,
    compile_test,
    holds,
    more_sets_never_hurt,
    threes_never_hurt,
)
from mjscore.rulebook.conditions import NO_LIMIT, Constant, Name, Node, fold, names_in
from mjscore.rulebook.entries import Definition, Entry, settled_options
from mjscore.rulebook.facts import BONUS_FACTS, SEASONS, complete_series, own_bonus
from mjscore.rulebook.rule import Award, Rule, part_of_limit
from mjscore.rulebook.settling import is_cap, is_ninth_win, settling_rules
from mjscore.rulebook.shapes import Alternative, compile_shape


@dataclass(frozen=True)
class InForce:
    """An entry in force at a table: its rule, and its conditions, by key, as far as the options leave them open.

    They are compiled where they are first asked, for an arranged hand.
    """

    entry: Entry
    rule: Rule
    nodes: Mapping[str, Node]

    @cached_property
    def names(self) -> frozenset[str]:
        """Give the facts for which its conditions ask."""
        return frozenset(name.name for node in self.nodes.values() for name in names_in(node))

    @cached_property
    def when(self) -> Test:
        """Tell whether it holds."""
        return compile_test(self.nodes["when"])

    @cached_property
    def shown(self) -> Test:
        """Tell, of a liability, whether what lay on the table showed it."""
        return compile_test(self.nodes.get("shown", Constant(True)))

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """Give the shapes of a special hand."""
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
    """A rulebook bound to the options of a table; made by ``bind`` and not changed afterwards.

    *settings* are the options that were set, *options* all of them; *limit* is in points or None. *entries* are those in
    force under these options, *rules* what they give, *conditions* what is left of their conditions, each by the entry's
    id. *table* is what points are multiplied with by the number of doubles, empty where they are doubled. *flags* are the rulebook's own words that hands may have; *wins* are what a hand needs to win; *special_hands* win by
    their tiles, *laid_hands* among them with sets on the table too, those *lacking_a_limit* do not, because they are worth a part of a limit that there is not (D58);
    *liabilities* tell under what a discarder pays for others, *excuses* what excuses them. *set_values* and *tallies* keep
    what the scorer has worked out: what sets are worth, what awards add up to.
    """

    def __init__(self, definition: Definition, settings: Mapping[str, Any]) -> None:
        self.definition = definition
        self.settings = dict(settings)
        self.id, self.title, self.book = definition.id, definition.title, definition.book
        self.options = settled_options(definition, settings)
        limit, players = self.options.get("limit"), self.options.get("players")
        self.limit = limit if isinstance(limit, int) else None
        if "limit" not in self.options:
            caps = (entry.data for entry in definition.entries.values() if is_cap(entry.data))
            self.limit = next((self._figure(data["points"]) for data in caps), None)
        doubles = definition.table.get("doubles", ())
        self.table: tuple[int, ...] = tuple(
            doubles[self.options[definition.table["option"]]] if "option" in definition.table else doubles
        )
        self.players = players if isinstance(players, int) else 4
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
        self.flags = {one.entry.id: one.entry for one in self._of("flag")}
        self.liabilities, self.excuses = self._of("liability"), self._of("excuse")
        self.wins = tuple(one for one in self._of("win") if one.nodes["when"] != Constant(True))
        worths = [(one, one.rule.points_under(self.limit)) for one in self._of("shape")]
        self.special_hands = tuple(one for one, worth in worths if worth is not None)
        self.laid_hands = tuple(one for one in self.special_hands if one.rule.laid)
        self.lacking_a_limit = tuple(one for one, worth in worths if worth is None)
        of_sets = self._clauses("set")
        self.evaluate_set = compile_awards(of_sets, "t")
        self.situation_of = compile_situation(of_sets)
        ninth_wins = tuple(one.rule for one in self._of("limit") if is_ninth_win(one.nodes["when"]))
        settling = [one.entry for one in self._of("settle")]
        self.settling = settling_rules(settling, self.rules, self.limit, ninth_wins)
        # a table of doubles, or rounding
        self.counts_otherwise = bool(self.table) or self.settling.round_score is not None
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
        nobody = name.name == "waiting_for" and self.entries.keys().isdisjoint(name.words)
        return False if nobody else None

    def _figure(self, points: Any) -> int:
        """Return the points that an entry gives, or the option that it takes them from."""
        figure: object = self.options[points["option"]] if isinstance(points, Mapping) else points
        return figure if isinstance(figure, int) else 0

    def doubled(self, points: int, doubles: int) -> int:
        """Return *points* doubled so often, or multiplied by the rulebook's table of doubles."""
        if not self.table:
            return points << doubles
        return points * self.table[min(doubles, len(self.table) - 1)]

    def counted(self, points: int, doubles: int, added: int) -> int:
        """Return what points, doubles and points *added* after them come to, by the table of doubles and rounded."""
        score, rule = self.doubled(points, doubles) + added, self.settling.round_score
        return score if rule is None else rule.rounded(score)

    def doubles_text(self, doubles: int) -> str:
        """Return what a number of doubles does, as a card or a sheet has it."""
        if self.table:
            return f"{doubles} double{'s' * (doubles > 1)}"
        return f"×{2**doubles}"

    def _rule(self, entry: Entry) -> Rule:
        """Make the rule of an entry: of its keys those that a rule has, with the options settled."""
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
        """Give what is in force of some sections."""
        return tuple(one for one in self._in_force if one.entry.section in sections)

    def _clauses(self, *sections: str) -> list[Clause]:
        return [Clause(one.rule, one.nodes["when"], one.nodes.get("times")) for one in self._of(*sections)]

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
    def asked(self) -> frozenset[str]:
        """Give the facts on which what a hand scores, or who is liable for it, depends."""
        return frozenset(name for one in self._of(*_ASKING) for name in one.names)

    @cached_property
    def bonus_facts(self) -> frozenset[str]:
        """Give the facts of flowers and seasons that what a hand scores depends on."""
        return BONUS_FACTS & {name for one in self._in_force for name in one.names}

    @cached_property
    def shape_wins(self) -> tuple[Test, ...]:
        """Tell what a hand needs to win, as far as an arrangement alone decides it."""
        return tuple(win.when for win in self.wins if win.names.isdisjoint(_KNOWN_AFTER_COUNTING))

    @cached_property
    def waited_for(self) -> dict[str, InForce]:
        """Give the special and limit hands that a hand is asked whether it lacks one tile of."""
        nodes = [node for one in self._of(*_ASKING) for node in one.nodes.values()]
        facts = [fact for node in nodes for fact in names_in(node) if fact.name == "waiting_for"]
        asked = {word for fact in facts for word in fact.words}
        limits = [replace(one, nodes={"when": holds(one.nodes["when"], True)}) for one in self._of("limit")]
        return {one.rule.id: one for one in (*self.special_hands, *limits) if one.rule.id in asked}

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
        data += [["table", dict(self.definition.table)]] if self.definition.table else []
        plain = json.dumps([data, sorted(self.options.items())], sort_keys=True, default=str)
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    def __repr__(self) -> str:
        return f"<Rulebook {self.id} {self.fingerprint}>"

    def __reduce__(self) -> tuple[type, tuple[Definition, dict[str, Any]]]:
        """Say of what it is made again: what it has compiled cannot be pickled."""
        return Rulebook, (self.definition, self.settings)

    @property
    def above_limit(self) -> frozenset[int]:
        """Tell what entries give that are worth more than the limit, in points: the double limit and the like."""
        parts = (rule.points_under(self.limit) for rule in self.rules.values() if rule.of_limit is not None)
        return frozenset(points for points in parts if points and self.limit and points > self.limit)
