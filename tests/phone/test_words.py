"""The page's words: in each language the same ones, and those that Python says where the page has its own."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mjscore.game.tiles import TILES, WIND_NAMES
from mjscore.phone import bridge
from mjscore.phone.bridge import answer
from mjscore.record.events import EVENTS

PHONE = Path(bridge.__file__).parent
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in PHONE.glob("words/*.json")}
# of what is refused while the site is built nothing is shown on the page
REFUSED = {
    f"refusals.{code}.{kind}": " ".join(told)
    for code, kinds in tomllib.loads((PHONE / "messages.toml").read_text("utf-8")).items()
    if code not in ("no-site", "no-pyodide")
    for kind, told in kinds.items()
}
TITLES = {"won": "{what}{name}{score}", "open": "", **dict.fromkeys(("hand", "note", *EVENTS), "{mark}")}


def flat(words: Any, place: str = "") -> dict[str, str]:
    if isinstance(words, dict):
        return {
            key: text for name, one in words.items() for key, text in flat(one, f"{place}.{name}").items()
        }
    return {place[1:]: " ".join(words) if isinstance(words, list) else words}


def blanks(text: str) -> list[str]:
    return sorted(set(re.findall(r"{(\w+)", text)))


def test_english_is_what_python_says():
    english = WORDS["en"]
    assert english["winds"] == WIND_NAMES
    named = {str(tile): english["faces"].get(str(tile)) or english["faces"][tile.suit] for tile in TILES}  # fmt: skip
    assert {name: text.format(value=name[0]) for name, text in named.items()} == {str(tile): tile.title for tile in TILES}  # fmt: skip


@pytest.mark.parametrize("language", sorted(WORDS.keys() - {"en"}))
def test_each_language_has_the_same_words(language):
    ours = flat(WORDS[language])
    wanted = flat(WORDS["en"]) | REFUSED | {f"titles.{kind}": text for kind, text in TITLES.items()}
    assert ours.keys() == wanted.keys()
    assert {place: blanks(text) for place, text in ours.items()} == {place: blanks(text) for place, text in wanted.items()}  # fmt: skip
    assert [place for place, text in ours.items() if not text and wanted[place]] == []


def test_the_page_asks_for_words_that_there_are():
    page = (PHONE / "index.html").read_text("utf-8")
    scripts = "".join(path.read_text("utf-8") for path in PHONE.glob("*.js"))
    places = re.findall(r'data-(?:word|label|hint)="([\w.]+)', page)
    asked = {*places, *re.findall(r"\bwords\.(?!js)(\w+)", scripts)} - {"club"}
    there = WORDS["en"].keys() | flat(WORDS["en"]).keys()
    assert asked - there == set()
    used = (
        {place.partition(".")[0] for place in asked}
        | set(re.findall(r'[\["(](\w+)[\]")]', scripts))
        | {"called", "title"}
    )
    assert {name for name in WORDS["en"] if name not in used and not name.startswith("storage_")} == set()


def test_what_is_said_says_where_its_words_are():
    def said(**question: Any) -> Any:
        return json.loads(answer(json.dumps({"language": "de", **question})))

    begun = said(ask="begin", players=["Ann", "Ben", "Cid", "Dee"], rulebook="harr")
    assert begun["round"] == {"say": "winds.E", "english": "East", "words": {}}
    played = said(ask="type", text=begun["text"], lines=["20w 0 0 0"])
    what = {"say": "titles.hand", "english": "hand 1", "words": {"mark": "1"}}
    won = {
        "say": "titles.won",
        "english": "hand 1: Ann wins 20",
        "words": {"what": what, "name": "Ann", "score": 20},
    }
    assert played["card"]["title"] == won
    grey = said(ask="keys", taps=["5c"] * 4)["grey"]["5c"]
    assert (grey["say"], grey["words"]) == ("refusals.fifth-tile.tapped.0", {"tile": "5 characters"})
    assert said(ask="begin", players=["Ann", "", "Cid"], rulebook="harr")["error"]["words"] == {"number": "2"}
