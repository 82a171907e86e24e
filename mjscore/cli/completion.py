"""Shell completion of the word under the cursor: rulebooks, options and their values, counters, files."""

import glob
import os
from collections.abc import Mapping
from typing import cast

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

from mjscore.counters.counter_sets import COUNTER_SETS
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refused
from mjscore.rulebook.binding import read_rulebook
from mjscore.rulebook.entries import RULEBOOKS, RuleEntry, option_choices

Items = list[CompletionItem]


def complete_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Offer files, whose names the shell itself looks up."""
    return [CompletionItem(incomplete, type="file")]


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Offer the shipped rulebooks, or sets of counters, and TOML files; if none matches, any file."""
    files = sorted(glob.glob(f"{glob.escape(incomplete)}*", include_hidden=True))
    names = COUNTER_SETS if param.name == "counters" else RULEBOOKS
    known = (*names, *(file for file in files if file.endswith(".toml")))
    return beginning_so(dict.fromkeys(known), incomplete) or complete_file(ctx, param, incomplete)


def complete_seat(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Offer the four winds."""
    return beginning_so(WIND_NAMES, incomplete)


def complete_code(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Offer the codes of refusals, and the words of the game."""
    from mjscore.page.glossary import glossary
    from mjscore.page.manual import explanations

    known = {name: entry.means for table in (explanations(), glossary()) for name, entry in table.items()}
    return beginning_so(known, incomplete)


def complete_topic(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Offer the topics of help."""
    from mjscore.page.manual import GUIDES, TOPICS

    group = cast(click.Group, ctx.find_root().command)
    return beginning_so(dict.fromkeys((*TOPICS, *GUIDES, *group.list_commands(ctx))), incomplete)


def beginning_so(words: Mapping[str, str | None], incomplete: str) -> Items:
    """Return the *words* that begin with *incomplete*, each with its meaning."""
    return [CompletionItem(word, help=means) for word, means in words.items() if word.startswith(incomplete)]


def complete_setting(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Offer options of the rulebooks of -r (default harr; all if there is no -r), or an option's values."""
    takes_rulebook = any(param.name == "rulebook" for param in ctx.command.params)
    options: dict[str, RuleEntry] = {}
    for name in ctx.params.get("rulebook") or (("harr",) if takes_rulebook else RULEBOOKS):
        try:
            options.update(read_rulebook(name).options)
        except Refused:
            continue
    key, equals, value = incomplete.partition("=")
    fitting = [name for name in options if name.startswith(key)] if not equals else [key] * (key in options)
    if len(fitting) != 1:
        return [CompletionItem(f"{name}=", help=options[name].title) for name in fitting]
    (name,) = fitting
    option = options[name]
    return beginning_so(
        {f"{name}={choice}": option.title for choice in option_choices(option)}, f"{name}={value}"
    )


class _Bash(BashComplete):
    """Joins KEY=VALUE, which bash completes as separate words, into one word again."""

    name = "bash"
    key = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        words = split_arg_string(os.environ["COMP_WORDS"])
        last = int(os.environ["COMP_CWORD"])
        args: list[str] = []
        for word in (*words[1:last], *(words[last : last + 1] or [""])):
            self.key = args.pop() if args and (word == "=" or args[-1].endswith("=")) else ""
            args.append(self.key + word)
        incomplete = args.pop()
        self.key = incomplete[: incomplete.index("=") + 1] if self.key else ""
        return args, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value.removeprefix(self.key)}"


def prepare_completion() -> None:
    """Make click use ``_Bash`` for bash; correct variables that the shell set wrongly or not at all."""
    add_completion_class(_Bash)
    words, word = os.environ.setdefault("COMP_WORDS", "mjscore"), os.environ.get("COMP_CWORD", "")
    if os.environ["_MJSCORE_COMPLETE"].startswith("fish"):  # fish passes the word itself
        os.environ["COMP_CWORD"] = word if split_arg_string(word) else ""
    elif not (word.isdecimal() and len(word) < 5 and 0 < int(word) <= len(split_arg_string(words))):
        os.environ["COMP_CWORD"] = "1"
