"""Input forms for events at a table besides hands: which the rules allow, what a filled form means."""

from collections.abc import Mapping, Sequence
from typing import Any

from mjscore.play.changes import Action
from mjscore.play.evening import Entry, EveningFile, record_of
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, NoteLine
from mjscore.refusal import escape_controls, refuse

_NOBODY = ("", "")  # a choice; the page has words for it


def _field(name: str, choices: Sequence[tuple[str, str]] = (), kind: str = "one") -> dict[str, Any]:
    """Return a field of a form; *kind* is ``one`` or ``some`` of its choices, a ``number``, or ``words``."""
    return {"name": name, "kind": kind, "choices": choices}


def _form(word: str, *fields: dict[str, Any], title: str = "") -> dict[str, Any]:
    """Return the form of an event: its *word*, its *title* if the rulebook names it, its fields."""
    return {"word": word, "fields": fields, "title": title}


def forms(evening: EveningFile) -> list[dict[str, Any]]:
    """Return the input forms for what the rulebook allows now: events, payments, changes of seats, notes."""
    rules, players = evening.state.book.settling, evening.position.players
    here, seated, away = (
        [(name, escape_controls(name)) for name in names]
        for names in (evening.playing.values(), players, (name for name, _ in evening.position.left))
    )
    who, anybody = _field("who", here), [*seated, *away]
    shown = [_form("draw"), _form("draw four")]
    shown += [_form("false", who)] * (rules.false_win is not None)
    shown += [_form("long", who)] * (rules.long_hand is not None)
    if rules.wash is not None:
        heads = [(str(count), f"{count}: {worth}") for count, worth in rules.wash.points_by_heads.items()]
        shown.append(_form("wash", who, _field("heads", heads + [("", "–")] * rules.wash.no_pair)))
    shown += [_form("wash not-touching", who)] * (rules.not_touching is not None)
    for name, rule in rules.penalty.items():
        fields = [who, _field("to", here)] if rule.paid == "named" else [_field("who", here, "some")]
        shown.append(_form(f"penalty {name}", *fields, title=f"{rule.title} ({rule.source})"))
    points = _field("points", kind="number")
    shown.append(_form("pay", _field("who", anybody), _field("to", anybody), points))
    shown.append(_form("seat", _field("comes", [*away, _NOBODY], "words"), _field("for", [*seated, _NOBODY])))
    shown += [_form("pool", who)] * bool(evening.state.occasion.counters)
    shown += [_form(word, _field("words", kind="words")) for word in ("label", "note")]
    return shown + [_form("drop")] * evening.hand.is_open


def filled_form(entry: Entry) -> tuple[str, dict[str, list[str]]]:
    """Return the word of the form that makes an entry, and the contents of its fields; empty for a hand."""
    record = record_of(entry.lines[0])
    if isinstance(record, NoteLine):
        return "note", {"words": [record.text]}
    if not isinstance(record, EventLine):
        return "", {}
    word, names, penalties = record.word, list(record.names), entry.state.book.settling.penalty
    number = ["" if record.number is None else str(record.number)]
    filled = {"who": names, "heads": number, "points": number}
    if word == "seat":
        filled = {"comes": names[:1], "for": names[1:]}
    elif word == "pay" or (word == "penalty" and penalties[record.rule].paid == "named"):
        filled |= {"who": names[:1], "to": names[1:]}
    return " ".join(filter(None, (word, record.rule, record.manner))), filled


def action_of(word: str, filled: Mapping[str, Sequence[str]]) -> Action:
    """Return the action that a filled form asks for. Raises Refused for an impossible number."""
    kind, _, rest = word.partition(" ")
    if kind not in EVENTS:
        return Action(kind, " ".join([*filled.get("words", ()), *filled.get("who", ())]).strip())
    fields = ("comes", "for") if kind == "seat" else ("who", "to")
    names = tuple(name.strip() for field in fields for name in filled.get(field, ()))
    number = next(iter(filled.get("points") or filled.get("heads") or ()), "")
    if number and not (number.isdecimal() and len(number) < 16):
        raise refuse("bad-line", "tapped", typed=number[:20])
    rule, manner = (rest, "") if kind == "penalty" else ("", rest)
    record = EventLine(kind, names, rule, int(number) if number else None, manner=manner)
    return Action("event", records=(record,))
