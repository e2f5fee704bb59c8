"""The lock by which a restore and the processes that serve know of each other."""

import fcntl
import os

import pytest
from django.core.management import CommandError

from jobs.management import presence


@pytest.fixture(autouse=True)
def folder(tmp_path, settings, monkeypatch):
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(presence, "held", [])
    yield tmp_path
    end_processes()


def end_processes():
    """Close the files that processes hold to their end."""
    while presence.held:
        os.close(presence.held.pop())


def test_several_processes_serve_at_once_and_no_restore_claims_the_site():
    presence.hold_presence()
    presence.hold_presence()
    with pytest.raises(CommandError, match="The site serves"):
        presence.claim_site()
    end_processes()
    presence.claim_site()


def test_process_that_starts_during_a_restore_is_refused(folder):
    with (folder / presence.FILE).open("a") as restore:
        fcntl.flock(restore, fcntl.LOCK_EX)
        with pytest.raises(CommandError, match="A restore is under way"):
            presence.hold_presence()
    presence.hold_presence()


def test_server_that_cannot_write_serves_and_leaves_the_question_to_postgresql(settings, folder):
    settings.VAR_DIR = folder / "missing"
    presence.hold_presence()
    settings.SERVER = True
    presence.claim_site()
    settings.SERVER = False
    with pytest.raises(FileNotFoundError):
        presence.claim_site()
