"""The page of a trial of a published étui: open to readers who see its cards, once nobody has to play it any more."""

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from deals.models import DealSet
from rankings.publication.publishing import SESSIONS
from tests.factories import draft_session, make_club, make_director, make_tournament
from tests.rooms.web.test_trial_page import ENGLISH, read_form
from tests.shared_evenings import published_with_cards as session
from tournaments.models import Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
__all__ = ["session"]


@pytest.fixture(autouse=True)
def with_rooms(settings):
    settings.ROOMS = True
    caches["pages"].clear()


CARD = "card-"  # of the hand on a page


def address(session, etui=1):
    place = session.tournament
    return reverse("evening_trial", args=[place.club.slug, place.slug, session.number, etui])


def etui_args(session):
    return [session.tournament.club.slug, session.tournament.slug, session.number, 1, 1]


def read_etui(session, query=""):
    page = reverse("published_etui", args=etui_args(session))
    return Client().get(f"{page}{query}", headers=ENGLISH).content.decode()


def test_page_of_a_published_etui_leads_to_its_trial_in_the_readers_seat(session, settings):
    mine = session.entrants.first().pk
    assert f'href="{address(session)}"' in read_etui(session)
    assert f'href="{address(session)}?of={mine}"' in read_etui(session, f"?of={mine}")
    assert "You" in Client().get(f"{address(session)}?of={mine}", headers=ENGLISH).content.decode()
    settings.ROOMS = False
    caches["pages"].clear()
    assert "trial" not in read_etui(session)
    assert Client().get(address(session)).status_code == 404


def hide_cards(session):
    Session.objects.filter(pk=session.pk).update(shows_cards=False)


def hide_results(session):
    Session.objects.filter(pk=session.pk).update(shows_etuis=False)


def withdraw(session):
    word = DirectorWord(now=timezone.now(), by=make_director(session.tournament.club, "autre"), reason="Faux")
    SESSIONS.withdraw(session.pk, word)


def use_again(session):
    other = draft_session(make_tournament(session.tournament.club, name="Encore"))
    Session.objects.filter(pk=other.pk).update(deal_set=session.deal_set)


def copy_to_another_club(session):
    copied = DealSet.objects.get(pk=session.deal_set_id)
    copied.pk, copied.club = None, make_club("autre")
    copied.save(force_insert=True)


def make_practice(session):
    Club.every.filter(pk=session.tournament.club_id).update(practice_of=make_club("vrai"))


@pytest.mark.parametrize("change", [hide_cards, hide_results, withdraw, make_practice])
def test_etui_of_a_hidden_evening_has_no_trial(session, change):
    assert Client().get(address(session)).status_code == 200
    change(session)
    assert Client().get(address(session)).status_code == 404
    assert Client().get(address(session, 99)).status_code == 404


@pytest.mark.parametrize("change", [use_again, copy_to_another_club])
def test_trial_of_an_etui_still_to_play_says_so_and_leads_back(session, change):
    offered = read_etui(session)
    assert CARD in Client().get(address(session)).content.decode()
    change(session)
    assert address(session) in offered  # the cached page does not know it
    answer = Client().get(address(session), headers=ENGLISH)
    text, back = answer.content.decode(), reverse("published_etui", args=etui_args(session))
    assert (answer.status_code, f'href="{back}"' in text) == (409, True)
    assert "These étuis are played once more" in text
    assert CARD not in text
    assert Client().post(address(session), {"move": "e"}).status_code == 409


def test_trials_have_a_limit_of_their_own(session, monkeypatch):
    monkeypatch.setattr("rooms.web.table.trial.MOST_ASKED", 2)
    client = Client()
    assert [client.get(address(session)).status_code for _time in range(3)] == [200, 200, 429]


@pytest.mark.nightly("story")
def test_reader_plays_a_published_etui_and_reads_the_note_beside_the_ranking(session):
    client, where = Client(), address(session)
    for _move in range(40):
        page = client.get(where, headers=ENGLISH).content.decode()
        if "Among the plays" in page:
            break
        action, offered = read_form(page)
        bids = re.findall(r'name="move"\s+value="(n)"', page)
        ecart = re.findall(r'name="ecart"\s+value="(\d+)"', page)
        told = {"move": "e", "ecart": ecart[:6]} if ecart else {"move": [*bids, *offered][0]}
        where = client.post(action, {**told, "etui": 1, "at": 0}, headers=ENGLISH)["Location"]
    assert re.search(r"beside the ranking: <strong>[\d.]+\s*%", page)
    assert "Étui 1" in page
