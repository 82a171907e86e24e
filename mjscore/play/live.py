"""What is shown below a line while it is typed: its tiles, how many, what they wait for and score, the first mistake.

A line is read at every key, finished or not, by the function that reads it at Enter. What its last word may still become
is no mistake.
"""

from __future__ import annotations

from textwrap import wrap
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.building import Reading, UnbracketedKong
from mjscore.notation.hands import LONGEST_HAND
from mjscore.notation.lexer import normal
from mjscore.page.tiles import render_tiles
from mjscore.play.score_lines import AtTable, TypedRow
from mjscore.play.session import Session
from mjscore.play.showing import show_help
from mjscore.play.table import at_table
from mjscore.play.typing import COMMANDS, read_line
from mjscore.record.lines import renamed_win
from mjscore.refusal import Refusal, Refused, visible
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.waits import waiting_tiles

ANSWERS = ("yes", "keep", "no")
ENTERED = "\n"  # behind a line that is whole: none of its words may become something yet


class Live(NamedTuple):
    """The lines to show, each with its kind (``tiles``, ``state``, ``fault``, ``hint``), and the *refusal* of the first
    mistake.
    """

    lines: tuple[tuple[str, str], ...] = ()
    refusal: Refusal | None = None

    @property
    def fault(self) -> tuple[int, int] | None:
        """Tell where in the typed text the mistake is, from its first character to behind its last."""
        if self.refusal is None or self.refusal.column is None:
            return None
        return self.refusal.column - 1, self.refusal.column - 1 + self.refusal.length


def live(session: Session, text: str, width: int, tiles: str | None = None) -> Live:
    """Tell what to show below *text* in lines of at most *width* columns; *tiles* is how their faces are shown.

    With ``ENTERED`` behind it a line is judged as it stands.
    """
    table = at_table(session)
    if not text.strip() or len(text) > LONGEST_HAND:
        return Live(_wrapped("hint", _to_come(session, table, ()), width))
    if _is_command(normal(text), table):
        return Live(tuple(("hint", line) for line in _command_help(normal(text), width)))
    try:
        typed = read_line(text.removesuffix(ENTERED), table, whole=text.endswith(ENTERED))
    except UnbracketedKong as kong:
        return Live(_wrapped("hint", f"{kong.refusal.message}: you will be asked how it came", width))
    except Refused as refused:
        return Live(_told(refused.refusal, width), refused.refusal)
    if typed.event is not None:
        return Live(_wrapped("hint", f"enter: {typed.event}", width))
    shown = Live()
    scores: list[str] = []
    for row in typed.rows:
        if row.reading is None:
            scores.append(f"{_who(row.row.name, table)} {row.line.partition(':')[2].strip()}")
        else:
            shown = _shown_hand(session, table, row, row.reading, text, width, tiles)
    lines = shown.lines + _wrapped("state", " · ".join(map(visible, scores)), width)
    refusal = shown.refusal or typed.fault
    if refusal is not None:
        return Live(lines + (_told(refusal, width) if shown.refusal is None else ()), refusal)
    if any(row.row.name for row in typed.rows) and (scores or _is_whole(typed.rows[0].row.given)):
        lines += _wrapped("hint", _to_come(session, table, tuple(row.row.name for row in typed.rows)), width)
    return Live(lines)


def _is_whole(given: Hand | int | None) -> bool:
    return not isinstance(given, Hand) or given.win is not None or given.dead or given.tiles_over >= 0


def _wrapped(kind: str, words: str, width: int) -> tuple[tuple[str, str], ...]:
    return tuple((kind, line) for line in wrap(words, width, subsequent_indent="  "))


def _to_come(session: Session, table: AtTable, given: tuple[str, ...]) -> str:
    """Tell whose lines are missing besides those *given*."""
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
    try:
        return begins and table.people.seat(word) is None
    except Refused:
        return False


def _command_help(text: str, width: int) -> list[str]:
    """Tell what the help says of the commands that begin so; of an answer what it says of an edit."""
    word = text.split()[0].casefold()
    return [line.strip() for line in (show_help(width, word) or show_help(width, "edit"))[:3]]


def _who(wind: str, table: AtTable) -> str:
    return f"{WIND_NAMES[wind]} {visible(table.seats[wind])}"


def _shown_hand(
    session: Session,
    table: AtTable,
    row: TypedRow,
    reading: Reading,
    text: str,
    width: int,
    tiles: str | None,
) -> Live:
    """Give a hand: faces, then whose, how many of how many, what it waits for, what it scores."""
    book = session.evening.book
    hand = reading.hand
    count = 13 + hand.tiles_over
    words = [f"{count + (hand.win is not None)} of {13 + (hand.win is not None)} tiles"]
    placed = placed_hand(_with_winds(hand, row.row.name, table), None, session.then.round_wind)
    refusal: Refusal | None = None
    try:
        score = score_hand(placed, book).sheet.score
        words.append(f"{score} points" if count >= 13 else f"{score} points so far")
        if count == 13 and hand.win is None and not hand.dead:
            words.append(_waits(placed, session))
    except Refused as refused:
        refusal = reading.placed(refused.refusal)
        about = refused.refusal.about
        # what begins a flag is read as a flag of no rulebook
        if (
            refusal.code == "unknown-flag"
            and about is not None
            and text.endswith(about.name)
            and any(flag.startswith(about.name) for flag in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, *book.flags))
        ):
            refusal = None
    lines: list[tuple[str, str]] = []
    if hand.tile_count or hand.bonus:
        faces = render_tiles(hand._replace(unlisted=False), tiles, width, table.seats)
        lines += [("tiles", line) for line in faces.split("\n")]
    who = _who(row.row.name, table) if row.row.name else _whose(table)
    # a figure is not parted from what it counts
    kept = " · ".join(word.replace(" ", "\N{NO-BREAK SPACE}", 3) for word in words)
    said = _wrapped("state", f"{who}: {kept}", width)
    lines += [(kind, line.replace("\N{NO-BREAK SPACE}", " ")) for kind, line in said]
    return Live((*lines, *(_told(refusal, width) if refusal is not None else ())), refusal)


def _waits(hand: Hand, session: Session) -> str:
    waits = waiting_tiles(hand._replace(unlisted=False), session.evening.book)
    if not waits:
        return "waits for nothing yet"
    scores = [score for wait in waits for score in (wait.drawn, wait.claimed) if score is not None]
    worth = " to ".join(map(str, sorted({min(scores), max(scores)})))
    return f"waits for {' '.join(str(wait.tile) for wait in waits)}, to win {worth}"


def _whose(table: AtTable) -> str:
    """Tell who has it, where the line does not say."""
    return f"whose? begin with {', '.join(wind.lower() for wind in table.missing or table.seats)}"


def _with_winds(hand: Hand, seat: str, table: AtTable) -> Hand:
    """Give the hand with winds for the players whom it names."""
    winds = {name: wind for wind, name in table.seats.items()}
    return hand._replace(
        seat=seat or None, win=renamed_win(hand.win, winds) if hand.win is not None else None
    )


def _told(refusal: Refusal, width: int) -> tuple[tuple[str, str], ...]:
    hint = _wrapped("hint", visible(refusal.hint), width)[:2]
    return _wrapped("fault", visible(refusal.message), width) + hint
