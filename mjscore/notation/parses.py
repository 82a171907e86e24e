"""Finding every way to read a line's pieces by a grammar; a line with too many is refused.

If no way reaches the end, the faults say what is wrong: what was found, and what could have followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import product
from typing import Any, NamedTuple

from lark import Lark
from lark.exceptions import UnexpectedInput

from mjscore.notation.hand_builder import Written
from mjscore.notation.lexer import FLAG, Lattice, Piece
from mjscore.notation.parsers import END, fed, reader_of_tokens
from mjscore.notation.reading import at_its_place
from mjscore.refusal import Refused, escape_controls, refuse, whole

MOST_WAYS = 64  # at one position; typed lines have at most four
_TILES = frozenset(["TILES", "VALUES", "OPEN", "GLUED", "DOTS", "SUIT_OF", "BONUS", "TIMES_OF"])
_AWAITING_A_TILE = frozenset(["PLUS", "LESS"])
_AWAITING_A_CLASS = frozenset(["VALUES"])
_OF_A_HEAD = frozenset(["SEAT", "COLON", "AT", "ROUND"])
_SEAT = re.compile(r"[^\W\d_]\w*(@\w*)?\s*:")
_WORD = re.compile(r"[^\s()\[\]{}<>+!=:#\",;/]+|.")
_LAST = r"(?![^\W\d_])"  # not followed by a letter
_CLASS = r"[bcdfsw](?![^\W_])"
# pattern, code and kind of the message; the groups of the pattern are the words of the message
_Rows = tuple[tuple[re.Pattern[str], str, str], ...]
# signs that belong somewhere else
_ELSEWHERE: _Rows = (
    (re.compile(r"[)\]}]"), "stray-bracket", ""),
    (re.compile(r"=(?:.*\S)?", re.DOTALL), "expected-alone", ""),
    (re.compile('"'), "stray-quote", ""),
    (re.compile(r"@(?:(?=[^\W\d_])[^\s()\[\]{}<>+!=:#\",;/]+)?"), "stray-round", ""),
    (re.compile(":"), "stray-colon", ""),
    (FLAG, "no-tiles-before-flag", ""),
    (re.compile("!"), "empty-flag", ""),
)
# digits and letters that are not tiles
_NO_TILES: _Rows = (
    (re.compile(r"(?=[0-9]*0)[0-9]+[^\W\d_]?"), "no-zero", ""),
    (re.compile(rf"[0-9]+S{_LAST}"), "upper-case-class", ""),
    (re.compile(rf"[0-9]+f{_LAST}"), "bonus-number", "flowers"),
    (re.compile(rf"[0-9]+s{_LAST}"), "bonus-number", "seasons"),
    (re.compile(r"(?P<values>[0-9]+)(?=(?i:[eswnrg]+[bcdfsw]?)(?![^\W_]))"), "missing-class", ""),
    (re.compile(r"[0-9]+(?P<letter>[^\s0-9()\[\]+<>!=#/,;.:\"…])"), "unknown-class", ""),
    (re.compile(r"(?P<values>[0-9]+)"), "missing-class", ""),
    (re.compile(rf"(?P<values>[ESN]+){_CLASS}"), "class-mismatch", "winds"),
    (re.compile(rf"(?P<values>[RG]+){_CLASS}"), "class-mismatch", "dragons"),
    (re.compile(rf"(?P<values>W+){_CLASS}"), "class-mismatch", "either"),
    (re.compile(rf"[ESWNRG]+{_CLASS}"), "class-mismatch", "both"),
    (re.compile(r"(?P<letter>w)(?![^\W_])"), "stray-class", "wind"),
    (re.compile(r"(?P<letter>[fs])(?![^\W_])"), "stray-class", "number"),
    (re.compile(r"(?P<letter>[bcd])(?![^\W_])"), "stray-class", "value"),
)
_OTHERWISE: _Rows = ((re.compile(r"[1-9]+[BCDFS](?![a-z])"), "upper-case-class", ""), *_NO_TILES)


class Way(NamedTuple):
    """A way to read a line's beginning: Lark's *parser* there, *pieces*, the way *before* the last piece."""

    parser: Any  # an InteractiveParser, whose methods are untyped
    pieces: tuple[Piece, ...] = ()
    before: Way | None = None

    def after(self, piece: Piece) -> Way:
        """Return the way continued by a piece. Raises UnexpectedInput, and Refused if the pieces are impossible."""
        return Way(fed(self.parser, piece), (*self.pieces, piece), self)

    def ended(self) -> Any:
        """Return the value of the line if it ends here. Raises as ``after`` does."""
        return fed(self.parser, END)


class Ways(NamedTuple):
    """All readings of a line: *read* has the value of the start rule for each way that reached the end.

    *furthest* is the position that any way reached, *open* are the ways that reached it, *refused* the refusals that
    ended them.
    """

    read: tuple[Any, ...]
    refused: tuple[Refused, ...]
    furthest: int
    open: tuple[Way, ...]

    @property
    def expected(self) -> frozenset[str]:
        """Return the kinds of pieces that could have followed at the furthest position."""
        return frozenset().union(*(way.parser.accepts() for way in self.open))


def read_ways(parser: Lark, start: str, lattice: Lattice) -> Ways:
    """Read the pieces of a line by the rule *start*. Raises Refused if there are too many ways."""
    here = [Way(reader_of_tokens(parser, start))]
    ahead = {position: [*here] for position in lattice.starts(0)}
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
                elif piece.kind in way.parser.choices():  # others cannot follow
                    onward = way.after(piece)
                    for position in lattice.starts(piece.end):
                        ahead.setdefault(position, []).append(onward)
            except UnexpectedInput:
                continue
            except Refused as no_part:  # raised by a builder, which does not know the line
                refusal = no_part.refusal
                if isinstance(refusal.about, Written):
                    refusal = at_its_place(refusal, lattice.typed, ())
                refused.append(Refused(refusal._replace(text=lattice.typed)))
        if furthest == lattice.end:
            break
    return Ways(tuple(read), tuple(refused), furthest, tuple(here))


def faults_of(ways: Ways, lattice: Lattice) -> tuple[Refused, ...]:
    """Return the refusals that ended the furthest ways; at least one unless some way reached the end."""
    return ways.refused or (() if ways.read else (next(_faults(ways, lattice)),))


def _faults(ways: Ways, lattice: Lattice) -> Iterator[Refused]:
    """Yield what is wrong at the furthest position, best explanation first."""
    start, waiting = ways.furthest, _AWAITING_A_CLASS | _AWAITING_A_TILE
    before = max(
        (way.pieces for way in ways.open),
        key=lambda pieces: (bool(pieces) and pieces[-1].kind in waiting, len(pieces)),
        default=(),
    )
    at_end = start >= lattice.end
    there = frozenset() if at_end else frozenset(piece.kind for piece in lattice.at(start))
    if before:
        yield from _left_open(lattice, before, lattice.text[start : start + 1], there)
    if not at_end:
        yield from _in_the_middle(lattice, before, start, there)
        claimed = "WHOLE_NAME" in ways.expected and any(piece.value == "<" for piece in before)
        from_whom = claimed or any(piece.kind in ("FROM", "COLON") for piece in before[-1:])
        if from_whom and lattice.text[start].isalpha():
            yield lattice.refused("no-such-seat", start, _word_end(lattice.text, start))
        yield unread(lattice, start)
    told = [piece for piece in before if piece.kind not in _OF_A_HEAD]
    if not told:
        stripped = whole(lattice.typed)
        yield lattice.refused("empty-hand", stripped.start, stripped.end)
    if told[0].kind in _AWAITING_A_TILE:
        yield lattice.refused("no-tiles-before-win", told[0].start, before[-1].end)
    yield lattice.refused("unknown-character", before[-1].start, before[-1].end, "tile")


def unread(lattice: Lattice, position: int) -> Refused:
    """Return the refusal of the text at *position*, when nothing more is known."""
    start = min(position, len(lattice.typed))
    end = min(_word_end(lattice.text, start), start + 20)
    return lattice.refused("unknown-character", start, end, "tile")


def _left_open(
    lattice: Lattice, before: Sequence[Piece], character: str, there: Set[str]
) -> Iterator[Refused]:
    """Yield what the last pieces lack: values their class, a sign its tile, a colon its player.

    The next *character* is empty at the end; *there* are the kinds of pieces that may begin with it.
    """
    last, opening = before[-1], _opening(before)
    if last.kind in _AWAITING_A_CLASS:
        answers = [f"{last.value}{suit}" for suit in "bcd"]
        yield lattice.refused("missing-class", last.start, last.end, values=last.value, answers=answers)
    if last.kind in _AWAITING_A_TILE and (
        character in ("", "!") or there & {"COLON", "FLAG", "PLUS", "LESS", "CLOSE"}
    ):
        kind = "grown" if opening is not None else "sign"
        yield lattice.refused("win-without-tile", last.start, last.end, kind, sign=last.value)
    if (
        last.kind in ("COLON", "FROM")
        and {piece.kind for piece in before} - _OF_A_HEAD
        and not character.isalpha()
    ):
        word = "the colon" if last.kind == "COLON" else escape_controls(lattice.typed[last.start : last.end])
        yield lattice.refused("claimed-from-nobody", last.start, last.end, sign=word)
    ends_it = character in ("", "=", "#", "!") or there & {"OPEN", "GLUED", "PLUS", "LESS", "FLAG", "COLON"}
    if opening is not None and ends_it:
        closing = {"(": ")", "[": "]"}[opening.value]
        yield lattice.refused("open-bracket", opening.start, opening.end, closing=closing)


def _opening(pieces: Iterable[Piece]) -> Piece | None:
    """Return the bracket left open by *pieces*; None if there is none."""
    brackets = [piece for piece in pieces if piece.kind in ("OPEN", "GLUED", "CLOSE")]
    return brackets[-1] if brackets and brackets[-1].kind != "CLOSE" else None


def _in_the_middle(
    lattice: Lattice, before: Sequence[Piece], start: int, there: Set[str]
) -> Iterator[Refused]:
    """Yield why the text at *start* cannot be there: it is in the wrong place, or digits and letters that are not tiles."""
    text, last = lattice.text, before[-1] if before else None
    kinds = {piece.kind for piece in before}
    won = _has_won(before)
    flagged = not kinds.isdisjoint(("FLAG", "FLAG_WORD"))
    if text[start] == ":" and last is not None and last.kind == "TILES" and not won:
        yield from _second_seat(lattice, last, start, len(before) > 1)
    yield from _fitting(_ELSEWHERE, lattice, start)
    head = _SEAT.match(text, start)
    if head and kinds <= {"SEAT", "COLON"}:
        yield lattice.refused("second-seat" if kinds else "bad-seat", start, head.end())
    if there & {"PLUS", "LESS"}:
        clause = _word_end(text, start + 1) if text[start + 1 : start + 2].strip() else start + 1
        if won:
            yield lattice.refused("second-win", start, clause, "tile")
        yield lattice.refused("after-flags" if flagged else "no-tiles-before-win", start, clause)
    if there & _TILES:
        yield from _stray_tiles(lattice, last, start, "tiles-after-win" if won else "after-flags" * flagged)
    yield from _fitting(_NO_TILES, lattice, start)


def _stray_tiles(lattice: Lattice, last: Piece | None, start: int, code: str) -> Iterator[Refused]:
    """Yield why tiles cannot be at *start*: by *code*, if there is one, or because of what is directly before them."""
    if code:
        tiles = max(piece.end for piece in lattice.at(start) if piece.kind in _TILES)
        yield lattice.refused(code, start, tiles)
    if last is not None:
        yield lattice.refused("unknown-character", last.start, last.end, "beside")


def _has_won(pieces: Sequence[Piece]) -> bool:
    """Return whether *pieces* begin a winning tile; a plus sign in brackets belongs to a kong instead."""
    signs = [number for number, piece in enumerate(pieces) if piece.kind in (*_AWAITING_A_TILE, "FROM")]
    return any(_opening(pieces[:number]) is None for number in signs)


def _second_seat(lattice: Lattice, last: Piece, colon: int, follows: bool) -> Iterator[Refused]:
    """Yield the refusal of a wind before a *colon* that was read as a tile, alone or after other tiles (*follows*)."""
    typed = lattice.typed[last.start : last.end]
    names = ("e", "s", "w", "n", "east", "south", "west", "north")
    if typed.casefold() in names or (follows and typed[-1] in "ESN"):
        seat = max(last.start, last.end - 1) if typed.isupper() else last.start
        yield lattice.refused("second-seat", seat, colon + 1)


def _fitting(rows: _Rows, lattice: Lattice, start: int) -> Iterator[Refused]:
    """Yield a refusal of the text at *start* for each row of a table whose pattern matches."""
    for pattern, code, kind in rows:
        found = pattern.match(lattice.text, start)
        if found:
            said: dict[str, Any] = found.groupdict()
            if code == "missing-class":
                said["answers"] = [f"{said['values']}{suit}" for suit in "bcd"]
            yield lattice.refused(code, *found.span(), kind, tiles=found[0].lower(), **said)


def _word_end(text: str, start: int) -> int:
    word = _WORD.match(text, start)
    return word.end() if word else start


def looseness(line: Iterable[Written], lattice: Lattice) -> Iterator[Refused]:
    """Yield refusals of what is not strict in a *line*: text between tokens, tokens typed in another way."""
    text, position = lattice.typed, 0
    places = [(part.start, part.end, part.value) for part in line]
    for start, end, value in sorted([*places, (len(text), len(text), "")]):
        rest = text[position:start].lstrip(" \t:")
        if rest:
            stray = start - len(rest)
            code, kind = ("comma", "") if rest[0] in ",;" else ("unknown-character", "tile")
            yield lattice.refused(code, stray, _word_end(text, stray), kind)
        typed = text[start:end]
        if typed.replace(" ", "") != value.replace(" ", ""):
            yield from _typed_otherwise(lattice, typed, value, start)
        position = max(position, end)
    yield lattice.refused("unknown-character", 0, _word_end(text, 0), "tile")


def _typed_otherwise(lattice: Lattice, typed: str, value: str, start: int) -> Iterator[Refused]:
    """Yield refusals of *typed*, which is not strict and stands for a token's *value*."""
    if value.startswith("!") or value.endswith(":"):
        code = "unknown-flag" if value.startswith("!") else "bad-seat"
        yield lattice.refused(code, start, start + len(typed))
    text = lattice.typed
    pairs = enumerate(zip(typed, value, strict=False))
    same = next((place for place, (one, other) in pairs if one != other), 0)
    begin = start + len(typed[:same].rstrip("0123456789"))
    honors = re.compile(r"[eswnrg]+(?:[wd](?![a-z]))?").match(text, begin)
    if honors and honors[0].upper()[:1] == value[same : same + 1]:
        shown = honors[0]
        has_class = re.fullmatch("[eswn]+w|.+d", shown)
        written = shown[:-1].upper() + shown[-1] if has_class else shown.upper()
        yield lattice.refused("lower-case-honor", begin, honors.end(), tiles=written)
    if re.compile(r"[0-9]+[^\W\d_]").match(text, begin):
        yield from _fitting(_OTHERWISE, lattice, begin)
    yield lattice.refused("unknown-character", begin, _word_end(text, begin), "tile")
