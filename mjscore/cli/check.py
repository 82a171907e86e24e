"""``mjscore check``: files of hands and tables, expected against computed."""

from __future__ import annotations

import gc
import glob
import os
import sys
from typing import TYPE_CHECKING

import click

from mjscore.cli.options import (
    bound,
    check_folder,
    end_refused,
    format_option,
    rulebook_options,
    takes_unicode,
)
from mjscore.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Generator

    from mjscore.batch.results import ChunkResult, Tally
    from mjscore.record.context import Context

_LONG_WORK = 1_000_000  # bytes; less is done before a progress bar could be read


@click.command(name="check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@rulebook_options
@click.option(
    "--round",
    "round_wind",
    type=click.Choice(("E", "S", "W", "N")),
    help="The round, where a file does not say.",
)
@click.option(
    "--jobs",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Processes to work with; 0 for all cores.",
)
@click.option(
    "--cluster",
    metavar="local|ADDRESS",
    help="Work on a Dask cluster (the extra mjscore[cluster]).",
)
@click.option(
    "--update",
    "target",
    type=click.Path(dir_okay=False),
    help="Write FILE to this new file, with the computed score behind every hand that has none.",
)
@format_option("csv", "summary")
def command(
    files: tuple[str, ...],
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    round_wind: str | None,
    jobs: int,
    cluster: str | None,
    target: str | None,
    output: str,
) -> None:
    """Check every hand and table of each FILE (`-` is standard input; gzip is unpacked).

    Prints only what does not hold, then a line that sums up; --format json prints one object a line as
    it goes, csv one row a hand, summary how often each error occurs.
    """
    from mjscore.record.context import Context

    bound(rulebook, settings, "text")
    paths = _expanded(files)
    for path in paths:
        check_folder(path)
    context = Context(rulebook, settings, round_wind, None, os.getcwd() if rulebook.endswith(".toml") else "")
    if target is not None:
        _update(paths, target, context)
        return
    tally = _run(paths, context, output, jobs or os.cpu_count() or 1, cluster)
    sys.exit(1 if tally.wrong else 0)


def _expanded(files: tuple[str, ...]) -> list[str]:
    """The files, with patterns that the shell left alone replaced by what they match."""
    paths: list[str] = []
    for name in files:
        matches = sorted(glob.glob(name)) if not os.path.exists(name) and glob.has_magic(name) else []
        paths += matches or [name]
    return paths


def _run(paths: list[str], context: Context, output: str, jobs: int, cluster: str | None) -> Tally:
    from mjscore.batch.results import CSV_COLUMNS, Tally
    from mjscore.batch.run import check_files

    tally = Tally()
    if output == "json" and not takes_unicode():
        output = "json-ascii"
    total = sum(os.path.getsize(path) for path in paths if path != "-")
    out = sys.stdout
    ended = ""
    gc.freeze()  # what is loaded stays: the collector need not look at it again
    results = (
        _on_cluster(paths, context, output, cluster) if cluster else check_files(paths, context, output, jobs)
    )
    bar = None
    if sys.stderr.isatty() and total > _LONG_WORK and (output != "text" or not sys.stdout.isatty()):
        bar = click.progressbar(length=total, label="checking", file=sys.stderr)
    try:
        if output == "csv":
            out.write(",".join(CSV_COLUMNS) + "\n")
        if bar is not None:
            bar.__enter__()
        for result in results:
            tally = tally.plus(result.tally)
            if result.text:
                out.write(result.text)
                out.flush()
            if bar is not None:
                bar.update(result.bytes_read)
        out.flush()
    except KeyboardInterrupt:
        ended = "interrupted"
    except BrokenPipeError:
        ended = "nobody reads any more"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        results.close()
        end_refused(
            Refusal(
                "unreadable", f"{error.filename or 'a file'}: {error.strerror or error}", "look at the file"
            )
        )
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
    if ended:
        results.close()
        click.echo(f"{ended}; so far: {_sum(tally)}", err=True)
        sys.exit(130 if ended == "interrupted" else 1)
    if output == "summary":
        _summary(tally)
    elif output == "text":
        click.echo(_sum(tally))
    return tally


def _on_cluster(
    paths: list[str], context: Context, output: str, cluster: str
) -> Generator[ChunkResult, None, None]:
    try:
        import distributed  # noqa: F401
    except ImportError:
        end_refused(
            Refusal(
                "no-cluster", "--cluster needs the extra", "pip install 'mjscore[cluster]', or use --jobs"
            )
        )
    from mjscore.batch.cluster import check_on_cluster

    return check_on_cluster(paths, context, output, None if cluster == "local" else cluster)


def _sum(tally: Tally) -> str:
    hands = f"{tally.hands} {'hand' if tally.hands == 1 else 'hands'}"
    tables = f"{tally.tables} {'table' if tally.tables == 1 else 'tables'}"
    tables += f", {tally.open_hands} hand open" if tally.open_hands else ""
    if not tally.wrong:
        return f"{hands} and {tables}: all hold"
    differ = tally.wrong - tally.refused
    parts = [
        f"{differ} {'differs' if differ == 1 else 'differ'}" if differ else "",
        f"{tally.refused} refused" if tally.refused else "",
    ]
    return f"{hands} and {tables}: {', '.join(part for part in parts if part)}"


def _summary(tally: Tally) -> None:
    from tabulate import tabulate

    click.echo(_sum(tally))
    if tally.codes:
        rows = sorted(tally.codes.items(), key=lambda pair: (-pair[1], pair[0]))
        click.echo(tabulate(rows, ["error", "times"], tablefmt="simple"))


def _update(paths: list[str], target: str, context: Context) -> None:
    from mjscore.batch.update import updated_file

    if len(paths) != 1 or paths[0] == "-":
        raise click.UsageError("--update copies one file")
    try:
        added = updated_file(paths[0], target, context)
    except FileExistsError:
        end_refused(
            Refusal("unwritable", f"{target} exists already", "name a new file; --update writes over nothing")
        )
    except OSError as error:
        end_refused(
            Refusal(
                "unwritable",
                f"{error.filename2 or error.filename or target}: {error.strerror or error}",
                "name a file in a folder of yours",
            )
        )
    click.echo(f"{added} {'score' if added == 1 else 'scores'} added in {target}")
