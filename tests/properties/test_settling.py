"""Evenings at random, by every rulebook and two to five players, settled a second way.

Few in the ordinary run; with TABLES=100000 in the environment as many tables as that.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from typing import NamedTuple

import pytest
from checks import check_text
from hands import make_hand
from independent import Rules
from insured_tables import random_table
from programs import run_command
from second_settler import (
    SITTING_OUT,
    Bare,
    Chairs,
    Ending,
    Line,
    pay_each,
    penalty_of_false_win,
    seats_of,
    settle,
    wash,
)

import mjscore
from mjscore.game.hand import Hand
from mjscore.play.evening import read_evening

RULEBOOKS = (
    "harr",
    "harr-limit",
    "babcock",
    "babcock-chinese",
)  # the books that the second settler is written from
TABLES = int(os.environ.get("TABLES", "320"))
TO_AN_EVENING = 16
NAMES = ("Ann", "Ben", "Cid", "Dee", "Eve")
WAYS = (
    "is excused",
    "share the whole",
    "pays half",
    "pays for all",
    "could not be checked",
    "too many tiles",
)
POINTS = (0, 2, 4, 10, 15, 16, 22, 36, 64, 149, 150, 151, 299, 300, 301, 416, 2562)
CHOICES: dict[str, dict[str, tuple[object, ...]]] = {
    "harr": {"limit": ("none", 300, 151)},
    "harr-limit": {"limit": ("none", 300, 250), "mah-jongg": (10, 20)},
    "babcock": {"limit": ("none", 300, 301), "progressive": (False, True), "optional": ("none", "all")},
    "babcock-chinese": {
        "limit": ("none", 300, 250, 301),
        "mah-jongg": (10, 20, 30, 50, 100),
        "limit-cancels": (False, True),
        "nearest-ten": (False, True),
        "east-passes": ("loss", "winner"),
        "nine-wins": (False, True),
        "nine-mummies": (False, True),
        "nine-mummies-bonus": (False, True),
        "not-touching": (False, True),
        "long-hand-pays-limit": (False, True),
        "false-win": ("100", "half", "limit"),
        "insurance": (True, True, False),
        "four-sets-from-one": (False, True),
        "new-method": (False, False, True),
        "round-wind": (False, True),
        "four-wind-hand": (False, True, True),
        "ones-nines-honors": (False, True, True),
    },
}  # fmt: skip


class Played(NamedTuple):
    """What was played: its text, what each player is expected to win or lose, and the hand, where one was."""

    text: str
    net: dict[str, int]
    round: str
    ending: Ending | None = None


def some_options(chance: random.Random, rulebook: str, players: int) -> dict[str, object]:
    options: dict[str, object] = (
        {"players": players} if rulebook.startswith("babcock") and players != 4 else {}
    )
    for option, values in CHOICES[rulebook].items():
        if chance.random() < 0.4:
            options[option] = chance.choice(values)
    if not options.get("nine-mummies"):
        options.pop("nine-mummies-bonus", None)
    if options.get("optional") == "all":
        options["thirteen-orphans"] = False
    return options


def fed_by_one(chance: random.Random, hand: Hand, rules: Rules) -> Hand:
    """The hand with the player on the left named as who fed all four sets, where that can be (D78)."""
    win = hand.win
    sets = [one for one in hand.sets if one.origin in ("claimed", "fourth", "grown")]
    if win is None or len(hand.sets) < 4 or len(sets) < 4 or chance.random() < 0.5:
        return hand
    left = seats_of(rules, rules.players)
    feeder = left[left.index(hand.seat or "E") - 1]
    return hand._replace(win=win._replace(all_from=feeder, earlier=None))


def some_lines(
    chance: random.Random, rules: Rules, players: int, round_wind: str, ninth: bool
) -> Ending | None:
    """A hand's end at a table of so many: hands that may be insured, some bare, dead, long or in part."""
    hands = random_table(chance)
    if hands is None:
        return None
    seats = seats_of(rules, players)
    winner = next(seat for seat, hand in hands.items() if hand.win is not None)
    if winner not in seats:
        return None
    lines: dict[str, Line] = {}
    for seat in seats:
        hand = hands[seat]._replace(round=round_wind)
        if seat == winner:
            win = hand.win
            assert win is not None
            if any(other not in seats for other in (win.discarder, win.earlier) if other is not None):
                return None
            hand = fed_by_one(chance, hand, rules) if rules.chinese and players in (4, 5) else hand
            if ninth and seat == "E" and hand.win is not None and chance.random() < 0.3:
                hand = hand._replace(win=hand.win._replace(flags=hand.win.flags | {"ninth"}))
        elif chance.random() < 0.15 and len(hand.concealed) > 4:
            hand = _in_part(chance, hand)
        lines[seat] = hand
        if chance.random() < 0.4:
            bare = Bare(chance.choice(POINTS))
            if seat == winner:
                bare = bare._replace(
                    doubles=chance.randrange(6), ninth=ninth and seat == "E" and chance.random() < 0.4
                )
            elif chance.random() < 0.15:
                bare = Bare(0, dead=True)
            lines[seat] = bare
    if players == 3 and rules.babcock and any(_holds_west(line) for line in lines.values()):
        return None
    if max(held_in_all(lines)) > 4:
        return None
    others = [seat for seat in seats if seat != winner]
    discarder = chance.choice((None, *others)) if isinstance(lines[winner], Bare) else None
    drawn = discarder is None and chance.random() < 0.6
    return Ending(lines, winner, discarder, drawn)


def _in_part(chance: random.Random, hand: Hand) -> Hand:
    """The hand given in part, or dead with a tile too few or too many."""
    tiles = list(hand.concealed)
    how = chance.choice(("unlisted", "short", "long"))
    changed = [*tiles, tiles[0]] if how == "long" else tiles[: -chance.randint(1, 3)]
    return make_hand(
        hand.sets, tuple(changed), seat=hand.seat, round=hand.round,
        dead=how != "unlisted" or hand.dead, unlisted=how == "unlisted",
        no_choice=hand.no_choice and how == "unlisted",
    )  # fmt: skip


def held_in_all(lines: dict[str, Line]) -> list[int]:
    """How many of each kind of tile the hands hold together."""
    held = [0] * 42
    for line in lines.values():
        if isinstance(line, Hand):
            won = (line.win.tile,) if line.win is not None else ()
            for tile in (*line.concealed, *won, *(tile for one in line.sets for tile in one.tiles)):
                held[tile] += 1
    return held


def _holds_west(line: Line) -> bool:
    return isinstance(line, Hand) and bool(
        line.kinds_mask >> 29 & 1 or (line.win is not None and line.win.tile == 29)
    )


def block_of(ending: Ending) -> str:
    rows = ["hand"]
    for seat, line in ending.lines.items():
        if isinstance(line, Hand):
            rows.append(f"  {seat}: {line._replace(seat=None, round=None)}")
            continue
        row = f"  {seat}: dead" if line.dead else f"  {seat}: {line.points}"
        if seat == ending.winner:
            row += " win"
            row += f" from {ending.discarder}" if ending.discarder else " drawn" if ending.drawn else ""
            row += f" doubles {line.doubles}" + (" ninth" if line.ninth else "")
        rows.append(row)
    return "\n".join(rows)


def between(
    chance: random.Random, rules: Rules, options: dict[str, object], seats: str, chairs: Chairs
) -> tuple[str, dict[str, int], Chairs] | None:
    """A draw, a wash, a false win, a hand with too many tiles or an agreed payment; nothing where the book has it not."""
    seat, other = chance.sample(seats, 2)
    nobody = dict.fromkeys(seats, 0)
    kind = chance.choice(("draw", "draw four", "wash", "new draw", "not-touching", "false", "long", "pay"))
    progressive = bool(options.get("progressive"))
    if kind.startswith("draw"):
        moves = progressive or (rules.chinese and kind == "draw four")
        return kind, nobody, chairs.pass_east() if moves else chairs
    asked = chairs.pass_east() if rules.chinese and seat == "E" else chairs
    if kind == "wash":
        heads = chance.randint(9, 13)
        net = wash(seat, heads, seats, rules)
        return (f"wash {seat} {heads}", net, asked) if net is not None else None
    if kind == "new draw":
        return (f"wash {seat}", nobody, asked) if rules.chinese and rules.on("nine-mummies") else None
    if kind == "not-touching":
        return (f"wash {seat} not-touching", nobody, asked) if rules.on("not-touching") else None
    if kind == "false":
        points = penalty_of_false_win(rules)
        return (f"false {seat}", pay_each(seat, points, seats, rules), chairs) if points is not None else None
    if kind == "long":
        paid = rules.chinese and rules.on("long-hand-pays-limit") and rules.limit
        return (f"long {seat}", pay_each(seat, paid, seats, rules), chairs) if paid else None
    return f"pay {seat} {other} 37", {**nobody, seat: -37, other: 37}, chairs


def evening(chance: random.Random, rulebook: str) -> tuple[str, dict[str, object], list[Played], bool]:
    """The head of a file, its options, what was played, and whether its players have names."""
    players = chance.randint(2, 5 if rulebook.startswith("babcock") else 4)
    options = some_options(chance, rulebook, players)
    rules = Rules(rulebook, options)
    named = chance.random() < 0.5
    chairs = Chairs(NAMES[:players])
    seats = seats_of(rules, players)
    items: list[Played] = []
    while len(items) < TO_AN_EVENING:
        round_wind = chairs.round() if named else "E"
        who = chairs.seating(seats) if named else {seat: seat for seat in (*seats, SITTING_OUT)}
        ending = None
        if not named or chance.random() < 0.8:
            ending = some_lines(chance, rules, players, round_wind, not named)
            net = settle(ending, rules) if ending is not None else None
            if ending is None or net is None:
                continue
            text, after = block_of(ending), after_win(ending.winner, chairs, options, rules)
        else:
            found = between(chance, rules, options, seats, chairs)
            if found is None:
                continue
            text, net, after = found
            if rules.players == 5:
                net = {**net, SITTING_OUT: 0}
        chairs = after
        items.append(Played(text, {who[seat]: points for seat, points in net.items()}, round_wind, ending))
    lines = [f"rulebook {rulebook}", *(f"set {option} {said(value)}" for option, value in options.items())]
    return (
        "\n".join([*lines, "players " + " ".join(chairs.players)] if named else lines),
        options,
        items,
        named,
    )


def after_win(winner: str, chairs: Chairs, options: dict[str, object], rules: Rules) -> Chairs:
    if options.get("progressive"):
        return chairs.pass_east()
    if winner == "E":
        return chairs
    if options.get("east-passes") == "winner":
        return chairs.to_winner(chairs.seating(seats_of(rules, len(chairs.players)))[winner])
    return chairs.pass_east()


def said(value: object) -> str:
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def settled(item: Played, rulebook: str, options: dict[str, object]) -> dict[str, int] | None:
    """What the library says of a hand; None for one that it has no word for."""
    ending = item.ending
    if ending is None or (options.get("players") == 5 and isinstance(ending.lines[ending.winner], Bare)):
        return None
    if any(isinstance(line, Bare) and line.ninth for line in ending.lines.values()):
        return None
    hands = {
        seat: line if isinstance(line, Hand) else None if line.dead else line.points
        for seat, line in ending.lines.items()
    }
    # what a hand says itself is not told beside it
    is_bare = isinstance(ending.lines[ending.winner], Bare)
    result = mjscore.settle(
        hands, ending.winner, rulebook, options=options, round=item.round,
        discarder=ending.discarder if is_bare else None, drawn=(ending.drawn or None) if is_bare else None,
    )  # fmt: skip
    assert result.error is None, (result.error, item.text, options)
    return dict(result.net)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_evenings_are_settled_the_slow_way(rulebook, tmp_path):
    chance = random.Random(f"evenings {rulebook}")
    seen: Counter[str] = Counter()
    for _ in range(max(1, TABLES // len(RULEBOOKS) // TO_AN_EVENING)):
        head, options, items, named = evening(chance, rulebook)
        totals: Counter[str] = Counter()
        text = head
        for item in items:
            assert sum(item.net.values()) == 0
            totals.update(item.net)
            pays = " ".join(f"{who} {net:+}" for who, net in item.net.items())
            text += f"\n\n{item.text}\n  pays {pays}"
            net = settled(item, rulebook, options)
            assert net is None or list(net.values()) == list(item.net.values()), (
                head,
                item.text,
                net,
                item.net,
            )
        found = check_text(text + "\n")
        assert all(one.ok for one in found), (text, next(one for one in found if not one.ok))
        for one in found:
            seen.update(_ways(one.outcome))
        seen["items"] += len(items)
        if named:
            path = tmp_path / "evening.mj"
            path.write_text(text + "\n")
            told = run_command("report", "--format", "json", str(path))
            assert told.exit_code == 0, (told.output, text)
            standings = json.loads(told.stdout)["standings"]
            assert {one["name"]: one["total"] for one in standings} == {name: totals[name] for name in totals}
            position = read_evening(text + "\n").position
            assert {name: position.points[name] for name in totals} == dict(totals)
    if seen["items"] > 5000 and rulebook == "babcock-chinese":
        assert set(seen) == {"items", *WAYS}, seen


def _ways(outcome: object) -> list[str]:
    remarks = getattr(outcome, "remarks", ())
    return [word for word in WAYS if any(word in remark for remark in remarks)]
