"""Where a special hand wins that these rules do not know: under an option, or in another rulebook."""

from __future__ import annotations

from mjscore.game.hand import Hand
from mjscore.game.tiles import WEIGHT
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.rulebook.conditions import names_in, words_of
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.shapes import compile_shape, match_shape


def won_elsewhere(hand: Hand, rulebook: Rulebook) -> str:
    """Tell which option, or else which of the shipped rulebooks, would let a hand win; empty where none does."""
    assert hand.win is not None
    packed = hand.packed_concealed + WEIGHT[hand.win.tile]
    for entry in rulebook.definition.entries.values():
        if entry.section != "shape" or entry.id in rulebook.entries:
            continue
        facts = names_in(entry.conditions["when"])  # what is not played has a condition
        option = next(
            (word for fact in facts if fact.name == "option" for word in words_of(fact.arguments)), None
        )
        shape = compile_shape(str(entry.data["tiles"]))
        if option and not rulebook.options.get(option) and match_shape(shape, packed):
            return f"{entry.title} wins only under the option {option}: set {option} yes, or -s {option}=yes"
    for name in RULEBOOKS:
        if name == rulebook.id:
            continue
        for special in bind(name).special_hands:
            if match_shape(special.alternatives, packed):
                return f"{special.rule.title} wins in {name}, not in {rulebook.id}: rulebook {name}, or -r {name}"
    return ""
