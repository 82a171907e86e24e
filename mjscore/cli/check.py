"""``mjscore check``: files of hands and tables, expected scores against computed ones."""

import gc
import glob
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable
from itertools import chain

import click

from mjscore.batch.corrections import Correction, corrected_file
from mjscore.batch.results import SARIF, csv_columns, csv_text
from mjscore.batch.run import Result, check_files
from mjscore.cli import file_access, options, printing
from mjscore.cli.streams import csv_beginning, write_as_utf8
from mjscore.page.tables import tabulated
from mjscore.page.text import counted
from mjscore.record.context import Context
from mjscore.record.spreadsheet import Sheet
from mjscore.refusal import PROGRAM_FAULT, Refused, escape_controls, refuse
from mjscore.system import cores, terminations

_LONG_WORK = 1_000_000  # bytes; less is checked before anyone could read a progress bar
_CORRECTED = {"fixed": ("line", "lines"), "changed": ("figure", "figures"), "added": ("score", "scores")}
_WORK_FOR_MANY = 200_000  # bytes, some 5,000 lines; less is checked before other processes have started


def _jobs(context: click.Context, parameter: click.Parameter, value: str) -> int | None:
    """Return the number of processes: 0 for all cores, None for ``auto``. Raises BadParameter."""
    if value != "auto" and not (value.isdecimal() and len(value) < 10):
        raise click.BadParameter(
            f"{value!r} is not a number of processes; type, for example, --jobs 2, or auto"
        )
    return None if value == "auto" else int(value)


@click.command(name="check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=options.offered("file"))
@options.rulebook_options()
@options.round_option(help="The round, if a file does not name one.")
@click.option(
    "--jobs",
    default="auto",
    show_default=True,
    metavar="N|auto",
    callback=_jobs,
    help="How many processes to use; auto: all cores from about 5,000 lines on.",
)
@click.option(
    "--cluster",
    metavar="local|ADDRESS",
    help="Use a Dask cluster (needs distributed).",
)
@click.option(
    "--fix", is_flag=True, help="Replace each refused line by the line that its refusal offers, if any."
)
@click.option(
    "--accept",
    is_flag=True,
    help="Write the computed figures in place of the expected ones, or where these are missing.",
)
@click.option(
    "--update",
    "target",
    type=click.Path(dir_okay=False),
    help="Write FILE to this new file, with the computed score behind every hand that has none; with --fix and --accept, "
    "corrected there.",
)
@options.column_options
@options.byte_order_mark_option
@options.format_option("csv", "summary", "github", "sarif", refused_in_json=False)
def command(
    files: tuple[str, ...],
    rules: options.Rules,
    round_wind: str | None,
    jobs: int | None,
    cluster: str | None,
    fix: bool,
    accept: bool,
    target: str | None,
    column: str | None,
    expected: str | None,
    mark: bool,
    output: str,
) -> None:
    """Check every hand and table of each FILE (`-` is standard input; gzip is unpacked), or the hands of a CSV or TSV.

    Prints only the lines that are wrong, then a summary. --format json prints an object for each line as it goes, csv a row
    for each hand, summary how often each error occurs; github annotates the lines of a change on GitHub, and sarif is
    for other services.
    """
    if cluster == "":
        raise click.UsageError("--cluster needs a scheduler, or local: --cluster local")
    rules.book()
    sources, missing = _sources(files, column, expected)
    corrects = fix or accept or target is not None
    if not sources or (missing and corrects):
        sys.exit(2)
    context = rules.context(round_wind)
    if corrects:
        sources = _correct(sources, target, context, fix, accept, output)
    header = csv_columns(source.layout for source in sources if not isinstance(source, str))
    form, paths = _form(output, header), [one if isinstance(one, str) else one.path for one in sources]
    size = sum(os.path.getsize(path) for path in paths if path != "-")
    if cluster:
        from mjscore.batch.cluster import check_on_cluster

        results = check_on_cluster(sources, context, form, None if cluster == "local" else cluster)
    else:
        if jobs is None:  # input still being written is answered line by line
            jobs = int(not all(map(os.path.isfile, paths)) or size < _WORK_FOR_MANY)
        results = check_files(sources, context, form, jobs or cores())
    beginning = {"csv": csv_beginning(mark) + csv_text([header]), "sarif": SARIF[0]}.get(output, "")
    _print(results, size, output, beginning, missing)


def _sources(
    files: tuple[str, ...], column: str | None, expected: str | None
) -> tuple[list[str | Sheet], bool]:
    """Return the paths and spreadsheets of *files*, and whether a file is missing; print the missing ones."""
    sources, missing = [], False
    # expand a pattern that the shell did not expand
    named = [[name] if os.path.exists(name) else sorted(glob.glob(name)) or [name] for name in files]
    for path in chain(*named):
        try:
            sources.append(file_access.source_of(path, column, expected))
        except Refused as refused:
            printing.say_refusal(refused.refusal)
            missing = True
    return sources, missing


def _form(output: str, header: list[str]) -> str:
    """Return *output* as ``check_files`` takes it: also as ``text 80``, ``csv [header]``, ``json-ascii``."""
    if output == "csv":
        return f"csv {json.dumps(header)}"
    width = printing.message_width(sys.stdout) if output == "text" else None
    if output == "json" and not printing.takes_unicode():
        return "json-ascii"
    return f"text {width}" if width else output


class _Tally:
    """Counts of the results so far; *unread* says whether a file could not be read."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.unread = False

    def __str__(self) -> str:
        counts, codes = self.counts, self.codes
        tables = counted(counts["table"], "table", "tables")
        tables += f", {counts['open']} hand open" if counts["open"] else ""
        differ, faults = codes["differs"], codes[PROGRAM_FAULT]
        parts = [
            counted(differ, "differs", "differ") if differ else "",
            f"{counts['refused'] - faults} refused" if counts["refused"] > faults else "",
            counted(faults, "fault of the program", "faults of the program") if faults else "",
        ]
        held = ", ".join(filter(None, parts)) or "all correct"
        if not counts["compared"]:
            done = held if codes else "all can be scored" if counts["hand"] + counts["table"] else ""
            nothing = "no expected scores (= 64), so nothing was compared"
            held = "; ".join(filter(None, (done, nothing)))
        return f"{counted(counts['hand'], 'hand', 'hands')} and {tables}: {held}"


def _print(
    results: Generator[Result, None, None], size: int, output: str, beginning: str, missing: bool
) -> None:
    """Print results and their summary, and end the program; *missing* says that a file was missing."""
    tally, stopped, status = _Tally(), "", 0
    gc.freeze()  # everything loaded so far stays: the garbage collector need not scan it again
    try:
        with terminations(lambda: sys.exit(143)):
            _write(results, tally, size, output, beginning)
    except SystemExit:
        stopped, status = "terminated; ", 143
    except KeyboardInterrupt:
        stopped, status = "interrupted; ", 130
    except BrokenPipeError:
        results.close()
        raise  # nobody reads the output any more
    except Refused as refused:
        if not tally.counts:
            raise
        stopped, status = f"{refused.refusal.render(printing.message_width())}\n", 2
    if stopped:
        results.close()
        click.echo(f"{stopped}so far: {tally}", err=True)
        sys.exit(status)
    codes = tally.codes
    if output in ("summary", "text", "github") and (tally.counts or not tally.unread):
        click.echo(str(tally))
    if output == "summary" and codes:
        rows = sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))
        click.echo(tabulated(["error", "times"], rows, "lr", printing.style()))
    sys.exit(3 if codes[PROGRAM_FAULT] else 2 if missing or tally.unread else 1 if codes else 0)


def _write(results: Iterable[Result], tally: _Tally, size: int, output: str, beginning: str) -> None:
    """Write *beginning* and results as they come, add them to *tally*; show progress if *size* is large."""
    is_long = size > _LONG_WORK and sys.stderr.isatty()
    begun = time.monotonic()

    def rate(done: int | None) -> str:
        return f"{(done or 0) / (time.monotonic() - begun):,.0f} hands/s"

    if output == "csv":
        write_as_utf8(sys.stdout)
    with click.progressbar(
        length=size, label="checking", file=sys.stderr, hidden=not is_long, item_show_func=rate
    ) as bar:
        sys.stdout.write(beginning)
        between = "" if output == "sarif" else ","
        for result in results:
            if isinstance(result, OSError):
                printing.say_refusal(file_access.unreadable(result.filename, result).refusal)
                tally.unread = True
                continue
            tally.counts += result.counts
            tally.codes += result.codes
            if result.text:
                if is_long and sys.stdout.isatty():
                    click.echo("\r\x1b[K", nl=False, err=True)  # clear the progress bar's line for the output
                sys.stdout.write(result.text if between else result.text[1:])
                between = ","
                sys.stdout.flush()
            bar.update(result.bytes_read, tally.counts["hand"] + tally.counts["table"])
        sys.stdout.write(f"{SARIF[1]}\n" if output == "sarif" else "")
        sys.stdout.flush()


def _correct(
    sources: list[str | Sheet], target: str | None, context: Context, fix: bool, accept: bool, output: str
) -> list[str | Sheet]:
    """Correct the files or, with a *target*, write a corrected copy of the one file there.

    Print the changes, and return the files to check. Raises Refused; UsageError for unsuitable files.
    """
    paths = [source for source in sources if isinstance(source, str)]
    if len(paths) < len(sources):
        raise click.UsageError("--fix, --accept and --update are for .mj files")
    if (target is not None and len(paths) != 1) or not all(map(os.path.isfile, paths)):
        raise click.UsageError(
            "--update copies one file" if target is not None else "--fix and --accept change files"
        )
    if target in ("", "-"):
        raise click.UsageError("--update writes a new file: name it, --update new.mj")
    for path in paths:
        try:
            with terminations(lambda: sys.exit(143)):
                corrections = corrected_file(path, target, context, fix, accept)
        except FileExistsError as error:
            raise refuse("unwritable", "update-taken", path=target, reason=error.strerror) from None
        except OSError as error:
            place = error.filename2 or error.filename or target or path
            raise refuse("unwritable", "update", path=place, reason=error.strerror or error) from None
        _say_corrected(path, target or path, corrections, output != "text")
    return [target or path for path in paths]


def _say_corrected(path: str, place: str, corrections: list[Correction], to_errors: bool) -> None:
    """Print the corrections of the file *path*, written to *place*; of added scores, only the number."""
    for kind, line, before, after in corrections:
        if kind != "added":
            lines = f"{path}:{line}: {kind}", f"  - {before.strip()}", f"  + {after.strip()}"
            click.echo("\n".join(map(escape_controls, lines)), err=to_errors)
    kinds = Counter(correction.kind for correction in corrections)
    done = [f"{counted(kinds[kind], *words)} {kind}" for kind, words in _CORRECTED.items() if kinds[kind]]
    if done or place != path:
        click.echo(f"{', '.join(done) or '0 scores added'} in {escape_controls(place)}", err=to_errors)
