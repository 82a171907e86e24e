"""Evenings at the prompt, as the transcripts beside this file have them."""

from __future__ import annotations

from transcripts import run, transcripts


@transcripts(__file__)
def test_an_evening_goes_as_it_is_written_down(transcript, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(transcript, tmp_path)
