"""The tiles that a hand waits for, and what each would score."""

from contextlib import suppress
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import ANY, BITS, DIGIT, WEIGHT, Tile, tiles_in
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.conditions import Constant, Name, Node, Operation
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.arrangement import lacking, own_fours
from mjscore.scoring.checks import check_hand, placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoreSheet
from mjscore.scoring.winning_tiles import completed_by, waits_of


def worth(hand: Hand, rulebook: Rulebook, seat: str | None, round_wind: str | None) -> int | None:
    """Return the score of a hand that is being typed; None if the rules refuse it.

    The players whom its win clause names are ignored: they make no difference to the score.
    """
    win = hand.win and hand.win._replace(discarder=None, earlier=None, all_from=None)
    sheet = _sheet(placed_hand(hand._replace(win=win), seat, round_wind), rulebook)
    return sheet and sheet.score


class Wait(NamedTuple):
    """A tile that would complete a hand, and what it would score, drawn and claimed.

    A score is None if the win would not be allowed (two players, too few doubles). The *sheets* are of both.
    """

    tile: Tile
    drawn: int | None
    claimed: int | None
    sheets: tuple[ScoreSheet | None, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {"tile": str(self.tile), "drawn": self.drawn, "claimed": self.claimed}


class Nearness(NamedTuple):
    """How many tiles a hand is *away* from waiting, and which of them bring it *nearer*."""

    away: int
    nearer: tuple[Tile, ...]

    def as_json(self) -> dict[str, object]:
        return {"away": self.away, "nearer": list(map(str, self.nearer))}


class Discard(NamedTuple):
    """A tile that a hand of fourteen can discard: what the rest waits for, or how near it is; *left* is how many of the tiles
    that it would take nobody has shown.
    """

    tile: Tile
    waits: tuple[Wait, ...]
    nearness: Nearness | None
    left: int

    def as_json(self) -> dict[str, object]:
        near = self.nearness.as_json() if self.nearness else {}
        return {
            "discard": str(self.tile),
            "waits": [one.as_json() for one in self.waits],
            **near,
            "left": self.left,
        }


class Waits(NamedTuple):
    """The waits of a hand by a rulebook; *error* says why there are none. A hand that waits for nothing has its *nearness*,
    one of fourteen tiles what it can discard, the best first.
    """

    rulebook: str
    waits: tuple[Wait, ...] = ()
    hand: Hand | None = None
    error: Refusal | None = None
    nearness: Nearness | None = None
    discards: tuple[Discard, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of the waits."""
        return {
            "rulebook": self.rulebook,
            "waits": [wait.as_json() for wait in self.waits],
            "error": self.error.as_json() if self.error else None,
            **(self.nearness.as_json() if self.nearness else {}),
            **({"discards": [one.as_json() for one in self.discards]} if self.discards else {}),
        }


def waits_for(
    given: Hand | Refusal, rulebook: Rulebook, seat: str | None = None, round_wind: str | None = None
) -> Waits:
    """Return what a hand waits for; of one of fourteen tiles, which was refused for one too many, what it can discard.

    Raises Refused for a hand of any other number of tiles.
    """
    if isinstance(given, Hand):
        waits = tuple(waiting_tiles(given, rulebook))
        return Waits(
            rulebook.id, waits, given, None, None if waits else nearness_of(placed_hand(given), rulebook)
        )
    hand = given.about
    if not isinstance(hand, Hand) or hand.win is not None or hand.tiles_over != 1:
        raise Refused(given)
    hand, found = placed_hand(hand, seat, round_wind), []
    for tile in dict.fromkeys(hand.concealed):
        rest = _with(hand, tile, -1)
        waits = tuple(waiting_tiles(rest, rulebook))
        near = None if waits else nearness_of(rest, rulebook)
        taken = [one.tile for one in waits] if near is None else near.nearer
        left = [4 - ((hand.packed_concealed + hand.packed_laid) >> BITS * one & DIGIT) for one in taken]
        # what may still come, each with what it brings
        worth = sum(
            count * max(one.drawn or 0, one.claimed or 0) for one, count in zip(waits, left, strict=False)
        )
        found.append((near.away if near else 0, -worth, -sum(left), Discard(tile, waits, near, sum(left))))
    found.sort(key=lambda one: one[:3])
    return Waits(rulebook.id, (), hand, discards=tuple(one[3] for one in found if one[0] == found[0][0]))


def _with(hand: Hand, tile: Tile, count: int) -> Hand:
    """Return a hand with a concealed tile more, or less where *count* is -1."""
    concealed = list(hand.concealed)
    concealed.append(tile) if count > 0 else concealed.remove(tile)
    packed = hand.packed_concealed + count * WEIGHT[tile]
    held = sum(1 << one for one in {*concealed}) | sum(
        1 << one for laid in hand.sets for one in {*laid.tiles}
    )
    return hand._replace(concealed=tuple(sorted(concealed)), packed_concealed=packed, kinds_mask=held)


def nearness_of(hand: Hand, rulebook: Rulebook) -> Nearness:
    """Return how far a hand that waits for nothing is from waiting: as four sets and a pair, or for a special hand where
    that is one tile away.
    """
    chows = min((_most_chows(one.nodes["when"]) for one in rulebook.wins), default=4)
    laid = sum(one.kind == "chow" for one in hand.sets)
    lack, mask = lacking(hand.packed_concealed, hand.packed_laid, 4 - len(hand.sets), chows - laid)
    if lack > 2 and (rulebook.laid_hands if hand.sets else rulebook.special_hands):
        others = tiles_in(ANY & ~own_fours(hand.packed_concealed + hand.packed_laid))
        shorter = [_with(hand, tile, -1) for tile in {*hand.concealed}]
        found = [tile for tile in others if any(waits_of(_with(rest, tile, 1), rulebook) for rest in shorter)]
        if found:
            return Nearness(1, tuple(found))
    return Nearness(lack - 1, tiles_in(mask))


def _most_chows(condition: Node) -> int:
    """Return how many chows a condition of winning allows."""
    match condition:
        case Operation("<=", (Name("chows"), Constant(int(most)))):
            return most
        case Operation(_, parts):
            return min(map(_most_chows, parts))
    return 4


def waiting_tiles(hand: Hand, rulebook: Rulebook) -> list[Wait]:
    """Return the tiles that would complete a hand of 13, with the scores they would bring.

    Raises Refused for a hand that has its winning tile, is dead, or does not list its tiles.
    """
    hand = placed_hand(hand)
    if hand.win is not None or hand.dead or hand.unlisted:
        raise refuse("no-thirteen-tiles", "won" if hand.win else "unlisted", about=hand.win)
    check_hand(hand, rulebook)
    waits = []
    for tile in tiles_in(waits_of(hand, rulebook)):
        drawn, claimed = (_sheet(completed_by(hand, tile, how, rulebook), rulebook) for how in (True, False))
        if drawn or claimed:
            sheets = drawn, claimed
            waits.append(Wait(tile, drawn and drawn.score, claimed and claimed.score, sheets))
    return waits


def _sheet(hand: Hand, rulebook: Rulebook) -> ScoreSheet | None:
    with suppress(Refused):
        return score_hand(hand, rulebook).sheet
    return None
