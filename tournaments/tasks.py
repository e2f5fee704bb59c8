"""Celery's doors to standings and planner: ids or counts in, one call, safe to run twice, late or out of order."""

from celery import shared_task
from django.utils import timezone

from tournaments.plans import proposals
from tournaments.standings import computing


@shared_task(acks_late=True)  # type: ignore[untyped-decorator]
def compute_standings(session_id: int) -> None:
    computing.refresh(session_id, now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def sweep_standings() -> None:
    """Computes what no job has: its message was lost, or its worker died."""
    for session_id in computing.sessions_with_stale_standings():
        compute_standings.delay(session_id)


@shared_task  # type: ignore[untyped-decorator]
def search_plans(players: int, positions: int, etuis: int, barometer: bool, imposed: bool) -> None:
    proposals.search(proposals.PlanQuestion(players, positions, etuis, barometer, imposed))
