"""The lock by which a restore and the processes that serve know of each other."""

import fcntl
import os

import pytest
from django.core.management import CommandError

from jobs.management import processes


@pytest.fixture(autouse=True)
def folder(tmp_path, settings, monkeypatch):
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(processes, "held", [])
    yield tmp_path
    end_processes()


def end_processes():
    """Close the files that processes hold to their end."""
    while processes.held:
        os.close(processes.held.pop())


def test_several_processes_serve_at_once_and_no_restore_claims_the_site():
    processes.hold_presence()
    processes.hold_presence()
    with pytest.raises(CommandError, match="The site serves"):
        processes.claim_site()
    end_processes()
    processes.claim_site()


def test_process_that_starts_during_a_restore_is_refused(folder):
    with (folder / "serving.lock").open("a") as restore:
        fcntl.flock(restore, fcntl.LOCK_EX)
        with pytest.raises(CommandError, match="A restore is under way"):
            processes.hold_presence()
    processes.hold_presence()


def test_server_that_cannot_write_serves_and_leaves_the_question_to_postgresql(settings, folder):
    settings.VAR_DIR = folder / "missing"
    processes.hold_presence()
    settings.SERVER = True
    processes.claim_site()
    settings.SERVER = False
    with pytest.raises(FileNotFoundError):
        processes.claim_site()
