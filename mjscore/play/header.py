"""The head of an evening's file: written when it begins, and not to be contradicted when it goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mjscore.game.hand import quote_name
from mjscore.page.cards import option_text
from mjscore.play.evening import Evening, read_evening
from mjscore.record.context import Occasion
from mjscore.record.lines import HeaderLine, Line, PlayersLine, SettingLine
from mjscore.refusal import Refused, refuse, visible
from mjscore.rulebook.binding import Rulebook, bind


class Asked(NamedTuple):
    """What the command line says of an evening; what it leaves out is None or empty."""

    rulebook: str | None = None
    settings: Mapping[str, str] = {}
    players: Sequence[str] | None = None
    occasion: Occasion = Occasion()


def beginning(asked: Asked, folder: str = "") -> str:
    """Write the head of a new evening's file. Raises Refused for rules, players or counters that cannot be."""
    if not asked.players:
        raise refuse(
            "player-count", "nobody is named to play", 'name the players: --players "Ann Ben Cid Dee"'
        )
    name = asked.rulebook or "harr"
    book = bind(name, dict(asked.settings), folder)
    occasion = asked.occasion
    if '"' in occasion.title or not occasion.title.isprintable():
        raise refuse("bad-title", "a title is words between quotation marks", "leave the quotation marks out")
    lines: list[Line] = [HeaderLine("rulebook", name)]
    lines += [SettingLine(option, option_text(book.options[option])) for option in asked.settings]
    lines.append(HeaderLine("rules", book.fingerprint))
    for key, value in occasion._asdict().items():
        lines += [HeaderLine(key.replace("_", "-"), "" if value is True else value)] if value else []
    lines.append(PlayersLine(tuple(asked.players)))
    text = "".join(f"{line}\n" for line in lines)
    try:
        read_evening(text, folder=folder)
    except Refused as refused:
        refusal = refused.refusal
        if refusal.code == "player-count":
            refusal = refusal._replace(hint=_how_to_name(asked.players, book, refusal.hint))
        raise Refused(refusal._replace(file="", line=None, column=None)) from None
    return text


def _how_to_name(players: Sequence[str], book: Rulebook, otherwise: str) -> str:
    """Tell what to type where there are more or fewer names than players: quotes around a name of two words."""
    count = len(players)
    hints = []
    if count > 4:
        quoted = " ".join([*players[:2], f"'{players[2]} {players[3]}'", *players[4:]])
        hints.append(f'a name of two words stands in quotes: --players "{quoted}"')
    if "players" in book.options and 2 <= count <= 5:
        hints.append(f"for {count} players add -s players={count}")
    elif count == 5:
        hints.append("for five players add -r babcock -s players=5")
    return "; ".join(hints) or otherwise


def check_as_begun(evening: Evening, asked: Asked, file: str) -> None:
    """Raise Refused where the command line says another thing of an evening than its file does."""
    context, begun = evening.state.context, evening.occasion
    if asked.rulebook is not None and asked.rulebook != context.rulebook:
        raise _otherwise(file, "-r", f"rulebook {context.rulebook}", f"rulebook {asked.rulebook}")
    for option, value in asked.settings.items():
        there = option_text(evening.book.options.get(option, ""))
        tried = bind(context.rulebook, {**dict(context.settings), option: value}, context.folder)
        if option_text(tried.options[option]) != there:
            raise _otherwise(file, "-s", f"set {option} {there}", f"set {option} {value}")
    if asked.players is not None and tuple(asked.players) != evening.position.players:
        there, here = (
            " ".join(map(quote_name, names)) for names in (evening.position.players, asked.players)
        )
        raise _otherwise(file, "--players", f"players {there}", f"players {here}")
    for key, value in asked.occasion._asdict().items():
        found = getattr(begun, key)
        if value and value != found:
            line = key.replace("_", "-")
            there = f"no line {line}" if not found else f"{line} {found}"
            here = line if value is True else f"{line} {value}"
            raise _otherwise(file, f"--{line}", there, here)


def _otherwise(file: str, option: str, there: str, here: str) -> Refused:
    return refuse(
        "begun-otherwise",
        f"{visible(file)} was begun with {there}",
        f"leave out {option}; to change the evening itself, write {here} at the head of the file, above its hands",
    )
