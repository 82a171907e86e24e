"""The same input gives the same output in every run: nothing printed depends on the order of a set."""

from __future__ import annotations

from programs import run_all

CALLS = [
    ("score", "S@E: (222d) [1111c] 123b 456b 5c +5c!loose", "--why"),
    ("settle", "samples/table.mj", "--counters", "harr"),
    ("rules", "show", "babcock-chinese"),
]


def test_the_hash_seed_changes_nothing():
    shown = {run_all(CALLS, {"PYTHONHASHSEED": str(seed), "COLUMNS": "100"}).stdout for seed in range(1, 7)}
    assert len(shown) == 1
    assert shown.pop().count(b"exit 0 of") == len(CALLS)
