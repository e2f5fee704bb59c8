"""The site that a bench measures: a new laptop's, with SQLite, in a folder that goes when the bench ends.

A process reads its settings once. So `new_place` comes first, then `set_up`, and after both the imports of the site.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path


@contextmanager
def new_place(folder: str | None = None, database: str | None = None) -> Iterator[Path]:
    """Set the environment of the site, for this process and its children. Give its folder: a new one or `folder`.

    The new one suits PostgreSQL too: the server's own user can enter it, and its path is short enough for a socket.
    """
    with tempfile.TemporaryDirectory(prefix="topage-", dir="/tmp") as passing:
        os.chmod(passing, 0o711)
        place = folder or passing
        os.environ.update(DJANGO_SETTINGS_MODULE="config.settings", MODE="laptop", VAR_DIR=place, LOG_LEVEL="ERROR")
        os.environ.pop("DATABASE_URL", None)
        if database:
            os.environ["DATABASE_URL"] = database
        yield Path(place)


def set_up(*, migrated: bool = True) -> None:
    """Read the settings, search for garbage as a process that serves does, and migrate the database if asked to."""
    import django

    django.setup()
    from django.core.management import call_command

    from jobs.management.processes import collect_seldom

    if migrated:
        call_command("migrate", verbosity=0)
    collect_seldom()


def run_apart(step: Callable[[], int]) -> int:
    """Run a step in a new process, so that the memory is that of the step. Return its exit code."""
    process = get_context("spawn").Process(target=set_up_and_run, args=(step,))
    process.start()
    process.join()
    return 1 if process.exitcode is None else process.exitcode


def set_up_and_run(step: Callable[[], int]) -> None:
    set_up(migrated=False)
    sys.exit(step())
