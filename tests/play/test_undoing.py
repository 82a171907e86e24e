"""What was done last is told from the file alone exactly as the process that did it knows it."""

from __future__ import annotations

from mjscore.page.text import Style
from mjscore.play.actions import action_of
from mjscore.play.beginning import Asked, beginning
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
