"""What every refusal means, an example of it and its remedy: the tables in ``mjscore/refusals``, one a group."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from itertools import groupby
from textwrap import indent, wrap
from types import MappingProxyType
from typing import NamedTuple

from mjscore.page.text import Style, sections_text
from mjscore.refusal import visible, wrapped

GROUPS = ("tiles", "winning", "files", "table", "counters", "rulebooks", "evening", "program")
_BYTE = re.compile(rb"<byte (\w\w)>")
_TIMES = re.compile(rb"<(\d+) times: ([^<>]*)>")


class Explanation(NamedTuple):
    """A refusal's code, the *group* that it is listed in, what it *means*, an example and the *remedy*.

    The *example* is a command line with its *files* and what is typed at it, the *input*. What it prints is
    *shown* only where it needs more than that, such as a second player at the same file.
    """

    code: str
    group: str
    means: str
    remedy: str
    example: str
    files: Mapping[str, str] = MappingProxyType({})
    input: str = ""
    shown: str = ""

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read."""
        example = {"command": self.example, "files": dict(self.files), "input": self.input}
        told = {"code": self.code, "group": self.group, "means": self.means}
        return {**told, "example": example, "remedy": self.remedy}


def explanations() -> dict[str, Explanation]:
    """Give all refusals by code, in the order of the table."""
    table = {}
    for group in GROUPS:
        text = (resources.files("mjscore") / "refusals" / f"{group}.toml").read_text(encoding="utf-8")
        entries = tomllib.loads(text)
        title = entries.pop("title")
        for code, entry in entries.items():
            table[code] = Explanation(code, title, **entry)
    return table


def file_content(text: str) -> bytes:
    """Give a file of an example: ``<byte e9>`` stands for that byte, ``<9 times: x>`` for nine times x."""
    data = _BYTE.sub(lambda match: bytes.fromhex(match[1].decode()), text.encode())
    return _TIMES.sub(lambda match: match[2] * int(match[1]), data)


def refusal_in(output: str, code: str) -> str:
    """Give the refusal of *code* in what a command printed, as text or as JSON; empty where it is not."""
    for match in re.finditer(r"^\S.*(?:\n  .*)*", output, re.MULTILINE):
        if f"[{code}]" in match.group():
            return match.group()
    in_json = re.search(rf'{{"message": [^{{}}]*"code": "{code}"}}', output)
    return in_json.group() if in_json else ""


def example_text(explanation: Explanation, refusal: str) -> str:
    """Write the example as a terminal shows it: the files, the command, what is typed, the refusal."""
    files = [f"{name}:\n{indent(text, '  ').rstrip()}\n" for name, text in explanation.files.items()]
    typed = [f"> {visible(line)}" for line in explanation.input.splitlines()]
    return "\n".join([*files, f"$ {explanation.example}", *typed, refusal])


def show_explanation(explanation: Explanation, refusal: str, style: Style) -> str:
    """Show what one refusal means, its example and the remedy."""
    lines = [style.strong(f"{explanation.code}  {explanation.group}")]
    lines += wrap(explanation.means, style.width)
    lines.append("")
    # the example is moved in by two columns; a line of it that is too long goes on below
    for line in example_text(explanation, refusal).splitlines():
        margin = "  " + line[: len(line) - len(line.lstrip())]
        whole = "^" in line or " | " in line
        lines += [f"  {line}"] if whole else wrapped(f"  {line}", f"{margin}  ", style.width)
    return "\n".join([*lines, "", *wrap(explanation.remedy, style.width)])


def show_explanations(table: Iterable[Explanation], style: Style) -> str:
    """Show all refusals, a line or two each, under the titles of their groups."""
    sections = []
    for group, entries in groupby(table, key=lambda explanation: explanation.group):
        lines = []
        for entry in entries:
            means = f"{entry.code}: {entry.means}"
            lines += wrap(means, style.width, initial_indent="  ", subsequent_indent="      ")
        sections.append((group, lines))
    return sections_text(sections, style)


def markdown_page(table: Iterable[Explanation], refusal_of: Callable[[Explanation], str]) -> str:
    """Write all refusals with their examples as a page in Markdown."""
    parts = ["# Refusals", _PREFACE]
    for group, entries in groupby(table, key=lambda explanation: explanation.group):
        parts.append(f"## {group}")
        for entry in entries:
            example = example_text(entry, refusal_of(entry))
            parts += [f"### {entry.code}", entry.means, f"```\n{example}\n```", entry.remedy]
    return "\n\n".join(parts) + "\n"


_PREFACE = """\
What mjscore refuses, and what to type instead. The code stands in brackets behind the message; `mjscore explain CODE`
prints what is here. In a file, `<byte e9>` stands for that byte and `<9 times: x>` for nine times x."""
