"""The line shown below the one being typed at a table, and the words that complete it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from mjscore.refusal import describe_fault

if TYPE_CHECKING:
    from mjscore.play.controller import Controller
    from mjscore.play.live import LiveView
    from mjscore.play.session import Session

Given = TypeVar("Given")


class LiveLine:
    """What is shown and offered while a line is typed at a table, computed once for each key pressed.

    If the program fails here, line and evening go on: *fault* has the message, and nothing more is shown.
    """

    def __init__(self, table: Controller) -> None:
        self._table = table
        self._shown: tuple[Session, str, int, LiveView] | None = None
        self.fault: str | None = None  # empty once it has been printed

    def line(self, text: str, columns: int) -> LiveView:
        """Return what to show below the typed *text*, in lines of *columns* columns."""
        from mjscore.play.live import LiveView, live

        session = self._table.session
        if not self._shown or self._shown[0] is not session or self._shown[1:3] != (text, columns):
            view = self._unless_broken(lambda: live(session, text, columns)) or LiveView()
            self._shown = (session, text, columns, view)
        return self._shown[3]

    def offers(self, before: str) -> tuple[str, list[str]]:
        """Return the beginning of a word at the end of *before*, and the words that complete it."""
        from mjscore.play.live import completions

        return self._unless_broken(lambda: completions(self._table.session, before)) or ("", [])

    def _unless_broken(self, show: Callable[[], Given]) -> Given | None:
        try:
            return show() if self.fault is None else None
        except Exception as error:
            without = "the evening continues without help while you type"
            self.fault = f"{describe_fault(error)}; {without}"
            return None

    def say_fault(self) -> None:
        """Print the fault, but only once."""
        if self.fault:
            self._table.say(self.fault)
            self.fault = ""
