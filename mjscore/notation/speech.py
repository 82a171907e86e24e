"""Building a hand from the pieces of a typed line: its sets and tiles, where they are, and how it was won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, groupby
from typing import Any, NamedTuple

from lark import Transformer

from mjscore.game.hand import Flag, quote_name
from mjscore.game.tiles import Tile, format_tiles
from mjscore.notation.hand_builder import laid, read_tiles, run_of
from mjscore.notation.lexer import Piece
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Place, Refusal, refuse

_tiles = lru_cache(maxsize=1 << 13)(read_tiles)


class Part(NamedTuple):
    """Tiles that were typed together.

    *text* is their strict text, *bracket* is ``(`` on the table, ``[`` declared, ``?`` for a kong that may be either;
    *set* is the kind of set that they were called, *state* exposed or concealed, of a hand told in words.
    """

    text: str
    tiles: tuple[Tile, ...]
    start: int
    end: int
    bracket: str = ""
    set: str = ""
    state: str = ""
    asked: tuple[Refusal, ...] = ()
    added: tuple[Tile, ...] | None = None

    def within(self, brackets: str) -> Part:
        """Return the part with *brackets*, such as ``()``, put around its text."""
        return self._replace(text=f"{brackets[0]}{self.text}{brackets[1]}", bracket=brackets[0])


class Ending(NamedTuple):
    """How a hand ended: the winning tile's *sign*, the *tile* as typed, the *stated* set.

    *said* are further pieces: a ``FLAG``, or ``WHO`` discarded. An ending that is absent is false.
    """

    start: int = 0
    end: int = 0
    sign: str = ""
    tile: Part | None = None
    stated: Part | None = None
    said: tuple[Piece, ...] = ()

    def __bool__(self) -> bool:
        return self.end > 0

    def of(self, kind: str) -> list[Any]:
        """Return the values of the further pieces of one *kind*."""
        return [piece.value for piece in self.said if piece.kind == kind and piece.value]


class Typed(NamedTuple):
    """A typed hand in one reading: its *seat* and *round*, its *parts*, its *ending*."""

    seat: Piece | None
    round: str | None
    parts: tuple[Part, ...]
    ending: Ending

    @property
    def asked(self) -> tuple[Refusal, ...]:
        """Return the questions raised by its pieces."""
        of_parts = [part.asked for part in (*self.parts, self.ending.tile) if part is not None]
        return (*questions([self.seat]), *chain(*of_parts), *questions(self.ending.said))


Spanned = Piece | Part | Ending


def questions(pieces: Iterable[Piece | None]) -> tuple[Refusal, ...]:
    """Return the questions raised by *pieces*."""
    return tuple(piece.asked for piece in pieces if piece is not None and piece.asked)


def place_in(first: Spanned, last: Spanned | None = None) -> Place:
    """Return the place from *first* to *last*; the caller adds the line."""
    return Place("", first.start, (last or first).end)


class Speech(Transformer):  # type: ignore[type-arg]
    """Turns the rules of ``speech.lark`` into parts of a hand. Lark calls a method for each rule, on every open way.

    The same can be said in many orders, so methods identify their children by kind and not by position.
    """

    def hand(self, children: list[Any]) -> Typed:
        (seat, round_wind), *rest = children
        return Typed(seat, round_wind, *rest, *[(), Ending()][len(rest) :])

    def head(self, children: list[Piece]) -> tuple[Piece | None, str | None]:
        if not children:
            return None, None
        pieces = _by_kind(children)
        return pieces["SEAT"]._replace(end=children[-1].end), getattr(pieces.get("ROUND"), "value", None)

    def several(self, children: list[Any]) -> tuple[Any, ...]:
        """Return the children as one tuple: those already in a tuple, and the last one."""
        *before, item = children
        return (*before[0], item) if before else (item,)

    inside = tail = several

    def held(self, children: list[Any]) -> tuple[Part, ...]:
        *before, item = children
        parts: tuple[Part, ...] = before[0] if before else ()
        if isinstance(item, Piece):  # a slash
            return tuple(_laid(parts))
        return (*parts, item)

    def tiles(self, children: list[Any]) -> Part:
        """Return tiles of one kind: ``222b``, ``bamboo 2``, ``5b twice``. Raise Refused for ``flower 5``."""
        said = _by_kind(children)
        first, last = children[0], children[-1]
        part: Part | None = said.get("PART")
        if part is None:
            named: Piece = said.get("VALUES") or said.get("TILES") or said["DOTS"]
            bonus = said.get("BONUS")
            if bonus and set(named.value) - set("1234"):
                kind = "flowers" if bonus.value == "f" else "seasons"
                raise refuse("bonus-number", kind, at=place_in(first, last))
            of_class = said.get("SUIT") or bonus
            text = named.value + (of_class.value if of_class else "")
            run = _tiles(text)
            return Part(text, run.tiles + run.bonus, first.start, last.end, asked=questions(children))
        if len(part.tiles) != 1:
            place = place_in(first, last)
            raise refuse("not-a-set", "times", at=place, number=said["TIMES"].value, tiles=part.text)
        tiles = part.tiles * int(said["TIMES"].value)
        return part._replace(text=format_tiles(tiles), tiles=tiles, start=first.start, end=last.end)

    def bracket(self, children: list[Any]) -> Part:
        opening, *inside, closing = children
        if {"(": ")", "[": "]"}[opening.value] != closing.value:
            place = place_in(opening, closing)
            raise refuse("mixed-brackets", at=place, opening=opening.value, closing=closing.value)
        (groups,) = inside or ((),)
        part = _bracketed(groups, opening.value, closing.value)
        asked = tuple(refusal for part in groups for refusal in part.asked)
        return part._replace(start=opening.start, end=closing.end, asked=asked)

    def grown(self, children: list[Any]) -> Part:
        opening, three, _, fourth, closing = children
        if opening.value != "(" or closing.value != ")":
            raise refuse("not-a-grown-four", "brackets", at=place_in(opening, closing))
        values, asked = (three.value, ()) if isinstance(three, Piece) else (three.text, three.asked)
        run = _tiles(values + fourth.text)
        return Part(
            f"({values}+{fourth.text})",
            run.tiles + run.bonus,
            opening.start,
            closing.end,
            "(",
            asked=asked + fourth.asked,
            added=fourth.tiles,
        )

    def win(self, children: list[Any]) -> Ending:
        """Return the ending: sign, winning tile, and the set it completed."""
        sign, tile, *more = children
        stated = _bracketed(more[1]) if more else None
        tile = tile._replace(asked=tile.asked + questions([sign]))
        return Ending(sign.start, children[-1].end, sign.value, tile, stated)

    def ending(self, children: list[Any]) -> Ending:
        """Return how a hand ended: winning tile and words, or flags. Raise Refused if drawn from a player."""
        win, *said = children
        if not isinstance(win, Ending):
            return Ending(win[0].start, win[-1].end, said=win)
        for one in (one for one in said[0] if one.kind == "WHO" and one.value) if said else ():
            if win.sign == "+":
                clause = f"<{win.tile.text if win.tile else ''}:{quote_name(one.value)}"
                raise refuse("drawn-from-a-player", at=place_in(one), clause=clause)
            win = win._replace(end=one.end)
        return win._replace(said=said[0] if said else ())

    def flags(self, children: list[Any]) -> tuple[Piece, ...]:
        *before, piece = children
        return self.several([*before, self.said([piece])])

    def said(self, children: list[Piece]) -> Piece:
        """Return a flag, or the player who discarded."""
        last = children[-1]
        if not last.kind.startswith("FLAG"):
            return last._replace(kind="WHO", start=children[0].start)
        word, named = last.value if last.kind == "FLAG" else (last.value, None)
        return last._replace(kind="FLAG", value=Flag(word, named or None), start=children[0].start)


speech_parser = partial(open_grammar, "speech.lark", ("hand",), Speech)


def _bracketed(groups: Iterable[Part], opening: str = "(", closing: str = ")") -> Part:
    """Return tiles as one part in brackets."""
    text = " ".join(part.text for part in groups)
    tiles = tuple(tile for part in groups for tile in part.tiles)
    return Part(f"{opening}{text}{closing}", tiles, 0, 0, opening)


def _by_kind(children: Iterable[Any]) -> dict[str, Any]:
    """Return *children* by kind, as far as any ``_`` in it; a Part is of the kind ``PART``."""
    return {"PART" if isinstance(child, Part) else child.kind.partition("_")[0]: child for child in children}


def kind_of(part: Part) -> str:
    """Return the kind of set that tiles form; empty if they form none."""
    tiles = part.tiles
    if len(tiles) == 2 and tiles[0] == tiles[1] and not tiles[0].is_bonus:
        return "pair"
    held = laid(run_of(tiles), "(").set
    return held.kind if held is not None else ""


def _laid(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts before a slash as sets on the table, one for each group, or for one tile typed again and again."""
    for alike in (list(same) for _, same in groupby(parts, lambda part: (part.bracket, part.tiles))):
        tiles = tuple(tile for part in alike for tile in part.tiles)
        single = len(alike[0].tiles) == 1 and not (alike[0].bracket or tiles[0].is_bonus)
        text = " ".join(part.text for part in alike)
        yield from _on_table(
            [alike[0]._replace(text=text, tiles=tiles, end=alike[-1].end)] if single else alike
        )


def _on_table(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts as sets on the table. Raises Refused for more than four tiles."""
    for part in parts:
        if part.bracket or not part.tiles or part.tiles[0].is_bonus:
            yield part
        elif len(part.tiles) > 4 and not part.text[-1:].isupper():
            raise refuse("not-a-set", "slash", at=place_in(part), tiles=part.text)
        else:
            # honors without a class letter are divided by kind
            apart = part.text[-1:].isupper()
            for tiles in (tuple(alike) for _, alike in groupby(part.tiles)) if apart else (part.tiles,):
                text = tiles[0].value * len(tiles) if apart else part.text
                # a kong may have been claimed or declared: do not guess
                is_four = len(tiles) == 4 and len(set(tiles)) == 1
                bracket, text = ("?", text) if is_four else ("(", f"({text})")
                yield part._replace(text=text, tiles=tiles, bracket=bracket)
