"""The list of what does not apply to a free set, which is only a list of deal numbers."""

import pytest
from django.db import IntegrityError, transaction
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from deals.models import DealSet, Etui
from evenings.plays.desk_state import hidden_etuis
from evenings.plays.ruling import annul_etui, declare_playing, split_etui
from evenings.sessions.setup import use_deal_set
from evenings.standings.computing import compute
from pages.prepare.etuis import find_offered_sets
from rankings.simultaneous.setup import find_sets_to_play
from tests.factories import draft_session, enter, make_director
from tests.free_evenings import lay_out_games, plays_at
from tournaments.errors import ActionRefused
from tournaments.permissions import Can, get_deal_set_for
from tournaments.rules.entry import Fiche


@pytest.fixture
def session(db):
    return lay_out_games([[[0, 1, 2, 3], [4, 5, 6]]])


@pytest.fixture
def by(session):
    return make_director(session.tournament.club)


def test_list_and_choices_of_sets_leave_it_out(session, by):
    club = session.tournament.club
    browser = Client()
    browser.force_login(by)
    page = browser.get(reverse("deal_sets", args=[club.slug]))
    assert page.status_code == 200
    assert session.deal_set.name not in page.content.decode().split("<main", 1)[1]
    assert session.deal_set not in find_offered_sets(club)
    assert session.deal_set not in find_sets_to_play(club)


def test_its_pages_labels_diagrams_and_seed_have_no_door(session, by):
    """Check the one door of all pages and addresses of a set."""
    with pytest.raises(Http404):
        get_deal_set_for(by, Can.DIRECT, club__slug=session.tournament.club.slug, pk=session.deal_set.pk)


def test_no_session_chooses_it(session):
    other = draft_session(tables=4, positions=3)
    DealSet.objects.filter(pk=session.deal_set.pk).update(club=other.tournament.club)
    with pytest.raises(ActionRefused) as error:
        use_deal_set(session_id=other.pk, deal_set=session.deal_set)
    assert error.value.code == "deal_set_unknown"


@pytest.mark.parametrize(
    "columns",
    [
        {"commitment": "a" * 64},
        {"commitment": "a" * 64, "seed_digest": "b" * 64, "seed": "00"},
        {"sealed_at": timezone.now()},
        {"played_on": timezone.now().date()},
        {"profile": "garde-1"},
        {"value_name": "Loto"},
    ],
)
def test_it_has_no_seed_seal_copy_or_profile(session, columns):
    with pytest.raises(IntegrityError), transaction.atomic():
        DealSet.objects.filter(pk=session.deal_set.pk).update(**columns)


@pytest.mark.parametrize("columns", [{"taker": "N"}, {"origin": "typed"}, {"cards": "x", "origin": "typed"}])
def test_its_etuis_have_no_taker_and_no_cards(session, columns):
    with pytest.raises(IntegrityError), transaction.atomic():
        Etui.objects.filter(deal_set=session.deal_set).update(**columns)


def test_etuis_are_not_annulled_and_not_split(session, by):
    said = {"session_id": session.pk, "etui": 1, "reason": "Jeu abîmé", "by": by, "now": timezone.now()}
    with pytest.raises(ActionRefused) as error:
        annul_etui(**said)
    assert error.value.code == "etui_is_a_number"
    with pytest.raises(ActionRefused):
        split_etui(from_position=2, **said)


def test_nothing_is_hidden_from_a_director_who_plays(session, by):
    entrant = session.entrants.get(number=1)
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, by=by, now=timezone.now())
    assert hidden_etuis(session, by) == frozenset()


def test_nothing_is_compared(session, by):
    enter(plays_at(session)[0], Fiche("N", 40), by=by)
    enter(plays_at(session, table=2)[0], Fiche("N", 10), by=by)
    notes = {play.etui_id: play for play in plays_at(session)}
    assert len(notes) == 2
    told = compute(session.pk).data["plays"]
    assert told[str(plays_at(session)[0].pk)]["notes"] == {"N": "120", "E": "-40", "S": "-40", "W": "-40"}
