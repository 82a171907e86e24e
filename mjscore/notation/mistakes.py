"""Say what is wrong where no way to read a typed line goes on: what stands there, and what could have stood there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set

from lark import Token

from mjscore.notation.building import place_of
from mjscore.notation.lexer import FLAG, Lattice, Piece
from mjscore.notation.ways import Ways
from mjscore.refusal import Refused, visible, whole

_TILES = frozenset(
    ["TILES", "VALUES", "OPEN", "GLUED", "DOTS", "SUIT_OF", "BONUS", "SET_OF", "STATE_OF", "TIMES_OF"]
)
_AWAITING_A_TILE = frozenset(["PLUS", "LESS", "SIGN_OF", "WIN_OF"])
_AWAITING_A_CLASS = frozenset(["VALUES", "PLURAL_NUMBER"])
_OF_A_HEAD = frozenset(["SEAT", "COLON", "AT", "ROUND", "WIN"])
_SEAT = re.compile(r"[^\W\d_]\w*(@\w*)?\s*:")
_WORD = re.compile(r"[^\s()\[\]{}<>+!=:#\",;/]+|.")
_LAST = r"(?![^\W\d_])"  # no letter behind it
_CLASS = r"[bcdfsw](?![^\W_])"
# what is told of what fits: the message's code and kind; its words are the groups of the pattern
_Rows = tuple[tuple[re.Pattern[str], str, str], ...]
# signs that stand only somewhere else
_ELSEWHERE: _Rows = (
    (re.compile(r"[)\]}]"), "stray-bracket", ""),
    (re.compile(r"=(?:.*\S)?", re.DOTALL), "expected-alone", ""),
    (re.compile('"'), "stray-quote", ""),
    (re.compile(r"@(?:(?=[^\W\d_])[^\s()\[\]{}<>+!=:#\",;/]+)?"), "stray-round", ""),
    (re.compile(":"), "stray-colon", ""),
    (FLAG, "no-tiles-before-flag", ""),
    (re.compile("!"), "empty-flag", ""),
)
# digits and letters that are no tiles
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


def _first_that_fits(rows: _Rows, lattice: Lattice, start: int) -> Refused | None:
    """Refuse what stands at *start* by the first row of a table whose pattern fits; None where none does."""
    for pattern, code, kind in rows:
        found = pattern.match(lattice.text, start)
        if found:
            start, end = found.span()
            return lattice.refused(code, start, end, kind, tiles=found[0].lower(), **found.groupdict())
    return None


def fault_of(ways: Ways, lattice: Lattice) -> Refused | None:
    """Give the refusal of a line that no way read to its end, at the furthest place that any came to; None where one did."""
    if ways.read:
        return None
    if ways.refused:
        return ways.refused[0]
    waiting = _AWAITING_A_CLASS | _AWAITING_A_TILE
    before = max(
        (way.pieces for way in ways.open),
        key=lambda pieces: (bool(pieces) and pieces[-1].kind in waiting, len(pieces)),
        default=(),
    )
    if ways.furthest < lattice.end:
        there = frozenset(piece.kind for piece in lattice.at(ways.furthest))
        return (
            _left_open(lattice, before, lattice.text[ways.furthest], there)
            or _in_the_middle(lattice, before, ways.furthest, there)
            or _no_tile(lattice, before, ways)
        )
    left_open = _left_open(lattice, before, "", frozenset())
    if left_open is not None:
        return left_open
    told = [piece for piece in before if piece.kind not in _OF_A_HEAD]
    if not told:
        stripped = whole(lattice.typed)
        return lattice.refused("empty-hand", stripped.start, stripped.end)
    if told[0].kind in _AWAITING_A_TILE:
        return lattice.refused("no-tiles-before-win", told[0].start, before[-1].end)
    return lattice.refused("unknown-character", before[-1].start, before[-1].end, "tile")


def unread(lattice: Lattice, position: int) -> Refused:
    """Give the refusal of what stands at *position*, where nothing more is known."""
    start = min(position, len(lattice.typed))
    end = min(_word_end(lattice.text, start), start + 20)
    return lattice.refused("unknown-character", start, end, "tile")


def _left_open(lattice: Lattice, before: Sequence[Piece], character: str, there: Set[str]) -> Refused | None:
    """Say what the last pieces wait for: values for their class, a sign for its tile, a colon for a player.

    Behind them stands a *character*, or nothing.
    """
    if not before:
        return None
    last, opening = before[-1], _opening(before)
    if last.kind in _AWAITING_A_CLASS:
        return lattice.refused("missing-class", last.start, last.end, values=last.value)
    if last.kind in _AWAITING_A_TILE and (
        character in ("", "!") or there & {"COLON", "FLAG", "PLUS", "LESS", "CLOSE"}
    ):
        sign = "" if last.kind == "WIN_OF" else last.value
        kind = "grown" if opening is not None else "sign"
        return lattice.refused("win-without-tile", last.start, last.end, kind, sign=sign)
    if last.kind in ("COLON", "FROM") and len(before) > 2 and not character.isalpha():
        word = "the colon" if last.kind == "COLON" else visible(lattice.typed[last.start : last.end])
        return lattice.refused("claimed-from-nobody", last.start, last.end, sign=word)
    ends_it = character in ("", "=", "#", "!") or there & {"OPEN", "GLUED", "PLUS", "LESS", "FLAG", "COLON"}
    if opening is not None and ends_it:
        closing = {"(": ")", "[": "]"}[opening.value]
        return lattice.refused("open-bracket", opening.start, opening.end, closing=closing)
    return None


def _opening(pieces: Iterable[Piece]) -> Piece | None:
    """Give the bracket that is open behind *pieces*."""
    brackets = [piece for piece in pieces if piece.kind in ("OPEN", "GLUED", "CLOSE")]
    return brackets[-1] if brackets and brackets[-1].kind != "CLOSE" else None


def _in_the_middle(lattice: Lattice, before: Sequence[Piece], start: int, there: Set[str]) -> Refused | None:
    """Say why what stands there cannot, where it is well formed and in the wrong place; None where it is no such thing."""
    text, last = lattice.text, before[-1] if before else None
    kinds = {piece.kind for piece in before}
    won = any(
        piece.kind in ("PLUS", "LESS", "SIGN", "SIGN_OF", "WIN_OF", "FROM")
        and _opening(before[:number]) is None
        for number, piece in enumerate(before)
    )
    flagged = not kinds.isdisjoint(("FLAG", "FLAG_WORD"))
    if text[start] == ":" and last is not None and last.kind == "TILES" and not won:
        typed = lattice.typed[last.start : last.end]
        names = ("e", "s", "w", "n", "east", "south", "west", "north")
        if typed.casefold() in names or (len(before) > 1 and typed[-1] in "ESN"):
            seat = max(last.start, last.end - 1) if typed.isupper() else last.start
            return lattice.refused("second-seat", seat, start + 1)
    elsewhere = _first_that_fits(_ELSEWHERE, lattice, start)
    if elsewhere is not None:
        return elsewhere
    head = _SEAT.match(text, start)
    if head and kinds <= {"SEAT", "COLON"}:
        return lattice.refused("second-seat" if kinds else "bad-seat", start, head.end())
    if there & {"PLUS", "LESS"}:
        clause = _word_end(text, start + 1) if text[start + 1 : start + 2].strip() else start + 1
        if won:
            return lattice.refused("second-win", start, clause, "tile")
        return lattice.refused("after-flags" if flagged else "no-tiles-before-win", start, clause)
    if not there & _TILES:
        return None
    if won or flagged:
        tiles = max(piece.end for piece in lattice.at(start) if piece.kind in _TILES)
        return lattice.refused("tiles-after-win" if won else "after-flags", start, tiles)
    return lattice.refused("unknown-character", last.start, last.end, "beside") if last is not None else None


def _word_end(text: str, start: int) -> int:
    word = _WORD.match(text, start)
    return word.end() if word else start


def _no_tile(lattice: Lattice, before: Sequence[Piece], ways: Ways) -> Refused:
    """Say what is wrong with letters and digits that are no tiles."""
    start = ways.furthest
    wrong = _first_that_fits(_NO_TILES, lattice, start)
    if wrong is not None:
        return wrong
    claimed = "WHOLE_NAME" in ways.expected and any(piece.value == "<" for piece in before)
    if before and (before[-1].kind in ("FROM", "COLON") or claimed) and lattice.text[start].isalpha():
        return lattice.refused("no-such-seat", start, _word_end(lattice.text, start))
    return unread(lattice, start)


def looseness(line: Iterable[Token], lattice: Lattice) -> Refused:
    """Give the strict notation's refusal of a *line* that people may type otherwise: of the first thing that it minds."""
    text, position = lattice.typed, 0
    for token in sorted(line, key=lambda token: place_of(token).start):
        start, end = place_of(token).start, token.end_pos or 0
        between = _stray(lattice, position, start)
        if between is not None:
            return between
        typed = text[start:end]
        if typed.replace(" ", "") != token.value.replace(" ", ""):
            return _loosely_typed(lattice, typed, token.value, start)
        position = max(position, end)
    stray = _stray(lattice, position, len(text))
    return stray or lattice.refused("unknown-character", 0, _word_end(text, 0), "tile")


def _stray(lattice: Lattice, start: int, end: int) -> Refused | None:
    """Refuse what stands between two tokens and is no blank."""
    rest = lattice.typed[start:end].lstrip(" \t:")
    if not rest:
        return None
    stray = end - len(rest)
    code, kind = ("comma", "") if rest[0] in ",;" else ("unknown-character", "tile")
    return lattice.refused(code, stray, _word_end(lattice.typed, stray), kind)


def _loosely_typed(lattice: Lattice, typed: str, value: str, start: int) -> Refused:
    """Say what is loose about what was *typed* for a token's *value*."""
    if value.startswith("!") or value.endswith(":"):
        code = "unknown-flag" if value.startswith("!") else "bad-seat"
        return lattice.refused(code, start, start + len(typed))
    text = lattice.typed
    pairs = enumerate(zip(typed, value, strict=False))
    same = next((place for place, (one, other) in pairs if one != other), 0)
    begin = start + same
    while begin > start and text[begin - 1].isdigit():
        begin -= 1
    upper = re.compile(r"[1-9]+[BCDFS](?![a-z])").match(text, begin)
    if upper:
        return lattice.refused("upper-case-class", begin, upper.end(), tiles=upper[0].lower())
    honors = re.compile(r"[eswnrg]+(?:[wd](?![a-z]))?").match(text, begin)
    if honors and honors[0].upper()[:1] == value[same : same + 1]:
        shown = honors[0]
        has_class = re.fullmatch("[eswn]+w|.+d", shown)
        written = shown[:-1].upper() + shown[-1] if has_class else shown.upper()
        return lattice.refused("lower-case-honor", begin, honors.end(), tiles=written)
    letters = re.compile(r"[0-9]+[^\W\d_]").match(text, begin)
    wrong = _first_that_fits(_NO_TILES, lattice, begin) if letters else None
    return wrong or lattice.refused("unknown-character", begin, _word_end(text, begin), "tile")
