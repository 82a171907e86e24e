"""The lines of an .mj file as records: a hand, a block and its rows, an event, a setting."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, NamedTuple, TypeVar, cast

from lark.exceptions import UnexpectedInput

from mjscore.game.hand import Hand, Win, quote_name
from mjscore.game.tiles import WIND_NAMES, Tile
from mjscore.notation.hand_builder import Written, dealt_tiles, hand_of, unquote
from mjscore.notation.parsers import open_grammar
from mjscore.notation.reading import Parts
from mjscore.notation.strict_reader import StrictReader
from mjscore.refusal import Refused, refuse, tried

EXPECTS_ERROR = re.compile(r"=\s*error\s*(#.*)?$")
MOST_POINTS = 10**15 - 1
MOST_DOUBLES = 60
Expected = int | str | None  # a score, "error", or nothing expected


class HandLine(NamedTuple):
    """One hand, with or without an expected score."""

    label: str | None
    hand: Hand
    expected: Expected
    parts: Parts = Parts()

    def __str__(self) -> str:
        label = "" if self.label is None else f'"{self.label}" '
        return f"{label}{self.hand}{_expecting(self.expected)}"


class HeaderLine(NamedTuple):
    """A line that sets something for the lines below it, or says something about the table, by its *word*.

    ``rules`` has the fingerprint of the rulebook and options; ``bank`` and ``pair-by-pair`` have no *value*.
    """

    word: str
    value: str = ""
    parts: Parts = Parts()

    def __str__(self) -> str:
        if self.word in ("bank", "pair-by-pair"):
            return self.word
        if self.word in ("round", "rules"):
            return f"{self.word} {self.value}"
        return f"{self.word} " + (f'"{self.value}"' if self.word == "title" else quote_name(self.value))


class SettingLine(NamedTuple):
    """An option of the rulebook, set for the lines below."""

    option: str
    value: str

    def __str__(self) -> str:
        return f"set {self.option} {self.value if self.value.isdecimal() else quote_name(self.value)}"


class PlayersLine(NamedTuple):
    """The players of an evening, in the order East, South, West, North of its start."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"players {' '.join(map(quote_name, self.names))}"


class BlockLine(NamedTuple):
    """The head of one game hand; its rows follow."""

    label: str | None
    round: str | None

    def __str__(self) -> str:
        label = "" if self.label is None else f' "{self.label}"'
        return f"hand{label}{' ' if self.round else ''}{_at(self.round)}"


class EventLine(NamedTuple):
    """An event, by its *word* (``record.events`` lists them), and the players it names.

    A ``seat`` line names who comes and who leaves, either of them possibly empty. *rule* is the id of a penalty;
    *number* the points of a payment or the heads of a wash, *tiles* those heads; *manner* is ``four`` for a draw,
    ``not-touching`` for a wash.
    """

    word: str
    names: tuple[str, ...] = ()
    rule: str = ""
    number: int | None = None
    tiles: tuple[Tile, ...] = ()
    manner: str = ""
    parts: Parts = Parts()

    def __str__(self) -> str:
        if self.word == "seat":
            comes, leaves = self.names
            left = f" for {quote_name(leaves)}" if leaves else ""
            return f"seat {quote_name(comes) if comes else '-'}{left}"
        if self.tiles:
            groups = groupby(self.tiles, lambda tile: (tile.suit, tile.value.isdigit()))
            tiles = " ".join("".join(tile.value for tile in group) + suit for (suit, _), group in groups)
            return f"{self.word} {quote_name(self.names[0])}: {tiles}"
        words = [self.word, *map(quote_name, filter(None, (self.rule, *self.names)))]
        return " ".join([*words, *map(str, [self.number] * (self.number is not None)), *self.manner.split()])


class NoteLine(NamedTuple):
    """A note in the file."""

    text: str

    def __str__(self) -> str:
        return f"note {self.text}".rstrip()


class SeatRow(NamedTuple):
    """A seat of a block: what is *given* for it, which is a hand, a score alone, or None for a dead hand.

    *won* to *ninth* are written after a score alone, *round* before it or before a dead hand; a hand has its own.
    """

    name: str
    given: Hand | int | None
    won: bool = False
    drawn: bool | None = None
    discarder: str | None = None
    doubles: int | None = None
    ninth: bool = False
    expected: Expected = None
    round: str | None = None
    parts: Parts = Parts()

    def __str__(self) -> str:
        name = quote_name(self.name)
        if isinstance(self.given, Hand):
            hand = self.given._replace(seat=None, round=None)
            return f"{name}{_at(self.given.round)}: {hand}{_expecting(self.expected)}"
        parts = ["dead" if self.given is None else str(self.given)]
        parts += ["win"] * self.won + ["drawn"] * bool(self.drawn)
        parts += [f"from {quote_name(self.discarder)}"] if self.discarder is not None else []
        parts += [f"doubles {self.doubles}"] if self.doubles is not None else []
        return f"{name}{_at(self.round)}: {' '.join([*parts, *['ninth'] * self.ninth])}"


class PaysRow(NamedTuple):
    """The nets that seats are expected to win or lose."""

    nets: tuple[tuple[str, int], ...]
    parts: Parts = Parts()

    def __str__(self) -> str:
        return " ".join(["pays", *(f"{quote_name(name)} {points:+d}" for name, points in self.nets)])


class EastRow(NamedTuple):
    """Who was East in this hand, so that after a correction the file shows from where the winds no longer fit.

    With a *round*, the winds are taken as they were played, whatever the hands above imply; *passed* is how often
    East had passed in that round, if that cannot be derived.
    """

    name: str
    round: str | None = None
    passed: int | None = None

    def __str__(self) -> str:
        passed = "" if self.passed is None else f" {self.passed}"
        return f"east {quote_name(self.name)}{' ' if self.round else ''}{_at(self.round)}{passed}"


Line = HandLine | HeaderLine | SettingLine | PlayersLine | BlockLine | EventLine | NoteLine | None
Row = SeatRow | PaysRow | EastRow | NoteLine | None
Named = TypeVar("Named", bound=Line | Row | Win)
# fields that hold players or winds
_NAMING = ("name", "names", "nets", "discarder", "earlier", "all_from")


def renamed(record: Named, names: Mapping[str, str]) -> Named:
    """Return a record with its players renamed by *names*, from old name to new."""

    def named(value: Any) -> Any:
        return tuple(map(named, value)) if isinstance(value, tuple) else names.get(value, value)

    if record is None:
        return record
    other: Any = record
    changed = {field: named(getattr(record, field)) for field in _NAMING if field in other._fields}
    if isinstance(record, SeatRow) and isinstance(record.given, Hand):
        changed["given"] = record.given._replace(win=renamed(record.given.win, names))
    return cast(Named, other._replace(**changed))


class Lines:
    """Methods named like the rules of ``table.lark``, each of which returns the record of a rule."""

    def hand_line(self, parts: Sequence[Written]) -> HandLine:
        label = unquote(parts[0].value.rstrip()) if parts[0].type == "LABEL" else None
        expected = _expected(parts)
        return HandLine(label, hand_of(parts), expected, Parts(parts))

    def header(self, parts: Sequence[Written]) -> HeaderLine:
        word, *values = parts
        value = unquote(values[0].value) if values else ""
        if word.value == "round" and value not in WIND_NAMES:
            raise refuse("bad-round", about=values[0], name=value[:20])
        return HeaderLine(word.value, value, Parts(parts))

    def setting(self, parts: Sequence[Written]) -> SettingLine:
        return SettingLine(parts[1].value, unquote(parts[-1].value))

    def players(self, parts: Sequence[Written]) -> PlayersLine:
        names = _names(parts[1:])
        for number, (name, token) in enumerate(zip(names, parts[1:], strict=True)):
            if name in (*WIND_NAMES, "X"):
                raise refuse("player-name", "seat", about=token, name=name)
            if name in names[:number] or not name.strip():
                raise refuse("player-name", "twice" if name.strip() else "none", about=token, name=name)
        if not 2 <= len(names) <= 5:
            players = f"{len(names)} {'player' if len(names) == 1 else 'players'}"
            raise refuse("player-count", "line", about=parts[-1], players=players)
        return PlayersLine(names)

    def block(self, parts: Sequence[Written]) -> BlockLine:
        values = {part.type: part.value for part in parts}
        label, round_wind = values.get("QUOTED"), values.get("ROUND")
        return BlockLine(unquote(label) if label else None, round_wind[-1] if round_wind else None)

    def event(self, parts: Sequence[Written]) -> EventLine:
        word, *tokens = parts
        by_type = {part.type: part for part in tokens}
        number = _number(by_type["INTEGER"]) if "INTEGER" in by_type else None
        manner = next((by_type[kind].value for kind in ("FOUR", "NOT_TOUCHING") if kind in by_type), "")
        names = _names([token for token in tokens if token.type in ("NAME", "QUOTED")])
        if word.value == "penalty":
            return EventLine("penalty", names[1:], names[0], parts=Parts(parts))
        if word.value == "seat":
            comes, leaves = (*names, "")[:2]
            names = ("" if tokens[0].value == "-" else comes, leaves)
        return EventLine(word.value, names, number=number, manner=manner, parts=Parts(parts))

    def wash_hand(self, parts: Sequence[Written]) -> EventLine:
        return EventLine("wash", (parts[1].thing.name,), tiles=dealt_tiles(parts[2:]), parts=Parts(parts))

    def note(self, parts: Sequence[Written]) -> NoteLine:
        return NoteLine(parts[0].value[4:].strip())

    def empty(self, parts: Sequence[Written]) -> None:
        return None

    def seat_hand(self, parts: Sequence[Written]) -> SeatRow:
        expected, hand = _expected(parts), hand_of(parts)
        name, round_wind = _at_a_round(hand.seat or "", hand.round)
        hand = hand._replace(seat=None, round=round_wind)
        return SeatRow(name, hand, hand.win is not None, expected=expected, parts=Parts(parts))

    def seat_score(self, parts: Sequence[Written]) -> SeatRow:
        by_type = {part.type: part for part in parts}
        name, round_wind = _at_a_round(*parts[0].thing)
        score = _number(by_type["SCORE"]) if "SCORE" in by_type else None
        discarder = next(
            (unquote(by_type[kind].value) for kind in ("NAME", "QUOTED") if kind in by_type), None
        )
        drawn = None if discarder is None and "DREW" not in by_type else "DREW" in by_type
        doubles = _number(by_type["INTEGER"]) if "INTEGER" in by_type else None
        if doubles is not None and doubles > MOST_DOUBLES:
            raise refuse("huge-number", "doubles", about=by_type["INTEGER"], doubles=doubles)
        won, ninth = "WIN" in by_type, "NINTH" in by_type
        return SeatRow(
            name, score, won, drawn, discarder, doubles, ninth, round=round_wind, parts=Parts(parts)
        )

    def pays(self, parts: Sequence[Written]) -> PaysRow:
        points = map(_number, parts[2::2])
        return PaysRow(tuple(zip(_names(parts[1::2]), points, strict=True)), Parts(parts))

    def east(self, parts: Sequence[Written]) -> EastRow:
        _, name, *played = parts
        round_wind = played[0].value[-1] if played else None
        return EastRow(unquote(name.value), round_wind, *map(_number, played[1:]))


@lru_cache(maxsize=1)
def line_reader() -> StrictReader:
    """Return the parser of lines and rows."""
    return StrictReader(open_grammar("table.lark", ("line", "row")), Lines())


def parse_line(text: str) -> Line:
    """Return the record of an unindented line; None if it is empty. Raises Refused."""
    return cast(Line, _parsed(text, "line"))


def parse_row(text: str) -> Row:
    """Return the record of a row of a block; None if it is empty. Raises Refused."""
    return cast(Row, _parsed(text, "row"))


def parse_text(text: str) -> Line | Row:
    """Return the record of a line or, if it is indented, of a row. Raises Refused."""
    return cast("Line | Row", _parsed(text, "row" if text[:1] in (" ", "\t") else "line"))


def _parsed(text: str, start: str) -> Any:
    try:
        return line_reader().read(text, start)
    except UnexpectedInput as unexpected:
        # loaded only when a line is refused
        from mjscore.record.line_errors import explain_line

        raise Refused(tried(explain_line(text, unexpected, start), partial(_parsed, start=start))) from None


def _names(tokens: Sequence[Written]) -> tuple[str, ...]:
    return tuple(unquote(token.value) for token in tokens)


def _at(round_wind: str | None) -> str:
    return f"@{round_wind}" if round_wind else ""


def _expecting(expected: Expected) -> str:
    return "" if expected is None else f" = {expected}"


def _at_a_round(name: str, round_wind: str | None) -> tuple[str, str | None]:
    """Return a seat's name and round; a round that is no wind becomes part of the name, which is then unknown."""
    return (name, round_wind) if round_wind in (None, "E", "S", "W", "N") else (f"{name}@{round_wind}", None)


def _expected(parts: Sequence[Written]) -> Expected:
    """Return the expected score after a hand, or None."""
    if len(parts) < 2 or parts[-2].type != "EQUAL":
        return None
    return "error" if parts[-1].value == "error" else _number(parts[-1])


def _number(part: Written) -> int:
    if len(part.value) > len(str(MOST_POINTS)):
        raise refuse("huge-number", "figure", about=part, digits=len(part.value))
    return int(part.value.replace("−", "-"))
