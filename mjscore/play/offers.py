"""The text in the prompt after a refusal, what keys do to it, and which of the offered lines an answer means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mjscore.notation.vocabulary import answer_words, plain, vocabulary
from mjscore.refusal import Refusal

MOMENT = 300  # milliseconds during which Enter may still belong to the previous line
_TOLD_BY = {"+": ("drawn",), "<": ("claimed",), "(": ("exposed",), "[": ("declared", "concealed")}
_MEANT = {"+": "drawn", "<": "claimed"}


class PromptText(NamedTuple):
    """Text in the prompt that typing replaces: one of some *offered* lines, or the refused line.

    *place* is the position in the refused line where editing starts.
    """

    lines: tuple[str, ...]
    offered: bool = False
    place: int = 0
    chosen: int = 0

    @property
    def text(self) -> str:
        """Return the line shown in the prompt."""
        return self.lines[self.chosen]

    @property
    def cursor(self) -> int:
        """Return the position of the cursor in that line."""
        return len(self.text) if self.offered else min(self.place, len(self.text))


class Pressed(NamedTuple):
    """The prompt after a key: its *text* and *cursor*, and whether the text is *taken* as the next line.

    *stands* is the text that typing would still replace; None if typing adds to it.
    """

    text: str
    cursor: int
    stands: PromptText | None = None
    taken: bool = False


def after_key(standing: PromptText, key: str, milliseconds: int) -> Pressed:
    """Return the prompt after a *key*, or typed or pasted text, *milliseconds* after its text appeared."""
    text, several = standing.text, len(standing.lines)
    if key == "enter":
        taken = not standing.offered or milliseconds >= MOMENT
        return Pressed(text, standing.cursor, None if taken else standing, taken)
    if key in ("tab", "s-tab") and several > 1:
        turned = standing._replace(chosen=(standing.chosen + (1 if key == "tab" else -1)) % several)
        return Pressed(turned.text, turned.cursor, turned)
    if key in ("left", "right", "home", "end", "tab", "s-tab"):
        return Pressed(text, {"home": 0, "end": len(text)}.get(key, standing.cursor))
    typed = "" if key in ("backspace", "delete") else key
    return Pressed(typed, len(typed))


def told_of(standing: PromptText) -> str:
    """Return a hint on what keys do to the text in the prompt."""
    if not standing.offered:
        return "typing replaces it; an arrow, Home, End or Tab edits it"
    if len(standing.lines) == 1:
        return "offered: Enter takes it, typing replaces it"
    return f"offered, {standing.chosen + 1} of {len(standing.lines)}: Enter takes it, Tab goes to the next"


def filled_rows(text: str, column: int, width: int) -> dict[int, int]:
    """Return, by position in *text*, how many blanks to insert so that no word is cut at the end of a row.

    The text begins at a *column*; rows are *width* wide."""
    found: dict[int, int] = {}
    for word in re.finditer(r"(\S+)\s*|\s+", text):
        left, length = width - column % width, len(word[1] or "")
        if left < length <= width and left < width:
            found[word.start()] = left
            column += left
        column += len(word[0])
    return found


def standing_after(
    line: str, fault: int, was_read: bool, offered: Sequence[str], asks: bool
) -> PromptText | None:
    """Return the text for the prompt after a refused *line*: the *offered* lines, or else the line itself.

    The line is returned only if some of it *was_read* or may be a score or a tile, and the refusal *asks* nothing;
    editing starts at *fault*.
    """
    if offered:
        return PromptText(tuple(offered), True)
    if asks or not (was_read or line[:fault].strip() or re.search(r"\d", line)):
        return None
    return PromptText((line,), False, fault)


def offered_lines(refusal: Refusal, reads: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the lines made with a refusal's answers, or else those that it offers, as far as *reads* accepts them."""
    start, text = (refusal.column or 1) - 1, refusal.text
    before, after = text[:start], text[start + refusal.length :]
    answers = [f"{before}{answer}{after}" for answer in refusal.answers if text]
    for lines in (answers, refusal.lines):
        found = [line for line in lines if line.strip() != text.strip() and reads(line)]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def words_of(lines: Sequence[str]) -> list[list[str]]:
    """Return for each line the words that only this line has, among them drawn, claimed, exposed or concealed."""
    split = [line.split() for line in lines]
    shared = set(split[0]).intersection(*split)
    own = [[token for token in tokens if token not in shared] for tokens in split]
    begun = {token[0] for tokens in own for token in tokens}
    told_by = {**_TOLD_BY, "(": ("claimed", "exposed")} if "[" in begun else _TOLD_BY
    told = []
    for tokens in own:
        words: list[str] = []
        for token in sorted(tokens, key=lambda one: one[0] not in "+<"):  # the winning tile comes first
            plain = "".join(re.findall(r"\w+", token)[:1]).casefold()
            words += told_by.get(token[0], ("concealed",) if "(" in begun else ())
            words += [plain, plain[:-1], plain[-1:]] if re.search(r"\d", token) else [plain, plain[-1:]]
        told.append(list(dict.fromkeys(filter(None, words))))
    often = Counter(word for words in told for word in words)
    return [[word for word in words if often[word] == 1] for words in told]


def says(word: str, *answers: str) -> bool:
    """Return whether words are of a kind of *answers*, e.g. ``yes``, ``no``, ``talk``, ``question``, ``correction``."""
    return any(meaning.value in answers for meaning in answer_words().of(word))


def bare(answer: str) -> str:
    """Return an answer without empty words around it, as "first" for "it was the first one"."""
    words = plain(answer).split()
    telling = [place for place, word in enumerate(words) if not says(word, "talk")]
    return " ".join(words[telling[0] : telling[-1] + 1]) if telling else " ".join(words)


def parted(answer: str) -> tuple[str, str]:
    """Return an answer's text before and after its first comma, "and" or "but"."""
    words = answer.replace(",", " , ").split()
    joins = (word == "," or vocabulary().says(word, "joiner", "contrast") for word in words)
    at = next((at for at, joined in enumerate(joins) if at and joined), len(words))
    return " ".join(words[:at]), " ".join(words[at + 1 :])


class OpenQuestion(NamedTuple):
    """A question at the table: the *lines* offered in place of the one refused, likeliest first.

    *doubted* is the line that a yes accepts as it is, *untold* the one that does not say which tile was the last,
    *unclear* that one or one that does not say how it was won; if *each*, all of the lines are to be done, one after the other.
    *replacing* is the one of the lines that takes the place of what was told, without being asked about again.
    """

    lines: tuple[str, ...] = ()
    doubted: str = ""
    untold: str = ""
    unclear: str = ""
    each: bool = False
    replacing: str = ""

    def answered(self, word: str) -> str | None:
        """Return the line meant by an answer; empty if the answer is no, None if *word* is not an answer.

        A line is meant by its number, by a word that only this line has, or the beginning of such a word, or by yes:
        if *each*, yes means the first line.
        """
        by_yes = self.doubted or (self.lines[0] if self.lines and (self.each or len(self.lines) == 1) else "")
        if says(word, "no") and (self.lines or by_yes):
            return ""
        if says(word, "yes"):
            return by_yes or None
        if not self.lines:
            return None
        said = plain(word) if vocabulary().of(word) else bare(word)
        return self._numbered(said) or self._named(said)

    def _numbered(self, said: str) -> str:
        """Return the line whose number is *said*, as in "1" or "first"; empty if there is no such line."""
        numbers = [said, *(one.value for one in vocabulary().of(said) if one.kind == "ordinal")]
        number = next((int(one) for one in numbers if len(one) == 1 and one in "123456789"), 0)
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def _named(self, said: str) -> str | None:
        """Return the only line that has *said* among its own words, also as a synonym or beginning; None if none has."""
        told = words_of(self.lines)
        meanings = [{"wind": "w", "dragon": "d"}.get(one.kind, one.value) for one in vocabulary().of(said)]
        meant = {_MEANT.get(one, one) for one in meanings}
        for fits in (said.__eq__, meant.__contains__, lambda known: known.startswith(said)):
            fitting = [line for line, words in zip(self.lines, told, strict=True) if any(map(fits, words))]
            if fitting:
                return fitting[0] if len(fitting) == 1 else None
        return None


def how_to_answer(refusal: Refusal, lines: Sequence[str]) -> str:
    """Return the hint of a refusal with what to type for the *lines* offered: words if each has one, or numbers."""
    if not lines:  # none of those that were offered can be taken here
        return (refusal.otherwise if refusal.lines else "") or refusal.hint
    if len(lines) == 1:
        return f"{refusal.hint}; yes takes it"
    words = [next((word for word in told if len(word) > 1), "") for told in words_of(lines)]
    if refusal.answers or not all(words):
        return f"{refusal.hint}; or type the number of a line"
    *others, last = words
    return f"type {', '.join(others)} or {last}, or the number of a line"
