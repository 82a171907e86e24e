"""Whatever bytes come in: a result or a refusal goes out, soon, and nothing raw reaches the terminal."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mjscore
from mjscore.batch import check_files
from mjscore.checking import Context, Reader
from mjscore.command_line import cli
from mjscore.table_file import groups, lines_of, read_lines

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(Path(__file__).parent / "fuzz"))

import fuzz_command_line  # noqa: E402
import fuzz_files  # noqa: E402
import fuzz_notation  # noqa: E402
import fuzz_rulebooks  # noqa: E402
from mutation import CORPUS, mutated, seeds_of, visible_only  # noqa: E402

TARGETS = {one.NAME: one for one in (fuzz_notation, fuzz_files, fuzz_rulebooks, fuzz_command_line)}
HAND = "(123b) (456c) 22d 789b 11c <2d = 22\n"
ESCAPE, REVERSE, BELL = "\x1b[31m", "\u202e", "\x07"


def codes(text: str) -> list[str]:
    found = Reader("x.mj", Context()).check(groups(lines_of(text)))
    return [refusal.code for one in found for refusal in one.refusals]


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*-*")), ids=lambda path: path.name)
def test_what_fuzzing_found_stays_mended(path):
    TARGETS[path.name.partition("-")[0]].target(path.read_bytes())


@pytest.mark.parametrize(
    ("name", "inputs"), [("notation", 400), ("table", 250), ("rulebook", 150), ("command", 80)]
)
def test_mutated_samples(name, inputs):
    chance = random.Random(20)
    seeds = seeds_of(name, TARGETS[name].seeds())
    for _ in range(inputs):
        data = mutated(chance, seeds)
        try:
            TARGETS[name].target(data)
        except Exception as error:
            error.add_note(f"input: {data!r}")
            raise


QUIET = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@QUIET
@given(st.binary(max_size=300))
def test_raw_bytes_as_a_file(data):
    fuzz_files.target(data)


@QUIET
@given(st.binary(max_size=200))
def test_raw_bytes_as_a_rulebook(data):
    fuzz_rulebooks.target(data)


@QUIET
@given(st.text(max_size=60))
def test_any_text_as_a_hand(text):
    fuzz_notation.target(text.encode("utf-8", "surrogatepass"))


@QUIET
@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_text_as_arguments(words):
    fuzz_command_line.target("\n".join(words).encode("utf-8", "surrogatepass"))


# ------------------------------------------------------------------ large and deep


class Endless:
    """A stream that gives one byte again and again; nothing is held."""

    def __init__(self, byte: bytes, size: int) -> None:
        self.byte = byte
        self.left = size

    def readline(self, size: int = -1, /) -> bytes:
        given = min(self.left, size)
        self.left -= given
        return self.byte * given


@pytest.mark.parametrize("byte", [b"1", b"\x00", b" ", b"#", b"\xff", b"("])
def test_a_line_of_twenty_megabytes(byte):
    tracemalloc.start()
    try:
        (one,) = Reader("x.mj", Context()).check(groups(read_lines(Endless(byte, 20_000_000), "x.mj")))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert one.refusals[0].code == "long-line"
    visible_only(one.refusals[0].render())
    assert peak < 2_000_000


@pytest.mark.parametrize("line", [b"# a comment\n", b"\n", b"  S: 3\n", b"note of the evening\n"])
def test_a_file_of_one_sort_of_lines_is_not_held(tmp_path, line):
    """Lines that give no result, or that belong to no block, must not gather in memory."""
    path = tmp_path / "many.mj"
    peaks = []
    for times in (3_000, 30_000):
        path.write_bytes(line * times)
        tracemalloc.start()
        for _ in check_files([str(path)], Context(), "summary"):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 600_000


def test_twenty_thousand_errors_one_after_another(tmp_path):
    path = tmp_path / "bad.mj"
    path.write_text("1x nonsense\n" * 20_000)
    found = list(check_files([str(path)], Context(), "json"))
    assert sum(part.tally.refused for part in found) == 20_000
    last = json.loads(found[-1].text.splitlines()[-1])
    assert (last["line"], last["error"]["line"]) == (20_000, 20_000)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 4000 + "123b" + ")" * 4000,
        "[" * 4000,
        "1" * 9000 + "b",
        "E" * 9000,
        "EW" * 4000 + "d",
        "RGW" * 3000,
        "1b" * 4000,
        "... " * 2000,
        "!dead" * 1500,
        "+5d!" + "loose!" * 1400,
        "+" * 9000,
        "<5d:" + "S" * 8000,
        '"' + "a" * 9000,
        "S@" * 4000,
        "= " * 4000,
        "hand " * 1800,
        "players " + "A " * 4000,
        "set " + "a" * 9000 + " 3",
        "0" * 9000,
        "wash S: " + "1b" * 4000,
        "\U0001f004" * 2400,
        "\u0301" * 4000,
    ],
    ids=lambda text: ascii(text[:10]),
)
def test_long_and_deep_lines_are_refused_soon(text):
    began = time.perf_counter()
    found = list(Reader("x.mj", Context()).check(groups(lines_of(text + "\n" + HAND))))
    assert found[0].refusals
    assert found[-1].ok
    visible_only(found[0].refusals[0].render())
    assert len(found[0].refusals[0].render()) < 1500
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(
    "condition",
    [
        "(" * 3000 + "won" + ")" * 3000,
        "not " * 3000 + "won",
        " and ".join(["won"] * 3000),
        "chows == " + "9" * 5000,
        "pungs(" * 2000,
        "chows >= 0 == " * 900 + "1",
    ],
    ids=lambda text: text[:8],
)
def test_deep_conditions_are_refused_or_understood(tmp_path, condition):
    path = tmp_path / "deep.toml"
    path.write_text(
        'id = "deep"\ntitle = "Deep"\nbook = "Deep"\nextends = "harr"\n\n[[double]]\nid = "deep"\ntitle = "Deep"\n'
        f'doubles = 1\nwhen = "{condition}"\nsource = "Deep 1"\n'
    )
    began = time.perf_counter()
    sheet = mjscore.score(HAND.split("=")[0], str(path))
    assert time.perf_counter() - began < 5
    if sheet.error is not None:
        visible_only(sheet.error.render())
        assert sheet.error.file == str(path)
    else:
        assert sheet.score == 44


@pytest.mark.parametrize("number", ["9" * 16, "9" * 400, "1" + "0" * 9000])
@pytest.mark.parametrize(
    "text",
    [
        HAND.replace("22\n", "{}"),
        "hand\n  E: {} win\n  S: 1\n  W: 1\n  N: 1",
        "hand\n  E: 3 win doubles {}\n  S: 1\n  W: 1\n  N: 1",
        "hand\n  E: 3 win\n  S: 1\n  W: 1\n  N: 1\n  pays E +{}",
        "rulebook harr-limit\nwash S {}",
        "pay S E {}",
        "set limit {}",
    ],
)
def test_huge_numbers(text, number):
    assert codes(text.format(number))


@pytest.mark.parametrize("value", ["9" * 5000, "-1", "0", "1.5", "1e9", "٣", "inf", "", "none none"])
def test_limits_that_are_none(value):
    sheet = mjscore.score(HAND.split("=")[0], options={"limit": value})
    assert sheet.error is not None
    visible_only(sheet.error.render())


def test_numbers_of_a_rulebook_that_are_too_large(tmp_path):
    for key, value in (("points", "9" * 4000), ("points", "-1"), ("points", "1.5"), ("points", "nan")):
        path = tmp_path / f"{len(value)}{value[:2]}.toml"
        path.write_text(
            f'id = "h"\ntitle = "H"\nbook = "H"\nextends = "harr"\n\n[change.mah-jongg]\n{key} = {value}\n'
        )
        sheet = mjscore.score(HAND.split("=")[0], str(path))
        assert sheet.error is not None, value
        assert len(sheet.error.render()) < 2000


# ------------------------------------------------------------------ what is echoed

EVIL = f"""players "{ESCAPE}A" "{ESCAPE}A" C D
players "{ESCAPE}A" "{REVERSE}B" "{BELL}C" D
hand "{ESCAPE}x{REVERSE}"
  "{ESCAPE}A": 20 win
  "{REVERSE}B": 3
  "{BELL}C": 4
  D: 5
  note {ESCAPE}hello
  pays D 3 "{BELL}C" 4
hand
  Eve: 3
  east "{BELL}C"
hand
  "{ESCAPE}A": 3
  "{ESCAPE}A": 3 win from "{REVERSE}B"
false "{REVERSE}B"
pay "{BELL}C" "{BELL}C" 3
wash "{ESCAPE}A" 11
rulebook "{ESCAPE}"
set {ESCAPE} {REVERSE}
"""


@pytest.mark.parametrize("format", ["text", "json", "csv", "summary"])
@pytest.mark.parametrize("command", ["check", "settle"])
@pytest.mark.parametrize("part", ["all", "names", "line"])
def test_names_and_labels_are_never_echoed_raw(tmp_path, command, format, part):
    if command == "settle" and format in ("csv", "summary"):
        pytest.skip("settle has text and JSON")
    path = tmp_path / "evil.mj"
    lines = EVIL.splitlines(keepends=True)
    text = {"all": EVIL, "names": "".join(lines[1:]), "line": f'"{ESCAPE}{REVERSE}" 12x\n{BELL}\n'}[part]
    path.write_text(text, encoding="utf-8")
    # with color, click takes nothing out of what is printed
    result = CliRunner().invoke(cli, [command, str(path), "--format", format], color=True)
    assert result.exit_code == 1
    shown = result.output if format != "json" else result.stderr
    for raw in (ESCAPE, REVERSE, BELL):
        assert raw not in shown
    if format == "json":
        assert ESCAPE not in result.stdout  # JSON writes it as \u001b
        assert BELL not in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", f"123b {ESCAPE}"),
        ("score", "123b", "-r", f"{ESCAPE}{REVERSE}"),
        ("score", "123b", "-r", f"{ESCAPE}{REVERSE}.toml"),
        ("score", "123b", "-s", f"{ESCAPE}=3"),
        ("score", "123b", "-s", f"limit={ESCAPE}{REVERSE}"),
        ("waits", f"{REVERSE}{BELL}"),
        ("settle", f"{ESCAPE}=3"),
        ("settle", "E=480", f"S={REVERSE}", "--winner", "E"),
        ("settle", "E=480", "S=64", "W=272", "N=16", "--winner", f"{ESCAPE}{REVERSE}"),
        ("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E", "--counters", f"{ESCAPE}"),
        ("check", f"{ESCAPE}{REVERSE}"),
        ("rules", "show", f"{ESCAPE}"),
        ("rules", "diff", "harr", f"{REVERSE}"),
        (f"{ESCAPE}{REVERSE}",),
    ],
    ids=lambda words: ascii(" ".join(words)),
)
def test_arguments_are_never_echoed_raw(arguments):
    result = CliRunner().invoke(cli, arguments, color=True)
    assert result.exit_code == 2
    for raw in (ESCAPE, REVERSE, BELL):
        assert raw not in result.output


# ------------------------------------------------------------------ files of every sort


def program(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own; a traceback fails."""
    done = subprocess.run([sys.executable, "-m", "mjscore", *arguments], input=given, capture_output=True,
                          env={**os.environ, **environment}, cwd=ROOT, timeout=60, check=False)  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done


@pytest.fixture
def packed(tmp_path) -> dict[str, Path]:
    chance = random.Random(3)
    body = (
        HAND.encode() * 500 + b"# " + b"".join(b"%d " % chance.randrange(10**9) for _ in range(800)) + b"\n"
    )
    whole = gzip.compress(body, mtime=0)
    middle = len(whole) // 2
    spoiled = (
        whole[:middle] + bytes(byte ^ 0x5A for byte in whole[middle : middle + 40]) + whole[middle + 40 :]
    )
    contents = {
        "short": whole[:middle],
        "spoiled": spoiled,
        "wrong-sum": whole[:-8] + b"\x00" * 8,
        "head": whole[:2],
    }
    for name, data in contents.items():
        (tmp_path / f"{name}.mj.gz").write_bytes(data)
    return {name: tmp_path / f"{name}.mj.gz" for name in contents}


@pytest.mark.parametrize("name", ["short", "spoiled", "wrong-sum", "head"])
@pytest.mark.parametrize("command", [("check",), ("settle",), ("check", "--update")])
def test_damaged_gzip_is_refused(packed, tmp_path, name, command):
    target = tmp_path / "new.mj"
    more = [str(target)] if "--update" in command else []
    done = program(command[0], str(packed[name]), *command[1:], *more)
    assert done.returncode == 2
    assert b"Aborted" not in done.stderr
    assert b"gz" in done.stderr
    assert not target.exists()
    assert not list(tmp_path.glob(".mjscore-*"))


@pytest.mark.parametrize("command", ["score", "waits"])
def test_standard_input_that_is_no_text(command):
    done = program(command, "-", given=b"\xff\xfe\x00\x9b31m\n")
    assert done.returncode == 2
    assert b"\x9b" not in done.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252"])
def test_json_stays_json_in_any_encoding(tmp_path, encoding):
    path = tmp_path / "x.mj"
    path.write_text('"\u00e9 \u767c \U0001f004 \u202e" ' + HAND, encoding="utf-8")
    done = program("check", str(path), "--format", "json", PYTHONIOENCODING=encoding)
    found = json.loads(done.stdout.decode(encoding))
    assert found["label"] == "\u00e9 \u767c \U0001f004 \u202e"
    assert found["score"] == 22


def test_a_file_that_is_no_table():
    done = program("check", sys.executable, "--format", "summary")
    assert done.returncode == 1
    assert b"not-utf-8" in done.stdout


def test_a_mark_at_the_beginning_hides_no_rulebook(tmp_path):
    """A byte order mark before the first line's word; the file is longer than its first chunk."""
    path = tmp_path / "x.mj"
    hand = b"(567c) (789b) 34d 22b 234b +2d = 52\n"
    path.write_bytes(b"\xef\xbb\xbfrulebook babcock-chinese\nset mah-jongg 50\n" + 200 * hand)
    assert sum(part.tally.wrong for part in check_files([str(path)], Context())) == 0
    block = b"hand\n  Ann: 0\n  Ben: 20 win\n  Cid: 0\n  Dee: 0\n"
    path.write_bytes(b"\xef\xbb\xbfplayers Ann Ben Cid Dee\n" + 60 * block)
    assert sum(part.tally.wrong for part in check_files([str(path)], Context())) == 0


def test_a_refused_line_sets_nothing_for_later_chunks(tmp_path):
    path = tmp_path / "x.mj"
    hand = b"(RRR) (GGG) 123b 456b 7d <7d = 120\n"
    path.write_bytes(b"set limit 100 #" + b"x" * 20_000 + b"\n" + 200 * hand)
    assert sum(part.tally.wrong for part in check_files([str(path)], Context())) == 1


def test_streams_are_read_as_they_come():
    """Nothing waits for the end of the file: a line's result is there before the next lines are made."""
    made = 0

    def lines():
        nonlocal made
        for made in range(1, 1_000_000):
            yield made

    class Slow(io.RawIOBase):
        source = lines()

        def readline(self, size: int = -1, /) -> bytes:  # type: ignore[override]
            next(self.source)
            return HAND.encode()

    first = next(Reader("x", Context()).check(groups(read_lines(Slow()))))
    assert first.ok
    assert made <= 3
