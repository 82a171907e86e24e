"""An evening at the table: typed lines in, the file kept up to date, text to print out.

It connects the session, which knows nothing of files, with the store, which knows nothing else. A session replaces
the one before only when its text is in the file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable

from mjscore.game.hand import quote_name
from mjscore.notation.disambiguation import UnbracketedKong
from mjscore.notation.vocabulary import plain
from mjscore.page.text import Style, wrapped
from mjscore.play.actions import action_of, newcomer
from mjscore.play.changes import Action, check_line, describe_draft, impossible_score
from mjscore.play.commands import act, entry_named, row_of
from mjscore.play.corrections import (
    discarder_told,
    edit_with_line,
    moved_win,
    rows_told,
    scores_for_tiles,
    seat_rows,
    tile_told,
    which_hand,
    with_ending,
    with_win,
)
from mjscore.play.evening import placeless, told_in_names, with_waiting
from mjscore.play.gist import groups_of_tiles
from mjscore.play.history import keep_step, read_steps
from mjscore.play.offers import OpenQuestion, bare, how_to_answer, offered_lines, parted, says
from mjscore.play.reading import at_table, one_line, read_action, read_typed
from mjscore.play.remedies import RefusedLine
from mjscore.play.rendering import show, show_external_changes, show_greeting
from mjscore.play.session import Session, open_session
from mjscore.play.store import Store
from mjscore.record.lines import SeatRow, renamed
from mjscore.refusal import Refusal, Refused, escape_controls, refuse

_ATTEMPTS = 8  # to write a file that another program has open, a second each
_OF_THE_DISK = ("unwritable", "held-open", "unreadable")  # lines refused with these codes must be typed again
_LONGEST_ANSWER = 6  # words
_ENDS_CLAIMED = re.compile(r" <\w+$")


class Controller:
    """A session and its file.

    *say* prints; *asks* tells whether somebody can be asked about a score that the rules cannot give. Raises Refused
    if the file is not valid.
    """

    def __init__(
        self, store: Store, say: Callable[[str], None], style: Style, folder: str = "", asks: bool = False
    ) -> None:
        self.store = store
        self._print = say
        self.style = style
        self._folder = folder
        self._forgets = False
        on_disk = store.read() or ""
        text = with_waiting(on_disk)
        self.session = open_session(text, store.path, folder, read_steps())
        if text != on_disk:
            store.replace(text)
        self._intended: Session | None = None
        self._asks = asks
        self._question = OpenQuestion()  # what was asked last, and is not answered yet
        self._broken: Refusal | None = None
        self._unwritten: list[str] = []
        other_rules = self.session.evening.state.other_rules
        if other_rules:
            self.say(f"{other_rules}: recorded payments stay, and new hands use the present rules")
        if self.store.unended:
            last = escape_controls(text.rstrip("\r\n").rpartition("\n")[2].strip())
            self.say(f"The last line has no line end, and may have been cut short; it is read as: {last}")

    def say(self, text: str) -> None:
        """Print *text*, wrapped at words."""
        self._print(wrapped(text, self.style))

    def take(self, line: str) -> bool:
        """Do what a line asks for; return False if that ends the evening. Raises Refused for a line to be corrected."""
        if not line.strip():
            return True
        check_line(line)
        question = self._question
        meant, sure = self._answered(line)
        if not meant:
            return True
        action = action_of(meant, self.session.evening.state.seats, self.session.draft is not None)
        try:
            goes_on = self._taken(meant, action, sure)
        except Refused as refused:
            again = refused.refusal.code in ("changed-meanwhile", *_OF_THE_DISK)
            if self._question == OpenQuestion() and (
                again
                or self._may_answer(meant)
                or (question.unclear and RefusedLine(meant, at_table(self.session)).named.throwers)
            ):
                self._question = question  # it still stands
            raise
        left = question._replace(lines=tuple(line for line in question.lines if line != meant))
        if row_of(action).only_shows(action):
            self._question = left
        elif question.each and meant in question.lines:  # offer what is left
            self._question = left
            if self.offers:
                self.say(f"next: {' or '.join(map(escape_controls, self.offers))}")
        return goes_on

    def _taken(self, line: str, action: Action, sure: bool) -> bool:
        """Do the *action* that a line asks for; return False if that ends the evening. Raises Refused.

        *sure* tells whether the line answers yes to a doubt about it."""
        mark, corrected_line = self._edited_at_once(line, action)
        if corrected_line:
            self._taken(f"edit {mark}", Action("edit", mark), sure)
            return self.take(corrected_line)
        command, ends, seen = row_of(action), action.kind == "quit", self.session
        only_shows = command.only_shows(action)
        if ends and self._broken is not None:
            return False
        try:
            adds = command.adds and seen.draft is None
            if self.look() and not only_shows and not adds:
                raise refuse("changed-meanwhile", "end" if ends else "read")
            if not ends:
                self._do(line, action, seen, sure)
        except Refused as refused:
            if ends and self._broken is None and refused.refusal.code != "changed-meanwhile":
                return False  # the file or its folder is gone, which no other line can change
            lost = self._broken is not None or refused.refusal.code in _OF_THE_DISK
            if lost and not ends and not only_shows:
                self._unwritten.append(line.strip())
            raise
        return not ends

    def _edited_at_once(self, line: str, action: Action) -> tuple[str, str]:
        """Return the mark of the entry to be corrected and the line for it, as in "edit 3: dee 12"; else empty texts."""
        if action.kind != "edit" or self.session.draft is not None:
            return "", ""
        return edit_with_line(
            line, self.session.seats, [entry.mark for entry in self.session.evening.entries]
        )

    def _write_back(self) -> None:
        """Overwrite an invalid file with the session's text, keeping a copy of it beside. Raises Refused."""
        path, beside = map(escape_controls, (self.store.path, self.store.keep_beside()))
        self.store.replace(self.session.evening.text)
        self._broken = None
        self.say(f"{path} is written again; its previous contents are in {beside}")
        self.say(show_greeting(self.session.evening, self.style))

    def _answered(self, line: str) -> tuple[str, bool]:
        """Return the line meant by an answer to the last question, and whether the answer confirms a doubted line.

        The line is empty if nothing is left to do, and *line* itself if it is no answer. Raises Refused if it may be
        an answer as well as a line of its own.
        """
        if self._broken is not None and says(line, "yes"):
            self._write_back()
            return "", False
        question, self._question = self._question, OpenQuestion()
        if self.session.proposal is not None and not question.lines and says(line, "yes", "no"):
            return "yes" if says(line, "yes") else "no", False  # an answer to a question at the prompt
        meant, own = question.answered(line), self._with_last_tile(question, line)
        if meant is None and question.lines[1:] and says(line, "yes"):
            self._question = question
            asked = refuse("two-readings", "told").refusal._replace(lines=question.lines)
            raise Refused(asked._replace(hint=how_to_answer(asked, question.lines)))
        if meant is None:
            return self._unanswered(
                line, own
            ), line == question.replacing  # the line offered, as Enter takes it
        if not meant:
            self.say("nothing has changed")
            return "", False
        own = own if line.strip().isdecimal() else ""  # it may be the number of a line, or of a tile
        with contextlib.suppress(Refused):
            own = one_line(read_action(line, self.session).records)
        if own and own not in question.lines:
            self._question = OpenQuestion((meant, own))
            raise refuse("two-readings", "line", one=escape_controls(meant), other=escape_controls(own))
        return meant, meant in (question.doubted, question.replacing)

    def _with_last_tile(self, question: OpenQuestion, answer: str) -> str:
        """Return the line with the unclear winning tile, with an answer's tile and discarder; empty if it is no line."""
        words = RefusedLine(answer, at_table(self.session)).words if question.unclear else ()
        if not words or len(answer.split()) > 2 * _LONGEST_ANSWER:
            return ""
        discarder = discarder_told(answer, self.session)
        claimed = [one for one in question.lines if discarder and _ENDS_CLAIMED.search(one)]
        claimed = claimed if not groups_of_tiles(words, answer) else []
        if len(claimed) == 1:  # drawn or claimed? Dee threw it
            return f"{claimed[0]}:{quote_name(discarder)}"
        tile, rest = parted(answer)
        told = ""
        if discarder := discarder_told(rest, self.session):
            told = f"{question.unclear}, last tile {bare(tile)} from {quote_name(discarder)}"
        elif question.untold and len(answer.split()) <= _LONGEST_ANSWER:
            told = f"{question.untold}, last tile {bare(answer)}"
        return told if told and self._takes(told) else ""

    def _unanswered(self, line: str, own: str) -> str:
        """Return the line meant if no question is open: *line* if it can be read, or else *own*, or a yes or no."""
        answers = [own] if own else [word for word in ("yes", "no") if says(line, word)]
        return answers[0] if answers and not self._takes(line) else line

    @property
    def goes_on(self) -> bool:
        """Return whether the lines offered are to be taken one after the other, also past other lines."""
        return self._question.each

    @property
    def offers(self) -> tuple[str, ...]:
        """Return the lines offered in place of the one just refused, likeliest first."""
        return self._question.lines

    def _may_answer(self, line: str) -> bool:
        """Return whether a refused line may have been meant as an answer: it has few words, no number and no name."""
        words = plain(line).split()
        names = {plain(name) for name in self.session.evening.position.points}
        return len(words) <= _LONGEST_ANSWER and names.isdisjoint(words) and not re.search(r"\d", line)

    def _do(self, line: str, action: Action, seen: Session, sure: bool) -> None:
        """Do what a line asks for; its winds mean the players whom the writer saw there, in the session *seen*.

        Raises Refused: a question about a newcomer or an impossible score stays open unless the writer is *sure*.
        """
        try:
            if action.kind in ("rows", "event"):
                action = self._read(line, seen, sure)
            elif action.kind == "note" and not line.lstrip().casefold().startswith(action.kind):
                self._check_note(action.text)
            book = self.session.evening.state.book
            doubts = (impossible_score(record, book) for record in action.records)
            doubt = next(filter(None, doubts), "")
            if self.session.draft is None:
                doubt = doubt or moved_win(*self._told_and_typed(action.records))
            after, values = act(self.session, action)
            question = newcomer(line, action, seen.then)
            if question is None and doubt and self._asks and after.draft is None:
                question = refuse("odd-score", doubt=doubt)
            if question is not None and not sure:
                self._question = OpenQuestion(doubted=line)
                raise question
            read = "" if action.strict else "read: "
            notes = [f"{read}{escape_controls(str(record))}" for record in action.records if read]
            if doubt and not self._asks:
                notes.append(f"{doubt}; if it is wrong, type the line again")
            self._write(after)
            with contextlib.suppress(ValueError):
                self._unwritten.remove(line.strip())
            self.say("\n".join(filter(None, [*notes, show(values, self.style)])))
            self._intended = None
        except Refused as refused:
            raise self._asking(refused, line) from None

    def _read(self, line: str, seen: Session, sure: bool) -> Action:
        """Return a line's rows or event. Raises Refused, unless *sure* also if it may correct an old hand."""
        try:
            action = read_action(line, seen)
        except Refused:
            if seen is self.session:
                raise
            action = read_action(line, self.session)  # it may use a name that a player has just got
        if action.kind == "rows" and not action.strict and not sure:
            meant = one_line(action.records)
            if (question := which_hand(line, meant, self.session)) is not None:
                raise question
            self._check_replaced(line, action.records)
        return action

    def _told_and_typed(self, typed: Iterable[object]) -> tuple[dict[str, SeatRow], list[SeatRow]]:
        """Return the rows of the hand in progress or being corrected, and those *typed* for it, with players' names."""
        rows = [renamed(row, self.session.seats) for row in typed if isinstance(row, SeatRow)]
        return seat_rows((self.session.draft or self.session.evening.hand).lines), rows

    def _check_note(self, words: str) -> None:
        """Raise Refused if the *words* of a note can be read as scores: "please note Dee 6, Cid 10"."""
        if rows := rows_told(words, self.session):
            lines = (one_line(rows), f"note {words}")
            asked = refuse("two-readings", "noted", one=escape_controls(lines[0]))
            raise Refused(asked.refusal._replace(lines=lines))

    def _check_replaced(self, line: str, typed: Iterable[object]) -> None:
        """Raise Refused if rows would take a win from the one who won, or tiles that were told, without a word on it."""
        told, rows = self._told_and_typed(typed)
        kept, scored = with_win(rows, told), scores_for_tiles(rows, told)
        if not scored and kept == rows:
            return
        _, ending = with_ending(line, self.session) if scored else ("", "")
        lines = [ending or ", ".join(map(str, kept)), ", ".join(map(str, rows))]
        who = escape_controls((scored or [row for row in kept if row.won])[0].name)
        kind = "replaced" if scored else "win-kept"
        asked = refuse("two-readings", kind, who=who, one=escape_controls(lines[0]))
        self._question = OpenQuestion(replacing=lines[-1])
        raise Refused(asked.refusal._replace(lines=tuple(dict.fromkeys(lines))))

    def _asking(self, refused: Refused, line: str) -> Refused:
        """Return a refusal that names players, not winds, and how to answer; its offers become the open question."""
        refusal = told_in_names(refused.refusal, self.session.seats)
        if refusal.code == "same-again":
            self._question = OpenQuestion(doubted=refusal.lines[0])
        with contextlib.suppress(Refused):
            change = read_typed(line, self.session).event if refusal.code == "player-count" else None
            if change is not None and change.word == "seat":  # offer to replace each of the players
                lines = (
                    str(change._replace(names=(change.names[0], name)))
                    for name in self.session.seats.values()
                )
                refusal = refusal._replace(lines=tuple(lines))
        unclear = line if refusal.code in ("which-tile", "two-readings") else ""
        untold, each = unclear if refusal.code == "which-tile" else "", refused.kind in ("pay-each", "each")
        refused, refusal = self._with_ending_offered(line, refused, refusal)
        offers = offered_lines(refusal, self._takes)
        if offers and (which := which_hand(line, offers[0], self.session)) is not None:
            refused = which
            refusal, offers = refused.refusal, refused.refusal.lines
        self._question = self._question._replace(lines=offers, untold=untold, unclear=unclear, each=each)
        if isinstance(refused, UnbracketedKong):
            message = f"{refusal.message}: was it claimed, or declared concealed?"
            refusal = refusal._replace(message=message)
        if not self._question.doubted and not refused.kind.startswith("corrected"):
            refusal = refusal._replace(hint=how_to_answer(refusal, self.offers))
        return Refused(refusal if refusal.text.strip() == line.strip() else placeless(refusal))

    def _with_ending_offered(self, line: str, refused: Refused, refusal: Refusal) -> tuple[Refused, Refusal]:
        """Return a refusal that offers the ending of a hand that *line* tells, if it does, in place of the one given."""
        mark, row = with_ending(line, self.session)
        if not row or ((mark or not tile_told(line)) and (refusal.lines or refusal.answers)):
            return refused, refusal
        if not mark:
            return refused, refusal._replace(hint=f"did you mean {escape_controls(row)}?", lines=(row,))
        refused = refuse("two-readings", "corrected-ending", mark=mark, row=escape_controls(row))
        return refused, refused.refusal._replace(lines=(f"edit {mark}: {row}",))

    def _takes(self, line: str) -> bool:
        """Return whether a line would be accepted, or would raise another question."""
        action = action_of(line, self.session.seats, self.session.draft is not None)
        try:
            if action.kind in ("edit", "show", "why") and (action.text.isdecimal() or action.text == "last"):
                entry_named(self.session.evening, action.text)
            if action.kind not in ("rows", "event"):
                return True
            act(self.session, read_action(line, self.session))
        except Refused as refused:
            asks = len(refused.refusal.lines) > 1 and refused.refusal.code != "passed-over"
            return isinstance(refused, UnbracketedKong) or asks
        return True

    def _write(self, after: Session) -> None:
        """Save the step for undo, then write a session's text to the file. Raises Refused."""
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
        """Return whether the last line was saved, but interrupted before its result was printed."""
        return self._intended is self.session

    def _put(self, text: str) -> None:
        """Write a text to the file; if another program has it open, say so and retry for some seconds. Raises Refused."""
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
        """Return what the file lacks at the evening's end, and save it elsewhere; empty if it is complete."""
        held, losses = set(self.session.evening.document), []
        try:
            self.look()
            if not held <= set(self.session.evening.document):
                losses.append("somebody else has changed it")
        except Refused as refused:
            losses.append(refused.refusal._replace(hint="").render())
            if self._broken is None and (elsewhere := self.store.keep_elsewhere(self.session.evening.text)):
                losses.append(f"its contents are saved in {escape_controls(elsewhere)}")
        if self._unwritten:
            lines = "; ".join(map(escape_controls, self._unwritten))
            losses.append(f"not saved, and not typed again: {lines}")
        return "\n".join(losses)

    def look(self) -> bool:
        """Read a file that others changed, and print the news; write it if gone. Return whether it changed.

        Raises Refused if it is no longer valid; nothing is written to it until it is.
        """
        try:
            return self._look(self.store.read())
        except Refused as refused:
            if refused.refusal.code in ("in-use", "unwritable", "unreadable"):
                raise
            self._broken = refused.refusal
            hint = "correct that in an editor, or type yes to write back this session's version"
            raise Refused(refused.refusal._replace(hint=hint)) from None

    def _look(self, text: str | None) -> bool:
        evening = self.session.evening
        if text == evening.text:
            if self.is_untold:
                self.say("the last line was saved")
            self._intended = self._broken = None
            return False
        if text is None:
            self.store.create(evening.text)
            self.say(f"{escape_controls(self.store.path)} had been removed; it is written again in full")
            return False
        if self._intended is not None and text == self._intended.evening.text:
            # the step was done, but interrupted before it was reported
            self.session, self._intended = self._intended, None
            self.say("the last line was saved")
            return False
        after = open_session(text, self.store.path, self._folder, read_steps())
        news = show_external_changes(evening, after.evening) or ["only the text around the hands has changed"]
        if self.session.draft is not None:
            news.append(f"{describe_draft(self.session.draft)} is cancelled")
        self.session, self._intended, self._broken = after, None, None
        self.say(f"The file was changed by somebody else: {'; '.join(news)}")
        self.say(show_greeting(after.evening, self.style))
        return True
