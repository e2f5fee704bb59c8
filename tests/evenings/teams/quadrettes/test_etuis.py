"""The étuis of quadrettes: those made for a session name South, and others bring a warning that says what to do."""

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from clubs.house import change_settings
from deals.models import Etui
from deals.sets import create_deal_set, create_set_dealt_at_table
from evenings.plans.deal_sets import find_other_takers
from evenings.plans.teams.seating import seat_teams
from evenings.sessions.checklist import preparation_of
from evenings.sessions.setup import create_session, create_tournament, prepare_deals, use_deal_set
from pages.doors import session_url
from tests.api.conftest import Client
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare
from tests.factories import DATE, make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
WARNING = "South takes every étui here, but étuis"


@pytest.fixture
def session():
    tournament = make_quadrettes(4)
    session = create_session(tournament=tournament, date=DATE, positions=3, etuis_per_position=4)
    seat_teams(session_id=session.pk, now=timezone.now())
    return session


@pytest.fixture
def arbiter(session):
    return make_director(session.tournament.club)


def give(session, *, profile=None, first=1):
    told = {"club": session.tournament.club, "name": "Jeu", "count": 30, "by": None, "now": timezone.now()}
    made = create_set_dealt_at_table(**told) if profile is None else create_deal_set(**told, profile=profile)
    use_deal_set(session_id=session.pk, deal_set=made, first_etui=first)
    session.refresh_from_db()
    return made


@pytest.mark.parametrize("with_cards", [True, False])
def test_etuis_made_for_the_session_name_south_and_bring_no_warning(session, arbiter, with_cards):
    made = prepare_deals(session_id=session.pk, with_cards=with_cards, count=12, by=arbiter, now=timezone.now())
    session.refresh_from_db()
    assert made.profile == ("garde-1-south" if with_cards else "")
    assert {*made.etuis.values_list("taker", flat=True)} == {"S"}
    assert len({*made.etuis.values_list("dealer", flat=True)}) == 4
    assert preparation_of(session).other_takers == ""
    Client(arbiter)("PATCH", f"sessions/{session.pk}/deal-set/", {"count": 20})
    assert {*Etui.objects.filter(number__gt=12).values_list("taker", flat=True)} == {"S"}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("profile", [None, "garde-1", ""])
def test_other_etuis_bring_a_warning_on_the_pages_and_in_the_api(session, arbiter, profile):
    made = give(session, profile=profile)
    named = list(
        made.etuis.filter(number__lte=12).exclude(taker="S").order_by("number").values_list("number", flat=True)
    )
    assert find_other_takers(session, needed=12) == named != []
    browser = browser_of(arbiter)
    for name in ("etuis", "session"):
        page = words(browser.get(session_url(name, session)))
        assert WARNING in page
        assert "profile garde-1-south" in page
    assert WARNING in Client(arbiter)("GET", f"sessions/{session.pk}/deal-set/")["warning"]
    assert preparation_of(session).ready


def test_warning_is_about_the_etuis_that_the_session_plays(session):
    made = give(session, first=5)
    Etui.objects.filter(deal_set=made, number__range=(5, 16)).exclude(number=9).update(taker="S")
    Etui.objects.filter(deal_set=made, number=9).update(taker="E")
    assert find_other_takers(session, needed=12) == [9]
    with translation.override("en"):
        assert "étui 9 names another player" in preparation_of(session).other_takers
    Etui.objects.filter(number=9).update(taker="S")
    assert preparation_of(session).other_takers == ""


def test_set_chosen_from_its_own_page_brings_the_warning(session, arbiter):
    told = {"club": session.tournament.club, "name": "Jeu", "count": 30, "by": None, "now": timezone.now()}
    made = create_set_dealt_at_table(**told)
    url = reverse("deal_set_use", args=[session.tournament.club.slug, made.pk])
    page = browser_of(arbiter).post(url, {"session": session.pk, "first_etui": 1}, follow=True)
    assert WARNING in words(page)


def test_sessions_of_other_formats_have_no_such_warning():
    session = prepare_triplettes()
    give(session)
    assert find_other_takers(session, needed=0) == []
    assert preparation_of(session).other_takers == ""


def prepare_triplettes(club=None):
    told = {"club": club or make_club(), "name": "Triplettes", "format": "triplettes", "now": timezone.now()}
    return create_session(tournament=create_tournament(**told), date=DATE, positions=3, etuis_per_position=4)


def chosen_profile(browser, club):
    return browser.get(reverse("deal_set_new", args=[club.slug])).context["form"]["profile"].value()


def test_form_of_a_new_set_begins_with_the_profile_of_the_session_in_preparation(session, arbiter):
    browser, club = browser_of(arbiter), session.tournament.club
    assert chosen_profile(browser, club) == "garde-1-south"
    prepare_triplettes(club)
    assert chosen_profile(browser, club) == "garde-1"


def test_form_of_a_new_set_begins_with_the_profile_of_the_usual_format():
    session = prepare(make_quadrettes(4), positions=3)
    club, by = session.tournament.club, make_director(session.tournament.club)
    assert chosen_profile(browser_of(by), club) == "garde-1"
    change_settings(club, {"format": "free_auction"}, now=timezone.now(), by=by)
    assert chosen_profile(browser_of(by), club) == ""
