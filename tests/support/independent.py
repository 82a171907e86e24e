"""A second scorer, slow and plain, written from the books and the decisions and from nothing else here.

It shares with mjscore only the parsed hand. It tries every arrangement, every set that the winning tile
can have completed, every regrouping; it knows no masks, no memory and no rulebook files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from mjscore.game.hand import Hand, Win

RED, GREEN, WHITE = 31, 32, 33
WINDS = (27, 28, 29, 30)
DRAGONS = (RED, GREEN, WHITE)
HEADS = {0, 8, 9, 17, 18, 26, *WINDS, *DRAGONS}
ORPHANS = sorted(HEADS)
# what Babcock's "optional = all" turns on (D56)
OPTIONAL_SCORES = (
    "four-wind-hand",
    "ones-nines-honors",
    "nine-gates",
    "four-fours",
    "three-concealed",
    "four-concealed",
    "thirteen-orphans",
    "seven-twins",
    "doubling-bonuses",
    "drawn-no-score",
)


class Set_(NamedTuple):  # noqa: N801 - "Set" would hide a word of the game behind one of Python
    """A set: run, three, four or pair; tile; exposed; whether it still counts as concealed (D4)."""

    kind: str
    tile: int
    exposed: bool
    hidden: bool
    completed: bool = False


class Result(NamedTuple):
    """Final score, points before doubling, doubles, and what these come to before limit and limit hands."""

    score: int
    points: int
    doubles: int
    counted: int = 0


class Counted(NamedTuple):
    """A result with how many items were scored, and how many of them double."""

    result: Result
    items: int = 0
    combinations: int = 0


def divide(tiles: list[int], pair_left: bool = True) -> Iterator[list[tuple[str, int]]]:
    """All ways to divide sorted tiles into runs, threes and (once) a pair."""
    if not tiles:
        if not pair_left:
            yield []
        return
    first = tiles[0]
    if pair_left and tiles.count(first) >= 2:
        rest = tiles[2:]
        for division in divide(rest, False):
            yield [("pair", first), *division]
    if tiles.count(first) >= 3:
        for division in divide(tiles[3:], pair_left):
            yield [("three", first), *division]
    if first < 27 and first % 9 < 7 and first + 1 in tiles and first + 2 in tiles:
        rest = tiles.copy()
        for tile in (first, first + 1, first + 2):
            rest.remove(tile)
        for division in divide(rest, pair_left):
            yield [("run", first), *division]


def wins(tiles: list[int], laid: int, rules: Rules) -> bool:
    """Whether concealed tiles, with so many sets on the table, complete a hand in any way."""
    if next(divide(sorted(tiles)), None) is not None:
        return True
    return not laid and bool(special_shapes(tiles, rules))


def special_shapes(tiles: list[int], rules: Rules) -> list[str]:
    """Thirteen orphans and seven twins, where they are played and there is a limit (D58)."""
    found = []
    if rules.limit is None:
        return found
    if rules.orphans and len(tiles) == 14 and set(tiles) == set(ORPHANS):
        found.append("orphans")
    if rules.twins and len(tiles) == 14 and all(count in (2, 4) for count in Counter(tiles).values()):
        found.append("twins")
    return found


class Rules:
    """A rulebook's name with its options, as the decisions have them."""

    def __init__(self, name: str, options: dict[str, object]) -> None:
        self.name = name
        self.chinese = name == "babcock-chinese"
        self.babcock = name.startswith("babcock")
        every = options.get("optional") == "all"

        def on(option: str, default: bool = False) -> bool:
            return bool(options.get(option, (every and option in OPTIONAL_SCORES) or default))

        self.on = on
        self.players = int(str(options.get("players", 4)))
        self.mah_jongg = int(str(options.get("mah-jongg", 10 if name == "harr-limit" else 20)))
        if "limit" in options:
            self.limit = None if options["limit"] == "none" else int(str(options["limit"]))
        elif name == "harr":
            self.limit = None
        elif name == "harr-limit":
            self.limit = 400 if self.mah_jongg == 20 else 300
        else:
            self.limit = 600 if self.players == 3 else 300
        self.orphans = name == "harr-limit" or (self.babcock and on("thirteen-orphans"))
        self.twins = self.babcock and on("seven-twins")
        self.seasons = str(options.get("seasons", "off"))
        self.round_wind = on("round-wind", True)
        self.mandarins = on("mandarins")
        self.doubling = on("doubling-bonuses")
        self.heads_only = on("ones-nines-honors", self.chinese)
        self.false_win = str(options.get("false-win", "half"))
        self.ninth_wins = self.chinese and on("nine-wins")


def score(hand: Hand, rules: Rules) -> Result | None:
    """The score of a hand, or None where it is no winning hand."""
    if hand.dead:
        held = len(hand.concealed) + 3 * len(hand.sets)
        # too few tiles still score, in the Chinese game; what is not listed cannot be counted (D72)
        if not rules.chinese or held >= 13 or hand.unlisted:
            return Result(0, 0, 0)
    laid = [
        Set_(
            {"chow": "run", "pung": "three", "kong": "four"}[one.kind],
            int(one.tile),
            one.exposed,
            one.origin in ("declared", "fourth"),
        )
        for one in hand.sets
    ]
    held = sorted(int(tile) for tile in hand.concealed)
    results: list[Counted] = []
    if hand.win is None:
        for sets in regroup(held):
            results.append(count(hand, laid + sets, rules, None))
    else:
        tile = int(hand.win.tile)
        original = "original" in hand.win.flags
        stated = hand.win.stated
        full = sorted([*held, tile])
        for division in divide(full):
            sets = [Set_(kind, first, False, kind == "three") for kind, first in division]
            if original:
                results.append(count(hand, laid + sets, rules, None))
                continue
            for place, one in enumerate(sets):
                inside = range(one.tile, one.tile + 3) if one.kind == "run" else (one.tile,)
                if stated is not None and (one.kind, one.tile) != (
                    {"chow": "run", "pung": "three"}.get(stated.kind, stated.kind),
                    int(stated.tile),
                ):
                    continue
                if tile in inside:
                    shown = not hand.win.drawn
                    done = one._replace(
                        exposed=shown, hidden=one.kind == "three" and not shown, completed=True
                    )
                    results.append(count(hand, laid + sets[:place] + [done] + sets[place + 1 :], rules, done))
        if not laid and stated is None:
            for shape in special_shapes(full, rules):
                assert rules.limit is not None
                worth = rules.limit if shape == "orphans" else rules.limit // 2 // 2 * 2
                if original or (rules.ninth_wins and "ninth" in hand.win.flags):
                    worth = rules.limit
                # twins of heads alone are a hand of ones, nines and honors too (D58)
                if rules.babcock and rules.heads_only and all(one in HEADS for one in full):
                    worth = rules.limit
                results.append(Counted(Result(worth, 0, 0)))
        if rules.players == 2:
            results = [one for one in results if one.combinations >= 2]
    if not results:
        return None
    return max(results, key=lambda one: (one.result.score, one.result.counted, -one.items)).result


def regroup(held: list[int]) -> Iterator[list[Set_]]:
    """Every regrouping of concealed tiles, leaving things alone included (D5)."""
    choices = []
    for kind, many in Counter(held).items():
        ways: list[Set_ | None] = [None]
        if many >= 2:
            ways.append(Set_("pair", kind, False, False))
        if many >= 3:
            ways.append(Set_("three", kind, False, True))
        choices.append(ways)
    for way in product(*choices):
        yield [one for one in way if one is not None]


def count(hand: Hand, sets: list[Set_], rules: Rules, completed: Set_ | None) -> Counted:
    """What one arrangement scores, with how many items were scored."""
    win = hand.win
    won = win is not None
    flags = win.flags if win else frozenset()
    original = "original" in flags
    drawn = won and win.drawn and not original
    own = 27 + "ESWN".index(hand.seat or "E")
    round_wind = 27 + "ESWN".index(hand.round or "E")
    own_round = own == round_wind
    points = 0
    items = 0
    scored = 0  # what forfeits "no other score"
    for one in sets:
        value = set_value(one, rules, won, own, round_wind, completed if one is completed else None, hand)
        points += value
        items += bool(value)
        scored += bool(value)
    threes = [one for one in sets if one.kind in ("three", "four")]
    kinds = {one.tile for one in threes}
    no_runs = all(one.kind != "run" for one in sets)
    tiles = [int(tile) for tile in hand.concealed] + [int(tile) for one in hand.sets for tile in one.tiles]
    if win is not None:
        tiles.append(int(win.tile))
    suits = {tile // 9 for tile in tiles if tile < 27}
    honors = any(tile >= 27 for tile in tiles)
    listed = not hand.unlisted
    one_suit = listed and len(suits) == 1 and not honors
    mixed_suit = listed and len(suits) == 1 and honors
    all_honors = listed and not suits and honors
    doubles = 0
    combinations = 0
    extra = 0
    limit_hands: list[int] = []

    def bonus(value: int) -> None:
        nonlocal points, items, scored
        points += value
        items += 1
        scored += 1

    def double(times: int = 1) -> None:
        nonlocal doubles, items, combinations
        doubles += times
        items += 1
        combinations += 1

    if won:
        points += rules.mah_jongg
        items += 1
    ten = bonus  # what scores ten points, or doubles once by Babcock's option

    if rules.name == "harr" or rules.babcock:
        if drawn:
            bonus(2)
        if (
            won
            and not original
            and "mixed" not in (flags if rules.babcock else ())
            and only_place(hand, rules, completed)
        ):
            bonus(2)
        specials = []
        if won and no_runs:
            specials.append(10)
        if "loose" in flags:
            specials.append(10 if rules.name == "harr" else 8)
        if rules.babcock and "robbed" in flags:
            specials.append(10)
        if rules.babcock and "last" in flags:
            specials.append(10)
        for value in specials:
            if rules.babcock and rules.doubling:
                double()
                scored += 1
            else:
                ten(value)
    mixed = rules.babcock and "mixed" in flags
    if won and not scored and not mixed:
        if rules.babcock and rules.doubling:
            double()
        else:
            points += 10
            items += 1
    if rules.babcock and rules.on("drawn-no-score") and drawn and not mixed and scored == 1:
        double()

    if not rules.babcock and rules.mandarins:
        mine = sum((int(tile) - 34) % 4 == own - 27 for tile in hand.bonus)
        if mine:
            double(mine)
    dragons = sum(kind in kinds for kind in DRAGONS)
    for _ in range(dragons):
        double()
    if rules.name == "harr":
        if own in kinds:
            double()
        if mixed_suit:
            double()
        if one_suit:
            double(3)
        if all_honors:
            double(3)
        if original:
            double(3)
    elif rules.name == "harr-limit":
        if own in kinds:
            double(2 if own_round else 1)
        if won:
            if mixed_suit:
                double()
            if no_runs:
                double()
            if one_suit:
                double(3)
            if "last" in flags:
                double()
            if "loose" in flags:
                double()
            exposed = {int(one.tile) for one in hand.sets if one.kind == "pung"}
            if int(win.tile) in exposed:  # type: ignore[union-attr]
                double()
            if rules.limit is not None:
                if "earth" in flags:
                    extra += rules.limit // 2
                winds = sum(kind in kinds for kind in WINDS)
                pair = next((one.tile for one in sets if one.kind == "pair"), -1)
                if (
                    (no_runs and all(tile in HEADS for tile in tiles))
                    or winds == 4
                    or (winds == 3 and pair in WINDS)
                    or sum(one.kind == "four" for one in sets) == 4
                    or original
                    or dragons == 3
                ):
                    limit_hands.append(rules.limit)
    else:
        if own in kinds:
            double()
        if rules.players == 2 and own == 27 and 28 in kinds:
            double()
        if rules.players == 2 and own == 29 and 30 in kinds:
            double()
        if rules.chinese and rules.round_wind and round_wind in kinds:
            double()
        if mixed_suit and (won or not rules.chinese):
            double()
        if one_suit and (won or not rules.chinese):
            double(3)
        if all_honors and (not rules.chinese or (won and rules.limit is None)):
            double(3)
        if rules.seasons != "off" and hand.bonus:
            points += 4 * len(hand.bonus)
            items += 1
            outside = 0
            for first in (34, 38):
                series = [int(tile) for tile in hand.bonus if first <= tile < first + 4]
                if len(series) == 4:
                    double(3)
                elif first + own - 27 in series:
                    outside += 1
            if rules.seasons == "on" and outside:
                double(outside)
            elif rules.seasons == "shanghai" and outside == 2:
                double()
        if won:
            hidden = sum(one.hidden for one in threes)
            if rules.on("three-concealed") and hidden >= 3:
                double()
            if rules.limit is None:
                if original:
                    double(3)
            else:
                limit = rules.limit
                winds = sum(kind in kinds for kind in WINDS)
                pair = next((one.tile for one in sets if one.kind == "pair"), -1)
                if original:
                    limit_hands.append(limit)
                if "earth" in flags:
                    limit_hands.append(limit // 2 // 2 * 2)
                if "thirteen" in flags:
                    limit_hands.append(limit // 3 // 2 * 2)
                if (
                    rules.on("four-wind-hand", rules.chinese)
                    and own in kinds
                    and (winds == 4 or (winds == 3 and pair in WINDS))
                ):
                    limit_hands.append(limit)
                if rules.heads_only and all(tile in HEADS for tile in tiles):
                    limit_hands.append(limit)
                if rules.on("nine-gates") and nine_gates([int(tile) for tile in hand.concealed]):
                    limit_hands.append(limit)
                if rules.on("four-fours") and sum(one.kind == "four" for one in sets) == 4:
                    limit_hands.append(limit)
                must_draw = rules.on("four-concealed-drawn")
                if (
                    rules.on("four-concealed", rules.chinese)
                    and sum(not one.exposed for one in threes) == 4
                    and (drawn or original or not must_draw)
                ):
                    limit_hands.append(limit)
                if rules.chinese and all_honors:
                    limit_hands.append(limit)
                if rules.chinese and dragons == 3:
                    limit_hands.append(limit)
                if rules.ninth_wins and "ninth" in flags:
                    limit_hands.append(limit)
    final = counted = points * 2**doubles + extra
    # by Harr the limit caps the winner's score alone (D24, D39)
    if rules.limit is not None and (won or rules.babcock):
        final = min(final, rules.limit)
    final = max([final, *limit_hands])
    return Counted(Result(final, points, doubles, counted), items, combinations)


def set_value(
    one: Set_, rules: Rules, won: bool, own: int, round_wind: int, completed: Set_ | None, hand: Hand
) -> int:
    """Points of one set."""
    head = one.tile in HEADS
    if one.kind == "four":
        return {(0, 1): 8, (0, 0): 16, (1, 1): 16, (1, 0): 32}[head, one.exposed]
    if one.kind == "three":
        value = {(0, 1): 2, (0, 0): 4, (1, 1): 4, (1, 0): 8}[head, one.exposed]
        if rules.name == "harr-limit" and won and not one.exposed:
            value = 10 if head else 6
        return value
    win = hand.win
    if rules.name != "harr-limit":
        return 2 if one.kind == "pair" and (one.tile in DRAGONS or one.tile == own) else 0
    if one.kind == "run":
        if completed is None or win is None:
            return 0
        if win.drawn:
            return 4
        return 2 if closed_place(one.tile, int(win.tile)) else 0
    if completed is not None and win is not None:
        if one.tile == own == round_wind:
            return 8 if win.drawn else 6
        if head:
            return 6 if win.drawn else 4
        return 4 if win.drawn else 2
    if one.tile in DRAGONS:
        return 2
    if one.tile == own == round_wind:
        return 4
    return 2 if one.tile in (own, round_wind) else 0


def closed_place(first: int, tile: int) -> bool:
    """Whether a tile filled a run in the middle or at its only open end."""
    return tile == first + 1 or (first % 9 == 0 and tile == first + 2) or (first % 9 == 6 and tile == first)


def waits(hand: Hand, rules: Rules) -> list[int]:
    """The tiles that would complete a hand of thirteen; none of which it holds all four itself."""
    owned = Counter([*hand.concealed, *(tile for one in hand.sets for tile in one.tiles)])
    return [kind for kind in places(hand, rules) if owned[kind] < 4]


def places(hand: Hand, rules: Rules) -> list[int]:
    """The kinds of tiles that would complete a hand of thirteen, all 34 tried, wherever the four are (D6)."""
    held = [int(tile) for tile in hand.concealed]
    return [kind for kind in range(34) if wins([*held, kind], len(hand.sets), rules)]


def only_place(hand: Hand, rules: Rules, completed: Set_ | None) -> bool:
    """The only place to win: no other kind of tile would have done (D6); by form in the Chinese game."""
    assert hand.win is not None
    if rules.chinese:
        if completed is None:
            return False
        if completed.kind == "pair":
            return True
        return completed.kind == "run" and closed_place(completed.tile, int(hand.win.tile))
    return places(hand, rules) == [int(hand.win.tile)]


def nine_gates(held: list[int]) -> bool:
    """1112345678999 of one suit."""
    return any(
        sorted(held) == [suit + value for value in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)]
        for suit in (0, 9, 18)
    )


def settle(hands: dict[str, Hand], winner: str, rules: Rules) -> dict[str, int] | None:
    """What each seat wins or loses, where all four show their hands; None for a table that is refused."""
    results = {seat: score(hand, rules) for seat, hand in hands.items()}
    if any(result is None for result in results.values()):
        return None
    win = hands[winner].win
    assert win is not None
    losers = [seat for seat in hands if seat != winner]
    new_method = rules.chinese and rules.on("new-method")

    def factor(seat: str, other: str) -> int:
        return 2 if "E" in (seat, other) and not new_method else 1

    owed = {}
    for seat in losers:
        owed[seat] = results[winner].score * factor(seat, winner)  # type: ignore[union-attr]
        if new_method and (win.drawn or win.discarder == seat):
            owed[seat] *= 2
    splits = liabilities(hands, winner, owed, rules)
    if splits is None:
        return None
    net = dict.fromkeys(hands, 0)
    if splits:
        owed = heaviest(splits, {win.discarder, win.earlier})
    else:
        for seat in losers:
            for other in losers:
                more = results[other].score - results[seat].score  # type: ignore[union-attr]
                if more > 0:
                    if not rules.babcock and rules.limit is not None:
                        more = min(more, rules.limit)
                    net[seat] -= more * factor(seat, other)
                    net[other] += more * factor(seat, other)
    for seat, points in owed.items():
        net[seat] -= points
        net[winner] += points
    return net


def heaviest(splits: list[dict[str, int]], fed: set[str | None]) -> dict[str, int]:
    """Of several the one by which those who fed nothing pay least, and then that by which one pays most (D74)."""
    return min(
        splits,
        key=lambda split: (
            sum(paid for seat, paid in split.items() if seat not in fed),
            -max(split.values()),
        ),
    )


def liabilities(
    hands: dict[str, Hand], winner: str, owed: dict[str, int], rules: Rules
) -> list[dict[str, int]] | None:
    """What the losers pay by each liability there is; None where what is said cannot be."""
    hand = hands[winner]
    win = hand.win
    assert win is not None
    laid = [tuple(map(int, one.tiles)) for one in hand.sets]
    total = sum(owed.values())
    insured = rules.name == "harr-limit" or (rules.chinese and rules.on("insurance", True))
    splits: list[dict[str, int]] = []
    blamed: list[str] = []
    discarder = None if win.drawn else win.discarder
    if insured and discarder is not None:
        direct = [
            case
            for case in ("dragons", "suit", "winds", "heads")
            if _shown(case, laid, (int(win.tile),), rules) and _made(case, hand, rules)
        ]
        his = hands[discarder]
        if direct and his.no_choice and not his.unlisted:
            harmful = [
                tile
                for tile in map(int, his.concealed)
                if any(_shown(case, laid, (tile,), rules) for case in direct)
            ]
            if len(harmful) < len(his.concealed):
                return None
        blamed = [case for case in direct if not _excused(his, case, rules)]
    if insured and rules.chinese and win.earlier is not None:
        cases = [case for case in ("dragons", "suit", "winds", "heads") if _played(case, rules)]
        sitting = [seat for seat in "ESWN" if seat in hands]
        left = sitting[sitting.index(winner) - 1]
        before = {
            case: any(
                _shown(case, laid[:place] + laid[place + 1 :], one, rules)
                for place, one in enumerate(laid)
                if hand.sets[place].origin != "declared"
                # nobody but the player on the left feeds a run (D78)
                and (one[0] == one[1] or win.earlier == left)
            )
            for case in cases
        }
        if not any(before.values()):
            return None
        fed = [case for case in cases if before[case] and _made(case, hand, rules)]
        # two, and the three that is told in two halves: a suit; winds, ones, nines and honors
        sharing = any(case != "dragons" for case in fed) and any(case != "dragons" for case in blamed)
        if sharing and discarder != win.earlier:
            assert discarder is not None
            half = total // 2 // 2 * 2
            splits.append({**dict.fromkeys(owed, 0), discarder: half, win.earlier: total - half})
            blamed = [case for case in blamed if case == "dragons"]
        if (fed and not sharing) or "dragons" in fed:
            split = {seat: points // 2 // 2 * 2 for seat, points in owed.items() if seat != win.earlier}
            splits.append({**split, win.earlier: total - sum(split.values())})
    if blamed:
        assert discarder is not None
        splits.append({**dict.fromkeys(owed, 0), discarder: total})
    return splits


def _shown(case: str, laid: list[tuple[int, ...]], fed: tuple[int, ...], rules: Rules) -> bool:
    """Whether the sets on the table are what is insured against, and a tile of those *fed* is dangerous."""
    alike = {one[0] for one in laid if one[0] == one[1]}
    if case == "dragons":
        return len(alike & set(DRAGONS)) == 2 and any(tile in DRAGONS for tile in fed)
    if case == "winds":
        return len(alike & set(WINDS)) >= 3 and any(tile in WINDS for tile in fed)
    if case == "heads":
        return len(alike & HEADS) >= 3 and any(tile in HEADS for tile in fed)
    suit = fed[0] // 9
    return fed[0] < 27 and sum(one[0] // 9 == suit for one in laid) >= 3


def _played(case: str, rules: Rules) -> bool:
    """Whether the hand that is insured against is one that the table plays (B 76; D74)."""
    options = {"heads": rules.heads_only, "winds": rules.on("four-wind-hand", True)}
    return not rules.chinese or options.get(case, True)


def _made(case: str, hand: Hand, rules: Rules) -> bool:
    """Whether the winning hand is what was insured against."""
    win = hand.win
    assert win is not None
    tiles = [int(tile) for tile in hand.concealed] + [int(tile) for one in hand.sets for tile in one.tiles]
    held = Counter([*tiles, int(win.tile)])
    if case == "suit":
        return len({kind // 9 if kind < 27 else kind for kind in held}) == 1 and min(held) < 27
    if not _played(case, rules):
        return False
    if case == "heads":
        return set(held) <= HEADS
    if case == "dragons":
        return all(held[kind] >= 3 for kind in DRAGONS)
    own = 27 + "ESWN".index(hand.seat or "E")
    threes = sum(held[kind] >= 3 for kind in WINDS)
    four = threes >= 3 and all(held[kind] >= 2 for kind in WINDS)
    return four and (held[own] >= 3 or not rules.chinese)


def _excused(hand: Hand, case: str, rules: Rules) -> bool:
    """Whether the discarder's own hand excuses him."""
    if hand.dead:
        return False
    if hand.no_choice:
        return True
    if hand.unlisted or not waits(hand, rules):
        return False
    if rules.name == "harr-limit":
        now = score(hand, rules)
        if now.doubles >= 2:
            return True
        for kind in waits(hand, rules):
            done = score(hand._replace(win=_claim(kind)), rules)
            if done is not None and done.doubles > 2:
                return True
        return False
    if rules.on("new-method"):
        return True
    tiles = [int(tile) for tile in hand.concealed] + [int(tile) for one in hand.sets for tile in one.tiles]
    held = Counter(tiles)
    own = 27 + "ESWN".index(hand.seat or "E")
    threes = [kind for kind in held if held[kind] >= 3]
    winds = [kind for kind in WINDS if kind in threes]
    dragons = [kind for kind in DRAGONS if kind in threes]
    ranks = []
    if len({kind // 9 if kind < 27 else kind for kind in held}) == 1 and min(held) < 27:
        ranks.append(1)
    if len(winds) >= 3 and own in winds and all(held[kind] for kind in WINDS):
        ranks.append(1)
    if len(winds) >= 2 and all(held[kind] >= 2 for kind in WINDS):
        ranks.append(2)
    if len(dragons) >= 2 and all(held[kind] >= 2 for kind in DRAGONS):
        ranks.append(2)
    if set(held) <= HEADS:
        ranks.append(3)
    return min(ranks, default=9) <= {"suit": 1, "winds": 1, "dragons": 2, "heads": 3}[case]


def _claim(kind: int) -> Win:
    return Win(kind, False)  # type: ignore[arg-type]
