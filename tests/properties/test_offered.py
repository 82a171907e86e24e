"""What a refusal offers to type is tried: each whole line in a hint is read by what refused, and says nothing new."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from amounts import in_turn, part_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from spoken import MAKERS, said_hand

import mjscore
from mjscore.cli.typed_hands import worth_by
from mjscore.game.hand import Hand
from mjscore.game.tiles import TILE_NAMES, WIND_NAMES
from mjscore.notation.disambiguation import UnbracketedKong
from mjscore.notation.hands import read_hand
from mjscore.notation.names import People
from mjscore.play.actions import action_of
from mjscore.play.reading import read_action
from mjscore.play.session import open_session
from mjscore.record.lines import parse_line, parse_row
from mjscore.refusal import Refusal, Refused
from mjscore.rulebook.binding import bind

TESTS = Path(__file__).parents[1]
EVENING = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'
SESSION = open_session(EVENING)
TABLE = People({"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}, "Ben", "E")
HARR = bind("harr")
WHOLE = 10  # tiles; what has fewer is part of a hand, or an example


def score(line: str) -> object:
    """Read a hand as ``score`` does, and score it."""
    return mjscore.score(read_hand(line, worth=worth_by([HARR], None, None)).hand, HARR)


def check(line: str) -> object:
    """Read a line of a file of hands, or a row below ``hand``."""
    return (parse_row if line.startswith(" ") else parse_line)(line)


def play(line: str) -> object:
    """Type a line in ``play``, which asks how a four without brackets came, and offers no line then."""
    action = action_of(line, SESSION.seats, False)
    if action.kind not in ("rows", "event"):
        return action
    try:
        return read_action(line, SESSION)
    except UnbracketedKong as kong:
        raise Refused(kong.refusal._replace(hint="type claimed or declared", lines=())) from None


# questions, which name what else was meant: other letters, or what a hand told in words may have been
ASKING = ("two-meanings", "ambiguous-w", "two-readings", "which-tile", "passed-over", "whose-hand")
DOORS: dict[str, Callable[[str], object]] = {
    "parse": mjscore.parse,
    "score": score,
    "play": play,
    "check": check,
    "check a row": lambda line: check(f"  S: {line.strip().removeprefix('S:')}"),
}


def refused_lines() -> Iterator[str]:
    """Give what stands in the tables of what is typed and said, and in the examples of refusals."""
    for path in (*TESTS.glob("notation/*.txt"), *TESTS.glob("play/*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith(("#", "[")):
                typed = re.split(r"\s+=[>!]\s+| \| |  \$ ", re.sub(r"^\{\w+\} |^[a-z-]+  \$ ", "", line))[0]
                yield typed.replace("\\t", "\t").strip()
    for path in Path(mjscore.__file__).with_name("refusals").glob("*.toml"):
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).values():
            if isinstance(entry, dict):
                texts = [str(entry.get("input", "")), *map(str, dict(entry.get("files", {})).values())]
                yield from re.findall(r"'([^']*)'", str(entry["example"]))
                yield from "\n".join(texts).splitlines()


LINES = sorted({line for line in refused_lines() if 20 < len(line) <= 300})


def offered(refusal: Refusal) -> list[str]:
    """Give the whole lines that a refusal offers: those that it knows of, and any other that its hint has."""
    hint = refusal.hint
    for line in refusal.lines:
        hint = hint.replace(line, "")
    pieces = re.split(
        r"(?:^|; |, )(?:type|so|without it,|as in)\b| if it | if \w+ was|, (?=\S+ \S+ )| or | would be read|; ",
        hint,
    )
    lines = [
        piece.strip()
        for piece in pieces
        if len(re.findall(r"[1-9](?=[1-9]*[bcd])|[ESWNRG]", piece)) >= WHOLE
        and not re.search(r"([1-9])\1{4}", piece)  # five alike are no tiles of a hand
        and " for " not in piece  # tiles with each class
    ]
    return [*refusal.lines, *lines]


def untold(refusal: Refusal, read: Callable[[str], object]) -> list[tuple[str, str, str]]:
    """Give the offered lines that are refused in their turn, or that the hint does not say."""
    wrong = []
    for line in offered(refusal) if refusal.code != "empty-hand" else []:
        try:
            read(line)
        except Refused as again:
            if "a line for each" in refusal.hint and again.refusal.lines:
                continue  # it is asked about in its turn
            wrong.append((refusal.code, refusal.hint, f"{line}: {again.refusal.code}"))
    return wrong + [(refusal.code, refusal.hint, line) for line in refusal.lines if line not in refusal.hint]


def altered(line: str, chance: random.Random) -> str:
    """Drop a word of a line, swap two, say one twice, or misspell one."""
    words = line.split(" ")
    place, other = chance.randrange(len(words)), chance.randrange(len(words))
    how = chance.randrange(4)
    if how == 0:
        words[place] = ""
    elif how == 1:
        words[place], words[other] = words[other], words[place]
    elif how == 2:
        words[place] += f" {words[place]}"
    else:
        letter = chance.randrange(len(words[place]) + 1)
        words[place] = words[place][:letter] + chance.choice("bcdqx(1[>w") + words[place][letter + 1 :]
    return " ".join(filter(None, words))


def refusals(line: str) -> Iterator[tuple[Callable[[str], object], Refusal]]:
    for read in DOORS.values():
        try:
            read(line)
        except Refused as refused:
            yield read, refused.refusal


@pytest.mark.timeout(600)
@pytest.mark.parametrize("door", DOORS)
def test_every_whole_line_that_is_offered_is_read(door):
    """Each line by one door in turn, half or a quarter by the two that take longest, all by every door where all is tried."""
    read, chance, wrong, count = DOORS[door], random.Random(31), [], 0
    share = {"play": 4, "score": 2}.get(door, 1) * len(DOORS)
    for line in in_turn(LINES, [*DOORS].index(door), share):
        # one reader stands behind all doors; the two that people use are tried with slips too
        for typed in (line, altered(line, chance)) if door in ("score", "play") else (line,):
            try:
                read(typed)
            except Refused as refused:
                count += len(offered(refused.refusal))
                wrong += [(typed, *one) for one in untold(refused.refusal, read)]
    assert wrong[:5] == []
    assert count > 20


@settings(max_examples=part_of(40, 2))
@given(st.integers(0, 10**9))
@example(500457)  # (999+1c) was offered without its parentheses, as no kong
def test_what_is_offered_for_a_hand_said_wrongly_is_read_and_says_nothing_new(seed):
    chance = random.Random(seed)
    hand = MAKERS[seed % 4](chance)._replace(round=None, no_choice=False, flags=frozenset())
    if hand.win is not None:
        hand = hand._replace(win=hand.win._replace(earlier=None, all_from=None, stated=None))
    typed = altered(said_hand(hand, chance), chance)
    for read, refusal in refusals(typed):
        assert untold(refusal, read) == []
        for line in refusal.lines if refusal.code not in ASKING else ():
            with suppress(Refused):  # play goes by what each of two hands is worth, too
                told = kinds(read_hand(line, TABLE).hand)
                assert told <= may_be_typed(hand, typed), (typed, refusal.hint)


def kinds(hand: Hand) -> set[str]:
    """Give the values and the classes of a hand's tiles."""
    won = (hand.win.tile,) if hand.win is not None else ()
    tiles = [*hand.concealed, *hand.bonus, *won, *(tile for one in hand.sets for tile in one.tiles)]
    return {part for tile in tiles for part in TILE_NAMES[tile]}


def may_be_typed(hand: Hand, typed: str) -> set[str]:
    """Give the values and classes of the tiles that were said, and letters that a slip put in."""
    # by name, or by a letter that a slip has left alone: op>n
    winds = {
        wind
        for wind in "ESWN"
        if WIND_NAMES[wind].lower() in typed.lower() or re.search(rf"\b{wind}\b", typed, re.IGNORECASE)
    }
    # a wan is a character, wd and db are the white dragon; a slip may leave the flower bamboo, or the French east
    as_words = {"w": "c", "wd": "W", "db": "W", "bamboo": "3f", r"\best": "E"}
    meant = {value for word, values in as_words.items() if re.search(rf"{word}\b", typed) for value in values}
    return kinds(hand) | set(re.findall("[1bcdw]", typed)) | winds | meant | ({"w"} if winds else set())
