"""The data of a person in ratings and leaderboards: what an export has, and what an erasure deletes."""

import json
import zipfile

import pytest
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.export import write_export
from archives.privacy.whom import whom_of_account, whom_of_player
from clubs.accounts.players import tie
from rankings.leaderboards.keeping import wish_rating
from tests.factories import make_user
from tests.rankings.careers.world import players_of
from tournaments.models import LeaderboardRow, PersonRating

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


def read_export(whom):
    with write_export(whom, told="", now=timezone.now()) as made, zipfile.ZipFile(made) as file:
        names = {name.rsplit("/", 1)[-1]: name for name in file.namelist()}
        return {name: json.loads(file.read(path)) for name, path in names.items() if name.endswith(".json")}


def test_export_has_the_rating_the_places_and_the_wish(session):
    player, user = players_of(session)[3], make_user("joueuse")
    by = session.tournament.club.memberships.get().user
    tie(player, user, by=by, now=timezone.now())
    told = read_export(whom_of_account(user))
    assert len(told["ratings.json"]) == 1
    assert {(row["club"], row["measure"]) for row in told["leaderboard_places.json"]} >= {
        (club, measure) for club in (None, "club") for measure in ("rating", "deals", "presence")
    }
    assert told["players.json"][0]["unrated_by_self"] is False
    of_director = read_export(whom_of_player(player))
    assert {row["club"] for row in of_director["leaderboard_places.json"]} == {"club"}
    assert "ratings.json" not in of_director  # it is made from the sessions of all clubs
    wish_rating(player=player, off=True, way="account", by=user, now=timezone.now())
    told = read_export(whom_of_account(user))
    assert told["players.json"][0]["unrated_by_self"] is True
    assert "ratings.json" not in told


def test_erasure_deletes_the_rating_and_the_places(session):
    player, by = players_of(session)[3], session.tournament.club.memberships.get().user
    session.tournament.sessions.update(closed_at=timezone.now())
    erase(whom_of_player(player), by=by, now=timezone.now())
    assert not PersonRating.objects.filter(person=player.person_id).exists()
    assert not LeaderboardRow.objects.filter(person=player.person_id).exists()
    assert PersonRating.objects.count() == 19
