"""The pages and answers for readers of published rankings, on a laptop's site with SQLite."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rankings.careers.keeping import refresh
from rankings.events.publishing import TOURNAMENTS
from tests.factories import make_director, make_tournament
from tests.rankings.events.several import published_sessions
from tests.services.worker import PROJECT
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.nightly("race")


def read_everything():
    """Publish a tournament of two sessions in the database of the environment, and print a stranger's answers.

    They are by address: first with all rankings shown, then with the ranking of one session switched off.
    """
    tournament = make_tournament()
    director = make_director(tournament.club)
    one, other = published_sessions(tournament, by=director)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    place = [tournament.club.slug, tournament.slug]
    for session in (one, other):
        refresh(session.pk)
    first, second = one.entrants.order_by("pk").values_list("player", flat=True)[:2]
    entrant = one.entrants.earliest("pk").pk
    asked = {
        (): ("home", "search", "calendar", "calendar_file", "feed", "sitemap", "api_clubs", "api_calendar"),
        tuple(place[:1]): ("club", "club_feed", "club_calendar_file", "api_club", "api_tournaments"),
        tuple(place): ("tournament", "tournament_ranking", "tournament_versions", "tournament_feed"),
        (*place, 1): ("ranking", "versions", "tournament_csv", "tournament_podium"),
        (*place, 2): ("ranking",),
        (*place, 1, 1): ("results_csv", "podium", "published_etuis"),
        (*place, 1, 1, 1): ("published_etui",),
        (*place, 1, 1, entrant): ("feuille",),
        (tournament.pk,): ("api_tournament", "api_sessions", "api_tournament_publications", "api_event_newest"),
        (one.pk,): ("api_session", "api_publications", "api_latest"),
        (one.pk, 1): ("api_latest_etui",),
        (one.pk, entrant): ("api_feuille",),
        (first,): ("player", "choose_other", "api_career", "api_career_sessions"),
        (first, second): ("head_to_head", "api_head_to_head"),
    }
    addresses = [reverse(name, args=args) for args, names in asked.items() for name in names]
    addresses += [f"{reverse(name)}?q=zoe" for name in ("search", "api_search")]
    addresses += [f"{reverse('api_rankings')}?kind={kind}" for kind in ("session", "tournament")]
    client, told = Client(raise_request_exception=False), {}
    for hidden in (False, True):
        other.shows_ranking = not hidden
        other.save()
        told[f"hidden: {hidden}"] = {address: client.get(address).status_code for address in addresses}
    sys.stdout.write(json.dumps(told))


def test_readers_are_answered_on_a_laptop(tmp_path, migrated_laptop):
    shutil.copy(migrated_laptop, tmp_path / "db.sqlite3")
    told = {"MODE": "laptop", "VAR_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}"}
    environment = os.environ | told | {"DJANGO_SETTINGS_MODULE": "config.settings", "REDIS_URL": ""}
    program = (
        "import django; django.setup(); from django.test.utils import setup_test_environment as s; s();"
        " from tests.services import test_laptop_readers as t; t.read_everything()"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown, hidden = json.loads(done.stdout).values()
    assert {address for address, status in shown.items() if status != 200} == set(), done.stderr
    # The tournament's ranking counts the session whose ranking is not shown.
    place = "/clubs/club/tournaments/duplicate-dete/"
    held = {f"{place}ranking/{page}" for page in ("", "versions/", "1/results.csv", "1/podium.png")}
    held.add(f"{place}2/ranking/")
    held |= {address for address in shown if address.startswith("/api/v1/tournaments/") and "latest" in address}
    assert {address for address, status in hidden.items() if status != 200} == held
    assert {hidden[address] for address in held} == {404}
