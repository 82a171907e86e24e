"""Say what is wrong where no way to read a typed line goes on: what stands there, and what could have stood there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lark import Token

from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.tokens import offset_of
from mjscore.notation.ways import Ways
from mjscore.refusal import Refused, refuse, visible

_FLAGS = "!loose !last !robbed !original !earth !thirteen !call !twofold !mixed !dead !nochoice"
# what is said of each fault, {0} being what is marked, and what to type instead
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
    "class-mismatch": ("{0}: {1}", "type {2}"),
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
    "empty-flag": ("no flag after !", f"the flags are {_FLAGS}"),
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
_OF_A_HEAD = frozenset(["SEAT", "COLON", "AT", "ROUND", "WIN"])
_DIGITS = re.compile(r"(?P<digits>[0-9]+)(?P<letter>[^\W\d_]?)(?P<more>[^\W\d_]*)")
_HONORS = re.compile(r"[eswnrg]+(?=[bcdfsw]?(?![^\W_]))", re.IGNORECASE)
_MISMATCHED = re.compile(r"([ESWNRG]+)([bcdfsw])(?![^\W_])")
_SEAT = re.compile(r"[^\W\d_]\w*(@\w*)?\s*:")
_WORD = re.compile(r"[^\s()\[\]{}<>+!=:#\",;/]+|.")


class _Spot(NamedTuple):
    """Where a line cannot be read on: its pieces up to there, by the way that is told, and what was found there."""

    lattice: Lattice
    start: int
    before: tuple[Piece, ...]
    there: frozenset[str] = frozenset()
    expected: frozenset[str] = frozenset()

    def said(self, code: str, start: int, end: int, *more: str) -> Refused:
        """Give the refusal of what stands from *start* to *end*, by the table."""
        message, hint = _SAID[code]
        marked = self.lattice.typed[start:end]
        shown = visible(marked if len(marked) <= 40 else f"{marked[:40]}…")
        return refuse(
            code,
            message.format(shown, *more),
            hint.format(shown, *more),
            at=self.lattice.place(start, max(end, start + 1)),
        )


def fault_of(ways: Ways, lattice: Lattice) -> Refused | None:
    """Give the refusal of a line that no way read to its end, at the furthest place that any came to; None where one did."""
    if ways.read:
        return None
    if ways.refused:
        return ways.refused[0]
    paths = [way.pieces for way in ways.open]
    before = max(paths, key=lambda pieces: (_is_waiting(pieces), len(pieces)), default=())
    at_end = ways.furthest >= lattice.end
    there = frozenset() if at_end else frozenset(piece.kind for piece in lattice.at(ways.furthest))
    spot = _Spot(lattice, ways.furthest, before, there, ways.expected)
    return _left_open(spot, at_end) or (_at_the_end(spot) if at_end else _in_the_middle(spot))


def unread(lattice: Lattice, position: int) -> Refused:
    """Give the refusal of what stands at *position*, where nothing more is known."""
    start = min(position, len(lattice.typed))
    return _Spot(lattice, start, ()).said(
        "unknown-character", start, start + min(20, len(_word_at(lattice.text, start)))
    )


def _is_waiting(pieces: tuple[Piece, ...]) -> bool:
    return bool(pieces) and pieces[-1].kind in ("VALUES", "PLURAL_NUMBER", *_AWAITING_A_TILE)


def _left_open(spot: _Spot, at_end: bool) -> Refused | None:
    """Say what the last pieces wait for: values for their class, a sign for its tile, a colon for a player."""
    if not spot.before:
        return None
    last = spot.before[-1]
    if last.kind in ("VALUES", "PLURAL_NUMBER"):
        return spot.said("missing-class", last.start, last.end, last.value)
    if last.kind in _AWAITING_A_TILE and (
        at_end
        or spot.there & {"COLON", "FLAG", "PLUS", "LESS", "CLOSE"}
        or spot.lattice.text[spot.start] == "!"
    ):
        inside = _opening(spot.before) is not None
        example = "+ is followed by the fourth that was drawn: (111+1d)" if inside else ""
        found = spot.said(
            "win-without-tile", last.start, last.end, "" if last.kind == "WIN_OF" else last.value
        )
        return Refused(found.refusal._replace(hint=example)) if example else found
    nameless = at_end or not spot.lattice.text[spot.start].isalpha()
    if last.kind in ("COLON", "FROM") and len(spot.before) > 2 and nameless:
        word = "the colon" if last.kind == "COLON" else visible(spot.lattice.typed[last.start : last.end])
        return spot.said("claimed-from-nobody", last.start, last.end, word)
    opening = _opening(spot.before)
    if opening is not None and (
        at_end
        or spot.there & {"OPEN", "GLUED", "PLUS", "LESS", "FLAG", "COLON"}
        or spot.lattice.text[spot.start] in "=#!"
    ):
        return spot.said("open-bracket", opening.start, opening.end, {"(": ")", "[": "]"}[opening.value])
    return None


def _opening(pieces: Iterable[Piece]) -> Piece | None:
    """Give the bracket that is open behind *pieces*."""
    opening = None
    for piece in pieces:
        if piece.kind in ("OPEN", "GLUED"):
            opening = piece
        elif piece.kind == "CLOSE":
            opening = None
    return opening


def _at_the_end(spot: _Spot) -> Refused:
    text = spot.lattice.typed
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip()) if end else 0
    if all(piece.kind in _OF_A_HEAD for piece in spot.before):
        return spot.said("empty-hand", start, end)
    last = spot.before[-1]
    told = [piece for piece in spot.before if piece.kind not in _OF_A_HEAD]
    if told[0].kind in _AWAITING_A_TILE:
        return spot.said("no-tiles-before-win", told[0].start, last.end)
    return spot.said("unknown-character", last.start, last.end)


def _in_the_middle(spot: _Spot) -> Refused:
    """Say why what stands there cannot: well formed in the wrong place, or nothing that there is."""
    text, start = spot.lattice.text, spot.start
    kinds = {piece.kind for piece in spot.before}
    won, character = _is_won(spot.before), text[start]
    end = start + len(_word_at(text, start))
    if spot.there & {"CLOSE"}:
        return spot.said("stray-bracket", start, start + 1)
    if character == "=":
        return spot.said("expected-alone", start, len(text.rstrip()))
    if character == '"':
        return spot.said("stray-quote", start, start + 1)
    if character == "@":
        return spot.said("stray-round", start, end if text[start + 1 : start + 2].isalpha() else start + 1)
    if character == ":":
        return _stray_colon(spot, start)
    if character == "!":
        if "FLAG" not in spot.there:
            return spot.said("empty-flag", start, start + 1)
        flag = next(piece for piece in spot.lattice.at(start) if piece.kind == "FLAG")
        return spot.said("no-tiles-before-flag", start, flag.end)
    if _SEAT.match(text, start) and not kinds - {"SEAT", "COLON"}:
        seat = _SEAT.match(text, start)
        assert seat is not None
        return spot.said("second-seat" if kinds else "bad-seat", start, seat.end())
    if spot.there & {"PLUS", "LESS"}:
        clause = (
            start + 1 + len(_word_at(text, start + 1)) if text[start + 1 : start + 2].strip() else start + 1
        )
        if won:
            return spot.said("second-win", start, clause)
        flagged = kinds & {"FLAG", "FLAG_WORD"}
        return spot.said("after-flags" if flagged else "no-tiles-before-win", start, clause)
    if spot.there & _TILES and (won or kinds & {"FLAG", "FLAG_WORD"}):
        tiles = max(piece.end for piece in spot.lattice.at(start) if piece.kind in _TILES)
        return spot.said("tiles-after-win" if won else "after-flags", start, tiles)
    if spot.there & _TILES and spot.before:
        last = spot.before[-1]
        shown = visible(spot.lattice.typed[last.start : last.end])
        message = f"{shown} does not go with what stands behind it"
        return refuse(
            "unknown-character",
            message,
            "type the tiles with their letters, as in 123b 55c EEE",
            at=spot.lattice.place(last.start, last.end),
        )
    return _no_tile(spot, start, end)


def _is_won(pieces: tuple[Piece, ...]) -> bool:
    """Tell whether a winning tile stands among *pieces*."""
    signs = [
        number
        for number, piece in enumerate(pieces)
        if piece.kind in ("PLUS", "LESS", "SIGN", "SIGN_OF", "WIN_OF", "FROM")
    ]
    return any(_opening(pieces[:number]) is None for number in signs)


def _stray_colon(spot: _Spot, start: int) -> Refused:
    last = spot.before[-1] if spot.before else None
    if last is not None and last.kind == "TILES" and not _is_won(spot.before):
        typed = spot.lattice.typed[last.start : last.end]
        if typed.casefold() in ("e", "s", "w", "n", "east", "south", "west", "north") or (
            len(spot.before) > 1 and typed[-1] in "ESN"
        ):
            return spot.said(
                "second-seat", max(last.start, last.end - 1) if typed.isupper() else last.start, start + 1
            )
    return spot.said("stray-colon", start, start + 1)


def _word_at(text: str, start: int) -> str:
    word = _WORD.match(text, start)
    return word[0] if word else ""


def _no_tile(spot: _Spot, start: int, end: int) -> Refused:
    """Say what is wrong with letters and digits that are no tiles."""
    text = spot.lattice.text
    digits = _DIGITS.match(text, start)
    if digits and digits.start() == start:
        return _wrong_digits(spot, digits)
    mismatched = _MISMATCHED.match(text, start)
    if mismatched:
        return _wrong_class(spot, mismatched)
    letter = text[start]
    if letter in "bcdfsw" and not text[start + 1 : start + 2].isalnum():
        value, example = (
            ("wind", "E") if letter == "w" else ("number", "1") if letter in "fs" else ("value", "5")
        )
        return spot.said("stray-class", start, start + 1, value, example + letter)
    last = spot.before[-1] if spot.before else None
    claimed = "WHOLE_NAME" in spot.expected and any(piece.value == "<" for piece in spot.before)
    if last is not None and (last.kind in ("FROM", "COLON") or claimed) and letter.isalpha():
        return spot.said("no-such-seat", start, end)
    return spot.said("unknown-character", start, min(end, start + 20))


def _wrong_digits(spot: _Spot, found: re.Match[str]) -> Refused:
    digits, letter = found["digits"], found["letter"]
    start, end = found.start(), found.end("digits")
    if "0" in digits:
        return spot.said("no-zero", start, found.end("letter"))
    if letter == "S" and not found["more"]:
        return spot.said("upper-case-class", start, end + 1, f"{digits}s")
    if letter in ("f", "s") and not found["more"]:
        word = "flowers" if letter == "f" else "seasons"
        return refuse(
            "bonus-number",
            f"there are only four {word}, 1 to 4",
            f"type 1{letter} to 4{letter}",
            at=spot.lattice.place(start, end + 1),
        )
    if letter and letter.lower() in "eswnrg" and _HONORS.match(spot.lattice.text, end):
        return spot.said("missing-class", start, end, digits)
    if letter:
        return spot.said("unknown-class", start, end + 1, letter)
    behind = spot.lattice.text[end : end + 1]
    if behind.strip() and behind not in '()[]+<>!=#/,;.:"…':
        return spot.said("unknown-class", start, end + 1, behind)
    return spot.said("missing-class", start, end, digits)


def _wrong_class(spot: _Spot, found: re.Match[str]) -> Refused:
    values = found[1]
    winds, dragons = not set(values) - set("ESN"), not set(values) - set("RG")
    if winds or dragons:
        kind, right = ("winds", "w") if winds else ("dragons", "d")
        return spot.said(
            "class-mismatch",
            found.start(),
            found.end(),
            f"{kind} have the class letter {right}",
            values + right,
        )
    if set(values) == {"W"}:
        return spot.said(
            "class-mismatch",
            found.start(),
            found.end(),
            "winds and dragons have the class letters w and d",
            f"{values}w or {values}d",
        )
    refusal = spot.said(
        "class-mismatch", found.start(), found.end(), "no one class letter fits all of these", ""
    ).refusal
    return Refused(refusal._replace(hint="winds have w, as in ESw, dragons d, as in RGd"))


# ------------------------------------------------------------- what only the strict notation minds


def looseness(line: Iterable[Token], lattice: Lattice) -> Refused:
    """Give the strict notation's refusal of a *line* that people may type otherwise: of the first thing that it minds."""
    spot = _Spot(lattice, 0, ())
    position = 0
    for token in sorted(line, key=offset_of):
        start, end = token.start_pos or 0, token.end_pos or 0
        between = _stray(lattice.typed, position, start)
        if between is not None:
            return spot.said(
                "comma" if lattice.typed[between] in ",;" else "unknown-character",
                between,
                between + len(_word_at(lattice.typed, between)),
            )
        typed = lattice.typed[start:end]
        if typed.replace(" ", "") != token.value.replace(" ", ""):
            return _loosely_typed(spot, typed, token.value, start)
        position = max(position, end)
    rest = _stray(lattice.typed, position, len(lattice.typed))
    return spot.said("unknown-character", rest or 0, (rest or 0) + len(_word_at(lattice.typed, rest or 0)))


def _stray(text: str, start: int, end: int) -> int | None:
    """Give where something stands between two tokens that is no blank."""
    rest = text[start:end]
    if not rest.strip(" \t:"):
        return None
    return start + len(rest) - len(rest.lstrip(" \t:"))


def _loosely_typed(spot: _Spot, typed: str, value: str, start: int) -> Refused:
    """Say what is loose about what was *typed* for a token's *value*."""
    same = next(
        (place for place, (one, other) in enumerate(zip(typed, value, strict=False)) if one != other), 0
    )
    begin = start + same
    text = spot.lattice.typed
    if value.startswith("!"):
        return spot.said("unknown-flag", start, start + len(typed))
    if value.endswith(":"):
        return spot.said("bad-seat", start, start + len(typed))
    while begin > start and text[begin - 1].isdigit():
        begin -= 1
    word = _word_at(text, begin)
    upper = re.match(r"[1-9]+[BCDFS](?![a-z])", text[begin:])
    if upper:
        return spot.said("upper-case-class", begin, begin + upper.end(), upper[0].lower())
    honors = re.match(r"[eswnrg]+(?:[wd](?![a-z]))?", text[begin:])
    if honors and honors[0].upper()[:1] == value[same : same + 1]:
        shown = honors[0]
        written = (
            shown[:-1].upper() + shown[-1]
            if shown[-1] in "wd" and len(shown) > 1 and not _all_honors(shown)
            else shown.upper()
        )
        return spot.said("lower-case-honor", begin, begin + len(shown), written)
    digits = _DIGITS.match(text, begin)
    if digits and digits["letter"]:
        return _wrong_digits(spot, digits)
    return spot.said("unknown-character", begin, begin + max(1, len(word)))


def _all_honors(word: str) -> bool:
    return not set(word) - set("eswnrg") and not re.fullmatch("[eswn]+w", word)
