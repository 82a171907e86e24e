"""mjscore: score and settle classical Mah-Jongg by the books of the 1920s.

>>> import mjscore
>>> sheet = mjscore.score("S@E: (222d) (789c) 123b 456b 5c +5c", rulebook="harr")
>>> sheet.score, [item.title for item in sheet.items]
(26, ['Mah-Jongg', 'Winning tile drawn', 'Only place to win', 'Three alike of 2 to 8, on the table'])

Results are frozen and typed. What a user typed wrong is a value too: a result whose ``error`` says
place, reason and remedy, and whose figures are None. Only ``parse`` raises, ``mjscore.Refused``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mjscore.hand import Hand as Hand
    from mjscore.hand import TileSet as TileSet
    from mjscore.hand import Win as Win
    from mjscore.notation import parse as parse
    from mjscore.payment import Payment as Payment
    from mjscore.refusal import Refusal as Refusal
    from mjscore.refusal import Refused as Refused
    from mjscore.rulebook import Rulebook as Rulebook
    from mjscore.settlement import Settlement as Settlement
    from mjscore.sheet import ScoreSheet as ScoreSheet
    from mjscore.sheet import Wait as Wait
    from mjscore.tiles import Tile as Tile
    from mjscore.waiting import Waits as Waits

__version__ = "1.0.0"
__all__ = [
    "Hand",
    "Payment",
    "Refusal",
    "Refused",
    "Rulebook",
    "ScoreSheet",
    "Settlement",
    "Tile",
    "TileSet",
    "Wait",
    "Waits",
    "Win",
    "load_rulebook",
    "parse",
    "score",
    "settle",
    "waits",
]

# Loaded when first asked for, so that a command pays only for what it uses.
_HOMES = {
    "Hand": "hand",
    "TileSet": "hand",
    "Win": "hand",
    "parse": "notation",
    "Refusal": "refusal",
    "Refused": "refusal",
    "Rulebook": "rulebook",
    "Payment": "payment",
    "Settlement": "settlement",
    "ScoreSheet": "sheet",
    "Wait": "sheet",
    "Tile": "tiles",
    "Waits": "waiting",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"mjscore.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'mjscore' has no attribute {name!r}")


def load_rulebook(name: str = "harr", options: Mapping[str, object] | None = None) -> Rulebook:
    """The rulebook *name* (one of those shipped, or a TOML file) under *options*. Raises Refused."""
    from mjscore.rulebook import bind

    return bind(name, options)


def score(
    hand: str | Hand,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round: str | None = None,
) -> ScoreSheet:
    """The score sheet of a hand: its items in points, its doubles, its final score in points.

    *seat* and *round* (``E S W N``) hold where the hand does not say; East is the default of both.
    A hand that is refused gives a sheet whose ``error`` says why.
    """
    from mjscore.scoring import score_text

    return score_text(hand, rulebook, options, seat, round)


def waits(
    hand: str | Hand,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round: str | None = None,
) -> Waits:
    """The tiles that would complete a hand of thirteen, each with its score in points, drawn and claimed."""
    from mjscore.waiting import waits_text

    return waits_text(hand, rulebook, options, seat, round)


def settle(
    hands: Mapping[str, int | str | Hand | None],
    winner: str | None = None,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    discarder: str | None = None,
    drawn: bool | None = None,
    round: str | None = None,
    label: str | None = None,
) -> Settlement:
    """Who pays whom after a hand, in points.

    *hands* gives each seat's score, its hand (text or parsed), or None for a dead hand. *winner* is the
    seat that won (told by the hand with a winning tile where there is one); *discarder* who discarded
    the winning tile, *drawn* that it was drawn, where the rulebook asks. The nets sum to zero.
    """
    from mjscore.settlement import settle_hands

    return settle_hands(
        hands, winner, rulebook, options, discarder=discarder, drawn=drawn, round_wind=round, label=label
    )
