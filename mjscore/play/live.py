"""What is shown below a line while it is typed: its tiles, how many, what they wait for and score, the first mistake.

A line is read at every key, finished or not. What its last word may still become is no mistake.
"""

from __future__ import annotations

import re
from textwrap import wrap
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hands import UnbracketedKong
from mjscore.notation.lexer import normal
from mjscore.notation.names import nobody_called
from mjscore.notation.reading import LONGEST_HAND, read_hand
from mjscore.notation.vocabulary import vocabulary
from mjscore.page.tiles import render_tiles
from mjscore.play.offers import offers
from mjscore.play.session import Session
from mjscore.play.showing import show_help
from mjscore.play.table import at_table
from mjscore.play.typing import COMMANDS, AtTable, named_first, rows_of
from mjscore.record.lines import SeatRow, parse_row
from mjscore.refusal import Refusal, Refused, visible
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.waits import waiting_tiles

ANSWERS = ("yes", "keep", "no")
ENTERED = "\n"  # behind a line that is whole: none of its words may become something yet


class Live(NamedTuple):
    """The lines to show, each with its kind (``tiles``, ``state``, ``fault``, ``hint``), and where in the typed
    text the first mistake is, from its first character to behind its last, with the *refusal* that says it.
    """

    lines: tuple[tuple[str, str], ...] = ()
    fault: tuple[int, int] | None = None
    refusal: Refusal | None = None


class _Fault(NamedTuple):
    start: int
    end: int
    refusal: Refusal


def live(session: Session, text: str, width: int, tiles: str | None = None) -> Live:
    """What to show below *text* in lines of at most *width* columns; *tiles* is how their faces are shown.

    With ``ENTERED`` behind it a line is judged as it stands.
    """
    table = at_table(session)
    if not text.strip() or len(text) > LONGEST_HAND:
        return Live(_wrapped("hint", _to_come(session, table, ()), width))
    if _is_command(normal(text), table):
        return Live(tuple(("hint", line) for line in _command_help(normal(text), width)))
    try:
        rows = rows_of(text, table)
    except UnbracketedKong as four:
        return Live(_wrapped("hint", f"{four.refusal.message}: you will be asked how it came", width))
    except Refused:
        rows = _scores_begun(text, table)
    rows = rows or _without_last_words(text, table)
    if rows is None:
        return _shown_begun(session, table, text, width, tiles)
    return _shown_rows(session, table, rows, text, width, tiles)


# ------------------------------------------------------------- what is there before a hand


def _wrapped(kind: str, words: str, width: int) -> tuple[tuple[str, str], ...]:
    return tuple((kind, line) for line in wrap(words, width, subsequent_indent="  "))


def _to_come(session: Session, table: AtTable, given: tuple[str, ...]) -> str:
    """Whose lines are missing besides those *given*."""
    left = [wind for wind in table.missing if wind not in given]
    if session.draft is not None:
        return "the line that is to be another; drop leaves it as it was"
    if not left:
        return "with this line the hand is settled" if given else "type the line that is to be another"
    return f"to come: {', '.join(_who(wind, table) for wind in left)}"


def _is_command(text: str, table: AtTable) -> bool:
    word, space, _ = text.partition(" ")
    known = (*COMMANDS, *ANSWERS)
    if word.casefold() in known:
        return True
    begins = not space and len(word) > 1 and any(name.startswith(word.casefold()) for name in known)
    return begins and _wind(word, table) is None


def _command_help(text: str, width: int) -> list[str]:
    """What the help says of the commands that begin so; of an answer what it says of an edit."""
    word = text.split()[0].casefold()
    return [line.strip() for line in (show_help(width, word) or show_help(width, "edit"))[:3]]


def _wind(word: str, table: AtTable) -> str | None:
    try:
        wind = table.wind(word)
    except Refused:
        return None
    return wind if wind in table.seats else None


# ------------------------------------------------------------- lines that can be read


def _scores_begun(text: str, table: AtTable) -> list[str] | None:
    """The rows of bare scores of which some are still to come."""
    for more in range(1, len(table.missing)):
        try:
            rows = rows_of(f"{text} {'0 ' * more}", table)
        except Refused:
            continue
        return rows[:-more] if rows else None
    return None


def _without_last_words(text: str, table: AtTable) -> list[str] | None:
    """The rows of a line whose last words say nothing yet, as in ``w 64 win fr``."""
    words = text.split()
    for number in (1, 2):
        if not _may_go_on(" ".join(words[-number:]), table):
            continue
        before = " ".join(words[:-number])
        try:
            rows = rows_of(before, table)
        except Refused:
            rows = _scores_begun(before, table)
        if rows:
            return rows
    return None


def _shown_rows(
    session: Session, table: AtTable, rows: list[str], text: str, width: int, tiles: str | None
) -> Live:
    """A line that is whole: its hand, and what else it says."""
    lines: list[tuple[str, str]] = []
    told: list[str] = []
    winds: list[str] = []
    fault: tuple[int, int] | None = None
    refusal: Refusal | None = None
    for row in rows:
        try:
            parsed = parse_row(row)
        except Refused as refused:
            return Live(_told(refused.refusal, width), _whole(text), refused.refusal)
        assert isinstance(parsed, SeatRow)  # what else happens is told by a command
        wind = _wind(parsed.name, table)
        if wind is None:
            nobody = nobody_called(parsed.name, table.seats.values()).refusal
            return Live(_told(nobody, width), _place(nobody, text), nobody)
        winds.append(wind)
        if isinstance(parsed.given, Hand):
            shown = _shown_hand(session, table, parsed.given._replace(seat=wind), text, width, tiles)
            lines += shown.lines
            fault, refusal = shown.fault, shown.refusal
        else:
            told.append(f"{_who(wind, table)} {row.partition(':')[2].strip()}")
    lines += _wrapped("state", " · ".join(map(visible, told)), width)
    if fault is None:
        lines += _wrapped("hint", _to_come(session, table, tuple(winds)), width)
    return Live(tuple(lines), fault, refusal)


def _who(wind: str, table: AtTable) -> str:
    return f"{WIND_NAMES[wind]} {visible(table.seats[wind])}"


def _shown_hand(
    session: Session, table: AtTable, hand: Hand, text: str, width: int, tiles: str | None
) -> Live:
    """A hand: faces, then whose, how many of how many, what it waits for, what it scores."""
    book = session.evening.book
    listed = hand._replace(unlisted=False)
    named = _with_winds(hand, table)
    placed = placed_hand(named, None, session.evening.round_wind)
    count = 13 + hand.tiles_over
    words = [f"{count + (hand.win is not None)} of {13 + (hand.win is not None)} tiles"]
    lines: list[tuple[str, str]] = []
    fault: _Fault | None = None
    try:
        score = score_hand(placed, book).sheet.score
        words.append(f"{score} points" if count >= 13 else f"{score} points so far")
        if count == 13 and hand.win is None and not hand.dead:
            words.append(_waits(placed, session))
    except Refused as refused:
        # what begins a flag is read as a flag of no rulebook
        if refused.refusal.code != "unknown-flag" or not offers(session, text)[1]:
            fault = _Fault(*_place(refused.refusal, text), refused.refusal)
    if hand.tile_count or hand.bonus:
        faces = render_tiles(listed, tiles, width, table.seats)
        lines += [("tiles", line) for line in faces.split("\n")]
    who = _who(named.seat, table) if named.seat else _whose(table)
    # a figure is not parted from what it counts
    kept = " · ".join(word.replace(" ", "\N{NO-BREAK SPACE}", 3) for word in words)
    said = _wrapped("state", f"{who}: {kept}", width)
    lines += [(kind, line.replace("\N{NO-BREAK SPACE}", " ")) for kind, line in said]
    if fault is None:
        return Live(tuple(lines))
    return Live((*lines, *_told(fault.refusal, width)), (fault.start, fault.end), fault.refusal)


def _waits(hand: Hand, session: Session) -> str:
    waits = waiting_tiles(hand._replace(unlisted=False), session.evening.book)
    if not waits:
        return "waits for nothing yet"
    scores = [score for wait in waits for score in (wait.drawn, wait.claimed) if score is not None]
    worth = " to ".join(map(str, sorted({min(scores), max(scores)})))
    return f"waits for {' '.join(str(wait.tile) for wait in waits)}, to win {worth}"


def _whose(table: AtTable) -> str:
    """Who has it, where the line does not say."""
    return f"whose? begin with {', '.join(wind.lower() for wind in table.missing or table.seats)}"


def _with_winds(hand: Hand, table: AtTable) -> Hand:
    """The hand with winds for the players whom it names."""
    win = hand.win
    if win is not None:
        win = win._replace(
            discarder=win.discarder and _wind(win.discarder, table),
            earlier=win.earlier and _wind(win.earlier, table),
            all_from=win.all_from and _wind(win.all_from, table),
        )
    seat = hand.seat
    if seat is None and len(table.missing) == 1:
        (seat,) = table.missing
    return hand._replace(seat=seat, win=win)


def _told(refusal: Refusal, width: int) -> tuple[tuple[str, str], ...]:
    hint = _wrapped("hint", visible(refusal.hint), width)[:2]
    return _wrapped("fault", visible(refusal.message), width) + hint


# ------------------------------------------------------------- lines that are not whole yet


def _shown_begun(session: Session, table: AtTable, text: str, width: int, tiles: str | None) -> Live:
    wind, start = _header(text, table)
    hand, fault = _begun(text, start, wind, table)
    said = _told(fault.refusal, width) if fault is not None else ()
    if fault is not None and not hand.tile_count:
        return Live(said, (fault.start, fault.end), fault.refusal)
    shown = _shown_hand(session, table, hand._replace(seat=wind), text, width, tiles)
    if shown.fault is not None or fault is None:
        return shown
    return Live(shown.lines + said, (fault.start, fault.end), fault.refusal)


def _header(text: str, table: AtTable) -> tuple[str | None, int]:
    """Whose hand a line says that it is, and where it begins."""
    try:
        named = named_first(text, table)
    except Refused:
        named = None
    return named if named is not None and named[0] in table.seats else (None, 0)


def _begun(text: str, start: int, wind: str | None, table: AtTable) -> tuple[Hand, _Fault | None]:
    """The longest beginning of a hand from *start* that can be read, if only nothing, and the mistake that ends it."""
    header = f"{wind}: " if wind else ""
    body = text[start:].rstrip()
    begun = ((cut, _hand(header, body[:cut].rstrip(), table)) for cut in _cuts(body))
    cut, hand = next((cut, hand) for cut, hand in begun if hand is not None)
    return hand, _fault(text, start, start + cut, header, table)


def _cuts(body: str) -> list[int]:
    """Where a hand may end that can be read, the longest first: behind the last letters, then behind the words before them."""
    ends = [found.end() for found in _END.finditer(body)]
    return [*reversed(ends), 0]


def _hand(header: str, body: str, table: AtTable) -> Hand | None:
    """A body as a hand, its missing tiles left open."""
    for line in (f"{body} ...", body):
        try:
            return read_hand(f"{header}{line}", table.people, table.worth).hand
        except Refused:
            continue
    return None


def _sign(text: str) -> int | None:
    """Where the first sign before a winning tile stands: within the brackets of a set it is none."""
    for part in re.finditer(r"[^()]+", text):
        sign = re.search("[<>+]", part[0]) if not text.startswith(")", part.end()) else None
        if sign is not None:
            return part.start() + sign.start()
    return None


def _fault(text: str, start: int, cut: int, header: str, table: AtTable) -> _Fault | None:
    """The mistake behind *cut*; None where the last word may become something yet."""
    rest = text[cut:]
    if not rest.strip() or _may_go_on(rest, table):
        return None
    cut += len(rest) - len(rest.lstrip())
    end = cut + len(rest.split()[0])
    won = _sign(text[start:end]) is not None
    try:
        # read without what follows: the first mistake is to be told
        read_hand(f"{header}{text[start:end]}{'' if won else ' ...'}", table.people, table.worth)
    except Refused as refused:
        refusal = refused.refusal
        first = start + (refusal.column or 0) - 1 - len(header)
        if cut <= first < end:
            return _Fault(first, min(end, first + refusal.length), refusal)
        alone = _of_word(text[cut:end], table)
        counted = refusal.code == "too-many-tiles"
        if alone is None and first < end and not counted and text[cut:end].isalnum():
            # what the strict notation minds stands before it, and can be read
            cut = max(text[:cut].rfind(" ") + 1, start)
            alone = Refusal(
                "unknown-character",
                f"{visible(text[cut:end][:20])} is no tile",
                "a tile is its value and class letter: 5b 5c 5d, Ew, Rd, 1f, 1s",
            )
        return _Fault(cut, end, alone or refusal)
    return None


def _of_word(word: str, table: AtTable) -> Refusal | None:
    """What is wrong with a word by itself; None where it may stand elsewhere."""
    try:
        read_hand(f"{word} ...", table.people)
    except Refused as refused:
        return None if re.search(r"[<>+:/]", word) else refused.refusal
    return None


def _place(refusal: Refusal, text: str) -> tuple[int, int]:
    """Where in the text what a refusal is about stands; the whole of it where that cannot be told."""
    about = refusal.about
    assert about is not None  # of a hand that can be read its clause, a flag or a tile is refused
    if about.kind == "clause":
        sign = _sign(text)
        return _whole(text) if sign is None else (sign, sign + len(text[sign:].split()[0]))
    found = text.casefold().rfind(about.name.casefold())
    return _whole(text) if found < 0 else (found, found + len(about.name))


def _whole(text: str) -> tuple[int, int]:
    return len(text) - len(text.lstrip()), len(text.rstrip())


_END = re.compile(r"\D(?=.{0,7}\Z)|.(?=[ ,])|.\Z")  # of a hand that may be readable so far
_OPEN = re.compile(
    r"""\s*(?:
        [\[(][1-9a-zA-Z+\s]{0,12}            # a set without its bracket
      | [1-9]+(?:[\s,]+[1-9]+)*              # values without their class
      | [<+>]\s*(?:[1-9]|[a-zA-Z])?           # the sign before the winning tile
      | (?:[<+>]\s*\w+\s*)?[:;]\s*"?[\w]*    # who discarded it
      | \.{1,3} | /
      | [0-9]+(?:[\s,]+[0-9]+)*[\s,]*        # the others' scores
    )""",
    re.VERBOSE,
)
_FLAG = re.compile(r"(?:.*\s)?!(?P<word>[a-z]*)(?::\w*)?", re.IGNORECASE)
_KINDS = ("wind", "dragon", "tile", "suit", "sign", "flag", "from", "win", "doubles")


def _may_go_on(rest: str, table: AtTable) -> bool:
    """Whether what stands at the end of a line is the beginning of something."""
    if rest.endswith(ENTERED):
        return False
    if _OPEN.fullmatch(rest):
        return True
    flag = _FLAG.fullmatch(rest)
    if flag:
        return any(name.startswith(flag["word"].casefold()) for name in FLAG_CLAUSES)
    said = rest.strip().strip('"').casefold()
    if re.fullmatch(r"from(?:\s+\w*)?|[eswnrgwf]{1,4}", said):
        return True
    words = [
        phrase
        for phrase, meanings in vocabulary().meanings.items()
        if any(m.kind in _KINDS for m in meanings)
    ]
    names = (*WIND_NAMES.values(), *table.seats.values(), *words, *COMMANDS)
    return any(name.casefold().startswith(said) for name in names)
