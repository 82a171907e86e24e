"""Lines written as refusals offer them, scores as computed, and nothing else."""

from __future__ import annotations

import pytest
from batches import random_lines

from mjscore.batch.corrections import corrected_file
from mjscore.record.checker import check_file
from mjscore.record.context import Context


def test_update_adds_what_is_missing_and_nothing_else(tmp_path):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_bytes(
        b'# a file\r\n"a # b" (123b) (456c) 22d 789b 11c <2d   # with a remark\r\n'
        b"(123b) (456c) 22d 789b 11c <2d = 24\nnonsense\n\nhand\n  E: (RRR) 123b 456b 789b 5d <5d\n  S: 3\n  W: 4\n  N: 5"
    )
    corrected = corrected_file(str(old), str(new), Context())
    assert [(one.kind, one.line) for one in corrected] == [("added", 2), ("added", 7)]
    assert new.read_bytes() == old.read_bytes().replace(b"<2d   # with", b"<2d = 22   # with").replace(
        b"<5d\n", b"<5d = 52\n"
    )
    with pytest.raises(FileExistsError):
        corrected_file(str(old), str(new), Context())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.mj", "old.mj"]


def test_update_leaves_nothing_behind_where_it_fails(tmp_path, monkeypatch):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_text("(123b) (456c) 22d 789b 11c <2d\n" * 3)

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space"):
            corrected_file(str(old), str(new), Context())
    assert [path.name for path in tmp_path.iterdir()] == ["old.mj"]
    new.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        corrected_file(str(old), str(new), Context())
    with pytest.raises(OSError, match="No such file"):
        corrected_file(str(old), str(tmp_path / "none" / "new.mj"), Context())


def test_an_updated_file_holds_and_updates_to_itself(tmp_path):
    old, new, again = (tmp_path / name for name in ("old.mj", "new.mj", "again.mj"))
    old.write_text(
        "\n".join(random_lines(300)) + "\nrulebook babcock\n" + "\n".join(random_lines(100, 6)) + "\n"
    )
    added = len(corrected_file(str(old), str(new), Context()))
    plain = [one for one in check_file(str(old), Context()) if not one.refusals]
    assert added == len(plain)
    found = [one for one in check_file(str(new), Context()) if not one.refusals]
    assert [one.expected for one in found] == [one.outcome.score for one in plain]
    assert all(one.ok for one in found)
    assert corrected_file(str(new), str(again), Context()) == []
    assert again.read_bytes() == new.read_bytes()


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_the_new_file_has_the_mode_of_the_old(tmp_path, mode):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_text("(123b) (456c) 22d 789b 11c <2d\n")
    old.chmod(mode)
    corrected_file(str(old), str(new), Context())
    assert new.stat().st_mode & 0o777 == mode


def test_an_open_hand_is_updated_as_far_as_it_goes(tmp_path):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    text = "players Ann Ben Cid Dee\nhand\n  Ann: (RRR) 123b 456b 789b 5d <5d:Dee\n  Ben: 3\n"
    old.write_text(text)
    assert len(corrected_file(str(old), str(new), Context())) == 1
    assert new.read_text() == text.replace(":Dee", ":Dee = 52")


BEFORE = (
    b'\xef\xbb\xbf"a # b" (123b)(456c) 22D 789b 11c <2d = 22  # x = 3\r\n'
    b"S: WW 123b ...\n"
    b"S@E: (222d) 1111c 123b 456b 5c +5c\n"
    b"(123b) (456c) 22d 789b 11c <2d = 24\t# wrong\r"
    b"\n\n  # between \xff\n"
    b"(RRR) 2b ... = error\n"
    b"(123b) (456c) 22d 789b 11c <2d\n"
    b"hand\n\tE: (rrr) 123b 456b 789b 5d <5d = 53 # who\n  S: 3\n  W: 4\n  N: 5\n  pays S -3 E +9  # so"
)
FIXED = {b"(456c) 22D": b" (456c) 22d", b"(rrr)": b"(RRR)"}
ACCEPTED = {
    b"= 24\t": b"= 22\t",
    b"= error": b"= 8",
    b"<2d\nhand": b"<2d = 22\nhand",
    b"S -3 E +9": b"S -107 E +312",
}


@pytest.mark.parametrize(
    ("fix", "accept", "changed"),
    [(True, False, FIXED), (False, True, {}), (True, True, FIXED | ACCEPTED | {b"= 53": b"= 52"})],
)
def test_in_its_place_only_what_is_asked_for_is_corrected(tmp_path, fix, accept, changed):
    path = tmp_path / "hands.mj"
    path.write_bytes(BEFORE)
    corrected_file(str(path), None, Context(), fix, accept)
    expected = BEFORE
    if accept and not fix:  # the table cannot be read
        changed = dict(list(ACCEPTED.items())[:3])
    for old, new in changed.items():
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    assert path.read_bytes() == expected
    stood = path.stat()
    assert corrected_file(str(path), None, Context(), fix, accept) == []
    assert path.stat() == stood
    assert [one.name for one in tmp_path.iterdir()] == ["hands.mj"]


def test_what_somebody_changed_meanwhile_stays(tmp_path, monkeypatch):
    path = tmp_path / "hands.mj"
    path.write_bytes(BEFORE)

    def changed(line: str, score: int) -> str:
        path.write_bytes(b"1b ...\n")
        return line

    monkeypatch.setattr("mjscore.batch.corrections._with_score", changed)
    with pytest.raises(OSError, match="in the meantime"):
        corrected_file(str(path), None, Context(), accept=True)
    assert path.read_bytes() == b"1b ...\n"
    assert [one.name for one in tmp_path.iterdir()] == ["hands.mj"]
