"""What a wrong answer comes from: it is compared with what comes out when the usual slips are made, one or two at a time."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, Hand, TileSet
from mjscore.game.tiles import HEADS, WIND_NAMES, Tile
from mjscore.notation.parsers import packaged
from mjscore.refusal import Refused
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.reasons import not_given
from mjscore.scoring.scorer import SetValues, score_hand
from mjscore.scoring.sheet import ScoredHand, ScoreSheet
from mjscore.settling.payment import east_factor
from mjscore.settling.settlement import Settlement, collected

_MOST_TOLD = 4  # single slips that come to the same
_SIMPLE, _HEAD = Tile.parse("5b"), Tile.parse("1b")


class Slip(NamedTuple):
    """A slip: its *kind*, what it is about, in the notation or by its entry and as it is told, and what it changes.

    *sets*, *others* and *doubles* are added to what the sets come to, the other points, the doubles; *late* points are added
    after the doubling; the score is multiplied by *factor*. It is *instead* where that is not None, *plain* without doubling,
    *unlimited* without the limit, *added* with the doubles added up.
    """

    kind: str
    of: str = ""
    title: str = ""
    words: tuple[tuple[str, object], ...] = ()
    sets: int = 0
    others: int = 0
    doubles: int = 0
    late: int = 0
    factor: int = 1
    instead: int | None = None
    plain: bool = False
    unlimited: bool = False
    added: bool = False

    def __str__(self) -> str:
        return f"{self.kind} {self.of}".strip()


@lru_cache(maxsize=1)
def _words() -> dict[str, dict[str, str | int]]:
    return tomllib.loads(packaged("drill", "slips.toml").decode())


def slip(kind: str, of: object = "", title: object = "", **given: object) -> Slip:
    """Make a slip of a kind; what is no field of a slip is a word of how it is told."""
    words = tuple((name, value) for name, value in given.items() if name not in Slip._fields)
    changes = {name: value for name, value in given.items() if name in Slip._fields}
    return Slip(kind, str(of), str(title or of), words, **changes)  # type: ignore[arg-type]


def tell(found: Iterable[tuple[Slip, ...]]) -> list[str]:
    """Tell what explains an answer: single slips of one kind together, two that go together with "and"."""
    told: dict[tuple[str, object], list[str]] = {}
    lines = []
    for slips in found:
        if len(slips) > 1:
            lines.append(", and ".join(line for one in slips for line in tell([(one,)])))
        else:
            told.setdefault((slips[0].kind, slips[0].words), []).append(slips[0].title)
    for (kind, words), titles in told.items():
        title = " or ".join(filter(None, (", ".join(titles[:-1]), titles[-1])))
        lines.append(str(_words()[kind]["says"]).format(title=title, **dict(words)))  # type: ignore[call-overload]
    return lines


def figure(asked: str, scored: ScoredHand, book: Rulebook, slips: Iterable[Slip] = ()) -> int:
    """Work out what is *asked* of a hand, ``sets``, ``points``, ``doubles`` or the score, with some slips made."""
    sheet, slips = scored.sheet, tuple(slips)
    sets = sum(item.points for item in sheet.items if item.tiles is not None) + sum(one.sets for one in slips)
    points = sets + sum(item.points for item in sheet.items if item.tiles is None)
    points += sum(one.others for one in slips)
    doubles = max(0, (sheet.doubles or 0) + sum(one.doubles for one in slips))
    if asked in ("sets", "points", "doubles"):
        return {"sets": sets, "points": points, "doubles": doubles}[asked]
    late = sum(one.late for one in slips)
    score = book.counted(points - late, doubles, late + sum(item.points for item in sheet.additions))
    if any(one.plain for one in slips):
        score = points
    if any(one.added for one in slips):
        score = points * 2 * doubles
    if not any(one.unlimited for one in slips):
        score = book.capped(score, bool(sheet.won))
    if sheet.limit not in (None, "limit") and not any(one.kind == "uncounted" for one in slips):
        score = sheet.score or 0
    score = next((one.instead for one in slips if one.instead is not None), score)
    return score * prod(one.factor for one in slips)


def slips_in(scored: ScoredHand, book: Rulebook) -> Iterator[Slip]:
    """Yield the slips that can be made with a hand."""
    sheet = scored.sheet
    for item in sheet.items:
        title = (
            f"{item.title}, {item.tiles} ({item.points})" if item.tiles else f"{item.title} ({item.points})"
        )
        part = "sets" if item.tiles else "others"
        yield slip("left-out", item.tiles or item.rule, title, **{part: -item.points})
        yield slip("twice", item.tiles or item.rule, title, **{part: item.points})
        if not item.tiles and sheet.doubles:
            yield slip("after-doubling", item.rule, title, late=item.points)
    if scored.counting is not None and scored.counting.values:
        yield from _of_sets(scored, book)
    for line in sheet.doubling:
        yield slip("double-left-out", line.rule, line.title, doubles=-line.doubles)
        yield slip("double-twice", line.rule, line.title, doubles=1)
        if line.doubles > 1:
            yield slip("double-once", line.rule, line.title, doubles=1 - line.doubles)
    if sheet.doubles:
        yield slip("not-doubled", plain=True)
        yield slip("added-up", added=True)
    if sheet.limit == "limit":
        yield slip("no-limit", limit=book.limit, unlimited=True)
    elif sheet.limit is not None:
        yield slip("uncounted", sheet.limit, book.rules[sheet.limit].title)
    elif book.limit is not None and sheet.won:
        yield slip("as-limit", instead=book.limit)
    if sheet.seat == "E" and book.settling.east_factor is not None:
        yield slip("east-doubled", factor=book.settling.east_factor.factor)
    paid = collected(sheet, book, scored=scored) if sheet.won else None
    if paid is not None and sheet.score:
        yield slip("collected", instead=sum(payment.points for payment in paid.payments))
    yield from _mistaken(sheet, book)
    for reason in not_given(scored, book):
        rule = book.rules[reason.rule]
        if rule.section in ("bonus", "double"):
            changes = {"others": rule.points, "doubles": rule.doubles}
            yield slip("not-given", rule.id, rule.title, why=reason.why, **changes)
    for times in (1, 2):
        said = {1: "once", 2: "twice"}[times]
        yield slip("too-many-doubles", times=said, doubles=times)
        yield slip("too-few-doubles", times=f"{said}", doubles=-times)


def _of_sets(scored: ScoredHand, book: Rulebook) -> Iterator[Slip]:
    """Yield the slips that are made with sets: how they lie, how many tiles they have, and of what kind."""
    assert scored.counting is not None
    worths = SetValues(scored.facts, scored.counting.arrangement, book)

    def off(one: TileSet, **changed: object) -> int:
        return worths[one._replace(**changed)].points - worths[one].points  # type: ignore[arg-type]

    sets = [one for one in scored.counting.arrangement.sets if one.kind in ("pung", "kong")]
    for one in sets:
        how = "as-concealed" if one.exposed else "as-exposed"
        yield slip(how, one, sets=off(one, exposed=not one.exposed))
        is_head = bool(HEADS >> one.tile & 1)
        yield slip(
            "as-simple" if is_head else "as-head", one, sets=off(one, tile=_SIMPLE if is_head else _HEAD)
        )
        if one.kind == "kong":
            yield slip("as-three", one, sets=off(one, kind="pung"))
    for exposed, how in ((True, "all-concealed"), (False, "all-exposed")):
        some = [off(one, exposed=not exposed) for one in sets if one.exposed == exposed]
        if len(some) > 1:
            yield slip(how, sets=sum(some))
    for one in scored.counting.arrangement.sets:
        if one.kind == "pair" and not worths[one].points:
            dragons = one._replace(tile=Tile.parse("Rd"), completed=False)
            yield slip("pair-counted", one, sets=worths[dragons].points)


def _mistaken(sheet: ScoreSheet, book: Rulebook) -> Iterator[Slip]:
    """Yield the slips of taking a hand for another: another seat or round, a tile drawn for one claimed."""
    hand = sheet.hand
    assert hand is not None
    others = [("as-seat", wind, hand._replace(seat=wind)) for wind in book.seats if wind != hand.seat]
    others += [("as-round", wind, hand._replace(round=wind)) for wind in WIND_NAMES if wind != hand.round]
    if hand.win is not None:
        drawn = not hand.win.drawn
        flags = frozenset(flag for flag in hand.win.flags if "<+"[drawn] in FLAG_CLAUSES.get(flag, "<+"))
        win = hand.win._replace(drawn=drawn, discarder=None, flags=flags)
        others.append(("as-drawn" if drawn else "as-claimed", "", hand._replace(win=win)))
    for kind, wind, other in others:
        with suppress(Refused):
            yield _off(
                slip(kind, wind, WIND_NAMES.get(wind, "")), score_hand(other, book).sheet, sheet, other
            )


def _off(made: Slip, taken: ScoreSheet, sheet: ScoreSheet, other: Hand) -> Slip:
    """Give a slip with what it changes: the hand was *taken* for another."""
    sets, of_sets = (sum(item.points for item in one.items if item.tiles) for one in (taken, sheet))
    others = (taken.points or 0) - (sheet.points or 0) - sets + of_sets
    doubles = (taken.doubles or 0) - (sheet.doubles or 0)
    instead = taken.score if taken.limit != sheet.limit else None
    return made._replace(sets=sets - of_sets, others=others, doubles=doubles, instead=instead)


def explain(asked: str, scored: ScoredHand, book: Rulebook, guess: int) -> list[tuple[Slip, ...]]:
    """Give what explains a wrong answer: single slips that each come to it, else pairs of slips; the likeliest first."""
    right = figure(asked, scored, book)
    come_to = {one: figure(asked, scored, book, [one]) for one in slips_in(scored, book)}
    slips = [one for one, points in come_to.items() if points != right]
    alone = [(one,) for one in slips if come_to[one] == guess]
    if alone:
        likeliest = _likeliest(alone)
        many = sum(one.kind == "not-given" for (one,) in likeliest) > _MOST_TOLD // 2
        generic = [(one,) for (one,) in likeliest if one.kind != "not-given"]
        return (generic if many and generic else likeliest)[:_MOST_TOLD]
    usual = [one for one in slips if _far((one,)) < 4]
    both = [pair for pair in combinations(usual, 2) if pair[0].of != pair[1].of or not pair[0].of]
    return _likeliest(pair for pair in both if figure(asked, scored, book, pair) == guess)[:_MOST_TOLD]


def _far(slips: Iterable[Slip]) -> int:
    return sum(int(_words()[one.kind]["far"]) for one in slips)


def _likeliest(found: Iterable[tuple[Slip, ...]]) -> list[tuple[Slip, ...]]:
    """Put the likeliest first, and leave out what is more far-fetched by two."""
    ordered = sorted(found, key=_far)
    return [slips for slips in ordered if _far(slips) <= _far(ordered[0]) + 1]


def explain_payment(
    table: Settlement, payer: str, payee: str, book: Rulebook, guess: int
) -> list[tuple[Slip, ...]]:
    """Give what explains a wrong answer to what one player pays another."""
    scores, factor = table.scores, east_factor(payer, payee, book.settling)
    names = {seat: WIND_NAMES.get(seat, seat) for seat in (payer, payee)}
    difference = abs(scores[payee] - scores[payer])
    if payee == table.winner:
        bases = {scores[payee]: None, difference: slip("difference")}
    else:
        bases = {difference: None, scores[payee]: slip("whole-score", payee, names[payee])}
        bases.setdefault(scores[payer] + scores[payee], slip("sum"))
    bases.setdefault(scores[payer], slip("loser-pays-own", payer, names[payer]))
    if factor > 1:
        factors = {factor: None, 1: slip("east-forgotten"), factor * factor: slip("east-twice")}
    else:
        factors = {1: None, 2: slip("east-everywhere")}
    ways = [
        tuple(one for one in (of_base, of_factor) if one is not None)
        for base, of_base in bases.items()
        for times, of_factor in factors.items()
        if base * times == guess
    ]
    return sorted(filter(None, ways), key=lambda slips: (len(slips), _far(slips)))[:2]
