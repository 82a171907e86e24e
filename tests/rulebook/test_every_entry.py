"""Each entry of the rulebooks, dropped by a house file, changes what a hand scores or what is paid for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from amounts import WHOLE
from checks import check_text
from tables import rows

from mjscore.record.checker import Checked
from mjscore.record.source import blocks, lines_of
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind, read_rulebook
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.scoring.sheet import ScoreSheet

SAMPLES = Path(__file__).parents[2] / "samples"
NEIGHBOURS = Path(__file__).parent / "neighbours"


TABLES, OTHER_TABLES = (dict(rows(__file__, section)[1]) for section in ("tables", "other_tables"))


def picture(found: list[Checked]) -> list[object]:
    """What hands score and what is paid for them; what is refused; who is East afterwards."""
    return [
        (
            one.outcome.score if isinstance(one.outcome, ScoreSheet) else (one.outcome.scores, one.outcome.net),
            one.outcome.error is not None or [refusal.code for refusal in one.refusals],
            one.after,
        )
        for one in found
    ]  # fmt: skip


def hands_and_tables(book: str) -> Iterator[tuple[str, str]]:
    """The hands and tables by *book*: the lines that set its options, and the block itself."""
    lineage = read_rulebook(book).lineage
    files = [SAMPLES / f"{name}.mj" for name in (*lineage, "table")]
    files += [NEIGHBOURS / f"{name}.mj" for name in lineage]
    text = "".join(f"rulebook harr\n{path.read_text(encoding='utf-8')}\n" for path in files)
    rulebook, settings = "harr", ""
    for group in blocks(lines_of(text)):
        head = group.head.text.partition("#")[0].strip()
        if head.startswith("rulebook "):
            rulebook, settings = head.split()[1], ""
        elif head.startswith("set "):
            settings += f"{head}\n"
        elif head and rulebook in lineage:
            yield settings, "\n".join([head, *(row.text for row in group.rows)])


def named(found: list[Checked]) -> Iterator[str]:
    """The titles of the entries that hands score by, or that tables are settled by."""
    for one in found:
        settled = not isinstance(one.outcome, ScoreSheet)
        for sheet in one.outcome.sheets.values() if settled else [one.outcome]:
            yield from (
                line.title for line in (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
            )
        if settled:
            yield from (payment.reason for payment in one.outcome.payments)
            yield from one.outcome.remarks


@cache
def corpus(book: str) -> list[tuple[str, str, frozenset[str], list[object]]]:
    """Each block with its options, the titles and remarks of its outcome, and its picture."""
    found = []
    for settings, block in hands_and_tables(book):
        checked = check_text(f"rulebook {book}\n{settings}{block}\n")
        found.append((settings, block, frozenset(named(checked)), picture(checked)))
    return found


def changed_by_dropping(book: str, name: str, house: str, folder: str) -> str | None:
    """A block that comes out otherwise by *house*, which lacks the entry; None where there is none."""
    entry = read_rulebook(book).entries[name]
    if entry.section in ("settle", "win"):
        text = OTHER_TABLES[name] if name in OTHER_TABLES else TABLES[entry.data["rule"]]
        before, after = (
            picture(check_text(f"rulebook {one}\n{text}", folder=folder)) for one in (book, house)
        )
        return text if before != after else None
    for settings, block, titles, before in corpus(book):
        seen = any(entry.title in title for title in titles)
        if seen and picture(check_text(f"rulebook {house}\n{settings}{block}\n", folder=folder)) != before:
            return block
    return None


@pytest.mark.parametrize("book", RULEBOOKS)
def test_an_entry_that_is_dropped_is_missed(tmp_path, book):
    """Each entry by the book that has it, where all is tried also by those that extend it."""
    definition = read_rulebook(book)
    own = [
        name
        for name, entry in definition.entries.items()
        if WHOLE or entry.place.document.path == definition.path
    ]
    assert own
    assert "\n".join(filter(None, (unmissed(tmp_path, book, name) for name in own))) == ""


def unmissed(tmp_path: Path, book: str, name: str) -> str:
    """What is asked for where nothing changes without an entry."""
    house = f"without-{name}.toml"
    (tmp_path / house).write_text(
        f'id = "house"\ntitle = "House"\nextends = "{book}"\ndrop = ["{name}"]\n', encoding="utf-8"
    )
    try:
        bind(house, folder=str(tmp_path))
    except Refused as refused:
        # another entry asks for it, and says so
        assert refused.refusal.code == "needed-entry"
        assert f"it drops '{name}', which " in refused.refusal.message
        return ""
    if changed_by_dropping(book, name, house, str(tmp_path)) is not None:
        return ""
    return f"nothing changes if {book} drops {name}: samples/{book}.mj needs a hand, or TABLES a table, in which it counts"
