"""Choose the hand that is meant among all readings of a typed line, or ask; say why the strict notation refuses it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from lark import Token

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Hand, quote_name
from mjscore.game.tiles import Tile, format_tiles
from mjscore.notation.building import Proposing, Reading, UnbracketedKong, Worth, flag_of, hand_of
from mjscore.notation.letters import said_back
from mjscore.notation.lexer import Lattice
from mjscore.notation.mistakes import fault_of, looseness, unread
from mjscore.notation.names import ANYBODY, People
from mjscore.notation.places import located
from mjscore.notation.speech import Ending, Part, Spanned, Typed, contradicting, no_hand, speech_parser
from mjscore.notation.ways import read_ways
from mjscore.refusal import Refusal, Refused, refuse, whole

MOST_OPEN = 5  # sets of which it is not said how they lie
LONGEST_EXPLAINED = 1000  # characters; a hand has far fewer
# what only a count of the tiles tells is not put right without the rules, and comes after what is no notation
_COUNTED = ("too-many-tiles", "too-few-tiles")
EXAMPLE = "S@E: (222d) 123b 456b EE 7c8c +9c"
OTHER = 2  # a tile that is not the winning one was taken out
Line = tuple[Token, ...]  # a hand in the notation, token by token, each with its place in what was typed


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

    @property
    def text(self) -> str:
        """Give the strict line."""
        return text_of(self.line)


def choose(
    text: str, is_strict: bool, refused: Sequence[Refused], people: People, worth: Worth | None
) -> Reading | None:
    """Give the hand that is meant by a text that *is_strict* but speaks of strangers, or was *refused* as that.

    None leaves it at the strict reading. Raises Refused.
    """
    lattice = Lattice(text, people)
    ways = read_ways(speech_parser(), "hand", lattice)
    fault = fault_of(ways, lattice)
    if fault is None:
        try:
            return meant_hand(ways.read, lattice, worth, (*ways.refused, *refused))
        except Refused as unfit:
            fault = unfit
    if is_strict and not any(typed.asked for typed in ways.read):
        return None
    refusal = fault.refusal
    if refusal.column is None:  # no less than the whole line is known
        refusal = refusal._replace(line=1, column=1, length=max(1, len(text)))
    fault.refusal = refusal._replace(text=refusal.text or text)
    raise fault from None


def meant_hand(
    read: Iterable[Typed], lattice: Lattice, worth: Worth | None, refused: Sequence[Refused] = ()
) -> Reading:
    """Give the one hand that is meant by what was *read*. Raises Refused: for a question, and where there is none, with
    what is wrong or else the first of *refused*.
    """
    read = tuple(read)
    found: list[_Meant] = []
    wrong: list[Refused] = []
    questions: list[tuple[int, Refused]] = []  # of what would be a hand but for them, with how many it has
    for number, typed in enumerate(read):
        asked = [question._replace(text=lattice.typed) for question in typed.asked]
        try:
            meant = list(_meant(typed, number, lattice, wrong))
        except UnbracketedKong as kong:
            questions.append((2 * len(asked), Refused(asked[0]) if asked else kong))
            continue
        except Refused as unfit:
            wrong.append(unfit)
            continue
        if all(one.mended == OTHER for one in meant):
            meant = []  # what is only mended was not typed
        if not asked:
            found += meant
        elif meant:
            questions.append((2 * len(asked) - 1, _answered(asked[0], meant[0].text)))
        else:
            wrong.append(Refused(asked[0]))
    if found:
        one = _the_one(found, lattice, worth)
        if one.mended and worth is not None and worth(one.hand) is None:
            # a tile too many is taken out only where that makes a hand
            wrong.sort(key=lambda refused: refused.refusal.code != "too-many-tiles")
            raise [*wrong, *refused][0]
        loosely = one.text != lattice.typed.strip()
        return Reading(one.text, one.hand, loosely, said_back(lattice.text), lattice.typed, one.line)
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
    for drawn, one in enumerate(_signed(typed)):
        for exposed, laid in with_states(one):
            _check_fours(laid, lattice)
            for mended, one_less in _without_a_tile(laid):
                line = line_of(one_less, lattice.people)
                try:
                    hand = hand_of(line)
                except Refused as unfit:
                    if not typed.asked and mended == 0:
                        wrong.append(Refused(located(unfit.refusal, lattice.typed, line)))
                    continue
                yield _Meant(hand, line, 2 * number + drawn, exposed, one_less.cost, mended)


def _signed(typed: Typed) -> list[Typed]:
    """Give the hand with its winning tile drawn and claimed where neither is said. Raises Refused for both at once."""
    ending = typed.ending
    if ending is None or ending.tile is None:
        return [typed]
    sign = ending.sign
    for said in ending.said:
        if said.who and sign == "+":
            raise no_hand(
                "drawn-from-a-player",
                "a tile that was drawn came from the wall, not from a player",
                f"type <{ending.tile.text}:{quote_name(said.who)} if it was claimed",
                said,
            )
        if said.sign and sign not in ("?", said.sign):
            raise contradicting(said)
        sign = said.sign or ("<" if said.who else sign)
    if sign == "?":
        words = [said.flag for said in ending.said if said.flag]
        sign = (
            "".join(one for one in "+<" if all(one in FLAG_CLAUSES.get(word, one) for word in words)) or "+"
        )
    return [typed._replace(ending=ending._replace(sign=one)) for one in sign]


def with_states(typed: Typed) -> list[tuple[tuple[bool, ...], Typed]]:
    """Give the hand with each of its called sets exposed or concealed, and for each set of which it is not said which.

    It is told by the other sets where only exposed ones are marked, or only concealed ones.
    """
    marks = {part.state or {"(": "exposed", "[": "concealed"}.get(part.bracket) for part in typed.parts}
    marks -= {None}
    unsaid = [part for part in typed.parts if part.set not in ("", "pair") and not part.state]
    if marks == {"exposed"}:
        choices: Iterable[tuple[str, ...]] = [("concealed",) * len(unsaid)]
    elif marks == {"concealed"}:
        choices = [("exposed",) * len(unsaid)]
    elif len(unsaid) > MOST_OPEN:
        message, hint = f"{len(unsaid)} sets are no hand", "a hand has four sets and a pair"
        raise no_hand("not-a-set", message, hint, unsaid[0], unsaid[-1])
    else:
        choices = product(("concealed", "exposed"), repeat=len(unsaid))
    found = []
    for states in choices:
        ahead, parts = iter(states), []
        for part in typed.parts:
            if part.set and not part.bracket:
                state = part.state or ("" if part.set == "pair" else next(ahead))
                if state == "exposed" or (state and part.set == "kong"):
                    part = _in_brackets(part, "()" if state == "exposed" else "[]")
            parts.append(part)
        found.append((tuple(state == "exposed" for state in states), typed._replace(parts=tuple(parts))))
    return found


def _in_brackets(part: Part, brackets: str) -> Part:
    return part._replace(text=f"{brackets[0]}{part.text}{brackets[1]}", bracket=brackets[0])


def over(typed: Typed) -> int:
    """Count the tiles that a hand has more than thirteen, and one for each four."""
    held = sum(not tile.is_bonus for part in typed.parts if part.bracket in ("", "?") for tile in part.tiles)
    return held + 3 * sum(part.bracket in ("(", "[") for part in typed.parts) - 13


def _check_fours(typed: Typed, lattice: Lattice) -> None:
    """Refuse four tiles alike that need brackets, since they lie on the table or are too many in hand."""
    fours = [
        part
        for part in typed.parts
        if part.bracket in ("", "?") and len(part.tiles) == 4 and len(set(part.tiles)) == 1
    ]
    is_dead = typed.ending is not None and any(said.flag == "dead" for said in typed.ending.said)
    asked = [part for part in fours if part.bracket == "?"] or (
        fours if over(typed) > 0 and not is_dead else []
    )
    if not asked:
        return
    lines = []
    for brackets in ("()", "[]"):
        parts = (_in_brackets(part, brackets) if part in asked else part for part in typed.parts)
        lines.append(text_of(line_of(typed._replace(parts=tuple(parts)), lattice.people)))
    refusal = refuse(
        "four-without-brackets",
        f"{asked[0].text}: a four needs brackets",
        f"type {lines[0]} if it was claimed, {lines[1]} if it was declared concealed",
        at=lattice.place(asked[0].start, asked[0].end),
    ).refusal
    raise UnbracketedKong(refusal, tuple(lines))


def _without_a_tile(typed: Typed) -> Iterator[tuple[int, Typed]]:
    """Give the hand as it is (0) and, with a tile too many, without the winning tile among those before it (1).

    What may be meant besides (2): another tile of that class was typed once too often.
    """
    yield 0, typed
    ending = typed.ending
    if over(typed) != 1 or ending is None or ending.tile is None or len(ending.tile.tiles) != 1:
        return
    (winning,) = ending.tile.tiles
    held = [part for part in typed.parts if not part.bracket]
    last = next((part for part in reversed(held) if winning in part.tiles), None)
    if last is not None:
        yield 1, _with_one_less(typed, last, winning)
    if ending.sign == "<":
        for part in typed.parts:
            if part.bracket == "(" and len(part.tiles) == 3 and winning in part.tiles:
                yield 1, _with_one_less(typed, part, winning)
    for part in held:
        for tile in dict.fromkeys(part.tiles):
            if tile != winning and tile.suit == winning.suit:
                yield 2, _with_one_less(typed, part, tile)


def _with_one_less(typed: Typed, part: Part, tile: Tile) -> Typed:
    left, place = list(part.tiles), typed.parts.index(part)
    left.remove(tile)
    less = [part._replace(text=format_tiles(left), tiles=tuple(left), bracket="")] if left else []
    return typed._replace(parts=(*typed.parts[:place], *less, *typed.parts[place + 1 :]))


def _without_a_sign(typed: Typed, lattice: Lattice, worth: Worth | None) -> Iterator[Refused]:
    """Ask how the last tile came where a hand has the fourteen tiles of one that won, and no word on that."""
    ending = typed.ending
    if typed.asked or (ending is not None and ending.tile is not None):
        return
    laid = with_states(typed)[0][1]
    held = [part for part in laid.parts if not part.bracket and part.tiles and not part.tiles[-1].is_bonus]
    if over(laid) != 1 or not held or any(part.text == "..." for part in laid.parts):
        return
    last = held[-1].tiles[-1]
    part = next(part for part in reversed(laid.parts) if not part.bracket and last in part.tiles)
    less, won = _with_one_less(laid, part, last), Part(str(last), (last,), part.start, part.end)
    said = ending.said if ending is not None else ()
    lines = [
        line_of(less._replace(ending=Ending(part.start, part.end, sign, won, said=said)), lattice.people)
        for sign in "+<"
    ]
    try:
        hands = [hand_of(line) for line in lines]
    except Refused:
        return
    if worth is not None and all(worth(hand) is None for hand in hands):
        return
    drawn, claimed = map(text_of, lines)
    unsigned = refuse(
        "two-readings",
        "14 tiles and one for each four, and it is not said how the last one came",
        f"type {drawn} if {last} was drawn, {claimed} if it was claimed",
        at=whole(lattice.typed),
    )
    yield Proposing(unsigned.refusal, (drawn, claimed))


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
    lines = (left[0].text, left[1].text)
    hint = f"type {lines[0]} or {lines[1]}"
    asked = refuse("two-readings", "this can be read as two hands", hint, at=whole(lattice.typed))
    raise Proposing(asked.refusal, lines)


def _settled(left: list[_Meant], scored: Mapping[Hand, Hashable]) -> list[_Meant]:
    """Take as concealed each set of which it makes no difference; give what is left, all concealed and all exposed."""
    worths = {meant.exposed: scored[meant.hand] for meant in left}
    matters = [
        any(
            worth != worths.get((*exposed[:place], not exposed[place], *exposed[place + 1 :]))
            for exposed, worth in worths.items()
        )
        for place in range(len(left[0].exposed))
    ]
    kept = [
        meant
        for meant in left
        if not any(up and not matter for up, matter in zip(meant.exposed, matters, strict=True))
    ]
    return [kept[0], kept[-1]] if matters and len(kept) > 1 else kept


def line_of(typed: Typed, people: People) -> Line:
    """Give the tokens of the notation; a hand alone has a wind, and the caller puts the player's name there."""
    line = []
    if typed.seat is not None:
        name = typed.seat.value
        wind = next((wind for wind, player in people.players.items() if player == name), name)
        line.append(_token("HEADER", f"{wind}@{typed.round}:" if typed.round else f"{wind}:", typed.seat))
    ending = typed.ending
    said = ending.said if ending is not None else ()
    for part in (*typed.parts, *(one.more for one in said if one.more)):
        kind = "UNLISTED" if part.text == "..." else "SET" if part.bracket in ("(", "[") else "TILES"
        line.append(_token(kind, part.text, part))
    if ending is not None and ending.tile is not None:
        tile = ending.tile
        text = str(tile.tiles[0]) if len(tile.tiles) == 1 else tile.text
        who = next((f":{quote_name(one.who)}" for one in said if one.who), "")
        kind = "DRAWN" if ending.sign == "+" else "CLAIMED"
        line.append(_token(kind, f"{ending.sign}{text}{ending.stated}{who}", ending))
    return (*line, *(_token("FLAG", f"!{one.flag}", one) for one in said if one.flag))


def _token(kind: str, value: str, typed: Spanned) -> Token:
    return Token(kind, value, typed.start, 1, typed.start + 1, 1, typed.end + 1, typed.end)


def text_of(line: Line) -> str:
    """Give the strict line: the winning tile and flags are written without a space between them."""
    ending = [token for token in line if token.type in ("DRAWN", "CLAIMED", "FLAG")]
    return " ".join([*line[: len(line) - len(ending)], *(["".join(ending)] if ending else [])])


def explain(text: str, position: int | None) -> Refusal:
    """Give the refusal of *text*, which the strict grammar refused at *position*."""
    refusal, line = explained(text, position)
    return refusal if line is None else refusal._replace(hint=f"type {line}")


def recount(text: str, refusal: Refusal) -> Refusal:
    """Give the question about a four without brackets where that is why *text* has too many tiles, else *refusal*."""
    try:
        choose(text, False, (Refused(refusal),), ANYBODY, None)
    except UnbracketedKong as kong:
        return kong.refusal
    except Refused:
        pass
    return refusal


def explained(text: str, position: int | None) -> tuple[Refusal, str | None]:
    """Give the refusal of *text*, and the strict line that may be typed instead where there is one."""
    lattice = Lattice(text)
    if len(text) > LONGEST_EXPLAINED:
        return unread(lattice, position or 0).refusal, None
    try:
        ways = read_ways(speech_parser(), "hand", lattice)
        fault = fault_of(ways, lattice)
        if fault is not None:
            return fault.refusal, None
        meant = meant_hand(ways.read, lattice, None)
    except Refused as refused:
        if refused.refusal.code in _COUNTED:
            unasked = next((typed for typed in ways.read if not typed.asked), None)
            if unasked is not None:
                return looseness(line_of(with_states(unasked)[0][1], lattice.people), lattice).refusal, None
        refusal = refused.refusal
        return refusal._replace(text=refusal.text or text), None
    refusal = looseness(meant.tokens, lattice).refusal
    flags = (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER)
    named = [flag_of(token.value)[0] for token in meant.tokens if token.type == "FLAG"]
    if refusal.code == "unknown-flag" and not all(word in flags for word in named):
        return refusal._replace(hint=f"the flags are !{' !'.join(flags)}"), None
    return refusal, meant.text


def with_whole_line(refused: Refused, text: str, people: People, worth: Worth | None) -> Refused:
    """Give a refusal whose help names a whole line that would be read: *text* without what is wrong in it, if it can be
    read so, or else an example.
    """
    refusal = refused.refusal
    if isinstance(refused, Proposing):
        return refused
    if refusal.code == "empty-hand":  # its help has the example
        return Proposing(refusal, (EXAMPLE,))
    for mended in _mended(refusal, text, people):
        try:
            chosen = choose(mended, False, (), people, worth)
        except Refused:
            continue
        if chosen is not None and (worth is None or worth(chosen.hand) is not None):
            hint = f"{refusal.hint}; so {chosen.text} would be read"
            return Proposing(refusal._replace(hint=hint), (chosen.text,))
    return Proposing(refusal._replace(hint=f"{refusal.hint}; a whole hand is {EXAMPLE}"), (EXAMPLE,))


def _mended(refusal: Refusal, text: str, people: People) -> list[str]:
    """Give the texts that a refused one may become by one small change where it is wrong."""
    start = (refusal.column or 1) - 1
    before, marked, after = text[:start], text[start : start + refusal.length], text[start + refusal.length :]
    if refusal.code == "missing-class":
        classes = ("b", "c", "d") if marked.isdecimal() else (" bamboo", " characters", " dots")
        return [f"{before}{marked}{letter} {after}" for letter in classes]
    if refusal.code in ("two-people", "unknown-player", "nobody-again"):
        return [f'{before}"{name}"{after}' for name in people.players.values()]
    if refusal.code == "no-such-seat":
        return [f"{before}{wind}{after}" for wind in "ESWN"] + [f"{before}{after}"]
    if refusal.code == "too-few-tiles":
        return [f"{text} ...", f"{text} dead"]
    return [f"{before} {after}"] if marked.strip() != text.strip() else []
