"""The questions of a drill; a wrong answer is explained by one or two usual slips that lead to it."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations
from math import prod
from random import Random
from typing import Any, NamedTuple

from mjscore.drill.dealing import drawn, drill_data
from mjscore.game.hand import Hand, TileSet
from mjscore.game.tiles import HEADS, WIND_NAMES, Tile, format_tiles, tiles_in, written_mask
from mjscore.page.sheets import paid_by_pair, sheet_head, show_settlement, show_sheet, show_waits
from mjscore.page.text import NOBODY, Style
from mjscore.record.checker import Checked
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.wording import meaning
from mjscore.scoring.reasons import not_given
from mjscore.scoring.scorer import SetValues, capped, score_hand
from mjscore.scoring.sheet import ScoredHand, ScoreSheet
from mjscore.scoring.waits import Waits, waiting_tiles
from mjscore.settling.payment import SITTER_OUT, SeatResult
from mjscore.settling.settlement import Settlement, collected, east_factor, settle

# whether the hand asked about won (None: either); it did if the question is not listed
_WON = {"losers": False, "score": None}
_BY_PARTS = ("sets", "points", "doubles")  # not asked about limit hands
_MOST_TOLD = 4  # explanations with the same result
_FAR = 4  # slips this far-fetched are not combined in pairs


class Slip(NamedTuple):
    """A mistake in scoring, and its change to the points for *sets*, to the *others*, and to the *doubles*.

    *of* is what the slip is about, a rule's id or a set in the notation, and *title* its name. *late* points
    are added after the doubling; the score is multiplied by *factor*.
    """

    kind: str
    of: str = ""
    title: str = ""
    sets: int = 0
    others: int = 0
    doubles: int = 0
    late: int = 0
    factor: int = 1


Slips = tuple[Slip, ...]


class Question(NamedTuple):
    """A question: *put* is its text, *head* the text above; *right* is the answer (of waits, a tile mask).

    *asked* is its kind; *explain* returns the slips behind a wrong answer, *show* sheet, waits or payments.
    """

    asked: str
    head: str
    put: str
    right: int
    explain: Callable[[int], list[Slips]]
    show: Callable[[Style], str]
    outcome: ScoreSheet | Settlement
    hand: Hand | None = None

    def read(self, typed: str) -> int | None:
        """Return the answer typed; None if the text is no answer."""
        digits = typed.replace(",", "").replace(" ", "")
        if self.asked != "waits":
            return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 16 else None
        try:
            return 0 if digits.lower() in ("none", "0") else written_mask(typed.replace(",", " ").strip())
        except KeyError:
            return None

    def typed(self, answer: int) -> str:
        """Return an answer as it is typed."""
        return str(answer) if self.asked != "waits" else format_tiles(tiles_in(answer)) or "none"


def asked_now(right: int, number: int) -> str:
    """Return the kind of question *number*: the more *right* answers before, the harder."""
    step: list[str] = drill_data()["ladder"][: right // drill_data()["step"] + 1][-1]
    return step[number % len(step)]


def question(book: Rulebook, seed: object, number: int, asked: str, about: str = "") -> Question:
    """Return question *number* of a drill, of the kind *asked*. Raises Refused if no hand suits."""
    if asked == "payments":
        return _of_a_drawn_table(book, seed, number, about)
    won, by_parts = _WON.get(asked, True), asked in _BY_PARTS
    for tries, scored in enumerate(drawn(book, seed, number, about or None if by_parts else about, won)):
        sheet = scored.sheet
        counted = not by_parts or not (sheet.special or sheet.limit not in (None, "limit"))
        if counted and (sheet.doubles or asked != "doubles" or tries > 50):  # some rulebooks have no doubles
            break
    return _of_a_hand(asked, book, scored)


def questions_of(checked: Checked, asked: str) -> Iterator[Question]:
    """Yield questions about a table of a file, or the one *asked* about a hand; none if it was refused."""
    outcome, label, book = checked.outcome, checked.label or "", checked.state.book
    if isinstance(outcome, Settlement) and outcome.error is None:
        yield from _of_a_table(book, outcome, label)
    elif isinstance(outcome, ScoreSheet) and outcome.error is None and outcome.hand is not None:
        yield _of_a_hand(asked, book, score_hand(outcome.hand, book), label)


def _of_a_hand(asked: str, book: Rulebook, scored: ScoredHand, label: str = "") -> Question:
    hand, sheet, put = scored.facts.hand, scored.sheet, drill_data()["questions"][asked]
    head = f"{label}  {sheet_head(sheet, NOBODY)}".strip()
    if asked == "waits":
        hand = hand._replace(win=None)
        waits = Waits(book.id, tuple(waiting_tiles(hand, book)))
        right, shown = sum(1 << wait.tile for wait in waits.waits), partial(show_waits, waits, book)
        return Question(asked, head, put, right, partial(_explain_waits, right), shown, sheet, hand)
    if hand.win is not None:
        claimed = {"last": "last_discard"} if scored.facts.claimed else {}
        flags = [claimed.get(flag, flag) for flag in sorted(hand.win.flags)]
        how = f"The {hand.win.tile.title} was {'drawn' if hand.win.drawn else 'claimed'}"
        put = f"{'; '.join([how, *map(meaning, flags)])}. {put}"
    right, why = figure(asked, scored, book), partial(explain, asked, scored, book)
    return Question(asked, head, put, right, why, partial(show_sheet, sheet, book, pays=False), sheet, hand)


def _of_a_table(book: Rulebook, table: Settlement, label: str = "") -> Iterator[Question]:
    """Yield a question for each two players of a table between whom something is paid: how much it is."""
    scores = ", ".join(f"{WIND_NAMES[seat]} has {score}" for seat, score in table.scores.items())
    for pair, points in paid_by_pair(table).items():
        if SITTER_OUT not in pair:
            asks = drill_data()["questions"]["payments"].format(*(WIND_NAMES[seat] for seat in pair))
            put = f"{scores}; {WIND_NAMES[table.winner or 'E']} won. {asks}"
            why = partial(_explain_payment, table, pair, book)
            shown = partial(show_settlement, table, NOBODY)
            yield Question("payments", label, put, points, why, shown, table)


def _of_a_drawn_table(book: Rulebook, seed: object, number: int, about: str) -> Question:
    """Return a question about a random table: what one player pays another, given everybody's score."""
    won = question(book, seed, number, "winners", about)
    lost = {seat: question(book, f"{seed} {seat}", number, "losers").right for seat in book.seats}
    assert isinstance(won.outcome, ScoreSheet)
    results = {seat: SeatResult(score) for seat, score in lost.items()}
    results[won.outcome.seat or ""] = SeatResult(won.right, won.outcome.doubles)
    table = settle(results, won.outcome.seat, book, drawn=True)
    return Random(f"{seed} {number}").choice(list(_of_a_table(book, table)))


def figure(asked: str, scored: ScoredHand, book: Rulebook, slips: Slips = ()) -> int:
    """Return what is *asked* of a hand (``sets``, ``points``, ``doubles`` or the score) with *slips* made."""
    sheet, kinds = scored.sheet, {slip.kind for slip in slips}
    points = (sheet.points or 0) + sum(slip.sets + slip.others for slip in slips)
    doubles = max(0, (sheet.doubles or 0) + sum(slip.doubles for slip in slips))
    sets = sum(item.points for item in sheet.items if item.tiles) + sum(slip.sets for slip in slips)
    if asked in _BY_PARTS:
        return {"sets": sets, "points": points, "doubles": doubles}[asked]
    late = sum(slip.late for slip in slips)
    score = book.counted(points - late, doubles, late + sum(item.points for item in sheet.additions))
    score = points * 2 * doubles if "added-up" in kinds else score
    score = score if "no-limit" in kinds else capped(score, bool(sheet.won), book)
    if sheet.limit not in (None, "limit") and "uncounted" not in kinds:
        score = sheet.score or 0
    return score * prod(slip.factor for slip in slips)


def _slips(scored: ScoredHand, book: Rulebook) -> Iterator[Slip]:
    """Yield the slips that a player could make with a hand."""
    sheet, rules = scored.sheet, book.rules
    for item in sheet.items:
        of, title = item.tiles or item.rule, ", ".join(filter(None, (item.title, item.tiles)))
        sets, others = (item.points, 0) if item.tiles else (0, item.points)
        yield Slip("left-out", of, f"{title} ({item.points})", -sets, -others)
        yield Slip("twice", of, title, sets, others)
        yield Slip("after-doubling", of, title, late=others)
    for line in sheet.doubling:
        yield Slip("left-out", line.rule, line.title, doubles=-line.doubles)
        yield Slip("double-twice", line.rule, line.title, doubles=1)
        yield Slip("double-once", line.rule, line.title, doubles=1 - line.doubles)
    yield Slip("not-doubled", doubles=-(sheet.doubles or 0))
    yield from (Slip("added-up"), Slip("too-many-doubles", doubles=1), Slip("no-limit", "", str(book.limit)))
    if sheet.limit in rules:
        yield Slip("uncounted", sheet.limit, rules[sheet.limit].title)
    if sheet.seat == "E" and book.settling.east_factor is not None:
        yield Slip("east-doubled", factor=book.settling.east_factor.factor)
    paid = collected(sheet, book, scored=scored) if sheet.won and sheet.score else None
    if paid is not None:
        yield Slip("collected", factor=sum(one.points for one in paid.payments) // (sheet.score or 1))
    if (counting := scored.counting) is not None and counting.values:
        worths = SetValues(scored.facts, counting.arrangement, book)
        yield from _slips_with_sets(counting.arrangement.sets, worths)
    for rule, why in ((rules[reason.rule], reason.why) for reason in not_given(scored, book)):
        if rule.section in ("bonus", "double"):
            yield Slip("not-given", rule.id, f"{rule.title}: {why}", 0, rule.points, rule.doubles)


def _slips_with_sets(every: Iterable[TileSet], worths: SetValues) -> Iterator[Slip]:
    """Yield the slips about sets: exposed or concealed, pung or kong, and the kind of tile."""

    def slip(how: str, one: TileSet, **changed: Any) -> Slip:
        return Slip(how, str(one), str(one), worths[one._replace(**changed)].points - worths[one].points)

    for exposed, how in ((True, "concealed"), (False, "exposed")):
        sets = [one for one in every if one.exposed == exposed and one.kind in ("pung", "kong")]
        turned = [slip(f"as-{how}", one, exposed=not exposed) for one in sets]
        yield from turned
        yield Slip(f"all-{how}", sets=sum(one.sets for one in turned) if turned[1:] else 0)
        for one in sets:
            kind, tile = ("as-simple", "5b") if HEADS >> one.tile & 1 else ("as-head", "1b")
            yield slip(kind, one, tile=Tile.parse(tile))
            yield slip("as-three", one, kind="pung")
    for one in every:
        if one.kind == "pair" and not worths[one].points:
            yield slip("pair-counted", one, tile=Tile.parse("Rd"), completed=False)


def explain(asked: str, scored: ScoredHand, book: Rulebook, guess: int) -> list[Slips]:
    """Return the likeliest slips that lead to a wrong answer, at most four: single, or else pairs."""
    right = figure(asked, scored, book)
    points, score = (figure(what, scored, book) for what in ("points", "score"))
    beyond = [Slip("beyond", sets=more - right) for more in (points, score) if asked in _BY_PARTS]
    come_to = {slip: figure(asked, scored, book, (slip,)) for slip in (*beyond, *_slips(scored, book))}
    ways: list[Slips] = [(slip,) for slip, points in come_to.items() if points == guess]
    if not ways:
        usual = [slip for slip, points in come_to.items() if points != right and _far((slip,)) < _FAR]
        pairs = [pair for pair in combinations(usual, 2) if pair[0].of != pair[1].of or not pair[0].of]
        ways = [pair for pair in pairs if figure(asked, scored, book, pair) == guess]
    return _likeliest(ways)


def _likeliest(ways: list[Slips]) -> list[Slips]:
    """Return at most four *ways*, the least far-fetched; ``not-given`` slips only if there are one or two."""
    ways = sorted(ways, key=_far)
    ways = [slips for slips in ways if _far(slips) <= _far(ways[0]) + 1]
    named = [slips for slips in ways if slips[0].kind != "not-given"]
    return (ways if len(ways) - len(named) <= _MOST_TOLD // 2 else named)[:_MOST_TOLD]


def _far(slips: Slips) -> int:
    return sum(drill_data()["slips"][slip.kind]["far"] for slip in slips)


def _explain_payment(table: Settlement, pair: tuple[str, str], book: Rulebook, guess: int) -> list[Slips]:
    has, gets = (table.scores[seat] for seat in pair)
    factor, other = east_factor(*pair, book.settling), abs(gets - has)
    right, wrong = (gets, "difference") if pair[1] == table.winner else (other, "whole-score")
    bases = {gets + has: "sum", has: "own-score", gets: wrong, other: wrong, right: ""}
    factors = {1: "east-forgotten", 2: "east-everywhere", factor**2: "east-twice", factor: ""}
    ways = [(bases[base], factors[times]) for base in bases for times in factors if base * times == guess]
    explained = [tuple(Slip(kind, title=WIND_NAMES[pair[0]]) for kind in way if kind) for way in ways]
    return sorted(filter(None, explained), key=lambda slips: (len(slips), _far(slips)))[:2]


def _explain_waits(right: int, guess: int) -> list[Slips]:
    kinds = {"missing": right & ~guess, "no-wait": guess & ~right}
    return [(Slip(kind, str(tile), tile.title),) for kind, mask in kinds.items() for tile in tiles_in(mask)]


def tell(ways: Iterable[Slips]) -> list[str]:
    """Return the explanations of an answer in words, a line for each."""
    says = {kind: slip["says"] for kind, slip in drill_data()["slips"].items()}
    return [", and ".join(says[one.kind].format(title=one.title) for one in slips) for slips in ways]
