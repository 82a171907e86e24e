"""Scores written behind the hands that have none."""

from __future__ import annotations

import pytest
from batches import random_lines

from mjscore.batch.update import updated_file
from mjscore.record.checker import check_file
from mjscore.record.context import Context


def test_update_adds_what_is_missing_and_nothing_else(tmp_path):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_bytes(
        b'# a file\r\n"a # b" (123b) (456c) 22d 789b 11c <2d   # with a remark\r\n'
        b"(123b) (456c) 22d 789b 11c <2d = 24\nnonsense\n\nhand\n  E: (RRR) 123b 456b 789b 5d <5d\n  S: 3\n  W: 4\n  N: 5"
    )
    updated = updated_file(str(old), str(new), Context())
    assert updated.added == 2
    assert [(checked.line, bool(checked.refusals)) for checked in updated.wrong] == [(3, False), (4, True)]
    assert new.read_bytes() == old.read_bytes().replace(b"<2d   # with", b"<2d = 22   # with").replace(
        b"<5d\n", b"<5d = 52\n"
    )
    with pytest.raises(FileExistsError):
        updated_file(str(old), str(new), Context())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.mj", "old.mj"]


def test_update_leaves_nothing_behind_where_it_fails(tmp_path, monkeypatch):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_text("(123b) (456c) 22d 789b 11c <2d\n" * 3)

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space"):
            updated_file(str(old), str(new), Context())
    assert [path.name for path in tmp_path.iterdir()] == ["old.mj"]
    new.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        updated_file(str(old), str(new), Context())
    with pytest.raises(OSError, match="No such file"):
        updated_file(str(old), str(tmp_path / "none" / "new.mj"), Context())


def test_an_updated_file_holds_and_updates_to_itself(tmp_path):
    old, new, again = (tmp_path / name for name in ("old.mj", "new.mj", "again.mj"))
    old.write_text(
        "\n".join(random_lines(300)) + "\nrulebook babcock\n" + "\n".join(random_lines(100, 6)) + "\n"
    )
    added = updated_file(str(old), str(new), Context()).added
    plain = [one for one in check_file(str(old), Context()) if not one.refusals]
    assert added == len(plain)
    found = [one for one in check_file(str(new), Context()) if not one.refusals]
    assert [one.expected for one in found] == [one.outcome.score for one in plain]
    assert all(one.ok for one in found)
    assert updated_file(str(new), str(again), Context()).added == 0
    assert again.read_bytes() == new.read_bytes()


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_the_new_file_has_the_mode_of_the_old(tmp_path, mode):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_text("(123b) (456c) 22d 789b 11c <2d\n")
    old.chmod(mode)
    updated_file(str(old), str(new), Context())
    assert new.stat().st_mode & 0o777 == mode


def test_an_open_hand_is_updated_as_far_as_it_goes(tmp_path):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    text = "players Ann Ben Cid Dee\nhand\n  Ann: (RRR) 123b 456b 789b 5d <5d:Dee\n  Ben: 3\n"
    old.write_text(text)
    assert updated_file(str(old), str(new), Context()).added == 1
    assert new.read_text() == text.replace(":Dee", ":Dee = 52")
