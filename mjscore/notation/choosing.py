"""Choose the hand that is meant among all readings of a typed line, or ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.notation.faults import fault_of
from mjscore.notation.hands import UnbracketedKong, hand_of
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
    signed,
    speech_parser,
    with_states,
    without_winning_tile,
)
from mjscore.notation.ways import read_ways
from mjscore.refusal import Refused, refuse

Worth = Callable[[Hand], Hashable]  # what the rules give a hand; None where none scores it


class Chosen(NamedTuple):
    """The *hand* that is meant, its *line* in the notation, and *remarks* on what was taken for what."""

    hand: Hand
    line: Line
    remarks: tuple[str, ...]


class _Meant(NamedTuple):
    """One reading: its *hand* and *line*; *exposed* says which sets lie on the table of which it was not said."""

    hand: Hand
    line: Line
    exposed: tuple[bool, ...]
    cost: int


def choose(
    text: str, hand: Hand | None, strict: Refused | None, people: People, worth: Worth | None
) -> Chosen | None:
    """Give the hand that is meant by a text of which the strict reading gave a *hand* of strangers, or refused it.

    None leaves it at the strict reading. Raises Refused.
    """
    lattice = Lattice(text, people)
    ways = read_ways(speech_parser(), "hand", lattice)
    found: list[_Meant] = []
    refused: list[Refused] = []
    questions: list[tuple[int, Refused]] = []  # of what would be a hand but for them, with how many it has
    for typed in ways.read:
        asked = typed.asked
        try:
            meant = list(_meant(typed, lattice, refused))
        except UnbracketedKong as kong:
            questions.append((2 * len(asked), Refused(asked[0]) if asked else kong))
            continue
        except Refused as no_hand:
            refused.append(no_hand)
            continue
        if not asked:
            found += meant
        elif meant:
            questions.append((2 * len(asked) - 1, Refused(asked[0])))
        else:
            refused.append(Refused(asked[0]))
    if found:
        chosen = _the_one(found, worth, text)
        if (
            strict is not None
            and strict.refusal.code == "too-many-tiles"
            and worth is not None
            and worth(chosen.hand) is None
        ):
            raise strict
        return Chosen(chosen.hand, chosen.line, tuple(said_back(lattice.text)))
    if strict is None and not any(typed.asked for typed in ways.read):
        return None
    asking = [question for _, question in sorted(questions, key=lambda one: one[0])]
    reasons = [*asking, *refused, *ways.refused, *([strict] if strict is not None else [])]
    raise _placed(fault_of(ways, lattice) or reasons[0], text)


def _meant(typed: Typed, lattice: Lattice, refused: list[Refused]) -> Iterator[_Meant]:
    """Give the hands that a typed hand may stand for. Raises Refused where it can be none; *refused* gets the others."""
    seat = _wind_of(typed, lattice.people)
    for one in signed(typed):
        for exposed, laid in with_states(one):
            fours = open_fours(laid)
            if fours:
                raise _without_brackets(laid, fours, seat, lattice)
            for whole in without_winning_tile(laid):
                line = line_of(whole, seat)
                try:
                    hand = _hand_of(line)
                except Refused as no_hand:
                    if not typed.asked:
                        refused.append(Refused(located(no_hand.refusal, lattice.typed, line.tokens)))
                    continue
                yield _Meant(hand, line, exposed, whole.cost)


def _hand_of(line: Line) -> Hand:
    flags = [line.flags] if line.flags else []
    return hand_of(line.held, *([line.clause] if line.clause is not None else []), *flags)


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


def _the_one(found: list[_Meant], worth: Worth | None, text: str) -> _Meant:
    """Give the one reading that is meant. Raises Refused where two are left."""
    readings: dict[Hand, _Meant] = {}
    for meant in sorted(found, key=lambda one: one.cost):
        readings.setdefault(meant.hand, meant)
    left = list(readings.values())
    if len(left) > 1 and worth is not None:
        # of hands that no rule scores, the first is as good as any: its refusal is shown
        left = [meant for meant in left if worth(meant.hand) is not None] or left[:1]
    cheapest = min(meant.cost for meant in left)
    left = [meant for meant in left if meant.cost == cheapest]
    if len(left) == 1:
        return left[0]
    if worth is not None and all(meant.exposed for meant in left):
        left = _settled_states(left, worth)
        if len(left) == 1:
            return left[0]
    first, second = left[0].line.text, left[1].line.text
    raise refuse("two-readings", "this can be read as two hands", f"type {first} or {second}")


def _settled_states(left: list[_Meant], worth: Worth) -> list[_Meant]:
    """Take as concealed each set of which it makes no difference; give what is left, all concealed and all exposed."""
    by_state = {meant.exposed: worth(meant.hand) for meant in left}
    number = len(left[0].exposed)
    matters = [
        any(
            by_state.get(exposed)
            != by_state.get((*exposed[:place], not exposed[place], *exposed[place + 1 :]))
            for exposed in by_state
        )
        for place in range(number)
    ]
    kept = [
        meant
        for meant in left
        if not any(up and not matter for up, matter in zip(meant.exposed, matters, strict=True))
    ]
    return [*kept[:1], *kept[-1:]] if len(kept) > 1 else kept


def _placed(refused: Refused, text: str) -> Refused:
    """Give a refusal with the line in which it stands, and the whole line where no less is known."""
    refusal = refused.refusal
    if refusal.column is None:
        refusal = refusal._replace(line=1, column=1, length=max(1, len(text)))
    refusal = refusal._replace(text=refusal.text or text)
    return (
        UnbracketedKong(refusal, refused.lines) if isinstance(refused, UnbracketedKong) else Refused(refusal)
    )
