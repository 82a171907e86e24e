"""A new evening: the head of its file, asked for by questions where it is not said, and not contradicted later."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import count
from typing import NamedTuple

from mjscore.counters.sets import COUNTER_SETS, load_counters
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.evening import Evening, read_evening
from mjscore.record.context import Occasion
from mjscore.record.lines import HeaderLine, Line, PlayersLine, SettingLine
from mjscore.refusal import Refused, refuse, visible
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.rulebook.entries import RULEBOOKS, option_choices, option_text
from mjscore.settling.payment import SITTER_OUT

# answers a question, with a default and the answers that are known; EOFError where nobody answers
Ask = Callable[[str, str, Sequence[str]], str]
Say = Callable[[str], None]

DEFAULT_FILE = "evening.mj"
_SOME = "some"  # of a group's options: each is asked for
_YES = ("yes", "y")


class Asked(NamedTuple):
    """What the command line says of an evening; what it leaves out is None or empty."""

    rulebook: str | None = None
    settings: Mapping[str, str] = {}
    players: Sequence[str] | None = None
    occasion: Occasion = Occasion()


def beginning(asked: Asked, folder: str = "") -> str:
    """Write the head of a new evening's file. Raises Refused for rules, players or counters that cannot be."""
    if not asked.players:
        raise refuse("player-count", "nobody")
    name = asked.rulebook or "harr"
    book = bind(name, dict(asked.settings), folder)
    occasion = asked.occasion
    if '"' in occasion.title or not occasion.title.isprintable():
        raise refuse("bad-title")
    lines: list[Line] = [HeaderLine("rulebook", name)]
    lines += [SettingLine(option, option_text(book.options[option])) for option in asked.settings]
    lines.append(HeaderLine("rules", book.fingerprint))
    lines += _remembered(occasion).values()
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


def _remembered(occasion: Occasion) -> dict[str, HeaderLine]:
    """Give the lines that remember an occasion, by their words."""
    said = {key.replace("_", "-"): value for key, value in occasion._asdict().items() if value}
    return {word: HeaderLine(word, "" if value is True else value) for word, value in said.items()}


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
    for option, there, here in _said_by_both(evening, asked):
        if there != here:
            raise refuse("begun-otherwise", path=visible(file), there=there, option=option, here=here)


def _said_by_both(evening: Evening, asked: Asked) -> Iterator[tuple[str, str, str]]:
    """Give each option of the command line, the line of the file that it stands for, and what it would be."""
    context = evening.state.context
    if asked.rulebook is not None:
        yield "-r", str(HeaderLine("rulebook", context.rulebook)), str(HeaderLine("rulebook", asked.rulebook))
    for option, value in asked.settings.items():
        there = option_text(evening.book.options.get(option, ""))
        tried = bind(context.rulebook, {**dict(context.settings), option: value}, context.folder)
        same = option_text(tried.options[option]) == there
        yield "-s", f"set {option} {there}", f"set {option} {there if same else value}"
    if asked.players is not None:
        yield "--players", str(PlayersLine(evening.position.players)), str(PlayersLine(tuple(asked.players)))
    begun = _remembered(evening.state.occasion)
    for word, line in _remembered(asked.occasion).items():
        yield f"--{word}", str(begun.get(word, f"no line {word}")), str(line)


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
        names = (DEFAULT_FILE if number == 1 else f"evening-{number}.mj" for number in count(1))
        free = next(name for name in names if not os.path.exists(name))
        file = ask("File to keep the evening in", free, ())
        folder = os.path.dirname(file)
        if os.path.isdir(file):
            say(f"{visible(file)} is a folder: type the name of a file")
        elif folder and not os.path.isdir(folder):
            say(f"there is no folder {visible(folder)}: type another name")
        else:
            return file if os.path.splitext(file)[1] else f"{file}.mj"


def guided(asked: Asked, ask: Ask, say: Say, folder: str = "") -> Asked:
    """Give the players of a new evening, and what else is still to be said, asked for until it can be.

    What *asked* has is not asked again.
    """
    guide = _Guide(ask, say, folder)
    while True:
        chosen = guide.with_players(asked)
        chosen = guide.with_rulebook(chosen) if asked.rulebook is None else guide.with_number(chosen)
        if not asked.settings:
            options = guide.bound(chosen).definition.options
            grouped = {member for option in options.values() for member in option.data.get("turns_on", ())}
            chosen = reduce(
                guide.with_option, (one for one in options if one not in {"players", *grouped}), chosen
            )
        if not asked.occasion.counters:
            chosen = guide.with_counters(chosen)
        evening = read_evening(beginning(chosen, folder), folder=folder)
        if len(evening.position.players) == 4 or guide.is_agreed(evening):
            return chosen


class _Guide(NamedTuple):
    """Who is asked and told, and the *folder* as seen from which files are named."""

    ask: Ask
    say: Say
    folder: str

    def until_taken(
        self, question: str, default: str, known: Sequence[str], take: Callable[[str], Asked | None]
    ) -> Asked:
        """Ask until *take* makes something of the answer, and does not refuse it."""
        while True:
            try:
                taken = take(self.ask(question, default, known))
            except Refused as refused:
                self.say(refused.refusal.render())
            else:
                if taken is not None:
                    return taken

    def with_players(self, asked: Asked) -> Asked:
        """Ask who plays."""

        def take(answer: str) -> Asked | None:
            names = names_of(answer)
            if not 2 <= len(names) <= 5:
                hint = "two to five can play; a name of two words in quotes, or commas between all"
                self.say(f"{len(names)} names: {hint}")
                return None
            beginning(Asked("babcock", {"players": "5"}, names) if len(names) == 5 else Asked(players=names))
            return asked._replace(players=names)

        question = "Players, seated East, South, West, North (commas or spaces between)"
        return self.until_taken(question, "", (), take)

    def bound(self, asked: Asked) -> Rulebook:
        """Give the rulebook with the options that are said. Raises Refused."""
        return bind(asked.rulebook or "harr", dict(asked.settings), self.folder)

    def with_number(self, asked: Asked) -> Asked:
        """Have the settings say how many play where the rulebook wants to be told."""
        number = len(asked.players or ())
        if number == 4 or "players" not in self.bound(asked).options or "players" in asked.settings:
            return asked
        return asked._replace(settings={**asked.settings, "players": str(number)})

    def with_rulebook(self, asked: Asked) -> Asked:
        """Ask for the rulebook."""

        def take(name: str) -> Asked:
            chosen = self.with_number(asked._replace(rulebook=name))
            beginning(chosen, self.folder)
            return chosen

        for name in RULEBOOKS:
            self.say(f"  {name:<16} {bind(name).title}")
        default = "babcock" if len(asked.players or ()) == 5 else "harr"
        return self.until_taken("Rulebook, or a file of your own", default, tuple(RULEBOOKS), take)

    def with_option(self, asked: Asked, name: str) -> Asked:
        """Ask for one option; a group of which some are wanted is left, and its members are asked for."""
        book = self.bound(asked)
        option = book.definition.options[name]
        members = [str(member) for member in option.data.get("turns_on", ())]
        choices = option_choices(option) + (_SOME,) * bool(members)

        def take(answer: str) -> Asked:
            if members and answer.strip() == _SOME:
                return reduce(self.with_option, members, asked)
            chosen = asked._replace(settings={**asked.settings, name: answer.strip()})
            self.bound(chosen)
            return chosen

        question = f"{option.title} ({', '.join(choices)})"
        return self.until_taken(question, option_text(book.options[name]), choices, take)

    def with_counters(self, asked: Asked) -> Asked:
        """Ask for the counters, which may be none."""

        def take(name: str) -> Asked:
            kept = "" if name == "none" else name
            if kept:
                load_counters(name, self.folder)
            return asked._replace(occasion=asked.occasion._replace(counters=kept))

        known = ("none", *COUNTER_SETS)
        return self.until_taken(f"Counters ({', '.join(known)}, or a file)", "none", known, take)

    def is_agreed(self, evening: Evening) -> bool:
        """Tell whether two, three or five players are meant, who are said back."""
        told = ", ".join(
            f"{visible(name)} {'sits out' if wind == SITTER_OUT else f'is {WIND_NAMES[wind]}'}"
            for wind, name in evening.seats.items()
        )
        number = {2: "Two", 3: "Three", 5: "Five"}[len(evening.position.players)]
        self.say(f"{number} play: {told}")
        return self.ask("Is that right? (yes, no)", "yes", ("yes", "no")).casefold() in _YES
