"""Rulebooks and sets of counters that are no files, have no end, or are made to take long: refused at once."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

import pytest
from amounts import in_turn
from tables import table

from mjscore.api import score, waits
from mjscore.counters.counter_sets import load_counters
from mjscore.counters.exchange import exchange
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind

HEAD = 'id = "x"\ntitle = "x"\nsource = "s"\n'
LIMIT = 60  # seconds; one is what it takes at the most where nothing else runs


def counters(values) -> str:
    return HEAD + "".join(f'[[counter]]\ntitle = "t"\nvalue = {value}\neach = 8\n' for value in values)


def in_time(call):
    """What *call* returns or is refused with; fails where it does not end."""
    ended = []

    def run() -> None:
        try:
            ended.append(call())
        except Refused as refused:
            ended.append(refused.refusal)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LIMIT)
    assert ended, "it did not end"
    return ended[0]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def circle(path: Path) -> None:
    other = path.with_name("other.toml")
    path.symlink_to(other)
    other.symlink_to(path)


def large(path: Path) -> None:
    path.write_text("# counters\n" * 100_000)


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [pipe, endless, circle, large, folder])
@pytest.mark.parametrize("read", [bind, load_counters])
def test_what_is_no_file_of_a_page_or_two_is_refused(tmp_path, make, read):
    path = tmp_path / "odd.toml"
    make(path)
    refusal = in_time(lambda: read(str(path)))
    codes = ("no-rulebook", "large-rulebook") if read is bind else ("no-counters", "bad-counters")
    assert refusal.code in codes
    assert "odd.toml" in refusal.render()


@pytest.mark.parametrize(
    "text",
    [HEAD + "counter = [1, 2]\n", HEAD + "counter = []\n", HEAD + "counter = 1\n", counters(range(1, 150))],
)
def test_counters_that_are_none_or_too_many_are_refused(tmp_path, text):
    path = tmp_path / "c.toml"
    path.write_text(text)
    assert in_time(lambda: load_counters(str(path))).code == "bad-counters"


@pytest.mark.parametrize(
    "values",
    [(211, 223, 227, 229, 233, 239, 241, 251), tuple(range(101, 121)), (999983, 999979, 999961, 7, 5, 3, 2)],
)
def test_odd_values_are_answered_or_refused_in_time(tmp_path, values):
    path = tmp_path / "c.toml"
    path.write_text(counters(values))
    chosen = load_counters(str(path))
    holdings = chosen.starting("ESWN")
    for bank in in_turn((False, True), len(values), 2):
        done = in_time(
            lambda bank=bank: exchange(chosen, holdings, {"E": 1341, "S": -64, "W": -997, "N": -280}, bank)
        )
        assert done.transfers or done.problem


@pytest.mark.parametrize("filling", [" ", "x ", "[", "[ ", "[[", "] ", '"', "]#", "\t", "a.", "\x0b"])
def test_a_title_made_to_be_slow_is_not(tmp_path, filling):
    path = tmp_path / "slow.toml"
    line = "[" + filling * (100_000 // len(filling)) + "x"
    path.write_text(
        f'id = "x"\ntitle = "x"\nextends = "harr"\n[[double]]\nid = "k"\ntitle = \'\'\'\n{line}\n\'\'\'\n'
        'source = "s"\nwrong = 1\n'
    )
    refusal = in_time(lambda: bind(str(path)))
    assert refusal.code in ("unknown-key", "bad-toml")


NUMBER = 'id = "x"\ntitle = "x"\nextends = "babcock"\n[[limit]]\nid = "a"\ntitle = "a"\nwhen = "won"\n'


@table
def test_numbers_and_depth_are_bounded(tmp_path, line, code):
    line = re.sub(r"\{(.+?) x ([0-9]+)\}", lambda many: many[1] * int(many[2]), line)
    path = tmp_path / "odd.toml"
    path.write_text(NUMBER + line + "\n")
    refusal = in_time(lambda: bind(str(path)))
    assert (refusal.code, refusal.line) == (code, 8), refusal.render()


def test_an_option_of_many_digits_is_refused(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text('id = "x"\ntitle = "x"\nextends = "harr"\noptions = { limit = 0x' + "f" * 6000 + " }\n")
    assert in_time(lambda: bind(str(path))).code == "bad-toml"


def test_chains_and_circles_of_extends_are_called_that(tmp_path):
    for number in range(975):
        head = f'id = "x"\ntitle = "x"\nextends = "c{number + 1}.toml"\n'
        (tmp_path / f"c{number}.toml").write_text(head)
    refusal = in_time(lambda: bind(str(tmp_path / "c0.toml")))
    assert (refusal.code, refusal.line) == ("extends-cycle", 3)
    assert "a chain of more than" in refusal.message
    # a folder that is a link to itself makes ever new names of one file
    (tmp_path / "down").symlink_to(".")
    (tmp_path / "same.toml").write_text('id = "x"\ntitle = "x"\nextends = "down/same.toml"\n')
    refusal = in_time(lambda: bind(str(tmp_path / "same.toml")))
    assert "in a circle: same → same" in refusal.message
    circle(tmp_path / "link.toml")
    assert "in a circle" in in_time(lambda: bind(str(tmp_path / "link.toml"))).message
    (tmp_path / "on.toml").write_text('id = "x"\ntitle = "x"\nextends = "link.toml"\n')
    refusal = in_time(lambda: bind(str(tmp_path / "on.toml")))
    assert (refusal.code, "in a circle" in refusal.hint) == ("extends-nothing", True), refusal.render()


@pytest.mark.parametrize("name", ["/etc/passwd", "secret.toml"])
def test_the_text_of_a_file_that_is_no_rulebook_is_not_shown(tmp_path, name):
    (tmp_path / "secret.toml").write_text("root:x:0:0:secret\n")
    path = tmp_path / "odd.toml"
    path.write_text(f'id = "x"\ntitle = "x"\nextends = "{name}"\n')
    refusal = in_time(lambda: bind(str(path)))
    assert refusal.code == "extends-nothing"
    assert "root:" not in refusal.render()
    assert "root:" not in in_time(lambda: bind("/etc/passwd")).render()


SHAPE = (
    'id = "s"\ntitle = "s"\nextends = "babcock"\n[[shape]]\nid = "x"\ntitle = "x"\npoints = 9\ntiles = "{}"\n'
)


@table
def test_a_shape_made_to_be_slow_is_not(tmp_path, tiles, code):
    path = tmp_path / "slow.toml"
    path.write_text(SHAPE.format(tiles))
    found = in_time(lambda: score("E: 1122334455667b <8b", bind(str(path))))
    assert getattr(found, "code", None) == code


def test_waits_of_a_shape_of_several_kinds_come_in_time(tmp_path):
    path = tmp_path / "slow.toml"
    path.write_text(SHAPE.format("9 singles 5 singles(x)"))
    assert len(in_time(lambda: waits("112233b 112233c 1d", bind(str(path)))).waits) == 34
