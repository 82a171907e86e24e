"""Rulebooks as score cards, and two rulebooks beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from mjscore.page.text import Style, rows_text
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.conditions import expression
from mjscore.rulebook.entries import Entry
from mjscore.rulebook.facts import HAND_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.rule import Rule

_SECTIONS = {
    "win": "What may win",
    "set": "Sets and pairs",
    "bonus": "Bonuses",
    "after": "Added after doubling",
    "double": "Doubles",
    "limit": "Limit hands and special scores",
    "shape": "Special hands",
    "flag": "Flags",
    "settle": "Settling",
    "liability": "Who pays for the others",
    "excuse": "Excuses",
}
_CHOICES = {"flag": "on, off", "limit": "points, none", "group": "all, none"}


def show_rulebook(book: Rulebook, style: Style, ids: bool = False) -> str:
    """A score card to keep beside the table: every entry with its worth and page, and the options.

    Entries and options that a house rulebook has of its own, or changed, are marked ``*``; what it drops
    stands at the end. With *ids* each entry has its id before its title, as ``drop`` and ``[change.id]`` name it.
    """
    lines = [style.strong(line) for line in wrap(book.title, style.width)]
    lines += [style.faint(line) for line in wrap(book.book, style.width)]
    own = book.definition.path if len(book.definition.lineage) > 1 else None
    for section, title in _SECTIONS.items():
        entries = [entry for entry in book.entries.values() if entry.section == section]
        if not entries:
            continue
        rows = [
            (
                ("* " if entry.document.path == own else "") + _title(entry, ids),
                worth(entry, book),
                entry.source,
            )
            for entry in entries
        ]
        lines += ["", style.strong(title), rows_text(rows, style)]
    if own and book.definition.dropped:
        rows = [(_title(entry, ids), "–", entry.source) for entry in book.definition.dropped]
        lines += ["", style.strong(f"Dropped from {book.definition.lineage[-2]}"), rows_text(rows, style)]
    if own:
        lines += ["", f"  * differs from {book.definition.lineage[-2]}"]
    if book.definition.options:
        lines += ["", style.strong("Options"), rows_text(_option_rows(book), style)]
    lines += ["", style.faint(f"fingerprint {book.fingerprint}")]
    return "\n".join(lines)


def _title(entry: Entry, ids: bool) -> str:
    return f"{entry.id}: {entry.title}" if ids else entry.title


def card_json(book: Rulebook) -> dict[str, object]:
    """The score card for programs."""
    entries = [
        {
            "rule": entry.id,
            "section": entry.section,
            "title": entry.title,
            "worth": worth(entry, book),
            "when": entry.data.get("when"),
            "source": entry.source,
            "changed": len(book.definition.lineage) > 1 and entry.document.path == book.definition.path,
        }
        for entry in book.entries.values()
    ]
    return {
        "id": book.id,
        "title": book.title,
        "book": book.book,
        "limit": book.limit,
        "options": dict(book.options.items()),
        "changed_options": sorted(book.definition.own_options) if len(book.definition.lineage) > 1 else [],
        "dropped": [entry.id for entry in book.definition.dropped],
        "entries": entries,
        "fingerprint": book.fingerprint,
    }


def worth(entry: Entry, book: Rulebook) -> str:
    """What an entry gives, in a word or two."""
    rule = book.rules.get(entry.id)
    if rule is None:
        return "–"
    if entry.section == "flag":
        return f"!{entry.id}"
    times = " each" if "times" in entry.data else ""
    if entry.section in ("limit", "shape"):
        return _worth_of_hand(rule, book)
    if rule.of_limit is not None:
        return _part(rule, book)
    if rule.doubles:
        return f"×{2**rule.doubles}{times}"
    if "factor" in entry.data:
        return f"×{entry.data['factor']}"
    if entry.data.get("rule") == "wash":
        amounts = entry.data["points"].values()
        return f"{min(amounts)}–{max(amounts)}"
    counts = entry.section in ("set", "bonus", "after", "shape") or rule.points
    return f"{rule.points}{times}" if counts else ""


def _part(rule: Rule, book: Rulebook) -> str:
    """A part of the limit, with the points that it is."""
    above, below = rule.of_limit or (1, 1)
    part = "limit" if (above, below) == (1, 1) else f"{above}/{below} limit"
    points = book.part_of_limit(rule)
    return part + (f" ({points})" if points is not None else "")


def _worth_of_hand(rule: Rule, book: Rulebook) -> str:
    """What a special or limit hand is worth, and what may be taken in place of that or comes to it."""
    if rule.of_limit is not None:
        worth = _part(rule, book)
    else:
        worth = f"points ×{2**rule.doubles}" if rule.doubles else str(rule.points)
    if rule.counts:
        worth += " or counted"
    if rule.instead:
        worth += ", not counted"
    return worth + (" + bonus tiles" if rule.bonus_tiles else "")


def _option_rows(book: Rulebook) -> list[tuple[str, str, str]]:
    """Options with their value in force, choices and pages."""
    rows = []
    own = book.definition.own_options if len(book.definition.lineage) > 1 else frozenset()
    for name, option in book.definition.options.items():
        choices = _CHOICES.get(str(option.data["kind"])) or ", ".join(map(str, option.data["choices"]))
        mark = "* " if name in own else ""
        rows.append(
            (f"{mark}{name}: {option.title} ({choices})", option_text(book.options[name]), option.source)
        )
    return rows


def option_text(value: object) -> str:
    """An option's value as it is typed."""
    return "on" if value is True else "off" if value is False else "none" if value is None else str(value)


def show_diff(left: Rulebook, right: Rulebook, style: Style, everything: bool = False) -> str:
    """Two columns of what is worth what; in a narrow terminal below each other."""
    rows = diff_rows(left, right, everything)
    if not rows:
        return "The two rulebooks are the same."
    table = _columns(rows, left, right, style) if style.width >= 80 else _stacked(rows, left, right, style)
    if any(row.right.endswith("¹") for row in rows):
        note = "¹ worth the same, under another condition: see rules show"
        table += "\n" + "\n".join(wrap(note, style.width))
    return table


def _columns(rows: Sequence[DiffRow], left: Rulebook, right: Rulebook, style: Style) -> str:
    from tabulate import tabulate

    columns = max(12, (style.width - 14) // 4)
    section = ""
    cells: list[list[str]] = []
    for row in rows:
        if row.section != section:
            section = row.section
            cells.append([style.strong(section), "", "", ""])
        cells.append([f"  {row.title}", *row[2:]])
    return tabulate(
        cells,
        ["", left.id, right.id, "pages"],
        tablefmt="simple",
        disable_numparse=True,
        maxcolwidths=[columns * 2 - 6, max(10, columns - 8), max(10, columns - 8), columns],
        colalign=("left", "right", "right", "left"),
        preserve_whitespace=True,
    )


def _stacked(rows: Sequence[DiffRow], left: Rulebook, right: Rulebook, style: Style) -> str:
    lines: list[str] = []
    for section, of_section in groupby(rows, key=lambda row: row.section):
        lines += ["", style.strong(section)] if lines else [style.strong(section)]
        for row in of_section:
            lines += wrap(row.title, style.width, initial_indent="  ", subsequent_indent="    ")
            worths = f"{left.id} {row.left}, {right.id} {row.right}"
            for text in (worths, row.pages):
                shown = wrap(text, style.width, initial_indent="    ", subsequent_indent="      ")
                lines += map(style.faint, shown) if text == row.pages else shown
    return "\n".join(lines)


class DiffRow(NamedTuple):
    """One thing in two rulebooks: its section and title, its worth in the left and the right one, their pages."""

    section: str
    title: str
    left: str
    right: str
    pages: str


def diff_rows(left: Rulebook, right: Rulebook, everything: bool = False) -> list[DiffRow]:
    """What two rulebooks give for the same thing; what they agree in only with *everything*.

    A thing has the same id in both, and stands in the section that it has in *left*.
    """
    books = (left, right)
    rows = []
    both = {**right.entries, **left.entries}
    for section, section_title in _SECTIONS.items():
        names = [name for book in books for name in book.entries if both[name].section == section]
        for name in dict.fromkeys(names):
            entries = [book.entries.get(name) for book in books]
            titles = list(dict.fromkeys(entry.title for entry in entries if entry))
            shown = [
                worth(entry, book) or "yes" if entry else "–"
                for entry, book in zip(entries, books, strict=True)
            ]
            conditions = {_condition(entry, book) for entry, book in zip(entries, books, strict=True)}
            if shown[0] == shown[1]:
                if len(conditions) == 1 and not everything:
                    continue
                if all(entries):
                    shown = [f"{text} ¹" for text in shown]
            pages = " | ".join(entry.source if entry else "–" for entry in entries)
            rows.append(DiffRow(section_title, " / ".join(titles), shown[0], shown[1], pages))
    for name in dict.fromkeys([*left.options, *right.options]):
        values = [option_text(book.options[name]) if name in book.options else "–" for book in books]
        if everything or values[0] != values[1]:
            option = left.definition.options.get(name) or right.definition.options[name]
            rows.append(DiffRow("Options", f"{name}: {option.title}", values[0], values[1], option.source))
    return rows


def _condition(entry: Entry | None, book: Rulebook) -> str:
    """An entry's condition under the options in force, in a form that can be compared."""
    if entry is None:
        return ""
    vocabulary = SET_VOCABULARY if entry.section == "set" else HAND_VOCABULARY
    return expression(book.conditions[entry.id], vocabulary)
