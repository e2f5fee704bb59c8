"""The field of a national simultaneous, beside its ranking alone and a plain reading of the same rows.

    python -m bench.simultaneous [--quick] [--clubs 100] [--tables 12]

The clubs are rows of a new database, and every table plays 36 étuis. A process of its own then computes the field from
nothing, as the job does. Its processor time is compared with that of reading the rows by plain SQL. It is compared with
3 s, too, on a machine on which a reference loop takes 0.03 s. The memory is what the computation adds to the process.
The published ranking is then read as 10 000 readers do: its page in parts, the same page again (304), and the page for
programs. A result is then entered with and without a field: the number of queries has to be the same.

Last, real servers get 4 results a second, and 20 at the same moment (`bench.hall --only field`). They get them from a
session in the field, and then from the same session without a field. With --quick, the field has 10 clubs, and each
load takes a few seconds. The exit code is 1 if a figure misses its goal.
"""

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from statistics import quantiles
from time import process_time
from typing import Any

from bench.site import new_place, run_apart

MOST_SECONDS, MOST_MEGABYTES, MOST_RANKING, MOST_OF_READING = 3.0, 300.0, 0.4, 8.0
MOST_BUILDING, MOST_READING = 400.0, 6.0  # milliseconds of a page that is built, and of one that is kept
READERS, READ_EVERY, MOST_CORES = 10_000, 60, 1.0
REFERENCE = 0.03  # seconds of the reference loop on the machine of the goals


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="10 clubs, and few seconds of each load")
    parser.add_argument("--clubs", type=int, help="100, or 10 with --quick")
    parser.add_argument("--tables", type=int, default=12)
    args = parser.parse_args()
    clubs = args.clubs or (10 if args.quick else 100)
    ours = dict(os.environ)  # the servers have settings of their own
    with new_place():
        steps: tuple[Callable[[], int], ...] = (
            partial(store_national, clubs, args.tables),
            compute_national,
            read_ranking,
            enter_with_and_without,
        )
        missed = max(map(run_apart, steps))
    return int(max(missed, enter_on_servers(clubs, ours, quick=args.quick)))


def enter_on_servers(clubs: int, environment: dict[str, str], *, quick: bool) -> int:
    """Enter results on real servers, with a field and without one. Return 1 if a figure misses its goal.

    A hall has enough results left for so many seconds: 400 with 40 tables, 1 500 with 150.
    """
    tables, seconds = (40, 40) if quick else (150, 320)
    sys.stdout.flush()
    command = [sys.executable, "-m", "bench.hall", "--only", "field", "--tables", str(tables)]
    command += ["--clubs", str(clubs), "--seconds", str(seconds)]
    return subprocess.run(command, env=environment, check=False).returncode


def store_national(clubs: int, tables: int) -> int:
    """Store the clubs with all results, in a new database. Return 0."""
    from django.core.management import call_command
    from django.db import transaction

    from bench.national import National

    call_command("migrate", verbosity=0)
    with transaction.atomic():
        National(clubs, tables)
    return 0


def take_reference() -> float:
    """Return the processor seconds of a loop that adds fractions, as the best of five rounds."""
    from fractions import Fraction

    best = float("inf")
    for _round in range(5):
        start = process_time()
        for number in range(1, 20_001):
            Fraction(number, 1199) + Fraction(1, 2)
        best = min(best, process_time() - start)
    return best


def tell(text: str, measured: float, goal: float) -> bool:
    """Print a figure beside its goal. Return whether it misses the goal."""
    missed = measured > goal
    sys.stdout.write(f"{text:58}{measured:8.2f}   goal ≤ {goal:.2f}{'   missed' if missed else ''}\n")
    return missed


def compute_national() -> int:
    """Compute the field from nothing. Return 1 if a figure misses its goal."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from rankings.simultaneous.field.computing import read_sources, refresh_field
    from rankings.simultaneous.field.reading import read_field_sessions
    from scoring.formats import INDIVIDUAL
    from scoring.simultaneous import rank_field
    from tournaments.models import Simultaneous

    simultaneous, now = Simultaneous.objects.get(), timezone.now()
    machine = take_reference() / REFERENCE
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, process_time()
    refresh_field(simultaneous.pk, now=now)
    seconds = process_time() - start
    megabytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
    with CaptureQueriesContext(connection) as asked:
        sources = read_sources(simultaneous, now)
        given = read_field_sessions(sources.sessions, sources.for_all, ended_at=sources.ended_at)
    start = process_time()
    ranked = rank_field(given.sessions, INDIVIDUAL)
    ranking = process_time() - start
    start = process_time()
    for question in asked.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(question["sql"])
            cursor.fetchall()
    reading = process_time() - start
    sys.stdout.write(f"{sum(map(len, ranked.notes.values()))} plays of {len(ranked.players)} players\n")
    missed = [
        tell("seconds of the field from nothing, on the reference", seconds / machine, MOST_SECONDS),
        tell("megabytes that it takes", megabytes, MOST_MEGABYTES),
        tell("seconds of the ranking alone, on the reference", ranking / machine, MOST_RANKING),
        tell("the field, of the same rows by plain SQL", seconds / reading, MOST_OF_READING),
    ]
    return int(any(missed))


def read_ranking() -> int:
    """Publish the ranking, and read its pages. Return 1 if a figure misses its goal.

    A page may take as long to build as a desk in a hall. A kept page looks its stamp up by one query.
    """
    from django.core.cache import caches
    from django.test import Client
    from django.utils import timezone

    from rankings.simultaneous.field.publishing import FIELDS
    from tournaments.models import Simultaneous
    from tournaments.versions import DirectorWord

    simultaneous = Simultaneous.objects.select_related("club").get()
    by: Any = simultaneous.clubs.order_by("pk")[0].invited_by
    FIELDS.publish(simultaneous.pk, DirectorWord(by, timezone.now()))
    page = f"/clubs/{simultaneous.club.slug}/simultaneous/{simultaneous.slug}/ranking/"
    program = f"/api/v1{page}"
    client = Client(headers={"accept-encoding": "gzip"})

    def ask(path: str, status: int = 200, **headers: str) -> Any:
        answer = client.get(path, headers=headers)
        assert answer.status_code == status, f"{answer.status_code} for {path}"
        return answer

    def take(path: str, times: int, status: int = 200, *, anew: bool = False, **headers: str) -> float:
        """Return the processor milliseconds of a request, the least of five rounds."""
        found = []
        for _round in range(5):
            spent = 0.0
            for _time in range(times):
                if anew:
                    for each in caches:
                        caches[each].clear()
                start = process_time()
                ask(path, status, **headers)
                spent += process_time() - start
            found.append(1000 * spent / times)
        return min(found)

    machine = take_reference() / REFERENCE
    etag = ask(page)["ETag"]
    lengths = len(ask(f"{page}?part=24").content), len(ask(page).content)
    known = take(page, 20, 304, **{"if-none-match": etag}) / machine
    sys.stdout.write(f"{max(lengths) / 1000:.3g} kB of a part, compressed\n")
    missed = [
        tell("ms of a part that is built, on the reference", take(page, 2, anew=True) / machine, MOST_BUILDING),
        tell("ms of a page for programs, on the reference", take(program, 2, anew=True) / machine, MOST_BUILDING),
        tell("ms of a part that is kept, on the reference", take(page, 20) / machine, MOST_READING),
        tell("ms for a reader who has it already (304)", known, MOST_READING),
        tell(
            f"cores for {READERS} readers who look again each minute",
            READERS / READ_EVERY * known / 1000,
            MOST_CORES,
        ),
    ]
    return int(any(missed))


def enter_with_and_without() -> int:
    """Correct results in a club of the field and in the same club without it. Return 1 if the field costs anything."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from evenings.plays.entering import correct_result
    from tests.factories import garde
    from tournaments.models import SimultaneousClub

    row = SimultaneousClub.objects.select_related("session").order_by("pk").first()
    assert row is not None
    plays = list(row.session.plays.select_related("etui").order_by("pk")[:80])  # type: ignore[union-attr]
    by: Any = row.invited_by

    def correct(play: Any, version: int) -> float:
        start = process_time()
        entry = garde(play.etui.taker, points=50 + play.pk % 20 + version)
        correct_result(play_id=play.pk, entry=entry, seen_version=version, reason="x", by=by, now=timezone.now())
        return process_time() - start

    inside, outside = [], []
    with CaptureQueriesContext(connection) as asked:
        correct(plays[0], 1)
    queries = len(asked)
    inside = [correct(play, 1) for play in plays[1:]]
    SimultaneousClub.objects.filter(pk=row.pk).update(left_at=timezone.now(), session=None)
    with CaptureQueriesContext(connection) as asked:
        correct(plays[0], 2)
    outside = [correct(play, 2) for play in plays[1:]]
    sys.stdout.write(f"{queries} queries of an entry in a field, {len(asked)} without one\n")
    slower = quantiles(inside, n=20)[-1] / quantiles(outside, n=20)[-1]
    return int(tell("entering in a field, p95, of entering without one", slower, 1.5) or queries != len(asked))


if __name__ == "__main__":
    sys.exit(main())
