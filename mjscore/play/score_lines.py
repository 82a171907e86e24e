"""Read what a line of play tells: the scores of seats, who won and how, what happened between hands.

12 64w 8 4     E 2, S 8, W 64 win from S, N 0     ben wins 64 self drawn, others 0     ben pays ann 50
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from lark import Lark, Token

from mjscore.game.hand import FLAGS_OF_A_LOSER
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.building import Reading, Worth, dealt_tiles
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.messages import refuse_as
from mjscore.notation.names import People, nobody_called
from mjscore.notation.parsers import open_grammar
from mjscore.notation.speech import Speech, Typed, place_in
from mjscore.notation.vocabulary import Meaning, vocabulary
from mjscore.record.lines import EventLine, SeatRow
from mjscore.refusal import Place, Refusal, Refused, refuse, visible

LONGEST_NUMBER = 15  # digits
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)(?![^\W_])")
_NUMBER_WON = re.compile(r"(?P<score>0|[1-9][0-9]*)(?P<word>[^\W\d_]+)?(?P<how>\+|\*|<[^\W\d_]+)?(?![^\W_])")
_GLUED = re.compile(r"([^\W\d_]++)(?=[0-9])")
_GLUED_BEFORE = re.compile(r"(?:^|[\s,;/])([^\W\d_]+)\Z")
_TENS = tuple(str(tens) for tens in range(20, 100, 10))
_NOTHING = re.compile(r"(?<![^\s,;/=:])[-–—−](?![^\s,;/])")
_WON = re.compile(r"[wW](?![^\W_])")
_POSSESSIVE = re.compile(r"([^\W\d_]++)['’]s?(?![^\W_])")
_RULE = re.compile(r"[^\s:,;\"]+")
_SIGN = re.compile(r"[+<](?![^()]*\))")  # within the brackets of a set it is none
_WASH = re.compile(r"\s*wash\b", re.IGNORECASE)
_DEALT_HONORS = re.compile(
    r"\b(?:(?=[EW]*[SN]|[SNW]*E)[ESWN]{3,}|(?=[GW]*R|[RW]*G)[RGW]{3})\b", re.IGNORECASE
)
# what is asked back where an event is not whole
WHOLE = {
    "draw": ("draw what?", "type draw, or draw four where a four was declared"),
    "wash": ("wash whose tiles?", "type wash S 11, or wash S: and the tiles"),
    "false": ("false whom?", "type false W"),
    "long": ("long for whom?", "type long W"),
    "penalty": ("which penalty, and whose?", "type penalty, its id in the rulebook, and who pays"),
    "pay": ("pay whom, and how much?", "type pay S E 100"),
    "seat": ("who sits down, and for whom?", "type eve for ann, ann leaves or eve joins"),
}
# what a word of the table is in a line of scores: kinds that stand apart from those of a hand
_KINDS: dict[tuple[str, object], tuple[str, ...]] = {
    ("SIGN", "+"): ("DRAWN", "DRAWN_OF"),
    ("SIGN", "<"): ("CLAIMED",),
    ("PLUS", "+"): ("DRAWN",),
    ("WIN", "win"): ("WINS", "WINS_OF"),
    ("FLAG_WORD", "ninth"): ("NINTH",),
    ("FLAG_WORD", "loose"): ("DRAWN",),
    **{("EVENT", event): (event.upper(),) for event in ("draw", "false", "long", "wash", "penalty", "pay")},
}


def kinds_of(meaning: Meaning) -> set[str]:
    """Give the kinds of pieces that a word with this meaning may be."""
    if meaning.kind in ("wind", "dragon", "tile"):
        return {"TILES"}
    if meaning.kind in ("number", "count"):
        return {"VALUES", "NUMBER"}
    kind = {"flag": "FLAG_WORD", "plural": "PLURAL_NUMBER" if meaning.value.isdigit() else "PLURAL"}.get(
        meaning.kind, meaning.kind.upper()
    )
    more = {"nothing": ("ZERO",), "flag": ("FLAG_OF",)}.get(meaning.kind, ())
    return {kind, f"{kind}_OF", f"{kind}_IN", *more, *_KINDS.get((kind, meaning.value), ())}


class AtTable(NamedTuple):
    """What a line is read by: who sits at which wind, whose line is *missing* (winds, from East), who discarded
    the last winning tile, whether the rules score a hand, and who sits out.
    """

    seats: Mapping[str, str]
    missing: Sequence[str]
    again: str | None = None
    worth: Worth | None = None
    sitting_out: str | None = None

    @property
    def people(self) -> People:
        """Give who can be named."""
        return People({wind: name for wind, name in self.seats.items() if wind in WIND_NAMES}, self.again)

    @property
    def untold(self) -> Sequence[str]:
        """Give the winds whose lines are missing; all of them where none is, since they may be told anew."""
        return self.missing or list(self.seats)

    def seat_of(self, name: str) -> str | None:
        """Give the wind of a seat or player as the notation writes them, the name of who sits out; None for nobody."""
        if name in self.seats or name == self.sitting_out:
            return name
        return next((wind for wind, player in self.seats.items() if player == name), None)

    def shown(self, wind: str) -> str:
        """Give the name of who sits at a wind, as it is shown."""
        return visible(self.seats.get(wind, wind))

    @property
    def players(self) -> list[str]:
        """Give the names of all who sit there, as they are shown."""
        return [visible(name) for name in self.seats.values()]


class Told(NamedTuple):
    """What a line tells of one seat: who holds it, the score, and *how* it won; a winner alone has no score."""

    holder: Piece | None = None
    score: Piece | None = None
    how: tuple[Piece, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give its pieces."""
        return tuple(piece for piece in (self.holder, self.score, *self.how) if piece is not None)

    @property
    def start(self) -> int:
        """Give where it begins."""
        return min(piece.start for piece in self.pieces)

    @property
    def end(self) -> int:
        """Give where it ends."""
        return max(piece.end for piece in self.pieces)


class TypedRow(NamedTuple):
    """A seat's row, named by its wind, and how its hand was read."""

    row: SeatRow
    reading: Reading | None = None

    @property
    def line(self) -> str:
        """Give the row in the notation, a hand with its tiles in the order typed."""
        if self.reading is None:
            return str(self.row)
        hand = self.reading.hand
        body = self.reading.text.partition(":")[2] if hand.seat is not None else self.reading.text
        return f"{self.row.name}{f'@{hand.round}' if hand.round else ''}: {body.strip()}"


class LineLattice(Lattice):
    """The pieces of a line of play: those of a hand, and those of scores and events."""

    def __init__(self, typed: str, table: AtTable) -> None:
        super().__init__(typed, table.people)
        self.table = table
        self._line_pieces: dict[int, tuple[Piece, ...]] = {}
        sign = _SIGN.search(self.text)
        self._sign_end = sign.end() if sign else self.end
        self._washes = _WASH.match(self.text) is not None

    def at(self, position: int) -> tuple[Piece, ...]:
        """Give every piece that may begin at *position*, where one may begin."""
        known = self._line_pieces.get(position)
        if known is None:
            hand = of_hand = super().at(position)
            if position >= self._sign_end:  # behind a winning tile, dead is the score of another
                of_hand = tuple(piece for piece in hand if piece.value not in FLAGS_OF_A_LOSER)
            known = self._line_pieces[position] = (*of_hand, *self._told(position, hand))
        return known

    def nobody(self, word: str, start: int, end: int) -> Refused:
        """Give the refusal of a word that names nobody here."""
        return self.placed(nobody_called(word, self.table.seats.values()), start, end)

    def no_score(self, name: str, at: Place) -> Refused:
        """Give the refusal of a name that has neither a hand nor a score behind it."""
        name = visible(name)
        message = f"behind {name} stands neither a hand nor a score"
        return refuse("no-seat-line", message, f"type {name} 64, {name} dead, or {name} and the hand", at=at)

    def commas(self, start: int, end: int, marks: str = ",;") -> int:
        """Count the commas between two places."""
        return sum(character in marks for character in self.text[start:end])

    def _told(self, position: int, hand: Sequence[Piece]) -> Iterator[Piece]:
        names = {piece.end for piece in hand if piece.kind == "WHOLE_NAME" and piece.value not in WIND_NAMES}
        for piece in hand:
            if piece.end not in names:  # players' names go before words
                kinds = _KINDS.get((piece.kind, piece.value), ())
                yield from (piece._replace(kind=kind) for kind in kinds)
            if piece.kind == "SEAT":
                yield from self._of_somebody(piece)
            if piece.kind == "FLAG_WORD" and piece.value == "dead":
                yield piece._replace(kind="DEAD")
            if piece.kind == "NOTHING":
                yield piece._replace(kind="ZERO", value=0)
        for end, meanings in self.phrases(position):
            winds = [
                meaning.value for meaning in meanings if meaning.kind == "wind" and meaning.language == "en"
            ]
            if winds and " " in self.text[position:end]:
                yield from self._of_somebody(Piece("SEAT", winds[0], position, end))
        yield from self._scores(position)
        yield from self._letters(position)
        tiles = _DEALT_HONORS.match(self.text, position) if self._washes else None
        if tiles:  # W among winds, or among dragons, is one of them
            kind = "w" if not set(tiles[0].upper()) - set("ESWN") else "d"
            yield Piece("TILES", tiles[0].upper() + kind, position, tiles.end())

    def _letters(self, position: int) -> Iterator[Piece]:
        nothing = _NOTHING.match(self.text, position)
        if nothing:
            yield Piece("ZERO", 0, position, nothing.end())
        if self.text[position] in ":=":
            yield Piece("IS", self.text[position], position, position + 1)
        if position and self.text[position - 1].isalnum():
            return
        if _WON.match(self.text, position):
            yield Piece("WINS", "win", position, position + 1)
            yield Piece("WINS_OF", "win", position, position + 1)
        for theirs in filter(
            None, (_POSSESSIVE.match(self.text, position), _GLUED.match(self.text, position))
        ):
            for piece in self._named(position, theirs.end(1)):
                whole = piece._replace(end=theirs.end())
                if piece.kind == "SEAT":
                    yield from self._of_somebody(whole)
                elif piece.kind == "WHO" and whole.end > piece.end:
                    yield whole
        rule = _RULE.match(self.text, position)
        if rule:
            yield Piece("RULE", rule[0], position, rule.end())
        yield from self._sitter(position)

    def _of_somebody(self, seat: Piece) -> Iterator[Piece]:
        """Give a seat before its score and behind it, and with the word that says that they discarded."""
        wind = self.table.seat_of(seat.value) or seat.value
        holder = seat._replace(kind="HOLDER", value=wind)
        if wind not in self.table.seats and seat.asked is None:
            nobody = self.nobody(self.text[seat.start : seat.end], seat.start, seat.end)
            holder = holder._replace(asked=nobody.refusal)
        yield holder
        yield holder._replace(kind="OWNER")
        for discard in self._behind(seat, "SIGN"):
            if discard.value == "<" and seat.end - seat.start > 1:
                yield discard._replace(kind="DISCARDER", value=seat.value, start=seat.start)

    def _behind(self, piece: Piece, kind: str) -> list[Piece]:
        """Give the pieces of a *kind* that follow a piece."""
        starts = (position for position in self.starts(piece.end) if position < self.end)
        return [behind for position in starts for behind in Lattice.at(self, position) if behind.kind == kind]

    def _scores(self, position: int) -> Iterator[Piece]:
        if position >= self.end or (position and self.text[position - 1].isalnum()):
            glued = _GLUED_BEFORE.search(self.text, 0, position)
            if glued is None or not any(
                piece.kind == "SEAT" for piece in self._named(glued.start(1), position)
            ):
                return
        number = _NUMBER.match(self.text, position)
        if number:
            asked = None
            if len(number[0]) > LONGEST_NUMBER:
                message = f"a number of {len(number[0])} digits is no score"
                hint = "type the points of one hand"
                asked = refuse("huge-number", message, hint, at=self.place(*number.span())).refusal
            yield from self._score(int(number[0][:18]), position, number.end(), asked)
        for end, meanings in self.phrases(position):
            for meaning in meanings:
                if meaning.kind in ("number", "count"):
                    yield from self._score(int(meaning.value), position, end)
                if meaning.kind == "count" and meaning.value in _TENS:  # sixty-four
                    for one, last in self._ones(end):
                        yield from self._score(int(meaning.value) + one, position, last)
        won = _NUMBER_WON.match(self.text, position)
        if won and len(won["score"]) <= LONGEST_NUMBER:
            yield from self._number_won(won)

    def _ones(self, position: int) -> list[tuple[int, int]]:
        """Give the number words behind one of the tens, and where they end."""
        phrases = [phrase for start in self.starts(position) for phrase in self.phrases(start)]
        return [
            (int(one.value), end) for end, meanings in phrases for one in meanings if one.kind == "number"
        ]

    def _score(self, value: int, start: int, end: int, asked: Refusal | None = None) -> Iterator[Piece]:
        number = Piece("NUMBER", value, start, end, asked)
        yield number
        for doubles in self._behind(number, "DOUBLES"):
            if not any(_NUMBER.match(self.text, behind) for behind in self.starts(doubles.end)):
                yield doubles._replace(kind="DOUBLED", value=value, start=start)

    def _number_won(self, won: re.Match[str]) -> Iterator[Piece]:
        """Give a score with ``w`` right behind it, and what stands behind that: ``+`` for drawn, or who discarded."""
        score, word, how = int(won["score"]), (won["word"] or "").casefold(), won["how"] or ""
        piece = Piece("NUMBER_WON", (score, None, None), won.start(), won.end())
        if word and not how and any(meaning.kind == "win" for meaning in vocabulary().of(word)):
            yield piece
            return
        if how != "*" and (not word.startswith("w") or (how and word != "w")):
            return
        behind = how.lstrip("<") or word[1:]
        is_drawn = not how and "drawn".startswith(behind)
        if behind in ("", "*"):
            yield piece
        elif behind == "+" or is_drawn:
            yield piece._replace(value=(score, True, None))
        if behind not in ("", "+", "*"):
            for named in self._named(won.end() - len(behind), won.end()):
                if named.kind == "WHO" or (named.kind == "STRANGER" and not "drawn".startswith(behind)):
                    yield piece._replace(value=(score, None, named.value), asked=named.asked)

    def _sitter(self, position: int) -> Iterator[Piece]:
        """Give who sits out, by a beginning of two letters or more."""
        name = self.table.sitting_out
        if not name:
            return
        quoted = self.text[position] == '"'
        said = self.text[position + quoted :].casefold()
        if said.startswith(name.casefold()):
            yield Piece("SITTER", name, position, position + len(name) + 2 * quoted)
        word = re.match(r"[^\W\d_]{2,}", said)
        if word and name.casefold().startswith(word[0]) and not quoted:
            yield Piece("SITTER", name, position, position + word.end())


class Read(NamedTuple):
    """What one way to read a line tells: a hand as it was *typed*, what is *told* of the seats, or an *event*.

    *head* is the seat of a hand of which nothing more is there yet; *asked* are the questions of the others' pieces.
    """

    typed: Typed | None = None
    told: tuple[Told, ...] = ()
    event: EventLine | None = None
    head: Piece | None = None
    asked: tuple[Refusal, ...] = ()


_HOLDERS = ("HOLDER", "OWNER", "OTHERS")
_SCORES = ("NUMBER", "NUMBER_WON", "ZERO", "DEAD")
_HAPPENINGS = ("FALSE", "LONG", "WASH", "PAY")


class LineSpeech(Speech):
    """What the rules of ``scores.lark`` stand for, and those of ``speech.lark`` that it imports."""

    def __getattr__(self, name: str) -> Any:
        """Give what a rule of the imported grammar stands for: Lark puts that grammar's name before its own."""
        if name.startswith("speech__"):
            return getattr(self, name.removeprefix("speech__"))
        raise AttributeError(name)

    def read(self, children: list[Any]) -> Read:
        """Only a hand that won has the others' scores behind it: behind another, a number is values without a class."""
        typed = children[0] if isinstance(children[0], Typed) else None
        told = next((child for child in children if not isinstance(child, Typed | Piece)), ())
        if typed is not None and told and typed.ending.tile is None:
            piece = told[0].pieces[0]
            raise refuse_as("missing-class", at=place_in(piece), typed=piece.value, values=piece.value)
        return Read(typed, told, asked=_asked(piece for one in told for piece in one.pieces))

    def begun(self, children: list[Any]) -> Read:
        return Read(head=children[0][0])

    entries = manners = concerned = Speech.several

    def alone(self, children: list[Any]) -> tuple[Told]:
        return (self.told(children),)

    def told(self, children: list[Any]) -> Told:
        pieces: list[Piece] = []
        for child in children:
            pieces += (
                (child,) if isinstance(child, Piece) else child.pieces if isinstance(child, Told) else child
            )
        holder, score = (
            next((piece for piece in pieces if piece.kind in kinds), None) for kinds in (_HOLDERS, _SCORES)
        )
        how = tuple(piece for piece in pieces if piece.kind not in (*_HOLDERS, *_SCORES, "IS"))
        return Told(holder, score, how)

    entry = scored = told

    def from_whom(self, children: list[Piece]) -> Piece:
        """``thrown by ben`` and ``<ben`` are of a winning tile; ``from ben`` alone may be of a payment."""
        word, who = children
        alone = word.kind == "FROM" and word.end - word.start <= len("from")
        return who._replace(kind="FROM_WHOM" if alone else "DISCARDER", start=word.start)

    def doubled(self, children: list[Piece]) -> Piece:
        word, number = children
        return number._replace(kind="DOUBLED", start=word.start)

    def draw(self, children: list[Piece]) -> Read:
        number = children[1:]
        if number and number[0].value != 4:
            raise refuse("unfinished-line", *WHOLE["draw"], at=place_in(number[0]))
        return Read(event=EventLine("draw", manner="four" if number else ""), asked=_asked(children))

    def happening(self, children: list[Piece]) -> Read:
        """Give a false win, a long hand, a wash, a payment: its word, those whom it names, and a number."""
        word = next(piece.kind.lower() for piece in children if piece.kind in _HAPPENINGS)
        number = next((piece.value for piece in children if piece.kind == "NUMBER"), None)
        return Read(event=EventLine(word, _people_of(children), number=number), asked=_asked(children))

    event = happening

    def wash_tiles(self, children: list[Any]) -> Read:
        _, holder, _, parts = children
        tokens = [Token("SET" if part.bracket else "GROUP", part.text, part.start) for part in parts]
        event = EventLine("wash", (holder.value,), tiles=dealt_tiles(tokens))
        return Read(
            event=event, asked=(*_asked([holder]), *(refusal for part in parts for refusal in part.asked))
        )

    def penalty(self, children: list[Any]) -> Read:
        _, rule, concerned = children
        names = tuple(dict.fromkeys(_people_of(concerned)))
        return Read(event=EventLine("penalty", names, rule.value), asked=_asked(concerned))


def _people_of(pieces: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(piece.value for piece in pieces if piece.kind in ("HOLDER", "SITTER"))


def _asked(pieces: Iterable[Piece]) -> tuple[Refusal, ...]:
    return tuple(piece.asked for piece in pieces if piece.asked)


@lru_cache(maxsize=1)
def play_parser() -> Lark:
    """Give the parser of lines of play."""
    return open_grammar("scores.lark", ("line",), LineSpeech())


def seated(
    lattice: LineLattice, told: Sequence[Told], winds: Sequence[str], whole: bool
) -> tuple[TypedRow, ...]:
    """Give the rows that a line tells: those without a seat in order of the *winds*, all of them where the line is *whole*.

    Raises Refused where it is not clear whose a score is, or who won.
    """
    table = lattice.table
    _check_owners(lattice, told)
    told = _with_last_words(lattice, told)
    scores: dict[str, Told] = {}
    bare: list[Told] = []
    for one in told:
        if one.score is not None and (one.holder is None or one.holder.kind == "OTHERS"):
            bare.append(one)
        elif one.score is not None and one.holder is not None:
            if one.holder.value in scores:
                raise refuse(
                    "repeated-seat",
                    f"{table.shown(one.holder.value)} has two scores",
                    "type one for each",
                    at=lattice.place(one.start, one.end),
                )
            scores[one.holder.value] = one
    left = [wind for wind in winds if wind not in scores]
    if bare and bare[0].holder is None and any(one.holder is not None for one in bare):
        raise _whose_score(lattice, bare, left)  # others than whom is not said
    if len(bare) == 1 and bare[0].holder is not None and left:
        bare *= len(left)  # the others have all the same
    whole = whole or any(one.how and one.how[0].kind == "WINS_OF" for one in bare)
    if len(bare) > len(left) or (bare and whole and len(bare) < len(left)):
        raise _whose_score(lattice, bare, left)
    scores.update(zip(left, bare, strict=False))
    scores = dict(sorted(scores.items(), key=lambda item: item[1].start))
    for one in told:
        if one.score is None and one.holder is not None:
            seat = one.holder.value
            if seat not in scores:
                raise refuse(
                    "no-seat-line",
                    f"{table.shown(seat)} won, and has no score",
                    f"type {table.shown(seat)} 64 win, with the score of the hand",
                    at=lattice.place(one.start, one.end),
                )
            scores[seat] = scores[seat]._replace(how=(*scores[seat].how, *one.how))
    return tuple(TypedRow(_row(lattice, seat, one)) for seat, one in scores.items())


def _check_owners(lattice: LineLattice, told: Sequence[Told]) -> None:
    """Refuse a name behind a score where other scores have theirs before them, unless a comma says whose it is."""
    with_score = [one for one in told if one.score is not None]
    owned = [one for one in with_score if one.holder is not None and one.holder.kind == "OWNER"]
    if len(owned) == sum(one.holder is None or one.holder.kind != "OTHERS" for one in with_score):
        return
    ends = [one.start for one in told[1:]] + [told[-1].end]
    for one, end in zip(told, ends, strict=True):
        if one in owned and one.holder is not None and not lattice.commas(one.end, end):
            at = lattice.place(one.holder.start, one.holder.end)
            raise lattice.no_score(lattice.typed[at.start : at.end], at)


def _with_last_words(lattice: LineLattice, told: Sequence[Told]) -> list[Told]:
    """Give what a line tells, with how it was won at its end told of the one winner, not of the score before it."""
    *before, last = told
    winners = [one for one in before if _won(one)]
    if len(winners) != 1 or not last.how or last.score is None or _won(last):
        return list(told)
    said_of_last = any(piece.kind != "FROM_WHOM" for piece in last.how)
    if last.holder is not None and said_of_last and not lattice.commas(last.score.end, last.how[0].start):
        return list(told)
    number = before.index(winners[0])
    before[number] = winners[0]._replace(how=(*winners[0].how, *last.how))
    return [*before, last._replace(how=())]


def _won(told: Told) -> bool:
    """Tell whether it is said that a seat won, and not only how."""
    return (told.score is not None and told.score.kind == "NUMBER_WON") or any(
        piece.kind.startswith("WINS") for piece in told.how
    )


def _row(lattice: LineLattice, seat: str, told: Told) -> SeatRow:
    """Give a seat's row. Raises Refused where what is said of how it was won cannot be."""
    score, how = told.score, told.how
    assert score is not None
    if score.kind == "DEAD":
        return SeatRow(seat, None)
    is_won = score.kind == "NUMBER_WON"
    points, drawn, discarder = score.value if is_won else (score.value, None, None)
    row = SeatRow(seat, points, is_won or bool(how), False if discarder is not None else drawn, discarder)
    for piece in how:
        doubt = False
        if piece.kind.startswith("DRAWN"):
            doubt, row = row.drawn is False, row._replace(drawn=True)
        elif piece.kind in ("DISCARDER", "FROM_WHOM"):
            doubt, row = row.drawn is not None, row._replace(drawn=False, discarder=piece.value)
        elif piece.kind == "DOUBLED":
            doubt, row = row.doubles is not None, row._replace(doubles=piece.value)
        elif piece.kind == "NINTH":
            doubt, row = row.ninth, row._replace(ninth=True)
        if doubt:
            raise refuse(
                "bad-line",
                f"{visible(lattice.typed[score.end : piece.end].strip())!r} cannot stand behind a score",
                "a winner's score is followed by win, win drawn or win from S",
                at=lattice.place(piece.start, piece.end),
            )
    if how and not is_won and all(piece.kind == "FROM_WHOM" for piece in how):
        who, whom = lattice.table.shown(seat), how[0].value
        raise refuse(
            "two-readings",
            "it is not said whether this was won or paid",
            f"type {who} {points} win from {visible(whom)}, or pay {visible(whom)} {who} {points}",
            at=lattice.place(score.start, how[-1].end),
        )
    return row


def _whose_score(lattice: LineLattice, bare: Sequence[Told], left: Sequence[str]) -> Refused:
    """Give the refusal of scores that are not as many as the seats that *left* them."""
    said = [lattice.typed[one.start : one.end] for one in dict.fromkeys(bare)]
    names = [lattice.table.shown(wind) for wind in left]
    if not left:
        hint = "every seat has its score already"
    elif len(bare) == 1:
        hint = f"type {' or '.join(f'{wind} {said[0]}' for wind in left)}"
    elif len(left) == 1:
        hint = f"type 1 score for {names[0]}, or name the seats"
    else:
        hint = (
            f"type {len(left)} scores, in order from East: {', '.join(names)}; "
            f"or name a seat, as in {names[0]} {said[0]}"
        )
    return refuse(
        "whose-score",
        f"it is not said whose {visible(' '.join(said))} {'is' if len(said) == 1 else 'are'}",
        hint,
        at=lattice.place(bare[0].start, bare[-1].end),
    )


def against_commas(lattice: LineLattice, told: Sequence[Told]) -> int:
    """Count how often what a line tells runs over a comma, begins without one where there are some, has a name behind a
    score that stands before another one, or a word for winning behind a score that is not the winner's.
    """
    against = 0
    for one in told:
        winning = one.score is not None and one.how and one.how[0].kind == "WINS_OF"
        against += lattice.commas(one.start, one.end, ",;:" if winning else ",;")
    has_commas = lattice.commas(0, lattice.end) > 0
    for one, other in pairwise(told):
        if not lattice.commas(one.end, other.start, ",;:"):
            owned = one.holder is not None and one.holder.kind == "OWNER" and one.score is not None
            wins = bool(other.how) and other.how[0].kind == "WINS_OF" and other.how[0].start == other.start
            against += owned + wins + has_commas
    return against
