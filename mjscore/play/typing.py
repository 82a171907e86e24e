"""Read a line as it is typed at the table: one reading gives its rows or its event, or what is wrong with it and where.

w 123b 444c eee / 77d 67c <8c:e    2 8 64w 0    ben wins 64 from dee, others 0    w …<8c:e 2 8 0    ben pays ann 50
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple, cast

from lark.exceptions import UnexpectedInput

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.building import Reading, UnbracketedKong
from mjscore.notation.choosing import meant_hand, over
from mjscore.notation.hands import LONGEST_HAND, parse
from mjscore.notation.lexer import Piece
from mjscore.notation.mistakes import fault_of
from mjscore.notation.names import AGAIN
from mjscore.notation.speech import Ending, Part, Typed
from mjscore.notation.vocabulary import vocabulary
from mjscore.notation.ways import Way, Ways, read_ways
from mjscore.play.actions import COMMANDS
from mjscore.play.score_lines import (
    WHOLE,
    AtTable,
    LineLattice,
    Read,
    Told,
    TypedRow,
    against_commas,
    kinds_of,
    play_parser,
    seated,
)
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, Line, Row, SeatRow
from mjscore.record.lines import line_parser as record_parser
from mjscore.refusal import Refusal, Refused, did_you_mean, refuse, visible

_NAMING = frozenset(("SEAT", "WHO", "HOLDER", "OWNER", "DISCARDER", "WHOLE_NAME"))
_OF_A_SEAT = frozenset(("SEAT", "HOLDER", "COLON", "IS"))
_QUESTIONS = ("ambiguous-w", "two-meanings", "two-people")  # which the next letter may answer
_WORD = re.compile(r'"[^"]*"|[^\s,;:=]+')


class TypedLine(NamedTuple):
    """What a typed line tells: the rows of seats, or an event; *strict* where it is in the notation.

    Of a line that is still being typed, *fault* is the first thing in it that can become nothing, and rows may be missing.
    *against* counts how often it goes against the commas.
    """

    rows: tuple[TypedRow, ...] = ()
    event: EventLine | None = None
    fault: Refusal | None = None
    strict: bool = False
    against: int = 0

    @property
    def lines(self) -> list[str]:
        """Give its lines in the notation."""
        return [str(self.event)] if self.event is not None else [row.line for row in self.rows]


def read_line(text: str, table: AtTable, whole: bool = True) -> TypedLine:
    """Give what a line tells; where it is not *whole* yet, as much as is there.

    Raises Refused where it tells nothing that can be, or can mean two things; UnbracketedKong where a four lacks its
    brackets.
    """
    strict = _strictly(text, table) if text.strip() else TypedLine(strict=True)
    if strict is not None:
        return strict
    lattice = LineLattice(text[:LONGEST_HAND], table)
    ways = read_ways(play_parser(), "line", lattice)
    found, refused = _meanings(ways.read, lattice)
    if found:
        return _the_one(found, lattice)
    if not whole:
        return _so_far(ways, lattice)
    raise (refused or [_fault(ways, lattice)])[0]


def _strictly(text: str, table: AtTable) -> TypedLine | None:
    """Give what a line tells in the strict notation, where it names nobody who is not there."""
    happens = text.split(" ")[0] in EVENTS
    if ":" not in text and not happens:
        return None
    try:
        record = cast("Line | Row", record_parser().parse(text, start="line" if happens else "row"))
    except (UnexpectedInput, Refused):
        return None
    if isinstance(record, EventLine):
        return TypedLine(event=record, strict=True) if all(map(table.seat_of, record.names)) else None
    if not isinstance(record, SeatRow) or record.expected is not None:
        return None
    wind = table.seat_of(record.name) if record.name != table.sitting_out else None
    named = [record.discarder]
    reading = None
    if isinstance(record.given, Hand):
        win = record.given.win
        named = [win.discarder, win.earlier, win.all_from] if win is not None else []
        reading = Reading(f"{wind}: {text.partition(':')[2].strip()}", record.given)
    if wind is None or any(name is not None and not table.seat_of(name) for name in named):
        return None
    return TypedLine((TypedRow(record._replace(name=wind), reading),), strict=True)


def _meanings(
    reads: Iterable[Read], lattice: LineLattice, whole: bool = True
) -> tuple[list[TypedLine], list[Refused]]:
    """Give all that a line can mean, and what is refused of it, questions first."""
    found: list[TypedLine] = []
    refused: list[Refused] = []
    hands: dict[tuple[Told, ...], list[Typed]] = {}
    lines: list[tuple[TypedLine, tuple[Told, ...]]] = []
    for read in reads:
        if read.asked:
            refused.insert(0, Refused(read.asked[0]))
        elif read.typed is not None:
            hands.setdefault(read.told, []).append(read.typed)
        elif read.event is not None or read.told:
            lines.append((TypedLine(event=read.event), read.told))
        elif read.head is not None and not whole:
            wind = lattice.table.seat_of(read.head.value) or read.head.value
            reading = Reading(f"{wind}: ...", parse(f"{wind}: ..."))  # nothing more is there yet
            lines.append((TypedLine((TypedRow(SeatRow(wind, reading.hand), reading),)), ()))
    for told, typed in hands.items():
        try:
            lines.append((_hand_line(typed, lattice, whole), told))
        except UnbracketedKong as kong:
            rest = lattice.typed[told[0].start :] if told else ""
            typed_anew = tuple(f"{line} {rest}".strip() for line in kong.lines)
            raise UnbracketedKong(kong.refusal, typed_anew) from None
        except Refused as no_hand:
            # a question that a part of the hand raises does not know the line
            refusal = no_hand.refusal
            refused.append(Refused(refusal._replace(text=refusal.text or lattice.typed)))
    for line, told in lines:
        seats = [row.row.name for row in line.rows]
        winds = [wind for wind in lattice.table.untold if wind not in seats]
        try:
            rows = seated(lattice, told, winds, whole) if told else ()
        except Refused as no_rows:
            refused.append(no_rows)
        else:
            found.append(line._replace(rows=(*line.rows, *rows), against=against_commas(lattice, told)))
    # that the scores are not as many as the seats is told last: another reading may have said more
    refused.sort(key=lambda one: one.refusal.code == "whose-score")
    return found, refused


def _hand_line(typed: Sequence[Typed], lattice: LineLattice, whole: bool) -> TypedLine:
    """Give the row of the hand that is meant; of one that is not whole as much as makes a hand, and what is wrong then.

    Raises Refused.
    """
    table = lattice.table
    strangers = [
        one.seat
        for one in typed
        if one.seat is not None and one.seat.asked is None and table.seat_of(one.seat.value) is None
    ]
    if strangers and len(strangers) == len(typed):
        raise lattice.nobody(strangers[0].value, strangers[0].start, strangers[0].end)
    typed = [one for one in typed if one.seat not in strangers]
    reading, fault = (
        (meant_hand(typed, lattice, table.worth), None) if whole else _hand_so_far(typed, lattice)
    )
    wind = reading.hand.seat
    if wind is None and len(table.missing) == 1:
        (wind,) = table.missing
    if wind is None and whole:
        *names, last = map(table.shown, table.untold)
        raise refuse(
            "whose-hand",
            "it is not said whose hand this is",
            f"begin with {', '.join(names)} or {last}, as in {names[0]} {visible(reading.text)}",
            at=lattice.place(0, len(lattice.typed)),
        )
    row = SeatRow(wind or "", reading.hand._replace(seat=None), reading.hand.win is not None)
    return TypedLine((TypedRow(row, reading),), fault=fault)


def _hand_so_far(typed: Sequence[Typed], lattice: LineLattice) -> tuple[Reading, Refusal | None]:
    """Give the hand that is meant so far, and what is wrong with the part behind it. Raises Refused."""
    worth = lattice.table.worth
    typed = [one for one in typed if one.seat is not None] or typed
    try:
        return meant_hand([_with_dots(one) for one in typed], lattice, worth), None
    except UnbracketedKong:
        raise
    except Refused as refused:
        first, wrong = typed[0], refused
    while first.parts:
        last: Ending | Part = first.ending or first.parts[-1]
        first = first._replace(ending=Ending(), parts=first.parts if first.ending else first.parts[:-1])
        with contextlib.suppress(Refused):
            reading = meant_hand([_with_dots(first)], lattice, worth)
            return reading, lattice.placed(wrong, last.start, last.end).refusal
    raise wrong


def _with_dots(typed: Typed) -> Typed:
    """Give a hand that lacks tiles with dots for them."""
    if over(typed) >= 0 or typed.ending or any(part.text == "..." for part in typed.parts):
        return typed
    end = typed.parts[-1].end if typed.parts else 0
    return typed._replace(parts=(*typed.parts, Part("...", (), end, end)))


def _the_one(found: list[TypedLine], lattice: LineLattice) -> TypedLine:
    """Give the one thing that a line means. Raises Refused where two are left."""
    best = min(map(_doubt, found))
    meant: dict[object, TypedLine] = {}
    for line in found:
        if _doubt(line) == best:
            meant.setdefault((frozenset(row.row for row in line.rows), line.event), line)
    if len(meant) > 1:
        typed = [", ".join(row.replace(":", "", 1) for row in line.lines) for line in meant.values()]
        raise refuse(
            "two-readings",
            "this can be read in two ways",
            f"type {typed[0]} or {typed[1]}",
            at=lattice.place(0, len(lattice.typed)),
        )
    return next(iter(meant.values()))


def _doubt(line: TypedLine) -> tuple[bool | int, ...]:
    """Give how little people mean this: an event before rows, what is whole, one winner, as the commas part it."""
    rows = [row.row for row in line.rows]
    begun = any(isinstance(row.given, Hand) and row.given.unlisted for row in rows)
    whose = any(not row.name for row in rows)
    return line.event is None, begun, whose, sum(row.won for row in rows) > 1, line.against


def _so_far(ways: Ways, lattice: LineLattice) -> TypedLine:
    """Give what a line tells that is still being typed, and the first thing in it that can become nothing."""
    found, refused = _meanings(ways.read, lattice, False)
    clean = [line for line in found if line.fault is None]
    if clean:
        return _the_one(clean, lattice)
    begun = _begun([way.before if ways.read else way for way in ways.open])
    fault: Refusal | None = None
    if found or refused:
        fault = found[0].fault if found else refused[0].refusal
        assert fault is not None  # what is clean was given back
        end = (fault.column or 0) - 1 + fault.length
        asks = fault.code in _QUESTIONS and end >= len(lattice.typed.rstrip())
        may_go_on = asks or _may_go_on(begun, lattice)
    else:
        may_go_on = ways.furthest == lattice.end or _may_go_on(ways, lattice)
    before, _ = _meanings(begun.read, lattice, False)
    left = [line for line in before if line.fault is None] or (before if may_go_on else found or before)
    line = _the_one(left, lattice) if left else TypedLine()
    if may_go_on:
        return line
    return line._replace(fault=line.fault or fault or _fault(ways, lattice).refusal)


def _begun(ahead: Sequence[Way | None]) -> Ways:
    """Give the longest beginnings of a line that can be read, as if the words behind them said nothing yet."""
    left = [way for way in ahead if way is not None]
    while left:
        end = max(map(_end_of, left))
        here = [way for way in left if _end_of(way) == end]
        reads: list[Read] = []
        for way in here:
            with contextlib.suppress(UnexpectedInput, Refused):
                reads.append(way.after(Piece("UNFINISHED", "", end, end)).ended())
        if reads:
            return Ways(tuple(reads), (), end, tuple(here))
        before = {id(way.before): way.before for way in here if way.before is not None}
        left = [*(way for way in left if _end_of(way) < end), *before.values()]
    return Ways((), (), 0, ())


def _end_of(way: Way) -> int:
    return way.piece.end if way.piece is not None else -1


def _may_go_on(ways: Ways, lattice: LineLattice) -> bool:
    """Tell whether what stands behind the furthest of *ways* may become something that can stand there."""
    rest = lattice.text[ways.furthest :].strip(" ,;")
    if not rest or re.fullmatch(r'\.{1,2}|"[^"]*|[bcdfsmpwz]', rest):
        return True
    if rest[0] == "!":
        return any(flag.startswith(rest[1:].casefold()) for flag in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER))
    first = not lattice.text[: ways.furthest].strip()
    commands = first and any(word.startswith(rest.casefold()) for word in COMMANDS)
    return commands or bool(may_become(rest, ways.expected, lattice.table))


def may_become(begun: str, expected: Set[str], table: AtTable) -> list[str]:
    """Give the names and English words that begin so, of the kinds of pieces that are *expected*."""
    said = begun.strip('"').casefold()
    names: list[str] = []
    if not _NAMING.isdisjoint(expected):
        names = [*table.people.players.values(), *WIND_NAMES.values(), *([AGAIN] if table.again else [])]
    words = [
        phrase
        for phrase in vocabulary().begun(said)
        if any(
            meaning.language == "en" and not expected.isdisjoint(kinds_of(meaning))
            for meaning in vocabulary().meanings[phrase]
        )
    ]
    return [*(name for name in names if name.casefold().startswith(said)), *words]


def _fault(ways: Ways, lattice: LineLattice) -> Refused:
    """Give the refusal of a line that tells nothing, in the language of the table."""
    if ways.refused:
        return ways.refused[0]
    (first, *_), at, expected = lattice.starts(0), ways.furthest, ways.expected
    if first >= lattice.end:
        hint = "type help for what can be typed"
        return refuse("bad-line", "nothing is said", hint, at=lattice.place(0, first))
    word = _WORD.match(lattice.text, at)
    here = lattice.place(at, word.end() if word else lattice.end)
    typed = lattice.typed[here.start : here.end]
    named = visible(typed[:40])
    begins = _WORD.match(lattice.text, first)
    command = begins[0].casefold() if begins else ""
    players = ", ".join(lattice.table.players)
    heads = [piece for piece in lattice.at(first) if piece.kind in ("HOLDER", "SITTER")]
    sitting = heads
    if not heads or (heads[0].kind == "HOLDER" and first < at < lattice.end):
        sitting = list(lattice.at(at)) if at < lattice.end else []
    for piece in sitting:
        if piece.kind == "SITTER":
            return refuse(
                "sits-out",
                f"{visible(piece.value)} sits out, and has no line in this hand",
                f"the players are {players}",
                at=lattice.place(piece.start, piece.end),
            )
    if command in COMMANDS and not heads:
        if command not in EVENTS:
            return refuse("bad-line", f"{command} stands alone", f"type {command} alone", at=here)
        name = typed.strip('"')
        if at < lattice.end and name.isalpha() and "HOLDER" in expected:
            return lattice.nobody(name, here.start, here.end)
        if at < lattice.end and not expected - {"$END"}:
            return refuse("bad-line", f"{visible(name)!r} cannot stand here", WHOLE[command][1], at=here)
        return refuse("unfinished-line", *WHOLE[command], at=lattice.place(0, lattice.end))
    if at == first and (lattice.text[at] == '"' or lattice.text[here.end : here.end + 1] in (":", "=")):
        return lattice.nobody(named.strip('"'), here.start, here.end)
    if at == first and command.isalpha():
        known = f"the players are {players}; the commands are {' '.join(COMMANDS)}; help says what they do"
        return refuse(
            "unknown-command",
            f"{visible(typed[:20])} is no command, and names nobody here",
            did_you_mean(command, COMMANDS, known),
            at=here,
        )
    before = {way.piece.kind for way in ways.open if way.piece is not None}
    if not _OF_A_SEAT.isdisjoint(before) and not re.search(r"\d", named):
        behind = lattice.typed[:at].split()[-1].strip(":;,")
        return lattice.no_score(behind, here if at < lattice.end else lattice.place(at - len(behind), at))
    scores = any(all(piece.kind != "TILES" for piece in way.pieces) for way in ways.open)
    if scores and expected.isdisjoint(("TILES", "VALUES", "WHO")):
        return refuse(
            "bad-line",
            f"{named!r} is no score, and cannot stand behind one",
            "type a score for each seat, as in 12 64w 8 4; a winner's is followed by win, drawn or from S",
            at=here,
        )
    return fault_of(ways, lattice) or refuse(
        "bad-line", f"{named!r} cannot stand here", "type help for what can be typed", at=here
    )
