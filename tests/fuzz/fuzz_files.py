"""Files of any bytes. Run it longer with: python tests/fuzz/fuzz_files.py --seconds 600"""

from __future__ import annotations

import io
import json
import tempfile

from mutation import SAMPLES, main, visible_only

from mjscore import batch
from mjscore.checking import Context, Reader
from mjscore.settlement import Settlement
from mjscore.show import Style, show_settlement, show_sheet
from mjscore.table_file import groups, read_lines

NAME = "table"
HAND = "(123b) (456c) 22d 789b 11c <2d = 22"
EVENINGS = [
    "rulebook babcock-chinese\nset nine-wins on\nset nine-mummies on\nset long-hand-pays-limit on\nplayers Ann Ben Cid Dee\n"
    "hand @E\n  Ann: 22 win\n  Ben: 3\n  Cid: dead\n  Dee: (RRR) ...\n  east Ann\ndraw four\nwash Ben 11\nlong Cid\n"
    "false Dee\npay Ann Ben 20\n  note why\nhand\n  S: (RRR) 123b 456b 789b 5d <5d:Ann!earlier:Ben = 52\n  N: 0\n  E: 3\n  W: 1\n",
    'rulebook babcock\nset players 5\nplayers A B "C D" F G\nhand\n  A: 40 win drawn doubles 1\n  B: 3\n  "C D": 1\n  F: 0\n'
    "  pays E +360\nhand\n  N: (RRR) 123b 456b 789b 5d +5d\n  E: 3\n  S: dead\n  W: 11\npay X E 3\n",
    "rulebook babcock\nset players 2\nplayers A B\nhand\n  A: 80 win doubles 2\n  B: 5\ndraw\nhand\n  A: 1\n  B: 80 win from A ninth\n",
    "rulebook babcock\nset players 3\nplayers A B C\nhand\n  A: 80 win\n  B: 5\n  C: 6\nset players 4\ndraw\nhand\n  E: 1\n  S: 2 win\n",
    "rulebook harr-limit\nset mah-jongg 20\nround S\nwash E: 19b19c19d ESWNw RGWd 5b\nfalse W\nrulebook nothing\n"
    + HAND
    + "\nset limit 3\nrulebook harr\n"
    + HAND
    + '\nplayers A B C D\nrules 0123456789ab\n"x" 123 = error\nhand "y" @S\n  E: 3 win\n',
]  # fmt: skip


def target(data: bytes) -> None:
    """Every line gives results or refusals that can be shown; chunks give what one reading gives."""
    plain = []
    reader = Reader("x.mj", Context(folder=str(SAMPLES)))
    for one in reader.check(groups(read_lines(io.BytesIO(data), "x.mj"))):
        plain.append(json.loads(json.dumps(one.as_json())))
        visible_only(batch.RENDERERS["text"](one))
        visible_only(batch.RENDERERS["csv"](one).replace("\r\n", "\n"))
        for refusal in one.refusals:
            visible_only(refusal.render())
            assert refusal.line is not None
            assert "None" not in refusal.message
        assert one.ok or one.refusals or one.expected is not None
        if one.outcome.error is None:
            assert isinstance(one.outcome, Settlement) or one.outcome.score is not None
        if isinstance(one.outcome, Settlement):
            assert sum(one.outcome.net.values()) == 0
            if one.outcome.error is None:
                visible_only(show_settlement(one.outcome, one.seats, Style(80, False)))
        elif one.outcome.error is None:
            context = Context(one.rulebook, one.settings, folder=str(SAMPLES))
            visible_only(show_sheet(one.outcome, context.book(), Style(80, False), ""))
        if one.after is not None:
            assert sum(one.after.totals) == 0
    with tempfile.NamedTemporaryFile(suffix=".mj") as file:
        if data[:2] == b"\x1f\x8b":
            return  # it would be unpacked
        file.write(data)
        file.flush()
        sizes = batch.FIRST_CHUNK, batch.LINES
        batch.FIRST_CHUNK, batch.LINES = 2, 3  # so that most files are cut
        try:
            parts = batch.check_files([file.name], Context(folder=str(SAMPLES)), "json")
            found = [json.loads(line) for part in parts for line in part.text.splitlines()]
        finally:
            batch.FIRST_CHUNK, batch.LINES = sizes
        for one in found:
            one["file"] = "x.mj"
        assert found == plain, next(
            ((one, other) for one, other in zip(found, plain, strict=False) if one != other), "other length"
        )


def seeds() -> list[bytes]:
    """The samples, and evenings with every kind of line."""
    found = [path.read_bytes() for path in sorted(SAMPLES.glob("*.mj"))]
    # pieces are quicker to go through than whole samples
    pieces = [piece for one in found for piece in one.split(b"\n\n") if b":" in piece]
    return [*pieces, *(text.encode() for text in EVENINGS)]


if __name__ == "__main__":
    main(NAME, target, seeds())
