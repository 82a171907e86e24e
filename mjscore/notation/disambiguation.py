"""Choosing the intended hand among all readings of a typed line, or asking; explaining why a line is not strict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from lark.exceptions import UnexpectedInput

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Flag, Hand, Seat, quote_name
from mjscore.game.tiles import Tile, format_tiles
from mjscore.notation.hand_builder import Worth, Written, hand_of, laid, run_of, won
from mjscore.notation.lexer import Lattice, said_back
from mjscore.notation.names import People
from mjscore.notation.parses import faults_of, looseness, read_ways, unread
from mjscore.notation.reading import HandReading, at_its_place
from mjscore.notation.speech import Ending, Part, Typed, speech_parser
from mjscore.notation.vocabulary import vocabulary
from mjscore.refusal import Refusal, Refused, offering, refuse, whole

# the text refused with these codes is too important to leave out
_SAYING_MORE = (
    "open-bracket", "stray-bracket", "mixed-brackets", "missing-class", "two-people", "unknown-player", "nobody-again",
    "no-such-seat", "bad-seat", "too-few-tiles", "too-many-tiles",
)  # fmt: skip
LONGEST_EXPLAINED = 1000  # characters; a hand has far fewer
# faults found by counting tiles: reported after faults of notation, and not corrected without the rules
_COUNTED = ("too-many-tiles", "too-few-tiles")
_QUESTIONS = ("ambiguous-w", "two-meanings", "wrong-sign")
ASKING = (
    *_QUESTIONS, "two-readings", "four-without-brackets", "two-people", "which-bonus", "which-set", "which-tile", "whose-wind",
)  # fmt: skip
OTHER = 2  # a tile other than the winning one was removed
Line = tuple[Written, ...]  # a hand in the notation, part by part, each with its place in the typed text


class UnbracketedKong(Refused):
    """Four equal tiles without brackets; *lines* are the hand with the kong claimed, and with it declared concealed."""

    def __init__(self, refusal: Refusal, lines: tuple[str, ...]) -> None:
        super().__init__(offering(refusal, lines))
        self.lines = lines


class _Meant(NamedTuple):
    """One reading of a line: its *hand* and strict *line*; *mended* says what was removed (see ``_without_a_tile``)."""

    hand: Hand
    line: Line
    mended: int


def mended(refusal: Refusal, lattice: Lattice, worth: Worth | None) -> Refusal:
    """Return a refusal with the line to type instead, if the text can be read without its fault."""
    text = without_fault(refusal, lattice.typed) if not refusal.lines and refusal.code != "empty-hand" else ""
    with suppress(Refused):
        if text:
            line = choose(Lattice(text, lattice.people), worth).text
            # that line does not answer the question
            so = "without it," if refusal.code in _QUESTIONS else "so"
            return _offering(refusal, f"{refusal.hint}; {so} {line} would be read", line)
    return refusal


def _offering(refusal: Refusal, hint: str, line: str) -> Refusal:
    """Return a refusal with a *hint* that offers a *line* to type instead."""
    return refusal._replace(hint=hint, lines=(line,), otherwise=refusal.hint)


def without_fault(refusal: Refusal, text: str) -> str:
    """Return a refused text without its fault; empty if the rest would mean something else.

    That is so if the fault is a bracket or a word of denial, for example.
    """
    start = (refusal.column or 1) - 1
    before, marked, after = text[:start], text[start : start + refusal.length], text[start + refusal.length :]
    denied = vocabulary().says(marked, "denial")
    if denied or refusal.code in _SAYING_MORE or marked.strip() == text.strip():
        return ""
    return f"{before} {after}"


def choose(
    lattice: Lattice, worth: Worth | None, strictly: HandReading | Refused | None = None
) -> HandReading:
    """Return the intended hand; *strictly* is what strict parsing gave: a hand that names strangers, or a refusal.

    Raises Refused, if possible with whole lines to type instead: the answers to a question.
    """
    ways = read_ways(speech_parser(), "hand", lattice)
    try:
        refused = [strictly] if isinstance(strictly, Refused) else []
        return meant_hand(ways.read, lattice, worth, [*faults_of(ways, lattice), *refused])
    except Refused as fault:
        text, refusal = lattice.typed, fault.refusal
        if isinstance(strictly, HandReading) and not any(typed.asked for typed in ways.read):
            return strictly  # it names strangers, which the table will refuse
        if refusal.column is None:  # the fault has no place: mark the whole line
            refusal = refusal._replace(line=1, column=1, length=max(1, len(text)))
        fault.refusal = refusal._replace(text=refusal.text or text)
        raise


def explain(text: str, unfit: UnexpectedInput | Refused) -> Refusal:
    """Return the refusal of *text*, given why the strict grammar found it *unfit*."""
    if isinstance(unfit, UnexpectedInput):
        return explained(text, unfit.pos_in_stream)
    # perhaps only because a kong lacks its brackets
    if unfit.refusal.code == "too-many-tiles" and len(text) <= LONGEST_EXPLAINED:
        try:
            choose(Lattice(text), None, unfit)
        except Refused as refused:
            unfit = refused if isinstance(refused, UnbracketedKong) else unfit
    return unfit.refusal


def explained(text: str, position: int | None) -> Refusal:
    """Return why *text* is refused, offering lines in the notation; *position* is where the strict grammar failed."""
    lattice = Lattice(text)
    if len(text) > LONGEST_EXPLAINED:
        return unread(lattice, position or 0).refusal
    try:
        ways = read_ways(speech_parser(), "hand", lattice)
        meant = meant_hand(ways.read, lattice, None, faults_of(ways, lattice))
    except Refused as refused:
        refusal = refused.refusal
        unasked = [typed for typed in ways.read if not typed.asked] if refusal.code in _COUNTED else []
        if unasked:
            line = line_of(unasked[0], lattice.people)
            return next(looseness(line, lattice)).refusal
        return refusal._replace(text=refusal.text or text)
    refusal = next(looseness(meant.parts, lattice)).refusal
    flags = (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER)
    named = [part.thing.word for part in meant.parts if part.type == "FLAG"]
    if refusal.code == "unknown-flag" and not all(word in flags for word in named):
        return refusal._replace(hint=f"the flags are !{' !'.join(flags)}")
    return _offering(refusal, f"type {meant.text}", meant.text)


def meant_hand(
    read: Sequence[Typed], lattice: Lattice, worth: Worth | None, refused: Sequence[Refused] = ()
) -> HandReading:
    """Return the one hand meant by the readings in *read*.

    Raises Refused: with a question, or if there is no hand, with its fault or else the first of *refused*.
    """
    found: list[_Meant] = []
    wrong: list[Refused] = []
    questions: list[tuple[int, Refused]] = []  # about readings that might be hands; the lowest is asked
    for typed in read:
        asked = typed.asked
        try:
            meant = list(_meant(typed, lattice, wrong))
        except UnbracketedKong as kong:
            questions.append((2 * len(asked), Refused(asked[0]) if asked else kong))
            continue
        except Refused as unfit:
            wrong.append(unfit)
            continue
        if all(one.mended == OTHER for one in meant):
            meant = []  # readings that were all mended are not what was typed
        if not asked:
            found += meant
        elif meant:
            scored = worth is None or worth(meant[0].hand) is not None
            answered = _answered(asked[0], text_of(meant[0].line)) if scored else Refused(asked[0])
            questions.append((2 * len(asked) - 1, answered))
        else:
            wrong.append(Refused(asked[0]))
    if found:
        one = _the_one(found, lattice, worth)
        if one.mended and worth is not None and worth(one.hand) is None:
            # a surplus tile is removed only if the result is a hand
            wrong.sort(key=lambda refused: refused.refusal.code != "too-many-tiles")
            raise [*wrong, *refused][0]
        text = text_of(one.line)
        loosely = text != lattice.typed.strip()
        return HandReading(text, one.hand, loosely, said_back(lattice.text), lattice.typed, one.line)
    unsigned = (one for typed in read for one in without_a_sign(typed, lattice, worth))
    asking = [question for _, question in sorted(questions, key=lambda one: one[0])] or list(unsigned)
    raise [*asking, *wrong, *refused][0]


def _answered(question: Refusal, line: str) -> Refused:
    """Return a question with the *line* that answering it would make."""
    if question.code not in _QUESTIONS:
        return Refused(question)
    hint = f"type {line}" if question.code == "wrong-sign" else f"{question.hint}, as in {line}"
    return Refused(_offering(question, hint, line))


def _meant(typed: Typed, lattice: Lattice, wrong: list[Refused]) -> Iterator[_Meant]:
    """Yield the hands that a typed hand may mean, and add faults to *wrong*. Raises UnbracketedKong."""
    _check_fours(typed, lattice)
    for mended, one_less in _without_a_tile(typed):
        line = line_of(one_less, lattice.people)
        try:
            yield _Meant(hand_of(line), line, mended)
        except Refused as unfit:
            if not typed.asked and mended == 0:
                wrong.append(Refused(at_its_place(unfit.refusal, lattice.typed, line)))


def over(typed: Typed) -> int:
    """Return how many tiles a hand has beyond 13, without the winning and bonus tiles; kongs as three."""
    held = sum(not tile.is_bonus for part in typed.parts if part.bracket in ("", "?") for tile in part.tiles)
    return held + 3 * sum(part.bracket in ("(", "[") for part in typed.parts) - 13


def _check_fours(typed: Typed, lattice: Lattice) -> None:
    """Raise UnbracketedKong for four equal tiles that are on the table, or too many in the hand."""
    loose = [part for part in typed.parts if part.bracket in ("", "?") and len(part.tiles) == 4]
    fours = [part for part in loose if len(set(part.tiles)) == 1]
    asked = [part for part in fours if part.bracket == "?"]
    if over(typed) > 0 and Flag("dead") not in typed.ending.of("FLAG"):
        asked = asked or fours
    if not asked:
        return
    lines = []
    for brackets in ("()", "[]"):
        parts = (part.within(brackets) if part in asked else part for part in typed.parts)
        lines.append(text_of(line_of(typed._replace(parts=tuple(parts)), lattice.people)))
    (one, other), place = lines, lattice.place(asked[0].start, asked[0].end)
    kong = refuse("four-without-brackets", at=place, four=asked[0].text, one=one, other=other)
    raise UnbracketedKong(kong.refusal, (one, other))


def _without_a_tile(typed: Typed) -> Iterator[tuple[int, Typed]]:
    """Yield the hand unchanged (0); with a surplus tile, also without a second copy of the winning tile (1).

    Less likely (2): another tile of the winning tile's class was typed once too often.
    """
    yield 0, typed
    ending = typed.ending
    if over(typed) != 1 or ending.tile is None or len(ending.tile.tiles) != 1:
        return
    (winning,) = ending.tile.tiles
    held = [part for part in typed.parts if not part.bracket]
    among = [part for part in held if winning in part.tiles][-1:]
    if ending.sign == "<":
        threes = [part for part in typed.parts if part.bracket == "(" and len(part.tiles) == 3]
        among += [part for part in threes if winning in part.tiles]
    yield from ((1, _with_one_less(typed, part, winning)) for part in among)
    yield from ((2, _with_one_less(typed, part, tile)) for part in held for tile in _others(part, winning))


def _others(part: Part, winning: Tile) -> list[Tile]:
    """Return the other tiles of a part that are in the suit or class of the winning tile."""
    return [tile for tile in dict.fromkeys(part.tiles) if tile != winning and tile.suit == winning.suit]


def _with_one_less(typed: Typed, part: Part, tile: Tile) -> Typed:
    left, place = list(part.tiles), typed.parts.index(part)
    left.remove(tile)
    less = [part._replace(text=format_tiles(left), tiles=tuple(left), bracket="")] if left else []
    return typed._replace(parts=(*typed.parts[:place], *less, *typed.parts[place + 1 :]))


def without_a_sign(typed: Typed, lattice: Lattice, worth: Worth | None) -> Iterator[Refused]:
    """Yield the question how the last tile was obtained, if a hand has a winner's fourteen tiles but does not say."""
    held = [part for part in typed.parts if not part.bracket and part.tiles and not part.tiles[-1].is_bonus]
    unlisted = any(part.text == "..." for part in typed.parts)
    if typed.asked or typed.ending.tile is not None or over(typed) != 1 or not held or unlisted:
        return
    part = held[-1]
    last = part.tiles[-1]
    winning = Part(str(last), (last,), part.start, part.end)
    less, said = _with_one_less(typed, part, last), typed.ending.said
    endings = [Ending(part.start, part.end, sign, winning, said=said) for sign in "+<"]
    lines = [line_of(less._replace(ending=ending), lattice.people) for ending in endings]
    with suppress(Refused):
        hands = [hand_of(line) for line in lines]
        if worth is None or any(worth(hand) is not None for hand in hands):
            one, other = map(text_of, lines)
            place = whole(lattice.typed)
            asked = refuse("two-readings", "sign", at=place, one=one, other=other, tile=last)
            yield asked


def _the_one(found: list[_Meant], lattice: Lattice, worth: Worth | None) -> _Meant:
    """Return the intended reading, one that the rules score if there is any. Raises Refused if two are left."""
    readings: dict[Hand, _Meant] = {}
    for meant in sorted(found, key=lambda one: one.mended):
        readings.setdefault(meant.hand, meant)
    left = [one for one in readings.values() if one.mended != OTHER]
    if worth is not None:
        scored = [one for one in readings.values() if worth(one.hand) is not None]
        # if the rules score none of them, show the refusal of the first
        left = scored if any(one.mended != OTHER for one in scored) else left[:1]
    if len(left) == 1:
        return left[0]
    one, other = (text_of(meant.line) for meant in left[:2])
    raise refuse("two-readings", "hands", at=whole(lattice.typed), one=one, other=other)


def line_of(typed: Typed, people: People) -> Line:
    """Return *typed* in strict notation, part by part, with the wind of a player in place of the name."""
    line: list[Written] = []
    seat, ending = typed.seat, typed.ending
    if seat is not None:
        wind = next((wind for wind, player in people.players.items() if player == seat.value), seat.value)
        round_wind = f"@{typed.round}" if typed.round else ""
        header = f"{wind}{round_wind}:"
        line.append(Written("HEADER", header, Seat(wind, typed.round or None), seat.start, seat.end))
    line += map(_written, typed.parts)
    if ending.tile is not None:
        line.append(_clause(ending, ending.tile))
    flags = (one for one in ending.said if one.kind == "FLAG")
    return (*line, *(Written("FLAG", str(one.value), one.value, one.start, one.end) for one in flags))


def _written(part: Part) -> Written:
    if part.text == "...":
        return Written("UNLISTED", part.text, None, part.start, part.end)
    run = run_of(part.tiles)
    if part.bracket not in ("(", "["):
        return Written("TILES", part.text, run, part.start, part.end)
    added = None if part.added is None else run_of(part.added)
    return Written("SET", part.text, laid(run, part.bracket, added), part.start, part.end)


def _clause(ending: Ending, tile: Part) -> Written:
    text = str(tile.tiles[0]) if len(tile.tiles) == 1 else tile.text
    discarder = next(iter(ending.of("WHO")), None)
    brackets, stated = ("", ()) if ending.stated is None else (ending.stated.text, ending.stated.tiles)
    who = "" if discarder is None else f":{quote_name(discarder)}"
    clause = won(ending.sign, tile.tiles, discarder, brackets, run_of(stated))
    kind = "DRAWN" if ending.sign == "+" else "CLAIMED"
    return Written(kind, f"{ending.sign}{text}{brackets}{who}", clause, ending.start, ending.end)


def text_of(line: Line) -> str:
    """Return *line* as text; there is no space between the winning tile and flags."""
    ending = [part.value for part in line if part.type in ("DRAWN", "CLAIMED", "FLAG")]
    before = [part.value for part in line[: len(line) - len(ending)]]
    return " ".join([*before, *(["".join(ending)] if ending else [])])
