"""What a hand was not given, and why, as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from mjscore.page.text import Style, indented, sections_text
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.reasons import not_given, other_arrangements
from mjscore.scoring.scorer import ScoredArrangement, ScoredHand

_OTHERS_SHOWN = 5


def show_why(results: Sequence[tuple[ScoredHand, Rulebook]], style: Style) -> str:
    """Show what one hand was not given and why by each rulebook, and the arrangements that scored less.

    What several rulebooks withhold for the same reason is said once, with all their pages.
    """
    parts = [(f"Not given ({' and '.join(names)})", texts) for names, texts in _texts_of(results).items()]
    for scored, book in results:
        others = other_arrangements(scored)
        title = "Other arrangements" if scored.sheet.won else "Regroupings that score less"
        texts = [
            f"{counting.score} points: {arrangement_text(counting)}" for counting in others[:_OTHERS_SHOWN]
        ]
        if len(others) > _OTHERS_SHOWN:
            texts.append(f"and {len(others) - _OTHERS_SHOWN} more")
        parts.append((title if len(results) == 1 else f"{title} ({book.id})", texts))
    narrower = style._replace(width=style.width - 2)
    sections = [
        (title, [line for text in texts for line in indented(text, narrower, "    ")])
        for title, texts in parts
    ]
    return sections_text(sections, style) or "Nothing else was asked of this hand."


def _texts_of(results: Sequence[tuple[ScoredHand, Rulebook]]) -> dict[tuple[str, ...], list[str]]:
    """Tell what was not given, by the rulebooks that withhold it: first what all of them do, then what one does."""
    reasons: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for scored, book in results:
        for reason in not_given(scored, book):
            found = reasons.setdefault((reason.rule, reason.why), [])
            found.append((book.id, reason.title, reason.source))
    every = tuple(book.id for _, book in results)
    texts: dict[tuple[str, ...], list[str]] = {every: [], **{(name,): [] for name in every}}
    for (_, why), found in reasons.items():
        names, titles, sources = zip(*found, strict=True)
        texts.setdefault(names, []).append(f"{titles[0]}: {why} ({' | '.join(dict.fromkeys(sources))})")
    for scored, book in results:
        sheet = scored.sheet
        texts[book.id,] += [
            f"{claim.title} would be {claim.points}: counting gives {sheet.score}, "
            f"and the player takes the better ({claim.source})"
            for claim in sheet.claims
            if claim.rule != sheet.score_set_by
        ]
    return texts


def arrangement_text(counting: ScoredArrangement) -> str:
    """Write the sets of an arrangement in the notation, the one that the winning tile completed marked +."""
    words = []
    for tile_set in counting.arrangement.sets:
        text = tile_set.notation() if tile_set.origin != "hand" else str(tile_set)
        words.append(text + ("+" if tile_set.completed else ""))
    return " ".join(words) or "nothing"
