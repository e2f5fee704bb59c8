"""The sitemap for search engines: what clubs allow, with the last change of each, and nothing about one person."""

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from evenings.practice import make_practice
from evenings.sessions.put_away import put_session_away
from handbook.words import list_slugs
from pages.doors import session_url
from pages.public import sitemap
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import make_club, make_director, make_tournament, play_and_publish, started_session
from tournaments.models import Tournament
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SITE = "http://testserver"


director = shared_evenings.director_of_club


@pytest.fixture
def evening(club, director):
    tournament = make_tournament(club)
    sessions = [play_and_publish(tournament, director) for _time in range(2)]
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    return sessions


def read(url="", client=None):
    """Return when each address last changed, by the address without the site's name."""
    answer = (client or Client()).get(url or reverse("sitemap"))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/xml")
    root = ElementTree.fromstring(answer.content)
    found = {}
    for each in root:
        place, changed = each.find(f"{SPACE}loc").text, each.find(f"{SPACE}lastmod")
        assert place.startswith(SITE)
        found[place.removeprefix(SITE)] = "" if changed is None else changed.text
    return found


def pages():
    """Return the addresses of the site's own pages, those of the handbook among them."""
    return {*map(reverse, sitemap.PAGES), *(reverse("rules_page", args=[slug]) for slug in list_slugs())}


def addresses(session):
    place = [session.tournament.club.slug, session.tournament.slug]
    return {
        "club": reverse("club", args=place[:1]),
        "tournament": reverse("tournament", args=place),
        "of_tournament": reverse("tournament_ranking", args=place),
        "ranking": session_url("ranking", session),
    }


@pytest.mark.nightly("story")
def test_all_that_may_be_listed_is_there_with_when_it_changed(evening):
    found = read()
    wanted = {*addresses(evening[0]).values(), *addresses(evening[1]).values()}
    assert set(found) == wanted | pages()
    last = {session: timezone.localdate(session.publications.get().published_at).isoformat() for session in evening}
    assert found[session_url("ranking", evening[0])] == last[evening[0]]
    assert found[addresses(evening[0])["tournament"]] == found[addresses(evening[0])["club"]] == last[evening[1]]
    for url in found:
        assert "X-Robots-Tag" not in Client().get(url)


@pytest.mark.nightly("story")
def test_club_that_does_not_let_search_engines_list_it_is_not_there(evening, club, director):
    for setting in ("indexed", "listed"):
        change_settings(club, {setting: False}, now=timezone.now(), by=director)
        assert set(read()) == pages()
        change_settings(club, {setting: True}, now=timezone.now(), by=director)
        assert addresses(evening[0])["club"] in read()


@pytest.mark.nightly("story")
def test_nothing_that_readers_may_not_see_is_there(evening, director):
    one, other = evening
    make_practice(club=one.tournament.club, by=director, now=timezone.now())
    started_session(one.tournament)
    assert set(read()) == {*addresses(one).values(), *addresses(other).values(), *pages()}
    switch_parts(session_id=one.pk, shows=Shows(ranking=False), word=DirectorWord(director, timezone.now()))
    assert {session_url("ranking", one), addresses(one)["of_tournament"]}.isdisjoint(read())
    switch_parts(session_id=one.pk, shows=Shows(), word=DirectorWord(director, timezone.now()))
    SESSIONS.withdraw(other.pk, word=DirectorWord(director, timezone.now(), "erreur"))
    assert {session_url("ranking", other), addresses(one)["of_tournament"]}.isdisjoint(read())
    put_session_away(session_id=one.pk, by=director, now=timezone.now())
    assert session_url("ranking", one) not in read()
    Tournament.objects.filter(pk=one.tournament_id).update(put_away_at=timezone.now())
    assert addresses(one)["tournament"] not in read()


@pytest.mark.nightly("story")
def test_who_has_it_is_told_so_until_anything_changes(evening, director, django_assert_max_num_queries):
    url = reverse("sitemap")

    def again(etag):
        return Client().get(url, headers={"if-none-match": etag})

    etag = Client().get(url)["ETag"]
    with django_assert_max_num_queries(9):
        assert again(etag).status_code == 304
    for change in (
        lambda: switch_parts(
            session_id=evening[0].pk, shows=Shows(ranking=False), word=DirectorWord(director, timezone.now())
        ),
        lambda: play_and_publish(evening[0].tournament, director),
        lambda: change_settings(evening[0].tournament.club, {"listed": False}, now=timezone.now(), by=director),
        lambda: make_club("encore"),
        lambda: put_session_away(session_id=evening[1].pk, by=director, now=timezone.now()),
    ):
        change()
        answer = again(etag)
        assert answer.status_code == 200
        assert answer["ETag"] != etag
        etag = answer["ETag"]


@pytest.mark.nightly("story")
def test_many_addresses_come_in_several_files_by_as_many_questions(
    evening, director, monkeypatch, django_assert_max_num_queries
):
    whole = read()
    for number in range(3):
        club = make_club(f"club-{number}")
        play_and_publish(make_tournament(club), make_director(club, f"directrice-{number}"))
    monkeypatch.setattr(sitemap, "A_FILE", 5)
    monkeypatch.setattr(sitemap.Entries, "limit", 3)
    with django_assert_max_num_queries(16):
        files = read()
    parts = range(2, -(-len(pages()) // 3) + 1)
    first = ["/sitemap-pages.xml", *(f"/sitemap-pages.xml?p={part}" for part in parts)]
    assert list(files)[: len(first) + 1] == [*first, "/sitemap-clubs.xml"]
    together = {}
    for file in files:
        with django_assert_max_num_queries(16):
            part = read(file)
        assert len(part) <= 3
        together |= part
    assert together.keys() > whole.keys()
    assert [
        Client().get(f"/sitemap-{name}").status_code for name in ("else.xml", "clubs.xml?p=99", "clubs.xml?p=x")
    ] == [
        404,
        404,
        404,
    ]


def test_robots_are_led_to_it_and_from_what_is_nobodys(db):
    answer = Client().get(reverse("robots"))
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert f"Sitemap: {SITE}{reverse('sitemap')}" in lines
    assert "Disallow: /admin/" in lines
    assert not [line for line in lines if "clubs" in line or line == "Disallow: /"]
