"""Every way to read a line's pieces by a grammar: none is dropped, and too many are refused."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lark import Lark, Token
from lark.exceptions import UnexpectedInput
from lark.lexer import LexerThread
from lark.parsers.lalr_interactive_parser import InteractiveParser

from mjscore.notation.lexer import Lattice, Piece
from mjscore.refusal import Refused, refuse

if TYPE_CHECKING:
    from lark.parsers.lalr_parser_state import ParserState

MOST_WAYS = 64  # open at one place; what people type has four at most


class Way(NamedTuple):
    """One way to read the beginning of a line: Lark's *state*, the last *piece* and the way *before* it."""

    state: ParserState[Any]
    piece: Piece | None = None
    before: Way | None = None

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give its pieces in their order."""
        return (*self.before.pieces, self.piece) if self.before is not None and self.piece is not None else ()

    def after(self, piece: Piece) -> Way:
        """Give the way that goes on with a piece. Raises UnexpectedInput, and Refused for what the pieces cannot be."""
        state = self.state.copy(deepcopy_values=False)
        state.feed_token(cast("Token", piece))  # it has what Lark asks of a token
        return Way(state, piece, self)

    def ended(self) -> Any:
        """Give what the line tells if it ends here. Raises the same."""
        return self.state.copy(deepcopy_values=False).feed_token(Token("$END", ""), is_end=True)

    def choices(self) -> Iterable[str]:
        """Give the kinds of pieces after which it is worth to look on; not all of them may follow."""
        return self.state.parse_conf.states[self.state.position]

    def accepted(self) -> set[str]:
        """Give the kinds of pieces that may follow."""
        parser = InteractiveParser(None, self.state, LexerThread(cast(Any, None), cast(Any, None)))
        return cast("set[str]", parser.accepts())  # type: ignore[no-untyped-call]


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
        return frozenset().union(*(way.accepted() for way in self.open))


def read_ways(parser: Lark, start: str, lattice: Lattice) -> Ways:
    """Read the pieces of a line by the rule *start*. Raises Refused where more ways are open than anybody means."""
    here = [Way(parser.parse_interactive("", start=start).parser_state)]
    ahead: dict[int, list[Way]] = dict.fromkeys(lattice.starts(0), here)
    refused: list[Refused] = []
    read: list[Any] = []
    furthest = 0
    while ahead:
        furthest = min(ahead)
        here = ahead.pop(furthest)
        refused.clear()
        if len(here) > MOST_WAYS:
            raise refuse("too-many-readings", at=lattice.place(furthest, lattice.end))
        pieces = lattice.at(furthest) if furthest < lattice.end else (None,)
        for piece, way in product(pieces, here):
            try:
                if piece is None:
                    read.append(way.ended())
                elif piece.kind in way.choices():
                    onward = way.after(piece)
                    for position in lattice.starts(piece.end):
                        ahead.setdefault(position, []).append(onward)
            except UnexpectedInput:
                continue
            except Refused as no_part:  # by a builder, which does not know the line
                refused.append(Refused(no_part.refusal._replace(text=lattice.typed)))
        if furthest == lattice.end:
            break
    return Ways(tuple(read), tuple(refused), furthest, tuple(here))
