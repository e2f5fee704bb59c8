"""The comparison of the SQL written by hand in `tournaments` with queries of the ORM that do the same.

    python -m bench.raw_sql [--rounds 200] [--tables 150] [--postgres]

The database has one session with half of its results, and one published session. For each module, both ways run in this
process and take turns, in a temporary database. The medians of the processor milliseconds of one call are printed, and
the number of queries. The work of the PostgreSQL server itself is not counted. Writes are rolled back after each call.
"""

import argparse
import datetime as dt
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from bench.site import new_place, set_up

Way = Callable[[], object]


class ComparedModule(NamedTuple):
    """A module with two ways to do the same work: its SQL, and queries of the ORM."""

    name: str
    what: str
    by_hand: Way
    by_orm: Way


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--tables", type=int, default=150)
    parser.add_argument("--postgres", action="store_true", help="instead of SQLite; it needs the development tools")
    args = parser.parse_args()
    with new_place() as folder, ExitStack() as started:
        if args.postgres:
            os.environ["DATABASE_URL"] = start_postgres(folder, started)
        set_up()
        from celery import current_app
        from django.db import connection

        current_app.conf.task_always_eager = False  # jobs are queued, but there is no worker
        sys.stdout.write(f"{connection.vendor}, {args.tables} tables\n")
        for module in compare_modules(args.tables):
            sys.stdout.write(f"{measure_line(module, args.rounds)}\n")
            sys.stdout.flush()
        connection.close()
    return 0


def start_postgres(folder: Path, started: ExitStack) -> str:
    """Start a PostgreSQL server in the folder. Return the address of a new database. `started` will stop the server."""
    from tests.services.postgres import PostgresServer

    server = PostgresServer(folder / "postgres", options=())
    started.callback(server.stop)
    server.start()
    server.make("topage")
    address: str = server.url("topage")
    return address


def measure_line(module: ComparedModule, rounds: int) -> str:
    hand, orm = take_turns(module.by_hand, module.by_orm, rounds)
    queries = f"{count_queries(module.by_hand)} and {count_queries(module.by_orm)} queries"
    gain = f"{hand:7.3f} ms by hand, {orm:7.3f} by the ORM, gain {orm - hand:6.3f} ms (× {orm / hand:4.1f})"
    return f"{module.name:12}{module.what:44}{gain}; {queries}"


def take_turns(one: Way, other: Way, rounds: int) -> tuple[float, float]:
    """Return the milliseconds of each way, as medians. The first five rounds, which fill caches, are not counted."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds + 5):
        for way, times in zip((one, other), taken, strict=True):
            times.append(time_once(way))
    return 1000 * median(taken[0][5:]), 1000 * median(taken[1][5:])


def time_once(way: Way) -> float:
    from django.db import transaction

    with transaction.atomic():
        began = process_time()
        way()
        took = process_time() - began
        transaction.set_rollback(True)
    return took


def count_queries(way: Way) -> int:
    from django.db import connection, transaction
    from django.test.utils import CaptureQueriesContext

    with transaction.atomic():
        with CaptureQueriesContext(connection) as asked:
            way()
        transaction.set_rollback(True)
    return len(asked)


def compare_modules(tables: int) -> list[ComparedModule]:
    from django.utils import timezone

    from bench.hall.scene import start_evening
    from bench.raw_sql import by_orm as orm
    from evenings import glance
    from evenings.plays import entering, session_plays, table_plays
    from evenings.standings import computing
    from tests.evenings.tables.phones import tokens_of
    from tests.factories import enter_all, make_director, make_tournament, publish
    from tournaments import locks, published
    from tournaments.models import Session, Table

    tournament = make_tournament(name="Salle")
    director = make_director(tournament.club)
    done, session = (start_evening(tournament, director, tables=tables, positions=10) for _ in range(2))
    enter_all(done, by=director)
    publish(done, by=director)
    enter_all(session, by=director, plays=session.plays.filter(position__lte=5).select_related("etui"))
    Session.objects.filter(pk=session.pk).update(position=6, shows_after=Session.ShownAfter.TOPAGE)
    now = timezone.now()
    computing.refresh(session.pk, now=now)
    token = tokens_of(session)[1]
    session = Session.objects.select_related("tournament__club").get(pk=session.pk)
    table = Table.objects.select_related("session__tournament__club").get(session=session, number=1)
    play = session.plays.filter(table=table, position=6).select_related("etui").first()
    assert play is not None
    where = {"club": tournament.club.slug, "tournament": tournament.slug, "number": session.number}
    place, soon = published.PublicPlace.of(done), now + dt.timedelta(minutes=2)
    asked: dict[str, Any] = {"now": now, "coming": now, "seen": now}

    def read_prepared() -> object:
        return [rows(table.pk) for rows in (table_plays.PLAYS, table_plays.ENTRIES, table_plays.CHECKS)]

    return [
        ComparedModule(
            "glance",
            "a table's poll",
            lambda: glance.glance_at_table(token, "phone", **asked),
            lambda: orm.glance_at_table(token, "phone", **asked),
        ),
        ComparedModule(
            "glance",
            "a desk's poll",
            lambda: glance.glance_at_session(director, where, now=now, soon=soon),
            lambda: orm.glance_at_session(director, where, now=now, soon=soon),
        ),
        ComparedModule(
            "locks", "a table's lock", lambda: locks.raise_table(table), lambda: orm.raise_table(table, locks.step())
        ),
        ComparedModule("prepared", "the plays of a table", read_prepared, lambda: orm.read_table(table.pk)),
        ComparedModule(
            "prepared",
            "the plays of a table with joined rows",
            lambda: session_plays.plays_at_tables([table.pk]),
            lambda: orm.read_joined([table.pk]),
        ),
        ComparedModule(
            "published",
            "what readers may see (executed by versions)",
            lambda: published.find_published(place, now),
            lambda: orm.find_published(place),
        ),
        ComparedModule(
            "entering",
            "a result marks its étui and raises the version",
            lambda: entering.raise_results_version(session.pk, etuis=[play.etui_id]),
            lambda: orm.raise_results_version(session.pk, play.etui_id),
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
