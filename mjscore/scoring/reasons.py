"""Why a condition does not hold for a hand, in words, and which other rules would let the hand win."""

from collections.abc import Iterable
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import BITS, DIGIT, KINDS, TILES, WEIGHT, tiles_in
from mjscore.rulebook.binding import bind
from mjscore.rulebook.compiling import InForce, compile_test, expression
from mjscore.rulebook.conditions import Constant, Name, Node, Operation, names_in
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.facts import FUNCTIONS, HandFacts, arranged, suits_among
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.set_patterns import lacking_sets
from mjscore.rulebook.shapes import compile_shape, match_shape, may_be_near, may_wait
from mjscore.rulebook.wording import SIGNS, condition_words, denial, listed, many, meaning, of_classes
from mjscore.scoring.sheet import ScoredArrangement, ScoredHand
from mjscore.scoring.winning_tiles import places_of, waits_of


class Reason(NamedTuple):
    """A rule that did not apply: its title, the reason, and its source."""

    rule: str
    title: str
    why: str
    source: str


def not_given(scored: ScoredHand, book: Rulebook) -> list[Reason]:
    """Return each bonus, double and limit hand not given, and why; empty for a dead or a special hand."""
    counting = scored.counting
    if counting is None or scored.sheet.dead or counting.special is not None:
        return []
    evaluation = Evaluation(scored.counted_facts, counting, book)
    awards = {award.rule for award in counting.given}
    reasons = []
    for name, entry in book.entries.items():
        if entry.section not in ("bonus", "double", "after", "limit") or name in awards:
            continue
        why = why_not(book.conditions[name], evaluation) or (
            "the hand has none" if "times" in entry.data else ""
        )
        if why:
            reasons.append(Reason(name, entry.title, why, entry.source))
    return reasons


def other_arrangements(scored: ScoredHand) -> list[ScoredArrangement]:
    """Return other arrangements, best first, but none with the chosen one's figures; empty if it is dead."""
    best = scored.counting
    if best is None or scored.sheet.dead:
        return []
    figures = (best.score, best.points, best.tally.doubles)
    others = [other for other in scored.others if (other.score, other.points, other.tally.doubles) != figures]
    return sorted(others, key=lambda counting: -counting.score)


def reasons_json(scored: ScoredHand, book: Rulebook) -> dict[str, object]:
    """Return what ``--why`` adds to the JSON object of a score."""
    return {
        "not_given": [reason._asdict() for reason in not_given(scored, book)],
        "other_arrangements": [
            {
                "score": other.score,
                "points": other.points,
                "doubles": other.tally.doubles,
                "sets": [tile_set.as_json() for tile_set in other.arrangement.sets],
            }
            for other in other_arrangements(scored)
        ],
    }


class Evaluation(NamedTuple):
    """Evaluates conditions for a hand, by its facts after counting and its arrangement."""

    facts: HandFacts
    counting: ScoredArrangement
    book: Rulebook

    def value(self, node: Node) -> int:
        """Return the value of a condition, or of part of one."""
        counted = self.counting
        names = {
            "h": self.facts,
            "a": counted.arrangement,
            "set_values": counted.values,
            "given": counted.given,
        }
        return int(eval(expression(node), {**FUNCTIONS, **names}))


def why_not(node: Node, evaluation: Evaluation) -> str:
    """Return the first part of a condition that does not hold, in words; empty if the whole condition holds."""
    match node:
        case Operation("and", parts):
            return next(filter(None, (why_not(part, evaluation) for part in parts)), "")
        case _ if evaluation.value(node):
            return ""
        case Operation("or", parts):
            return ", and ".join(dict.fromkeys(why_not(part, evaluation) for part in parts))
        case Name():
            return _denied(node, evaluation)
        case Operation("not", (Name() as name,)):
            return _of_entry(name, evaluation, True) or meaning(name.name).partition(";")[0]
        case Operation("not"):
            return "the hand has what excludes it"
        case Operation(sign, (left, right)):
            return _compared(left, sign, right, evaluation)
    return "it does not apply"


def counts_against(node: Node, evaluation: Evaluation) -> str:
    """Return in words a failed condition's numbers and those of the hand; without numbers, as ``why_not`` does."""
    parts = node.parts if isinstance(node, Operation) and node.sign in ("and", "or") else (node,)
    counts = []
    for part in parts:
        match part:
            case Operation(("<=" | ">=" | "<" | ">" | "=="), (Name() as name, Constant(needed))) if (
                not evaluation.value(part)
            ):
                has = evaluation.value(name)
                counts.append(f"{has or 'no'} {many(name, has == 1)}, not {SIGNS[part.sign]}{needed}")
    return f"it has {listed(counts)}" if counts else why_not(node, evaluation)


def _denied(name: Name, evaluation: Evaluation) -> str:
    if name.name in ("only_place", "only_wait"):
        facts = evaluation.facts
        places = places_of if name.name == "only_place" else waits_of
        tiles = [str(tile) for tile in tiles_in(places(facts.hand, evaluation.book) & ~facts.win_bit)]
        return f"not the only place: {listed(tiles)} would have won too"
    if name.name == "scores_only":
        scoring = [rule.id for value in evaluation.counting.values for rule in value.rules]
        scoring += [award.rule for award in evaluation.counting.given if award.is_other_score]
        others = [rule for rule in scoring if rule not in name.words]
        titles = dict.fromkeys(evaluation.book.rules[rule].title.lower() for rule in others)
        return f"something else scores: {listed([*titles][:3])}"
    if name.name == "all_tiles" and name.arguments:
        return f"not all of its tiles are {of_classes(name)}"
    if name.name == "waiting_for" and evaluation.facts.won:
        return "the hand won"
    if name.name == "sets":
        patterns = tuple(name.words)
        missing = lacking_sets(evaluation.counting.arrangement.sets, patterns)
        if len(missing) < len(lacking_sets((), patterns)):
            return f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return _of_entry(name, evaluation, False) or denial(name.name)


def _of_entry(name: Name, evaluation: Evaluation, holds: bool) -> str:
    """Return in words whether a fact about a flag or a special hand waited for *holds*; empty for other facts."""
    if name.name not in ("flag", "waiting_for"):
        return ""
    (word,) = name.words
    if name.name == "flag":
        return f"the hand has {'' if holds else 'no '}!{word}"
    entry = evaluation.book.entries.get(word)
    return f"the hand is {'' if holds else 'not '}waiting for {entry.title if entry is not None else word}"


_TURNED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}


def _compared(left: Node, sign: str, right: Node, evaluation: Evaluation) -> str:
    if isinstance(left, Constant):
        # what is counted is named first, whichever side of the comparison it is on
        left, sign, right = right, _TURNED.get(sign, sign), left
    has, needed = evaluation.value(left), evaluation.value(right)
    least = SIGNS[sign] if isinstance(right, Constant) else f"{SIGNS[sign]}{many(right)}: "
    missed = f", not {least}{needed}" if sign != "!=" else ""
    if isinstance(left, Name) and isinstance(right, Constant) and left.name != "players":
        one = 1 in (has, has or needed)
        return f"the hand has {has or 'no'} {many(left, one)}" + missed * (needed > (has == 0))
    return f"{many(left)}: {has or 'none'}{missed}"


def nearly_special(facts: HandFacts, rulebook: Rulebook) -> str:
    """Return in words which special hand this hand nearly is, and what it lacks; empty if none."""
    hand = facts.hand
    assert hand.win is not None
    packed = hand.packed_concealed + WEIGHT[hand.win.tile]
    if hand.sets:
        but_for = _but_for_a_condition(rulebook.laid_hands, facts, packed)
        return but_for or _but_for_sets_on_the_table(rulebook.special_hands, hand, packed)
    but_for = _but_for_a_condition(rulebook.special_hands, facts, packed)
    return but_for or _but_for_one_tile(rulebook.special_hands, facts, packed)


def _but_for_a_condition(specials: Iterable[InForce], facts: HandFacts, packed: int) -> str:
    for special in specials:
        sets = match_shape(special.alternatives, packed, facts.hand.sets)
        if sets is not None:
            when = special.nodes["when"]
            for part in when.parts if isinstance(when, Operation) and when.sign == "and" else (when,):
                if not compile_test(part)(facts, arranged(sets, special=True)):
                    return f"{special.rule.title} also requires: {condition_words(part, str, True)}"
    return ""


def _but_for_sets_on_the_table(specials: Iterable[InForce], hand: Hand, packed: int) -> str:
    fours = [tile_set for tile_set in hand.sets if tile_set.kind == "kong"]
    for special in specials:
        whole = hand.packed
        without_fours = whole - sum(WEIGHT[four.tile] for four in fours)
        if any(match_shape(special.alternatives, held, ()) is not None for held in (whole, without_fours)):
            laid = "no declared kong" if fours == list(hand.sets) else "no set on the table"
            return f"{special.rule.title} has {laid}: all its tiles are held"
    return ""


def _but_for_one_tile(specials: Iterable[InForce], facts: HandFacts, packed: int) -> str:
    for special in specials:
        for tile in tiles_in(facts.kinds) if may_be_near(special.alternatives, packed) else ():
            held = packed - WEIGHT[tile]
            rest = facts.kinds if held >> BITS * tile & DIGIT else facts.kinds & ~(1 << tile)
            for other in TILES[:KINDS] if may_wait(special.alternatives, held) else ():
                kinds = rest | 1 << other
                changed = facts._replace(kinds=kinds, suits=suits_among(kinds))
                sets = match_shape(special.alternatives, held + WEIGHT[other])
                if sets is not None and special.when(changed, arranged(sets, special=True)):
                    return f"{special.rule.title} has {other} in place of {tile}"
    return ""


def won_elsewhere(hand: Hand, rulebook: Rulebook) -> str:
    """Return in words the option, or else the shipped rulebook, by which the hand would win; empty if there is none."""
    assert hand.win is not None
    packed = hand.packed_concealed + WEIGHT[hand.win.tile]
    for entry in rulebook.definition.entries.values():
        if entry.section != "shape" or entry.id in rulebook.entries:
            continue
        facts = names_in(entry.conditions["when"])  # a shape that is not in force always has a condition
        option = next((word for fact in facts if fact.name == "option" for word in fact.words), None)
        shape = compile_shape(str(entry.data["tiles"]))
        if option and not rulebook.options.get(option) and match_shape(shape, packed):
            how = f"set {option} yes in its file, or -s {option}=yes at the start"
            return f"{entry.title} wins only under the option {option}: {how}"
    for name in RULEBOOKS:
        for special in bind(name).special_hands if name != rulebook.id else ():
            if match_shape(special.alternatives, packed):
                return f"{special.rule.title} wins in {name}, not in {rulebook.id}: rulebook {name}, or -r {name}"
    return ""
