"""The queries of public answers: their number does not grow with the club, the page or the players.

A club of ten years costs as many as a club of one evening. The last page costs as many as the first, and 300 players as
many as one table.
"""

import datetime as dt

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rankings.careers.keeping import refresh
from rankings.events.publishing import TOURNAMENTS
from tests.factories import DATE, enter_all, make_club, make_director, make_tournament, publish, started_session
from tests.rankings.events.several import count_uncompared
from tournaments.models import Publication, Session, Tournament
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
V1 = "/api/v1/"
YEARS = 10
MOST_OF_A_CAREER = 12
LISTS = {
    "clubs/": 1, "clubs/{club}/tournaments/": 3, "tournaments/{tournament}/sessions/": 2,
    "sessions/": 1, "sessions/?club={club}": 1, "sessions/?state=over": 1,
    "clubs/?name=dixans": 1, "search/?q=zoe": 2, "search/?q=annee&kind=tournaments": 1,
    "rankings/": 6, "rankings/?club={club}&kind=session": 2,
}  # fmt: skip
PAGES = ("page=1", "page=2&size=3", "size=500", "page=1000")
SINGLE = {"clubs/{club}/": 3, "tournaments/{tournament}/": 2, "sessions/{session}/": 1}
PUBLISHED = {
    "sessions/{session}/publications/": 4, "sessions/{session}/publications/latest/": 4,
    "sessions/{session}/publications/1/etuis/1/": 4, "sessions/{session}/entrants/{entrant}/": 4,
    "tournaments/{tournament}/publications/": 4, "tournaments/{tournament}/publications/latest/": 4,
    "tournaments/{tournament}/publications/1/results.csv": 8,
}  # fmt: skip


def make_site(slug: str, *, tables: int, sessions: int, others: int) -> dict[str, object]:
    """Create a club with one tournament of `sessions` sessions and with `others` more tournaments.

    Two sessions of the first tournament are published, and one of each other tournament.
    """
    club = make_club(slug, slug.capitalize())
    director, tournament = make_director(club, f"directrice-{slug}"), make_tournament(club)
    played = [started_session(tournament, tables=tables, positions=1, etuis_per_position=1) for _ in range(2)]
    for session in played:
        enter_all(session, by=director)
        publish(session, by=director)
    count_uncompared(tournament)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    more = Tournament.objects.bulk_create(
        Tournament(club=club, name=f"Année {year}", slug=f"annee-{year}", created_at=timezone.now())
        for year in range(others)
    )
    days = [(tournament, number) for number in range(3, sessions + 1)]
    days += [(each, number) for each in more for number in range(1, 6)]
    made = Session.objects.bulk_create(
        Session(
            tournament=each, number=number, date=DATE - dt.timedelta(days=number), status="running",
            deal_set=played[0].deal_set,
        )
        for each, number in days
    )  # fmt: skip
    told = {"results_version": 1, "published_at": timezone.now(), "digest": "0" * 64}
    Publication.objects.bulk_create(Publication(session=session, version=1, data={}, **told) for session in made)
    entrant, other = played[0].entrants.order_by("pk")[:2]
    refresh(played[0].pk)
    return {
        "club": slug,
        "tournament": tournament.pk,
        "session": played[0].pk,
        "entrant": entrant.pk,
        "player": entrant.player_id,
        "other": other.player_id,
    }


@pytest.fixture(scope="module")
def sites(rows_of_the_file: None) -> list[dict[str, object]]:
    return [
        make_site("petit", tables=1, sessions=2, others=0),
        make_site("dixans", tables=75, sessions=300, others=4 * YEARS),
    ]


def count(path: str, **headers: str) -> int:
    caches["pages"].clear()
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get(V1 + path, headers=headers)
    assert answer.status_code in (200, 304), answer.content
    return len(asked)


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("path", LISTS)
def test_list_costs_the_same_few_queries_on_any_page_of_any_club(sites: list[dict[str, object]], path: str) -> None:
    asked = [f"{path.format(**site)}{'&' if '?' in path else '?'}{page}" for site in sites for page in PAGES]
    assert {each: found for each in asked if (found := count(each)) > LISTS[path]} == {}


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("path", SINGLE)
def test_one_thing_costs_the_same_few_queries_in_any_club(sites: list[dict[str, object]], path: str) -> None:
    assert [count(path.format(**site)) for site in sites] == [SINGLE[path]] * len(sites)


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("path", ["players/{player}/", "players/{player}/sessions/", "players/{player}/with/{other}/"])
def test_career_costs_the_same_few_queries_among_300_players(sites: list[dict[str, object]], path: str) -> None:
    counts = [count(path.format(**site)) for site in sites]
    assert len(set(counts)) == 1, counts
    assert counts[0] <= MOST_OF_A_CAREER


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("path", PUBLISHED)
def test_publication_costs_the_same_for_300_players(sites: list[dict[str, object]], path: str) -> None:
    counts = [count(path.format(**site)) for site in sites]
    assert len(set(counts)) == 1, counts
    assert counts[0] <= PUBLISHED[path]


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("path", PUBLISHED)
def test_who_has_it_costs_two_questions(sites: list[dict[str, object]], path: str) -> None:
    for site in sites:
        etag = Client().get(V1 + path.format(**site))["ETag"]
        assert count(path.format(**site), **{"If-None-Match": etag}) == 2
