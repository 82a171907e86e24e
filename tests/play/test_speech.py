"""What people say at a table, as a table of lines; the words of every language in a line; one reading for every key."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from amounts import in_turn, part_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lark import Lark
from refusals import refusal_of
from tables import each

from mjscore.notation import disambiguation, spoken
from mjscore.notation.names import nearest
from mjscore.notation.strict_reader import StrictReader
from mjscore.notation.vocabulary import KINDS, LANGUAGES, vocabulary
from mjscore.play import typed_line
from mjscore.play.line_speech import AtTable
from mjscore.play.live import live
from mjscore.play.reading import at_table, read_action
from mjscore.play.session import open_session
from mjscore.play.typed_line import read_line
from mjscore.refusal import Refused

TABLE = AtTable({"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}, list("ESWN"), "Ben", limit=600)
TABLES = {
    None: TABLE,
    "N": TABLE._replace(missing=["N"]),
    "SN": TABLE._replace(missing=["S", "N"]),
    "five": TABLE._replace(sitting_out="Eve", limit=None),
}
SAID = re.findall(
    r"^(?!#)(?:\{(\w+)\} )?(\S.*?) +(=>|=!) +(.*)$",
    (Path(__file__).parent / "speech.txt").read_text(encoding="utf-8"),
    re.MULTILINE,
)
NOTATION = Path(__file__).parents[1] / "notation"
SPELLING = Path(__file__).parent / "spelling.txt"
RECOGNISERS = (
    (StrictReader, "read"),
    (typed_line, "read_ways"),
    (disambiguation, "read_ways"),
    (typed_line, "told_hand"),
    (spoken, "told_hand"),
    (typed_line, "guesses"),
)
HAND = "w 123b444ceee/77d67c<8c:e 2 8 0"
SESSION = open_session('rulebook harr\nplayers Ann Ben "Old Cid" Dee\n')


@each(("who", "line", "sign", "said"), SAID)
def test_what_is_said(who, line, sign, said):
    table = TABLES[who or None]
    if sign == "=>":
        assert read_line(line, table).lines == said.split("; ")
        return
    refusal = refusal_of(read_line, line, table)
    code, _, hint = said.partition(": ")
    assert refusal.code == code
    assert hint in refusal.hint


def test_what_is_refused_is_told_at_its_place():
    """Nothing is looked for in a message: each refusal knows where it stands in what was typed."""
    for who, line, sign, _ in SAID:
        if sign == "=!":
            refusal = refusal_of(read_line, line, TABLES[who or None])
            assert refusal.text == line
            assert refusal.column is not None
            assert 0 < refusal.column <= len(line) + 1
            assert refusal.column - 1 + refusal.length <= max(len(line), refusal.column), line
    # a name of no more than a letter or two begins the line
    assert refusal_of(read_line, "no, scrap it, Ann 20 drawn", TABLES[None]).column == 1


def test_a_line_that_is_read_meets_two_recognisers_at_most(monkeypatch):
    """Of the strict grammar, the pieces, hands told in words and guesses at scores; refused lines meet more.

    One in four of the lines that other tests read; all where all is tried.
    """
    met = []

    def count(home, name):
        recogniser = getattr(home, name)
        monkeypatch.setattr(home, name, lambda *given: met.append(name) or recogniser(*given))

    for home, name in RECOGNISERS:
        count(home, name)
    hands = "".join((NOTATION / name).read_text(encoding="utf-8") for name in ("readings.txt", "speech.txt"))
    typed = re.findall(r"^(?!#)(?:\{play\} )?(\S.*?) +=> ", hands, re.MULTILINE)
    offered = re.findall(r"\| (?!offered)(\S.*)$", SPELLING.read_text(encoding="utf-8"), re.MULTILINE)
    lines = [(who, line) for who, line, sign, _ in SAID if sign == "=>"]
    lines += [("N", line.replace("\\t", "\t")) for line in [*typed, *offered]]
    read = set()
    for who, line in in_turn(lines, 0):
        met.clear()
        with suppress(Refused):
            read_line(line, TABLES[who or None])
            read.add((*sorted(met),))
            assert len(met) < 3, (line, met)
    assert {("read",), ("read_ways",), ("read_ways", "told_hand"), ("guesses", "read_ways")} <= read


# a line for each kind of word, and what is read of it; None where the value itself says what
LINES = {
    "wind": ("{} 64", lambda value: [f"{value}: 64"]),
    "number": ("ben 8, cid 8, dee 8, ann {}", lambda value: ["S: 8", "W: 8", "N: 8", f"E: {value}"]),
    "count": ("ben {}", lambda value: [f"S: {value}"]),
    "win": ("ben {} 64", lambda value: ["S: 64 win"]),
    "sign": ("cid 64 {}", lambda value: ["W: 64 win drawn" if value == "+" else "W: 64 win"]),
    "from": ("cid wins 64 {} dee", lambda value: ["W: 64 win from Dee"]),
    "event": ("{}", lambda value: [value]),
    "others": ("dee 40 win, {} 0", lambda value: ["N: 40 win", "E: 0", "S: 0", "W: 0"]),
    "nothing": ("ben {}", lambda value: ["S: 0"]),
    "doubles": ("ben 64 win {} 3", lambda value: ["S: 64 win doubles 3"]),
    "empty": ("ben {} 64", lambda value: ["S: 64"]),
    "talk": ("{} ben 64", lambda value: ["S: 64"]),
    "has": ("ben {} 64", lambda value: ["S: 64"]),
    "fed": ("ben {} ann 64", lambda value: ["E: 64 win from Ben"]),
    "limit": ("ben {} win", lambda value: ["S: 600 win"]),
}
EVENTS = {
    "draw": ("{}", ["draw"]),
    "wash": ("{} ben 11", ["wash S 11"]),
    "false": ("{} ben", ["false S"]),
    "long": ("{} ben", ["long S"]),
    "pay": ("ben {} ann 50", ["pay S E 50"]),
    "penalty": ("{} misnamed-discard ben", ["penalty misnamed-discard S"]),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_every_language_is_read_in_a_line(language):
    read = 0
    for phrase, meanings in vocabulary().meanings.items():
        for meaning in meanings:
            if meaning.language != language or meaning.kind not in LINES:
                continue
            if any(one[:2] == ("deed", "throws") for one in meanings):
                continue  # who discarded did not win: it is asked
            if meaning.kind == "wind" and language != "en" and nearest(phrase, TABLE.seats.values()):
                continue  # it may be a name that is misspelt: it is asked
            line, said = LINES[meaning.kind]
            expected = said(meaning.value)
            if meaning.kind == "event":
                line, expected = EVENTS[meaning.value]
            assert read_line(line.format(phrase), TABLE).lines == expected, line.format(phrase)
            read += 1
    assert read > 1


def test_a_word_has_a_kind_that_is_known():
    assert {meaning.kind for meanings in vocabulary().meanings.values() for meaning in meanings} <= set(KINDS)


@pytest.mark.parametrize("name", ["Chi", "Nan", "Win", "Out", "Nobody"])
def test_a_player_whose_name_is_a_word_goes_before_the_word(name):
    table = TABLE._replace(seats={**TABLE.seats, "S": name})
    assert read_line(f"{name.lower()} 64", table).lines == ["S: 64"]
    assert read_line(f"dee 40w, {name.lower()} 8, others 0", table).lines == [
        "N: 40 win", "S: 8", "E: 0", "W: 0",
    ]  # fmt: skip


def counted(monkeypatch) -> list[str]:
    """The calls of Lark and of the reader of pieces from now on."""
    calls: list[str] = []
    parse, read_ways = Lark.parse, typed_line.read_ways
    monkeypatch.setattr(Lark, "parse", lambda *args, **named: calls.append("parse") or parse(*args, **named))
    monkeypatch.setattr(typed_line, "read_ways", lambda *args: calls.append("ways") or read_ways(*args))
    return calls


def test_a_line_is_read_once(monkeypatch):
    read_line(HAND, TABLE)
    calls = counted(monkeypatch)
    assert len(read_line(HAND, TABLE).rows) == 4
    assert calls.count("ways") == 1
    assert len(calls) <= 3


def test_a_key_of_the_live_line_is_one_reading(monkeypatch):
    live(SESSION, HAND, 100)
    calls = counted(monkeypatch)
    for end in range(1, len(HAND) + 1):
        calls.clear()
        live(SESSION, HAND[:end], 100, "plain")
        assert calls.count("ways") == 1, HAND[:end]
        assert len(calls) <= 3, HAND[:end]


WORDS = """
    ann ben cid dee old e s w n 2 8 0 64 64w 12 wins out drawn from off others nothing dead - , : / 123b 444c eee rr <8c +5d
    (rrr) pung of east red dragons draw nobody won pays false 5c self again doubles win zz 4
"""


@example("2 w")
@given(st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join))
def test_the_live_line_refuses_what_enter_refuses(line):
    """What Enter takes is shown without a mistake, and what is entered says the same mistake in both."""
    table = at_table(SESSION)
    try:
        typed = read_line(line, table)
    except Refused as refused:
        entered = live(SESSION, f"{line}\n", 100, "plain")
        if entered.refusal is not None and line.strip():
            assert entered.refusal.code == refused.refusal.code
        return
    if line.strip():
        so_far = read_line(line, table, whole=False)
        assert so_far.fault is None
        assert so_far.lines == typed.lines


@pytest.mark.parametrize("players", ["Ann Ben", "Ann Ben Dee", 'Ann Ben "Old Cid" Dee Eve'])
def test_whoever_plays_what_is_said_is_read_or_refused(players):
    """With two or three players nobody sits at a wind that a line names."""
    settings = {
        2: "rulebook harr\n",
        3: "rulebook babcock\nset players 3\n",
        5: "rulebook babcock\nset players 5\n",
    }
    count = len(players.replace("Old ", "").split())
    session = open_session(f"{settings[count]}players {players}\n")
    rows = re.findall(r"^([^#\[|\n]*?) +\|", SPELLING.read_text(encoding="utf-8"), re.MULTILINE)
    for line in in_turn([*rows, *(line for _, line, _, _ in SAID)], players, 16):
        with suppress(Refused):
            read_action(line, session)
        with suppress(Refused):
            live(session, line, 60)


@settings(max_examples=part_of(400))
@given(st.sampled_from(SAID), st.integers(1, 80), st.sampled_from(SAID), st.integers(0, 40))
def test_whatever_is_typed_is_read_or_refused(one, end, other, more):
    """The beginning of a line, and that of another behind it: nothing else is raised, at Enter or while it is typed."""
    line = f"{one[1][:end]} {other[1][:more]}"
    live(SESSION, line, 100)
    try:
        read_action(line, SESSION)
    except Refused as refused:
        assert refused.refusal.column is None or refused.refusal.column > 0
