"""The thread of a laptop that makes backups. A server has none: there the timer of the site asks for them."""

import logging
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from celery import current_app
from django.conf import settings
from django.db import transaction

BACKUP = "operations.tasks.back_up"
COPY = "operations.tasks.copy_tournament_being_played"
A_DAY = 86_400.0  # seconds

logger = logging.getLogger(__name__)


class LaptopBackups:
    """The thread of a laptop that makes backups: at the start, every day, and when one is asked for.

    A laptop has no Celery beat. The thread also copies a single tournament when asked. If a whole backup is due, it
    makes no such copy, because the backup contains the tournament. A server has no such thread, and ignores the
    requests.
    """

    def __init__(self) -> None:
        self.hears = False
        self.asked: SimpleQueue[int | None] = SimpleQueue()  # the id of a tournament, or None for a backup

    def start(self) -> None:
        if current_app.conf.task_always_eager and settings.BACKUP_DIR:
            Thread(target=self.work, name="backups", daemon=True).start()

    def ask(self) -> None:
        """Ask for a backup. The request is made once the caller's transaction is committed."""
        self.ask_for(None)

    def ask_for_tournament(self, pk: int) -> None:
        """Ask for a copy of one tournament. The request is made once the caller's transaction is committed."""
        self.ask_for(pk)

    def ask_for(self, wanted: int | None) -> None:
        if self.hears:
            transaction.on_commit(lambda: self.asked.put(wanted))

    def work(self) -> None:
        self.hears = True
        wanted: set[int | None] = {None}
        began = monotonic()
        while True:
            if None in wanted:
                began, wanted = monotonic(), {None}
            for pk in wanted:
                self.run(pk)
            wanted = self.take_wishes(began + A_DAY - monotonic())

    def run(self, pk: int | None) -> None:
        try:
            if pk is None:
                current_app.tasks[BACKUP]()
            else:
                current_app.tasks[COPY](pk)
        except Exception:  # the next backup is tried nevertheless
            logger.exception("The backup of this site failed.")

    def take_wishes(self, seconds: float) -> set[int | None]:
        """Wait at most `seconds` seconds for requests. Return them: the ids of tournaments, and None for a backup.

        If there were none, return the request for a backup.
        """
        wanted: set[int | None] = set()
        with suppress(Empty):
            wanted.add(self.asked.get(timeout=max(0.0, seconds)))
            while True:
                wanted.add(self.asked.get_nowait())
        return wanted or {None}


backups = LaptopBackups()
