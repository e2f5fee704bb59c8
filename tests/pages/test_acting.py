"""The tests of pages that act: a refusal in its form, and the pages that a practice club leaves to the real one."""

import pytest
from django import forms
from django.contrib.messages.storage.session import SessionStorage
from django.core.exceptions import NON_FIELD_ERRORS
from django.urls import reverse
from django.utils import timezone

from clubs.errors import AccountRefused
from clubs.house import change_settings
from clubs.models import day_of_roles
from clubs.persons import PersonRefused
from clubs.players import add_players
from clubs.roster import RosterError, RosterLine
from evenings.practice import make_practice
from movements import PlanError
from pages.acting import refusals_in
from pages.doors import session_url
from pages.roster_rows import done_counted
from tests.factories import PASSWORD, draft_session, make_director, make_tournament
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused


@pytest.fixture
def author(club):
    return make_director(club)


class PlaceForm(forms.Form):
    table = forms.CharField()
    note = forms.CharField(required=False)


class Refused(ActionRefused, AccountRefused, PersonRefused):
    """A refusal of any kind of service."""


def refuse(*_args, **_given):
    """Refuse whatever is asked, for a field that no form has."""
    raise Refused("session_unknown", "nowhere")


@pytest.mark.parametrize(
    ("refusal", "place"),
    [
        (ActionRefused("session_unknown", "table"), "table"),
        (ActionRefused("session_unknown", "nowhere"), "note"),
        (ActionRefused("session_unknown"), "note"),
        (PlanError("tables", most=9, found=10), "note"),
        (RosterError("roster_no_name", line=1, text="-"), "note"),
    ],
)
def test_refusal_stands_beside_its_field_or_where_the_page_says(refusal, place):
    form = PlaceForm({"table": "1"})
    form.full_clean()
    with refusals_in(form, "note"):
        raise refusal
    assert list(form.errors) == [place]
    assert form.has_error(place, refusal.code)


def test_refusal_without_a_field_of_the_form_stands_above_it():
    form = PlaceForm({"table": "1"})
    form.full_clean()
    with refusals_in(form):
        refuse()
    assert list(form.errors) == [NON_FIELD_ERRORS]


def test_error_of_the_program_is_no_refusal():
    with pytest.raises(ValueError, match="broken"), refusals_in(PlaceForm({})):
        raise ValueError("broken")


PAGES = {
    "team": ("pages.club.staff.invite", {"role": "helper", "whom": "Zoé", "ends_on": ""}),
    "programs": ("pages.club.programs.make_program_token", {"name": "Site", "scopes": ["read"]}),
    "club_player": ("pages.prepare.players.change", {"action": "save", "last_name": "Noir"}),
    "player_person": ("pages.prepare.persons.act", {"action": "ask"}),
    "cash_fees": ("pages.cash.pages.save_fee", {"name": "Plein", "cents": "12", "preset": "all"}),
    "cash_prizes": ("pages.cash.pages.save_prize_plan", {"share": "100", "added": "0", "lines": "1: 50 %"}),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_page_shows_a_refusal_for_a_field_that_its_form_lacks(club, author, monkeypatch, name):
    service, fields = PAGES[name]
    monkeypatch.setattr(service, refuse)
    if name.startswith("cash"):
        change_settings(club, {"keeps_cash": True}, now=timezone.now(), by=author)
        url = session_url(name, draft_session(make_tournament(club)))
    elif name in ("club_player", "player_person"):
        url = reverse(name, args=[club.slug, add_players(club=club, lines=[RosterLine("Noir", "Alex")])[0].pk])
    else:
        url = reverse(name, args=[club.slug])
    answer = browser_of(author).post(url, fields | {"ends_on": str(day_of_roles())} if name == "programs" else fields)
    assert (answer.status_code, NON_FIELD_ERRORS in answer.context["form"].errors) == (200, True)


@pytest.mark.django_db
@pytest.mark.new_site
def test_first_page_shows_a_refusal_for_a_field_that_its_form_lacks(client, monkeypatch):
    monkeypatch.setattr("clubs.accounts.founding.begin_site", refuse)
    fields = {"club": "Tarot de Sète", "name": "Zoé", "email": "zoe@example.org", "password": PASSWORD}
    answer = client.post(reverse("first_run"), fields)
    assert (answer.status_code, NON_FIELD_ERRORS in answer.context["form"].errors) == (200, True)


REAL = ("club_settings", "seasons", "team", "programs", "webhooks", "usual_penalties", "club_statistics")
REAL += ("series_list", "series_new", "simultaneous_list", "simultaneous_new")


@pytest.mark.django_db
@pytest.mark.nightly("story")
def test_page_that_a_practice_club_lacks_is_that_of_the_real_club(club, author):
    practice = make_practice(club=club, by=author, now=timezone.now()).tournament.club
    browser = browser_of(author)
    led = {name: browser.get(reverse(name, args=[practice.slug])).get("Location") for name in REAL}
    assert led == {name: reverse(name, args=[club.slug]) for name in REAL}


@pytest.mark.parametrize(("count", "told"), [(0, "Rien n’a changé."), (20, "20 deals are lost.")])
def test_number_of_rows_is_told_and_none_is_no_success(rf, count, told):
    request = rf.get("/")
    request.session = {}
    request._messages = SessionStorage(request)
    answer = done_counted(request, "%(count)s deals are lost.", count, "/where/")
    (message,) = request._messages
    assert (message.message, message.level_tag) == (told, "success" if count else "info")
    assert answer["Location"] == "/where/"


def test_registrations_that_were_answered_meanwhile_are_told_in_no_green_box(club, author):
    session = draft_session(make_tournament(club))
    director = browser_of(author)
    page = director.post(session_url("registration", session), {"action": "accept_all", "applicant": [1]}, follow=True)
    (message,) = page.context["messages"]
    assert (message.message, message.level_tag) == ("Nothing has changed.", "info")
