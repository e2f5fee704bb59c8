"""The page of a tournament's name, season, contract and kind: effects, refusals, and who changed them."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from clubs.log import say_entry
from clubs.models import Club, Season
from evenings.plans.choosing import choose_plan, proposals_for, shape_of
from pages.doors import session_url
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words
from tournaments.models import Session, Tournament
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(tournament):
    return make_director(tournament.club)


@pytest.fixture
def director(account):
    return browser_of(account)


@pytest.fixture
def season(tournament):
    days = {"starts_on": dt.date(2026, 9, 1), "ends_on": dt.date(2027, 8, 31)}
    return Season.objects.create(club=tournament.club, name="2026-2027", **days)


def address(tournament, name="tournament_rules"):
    return reverse(name, args=[tournament.club.slug, tournament.slug])


def change(director, tournament, **given):
    return director.post(address(tournament), fields(director.get(address(tournament))) | given)


@pytest.mark.nightly("story")
def test_name_is_changed_everywhere_and_the_address_stays(tournament, account, director):
    session = published_session(tournament, by=account)
    ranking = reverse("ranking", args=[tournament.club.slug, tournament.slug, session.number])
    reader = Client(headers={"Accept-Language": "en"})
    before = [reader.get(url) for url in (ranking, address(tournament, "tournament"), reverse("home"))]
    calendar = reader.get(reverse("calendar_file")).content
    digest = session.publications.get().digest
    assert change(director, tournament, name="Coupe d’hiver").status_code == 302
    for old in before:
        now = reader.get(old.request["PATH_INFO"], headers={"If-None-Match": old["ETag"]})
        assert (now.status_code, "Coupe d’hiver" in now.text, "Duplicate d’été" in now.text) == (200, True, False)
    assert b"Coupe d" in reader.get(reverse("calendar_file")).content != calendar
    assert session.publications.get().digest == digest
    told = Session.objects.get(pk=session.pk)
    assert told.told_version == session.told_version + 1
    assert Tournament.objects.get(pk=tournament.pk).revision == tournament.revision


def test_season_is_chosen_and_left_and_the_logs_say_so(tournament, account, director, season):
    session = draft_session(tournament)
    assert change(director, tournament, season=str(season.pk), name="Coupe").status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).season == season
    assert "2026-2027" in Client().get(address(tournament, "tournament")).text
    change(director, tournament, season="")
    ranked = address(tournament, "tournament_rules_ranked")
    director.post(ranked, fields(director.get(ranked)) | {"substitutes_ranked": "on", "window_hours": "4"})
    assert Tournament.objects.get(pk=tournament.pk).season is None
    with translation.override("en"):
        assert [say_log(line) for line in session.log.filter(action="rules_changed").order_by("pk")] == [
            "Changed in the tournament: name, from “Duplicate d’été” to “Coupe”",
            "Changed in the tournament: season, from “nothing” to “2026-2027”",
            "Changed in the tournament: season, from “2026-2027” to “nothing”",
            "Changed in the tournament: hours until a ranking is official, from “48” to “4”",
        ]
        assert [say_entry(entry) for entry in tournament.club.log.order_by("pk")] == [
            "renamed the tournament “Duplicate d’été” to “Coupe”",
            "put the tournament “Coupe” into the season 2026-2027",
            "took the tournament “Coupe” out of its season",
            "changed the settings of the tournament “Coupe”",
        ]
    assert {entry.author for entry in tournament.club.log.all()} == {account}


def test_season_of_another_club_is_refused(tournament, director, season):
    foreign = Season.objects.create(
        club=make_club("autre"), name="x", starts_on=season.starts_on, ends_on=season.ends_on
    )
    page = change(director, tournament, season=str(foreign.pk))
    assert "not, or no longer, in the list" in words(page)
    assert Tournament.objects.get(pk=tournament.pk).season is None


def test_contract_changes_while_all_is_prepared_and_the_plan_follows(tournament, account, director):
    session = draft_session(make_tournament(tournament.club, auction="free", name="Libre"), tables=5, cards=True)
    choose_plan(session_id=session.pk, choice=0, shape=shape_of(session), by=account, now=timezone.now())
    assert proposals_for(session)
    assert change(director, session.tournament, auction="imposed").status_code == 302
    assert Tournament.objects.get(pk=session.tournament_id).auction == "imposed"
    assert browser_of(account).post(session_url("start", session)).status_code == 302
    assert Session.objects.get(pk=session.pk).status == "running"


def test_contract_of_a_session_that_has_begun_stays(tournament, account, director):
    started_session(tournament)
    page = director.get(address(tournament))
    assert "auction" not in page.context["form"].fields
    assert "Form of play: Imposed Garde." in words(page)
    assert change(director, tournament, auction="free").status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).auction == "imposed"


def test_event_of_the_federation_wants_tables_that_see_nothing(tournament, director):
    session = draft_session(tournament)
    Session.objects.filter(pk=session.pk).update(shows_after="topage")
    page = change(director, tournament, federation="on", name="Coupe")
    assert "The tables of session 1 see some" in words(page)
    assert fields(page)["name"] == "Coupe"
    assert not Tournament.objects.get(pk=tournament.pk).federation
    Session.objects.filter(pk=session.pk).update(shows_after="nothing")
    assert change(director, tournament, federation="on").status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).federation


def test_new_tournament_begins_in_the_season_that_runs(tournament, director, season):
    club = tournament.club
    page = director.get(reverse("tournament_new", args=[club.slug]))
    runs = season.starts_on <= timezone.localdate(None, club.zone) <= season.ends_on
    assert page.context["form"]["season"].value() == (season.pk if runs else None)
    Season.objects.update(starts_on=dt.date(2001, 1, 1), ends_on=dt.date(2001, 2, 1))
    page = director.get(reverse("tournament_new", args=[club.slug]))
    assert page.context["form"]["season"].value() is None
    assert Club.objects.get(pk=club.pk).seasons.count() == 1
