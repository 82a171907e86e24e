"""An evening at the table: typed lines in, the file kept, what is to be shown out.

Between the session, which knows no disk, and the store, which knows nothing else. A session takes the place
of the one before it only when its text is in the file.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.building import UnbracketedKong
from mjscore.page.text import Style, wrapped
from mjscore.play.actions import ADDING, ASKING, Action, action_of
from mjscore.play.changes import check_line
from mjscore.play.mending import told_draft
from mjscore.play.names import told_in_names, with_names
from mjscore.play.reading import Account
from mjscore.play.score_lines import AtTable
from mjscore.play.scores import impossible_score
from mjscore.play.session import Session, act, open_session
from mjscore.play.showing import show_greeting, show_lines, show_news
from mjscore.play.store import Store
from mjscore.play.typing import read_line
from mjscore.refusal import Refusal, Refused, refuse, visible
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.settling.payment import SITTER_OUT


class Table:
    """A session and the file that keeps it. *say* prints; *asks* says whether somebody is there to be asked about
    a score that the rules cannot give. Raises Refused where the file does not hold.
    """

    def __init__(
        self, store: Store, say: Callable[[str], None], style: Style, folder: str = "", asks: bool = False
    ) -> None:
        self.store = store
        self._print = say
        self.style = style
        text = store.read()
        self.session = open_session(text or "", store.path, folder)
        self._intended: Session | None = None
        self._asked: tuple[str, ...] = ()
        self._asks = asks
        self._doubted = ""
        self._broken: Refusal | None = None
        self._unwritten: list[str] = []
        if self.store.unended:
            last = visible((text or "").rstrip("\r\n").rpartition("\n")[2].strip())
            self.say(f"The last line had no end, and may have been cut short; it is read as: {last}")
        self._take_over_version_1()

    def say(self, text: str) -> None:
        """Prints *text*, wrapped by words."""
        self._print(wrapped(text, self.style))

    def take(self, line: str) -> bool:
        """Does what a line asks for; False where it ends the evening. Raises Refused for a line to be mended."""
        if not line.strip():
            return True
        check_line(line)
        if self._broken is not None and line.strip().casefold() in ("y", "yes"):
            self._write_back()
            return True
        line = self._answered(line)
        sure = self._doubted == line
        self._doubted = ""
        action = action_of(line, self.session.account.seats, self.session.draft is not None)
        if action.kind == "quit":
            if self._broken is None and self.look():
                raise refuse(
                    "changed-meanwhile", "the file was changed before this was done", "type it again"
                )
            return False
        try:
            self._take(line, action, sure)
        except Refused as refused:
            lost = self._broken is not None or refused.refusal.code == "unwritable"
            if lost and action.kind not in ASKING:
                self._unwritten.append(line.strip())
            raise
        return True

    def _take(self, line: str, action: Action, sure: bool) -> None:
        editing = self.session.draft is not None
        if self.look() and action.kind not in ASKING and (editing or action.kind not in ADDING):
            raise refuse(
                "changed-meanwhile",
                "the file was changed before this was done",
                "type it again, if it still fits",
            )
        try:
            self._strictly_or_read(line, action, editing, sure)
        except Refused as refused:
            raise Refused(told_in_names(refused.refusal, self.session.seats)) from None

    def _strictly_or_read(self, line: str, action: Action, editing: bool, sure: bool) -> None:
        try:
            self._do(action, line, sure)
        except Refused as refused:
            if action.kind not in ("rows", "event") or self._intended is not None:
                raise  # the latter was read, and could not be written
            self._do(self._read(line, refused, editing), line, sure, read=True)

    def _answered(self, line: str) -> str:
        """The line that was asked about, where *line* says whether its four was claimed or declared."""
        asked, self._asked = self._asked, ()
        answer = line.strip().casefold()
        if self._doubted and answer in ("y", "yes"):
            return self._doubted
        for typed, words in zip(asked, (("claimed", "exposed"), ("declared", "concealed")), strict=False):
            if any(word.startswith(answer) for word in words) and answer != "c":
                return typed
        return line

    def _read(self, line: str, refused: Refused, editing: bool) -> Action:
        """What a line means that is not strict. Raises Refused: that of the strict reading where it means nothing."""
        session = self.session
        table = at_table(session)
        try:
            rows = read_line(line, table).lines
        except UnbracketedKong as four:
            self._asked = four.lines
            message = f"{four.refusal.message}: was it claimed, or declared concealed?"
            hint = "type claimed or declared"
            raise Refused(four.refusal._replace(message=message, hint=hint)) from None
        if rows == [line.strip()]:
            raise refused
        actions = [action_of(row, session.account.seats, editing) for row in rows]
        return Action(actions[0].kind, "\n".join(action.text for action in actions))

    def _do(self, action: Action, line: str, sure: bool, read: bool = False) -> None:
        before = self.session
        rows = action.text.split("\n") if action.kind == "rows" else []
        doubt = next(filter(None, (impossible_score(row, before.account.book) for row in rows)), "")
        session, said = act(before, action, self.style)
        if doubt and self._asks and not sure and session.draft is None:
            self._doubted = line
            raise refuse("odd-score", doubt, "type yes if it is right so, or the line anew")
        if doubt and not self._asks:
            said = f"{doubt}; type the line again if it is another\n{said}"
        if read:
            texts = [with_names(text, before.seats) for text in action.text.split("\n")]
            said = "\n".join(filter(None, [*(f"read: {visible(text)}" for text in texts), said]))
        if session.account.text != self.session.account.text:
            self._intended = session
            self.store.replace(session.account.text)
        self.session, self._intended = session, None
        with contextlib.suppress(ValueError):
            self._unwritten.remove(line.strip())
        if said:
            self.say(said)

    def left_out(self) -> str:
        """What of the evening is not in its file as it ends; empty where all is."""
        held = {block.text for block in self.session.account.document}
        try:
            self.look()
        except Refused as refused:
            return refused.refusal._replace(hint="").render()
        if not held <= {block.text for block in self.session.account.document}:
            return "somebody else has changed it"
        if not self._unwritten:
            return ""
        return f"could not be written, and was not typed again: {'; '.join(map(visible, self._unwritten))}"

    def _write_back(self) -> None:
        """Puts what is held here in the place of a file that does not hold, which is kept beside. Raises Refused."""
        beside = self.store.keep_beside()
        self.store.replace(self.session.account.text)
        self._broken = None
        self.say(f"{visible(self.store.path)} is written again; what stood there is in {visible(beside)}")
        self.say(show_greeting(self.session.account, self.style))

    def look(self) -> bool:
        """Whether somebody else has changed the file: it is read then, and what is new is said.

        Raises Refused where it no longer holds; nothing is written to it until it does.
        """
        try:
            return self._look(self.store.read())
        except Refused as refused:
            if refused.refusal.code in ("in-use", "unwritable", "unreadable"):
                raise
            self._broken = refused.refusal
            hint = "put that right in an editor, or type yes to write back what is held here"
            raise Refused(refused.refusal._replace(hint=hint)) from None

    def _look(self, text: str | None) -> bool:
        account = self.session.account
        if text == account.text:
            self._intended = self._broken = None
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
        self.session, self._intended, self._broken = after, None, None
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
                session, _ = act(session, Action("rows", line.strip()), self.style)
            except Refused as refused:
                raise _journal_refused(journal, f"{line.strip()[:40]}: {refused.refusal.message}") from None
        booked = _has_lines_of_last_hand(self.session, session)
        settled = len(session.account.played) > len(self.session.account.played)
        if not booked and (settled or _lines_under_way(session) != _lines_under_way(self.session)):
            self.store.replace(session.account.text)
            self.session = session._replace(done=(), undone=())
            self.say("the lines of the hand under way, which version 1 kept beside the file, are in it now")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(journal)


def at_table(session: Session) -> AtTable:
    """What a line is read by: the seats, whose line is missing, who discarded last, what the rules score."""
    account = session.account
    seats = {wind: name for wind, name in session.seats.items() if wind in WIND_NAMES}
    hand = account.open_hand if session.draft is None else None
    there = {*hand.rows, *hand.waiting} if hand is not None else set()
    missing = [wind for wind, name in seats.items() if name not in there]

    def worth(hand: Hand) -> int | None:
        if hand.seat is None and len(missing) != 1:
            return None  # nobody's: where it can be somebody's, it is
        win = hand.win and hand.win._replace(discarder=None, earlier=None, all_from=None)
        try:
            placed = placed_hand(hand._replace(win=win), None, account.round_wind)
            return score_hand(placed, account.book).sheet.score
        except Refused:
            return None

    return AtTable(seats, missing, _again(account), worth, session.seats.get(SITTER_OUT))


def _again(account: Account) -> str | None:
    """Who discarded the tile that won last."""
    for entry in reversed(account.played):
        if entry.kind == "hand":
            discarder = entry.settlement.discarder
            return entry.seats.get(discarder) if discarder else None
    return None


def _journal_refused(journal: str, reason: str) -> Refused:
    return refuse(
        "old-journal",
        f"{journal}, in which version 1 kept the hand under way, does not fit: {reason}",
        "type that hand again after deleting this file, or mend the file in an editor",
    )


def _has_lines_of_last_hand(session: Session, after: Session) -> bool:
    """Whether the lines taken over are those of the hand played last: version 1 could be stopped between."""
    played = session.account.played
    if session.account.open_hand is not None or not played:
        return False
    before = {line.strip() for line in session.account.document[played[-1].place].lines}
    if after.account.open_hand is None:
        last = after.account.document[after.account.played[-1].place]
        rows = {line.strip() for line in last.lines if ":" in line}
    else:
        rows = _lines_under_way(after)
    return len(rows) == len(session.account.playing) and before.issuperset(rows)


def _lines_under_way(session: Session) -> set[str]:
    """The players' lines of the hand under way."""
    hand = session.account.open_hand
    if hand is None:
        return set()
    lines = session.account.document[hand.place].lines
    return {lines[number].strip() for number in hand.rows.values()}
