"""Turning typed text into pieces: at each position, everything that can begin there and every meaning it may have.

Letters and digits are tiles in upper or lower case, with the class before or after the value, and in other tools'
letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mjscore.game.tiles import TILE_TITLES, WIND_NAMES, Tile
from mjscore.notation.names import AGAIN, ANYBODY, People, nobody_called
from mjscore.notation.vocabulary import LAST_DISCARD, Meaning, Vocabulary, plain, vocabulary
from mjscore.refusal import Place, Refusal, Refused, escape_controls, refuse

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
# pictures that say nothing of a hand, but for mahjong tiles; a blossom before a number is a flower
_PICTURES = re.compile("[\U0001f02c-\U0001faff\u2600-\u27bf][\ufe0f\u200d]*")
_BLOSSOMS = re.compile("[\U0001f337-\U0001f33c\U0001f490](?=\\s?[1-4])")
_WIDE = re.compile("[\uff01-\uff5e\u3000\xa0\u2000-\u200a\u202f]")
_UNSHIFTED_COLON = re.compile(r"(<[^<>+!:;]{1,12});(?=\s*[^\W\d])")

_BLANKS = re.compile(r"(?:[\s,;|]|\.(?!\.)|(?<=[^\W_])-(?=[^\W_]))+")
_PARTED = re.compile(r"(?:[,;|/\n]|(?<!\.)\.|\A)[^\S\n]*\Z")
_WORD = re.compile(
    r"[^\W\d_]+?(?=[xX×][234](?!\w))|[^\W\d_]+|(?<![^\W_])(?:0|1st|2nd|3rd|4th)(?![^\W_])", re.IGNORECASE
)
_BETWEEN_WORDS = re.compile(r"[\s'-]+")
_NAME = re.compile(r"[^\s\"#:!=+<>()\[\]{},;./@|]+")
_QUOTED = re.compile(r'"([^"]*)"')
FLAG = re.compile(r'!\s*([A-Za-z]+)(?:\s*:\s*("[^"]*"|[^\s"!:,;]+))?')
_GLYPHS = re.compile(r"(?:[\U0001F000-\U0001F029]\uFE0E?\uFE0F?)+")
_DIGITS = re.compile("[1-9]{1,40}(?![0-9])")
_SPACED = re.compile(r"[1-9](?:[\s,;-]+[1-9](?![0-9]))+")
_TIMES = re.compile(r"([234])(?:\s?[x×*]\s?|\s+of\s+)(?=\S)|[x×*]\s?([234])(?![0-9])", re.IGNORECASE)
_CHARACTERS = re.compile("[\u2e80-\u9fff]{1,4}")
_OF = re.compile(r"\s+of\s+(?=\S)", re.IGNORECASE)
_GROUPS = re.compile(r"[1-9]{2,}(?:\s+[1-9]{2,}(?!\w))+")
_CLASS_APART = re.compile(r" +([bcd])(?![^\W_])")
_TILE_BY_TILE = re.compile("(?:[esn]w){2,}|(?:[rg]d){2,}")
_RANGE = re.compile(r"([1-9])\s?-\s?([1-9])")
_IN_BRACKETS = re.compile(r"[(\[{][^()\[\]{}<>]*[)\]}]")
_WEST = re.compile("[wW]+")
_SIGNS = {
    "+": ("PLUS", "+"),
    **dict.fromkeys("<>", ("LESS", "<")),
    **dict.fromkeys("({", ("OPEN", "(")),
    "[": ("OPEN", "["),
    **dict.fromkeys(")}", ("CLOSE", ")")),
    "]": ("CLOSE", "]"),
    ":": ("COLON", ":"),
    "@": ("AT", "@"),
    "/": ("SLASH", "/"),
    "…": ("DOTS", "..."),
    "...": ("DOTS", "..."),
}
# words that can come before their tile or after it have a kind of piece for each; a word for a flag is not a typed flag
PLACES = {"suit": ("SUIT", "SUIT_OF"), "flag": ("FLAG_WORD",)}


_STRICT_HONORS = re.compile(r"(?:[ESWN]{1,20}w|[RGW]{1,20}d|[ESN]|[RG])++")
# every class letter comes before its values: b22c123
_CLASS_FIRST = re.compile(r"([bcdpmsfzBCDPMZ])([1-9]+)(?:[bcdpmsfzBCDPMZ][1-9]+)*")
_HONORS_CLASS_FIRST = re.compile(r"w[ESWN]+|d[RGW]+")
_ONE_CLASS = re.compile(r"[esn]+w|[rgw]+d|[esn]*w[esn]+w")
# the class letter before each honor: a capital for concealed tiles, or always small
_PAIRS = re.compile(r"(?:W[eswn]|D[rgbw])+|(w[esn]|d[rgb])\1*|(?:w[esn]|d[rgb]){2,}")
_CLASS_OF_GROUP = re.compile(
    r"[1-9](?P<after>[a-zA-Z萬万筒餅饼條条索])|(?<![a-zA-Z0-9])(?P<before>[a-zA-Z])[1-9]"
)
_NUMBERED_HONORS = re.compile(r"(?<![0-9])([0-9]{1,20})[zZ]|(?<![a-zA-Z])[zZ]([1-9]{1,20})")
_BAMBOO = re.compile("[5-9][1-9]{0,20}s|(?<![a-zA-Z])s[1-9]{0,20}[5-9]")
_CLASS_BEFORE = re.compile(r"\b(?:W[eswn]|D[rgb])")
_WRONG_CLASS = re.compile("[ESWNRG]+[wd]")
_LONGEST_GROUP = 40
_LONGEST_ARTICLE = 3
# letters printed on the dragons of some sets: the dragon, and the other meaning
_INITIALS = {
    "F": (("G", "the green dragon (fa)"), "1f", "a flower"),
    "C": (("R", "the red dragon (chung)"), "1c", "characters"),
    "P": (("W", "the white dragon (pak)"), "1d", "dots"),
}

# other tools' letters for characters, dots and bamboo
_FOREIGN_LETTERS = {
    **dict.fromkeys("mM萬万", "c"),
    **dict.fromkeys("pP筒餅饼", "d"),
    **dict.fromkeys("條条索", "b"),
}
_CLASS_LETTERS = {**{letter: letter.lower() for letter in "bcdfBCDF"}, **_FOREIGN_LETTERS, "w": "c"}
_CLASS_NAMES = {"b": "bamboo", "c": "characters", "d": "dots"}
_NUMBERED = {"1": "Ew", "2": "Sw", "3": "Ww", "4": "Nw", "5": "Wd", "6": "Gd", "7": "Rd"}
Meanings = list[tuple[str, str]]  # the tiles that letters can mean, in the notation, with their names


class Piece(NamedTuple):
    """A part of a typed line, taken for one *kind* of thing: ``TILES``, ``SEAT``, ``PLUS``; *value* says which one.

    *start* and *end* are its characters in the typed line. *asked* is the question to put if all readings need this
    piece: a letter or a name with two meanings. *parted* says whether a comma comes before it.
    """

    kind: str
    value: Any
    start: int
    end: int
    asked: Refusal | None = None
    parted: bool = False

    @property
    def type(self) -> str:
        """Return its kind, by the attribute that Lark uses."""
        return self.kind


def keyboard(text: str) -> str:
    """Return *text* with full-width, typographic, unshifted characters replaced; prompt, outer quotes blank.

    Every character keeps its column.
    """
    plain_text = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text.translate(_PLAIN))
    plain_text = _PROMPT.sub(lambda prompt: " " * len(prompt[0]), plain_text, count=1)
    inner = plain_text.strip()
    if len(inner) > 1 and inner[0] in "\"'" and inner[-1] == inner[0] and inner.count(inner[0]) == 2:
        plain_text = plain_text.replace(inner, f" {inner[1:-1]} ", 1)
    return _UNSHIFTED_COLON.sub(r"\1:", plain_text)


def _without_pictures(text: str, people: People) -> str:
    """Return *text* with blanks in place of emoji, unless somebody's name has one."""
    if text.isascii() or any(map(_PICTURES.search, people.players.values())):
        return text
    return _PICTURES.sub(lambda match: " " * len(match[0]), _BLOSSOMS.sub("f", text))


class Lattice:
    """The pieces of a line, found as a reader asks for them.

    *typed* is the line, *text* its ``keyboard`` form; from *end* on there is nothing but blanks.
    """

    def __init__(self, typed: str, people: People = ANYBODY) -> None:
        self.typed = typed
        self.text = _without_pictures(keyboard(typed), people)
        self.end = len(self.text)
        self.people = people
        names = (*WIND_NAMES.values(), *people.players.values(), AGAIN)
        self._whole_names = {name.casefold() for name in names}
        # class letters after values, or before them: are there other tools' letters, or this notation's
        used = {match["after"] or match["before"] for match in _CLASS_OF_GROUP.finditer(self.text)}
        self.is_foreign = not used.isdisjoint(f"{''.join(_FOREIGN_LETTERS)}zZ")
        self._own = not used.isdisjoint("bcdBCD")
        # then s can only be other tools' bamboo
        self._bamboo = not self._own and _BAMBOO.search(self.text) is not None
        # with one 5z and one 7z, it does not matter which of the two is white
        honors = "".join(match[1] or match[2] for match in _NUMBERED_HONORS.finditer(self.text))
        self._each_dragon = honors.count("5") == honors.count("7") == 1
        # honors have their class before them, as in We and Dr
        self._pairs = _CLASS_BEFORE.search(self.text) is not None
        self._first = len(self.text) - len(self.text.lstrip())
        self._inside = [match.span() for match in _IN_BRACKETS.finditer(self.text)]
        self._heads = {self._first}  # where a line may begin, after words without meaning
        self._starts: dict[int, tuple[int, ...]] = {}
        self._phrases: dict[int, list[tuple[int, tuple[Meaning, ...]]]] = {}
        self._at: dict[int, tuple[Piece, ...]] = {}  # pieces found, since several readers ask for them

    @property
    def holders(self) -> Mapping[str, str]:
        """Return the players who may hold a hand that names nobody, by wind."""
        return self.people.players

    def at(self, position: int) -> tuple[Piece, ...]:
        """Return every piece that may begin at *position*."""
        if position in self._at:
            return self._at[position]
        found = tuple(self._pieces(position))
        if found and _PARTED.search(self.text, max(0, position - 3), position):
            found = tuple(piece._replace(parted=True) for piece in found)
        self._at[position] = found
        return found

    def place(self, start: int, end: int) -> Place:
        """Return a place in the typed line."""
        return Place(self.typed, start, end)

    def placed(self, refused: Refused, start: int, end: int) -> Refused:
        """Return a refusal with a place in the line."""
        return Refused(refused.refusal.at(self.place(start, end)))

    def refused(self, code: str, start: int, end: int, kind: str = "", **words: Any) -> Refused:
        """Return the refusal of the text from *start* to *end*, by the table of messages."""
        typed = self.typed[start:end]
        shown = escape_controls(typed if len(typed) <= 40 else f"{typed[:40]}…")
        return refuse(code, kind, at=self.place(start, max(end, start + 1)), typed=shown, **words)

    def starts(self, position: int) -> tuple[int, ...]:
        """Return where the next piece may begin: after the blanks at *position*, and after words without meaning."""
        if position in self._starts:
            return self._starts[position]
        first = self._behind_blanks(position)
        found = {first}
        for end, meanings in self.phrases(first):
            whole_name = self.text[first:end].casefold() in self._whole_names
            if not whole_name and any(one.kind == "talk" for one in meanings):
                # talk is skipped before and after a line; between two scores, it may correct the first
                if first in self._heads:
                    end += self.text[end : end + 1] == ":"
                    self._heads.add(self._behind_blanks(end))
                found.update(at for at in self.starts(end) if first in self._heads or at == self.end)
            if first > self._first and self._is_article(first, end, meanings):
                found.update(self.starts(end))
        self._starts[position] = tuple(sorted(found))
        return self._starts[position]

    def _is_article(self, start: int, end: int, meanings: Sequence[Meaning]) -> bool:
        """Return whether a word has no meaning and, if foreign, short and last, begins no word with one."""
        said = {meaning.language for meaning in meanings if meaning.kind == "empty"}
        if not said or "en" in said:
            return bool(said)
        at_end = not self.text[end:].strip() and end - start <= _LONGEST_ARTICLE
        begun = vocabulary().begun(self.text[start:end]) if at_end else {}
        return all(one.kind == "empty" for meant in begun.values() for one in meant)

    def _behind_blanks(self, position: int) -> int:
        blanks = _BLANKS.match(self.text, position)
        return blanks.end() if blanks else position

    def phrases(
        self, position: int, others: Vocabulary | None = None
    ) -> list[tuple[int, tuple[Meaning, ...]]]:
        """Return end and meanings of each phrase of the vocabulary, or of *others*, at *position*."""
        if position in self._phrases and others is None:
            return self._phrases[position]
        words = others or vocabulary()
        ends: dict[int, str] = {}
        run = _CHARACTERS.match(self.text, position)
        if run:  # a script without spaces
            ends = {end: plain(self.text[position:end]) for end in range(position + 1, run.end() + 1)}
        elif not position or not self.text[position - 1].isalpha():
            said, word = "", _WORD.match(self.text, position)
            while word:
                said = f"{said} {plain(word[0])}".lstrip()
                ends[word.end()] = said
                between = _BETWEEN_WORDS.match(self.text, word.end()) if said in words.beginnings else None
                word = _WORD.match(self.text, between.end()) if between else None
        found = [(end, words.meanings[said]) for end, said in ends.items() if said in words.meanings]
        if others is not None:
            return found
        if found and found[0][0] == position + 1:  # single letters are words only in a hand told in words
            found = [(end, meanings) for end, meanings in found if meanings[0].kind != "short"]
        return self._phrases.setdefault(position, found)

    def _pieces(self, position: int) -> Iterator[Piece]:
        yield from self._names(position)  # a seat comes first
        character = self.text[position]
        if character == ".":
            character = self.text[position : position + 3]
        if character in _SIGNS:
            kind, value = _SIGNS[character]
            glued = character == "(" and position and not self.text[position - 1].isspace()
            asked = None
            if character == ">":
                asked = self.refused("wrong-sign", position, position + 1).refusal
            yield Piece("GLUED" if glued else kind, value, position, position + len(character), asked)
        elif character in "123456789":
            yield from self._numbers(position)
        elif character.isalpha():
            yield from self._words(position)
        elif flag := FLAG.match(self.text, position):
            named = self._named(*flag.span(2)) if flag[2] else [Piece("WHO", None, position, flag.end())]
            for player in named:
                if player.kind in ("WHO", "STRANGER", "NAME"):
                    yield Piece("FLAG", (flag[1].lower(), player.value), position, flag.end(), player.asked)
        elif glyphs := _GLYPHS.match(self.text, position):
            yield Piece("TILES", glyphs[0], position, glyphs.end())
        times = _TIMES.match(self.text, position)
        if times and (times[1] or self.text[:position].rstrip()[-1:].isalnum()):
            kind = "TIMES_OF" if times[1] else "TIMES"
            yield Piece(kind, int(times[1] or times[2]), position, times.end())

    def _words(self, position: int) -> Iterator[Piece]:
        for end, meanings in self.phrases(position):
            yield from self._meant(position, end, meanings)
        letters, word = _WORD.match(self.text, position), _NAME.match(self.text, position)
        if letters is None or word is None:
            return
        class_first = _CLASS_FIRST.fullmatch(word[0]) if len(word[0]) <= _LONGEST_GROUP else None
        if class_first:
            read = self._suited(class_first[2], class_first[1], position)
            yield from self._tiles(read, position, position + class_first.end(2))
            return
        end = min(letters.end(), word.end())
        typed = self.text[position:end]
        if self.text[end : end + 1] == "+" and set(typed.upper()) == {"W"}:
            # the exposed pung of a kong: the fourth tile's class letter applies to it too
            yield Piece("VALUES", typed.upper(), position, end)
        if any(said == end for said, _ in self.phrases(position)):
            return  # a word, although its letters can be tiles
        if _TILE_BY_TILE.fullmatch(typed):
            pairs = (typed[place : place + 2].capitalize() for place in range(0, len(typed), 2))
            yield Piece("TILES", " ".join(pairs), position, end)
        read = _honors_of(typed, self._pairs)
        yield from self._tiles(read, position, end)

    def _meant(self, start: int, end: int, meanings: tuple[Meaning, ...]) -> Iterator[Piece]:
        """Yield the pieces that a phrase may be: one for each meaning, or one question if it can be several tiles."""
        tiles: list[str] = []
        for kind, value, _ in meanings:
            if kind in ("wind", "dragon", "tile"):
                tiles.append(value if kind == "tile" else f"{value}{kind[0]}")
                if (
                    kind == "wind"
                    and WIND_NAMES[value].casefold() not in self.text[start:end].casefold().split()
                ):
                    yield Piece("SEAT", value, start, end)
                    yield Piece("WHO", value, start, end)
            elif kind == "number":
                yield from self._number(value, start, end)
            elif kind != "empty" and value != LAST_DISCARD:
                for place in PLACES.get(kind, (kind.upper(),)):
                    yield Piece(place, value, start, end)
                if kind == "suit" and any(other.kind == "tile" for other in meanings):
                    tiles.append(f"1{value}")
        if len(tiles) == 1:
            yield Piece("TILES", tiles[0], start, end)
        elif tiles:
            named = [(tile, f"the {TILE_TITLES[Tile.parse(tile)]}") for tile in tiles]
            yield self._asked_tiles(start, end, named, None)

    def _number(self, value: str, start: int, end: int) -> Iterator[Piece]:
        """Yield the meanings of a number word: values, or a count of the tiles after it."""
        yield from self._values(start)
        behind = _OF.match(self.text, end)
        if behind or (value in "1234" and self._is_before_one(end)):
            yield Piece("TIMES_OF", int(value), start, behind.end() if behind else end)

    def _names(self, position: int) -> Iterator[Piece]:
        """Yield the people meant by a name, or the beginning of one, at *position*."""
        quoted = _QUOTED.match(self.text, position)
        for name in () if quoted else self.people.players.values():
            if " " in name and self.text[position : position + len(name)].casefold() == name.casefold():
                yield from self._named(position, position + len(name))
        word = quoted or _NAME.match(self.text, position)
        if word and not word[0][0].isdigit():
            yield from self._named(position, word.end())

    def _named(self, start: int, end: int) -> Iterator[Piece]:
        word, people = self.text[start:end], self.people
        for kind in ("SEAT", "WHO"):
            asked = None
            try:
                named = people.named(word, discarder=kind == "WHO")
            except Refused as refused:
                named, asked = word, self.placed(refused, start, end).refusal
            if named is not None:
                yield Piece(kind, named, start, end, asked)
                if kind == "WHO" and word.casefold() in self._whole_names:
                    yield Piece("WHOLE_NAME", named, start, end, asked)
            elif kind == "WHO":
                if people.players:
                    nobody = nobody_called(word, people.players.values())
                    asked = self.placed(nobody, start, end).refusal
                stranger = "STRANGER" if people.players or word.startswith('"') else "NAME"
                yield Piece(stranger, word.strip('"'), start, end, asked)
        yield from self._wind_or_flag(start, end)

    def _wind_or_flag(self, start: int, end: int) -> Iterator[Piece]:
        """Yield the wind or the flag that a word of the line begins, as "ro" begins "robbed"."""
        said = self.text[start:end].casefold()
        players = map(str.casefold, self.people.players.values())
        winds = [wind for wind, name in WIND_NAMES.items() if said and name.casefold().startswith(said)]
        if len(said) > 1 and not winds and not any(name.startswith(said) for name in players):
            flags = {flag for name, flag in _flags() if name.startswith(said)}
            if len(flags) == 1:
                yield Piece("FLAG_BEGUN", flags.pop(), start, end)
        if winds:
            yield Piece("ROUND", winds[0], start, end)

    def _numbers(self, position: int) -> Iterator[Piece]:
        # digits together, and single digits in a row, as in 1 2 3b
        for found in filter(None, (_DIGITS.match(self.text, position), _SPACED.match(self.text, position))):
            end = found.end() + 1
            letter = self.text[found.end() : end]
            apart = _CLASS_APART.match(self.text, found.end())
            if apart:
                letter, end = apart[1], apart.end()
            if letter.isalpha():
                values = self._in_full("".join(filter(str.isdigit, found[0])), *found.span())
                yield from self._tiles(self._suited(values, letter, position), position, end)
        yield from self._values(position)

    def _in_full(self, values: str, start: int, end: int) -> str:
        """Return all values of a range like ``1-3``; other values unchanged."""
        found = _RANGE.fullmatch(self.text, start, end)
        full = "".join(map(str, range(int(found[1]), int(found[2]) + 1))) if found else ""
        return full if len(full) > 1 else values

    def _values(self, position: int) -> Iterator[Piece]:
        """Yield values without a class: digits together, or single digits and number words in a row."""
        digits = _DIGITS.match(self.text, position)
        if digits and len(digits[0]) > 1:
            if not self._is_glued(digits.end()):
                yield Piece("VALUES", digits[0], position, digits.end())
            groups = _GROUPS.match(self.text, position)
            if groups:
                yield Piece("VALUES", "".join(groups[0].split()), position, groups.end())
            return
        values, end = "", position
        read = self._single_value(position)
        while read is not None:
            value, end = read
            values += value
            if len(values) == 1:
                yield Piece("VALUES", values, position, end)
            ahead = self._behind_blanks(end)
            read = self._single_value(ahead) if ahead > end else None
        # three 9 dots are three tiles, although one two three bamboo are a chow
        how_many = len(values) == 2 and values[0] in "1234" and not self.text[position].isdigit()
        if len(values) > 1 and not (how_many and self.text[end - 1].isdigit()):
            yield Piece("VALUES", self._in_full(values, position, end), position, end)

    def _is_before_one(self, end: int) -> bool:
        """Return whether a number word comes before one value with its suit, as in "three 9 dots", or before a tile."""
        ahead = self._behind_blanks(end)
        read = self._single_value(ahead)
        ahead = self._behind_blanks(read[1]) if read else ahead
        suited = any(one.kind == "suit" for _, meanings in self.phrases(ahead) for one in meanings)
        return suited if read else not suited and ahead > end

    def _single_value(self, position: int) -> tuple[str, int] | None:
        digits = _DIGITS.match(self.text, position)
        if digits:
            is_single = len(digits[0]) == 1 and not self._is_glued(digits.end())
            return (digits[0], digits.end()) if is_single else None
        said = [(one, end) for end, meanings in self.phrases(position) for one in meanings]
        return next(((one.value, end) for one, end in said if one.kind == "number"), None)

    def _is_glued(self, end: int) -> bool:
        """Return whether digits are directly followed by letters that are not a word."""
        return self.text[end : end + 1].isalpha() and not self.phrases(end)

    def _suited(self, values: str, letter: str, start: int) -> str | Meanings | None:
        """Return the tiles of *values* with a class *letter*, or several meanings; None if there is no such class."""
        can_be_numbers = not set(values) - set("1234")
        if letter in "zZ":
            return self._numbered_honors(values)
        if letter == "w" and can_be_numbers:
            winds = "".join(_NUMBERED[value][0] for value in values)
            return [(f"{values}c", "characters (wan)"), (f"{winds}w", "winds by number")]
        if letter == "t":
            return [(f"{values}b", "bamboo (tiao)"), (f"{values}d", "dots (tong)")]
        if letter == "s":
            in_set = any(first < start < last for first, last in self._inside)
            return self._of_s(values, can_be_numbers and not in_set and len(set(values)) == len(values))
        kind = _CLASS_LETTERS.get(letter)
        return None if kind is None or (kind == "f" and not can_be_numbers) else values + kind

    def _numbered_honors(self, values: str) -> str | Meanings | None:
        """Return honors by other tools' numbers: 1-4 winds, 6 green, 5 and 7 white or red; None for 8, 9."""
        if set(values) & set("89"):
            return None
        for value, names in (("5", ("white", "red")), ("7", ("red", "white"))):
            if value in values and not self._each_dragon:
                number = values.count(value)
                return [(f"{name[0].upper() * number}d", f"the {name} dragon") for name in names]
        return " ".join(_NUMBERED[value] for value in values)

    def _of_s(self, values: str, can_be_seasons: bool) -> str | Meanings:
        """Return the tiles of *values* and an s: seasons in this notation, bamboo with other tools."""
        if can_be_seasons and not self.is_foreign and not self._bamboo:
            return f"{values}s"
        if self._bamboo or (not can_be_seasons and not self._own):
            return f"{values}b"
        return [(f"{values}b", "bamboo"), (f"{values}s" if can_be_seasons else "1s to 4s", "the seasons")]

    def _tiles(self, read: str | Meanings | None, start: int, end: int) -> Iterator[Piece]:
        """Yield the tiles that letters mean; if they have several meanings, a question."""
        if isinstance(read, str):
            yield Piece("TILES", read, start, end)
        elif read is not None:
            west = _WEST.search(self.text, start, end) if read[0][0].endswith("w") else None
            yield self._asked_tiles(start, end, read, west)

    def _asked_tiles(self, start: int, end: int, meanings: Meanings, west: re.Match[str] | None) -> Piece:
        """Return the first meaning of letters as tiles, with the question which is meant; *west* is the W in doubt."""
        tiles = ", ".join(f"{tiles} for {name}" for tiles, name in meanings)
        names, letters = " or ".join(name for _, name in meanings), escape_controls(self.text[start:end])
        code, kind = ("ambiguous-w", "") if west else ("two-meanings", "tiles")
        first, last = west.span() if west else (start, end)
        asked = self.refused(
            code,
            first,
            last,
            kind,
            tiles=tiles,
            names=names,
            letters=letters,
            answers=[tiles for tiles, _ in meanings],
        )
        return Piece("TILES", meanings[0][0], start, end, asked.refusal)


@lru_cache(maxsize=1)
def _flags() -> tuple[tuple[str, str], ...]:
    """Return the single English words for flags, each with its flag."""
    said = [(word, one) for word, meant in vocabulary().meanings.items() for one in meant if " " not in word]
    return tuple((word, one.value) for word, one in said if (one.kind, one.language) == ("flag", "en"))


def _honors_of(word: str, pairs_before: bool) -> str | Meanings | None:
    """Return the winds and dragons in a word, ignoring case, or their several meanings; None if it is not honors.

    *pairs_before* says whether honors in the line have their class before them, as in ``We`` and ``Dr``.
    """
    if len(word) > _LONGEST_GROUP:
        return None
    if _STRICT_HONORS.fullmatch(word):
        return word
    if _HONORS_CLASS_FIRST.fullmatch(word):
        return word[1:] + word[0]
    pairs = _PAIRS.fullmatch(word)
    if pairs and (pairs_before or len(word) > 2 or word[0] in "Dd") and not _ONE_CLASS.fullmatch(word):
        halves = zip(word[1::2], word[::2], strict=True)
        return " ".join(value.upper().replace("B", "W") + letter.lower() for value, letter in halves)
    initial = _INITIALS.get(word[0])
    if initial and word == word[0] * len(word):
        (dragon, name), other, kind = initial
        return [(f"{dragon * len(word)}d", name), (other, kind)]
    if _WRONG_CLASS.fullmatch(word):
        return None
    typed = word.lower()
    if _ONE_CLASS.fullmatch(typed) and not word.endswith("W"):
        return typed[:-1].upper() + typed[-1]
    if not set(typed) - set("esnrg"):
        return typed.upper()
    if "w" in typed and not set(typed) - set("eswnrgd"):
        values = "W" * len(word) if set(typed) == {"w"} else "W"
        return [(f"{values}w", "west wind"), (f"{values}d", "white dragon")]
    return None


def said_back(text: str) -> tuple[str, ...]:
    """Return remarks on how the class letters of other tools in *text* were read."""
    foreign = [letter for letter in dict.fromkeys(text) if letter in _FOREIGN_LETTERS]
    read = {
        letter: _FOREIGN_LETTERS[letter]
        for letter in foreign
        if re.search(rf"[1-9]{letter}|{letter}[1-9]", text)
    }
    return tuple(f"{letter} is {kind}, {_CLASS_NAMES[kind]}" for letter, kind in read.items())
