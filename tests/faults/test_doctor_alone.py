"""The doctor on whole sites: a laptop, a server without its database, real workers."""

import json
import os
import subprocess
import sys

import pytest

from operations.doctor import examining
from operations.doctor.findings import Level
from operations.management.commands.upgrade import find_queues_without_worker
from tests.config.test_settings import python
from tests.operations.test_compose import NEEDED, interpolated
from tests.operations.test_doctor import examine, levels
from tests.services.site import PROJECT, free_port
from tests.services.waiting import wait_until
from tournaments.queue import age_of_tick

pytestmark = pytest.mark.nightly("process")


def run_doctor(folder, *arguments, **environment):
    """Run the command as its own process. Return exit code and output."""
    told = {"PATH": os.environ["PATH"], "VAR_DIR": str(folder)} | environment
    command = [sys.executable, "manage.py", "doctor", *arguments]
    ended = subprocess.run(command, cwd=PROJECT, env=told, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    return ended.returncode, ended.stdout


def test_laptop_without_tables_is_told_to_migrate_and_lacks_only_a_backup_then(tmp_path):
    folder = tmp_path / "var"
    code, told = run_doctor(folder)
    assert (code, "Do:  Make a backup, then run `python manage.py migrate`." in told) == (2, True), told
    assert python("manage.py", "migrate", VAR_DIR=str(folder)).returncode == 0
    code, told = run_doctor(folder, "--json")
    assert [each["subject"] for each in json.loads(told)["findings"] if each["level"] != "good"] == ["backups"]
    assert (code, json.loads(told)["level"]) == (1, "warning")


def test_server_without_database_and_redis_is_examined_to_the_end(tmp_path):
    away = {"DATABASE_URL": f"postgres://topage@127.0.0.1:{free_port()}/topage", "REDIS_URL": f"unix://{tmp_path}/none"}
    code, told = run_doctor(tmp_path, "--json", **interpolated(NEEDED) | away)
    findings = json.loads(told)["findings"]
    assert code == 2
    assert {each["subject"] for each in findings} == set(examining.list_subjects())
    wrong = {each["subject"] for each in findings if each["level"] == "error"}
    assert {"database", "migrations", "redis", "queues", "workers", "beat"} <= wrong
    assert all(each["why"] and each["do"] for each in findings if each["level"] != "good")
    assert "pa55word" not in told
    assert NEEDED["SECRET_KEY"] not in told


def test_server_is_told_which_settings_it_lacks(tmp_path):
    lacking = interpolated(NEEDED) | {"SITE_URL": "", "ALLOWED_HOSTS": "*", "NUM_PROXIES": "0", "DEBUG": "yes"}
    lacking |= {"DATABASE_URL": "postgres://topage@127.0.0.1:1/none", "REDIS_URL": f"unix://{tmp_path}/none"}
    code, told = run_doctor(tmp_path, "--json", **lacking)
    what = " ".join(each["what"] for each in json.loads(told)["findings"])
    assert code == 2
    for words in ("SITE_URL is", "ALLOWED_HOSTS", "NUM_PROXIES is 0", "imprint", "security.W018", "has no password"):
        assert words in what


def test_site_with_redis_and_a_worker_is_well_and_without_them_is_not(start_worker, redis_server):
    lacking = [Level.ERROR] * 3 + [Level.WARNING] * 2
    assert (levels("workers"), find_queues_without_worker()) == (lacking, [])
    worker = start_worker(queues="standings")
    assert levels("workers") == [Level.GOOD, *lacking[1:]]
    assert find_queues_without_worker() == ["rest", "mails", "searches", "bots"]
    assert levels("redis") == levels("database") == [Level.GOOD]
    worker.kill()
    redis_server.stop()
    assert [level for name in ("redis", "queues", "workers", "beat") for level in levels(name)] == [Level.ERROR] * 4
    assert (set(levels("clock")), find_queues_without_worker()) == ({Level.GOOD}, [])


def test_sweep_writes_the_tick_by_which_beat_is_known(start_worker):
    assert examine("beat") == [(Level.ERROR, "No tick is known.")]
    start_worker(sweep_seconds=1)
    wait_until(lambda: age_of_tick() is not None, what="the sweep")
    assert levels("beat") == [Level.GOOD]
