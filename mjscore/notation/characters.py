"""The characters that people type, in those of the keyboard."""

from __future__ import annotations

import re
import unicodedata

_PROMPT = re.compile(
    r"\s*(?:(?:[$%>»]|>>>|[0-9]+(?: \([^()]*\))?>|[0-9]+ \|)\s+)?(?:mjscore +(?:score|waits) +)?"
)
_CHARACTERS = {
    **dict.fromkeys("“”„‟«»", '"'),
    **dict.fromkeys("‘’‚‛", "'"),
    **dict.fromkeys("。、，；", " "),
    **dict.fromkeys("〈《‹", "<"),
    **dict.fromkeys("【〔「", "["),
    **dict.fromkeys("】〕」", "]"),
    **dict.fromkeys("\u200b\u200c\u200d\ufeff\u2060", ""),
}
_WIDE = re.compile("[\uff01-\uff5e\u3000\xa0\u2000-\u200a\u202f\u2026]")
_ODD = re.compile("[" + "".join(_CHARACTERS) + "]")


def normal(text: str) -> str:
    """*text* without prompt and outer quotes, in the keyboard's characters."""
    plain = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    plain = _ODD.sub(lambda match: _CHARACTERS[match[0]], plain)
    plain = _PROMPT.sub("", plain, count=1).strip()
    if len(plain) > 1 and plain[0] in "\"'" and plain[-1] == plain[0] and plain.count(plain[0]) == 2:
        plain = plain[1:-1].strip()
    return plain
