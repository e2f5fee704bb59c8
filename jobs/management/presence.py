"""The lock file that shows that processes of this machine serve the site. A restore refuses to start while they do.

Each process that serves holds a shared lock of it, a restore an exclusive one. The lock ends with its process.
"""

from contextlib import suppress

from django.conf import settings
from django.core.management.base import CommandError

from clubs.file_locks import FileLocked, take_lock

FILE = "serving.lock"
held: list[int] = []  # the numbers of the lock files, which stay open until the process ends


def hold_presence() -> None:
    """Take the shared lock, which shows that this process serves. Raise `CommandError` during a restore.

    If VAR_DIR cannot be written, do nothing.
    """
    with suppress(OSError):
        try_lock("A restore is under way. Start again when it has ended.", shared=True)


def claim_site() -> None:
    """Take the exclusive lock: no other process of this machine can serve until this one ends.

    Raise `CommandError` if one serves.

    A server may be unable to write in VAR_DIR. Then only the connections of PostgreSQL show who serves.
    """
    try:
        try_lock("The site serves. End its processes (serve, workers, beat), then restore.", shared=False)
    except OSError:
        if not settings.SERVER:
            raise


def try_lock(refusal: str, *, shared: bool) -> None:
    try:
        held.append(take_lock(settings.VAR_DIR / FILE, shared=shared))
    except FileLocked:
        raise CommandError(refusal) from None
