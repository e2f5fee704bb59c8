"""The Celery tasks of standings, publications, planner and periods: each takes ids or counts, and makes one call.

They are safe to run twice, late or out of order. A worker ends a job past its soft limit (`config.jobs` says so, and
the sweep queues it again), and past its hard limit the process that the job runs in. On a laptop, whose jobs run in
threads, there are no limits.
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
from tournaments.publication import status
from tournaments.queue import CAREERS, TOURNAMENT, begin_pause, take_question
from tournaments.standings import comparing, computing

# Limits in seconds, soft and hard: of one session, tournament or search, which take some seconds at most; of a sweep,
# which may publish several; of what is done once a day. All of them end before Redis delivers a message a second time
# (after an hour).
ONE = {"soft_time_limit": 60, "time_limit": 75}
SWEEP = {"soft_time_limit": 240, "time_limit": 300}
DAILY = {"soft_time_limit": 1500, "time_limit": 1800}


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def compute_standings(session_id: int) -> None:
    """Compute the standings of a session.

    If it is too early after the last time, the job is queued again, behind the jobs that wait by then; until it runs,
    nobody else queues it.
    """
    now = timezone.now()
    if not current_app.conf.task_always_eager and (pause := computing.pause_before(session_id, now=now)):
        compute_standings.apply_async((session_id,), countdown=pause)
        return
    begin_pause(session_id)
    take_question(session_id)
    computing.refresh(session_id, now=now)


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def compute_tournament(tournament_id: int) -> None:
    """Compute the standings of a tournament, after one of its sessions was computed or its settings have changed."""
    begin_pause(tournament_id, TOURNAMENT)
    take_question(tournament_id, TOURNAMENT)
    events.refresh(tournament_id, now=timezone.now())


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def keep_careers(session_id: int) -> None:
    """Refresh the careers of a session's players, after it was published, withdrawn, or shown more or less."""
    begin_pause(session_id, CAREERS)
    take_question(session_id, CAREERS)
    keeping.refresh(session_id)
    if settings.MAIL:
        mail_feuilles.apply_async((session_id,))


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def mail_feuilles(session_id: int) -> None:
    """Send the feuilles of the session's newest publication to everybody who wants them and has not got them yet."""
    feuilles.send_feuilles(session_id, now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_standings() -> None:
    """Queue the standings that no job has computed, because its message was lost or its worker died.

    Then compare one computed session with its rows.
    """
    for session_id in computing.sessions_with_stale_standings():
        compute_standings.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)
    for tournament_id in events.tournaments_with_stale_standings():
        compute_tournament.apply_async((tournament_id,), expires=settings.SWEEP_EXPIRES)
    comparing.compare_one(now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_publications() -> None:
    """Make rankings official whose window has ended, even if nobody looks at them.

    Then queue the careers and mails of sessions whose job was lost.
    """
    status.settle_all()
    event_publishing.settle_all_tournaments()
    for session_id in keeping.find_stale():
        keep_careers.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)
    for session_id in feuilles.find_unsent(timezone.now()):
        mail_feuilles.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)


@shared_task(**ONE)  # type: ignore[untyped-decorator]
def search_plans(players: int, positions: int, etuis: int, barometer: bool, imposed: bool) -> None:
    proposals.search(proposals.PlanQuestion(players, positions, etuis, barometer, imposed))


@shared_task(**DAILY)  # type: ignore[untyped-decorator]
def forget_what_is_over() -> None:
    """Delete what has been kept for as long as the table of periods says. Once a day is enough."""
    periods.forget_what_is_over(timezone.now())
