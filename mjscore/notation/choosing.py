"""Choose the hand that is meant among all readings of a typed line, or ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.notation.building import Proposing, UnbracketedKong, hand_of
from mjscore.notation.faults import fault_of
from mjscore.notation.letters import said_back
from mjscore.notation.lexer import Lattice
from mjscore.notation.names import People
from mjscore.notation.places import located
from mjscore.notation.speech import (
    Line,
    Typed,
    bracketed,
    line_of,
    open_fours,
    over,
    signed,
    speech_parser,
    with_states,
    without_a_tile,
    won_by_last,
)
from mjscore.notation.ways import read_ways
from mjscore.refusal import Refusal, Refused, refuse, whole

OTHER = 2  # a tile that is not the winning one was taken out
Worth = Callable[[Hand], Hashable]  # what the rules give a hand; None where none scores it


class Chosen(NamedTuple):
    """The *hand* that is meant, its *line* in the notation, and *remarks* on what was taken for what."""

    hand: Hand
    line: Line
    remarks: tuple[str, ...]


class _Meant(NamedTuple):
    """One reading: its *hand* and *line*; *of* is what it was typed as, *exposed* says which of its sets lie on the
    table of which it was not said, *cost* how much in it is rarely meant, *mended* what was taken out of it (as
    ``without_a_tile`` tells).
    """

    hand: Hand
    line: Line
    of: int
    exposed: tuple[bool, ...]
    cost: int
    mended: int


def choose(
    text: str, is_strict: bool, refused: Sequence[Refused], people: People, worth: Worth | None
) -> Chosen | None:
    """Give the hand that is meant by a text that *is_strict* but speaks of strangers, or was *refused* as that.

    None leaves it at the strict reading. Raises Refused.
    """
    lattice = Lattice(text, people)
    ways = read_ways(speech_parser(), "hand", lattice)
    fault = fault_of(ways, lattice)
    if fault is not None:
        if is_strict:
            return None
        raise _placed(fault, text)
    try:
        chosen = meant_hand(ways.read, lattice, worth, (*ways.refused, *refused))
    except Refused as no_hand:
        if is_strict and not any(typed.asked for typed in ways.read):
            return None
        raise _placed(no_hand, text) from None
    return chosen


def meant_hand(
    read: Iterable[Typed], lattice: Lattice, worth: Worth | None, refused: Sequence[Refused] = ()
) -> Chosen:
    """Give the one hand that is meant by what was *read*. Raises Refused: for a question, and where there is none, with
    what is wrong or else the first of *refused*.
    """
    read = tuple(read)
    found: list[_Meant] = []
    wrong: list[Refused] = []
    questions: list[tuple[int, Refused]] = []  # of what would be a hand but for them, with how many it has
    for number, typed in enumerate(read):
        asked = typed.asked
        try:
            meant = list(_meant(typed, number, lattice, wrong))
        except UnbracketedKong as kong:
            questions.append((2 * len(asked), Refused(asked[0]) if asked else kong))
            continue
        except Refused as no_hand:
            wrong.append(no_hand)
            continue
        if all(one.mended == OTHER for one in meant):
            meant = []  # what is only mended was not typed
        if not asked:
            found += meant
        elif meant:
            questions.append((2 * len(asked) - 1, _answered(asked[0], meant[0].line.text)))
        else:
            wrong.append(Refused(asked[0]))
    if found:
        one = _the_one(found, lattice, worth)
        if one.mended and worth is not None and worth(one.hand) is None:
            # a tile too many is taken out only where that makes a hand
            wrong.sort(key=lambda refused: refused.refusal.code != "too-many-tiles")
            raise [*wrong, *refused][0]
        return Chosen(one.hand, one.line, tuple(said_back(lattice.text)))
    asking = [question for _, question in sorted(questions, key=lambda one: one[0])]
    asking += [unsigned for typed in read for unsigned in _without_a_sign(typed, lattice, worth)]
    raise [*asking, *wrong, *refused][0]


def _answered(question: Refusal, line: str) -> Refused:
    """Give a question with the *line* that an answer to it makes."""
    if question.code in ("ambiguous-w", "two-meanings"):
        return Proposing(question._replace(hint=f"{question.hint}, as in {line}"), (line,))
    if question.code == "wrong-sign":
        return Proposing(question._replace(hint=f"type {line}"), (line,))
    return Refused(question)


def _meant(typed: Typed, number: int, lattice: Lattice, wrong: list[Refused]) -> Iterator[_Meant]:
    """Give the hands that a typed hand may stand for. Raises Refused where it can be none; *wrong* gets the others."""
    seat = _wind_of(typed, lattice.people)
    for drawn, one in enumerate(signed(typed)):
        for exposed, laid in with_states(one):
            fours = open_fours(laid)
            if fours:
                raise _without_brackets(laid, fours, seat, lattice)
            for mended, one_less in without_a_tile(laid):
                line = line_of(one_less, seat)
                try:
                    hand = _hand_of(line)
                except Refused as no_hand:
                    if not typed.asked and mended == 0:
                        wrong.append(Refused(located(no_hand.refusal, lattice.typed, line.tokens)))
                    continue
                yield _Meant(hand, line, 2 * number + drawn, exposed, one_less.cost, mended)


def _without_a_sign(typed: Typed, lattice: Lattice, worth: Worth | None) -> Iterator[Refused]:
    """Ask how the last tile came where a hand has the fourteen tiles of one that won, and no word on that."""
    if typed.asked or (typed.ending is not None and typed.ending.tile is not None):
        return
    laid = with_states(typed)[0][1]
    held = [part for part in laid.parts if not part.bracket and part.tiles and not part.tiles[-1].is_bonus]
    if over(laid) != 1 or not held or any(part.text == "..." for part in laid.parts):
        return
    last, seat = held[-1].tiles[-1], _wind_of(typed, lattice.people)
    lines = [line_of(one, seat) for one in won_by_last(laid, last)]
    try:
        hands = [_hand_of(line) for line in lines]
    except Refused:
        return
    if worth is not None and all(worth(hand) is None for hand in hands):
        return
    drawn, claimed = lines[0].text, lines[1].text
    unsigned = refuse(
        "two-readings",
        "14 tiles and one for each four, and it is not said how the last one came",
        f"type {drawn} if {last} was drawn, {claimed} if it was claimed",
        at=whole(lattice.typed),
    )
    yield Proposing(unsigned.refusal, (drawn, claimed))


def _hand_of(line: Line) -> Hand:
    flags = [line.flags] if line.flags else []
    return hand_of(line.held, *([line.clause] if line.clause is not None else []), *flags)


def lines_of(read: Iterable[Typed], lattice: Lattice) -> Iterator[Line]:
    """Give the lines of what was *read* and raises no question, whether or not they are hands."""
    for typed in read:
        if not typed.asked:
            for _, laid in with_states(typed):
                yield line_of(laid, _wind_of(typed, lattice.people))


def _wind_of(typed: Typed, people: People) -> str | None:
    """Give the wind of the seat that is named; a hand alone has a wind, and the caller puts the player's name there."""
    if typed.seat is None:
        return None
    name: str = typed.seat.value
    return next((wind for wind, player in people.players.items() if player == name), name)


def _without_brackets(typed: Typed, fours: list[int], seat: str | None, lattice: Lattice) -> UnbracketedKong:
    lines = tuple(line_of(bracketed(typed, fours, brackets), seat).text for brackets in ("()", "[]"))
    four = typed.parts[fours[0]]
    refusal = refuse(
        "four-without-brackets",
        f"{four.text}: a four needs brackets",
        f"type {lines[0]} if it was claimed, {lines[1]} if it was declared concealed",
        at=lattice.place(four.start, four.end),
    ).refusal
    return UnbracketedKong(refusal, lines)


def _the_one(found: list[_Meant], lattice: Lattice, worth: Worth | None) -> _Meant:
    """Give the one reading that is meant. Raises Refused where two are left."""
    scored: dict[Hand, Hashable] = {meant.hand: worth(meant.hand) if worth else None for meant in found}
    readings: dict[Hand, _Meant] = {}
    for meant in sorted(found, key=lambda one: (one.mended, one.cost)):
        readings.setdefault(meant.hand, meant)
    left = list(readings.values())
    if worth is not None:
        # of hands that no rule scores, the first is as good as any: its refusal is shown
        left = [meant for meant in left if scored[meant.hand] is not None]
    if worth is None or all(meant.mended == OTHER for meant in left):
        left = [meant for meant in readings.values() if meant.mended != OTHER][: None if worth is None else 1]
    cheapest = min(meant.cost for meant in left)
    left = [meant for meant in left if meant.cost == cheapest]
    if worth is not None and len(left) > 1:
        bases = dict.fromkeys(meant.of for meant in left)
        left = [one for of in bases for one in _settled([meant for meant in left if meant.of == of], scored)]
    if len(left) == 1:
        return left[0]
    lines = (left[0].line.text, left[1].line.text)
    hint = f"type {lines[0]} or {lines[1]}"
    asked = refuse("two-readings", "this can be read as two hands", hint, at=whole(lattice.typed))
    raise Proposing(asked.refusal, lines)


def _settled(left: list[_Meant], scored: Mapping[Hand, Hashable]) -> list[_Meant]:
    """Take as concealed each set of which it makes no difference; give what is left, all concealed and all exposed."""
    worths = {meant.exposed: scored[meant.hand] for meant in left}
    matters = [
        any(
            worths[exposed] != worths.get((*exposed[:place], not up, *exposed[place + 1 :]))
            for exposed in worths
            for up in exposed[place : place + 1]
        )
        for place in range(len(left[0].exposed))
    ]
    kept = [
        meant
        for meant in left
        if not any(up and not matter for up, matter in zip(meant.exposed, matters, strict=True))
    ]
    return [kept[0], kept[-1]] if matters and len(kept) > 1 else kept


def _placed(refused: Refused, text: str) -> Refused:
    """Give a refusal with the line in which it stands, and the whole line where no less is known."""
    refusal = refused.refusal
    if refusal.column is None:
        refusal = refusal._replace(line=1, column=1, length=max(1, len(text)))
    refusal = refusal._replace(text=refusal.text or text)
    return type(refused)(refusal, refused.lines) if isinstance(refused, Proposing) else Refused(refusal)
