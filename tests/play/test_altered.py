"""What was typed decides: a line with one name put for another, twice, or left out is refused, or tells just that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from pathlib import Path

import pytest
from amounts import in_turn
from tables import each, table

from mjscore.play.line_speech import AtTable
from mjscore.play.typed_line import read_line
from mjscore.refusal import Refused

TABLE = AtTable({"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}, list("ESWN"), "Ben", limit=600)
MISSING = {None: "ESWN", "N": "N", "SN": "SN"}
TABLES = {who: TABLE._replace(missing=list(missing)) for who, missing in MISSING.items()}
SAID = re.findall(
    r"^(?!#)(?:\{(\w+)\} )?(\S.*?) +(=>|=!) +(.*)$",
    (Path(__file__).parent / "speech.txt").read_text(encoding="utf-8"),
    re.MULTILINE,
)
NAMES = {"E": ["ann", "east", "e"], "S": ["ben", "south", "s"], "W": ["old cid", "cid", "west"], "N": ["dee", "north", "n"]}  # fmt: skip
SEATS = {name: seat for seat, names in NAMES.items() for name in names}
_NAME = re.compile(rf"(?<![^\W_])({'|'.join(sorted(SEATS, key=len, reverse=True))})(?![^\W_]|:\w)", re.IGNORECASE)  # fmt: skip
_ROW = re.compile(r"(\w): (\S+)( win)?( drawn)?(?: from (.+?))?( (?:doubles|ninth).*)?")
PHRASES = [
    (line, who or None, said.split("; "))
    for who, line, sign, said in SAID
    if sign == "=>" and who != "five" and _ROW.fullmatch(said.split("; ")[0])
]


def rows(line: str, who: str | None) -> frozenset[tuple[str, ...]] | None:
    """Who has what, and who won off whom; None where the line is refused, or could not be a hand."""
    try:
        return told(read_line(line, TABLES[who]).lines)
    except Refused:
        return None


def told(lines: list[str]) -> frozenset[tuple[str, ...]] | None:
    found = [_ROW.fullmatch(line) for line in lines]
    if any(row is None for row in found):
        return None
    read = [
        (row[1], row[2], row[3] or "", row[4] or "", seat_of(row[5]), row[6] or "") for row in found if row
    ]
    won = [row for row in read if row[2]]
    return None if len(won) > 1 or any(row[0] == row[4] for row in won) else frozenset(read)


def seat_of(name: str | None) -> str:
    return SEATS.get((name or "").strip('"').casefold(), name or "")


def altered(line: str):
    """Each line that has one name for another, twice or left out, with the seats of the names before and then."""
    places = [found.span(1) for found in _NAME.finditer(line)]
    words = [line[start:end] for start, end in places]
    for place, word in enumerate(words):
        for other in ("ann", "ben", "cid", "dee", "", f"{word} {word}"):
            if seat_of(other) != seat_of(word):
                yield placed(line, places, [*words[:place], other, *words[place + 1 :]])
    for one, other in combinations(range(len(words)), 2):
        swapped = list(words)
        swapped[one], swapped[other] = words[other], words[one]
        yield placed(line, places, swapped)


def placed(line: str, places: list[tuple[int, int]], words: list[str]) -> tuple[str, list[tuple[str, str]]]:
    text, end, pairs = "", 0, []
    for (start, until), word in zip(places, words, strict=True):
        text += line[end:start] + word
        pairs.append((seat_of(line[start:until]), seat_of(word.split(" ")[0] if word != "old cid" else word)))
        end = until
    return re.sub(r"  +", " ", text + line[end:]).strip(), pairs


def may_tell(
    said: list[str], pairs: list[tuple[str, str]], missing: str
) -> Iterator[frozenset[tuple[str, ...]]]:
    """All that an altered line may tell: a name stands for whose score it is, for who won, for both, or for who discarded.
    Scores with no name are in order from East, and a name that was left out is of whom alone is left.
    """
    first = {row[0]: row for row in sorted(told(said) or (), key=lambda row: "ESWN".index(row[0]))}
    winner = next((row[0] for row in first.values() if row[2]), "")
    thrower = next((row[4] for row in first.values() if row[4]), "")
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    for roles in product(("score", "win", "score win", "thrower"), repeat=len(changed)):
        kept = Counter(before for before, now in pairs if before == now)
        now_at = {seat: seat for seat in first if kept[seat]}
        won, threw = winner, thrower
        for (before, now), role in zip(changed, roles, strict=True):
            if "score" in role:
                now_at[before] = now
            if "win" in role and before == winner:
                won = now
            if role == "thrower" and before == thrower:
                threw = now
        for unnamed in ([seat for seat in first if seat not in now_at], list(first)):
            seats = {seat: now_at[seat] for seat in first if seat not in unnamed}
            left = [seat for seat in missing if seat not in seats.values()]
            there = [seat for seat in first if seats.get(seat, "") == ""]
            if len(there) < len(left) and len(first) < 4 and not there:
                left = []
            if len(there) == len(left) and len(set(seats.values()) - {""}) == len(
                [one for one in seats.values() if one]
            ):
                seats |= dict(zip(there, left, strict=True))
                wins = won or seats.get(winner)
                yield frozenset(
                    (seats[seat], row[1], " win" if seats[seat] == wins else "")
                    + ((first[winner][3], threw, first[winner][5]) if seats[seat] == wins else ("", "", ""))
                    for seat, row in first.items()
                )


@each(("line", "who", "said"), PHRASES)
def test_an_altered_line_is_refused_or_tells_just_that(line, who, said):
    assert rows(line, who) is not None
    for text, pairs in in_turn([*altered(line)], line, 8):
        read = None if text == "64 w" else rows(text, who)  # west has 64, or somebody wins with it
        assert read is None or read in set(may_tell(said, pairs, MISSING[who])), (text, sorted(read))


@table
def test_what_was_typed_decides(line, told):
    if told.startswith("="):
        assert read_line(line, TABLES[None]).lines == told.removeprefix("= ").split(" ; ")
        return
    with pytest.raises(Refused) as refused:
        read_line(line, TABLES[None])
    assert refused.value.refusal.code == told
    assert refused.value.refusal.hint


@table
def test_what_is_blamed(line, code, words):
    with pytest.raises(Refused, match=re.escape(words)) as refused:
        read_line(line, TABLE)
    assert refused.value.refusal.code == code


# a line means the same whoever plays
_IN_FULL = re.compile(r"(?<![^\W_])(old cid|ann|ben|cid|dee|east|south|west|north)(?![^\W_])", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w,.-])[0-9]+(?![\w,.:])")
_TOLD = re.compile(r"(?<![^\W_])(?:[ESWN]|Ann|Ben|Old Cid|Dee)(?![^\W_])|[0-9]+")
_IN_ORDER = re.compile(r"(?<![^\W_])(?:again|ditto|same|limit|[a-z]|[a-z]w)(?![^\W_])", re.IGNORECASE)
ORDERS = list(permutations("ESWN"))[1:]


def as_told(told: str, seats: dict[str, str], numbers: dict[str, str]) -> str:
    """What is told, with other seats and numbers."""
    return _TOLD.sub(
        lambda one: numbers.get(one[0], one[0]) if one[0].isdecimal() else seats[seat_of(one[0])], told
    )


def read_so(line: str, who: str | None) -> list[str] | None:
    """The lines that are read, with the seats for names; None for none."""
    try:
        told = read_line(line, TABLES[who]).lines
    except Refused:
        return None
    return sorted(as_told(one.replace('"', ""), dict(zip("ESWN", "ESWN", strict=True)), {}) for one in told)


def all_named(line: str, told: list[str]) -> bool:
    """Whether each score that is told has a name in the line, or all others have as much."""
    seats = {seat_of(name[0]) for name in _IN_FULL.finditer(line)}
    rest = {row.partition(":")[2] for row in told if ":" in row and row[0] not in seats}
    return bool(seats) and len(rest) < 2 and not _IN_ORDER.search(line)


LINES = [
    (number, line, who or None, told.split("; "))
    for number, (who, line, sign, told) in enumerate(SAID)
    if sign == "=>"
    and who != "five"
    and not line.startswith(("seat", "eve"))
    and all_named(line, told.split("; "))
]


@each(("number", "line", "who", "told"), LINES)
def test_other_names_change_nothing(number, line, who, told):
    seats = dict(zip("ESWN", ORDERS[number % len(ORDERS)], strict=True))
    forms = {
        name: NAMES[seats[seat]][place] for seat, names in NAMES.items() for place, name in enumerate(names)
    }
    forms |= {"west": NAMES[seats["W"]][1], "cid": NAMES[seats["W"]][0]}
    renamed = _IN_FULL.sub(lambda name: forms[name[0].casefold()], line)
    assert read_so(renamed, None) in (
        None,
        sorted(as_told(one.replace('"', ""), seats, {}) for one in told),
    ), renamed


@each(("number", "line", "who", "told"), LINES)
def test_other_numbers_change_nothing(number, line, who, told):
    numbers = _NUMBER.findall(line)
    turn = number % len(numbers) if numbers else 0
    others = dict(zip(numbers, numbers[turn:] + numbers[:turn], strict=True))
    if len({*numbers}) == len(numbers) > 1 and "0" not in numbers:
        renumbered = _NUMBER.sub(lambda one: others[one[0]], line)
        same = dict(zip("ESWN", "ESWN", strict=True))
        assert read_so(renumbered, who) in (
            None,
            sorted(as_told(one.replace('"', ""), same, others) for one in told),
        )
