"""An evening at the table: typed lines in, the file kept, what is to be shown out.

Between the session, which knows no disk, and the store, which knows nothing else. A session takes the place
of the one before it only when its text is in the file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

from mjscore.game.hand import Hand
from mjscore.notation.disambiguation import UnbracketedKong
from mjscore.page.text import Style, wrapped
from mjscore.play.actions import ADDING, ASKING, Action, action_of, newcomer, seat_change
from mjscore.play.changes import check_line, describe_draft, impossible_score
from mjscore.play.evening import comment_of, placeless, told_in_names, with_waiting
from mjscore.play.history import keep_step, read_steps
from mjscore.play.line_speech import AtTable
from mjscore.play.rendering import show, show_external_changes, show_greeting
from mjscore.play.session import Session, act, open_session
from mjscore.play.store import Store
from mjscore.play.typed_line import TypedLine, read_line
from mjscore.record.lines import renamed
from mjscore.refusal import Refusal, Refused, escape_controls, refuse, tried
from mjscore.scoring.waits import worth
from mjscore.settling.payment import SITTER_OUT

_ATTEMPTS = 8  # at a file that another program has open, each of a second
_OF_THE_DISK = ("unwritable", "held-open", "unreadable")  # what is refused so is to be typed again


class Controller:
    """A session and the file that keeps it. *say* prints; *asks* says whether somebody is there to be asked about
    a score that the rules cannot give. Raises Refused where the file does not hold.
    """

    def __init__(
        self, store: Store, say: Callable[[str], None], style: Style, folder: str = "", asks: bool = False
    ) -> None:
        self.store = store
        self._print = say
        self.style = style
        self._folder = folder
        self._forgets = False
        found = store.read() or ""
        text = with_waiting(found)
        self.session = open_session(text, store.path, folder, read_steps())
        if text != found:
            store.replace(text)
        self._intended: Session | None = None
        self._asks = asks
        self._answers: dict[str, str] = {}  # what may be typed next, each for the line that it stands for
        self._broken: Refusal | None = None
        self._unwritten: list[str] = []
        if self.session.evening.state.other_rules:
            self.say(
                f"{self.session.evening.state.other_rules}: what was booked stays, new hands go by these"
            )
        if self.store.unended:
            last = escape_controls(text.rstrip("\r\n").rpartition("\n")[2].strip())
            self.say(f"The last line had no end, and may have been cut short; it is read as: {last}")

    def say(self, text: str) -> None:
        """Print *text*, wrapped by words."""
        self._print(wrapped(text, self.style))

    def take(self, line: str) -> bool:
        """Do what a line asks for; False where it ends the evening. Raises Refused for a line to be mended."""
        if not line.strip():
            return True
        check_line(line)
        if self._broken is not None and line.strip().casefold() in ("y", "yes"):
            # what is held here takes the place of a file that does not hold, which is kept beside
            beside = self.store.keep_beside()
            self.store.replace(self.session.evening.text)
            self._broken = None
            self.say(
                f"{escape_controls(self.store.path)} is written again; what stood there is in {escape_controls(beside)}"
            )
            self.say(show_greeting(self.session.evening, self.style))
            return True
        answers, self._answers = self._answers, {}
        begun = line.strip().casefold()
        if begun != "c":  # claimed or concealed
            line = next((typed for answer, typed in answers.items() if answer.startswith(begun)), line)
        if not line:
            self.say("the seats stay as they are")
            return True
        sure = line == answers.get("yes")
        action = action_of(line, self.session.evening.state.seats, self.session.draft is not None)
        ends, seen = action.kind == "quit", self.session
        if ends and self._broken is not None:
            return False
        try:
            adds = action.kind in ADDING and seen.draft is None
            if self.look() and action.kind not in ASKING and not adds:
                raise refuse("changed-meanwhile", "end" if ends else "read")
            if not ends:
                self._do(line, action, seen, sure)
        except Refused as refused:
            if ends and self._broken is None and refused.refusal.code != "changed-meanwhile":
                return False  # the file or its folder is gone, which no other line can mend
            lost = self._broken is not None or refused.refusal.code in _OF_THE_DISK
            if lost and not ends and action.kind not in ASKING:
                self._unwritten.append(line.strip())
            raise
        return not ends

    def _do(self, line: str, action: Action, seen: Session, sure: bool) -> None:
        """Do what a line asks for; winds in it are the players whom its writer has *seen* at them. Raises Refused; where a
        four lacks its brackets, or a score cannot be, with the question that is answered next.
        """
        try:
            if action.kind in ("rows", "event"):
                try:
                    action = read_action(line, seen)
                except Refused:
                    if seen is self.session:
                        raise
                    action = read_action(line, self.session)  # it may name who has just come to be called so
            book = self.session.evening.state.book
            doubt = next(filter(None, (impossible_score(record, book) for record in action.records)), "")
            after, values = act(self.session, action)
            asked = None if sure else newcomer(line, action, seen.then)
            if asked is not None:
                self._answers = {"yes": line, "no": ""}
                raise asked
            if doubt and self._asks and not sure and after.draft is None:
                self._answers = {"yes": line}
                raise refuse("odd-score", doubt=doubt)
            said = (
                []
                if action.strict
                else [f"read: {escape_controls(str(record))}" for record in action.records]
            )
            if doubt and not self._asks:
                said.append(f"{doubt}; type the line again if it is another")
            self._write(after)
            with contextlib.suppress(ValueError):
                self._unwritten.remove(line.strip())
            self.say("\n".join(filter(None, [*said, show(values, self.style)])))
            self._intended = None
        except Refused as refused:
            refusal = refused.refusal
            if isinstance(refused, UnbracketedKong):
                answers = "claimed", "declared", "exposed", "concealed"
                self._answers = dict(zip(answers, refused.lines * 2, strict=True))
                message = f"{refusal.message}: was it claimed, or declared concealed?"
                refusal = refusal._replace(message=message, hint="type claimed or declared")
            refusal = told_in_names(refusal, self.session.seats)
            raise Refused(refusal if refusal.text.strip() == line.strip() else placeless(refusal)) from None

    def _write(self, after: Session) -> None:
        """Write what a session has that the file has not, what leads back from it first. Raises Refused."""
        if after.evening.text != self.session.evening.text:
            self._intended = after
            problem = keep_step(after.steps[-1])
            if problem and not self._forgets:
                self._forgets = True
                self.say(f"{problem}: undo will not outlive this session")
            self._put(after.evening.text)
        self.session = after

    @property
    def is_untold(self) -> bool:
        """Return whether what was typed last is in the file, and was stopped before it could be said."""
        return self._intended is self.session

    def _put(self, text: str) -> None:
        """Put a text into the file; where another program has that open, say so and try for some seconds. Raises Refused."""
        for left in reversed(range(_ATTEMPTS)):
            try:
                self.store.replace(text)
                return
            except Refused as refused:
                if refused.refusal.code != "held-open" or not left:
                    raise
                if left == _ATTEMPTS - 1:
                    self.say(f"{refused.refusal.message}: close it there; trying again")

    def left_out(self) -> str:
        """Return what of the evening is not in its file as it ends; empty where all is."""
        held, told = set(self.session.evening.document), []
        try:
            self.look()
            if not held <= set(self.session.evening.document):
                told.append("somebody else has changed it")
        except Refused as refused:
            told.append(refused.refusal._replace(hint="").render())
            if self._broken is None and (elsewhere := self.store.keep_elsewhere(self.session.evening.text)):
                told.append(f"all that was in it is kept in {escape_controls(elsewhere)}")
        if self._unwritten:
            lines = "; ".join(map(escape_controls, self._unwritten))
            told.append(f"could not be written, and was not typed again: {lines}")
        return "\n".join(told)

    def look(self) -> bool:
        """Return whether somebody else has changed the file: it is read then, and what is new is said.

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
        evening = self.session.evening
        if text == evening.text:
            if self.is_untold:
                self.say("what was typed last is in the file")
            self._intended = self._broken = None
            return False
        if text is None:
            self.store.create(evening.text)
            self.say(
                f"{escape_controls(self.store.path)} had been taken away; it is written again, with all that was in it"
            )
            return False
        if self._intended is not None and text == self._intended.evening.text:
            # the step was done, and stopped before it could be said
            self.session, self._intended = self._intended, None
            self.say("what was typed last is in the file")
            return False
        after = open_session(text, self.store.path, self._folder, read_steps())
        news = show_external_changes(evening, after.evening) or ["only words around the hands are others"]
        if self.session.draft is not None:
            news.append(f"{describe_draft(self.session.draft)} is given up")
        self.session, self._intended, self._broken = after, None, None
        self.say(f"The file was changed by somebody else: {'; '.join(news)}")
        self.say(show_greeting(after.evening, self.style))
        return True


def read_action(line: str, session: Session) -> Action:
    """Read what a line tells of a hand, of what came between hands, or of who sits at the table, with players for the
    winds at which its writer sees them. Raises Refused.
    """
    try:
        typed = read_typed(line, session)
    except UnbracketedKong:
        raise  # which is asked about, and its lines are answers
    except Refused as refused:
        raise Refused(tried(refused.refusal, partial(read_typed, session=session))) from None
    records = (typed.event,) if typed.event is not None else typed.rows
    named = tuple(renamed(record, session.seats) for record in records)
    return Action("event" if typed.event is not None else "rows", line, named, comment_of(line), typed.strict)


def read_typed(line: str, session: Session, whole: bool = True) -> TypedLine:
    """Read a change of seats, or what ``read_line`` reads; where it is not *whole* yet, as much as is there. Raises Refused."""
    try:
        change = seat_change(line, session.then)
    except Refused:
        if whole:
            raise
        change = None  # it may become something else
    # what a change of seats came to says it all
    return TypedLine(event=change, strict=True) if change else read_line(line, at_table(session), whole)


def at_table(session: Session) -> AtTable:
    """Return what a line is read by: the seats, whose line is missing, who discarded last, what the rules score."""
    evening = session.then
    missing = list(evening.missing)

    def worth_here(hand: Hand) -> int | None:
        if hand.seat is None and len(missing) != 1:
            return None  # nobody's: where it can be somebody's, it is
        return worth(hand, evening.state.book, None, evening.state.round_wind)

    won = next((entry for entry in reversed(evening.played) if entry.kind == "hand"), None)
    again = won.state.seats.get(won.settlement.discarder or "") if won is not None else None
    sitting_out, round_wind = evening.state.seats.get(SITTER_OUT), evening.state.round_wind
    return AtTable(evening.playing, missing, again, worth_here, sitting_out, round_wind)
