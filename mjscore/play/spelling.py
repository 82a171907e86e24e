"""What a refused line may have meant: a word in it spelt otherwise, left out, or a command that stands in it; offered where that
is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.names import People, one_letter_apart
from mjscore.notation.vocabulary import vocabulary
from mjscore.record.usages import USAGES
from mjscore.refusal import Refusal, Refused, escape_controls

_WORD = re.compile(r'"[^"]*"|(?<![^\W_])[^\W\d_]+(?![^\W_])')
_TILES = frozenset("eswnrgd")  # letters that are tiles one by one
_MOST_UNKNOWN = 2  # with more of them no one word mends a line
_MOST_LEFT_OUT = 3
_MOST_OFFERED = 2
_SAYS_NOTHING = frozenset(("empty", "talk", "command", "otherwise"))


def spelt(refusal: Refusal, line: str, people: People, read: Callable[[str], str]) -> Refusal:
    """Return the refusal of a *line* that offers what it may have meant, as far as *read* makes something of that, which it
    returns in the program's words.

    What is a word for something, or names somebody, stays; names go before words.
    """
    for ways in (
        _spelt_otherwise(line, people),
        _left_out(refusal, line, people, read),
        _commands_in(line),
    ):
        found: dict[object, str] = {}
        for mended in ways if not refusal.lines else ():
            with suppress(Refused):
                found.setdefault(read(mended), mended.strip())
        offered = tuple(found.values())[:_MOST_OFFERED]
        if offered:
            hint = f"did you mean {' or '.join(map(escape_controls, offered))}?"
            return refusal._replace(hint=hint, lines=offered, otherwise=refusal.hint)
    return refusal


def _spelt_otherwise(line: str, people: People) -> Iterator[str]:
    """Return the line with one word that is unknown put for a known one."""
    unknown = [word for word in _WORD.finditer(line) if word[0][0] != '"' and _is_unknown(word[0], people)]
    for word in unknown if len(unknown) <= _MOST_UNKNOWN else ():
        for known in _near(word[0].casefold(), people):
            yield f"{line[: word.start()]}{known}{line[word.end() :]}"


def _left_out(refusal: Refusal, line: str, people: People, read: Callable[[str], str]) -> Iterator[str]:
    """Return what is read without the words that are refused, one after another, where they say nothing."""
    for _ in range(_MOST_LEFT_OUT):
        start = (refusal.column or 1) - 1
        blamed = [word for word in _WORD.finditer(line, start) if word.start() < start + refusal.length]
        word = next((word for word in reversed(blamed) if _may_go(word[0], people)), None)
        line = f"{line[: word.start()]}{line[word.end() :]}" if word is not None else ""
        if not line.strip():
            return
        try:
            yield read(line)
        except Refused as refused:
            refusal = refused.refusal
        else:
            return


def _may_go(word: str, people: People) -> bool:
    """Return whether a word can be left out: it names nobody, and says nothing in a line of scores, alone or with others."""
    kinds = {one.kind for one in vocabulary().of(word)}
    silent = kinds <= _SAYS_NOTHING if kinds else word.casefold() not in vocabulary().words
    with suppress(Refused):
        return word[0] != '"' and silent and people.named(word) is None
    return False


def _commands_in(line: str) -> Iterator[str]:
    """Return the commands that stand somewhere in a line without figures, the longest first."""
    words = line.split() if not re.search(r"\d", line) else []
    for count in range(len(words), 0, -1):
        for start in range(len(words) - count + 1):
            phrase = " ".join(words[start : start + count])
            kinds = {one.kind for one in vocabulary().of(phrase)}
            if "command" in kinds and "empty" not in kinds:
                if start or count > 1:  # one word at the head was refused as a command
                    yield phrase
                return


def _is_unknown(word: str, people: People) -> bool:
    said = word.casefold()
    with suppress(Refused):
        known = said in USAGES or said in vocabulary().words or people.named(word) is not None
        return len(said) > 1 and not known and not _TILES.issuperset(said)
    return False  # the beginning of two names


def _near(word: str, people: People) -> list[str]:
    """Return the names that are a letter away; where none is, the English words, then others; the same letters first."""
    names = [*(part for name in people.players.values() for part in name.split()), *WIND_NAMES.values()]
    kinds: list[list[str]] = [list(map(str.casefold, names)), [], []]
    for known, meanings in vocabulary().meanings.items():
        if len(known) > 2 and " " not in known:
            kinds[1 if meanings[0].language == "en" else 2].append(known)
    near = ([known for known in words if one_letter_apart(word, known)] for words in kinds)
    return sorted(next(filter(None, near), []), key=lambda known: sorted(known) != sorted(word))
