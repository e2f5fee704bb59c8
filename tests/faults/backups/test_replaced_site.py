"""The restore over a site in use: what was erased, hidden or ended since the backup stays so, and all or nothing."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.operations.conftest import *  # noqa: F403 (its fixtures)
from tests.operations.place import NEW_CLUB, Place, lines_of, write_backup_of
from tests.services.redis import BINDINGS, RedisServer

pytestmark = pytest.mark.nightly("process")

REPLACE = ("manage.py", "restore", "--replace")
# Before the backup: an open invitation, a token of a program. Prints what the changes are about.
PREPARE = """
import django; django.setup()
import datetime as dt, json
from django.utils import timezone
from clubs.models import *
now = timezone.now()
club = Club.objects.order_by("pk").first()
ClubLogEntry.objects.create(club=club, at=now, action="player_added", params={})
maker = club.memberships.first().user
ends = now + dt.timedelta(days=9)
Invitation.objects.create(club=club, role="helper", made_at=now, made_by=maker, expires_at=ends, digest="d")
yes = dict(may_read=True, may_enter=True, may_direct=True)
ProgramToken.objects.create(member=club.memberships.first(), digest="t", made_at=now, ends_on=ends.date(), **yes)
helper = User.objects.create(username="ended")
Membership.objects.create(user=helper, club=club, role="helper")
lower = User.objects.create(username="lowered")
Membership.objects.create(user=lower, club=club, role="director")
left = User.objects.create(username="gone", last_name="Left")
make = lambda name: Player.objects.create(club=club, last_name=name, person=Person.objects.create())
people = [make(name) for name in ("Er", "Hid", "As")]
print(json.dumps({"club": club.pk, "users": [helper.pk, lower.pk, left.pk], "players": [p.pk for p in people]}))
"""
# After the backup: an erasure, a hidden player, an ended and a lowered role, an erased account, a log-in, a used id.
CHANGE = """
import django; django.setup()
import json, sys
from django.contrib.sessions.models import Session as LogIn
from django.utils import timezone
from clubs.models import *
from clubs.shown import choose_shown
from tournaments.models import Session
from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_account, whom_of_player
told, now = json.loads(sys.argv[1]), timezone.now()
erased, hidden, asked = (Player.objects.get(pk=pk) for pk in told["players"])
helper, lower, left = told["users"]
erase(whom_of_player(erased), by=None, now=now)
choose_shown(player=hidden, shown="hidden", way="link", by=None, now=now)
Player.objects.filter(pk=asked.pk).update(erasure_asked_at=now)
Membership.objects.filter(user=helper).delete()
Membership.objects.filter(user=lower).update(role="helper", ends_on="2099-01-01")
erase(whom_of_account(User.objects.get(pk=left)), by=None, now=now)
LogIn.objects.create(session_key="k" * 32, session_data="", expire_date=now)
used = Club.objects.create(name="Used", slug="used").pk
Club.every.update(names_version=700)
Session.objects.update(told_version=800, revision=900)
User.objects.update(access_version=600)
print(used)
"""
LOOK = """
import django; django.setup()
import json, sys
from django.contrib.sessions.models import Session as LogIn
from clubs.models import *
from tournaments.models import Session
told = json.loads(sys.argv[1])
erased, hidden, asked = (Player.objects.get(pk=pk) for pk in told["players"])
helper, lower, left = told["users"]
session = Session.objects.first()
print(json.dumps({
    "erased": [erased.erased_at is not None, erased.last_name == "Er"],
    "shown": hidden.person.shown,
    "asked": asked.erasure_asked_at is not None,
    "helper": Membership.objects.filter(user=helper).exists(),
    "lower": [[row.role, str(row.ends_on)] for row in Membership.objects.filter(user=lower)],
    "left": User.objects.filter(pk=left, username="gone").exists(),
    "log-ins": LogIn.objects.count(),
    "open": Invitation.objects.filter(used_at=None, revoked_at=None).count(),
    "tokens": ProgramToken.objects.count(),
    "versions": [
        min(Club.every.values_list("names_version", flat=True)),
        min(User.objects.values_list("access_version", flat=True)), session.told_version, session.revision > 900,
    ],
    "clubs": Club.objects.filter(slug="used").count(),
}))
"""
AFTER = {
    "erased": [True, False],
    "shown": "hidden",
    "asked": True,
    "helper": False,
    "lower": [["helper", "2099-01-01"]],
    "left": False,
    "log-ins": 0,
    "open": 0,
    "tokens": 0,
    "versions": [701, 601, 801, True],
    "clubs": 0,
}


@pytest.fixture(params=["laptop", "server"])
def site(request, used, tmp_path):
    """Make a used site, on SQLite or PostgreSQL."""
    if request.param == "laptop":
        shutil.copyfile(used.folder / "db.sqlite3", tmp_path / "db.sqlite3")
        return Place(tmp_path)
    place = request.getfixturevalue("server")
    place.succeed("manage.py", "restore", str(used.back_up("for-server.gz")))
    return place


def test_what_was_ended_since_the_backup_stays_ended(site):
    told = site.succeed("-c", PREPARE)
    backup = site.back_up()
    used_id = int(site.succeed("-c", CHANGE, told))
    before = lines_of(site.back_up("before.gz"))

    declined = site.run(*REPLACE, str(backup), given="perhaps\n")
    assert "There now: 9 clubs" in declined.stdout
    assert "To come:   8 clubs" in declined.stdout
    assert "You did not type yes" in declined.stderr
    assert lines_of(site.back_up("still.gz")) == before

    site.succeed(*REPLACE, str(backup), "--yes")
    assert json.loads(site.succeed("-c", LOOK, told)) == AFTER
    last, made = map(int, site.succeed("-c", NEW_CLUB).split())
    assert last < used_id < made
    saved = next((site.folder / "backups").glob("before-restore-*.gz"))
    assert lines_of(saved) == before


def test_older_site_takes_nothing_away_from_a_newer_backup(site):
    """Check that a row which the site lacks is not taken for a deleted one where the site is older than the backup."""
    older = site.back_up("older.gz")
    told = site.succeed("-c", PREPARE)
    newer = site.back_up("newer.gz")
    site.succeed(*REPLACE, str(older), "--yes")
    site.succeed(*REPLACE, str(newer), "--yes")
    found = json.loads(site.succeed("-c", LOOK, told))
    assert (found["helper"], found["left"], found["lower"]) == (True, True, [["director", "None"]])
    assert found["erased"] == [False, True]


def test_restore_that_fails_changes_nothing(site, tmp_path):
    before = lines_of(site.back_up())
    place = next(number for number, line in enumerate(before) if b'"table":"clubs_club"' in line)
    broken = write_backup_of(tmp_path / "broken.gz", [*before[: place + 1], *before[place + 2 : -1]])
    assert "Nothing is restored" in site.refuse(*REPLACE, str(broken), "--yes")
    assert lines_of(site.back_up("after.gz")) == before


def test_restore_is_refused_while_others_use_the_database(server, backup):
    with psycopg.connect(server.environment["DATABASE_URL"]):
        assert "1 other connections use the database" in server.refuse(*REPLACE, str(backup), "--yes")
    server.succeed(*REPLACE, str(backup), "--yes")


# Puts an old page and old jobs into Redis. A worker that was killed has taken one of them.
FILL_REDIS = """
import django; django.setup()
from django.core.cache import caches
from jobs.tasks import compute_standings, sweep_standings
for name in ("default", "pages"):
    caches[name].set("old", "page")
compute_standings.apply_async((1,))
sweep_standings.apply_async()
"""


@pytest.fixture
def redis():
    """Start a Redis of this test alone, since the test empties it."""
    with TemporaryDirectory(prefix="topage-", dir="/tmp") as folder:  # a socket needs a short path
        server = RedisServer(Path(folder) / "redis")
        server.start()
        yield server
        server.stop()


def test_old_pages_and_old_jobs_are_gone_after_a_restore(used, backup, tmp_path, redis):
    shutil.copyfile(used.folder / "db.sqlite3", tmp_path / "db.sqlite3")
    site = Place(tmp_path)
    site.environment["REDIS_URL"] = redis.url
    site.succeed("-c", FILL_REDIS)
    redis.client.hset("unacked", "tag", redis.client.lindex("standings", 0))
    assert [redis.client.llen(queue) for queue in ("standings", "rest")] == [1, 1]
    assert sum(key.endswith(b":old") for key in redis.client.scan_iter()) == 2
    told = site.succeed(*REPLACE, str(backup), "--yes")
    assert [key for key in redis.client.scan_iter() if not key.startswith(BINDINGS.rstrip(b"."))] == []
    assert "Redis" not in told
    redis.stop()
    assert "Redis is not emptied" in site.succeed(*REPLACE, str(backup), "--yes")
