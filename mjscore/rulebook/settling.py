"""How a rulebook has the players pay: the settling rules in force at a table."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mjscore.rulebook.conditions import Constant, Node, fold, names_in
from mjscore.rulebook.entries import RuleEntry
from mjscore.rulebook.rule import Rule

# If two or three play and the rulebook has no rule for it (Harr p. 76); North is the dummy's side.
SEATS_OF_FEW = {2: "EW", 3: "ESW"}


class SettlingRule(NamedTuple):
    """A settling rule in force: title, page, and the figures used by its kind.

    *points* are None if they are a fraction of the limit and there is none; *points_by_heads* are for a wash.
    *paid* says how a penalty is paid: all of it to ``each`` of the others, ``shared`` equally by the others, or to
    the one ``named``; *east_doubled* says whether it is doubled for East. *who* is ``winner`` or ``all``; *seats*
    are the winds in play.
    """

    id: str
    title: str
    source: str
    points: int | None = 0
    factor: int = 1
    to: int = 1
    way: str = "nearest"
    who: str = ""
    seats: str = ""
    points_by_heads: Mapping[int, int] = {}
    no_pair: bool = False
    east_passes: bool = False
    paid: str = "each"
    east_doubled: bool = True

    def __str__(self) -> str:
        return f"{self.title} ({self.source})"

    def rounded(self, points: int) -> int:
        """Return *points*, rounded by the rule: in Babcock, 12, 14 and 15 to 10; 16 and 18 to 20 (p. 82)."""
        added = {"nearest": (self.to - 1) // 2, "up": self.to - 1, "down": 0}[self.way]
        return (points + added) // self.to * self.to


class Settling(NamedTuple):
    """The settling rules in force at a table, by name; None for those that the rulebook lacks.

    *ninth_wins* are the limit hands for East's ninth win in a row, whatever the tiles.
    """

    winner_collects: SettlingRule | None = None
    losers_settle: SettlingRule | None = None
    east_factor: SettlingRule | None = None
    score_limit: SettlingRule | None = None
    difference_limit: SettlingRule | None = None
    wash: SettlingRule | None = None
    not_touching: SettlingRule | None = None
    false_win: SettlingRule | None = None
    east_passes: SettlingRule | None = None
    no_west: SettlingRule | None = None
    sitter_out: SettlingRule | None = None
    discarder_factor: SettlingRule | None = None
    limit_cancels: SettlingRule | None = None
    round_payments: SettlingRule | None = None
    round_score: SettlingRule | None = None
    discarder_pays_rest: SettlingRule | None = None
    added_to_payments: SettlingRule | None = None
    short_hand_scores: SettlingRule | None = None
    undeclared_fours: SettlingRule | None = None
    long_hand: SettlingRule | None = None
    draw_after_four_passes: SettlingRule | None = None
    winner_takes_east: SettlingRule | None = None
    every_hand_passes: SettlingRule | None = None
    discarder_alone: SettlingRule | None = None
    penalty: Mapping[str, SettlingRule] = {}
    ninth_wins: tuple[Rule, ...] = ()

    def seats(self, players: int) -> str:
        """Return the winds at which *players* players sit, East first."""
        if self.no_west is not None:
            return self.no_west.seats
        return SEATS_OF_FEW.get(players, "ESWN")


def settling_rules(
    entries: Iterable[RuleEntry], rules: Mapping[str, Rule], limit: int | None, ninth_wins: tuple[Rule, ...]
) -> Settling:
    """Return the settling rules among the *entries* in force. Raises Refused for two of a kind, except penalties."""
    entry_of: dict[str, RuleEntry] = {}
    by_kind: dict[str, SettlingRule] = {}
    penalties: dict[str, SettlingRule] = {}
    for entry in entries:
        data, points = entry.data, rules[entry.id].points_under(limit)
        if "points_of" in data:
            points = rules[data["points_of"]].points if data["points_of"] in rules else 0
        fields = {key: data[key] for key in SettlingRule._fields if key in data}
        if data["rule"] == "wash":
            fields["points_by_heads"] = {int(heads): int(worth) for heads, worth in data["points"].items()}
        rule = SettlingRule(**{**fields, "points": points})
        if data["rule"] == "penalty":
            penalties[entry.id] = rule
            continue
        first = entry_of.setdefault(data["rule"], entry)
        if first is not entry:
            # the clash is reported at the rule that the extending file adds or changes
            reported, other = (first, entry) if first.changed and not entry.changed else (entry, first)
            place = f"{other.place.document.path}, line {other.place.find('rule').line}"
            raise reported.refused("rule", "clash", "settling", other=other.id, place=place)
        by_kind[data["rule"].replace("-", "_")] = rule
    return Settling(**by_kind, penalty=penalties, ninth_wins=ninth_wins)


def is_cap(data: Mapping[str, Any]) -> bool:
    """Return whether an entry sets the limit of a rulebook that has no option for it."""
    return data.get("rule") == "score-limit" and "points" in data


def is_ninth_win(condition: Node) -> bool:
    """Return whether a condition holds whenever East wins the ninth time in a row, whatever the tiles."""
    certain = {"won": True, "east": True, "ninth": True, "south": False, "west": False, "north": False}
    asks = any(name.name == "ninth" for name in names_in(condition))
    return asks and fold(condition, lambda name: certain.get(name.name)) == Constant(True)
