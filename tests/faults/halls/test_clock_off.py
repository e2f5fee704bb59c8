"""A clock that is an hour off, ahead or behind: of the site, of a worker with its beat, of a table's phone.

Each test plays before the clock is moved, while it is wrong, and after it is right again.
"""

import datetime as dt
import json
from urllib.request import Request

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import make_director, plausible, started_session
from tests.faults.halls.preloads import HOUR, Clock
from tests.faults.halls.small_hall import FRESH_SECONDS, SmallHall, begin_and_enter, check_of
from tests.services.test_standings_jobs import fresh
from tests.services.waiting import wait_until
from tournaments.models import ResultEntry

pytestmark = pytest.mark.nightly("process")

APART_SECONDS = 60  # a job asked for by another clock is asked for again after half a minute
OFF = pytest.mark.parametrize("off", [HOUR, -HOUR], ids=["ahead", "behind"])


def read_standings(hall, site):
    status, text = site.get(f"/api/v1/sessions/{hall.session}/standings/", **hall.token)
    assert status == 200, text
    return json.loads(text)


@OFF
def test_site_whose_clock_is_an_hour_off_loses_and_delays_nothing(off, serve, migrated_laptop, tmp_path):
    clock, hall = Clock(tmp_path), SmallHall(tmp_path / "site", migrated_laptop)
    site = serve(**hall.environment | clock.environment)
    third = len(hall.plays) // 3
    for turn, moved in enumerate((0, off, 0)):
        clock.move(moved)
        for play in hall.plays[turn * third : (turn + 1) * third]:
            hall.play_one(site, play)
            told = read_standings(hall, site)
            if told["fresh"]:
                assert told["counts"]["scored"] == len(hall.entered)
        found = hall.assert_nothing_is_lost()
        assert read_standings(hall, site)["counts"]["scored"] == len(hall.entered)
    assert found["current"] == sorted(found["current"], key=[play["id"] for play in hall.plays].index)


@OFF
def test_correction_and_window_follow_the_order_and_not_a_wrong_clock(off, serve, migrated_laptop, tmp_path):
    """Check that the later correction counts though its time is earlier, and that no window ends an hour early."""
    clock, hall = Clock(tmp_path), SmallHall(tmp_path / "site", migrated_laptop)
    site = serve(**hall.environment | clock.environment)
    for play in hall.plays:
        hall.play_one(site, play)
    first = hall.plays[0]
    for version, moved in enumerate((off, 0, off), start=1):
        clock.move(moved)
        body = {"bouts": 2, "points": 50 + version, "seen_version": version, "reason": "feuille"}
        address, headers = site.address(f"/api/v1/plays/{first['id']}/result/"), {"Content-Type": "application/json"}
        asked = Request(address, json.dumps(body).encode(), headers | hall.token, method="PUT")
        assert site.answer(asked, 60)[0] == 200
    hall.run("publish_evening()")
    for moved in (off, 0):
        clock.move(moved)
        told = json.loads(hall.run("end_windows_and_print()", **clock.environment))
        assert told["published"] == [[1, "provisional"]]
    versions = [rest for play, *rest in told["versions"] if play == first["id"]]
    assert versions == [[1, False], [2, False], [3, False], [4, True]]


@OFF
@pytest.mark.parametrize(("whole", "seconds"), [(True, FRESH_SECONDS), (False, APART_SECONDS)], ids=["all", "worker"])
def test_server_whose_clock_is_an_hour_off_computes_in_time(
    off, whole, seconds, serve, start_worker, postgres_server, redis_server, tmp_path
):
    """Check one machine, and a worker on another machine whose clock alone is wrong."""
    clock = Clock(tmp_path)
    session = started_session(tables=5, positions=3, etuis_per_position=2)
    make_director(session.tournament.club)  # otherwise the site asks for its first club
    tokens, plays = tokens_of(session), list(session.plays.select_related("etui", "table"))
    given = {"DATABASE_URL": postgres_server.url(connection.settings_dict["NAME"]), "REDIS_URL": redis_server.url}
    site = serve(**given, SECRET_KEY=settings.SECRET_KEY, **(clock.environment if whole else {}))
    worker = start_worker(sweep_seconds=1, **clock.environment)
    third, ledger = len(plays) // 3, {}
    for turn, moved in enumerate((0, off, 0)):
        clock.move(moved)
        for play in plays[turn * third : (turn + 1) * third]:
            sent = command("enter", play=play, seat="N", entry=plausible(play))
            body = {"device": f"phone-{play.table.number:03}", "commands": [sent]}
            status, text = site.send(f"/t/{tokens[play.table.number]}/send/", body)
            assert status == 200, text
            ledger[sent["key"]] = json.loads(text)["receipts"][0]["number"]
        wait_until(lambda: fresh(session), seconds, "fresh standings")
        assert_kept_from_nothing(session)
    assert {str(key): pk for key, pk in ResultEntry.objects.values_list("key", "pk")} == ledger
    worker.kill()  # otherwise it may hold a job until the hour is over


@OFF
def test_phone_whose_clock_is_an_hour_off_begins_plays_now(off, serve, migrated_laptop, tmp_path):
    hall = SmallHall(tmp_path / "site", migrated_laptop)
    site = serve(**hall.environment)
    wrong = (timezone.now() + dt.timedelta(seconds=off)).isoformat()
    began = timezone.now()
    for play in hall.plays[:10]:
        assert hall.send(site, play, begin_and_enter(play, at=wrong))[0] == 200
        assert hall.send(site, play, [check_of(play, at=wrong)])[0] == 200
    found = hall.assert_nothing_is_lost()
    assert len(found["started"]) == 10
    for at in found["started"].values():
        assert began <= dt.datetime.fromisoformat(at) <= timezone.now()
