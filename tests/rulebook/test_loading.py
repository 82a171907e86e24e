"""Rulebook files: what they can do, and how a mistake in one is reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from amounts import part_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from refusals import refusal_of
from sources import PACKAGE
from tables import rows, table

import mjscore
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind, forget_rulebooks, read_rulebook
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.keys import SETTLING_KINDS, keys_of

HERE = Path(__file__).parent


@pytest.fixture
def write(tmp_path):
    def write(text: str, name: str = "house.toml") -> str:
        forget_rulebooks()
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    yield write
    forget_rulebooks()


def refusal(path: str, **options: object):
    return refusal_of(bind, path, options)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_entry_has_its_page(name):
    pages = ("Harr p. ",) if name.startswith("harr") else ("Babcock p. ",)
    if name in ("bmja", "dmjl"):
        pages = ("BMJA: ", "Kajongg: ", "Colleran: ")
    for entry in _all_entries(name):
        assert entry.source.startswith(pages), entry.id
        assert entry.title[0].isupper(), entry.id


def test_a_reworded_title_changes_no_fingerprint(write):
    """Files written before know their rulebook by its former titles."""
    text = (PACKAGE / "rulebook/former_titles.txt").read_text(encoding="utf-8")
    former = dict(re.findall(r"^(?!#)(.*) = (.*)$", text, re.MULTILINE))
    assert former.keys() <= {entry.title for name in RULEBOOKS for entry in _all_entries(name)}
    for entry in _all_entries("harr"):
        if entry.title in former and entry.section != "option":
            change = f'{HEAD}[change.{entry.id}]\ntitle = "{{}}"\n'
            books = [bind(write(change.format(title))) for title in (entry.title, former[entry.title])]
            assert books[0].rules[entry.id].title != books[1].rules[entry.id].title
            assert books[0].fingerprint == books[1].fingerprint


def _all_entries(name):
    text = read_rulebook(name)
    return (*text.entries.values(), *text.options.values())


@table
def test_rulebooks_have_other_names(write, called, name):
    assert bind(called) is bind(name)
    assert read_rulebook(called).id == name
    assert bind(write(HEAD.replace("harr", called))).definition.lineage[-2] == name
    assert mjscore.score("123b ...", called).rulebook == name
    path = write(f"rulebook {called}\n123b = error\n", "evening.mj")
    assert [one.outcome.rulebook for one in check_file(path, Context())] == [name]


def test_a_small_house_rulebook_extends_harr(write):
    path = str(HERE / "small.toml")
    hand = "(123b) 456b 789c 22d 5d7d +6d"
    plain = mjscore.score(hand)
    house = mjscore.score(hand, path)
    assert (plain.score, house.score) == (24, 52)
    assert [line.rule for line in house.doubling] == ["no-honors"]
    assert {item.rule: item.points for item in house.items}["only-place"] == 4
    big = "E: RRR GGG WWWd EEE S +S!original"
    assert mjscore.score(big).score == 63488
    assert mjscore.score(big, path).score == 1000
    assert mjscore.score(big, path).limit == "limit"
    assert bind(path).fingerprint != bind("harr").fingerprint


def test_one_may_extend_another_and_options_reach_through(write, tmp_path):
    write((HERE / "small.toml").read_text(encoding="utf-8"))
    path = write(
        'id = "guests"\ntitle = "Guests"\nextends = "house.toml"\ndrop = ["no-honors"]\n', "guests.toml"
    )
    assert bind(path).limit == 1000
    assert "no-honors" not in bind(path).entries
    assert bind(path, {"limit": "none"}).limit is None
    assert bind(path).definition.lineage == ("harr", "house", "guests")


DOUBLE = '\n[[double]]\nid = "x"\ntitle = "X"\ndoubles = 1\nsource = "house 2"\nwhen = "{when}"\n'
HEAD = 'id = "h"\ntitle = "H"\nextends = "harr"\n'


@table
def test_mistakes_are_reported_with_their_place(write, text, code, line, column):
    found = refusal(write(text.replace("HEAD ", HEAD)))
    assert (found.code, found.line, found.column) == (code, line, column), found.render()
    assert found.hint
    assert found.file.endswith("house.toml")
    assert "help:" in found.render()


def test_a_rulebook_that_is_none():
    found = refusal("harrr")
    assert found.code == "no-rulebook"
    assert found.hint == "did you mean harr?"
    assert refusal("/nowhere/x.toml").code == "no-rulebook"
    assert refusal("babcock", limmit=3).code == "unknown-option"
    assert refusal("babcock", limit="much").code == "option-value"
    assert mjscore.score("123b ...", "nothing").error.code == "no-rulebook"


FOLDER = {
    "a.toml": 'id = "a"\ntitle = "A"\n\nextends = "b.toml"\n',
    "b.toml": 'id = "b"\ntitle = "B"\nextends = "c.toml"\n',
    "c.toml": 'id = "c"\ntitle = "C"\nextends = "a.toml"\n',
    "astray.toml": 'id = "astray"\ntitle = "Astray"\nextends = "nowhere.toml"\n',
    "below.toml": 'id = "below"\ntitle = "Below"\nextends = "astray.toml"\n',
    "wrong.toml": HEAD + DOUBLE.format(when="wonn"),
    "above.toml": 'id = "above"\ntitle = "Above"\nextends = "wrong.toml"\n',
    "twice.toml": HEAD + DOUBLE.format(when="won") + DOUBLE.format(when="drawn"),
    "broken.toml": "root:x:0:0\n",
    "on-broken.toml": 'id = "o"\ntitle = "O"\nextends = "broken.toml"\n',
    "second.toml": HEAD + DOUBLE.format(when="won") + DOUBLE.format(when="wonn").replace('"x"', '"y"'),
}


@table
def test_mistakes_are_shown_in_the_file_where_they_are(write, tmp_path, name, code, file, line, column):
    for one, text in FOLDER.items():
        write(text, one)
    found = refusal(str(tmp_path / name))
    assert (found.code, Path(found.file).name) == (code, file), found.render()
    assert (found.line, found.column) == (line, column), found.render()
    assert found.render().startswith(f"{found.file}:{line}:{column}: ")
    assert "root" not in found.render().replace(str(tmp_path), "")


def test_a_circle_names_those_in_it(write, tmp_path):
    for one, text in FOLDER.items():
        write(text, one)
    assert "a → b → c → a" in refusal(str(tmp_path / "a.toml")).message


def test_a_clash_shows_both_places(write):
    found = refusal(write(HEAD + DOUBLE.format(when="won").replace('"x"', '"own-wind"')))
    assert "harr.toml, line" in found.message
    assert found.hint.startswith('write replaces = "own-wind"')


@pytest.mark.parametrize(
    ("key", "replacing"), [("own-wind", "own-wind"), ("own-breeze", "own-wind"), ("no-runs", "no-runs")]
)
def test_an_entry_may_replace_another(write, key, replacing):
    entry = DOUBLE.format(when="won and drawn").replace('"x"', f'"{key}"') + f'replaces = "{replacing}"\n'
    book = bind(write(HEAD + entry))
    assert (replacing in book.entries) == (key == replacing)
    assert book.entries[key].changed
    sheet = mjscore.score("(EEE) 123b 456b 789c 5d +5d", book)
    assert [line.rule for line in sheet.doubling] == (["own-wind"] if key == "no-runs" else []) + [key]


def test_a_rulebook_may_stand_on_its_own(write):
    path = write(
        'id = "own"\ntitle = "Own"\nbook = "Own"\n'
        '[[bonus]]\nid = "win"\ntitle = "Won"\npoints = 7\nwhen = "won"\nsource = "own 1"\n'
    )
    sheet = mjscore.score("(RRR) 123b 456b 789c 5d +5d", path)
    assert (sheet.score, [item.rule for item in sheet.items]) == (7, ["win"])
    assert mjscore.score("(RRR) 123b 456b 789c 5d", path).score == 0


@pytest.mark.parametrize("content", [b"\xff\xfe", b'id = "h"\ntitle = "\xe9"\n'])
def test_a_file_that_is_no_text(tmp_path, content):
    path = tmp_path / "bytes.toml"
    path.write_bytes(content)
    found = refusal(str(path))
    assert found.code == "not-utf-8"
    assert found.file == str(path)


def test_a_file_that_is_no_rulebook_at_all(tmp_path):
    path = tmp_path / "large.toml"
    path.write_text("# " + "x" * 1_000_001, encoding="utf-8")
    assert refusal(str(path)).code == "large-rulebook"
    assert refusal(str(tmp_path)).code == "no-rulebook"
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert refusal(str(folder)).code == "no-rulebook"


ENTRY = '[[{0}]]\nid = "x"\ntitle = "X"\nsource = "s"\n{1}\n'


def used(path: str) -> None:
    """Binds a rulebook, and scores, waits and settles by it; Refused may escape only from binding."""
    try:
        book = bind(path)
    except Refused as refused:
        assert refused.refusal.file == path, refused.refusal.render()
        assert refused.refusal.line
        assert refused.refusal.column
        assert refused.refusal.hint
        return
    for hand in (
        "1133b 55b 2299c 77c 8c +8c",
        "E: (RRR) (GGG) 123b 456b 5c +5c!last",
        "(111d) 222b EE 5c 5d 789c",
    ):
        sheet = mjscore.score(hand, book)
        assert sheet.error is None or sheet.error.render()
        assert sheet.score is None or sheet.score < 10**100
    mjscore.waits("1133b 55b 2299c 77c 8c", book)
    hands = {"E": "(RRR) (GGG) (123b) 456b 5c <5c:S", "S": 20, "W": "(NNN) [2222d] ...", "N": None}
    settlement = mjscore.settle(hands, rulebook=book)
    assert sum(settlement.net.values()) == 0


@table
def test_a_rulebook_is_refused_or_can_be_used(write, text):
    used(write(f"{HEAD}{text}\n"))


VALUES = [*(value for _, value in rows(__file__, "values")[1]), *(f'"{rule}"' for rule in SETTLING_KINDS)]
SECTIONS = ("set", "bonus", "double", "after", "limit", "shape", "liability", "excuse", "settle", "option")
KEYS = (
    *("id", "title", "source", "when", "replaces", "points", "instead_of", "times", "other_score", "doubles"),
    *("of_limit", "even", "special", "tiles", "rank", "rule", "earlier", "colour", "factor", "who", "seats"),
    *("to", "points_of", "kind", "default", "choices", "turns_on", "default_when"),
)
GOOD = {
    "points": "3", "doubles": "1", "of_limit": '"1/2"', "tiles": '"7 pairs"', "when": '"won"', "factor": "2",
    "who": '"winner"', "to": "10", "points_of": '"mah-jongg"', "kind": '"number"', "choices": "[10, 20]", "default": "10",
}  # fmt: skip


def entry_text(section: str, values: dict[str, str]) -> str:
    return f"[[{section}]]\n" + "".join(f"{key} = {value}\n" for key, value in values.items())


def fitting_entry(section: str, values: dict[str, str]) -> str:
    """An entry that has what its section needs, some of it changed to anything."""
    known = {key: value for key, value in (GOOD | values).items() if key in keys_of(section)}
    return ENTRY.format(section, "".join(f"{key} = {value}\n" for key, value in known.items()))


sections = st.sampled_from(SECTIONS)
values = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=4)
entries = st.builds(entry_text, sections, values) | st.builds(fitting_entry, sections, values)
LINES = [line for _, line in rows(__file__, "lines")[1]]
lines = st.lists(st.sampled_from(LINES) | st.text(max_size=20), max_size=6).map("\n".join)


@settings(max_examples=part_of(250, 2), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(entries, min_size=1, max_size=2).map("\n".join) | lines)
def test_any_rulebook_is_refused_or_can_be_used(write, text):
    used(write(HEAD + text))


@settings(max_examples=part_of(150, 2), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
def test_any_text_as_a_rulebook_is_refused_with_its_place(write, text):
    path = write(text.encode("utf-8", "replace").decode("utf-8"))
    found = refusal(path)
    assert (found.file, bool(found.line), bool(found.hint)) == (path, True, True)


@table
def test_what_must_not_pass(write, book, line, text):
    found = refusal(write(f"{HEAD.replace('harr', book)}{text}\n"))
    assert found.line == line


def test_dropping_what_others_ask_for_is_shown_where_it_was_dropped(write):
    found = refusal(write(HEAD + 'drop = ["mah-jongg"]\n'))
    assert (Path(found.file).name, found.line) == ("house.toml", 4)


CLUB = str(Path(__file__).parents[2] / "samples" / "house-rules.toml")


@table
def test_special_hands_wait_win_and_are_named(held, waits, rule):
    found = mjscore.waits(held, CLUB)
    assert found.error is None
    assert [str(one.tile) for one in found.waits] == waits
    for one in waits:
        sheet = mjscore.score(f"{held} +{one}", CLUB)
        assert (sheet.special, sheet.limit) == (rule, rule)
        assert sheet.claims[0].rule == rule
        assert sheet.items == ()
        assert mjscore.score(f"{held} +{one}", "babcock").error is not None


def test_an_only_place_looks_at_special_hands_too():
    # 7 pairs of heads wait for G as well as for nothing else; four sets and a pair do not
    sheet = mjscore.score("(RRR) 123b 456b 789b 5d <5d", CLUB)
    assert "only-place" in {item.rule for item in sheet.items}


def test_a_special_hand_needs_a_limit_to_be_a_part_of():
    assert mjscore.score("1133b 55b 2299c 77c 8c +8c", CLUB, options={"limit": "none"}).error is not None


@table
def test_special_hands_in_a_file_of_ones_own(hand, rule, score):
    sheet = mjscore.score(hand, str(HERE / "season.toml"))
    if not rule:
        assert sheet.error.code == "not-a-winning-hand"
        return
    assert (sheet.special, sheet.limit, sheet.score) == (rule, rule, score)
    assert sheet.claims[0].title in ("Seven pairs in two suits", "Snake", "Pairs of heads")
    assert sum(len(one.tiles) for one in sheet.sets) == 14


def test_of_two_arrangements_the_better_counts(write):
    # four runs and a pair with no other score, or seven pairs
    path = write(
        (HERE / "season.toml").read_text(encoding="utf-8").replace('of_limit = "1/2"', "points = 10")
    )
    sheet = mjscore.score("112233b 445566c 7c <7c", path)
    assert (sheet.special, sheet.limit, sheet.score) == (None, None, 30)
    assert mjscore.score("112233b 445566c 7c <7c", str(HERE / "season.toml")).special == "two-suits"


def test_the_waits_of_a_special_hand_ask_for_the_round(write):
    shape = ENTRY.format("shape", 'tiles = "7 pairs"\npoints = 100\nwhen = "own_round"')
    path = write(HEAD + shape)
    assert mjscore.score("S@S: 1133b 55b 2299c 77c 8c +8c", path).score == 100
    assert [str(one.tile) for one in mjscore.waits("S@S: 1133b 55b 2299c 77c 8c", path).waits] == ["8c"]


def test_dropping_what_an_entry_changed_in_the_same_file_asks_for(write):
    # an entry that the file has changed in something else still asks for it
    found = refusal(write(HEAD + 'drop = ["mah-jongg"]\n[change.no-other-score]\npoints = 5\nsource = "x"\n'))
    assert (found.code, found.line, found.column) == ("needed-entry", 4, 9), found.render()


def test_what_is_to_be_dropped_too_is_proposed(write):
    """Of all that asks for an entry that is dropped, and for what is dropped with it; with these it works."""
    head = HEAD.replace("harr", "bmja")
    more = '[[bonus]]\nid = "x"\ntitle = "X"\npoints = 1\nwhen = \'scores_only("fishing-purity")\'\n'
    found = refusal(write(f'{head}drop = ["moon", "purity"]\n{more}'))
    assert (found.code, found.line, found.column) == ("needed-entry", 4, 17), found.render()
    proposed = found.hint.split("depends on it: ")[1].split("; ")[0]
    assert proposed == 'drop = ["moon", "purity", "fishing-purity", "x"]'
    dropped = bind(write(head + 'drop = ["moon", "purity", "fishing-purity"]\n'))
    assert "purity" not in dropped.entries


OPTION = '[[option]]\nid = "{}"\ntitle = "T"\nkind = "{}"\n'
COSTS = '[[settle]]\nid = "costs"\ntitle = "T"\nrule = "penalty"\n'


@table
def test_what_nothing_could_come_of_is_refused(write, text, code, line, help_line):
    found = refusal(write(text.replace("HEAD ", HEAD)))
    assert (found.code, found.line) == (code, line), found.render()
    assert help_line in found.hint, found.render()


def test_a_choice_is_typed_in_small_letters_or_as_it_is_written(write):
    path = write(HEAD + OPTION.format("c", "choice") + 'choices = ["Red", "BLUE"]\ndefault = "Red"\n')
    assert [bind(path, {"c": value}).options["c"] for value in ("Red", "red", "blue", "BLUE")] == [
        "Red", "Red", "BLUE", "BLUE",
    ]  # fmt: skip


def test_an_option_may_take_the_place_of_another(write):
    path = write(
        HEAD
        + OPTION.format("cap", "limit")
        + 'default = 500\nreplaces = "mandarins"\n[change.mandarins]\nwhen = "won"\n'
    )
    assert set(bind(path).options) == {"limit", "cap"}


def test_a_penalty_may_take_its_points_from_an_option(write):
    text = (
        HEAD
        + OPTION.format("fine", "number")
        + "choices = [50, 100]\ndefault = 50\n"
        + COSTS
        + 'points = { option = "fine" }\n'
    )
    assert bind(write(text)).settling.penalty["costs"].points == 50
    assert bind(write(text), {"fine": 100}).settling.penalty["costs"].points == 100
