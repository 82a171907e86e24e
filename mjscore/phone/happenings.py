"""What else can happen at a table, as forms of a few buttons: which there are under its rules, and what a filled one says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mjscore.play.actions import Action
from mjscore.play.evening import Entry, Evening, record_of
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, NoteLine
from mjscore.refusal import escape_controls, refuse

_NOBODY = ("", "–")
Choices = Sequence[tuple[str, str]]


class Field(NamedTuple):
    """What a form asks: *name* says what, *kind* is ``one`` or ``some`` of its choices, a ``number``, or ``words``."""

    name: str
    kind: str = "one"
    choices: Choices = ()


class Form(NamedTuple):
    """Something that can happen: its *word*, which *title* explains where the rulebook has its own, and what it asks."""

    word: str
    fields: Sequence[Field] = ()
    title: str = ""


def forms(evening: Evening) -> list[Form]:
    """Return what can happen now under the rules of the evening."""
    rules, players = (
        evening.state.book.settling,
        [(name, escape_controls(name)) for name in evening.playing.values()],
    )
    away = [(name, escape_controls(name)) for name, _ in evening.position.left]
    seated = [(name, escape_controls(name)) for name in evening.position.players]
    who, points = Field("who", choices=players), Field("points", "number")
    found = [Form("draw"), Form("draw four")]
    found += [Form("false", [who])] * (rules.false_win is not None)
    found += [Form("long", [who])] * (rules.long_hand is not None)
    if rules.wash is not None:
        heads = [(str(count), f"{count}: {worth}") for count, worth in rules.wash.points_by_heads.items()]
        found.append(Form("wash", [who, Field("heads", choices=[*heads, *[_NOBODY] * rules.wash.no_pair])]))
    found += [Form("wash not-touching", [who])] * (rules.not_touching is not None)
    for name, rule in rules.penalty.items():
        asked = (
            [who, Field("to", choices=players)] if rule.paid == "named" else [Field("who", "some", players)]
        )
        found.append(Form(f"penalty {name}", asked, f"{rule.title} ({rule.source})"))
    anybody = [*seated, *away]
    found.append(Form("pay", [Field("who", choices=anybody), Field("to", choices=anybody), points]))
    comes = Field("comes", "words", [*away, _NOBODY])
    found += [Form("seat", [comes, Field("for", choices=[*seated, _NOBODY])])]
    found += [Form("pool", [who])] * bool(evening.state.occasion.counters)
    found += [Form(word, [Field("words", "words")]) for word in ("label", "note")]
    return found + [Form("drop")] * evening.hand.is_open


def said(entry: Entry) -> tuple[str, dict[str, list[str]]]:
    """Return the form that an entry filled, and with what; no form for a hand."""
    record = record_of(entry.lines[0])
    if isinstance(record, NoteLine):
        return "note", {"words": [record.text]}
    if not isinstance(record, EventLine):
        return "", {}
    word, names = record.word, list(record.names)
    filled = {"who": names, "points": ["" if record.number is None else str(record.number)]}
    if word == "seat":
        filled = {"comes": names[:1], "for": names[1:]}
    elif word == "wash":
        filled = {"who": names, "heads": filled["points"]}
    elif word == "pay" or (word == "penalty" and _is_to_one(entry, record)):
        filled |= {"who": names[:1], "to": names[1:]}
    return " ".join(filter(None, (word, record.rule, record.manner))), filled


def _is_to_one(entry: Entry, record: EventLine) -> bool:
    return entry.state.book.settling.penalty[record.rule].paid == "named"


def action_of(word: str, filled: Mapping[str, Sequence[str]]) -> Action:
    """Return what a form asks to be done. Raises Refused where it is not filled."""
    kind, _, rest = word.partition(" ")
    (words,), (number,) = (
        filled.get(name) or [""] for name in ("words", "points" if kind == "pay" else "heads")
    )
    if kind not in EVENTS:
        return Action(kind, words.strip() or " ".join(filled.get("who", ())))
    wanted = ("comes", "for") if kind == "seat" else ("who", "to")
    names = tuple(name.strip() for field in wanted for name in filled.get(field, ()))
    if number and not (number.isdecimal() and len(number) < 16):
        raise refuse("bad-line", "tapped", typed=number[:20])
    record = EventLine(kind, names, number=int(number) if number else None)
    record = record._replace(rule=rest) if kind == "penalty" else record._replace(manner=rest)
    return Action("event", records=(record,))
