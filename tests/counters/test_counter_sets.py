"""A file of counters: what its figures may be."""

from __future__ import annotations

import pytest
from refusals import refusal_of
from tables import table

from mjscore.counters.counter_sets import load_counters

KIND = '[[counter]]\ntitle = "{title}"\nvalue = {value}\neach = {each}\n'


def written(folder, *kinds: tuple[str, object, object]) -> str:
    path = folder / "own.toml"
    text = "".join(KIND.format(title=title, value=value, each=each) for title, value, each in kinds)
    path.write_text(f'id = "own"\ntitle = "Own"\nsource = "ours"\n{text}', encoding="utf-8")
    load_counters.cache_clear()
    return str(path)


@table
def test_values_and_numbers(tmp_path, value, each, refused):
    name = written(tmp_path, ("ten", value, each))
    if not refused:
        (counter,) = load_counters(name).counters
        assert (counter.value, counter.each) == (value, each)
        return
    assert refusal_of(load_counters, name).message.startswith(refused)


def test_the_highest_comes_first_and_each_once(tmp_path):
    counters = load_counters(written(tmp_path, ("two", 2, 1), ("ten", 10, 3)))
    assert counters.values == (10, 2)
    assert counters.points((1, 3)) == 16
    assert counters.starting("ES") == {"E": (3, 1), "S": (3, 1)}
    refusal = refusal_of(load_counters, written(tmp_path, ("two", 2, 1), ("other", 2, 3)))
    assert refusal.message == "two counters are worth 2"


def test_a_set_need_not_say_what_each_begins_with(tmp_path):
    assert load_counters(written(tmp_path, ("two", 2, 0), ("ten", 10, 0))).starting("ESWN") == {}
    assert load_counters(written(tmp_path, ("two", 2, 0), ("ten", 10, 1))).starting("E") == {"E": (1, 0)}


def test_twenty_kinds_are_enough(tmp_path):
    kinds = [(str(value), value, 1) for value in range(1, 22)]
    assert len(load_counters(written(tmp_path, *kinds[:20])).counters) == 20
    refusal = refusal_of(load_counters, written(tmp_path, *kinds))
    assert refusal.message == "21 kinds of counters are too many"
    assert refusal.line == 4 + 20 * 4


@pytest.mark.parametrize("key", ["id", "title", "source"])
@pytest.mark.parametrize("value", [None, '""', '" "', "3"])
def test_the_head_names_the_set(tmp_path, key, value):
    head = {"id": '"own"', "title": '"Own"', "source": '"ours"'} | {key: value}
    lines = [f"{one} = {said}\n" for one, said in head.items() if said is not None]
    path = tmp_path / "own.toml"
    path.write_text("".join(lines) + KIND.format(title="ten", value=10, each=1), encoding="utf-8")
    load_counters.cache_clear()
    assert refusal_of(load_counters, str(path)).message == f"the counters have no {key}"


@pytest.mark.parametrize(
    "counters", ["", "counter = 10", "counter = []", "counter = [10, 2]", "[counter]\nvalue = 10"]
)
def test_a_set_has_counters(tmp_path, counters):
    path = tmp_path / "own.toml"
    path.write_text(f'id = "own"\ntitle = "Own"\nsource = "ours"\n{counters}\n', encoding="utf-8")
    load_counters.cache_clear()
    refusal = refusal_of(load_counters, str(path))
    assert (refusal.code, refusal.message) == (
        "bad-counters",
        "there are no counters",
    )
