"""The lines of an .mj file as records: a hand, a block and its rows, an event, a setting."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import Tile
from mjscore.notation.hands import (
    build_hand,
    concealed_tiles,
    hand_line_pattern,
    hand_line_pieces,
    parse_tokens,
    seat_of,
    unquote,
)
from mjscore.refusal import Refused, refuse

EXPECTS_ERROR = re.compile(r"=\s*error\s*(#.*)?$")
Expected = int | str | None  # a score, "error", or nothing expected


class HandLine(NamedTuple):
    """One hand, checked or just scored."""

    label: str | None
    hand: Hand
    expected: Expected


class RulebookLine(NamedTuple):
    """The rulebook of what follows."""

    name: str


class SettingLine(NamedTuple):
    """An option of the rulebook for what follows."""

    option: str
    value: str


class RoundLine(NamedTuple):
    """The round of the hands that follow."""

    wind: str


class PlayersLine(NamedTuple):
    """The players of an evening, seated East, South, West, North at its start."""

    names: tuple[str, ...]


class FingerprintLine(NamedTuple):
    """The fingerprint of the rulebook and options under which an evening was played."""

    fingerprint: str


class BlockLine(NamedTuple):
    """The head of one game hand; its rows follow."""

    label: str | None
    round: str | None


class DrawLine(NamedTuple):
    """A drawn game; *four* where a four was declared in it."""

    four: bool


class WashLine(NamedTuple):
    """A player washes the tiles: his heads are shown, or counted, or he asks for a new draw alone."""

    seat: str
    tiles: tuple[Tile, ...] = ()
    heads: int | None = None
    not_touching: bool = False


class FalseLine(NamedTuple):
    """A player announced Mah-Jongg with a hand that was none."""

    seat: str


class LongLine(NamedTuple):
    """A player holds too many tiles, and play stops."""

    seat: str


class PayLine(NamedTuple):
    """A payment that was agreed."""

    payer: str
    payee: str
    points: int


class NoteLine(NamedTuple):
    """A remark, kept with the file."""

    text: str


class SeatRow(NamedTuple):
    """A seat of a block: its hand, its bare score, or None for a dead hand.

    *won*, *drawn*, *discarder*, *doubles* and *ninth* are what stands behind a bare score.
    """

    name: str
    given: Hand | int | None
    won: bool = False
    drawn: bool | None = None
    discarder: str | None = None
    doubles: int | None = None
    ninth: bool = False
    expected: Expected = None


class PaysRow(NamedTuple):
    """The net that each seat is expected to win or lose."""

    nets: tuple[tuple[str, int], ...]


class EastRow(NamedTuple):
    """Who was East in this hand, so that a mended file shows where the winds stop fitting."""

    name: str


Line = (
    HandLine
    | RulebookLine
    | SettingLine
    | RoundLine
    | PlayersLine
    | FingerprintLine
    | BlockLine
    | DrawLine
    | WashLine
    | FalseLine
    | LongLine
    | PayLine
    | NoteLine
    | None
)
Row = SeatRow | PaysRow | EastRow | NoteLine | None


def parse_hand_line(text: str) -> HandLine | None:
    """The record of a line that holds a hand; None for any other line. Raises Refused for no real hand.

    It gives what ``parse_line`` gives, and is quick.
    """
    match = hand_line_pattern().fullmatch(text)
    return None if match is None else _hand_line(match.group("HAND_LINE"), match.start("HAND_LINE"), text)


def parse_line(text: str) -> Line:
    """The record of a line that is not indented; None for an empty one. Raises Refused."""
    tree = parse_tokens(text, "line")
    children: list[Any] = tree.children
    line: Line = _LINES[tree.data](children, text)
    return line


def parse_row(text: str) -> Row:
    """The record of a row of a block; None for an empty one. Raises Refused."""
    tree = parse_tokens(text, "row")
    row: Row = _ROWS[tree.data](tree.children, text)
    return row


def _hand_line(token: str, offset: int, text: str) -> HandLine:
    if '"' not in token and "=" not in token:
        return HandLine(None, build_hand(token, text, offset), None)
    label = hand = None
    expected: Expected = None
    for piece in hand_line_pieces().finditer(token):
        if piece.lastgroup == "QUOTED":
            label = unquote(piece.group())
        elif piece.lastgroup == "HAND":
            hand = build_hand(piece.group(), text, offset + piece.start())
        else:
            expected = _expected(piece.group(), offset + piece.start(), text)
    assert hand is not None
    return HandLine(label, hand, expected)


def _expected(token: str, offset: int, text: str) -> Expected:
    figure = token[1:].strip()
    return "error" if figure == "error" else _points(figure, offset + token.index(figure), text)


def _number(token: Any, text: str) -> int:
    return _points(str(token), token.start_pos or 0, text)


def _points(figure: str, offset: int, text: str) -> int:
    digits = figure.replace("−", "-")
    if len(digits) > 15:
        raise refuse(
            "huge-number",
            f"a number of {len(digits)} digits is no score",
            "type the points of one hand",
            1,
            offset + 1,
            len(digits),
            text,
        )
    return int(digits)


def _block(children: list[Any], text: str) -> BlockLine:
    label = round_wind = None
    for token in children:
        if token.type == "QUOTED":
            label = unquote(str(token))
        else:
            round_wind = str(token)[-1]
    return BlockLine(label, round_wind)


def _round(children: list[Any], text: str) -> RoundLine:
    if str(children[0]) not in ("E", "S", "W", "N"):
        raise _at(
            children[0],
            text,
            "bad-round",
            f"there is no round {str(children[0])[:20]!r}",
            "the rounds are E, S, W and N",
        )
    return RoundLine(str(children[0]))


def _at(token: Any, text: str, code: str, message: str, hint: str) -> Refused:
    return refuse(code, message, hint, 1, (token.start_pos or 0) + 1, len(token), text)


def _players(children: list[Any], text: str) -> PlayersLine:
    names = tuple(unquote(str(token)) for token in children)
    for place, name in enumerate(names):
        if name in ("E", "S", "W", "N", "X"):
            raise _at(
                children[place],
                text,
                "player-name",
                f"{name} is a seat, not a player's name",
                "give the player another name",
            )
        if name in names[:place] or not name.strip():
            raise _at(
                children[place],
                text,
                "player-name",
                f"two players are called {name}" if name.strip() else "a player has no name",
                "every player needs a name of his own",
            )
    if not 2 <= len(names) <= 5:
        raise _at(
            children[-1],
            text,
            "player-count",
            f"{len(names)} {'player' if len(names) == 1 else 'players'}",
            "two to five play, seated East, South, West, North; the fifth sits out first",
        )
    return PlayersLine(names)


def _wash_hand(children: list[Any], text: str) -> WashLine:
    seat, _ = seat_of(children[0])
    return WashLine(seat, concealed_tiles(children[1], children[1].start_pos or 0, text), None)


def _seat_score(children: list[Any], text: str) -> SeatRow:
    name, _ = seat_of(children[0])
    row = SeatRow(name, _number(children[1], text))
    if len(children) < 3:
        return row
    drawn: bool | None = None
    discarder = None
    doubles = None
    ninth = False
    for part in children[2].children:
        if part.data == "drawn":
            drawn = True
        elif part.data == "from":
            drawn, discarder = False, unquote(str(part.children[0]))
        elif part.data == "counted":
            doubles = _number(part.children[0], text)
            if doubles > 60:
                raise _at(
                    part.children[0],
                    text,
                    "huge-number",
                    f"{doubles} doubles are more than a hand can have",
                    "type the doubles of the winner's hand",
                )
        else:
            ninth = True
    return row._replace(won=True, drawn=drawn, discarder=discarder, doubles=doubles, ninth=ninth)


def _seat_hand(children: list[Any], text: str) -> SeatRow:
    name, round_wind = seat_of(children[0])
    if round_wind is not None:
        name = f"{name}@{round_wind}" if round_wind not in ("E", "S", "W", "N") else name
    hand = build_hand(children[1], text, children[1].start_pos)._replace(round=round_wind)
    expected = _expected(children[2], children[2].start_pos, text) if len(children) > 2 else None
    return SeatRow(name, hand, hand.win is not None, expected=expected)


def _pays(children: list[Any], text: str) -> PaysRow:
    pairs = []
    for name, number in zip(children[::2], children[1::2], strict=True):
        pairs.append((unquote(str(name)), _number(number, text)))
    return PaysRow(tuple(pairs))


_LINES: dict[str, Any] = {
    "hand_line": lambda children, text: _hand_line(children[0], children[0].start_pos, text),
    "rulebook": lambda children, text: RulebookLine(unquote(str(children[0]))),
    "setting": lambda children, text: SettingLine(str(children[0]), unquote(str(children[-1]))),
    "round": _round,
    "players": _players,
    "block": _block,
    "draw": lambda children, text: DrawLine(bool(children)),
    "wash_hand": _wash_hand,
    "wash_count": lambda children, text: WashLine(unquote(str(children[0])), (), _number(children[1], text)),
    "wash_new_draw": lambda children, text: WashLine(unquote(str(children[0]))),
    "wash_not_touching": lambda children, text: WashLine(unquote(str(children[0])), not_touching=True),
    "false_win": lambda children, text: FalseLine(unquote(str(children[0]))),
    "long_hand": lambda children, text: LongLine(unquote(str(children[0]))),
    "agreed_payment": lambda children, text: PayLine(
        unquote(str(children[0])), unquote(str(children[1])), _number(children[2], text)
    ),
    "note": lambda children, text: NoteLine(str(children[0])[4:].strip()),
    "fingerprint": lambda children, text: FingerprintLine(str(children[0])),
    "empty": lambda children, text: None,
}
_ROWS: dict[str, Any] = {
    "seat_hand_row": _seat_hand,
    "seat_score": _seat_score,
    "seat_dead": lambda children, text: SeatRow(seat_of(children[0])[0], None),
    "pays": _pays,
    "east": lambda children, text: EastRow(unquote(str(children[0]))),
    "note": lambda children, text: NoteLine(str(children[0])[4:].strip()),
    "empty": lambda children, text: None,
}
