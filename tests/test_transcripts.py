"""What is typed, shown and written, as the transcripts in the folders of tests have it."""

from __future__ import annotations

from transcripts import run, transcripts


@transcripts(__file__)
def test_it_goes_as_it_is_written_down(transcript, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(transcript, tmp_path)
