"""Two rulebooks side by side: what they give for the same thing."""

from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from mjscore.page.cards import CARD_ORDER, CARD_SECTIONS, worth
from mjscore.page.tables import Cell, Table, columns_of, show_table
from mjscore.page.text import Style
from mjscore.rulebook.compiling import expression
from mjscore.rulebook.entries import RuleEntry
from mjscore.rulebook.rulebook import Rulebook

_OTHERWISE = "¹"  # marks entries worth the same under different conditions
_SHORT_WORTH = 4  # letters; the page is on the same line as points no longer than this


class DiffSide(NamedTuple):
    """An entry's points in one rulebook, and its page."""

    book: str
    worth: str
    source: str


class DiffRow(NamedTuple):
    """An entry in two rulebooks: its section and title, and its sides, left and right."""

    section: str
    title: str
    sides: tuple[DiffSide, ...]


def diff_rows(left: Rulebook, right: Rulebook, everything: bool = False) -> list[DiffRow]:
    """Return the entries that differ, or with *everything* all, in a card's order; entries are paired by their ids."""
    # an option may have the same id as an entry
    pairs: dict[tuple[bool, str], dict[Rulebook, RuleEntry]] = {}
    for book in (left, right):
        for entry in (*book.entries.values(), *book.definition.options.values()):
            pairs.setdefault((entry.section == "option", entry.id), {})[book] = entry
    rows = []
    firsts = {key: next(iter(both.values())) for key, both in pairs.items()}
    for key, first in sorted(firsts.items(), key=lambda pair: CARD_ORDER.index(pair[1].section)):
        both, is_option = pairs[key], first.section == "option"
        sides = tuple(
            DiffSide(book.id, worth(both[book], book) or "yes", both[book].source)
            if book in both
            else DiffSide(book.id, "–", "")
            for book in (left, right)
        )
        if sides[0].worth == sides[1].worth:
            conditions = {expression(book.conditions[first.id]) for book in both if not is_option}
            if len(conditions) == 2:
                sides = tuple(side._replace(worth=f"{side.worth} {_OTHERWISE}") for side in sides)
            elif not everything:
                continue
        titles = dict.fromkeys(entry.title for entry in both.values())
        title = f"{first.id}: {first.title}" if is_option else " / ".join(titles)
        rows.append(DiffRow(CARD_SECTIONS[first.section], title, sides))
    return rows


def show_diff(left: Rulebook, right: Rulebook, style: Style, everything: bool = False) -> str:
    """Return ``diff_rows`` as text, in two columns or, in a narrow terminal, below each other."""
    rows = diff_rows(left, right, everything)
    if not rows:
        return "The two rulebooks are the same."
    # the page comes after the points, or below them if they fill the line
    room = (style.width - 4) // 10 * 3 if style.width >= 80 else style.width
    cells: list[list[Cell]] = []
    for section, of_section in groupby(rows, key=lambda row: row.section):
        cells.append([Cell(("\n" if cells else "") + section, strong=True), Cell(), Cell()])
        for row in of_section:
            sides = []
            for _, gives, source in row.sides:
                long = "\n".join([*wrap(gives, room), f"{'':{_SHORT_WORTH + 2}}{source}".rstrip()])
                sides.append(
                    Cell(long if len(gives) > _SHORT_WORTH else f"{gives:<{_SHORT_WORTH}}  {source}".rstrip())
                )
            cells.append([Cell(f"  {row.title}"), *sides])
    titles, *both = columns_of(["", left.id, right.id], cells, "lll")
    both = [side._replace(rank=1, below=True, most=room, hang=_SHORT_WORTH + 2) for side in both]
    titles = titles._replace(most=style.width - 4 - 2 * room if style.width >= 80 else style.width, hang=4)
    table = show_table(Table([titles, *both], narrowed=((0, 24),)), style)
    if any(row.sides[0].worth.endswith(_OTHERWISE) for row in rows):
        note = f"{_OTHERWISE} worth the same, under another condition: see rules show"
        table = "\n".join([table, *wrap(note, style.width)])
    return table
