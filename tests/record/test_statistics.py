"""The statistics of an evening: what is left out of them, and what is kept."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tables import table

from mjscore.record.context import Context
from mjscore.record.statistics import LeftOut, least_payments, read_evening

HAND = "hand\n  Ann: 22 win\n  Ben: 3\n  Cid: dead\n  Dee: 4\n"
OPEN = f"rulebook babcock\nplayers Ann Ben Cid Dee\n{HAND}note before it\nhand\n  note within\n  Ben: 3\n"


@pytest.fixture
def path(tmp_path) -> Path:
    file = tmp_path / "evening.mj"
    file.write_text(OPEN)
    return file


def test_an_open_hand_is_in_no_figure(path):
    evening = read_evening(str(path), Context())
    assert evening.open_hand == LeftOut("2", 9, None, missing=("Ann", "Cid", "Dee"))
    assert [hand.mark for hand in evening.played] == ["1"]
    assert not evening.left_out
    assert not evening.refusals
    assert evening.closing_notes == ("before it", "within")
    path.write_text(OPEN.replace("note within\n  Ben: 3\n", "Ben: x\n") + "note last\n")
    assert read_evening(str(path), Context()).closing_notes == ("before it", "last")


@table
def test_nobody_pays_oftener_than_need_be(points, paid):
    found = least_payments(points)
    assert " ".join(f"{one.payer}>{one.payee}:{one.points}" for one in found) == paid


def test_the_least_payments_leave_everybody_even():
    chosen = random.Random(13)
    for _ in range(200):
        players = chosen.randrange(2, 9)
        points = {name: chosen.randrange(-4, 5) for name in "ABCDEFGH"[: players - 1]}
        points["Z"] = -sum(points.values())
        left, found = dict(points), least_payments(points)
        for one in found:
            assert one.points > 0
            left[one.payer] += one.points
            left[one.payee] -= one.points
        assert not any(left.values())
        # as many as owe or are owed, less one for each group that is even by itself: of few players all are tried
        owing = [name for name in points if points[name]]
        assert len(found) == len(owing) - _most_groups(tuple(points[name] for name in owing))


def _most_groups(points: tuple[int, ...]) -> int:
    """Count the groups of no points in all by taking the players one by one, in the best order."""
    sums = {0: 0}
    best = {0: 0}
    for mask in range(1, 1 << len(points)):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & mask - 1] + points[low]
        before = max(best[mask ^ 1 << one] for one in range(len(points)) if mask >> one & 1)
        best[mask] = before + (sums[mask] == 0)
    return best[(1 << len(points)) - 1]
