"""Answers to the questions of the page's script: JSON in, JSON out, with no state in between.

The script draws the answers and knows no rule, no meaning of a tile and no payment. A question is an object
whose ``ask`` names what is wanted; if Refused is raised, it comes back as ``error``.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

from mjscore.drill import questions
from mjscore.game.hand import FLAG_CLAUSES, FLAGS_NAMING_A_SEAT, FLAGS_OF_A_LOSER, Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.disambiguation import UnbracketedKong
from mjscore.notation.hands import parse
from mjscore.page.cards import show_rulebook
from mjscore.page.drawings import draw_sheet
from mjscore.page.report import evening_page
from mjscore.page.sheet_lines import drawn_lines
from mjscore.page.sheets import paid_by_pair, payments_text, show_sheet
from mjscore.page.text import Style, signed
from mjscore.page.tile_styles import parts_of
from mjscore.phone import copies, happenings
from mjscore.phone.carried import laid_out, own_files, packed, parted
from mjscore.phone.keyboard import Tapped, grey_keys, press, tapped
from mjscore.play.actions import action_of, newcomer
from mjscore.play.beginning import NewEvening, beginning
from mjscore.play.changes import Action, describe_entry
from mjscore.play.commands import act
from mjscore.play.evening import Entry, EveningFile, rows_of, told_in_names, written
from mjscore.play.live import live
from mjscore.play.reading import read_action, read_typed
from mjscore.play.rendering import Counters, Outcome, PlayedEntry, Points, show
from mjscore.play.session import Session, open_session, put_right
from mjscore.record.checker import Reader
from mjscore.record.context import Context, Occasion
from mjscore.record.lines import HeaderLine, Line, SeatRow, SettingLine, parse_row, renamed
from mjscore.record.source import blocks, lines_of
from mjscore.record.statistics import evening_of
from mjscore.refusal import Refused, escape_controls, refuse, tried
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS, option_choices, option_text
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoreSheet
from mjscore.scoring.waits import waiting_tiles, worth
from mjscore.settling.payment import SITTER_OUT

FOLDER = "/rulebooks"  # where the page puts rulebook files opened on the phone
_LARGEST = 1 << 20  # characters in a file that may be opened
_STYLE = Style(width=46)

Question = Mapping[str, Any]
Answer = dict[str, object]


class Words(str):
    """An English text, with its key (*place*) in the page's language files and the *words* for its braces."""

    place: str
    words: Mapping[str, object]

    def __new__(cls, text: str, place: str, /, **words: object) -> "Words":
        """Return the English *text* with its *place* and *words*."""
        made = super().__new__(cls, text)
        made.place, made.words = place, words
        return made


def answer(text: str) -> str:
    """Return the answer to a question of the page's script; both are JSON."""
    question = json.loads(text)
    try:
        shown = _ANSWERS[question["ask"]](question)
    except Refused as refused:
        shown = {"error": explained(refused)}
    is_english = question.get("language", "en") == "en"
    return json.dumps(shown if is_english else _with_places(shown), ensure_ascii=False)


def _with_places(value: object) -> object:
    """Return an answer with ``Words`` replaced by objects, which the script says in another language."""
    if isinstance(value, Words):
        return {"say": value.place, "english": str(value), "words": _with_places(value.words)}
    if isinstance(value, Mapping):
        return {name: _with_places(part) for name, part in value.items()}
    return list(map(_with_places, value)) if isinstance(value, list | tuple) else value


def explained(refused: Refused, with_hint: bool = True) -> str:
    """Return a refusal as one sentence, followed by its hint if *with_hint*."""
    refusal, part = refused.refusal, "" if with_hint else ".0"
    text = escape_controls(refusal.message)
    if with_hint and refusal.hint:
        text += f": {escape_controls(refusal.hint)}"
    if with_hint and refusal.line and refusal.file:
        return f"line {refusal.line}: {text}"
    words = {name: escape_controls(str(word)) for name, word in refused.words.items()}
    return Words(text, f"refusals.{refusal.code}.{refused.kind}{part}", **words)


def _wind(letter: str) -> str:
    return Words(WIND_NAMES[letter], f"winds.{letter}") if letter in WIND_NAMES else ""


def _book_of(question: Question) -> Rulebook:
    return bind(question.get("rulebook") or "harr", question.get("options") or {}, FOLDER)


def _rules_of(book: Rulebook) -> Answer:
    """Return a rulebook's title, and its options with their choices and values."""
    options = [
        {"name": name, "title": option.title, "source": option.source, "choices": option_choices(option)}
        | {"value": option_text(book.options[name])}
        for name, option in book.definition.options.items()
    ]
    return {"title": book.title, "options": options}


def _rules(question: Question) -> Answer:
    """Return an evening's options and score card, and whether the rules may still be changed."""
    evening = _session(question).evening
    book, rulebook = evening.state.book, evening.state.context.rulebook
    card = show_rulebook(book, Style(width=40))
    return {**_rules_of(book), "rulebook": rulebook, "card": card, "is_open": not evening.blocks}


def _play_by(question: Question) -> Answer:
    """Return the evening with another rulebook or other options. Raises Refused if it has begun."""
    evening, named = _session(question).evening, question.get("rulebook")
    if evening.blocks:
        raise refuse("nothing-to-write", "begun")
    context, carried = evening.state.context, "" if named else question.get("carried") or ""
    rulebook = named or context.rulebook
    settings = {} if named else {**dict(context.settings), **question["options"]}
    folder = laid_out(carried, FOLDER)
    wanted = NewEvening(rulebook, settings, evening.first_players, folder=folder).with_number()
    book = wanted.book()
    lines: list[Line] = [SettingLine(name, option_text(book.options[name])) for name in wanted.settings]
    lines = [HeaderLine("rulebook", rulebook), *lines, HeaderLine("rules", book.fingerprint)]
    return _with_head(question["text"], ("rulebook", "set", "rules"), lines, evening.end, carried)


def _with_head(text: str, words: tuple[str, ...], lines: Iterable[Line], end: str, carried: str) -> Answer:
    """Return the evening *text* with *lines* in its head in place of lines that begin with one of *words*."""
    text = "\n".join(line for line in text.split("\n") if line.partition(" ")[0] not in words)
    head = "".join(f"{line}{end}" for line in lines)
    return _evening(_opened(re.sub(r"(?m)^(?=players )", lambda _: head, text, count=1), carried))


class _Table(NamedTuple):
    """The table of a hand: rulebook, round (a wind), the hand's seat and, in an evening, players by wind."""

    book: Rulebook
    round: str
    seat: str
    names: Mapping[str, str] = {}

    def hand(self, state: Tapped) -> Hand:
        body = {"0": "...", "dead": "... !dead"}.get(state.body(), state.body())
        return _read(f"{self.seat}@{self.round}: {body}")

    def score(self, state: Tapped) -> int | None:
        """Return the score of the hand in points; None if the rules refuse it."""
        with suppress(Refused):
            return self.sheet(state).score
        return None

    def sheet(self, state: Tapped) -> ScoreSheet:
        """Return the hand's score sheet. Raises Refused."""
        sheet = _scored(self.hand(state), self.book)
        if isinstance(sheet, Refused):
            raise sheet
        return sheet


_read = lru_cache(maxsize=256)(parse)


@lru_cache(maxsize=256)
def _scored(hand: Hand, book: Rulebook) -> ScoreSheet | Refused:
    """Return the score sheet of a hand, or its refusal; cached."""
    try:
        return score_hand(hand, book).sheet
    except Refused as refused:
        return refused


def _tapped_at(question: Question) -> tuple[_Table, Tapped, list[str], Refused | None]:
    """Return a question's table, the hand that its taps make, the taps used, and the refusal of the last tap.

    The table is an evening's if the question has the ``text`` of one.
    """
    seat = question.get("seat") or "E"
    if question.get("text") is None:
        table = _Table(_book_of(question), question.get("round") or "E", seat)
    else:
        evening = _edited(question).then
        table = _Table(evening.state.book, evening.state.round_wind, seat, evening.playing)
    of_hand = partial(worth, rulebook=table.book, seat=table.seat, round_wind=table.round)
    state, taken, refused = tapped(question["taps"], of_hand)
    if not table.names:
        table = table._replace(seat=state.seat or seat, round=state.round or table.round)
    return table, state, taken, refused


def _hand(question: Question) -> Answer:
    """Return the hand that the taps make: how to show it, and its score."""
    table, state, taken, refused = _tapped_at(question)
    names = {wind: escape_controls(name) for wind, name in table.names.items()}
    names = names or {wind: _wind(wind) for wind in WIND_NAMES}
    answer: Answer = {
        "taps": taken,
        "refused": explained(refused) if refused is not None else "",
        "seat": table.seat,
        "round": table.round,
        "parts": _parts(state),
        "touched": state.touched,
        "pending": state.pending,
        "winning": state.winning,
        "won": state.how_won,
        "number": state.score,
        "empty": state.is_empty,
        "full": state.lacks_its_winning_tile,
        "from": [[wind, name] for wind, name in names.items() if wind != table.seat],
        "read": state.body() if state.score is not None else "",
        "score": state.score,
        "sheet": [],
    }
    if state.score is not None or state.lacks_its_winning_tile:
        return answer
    try:
        answer["read"] = str(table.hand(state))
        sheet = table.sheet(state)
    except Refused as refusal:
        return {**answer, "error": explained(refusal)}
    answer["score"] = sheet.score
    answer["sheet"] = drawn_lines(sheet, table.book)
    answer["payments"] = "" if table.names else payments_text(sheet, table.book)
    return answer


def _keys(question: Question) -> Answer:
    """Return the keys to grey, the flags to show, and the tiles that the hand waits for."""
    table, state, _, _ = _tapped_at(question)
    grey = {key: explained(refused, with_hint=False) for key, refused in grey_keys(state).items()}
    answer: Answer = {"grey": grey, "flags": [], "waits": []}
    if state.score is None and not state.lacks_its_winning_tile:
        answer["flags"] = _flags(state, table)
        with suppress(Refused):  # not thirteen tiles
            waits = waiting_tiles(table.hand(state), table.book)
            answer["waits"] = [{**wait.as_json(), "title": wait.tile.title} for wait in waits]
    return answer


def _parts(state: Tapped) -> list[Answer]:
    """Return how to show the hand: sets on the table, held tiles, the winning tile, each tile with its tap.

    One of several equal tiles is ``marked``: a tap that names only the tile means that one.
    """
    won = (state.win.tile,) if state.win is not None and state.score is None else ()
    # in the order in which touches look for a tile
    groups = [
        ("won", state.how_won.partition(" ")[0], won, "in"),
        ("hand", "loose", tuple(sorted(state.kept)), "in"),
    ]
    for number, tile_set in enumerate(state.sets):
        place = "hand" if tile_set.origin == "hand" else "table"
        groups.append((place, tile_set.origin, tile_set.tiles, f"set {number}"))
    parts: list[Answer] = []
    seen = set()
    for place, how, tiles, tap in groups:
        shown: list[Answer] = []
        for number, tile in enumerate(tiles):
            touch = {"tile": str(tile), "title": tile.title, "tap": f"{tap} {tile}"}
            shown.append({**touch, "marked": tile not in seen, "down": how == "declared" and number == 0})
            seen.add(tile)
        touched = tap == f"set {state.touched}"
        parts.append({"place": place, "how": how, "touched": touched, "tiles": shown})
    winner, loose, *sets = parts
    return [part for part in (*sets, loose, winner) if part["tiles"]]


def _flags(state: Tapped, table: _Table) -> list[Answer]:
    """Return the flags to show: on, or changing the score or who may be liable, or a loser's ``dead``."""
    won, there = state.win is not None, state.win.flags if state.win is not None else state.flags
    score = table.score(state)
    shown = []
    flags = [*FLAG_CLAUSES, *table.book.flags] if won else [*FLAGS_OF_A_LOSER, *FLAG_CLAUSES]
    for flag in dict.fromkeys(flags):
        with_it = table.score(press(state, f"!{flag}")) if flag not in FLAGS_NAMING_A_SEAT else None
        counts = with_it is not None and (with_it != score or (flag == "nochoice" and table.book.liabilities))
        if counts or flag in there or flag == "dead":
            title = table.book.flags[flag].title if flag in table.book.flags else ""
            shown.append({"flag": flag, "title": title, "on": flag in there})
    return shown


def _compare(question: Question) -> Answer:
    """Return the hand's score by every rulebook, shipped or the user's own."""
    table, state, _, _ = _tapped_at(question)
    books = [(name, bind(name, {}, FOLDER)) for name in [*RULEBOOKS, *question.get("own", ())]]
    return {"rows": [[name, table._replace(book=book).score(state)] for name, book in books]}


def _picture(question: Question) -> Answer:
    """Return the hand with its score sheet, as a drawing and as text."""
    table, state, _, _ = _tapped_at(question)
    book, names, sheet = table.book, table.names, table.sheet(state)
    return {"svg": draw_sheet(sheet, book, names), "text": show_sheet(sheet, book, _STYLE, names=names)}


@lru_cache(maxsize=4)
def _opened(text: str, carried: str = "") -> Session:
    """Return the session of an evening's *text*, with *carried* rulebook files. Raises Refused if large."""
    if len(text) + len(carried) > _LARGEST:
        raise refuse("no-evening", "large")
    return open_session(text, folder=laid_out(carried, FOLDER))


def _session(question: Question) -> Session:
    return _opened(question["text"], question.get("carried") or "")


def _begin(question: Question) -> Answer:
    """Return a new evening with the rulebook and players of the question. Raises Refused."""
    players = [str(name).strip() for name in question["players"]]
    while players and not players[-1]:
        players.pop()
    if "" in players:
        raise refuse("player-count", "gap", number=players.index("") + 1)
    options = {name: value for name, value in (question.get("options") or {}).items() if name != "players"}
    title, date, counters = (question.get(name) or "" for name in ("title", "date", "counters"))
    occasion = Occasion(title, date, counters)
    try:
        text = beginning(NewEvening(question["rulebook"], options, players, occasion, FOLDER).with_number())
    except Refused as refused:
        if refused.refusal.code != "player-count":
            raise
        hint = refuse("player-count", "seated").refusal.hint
        raise Refused(refused.refusal._replace(hint=hint)) from None  # a hint without command-line words
    return _evening(_opened(text))


def _rename(question: Question) -> Answer:
    """Return the evening with another title in its text, or none if empty. Raises Refused for signs."""
    evening, title = _session(question).evening, str(question["title"]).strip()
    if '"' in title or not title.isprintable():
        raise refuse("bad-title")
    lines = [HeaderLine("title", title)] if title else []
    return _with_head(question["text"], ("title",), lines, evening.end, question.get("carried") or "")


def _edited(question: Question) -> Session:
    """Return a question's session; if the question has the mark of an entry, that entry is being edited."""
    session = _session(question)
    return act(session, Action("edit", question["mark"]))[0] if question.get("mark") else session


def _evening(session: Session, values: Iterable[Outcome] = ()) -> Answer:
    """Return what the page shows of an evening; *values* are the outcomes of the last action, if any."""
    evening, hand, proposal, values = session.evening, session.evening.hand, session.proposal, [*values]
    lines = {name: hand.lines[place].partition(":")[2] for name, place in hand.rows.items()}
    return {
        "text": evening.text,
        "title": escape_controls(evening.state.occasion.title),
        "date": escape_controls(evening.state.occasion.date),
        "said": show(values, _STYLE),
        "card": _card(values, evening.position.points),
        "answers": [answer for answer in ("yes", "keep", "no") if proposal and answer in proposal.answers],
        "editing": session.draft is not None,
        "round": _wind(evening.state.round_wind),
        "hand": int(evening.hand.mark),
        "seats": _seats(evening, lines),
        "sits_out": escape_controls(evening.state.seats.get(SITTER_OUT, "")),
        "totals": _by_name(evening.position.points),
        "entries": list(map(_told_entry, evening.entries)),
        "other_rules": evening.state.other_rules,
        "carried": packed(own_files(evening.state.book)),
    }


def _looked_at(question: Question) -> Answer:
    """Return what the page shows of an evening and, if the text ``before`` was undone, what that changed."""
    session = _session(question)
    before = _session({**question, "text": question["before"]}) if question.get("before") else None
    return _evening(session, put_right(before, session) if before is not None else ())


def _copies(question: Question) -> Answer:
    """Return the kept evening that is a copy of this one, which is newer and how they differ; else empty."""
    mine = _session(question).evening
    for name, other in question["kept"].items():
        with suppress(Refused):
            theirs = _session(other).evening
            if copies.are_of_one(mine, theirs):
                there, here = copies.is_in(mine, theirs), copies.is_in(theirs, mine)
                shared, newer = copies.common(mine, theirs), "this" if here else "other" if there else ""
                return {"name": name, "newer": newer, "sides": [_side(mine, shared), _side(theirs, shared)]}
    return {}


def _side(evening: EveningFile, shared: int) -> Answer:
    """Return a copy's number of hands, its totals, and its entries after the first *shared* ones."""
    since = [_title(entry) for entry in evening.entries[shared:] if entry.checked]
    return {"hands": int(evening.hand.mark) - 1, "totals": _by_name(evening.position.points), "since": since}


def _by_name(points: Mapping[str, int]) -> list[list[str]]:
    return [[escape_controls(name), signed(figure)] for name, figure in points.items()]


def _seats(evening: EveningFile, lines: Mapping[str, str]) -> list[Answer]:
    """Return wind, name and typed line of everybody playing; *lines* are by name."""
    seats = [(wind, name, lines.get(name, "").strip()) for wind, name in evening.playing.items()]
    return [
        {"wind": wind, "title": _wind(wind), "name": escape_controls(name), "given": escape_controls(row)}
        for wind, name, row in seats
    ]


def _told_entry(entry: Entry) -> Answer:
    """Return an entry: what happened in a few words, who won and lost how much, its lines in the file."""
    lines, is_checked = written(entry.lines).split("\n"), entry.checked is not None
    title, nets = (_title(entry), _by_name(entry.nets)) if is_checked else (lines[0], [])
    return {"mark": entry.mark, "title": title, "nets": nets, "lines": lines}


def _title(entry: Entry) -> str:
    """Return what an entry is and, of a hand that was won, the winner and score."""
    what = _described(entry)
    winner, scores = (entry.settlement.winner, entry.settlement.scores) if entry.checked else (None, {})
    if not winner:
        return what
    name, score = escape_controls(entry.state.seats[winner]), scores[winner]
    return Words(f"{what}: {name} wins {score}", "titles.won", what=what, name=name, score=score)


def _described(entry: Entry) -> Words:
    kind = "open" if entry.is_open else entry.kind
    return Words(describe_entry(entry), f"titles.{kind}", mark=entry.mark.removeprefix("n"))


def _card(values: Iterable[Outcome], totals: Mapping[str, int]) -> Answer | None:
    """Return a card for the table about the hand or event just played; None if there is nothing to show.

    The card has the scores with their sheets, who pays whom, which counters change hands, the totals, and
    further news such as how counters were corrected.
    """
    besides = [value for value in values if isinstance(value, Counters | Points) and value.shown != "totals"]
    played = [value for value in values if isinstance(value, PlayedEntry)]
    if not played:
        return {"title": "", "told": show(besides, _STYLE)} if besides else None
    entry, exchange = played[-1]
    assert entry.checked is not None
    names, settlement, book = entry.checked.seats, entry.settlement, entry.state.book
    called = {wind: escape_controls(name) for wind, name in names.items()}
    sheets = {wind: drawn_lines(sheet, book) for wind, sheet in settlement.sheets.items()}
    rows = [
        {"wind": _wind(wind), "name": called[wind], "score": settlement.scores.get(wind)}
        | {"net": signed(settlement.net.get(wind, 0)), "total": signed(totals.get(name, 0))}
        | {"sheet": sheets.get(wind, [])}
        for wind, name in names.items()
    ]
    paid = [
        (called.get(payer, payer), called.get(payee, payee), points)
        for one in played
        for (payer, payee), points in paid_by_pair(one.entry.settlement).items()
    ]
    return {
        "mark": entry.mark,
        "title": _title(entry),
        "rows": rows if settlement.kind != "seat" else [],
        "paid": paid,
        "counters": exchange.lines(called) if exchange is not None else [],
        "remarks": [*map(escape_controls, settlement.remarks)],
        "told": show(besides, _STYLE),
    }


def _entry(question: Question) -> Answer:
    """Return the card of an entry, and the taps that make each of its hands, for editing it."""
    session = _edited(question)
    entry, then = session.draft, session.then
    assert entry is not None
    answer: Answer = {"mark": entry.mark, "kind": entry.kind, "title": _described(entry)}
    if entry.checked is not None and entry.checked.after is not None:
        values = act(_session(question), Action("show", entry.mark))[1]
        answer["card"] = _card(values, entry.checked.after.points)
    lines = {name: entry.lines[place].partition(":")[2] for name, place in entry.rows.items()}
    seats = {"seats": _seats(then, lines), "round": _wind(then.state.round_wind)}
    return {**answer, **seats, "taps": _taps_in(entry)}


def _taps_in(entry: Entry) -> dict[str, list[str]]:
    """Return, by wind, the taps that make each seat's line of a hand."""
    winds = {name: wind for wind, name in entry.state.seats.items()}
    rows = [renamed(row, winds) for _, row in rows_of(entry.lines) if isinstance(row, SeatRow)]
    return {row.name: _taps_of(row) for row in rows}


def _taps_of(row: SeatRow) -> list[str]:
    if isinstance(row.given, Hand):
        return tapped([f"line {row.given}"])[1]
    if row.given is None:
        return ["!dead"]
    how = f"claimed {row.discarder}" if row.discarder else "drawn" if row.drawn else "claimed"
    return [f"number {row.given}", *([how] if row.won else [])]


def _settle(question: Question) -> Answer:
    """Return the evening after a hand, given each seat's taps (0 without any). Raises Refused.

    If the question has the ``mark`` of an earlier hand, the seats tapped differently are changed: the answer
    shows the consequences or, if the question has an ``answer`` to these, the evening afterwards.
    """
    session = _edited(question)
    evening, draft = session.then, session.draft
    there = _taps_in(draft) if draft is not None else {}
    rows: list[SeatRow] = []
    for wind, name in evening.playing.items():
        state = tapped(question["hands"].get(wind, ()))[0]
        if state.lacks_its_winning_tile:
            raise refuse("too-many-tiles", "unmarked", name=escape_controls(name))
        if draft is not None and tapped(there.get(wind, ()))[0].body() == state.body():
            continue
        if not state.is_empty or wind in evening.missing:
            row = parse_row(f"{wind}: {state.body()}")
            assert isinstance(row, SeatRow)
            rows.append(row)
    if draft is not None and not rows:
        raise refuse("nothing-to-write", "tapped")
    return _done(session, Action("rows", records=tuple(rows)), question)


def _done(session: Session, action: Action, question: Question) -> Answer:
    """Return the evening after an action and the answer to its consequences, if given. Raises Refused."""
    after, values = act(session, action)
    if session.draft is not None and after.proposal is None:
        unfit = show(values, Style(width=400)).removesuffix("; type the other line too, or drop")
        raise refuse("nothing-to-write", "unfit", why=unfit)
    if question.get("answer"):
        after, values = act(after, Action(question["answer"]))
    amiss = after.evening.hand.amiss
    if action.kind == "rows" and amiss is not None:
        raise Refused(told_in_names(amiss, session.seats))  # play keeps such rows; here the taps are kept
    return _evening(after, values)


def _forms(question: Question) -> Answer:
    """Return the forms for events, payments and notes; of an edited entry, its kind's and the contents."""
    session = _edited(question)
    word, filled = happenings.filled_form(session.draft) if session.draft is not None else ("", {})
    forms = sorted(happenings.forms(session.then), key=lambda form: form["word"] != word)
    kind = word.partition(" ")[0]
    alike = [form for form in forms if kind in ("", form["word"].partition(" ")[0])]
    return {"word": word, "filled": filled, "forms": alike}


def _typed(question: Question) -> tuple[Session, Iterable[Outcome]]:
    """Return the session after lines typed as in ``play``, and the last line's outcomes. Raises Refused."""
    session, values = _session(question), cast(Iterable[Outcome], ())
    for line in filter(str.strip, question["lines"]):
        action = action_of(line, session.evening.state.seats, session.draft is not None)
        if action.kind in ("quit", "undo", "redo"):
            raise refuse("unknown-command", "key", command=action.kind)
        if action.kind in ("rows", "event"):
            try:
                action = read_action(line, session)
            except UnbracketedKong as kong:
                raise Refused(tried(kong.refusal, partial(read_typed, session=session))) from None
            asked_back = newcomer(line, action, session.then)
            if asked_back is not None:  # nobody can answer here
                raise Refused(asked_back.refusal._replace(hint=asked_back.refusal.otherwise))
        session, values = act(session, action)
    return session, values


def _happened(question: Question) -> Answer:
    action = happenings.action_of(question["word"], question["filled"])
    return _done(_edited(question), action, question)


def _live(question: Question) -> Answer:
    return {"lines": live(_typed(question)[0], question["line"], _STYLE.width, "plain").lines}


def _page(question: Question) -> Answer:
    """Return the HTML page of the evening. Raises Refused before the first hand."""
    folder = laid_out(question.get("carried") or "", FOLDER)
    evening = evening_of(Reader("", Context(folder=folder)), blocks(lines_of(question["text"])))
    if not evening.played:
        raise refuse("no-evening", "begun")
    return {"html": evening_page(evening, evening.occasion.title or "mjscore")}


def _drill(question: Question) -> Answer:
    """Return a drill's question, and whether the page's ``guess`` is right or which slips explain it."""
    kind = questions.asked_now(question["right"], question["number"])
    one = questions.question(_book_of(question), question["seed"], question["number"], kind)
    guess, sheet = one.read(question["guess"]), one.show(_STYLE).split("\n\n", 1)[-1]
    slips = questions.tell(one.explain(guess)) if guess not in (None, one.right) else []
    parts = [[part.place, list(map(str, part.tiles))] for part in parts_of(one.hand)] if one.hand else []
    return {
        "head": one.head,
        "question": one.put,
        "read": str(one.hand or ""),
        "parts": parts,
        "answer": one.typed(one.right),
        "right": guess == one.right,
        "slips": slips,
        "sheet": sheet,
    }


_ANSWERS: dict[str, Callable[[Question], Answer]] = {
    "hand": _hand,
    "keys": _keys,
    "rulebook": lambda question: {"name": question.get("rulebook"), **_rules_of(_book_of(question))},
    "rules": _rules,
    "play by": _play_by,
    "compare": _compare,
    "picture": _picture,
    "begin": _begin,
    "rename": _rename,
    "evening": _looked_at,
    "file": lambda question: _evening(_opened(*parted(question["text"]))),
    "copies": _copies,
    "entry": _entry,
    "settle": _settle,
    "forms": _forms,
    "happened": _happened,
    "type": lambda question: _evening(*_typed(question)),
    "live": _live,
    "page": _page,
    "drill": _drill,
}
