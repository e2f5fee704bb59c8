"""Celery's doors to standings, publications, planner and periods: ids or counts in, one call, safe to run twice, late
or out of order.

A worker ends a job past its soft limit (`config.jobs` says so, and the sweep asks again), and past its hard limit the
process that it runs in. On a laptop, whose jobs run in threads, there are no limits.
"""

from celery import current_app, shared_task
from django.conf import settings
from django.utils import timezone

from tournaments.careers import keeping
from tournaments.events import computing as events
from tournaments.events import publishing as event_publishing
from tournaments.mailing import feuilles
from tournaments.plans import proposals
from tournaments.privacy import periods
from tournaments.publication import standing
from tournaments.queue import CAREERS, TOURNAMENT, begin_pause, take_question
from tournaments.standings import comparing, computing

# Seconds, soft and hard: of one session, tournament or search, which take some seconds at most; of a sweep, which may
# publish several; of what is done once a day. All of them end before Redis gives a message out a second time (an hour).
ONE = {"soft_time_limit": 60, "time_limit": 75}
SWEEP = {"soft_time_limit": 240, "time_limit": 300}
DAILY = {"soft_time_limit": 1500, "time_limit": 1800}


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def compute_standings(session_id: int) -> None:
    """Too early after the last time, it comes back, behind what waits by then; until it does nobody else asks."""
    now = timezone.now()
    if not current_app.conf.task_always_eager and (pause := computing.pause_before(session_id, now=now)):
        compute_standings.apply_async((session_id,), countdown=pause)
        return
    begin_pause(session_id)
    take_question(session_id)
    computing.refresh(session_id, now=now)


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def compute_tournament(tournament_id: int) -> None:
    """Of all its sessions, after a session of it was computed or its settings have changed."""
    begin_pause(tournament_id, TOURNAMENT)
    take_question(tournament_id, TOURNAMENT)
    events.refresh(tournament_id, now=timezone.now())


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def keep_careers(session_id: int) -> None:
    """After a publication, or what takes it off or shows more or less of it."""
    begin_pause(session_id, CAREERS)
    take_question(session_id, CAREERS)
    keeping.refresh(session_id)
    if settings.MAIL:
        mail_feuilles.apply_async((session_id,))


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def mail_feuilles(session_id: int) -> None:
    """To whoever wants them, what is published of the session and was not sent yet."""
    feuilles.send_feuilles(session_id, now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_standings() -> None:
    """Computes what no job has: its message was lost, or its worker died. Then compares one session that is computed
    with its rows."""
    for session_id in computing.sessions_with_stale_standings():
        compute_standings.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)
    for tournament_id in events.tournaments_with_stale_standings():
        compute_tournament.apply_async((tournament_id,), expires=settings.SWEEP_EXPIRES)
    comparing.compare_one(now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_publications() -> None:
    """Makes official what has seen the end of its window, though nobody looks at it; then the careers of the sessions
    whose job was lost."""
    standing.settle_all()
    event_publishing.settle_all()
    for session_id in keeping.find_stale():
        keep_careers.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)
    for session_id in feuilles.find_unsent(timezone.now()):
        mail_feuilles.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)


@shared_task(**ONE)  # type: ignore[untyped-decorator]
def search_plans(players: int, positions: int, etuis: int, barometer: bool, imposed: bool) -> None:
    proposals.search(proposals.PlanQuestion(players, positions, etuis, barometer, imposed))


@shared_task(**DAILY)  # type: ignore[untyped-decorator]
def forget_what_is_over() -> None:
    """What has been kept for as long as the table of periods says goes. Once a day is enough."""
    periods.forget_what_is_over(timezone.now())
