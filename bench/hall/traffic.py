"""A hall that asks the site: tables that enter and look, a director's desk, readers of a published ranking.

One process, with a connection for each screen, as browsers have them. How long answers take is counted from the moment
somebody wants them; nobody asks again before he has his answer.
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
from bench.hall.wire import Answer, Connection
from tests.tournaments.tables.phones import command
from tournaments.models import Session

RESULT_EVERY = 540.0  # seconds, at each table
LOOK_EVERY = 10.0
# An evening has too few entries and polls in the minutes of a run for 95 of 100 to say anything: the run goes faster
# than most evenings, and as many people have the desk open as a large hall may have directors and helpers.
RUN = 240.0  # seconds
BETWEEN_RESULTS = RUN / 200  # at most, whatever the hall
DESKS = 5
POLLED = re.compile(r'hx-get="([^"]*/(?:progress|running)/[^"]*)"\s+hx-trigger="every')


@dataclass
class Load:
    """What a load came to: seconds of each kind of question, and what failed."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: Counter[str] = field(default_factory=Counter)
    elapsed: float = 0.0
    generator: float = 0.0  # of the time, what this process worked itself
    site: float = 0.0  # and the site's; nothing where nobody counted

    @property
    def errors(self) -> int:
        return sum(count for kind, count in self.answers.items() if kind.endswith("failed"))

    @property
    def told(self) -> str:
        """Every kind of answer by its number."""
        return ", ".join(f"{kind} {count}" for kind, count in sorted(self.answers.items()))

    async def timed(self, kind: str, question: Awaitable[Answer]) -> Answer:
        began = perf_counter()
        answer = await question
        self.seconds[kind].append(perf_counter() - began)
        self.answers[f"{kind} {'failed' if answer.failed else answer.status}"] += 1
        return answer


class Phone:
    """A table's screen."""

    def __init__(self, scene: Scene, table: int) -> None:
        self.scene, self.table = scene, table
        self.device, self.stamp = f"phone-{table:04}", ""

    def connect(self, port: int) -> None:
        """Anew for each load: one to look, one to send."""
        self.eyes, self.mouth = Connection(port), Connection(port)

    async def look(self) -> Answer:
        seen = f"&seen={self.stamp}" if self.stamp else ""
        return self.hear(await self.eyes.get(f"{self.scene.state(self.table)}?device={self.device}{seen}"))

    async def send(self, *commands: object) -> Answer:
        body = {"device": self.device, "commands": list(commands)}
        answer = self.hear(await self.mouth.post(self.scene.send(self.table), body))
        if answer.status == 200 and any(one["status"] != "received" for one in answer.json()["receipts"]):
            return answer._replace(status=409)
        return answer

    def hear(self, answer: Answer) -> Answer:
        if answer.status == 200:
            told = answer.json()
            self.stamp = told.get("state", told)["stamp"]
        return answer


class Hall:
    """Every screen of a scene, and the loads that they make on the site at a port."""

    def __init__(self, scene: Scene, port: int) -> None:
        self.scene, self.port = scene, port
        self.phones = [Phone(scene, number) for number in sorted(scene.tokens)]

    def run(self, load: Callable[[Load], Awaitable[None]]) -> Load:
        """The load, until its last answer is in; what an earlier one has left the site to do is over by then."""
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
        """Until the site answers everybody at once again, or after a minute all the same."""
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
            await asyncio.gather(*(found.timed("join", phone.send(command("join"))) for phone in self.phones))

        return self.run(load)

    def pace(self, seconds: float, readers: int = 0) -> Load:
        """The evening as it goes, or somewhat faster, for so many seconds of it."""

        async def load(found: Load) -> None:
            end = asyncio.get_running_loop().time() + seconds
            chance = random.Random(1)
            await asyncio.gather(
                self.enter_in_turn(found, end),
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
        """Every table sends its next result as soon as the site has the one before."""

        async def table(found: Load, phone: Phone, end: float) -> None:
            while asyncio.get_running_loop().time() < end and self.scene.left[phone.table]:
                start, enter, _ = self.scene.next_result(phone.table)
                await found.timed("enter", phone.send(start, enter))

        async def load(found: Load) -> None:
            end = asyncio.get_running_loop().time() + seconds
            await asyncio.gather(*(table(found, phone, end) for phone in self.phones))

        return self.run(load)

    async def enter_in_turn(self, found: Load, end: float) -> None:
        """A result of one table after the other, evenly, at least as often as tables have one."""
        between = min(RESULT_EVERY / len(self.phones), BETWEEN_RESULTS)
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
                await found.timed(kind, phone.send(sent))

    async def every(self, look: Callable[[], Awaitable[object]], end: float, after: float) -> None:
        now = asyncio.get_running_loop().time
        await asyncio.sleep(min(after, end - now()))
        while now() < end:
            await look()
            await asyncio.sleep(max(0, min(LOOK_EVERY, end - now())))

    async def look(self, found: Load, phone: Phone, end: float, after: float) -> None:
        await self.every(lambda: found.timed("look", phone.look()), end, after)

    async def read(self, found: Load, end: float, after: float) -> None:
        """Somebody without an account who keeps the ranking open, as his browser asks for it again."""
        connection = Connection(self.port)
        known: dict[str, str] = {}

        async def look() -> None:
            answer = await found.timed("read", connection.get(self.scene.ranking, **known))
            if tag := answer.headers.get("etag"):
                known["If-None-Match"] = tag

        await self.every(look, end, after)

    async def desk(self, found: Load, end: float, session: Session, after: float) -> None:
        """A director's page: opened, then its parts asked for as it says itself, first `after` so many seconds."""
        connection = Connection(self.port, Cookie=self.scene.cookie)
        page = await found.timed("desk page", connection.get(self.scene.address("session", session)))
        parts = addresses(page)

        async def look() -> None:
            for part in parts:
                kind = "desk" if "progress" in part else "clock"
                answer = await found.timed(kind, connection.get(parts[part], **{"HX-Request": "true"}))
                parts.update(addresses(answer))

        await self.every(look, end, after)


def addresses(page: Answer) -> dict[str, str]:
    """What a page, or a part of one, asks for again, by the address without its query."""
    found = [html.unescape(address) for address in POLLED.findall(page.text)] if page.status == 200 else []
    return {address.partition("?")[0]: address for address in found}
