"""The time in which PostgreSQL plans the query of a personal link, by how many tables it compares at once.

    python -m bench.joining [--rounds 20]

The query joins a link, its entrant, session and club, and the people and team behind it. PostgreSQL compares the
orders of so many tables at once as `join_collapse_limit` says: 8 by default. Each limit plans the query in turn, in an
empty database of a server of its own, and the median of its milliseconds counts. Missed if the site's limit takes more
than half of the default's time.
"""

import argparse
import os
import re
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench.raw_sql.__main__ import start_postgres

DEFAULT = 8
MOST = 0.5  # the site's limit must plan in at most this share of the default's time


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="topage-", dir="/tmp") as folder, ExitStack() as started:
        os.chmod(folder, 0o711)
        os.environ.update(DJANGO_SETTINGS_MODULE="config.settings", MODE="laptop", VAR_DIR=folder, LOG_LEVEL="ERROR")
        os.environ["DATABASE_URL"] = start_postgres(Path(folder), started)
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from config.database.base import PLANNING

        call_command("migrate", verbosity=0)
        ours = PLANNING["join_collapse_limit"]
        question = find_question()
        taken: dict[int, list[float]] = {limit: [] for limit in range(DEFAULT, 0, -1)}
        for _ in range(args.rounds):
            for limit, times in taken.items():
                times.append(plan(question, limit))
        connection.close()
    medians = {limit: median(times) for limit, times in taken.items()}
    for limit, milliseconds in medians.items():
        mark = "  the site's" if limit == ours else ""
        ratio = milliseconds / medians[DEFAULT]
        sys.stdout.write(f"{limit} tables at once: {milliseconds:6.1f} ms  × {ratio:4.2f}{mark}\n")
    return int(medians[ours] > MOST * medians[DEFAULT])


def find_question() -> str:
    """Return the SQL by which the site reads a personal link."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from tournaments.requests.links import find_personal_link

    with CaptureQueriesContext(connection) as asked:
        find_personal_link("A" * 22)
    return str(asked[0]["sql"])


def plan(question: str, limit: int) -> float:
    """Return the milliseconds in which PostgreSQL plans the question."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"SET join_collapse_limit = {limit}")
        cursor.execute(f"EXPLAIN (SUMMARY) {question}")
        lines = "\n".join(line for (line,) in cursor.fetchall())
    found = re.search(r"Planning Time: ([\d.]+) ms", lines)
    assert found, lines
    return float(found[1])


if __name__ == "__main__":
    sys.exit(main())
