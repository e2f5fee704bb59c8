"""The page *Publication*: what readers see, and a button for each step of the ranking."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import ClubSettings
from pages.doors import session_url
from tests import shared_evenings
from tests.pages.reading import words
from tests.rankings.publication.test_publishing import correct_first
from tournaments.published import Shows

pytestmark = pytest.mark.django_db
ON = dict.fromkeys(Shows._fields, "on") | {"switches": "1"}


session = shared_evenings.published_with_cards_read_again


@pytest.fixture
def page(director):
    client = Client(headers={"accept-language": "en"})
    client.force_login(director)
    return client


def post(page, session, step="", **data):
    url = session_url("publication_step", session, step) if step else session_url("publish", session)
    return page.post(url, data, follow=True)


def told(session):
    return list(session.publications.order_by("version").values_list("status", flat=True))


@pytest.mark.nightly("story")
def test_ranking_goes_through_its_steps_by_buttons(page, session):
    assert "Make it official now" in words(page.get(session_url("publish", session)))
    answer = words(post(page, session, "official"))
    assert ("The ranking is official." in answer, "Make it provisional again" in answer) == (True, True)
    assert "provisional again, and readers see why." in words(post(page, session, "reopen", reason="table 3"))
    assert "withdrawn, and readers see why." in words(post(page, session, "withdraw", reason="mêlée"))
    answer = words(page.get(session_url("publish", session)))
    assert "Readers see that the ranking has been withdrawn, and why: mêlée" in answer
    post(page, session, **ON)
    assert told(session) == ["provisional", "official", "provisional", "withdrawn", "provisional"]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("step", ["reopen", "withdraw"])
def test_step_without_a_reason_is_refused_and_says_so(page, session, step):
    post(page, session, "official")
    assert "The reason is missing" in words(post(page, session, step, reason=" "))
    assert told(session) == ["provisional", "official"]


def test_step_that_is_none_is_not_found(page, session):
    assert post(page, session, "dance").status_code == 404


@pytest.mark.nightly("story")
def test_switches_are_changed_without_publishing_and_with_it(page, session, director):
    answer = post(page, session, "show", switches="1", ranking="on")
    assert "Readers now see what you have chosen." in words(answer)
    session.refresh_from_db()
    assert (Shows.of(session), told(session)) == (Shows(True, False, False, False), ["provisional"])
    correct_first(session, director)
    answer = post(page, session, switches="1", etuis="on")
    assert "Published: readers see what you have chosen." in words(answer)
    session.refresh_from_db()
    assert (Shows.of(session), len(told(session))) == (Shows(False, True, False, False), 2)


@pytest.mark.nightly("story")
def test_correction_of_the_official_ranking_asks_for_a_reason_and_keeps_choices(page, session, director):
    post(page, session, "official")
    correct_first(session, director)
    form = words(page.get(session_url("publish", session)))
    assert "What readers see is official: a correction needs a reason" in form
    answer = post(page, session, switches="1", ranking="on")
    assert ("This field is required" in words(answer), told(session)) == (True, ["provisional", "official"])
    assert [field.name for field in answer.context["form"].switches if field.value()] == ["ranking"]
    post(page, session, reason="étui 1 relu", **ON)
    assert told(session) == ["provisional", "official", "provisional"]


def test_club_says_how_long_its_rankings_are_provisional(page, session):
    url = reverse("club_settings_rules", args=[session.tournament.club.slug])
    assert "hours until a ranking is official" in words(page.get(url)).lower()
    assert ClubSettings(club=session.tournament.club).window_hours == 48
