"""Where in a text something stands that a refusal is about."""

from collections.abc import Sequence
from contextlib import suppress

from lark import Token
from lark.exceptions import UnexpectedInput

from mjscore.notation.building import flag_of, place_of, seat_of, tile_run, win_of
from mjscore.notation.parsers import token_parser
from mjscore.refusal import About, Refusal

_SEATS = ("HEADER", "SEAT_LABEL")
_CLAUSES = ("DRAWN", "CLAIMED")
_WITH_TILES = ("TILES", "GROUP", "SET", *_CLAUSES)
_PIECES = (*_SEATS, *_WITH_TILES, "UNLISTED", "FLAG")


def located(refusal: Refusal, text: str, tokens: Sequence[Token] | None = None) -> Refusal:
    """*refusal* with the place in *text*, a hand or a line of a file, that it is about.

    *tokens* are those that *text* was read as, where it is not the strict notation.
    """
    if not text or refusal.file or refusal.text:
        return refusal
    if refusal.column is None:
        pieces = [token for token in tokens or _tokens(text) if token.type in _PIECES]
        start, end = _span(refusal.about, pieces) if pieces else (0, len(text))
        refusal = refusal._replace(column=start + 1, length=max(1, end - start))
    return refusal._replace(line=refusal.line or 1, text=text)


def _span(about: About | None, pieces: Sequence[Token]) -> tuple[int, int]:
    """Tell from where to where what a refusal is about stands; the whole hand where it is about nothing less."""
    fitting = [token for token in pieces if about in _names(token)]
    if about is None or not fitting:
        return place_of(pieces[0]).start, place_of(pieces[-1]).end
    piece = fitting[0] if about.kind in ("seat", "clause") else fitting[-1]
    _, start, end, *_ = place_of(piece)
    if about.kind == "clause":
        return start, place_of(pieces[-1]).end
    if piece.end_pos is not None and piece.end_pos - start != len(piece.value):
        return start, end  # typed otherwise than the notation writes it
    if about.kind == "seat" and piece.type in _SEATS:
        return start, start + len(piece.value.rstrip(": \t"))
    if about.kind != "tile":
        return start, end
    if piece.type == "TILES":
        group = [group for group in _tokens(piece.value, ("tiles",)) if about in _names(group)][-1]
        within = place_of(group)
        return start + within.start, start + within.end
    tiles = _within(piece)
    start += piece.value.index(tiles)
    return start, start + len(tiles)


def _tokens(text: str, starts: tuple[str, ...] = ("line", "row")) -> list[Token]:
    """Give the grammar's tokens of *text*, from the first rule that takes it."""
    line = text.replace("\r", " ").replace("\n", " ")
    for start in starts:
        with suppress(UnexpectedInput):
            reader = token_parser().parse_interactive(line, start=start)
            tokens = list(reader.iter_parse())
            reader.feed_eof()  # type: ignore[no-untyped-call]
            return tokens
    return []


def _names(token: Token) -> list[tuple[str, str | None]]:
    """Give all in *token* that a refusal may be about: kinds and names, as an ``About`` has them."""
    found: list[tuple[str, str | None]] = []
    if token.type in _WITH_TILES:
        run = tile_run(_within(token).replace("+", ""))
        found = [("tile", str(tile)) for tile in run.tiles + run.bonus]
    if token.type in _SEATS:
        found.append(("seat", seat_of(token.value)[0]))
    elif token.type in _CLAUSES:
        found += [("clause", ""), ("seat", win_of(token.value)[0].discarder)]
    elif token.type == "SET":
        found.append(("set", token.value.rstrip()))
    elif token.type == "FLAG":
        found += zip(("flag", "seat"), flag_of(token.value), strict=True)
    return found


def _within(token: Token) -> str:
    """Give the tiles of a token without sign and brackets, and without set and player after a winning tile."""
    tiles: str = token.value.partition(":")[0]
    if token.type in _CLAUSES:
        tiles = tiles.partition("(")[0]
    return tiles.strip("+<()[] \t")
