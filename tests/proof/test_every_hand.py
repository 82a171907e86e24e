"""The proof's own figures, and a slice of it for each rulebook; the whole is a command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from every_hand import RULEBOOKS, all_hands, orbits_at, orphans, proved

EACH = 8001  # of so many hands one is scored here


@pytest.mark.parametrize(("place", "stand"), [("E@S", 325_412), ("W@W", 283_371)])
def test_the_hands_that_stand_for_others_add_up_to_all_and_a_slice_scores_the_same_the_slow_way(place, stand):
    found = list(orbits_at(place))
    assert len({(one.suits, one.honors) for one in found}) == len(found) == stand
    assert sum(one.size for one in found) == all_hands() == 11_498_658
    for rulebook in RULEBOOKS:
        result = proved(rulebook, place, orphans(rulebook) + found[7::EACH])
        assert result.differences == ()
        assert result.wins > 12 * result.hands > 300
