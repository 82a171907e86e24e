"""Load what words mean at the table: a file for each language in ``words/``, joined into one table.

A phrase of one or more words has meanings; a meaning is a kind of word (a wind, a set, how a hand was won) and its
value. Case, accents, hyphens and apostrophes do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER

LANGUAGES = ("en", "zh", "ja", "de", "nl", "fr")
LAST_DISCARD = "last discard"  # a flag that says besides that the tile was claimed
_DIGITS = tuple("123456789")
# kinds of words that only a hand has which is told in words
OF_TOLD_HANDS: dict[str, tuple[str, ...]] = {
    "sets": ("chow", "pung", "kong", "pair"),
    "every": ("all", "both", "rest"),
    "throughout": ("exposed", "concealed"),
    "suits": ("bcd",),
    "family": ("w", "d"),
    "own": ("wind", "round", "flower", "season"),
    "special": ("19b19c19dESWNwRGWd", "1112345678999", "ESWNw", "RGWd"),
    "rest": ("...",),
    "loss": ("loser", "waiting"),
    "remark": ("told", "none"),  # "none" denies what stands behind it
    "lies": ("exposed", "concealed"),  # said of what stands behind it, up to where another is said
    "needs": ("needs",),  # the tile that is hoped for stands behind it
    "it": ("it",),  # the last tile, or one more of the tile before
    "them": ("them",),  # what was told right before: three of them
    "completes": ("completes",),  # the last tile makes what stands behind it
    "throws": ("throws",),  # said behind who discarded
    "contrast": ("but",),
    "except": ("but", "only"),  # what stands behind it lies otherwise than all others
    "short": ("and", "with", "pung", "chow", "kong", "pair"),  # letters that are words beside tiles
    "joiner": ("and",),
    "any": ("any",),  # before a value: of whatever suit
    "times": ("2", "3", "4"),
    "copula": ("is",),  # behind a word for how sets lie: of those that follow
    "aside": ("aside",),  # says nothing in a hand
    "final": ("last",),
    # the same as the kinds of that name, where a hand is told
    "told_win": ("win",),
    "told_sign": ("+", "<"),
    "told_from": ("from",),
    "told_flag": ("loose", "last", "robbed"),
    "same": ("same",),  # the suit of the tiles before, or how they lie
    "counted": ("tiles",),  # a number before it is none of a tile
    "correction": ("correction",),  # what stands behind it is told in the place of what stands before it
    "upon": ("on", "by"),
    "range": ("range",),  # between two values: one to nine
    "ordinal": tuple("1234"),  # of flowers; the last tile of a pair, or of a pung
    "numbered": ("numbered",),  # before the number of a flower
}
# each kind of word, with the values that it can have
KINDS: dict[str, tuple[str, ...]] = {
    "wind": tuple("ESWN"),
    "dragon": tuple("RGW"),
    "tile": ("1b", "1f", "2f", "3f", "4f", "1s", "2s", "3s", "4s"),
    "bonus": ("f", "s"),
    "suit": ("b", "c", "d"),
    "number": _DIGITS,
    "count": (*(str(count) for count in range(10, 21)), *(str(tens) for tens in range(30, 110, 10)), "1000"),
    "plural": (*_DIGITS, "1b", "Ew", "Sw", "Ww", "Nw", "Rd", "Gd", "Wd"),
    "set": ("chow", "pung", "kong", "pair"),
    "state": ("exposed", "concealed"),
    "sign": ("+", "<"),
    "win": ("win", "wins"),  # "wins" is only said behind who wins
    "from": ("from",),
    "flag": (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, LAST_DISCARD),
    "event": ("draw", "wash", "false", "long", "penalty", "pay"),
    "others": ("others",),
    "others_of": ("others",),  # said behind their score
    "others_none": ("0",),  # and that they have none
    "sitting": ("for", "takes", "place", "leaves", "joins", "out", "in", "by", "swap", "seats"),
    "has": ("has",),  # said between a name and its score
    "deed": ("claims", "throws"),  # said of who claimed, or of who discarded
    "fed": ("fed",),  # said between who discarded and who won
    "limit": ("limit",),
    "each": ("each",),
    "apart": ("apart",),  # what stands behind it is not whose a score before it is
    "command": (),  # a whole line, or its first words: a command of play, which are known there, and what stands behind it
    # no line has these: they are known, so that what is wrong can be said
    "otherwise": ("redeal", "rename", "pool", "penalty", "edit", "me"),  # what is typed instead is told
    "everybody": ("everybody",),
    "denial": ("denial", "not", "or"),  # "not" turns how a set lies, "or" joins what is hoped for
    "nothing": ("0",),
    "doubles": ("doubles",),
    "empty": ("empty",),
    "talk": ("talk",),  # says nothing either, before a line too
    # of words/gist.toml, for a line of which not all is understood
    "gist": (),
    "cue": (),
    **OF_TOLD_HANDS,
}
MOST_PHRASES = 4000  # in one language
LONGEST_PHRASE = 60  # characters
MOST_WORDS = 9  # in one phrase
_WORD = re.compile(r"[^\W_]+")


class Meaning(NamedTuple):
    """What a phrase means in a *language*: its *kind*, a key of ``KINDS``, and one of that kind's values."""

    kind: str
    value: str
    language: str


class Vocabulary(NamedTuple):
    """The *meanings* of every phrase, by its plain form, English ones first; *beginnings* are those of the phrases
    of several words, without their last one, so that a reader knows when to read on; *words* are all that stand in phrases.
    """

    meanings: Mapping[str, tuple[Meaning, ...]]
    beginnings: frozenset[str]
    words: frozenset[str]

    def of(self, phrase: str) -> tuple[Meaning, ...]:
        """Return what *phrase* means; nothing where it is no phrase of any language."""
        return self.meanings.get(plain(phrase), ())

    def begun(self, phrase: str) -> dict[str, tuple[Meaning, ...]]:
        """Return the phrases that begin so, with what they mean."""
        begun = plain(phrase)
        return {known: meanings for known, meanings in self.meanings.items() if known.startswith(begun)}


def plain(phrase: str) -> str:
    """Return *phrase* without case, accents, hyphens and apostrophes: its words with one space between them."""
    text = phrase.casefold()
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(_WORD.findall(text))


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Return the words of all languages, from the cache where they are kept."""
    from mjscore.notation.cache import cached_on_disk
    from mjscore.notation.parsers import packaged

    languages = [language for language in LANGUAGES if not _chosen or language in ("en", *_chosen)]

    def files() -> list[bytes]:
        return [packaged("notation", "words", f"{language}.toml") for language in languages]

    def make() -> Vocabulary:
        texts = zip(languages, files(), strict=True)
        return joined({language: read_words(language, text.decode()) for language, text in texts})

    return cached_on_disk("-".join(["words", *(languages if _chosen else ())]), files, make)


@lru_cache(maxsize=1)
def gist_words() -> Vocabulary:
    """Return the words for what a line seems to say, which stand apart: nothing is read by them."""
    from mjscore.notation.cache import cached_on_disk
    from mjscore.notation.parsers import packaged

    def files() -> list[bytes]:
        return [packaged("notation", "words", "gist.toml")]

    return cached_on_disk("gist", files, lambda: joined({"en": read_words("en", files()[0].decode())}))


_chosen: list[str] = []


def use_languages(languages: Iterable[str]) -> None:
    """Have only the words of some languages be read from now on, and English ones; of all where none is named."""
    if list(languages) != _chosen:
        _chosen[:] = languages
        vocabulary.cache_clear()


def joined(languages: Mapping[str, Mapping[str, tuple[Meaning, ...]]]) -> Vocabulary:
    """Join the phrases of several languages; a meaning that two of them share is that of the first."""
    meanings: dict[str, tuple[Meaning, ...]] = {}
    for phrases in languages.values():
        for phrase, added in phrases.items():
            known = meanings.get(phrase, ())
            said = {meaning[:2] for meaning in known}
            meanings[phrase] = (*known, *(meaning for meaning in added if meaning[:2] not in said))
    split = [phrase.split() for phrase in meanings]
    beginnings = {" ".join(words[:count]) for words in split for count in range(1, len(words))}
    return Vocabulary(meanings, frozenset(beginnings), frozenset(chain(*split)))


def _unfit(phrase: str, language: str, is_there: bool) -> str:
    """Return why a phrase cannot stand in the file of a *language*; nothing where it can."""
    known = plain(phrase)
    if not 0 < len(known.split()) <= MOST_WORDS or len(phrase) > LONGEST_PHRASE:
        return f"is no phrase of one to {MOST_WORDS} words"
    if len(known) == 1 and known.isascii() and language != "en":
        return "is one letter, which only English words may be"
    return "stands twice" if is_there else ""


def read_words(language: str, text: str) -> dict[str, tuple[Meaning, ...]]:
    """Return the phrases of a *language* from the *text* of its file. Raises ValueError, with the group that is wrong."""
    import tomllib

    def wrong(group: str, reason: str) -> ValueError:
        # a fault of the program, since its files come with it
        return ValueError(f"words/{language}.toml, {group}: {reason}")

    phrases: dict[str, list[Meaning]] = {}
    without: dict[str, list[Meaning]] = {}  # apostrophes, as people type them
    try:
        groups = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise wrong("file", str(error)) from None
    for kind, tables in groups.items():
        if kind not in KINDS:
            raise wrong(kind, f"is no kind of word; the kinds are {', '.join(KINDS)}")
        for table in tables:
            if not table.pop("source", "").strip():
                raise wrong(kind, "has no source")
            for value, said in table.items():
                if value not in (KINDS[kind] or (value,)):
                    raise wrong(kind, f"has no {value!r}, only {', '.join(KINDS[kind])}")
                meaning = Meaning(kind, value, language)
                for phrase in said:
                    known = plain(phrase)
                    reason = _unfit(phrase, language, meaning in phrases.setdefault(known, []))
                    if reason:
                        raise wrong(kind, f"{phrase!r} {reason}")
                    phrases[known].append(meaning)
                    without.setdefault(plain(re.sub("['’]", "", phrase)), []).append(meaning)
    for known, meanings in without.items():
        before = phrases.setdefault(known, meanings)
        before += [one for one in meanings if one.kind in OF_TOLD_HANDS and one not in before]
    if len(phrases) > MOST_PHRASES:
        raise wrong("file", f"has {len(phrases)} phrases; {MOST_PHRASES} are the most")
    return {phrase: tuple(meanings) for phrase, meanings in phrases.items()}
