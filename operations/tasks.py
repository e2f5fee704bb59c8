"""The Celery task of scheduled backups. On a server beat asks for it, on a laptop a thread of the site's process."""

import logging
import subprocess
import sys

from celery import shared_task
from django.conf import settings

logger = logging.getLogger(__name__)


@shared_task(soft_time_limit=3000, time_limit=3300)  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Make a scheduled backup in a process of its own, so that neither memory nor interpreter of the site is held."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "backup"]
    ended = subprocess.run(
        command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        logger.error("The backup of this site failed. %s", ended.stderr.strip().rpartition("\n")[2])
