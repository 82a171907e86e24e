"""`mjscore rules facts`: the same rows as text, JSON and Markdown, within the width of the terminal."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from mjscore.cli.main import cli
from mjscore.page.rulebooks import rulebook_tables


def printed(*arguments: str, columns: int = 100) -> str:
    result = CliRunner().invoke(cli, ["rules", "facts", *arguments], env={"COLUMNS": str(columns)})
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("columns", [80, 100])
def test_text_fits_and_names_everything(columns):
    text = printed(columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    names = {line.split()[0] for line in text.splitlines() if line.strip()}
    assert [row[0] for table in rulebook_tables() for row in table.rows if row[0] not in names] == []


def test_json_and_markdown_have_the_same_rows():
    data = json.loads(printed("--format", "json"))
    markdown = printed("--format", "markdown")
    for table in rulebook_tables():
        assert [tuple(row.values()) for row in data[table.name]] == list(table.rows)
        for name, *_, last in table.rows:
            assert any(line.startswith(f"| `{name}` |") and last in line for line in markdown.splitlines()), (
                name
            )
