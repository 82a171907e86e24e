"""mjscore: score and settle classical Mah-Jongg by the books of the 1920s.

>>> import mjscore
>>> sheet = mjscore.score("S@E: (222d) (789c) 123b 456b 5c +5c", rulebook="harr")
>>> sheet.score, [item.title for item in sheet.items]
(26, ['Mah-Jongg', 'Winning tile drawn', 'Only place to win', 'Three alike of 2 to 8, on the table'])

Results are frozen and typed. What a user typed wrong is a value too: a result whose ``error`` says
place, reason and remedy, and whose figures are None. ``parse`` and ``load_rulebook`` raise
``mjscore.Refused`` instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mjscore.api import load_rulebook as load_rulebook
    from mjscore.api import parse as parse
    from mjscore.api import score as score
    from mjscore.api import settle as settle
    from mjscore.api import waits as waits
    from mjscore.game.hand import Hand as Hand
    from mjscore.game.hand import TileSet as TileSet
    from mjscore.game.hand import Win as Win
    from mjscore.game.tiles import Tile as Tile
    from mjscore.refusal import Refusal as Refusal
    from mjscore.refusal import Refused as Refused
    from mjscore.rulebook.rulebook import Rulebook as Rulebook
    from mjscore.scoring.sheet import Claim as Claim
    from mjscore.scoring.sheet import Doubling as Doubling
    from mjscore.scoring.sheet import Item as Item
    from mjscore.scoring.sheet import ScoreSheet as ScoreSheet
    from mjscore.scoring.waits import Wait as Wait
    from mjscore.scoring.waits import Waits as Waits
    from mjscore.settling.payment import Payment as Payment
    from mjscore.settling.settlement import Settlement as Settlement

__version__ = "2.0.0"
# Loaded when first asked for, so that a command pays only for what it uses.
_NAMES = {
    "game.hand": ("Hand", "TileSet", "Win"),
    "game.tiles": ("Tile",),
    "settling.payment": ("Payment",),
    "settling.settlement": ("Settlement",),
    "scoring.sheet": ("Claim", "Doubling", "Item", "ScoreSheet"),
    "scoring.waits": ("Wait", "Waits"),
    "refusal": ("Refusal", "Refused"),
    "rulebook.rulebook": ("Rulebook",),
    "api": ("load_rulebook", "parse", "score", "settle", "waits"),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"mjscore.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'mjscore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
