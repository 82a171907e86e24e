"""A hand as people type it, read in the strict notation: ``w 123b 444c eee / 77d 67c <8c:e``.

The strict reading goes first. Only what it refuses is written anew, piece by piece, and read again by the
same parser: nothing that is valid changes its meaning. What would have two readings is refused with both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES, Tile, format_tiles
from mjscore.notation.groups import Letters, groups_of, letters_of, said_back, two_meanings
from mjscore.notation.hands import parse
from mjscore.notation.names import ANYBODY, People, nobody_called
from mjscore.notation.tokens import tile_run
from mjscore.notation.words import (
    BONUS_WORDS,
    EMPTY_WORDS,
    FLAG_WORDS,
    KIND_WORDS,
    NUMBER_WORDS,
    SIGN_WORDS,
    SUIT_WORDS,
    TILE_WORDS,
    TWO_MEANINGS,
)
from mjscore.refusal import Refusal, Refused, refuse, visible

LONGEST_HAND = 300  # characters; what is longer was not typed as one hand
FOUR_WITHOUT_BRACKETS = "four-without-brackets"


class Reading(NamedTuple):
    """How a hand was read: its strict *text*, the *hand*, and *remarks* on what was taken for what.

    *loosely* is whether the text as it was typed was not the strict notation.
    """

    text: str
    hand: Hand
    loosely: bool = False
    remarks: tuple[str, ...] = ()


class OpenFour(Refused):
    """Four equal tiles without brackets: *lines* are the hand with the four claimed, and declared concealed."""

    def __init__(self, refusal: Refusal, lines: tuple[str, ...]) -> None:
        super().__init__(refusal)
        self.lines = lines


class _Piece(NamedTuple):
    """Tiles of one group, or a set with its brackets."""

    text: str
    tiles: tuple[Tile, ...]
    bracket: str = ""


class _Typed(NamedTuple):
    """A hand taken apart: its seat, its pieces in the order typed, and how it ends."""

    header: str
    pieces: tuple[_Piece, ...]
    ending: str
    winning: Tile | None

    def line(self) -> str:
        """The hand in the strict notation."""
        return " ".join(
            part for part in (self.header, *(piece.text for piece in self.pieces), self.ending) if part
        )


def read_hand(text: str, people: People = ANYBODY, holds: Callable[[Hand], bool] | None = None) -> Reading:
    """The hand that a person means by *text*, and its strict line.

    *holds* says of a hand whether the rules score it; of several readings, the one that holds is meant.
    Raises Refused: with the refusal of the strict reading where the text cannot be read loosely either, and
    with every reading that is left where there are two.
    """
    try:
        hand = parse(text)
        if _names_known(hand, people):
            return Reading(text, hand)
        strict = None
    except Refused as refused:
        hand, strict = None, refused
    if len(text) > LONGEST_HAND:
        if strict is not None:
            raise strict
        assert hand is not None
        return Reading(text, hand)
    readings: dict[Hand, str] = {}
    others: list[Refused] = []
    for typed in _taken_apart(normal(text), people, others):
        for line in _lines(typed, others):
            try:
                readings.setdefault(parse(line), line)
            except Refused as refused:
                if _words(line) != _words(text):
                    others.append(refused)
    if readings:
        read, line = _meant(readings, holds)
        if (
            strict is not None
            and strict.refusal.code == "too-many-tiles"
            and holds is not None
            and not holds(read)
        ):
            raise strict
        return Reading(line, read, line != text, tuple(said_back(normal(text))))
    asked = next((other for other in others if other.refusal.code in _ASKING), None)
    if strict is None and asked is None:
        assert hand is not None
        return Reading(text, hand)  # names that nobody here has: the table says so
    if strict is None:
        strict = asked
    assert strict is not None
    if strict.refusal.code == "ambiguous-w" and asked is not None and asked.refusal.code == "ambiguous-w":
        raise strict
    if isinstance(asked, OpenFour):
        raise OpenFour(_placed(asked.refusal, text), asked.lines)
    if asked is not None:
        raise Refused(_placed(asked.refusal, text))
    raise others[0] if others else strict


def read_tiles(text: str) -> str | None:
    """Tiles that are no hand, in the notation; None where *text* is none. Raises Refused for two meanings."""
    typed = _body("", normal(text), ANYBODY)
    if typed is None or typed.ending or any(piece.bracket or not piece.tiles for piece in typed.pieces):
        return None
    return typed.line()


def _meant(readings: dict[Hand, str], holds: Callable[[Hand], bool] | None) -> tuple[Hand, str]:
    """The one hand that is meant, with its line. Raises Refused where two are left."""
    if len(readings) > 1 and holds is not None:
        # of hands that no rule scores, the first is as good as any: its refusal is shown
        readings = {hand: line for hand, line in readings.items() if holds(hand)} or dict(
            [*readings.items()][:1]
        )
    if len(readings) > 1:
        first, second = list(readings.values())[:2]
        raise refuse("two-readings", "this can be read as two hands", f"type {first} or {second}")
    return next(iter(readings.items()))


_ASKING = (
    "nobody-again",
    "unknown-player",
    "two-meanings",
    "ambiguous-w",
    "two-people",
    FOUR_WITHOUT_BRACKETS,
)


def _words(text: str) -> str:
    return "".join(text.split())


def _names_known(hand: Hand, people: People) -> bool:
    win = hand.win
    named = [hand.seat] if win is None else [hand.seat, win.discarder, win.earlier, win.all_from]
    return all(name is None or name in WIND_NAMES or name in people.players.values() for name in named)


def _placed(refusal: Refusal, text: str) -> Refusal:
    """A refusal with its first word marked in the text as it was typed."""
    if refusal.column is not None:
        return refusal
    word = refusal.about.name if refusal.about is not None else refusal.message.split(" ")[0]
    column = text.rfind(word) if refusal.about is not None else text.find(word)
    if column < 0:
        return refusal._replace(line=1, column=1, length=max(1, len(text)), text=text)
    return refusal._replace(line=1, column=column + 1, length=len(word), text=text)


# ------------------------------------------------------------- characters

_PROMPT = re.compile(
    r"\s*(?:(?:[$%>»]|>>>|[0-9]+(?: \([^()]*\))?>|[0-9]+ \|)\s+)?(?:mjscore +(?:score|waits) +)?"
)
_CHARACTERS = {
    **dict.fromkeys("“”„‟«»", '"'),
    **dict.fromkeys("‘’‚‛", "'"),
    **dict.fromkeys("。、，；", " "),
    **dict.fromkeys("〈《‹", "<"),
    **dict.fromkeys("【〔「", "["),
    **dict.fromkeys("】〕」", "]"),
    **dict.fromkeys("\u200b\u200c\u200d\ufeff\u2060", ""),
}
_WIDE = re.compile("[\uff01-\uff5e\u3000\xa0\u2000-\u200a\u202f\u2026]")
_ODD = re.compile("[" + "".join(_CHARACTERS) + "]")


def normal(text: str) -> str:
    """*text* without prompt and outer quotes, in the keyboard's characters."""
    plain = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    plain = _ODD.sub(lambda match: _CHARACTERS[match[0]], plain)
    plain = _PROMPT.sub("", plain, count=1).strip()
    if len(plain) > 1 and plain[0] in "\"'" and plain[-1] == plain[0] and plain.count(plain[0]) == 2:
        plain = plain[1:-1].strip()
    return plain


# ------------------------------------------------------------- taking apart

_TOKEN = re.compile(
    r"""(?P<space>[\s,;]+|\.(?!\.))
      | (?P<dots>\.\.\.)
      | (?P<set>\((?P<exposed>[^()\[\]<>]*)\)|\[(?P<declared>[^()\[\]<>]*)\])
      | (?P<slash>/)
      | (?P<sign>[+<>])
      | !\s*(?P<flag>[A-Za-z]+)(?:\s*:\s*(?P<player>"[^"]*"|[^\s"!:,;]+))?
      | :\s*(?P<discarder>"[^"]*"|[^\s"!:,;.]+)
      | (?P<unicode>(?:[\U0001F000-\U0001F029]\uFE0E?\uFE0F?)+)
      | (?P<word>[^\s,;.()\[\]/+<>!:=\#"\U0001F000-\U0001F029]+)
      | (?P<name>"[^"]*")
    """,
    re.VERBOSE,
)
_HEADER = re.compile(
    r"""(?P<name>"[^"]+"|[^\W\d]+)(?:\s*@\s*(?P<round>[A-Za-z]+))?(?:\s*(?P<colon>:)|(?=[\s,;]))[\s,;]*"""
)
_UNSHIFTED_COLON = re.compile(r"(<[^<>+!:;]{1,12});\s*(?=[^\W\d])")


def _taken_apart(text: str, people: People, others: list[Refused]) -> Iterator[_Typed]:
    """Every way to take *text* apart: its first word as a seat, or as a tile. What is refused goes to *others*."""
    text = _UNSHIFTED_COLON.sub(r"\1:", text)
    headers: list[tuple[str, str]] = []
    header = _header(text, people, others)
    if header is not None:
        headers.append((header[0], text[header[1] :]))
    if header is None or not header[2]:
        headers.append(("", text))
    for seat, body in headers:
        try:
            typed = _body(seat, body, people)
        except Refused as refused:
            others.append(refused)
            continue
        if typed is not None:
            yield typed


def _header(text: str, people: People, others: list[Refused]) -> tuple[str, int, bool] | None:
    """The seat that *text* begins with, where its tiles begin, and whether a colon says that it is one."""
    for name in people.players.values():
        if " " in name and text.casefold().startswith(f"{name.casefold()} "):
            wind = next(wind for wind, player in people.players.items() if player == name)
            return f"{wind}:", len(name) + 1, True
    match = _HEADER.match(text)
    if match is None:
        return None
    try:
        seat = people.seat(match["name"])
        round_wind = People().strict(match["round"]) if match["round"] else None
    except Refused as refused:
        others.append(refused)
        return None
    if seat is None or (match["round"] and round_wind is None):
        return None
    # a hand alone has a wind for its seat; the caller puts the player's name in its place
    if seat not in WIND_NAMES:
        seat = next(wind for wind, player in people.players.items() if player == seat)
    if seat not in WIND_NAMES:
        return None
    return f"{seat}@{round_wind}:" if round_wind else f"{seat}:", match.end(), bool(match["colon"])


class _Body:
    """What has been read of a hand so far."""

    def __init__(self, letters: Letters) -> None:
        self.letters = letters
        self.pieces: list[_Piece] = []
        self.sign = ""
        self.said = False  # whether the sign was a word, which may stand behind its tile
        self.winning: Tile | None = None
        self.stated = ""  # the set that it completed, in brackets
        self.discarder: str | None = None
        self.flags: list[str] = []

    def add(self, group: str) -> bool:
        """Takes a group of tiles; the one behind a sign wins."""
        run = tile_run(group)
        tiles = run.tiles + run.bonus
        if self.sign and self.winning is None:
            if len(tiles) != 1:
                return False
            self.winning = tiles[0]
            return True
        if self.sign and self.sign not in "+<":
            return False
        if self.winning is not None or self.flags:
            return False
        self.pieces.append(_Piece(group, tiles))
        return True

    def take_last(self) -> bool:
        """The tile typed last, alone, is the winning tile."""
        if not self.pieces or self.pieces[-1].bracket or len(self.pieces[-1].tiles) != 1:
            return False
        self.winning = self.pieces.pop().tiles[0]
        return True

    def ending(self) -> str:
        clause = ""
        if self.winning is not None:
            clause = f"{self.sign}{self.winning}{self.stated}" + (
                f":{_quoted(self.discarder)}" if self.discarder else ""
            )
        return clause + "".join(f"!{flag}" for flag in self.flags)


def _quoted(name: str) -> str:
    from mjscore.game.hand import quote_name

    return quote_name(name)


def _tokens(text: str) -> list[re.Match[str]] | None:
    """The tokens of *text* without what parts them; None where something in it is none."""
    tokens = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        position = match.end()
        if not match["space"]:
            tokens.append(match)
    return tokens


def _body(header: str, text: str, people: People) -> _Typed | None:
    """*text* without its seat, taken apart; None where it is no hand. Raises Refused for two meanings."""
    tokens = _tokens(text)
    if not tokens:
        return None
    body = _Body(letters_of(text))
    index = 0
    while index < len(tokens):
        taken = _take(tokens, index, body, people)
        if not taken:
            return None
        index += taken
    if body.sign and body.winning is None and not (body.said and body.take_last()):
        return None
    if body.discarder and body.sign == "+":
        return None
    return _Typed(header, tuple(body.pieces), body.ending(), body.winning)


def _take(tokens: list[re.Match[str]], index: int, body: _Body, people: People) -> int:
    """Takes what begins at a token; how many tokens that were, 0 where it cannot stand there."""
    token = tokens[index]
    if token["set"]:
        piece = _bracket(token, body.letters)
        if piece is None or body.flags:
            return 0
        if not body.sign:
            body.pieces.append(piece)
        elif body.winning is None or body.discarder or body.stated or token.string[token.start() - 1] == " ":
            return 0
        else:
            body.stated = piece.text
    elif token["unicode"]:
        return int(body.add(token["unicode"]))
    elif token["dots"]:
        body.pieces.append(_Piece("...", ()))
    elif token["slash"]:
        return int(_lay_down(body))
    elif token["sign"]:
        return int(_sign(token["sign"], token.string, body))
    elif token["flag"]:
        named = people.strict(token["player"]) if token["player"] else None
        if token["player"] and named is None:
            return 0
        body.flags.append(token["flag"].lower() + (f":{_quoted(named)}" if named else ""))
    elif token["discarder"]:
        return int(body.sign == "<" and body.winning is not None and _from(token["discarder"], body, people))
    elif token["word"]:
        return _word(tokens, index, body, people)
    else:
        return 0
    return 1


def _sign(sign: str, text: str, body: _Body) -> bool:
    if body.sign:
        return False
    if sign == ">":
        claimed = text.replace(">", "<").strip()
        raise refuse("wrong-sign", "> is no sign: a claimed tile has < before it", f"type {visible(claimed)}")
    body.sign = sign
    return True


def _from(word: str, body: _Body, people: People) -> bool:
    """Takes the player who discarded the winning tile."""
    if body.discarder:
        return False
    named = people.strict(word)
    if named is None and people.players:
        raise nobody_called(word, people.players.values())
    body.discarder = named or word.strip('"')
    return True


def _lay_down(body: _Body) -> bool:
    """All that stands before the slash lies on the table: each group is a set."""
    if body.sign or body.flags or not body.pieces:
        return False
    laid: list[_Piece] = []
    for piece in body.pieces:
        if piece.bracket or not piece.tiles or any(tile.is_bonus for tile in piece.tiles):
            laid.append(piece)
        elif len(piece.tiles) > 4 or re.search("[A-Z]$", piece.text):
            # honors without a class letter part where one kind ends
            laid += [_table_set(tiles, tiles[0].value * len(tiles)) for tiles in _alike(piece.tiles)]
        else:
            laid.append(_table_set(piece.tiles, piece.text))
    body.pieces = laid
    return True


def _alike(tiles: tuple[Tile, ...]) -> list[tuple[Tile, ...]]:
    parts: list[list[Tile]] = []
    for tile in tiles:
        if parts and parts[-1][0] == tile:
            parts[-1].append(tile)
        else:
            parts.append([tile])
    return [tuple(part) for part in parts]


def _table_set(tiles: tuple[Tile, ...], text: str) -> _Piece:
    # a four may have been claimed or declared: which, is not guessed
    if len(tiles) == 4 and len(set(tiles)) == 1:
        return _Piece(text, tiles, "?")
    return _Piece(f"({text})", tiles, "(")


_GROWN_HONORS = re.compile(r"(?P<three>[eswnrg]{3})\s*\+\s*(?P<fourth>[eswnrg][wd]?)", re.IGNORECASE)
_GROWN_SUITED = re.compile(r"(?P<three>[1-9]{3})\s*\+\s*(?P<fourth>[1-9]\w)")


def _bracket(token: re.Match[str], letters: Letters) -> _Piece | None:
    inside = (token["exposed"] if token["exposed"] is not None else token["declared"]).strip()
    opening, closing = token["set"][0], token["set"][-1]
    if "+" in inside:
        grown = _GROWN_SUITED.fullmatch(inside)
        fourth = groups_of(grown["fourth"], letters, True) if grown else None
        if grown and fourth:
            return _Piece(f"({grown['three']}+{fourth[0]})", tile_run(grown["three"] + fourth[0]).tiles, "(")
        grown = _GROWN_HONORS.fullmatch(inside)
        if grown is None:
            return None
        value, letter = grown["fourth"][0].upper(), grown["fourth"][1:].lower()
        text = f"({grown['three'].upper()}+{value}{letter})"
        return _Piece(text, tile_run(grown["three"].upper() + value + letter).tiles, "(")
    groups: list[str] = []
    words = [word for word in re.split(r"[\s,;.]+", inside) if word]
    pending = ""
    for word in words:
        if re.fullmatch("[1-9]", word):
            pending += word
            continue
        named = TILE_WORDS.get(word.casefold())
        found = [named] if named else groups_of(pending + word, letters, True)
        pending = ""
        if found is None:
            return None
        groups += found
    if pending:
        return None
    tiles = tile_run(" ".join(groups)).tiles
    return _Piece(f"{opening}{' '.join(groups)}{closing}", tiles, opening)


# ------------------------------------------------------------- words


def _word(tokens: list[re.Match[str]], index: int, body: _Body, people: People) -> int:
    """Takes a word and those that go with it; how many tokens that were, 0 where it cannot stand there."""
    word = tokens[index]["word"].casefold()
    after = _next_word(tokens, index + 1)
    if index and word in EMPTY_WORDS:
        return 1
    if word == "from":
        return _claimed_from(tokens, index, body, people)
    if word in ("no", "self") and after in ("choice", "drawn", "draw"):
        if word == "no":
            body.flags.append("nochoice")
            return 2
        return 2 * _won(SIGN_WORDS["self"], body)
    if word in SIGN_WORDS and not (word == "drawn" and body.sign):
        return int(_won(SIGN_WORDS[word], body))
    flag = FLAG_WORDS.get(word) or (_flag_begun(word, people) if body.winning is not None else None)
    if flag is not None:
        body.flags.append(flag)
        return 1
    if body.sign == "<" and body.winning is not None and people.is_whole_name(word):
        return int(_from(word, body, people))
    if word in BONUS_WORDS and re.fullmatch("[1-4]", after):
        return 2 * body.add(after + BONUS_WORDS[word])
    value = NUMBER_WORDS.get(word, word)
    if re.fullmatch("[1-9]+", value) and after in SUIT_WORDS:
        return 2 * body.add(value + SUIT_WORDS[after])
    if re.fullmatch("[1-9]", word):
        return _shared_class(tokens, index, body)
    if word in TWO_MEANINGS:
        raise two_meanings(tokens[index]["word"], TWO_MEANINGS[word])
    if word in TILE_WORDS:
        tile = TILE_WORDS[word]
        kind = KIND_WORDS.get(after)
        if kind is not None and kind != tile[-1]:
            return 0
        return (1 + (kind is not None)) * body.add(tile)
    groups = groups_of(tokens[index]["word"], body.letters, False)
    return int(groups is not None and all(body.add(group) for group in groups))


def _flag_begun(word: str, people: People) -> str | None:
    """The flag behind a winning tile of which *word* is the beginning; two letters, and nobody's name."""
    fitting = {flag for name, flag in FLAG_WORDS.items() if len(word) > 1 and name.startswith(word)}
    names = (*WIND_NAMES.values(), *people.players.values())
    if len(fitting) != 1 or any(name.casefold().startswith(word) for name in names):
        return None
    return fitting.pop()


def _next_word(tokens: list[re.Match[str]], index: int) -> str:
    return (tokens[index]["word"] or "").casefold() if index < len(tokens) else ""


def _won(sign: str, body: _Body) -> bool:
    if body.sign:
        return body.sign == sign
    body.sign = sign
    body.said = True
    return True


def _claimed_from(tokens: list[re.Match[str]], index: int, body: _Body, people: People) -> int:
    """``from ben``: behind the winning tile, with or without its sign."""
    name = tokens[index + 1] if index + 1 < len(tokens) else None
    word = (name["word"] or name["name"]) if name is not None else None
    if not word or body.sign == "+":
        return 0
    if body.winning is None and not body.take_last():
        return 0
    body.sign = "<"
    return 2 * _from(word, body, people)


def _shared_class(tokens: list[re.Match[str]], index: int, body: _Body) -> int:
    """``1 2 3b``: single values whose class letter the last of them has."""
    values = ""
    for number, token in enumerate(tokens[index:], 1):
        word = token["word"] or ""
        if re.fullmatch("[1-9]", word):
            values += word
        elif re.fullmatch(r"[1-9]\D", word):
            groups = groups_of(values + word, body.letters, False)
            return number if groups is not None and all(body.add(group) for group in groups) else 0
        else:
            break
    return 0


# ------------------------------------------------------------- what only the count of tiles tells


def _lines(typed: _Typed, others: list[Refused]) -> Iterator[str]:
    """The strict lines that a hand taken apart may stand for; fours without brackets are refused to *others*."""
    fours = [number for number, piece in enumerate(typed.pieces) if _is_open_four(piece)]
    asked = [number for number in fours if typed.pieces[number].bracket == "?"]
    held = [piece for piece in typed.pieces if piece.bracket in ("", "?")]
    tiles = sum(not tile.is_bonus for piece in held for tile in piece.tiles)
    sets = sum(bool(piece.bracket) and piece.bracket != "?" for piece in typed.pieces)
    over = tiles + 3 * sets - 13
    if asked or (fours and over > 0):
        others.append(_without_brackets(typed, asked or fours))
        return
    yield typed.line()
    if over == 1 and typed.winning is not None:
        yield from _winning_tile_taken_out(typed, typed.winning)


def _is_open_four(piece: _Piece) -> bool:
    return piece.bracket in ("", "?") and len(piece.tiles) == 4 and len(set(piece.tiles)) == 1


def _without_brackets(typed: _Typed, fours: list[int]) -> Refused:
    lines = []
    for opening, closing in ("()", "[]"):
        pieces = [
            piece._replace(text=f"{opening}{piece.text}{closing}") if number in fours else piece
            for number, piece in enumerate(typed.pieces)
        ]
        lines.append(typed._replace(pieces=tuple(pieces)).line())
    four = typed.pieces[fours[0]].text
    refusal = Refusal(
        FOUR_WITHOUT_BRACKETS,
        f"{four}: a four needs brackets",
        f"type {lines[0]} if it was claimed, {lines[1]} if it was declared concealed",
    )
    return OpenFour(refusal, tuple(lines))


def _winning_tile_taken_out(typed: _Typed, winning: Tile) -> Iterator[str]:
    """The hand without the winning tile among the tiles before it, or in the set on the table that it completed."""
    pieces = typed.pieces
    for number in reversed(range(len(pieces))):
        if not pieces[number].bracket and winning in pieces[number].tiles:
            yield _with_one_less(typed, number, winning)
            break
    if typed.ending.startswith("<"):
        for number, piece in enumerate(pieces):
            if piece.bracket == "(" and len(piece.tiles) == 3 and winning in piece.tiles:
                yield _with_one_less(typed, number, winning)


def _with_one_less(typed: _Typed, number: int, tile: Tile) -> str:
    left = list(typed.pieces[number].tiles)
    left.remove(tile)
    pieces = list(typed.pieces)
    pieces[number : number + 1] = [_Piece(format_tiles(left), tuple(left))] if left else []
    return typed._replace(pieces=tuple(pieces)).line()
