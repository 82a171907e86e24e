"""Every way to read a line's pieces by a grammar: none is dropped, and too many are refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from mjscore.notation.lexer import Lattice, Piece
from mjscore.refusal import Refused, refuse

MOST_WAYS = 64  # open at one place; what people type has four at most


class Way(NamedTuple):
    """One way to read the beginning of a line: Lark's *state*, the last *piece* and the way *before* it."""

    state: Any  # an InteractiveParser, which is not typed
    piece: Piece | None = None
    before: Way | None = None

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give its pieces in their order."""
        return (*self.before.pieces, self.piece) if self.before is not None and self.piece is not None else ()

    def accepted(self) -> Iterator[str]:
        """Give the kinds of pieces that may follow; Lark's own copies its lexer for each, which costs twice as much."""
        silent = copy(self.state.parser_state.parse_conf)
        silent.callbacks = {}  # nothing is built of a piece that is only tried
        for kind in filter(str.isupper, self.state.choices()):
            state = self.state.parser_state.copy(deepcopy_values=False)
            state.parse_conf = silent
            with suppress(UnexpectedInput):
                state.feed_token(Token(kind, ""), kind == "$END")
                yield kind


class Ways(NamedTuple):
    """What was *read*: the value of the start rule for each way that reached the end.

    *furthest* is how far any way came, *open* are the ways that came there, and *refused* the refusals that ended them.
    """

    read: tuple[Any, ...]
    refused: tuple[Refused, ...]
    furthest: int
    open: tuple[Way, ...]

    @property
    def expected(self) -> frozenset[str]:
        """Give the kinds of pieces that could have stood where the furthest way ended."""
        return frozenset(kind for way in self.open for kind in way.accepted())


def read_ways(parser: Lark, start: str, lattice: Lattice) -> Ways:
    """Read the pieces of a line by the rule *start*. Raises Refused where more ways are open than anybody means."""
    here = [Way(parser.parse_interactive("", start=start))]
    ahead: dict[int, list[Way]] = dict.fromkeys(lattice.starts(0), here)
    refused: list[tuple[int, Refused]] = []
    read: list[Any] = []
    furthest = 0
    while ahead:
        furthest = min(ahead)
        here = ahead.pop(furthest)
        if len(here) > MOST_WAYS:
            raise refuse(
                "too-many-readings",
                "this can be read in too many ways",
                "type the tiles with their letters, as in 123b 55c EEE +5c",
                at=lattice.place(furthest, lattice.end),
            )
        if furthest == lattice.end:
            for way in here:
                try:
                    read.append(_copy(way.state).feed_eof())
                except UnexpectedInput:
                    continue
                except Refused as no_hand:
                    refused.append((furthest, _in_line(no_hand, lattice)))
            break
        for piece in lattice.at(furthest):
            for way in here:
                if piece.kind not in way.state.choices():
                    continue
                state = _copy(way.state)
                try:
                    state.feed_token(piece)
                except UnexpectedInput:
                    continue
                except Refused as no_part:
                    refused.append((furthest, _in_line(no_part, lattice)))
                    continue
                onward = Way(state, piece, way)
                for position in lattice.starts(piece.end):
                    ahead.setdefault(position, []).append(onward)
    ended = tuple(one for position, one in refused if position == furthest)
    return Ways(tuple(read), ended, furthest, tuple(here))


def _copy(state: Any) -> Any:
    """Copy a state of the parser, but not its lexer, which is not asked here and costs as much again."""
    return type(state)(state.parser, state.parser_state.copy(deepcopy_values=False), state.lexer_thread)


def _in_line(refused: Refused, lattice: Lattice) -> Refused:
    """Give a builder's refusal with the line that it did not know."""
    return Refused(refused.refusal._replace(text=lattice.typed))
