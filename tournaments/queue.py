"""The queue of jobs. This module names tasks by text and does not import them, because `tasks` is a higher module.

A change of results queues a computation of the standings, of a session or of a tournament, after the change is
committed. A computation is queued only once until a job begins it: the job then sees every change committed so far.
Between two computations of the same standings there is a pause. If the broker is down, requests go on without it; if it
does not answer, only one request has to wait. The sweep, a regular job, later queues what was not queued. A laptop has
neither Celery worker nor Celery beat (the timer): there a thread of the server process does the work of both.
"""

import json
import logging
from contextlib import suppress
from threading import Condition, Thread
from time import monotonic, sleep, time
from typing import Any, NamedTuple

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connections, transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

COMPUTE = "jobs.tasks.compute_standings"
TOURNAMENT = "jobs.tasks.compute_tournament"
CAREERS = "jobs.tasks.keep_careers"
SERIES = "jobs.tasks.compute_series"
FIELD = "jobs.tasks.compute_field"
FILE = "jobs.tasks.make_file"
TOKEN_USE = "jobs.tasks.note_use_of_token"
CLUB_FILE = "jobs.tasks.make_file_of_club"
INVITE = "jobs.tasks.mail_invitations"
EVENING_MAIL = "jobs.tasks.mail_evening"
QUEUED_MAILS = "jobs.tasks.send_queued_mails"
FEUILLES = "jobs.tasks.mail_feuilles"
SERIES_LETTERS = "jobs.tasks.mail_series"
FIELD_LETTERS = "jobs.tasks.mail_field"
WEBHOOK = "jobs.tasks.call_webhooks"
SEARCH = "jobs.tasks.search_plans"
BOTS = "jobs.tasks.play_by_bots"
ROOM = "rooms.tasks.close_room"  # of an app that lies above
SWEEP_ROOMS = "rooms.tasks.sweep_rooms"
SWEEPS = tuple(f"jobs.tasks.sweep_{what}" for what in ("standings", "publications", "webhooks"))
FORGET = "jobs.tasks.forget_what_is_over"
TICK = "tick"  # the cache key for the time when the last sweep ran
ASKED_AT = "asked_at"  # a header of each job's message: when it was sent
MAILS = "mails"  # the queue of the jobs that wait for other servers: mails and the calls of webhooks
MAIL_WORKER = "mail-worker"  # the cache key that exists while a worker takes that queue
A_DAY = 86_400.0  # seconds
LEFT_ALONE = 5.0  # seconds without any message to a broker that did not answer
PAUSE = 1.0  # seconds between two computations of one session; few people look at a tournament's ranking meanwhile
MAILED = (INVITE, EVENING_MAIL, FEUILLES, SERIES_LETTERS, FIELD_LETTERS, WEBHOOK, QUEUED_MAILS)
NO_PAUSE = dict.fromkeys((FILE, TOKEN_USE, CLUB_FILE, *MAILED, ROOM, BOTS), 0.0)
PAUSES = {COMPUTE: PAUSE, TOURNAMENT: 5.0, SERIES: 5.0, FIELD: 30.0, CAREERS: PAUSE, **NO_PAUSE}
ANY_ROW = 0  # the id that stands for a job without a row
FORGOTTEN = 30  # seconds after which a queued computation that no job has begun can be queued again

logger = logging.getLogger(__name__)


class JobRequest(NamedTuple):
    """A request for a job: the name of the task, and the id of the session, tournament, series or simultaneous."""

    task: str
    pk: int


def find_queue(task: str) -> str:
    """Return the name of the queue that holds a task."""
    return str(settings.CELERY_TASK_ROUTES.get(task, {"queue": settings.CELERY_TASK_DEFAULT_QUEUE})["queue"])


def rank_job(asked: JobRequest) -> int:
    """Return the place of a job's queue in the table of queues. A thread that takes all jobs takes the first first."""
    return list(settings.JOB_QUEUES).index(find_queue(asked.task))


def choose_way(task: str) -> dict[str, Any]:
    """Return the options with which a job is sent. Raise `RedisError` if Redis is down.

    While no worker takes the queue `mails`, its jobs go to `rest`. They expire, because the sweep asks for them again:
    otherwise they would pile up behind a mail server that does not answer.
    """
    if find_queue(task) != MAILS:
        return {}
    name = MAILS if cache.get(MAIL_WORKER) else settings.CELERY_TASK_DEFAULT_QUEUE
    return {"queue": name, "expires": settings.SWEEP_EXPIRES}


class Broker:
    """The message broker of the jobs. If it does not answer, no message is sent to it for LEFT_ALONE seconds.

    Otherwise each request that stores a result would wait for the broker again.
    """

    def __init__(self) -> None:
        self.left_alone_until = 0.0

    def ask_for_standings(self, pk: int, task: str = COMPUTE) -> None:
        """Queue a computation for the row with this id, unless it is queued already. Raise an error if that fails."""
        began = monotonic()
        if began < self.left_alone_until:
            return
        try:
            if cache.add(question(pk, task), True, FORGOTTEN):
                current_app.tasks[task].apply_async((pk,), countdown=rest_of_pause(pk, task), **choose_way(task))
        except (OperationalError, RedisError):
            if monotonic() - began > 0.5:
                self.left_alone_until = monotonic() + LEFT_ALONE
            take_question(pk, task)
            raise


class Background:
    """A thread of this process that replaces Celery's worker and beat on a laptop.

    It runs one job at a time, in the order of the table of queues. It keeps the pause between two computations of the
    same kind for one row. Every `sweep_seconds` it runs the sweeps, which repeat the work of failed jobs. A
    second thread, the `mailer`, runs the jobs that wait for other servers.
    """

    def __init__(self, sweep_seconds: float | None = None, *, name: str = "standings") -> None:
        self.name = name
        self.mailer = None if name == MAILS else Background(A_DAY, name=MAILS)
        self.turns: dict[JobRequest, float] = {}  # the queue in its order; the value is the earliest time to run
        self.computed: dict[JobRequest, float] = {}
        self.changed = Condition()
        self.thread: Thread | None = None
        self.ended = False
        self.sweep_seconds = settings.SWEEP_SECONDS if sweep_seconds is None else sweep_seconds
        self.sweep_at = monotonic() + self.sweep_seconds

    def start(self) -> None:
        with self.changed:
            if self.thread is None:
                self.thread = Thread(target=self.work, name=self.name, daemon=True)
                self.thread.start()

    def stop(self) -> None:
        """End the threads after the jobs that they are running."""
        if self.mailer is not None:
            self.mailer.stop()
        with self.changed:
            self.ended = True
            self.changed.notify()
        if self.thread is not None:
            self.thread.join()

    def ask_for_standings(self, pk: int, task: str = COMPUTE) -> None:
        if self.mailer is not None and find_queue(task) == MAILS:
            self.mailer.ask_for_standings(pk, task)
            return
        job, pause = JobRequest(task, pk), PAUSES[task]
        with self.changed:
            self.turns.setdefault(job, self.computed.get(job, -pause) + pause)
            self.changed.notify()
        self.start()

    def work(self) -> None:
        """Run the jobs of the queue and the sweeps until the thread is ended."""
        while not self.ended:
            job = self.next_turn()
            if job is not None:
                self.run(job.task, job.pk)
            elif not self.ended and self.mailer is not None:
                for task in (*SWEEPS, SWEEP_ROOMS) if settings.ROOMS else SWEEPS:
                    self.run(task)

    def run(self, task: str, *pk: int) -> None:
        """Run a task, and log an error that it raises."""
        try:
            current_app.tasks[task](*pk)
        except Exception:  # the thread goes on with the next job, and the sweep repeats the failed one
            logger.exception("%s could not be computed.", " of ".join(map(str, (task, *pk))))
        finally:
            connections.close_all()

    def next_turn(self) -> JobRequest | None:
        """Wait for the next job and return it, or return None when it is time to sweep or to end."""
        with self.changed:
            while not self.ended:
                now = monotonic()
                if self.sweep_at <= now:
                    self.sweep_at = now + self.sweep_seconds
                    return None
                due = min((job for job, when in self.turns.items() if when <= now), key=rank_job, default=None)
                if due is not None:
                    del self.turns[due]
                    self.computed[due] = now
                    return due
                self.changed.wait(min([self.sweep_at, *self.turns.values()]) - now)
            return None


class InPlace:
    """A replacement of the worker for commands and tests: it runs each job at once, before the request goes on."""

    def ask_for_standings(self, pk: int, task: str = COMPUTE) -> None:
        current_app.tasks[task].delay(pk)


broker = Broker()
without_worker: InPlace | Background = InPlace()


def compute_in_background() -> None:
    """If the site has no Celery worker, start a thread of this server process that runs the jobs of the site.

    Without the thread, entering a result would wait until the standings are computed.
    """
    global without_worker
    without_worker = Background()
    if current_app.conf.task_always_eager:
        without_worker.start()


def queue_standings(session_id: int) -> None:
    """Queue the computation of a session's standings, once this transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(session_id), robust=True)


def queue_tournament(tournament_id: int) -> None:
    """Queue the computation of a tournament's standings, once this transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(tournament_id, TOURNAMENT), robust=True)


def queue_series(series_id: int) -> None:
    """Queue the computation of a series' standings, once this transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(series_id, SERIES), robust=True)


def queue_field(simultaneous_id: int) -> None:
    """Queue the computation of a simultaneous' field, once this transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(simultaneous_id, FIELD), robust=True)


def queue_careers(session_id: int) -> None:
    """Queue the job that refreshes the careers of a session's players, once this transaction is committed.

    Call it when the parts of the session that readers may see have changed.
    """
    transaction.on_commit(lambda: ask_for_standings(session_id, CAREERS), robust=True)


def queue_invitations(session_id: int) -> None:
    """Queue the mails to players whom a captain has named, once this transaction is committed."""
    if settings.MAIL:
        transaction.on_commit(lambda: ask_for_standings(session_id, INVITE), robust=True)


def queue_evening_mail(pk: int) -> None:
    """Queue the job that sends the e-mails of this letter about an evening, once this transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(pk, EVENING_MAIL), robust=True)


def queue_file(pk: int) -> None:
    """Queue the job of a large file when the transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(pk, FILE), robust=True)


def queue_use_of_token(pk: int) -> None:
    """Queue at once the job that stores when a program last used its token. If the broker is down, do nothing."""
    queue_again(pk, TOKEN_USE)


def queue_club_file(pk: int) -> None:
    """Queue the job of a club's file when the transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(pk, CLUB_FILE), robust=True)


def queue_bots() -> None:
    """Queue the job in which bots play étuis, once this transaction is committed."""
    transaction.on_commit(lambda: ask_for_standings(ANY_ROW, BOTS), robust=True)


def go_on_later(task: str, pk: int = ANY_ROW) -> bool:
    """Queue the rest of a long job, so that other jobs come between.

    Return False if there is no queue: jobs run in place then, and the job goes on at once.
    """
    if current_app.conf.task_always_eager and isinstance(without_worker, InPlace):
        return False
    queue_again(pk, task)
    return True


def queue_again(pk: int, task: str) -> None:
    """Queue the rest of a job, or a job that a sweep has found. If the broker is down, a later sweep asks again."""
    with suppress(OperationalError, RedisError):
        ask_for_standings(pk, task)


def ask_for_standings(pk: int, task: str = COMPUTE) -> None:
    """Queue a job at once. `pk` is the id of its row: with the default `task`, that of a session."""
    (without_worker if current_app.conf.task_always_eager else broker).ask_for_standings(pk, task)


def take_question(pk: int, task: str = COMPUTE) -> None:
    """Note that a job has begun this computation. Changes that are committed from now on queue it again."""
    with suppress(RedisError):
        cache.delete(question(pk, task))


def note_mail_worker(queue: str = MAILS) -> None:
    """Note that a worker has begun a job of this queue. If it is the queue `mails`, jobs go there for some minutes."""
    if queue == MAILS:
        with suppress(RedisError):
            cache.set(MAIL_WORKER, True, 3 * settings.SWEEP_EXPIRES)


def begin_pause(pk: int, task: str = COMPUTE) -> None:
    """Begin the pause after a computation. A computation requested during the pause will run when the pause ends."""
    with suppress(RedisError):
        cache.set(beginning_key(pk, task), time(), FORGOTTEN)


def rest_of_pause(pk: int, task: str = COMPUTE) -> float:
    """Return the seconds until the pause is over. Return 0 if there is no pause, or if the clock has been set back."""
    age: float = time() - cache.get(beginning_key(pk, task), 0.0)
    return PAUSES[task] - age if 0 <= age < PAUSES[task] else 0.0


def read_age_of_message(message: bytes | None) -> float:
    """Return the seconds since a queued job was sent. Return 0 if there is no job, or if it does not say when."""
    try:
        return max(0.0, time() - float(json.loads(message or "{}")["headers"][ASKED_AT]))
    except (ValueError, KeyError, TypeError):
        return 0.0


def note_tick() -> None:
    """Store the present time as the time of the last *tick*: Celery beat has started a sweep, and a worker has run it.

    If there was no tick for some minutes, beat or the workers do not run.
    """
    with suppress(RedisError):
        cache.set(TICK, time(), None)


def age_of_tick() -> float | None:
    """Return the seconds since the last tick, or None if there was none. Raise `RedisError` if Redis is down."""
    at = cache.get(TICK)
    return None if at is None else max(0.0, time() - at)


def question(pk: int, task: str) -> str:
    """Return the cache key that exists while a computation is queued."""
    return f"{task}-asked-{pk}"


def beginning_key(pk: int, task: str) -> str:
    """Return the cache key for the time when the last computation began."""
    return f"{task}-begun-{pk}"


def queue_search(plans: tuple[int, ...]) -> None:
    """Start a search for plans in a worker or, on a laptop, in a thread of this process.

    `plans` are the values of a `PlanQuestion` (`plans.proposals`).
    """
    task = current_app.tasks[SEARCH]
    if current_app.conf.task_always_eager:
        Thread(target=task, args=plans, name="search", daemon=True).start()
    else:
        task.delay(*plans)


def forget_every_day() -> None:
    """On a laptop, start a thread that deletes expired personal data now, and then once a day.

    A server does not need the thread: there Celery beat starts the task.
    """
    if current_app.conf.task_always_eager:
        Thread(target=forget_again_and_again, name="forget", daemon=True).start()


def forget_again_and_again() -> None:
    while True:
        try:
            current_app.tasks[FORGET]()
        except Exception:  # it is tried again tomorrow
            logger.exception("What has been kept for long enough could not be forgotten.")
        finally:
            connections.close_all()
        sleep(A_DAY)
