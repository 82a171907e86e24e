"""What cannot be: a seat that nobody has, a flag that contradicts seat or tiles, West where three play."""

from collections.abc import Iterator
from typing import TypeAlias

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Hand, Win
from mjscore.game.tiles import WEIGHT, WIND_NAMES, WINDS
from mjscore.refusal import About, Refused, did_you_mean, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.entries import FLAG_FOLLOWS
from mjscore.rulebook.facts import WEST, Arrangement, HandFacts
from mjscore.scoring.arrangement import divisions
from mjscore.scoring.winning_tiles import before_each_set, player_on_the_left

DEFAULT_WIND = "E"
_ROUNDS = frozenset(WINDS)
NOT_ARRANGED = Arrangement((), 0, 0, 0, 0, 0, 0)
# what is wrong with a flag: the flag, a code, a message, what to type instead; the first that is found is refused
Fault: TypeAlias = tuple[str, str, str, str]


def placed_hand(hand: Hand, seat: str | None = None, round_wind: str | None = None) -> Hand:
    """*hand* with its seat and round filled in from the context, else East."""
    if hand.seat is None or hand.round is None:
        return hand._replace(
            seat=hand.seat or seat or DEFAULT_WIND, round=hand.round or round_wind or DEFAULT_WIND
        )
    return hand


def check_hand(hand: Hand, rulebook: Rulebook) -> None:
    """Raise Refused for a hand that cannot be; its seat and round are known."""
    seat = hand.seat or DEFAULT_WIND
    seats = rulebook.seat_numbers
    if seat not in seats:
        raise _no_such_seat(seat, rulebook)
    if hand.round not in _ROUNDS:
        raise refuse("bad-round", f"there is no round {hand.round!r}", "the rounds are E, S, W and N")
    win, no_west = hand.win, rulebook.settling.no_west
    if no_west is not None and (hand.kinds_mask | (1 << win.tile if win else 0)) & WEST:
        message = "three players play without the west winds"
        hint = f"see {no_west.source}; set players 4 if there is a West"
        raise refuse("no-west", message, hint, about=About("tile", "Ww"))
    if win is not None:
        for name in (win.discarder, win.earlier, win.all_from):
            if name is None:
                continue
            if name not in seats:
                raise _no_such_seat(name, rulebook)
            if name == seat:
                flag = About("flag", "earlier" if name == win.earlier else "allfrom")
                raise refuse(
                    "from-oneself",
                    f"{WIND_NAMES[seat]} cannot have the tile from their own discard",
                    "name the player who discarded it",
                    about=About("clause") if name == win.discarder else flag,
                )
        if win.flags:
            _refuse_first(_unknown_flags(win.flags, "drawn" if win.drawn else "claimed", rulebook))
            _refuse_first(_impossible_flags(hand, win, seat, rulebook))
    elif hand.flags:
        _refuse_first(_unknown_flags(hand.flags, "lost", rulebook))


def check_told(facts: HandFacts, rulebook: Rulebook) -> None:
    """Tell whether the winner's tiles allow what is said of earlier discards (D78). Raises Refused."""
    win = facts.hand.win
    assert win is not None
    if win.earlier is not None:
        _refuse_first(_not_fed_earlier(facts, win.earlier, rulebook))
    if win.all_from is not None:
        _refuse_first(_not_fed_all(facts.hand, win, win.all_from, rulebook))


def _refuse_first(faults: Iterator[Fault]) -> None:
    for flag, code, message, hint in faults:
        raise refuse(code, message, hint, about=About("flag", flag))


def _not_fed_earlier(facts: HandFacts, feeder: str, rulebook: Rulebook) -> Iterator[Fault]:
    fatal = [liability for liability in rulebook.liabilities if liability.earlier]

    def may_have_fed(seat: str) -> bool:
        return any(
            liability.shown(before, NOT_ARRANGED)
            for before in before_each_set(facts, seat, rulebook)
            for liability in fatal
        )

    if not fatal or may_have_fed(feeder):
        return
    left = player_on_the_left(facts.hand, rulebook)
    if may_have_fed(left):
        message = f"a run is fed by the player on the winner's left alone: {WIND_NAMES[left]}"
        hint = f"type !earlier:{left}, or leave it out"
    else:
        message = (
            "no set on the table can come of a discard that others were insured against: without it the "
            "hand shows too little"
        )
        hint = "leave out !earlier, or put the sets in brackets that were claimed"
    yield "earlier", "not-fed-earlier", message, f"{hint} ({fatal[0].rule.source})"


def _not_fed_all(hand: Hand, win: Win, feeder: str, rulebook: Rulebook) -> Iterator[Fault]:
    left = player_on_the_left(hand, rulebook)
    if feeder != left:
        message = f"only the player on the winner's left can feed all four sets: {WIND_NAMES[left]}"
        yield "allfrom", "not-on-the-left", message, f"type !allfrom:{left}, or leave it out"
    fed = sum(tile_set.exposed for tile_set in hand.sets)
    if fed == 3 and not win.drawn and _may_fill_a_set(hand, win):
        if win.discarder is not None and win.discarder != feeder:
            message = f"the winning tile made the fourth set, and it is {WIND_NAMES[win.discarder]}'s"
            yield "allfrom", "not-all-fed", message, f"leave out !allfrom, or type <{win.tile}:{feeder}"
    elif fed < 4:
        hint = "leave out !allfrom: a set made by drawing was fed by nobody"
        yield "allfrom", "not-all-fed", "not all four sets of the winner were claimed", hint


def _may_fill_a_set(hand: Hand, win: Win) -> bool:
    """Tell whether the winning tile may have completed a set, and not the pair."""
    if win.stated is not None:
        return win.stated.kind != "pair"
    return any(
        win.tile in tile_set.tiles
        for division in divisions(hand.packed_concealed + WEIGHT[win.tile])
        for tile_set in (*division.pungs, *division.chows)
    )


def _no_such_seat(seat: str, rulebook: Rulebook) -> Refused:
    names = [WIND_NAMES[wind] for wind in rulebook.seats]
    message = f"there is no seat {seat[:40]!r}"
    if seat in WIND_NAMES:
        message = f"{WIND_NAMES[seat]} does not play at a table of {rulebook.players}"
    hint = f"the seats are {', '.join(names[:-1])} and {names[-1]}"
    return refuse("no-such-seat", message, hint, about=About("seat", seat))


def _unknown_flags(flags: frozenset[str], how: str, rulebook: Rulebook) -> Iterator[Fault]:
    """Find flags that the rulebook does not have, or not with a tile that was drawn, claimed, or a hand that lost."""
    for word in sorted(flags - FLAG_CLAUSES.keys()):
        entry = rulebook.flags.get(word)
        if entry is None:
            known = [f"!{name}" for name in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, *rulebook.flags)]
            hint = did_you_mean(f"!{word}", known, "the flags are " + " ".join(known))
            yield word, "unknown-flag", f"there is no flag !{word}", hint
        elif how not in (follows := entry.data.get("follows", FLAG_FOLLOWS)):
            message = f"!{word} goes with {' or '.join(_FOLLOWED[one] for one in follows)}"
            yield word, "flag-follows", message, f"leave out !{word} ({entry.title}, {entry.source})"


_FOLLOWED = {
    "drawn": "a tile that was drawn",
    "claimed": "a tile that was claimed",
    "lost": "a hand that did not win",
}


def _impossible_flags(hand: Hand, win: Win, seat: str, rulebook: Rulebook) -> Iterator[Fault]:
    """Find flags that contradict the winner's seat or tiles."""
    flags, tile = win.flags, win.tile
    if "original" in flags and seat != "E":
        message = "only East can win as dealt: only East has fourteen tiles"
        yield "original", "original-not-east", message, "leave out !original, or put E: before the hand"
    if "earth" in flags and seat == "E":
        hint = "leave out !earth, or name the seat that won"
        yield "earth", "earth-by-east", "East cannot win on East's own first discard", hint
    if "earth" in flags and win.discarder is not None and win.discarder != "E":
        message = f"the first discard is East's, and this tile is {WIND_NAMES[win.discarder]}'s"
        yield "earth", "earth-not-from-east", message, f"type <{tile}:E!earth, or leave out !earth"
    if "ninth" in flags and seat != "E":
        message = "only East wins nine times running as East"
        yield "ninth", "ninth-not-east", message, "leave out !ninth, or put E: before the hand"
    dealt = next((flag for flag in ("original", "earth", "thirteen") if flag in flags), None)
    if dealt and hand.sets:
        message = f"!{dealt}: a hand as dealt has no set on the table and no declared four"
        yield dealt, "dealt-with-sets", message, f"leave out !{dealt}, or the brackets"
    if "last" in flags and not win.drawn and "last_discard" not in rulebook.asked:
        hint = "leave out !last; +7c!last is the last tile of the wall"
        yield "last", "last-discard", "the rulebook does not count the last discard", hint
    if "twofold" in flags and sum(tile_set.kind == "kong" for tile_set in hand.sets) < 2:
        message = "a loose tile that made a four, and the loose tile for it, take two fours"
        hint = "put both fours in brackets, [1111c] or (1111c), or type !loose for one"
        yield "twofold", "twofold-without-fours", message, hint
    if "loose" in flags and not hand.bonus and all(tile_set.kind != "kong" for tile_set in hand.sets):
        message = "a loose tile is drawn only after a four or a bonus tile"
        hint = "put the four in brackets, [1111c] or (1111c), or leave out !loose"
        yield "loose", "loose-without-four", message, hint
    if "robbed" in flags and hand.kinds_mask >> tile & 1:
        message = f"the fourth {tile.title} was robbed from three on another's table, so the winner can hold none of them"
        yield "robbed", "robbed-held", message, "leave out !robbed, or count the tiles again"
