"""Who sits at the table changes: what is typed, the round, the points and the counters, beside a plain list."""

from __future__ import annotations

import random

import pytest
from evenings import asked
from tables import table

from mjscore.play.actions import Action, seat_change
from mjscore.play.beginning import Asked, beginning
from mjscore.play.evening import read_evening
from mjscore.play.session import Session, act, open_session, purses
from mjscore.record.context import Context, Occasion
from mjscore.record.lines import EventLine, SeatRow
from mjscore.record.reader import Reader
from mjscore.record.source import blocks, lines_of
from mjscore.record.statistics import evening_of, standings
from mjscore.refusal import Refused

HEAD = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'
FRIENDS = ("Ann", "Ben", "Cid", "Dee", "Eve")


@table
def test_what_is_typed(typed, line):
    evening = read_evening(HEAD)
    try:
        change = seat_change(typed, evening)
    except Refused as refused:
        assert (typed, refused.refusal.code) == ("rest of it", "nobody-rests")
        return
    assert (change and str(change)) == line


def played(session: Session, *changes: EventLine) -> Session:
    for change in changes:
        session, _ = act(session, Action("event", records=(change,)))
    return session


def test_of_five_friends_the_next_rests_by_one_letter():
    session = open_session(HEAD.replace('"Old Cid"', "Cid"))
    with pytest.raises(Refused, match="who would come"):
        seat_change("r", session.evening)
    session = played(session, EventLine("seat", ("Eve", "Ann")))
    told = []
    for _ in range(6):
        change = seat_change("r", session.evening)
        assert change is not None
        told.append(str(change).removeprefix("seat "))
        session = played(session, change)
    assert told == ["Ann for Ben", "Ben for Cid", "Cid for Dee", "Dee for Eve", "Eve for Ann", "Ann for Ben"]
    assert str(seat_change("rest cid", session.evening)) == "seat Ben for Cid"


@table
def test_what_cannot_be(before, change, code):
    with pytest.raises(Refused) as told:
        played(open_session(before), EventLine("seat", change))
    assert told.value.refusal.code == code


def test_a_change_of_seats_is_undone_and_edited_like_an_event():
    session = played(open_session(HEAD), EventLine("seat", ("Eve", "Ann")))
    assert session.evening.text == f"{HEAD}seat Eve for Ann\n"
    assert [(entry.mark, entry.kind) for entry in session.evening.entries] == [("0a", "seat")]
    edit, _ = act(session, Action("edit", "0a"))
    edit, _ = act(edit, asked("seat Fay for Ann", editing=True))
    after, _ = act(edit, Action("yes"))
    assert after.evening.position.players == ("Fay", "Ben", "Old Cid", "Dee")
    undone, _ = act(act(after, Action("undo"))[0], Action("undo"))
    assert undone.evening.text == HEAD


class Plain:
    """A plain list: who sits where in the order of the seats, who is East, the round, everybody's points and hands."""

    def __init__(self, names: list[str]) -> None:
        self.order, self.east, self.round = list(names), names[0], 0
        self.points = dict.fromkeys(names, 0)
        self.hands = dict.fromkeys(names, 0)

    def hand(self, scores: dict[str, int], winner: str) -> None:
        for one in self.order:
            self.hands[one] += 1
            for other in self.order:
                pays = scores[one] if one == winner else max(0, scores[one] - scores[other])
                if one != other and other != winner:
                    pays *= 2 if self.east in (one, other) else 1
                    self.points[one] += pays
                    self.points[other] -= pays
        if winner != self.east:
            self.next_east()

    def next_east(self) -> None:
        place = self.order.index(self.east) + 1
        self.round += place == len(self.order)
        self.east = self.order[place % len(self.order)]

    def change(self, comes: str, leaves: str) -> None:
        if comes:
            self.points.setdefault(comes, 0)
            self.hands.setdefault(comes, 0)
        if not leaves:
            self.order.append(comes)
        elif comes:
            self.order[self.order.index(leaves)] = comes
            self.east = comes if self.east == leaves else self.east
        else:
            if self.east == leaves:
                self.next_east()
            self.order.remove(leaves)

    def seats(self, book: str) -> dict[str, str]:
        place = self.order.index(self.east)
        turned = self.order[place:] + self.order[:place]
        return dict(
            zip({2: "EW", 3: "ESW" if book == "harr" else "ESN", 4: "ESWN"}[len(turned)], turned, strict=True)
        )


@pytest.mark.parametrize("book", ["harr", "babcock"])
@pytest.mark.parametrize("number", range(6))
def test_evenings_of_friends_beside_a_plain_list(book, number):
    chance = random.Random(f"{book}{number}")
    count = 4 if book == "harr" else chance.choice([3, 4])
    names = list(FRIENDS[:count])
    options = {"players": str(count)} if book == "babcock" else {}
    occasion = Occasion(date="2026-11-22", counters="babcock", bank=True)
    session = open_session(beginning(Asked(book, options, names, occasion)))
    plain = Plain(names)
    for _ in range(40):
        if chance.random() < 0.6:
            scores = {name: 2 * chance.randint(0, 40) for name in plain.order}
            winner = chance.choice(plain.order)
            rows = tuple(SeatRow(name, score, name == winner) for name, score in scores.items())
            session, _ = act(session, Action("rows", records=rows))
            plain.hand(scores, winner)
        else:
            away = [name for name in FRIENDS if name not in plain.order]
            comes = chance.choice(["", *away])
            leaves = chance.choice(["", *plain.order])
            if (not comes and not leaves) or not 2 <= len(plain.order) + bool(comes) - bool(leaves) <= 4:
                continue
            if book == "babcock" and len(plain.order) + bool(comes) - bool(leaves) == 2:
                continue  # the game for two settles otherwise
            changed = played(session, EventLine("seat", (comes, leaves)))
            back, _ = act(changed, Action("undo"))
            assert back.evening.position == session.evening.position
            session = changed
            plain.change(comes, leaves)
        evening = session.evening
        assert evening.points == {name: plain.points[name] for name in evening.points}
        assert {name for name, points in plain.points.items() if points} <= evening.points.keys()
        assert evening.seats == plain.seats(book)
        assert "ESWN"[plain.round % 4] == evening.round_wind
        held = purses(session)
        assert held.holdings is not None
        for name, counts in held.holdings.items():
            assert held.counters.points(counts) + held.owing.get(name, 0) == 2000 + plain.points[name]
    found = evening_of(Reader("e.mj", Context()), blocks(lines_of(session.evening.text)))
    assert not found.refusals
    assert {name: found.total(name) for name in found.players} == {
        name: plain.points[name] for name in found.players
    }
    ranks = {standing.name: standing for standing in standings(found, found)}
    for name in found.players:
        assert (ranks[name].total, ranks[name].hands) == (2 * plain.points[name], 2 * plain.hands[name])
        assert sum(hand.was_played_by(name) for hand in found.played) == plain.hands[name]
