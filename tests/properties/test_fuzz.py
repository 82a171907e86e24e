"""Raw bytes at every entrance: only refusals come out. What was found before lies in the corpus."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FUZZ = Path(__file__).parents[1] / "fuzz"
sys.path.insert(0, str(FUZZ))

from targets import TARGETS  # noqa: E402

CORPUS = sorted(path for path in (FUZZ / "corpus").iterdir() if path.name != ".gitkeep")


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_what_was_found_before(path):
    TARGETS[path.name.partition("-")[0]](path.read_bytes())


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_raw_bytes(target):
    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.binary(max_size=300))
    def run(data: bytes) -> None:
        TARGETS[target](data)

    run()


def test_a_fault_of_the_program_is_a_finding(monkeypatch):
    """Also one that the program turns into a line and a status of its own."""

    def broken(*given: object, **named: object) -> None:
        raise RuntimeError("not meant")

    TARGETS["command"](b"score\x00S@E: (222d) [1111c] 123b 456b 5c +5c!loose")
    monkeypatch.setattr("mjscore.scoring.scorer.score_hand", broken)
    monkeypatch.setenv("TMPDIR", "/nowhere")
    with pytest.raises(AssertionError, match=r"(?s)^3: .*mjscore has a fault: RuntimeError: not meant"):
        TARGETS["command"](b"score\x00S@E: (222d) [1111c] 123b 456b 5c +5c!loose")


def test_a_hundred_megabyte_line_is_passed_over():
    """A line is never held whole: twenty megabytes of it cost a few thousand bytes."""
    import tracemalloc

    from mjscore.record.checker import Reader
    from mjscore.record.context import Context
    from mjscore.record.source import blocks, read_lines

    class Endless:
        left = 20_000_000

        def readline(self, size: int = -1, /) -> bytes:
            if self.left <= 0:
                return b""
            many = min(size, self.left)
            self.left -= many
            return b"1" * many

    tracemalloc.start()
    (one,) = Reader("x", Context()).check(blocks(read_lines(Endless())))
    assert one.refusals[0].code == "long-line"
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()
