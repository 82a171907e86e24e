"""``mjscore explain``: what a refusal means and how to mend it; what a word of the game means and scores."""

import shlex
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from click.testing import CliRunner

from mjscore.cli import options, printing
from mjscore.page import manual
from mjscore.page.glossary import glossary, word_called
from mjscore.refusal import did_you_mean, refuse
from mjscore.rulebook.binding import forget_rulebooks


@click.command(name="explain")
@click.argument("words", metavar="[CODE|WORD]", nargs=-1, shell_complete=options.offered("code"))
@options.rulebook_options()
@options.tiles_option
@options.pager_option
@options.format_option("markdown")
def command(words: tuple[str, ...], rules: options.Rules, tile_style: str | None, output: str) -> None:
    """Explain the refusal with CODE after its message, or a WORD of the game and what it is worth; or list them all.

    \b
    mjscore explain fifth-tile
    mjscore explain loose tile -r babcock
    mjscore explain words
    """
    table = manual.explanations()
    code = " ".join(words).strip("[]") or None
    if code is not None and code not in table:
        word = word_called(code)
        if word is None and code != "words":
            near = did_you_mean(code.casefold(), (*table, *glossary()), "mjscore explain lists them all")
            raise refuse("unknown-code", asked=code[:40], near=near)
        found, book, style = [word] if word else list(glossary().values()), rules.book(), printing.style()
        if output == "markdown":
            click.echo(manual.words_page(found, book), nl=False)
        elif output == "json":
            printing.print_json(*(manual.words_json(word, book) for word in found))
        else:
            printing.show_long("\n\n".join(manual.show_word(word, book, style, tile_style) for word in found))
        return
    entries = list(table.values()) if code is None else [table[code]]
    if output == "markdown":
        click.echo(manual.markdown_page(entries, refusal_of), nl=False)
    elif output == "json":
        more = {} if code is None else {"refusal": refusal_of(table[code])}
        printing.print_json(*(entry.as_json() | more for entry in entries))
    elif code is not None:
        printing.show_long(manual.show_explanation(table[code], refusal_of(table[code]), printing.style()))
    else:
        printing.show_long(manual.show_explanations(entries, printing.style()))


def refusal_of(explanation: manual.Explanation) -> str:
    """Return the refusal that an explanation shows: stored, or of its example run now, caches emptied."""
    if explanation.shown:
        return explanation.shown
    program = click.get_current_context().find_root().command
    forget_rulebooks()  # different examples use the same file name
    with TemporaryDirectory() as folder, chdir(folder):
        for name, text in explanation.files.items():
            Path(name).write_bytes(manual.file_content(text))
        arguments = shlex.split(explanation.example)[1:]
        named = "settings.toml" if "settings.toml" in explanation.files else ""
        # an example must not depend on the user's own files
        own = {"MJSCORE_SETTINGS": named, "MJSCORE_RULEBOOK": None, "XDG_STATE_HOME": f"{folder}/state"}
        environment = {"COLUMNS": "1000", **own}
        result = CliRunner().invoke(program, arguments, input=explanation.input, env=environment)
    return manual.refusal_in(result.output, explanation.code)
