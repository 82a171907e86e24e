"""A new evening by questions: file, players, rulebook, its options, counters; each with a default on Enter."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence

from mjscore.counters.sets import COUNTER_SETS, load_counters
from mjscore.game.tiles import WIND_NAMES
from mjscore.page.cards import option_text
from mjscore.play.evening import Evening, read_evening
from mjscore.play.header import Asked, beginning
from mjscore.refusal import Refusal, Refused, visible
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.settling.payment import SITTER_OUT

# answers a question, with a default and the answers that are known; EOFError where nobody answers
Ask = Callable[[str, str, Sequence[str]], str]
Say = Callable[[str], None]

DEFAULT_FILE = "evening.mj"
_SOME = "some"  # of a group's options: each is asked for
_YES = ("yes", "y")
# what is offered where an option's kind says it; other points can be typed too
_CHOICES = {"flag": ("on", "off"), "limit": ("none", "300", "500", "1000"), "group": ("all", "none", _SOME)}


def names_of(players: str) -> list[str]:
    """Give players as they are typed: between commas, else between spaces, a name with spaces in quotes."""
    if "," in players and '"' not in players:
        names = [name.strip().strip("'") for name in players.split(",")]
        return [name for name in names if name]
    try:
        return shlex.split(players.replace(",", " "))
    except ValueError:
        return players.replace('"', "").split()


def asked_file(ask: Ask, say: Say) -> str:
    """Give the file that the evening is kept in."""
    while True:
        file = ask("File to keep the evening in", _free_name(), ())
        folder = os.path.dirname(file)
        if os.path.isdir(file):
            say(f"{visible(file)} is a folder: type the name of a file")
        elif folder and not os.path.isdir(folder):
            say(f"there is no folder {visible(folder)}: type another name")
        else:
            return file if os.path.splitext(file)[1] else f"{file}.mj"


def _free_name() -> str:
    """Give a name that no file has."""
    number = 1
    while True:
        name = DEFAULT_FILE if number == 1 else f"evening-{number}.mj"
        if not os.path.exists(name):
            return name
        number += 1


def guided(asked: Asked, ask: Ask, say: Say, folder: str = "") -> Asked:
    """Give the players of a new evening, and what else is still to be said, asked for until it can be.

    What *asked* has is not asked again.
    """
    while True:
        players = _asked_players(ask, say)
        chosen = asked._replace(players=players)
        if asked.rulebook is None:
            chosen = chosen._replace(rulebook=_asked_rulebook(chosen, ask, say, folder))
        chosen = chosen._replace(settings=_with_players(chosen, folder))
        if not asked.settings:
            chosen = _asked_options(chosen, ask, say, folder)
        if not asked.occasion.counters:
            counters = _asked_counters(ask, say, folder)
            chosen = chosen._replace(occasion=asked.occasion._replace(counters=counters))
        evening = read_evening(beginning(chosen, folder), folder=folder)
        if len(players) == 4 or _agreed(evening, ask, say):
            return chosen


def _refused(refusal: Refusal, say: Say) -> None:
    say(refusal.render())


def _asked_players(ask: Ask, say: Say) -> list[str]:
    question = "Players, seated East, South, West, North (commas or spaces between)"
    while True:
        names = names_of(ask(question, "", ()))
        try:
            if not 2 <= len(names) <= 5:
                say(
                    f"{len(names)} names: two to five can play; a name of two words in quotes, or commas between all"
                )
                continue
            book = "babcock" if len(names) == 5 else None
            beginning(Asked(book, {"players": "5"} if book else {}, names))
        except Refused as refused:
            _refused(refused.refusal, say)
        else:
            return names


def _with_players(asked: Asked, folder: str) -> dict[str, str]:
    """Give the settings, with how many play where the rulebook wants to be told."""
    settings = dict(asked.settings)
    count = len(asked.players or ())
    if count != 4 and "players" in _bound(asked, folder).options and "players" not in settings:
        settings["players"] = str(count)
    return settings


def _asked_rulebook(asked: Asked, ask: Ask, say: Say, folder: str) -> str:
    for name in RULEBOOKS:
        say(f"  {name:<16} {bind(name).title}")
    default = "babcock" if len(asked.players or ()) == 5 else "harr"
    while True:
        name = ask("Rulebook, or a file of your own", default, tuple(RULEBOOKS))
        try:
            chosen = asked._replace(rulebook=name)
            beginning(chosen._replace(settings=_with_players(chosen, folder)), folder)
        except Refused as refused:
            _refused(refused.refusal, say)
        else:
            return name


def _asked_options(asked: Asked, ask: Ask, say: Say, folder: str) -> Asked:
    """Give the rulebook's options, with the values wanted; those of a group one by one only where some are wanted."""
    options = _bound(asked, folder).definition.options
    grouped = [str(member) for entry in options.values() for member in entry.data.get("turns_on", ())]
    for name in options:
        if name != "players" and name not in grouped:
            asked = _asked_option(asked, name, ask, say, folder)
    return asked


def _asked_option(asked: Asked, name: str, ask: Ask, say: Say, folder: str) -> Asked:
    """One option; a group of which some are wanted is left, and its members are asked for."""
    book = _bound(asked, folder)
    option = book.definition.options[name]
    choices = _CHOICES.get(str(option.data["kind"])) or tuple(map(str, option.data["choices"]))
    default = option_text(book.options[name])
    while True:
        value = ask(f"{option.title} ({', '.join(choices)})", default, choices).strip()
        if value == _SOME and _SOME in choices:
            for member in map(str, option.data["turns_on"]):
                asked = _asked_option(asked, member, ask, say, folder)
            return asked
        chosen = asked._replace(settings={**asked.settings, name: value})
        try:
            _bound(chosen, folder)
        except Refused as refused:
            _refused(refused.refusal, say)
        else:
            return chosen


def _bound(asked: Asked, folder: str) -> Rulebook:
    return bind(asked.rulebook or "harr", dict(asked.settings), folder)


def _asked_counters(ask: Ask, say: Say, folder: str) -> str:
    known = ("none", *COUNTER_SETS)
    while True:
        name = ask(f"Counters ({', '.join(known)}, or a file)", "none", known)
        if name == "none":
            return ""
        try:
            load_counters(name, folder)
        except Refused as refused:
            _refused(refused.refusal, say)
        else:
            return name


def _agreed(evening: Evening, ask: Ask, say: Say) -> bool:
    """Tell whether two, three or five players are meant, who are said back."""
    seats = evening.seats
    told = ", ".join(
        f"{visible(name)} {'sits out' if wind == SITTER_OUT else f'is {WIND_NAMES[wind]}'}"
        for wind, name in seats.items()
    )
    number = {2: "Two", 3: "Three", 5: "Five"}[len(evening.position.players)]
    say(f"{number} play: {told}")
    return ask("Is that right? (yes, no)", "yes", ("yes", "no")).casefold() in _YES
