"""The meanings of words used at the table: a file for each language in ``words/``, joined into one table.

A phrase of one or more words has meanings; a meaning is a kind of word (a wind, a set, how a hand was won) and its
value. Case, accents, hyphens and apostrophes do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from itertools import chain
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER

LANGUAGES = ("en", "zh", "ja", "de", "nl", "fr")
LAST_DISCARD = "last discard"  # a flag that also says that the tile was claimed
_DIGITS = tuple("123456789")
# kinds of words used only in hands told in words
OF_TOLD_HANDS: dict[str, tuple[str, ...]] = {
    "sets": ("chow", "pung", "kong", "pair"),
    "made": ("chow", "pung"),  # made with a discard, and so exposed: punged
    "every": ("all", "both", "some", "rest", "last 2", "last 3"),
    "throughout": ("exposed", "concealed"),
    "suits": ("bcd",),
    "family": ("w", "d"),
    "own": ("wind", "round", "flower", "season"),
    "special": ("19b 19c 19d ESWNw RGWd", "1112345678999", "ESWNw", "RGWd"),
    "rest": ("...",),
    "loss": ("loser", "waiting"),
    "remark": ("told", "none"),  # "none" denies what follows
    "lies": ("exposed", "concealed"),  # applies to what follows, up to the next such word
    "needs": ("needs",),  # followed by the tile hoped for
    "chair": ("seat",),  # beside a wind: somebody sits there
    "self": ("self",),  # before the wind of whose hand it is
    "it": ("it",),  # the last tile, or one more of the tile before
    "them": ("them",),  # what was told just before: three of them
    "completes": ("completes", "as"),  # the last tile completes what follows
    "throws": ("throws", "gives"),  # follows the discarder; the wall only gives
    "contrast": ("but",),
    "except": ("but", "only"),  # what follows has another state than all others
    # letters that are words beside tiles, or before a colon
    "short": ("and", "with", "pung", "chow", "kong", "pair", "exposed", "concealed"),
    "joiner": ("and",),
    "leads": ("on", "and"),  # something follows that they belong to; a comma after "on" is a slip
    "stop": (".",),  # ends a sentence
    "namely": (":",),  # stands for a colon
    "any": ("any",),  # before a value: in any suit
    "times": ("2", "3", "4"),
    "copula": ("is",),  # after a word for a state: it applies to those that follow
    "aside": ("aside",),  # without meaning in a hand
    "final": ("last",),
    # in a told hand the same as the kinds without "told_"
    "told_win": ("win",),
    "told_sign": ("+", "<"),
    "told_from": ("from",),
    "told_flag": ("loose", "last", "robbed"),
    "same": ("same",),  # the suit or state of the tiles before
    "stands": ("exposed", "concealed"),  # where a line says both, up is in the hand
    "pronoun": ("one",),  # stands for a tile or a set: the red one
    # a number before it is none of a tile; before "left", if it begins a clause
    "counted": ("tiles", "left", "lots"),
    "correction": ("correction",),  # what follows replaces what comes before
    "upon": ("on", "by", "with"),
    "range": ("range",),  # between two values: one to nine
    "ordinal": tuple("1234"),  # of flowers; or the last tile of a pair or pung; or one of the sets told
    "middle": ("middle", "-2", "-1"),  # one of the sets told, or two; the last but one, the last
    "grown": ("kong",),  # the pung before it became a kong
    "many": ("f", "s"),  # flowers, behind their number
    "numbered": ("numbered",),  # before the number of a flower
}
# each kind of word, with its possible values
KINDS: dict[str, tuple[str, ...]] = {
    "wind": tuple("ESWN"),
    "dragon": tuple("RGW"),
    "tile": ("1b", "1f", "2f", "3f", "4f", "1s", "2s", "3s", "4s"),
    "bonus": ("f", "s"),
    "suit": ("b", "c", "d"),
    "number": _DIGITS,
    "count": (*map(str, range(10, 101)), "1000"),
    "plural": (*_DIGITS, "1b", "Ew", "Sw", "Ww", "Nw", "Rd", "Gd", "Wd"),
    "set": ("chow", "pung", "kong", "pair"),
    "state": ("exposed", "concealed"),
    "sign": ("+", "<"),
    "win": ("win", "wins"),  # "wins" is only used after the winner
    "from": ("from",),
    "flag": (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, LAST_DISCARD),
    "event": ("draw", "wash", "false", "long", "penalty", "pay"),
    "others": ("others",),
    "others_of": ("others",),  # used after their score
    "others_none": ("0",),  # and says that they have none
    "sitting": ("for", "takes", "place", "leaves", "joins", "instead", "out", "in", "by", "swap", "seats"),
    "has": ("has",),  # used between a name and its score
    "deed": ("claims", "throws"),  # used of the claimer, or the discarder
    "fed": ("fed",),  # used between the discarder and the winner
    "limit": ("limit",),
    "each": ("each",),
    "apart": ("apart",),  # what follows is not the owner of a score before it
    "command": (),  # a whole line, or its beginning: a command of play (which has the list), and its argument
    # not used in any line: known only to explain the mistake
    # the message says what to type instead
    "otherwise": ("redeal", "rename", "pool", "penalty", "edit", "me"),
    "everybody": ("everybody",),
    # "denial" corrects what precedes, "undone" denies it, "gone" all of it; "away" denies what follows, "neither" too, or
    # inverts the state of both; "not" inverts a state; "or" joins tiles hoped for
    "denial": ("denial", "undone", "gone", "away", "neither", "not", "or"),
    "nothing": ("0",),
    "doubles": ("doubles",),
    "empty": ("empty",),
    "talk": ("talk",),  # without meaning too, even before a line
    # of words/gist.toml, for lines not completely understood
    "gist": (),
    "cue": (),
    "ending": ("open",),  # something has to follow it
    # of words/answers.toml: yes, no, as usual, and words without meaning in an answer
    "answer": ("yes", "no", "usual", "talk", "question", "correction", "hand", "within", "exception"),
    # small words, which say how the words around them belong together
    "small": (
        "and",
        "to",
        "by",
        "of",
        "is",
        "with",
        "plus",
        "times",
        "double",
        "doubled",
        "twice",
        "thrice",
        "makes",
        "the",
        "all",
        "asks",
    ),
    **OF_TOLD_HANDS,
}
MOST_PHRASES = 10_000  # in one language
LONGEST_PHRASE = 60  # characters
MOST_WORDS = 9  # in one phrase
_WORD = re.compile(r"[^\W_]+")
_DROPPED = re.compile(r"(?<=[a-z]{3}in)g\b")  # sittin


class Meaning(NamedTuple):
    """What a phrase means in a *language*: its *kind*, a key of ``KINDS``, and one of that kind's values."""

    kind: str
    value: str
    language: str


class Vocabulary(NamedTuple):
    """The *meanings* of every phrase, by its plain form, English ones first.

    *beginnings* are the phrases of several words without their last one, so that a reader knows when to continue;
    *words* are all words in phrases.
    """

    meanings: Mapping[str, tuple[Meaning, ...]]
    beginnings: frozenset[str]
    words: frozenset[str]

    def of(self, phrase: str) -> tuple[Meaning, ...]:
        """Return the meanings of *phrase*; empty if it is not known."""
        return self.meanings.get(plain(phrase), ())

    def says(self, phrase: str, *kinds: str) -> bool:
        """Return whether *phrase* has a meaning of one of the *kinds*."""
        return any(meaning.kind in kinds for meaning in self.of(phrase))

    def begun(self, phrase: str) -> dict[str, tuple[Meaning, ...]]:
        """Return the meanings of each phrase that begins with *phrase*."""
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
    """Return the words of all languages, or of English and the chosen ones; from the cache if possible."""
    from mjscore.notation.cache import cached_on_disk
    from mjscore.notation.parsers import packaged

    languages = [language for language in LANGUAGES if not _chosen or language in ("en", *_chosen)]

    def files() -> list[bytes]:
        return [packaged("notation", "words", f"{language}.toml") for language in languages]

    def make() -> Vocabulary:
        texts = zip(languages, files(), strict=True)
        return joined({language: read_words(language, text.decode()) for language, text in texts})

    return cached_on_disk("-".join(["words", *(languages if _chosen else ())]), files, make)


@lru_cache(maxsize=2)
def words_apart(name: str) -> Vocabulary:
    """Return the words of ``words/NAME.toml``, which are not used for reading: ``gist``, to guess by, or ``answers``."""
    from mjscore.notation.cache import cached_on_disk
    from mjscore.notation.parsers import packaged

    def files() -> list[bytes]:
        return [packaged("notation", "words", f"{name}.toml")]

    return cached_on_disk(name, files, lambda: joined({"en": read_words("en", files()[0].decode())}))


gist_words = partial(words_apart, "gist")
answer_words = partial(words_apart, "answers")


_chosen: list[str] = []


def use_languages(languages: Iterable[str]) -> None:
    """From now on, read only the words of these languages and of English; of all languages if none is given."""
    if list(languages) != _chosen:
        _chosen[:] = languages
        vocabulary.cache_clear()


def joined(languages: Mapping[str, Mapping[str, tuple[Meaning, ...]]]) -> Vocabulary:
    """Join the phrases of several languages; a meaning shared by two belongs to the first."""
    meanings: dict[str, tuple[Meaning, ...]] = {}
    # thousands of phrases mean the same few things
    shared: dict[tuple[Meaning, ...], tuple[Meaning, ...]] = {}
    for phrases in languages.values():
        for phrase, added in phrases.items():
            known = meanings.get(phrase, ())
            said = {meaning[:2] for meaning in known}
            joint = (*known, *(meaning for meaning in added if meaning[:2] not in said))
            meanings[phrase] = shared.setdefault(joint, joint)
    split = [phrase.split() for phrase in meanings]
    beginnings = {" ".join(words[:count]) for words in split for count in range(1, len(words))}
    return Vocabulary(meanings, frozenset(beginnings), frozenset(chain(*split)))


def _unfit(phrase: str, language: str, is_there: bool) -> str:
    """Return why a phrase cannot be in the file of a *language*; empty if it can."""
    known = plain(phrase)
    if not 0 < len(known.split()) <= MOST_WORDS or len(phrase) > LONGEST_PHRASE:
        return f"is no phrase of one to {MOST_WORDS} words"
    if len(known) == 1 and known.isascii() and language != "en":
        return "is one letter, which only English words may be"
    return "stands twice" if is_there else ""


def read_words(language: str, text: str) -> dict[str, tuple[Meaning, ...]]:
    """Return the phrases of a *language* from the *text* of its file. Raises ValueError, naming the wrong group."""
    import tomllib

    def wrong(group: str, reason: str) -> ValueError:
        # a fault of the program, which ships these files
        return ValueError(f"words/{language}.toml, {group}: {reason}")

    phrases: dict[str, list[Meaning]] = {}
    without: dict[str, list[Meaning]] = {}  # apostrophes and letters that people leave out
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
                    if language == "en" and (spoken := _DROPPED.sub("", known)) != known:
                        without.setdefault(spoken, []).append(meaning)
    for known, meanings in without.items():
        before = phrases.setdefault(known, meanings)
        before += [one for one in meanings if one.kind in OF_TOLD_HANDS and one not in before]
    if len(phrases) > MOST_PHRASES:
        raise wrong("file", f"has {len(phrases)} phrases; {MOST_PHRASES} are the most")
    return {phrase: tuple(meanings) for phrase, meanings in phrases.items()}
