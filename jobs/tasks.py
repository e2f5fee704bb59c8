"""The Celery tasks: computing standings, settling publications, searching plans, sending mails, deleting old data.

The tasks are safe to run twice, late or out of order. A task that exceeds its soft time limit is ended, and the sweep
queues it again (`config.jobs` has the details). If it exceeds its hard limit, Celery ends its process. On a laptop,
where tasks run in threads, there are no limits.
"""

from time import monotonic

from celery import current_app, current_task, shared_task
from django.conf import settings
from django.utils import timezone

from archives.privacy import periods
from clubs.accounts.program_tokens import note_token_use
from evenings.plans import proposals
from evenings.spreads import find_next_spread, play_spread
from evenings.standings import comparing, computing
from outgoing import filing
from outgoing.filing import ARCHIVE_MAKERS, RESULT_MAKERS, TABLE_MAKERS
from outgoing.mailing import feuilles, invitations, queued
from outgoing.mailing.evenings import make_reminders
from outgoing.mailing.letters import find_mails_under_way, send_evening_mail
from outgoing.mailing.places import FIELD_KIND, SERIES_KIND, find_places_to_tell, send_place_letters
from outgoing.mailing.sending import ROUND
from outgoing.sheets import wanted
from outgoing.webhooks import calling
from pages.desk.tonight import PAPER_MAKERS
from rankings.careers import keeping
from rankings.events import counting as events
from rankings.leaderboards.keeping import are_leaderboards_due, refresh_leaderboards
from rankings.listing import RANKING_KINDS
from rankings.series.computing import find_series_of_session, find_stale_series, refresh_series
from rankings.simultaneous.field.computing import find_stale_fields, pause_before_field, refresh_field
from rankings.simultaneous.hours import open_all_due
from registration.people.links import past_digests
from tournaments.job_health import hold_claim
from tournaments.queue import (
    ANY_ROW,
    BOTS,
    CAREERS,
    CLUB_FILE,
    EVENING_MAIL,
    FEUILLES,
    FIELD,
    FIELD_LETTERS,
    FILE,
    INVITE,
    QUEUED_MAILS,
    SERIES,
    SERIES_LETTERS,
    TOKEN_USE,
    TOURNAMENT,
    WEBHOOK,
    begin_pause,
    go_on_later,
    note_mail_worker,
    note_tick,
    queue_again,
    queue_series,
    take_question,
)

# The soft and hard time limits in seconds. The first are for one session, tournament or search, which takes a few
# seconds. The others are for a sweep (which may publish several rankings), for an archive, and for a daily task. All
# limits are below one hour, because Redis delivers a message a second time after an hour.
ONE = {"soft_time_limit": 60, "time_limit": 75}
SWEEP = {"soft_time_limit": 240, "time_limit": 300}
LARGE = {"soft_time_limit": 1500, "time_limit": 1560}
DAILY = {"soft_time_limit": 1500, "time_limit": 1800}
BOTS_SLICE = 3.0  # seconds for which bots play before other jobs have their turn
MAKERS = {**ARCHIVE_MAKERS, **RESULT_MAKERS, **TABLE_MAKERS, **PAPER_MAKERS}


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def compute_standings(session_id: int) -> None:
    """Compute the standings of a session.

    During the pause after the last computation, queue the task again for the end of the pause, and compute nothing.
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
    """Compute the standings of a tournament, because standings of its sessions or its settings have changed."""
    begin_pause(tournament_id, TOURNAMENT)
    take_question(tournament_id, TOURNAMENT)
    events.refresh(tournament_id, now=timezone.now())


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def compute_series(series_id: int) -> None:
    """Compute the standings of a series, because a ranking that it counts, its rules or its players have changed."""
    begin_pause(series_id, SERIES)
    take_question(series_id, SERIES)
    refresh_series(series_id, now=timezone.now())


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def compute_field(simultaneous_id: int) -> None:
    """Compute the field of a simultaneous, because plays, clubs or rulings have changed.

    During the pause after the last computation, compute nothing: the sweep asks again.
    """
    now = timezone.now()
    take_question(simultaneous_id, FIELD)
    if not current_app.conf.task_always_eager and pause_before_field(simultaneous_id, now=now):
        return
    begin_pause(simultaneous_id, FIELD)
    refresh_field(simultaneous_id, now=now)


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def keep_careers(session_id: int) -> None:
    """Refresh the careers of a session's players, because the part of the session that readers see has changed.

    Then queue the standings of the series of its club. If the site sends mails, also queue those with the feuilles de
    route.
    """
    begin_pause(session_id, CAREERS)
    take_question(session_id, CAREERS)
    keeping.refresh(session_id)
    for series_id in find_series_of_session(session_id):
        queue_series(series_id)
    if settings.MAIL:
        queue_again(session_id, FEUILLES)


def begin_mails(pk: int, task: str) -> bool:
    """Note that a job of mails or of webhooks has begun, and by which queue it came. Return whether it may go on.

    First send the mails that pages have asked for: somebody waits for them, and not for letters to many. If that takes
    half a round or more, queue the job again: it sends in its next turn, so that no job takes two rounds.
    """
    take_question(pk, task)
    if current_task and (delivery := current_task.request.delivery_info):
        note_mail_worker(delivery.get("routing_key") or "")
    began = monotonic()
    queued.send_queued_mails(timezone.now())
    if monotonic() - began < ROUND / 2:
        return True
    if task != QUEUED_MAILS:
        queue_again(pk, task)
    return False


@shared_task(**ONE)  # type: ignore[untyped-decorator]
def note_worker_of_mails() -> None:
    """Note that a worker takes the queue `mails`. Celery beat starts this every few seconds."""
    note_mail_worker()


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def send_queued_mails(_row: int = ANY_ROW) -> None:
    """Send the mails that pages have asked for."""
    begin_mails(ANY_ROW, QUEUED_MAILS)


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def mail_series(series_id: int) -> None:
    """Mail each subscriber the own place in the newest published ranking of a series, once."""
    if begin_mails(series_id, SERIES_LETTERS):
        send_place_letters(SERIES_KIND, series_id, now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def mail_field(simultaneous_id: int) -> None:
    """Mail each subscriber the own place in the newest published ranking of a simultaneous, once."""
    if begin_mails(simultaneous_id, FIELD_LETTERS):
        send_place_letters(FIELD_KIND, simultaneous_id, now=timezone.now())


@shared_task(**LARGE)  # type: ignore[untyped-decorator]
def keep_leaderboards() -> None:
    """Refresh all ratings and leaderboards, at most once an hour."""
    refresh_leaderboards(timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def mail_feuilles(session_id: int) -> None:
    """Mail the feuilles de route of the session's newest publication to each subscriber who has not got them yet."""
    if begin_mails(session_id, FEUILLES):
        feuilles.send_feuilles(session_id, now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def mail_invitations(session_id: int) -> None:
    """Mail the players whom captains have named for a session, if they have an account with a confirmed address."""
    if begin_mails(session_id, INVITE):
        invitations.send_invitations(session_id, now=timezone.now())


@shared_task(acks_late=True, **SWEEP)  # type: ignore[untyped-decorator]
def mail_evening(mail_id: int) -> None:
    """Send a letter about an evening to each of its recipients who has not got it yet."""
    if begin_mails(mail_id, EVENING_MAIL):
        send_evening_mail(mail_id, now=timezone.now())


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def make_file(pk: int) -> None:
    """Make a large file that a reader has asked for."""
    take_question(pk, FILE)
    wanted.make_wanted_file(pk, now=timezone.now())


@shared_task(**ONE)  # type: ignore[untyped-decorator]
def note_use_of_token(pk: int) -> None:
    """Store the last use of a program's token."""
    take_question(pk, TOKEN_USE)
    note_token_use(pk, now=timezone.now())


@shared_task(acks_late=True, **LARGE)  # type: ignore[untyped-decorator]
def make_file_of_club(pk: int) -> None:
    """Make or read a file for a director."""
    take_question(pk, CLUB_FILE)
    filing.make_club_file(pk, MAKERS, now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def call_webhooks(_row: int = ANY_ROW) -> None:
    """Call webhooks about the versions that they do not know, for the seconds of a round."""
    if begin_mails(ANY_ROW, WEBHOOK):
        calling.call_webhooks(find_now=timezone.now)


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_webhooks() -> None:
    """Note which versions webhooks have to be called about. Then queue the calls that are due."""
    calling.note_new_calls(timezone.now())
    if calling.find_due_webhooks(timezone.now()):
        queue_again(ANY_ROW, WEBHOOK)


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_standings() -> None:
    """Queue the computation of standings that are out of date, because a message was lost or a worker died.

    Then compare the stored standings of one session with a full computation.
    """
    note_tick()
    for session_id in computing.sessions_with_stale_standings():
        compute_standings.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)
    for tournament_id in events.tournaments_with_stale_standings():
        compute_tournament.apply_async((tournament_id,), expires=settings.SWEEP_EXPIRES)
    for simultaneous_id in find_stale_fields(timezone.now()):
        compute_field.apply_async((simultaneous_id,), expires=settings.SWEEP_EXPIRES)
    comparing.compare_one(now=timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_publications() -> None:
    """Open the simultaneous tournaments whose public hour is over.

    Then make the provisional rankings official whose time for corrections has ended. Then queue the careers, mails and
    files whose job was lost, the reminders of tomorrow's evenings, and once an hour the leaderboards. Empty the digests
    of addresses at registrations whose day is over.
    """
    open_all_due(timezone.now())
    for kind in RANKING_KINDS:
        kind.settle_all()
    for session_id in keeping.find_stale():
        keep_careers.apply_async((session_id,), expires=settings.SWEEP_EXPIRES)
    if are_leaderboards_due(timezone.now()):
        keep_leaderboards.apply_async(expires=settings.SWEEP_EXPIRES)
    for pk in wanted.find_waiting_files(timezone.now()):
        make_file.apply_async((pk,), expires=settings.SWEEP_EXPIRES)
    for pk in filing.find_waiting_club_files(timezone.now()):
        make_file_of_club.apply_async((pk,), expires=settings.SWEEP_EXPIRES)
    past_digests(timezone.now()).update(address_digest="")
    queued.give_old_mails_up(timezone.now())
    if queued.find_waiting_mails().exists():
        queued.queue_sending()
    for session_id in feuilles.find_unsent(timezone.now()):
        queue_again(session_id, FEUILLES)
    for series_id in find_places_to_tell(SERIES_KIND, timezone.now()):
        queue_again(series_id, SERIES_LETTERS)
    for simultaneous_id in find_places_to_tell(FIELD_KIND, timezone.now()):
        queue_again(simultaneous_id, FIELD_LETTERS)
    for session_id in invitations.find_sessions_to_invite(timezone.now()):
        queue_again(session_id, INVITE)
    make_reminders(timezone.now())
    for mail_id in find_mails_under_way():
        queue_again(mail_id, EVENING_MAIL)
    for series_id in find_stale_series(timezone.now()):
        compute_series.apply_async((series_id,), expires=settings.SWEEP_EXPIRES)


@shared_task(**ONE)  # type: ignore[untyped-decorator]
def search_plans(players: int, positions: int, etuis: int, barometer: bool, imposed: bool) -> None:
    """Search for plans, and put the proposals into the shared cache."""
    proposals.search(proposals.PlanQuestion(players, positions, etuis, barometer, imposed))


@shared_task(acks_late=True, **ONE)  # type: ignore[untyped-decorator]
def play_by_bots(_row: int = ANY_ROW) -> None:
    """Let bots play an étui for a few seconds, then queue the rest. Celery beat starts this every five minutes.

    Only one job plays at a time. If a worker is killed, the next job goes on behind the last stored play.
    """
    take_question(ANY_ROW, BOTS)
    while play_for_a_while() and not go_on_later(BOTS):
        pass


def play_for_a_while() -> bool:
    """Play the next étui for a few seconds. Return whether there is more to play, and no other job plays."""
    with hold_claim(BOTS) as is_mine:
        if not is_mine:
            return False
        if row := find_next_spread(timezone.now()):
            play_spread(row.pk, seconds=BOTS_SLICE, now=timezone.now())
        return find_next_spread(timezone.now()) is not None


@shared_task(**DAILY)  # type: ignore[untyped-decorator]
def forget_what_is_over() -> None:
    """Delete the personal data that is older than its period in `privacy.periods`. Celery beat starts this daily."""
    periods.forget_what_is_over(timezone.now())
