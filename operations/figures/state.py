"""The figures that are read at each request of `/metrics`: queues, standings, entries, phones, backups."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.db.models import F, Min
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from redis.exceptions import RedisError

from operations.backup.scheduled import read_state
from operations.queues import make_redis_client, read_job_counts, read_queues
from tournaments.models import ResultEntry, SessionStandings
from tournaments.queue import age_of_tick

AWAY = (DatabaseError, InterfaceError, RedisError)
LATELY = dt.timedelta(minutes=5)
MOST_ENTRIES = 500  # the most entries that are read, newest first, to find the slowest one of the last minutes
MOST_SESSIONS = 20

Families = Iterator[Any]


class StateCollector:
    """A collector of these figures. If a server does not answer, its figures are missing, and `topage_up` says so."""

    def collect(self) -> Families:
        up = GaugeMetricFamily("topage_up", "Whether a server answers: 1 or 0.", labels=["server"])
        for server, reads in (("database", of_database), ("redis", of_redis if settings.REDIS_URL else no_figures)):
            try:
                yield from list(reads())
                up.add_metric([server], 1)
            except AWAY:
                up.add_metric([server], 0)
        yield up
        yield from of_backups()


def no_figures() -> Families:
    yield from ()


def gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"topage_{name}", about, value=value)


def of_database() -> Families:
    now = timezone.now()
    stale = SessionStandings.objects.filter(results_version__lt=F("session__results_version"))
    waiting = list(stale.values_list("session_id", "computed_at")[:MOST_SESSIONS])
    yield gauge("stale_standings", "Sessions whose ranking waits for a job.", len(waiting))
    yield gauge("stale_seconds", "Age of the oldest entry that no ranking contains.", age_of_stale(waiting, now))
    yield CounterMetricFamily("topage_entries", "Stored results, with corrections.", value=ResultEntry.objects.count())
    yield gauge(
        "phone_entry_seconds",
        "Longest time between typing and arrival of the entries of the last five minutes, by the phones' clocks.",
        longest_way(now),
    )


def age_of_stale(waiting: list[tuple[int, dt.datetime | None]], now: dt.datetime) -> float:
    """Return the seconds since the first entry that is missing in one of these rankings, or 0."""
    oldest = now
    for session, computed_at in waiting:
        entries = ResultEntry.objects.filter(play__session=session)
        if computed_at is not None:
            entries = entries.filter(entered_at__gt=computed_at)
        oldest = min(oldest, entries.aggregate(first=Min("entered_at"))["first"] or now)
    return (now - oldest).total_seconds()


def longest_way(now: dt.datetime) -> float:
    """Return the number of seconds that the slowest of the latest entries took from the phone to the site.

    The site cannot know which entries phones have not sent yet. An entry that arrives late shows that a table had no
    network.
    """
    latest = ResultEntry.objects.order_by("-pk").values_list("typed_at", "entered_at")[:MOST_ENTRIES]
    ways = [entered - typed for typed, entered in latest if typed is not None and now - entered <= LATELY]
    return max(0.0, max(ways, default=dt.timedelta()).total_seconds())


def of_redis() -> Families:
    waiting = GaugeMetricFamily("topage_queue_jobs", "Jobs that wait in a queue.", labels=["queue"])
    oldest = GaugeMetricFamily("topage_queue_seconds", "Age of the oldest job of a queue.", labels=["queue"])
    with make_redis_client() as client:
        for each in read_queues(client):
            waiting.add_metric([each.name], each.waiting)
            oldest.add_metric([each.name], each.oldest)
    yield from (waiting, oldest)
    jobs = CounterMetricFamily("topage_jobs", "Ended jobs.", labels=["job", "outcome"])
    seconds = CounterMetricFamily("topage_job_seconds", "Seconds of all jobs.", labels=["job"])
    for (name, outcome), value in read_job_counts().items():
        if outcome == "seconds":
            seconds.add_metric([name], value)
        else:
            jobs.add_metric([name, outcome], value)
    yield from (jobs, seconds)
    if (age := age_of_tick()) is not None:
        yield gauge("beat_seconds", "Age of the last sweep.", age)


def of_backups() -> Families:
    """Yield the ages of the last good and the last verified backup, if there was one and their folder is known."""
    if settings.BACKUP_DIR is None:
        return
    state = read_state(settings.BACKUP_DIR)
    age = GaugeMetricFamily(
        "topage_backup_seconds", "Age of the last backup that was good, or verified.", labels=["kind"]
    )
    for name in ("good", "verified"):
        if (noted := getattr(state, name)) is not None:
            age.add_metric([name], (timezone.now() - noted.at).total_seconds())
    yield age
