"""How a rulebook has the players pay: the settling rules that there are, and those in force at a table."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, NamedTuple, TypeAlias, get_type_hints

from mjscore.refusal import Refused
from mjscore.rulebook.conditions import Constant, Node, fold, names_in
from mjscore.rulebook.entries import Entry
from mjscore.rulebook.rule import Rule

# Where two or three play and the rulebook has no rule for it (Harr p. 76); North's side is the dummy's.
SEATS_OF_FEW = {2: "EW", 3: "ESW"}


class SettlingKind(NamedTuple):
    """What a kind of settling rule does, the keys that its entry needs, each with an example, and those that it may have."""

    meaning: str
    needs: Mapping[str, str]
    takes: tuple[str, ...]


_COST = ("points", "of_limit", "paid", "east_doubled")
PENALTIES = ("false-win", "long-hand", "penalty")
# who is paid a penalty: by each player who pays it the whole of it each, or parts of it, or one player
PAID = ("each", "shared", "named")


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


_Rule: TypeAlias = SettlingRule | None


class Settling(NamedTuple):
    """The settling rules in force at a table; None for each that its rulebook does not have.

    With each stands what it does, the keys that its entry needs, as they are written, and those that it may have.
    *ninth_wins* are the limit hands that East's ninth win in a row is, whatever the tiles.
    """

    winner_collects: Annotated[_Rule, "each of the others pays the winner the score"] = None
    losers_settle: Annotated[_Rule, "those who lost pay each other the differences of their scores"] = None
    east_factor: Annotated[_Rule, "what East pays and is paid is multiplied by factor", "factor = 2"] = None
    score_limit: Annotated[
        _Rule, "the limit caps the winner's score, or all scores", 'who = "winner", or who = "all"'
    ] = None
    difference_limit: Annotated[
        _Rule, "the limit caps each difference between two who lost, before East's double"
    ] = None
    wash: Annotated[
        _Rule,
        "points for a new draw by the number of heads; no_pair: only without a pair; east_passes: East passes",
        "points = { 9 = 50, 10 = 100 }",
        "no_pair",
        "east_passes",
    ] = None
    not_touching: Annotated[
        _Rule,
        "a new draw for thirteen tiles of which no two go together; east_passes: East passes",
        "east_passes",
    ] = None
    false_win: Annotated[
        _Rule, "what calling Mah-Jongg by mistake costs, to each player: points, or of_limit", "cost"
    ] = None
    east_passes: Annotated[_Rule, "East passes on a hand that East does not win"] = None
    no_west: Annotated[_Rule, "these seats play, without the west winds", 'seats = "ESN"'] = None
    sitter_out: Annotated[
        _Rule,
        "who sits out is paid the points of that entry by each who lost, doubled as the winner's hand",
        'points_of = "mah-jongg"',
    ] = None
    discarder_factor: Annotated[
        _Rule,
        "what the discarder pays is multiplied by factor; on a drawn win, what all three pay",
        "factor = 2",
    ] = None
    limit_cancels: Annotated[
        _Rule, "where the winner's score is the limit, those who lost settle nothing"
    ] = None
    round_payments: Annotated[
        _Rule, "payments are rounded to multiples of this, a half going down", "to = 10"
    ] = None
    short_hand_scores: Annotated[_Rule, "a dead hand with too few tiles still scores its sets"] = None
    undeclared_fours: Annotated[
        _Rule, "four alike in a hand that did not win count as a concealed four, though not declared"
    ] = None
    long_hand: Annotated[
        _Rule, "a hand with too many tiles pays each player: points, or of_limit", "cost"
    ] = None
    draw_after_four_passes: Annotated[_Rule, "East passes on a draw in which a four was declared"] = None
    winner_takes_east: Annotated[_Rule, "the winner is East next"] = None
    every_hand_passes: Annotated[_Rule, "East passes after every hand"] = None
    discarder_alone: Annotated[
        _Rule,
        "of the others only who discarded the winning tile pays the winner, factor times; a drawn win is paid by all",
        "factor",
    ] = None
    penalty: Annotated[
        Mapping[str, SettlingRule],
        "another mistake that costs points, or of_limit, by the line penalty ID and its players; there may be several",
        "cost",
    ] = {}
    ninth_wins: tuple[Rule, ...] = ()

    def seats(self, players: int) -> str:
        """Give the winds at which *players* sit, East first."""
        if self.no_west is not None:
            return self.no_west.seats
        return SEATS_OF_FEW.get(players, "ESWN")


def _kinds() -> Iterator[tuple[str, SettlingKind]]:
    for name, hint in get_type_hints(Settling, include_extras=True).items():
        if hasattr(hint, "__metadata__"):
            meaning, *keys = hint.__metadata__
            needs = {key.partition(" ")[0]: key for key in keys if "=" in key}
            takes = tuple(key for key in keys if "=" not in key)
            yield name.replace("_", "-"), SettlingKind(meaning, needs, _COST if "cost" in takes else takes)


SETTLING_KINDS: Mapping[str, SettlingKind] = dict(_kinds())


def settling_rules(
    entries: Iterable[Entry], rules: Mapping[str, Rule], limit: int | None, ninth_wins: tuple[Rule, ...]
) -> Settling:
    """Give the settling rules of the *entries* in force. Raises Refused for two of one kind."""
    entry_of: dict[str, Entry] = {}
    found: dict[str, SettlingRule] = {}
    penalties: dict[str, SettlingRule] = {}
    for entry in entries:
        data, points = entry.data, rules[entry.id].points_under(limit)
        if "points_of" in data:
            points = rules[data["points_of"]].points if data["points_of"] in rules else 0
        given = {key: data[key] for key in SettlingRule._fields if key in data}
        if data["rule"] == "wash":
            given["points_by_heads"] = {int(heads): int(worth) for heads, worth in data["points"].items()}
        rule = SettlingRule(**{**given, "points": points, "source": entry.source})
        if data["rule"] == "penalty":
            penalties[entry.id] = rule
            continue
        first = entry_of.setdefault(data["rule"], entry)
        if first is not entry:
            raise _clash(first, entry)
        found[data["rule"].replace("-", "_")] = rule
    return Settling(**found, penalty=penalties, ninth_wins=ninth_wins)


def _clash(first: Entry, second: Entry) -> Refused:
    """Refuse two entries that settle the same thing: shown where the later of their files has its own."""
    if first.changed and not second.changed:
        first, second = second, first
    place = f"{first.document.path}, line {first.place.find('rule').line}"
    message = f"{second.id} and {first.id} ({place}) settle the same thing"
    hint = f'say replaces = "{first.id}" to put this one in its place, or drop one of them'
    return second.place.refused("rule", "clash", message, hint)


def is_ninth_win(condition: Node) -> bool:
    """Tell whether a condition holds for every ninth win in a row of East's, whatever the tiles are."""
    certain = {"won": True, "east": True, "ninth": True, "south": False, "west": False, "north": False}
    if not any(name.name == "ninth" for name in names_in(condition)):
        return False
    return fold(condition, lambda name: certain.get(name.name)) == Constant(True)
