"""Refusals of lines that the grammar of files cannot parse, because of the line itself or of its hand."""

import re
from typing import Any

from lark.exceptions import UnexpectedInput

from mjscore.notation.disambiguation import explained
from mjscore.notation.spoken import with_told_line
from mjscore.record.usages import USAGES
from mjscore.refusal import Place, Refusal, did_you_mean, escape_controls, offering, refuse

_OF_ROWS = {"pays": "pays N +1664 W +54 E -1200", "east": "east Ann"}
_WORD = re.compile(r"\s*([a-z]{3,}(?:-[a-z]+)*)\b")
_NAME = r"(?:\"[^\"\n]*\"|[^\s\"#:!=+<>()\[\],]+)"
_SCORED = re.compile(rf"\s*{_NAME}\s*:\s*([0-9]+)(?![0-9bcdfs])(?!\S)")
_HAND_IN = {
    "line": re.compile(r'(?P<before>(?:\s*"[^"\n]*")?)(?P<hand>[^"#=]*)(?P<after>(?:=\s*\w+\s*)?(?:#.*)?)'),
    "row": re.compile(rf"(?P<before>\s*{_NAME}\s*:)(?P<hand>[^#=]*)(?P<after>(?:=\s*\w+\s*)?(?:#.*)?)"),
}


def explain_line(text: str, unexpected: UnexpectedInput, start: str) -> Refusal:
    """Return the refusal of *text*, which the grammar could not parse as *start*, a ``line`` or ``row``."""
    word, usages = _WORD.match(text), {**USAGES, **_OF_ROWS}
    usage = f"write it as {usages[word[1]]}" if word and word[1] in usages else ""
    if getattr(getattr(unexpected, "token", None), "type", "") == "$END" or unexpected.pos_in_stream is None:
        return _unfinished(text, usage)
    position: int = unexpected.pos_in_stream
    return _of_its_line(text, position, start, usage) or _of_its_hand(text, position, start)


def _at(code: str, kind: str, text: str, start: int, end: int, **words: Any) -> Refusal:
    return refuse(code, kind, at=Place(text, start, max(start + 1, end)), **words).refusal


def _unfinished(text: str, usage: str) -> Refusal:
    end = len(text.rstrip())
    if re.fullmatch(r'\s*"[^"]*"\s*', text):
        return _at("stray-quote", "file", text, text.index('"'), end)
    comment = len(text.split("#")[0].rstrip())  # where the comment begins
    if text[:comment].endswith("="):
        return _at("bad-expected", "nothing", text, comment - 1, comment)
    usage = usage or "a seat is followed by its hand, its score or dead"
    return _at("unfinished-line", "file", text, max(0, end - 1), end, usage=usage)


def _of_its_line(text: str, position: int, start: str, usage: str) -> Refusal | None:
    """Return the refusal of a mistake outside the hand, if there is one."""
    word, scored = _WORD.match(text), _SCORED.match(text)
    comment = len(text.split("#")[0].rstrip())  # where the comment begins
    if usage and word and position >= word.end() and word[1] != "wash":
        excerpt = escape_controls(text[position:comment][:40])
        return _at("bad-line", "word", text, position, comment, word=word[1], said=excerpt, usage=usage)
    expected = _of_what_is_expected(text, position, comment)
    if expected is not None:
        return expected
    if scored and start == "line":
        return _at("score-alone", "", text, *scored.span(1), said=escape_controls(scored[0].strip()))
    if scored and position > scored.end():
        behind = len(text) - len(text[scored.end() :].lstrip())
        excerpt = escape_controls(text[behind:comment].strip()[:40])
        return _at("bad-line", "behind", text, behind, comment, said=excerpt)
    if word and word[1] in USAGES and start == "row" and word[1] != "note":
        return _at("indented", "", text, *word.span(1), word=word[1])
    if word and position < word.end(1) and re.match(r"\s|$|[^a-z\s]", text[word.end(1) :]):
        known = [*USAGES, "pays"] if start == "row" else list(USAGES)
        near = did_you_mean(word[1], known, "a line is a hand, or begins with " + ", ".join(known))
        return _at("unknown-line", "", text, *word.span(1), word=word[1], near=near)
    if start == "row" and ":" not in text:
        return _at("row-without-seat", "", text, position, len(text))
    return None


def _of_what_is_expected(text: str, position: int, comment: int) -> Refusal | None:
    """Return the refusal of the expected score before *comment* if parsing failed at its equals sign, else None."""
    equals = re.compile(r"=\s*").search(text, len(text[:position].rstrip(" \t=")))
    if not equals or not equals.start() <= position <= equals.end():
        return None
    end = comment if text[equals.end() : comment] else equals.start()
    excerpt = escape_controls(text[equals.start() : end].strip()[:40])
    return _at("bad-expected", "figure" if excerpt else "nothing", text, equals.start(), end, said=excerpt)


def _of_its_hand(text: str, position: int, start: str) -> Refusal:
    """Return the refusal of the hand in a line, offering whole lines to type instead."""
    around = _HAND_IN[start].fullmatch(text)
    first = around.start("hand") if around else 0
    hand = around["hand"] if around else text
    refusal = with_told_line(explained(hand.rstrip() or hand, position - first), hand)
    column = min((refusal.column or 1) + first, max(1, len(text)))
    refusal = refusal._replace(line=1, column=column, text=text)
    if not refusal.lines or around is None:
        return refusal
    before, after = around["before"].strip(), around["after"].strip()
    return offering(refusal, tuple(f"{before} {line} {after}".strip() for line in refusal.lines))
