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
_OTHERWISE = "¹"  # marks what is worth the same under another condition
_SHORT_WORTH = 4  # letters; behind such a worth the page stands on the same line
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
    rule = book.rules[entry.id]
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
    part = "limit" if above == below else f"{above} × limit" if below == 1 else f"{above}/{below} limit"
    points = book.part_of_limit(rule)
    return part + (f" ({points})" if points is not None else "")


def _worth_of_hand(rule: Rule, book: Rulebook) -> str:
    """What a special or limit hand is worth, and what may be taken in place of that or comes to it."""
    if rule.of_limit is not None:
        worth = _part(rule, book)
    else:
        worth = f"points ×{2**rule.doubles}" if rule.doubles else str(rule.points)
    if rule.may_be_counted:
        worth += " or counted"
    if rule.never_counted:
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
    table = _columns(rows, style) if style.width >= 80 else _stacked(rows, style)
    if any(row.sides[0].worth.endswith(_OTHERWISE) for row in rows):
        note = f"{_OTHERWISE} worth the same, under another condition: see rules show"
        table += "\n" + "\n".join(wrap(note, style.width))
    return table


def _columns(rows: Sequence[DiffRow], style: Style) -> str:
    """A column for what a thing is and one for each rulebook, its page below its worth."""
    from tabulate import tabulate

    room = (style.width - 4) // 10 * 3
    title_room = style.width - 4 - 2 * room
    cells: list[list[str]] = []
    for section, of_section in groupby(rows, key=lambda row: row.section):
        cells.append([("\n" if cells else "") + style.strong(section), "", ""])
        for row in of_section:
            title = wrap(row.title, title_room, initial_indent="  ", subsequent_indent="    ")
            cells.append(["\n".join(title), *(_side_text(side, room) for side in row.sides)])
    return tabulate(
        cells,
        ["", *(side.book for side in rows[0].sides)],
        tablefmt="simple",
        disable_numparse=True,
        preserve_whitespace=True,
    )


def _side_text(side: DiffSide, room: int) -> str:
    """A worth with its page behind it, or below it where the worth takes the line."""
    indent = " " * (_SHORT_WORTH + 2)
    if len(side.worth) <= _SHORT_WORTH:
        lines = wrap(f"{side.worth:<{_SHORT_WORTH}}  {side.source}", room, subsequent_indent=indent)
    else:
        lines = wrap(side.worth, room)
        lines += wrap(side.source, room, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines)


def _stacked(rows: Sequence[DiffRow], style: Style) -> str:
    """The same for a narrow terminal: below each thing a line for each rulebook."""
    lines: list[str] = []
    for section, of_section in groupby(rows, key=lambda row: row.section):
        lines += ["", style.strong(section)] if lines else [style.strong(section)]
        for row in of_section:
            lines += wrap(row.title, style.width, initial_indent="  ", subsequent_indent="    ")
            names, worths = (
                max(map(len, column)) for column in zip(*(side[:2] for side in row.sides), strict=True)
            )
            for side in row.sides:
                text = f"{side.book:<{names}}  {side.worth:<{worths}}  {side.source}"
                lines += wrap(text, style.width, initial_indent="    ", subsequent_indent=" " * (names + 6))
    return "\n".join(lines)


class DiffSide(NamedTuple):
    """One thing in one rulebook: what it is worth there, and its page."""

    book: str
    worth: str
    source: str


class DiffRow(NamedTuple):
    """One thing in two rulebooks: its section and title, and what the left and the right one say of it."""

    section: str
    title: str
    sides: tuple[DiffSide, DiffSide]


def diff_rows(left: Rulebook, right: Rulebook, everything: bool = False) -> list[DiffRow]:
    """What two rulebooks give for the same thing; what they agree in only with *everything*.

    A thing has the same id in both, and stands in the section that it has in *left*.
    """
    rows = []
    both = {**right.entries, **left.entries}
    for section, section_title in _SECTIONS.items():
        names = [name for book in (left, right) for name in book.entries if both[name].section == section]
        for name in dict.fromkeys(names):
            titles = dict.fromkeys(book.entries[name].title for book in (left, right) if name in book.entries)
            sides = _entry_side(name, left), _entry_side(name, right)
            if sides[0].worth == sides[1].worth:
                if _condition(name, left) == _condition(name, right):
                    if not everything:
                        continue
                else:
                    sides = _marked(sides[0]), _marked(sides[1])
            rows.append(DiffRow(section_title, " / ".join(titles), sides))
    for name in dict.fromkeys([*left.options, *right.options]):
        sides = _option_side(name, left), _option_side(name, right)
        if everything or sides[0].worth != sides[1].worth:
            option = left.definition.options.get(name) or right.definition.options[name]
            rows.append(DiffRow("Options", f"{name}: {option.title}", sides))
    return rows


def _marked(side: DiffSide) -> DiffSide:
    return side._replace(worth=f"{side.worth} {_OTHERWISE}")


def _entry_side(name: str, book: Rulebook) -> DiffSide:
    entry = book.entries.get(name)
    if entry is None:
        return DiffSide(book.id, "–", "")
    return DiffSide(book.id, worth(entry, book) or "yes", entry.source)


def _option_side(name: str, book: Rulebook) -> DiffSide:
    option = book.definition.options.get(name)
    if option is None:
        return DiffSide(book.id, "–", "")
    return DiffSide(book.id, option_text(book.options[name]), option.source)


def _condition(name: str, book: Rulebook) -> str:
    """An entry's condition under the options in force, in a form that can be compared."""
    entry = book.entries[name]
    vocabulary = SET_VOCABULARY if entry.section == "set" else HAND_VOCABULARY
    return expression(book.conditions[name], vocabulary)
