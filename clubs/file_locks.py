"""A lock on a file, which ends with the process that holds it, on Linux, macOS and Windows."""

import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

NO_LINK = getattr(os, "O_NOFOLLOW", 0)
SHARES = 64  # on Windows, which locks bytes: a shared lock is one of these bytes, an exclusive lock is all of them


class FileLocked(Exception):
    """The error that another process holds the lock."""


def take_lock(path: Path, *, shared: bool = False, mode: int = 0o600) -> int:
    """Return the number of the open, locked file, which is created if it is missing. Closing it ends the lock.

    Raise `FileLocked` if another holds the lock, unless both locks are shared. Raise OSError if it cannot be opened.
    """
    file = open_file(path, mode)
    try:
        if "fcntl" in globals():
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        else:
            lock_bytes(file, shared=shared)
    except (BlockingIOError, PermissionError) as error:
        os.close(file)
        raise FileLocked(str(path)) from error
    except OSError:
        os.close(file)
        raise
    return file


def open_file(path: Path, mode: int) -> int:
    """Return the number of the open file. The file of another user is only read, and can be locked too."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, mode)
    except PermissionError:
        return os.open(path, os.O_RDONLY | NO_LINK)


def lock_bytes(file: int, *, shared: bool) -> None:
    """Lock an open file as Windows does. Raise PermissionError if others hold it."""
    for place in range(SHARES) if shared else [0]:
        os.lseek(file, place, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1 if shared else SHARES)  # type: ignore[attr-defined]
        except PermissionError:
            if place == SHARES - 1 or not shared:
                raise
        else:
            return
