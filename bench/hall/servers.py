"""The servers of a site on this machine, started as the tests start them, with the settings of Compose."""

import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tests.services.postgres import PostgresServer
from tests.services.redis import RedisServer

if TYPE_CHECKING:
    from tests.services.worker import Worker

DATABASE = "topage"
NICENESS = 6  # a quarter of the processor time of the others, where all want it: 256 `cpu_shares` of 1 024
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "bench.hall.settings",
    "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
    "HTTPS": "no",
    "LOG_LEVEL": "WARNING",
    "NUM_PROXIES": "1",
}
NOT_OURS = (
    "CSRF_TRUSTED_ORIGINS",
    "DATABASE_SECONDS",
    "DATABASE_URL",
    "DEBUG",
    "JOB_DATABASE_SECONDS",
    "NUM_PROXIES",
    "REDIS_URL",
    "PAGES_REDIS_URL",
    "SWEEP_SECONDS",
)


@contextmanager
def folder_of_run() -> Iterator[Path]:
    # Paths of sockets must be short, and the user of PostgreSQL must be able to enter the folder.
    folder = Path(tempfile.mkdtemp(prefix="topage-", dir="/tmp"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def give_way(group: int) -> None:
    """Let other processes go before a process group, as `cpu_shares` in Compose does. `group` leads a session.

    Where Linux shares the processor out by sessions, the priority of the session counts, else that of its processes.
    """
    os.setpriority(os.PRIO_PGRP, group, NICENESS)
    with suppress(FileNotFoundError):
        Path(f"/proc/{group}/autogroup").write_text(str(NICENESS))


class Server:
    """A site in a folder of its own, as on a server or as on a laptop. All its processes end with the `with` block."""

    def __init__(self, folder: Path, *, laptop: bool, processes: int, migrated: Path | None = None) -> None:
        self.folder, self.laptop, self.processes, self.migrated = folder, laptop, processes, migrated
        self.started = ExitStack()
        self.workers: list[Worker] = []
        for name in NOT_OURS:
            os.environ.pop(name, None)
        os.environ.update(SETTINGS, VAR_DIR=str(folder), SECRET_KEY=secrets.token_hex(32))
        os.environ["MODE"] = "laptop" if laptop else "server"
        signal.signal(signal.SIGTERM, lambda *_signal: exit(1))  # so that the other processes end too

    def __enter__(self) -> "Server":
        with ExitStack() as starting:
            if self.laptop and self.migrated:
                shutil.copyfile(self.migrated, self.folder / "db.sqlite3")
            if not self.laptop:
                postgres = PostgresServer(self.folder / "postgres", options=())
                starting.callback(postgres.stop)
                postgres.start()
                postgres.make(DATABASE, self.migrated)
                self.redis = RedisServer(self.folder / "redis")
                starting.callback(self.redis.stop)
                self.redis.start()
                os.environ.update(DATABASE_URL=postgres.url(DATABASE), REDIS_URL=self.redis.url)
            self.started = starting.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.started.close()

    def start_workers(self) -> None:
        """Start the workers if they do not run: one for standings, and one for all else, which lets the site go first.

        A laptop has no worker.
        """
        if self.laptop or self.workers:
            return
        from tests.services.worker import Worker

        self.started.callback(self.stop_workers)
        for queues, sweep_seconds in (("standings", None), ("rest,mails,searches,bots", 30)):
            worker = Worker(self.redis, os.environ["DATABASE_URL"], sweep_seconds=sweep_seconds, queues=queues)
            self.workers.append(worker)
        give_way(self.workers[-1].child.pid)

    def stop_workers(self) -> None:
        """Let both workers finish, because a job of one may give the other one a job. Then kill them."""
        from tests.services.waiting import PATIENCE, wait_until

        wait_until(
            lambda: all(worker.is_at_rest() for worker in 2 * self.workers),
            seconds=2 * PATIENCE,  # one of them gives way to all other processes of a busy machine
            what="the workers to finish",
        )
        for worker in self.workers:
            worker.kill()

    def jobs(self, task: str) -> int:
        """Return how many jobs with that name the workers have begun so far."""
        return sum(worker.jobs(task) for worker in self.workers)

    def start_site(self) -> tuple[int, list[int]]:
        """Start the site as README and Compose do. Return its port and the ids of its processes."""
        from tests.services.site import OURS, Site
        from tests.services.waiting import wait_until

        count = 0 if self.laptop or self.processes == 1 else self.processes
        told = {name: os.environ[name] for name in OURS if name in os.environ} | {"VAR_DIR": str(self.folder)}
        command = f"python manage.py serve --processes {count or 1}"
        site = Site(command, self.folder, **told)
        self.started.callback(site.child.stop)
        wait_until(lambda: len(site.child.children) == count, what="the processes of the site")
        return site.port, [site.child.pid, *site.child.children]
