"""The locks on files."""

import os

import pytest
from django.core.files import locks

from clubs.file_locks import FileLocked, take_lock


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lock"


def take_and_close(path, *, shared):
    os.close(take_lock(path, shared=shared))


def test_exclusive_lock_keeps_all_others_away_until_it_is_closed(path):
    lock = take_lock(path)
    for shared in (True, False):
        with pytest.raises(FileLocked):
            take_lock(path, shared=shared)
    os.close(lock)
    take_and_close(path, shared=False)


def test_shared_locks_keep_only_an_exclusive_one_away(path):
    locks = [take_lock(path, shared=True) for _ in range(3)]
    with pytest.raises(FileLocked):
        take_lock(path)
    for lock in locks:
        os.close(lock)
    take_and_close(path, shared=False)


def test_link_in_place_of_the_file_is_not_followed(path, tmp_path):
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        take_lock(path)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("outcome", [False, OSError("No locks available.")])
def test_file_that_is_not_locked_is_closed(outcome, path, monkeypatch):
    """Check it for a file that another holds, and for a disk of a network, which may have no locks."""
    asked = []

    def lock(file, _flags):
        asked.append(file)
        if outcome:
            raise outcome
        return outcome

    monkeypatch.setattr(locks, "lock", lock)
    with pytest.raises(type(outcome) if outcome else FileLocked):
        take_lock(path)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(asked[0])


def test_file_of_another_user_is_locked_too(path, monkeypatch):
    path.touch()
    real = os.open

    def open_for_reading_alone(name, flags, *mode):
        if flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied")
        return real(name, flags, *mode)

    monkeypatch.setattr(os, "open", open_for_reading_alone)
    lock = take_lock(path)
    with pytest.raises(FileLocked):
        take_lock(path)
    os.close(lock)
