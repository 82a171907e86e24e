"""Sixty hands, or thirty, typed at a terminal, with kills, edits and undone undoes, beside a spreadsheet."""

from __future__ import annotations

import random
import re

from amounts import part_of
from terminal import Terminal

from mjscore.record.context import Context
from mjscore.record.statistics import read_evening

HANDS = part_of(60, 2)
NAMES = ["Ann", "Ben", "Old Cid", "Dee"]
PROMPT = r"(?:^|\n)\r?(?P<hand>\d+)(?: \((?P<missing>[^)]*)\))?> \Z"
ASKS = r"write it\? (?:yes or no|yes, keep or no)> \Z"

Sheet = list[dict[str, int]]  # a row a hand: everybody's score, and below "won" the winner's place


def totals(sheet: Sheet) -> dict[str, int]:
    """Column by column, as a spreadsheet has it: the winner's score from each, then the differences."""
    points = dict.fromkeys(NAMES, 0)
    east = 0
    for row in sheet:
        for one in range(4):
            for other in range(4):
                amount = 0
                if one == row["won"] != other:
                    amount = row[NAMES[one]]
                elif row["won"] not in (one, other):
                    amount = max(0, row[NAMES[one]] - row[NAMES[other]])
                if east in (one, other):
                    amount *= 2
                points[NAMES[one]] += amount
                points[NAMES[other]] -= amount
        if row["won"] != east:
            east = (east + 1) % 4
    return points


def typed(name: str, row: dict[str, int]) -> str:
    label = f'"{name}"' if " " in name else name
    return f"{label}: {row[name]}{' win' if NAMES[row['won']] == name else ''}"


def test_sixty_hands_with_kills_edits_and_undone_undoes(tmp_path):
    chance = random.Random(1922)
    path = tmp_path / "e.mj"
    sheet: Sheet = [
        {**{name: 2 * chance.randint(0, 60) for name in NAMES}, "won": chance.randrange(4)}
        for _ in range(HANDS)
    ]
    kills = set(chance.sample(range(3, HANDS), part_of(10, 2)))
    edits = set(chance.sample(range(8, HANDS), 5))
    undoes = set(chance.sample(range(2, HANDS), 3))
    terminal = Terminal(path)
    prompt = terminal.until(PROMPT)
    for number, row in enumerate(sheet, 1):
        lines = [typed(name, row) for name in chance.sample(NAMES, 4)]
        assert int(prompt["hand"]) == number
        for place, line in enumerate(lines):
            terminal.type(line)
            if number in kills and place == chance.randrange(4):
                kills.discard(number)
                terminal.kill()
                terminal.end()
                terminal = Terminal(path)
                prompt = terminal.until(PROMPT)
                # what had been typed last may have been written, or not
                names = re.findall(r"[^,]+", (prompt["missing"] or "").replace(", ", ","))
                if int(prompt["hand"]) == number and (
                    not names or line.partition(":")[0].strip('"') in names
                ):
                    terminal.type(line)
                    prompt = terminal.until(PROMPT)
            else:
                prompt = terminal.until(PROMPT)
        if number in kills:
            terminal.kill()
            terminal.end()
            terminal = Terminal(path)
            prompt = terminal.until(PROMPT)
        if number in undoes:
            terminal.type("undo")
            assert int(terminal.until(PROMPT)["hand"]) == number
            terminal.type("redo")
            prompt = terminal.until(PROMPT)
        if number in edits:
            earlier = chance.randrange(number)
            name = chance.choice(NAMES)
            sheet[earlier][name] += 2
            terminal.type(f"edit {earlier + 1}")
            terminal.until(rf"edit {earlier + 1}> \Z")
            terminal.type(typed(name, sheet[earlier]))
            terminal.until(ASKS)
            terminal.type("yes")
            prompt = terminal.until(PROMPT)
    terminal.type("quit")
    assert terminal.end() == 0
    evening = read_evening(str(path), Context())
    assert not evening.refusals
    assert len(evening.played) == HANDS
    assert {name: evening.total(name) for name in evening.players} == totals(sheet)
    assert path.read_text().count("note edited; ") == 5
    assert list(tmp_path.iterdir()) == [path]
