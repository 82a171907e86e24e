"""What a hand was not given, and why, as text for people."""

from __future__ import annotations

from textwrap import wrap

from mjscore.page.text import Style
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.scorer import Counting, ScoredHand
from mjscore.scoring.why import not_given, other_arrangements

_OTHERS_SHOWN = 5


def show_why(scored: ScoredHand, book: Rulebook, style: Style) -> str:
    """What was not given and why, and the arrangements that scored less."""
    sheet = scored.sheet
    lines = [style.strong(f"Not given ({book.id})")]
    for reason in not_given(scored, book):
        text = f"{reason.title}: {reason.why} ({reason.source})"
        lines += wrap(text, style.width - 4, initial_indent="  ", subsequent_indent="      ")
    for claim in sheet.claims:
        if claim.rule != sheet.score_set_by:
            lines.append(
                f"  {claim.title} would be {claim.points}: counting gives {sheet.score}, and the player takes the better"
            )
    others = other_arrangements(scored)
    if others:
        lines += ["", style.strong("Other arrangements" if sheet.won else "Regroupings that score less")]
        for counting in others[:_OTHERS_SHOWN]:
            text = f"{counting.score} points: {arrangement_text(counting)}"
            lines += wrap(text, style.width - 4, initial_indent="  ", subsequent_indent="      ")
        if len(others) > _OTHERS_SHOWN:
            lines.append(f"  and {len(others) - _OTHERS_SHOWN} more")
    return "\n".join(lines)


def arrangement_text(counting: Counting) -> str:
    """The sets of an arrangement in the notation, the one that the winning tile completed marked +."""
    words = []
    for tile_set in counting.arrangement.sets:
        text = tile_set.notation() if tile_set.origin != "hand" else str(tile_set)
        words.append(text + ("+" if tile_set.completed else ""))
    return " ".join(words) or "nothing"
