"""Turn what was typed into pieces: at each place of a line, all that can begin there and what it may be taken for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from mjscore.game.tiles import TILE_TITLES, WIND_NAMES, Tile
from mjscore.notation.letters import Letters, honors_of, is_class_first, letters_of, suited_of
from mjscore.notation.names import ANYBODY, People, nobody_called
from mjscore.notation.vocabulary import MOST_WORDS, Meaning, plain, vocabulary
from mjscore.refusal import Place, Refusal, Refused, refuse, visible

_PROMPT = re.compile(
    r"\s*(?:(?:[$%>»]|>>>|[0-9]+(?: \([^()]*\))?>|[0-9]+ \|)\s+)?(?:mjscore +(?:score|waits) +)?"
)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‘’‚‛", "'"),
        **dict.fromkeys("。、，；", ","),
        **dict.fromkeys("〈《‹", "<"),
        **dict.fromkeys("【〔「", "["),
        **dict.fromkeys("】〕」", "]"),
        **dict.fromkeys("\u200b\u200c\u200d\ufeff\u2060", " "),
    }
)
_WIDE = re.compile("[\uff01-\uff5e\u3000\xa0\u2000-\u200a\u202f]")
_UNSHIFTED_COLON = re.compile(r"(<[^<>+!:;]{1,12});(?=\s*[^\W\d])")

_BLANKS = re.compile(r"(?:[\s,;|]|\.(?!\.)|(?<=[^\W_])-(?=[^\W_]))+")
_PARTED = re.compile(r"[,;]\s*\Z")
_WORD = re.compile(r"[^\W\d_]+?(?=[xX×][234](?!\w))|[^\W\d_]+")
_BETWEEN_WORDS = re.compile(r"[\s'-]+")
_NAME = re.compile(r"[^\s\"#:!=+<>()\[\]{},;./@|]+")
_QUOTED = re.compile(r'"([^"]*)"')
_FLAG = re.compile(r'!\s*([A-Za-z]+)(?:\s*:\s*("[^"]*"|[^\s"!:,;]+))?')
_GLYPHS = re.compile(r"(?:[\U0001F000-\U0001F029]\uFE0E?\uFE0F?)+")
_DIGITS = re.compile("[1-9]{1,40}(?![0-9])")
_SINGLES = re.compile(r"([1-9])([\s,;-]+)(?=[1-9](?![0-9]))")
_TIMES = re.compile(r"([234])(?:\s?[x×*]\s?|\s+of\s+)(?=\S)|[x×*]\s?([234])(?![0-9])", re.IGNORECASE)
_CHARACTERS = re.compile("[\u2e80-\u9fff]{1,4}")
_OF = re.compile(r"\s+of\s+(?=\S)", re.IGNORECASE)
_LETTERS = _WORD
_GROUPS = re.compile(r"[1-9]{2,}(?:\s+[1-9]{2,}(?!\w))+")
_RANGE = re.compile(r"([1-9])\s?-\s?([1-9])")
_IN_BRACKETS = re.compile(r"[(\[{][^()\[\]{}<>]*[)\]}]")
# words that stand before their tile, behind it or between: a kind for each
_PLACES = {
    "suit": ("SUIT", "SUIT_OF"),
    "bonus": ("BONUS", "BONUS_LAST"),
    "set": ("SET", "SET_OF"),
    "state": ("STATE", "STATE_OF", "STATE_IN"),
    "sign": ("SIGN", "SIGN_OF"),
    "win": ("WIN", "WIN_OF"),
    "flag": ("FLAG_WORD", "FLAG_OF", "FLAG_FIRST"),
}


class Piece(NamedTuple):
    """A part of a typed line, taken for one *kind* of thing: ``TILES``, ``SEAT``, ``PLUS``; *value* says which one.

    *start* and *end* are its characters in the line as it was typed. *asked* is the question that it raises where no
    reading without it is left: a letter or a name that can mean two. *parted* is whether a comma stands before it.
    """

    kind: str
    value: Any
    start: int
    end: int
    asked: Refusal | None = None
    parted: bool = False

    @property
    def type(self) -> str:
        """Give its kind, by the name that Lark looks for."""
        return self.kind


def keyboard(text: str) -> str:
    """Give *text* in the keyboard's characters, without prompt and outer quotes; every character keeps its column."""
    plain_text = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text.translate(_PLAIN))
    prompt = _PROMPT.match(plain_text)
    assert prompt is not None  # it may be empty
    plain_text = " " * prompt.end() + plain_text[prompt.end() :]
    inner = plain_text.strip()
    if len(inner) > 1 and inner[0] in "\"'" and inner[-1] == inner[0] and inner.count(inner[0]) == 2:
        start = plain_text.index(inner)
        plain_text = f"{plain_text[:start]} {inner[1:-1]} {plain_text[start + len(inner) :]}"
    return _UNSHIFTED_COLON.sub(r"\1:", plain_text)


def normal(text: str) -> str:
    """Give *text* in the keyboard's characters, without what stands around it."""
    return keyboard(text).strip()


@lru_cache(maxsize=1)
def _flags() -> tuple[tuple[str, str], ...]:
    """Give the English words for flags."""
    return tuple(
        (phrase, meaning.value)
        for phrase, meanings in vocabulary().meanings.items()
        if " " not in phrase
        for meaning in meanings
        if meaning.kind == "flag" and meaning.language == "en"
    )


class Lattice:
    """The pieces of a line, found where a reader asks for them and remembered.

    *typed* is the line, *text* the same in the keyboard's characters, *end* where nothing but blanks is left.
    """

    def __init__(self, typed: str, people: People = ANYBODY) -> None:
        self.typed = typed
        self.text = keyboard(typed)
        self.end = len(self.text)
        self.people = people
        self.letters: Letters = letters_of(self.text)
        self._first = len(self.text) - len(self.text.lstrip())
        self._inside = [match.span() for match in _IN_BRACKETS.finditer(self.text)]
        self._at: dict[int, tuple[Piece, ...]] = {}
        self._starts: dict[int, tuple[int, ...]] = {}
        self._phrases: dict[int, list[tuple[int, tuple[Meaning, ...]]]] = {}

    def starts(self, position: int) -> tuple[int, ...]:
        """Give where the next piece may begin: behind the blanks at *position*, and behind words that say nothing."""
        known = self._starts.get(position)
        if known is None:
            blanks = _BLANKS.match(self.text, position)
            first = blanks.end() if blanks else position
            found = {first}
            if first > self._first:
                for end, meanings in self.phrases(first):
                    # at the end of a line a foreign article may be the beginning of a word
                    said = {meaning.language for meaning in meanings if meaning.kind == "empty"}
                    if "en" in said or (
                        said and (self.text[end:].strip() or _says_nothing(self.text[first:end]))
                    ):
                        found.update(self.starts(end))
            known = self._starts[position] = tuple(sorted(found))
        return known

    def at(self, position: int) -> tuple[Piece, ...]:
        """Give every piece that may begin at *position*, where one may begin."""
        known = self._at.get(position)
        if known is None:
            found = tuple(self._pieces(position))
            if found and _PARTED.search(self.text, max(0, position - 3), position):
                found = tuple(piece._replace(parted=True) for piece in found)
            known = self._at[position] = found
        return known

    def place(self, start: int, end: int) -> Place:
        """Give the place in the line as it was typed."""
        return Place(self.typed, start, end)

    def phrases(self, position: int) -> list[tuple[int, tuple[Meaning, ...]]]:
        """Give the phrases of the table that begin at *position*, each with its end and its meanings."""
        known = self._phrases.get(position)
        if known is None:
            known = self._phrases[position] = list(self._found_phrases(position))
        return known

    def _found_phrases(self, position: int) -> Iterator[tuple[int, tuple[Meaning, ...]]]:
        words = vocabulary()
        said, end = "", position
        run = _CHARACTERS.match(self.text, position)
        if run:  # written without spaces
            for length in range(1, len(run[0]) + 1):
                known = words.of(run[0][:length])
                if known:
                    yield position + length, known
            return
        if position and self.text[position - 1].isalpha():
            return
        for _ in range(MOST_WORDS):
            word = _WORD.match(self.text, end)
            if word is None:
                return
            said = f"{said} {plain(word[0])}".lstrip()
            meanings = words.meanings.get(said)
            if meanings:
                yield word.end(), meanings
            if said not in words.beginnings:
                return
            between = _BETWEEN_WORDS.match(self.text, word.end())
            if between is None:
                return
            end = between.end()

    def _pieces(self, position: int) -> Iterator[Piece]:
        yield from self._names(position)  # a seat first
        character = self.text[position]
        reader = _SIGNS.get(character)
        if reader is not None:
            yield from reader(self, position)
        elif character in "123456789":
            yield from self._numbers(position)
        elif character == "\u2026" or self.text.startswith("...", position):
            yield Piece("DOTS", "...", position, position + (1 if character == "\u2026" else 3))
        elif character.isalpha():
            yield from self._words(position)
        else:
            glyphs = _GLYPHS.match(self.text, position)
            if glyphs:
                yield Piece("TILES", glyphs[0], position, glyphs.end())
        times = _TIMES.match(self.text, position)
        if times and (times[1] or self.text[:position].rstrip()[-1:].isalnum()):
            kind = "TIMES_OF" if times[1] else "TIMES"
            yield Piece(kind, int(times[1] or times[2]), position, times.end())

    # ------------------------------------------------------------- signs

    def _sign(self, position: int) -> Iterator[Piece]:
        character = self.text[position]
        asked = None
        if character == ">":
            claimed = visible(self.text.replace(">", "<").strip())
            asked = self._question(
                "wrong-sign",
                "> is no sign: a claimed tile has < before it",
                f"type {claimed}",
                position,
                position + 1,
            )
        sign = "+" if character == "+" else "<"
        yield Piece("PLUS" if sign == "+" else "LESS", sign, position, position + 1, asked)

    def _bracket(self, position: int) -> Iterator[Piece]:
        character = self.text[position]
        kind = "OPEN" if character in "([{" else "CLOSE"
        if character == "(" and position and not self.text[position - 1].isspace():
            kind = "GLUED"
        plain_bracket = {"{": "(", "}": ")"}.get(character, character)
        yield Piece(kind, plain_bracket, position, position + 1)

    def _mark(self, position: int) -> Iterator[Piece]:
        character = self.text[position]
        yield Piece({":": "COLON", "@": "AT", "/": "SLASH"}[character], character, position, position + 1)

    def _flag(self, position: int) -> Iterator[Piece]:
        flag = _FLAG.match(self.text, position)
        if flag is None:
            return
        if not flag[2]:
            yield Piece("FLAG", (flag[1].lower(), None), position, flag.end())
            return
        for named in self._named(flag.start(2), flag.end(2)):
            if named.kind in ("WHO", "STRANGER", "NAME"):
                yield Piece("FLAG", (flag[1].lower(), named.value), position, flag.end(), named.asked)

    # ------------------------------------------------------------- words and names

    def _words(self, position: int) -> Iterator[Piece]:
        for end, meanings in self.phrases(position):
            yield from self._meant(position, end, meanings)
        letters = _LETTERS.match(self.text, position)
        word = _NAME.match(self.text, position)
        if letters is None or word is None:
            return
        if is_class_first(word[0]):
            digits = _DIGITS.match(self.text, position + 1)
            if digits:
                yield from self._suited(digits[0], self.text[position], position, digits.end())
            return
        end = min(letters.end(), word.end())
        if self.text[end : end + 1] == "+" and set(self.text[position:end].upper()) == {"W"}:
            # three of a four that grew: the class letter of the fourth serves them too
            yield Piece("VALUES", self.text[position:end].upper(), position, end)
        if any(said == end for said, _ in self.phrases(position)):
            return  # a word, though its letters are those of tiles
        read = honors_of(self.text[position:end], self.letters)
        if read is not None:
            yield self._tiles(read, position, end)
        if isinstance(read, str):
            yield from self._repeated(read, position, end)

    def _meant(self, start: int, end: int, meanings: tuple[Meaning, ...]) -> Iterator[Piece]:
        """Give the pieces that a phrase may be: one for each meaning, and one question for several tiles."""
        tiles: list[str] = []
        for meaning in meanings:
            kind, value = meaning.kind, meaning.value
            if kind in ("wind", "dragon", "tile"):
                tiles.append(value if kind == "tile" else f"{value}{kind[0]}")
                if kind == "wind" and meaning.language != "en":
                    yield Piece("SEAT", value, start, end)
                    yield Piece("WHO", value, start, end)
            elif kind == "number":
                yield from self._values(start)
                behind = _OF.match(self.text, end)
                if behind:
                    yield Piece("TIMES_OF", int(value), start, behind.end())
            elif kind == "plural":
                yield Piece("PLURAL_NUMBER" if value.isdigit() else "PLURAL", value, start, end)
            elif kind != "empty":
                for place in _PLACES.get(kind, (kind.upper(),)):
                    yield Piece(place, value, start, end)
                if kind == "suit" and any(other.kind == "tile" for other in meanings):
                    tiles.append(f"1{value}")
        if tiles:
            asked = None
            if len(tiles) == 1:
                yield from self._repeated(tiles[0], start, end)
            else:
                named = [(tile, f"the {TILE_TITLES[Tile.parse(tile)]}") for tile in tiles]
                asked = self._two_meanings(start, end, named)
            yield Piece("TILES", tiles[0], start, end, asked)

    def _repeated(self, tile: str, start: int, end: int) -> Iterator[Piece]:
        """Give the tiles that a word says which stands several times: ``east east east``."""
        word, number, last = self.text[start:end], 1, end
        while number < 4:
            blanks = _BLANKS.match(self.text, last)
            ahead = blanks.end() if blanks else last
            behind = ahead + len(word)
            if self.text[ahead:behind] != word or self.text[behind : behind + 1].isalpha():
                break
            number, last = number + 1, behind
        # one set only where something is said of it, so that many such words are not many ways to read a line
        if number > 1 and (self._is_state(last) or "/" in self.text[last:] or self._follows_state(start)):
            yield Piece("TILES", " ".join([tile] * number), start, last)

    def _is_state(self, position: int) -> bool:
        """Tell whether behind the blanks at *position* it is said how a set lies."""
        blanks = _BLANKS.match(self.text, position)
        ahead = self.phrases(blanks.end() if blanks else position)
        return any(meaning.kind == "state" for _, meanings in ahead for meaning in meanings)

    def _follows_state(self, position: int) -> bool:
        """Tell whether the word before *position* says how a set lies."""
        before = self.text[:position].rstrip().rpartition(" ")[2]
        return any(meaning.kind == "state" for meaning in vocabulary().of(before))

    def _names(self, position: int) -> Iterator[Piece]:
        """Give the people whom a name, or a beginning of one, at *position* can mean."""
        quoted = _QUOTED.match(self.text, position)
        if quoted:
            yield from self._named(position, quoted.end())
            return
        for name in self.people.players.values():
            if " " in name and self.text[position : position + len(name)].casefold() == name.casefold():
                yield from self._named(position, position + len(name))
        word = _NAME.match(self.text, position)
        if word and not word[0][0].isdigit():
            yield from self._named(position, word.end())

    def _named(self, start: int, end: int) -> Iterator[Piece]:
        word = self.text[start:end]
        quoted = word.startswith('"')
        asked: Refusal | None = None
        for kind, meant in (("SEAT", self.people.seat), ("WHO", self.people.strict)):
            try:
                named = meant(word)
            except Refused as refused:
                yield Piece(kind, word, start, end, self._at_place(refused, start, end))
                if kind == "WHO" and self.people.is_whole_name(word):
                    yield Piece("WHOLE_NAME", word, start, end, self._at_place(refused, start, end))
                asked = refused.refusal
                continue
            if named is not None:
                yield Piece(kind, named, start, end)
                if kind == "WHO" and self.people.is_whole_name(word):
                    yield Piece("WHOLE_NAME", named, start, end)
            elif kind == "WHO" and asked is None:
                if self.people.players:
                    stranger = nobody_called(word, self.people.players.values())
                    yield Piece("STRANGER", word.strip('"'), start, end, self._at_place(stranger, start, end))
                else:
                    yield Piece("STRANGER" if quoted else "NAME", word.strip('"'), start, end)
        begun = self._flag_begun(word.casefold())
        if begun:
            yield Piece("FLAG_BEGUN", begun, start, end)
        wind = next((wind for wind, name in WIND_NAMES.items() if word and _is_beginning(word, name)), None)
        if wind:
            yield Piece("ROUND", wind, start, end)

    def _flag_begun(self, word: str) -> str | None:
        """Give the flag of which *word* is the beginning; two letters, and nobody's name."""
        if len(word) < 2:
            return None
        names = (*WIND_NAMES.values(), *self.people.players.values())
        if any(name.casefold().startswith(word) for name in names):
            return None
        fitting = {flag for name, flag in _flags() if name.startswith(word)}
        return fitting.pop() if len(fitting) == 1 else None

    # ------------------------------------------------------------- digits

    def _numbers(self, position: int) -> Iterator[Piece]:
        text = self.text
        digits = _DIGITS.match(text, position)
        if digits is None:
            return
        end = digits.end()
        letter = text[end : end + 1]
        if letter.isalpha():
            yield from self._suited(digits[0], letter, position, end + 1)
        values, end = self._run_of_singles(position)
        letter = text[end : end + 1]
        if len(values) > 1 and end > digits.end() and letter.isalpha():
            yield from self._suited(values, letter, position, end + 1)
        yield from self._values(position)

    def _run_of_singles(self, position: int) -> tuple[str, int]:
        """Give single digits one behind the other, as in ``1 2 3b``, and where they end."""
        values, end = "", position
        single = _SINGLES.match(self.text, end)
        while single:
            values += single[1]
            end = single.end()
            single = _SINGLES.match(self.text, end)
        end += 1
        return self._in_full(values + self.text[end - 1 : end], position, end), end

    def _in_full(self, values: str, start: int, end: int) -> str:
        """Give the values of a range, as in ``1-3``; others as they are."""
        found = _RANGE.fullmatch(self.text, start, end)
        if found is None or int(found[1]) >= int(found[2]):
            return values
        return "".join(str(value) for value in range(int(found[1]), int(found[2]) + 1))

    def _values(self, position: int) -> Iterator[Piece]:
        """Give values without a class: digits together, or single ones and number words one behind the other."""
        digits = _DIGITS.match(self.text, position)
        if digits and len(digits[0]) > 1:
            if not self.text[digits.end() : digits.end() + 1].isalpha() or self.phrases(digits.end()):
                yield Piece("VALUES", digits[0], position, digits.end())
            groups = _GROUPS.match(self.text, position)
            if groups:
                yield Piece("VALUES", "".join(groups[0].split()), position, groups.end())
            return
        values, end = "", position
        ahead = position
        while True:
            read = self._single_value(ahead)
            if read is None:
                break
            value, end = read
            values += value
            if len(values) == 1:
                yield Piece("VALUES", values, position, end)
            blanks = _BLANKS.match(self.text, end)
            if blanks is None:
                break
            ahead = blanks.end()
        if len(values) > 1:
            yield Piece("VALUES", self._in_full(values, position, end), position, end)

    def _single_value(self, position: int) -> tuple[str, int] | None:
        digits = _DIGITS.match(self.text, position)
        if digits:
            behind = digits.end()
            if len(digits[0]) > 1 or (self.text[behind : behind + 1].isalpha() and not self.phrases(behind)):
                return None
            return digits[0], behind
        for end, meanings in self.phrases(position):
            value = next((meaning.value for meaning in meanings if meaning.kind == "number"), None)
            if value:
                return value, end
        return None

    def _suited(self, values: str, letter: str, start: int, end: int) -> Iterator[Piece]:
        """Give the tiles of *values* with the class *letter*, in this notation or another tool's."""
        inside = any(first < start < last for first, last in self._inside)
        read = suited_of(values, letter, self.letters, inside)
        if read is not None:
            yield self._tiles(read, start, end)

    def _tiles(self, read: str | list[tuple[str, str]], start: int, end: int) -> Piece:
        """Give the tiles that letters were read as; a question where they have several meanings."""
        if isinstance(read, str):
            return Piece("TILES", read, start, end)
        word = self.text[start:end]
        if read[0][0].endswith("w"):
            typed = ", ".join(f"{tiles} for {name}" for tiles, name in read)
            both = re.search("[wW]+", word)
            assert both is not None
            asked = self._question(
                "ambiguous-w",
                "W is both the west wind and the white dragon",
                f"type {typed}",
                start + both.start(),
                start + both.end(),
            )
        else:
            asked = self._two_meanings(start, end, read)
        return Piece("TILES", read[0][0], start, end, asked)

    # ------------------------------------------------------------- questions

    def _two_meanings(self, start: int, end: int, meanings: list[tuple[str, str]]) -> Refusal:
        return self._question(
            "two-meanings",
            f"{visible(self.text[start:end])} can mean {' or '.join(name for _, name in meanings)}",
            "type " + ", ".join(f"{typed} for {name}" for typed, name in meanings),
            start,
            end,
        )

    def _question(self, code: str, message: str, hint: str, start: int, end: int) -> Refusal:
        return refuse(code, message, hint, at=self.place(start, end)).refusal

    def _at_place(self, refused: Refused, start: int, end: int) -> Refusal:
        refusal = refused.refusal
        return self._question(refusal.code, refusal.message, refusal.hint, start, end)


def _says_nothing(word: str) -> bool:
    """Tell whether no word that begins so says anything."""
    words = vocabulary()
    return all(meaning.kind == "empty" for phrase in words.begun(word) for meaning in words.meanings[phrase])


def _is_beginning(word: str, name: str) -> bool:
    return name.casefold().startswith(word.casefold())


_SIGNS: dict[str, Callable[[Lattice, int], Iterator[Piece]]] = {
    **dict.fromkeys("+<>", Lattice._sign),
    **dict.fromkeys("()[]{}", Lattice._bracket),
    **dict.fromkeys(":@/", Lattice._mark),
    "!": Lattice._flag,
}
