"""The plugin that sets the addresses of PostgreSQL and Redis before Django's settings are read.

The servers start when the first test needs them, so tests of pure code do not wait. They stop when pytest ends.
pytest-django reads the settings before any conftest.py, so this must be a plugin, named in pyproject.toml. The settings
are those of a laptop with a real database and a real broker. Other settings of the shell are ignored.
"""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.main import pytest_cmdline_main as run_tests
from hypothesis import settings

from operations.stack import give_room
from tests.services.postgres import PostgresServer
from tests.services.redis import RedisServer

pytest_plugins = [
    "tests.services.fixtures",
    "tests.services.limits",
    "tests.lanes.choosing",
    "tests.lanes.budget",
    "tests.lanes.names",
]

DATABASE = "topage"
SHARED = "TESTS_POSTGRES"  # the folder of a running server that this run may use, with a migrated database
# Requests and tests create many cycles. Collecting them after each 700 objects costs a twentieth of a run.
gc.set_threshold(50_000, 20, 20)
# The time of an example says more about the machine than about the code, so there is no deadline. Each run must find
# the same faults, so examples are derived from the test's own text. There are a tenth as many as in
# `--hypothesis-profile=search`, which draws new ones each time.
settings.register_profile("search", deadline=None)
settings.register_profile("suite", settings.get_profile("search"), derandomize=True, max_examples=10)
settings.load_profile("suite")
redis_server = pytest.StashKey[RedisServer]()
postgres_server = pytest.StashKey[PostgresServer]()


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one process more than there are cores, because some wait for a browser or a server.

    Quick tests hardly wait, so they get as many as there are cores. Each process costs ten seconds before its first
    test, and as long again until its caches are warm. So a command that names files gets no more processes than files,
    and for one file 0: pytest itself runs it.
    """
    files = {name.partition("::")[0] for name in config.args}
    most = len(os.sched_getaffinity(0)) + (config.getoption("lane") != "quick")
    if not all(Path(name).is_file() for name in files):
        return most
    return 0 if len(files) == 1 else min(len(files), most)


def pytest_cmdline_main(config: pytest.Config) -> int | pytest.ExitCode:
    """Run all tests with room on Python's stack, as the site's requests and jobs run."""
    return give_room(run_tests)(config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Set the environment for Django. The servers stop and their folder is deleted when pytest ends."""
    # A background run may have been told to ignore Ctrl-C, and every server that it starts would ignore it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Sockets need short paths: /tmp rather than a TMPDIR of any length. With 0711 PostgreSQL's own user can pass.
    folder = Path(tempfile.mkdtemp(prefix="topage-", dir="/tmp"))
    folder.chmod(0o711)
    early_config.add_cleanup(lambda: shutil.rmtree(folder))
    shared = os.environ.get(SHARED)
    postgres = PostgresServer(Path(shared or folder / "postgres"), shared=bool(shared))
    early_config.add_cleanup(postgres.stop)
    redis = RedisServer(folder / "redis")
    early_config.add_cleanup(redis.stop)
    early_config.stash[postgres_server] = postgres
    early_config.stash[redis_server] = redis
    set_environment(postgres.url(DATABASE), redis.url, folder / "var")
    return (yield)


def set_environment(database: str, redis: str, var: Path) -> None:
    """Set the environment of a laptop with this database, this Redis and this folder of data."""
    os.environ.update(
        MODE="laptop",
        SECRET_KEY="a key for the tests alone, as long as the site demands",
        DATABASE_URL=database,
        REDIS_URL=redis,
        VAR_DIR=str(var),
        LOG_LEVEL="WARNING",
        SCORE_THROTTLE="1000000/min",
        PLANS_THROTTLE="1000000/min",
        DATABASE_SECONDS="60",
        JOB_DATABASE_SECONDS="200",
    )
    for name in ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DEBUG", "HTTPS", "SITE_URL", "SWEEP_SECONDS", "TIME_ZONE"):
        os.environ.pop(name, None)
