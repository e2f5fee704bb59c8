"""The kept public pages of a field: a page kept before a change of the club or of the organiser is not shown after."""

import pytest
from django.utils import timezone

from tests.factories import publish
from tests.tournaments.browsing import browser_of
from tests.tournaments.pages import words
from tests.tournaments.simultaneous.national_day import DAY, word
from tests.tournaments.simultaneous.test_field_pages import open_now, url
from tournaments.models import Session, Simultaneous
from tournaments.publication.status import withdraw_ranking
from tournaments.simultaneous.field.publishing import publish_field, settle_all_fields
from tournaments.simultaneous.hours import FieldHours, change_hours
from tournaments.simultaneous.setup import SimultaneousGiven, change_simultaneous

pytestmark = pytest.mark.django_db
OPEN = "Étui by étui"


@pytest.fixture
def read_feuille(played, director):
    """Return a function that reads the feuille of a player whose club has published, with the public hour over."""
    simultaneous, sessions = played
    publish(sessions[0], by=director)
    publish_field(simultaneous_id=simultaneous.pk, word=word(director))
    open_now(simultaneous)
    settle_all_fields(timezone.now())
    entrant = sessions[0].entrants.order_by("pk")[0]
    return lambda: words(browser_of().get(url("field_feuille", simultaneous, entrant.pk)))


def test_feuille_kept_before_the_job_of_the_public_hour_is_not_shown_after_it(played, read_feuille):
    session = Session.objects.filter(pk=played[1][0].pk)
    session.update(held_until=timezone.now())
    assert OPEN not in read_feuille()
    session.update(held_until=None)
    assert OPEN in read_feuille()


def test_feuille_is_gone_when_the_club_switches_feuilles_off(played, read_feuille):
    assert OPEN in read_feuille()
    Session.objects.filter(pk=played[1][0].pk).update(shows_feuilles=False)
    assert OPEN not in read_feuille()


def test_feuille_is_gone_when_the_club_withdraws_its_ranking(played, director, read_feuille):
    assert OPEN in read_feuille()
    withdraw_ranking(session_id=played[1][0].pk, word=word(director, "erreur"))
    assert OPEN not in read_feuille()


def test_browser_that_keeps_a_feuille_is_told_of_the_change(played, director, read_feuille):
    entrant = played[1][0].entrants.order_by("pk")[0]
    address = url("field_feuille", played[0], entrant.pk)
    kept = browser_of().get(address)["ETag"]
    assert browser_of().get(address, headers={"If-None-Match": kept}).status_code == 304
    withdraw_ranking(session_id=played[1][0].pk, word=word(director, "erreur"))
    assert browser_of().get(address, headers={"If-None-Match": kept}).status_code == 200


def test_ranking_shows_a_new_title_and_a_new_public_hour(played, director):
    simultaneous, _sessions = played
    publish_field(simultaneous_id=simultaneous.pk, word=word(director))
    before = words(browser_of().get(url("field", simultaneous)))
    now = timezone.now()
    given = SimultaneousGiven("Un autre titre", simultaneous.alterne, simultaneous.keeps_lookers)
    change_simultaneous(simultaneous_id=simultaneous.pk, given=given, by=director, now=now)
    titled = words(browser_of().get(url("field", simultaneous)))
    assert "Un autre titre" not in before
    assert "Un autre titre" in titled
    simultaneous = Simultaneous.objects.get(pk=simultaneous.pk)
    hours = FieldHours(simultaneous.opens_at, simultaneous.closes_at, simultaneous.public_at + 9 * DAY)
    change_hours(simultaneous_id=simultaneous.pk, hours=hours, by=director, now=now)
    moved = words(browser_of().get(url("field", simultaneous)))
    assert "The étuis and everybody’s notes open on" in moved
    assert moved != titled
