"""What one request costs the processes of the site, and how many questions it asks the database.

The site is asked over the wire, one request after the other, and the kernel tells what its processes worked meanwhile:
web server, middleware and view, not PostgreSQL and Redis. A bare view is asked in the same way. Questions are counted
in this process, by Django's own client on the same database.
"""

import html
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPConnection
from itertools import cycle
from statistics import median
from typing import NamedTuple

from celery import current_app
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench.hall.goals import GOALS, Figure
from bench.hall.scene import Scene
from bench.hall.urls import BARE
from tournaments.queue import COMPUTE

PROGRESS = re.compile(r'hx-get="([^"]*/progress/[^"]*)"\s+hx-trigger="every')
HTMX = {"HX-Request": "true"}


class Question(NamedTuple):
    """A request, and the status that it is to be answered by."""

    path: str
    status: int = 200
    headers: Mapping[str, str] = {}
    body: object = None


class Site:
    """The site over one connection, and the clocks of its processes."""

    def __init__(self, port: int, processes: Sequence[int]) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=60)
        # Linux names the clock of a process's work by its id: clock_getcpuclockid(3).
        self.clocks = [(~process << 3) | 2 for process in processes]

    def worked(self) -> float:
        """Milliseconds since its start."""
        return 1000 * sum(time.clock_gettime(clock) for clock in self.clocks)

    def ask(self, question: Question) -> tuple[Mapping[str, str], bytes]:
        """Headers, their names in small letters, and body of the answer."""
        told = {"Accept-Encoding": "gzip", "Accept-Language": "fr", **question.headers}
        body = None
        if question.body is not None:
            body, told = json.dumps(question.body), told | {"Content-Type": "application/json"}
        self.connection.request("POST" if body else "GET", question.path, body, told)
        answer = self.connection.getresponse()
        read = answer.read()
        assert answer.status == question.status, f"{answer.status} for {question.path}: {read[:200]!r}"
        return {name.lower(): value for name, value in answer.getheaders()}, read

    def cost(self, ask: Callable[[], Question], times: int) -> float:
        """Milliseconds of work for a request that `ask` makes: the median of so many, after one that is not counted."""
        found = []
        for _ in range(times + 1):
            question = ask()
            began = self.worked()
            self.ask(question)
            found.append(self.worked() - began)
        return median(found[1:])

    def bare(self, times: int = 300) -> float:
        return self.cost(lambda: Question(BARE), times)


class Costs:
    """The requests of a scene."""

    def __init__(self, scene: Scene, site: Site, times: int) -> None:
        self.scene, self.site, self.times = scene, site, times
        self.director = {"Cookie": scene.cookie}
        self.tables = cycle(scene.tables)  # one after the other: what a table asks is counted against it
        self.found: list[Figure] = []

    def measure(self) -> list[Figure]:
        """Measure each request with standings kept, as a worker leaves them: so the job comes first."""
        self.standings()
        self.table()
        self.note("enter", self.entering, 5)
        self.ranking()
        self.desk()
        for name, address in (("bulk", "bulk"), ("live", "standings"), ("plan", "session_plan")):
            self.page(name, self.scene.address(address))
        self.page("plays", reverse("api_plays", args=(self.scene.session.pk,)))
        return self.found

    def note(self, name: str, ask: Callable[[], Question], often: int = 1) -> None:
        """What it costs; its questions to the database; how long its answer is."""
        cost = self.site.cost(ask, often * self.times)
        _, body = self.site.ask(ask())
        queries = queries_of(ask())
        if name in GOALS:
            self.found.append(Figure(name, cost, f"{queries} queries, {len(body) / 1000:.3g} kB"))
        if f"{name} queries" in GOALS:
            self.found.append(Figure(f"{name} queries", queries, f"{cost:.3g} ms"))

    def table(self) -> None:
        stamps: dict[int, str] = {}

        def ask() -> Question:
            table = next(self.tables)
            address = f"{self.scene.state(table)}?device=phone-{table:04}"
            if table not in stamps:
                stamps[table] = json.loads(self.site.ask(Question(address))[1])["stamp"]
            return Question(f"{address}&seen={stamps[table]}", 204)

        self.note("table", ask, 10)

    def entering(self) -> Question:
        """A table begins its next play and enters it."""
        assert any(self.scene.left[table] for table in self.scene.tables), (
            "no play is left: more tables, or fewer times"
        )
        table = next(table for table in self.tables if self.scene.left[table])
        start, enter, _ = self.scene.next_result(table)
        return Question(self.scene.send(table), body={"device": f"phone-{table:04}", "commands": [start, enter]})

    def enter(self) -> None:
        _, body = self.site.ask(self.entering())
        assert all(receipt["status"] == "received" for receipt in json.loads(body)["receipts"]), body

    def ranking(self) -> None:
        page = Question(self.scene.ranking)
        headers, _ = self.site.ask(page)
        known = page._replace(status=304, headers={"If-None-Match": headers["etag"]})
        self.note("ranking 304", lambda: known, 10)
        self.note("ranking", lambda: page, 5)

    def desk(self) -> None:
        self.page("desk", self.scene.address("session"))

        def after_a_result() -> Question:
            address = self.poll()
            self.enter()
            return Question(address, headers=self.director | HTMX)

        self.note("poll", after_a_result)
        self.note("poll 204", lambda: Question(self.poll(), 204, self.director | HTMX))

    def poll(self) -> str:
        """What the desk, opened anew, asks for next."""
        _, page = self.site.ask(
            Question(self.scene.address("session"), headers=self.director | {"Accept-Encoding": "identity"})
        )
        (address, *_) = PROGRESS.findall(page.decode())
        return html.unescape(address)

    def page(self, name: str, address: str) -> None:
        self.note(name, lambda: Question(address, headers=self.director))

    def standings(self) -> None:
        """The job after one result, here and not in the worker, which has not been started yet."""
        task = current_app.tasks[COMPUTE]
        found = []
        for _ in range(self.times + 1):
            self.enter()
            began = time.process_time()
            task(self.scene.session.pk)
            found.append(1000 * (time.process_time() - began))
        self.found.append(Figure("job", median(found[1:]), f"{self.times} times"))


def queries_of(question: Question) -> int:
    method = "GET" if question.body is None else "POST"
    body = json.dumps(question.body) if question.body else ""
    with CaptureQueriesContext(connection) as asked:
        answer = Client().generic(method, question.path, body, "application/json", headers=question.headers)
    assert answer.status_code == question.status, f"{answer.status_code} for {question.path}"
    return len(asked)
