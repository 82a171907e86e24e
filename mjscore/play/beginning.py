"""Beginning an evening: the head of its file, questions for what is missing, a check against an existing file."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from mjscore.counters.counter_sets import COUNTER_SETS, NO_SET
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.vocabulary import plain
from mjscore.play.evening import EveningFile, read_evening
from mjscore.play.offers import says
from mjscore.record.context import Occasion
from mjscore.record.lines import HeaderLine, Line, PlayersLine, SettingLine
from mjscore.refusal import Refused, did_you_mean, escape_controls, refuse
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS, OptionValue, option_choices, option_text, rulebook_called
from mjscore.rulebook.rulebook import Rulebook
from mjscore.settling.payment import SITTER_OUT

# returns the answer at a prompt, given some known answers; raises EOFError if nobody answers
Ask = Callable[[str, Sequence[str]], str]
Say = Callable[[str], None]

DEFAULT_FILE = "evening.mj"
_AND = r"(?:and|then|und|en|et|&|\+)"
_PARTED = re.compile(rf"[,;]|(?<!\S){_AND}(?!\S)")
# rules in one breath: babcock with the babcock counters, a limit of 600 without seasons
_RULES_PARTED = re.compile(
    rf"{_PARTED.pattern}|(?i:(?<!\S)(?:at|using|with)(?!\S)|(?<=\s)(?=(?:no|without)\s))"
)
_A_WIND = "|".join(f"{wind}|{name}" for wind, name in WIND_NAMES.items())
_WINDS = {word.casefold(): wind for wind, name in WIND_NAMES.items() for word in (wind, name)}
_WIND_TOLD = re.compile(rf"(?i:(?P<wind>{_A_WIND})[:=](?P<name>.+)|(?P<before>.+?)[:=](?P<behind>{_A_WIND}))")
_WIND_SIGN = re.compile(rf"(?i:\b(?:{_A_WIND}) ?[:=]|[:=] ?(?:{_A_WIND})\b)")
_EAST_FIRST = re.compile(
    r"\A(?:east(?: is|['’]s) ([^\s,;:=]+)|([^\s,;:=]+) is east)(?=[,;] (?!\S+ is ))", re.IGNORECASE
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_LONGEST_NAME = 3  # words, without quotes
_ALWAYS = ("limit", "seasons")  # mentioned even with their usual values
_FLAGS = ("bank", "pair-by-pair")
_FILLING = (
    "a", "by", "for", "his", "is", "its", "of", "own", "play", "rulebook", "rules", "set", "the", "their", "to", "we",
)  # fmt: skip
_ABOUT_PLAYERS = (
    "Two to five can play: Ann, Ben, Cid and Dee; or each with a wind, E: Ann, S: Ben. Without commas, put a name of two words"
    " in quotes. The fifth sits out first."
)
_ABOUT_RULES = "Type as many as you like: babcock, limit 500, no seasons, counters harr. With this rulebook:"


class NewEvening(NamedTuple):
    """What the command line says about an evening; other fields are None or empty. Files are relative to *folder*."""

    rulebook: str | None = None
    settings: Mapping[str, str] = {}
    players: Sequence[str] | None = None
    occasion: Occasion = Occasion()
    folder: str = ""

    def book(self) -> Rulebook:
        """Return the rulebook with the given options. Raises Refused."""
        return bind(self.rulebook or "harr", dict(self.settings), self.folder)

    def with_number(self) -> NewEvening:
        """Return these wishes with the number of players in the settings, if the rulebook has an option for that number."""
        number = len(self.players or ())
        if number == 4 or "players" not in self.book().options or "players" in self.settings:
            return self
        return self._replace(settings={**self.settings, "players": str(number)})


def beginning(wanted: NewEvening) -> str:
    """Return the head of a new evening's file. Raises Refused for impossible rules, players or titles."""
    if not wanted.players:
        raise refuse("player-count", "nobody")
    book, title = wanted.book(), wanted.occasion.title
    if '"' in title or not title.isprintable():
        raise refuse("bad-title")
    text = "".join(f"{line}\n" for line in _head(wanted, book).values())
    try:
        read_evening(text, folder=wanted.folder)
    except Refused as refused:
        refusal = refused.refusal
        if refusal.code == "player-count":
            refusal = refusal._replace(hint=_how_to_name(wanted.players, book, refusal.hint))
        raise Refused(refusal._replace(file="", line=None, column=None)) from None
    return text


def _head(wanted: NewEvening, book: Rulebook) -> dict[str, Line]:
    """Return the head's lines by the option that sets each; the fingerprint, which none sets, under ""."""
    head: dict[str, Line] = {"-r": HeaderLine("rulebook", wanted.rulebook or "harr")}
    head |= {f"-s {name}": SettingLine(name, option_text(book.options[name])) for name in wanted.settings}
    head[""] = HeaderLine("rules", book.fingerprint)
    for field, value in wanted.occasion._asdict().items():
        word = field.replace("_", "-")
        if value:
            head[f"--{word}"] = HeaderLine(word, "" if value is True else value)
    if wanted.players is not None:
        head["--players"] = PlayersLine(tuple(wanted.players))
    return head


def _how_to_name(players: Sequence[str], book: Rulebook, otherwise: str) -> str:
    """Return what to type if the rules are for another number of players, or *otherwise* if no hint fits."""
    count = len(players)
    hints = []
    if count > 4:
        quoted = " ".join([*players[:2], f"'{players[2]} {players[3]}'", *players[4:]])
        hints.append(f'put a name of two words in quotes: --players "{quoted}"')
    if "players" in book.options and 2 <= count <= 5:
        hints.append(f"for {count} players add -s players={count}")
    elif count == 5:
        hints.append("for five players add -r babcock -s players=5")
    return "; ".join(hints) or otherwise


def check_as_begun(evening: EveningFile, wanted: NewEvening, file: str) -> None:
    """Raise Refused if the command line contradicts the evening's file."""
    context, occasion, book = evening.state.context, evening.state.occasion, evening.state.book
    begun = NewEvening(context.rulebook, dict.fromkeys(book.options, ""), evening.position.players, occasion)
    again = wanted._replace(rulebook=wanted.rulebook or context.rulebook, folder=context.folder)
    if again.rulebook == context.rulebook:
        book = again.book()
    else:
        again = again._replace(settings={})  # they belong to another rulebook
    head = _head(begun, evening.state.book)
    for said, here in _head(again, book).items():
        option, _, _ = said.partition(" ")
        there = head.get(said, f"no line {said.removeprefix('--')}")
        if option and there != here:
            raise refuse("begun-otherwise", path=escape_controls(file), there=there, option=option, here=here)


def names_of(players: str) -> list[str]:
    """Split a list of players at commas or semicolons; else, or with double quotes, at spaces too.

    If winds are given, ``E: Ann`` or ``Ann=E``, the players are returned from East. Raises Refused if only
    some have one (the fifth needs none) or two have the same.
    """
    text = _EAST_FIRST.sub(r"\1\2", " ".join(players.split()))
    has_winds = _WIND_SIGN.search(_QUOTED.sub("", text))
    text = re.sub(" ?([:=]) ?", r"\1", text) if has_winds else text
    if re.search("[,;]", text) and '"' not in text:
        names = [name.strip(" '") for name in _PARTED.split(text)]
    else:
        try:
            names = shlex.split(re.sub("[,;]", " ", text))
        except ValueError:
            names = text.replace('"', "").split()
        names = [name for name in names if not re.fullmatch(_AND, name)]
    names = [name for name in names if name]
    return _from_east(names) if has_winds else names


def _from_east(names: Sequence[str]) -> list[str]:
    """Return players in the order of the winds typed with their names; unchanged without winds. Raises Refused."""
    seated: dict[str, str] = {}
    left: list[str] = []
    for name in names:
        placed = _WIND_TOLD.fullmatch(name)
        if placed:
            wind = _WINDS[(placed["wind"] or placed["behind"]).casefold()]
            seated[wind] = (placed["name"] or placed["before"]).strip("'")
        else:
            left.append(name)
    if seated and (len(seated) + len(left) < len(names) or len(left) > (len(names) == 5)):
        raise refuse("player-count", "winds")
    return [*(seated[wind] for wind in "ESWN" if wind in seated), *left]


def as_played(evening: EveningFile) -> NewEvening:
    """Return an evening's rules, players and counters, to begin another; rulebook files by absolute path."""
    context, occasion = evening.state.context, evening.state.occasion
    book, folder = context.rulebook, os.path.abspath(context.folder)
    return NewEvening(
        os.path.join(folder, book) if book.endswith(".toml") else book,
        {name: value for name, value in context.settings if name != "players"},
        evening.position.players,
        occasion._replace(title="", date=""),
    )


def read_as_played(text: str) -> NewEvening | None:
    """Return rules, players and counters from the head of a file; None if they can no longer be used."""
    try:
        return as_played(read_evening(text)) if text else None
    except Refused:
        return None


def free_file() -> str:
    """Return the first default file name that does not exist yet."""
    names = (DEFAULT_FILE if number == 1 else f"evening-{number}.mj" for number in count(1))
    return next(name for name in names if not os.path.exists(name))


class Guide(NamedTuple):
    """The dialogue that begins an evening, of two questions: who plays, and by which rules.

    *given* are the wishes known before, *last* the rules of the last evening; *chosen* is what the second question
    proposes, None before that question; *agreed* ends the dialogue. *told* is the word before the proposal; *asks* is
    false if only the players are to be asked for.
    """

    given: NewEvening
    last: NewEvening | None = None
    chosen: NewEvening | None = None
    agreed: bool = False
    told: str = "By"
    asks: bool = True

    @property
    def question(self) -> str:
        """Return the question to ask."""
        if self.chosen is not None:
            wanted = (
                "Enter for yes; or type a rulebook or anything else to change (? lists it, back: who plays)"
            )
            return f"{self.told}: {told_rules(self.chosen)}? {wanted}"
        players = self.last.players if self.last is not None else None
        again = f" Enter: {_listed(players)}." if players else ""
        return f"Who plays? In order from East.{again} (? explains, quit ends)"

    @property
    def prompt(self) -> str:
        """Return the prompt."""
        return "players> " if self.chosen is None else "rules> "

    @property
    def known(self) -> list[str]:
        """Return the answers that can be completed."""
        if self.chosen is None:
            return ["quit"]
        options = [name for name in self.chosen.book().options if name != "players"]
        counters = [f"counters {name}" for name in (*COUNTER_SETS, NO_SET)]
        return [*RULEBOOKS, *options, *counters, "back", "quit"]

    def after(self, answer: str) -> tuple[Guide, str]:
        """Return the dialogue after an answer, and a reply to print, maybe empty. Raises Refused for a bad answer."""
        said, chosen = answer.strip().casefold(), self.chosen
        if said == "?":
            return self, _ABOUT_PLAYERS if chosen is None else _about_rules(chosen)
        if chosen is None:
            return self._seated(answer) if said != "back" else (self, "this is the first question")
        if said == "back":
            settings = {name: value for name, value in chosen.settings.items() if name != "players"}
            given = chosen._replace(players=None, settings=settings)
            return Guide(given, chosen, told="So"), ""
        if not said or says(said, "yes", "usual"):
            return self._replace(agreed=True), ""
        try:
            for words in filter(str.strip, _RULES_PARTED.split(answer)):
                chosen = _otherwise(chosen, words.split())
        except Refused:
            names = {word for name in chosen.players or () for word in plain(name).split()}
            told = plain(answer).split()
            if names.isdisjoint((*told, *(word.removesuffix("s") for word in told))):
                raise
            raise refuse("bad-line", "early") from None  # a score already
        chosen = chosen.with_number()
        beginning(chosen)
        return self._replace(chosen=chosen, told="So"), ""

    def _seated(self, answer: str) -> tuple[Guide, str]:
        """Return the dialogue after the players are named, and who sits where. Raises Refused."""
        names = names_of(answer) or (list(self.last.players or ()) if self.last is not None else [])
        if not 2 <= len(names) <= 5:
            raise refuse("player-count", "named", count=len(names))
        long = next(filter(_is_phrase, names), "")
        if long and '"' not in answer:
            raise refuse("player-count", "phrase", name=escape_controls(long))
        ways = [(self.told, self.given)]
        if self.last is not None:
            way = self._as_last(self.last)
            is_last = (way.rulebook, dict(way.settings)) == (self.last.rulebook, dict(self.last.settings))
            ways.insert(0, ("As last time" if is_last and self.told == "By" else self.told, way))
        if self.given.rulebook is None or self.told == "So":  # Babcock's rules have a place for five
            ways += [("By", self.given._replace(rulebook="babcock"))]
        for told, way in ways:
            try:
                chosen = way._replace(players=names).with_number()
                seats = read_evening(beginning(chosen), folder=chosen.folder).state.seats
            except Refused as refused:
                unfit = refused
                continue
            places = {**{wind: f"is {name}" for wind, name in WIND_NAMES.items()}, SITTER_OUT: "sits out"}
            seated = _listed([f"{name} {places[wind]}" for wind, name in seats.items()])
            return self._replace(chosen=chosen, told=told, agreed=not self.asks), seated
        raise unfit

    def _as_last(self, last: NewEvening) -> NewEvening:
        """Return the wishes that are given, completed by the rules and counters of the *last* evening."""
        given = self.given
        if given.rulebook is None:
            given = given._replace(rulebook=last.rulebook, settings={**last.settings, **given.settings})
        if not given.occasion.counters:
            kept = last.occasion._replace(title=given.occasion.title, date=given.occasion.date)
            given = given._replace(occasion=kept)
        return given


def told_rules(evening: NewEvening) -> str:
    """Return an evening's rules as text that can be typed: rulebook, limit, counters, and every unusual option."""
    book, occasion = evening.book(), evening.occasion
    counted = {"players": book.players} if "players" in book.options else {}
    usual = bind(evening.rulebook or "harr", counted, evening.folder)
    grouped = [name for entry in book.definition.options.values() for name in entry.data.get("turns_on", ())]
    whole = book.options.get("optional") == "all"
    told = {
        name: _told_option(name, value)
        for name, value in book.options.items()
        if name in _ALWAYS or (value != usual.options[name] and not (whole and name in grouped))
    }
    told.pop("players", None)
    limit = [told.pop("limit")] if "limit" in told else []
    kept = [f"counters {occasion.counters}" if occasion.counters else "no counters"]
    kept += ["bank"] * occasion.bank + ["pair-by-pair"] * occasion.pair_by_pair
    return escape_controls(", ".join([evening.rulebook or "harr", *limit, *kept, *told.values()]))


def _told_option(name: str, value: OptionValue) -> str:
    if value in (False, None) or option_text(value) == "off":
        return f"no {name}"
    return name if value is True else f"{name} {option_text(value)}"


def _otherwise(evening: NewEvening, words: Sequence[str]) -> NewEvening:
    """Return an evening with the rulebook, option or counters that some words name. Raises Refused."""
    if not any(word.endswith(".toml") for word in words):
        words = [word for word in words if word.casefold() not in _FILLING]
    book = _book_named([re.sub("['’]s?$", "", word) for word in words])
    if book:
        return evening._replace(rulebook=book, settings={})
    options = evening.book().definition.options
    without, name, rest = _named_in(words, options)
    if name in ("counters", *_FLAGS) and not (name in _FLAGS and rest):
        return evening._replace(occasion=_with_counters(evening, name, rest, without))
    if name not in options or (without and rest):
        near, typed = did_you_mean(name, [*options, *RULEBOOKS, "counters", *_FLAGS]), " ".join(words)[:40]
        raise refuse("unknown-option", "table", book=evening.rulebook or "harr", typed=typed, near=near)
    choices = option_choices(options[name])
    off, on = (next((one for one in some if one in choices), "") for some in (("off", "none"), ("on", "all")))
    value = off if without else rest or on
    return evening._replace(settings={**evening.settings, name: value})


def _with_counters(evening: NewEvening, name: str, rest: str, without: bool) -> Occasion:
    """Return the occasion with other counters (the rulebook's own if *rest* is empty), or a flag set or removed."""
    if name in _FLAGS:
        flag: dict[str, Any] = {name.replace("-", "_"): not without}
        return evening.occasion._replace(**flag)
    own = next((one for one in COUNTER_SETS if (evening.rulebook or "harr").startswith(one)), "")
    none = without or rest.casefold() == NO_SET
    return evening.occasion._replace(counters="" if none else rest or own)


def _book_named(words: Sequence[str]) -> str:
    """Return the rulebook that *words* name, as in "babcock" or "babcock's red book"; empty if they name none."""
    book, first, others = (rulebook_called("-".join(some)) for some in (words, words[:1], words[1:]))
    return book if book in RULEBOOKS or book.endswith(".toml") else first if first == others else ""


def _is_phrase(name: str) -> bool:
    """Return whether a name is rather a part of a sentence, as "It's Ann"."""
    words = name.split()
    return len(words) > _LONGEST_NAME or (len(words) > 1 and any(says(word, "talk") for word in words))


def _named_in(words: Sequence[str], options: Collection[str]) -> tuple[bool, str, str]:
    """Return whether *words* begin with "no" or "without", the option named, and its value ("limit 600")."""
    without = " ".join(words[:1]).casefold() in ("no", "without")
    name, *others = words[without:] or [""]
    if name not in options and others[-1:] in (["counters"], ["limit"]):
        name, *others = others[-1], name, *others[:-1]
    if name.isdecimal() and not others and "limit" in options:
        name, others = "limit", [name]
    return without, name.casefold(), " ".join(others)


def _about_rules(evening: NewEvening) -> str:
    """Return lines about every rule that can be chosen, with its current value."""
    book = evening.book()
    options = book.definition.options
    told = [f"  {name}: {bind(name).title}" for name in RULEBOOKS]
    told += [
        f"  {_told_option(name, book.options[name])}: {entry.title} ({', '.join(option_choices(entry))})"
        for name, entry in options.items()
        if name != "players" and (book.options.get(entry.data.get("needs", ""), True))
    ]
    told.append(f"  counters: {', '.join((*COUNTER_SETS, NO_SET))}, or a file; {', '.join(_FLAGS)}")
    return "\n".join([_ABOUT_RULES, *told])


def _listed(names: Sequence[str] | None) -> str:
    return ", ".join(map(escape_controls, names or ()))


def guided(wanted: NewEvening, ask: Ask, say: Say, last: NewEvening | None = None) -> NewEvening:
    """Return the players and rules of a new evening, asked for until they fit; what *wanted* has is not asked for.

    *say* prints the questions, and why an answer is refused. Raises EOFError if the user gives up.
    """
    is_said = bool(wanted.rulebook and wanted.settings and wanted.occasion.counters)
    guide = Guide(wanted, last, asks=not is_said)
    while not guide.agreed or guide.chosen is None:
        say(guide.question)
        answer = ask(guide.prompt, guide.known)
        if answer.strip().casefold() in ("quit", "q"):
            raise EOFError
        try:
            guide, told = guide.after(answer)
            if told:
                say(told)
        except Refused as refused:
            say(refused.refusal.render())
    return guide.chosen
