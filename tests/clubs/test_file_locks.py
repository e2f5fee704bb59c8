"""The locks on files, by `fcntl` and by the bytes that Windows locks."""

import os

import pytest

from clubs.file_locks import FileLocked, take_lock
from tests.operations.systems import run_on

ON_WINDOWS = """
import os, sys
from pathlib import Path
from clubs.file_locks import FileLocked, take_lock
path = Path(sys.argv[1])
def tell(shared):
    try:
        return take_lock(path, shared=shared)
    except FileLocked:
        return "locked"
first, second = tell(True), tell(True)
print(type(second).__name__, tell(False))
os.close(first), os.close(second)
whole = tell(False)
print(type(whole).__name__, tell(False), tell(True))
"""


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


def test_locks_of_windows_are_as_good(path):
    run = run_on("windows", "-c", ON_WINDOWS, str(path))
    assert run.stdout.splitlines() == ["int locked", "int locked locked"], run.stderr
