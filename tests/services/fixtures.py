"""The fixtures around the servers. They decide where the jobs of a test run.

- Without a worker, jobs run in the process, as on a laptop. A plain `django_db` test never commits, so jobs queued
  for after the commit never run. To run them, use `django_capture_on_commit_callbacks(execute=True)` or
  `transactional_db`.
- With `worker`, `start_worker` or `redis_server`, jobs go through Redis, and real workers on the test database run
  them.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.db.models.signals import post_save
from django.test import TestCase, TransactionTestCase, client, override_settings
from django.test.utils import ContextList
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
# The migrations write these, and no test does.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> PostgresServer:
    """Start the PostgreSQL of this run, and return it."""
    server = request.config.stash[plugin.postgres_server]
    server.start()
    return server


@pytest.fixture(scope="session", autouse=True)
def settings_of_tests() -> Iterator[None]:
    """Set a quick hash for passwords, and find static files on demand.

    The slow hash costs a third of a second for each user. Listing all static files costs each new client a fiftieth of
    a second.
    """
    quick = {"PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"], "WHITENOISE_AUTOREFRESH": True}
    with override_settings(**quick):
        yield


@pytest.fixture(scope="session", autouse=True)
def each_context_once() -> Iterator[None]:
    """Keep only the context of the view and those that tags make, instead of a copy for each included template.

    Django's client copies the context of every included template, in loops too, which costs each request a twentieth of
    its time.
    """

    def keep(
        store: dict[str, Any], signal: object, sender: object, template: object, context: Any, **more: object
    ) -> None:
        store.setdefault("templates", []).append(template)
        known = store.setdefault("known", set())
        if not known:
            store["context"] = ContextList([copy(context)])
        elif id(context) not in known:
            store["context"].append(context)
        known.add(id(context))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "store_rendered_templates", keep)
        yield


@pytest.fixture(scope="session", autouse=True)
def emptied_at_little_cost() -> Iterator[None]:
    """Replace Django's flush, which makes every table anew and signals a migration: a tenth of a second a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda test_case: empty_the_database())
        yield


@pytest.fixture(scope="session", autouse=True)
def rows_of_a_file_checked_once() -> Iterator[None]:
    """Check the foreign keys of the rows that tests share, before a test begins inside their transaction.

    Otherwise each test checks them all at its end, and its rollback forgets that they were checked. That takes 60 ms a
    test if the file shares a large hall.
    """
    enter = TestCase._enter_atomics.__func__

    def check_and_enter(case: type[TestCase]) -> dict[str, transaction.Atomic]:
        if connection.in_atomic_block:
            connection.check_constraints()
        return enter(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestCase, "_enter_atomics", classmethod(check_and_enter))
        yield


def empty_the_database() -> None:
    """Delete every row that tests write. Like a flush, wait for other writers, and lock the tables meanwhile."""
    names = [connection.ops.quote_name(name) for name in connection.introspection.table_names() if name not in KEPT]
    found = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in names)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE")
        cursor.execute(found)
        filled = [name for (name,) in cursor.fetchall()]
        cursor.execute("SET LOCAL session_replication_role = replica")  # so foreign keys require no order of deletion
        for name in filled:
            cursor.execute(f"DELETE FROM {name}")


@pytest.fixture(scope="session", autouse=True)
def log_is_told() -> Iterator[None]:
    """Fail a test that writes a line into a session's log which cannot be read in one of the languages."""
    from tournaments.models import LogEntry
    from tournaments.words.log_sentences import say_log

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
    """Empty the caches of rows by their versions, because rows after a rollback can have the same versions again."""
    from evenings.plays import common, desk_state
    from pages.desk import settled
    from rankings.publication import publishing
    from tournaments.permissions import kept_session  # its apps are not ready when this file is imported

    caches["process"].clear()
    desk_state.kept.clear()
    settled.kept.clear()
    common.kept_common.cache_clear()
    kept_session.cache_clear()
    publishing.keep_digest.cache_clear()


@pytest.fixture
def work_in_background(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Background]]:
    """Provide a function that runs jobs in a thread, as a laptop does: `work_in_background(sweep_seconds=1)`."""
    started: list[Background] = []

    def start(*, sweep_seconds: float = 3600) -> Background:
        started.append(Background(sweep_seconds))
        monkeypatch.setattr(queue, "without_worker", started[-1])
        return started[-1]

    yield start
    for background in started:
        background.stop()


@pytest.fixture
def mails_at_once(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Send the mails of pages while they are asked for: a transaction that is rolled back queues no job."""
    from outgoing.mailing import queued  # its apps are not ready when this file is imported

    monkeypatch.setattr(queued, "transaction", SimpleNamespace(on_commit=lambda job, **_how: job()))
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.SITE_URL = settings.SITE_URL or "http://testserver"


@pytest.fixture
def redis_server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    """Return the Redis of this run, which a test may stop and start. It runs again when the test ends."""
    server = request.config.stash[plugin.redis_server]
    yield server
    if not server.running:
        server.start()


@pytest.fixture(scope="session")
def shared_worker(
    request: pytest.FixtureRequest, postgres_server: PostgresServer, django_db_setup: None
) -> Iterator[SharedWorker]:
    """Provide the worker that tests share, and stop it before the test database is dropped."""
    database = postgres_server.url(connection.settings_dict["NAME"])
    shared = SharedWorker(request.config.stash[plugin.redis_server], database)
    yield shared
    shared.stop()


@pytest.fixture
def worker(transactional_db: None, redis_server: RedisServer, shared_worker: SharedWorker) -> Iterator[Worker]:
    """Provide a real worker. When the test ends it finishes its jobs before the database is emptied."""
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
    """Provide a function that starts a worker for this test alone: `start_worker(sweep_seconds=1)`.

    The test may kill it, stop it or start others beside it. If the test does not ask for `worker` too, no other worker
    runs meanwhile.
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
    """Provide a function that serves the site in its own process during the test: `serve(command, DATABASE_URL=…)`."""
    with ExitStack() as ends:

        def start(command: str = "python manage.py serve", *, port: int = 0, **environment: str) -> Site:
            served = Site(command, tmp_path, port=port, **environment)
            ends.callback(served.child.kill)
            return served

        yield start


@pytest.fixture(scope="session")
def demo_of_the_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the demonstration once for all processes of the run, and return the folder with its data, to be copied."""
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
    """Return a folder in which `make demo` has been run, so that it starts at once and plays nothing."""
    shutil.copytree(demo_of_the_run, tmp_path / "var")
    return tmp_path
