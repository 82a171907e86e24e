"""What a rulebook file can say, as tables for the terminal and for a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from mjscore.page.text import Style
from mjscore.rulebook.vocabulary import Table


def show_vocabulary(tables: Iterable[Table], style: Style) -> str:
    """Show the tables under their headings, the widest columns wrapped to the width."""
    from tabulate import tabulate

    parts = []
    for table in tables:
        widths = [max(len(row[column]) for row in table.rows) for column in range(len(table.columns))]
        room = style.width - 2 * (len(widths) - 1)
        while sum(widths) > room:
            widths[widths.index(max(widths))] -= 1
        parts.append(style.strong(table.heading))
        parts.append(
            tabulate(
                table.rows, table.columns, tablefmt="simple", disable_numparse=True, maxcolwidths=[*widths]
            )
        )
    return "\n\n".join(parts)


def markdown_vocabulary(tables: Iterable[Table]) -> str:
    """Write the tables in Markdown; what is typed stands as code."""
    lines: list[str] = []
    for table in tables:
        lines += [
            f"### {table.heading}",
            "",
            f"| {' | '.join(table.columns)} |",
            "|---" * len(table.columns) + "|",
        ]
        for name, *cells in table.rows:
            typed = table.columns[-1] in ("keys", "needs", "tiles") and cells[-1]
            if typed and " the " not in typed:
                cells[-1] = f"`{typed}`"
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines).rstrip()
