"""How a rulebook has the players pay: the settling rules that there are, and those in force at a table."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mjscore.refusal import Refused
from mjscore.rulebook.conditions import Constant, Name, Node, fold, names_in
from mjscore.rulebook.entries import Entry
from mjscore.rulebook.rule import Rule

# Where two or three play and the rulebook has no rule for it (Harr p. 76); North's side is the dummy's.
SEATS_OF_FEW = {2: "EW", 3: "ESW"}


class SettlingKind(NamedTuple):
    """What a kind of settling rule does, the keys that its entry needs, each as it is written, and those that
    it may have besides.
    """

    meaning: str
    needs: Mapping[str, str] = {}
    takes: tuple[str, ...] = ()


_COST = ("points", "of_limit", "paid", "east_doubled")
PENALTIES = ("false-win", "long-hand", "penalty")
# who is paid a penalty: by each player who pays it the whole of it each, or parts of it, or one player
PAID = ("each", "shared", "named")
SETTLING_KINDS = {
    "winner-collects": SettlingKind("each of the others pays the winner his score"),
    "losers-settle": SettlingKind("those who lost pay each other the differences of their scores"),
    "east-factor": SettlingKind(
        "what East pays and is paid is multiplied by factor", {"factor": "factor = 2"}
    ),
    "score-limit": SettlingKind(
        "the limit caps the winner's score, or all scores",
        {"who": 'who = "winner", or who = "all"'},
    ),
    "difference-limit": SettlingKind(
        "the limit caps each difference between two who lost, before East's double"
    ),
    "wash": SettlingKind(
        "points for a new draw by the number of heads; no_pair: only without a pair; east_passes: East passes",
        {"points": "points = { 9 = 50, 10 = 100 }"},
        ("no_pair", "east_passes"),
    ),
    "not-touching": SettlingKind(
        "a new draw for thirteen tiles of which no two go together; east_passes: East passes",
        takes=("east_passes",),
    ),
    "false-win": SettlingKind(
        "what calling Mah-Jongg by mistake costs, to each player: points, or of_limit", takes=_COST
    ),
    "penalty": SettlingKind(
        "another mistake that costs points, or of_limit, by the line penalty ID and its players; there may be several",
        takes=_COST,
    ),
    "east-passes": SettlingKind("East passes where he does not win"),
    "no-west": SettlingKind("these seats play, without the west winds", {"seats": 'seats = "ESN"'}),
    "sitter-out": SettlingKind(
        "who sits out is paid the points of that entry by each who lost, doubled as the winner's hand",
        {"points_of": 'points_of = "mah-jongg"'},
    ),
    "discarder-factor": SettlingKind(
        "what the discarder pays is multiplied by factor; on a drawn win, what all three pay",
        {"factor": "factor = 2"},
    ),
    "discarder-alone": SettlingKind(
        "of the others only who discarded the winning tile pays the winner, factor times; a drawn win is paid by all",
        takes=("factor",),
    ),
    "limit-cancels": SettlingKind("where the winner's score is the limit, those who lost settle nothing"),
    "round-payments": SettlingKind(
        "payments are rounded to multiples of this, a half going down", {"to": "to = 10"}
    ),
    "short-hand-scores": SettlingKind("a dead hand with too few tiles still scores its sets"),
    "undeclared-fours": SettlingKind(
        "four alike in a hand that did not win count as a concealed four, though not declared"
    ),
    "long-hand": SettlingKind(
        "a hand with too many tiles pays each player: points, or of_limit", takes=_COST
    ),
    "draw-after-four-passes": SettlingKind("East passes on a draw in which a four was declared"),
    "winner-takes-east": SettlingKind("the winner is East next"),
    "every-hand-passes": SettlingKind("East passes after every hand"),
}


class SettlingRule(NamedTuple):
    """A settling rule in force: title and page, and its figures as far as its kind has them.

    *points* are None where they are a part of a limit that there is not; *points_by_heads* are those
    for washing; of a penalty *paid* says who is paid (see ``PAID``), *east_doubled* whether East's factor
    counts; *who* is ``winner`` or ``all``; *seats* the winds at which the players sit.
    """

    id: str
    title: str
    source: str
    points: int | None = 0
    factor: int = 1
    to: int = 1
    who: str = ""
    seats: str = ""
    points_by_heads: Mapping[int, int] = {}
    no_pair: bool = False
    east_passes: bool = False
    paid: str = "each"
    east_doubled: bool = True

    def __str__(self) -> str:
        return f"{self.title} ({self.source})"


class Settling(NamedTuple):
    """The settling rules in force at a table; None for each that its rulebook does not have.

    *ninth_wins* are the limit hands that East's ninth win in a row is, whatever his tiles.
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
        """The winds at which *players* sit, East first."""
        if self.no_west is not None:
            return self.no_west.seats
        return SEATS_OF_FEW.get(players, "ESWN")


def settling_rules(
    entries: Iterable[Entry], rules: Mapping[str, Rule], limit: int | None, ninth_wins: tuple[Rule, ...]
) -> Settling:
    """The settling rules of the *entries* in force. Raises Refused for two of one kind."""
    entry_of: dict[str, Entry] = {}
    penalties: dict[str, SettlingRule] = {}
    for entry in entries:
        kind = str(entry.data["rule"])
        if kind == "penalty":
            penalties[entry.id] = _settling_rule(entry, rules, limit)
            continue
        if kind in entry_of:
            raise _clash(entry_of[kind], entry)
        entry_of[kind] = entry
    found = {kind.replace("-", "_"): _settling_rule(entry, rules, limit) for kind, entry in entry_of.items()}
    return Settling(**found, penalty=penalties, ninth_wins=ninth_wins)


def _settling_rule(entry: Entry, rules: Mapping[str, Rule], limit: int | None) -> SettlingRule:
    data = entry.data
    points = rules[entry.id].points_under(limit)
    if "points_of" in data:
        worth = rules.get(str(data["points_of"]))
        points = worth.points if worth is not None else 0
    by_heads = data.get("points") if data["rule"] == "wash" else None
    return SettlingRule(
        entry.id,
        entry.title,
        entry.source,
        points,
        int(data.get("factor", 1)),
        int(data.get("to", 1)),
        str(data.get("who", "")),
        str(data.get("seats", "")),
        {int(heads): int(worth) for heads, worth in by_heads.items()} if isinstance(by_heads, Mapping) else {},
        bool(data.get("no_pair", False)),
        bool(data.get("east_passes", False)),
        str(data.get("paid", "each")),
        bool(data.get("east_doubled", True)),
    )  # fmt: skip


def _clash(first: Entry, second: Entry) -> Refused:
    """Two entries that settle the same thing: shown where the later of their files has its own."""
    if first.changed and not second.changed:
        first, second = second, first
    return second.place.refused(
        "rule",
        "clash",
        f"{second.id} and {first.id} ({first.document.path}, line {first.place.find('rule').line}) settle the same thing",
        f'say replaces = "{first.id}" to put this one in its place, or drop one of them',
    )


def is_ninth_win(condition: Node) -> bool:
    """Whether a condition holds for every ninth win in a row of East's, whatever his tiles are."""
    certain = {"won": True, "east": True, "ninth": True, "south": False, "west": False, "north": False}

    def known(name: Name) -> bool | None:
        return certain.get(name.name)

    return fold(condition, known) == Constant(True) and any(
        name.name == "ninth" for name in names_in(condition)
    )
