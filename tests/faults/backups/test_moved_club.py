"""A club that moves from a laptop to a server in mid-season, by the commands that docs/admin.md prints.

An evening is under way, and a phone holds a result. Processes are real: the laptop's site, then a server's site with
its worker and its beat.
"""

import json
import re
import secrets

import pytest

from tests.operations.conftest import *  # noqa: F403 (its fixtures)
from tests.services.site import PROJECT
from tests.services.worker import Worker

pytestmark = pytest.mark.nightly("process")

# Two published evenings, and one under way. Prints what the phone of its first table knows, and pages to compare.
PLAY = """
import django; django.setup()
import json
from django.urls import reverse
from tests.factories import garde, make_director, make_tournament, published_session, started_session
from tests.evenings.tables.phones import command, tokens_of
tournament = make_tournament()
director = make_director(tournament.club)
shape = {"etuis_per_position": 4}
played = [published_session(tournament, by=director, **shape) for _ in range(2)]
running = started_session(tournament, **shape)
plays = running.plays.select_related("etui").filter(table__number=1).order_by("position", "etui__number")[:2]
commands = [command("enter", play=play, seat="N", entry=garde(play.etui.taker)) for play in plays]
address = lambda session: [tournament.club.slug, tournament.slug, session.number]
pages = [reverse("results_csv", args=[*address(session), 1]) for session in played]
print(json.dumps({"token": tokens_of(running)[1], "commands": commands, "pages": pages}))
"""
# Prints what must not change: the published bytes with their digests, the results, the standings computed anew.
LOOK = """
import django; django.setup()
import json
from tournaments.models import Publication, ResultEntry, Session
from evenings.standings.computing import compute
versions = Publication.objects.order_by("pk").values_list("pk", "version", "status", "digest", "data", "changes")
entries = ResultEntry.objects.order_by("pk").values_list("pk", "play", "device", "key", "half_points")
standings = [repr(compute(session.pk)) for session in Session.objects.order_by("pk")]
print(json.dumps([list(versions), list(entries), standings], sort_keys=True, default=str))
"""
SERVER = {"MODE": "server", "ALLOWED_HOSTS": "*", "HTTPS": "no", "SECRET_KEY": secrets.token_urlsafe(50)}


def commands_of_the_handbook():
    """Return the two commands that docs/admin.md prints for the move, without the program that runs them."""
    text = (PROJECT / "docs" / "admin.md").read_text()
    section = text.split("## Move a club from a laptop to a server\n")[1].split("\n## ")[0]
    (back_up,) = re.findall(r"`topage (backup \S+)`", section)
    (restore,) = re.findall(r"`topage-manage (restore \S+)`", section)
    return ["manage.py", *back_up.split()], ["manage.py", *restore.split()], " ".join(section.split())


@pytest.fixture
def worker(redis_server, server):
    """Run a worker with a beat on the new server's database."""
    own = {name: value for name, value in SERVER.items() if name != "HTTPS"}
    worker = Worker(redis_server, server.environment["DATABASE_URL"], sweep_seconds=1, **own)
    yield worker
    worker.child.kill()


def send(site, told, *commands):
    body = {"device": "phone-one", "commands": list(commands)}
    return site.send(f"/t/{told['token']}/send/", body)


def test_club_goes_on_at_a_server_where_the_laptop_ended(laptop, server, serve, redis_server, tmp_path, request):
    back_up, restore, section = commands_of_the_handbook()
    file = tmp_path / "club.gz"
    home = laptop("home")
    told = json.loads(home.succeed("-c", PLAY).splitlines()[-1])
    acknowledged, held = told["commands"]
    site = serve("python manage.py serve", MODE="laptop", VAR_DIR=str(home.folder))
    status, answer = send(site, told, acknowledged)
    assert (status, '"received"' in answer) == (200, True), answer
    published = [site.get(page) for page in told["pages"]]
    assert {status for status, _text in published} == {200}
    site.child.stop()

    assert back_up[-1] == restore[-1].rpartition("/")[2] == "club.gz"
    home.succeed(*back_up[:-1], str(file))
    before = home.succeed("-c", LOOK)
    server.environment |= SERVER | {"REDIS_URL": redis_server.url}
    server.succeed(*restore[:-1], str(file))
    assert server.succeed("-c", LOOK) == before

    request.getfixturevalue("worker")
    site = serve("python manage.py serve", **server.environment)
    assert [site.get(page) for page in told["pages"]] == published
    # The path of a table's link holds, only the address before it is another one.
    assert site.get(f"/t/{told['token']}/")[0] == 200
    assert "another address" in section
    assert "not sent" in section
    for again in (acknowledged, held):
        status, answer = send(site, told, again)
        assert (status, '"received"' in answer) == (200, True), answer
    entries = json.loads(server.succeed("-c", LOOK))[1]
    assert len(entries) == len(json.loads(before)[1]) + 1  # what the laptop acknowledged is not doubled
    found = json.loads(server.run("manage.py", "doctor", "--json").stdout)["findings"]
    errors = {each["what"] for each in found if each["level"] == "error"}
    assert errors <= {"The static files are not collected."}  # the tests need none; an installation collects them
