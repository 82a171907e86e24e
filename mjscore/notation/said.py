"""Words in a typed hand: tiles, flags and how it was won, as people say them."""

from __future__ import annotations

import re

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.body import Body
from mjscore.notation.groups import groups_of, two_meanings
from mjscore.notation.names import People
from mjscore.notation.words import (
    BONUS_WORDS,
    EMPTY_WORDS,
    FLAG_WORDS,
    KIND_WORDS,
    NUMBER_WORDS,
    SIGN_WORDS,
    SUIT_WORDS,
    TILE_WORDS,
    TWO_MEANINGS,
)


def take_word(tokens: list[re.Match[str]], index: int, body: Body, people: People) -> int:
    """Takes a word and those that go with it; how many tokens that were, 0 where it cannot stand there."""
    word = tokens[index]["word"].casefold()
    after = _next_word(tokens, index + 1)
    if index and word in EMPTY_WORDS:
        return 1
    if word == "from":
        return _claimed_from(tokens, index, body, people)
    if word in ("no", "self") and after in ("choice", "drawn", "draw"):
        if word == "no":
            body.flags.append("nochoice")
            return 2
        return 2 * body.say_sign(SIGN_WORDS["self"])
    if word in SIGN_WORDS and not (word == "drawn" and body.sign):
        return int(body.say_sign(SIGN_WORDS[word]))
    flag = FLAG_WORDS.get(word) or (_flag_begun(word, people) if body.winning is not None else None)
    if flag is not None:
        body.flags.append(flag)
        return 1
    if body.sign == "<" and body.winning is not None and people.is_whole_name(word):
        return int(body.take_discarder(word, people))
    if word in BONUS_WORDS and re.fullmatch("[1-4]", after):
        return 2 * body.add(after + BONUS_WORDS[word])
    value = NUMBER_WORDS.get(word, word)
    if re.fullmatch("[1-9]+", value) and after in SUIT_WORDS:
        return 2 * body.add(value + SUIT_WORDS[after])
    if re.fullmatch("[1-9]", word):
        return _shared_class(tokens, index, body)
    if word in TWO_MEANINGS:
        raise two_meanings(tokens[index]["word"], TWO_MEANINGS[word])
    if word in TILE_WORDS:
        tile = TILE_WORDS[word]
        kind = KIND_WORDS.get(after)
        if kind is not None and kind != tile[-1]:
            return 0
        return (1 + (kind is not None)) * body.add(tile)
    groups = groups_of(tokens[index]["word"], body.letters, False)
    return int(groups is not None and all(body.add(group) for group in groups))


def _flag_begun(word: str, people: People) -> str | None:
    """The flag behind a winning tile of which *word* is the beginning; two letters, and nobody's name."""
    fitting = {flag for name, flag in FLAG_WORDS.items() if len(word) > 1 and name.startswith(word)}
    names = (*WIND_NAMES.values(), *people.players.values())
    if len(fitting) != 1 or any(name.casefold().startswith(word) for name in names):
        return None
    return fitting.pop()


def _next_word(tokens: list[re.Match[str]], index: int) -> str:
    return (tokens[index]["word"] or "").casefold() if index < len(tokens) else ""


def _claimed_from(tokens: list[re.Match[str]], index: int, body: Body, people: People) -> int:
    """``from ben``: behind the winning tile, with or without its sign."""
    name = tokens[index + 1] if index + 1 < len(tokens) else None
    word = (name["word"] or name["name"]) if name is not None else None
    if not word or body.sign == "+":
        return 0
    if body.winning is None and not body.take_last():
        return 0
    body.sign = "<"
    return 2 * body.take_discarder(word, people)


def _shared_class(tokens: list[re.Match[str]], index: int, body: Body) -> int:
    """``1 2 3b``: single values whose class letter the last of them has."""
    values = ""
    for number, token in enumerate(tokens[index:], 1):
        word = token["word"] or ""
        if re.fullmatch("[1-9]", word):
            values += word
        elif re.fullmatch(r"[1-9]\D", word):
            groups = groups_of(values + word, body.letters, False)
            return number if groups is not None and all(body.add(group) for group in groups) else 0
        else:
            break
    return 0
