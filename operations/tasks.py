"""The Celery task of scheduled backups. On a server, Celery's beat starts it; on a laptop, a thread of the site."""

import logging
import subprocess
import sys
from threading import Thread

from celery import current_app, shared_task
from django.conf import settings

MOST_SECONDS = 3000  # for a backup with the command after it
logger = logging.getLogger(__name__)


@shared_task(soft_time_limit=60, time_limit=75)  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Make a scheduled backup in a new process, so that it does not use memory and time of this one.

    On a server the job does not wait for it, because other jobs wait behind this one. BACKUP_COMMAND sends the file to
    another server, which may be slow. On a laptop the backups have a thread of their own.
    """
    if current_app.conf.task_always_eager:
        run_backup()
    else:
        Thread(target=run_backup, name="backup", daemon=True).start()


@shared_task(soft_time_limit=3000, time_limit=3300)  # type: ignore[untyped-decorator]
def copy_tournament_being_played(pk: int) -> None:
    """Copy a tournament into the folder of backups, in a new process."""
    run_backup("--tournament", str(pk))


def run_backup(*arguments: str) -> None:
    """Run the command `backup` in a new process. If it fails, log the last lines of its output."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "backup", *arguments]
    no_input = subprocess.DEVNULL
    try:
        ended = subprocess.run(
            command, cwd=settings.BASE_DIR, stdin=no_input, capture_output=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        logger.error("The backup of this site took more than %s seconds: it is ended.", MOST_SECONDS)
        return
    if ended.returncode not in {0, 130, -2}:  # 130, -2: Ctrl-C ended the site, and so the backup
        said = ended.stderr.decode(errors="replace").strip()
        logger.error("The backup of this site failed. %s", said.rpartition("\n")[2])
