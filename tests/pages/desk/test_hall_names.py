"""The full names on the page of the hall: for whoever opens the evening's link, as long as it works."""

import datetime as dt
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from clubs.shown import choose_shown
from evenings.sessions.hall_link import find_key
from evenings.sessions.running import close_session
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import enter, make_director, make_helper, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Session

pytestmark = pytest.mark.django_db
SCRIPT = {"hx-request": "true"}


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session(positions=2)
    player = session.entrants.get(number=1, line="N").player
    Player.objects.filter(pk=player.pk).update(first_name="Philibert", last_name="Zwingelstein")
    choose_shown(player=player, shown="hidden", way="director", by=None, now=timezone.now())
    return session.pk


@pytest.fixture
def session(evening):
    return Session.objects.select_related("tournament__club").get(pk=evening)


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


director = shared_evenings.browser_of_user


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "With the evening’s link they also read them on the page of the hall. The link ends when"),
        ("fr", "Avec le lien de la soirée, ils les lisent aussi sur la page de la salle. Ce lien prend fin"),
    ],
)
def test_page_on_privacy_says_who_reads_names_in_the_hall(language, told):
    assert told in words(browser_of().get(reverse("privacy"), headers={"accept-language": language}))


@pytest.fixture
def visitor(session):
    """Return a browser that has opened the link of the evening."""
    client = browser_of()
    answer = client.get(link_of(session))
    assert (answer.status_code, answer["Location"]) == (302, session_url("hall", session))
    return client


def link_of(session, now=None):
    return session_url("hall_link", session, find_key(session, now or timezone.now()))


def hall(session, client, **query):
    return words(client.get(session_url("hall", session), query))


def test_link_becomes_a_cookie_for_this_hall_alone_and_leaves_the_address(session, visitor):
    cookie = visitor.cookies["hall"]
    told = cookie["path"], bool(cookie["httponly"]), cookie["samesite"], cookie["max-age"]
    assert told == (session_url("hall", session), True, "Lax", 2 * 86_400)
    for query in ({}, {"by": "table"}, {"q": "zwingel"}):
        page = visitor.get(session_url("hall", session), query)
        assert "Zwingelstein" in words(page)
        assert cookie.value not in page.content.decode()
        assert "as everybody may see them" not in words(page)
    assert "no-store" in visitor.get(link_of(session))["Cache-Control"]


@pytest.mark.parametrize("query", [{}, {"by": "table"}, {"q": "zwingel"}])
def test_hall_without_the_link_names_nobody_who_is_hidden_and_says_what_to_do(session, query):
    stranger = browser_of()
    page = hall(session, stranger, **query)
    assert "Zwingelstein" not in page
    assert "your guide card, its code or your personal link tells your table" in page
    assert "votre carte-guide, son code ou votre lien personnel" in words(
        stranger.get(session_url("hall", session), query, headers={"accept-language": "fr"})
    )


@pytest.mark.nightly("story")
def test_search_in_the_hall_compares_only_names_that_are_shown(session, visitor):
    stranger = browser_of()
    found, nobody = (hall(session, stranger, q=wanted) for wanted in ("zwingelstein", "xxxxxxxxxxxx"))
    assert found.replace("zwingelstein", "xxxxxxxxxxxx") == nobody
    assert "Table 1, North" in hall(session, visitor, q="zwingelstein")


@pytest.mark.nightly("story")
def test_refresh_of_the_hall_tells_apart_who_has_the_link(session, visitor):
    address, stranger = session_url("hall", session), browser_of()
    seen = {client: client.get(address).context["stamp"] for client in (visitor, stranger)}
    status = [
        client.get(address, {"seen": stamp}, headers=SCRIPT).status_code
        for client in (visitor, stranger)
        for stamp in seen.values()
    ]
    assert status == [204, 200, 200, 204]


def test_hall_that_is_open_hides_names_when_its_link_has_ended(session, user, visitor, monkeypatch):
    enter(session.plays.select_related("etui").first(), by=user)
    address = session_url("hall", session)
    stamp = visitor.get(address).context["stamp"]
    later = timezone.now() + dt.timedelta(hours=12)
    monkeypatch.setattr("pages.desk.hall.timezone.now", lambda: later)
    refreshed = visitor.get(address, {"seen": stamp}, headers=SCRIPT)
    assert (refreshed.status_code, "Zwingelstein" in words(refreshed)) == (200, False)
    assert visitor.get(address, {"seen": refreshed.context["stamp"]}, headers=SCRIPT).status_code == 204


def test_closed_hall_names_nobody_who_is_hidden(session, user, visitor):
    close_session(session_id=session.pk, by=user, now=timezone.now())
    for query in ({}, {"by": "table"}, {"q": "zwingel"}):
        assert "Zwingelstein" not in hall(session, visitor, **query)


@pytest.mark.parametrize("key", ["0" * 32, "x", "é" * 32])
def test_wrong_key_of_a_hall_leads_to_the_page_that_says_so(session, key):
    client = browser_of()
    answer = client.get(session_url("hall_link", session, key), follow=True)
    assert answer.redirect_chain == [(f"{session_url('hall', session)}?ended", 302)]
    assert ("hall" in client.cookies, "This link for the hall has ended" in words(answer)) == (False, True)
    client.cookies["hall"] = "wrong"
    assert "Zwingelstein" not in hall(session, client)


def test_renewal_by_the_director_ends_the_links_on_paper_and_in_cookies(session, director, visitor):
    old = link_of(session)
    page = director.post(session_url("hall_renew", session), follow=True)
    assert page.redirect_chain == [(f"{session_url('prints', session)}#hall", 302)]
    session.refresh_from_db()
    new = link_of(session)
    assert new in page.content.decode()
    assert "Zwingelstein" not in hall(session, visitor)
    assert visitor.get(old)["Location"] == f"{session_url('hall', session)}?ended"
    assert visitor.get(new)["Location"] == session_url("hall", session)
    assert "Zwingelstein" in hall(session, visitor)
    assert "New link for the names in the hall" in words(director.get(session_url("log", session)))


@pytest.mark.nightly("story")
@pytest.mark.parametrize("staff", ["director", "helper"])
def test_desk_opens_the_hall_by_its_link_as_long_as_it_works(session, user, staff):
    client = browser_of(user if staff == "director" else make_helper(session.tournament.club))
    opens = re.compile(r'id="to-hall"[^>]*?\shref="([^"]+)"')
    there = opens.search(client.get(session_url("session", session)).content.decode())[1]
    assert client.get(there)["Location"] == link_of(session)
    assert "Zwingelstein" in words(client.get(there, follow=True))
    close_session(session_id=session.pk, by=user, now=timezone.now())
    assert client.get(there)["Location"] == session_url("hall", session)
