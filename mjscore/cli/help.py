"""``mjscore help``: a command's help, and how hands and files are written."""

from typing import cast

import click

from mjscore.cli import options, printing
from mjscore.page.manual import GUIDES, TOPICS, topic_text
from mjscore.refusal import did_you_mean


@click.command(name="help")
@click.argument("topic", required=False, shell_complete=options.offered("topic"))
@options.rulebook_options()
@options.pager_option
@options.format_option()
@click.pass_context
def command(ctx: click.Context, topic: str | None, rules: options.Rules, output: str) -> None:
    """Help on TOPIC: notation (how a hand is written), files, a guide or a command.

    \b
    mjscore help notation
    mjscore help evening
    """
    root = ctx.find_root()
    group = cast(click.Group, root.command)
    if topic is None:
        formatter = root.make_formatter()
        topics = {"notation": "how a hand is written", "files": "how a file of hands is written"}
        with formatter.section("Topics, by mjscore help TOPIC"):
            formatter.write_dl(list((topics | GUIDES).items()))
        text = f"{group.get_help(root)}\n\n{formatter.getvalue().rstrip()}"
    elif topic in (*TOPICS, *GUIDES):
        style = printing.style()
        text = topic_text(topic, style._replace(colour=style.colour and output == "text"))
    else:
        named = group.get_command(ctx, topic)
        if named is None:
            known = (*TOPICS, *GUIDES, *group.list_commands(ctx))
            hint = did_you_mean(topic, known, f"topics: {', '.join(known)}")
            raise click.UsageError(f"No topic {topic!r}. {hint[:1].upper()}{hint[1:]}")
        with click.Context(named, info_name=topic, parent=root) as context:
            text = named.get_help(context)
    if output == "json":
        printing.print_json({"topic": topic, "text": text})
    else:
        printing.show_long(text)
