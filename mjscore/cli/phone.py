"""``mjscore phone``: the page for a phone, as a folder for any static server."""

import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from mjscore.cli import options, printing
from mjscore.phone import site
from mjscore.refusal import describe_fault, escape_controls, refuse


@click.command(name="phone")
@click.argument("folder", metavar="FOLDER", type=click.Path(file_okay=False))
@click.option(
    "--pyodide",
    metavar="FOLDER",
    type=click.Path(),
    help="A folder with Pyodide, from npm install pyodide; by default it is downloaded once.",
)
@click.option("--serve", is_flag=True, help="Serve the page on this computer, to try it out.")
@options.rulebook_options()
@options.format_option(what="json prints the folder and version for programs.")
def command(
    folder: str,
    pyodide: str | None,
    serve: bool,
    rules: options.Rules,
    output: str,
) -> None:
    """Write the page for a phone into FOLDER: put it on any server with https, open it once, and it works offline.

    It scores a hand as its tiles are tapped, keeps an evening, and is mjscore itself in a browser. -r chooses
    the rulebook that it starts with. A rulebook file of your own is included, with those that it extends, and gives the
    page its name: a club's page. Options are chosen on the page, or set in such a file.

    \b
    mjscore phone site
    mjscore phone site -r club.toml
    mjscore phone site --pyodide node_modules/pyodide --serve
    """
    rules.book()
    if rules.settings:
        raise click.UsageError("choose options on the page, or set them in a rulebook file: -r club.toml")
    try:
        version = site.build_site(Path(folder), Path(pyodide) if pyodide else None, rules.name, _progress)
    except OSError as error:
        path = escape_controls(str(error.filename or folder))
        raise refuse("unwritable", "site", path=path, reason=error.strerror) from None
    if sys.stderr.isatty():
        click.echo(err=True)
    if output == "json":
        printing.print_json({"folder": folder, "version": version})
    else:
        click.echo(f"written: {escape_controls(folder)}, version {version}")
    if serve:
        _serve(folder)


def _progress(step: str) -> None:
    """Print progress on one line of a terminal; print nothing elsewhere."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{step}", err=True, nl=False)


def _serve(folder: str) -> None:
    """Serve the files of *folder*, to this computer only, until it is stopped."""
    root = os.path.realpath(folder)

    class Handler(SimpleHTTPRequestHandler):
        def send_head(self) -> Any:
            path = os.path.realpath(self.translate_path(self.path))
            host = self.headers.get("Host", "").rpartition(":")[0]
            if os.path.isfile(path) and path.startswith(root + os.sep) and host in ("localhost", "127.0.0.1"):
                return super().send_head()
            return self.send_error(404)

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            error = sys.exc_info()[1]
            if isinstance(error, Exception) and not isinstance(error, OSError):  # OSError: no browser
                click.echo(describe_fault(error), err=True)

    handler = partial(Handler, directory=root)
    try:
        server = Server(("127.0.0.1", 8000), handler)
    except OSError:
        server = Server(("127.0.0.1", 0), handler)  # any free port, since the usual one is taken
    with server:
        click.echo(f"http://localhost:{server.server_port}/index.html#hand  (Ctrl-C ends it)")
        server.serve_forever()
