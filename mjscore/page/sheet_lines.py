"""The lines of a score sheet, shared by the terminal, the page and the picture."""

from typing import NamedTuple

from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.sheet import ScoreSheet

_TIMES = {1: "once", 2: "twice", 3: "three times"}


class SheetLine(NamedTuple):
    """A line of a score sheet: its title, the figure, the page.

    *kind* is ``item``, ``sum``, ``limit`` if the limit alone set the score, ``dead`` or ``remark``.
    """

    title: str
    figure: str = ""
    source: str = ""
    kind: str = "item"


def sheet_lines(sheet: ScoreSheet, book: Rulebook) -> list[SheetLine]:
    """Return the lines of a score sheet, except the score itself."""
    lines = []
    if sheet.dead:
        does = "it cannot win, but its sets count" if sheet.score else "it pays everybody's whole score"
        lines.append(SheetLine(f"a dead hand: {does}", kind="dead"))
    for item in sheet.items:
        title = f"{item.title}, {item.tiles}" if item.tiles else item.title
        lines.append(SheetLine(title, str(item.points), item.source))
    total, doubles = sheet.points or 0, 0
    if sheet.special is None or sheet.items:
        lines.append(SheetLine("before doubling" if sheet.doubling else "total", str(total), kind="sum"))
        for doubling in sheet.doubling:
            doubles += doubling.doubles
            total = book.doubled(sheet.points or 0, doubles)
            times = f"doubles {_TIMES.get(doubling.doubles, f'{doubling.doubles} times')}"
            if book.table:
                times = book.doubles_text(doubling.doubles)
            lines.append(SheetLine(f"{doubling.title}: {times}", str(total), doubling.source))
        for item in sheet.additions:
            total += item.points
            lines.append(SheetLine(f"{item.title}, +{item.points}", str(total), item.source))
        rule = book.settling.round_score
        if rule is not None and sheet.counted not in (total, None):
            lines.append(SheetLine(rule.title, str(sheet.counted), rule.source))
    for claim in sheet.claims:
        taken = claim.rule == sheet.limit
        title = f"{claim.title}: {claim.points} points" + ("" if taken else ", not more than counting gives")
        lines.append(SheetLine(title, str(claim.points) if taken else "", claim.source))
    if sheet.limit == "limit":
        lines.append(SheetLine("the limit", str(book.limit), kind="limit"))
    return lines + [SheetLine(remark, kind="remark") for remark in sheet.remarks]


def drawn_lines(sheet: ScoreSheet, book: Rulebook) -> list[SheetLine]:
    """Return the lines to show above the score; the sum of the points only if it is doubled or added to."""
    shown = bool(sheet.doubling or sheet.additions)
    return [line for line in sheet_lines(sheet, book) if shown or line.kind != "sum"]
