"""The servers of a site on this machine, started as the tests start them, with the settings of Compose."""

import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.services.postgres import PostgresServer
from tests.services.redis import RedisServer

if TYPE_CHECKING:
    from tests.services.worker import Worker

DATABASE = "topage"
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "bench.hall.settings",
    "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
    "HTTPS": "no",
    "LOG_LEVEL": "WARNING",
}
NOT_OURS = (
    "CSRF_TRUSTED_ORIGINS",
    "DATABASE_SECONDS",
    "DATABASE_URL",
    "DEBUG",
    "JOB_DATABASE_SECONDS",
    "NUM_PROXIES",
    "REDIS_URL",
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


class Server:
    """A site in a folder of its own, as on a server or as on a laptop. All its processes end with the `with` block."""

    def __init__(self, folder: Path, *, laptop: bool, processes: int, migrated: Path | None = None) -> None:
        self.folder, self.laptop, self.processes, self.migrated = folder, laptop, processes, migrated
        self.started = ExitStack()
        self.worker: Worker | None = None
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

    def start_worker(self) -> None:
        """Start the worker if it does not run. A laptop has no worker."""
        if self.laptop or self.worker is not None:
            return
        from tests.services.worker import Worker

        self.worker = Worker(self.redis, os.environ["DATABASE_URL"], sweep_seconds=30)
        self.started.callback(self.worker.stop)

    def jobs(self, task: str) -> int:
        """Return how many jobs with that name the worker has begun so far."""
        return self.worker.jobs(task) if self.worker else 0

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
