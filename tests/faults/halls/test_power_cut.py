"""A laptop's power cut, and a site that is killed between writing and answering.

A power cut leaves the writes up to the last fsync of each file. `synced.c` copies each file of the database when the
site syncs it, before the site goes on. So the folder of copies is the disk after a power cut at any moment. The later
writes of an old file may survive a real cut too, in any order; SQLite's checksums make them whole or nothing.
"""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import groupby
from threading import Event

import pytest

from tests.faults.halls.preloads import build_library
from tests.faults.halls.small_hall import SmallHall, begin_and_enter, check_of
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")

# The process ends when the response is made, and all is committed, but nothing is sent yet.
KILLING = """
import os, signal
from django.core.handlers.wsgi import WSGIHandler
answer = WSGIHandler.__call__
def answer_and_end(self, environ, start_response):
    told = answer(self, environ, start_response)
    if environ["PATH_INFO"].endswith("/send/") and os.path.exists(os.environ["ENDS"]):
        os.kill(os.getpid(), signal.SIGKILL)
    return told
WSGIHandler.__call__ = answer_and_end
"""


@pytest.fixture
def synced(tmp_path):
    """Return the environment in which the site notes what it syncs, and the folder of the copies."""
    library, folder = build_library("synced", tmp_path), tmp_path / "disk"
    folder.mkdir()
    return {"LD_PRELOAD": str(library), "SYNCED": str(folder)}, folder


def test_all_that_was_acknowledged_is_there_after_a_power_cut(synced, serve, migrated_laptop, tmp_path):
    environment, disk = synced
    hall = SmallHall(tmp_path / "site", migrated_laptop)
    shutil.copy(tmp_path / "site" / "db.sqlite3", disk)
    site, enough = serve(**hall.environment | environment), Event()
    of_tables = [list(plays) for _, plays in groupby(sorted(hall.plays, key=by_table), by_table)]

    def play_until_the_cut(plays):
        """Return what the phone has to send again: the commands without an answer, and all later ones."""
        left = [(play, commands) for play in plays for commands in (begin_and_enter(play), [check_of(play)])]
        try:
            while left:
                assert hall.send(site, *left[0])[0] == 200
                del left[0]
                if len(hall.ledger) > len(hall.plays):
                    enough.set()
        except OSError:
            enough.set()
        return left

    # The last connection that closes writes and syncs everything. This one stays open.
    with (
        closing(sqlite3.connect(tmp_path / "site" / "db.sqlite3")) as reader,
        ThreadPoolExecutor(len(of_tables)) as phones,
    ):
        reader.execute("SELECT count(*) FROM tournaments_play").fetchone()
        played = [phones.submit(play_until_the_cut, plays) for plays in of_tables]
        assert enough.wait(60)
        site.child.kill()
        left = [pair for phone in played for pair in phone.result()]
        after = tmp_path / "after"
        shutil.copytree(disk, after)

    hall.environment = hall.environment_in(after)
    acknowledged = {key for key, (kind, _) in hall.ledger.items() if kind == "enter"}
    assert acknowledged
    assert left
    found = hall.examine(seconds=0)
    assert acknowledged <= found["entries"].keys()
    assert {key for key, (kind, _) in hall.ledger.items() if kind == "check"} <= set(found["checks"])
    with closing(sqlite3.connect(after / "db.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    site = serve(**hall.environment)
    for play, commands in left:
        assert hall.send(site, play, commands)[0] == 200
    assert len(hall.assert_nothing_is_lost()["current"]) == len(hall.plays)


def by_table(play):
    return play["table"]


def test_result_whose_answer_was_killed_is_stored_once(serve, migrated_laptop, tmp_path):
    hall, flag, modules = SmallHall(tmp_path / "site", migrated_laptop), tmp_path / "ends", tmp_path / "modules"
    modules.mkdir()
    (modules / "sitecustomize.py").write_text(KILLING)
    environment = hall.environment | {"PYTHONPATH": str(modules), "ENDS": str(flag)}
    site = serve(**environment)
    hall.play_one(site, hall.plays[0])
    flag.touch()
    commands = begin_and_enter(hall.plays[1])
    with pytest.raises(OSError, match=r".*"):
        hall.send(site, hall.plays[1], commands)
    wait_until(lambda: not site.child.running, what="the killed site")
    found = hall.examine(seconds=0)
    assert commands[1]["key"] in found["entries"], "the site was killed before it wrote"
    flag.unlink()
    site = serve(**environment)
    for _time in range(2):
        assert hall.send(site, hall.plays[1], commands)[0] == 200
    for play in hall.plays[2:]:
        hall.play_one(site, play)
    hall.assert_nothing_is_lost()
