"""A test that goes through its rows tells of each one that fails, and takes the rest as fixtures."""

from __future__ import annotations

import pytest
from tables import each


@each(("number", "most"), [(1, 3), (5, 2), (2, 2), (7, 0)])
def below(number, most, more):
    assert number <= most + more


def test_each_row_that_fails_is_told():
    below(more=7)
    with pytest.raises(ExceptionGroup, match="2 of 4 rows") as failed:
        below(more=1)
    notes = [fault.__notes__ for fault in failed.value.exceptions]
    assert notes == [["with number, most: (5, 2)"], ["with number, most: (7, 0)"]]
