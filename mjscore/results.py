"""Results for Python programs: score sheets, settlements and readings, with text, drawings and JSON."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from textwrap import indent
from typing import Any, NamedTuple, Self, cast

from mjscore.game.hand import Hand, TileSet
from mjscore.game.tiles import Tile
from mjscore.notation.hands import parse
from mjscore.refusal import Refusal, Refused
from mjscore.rulebook.binding import rulebook_of
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring import sheet as scoring
from mjscore.scoring.sheet import Claim, Doubling, Item
from mjscore.settling import settlement as settling
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Frozen

_LINES: dict[str, type] = {"items": Item, "doubling": Doubling, "additions": Item, "claims": Claim}
WIDTH = 100  # columns


class ScoreSheet(scoring.ScoreSheet):
    """What ``score`` returns: a ``ScoredSheet``, or a ``RefusedSheet`` whose *error* says why there is none.

    *points* is the sum of the items, before doubling; *doubles* the number of doublings; *additions* are
    points added after doubling; *counted* is the score so counted; *score* is the final score, after the
    limit and any special hand; *remarks* mention what is present but counts for nothing. *limit* names the
    rule that set the score in place of counting (``"limit"`` if merely capped). *book* is the rulebook.

    >>> sheet = mjscore.score("S: (RRR) GGG 11b 22b 3f ...")
    >>> f"{sheet.points} points, {sheet.doubles} doubles: {sheet.score}"
    '12 points, 2 doubles: 48'
    """

    _book: Rulebook | None = None

    @property
    def book(self) -> Rulebook:
        """The rulebook with its options. Raises ValueError if refused, or from JSON without these."""
        if self._book is None:
            fault = f"nothing tells the rulebook {self.rulebook} and its options: name it to from_json"
            raise ValueError(fault)
        return self._book

    def _replace(self, **changed: Any) -> Self:
        return cast(Self, self.of(super()._replace(**changed), self._book))

    @classmethod
    def of(cls, sheet: scoring.ScoreSheet, book: Rulebook | None = None) -> "ScoredSheet | RefusedSheet":
        """Return the scorer's *sheet*, made by *book*, as a ``ScoredSheet`` or ``RefusedSheet``."""
        made = (RefusedSheet if sheet.error is not None else ScoredSheet)(*sheet)
        vars(made)["_book"] = book if sheet.error is None else None
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a score sheet cannot be changed; _replace makes another")

    def render(self, width: int = WIDTH, tiles: str = "plain", colour: bool = False) -> str:
        """Return the text of ``mjscore score``, *width* columns wide; *tiles* is plain, unicode or boxed.

        >>> mjscore.score("S: (RRR) ...").render().splitlines()[0]
        "South, East round  Harr's Pung Chow, part I"
        """
        from mjscore.page.sheets import show_sheet
        from mjscore.page.text import Style
        from mjscore.page.tile_styles import render_tiles

        if self.error is not None:
            return self.error.render(width)
        shown = indent(render_tiles(self, tiles, width - 2), "  ") if self.hand is not None else ""
        return show_sheet(self, self.book, Style(width, colour), shown)

    def __str__(self) -> str:
        return self.render()

    def picture(self) -> str | None:
        """Return the hand and its sheet drawn as SVG; None if the hand was refused or is not known."""
        from mjscore.page.drawings import draw_sheet

        return draw_sheet(self, self.book) if self.error is None and self.hand is not None else None

    _repr_svg_ = picture

    def _repr_html_(self) -> str:
        return self.picture() or _preformatted(self.render())

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of ``mjscore score``, with options and all else that ``from_json`` needs."""
        hand = str(self.hand) if self.hand is not None else None
        besides = {"hand": hand, "special": self.special, "dead": self.dead}
        return {**super().as_json(), "options": self._book.settings if self._book else {}, **besides}

    @classmethod
    def from_json(
        cls, told: Mapping[str, Any], rulebook: str | Rulebook | None = None
    ) -> "ScoredSheet | RefusedSheet":
        """Return the sheet in the JSON object *told*, not scored anew. Raises ValueError if it is no sheet.

        The JSON has only the id of a *rulebook* that is a file, and JSON of ``check`` does not have the
        options: pass the rulebook if such a sheet is to be shown.

        >>> sheet = mjscore.score("S: (RRR) GGG 11b 22b 3f ...")
        >>> mjscore.ScoreSheet.from_json(sheet.as_json()) == sheet
        True
        """
        try:
            hand, book = None, None
            with suppress(Refused):  # a refused line of check
                hand = parse(told["hand"]) if told.get("hand") else None
            values = {name: told[name] for name in cls._fields if name in told}
            values |= {name: tuple(kind(**one) for one in told[name]) for name, kind in _LINES.items()}
            values |= {"sets": _sets(told["sets"], hand), "remarks": tuple(told["remarks"]), "hand": hand}
            values["error"] = Refusal.from_json(told["error"]) if told["error"] else None
            sheet = scoring.ScoreSheet(**values)
            with suppress(Refused):  # raised later, if the sheet is shown
                if rulebook is not None or "options" in told:
                    book = rulebook_of(rulebook or sheet.rulebook, told.get("options"))
            return cls.of(sheet, book)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"this is not the JSON object of a score sheet: {error!r}") from None


def _sets(objects: Iterable[Mapping[str, Any]], hand: Hand | None) -> tuple[TileSet, ...]:
    """Return the sets in a sheet's JSON *objects*; sets on the table get their origin from its *hand*."""
    laid = {one._replace(origin="hand"): one for one in (hand.sets if hand is not None else ())}
    tiles = [Tile.parse(one["tiles"][0] + one["tiles"][-1]) for one in objects]
    sets = [
        TileSet(one["kind"], tile, one["exposed"], completed=one.get("completed", False))
        for one, tile in zip(objects, tiles, strict=True)
    ]
    return tuple(laid.get(one, one) for one in sets)


class ScoredSheet(ScoreSheet):
    """The sheet of a scored hand: type checkers know that it has figures and no *error*.

    >>> mjscore.score("S: (RRR) GGG 11b 22b 3f ...").score + 2
    50
    """

    seat: str
    round: str
    won: bool
    score: int
    points: int
    doubles: int
    counted: int
    error: None


class RefusedSheet(ScoreSheet):
    """The sheet of a refused hand: *error* says where, why and what to type instead; all figures are None.

    >>> mjscore.score("S: 11111b ...").error.message
    'a fifth 1 bamboo: there are only four of a kind'
    """

    score: None
    error: Refusal


class Settlement(settling.Settlement):
    """Who pays whom after a hand, in points; *error* says why there is no settlement.

    *scores* are the seats' scores after the limit; *net* is what each seat wins or (negative) loses, in sum
    zero; *sheets* are the score sheets of the seats whose hands were given; *remarks* explain unusual
    payments; *by* is the seat that called a false win.

    >>> settlement = mjscore.settle({"E": 480, "S": 64, "W": 272, "N": 16}, winner="E")
    >>> settlement.payments[0], settlement.net["E"]
    (Payment(payer='S', payee='E', points=960, reason="the winner's score"), 2880)
    """

    __slots__ = ()
    sheets: Mapping[str, ScoreSheet]

    @classmethod
    def of(cls, settlement: settling.Settlement, book: Rulebook | None = None) -> "Settlement":
        """Return a settlement by ``settling`` as a ``mjscore.Settlement``; *book* scored its sheets."""
        sheets = Frozen({seat: ScoreSheet.of(sheet, book) for seat, sheet in settlement.sheets.items()})
        scores, net = Frozen(settlement.scores), Frozen(settlement.net)
        return cls(*settlement._replace(sheets=sheets, scores=scores, net=net))

    def render(self, width: int = WIDTH, names: Mapping[str, str] | None = None, colour: bool = False) -> str:
        """Return the text of ``mjscore settle``, calling players by their *names* where given."""
        from mjscore.page.sheets import show_settlement
        from mjscore.page.text import Style

        if self.error is not None:
            return self.error.render(width)
        return show_settlement(self, names or {}, Style(width, colour))

    def __str__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        return _preformatted(self.render())

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of ``mjscore settle``, with all else that ``from_json`` needs."""
        sheets = {seat: sheet.as_json() for seat, sheet in self.sheets.items()}
        return {**super().as_json(), "drawn": self.drawn, "by": self.by, "sheets": sheets}

    @classmethod
    def from_json(cls, told: Mapping[str, Any], rulebook: str | Rulebook | None = None) -> "Settlement":
        """Return the settlement in the JSON object *told*. Raises ValueError if *told* is no settlement.

        >>> settlement = mjscore.settle({"E": 480, "S": 64, "W": 272, "N": 16}, winner="E")
        >>> mjscore.Settlement.from_json(settlement.as_json()) == settlement
        True
        """
        try:
            values = {name: told[name] for name in cls._fields if name in told}
            paid = [Payment(one["from"], one["to"], one["points"], one["for"]) for one in told["payments"]]
            given = told.get("sheets", {}).items()
            sheets = {seat: ScoreSheet.from_json(one, rulebook) for seat, one in given}
            values |= {"discarder": told["from"], "payments": tuple(paid), "remarks": tuple(told["remarks"])}
            values |= {"sheets": Frozen(sheets), "scores": Frozen(told["scores"]), "net": Frozen(told["net"])}
            values["error"] = Refusal.from_json(told["error"]) if told["error"] else None
            return cls(**values)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"this is not the JSON object of a settlement: {error!r}") from None


class Reading(NamedTuple):
    """What ``read`` made of a text.

    *typed* is the text, *hand* the hand, *text* the hand in strict notation; *remarks* tell what was assumed.

    >>> mjscore.read("w 123b 444c eee / 77d 67c <8c:e").text
    'W: (123b) (444c) (EEE) 77d 67c <8c:E'
    """

    typed: str
    hand: Hand
    text: str
    remarks: tuple[str, ...] = ()
    error: None = None


class RefusedReading(NamedTuple):
    """A text that is not a hand, or may be two.

    *error* says why, or asks which is meant; *choices* are lines to offer, all readable.

    >>> mjscore.read("123b 444c eee 77d 67c 8c").error.code
    'two-readings'
    """

    typed: str
    error: Refusal
    choices: tuple[str, ...] = ()
    hand: None = None


def _preformatted(text: str) -> str:
    from html import escape

    return f"<pre>{escape(text)}</pre>"
