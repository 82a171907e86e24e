"""What a rulebook file says: entries with their places, options and their values, conditions parsed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mjscore.refusal import Refusal, Refused, did_you_mean, refuse
from mjscore.rulebook.conditions import Node, parse_condition
from mjscore.rulebook.toml_places import Document, place_of

RULEBOOKS = ("harr", "harr-limit", "babcock", "babcock-chinese")

OptionValue = bool | int | str | None


class Entry(NamedTuple):
    """One entry of a rulebook as its file has it: section, data, and where it stands."""

    section: str
    data: Mapping[str, Any]
    document: Document
    place: int | None
    changed: bool = False

    @property
    def id(self) -> str:
        """The entry's name."""
        return str(self.data["id"])

    @property
    def title(self) -> str:
        """What it is called on a score sheet."""
        return str(self.data["title"])

    @property
    def source(self) -> str:
        """Book and page."""
        return str(self.data["source"])


class RulebookText(NamedTuple):
    """A rulebook read and joined with those it extends, its options not yet settled."""

    id: str
    title: str
    book: str
    entries: Mapping[str, Entry]
    options: Mapping[str, Entry]
    defaults: Mapping[str, Any]
    lineage: tuple[str, ...]
    path: str


def parsed(entry: Entry, key: str) -> Node:
    """The condition that an entry has under *key*; raises Refused with its place in the file."""
    text = str(entry.data[key])
    try:
        return _parsed(text)
    except Refused as refused:
        raise Refused(placed(entry, key, refused.refusal)) from None


# conditions parsed so far, by their text
_PARSED: dict[str, Node] = {}
_MOST_PARSED = 4096


def _parsed(text: str) -> Node:
    node = _PARSED.get(text)
    if node is None:
        node = parse_condition(text)
        if len(_PARSED) < _MOST_PARSED:
            _PARSED[text] = node
    return node


def remember_parsed(conditions: Mapping[str, Node]) -> None:
    """Takes over conditions that were parsed before, by their text."""
    _PARSED.update(conditions)


def placed(entry: Entry, key: str, refusal: Refusal) -> Refusal:
    """*refusal* with the place of an entry's *key* in its file added."""
    line, column, text = place_of(entry.document, entry.section, entry.place, key)
    inside = refusal.column - 1 if refusal.column else 0
    value = text.find('"', column - 1)
    apostrophe = text.find("'", column - 1)
    quote = min((place for place in (value, apostrophe) if place >= 0), default=-1)
    start = quote + 2 + inside if quote >= 0 and key in text[: quote + 1] else column
    return refusal._replace(
        file=entry.document.path, line=line, column=start, length=refusal.length, text=text
    )


def option_value(entry: Entry, value: Any) -> OptionValue:
    """*value* (a text, or as TOML has it) as a value of the option; raises Refused for no such value."""
    kind = entry.data["kind"]
    text = str(value).strip().lower()
    if kind == "flag":
        if text in ("on", "true", "yes", "1"):
            return True
        if text in ("off", "false", "no", "0"):
            return False
        choices = ["on", "off"]
    elif kind == "group":
        if text in ("all", "none"):
            return text
        choices = ["all", "none"]
    elif kind == "limit":
        if text == "none":
            return None
        if text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text) > 0:
            return int(text)
        choices = ["a whole number of points", "none"]
    else:
        choices = [str(choice) for choice in entry.data["choices"]]
        if text in choices:
            return int(text) if kind == "number" else text
    raise refuse(
        "option-value",
        f"{entry.id} cannot be {str(value)[:40]!r}",
        f"it is {', '.join(choices[:-1])} or {choices[-1]}" if len(choices) > 1 else f"it is {choices[0]}",
    )


def settled_options(text: RulebookText, settings: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Every option's value under *settings*; raises Refused for an option or a value that there is not."""
    chosen: dict[str, OptionValue] = {}
    for name, value in settings.items():
        if name not in text.options:
            raise refuse(
                "unknown-option", f"{text.id} has no option {name[:40]!r}", did_you_mean(name, text.options)
            )
        chosen[name] = option_value(text.options[name], value)
    turned_on = {
        str(name)
        for group, value in chosen.items()
        if value == "all" and text.options[group].data["kind"] == "group"
        for name in text.options[group].data["turns_on"]
    }
    values: dict[str, OptionValue] = {}
    for name, entry in text.options.items():
        if entry.data["kind"] == "group":
            values[name] = chosen.get(name, "none")
        elif name in chosen:
            values[name] = chosen[name]
        elif name in turned_on:
            values[name] = True
        elif name in text.defaults:
            values[name] = text.defaults[name]
        else:
            values[name] = option_value(entry, entry.data["default"])
    for name, entry in text.options.items():
        if name in chosen or name in text.defaults:
            continue
        for case in entry.data.get("default_when", ()):
            if values.get(str(case["option"])) == case["is"]:
                values[name] = option_value(entry, case["default"])
    return values
