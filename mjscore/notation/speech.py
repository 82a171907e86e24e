"""Build a hand from the pieces of a typed line: its sets and tiles as they lie, and how it was won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, product
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer

from mjscore.game.hand import FLAG_CLAUSES, SET_SIZES, quote_name, set_text
from mjscore.game.tiles import TILE_NAMES, Tile, format_tiles
from mjscore.notation.parsers import open_grammar
from mjscore.notation.pieces import Piece
from mjscore.notation.tokens import tile_run
from mjscore.refusal import Place, Refusal, Refused, refuse

MOST_OPEN = 5  # sets of which it is not said how they lie


class Part(NamedTuple):
    """Tiles that were typed together: their strict *text*, *bracket* (``(`` on the table, ``[`` declared, ``?`` a four
    that may be either), and what they are called: the kind of *set* and its *state*, exposed or concealed.

    *cost* counts what people rarely mean, such as a word that belongs to what a comma parts it from; *parted* is
    whether a comma stands before it, *plain* whether its state was said of tiles that no word calls a set.
    """

    text: str
    tiles: tuple[Tile, ...]
    start: int
    end: int
    bracket: str = ""
    set: str = ""
    state: str = ""
    asked: tuple[Refusal, ...] = ()
    cost: int = 0
    parted: bool = False
    plain: bool = False


class Said(NamedTuple):
    """What is said of how a hand was won, or ended: a *flag*, *who* discarded, the *sign* of the winning tile, *more*
    that belongs before it.
    """

    start: int
    end: int
    flag: str = ""
    who: str | None = None
    sign: str = ""
    more: Part | None = None
    asked: tuple[Refusal, ...] = ()


class Ending(NamedTuple):
    """How a hand ended: the winning tile's *sign* (``?`` where it is not said), the *tile* as typed, the *stated* set
    that it completed, and what else was *said*.
    """

    start: int
    end: int
    sign: str = ""
    tile: Part | None = None
    stated: str = ""
    said: tuple[Said, ...] = ()


class Typed(NamedTuple):
    """A hand as it was typed, taken for one thing throughout: its *seat* and *round*, its *parts*, its *ending*."""

    seat: Piece | None
    round: str | None
    parts: tuple[Part, ...]
    ending: Ending | None

    @property
    def asked(self) -> tuple[Refusal, ...]:
        """Give the questions that its pieces raise."""
        head = (self.seat.asked,) if self.seat is not None and self.seat.asked else ()
        ending = self.ending
        tile = ending.tile.asked if ending is not None and ending.tile is not None else ()
        said = [refusal for said in ending.said for refusal in said.asked] if ending is not None else []
        return (*head, *(refusal for part in self.parts for refusal in part.asked), *tile, *said)

    @property
    def end(self) -> int:
        """Tell where it ends in what was typed."""
        return self.ending.end if self.ending is not None else self.parts[-1].end

    @property
    def cost(self) -> int:
        """Tell how much in it is rarely meant."""
        return sum(part.cost for part in self.parts)


class Line(NamedTuple):
    """A hand in the notation, token by token: what is *held*, the *clause* of its winning tile, its *flags*."""

    held: list[Token]
    clause: Token | None
    flags: list[Token]

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Give all of them, in their order."""
        return (*self.held, *((self.clause,) if self.clause is not None else ()), *self.flags)

    @property
    def text(self) -> str:
        """Give the strict line."""
        ending = ([self.clause] if self.clause is not None else []) + self.flags
        return " ".join([*self.held, *(["".join(ending)] if ending else [])])


def no_hand(code: str, message: str, hint: str, start: int, end: int) -> Refused:
    """Refuse what stands from *start* to *end*; the driver knows the line."""
    return refuse(code, message, hint, at=Place("", start, end))


class Speech(Transformer):  # type: ignore[type-arg]
    """What the rules of ``speech.lark`` stand for. Lark calls a method for each rule, on every way that is open."""

    def hand(self, children: list[Any]) -> Typed:
        head, parts, *ending = children
        seat, round_wind = head
        return Typed(seat, round_wind, parts, ending[0] if ending else None)

    def opened_hand(self, children: list[Any]) -> Typed:
        head, opening, parts, *flags = children
        said = self.not_won(flags).said if flags else ()
        return self.hand([head, parts, opening._replace(said=(*opening.said, *said))])

    def nobody(self, children: list[Piece]) -> tuple[None, None]:
        return None, None

    def seat(self, children: list[Piece]) -> tuple[Piece, None]:
        return children[0]._replace(end=children[-1].end), None

    def seat_and_round(self, children: list[Piece]) -> tuple[Piece, str]:
        return children[0]._replace(end=children[-1].end), children[2].value

    def first(self, children: list[Any]) -> tuple[Any, ...]:
        return (children[0],)

    def more(self, children: list[Any]) -> tuple[Any, ...]:
        items, item = children
        if isinstance(item, Part) and isinstance(items[-1], Part):
            item = _beside(items[-1], item)
        return (*items, item)

    # ------------------------------------------------------------- tiles

    def written(self, children: list[Piece]) -> Part:
        (piece,) = children
        return self._part(piece.value, children)

    def values_first(self, children: list[Piece]) -> Part:
        return self._part(children[0].value + children[1].value, children)

    def suit_first(self, children: list[Piece]) -> Part:
        return self._part(children[1].value + children[0].value, children)

    def plural(self, children: list[Piece]) -> Part:
        return self._part(children[0].value, children)

    def counted(self, children: list[Piece]) -> Part:
        number, *tile = children
        one = self._part("".join(piece.value for piece in tile), children)
        if number.value not in ("2", "3", "4"):
            raise _no_number(number, one)
        return self._repeated(one, int(number.value), number.start, one.end)

    def bonus(self, children: list[Piece]) -> Any:
        word, number = children
        if set(number.value) - set("1234"):
            raise no_hand(
                "bonus-number",
                f"there are only four {'flowers' if word.value == 'f' else 'seasons'}, 1 to 4",
                f"type 1{word.value} to 4{word.value}",
                word.start,
                number.end,
            )
        part = self._part(number.value + word.value, children)
        return Said(part.start, part.end, more=part) if word.kind == "BONUS_LAST" else part

    def times(self, children: list[Any]) -> Part:
        number, part = children
        return self._repeated(part, number.value, number.start, part.end)

    def times_behind(self, children: list[Any]) -> Part:
        part, number = children
        return self._repeated(part, number.value, part.start, number.end)

    def _repeated(self, part: Part, number: int, start: int, end: int) -> Part:
        if len(part.tiles) != 1:
            raise no_hand(
                "not-a-set",
                f"{number} times {part.text} is no set",
                "type the tiles themselves, as in 555b",
                start,
                end,
            )
        return part._replace(
            text=_same(part.tiles[0], number), tiles=part.tiles * number, start=start, end=end
        )

    def _part(self, text: str, pieces: Sequence[Piece]) -> Part:
        run = tile_run(text)
        asked = tuple(piece.asked for piece in pieces if piece.asked)
        return Part(
            text,
            run.tiles + run.bonus,
            pieces[0].start,
            pieces[-1].end,
            asked=asked,
            parted=pieces[0].parted,
        )

    def dots(self, children: list[Piece]) -> Part:
        return Part("...", (), children[0].start, children[0].end)

    # ------------------------------------------------------------- sets

    def set_of(self, children: list[Any]) -> Part:
        return _called(children[0], children[1], children)

    def set_of_state(self, children: list[Any]) -> Part:
        return self._with_state(_called(children[0], children[2], children), children[1], children)

    def set_behind(self, children: list[Any]) -> Part:
        return _called(children[1], children[0], children)

    def set_behind_state(self, children: list[Any]) -> Part:
        return self._with_state(_called(children[2], children[0], children), children[1], children)

    def set_within(self, children: list[Piece]) -> Part:
        suit, word, values = children
        return _called(word, self.suit_first([suit, values]), children)

    def set_between(self, children: list[Piece]) -> Part:
        values, word, suit = children
        return _called(word, self.values_first([values, suit]), children)

    def state_first(self, children: list[Any]) -> Part:
        return self._with_state(children[1], children[0], children)

    def state_last(self, children: list[Any]) -> Part:
        return self._with_state(children[0], children[1], children)

    def _with_state(self, part: Part, state: Piece, around: Sequence[Any]) -> Part:
        if not part.set:
            part = part._replace(set=_kind_of(part), plain=True)
        behind = state.start > part.start
        if not behind and part.parted:
            raise no_hand(
                "not-a-set",
                f"{state.value} what? a comma stands behind it",
                "leave out the comma, or put the word behind its set",
                state.start,
                state.end,
            )
        return part._replace(
            state=state.value,
            start=around[0].start,
            end=around[-1].end,
            cost=part.cost + (behind and state.parted),
            parted=around[0].parted,
        )

    def bracket(self, children: list[Any]) -> Part:
        opening, *inside, closing = children
        if {"(": ")", "[": "]"}[opening.value] != closing.value:
            raise no_hand(
                "mixed-brackets",
                f"{opening.value} is closed by {closing.value}",
                "( … ) is a set on the table, [ … ] a declared concealed four",
                opening.start,
                closing.end,
            )
        groups: tuple[Part, ...] = inside[0] if inside else ()
        return Part(
            f"{opening.value}{' '.join(part.text for part in groups)}{closing.value}",
            tuple(tile for part in groups for tile in part.tiles),
            opening.start,
            closing.end,
            opening.value,
            asked=tuple(refusal for part in groups for refusal in part.asked),
        )

    def bracketed_core(self, children: list[Any]) -> Part:
        opening, core, closing = children
        return self.bracket([opening, (core,), closing])

    def grown(self, children: list[Any]) -> Part:
        opening, three, _, fourth, closing = children
        if opening.value != "(" or closing.value != ")":
            raise no_hand(
                "not-a-grown-four",
                "a four that grew on the table stands in round brackets",
                "three alike, then + and the fourth that was drawn: (111+1d)",
                opening.start,
                closing.end,
            )
        values = three.value if isinstance(three, Piece) else three.text
        text = f"({values}+{fourth.text})"
        asked = (() if isinstance(three, Piece) else three.asked) + fourth.asked
        return Part(text, fourth.tiles * 4, opening.start, closing.end, "(", asked=asked)

    def laid_down(self, children: list[Any]) -> tuple[Part, ...]:
        parts, _ = children
        return tuple(_laid(parts))

    # ------------------------------------------------------------- how it was won

    def sign(self, children: list[Piece]) -> Piece:
        first, last = children[0], children[-1]
        if len(children) > 1 and first.kind == "SIGN_OF" and first.value != last.value:
            raise _contradicting(first, last)
        return last._replace(
            value=last.value if last.kind != "WIN_OF" else "?", start=first.start, end=last.end
        )

    def won(self, children: list[Any]) -> Ending:
        sign, tile = children
        asked = tile.asked + ((sign.asked,) if sign.asked else ())
        return Ending(sign.start, tile.end, sign.value, tile._replace(asked=asked))

    def won_with_set(self, children: list[Any]) -> Ending:
        sign, tile, _, inside, closing = children
        stated = f"({' '.join(part.text for part in inside)})"
        return Ending(sign.start, closing.end, sign.value, tile, stated)

    def won_so_first(self, children: list[Any]) -> Ending:
        flag, *sign, tile = children
        said = self.flag([flag])
        return Ending(flag.start, tile.end, sign[0].value if sign else "?", tile, said=(said,))

    def won_by(self, children: list[Any]) -> Ending:
        who, sign, tile = children
        return Ending(who.start, tile.end, sign.value, tile, said=(self.who([who]),))

    def won_behind(self, children: list[Any]) -> Ending:
        tile, said = children
        return Ending(tile.start, said.end, said.sign or "?", tile, said=(said,))

    def won_from(self, children: list[Any]) -> Ending:
        tile, word, who = children
        return Ending(tile.start, who.end, "<", tile, said=(self.who([word, who]),))

    def not_won(self, children: list[Any]) -> Ending:
        said = tuple(
            Said(piece.start, piece.end, more=self.dots([piece]))
            if piece.kind == "DOTS"
            else self.flag([piece])
            for piece in children[0]
        )
        return Ending(said[0].start, said[-1].end, said=said)

    def won_so(self, children: list[Any]) -> Ending:
        win, tail = children
        end = max((said.end for said in tail if said.who), default=win.end)
        ending: Ending = win._replace(said=(*win.said, *tail), end=end)
        return ending

    def opened_so(self, children: list[Any]) -> Ending:
        opening, piece = children
        said = self.how([piece]) if piece.kind == "SIGN" else self.flag([piece])
        ending: Ending = opening._replace(said=(*opening.said, said))
        return ending

    def opened_from(self, children: list[Any]) -> Ending:
        opening, word, who = children
        ending: Ending = opening._replace(said=(*opening.said, self.who([word, who])), end=who.end)
        return ending

    def how(self, children: list[Piece]) -> Said:
        (piece,) = children
        if piece.kind == "FLAG_OF":
            return self.flag(children)
        return Said(piece.start, piece.end, sign=piece.value if piece.kind == "SIGN" else "")

    def flag(self, children: list[Piece]) -> Said:
        (piece,) = children
        word, named = piece.value if piece.kind == "FLAG" else (piece.value, None)
        text = f"{word}:{quote_name(named)}" if named else word
        return Said(piece.start, piece.end, flag=text, asked=(piece.asked,) if piece.asked else ())

    def who(self, children: list[Piece]) -> Said:
        named = children[-1]
        asked = (named.asked,) if named.asked else ()
        return Said(children[0].start, named.end, who=named.value, asked=asked)


@lru_cache(maxsize=1)
def speech_parser() -> Lark:
    """Open the grammar of a typed hand."""
    return open_grammar("speech.lark", ("hand",), Speech())


# ------------------------------------------------------------- sets by their names


def _beside(before: Part, part: Part) -> Part:
    """Give a part with a question where its state, or that of the one *before* it, may be said of both."""
    told = part if part.plain and part.asked == () and before.set == "" else before if before.plain else None
    if told is None or part.parted or not before.tiles or not part.tiles or before.bracket or part.bracket:
        return part
    if told is before and part.set:
        return part
    asked = no_hand(
        "two-meanings",
        f"{told.state} can be said of {told.text} alone, or of {before.text} too"
        if told is part
        else f"{told.state} can be said of {told.text} alone, or of {part.text} too",
        "put what lies on the table in round brackets, or a comma between the sets",
        told.start,
        told.end,
    )
    return part._replace(asked=(*part.asked, asked.refusal))


def _no_number(number: Piece, part: Part) -> Refused:
    return no_hand(
        "not-a-set",
        f"there are four of a kind, not {number.value}",
        f"type how many there are, as in {_same(part.tiles[0], 3)}",
        number.start,
        part.end,
    )


def _same(tile: Tile, number: int) -> str:
    name = TILE_NAMES[tile]
    return name[0] * number + name[1]


def _called(word: Piece, part: Part, around: Sequence[Any]) -> Part:
    """Give the set that is called by its kind, of one of its tiles or of all."""
    kind, tiles = word.value, part.tiles
    size = SET_SIZES[kind]
    start, end = around[0].start, around[-1].end
    if len(tiles) == 1 and kind != "chow" and not tiles[0].is_bonus:
        part = part._replace(text=_same(tiles[0], size), tiles=tiles * size)
    elif not _is_set(kind, tiles):
        example = "chow 123 bamboo" if kind == "chow" else f"{kind} of 5 bamboo"
        raise no_hand(
            "not-a-set", f"{part.text} is no {kind}", f"type its tiles, as in {example}", start, end
        )
    apart = word.parted if word.start > part.start else part.parted
    return part._replace(start=start, end=end, set=kind, cost=int(apart), parted=around[0].parted)


def _is_set(kind: str, tiles: Sequence[Tile]) -> bool:
    ordered = sorted(tiles)
    if len(ordered) != SET_SIZES[kind]:
        return False
    if kind != "chow":
        return ordered[0] == ordered[-1] and not ordered[0].is_bonus
    return (
        format_tiles(ordered) == set_text("chow", ordered[0])
        if ordered[0] % 9 < 7 and ordered[-1] < 27
        else False
    )


def _kind_of(part: Part) -> str:
    """Give the kind of set that tiles are of which it is said how they lie. Raises Refused where they are none."""
    kind = next((kind for kind in ("chow", "pung", "kong", "pair") if _is_set(kind, part.tiles)), None)
    if kind is None:
        raise no_hand(
            "not-a-set",
            f"{part.text} is no set",
            "a set is a run of three in one suit, or three or four alike",
            part.start,
            part.end,
        )
    return kind


def _contradicting(first: Any, second: Any) -> Refused:
    return no_hand(
        "second-win",
        "a tile is drawn or claimed, and both are said",
        "leave out the one that did not happen",
        second.start,
        second.end,
    )


def _laid(parts: Iterable[Part]) -> Iterator[Part]:
    """Give the parts before a slash as they lie on the table: each group is a set."""
    for part in parts:
        if part.bracket or not part.tiles or part.tiles[0].is_bonus:
            yield part
        elif part.set:
            yield part._replace(state=part.state or "exposed")
        elif part.text[-1:].isupper():
            # honors without a class letter part where one kind ends
            for _, alike in groupby(part.tiles):
                tiles = tuple(alike)
                yield _on_table(part, tiles, tiles[0].value * len(tiles))
        elif len(part.tiles) > 4:
            raise no_hand(
                "not-a-set",
                f"{part.text} lies before the slash, and is no set",
                "part the sets by spaces, as in 123b 444c / 77d",
                part.start,
                part.end,
            )
        else:
            yield _on_table(part, part.tiles, part.text)


def _on_table(part: Part, tiles: tuple[Tile, ...], text: str) -> Part:
    # a four may have been claimed or declared: which, is not guessed
    if len(tiles) == 4 and len(set(tiles)) == 1:
        return part._replace(text=text, tiles=tiles, bracket="?")
    return part._replace(text=f"({text})", tiles=tiles, bracket="(")


# ------------------------------------------------------------- the lines that a typed hand may stand for


def with_states(typed: Typed) -> list[tuple[tuple[bool, ...], Typed]]:
    """Give the hand with each of its called sets exposed or concealed, and for each set of which it is not said which.

    It is told by the other sets where only exposed ones are marked, or only concealed ones.
    """
    marks = {part.state for part in typed.parts if part.state}
    marks |= {
        {"(": "exposed", "[": "concealed"}[part.bracket] for part in typed.parts if part.bracket in ("(", "[")
    }
    told = {frozenset(("exposed",)): "concealed", frozenset(("concealed",)): "exposed"}.get(
        frozenset(marks), ""
    )
    open_sets = [
        number for number, part in enumerate(typed.parts) if part.set not in ("", "pair") and not part.state
    ]
    if told:
        choices: Iterable[tuple[str, ...]] = [(told,) * len(open_sets)]
    elif len(open_sets) > MOST_OPEN:
        first, last = typed.parts[open_sets[0]], typed.parts[open_sets[-1]]
        raise no_hand(
            "not-a-set",
            f"{len(open_sets)} sets are no hand",
            "a hand has four sets and a pair",
            first.start,
            last.end,
        )
    else:
        choices = product(("concealed", "exposed"), repeat=len(open_sets))
    found = []
    for states in choices:
        parts = list(typed.parts)
        for number, state in zip(open_sets, states, strict=True):
            parts[number] = parts[number]._replace(state=state)
        laid = typed._replace(parts=tuple(_with_brackets(part) for part in parts))
        found.append((tuple(state == "exposed" for state in states), laid))
    return found


def _with_brackets(part: Part) -> Part:
    if not part.set or part.bracket:
        return part
    if part.state == "exposed":
        return part._replace(text=f"({part.text})", bracket="(")
    if part.set == "kong":
        return part._replace(text=f"[{part.text}]", bracket="[")
    return part


def signed(typed: Typed) -> list[Typed]:
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
                said.start,
                said.end,
            )
        if said.sign and sign not in ("?", said.sign):
            raise _contradicting(ending, said)
        sign = said.sign or ("<" if said.who else sign)
    if sign == "?":
        words = [said.flag for said in ending.said if said.flag]
        signs = [one for one in "+<" if all(one in FLAG_CLAUSES.get(word, one) for word in words)] or ["+"]
    else:
        signs = [sign]
    return [typed._replace(ending=ending._replace(sign=one)) for one in signs]


def open_fours(typed: Typed) -> list[int]:
    """Give which parts are four tiles alike that need brackets, since they lie on the table or are too many in hand."""
    fours = [
        number
        for number, part in enumerate(typed.parts)
        if part.bracket in ("", "?") and len(part.tiles) == 4 and len(set(part.tiles)) == 1
    ]
    asked = [number for number in fours if typed.parts[number].bracket == "?"]
    is_dead = typed.ending is not None and any(said.flag == "dead" for said in typed.ending.said)
    return asked or (fours if over(typed) > 0 and not is_dead else [])


def over(typed: Typed) -> int:
    """Count the tiles that a hand has more than thirteen, and one for each four."""
    held = sum(not tile.is_bonus for part in typed.parts if part.bracket in ("", "?") for tile in part.tiles)
    return held + 3 * sum(part.bracket in ("(", "[") for part in typed.parts) - 13


def bracketed(typed: Typed, fours: Iterable[int], brackets: str) -> Typed:
    """Give the hand with its fours in brackets."""
    parts = [
        part._replace(text=f"{brackets[0]}{part.text}{brackets[1]}", bracket=brackets[0])
        if number in fours
        else part
        for number, part in enumerate(typed.parts)
    ]
    return typed._replace(parts=tuple(parts))


def without_a_tile(typed: Typed) -> Iterator[tuple[int, Typed]]:
    """Give the hand as it is (0) and, with a tile too many, without the winning tile among those before it (1).

    What may be meant besides (2): another tile of that class was typed once too often.
    """
    yield 0, typed
    ending = typed.ending
    if over(typed) != 1 or ending is None or ending.tile is None or len(ending.tile.tiles) != 1:
        return
    (winning,) = ending.tile.tiles
    held = [number for number, part in enumerate(typed.parts) if not part.bracket]
    for number in reversed(held):
        if winning in typed.parts[number].tiles:
            yield 1, _with_one_less(typed, number, winning)
            break
    if ending.sign == "<":
        for number, part in enumerate(typed.parts):
            if part.bracket == "(" and len(part.tiles) == 3 and winning in part.tiles:
                yield 1, _with_one_less(typed, number, winning)
    for number in held:
        for tile in dict.fromkeys(typed.parts[number].tiles):
            if tile != winning and tile.suit == winning.suit:
                yield 2, _with_one_less(typed, number, tile)


def won_by_last(typed: Typed, tile: Tile) -> list[Typed]:
    """Give the hand with its last *tile* drawn, and claimed."""
    number = max(number for number, part in enumerate(typed.parts) if not part.bracket and tile in part.tiles)
    less, place = _with_one_less(typed, number, tile), typed.parts[number]
    said = typed.ending.said if typed.ending is not None else ()
    won = Part(str(tile), (tile,), place.start, place.end)
    return [less._replace(ending=Ending(place.start, place.end, sign, won, said=said)) for sign in "+<"]


def _with_one_less(typed: Typed, number: int, tile: Tile) -> Typed:
    part = typed.parts[number]
    left = list(part.tiles)
    left.remove(tile)
    less = [part._replace(text=format_tiles(left), tiles=tuple(left), bracket="")] if left else []
    return typed._replace(parts=(*typed.parts[:number], *less, *typed.parts[number + 1 :]))


def line_of(typed: Typed, seat: str | None) -> Line:
    """Give the tokens of the notation, each with its place in what was typed."""
    held = []
    if typed.seat is not None and seat is not None:
        value = f"{seat}@{typed.round}:" if typed.round else f"{seat}:"
        held.append(_token("HEADER", value, typed.seat.start, typed.seat.end))
    ending = typed.ending
    behind = tuple(said.more for said in ending.said if said.more) if ending is not None else ()
    for part in (*typed.parts, *behind):
        kind = "UNLISTED" if part.text == "..." else "SET" if part.bracket in ("(", "[") else "TILES"
        held.append(_token(kind, part.text, part.start, part.end))
    if ending is None:
        return Line(held, None, [])
    flags = [_token("FLAG", f"!{said.flag}", said.start, said.end) for said in ending.said if said.flag]
    if ending.tile is None:
        return Line(held, None, flags)
    who = next((said.who for said in ending.said if said.who), None)
    tiles = ending.tile.tiles
    text = str(tiles[0]) if len(tiles) == 1 else ending.tile.text
    value = f"{ending.sign}{text}{ending.stated}" + (f":{quote_name(who)}" if who else "")
    return Line(
        held, _token("DRAWN" if ending.sign == "+" else "CLAIMED", value, ending.start, ending.end), flags
    )


def _token(kind: str, value: str, start: int, end: int) -> Token:
    return Token(kind, value, start, 1, start + 1, 1, end + 1, end)
