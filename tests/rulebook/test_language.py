"""Each piece of the rulebooks' language, switched both ways by a house rulebook of a line or two."""

from __future__ import annotations

import pytest

import mjscore
from mjscore.rulebook.binding import bind


@pytest.fixture
def house(tmp_path):
    """A house rulebook that extends *extends* by *text*."""

    def write(text: str, extends: str = "harr") -> str:
        path = tmp_path / f"house{len(list(tmp_path.iterdir()))}.toml"
        head = f'id = "house"\ntitle = "House"\nextends = "{extends}"\n'
        path.write_text(head + text, encoding="utf-8")
        return str(path)

    return write


def entry(section: str, body: str, name: str = "new") -> str:
    return f'[[{section}]]\nid = "{name}"\ntitle = "{name.title()}"\nsource = "House 1"\n{body}\n'


def given(hand: str, rulebook: str, name: str = "new", **options: object) -> bool:
    """Whether the entry is on the hand's sheet."""
    sheet = mjscore.score(hand, rulebook=rulebook, options=options)
    assert sheet.error is None, sheet.error
    lines = (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
    return name in [line.rule for line in lines]


ONE_RUN = "E: (RRR) 111b 456b 99c 88d +8d"
TWO_RUNS = "E: (RRR) 123b 456b 99c 88d +8d"
THREE_RUNS = "E: 111222333b 456b 9c +9c"  # or three threes and one run
TWINS = "E: 1133b 55b 2299c 77c 8c +8c"


class TestWhatMayWin:
    def test_few_runs(self, house):
        book = house(entry("win", 'when = "chows <= 1 or special"'))
        assert mjscore.score(ONE_RUN, book).error is None
        error = mjscore.score(TWO_RUNS, book).error
        assert error.code == "may-not-win"
        assert error.message.endswith(
            "may not win: runs: 2, not at most 1, and the hand is four sets and a pair"
        )
        assert error.hint.startswith("New (House 1)")
        # of the arrangements only those that may win are looked at
        assert mjscore.score(THREE_RUNS, book).error is None

    def test_special_hands_are_asked_too(self, house):
        twins = entry("shape", 'tiles = "7 pairs"\npoints = 100', "twins")
        assert (
            mjscore.score(TWINS, house(twins + entry("win", 'when = "chows <= 1 or special"'))).score == 100
        )
        assert mjscore.score(TWINS, house(twins + entry("win", 'when = "not special"'))).error is not None

    def test_waits_agree(self, house):
        thirteen = "E: (RRR) 123b 45b 99c 88d"
        free = mjscore.waits(thirteen, "harr").waits
        assert [str(wait.tile) for wait in free] == []
        thirteen = "E: (RRR) 123b 45b 888c 99d"
        assert [str(wait.tile) for wait in mjscore.waits(thirteen, "harr").waits] == ["3b", "6b"]
        book = house(entry("win", 'when = "chows <= 1"'))
        assert mjscore.waits(thirteen, book).waits == ()
        error = mjscore.score(f"{thirteen} +1c", book).error
        assert "were not waiting for any tile" in error.hint

    def test_least_doubles_and_least_score(self, house):
        drawn = "S: (RRR) 123b 456b 99c 88d +8d"
        sheet = mjscore.score(drawn, "harr")
        for fact, has in (("doubles", sheet.doubles), ("score", sheet.score)):
            assert mjscore.score(drawn, house(entry("win", f'when = "{fact} >= {has}"'))).error is None
            error = mjscore.score(drawn, house(entry("win", f'when = "{fact} >= {has + 1}"'))).error
            assert error.message.endswith(f"{fact}: {has}, not at least {has + 1}")

    def test_the_game_for_two(self):
        hand = "E: 123b 456b 789b 11c 23c +1c"
        assert mjscore.score(hand, "babcock").error is None
        error = mjscore.score(hand, "babcock", options={"players": 2}).error
        assert error.hint.startswith("Where two play, a winning hand has two doubles")

    def test_nothing_is_asked_where_nothing_is_said(self):
        assert bind("babcock").wins == ()
        assert bind("babcock").shape_wins == ()


class TestTilesWrittenOut:
    JADE = "E: (222b) 444b 666b 88b GG +G"

    def test_all_tiles(self, house):
        book = house(entry("double", "doubles = 1\nwhen = 'won and all_tiles(\"23468b Gd\")'"))
        assert given(self.JADE, book)
        assert not given(self.JADE.replace("666b", "777b"), book)

    def test_winning_tile(self, house):
        book = house(entry("bonus", "points = 2\nwhen = 'winning_tile(\"5d\")'"))
        assert given("E: 123b 456b 789b 11c 46d +5d", book)
        assert not given("E: 123b 456b 789b 11c 56d +7d", book)

    def test_laid_tiles(self, house):
        book = house(entry("bonus", 'points = 2\nwhen = "laid_tiles(bamboo) == 6"'))
        assert given("E: (123b) (456b) 789c 11d RR +R", book)
        assert not given("E: (123b) (456c) 789c 11d RR +R", book)
        assert given("E: (123b) (456c) ...", house(entry("bonus", 'points = 2\nwhen = "laid_tiles == 6"')))

    def test_several_classes_are_all_meant(self, house):
        book = house(entry("bonus", "points = 2\nwhen = 'tiles(bamboo, \"1b 9b 1c\") == 2'"))
        assert given("E: 19b 1c 345d ...", book)
        assert not given("E: 1b 1c 345d ...", book)

    def test_in_a_set(self, house):
        book = house(entry("set", "points = 9\nwhen = 'pung and of(\"5d\")'"))
        assert given("E: (555d) ...", book)
        assert not given("E: (555c) ...", book)

    @pytest.mark.parametrize("word", ["123", "1f", "dragon", "", "0b", "Rw"])
    def test_what_is_no_tile(self, house, word):
        book = house(entry("bonus", f"points = 2\nwhen = 'all_tiles(\"{word}\")'"))
        assert mjscore.score(ONE_RUN, book).error.code == "no-such-tiles"


class TestConcealed:
    def test_concealed_hand(self, house):
        book = house(entry("double", 'doubles = 1\nwhen = "won and concealed_hand"'))
        assert given("E: [1111b] 123c 456c 789c 5d <5d", book)
        assert not given("E: (1111b) 123c 456c 789c 5d <5d", book)
        assert not given("E: (111b) 123c 456c 789c 5d +5d", book)

    def test_hidden_hand(self, house):
        book = house(entry("double", 'doubles = 1\nwhen = "won and hidden_hand"'))
        assert given("E: (1111b) 123c 456c 789c 5d <5d", book)
        assert not given("E: (111+1b) 123c 456c 789c 5d <5d", book)

    def test_concealed_kongs(self, house):
        book = house(entry("bonus", 'points = 9\nwhen = "concealed_kongs(bamboo) == 1"'))
        assert given("E: [1111b] [1111c] ...", book)
        assert not given("E: (1111b) [1111c] ...", book)


class TestWaitingFor:
    TWINS = entry("shape", 'tiles = "7 pairs(head)"\npoints = 500', "twins")
    FISHING = entry("limit", 'of_limit = "2/5"\nwhen = \'not won and waiting_for("twins")\'', "fishing")

    def test_a_special_hand(self, house):
        book = house(self.TWINS + self.FISHING, "babcock")
        assert mjscore.score("E: EE SS 11b 99c RR GG Wd", book, options={"limit": 1000}).score == 400
        assert not given("E: EE SS 11b 99c RR G Wd 5c", book, "fishing")
        assert not given("E: EE SS 11b 99c RR GG ...", book, "fishing")

    def test_a_limit_hand(self, house):
        jade = entry("limit", 'of_limit = "1"\nwhen = \'won and all_tiles("23468b Gd")\'', "jade")
        waiting = entry("limit", 'of_limit = "2/5"\nwhen = \'waiting_for("jade")\'', "fishing")
        book = house(jade + waiting, "babcock")
        assert given("E: (222b) (444b) 666b 88b GG", book, "fishing")
        assert not given("E: (222b) (444b) 666b 88b 11c", book, "fishing")
        assert not given("E: (222b) (444b) 666b 88b GG +G", book, "fishing")
        # it waits, but for another hand
        assert not given("E: (222b) (444b) 666b 88b RR", book, "fishing")
        assert mjscore.score("E: (222b) (444b) 666b 88b RR !dead", book).score == 0

    def test_what_it_cannot_ask(self, house):
        for name in ("nothing", "red-dragons"):
            book = house(entry("bonus", f"points = 2\nwhen = 'waiting_for(\"{name}\")'"))
            assert mjscore.score(ONE_RUN, book).error.code == "unknown-entry"
        only = entry("limit", 'of_limit = "1"\nwhen = "only_place"', "only")
        book = house(only + entry("bonus", "points = 2\nwhen = 'waiting_for(\"only\")'"))
        assert mjscore.score(ONE_RUN, book).error.code == "wrong-arguments"

    def test_nothing_is_looked_for_where_nothing_asks(self, house):
        assert bind(house(self.TWINS)).waited_for == ()
