"""An evening at the table: typed lines in, the file kept up to date, text to print out.

It connects the session, which knows nothing of files, with the store, which knows nothing else. A session replaces
the one before only when its text is in the file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from mjscore.game.hand import Hand, quote_name
from mjscore.notation.disambiguation import UnbracketedKong, choose, mended, without_fault
from mjscore.notation.lexer import Lattice
from mjscore.notation.vocabulary import plain
from mjscore.page.text import Style, wrapped
from mjscore.play.actions import (
    action_of,
    behind_hand,
    corrected,
    edit_with_line,
    named_hand,
    newcomer,
    tells_two_hands,
    who_rests,
)
from mjscore.play.changes import Action, check_line, describe_draft, impossible_score
from mjscore.play.commands import act, entry_named, row_of
from mjscore.play.corrections import (
    claimed_from,
    moved_win,
    scores_for_tiles,
    seat_rows,
    tile_told,
    winner_among,
    with_tile,
    with_win,
)
from mjscore.play.evening import comment_of, placeless, told_in_names, with_waiting
from mjscore.play.gist import groups_of_tiles
from mjscore.play.history import keep_step, read_steps
from mjscore.play.line_speech import AtTable
from mjscore.play.offers import OpenQuestion, bare, how_to_answer, offered_lines, says
from mjscore.play.remedies import RefusedLine, remedied
from mjscore.play.rendering import show, show_external_changes, show_greeting
from mjscore.play.session import Session, open_session
from mjscore.play.store import Store
from mjscore.play.typed_line import TypedLine, read_line
from mjscore.record.events import EVENTS
from mjscore.record.lines import SeatRow, renamed
from mjscore.refusal import Place, Refusal, Refused, escape_controls, refuse, tried
from mjscore.scoring.waits import worth
from mjscore.settling.payment import SITTER_OUT

_ATTEMPTS = 8  # to write a file that another program has open, a second each
_OF_THE_DISK = ("unwritable", "held-open", "unreadable")  # lines refused with these codes must be typed again
_LONGEST_ANSWER = 6  # words
_AND = re.compile(r"(?<!\s)\s+(?:and|but)(?=\s)")
_ENDS_CLAIMED = re.compile(r" <\w+$")
OF_SCORES = ("bad-line", "no-seat-line")  # codes of refusals of lines of scores
# refusals of lines taken for hands
_OF_A_TILE = ("missing-class", "two-meanings", "ambiguous-w", "unknown-character")
# refusals that need no suggestions
_SURE = ("sits-out", "huge-number", "no-limit", "nobody-rests", "nobody-again")


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
            own = _one_line(read_action(line, self.session).records)
        if own and own not in question.lines:
            self._question = OpenQuestion((meant, own))
            raise refuse("two-readings", "line", one=escape_controls(meant), other=escape_controls(own))
        return meant, meant in (question.doubted, question.replacing)

    def _with_last_tile(self, question: OpenQuestion, answer: str) -> str:
        """Return the line with the unclear winning tile, with an answer's tile and discarder; empty if it is no line."""
        words = RefusedLine(answer, at_table(self.session)).words if question.unclear else ()
        if not words or len(answer.split()) > 2 * _LONGEST_ANSWER:
            return ""
        discarder = self._discarder(answer)
        claimed = [one for one in question.lines if discarder and _ENDS_CLAIMED.search(one)]
        claimed = claimed if not groups_of_tiles(words, answer) else []
        if len(claimed) == 1:  # drawn or claimed? Dee threw it
            return f"{claimed[0]}:{quote_name(discarder)}"
        tile, _, rest = _AND.sub(",", answer).partition(",")
        discarder = self._discarder(rest)
        if not discarder:
            told = f"{question.untold}, last tile {bare(answer)}"
            return (
                told
                if question.untold and len(answer.split()) <= _LONGEST_ANSWER and self._takes(told)
                else ""
            )
        told = f"{question.unclear}, last tile {bare(tile)} from {quote_name(discarder)}"
        return told if self._takes(told) else ""

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
            meant = _one_line(action.records)
            if (question := self._which_hand(line, meant)) is not None:
                raise question
            self._check_replaced(line, action.records)
        return action

    def _told_and_typed(self, typed: Iterable[object]) -> tuple[dict[str, SeatRow], list[SeatRow]]:
        """Return the rows of the hand in progress or being corrected, and those *typed* for it, with players' names."""
        rows = [renamed(row, self.session.seats) for row in typed if isinstance(row, SeatRow)]
        return seat_rows((self.session.draft or self.session.evening.hand).lines), rows

    def _check_replaced(self, line: str, typed: Iterable[object]) -> None:
        """Raise Refused if rows would take a win from the one who won, or tiles that were told, without a word on it."""
        told, rows = self._told_and_typed(typed)
        kept, scored = with_win(rows, told), scores_for_tiles(rows, told)
        if not scored and kept == rows:
            return
        _, ending = self._with_ending(line) if scored else ("", "")
        lines = [ending or ", ".join(map(str, kept)), ", ".join(map(str, rows))]
        who = escape_controls((scored or [row for row in kept if row.won])[0].name)
        kind = "replaced" if scored else "win-kept"
        asked = refuse("two-readings", kind, who=who, one=escape_controls(lines[0]))
        self._question = OpenQuestion(replacing=lines[-1])
        raise Refused(asked.refusal._replace(lines=tuple(dict.fromkeys(lines))))

    def _which_hand(self, line: str, meant: str) -> Refused | None:
        """Return the question whether a line, read as *meant* for this hand, corrects an earlier one; None if it cannot."""
        evening = self.session.evening
        if self.session.draft is not None or not corrected(line, evening, False):
            return None
        try:
            records = read_action(meant, self.session).records
        except Refused:
            return None  # a command
        rows = [row for row in records if isinstance(row, SeatRow)]
        has_tiles = any(isinstance(row.given, Hand) for row in rows)
        mark, named = corrected(line, evening, has_tiles), named_hand(line, evening, has_tiles)
        most = len(self.session.seats) if named else len(evening.missing)
        if not mark or not 0 < len(rows) < most:
            return None  # scores for everybody are a hand of their own
        try:
            entry = entry_named(evening, mark)
        except Refused as unplayed:
            return unplayed
        if named and tells_two_hands(line, self.session.seats.values()):
            return refuse("two-readings", "two-hands", mark=mark)
        rows = self._rows_behind_hand(line) or [renamed(row, self.session.seats) for row in rows]
        is_number = plain(line).split().count(mark) == 1 and any(str(row.given) == mark for row in rows)
        kept = "" if is_number else f": {_one_line(with_win(rows, seat_rows(entry.lines)))}"
        lines = (f"edit {mark}{kept}", *([] if named else [_one_line(rows)]))
        one, other = map(escape_controls, (lines[0], lines[-1]))
        asked = refuse(
            "two-readings", "corrected-hand" if named else "corrected", mark=mark, one=one, other=other
        )
        return Refused(asked.refusal._replace(lines=lines), asked.kind)

    def _rows_behind_hand(self, line: str) -> list[SeatRow]:
        """Return the rows behind "hand 1 is wrong," or the like, whose number is then neither a score nor a tile; or none."""
        with contextlib.suppress(Refused):
            records = read_action(behind_hand(line), self.session).records
            return [renamed(row, self.session.seats) for row in records if isinstance(row, SeatRow)]
        return []

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
        if offers and (which := self._which_hand(line, offers[0])) is not None:
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
        mark, row = self._with_ending(line)
        if not row or ((mark or not tile_told(line)) and (refusal.lines or refusal.answers)):
            return refused, refusal
        if not mark:
            return refused, refusal._replace(hint=f"did you mean {escape_controls(row)}?", lines=(row,))
        refused = refuse("two-readings", "corrected-ending", mark=mark, row=escape_controls(row))
        return refused, refused.refusal._replace(lines=(f"edit {mark}: {row}",))

    def _with_ending(self, line: str) -> tuple[str, str]:
        """Return the winner's row with the winning tile or discarder that *line* tells; before it, the hand's mark.

        The mark is empty for the hand in progress or being corrected; both are if the line tells no other ending of a
        hand.
        """
        evening, draft = self.session.evening, self.session.draft
        last = next((entry for entry in evening.entries[-1:] if entry.kind == "hand"), None)
        earlier = last if draft is None and not evening.hand.is_open else None
        entry = earlier or draft or evening.hand
        row = winner_among(list(seat_rows(entry.lines).values()))
        if row is None:
            return "", ""
        table, lines = at_table(self.session), list[str]()
        refused = RefusedLine(line, table)
        throwers = {table.seats.get(seat, seat) for seat in refused.named.throwers.values()} - {row.name}
        others = {table.seats.get(seat, seat) for seat in refused.seats} - {row.name, *throwers}
        throwers &= {*table.seats.values()}  # without "somebody"
        if (tile := tile_told(line)) and not others:
            lines += with_tile(row, tile, "".join(throwers) if len(throwers) == 1 else "")
        elif discarder := self._discarder(line, row.name):
            lines.append(str(claimed_from(row, discarder)))
        for told in lines:
            with contextlib.suppress(Refused):
                (meant,) = read_action(told, self.session).records
                return earlier.mark if earlier is not None else "", _one_line([meant])
        return "", ""

    def _discarder(self, line: str, winner: str = "") -> str:
        """Return who discarded the winning tile, if a line tells only that (of a *winner*); else empty."""
        table = at_table(self.session)
        return table.seats.get(RefusedLine(line, table).discarder_of(table.seat_of(winner) or ""), "")

    def _takes(self, line: str) -> bool:
        """Return whether a line would be accepted, or would raise another question."""
        if action_of(line, self.session.seats, self.session.draft is not None).kind not in ("rows", "event"):
            return True
        try:
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


def read_action(line: str, session: Session) -> Action:
    """Return the action of a line about a hand, an event or the seats, with players in place of winds.

    Raises Refused for other lines, with lines to type instead if any can be found.
    """
    try:
        typed = read_typed(line, session)
    except UnbracketedKong:
        raise  # a question, whose lines are its answers
    except Refused as refused:
        if refused.refusal.code == "long-line":
            raise  # too long to look for suggestions
        setting = re.match(r"\s*set\s+([\w-]+)\s+(\S+)", line, re.IGNORECASE)
        if setting and setting[1].casefold() in session.evening.state.book.options:
            at = Place(line, *setting.span())
            raise refuse(
                "bad-line", "setting", at=at, option=setting[1].casefold(), value=escape_controls(setting[2])
            ) from None
        if (each := _one_each(line, session, refused.refusal.lines)) is not None:
            raise each from None
        raise _remedied(tried(refused.refusal, partial(read_typed, session=session)), line, session) from None
    records = (typed.event,) if typed.event is not None else typed.rows
    named = tuple(renamed(record, session.seats) for record in records)
    return Action("event" if typed.event is not None else "rows", line, named, comment_of(line), typed.strict)


def _one_each(line: str, session: Session, lines: Sequence[str]) -> Refused | None:
    """Return the refusal of a line with tiles of several players, offering a line for each; None for other lines.

    A line is of one hand if its possible *lines* have every later player as the discarder. A part that is not read is
    offered as its remedy, if others tell tiles of two players.
    """
    names = "|".join(re.escape(word) for name in session.seats.values() for word in (name, *name.split()))
    parts = re.split(
        rf"(?<!\s)(?:\s*[,;.]\s*(?:and\s+)?|\s+and\s+)(?=(?:{names})\b)", line, flags=re.IGNORECASE
    )
    name = re.compile(rf"(?:{names})", re.IGNORECASE)
    for at in reversed([at for at, part in enumerate(parts[:-1]) if name.fullmatch(part.strip())]):
        parts[at : at + 2] = [f"{parts[at]} and {parts[at + 1]}"]  # Ben and Eve have nothing, Dee ...
    threw = tuple(name.casefold() for one in lines for name in re.findall(r'<\w+:"?([^"!]+)', one))
    named = set(re.findall(rf"\b(?:{names})\b", line.casefold(), flags=re.IGNORECASE))
    of_one = threw and all(part.casefold().startswith(threw) for part in parts[1:])
    told = [] if len(parts) < 2 or len(named) < 2 or of_one else _told_by_parts(parts, session)
    if not told:
        return None
    shown = ", then ".join(map(escape_controls, told))
    refusal = refuse("bad-line", "each", at=Place(line, 0, len(line)), lines=shown).refusal
    return Refused(refusal._replace(lines=tuple(told)), "each")


def _told_by_parts(parts: Sequence[str], session: Session) -> list[str]:
    """Return a line for each part; none if they do not tell the tiles of several players."""
    told, holders, has_tiles, unsure = list[str](), set[str](), False, False
    for part in parts:
        try:
            told.append(_meant(part, session))
            holders |= {told[-1].partition(":")[0]} if ":" in told[-1] else set()
        except Refused as refused:
            asks = bool(refused.refusal.lines[1:] or refused.refusal.answers)
            remedied = () if asks else _remedied(refused.refusal, part, session).refusal.lines
            if not (asks or len(remedied) == 1):
                return []
            told += remedied or (part,)  # it is asked about in its turn
            unsure |= not asks
            has_tiles |= isinstance(refused, UnbracketedKong) or ":" in "".join(refused.refusal.lines)
    is_read = any(one not in parts for one in told)  # in other words: some part at least
    return told if is_read and (has_tiles or holders) and not (unsure and len(holders) < 2) else []


def _remedied(refusal: Refusal, line: str, session: Session) -> Refused:
    """Return a refusal with lines to type instead, if any can be found."""
    told = RefusedLine(line, at_table(session))
    if told.tells_of_a_hand:
        return Refused(_of_a_hand(refusal, line, session))
    if told.is_of_scores and ":" in "".join(refusal.lines):
        refusal = refusal._replace(lines=(), answers=(), hint=refusal.otherwise or refusal.hint)
    offers = refusal.lines or (refusal.answers and refusal.text)
    if refusal.code == "passed-over":  # a hand is offered only if the line can be nothing else
        found = remedied(refusal, told, partial(_meant, session=session))
        return found if found.refusal.lines else Refused(refusal)
    if (offers and refusal.code not in _OF_A_TILE) or refusal.code in _SURE or line.strip() in EVENTS:
        return Refused(refusal)
    return remedied(refusal, told, partial(_meant, session=session))


def _of_a_hand(refusal: Refusal, line: str, session: Session) -> Refusal:
    """Return the refusal of a line taken for a hand, offering the line without its fault if that can be read."""
    if refusal.code in OF_SCORES:
        table = at_table(session)
        lattice = Lattice(line, table.people)
        try:
            choose(lattice, table.worth)
        except Refused as refused:
            unread = mended(refused.refusal, lattice, table.worth)
            refusal = tried(unread, partial(read_typed, session=session))
    behind = line[(refusal.column or 1) - 1 :]
    # the words before a seat's colon, and the colon, say whose hand it is
    left = "" if refusal.lines or ":" in behind.partition("<")[0] else without_fault(refusal, line)
    with contextlib.suppress(Refused):
        typed = read_typed(left, session)
        if left and typed.reading is not None:
            first, *others = typed.lines
            said = ", ".join([first, *(row.replace(":", "", 1) for row in others)])
            hint = f"{refusal.hint}; without it, {said} would be read"
            return refusal._replace(hint=hint, lines=(said,), otherwise=refusal.hint)
    return refusal


def _meant(line: str, session: Session) -> str:
    """Return text for what a line asks for, the same for lines that ask for the same. Raises Refused."""
    action = action_of(line, session.seats, session.draft is not None)
    if action.kind not in ("rows", "event"):
        return line.strip()
    typed = read_typed(line, session)
    rows = tuple(renamed(row, session.seats) for row in typed.rows)
    event = renamed(typed.event, session.seats) if typed.event is not None else None
    first, *others = typed._replace(rows=rows, event=event).lines
    in_scores = int(typed.reading is None and event is None)
    return ", ".join([first.replace(":", "", in_scores), *(row.replace(":", "", 1) for row in others)])


def read_typed(line: str, session: Session, whole: bool = True) -> TypedLine:
    """Return the meaning of a line at the table of a session, as ``read_line`` does. Raises Refused."""
    return read_line(line, at_table(session), whole)


def at_table(session: Session) -> AtTable:
    """Return what the meaning of a line depends on in a session: seats, missing rows, last discarder, rules' scores."""
    evening = session.then
    missing = list(evening.missing)

    def worth_here(hand: Hand) -> int | None:
        if hand.seat is None and len(missing) != 1:
            return None  # nobody's hand: other readings may give it to a player
        return worth(hand, evening.state.book, None, evening.state.round_wind)

    won = next((entry for entry in reversed(evening.played) if entry.kind == "hand"), None)
    again = won.state.seats.get(won.settlement.discarder or "") if won is not None else None
    state, limit, friends = evening.state, evening.state.book.limit, evening.position.points
    sits_out, rests = state.seats.get(SITTER_OUT), who_rests(evening)
    return AtTable(
        evening.playing, missing, again, worth_here, sits_out, limit, friends, rests, state.round_wind
    )


def _one_line(records: Iterable[object]) -> str:
    """Return rows as one line that can be typed; the first name has no colon."""
    return ", ".join(map(str, records)).replace(":", "", 1)
