"""The cached pages of a publication: the same for everybody, built once, with nothing of the reader who came first."""

import gzip
import re
from time import monotonic

import pytest
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from clubs.players import raise_names_version
from evenings.plans.starting import start_session
from evenings.sessions.setup import use_deal_set
from pages.doors import session_url
from pages.public import pages, published
from tests import shared_evenings
from tests.factories import (
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_tournament,
    publish,
    published_session,
    started_session,
)
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments import page_cache as kept
from tournaments.page_cache import accepts_gzip

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

IN_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages of a test"}


@pytest.fixture(params=["redis", "memory"])
def cache(request, settings):
    """Return the cache of pages: that of a server, then that of a laptop."""
    if request.param == "memory":
        settings.CACHES = settings.CACHES | {"pages": IN_MEMORY}
    yield caches["pages"]
    caches["pages"].clear()


session = shared_evenings.published_with_cards


@pytest.fixture
def built(monkeypatch):
    """Return the list to which each built page adds the name of its view."""
    names = []

    def watched(name, really):
        def build(*given, **more):
            names.append(name)
            return really(*given, **more)

        return build

    beside = ("feuille_page", "etuis_page", "etui_page", "results_csv")
    for module, name in ((published, "ranking_page"), *((pages, name) for name in beside)):
        monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    return names


def reader(language="en", **headers):
    return Client(headers={"accept-language": language, **headers})


def addresses(session):
    entrant = session.entrants.first().pk
    return {
        "ranking": session_url("ranking", session),
        "version": session_url("ranking_version", session, 1),
        "feuille": session_url("feuille", session, 1, entrant),
        "étuis": session_url("published_etuis", session, 1),
        "étui": session_url("published_etui", session, 1, 1),
        "file": session_url("results_csv", session, 1),
    }


def director_of(session):
    return session.tournament.club.memberships.get(role="director").user


@pytest.mark.nightly("crawl")
def test_each_page_is_built_once_and_kept_to_the_letter(cache, session, built):
    first = {name: reader().get(url) for name, url in addresses(session).items()}
    assert len(built) == 6
    again = {name: reader().get(url) for name, url in addresses(session).items()}
    assert len(built) == 6
    assert {name: page.content for name, page in again.items()} == {name: page.content for name, page in first.items()}
    assert {name: page.headers for name, page in again.items()} == {name: page.headers for name, page in first.items()}
    assert again["file"]["Content-Disposition"].endswith('-1-v1.csv"')


@pytest.mark.parametrize("name", ["ranking", "file"])
def test_page_goes_compressed_to_who_takes_it_so(session, name):
    url = addresses(session)[name]
    plain, small = reader().get(url), reader(**{"accept-encoding": "br, gzip;q=0.8"}).get(url)
    assert (plain.get("Content-Encoding"), small["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(small.content) == plain.content
    assert len(small.content) < len(plain.content) / 3
    assert plain["ETag"] == small["ETag"]
    for answer in (plain, small, reader(**{"if-none-match": plain["ETag"]}).get(url)):
        assert {"Accept-Encoding", "Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
        assert answer["Cache-Control"] == "no-cache"
        assert not answer.cookies


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [
        ("", False),
        ("gzip", True),
        ("GZip", True),
        ("br, gzip", True),
        ("gzip;q=0.5", True),
        ("gzip; q=1.0", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("identity", False),
        ("xgzip", False),
    ],
)
def test_gzip_is_taken_by_who_names_it(accepted, takes):
    assert accepts_gzip(accepted) is takes


def test_languages_are_kept_apart_by_header_and_by_cookie(cache, session):
    url = session_url("ranking", session)
    french, english = reader("fr").get(url), reader("en").get(url)
    chosen = reader("fr")
    chosen.post(reverse("choose_language"), {"language": "en", "next": url})
    assert chosen.get(url).content == english.content != french.content
    assert [f'<html lang="{code}">' in page.content.decode() for code, page in (("fr", french), ("en", english))] == [
        True,
        True,
    ]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("first", ["director", "stranger"])
def test_who_is_logged_in_has_his_own_page_and_leaves_nothing_of_it_to_others(cache, session, first):
    director, stranger = browser_of(director_of(session)), reader()
    for url in addresses(session).values():
        asked = [director, stranger] if first == "director" else [stranger, director]
        answers = {who: who.get(url) for who in asked}
        own, theirs = answers[director].content.decode(), answers[stranger].content.decode()
        if not url.endswith(".csv"):
            assert (reverse("logout") in own, "csrfmiddlewaretoken" in own, "directrice" in own) == (True, True, True)
        assert [told for told in (reverse("logout"), "csrfmiddlewaretoken", "directrice") if told in theirs] == []
        assert ("ETag" in answers[director], "private" in answers[director]["Cache-Control"]) == (False, True)
        assert "Content-Encoding" not in answers[director]


def test_message_that_waits_for_a_reader_is_shown_to_him_alone(session):
    waiting = CookieStorage(RequestFactory().get("/"))
    waiting.add(20, "For one reader alone")
    one, url = reader(), session_url("ranking", session)
    one.cookies["messages"] = waiting._encode(list(waiting._queued_messages))
    assert "For one reader alone" in words(one.get(url))
    assert "For one reader alone" not in words(one.get(url))
    assert "For one reader alone" not in words(reader().get(url))


@pytest.mark.nightly("story")
def test_nothing_that_a_reader_adds_to_an_address_makes_another_page_or_stands_in_it(session, built):
    url = session_url("ranking", session)
    mine = "utm_source=someone%40example.org"
    odd = [f"{url}?{mine}", f"{url}?by=alterne&{mine}", f"{url}?by=nonsense&{mine}", f"{url}?by=general&{mine}&by=line"]
    told = [reader().get(address).content.decode() for address in odd]
    assert [text for text in told if "someone" in text or "nonsense" in text] == []
    assert built == ["ranking_page"] * 3  # alterné as asked for, alterné by default, by line
    padded = url.replace(f"/{session.number}/ranking/", f"/000{session.number}/ranking/")
    assert reader().get(padded).content == reader().get(url).content
    assert built == ["ranking_page"] * 3


def test_site_that_is_asked_by_another_name_says_that_one_to_nobody_else(session, built):
    url = session_url("ranking", session)
    for _time in range(2):
        for host, other in (("one.example.org", "other.example.org"), ("other.example.org", "one.example.org")):
            text = Client(headers={"accept-language": "en", "host": host}).get(url).content.decode()
            assert f'href="http://{host}{url}"' in text
            assert other not in text
    assert built == ["ranking_page"] * 2


@pytest.mark.nightly("story")
def test_ranking_searched_for_a_name_is_built_for_each_reader(session, built):
    """Check that none is cached, since there is no end of texts to search for."""
    url = session_url("ranking", session)
    for wanted in ("nom003", " nom003", "nom004", "nom003"):
        assert f"Zoé {wanted.strip().title()}" in words(reader().get(url, {"q": wanted}))
    assert built == ["ranking_page"] * 4
    for asked in ({"q": " "}, {}, {"q": "nom003", "by": "line"}):
        reader().get(url, asked)
    assert built == ["ranking_page"] * 6


@pytest.mark.nightly("story")
def test_what_is_kept_gives_way_to_a_new_name_and_to_a_new_version(cache, session):
    url = session_url("ranking_version", session, 1)
    before = reader().get(url)
    player = session.entrants.get(line="N", number=1).player
    player.last_name = "Désormais"
    player.save()
    assert reader().get(url).content == before.content
    raise_names_version(session.tournament.club_id)
    renamed = reader().get(url)
    assert "Désormais" in words(renamed)
    assert renamed["ETag"] != before["ETag"]
    Club.objects.update(names_version=0)
    assert reader().get(url).content == before.content


def test_page_of_an_address_that_is_not_there_is_kept_by_nobody(session, built):
    missing = [session_url("feuille", session, 1, 0), session_url("published_etui", session, 1, 999)]
    assert [reader().get(url).status_code for url in missing * 2] == [404] * 4
    assert list(caches["pages"]._cache.get_client(write=True).scan_iter("*page*")) == []


@pytest.mark.nightly("story")
def test_what_was_not_published_is_there_once_it_is():
    session = started_session()
    url, director = session_url("ranking", session), make_director(session.tournament.club)
    enter_all(session, by=director)
    assert [reader().get(url).status_code for _time in range(2)] == [404] * 2
    publish(session, by=director)
    assert reader().get(url).status_code == 200


@pytest.mark.nightly("story")
def test_cards_are_in_what_is_kept_only_of_the_version_that_shows_them(cache):
    session = started_session(cards=True)
    other, director = draft_session(session.tournament), make_director(session.tournament.club)
    use_deal_set(session_id=other.pk, deal_set=session.deal_set)
    enter_all(session, by=director)
    publish(session, by=director)
    old = session_url("published_etui", session, 1, 1)
    drawn = re.compile('class="card ')
    without = reader().get(old)
    start_session(session_id=other.pk, now=timezone.now())
    enter_all(other, by=director)
    publish(other, by=director)
    assert publish(session, by=director).version == 2
    new = session_url("published_etui", session, 2, 1)
    for _time in range(2):
        assert len(drawn.findall(reader().get(new).content.decode())) == 78
        assert drawn.findall(reader().get(old).content.decode()) == []
        assert drawn.findall(browser_of(director).get(old).content.decode()) == []
    assert drawn.findall(without.content.decode()) == []


def test_who_works_on_the_site_has_each_page_as_it_is_now(session, built, settings):
    settings.TOOLBAR = True
    answers = [reader().get(session_url("ranking", session)) for _time in range(2)]
    assert (built, ["ETag" in answer for answer in answers]) == (["ranking_page"] * 2, [False] * 2)


def test_page_that_is_too_large_is_sent_and_not_kept(cache, session, built, monkeypatch):
    monkeypatch.setattr(kept, "MOST_BYTES", 100)
    assert [reader().get(session_url("ranking", session)).status_code for _time in range(2)] == [200] * 2
    assert len(built) == 2


def test_builder_who_fails_frees_the_page_for_the_next(cache, session, monkeypatch):
    url, really = session_url("ranking", session), published.ranking_page

    def fail(*_given, **_more):
        raise ZeroDivisionError

    monkeypatch.setattr(published, "ranking_page", fail)
    with pytest.raises(ZeroDivisionError):
        reader().get(url)
    monkeypatch.setattr(published, "ranking_page", really)
    monkeypatch.setattr(kept, "BUILDING", 600)  # a lock that is still there would let readers wait for ten minutes
    assert reader().get(url).status_code == 200


def test_builder_who_died_is_not_waited_for_long(cache, session, built, monkeypatch):
    monkeypatch.setattr(kept, "BUILDING", 1)
    asked = []
    really = kept.ask_page_cache

    def ask(question, *about):
        if question == "add" and not asked:
            asked.append(about[0])
            really("add", *about)  # another process has begun the page, and never finishes it
        return really(question, *about)

    monkeypatch.setattr(kept, "ask_page_cache", ask)
    assert reader().get(session_url("ranking", session)).status_code == 200
    assert built == ["ranking_page"]
    assert reader().get(session_url("ranking", session)).status_code == 200


@pytest.mark.nightly("crawl")
def test_without_a_cache_every_page_comes(session, redis_server, built, caplog, monkeypatch):
    monkeypatch.setattr(kept, "down_until", 0.0)
    redis_server.stop()
    began = monotonic()
    answers = [reader().get(url).status_code for _time in range(2) for url in addresses(session).values()]
    assert (answers, len(built)) == ([200] * 12, 12)
    assert caplog.text.count("the cache is down") <= 1 + (monotonic() - began) // kept.DOWN


@pytest.mark.nightly("story")
def test_without_an_answer_of_the_cache_a_page_waits_for_it_once(session, redis_server, built, monkeypatch):
    monkeypatch.setattr(kept, "down_until", 0.0)
    monkeypatch.setattr(kept, "DOWN", 600)
    redis_server.freeze()
    try:
        urls = addresses(session).values()
        began = monotonic()
        assert [reader().get(url).status_code for url in urls] == [200] * 6
        assert monotonic() - began < 60
    finally:
        redis_server.thaw()
    assert kept.down_until > monotonic()


@pytest.fixture(scope="module", params=[1, 40, 150])
def hall(request, rows_of_the_file):
    """Return a published session of so many tables, in a club of its own."""
    club = make_club(f"salle-{request.param}")
    by = make_director(club, club.slug)
    return published_session(make_tournament(club), by=by, tables=request.param, positions=1)


# Page → number of queries when it is built: the stamp, the publication, its names; or the versions.
BUDGET = {"ranking": 3, "version": 3, "feuille": 3, "étuis": 3, "étui": 3, "file": 3}


@pytest.mark.parametrize("name", BUDGET)
def test_published_page_asks_for_few_queries_whatever_the_hall(hall, name, django_assert_num_queries):
    url = addresses(hall)[name]
    with django_assert_num_queries(BUDGET[name]):
        page = reader().get(url)
    for headers, status in (({}, 200), ({"if-none-match": page["ETag"]}, 304)):
        who = reader(**headers)
        who.cookies["django_language"], who.cookies["csrftoken"] = "en", "a" * 32
        with django_assert_num_queries(1) as asked:
            assert who.get(url).status_code == status
        # Large data is not read for a reader who has the page already, nor for a cached page.
        assert not any('"data"' in query["sql"] for query in asked)
