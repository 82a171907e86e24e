"""A rulebook bound to the options of a table: its entries in force, their rules, their compiled conditions."""

import pkgutil
from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

from mjscore.game.tiles import WINDS
from mjscore.rulebook.compiling import (
    Evaluate,
    InForce,
    SituationOf,
    Test,
    compile_awards,
    compile_situation,
    more_sets_never_hurt,
    threes_never_hurt,
)
from mjscore.rulebook.conditions import NO_LIMIT, Constant, Name, fold, names_in
from mjscore.rulebook.entries import Definition, Option, RuleEntry, option_choices, settled_options
from mjscore.rulebook.facts import BONUS_FACTS, SEASONS, complete_series, own_bonus
from mjscore.rulebook.rule import Award, Rule, part_of_limit
from mjscore.rulebook.settling import is_cap, is_ninth_win, settling_rules

# the sections whose conditions are about a hand
_ASKING = ("bonus", "double", "after", "limit", "shape", "win", "liability")
# facts known only after a hand was counted, or after all its waits were found
_KNOWN_AFTER_COUNTING = {"doubles", "doublings", "score", "only_place", "only_wait"}
# the keys of an entry that become fields of its rule, with the names of those fields
_FIELDS = {name: name for name in Rule._fields} | {
    "other_score": "is_other_score",
    "instead": "never_counted",
    "counts": "may_be_counted",
    "rule": "kind",
}


class Rulebook:
    """A rulebook bound to the options of a table; made by ``bind`` and never changed.

    *settings* are the options that were set, *options* all of them; *limit* is in points or None. *entries* are those
    in force under these options, *rules* what they award, *conditions* their conditions simplified by the options,
    each by the entry's id. *table* has the multipliers by number of doubles; it is empty if points are simply
    doubled. *flags* are those that the rulebook adds; *wins* are the requirements of a win, *shape_wins* those that
    the arrangement alone decides. *special_hands* win by their tiles, *laid_hands* also with sets on the table; those
    *lacking_a_limit* do not win, since their points are a fraction of a limit and there is none (D58). *liabilities*
    are the conditions under which a discarder pays for the others, *excuses* those that excuse a discarder.
    *set_values* and *tallies* are caches for the values of sets and the totals of awards.

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
        doubles, option = definition.table.get("doubles", ()), definition.table.get("option")
        self.table: tuple[int, ...] = tuple(doubles if option is None else doubles[self.options[option]])
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
        always = Constant(True)
        self.conditions = {
            name: fold(folded[name].get("when", always), self._known_of_waiting) for name in self.entries
        }
        self.rules = {name: self._rule(entry) for name, entry in self.entries.items()}
        self._in_force = [
            InForce(self.rules[name], {**folded[name], "when": self.conditions[name]}, entry)
            for name, entry in self.entries.items()
        ]
        self._sort_hands()
        ninth_wins = tuple(case.rule for case in self._of("limit") if is_ninth_win(case.nodes["when"]))
        settling = [case.entry for case in self._of("settle")]
        self.settling = settling_rules(settling, self.rules, self.limit, ninth_wins)
        # a table of doubles, or rounding
        self.counts_otherwise = bool(self.table) or self.settling.round_score is not None
        self.seats = self.settling.seats(self.players)
        self.seat_numbers = {seat: WINDS.index(seat) for seat in self.seats}

    def _sort_hands(self) -> None:
        """Set the attributes that list the entries in force by their purpose."""
        self.flags = {case.entry.id: case.entry for case in self._of("flag")}
        self.liabilities, self.excuses = self._of("liability"), self._of("excuse")
        self.wins = tuple(case for case in self._of("win") if case.nodes["when"] != Constant(True))
        by_shape = [(case, case.rule.points_under(self.limit)) for case in self._of("shape")]
        self.special_hands = tuple(case for case, points in by_shape if points is not None)
        self.laid_hands = tuple(case for case in self.special_hands if case.rule.laid)
        self.lacking_a_limit = tuple(case for case, points in by_shape if points is None)

    @property
    def offered_options(self) -> tuple[Option, ...]:
        """The options that can be set, each with choices; a limit, or a wide range, accepts other numbers."""
        return tuple(
            Option(name, entry.title, self.options[name], option_choices(entry), entry.source)
            for name, entry in self.definition.options.items()
        )

    @property
    def _own_limit(self) -> int | None:
        """The fixed limit of a rulebook that has no option for it; None if it has no limit."""
        caps = (entry.data for entry in self.definition.entries.values() if is_cap(entry.data))
        return next((self._figure(data["points"]) for data in caps), None)

    @cached_property
    def evaluate_set(self) -> Evaluate:
        """The function that returns the awards of a set."""
        return compile_awards(self._of("set"), "t")

    @cached_property
    def situation_of(self) -> SituationOf:
        """The function that returns everything apart from the set itself on which a set's points depend."""
        return compile_situation(self._of("set"))

    def _known(self, name: Name) -> bool | int | str | None:
        """Return the value of a fact that the options determine, else None."""
        if name.name == "option":
            value = self.options.get(name.words[0])
            return NO_LIMIT if value is None else value
        return {"players": self.players, "limited": self.limit is not None}.get(name.name)

    def _known_of_waiting(self, name: Name) -> bool | None:
        """Return False if none of the entries that a ``waiting_for`` names is in force, else None."""
        return False if name.name == "waiting_for" and self.entries.keys().isdisjoint(name.words) else None

    def _figure(self, points: Any) -> int:
        """Return the points of an entry, possibly taken from an option; 0 if they go by the number of heads."""
        figure: object = self.options.get(points.get("option", "")) if isinstance(points, Mapping) else points
        return figure if isinstance(figure, int) else 0

    def doubled(self, points: int, doubles: int) -> int:
        """Return *points* doubled *doubles* times, or multiplied by the rulebook's table of doubles."""
        if not self.table:
            return points << doubles
        return points * self.table[min(doubles, len(self.table) - 1)]

    def counted(self, points: int, doubles: int, added: int) -> int:
        """Return the score from points, doubles, and points *added* afterwards, using the table and rounding."""
        score, rule = self.doubled(points, doubles) + added, self.settling.round_score
        return score if rule is None else rule.rounded(score)

    def doubles_text(self, doubles: int) -> str:
        """Format a number of doubles as cards and sheets do."""
        if self.table:
            return f"{doubles} double{'s' * (doubles > 1)}"
        return f"×{2**doubles}"

    def _rule(self, entry: RuleEntry) -> Rule:
        """Return the rule of an entry: its scoring keys, with the options settled."""
        data = entry.data
        fields = {field: data[key] for key, field in _FIELDS.items() if key in data}
        fields["instead_of"] = frozenset(data.get("instead_of", ()))
        fields["of_limit"], fields["points"] = (
            part_of_limit(data.get("of_limit")),
            self._figure(data.get("points")),
        )
        is_other_score = entry.section in ("set", "bonus")
        return Rule(**{"is_other_score": is_other_score, **fields, "section": entry.section})

    def _of(self, *sections: str) -> tuple[InForce, ...]:
        return tuple(case for case in self._in_force if case.entry.section in sections)

    def _scoring(self, won: bool) -> list[InForce]:
        """Return the entries that score, with their conditions simplified for winning, or for losing, hands."""
        return [case.where_won(won) for case in self._of("bonus", "double", "after", "limit")]

    @cached_property
    def evaluate_winner(self) -> Evaluate:
        """The function that returns a winning hand's awards other than those of its sets."""
        return compile_awards(self._scoring(True))

    @cached_property
    def evaluate_other(self) -> Evaluate:
        """The function that returns a losing hand's awards other than those of its sets."""
        return compile_awards(self._scoring(False))

    @cached_property
    def more_sets_never_hurt(self) -> bool:
        """Whether a losing hand never scores less for having one more set."""
        return all(more_sets_never_hurt(case.nodes["when"]) for case in self._scoring(False))

    @cached_property
    def threes_never_hurt(self) -> bool:
        """Whether replacing a pair by a pung that is worth more never lowers a losing hand's score."""
        return threes_never_hurt(self._scoring(False))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The facts on which a hand's score, or the liability for it, depends."""
        return frozenset(name for case in self._of(*_ASKING) for name in case.names)

    @cached_property
    def bonus_facts(self) -> frozenset[str]:
        """The facts about flowers and seasons on which scores depend."""
        return BONUS_FACTS & {name for case in self._in_force for name in case.names}

    @cached_property
    def shape_wins(self) -> tuple[Test, ...]:
        """The requirements of a win that the arrangement alone decides."""
        return tuple(win.when for win in self.wins if win.names.isdisjoint(_KNOWN_AFTER_COUNTING))

    @cached_property
    def waited_for(self) -> dict[str, InForce]:
        """The special and limit hands that some condition names in ``waiting_for``."""
        nodes = [node for case in self._of(*_ASKING) for node in case.nodes.values()]
        facts = [fact for node in nodes for fact in names_in(node) if fact.name == "waiting_for"]
        names = {word for fact in facts for word in fact.words}
        limits = [case.where_won(True) for case in self._of("limit")]
        return {case.rule.id: case for case in (*self.special_hands, *limits) if case.rule.id in names}

    def counts_bonus(self, tile: int, bonus: tuple[int, ...], seat: str | None) -> bool:
        """Return whether a bonus tile can score for its player; in some rulebooks, only their own or a whole series can."""
        if "bonus_tiles" in self.bonus_facts:
            return True
        if self.bonus_facts & {"own_bonus", "own_bonus_outside"} and own_bonus((tile,), seat or "E"):
            return True
        series = tuple(other for other in bonus if (other < SEASONS) == (tile < SEASONS))
        return "complete_series" in self.bonus_facts and complete_series(series) > 0

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that change with any entry, option or table; not with reworded titles."""
        import hashlib
        import json

        text = (pkgutil.get_data("mjscore.rulebook", "former_titles.txt") or b"").decode()
        former = dict(line.split(" = ") for line in text.splitlines() if line[:1] != "#")
        entries = self.definition.entries.values()
        data = [[one.section, {**one.data, "title": former.get(one.title, one.title)}] for one in entries]
        data += [["table", dict(self.definition.table)]] if self.definition.table else []
        plain = json.dumps([data, sorted(self.options.items())], sort_keys=True, default=str)
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    def __repr__(self) -> str:
        return f"<Rulebook {self.id} {self.fingerprint}>"

    def __reduce__(self) -> tuple[type, tuple[Definition, dict[str, Any]]]:
        """Pickle the definition and the settings, because compiled conditions cannot be pickled."""
        return Rulebook, (self.definition, self.settings)

    @property
    def above_limit(self) -> frozenset[int]:
        """The scores above the limit that entries give as multiples of it, such as a double limit."""
        parts = (rule.points_under(self.limit) for rule in self.rules.values() if rule.of_limit is not None)
        return frozenset(points for points in parts if points and self.limit and points > self.limit)
