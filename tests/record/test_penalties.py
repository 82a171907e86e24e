"""Washes and penalties that cannot be, and what to write instead; those that can be stand in tables.transcript."""

from __future__ import annotations

from checks import check_text
from tables import table

from mjscore.record.checker import Reader
from mjscore.record.context import Context
from mjscore.record.source import blocks, lines_of
from mjscore.rulebook.binding import bind
from mjscore.settling.settlement import nets


@table
def test_how_many_tiles_are_washed(text, code):
    found = check_text(f"{text}\n")
    assert [refusal.code for one in found for refusal in one.refusals] == [code] * bool(code)


@table
def test_a_penalty_that_is_not_known_is_paid_as_agreed(line, hint):
    """Who was named first pays one who was not named, if there is any; never themselves."""
    (found,) = check_text(f"rulebook harr\n{line}\n")
    assert [refusal.hint for refusal in found.refusals] == [hint]


@table
def test_what_a_rulebook_does_not_know_is_refused_with_another_way(text, message, hint):
    (found,) = check_text(f"{text}\n")
    assert [(refusal.message, refusal.hint) for refusal in found.refusals] == [(message, hint)]


@table
def test_what_an_event_is_and_says(text, kind, remark):
    *_, event = text.splitlines()
    settings = text.removesuffix(event)
    lines = lines_of(f"rulebook babcock-chinese\n{settings}players Ann Ben Cid Dee\n{event}\n")
    (found,) = Reader("x.mj", Context()).check(blocks(lines))
    assert (found.refusals, found.outcome.rulebook) == ((), "babcock-chinese")
    assert (found.outcome.kind, found.outcome.remarks) == (kind, () if remark is None else (remark,))
    assert nets(found.outcome.payments, "ESWN", bind("babcock-chinese").settling) == found.outcome.net
