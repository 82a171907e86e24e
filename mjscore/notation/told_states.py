"""Which told sets are on the table and which in the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from mjscore.notation.told_items import (
    LIKELY,
    NO_MENTION,
    OTHER,
    RARE,
    Group,
    Mention,
    NotTold,
    by_number,
    kind,
)
from mjscore.notation.told_words import COLON, COMMA, SENTENCE, Word

Choose = Callable[..., int]


class States:
    """Gives each group of *items* its state, exposed or concealed, as far as that is told.

    *choose* decides to which sets a word applies. *rest* is the state told for all others, *unplaced* are the words that
    apply to no set. Raises NotTold if a set is told to have two states.
    """

    def __init__(self, items: Sequence[Mention], choose: Choose) -> None:
        self.items, self.choose = items, choose
        self.rest = ""
        self.unplaced: list[Word] = []
        places = [at for at, item in enumerate(items) if item.kind == "STATE"]
        self.is_headed = _is_headed(items, places)
        aside = [at for at in places if items[at].word.says("OPEN") and items[at].value[1]]
        ends = [at for at in places if at not in aside]  # displayed: a kong (claimed) and 345b
        for at in places:
            start = max((place + 1 for place in ends if place < at), default=0)
            self._look_around(at, start, next((place for place in ends if place > at), len(items)))
            self._lay(at)
        if self.rest == "exposed" and not any(map(_may_be_exposed, items)):  # all concealed, rest shown
            self.unplaced += [items[at].word for at in places if items[at].value[1] == "rest"]

    def _look_around(self, at: int, start: int, end: int) -> None:
        """Find the sets to which a word for a state may apply: between the nearest such words, from *start* to *end*."""
        self.before = [item for item in self.items[start:at] if item.group is not None]
        self.behind = [item for item in self.items[at + 1 : end] if item.group is not None]
        last, closing, beyond = (*self.items[end - 1 : end + 2], NO_MENTION, NO_MENTION)[:3]
        self.is_closed = end < len(self.items)
        # another word directly after a set tells its state
        closed_by_own = self.is_closed and last.group is not None and not closing.mark
        self.last_sentence = last.sentence if closed_by_own else 0
        heads = beyond.group is not None and beyond.mark in (0, COLON)
        self.is_contrasted = heads and closing.mark > 0 and closing.word.says("LIES")
        self.closed_by = last if closed_by_own and not heads else None

    def _lay(self, at: int) -> None:
        state, every = self.items[at].value
        if every == "rest":
            self.rest = state
        elif every == "some":
            self._lay_one(at, state)
        elif every:
            _lie(self._meant(at, every), state, every in ("hand", "all"))
        else:
            self._lay_beside(at, state)

    def _meant(self, at: int, every: str) -> list[Mention]:
        """Return the sets that *every* means, as in "both", "all", or "one" for the set just before it."""
        item = self.items[at]
        if every == "both":
            near = _open(self.before or self.behind, item.value[0])  # maybe held, both hidden
            both = near[-2:] if self.before else near[:2]
            self.unplaced += [item.word] * (sum(len(_group(one).sets()) for one in both) != 2)
            return both
        if every[-1].isdigit():
            return self._by_place(at, every)
        if every == "one":
            return self._told(at)[-1:]
        sides = () if every != "all" else (self.before,) if item.mark == COMMA else (self.before, self.behind)
        here = (
            [one for one in side if one.sentence == item.sentence and _group(one).can_lie] for side in sides
        )
        return next(filter(None, here), [one for one in self.items if one.group is not None])

    def _by_place(self, at: int, which: str) -> list[Mention]:
        """Return the sets told by their place; if they are all that is told to be concealed, the others may be exposed."""
        item, able = self.items[at], [one for one in self._told(at) if _group(one).can_lie]
        rest = item.word.says("EVERY")  # the other two
        able = _open(able) if rest else able
        named = by_number(able, which)
        self.unplaced += [item.word] * (not named)
        more = rest or any(one.kind == "STATE" for one in self.items[at + 1 :])
        others = _open([one for one in able if one not in named])
        if others and item.value[0] == "concealed" and not (more or self.choose(LIKELY)):
            _lie(others, "exposed")  # 222b 333b 444c, the first one hidden
        return named or able[-int(which[-1]) :]

    def _told(self, at: int) -> list[Mention]:
        """Return the sets told before a place."""
        return [one for one in self.items[:at] if one.group is not None]

    def _lay_one(self, at: int, state: str) -> None:
        """Give a state to one of the sets told before, whichever it is, and the other state to the rest of them."""
        told = _open(self._told(at))
        if not told or any(_group(one).times > 1 for one in told):
            self.unplaced.append(self.items[at].word)
            return
        _lie([told.pop(-1 - self.choose(*[LIKELY] * (len(told) - 1)))], state)
        _lie(told, OTHER[state])

    def _lay_beside(self, at: int, state: str) -> None:
        """Give a state to the sets before the word for it, or to those after it, else note it as unplaced."""
        item = self.items[at]
        after = self.behind[0] if self.behind and self.items[at + 1] is self.behind[0] else None
        if after is not None and (self.is_headed or self._is_for_the_next(at, after, state)):
            self._lay_behind(state, item.word.says("LIES") or after.mark == COLON or self.is_headed)
        elif self._has_one_before(at):
            self._lay_before(state)
        elif self.before and (item.mark in (0, COMMA) or self._stands_alone(at)):
            _lie(self.before[-1:], state)
        elif after is not None and after.mark == COMMA and (item.word.says("LIES") or not self.before):
            self._lay_behind(state, item.word.says("LIES"))
        else:
            self.unplaced.append(item.word)

    def _stands_alone(self, at: int) -> bool:
        """Return whether a word for a state is a sentence of its own, as in "pung of 8 craks. Exposed"."""
        return all(one.mark == SENTENCE for one in self.items[at : at + 2]) and self._is_beside_one(at)

    def _is_beside_one(self, at: int) -> bool:
        return bool(self.before) and self.items[at - 1] is self.before[-1]

    def _has_one_before(self, at: int) -> bool:
        """Return whether a set is directly before the word for a state."""
        return self._is_beside_one(at) and self.items[at].mark in (0, COMMA)

    def _is_for_the_next(self, at: int, after: Mention, state: str) -> bool:
        """Return whether a state is that of the set after it, rather than of one before it."""
        back, item = self._has_one_before(at), self.items[at]
        if item.is_joined and item.mark == after.mark == COMMA:
            return True  # 333d and, on the table, a pung of greens
        told = _group(self.before[-1]).state if back and item.mark else ""
        if told and (told != state or (after.mark == COMMA and not self.choose(LIKELY))):
            return True  # exposed 567; hidden, a pair of 2; on the table 567; open, a pung of 2
        ahead = after.mark in (0, COLON)
        heading = _group(self.before[-1]).heading if back else None
        if heading is not None and heading.state and ahead:
            return True  # exposed pung of reds exposed one of greens
        return self._stands_before(self.items[at], after) if ahead and back else ahead

    def _stands_before(self, item: Mention, after: Mention) -> bool:
        """Return whether a word for a state belongs to the set after it, not to the one before it."""
        if item.mark or item.is_joined or after.mark == COLON:
            return True
        if after.is_joined:
            return False
        # without punctuation, the words of a line come all before their sets, or all after them
        first = next(one for one in self.items if one.kind in ("STATE", "GROUP"))
        return (first.kind == "STATE") != bool(self.choose(LIKELY))

    def _lay_behind(self, state: str, is_section: bool) -> None:
        first = self.behind[0]
        mates = _under_one_heading(self.behind, _group(first))
        _lie(mates, state)
        run = self._run(mates, state, is_section and self.is_closed)
        if not run or not _matters(run, state):
            return
        joined = run[0].is_joined and not run[0].mark
        if is_section:
            closed = self.is_closed and all(one.sentence == first.sentence for one in run)
            beside = list(takewhile(lambda one: one.is_joined and not one.mark, run))
            _lie(beside if not closed and self.choose(LIKELY) else run, state)
        elif _group(first).heading is None or joined:
            self._lay_some(run, state, both=joined and _group(first).heading is None)

    def _lay_some(self, run: Sequence[Mention], state: str, both: bool) -> None:
        """Choose to how many sets of a *run* the state before it applies too; *both*: probably to those joined by "and"."""
        beside = [one for one in run if not any(mate.mark for mate in run[: run.index(one) + 1])]
        ways = [beside, [], run] if both else [[], beside, run]  # melded 567 dots and 666 bams
        # exposed 333 bams, 222 craks, 999 dots; but: exposed pung of reds, 123b
        is_list = all((one.mark or one.is_joined) and not _group(self.behind[0]).set for one in run)
        is_list = is_list or self.is_contrasted
        _lie(ways[self.choose(LIKELY, LIKELY if is_list else RARE)], state)

    def _run(self, mates: Sequence[Mention], state: str, over_sentences: bool) -> list[Mention]:
        """Return the sets after *mates*, which surely have the state, that may have it too."""
        run: list[Mention] = []
        for one in (one for one in self.behind if one not in mates):
            goes_on = over_sentences and one.sentence != self.last_sentence
            ends = one is self.closed_by or (one.sentence != mates[0].sentence and not goes_on)
            if ends or _group(one).state or (state == "exposed" and not _group(one).can_lie):
                break
            run.append(one)
        return run

    def _lay_before(self, state: str) -> None:
        near = [one for one in self.before if one.sentence == self.before[-1].sentence]
        mates = _under_one_heading(near, _group(near[-1]))
        _lie(mates, state)
        run: list[Mention] = []
        follower, joined = mates[0], True
        for one in reversed([one for one in self.before if one not in mates]):
            lies = _group(one).can_lie or state == "concealed"
            if follower.mark > COMMA or _group(one).state or not lies:
                break
            run.append(one)
            joined = joined and follower.is_joined and not follower.mark
            follower = one
        # reds and greens grounded are both likelier
        if run and _matters(run, state) and bool(self.choose(LIKELY)) != joined:
            _lie(run, state)


def _is_headed(items: Sequence[Mention], places: Sequence[int]) -> bool:
    """Return whether states, at the indexes *places*, head sets: "exposed, 222b; concealed, 99d"."""
    first = next((item.kind for item in items if item.kind in ("STATE", "GROUP")), "")
    marks = [[one.mark for one in items[at + 1 : at + 2] if items[at].mark or not at] for at in places]
    return first == "STATE" and marks == [[COMMA]] * len(places)


def _group(item: Mention) -> Group:
    assert item.group is not None
    return item.group


def _may_be_exposed(item: Mention) -> bool:
    return item.group is not None and item.group.can_lie and item.group.state != "concealed"


def _open(items: Sequence[Mention], state: str = "") -> list[Mention]:
    """Return the sets that can be on the table and have no state yet, or only this one."""
    return [one for one in items if _group(one).can_lie and _group(one).state in ("", state)]


def _under_one_heading(items: Sequence[Mention], group: Group) -> list[Mention]:
    """Return those of *items* that share a word for sets, such as "pungs", with a group."""
    shared = group.heading
    return [one for one in items if one.group is group or (shared and _group(one).heading is shared)]


def _matters(items: Iterable[Mention], state: str) -> bool:
    """Return whether a state makes a difference to sets for which none is told."""
    return state == "exposed" or any(kind(one) == "kong" for item in items for one in _group(item).sets())


def _lie(items: Iterable[Mention], state: str, mildly: bool = False) -> None:
    """Give sets a state; *mildly*: if they can and have none. Raise NotTold if an unbracketed has another."""
    for group in map(_group, items):
        if group.is_bonus or (mildly and (group.state or not group.can_lie)):
            continue
        if group.state not in ("", state) and not group.in_brackets:
            raise NotTold
        group.state = state
