"""A lock on a file, which ends with the process that holds it, on Linux, macOS and Windows."""

import os
from pathlib import Path


class FileLocked(Exception):
    """The error that another process holds the lock."""


def take_lock(path: Path, *, shared: bool = False, mode: int = 0o600) -> int:
    """Return the number of the open, locked file, which is created if it is missing. Closing it ends the lock.

    Raise `FileLocked` if another holds the lock, unless both locks are shared. Raise OSError if the file cannot be
    opened or locked.
    """
    from django.core.files import locks  # not at the top, because a child that reads an upload uses no Django

    no_link = getattr(os, "O_NOFOLLOW", 0)  # Windows has no such flag
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | no_link, mode)
    except PermissionError:  # the file of another user is only read, and can be locked too
        file = os.open(path, os.O_RDONLY | no_link)
    try:
        if locks.lock(file, (locks.LOCK_SH if shared else locks.LOCK_EX) | locks.LOCK_NB):
            return file
        raise FileLocked(str(path))
    except BaseException:
        os.close(file)
        raise
