"""A line as it is typed at the table, as the strict rows that it means: one hand, or the scores of several seats.

w 123b 444c eee / 77d 67c <8c:e    2 8 64w 0    E 2, S 8, W 64 win from S, N 0    w …<8c:e 2 8 0
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from mjscore.game.hand import quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hands import UnbracketedKong
from mjscore.notation.lexer import normal
from mjscore.notation.names import People, nobody_called
from mjscore.notation.reading import Worth, read_hand, read_tiles
from mjscore.record.lines import parse_row
from mjscore.refusal import About, Refused, did_you_mean, refuse, visible

COMMANDS = (
    "draw", "wash", "false", "long", "penalty", "pay", "undo", "redo", "edit", "show", "standings", "counters", "pool",
    "note", "label", "drop", "help", "quit",
)  # fmt: skip
_WON = ("win", "wins", "won", "w")
_SELF = ("drawn", "self", "+")
_SCORE = re.compile(r"(?P<score>[0-9]{1,9})(?P<won>[wW](?P<how>\+|<?[^\W\d]*))?")
_TOKEN = re.compile(r'"[^"]*"|[^\s,;:="]+')
_WORD = re.compile(r"[^\s,;]+")
_BARE_SCORE = re.compile(r"[0-9]{1,9}|dead", re.IGNORECASE)
_WINDS = re.compile(r"\b(?=[EW]*[SN]|[SNW]*E)[ESWN]{3,}\b", re.IGNORECASE)  # W among them is the wind
_DRAGONS = re.compile(r"\b(?=[GW]*R|[RW]*G)[RGW]{3}\b", re.IGNORECASE)
_EVENT = re.compile(r"(?P<word>wash|false|long|penalty|pay)\s+(?P<rest>.*)", re.IGNORECASE)


class AtTable(NamedTuple):
    """What a line is read by: who sits at which wind, whose line is *missing* (winds, from East), who discarded
    the last winning tile, whether the rules score a hand, and who sits out.
    """

    seats: Mapping[str, str]
    missing: Sequence[str]
    again: str | None = None
    worth: Worth | None = None
    sitting_out: str | None = None

    def sitter(self, word: str) -> str | None:
        """Who sits out, where *word* names him by a beginning of two letters or more."""
        name, said = self.sitting_out, word.strip('"').casefold()
        return name if name and len(said) > 1 and name.casefold().startswith(said) else None

    @property
    def people(self) -> People:
        """Who can be named."""
        return People({wind: name for wind, name in self.seats.items() if wind in WIND_NAMES}, self.again)

    def wind(self, word: str) -> str | None:
        """The wind that a word names, or that of the player whom it names. Raises Refused where it names two."""
        named = self.people.seat(word)
        if named is None or named in WIND_NAMES:
            return named
        return next(wind for wind, name in self.seats.items() if name == named)


def rows_of(line: str, table: AtTable) -> list[str] | None:
    """The strict rows that a line means; None where it is neither a hand nor scores.

    Raises Refused where it can mean two things, UnbracketedKong where a four lacks its brackets.
    """
    text = normal(line)
    scores = _scores(text, table)
    if scores is not None:
        return scores
    event = _EVENT.fullmatch(text)
    if event:
        return _event(event["word"].lower(), event["rest"], table)
    end = _end_of_hand(text)
    if end < len(text):
        return _hand_and_scores(text[:end].rstrip(" \t,;"), text[end:], table)
    return [_hand(text, table)] if _can_be_hand(text) else None


def named_first(line: str, table: AtTable) -> tuple[str, int] | None:
    """The wind of the player whom a line begins with, and where the rest begins; None where it begins with nobody.

    Raises Refused where it begins with the beginning of two names.
    """
    names = [re.escape(name) for name in table.seats.values() if " " in name]
    name = "|".join(('"[^"]*"', *names, r'[^\s:"@\[(]+'))
    match = re.match(rf"\s*({name})(?:@\w)?(?:\s*:\s*|\s+|(?=[\[(])|$)", line, re.IGNORECASE)
    if match is None:
        return None
    wind = table.wind(match[1])
    return None if wind is None else (wind, match.end())


def _can_be_hand(text: str) -> bool:
    return len(text) > 8 and re.search(r"[+<]|[1-9]\w|\.\.\.|dead|self|from", text) is not None


def _hand(text: str, table: AtTable) -> str:
    reading = read_hand(text, table.people, table.worth)
    if reading.hand.seat is not None:
        return reading.text
    if len(table.missing) == 1:
        return f"{table.missing[0]}: {reading.text}"
    raise refuse(
        "whose-hand",
        "it is not said whose hand this is",
        "begin with who has it: "
        + " or ".join(f"{wind} {visible(reading.text)}" for wind in table.missing[:2]),
    )


def _end_of_hand(text: str) -> int:
    """Where the scores behind a hand that won begin; the end of *text* where there are none."""
    scores = [*takewhile(lambda word: _BARE_SCORE.fullmatch(word[0]), reversed([*_WORD.finditer(text)]))]
    end = scores[-1].start() if scores else len(text)
    return end if re.search("[+<]", text[:end]) else len(text)


def _hand_and_scores(hand: str, scores: str, table: AtTable) -> list[str]:
    """The row of a hand, and those of the scores behind it, in order from East."""
    try:
        row = _hand(hand, table)
    except UnbracketedKong as four:
        raise UnbracketedKong(four.refusal, tuple(f"{line} {scores}" for line in four.lines)) from None
    seat = row.partition(":")[0].partition("@")[0]
    others = [_Item(None, score.casefold()) for score in _WORD.findall(scores)]
    return [row, *_seated(others, table, [wind for wind in _untold(table) if wind != seat])]


def _event(word: str, rest: str, table: AtTable) -> list[str]:
    """A line of what happens between hands, with winds for those whom it names."""
    name, colon, shown = rest.partition(":")
    wind = table.wind(name) if word == "wash" and colon else None
    if wind is not None:
        return [f"wash {wind}{_shown(shown.strip())}"]
    said, words, index = [word], rest.split(), 0
    if word == "penalty":
        said, index = [word, *words[:1]], 1  # its id stands before the players
    while index < len(words):
        named, behind = _seat(words, index, table)
        if named is None:
            sitter = table.sitter(" ".join(words[index:behind]))
            if sitter is None:
                break
            named = quote_name(sitter)
        said.append(named)
        index = behind
    return [" ".join([*said, *words[index:]])]


def _shown(tiles: str) -> str:
    """What stands behind the player who washes: so many heads, or the tiles."""
    if tiles.isdecimal():
        return f" {tiles}"
    read = read_tiles(_WINDS.sub(r"\g<0>w", _DRAGONS.sub(r"\g<0>d", tiles)))
    return f": {tiles if read is None else read}"


# ------------------------------------------------------------- bare scores


class _Item(NamedTuple):
    seat: str | None
    said: str


def _scores(text: str, table: AtTable) -> list[str] | None:
    """The rows of bare scores, each with its seat or in order from East; None where something else stands there."""
    words = _TOKEN.findall(text)
    if not any(_SCORE.fullmatch(word) or word.casefold() == "dead" for word in words):
        return None
    items: list[_Item] = []
    index = 0
    while index < len(words):
        found = _item(words, index, table)
        if found is None:
            return None
        item, index = found
        items.append(item)
    return _seated(items, table, _untold(table))


def _item(words: list[str], index: int, table: AtTable) -> tuple[_Item, int] | None:
    """One seat's score from *index* on, and where the next begins."""
    seat = None
    if not _SCORE.fullmatch(words[index]) and words[index].casefold() != "dead":
        seat, index = _seat(words, index, table)
        if seat is None or index >= len(words):
            return None
    if words[index].casefold() == "dead":
        return _Item(seat, "dead"), index + 1
    match = _SCORE.fullmatch(words[index])
    if match is None:
        return None
    index += 1
    said = match["score"]
    if match["won"]:
        said += _how(match["how"], table)
    elif index < len(words) and words[index].casefold() in _WON and not _is_seat_of_score(words, index):
        said += " win"
        index += 1
    else:
        return _Item(seat, said), index
    return _ended(_Item(seat, said), words, index, table)


def _is_seat_of_score(words: list[str], index: int) -> bool:
    """Whether a ``w`` before a score is West."""
    return (
        words[index].casefold() == "w" and index + 1 < len(words) and bool(_SCORE.fullmatch(words[index + 1]))
    )


def _seat(words: list[str], index: int, table: AtTable) -> tuple[str | None, int]:
    """Whom the words from *index* on name, and where the next begins; None for nobody who plays."""
    for name in (*table.seats.values(), table.sitting_out or ""):
        behind = index + len(name.split())
        spoken = " ".join(words[index:behind]).strip('"')
        if " " in name and spoken.casefold() == name.casefold():
            return table.wind(name), behind
    return table.wind(words[index]), index + 1


def _how(how: str, table: AtTable) -> str:
    """What stands right behind ``64w``: ``+`` for drawn, or who discarded."""
    if not how:
        return " win"
    if how == "+":
        return " win drawn"
    return f" win from {_named(how.lstrip('<'), table)}"


def _named(word: str, table: AtTable) -> str:
    named = table.people.strict(word)
    if named is None:
        raise nobody_called(word, table.seats.values())
    return quote_name(named)


def _ended(item: _Item, words: list[str], index: int, table: AtTable) -> tuple[_Item, int] | None:
    """What is said behind ``win``: drawn, from whom, doubles, the ninth."""
    said = item.said
    while index < len(words):
        word = words[index].casefold()
        after = words[index + 1] if index + 1 < len(words) else ""
        if word in _SELF:
            said += " drawn"
            index += 1
        elif word == "from":
            said += f" from {_named(after, table)}"
            index += 2
        elif word == "doubles" and after:
            said += f" doubles {after}"
            index += 2
        elif word == "ninth":
            said += " ninth"
            index += 1
        else:
            break
    return item._replace(said=said), index


def _untold(table: AtTable) -> Sequence[str]:
    """The winds whose lines are missing; all of them where none is, since they may be told anew."""
    return table.missing or list(table.seats)


def _seated(items: list[_Item], table: AtTable, winds: Sequence[str]) -> list[str]:
    """The rows, those without a seat in order of the *winds*. Raises Refused where it is not clear whose a score is."""
    named = [item.seat for item in items if item.seat is not None]
    if len(set(named)) < len(named):
        twice = next(seat for seat in named if named.count(seat) > 1)
        raise refuse("repeated-seat", f"{visible(table.seats[twice])} has two scores", "type one for each")
    left = [wind for wind in winds if wind not in named]
    bare = [item for item in items if item.seat is None]
    if bare and len(bare) != len(left):
        score = bare[0].said
        raise refuse(
            "whose-score",
            f"it is not said whose {visible(' '.join(item.said for item in bare))} {'is' if len(bare) == 1 else 'are'}",
            f"type {' or '.join(f'{wind} {score}' for wind in left)}"
            if len(bare) == 1 and left
            else f"type 1 score for {visible(table.seats[left[0]])}, or name the seats"
            if len(left) == 1
            else f"type {len(left)} scores, in order from East: {', '.join(visible(table.seats[wind]) for wind in left)}; "
            f"or name a seat, as in {visible(table.seats[left[0]])} {score}"
            if left
            else "every seat has its score already",
        )
    order = iter(left)
    return [f"{item.seat if item.seat is not None else next(order)}: {item.said}" for item in items]


# refusals in the language of a file, and those that a word which is no tile gets as a hand
_OF_FILES = frozenset(
    ("unknown-line", "row-without-seat", "bad-line", "indented", "unfinished-line", "no-seat-line")
)
_OF_TILES = frozenset(("unknown-character", "lower-case-honor", "unknown-class", "bad-seat", "stray-class"))


# what is asked back where a command is not whole; the others stand alone
_WHOLE = {
    "draw": ("draw what?", "type draw, or draw four where a four was declared"),
    "wash": ("wash whose tiles?", "type wash S 11, or wash S: and the tiles"),
    "false": ("false whom?", "type false W"),
    "long": ("long for whom?", "type long W"),
    "penalty": ("which penalty, and whose?", "type penalty, its id in the rulebook, and who pays"),
    "pay": ("pay whom, and how much?", "type pay S E 100"),
}


def _behind_a_name(line: str, table: AtTable) -> Refused | None:
    """What is wrong with a hand behind a player's name, at its place in the line; None where there is none."""
    named = named_first(line, table)
    if named is None:
        return None
    wind, start = named
    label = f"{wind}: "
    try:
        parse_row(label + line[start:])
    except Refused as refused:
        refusal = refused.refusal
        if refusal.code == "unfinished-line":
            return None  # his name alone
        assert refusal.column is not None  # the notation says where
        if refusal.code == "unknown-character" and refusal.column == len(label) + 1:
            return None  # words, and no hand with a wrong tile
        if refusal.column == 1:
            return Refused(refusal._replace(column=1, length=len(line), text=line))
        return Refused(refusal._replace(column=refusal.column - len(label) + start, text=line))
    return None


def at_the_table(line: str, refused: Refused, table: AtTable) -> Refused:
    """The refusal of a typed line, in the language of the table: never in that of a file."""
    code = refused.refusal.code
    if table.sitter(line.partition(":")[0]):
        code = "no-seat-line"
    # a score with a word too many is read as tiles too
    behind = _behind_a_name(line, table) if code in _OF_FILES | _OF_TILES | {"missing-class"} else None
    if behind is not None:
        return behind
    word = re.split(r"[\s:]", line.strip())[0]
    if code not in _OF_FILES and not (code in _OF_TILES and re.fullmatch(r"[^\W\d]{2,}", word)):
        return refused
    if table.people.seat(word) is not None:
        return refuse(
            "no-seat-line",
            f"behind {visible(word)} stands neither a hand nor a score",
            f"type {visible(word)} 64, {visible(word)} dead, or {visible(word)} and the hand",
        )
    sitter = table.sitter(word)
    if sitter is not None:
        return refuse(
            "sits-out",
            f"{visible(sitter)} sits out, and has no line in this hand",
            f"the players are {', '.join(map(visible, table.seats.values()))}",
            about=About("seat", word),
        )
    command = word.casefold()
    if command in COMMANDS:
        message, hint = _WHOLE.get(command, (f"{command} stands alone", f"type {command} alone"))
        return refuse("unfinished-line" if command in _WHOLE else "bad-line", message, hint)
    players = ", ".join(map(visible, table.seats.values()))
    return refuse(
        "unknown-command",
        f"{visible(word[:20])} is no command, and names nobody here",
        did_you_mean(
            word.casefold(),
            COMMANDS,
            f"the players are {players}; the commands are {' '.join(COMMANDS)}; help says what they do",
        ),
        about=About("seat", word),
    )
