"""The requests and the standings of a club evening, beside the least work that could do the same.

    python -m bench.evening [--rounds 40] [--tables 10 40 150]

An entry by the API is compared with a bare view that inserts one row for the same token. A published ranking of 60
players, sent whole or answered with "not modified", is compared with a bare view that sends the same bytes. The
standings of 40 tables are compared with reading the same rows by plain SQL.

Two more ratios are measured. One is the time for a play in the standings of 150 tables, compared with 10 tables. The
other is the time for the preview of a ruling, compared with the standings. Everything runs in this process, with a
laptop's database in a temporary folder. Only processor time counts, not the disk. Rounds take turns, and the median of
each counts. The exit code is 1 if a ratio misses its goal.
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from bench.site import new_place, set_up


class Goal(NamedTuple):
    """A measured ratio, and the largest ratio allowed."""

    text: str
    measured: float
    at_most: float

    @property
    def missed(self) -> bool:
        return self.measured > self.at_most

    def __str__(self) -> str:
        return f"{self.text:64}{self.measured:6.2f}   goal ≤ {self.at_most:g}{'   missed' if self.missed else ''}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 40, 150], help="of the growing hall")
    parser.add_argument("--migrated", type=Path, help="a migrated database to begin with")
    args = parser.parse_args()
    missed = False
    with new_place() as folder:
        if args.migrated:
            shutil.copyfile(args.migrated, folder / "db.sqlite3")
        set_up()
        for measure in (requests, growing_standings):
            for goal in measure(args):
                sys.stdout.write(f"{goal}\n")
                missed |= goal.missed
    return int(missed)


def medians(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the processor seconds of each way, as the median of the rounds. The first round is not counted."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, way in ways.items():
            start = process_time()
            way()
            times[name].append(process_time() - start)
    return {name: median(taken[1:]) for name, taken in times.items()}


def requests(args: argparse.Namespace) -> list[Goal]:
    """Measure the requests of fifteen tables: in a session that is played, and in a published one."""
    from celery import current_app
    from django.http import HttpRequest, HttpResponse
    from django.test import Client, override_settings
    from django.urls import path, reverse
    from django.utils import timezone
    from rest_framework.request import Request
    from rest_framework.response import Response
    from rest_framework.views import APIView

    from api.tokens import make_api_token
    from config import urls
    from tests.factories import make_director, make_tournament, published_session, started_session
    from tournaments.models import LogEntry

    current_app.conf.task_always_eager = False  # jobs are queued, but there is no worker
    tournament = make_tournament()
    director = make_director(tournament.club)
    under_way = started_session(tournament, tables=15, positions=10, etuis_per_position=3)
    published = published_session(tournament, by=director, tables=15, positions=5, etuis_per_position=2)
    ranking = reverse("ranking", args=(tournament.club.slug, tournament.slug, published.number))
    page = Client(headers={"accept-encoding": "gzip"}).get(ranking)
    plays = iter(under_way.plays.select_related("etui", "table"))

    class Insert(APIView):
        def post(self, request: Request) -> Response:
            given: dict[str, Any] = {"author": request.user, "action": "entered", "at": timezone.now()}
            row = LogEntry.objects.create(session=under_way, **given)
            return Response({"number": row.pk}, status=201)

    def same(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(page.content)

    program = Client(headers={"authorization": f"Token {make_api_token(director)}"})
    reader = Client(headers={"accept-encoding": "gzip"})  # browsers accept gzip
    known = {"if-none-match": page["ETag"]}

    def post(address: str, body: Any) -> None:
        answer = program.post(address, body, content_type="application/json")
        assert answer.status_code == 201, answer.content

    def enter() -> None:
        play = next(plays)
        post(reverse("api_result", args=(play.pk,)), {"bouts": 2, "points": 30 + play.pk % 31})

    def read(address: str, status: int, **more: Any) -> None:
        assert reader.get(address, **more).status_code == status

    bare = (path("bare/insert/", Insert.as_view()), path("bare/page/", same), *urls.urlpatterns)
    with override_settings(ROOT_URLCONF=bare):
        took = medians(
            {
                "enter": enter,
                "insert": lambda: post("/bare/insert/", {}),
                "ranking": lambda: read(ranking, 200),
                "not modified": lambda: read(ranking, 304, headers=known),
                "same bytes": lambda: read("/bare/page/", 200),
            },
            args.rounds,
        )
    # The bare view asks for the token's account and inserts a row. An entry asks 14 times, and locks its table.
    return [
        Goal("entering by the API, of a bare view that inserts a row", took["enter"] / took["insert"], 1 / 0.3),
        Goal("public ranking of 60, of a bare view of the same bytes", took["ranking"] / took["same bytes"], 1 / 0.7),
        Goal("the same, not modified", took["not modified"] / took["same bytes"], 1 / 0.8),
    ]


def growing_standings(args: argparse.Namespace) -> list[Goal]:
    """Measure the standings of halls with more and more tables. All results of ten positions are entered."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from bench.hall.scene import start_evening
    from evenings.plays.ruling import annul_etui
    from evenings.standings import computing
    from evenings.standings.preview import preview_ruling
    from tests.factories import enter_all, make_director, make_tournament

    tournament = make_tournament(name="Salle qui grandit")
    director = make_director(tournament.club, "autre")
    share, ratios, previews = {}, {}, {}
    for tables in args.tables:
        session = start_evening(tournament, director, tables=tables, positions=min(10, tables))
        enter_all(session, by=director)
        with CaptureQueriesContext(connection) as asked:
            computing.compute(session.pk)
        questions = [question["sql"] for question in asked.captured_queries]

        def read(questions: list[str] = questions) -> None:
            with connection.cursor() as cursor:
                for sql in questions:
                    cursor.execute(sql)
                    cursor.fetchall()

        def compute(session_id: int = session.pk) -> None:
            computing.compute(session_id)

        def look(session_id: int = session.pk) -> None:
            said: dict[str, Any] = {"reason": "x", "by": director, "now": timezone.now()}
            preview_ruling(session_id, lambda: annul_etui(session_id=session_id, etui=1, **said))

        computing.refresh(session.pk, now=timezone.now())
        ways: dict[str, Callable[[], object]] = {"compute": compute, "read": read, "look": look}
        took = medians(ways, max(3, args.rounds * 10 // tables))
        share[tables] = took["compute"] / session.plays.count()
        ratios[tables] = took["compute"] / took["read"]
        previews[tables] = took["look"] / took["compute"]
    few, many = min(share), max(share)
    judged = min(ratios, key=lambda tables: abs(tables - 40))
    growth = share[many] / share[few]
    return [
        Goal(f"standings of {judged} tables, of the same rows by plain SQL", ratios[judged], 4),
        Goal(f"a play’s share of the standings, {many} tables of {few}", growth, 1.5),
        Goal(f"a ruling’s preview, {many} tables, of the same standings", previews[many], 3),
    ]


if __name__ == "__main__":
    sys.exit(main())
