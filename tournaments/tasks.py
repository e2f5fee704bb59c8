"""Celery's doors to the standings: ids in, one call, safe to run twice, late or out of order."""

from celery import shared_task
from django.utils import timezone

from tournaments import selectors, standings


@shared_task(acks_late=True)
def compute_standings(session_id: int) -> None:
    standings.refresh(session_id, now=timezone.now())


@shared_task
def sweep_standings() -> None:
    """Computes what no job has: its message was lost, or its worker died."""
    for session_id in selectors.sessions_with_stale_standings():
        compute_standings.delay(session_id)
