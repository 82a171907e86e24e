"""Rulebooks as score cards, and two rulebooks beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from mjscore.game.tiles import Tile, format_tiles
from mjscore.page.drawings import draw_sets
from mjscore.page.example_hands import example_tiles
from mjscore.page.markup import document, escaped, spoken_caption
from mjscore.page.text import Style, rows_text
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.compiling import holds
from mjscore.rulebook.conditions import Constant, expression
from mjscore.rulebook.entries import Entry, parsed
from mjscore.rulebook.facts import HAND_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.rule import Rule
from mjscore.rulebook.wording import condition_words, many, shape_words

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
_WHOLE = 12  # entries under one title that are not parted on paper
_OTHERWISE = "¹"  # marks what is worth the same under another condition
_SHORT_WORTH = 4  # letters; behind such a worth the page stands on the same line
_CHOICES = {"flag": "on, off", "limit": "points, none", "group": "all, none"}


class CardRow(NamedTuple):
    """An entry on a card: its title, worth and page, what it is in words where that is told, and a hand that is it."""

    entry: Entry
    title: str
    worth: str
    source: str
    means: str = ""
    tiles: tuple[tuple[Tile, ...], ...] = ()


class CardGroup(NamedTuple):
    """Entries of a section that the same hands get, under a title; *source* is the page that most of them have."""

    title: str
    source: str
    rows: tuple[CardRow, ...]


def card_groups(book: Rulebook, ids: bool = False, everything: bool = False) -> list[CardGroup]:
    """Work out a card: every entry in force, those for the winner alone apart.

    Entries that a house rulebook has of its own, or changed, are marked ``*``; what it drops stands at the end. With
    *ids* each entry has its id before its title; what special hands are is told, with *everything* all conditions.
    """
    groups = []
    for section, title in _SECTIONS.items():
        entries = [entry for entry in book.entries.values() if entry.section == section]
        for whose in dict.fromkeys(map(str, (_whose(entry, book) for entry in entries))):
            rows = [
                _card_row(entry, book, ids, everything) for entry in entries if _whose(entry, book) == whose
            ]
            groups.append(_group(title + whose, rows))
    if _own(book) and book.definition.dropped:
        rows = [CardRow(one, _title(one, ids), "–", one.source) for one in book.definition.dropped]
        groups.append(_group(f"Dropped from {book.definition.lineage[-2]}", rows))
    if book.definition.options:
        groups.append(
            CardGroup("Options", "", tuple(_option_row(name, book) for name in book.definition.options))
        )
    return groups


def _option_row(name: str, book: Rulebook) -> CardRow:
    """Give an option with its choices, its value in force and its page."""
    option = book.definition.options[name]
    choices = _CHOICES.get(str(option.data["kind"])) or ", ".join(map(str, option.data["choices"]))
    mark = "* " if _own(book) and name in book.definition.own_options else ""
    value = option_text(book.options[name])
    return CardRow(option, f"{mark}{name}: {option.title} ({choices})", value, option.source)


def _whose(entry: Entry, book: Rulebook) -> str:
    """Tell which hands can have an entry, where not all can."""
    if entry.section not in ("set", "bonus", "double", "after", "limit"):
        return ""
    if holds(book.conditions[entry.id], False) == Constant(False):
        return ", for the winner"
    lost = holds(book.conditions[entry.id], True) == Constant(False)
    return ", for who did not win" if lost else ""


def _group(title: str, rows: Sequence[CardRow]) -> CardGroup:
    """Put the page that most of the rows have at the head, and take it from them."""
    source, count = Counter(row.source for row in rows).most_common(1)[0]
    if count < 2 or 2 * count < len(rows):
        return CardGroup(title, "", tuple(rows))
    return CardGroup(
        title, source, tuple(row._replace(source="") if row.source == source else row for row in rows)
    )


def _card_row(entry: Entry, book: Rulebook, ids: bool, everything: bool) -> CardRow:
    mark = "* " if entry.document.path == _own(book) else ""
    is_hand = entry.section == "shape" or (
        entry.section == "limit" and _whose(entry, book) != ", for who did not win"
    )
    means = entry_words(entry, book) if everything or is_hand else ""
    tiles = example_tiles(entry.id, book) if is_hand else ()
    return CardRow(entry, mark + _title(entry, ids), worth(entry, book), entry.source, means, tiles)


def _own(book: Rulebook) -> str | None:
    """Give the file of a rulebook that extends another."""
    return book.definition.path if len(book.definition.lineage) > 1 else None


def entry_words(entry: Entry, book: Rulebook) -> str:
    """Tell in words what an entry asks for: its tiles, and its condition under the options in force."""

    def title(name: str) -> str:
        return book.definition.entries[name].title if name in book.definition.entries else name

    of_winner = entry.section in ("win", "shape") or _whose(entry, book) == ", for the winner"
    told = [
        shape_words(str(entry.data["tiles"])) if "tiles" in entry.data else "",
        f"shown: {condition_words(parsed(entry, 'shown'), title)}" if "shown" in entry.data else "",
        condition_words(book.conditions[entry.id], title, of_winner),
        f"times {many(parsed(entry, 'times'))}" if "times" in entry.data else "",
    ]
    return "; ".join(text for text in told if text)


def show_rulebook(book: Rulebook, style: Style, ids: bool = False, everything: bool = False) -> str:
    """Show a card to keep beside the table: see ``card_groups``; then the options."""
    lines = [style.strong(line) for line in wrap(book.title, style.width)]
    lines += [style.faint(line) for line in wrap(book.book, style.width)]
    for group in card_groups(book, ids, everything):
        head = group.title + (f"  ({group.source})" if group.source else "")
        first, *more = wrap(head, style.width, subsequent_indent="  ")
        lines += ["", style.strong(first), *map(style.strong, more)]
        plain = [(row.title, row.worth, row.source) for row in group.rows]
        if not any(row.means or row.tiles for row in group.rows):
            lines += rows_text(plain, style)
            continue
        for row, shown in zip(group.rows, rows_text([(*one[:2], "") for one in plain], style), strict=True):
            tiles = " ".join(map(format_tiles, row.tiles))
            told = "; ".join(text for text in (row.means, tiles and f"as {tiles}", row.source) if text)
            lines += [
                shown,
                *map(style.faint, wrap(told, style.width, initial_indent="    ", subsequent_indent="    ")),
            ]
    if _own(book):
        lines += ["", f"  {_differs(book)}"]
    lines += ["", style.faint(f"fingerprint {book.fingerprint}")]
    return "\n".join(lines)


def _differs(book: Rulebook) -> str:
    return f"* differs from {book.definition.lineage[-2]}" if _own(book) else ""


def _title(entry: Entry, ids: bool) -> str:
    return f"{entry.id}: {entry.title}" if ids else entry.title


def card_page(book: Rulebook, ids: bool = False, everything: bool = False) -> str:
    """Write the card as a page to print: an HTML document, the tiles of special hands drawn."""
    parts = [
        f"<header><h1>{escaped(book.title)}</h1>\n<p>{escaped(book.book)}</p></header>",
        '<div class="card">',
    ]
    for group in card_groups(book, ids, everything):
        rows = "\n".join(
            f'<tr><td>{escaped(row.title)}{_details(row)}</td><td class="n">{escaped(row.worth)}</td></tr>'
            for row in group.rows
        )
        source = f" <small>{escaped(group.source)}</small>" if group.source else ""
        kind = ' class="whole"' if len(group.rows) <= _WHOLE else ""
        table = f"<table>{spoken_caption(group.title)}{rows}</table>"
        parts.append(f"<section{kind}><h2>{escaped(group.title)}{source}</h2>{table}</section>")
    foot = f"{_differs(book)} · fingerprint {book.fingerprint}".removeprefix(" · ")
    parts.append(f"</div><footer>{escaped(foot)}</footer>")
    return document(book.title, parts)


def _details(row: CardRow) -> str:
    """Tell what stands below a title: what the hand is, its page, and its tiles."""
    texts = [
        f"<br/>{escaped(row.means)}" if row.means else "",
        f" <i>{escaped(row.source)}</i>" if row.source else "",
    ]
    small = f"<small>{''.join(texts)}</small>" if any(texts) else ""
    return small + (f'<div class="tiles">{draw_sets(row.tiles)}</div>' if row.tiles else "")


def card_json(book: Rulebook) -> dict[str, object]:
    """Give the score card for programs."""
    entries = [
        {
            "rule": entry.id,
            "section": entry.section,
            "title": entry.title,
            "worth": worth(entry, book),
            "when": entry.data.get("when"),
            "means": entry_words(entry, book),
            "tiles": " ".join(map(format_tiles, example_tiles(entry.id, book))),
            "for": _whose(entry, book).removeprefix(", for ") or "all",
            "source": entry.source,
            "changed": entry.document.path == _own(book),
        }
        for entry in book.entries.values()
    ]
    return {
        "id": book.id,
        "title": book.title,
        "book": book.book,
        "limit": book.limit,
        "options": dict(book.options.items()),
        "changed_options": sorted(book.definition.own_options) if _own(book) else [],
        "dropped": [entry.id for entry in book.definition.dropped],
        "entries": entries,
        "fingerprint": book.fingerprint,
    }


def worth(entry: Entry, book: Rulebook) -> str:
    """Tell what an entry gives, in a word or two."""
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
    """Give a part of the limit, with the points that it is."""
    above, below = rule.of_limit or (1, 1)
    part = "limit" if above == below else f"{above} × limit" if below == 1 else f"{above}/{below} limit"
    points = book.part_of_limit(rule)
    return part + (f" ({points})" if points is not None else "")


def _worth_of_hand(rule: Rule, book: Rulebook) -> str:
    """Tell what a special or limit hand is worth, and what may be taken in place of that or comes to it."""
    if rule.of_limit is not None:
        worth = _part(rule, book)
    else:
        worth = f"points ×{2**rule.doubles}" if rule.doubles else str(rule.points)
    if rule.may_be_counted:
        worth += " or counted"
    if rule.never_counted:
        worth += ", not counted"
    return worth + (" + bonus tiles" if rule.bonus_tiles else "")


def option_text(value: object) -> str:
    """Give an option's value as it is typed."""
    return "on" if value is True else "off" if value is False else "none" if value is None else str(value)


def show_diff(left: Rulebook, right: Rulebook, style: Style, everything: bool = False) -> str:
    """Show two columns of what is worth what; in a narrow terminal below each other."""
    rows = diff_rows(left, right, everything)
    if not rows:
        return "The two rulebooks are the same."
    table = _columns(rows, style) if style.width >= 80 else _stacked(rows, style)
    if any(row.sides[0].worth.endswith(_OTHERWISE) for row in rows):
        note = f"{_OTHERWISE} worth the same, under another condition: see rules show"
        table += "\n" + "\n".join(wrap(note, style.width))
    return table


def _columns(rows: Sequence[DiffRow], style: Style) -> str:
    """Give a column for what a thing is and one for each rulebook, its page below its worth."""
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
        ["", *("\n".join(wrap(side.book, room - 2)) for side in rows[0].sides)],
        tablefmt="simple",
        disable_numparse=True,
        preserve_whitespace=True,
    )


def _side_text(side: DiffSide, room: int) -> str:
    """Give a worth with its page behind it, or below it where the worth takes the line."""
    indent = " " * (_SHORT_WORTH + 2)
    if len(side.worth) <= _SHORT_WORTH:
        lines = wrap(f"{side.worth:<{_SHORT_WORTH}}  {side.source}", room, subsequent_indent=indent)
    else:
        lines = wrap(side.worth, room)
        lines += wrap(side.source, room, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines)


def _stacked(rows: Sequence[DiffRow], style: Style) -> str:
    """Show the same in a narrow terminal: below each thing a line for each rulebook."""
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
                lines += wrap(
                    text,
                    style.width,
                    initial_indent="    ",
                    subsequent_indent=" " * min(names + 6, style.width // 2),
                )
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
    """Tell what two rulebooks give for the same thing; what they agree in only with *everything*.

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
    """Give an entry's condition under the options in force, in a form that can be compared."""
    entry = book.entries[name]
    vocabulary = SET_VOCABULARY if entry.section == "set" else HAND_VOCABULARY
    return expression(book.conditions[name], vocabulary)
