"""The output of ``explain`` and ``help``: refusals, from the tables in ``mjscore/refusals``, words of the game, guides."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from itertools import groupby
from textwrap import indent, wrap
from types import MappingProxyType
from typing import NamedTuple

from mjscore.notation.hands import parse
from mjscore.notation.parsers import grammar_text, packaged
from mjscore.page.cards import worth
from mjscore.page.glossary import GlossaryWord, glossary
from mjscore.page.html import words
from mjscore.page.tables import NARROW, Cell, Notes, Table, columns_of, rows_table, show_table
from mjscore.page.text import Style, sections_text
from mjscore.page.tile_styles import render_tiles
from mjscore.refusal import escape_controls, wrapped
from mjscore.rulebook.rulebook import Rulebook

WORDS = "Words of the game"
GROUPS = ("tiles", "winning", "files", "table", "counters", "rulebooks", "evening", "program")
_BYTE = re.compile(rb"<byte (\w\w)>")
_TIMES = re.compile(rb"<(\d+) times: ([^<>]*)>")
# topics, each with the headings of grammar/README.md that cover it
TOPICS = {"notation": ("Tiles", "A hand"), "files": ("Files",)}
# the files of samples/guides with their titles
GUIDES = {
    "evening": "an evening at the table",
    "club": "a club's own rulebook",
    "spreadsheet": "a file of hands",
    "python": "from Python",
    "machines": "more than one machine",
}


class Explanation(NamedTuple):
    """A refusal's code, its *group*, what it *means*, an example and the *remedy*.

    The *example* is a command line with its *files* and *input*. Its refusal is *shown* (stored) only if
    provoking it takes more, such as a second player at the same file.
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
        """Return the code, group, meaning, example and remedy as a JSON object."""
        example = {"command": self.example, "files": dict(self.files), "input": self.input}
        members = {"code": self.code, "group": self.group, "means": self.means}
        return {**members, "example": example, "remedy": self.remedy}


def explanations() -> dict[str, Explanation]:
    """Return what explains each refusal, by code, in the order of ``GROUPS``."""
    table = {}
    for group in GROUPS:
        text = (resources.files("mjscore") / "refusals" / f"{group}.toml").read_text(encoding="utf-8")
        entries = tomllib.loads(text)
        title = entries.pop("title")
        for code, entry in entries.items():
            table[code] = Explanation(code, title, **entry)
    return table


def file_content(text: str) -> bytes:
    """Return the content of an example's file, in which ``<byte e9>`` is that byte, ``<9 times: x>`` nine times x."""
    data = _BYTE.sub(lambda match: bytes.fromhex(match[1].decode()), text.encode())
    return _TIMES.sub(lambda match: match[2] * int(match[1]), data)


def refusal_in(output: str, code: str) -> str:
    """Return the refusal with *code* from a command's output, as text or JSON; empty if it has none."""
    for match in re.finditer(r"^\S.*(?:\n  .*)*", output, re.MULTILINE):
        if f"[{code}]" in match.group():
            return match.group()
    in_json = re.search(rf'{{"message": [^{{}}]*"code": "{code}"[^{{}}]*}}', output)
    return in_json.group() if in_json else ""


def example_text(explanation: Explanation, refusal: str) -> str:
    """Format the example as a terminal shows it: files, command, input, refusal."""
    files = [f"{name}:\n{indent(text, '  ').rstrip()}\n" for name, text in explanation.files.items()]
    inputs = [f"> {escape_controls(line)}" for line in explanation.input.splitlines()]
    return "\n".join([*files, f"$ {explanation.example}", *inputs, refusal])


def show_explanation(explanation: Explanation, refusal: str, style: Style) -> str:
    """Return as text what one refusal means, its example and its remedy."""
    lines = [style.strong(f"{explanation.code}  {explanation.group}")]
    lines += wrap(explanation.means, style.width)
    lines.append("")
    # the example is indented by two columns; its long lines are wrapped
    for line in example_text(explanation, refusal).splitlines():
        margin = "  " + line[: len(line) - len(line.lstrip())]
        whole = "^" in line or " | " in line
        lines += [f"  {line}"] if whole else wrapped(f"  {line}", f"{margin}  ", style.width)
    return "\n".join([*lines, "", *wrap(explanation.remedy, style.width)])


def show_explanations(table: Iterable[Explanation], style: Style) -> str:
    """Return a list of all refusals, a line or two each, by group, and of the words of the game."""
    sections = []
    for group, entries in groupby(table, key=lambda explanation: explanation.group):
        lines = []
        for entry in entries:
            means = f"{entry.code}: {entry.means}"
            lines += wrap(means, style.width, initial_indent="  ", subsequent_indent="      ")
        sections.append((group, lines))
    topics = wrap(f"{', '.join(glossary())}: mjscore explain kong, mjscore explain words", style.width - 2)
    return sections_text([*sections, (WORDS, [f"  {line}" for line in topics])], style)


def markdown_page(table: Iterable[Explanation], refusal_of: Callable[[Explanation], str]) -> str:
    """Return the explanations of all refusals, with their examples, as a page in Markdown."""
    parts = ["# Refusals", words()["preface"]]
    for group, entries in groupby(table, key=lambda explanation: explanation.group):
        parts.append(f"## {group}")
        for entry in entries:
            example = example_text(entry, refusal_of(entry))
            parts += [f"### {entry.code}", entry.means, f"```\n{example}\n```", entry.remedy]
    return "\n\n".join(parts) + "\n"


def show_word(word: GlossaryWord, book: Rulebook, style: Style, tile_style: str | None = None) -> str:
    """Return a word of the game as text: its meaning, its tiles, what it scores by a rulebook, related words."""
    lines = [style.strong(word.name.capitalize()), *wrap(word.means, style.width), ""]
    for text, shows in word.tiles.items():
        hand = parse(text)._replace(unlisted=False)
        # the notation is put below the faces, followed by what it shows
        *faces, notation = indent(render_tiles(hand, tile_style, style.width - 4), "  ").split("\n")
        lines += [*faces, *wrap(f"{notation}  {shows}", style.width, subsequent_indent="      ")]
    rows, options = brought_by(word, book)
    notes = Notes()
    if style.width < NARROW:
        rows = [(title + notes.mark(source), gives, "") for title, gives, source in rows]
    if word.asks:
        lines += [""] * bool(word.tiles) + list(map(style.strong, wrap(f"By {book.title}", style.width)))
        lines.append(show_table(rows_table(rows), style) if rows else "  nothing is scored or paid for it")
        lines += [*notes.lines(style), ""]
    for title, names in {"By other options": options, "See": word.see, "Also": word.also}.items():
        lines += wrap(f"{title}: {', '.join(names)}", style.width, subsequent_indent="  ") if names else []
    return "\n".join(lines).rstrip()


def brought_by(word: GlossaryWord, book: Rulebook) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Return title, points and page of each entry that a word is about, and options as ``entries`` does."""
    entries, options = word.entries(book)
    return [(entry.title, worth(entry, book), entry.source) for entry in entries], options


def words_json(word: GlossaryWord, book: Rulebook) -> dict[str, object]:
    """Return a word of the game as a JSON object, with the rules of *book* that it is about."""
    members = {"word": word.name, "group": WORDS, "means": word.means, "also": list(word.also)}
    tiles = [{"tiles": text, "shows": shows} for text, shows in word.tiles.items()]
    brought, _ = brought_by(word, book)
    rules = [{"title": title, "worth": gives, "source": source} for title, gives, source in brought]
    return {**members, "tiles": tiles, "rulebook": book.id, "rules": rules, "see": list(word.see)}


def words_page(table: Iterable[GlossaryWord], book: Rulebook) -> str:
    """Return words of the game as a page in Markdown."""
    parts = [f"# {WORDS}"]
    for word in table:
        tiles = [f"- `{text}`: {shows}" for text, shows in word.tiles.items()]
        brought, _ = brought_by(word, book)
        rules = [f"- {title}{gives and f': {gives}'} ({source})" for title, gives, source in brought]
        brings = [f"By {book.title}:", "\n".join(rules)] if rules else []
        parts += [f"## {word.name}", word.means, *filter(None, ["\n".join(tiles)]), *brings]
    return "\n\n".join(parts) + "\n"


def topic_text(topic: str, style: Style) -> str:
    """Return a guide, or the notation page's sections on a topic, wrapped to the width."""
    if topic in GUIDES:
        return show_markdown(packaged("guides", f"{topic}.md").decode("utf-8"), style)
    page = grammar_text("README.md")
    parts = []
    for title in TOPICS[topic]:
        start = page.index(f"## {title}\n")
        end = page.find("\n## ", start)
        parts.append(show_markdown(page[start : end if end >= 0 else len(page)].rstrip(), style))
    return "\n\n".join(parts)


def show_markdown(text: str, style: Style) -> str:
    """Return Markdown as text for a terminal: headings stand out, prose and tables are wrapped, examples stay."""
    blocks: list[list[str]] = []
    # every second part is a fenced example
    for number, part in enumerate(re.split(r"^```.*\n?", text, flags=re.MULTILINE)):
        if number % 2:
            blocks.append(["  " + line if line else "" for line in part.splitlines()])
        else:
            paragraphs = filter(None, re.split(r"\n\n+", part.strip("\n")))
            blocks += [_shown(paragraph.splitlines(), style) for paragraph in paragraphs]
    return "\n\n".join(map("\n".join, blocks))


def _shown(block: list[str], style: Style) -> list[str]:
    first = block[0]
    if first.startswith("#"):
        return [style.strong(first.lstrip("# "))]
    if first.startswith("    "):
        return ["  " + line[4:] for line in block]
    if first.startswith("|"):
        rows = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in block if not line.startswith("|--")]
        head, *others = ([Cell(_plain(cell), faint=row is rows[0]) for cell in row] for row in rows)
        columns = columns_of([""] * len(head), [head, *others], "l" * len(head))
        last = columns.pop()._replace(rank=1, below=True)
        return [show_table(Table([*columns, last], narrowed=((len(columns), 20),), margin=2), style)]
    # typed text of several words is put in quotes
    quoted = re.sub(r"`([^`]*)`", lambda code: f"“{code[1]}”" if " " in code[1] else code[1], " ".join(block))
    return wrap(_plain(quoted), style.width)


def _plain(text: str) -> str:
    """Return *text* without the Markdown of links and code."""
    return re.sub(r"`([^`]*)`", r"\1", re.sub(r"\[([^\[\]`]*)\]\([^()]*\)", r"\1", text))
