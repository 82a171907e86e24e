"""mjscore: score and settle classical Mah-Jongg by the books of the 1920s.

>>> import mjscore
>>> sheet = mjscore.score("S@E: (222d) (789c) 123b 456b 5c +5c", rulebook="harr")
>>> sheet.score, [item.title for item in sheet.items]
(26, ['Mah-Jongg', 'Winning tile drawn', 'Only place to win', 'Pung of 2 to 8, on the table'])

Results are frozen, typed and printable: ``print(sheet)``. Mistakes of a user are values too: a result whose
``error`` has place, reason and remedy, and whose figures are None. ``parse``, ``load_rulebook``, ``evening``
and ``exchange`` raise ``mjscore.Refused`` instead. Every public name is in README.md beside this file.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mjscore.api import evening, exchange, load_rulebook, parse, read, rulebooks, score, settle, waits
    from mjscore.counters.counter_sets import CounterSet
    from mjscore.counters.exchange import Exchange, Transfer
    from mjscore.evenings import Evening, PlayedHand
    from mjscore.game.hand import Hand, TileSet, Win
    from mjscore.game.tiles import Tile
    from mjscore.record.statistics import Standing
    from mjscore.refusal import Refusal, Refused
    from mjscore.results import Reading, RefusedReading, RefusedSheet, ScoredSheet, ScoreSheet, Settlement
    from mjscore.rulebook.entries import Option
    from mjscore.rulebook.rulebook import Rulebook
    from mjscore.scoring.sheet import Claim, Doubling, Item
    from mjscore.scoring.waits import Wait, Waits
    from mjscore.settling.payment import Payment

__version__ = "2.0.0"
# Loaded on first use, so that a command pays only for what it needs.
_NAMES = {
    "api": "evening exchange load_rulebook parse read rulebooks score settle waits",
    "results": "ScoreSheet ScoredSheet RefusedSheet Settlement Reading RefusedReading",
    "counters.exchange": "Exchange Transfer",
    "counters.counter_sets": "CounterSet",
    "evenings": "Evening PlayedHand",
    "game.hand": "Hand TileSet Win",
    "game.tiles": "Tile",
    "record.statistics": "Standing",
    "refusal": "Refusal Refused",
    "rulebook.entries": "Option",
    "rulebook.rulebook": "Rulebook",
    "scoring.sheet": "Claim Doubling Item",
    "scoring.waits": "Wait Waits",
    "settling.payment": "Payment",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
__all__ = [  # noqa: RUF022
    "evening", "exchange", "load_rulebook", "parse", "read", "rulebooks", "score", "settle", "waits",
    "ScoreSheet", "ScoredSheet", "RefusedSheet", "Settlement", "Reading", "RefusedReading", "Exchange",
    "Transfer", "CounterSet",
    "Evening", "PlayedHand", "Hand", "TileSet", "Win", "Tile", "Standing", "Refusal",
    "Refused", "Option", "Rulebook", "Claim", "Doubling", "Item", "Wait", "Waits", "Payment",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"mjscore.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'mjscore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
