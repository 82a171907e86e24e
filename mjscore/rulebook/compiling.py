"""A rulebook's conditions as Python functions, compiled once when it is bound.

Their expressions come from the templates of the vocabularies: ``h`` is a hand's facts, ``a`` an
arrangement of it, ``s`` the situation of a set, ``t`` the set.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from mjscore.game.hand import TileSet
from mjscore.rulebook.conditions import (
    Compare,
    Constant,
    Joined,
    Name,
    Node,
    Number,
    expression,
    fold,
    names_in,
)
from mjscore.rulebook.facts import (
    FUNCTIONS,
    HAND_VOCABULARY,
    SET_VOCABULARY,
    Arrangement,
    HandFacts,
    Situation,
)
from mjscore.rulebook.rule import Award, Rule, SetValue

Test: TypeAlias = Callable[[HandFacts, Arrangement], bool]
EvaluateHand: TypeAlias = Callable[[HandFacts, Arrangement, Sequence[SetValue]], tuple[Award, ...]]
EvaluateSet: TypeAlias = Callable[[Situation, TileSet], tuple[Rule, ...]]
SituationOf: TypeAlias = Callable[[HandFacts, Arrangement], Situation]

# facts that only a hand that won can have
OF_A_WINNER = (
    *("drawn", "claimed", "original", "only_place", "only_wait", "earth", "loose", "last", "last_discard"),
    *("twofold", "robbed", "thirteen", "mixed", "ninth", "winning_tile", "fourth_of_exposed_three"),
    *("completed_pair", "completed_chow", "completed_pung", "middle", "one_end", "both_ends"),
)
_SET_COUNTS = ("chows", "pungs", "kongs", "pairs", "concealed_pungs", "hidden_pungs")
_ONE_KIND = {
    (name,)
    for name in (
        *("own_wind", "round_wind", "east_wind", "south_wind", "west_wind", "north_wind"),
        *("red_dragon", "green_dragon", "white_dragon"),
    )
}


class Clause(NamedTuple):
    """A rule with its condition and, where it may be given several times, how many; options settled."""

    rule: Rule
    when: Node
    times: Node | None = None


def holds(node: Node, won: bool) -> Node:
    """Give a condition with what is known beforehand of a hand that won, or of one that did not, worked out."""

    def known(name: Name) -> bool | None:
        if name.name == "won":
            return won
        if won and name.name in ("waiting", "waiting_for"):
            return False
        return False if not won and name.name in OF_A_WINNER else None

    return fold(node, known)


def compile_hand(clauses: Iterable[Clause], won: bool) -> EvaluateHand:
    """Compile what gives an arranged hand its bonuses, doubles and limit hands: the awards in the rulebook's order.

    The rules that ask what else scored come last.
    """
    first: list[str] = []
    last: list[str] = []
    namespace: dict[str, Any] = dict(FUNCTIONS)
    instead_of: dict[str, frozenset[str]] = {}
    for number, (rule, when, times) in enumerate(clauses):
        node = holds(when, won)
        if node == Constant(False):
            continue
        lines = last if any(name.name == "scores_only" for name in names_in(node)) else first
        condition = expression(node, HAND_VOCABULARY)
        if times is None:
            namespace[f"award{number}"] = Award(rule.id, 1, rule.is_other_score)
            lines.append(f"    if {condition}: give(award{number})")
        else:
            namespace[f"award{number}"] = _repeated(rule)
            count = expression(times, HAND_VOCABULARY)
            lines.append(f"    if {condition} and {count} > 0: give(award{number}({count}))")
        if rule.section in ("bonus", "double") and rule.instead_of:
            instead_of[rule.id] = rule.instead_of
    body = ["def evaluate(h, a, set_values):", "    given = []", "    give = given.append", *first, *last]
    exec(compile("\n".join([*body, "    return tuple(given)"]), "<rulebook>", "exec"), namespace)
    evaluate: EvaluateHand = namespace["evaluate"]
    return _without_replaced(evaluate, instead_of) if instead_of else evaluate


def _repeated(rule: Rule) -> Callable[[int], Award]:
    return lambda times: Award(rule.id, times, rule.is_other_score)


def _without_replaced(evaluate: EvaluateHand, instead_of: dict[str, frozenset[str]]) -> EvaluateHand:
    def without(facts: HandFacts, arrangement: Arrangement, values: Sequence[SetValue]) -> tuple[Award, ...]:
        given = evaluate(facts, arrangement, values)
        replaced = {name for award in given for name in instead_of.get(award.rule, ())}
        return tuple(award for award in given if award.rule not in replaced) if replaced else given

    return without


def compile_sets(clauses: Iterable[Clause]) -> tuple[EvaluateSet, SituationOf]:
    """Compile what gives a set its value, and what tells its situation: of a hand's facts those that are asked for."""
    rules: dict[str, Rule] = {}
    body = ["def evaluate(s, t):", "    given = []"]
    for number, (rule, when, _) in enumerate(clauses):
        rules[f"rule{number}"] = rule
        body.append(f"    if {expression(when, SET_VOCABULARY)}: given.append(rule{number})")
    body.append("    return given")
    namespace: dict[str, Any] = dict(rules)
    exec(compile("\n".join(body), "<rulebook>", "exec"), namespace)

    def evaluate(situation: Situation, tile_set: TileSet) -> tuple[Rule, ...]:
        given: list[Rule] = namespace["evaluate"](situation, tile_set)
        replaced = {name for rule in given for name in rule.instead_of}
        return tuple(rule for rule in given if rule.id not in replaced)

    expressions = "\n".join(body)
    neutral = Situation(0, 0, False, False, False, False, "")
    fields = [
        f"{'a' if name == 'form' else 'h'}.{name}"
        if f"s.{name}" in expressions
        else repr(getattr(neutral, name))
        for name in Situation._fields
    ]
    situation_of: SituationOf = eval(f"lambda h, a: Situation({', '.join(fields)})", {"Situation": Situation})
    return evaluate, situation_of


def compile_test(node: Node) -> Test:
    """Compile a condition over an arranged hand."""
    test: Test = eval(f"lambda h, a: {expression(node, HAND_VOCABULARY)}", dict(FUNCTIONS))
    return test


def more_sets_never_hurt(node: Node) -> bool:
    """Tell whether a condition can only be helped by more sets: then a loser's tiles are all regrouped."""
    match node:
        case Joined(parts=parts):
            return all(map(more_sets_never_hurt, parts))
        case _ if not any(name.name in _SET_COUNTS for name in names_in(node)):
            return True
        case Compare(sign=">=" | ">", left=Name(), right=Number() | Constant()):
            return True
        case Compare(sign="==", left=Name(name="pungs", arguments=kinds), right=Number(1) | Constant(1)):
            # one kind of tile makes one set at most
            return kinds in _ONE_KIND
    return False


def threes_never_hurt(clauses: Sequence[Clause]) -> bool:
    """Tell whether a hand that did not win is given no less for a three than for a pair of its tiles, but for the set
    itself.
    """
    rules = {clause.rule.id: clause.rule for clause in clauses}
    for rule, when, times in clauses:
        node = holds(when, False)
        asked = {name.name for part in (node, times) if part is not None for name in names_in(part)}
        if node == Constant(False) or not asked & {*_SET_COUNTS, "scores_only"}:
            continue
        replaced = [rules[name] for name in rule.instead_of & rules.keys()]
        if (
            asked & {"pairs", "scores_only"}
            or times is not None
            or rule.never_counted
            or not more_sets_never_hurt(node)
            or sum(other.doubles for other in replaced) > rule.doubles
            or sum(other.points for other in replaced) > rule.points
        ):
            return False
    return True
