"""The words of each language: what their files may say, and how they are joined."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tables import table

from mjscore.notation.vocabulary import LANGUAGES, joined, plain, read_words, vocabulary

FOLDER = Path(__file__).parents[2] / "mjscore" / "notation" / "words"


def meanings(phrase: str) -> list[tuple[str, str]]:
    return [(meaning.kind, meaning.value) for meaning in vocabulary().of(phrase)]


def test_every_file_is_a_language_and_every_group_has_its_source():
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted([*LANGUAGES, "answers", "gist"])
    for path in FOLDER.glob("*.toml"):
        for tables in tomllib.loads(path.read_text(encoding="utf-8")).values():
            assert all(len(table["source"]) > 5 for table in tables), path.name


@table
def test_what_a_phrase_means(phrase, said):
    assert meanings(phrase) == said


def test_a_phrase_of_several_words_has_its_beginnings():
    assert {"from", "from the", "from the dead"} <= vocabulary().beginnings
    assert "from the dead wall" not in vocabulary().beginnings
    assert "from the dead wall" in vocabulary().begun("from the d")


@pytest.mark.parametrize(
    ("typed", "words"),
    [("Mah-Jongg", "mah jongg"), ("  d’Est ", "d est"), ("Süd", "sud"), ("weiß", "weiss"), ("ÉTÉ", "ete"), ("中", "中"), ("-", "")],
)  # fmt: skip
def test_the_plain_form(typed, words):
    assert plain(typed) == words


def test_of_two_languages_the_first_has_a_meaning_that_both_have():
    english = read_words("en", '[[number]]\nsource = "here"\n6 = ["six"]')
    french = read_words(
        "fr", '[[number]]\nsource = "there"\n6 = ["six"]\n[[others]]\nsource = "x"\nothers = ["six"]'
    )
    assert [
        (meaning.kind, meaning.language) for meaning in joined({"en": english, "fr": french}).of("six")
    ] == [
        ("number", "en"),
        ("others", "fr"),
    ]


@table
def test_a_file_that_does_not_hold_is_told_with_its_group(text, wrong):
    with pytest.raises(ValueError, match=r"words/nl\.toml, ") as raised:
        read_words(
            "nl", text.replace("{long}", "o" * 61).replace("{many}", str([f"oost{n}" for n in range(10001)]))
        )
    assert wrong in str(raised.value)
