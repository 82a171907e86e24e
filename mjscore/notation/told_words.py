"""The words of a told hand, with all their meanings and the punctuation before them.

Articles and the like have no meaning and are left out; an unknown word is kept, without a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, takewhile
from typing import Any, NamedTuple

from mjscore.game.hand import SET_SIZES
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.names import nearest
from mjscore.notation.vocabulary import OF_TOLD_HANDS, plain, vocabulary

NAMING = ("TILES", "VALUES", "PLURAL", "OWN", "TIMES_OF")  # kinds of words for tiles
_COUNTED = ("TILES", "VALUES", "PLURAL")  # the words for tiles behind a number of them
LAID = ("STATE", "LIES")  # kinds of words for states
_BEHIND_AND = (*LAID, "FINAL", "BONUS", "WHO", "SIGN", "REST", "NOTHING", "LOSS", "REMARK", "FLAG", "WIN")
COMMA, COLON, SENTENCE = 1, 2, 3  # punctuation before a word; 0 for none
_SILENT = frozenset(("EMPTY", "ASIDE", "JOINER", "COPULA", "ANY", "SELF", "LEADS"))
_OF_WORDS = _SILENT | frozenset(map(str.upper, OF_TOLD_HANDS))
_OF_WORDS |= {
    "BONUS", "SET", "STATE", "SUIT", "SIGN", "WIN", "FROM", "FLAG", "PLURAL", "DENIAL", "NOTHING", "TALK",
}  # fmt: skip
_OF_TALK = {
    "WHO",
    "OWNER",
    "DENIAL",
    "CONTRAST",
    "EXCEPT",
    "REMARK",
    "COMPLETES",
    "UPON",
    "RANGE",
    *_SILENT,
    "TALK",
}
_OF_SIGNS = {"TILES", "VALUES", "TIMES", "TIMES_OF", "OPEN", "GLUED", "CLOSE", "DOTS", "PLUS", "LESS"}
_SPELT = (
    "suit", "plural", "set", "sets", "state", "lies", "dragon", "wind", "tile", "bonus", "own", "sign", "win", "loss", "flag",
)  # fmt: skip
_NAMES_OF_TILES = ("wind", "dragon", "tile", "plural")
_GAP = re.compile(
    r"(?:\s|[|\"*_~&#→⇒]|(?<![-=])[-=]+>|[-–—]|(?<!\.)\.(?!\.)|\.\.(?!\.)|(?<=[^\W\d_])['’]s(?![^\W_])|[,;:/=!'’]|\bw/(?!o))+"
)
_MARKS = (
    (re.compile(r"[.!]"), SENTENCE),
    (re.compile(r"[:=]"), COLON),
    (re.compile(r"[,;→⇒>]|(?<!\W[PpKk])/|(?<!<)[-–—](?=\s)|(?<=\s)[-–—]"), COMMA),  # but: p/2d, <- ben
)
_CROSSING = re.compile(r"[,;:/]|\.\s|\s[-–—]")
_LISTED = re.compile(r"\([1-9]([\s,;/-]+[1-9])+\s*\)")  # (2,2,2)
_TO_WORDS = re.compile(r"(?<!\s)\s+(?=[^\W\d_])")
# a list of sets by numbers: 1) pung of reds 2) ...; Set 1: ...
_NUMBERED = re.compile(r"(?:(?<!\S)(?:set )?([1-5])\)|\bset ([1-5]):)(?=\s)", re.IGNORECASE)
_VALUE = re.compile(r"[1-9]|[^\W\d_]+")
_PLURAL = re.compile(r"([1-9])(?:['’]?s|ern?)(?![^\W_])")  # 6s; German 6er
_ELIDED = re.compile(r"(?:qu|[cdjlmnst])'(?=[^\W\d_])", re.IGNORECASE)  # pung d'est
_NAME = re.compile(r"([^\W\d_]+?)(['’]?s|['’])?(?![^\W_])", re.IGNORECASE)
# a player's initial before a remark, and after "from"; initials of winds and dragons are tiles
_INITIAL = re.compile(
    r"(?:A(?=\s*[.:]|\s+[0-9])|[BCDFHJ-MO-QT-VX-Z])(?=\s*[.:](?!\w)|\s+(?:w/|[a-z]{2,}|p\b|[0-9]x)|\s*$|,)"
    r"|[A-Za-z](?=['’]s\s+[^\W\d_]{2})"
)
_UNKNOWN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|.")
# pung or kong: p6c, pRd
_BEFORE_TILES = re.compile(r"(?<!\w)[PKpk](?=(?:[1-9]{1,4}[BCDbcd]|[ESWN]w|[RGW]d)(?!\w))")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_SHORTENED = ("exp", "conc")  # a point after them ends no sentence


class Word(NamedTuple):
    """One or a few words: what they may mean (*said*), by kind, and the *mark* before them.

    *is_joined* says whether an "and" comes before them, *is_linked* whether a word such as "has"; *near* is the word
    meant if they are misspelt.
    """

    said: dict[str, Any]
    typed: str
    start: int
    end: int
    mark: int = 0
    is_joined: bool = False
    is_linked: bool = False
    near: str = ""

    def says(self, *kinds: str) -> bool:
        return not self.said.keys().isdisjoint(kinds)

    @property
    def is_silent(self) -> bool:
        return bool(self.said) and {*_SILENT, "TALK"}.issuperset(self.said)

    @property
    def names(self) -> bool:
        """Return whether it is a word for tiles or sets."""
        return self.says(*NAMING, "SUIT", "SET", "SETS")

    @property
    def bonus(self) -> str:
        """Return "f" for the name of a flower, "s" for that of a season, "" for other words."""
        kind = str(getattr(self.said.get("TILES"), "value", ""))[-1:]
        return kind if kind in ("f", "s") and len(self.typed) > 2 else ""

    @property
    def who(self) -> str:
        """Return the wind or player that it names."""
        return str(self.said.get("WHO") or self.said.get("WIND", ""))

    @property
    def state(self) -> str:
        """Return the state of sets that it means."""
        return str(self.said.get("STATE") or self.said["LIES"])


NO_WORD = Word({}, "", 0, 0)  # used where there is no word


def word_at(words: Sequence[Word], at: int, any_mark: bool = False) -> Word:
    """Return word *at*; NO_WORD if there is none or, unless *any_mark*, if punctuation comes before it."""
    return words[at] if 0 <= at < len(words) and (any_mark or not words[at].mark) else NO_WORD


def after(words: Sequence[Word], at: int) -> Word:
    """Return the word after word *at*; behind the last one, an empty word that begins a sentence."""
    return words[at + 1] if at + 1 < len(words) else NO_WORD._replace(mark=SENTENCE)


def words_of(lattice: Lattice) -> list[Word]:
    """Return the words of a line, each the longest possible, without small talk and words without meaning."""
    text, position, mark, joined, linked, leads = lattice.text, 0, SENTENCE, False, False, False
    words: list[Word] = []
    word, numbers = NO_WORD, _numbers(text)
    while True:
        gap = _GAP.match(text, position)
        if gap:
            short = text[gap.start()] == "." and bool(words) and words[-1].typed in _SHORTENED
            mark = mark if leads else max(mark, _mark_in(text, gap.start() + short, gap.end()))
            joined = joined or "&" in gap[0]
            position = gap.end()
        if position in numbers:
            mark, position = max(mark, COMMA), numbers[position]
            continue
        if position >= lattice.end:
            words += [word._replace(said={})] * word.says("LEADS")  # a pair of reds and
            break
        word = _word_at(lattice, position, words[-1] if words else None)
        position, leads = word.end, word.said.get("LEADS") == "on"  # on the. table; all but, the middle one
        if pause := _pause(word, words, text[position:].strip()):
            mark = pause
        elif word.is_silent:
            joined, linked = joined or word.says("JOINER"), linked or word.says("COPULA")
            if word.says("COPULA") and not (mark or joined) and _ends_with_state(words):
                mark = COLON  # exposed are, her exposed sets were
        else:
            mark = COLON if mark == COMMA and _is_heading(words, text[:position]) else mark
            words.append(word._replace(mark=mark, is_joined=joined, is_linked=linked))
            mark, joined, linked = SENTENCE * (word.typed == "?"), False, False
    words = list(_with_corrected_names(list(_without_small_talk(_with_tens(words)))))
    return list(_beside_each_other(list(_in_usual_order(list(_counted(list(_again(_standing(words)))))))))


def _numbers(text: str) -> dict[int, int]:
    """Return where the numbers of a list of sets begin and end; empty if there are none or they do not go up by one."""
    found = list(_NUMBERED.finditer(text))
    numbers = [int(one[1] or one[2]) for one in found]
    return {one.start(): one.end() for one in found if numbers == [*range(1, len(found) + 1)]}


def _with_tens(words: Sequence[Word]) -> list[Word]:
    """Return the words, with a number such as "twenty-two" as one unknown word: it is no tile."""
    found: list[Word] = []
    for word in words:
        tens = found[-1] if found and not found[-1].said else NO_WORD
        if word.says("VALUES") and word.typed.isalpha() and not word.mark and _is_tens(tens.typed):
            found[-1] = tens._replace(typed=f"{tens.typed}-{word.typed}", end=word.end)
        else:
            found.append(word)
    return found


def _is_tens(typed: str) -> bool:
    return any(one.kind == "number" and 20 <= int(one.value) < 100 for one in vocabulary().of(typed))


def _pause(word: Word, before: Sequence[Word], behind: str) -> int:
    """Return the punctuation for which a word stands: a full stop for "stop", a colon for "namely"; 0 for none."""
    asks = word.typed == "?" and not any(one.names for one in before)  # big hands, ann? all hidden, ...
    talk = not before and not (word.says(*LAID) and behind.startswith(":"))  # put down: 123 bams
    ends = word.says("STOP", *["TALK"] * talk) or (word.says("DOTS") and behind != "")
    return SENTENCE if ends or asks else COLON * word.says("NAMELY")


def _ends_with_state(words: Sequence[Word]) -> bool:
    """Return whether the last word, but for numbers of sets, is one for a state."""
    told = [one for one in words[-2:] if not one.says("COUNTED")]
    return bool(told) and told[-1].says(*LAID)


def _is_heading(words: Sequence[Word], text: str) -> bool:
    """Return whether the last word, before the comma that ends *text*, heads what follows: "123b; shown, a pung of reds"."""
    laid = bool(words[1:]) and words[-1].says(*LAID) and not words[-1].says("SIGN")
    return laid and ";" in text[words[-2].end : words[-1].start] and ";" not in text[words[-1].end :]


def _again(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words, "the same in dots" as "123 dots" after "123 bams"; "ch" after values is a suit."""
    values = NO_WORD
    for at, word in enumerate(words):
        if word.says("SET") and word.says("SUIT"):
            before, behind = word_at(words, at - 1, True), word_at(words, at + 1)
            alone = not word.mark and (behind.is_joined or not behind.names)
            kind = "SUIT" if before.says("VALUES") and alone else "SET"
            word = word._replace(said={kind: word.said[kind]})
        if word.says("SETS") and word.says("PLURAL"):  # threes of reds; but: threes of bams
            kind = "PLURAL" if word_at(words, at + 1).says("SUIT") else "SETS"
            word = word._replace(said={kind: word.said[kind]})
        again = values.typed and word.says("SAME") and len(values.said["VALUES"]) == 3
        ahead = word_at(words, at + 1 + word_at(words, at + 1).says("EMPTY"))
        if again and ahead.says("SUIT"):
            word = values._replace(mark=word.mark, is_joined=word.is_joined)
        yield word
        if word.says("VALUES") and ahead.says("SUIT"):
            values = word
        elif not word.says("SUIT", "EMPTY"):
            values = NO_WORD


def _counted(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words, a number alone as that of the tile before: "easts, three"; "with 9c, had two"."""
    for at, word in enumerate(words):
        tile = _counted_by(words, at)
        number = word.said["VALUES"] if tile else ""
        if number in ("2", "3") and word.is_linked and all(map(_is_one, tile)):
            yield word._replace(said={"TIMES_OF": int(number)})
            yield from (one._replace(mark=0, is_joined=False, is_linked=False) for one in tile)
        elif number in ("2", "3", "4") and _counts(word, after(words, at), tile):
            yield word._replace(said={"TIMES": int(number)}, mark=0)
        else:
            yield word


def _counted_by(words: Sequence[Word], at: int) -> Sequence[Word]:
    """Return the words for the tile right before word *at*; empty unless that is a number standing alone."""
    word, behind = words[at], after(words, at)
    laid = behind.says(*LAID) and (word.mark == COLON or after(words, at + 1).mark > 0)  # easts three down
    apart = (behind.mark or behind.is_joined or laid or behind.says("CLOSE", "EVERY")) and not (
        word.mark == COLON and behind.says("VALUES")
    )
    if not word.says("VALUES") or word.mark > COLON or not apart:
        return ()
    end = at - word_at(words, at - 1, True).says("OPEN")  # 9c (had two)
    start = end - 1 - word_at(words, end - 1, True).says("SUIT")
    tile = words[max(0, start) : max(0, end)]
    values = any(one.says("VALUES") or one.said.get("PLURAL", "d")[-1].isdigit() for one in tile)
    return tile if all(one.names for one in tile) and values == (len(tile) > 1) else ()


def _counts(word: Word, behind: Word, tile: Sequence[Word]) -> bool:
    """Return whether a number says how many there are of the tile before it: "easts, three", "norths 3, wests 3"."""
    if word.mark == COLON and len(tile) > 1:
        return not tile[1].mark  # not: 5, dots: 2, 3
    if word.mark == COLON:
        return tile[0].says("PLURAL", "TILES") and not tile[0].says("SUIT", "WIND")
    apart = word.typed.isdigit() and len(behind.said.get("VALUES", "")) != 1
    listed = word.typed.isalpha() if word.mark else apart
    return (listed or behind.says(*LAID)) and tile[0].says("PLURAL")


def _is_one(word: Word) -> bool:
    """Return whether a word tells one tile, its value or its suit."""
    told = word.said.get("TILES") or word.said.get("VALUES", "")
    return word.says("SUIT") or len(getattr(told, "value", told)) in (1, 2)


def _without_small_talk(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words, but of sentences that tell nothing about a hand only the unknown ones: "Ann was not amused".

    A name is left out only if one is told elsewhere.
    """
    sentences: list[list[Word]] = []
    for word in words:
        if word.mark == SENTENCE or not sentences:
            sentences.append([])
        sentences[-1].append(word)
    of_hands = [sentence for sentence in sentences if not _is_talk(sentence)]
    begins = list(chain(*of_hands[:1]))
    named = any(word.says("WHO") for word in chain(*of_hands))
    named = named or any(one.says("WIND") and (one is begins[0] or len(one.typed) > 1) for one in begins)
    for sentence in sentences:
        is_talk = _is_talk(sentence)
        left = [word for word in sentence if not (is_talk and word.said) or (word.says("WHO") and not named)]
        yield from [word._replace(mark=SENTENCE) if word is left[0] else word for word in left]


def _is_talk(sentence: Sequence[Word]) -> bool:
    """Return whether a sentence has unknown words and none that tells about a hand."""
    return not all(word.said for word in sentence) and all(
        _OF_TALK.issuperset(word.said) for word in sentence
    )


def _with_corrected_names(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words without a name, known or not, that another one replaces: "Mum, I mean Ann, let it go"."""
    at = 0
    while at < len(words):
        word, corrects = words[at], len(list(takewhile(_corrects, words[at + 1 :])))
        is_bonus = word.bonus != ""  # plum, sorry, ann
        is_name = not word.said or word.says("WHO") or is_bonus
        source = word_at(words, at - 1).says("FROM") and after(words, at + corrects).says("FROM")
        corrects += corrects > 0 and source  # off cid, I mean off dee
        who = after(words, at + corrects)
        if is_name and corrects and after(words, at).mark and who.says("WHO") and who.mark <= COMMA:
            yield from (word._replace(said={}),) * is_bonus
            yield who._replace(mark=word.mark * (not is_bonus), is_joined=word.is_joined)
            at += 1 + corrects
        else:
            yield word
        at += 1


def _corrects(word: Word) -> bool:
    """Return whether a word puts right what was said before it: sorry, I mean, no."""
    return word.says("CORRECTION") or (word.says("DENIAL") and word.says("TALK", "NUMBERED"))


def _standing(words: list[Word]) -> list[Word]:
    """Return the words; "up", in a line that also says "down", means concealed, as does "the rest up" beside "exposed"."""
    down = any(word.said.get("STANDS") == "exposed" for word in words)
    exposed, up = any(word.said.get("STATE") == "exposed" for word in words), {"LIES": "concealed"}
    stands = [word.said.get("STANDS") == "concealed" for word in words]
    rest = [down or (exposed and word.said.get("EVERY") == "rest") for word in (NO_WORD, *words)]
    return [
        word._replace(said=up) if is_up and others else word
        for word, is_up, others in zip(words, stands, rest, strict=False)
    ]


def _mark_in(text: str, start: int, end: int) -> int:
    """Return the strongest punctuation in a part of a line: SENTENCE, COLON or COMMA; 0 if there is none."""
    return max((mark for pattern, mark in _MARKS if pattern.search(text, start, end)), default=0)


def _in_usual_order(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words as more usual ones: "hidden three whites" for "three hidden whites", "hidden" for "ponged in hand"."""
    at = 0
    while at < len(words):
        usual, taken = (
            _state_first(words, at)
            or _made(words, at)
            or _apart(words, at)
            or _without_other_suit(words, at)
            or _of_a_family(words, at)
            or _either_of_two(words, at)
            or ((words[at],), 1)
        )
        yield from usual
        at += taken


def _state_first(words: Sequence[Word], at: int) -> tuple[tuple[Word, ...], int] | None:
    """Return the words "three hidden" and the like in reverse order, and their number; None for others."""
    word, behind, tile = words[at], word_at(words, at + 1), word_at(words, at + 2)
    digit = word.typed in ("2", "3", "4") and tile.says("VALUES") and word_at(words, at + 3).says("SUIT")
    counts = digit or word.says("TIMES_OF")  # 3 hidden 9 chars
    if not (counts and behind.says("STATE") and tile.says(*_COUNTED)):
        return None
    of_a_set = not word.mark and word_at(words, at - 1, True).says("SET", "SETS", "SUIT")
    if of_a_set or tile.says("PRONOUN") or behind.says("SET"):  # one hidden one, two ankan
        return None
    first = behind._replace(mark=word.mark, is_joined=word.is_joined)
    said = {"TIMES_OF": int(word.typed)} if digit else word.said
    return (first, word._replace(said=said, mark=0, is_joined=False)), 2


def _made(words: Sequence[Word], at: int) -> tuple[tuple[Word, ...], int] | None:
    """Return "punged" and the like as a set and its state, and how many words that were; None for others."""
    word, behind = words[at], word_at(words, at + 1)
    if not word.says("MADE"):
        return None
    hidden = behind.says(*LAID) and behind.state == "concealed" and after(words, at + 1).mark > 0
    state = (word._replace(said={"STATE": "exposed"}),) * (not hidden)  # but: greens ponged in hand
    ends = behind.is_joined and not word.mark and word_at(words, at - 1, True).says("SUIT", *NAMING)
    if behind.says(*NAMING) and not ends:  # punged the reds; but: reds punged and 345 dots chowed
        said = {**word.said, "SETS": word.said["MADE"]}
        return (*state, word._replace(said=said, mark=word.mark * hidden, is_joined=False)), 1
    several = not word.mark and word_at(words, at - 1, True).says("EVERY")
    made = word._replace(said={**word.said, "SETS" if several else "SET": word.said["MADE"]})
    return (made, (*state, behind)[0]._replace(mark=0, is_joined=False)), 1 + hidden


def _apart(words: Sequence[Word], at: int) -> tuple[tuple[Word, ...], int] | None:
    """Return "ankan" or the like as a set and its state ("pon" with another state as a set), and 1; or None."""
    word = words[at]
    if word.says("MADE") or not (word.says("STATE") and word.says("SET", "SETS")):
        return None
    of_set = {kind: word.said[kind] for kind in ("SET", "SETS") if word.says(kind)}
    if word.state == "exposed" and _has_own_state(words, at):
        return (word._replace(said=of_set),), 1
    set_alone = word._replace(said=of_set, mark=0, is_joined=False)
    return (word._replace(said={"STATE": word.said["STATE"]}), set_alone), 1


def _without_other_suit(words: Sequence[Word], at: int) -> tuple[tuple[Word, ...], int] | None:
    """Return the words without a suit denied, as in "in bams, not dots, 456" or "not dots but bams"; or None."""
    near = [*words[at : at + 4], *[NO_WORD] * 4][:4]
    denied = near[1 - near[0].says("DENIAL") :]
    if not (denied[0].says("DENIAL") and denied[1].says("SUIT") and not denied[1].mark):
        return None
    if near[0].says("SUIT") and near[3].says("VALUES") and near[3].mark == COMMA:
        return (near[0], near[3]._replace(mark=0)), 4
    instead = near[2].says("CONTRAST") and near[3].says("SUIT") and not near[3].mark
    return ((near[3]._replace(mark=near[0].mark),), 4) if instead else None


def _of_a_family(words: Sequence[Word], at: int) -> tuple[tuple[Word, ...], int] | None:
    """Return "two dragons, white" as "two white"; None for other words."""
    count, family, tile = [*words[at : at + 3], *[NO_WORD] * 3][:3]
    first = vocabulary().of(count.typed.partition(" ")[0]) if count.said.get("SPECIAL") == "RGWd" else ()
    numbers = [one.value for one in first if one.kind == "number"]
    if numbers:  # "three dragons" is one word
        count, family, tile = (
            count._replace(said={"VALUES": numbers[0]}),
            Word({"FAMILY": "d"}, "", 0, 0),
            family,
        )
    counts = count.says("VALUES", "TIMES_OF") and str(count.said.get("VALUES")) in ("2", "3", "4")
    end = at + 2 - bool(numbers)
    alone = tile.says("TILES", "PLURAL") and tile.mark == COMMA and after(words, end).mark > 0
    told = str(getattr(tile.said.get("TILES"), "value", tile.said.get("PLURAL", "")))
    if not (counts and alone and len(told) == 2 and told[1] == family.said.get("FAMILY") and not family.mark):
        return None
    times = count._replace(said={"TIMES_OF": int(count.said["VALUES"])})
    return (times, tile._replace(mark=0)), end + 1 - at


def _either_of_two(words: Sequence[Word], at: int) -> tuple[tuple[Word, ...], int] | None:
    """Return "ann or dee threw it", "off ann or dee" as a claim of which it is not known who discarded; or None."""
    source = words[at].says("FROM")
    name, either, other, threw = [*words[at + source : at + source + 4], *[NO_WORD] * 4][:4]
    who = name.says("WHO") and other.says("WHO") and either.said.get("DENIAL") == "or"
    if not (who and (source or threw.says("THROWS"))):
        return None
    claim = words[at]._replace(said={"SIGN": "<"}, end=(other if source else threw).end)
    return (claim, claim._replace(said={"THROWS": "throws"}, mark=0), either._replace(said={}, mark=0)), 4


def _has_own_state(words: Sequence[Word], at: int) -> bool:
    """Return whether the state of a set told as called ("chi 123m", "pon of reds") is told besides, or that it was drawn."""
    clauses = [list[Word]()]
    for place, word in enumerate(words[at + 1 :], at + 1):
        clauses += [[]] * bool(word.mark)
        is_no_state = word.says("EMPTY") and after(words, place).names  # in bams
        clauses[-1] = [*clauses[-1], *[word] * (not is_no_state)]
    first, *later = [takewhile(lambda one: not one.says("SET", "SETS"), clauses[0]), *clauses[1:]]
    before = word_at(words, at - 1, True)
    headed = any(_lies(one) and after(words, place).mark == COLON for place, one in enumerate(words[:at]))
    of_all = any(one.says("THROUGHOUT") for one in words)
    of_all = of_all or any(_tells_state(one) and any(map(_is_every, one)) for one in later[1:])
    told = not words[at].mark and (_lies(before) or before.says("COMPLETES"))
    return told or headed or any(map(_lies, first)) or of_all or _tells_state(later[0] if later else ())


def _lies(word: Word) -> bool:
    """Return whether a word tells a state, and no set."""
    return word.says(*LAID, "THROUGHOUT") and not word.says("SET", "SETS")


def _is_every(word: Word) -> bool:
    return word.says("EVERY", "THEM", "NOTHING")


def _tells_state(clause: Sequence[Word]) -> bool:
    """Return whether a clause tells a state of what was told before it."""
    return any(map(_lies, clause)) and not any(one.names for one in clause)


def _beside_each_other(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words by their neighbours: "n" between tiles is "and", "in" before a suit is left out."""
    mark, joined = 0, False
    words = list(_in_full(list(_heading(list(_without_of(words))))))
    for at, word in enumerate(words):
        if word.near and _is_no_suit(words, at):
            word = word._replace(said={}, near="")  # stuck is not stick
        behind, called = word_at(words, at + 1), after(words, at)
        word = word._replace(mark=max(mark, word.mark), is_joined=joined or word.is_joined)
        mark, joined = 0, False
        meant = word.said.get("SHORT")
        if word.says("EMPTY") and word.says("LIES") and behind.says("SUIT", "SUITS", "SET", "SETS"):
            mark, joined = word.mark, word.is_joined
        elif called.mark in (0, COLON) and _may_be_called(words, at, called):
            yield word._replace(said={"SET": meant, "SHORT": meant})
        elif meant in ("and", "with") and (at or behind.says("WHO")) and _is_short(words, at, behind):
            mark, joined = word.mark, True
        else:
            yield word


def _is_no_suit(words: Sequence[Word], at: int) -> bool:
    """Return whether a word similar to a suit is not beside a value."""
    beside = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
    return words[at].says("SUIT") and not any(one.says("VALUES", "PLURAL", "SET") for one in beside)


def _may_be_called(words: Sequence[Word], at: int, behind: Word) -> bool:
    """Return whether a letter before tiles may be the word for their set, as in "p reds", "p of 6 char"."""
    if word_at(words, at, any_mark=True).said.get("SHORT") not in SET_SIZES:
        return False
    if len(behind.typed) > 1:
        return behind.says(*NAMING)
    return behind.says("VALUES", "TILES") and word_at(words, at + 2).says("SUIT", "FAMILY")


def _without_of(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words but "of" between a set and its tile, which is no player then, as in "paire de nord"."""
    of_a_set = False
    for at, word in enumerate(words):
        of_before, behind = of_a_set, word_at(words, at + 1)
        is_tile = behind.says(*NAMING, "SUIT", "FAMILY") and (not behind.says("WHO") or behind.says("WIND"))
        called = word.said.get("UPON") == "on" and word_at(words, at - 2, True).says(
            "STATE"
        )  # called pon on chun
        of = word.says("OF") or (called and not word.mark)
        of_a_set = of and is_tile and word_at(words, at - 1, True).says("SET", "SETS", *LAID)
        if of_before:
            word = word._replace(said={kind: value for kind, value in word.said.items() if kind != "WHO"})
        if not of_a_set:
            yield word


def _heading(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words; before a colon, a letter may be a state or, if several are, a suit: "x: 666d", "b: 2 4; c: 3 9"."""
    heads = [at for at in range(len(words)) if after(words, at).mark == COLON]
    suits = [at for at in heads if words[at].typed in ("b", "c", "d")]
    for at, word in enumerate(words):
        if len(suits) > 1 and at in suits:
            yield word._replace(said={"SUIT": word.typed})
        elif word.said.get("SHORT") in ("exposed", "concealed"):
            yield word._replace(said={"LIES": word.said["SHORT"]} if at in heads else {})
        else:
            yield word


def _in_full(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words, "1 to 9 dots" with all values; elsewhere a word for a range has no meaning."""
    at, mark = 0, 0
    while at < len(words):
        word, ends = words[at], [str(one.said.get("VALUES", "")) for one in words[at : at + 3 : 2]]
        at, word, mark = at + 1, word._replace(mark=max(mark, word.mark)), 0
        between = word_at(words, at, any_mark=True)
        if between.says("RANGE") and list(map(len, ends)) == [1, 1] and ends[0] < ends[1]:
            values = "".join(map(str, range(int(ends[0]), int(ends[1]) + 1)))
            word, at = word._replace(said={"VALUES": values}, end=words[at + 1].end), at + 2
        laid = between.says(*LAID)  # two open sets, 222b and 345d
        counted = word_at(words, at + laid, any_mark=not laid)
        counts = counted.said.get("COUNTED") == "tiles" or (counted.says("COUNTED") and word.mark)
        if word.says("VALUES") and between.said.get("COUNTED") == "lots" and not between.mark:
            yield word._replace(said={"TIMES_OF": int(word.said["VALUES"])})  # two lots of 789
            at += 1
        elif counts and word.says("VALUES") and not between.mark:
            at, mark = at + (not laid), word.mark  # 9 tiles in craks
        elif word.says("FROM") and word_at(words, at + 1, any_mark=True).says("RANGE"):
            mark = word.mark  # from 4 to 6
        elif word.says("COUNTED") or (word.says("RANGE") and len(word.said) - word.says("EMPTY") == 1):
            mark = word.mark
        else:
            yield word


def _is_short(words: Sequence[Word], at: int, behind: Word) -> bool:
    """Return whether a letter stands for a word, rather than for a wind among others or after the word for its set."""
    before = word_at(words, at - 1, any_mark=True)
    if before.says("TIMES_OF", *["SIGN"] * behind.says("WIN")):
        return False  # 3x N; drew n mahjong
    beside = (
        words[:at] if words[at].mark and behind.says(*LAID) else (before, behind)
    )  # e s pungs open, n shut
    letters = [one for one in beside if one.says("WIND") and len(one.typed) == 1]
    heads = not words[at].mark and before.says("SET", "SETS")
    first = next(
        (one for one in reversed(words[:at]) if one.start < before.start), NO_WORD
    )  # pon is a state too
    heads = heads and not (first.names and not before.mark)  # red pung n 222b
    told = behind.names or behind.says(*_BEHIND_AND) or behind.said.get("FAMILY") == "d"
    told = told or _may_be_called(words, at + 1, after(words, at + 1))
    told = told or (before.says("SUIT") and behind.says("FAMILY") and not word_at(words, at - 2).names)
    return told and not (letters or heads)


def _word_at(lattice: Lattice, position: int, before: Word | None) -> Word:
    """Return the longest word at *position* in the text; *before* is the word before it, if any."""
    initial = _INITIAL.match(lattice.text, position) if before is None or before.says("FROM") else None
    if initial:
        return _called_by(initial[0], lattice, position)
    text, found = lattice.text, _found_at(lattice, position, before is not None and before.says("FROM"))
    if not found:
        elided = _ELIDED.match(text, position)
        return (
            _word_at(lattice, elided.end(), before)
            if elided
            else _unknown_at(lattice, position, before is None)
        )
    end = max(found)
    if "TILES" in found[end] and text[end : end + 1].isalnum():  # 1b1b1b
        more = _word_at(lattice, end, None)
        if set(more.said) == {"TILES"}:
            piece, other = found[end]["TILES"], more.said["TILES"]
            found[end]["TILES"] = piece._replace(value=f"{piece.value} {other.value}", end=more.end)
            return Word(found[end], text[position : more.end], position, more.end)
    return Word(found[end], text[position:end].casefold(), position, end)


def _called_by(letter: str, lattice: Lattice, position: int) -> Word:
    """Return *letter* as the only player whose name begins with it; without a meaning if there is none."""
    names = [name for name in lattice.people.players.values() if name[:1].upper() == letter.upper()]
    if len(names) == 1:
        return Word({"WHO": names[0]}, letter, position, position + 1, near=names[0])
    return Word({}, letter, position, position + 1)


def _found_at(lattice: Lattice, position: int, behind_from: bool) -> dict[int, dict[str, Any]]:
    """Return the possible words at *position*, by where they end; after "from", also beginnings of names."""
    text, found = lattice.text, _meanings_at(lattice, position, behind_from)
    for piece in lattice.at(position):
        piece = _up_to_a_mark(lattice, piece)
        is_name = piece.kind == "WHO" and behind_from and not lattice.phrases(position)
        if is_name or (piece.kind in _OF_SIGNS and _is_whole(lattice, piece)):
            kind = "OPEN" if piece.kind == "GLUED" else piece.kind
            found.setdefault(piece.end, {}).setdefault(kind, piece if kind == "TILES" else piece.value)
    plural = _PLURAL.match(text, position)
    if plural and not lattice.is_foreign:  # beside 4m and 5p, 6s is bamboo
        found.setdefault(plural.end(), {})["PLURAL"] = plural[1]
    for end, kind, who in _named(lattice, position, behind_from):
        found.setdefault(end, {})[kind] = who
    return found


def _meanings_at(lattice: Lattice, position: int, behind_from: bool) -> dict[int, dict[str, Any]]:
    """Return, by end, what phrases at *position* mean; a foreign "from" is OF too, a wind after it WHO."""
    text, found = lattice.text, dict[int, dict[str, Any]]()
    beside = text[max(0, position - 1) : position] + text[position + 1 : position + 2]
    apart = not any(map(str.isalnum, beside)) or _BEFORE_TILES.match(text, position)
    letter = vocabulary().of(text[position]) if apart else ()
    for end, meanings in (*lattice.phrases(position), (position + 1, letter)):
        for kind, value, language in meanings:
            said = kind.removeprefix("told_").upper()
            more = {"FROM": ("OF",), "WIND": ("WIND", "WHO")[: 1 + behind_from]}.get(said, ())
            for one in ((said,) if said in _OF_WORDS else ()) + (more if language != "en" else ()):
                found.setdefault(end, {}).setdefault(one, value)
    return found


def _up_to_a_mark(lattice: Lattice, piece: Piece) -> Piece:
    """Return values up to punctuation that parts them, as in "2-3-4, 3-4-5", or digits up to a word."""
    mark = _crossing(lattice.text, piece) if piece.kind == "VALUES" else None
    if piece.kind == "VALUES" and lattice.text[piece.start].isdigit() and mark is None:
        mark = _TO_WORDS.search(lattice.text, piece.start, piece.end)
    values = _VALUE.findall(lattice.text, piece.start, mark.start()) if mark else []
    if mark is None or len(values) < 2:
        return piece
    return piece._replace(value=str(piece.value)[: len(values)], end=mark.start())


def _is_whole(lattice: Lattice, piece: Piece) -> bool:
    """Return whether tiles and numbers end with a word, contain no punctuation, and are not a score.

    "2 of bamboo" is not two of a tile.
    """
    text, kind, end = lattice.text, piece.kind, piece.end
    said = text[piece.start : end]
    if kind == "TIMES_OF":
        return all(one.kind != "suit" for _, meanings in lattice.phrases(end) for one in meanings)
    if kind == "TILES" and said[-1:].isalpha():
        times = {said.count(letter) for letter in said}
        word = said.isalpha() and said.islower() and said[-1] not in "wd"  # grr, grens
        word = word and (len(times) > 1 or _near(said, vocabulary().words) != "")
        known = vocabulary().says(said, *_NAMES_OF_TILES) or " " in said
        if text[end : end + 1].isalpha() or (word and not known) or (said[0].isdigit() and said[-1] in "wW"):
            return False
    if kind == "VALUES" and not str(piece.value).isdigit():
        return False
    return kind not in ("VALUES", "TILES") or not _crossing(text, piece)


def _crossing(text: str, piece: Piece) -> re.Match[str] | None:
    """Return the punctuation that parts a piece; None if there is none, or only in a list like "(2,2,2)"."""
    listed = _LISTED.match(text, max(0, piece.start - 1))
    return None if listed and listed.end() > piece.end else _CROSSING.search(text, piece.start, piece.end)


def _named(lattice: Lattice, position: int, behind_from: bool) -> Iterator[tuple[int, str, str]]:
    """Yield where a name at *position* ends, its kind (WHO, OWNER, or WIND, maybe a tile), and who it is."""
    text = lattice.text
    word = _NAME.match(text, position) if not text[max(0, position - 1) : position].isalnum() else None
    if word is None:
        return
    names = {part: name for name in lattice.people.players.values() for part in (*name.split(), name)}
    for said, name in names.items():
        found = _NAME.match(text, position + len(said) - 1)
        if (
            text[position : position + len(said)].casefold() == said.casefold()
            and found
            and len(found[1]) == 1
        ):
            yield found.end(), "WHO", name
            if found[2]:
                yield found.end(), "OWNER", name
    for wind, name in WIND_NAMES.items():
        if word[1].casefold() == name.casefold() and word[2] and word[2] not in "sS":
            yield word.end(), "WHO", wind
            yield word.end(), "OWNER", wind
        elif word[1].casefold() in (name.casefold(), wind.casefold()) and not word[2]:
            yield word.end(), "WIND", wind
            if behind_from:
                yield word.end(), "WHO", wind


def _unknown_at(lattice: Lattice, position: int, is_first: bool) -> Word:
    """Return the unknown word at *position*, meaning any word (or, if *is_first*, player) one letter away."""
    unknown = _UNKNOWN.match(lattice.text, position)
    end = unknown.end() if unknown else position + 1
    typed, said, near = lattice.text[position:end], dict[str, Any](), ""
    if _LETTERS.fullmatch(typed):
        who = nearest(typed, lattice.people.players.values()) if is_first else None
        near = who or (_near(plain(typed), vocabulary().words) if len(typed) > 3 else "")
        said = (
            {"WHO": who}
            if who
            else {one.kind.upper(): one.value for one in vocabulary().of(near) if one.kind in _SPELT}
        )
        if said.keys() & {"WIND", "DRAGON", "TILE"} and "SUIT" not in said:
            (piece,) = (one for one in Lattice(near).at(0) if one.kind == "TILES")
            said = {"TILES": piece._replace(start=position, end=end)}
    return Word(said, typed, position, end, near=near)


@lru_cache(maxsize=1 << 10)
def _near(word: str, every: frozenset[str]) -> str:
    """Return the word of hands that is one letter away from an unknown word (not in *every*); empty if there is none.

    In a word of four letters, one may be missing or added, or two swapped: with a changed letter it may be another word.
    A long word may have one letter too many as well.
    """
    known = [
        one
        for one in _words_of_hands(every)
        if abs(len(one) - len(word)) < 2 and (len(word) > 4 or len(one) != 4 or sorted(one) == sorted(word))
    ]
    shorter = [f"{word[:at]}{word[at + 1 :]}" for at in range(len(word))] if len(word) > 7 else []
    return nearest(word, known) or next(filter(None, (nearest(one, known) for one in shorter)), "")


@lru_cache(maxsize=1)
def _words_of_hands(every: frozenset[str]) -> tuple[str, ...]:
    """Return the English words used in hands ("quite" is not French "suite"); cached by the words *every*."""
    return tuple(
        phrase
        for phrase, meanings in sorted(vocabulary().meanings.items())
        if phrase in every
        and len(phrase) > 3
        and phrase.count(" ") < 2
        and any(one.kind in _SPELT and one.language == "en" for one in meanings)
    )
