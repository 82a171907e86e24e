"""The pieces of a line of play, and what they mean: the scores of seats, who won and how, events between hands.

12 64w 8 4 E 2, S 8, W 64 win from S, N 0 ben wins 64 self drawn, others 0 ben pays ann 50
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations, pairwise
from typing import Any, NamedTuple

from mjscore.game.hand import FLAGS_OF_A_LOSER
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hand_builder import Worth, Written, dealt_tiles, run_of
from mjscore.notation.lexer import PLACES, Lattice, Piece
from mjscore.notation.names import People, nobody_called
from mjscore.notation.parsers import open_grammar
from mjscore.notation.speech import Ending, Part, Speech, Typed, place_in, questions
from mjscore.notation.vocabulary import KINDS, Meaning, plain, vocabulary
from mjscore.play.evening import comment_of
from mjscore.record.events import EVENTS, unfinished
from mjscore.record.lines import EventLine, SeatRow
from mjscore.refusal import Place, Refusal, Refused, escape_controls, refuse

LONGEST_NUMBER = 15  # digits
# an exclamation mark at the end of a line may mean nothing
_NUMBER = re.compile(r"(0|[1-9][0-9]*(?:_[0-9]{3})*)(?:!(?=\s*\Z))?(?![^\W_])")
# a comma may be a thousands separator; after a word it is one, and is replaced by an underscore
_THOUSANDS = re.compile(r"(?<![0-9,.])[1-9][0-9]{0,2}(?:[,.][0-9]{3})+(?![,.]?[0-9])")
_OF_WORD = re.compile(
    rf"(?<![^\W_])[^\W\d_]+['\"]?(?:\s*[:=]\s*|\s+){_THOUSANDS.pattern.replace('[,.]', ',')}"
)
_NUMBER_WON = re.compile(
    r"(?P<score>0|[1-9][0-9]*(?:_[0-9]{3})*)(?P<word>[^\W\d_]+)?(?P<how>\+|\*|!|<[^\W\d_]+)?(?![^\W_])"
)
_IN_BRACKETS = re.compile(r"(?<=[0-9a-z.])(\s*)\(([^\W\d_][^()]*)\)")  # 64 (win), ann (east)
_DASHED = re.compile(r"(?<![^\W_])([^\W\d_]{2,})(\s+)[-–—−](?=\s+[0-9])")  # ann - 64
_ALSO = re.compile(r"\A[\s,;.]*(?:(?:and|und|en|et)\s+)?", re.IGNORECASE)
_OWED = re.compile(r"(?<![^\s,;:=])[-+–—−](?:0|[1-9][0-9]*)(?![^\W_])")
_DOTTED = re.compile(r"(?<![\w.])(?:[^\W\d_]\.){2,}(?!\w)")  # m.j.
_WORDS = re.compile(r"\S+")
# what may come between the words of one number; "and" only after hundreds
_ONES = re.compile(r"[1-9](?![\w.,:/]*\d)")
_BETWEEN = re.compile(r"[\s-]+(?P<joins>(?:and|und|et|en|&)\s+)?", re.IGNORECASE)
_AND = re.compile(r"(?:(?<![^\W_])(?:and|und|en|et)|&)\s*\Z", re.IGNORECASE)
_REST = re.compile(r"(?:rest|r)(?![^\W_])", re.IGNORECASE)
# people who may come to the table, at the beginning of a line and after the word for seating
_NAMES = {
    "COMER": re.compile(r'"[^"]+"|[^\s,;:="#0-9-][^\s,;:="#]*(?:[ \t]+[^\s,;:="#0-9-][^\s,;:="#]*){0,2}'),
    "ANYBODY": re.compile(r'"[^"]+"|(?!-)[^\s"#:!=+<>()\[\],@]+(?:[ \t]+[^\s"#:!=+<>()\[\],@]+){0,4}'),
}
_THEIRS = re.compile(r"(?<![^\W_])([^\W\d_]++)(?:['’]s?(?![^\W_])|(?=[0-9]))")  # ben's 64, ben64
_GENITIVE = re.compile(r"(?<![^\W_])([^\W\d_]+)s(?![^\W_])")  # bens 64
_GENITIVES = re.compile(r"['’]s(?![^\W_])", re.IGNORECASE)
_GLUED_BEFORE = re.compile(r"(?:^|[\s,;/])([^\W\d_]+)\Z")
_NAME_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_]+)(?:['’]s?)?\s+\Z")
_NUMBER_BEFORE = re.compile(r"[0-9]\s+\Z")
_SCORE_OF_A_WIND = re.compile(r"(?<![^\W_])[eswn](?=\s*+(?:[:=]\s*+)?[0-9])")
_WIND_ALONE = re.compile(r"(?<![^\W_])[esn](?![^\W_])")  # not w, which may mean winning
_BEGUN = re.compile(r"[^\W\d_]{2,}")
_TO_SIGN = re.compile(r"(?:[^+<]|[+<][^()]*+\))*+[+<]")  # inside the brackets of a set, it is not a sign
_MARK = re.compile(r"[,;|/\n]|(?<!\.)\.(?!\.)")
_WASH = re.compile(r"\s*wash\b", re.IGNORECASE)
_DEALT_HONORS = re.compile(
    r"\b(?:(?=[EW]*[SN]|[SNW]*E)[ESWN]{3,}|(?=[GW]*R|[RW]*G)[RGW]{3})\b", re.IGNORECASE
)
# pieces recognized by their letters and signs alone
_PATTERNS = (
    (re.compile(r"(?<![^\s,;/=:])[-–—−](?![^\s,;/])"), ("ZERO",)),
    (re.compile("[:=]"), ("IS",)),
    (re.compile(r"(?<![^\W_])[wW](?![^\W_])"), ("WINS", "WINS_OF")),
    (re.compile(r"(?<![^\W_])[^\s:,;\"]+"), ("RULE",)),
)
# the kinds of the vocabulary's words in lines of scores and events, different from their kinds in hands
_KINDS: dict[tuple[str, object], tuple[str, ...]] = {
    ("SIGN", "+"): ("DRAWN", "DRAWN_OF"),
    ("SIGN", "<"): ("CLAIMED",),
    ("PLUS", "+"): ("DRAWN",),
    **dict.fromkeys((("WIN", "win"), ("WIN", "wins")), ("WINS", "WINS_OF")),
    ("DEED", "claims"): ("TAKING",),
    ("FLAG_WORD", "ninth"): ("NINTH",),
    ("FLAG_WORD", "loose"): ("DRAWN",),
    ("FLAG_WORD", "dead"): ("DEAD",),
    ("NOTHING", "0"): ("ZERO",),
    ("SITTING", "for"): ("SEAT_FOR",),
    ("SITTING", "by"): ("SEAT_BY",),
    **{
        ("SITTING", said): (said.upper(),)
        for said in ("takes", "place", "leaves", "joins", "instead", "out", "in", "swap", "seats")
    },
    **{("EVENT", event): (event.upper(),) for event in KINDS["event"]},
}
_OF_WORDS = {
    **PLACES,
    **dict.fromkeys(("wind", "dragon", "tile", "set", "state"), ("TILES",)),
    **{kind: ("TILES", kind.upper()) for kind in ("sign", "win")},
    **dict.fromkeys(("number", "count"), ("VALUES", "NUMBER")),
}


@lru_cache(maxsize=1 << 10)
def kinds_of(meaning: Meaning) -> frozenset[str]:
    """Return the kinds of pieces that a word with this meaning may become."""
    kinds = _OF_WORDS.get(meaning.kind, (meaning.kind.upper(),))
    return frozenset([*kinds, *(more for kind in kinds for more in _KINDS.get((kind, meaning.value), ()))])


class AtTable(NamedTuple):
    """What the meaning of a line depends on.

    *seats* says who sits at which wind, *missing* whose lines are missing (winds, from East); *again* is who
    discarded the last winning tile; *worth* returns the rules' score of a hand; *limit* is in points; *friends* are
    all who have played here; *rests* is who comes, and for whom, if the line says that somebody rests; *round* is the
    wind of the round.
    """

    seats: Mapping[str, str]
    missing: Sequence[str]
    again: str | None = None
    worth: Worth | None = None
    sitting_out: str | None = None
    limit: int | None = None
    friends: Collection[str] = ()
    rests: tuple[str, str] | None = None
    round: str | None = None

    @property
    def people(self) -> People:
        """Return the players whom a line may name."""
        return People(
            {wind: name for wind, name in self.seats.items() if wind in WIND_NAMES}, self.again, self.round
        )

    @property
    def untold(self) -> Sequence[str]:
        """Return the winds whose lines are missing; all winds if none is, since lines may be typed again."""
        return self.missing or list(self.seats)

    @property
    def example(self) -> str:
        """Return a line of scores at this table, for display."""
        rows = [
            SeatRow(name, score, won=score == 64)
            for name, score in zip(self.people.players.values(), (12, 64, 8, 4, 2), strict=False)
        ]
        return escape_controls(", ".join(str(row).replace(":", "", 1) for row in rows))

    def seat_of(self, name: str) -> str | None:
        """Return the wind of a seat or player, or the name of the player sitting out; None for anybody else."""
        if name in self.seats or name == self.sitting_out:
            return name
        return next((wind for wind, player in self.seats.items() if player == name), None)

    def shown(self, wind: str) -> str:
        """Return the name of the player at a wind, for display."""
        return escape_controls(self.seats.get(wind, wind))


_NOT_THERE = Piece("", None, 0, 0)


class Told(NamedTuple):
    """What a line says, from *start* to *end*, about one seat: whose the score is, the score, and *how* it was won.

    *holder* is a ``HOLDER`` before the score, an ``OWNER`` after it, or the ``OTHERS``. A piece without a kind is
    absent: a winner may have no score.
    """

    holder: Piece
    score: Piece
    how: tuple[Piece, ...]
    start: int
    end: int

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces that are there."""
        return tuple(piece for piece in (self.holder, self.score, *self.how) if piece.kind)

    @property
    def is_named(self) -> bool:
        """Return whether it is a score with a name."""
        return bool(self.score.kind) and self.holder.kind in ("HOLDER", "OWNER")

    @property
    def core(self) -> tuple[int, int]:
        """Return the start and end of the name and score; without a score, of all that is said."""
        both = [piece for piece in (self.holder, self.score) if piece.kind]
        if not self.score.kind:
            return self.start, self.end
        return min(piece.start for piece in both), max(piece.end for piece in both)

    @property
    def points(self) -> int:
        """Return the score in points; -1 if there is none, and for a dead hand."""
        return int(self.score.value) if self.score.kind in ("NUMBER", "ZERO", "NUMBER_WON") else -1

    @property
    def won(self) -> bool:
        """Return whether a word for winning is told of the seat."""
        return any(piece.kind.startswith("WINS") for piece in self.how)

    @property
    def wins_first(self) -> bool:
        """Return whether the words about how the seat won begin with a word for winning before its name."""
        return bool(self.how) and self.how[0].kind == "WINS_OF"


Span = Piece | Part | Ending | Told | Place


class LineLattice(Lattice):
    """The pieces of a line of play: those of a hand, and those of scores and events."""

    def __init__(self, typed: str, table: AtTable) -> None:
        players, told_of = table.people.players, _SCORE_OF_A_WIND.findall(typed.casefold())
        self._players = {name.casefold() for name in players.values()}
        initials = {name[:1] for name in self._players}
        # e is East, not Eve, if the line has every wind's letter once, and one of them begins nobody's name
        if sorted(told_of) == sorted(map(str.casefold, players)) and not initials.issuperset(told_of):
            typed = _WIND_ALONE.sub(lambda wind: wind[0].upper(), typed)
        super().__init__(typed, table.people)
        self.table = table
        for said in _DOTTED.findall(self.text):
            if vocabulary().of(short := said.replace(".", "")):
                self.text = self.text.replace(said, short.ljust(len(said)))
        self.text = _OF_WORD.sub(lambda number: number[0].replace(",", "_"), self.text)
        self.text = _IN_BRACKETS.sub(self._unbracketed, self.text)
        self.text = _DASHED.sub(
            lambda name: f"{name[1]}{name[2]}:" if self.seats_in(name, 1) else name[0], self.text
        )
        comment = comment_of(self.text)
        self.text = self.text.removesuffix(comment) + " " * len(comment)
        told = (one for word in self.text.split() for one in vocabulary().of(word))
        self._tells_of_several = any(one.kind in ("each", "nothing") or one.value == "swap" for one in told)
        self._names_at = {"COMER": set(self.starts(0)), "ANYBODY": set[int]()}
        sign = _TO_SIGN.match(self.text)
        self._sign_end = sign.end() if sign else self.end
        self.marks = {mark.start() for mark in _MARK.finditer(self.text)}
        self._washes = _WASH.match(self.text) is not None

    def _unbracketed(self, said: re.Match[str]) -> str:
        """Return a bracketed remark after a score with a comma in place of the bracket, if it says how the hand won.

        Return blanks if the remark only repeats the name before.
        """
        before = _NAME_BEFORE.search(f"{self.text[: said.start()]} ")
        if before and self.seats_in(before, 1) & self.seats_in(said, 2):
            return " " * len(said[0])
        told = {one[:2] for _, meanings in self.phrases(said.start(2)) for one in meanings}
        tells = told & {("win", "win"), ("win", "wins"), ("from", "from"), ("sign", "+")}
        return f"{said[1]} {said[2]}," if tells else said[0]

    def seats_in(self, match: re.Match[str], group: int) -> set[str | None]:
        """Return the winds of the players whom a group of a *match* in the line may name."""
        return {
            self.table.seat_of(one.value) for one in self._named(*match.span(group)) if one.kind == "SEAT"
        }

    def nobody(self, word: str, at: Span) -> Refused:
        """Return the refusal of a word that names nobody here."""
        return self.placed(nobody_called(word, self.table.seats.values()), at.start, at.end)

    def no_score(self, name: str, at: Span) -> Refused:
        """Return the refusal of a name that is followed by neither a hand nor a score."""
        return self.refused("no-seat-line", at.start, at.end, "alone", name=escape_controls(name))

    def is_whole_name(self, word: str) -> bool:
        """Return whether a word is a single letter or a whole word of a name, and not the beginning of such a word."""
        return len(word) == 1 or any(word.casefold() in name.split() for name in self._whole_names)

    def asked(
        self, code: str, start: int, end: int, kind: str, lines: Sequence[str], **words: Any
    ) -> Refused:
        """Return the question which of some *lines* is meant; the first two are words of its message."""
        words = {**dict(zip(("one", "other"), lines, strict=False)), **words}
        refused = self.refused(code, start, end, kind, **words)
        return Refused(refused.refusal._replace(lines=tuple(lines)), refused.kind, refused.words)

    def check_thousands(self) -> None:
        """Raise Refused if a comma or point in the line may be inside a number, or between two numbers."""
        number = _THOUSANDS.search(self.text)
        if number:
            words: dict[str, Any] = {
                "one": re.sub("[,.]", "", number[0]),
                "other": re.sub("[,.]", " ", number[0]),
            }
            raise self.refused("two-readings", *number.span(), "thousands", **words)

    @property
    def holders(self) -> Mapping[str, str]:
        """Return the players whose lines are missing, by wind; all of them if none is."""
        return {wind: self.people.players[wind] for wind in self.table.untold if wind in self.people.players}

    def is_parted(self, start: int, end: int) -> bool:
        """Return whether there is punctuation between the positions *start* and *end*."""
        return not self.marks.isdisjoint(range(start, end))

    def is_behind_mark(self, position: int) -> bool:
        """Return whether there is punctuation directly before *position*."""
        return len(self.text[:position].rstrip()) - 1 in self.marks

    def _pieces(self, position: int) -> Iterator[Piece]:
        hand = list(super()._pieces(position))
        # after a winning tile, dead is another player's score
        loses = FLAGS_OF_A_LOSER if position >= self._sign_end else ()
        yield from (piece for piece in hand if piece.value not in loses)
        yield from self._words_of_scores(hand, position)
        yield from self._seats(hand, position)
        yield from self._scores(position)
        for pattern, kinds in _PATTERNS:
            found = pattern.match(self.text, position)
            if found:
                value = 0 if "ZERO" in kinds else found[0]
                yield from (Piece(kind, value, position, found.end()) for kind in kinds)
        yield from self._sitter(position)
        yield from self._comers(position)
        yield from self._rests(position)
        yield from self._amounts(position)
        tiles = _DEALT_HONORS.match(self.text, position) if self._washes else None
        if tiles:  # W among winds or dragons is one of them
            kind = "w" if not set(tiles[0].upper()) - set("ESWN") else "d"
            yield Piece("TILES", tiles[0].upper() + kind, position, tiles.end())

    def _words_of_scores(self, hand: Sequence[Piece], position: int) -> Iterator[Piece]:
        """Yield the pieces of a *hand* at a position again, with the kinds that their words have in a line of scores."""
        # a word for discarding belongs to the name before it
        who = _NAME_BEFORE.search(self.text, 0, position)
        behind = who and any(piece.kind == "SEAT" for piece in self._named(*who.span(1)))
        thrown = (
            self._throwing(position) if behind and who and self._may_throw(who.start(), position - 1) else ()
        )
        names = {piece.end for piece in hand if piece.kind == "WHOLE_NAME" and piece.value not in WIND_NAMES}
        for piece in hand:
            if self._is_shout(piece):
                continue
            # players' names take precedence over words
            if piece.end not in names and piece.end not in thrown:
                kinds = _KINDS.get((piece.kind, piece.value), ())
                kinds += ("DRAW_TOO",) * ("DRAW" in kinds and self.is_behind_mark(position))
                value = 0 if "ZERO" in kinds else piece.value
                yield from (piece._replace(kind=kind, value=value) for kind in kinds)

    def _is_shout(self, piece: Piece) -> bool:
        """Return whether a word such as "ron" is between a score and a name, and may be about either."""
        said = dict(self.phrases(piece.start)).get(piece.end, ())
        shouted = any(one.kind == "sign" and one.language in ("ja", "zh") for one in said)
        behind = _NUMBER_BEFORE.search(self.text, 0, piece.start) is not None
        return (
            shouted
            and behind
            and any(self._names_on(at) for at in self.starts(piece.end) if not self.is_parted(piece.end, at))
        )

    def _names_on(self, position: int) -> bool:
        """Return whether there is a full name at *position*."""
        return position < self.end and any(piece.kind == "WHOLE_NAME" for piece in super()._pieces(position))

    def _seats(self, hand: Sequence[Piece], position: int) -> Iterator[Piece]:
        """Yield the pieces for a player named here, who may have the score after the name or before it."""
        is_number = self.words_said([position], "count")  # a hundred
        seats = [piece for piece in hand if piece.kind == "SEAT" and not is_number]
        winds = [Piece("SEAT", wind, position, end) for wind, end in self.words_said([position], "wind")]
        seats += [wind for wind in winds if " " in self.text[position : wind.end] and wind not in seats]
        theirs = _THEIRS.match(self.text, position) or _GENITIVE.match(self.text, position)
        if theirs and theirs.re is _GENITIVE and theirs[1].casefold() not in self._players:
            theirs = None
        if theirs:
            named = [piece._replace(end=theirs.end()) for piece in self._named(position, theirs.end(1))]
            seats += [piece for piece in named if piece.kind == "SEAT"]
            yield from (piece for piece in named if piece.kind == "WHO" and theirs.end() > theirs.end(1))
        for seat in seats:
            yield from self._of_somebody(seat)

    def words_said(self, positions: Iterable[int], *kinds: str) -> list[tuple[str, int]]:
        """Return the values of the words of these *kinds* at *positions*, and where they end."""
        phrases = [phrase for position in positions for phrase in self.phrases(position)]
        return [(one.value, end) for end, meanings in phrases for one in meanings if one.kind in kinds]

    def _of_somebody(self, seat: Piece) -> Iterator[Piece]:
        """Yield the pieces that a seat may be: before a score, after one, in a list, with words for having discarded."""
        wind = self.table.seat_of(seat.value) or seat.value
        holder = seat._replace(kind="HOLDER", value=wind)
        said = self.text[seat.start : seat.end].casefold()
        # north begins with no
        denies = said not in self._whole_names and vocabulary().says(said, "denial")
        if (wind not in self.table.seats or denies) and seat.asked is None:
            holder = holder._replace(asked=self.nobody(self.text[seat.start : seat.end], seat).refusal)
        yield holder
        before = vocabulary().of(self.text[: seat.start].rstrip().rpartition(" ")[2])
        if all(one.kind != "apart" for one in before):
            yield holder._replace(kind="OWNER")
        if self._tells_of_several:
            yield holder._replace(kind="AMONG")
            if _AND.search(self.text, 0, seat.start):
                yield holder._replace(kind="ALSO")
        for _, end in self.words_said(self.starts(seat.end), "fed"):
            who = seat._replace(kind="DISCARDER", end=end, asked=None)
            yield who._replace(kind="FEEDER", value=(who._replace(kind="WINS_OF", value="win"), who))
        for end in chain(*map(self._throwing, self.starts(seat.end))):
            if self._may_throw(seat.start, seat.end):
                yield seat._replace(kind="DISCARDER", end=end, asked=None)

    def _throwing(self, position: int) -> list[int]:
        """Return where words at *position* end that mean discarding and not claiming."""
        phrases = [(end, {meaning[:2] for meaning in meanings}) for end, meanings in self.phrases(position)]
        claims = {("state", "exposed"), ("deed", "claims")}
        return [end for end, said in phrases if ("sign", "<") in said and not said & claims]

    def _may_throw(self, start: int, end: int) -> bool:
        """Return whether the name from *start* to *end* may be the discarder's; a letter only past a mark."""
        return end - start > 1 or self.is_behind_mark(start)

    def _scores(self, position: int) -> Iterator[Piece]:
        if position and self.text[position - 1].isalnum():
            glued = _GLUED_BEFORE.search(self.text, 0, position)
            if glued is None or all(one.kind != "SEAT" for one in self._named(glued.start(1), position)):
                return
        found = [Piece("NUMBER", value, position, end) for value, end in self.in_words(position)]
        number = None if found else _NUMBER.match(self.text, position)
        if number:
            figure, huge = Piece("NUMBER", int(number[1][:18]), *number.span()), None
            if len(number[1]) > LONGEST_NUMBER:
                huge = self.refused("huge-number", *number.span(), "score", digits=len(number[1])).refusal
            found.append(figure._replace(asked=huge))
        for piece in found:
            yield piece
            for _, end in self.words_said(self.starts(piece.end), "doubles"):
                if not any(_NUMBER.match(self.text, behind) for behind in self.starts(end)):
                    yield piece._replace(kind="DOUBLED", end=end, asked=None)
        won = _NUMBER_WON.match(self.text, position)
        if won and len(won["score"]) <= LONGEST_NUMBER:
            yield from self._number_won(won)

    def in_words(self, position: int) -> list[tuple[int, int]]:
        """Return, in a list, the number in words at *position*, as in "two hundred", and its end; or none."""
        total = part = end = 0
        between: re.Match[str] | None = None
        while said := self.words_said([position], "number", "count") or self._figure(position, part, not end):
            word, behind = max(said, key=lambda one: one[1])
            value, joins = int(word), between and between["joins"]
            if value >= 100:  # the factor before it
                is_whole = " " in self.text[position:behind]  # a hundred
                fits = not end or (0 < part < 100 and not (joins or is_whole))
                thousands = (part or 1) * value if value == 1000 else 0
                part, total = (part or 1) * value - thousands, total + thousands
            else:
                tens = value < 10 and part % 100 >= 20 and not part % 10 and not joins
                part *= _factor(part, value, between)
                fits = not end or not part % 100 or tens
                part += value
            if not fits:
                break
            between = _BETWEEN.match(self.text, behind)
            found, end, position = [(total + part, behind)], behind, between.end() if between else self.end
        return found if end else []

    def _figure(self, position: int, tens: int, begins: bool) -> list[tuple[str, int]]:
        """Return, in a list, the figure at *position* after *tens* in words, "fifty 8", or where it *begins*, "2 hundred"."""
        figure = _ONES.match(self.text, position)
        if figure is None:
            return []
        if begins:
            between = _BETWEEN.match(self.text, figure.end())
            counts = self.words_said([between.end()], "count") if between else []
            fits = any(int(value) >= 100 for value, _ in counts)
        else:
            fits = tens % 100 >= 20 and not tens % 10
        return [(figure[0], figure.end())] if fits else []

    def _sitter(self, position: int) -> Iterator[Piece]:
        """Yield the player sitting out, if two letters or more of that name are here."""
        name, said = self.table.sitting_out, self.text[position:].casefold()
        quoted = said.startswith('"')
        if name and said[quoted:].startswith(name.casefold()):
            yield Piece("SITTER", name, position, position + len(name) + 2 * quoted)
        word = _BEGUN.match(said)
        if name and word and name.casefold().startswith(word[0]):
            yield Piece("SITTER", name, position, position + word.end())

    def _comers(self, position: int) -> Iterator[Piece]:
        """Yield the names of those who may come to the table, where words before allow such a name."""
        for value, end in self.words_said([position], "sitting"):
            if value != "place":
                behind = self.end - len(_ALSO.sub("", self.text[end:]))
                self._names_at["ANYBODY" if value == "seats" else "COMER"].add(behind)
                self._at.pop(behind, None)
        known = {name.casefold(): name for name in self.table.friends}
        seated = {*known, *self._players, *map(str.casefold, (*WIND_NAMES, *WIND_NAMES.values()))}
        for kind in [kind for kind, places in self._names_at.items() if position in places]:
            found = _NAMES[kind].match(self.text, position)
            ends = _ends(found) if found else ()
            end = next((end for end in ends if self._may_sit(position, end)), position)
            said = self.typed[position:end].strip('"')
            # a known player's name is written as before, a new one as typed
            name = known.get(said.casefold(), said)
            sure = end - position > len(said) or name in self.table.friends
            strange = not seated.isdisjoint(said.casefold().split())
            if said and (sure or not strange) and (sure or kind == "ANYBODY" or may_be_called(said)):
                yield Piece(kind, name, position, end)

    def _rests(self, position: int) -> Iterator[Piece]:
        """Yield the substitution by a word such as "rest" that begins the line: who comes in for whom."""
        rest = _REST.match(self.text, position)
        if rest and position == self._first and rest[0] not in self.table.seats.values():
            asked = None if self.table.rests else self.refused("nobody-rests", *rest.span()).refusal
            yield Piece("RESTS", self.table.rests or ("", ""), *rest.span(), asked)

    def _amounts(self, position: int) -> Iterator[Piece]:
        """Yield the limit as a score, and a signed number as what somebody gets or owes."""
        limit = self.table.limit
        for _, end in self.words_said([position], "limit"):
            unlimited = self.refused("no-limit", position, end).refusal if limit is None else None
            yield Piece("NUMBER", limit or 0, position, end, unlimited)
        owed = _OWED.match(self.text, position)
        if owed:
            sign = 1 if owed[0][0] == "+" else -1
            yield Piece("OWED", sign * int(owed[0][1:]), *owed.span())

    def _may_sit(self, start: int, end: int) -> bool:
        """Return whether a newcomer's name may end at *end*: before a word for sitting down, or at the end of the line."""
        ahead = self._behind_blanks(end)
        rest = self.text[ahead:].strip()
        if not rest or self.words_said([ahead], "sitting"):
            return bool(rest) or self._first < start
        said = plain(rest)
        return any(phrase.startswith(said) for phrase in _said_of_seats(vocabulary().words))

    def _number_won(self, won: re.Match[str]) -> Iterator[Piece]:
        """Yield a score with ``w`` directly after it, and what follows: ``+`` for drawn, or the discarder."""
        word, how = (won["word"] or "").casefold(), won["how"] or ""
        score = Piece("NUMBER", int(won["score"]), *won.span())
        told = (score, score._replace(kind="WINS"))
        piece = score._replace(kind="NUMBER_WON", value=told)
        if how in ("*", "!") or (not how and (word == "w" or vocabulary().says(word, "win"))):
            yield piece
            return
        if not word.startswith("w") or (how and word != "w"):
            return
        behind = how.lstrip("<") or word[1:]
        if behind == "+" or (not how and "drawn".startswith(behind)):
            yield piece._replace(value=(*told, score._replace(kind="DRAWN")))
        for named in self._named(won.end() - len(behind), won.end()) if behind != "+" else ():
            if named.kind == "WHO" or (named.kind == "STRANGER" and not "drawn".startswith(behind)):
                yield piece._replace(value=(*told, named._replace(kind="DISCARDER", start=won.start())))


def _ends(name: re.Match[str]) -> list[int]:
    """Return where a name may end: after its closing quotation mark, or after each of its words."""
    return (
        [name.end()]
        if name[0][0] == '"'
        else [name.start() + word.end() for word in _WORDS.finditer(name[0])]
    )


def may_be_called(words: str) -> bool:
    """Return whether a newcomer can have this name, since it is no number, no command and no word of the game."""
    parts = plain(words).split()
    said = [meaning for word in (words, *parts) for meaning in vocabulary().of(word)]
    particles = {"empty", "from"} if len(parts) > 1 else set()
    return not (
        {one.kind for one in said if one.kind not in particles or one.language == "en"} - {"aside"}
        or words.casefold() in EVENTS
        or _GENITIVES.search(words)
    )


class Read(NamedTuple):
    """What one way to read a line means.

    A line has a hand as *typed* (maybe only its seat so far), what is *told* of the seats, and who has *thrown* the
    winning tile, or else an *event*; *asked* are the questions that its pieces raise.
    """

    typed: Typed | None = None
    told: tuple[Told, ...] = ()
    event: EventLine | None = None
    asked: tuple[Refusal, ...] = ()
    thrown: Piece | None = None


HOLDERS = ("HOLDER", "OWNER", "OTHERS")
SCORES = ("NUMBER", "ZERO", "DEAD")


class LineSpeech(Speech):
    """Turns the rules of ``scores.lark``, and those of ``speech.lark`` that it imports, into what they mean."""

    def __getattr__(self, name: str) -> Any:
        """Return the method for a rule of the imported grammar, to whose name Lark adds the grammar's name."""
        if name.startswith("speech__"):
            return getattr(self, name.removeprefix("speech__"))
        raise AttributeError(name)

    def read(self, children: list[Any]) -> Read:
        """Combine a hand with the others' scores, if any. Raise Refused for scores unless it won.

        After any other hand, a number would be values without a class.
        """
        typed = children[0] if isinstance(children[0], Typed) else None
        told = next((child for child in children if not isinstance(child, Typed | Piece)), ())
        if typed is not None and told and typed.ending.tile is None:
            piece = told[0].pieces[0]
            raise refuse("missing-class", at=place_in(piece), typed=piece.value, values=piece.value)
        thrown = children[0] if isinstance(children[0], Piece) else None
        return Read(typed, told, None, questions(piece for one in told for piece in one.pieces), thrown)

    begun = Speech.hand
    manners = concerned = Speech.several

    def entries(self, children: list[Any]) -> tuple[Any, ...]:
        """Return the scores, and lists of scores, in one tuple without separators."""
        found: list[Any] = []
        for child in children:
            if isinstance(child, Told | Piece):
                found += [child] * (getattr(child, "kind", "") not in ("SLASH", "IS"))
            else:
                found += child
        return tuple(found)

    several = balance = entries

    def crowd(self, children: list[Any]) -> tuple[Told, ...]:
        """Return each name's score, placed at the last if commas part them, or at all. Raise Refused."""
        pieces = self.entries(children)
        holders = [piece for piece in pieces if piece.kind in ("AMONG", "ALSO")]
        score, last = (
            next(piece for piece in pieces if piece.kind not in ("AMONG", "ALSO", "EACH")),
            holders[-1],
        )
        for one, other in combinations(holders, 2):
            if one.value == other.value:
                raise refuse("repeated-seat", "scores", at=place_in(other), player=WIND_NAMES[other.value])
        if score.kind == "NUMBER_WON":
            raise refuse("bad-line", "win", at=place_in(score), named="win")
        # a comma between the names does not separate any of them from the score
        start = last.start if any(holder.parted for holder in holders[1:]) else holders[0].start
        end = max(piece.end for piece in pieces)
        where = {"kind": "HOLDER", "start": start, "end": last.end}
        return tuple(Told(holder._replace(**where), score, (), start, end) for holder in holders)

    def told(self, children: list[Any]) -> Told:
        pieces: list[Piece] = []
        for child in children:
            found = [child] if isinstance(child, Piece) else getattr(child, "pieces", child)
            for piece in found:
                if piece.kind.startswith("OTHERS_"):
                    nothing = [piece._replace(kind="ZERO", value=0)] * (piece.kind == "OTHERS_NONE")
                    pieces += [piece._replace(kind="OTHERS"), *nothing]
                else:
                    pieces += (
                        piece.value
                        if piece.kind in ("NUMBER_WON", "FEEDER")
                        else [piece] * (piece.kind not in ("IS", "HAS", "EACH", "TAKING"))
                    )
        holder, score = (
            next((piece for piece in pieces if piece.kind in kinds), _NOT_THERE)
            for kinds in (HOLDERS, SCORES)
        )
        how = tuple(piece for piece in pieces if piece.kind not in (*HOLDERS, *SCORES))
        first = pieces[0]
        if first.kind == "WINS_OF" and not holder.kind and not (first.parted and first.value in KINDS["win"]):
            # the word belongs before the name
            raise refuse("bad-line", "win", at=place_in(first), named="win")
        for one, other in pairwise(how):
            letter = next((each for each in (one, other) if str(each.value) in "wW"), None)
            if letter and one.kind == other.kind == "WINS":
                raise refuse("bad-line", "win", at=place_in(letter), named=letter.value)  # west wins
        return Told(holder, score, how, pieces[0].start, pieces[-1].end)

    entry = scored = told

    def from_whom(self, children: list[Piece]) -> Piece:
        """Return the discarder: ``thrown by ben`` and ``<ben`` are about a tile, ``from ben`` may be about a payment."""
        word, *_, who = children
        alone = word.kind == "FROM" and word.end - word.start <= len("from") and who.kind == "WHO"
        return who._replace(kind="FROM_WHOM" if alone else "DISCARDER", start=word.start)

    def doubled(self, children: list[Piece]) -> Piece:
        word, number = children
        return number._replace(kind="DOUBLED", start=word.start)

    def event(self, children: list[Any]) -> Read:
        """Return what happened between hands: its word, those whom it names, and a number, a rule or tiles."""
        *first, last = children
        found = (*first, *((last,) if isinstance(last, Piece) else last))
        pieces = [one for one in found if isinstance(one, Piece)]
        parts = [one for one in found if isinstance(one, Part)]
        said = {piece.kind: piece for piece in pieces}
        word = next(kind.lower() for kind in said if kind.lower() in EVENTS)
        names = tuple(piece.value for piece in pieces if piece.kind in ("HOLDER", "SITTER"))
        event = EventLine(word, names, number=said["NUMBER"].value if "NUMBER" in said else None)
        if word == "draw" and event.number is not None:
            if event.number != 4:
                raise unfinished("draw", place_in(said["NUMBER"]))
            event = EventLine("draw", manner="four")
        elif word == "penalty":
            event = EventLine(word, tuple(dict.fromkeys(names)), said["RULE"].value)
        elif parts:
            event = event._replace(tiles=dealt_tiles(map(_as_dealt, parts)))
        return Read(
            event=event, asked=(*questions(pieces), *(asked for part in parts for asked in part.asked))
        )

    def seat(self, children: list[Piece]) -> Read:
        """Return the change of seats: who comes to the table, and for whom."""
        said = {piece.kind: piece.value for piece in children}
        comes, leaves = said.get("RESTS", (said.get("COMER", said.get("ANYBODY", "")), ""))
        leaves = said.get("HOLDER", said.get("SITTER", leaves))
        return Read(event=EventLine("seat", (comes, leaves)), asked=questions(children))

    def swap(self, children: list[Piece]) -> Read:
        raise refuse("unfinished-line", "swap", at=place_in(children[0]))

    def owed(self, children: list[Piece]) -> list[Piece]:
        return sorted((piece for piece in children if piece.kind != "IS"), key=lambda piece: piece.kind)

    def paid(self, children: list[Any]) -> Read:
        """Return a payment, given as one player owing what another gets, or raise Refused."""
        (told,) = children
        owed = sorted(zip(told[::2], told[1::2], strict=True), key=lambda pair: pair[1].value)
        (payer, gives), *_, (payee, gets) = owed
        if len(owed) != 2 or gives.value + gets.value or not gets.value or payer.value == payee.value:
            raise refuse("bad-line", "balance", at=place_in(gives))
        event = EventLine("pay", (payer.value, payee.value), number=gets.value)
        return Read(event=event, asked=questions([payer, payee]))


@lru_cache(maxsize=1)
def _said_of_seats(every: frozenset[str]) -> tuple[str, ...]:
    """Return the phrases for coming and leaving; cached for the set *every* of known words."""
    phrases = vocabulary().meanings.items()
    return tuple(
        phrase
        for phrase, meanings in phrases
        if every.issuperset(phrase.split()) and any(one.kind == "sitting" for one in meanings)
    )


def _as_dealt(part: Part) -> Written:
    run = None if part.bracket else run_of(part.tiles)
    return Written("SET" if part.bracket else "GROUP", part.text, run, part.start, part.end)


play_parser = partial(open_grammar, "scores.lark", ("line",), LineSpeech)


def _factor(part: int, value: int, between: re.Match[str] | None) -> int:
    """Return 100 if a *part* before *value* counts hundreds: "one forty four", "two-forty"; not "two forty"; else 1."""
    joined = between is not None and between["joins"] is None and (part == 1 or "-" in between[0])
    return 100 if value >= 20 and 0 < part < 10 and joined else 1
