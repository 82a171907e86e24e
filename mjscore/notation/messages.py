"""Refuse what was typed by the messages of the folders' ``messages.toml``, which are read where the first is needed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from mjscore.refusal import About, Place, Refused, refuse


@lru_cache(maxsize=1)
def messages() -> dict[str, Any]:
    """Give for each code its message and hint by kind, that of a code which has but one by an empty one."""
    # commands that parse nothing load no parser unless they refuse something
    from mjscore.notation.cache import remembered
    from mjscore.notation.parsers import packaged_everywhere

    def read() -> list[bytes]:
        return packaged_everywhere("messages.toml")

    def make() -> dict[str, Any]:
        import tomllib

        found: dict[str, Any] = {}
        for file in read():
            for code, told in tomllib.loads(file.decode()).items():
                found.setdefault(code, {}).update(told if isinstance(told, dict) else {"": told})
        return found

    return remembered("messages", read, make)


def told(code: str, kind: str = "", **words: Any) -> tuple[str, str]:
    """Give the message of this *code*, and *kind* where it has several, and what to type instead, filled with *words*."""
    message, hint = messages()[code][kind]
    return message.format(**words), hint.format(**words)


def refuse_as(
    code: str, kind: str = "", *, at: Place | None = None, about: About | None = None, **words: Any
) -> Refused:
    """Make the exception that a stage raises, with what is ``told`` of this *code* and *kind*."""
    return refuse(code, *told(code, kind, **words), at=at, about=about)
