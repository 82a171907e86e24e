"""The words of a hand that is told: all that each may say, and the punctuation before it.

Articles and the like say nothing, and are none; what nobody knows is a word without a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.names import nearest, one_letter_apart
from mjscore.notation.vocabulary import plain, vocabulary

# what a word may say in a told hand: a kind of the vocabulary in capitals, or one of the lexer's pieces
_OF_WORDS = frozenset(
    "BONUS SET SETS STATE LIES EVERY THROUGHOUT SUITS SUIT FAMILY OWN SPECIAL REST LOSS REMARK FINAL UPON SIGN WIN FROM FLAG PLURAL "
    "NEEDS IT THEM COMPLETES THROWS DENIAL CONTRAST NOTHING SHORT TALK WIND TIMES".split()
)
_OF_SIGNS = frozenset(
    ("TILES", "VALUES", "TIMES", "TIMES_OF", "OPEN", "GLUED", "CLOSE", "DOTS", "PLUS", "LESS")
)
_SILENT = frozenset(("EMPTY", "ASIDE", "JOINER", "COPULA"))
_SPELT = ("suit", "set", "sets", "state", "lies", "dragon", "wind", "bonus", "own", "sign", "win", "loss")
_GAP = re.compile(r"(?:\s|[|\"*_~]|&|-|–|—|(?<!\.)\.(?!\.)|\.\.(?!\.)|[,;:/=!?'’])+")
_MARK = re.compile(
    r"(?P<sentence>[.!;])|(?P<colon>[:=])|(?P<comma>[,/]|[-–—](?=\s)|(?<=\s)[-–—])|(?P<asked>\?)"
)
STRENGTH = ("", "comma", "colon", "sentence", "asked")
_CROSSING = re.compile(r"[,;:/]|\.\s|\s[-–—]")
_PLURAL = re.compile(r"([1-9])['’]?s(?![^\W_])")
_OWNER = re.compile(r"([^\W\d_]+?)(['’]?s|['’])?(?![^\W_])", re.IGNORECASE)
_UNKNOWN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|.")
_LETTERS = re.compile(r"[^\W\d_]{4,}")


class Word(NamedTuple):
    """A word or a few: what they may *say*, by kind, with the *mark* before them: a comma, a colon, the end of a sentence, "asked"
    behind a question mark. *is_joined* is whether an "and" stands there, *near* the word that was meant, where they are misspelt.
    """

    said: dict[str, Any]
    typed: str
    start: int
    end: int
    mark: str = ""
    is_joined: bool = False
    near: str = ""

    def says(self, *kinds: str) -> bool:
        return any(kind in self.said for kind in kinds)

    @property
    def begins(self) -> bool:
        """Return whether a sentence begins with it."""
        return self.mark in ("sentence", "asked")


def words_of(lattice: Lattice) -> list[Word]:
    """Return the words of a line, each the longest that can stand there, without talk at either end."""
    text, position, mark, joined = lattice.text, 0, "sentence", False
    words: list[Word] = []
    while True:
        gap = _GAP.match(text, position)
        if gap:
            found = (one.lastgroup or "" for one in _MARK.finditer(text, gap.start(), gap.end()))
            mark, joined = max(mark, *found, "", key=STRENGTH.index), joined or "&" in gap[0]
            position = gap.end()
        if position >= lattice.end:
            break
        word = _word_at(lattice, position, words[-1] if words else None)
        position = word.end
        if word.says("DOTS") and text[position:].strip():
            mark = max(mark, "sentence", key=STRENGTH.index)
        elif word.says("TALK") and not words:
            mark = "sentence"
        elif word.says(*_SILENT) and {*_SILENT, "TALK"}.issuperset(word.said):
            joined |= word.says("JOINER")
            if word.says("COPULA") and not mark and words and words[-1].says("STATE", "LIES"):
                mark = "colon"  # exposed are
        else:
            words.append(word._replace(mark=mark, is_joined=joined))
            mark, joined = "", False
    while words and set(words[-1].said) == {"TALK"}:
        words.pop()
    ahead = [*words[1:], None]
    # three fives in dots
    return [
        word
        for word, behind in zip(words, ahead[: len(words)], strict=True)
        if not (word.says("EMPTY") and word.says("LIES") and behind is not None and behind.says("SUIT", "SUITS"))
    ]


def _word_at(lattice: Lattice, position: int, before: Word | None) -> Word:
    """Return the longest word at *position*; behind one for "from" it may be a name that is begun."""
    text = lattice.text
    found: dict[int, dict[str, Any]] = {}
    letter = vocabulary().meanings.get(text[position].casefold(), ())
    letters = [(position + 1, letter)] if not text[position + 1 : position + 2].isalnum() else []
    if position and text[position - 1].isalnum():
        letters = []
    for end, meanings in (*lattice.phrases(position), *letters):
        for kind, value, _ in meanings:
            if kind.upper() in _OF_WORDS or kind.upper() in _SILENT:
                found.setdefault(end, {}).setdefault(kind.upper(), value)
    behind_from = before is not None and before.says("FROM")
    for piece in lattice.at(position):
        is_name = piece.kind == "WHO" and behind_from and not lattice.phrases(position)
        if is_name or (piece.kind in _OF_SIGNS and _is_whole(lattice, piece)):
            kind = "OPEN" if piece.kind == "GLUED" else piece.kind
            found.setdefault(piece.end, {}).setdefault(kind, piece if kind == "TILES" else piece.value)
    plural = _PLURAL.match(text, position)
    if plural:
        found.setdefault(plural.end(), {})["PLURAL"] = plural[1]
    for end, said in _named(lattice, position, behind_from):
        found.setdefault(end, {}).update(said)
    if not found:
        unknown = _UNKNOWN.match(text, position)
        end = unknown.end() if unknown else position + 1
        typed = text[position:end]
        if (
            before is None
            and (who := nearest(typed, lattice.people.players.values())) is not None
            and len(typed) > 2
        ):
            return Word({"WHO": who}, typed, position, end, near=who)
        near = _near(plain(typed), vocabulary().words) if _LETTERS.fullmatch(typed) else ""
        meanings = vocabulary().of(near) if near else ()
        said = {one.kind.upper(): one.value for one in meanings if one.kind in _SPELT}
        if said.keys() & {"WIND", "DRAGON"}:
            (piece,) = (one for one in Lattice(near).at(0) if one.kind == "TILES")
            said["TILES"] = piece._replace(start=position, end=end)
        return Word(said, typed, position, end, near=near)
    end = max(found)
    if "TILES" in found[end] and text[end : end + 1].isalnum():  # 1b1b1b
        more = _word_at(lattice, end, None)
        if set(more.said) == {"TILES"}:
            piece, other = found[end]["TILES"], more.said["TILES"]
            found[end]["TILES"] = piece._replace(value=f"{piece.value} {other.value}", end=more.end)
            return Word(found[end], text[position : more.end], position, more.end)
    return Word(found[end], text[position:end].casefold(), position, end)


def _is_whole(lattice: Lattice, piece: Piece) -> bool:
    """Return whether tiles and numbers end where a word does, with no mark in them; "2 of bamboo" is no two of a tile."""
    text, kind, start, end = lattice.text, piece.kind, piece.start, piece.end
    if kind == "TIMES_OF":
        return all(one.kind != "suit" for _, meanings in lattice.phrases(end) for one in meanings)
    letters = text[start:end]
    if kind == "VALUES" and not str(piece.value).isdigit():
        return False
    if kind == "TILES" and text[end - 1].isalpha() and text[end : end + 1].isalpha():
        return False
    if kind == "TILES" and letters[:1].isdigit() and letters[-1] in "wW":
        return False  # 64w won
    if kind == "TILES" and letters.islower() and letters.isalpha() and letters not in vocabulary().meanings:
        times = {letters.count(letter) for letter in letters}
        if len(times) > 1 and letters[-1] not in "wd":
            return False  # grr
    return kind not in ("VALUES", "TILES") or not _CROSSING.search(text, start, end)


def _named(lattice: Lattice, position: int, behind_from: bool) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield whom a whole name at *position* means, and whether it is said to own something; a wind may be a tile as well."""
    text, players = lattice.text, lattice.people.players.values()
    word = _OWNER.match(text, position) if not position or not text[position - 1].isalnum() else None
    if word is None:
        return
    for name in sorted(players, key=len):
        ends = [name, *name.split()] if " " in name else [name]
        for said in ends:
            end = position + len(said)
            if text[position:end].casefold() == said.casefold():
                owned = re.compile(r"['’]?s?(?![^\W_])", re.IGNORECASE).match(text, end)
                if owned:
                    yield owned.end(), {"WHO": name, **({"OWNER": name} if owned[0] else {})}
    for wind, name in WIND_NAMES.items():
        if word[1].casefold() in (name.casefold(), wind.casefold()):
            if word[2] and word[1].casefold() == name.casefold():
                yield word.end(), {"WHO": wind, "OWNER": wind} if word[2] != "s" else {}
            elif not word[2]:
                yield word.end(), {"WIND": wind, **({"WHO": wind} if behind_from else {})}


@lru_cache(maxsize=1 << 10)
def _near(word: str, every: frozenset[str]) -> str:
    """Return the word of hands that is a letter away from one that is none of *every*; empty where none is. Of four letters one
    may be missing or too many: another four letters may be another word.
    """
    return next(
        (
            known
            for known in _words_of_hands(every)
            if abs(len(known) - len(word)) < 2
            and (len(word) > 4 or len(known) != len(word))
            and one_letter_apart(word, known)
        ),
        "",
    )


@lru_cache(maxsize=1)
def _words_of_hands(every: frozenset[str]) -> tuple[str, ...]:
    """Return the words that a hand may have, English ones first, as long as *every* known word is the same."""
    found = [
        (any(one.language != "en" for one in meanings), phrase)
        for phrase, meanings in vocabulary().meanings.items()
        if phrase in every and len(phrase) > 3 and any(one.kind in _SPELT for one in meanings)
    ]
    return tuple(phrase for _, phrase in sorted(found))
