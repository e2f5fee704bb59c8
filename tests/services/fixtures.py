"""The fixtures around the servers. Which one a test asks for decides where its jobs run:

- no worker asked for: jobs run in the process, as on a laptop. A plain `django_db` test never commits, so what it
  queues after the commit is never run; let it run with `django_capture_on_commit_callbacks(execute=True)`, or ask for
  `transactional_db`;
- `worker`, `start_worker` or `redis_server`: jobs go through Redis, and real workers on the test database run them.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.db.models.signals import post_save
from django.test import TransactionTestCase, override_settings
from django.utils.translation import override

from config.celery import app
from tests.services import plugin
from tests.services.postgres import PostgresServer
from tests.services.redis import RedisServer
from tests.services.site import OURS, PROJECT, Site
from tests.services.worker import SharedWorker, Worker
from tournaments import queue
from tournaments.queue import Background

REAL_JOBS = {"worker", "start_worker", "redis_server"}
# Written by the migrations, and by no test.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> PostgresServer:
    """The PostgreSQL of this run, started."""
    server = request.config.stash[plugin.postgres_server]
    server.start()
    return server


@pytest.fixture(scope="session", autouse=True)
def settings_of_tests() -> Iterator[None]:
    """Passwords are hashed by a quick method, for the slow one costs a third of a second a user. Static files are
    looked for when they are asked for: to list them all costs each new client a fiftieth of a second.
    """
    quick = {"PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"], "WHITENOISE_AUTOREFRESH": True}
    with override_settings(**quick):
        yield


@pytest.fixture(scope="session", autouse=True)
def emptied_at_little_cost() -> Iterator[None]:
    """Django's flush makes every table anew and tells all the site that it was migrated, a tenth of a second a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda test_case: empty_the_database())
        yield


def empty_the_database() -> None:
    """Delete every row that tests write. Like a flush, wait for whoever writes, and let nobody in between."""
    names = [connection.ops.quote_name(name) for name in connection.introspection.table_names() if name not in KEPT]
    found = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in names)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE")
        cursor.execute(found)
        filled = [name for (name,) in cursor.fetchall()]
        cursor.execute("SET LOCAL session_replication_role = replica")  # no order of deletion by foreign keys
        for name in filled:
            cursor.execute(f"DELETE FROM {name}")


@pytest.fixture(scope="session", autouse=True)
def log_is_told() -> Iterator[None]:
    """Whatever line any test has written into a session's log reads in both languages, or that test fails."""
    from tournaments.models import LogEntry
    from tournaments.words.log_words import say_log

    def tell(instance: LogEntry, **signal: object) -> None:
        for language in ("fr", "en"):
            with override(language):
                say_log(instance)

    post_save.connect(tell, sender=LogEntry)
    yield
    post_save.disconnect(tell, sender=LogEntry)


@pytest.fixture(autouse=True)
def jobs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Choose where jobs run, and leave no queue, cache or throttle behind for the next test."""
    redis = request.config.stash[plugin.redis_server]
    if not redis.running:
        redis.start()
    monkeypatch.setattr(app.conf, "task_always_eager", REAL_JOBS.isdisjoint(request.fixturenames))
    yield
    redis.purge()
    forget_what_is_kept()


def forget_what_is_kept() -> None:
    """Empty what this process keeps of rows by their versions: rows that are rolled back come again with the same."""
    from tournaments.permissions import kept_session  # whose apps are not ready where this file is read
    from tournaments.plays import common, desk_state
    from tournaments.web.desk import settled

    caches["process"].clear()
    desk_state.kept.clear()
    settled.kept.clear()
    common.kept_common.cache_clear()
    kept_session.cache_clear()


@pytest.fixture
def work_in_background(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Background]]:
    """Have a thread run the jobs, as in a laptop's process that serves: `work_in_background(sweep_seconds=1)`."""
    started: list[Background] = []

    def start(*, sweep_seconds: float = 3600) -> Background:
        started.append(Background(sweep_seconds))
        monkeypatch.setattr(queue, "without_worker", started[-1])
        return started[-1]

    yield start
    for background in started:
        background.stop()


@pytest.fixture
def redis_server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    """The Redis of this run, to be stopped and started; it runs again when the test ends."""
    server = request.config.stash[plugin.redis_server]
    yield server
    if not server.running:
        server.start()


@pytest.fixture(scope="session")
def shared_worker(
    request: pytest.FixtureRequest, postgres_server: PostgresServer, django_db_setup: None
) -> Iterator[SharedWorker]:
    """The worker that tests share; it is gone before the test database is dropped."""
    database = postgres_server.url(connection.settings_dict["NAME"])
    shared = SharedWorker(request.config.stash[plugin.redis_server], database)
    yield shared
    shared.stop()


@pytest.fixture
def worker(transactional_db: None, redis_server: RedisServer, shared_worker: SharedWorker) -> Iterator[Worker]:
    """A real worker; when the test ends it finishes its jobs before the database is emptied."""
    worker = shared_worker.get()
    yield worker
    if not redis_server.running:
        redis_server.start()
    worker.wait_until_ready()
    worker.wait_until_at_rest()


@pytest.fixture
def start_worker(
    request: pytest.FixtureRequest,
    transactional_db: None,
    redis_server: RedisServer,
    postgres_server: PostgresServer,
    shared_worker: SharedWorker,
) -> Iterator[Callable[..., Worker]]:
    """Start a worker of the test's own, to be killed, stopped or joined by others: `start_worker(sweep_seconds=1)`.

    Unless the test asks for `worker` too, no other worker runs meanwhile.
    """
    if "worker" not in request.fixturenames:
        shared_worker.stop()
    database = postgres_server.url(connection.settings_dict["NAME"])
    started: list[Worker] = []

    def start(**how: Any) -> Worker:
        started.append(Worker(redis_server, database, **how))
        return started[-1]

    yield start
    for worker in started:
        worker.stop()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Serve the site in a process of its own: `serve(command, DATABASE_URL=…)`. It ends with the test."""
    with ExitStack() as ends:

        def start(command: str = "python manage.py serve", **environment: str) -> Site:
            served = Site(command, tmp_path, **environment)
            ends.callback(served.child.kill)
            return served

        yield start


@pytest.fixture(scope="session")
def demo_of_the_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a demonstration, played once for all processes of the run: to be copied."""
    shared = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        shared = shared.parent
    folder = shared / "demo"
    with (shared / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            whole = shared / "demo.whole"
            ours = {name: value for name, value in os.environ.items() if name not in OURS}
            command = [sys.executable, str(PROJECT / "manage.py"), "demo", "--no-serve", "--before", "0"]
            subprocess.run(command, env=ours | {"VAR_DIR": str(whole)}, check=True, capture_output=True)
            whole.rename(folder)
    return folder


@pytest.fixture
def played_demo(demo_of_the_run: Path, tmp_path: Path) -> Path:
    """A folder in which `make demo` has been run before: it begins at once, and plays nothing."""
    shutil.copytree(demo_of_the_run, tmp_path / "var")
    return tmp_path
