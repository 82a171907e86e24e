"""Reading a line at the table: with a live line below it if the terminal can show one, or else plainly."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mjscore.cli.printing import coloured, end_refused
from mjscore.refusal import describe_fault, refuse
from mjscore.system import waits_to_be_read

if TYPE_CHECKING:
    from mjscore.play.controller import Controller
    from mjscore.play.live import LiveView
    from mjscore.play.offers import PromptText
    from mjscore.play.session import Session

Given = TypeVar("Given")

LONGEST_TYPED = 1_000_000  # characters; a pipe may be endless
# reads a line after a prompt; the line may begin with a text
Read = Callable[[str, "PromptText | None"], str]

_KINDS = {"tiles": "", "state": "bold", "fault": "ansired", "hint": "ansibrightblack", "keys": "italic"}
# keys with a special meaning for the text that a line begins with, by prompt_toolkit's names
_KEYS = {
    "c-m": "enter", "c-i": "tab", "s-tab": "s-tab", "left": "left", "right": "right", "home": "home", "end": "end",
    "c-h": "backspace", "delete": "delete",
}  # fmt: skip


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


def shows_live_lines() -> bool:
    """Return whether the terminal can show a line below the one being typed."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def line_reader(live_line: LiveLine) -> Read:
    """Return the function that reads a line: with a live line, with readline, or from a pipe."""
    if shows_live_lines():
        return _live_reader(live_line)
    with contextlib.suppress(ImportError):
        if sys.stdin.isatty():
            return _readline_reader(live_line)
    return lambda prompt, standing: _plain_line(prompt)


def ask(question: str, known: Sequence[str]) -> str:
    """Print *question* and return the answer typed behind it; the Tab key completes *known* answers."""
    if not shows_live_lines():
        return _plain_line(question)
    from prompt_toolkit import prompt
    from prompt_toolkit.completion import WordCompleter

    completer = WordCompleter(list(known), sentence=True)
    return prompt(question, completer=completer, complete_while_typing=False, reserve_space_for_menu=0)


def _plain_line(prompt: str) -> str:
    """Return a line read without a live line. Raises EOFError at the end of the input."""
    if sys.stdin.isatty():
        return input(prompt)
    click.echo(prompt, nl=False)
    line = sys.stdin.readline(LONGEST_TYPED)
    if not line:
        raise EOFError
    if len(line) == LONGEST_TYPED:
        end_refused(refuse("long-line", "endless", most=LONGEST_TYPED).refusal)
    click.echo()  # a pipe does not echo the line end, as a terminal does
    return line.rstrip("\r\n")


def _readline_reader(live_line: LiveLine) -> Read:
    """Return a reader with history and completion, where Enter may take an offer. Raises ImportError."""
    import readline
    from time import monotonic

    from mjscore.play.offers import after_key

    def complete(text: str, state: int) -> str | None:
        _, fitting = live_line.offers(readline.get_line_buffer()[: readline.get_endidx()])
        return fitting[state] if state < len(fitting) else None

    def read(prompt: str, standing: PromptText | None) -> str:
        begun = monotonic()
        line = input(prompt)
        if line.strip() or standing is None or not standing.offered:
            return line
        pressed = after_key(standing, "enter", round(1000 * (monotonic() - begun)))
        return pressed.text if pressed.taken else ""

    readline.set_completer(complete)
    readline.set_completer_delims(" \t:!")
    readline.parse_and_bind("tab: complete")
    return read


def _live_reader(live_line: LiveLine) -> Read:
    from textwrap import wrap
    from time import monotonic

    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.filters import Condition, to_filter
    from prompt_toolkit.formatted_text import StyleAndTextTuples, fragment_list_to_text
    from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
    from prompt_toolkit.layout.utils import explode_text_fragments
    from prompt_toolkit.lexers import Lexer
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.shortcuts import CompleteStyle
    from prompt_toolkit.styles import Style

    from mjscore.play.offers import after_key, filled_rows, told_of

    class Offers(Completer):
        def get_completions(self, document: Document, event: object) -> Iterator[Completion]:
            word, fitting = live_line.offers(document.text_before_cursor)
            for offered in fitting:
                yield Completion(offered, -len(word))

    class Marked(Lexer):
        """Underlines the first mistake in the typed line."""

        def lex_document(self, document: Document) -> Callable[[int], Any]:
            text, lines = document.text, document.lines
            start, end = live_line.line(text, _columns()).fault or (0, 0)
            if len(lines) > 1:
                return lambda number: [("", lines[number])]  # several lines were pasted together
            pieces = [("", text[:start]), ("class:fault.place", text[start:end]), ("", text[end:])]
            return lambda number: pieces

    stood: list[tuple[PromptText, float]] = []  # the text that the line began with, and since when

    def standing() -> PromptText | None:
        """Return the text that the line began with, unless a key has changed it or moved the cursor."""
        there, buffer = stood[-1][0] if stood else None, session.default_buffer
        if there is not None and (buffer.text, buffer.cursor_position) != (there.text, there.cursor):
            stood.clear()
        return there if stood else None

    class Selected(Processor):
        """Highlights the whole line while it is the text it began with, which typing replaces."""

        def apply_transformation(self, given: TransformationInput) -> Transformation:
            if standing() is None:
                return Transformation(given.fragments)
            return Transformation([(f"{kind} class:stands", text) for kind, text, *_ in given.fragments])

    class WrappedAtWords(Processor):
        """Fills a row with spaces before a word that would be broken at the edge of the screen."""

        def apply_transformation(self, given: TransformationInput) -> Transformation:
            shown = explode_text_fragments(given.fragments)
            width = get_app().output.get_size().columns
            filled = filled_rows(fragment_list_to_text(shown), len(str(session.message)), width)
            for at in sorted(filled, reverse=True):
                shown[at:at] = [("", " ")] * filled[at]

            def displayed(position: int) -> int:
                return position + sum(count for at, count in filled.items() if at <= position)

            def typed(position: int) -> int:
                return next(at for at in range(position, -1, -1) if not at or displayed(at) <= position)

            return Transformation(shown, displayed, typed)

    def below() -> StyleAndTextTuples:
        there, width = standing(), _columns()
        lines = [("keys", line) for line in wrap(told_of(there), width)] if there is not None else []
        lines += live_line.line(get_app().current_buffer.text, width).lines
        last = len(lines) - 1
        return [(f"class:{kind}", text + "\n" * (at < last)) for at, (kind, text) in enumerate(lines)]

    keys = KeyBindings()

    @keys.add("c-u")
    def empty(event: KeyPressEvent) -> None:
        """Empty the line, wherever the cursor is."""
        event.current_buffer.text = ""

    def press(event: KeyPressEvent) -> None:
        there, since = stood.pop()
        (pressed,) = event.key_sequence
        typed = pressed.data.replace("\r\n", "\n").replace("\r", "\n")  # line ends of pasted text
        key = _KEYS.get(str(getattr(pressed.key, "value", pressed.key)), typed)
        made = after_key(there, key, round(1000 * (monotonic() - since)))
        buffer = event.current_buffer
        buffer.document = Document(made.text, made.cursor)
        if made.stands is not None:
            stood.append((made.stands, since))
        if made.taken:
            buffer.validate_and_handle()

    for name in (*_KEYS, "<any>", "<bracketed-paste>"):
        keys.add(name, filter=Condition(lambda: standing() is not None))(press)

    styles = {
        **_KINDS,
        "fault.place": "ansired underline",
        "stands": "reverse",
        "bottom-toolbar": "noreverse",
    }
    session: PromptSession[str] = PromptSession(
        bottom_toolbar=below,
        completer=Offers(),
        complete_while_typing=False,
        color_depth=None if coloured() else ColorDepth.MONOCHROME,
        complete_style=CompleteStyle.READLINE_LIKE,
        enable_suspend=True,
        input_processors=[Selected(), WrappedAtWords()],
        key_bindings=keys,
        lexer=Marked(),
        reserve_space_for_menu=0,
        style=Style.from_dict(styles),
    )

    for window in session.layout.find_all_windows():
        # otherwise the live line would be at the bottom of the screen
        window.dont_extend_height = to_filter(True)

    def typed_on() -> bool:
        keys = get_typeahead(session.input)
        store_typeahead(session.input, keys)
        return bool(keys) or waits_to_be_read()

    def read(prompt: str, there: PromptText | None) -> str:
        stood.clear()
        if typed_on():
            there = None  # the user has not seen the text

        def stand() -> None:
            if there is not None:
                session.default_buffer.cursor_position = there.cursor
                stood.append((there, monotonic()))

        return session.prompt(prompt, default=there.text if there is not None else "", pre_run=stand)

    return read


def _columns() -> int:
    from prompt_toolkit.application import get_app

    return max(20, min(get_app().output.get_size().columns, 100) - 1)
