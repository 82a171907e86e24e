"""The contents of a rulebook file: entries with their places, options and their values, parsed conditions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from mjscore.refusal import Refused, did_you_mean, refuse
from mjscore.rulebook.conditions import Node, parse_condition
from mjscore.rulebook.toml_places import TomlTable, text_now

RULEBOOKS = ("harr", "harr-limit", "babcock", "babcock-chinese", "bmja", "dmjl")
# other names that people use for these rulebooks
ALIASES = {
    "pung-chow": "harr",
    "red-book": "babcock",
    "chinese": "babcock-chinese",
    "british": "bmja",
    "german": "dmjl",
    "european": "dmjl",
}

FLAG_FOLLOWS = ("drawn", "claimed")  # the wins that a rulebook's flag goes with unless its entry says so

# the keys whose values are conditions, and the type of each
CONDITIONS = {"when": "boolean", "times": "number", "shown": "boolean"}

OptionValue = bool | int | str | None
_parsed = lru_cache(maxsize=4096)(parse_condition)


def rulebook_called(name: str) -> str:
    """Return the id of the shipped rulebook that *name* means, ignoring case, or else *name* itself."""
    plain = name.strip().lower().replace("_", "-")
    return ALIASES.get(plain, plain if plain in RULEBOOKS else name)


@dataclass(frozen=True)
class RuleEntry:
    """One entry of a rulebook as written, and its place; *changed* if it changes or replaces an inherited entry."""

    section: str
    data: Mapping[str, Any]
    place: TomlTable
    changed: bool = False

    @property
    def id(self) -> str:
        """The name of the entry in conditions, settings and JSON."""
        return str(self.data["id"])

    @property
    def title(self) -> str:
        """The name of the entry on a score sheet."""
        return str(self.data["title"])

    @property
    def source(self) -> str:
        """The book and page of the entry."""
        return str(self.data["source"])

    @cached_property
    def conditions(self) -> Mapping[str, Node]:
        """The conditions of the entry, by key. Raises Refused at the place in the file."""
        nodes = {}
        for key in (key for key in CONDITIONS if key in self.data):
            try:
                nodes[key] = _parsed(str(self.data[key]))
            except Refused as refused:
                raise self.place.moved(key, refused) from None
        return nodes

    def refused(self, key: str, code: str, kind: str, **words: object) -> Refused:
        """Return a refusal of the entry at *key*."""
        return self.place.refused(key, code, kind, name=self.id, section=self.section, **words)


@dataclass(frozen=True, eq=False)
class Definition:
    """A rulebook joined with those it extends, its options not yet settled.

    *dropped* are the entries that its own file drops, *own_options* the options that it adds or sets. *table* has the
    multipliers by number of doubles. *files* are the absolute paths and texts of the files it was read from, except
    shipped ones.
    """

    id: str
    title: str
    book: str
    entries: Mapping[str, RuleEntry]
    options: Mapping[str, RuleEntry]
    defaults: Mapping[str, Any]
    lineage: tuple[str, ...]
    path: str
    dropped: tuple[RuleEntry, ...] = ()
    own_options: frozenset[str] = frozenset()
    table: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[tuple[str, str], ...] = ()

    def is_unchanged(self) -> bool:
        """Return whether the rulebook's files are still as they were when read."""
        return all(text_now(path) == text for path, text in self.files)


class Option(NamedTuple):
    """An option that a rulebook offers: its title, its *value*, the *choices* as typed, book and page.

    >>> option = mjscore.load_rulebook("harr-limit").offered_options[0]
    >>> option.name, option.value, option.choices
    ('mah-jongg', 10, ('10', '20'))
    """

    name: str
    title: str
    value: OptionValue
    choices: tuple[str, ...]
    source: str


_FEW = 20  # ranges shorter than this are offered number by number
_CHOICES = {"flag": ("on", "off"), "group": ("all", "none"), "limit": ("none", "300", "500", "600", "1000")}
_FLAG: Mapping[str, OptionValue] = {
    **dict.fromkeys(("on", "true", "yes", "1"), True),
    **dict.fromkeys(("off", "false", "no", "0"), False),
}


def option_choices(entry: RuleEntry) -> tuple[str, ...]:
    """Return the values to offer for an option; a limit, or a number in a wide range, accepts others too."""
    data = entry.data
    if "choices" not in data and data["kind"] == "number":
        least, most = data["least"], data["most"]
        every = range(least, most + 1) if most - least < _FEW else sorted({least, data["default"], most})
        return tuple(map(str, every))
    return _CHOICES.get(data["kind"]) or tuple(map(str, data["choices"]))


def option_value(entry: RuleEntry, value: Any) -> OptionValue:
    """Parse *value* (a text, or a value from TOML) as a value of the option. Raises Refused if it is not one."""
    kind, text = entry.data["kind"], str(value).strip().lower()
    choices = option_choices(entry)
    known: Mapping[str, OptionValue]
    if kind == "flag":
        known = _FLAG
    elif kind == "limit":
        choices, known = ("a whole number of points", "none"), {"none": None}
        if text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text) > 0:
            return int(text)
    elif kind == "number" and "choices" not in entry.data:
        least, most = entry.data["least"], entry.data["most"]
        choices, known = (f"a whole number from {least} to {most}",), {}
        if text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most:
            return int(text)
    else:
        # reversed, so that of choices that differ only in capitals the first is taken
        known = {one.lower(): int(one) if kind == "number" else one for one in reversed(choices)}
    if text in known:
        return known[text]
    *others, last = choices
    offered = f"{', '.join(others)} or {last}" if others else last
    raise refuse("option-value", "text", name=entry.id, typed=str(value)[:40], known=offered)


def option_text(value: OptionValue) -> str:
    """Format an option's value as it is typed."""
    return "on" if value is True else "off" if value is False else "none" if value is None else str(value)


def settled_options(definition: Definition, settings: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Return every option's value under *settings*. Raises Refused for unknown, wrong or conflicting ones."""
    options = definition.options
    groups = {name: one.data["turns_on"] for name, one in options.items() if one.data["kind"] == "group"}

    def turned_on(values: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        return dict.fromkeys(
            (name for group in groups if values.get(group) == "all" for name in groups[group]), True
        )

    chosen: dict[str, OptionValue] = {}
    for name, value in settings.items():
        if name not in options:
            near = did_you_mean(name, options)
            raise refuse("unknown-option", "table", book=definition.id, typed=name[:40], near=near)
        chosen[name] = option_value(options[name], value)
    left = {name: value for name, value in definition.defaults.items() if name not in chosen}
    chosen = {**dict.fromkeys(groups, "none"), **turned_on(left), **left, **turned_on(chosen), **chosen}
    values: dict[str, OptionValue] = {
        name: chosen[name] if name in chosen else option_value(entry, entry.data["default"])
        for name, entry in options.items()
    }
    for name, entry in options.items():
        for case in entry.data.get("default_when", ()) if name not in chosen else ():
            if values.get(str(case["option"])) == case["is"]:
                values[name] = option_value(entry, case["default"])
    for name, entry in options.items():
        for key, code, holds in (("needs", "option-needs", True), ("not_with", "option-excluded", False)):
            other = entry.data.get(key)
            if values[name] and other is not None and bool(values.get(other)) is not holds:
                raise refuse(code, "option", name=name, other=other, source=entry.source)
    return values
