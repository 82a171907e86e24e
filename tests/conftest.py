"""Settings that hold for all tests."""

from __future__ import annotations

import os

from hypothesis import Phase, settings

# the first hand of a process builds the parser, so no single example can be held to a deadline
settings.register_profile("mjscore", deadline=None)
# HYPOTHESIS_PROFILE=long: what is tried at random is tried for an hour
settings.register_profile("long", deadline=None, max_examples=20_000)
# for mutation testing: the same few examples each time, and none made smaller
settings.register_profile(
    "mutation",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=30,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "mjscore"))
