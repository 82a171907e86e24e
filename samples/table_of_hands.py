"""A table of hands with pandas: what each scores beside it, then what the hands come to by rulebook.

python samples/table_of_hands.py hands.csv    # with a column hand, and a column rulebook where it is not always harr
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from itertools import repeat
from typing import Any, Protocol, TypeVar

import mjscore


class Table(Protocol):
    """What is asked of a table of columns. A DataFrame of pandas has it."""

    @property
    def columns(self) -> Collection[str]: ...
    def __getitem__(self, column: str, /) -> Iterable[str]: ...
    def assign(self, **columns: list[Any]) -> Any: ...


AnyTable = TypeVar("AnyTable", bound=Table)


def scored(table: AnyTable) -> AnyTable:
    """Return a table of hands with what they score beside them; of a hand that is refused, why."""
    rulebooks = table["rulebook"] if "rulebook" in table.columns else repeat("harr")
    sheets = [mjscore.score(hand, book) for hand, book in zip(table["hand"], rulebooks, strict=False)]
    found: AnyTable = table.assign(
        rulebook=[sheet.rulebook for sheet in sheets],
        score=[sheet.score for sheet in sheets],
        doubles=[sheet.doubles for sheet in sheets],
        why=[", ".join(line.title for line in sheet.doubling) for sheet in sheets],
        error=[sheet.error.message if sheet.error is not None else "" for sheet in sheets],
    )
    return found


def main(path: str) -> None:
    """Print the table of a file, and how many hands each rulebook scored, on average and at the most."""
    import pandas

    table = scored(pandas.read_csv(path, dtype=str, keep_default_na=False)).convert_dtypes()
    print(table.to_string(index=False))
    print()
    print(table.groupby("rulebook")["score"].agg(["count", "mean", "max"]))


if __name__ == "__main__":
    main(sys.argv[1])
