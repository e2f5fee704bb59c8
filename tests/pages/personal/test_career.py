"""The career on a player's own link: all sessions, shown by name or not; and the links to a player's page."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Person, Visibility
from clubs.players import raise_names_version
from evenings.requests.links import ensure_links
from tests import shared_evenings
from tests.pages.reading import read, words
from tests.rankings.careers.world import players_of, repeat

pytestmark = pytest.mark.django_db


session = shared_evenings.season_with_no_page_cached


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


def own_page(session):
    entrant = session.entrants.order_by("pk").first()
    return reverse("personal_career", args=[ensure_links(session, now=timezone.now())[entrant.pk].token])


def hide(player):
    Person.objects.filter(pk=player.person_id).update(shown=Visibility.HIDDEN)
    raise_names_version(player.club_id)


def test_own_link_shows_the_figures_of_all_sessions(session, reader):
    zoe = players_of(session)[0]
    repeat(session, 3, zoe)
    answer = reader.get(own_page(session))
    assert "Sessions 4" in words(answer)
    assert reverse("choose_other", args=[zoe.pk]) in read(answer).links
    assert "no-store" in answer["Cache-Control"]


def test_own_link_shows_a_hidden_player_himself_and_leads_to_no_page_of_his(session, reader):
    zoe = players_of(session)[0]
    hide(zoe)
    answer = reader.get(own_page(session))
    assert "Zoé Nom001" in words(answer)
    assert [link for link in read(answer).links if link.startswith(f"/players/{zoe.pk}/")] == []


@pytest.mark.parametrize("token", ["x", "A" * 22])
def test_other_links_open_nothing(token, reader):
    assert reader.get(reverse("personal_career", args=[token])).status_code == 404


@pytest.mark.nightly("story")
def test_personal_page_leads_there(session, reader):
    address = own_page(session)
    assert address in read(reader.get(address.removesuffix("career/"))).links


@pytest.mark.nightly("story")
def test_feuille_leads_to_the_page_of_whoever_is_shown_by_name(session, reader):
    entrant = session.entrants.order_by("pk").first()
    feuille = reverse("feuille", args=["club", session.tournament.slug, session.number, 1, entrant.pk])
    page = reverse("player", args=[entrant.player_id])
    assert page in read(reader.get(feuille)).links
    hide(players_of(session)[0])
    assert page not in read(reader.get(feuille)).links
