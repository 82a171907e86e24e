"""A prompt with a live line below it, in which an offered line may stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import wrap
from time import monotonic
from typing import Any

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

from mjscore.cli.live_line import LiveLine
from mjscore.cli.printing import coloured
from mjscore.play.offers import PromptText, after_key, filled_rows, told_of
from mjscore.system import waits_to_be_read

_STYLES = {
    "tiles": "", "state": "bold", "fault": "ansired", "hint": "ansibrightblack", "keys": "italic",
    "fault.place": "ansired underline", "stands": "reverse", "bottom-toolbar": "noreverse",
}  # fmt: skip
# keys with a special meaning for the text that a line begins with, by prompt_toolkit's names
_KEYS = {
    "c-m": "enter", "c-i": "tab", "s-tab": "s-tab", "left": "left", "right": "right", "home": "home", "end": "end",
    "c-h": "backspace", "delete": "delete",
}  # fmt: skip


class LivePrompt:
    """Reads lines at a terminal, each of which may begin with a text that stands until a key changes it."""

    def __init__(self, live_line: LiveLine) -> None:
        self.live_line = live_line
        self._stood: tuple[PromptText, float] | None = (
            None  # the text that the line began with, and since when
        )
        self.session: PromptSession[str] = PromptSession(
            bottom_toolbar=self._below,
            completer=_Offers(live_line),
            complete_while_typing=False,
            color_depth=None if coloured() else ColorDepth.MONOCHROME,
            complete_style=CompleteStyle.READLINE_LIKE,
            enable_suspend=True,
            input_processors=[_Selected(self), _WrappedAtWords(self)],
            key_bindings=self._keys(),
            lexer=_Marked(live_line),
            reserve_space_for_menu=0,
            style=Style.from_dict(_STYLES),
        )
        for window in self.session.layout.find_all_windows():
            # otherwise the live line would be at the bottom of the screen
            window.dont_extend_height = to_filter(True)

    def read(self, prompt: str, there: PromptText | None) -> str:
        """Return the line typed after *prompt*, which begins with the text *there* unless keys are already waiting."""
        self._stood = None
        if self._typed_on():
            there = None  # the user has not seen the text

        def stand() -> None:
            if there is not None:
                self.session.default_buffer.cursor_position = there.cursor
                self._stood = there, monotonic()

        return self.session.prompt(prompt, default=there.text if there is not None else "", pre_run=stand)

    def standing(self) -> PromptText | None:
        """Return the text that the line began with; None once a key has changed it or moved the cursor."""
        there, buffer = self._stood[0] if self._stood else None, self.session.default_buffer
        if there is not None and (buffer.text, buffer.cursor_position) != (there.text, there.cursor):
            self._stood = None
        return there if self._stood else None

    def _typed_on(self) -> bool:
        keys = get_typeahead(self.session.input)
        store_typeahead(self.session.input, keys)
        return bool(keys) or waits_to_be_read()

    def _below(self) -> StyleAndTextTuples:
        there, width = self.standing(), _columns()
        lines = [("keys", line) for line in wrap(told_of(there), width)] if there is not None else []
        lines += self.live_line.line(get_app().current_buffer.text, width).lines
        last = len(lines) - 1
        return [(f"class:{kind}", text + "\n" * (at < last)) for at, (kind, text) in enumerate(lines)]

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-u")
        def empty(event: KeyPressEvent) -> None:
            """Empty the line, wherever the cursor is."""
            event.current_buffer.text = ""

        for name in (*_KEYS, "<any>", "<bracketed-paste>"):
            keys.add(name, filter=Condition(lambda: self.standing() is not None))(self._press)
        return keys

    def _press(self, event: KeyPressEvent) -> None:
        """Do what a key does to the text that the line began with."""
        assert self._stood is not None
        (there, since), self._stood = self._stood, None
        (pressed,) = event.key_sequence
        typed = pressed.data.replace("\r\n", "\n").replace("\r", "\n")  # line ends of pasted text
        key = _KEYS.get(str(getattr(pressed.key, "value", pressed.key)), typed)
        made = after_key(there, key, round(1000 * (monotonic() - since)))
        buffer = event.current_buffer
        buffer.document = Document(made.text, made.cursor)
        if made.stands is not None:
            self._stood = made.stands, since
        if made.taken:
            buffer.validate_and_handle()


class _Offers(Completer):
    def __init__(self, live_line: LiveLine) -> None:
        self.live_line = live_line

    def get_completions(self, document: Document, event: object) -> Iterator[Completion]:
        word, fitting = self.live_line.offers(document.text_before_cursor)
        for offered in fitting:
            yield Completion(offered, -len(word))


class _Marked(Lexer):
    """Underlines the first mistake in the typed line."""

    def __init__(self, live_line: LiveLine) -> None:
        self.live_line = live_line

    def lex_document(self, document: Document) -> Callable[[int], Any]:
        text, lines = document.text, document.lines
        start, end = self.live_line.line(text, _columns()).fault or (0, 0)
        if len(lines) > 1:
            return lambda number: [("", lines[number])]  # several lines were pasted together
        pieces = [("", text[:start]), ("class:fault.place", text[start:end]), ("", text[end:])]
        return lambda number: pieces


class _Selected(Processor):
    """Highlights the whole line while it is the text it began with, which typing replaces."""

    def __init__(self, prompt: LivePrompt) -> None:
        self.prompt = prompt

    def apply_transformation(self, given: TransformationInput) -> Transformation:
        if self.prompt.standing() is None:
            return Transformation(given.fragments)
        return Transformation([(f"{kind} class:stands", text) for kind, text, *_ in given.fragments])


class _WrappedAtWords(Processor):
    """Fills a row with spaces before a word that would be broken at the edge of the screen."""

    def __init__(self, prompt: LivePrompt) -> None:
        self.prompt = prompt

    def apply_transformation(self, given: TransformationInput) -> Transformation:
        shown = explode_text_fragments(given.fragments)
        width = get_app().output.get_size().columns
        filled = filled_rows(fragment_list_to_text(shown), len(str(self.prompt.session.message)), width)
        for at in sorted(filled, reverse=True):
            shown[at:at] = [("", " ")] * filled[at]

        def displayed(position: int) -> int:
            return position + sum(count for at, count in filled.items() if at <= position)

        def typed(position: int) -> int:
            return next(at for at in range(position, -1, -1) if not at or displayed(at) <= position)

        return Transformation(shown, displayed, typed)


def _columns() -> int:
    return max(20, min(get_app().output.get_size().columns, 100) - 1)
