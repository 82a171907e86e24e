"""Each piece of the rulebooks' language, switched both ways by a house rulebook of a line or two."""

from __future__ import annotations

import pytest
from tables import table

import mjscore
from mjscore.record.context import Context
from mjscore.record.reader import Reader
from mjscore.record.source import blocks, lines_of
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
        for fact, word, has in (("doubles", "doubles", sheet.doubles), ("score", "points", sheet.score)):
            assert mjscore.score(drawn, house(entry("win", f'when = "{fact} >= {has}"'))).error is None
            error = mjscore.score(drawn, house(entry("win", f'when = "{fact} >= {has + 1}"'))).error
            assert error.message.endswith(f"{word}: {has}, not at least {has + 1}")

    def test_the_game_for_two(self):
        hand = "E: 123b 456b 789b 11c 23c +1c"
        assert mjscore.score(hand, "babcock").error is None
        error = mjscore.score(hand, "babcock", options={"players": 2}).error
        assert error.hint.startswith("Where two play, a winning hand has two combinations")

    def test_nothing_is_asked_where_nothing_is_said(self):
        assert bind("babcock").wins == ()
        assert bind("babcock").shape_wins == ()


@table
def test_when_an_entry_is_given(house, section, when, hand, is_given):
    worth = "doubles = 1" if section == "double" else "points = 9"
    assert given(hand, house(entry(section, f"{worth}\nwhen = '{when}'"))) is is_given


@pytest.mark.parametrize("word", ["123", "1f", "dragon", "", "0b", "Rw"])
def test_what_is_no_tile(house, word):
    book = house(entry("bonus", f"points = 2\nwhen = 'all_tiles(\"{word}\")'"))
    assert mjscore.score(ONE_RUN, book).error.code == "no-such-tiles"


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


class TestFlags:
    HAND = "S: (123b) 456b 789b 11c 23c"
    POLE = '[[flag]]\nid = "pole"\ntitle = "The pole"\nsource = "House 2"\nfollows = ["claimed", "lost"]\n'
    CARRIED = entry("bonus", "points = 9\nwhen = 'flag(\"pole\")'")

    def test_of_a_rulebook(self, house):
        book = house(self.POLE + self.CARRIED)
        assert given(f"{self.HAND} <1c!pole", book)
        assert not given(f"{self.HAND} <1c", book)
        assert given(f"{self.HAND} !pole", book)
        error = mjscore.score(f"{self.HAND} +1c!pole", book).error
        assert (error.code, error.column) == ("flag-follows", 32)
        assert error.message == "!pole goes with a tile that was claimed or a hand that did not win"

    def test_which_there_is_not(self, house):
        error = mjscore.score(f"{self.HAND} <1c!pole", "harr").error
        assert (error.code, error.column, error.length) == ("unknown-flag", 32, 5)
        error = mjscore.score(f"{self.HAND} <1c!pol", house(self.POLE)).error
        assert error.hint == "did you mean !pole?"
        assert mjscore.score(f"{self.HAND} !lose", "harr").error.code == "unknown-flag"
        assert mjscore.score(ONE_RUN, house(self.CARRIED)).error.code == "unknown-entry"

    def test_of_every_rulebook(self, house):
        for ending in ("<1c!call", "+1c!call", "!call"):
            assert mjscore.score(f"{self.HAND} {ending}", "harr").error is None
        assert str(mjscore.score(f"{self.HAND} !call").hand).endswith("!call")
        assert mjscore.score(f"{self.HAND} <1c!last", "harr").error.code == "last-discard"
        # the last tile of the wall is another thing than the last discard
        both = house(
            entry("double", 'doubles = 1\nwhen = "last_discard"')
            + entry("bonus", 'points = 9\nwhen = "last"', "last")
        )
        assert not given(f"{self.HAND} <1c!last", both, "last")
        assert given(f"{self.HAND} +1c!last", both, "last")


class TestShapes:
    @table
    def test_across_suits_and_runs(self, house, tiles, has, nearly):
        book = house(entry("shape", f'tiles = "{tiles}"\npoints = 999999'))
        sheet = mjscore.score(has, book)
        assert sheet.error is None, sheet.error
        assert sheet.special == "new"
        assert mjscore.score(nearly, book).special is None

    def test_counted_where_that_is_more(self, house):
        dragons = "E: EE SS WwWw NN RR GG Wd +Wd"
        twins = 'tiles = "7 pairs"\npoints = 5'
        assert mjscore.score(dragons, house(entry("shape", twins))).score == 5
        sheet = mjscore.score(dragons, house(entry("shape", f"{twins}\ncounts = true")))
        assert sheet.score > 5
        assert sheet.score == sheet.counted
        assert [(claim.rule, claim.points) for claim in sheet.claims] == [("new", 5)]
        dear = house(entry("shape", 'tiles = "7 pairs"\npoints = 50000\ncounts = true'))
        assert mjscore.score(dragons, dear).score == 50000

    def test_in_place_of_counting(self, house):
        hand = "S: (RRR) [GGGG] 111b 99c SS"
        limit = 'points = 5\nwhen = "pungs(dragon) == 2"'
        counted = mjscore.score(hand, "babcock").score
        assert mjscore.score(hand, house(entry("limit", limit), "babcock")).score == counted > 5
        sheet = mjscore.score(hand, house(entry("limit", f"{limit}\ninstead = true"), "babcock"))
        assert (sheet.score, sheet.score_set_by) == (5, "new")

    FLOWERS = entry("bonus", 'points = 4\ntimes = "bonus_tiles"\nbonus_tiles = true', "flower") + entry(
        "double", 'doubles = 1\nwhen = "own_bonus >= 1"\nbonus_tiles = true', "own"
    )

    def test_bonus_tiles_are_added(self, house):
        hand = "N@E: EE SS 11b 99c RR GG Wd 4f 2s +Wd"
        twins = 'tiles = "7 pairs(head)"\nof_limit = "1/2"'
        limit = {"limit": 1000}
        plain = house(self.FLOWERS + entry("shape", twins), "babcock")
        sheet = mjscore.score(hand, plain, options=limit)
        assert (sheet.score, sheet.points, sheet.items, sheet.doubling) == (500, 0, (), ())
        added = house(self.FLOWERS + entry("shape", f"{twins}\nbonus_tiles = true"), "babcock")
        sheet = mjscore.score(hand, added, options=limit)
        assert (sheet.score, sheet.points, sheet.doubles) == (516, 8, 1)
        assert sheet.claims[0].title == "New, and 16 for bonus tiles"
        assert mjscore.score(hand, added, options={"limit": 20}).score == 20

    @pytest.mark.parametrize(
        ("says", "claim"), [("", ("New", 500)), ("bonus_tiles = true", ("New, and 16 for bonus tiles", 516))]
    )
    def test_bonus_tiles_are_added_to_a_limit_hand_that_says_so(self, house, says, claim):
        hand = "N@E: (RRR)(GGG) 123b 456c 9d 4f 2s <9d"
        book = house(
            self.FLOWERS + entry("limit", f'points = 500\nwhen = "pungs(dragon) == 2"\n{says}'), "babcock"
        )
        sheet = mjscore.score(hand, book, options={"limit": 1000})
        assert [(one.title, one.points) for one in sheet.claims] == [claim]

    def test_the_points_with_doubles_of_their_own(self, house):
        hand = "E@E: [9999c] 333c 666c 22c 55c 1f 2s <2c"
        purity = 'when = "one_suit and chows == 0"\ndoubles = 3\nbonus_tiles = true'
        book = house(self.FLOWERS + entry("limit", purity), "babcock")
        sheet = mjscore.score(hand, book, options={"limit": 100000})
        (claim,) = [claim for claim in sheet.claims if claim.rule == "new"]
        assert claim.points == (sheet.points - 8) * 8 + 16
        # without bonus tiles there is nothing to add, and where they count as all else, nothing apart
        sheet = mjscore.score(hand.replace("1f 2s ", ""), book, options={"limit": 100000})
        assert ("New", sheet.points * 8) in [(claim.title, claim.points) for claim in sheet.claims]
        as_all_else = house(
            self.FLOWERS + entry("limit", purity.replace("bonus_tiles = true", "")), "babcock"
        )
        sheet = mjscore.score(hand, as_all_else, options={"limit": 100000})
        assert ("New", sheet.points * 8) in [(claim.title, claim.points) for claim in sheet.claims]

    def test_the_card(self, house):
        from mjscore.page.cards import show_rulebook
        from mjscore.page.text import Style

        text = entry("shape", 'tiles = "7 pairs"\nof_limit = "1/2"\ncounts = true\nbonus_tiles = true')
        text += entry("limit", 'doubles = 3\nwhen = "one_suit"\ninstead = true', "pure")
        card = show_rulebook(bind(house(text, "babcock")), Style(100))
        assert "1/2 limit (150) or counted + bonus tiles" in card
        assert "points ×8, not counted" in card

    def test_one_worth(self, house):
        for body in ('tiles = "7 pairs"', 'tiles = "7 pairs"\npoints = 5\nof_limit = "1"'):
            assert mjscore.score(ONE_RUN, house(entry("shape", body))).error.code == "one-worth"

    @pytest.mark.parametrize(
        "tiles", ["7 pairs(dragon)", "11111b 9 singles", "4 kongs(dragon)", "5 pungs(dragon) pair"]
    )
    def test_no_such_tiles(self, house, tiles):
        error = mjscore.score(ONE_RUN, house(entry("shape", f'tiles = "{tiles}"\npoints = 5'))).error
        assert error.code in ("impossible-shape", "bad-shape")

    def test_the_bad_word(self, house):
        error = mjscore.score(ONE_RUN, house(entry("shape", 'tiles = "7 twinz(head)"\npoints = 5'))).error
        assert (error.code, error.column, error.length) == ("bad-shape", 12, 5)
        assert "'twinz' is no part of a shape" in error.message


def nets(text: str) -> dict[str, int]:
    (checked,) = Reader("x", Context()).check(blocks(lines_of(text)))
    assert not checked.refusals, checked.refusals
    return dict(checked.outcome.net)


class TestPenaltiesAndSettling:
    def misnamed(self, more: str = "") -> str:
        return entry("settle", f'rule = "penalty"\npoints = 60\n{more}', "misnamed")

    def line(self, book: str, line: str) -> dict[str, int]:
        return nets(f"rulebook {book}\n{line}\n")

    def test_who_pays_whom(self, house):
        each = house(self.misnamed("east_doubled = false"))
        assert self.line(each, "penalty misnamed W") == {"E": 60, "S": 60, "W": -180, "N": 60}
        doubled = house(self.misnamed())
        assert self.line(doubled, "penalty misnamed W") == {"E": 120, "S": 60, "W": -240, "N": 60}
        shared = house(self.misnamed('paid = "shared"\neast_doubled = false'))
        assert self.line(shared, "penalty misnamed W") == {"E": 20, "S": 20, "W": -60, "N": 20}
        assert self.line(shared, "penalty misnamed W N") == {"E": 30, "S": 30, "W": -30, "N": -30}
        named = house(self.misnamed('paid = "named"'))
        assert self.line(named, "penalty misnamed W N") == {"E": 0, "S": 0, "W": -60, "N": 60}

    def test_what_cannot_be(self, house):
        book = house(self.misnamed('paid = "named"'))
        for line, code in (
            ("penalty misnamed W", "penalty-players"),
            ("penalty misnamd W N", "no-penalty"),
            ("penalty misnamed W W", "pays-himself"),
        ):
            (checked,) = Reader("x", Context()).check(blocks(lines_of(f"rulebook {book}\n{line}\n")))
            assert [refusal.code for refusal in checked.refusals] == [code]

    def test_a_false_win(self, house):
        false = 'rule = "false-win"\npoints = 300\npaid = "shared"\neast_doubled = false'
        assert self.line(house(entry("settle", false)), "false S") == {
            "E": 100,
            "S": -300,
            "W": 100,
            "N": 100,
        }

    def test_the_discarder_alone(self, house):
        book = bind(house(entry("settle", 'rule = "discarder-alone"\nfactor = 2')))
        scores = {"E": 10, "S": 40, "W": 10, "N": 10}
        assert mjscore.settle(scores, "S", book, discarder="W").net == {"E": 0, "S": 80, "W": -80, "N": 0}
        assert mjscore.settle(scores, "S", book, drawn=True).net == {"E": -80, "S": 160, "W": -40, "N": -40}
        assert mjscore.settle(scores, "S", book).error.code == "who-discarded"

    def test_only_the_winner_is_paid_and_nobody_double(self, house):
        book = bind(house('drop = ["losers-settle", "east-double"]\n'))
        scores = {"E": 100, "S": 40, "W": 10, "N": 10}
        assert mjscore.settle(scores, "S", book).net == {"E": -40, "S": 120, "W": -40, "N": -40}


class TestMistakes:
    @table
    def test_what_is_refused(self, house, body, code, says):
        error = mjscore.score(ONE_RUN, house(body.replace("WHO", 'id = "new"\ntitle = "New"') + "\n")).error
        assert error.code == code, error.render()
        assert says in error.render()
        assert error.line > 3

    def test_what_can_hold(self, house):
        for when in (
            "chows == 4",
            "drawn or claimed",
            "won and not drawn",
            "not won and kongs == 1",
            "pairs == 7",
        ):
            assert mjscore.score(ONE_RUN, house(entry("bonus", f'points = 5\nwhen = "{when}"'))).error is None
        limited = entry("limit", 'of_limit = "2/5"\nwhen = "won"')
        assert mjscore.score(ONE_RUN, house(limited, "harr-limit")).error is None
        assert mjscore.score(ONE_RUN, house(f"[options]\nlimit = 500\n{limited}")).error is None

    def test_a_special_hand_without_a_limit(self, house):
        book = house(entry("shape", 'tiles = "7 pairs"\nof_limit = "1/2"'), "babcock")
        assert mjscore.score(TWINS, book).score == 150
        error = mjscore.score(TWINS, book, options={"limit": "none"}).error
        assert error.message == "New: this hand is worth a part of the limit, and there is no limit"
        assert "no four sets" in mjscore.score(TWINS, "babcock").error.message

    def test_a_source_left_out(self, house):
        book = house('[[bonus]]\nid = "new"\ntitle = "New"\npoints = 3\n[change.loose-tile]\npoints = 8\n')
        assert [item.source for item in mjscore.score(ONE_RUN, book).items if item.rule == "new"] == ["House"]
        assert bind(book).entries["loose-tile"].source == "House"
