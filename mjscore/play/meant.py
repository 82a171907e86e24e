"""Words that say nothing about a score themselves: denials and corrections, numbers that are not scores, sums.

Each step deals with one kind of word, at index *place*, and changes or removes it by the words around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from mjscore.notation.vocabulary import gist_words
from mjscore.play.heard import HOW, SCORES, WINS, HeardWord, beside, heard, joined
from mjscore.play.line_speech import LineLattice

_MOST_TILES, _MOST_VALUE = 15, 9
_SETS = ("chow", "pung", "kong", "pair")
_TIMES = {"twice": 2.0, "half": 0.5, "same": 1.0, "twice of": 2.0, "twice as": 2.0, "same as": 1.0}
_SPOKEN = ("2", "4")  # typed for "to" and "for"
_IT_IS = re.compile(r"\b(?:it|that)\b", re.IGNORECASE)
_MAKES_IT = re.compile(r"\s*(?:makes|made|had|has|counts|counted|puts)\s+(?:it|that)\b", re.IGNORECASE)
_FIRST_WORD = re.compile(r"\s*([^\W\d_]+)")
_LIKE = ({*SCORES}, {*HOW}, {"name"})  # kinds of words that can replace each other
_TELLING = frozenset(("name", "others", "corrects", "but", *WINS, *SCORES, *HOW))


def words_of(lattice: LineLattice) -> list[HeardWord]:
    """Return a line's known words, without those that say nothing about a score."""
    line = _Line(lattice)
    for kinds, step in _STEPS:
        for place in (places := [at for at, word in enumerate(line.words) if word.any(*kinds)]):
            step(line, place)
        line.words = joined(line.words) if places else line.words
    return line.words


class _Line:
    """The words of a line, changed step by step."""

    def __init__(self, lattice: LineLattice) -> None:
        self.lattice, self.words = lattice, joined(heard(lattice))

    def at(self, place: int, most: int = 0) -> HeardWord:
        """Return word *place* if its gap is at most *most*, or else a word without meaning."""
        return beside(self.words, place, most)

    def say(self, place: int, **says: Any) -> None:
        self.words[place] = self.words[place].saying(**says)

    def pass_over(self, *places: int) -> None:
        for place in places:
            word = self.words[place]
            self.words[place] = replace(word, says={}, small=word.small | {"passed over"})

    def says(self, kinds: Iterable[str], first: int = 0, end: int | None = None) -> bool:
        """Return whether any word from *first* up to *end* is of one of these kinds."""
        return any(word.any(*kinds) for word in self.words[first:end])

    def names(self, first: int, end: int | None) -> list[str]:
        return [word["name"] for word in self.words[first:end] if "name" in word]

    def last(self, end: int, kind: str) -> int:
        """Return the index of the last word of this *kind* before word *end*; -1 if there is none."""
        return next((at for at in range(end - 1, -1, -1) if kind in self.words[at]), -1)

    def clause(self, place: int) -> tuple[int, int]:
        """Return the start and end of the clause of word *place*, as indexes; a comma or "but" ends it."""
        first = next(at for at in range(place, -1, -1) if not at or self.begins(at))
        ahead = range(place + 1, len(self.words))
        return first, next((at for at in ahead if self.begins(at)), len(self.words))

    def wins_beside(self, first: int, end: int) -> bool:
        """Return whether others than in the words from *first* up to *end* won, and those there did not."""
        around = [at for at in range(len(self.words)) if not first <= at < end and "name" in self.words[at]]
        subjects = [
            at for at in around if not self.words[at].after("of") and not self.at(at - 1).any("from", "by")
        ]
        won = any(self.says(WINS, at, self.clause(at)[1]) for at in subjects)
        return won and not self.says(WINS, first, end)

    def begins(self, place: int) -> bool:
        return self.words[place].gap > 1 or "but" in self.words[place]

    def telling(self, place: int, step: int, number: int = 1) -> HeardWord:
        """Return the *number*-th word before (*step* -1) or after word *place* that tells of scores."""
        at = place + step
        while 0 <= at < len(self.words) and (step < 0 or self.words[at].gap < 3):
            number -= self.words[at].any(*_TELLING)
            if not number:
                return self.words[at]
            at += step
        return HeardWord({})

    def is_no(self, place: int) -> bool:
        """Return whether word *place* is "no", and not a longer denial."""
        return "deny" in self.words[place] and self.words[place].end - self.words[place].start < 3


def _witness(line: _Line, place: int) -> None:
    """Remove who only noticed or says something of another, as in "Dee noticed that Cid's mahjong was false"."""
    about, end = line.at(place + 1), line.clause(place)[1]
    last = line.clause(end)[1] if end < len(line.words) else end
    numbers = [at for at in range(place, last) if "number" in line.words[at]]
    if numbers[:1] == [place + 1] and numbers[1:] >= [end] and not (numbers[2:] or line.names(place, last)):
        line.pass_over(place, place + 1)  # Cid thought 24, we counted 20
    tile = "theirs" in about and line.at(place + 2).any("thrown", "tile")  # Cid saw Ben's tile
    if "name" in line.at(place - 1, 3) and line.words[place].is_close and "name" in about and not tile:
        line.pass_over(place - 1, place)


def _opinion(line: _Line, place: int) -> None:
    """Leave it open which score is right if somebody doubts another's, as in "Ben won 42 but Dee says it was 44"."""
    who, old = line.at(place - 1, 3), line.last(place, "number")
    new = next((at for at in range(place, min(place + 3, len(line.words))) if "number" in line.words[at]), -1)
    own = line.last(old, "name") if old > 0 else -1
    if "name" not in who or min(old, new, own) < 0 or not line.words[place].is_close:
        return
    said = line.lattice.text[who.end : line.words[new].start]
    doubts = who.after("makes") or line.says(("but",), old, place) or _IT_IS.search(said)
    told = new == place and not _MAKES_IT.match(said)
    others = line.names(old + 1, place - 1) + line.names(place, new)
    told = told or line.says(("witness",), own, old)  # Cid says 4, but Ben says 6
    if told or others or not doubts or line.words[own]["name"] == who["name"]:
        return
    line.pass_over(*range(old + 1, new))
    line.words[new - 1] = replace(line.words[new - 1], says={"or": "or"}, gap=0)
    line.words[new] = replace(line.words[new], gap=0)


def _couple(line: _Line, place: int) -> None:
    """Read "a couple" behind a name as 2 points if others have scores and no tile follows, as in "Cid a couple"."""
    word, ahead = line.words[place], line.at(place + 1)
    is_couple = line.lattice.text[word.start : word.end].casefold().endswith("couple")
    ends = not ahead.any("tile", "unit", "number") and not ahead.unknown
    named = word.is_close and line.at(place - 1, 3).any("name", "gets")
    if is_couple and ends and named and line.says(SCORES):
        line.say(place, number=2)


def _claims(line: _Line, place: int) -> None:
    """Leave it open whether somebody who claims a number has won, as in "Dee claims 18", unless a word says so."""
    told, says = line.at(place + 1), line.words[place]["took"]
    is_tile = told.after("the") or "tile" in line.at(place + 2) or not told.is_close
    if "number" in told and not (is_tile or says == "took" or line.says((*WINS, *HOW), place + 1)):
        line.say(place, claims=True)


def _it(line: _Line, place: int) -> None:
    """Read "was it" behind a name as winning, as in "Cid was it with 40", and nowhere else."""
    named = "name" in line.at(place - 1, 3) and line.words[place].is_close
    line.say(place, **({"win": "it"} if named else {}))


def _beaten(line: _Line, place: int) -> None:
    """Remove who was beaten, as in "Ann beat Dee to it with 62", unless a score follows: that one lost."""
    numbers = [at for at in range(place, line.clause(place)[1]) if "number" in line.words[at]]
    theirs, end = "theirs" in line.at(place + 1), line.clause(place)[1]
    won = (line.says(WINS, end) and line.says(("name",), end)) or (not theirs and line.says(WINS, 0, place))
    if "name" in line.at(place + 1) and len(numbers) < 2 and not theirs:
        line.pass_over(place + 1)
    elif won and not line.at(place + 3).any(*WINS):
        line.say(place)  # Ben beat Cid 28 to 20, Dee won
    elif theirs and numbers[:1] == [place + 2] and not line.at(place + 3).any(*WINS):
        line.say(place + 2, number=line.words[place + 2]["number"], lost=True)


def _listed(line: _Line, place: int) -> None:
    """Find the winner in a list, by place or by score: "the middle one's the winner", "10 20 84 6, the 84 won"."""
    told = [at for at in range(place - 1) if line.words[at].any("number", "zero")]
    said, values = line.at(place - 1, 3), [line.words[at].says.get("number", 0) for at in told]
    if len(told) < 2 or line.says(("name", "he", "me", *WINS), told[-1], place):
        return
    count = said.says.get("listed", "")
    if count == "least":
        count = values.index(min(values)) + 1
    elif count == "middle":
        count = len(told) // 2 + 1 if len(told) % 2 else 0
    elif count:
        count = len(told) if count == "last" else int(count)
    elif "number" in said and (said.gap or said.after("the")) and values.count(said["number"]) == 1:
        count = values.index(said["number"]) + 1
    if count and count <= len(told):
        line.say(told[count - 1], **line.words[told[count - 1]].says, win="glued")
        line.pass_over(place - 1, place)


def _asked(line: _Line, place: int) -> None:
    """Remove a question before scores, as in "more tea? Ben 4"."""
    word, before = line.words[place], line.words[place - 1]
    if not place or word.gap < 3 or "?" not in line.lattice.text[before.end : word.start]:
        return
    first = next(at for at in range(place - 1, -1, -1) if line.words[at].gap > 2)
    if not line.says(("name", *WINS, *SCORES), first, place) and line.says(SCORES, place):
        line.pass_over(*range(first, place))


def _clock(line: _Line, place: int) -> None:
    """Remove a time of day, as "ten past seven", "half past nine", "at twenty to eight"."""
    word, ahead = line.words[place], line.at(place + 1)
    if "clock" not in word:
        is_hour = line.lattice.text[: word.start].split()[-1:] == ["at"] and word["number"] < 13
        behind = word.unknown or "leaves" in line.at(place - 1, 3)
        if is_hour and behind and line.says(("absent", "leaves", "comes")):
            line.pass_over(place)  # Dee's shift starts at six
            return
        is_to = word.after("with", "is") and "number" in ahead and ahead.is_close and ahead.after("to")
        if is_to and word["number"] < 30 and ahead["number"] < 13 and not line.names(0, place):
            line.pass_over(place, place + 1)
        return
    line.pass_over(place, *([place + 1] if "number" in ahead and ahead.is_close else []))
    if line.words[place].is_close and "number" in line.at(place - 1, 3):
        line.pass_over(place - 1)


def _pays_all(line: _Line, place: int) -> None:
    """Remove who pays for everybody, as in "Cid 88, and Dee pays for all"; but not "off Dee, who does"."""
    payer = line.at(place - 1, 3)
    begins = place > 0 and (line.begins(place - 1) or payer.after("and"))
    if "deny" in payer:
        line.say(place, pay="pay")
    elif line.words[place].is_close and ("he" in payer or ("name" in payer and begins)):
        line.pass_over(place - 1)


def _addressed(line: _Line, place: int) -> None:
    """Remove a word for everybody that only addresses them, as in "sorry everyone, Dee's hand is dead"."""
    first, end = line.clause(place)
    spoken = all(word.any("corrects", "all") for word in line.words[first:end])
    if spoken and end - first == 2 and "name" in line.at(end, 3):
        line.pass_over(*range(first, end))


def _number_of(line: _Line, place: int) -> None:
    """Read "no" as "number", as in "hand no. 4"."""
    if "deny" in line.words[place] and "ordered" in line.at(place - 1, 3) and "number" in line.at(place + 1):
        line.say(place, ordered=True)


def _earlier(line: _Line, place: int) -> None:
    """Remove what a line says of an earlier day, if the present follows; mark a doubt if not."""
    today = next((at for at in range(place, len(line.words)) if "today" in line.words[at]), None)
    if today is None:
        line.say(place, unsure=True)
        return
    others = line.names(today, line.clause(today)[1])
    kept = [at for at in range(place, today) if "name" in line.words[at] and not others][:1]
    line.pass_over(*(at for at in range(place, today + 1) if at not in kept))


def _aside(line: _Line, place: int) -> None:
    """Remove what is not of this hand, as "we play for 10p", "that was last hand", "more than him", and "although"."""
    (first, end), word = line.clause(place), line.words[place]
    if "concedes" in word:
        first, end = place, place + line.says(SCORES, place, end)
    elif "bygone" in word:
        first = line.clause(max(first - 1, 0))[0]
    elif place > first or line.says(("name" if "stakes" in word else "number", *WINS), first, end):
        return
    if line.says(SCORES, 0, first) or line.says(SCORES, end):
        line.pass_over(*range(first, end))


def _forgot(line: _Line, place: int) -> None:
    """Remove the word "forgot" if the score that comes of it follows; mark a doubt if not."""
    scored = next((at for at in range(place, len(line.words)) if "number" in line.words[at]), place)
    put = line.at(place + 1, 3).any("comes", "corrects") and not line.names(place, scored)  # put 0
    told = scored > place and (put or any(word.after("makes") for word in line.words[place:]))
    before = [at for at, word in enumerate(line.words[: place - 1]) if place and "name" in word]
    who = line.at(place - 1, 3).says.get("name")
    old = next((at + 1 for at in before if line.words[at]["name"] == who), 0)
    if told and "number" in line.at(old) and scored < len(line.words):
        line.pass_over(old)  # Cid 20, and Cid forgot his pair, so 22
    line.say(place, **({} if told else {"unsure": True}))


def _neither(line: _Line, place: int) -> None:
    """Give 0 points to two who did not score, and remove two who did not win if somebody else did."""
    names, behind = [line.at(at) for at in (place + 1, place + 3)], line.at(place + 4)
    if not all("name" in name for name in names) or "deny" not in line.at(place + 2):
        return
    if "point" in behind:
        line.pass_over(place)
        for at in (place + 2, place + 4):
            line.say(at, zero=0)
    elif behind.any(*WINS) and line.says(SCORES, place):
        line.pass_over(*range(place, place + 3))
        line.say(place + 4, lost=True)


def _won_instead(line: _Line, place: int) -> None:
    """Find who won instead, as in "Ben's not the winner, Ann is" and "it wasn't Dee who won, it was Ben"."""
    _, end = line.clause(place)
    told = end + ("belongs" in line.at(end, 3))
    if "name" not in line.at(told, 3):
        return
    if "lost" in line.words[place]:
        if told > end or (_does(line, told) and "did" not in line.at(told + 1)):
            line.say(told, name=line.words[told]["name"], win=True)
    elif (
        "name" in line.at(place + 1)
        and line.at(place + 2).any("he", *WINS)
        and not line.says(SCORES, place, end)
    ):
        line.say(place + 1, name=line.words[told]["name"])
        line.pass_over(place, told)


def _instead(line: _Line, place: int) -> None:
    """Put the right player in place of a denied one: "Ann doesn't owe Ben the 20, Dee does", "not Ann but Ben"."""
    first, end = line.clause(place)
    tells = line.says(("pay", "false", "leaves", *HOW), place, end) and not line.says(WINS, place, end)
    if _is_but(line, end):
        old = line.last(end, "name")
        if old > place:
            line.say(old, name=line.words[end + 1]["name"])
            line.pass_over(place, end, end + 1)
    elif line.says(("pay",), place, end) and line.says(("pay",), end) and not line.says(SCORES, 0, end):
        line.pass_over(*range(first, end))
    elif tells and place and "name" in line.at(place - 1, 3) and _does(line, end):
        line.say(place - 1, name=line.words[end]["name"])
        line.pass_over(place, end, *([end + 1] if "did" in line.at(end + 1) else []))


def _is_but(line: _Line, place: int) -> bool:
    """Return whether word *place* is "but", with only a name up to the next comma."""
    ends = line.at(place + 2, 3).gap > 1 or not line.at(place + 2, 3).says
    return "but" in line.at(place, 3) and "name" in line.at(place + 1) and ends and not _does(line, place + 1)


def _but_really(line: _Line, place: int) -> None:
    """Remove a score that "but" corrects, as in "Ben counted 40 but it is 44"."""
    first, _ = line.clause(max(place - 1, 0))
    old, (_, end) = line.last(place, "number"), line.clause(place)
    told = line.says(("number",), place, end) and not line.says(("name", *WINS), place, end)
    if told and first <= old and len(line.names(first, place)) == 1:
        line.pass_over(old, place)


def _does(line: _Line, place: int) -> bool:
    """Return whether word *place* is a name, followed by a word such as "did" or "does"."""
    if "name" not in line.at(place, 3):
        return False
    said = _FIRST_WORD.match(line.lattice.text, line.words[place].end)
    return said is not None and any(one.value in ("asks", "did") for one in gist_words().of(said[1]))


def _not_so(line: _Line, place: int) -> None:
    """Remove a draw denied before scores; turn a false Mah-Jongg that is denied into a win."""
    _, end = line.clause(place)
    at = next((at for at in range(place + 1, end) if line.words[at].any("draw", "false")), None)
    if at is None or line.says(("name",), place, at) or not line.says(SCORES, at):
        return
    drawn = [one for one in range(place) if line.words[one].any("draw", "corrects")]
    line.pass_over(*range(place, at), *drawn, *([] if "false" in line.words[at] else [at]))
    if "false" in line.words[at]:
        line.say(at, **({} if line.says(WINS) else {"win": True}))


def _lost(line: _Line, place: int) -> None:
    """Turn a denied win into a loss; remove "no" at the beginning, which is talk."""
    ahead = line.at(place + 1, 3)
    won = next((at for at in (place + 1, place + 2) if line.at(at).any(*WINS)), 0)
    leads = all(not word.says or "corrects" in word for word in line.words[:place])
    if leads and (ahead.gap > 1 or line.is_no(place)):
        line.pass_over(place)
    elif "nobody" in line.words[place]:
        if ahead.any("threw", "fed") or ("leaves" in ahead and line.says(("comes",), 0, place)):
            line.pass_over(place, place + 1)  # nobody gave her the tile; Eve joins, nobody leaves
    elif won == place + 1 or (won and ahead.is_close and not ahead.any("name", *SCORES)):
        line.say(place, lost=True, **{kind: True for kind in ("untrue",) if kind in line.words[place]})
        line.pass_over(*range(place + 1, won + 1))


def _did(line: _Line, place: int) -> None:
    """Turn "did" after a loss into a win with the denied score, as in "Cid did not go out with 26, Ann did"."""
    lost = next((at for at in range(place - 1, -1, -1) if "lost" in line.words[at]), None)
    if lost is None:
        asked = "?" in line.lattice.text[: line.words[place].start] or line.says(("draw",), 0, place)
        asked = asked and "name" in line.at(place - 1, 3)
        line.say(place, **({"win": "did"} if asked and not line.says(WINS) else line.words[place].says))
        return  # nobody won? yes, Ben did
    line.say(place, win="did")
    first, end = line.clause(lost)
    told = next((at for at in range(lost, min(end, place)) if line.words[at].is_score), None)
    if told is not None and not line.says(SCORES, place):
        line.pass_over(*range(first, told))


def _fraction(line: _Line, place: int) -> None:
    """Halve the number after "half of"; mark a doubt before anything else."""
    ahead = line.at(place + 1)
    line.say(place, **({} if "number" in ahead else {"unsure": True}))
    if "number" in ahead:
        line.say(place + 1, number=ahead["number"] // 2)


def _waits(line: _Line, place: int) -> None:
    """Remove who nearly won, or would have, in a line that tells of a draw."""
    first, end = line.clause(place)
    name = next((at for at in range(place, first - 1, -1) if "name" in line.words[at]), None)
    if name is None:
        return
    begin = first if line.words[first].any("but", "doubt") else name
    around = [*line.words[:begin], *line.words[end:]]
    won, scored = (any(word.any(*kinds) for word in around) for kinds in (WINS, SCORES))
    drawn = any("draw" in word for word in around) or (won and any("nobody" in word for word in around))
    if drawn and not scored:
        line.pass_over(*range(begin, end))


def _missed(line: _Line, place: int) -> None:
    """Remove a score or tile that somebody only hoped for, as in "Ann won 26, Ben needs 200" and "one tile off 64"."""
    (first, end), word, ahead = line.clause(place), line.words[place], line.at(place + 1)
    name = next((at for at in range(place, first - 1, -1) if "name" in line.words[at]), None)
    hoped = "missed" in word or ahead.any("number", "thrown", "unit", "tile")
    with_tile = ahead.after("with", "by") and "supposed" not in word
    if not hoped or ("missed" in word and (with_tile or line.names(place + 1, end))):
        return
    while name and "name" in line.words[name - 1] and line.words[name].after("and"):
        name -= 1  # Ann and Ben both called
    if name is not None and line.wins_beside(name, end):
        line.pass_over(*range(name, end))
    elif "waits" in word and ahead.says.get("number", _MOST_VALUE + 1) <= _MOST_VALUE:
        line.pass_over(place + 1)  # a tile


def _greets(line: _Line, place: int) -> None:
    """Remove a word for 0 with no name before it, which is a greeting: "love Dee"."""
    if not (line.words[place].is_close and line.at(place - 1, 3).any("name", "others", "all", "each")):
        line.pass_over(place)


def _gave(line: _Line, place: int) -> None:
    """Turn giving into discarding if a tile is given, as in "Dee gave Ben the tile"."""
    first, end = line.clause(place)
    tile = any("thrown" in word and not word.after("to") for word in line.words[first:end])
    people = len(line.names(first, end)) + ("he" in line.at(place - 1, 3))
    if "is paid" in line.words[place] and tile:  # Ann was given the tile by Ben
        line.say(place, win=True)
        line.say(next(at for at in range(place, end) if "thrown" in line.words[at]), by="by")
    elif tile and people == 2 and not line.says(("due",)):
        line.say(place, fed=True)


def _marked(line: _Line, place: int) -> None:
    """Let an exclamation mark behind a score mean winning, unless another word does."""
    if line.words[place]["win"] == "!" and line.says(WINS, 0, place) + line.says(WINS, place + 1):
        line.pass_over(place)
    elif line.words[place]["win"] == "!":
        line.say(place, win="glued")


def _each_of_all(line: _Line, place: int) -> None:
    """Give "12 each" to all, or to the others if a score follows, if it names nobody: "12 each, Ben went out"."""
    ahead = line.at(place + 1)
    people = ("name", "others", "all", "losers", "me", "he")
    whose = line.at(place + 2) if "comes" in ahead else ahead  # for Ben
    is_theirs = whose.any(*people) and (whose.is_close or whose.after("to"))
    if place and "number" in line.words[place - 1] and not (line.says(people, 0, place) or is_theirs):
        line.say(place, each="each", **{"others" if line.says(SCORES, place) else "all": True})


def _mine(line: _Line, place: int) -> None:
    """Remove a "my" in a clause without scores, as in "my back hurts"."""
    word = line.words[place]
    is_my = line.lattice.text[word.start : word.end].casefold() == "my"
    if is_my and not line.says((*SCORES, *WINS, *HOW, "pay", "false", "point"), *line.clause(place)):
        line.pass_over(place)


def _given(line: _Line, place: int) -> None:
    """Remove a word for giving if no giver is named, as in "give Ben 36"."""
    told = max((at for at in range(place) if line.words[at].is_score), default=-1) + 1
    pays = line.says(("name", "me", "he", "all", "others"), told, place)
    others = len(line.names(place, line.clause(place)[1])) > 1
    if not (pays or others or line.says(("due", "from"))) and "name" in line.at(place + 1):
        line.pass_over(place)


def _let(line: _Line, place: int) -> None:
    """Turn letting into discarding, as in "Ann let Ben out"; remove it elsewhere."""
    if "name" in line.at(place - 1, 3) and "name" in line.at(place + 1):
        line.say(place, threw=True)
    else:
        line.pass_over(place)


def _pending(line: _Line, place: int) -> None:
    """Remove who has no score yet, as in "Cid is still counting"; mark a doubt beside a score."""
    first, end = line.clause(place)
    alone = line.last(place, "none else")
    is_own = alone >= first and "name" in line.at(alone + 1)  # nobody but Ann has counted
    if is_own or "counted" in line.words[place]:
        line.pass_over(place, *[alone] * is_own)
        return
    names = [at for at in range(first, place) if line.words[at].any("name", "none else", "others")]
    if len(names) > 1 and (line.words[names[-1]].gap or line.words[names[-1] - 1].is_score):
        first = names[-1]  # Ben 6 and Dee forgot
    if line.says(SCORES, first, end):
        line.say(place, unsure=True)
    else:
        line.pass_over(*range(first, end))


def _remark(line: _Line, place: int) -> None:
    """Remove remarks, with their subject, as in "Ann is dead tired", "Ann's deal"; keep a fine, which may be paid."""
    first, end = line.clause(place)
    if "due" in line.words[place] and (place or line.at(1, 3).gap < 2):
        return
    line.pass_over(place)
    further = next((word for word in line.words[end:] if word.any("name", "he")), HeardWord({}))
    is_own = (first, end) == (place - 1, place + 1) and "name" in line.words[first]
    if is_own and "he" not in further and line.says((*SCORES, "false")):
        line.pass_over(first)  # but: Dee's dead tired, but she won


def _before(line: _Line, place: int) -> None:
    """Remove an earlier discard, as in "Cid threw one before, but Dee drew hers"."""
    first, end = line.clause(place)
    drawn = [
        at
        for at, word in enumerate(line.words)
        if "drawn" in word and "oneself" not in word and not first <= at < end
    ]
    if line.says(("threw", "fed"), first, end) and drawn and not line.says(SCORES, first, end):
        line.pass_over(*range(first, end), *([end] if "but" in line.at(end, 3) else []))


def _supposed(line: _Line, place: int) -> None:
    """Remove what would have been, before "but" and scores."""
    first, end = line.clause(place)
    if "lost" in line.words[place]:
        line.pass_over(*(at for at in range(place, end) if "number" in line.words[at]))  # would have won 64
    elif "but" in line.at(end, 3) and line.says(SCORES, end):
        others = line.names(end, len(line.words))  # else it is the same player who did not
        line.pass_over(*(at for at in range(first, end + 1) if others or "name" not in line.words[at]))


def _if(line: _Line, place: int) -> None:
    """Find who won in what would have been: "Ann would have won if Dee hadn't"."""
    first, end = line.clause(place)
    lost = next((at for at in range(place, end) if {"lost", "untrue"} <= line.words[at].says.keys()), 0)
    begin = place - 1 - ("or" in line.at(place - 2, 3))
    hoped = "were it so" in line.words[place] and "number" in line.at(place - 1, 3)
    if hoped and line.last(begin, "number") > line.last(begin, "name"):
        line.pass_over(*range(begin, end))  # 24, or 28 if she had not missed that flower
    if lost and line.says(("supposed",), first, place) and line.says(SCORES, end):
        line.pass_over(*range(first, place + 1), *range(lost + 1, end))
        line.say(lost, win=True)


def _unlike(line: _Line, place: int) -> None:
    """Remove a player or score after a word such as "instead of"."""
    number = "number" in line.at(place + 1) and "number" in line.at(place - 1, 3)
    if number or ("name" in line.at(place + 1) and line.says(SCORES)):
        line.pass_over(place, place + 1)


def _contrasted(line: _Line, place: int) -> None:
    """Pass over what the denial at word *place* denies, and players who did not do or score something."""
    first, end = line.clause(place)
    subject = "name" in line.at(place - 1, 3) and place > first
    told = line.at(place - 1 - ("he" in line.at(place - 1, 3)), 3)
    if line.says(SCORES, place + 1, end):
        _score_denied(line, place, end)
    elif line.says((*HOW, "draw"), place + 1, end):
        if line.says(HOW, end):
            _manner_denied(line, place, end)
        elif "drawn" in line.at(place + 1):
            line.pass_over(place, place + 1)
        elif subject and place > 1:
            moves = line.says(("comes", "leaves"), first, place)  # eve takes over from cid, not from dee
            line.pass_over(*range(place - (not moves), end))  # it does not say that nobody else threw it
    elif line.says(("pay",), place, end) and line.says(SCORES, end) and not line.says(SCORES, first, end):
        line.pass_over(*range(place, end))  # she doesn't pay for everyone, she just threw it
    elif "number" in told and end == place + 1 and line.wins_beside(first, end):
        line.pass_over(place)  # Ann's 44 was Mah-Jongg, Ben's 44 was not
    elif subject and place - first == 1 and end == place + 1 and line.says(SCORES, 0, first):
        line.pass_over(first, place)  # West's is worth 12, North's is not


def _score_denied(line: _Line, place: int, end: int) -> None:
    """Remove a denied score before the same player's right one, as in "Ben's not 72, he's 27"."""
    others, named = line.names(end, len(line.words)), line.names(max(0, place - 1), end)
    if line.says(SCORES, end) and {*named}.issuperset(others):
        line.pass_over(*(at for at in range(place, end) if others or "name" not in line.words[at]))


def _manner_denied(line: _Line, place: int, end: int) -> None:
    """Remove how a hand was not won, as in "not from Dee but from Ben"; who did not draw, but claimed, has won."""
    is_drawn = line.says(("drawn",), place, end)
    if line.says(("threw", "fed"), place, end) and place and "name" in line.at(place - 1, 3):
        line.pass_over(place - 1)
    line.pass_over(*range(place, end), *([end] if "but" in line.words[end] else []))
    if is_drawn and line.names(end, len(line.words)):
        line.say(place, win=True)


def _plus(line: _Line, place: int) -> None:
    """Remove a word for drawing that means an addition, as in "40 plus the win", or oneself, as in "he has 10 himself"."""
    (first, end), word, ahead = line.clause(place), line.words[place], line.at(place + 1)
    adds = ahead.any("number", *WINS) and ahead.after("plus")
    own = "oneself" in word and "number" in line.at(place - 1, 3) and "he" in line.words[first]
    is_word = line.lattice.text[word.start : word.end].isalpha()
    if is_word and (adds or (own and not line.says(WINS, first, end))):
        line.pass_over(place)


def _dozen(line: _Line, place: int) -> None:
    times = [place - 1] if line.words[place].is_close and "number" in line.at(place - 1, 3) else []
    line.say(place, number=12 * (line.words[times[0]]["number"] if times else 1))
    line.pass_over(*times)


def _game(line: _Line, place: int) -> None:
    """Turn "game" at the end, after a number, into a win."""
    is_end = line.at(place + 1).gap > 1 or not line.at(place + 1).says
    if is_end and any("number" in line.at(at, 3) for at in (place - 1, place - 2)):
        line.say(place, win="game")


def _besides(line: _Line, place: int) -> None:
    """Find the winner besides whom only one scored, as in "only Cid scored besides the winner: Cid 8, Dee 50"."""
    _, end = line.clause(place)
    ahead, told = line.at(place + 1), {*line.names(0, end)}
    winner = ahead.says.get("name") if not ahead.after("is") else None  # besides winner Dee
    others = [
        at + 1
        for at in range(end, len(line.words))
        if "name" in line.words[at]
        and (line.words[at]["name"] == winner or line.words[at]["name"] not in told)
    ]
    is_one = len(told) == 1 + bool(winner) and len(others) == 1
    if is_one and not line.says(("all", "each", "others", *WINS)) and "number" in line.at(others[0]):
        line.say(others[0], number=line.words[others[0]]["number"], win="glued")
        line.pass_over(place, *([place + 1] if winner else []))


def _only(line: _Line, place: int) -> None:
    """Give 0 to the others, if only some scored: "only Ben and Dee scored: Dee 80 win, Ben 22"."""
    _, end = line.clause(place)
    point = next((at for at in range(place, end) if "point" in line.words[at]), place)
    tells = line.says(("name",), place, point) and not line.says((*SCORES, *WINS), place, point)
    if tells and "name" in line.at(place + 1) and not line.says(("others", "all", "none else")):
        line.pass_over(place)
        line.words.append(replace(line.words[place], says={"others": True, "zero": 0}, gap=3))


def _uncounted(line: _Line, place: int) -> None:
    """Remove the score of a dead hand, as in "Dee's 100 doesn't count"."""
    if "number" in line.at(place - 1) and line.words[place].is_close and "theirs" in line.at(place - 2, 3):
        line.pass_over(place - 1)


def _nothing(line: _Line, place: int) -> None:
    """Turn a denied score into 0, and "nobody else" into 0 for the others."""
    word, after = line.words[place], [line.at(place + 1, 1), line.at(place + 2, 1)]
    few_unknown = after[0].unknown + after[1].unknown < 3
    if "besides" in word and (line.says(("all", "each", "others")) or not line.says(WINS)):
        line.say(place, but=True)
    elif line.names(0, place) and ("besides" in word or {"none else", "win"} <= word.says.keys()):
        # only Cid scored besides the winner, 8
        line.words.append(replace(word, says={"others": True, "zero": 0}, gap=3))
        line.say(place, **({"win": "only"} if "win" in word else {}))
    elif word.any("none else", "besides"):
        line.say(place, others=True, zero=0, **({"win": "only"} if "win" in word else {}))
    elif few_unknown and any("point" in one and not one.any(*WINS) for one in after):
        of = {"others" if line.says(("but",), place) else "all": True} if "nobody" in word else {}
        line.say(place, zero=0, **of)


def _all_but(line: _Line, place: int) -> None:
    if "all but" in line.words[place] or line.says(("but",), place):
        line.say(place, others=True, excepts=True)
        line.pass_over(*(at for at in (place + 1,) if "but" in line.at(at)))
        return
    scores = [at for at, word in enumerate(line.words) if word.is_score]
    theirs = next((at for at in scores if at > place), -1)
    told = line.says(WINS) and len(scores) == 2 and not line.at(theirs + 1).any("unit", "tile")
    if told and theirs > 0 and not line.names(place, theirs):
        line.say(place, others=True)  # Ann won 500, we all have 0


def _numbering(line: _Line, place: int) -> None:
    """Remove the numbering of a line's parts, as in "1 Ann 32, 2 Ben 64"."""
    numbers = [at for at, word in enumerate(line.words) if "number" in word]
    first = [at for at in numbers if _is_numbering(line, at)]
    counts = [line.words[at]["number"] for at in first] == list(range(1, len(first) + 1))
    if place == numbers[0] and len(first) > 1 and counts and len(numbers) > len(first):
        line.pass_over(*first)


def _is_numbering(line: _Line, place: int) -> bool:
    """Return whether a number begins a part and a name follows, as in "1 Ann" and "1) Ann"."""
    word = line.words[place]
    is_marked = line.lattice.text.startswith((")", "."), word.end)
    return "name" in line.at(place + 1, 3 * is_marked) and (is_marked or not place or word.gap > 1)


def _no_score(line: _Line, place: int) -> None:
    """Remove a number that counts players, tiles or doubles, or a difference; mark the number of a hand."""
    word, before, ahead = line.words[place], line.at(place - 1, 3), line.at(place + 1)
    directly = place - 1 - ("on" in before)  # three doubles on 14
    behind = line.at(directly, 3) if word.is_close else HeardWord({})
    unnamed = len(line.lattice.table.people.players) - len({*line.names(0, len(line.words))})
    if word["number"] == unnamed and _are_players(line, place):
        line.say(place, **{"all" if "all" in before else "others": True})
        line.pass_over(*([place] if "losers" in ahead else [place + 1] if "people" in ahead else []))
    elif word.is_close and _is_of_a_hand(line, place):
        line.say(place, nth=word["number"])
    elif _counts(line, place) or behind.any("doubles", "goes on") or _is_spoken(line, place):
        line.pass_over(place, *([place - 1] if "all" in behind else []))
    elif _is_a_tile(line, place):
        line.say(place, tile=word["number"])
    elif (
        "by how much" in behind
        or (word.after("by") and len(line.names(0, place)) > 1)
        or (word.after("by") and before.any(*WINS) and line.says(("number",), place + 1, place + 3))
    ):
        line.say(place, less=word["number"])


def _compared(line: _Line, place: int) -> None:
    """Work out a score told by another, as in "Ben 4 more than Ann", "Ann 20, Ben 4 more"; remove what only compares one."""
    (first, end), word = line.clause(place), line.words[place]
    if "number" not in line.at(place - 1, 3) or not word.is_close:
        return
    named, by = line.names(first, place), line.words[place - 1]["number"]
    if not named:
        if "by so much" not in word and place - 1 == first and line.says(SCORES, 0, first):
            line.pass_over(*range(first, end))  # 48, ten less than he had hoped
        return
    whose = _than_whom(line, place, named)
    named_at = (at + 1 for at in range(first) if line.words[at].says.get("name") in whose)
    told = [at + line.at(at).any("gets", *WINS) for at in named_at]
    scores = [line.at(at)["number"] for at in told if "number" in line.at(at)]
    if scores:
        line.say(place - 1, number=scores[-1] + (by if "more" in word else -by))
        line.pass_over(*range(place, end))
    elif "by so much" in word and "unit" not in word:
        line.say(place, unsure=True)  # 12 less 4


def _than_whom(line: _Line, place: int, named: list[str]) -> list[str]:
    """Return with whose score the one before word *place* is compared, not one of *named*; none if that is not clear."""
    (first, end), ahead = line.clause(place), line.at(place + 1)
    others = [one for one in line.names(place, end) if one not in named]
    before = [one for one in line.names(0, first) if one not in named]
    if ahead.any("name", "he"):
        return others or before[-1:]
    is_bare = "by so much" in line.words[place] and end == place + 1 and "name" in line.at(place - 2, 3)
    return before if is_bare and len(before) == 1 else []


def _are_players(line: _Line, place: int) -> bool:
    """Return whether a number counts players, as in "two players" and "the two lads nothing"."""
    ahead = line.at(place + 1)
    is_told = line.words[place].after("the") and ahead.is_score and ahead.unknown < 2
    return ("people" in ahead and ahead.is_close) or is_told


def _is_a_tile(line: _Line, place: int) -> bool:
    """Return whether a number is a tile, as in "threw the 5", "drew the 4" and "took Ben's 7"."""
    word, before = line.words[place], line.at(place - 1, 3)
    if line.lattice.text[word.end - 1].isalpha() and line.lattice.text[word.start].isdigit():  # fed Ann 1p
        is_told = line.says(("threw", "fed"), line.clause(place)[0], place)
    elif word.is_close or ("theirs" in before and word.unknown == 1 and not word.gap):
        deed = line.at(place - 2, 3) if "theirs" in before else before if word.after("the") else HeardWord({})
        with_it = "theirs" in before and (before.after("with") or "belongs" in deed)  # it was Ben's 8
        is_told = deed.any("threw", "took", "robbed", "from", "on", "by", "drawn", *WINS)
        is_told |= with_it and line.says(WINS, 0, place)
    else:
        return False
    return is_told and word["number"] < 10


def _counts(line: _Line, place: int) -> bool:
    """Return whether a number counts tiles, doubles or the others, or is the first of "from 14 to 56"."""
    word, ahead = line.words[place], line.at(place + 1)
    if "from" in line.at(place - 1, 3) and "number" in ahead and ahead.after("to"):
        return True  # from 14 to 56
    if word["number"] in (2, 3) and ahead.says and word.after("the", "all"):
        return True
    odd = ahead.unknown == 1 and word["number"] < _MOST_TILES and "unit" in ahead  # two odd tiles
    counted = ahead.any("unit", "tile", "doubles", "short") and not ahead.any(*WINS, "point")
    sets = "doubles" in ahead or ahead.says.get("tile") in _SETS  # 48 straight off the wall
    counted = counted and not (word["number"] > _MOST_TILES and sets)
    counted = counted and (odd or not ahead.unknown)
    counted = counted and not (ahead.after("with") and word["number"] > _MOST_TILES)  # 52 with a pung
    return counted and not ("doubles" in ahead and "number" in line.at(place + 2))


def _is_of_a_hand(line: _Line, place: int) -> bool:
    """Return whether a number is a hand's own, as in "hand 3", but not in "ben's hand 24"."""
    before = line.at(place - 1, 3)
    whose = line.at(place - 2, 3) if before.is_close else HeardWord({})
    between = line.lattice.text[before.end : line.words[place].start].strip(" #.")
    told = whose.any("name", "theirs", "he", "win", "limit") and not line.words[0].after("asks")
    return "ordered" in before and not between and not told


def _is_spoken(line: _Line, place: int) -> bool:
    """Return whether a 2 or 4 stands for "to" or "for", as in "64 4 Ben"."""
    word, before, ahead = line.words[place], line.at(place - 1, 3), line.at(place + 1)
    is_list = "number" in line.at(place - 2)
    between = "number" in before and "name" in ahead
    is_typed = line.lattice.text[word.start : word.end] in _SPOKEN
    is_score = "each" in ahead  # the rest of us 2 apiece
    return is_typed and word.is_close and not (is_list or is_score) and ("due" in ahead or between)


def _on(line: _Line, place: int) -> None:
    """Read "on" before a discarder, as in "out on Ben", or before a tile; not before a score, as in "on 64"."""
    ahead, further = line.at(place + 1), line.at(place + 2)
    is_told = "name" in ahead and not (further.is_score and further.is_close)
    if is_told and line.says(("took", *WINS)):
        line.say(place, **{"from": "on"})
    else:
        line.say(place, **{"took": "on"} if "thrown" in ahead or "thrown" in further else {})


def _off(line: _Line, place: int) -> None:
    """Read "off" between a name and a comma as leaving, as in "Ben off, Eve on"; not beside scores."""
    ends = line.at(place + 1, 3).gap > 1 or not line.at(place + 1).says
    if "name" in line.at(place - 1, 3) and line.words[place].is_close and ends and not line.says(SCORES):
        line.say(place, leaves="off")


def _as_much(line: _Line, place: int) -> None:
    """Put a score in place of "the same", "double that", from the last score before; of "twice Ben's", from Ben's."""
    word, ahead = line.words[place], line.at(place + 1)
    factor = next(times for kind, times in _TIMES.items() if kind in word)
    is_as = word.any("twice as", "same as")  # also: as much as Ben
    if (is_as and "name" in ahead) or ((is_as or "twice of" in word) and "theirs" in ahead):
        _as_somebody(line, place, factor)
        return
    last = next((at for at in range(place - 1, -1, -1) if line.words[at].is_score), -1)
    if not word.any("twice", "half", "same") or last < 0 or len(line.names(last + 1, place)) > 1:
        return
    if last == place - 1 and word.is_close and factor == 1 and not line.at(place + 1).any("name", "others"):
        line.pass_over(place)  # Ben 20 as well
    elif "number" in line.words[last]:
        line.say(place, number=int(line.words[last]["number"] * factor))
    elif factor == 1:
        line.say(place, **line.words[last].says)


def _as_somebody(line: _Line, place: int, factor: float) -> None:
    """Put the score of the player who is named next, times *factor*, in place of a word; mark a doubt if none is told."""
    who = line.words[place + 1]["name"]
    told = [at + 1 for at, word in enumerate(line.words) if at != place + 1 and word.says.get("name") == who]
    scores = [line.at(at)["number"] for at in told if "number" in line.at(at)]
    near = [word for word in (line.at(place + 2, 3), line.at(place - 1, 3)) if "number" in word]
    if scores:
        line.say(place, number=int(scores[0] * factor))
        line.pass_over(place + 1)
    elif near and factor == 1:
        line.say(place, number=near[0]["number"])  # Ben the same as Ann, 14; Ben 14, same as Ann
    elif not line.at(place + 2, 3).is_score:
        line.say(place, unsure=True)


def _sum(line: _Line, place: int) -> None:
    """Add up two numbers, or take the last if it is their result."""
    word = line.words[place]
    first = line.last(place, "name") + 1
    last = _term(line, place)
    before = line.at(last, 3)
    parts = [at for at in range(first, place) if "number" in line.words[at]]
    told = [line.words[at]["number"] for at in parts]
    tells = len(told) == 2 and first > 0 < min(told) and (place - parts[0] > 2 or word.after("makes"))
    if tells and word["number"] in (sum(told), told[0] * told[1]):
        line.pass_over(*parts)  # 2 on the table, 8 in hand, so 10
        return
    if "number" not in before:
        return
    between = line.lattice.text[line.words[last].end : word.start]
    if "=" in between and any(map(str.isalpha, between)):
        return  # a=16 c=0
    adds = _is_behind_hundreds(line, place) or (word.after("plus") and word.is_close)
    if adds or ((word.after("makes") or "total" in line.at(place + 1)) and word.gap < 3):
        line.say(place, number=word["number"] + before["number"] * adds)
        line.pass_over(last)


def _term(line: _Line, place: int) -> int:
    """Return the index of the last word before word *place* that neither counts nor tells whose it is."""
    behind = range(place - 1, line.last(place, "name"), -1)
    return next((at for at in behind if not line.words[at].any("unit", "belongs")), place - 1)


def _is_behind_hundreds(line: _Line, place: int) -> bool:
    """Return whether a number continues hundreds, as in "a hundred n twenty"."""
    word, before = line.words[place], line.words[place - 1]
    between = line.lattice.text[before.end : word.start].strip()
    is_and = word.after("and") and between.isalpha()
    hundreds = before.says.get("number", 0)
    return is_and and hundreds > 0 == hundreds % 100 and 0 < word["number"] < 100


def _no(line: _Line, place: int) -> None:
    """Turn "no" into a correction, if it stands alone after other words, or before a name or a score."""
    word, ahead = line.words[place], line.at(place + 1, 3)
    if line.is_no(place) and line.says(("lost",), place, place + 3):
        line.pass_over(place)  # no, he did not win
        return
    is_for = "comes" in ahead and "name" in line.at(place + 2)
    is_between = "number" in line.at(place - 1, 3) and "number" in ahead  # 12 no 14
    starts = is_between or (word.gap > 1 and (is_for or ahead.any("number", "from", "by", "corrects")))
    if place and line.is_no(place) and (ahead.gap > 1 or (ahead.is_close and (starts or "name" in ahead))):
        line.say(place, corrects=True)


def _denied(line: _Line, place: int) -> None:
    """Remove what "not" denies beside another of its kind, as in "14 not 40"; "off Ben, not off Ann"."""
    at = place + 1 + (line.at(place + 1).any("from", "by", "comes") and "name" in line.at(place + 2))
    ahead = line.at(at)
    kinds = next((kinds for kinds in _LIKE if ahead.any(*kinds)), set[str]())
    if "absent" in line.at(place + 1) and line.says(("comes",), 0, place):
        line.pass_over(place, place + 1)  # Fay sits down, not Eve
    elif at < len(line.words) and not (line.is_no(place) and "number" in ahead):
        further = line.telling(at, 1)
        behind = [further, line.telling(at, 1, 2)] if further.any("corrects", "but") else [further]
        first, _ = line.clause(max(place - 1, 0))
        alone = line.clause(place) == (place, at + 1) and "name" in ahead  # Cid won, 40, not Ann
        first = 0 if alone and not line.says(("others", "all", "each")) else first
        before = [line.telling(place, -1), *(line.words[first:place])]
        told = at > place + 1 and "he" in line.at(at + 1, 3) and "comes" in line.at(place + 1)
        if any(one.any(*kinds) for one in (*before, *behind)) or told:
            theirs = "theirs" in ahead and line.at(at + 1).any("number", "tile")  # not Dee's 3
            line.pass_over(*range(place, at + (not told) + theirs))


def _corrected(line: _Line, place: int) -> None:
    """Put a correction into its place, as in "18 sorry 28", "off Cid, no, Ann"; mark a doubt if that is not clear.

    Another score of the same player, and another winner, are left: the later one counts.
    """
    if _is_told_anew(line, place):
        kept = () if line.says(SCORES, place) else ("number",)  # Ann owes Dee 20, no, Dee owes Ann
        for at, word in enumerate(line.words[: place + 2]):
            says = {kind: said for kind, said in word.says.items() if at > place or kind in kept}
            line.words[at] = replace(word, says=says, small=frozenset())
        return
    told, anew = _around_correction(line, place)
    names = [at for at in anew if "name" in line.words[at]]
    scores = [at for at in anew if line.words[at].is_score]
    if "corrects" not in line.words[place] or not told or not anew:
        return
    if not (names or scores):
        if line.words[told[-1]].any(*HOW) and line.words[anew[0]].any(*HOW):
            line.pass_over(told[-1], place)
    elif not _is_of_its_own(line, told, anew, place):
        _replace(line, place, anew[0], _replaced(line, told, names, scores))


def _replace(line: _Line, place: int, anew: int, pairs: list[tuple[int, int]] | None) -> None:
    """Put new words into the places of old ones, for the correction at word *place*, before word *anew*."""
    if pairs is None:
        line.say(place, **({} if "regrets" in line.words[place] else {"unsure": True}))
        return
    for old, new in pairs:
        line.say(old, **line.words[new].says)
        line.pass_over(new)
    behind = range(place, max((new for _, new in pairs), default=anew))
    line.pass_over(*(at for at in behind if at < anew or line.words[at].any("from", "by", "comes")))


def _is_told_anew(line: _Line, place: int) -> bool:
    """Return whether all is told again, as in "Ann pays Ben 50, I mean Ben pays Ann 50" and "a draw, no, Ben won 8"."""
    pays = all(
        line.says(("pay",), *part) and len(line.names(*part)) == 2 for part in ((0, place), (place, None))
    )
    drawn = line.says(("draw",), 0, place) and not line.says(("name", *SCORES), 0, place)
    return (
        pays
        or _is_won_anew(line, place)
        or (drawn and line.says(SCORES, place) and line.says(("name",), place))
    )


def _is_won_anew(line: _Line, place: int) -> bool:
    """Return whether the same score is won by another: "Ann 62 win, I mean Ben 62 win"."""
    parts = (0, place), (place, line.clause(min(place + 1, len(line.words) - 1))[1])
    told = [[word["number"] for word in line.words[slice(*part)] if "number" in word] for part in parts]
    return told[0] == told[1] and all(
        line.says(WINS, *part) and len(line.names(*part)) == 1 for part in parts
    )


def _is_of_its_own(line: _Line, told: list[int], anew: list[int], place: int) -> bool:
    """Return whether words *anew* replace nothing, as in "ann, sorry, 12", "no, ben won", "no, ben 9"."""
    names = [line.words[at]["name"] for at in anew if "name" in line.words[at]]
    if not names:
        return "name" in line.words[told[-1]] and not _behind(line, told[-1])
    is_scored = any(line.words[at].is_score for at in anew)
    return line.says(WINS, anew[0], anew[-1] + 1) or (is_scored and names[0] in line.names(0, place))


def _replaced(
    line: _Line, told: list[int], names: list[int], scores: list[int]
) -> list[tuple[int, int]] | None:
    """Return the indexes of the old name and score, each with that of the new one; None if that is not clear.

    Another player's score is not replaced by a different one.
    """
    if names and scores and not line.says(("name",), line.clause(told[-1])[0], told[-1] + 1):
        names = []  # eleven, no, ten for Dee
    pairs = [(_name_before(line, told, names), at) for at in names[:1]]
    pairs += [(_score_before(line, told, names), at) for at in scores[:1]]
    old, new = pairs[-1]
    differ = len(pairs) > 1 and old is not None and line.words[old].says != line.words[new].says
    if len(names) > 1 or len(scores) > 1 or differ or pairs[0][0] is None:
        return None
    return [(old, new) for old, new in pairs if old is not None]


def _around_correction(line: _Line, place: int) -> tuple[list[int], list[int]]:
    """Return the indexes of telling words before a correction, and of those after, up to the next comma."""
    telling = [at for at, word in enumerate(line.words) if word.any(*_TELLING - {"corrects"})]
    ahead = [at for at in telling if at > place]
    end = next(
        (at for at in range(min(ahead, default=place) + 1, len(line.words)) if line.begins(at)),
        len(line.words),
    )
    return [at for at in telling if at < place], [at for at in ahead if at < end]


def _name_before(line: _Line, told: list[int], names: list[int]) -> int | None:
    """Return the index of the name that a new one replaces: the word before, or the only name in its clause,
    behind the same preposition; None if there is none.
    """
    people = [at for at in told if "name" in line.words[at]]
    if names and _behind(line, names[0]):
        people = [at for at in people if _behind(line, at) == _behind(line, names[0])]
    here = [at for at in people if at >= line.clause(told[-1])[0]]
    return here[-1] if here and (len(here) == 1 or here[-1] == told[-1]) else None


def _behind(line: _Line, place: int) -> str:
    """Return which preposition a name stands behind: "from", "to", or an empty text."""
    of = any(word.any("from", "by") for word in line.words[max(place - 1, 0) : place])
    of = of or line.words[place].after("of")
    return "from" if of else "to" if line.words[place].after("to") else ""


def _score_before(line: _Line, told: list[int], names: list[int]) -> int | None:
    """Return the index of the last score *told*, with new *names* only in the last clause; None if none."""
    first = line.clause(told[-1])[0] if names else 0
    return next((at for at in reversed(told) if line.words[at].is_score and at >= first), None)


def _reversed(line: _Line, place: int) -> None:
    """Swap the only two players, if "the other way round" ends the sentence, or two named behind "swap"."""
    _, end = line.clause(place)
    ahead, swapped = line.at(place + 1, 3), line.names(place, end)
    names = [at for at, word in enumerate(line.words[:place]) if "name" in word]
    names = [at for at in names if not swapped or line.words[at]["name"] in swapped]
    is_end = end == len(line.words) if swapped else ahead.gap > 2 or "corrects" in ahead or not ahead.says
    if len(names) == 2 and is_end and len(swapped) in (0, 2):
        one, other = (line.words[at]["name"] for at in names)
        line.say(names[0], name=other)
        line.say(names[1], name=one)
        line.pass_over(
            *range(place, end if swapped else place + 1),
            *([place - 1] if line.words[place - 1].any("deny", "corrects") else []),
        )


_STEPS: tuple[tuple[tuple[str, ...], Callable[[_Line, int], None]], ...] = (
    (tuple(_TELLING), _asked),
    (("beaten",), _beaten),
    (("stakes", "bygone", "concedes", "more", "fewer"), _aside),
    (("witness", "number"), _opinion),
    (("witness",), _witness),
    (("tile",), _couple),
    (("took",), _claims),
    (("it",), _it),
    (("ordered",), _number_of),
    (("all",), _addressed),
    (("pays all",), _pays_all),
    (("neither",), _neither),
    (("clock", "number"), _clock),
    (("earlier",), _earlier),
    (("forgot",), _forgot),
    (("more", "fewer"), _compared),
    (("deny",), _no),
    (("deny", "lost"), _won_instead),
    (("deny",), _instead),
    (("deny",), _not_so),
    (("deny", "nobody"), _lost),
    (("did",), _did),
    (("win",), _marked),
    (("each",), _each_of_all),
    (("greets",), _greets),
    (("loss", "missed", "supposed", "waits", "short"), _waits),
    (("missed", "waits"), _missed),
    (("pending", "counted"), _pending),
    (("let",), _let),
    (("pay", "is paid"), _gave),
    (("pay",), _given),
    (("me",), _mine),
    (("halves",), _fraction),
    (("remark",), _remark),
    (("if",), _if),
    (("supposed",), _supposed),
    (("unlike",), _unlike),
    (("deny",), _contrasted),
    (("threw", "fed"), _before),
    (("drawn",), _plus),
    (("twelve",), _dozen),
    (("game",), _game),
    (("dead",), _uncounted),
    (("besides",), _besides),
    (("only",), _only),
    (("none else", "besides", "nobody", "deny"), _nothing),
    (("all but", "all"), _all_but),
    (("number",), _numbering),
    (tuple(WINS), _listed),
    (("number",), _no_score),
    (("but",), _but_really),
    (("on",), _on),
    (("from",), _off),
    (tuple(_TIMES), _as_much),
    (("number",), _sum),
    (("reversed",), _reversed),
    (("deny",), _denied),
    (("corrects",), _corrected),
)
