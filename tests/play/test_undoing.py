"""What was done last is told from the file alone exactly as the process that did it knows it."""

from __future__ import annotations

import pytest

from mjscore.page.text import Style
from mjscore.play.actions import action_of
from mjscore.play.beginning import Asked, beginning
from mjscore.play.changes import add_pool
from mjscore.play.reading import read_account
from mjscore.play.session import act, open_session
from mjscore.play.undoing import before_last
from mjscore.record.context import Occasion
from mjscore.refusal import Refused

HEAD = beginning(Asked("harr-limit", {}, ["Ann", "Ben", "Old Cid", "Dee"], Occasion("", "", "babcock", True)))
EVENING = [
    "Ann: 8", "Ben: 20 win", "Ann: 9 win", "note hm", "Ann: 7", "W: 12", "Dee: dead", "note well played",
    "draw", "pool Ann", "edit 1", "Dee: 80", "yes", "edit 1", "Ben: 20", "Ann: 7 win", "keep", "edit n1", "note x", "yes",
    "wash S 11", "edit 2b", "wash S 12", "yes", "edit 1", "Ann: 7", "Ben: 20 win", "yes", "E: 5", "S: 5 win",
    "E: 6", "E: 8", "note y", "edit 1", "Dee: 2", "yes", "label x", "E: 7", "label Red dragons", "W: 0", "N: 0",
    "pay E S 100", "label East again", "label", "label East", "Ann: 3\nBen: 4", "Ann: 5", "edit 1", "Ben: 22", "Ann: 8 win", "keep",
    '"Old Cid": 8\nDee: 40 win', "E: 0\nS: 0 win\nW: 0\nN: 0", "Ann: 3\nBen: 4\nDee: 9", "E: 2\nS: 2\nW: 2 win\nN: 2",
    "E: 2 win", "S: 2 win", "note z", "edit 1", "Ann: 80", "Ben: 20 win", "keep", "S: 2", "W: 2", "edit n1", "note y", "yes",
    "edit 2", "note hm", "yes", "N: 3",
]  # fmt: skip


def test_over_a_restart_undo_takes_back_the_same():
    session = open_session(HEAD)
    steps = 0
    for line in EVENING:
        try:
            session, _ = act(
                session, action_of(line, session.account.seats, session.draft is not None), Style()
            )
        except Refused:
            continue
        if session.draft is None and session.done:
            assert before_last(session.account)[0] == session.done[-1].before, line
            steps += 1
    assert steps > 20


def test_everything_is_undone_from_the_file_alone():
    session = open_session(HEAD)
    for line in EVENING:
        try:
            session, _ = act(
                session, action_of(line, session.account.seats, session.draft is not None), Style()
            )
        except Refused:
            continue
    text = session.account.text
    texts = [text]
    while text != HEAD:
        text, _ = before_last(open_session(text).account)
        assert text not in texts
        texts.append(text)
    assert len(texts) > 10


HAND = "hand @E\n  Ann: 8\n  Ben: 4 win\n  Dee: 0\n"
SETTLED = f'{HAND}  # settled by\n  "Old Cid": 2\n'
POOL = "pay Ben Ann 2\n  note into the pool\n"


@pytest.mark.parametrize(
    ("text", "before", "told"),
    [
        ("hand @E\n", "", "hand 1"),
        ("draw\nhand @E\n", "draw\n", "hand 2"),
        ('hand "x" @E\n', "", "the label"),
        ('hand "x" @E\n  # by hand\n', "", "the label"),
        ("draw\n", "", "the draw, hand 1"),
        ("draw\nnote x\n", "draw\n", "note 1"),
        (SETTLED, HAND, "Old Cid’s line, the last of hand 1,"),
        (f"{SETTLED}# by hand\n", f"{HAND}# by hand\n", "Old Cid’s line, the last of hand 1,"),
        # no hand is under way above what stands below it
        (f"{SETTLED}S: (222d) [1111c] 123b 456b 5c\n", "S: (222d) [1111c] 123b 456b 5c\n", "hand 1"),
        (f"draw\nnote the pool goes to Ann\n{POOL}{POOL}", "draw\n", "the pool of Ann"),
        (f'note the pool goes to "Old Cid"\n  # by hand\n{POOL}', "", "the pool of Old Cid"),
        (f"note the pool goes to Ann\n{POOL}draw\n", f"note the pool goes to Ann\n{POOL}", "the draw, hand 1"),
        ("note the pool goes to Ann\n", "", "note 1"),
        (f"note x\n{POOL}", "note x\n", "the payment 0a"),
        (f"draw\n{POOL}", "draw\n", "the payment 1a"),
        (POOL, "", "the payment 0a"),
        ("note the pool goes to Ann\npay Ben Ann 2\n  note x\n", "note the pool goes to Ann\n", "the payment 0a"),
        ("note the pool goes to Ann\npay Ben Ann 2\n", "note the pool goes to Ann\n", "the payment 0a"),
        ("note the pool goes to Ann\ndraw\n  note into the pool\n", "note the pool goes to Ann\n", "the draw, hand 1"),
    ],
)  # fmt: skip
def test_what_was_done_last_is_told_from_the_file(text, before, told):
    head = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'
    assert before_last(read_account(head + text)) == (head + before, told)


@pytest.mark.parametrize("winner", ["Ann", "Old Cid"])
def test_a_pool_is_told_by_the_same_words_over_a_restart(winner):
    pool = add_pool(read_account(HEAD), winner, {"Ann": 2, "Ben": 4, "Old Cid": 6})
    assert before_last(read_account(pool.text)) == (HEAD, pool.words)
