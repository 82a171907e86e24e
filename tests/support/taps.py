"""Hands as taps on the phone's keyboard."""

from __future__ import annotations

from mjscore.game.hand import Hand

ORIGINS = {"claimed": 0, "fourth": 0, "declared": 1, "grown": 2}


def taps_of(hand: Hand) -> list[str]:
    """The taps that make a hand, in the order in which it lies; those that only a line can say are a line."""
    win = hand.win
    if win is not None and (win.stated or win.earlier or win.all_from):
        return [f"line {hand}"]
    taps: list[str] = []
    for number, tile_set in enumerate(hand.sets):
        taps += [tile_set.kind, str(tile_set.tile)]
        taps += [f"set {number} {tile_set.tile}"] * ORIGINS[tile_set.origin]
    taps += [str(tile) for tile in (*hand.concealed, *hand.bonus)]
    if win is not None:
        key = "drawn" if win.drawn else f"claimed {win.discarder}" if win.discarder else "claimed"
        taps += [str(win.tile), key, f"in {win.tile}"]
        taps += [f"!{flag}" for flag in sorted(win.flags)]
    else:
        said = {"dead": hand.dead, "nochoice": hand.no_choice}
        taps += [f"!{flag}" for flag in (*hand.flags, *(flag for flag, is_so in said.items() if is_so))]
    return taps
