"""Reading a line typed at the table: it gives rows or an event, or a refusal with the place of the mistake.

w 123b 444c eee / 77d 67c <8c:e 2 8 64w 0 ben wins 64 from dee, others 0 w …<8c:e 2 8 0 ben pays ann 50
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence, Set
from typing import Any, NamedTuple, cast

from lark.exceptions import UnexpectedInput

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.disambiguation import UnbracketedKong, meant_hand, over
from mjscore.notation.hands import LONGEST_HAND
from mjscore.notation.lexer import Piece
from mjscore.notation.names import AGAIN, nearest
from mjscore.notation.parses import Way, Ways, faults_of, read_ways
from mjscore.notation.reading import HandReading
from mjscore.notation.speech import Ending, Part, Typed
from mjscore.notation.spoken import NotTold, told_hand, told_or
from mjscore.notation.vocabulary import vocabulary
from mjscore.play.gist import Guess, groups_of_tiles, guesses
from mjscore.play.heard import HeardWord
from mjscore.play.line_speech import AtTable, LineLattice, Read, Told, kinds_of, play_parser
from mjscore.play.meant import words_of
from mjscore.play.pairing import Against, against, as_loser, one_line, seated
from mjscore.play.sums import calculated
from mjscore.record.events import EVENTS, unfinished
from mjscore.record.lines import EventLine, Line, Row, SeatRow, line_reader, renamed
from mjscore.refusal import Place, Refusal, Refused, escape_controls, offering, refuse

_MOST_VALUE = 9  # of a tile
_NAMING = frozenset(("SEAT", "WHO", "HOLDER", "OWNER", "DISCARDER", "WHOLE_NAME"))
_OF_A_SEAT = frozenset(("SEAT", "HOLDER", "COLON", "IS"))
_EVENTS = frozenset(word.upper() for word in EVENTS) - {"SEAT"}  # a SEAT piece is a player
_QUESTIONS = ("ambiguous-w", "two-meanings", "two-people")  # the next letter may answer these
_WORD = re.compile(r'"[^"]*"|[^\s,;:=]+')
_W_AND_NAME = re.compile(r"(?<=[0-9]) +([wW]) +([^\W\d_]+)(?![^\W_])")
_NAME = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")
_LABEL = re.compile(r'\s*("[^"]*"|[^\s"@:]+)(?:@\s*[ESWN])?[ \t]*:')
# words that are no tiles, which have one small letter, and no flags, which have a sign before them
_WORDS = re.compile(r"(?<![!\w])[^\W\d_]*[a-z]{2}[^\W\d_]*")
_APOSTROPHE = re.compile(r" [a-z](?: |\Z)")
_SIGNS = re.compile(r"[0-9][^\W\d_]*[+*!<]|<\s*[^\W\d_]")  # signs that tell how it was won


class TypedLine(NamedTuple):
    """What a typed line means: the rows of seats, or an event.

    *reading* is how the hand in the first row was read, *strict* tells whether the line is in the notation. For an
    unfinished line, *fault* is the first part of it that cannot become anything, and rows may be missing.
    """

    rows: tuple[SeatRow, ...] = ()
    event: EventLine | None = None
    reading: HandReading | None = None
    fault: Refusal | None = None
    strict: bool = False

    @property
    def lines(self) -> list[str]:
        """Return the lines of the notation that it means, with a hand's tiles in the order typed."""
        lines = [str(self.event)] if self.event is not None else list(map(str, self.rows))
        if self.reading is not None:
            hand, text = self.reading.hand, self.reading.text
            typed = text.partition(":")[2] if self.strict or hand.seat is not None else text
            lines[0] = f"{self.rows[0].name}{f'@{hand.round}' if hand.round else ''}: {typed.strip()}"
        return lines


def read_line(text: str, table: AtTable, whole: bool = True) -> TypedLine:
    """Return the meaning of a line; if it is not *whole*, as far as it goes.

    Raises Refused if the line means nothing possible, or may mean two things; UnbracketedKong if a kong lacks brackets.
    """
    strict = _strictly(text, table) if text.strip() else TypedLine(strict=True)
    if strict is not None:
        return strict
    if len(text.strip()) > LONGEST_HAND:
        raise refuse("long-line", "hand", at=Place(text, 0, 1), count=len(text), most=LONGEST_HAND)
    lattice = LineLattice(text, table)
    ways = read_ways(play_parser(), "line", lattice)
    found, refused = _meanings(ways.read, lattice)
    if found:
        line = _the_one(found, lattice)
        if whole:
            _check_foreign(lattice)
        if whole and line.event is not None and line.event.word == "pay":
            _check_paid(line, lattice)
        # signs are not checked against words
        if whole and line.event is None and line.reading is None and not _SIGNS.search(text):
            _check_heard_so(line, lattice)
        return line
    if not whole:
        with contextlib.suppress(Refused, NotTold):
            return _row_of(told_hand(lattice, table.worth), None, lattice, True)
        return _so_far(ways, lattice)
    return _hand_in_words(lattice, (refused or [_fault(ways, lattice)])[0].refusal)


def _check_heard_so(line: TypedLine, lattice: LineLattice) -> None:
    """Raise Refused if the distances between words suggest other scores; the refusal asks which are meant."""
    seat_of, won = lattice.table.seat_of, [row for row in line.rows if row.won]
    _check_sums(line, lattice)
    _check_winners(line, won, lattice)
    _check_west(line, lattice)
    if any(row.name == seat_of(row.discarder or "") for row in won):
        return  # refused elsewhere
    words = words_of(lattice)
    _check_tiles(line, words, lattice)
    found, limited = guesses(words, lattice), any("limit" in word for word in words)
    how = [(row.name, bool(row.drawn), seat_of(row.discarder or "") or "") for row in won]
    scores = {row.name: row.given for row in line.rows}
    so = [one for one in found if dict(one.scores) == scores]
    if any([one[1:4]] == how if won else limited or not one.won for one in so):
        return
    if not found or found[0].won not in ("", *dict(found[0].scores)):
        raise lattice.refused("bad-line", 0, len(lattice.typed), "torn")
    raise _heard_otherwise(line, found[0], lattice)


def _heard_otherwise(line: TypedLine, heard: Guess, lattice: LineLattice) -> Refused:
    """Return the question whether a *line* means what is read or what is *heard*; first what is heard, if it tells of a winner."""
    lines = [one_line(line.rows, lattice), heard.line(lattice.table.seats)]
    if heard.won:
        lines.reverse()
    return lattice.asked("two-readings", 0, len(lattice.typed), "line", lines)


def _check_sums(line: TypedLine, lattice: LineLattice) -> None:
    """Raise Refused if a number of doubles may be the result of a sum, as in "18 and a double makes 36"."""
    if any(row.doubles is not None for row in line.rows) and calculated(lattice) != lattice.typed:
        raise lattice.refused("bad-line", 0, len(lattice.typed), "torn")


def _check_tiles(line: TypedLine, words: Iterable[HeardWord], lattice: LineLattice) -> None:
    """Raise Refused if a score may be the value of a tile, as in "ann picked the 4"."""
    for word in words:
        if word.says.get("tile", "") in [row.given for row in line.rows]:
            raise lattice.refused("bad-line", word.start, word.end, "tile", value=word["tile"])


def _check_winners(line: TypedLine, won: Sequence[SeatRow], lattice: LineLattice) -> None:
    """Raise Refused if several have won; the refusal offers a line for each, unless one of them has drawn the tile."""
    if won[1:]:
        lines = [
            one_line([row if row is one or row not in won else as_loser(row) for row in line.rows], lattice)
            for one in won
        ]
        place = ("unfinished-line", 0, len(lattice.typed))
        if any(row.drawn for row in won):
            raise lattice.asked(*place, "winners", ())
        raise lattice.asked(*place, "each", lines, one=" or ".join(lines))


def _check_paid(line: TypedLine, lattice: LineLattice) -> None:
    """Raise Refused if a tile may be given rather than points, or points are received.

    As in "dee gave ben the tile, 36", "ben gives dee the 5", "ann gave ben 2 tiles"; and "cid was paid 30 by dee".
    """
    words = words_of(lattice)
    points = any(
        "number" in word and (word["number"] > _MOST_VALUE or not word.after("the")) for word in words
    )
    if not points or any("is paid" in word for word in words):
        raise lattice.refused("bad-line", 0, len(lattice.typed), "torn")
    found = (
        guesses(words, lattice)
        if any(word.any("fed", "threw") and "pay" not in word for word in words)
        else []
    )
    if found:
        paid, won = str(renamed(line.event, lattice.table.seats)), found[0].line(lattice.table.seats)
        raise lattice.asked("two-readings", 0, len(lattice.typed), "line", (won, paid))


def _check_foreign(lattice: LineLattice) -> None:
    """Raise Refused if the only wind in another language may be a player's misspelt name: "nan 12" if Ann plays."""
    told = [
        (said, one.value)
        for said in _NAME.finditer(lattice.text)
        for one in vocabulary().of(said[0])
        if one.kind == "wind" and one.language != "en"
    ]
    names = lattice.table.seats
    near = nearest(told[0][0][0], names.values()) if len(told) == 1 else None
    if near is not None and told[0][0][0].casefold() not in map(str.casefold, names.values()):
        (said, wind), typed = told[0], lattice.typed
        lines = [
            f"{typed[: said.start()]}{quote_name(name)}{typed[said.end() :]}"
            for name in (near, names.get(wind, wind))
        ]
        raise lattice.asked("two-readings", *said.span(), "line", lines)


def _check_west(line: TypedLine, lattice: LineLattice) -> None:
    """Raise Refused if "w" between a score and West's name may mean winning or West: "ben 94 w cid 6"."""
    for said in _W_AND_NAME.finditer(lattice.text):
        if lattice.seats_in(said, 2) == {"W"}:
            won, lost = (one_line(rows, lattice) for rows in (line.rows, map(as_loser, line.rows)))
            raise lattice.asked("two-readings", *said.span(1), "line", (won, lost))


def _hand_in_words(lattice: LineLattice, refusal: Refusal) -> TypedLine:
    """Return the row of a hand told in words. Raises Refused, by *refusal* if the line tells no hand."""

    def line_of(text: str) -> str:
        typed = read_line(text, lattice.table)
        if typed.reading is None or not _has_tiles(typed.reading.hand):
            raise Refused(refusal)
        return typed.lines[0]

    words = words_of(lattice)
    groups = groups_of_tiles(words, lattice.text)
    try:
        reading = told_or(refusal, lattice, lattice.table.worth, line_of)
        if groups or _has_tiles(reading.hand) or reading.hand.bonus:
            return _row_of(reading, None, lattice, True)
    except Refused as asked:
        lines = asked.refusal.lines
        is_empty = bool(lines) and all(line.partition(":")[2].strip() == "..." for line in lines)
        found = guesses(words, lattice)
        scores = [dict(guess.scores).get(guess.won) or 0 for guess in found]
        is_empty |= asked.refusal.code == "too-few-tiles" and max(scores, default=0) > _MOST_VALUE
        if not is_empty and (groups > 1 or not found):
            raise
    raise Refused(refusal)  # it is of scores, or nothing is told of any tile


def _is_notation(text: str, table: AtTable) -> bool:
    """Return whether a line may be a row of the notation: a seat, a colon, and no words but those of the notation."""
    label = _LABEL.match(text)
    if label is None or table.seat_of(label[1].strip('"')) is None:
        return False
    known = " ".join([*table.seats, *table.seats.values(), table.sitting_out or "", *line_reader().words])
    return set(_WORDS.findall(text)).issubset(_WORDS.findall(known))


def _has_tiles(hand: Hand) -> bool:
    return bool(hand.sets) or sum(hand.concealed) > 0


def _strictly(text: str, table: AtTable) -> TypedLine | None:
    """Return the meaning of a line in the strict notation; None if it is not strict, or names strangers."""
    happens = text.split(" ")[0] in EVENTS
    if not (happens or _is_notation(text, table)):
        return None
    try:
        record = cast("Line | Row", line_reader().read(text, "line" if happens else "row"))
    except (UnexpectedInput, Refused):
        return None
    if isinstance(record, EventLine):
        return TypedLine(event=record, strict=True) if all(map(table.seat_of, record.names)) else None
    if not isinstance(record, SeatRow) or record.expected is not None or record.name == table.sitting_out:
        return None
    hand = record.given if isinstance(record.given, Hand) else None
    win = hand.win if hand is not None else None
    named = (win.discarder, win.earlier, win.all_from) if win is not None else (record.discarder,)
    wind = table.seat_of(record.name)
    if wind is None or not all(table.seat_of(name) for name in named if name is not None):
        return None
    strict = f"{wind}: {text.partition(':')[2].strip()}"
    reading = HandReading(strict, hand, typed=text, parts=record.parts) if hand is not None else None
    return TypedLine((record._replace(name=wind),), reading=reading, strict=True)


def _meanings(
    reads: Iterable[Read], lattice: LineLattice, whole: bool = True
) -> tuple[list[TypedLine], list[Refused]]:
    """Return all meanings of a line, and the refusals of ways to read it that have none.

    Only the ways that break the rules of ``pairing`` least are considered; if they are refused, no other way takes
    their place.
    """
    ways: dict[bool, dict[Against, dict[Read, list[Typed]]]] = {True: {}, False: {}}
    for read in reads:
        if read.typed is None or read.typed.parts or (read.typed.seat and not whole):
            here = ways[read.typed is not None].setdefault(against(lattice, read), {})
            here.setdefault(read._replace(typed=None), []).extend([read.typed] if read.typed else [])
    found: list[TypedLine] = []
    refused: list[Refused] = []
    for is_hand in (True, False):
        for read, typed in ways[is_hand][min(ways[is_hand])].items() if ways[is_hand] else ():
            try:
                found.append(_meaning(lattice, read, typed, min(ways[is_hand]), whole))
            except UnbracketedKong:
                raise
            except Refused as no_line:
                # a question raised by a part of the hand has no line yet
                refusal = no_line.refusal
                place = len(refused) if read.event is None else 0
                refused.insert(place, Refused(refusal._replace(text=refusal.text or lattice.typed)))
    # a wrong number of scores is reported last, because other refusals say more
    refused.sort(key=lambda one: one.refusal.code == "whose-score")
    return [line for line in found if line.rows or line.event is not None], refused


def _meaning(
    lattice: LineLattice, read: Read, typed: Sequence[Typed], fits: Against, whole: bool
) -> TypedLine:
    """Return the meaning of one way to read a line. Raises Refused if it raises a question or is impossible."""
    if read.asked:
        raise Refused(read.asked[0])
    if fits.torn or fits.wrong:
        raise lattice.refused("bad-line", 0, len(lattice.typed), "torn")
    try:
        # for a change of seats, the result says it all
        is_strict = read.event is not None and read.event.word == "seat"
        line = _hand_line(typed, lattice, whole) if typed else TypedLine(event=read.event, strict=is_strict)
    except Refused as refused:
        # lines that it offers need the scores after the hand too
        end = max(at for one in typed for at in (one.ending.end, *(part.end for part in one.parts)))
        lines = tuple(f"{line}{lattice.typed[end:] if read.told else ''}" for line in refused.refusal.lines)
        if isinstance(refused, UnbracketedKong):
            raise UnbracketedKong(refused.refusal, lines) from None
        raise Refused(offering(refused.refusal, lines)) from None
    if read.told:
        lattice.check_thousands()
        seats = [row.name for row in line.rows]
        winds = [wind for wind in lattice.table.untold if wind not in seats]
        told = _with_who_threw(lattice, read)
        line = line._replace(rows=(*line.rows, *seated(lattice, told, winds, whole)))
    return line


def _with_who_threw(lattice: LineLattice, read: Read) -> tuple[Told, ...]:
    """Return what a line tells; a discarder at its beginning becomes the winner's, Refused if not one won."""
    thrown = read.thrown
    if thrown is None:
        return read.told
    won = [one for one in read.told if one.won]
    if len(won) != 1:
        raise lattice.refused("bad-line", thrown.start, thrown.end, "winner")
    return tuple(one._replace(how=(*one.how, thrown)) if one is won[0] else one for one in read.told)


def _hand_line(typed: Sequence[Typed], lattice: LineLattice, whole: bool) -> TypedLine:
    """Return the row of the intended hand; if not *whole*, as much of it as makes a hand, with the fault after it.

    Raises Refused.
    """
    table = lattice.table
    known = [one for one in typed if not one.seat or one.seat.asked or table.seat_of(one.seat.value)]
    stranger = typed[0].seat
    if not known and stranger is not None:
        raise lattice.nobody(stranger.value, stranger)
    reading, fault = (
        (meant_hand(known, lattice, table.worth), None) if whole else _hand_so_far(known, lattice)
    )
    return _row_of(reading, fault, lattice, whole)


def _row_of(reading: HandReading, fault: Refusal | None, lattice: LineLattice, whole: bool) -> TypedLine:
    """Return the row of a hand. Raises Refused if the line is *whole* and it is not clear whose the hand is."""
    table, wind = lattice.table, reading.hand.seat
    if wind is None and len(table.missing) == 1:
        (wind,) = table.missing
    if wind is None and whole:
        *names, last = map(table.shown, table.untold)
        example = f"{names[0]} {escape_controls(reading.text)}"
        end = len(lattice.typed)
        raise lattice.refused("whose-hand", 0, end, names=", ".join(names), last=last, example=example)
    row = SeatRow(wind or "", reading.hand._replace(seat=None), reading.hand.win is not None)
    return TypedLine((row,), reading=reading, fault=fault)


def _hand_so_far(typed: Sequence[Typed], lattice: LineLattice) -> tuple[HandReading, Refusal | None]:
    """Return the intended hand so far, and the fault in the part after the hand, or None. Raises Refused."""
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
            told = wrong.refusal
            if told.code in _QUESTIONS and told.column is not None:
                return reading, told
            return reading, lattice.placed(wrong, last.start, last.end).refusal
    raise wrong


def _with_dots(typed: Typed) -> Typed:
    """Return a hand, with ``...`` if it lacks tiles and has no ending."""
    if over(typed) >= 0 or typed.ending or any(part.text == "..." for part in typed.parts):
        return typed
    end = typed.parts[-1].end if typed.parts else 0
    return typed._replace(parts=(*typed.parts, Part("...", (), end, end)))


def _the_one(found: list[TypedLine], lattice: LineLattice) -> TypedLine:
    """Return the likeliest meaning of a line. Raises Refused if two meanings are equally likely."""
    best = min(map(_doubt, found))
    meant: dict[object, TypedLine] = {}
    for line in found:
        if _doubt(line) == best:
            meant.setdefault((frozenset(line.rows), line.event), line)
    first, *others = meant.values()
    if others:
        typed = [", ".join(row.replace(":", "", 1) for row in line.lines) for line in (first, others[0])]
        raise lattice.asked("two-readings", 0, len(lattice.typed), "line", typed)
    return first


def _doubt(line: TypedLine) -> tuple[bool | int, ...]:
    """Return a key by which meanings are sorted, the likeliest first.

    Events come before rows; then rows without missing tiles, with all their seats, and with at most one winner.
    """
    begun = any(isinstance(row.given, Hand) and row.given.unlisted for row in line.rows)
    return (
        line.event is None,
        begun,
        any(not row.name for row in line.rows),
        sum(row.won for row in line.rows) > 1,
    )


def _so_far(ways: Ways, lattice: LineLattice) -> TypedLine:
    """Return the meaning of an unfinished line, with its first part that cannot become anything as the fault."""
    # "rest" may become "the rest have"
    reads = (read for read in ways.read if not (read.asked and read.event and read.event.word == "seat"))
    found, refused = _meanings(reads, lattice, False)
    if _without_fault(found):
        return _the_one(_without_fault(found), lattice)
    begun = _begun([way.before if ways.read else way for way in ways.open])
    fault = next((line.fault for line in found), refused[0].refusal if refused else None)
    before, _ = _meanings(begun.read, lattice, False)
    whole, nothing = _without_fault(before), [TypedLine()]
    if _is_open(fault, lattice) or _may_go_on(begun if fault else ways, lattice):
        return _the_one(whole or before or nothing, lattice)
    line = _the_one(whole or found or before or nothing, lattice)
    return line._replace(fault=line.fault or fault or _fault(ways, lattice).refusal)


def _without_fault(lines: Iterable[TypedLine]) -> list[TypedLine]:
    return [line for line in lines if line.fault is None]


def _is_open(fault: Refusal | None, lattice: LineLattice) -> bool:
    """Return whether a question arises at the end of the line, so that the next letter may answer it."""
    if fault is None or fault.code not in _QUESTIONS:
        return False
    return (fault.column or 0) - 1 + fault.length >= len(lattice.typed.rstrip())


def _begun(ahead: Iterable[Way | None]) -> Ways:
    """Return the longest beginnings of a line that tell something of seats, read as whole lines."""
    found: dict[int, dict[int, Way]] = {}
    for way in ahead:
        while way is not None:
            found.setdefault(way.pieces[-1].end if way.pieces else -1, {})[id(way)] = way
            way = way.before
    for end in sorted(found, reverse=True):
        here = tuple(found[end].values())
        reads: list[Read] = []
        for way in here:
            with contextlib.suppress(UnexpectedInput, Refused):
                reads += [read for read in (way.ended(),) if read.event is None]
        if reads:
            return Ways(tuple(reads), (), end, here)
    return Ways((), (), 0, ())


def _may_go_on(ways: Ways, lattice: LineLattice) -> bool:
    """Return whether the text not reached by *ways* may be the beginning of something that fits there."""
    rest = lattice.text[ways.furthest :].strip(" ,;")
    if re.fullmatch(r'|\.{1,2}|"[^"]*|[bcdfsmpwz]', rest):
        return True
    if rest[0] == "!":
        return any(flag.startswith(rest[1:].casefold()) for flag in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER))
    commands = frozenset() if lattice.text[: ways.furthest].strip() else frozenset(["COMMAND"])
    return bool(may_become(rest, ways.expected | commands, lattice.table))


def may_become(begun: str, expected: Set[str], table: AtTable) -> list[str]:
    """Return the names and English words beginning with *begun*, of the *expected* kinds of pieces."""
    said = begun.strip('"').casefold()
    people = [*table.people.players.values(), *WIND_NAMES.values(), *([AGAIN] if table.again else [])]
    names = [] if _NAMING.isdisjoint(expected) else people
    words = [
        phrase
        for phrase, meanings in vocabulary().begun(said).items()
        if any(one.language == "en" and not expected.isdisjoint(kinds_of(one)) for one in meanings)
        and not _APOSTROPHE.search(phrase)  # the phrase is also there without the apostrophe
        and f"{phrase}g" not in vocabulary().meanings  # drawin
    ]
    return [*(name for name in names if name.casefold().startswith(said)), *words]


class _Stop(NamedTuple):
    """Where the reading of a line stops: the *word* there (empty at the end), after which *ways* of reading."""

    lattice: LineLattice
    ways: Ways
    first: int  # where the line begins
    word: Place
    heads: tuple[Piece, ...]  # the seats with which the line may begin

    @property
    def at(self) -> int:
        return self.ways.furthest

    @property
    def at_end(self) -> bool:
        return self.at >= self.lattice.end

    @property
    def typed(self) -> str:
        return self.lattice.typed[self.word.start : self.word.end]

    @property
    def named(self) -> str:
        return escape_controls(self.typed[:40])

    @property
    def command(self) -> str:
        """Return the first word of the line."""
        return (_WORD.match(self.lattice.text, self.first) or " ")[0].casefold()

    @property
    def there(self) -> set[str]:
        return set() if self.at_end else {piece.kind for piece in self.lattice.at(self.at)}

    @property
    def before(self) -> set[str]:
        """Return the kinds of the last pieces that were read."""
        kinds = {piece.kind for way in self.ways.open for piece in way.pieces[-1:]}
        if any(piece.kind == "LESS" for way in self.ways.open for piece in way.pieces):
            kinds.discard("COLON")  # that colon comes before the discarder
        return kinds

    def refused(self, code: str, kind: str, **words: Any) -> Refused:
        """Return the refusal of the word."""
        return self.lattice.refused(code, self.word.start, self.word.end, kind, **words)


def _fault(ways: Ways, lattice: LineLattice) -> Refused:
    """Return the refusal of a line without meaning, about seats and scores rather than signs if possible."""
    if ways.refused:
        return ways.refused[0]
    (first, *_), at = lattice.starts(0), ways.furthest
    if first >= lattice.end:
        return lattice.refused("bad-line", 0, first, "nothing")
    word = _WORD.match(lattice.text, at)
    here = lattice.place(at, word.end() if word else lattice.end)
    heads = tuple(piece for piece in lattice.at(first) if piece.kind in ("HOLDER", "SITTER"))
    stop = _Stop(lattice, ways, first, here, heads)
    steps = (
        _who_sits_out,
        _who_pays_for_all,
        _said_otherwise,
        _of_an_event,
        _of_the_first_word,
        _behind_a_name,
    )
    for step in steps:
        refused = step(stop)
        if refused is not None:
            return refused
    scores = any(all(piece.kind != "TILES" for piece in way.pieces) for way in ways.open)
    if scores and ways.expected.isdisjoint(("TILES", "VALUES", "WHO")):
        return stop.refused("bad-line", "end" if stop.at_end else "score", named=stop.named)
    return [
        *faults_of(ways, lattice),
        stop.refused("bad-line", "here", named=stop.named, example=lattice.table.example),
    ][0]


def _who_sits_out(stop: _Stop) -> Refused | None:
    """Return the refusal of a line for the player who sits out; None for other lines."""
    lattice, sitting = stop.lattice, stop.heads
    if not sitting or (sitting[0].kind == "HOLDER" and stop.first < stop.at < lattice.end):
        sitting = () if stop.at_end else lattice.at(stop.at)
    for piece in sitting:
        if piece.kind == "SITTER":
            words = {"player": escape_controls(piece.value), "players": _players(lattice)}
            return lattice.refused("sits-out", piece.start, piece.end, "line", **words)
    return None


def _said_otherwise(stop: _Stop) -> Refused | None:
    """Return the refusal of words that no line can contain, with what to type instead; None without such words."""
    lattice = stop.lattice
    starts = [word.start() for word in re.finditer(r"[^\W_]+", lattice.text)]
    said = {kind: (at, end) for at in starts for kind, end in lattice.words_said([at], "otherwise")}
    if "penalty" in said:
        return unfinished("penalty", lattice.place(*said["penalty"]))
    for kind in ("redeal", "rename", "pool", "edit", "me"):
        if kind in said:
            return refuse(
                "unfinished-line",
                kind,
                at=lattice.place(*said[kind]),
                players=_players(lattice),
                example=lattice.table.example,
            )
    return None


def _of_an_event(stop: _Stop) -> Refused | None:
    """Return the refusal that asks for what an event lacks, or of what follows it; None without an event."""
    lattice = stop.lattice
    happens = (piece.kind.lower() for way in stop.ways.open[:1] for piece in way.pieces)
    event = next((kind for kind in happens if kind.upper() in _EVENTS), None)
    if any(piece.kind == "COMER" for way in stop.ways.open for piece in way.pieces):
        return lattice.refused("unfinished-line", 0, lattice.end, "seat")
    if event is not None and stop.at_end:
        return unfinished(event, lattice.place(0, lattice.end))
    if stop.command not in EVENTS or stop.heads:
        return None
    name = stop.typed.strip('"')
    if not stop.at_end and name.isalpha() and "HOLDER" in stop.ways.expected:
        return lattice.nobody(name, stop.word)
    if not stop.at_end and not stop.ways.expected - {"$END"}:
        return stop.refused(
            "bad-line", "event", named=escape_controls(name), usage=EVENTS[stop.command].usage
        )
    return unfinished(stop.command, lattice.place(0, lattice.end))


def _of_the_first_word(stop: _Stop) -> Refused | None:
    """Return the refusal of what follows a command, or of a first word that is no command and no name; else None."""
    from mjscore.play.commands import COMMANDS  # loads everything that commands use

    lattice, command = stop.lattice, stop.command
    if command in COMMANDS and not stop.heads:
        return stop.refused("bad-line", "alone", command=command)
    if stop.at != stop.first:
        return None
    behind = lattice.text[stop.word.end : stop.word.end + 1]
    if lattice.text[stop.at] == '"' or behind in (":", "="):
        return lattice.nobody(stop.named.strip('"'), stop.word)
    if not command.isalpha():
        return None
    words = {"example": lattice.table.example, "commands": " ".join(COMMANDS)}
    return stop.refused("unknown-command", "", command=escape_controls(stop.typed[:20]), **words)


def _who_pays_for_all(stop: _Stop) -> Refused | None:
    """Return the refusal of a payment for everyone, or of one to or from everyone; None for other lines."""
    read = [piece for way in stop.ways.open for piece in way.pieces]
    before, seats = {piece.kind for piece in read}, stop.lattice.table.seats
    if "EVERYBODY" in stop.there and ("PAY" in before or stop.at == stop.first):
        told = [str(piece.value) for piece in read if piece.kind == "NUMBER"]
        behind = stop.lattice.text[stop.word.end :]
        told += re.findall(r"\d+", behind) if not read else re.findall(r"\A\s+(\d+)", behind)
        said = re.findall(r"\w+", stop.lattice.text.casefold())
        named = next((wind for wind, name in seats.items() if name.casefold() in said), next(iter(seats)))
        other = min(seats.keys() - {named})
        one, other = map(stop.lattice.table.shown, (named, other) if read else (other, named))
        if told:
            return stop.refused("unfinished-line", "pay-each", one=one, other=other, amount=told[0])
    words = re.findall(r"\w+", stop.lattice.text[stop.at :])
    everybody = "EVERYBODY" in before or any(vocabulary().says(word, "everybody") for word in words)
    if "PAY" in before | stop.there and everybody:
        return stop.refused("unfinished-line", "pay-all")
    return None


def _behind_a_name(stop: _Stop) -> Refused | None:
    """Return the refusal of text after a name that is neither a hand nor a score; None for other lines."""
    if _OF_A_SEAT.isdisjoint(stop.before) or re.search(r"\d", stop.named):
        return None
    lattice, at = stop.lattice, stop.at
    before = lattice.text[:at]
    behind = before.split()[-1].strip(":;,")
    start = before.rindex(behind)
    if stop.at_end:
        return lattice.no_score(behind, lattice.place(start, at))
    if lattice.is_whole_name(behind):
        return lattice.no_score(behind, stop.word)
    named = f"{behind} {stop.named}"
    return lattice.refused(
        "bad-line", start, stop.word.end, "here", named=named, example=lattice.table.example
    )


def _players(lattice: LineLattice) -> str:
    return ", ".join(map(escape_controls, lattice.table.seats.values()))
