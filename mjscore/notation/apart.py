"""A typed hand taken apart: its seat, its sets and groups of tiles, its signs, words and names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mjscore.game.hand import quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.body import Body
from mjscore.notation.groups import Letters, groups_of, letters_of
from mjscore.notation.names import People
from mjscore.notation.pieces import Piece, Typed
from mjscore.notation.said import take_word
from mjscore.notation.tokens import tile_run
from mjscore.notation.words import TILE_WORDS
from mjscore.refusal import Refused

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


def taken_apart(text: str, people: People, others: list[Refused]) -> Iterator[Typed]:
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
            typed = body_of(seat, body, people)
        except Refused as refused:
            others.append(refused)
            continue
        if typed is not None:
            yield typed


def with_short_seat(text: str, people: People) -> str:
    """*text* with the seat that it begins with as the notation writes it, and every other character in its column."""
    header = _header(text, people, [])
    if header is None:
        return text
    seat, end, _ = header
    return f"{seat.ljust(end)}{text[end:]}" if len(seat) <= end else text


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


def body_of(header: str, text: str, people: People) -> Typed | None:
    """*text* without its seat, taken apart; None where it is no hand. Raises Refused for two meanings."""
    tokens = _tokens(text)
    if not tokens:
        return None
    body = Body(letters_of(text))
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
    return Typed(header, tuple(body.pieces), body.ending(), body.winning)


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


def _take(tokens: list[re.Match[str]], index: int, body: Body, people: People) -> int:
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
        body.pieces.append(Piece("...", ()))
    elif token["slash"]:
        return int(body.lay_down())
    elif token["sign"]:
        return int(body.take_sign(token["sign"], token.string))
    elif token["flag"]:
        named = people.strict(token["player"]) if token["player"] else None
        if token["player"] and named is None:
            return 0
        body.flags.append(token["flag"].lower() + (f":{quote_name(named)}" if named else ""))
    elif token["discarder"]:
        return int(
            body.sign == "<" and body.winning is not None and body.take_discarder(token["discarder"], people)
        )
    elif token["word"]:
        return take_word(tokens, index, body, people)
    else:
        return 0
    return 1


_GROWN_HONORS = re.compile(r"(?P<three>[eswnrg]{3})\s*\+\s*(?P<fourth>[eswnrg][wd]?)", re.IGNORECASE)
_GROWN_SUITED = re.compile(r"(?P<three>[1-9]{3})\s*\+\s*(?P<fourth>[1-9]\w)")


def _bracket(token: re.Match[str], letters: Letters) -> Piece | None:
    inside = (token["exposed"] if token["exposed"] is not None else token["declared"]).strip()
    opening, closing = token["set"][0], token["set"][-1]
    if "+" in inside:
        grown = _GROWN_SUITED.fullmatch(inside)
        fourth = groups_of(grown["fourth"], letters, True) if grown else None
        if grown and fourth:
            return Piece(f"({grown['three']}+{fourth[0]})", tile_run(grown["three"] + fourth[0]).tiles, "(")
        grown = _GROWN_HONORS.fullmatch(inside)
        if grown is None:
            return None
        value, letter = grown["fourth"][0].upper(), grown["fourth"][1:].lower()
        text = f"({grown['three'].upper()}+{value}{letter})"
        return Piece(text, tile_run(grown["three"].upper() + value + letter).tiles, "(")
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
    return Piece(f"{opening}{' '.join(groups)}{closing}", tiles, opening)
