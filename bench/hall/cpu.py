"""The cost of single requests: processor time of the site's processes, and number of database queries.

Requests are sent over the network, one after the other. The kernel tells how long the site's processes worked for each:
web server, middleware and view, but not PostgreSQL and Redis. A bare view is measured in the same way. Queries are
counted in this process, with Django's test client on the same database.
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

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bench.hall.goals import GOALS, TEAM_NAMES, MeasuredFigure, MeasureUnit
from bench.hall.scene import Scene
from bench.hall.urls import BARE
from evenings.standings import computing
from scoring.formats import find_format

PROGRESS = re.compile(r'hx-get="([^"]*/progress/[^"]*)"\s+hx-trigger="every')
HTMX = {"HX-Request": "true"}


class CpuQuestion(NamedTuple):
    """A request, and the status that its answer must have."""

    path: str
    status: int = 200
    headers: Mapping[str, str] = {}
    body: object = None


class Site:
    """The site, reached by one connection, and the processor clocks of its processes."""

    def __init__(self, port: int, processes: Sequence[int]) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=60)
        # Linux derives the id of a process's CPU clock from the process id: clock_getcpuclockid(3).
        self.clocks = [(~process << 3) | 2 for process in processes]

    def read_work(self) -> float:
        """Return the processor milliseconds that the processes have used since their start."""
        return 1000 * sum(time.clock_gettime(clock) for clock in self.clocks)

    def ask(self, question: CpuQuestion) -> tuple[Mapping[str, str], bytes]:
        """Send a request. Return the headers of the answer, with names in small letters, and its body."""
        told = {"Accept-Encoding": "gzip", "Accept-Language": "fr", **question.headers}
        body = None
        if question.body is not None:
            body, told = json.dumps(question.body), told | {"Content-Type": "application/json"}
        self.connection.request("POST" if body else "GET", question.path, body, told)
        answer = self.connection.getresponse()
        read = answer.read()
        assert answer.status == question.status, f"{answer.status} for {question.path}: {read[:200]!r}"
        return {name.lower(): value for name, value in answer.getheaders()}, read

    def measure_work(self, question: CpuQuestion) -> float:
        """Return the processor milliseconds of a request."""
        began = self.read_work()
        self.ask(question)
        return self.read_work() - began

    def cost(self, ask: Callable[[], CpuQuestion], times: int) -> float:
        """Return the processor milliseconds of a request, as the median of `times` requests that `ask` makes.

        The very first request is not counted.
        """
        return median([self.measure_work(ask()) for _ in range(times + 1)][1:])

    def cost_beside_bare(self, ask: Callable[[], CpuQuestion], times: int) -> tuple[float, float]:
        """Return the cost of a request and that of a bare view, asked for in turns: a machine is not always as fast."""
        pairs = [(self.measure_work(ask()), self.measure_work(CpuQuestion(BARE))) for _ in range(times + 1)][1:]
        own, bare = zip(*pairs, strict=True)
        return median(own), median(bare)

    def bare(self, times: int = 300) -> float:
        return self.cost(lambda: CpuQuestion(BARE), times)


class Costs:
    """The measurement of the requests of a scene."""

    def __init__(self, scene: Scene, site: Site, times: int) -> None:
        self.scene, self.site, self.times = scene, site, times
        self.director = {"Cookie": scene.cookie}
        self.tables = cycle(scene.tables)  # tables take turns, because the requests of one table are limited
        self.found: list[MeasuredFigure] = []

    def measure(self) -> list[MeasuredFigure]:
        """Return the figures of all requests. The job is measured first, so that stored standings exist afterwards."""
        self.standings()
        self.table()
        self.note("enter", self.ask_to_enter, 5)
        self.ranking()
        self.desk()
        pages = {"bulk": "bulk", "live": "standings", "plan": "session_plan"}
        if self.scene.is_free:
            pages |= {"bulk": "sheets", "plan": "games"}
        for name, address in pages.items():
            self.page(name, self.scene.address(address))
        self.page("plays", reverse("api_plays", args=(self.scene.session.pk,)))
        return self.found

    def note(self, name: str, ask: Callable[[], CpuQuestion], often: int = 1) -> None:
        """Measure a request. Record its cost, its number of queries, and the length of its answer."""
        bare = None
        if name in GOALS and GOALS[name].unit is MeasureUnit.BARE:
            cost, bare = self.site.cost_beside_bare(ask, often * self.times)
        else:
            cost = self.site.cost(ask, often * self.times)
        _, body = self.site.ask(ask())
        queries = queries_of(ask())
        if name in GOALS:
            text = f"{queries} queries, {len(body) / 1000:.3g} kB"
            self.found.append(MeasuredFigure(name, cost, text, bare=bare))
        if f"{name} queries" in GOALS:
            format = find_format(self.scene.session.tournament.format)
            more = TEAM_NAMES.get(f"{name} queries", 0) if format.is_for_teams else 0
            self.found.append(MeasuredFigure(f"{name} queries", queries, f"{cost:.3g} ms", more))

    def table(self) -> None:
        stamps: dict[int, str] = {}

        def ask() -> CpuQuestion:
            table = next(self.tables)
            address = f"{self.scene.state(table)}?device=phone-{table:04}"
            if table not in stamps:
                stamps[table] = json.loads(self.site.ask(CpuQuestion(address))[1])["stamp"]
            return CpuQuestion(f"{address}&seen={stamps[table]}", 204)

        self.note("table", ask, 10)

    def ask_to_enter(self) -> CpuQuestion:
        """Return the request by which a table starts its next play and enters the result."""
        assert any(self.scene.left[table] for table in self.scene.tables), (
            "no play is left: more tables, or fewer times"
        )
        table = next(table for table in self.tables if self.scene.left[table])
        start, enter, _ = self.scene.next_result(table)
        return CpuQuestion(self.scene.send(table), body={"device": f"phone-{table:04}", "commands": [start, enter]})

    def enter(self) -> None:
        _, body = self.site.ask(self.ask_to_enter())
        assert all(receipt["status"] == "received" for receipt in json.loads(body)["receipts"]), body

    def ranking(self) -> None:
        page = CpuQuestion(self.scene.ranking)
        headers, _ = self.site.ask(page)
        known = page._replace(status=304, headers={"If-None-Match": headers["etag"]})
        # Often, because the first requests of a page cost more: its query is not planned yet.
        self.note("ranking 304", lambda: known, 100)
        self.note("ranking", lambda: page, 100)

    def desk(self) -> None:
        self.page("desk", self.scene.address("session"))

        def after_a_result() -> CpuQuestion:
            address = self.poll()
            self.enter()
            self.compute()
            return CpuQuestion(address, headers=self.director | HTMX)

        self.note("poll", after_a_result)
        self.note("poll 204", lambda: CpuQuestion(self.poll(), 204, self.director | HTMX))

    def poll(self) -> str:
        """Return the address that the desk polls next, after it was opened."""
        _, page = self.site.ask(
            CpuQuestion(self.scene.address("session"), headers=self.director | {"Accept-Encoding": "identity"})
        )
        (address, *_) = PROGRESS.findall(page.decode())
        return html.unescape(address)

    def page(self, name: str, address: str) -> None:
        self.note(name, lambda: CpuQuestion(address, headers=self.director))

    def standings(self) -> None:
        """Measure the job that computes the standings after one result.

        It runs in this process, because the worker is not started yet.
        """
        found = []
        for _ in range(self.times + 1):
            self.enter()
            began = time.process_time()
            self.compute()
            found.append(1000 * (time.process_time() - began))
        self.found.append(MeasuredFigure("job", median(found[1:]), f"{self.times} times"))

    def compute(self) -> None:
        """Compute the standings as the job does, but without its pause after the last computation."""
        assert computing.refresh(self.scene.session.pk, now=timezone.now()), "nothing was computed"


def queries_of(question: CpuQuestion) -> int:
    method = "GET" if question.body is None else "POST"
    body = json.dumps(question.body) if question.body else ""
    with CaptureQueriesContext(connection) as asked:
        answer = Client().generic(method, question.path, body, "application/json", headers=question.headers)
    assert answer.status_code == question.status, f"{answer.status_code} for {question.path}"
    return len(asked)
