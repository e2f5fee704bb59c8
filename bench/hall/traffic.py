"""The requests of a full hall: tables that enter and poll, directors' desks, readers of a published ranking.

One process sends them all, with its own connection for each screen, as browsers have it. The time of an answer is
counted from the moment when its request was due. A screen sends its next request only after the last answer.
"""

import asyncio
import html
import random
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import cycle
from time import perf_counter, process_time

from bench.hall.scene import Scene
from bench.hall.urls import BARE
from bench.hall.wire import Connection, WireAnswer
from tests.evenings.tables.phones import command
from tournaments.models import Session

RESULT_EVERY = 540.0  # seconds between two results of a table
LOOK_EVERY = 10.0
# In a few minutes, an evening has too few entries and polls for a useful p95. So a run is faster than most evenings.
# Five people have the desk open, as many as a large hall may have directors and helpers.
RUN = 240.0  # seconds
BETWEEN_RESULTS = RUN / 200  # the most seconds between two results, in a hall of any size
DESKS = 5
AT_A_CALL, A_SECOND = 20, 4  # results of a national simultaneous: all tables of several clubs hear the same call
POLLED = re.compile(r'hx-get="([^"]*/(?:progress|running)/[^"]*)"\s+hx-trigger="every')


@dataclass
class Load:
    """The figures of a load: the seconds of each request by kind, and how many answers of each kind came."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: Counter[str] = field(default_factory=Counter)
    elapsed: float = 0.0
    generator: float = 0.0  # the share of the time in which this process worked
    site: float = 0.0  # the share for the site's processes, or 0 if it was not measured

    @property
    def errors(self) -> int:
        return sum(count for kind, count in self.answers.items() if kind.endswith("failed"))

    @property
    def told(self) -> str:
        """The number of answers of every kind, as text."""
        return ", ".join(f"{kind} {count}" for kind, count in sorted(self.answers.items()))

    async def time_answer(self, kind: str, question: Awaitable[WireAnswer]) -> WireAnswer:
        began = perf_counter()
        answer = await question
        self.seconds[kind].append(perf_counter() - began)
        self.answers[f"{kind} {'failed' if answer.failed else answer.status}"] += 1
        return answer


class Phone:
    """The screen of a table."""

    def __init__(self, scene: Scene, table: int) -> None:
        self.scene, self.table = scene, table
        self.device, self.stamp = f"phone-{table:04}", ""

    def connect(self, port: int) -> None:
        """Open two connections for a load: one to poll, one to send."""
        self.eyes, self.mouth = Connection(port), Connection(port)

    async def look(self) -> WireAnswer:
        seen = f"&seen={self.stamp}" if self.stamp else ""
        return self.hear(await self.eyes.get(f"{self.scene.state(self.table)}?device={self.device}{seen}"))

    async def send(self, *commands: object) -> WireAnswer:
        body = {"device": self.device, "commands": list(commands)}
        answer = self.hear(await self.mouth.post(self.scene.send(self.table), body))
        if answer.status == 200 and any(one["status"] != "received" for one in answer.json()["receipts"]):
            return answer._replace(status=409)
        return answer

    def hear(self, answer: WireAnswer) -> WireAnswer:
        if answer.status == 200:
            told = answer.json()
            self.stamp = told.get("state", told)["stamp"]
        return answer


class HallTraffic:
    """The screens of a scene, and the loads that they can put on the site at a port."""

    def __init__(self, scene: Scene, port: int) -> None:
        self.scene, self.port = scene, port
        self.phones = [Phone(scene, number) for number in sorted(scene.tokens)]

    def run(self, load: Callable[[Load], Awaitable[None]]) -> Load:
        """Run a load until its last answer has come, and return its figures.

        Before that, wait until the site has finished earlier work.
        """
        asyncio.run(self.wait_for_calm())
        found = Load()
        for phone in self.phones:
            phone.connect(self.port)
        began, worked = perf_counter(), process_time()
        asyncio.run(load(found))  # type: ignore[arg-type]
        found.elapsed = perf_counter() - began
        found.generator = (process_time() - worked) / found.elapsed
        return found

    async def wait_for_calm(self) -> None:
        """Wait until the site answers sixteen requests within a second, or for about a minute at most."""
        table = self.scene.state(self.phones[0].table)
        for _ in range(60):
            began = perf_counter()
            anybody = [Connection(self.port).get(path) for path in 8 * (BARE, table)]
            desk = [Connection(self.port, Cookie=self.scene.cookie).get(BARE) for _ in range(8)]
            answers = await asyncio.gather(*anybody, *desk)
            if perf_counter() - began < 1 and not any(answer.failed for answer in answers):
                return
            await asyncio.sleep(1)

    def join(self) -> Load:
        async def load(found: Load) -> None:
            await asyncio.gather(*(found.time_answer("join", phone.send(command("join"))) for phone in self.phones))

        return self.run(load)

    def pace(self, seconds: float, readers: int = 0, between: float = BETWEEN_RESULTS) -> Load:
        """Run an evening for that many seconds, at its usual pace or somewhat faster. Return the figures.

        `between`: the seconds between two results of the hall, at most.
        """

        async def load(found: Load) -> None:
            end = asyncio.get_running_loop().time() + seconds
            chance = random.Random(1)
            await asyncio.gather(
                self.enter_in_turn(found, end, between),
                *(
                    self.desk(found, end, session, (place + 1) * LOOK_EVERY / DESKS)
                    for session in self.scene.sessions
                    for place in range(DESKS)
                ),
                *(self.look(found, phone, end, chance.uniform(0, LOOK_EVERY)) for phone in self.phones),
                *(self.read(found, end, chance.uniform(0, LOOK_EVERY)) for _ in range(readers)),
            )

        return self.run(load)

    def flat_out(self, seconds: float) -> Load:
        """Run a load in which every table sends its next result as soon as it has an answer to the last one.

        Return the figures.
        """

        async def table(found: Load, phone: Phone, end: float) -> None:
            while asyncio.get_running_loop().time() < end and self.scene.left[phone.table]:
                start, enter, _ = self.scene.next_result(phone.table)
                await found.time_answer("enter", phone.send(start, enter))

        async def load(found: Load) -> None:
            end = asyncio.get_running_loop().time() + seconds
            await asyncio.gather(*(table(found, phone, end) for phone in self.phones))

        return self.run(load)

    def calls(self, seconds: float) -> Load:
        """Run a load in which twenty tables send a result at the same moment, again and again, four a second."""
        size = min(AT_A_CALL, len(self.phones))

        async def load(found: Load) -> None:
            phones = cycle(random.Random(2).sample(self.phones, len(self.phones)))
            now = asyncio.get_running_loop().time
            at, end = now(), now() + seconds
            tables = []
            while at < end:
                await asyncio.sleep(at - now())
                tables += [asyncio.create_task(self.enter(found, next(phones))) for _table in range(size)]
                at += size / A_SECOND
            await asyncio.gather(*tables)

        return self.run(load)

    async def enter_in_turn(self, found: Load, end: float, most: float) -> None:
        """Send results of one table after another, at even intervals of `most` seconds or less.

        Each table sends at least as often as in an evening.
        """
        between = min(RESULT_EVERY / len(self.phones), most)
        phones = cycle(random.Random(2).sample(self.phones, len(self.phones)))
        now = asyncio.get_running_loop().time
        tables = []
        at = now() + min(between, end - now()) / 2
        for phone in phones:
            if at >= end:
                break
            await asyncio.sleep(at - now())
            tables.append(asyncio.create_task(self.enter(found, phone)))
            at += between
        await asyncio.gather(*tables)

    async def enter(self, found: Load, phone: Phone) -> None:
        if self.scene.left[phone.table]:
            for kind, sent in zip(("start", "enter", "check"), self.scene.next_result(phone.table), strict=True):
                await found.time_answer(kind, phone.send(sent))

    async def every(self, look: Callable[[], Awaitable[object]], end: float, after: float) -> None:
        now = asyncio.get_running_loop().time
        await asyncio.sleep(min(after, end - now()))
        while now() < end:
            await look()
            await asyncio.sleep(max(0, min(LOOK_EVERY, end - now())))

    async def look(self, found: Load, phone: Phone, end: float, after: float) -> None:
        await self.every(lambda: found.time_answer("look", phone.look()), end, after)

    async def read(self, found: Load, end: float, after: float) -> None:
        """Poll the ranking as a reader's browser does. The reader has no account."""
        connection = Connection(self.port)
        known: dict[str, str] = {}

        async def look() -> None:
            answer = await found.time_answer("read", connection.get(self.scene.ranking, **known))
            if tag := answer.headers.get("etag"):
                known["If-None-Match"] = tag

        await self.every(look, end, after)

    async def desk(self, found: Load, end: float, session: Session, after: float) -> None:
        """Open a director's page, then poll its parts as the page says. The first poll comes after `after` seconds."""
        connection = Connection(self.port, Cookie=self.scene.cookie)
        page = await found.time_answer("desk page", connection.get(self.scene.address("session", session)))
        parts = addresses(page)

        async def look() -> None:
            for part in parts:
                kind = "desk" if "progress" in part else "clock"
                answer = await found.time_answer(kind, connection.get(parts[part], **{"HX-Request": "true"}))
                parts.update(addresses(answer))

        await self.every(look, end, after)


def addresses(page: WireAnswer) -> dict[str, str]:
    """Return the addresses that a page, or a part of a page, polls. The keys are the addresses without their query."""
    found = [html.unescape(address) for address in POLLED.findall(page.text)] if page.status == 200 else []
    return {address.partition("?")[0]: address for address in found}
