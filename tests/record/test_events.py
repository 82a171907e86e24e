"""Hands are counted; what stands between them goes by letters."""

from __future__ import annotations

from mjscore.record.events import EVENTS, Count, hand_number, kind_of
from mjscore.record.lines import EventLine, parse_line


def test_marks():
    count = Count()
    marks = []
    for kind in ["pay", "hand", "draw", *["wash"] * 28, "false", "long", "pay"]:
        count = count.after(kind)
        marks.append(count.mark)
    assert marks[:4] == ["0a", "1", "2", "2a"]
    assert marks[27:33] == ["2y", "2z", "2aa", "2ab", "2ac", "3"]
    assert marks[33] == "3a"
    assert [hand_number(mark) for mark in ("3", "3a")] == [3, None]
    heads = ('hand "x" @E', "wash Ann 11", "", 'hand"late"', "draw# nobody", "seatann")
    assert [kind_of(head) for head in heads] == ["hand", "wash", "", "hand", "draw", "seat"]


def test_an_event_is_written_as_its_usage_says():
    for event in EVENTS.values():
        for way in event.usage.split(", "):
            record = parse_line(way.replace("19b…", "19b"))
            assert isinstance(record, EventLine), way
            assert record.word == event.word
