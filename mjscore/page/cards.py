"""Rulebooks as score cards, and two rulebooks beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from mjscore.game.tiles import WEIGHT, Tile, format_tiles
from mjscore.notation.hands import parse
from mjscore.page.drawings import draw_sets
from mjscore.page.markup import document, escaped, spoken_caption
from mjscore.page.text import Style, rows_text, sections_text, tabulated
from mjscore.refusal import Refused
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.compiling import holds
from mjscore.rulebook.conditions import Constant, expression
from mjscore.rulebook.entries import Entry, option_text, parsed
from mjscore.rulebook.facts import HAND_VOCABULARY, SET_VOCABULARY, special_arrangement
from mjscore.rulebook.shapes import example_of, match_shape
from mjscore.rulebook.wording import condition_words, many, shape_words
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import facts_of

_SECTIONS = {
    "win": "What may win",
    "set": "Sets and pairs",
    "bonus": "Bonuses",
    "after": "Added after doubling",
    "double": "Doubles",
    "limit": "Limit hands and special scores",
    "shape": "Special hands",
    "flag": "Flags",
    "settle": "Settling",
    "liability": "Who pays for the others",
    "excuse": "Excuses",
}
_WHOLE = 12  # entries under one title that are not parted on paper
_OTHERWISE = "¹"  # marks what is worth the same under another condition
_SHORT_WORTH = 4  # letters; behind such a worth the page stands on the same line
_WON, _LOST = ", for the winner", ", for who did not win"  # which hands can have an entry, behind a title
# hands that a rulebook is asked about, the plainest of each sort first
_EXAMPLES = (
    "1112345678999c +5c", "222b 444b 666b 888b 3b +3b", "111c 333c 666c 888c 2c +2c", "111b 999b 111c 999d 9c +9c",
    "222d 444d 777d EEE 6d +6d", "111b 999c EEE RRR 1d +1d", "RRR GGG EEE SSS N +N", "RRR GGG WWWd 444c 7b +7b", "EEE SSS WWWw NNN 5c +5c",
    "EEE SSS WWWw 444c N +N", "222b 444c 777d EEE 6d +6d",
    "[2222b] [4444c] [6666d] [7777b] 9d +9d!loose", "111d 234d 678d 999d 5d +5d",
)  # fmt: skip
_CHOICES = {"flag": "on, off", "limit": "points, none", "group": "all, none"}


class CardRow(NamedTuple):
    """An entry on a card: its title, worth and page, what it is in words where that is told, and a hand that is it."""

    entry: Entry
    title: str
    worth: str
    source: str
    means: str = ""
    tiles: tuple[tuple[Tile, ...], ...] = ()


class CardGroup(NamedTuple):
    """Entries of a section that the same hands get, under a title; *source* is the page that most of them have."""

    title: str
    source: str
    rows: tuple[CardRow, ...]


def card_groups(book: Rulebook, ids: bool = False, everything: bool = False) -> list[CardGroup]:
    """Work out a card: every entry in force, those for the winner alone apart.

    Entries that a house rulebook has of its own, or changed, are marked ``*``; what it drops stands at the end. With
    *ids* each entry has its id before its title; what special hands are is told, with *everything* all conditions.
    """
    own = _own(book)

    def row(entry: Entry, whose: str) -> CardRow:
        mark = "* " if entry.document.path == own else ""
        is_hand = entry.section == "shape" or (entry.section == "limit" and whose != _LOST)
        means = entry_words(entry, book) if everything or is_hand else ""
        tiles = example_tiles(entry.id, book) if is_hand else ()
        return CardRow(entry, mark + titled(entry), worth(entry, book), entry.source, means, tiles)

    def titled(entry: Entry) -> str:
        return f"{entry.id}: {entry.title}" if ids else entry.title

    groups = []
    for section, title in _SECTIONS.items():
        found: dict[str, list[CardRow]] = {}
        for entry in book.entries.values():
            if entry.section == section:
                whose = _whose(entry, book)
                found.setdefault(whose, []).append(row(entry, whose))
        groups += [_group(title + whose, rows) for whose, rows in found.items()]
    if own and book.definition.dropped:
        rows = [CardRow(one, titled(one), "–", one.source) for one in book.definition.dropped]
        groups.append(_group(f"Dropped from {book.definition.lineage[-2]}", rows))
    rows = []
    for name, option in book.definition.options.items():
        choices = _CHOICES.get(str(option.data["kind"])) or ", ".join(map(str, option.data["choices"]))
        mark = "* " if own and name in book.definition.own_options else ""
        title = f"{mark}{name}: {option.title} ({choices})"
        rows.append(CardRow(option, title, option_text(book.options[name]), option.source))
    return [*groups, CardGroup("Options", "", tuple(rows))] if rows else groups


def _whose(entry: Entry, book: Rulebook) -> str:
    """Tell which hands can have an entry, where not all can."""
    if entry.section not in ("set", "bonus", "double", "after", "limit"):
        return ""
    if holds(book.conditions[entry.id], False) == Constant(False):
        return _WON
    return _LOST if holds(book.conditions[entry.id], True) == Constant(False) else ""


def _group(title: str, rows: Sequence[CardRow]) -> CardGroup:
    """Put the page that most of the rows have at the head, and take it from them."""
    source, count = Counter(row.source for row in rows).most_common(1)[0]
    if count < 2 or 2 * count < len(rows):
        return CardGroup(title, "", tuple(rows))
    return CardGroup(
        title, source, tuple(row._replace(source="") if row.source == source else row for row in rows)
    )


def _own(book: Rulebook) -> str | None:
    """Give the file of a rulebook that extends another."""
    return book.definition.path if len(book.definition.lineage) > 1 else None


def entry_words(entry: Entry, book: Rulebook) -> str:
    """Tell in words what an entry asks for: its tiles, and its condition under the options in force."""

    def title(name: str) -> str:
        return book.definition.entries[name].title if name in book.definition.entries else name

    of_winner = entry.section in ("win", "shape") or _whose(entry, book) == _WON
    told = [
        shape_words(str(entry.data["tiles"])) if "tiles" in entry.data else "",
        f"shown: {condition_words(parsed(entry, 'shown'), title)}" if "shown" in entry.data else "",
        condition_words(book.conditions[entry.id], title, of_winner),
        f"times {many(parsed(entry, 'times'))}" if "times" in entry.data else "",
    ]
    return "; ".join(filter(None, told))


def show_rulebook(book: Rulebook, style: Style, ids: bool = False, everything: bool = False) -> str:
    """Show a card to keep beside the table: see ``card_groups``; then the options."""
    lines = [style.strong(line) for line in wrap(book.title, style.width)]
    lines += [style.faint(line) for line in wrap(book.book, style.width)]
    for group in card_groups(book, ids, everything):
        head = group.title + (f"  ({group.source})" if group.source else "")
        lines += ["", *map(style.strong, wrap(head, style.width, subsequent_indent="  "))]
        if not any(row.means or row.tiles for row in group.rows):
            lines += rows_text([(row.title, row.worth, row.source) for row in group.rows], style)
            continue
        shown = rows_text([(row.title, row.worth, "") for row in group.rows], style)
        for row, line in zip(group.rows, shown, strict=True):
            tiles = " ".join(map(format_tiles, row.tiles))
            told = "; ".join(filter(None, (row.means, tiles and f"as {tiles}", row.source)))
            below = wrap(told, style.width, initial_indent="    ", subsequent_indent="    ")
            lines += [line, *map(style.faint, below)]
    if _own(book):
        lines += ["", f"  {_differs(book)}"]
    lines += ["", style.faint(f"fingerprint {book.fingerprint}")]
    return "\n".join(lines)


def _differs(book: Rulebook) -> str:
    return f"* differs from {book.definition.lineage[-2]}" if _own(book) else ""


def card_page(book: Rulebook, ids: bool = False, everything: bool = False) -> str:
    """Write the card as a page to print: an HTML document, the tiles of special hands drawn."""
    parts = [
        f"<header><h1>{escaped(book.title)}</h1>\n<p>{escaped(book.book)}</p></header>",
        '<div class="card">',
    ]
    for group in card_groups(book, ids, everything):
        rows = []
        for row in group.rows:
            small = f"<br/>{escaped(row.means)}" if row.means else ""
            small += f" <i>{escaped(row.source)}</i>" if row.source else ""
            title = escaped(row.title) + (f"<small>{small}</small>" if small else "")
            tiles = f'<div class="tiles">{draw_sets(row.tiles)}</div>' if row.tiles else ""
            rows.append(f'<tr><td>{title}{tiles}</td><td class="n">{escaped(row.worth)}</td></tr>')
        source = f" <small>{escaped(group.source)}</small>" if group.source else ""
        kind = ' class="whole"' if len(group.rows) <= _WHOLE else ""
        listed = "\n".join(rows)
        table = f"<table>{spoken_caption(group.title)}{listed}</table>"
        parts.append(f"<section{kind}><h2>{escaped(group.title)}{source}</h2>{table}</section>")
    foot = " · ".join(filter(None, (_differs(book), f"fingerprint {book.fingerprint}")))
    parts.append(f"</div><footer>{escaped(foot)}</footer>")
    return document(book.title, parts)


def card_json(book: Rulebook) -> dict[str, object]:
    """Give the score card for programs."""
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
            "changed": entry.document.path == _own(book),
        }
        for entry in book.entries.values()
    ]
    return {
        "id": book.id,
        "title": book.title,
        "book": book.book,
        "limit": book.limit,
        "options": dict(book.options.items()),
        "changed_options": sorted(book.definition.own_options) if _own(book) else [],
        "dropped": [entry.id for entry in book.definition.dropped],
        "entries": entries,
        "fingerprint": book.fingerprint,
    }


def worth(entry: Entry, book: Rulebook) -> str:
    """Tell what an entry gives, in a word or two; of a hand also what may be taken in place of that or comes to it."""
    rule = book.rules[entry.id]
    is_hand = entry.section in ("limit", "shape")
    times = " each" if "times" in entry.data else ""
    if entry.section == "flag":
        return f"!{entry.id}"
    if rule.of_limit is not None:
        above, below = rule.of_limit
        part = "limit" if above == below else f"{above} × limit" if below == 1 else f"{above}/{below} limit"
        points = book.part_of_limit(rule)
        gives = part + (f" ({points})" if points is not None else "")
    elif rule.doubles:
        gives = f"points ×{2**rule.doubles}" if is_hand else f"×{2**rule.doubles}{times}"
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
        gives += ", not counted" if rule.never_counted else ""
        gives += " + bonus tiles" if rule.bonus_tiles else ""
    return gives


def example_tiles(name: str, book: Rulebook) -> tuple[tuple[Tile, ...], ...]:
    """Give the tiles, set by set, of a hand that is the special or limit hand *name*; none where no plain hand is."""
    for special in (*book.special_hands, *book.lacking_a_limit):
        if special.rule.id == name:
            tiles = example_of(special.alternatives)
            # they may lack what a special hand asks for besides its shape
            sets = match_shape(special.alternatives, sum(WEIGHT[tile] for tile in tiles))
            facts = facts_of(parse(f"E@E: {format_tiles(tiles[:-1])} +{tiles[-1]}"), book)
            if sets is None or not (special.when is None or special.when(facts, special_arrangement(sets))):
                return ()
            return tuple(tuple(group) for _, group in groupby(tiles, key=lambda tile: min(tile // 9, 3)))
    return _limit_hands(book).get(name, ())


@lru_cache(maxsize=16)
def _limit_hands(book: Rulebook) -> Mapping[str, tuple[tuple[Tile, ...], ...]]:
    """Try all hands, and keep for each limit hand the one that is the fewest others too."""
    found: dict[str, tuple[int, tuple[tuple[Tile, ...], ...]]] = {}
    for text in _EXAMPLES:
        try:
            scored = score_hand(parse(f"E: {text}"), book)
        except Refused:
            continue
        if scored.counting is not None:
            given = [
                award.rule for award in scored.counting.given if book.rules[award.rule].section == "limit"
            ]
            sets = sorted(scored.counting.arrangement.sets, key=lambda one: (len(one.tiles) < 3, one.tile))
            for name in given:
                if name not in found or len(given) < found[name][0]:
                    found[name] = len(given), tuple(one.tiles for one in sets)
    return {name: tiles for name, (_, tiles) in found.items()}


class DiffSide(NamedTuple):
    """One thing in one rulebook: what it is worth there, and its page."""

    book: str
    worth: str
    source: str


class DiffRow(NamedTuple):
    """One thing in two rulebooks: its section and title, and what the left and the right one say of it."""

    section: str
    title: str
    sides: tuple[DiffSide, DiffSide]


def diff_rows(left: Rulebook, right: Rulebook, everything: bool = False) -> list[DiffRow]:
    """Tell what two rulebooks give for the same thing; what they agree in only with *everything*.

    A thing has the same id in both, and stands in the section that it has in *left*.
    """
    rows = []
    books = left, right
    names = dict.fromkeys([*left.entries, *right.entries])
    for section, section_title in _SECTIONS.items():
        for name in names:
            found = [book.entries.get(name) for book in books]
            entries = [entry for entry in found if entry is not None]
            if entries[0].section != section:
                continue
            sides = _side(found[0], left), _side(found[1], right)
            if sides[0].worth == sides[1].worth:
                if _condition(name, left) != _condition(name, right):
                    one, other = (side._replace(worth=f"{side.worth} {_OTHERWISE}") for side in sides)
                    sides = one, other
                elif not everything:
                    continue
            titles = dict.fromkeys(entry.title for entry in entries)
            rows.append(DiffRow(section_title, " / ".join(titles), sides))
    for name in dict.fromkeys([*left.options, *right.options]):
        of_left, of_right = (book.definition.options.get(name) for book in books)
        sides = _side(of_left, left), _side(of_right, right)
        option = of_left or of_right
        if option is not None and (everything or sides[0].worth != sides[1].worth):
            rows.append(DiffRow("Options", f"{name}: {option.title}", sides))
    return rows


def _side(entry: Entry | None, book: Rulebook) -> DiffSide:
    if entry is None:
        return DiffSide(book.id, "–", "")
    is_option = entry.section == "option"
    gives = option_text(book.options[entry.id]) if is_option else worth(entry, book) or "yes"
    return DiffSide(book.id, gives, entry.source)


def _condition(name: str, book: Rulebook) -> str:
    """Give an entry's condition under the options in force, in a form that can be compared."""
    vocabulary = SET_VOCABULARY if book.entries[name].section == "set" else HAND_VOCABULARY
    return expression(book.conditions[name], vocabulary)


def show_diff(left: Rulebook, right: Rulebook, style: Style, everything: bool = False) -> str:
    """Show two columns of what is worth what; in a narrow terminal below each other."""
    rows = diff_rows(left, right, everything)
    if not rows:
        return "The two rulebooks are the same."
    table = _columns(rows, style) if style.width >= 80 else _stacked(rows, style)
    if any(row.sides[0].worth.endswith(_OTHERWISE) for row in rows):
        note = f"{_OTHERWISE} worth the same, under another condition: see rules show"
        table = "\n".join([table, *wrap(note, style.width)])
    return table


def _columns(rows: Sequence[DiffRow], style: Style) -> str:
    """Give a column for what a thing is and one for each rulebook, its page behind its worth, or below it where the
    worth takes the line.
    """
    room = (style.width - 4) // 10 * 3
    indent = " " * (_SHORT_WORTH + 2)
    cells: list[list[str]] = []
    for section, of_section in groupby(rows, key=lambda row: row.section):
        cells.append([("\n" if cells else "") + style.strong(section), "", ""])
        for row in of_section:
            lines = [
                wrap(row.title, style.width - 4 - 2 * room, initial_indent="  ", subsequent_indent="    ")
            ]
            for _, gives, source in row.sides:
                if len(gives) <= _SHORT_WORTH:
                    lines.append(wrap(f"{gives:<{_SHORT_WORTH}}  {source}", room, subsequent_indent=indent))
                else:
                    below = wrap(source, room, initial_indent=indent, subsequent_indent=indent)
                    lines.append(wrap(gives, room) + below)
            cells.append(list(map("\n".join, lines)))
    heads = ["", *("\n".join(wrap(side.book, room - 2)) for side in rows[0].sides)]
    return tabulated(cells, heads, "lll", preserve_whitespace=True)


def _stacked(rows: Sequence[DiffRow], style: Style) -> str:
    """Show the same in a narrow terminal: below each thing a line for each rulebook."""
    sections = []
    for section, of_section in groupby(rows, key=lambda row: row.section):
        lines = []
        for row in of_section:
            lines += wrap(row.title, style.width, initial_indent="  ", subsequent_indent="    ")
            names, worths, _ = (max(map(len, column)) for column in zip(*row.sides, strict=True))
            more = " " * min(names + 6, style.width // 2)
            for book, gives, source in row.sides:
                text = f"{book:<{names}}  {gives:<{worths}}  {source}"
                lines += wrap(text, style.width, initial_indent="    ", subsequent_indent=more)
        sections.append((section, lines))
    return sections_text(sections, style)
