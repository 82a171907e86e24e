"""The bridge gives by JSON what the commands give: every worked hand of both books, and the sample evening."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from checks import check_text
from tables import table
from taps import taps_of

import mjscore
from mjscore.game.hand import Hand
from mjscore.phone import bridge
from mjscore.phone.bridge import answer
from mjscore.phone.carried import laid_out
from mjscore.phone.keyboard import tapped
from mjscore.record.checker import Reader
from mjscore.record.context import Context
from mjscore.record.lines import SeatRow, parse_row
from mjscore.record.source import blocks, lines_of
from mjscore.record.statistics import read_evening

SAMPLES = Path(__file__).parents[2] / "samples"
PLAYERS = ["Ann", "Ben", "Old Cid", "Dee"]


def ask(**question: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps(question)))


def begun(**more: Any) -> str:
    return ask(ask="begin", players=PLAYERS, **{"rulebook": "harr", **more})["text"]


def test_a_phone_does_not_wait_for_who_has_left_and_is_owed():
    text = begun(rulebook="babcock", counters="babcock")
    for line in ("300w 0 0 0",) * 4 + ("seat Eve for Ann", "300w 0 0 0"):
        told = ask(ask="type", text=text, lines=[line])
        text = told["text"]
    assert "Ben owes Eve 600" in told["card"]["counters"]
    assert "Ben owes Ann 400" in ask(ask="type", text=text, lines=["counters"])["said"]


@pytest.mark.parametrize("name", ["harr", "harr-limit", "babcock", "babcock-chinese", "bmja", "dmjl"])
def test_every_worked_hand_scores_what_it_scores(name):
    reader = Reader("", Context(rulebook=name, folder=str(SAMPLES)))
    text = (SAMPLES / f"{name}.mj").read_text(encoding="utf-8")
    compared = 0
    for checked in reader.check(blocks(lines_of(text))):
        if checked.kind != "hand" or checked.outcome.hand is None:
            continue
        hand, sheet = checked.outcome.hand, checked.outcome
        said = ask(
            ask="hand", taps=taps_of(hand), rulebook=checked.state.context.rulebook, options=dict(checked.state.context.settings), seat=hand.seat, round=hand.round,
        )  # fmt: skip
        if sheet.error is None and len(hand.concealed) + len(hand.sets) > 0:
            assert said["score"] == sheet.score, checked.text
            compared += 1
        else:
            assert said["score"] is None or said["taps"] != taps_of(hand) or sheet.error is None, checked.text
    assert compared > 20


def test_the_sample_evening_tapped_in_is_the_evening():
    """Each hand's tiles by seat, each event as it is typed; totals, nets and the file itself as the command has them."""
    sample = (SAMPLES / "evening.mj").read_text(encoding="utf-8")
    options = {"seasons": "on", "nine-mummies": "on", "nine-mummies-bonus": "on"}
    text = begun(rulebook="babcock-chinese", options=options)
    for block in blocks(lines_of(sample)):
        head = block.head.text
        if head.split()[0] in ("rulebook", "set", "players"):
            continue
        if not head.startswith("hand"):
            said = ask(ask="type", text=text, lines=[head])
        else:
            winds = {seat["name"]: seat["wind"] for seat in ask(ask="evening", text=text)["seats"]}
            hands = {}
            for row in (parse_row(row.text) for row in block.rows):
                if isinstance(row, SeatRow):
                    assert isinstance(row.given, Hand)
                    win = row.given.win
                    given = row.given
                    if win is not None and win.discarder is not None:
                        given = given._replace(win=win._replace(discarder=winds[win.discarder]))
                    hands[winds[row.name]] = taps_of(given)
            said = ask(ask="settle", text=text, hands=hands)
        assert "error" not in said, (head, said)
        text = said["text"]
    expected = read_evening(str(SAMPLES / "evening.mj"), Context())
    assert said["totals"] == [[name, bridge.signed(expected.total(name))] for name in expected.players]
    assert all(one.ok and not one.refusals for one in check_text(text))
    nets = [
        [[name, bridge.signed(points)] for name, points in hand.nets.items() if name in hand.seats.values()]
        for hand in expected.played
    ]
    shown = [entry["nets"] for entry in said["entries"] if entry["nets"]]
    assert [sorted(one) for one in shown] == [sorted(one) for one in nets]


def test_a_hand_is_told_with_its_sheet_and_what_may_be_said_of_it():
    tiles = ["1b", "2b", "3b", "4b", "5b", "6b", "5c", "5c"]
    taps = ["pung", "2d", "kong", "1c", "set 1 1c", *tiles, "drawn", "in 5c"]
    said = ask(ask="hand", taps=taps, seat="S", round="E", rulebook="harr")
    assert (said["score"], said["read"]) == (58, "S@E: (222d) [1111c] 123b 456b 5c +5c")
    keys = ask(ask="keys", taps=taps, seat="S", round="E", rulebook="harr")
    assert [(flag["flag"], flag["on"]) for flag in keys["flags"]] == [("loose", False)]
    assert said["payments"] == "East pays 116; West and North pay 58 each: 232 in all"
    assert ["Mah-Jongg", "20", "Harr p. 30", "item"] in said["sheet"]
    assert ask(ask="hand", taps=[*taps, "!loose"], seat="S", round="E", rulebook="harr")["score"] == 68
    assert ask(ask="keys", taps=[*taps, "!loose"], seat="S", round="E", rulebook="harr")["flags"][0]["on"]


def test_a_touch_scores_one_hand_and_what_may_be_tapped_next_scores_each_once(monkeypatch):
    scored = []

    def score_hand(hand, book):
        scored.append(str(hand))
        return mjscore.scoring.scorer.score_hand(hand, book)

    monkeypatch.setattr(bridge, "score_hand", score_hand)
    bridge._scored.cache_clear()
    table = {
        "taps": ["pung", "1d", "chow", "1c", "chow", "4c", "chow", "7c", "Ww", "Ww", "drawn", "in Ww"],
        "rulebook": "babcock",
    }
    ask(ask="hand", **table)
    assert len(scored) == 1
    ask(ask="keys", **table)
    assert len(scored) == len(set(scored)) > 5
    before = len(scored)
    ask(ask="hand", **table)
    ask(ask="keys", **table)
    assert len(scored) == before


def test_a_line_of_two_readings_is_the_one_that_the_rules_score():
    said = ask(ask="hand", taps=["line s (222d) [1111c] 123b 456b 5c +5c!loose"], rulebook="harr")
    assert (said["score"], said["read"]) == (68, "S@E: (222d) [1111c] 123b 456b 5c +5c!loose")
    # as if it had been tapped: ⌫ takes one thing back
    assert said["taps"][:6] == ["at S", "pung", "2d", "kong", "1c", "set 1 1c"]
    assert said["taps"][-3:] == ["drawn", "in 5c", "!loose"]


def test_one_tile_of_those_alike_is_marked():
    said = ask(ask="hand", taps=["pung", "5c", "chow", "5d", "5d", "5d"])
    marked = [
        (tile["tile"], tile["tap"]) for part in said["parts"] for tile in part["tiles"] if tile["marked"]
    ]
    assert marked == [("5c", "set 0 5c"), ("6d", "set 1 6d"), ("7d", "set 1 7d"), ("5d", "in 5d")]


def test_of_tiles_in_two_sets_that_is_marked_which_a_touch_of_the_tile_means():
    taps = ["chow", "5d", "chow", "5d", "drawn"]
    parts = ask(ask="hand", taps=taps)["parts"]
    marked = next(tile["tap"] for part in parts for tile in part["tiles"] if tile["marked"])
    assert ask(ask="hand", taps=[*taps, marked])["parts"] == ask(ask="hand", taps=[*taps, "in 5d"])["parts"]
    assert marked == "set 0 5d"


def test_thirteen_tiles_wait_and_fourteen_want_their_winning_tile():
    thirteen = ["chow", "1c", "chow", "7c", "6c", "7c", "8c", "4c", "5c", "1c", "1c"]
    said = ask(ask="keys", taps=thirteen, rulebook="babcock")
    alone = mjscore.waits("(123c) (789c) 678c 45c 11c", "babcock").waits
    assert [(wait["tile"], wait["drawn"]) for wait in said["waits"]] == [
        (str(wait.tile), wait.drawn) for wait in alone
    ]
    said = ask(ask="hand", taps=[*thirteen, "3c"], rulebook="babcock")
    assert (said["score"], said["full"]) == (None, True)
    assert ask(ask="keys", taps=[*thirteen, "3c"], rulebook="babcock")["waits"] == []


def test_a_hand_by_every_rulebook():
    rows = ask(ask="compare", taps=["line S@E: (RRR) 123b 456b 789b 5d <5d:E"])["rows"]
    assert rows == [
        [name, mjscore.score("S@E: (RRR) 123b 456b 789b 5d <5d:E", name).score] for name in bridge.RULEBOOKS
    ]


def test_options_of_a_rulebook_with_their_choices():
    said = ask(ask="rulebook", rulebook="babcock", options={"limit": "600"})
    options = {option["name"]: option for option in said["options"]}
    assert options["limit"]["value"] == "600"
    assert options["seasons"]["choices"] == ["off", "on", "shanghai"]
    assert "error" in ask(ask="rulebook", rulebook="babcock", options={"limit": "many"})


def test_a_rulebook_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.setattr(bridge, "FOLDER", str(tmp_path))
    (tmp_path / "house.toml").write_bytes((SAMPLES / "house-rules.toml").read_bytes())
    said = ask(ask="hand", taps=["line E: 123456789d ESWNw +5d"], rulebook="house.toml")
    alone = mjscore.score("E: 123456789d ESWNw +5d", str(SAMPLES / "house-rules.toml"))
    assert said["score"] == alone.score
    assert "error" in ask(ask="rulebook", rulebook="other.toml")


def test_an_evening_carries_its_rulebook(tmp_path, monkeypatch):
    """To a phone that has it not, or another one of that name; what is written behind the comments stays."""
    for phone in ("one", "other"):
        (tmp_path / phone).mkdir()
    monkeypatch.setattr(bridge, "FOLDER", str(tmp_path / "one"))
    house = (SAMPLES / "house-rules.toml").read_text(encoding="utf-8")
    (tmp_path / "one" / "house.toml").write_text(house, encoding="utf-8")
    (tmp_path / "one" / "club.toml").write_text('id = "c"\ntitle = "C"\nbook = "B"\nextends = "house.toml"\n')
    here = ask(ask="begin", players=PLAYERS, rulebook="club.toml")
    here = ask(ask="type", text=here["text"], carried=here["carried"], lines=["2 8 64w 0"])
    monkeypatch.setattr(bridge, "FOLDER", str(tmp_path / "other"))
    bridge._opened.cache_clear()
    laid_out.cache_clear()
    (tmp_path / "other" / "house.toml").write_text("id = 7")
    assert "error" in ask(ask="file", text=here["text"])
    for shared in (here["text"] + here["carried"], f"{here['text']}{here['carried']}note tea\n"):
        there = ask(ask="file", text=shared.replace("\n", "\r\n") if "tea" not in shared else shared)
        assert there["totals"] == here["totals"]
        assert "#" not in there["text"]
    assert there["text"] == here["text"] + "note tea\n"
    assert there["carried"] == here["carried"]
    assert ask(ask="settle", text=there["text"], carried=there["carried"], hands=HAND)["hand"] == 3
    assert ask(ask="begin", players=PLAYERS, rulebook="harr")["carried"] == ""


@table
def test_of_two_copies_it_is_told_which_is_newer(file, kept, newer):
    """Lines that were played in the file and on the phone; a hand under way is part of what becomes of it."""
    texts = []
    for lines in (file, kept):
        texts.append(begun(rulebook="babcock", date="2026-11-23"))
        for line in filter(None, lines.split(";")):
            texts[-1] = ask(ask="type", text=texts[-1], lines=[line])["text"]
    other = {"text": begun(date="2026-11-23")}
    said = ask(
        ask="copies", text=texts[0], kept={"other": other, "one": {"text": texts[1]}, "bad": {"text": "x"}}
    )
    assert (said["name"], said["newer"]) == ("one", newer)
    older = {"this": 1, "other": 0}.get(newer)
    assert older is None or said["sides"][older]["since"] == []


def test_an_evening_that_is_no_copy_is_none():
    text = ask(ask="type", text=begun(), lines=["2 8 64w 0"])["text"]
    for other in (begun(rulebook="bmja"), ask(ask="type", text=begun(), lines=["2 8 16w 0"])["text"]):
        assert ask(ask="copies", text=text, kept={"one": {"text": other}}) == {}


def test_before_the_first_hand_the_rules_may_be_others():
    text = begun(rulebook="babcock", options={"limit": "600"}, counters="babcock", title="Tea")
    rules = ask(ask="rules", text=text)
    assert (rules["rulebook"], rules["is_open"]) == ("babcock", True)
    assert {option["name"]: option["value"] for option in rules["options"]}["limit"] == "600"
    assert "Babcock p. 35" in rules["card"]
    more = ask(ask="play by", text=text, options={"seasons": "on"})["text"]
    again = begun(
        rulebook="babcock", options={"limit": "600", "seasons": "on"}, counters="babcock", title="Tea"
    )
    assert sorted(more.splitlines()) == sorted(again.splitlines())
    other = ask(ask="play by", text=more, rulebook="harr")
    assert "rulebook harr\n" in other["text"]
    assert "set " not in other["text"]
    assert "error" in ask(ask="play by", text=text, options={"limit": "many"})
    three = ask(ask="begin", players=["A", "B", "C"], rulebook="harr")["text"]
    assert "set players 3\n" in ask(ask="play by", text=three, rulebook="babcock")["text"]
    played = ask(ask="type", text=text, lines=["2 8 64w 0"])["text"]
    assert ask(ask="rules", text=played)["is_open"] is False
    assert "are fixed once" in ask(ask="play by", text=played, options={"seasons": "on"})["error"]


def test_a_seat_without_taps_has_nothing_and_one_with_a_number_that():
    text = begun(rulebook="babcock")
    hands = {"S": ["number 64", "claimed W"], "N": ["pung", "Rd"]}
    said = ask(ask="settle", text=text, hands=hands)
    settled = mjscore.settle({"E": 0, "S": 64, "W": 0, "N": 8}, "S", "babcock", discarder="W")
    assert said["entries"][-1]["nets"] == [
        [name, bridge.signed(settled.net[wind])] for name, wind in zip(PLAYERS, "ESWN", strict=True)
    ]
    assert "  Dee: (RRRd) ...\n" in said["text"]
    assert said["hand"] == 2


@table
def test_a_hand_that_cannot_be_settled_says_why(hands, said):
    refused = ask(ask="settle", text=begun(), hands=hands)
    assert set(refused) == {"error"}
    assert said in refused["error"]


def test_an_edit_is_several_lines_and_written_by_the_last():
    text = ask(ask="type", text=begun(), lines=["2 8 64w 0"])["text"]
    first = ask(ask="type", text=text, lines=["edit 1", "S: 16"])
    assert (first["text"], first["answers"], first["editing"]) == (text, ["yes", "no"], True)
    assert "8 → 16" in first["said"]
    written = ask(ask="type", text=text, lines=["edit 1", "S: 16", "yes"])
    assert "  Ben: 16\n" in written["text"]
    assert (written["answers"], written["editing"]) == ([], False)
    assert ask(ask="type", text=text, lines=["edit 1", "S: 16", "no"])["text"] == text


HAND = {
    "E": ["pung", "2d", "pung", "3d", "chow", "4c", "kong", "5b", "Ww", "Ww", "drawn", "in Ww"],
    "S": ["kong", "Gd"],
}


def test_a_hand_has_its_card():
    card = ask(ask="settle", text=begun(rulebook="babcock", counters="babcock"), hands=HAND)["card"]
    ann, ben, *_ = card["rows"]
    assert card["title"] == "hand 1: Ann wins 36"
    assert [ann[name] for name in ("wind", "name", "score", "net", "total")] == [
        "East",
        "Ann",
        36,
        "+216",
        "+216",
    ]
    assert ["Green dragons: doubles once", "32", "Babcock p. 35", "item"] in ben["sheet"]
    assert ["Dee", "Ben", 32] in card["paid"]
    assert "Dee hands Ben: 1 × 2 (two black dots)" in card["counters"]
    assert sum(points for payer, payee, points in card["paid"] if payee == "Ann") == 216
    assert ask(ask="evening", text=begun())["card"] is None


def test_an_earlier_hand_is_put_right_by_taps():
    """What was tapped comes back as taps; only a line that says another thing then is written anew."""
    text = ask(ask="settle", text=begun(rulebook="babcock", counters="babcock"), hands=HAND)["text"]
    text = ask(ask="type", text=text.replace("  Dee: 0\n", "  Dee:  0  # she says\n"), lines=["2 8 64w 0"])[
        "text"
    ]
    entry = ask(ask="entry", text=text, mark="1")
    assert entry["taps"] == {**HAND, "W": ["number 0"], "N": ["number 0"]}
    there = {"ask": "settle", "text": text, "mark": "1"}
    assert "nothing has been changed" in ask(**there, hands=entry["taps"])["error"]
    both = {**entry["taps"], "S": ["number 64", "drawn"]}
    assert "cannot both win: correct the other hands too" in ask(**there, hands=both)["error"]
    other = {**entry["taps"], "S": ["pung", "Gd"]}
    proposed = ask(**there, hands=other)
    assert (proposed["text"], proposed["answers"], proposed["editing"]) == (text, ["yes", "no"], True)
    done = ask(**there, hands=other, answer="yes")
    assert "  Ben: (GGGd) ...\n" in done["text"]
    assert "  Dee:  0  # she says\n" in done["text"]
    assert "To correct the counters: Ben gives" in done["card"]["told"]
    undone = ask(ask="evening", text=text, before=done["text"])
    assert "To correct the counters: Old" in undone["card"]["told"]


@pytest.mark.parametrize("row", ["dead", "64 win from S", "64 win drawn", "64 win", "16", "(1111d) 1f !dead"])
def test_any_line_comes_back_as_taps(row):
    record = parse_row(f"E: {row}")
    assert isinstance(record, SeatRow)
    assert parse_row(f"E: {tapped(bridge._taps_of(record))[0].body()}") == record


def test_the_line_that_is_typed_is_read_as_in_play():
    text = begun()
    said = ask(ask="type", text=text, lines=["w 123b444ceee/777d8c<8c:e 2 8 0"])
    assert '"Old Cid": (123b) (444c) (EEEw) 8c 777d <8c:Ann' in said["text"]
    for line, refusal in (
        ("undo", "a button on this page"),
        ("xyz 12", "xyz is not a command"),
        ("w 12x", "x"),
    ):
        assert refusal in ask(ask="type", text=text, lines=[line])["error"]


def test_an_empty_line_does_nothing():
    text = begun()
    assert ask(ask="type", text=text, lines=["", " "]) == ask(ask="evening", text=text)


def test_a_line_is_shown_while_it_is_typed():
    shown = ask(ask="live", text=begun(), lines=[], line="w 123b4")["lines"]
    assert any(kind == "state" and "West Old Cid: 3 of 13 tiles" in words for kind, words in shown)
    shown = ask(ask="live", text=begun(), lines=[], line="w 123x")["lines"]
    assert [kind for kind, _ in shown if kind == "fault"] != []


def test_fewer_or_more_players_need_no_option_to_be_set():
    for count in (2, 3, 5):
        names = ["Ann", "Ben", "Cid", "Dee", "Eve"][:count]
        said = ask(ask="begin", players=[*names, ""], rulebook="babcock")
        assert [name for name, _ in said["totals"]] == names
        assert f"set players {count}\n" in said["text"]
    assert "error" in ask(ask="begin", players=["Ann"], rulebook="harr")


@table
def test_players_that_cannot_be_are_refused_without_words_of_the_command_line(players, said):
    refused = ask(ask="begin", players=players, rulebook="harr")
    assert set(refused) == {"error"}
    assert said in refused["error"]
    assert " -" not in refused["error"]


def test_an_evening_is_named_in_its_text():
    text = begun(date="2026-11-23")
    assert ask(ask="evening", text=text)["title"] == ""
    named = ask(ask="rename", text=text, title=" Tea at Ann's ")
    assert (named["title"], named["date"]) == ("Tea at Ann's", "2026-11-23")
    assert named["text"] == text.replace("players ", 'title "Tea at Ann\'s"\nplayers ')
    assert ask(ask="rename", text=named["text"], title="Cake")["title"] == "Cake"
    assert ask(ask="rename", text=named["text"], title="")["text"] == text
    for title in ('a "b"', "a\nb"):
        assert set(ask(ask="rename", text=text, title=title)) == {"error"}


def test_a_file_that_does_not_hold_is_told_and_harms_nothing():
    for text in (
        "",
        "players Ann",
        "\x00",
        "rulebook nothing\nplayers A B C D\n",
        "players A B C D\nhand\n  A: 12x\n",
        "x" * 2_000_000,
    ):
        assert set(ask(ask="evening", text=text)) == {"error"}, text[:50]


def test_names_are_spelt_out_where_they_would_reorder():
    text = begun().replace("Ann", '"A\u202enn"')
    said = ask(ask="evening", text=text)
    assert said.pop("text") == text
    assert "\u202e" not in json.dumps(said, ensure_ascii=False)
    keys = ask(ask="hand", taps=["5c"], text=text, seat="S")  # from whom the winning tile came
    assert keys["from"][0] == ["E", "A\\u{202e}nn"]


def test_the_picture_and_the_page():
    taps = ["line S@E: (RRR) 123b 456b 789b 5d <5d:E"]
    picture = ask(ask="picture", taps=taps, rulebook="harr")
    assert picture["svg"].startswith("<svg ")
    assert "Score 5" in picture["text"]
    text = (SAMPLES / "evening.mj").read_text(encoding="utf-8")
    assert "<h2>Standings</h2>" in ask(ask="page", text=text)["html"]
    assert "error" in ask(ask="page", text=begun())
    # what was noted after the last hand too
    assert "lamp" in ask(ask="page", text=f"{text}note the lamp went out\n")["html"]


def test_a_name_a_letter_from_a_friends_is_asked_about_and_taken_in_quotes():
    text = begun()
    asked = ask(ask="type", text=text, lines=["seat Benn for Ann"])["error"]
    assert asked.startswith("Benn is new here, and one letter away from Ben")
    assert asked.endswith(
        ': if that is somebody else, type seat "Benn" for Ann; if not, type the line with the right name'
    )
    asked = ask(ask="type", text=text, lines=["eve for ann"])["error"]
    assert asked.endswith(": type seat eve for Ann")
    # nobody is asked how a four came: both lines are offered whole, with what was typed behind the hand
    asked = ask(ask="type", text=text, lines=["ann RRRR 22b 345c 99c 678d +9c, 8 8 8"])["error"]
    assert "(RRRR) 22b 345c 99c 678d +9c" in asked
    assert "8 8 8 if it was claimed" in asked
    assert "seat Benn for Ann" in ask(ask="type", text=text, lines=['seat "Benn" for Ann'])["text"]
