"""A chat bot's commands: a line in, a text out. Whatever carries the lines calls ``answer``; here it is the terminal.

echo "score bmja w 123b 444c eee / 77d 67c <8c:e" | python samples/chat_bot.py
"""

from __future__ import annotations

import sys

import mjscore

HELP = """\
score [RULEBOOK] HAND    the sheet of a hand, as you would say it
waits [RULEBOOK] HAND    what a hand of thirteen waits for
rules [RULEBOOK]         the rulebooks, or the options of one"""
BOOKS = {book.id: book for book in mjscore.rulebooks()}
WIDTH = 60  # columns


def answer(line: str) -> str:
    """Return what to say to a line."""
    command, _, rest = line.strip().removeprefix("/").partition(" ")
    first, _, behind = rest.strip().partition(" ")
    book, text = (BOOKS[first], behind) if first in BOOKS else (BOOKS["harr"], rest)
    if command == "rules":
        return (
            options_of(BOOKS[first])
            if first in BOOKS
            else "\n".join(f"{one.id}: {one.title}" for one in BOOKS.values())
        )
    if command not in ("score", "waits") or not text.strip():
        return HELP
    reading = mjscore.read(text, book)
    if reading.error is not None:
        return refused(reading.error, reading.choices)
    said = "" if reading.text == text.strip() else f"I read: {reading.text}\n\n"
    return said + (score(reading.text, book) if command == "score" else waits(reading.text, book))


def score(hand: str, book: mjscore.Rulebook) -> str:
    """Return the sheet of a hand."""
    sheet = mjscore.score(hand, book)
    if sheet.error is not None:
        return refused(sheet.error)
    share = f"\n  {sheet.score * 100 // book.limit}% of the limit" if book.limit else ""
    return sheet.render(WIDTH) + share


def waits(hand: str, book: mjscore.Rulebook) -> str:
    """Return the tiles that a hand waits for, with what each would score."""
    found = mjscore.waits(hand, book)
    if found.error is not None:
        return refused(found.error)
    return (
        "\n".join(f"{one.tile.title}: {one.drawn} drawn, {one.claimed} claimed" for one in found.waits)
        or "nothing"
    )


def refused(error: mjscore.Refusal, choices: tuple[str, ...] = ()) -> str:
    """Return what is wrong, the place in bold, and what to type instead."""
    before, marked, behind = error.marked
    place = f"{before}**{marked}**{behind}\n" if marked else ""
    offered = "\n".join(f"- {line}" for line in choices) or error.hint
    return f"{place}{error.message}\n{offered}"


def options_of(book: mjscore.Rulebook) -> str:
    """Return the options of a rulebook with their choices."""
    return "\n".join(f"{one.name} ({', '.join(one.choices)}): {one.title}" for one in book.offered_options)


if __name__ == "__main__":
    for typed in sys.stdin:
        print(answer(typed), end="\n\n")
