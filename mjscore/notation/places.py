"""Where in a text something stands that a refusal is about."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from mjscore.game.tiles import Tile
from mjscore.notation.parsers import token_parser
from mjscore.notation.tokens import end_of, flag_of, offset_of, seat_of, tile_run, win_of
from mjscore.refusal import About, Refusal


class Span(NamedTuple):
    """A part of a line: the offset of its first character, and how many characters it has."""

    start: int
    length: int


def located(refusal: Refusal, text: str, tokens: Sequence[Token] | None = None) -> Refusal:
    """*refusal* with the place in *text*, a hand or a line of a file, that it is about.

    *tokens* are those that *text* was read as, where it is not the strict notation.
    """
    if not text or refusal.file or refusal.text:
        return refusal
    if refusal.column is None:
        span = _span(refusal.about, text, _tokens(text) if tokens is None else tokens)
        refusal = refusal._replace(column=span.start + 1, length=max(1, span.length))
    return refusal._replace(line=refusal.line or 1, text=text)


_PIECES = ("HEADER", "SEAT_LABEL", "TILES", "GROUP", "SET", "UNLISTED", "DRAWN", "CLAIMED", "FLAG")
_SEATS = ("HEADER", "SEAT_LABEL")
_CLAUSES = ("DRAWN", "CLAIMED")


def _span(about: About | None, text: str, tokens: Iterable[Token]) -> Span:
    """Tell where in *text* its tokens have what a refusal is about; the whole hand where it is about nothing less."""
    pieces = [token for token in tokens if token.type in _PIECES]
    if not pieces:
        return Span(0, len(text))
    fitting = [token for token in pieces if about is not None and _fits(token, about)]
    if about is None or not fitting:
        return _from_to(pieces[0], pieces[-1])
    if about.kind == "clause":
        return _from_to(fitting[0], pieces[-1])
    if about.kind == "seat":
        first = fitting[0]
        if first.type in _SEATS and _is_strict(first):
            return Span(offset_of(first), len(first.value.rstrip(": \t")))
        return _from_to(first, first)
    if about.kind == "tile":
        return _group_with(Tile.parse(about.name), fitting[-1])
    return _from_to(fitting[-1], fitting[-1])


def _tokens(text: str, starts: tuple[str, ...] = ("line", "row")) -> list[Token]:
    """Give the grammar's tokens of *text*, from the first rule that takes it."""
    line = text.replace("\r", " ").replace("\n", " ")
    for start in starts:
        try:
            tree: Tree[Token] = token_parser().parse(line, start=start)
        except UnexpectedInput:
            continue
        return _leaves(tree)
    return []


def _leaves(tree: Tree[Token]) -> list[Token]:
    """List the tokens of *tree*; Lark's own way goes as deep as the line is long, which Python refuses."""
    tokens: list[Token] = []
    ahead: list[Tree[Token] | Token] = [tree]
    while ahead:
        part = ahead.pop()
        if isinstance(part, Token):
            tokens.append(part)
        else:
            ahead += reversed(part.children)
    return tokens


def _from_to(first: Token, last: Token) -> Span:
    return Span(offset_of(first), end_of(last) - offset_of(first))


def _fits(token: Token, about: About) -> bool:
    """Tell whether *token* is, or holds, what a refusal is about."""
    if about.kind == "tile":
        return _holds(Tile.parse(about.name), token)
    if about.kind == "clause":
        return token.type in _CLAUSES
    if about.kind == "set":
        return token.type == "SET" and token.value.rstrip() == about.name
    if token.type == "FLAG":
        return flag_of(token.value)[about.kind == "seat"] == about.name
    if about.kind == "flag":
        return False
    if token.type in _SEATS:
        return seat_of(token.value)[0] == about.name
    return token.type in _CLAUSES and win_of(token.value)[0].discarder == about.name


def _is_strict(token: Token) -> bool:
    """Tell whether *token* was typed as the notation writes it."""
    return token.end_pos is None or token.end_pos - offset_of(token) == len(token.value)


def _holds(tile: Tile, token: Token) -> bool:
    if token.type not in ("TILES", "GROUP", "SET", *_CLAUSES):
        return False
    run = tile_run(_within(token).replace("+", ""))
    return tile in run.tiles + run.bonus


def _within(token: Token) -> str:
    """Give the tiles of a token without sign and brackets, and without set and player after a winning tile."""
    tiles: str = token.value.partition(":")[0]
    if token.type in _CLAUSES:
        tiles = tiles.partition("(")[0]
    return tiles.strip("+<()[] \t")


def _group_with(tile: Tile, token: Token) -> Span:
    """Give the last group in *token* that holds *tile*; all of a token that was typed otherwise than it is written."""
    if not _is_strict(token):
        return _from_to(token, token)
    if token.type == "TILES":
        group = [group for group in _tokens(token.value, ("tiles",)) if _holds(tile, group)][-1]
        return Span(offset_of(token) + offset_of(group), len(group.value))
    return Span(offset_of(token) + token.value.index(_within(token)), len(_within(token)))
