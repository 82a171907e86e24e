"""Results written out: as JSON, CSV or text, and counted."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

from mjscore.game.hand import TileSet
from mjscore.page.text import name_of, signed
from mjscore.record.checked import Checked, still_open
from mjscore.refusal import for_json, for_spreadsheet, visible, wrapped
from mjscore.scoring.sheet import Claim, Doubling, Item, ScoreSheet

CSV_COLUMNS = (
    "file",
    "line",
    "kind",
    "label",
    "rulebook",
    "seat",
    "round",
    "won",
    "score",
    "points",
    "doubles",
    "limit",
    "expected",
    "ok",
    "code",
    "message",
)


class Tally(NamedTuple):
    """How many results there were, how many do not hold, and the codes of what was refused.

    *open_hands* are hands under way; they are not among the tables. *compared* are the results of which the file says
    what is expected.
    """

    hands: int = 0
    tables: int = 0
    wrong: int = 0
    refused: int = 0
    codes: Mapping[str, int] = {}
    open_hands: int = 0
    compared: int = 0

    def plus(self, other: Tally) -> Tally:
        """Two tallies together."""
        return Tally(
            self.hands + other.hands,
            self.tables + other.tables,
            self.wrong + other.wrong,
            self.refused + other.refused,
            Counter(self.codes) + Counter(other.codes),
            self.open_hands + other.open_hands,
            self.compared + other.compared,
        )


class ChunkResult(NamedTuple):
    """The results of a chunk, written in the format asked for, and their tally."""

    text: str
    tally: Tally
    bytes_read: int


def rendered(results: Iterable[Checked], output: str, size: int) -> ChunkResult:
    """Results written in the format *output* and counted; *size* is how many bytes they were read from.

    ``text 60`` is text that wraps at so many columns.
    """
    form, _, columns = output.partition(" ")
    render = partial(as_text, width=int(columns)) if columns else RENDERERS[form]
    parts: list[str] = []
    hands = tables = wrong = refused = open_hands = compared = 0
    codes: Counter[str] = Counter()
    for checked in results:
        if checked.missing:
            open_hands += 1
        elif checked.kind == "hand":
            hands += 1
        elif checked.kind == "table":
            tables += 1
        compared += checked.expected is not None or checked.scores_expected
        if not checked.ok:
            wrong += 1
            refused += bool(checked.refusals)
            codes.update(refusal.code for refusal in checked.refusals)
            if not checked.refusals:
                codes["differs"] += 1
        text = render(checked)
        if text:
            parts.append(text)
    return ChunkResult(
        "".join(parts), Tally(hands, tables, wrong, refused, codes, open_hands, compared), size
    )


_encoder = json.JSONEncoder(ensure_ascii=False)
_quoted = json.encoder.encode_basestring


@lru_cache(maxsize=1 << 14)
def _fragment(part: Item | Doubling | Claim | TileSet) -> str:
    return _encoder.encode(part.as_json())


def _as_json(checked: Checked) -> str:
    """A result as a line of JSON: exactly what ``as_json`` of the result gives.

    Nearly all that a score sheet holds are the same few items and sets, so their text is kept and put
    together; the rest, and every other result, goes through the encoder.
    """
    sheet = checked.outcome
    if not isinstance(sheet, ScoreSheet) or checked.refusals or sheet.error is not None or checked.seats:
        return for_json(_encoder.encode(checked.as_json())) + "\n"
    expected = checked.expected
    line = (
        f'{{"rulebook": {_quoted(sheet.rulebook)}, "seat": "{sheet.seat}", "round": "{sheet.round}", '
        f'"won": {"true" if sheet.won else "false"}, "score": {sheet.score}, "points": {sheet.points}, '
        f'"doubles": {sheet.doubles}, "limit": {_quoted(sheet.score_set_by) if sheet.score_set_by else "null"}, '
        f'"sets": [{_fragments(sheet.sets)}], "items": [{_fragments(sheet.items)}], '
        f'"doubling": [{_fragments(sheet.doubling)}], "additions": [{_fragments(sheet.additions)}], '
        f'"claims": [{_fragments(sheet.claims)}], "counted": {sheet.counted}, "remarks": [{", ".join(map(_quoted, sheet.remarks))}], "error": null, '
        f'"file": {_quoted(checked.file)}, "line": {checked.line}, "label": {_quoted(checked.label) if checked.label is not None else "null"}, '
        f'"expected": {expected if type(expected) is int else "null" if expected is None else _encoder.encode(expected)}, "ok": {"true" if checked.ok else "false"}}}'
    )
    return for_json(line) + "\n"


def _fragments(parts: tuple[Any, ...]) -> str:
    return ", ".join(map(_fragment, parts)) if parts else ""


def _as_csv(checked: Checked) -> str:
    sheet = checked.outcome
    refusal = checked.refusals[0] if checked.refusals else None
    expected = (
        " ".join(f"{seat} {signed(points)}" for seat, points in checked.expected.items())
        if isinstance(checked.expected, Mapping)
        else checked.expected
    )
    figures: tuple[object, ...]
    if isinstance(sheet, ScoreSheet):
        figures = (
            sheet.rulebook,
            sheet.seat,
            sheet.round,
            None if sheet.won is None else _yes_or_no(sheet.won),
            sheet.score,
            sheet.points,
            sheet.doubles,
            sheet.score_set_by,
        )
    else:
        net = " ".join(f"{seat} {signed(points)}" for seat, points in sheet.net.items())
        figures = (sheet.rulebook, sheet.winner, None, None, net, None, None, None)
    stream = io.StringIO()
    cells = (
        checked.file,
        checked.line,
        checked.kind,
        checked.label or "",
        *figures,
        expected,
        _yes_or_no(checked.ok),
        refusal.code if refusal else "open" if checked.missing else "",
        refusal.message if refusal else "",
    )
    csv.writer(stream, lineterminator="\n").writerow(
        for_spreadsheet(cell) if isinstance(cell, str) else cell for cell in cells
    )
    return stream.getvalue()


def _yes_or_no(holds: bool) -> str:
    return "yes" if holds else "no"


def as_text(checked: Checked, width: int | None = None) -> str:
    """Nothing where all is well; else what does not hold, or that the hand is open, wrapped at *width* columns."""
    lines = []
    if checked.missing:
        lines.append(still_open(checked.file, checked.line, checked.missing))
    difference = "" if checked.ok else _difference(checked)
    if difference:
        label = f'"{visible(checked.label)}": ' if checked.label else ""
        lines.append(f"{visible(checked.file)}:{checked.line}: {label}{difference}")
        if isinstance(checked.outcome, ScoreSheet):
            lines.append(f"  {checked.line} | {visible(checked.text)}")
            lines += [] if checked.expected == "error" else [f"  {_sum_of(checked.outcome)}"]
    parts = [refusal.render(width) for refusal in checked.refusals]
    parts += [part for line in lines for part in wrapped(line, "    ", width)]
    return "".join(f"{part}\n" for part in parts)


def _difference(checked: Checked) -> str:
    """What was expected and what was computed, with its code; empty where that is the same, or refused."""
    outcome = checked.outcome
    if outcome.error is not None:
        return ""
    if isinstance(outcome, ScoreSheet):
        if checked.expected == "error":
            return f"expected to be refused, and it scores {outcome.score} [expected-error]"
        return f"{checked.expected} expected, {outcome.score} computed [expected-score]"
    expected = checked.expected if isinstance(checked.expected, Mapping) else {}
    wrong = [
        f"{name_of(seat, checked.seats)} {signed(points)} expected, {signed(outcome.net.get(seat, 0))} computed"
        for seat, points in expected.items()
        if outcome.net.get(seat) != points
    ]
    return f"{'; '.join(wrong)} [expected-net]" if wrong else ""


def _sum_of(sheet: ScoreSheet) -> str:
    points = " + ".join(f"{item.points} {item.title.lower()}" for item in sheet.items)
    doubles = "".join(f", ×{2**line.doubles} {line.title.lower()}" for line in sheet.doubling)
    limit = f"; set by {sheet.score_set_by}" if sheet.score_set_by else ""
    return f"{points or 'nothing counted'}{doubles}{limit}"


def _as_ascii_json(checked: Checked) -> str:
    """The same for an output that takes no other characters."""
    return for_json(json.dumps(checked.as_json())) + "\n"


RENDERERS: dict[str, Callable[[Checked], str]] = {
    "json": _as_json,
    "json-ascii": _as_ascii_json,
    "csv": _as_csv,
    "text": as_text,
    "summary": lambda checked: "",
}
