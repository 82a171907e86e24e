"""What cannot be: a seat that nobody has, a flag that contradicts seat or tiles, West where three play."""

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Hand, Win
from mjscore.game.tiles import WEIGHT, WIND_NAMES, WINDS
from mjscore.refusal import About, Refusal, Refused, did_you_mean, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.entries import FLAG_FOLLOWS
from mjscore.rulebook.facts import WEST, Arrangement, HandFacts
from mjscore.scoring.arrangement import divisions
from mjscore.scoring.winning_tiles import before_each_set, player_on_the_left

DEFAULT_WIND = "E"
_ROUNDS = frozenset(WINDS)
NOT_ARRANGED = Arrangement((), 0, 0, 0, 0, 0, 0)


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
        raise Refused(_no_such_seat(seat, rulebook))
    if hand.round not in _ROUNDS:
        raise refuse("bad-round", f"there is no round {hand.round!r}", "the rounds are E, S, W and N")
    if rulebook.settling.no_west is not None:
        _check_no_west(hand, rulebook.settling.no_west.source)
    win = hand.win
    if win is not None:
        for name in (win.discarder, win.earlier, win.all_from):
            if name is None:
                continue
            if name not in seats:
                raise Refused(_no_such_seat(name, rulebook))
            if name == seat:
                raise refuse(
                    "from-oneself",
                    f"{WIND_NAMES[seat]} cannot have the tile from their own discard",
                    "name the player who discarded it",
                    about=About("clause")
                    if name == win.discarder
                    else About("flag", "earlier" if name == win.earlier else "allfrom"),
                )
        if win.flags:
            _check_known(win.flags, "drawn" if win.drawn else "claimed", rulebook)
            _check_flags(hand, win, seat, rulebook)
    elif hand.flags:
        _check_known(hand.flags, "lost", rulebook)


def check_told(facts: HandFacts, rulebook: Rulebook) -> None:
    """Tell whether the winner's tiles allow what is said of earlier discards (D78). Raises Refused."""
    win = facts.hand.win
    assert win is not None
    if win.earlier is not None:
        _check_earlier(facts, win.earlier, rulebook)
    if win.all_from is not None:
        _check_all_from(facts.hand, win, win.all_from, rulebook)


def _check_earlier(facts: HandFacts, feeder: str, rulebook: Rulebook) -> None:
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
    raise refuse(
        "not-fed-earlier", message, f"{hint} ({fatal[0].rule.source})", about=About("flag", "earlier")
    )


def _check_all_from(hand: Hand, win: Win, feeder: str, rulebook: Rulebook) -> None:
    left = player_on_the_left(hand, rulebook)
    if feeder != left:
        raise refuse(
            "not-on-the-left",
            f"only the player on the winner's left can feed all four sets: {WIND_NAMES[left]}",
            f"type !allfrom:{left}, or leave it out",
            about=About("flag", "allfrom"),
        )
    fed = sum(tile_set.exposed for tile_set in hand.sets)
    if fed == 3 and not win.drawn and _may_fill_a_set(hand, win):
        if win.discarder not in (None, feeder):
            raise refuse(
                "not-all-fed",
                f"the winning tile made the fourth set, and it is {WIND_NAMES[win.discarder or feeder]}'s",
                f"leave out !allfrom, or type <{win.tile}:{feeder}",
                about=About("flag", "allfrom"),
            )
    elif fed < 4:
        raise refuse(
            "not-all-fed",
            "not all four sets of the winner were claimed",
            "leave out !allfrom: a set made by drawing was fed by nobody",
            about=About("flag", "allfrom"),
        )


def _may_fill_a_set(hand: Hand, win: Win) -> bool:
    """Tell whether the winning tile may have completed a set, and not the pair."""
    if win.stated is not None:
        return win.stated.kind != "pair"
    return any(
        win.tile in tile_set.tiles
        for division in divisions(hand.packed_concealed + WEIGHT[win.tile])
        for tile_set in (*division.pungs, *division.chows)
    )


def _no_such_seat(seat: str, rulebook: Rulebook) -> Refusal:
    names = [WIND_NAMES[wind] for wind in rulebook.seats]
    who = WIND_NAMES.get(seat)
    return Refusal(
        "no-such-seat",
        f"{who} does not play at a table of {rulebook.players}" if who else f"there is no seat {seat[:40]!r}",
        f"the seats are {', '.join(names[:-1])} and {names[-1]}",
        about=About("seat", seat),
    )


def _check_no_west(hand: Hand, source: str) -> None:
    if (hand.kinds_mask | (1 << hand.win.tile if hand.win else 0)) & WEST:
        raise refuse(
            "no-west",
            "three players play without the west winds",
            f"see {source}; set players 4 if there is a West",
            about=About("tile", "Ww"),
        )


def _check_known(flags: frozenset[str], how: str, rulebook: Rulebook) -> None:
    """Give the rulebook's own flags: those that it has, each with a tile that was drawn, claimed, or with a hand that
    lost.
    """
    for word in sorted(flags - FLAG_CLAUSES.keys()):
        entry = rulebook.flags.get(word)
        if entry is None:
            known = [f"!{name}" for name in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, *rulebook.flags)]
            raise refuse(
                "unknown-flag",
                f"there is no flag !{word}",
                did_you_mean(f"!{word}", known, "the flags are " + " ".join(known)),
                about=About("flag", word),
            )
        follows = entry.data.get("follows", FLAG_FOLLOWS)
        if how not in follows:
            raise refuse(
                "flag-follows",
                f"!{word} goes with {' or '.join(_FOLLOWED[one] for one in follows)}",
                f"leave out !{word} ({entry.title}, {entry.source})",
                about=About("flag", word),
            )


_FOLLOWED = {
    "drawn": "a tile that was drawn",
    "claimed": "a tile that was claimed",
    "lost": "a hand that did not win",
}


def _check_flags(hand: Hand, win: Win, seat: str, rulebook: Rulebook) -> None:
    flags = win.flags
    if "original" in flags and seat != "E":
        raise refuse(
            "original-not-east",
            "only East can win as dealt: only East has fourteen tiles",
            "leave out !original, or put E: before the hand",
            about=About("flag", "original"),
        )
    if "earth" in flags and seat == "E":
        raise refuse(
            "earth-by-east",
            "East cannot win on East's own first discard",
            "leave out !earth, or name the seat that won",
            about=About("flag", "earth"),
        )
    if "earth" in flags and win.discarder not in (None, "E"):
        raise refuse(
            "earth-not-from-east",
            f"the first discard is East's, and this tile is {WIND_NAMES[win.discarder or 'E']}'s",
            f"type <{win.tile}:E!earth, or leave out !earth",
            about=About("flag", "earth"),
        )
    if "ninth" in flags and seat != "E":
        raise refuse(
            "ninth-not-east",
            "only East wins nine times running as East",
            "leave out !ninth, or put E: before the hand",
            about=About("flag", "ninth"),
        )
    dealt = next((flag for flag in ("original", "earth", "thirteen") if flag in flags), None)
    if dealt and hand.sets:
        raise refuse(
            "dealt-with-sets",
            f"!{dealt}: a hand as dealt has no set on the table and no declared four",
            f"leave out !{dealt}, or the brackets",
            about=About("flag", dealt),
        )
    if "last" in flags and not win.drawn and not rulebook.asks_last_discard:
        raise refuse(
            "last-discard",
            "the rulebook does not count the last discard",
            "leave out !last; +7c!last is the last tile of the wall",
            about=About("flag", "last"),
        )
    if "twofold" in flags and sum(tile_set.kind == "kong" for tile_set in hand.sets) < 2:
        raise refuse(
            "twofold-without-fours",
            "a loose tile that made a four, and the loose tile for it, take two fours",
            "put both fours in brackets, [1111c] or (1111c), or type !loose for one",
            about=About("flag", "twofold"),
        )
    if "loose" in flags and not hand.bonus and all(tile_set.kind != "kong" for tile_set in hand.sets):
        raise refuse(
            "loose-without-four",
            "a loose tile is drawn only after a four or a bonus tile",
            "put the four in brackets, [1111c] or (1111c), or leave out !loose",
            about=About("flag", "loose"),
        )
    if "robbed" in flags and hand.kinds_mask >> win.tile & 1:
        raise refuse(
            "robbed-held",
            f"the fourth {win.tile.title} was robbed from three on another's table, "
            "so the winner can hold none of them",
            "leave out !robbed, or count the tiles again",
            about=About("flag", "robbed"),
        )
