"""What readers ask of a laptop's site, whose database is SQLite: pages and answers of what is published."""

import json
import os
import shutil
import subprocess
import sys

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_director, make_tournament
from tests.services.worker import PROJECT
from tests.tournaments.events.several import published_sessions
from tournaments.events.publishing import publish_tournament
from tournaments.publication.versions import Word


def read_everything():
    """Publishes a tournament of two sessions in the database of the environment; prints what a stranger is answered by
    address, before the ranking of one is switched off and afterwards."""
    tournament = make_tournament()
    director = make_director(tournament.club)
    one, other = published_sessions(tournament, by=director)
    publish_tournament(tournament_id=tournament.pk, word=Word(director, timezone.now()))
    place = [tournament.club.slug, tournament.slug]
    addresses = [
        *(reverse(name) for name in ("home", "api_clubs", "api_calendar", "api_rankings")),
        *(reverse(name, args=place[:1]) for name in ("club", "api_club", "api_tournaments")),
        *(reverse(name, args=place) for name in ("tournament", "tournament_ranking", "tournament_versions")),
        reverse("tournament_csv", args=[*place, 1]),
        *(
            reverse(name, args=[tournament.pk])
            for name in ("api_tournament", "api_sessions", "api_events", "api_event_newest")
        ),
        *(reverse(name, args=[one.pk]) for name in ("api_session", "api_publications", "api_latest")),
        reverse("api_latest_etui", args=[one.pk, 1]),
        reverse("ranking", args=[*place, 1]),
    ]
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
    held = {f"{place}ranking/", f"{place}ranking/versions/", f"{place}ranking/1/results.csv"}
    held |= {address for address in shown if address.startswith("/api/v1/tournaments/") and "latest" in address}
    assert {address for address, status in hidden.items() if status != 200} == held
    assert {hidden[address] for address in held} == {404}
