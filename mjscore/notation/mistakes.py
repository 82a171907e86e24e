"""Say what is wrong where no way to read a typed line goes on: what stands there, and what could have stood there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set

from lark import Token

from mjscore.notation.building import offset_of
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.ways import Ways
from mjscore.refusal import Refused, refuse, visible, whole

# what is said of each fault, {0} being what is marked, and what to type instead; {1} and {2} are told apart below
_SAID = {
    "empty-hand": ("there are no tiles", "type a hand, such as S@E: (222d) 123b 456b EE 7c8c +9c"),
    "missing-class": (
        "{0} lacks its class letter",
        "type {1}b for bamboo, {1}c for characters, {1}d for dots",
    ),
    "no-zero": ("there is no tile {0}: values run from 1 to 9", "type the value that the tile shows"),
    "unknown-class": (
        "there is no class of tiles {1!r}",
        "b bamboo, c characters, d dots; w winds, d dragons; f flowers, s seasons",
    ),
    "upper-case-class": ("{0}: the class letter of a suit is a small letter", "type {1}"),
    "lower-case-honor": ("{0}: winds and dragons are typed in capitals", "type {1}"),
    "class-mismatch": ("{0}: {1}", "{2}"),
    "bonus-number": ("there are only four {2}, 1 to 4", "type 1{1} to 4{1}"),
    "stray-class": ("the class letter {0} stands without a tile", "write the {1} before it, as in {2}"),
    "open-bracket": ("{0} is never closed", "close the set with {1}"),
    "stray-bracket": (
        "{0} closes no bracket",
        "open the set with ( for a set on the table, [ for a declared four",
    ),
    "win-without-tile": ("there is no tile after {0}", "{0} is followed by the winning tile: {1}7c"),
    "second-win": ("a second winning tile", "a hand is won by one tile; leave out the other"),
    "no-tiles-before-win": (
        "no tiles before the winning tile",
        "type the tiles held, then +7c or <7c, then its flags",
    ),
    "no-tiles-before-flag": ("there are no tiles before the flag", "type the tiles of the hand first"),
    "tiles-after-win": (
        "tiles stand after the winning tile",
        "the win clause comes last: put every other tile before it",
    ),
    "after-flags": (
        "nothing stands after the flags",
        "type the tiles held, then +7c or <7c, then its flags",
    ),
    "claimed-from-nobody": (
        "no player after {1}",
        "name who discarded the tile, as in <7c:E, or leave out {1}",
    ),
    "empty-flag": (
        "no flag after !",
        "the flags are !loose !last !robbed !original !earth !thirteen !call !twofold !mixed !dead !nochoice",
    ),
    "unknown-flag": ("there is no flag {0} here", "flags are small letters and stand last: +7c!loose"),
    "second-seat": ("a second seat", "a hand has one seat: type one hand at a time"),
    "no-such-seat": (
        "nobody here is called {0}",
        "the seats are E, S, W and N, as in <5c:E",
    ),
    "bad-seat": (
        "{0} is no seat",
        "a hand begins with its seat E, S, W or N and may name the round: S: or S@E:",
    ),
    "stray-colon": (
        "a colon stands only after the seat and before a discarder",
        "type S@E: before the tiles, <7c:E for a tile claimed from East",
    ),
    "stray-round": (
        "the round stands behind the seat and before its colon",
        "type S@E: for South in the East round",
    ),
    "stray-quote": (
        "a label stands before the hand and between two quotation marks",
        'type "label" S@E: …',
    ),
    "expected-alone": (
        "an expected score stands only in a file of hands",
        "leave it out; mjscore check FILE compares what is expected",
    ),
    "comma": ("tiles are parted by spaces or by nothing", "leave out the comma"),
    "unknown-character": ("{0} is no tile", "a tile is its value and class letter: 5b 5c 5d, Ew, Rd, 1f, 1s"),
}
_TILES = frozenset(
    ["TILES", "VALUES", "OPEN", "GLUED", "DOTS", "SUIT_OF", "BONUS", "SET_OF", "STATE_OF", "TIMES_OF"]
)
_AWAITING_A_TILE = frozenset(["PLUS", "LESS", "SIGN_OF", "WIN_OF"])
_AWAITING_A_CLASS = frozenset(["VALUES", "PLURAL_NUMBER"])
_OF_A_HEAD = frozenset(["SEAT", "COLON", "AT", "ROUND", "WIN"])
_SEAT = re.compile(r"[^\W\d_]\w*(@\w*)?\s*:")
_WORD = re.compile(r"[^\s()\[\]{}<>+!=:#\",;/]+|.")
_LAST = r"(?![^\W\d_])"  # no letter behind it
# signs that stand only somewhere else
_ELSEWHERE = (
    (re.compile(r"=(?:.*\S)?", re.DOTALL), "expected-alone"),
    (re.compile('"'), "stray-quote"),
    (re.compile(r"@(?:(?=[^\W\d_])[^\s()\[\]{}<>+!=:#\",;/]+)?"), "stray-round"),
)
_CLASS = r"[bcdfsw](?![^\W_])"
_EITHER = "winds and dragons have the class letters w and d"
_NO_ONE, _BOTH = "no one class letter fits all of these", "winds have w, as in ESw, dragons d, as in RGd"
# digits and letters that are no tiles: the first that fits is told, with what {1} and {2} are of it
_NO_TILES = (
    (re.compile(r"(?=[0-9]*0)[0-9]+[^\W\d_]?"), "no-zero"),
    (re.compile(rf"([0-9]+)S{_LAST}"), "upper-case-class", r"\1s"),
    (re.compile(rf"[0-9]+f{_LAST}"), "bonus-number", "f", "flowers"),
    (re.compile(rf"[0-9]+s{_LAST}"), "bonus-number", "s", "seasons"),
    (re.compile(r"([0-9]+)(?=(?i:[eswnrg]+[bcdfsw]?)(?![^\W_]))"), "missing-class", r"\1"),
    (re.compile(r"[0-9]+([^\s0-9()\[\]+<>!=#/,;.:\"…])"), "unknown-class", r"\1"),
    (re.compile(r"([0-9]+)"), "missing-class", r"\1"),
    (re.compile(rf"([ESN]+){_CLASS}"), "class-mismatch", "winds have the class letter w", r"type \1w"),
    (re.compile(rf"([RG]+){_CLASS}"), "class-mismatch", "dragons have the class letter d", r"type \1d"),
    (re.compile(rf"(W+){_CLASS}"), "class-mismatch", _EITHER, r"type \1w or \1d"),
    (re.compile(rf"[ESWNRG]+{_CLASS}"), "class-mismatch", _NO_ONE, _BOTH),
    (re.compile(r"(w)(?![^\W_])"), "stray-class", "wind", r"E\1"),
    (re.compile(r"([fs])(?![^\W_])"), "stray-class", "number", r"1\1"),
    (re.compile(r"([bcd])(?![^\W_])"), "stray-class", "value", r"5\1"),
)


def _said(lattice: Lattice, code: str, start: int, end: int, *more: str) -> Refused:
    """Give the refusal of what stands from *start* to *end*, by the table."""
    message, hint = _SAID[code]
    marked = lattice.typed[start:end]
    shown = visible(marked if len(marked) <= 40 else f"{marked[:40]}…")
    place = lattice.place(start, max(end, start + 1))
    return refuse(code, message.format(shown, *more), hint.format(shown, *more), at=place)


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
        return _said(lattice, "empty-hand", stripped.start, stripped.end)
    if told[0].kind in _AWAITING_A_TILE:
        return _said(lattice, "no-tiles-before-win", told[0].start, before[-1].end)
    return _said(lattice, "unknown-character", before[-1].start, before[-1].end)


def unread(lattice: Lattice, position: int) -> Refused:
    """Give the refusal of what stands at *position*, where nothing more is known."""
    start = min(position, len(lattice.typed))
    return _said(lattice, "unknown-character", start, start + min(20, len(_word_at(lattice.text, start))))


def _left_open(lattice: Lattice, before: Sequence[Piece], character: str, there: Set[str]) -> Refused | None:
    """Say what the last pieces wait for: values for their class, a sign for its tile, a colon for a player.

    Behind them stands a *character*, or nothing.
    """
    if not before:
        return None
    last, opening = before[-1], _opening(before)
    if last.kind in _AWAITING_A_CLASS:
        return _said(lattice, "missing-class", last.start, last.end, last.value)
    if last.kind in _AWAITING_A_TILE and (
        character in ("", "!") or there & {"COLON", "FLAG", "PLUS", "LESS", "CLOSE"}
    ):
        sign = "" if last.kind == "WIN_OF" else last.value
        found = _said(lattice, "win-without-tile", last.start, last.end, sign)
        if opening is None:
            return found
        hint = "+ is followed by the fourth that was drawn: (111+1d)"
        return Refused(found.refusal._replace(hint=hint))
    if last.kind in ("COLON", "FROM") and len(before) > 2 and not character.isalpha():
        word = "the colon" if last.kind == "COLON" else visible(lattice.typed[last.start : last.end])
        return _said(lattice, "claimed-from-nobody", last.start, last.end, word)
    ends_it = character in ("", "=", "#", "!") or there & {"OPEN", "GLUED", "PLUS", "LESS", "FLAG", "COLON"}
    if opening is not None and ends_it:
        closing = {"(": ")", "[": "]"}[opening.value]
        return _said(lattice, "open-bracket", opening.start, opening.end, closing)
    return None


def _opening(pieces: Iterable[Piece]) -> Piece | None:
    """Give the bracket that is open behind *pieces*."""
    brackets = [piece for piece in pieces if piece.kind in ("OPEN", "GLUED", "CLOSE")]
    return brackets[-1] if brackets and brackets[-1].kind != "CLOSE" else None


def _in_the_middle(lattice: Lattice, before: Sequence[Piece], start: int, there: Set[str]) -> Refused | None:
    """Say why what stands there cannot, where it is well formed and in the wrong place; None where it is no such thing."""
    text, character = lattice.text, lattice.text[start]
    kinds = {piece.kind for piece in before}
    won = any(
        piece.kind in ("PLUS", "LESS", "SIGN", "SIGN_OF", "WIN_OF", "FROM")
        and _opening(before[:number]) is None
        for number, piece in enumerate(before)
    )
    flagged = not kinds.isdisjoint(("FLAG", "FLAG_WORD"))
    if "CLOSE" in there:
        return _said(lattice, "stray-bracket", start, start + 1)
    for pattern, code in _ELSEWHERE:
        found = pattern.match(text, start)
        if found:
            return _said(lattice, code, start, found.end())
    if character == ":":
        last = before[-1] if before else None
        if last is not None and last.kind == "TILES" and not won:
            typed = lattice.typed[last.start : last.end]
            names = ("e", "s", "w", "n", "east", "south", "west", "north")
            if typed.casefold() in names or (len(before) > 1 and typed[-1] in "ESN"):
                seat = max(last.start, last.end - 1) if typed.isupper() else last.start
                return _said(lattice, "second-seat", seat, start + 1)
        return _said(lattice, "stray-colon", start, start + 1)
    if character == "!":
        flags = [piece for piece in lattice.at(start) if piece.kind == "FLAG"]
        if not flags:
            return _said(lattice, "empty-flag", start, start + 1)
        return _said(lattice, "no-tiles-before-flag", start, flags[0].end)
    head = _SEAT.match(text, start)
    if head and kinds <= {"SEAT", "COLON"}:
        return _said(lattice, "second-seat" if kinds else "bad-seat", start, head.end())
    if there & {"PLUS", "LESS"}:
        behind = text[start + 1 : start + 2].strip()
        clause = start + 1 + (len(_word_at(text, start + 1)) if behind else 0)
        code = "second-win" if won else "after-flags" if flagged else "no-tiles-before-win"
        return _said(lattice, code, start, clause)
    if not there & _TILES:
        return None
    if won or flagged:
        tiles = max(piece.end for piece in lattice.at(start) if piece.kind in _TILES)
        return _said(lattice, "tiles-after-win" if won else "after-flags", start, tiles)
    if not before:
        return None
    place = lattice.place(before[-1].start, before[-1].end)
    return refuse(
        "unknown-character",
        f"{visible(lattice.typed[place.start : place.end])} does not go with what stands behind it",
        "type the tiles with their letters, as in 123b 55c EEE",
        at=place,
    )


def _word_at(text: str, start: int) -> str:
    word = _WORD.match(text, start)
    return word[0] if word else ""


def _no_tile(lattice: Lattice, before: Sequence[Piece], ways: Ways) -> Refused:
    """Say what is wrong with letters and digits that are no tiles."""
    start = ways.furthest
    wrong = _wrong_tile(lattice, start)
    if wrong is not None:
        return wrong
    end = start + len(_word_at(lattice.text, start))
    claimed = "WHOLE_NAME" in ways.expected and any(piece.value == "<" for piece in before)
    if before and (before[-1].kind in ("FROM", "COLON") or claimed) and lattice.text[start].isalpha():
        return _said(lattice, "no-such-seat", start, end)
    return _said(lattice, "unknown-character", start, min(end, start + 20))


def _wrong_tile(lattice: Lattice, start: int) -> Refused | None:
    """Say what is wrong with digits or a class letter at *start*; None where there are none."""
    for pattern, code, *more in _NO_TILES:
        found = pattern.match(lattice.text, start)
        if found:
            return _said(lattice, code, *found.span(), *map(found.expand, more))
    return None


def looseness(line: Iterable[Token], lattice: Lattice) -> Refused:
    """Give the strict notation's refusal of a *line* that people may type otherwise: of the first thing that it minds."""
    text, position = lattice.typed, 0
    for token in sorted(line, key=offset_of):
        start, end = offset_of(token), token.end_pos or 0
        between = _stray(lattice, position, start)
        if between is not None:
            return between
        typed = text[start:end]
        if typed.replace(" ", "") != token.value.replace(" ", ""):
            return _loosely_typed(lattice, typed, token.value, start)
        position = max(position, end)
    return _stray(lattice, position, len(text)) or _said(
        lattice, "unknown-character", 0, len(_word_at(text, 0))
    )


def _stray(lattice: Lattice, start: int, end: int) -> Refused | None:
    """Refuse what stands between two tokens and is no blank."""
    rest = lattice.typed[start:end].lstrip(" \t:")
    if not rest:
        return None
    stray = end - len(rest)
    code = "comma" if rest[0] in ",;" else "unknown-character"
    return _said(lattice, code, stray, stray + len(_word_at(lattice.typed, stray)))


def _loosely_typed(lattice: Lattice, typed: str, value: str, start: int) -> Refused:
    """Say what is loose about what was *typed* for a token's *value*."""
    if value.startswith("!") or value.endswith(":"):
        code = "unknown-flag" if value.startswith("!") else "bad-seat"
        return _said(lattice, code, start, start + len(typed))
    text = lattice.typed
    pairs = enumerate(zip(typed, value, strict=False))
    same = next((place for place, (one, other) in pairs if one != other), 0)
    begin = start + same
    while begin > start and text[begin - 1].isdigit():
        begin -= 1
    upper = re.compile(r"[1-9]+[BCDFS](?![a-z])").match(text, begin)
    if upper:
        return _said(lattice, "upper-case-class", begin, upper.end(), upper[0].lower())
    honors = re.compile(r"[eswnrg]+(?:[wd](?![a-z]))?").match(text, begin)
    if honors and honors[0].upper()[:1] == value[same : same + 1]:
        shown = honors[0]
        has_class = re.fullmatch("[eswn]+w|.+d", shown)
        written = shown[:-1].upper() + shown[-1] if has_class else shown.upper()
        return _said(lattice, "lower-case-honor", begin, honors.end(), written)
    letters = re.compile(r"[0-9]+[^\W\d_]").match(text, begin)
    wrong = _wrong_tile(lattice, begin) if letters else None
    return wrong or _said(lattice, "unknown-character", begin, begin + max(1, len(_word_at(text, begin))))
