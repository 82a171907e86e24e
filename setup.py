"""The parts of packaging that pyproject.toml cannot express: packages, versions of later commits, absolute links."""

import re
import subprocess
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).parent
HOME = "mjscore/__init__.py"
LINE = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
RELEASED = LINE.search((HERE / HOME).read_text(encoding="utf-8"))[1]
SITE = "https://github.com/mjscore/mjscore"


def asked_of_git(*arguments):
    """Return git's answer, or nothing: an unpacked sdist has no repository, and one around it is not asked."""
    if not (HERE / ".git").exists():
        return ""
    try:
        done = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version():
    """Return 2.0.0 at the commit that sets it or has its tag, and 2.0.1.dev3, say, three commits later.

    A shallow clone does not know the commits before, and counts as a later one if it has no tag.
    """
    if ".dev" in RELEASED:  # an sdist of a later commit inside a repository
        return RELEASED
    if f"v{RELEASED}" in asked_of_git("tag", "--points-at", "HEAD").split():
        return RELEASED
    since = asked_of_git("log", "-1", "--format=%H", "-G^__version__ = ", "--", HOME)
    later = asked_of_git("rev-list", "--count", f"{since}..HEAD") if since else ""
    if later in ("", "0") and asked_of_git("rev-parse", "--is-shallow-repository") != "true":
        return RELEASED
    *front, last = RELEASED.split(".")
    return ".".join([*front, str(int(last) + 1), f"dev{later or 0}"])


def description(number):
    """Return the README with absolute links, since a registry does not have the linked files beside it."""
    at = f"v{number}" if number == RELEASED else "main"
    text = (HERE / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"(!\[[^\]]*\]\(|src(?:set)?=\")(?!https?:)", rf"\1{SITE}/raw/{at}/", text)
    return re.sub(r"(?<!!)(\[[^\[\]]*\]\()(?!https?:|#)", rf"\1{SITE}/blob/{at}/", text)


VERSION = version()


def write_version(folder):
    """Write the version into the built package; the file may be a hard link to the one here."""
    home = Path(folder, HOME)
    text = home.read_text(encoding="utf-8")
    home.unlink()
    home.write_text(LINE.sub(f'__version__ = "{VERSION}"', text), encoding="utf-8")


class Build(build_py):
    def run(self):
        super().run()
        if not self.editable_mode:
            write_version(self.build_lib)


class Source(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        write_version(base_dir)


# every folder of mjscore/ is packaged, including those with only data
folders = find_namespace_packages(include=["mjscore", "mjscore.*"], exclude=["*.__pycache__"])
setup(
    version=VERSION,
    long_description=description(VERSION),
    long_description_content_type="text/markdown",
    packages=[*folders, "mjscore.grammar", "mjscore.guides"],
    cmdclass={"build_py": Build, "sdist": Source},
)
