"""A rulebook's conditions as Python functions, compiled when first needed.

Their expressions come from the templates of the facts: ``h`` is a hand's facts, ``a`` an arrangement of it, ``t`` one
of its sets.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from mjscore.game.tiles import CLASS_MASKS, written_mask
from mjscore.rulebook.conditions import Constant, Name, Node, Operation, fold, names_in
from mjscore.rulebook.entries import RuleEntry
from mjscore.rulebook.facts import CLASSES, FACTS, FUNCTIONS, Arrangement, HandFacts
from mjscore.rulebook.rule import Award, Rule
from mjscore.rulebook.shapes import Alternative, compile_shape

Test: TypeAlias = Callable[[HandFacts, Arrangement], bool]
# returns the awards of an arranged hand, given the values of its sets; or of a set, given that
Evaluate: TypeAlias = Callable[[HandFacts, Arrangement, Any], tuple[Award, ...]]
SituationOf: TypeAlias = Callable[[HandFacts, Arrangement], Hashable]

# facts that only a winning hand can have
OF_A_WINNER = (
    *("drawn", "claimed", "original", "only_place", "only_wait", "earth", "loose", "last", "last_discard"),
    *("twofold", "robbed", "thirteen", "mixed", "ninth", "winning_tile", "fourth_of_exposed_three"),
    *("completed_pair", "completed_chow", "completed_pung", "middle", "one_end", "both_ends"),
)
_SET_COUNTS = (
    *("chows", "pungs", "kongs", "pairs", "concealed_pungs", "hidden_pungs", "concealed_kongs"),
    *("sets", "sets_with"),
)
# classes with a single kind of tile, of which a hand can have only one set
_ONE_KIND = ("own_wind", "round_wind", *(name for name, mask in CLASS_MASKS.items() if mask.bit_count() == 1))


@dataclass(frozen=True)
class InForce:
    """An entry in force at a table: its rule and its conditions by key, with the options folded in.

    Conditions are compiled when first needed.
    """

    rule: Rule
    nodes: Mapping[str, Node]
    entry: RuleEntry

    @cached_property
    def names(self) -> frozenset[str]:
        """The facts that the entry's conditions name."""
        return frozenset(name.name for node in self.nodes.values() for name in names_in(node))

    @cached_property
    def when(self) -> Test:
        """The compiled condition for an arranged hand."""
        return compile_test(self.nodes["when"])

    @cached_property
    def shown(self) -> Test:
        """For a liability, the compiled condition that asks whether the exposed sets gave the danger away."""
        return compile_test(self.nodes.get("shown", Constant(True)))

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The shapes of a special hand."""
        return compile_shape(str(self.entry.data["tiles"]))

    def where_won(self, won: bool) -> "InForce":
        """Return the entry with its condition simplified for winning, or for losing, hands."""
        return replace(self, nodes={**self.nodes, "when": holds(self.nodes["when"], won)})


def holds(node: Node, won: bool) -> Node:
    """Return a condition simplified by what is certain about every winning hand or, unless *won*, every other hand."""

    def known(name: Name) -> bool | None:
        if name.name == "won":
            return won
        if won and name.name in ("waiting", "waiting_for"):
            return False
        return False if not won and name.name in OF_A_WINNER else None

    return fold(node, known)


def expression(node: Node) -> str:
    """Return the Python expression that computes a checked condition.

    It consists only of the facts' templates, numbers and quoted words.
    """
    match node:
        case Constant(value):
            return repr(value)
        case Name(name, arguments):
            fact = FACTS[name]
            if fact.takes == "class":
                masks = " & ".join(
                    str(written_mask(str(one.value))) if isinstance(one, Constant) else CLASSES[one]
                    for one in arguments
                )
                return fact.template.format(f"({masks})" if masks else CLASSES["any"])
            words = tuple(node.words)
            values = {"text": words[:1], "patterns": (words,)}.get(fact.takes, (frozenset(words),))
            return fact.template.format(*map(repr, values))
        case Operation(sign, (part,)):
            return f"({sign} {expression(part)})"
        case Operation(sign, parts):
            return "(" + f" {sign} ".join(map(expression, parts)) + ")"


def compile_awards(entries: Iterable[InForce], of: str = "set_values") -> Evaluate:
    """Return the function that returns the awards of an arranged hand or, with *of* ``t``, those of one of its sets.

    They come in the rulebook's order, rules that ask what else scored last; without those replaced.
    """
    first: list[str] = []
    last: list[str] = []
    namespace: dict[str, Any] = {**FUNCTIONS, "Award": Award}
    instead_of: dict[str, frozenset[str]] = {}
    for number, one in enumerate(entries):
        rule, when, times = one.rule, one.nodes["when"], one.nodes.get("times")
        if when == Constant(False):
            continue
        lines = last if any(name.name == "scores_only" for name in names_in(when)) else first
        condition = expression(when)
        if times is None:
            namespace[f"award{number}"] = Award(rule.id, 1, rule.is_other_score)
            lines.append(f"    if {condition}: give(award{number})")
        else:
            count, award = expression(times), f"Award({rule.id!r}, times, {rule.is_other_score})"
            lines.append(f"    if {condition} and (times := {count}) > 0: give({award})")
        if rule.instead_of:
            instead_of[rule.id] = rule.instead_of
    body = [f"def evaluate(h, a, {of}):", "    given = []", "    give = given.append", *first, *last]
    exec(compile("\n".join([*body, "    return tuple(given)"]), "<rulebook>", "exec"), namespace)
    evaluate: Evaluate = namespace["evaluate"]

    def without_replaced(facts: HandFacts, arrangement: Arrangement, of: Any) -> tuple[Award, ...]:
        awards = evaluate(facts, arrangement, of)
        replaced = {name for award in awards for name in instead_of.get(award.rule, ())}
        return tuple(award for award in awards if award.rule not in replaced) if replaced else awards

    return without_replaced if instead_of else evaluate


def compile_situation(entries: Iterable[InForce]) -> SituationOf:
    """Return the function that returns everything apart from the set itself on which a set's points depend."""
    conditions = " ".join(expression(case.nodes["when"]) for case in entries)
    fields = sorted({*re.findall(r"\b[ha]\.\w+", conditions)})
    situation_of: SituationOf = eval(f"lambda h, a: ({''.join(f'{field}, ' for field in fields)})")
    return situation_of


def compile_test(node: Node) -> Test:
    """Return the function that tests a condition for an arranged hand."""
    test: Test = eval(f"lambda h, a: {expression(node)}", dict(FUNCTIONS))
    return test


def more_sets_never_hurt(node: Node) -> bool:
    """Return whether more sets surely never make a condition fail, so all of a loser's may be grouped."""
    match node:
        case Operation("and" | "or", parts):
            return all(map(more_sets_never_hurt, parts))
        case _ if not any(name.name in _SET_COUNTS for name in names_in(node)):
            return True
        case Name("sets") | Operation(">=" | ">", (Name(), Constant())):
            return True
        case Operation("==", (Name("pungs", kinds), Constant(1))):
            # one kind of tile makes at most one set
            return len(kinds) == 1 and kinds[0] in _ONE_KIND
    return False


def threes_never_hurt(entries: Sequence[InForce]) -> bool:
    """Return whether a losing hand surely never gets less for a pung than for a pair of the same tiles.

    The points of the set itself are ignored.
    """
    rules = {one.rule.id: one.rule for one in entries}
    for one in entries:
        rule, when, facts = one.rule, one.nodes["when"], one.names
        if when == Constant(False) or not facts & {*_SET_COUNTS, "scores_only"}:
            continue
        replaced = [rules[name] for name in rule.instead_of & rules.keys()]
        if (
            facts & {"pairs", "scores_only", "sets", "sets_with"}
            or "times" in one.nodes
            or rule.never_counted
            or not more_sets_never_hurt(when)
            or sum(other.doubles for other in replaced) > rule.doubles
            or sum(other.points for other in replaced) > rule.points
        ):
            return False
    return True
