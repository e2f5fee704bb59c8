"""The signs of life of a worker, and the check of its container, which ends a worker that hangs."""

import os
import socket
import subprocess
from resource import RUSAGE_CHILDREN, getrusage
from time import time

import pytest

from config import celery
from config.celery import HUNG, Pulse
from tests.operations.test_compose import COMPOSE, WORKERS
from tests.services.waiting import wait_until


@pytest.mark.parametrize(
    ("seconds_without_a_turn", "redis_answers", "works"),
    [(0, True, True), (HUNG - 1, True, True), (HUNG + 1, True, False), (HUNG + 1, False, True)],
)
def test_worker_hangs_if_its_loop_does_not_turn_while_redis_answers(
    seconds_without_a_turn, redis_answers, works, monkeypatch
):
    pulse = Pulse()
    pulse.turned_at -= seconds_without_a_turn
    monkeypatch.setattr(celery, "redis_answers", lambda: redis_answers)
    assert pulse.works() == works
    pulse.note_turn()
    assert pulse.works()


@pytest.mark.parametrize(("minutes", "healthy", "lives"), [(0, True, True), (2, False, True), (5, False, False)])
@pytest.mark.parametrize("service", WORKERS)
def test_check_of_a_worker_ends_it_once_it_hangs(service, minutes, healthy, lives, tmp_path):
    kind, command = COMPOSE["services"][service]["healthcheck"]["test"]
    file = tmp_path / "alive"
    command = command.replace("/tmp/alive", str(file)).replace("$$", "$")
    with subprocess.Popen(["sleep", "60"]) as hanging:
        file.write_text(str(hanging.pid))
        os.utime(file, (time(), time() - 60 * minutes))
        assert (kind, subprocess.run(["sh", "-c", command], check=False).returncode == 0) == ("CMD-SHELL", healthy)
        if lives:
            assert hanging.poll() is None
            hanging.kill()
        assert hanging.wait(10) == -9


def test_check_of_a_worker_takes_a_thousandth_of_a_core_at_most(tmp_path):
    """Check the least of some tries: each check is a process of its own, whatever else the machine does."""
    described = COMPOSE["services"]["worker"]["healthcheck"]
    (tmp_path / "alive").write_text("1")
    command = described["test"][1].replace("/tmp/alive", str(tmp_path / "alive")).replace("$$", "$")
    spent = []
    for _time in range(5):
        before = getrusage(RUSAGE_CHILDREN)
        assert subprocess.run(["sh", "-c", command], check=False).returncode == 0
        after = getrusage(RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.001 * int(described["interval"].removesuffix("s"))


def test_worker_that_has_not_begun_is_unhealthy_and_is_left_alone(tmp_path):
    command = COMPOSE["services"]["worker"]["healthcheck"]["test"][1].replace("/tmp/alive", str(tmp_path / "missing"))
    ended = subprocess.run(["sh", "-c", command.replace("$$", "$")], check=False, capture_output=True, text=True)
    assert (ended.returncode, "kill" in ended.stderr) == (1, False)


@pytest.mark.nightly("process")
def test_worker_gives_signs_of_life_to_its_container_and_to_systemd(start_worker, tmp_path):
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name)
        listening.settimeout(60)
        worker = start_worker(WORKER_ALIVE=str(tmp_path / "alive"), NOTIFY_SOCKET=name)
        assert listening.recv(100) == b"WATCHDOG=1"
    wait_until((tmp_path / "alive").exists, what="the file of a worker that works")
    assert (tmp_path / "alive").read_text() == str(worker.child.pid)
