"""What the page's script asks and is answered: JSON in, JSON out, and nothing kept in between.

The script draws what stands here and knows no rule, no tile's meaning and no payment. A question is an object whose
``ask`` names what is wanted; what is refused comes back as ``error``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_NAMING_A_SEAT, Hand
from mjscore.game.tiles import TILES, WIND_NAMES, Tile
from mjscore.notation.hands import parse
from mjscore.page.cards import option_text
from mjscore.page.html import evening_page
from mjscore.page.picture import draw_sheet
from mjscore.page.sheets import drawn_lines, payments_text, show_sheet
from mjscore.page.text import Style, signed
from mjscore.phone.keyboard import Tapped, grey_keys, tapped
from mjscore.play.actions import Action, action_of
from mjscore.play.evening import Entry, Evening
from mjscore.play.header import Asked, beginning
from mjscore.play.names import told_in_names
from mjscore.play.outcomes import Block
from mjscore.play.session import Session, act, open_session, prompt
from mjscore.play.showing import show, show_help
from mjscore.play.table import at_table, with_records
from mjscore.play.typing import read_line
from mjscore.record.context import Context, Occasion
from mjscore.record.lines import SeatRow, parse_row
from mjscore.record.reader import Reader
from mjscore.record.source import blocks, lines_of
from mjscore.record.statistics import evening_of
from mjscore.refusal import Refused, refuse, visible
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import ScoredHand, score_hand
from mjscore.scoring.waits import waiting_tiles
from mjscore.settling.payment import SITTER_OUT

FOLDER = "/rulebooks"  # where the page puts rulebook files that were opened on the phone
_LARGEST = 1 << 20  # characters of a file that is opened
_STYLE = Style(width=46)
_ROWS = ((0, 9), (9, 18), (18, 27), (27, 34), (34, 42))
_CHOICES = {"flag": ["on", "off"], "group": ["all", "none"], "limit": ["none", "300", "500", "600", "1000"]}

Answer = dict[str, object]


def answer(question: str) -> str:
    """Answers one question of the script."""
    asked = json.loads(question)
    try:
        said = _ANSWERS[asked["ask"]](asked)
    except Refused as refused:
        said = {"error": told(refused)}
    return json.dumps(said, ensure_ascii=False)


def told(refused: Refused) -> str:
    """A refusal as one sentence and what to do instead."""
    refusal = refused.refusal
    hint = f": {visible(refusal.hint)}" if refusal.hint else ""
    line = f"line {refusal.line}: " if refusal.line and refusal.file else ""
    return f"{line}{visible(refusal.message)}{hint}"


# ------------------------------------------------------------- what the page is built with


def keyboard() -> list[list[tuple[str, str]]]:
    """The keys of the tiles, row by row: each with its name and title."""
    return [[(str(tile), tile.title) for tile in TILES[first:last]] for first, last in _ROWS]


def rulebooks() -> list[tuple[str, str]]:
    """The rulebooks that come along, each with its title."""
    return [(name, bind(name).title) for name in RULEBOOKS]


# ------------------------------------------------------------- one hand


def _book_of(asked: Mapping[str, Any]) -> Rulebook:
    return bind(asked.get("rulebook") or "harr", asked.get("options") or {}, FOLDER)


def _rulebook(asked: Mapping[str, Any]) -> Answer:
    """A rulebook's title, and its options with their choices and values."""
    book = _book_of(asked)
    options = [
        {
            "name": name,
            "title": option.title,
            "source": option.source,
            "choices": _CHOICES.get(option.data["kind"]) or [str(one) for one in option.data["choices"]],
            "value": option_text(book.options[name]),
        }
        for name, option in book.definition.options.items()
    ]
    return {"name": asked.get("rulebook"), "title": book.title, "options": options}


def _table_of(asked: Mapping[str, Any]) -> tuple[Rulebook, str, dict[str, str]]:
    """The rulebook, the round's wind and who sits where: of an evening, where its text is given."""
    if asked.get("text") is None:
        return _book_of(asked), asked.get("round") or "E", {}
    account = _opened(asked["text"]).evening
    return account.book, account.round_wind, _named(account)


def _hand(asked: Mapping[str, Any]) -> Answer:
    """The hand that taps make: what is shown of it, what it scores, which keys cannot be tapped."""
    book, round_wind, names = _table_of(asked)

    def worth(hand: Hand) -> int | None:
        try:
            return score_hand(placed_hand(hand, asked.get("seat"), round_wind), book).sheet.score
        except Refused:
            return None

    state, taken, refused = tapped(asked["taps"], worth)
    seat = state.seat or asked.get("seat") or "E"
    round_wind = (state.round if not names else None) or round_wind
    said: Answer = {
        "taps": taken,
        "refused": told(refused) if refused is not None else "",
        "seat": seat,
        "round": round_wind,
        "parts": _parts(state),
        "grey": grey_keys(state),
        "pending": state.pending,
        "winning": state.winning,
        "won": _how_won(state),
        "number": state.score,
        "empty": state.is_empty,
        "full": state.lacks_its_winning_tile,
        "from": [[wind, name] for wind, name in (names or WIND_NAMES).items() if wind != seat],
        "read": state.body() if state.score is not None else "",
        "score": state.score,
        "flags": [],
        "sheet": [],
        "waits": [],
    }
    if state.score is not None or state.lacks_its_winning_tile:
        return said
    said["flags"] = _flags(state, seat, round_wind, book)
    try:
        hand = _hand_of(state, seat, round_wind)
        said["read"] = str(hand)
        sheet = score_hand(hand, book).sheet
    except Refused as refusal:
        return {**said, "error": told(refusal)}
    payments = payments_text(sheet, book, names) if sheet.won and not names else ""
    lines = [[line.title, line.figure, line.source, line.kind] for line in drawn_lines(sheet, book)]
    return {**said, "score": sheet.score, "sheet": lines, "payments": payments, "waits": _waits(hand, book)}


def _hand_of(state: Tapped, seat: str, round_wind: str) -> Hand:
    body = state.body()
    if body in ("0", "dead"):
        body = "..." if body == "0" else "... !dead"
    return placed_hand(parse(f"{seat}@{round_wind}: {body}"), None, round_wind)


def _scored(state: Tapped, seat: str, round_wind: str, book: Rulebook) -> ScoredHand:
    return score_hand(_hand_of(state, seat, round_wind), book)


def _how_won(state: Tapped) -> str:
    if state.win is None:
        return ""
    if state.win.drawn:
        return "drawn"
    return f"claimed {state.win.discarder}" if state.win.discarder else "claimed"


def _parts(state: Tapped) -> list[Answer]:
    """What is shown of the hand: sets as they lie, tiles held, the winning tile, each with the tap on it.

    Of tiles that are alike one is *marked*: a touch of it is the one that is meant where only the tile is named.
    """
    marked: set[Tile] = set()

    def shown(tile: Tile, tap: str, down: bool = False) -> Answer:
        first = tile not in marked
        marked.add(tile)
        return {"tile": str(tile), "title": tile.title, "tap": tap, "marked": first, "down": down}

    win = [] if state.win is None or state.score is not None else [state.win.tile]
    ended = [shown(tile, f"in {tile}") for tile in win]
    loose = [shown(tile, f"in {tile}") for tile in sorted(state.loose)]
    parts: list[Answer] = []
    for number, tile_set in enumerate(state.sets):
        tiles = [
            shown(tile, f"set {number} {tile}", tile_set.origin == "declared" and index == 0)
            for index, tile in enumerate(tile_set.tiles)
        ]
        parts.append(
            {
                "place": "hand" if tile_set.origin == "hand" else "table",
                "how": tile_set.origin,
                "tiles": tiles,
            }
        )
    if loose:
        parts.append({"place": "hand", "how": "loose", "tiles": loose})
    if ended:
        parts.append({"place": "won", "how": _how_won(state).split()[0], "tiles": ended})
    return parts


def _flags(state: Tapped, seat: str, round_wind: str, book: Rulebook) -> list[Answer]:
    """The words that may be said of the hand: those on, and those that would make a difference here."""
    win = state.win
    there = win.flags if win is not None else state.flags
    try:
        score = _scored(state, seat, round_wind, book).sheet.score
    except Refused:
        score = None
    possible = [*FLAG_CLAUSES, *book.flags] if win is not None else ["dead", "nochoice", *FLAG_CLAUSES]
    found = []
    for flag in dict.fromkeys([*possible, *sorted(there)]):
        title = book.flags[flag].title if flag in book.flags else ""
        if flag in there or (flag == "dead" and win is None):
            found.append({"flag": flag, "title": title, "on": flag in there})
            continue
        if flag in FLAGS_NAMING_A_SEAT or state.lacks_its_winning_tile:
            continue
        try:
            with_it = _flagged(state, flag)
            scores = _scored(with_it, seat, round_wind, book).sheet.score
        except Refused:
            continue
        if scores != score or (flag == "nochoice" and book.liabilities):
            found.append({"flag": flag, "title": title, "on": False})
    return found


def _flagged(state: Tapped, flag: str) -> Tapped:
    if state.win is not None:
        return state._replace(win=state.win._replace(flags=state.win.flags | {flag}))
    return state._replace(flags=state.flags | {flag})


def _waits(hand: Hand, book: Rulebook) -> list[Answer]:
    if hand.win is not None or hand.unlisted or hand.dead or hand.tiles_over:
        return []
    try:
        return [{**wait.as_json(), "title": wait.tile.title} for wait in waiting_tiles(hand, book)]
    except Refused:
        return []


def _compare(asked: Mapping[str, Any]) -> Answer:
    """What the hand scores by every rulebook that there is."""
    state, round_wind = tapped(asked["taps"])[0], asked.get("round") or "E"
    rows = []
    for name in [*RULEBOOKS, *asked.get("own", ())]:
        row = {"name": name, "score": None, "error": ""}
        try:
            row["score"] = _scored(
                state, state.seat or asked.get("seat") or "E", round_wind, bind(name, {}, FOLDER)
            ).sheet.score
        except Refused as refused:
            row["error"] = refused.refusal.message
        rows.append(row)
    return {"rows": rows}


def _picture(asked: Mapping[str, Any]) -> Answer:
    """The hand with its sheet as a picture, and as text."""
    state, _, _ = tapped(asked["taps"])
    book, round_wind, names = _table_of(asked)
    sheet = _scored(state, state.seat or asked.get("seat") or "E", state.round or round_wind, book).sheet
    payments = payments_text(sheet, book, names=names) if sheet.won else ""
    return {
        "svg": draw_sheet(sheet, book, payments, names),
        "text": show_sheet(sheet, book, _STYLE, names=names),
    }


# ------------------------------------------------------------- an evening


@lru_cache(maxsize=4)
def _opened(text: str) -> Session:
    return open_session(text, folder=FOLDER)


def _named(evening: Evening) -> dict[str, str]:
    return {wind: name for wind, name in evening.seats.items() if wind != SITTER_OUT}


def _begin(asked: Mapping[str, Any]) -> Answer:
    """The text of a new evening."""
    players = [str(name).strip() for name in asked["players"] if str(name).strip()]
    occasion = Occasion(asked.get("title") or "", asked.get("date") or "", asked.get("counters") or "")
    text = beginning(Asked(asked["rulebook"], asked.get("options") or {}, players, occasion), FOLDER)
    return {"text": text, **_view(text)}


def _evening(asked: Mapping[str, Any]) -> Answer:
    """What is shown of an evening. Raises Refused where its text does not hold."""
    text = asked["text"]
    if len(text) > _LARGEST:
        raise refuse(
            "no-evening", "this file is too large for an evening", "open the .mj file of one evening"
        )
    return _view(text)


def _view(text: str) -> Answer:
    evening = _opened(text).evening
    names = _named(evening)
    points = evening.points
    there = evening.open_hand.rows if evening.open_hand is not None else {}
    lines = evening.document[evening.open_hand.place].lines if evening.open_hand is not None else ()
    seats = [
        {
            "wind": wind,
            "title": WIND_NAMES[wind],
            "name": visible(name),
            "total": signed(points[name]),
            "given": visible(lines[there[name]].partition(":")[2].strip()) if name in there else "",
        }
        for wind, name in names.items()
    ]
    return {
        "title": evening.occasion.title,
        "rulebook": evening.book.title,
        "round": WIND_NAMES[evening.round_wind],
        "wind": evening.round_wind,
        "hand": evening.hands + 1,
        "seats": seats,
        "sits_out": visible(evening.seats.get(SITTER_OUT, "")),
        "totals": [[visible(name), signed(total)] for name, total in points.items()],
        "entries": [_told_entry(evening, entry) for entry in evening.entries],
        "last": _last(evening),
        "counters": evening.occasion.counters,
        "penalties": [
            [entry.id, entry.title]
            for entry in evening.book.entries.values()
            if entry.data.get("rule") == "penalty"
        ],
    }


def _told_entry(evening: Evening, entry: Entry) -> Answer:
    lines = [visible(line.rstrip("\r\n")) for line in evening.document[entry.place].lines]
    if entry.checked is None:
        return {"mark": entry.mark, "kind": entry.kind, "title": lines[0], "nets": [], "lines": lines}
    settlement = entry.settlement
    label = settlement.label or ""
    winner = visible(entry.seats[settlement.winner]) if settlement.winner else ""
    score = settlement.scores.get(settlement.winner) if settlement.winner else None
    nets = [[visible(name), signed(points)] for name, points in entry.nets.items()]
    return {
        "mark": entry.mark,
        "kind": entry.kind,
        "title": "" if label.isdecimal() else visible(label),
        "winner": winner,
        "score": score,
        "nets": nets,
        "lines": lines,
    }


def _last(evening: Evening) -> str:
    """What was played last, as it is told at the table: who pays whom, which counters, the totals."""
    if not evening.played:
        return ""
    _, values = act(_opened(evening.text), Action("show", evening.played[-1].mark))
    return show([value for value in values if not isinstance(value, Block)], _STYLE)


def _settle(asked: Mapping[str, Any]) -> Answer:
    """The evening after a hand of which each seat's taps are given; who has none has nothing."""
    session = _opened(asked["text"])
    evening = session.evening
    hand = evening.open_hand
    typed = hand.rows if hand is not None else {}
    rows: list[SeatRow] = []
    for wind, name in _named(evening).items():
        state = tapped(asked["hands"].get(wind, ()))[0]
        if state.lacks_its_winning_tile:
            raise refuse(
                "too-many-tiles",
                f"{visible(name)} has fourteen tiles and no winning tile",
                "mark the winning tile, or take one back",
            )
        if not state.is_empty or name not in typed:
            row = parse_row(f"{wind}: {state.body()}")
            assert isinstance(row, SeatRow)
            rows.append(row)
    after, values = act(session, Action("rows", records=tuple(rows)))
    hand = after.evening.open_hand
    if hand is not None and hand.amiss is not None:
        raise Refused(told_in_names(hand.amiss, session.seats))  # play keeps such rows; here the taps stay
    return _after(after, show(values, _STYLE))


def _type(asked: Mapping[str, Any]) -> Answer:
    """The evening after typed lines, one after another: an edit takes several."""
    session = _opened(asked["text"])
    said = ""
    for line in asked["lines"]:
        session, said = _taken(session, line)
    return _after(session, said)


def _taken(session: Session, line: str) -> tuple[Session, str]:
    """The session after a line as it is typed in ``play``, strict or not. Raises Refused."""
    editing = session.draft is not None
    action = action_of(line, session.evening.seats, editing)
    if action.kind in ("quit", "undo", "redo"):
        raise refuse("unknown-command", f"{action.kind} is a key of the page", "tap it")
    if action.kind in ("rows", "event"):
        action = with_records(read_line(line, at_table(session)), line, session)
    after, values = act(session, action)
    return after, show(values, _STYLE)


def _after(after: Session, said: str) -> Answer:
    text = after.evening.text
    return {
        "text": text,
        "said": said,
        "answers": [one for one in ("yes", "keep", "no") if after.proposal and one in after.proposal.answers],
        "editing": after.draft is not None,
        "prompt": prompt(after),
        **_view(text),
    }


def _page(asked: Mapping[str, Any]) -> Answer:
    """The evening as its page of HTML."""
    reader = Reader("", Context(folder=FOLDER))
    evening = evening_of(reader.check(blocks(lines_of(asked["text"]))), "", FOLDER)._replace(
        occasion=reader.state.occasion
    )
    if not evening.played:
        raise refuse("no-evening", "nothing has been played yet", "play a hand first")
    return {"html": evening_page(evening, asked.get("title") or reader.state.occasion.title or "mjscore")}


def _help(asked: Mapping[str, Any]) -> Answer:
    return {"lines": show_help(_STYLE.width)}


_ANSWERS: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
    "hand": _hand,
    "rulebook": _rulebook,
    "compare": _compare,
    "picture": _picture,
    "begin": _begin,
    "evening": _evening,
    "settle": _settle,
    "type": _type,
    "page": _page,
    "help": _help,
}
