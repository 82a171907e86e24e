"""An evening at the table: typed lines in, the file kept, what is to be shown out.

Between the session, which knows no disk, and the store, which knows nothing else. A session takes the place
of the one before it only when its text is in the file.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from mjscore.page.text import Style
from mjscore.play.actions import ADDING, ASKING, Action, action_of
from mjscore.play.changes import check_line
from mjscore.play.mending import told_draft
from mjscore.play.session import Session, act, open_session
from mjscore.play.showing import show_greeting, show_lines, show_news
from mjscore.play.store import Store
from mjscore.refusal import Refused, refuse, visible


class Table:
    """A session and the file that keeps it. *say* prints. Raises Refused where the file does not hold."""

    def __init__(self, store: Store, say: Callable[[str], None], style: Style, folder: str = "") -> None:
        self.store = store
        self.say = say
        self.style = style
        text = store.read()
        self.session = open_session(text or "", store.path, folder)
        self._intended: Session | None = None
        self._take_over_version_1()

    def take(self, line: str) -> bool:
        """Does what a line asks for; False where it ends the evening. Raises Refused for a line to be mended."""
        if not line.strip():
            return True
        check_line(line)
        editing = self.session.draft is not None
        action = action_of(line, self.session.account.seats, editing)
        if action.kind == "quit":
            return False
        if self.look() and action.kind not in ASKING and (editing or action.kind not in ADDING):
            raise refuse(
                "changed-meanwhile",
                "the file was changed before this was done",
                "type it again, if it still fits",
            )
        self._do(action)
        return True

    def _do(self, action: Action) -> None:
        session, said = act(self.session, action, self.style)
        if session.account.text != self.session.account.text:
            self._intended = session
            self.store.replace(session.account.text)
            self._intended = None
        self.session = session
        self.say(said)

    def look(self) -> bool:
        """Whether somebody else has changed the file: it is read then, and what is new is said.

        Raises Refused where it no longer holds; nothing is written to it until it does.
        """
        text = self.store.read()
        account = self.session.account
        if text == account.text:
            self._intended = None
            return False
        if text is None:
            self.store.create(account.text)
            self.say(
                f"{visible(self.store.path)} had been taken away; it is written again, with all that was in it"
            )
            return False
        if self._intended is not None and text == self._intended.account.text:
            # the step was done, and stopped before it could be said
            self.session, self._intended = self._intended, None
            self.say("what was typed last is in the file")
            return False
        after = open_session(text, self.store.path, self.session.folder)
        news = show_news(account, after.account) or ["only words around the hands are others"]
        if self.session.draft is not None:
            news.append(f"{told_draft(self.session.draft)} is given up")
        self.session, self._intended = after, None
        self.say(show_lines([f"The file was changed by somebody else: {'; '.join(news)}"], self.style))
        self.say(show_greeting(after.account, self.style))
        return True

    # ------------------------------------------------------------- evenings kept by version 1

    def _take_over_version_1(self) -> None:
        """The lines of a hand that version 1 kept in a file of their own, taken into the evening's.

        Raises Refused where they do not fit; nothing is lost then.
        """
        folder, name = os.path.split(self.store.path)
        journal = os.path.join(folder, f".{name}.unfinished")
        undone = os.path.join(folder, f".{name}.undone")
        if os.path.exists(undone):
            self.say(f"{visible(undone)}, from version 1, has what was undone then; it is not used any more")
        try:
            with open(journal, "rb") as stream:
                lines = stream.read().decode("utf-8").split("\n")
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            raise _journal_refused(journal, str(error)) from None
        session = self.session
        for line in lines[:-1]:
            try:
                session, _ = act(session, Action("row", line.strip()), self.style)
            except Refused as refused:
                raise _journal_refused(journal, f"{line.strip()[:40]}: {refused.refusal.message}") from None
        if not _has_lines_of_last_hand(self.session, session):
            if session.account.text != self.session.account.text:
                self.store.replace(session.account.text)
                self.say(
                    "the lines of the hand under way, which version 1 kept beside the file, are in it now"
                )
            self.session = session._replace(done=(), undone=())
        with contextlib.suppress(FileNotFoundError):
            os.unlink(journal)


def _journal_refused(journal: str, reason: str) -> Refused:
    return refuse(
        "old-journal",
        f"{journal}, in which version 1 kept the hand under way, does not fit: {reason}",
        "type that hand again after deleting this file, or mend the file in an editor",
    )


def _has_lines_of_last_hand(session: Session, after: Session) -> bool:
    """Whether the lines taken over are those of the hand played last: version 1 could be stopped between."""
    hand, played = after.account.open_hand, session.account.played
    if session.account.open_hand is not None or not played or played[-1].kind != "hand":
        return False
    before = {line.strip() for line in session.account.document[played[-1].place].lines}
    if hand is None:
        last = after.account.document[after.account.played[-1].place]
        rows = [line.strip() for line in last.lines if ":" in line]
    else:
        lines = after.account.document[hand.place].lines
        rows = [lines[number].strip() for number in hand.rows.values()]
    return len(rows) == len(session.account.playing) and before.issuperset(rows)
