"""What is wrong with a line that the grammar does not accept, said in the words of the game.

Lark tells where it stopped; the text at that place tells why. The rules stand in one table, most
particular first, and every code has a sample in the tests that provokes it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lark import Token
from lark.exceptions import UnexpectedInput

from mjscore.notation.parsers import token_parser
from mjscore.notation.tokens import offset_of
from mjscore.refusal import Refusal, did_you_mean, visible


class _Mistake(NamedTuple):
    """One row of the table: *at* must match where the parser stopped, *mark* is the group to mark."""

    code: str
    at: re.Pattern[str]
    message: str
    hint: str


def _row(code: str, at: str, message: str, hint: str) -> _Mistake:
    return _Mistake(code, re.compile(at), message, hint)


# Where a tile was expected and none stands.
_TILE_MISTAKES = (
    _row("no-zero", r"(?P<mark>[0-9]*0[0-9]*[a-zA-Z]?)",
         "there is no tile {mark}: values run from 1 to 9", "type the value that the tile shows"),
    _row("bonus-number", r"(?P<mark>[1-9]+f)", "there are only four flowers, 1 to 4", "type 1f to 4f"),
    _row("bonus-number", r"(?P<mark>[1-9]+s)", "there are only four seasons, 1 to 4", "type 1s to 4s"),
    _row("upper-case-class", r"(?P<mark>[1-9]+[BCDFS])(?![a-z])",
         "{mark}: the class letter of a suit is a small letter", "type {lower}"),
    _row("missing-class", r"(?P<mark>[1-9]+)(?=[\s()\[\]+<!=#]|$)",
         "{mark} lacks its class letter", "type {mark}b for bamboo, {mark}c for characters, {mark}d for dots"),
    _row("missing-class", r"(?P<mark>[1-9]+)(?=[ESWNRG]|\.\.\.|…|,)",
         "{mark} lacks its class letter", "type {mark}b for bamboo, {mark}c for characters, {mark}d for dots"),
    _row("unknown-class", r"(?P<mark>[1-9]+[^\s\d()\[\]+<!=#])",
         "there is no class of tiles {last!r}",
         "b bamboo, c characters, d dots; w winds, d dragons; f flowers, s seasons"),
    _row("class-mismatch", r"(?P<mark>[ESN]+d)", "{mark}: winds have the class letter w", "type {stem}w"),
    _row("class-mismatch", r"(?P<mark>[RG]+w)", "{mark}: dragons have the class letter d", "type {stem}d"),
    _row("class-mismatch", r"(?P<mark>[ESN]+[bcfs])(?![a-z])", "{mark}: winds have the class letter w", "type {stem}w"),
    _row("class-mismatch", r"(?P<mark>[RG]+[bcfs])(?![a-z])", "{mark}: dragons have the class letter d", "type {stem}d"),
    _row("class-mismatch", r"(?P<mark>W+[bcfs])(?![a-z])",
         "{mark}: winds and dragons have the class letters w and d", "type {stem}w or {stem}d"),
    _row("class-mismatch", r"(?P<mark>[ESWNRG]+[bcdfsw])(?![a-z])",
         "{mark}: no one class letter fits all of these", "winds have w, as in ESw, dragons d, as in RGd"),
    _row("ambiguous-w", r"(?P<mark>W+)(?![a-zA-Z])",
         "W is both the west wind and the white dragon", "type {mark}w for west wind, {mark}d for white dragon"),
    _row("ambiguous-w", r"(?P<mark>W+)(?=[A-Z])",
         "W is both the west wind and the white dragon", "type {mark}w for west wind, {mark}d for white dragon"),
    _row("stray-class", r"(?P<mark>[bcd])(?=[\s()\[\]+<!=#]|$)",
         "the class letter {mark} stands without a tile", "write the value before it, as in 5{mark}"),
    _row("stray-class", r"(?P<mark>[fs])(?=[\s()\[\]+<!=#]|$)",
         "the class letter {mark} stands without a tile", "write the number before it, as in 1{mark}"),
    _row("stray-class", r"(?P<mark>w)(?=[\s()\[\]+<!=#]|$)",
         "the class letter {mark} stands without a tile", "write the wind before it, as in Ew"),
    _row("lower-case-honor", r"(?P<mark>([eswn]+w|[rgw]+d))(?![a-z])",
         "{mark}: winds and dragons are typed in capitals", "type {cased}"),
    _row("lower-case-honor", r"(?P<mark>[eswnrg]+)(?![a-z])",
         "{mark}: winds and dragons are typed in capitals", "type {upper}"),
)  # fmt: skip

# Where the grammar stopped in a hand.
_HAND_MISTAKES = (
    _row(
        "win-without-tile",
        r"(?P<mark>[+<])\s*(?=$|[!=#:])",
        "there is no tile after {mark}",
        "{mark} is followed by the winning tile: {mark}7c",
    ),
    _row(
        "empty-flag",
        r"(?P<mark>!)(?![A-Za-z])",
        "no flag after !",
        "the flags are !loose !last !robbed !original !earth !thirteen !call !twofold !mixed !dead !nochoice",
    ),
    _row(
        "unknown-flag",
        r"(?P<mark>![A-Za-z]+)",
        "there is no flag {mark} here",
        "flags are small letters and stand last: +7c!loose",
    ),
    _row(
        "stray-bracket",
        r"(?P<mark>[)\]])",
        "{mark} closes no bracket",
        "open the set with ( for a set on the table, [ for a declared four",
    ),
    _row(
        "bad-expected",
        r"(?P<mark>=)\s*(?=$|#)",
        "no score after =",
        "type = and the score, or = error where the line is to be refused",
    ),
    _row(
        "bad-expected",
        r"(?P<mark>=.*)$",
        "{mark} is no expected score",
        "type = and the score, or = error where the line is to be refused",
    ),
    _row(
        "stray-quote",
        r"(?P<mark>\")",
        "a label stands before the hand and between two quotation marks",
        'type "label" S@E: …',
    ),
    _row(
        "bad-seat",
        r"(?P<mark>[A-Za-z]\w*(@\w*)?\s*:)",
        "{mark} is no seat",
        "a hand begins with its seat E, S, W or N and may name the round: S: or S@E:",
    ),
    _row(
        "stray-colon",
        r"(?P<mark>:)",
        "a colon stands only after the seat and before a discarder",
        "type S@E: before the tiles, <7c:E for a tile claimed from East",
    ),
    _row(
        "stray-round",
        r"(?P<mark>@\w*)",
        "the round stands behind the seat and before its colon",
        "type S@E: for South in the East round",
    ),
    _row("comma", r"(?P<mark>,)", "tiles are parted by spaces or by nothing", "leave out the comma"),
)

_COMMANDS = [
    "rulebook",
    "set",
    "round",
    "players",
    "hand",
    "draw",
    "wash",
    "false",
    "long",
    "penalty",
    "pay",
    "note",
    *("rules", "title", "date", "counters", "bank", "pair-by-pair"),
]
_BRACKETS = {"(": ")", "[": "]"}
_SEATS = ("HEADER", "SEAT_LABEL")
_CLAUSES = ("DRAWN", "CLAIMED")


@lru_cache(maxsize=16)
def _terminal(*names: str) -> re.Pattern[str]:
    """The grammar's own pattern of a terminal, or of one behind the other with spaces between."""
    patterns = [token_parser().get_terminal(name).pattern.to_regexp() for name in names]
    return re.compile(r"\s*".join(f"(?:{pattern})" for pattern in patterns))


def diagnose(text: str, unexpected: UnexpectedInput, start: str) -> Refusal:
    """The refusal for *text*, which the grammar refused from the rule *start*."""
    tokens = _accepted(unexpected)
    if getattr(getattr(unexpected, "token", None), "type", "") == "$END":
        return _unfinished(text, tokens, start)
    position = unexpected.pos_in_stream
    position = len(text) if position is None else position
    if start in ("line", "row"):
        refusal = _line_mistake(text, position, start)
        if refusal is not None:
            return refusal
    if start == "hand" and text[position : position + 1] == "=":
        return _at(
            "expected-alone",
            "an expected score stands only in a file of hands",
            "leave it out; mjscore check FILE compares what is expected",
            text,
            position,
            len(text[position:].rstrip()),
        )
    return _misplaced(text, position, tokens) or _hand_mistake(text, position)


def _accepted(unexpected: UnexpectedInput) -> list[Token]:
    """The tokens that the parser had accepted when it met what it did not expect."""
    state = unexpected.state
    tokens: list[Token] = []
    for value in state.value_stack:
        tokens += value if isinstance(value, list) else [value]
    return [token for token in tokens if hasattr(token, "start_pos")]


def _at(code: str, message: str, hint: str, text: str, start: int, length: int) -> Refusal:
    return Refusal(code, message, hint, 1, start + 1, max(1, length), text)


def _unfinished(text: str, tokens: list[Token], start: str) -> Refusal:
    end = len(text.rstrip())
    if start == "hand" or not text.strip():
        return _at(
            "empty-hand",
            "there are no tiles",
            "type a hand, such as S@E: (222d) 123b 456b EE 7c8c +9c",
            text,
            0,
            max(1, end),
        )
    if [token.type for token in tokens] == ["LABEL"]:
        return _hand_mistake(text, offset_of(tokens[0]))
    if re.search(r"=\s*$", text):
        return _at(
            "bad-expected",
            "no score after =",
            "type = and the score, or = error where the line is to be refused",
            text,
            end - 1,
            1,
        )
    usage = _usage(text)
    if usage:
        return _at("unfinished-line", "the line ends too early", usage, text, max(0, end - 1), 1)
    return _at(
        "unfinished-line",
        "the line ends too early",
        "a seat is followed by its hand, its score or dead",
        text,
        max(0, end - 1),
        1,
    )


_USAGES = {
    "rulebook": "rulebook babcock",
    "set": "set limit 600",
    "round": "round S",
    "players": 'players Ann Ben "Old Cid" Dee',
    "hand": 'hand "label" @E',
    "draw": "draw, or draw four where a four was declared",
    "wash": "wash S 11, wash S: and the tiles, wash S, or wash S not-touching",
    "false": "false W",
    "long": "long W",
    "penalty": "penalty misnamed-discard W, by its id in the rulebook",
    "pay": "pay S E 100",
    "pays": "pays N +1664 W +54 E -1200",
    "east": "east Ann",
    "rules": "rules 1f4306427be9, which rules show prints",
    "title": 'title "Thursday at Ann\'s"',
    "date": "date 1924-03-06",
    "counters": "counters harr",
    "bank": "bank",
    "pair-by-pair": "pair-by-pair",
}


def _usage(text: str) -> str:
    word = re.match(r"\s*([a-z]+(?:-[a-z]+)*)\b", text)
    usage = _USAGES.get(word.group(1)) if word else None
    return f"it is written: {usage}" if usage else ""


def _misplaced(text: str, position: int, tokens: list[Token]) -> Refusal | None:
    """Something well formed that stands where it cannot, behind the *tokens* of its hand."""
    rest = text[position:]
    types = {token.type for token in tokens}
    clause = _terminal("DRAWN").match(rest) or _terminal("CLAIMED").match(rest)
    header = _terminal("HEADER").match(rest)
    tiles = _terminal("TILES").match(rest)
    if tiles and re.match("[a-zA-Z]", rest[tiles.end() :]):
        tiles = None
    if rest.startswith(":") and tokens:
        refusal = _stray_colon(text, position, tokens)
        if refusal is not None:
            return refusal
    if header and tokens:
        return _at(
            "second-seat",
            "a second seat",
            "a hand has one seat: type one hand at a time",
            text,
            position,
            _length(header),
        )
    if not types.isdisjoint(_CLAUSES):
        if tiles or rest[:1] in _BRACKETS or rest.startswith(("...", "…")):
            return _at(
                "tiles-after-win",
                "tiles stand after the winning tile",
                "the win clause comes last: put every other tile before it",
                text,
                position,
                len(tiles.group().split()[0]) if tiles else 1,
            )
        if clause:
            return _at(
                "second-win",
                "a second winning tile",
                "a hand is won by one tile; leave out the other",
                text,
                position,
                _length(clause),
            )
    if "FLAG" in types and (tiles or clause or rest[:1] in _BRACKETS):
        return _at(
            "after-flags",
            "nothing stands after the flags",
            "type the tiles held, then +7c or <7c, then its flags",
            text,
            position,
            _length(clause),
        )
    flag = _terminal("FLAG").match(rest)
    if types.issubset(("LABEL", *_SEATS)) and (clause or flag):
        return _at(
            "no-tiles-before-win" if clause else "no-tiles-before-flag",
            "no tiles before the winning tile" if clause else "there are no tiles before the flag",
            "type the tiles held, then +7c or <7c, then its flags"
            if clause
            else "type the tiles of the hand first",
            text,
            position,
            _length(clause or flag),
        )
    return None


def _length(match: re.Match[str] | None) -> int:
    return len(match.group().rstrip()) if match else 1


def _stray_colon(text: str, position: int, tokens: list[Token]) -> Refusal | None:
    """A colon behind a tile: behind a winning tile or, where the tile reads as a wind, a second seat."""
    last = tokens[-1]
    word = last.value.split()[-1]
    with_player = text[position:].split()[0]
    if last.type == "TILES" and word in ("E", "S", "N") and (len(tokens) > 1 or word != last.value.strip()):
        return _at(
            "second-seat",
            "a second seat",
            "a hand has one seat: type one hand at a time",
            text,
            position - 1,
            2,
        )
    if last.type in ("CLAIMED", "FLAG"):
        return _at(
            "claimed-from-nobody",
            "no player after the colon",
            "name who discarded the tile, as in <7c:E, or leave out the colon",
            text,
            position,
            1,
        )
    if last.type == "DRAWN":
        return _at(
            "drawn-from-a-player",
            "a tile that was drawn came from the wall, not from a player",
            f"type <{last.value[1:].strip()}{with_player} if it was claimed",
            text,
            position,
            len(with_player),
        )
    return None


def _line_mistake(text: str, position: int, start: str) -> Refusal | None:
    """Mistakes of a file's lines that are not mistakes of a hand."""
    usage = _usage(text)
    word = re.match(r"\s*([a-z]{3,}(?:-[a-z]+)*)\b", text)
    if usage and word and position >= word.end() and word.group(1) not in ("wash",):
        rest = text[position:].split("#")[0].rstrip()
        return _at(
            "bad-line",
            f"this is no {word.group(1)} line: {visible(rest[:40])!r} cannot stand here",
            usage,
            text,
            position,
            len(rest),
        )
    equals = re.search(r"=\s*$", text[:position])
    if equals:
        return _at(
            "bad-expected",
            f"{visible(text[equals.start() :].split('#')[0].strip()[:40])} is no expected score",
            "type = and the score, or = error where the line is to be refused",
            text,
            equals.start(),
            len(text[equals.start() :].split("#")[0].rstrip()),
        )
    margin = len(text) - len(text.lstrip())
    scored = _terminal("SEAT_LABEL", "SCORE").match(text, margin)
    if scored and text[scored.end() :][:1].strip():
        scored = None
    if scored and start == "row" and position > scored.end():
        behind = len(text) - len(text[scored.end() :].lstrip())
        return _at(
            "bad-line",
            f"{visible(text[behind:].split('#')[0].strip()[:40])!r} cannot stand behind a score",
            "a bare score wins with win, win drawn or win from S; then doubles 2, ninth",
            text,
            behind,
            len(text[behind:].split("#")[0].rstrip()),
        )
    if scored and start == "line":
        score = scored.group().rpartition(":")[2].strip()
        return _at(
            "score-alone",
            "a score without tiles stands in the block of a game's hand",
            f"type hand on a line of its own and {visible(scored.group())} indented below it",
            text,
            scored.end() - len(score),
            len(score),
        )
    if word and word.group(1) in _COMMANDS and start == "row" and word.group(1) != "note":
        return _at(
            "indented",
            f"a {word.group(1)} line stands by itself and is not indented",
            f"begin {word.group(1)} where the line begins",
            text,
            word.start(1),
            len(word.group(1)),
        )
    if word and position < word.end(1) and re.match(r"\s*[a-z]{3,}(\s|$|[^a-z\s])", text):
        known = [*_COMMANDS, "pays"] if start == "row" else _COMMANDS
        return _at(
            "unknown-line",
            f"no line begins with {word.group(1)!r}",
            did_you_mean(word.group(1), known, "a line is a hand, or begins with " + ", ".join(known)),
            text,
            word.start(1),
            len(word.group(1)),
        )
    if start == "row" and ":" not in text[:position] and ":" not in text[position:]:
        return _at(
            "row-without-seat",
            "a line of a block begins with a seat",
            "type S: and the hand or score, or pays and the nets; a line of its own is not indented",
            text,
            position,
            len(text) - position,
        )
    return None


def _hand_mistake(text: str, position: int) -> Refusal:
    rest = text[position:]
    if rest[:1] in _BRACKETS:
        refusal = _bracket_mistake(text, position)
        if refusal is not None:
            return refusal
    clause = re.match(r"[+<]\s*(?=[^\s!=#:])", rest)
    if clause:
        return _tile_mistake(text, position + clause.end())
    for mistake in _HAND_MISTAKES:
        match = mistake.at.match(rest)
        if match:
            return _from_row(mistake, match, text, position)
    return _tile_mistake(text, position)


def _bracket_mistake(text: str, opening: int) -> Refusal | None:
    """Walks from an opening bracket to what keeps it from being a set."""
    bracket = text[opening]
    closing = _BRACKETS[bracket]
    position = opening + 1
    while position < len(text):
        character = text[position]
        if character == closing:
            return None
        if character in ")]":
            return _at(
                "mixed-brackets",
                f"{bracket} is closed by {character}",
                "( … ) is a set on the table, [ … ] a declared concealed four",
                text,
                opening,
                position - opening + 1,
            )
        tiles = _terminal("TILES").match(text, position)
        if tiles:
            position = tiles.end()
        elif character.isspace():
            position += 1
        elif character == "+" and bracket == "(":
            if text[position + 1 :].lstrip().startswith(")"):
                return _at(
                    "win-without-tile",
                    "there is no tile after +",
                    "+ is followed by the fourth that was drawn: (111+1d)",
                    text,
                    position,
                    1,
                )
            position += 1
        elif character in "([<!=#":
            break
        else:
            return _tile_mistake(text, position)
    return _at(
        "open-bracket", f"{bracket} is never closed", f"close the set with {closing}", text, opening, 1
    )


def _tile_mistake(text: str, position: int) -> Refusal:
    if re.match(r"[bcdfsw](?![a-z])", text[position:]):
        # a class letter that the honors before it cannot have: they were read without it
        return _first_mistake(text, len(text[:position].rstrip("ESWNRG")))
    tiles = _terminal("TILES").match(text, position)
    return _first_mistake(text, tiles.end() if tiles and tiles.end() < len(text) else position)


def _first_mistake(text: str, position: int) -> Refusal:
    rest = text[position:]
    for mistake in _TILE_MISTAKES:
        match = mistake.at.match(rest)
        if match:
            return _from_row(mistake, match, text, position)
    for mistake in _HAND_MISTAKES:
        match = mistake.at.match(rest)
        if match:
            return _from_row(mistake, match, text, position)
    word = re.match(r"\w+", rest)
    shown = word.group() if word else rest[:1]
    return _at(
        "unknown-character",
        f"{visible(shown[:20])} is no tile",
        "a tile is its value and class letter: 5b 5c 5d, Ew, Rd, 1f, 1s",
        text,
        position,
        len(shown) or 1,
    )


def _from_row(mistake: _Mistake, match: re.Match[str], text: str, position: int) -> Refusal:
    mark = match.group("mark")
    shown = visible(mark if len(mark) <= 40 else mark[:40] + "…")
    values = {
        "mark": shown,
        "lower": shown.lower(),
        "upper": shown.upper(),
        "cased": shown[:-1].upper() + shown[-1:],
        "stem": shown[:-1],
        "last": shown[-1:],
    }
    return _at(
        mistake.code,
        mistake.message.format(**values),
        mistake.hint.format(**values),
        text,
        position + match.start("mark"),
        len(mark),
    )
