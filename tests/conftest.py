"""Settings that hold for all tests."""

from __future__ import annotations

from hypothesis import settings

# the first hand of a process builds the parser, so no single example can be held to a deadline
settings.register_profile("mjscore", deadline=None)
settings.load_profile("mjscore")
