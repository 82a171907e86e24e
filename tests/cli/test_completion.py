"""What shells offer for the word under the cursor, asked in the shells that are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from amounts import in_turn
from click.shell_completion import ShellComplete
from tables import table

from mjscore.cli.main import cli, main

BASH = """
eval "$SOURCE"
compopt() { [ "$2" = default ] && files=1; }
# as bash itself, which breaks words at = too
typed="${1//=/ = }"; case $1 in *=) typed="${typed% }" ;; esac
read -ra COMP_WORDS <<<"$typed"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_mjscore_completion mjscore
last="${1##* }"; key=""; case $last in *=*) key="${last%%=*}=" ;; esac
for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$key$word"; done
[ -z "$files" ] || [ ${#COMPREPLY[@]} -gt 0 ] || compgen -f -- "${COMP_WORDS[COMP_CWORD]}"
"""
ZSH = """
compdef() { : }
eval "$SOURCE"
_describe() { for word in "${(@P)3}"; do print -r -- "${word%%:*}"; done }
compadd() { eval 'for word in "${'"${@[-1]}"'[@]}"; do print -r -- "$word"; done' }
_path_files() { print -rl -- ${words[CURRENT]}*(N) }
words=(${=1}); CURRENT=${#words}
_mjscore_completion
"""
FISH = """
printf %s "$SOURCE" | source
complete -C $argv[1] | string replace -r '\\t.*' ''
"""
SHELLS = {
    "bash": ["bash", "--norc", "-c", BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    "fish": ["fish", "--no-config", "-c", FISH],
}


@table
def test_what_click_offers(typed, offered, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "club.toml").touch()
    *words, incomplete = typed.split()[1:]
    items = ShellComplete(cli, {}, "mjscore", "_MJSCORE_COMPLETE").get_completions(words, incomplete)
    values = [item.value for item in items if item.type == "plain"]
    files = [item for item in items if item.type == "file"]
    assert sorted(values) == sorted(offered) or (files and not values)


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_offered(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    for name in ("club.toml", "evening.mj"):
        (tmp_path / name).touch()
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    if shutil.which("mjscore", path=environment["PATH"]) is None:
        pytest.skip("mjscore is not a command here")
    ask = {**environment, "_MJSCORE_COMPLETE": f"{shell}_source"}
    environment["SOURCE"] = subprocess.run(
        ["mjscore"], env=ask, capture_output=True, text=True, check=True
    ).stdout
    rows = test_what_click_offers.pytestmark[0].args[1]
    tried = [row for row in rows if row[0].startswith(("mjscore score -", "mjscore check e", "mjscore sc"))]
    for typed, offered in in_turn(tried, shell, 2):
        done = subprocess.run(
            [*SHELLS[shell], typed], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
        )
        assert sorted(set(done.stdout.split())) == sorted(offered), (typed, done.stderr)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "nonsense"])
@pytest.mark.parametrize(
    "broken", [{}, {"COMP_WORDS": "mjscore 'sc"}, {"COMP_CWORD": "1"}, *({"COMP_WORDS": "mjscore s", "COMP_CWORD": word}
               for word in ("x", "", " ", "-3", "9" * 5000, "0", "7"))], ids=str
)  # fmt: skip
def test_a_broken_environment_is_no_fault(shell, broken, monkeypatch, capfd):
    monkeypatch.setenv("_MJSCORE_COMPLETE", f"{shell}_complete")
    for name in ("COMP_WORDS", "COMP_CWORD"):
        monkeypatch.delenv(name, raising=False)
    for name, value in broken.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (0, 1)
    assert capfd.readouterr().err == ""
