import subprocess

import pytest

from quizsite.backups.files import About, BackupError, new_backup, read_about, verified

ABOUT = About(database="sqlite", made_at="2026-01-31T12:00:00+00:00", migrations=("exercises.0001_initial",))


@pytest.fixture
def backup(tmp_path):
    return make(tmp_path / "backup")


def make(folder, *, force=False, **files):
    with new_backup(folder, force=force) as draft:
        (draft / "about.json").write_text(ABOUT.to_json())
        for name, content in (files or {"database": "rows"}).items():
            (draft / name).write_text(content)
    return folder


def names_in(folder):
    return {path.name for path in folder.iterdir()}


def test_backup_is_whole_and_says_what_it_is(backup):
    assert verified(backup) == ABOUT


def test_backup_is_for_its_owner_alone(backup):
    assert {oct(path.stat().st_mode & 0o777) for path in backup.iterdir()} == {"0o600"}
    assert oct(backup.stat().st_mode & 0o777) == "0o700"


def test_sums_are_those_of_sha256sum(backup):
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=backup, check=True, capture_output=True)


@pytest.mark.parametrize("content", ["other", "row", ""])
def test_damage_is_found_and_named(content, backup):
    (backup / "database").write_text(content)

    with pytest.raises(BackupError, match="is damaged: database"):
        verified(backup)


def test_missing_file_is_found_and_named(backup):
    (backup / "database").unlink()

    with pytest.raises(BackupError, match="is damaged: database"):
        verified(backup)


@pytest.mark.parametrize("sums", ["", "not sums\n", f"{'0' * 64}  ../about.json\n", f"{'0' * 63}  about.json\n"])
def test_sums_that_are_none_are_refused(sums, backup):
    (backup / "SHA256SUMS").write_text(sums)

    with pytest.raises(BackupError, match="is not a list of sums"):
        verified(backup)


def test_sums_must_name_what_the_backup_says_of_itself(backup):
    lines = (backup / "SHA256SUMS").read_text().splitlines(keepends=True)
    (backup / "SHA256SUMS").write_text("".join(line for line in lines if "about.json" not in line))

    with pytest.raises(BackupError, match=r"no sum of about\.json"):
        verified(backup)


def test_folder_without_sums_is_no_backup(backup):
    (backup / "SHA256SUMS").unlink()

    with pytest.raises(BackupError, match="has no SHA256SUMS"):
        verified(backup)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "not json", '{"migrations": [], "colour": 1}'])
def test_text_that_is_not_about_a_backup_is_refused(text):
    with pytest.raises(BackupError, match="is not what a backup says of itself"):
        read_about(text)


def test_format_of_another_version_is_refused():
    with pytest.raises(BackupError, match="has format 2; this version reads format 1"):
        read_about(ABOUT.to_json().replace('"format": 1', '"format": 2'))


def test_earlier_backup_is_kept_without_force(backup):
    with pytest.raises(BackupError, match="holds something"):
        make(backup, database="later rows")

    assert (backup / "database").read_text() == "rows"


def test_earlier_backup_is_replaced_by_force_with_all_its_files(backup):
    make(backup, force=True, dump="later rows")

    assert names_in(backup) == {"about.json", "dump", "SHA256SUMS"}
    assert verified(backup) == ABOUT


def test_what_is_no_backup_is_never_replaced(tmp_path):
    (tmp_path / "mine").write_text("mine")

    with pytest.raises(BackupError, match="something that is not a backup"):
        make(tmp_path, force=True)

    assert names_in(tmp_path) == {"mine"}


def test_file_in_place_of_a_folder_is_refused(tmp_path):
    (tmp_path / "backup").write_text("mine")

    with pytest.raises(BackupError, match="is not a folder"):
        make(tmp_path / "backup", force=True)


def test_backup_that_fails_leaves_the_earlier_one(backup):
    with pytest.raises(IsADirectoryError):
        make(backup, force=True, **{"..": "as when the disk is full"})

    assert verified(backup) == ABOUT
    assert names_in(backup) == {"about.json", "database", "SHA256SUMS"}


def test_what_a_killed_backup_left_is_taken_away(tmp_path):
    (tmp_path / ".new").mkdir()
    (tmp_path / ".new" / "half").write_text("half")

    make(tmp_path)

    assert names_in(tmp_path) == {"about.json", "database", "SHA256SUMS"}
