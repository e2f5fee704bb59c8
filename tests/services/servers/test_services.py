"""The services of the tests: the servers are real, and they stop when they are told to."""

import subprocess
import sys
from pathlib import Path

import pytest
import redis
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import connection, transaction

from config.celery import app
from tests.factories import published_session
from tests.services.children import Child
from tests.services.fixtures import empty_the_database
from tests.services.jobs import add_user
from tests.services.waiting import wait_until
from tests.services.worker import PROJECT

pytestmark = pytest.mark.nightly("race")


def users() -> set[str]:
    return set(get_user_model().objects.values_list("username", flat=True))


def exists(pid: int) -> bool:
    """Return True if a process of this id runs. A zombie does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.django_db
def test_database_is_postgresql_18_on_its_own_socket(postgres_server):
    assert connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("show server_version")
        assert cursor.fetchone()[0].split(".")[0] == "18"
    assert connection.settings_dict["HOST"] == str(postgres_server.folder)
    assert connection.settings_dict["NAME"].startswith("test_topage")  # each process of a run has its own


def test_redis_is_the_broker_and_the_cache(redis_server):
    cache.set("etui", 36)
    assert cache.get("etui") == 36
    assert redis_server.client.exists(":1:etui")
    assert int(redis_server.client.info("server")["redis_version"].split(".")[0]) == 6
    with app.connection_for_write() as broker:
        assert broker.default_channel.client.ping()


def test_cache_is_empty_after_a_test_that_filled_it(redis_server):
    cache.set("etui", 36)
    redis_server.purge()
    assert cache.get("etui") is None


def test_emptied_database_holds_what_the_migrations_wrote_and_no_more(transactional_db):
    def filled() -> dict[str, int]:
        counts = {model._meta.db_table: model.objects.count() for model in apps.get_models(include_auto_created=True)}
        return {table: count for table, count in counts.items() if count}

    migrated = filled()
    assert set(migrated) == {"django_content_type", "auth_permission"}
    session = published_session(cards=True)
    get_user_model().objects.get().user_permissions.add(Permission.objects.first())
    assert {"tournaments_play", "clubs_user_user_permissions"} <= set(filled())
    empty_the_database()
    assert filled() == migrated
    # So jobs that are left from an earlier test never meet rows of a later one.
    assert published_session().pk > session.pk


def test_job_runs_in_the_process_when_no_worker_is_asked_for(transactional_db):
    add_user.delay("north")
    assert users() == {"north"}


@pytest.mark.django_db
def test_job_queued_after_commit_never_runs_in_a_test_that_does_not_commit(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        transaction.on_commit(lambda: add_user.delay("north"))
    assert users() == set()
    assert len(callbacks) == 1


def test_job_goes_through_redis_to_the_real_worker(worker):
    add_user.delay("south")
    assert wait_until(users) == {"south"}
    assert "add_user" in worker.log()


def test_shared_worker_is_the_same_and_its_database_empty_in_the_next_test(worker, shared_worker):
    assert shared_worker.get() is worker
    assert users() == set()


def test_redis_stopped_refuses_and_started_again_serves(worker, redis_server):
    redis_server.stop()
    with pytest.raises(redis.ConnectionError):
        redis_server.client.ping()
    with pytest.raises(add_user.OperationalError):
        add_user.delay("lost")
    redis_server.start()
    worker.wait_until_ready()
    add_user.delay("east")
    assert wait_until(users) == {"east"}


def test_killed_worker_leaves_its_job_undone_and_the_next_worker_takes_new_ones(start_worker):
    first = start_worker()
    add_user.delay("lost", seconds=60)
    wait_until(lambda: "received" in first.log())
    pid = first.child.pid
    first.kill()
    assert not exists(pid)
    start_worker()
    add_user.delay("west")
    assert wait_until(users) == {"west"}


def test_worker_with_a_beat_sweeps_again_and_again(start_worker):
    sweeper = start_worker(sweep_seconds=0.5)
    wait_until(lambda: sweeper.log().count("Task jobs.tasks.sweep_standings") >= 4, what="four sweeps")
    assert "Traceback" not in sweeper.log()


def test_child_stopped_is_gone_with_its_children(tmp_path):
    child = Child(["sh", "-c", "sleep 600 & echo $!; wait"], log=tmp_path / "log")
    grandchild = int(wait_until((tmp_path / "log").read_text))
    assert exists(grandchild)
    child.stop()
    assert not child.running
    wait_until(lambda: not exists(grandchild))


def test_child_dies_with_the_process_that_started_it(tmp_path):
    program = (
        "import sys, time; from pathlib import Path; from tests.services.children import Child;"
        "Child(['sh', '-c', 'echo $$; exec sleep 600'], log=Path(sys.argv[1])); time.sleep(600)"
    )
    log = tmp_path / "log"
    log.touch()
    with subprocess.Popen([sys.executable, "-c", program, log], cwd=PROJECT) as parent:
        pid = int(wait_until(log.read_text))
        parent.kill()
    wait_until(lambda: not exists(pid))


def test_wait_fails_with_what_it_waited_for():
    with pytest.raises(AssertionError, match=r"still waiting after 0 s for the tide"):
        wait_until(lambda: False, 0, "the tide")
