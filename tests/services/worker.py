"""The Celery workers of the tests: each is a real process, on the test database and the Redis of this run.

This module can start one, ask whether it is at rest, freeze, stop and kill it. It does not know what jobs do.
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
# A connection from before a stop of Redis fails at its next use, and is then replaced. So try again.
BROKEN = (RedisConnectionError, OperationalError)

numbers = count(1)


class Worker:
    """A worker, by default with one process and all queues. With `sweep_seconds` it has a beat that sweeps.

    `environment` has its own settings, by the names of their variables.
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
        self._sweeps = sweep_seconds is not None
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
                # Before a worker starts, Celery has Django check the whole site and import every page. The processes of
                # the site do that in enough tests.
                "CELERY_SKIP_CHECKS": "1",
            }
            | environment,
        )
        self.wait_until_ready()

    @property
    def running(self) -> bool:
        """True if its main process runs."""
        return self.child.running

    def wait_until_ready(self) -> None:
        """Wait until the worker answers, at its start or after Redis was away."""
        wait_until(self._answers, what=f"{self.name}, whose log is {self.child.log}")

    def wait_until_at_rest(self) -> None:
        """Wait until nothing is queued and the worker runs nothing, so that the database can be emptied."""
        wait_until(self.is_at_rest, what=f"{self.name} to finish its jobs; its log is {self.child.log}")

    def stop(self) -> None:
        """Let the worker finish its jobs, and kill it. A clean end would take seconds.

        A worker that sweeps never rests on a slow machine: new sweeps come before it has done the last ones. So it ends
        cleanly, after the jobs that it has begun.
        """
        if self._sweeps:
            self.child.stop()
        elif self._redis.running:
            self.wait_until_at_rest()
        self.kill()

    def kill(self) -> None:
        """Kill the worker in the middle of its job, as a power cut would."""
        self.child.kill()

    def freeze(self) -> None:
        """Suspend its main process: it receives nothing until `thaw`."""
        os.kill(self.child.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.child.pid, signal.SIGCONT)

    def jobs(self, task: str) -> int:
        """Return how many jobs of that name it has begun since its start. Jobs that came too early count too."""
        inspect = app.control.inspect([self.name], timeout=5, limit=1)
        answers = wait_until(inspect.stats, what=f"{self.name} to tell its jobs; its log is {self.child.log}")
        return answers[self.name]["total"].get(task, 0)

    def log(self) -> str:
        """Return the whole log of the worker."""
        return self.child.log.read_text()

    def _answers(self) -> bool:
        if not self.running:
            raise AssertionError(f"the worker ended:\n{self.child.last_words()}")
        try:
            return bool(app.control.ping([self.name], timeout=0.5))
        except BROKEN:
            return False

    def is_at_rest(self) -> bool:
        """Return whether no queue has a job, and this worker runs none. A worker that has ended is at rest."""
        if not self.running:
            return True
        if any(map(self._redis.client.llen, settings.CELERY_TASK_QUEUES)):
            return False
        # In the order in which a job moves from one list to the next, so that none is missed between them.
        inspect = app.control.inspect([self.name], timeout=1, limit=1)
        try:
            answers = inspect.scheduled(), inspect.reserved(), inspect.active()
        except BROKEN:
            return False
        return all(answer is not None and not answer[self.name] for answer in answers)


class SharedWorker:
    """A worker shared by tests, because its start takes seconds. It starts at its first use, or after it died."""

    def __init__(self, redis: RedisServer, database_url: str) -> None:
        self._redis = redis
        self._database_url = database_url
        self._worker: Worker | None = None

    def get(self) -> Worker:
        """Return the worker, ready for jobs."""
        if self._worker is None or not self._worker.running:
            self._worker = Worker(self._redis, self._database_url)
        self._worker.wait_until_ready()
        return self._worker

    def stop(self) -> None:
        """Stop the worker if it runs."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None
