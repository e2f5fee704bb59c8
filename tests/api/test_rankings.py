"""The published rankings of all kinds by the API: the same addresses, fields, steps and limits for each kind."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Club, User
from rankings.events.publishing import publish_tournament
from rankings.series.publishing import publish_series
from tests.api.conftest import V1, Client
from tests.factories import make_club, make_director, published_session
from tests.world import make_field_of, make_series_of, make_tournament
from tournaments.models import Session
from tournaments.versions.steps import DirectorWord

pytestmark = pytest.mark.django_db
BRIEF = {"version", "status", "official_from", "published_at", "reason", "digest"}
MOST_QUERIES = 3
# The list of versions of each kind, and its newest version.
KINDS = {
    "session": ("sessions/{session}/publications/", "sessions/{session}/publications/latest/"),
    "tournament": ("tournaments/{tournament}/publications/", "tournaments/{tournament}/publications/latest/"),
    "series": ("clubs/club/series/{series}/publications/", "clubs/club/series/{series}/"),
    "field": (
        "clubs/club/simultaneous/{field}/ranking/versions/",
        "clubs/club/simultaneous/{field}/ranking/",
    ),
}


@dataclass
class Published:
    """A club with a published ranking of each kind, of which only the newest version exists."""

    club: Club
    by: User
    places: dict[str, Any]

    def address(self, kind: str, part: int = 0) -> str:
        return KINDS[kind][part].format(**self.places)


@pytest.fixture(scope="module")
def world(rows_of_the_file: None) -> Published:
    club = make_club()
    by, tournament = make_director(club), make_tournament(club)
    session = published_session(tournament, by=by)
    published_session(tournament, by=by)
    Session.objects.filter(tournament=tournament).update(closed_at=timezone.now())
    word = DirectorWord(by, timezone.now())
    publish_tournament(tournament.pk, word=word)
    series = make_series_of(club, by=by)
    publish_series(series.pk, word=word)
    places = {"session": session.pk, "tournament": tournament.pk, "series": series.slug}
    return Published(club, by, places | make_field_of(club, session, by=by))


@pytest.fixture
def director(world: Published) -> Client:
    return Client(world.by)


@pytest.fixture
def stranger(db: None) -> Client:
    return Client(None)


@pytest.mark.parametrize("kind", KINDS)
def test_ranking_is_made_official_reopened_withdrawn_and_published_again(
    world: Published, director: Client, stranger: Client, kind: str
) -> None:
    base = world.address(kind)
    assert director.post(base, {}, status=200)["version"] == 1  # readers see these figures already
    steps = [
        director.post(f"{base}official/", {}, status=200),
        director.post(f"{base}reopen/", {"reason": "relu"}, status=200),
        director.post(f"{base}withdraw/", {"reason": "faux"}, status=200),
        director.post(base, {}, status=201),
    ]
    assert [(each["version"], each["status"], each["reason"]) for each in steps] == [
        (2, "official", ""),
        (3, "provisional", "relu"),
        (4, "withdrawn", "faux"),
        (5, "provisional", ""),
    ]
    assert {frozenset(each) for each in steps} == {frozenset(BRIEF | {"changes"})}
    listed = stranger.get(base)
    assert [each["version"] for each in listed] == [5, 4, 3, 2, 1]
    assert listed[0] == steps[-1]
    assert stranger.refused("GET", f"{base}3/", status=404) == "withdrawn"


@pytest.mark.parametrize("kind", KINDS)
def test_step_is_refused_with_the_same_code_for_each_kind(world: Published, director: Client, kind: str) -> None:
    base = world.address(kind)
    assert director.refused("POST", f"{base}reopen/", {"reason": "x"}, status=422) == "ranking_not_official"
    assert director.refused("POST", f"{base}withdraw/", {}, status=400) == "invalid"
    assert director.refused("POST", base, {"why": "x"}, status=400) == "invalid"


@pytest.mark.parametrize("kind", KINDS)
def test_version_and_the_newest_one_have_the_same_fields(world: Published, stranger: Client, kind: str) -> None:
    newest, first = stranger.get(world.address(kind, 1)), stranger.get(f"{world.address(kind)}1/")
    assert newest == first
    assert BRIEF | {"unit", "players"} <= newest.keys()
    assert newest["unit"] in ("per_cent", "points")
    assert {name: newest[name] for name in BRIEF} | {"changes": []} == stranger.get(world.address(kind))[0]
    figure = newest["players"][0]["total" if kind in ("tournament", "series") else "overall"]
    assert figure.keys() == {"exact", "decimal"}
    assert re.fullmatch(r"-?\d+\.\d{6}", figure["decimal"])


@pytest.mark.guard("each page keeps its budget of queries in any hall")
@pytest.mark.parametrize("kind", KINDS)
def test_later_answer_takes_at_most_three_queries(world: Published, kind: str) -> None:
    caches["pages"].clear()
    for path in (world.address(kind, 1), world.address(kind), f"{world.address(kind)}1/"):
        first = Browser().get(V1 + path)
        with CaptureQueriesContext(connection) as asked:
            again = Browser().get(V1 + path)
        assert again.content == first.content
        assert len(asked) <= MOST_QUERIES, path
        assert Browser().get(V1 + path, headers={"if-none-match": first["ETag"]}).status_code == 304
