"""Refusals of impossible hands: unknown seats, flags that contradict seat or tiles, West where three play."""

from typing import Any

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Flag, Hand, Seat, Win
from mjscore.game.tiles import WEIGHT, WIND_NAMES, WINDS, Tile
from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.entries import FLAG_FOLLOWS
from mjscore.rulebook.facts import NOT_ARRANGED, WEST, HandFacts
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.arrangement import divisions
from mjscore.scoring.winning_tiles import arrangements, before_each_set, player_on_the_left

DEFAULT_WIND = "E"
_ROUNDS = frozenset(WINDS)
_FOLLOWED = {
    "drawn": "a tile that was drawn",
    "claimed": "a tile that was claimed",
    "lost": "a hand that did not win",
}


def placed_hand(hand: Hand, seat: str | None = None, round_wind: str | None = None) -> Hand:
    """Return *hand* with a missing seat or round filled in: *seat* and *round_wind*, or else East."""
    if hand.seat is not None and hand.round is not None:
        return hand
    seat, round_wind = hand.seat or seat or DEFAULT_WIND, hand.round or round_wind or DEFAULT_WIND
    return hand._replace(seat=seat, round=round_wind)


def check_hand(hand: Hand, rulebook: Rulebook) -> None:
    """Raise Refused for an impossible hand; its seat and round must be filled in."""
    seat = hand.seat or DEFAULT_WIND
    seats = rulebook.seat_numbers
    if seat not in seats:
        raise _no_such_seat(seat, rulebook)
    if hand.round not in _ROUNDS:
        raise refuse("bad-round", name=hand.round)
    win, no_west = hand.win, rulebook.settling.no_west
    if no_west is not None and (hand.kinds_mask | (1 << win.tile if win else 0)) & WEST:
        raise refuse("no-west", source=no_west.source, about=Tile.parse("Ww"))
    if win is not None:
        for name in (win.discarder, win.earlier, win.all_from):
            if name is None:
                continue
            if name not in seats:
                raise _no_such_seat(name, rulebook)
            if name == seat:
                flag = Flag("earlier" if name == win.earlier else "allfrom")
                about = win if name == win.discarder else flag
                raise refuse("from-oneself", "tile", winner=WIND_NAMES[seat], about=about)
        if win.flags:
            _check_known(win.flags, "drawn" if win.drawn else "claimed", rulebook)
            _check_possible(hand, win, seat, rulebook)
    elif hand.flags:
        _check_known(hand.flags, "lost", rulebook)


def check_feeders(facts: HandFacts, rulebook: Rulebook) -> None:
    """Raise Refused unless the winner's tiles allow the earlier discards that the hand claims (D78)."""
    hand, win = facts.hand, facts.hand.win
    assert win is not None
    left = player_on_the_left(hand, rulebook)
    fatal = [liability for liability in rulebook.liabilities if liability.rule.earlier]

    def may_have_fed(seat: str) -> bool:
        return any(
            liability.shown(before, NOT_ARRANGED)
            for before in before_each_set(facts, seat, rulebook)
            for liability in fatal
        )

    if win.earlier is not None and fatal and not may_have_fed(win.earlier):
        kind, source = "run" if may_have_fed(left) else "none", fatal[0].rule.source
        raise _wrong_flag("earlier", "not-fed-earlier", kind, left=left, name=WIND_NAMES[left], source=source)
    if win.all_from is None:
        return
    if win.all_from != left:
        raise _wrong_flag("allfrom", "not-on-the-left", left=left, name=WIND_NAMES[left])
    fed = sum(tile_set.exposed for tile_set in hand.sets)
    if fed == 3 and not win.drawn and _may_fill_a_set(facts, win):
        if win.discarder not in (None, left):
            whose = WIND_NAMES[win.discarder]
            raise _wrong_flag("allfrom", "not-all-fed", "fourth", name=whose, tile=win.tile, feeder=left)
    elif fed < 4:
        raise _wrong_flag("allfrom", "not-all-fed", "drawn")


def _may_fill_a_set(facts: HandFacts, win: Win) -> bool:
    """Return whether the winning tile may have completed a set rather than the pair."""
    if win.stated is not None:
        return win.stated.kind != "pair"
    ways = divisions(facts.hand.packed_concealed + WEIGHT[win.tile])
    return any(way.completed != "pair" for division in ways for way in arrangements(division, facts))


def _wrong_flag(flag: str, code: str, kind: str = "", **words: Any) -> Refused:
    return refuse(code, kind, flag=flag, **words, about=Flag(flag))


def _no_such_seat(seat: str, rulebook: Rulebook) -> Refused:
    *names, last = [WIND_NAMES[wind] for wind in rulebook.seats]
    seats, about = f"{', '.join(names)} and {last}", Seat(seat)
    if seat in WIND_NAMES:
        who, players = WIND_NAMES[seat], rulebook.players
        return refuse("no-such-seat", "few", who=who, players=players, seats=seats, about=about)
    return refuse("no-such-seat", "word", typed=seat[:40], seats=seats, about=about)


def _check_known(flags: frozenset[str], how: str, rulebook: Rulebook) -> None:
    """Raise Refused for flags unknown to the rulebook, or used with the wrong kind of hand."""
    for word in sorted(flags - FLAG_CLAUSES.keys()):
        entry = rulebook.flags.get(word)
        if entry is None:
            known = [f"!{name}" for name in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, *rulebook.flags)]
            near = did_you_mean(f"!{word}", known, "the flags are " + " ".join(known))
            raise _wrong_flag(word, "unknown-flag", "rulebook", near=near)
        if how not in (follows := entry.data.get("follows", FLAG_FOLLOWS)):
            behind = " or ".join(_FOLLOWED[how_won] for how_won in follows)
            raise _wrong_flag(word, "flag-follows", follows=behind, title=entry.title, source=entry.source)


def _check_possible(hand: Hand, win: Win, seat: str, rulebook: Rulebook) -> None:
    """Raise Refused for flags that contradict the winner's seat or tiles, the discarder or the rulebook."""
    fours = sum(tile_set.kind == "kong" for tile_set in hand.sets)
    discarder = win.discarder or "E"
    for flag, code, cannot_be in (
        ("original", "original-not-east", seat != "E"),
        ("earth", "earth-by-east", seat == "E"),
        ("earth", "earth-not-from-east", discarder != "E"),
        ("ninth", "ninth-not-east", seat != "E"),
        ("original", "dealt-with-sets", hand.sets),
        ("earth", "dealt-with-sets", hand.sets),
        ("thirteen", "dealt-with-sets", hand.sets),
        ("last", "last-discard", not win.drawn and "last_discard" not in rulebook.asked),
        ("twofold", "twofold-without-fours", fours < 2),
        ("loose", "loose-without-four", not hand.bonus and not fours),
        ("robbed", "robbed-held", hand.kinds_mask >> win.tile & 1),
    ):
        if cannot_be and flag in win.flags:
            whose = WIND_NAMES[discarder]
            raise _wrong_flag(flag, code, tile=win.tile, title=win.tile.title, whose=whose)
