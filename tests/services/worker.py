"""Real Celery workers for the tests: each a process of its own, on the test database and the Redis of this run.

It knows how to start one, to ask whether it is at rest, to freeze, stop and kill it. It does not know what jobs do.
"""

import os
import signal
import sys
from itertools import count
from pathlib import Path

from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as RedisConnectionError

from config.celery import app
from tests.services.children import Child
from tests.services.redis import RedisServer
from tests.services.waiting import wait_until

PROJECT = Path(__file__).resolve().parents[2]
# A connection kept from before Redis was stopped says so when it is next used, and is then replaced: ask again.
BROKEN = (RedisConnectionError, OperationalError)

numbers = count(1)


class Worker:
    """A worker, by default of one process and of all queues; with `sweep_seconds` it carries a beat that sweeps.

    `environment`: settings of its own, by the names of their variables.
    """

    def __init__(
        self,
        redis: RedisServer,
        database_url: str,
        *,
        sweep_seconds: float | None = None,
        processes: int = 1,
        queues: str = "",
        **environment: str,
    ) -> None:
        self._redis = redis
        self.name = f"worker{next(numbers)}@tests"
        folder = redis.folder.parent
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-n", self.name, "-l", "INFO"]
        command += ["-c", str(processes), *(["-Q", queues] if queues else [])]
        command += ["--without-mingle", "--without-gossip", "--without-heartbeat", "-I", "tests.services.jobs"]
        if sweep_seconds is not None:
            command += ["-B", "-s", str(folder / f"{self.name}.schedule")]
        self.child = Child(
            command,
            log=folder / f"{self.name}.log",
            environment={
                "DATABASE_URL": database_url,
                "PYTHONPATH": os.pathsep.join([str(PROJECT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
                "SWEEP_SECONDS": str(sweep_seconds or 3600),
                # Celery has Django check the whole site, every page imported, before a worker works: the site's own
                # processes do that in tests enough.
                "CELERY_SKIP_CHECKS": "1",
            }
            | environment,
        )
        self.wait_until_ready()

    @property
    def running(self) -> bool:
        """Whether its main process lives."""
        return self.child.running

    def wait_until_ready(self) -> None:
        """Wait until it answers, at its start or after Redis was away."""
        wait_until(self._answers, what=f"{self.name}, whose log is {self.child.log}")

    def wait_until_at_rest(self) -> None:
        """Wait until nothing is queued and it runs nothing, so that the database can be emptied under it."""
        wait_until(self._at_rest, what=f"{self.name} to finish its jobs; its log is {self.child.log}")

    def stop(self) -> None:
        """Let it finish what it does, and end it: to put its own things away takes it seconds."""
        if self._redis.running:
            self.wait_until_at_rest()
        self.kill()

    def kill(self) -> None:
        """End it in the middle of its job, as a power cut would."""
        self.child.kill()

    def freeze(self) -> None:
        """Stop its main process in the middle of everything: it hears of nothing until `thaw`."""
        os.kill(self.child.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.child.pid, signal.SIGCONT)

    def jobs(self, task: str) -> int:
        """How many jobs of that name it has begun since its start, those that only came too early among them."""
        answers = app.control.inspect([self.name], timeout=5, limit=1).stats() or {}
        return answers[self.name]["total"].get(task, 0) if answers else self.jobs(task)

    def log(self) -> str:
        """All it has said so far."""
        return self.child.log.read_text()

    def _answers(self) -> bool:
        if not self.running:
            raise AssertionError(f"the worker ended:\n{self.child.last_words()}")
        try:
            return bool(app.control.ping([self.name], timeout=0.5))
        except BROKEN:
            return False

    def _at_rest(self) -> bool:
        if not self.running:
            return True
        if any(map(self._redis.client.llen, settings.CELERY_TASK_QUEUES)):
            return False
        # In the order in which a job passes from the one to the other: taken meanwhile, it is seen.
        inspect = app.control.inspect([self.name], timeout=1, limit=1)
        try:
            answers = inspect.scheduled(), inspect.reserved(), inspect.active()
        except BROKEN:
            return False
        return all(answer is not None and not answer[self.name] for answer in answers)


class SharedWorker:
    """One worker kept from test to test, for its start takes seconds; started when first asked for, or when it died."""

    def __init__(self, redis: RedisServer, database_url: str) -> None:
        self._redis = redis
        self._database_url = database_url
        self._worker: Worker | None = None

    def get(self) -> Worker:
        """The worker, ready."""
        if self._worker is None or not self._worker.running:
            self._worker = Worker(self._redis, self._database_url)
        self._worker.wait_until_ready()
        return self._worker

    def stop(self) -> None:
        """Stop it, if it runs."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None
