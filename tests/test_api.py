"""What Python programs give to the functions of the package: what is promised, or a TypeError."""

from __future__ import annotations

import copy
import inspect
import json
import operator
import pickle
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from tables import each, table

import mjscore
from mjscore.rulebook.binding import rulebook_of

HAND = "S: (RRR) GGG 11b 22b 3f ..."
WAITING = "1112345678999c"
ROOT = Path(__file__).parents[1]
SCORES = {"E": 480, "S": 64, "W": 272, "N": 16}
ODD = [
    *(None, 1, 1.5, b"E", bytearray(b"E"), [], ["E"], ("E",), {}, {"E": 1}, set(), NotImplemented, True, False, str, len),
    *("", "Q", "\ud800", "\x00", " ", "E", "/", "x" * 5000 + ".toml", "\x00.toml", ".", "~"),
]  # fmt: skip
NO_FIELD = (None, 5, "x", 2.5, (5.5,), ("x",), (99,), (-1,) * 40, len, {1: 2})

# what each parameter takes; ``in`` stands for what a mapping holds
TAKES: dict[str, dict[str, tuple[type, ...]]] = {
    "score": {
        "hand": (str, mjscore.Hand), "rulebook": (str, mjscore.Rulebook), "options": (dict, type(None)),
        "seat": (str, type(None)), "round": (str, type(None)),
    },
    "waits": {
        "hand": (str, mjscore.Hand), "rulebook": (str, mjscore.Rulebook), "options": (dict, type(None)),
        "seat": (str, type(None)), "round": (str, type(None)),
    },
    "parse": {"text": (str,)},
    "read": {
        "text": (str,), "rulebook": (str, mjscore.Rulebook), "options": (dict, type(None)),
        "seat": (str, type(None)), "round": (str, type(None)), "players": (dict, type(None)),
    },
    "evening": {"path": (str,), "rulebook": (str,), "options": (dict, type(None))},
    "exchange": {
        "settlement": (mjscore.Settlement,), "counters": (str,), "holdings": (dict, type(None)),
        "pair_by_pair": (bool,), "bank": (bool,),
    },
    "rulebooks": {},
    "settle": {
        "hands": (dict,), "winner": (str, type(None)), "rulebook": (str, mjscore.Rulebook), "options": (dict, type(None)),
        "discarder": (str, type(None)), "drawn": (bool, type(None)), "round": (str, type(None)), "label": (str, type(None)),
    },
    "load_rulebook": {"name": (str,), "options": (dict, type(None))},
}  # fmt: skip
GIVEN: dict[str, dict[str, object]] = {
    "score": {"hand": HAND},
    "waits": {"hand": WAITING},
    "parse": {"text": HAND},
    "read": {"text": HAND},
    "evening": {"path": str(ROOT / "samples/evening.mj")},
    "exchange": {"settlement": mjscore.settle(SCORES, "E")},
    "settle": {"hands": SCORES, "winner": "E"},
    "load_rulebook": {"name": "harr"},
}
RAISES = (
    "parse",
    "load_rulebook",
    "evening",
    "exchange",
)  # what is refused is raised; the others give it as their error
PARAMETERS = [(function, parameter) for function, parameters in TAKES.items() for parameter in parameters]


def test_every_parameter_is_among_them():
    assert sorted(TAKES) == sorted(
        name for name in mjscore.__all__ if inspect.isfunction(getattr(mjscore, name))
    )
    for function, parameters in TAKES.items():
        assert list(inspect.signature(getattr(mjscore, function)).parameters) == list(parameters)


@each(("function", "parameter", "odd"), [(*one, odd) for one in PARAMETERS for odd in ODD])
def test_a_value_a_refusal_or_a_type_error_that_names_what_is_wrong(function, parameter, odd):
    call = getattr(mjscore, function)
    given = {**GIVEN[function], parameter: odd}
    takes = TAKES[function][parameter]
    if not isinstance(odd, takes) or (isinstance(odd, bool) and bool not in takes):
        with pytest.raises(TypeError, match=rf"^{parameter} must be .*, not {type(odd).__name__}$"):
            call(**given)
        return
    if parameter in ("players", "holdings") and odd:
        with pytest.raises(TypeError, match=rf"^{parameter}\['E'\] must be (str|tuple or list), not int$"):
            call(**given)
        return
    try:
        result = call(**given)
    except mjscore.Refused as refused:
        assert function in RAISES
        assert refused.refusal.render()
    else:
        assert function in RAISES or result.error is None or result.error.render()
        json.dumps(result.as_json() if hasattr(result, "as_json") else str(result))


@each("odd", ODD)
def test_what_the_hands_of_a_table_may_be(odd):
    if odd is not None and (not isinstance(odd, (str, int)) or isinstance(odd, bool)):
        with pytest.raises(TypeError, match=rf"^hands\['S'\] must be .*, not {type(odd).__name__}$"):
            mjscore.settle({**SCORES, "S": odd}, "E")
        return
    settlement = mjscore.settle({**SCORES, "S": odd}, "E")
    assert (settlement.error is None) == (odd in (None, 1, "dead"))
    assert sum(settlement.net.values()) == 0


@each("odd", [one for one in ODD if one.__hash__ and one != "E"])
def test_what_a_seat_may_be(odd):
    if not isinstance(odd, str):
        with pytest.raises(TypeError, match=rf"^a seat of hands must be str, not {type(odd).__name__}$"):
            mjscore.settle({**SCORES, odd: 3}, "E")
        return
    assert mjscore.settle({**SCORES, odd: 3}, "E").error.code == "no-such-seat"


@each(("function", "odd"), product(("score", "waits", "settle", "load_rulebook"), ODD))
def test_what_an_option_and_its_name_may_be(function, odd):
    call = getattr(mjscore, function)
    if odd.__hash__ and not isinstance(odd, str):
        with pytest.raises(
            TypeError, match=rf"^the name of an option must be str, not {type(odd).__name__}$"
        ):
            call(**GIVEN[function], options={odd: 1})
    if not isinstance(odd, (str, int, type(None))):
        with pytest.raises(TypeError, match=rf"^options\['limit'\] must be .*, not {type(odd).__name__}$"):
            call(**GIVEN[function], options={"limit": odd})
    for options in ({"limit": odd}, {odd if isinstance(odd, str) else "x": 1}):
        if "limit" in options and not isinstance(odd, (str, int, type(None))):
            continue
        try:
            result = call(**GIVEN[function], options=options)
        except mjscore.Refused as refused:
            assert function == "load_rulebook"
            assert refused.refusal.code in ("unknown-option", "option-value")
        else:
            error = getattr(result, "error", None)
            fits = "limit" in options and (odd is None or odd == 1) and odd is not True
            assert error is None if fits else error.code in ("unknown-option", "option-value")


class Unsayable:
    """A value of a program that cannot even be written down."""

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


@pytest.mark.parametrize(
    "odd",
    [10**5000, -(10**5000), Unsayable(), float("nan"), b"600"],
    ids=["long", "low", "odd", "nan", "bytes"],
)
@pytest.mark.parametrize("function", ["score", "waits", "settle", "load_rulebook"])
def test_options_that_are_no_strings(function, odd):
    with pytest.raises(TypeError, match=r"^options"):
        getattr(mjscore, function)(**GIVEN[function], options={"limit": odd})


@each(("field", "odd"), product(mjscore.Hand._fields, NO_FIELD))
def test_a_hand_that_a_program_put_together(field, odd):
    hand = mjscore.parse("S@E: (222d) [1111c] 123b 456b 5c +5c!loose")._replace(**{field: odd})
    for call in (
        lambda: mjscore.score(hand),
        lambda: mjscore.waits(hand),
        lambda: mjscore.settle({**SCORES, "S": hand}),
    ):
        try:
            result = call()
        except TypeError:
            continue
        assert result.error is None or result.error.render()


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: mjscore.score("(RRR) GGG 11b 22b 3f ...", seat="Q"), "no-such-seat"),
        (lambda: mjscore.score("(RRR) GGG 11b 22b 3f ...", round="Q"), "bad-round"),
        (lambda: mjscore.waits(WAITING, seat="Q"), "no-such-seat"),
        (lambda: mjscore.settle(SCORES, "Q"), "no-such-seat"),
        (lambda: mjscore.settle({**SCORES, "Q": 3}, "E"), "no-such-seat"),
        (lambda: mjscore.settle(SCORES, "E", discarder="Q"), "no-such-seat"),
    ],
)
def test_a_seat_that_there_is_not_is_refused(call, code):
    assert call().error.code == code


@table
def test_options_on_top_of_a_bound_rulebook_are_as_if_told_at_once(name, bound, more):
    book = rulebook_of(mjscore.load_rulebook(name, bound), more)
    assert book.options == mjscore.load_rulebook(name, {**bound, **more}).options
    assert book.limit == mjscore.load_rulebook(name, {**bound, **more}).limit


def test_options_on_top_of_a_bound_rulebook_that_exclude_each_other():
    mummies = mjscore.load_rulebook("babcock-chinese", {"nine-mummies": True})
    assert mjscore.score(HAND, mummies, options={"thirteen-orphans": True}).error.code == "option-excluded"


DRAGONS = "(RRR) (GGG) 123b 99d WWd {}"


def test_a_discarder_told_beside_the_hand_counts_as_if_the_hand_named_him():
    others = {"E": 4, "S": 4, "N": 3}
    named = mjscore.settle({"W": DRAGONS.format("<Wd:S"), **others}, rulebook="babcock-chinese")
    beside = mjscore.settle({"W": DRAGONS.format("<Wd"), **others}, rulebook="babcock-chinese", discarder="S")
    assert beside.net == named.net == {"E": 0, "S": -1200, "W": 1200, "N": 0}
    assert (beside.discarder, beside.remarks) == (named.discarder, named.remarks)


@table
def test_what_is_told_beside_the_hand_and_differs_is_refused(clause, told):
    hands = {"W": DRAGONS.format(clause), "E": 4, "S": 4, "N": 3}
    assert mjscore.settle(hands, **told).error.code == "won-otherwise"
    agreed = {"<Wd:S": {"discarder": "S"}, "<Wd": {"drawn": False}, "+Wd": {"drawn": True}}[clause]
    assert mjscore.settle(hands, **agreed).error is None


HOUSE = 'id = "house"\ntitle = "House"\nextends = "{}"\n[options]\nlimit = {}\n'
BIG = "E: RRR GGG WWWd EEE S +S!original"


def test_a_rulebook_is_read_again_where_it_or_what_it_extends_has_changed(tmp_path, monkeypatch):
    for folder, limit in (("one", 700), ("two", 800)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "house.toml").write_text(HOUSE.format("harr-limit", limit))
    monkeypatch.chdir(tmp_path / "one")
    assert mjscore.score(BIG, "house.toml").score == 700
    Path("house.toml").write_text(HOUSE.format("harr-limit", 600))
    assert mjscore.score(BIG, "house.toml").score == 600
    assert mjscore.load_rulebook("house.toml").limit == 600
    assert mjscore.settle({**SCORES, "E": BIG}, rulebook="house.toml").scores["E"] == 600
    monkeypatch.chdir(tmp_path / "two")
    assert mjscore.score(BIG, "house.toml").score == 800
    Path("guests.toml").write_text('id = "guests"\ntitle = "Guests"\nextends = "house.toml"\n')
    assert mjscore.score(BIG, "guests.toml").score == 800
    Path("house.toml").write_text(HOUSE.format("harr-limit", 900))
    assert mjscore.score(BIG, "guests.toml").score == 900
    Path("house.toml").unlink()
    assert mjscore.score(BIG, "guests.toml").error.code == "extends-nothing"
    Path("house.toml").symlink_to("../one/house.toml")
    assert mjscore.score(BIG, "guests.toml").score == 600
    assert mjscore.load_rulebook("house.toml") is mjscore.load_rulebook("house.toml")


def test_a_rulebook_is_found_from_a_folder_that_is_gone(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    house = tmp_path / "house.toml"
    house.write_text(HOUSE.format("harr-limit", 700))
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert mjscore.score(BIG, str(house)).score == 700
    assert mjscore.score(BIG, "house.toml").error.code == "no-rulebook"


def test_the_library_shows_what_it_has():
    names = ["Claim", "Doubling", "Hand", "Item", "Refusal", "Rulebook", "ScoreSheet"]
    names += ["load_rulebook", "parse", "score", "settle", "waits"]
    code = "import mjscore, pydoc; print(*dir(mjscore)); print(pydoc.render_doc(mjscore, renderer=pydoc.plaintext))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    listed, _, page = shown.partition("\n")
    assert {*names, *mjscore.__all__, "__version__"} <= {*listed.split()}
    for name in names:
        assert re.search(rf"class {name}\(|^    {name}\(", page, re.MULTILINE), name
    sheet = mjscore.score("E: RRR GGG WWWd EEE S +S", "harr-limit")
    assert type(sheet.items[0]) is mjscore.Item
    assert type(sheet.doubling[0]) is mjscore.Doubling
    assert type(sheet.claims[0]) is mjscore.Claim


def test_a_refusal_says_how_long_it_is_and_whose_hand_it_is():
    refused = mjscore.settle({**SCORES, "W": "123b 456b 7x <7b"}, "W").error
    assert refused.as_json() == {
        "message": "there is no class of tiles 'x'",
        "hint": refused.hint, "line": 1, "column": 11, "code": "unknown-class", "length": 2, "seat": "W",
        "offset": 10, "text": "123b 456b 7x <7b", "lines": [], "answers": [],
    }  # fmt: skip
    assert mjscore.settle({**SCORES, "N": "S: 123b ..."}, "E").error.seat == "N"
    assert mjscore.settle({**SCORES, "N": "(RRR) ... <1c"}, "N").error.seat == "N"
    whole = mjscore.settle({**SCORES, "N": -4}, "E").error.as_json()
    assert (whole["column"], whole["length"], whole["seat"]) == (None, None, None)
    assert mjscore.score("11111b").error.as_json()["length"] == 6
    assert mjscore.score("11111b").error.seat is None


def mistyped(chance: random.Random, hands: list[str]) -> str:
    text = chance.choice(hands)
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(text))
        there = chance.choice(("", chance.choice("123bcdEWRGN()[]<+!:.~ 🀙x"), text[at] * 2))
        text = text[:at] + there + text[at + 1 :]
    return text


def test_whatever_is_mistyped_can_be_underlined_and_what_is_offered_is_read():
    lines = (ROOT / "samples/harr.mj").read_text(encoding="utf-8").splitlines()
    hands = [
        line.partition("=")[0].rpartition('" ')[2].strip() for line in lines if re.match('["ESWN]', line)
    ]
    chance, told = random.Random(1922), 0
    # what was offered for the last of these was an exception of the parser
    for text in [*(mistyped(chance, hands) for _ in range(150)), "S: (EEE) (NNN) RRRR GG Ww Ww <GG"]:
        for error in (mjscore.score(text).error, mjscore.read(text).error):
            if error is not None:
                told += 1
                assert error.text == text == "".join(error.marked)
                assert 0 <= error.offset <= len(text)
                assert mjscore.Refusal.from_json(error.as_json()).as_json() == error.as_json()
        choices = mjscore.read(text).choices if mjscore.read(text).error is not None else ()
        assert all(mjscore.read(line).error is None for line in choices)
    assert told > 150
    error = mjscore.settle({**SCORES, "W": "123b 456b 7x <7b"}, "W").error
    assert (error.seat, error.marked) == ("W", ("123b 456b ", "7x", " <7b"))


@pytest.mark.parametrize("name", [book.id for book in mjscore.rulebooks()])
def test_each_choice_of_an_option_is_one(name):
    book = mjscore.load_rulebook(name)
    assert [one.name for one in book.offered_options] == list(book.options)
    for one in book.offered_options:
        assert one.title
        assert one.source
        assert one.value == book.options[one.name]
        for choice in one.choices:
            try:
                mjscore.load_rulebook(name, {one.name: choice})
            except mjscore.Refused as refused:  # one option may need another
                assert refused.refusal.code in ("option-needs", "option-excluded")


@table
def test_a_hand_is_read_as_people_say_it(text, hand, choices):
    seats = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}
    reading = mjscore.read(text, players=seats)
    if reading.error is not None:
        assert (hand, choices) == (reading.error.code, list(reading.choices))
        return
    assert str(reading.hand) == hand
    assert mjscore.parse(reading.text) == reading.hand
    assert mjscore.score(reading.text).score == mjscore.score(hand).score


@pytest.mark.parametrize("name", ["net", "scores", "sheets"])
@pytest.mark.parametrize("empty", [False, True])
def test_a_settlement_cannot_be_changed(name, empty):
    settlement = mjscore.Settlement() if empty else mjscore.settle({**SCORES, "S": HAND}, "E")
    figures = getattr(settlement, name)
    before = dict(figures)
    for change in (
        lambda: figures.__setitem__("E", 1),
        lambda: figures.update(E=1),
        lambda: figures.setdefault("Q", 1),
        lambda: operator.ior(figures, {"E": 1}),
        lambda: figures.pop("S"),
        lambda: figures.popitem(),
        lambda: figures.clear(),
        lambda: operator.delitem(figures, "S"),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            change()
    assert figures == before
    assert repr(figures) == repr(before)
    assert json.dumps(figures, default=str) == json.dumps(before, default=str)
    assert pickle.loads(pickle.dumps(settlement)) == copy.deepcopy(settlement) == settlement


def test_a_raw_sheet_can_be_read():
    sheet = mjscore.score("S@E: (222d) [1111c] 123b 456b 5c +5c!loose")
    assert "hand=<Hand S@E: (222d) [1111c] 123b 456b 5c +5c!loose>" in repr(sheet)
    assert not re.search(r"\d{5}", repr(sheet))
    assert repr(sheet.hand._replace(concealed=5)).startswith("('S', 'E', ")


def test_what_set_a_score_has_one_name():
    sheet = mjscore.score("E: RRR GGG WWWd EEE S +S", "harr-limit")
    assert "limit" in sheet._fields
    assert "score_set_by" not in sheet._fields
    assert sheet.limit == sheet.score_set_by == sheet.as_json()["limit"] is not None


@pytest.mark.parametrize("name", ["babcock", "samples/house-rules.toml"])
def test_a_rulebook_pickles(name, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[1])
    book = mjscore.load_rulebook(name, {"limit": 777})
    mjscore.score(BIG, book)
    for again in (pickle.loads(pickle.dumps(book)), copy.deepcopy(book)):
        assert (again.fingerprint, again.limit, again.settings) == (book.fingerprint, 777, {"limit": "777"})
        assert mjscore.score(BIG, again) == mjscore.score(BIG, book)
