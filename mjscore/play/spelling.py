"""A word of a refused line that is a letter away from one that is known: the line with that one, where something is read then."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.names import People, one_letter_apart
from mjscore.notation.vocabulary import vocabulary
from mjscore.record.usages import USAGES
from mjscore.refusal import Refusal, Refused, escape_controls

_WORD = re.compile(r'"[^"]*"|(?<![^\W_])[^\W\d_]{2,}(?![^\W_])')
_TILES = frozenset("eswnrgd")  # letters that are tiles one by one
_MOST_UNKNOWN = 2  # with more of them no one word mends a line
_MOST_OFFERED = 2


def spelt(refusal: Refusal, line: str, people: People, read: Callable[[str], object]) -> Refusal:
    """Return the refusal of a *line* that offers it with one word spelt otherwise, as far as *read* makes something of that.

    What is a word for something, or names somebody, stays; names go before words.
    """
    unknown = [word for word in _WORD.finditer(line) if word[0][0] != '"' and _is_unknown(word[0], people)]
    if refusal.lines or len(unknown) > _MOST_UNKNOWN:
        return refusal
    found: dict[object, str] = {}
    for word in unknown:
        for known in _near(word[0].casefold(), people):
            mended = f"{line[: word.start()]}{known}{line[word.end() :]}"
            with suppress(Refused):
                found.setdefault(read(mended), mended.strip())
    offered = tuple(found.values())[:_MOST_OFFERED]
    if not offered:
        return refusal
    hint = f"did you mean {' or '.join(map(escape_controls, offered))}?"
    return refusal._replace(hint=hint, lines=offered, otherwise=refusal.hint)


def _is_unknown(word: str, people: People) -> bool:
    said = word.casefold()
    with suppress(Refused):
        known = said in USAGES or said in vocabulary().words or people.named(word) is not None
        return not known and not _TILES.issuperset(said)
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
