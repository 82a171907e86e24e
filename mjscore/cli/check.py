"""``mjscore check``: files of hands and tables, expected against computed."""

from __future__ import annotations

import gc
import glob
import os
import sys
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import click

from mjscore.cli import options
from mjscore.cli.completion import complete_file
from mjscore.cli.streams import csv_beginning, write_as_utf8
from mjscore.refusal import PROGRAM_FAULT, Refused, escape_controls, refuse
from mjscore.system import terminations

if TYPE_CHECKING:
    from collections.abc import Generator

    from mjscore.batch.run import Result
    from mjscore.record.context import Context

_LONG_WORK = 1_000_000  # bytes; less is done before a progress bar could be read


@click.command(name="check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_file)
@options.rulebook_options()
@options.round_option(help="The round, where a file does not say.")
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
@options.byte_order_mark_option
@options.format_option("csv", "summary", "github", "sarif", refused_in_json=False)
def command(
    files: tuple[str, ...],
    rules: options.Rules,
    round_wind: str | None,
    jobs: int,
    cluster: str | None,
    target: str | None,
    mark: bool,
    output: str,
) -> None:
    """Check every hand and table of each FILE (`-` is standard input; gzip is unpacked).

    Prints only what does not hold, then a line that sums up; --format json prints one object a line as
    it goes, csv one row a hand, summary how often each error occurs, github what is shown beside the lines of
    a change there, and sarif what other tools show in the same way.
    """
    if cluster == "":
        raise click.UsageError("--cluster names a scheduler, or local: --cluster local")
    rules.book()
    paths, missing = [], False
    # a pattern that the shell left alone stands for what it matches
    named = [[name] if os.path.exists(name) else sorted(glob.glob(name)) or [name] for name in files]
    for path in chain(*named):
        try:
            options.check_readable(path)
            paths.append(path)
        except Refused as refused:
            options.say_refusal(refused.refusal)
            missing = True
    if not paths or (missing and target is not None):
        sys.exit(2)
    context = rules.context(round_wind)
    if target is not None:
        _update(paths, target, context)
        return
    form = "json-ascii" if output == "json" and not options.takes_unicode() else output
    columns = options.message_width(sys.stdout)
    form = f"text {columns}" if output == "text" and columns else form
    if cluster:
        from mjscore.batch.cluster import check_on_cluster

        results = check_on_cluster(paths, context, form, None if cluster == "local" else cluster)
    else:
        from mjscore.batch.run import check_files

        results = check_files(paths, context, form, jobs or os.cpu_count() or 1)
    _print(results, paths, output, mark, missing)


def _print(
    results: Generator[Result, None, None], paths: list[str], output: str, mark: bool, missing: bool
) -> None:
    """Print results and what they come to, and end the program with its status; *missing* is whether a file was not there.

    What cannot be read is told, and the others are checked all the same.
    """
    from mjscore.batch.results import CSV_COLUMNS, SARIF
    from mjscore.page.tables import tabulated

    counts: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    gc.freeze()  # what is loaded stays: the collector need not scan it again
    unread, stopped, status = False, "", 0
    total = sum(os.path.getsize(path) for path in paths if path != "-")
    is_long = total > _LONG_WORK and sys.stderr.isatty()
    progress = click.progressbar(length=total, label="checking", file=sys.stderr, hidden=not is_long)
    try:
        with terminations(lambda: sys.exit(143)), progress as bar:
            if output == "csv":
                write_as_utf8(sys.stdout)
                sys.stdout.write(csv_beginning(mark) + ",".join(CSV_COLUMNS) + "\n")
            between = ","
            if output == "sarif":
                sys.stdout.write(SARIF[0])
                between = ""
            for result in results:
                if isinstance(result, OSError):
                    options.say_refusal(options.unreadable(result.filename, result).refusal)
                    unread = True
                    continue
                counts += result.counts
                codes += result.codes
                if result.text:
                    if is_long and sys.stdout.isatty():
                        click.echo("\r\x1b[K", nl=False, err=True)  # the line of the progress, for the output
                    sys.stdout.write(result.text if between else result.text[1:])
                    between = ","
                    sys.stdout.flush()
                bar.update(result.bytes_read)
            sys.stdout.write(f"{SARIF[1]}\n" if output == "sarif" else "")
            sys.stdout.flush()
    except SystemExit:
        stopped, status = "terminated; ", 143
    except KeyboardInterrupt:
        stopped, status = "interrupted; ", 130
    except BrokenPipeError:
        results.close()
        raise  # who read the output has gone, and wants no more
    except Refused as refused:
        if not counts:
            raise
        stopped, status = f"{refused.refusal.render(options.message_width())}\n", 2
    if stopped:
        results.close()
        click.echo(f"{stopped}so far: {_sum(counts, codes)}", err=True)
        sys.exit(status)
    if output in ("summary", "text", "github") and (counts or not unread):
        click.echo(_sum(counts, codes))
    if output == "summary" and codes:
        rows = sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))
        click.echo(tabulated(["error", "times"], rows, "lr", options.style()))
    sys.exit(3 if codes[PROGRAM_FAULT] else 2 if missing or unread else 1 if codes else 0)


def _sum(counts: Counter[str], codes: Counter[str]) -> str:
    from mjscore.page.text import counted

    tables = counted(counts["table"], "table", "tables")
    tables += f", {counts['open']} hand open" if counts["open"] else ""
    differ, faults = codes["differs"], codes[PROGRAM_FAULT]
    parts = [
        counted(differ, "differs", "differ") if differ else "",
        f"{counts['refused'] - faults} refused" if counts["refused"] > faults else "",
        counted(faults, "fault of the program", "faults of the program") if faults else "",
    ]
    held = ", ".join(filter(None, parts)) or "all hold"
    if not counts["compared"]:
        done = held if codes else "all can be counted" if counts["hand"] + counts["table"] else ""
        nothing = "nothing was compared: no line says what is expected (= 64)"
        held = "; ".join(filter(None, (done, nothing)))
    return f"{counted(counts['hand'], 'hand', 'hands')} and {tables}: {held}"


def _update(paths: list[str], target: str, context: Context) -> None:
    from mjscore.batch.results import as_text
    from mjscore.batch.update import updated_file
    from mjscore.page.text import counted

    if len(paths) != 1 or not os.path.isfile(paths[0]):
        raise click.UsageError("--update copies one file")
    if target in ("", "-"):
        raise click.UsageError("--update writes a new file: name it, --update new.mj")
    try:
        with terminations(lambda: sys.exit(143)):
            updated = updated_file(paths[0], target, context)
    except OSError as error:
        kind = "update-taken" if isinstance(error, FileExistsError) else "update"
        path = target if isinstance(error, FileExistsError) else error.filename2 or error.filename or target
        raise refuse("unwritable", kind, path=path, reason=error.strerror or error) from None
    click.echo(f"{counted(updated.added, 'score', 'scores')} added in {escape_controls(target)}")
    for checked in updated.wrong:
        click.echo(as_text(checked, options.message_width()), nl=False, err=True)
    if updated.wrong:
        lines = len({refusal.line for checked in updated.wrong for refusal in checked.refusals})
        differ = sum(not checked.refusals for checked in updated.wrong)
        refused = counted(lines, "line is refused", "lines are refused")
        parts = [refused] * bool(lines) + [counted(differ, "result differs", "results differ")] * bool(differ)
        click.echo(f"{' and '.join(parts)}: left as before", err=True)
        sys.exit(3 if any(checked.is_fault for checked in updated.wrong) else 1)
