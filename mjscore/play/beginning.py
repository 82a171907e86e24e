"""A new evening: the head of its file, asked for by questions where it is not said, and not contradicted later."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import count
from typing import NamedTuple

from mjscore.counters.counter_sets import COUNTER_SETS
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.evening import Evening, read_evening
from mjscore.record.context import Occasion
from mjscore.record.lines import HeaderLine, Line, PlayersLine, SettingLine
from mjscore.refusal import Refused, escape_controls, refuse
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS, option_choices, option_text
from mjscore.rulebook.rulebook import Rulebook
from mjscore.settling.payment import SITTER_OUT

# answers a question, with a default and the answers that are known; EOFError where nobody answers
Ask = Callable[[str, str, Sequence[str]], str]
Say = Callable[[str], None]

DEFAULT_FILE = "evening.mj"
_SOME = "some"  # of a group's options: each is asked for
_YES = ("yes", "y")


class NewEvening(NamedTuple):
    """What the command line says of an evening; what it leaves out is None or empty. Files are named as seen from *folder*."""

    rulebook: str | None = None
    settings: Mapping[str, str] = {}
    players: Sequence[str] | None = None
    occasion: Occasion = Occasion()
    folder: str = ""

    def book(self) -> Rulebook:
        """Return the rulebook with the options that are said. Raises Refused."""
        return bind(self.rulebook or "harr", dict(self.settings), self.folder)

    def with_number(self) -> NewEvening:
        """Have the settings say how many play where the rulebook wants to be told."""
        number = len(self.players or ())
        if number == 4 or "players" not in self.book().options or "players" in self.settings:
            return self
        return self._replace(settings={**self.settings, "players": str(number)})


def beginning(asked: NewEvening) -> str:
    """Write the head of a new evening's file. Raises Refused for rules, players or counters that cannot be."""
    if not asked.players:
        raise refuse("player-count", "nobody")
    book, title = asked.book(), asked.occasion.title
    if '"' in title or not title.isprintable():
        raise refuse("bad-title")
    text = "".join(f"{line}\n" for line in _head(asked, book).values())
    try:
        read_evening(text, folder=asked.folder)
    except Refused as refused:
        refusal = refused.refusal
        if refusal.code == "player-count":
            refusal = refusal._replace(hint=_how_to_name(asked.players, book, refusal.hint))
        raise Refused(refusal._replace(file="", line=None, column=None)) from None
    return text


def _head(asked: NewEvening, book: Rulebook) -> dict[str, Line]:
    """Return the lines at the head of a file, each by the option of the command line that says it."""
    head: dict[str, Line] = {"-r": HeaderLine("rulebook", asked.rulebook or "harr")}
    head |= {f"-s {name}": SettingLine(name, option_text(book.options[name])) for name in asked.settings}
    head[""] = HeaderLine("rules", book.fingerprint)
    for field, value in asked.occasion._asdict().items():
        word = field.replace("_", "-")
        if value:
            head[f"--{word}"] = HeaderLine(word, "" if value is True else value)
    if asked.players is not None:
        head["--players"] = PlayersLine(tuple(asked.players))
    return head


def _how_to_name(players: Sequence[str], book: Rulebook, otherwise: str) -> str:
    """Return what to type where there are more or fewer names than players: quotes around a name of two words."""
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


def check_as_begun(evening: Evening, asked: NewEvening, file: str) -> None:
    """Raise Refused where the command line says another thing of an evening than its file does."""
    context, occasion, book = evening.state.context, evening.state.occasion, evening.state.book
    begun = NewEvening(context.rulebook, dict.fromkeys(book.options, ""), evening.position.players, occasion)
    again = asked._replace(rulebook=asked.rulebook or context.rulebook, folder=context.folder)
    if again.rulebook == context.rulebook:
        book = again.book()
    else:
        again = again._replace(settings={})  # they are not of this rulebook
    head = _head(begun, evening.state.book)
    for said, here in _head(again, book).items():
        option, _, _ = said.partition(" ")
        there = head.get(said, f"no line {said.removeprefix('--')}")
        if option and there != here:
            raise refuse("begun-otherwise", path=escape_controls(file), there=there, option=option, here=here)


def names_of(players: str) -> list[str]:
    """Return players as they are typed: between commas, else between spaces, a name with spaces in quotes."""
    if "," in players and '"' not in players:
        names = [name.strip().strip("'") for name in players.split(",")]
        return [name for name in names if name]
    try:
        return shlex.split(players.replace(",", " "))
    except ValueError:
        return players.replace('"', "").split()


def asked_file(ask: Ask, say: Say) -> str:
    """Return the file that the evening is kept in."""
    while True:
        names = (DEFAULT_FILE if number == 1 else f"evening-{number}.mj" for number in count(1))
        free = next(name for name in names if not os.path.exists(name))
        file = ask("File to keep the evening in", free, ())
        folder = os.path.dirname(file)
        if os.path.isdir(file):
            say(f"{escape_controls(file)} is a folder: type the name of a file")
        elif folder and not os.path.isdir(folder):
            say(f"there is no folder {escape_controls(folder)}: type another name")
        else:
            return file if os.path.splitext(file)[1] else f"{file}.mj"


def guided(asked: NewEvening, ask: Ask, say: Say) -> NewEvening:
    """Return the players of a new evening, and what else is still to be said, asked for until it can be.

    What *asked* has is not asked again. Raises Refused where that cannot be with these players.
    """
    guide = _Guide(ask, say)
    while True:
        chosen = guide.with_players(asked)
        chosen = guide.with_rulebook(chosen) if asked.rulebook is None else chosen.with_number()
        beginning(chosen)
        if not asked.settings:
            options = chosen.book().definition.options
            grouped = {member for option in options.values() for member in option.data.get("turns_on", ())}
            for name in [name for name in options if name not in {"players", *grouped}]:
                chosen = guide.with_option(chosen, name)
        if not asked.occasion.counters:
            chosen = guide.with_counters(chosen)
        evening = read_evening(beginning(chosen), folder=asked.folder)
        if len(evening.position.players) == 4 or guide.is_agreed(evening):
            return chosen


class _Guide(NamedTuple):
    """Who is asked and told."""

    ask: Ask
    say: Say

    def until_it_can_be(
        self, question: str, default: str, known: Sequence[str], change: Callable[[str], NewEvening]
    ) -> NewEvening:
        """Ask until an evening can begin with what *change* makes of the answer."""
        while True:
            try:
                chosen = change(self.ask(question, default, known))
                beginning(chosen)
                return chosen
            except Refused as refused:
                self.say(refused.refusal.render())

    def with_players(self, asked: NewEvening) -> NewEvening:
        """Ask who plays."""
        question = "Players, seated East, South, West, North (commas or spaces between)"
        while True:
            names = names_of(self.ask(question, "", ()))
            hint = "two to five can play; a name of two words in quotes, or commas between all"
            try:
                if 2 <= len(names) <= 5:
                    beginning(NewEvening("babcock" if len(names) == 5 else None, players=names).with_number())
                    return asked._replace(players=names)
                self.say(f"{len(names)} names: {hint}")
            except Refused as refused:
                self.say(refused.refusal.render())

    def with_rulebook(self, asked: NewEvening) -> NewEvening:
        """Ask for the rulebook."""
        for name in RULEBOOKS:
            self.say(f"  {name:<16} {bind(name).title}")
        default = "babcock" if len(asked.players or ()) == 5 else "harr"
        return self.until_it_can_be(
            "Rulebook, or a file of your own",
            default,
            tuple(RULEBOOKS),
            lambda name: asked._replace(rulebook=name).with_number(),
        )

    def with_option(self, asked: NewEvening, name: str) -> NewEvening:
        """Ask for one option; a group of which some are wanted is left, and its members are asked for."""
        book = asked.book()
        option = book.definition.options[name]
        members = [str(member) for member in option.data.get("turns_on", ())]
        choices = option_choices(option) + (_SOME,) * bool(members)

        def chosen(answer: str) -> NewEvening:
            if members and answer.strip() == _SOME:
                return reduce(self.with_option, members, asked)
            return asked._replace(settings={**asked.settings, name: answer.strip()})

        question = f"{option.title} ({', '.join(choices)})"
        return self.until_it_can_be(question, option_text(book.options[name]), choices, chosen)

    def with_counters(self, asked: NewEvening) -> NewEvening:
        """Ask for the counters, which may be none."""
        known, occasion = ("none", *COUNTER_SETS), asked.occasion
        return self.until_it_can_be(
            f"Counters ({', '.join(known)}, or a file)",
            "none",
            known,
            lambda name: asked._replace(occasion=occasion._replace(counters="" if name == "none" else name)),
        )

    def is_agreed(self, evening: Evening) -> bool:
        """Return whether two, three or five players are meant, who are said back."""
        told = ", ".join(
            f"{escape_controls(name)} {'sits out' if wind == SITTER_OUT else f'is {WIND_NAMES[wind]}'}"
            for wind, name in evening.state.seats.items()
        )
        number = {2: "Two", 3: "Three", 5: "Five"}[len(evening.position.players)]
        self.say(f"{number} play: {told}")
        return self.ask("Is that right? (yes, no)", "yes", ("yes", "no")).casefold() in _YES
