"""Whose each score is and who won: choosing among the ways to read a line of scores, and making its rows.

Punctuation separates what belongs to one seat from what belongs to the next. Names all come before their scores, or
all after them, unless punctuation separates them; scores without names go in order from East. The way that breaks
these rules least is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

from mjscore.game.hand import quote_name
from mjscore.notation.speech import Typed
from mjscore.play.line_speech import LineLattice, Read, Told
from mjscore.record.lines import SeatRow, renamed
from mjscore.refusal import Refused, escape_controls

_AND = re.compile(r"(?<![^\W_])(?:and|und|en|et)(?![^\W_])|&", re.IGNORECASE)


class Against(NamedTuple):
    """How a way to read a line breaks the rules, worst first.

    Names and scores *torn* apart by punctuation; words for winning given to the *wrong* one of two seats; scores with
    names before them, after them and without names *mixed* without punctuation; entries *joined* across punctuation.
    """

    torn: int = 0
    wrong: int = 0
    mixed: int = 0
    joined: int = 0


def against(lattice: LineLattice, read: Read) -> Against:
    """Return how one way to read a line breaks the rules of punctuation and of the order of words."""
    told, pairs = read.told, list(pairwise(read.told))
    by_names = any(one.holder.kind == "HOLDER" for one in told)
    letters = [
        one for one in told if one.is_named and one.holder.kind == "OWNER" and _is_letter(lattice, one)
    ]
    torn, joined = _of_ending(lattice, read.typed, told)
    torn += sum(_is_torn(lattice, one, len(told)) for one in told)
    torn += sum(_is_torn_off(lattice, *pair) for pair in pairs)
    joined += sum(_is_joined(lattice, told, one) for one in told)
    wrong = by_names * len(letters) + sum(_goes_wrong(lattice, told, *pair) for pair in pairs)
    mixed = 2 if _whose(lattice, told) else int(_are_mixed(lattice, told))
    return Against(torn, wrong, mixed, joined)


def _is_torn(lattice: LineLattice, one: Told, several: int) -> int:
    """Return how often punctuation is inside the pieces of one seat, or between its name and its score."""
    inside = any(lattice.is_parted(piece.start, piece.end) for piece in one.pieces)
    return inside + (several > 1 and one.is_named and _is_parted_inside(lattice, one))


def _is_joined(lattice: LineLattice, told: Sequence[Told], one: Told) -> bool:
    """Return whether punctuation is inside what is told of one seat, or a colon between its name and how it won."""
    start = one.start if one is told[0] else one.core[0]
    end = one.end if one is told[-1] else one.core[1]
    wins_behind = one.is_named and one.wins_first and ":" in lattice.text[one.holder.end : one.score.start]
    return lattice.is_parted(start, end) or wins_behind


def _is_parted_inside(lattice: LineLattice, one: Told) -> bool:
    """Return whether punctuation separates a name from its score, with no words between them about how it won."""
    first, last = sorted((one.holder, one.score), key=lambda piece: piece.start)
    said = any(first.end <= piece.start < last.start for piece in one.how)
    return not said and lattice.is_parted(first.end, last.start)


def _is_torn_off(lattice: LineLattice, one: Told, behind: Told) -> bool:
    """Return whether a name is separated from its score, but not from the score before, as in "64 cid, wins 8"."""
    name = behind.holder
    if name.kind != "HOLDER" or not (one.score.kind and behind.score.kind and behind.how):
        return False
    first = min(piece.start for piece in (*behind.how, behind.score))
    return lattice.is_parted(name.end, first) and not lattice.is_parted(one.core[1], name.start)


def _parting(lattice: LineLattice, one: Told, behind: Told) -> int:
    return _strength(lattice, one.core[1], behind.core[0])


def _strength(lattice: LineLattice, start: int, end: int) -> int:
    """Return how strongly the text from *start* to *end* separates: 2 for punctuation, 1 for "and", or 0."""
    if lattice.is_parted(start, end):
        return 2
    return int(_AND.search(lattice.text, start, end) is not None)


def _is_letter(lattice: LineLattice, one: Told) -> bool:
    """Return whether a seat is named by the letter w, which also means winning."""
    return lattice.text[one.holder.start : one.holder.end] in "wW"


def _goes_wrong(lattice: LineLattice, told: Sequence[Told], one: Told, behind: Told) -> bool:
    """Return whether a word for winning between two scores is given to the wrong one.

    It belongs to the score from which it is less separated; "wins" comes after a name, possibly with "and" between. But
    it may belong to either if the first score is higher.
    """
    ahead = [piece for piece in behind.how if piece.end <= behind.core[0]]
    words = ahead or [piece for piece in one.how if piece.start >= one.core[1]]
    named = [piece.value for piece in words if piece.kind.startswith("WINS")]
    if not (named and one.score.kind and behind.score.kind):
        return False
    is_verb = named[0] != "win"
    left = _strength(lattice, one.core[1], words[0].start)
    right = _strength(lattice, words[-1].end, behind.core[0])
    if left <= right or (is_verb and left == 1):
        return bool(ahead) and (right > 0 or is_verb)
    is_seat = not behind.holder.kind and lattice.text[words[0].start : words[-1].end] in "wW"  # n 2, w 0
    return is_seat or not (ahead or right or _may_be_either(lattice, told, one, behind))


def _may_be_either(lattice: LineLattice, told: Sequence[Told], one: Told, behind: Told) -> bool:
    """Return whether the first score is higher, or only these two are separated, and others follow."""
    is_only_mark = sum(bool(_parting(lattice, *two)) for two in pairwise(told)) == 1
    return one.points > behind.points or (is_only_mark and behind is not told[-1])


def _are_mixed(lattice: LineLattice, told: Sequence[Told]) -> bool:
    """Return whether scores with names before them, after them and without names are mixed without punctuation.

    The winner's name may come first, or the names of the first seats in order.
    """
    scores = [one for one in told if one.score.kind and one.holder.kind != "OTHERS"]
    return not _lead_by_name(lattice, scores) and any(
        one.holder.kind != other.holder.kind
        and not _parting(lattice, one, other)
        and not any(each.holder.kind == "HOLDER" and _is_letter(lattice, each) for each in (one, other))
        for one, other in pairwise(scores)
    )


def _lead_by_name(lattice: LineLattice, scores: Sequence[Told]) -> bool:
    """Return whether the scores with names may come first: a single such score, or the first seats' in order."""
    named = [one for one in scores if one.is_named]
    if not named or named != scores[: len(named)]:
        return False
    last, in_order = (
        named[-1],
        [one.holder.value for one in named] == list(lattice.table.untold)[: len(named)],
    )
    ended = {piece.kind for piece in last.how if piece.start >= last.core[1]}
    if len(named) == 1:
        return last.holder.kind == "HOLDER" or bool(last.how)
    fits = in_order or len(scores) == len(named) + 1
    holds = all(one.holder.kind == "HOLDER" for one in named) and len(named) < len(scores)
    return holds and fits and ended <= {"DRAWN"}


def _whose(lattice: LineLattice, told: Sequence[Told]) -> Sequence[Told]:
    """Return the scores of which it is not clear whose they are, because a name may have been left out."""
    bare = [one for one in told if one.score.kind and not one.holder.kind]
    winners, named = _without_score(told), [one for one in told if one.is_named]
    for before, one, behind in zip(told, told[1:], told[2:], strict=False):
        if one in winners and not _stands_apart(lattice, before, one, behind):
            return [before]
    unclear = (named and winners) or (len(bare) > 1 and bare[0].wins_first)
    unclear = unclear or _is_left_over(told, bare)
    unclear = unclear or any(lattice.is_parted(*one.core) for one in named)  # ben wins, 64, 12, cid 8
    return bare if bare and (unclear or (named and _are_mixed(lattice, told))) else ()


def _is_left_over(told: Sequence[Told], bare: Sequence[Told]) -> bool:
    """Return whether one number alone ends a line of names with scores, as in "ann 16, dee 0, 50"."""
    return (
        bool(bare)
        and list(bare) == list(told[-1:])
        and not bare[0].how
        and sum(one.is_named for one in told) > 1
    )


def _without_score(told: Sequence[Told]) -> list[Told]:
    """Return the winners named without a score."""
    return [one for one in told if one.holder.kind and not one.score.kind]


def _stands_apart(lattice: LineLattice, before: Told, one: Told, behind: Told) -> bool:
    """Return whether a winner without a score is separated from both neighbours, or owns the score before."""
    own = before.is_named and before.holder.value == one.holder.value
    return own or bool(_parting(lattice, before, one) and _parting(lattice, one, behind))


def _of_ending(lattice: LineLattice, typed: Typed | None, told: Sequence[Told]) -> tuple[int, int]:
    """Return how many discarders of a hand are torn off by punctuation, and how many have some before."""
    torn = joined = 0
    named = [piece for piece in (typed.ending.said if typed else ()) if piece.kind == "WHO" and piece.value]
    for piece in named:
        across = lattice.is_parted(piece.start, piece.end)
        alone = lattice.is_behind_mark(piece.start) and not lattice.words_said([piece.start], "from")
        bound = not told or lattice.is_parted(piece.end, told[0].start)
        torn += across or (alone and not bound)
        joined += alone
    return torn, joined


def seated(
    lattice: LineLattice, told: Sequence[Told], winds: Sequence[str], whole: bool
) -> tuple[SeatRow, ...]:
    """Return the rows of a line; scores without a seat go in the order of *winds*, to all if it is *whole*.

    Raises Refused if it is not clear whose a score is, or who won.
    """
    shown = lattice.table.shown
    told = _with_winners_score(_with_last_words(lattice, told))
    bare = [one for one in told if one.score.kind and one.holder.kind in ("", "OTHERS")]
    scores: dict[str, Told] = {}
    for one in told:
        if one.is_named and scores.setdefault(one.holder.value, one) != one:
            player = shown(one.holder.value)
            raise lattice.refused("repeated-seat", one.start, one.end, "scores", player=player)
    unclear = _whose(lattice, told)
    if unclear and len(scores) == 1 and told[-1].holder.kind == "OWNER":
        holder = told[-1].holder
        raise lattice.no_score(lattice.typed[holder.start : holder.end], holder)
    if unclear:
        raise _whose_score(lattice, unclear, lattice.table.untold)
    _give_in_order(lattice, scores, bare, [wind for wind in winds if wind not in scores], whole)
    _check_whose_most(lattice, told, bare, scores)
    scores = dict(sorted(scores.items(), key=lambda item: item[1].start))
    for one in _without_score(told):
        seat = one.holder.value
        if seat not in scores or scores[seat].holder.kind == "OTHERS":
            raise lattice.refused("no-seat-line", one.start, one.end, "won", player=shown(seat))
        scores[seat] = scores[seat]._replace(how=(*scores[seat].how, *one.how))
    rows = tuple(_row(lattice, seat, one, len(scores) == 1) for seat, one in scores.items())
    _check_won(lattice, rows, scores)
    return rows


def _check_whose_most(
    lattice: LineLattice, told: Sequence[Told], bare: Sequence[Told], scores: dict[str, Told]
) -> None:
    """Raise Refused if a list without names begins with its highest score, but another has won: "58 4 4 16 dee won"."""
    won, seats = _without_score(told), list(scores)
    most = max((one.points for one in bare), default=-1)
    if len(won) != 1 or won[0].holder.value not in scores or list(scores.values()) != bare:
        return
    winner = won[0].holder.value
    if scores[winner].points < most == bare[0].points:
        lines = []
        for order in (seats, [winner, *(seat for seat in seats if seat != winner)]):
            given = dict(zip(order, bare, strict=True))
            given[winner] = given[winner]._replace(how=won[0].how)
            lines.append(one_line([_row(lattice, seat, given[seat], False) for seat in order], lattice))
        raise lattice.asked("two-readings", told[0].start, told[-1].end, "line", lines)


def one_line(rows: Iterable[SeatRow], lattice: LineLattice) -> str:
    """Return rows as one line that can be typed, with players' names."""
    return ", ".join(str(renamed(row, lattice.table.seats)).replace(":", "", 1) for row in rows)


def _give_in_order(
    lattice: LineLattice, scores: dict[str, Told], bare: list[Told], left: Sequence[str], whole: bool
) -> None:
    """Give nameless scores to seats *left*, in order. Raises Refused for too many (*whole*: too few)."""
    others = bare and bare[0].holder.kind
    if others and (bare[0].how or (not scores and len(left) == len(lattice.table.people.players))):
        player = lattice.table.shown(left[0])
        raise lattice.refused("bad-line", bare[0].start, bare[0].end, "others", player=player)
    others_than_whom = bool(bare) and not bare[0].holder.kind and any(one.holder.kind for one in bare)
    if len(bare) == 1 and bare[0].holder.kind and left:
        bare *= len(left)  # the others all have the same
    whole = whole or any(one.wins_first for one in bare)
    if others_than_whom or len(bare) > len(left) or (bare and whole and len(bare) < len(left)):
        raise _whose_score(lattice, bare, left)
    scores.update(zip(left, bare, strict=False))


def _with_winners_score(told: list[Told]) -> list[Told]:
    """Return what a line tells, with its only nameless score given to the winner right before: "ben wins, 64"."""
    bare = [one for one in told if one.score.kind and not one.is_named]
    scored = [one.holder.value for one in told if one.score.kind]
    for place, (one, other) in enumerate(pairwise(told)):
        if bare == [other] and not other.holder.kind and one.holder.value not in scored:
            return [*told[:place], one, other._replace(holder=one.holder), *told[place + 2 :]]
    return told


def _with_last_words(lattice: LineLattice, told: Sequence[Told]) -> list[Told]:
    """Return what a line tells, with final words about the win as the only winner's, not as the last score's.

    Raises Refused if nobody else won and the words are separated from the last score.
    """
    _check_head(lattice, told)
    *before, last = told
    won = [one for one in before if one.won]
    if not _ends_apart(lattice, last):
        return list(told)
    parted = lattice.is_parted(last.score.end, last.how[0].start)
    if len(won) == 1 and (parted or not last.won):
        winner = won[0]._replace(how=(*won[0].how, *last.how))
        rest = last._replace(how=(), end=max(last.score.end, last.holder.end))
        return [*(winner if one is won[0] else one for one in before), rest]
    apart = last.how[0].start >= last.score.end and (parted or (last.won and not last.holder.kind))
    if apart and before and not won and last.points < max(one.points for one in told):
        _refuse_manner(lattice, last.how[0].start, last.end)
    return list(told)


def _ends_apart(lattice: LineLattice, last: Told) -> bool:
    """Return whether words about the win at the end of a line may be about another seat than the last score."""
    if not last.how or not last.score.kind:
        return False
    alone = not last.holder.kind or all(piece.kind == "FROM_WHOM" for piece in last.how)
    return alone or lattice.is_parted(last.score.end, last.how[0].start)


def _check_head(lattice: LineLattice, told: Sequence[Told]) -> None:
    """Raise Refused if a word for winning and a colon lead a line in which somebody else has more."""
    first = told[0]
    headed = first.wins_first and ":" in lattice.text[first.how[0].end : first.holder.start]
    if headed and first.score.kind == "NUMBER" and first.points < max(one.points for one in told):
        _refuse_manner(lattice, first.start, first.holder.start)


def _refuse_manner(lattice: LineLattice, start: int, end: int) -> NoReturn:
    said = escape_controls(lattice.typed[start:end].strip())
    raise lattice.refused("bad-line", start, end, "manner", said=said)


def _row(lattice: LineLattice, seat: str, told: Told, alone: bool) -> SeatRow:
    """Return a seat's row, *alone* in its line or not. Raises Refused if it is not clear how it won."""
    score, how, seat_of = told.score, told.how, lattice.table.seat_of
    if score.kind == "DEAD":
        return SeatRow(seat, None)
    points = int(score.value)
    row = SeatRow(seat, points, bool(how))
    for piece in how:
        doubt = False
        if piece.kind.startswith("DRAWN"):
            doubt, row = row.drawn is False, row._replace(drawn=True)
        elif piece.kind in ("DISCARDER", "FROM_WHOM"):
            others = row.discarder is None or seat_of(row.discarder) != seat_of(piece.value)
            doubt, row = row.drawn is not None and others, row._replace(drawn=False, discarder=piece.value)
        elif piece.kind == "DOUBLED":
            doubt, row = row.doubles is not None, row._replace(doubles=piece.value)
        elif piece.kind == "NINTH":
            doubt, row = row.ninth, row._replace(ninth=True)
        if doubt:
            said = escape_controls(lattice.typed[score.end : piece.end].strip())
            raise lattice.refused("bad-line", piece.start, piece.end, "manner", said=said)
    first = how[0] if how else score
    if len(how) == 1 and ("throws", first.end) in lattice.words_said([first.start], "deed"):
        player = lattice.table.shown(seat)
        raise lattice.refused("bad-line", first.start, first.end, "threw", player=player, points=points)
    is_limit = lattice.words_said([score.start], "limit")
    if how and all(piece.kind == "FROM_WHOM" for piece in how) and not is_limit:
        names = [quote_name(lattice.table.seats.get(name, name)) for name in (seat, how[0].value)]
        won, paid = f"{names[0]} {points} win from {names[1]}", f"pay {names[1]} {names[0]} {points}"
        place = ("two-readings", score.start, how[-1].end, "paid")
        if alone:
            raise lattice.asked(*place, (won, paid))
        raise lattice.refused(*place, one=won, other=paid)
    return row


def _check_won(lattice: LineLattice, rows: Sequence[SeatRow], scores: Mapping[str, Told]) -> None:
    """Raise Refused if a winner has "nothing", in words: it may be a win with 0 points, or no win."""
    for row, told in zip(rows, scores.values(), strict=True):
        if row.won and told.score.kind == "ZERO" and lattice.text[told.score.start].isalpha():
            ways = [
                one_line([way if one is row else one for one in rows], lattice)
                for way in (row, as_loser(row))
            ]
            several = any(one.won and one is not row for one in rows)
            refused = lattice.asked(
                "two-readings", told.start, told.end, "nothing", ways, who=lattice.table.shown(row.name)
            )
            raise Refused(refused.refusal._replace(lines=())) if several else refused


def as_loser(row: SeatRow) -> SeatRow:
    """Return a row as that of a loser."""
    return row._replace(won=False, drawn=None, discarder=None)


def _whose_score(lattice: LineLattice, bare: Sequence[Told], left: Sequence[str]) -> Refused:
    """Return the refusal of a number of scores that differs from the number of seats *left*."""
    said = [lattice.typed[one.start : one.end] for one in dict.fromkeys(bare)]
    names = [lattice.table.shown(wind) for wind in left]
    kind = "none" if not left else "one" if len(bare) == 1 else "seat" if len(left) == 1 else "seats"
    scores = f"{'score is' if len(said) == 1 else 'scores are'} {escape_controls(' '.join(said))}"
    words: dict[str, Any] = {"scores": scores, "said": said, "names": names, "in_order": ", ".join(names)}
    words |= {"count": len(left), "choices": " or ".join(f"{wind} {said[0]}" for wind in left)}
    return lattice.refused("whose-score", bare[0].start, bare[-1].end, kind, **words)
