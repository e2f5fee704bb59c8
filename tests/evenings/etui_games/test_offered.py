"""The choice of étuis for three or five, by pages and by the API: a tournament, its session, its étuis, its start."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.models import DealSet
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_tournament
from pages.doors import session_url
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused
from tournaments.models import Session, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def size(request):
    return request.param


@pytest.mark.nightly("story")
def test_a_director_makes_an_evening_by_pages_alone(size):
    club = make_club()
    browser = browser_of(make_director(club))
    url = reverse("tournament_new", args=[club.slug])
    page = browser.get(url, headers={"accept-language": "en"}).content.decode()
    assert "Not a form of the federation." in page
    browser.post(url, {"name": "À trois ou à cinq", "auction": f"free_auction_{size}"})
    tournament = Tournament.objects.get()
    assert tournament.format == f"free_auction_{size}"
    url = reverse("session_new", args=[club.slug, tournament.slug])
    page = browser.get(url).content.decode()
    assert 'name="barometer"' not in page
    sent = {"date": "2026-11-27", "starts_at": "20:30", "positions": 2, "etuis_per_position": 2, "minutes_per_etui": 9}
    sent |= {"devices": "tables", "check_by": "same", "shows_after": "nothing", "hidden_positions": 1, "coefficient": 1}
    browser.post(url, sent | {"whole_records": "", "stage": ""})
    session = Session.objects.get()
    players = add_players(club=club, lines=[RosterLine(f"Nom{n}", "Zoé") for n in range(2 * size)])
    seat_players(session_id=session.pk, player_ids=[player.pk for player in players])
    browser.post(session_url("etuis", session), {"how": "generated", "count": 4, "replaces": ""})
    assert DealSet.objects.get().players == size
    browser.post(session_url("start", session))
    session.refresh_from_db()
    assert (session.status, session.plays.count()) == ("running", 8)


@pytest.mark.nightly("story")
def test_a_program_makes_an_evening_by_the_api(size):
    club = make_club()
    client = Client()
    client.force_login(make_director(club))

    def send(path, body, method="post"):
        answer = getattr(client, method)(f"/api/v1/{path}", body, content_type="application/json")
        assert answer.status_code in (200, 201), (path, answer.content)
        return answer.json()

    made = send(f"clubs/{club.slug}/tournaments/", {"name": "Étuis", "format": f"free_auction_{size}"})
    assert (made["format"], made["auction"]) == (f"free_auction_{size}", "free")
    session = send(
        f"tournaments/{made['id']}/sessions/", {"date": "2026-11-27", "positions": 2, "etuis_per_position": 2}
    )
    players = add_players(club=club, lines=[RosterLine(f"Nom{n}", "Zoé") for n in range(2 * size)])
    send(f"sessions/{session['id']}/entrants/", [player.pk for player in players], "put")
    told = send(f"sessions/{session['id']}/deal-set/", {"cards": True})
    assert told["count"] == 4
    assert DealSet.objects.get().players == size
    send(f"sessions/{session['id']}/start/", {})
    assert Session.objects.get().plays.count() == 8


def test_federation_event_for_three_or_five_is_refused_and_keeps_what_was_typed(size):
    club = make_club()
    browser, url = browser_of(make_director(club)), reverse("tournament_new", args=[club.slug])
    sent = {"name": "Étuis à part", "auction": f"free_auction_{size}", "federation": "on"}
    answer = browser.post(url, sent, headers={"accept-language": "en"})
    page = answer.content.decode()
    assert (answer.status_code, Tournament.objects.count()) == (200, 0)
    assert "The federation has no such form: choose another format, or remove this tick." in page
    assert 'value="Étuis à part"' in page
    sent = {"name": "Étuis à part", "format": f"free_auction_{size}", "federation": True}
    refused = browser.post(f"/api/v1/clubs/{club.slug}/tournaments/", sent, "application/json")
    assert (refused.status_code // 100, Tournament.objects.count()) == (4, 0)
    assert "federation_without_form" in refused.content.decode()


def test_tournament_that_becomes_a_federation_event_is_refused_too(size):
    club = make_club()
    tournament = create_tournament(club=club, name="Étuis", format=f"free_auction_{size}", now=timezone.now())
    with pytest.raises(ActionRefused) as refused:
        change_rules(tournament_id=tournament.pk, federation=True, by=make_director(club), now=timezone.now())
    assert (refused.value.code, refused.value.field) == ("federation_without_form", "federation")
