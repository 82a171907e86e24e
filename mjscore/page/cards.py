"""Score cards: what the entries of a rulebook require and give, as text, HTML and JSON."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import groupby, islice
from textwrap import wrap
from typing import NamedTuple

from mjscore.game.tiles import Tile, format_tiles
from mjscore.notation.hands import parse
from mjscore.page.drawings import draw_sets
from mjscore.page.glossary import words_on
from mjscore.page.html import LINE_END, block, document, element, joined, spoken_caption, words
from mjscore.page.tables import NARROW, Notes, rows_table, show_table
from mjscore.page.text import Style
from mjscore.refusal import Refused
from mjscore.rulebook.compiling import holds
from mjscore.rulebook.conditions import Constant
from mjscore.rulebook.entries import RuleEntry, option_choices, option_text
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.shapes import examples_of
from mjscore.rulebook.wording import condition_words, many, shape_words
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import facts_of, special_arrangements

CARD_SECTIONS: dict[str, str] = words()["sections"]
CARD_ORDER = list(CARD_SECTIONS)  # the order of sections on a card
_WHOLE = 12  # groups of no more entries than this are kept on one printed page
_MARK = "†"  # marks points that are taken even if counting would bring more
_ADDED, _IN_PLACE = " + bonus tiles", ", not counted"  # after the points of a hand
_MOST_TRIED = 1000  # hands of a shape tried as an example of the special hand
_OF_LIMIT = re.compile(r"(?<![0-9/× ])[0-9/× ]*+limit \(([0-9]+)\)")
_WON, _LOST = ", for the winner", ", for the losers"  # put after a title: which hands can get the entry
_Sets = tuple[tuple[Tile, ...], ...]


class CardRow(NamedTuple):
    """An entry on a card: its title, points and page; if shown, also its meaning in words and an example."""

    entry: RuleEntry
    title: str
    worth: str
    source: str
    means: str = ""
    tiles: _Sets = ()


class CardGroup(NamedTuple):
    """Entries of a section that the same hands can get.

    *source* is the page of most of them, followed by what all their values have in common.
    """

    title: str
    source: str
    rows: tuple[CardRow, ...]


def card_groups(book: Rulebook, ids: bool = False, everything: bool = False) -> list[CardGroup]:
    """Return the groups of a card: entries in force, those for winners or losers alone apart, and options.

    Entries that a house rulebook added or changed are marked ``*``; dropped ones precede options. With *ids*,
    the id is put before the title. Special and limit hands are explained; with *everything*, all entries are.
    """
    definition, base = book.definition, _base(book)
    dropped = definition.dropped if base else ()
    groups: dict[str, list[CardRow]] = {}
    for entry in (
        *sorted(book.entries.values(), key=lambda entry: CARD_ORDER.index(entry.section)),
        *dropped,
        *definition.options.values(),
    ):
        is_option = entry.section == "option"
        title = f"{entry.id}: {entry.title}" if ids or is_option else entry.title
        if entry in dropped:
            groups.setdefault(f"Dropped from {base}", []).append(CardRow(entry, title, "–", entry.source))
            continue
        whose = _whose(entry, book)
        is_hand = entry.section == "shape" or (entry.section == "limit" and whose != _LOST)
        if is_option:
            choices = "points, none" if entry.data["kind"] == "limit" else ", ".join(option_choices(entry))
            title = f"{title} ({choices})"
        mark = "* " if _is_own(entry, book) else ""
        means = entry_words(entry, book) if is_hand or (everything and not is_option) else ""
        tiles = example_tiles(entry.id, book) if is_hand else ()
        row = CardRow(entry, mark + title, worth(entry, book), entry.source, means, tiles)
        groups.setdefault(CARD_SECTIONS[entry.section] + whose, []).append(row)
    return [_group(title, rows) for title, rows in groups.items()]


def _whose(entry: RuleEntry, book: Rulebook) -> str:
    """Return which hands can get an entry, as words to put after a title; empty if all can."""
    if entry.section not in ("set", "bonus", "double", "after", "limit"):
        return ""
    if holds(book.conditions[entry.id], False) == Constant(False):
        return _WON
    return _LOST if holds(book.conditions[entry.id], True) == Constant(False) else ""


def _group(title: str, rows: Sequence[CardRow]) -> CardGroup:
    """Return a group of rows, moving what most have in common (page, additions to the points) to its heading."""
    source, count = Counter(row.source for row in rows).most_common(1)[0]
    if count < 2 or 2 * count < len(rows) or title == CARD_SECTIONS["option"]:
        return CardGroup(title, "", tuple(rows))
    rows = [row._replace(source="" if row.source == source else row.source) for row in rows]
    if all(row.worth.endswith(_ADDED) for row in rows):
        source += "; bonus tiles are added"
        rows = [row._replace(worth=row.worth.removesuffix(_ADDED)) for row in rows]
    if 2 * sum(row.worth.endswith(_IN_PLACE) for row in rows) > len(rows):
        source += f"; {_MARK}: in place of counting, even if that is more"
        rows = [row._replace(worth=row.worth.replace(_IN_PLACE, f" {_MARK}")) for row in rows]
    return CardGroup(title, source, tuple(rows))


def _base(book: Rulebook) -> str:
    """Return the id of the rulebook that *book* extends; empty if it extends none."""
    return book.definition.lineage[-2] if len(book.definition.lineage) > 1 else ""


def _is_own(entry: RuleEntry, book: Rulebook) -> bool:
    """Return whether a house rulebook added or changed an entry, or set an option."""
    changed = entry.place.document.path == book.definition.path
    own = entry.id in book.definition.own_options if entry.section == "option" else changed
    return bool(_base(book)) and own


def entry_words(entry: RuleEntry, book: Rulebook) -> str:
    """Return in words what an entry requires: its tiles, and its condition under the options in force."""

    def title(name: str) -> str:
        return book.definition.entries[name].title if name in book.definition.entries else name

    of_winner = entry.section in ("win", "shape") or _whose(entry, book) == _WON
    parts = [
        shape_words(str(entry.data["tiles"])) if "tiles" in entry.data else "",
        "its pungs may be claimed, and may be kongs" if entry.data.get("laid") else "",
        f"shown: {condition_words(entry.conditions['shown'], title)}" if "shown" in entry.data else "",
        condition_words(book.conditions[entry.id], title, of_winner),
        f"times {many(entry.conditions['times'])}" if "times" in entry.data else "",
    ]
    return "; ".join(filter(None, parts))


def show_rulebook(book: Rulebook, style: Style, ids: bool = False, everything: bool = False) -> str:
    """Return a score card as text, to keep at the table; see ``card_groups``."""
    lines = [style.strong(line) for line in wrap(book.title, style.width)]
    lines += [style.faint(line) for line in wrap(book.book, style.width)]
    if table := _table_words(book):
        lines += ["", *wrap(table, style.width)]
    notes = Notes()
    for group in card_groups(book, ids, everything):
        head = group.title + (f"  ({group.source})" if group.source else "")
        lines += ["", *map(style.strong, wrap(head, style.width, subsequent_indent="  "))]
        told_below = any(row.means or row.tiles for row in group.rows)
        rows, below_rows = [], []
        for row in group.rows:
            tiles = " ".join(map(format_tiles, row.tiles))
            title, gives, source = row.title, row.worth, row.source
            if style.width < NARROW:
                title, gives, source = title + notes.mark(source), _OF_LIMIT.sub(r"\1", gives), ""
            below = "; ".join(filter(None, (row.means, tiles and f"as {tiles}", source)))
            rows.append((title, gives, "" if told_below else source))
            below_rows += [below] if told_below else []
        lines.append(show_table(rows_table(rows, below_rows), style))
    lines += ["", style.strong("Sources"), *notes.lines(style)] if notes else []
    for number, word in enumerate(words_on("\n".join(lines))):
        lines += [""] * (number == 0)
        lines += wrap(f"{word.name.capitalize()}: {word.means}", style.width, subsequent_indent="  ")
    if _base(book):
        lines += ["", f"  * differs from {_base(book)}"]
    lines += ["", style.faint(f"fingerprint {book.fingerprint}")]
    return "\n".join(lines)


def _table_words(book: Rulebook) -> str:
    """Return in words by what points are multiplied; empty unless the rulebook has a table for it."""
    factors = ", ".join(map(str, book.table))
    return (
        f"For no double, one double and so on, points are multiplied by {factors}; the last also holds for more."
        if factors
        else ""
    )


def card_page(book: Rulebook, ids: bool = False, everything: bool = False) -> str:
    """Return a score card as HTML for printing, with the tiles of special hands; see ``card_groups``."""
    head = element("header", element("h1", book.title), LINE_END, element("p", book.book))
    parts = [head, element("p", _table_words(book)) if book.table else None]
    sections = []
    for group in card_groups(book, ids, everything):
        rows = []
        for row in group.rows:
            means = (element("br"), row.means) if row.means else ()
            source = (" ", element("i", row.source)) if row.source else ()
            small = element("small", *means, *source) if means or source else None
            tiles = element("div", draw_sets(row.tiles), class_="tiles") if row.tiles else None
            title = element("td", row.title, small, tiles)
            rows.append(element("tr", title, element("td", row.worth, class_="n")))
        source = (" ", element("small", group.source)) if group.source else ()
        table = element("table", spoken_caption(group.title), joined(*rows, between="\n"))
        kind = "whole" if len(rows) <= _WHOLE else ""
        sections.append(element("section", element("h2", group.title, *source), table, class_=kind))
    explained = []
    for word in words_on(joined(*parts, *sections, between=" ")):
        explained += [element("b", f"{word.name.capitalize()}:"), f" {word.means} "]
    differs = f"* differs from {_base(book)} · " if _base(book) else ""
    foot = f"{differs}fingerprint {book.fingerprint}"
    footer = element("footer", element("p", *explained) if explained else None, foot)
    return document(book.title, [*parts, joined(block("div", sections, class_="card"), footer)])


def card_json(book: Rulebook) -> dict[str, object]:
    """Return a rulebook's score card as a JSON object: its title, limit, options, entries and the like."""
    entries = [
        {
            "rule": entry.id,
            "section": entry.section,
            "title": entry.title,
            "worth": worth(entry, book),
            "when": entry.data.get("when"),
            "means": entry_words(entry, book),
            "tiles": " ".join(map(format_tiles, example_tiles(entry.id, book))),
            "for": _whose(entry, book).removeprefix(", for ") or "all",
            "source": entry.source,
            "changed": _is_own(entry, book),
        }
        for entry in book.entries.values()
    ]
    return {
        "id": book.id,
        "title": book.title,
        "book": book.book,
        "limit": book.limit,
        "table": list(book.table),
        "options": dict(book.options.items()),
        "changed_options": sorted(book.definition.own_options) if _base(book) else [],
        "dropped": [entry.id for entry in book.definition.dropped],
        "entries": entries,
        "fingerprint": book.fingerprint,
    }


def worth(entry: RuleEntry, book: Rulebook) -> str:
    """Return what an entry gives, in a word or two; for an option, its current value."""
    if entry.section == "option":
        return option_text(book.options[entry.id])
    rule = book.rules[entry.id]
    is_hand = entry.section in ("limit", "shape")
    times = " each" if "times" in entry.data else ""
    if entry.section == "flag":
        return f"!{entry.id}"
    if rule.of_limit is not None:
        above, below = rule.of_limit
        part = "limit" if above == below else f"{above} × limit" if below == 1 else f"{above}/{below} limit"
        points = rule.points_under(book.limit)
        gives = part + (f" ({points})" if points is not None else "")
    elif rule.doubles:
        doubled = book.doubles_text(rule.doubles)
        gives = f"points {doubled}" if is_hand else f"{doubled}{times}"
    elif "factor" in entry.data:
        gives = f"×{entry.data['factor']}"
    elif entry.data.get("rule") == "wash":
        amounts = entry.data["points"].values()
        gives = f"{min(amounts)}–{max(amounts)}"
    else:
        counts = is_hand or entry.section in ("set", "bonus", "after") or rule.points
        gives = f"{rule.points}{times}" if counts else ""
    if is_hand:
        gives += " or counted" if rule.may_be_counted else ""
        gives += _IN_PLACE if rule.never_counted else ""
        gives += _ADDED if rule.bonus_tiles else ""
    return gives


@lru_cache(maxsize=512)
def example_tiles(name: str, book: Rulebook) -> _Sets:
    """Return the tiles of a special or limit hand, set by set; empty if no ordinary hand can show it."""
    for special in (*book.special_hands, *book.lacking_a_limit):
        if special.rule.id == name:
            # the first example may lack a requirement apart from the shape
            for tiles in islice(examples_of(special.alternatives), _MOST_TRIED):
                # if sets may be laid, the hand may be required to have one on the table
                laid = [tile for tile in sorted({*tiles}) if special.rule.laid and tiles.count(tile) == 3]
                hands = [f"E@E: {format_tiles(tiles[:-1])} +{tiles[-1]}"]
                for three in laid:
                    rest = [tile for tile in tiles if tile != three]
                    hands.append(f"E@E: ({format_tiles([three] * 3)}) {format_tiles(rest[:-1])} +{rest[-1]}")
                if any(any(special_arrangements([special], facts_of(parse(text), book))) for text in hands):
                    return tuple(
                        tuple(group) for _, group in groupby(tiles, key=lambda tile: min(tile // 9, 3))
                    )
            return ()
    return _limit_hands(book).get(name, ())


@lru_cache(maxsize=16)
def _limit_hands(book: Rulebook) -> dict[str, _Sets]:
    """Return an example of each limit hand, by id, from those tried: a hand that makes as few others as possible."""
    tried = []
    for text in words()["examples"]:
        with suppress(Refused):
            counting = score_hand(parse(f"E: {text}"), book).counting
            if counting is not None:
                names = [award.rule for award in counting.given if book.rules[award.rule].section == "limit"]
                sets = sorted(counting.arrangement.sets, key=lambda one: (len(one.tiles) < 3, one.tile))
                tried.append((names, tuple(tile_set.tiles for tile_set in sets)))
    examples: dict[str, _Sets] = {}
    for names, tiles in sorted(tried, key=lambda example: len(example[0])):
        examples = dict.fromkeys(names, tiles) | examples
    return examples
