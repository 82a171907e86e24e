"""What a hand was not given, and why, as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from mjscore.page.text import Style
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.not_given import not_given, other_arrangements
from mjscore.scoring.scorer import ScoredArrangement, ScoredHand

_OTHERS_SHOWN = 5


def show_why(results: Sequence[tuple[ScoredHand, Rulebook]], style: Style) -> str:
    """Show what one hand was not given and why by each rulebook, and the arrangements that scored less.

    What several rulebooks withhold for the same reason is said once, with all their pages.
    """
    parts = []
    for names, texts in _texts_of(results).items():
        if texts:
            parts.append([style.strong(f"Not given ({' and '.join(names)})"), *_listed(texts, style)])
    for scored, book in results:
        others = other_arrangements(scored)
        if others:
            title = "Other arrangements" if scored.sheet.won else "Regroupings that score less"
            texts = [f"{counting.score} points: {arrangement_text(counting)}" for counting in others]
            more = [f"and {len(others) - _OTHERS_SHOWN} more"] if len(others) > _OTHERS_SHOWN else []
            head = title if len(results) == 1 else f"{title} ({book.id})"
            parts.append([style.strong(head), *_listed(texts[:_OTHERS_SHOWN] + more, style)])
    return "\n\n".join("\n".join(part) for part in parts) or "Nothing else was asked of this hand."


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


def _listed(texts: Sequence[str], style: Style) -> list[str]:
    return [
        line
        for text in texts
        for line in wrap(text, style.width - 4, initial_indent="  ", subsequent_indent="      ")
    ]


def arrangement_text(counting: ScoredArrangement) -> str:
    """Write the sets of an arrangement in the notation, the one that the winning tile completed marked +."""
    words = []
    for tile_set in counting.arrangement.sets:
        text = tile_set.notation() if tile_set.origin != "hand" else str(tile_set)
        words.append(text + ("+" if tile_set.completed else ""))
    return " ".join(words) or "nothing"
