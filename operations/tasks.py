"""The Celery task of scheduled backups. On a server, Celery's beat starts it; on a laptop, a thread of the site."""

import logging
import subprocess
import sys

from celery import shared_task
from django.conf import settings

logger = logging.getLogger(__name__)


@shared_task(soft_time_limit=3000, time_limit=3300)  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Make a scheduled backup in a new process, so that it does not use memory and time of this one."""
    run_backup()


@shared_task(soft_time_limit=3000, time_limit=3300)  # type: ignore[untyped-decorator]
def copy_tournament_being_played(pk: int) -> None:
    """Copy a tournament into the folder of backups, in a new process."""
    run_backup("--tournament", str(pk))


def run_backup(*arguments: str) -> None:
    """Run the command `backup` in a new process. If it fails, log the last lines of its output."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "backup", *arguments]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip()
        logger.error("The backup of this site failed. %s", said.rpartition("\n")[2])
