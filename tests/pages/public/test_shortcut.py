"""The shortcut for readers: a known answer is sent at once, and equals the one that the whole site would give."""

import pytest
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.players import raise_names_version
from evenings.plays.entering import annul_play
from evenings.sessions.put_away import put_session_away
from pages.doors import session_url
from pages.everybody import is_personal
from pages.public import shortcut
from tests import shared_evenings
from tests.factories import publish
from tests.pages.reading import words

pytestmark = pytest.mark.django_db


session = shared_evenings.published


@pytest.fixture
def url(session):
    return session_url("ranking", session)


@pytest.fixture
def whole(monkeypatch):
    """Return the list to which each request that the shortcut does not answer is added."""
    found = []
    really = shortcut.ShortcutMiddleware.remember

    def remember(self, request, page, response):
        found.append(request.get_full_path())
        really(self, request, page, response)

    monkeypatch.setattr(shortcut.ShortcutMiddleware, "remember", remember)
    return found


def reader(language="en", **headers):
    """Return a stranger's browser. The shortcut's memory belongs to the process, so browsers share it."""
    return Client(headers={"accept-language": language, **headers})


def told(answer):
    return answer.status_code, answer.content, dict(answer.items())


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
@pytest.mark.parametrize("asked", ["", "?by=line", "?sort=-overall", "?utm_source=letter"])
def test_answer_is_that_of_the_whole_way_to_the_letter(url, whole, encoding, asked, django_assert_num_queries):
    who = reader(**{"accept-encoding": encoding})
    first = who.get(url + asked)
    with django_assert_num_queries(1):
        again = who.get(url + asked)
    assert told(again) == told(first)
    assert whole == [url + asked]


def test_who_has_the_page_is_told_so_with_the_same_headers(url, whole, django_assert_num_queries):
    who = reader()
    known = {"if-none-match": who.get(url)["ETag"]}
    first = who.get(url, headers=known)
    with django_assert_num_queries(1):
        again = who.get(url, headers=known)
    assert first.status_code == 304
    assert told(again) == told(first)
    assert whole == [url] * 2
    assert who.get(url, headers={"if-none-match": 'W/"else"'}).status_code == 200


def test_pages_of_languages_and_encodings_are_not_mixed_up(url):
    who = Client()
    asked = [(language, encoding) for language in ("fr", "en") for encoding in ("gzip", "identity")]
    for _time in range(2):
        for language, encoding in asked:
            answer = who.get(url, headers={"accept-language": language, "accept-encoding": encoding})
            assert (answer["Content-Language"], answer.get("Content-Encoding", "identity")) == (language, encoding)
    who.cookies["django_language"] = "fr"
    assert who.get(url, headers={"accept-language": "en"})["Content-Language"] == "fr"


@pytest.mark.nightly("race")
def test_what_changes_is_shown_at_once(session, url):
    who, director = reader(), session.tournament.club.memberships.get(role="director").user
    before = [who.get(url) for _time in range(2)][-1]
    player = session.entrants.get(line="N", number=1).player
    player.last_name = "Désormais"
    player.save()
    raise_names_version(session.tournament.club_id)
    assert "Désormais" in words(who.get(url))
    annul_play(play_id=session.plays.first().pk, reason="Étui mal fait", by=director, now=timezone.now())
    assert publish(session, by=director).version == 2
    again = who.get(url)
    assert "version 2" in words(again)
    assert again["ETag"] != before["ETag"]
    session.publications.all().delete()
    assert who.get(url).status_code == 404


def test_what_a_club_changes_shows_at_once_and_what_is_put_away_stays_in_place(session, url, whole):
    who, club = reader(), session.tournament.club
    director = club.memberships.get(role="director").user
    before = [who.get(url) for _time in range(2)][-1]
    for given in ({"name": "Club d’Ailleurs"}, {"time_zone": "Pacific/Kiritimati"}, {"player_accounts": "open"}):
        change_settings(club, given, now=timezone.now(), by=director)
        told_now = who.get(url)
        assert told_now["ETag"] != before["ETag"]
        before = told_now
    assert "Club d’Ailleurs" in words(before)
    assert len(whole) == 4
    put_session_away(session_id=session.pk, by=director, now=timezone.now())
    assert told(who.get(url)) == told(before)


def test_who_is_logged_in_is_not_answered_so(session, url):
    who = reader()
    stranger = [who.get(url) for _time in range(2)][-1]
    who.force_login(session.tournament.club.memberships.get(role="director").user)
    assert reverse("logout") in who.get(url).content.decode()
    who.logout()
    assert who.get(url).content == stranger.content


def test_page_that_is_kept_no_more_is_built_again(url, whole):
    who = reader()
    first = who.get(url)
    caches["pages"].clear()
    assert who.get(url).content == first.content
    assert whole == [url] * 2


def test_other_methods_hosts_and_addresses_go_the_whole_way(url, settings):
    who = reader()
    who.get(url)
    assert who.post(url).status_code == 405
    assert who.head(url).content == b""
    assert who.get(f"{url}nowhere/").status_code == 404
    settings.ALLOWED_HOSTS = ["topage.example.org"]
    assert who.get(url, headers={"host": "elsewhere.example.org"}).status_code == 400


def test_memory_is_bounded(url, whole, monkeypatch):
    monkeypatch.setattr(shortcut, "MOST_ADDRESSES", 3)
    who = reader()
    for number in range(5):
        who.get(f"{url}?odd={number}")
    assert len(whole) == 5
    who.get(f"{url}?odd=4")
    assert len(whole) == 5
    who.get(f"{url}?odd=0")
    assert len(whole) == 6
    for _time in range(2):
        who.get(f"{url}?odd={'x' * 400}")
    assert len(whole) == 8


def test_device_that_is_known_reads_as_anybody(url, whole, django_assert_num_queries):
    """Check that the cookie of a known device does not make a reader personal: no session is asked for."""
    who = reader()
    first = who.get(url)
    who.cookies["device"] = "a device"
    with django_assert_num_queries(1):
        again = who.get(url)
    assert told(again) == told(first)
    assert whole == [url]
    request = RequestFactory().get(url)
    request.COOKIES["device"] = "a device"
    assert not is_personal(request)  # this asks for neither account nor messages, since the request has none
