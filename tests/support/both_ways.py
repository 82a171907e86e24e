"""One hand scored by mjscore and by the second scorer: what differs."""

from __future__ import annotations

from independent import Result, Rules, score

from mjscore.game.hand import Hand
from mjscore.refusal import Refused
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoreSheet


def both_ways(
    hand: Hand, book: Rulebook, rules: Rules
) -> tuple[ScoreSheet | None, tuple[object, Result | None] | None]:
    """Give the sheet of *hand* (None where it is refused), and the two results where they differ."""
    expected = score(hand, rules)
    try:
        sheet = score_hand(hand, book).sheet
    except Refused as refused:
        assert refused.refusal.code in ("not-a-winning-hand", "may-not-win"), refused.refusal
        return None, (None, expected) if expected and expected.score else None
    found = (sheet.score, sheet.points, sheet.doubles, sheet.counted)
    differs = sheet.score != (expected and expected.score)
    if expected is not None:
        # behind a special score, or at the limit, several arrangements may count the same (D1)
        same = sheet.limit is None and sheet.score != rules.limit
        differs = differs or (found[1:] != expected[1:] if same else found[3] != expected.counted)
    return sheet, (found, expected) if differs else None
