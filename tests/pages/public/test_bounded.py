"""The limits on pages that a script could ask for without end: each address may have only a few of them built.

Pages that a hall reads have no such limit. Numbers that nothing has are refused before anything is read.
"""

import pytest
from django.core.cache import cache, caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from api.public import schema
from pages.doors import session_url
from pages.public import pages, players, published
from rankings.careers import keeping
from tests.factories import published_session
from tests.pages.browsing import browser_of
from tournaments import page_cache as kept

pytestmark = pytest.mark.django_db

MOST = 5


@pytest.fixture
def session():
    session = published_session(cards=True)
    keeping.refresh(session.pk)
    return session


@pytest.fixture(autouse=True)
def one_window(monkeypatch):
    """Let all requests of a test fall into one window of time."""
    cache.clear()
    caches["pages"].clear()
    monkeypatch.setattr("clubs.guard.counting.clock", lambda: 1_000_000.0)
    monkeypatch.setattr(kept, "MOST_BUILT", MOST)


@pytest.fixture
def built(monkeypatch):
    """Return the list to which each built page adds the name of its view."""
    names = []

    def watch(module, name):
        really = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, **more: names.append(name) or really(*given, **more))

    for module, name in (
        (published, "ranking_page"),
        (pages, "feuille_page"),
        (pages, "etui_page"),
        (players, "Career"),
        (players, "HeadToHead"),
        (published.PublishedVersion, "read"),
    ):
        watch(module, name)
    return names


def reader(address="192.0.2.1", **headers):
    return Client(REMOTE_ADDR=address, headers={"accept-language": "en"} | headers)


def keys():
    """Return the keys of all cached pages."""
    return {key for key in caches["pages"]._cache.get_client().scan_iter() if b"page:" in key}


@pytest.mark.nightly("crawl")
def test_searches_of_a_ranking_are_limited_for_an_address_and_kept_by_nobody(session, built):
    url = session_url("ranking", session)
    before = keys()
    answers = [reader().get(url, {"q": f"anything {number}"}) for number in range(MOST + 20)]
    assert [answer.status_code for answer in answers] == [200] * MOST + [429] * 20
    assert {answer["Retry-After"] for answer in answers[MOST:]} == {"10"}
    assert built.count("ranking_page") == MOST
    assert keys() == before


@pytest.mark.nightly("crawl")
def test_who_has_searched_too_much_and_the_hall_beside_him_read_on(session):
    url = session_url("ranking", session)
    for number in range(MOST + 1):
        answer = reader().get(url, {"q": f"anything {number}"})
    assert answer.status_code == 429
    entrants = session.entrants.values_list("pk", flat=True)
    plain = [url, *(session_url("feuille", session, 1, entrant) for entrant in entrants)]
    plain += [
        session_url("published_etuis", session, 1),
        *(session_url("published_etui", session, 1, etui) for etui in (1, 2, 3)),
    ]
    assert len(plain) > 4 * MOST
    assert {reader().get(where).status_code for where in plain} == {200}
    assert reader("192.0.2.2").get(url, {"q": "anything"}).status_code == 200


@pytest.mark.nightly("crawl")
def test_hall_that_reads_the_same_pages_is_never_refused(session, built):
    url = session_url("ranking", session)
    asked = [{"by": "line"}, {"by": "general"}, {"sort": "-overall"}]
    answers = [reader().get(url, each) for _reader in range(200) for each in asked]
    assert {answer.status_code for answer in answers} == {200}
    assert built.count("ranking_page") == 3


@pytest.mark.nightly("crawl")
def test_account_is_limited_as_everybody(session):
    director = browser_of(session.tournament.club.memberships.get(role="director").user)
    url = session_url("ranking", session)
    answers = [director.get(url, {"q": f"anything {number}"}).status_code for number in range(MOST + 1)]
    assert answers == [200] * MOST + [429]
    assert director.get(url).status_code == 200


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("page", ["feuille", "published_etui"])
def test_number_that_a_session_has_not_is_refused_before_anything_is_read(session, built, page):
    for number in range(30_000, 30_010):
        with CaptureQueriesContext(connection) as asked:
            assert reader().get(session_url(page, session, 1, number)).status_code == 404
        reading = [query["sql"] for query in asked if '"data"' in query["sql"]]
        assert [sql for sql in reading if "EXISTS" not in sql] == []
    assert set(built) <= {"read"}


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize(("page", "name"), [("ranking", "me"), ("published_etui", "of")])
def test_number_of_nobody_makes_no_other_page(session, built, page, name):
    url = session_url("ranking", session) if page == "ranking" else session_url("published_etui", session, 1, 1)
    for number in range(800_000, 800_020):
        assert reader().get(url, {name: str(number)}).status_code == 200
    assert built.count(f"{page.removeprefix('published_')}_page") == 1
    assert len(keys()) == 1


@pytest.mark.nightly("story")
def test_etui_for_every_entrant_is_limited_for_an_address(session):
    url = session_url("published_etui", session, 1, 1)
    entrants = session.entrants.values_list("pk", flat=True)[: MOST + 3]
    answers = [reader().get(url, {"of": entrant}).status_code for entrant in entrants]
    assert answers == [200] * MOST + [429] * 3
    assert reader().get(url, {"of": entrants[0]}).status_code == 200  # this page is cached


@pytest.mark.nightly("crawl")
def test_page_or_season_that_a_player_has_not_makes_no_other_page(session, built):
    url = reverse("player", args=[session.entrants.first().player_id])
    asked = [{"page": str(page)} for page in (0, 1, 2, 9, 999, "x", "-1", "1" * 30)]
    asked += [{"season": season} for season in ("x", "0", "2" * 40)]
    bodies = {reader().get(url, each).content for each in asked}
    assert (len(bodies), built.count("Career"), len(keys())) == (1, 1, 1)


def test_seasons_that_a_player_has_not_are_limited_for_an_address_and_kept_by_nobody(session):
    url = reverse("player", args=[session.entrants.first().player_id])
    answers = [reader().get(url, {"season": str(season)}).status_code for season in range(1950, 1950 + MOST + 3)]
    assert (answers, keys()) == ([200] * MOST + [429] * 3, set())


@pytest.mark.nightly("crawl")
def test_pages_of_players_are_limited_for_an_address(session, built):
    people = list(session.entrants.values_list("player", flat=True))
    answers = [reader().get(reverse("player", args=[pk])).status_code for pk in people[: MOST + 3]]
    assert answers == [200] * MOST + [429] * 3
    assert built.count("Career") == MOST
    pair = reverse("head_to_head", args=people[:2])
    assert (reader().get(pair).status_code, reader("192.0.2.2").get(pair).status_code) == (429, 200)
    for number in range(800_000, 800_005):
        assert reader().get(reverse("player", args=[number])).status_code == 404
    assert built.count("Career") == MOST


@pytest.mark.nightly("crawl")
def test_programs_are_limited_too(session):
    people = list(session.entrants.values_list("player", flat=True))
    answers = [reader().get(f"/api/v1/players/{pk}/") for pk in people[: MOST + 1]]
    assert [answer.status_code for answer in answers] == [200] * MOST + [429]
    assert answers[-1]["Retry-After"] == "10"
    seasons = [reader("192.0.2.2").get(f"/api/v1/players/{people[0]}/", {"season": year}) for year in range(1950, 1970)]
    assert {answer.status_code for answer in seasons} == {200}
    assert len({answer["ETag"] for answer in seasons}) == 1


# The schema of the API


@pytest.fixture
def made(monkeypatch):
    schema.write_schema.cache_clear()
    times, really = [], schema.make_schema
    monkeypatch.setattr(schema, "make_schema", lambda: times.append(1) or really())
    yield times
    schema.write_schema.cache_clear()


@pytest.mark.nightly("crawl")
def test_schema_is_made_once_for_each_language_and_format(made):
    where = reverse("api_schema")
    answers = [reader().get(where) for _time in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert (len(made), len({answer.content for answer in answers})) == (1, 1)
    french = [reader(**{"accept-language": "fr"}).get(where), reader().get(where, {"lang": "fr"})]
    assert (len(made), french[0].content == french[1].content != answers[0].content) == (2, True)
    assert french[0]["ETag"] != answers[0]["ETag"]
    for odd in ({"lang": "xx"}, {"version": "9"}, {"anything": "1"}):
        assert reader().get(where, odd).content == answers[0].content
    assert len(made) == 2
    told = reader(accept="application/vnd.oai.openapi+json").get(where)
    assert (told.json()["info"]["title"], len(made)) == ("Topage", 3)
    assert b"paths" in answers[0].content


@pytest.mark.nightly("crawl")
def test_who_has_the_schema_is_told_so(made):
    where = reverse("api_schema")
    first = reader().get(where)
    again = reader(**{"if-none-match": first["ETag"]}).get(where)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert {"Accept", "Accept-Language"} <= set(first["Vary"].split(", "))
    assert reader(**{"accept-encoding": "gzip"}).get(where)["Content-Encoding"] == "gzip"
    assert len(made) == 1
