"""Removing what words of denial, correction or exception take back from a told hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from mjscore.game.hand import SET_SIZES
from mjscore.notation.told_items import (
    LIKELY,
    NO_MENTION,
    OTHER,
    Group,
    Mention,
    NotTold,
    by_number,
    groups_of,
    kind,
)
from mjscore.notation.told_words import COMMA

_ENDING = ("SIGN", "FROM", "THROWS", "FLAG", "WIN", "FINAL", "LOSS")
_LEADING = ("IT", "UPON", "COMPLETES")  # may come between a denial and what it is about: not on the last tile


class Denials:
    """Applies the denials and exceptions in *items*, which are then what is left.

    A denial removes items after or before it, replaces one by the other, or changes nothing; *choose* returns
    which, if in doubt. *dropped* are the groups that are then not part of the hand. Raises NotTold if a set excepted is
    not told.
    """

    def __init__(self, items: Sequence[Mention], choose: Callable[..., int]) -> None:
        self.items, self.choose = list(items), choose
        self.dropped: list[Group] = []
        while (at := self._next("EXCEPT")) is not None:
            self._except(at)
        while (at := self._next("DENIAL")) is not None:
            {"undone": self._undo, "gone": self._leave_out}.get(self.items[at].value, self._deny)(at)

    def _next(self, kind: str) -> int | None:
        return next((at for at, item in enumerate(self.items) if item.kind == kind), None)

    def _undo(self, at: int) -> None:
        """Take back what was told just before, as in "robbed ben's kong, no he didn't"."""
        told, behind = self.items[:at], self.items[at + 1 :]
        if told and told[-1].kind == "STATE":
            self._turn(at)
            return
        start = next((place for place in range(at - 1, -1, -1) if told[place].mark), 0)
        away = [item for item in told[start:] if item.kind != "WIN"]
        ending = [item for item in away if item.kind in _ENDING]
        if ending and behind and behind[0].kind in _ENDING:  # drew the 9, no she didn't, ben threw it
            told[told.index(ending[0])] = behind.pop(0)._replace(mark=ending[0].mark)
        self.dropped += groups_of(away) if not ending else []
        told = [item for item in told if item not in (ending or away)]
        self.items = told + behind

    def _leave_out(self, at: int) -> None:
        """Remove the clause just told, as in "whites hidden and the reds open was last hand"."""
        far = bool(self.choose(LIKELY))
        start = max((n for n in range(at) if self.items[n].mark or self.items[n].is_joined > far), default=0)
        self.dropped += groups_of(self.items[start:at])
        del self.items[start : at + 1]

    def _turn(self, at: int) -> None:
        """Replace the state told just before by the other one, as in "on the table, no it wasn't"."""
        last, behind = self.items[at - 1], self.items[at + 1 :]
        turned = last._replace(value=(OTHER[last.value[0]], last.value[1]))
        again = next((item for item in behind if item.kind != "IT"), None)
        if again is not None and again.kind == "STATE" and again.value[0] == turned.value[0]:
            behind.remove(again)
        self.items[at - 1 :] = [turned, *behind]

    def _deny(self, at: int) -> None:
        denial = self.items[at]
        if self._apply(at):
            self.items.remove(denial)
            return
        it = self._is_about_it(at)
        clause = self._clause(at, denial.value != "or")
        before = next((one for one in self.items[:at][::-1] if clause and _alike(one, clause[0])), None)
        ways = _ways(denial.value, [[before]] if before is not None else [], clause, it)
        away = ways[self.choose(*[LIKELY] * (len(ways) - 1))]
        self.dropped += groups_of(away)
        if before is not None and before in away:  # the replacement takes its place
            instead = clause[0]._replace(mark=before.mark, is_joined=before.is_joined)
            if denial.value == "denial" and instead.group is not None and before.group is not None:
                instead.group.replace(before.group)
            self.items = [instead if item is before else item for item in self.items if item is not clause[0]]
        self.items = [item for item in self.items if item is not denial and item not in away]

    def _apply(self, at: int) -> bool:
        """Change what a denial is surely about; return whether it was that."""
        if self.items[at].value == "denial":
            return self._correct_state(at) or self._correct_set(at)
        return self.items[at].value == "neither" and self._invert(at)

    def _correct_state(self, at: int) -> bool:
        """Give a set told before another state, as in "4 dots down, no, the 4 dots was closed"; return whether it is that."""
        mention, state = (*self.items[at + 1 : at + 3], NO_MENTION, NO_MENTION)[:2]
        if mention.kind == "STATE":
            told = groups_of(self.items[:at])[-1:]  # an open pung of norths, I mean hidden
            mention, state = NO_MENTION, mention
        else:
            told = [
                one
                for one in groups_of(self.items[:at])
                if mention.group and mention.group.is_mention_of(one)
            ]
        if len(told) != 1 or state.kind != "STATE" or state.mark or self.choose(LIKELY):
            return False
        place = next(at for at, item in enumerate(self.items) if item.group is told[0])
        old = self.items[place + 1]
        told[0].state = state.value[0]
        away = [mention, state, *[old] * (old.kind == "STATE" and not old.mark)]
        self.dropped += groups_of([mention])
        self.items = [item for item in self.items if item not in away]
        return True

    def _invert(self, at: int) -> bool:
        """Invert a state, as in "neither her pung of 3s nor her easts were exposed"; return whether one follows."""
        denied = list(takewhile(lambda one: one.kind in ("DENIAL", "GROUP"), self.items[at + 1 :]))
        state = (*self.items[at + 1 + len(denied) :], NO_MENTION)[0]
        if not denied or state.kind != "STATE" or state.mark:
            return False
        turned = state._replace(value=(OTHER[state.value[0]], "both"))
        left = [item for item in denied if item.kind == "GROUP"]
        self.items[at + 1 : at + 2 + len(denied)] = [*left, turned]
        return True

    def _correct_set(self, at: int) -> bool:
        """Give the set told last another kind, as in "pung of norths, sorry, kong"; return whether it is that."""
        told, kind = groups_of(self.items[:at])[-1:], self.items[at + 1 : at + 2]
        if not told or not kind or kind[0].kind != "MENTION" or kind[0].value not in SET_SIZES:
            return False
        told[0].set, told[0].heading = str(kind[0].value), None
        self.items.remove(kind[0])
        return True

    def _is_about_it(self, at: int) -> bool:
        """Skip a word such as "it" after a denial; return whether a state follows it, as in "no, that was concealed"."""
        lead, behind = self.items[at + 1 : at + 3] if self.items[at + 2 : at + 3] else [self.items[at]] * 2
        if lead.kind not in _LEADING or behind.mark:
            return False
        self.items.remove(lead)
        return lead.kind == "IT" and behind.kind == "STATE"

    def _clause(self, at: int, ends: bool) -> list[Mention]:
        """Return the items that a denial applies to: the set after it, or all words after it on how the hand ended."""
        clause: list[Mention] = []
        for item in self.items[at + 1 :]:
            apart = (item.mark and (clause or (ends and item.mark > COMMA))) or item.kind == "DENIAL"
            wins = bool(clause) and clause[0].kind == "WIN"  # would have won with the 3 dots
            if apart or (clause and not (wins or _alike(item, clause[0]))):
                break
            clause.append(item)
            if item.group is not None and item.group.heading is None:
                break
        return clause

    def _except(self, at: int) -> None:
        """Give all sets the state told, but those after a word of exception the other one."""
        word, state = self.items[at], self.items[at].value
        scope = _exceptions(self.items[at + 1 :])
        end = at + 1 + len(scope)
        before = groups_of(self.items[:at])
        others = before + groups_of(self.items[end:])
        missing = {str(item.value) for item in scope if item.group is None and not _meant(item, others)}
        if missing - {"chow", "pair"}:
            raise NotTold
        if missing:  # just chows on the table; all but the pair, which is told as two tiles
            rest = word._replace(kind="STATE", value=(state, "rest"))
            self.items[at:end] = [rest] * (state != "" and "chow" not in missing)
            return
        lies, behind = (*self.items[end : end + 2], NO_MENTION, NO_MENTION)[:2]
        again = behind.mark > 0 and lies.value == (OTHER.get(state), "")  # ..., which I'd called: ...
        if lies.kind == "STATE" and (not lies.mark or again):
            state, end = state or lies.value[0], end + 1
        # all open but one: it is asked which
        value = (state, "rest") if end > at + 1 or len(others) < 2 else (OTHER[state or "exposed"], "some")
        left = [word._replace(kind="STATE", value=value)] if state else []
        for item in scope if state else ():
            left += self._lying_otherwise(item, _meant(item, before) or _meant(item, others), OTHER[state])
        self.items[at:end] = left or scope

    def _lying_otherwise(self, item: Mention, meant: list[Group], state: str) -> list[Mention]:
        """Give *state* to the sets *meant*, or else to that of *item*; return the items for those sets."""
        if item.group is None and item.word.says("SET") and len(meant) > 1:  # all concealed but one chow
            meant = [meant[self.choose(*[LIKELY] * (len(meant) - 1))]]
        own = [item.group] if item.group is not None else []
        self.dropped += own if meant else []
        parts = [(group, part_of(group, item)) for group in meant or own]
        for _, part in parts:
            if part.in_brackets and part.state != state:
                raise NotTold  # all concealed but the kong, [1111b]
            part.state = state
        new = [item._replace(kind="GROUP", group=part) for group, part in parts if part is not group]
        return new if meant else [item, *new]


def _ways(
    denial: str, corrected: list[list[Mention]], clause: list[Mention], it: bool
) -> list[list[Mention]]:
    """Return the items that a *denial* may remove: those *corrected*, the *clause* after it, or none; *it*: only those."""
    if it and corrected:
        return corrected
    corrected = corrected if denial in ("denial", "or") else []
    ways = [*corrected, clause] if denial == "denial" else [clause, *corrected]
    return ways if denial == "not" and clause else [*ways, []]


def _exceptions(items: Sequence[Mention]) -> list[Mention]:
    """Return the items excepted: the first ones, if that is directly behind the word and the others behind "and"."""
    told = takewhile(lambda item: item.kind in ("GROUP", "MENTION"), items)
    return list(
        takewhile(
            lambda one: (one.is_joined and one.mark <= COMMA) or (one is items[0] and not one.mark), told
        )
    )


def _alike(one: Mention, other: Mention) -> bool:
    """Return whether two items are of the same sort: both a set, a state, or on how the hand ended."""
    return one.kind == other.kind or (one.kind in _ENDING and other.kind in _ENDING)


def _meant(item: Mention, groups: Sequence[Group]) -> list[Group]:
    """Return those of *groups* to which an *item* refers; chows only if it refers to nothing else."""
    if item.word.says("ORDINAL", "FINAL", "MIDDLE"):
        return by_number([group for group in groups if group.can_lie], str(item.value))
    meant = [group for group in groups if _means(item, group)]
    return [group for group in meant if group.is_alike or group.set not in ("", "chow")] or meant


def _means(item: Mention, group: Group) -> bool:
    """Return whether an *item*, such as "the 3" or "the cracks", refers to a group."""
    if item.group is not None:
        return item.group.is_mention_of(group)
    own = {group.set or kind(group.tiles()), *group.suits}
    return own.issuperset(str(item.value).split())  # pung, b, b chow


def part_of(group: Group, item: Mention) -> Group:
    """Return the sets of a group that an *item* means, taken out of the group if it has more."""
    sets = group.threes() or (group.sets() if group.set not in ("", "chow") else [])
    if item.group is None:
        meant = [one for one in sets if one[0].suit == item.value and not group.waits]
    else:
        tiles, suits = item.group.tiles(), item.group.suits
        values = {one.value for one in tiles}
        meant = [one for one in sets if (one[0] in tiles if suits else one[0].value in values)]
    return group.without(meant) if 0 < len(meant) < len(sets) else group
