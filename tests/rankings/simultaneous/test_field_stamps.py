"""The kept public pages of a field: a page kept before a change of the club or of the organiser is not shown after."""

import pytest
from django.test import Client
from django.utils import timezone

from clubs.players import raise_names_version
from rankings.publication.publishing import SESSIONS
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.hours import FieldHours, change_hours
from rankings.simultaneous.setup import SimultaneousGiven, change_simultaneous
from tests.factories import publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.simultaneous.national_day import DAY, word
from tests.rankings.simultaneous.test_field_pages import open_now, url
from tournaments.models import Session, Simultaneous

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]
OPEN = "Étui by étui"


@pytest.fixture
def read_feuille(played, director):
    """Return a function that reads the feuille of a player whose club has published, with the public hour over."""
    simultaneous, sessions = played
    publish(sessions[0], by=director)
    FIELDS.publish(simultaneous.pk, word(director))
    open_now(simultaneous)
    FIELDS.settle_all()
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
    SESSIONS.withdraw(played[1][0].pk, word=word(director, "erreur"))
    assert OPEN not in read_feuille()


def test_browser_that_keeps_a_feuille_is_told_of_the_change(played, director, read_feuille):
    entrant = played[1][0].entrants.order_by("pk")[0]
    address = url("field_feuille", played[0], entrant.pk)
    kept = browser_of().get(address)["ETag"]
    assert browser_of().get(address, headers={"If-None-Match": kept}).status_code == 304
    SESSIONS.withdraw(played[1][0].pk, word=word(director, "erreur"))
    assert browser_of().get(address, headers={"If-None-Match": kept}).status_code == 200


def test_ranking_shows_a_new_title_and_a_new_public_hour(played, director):
    simultaneous, _sessions = played
    FIELDS.publish(simultaneous.pk, word(director))
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


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
@pytest.mark.parametrize("asked", ["", "?by=N", "?sort=-overall"])
def test_kept_ranking_is_sent_again_by_one_query(
    played, director, asked, encoding, language, django_assert_num_queries
):
    FIELDS.publish(played[0].pk, word(director))
    who, address = (
        Client(headers={"accept-encoding": encoding, "accept-language": language}),
        url("field", played[0]) + asked,
    )
    first = who.get(address)
    with django_assert_num_queries(1):
        again = who.get(address)
    assert told(again) == told(first)
    kept = {"if-none-match": first["ETag"]}
    unchanged = who.get(address, headers=kept)
    with django_assert_num_queries(1):
        assert told(who.get(address, headers=kept)) == told(unchanged)
    assert unchanged.status_code == 304


def test_other_pages_of_a_field_are_sent_again_by_one_query(played, director, read_feuille, django_assert_num_queries):
    who, etui = browser_of(), played[0].deal_set.etuis.order_by("number")[0]
    for name, *numbers in (("field_etui", etui.number), ("field_versions",)):
        address = url(name, played[0], *numbers)
        first = who.get(address)
        with django_assert_num_queries(1):
            assert told(who.get(address)) == told(first)


def test_kept_ranking_is_gone_when_it_is_withdrawn_and_back_when_it_is_published(played, director):
    FIELDS.publish(played[0].pk, word(director))
    who, address = browser_of(), url("field", played[0])  # the shortcut's memory belongs to one browser of a test
    assert [who.get(address).status_code for _time in range(2)] == [200, 200]
    FIELDS.withdraw(played[0].pk, word(director, "erreur"))
    assert who.get(address).status_code == 404
    FIELDS.publish(played[0].pk, word(director))
    assert who.get(address).status_code == 200


def test_kept_ranking_forgets_a_name_that_any_club_changes(played, director):
    FIELDS.publish(played[0].pk, word(director))
    who, address = browser_of(), url("field", played[0])
    session = played[1][0]
    player = session.entrants.order_by("pk")[0].player
    assert [who.get(address).status_code for _time in range(2)] == [200, 200]
    player.last_name = "Désormais"
    player.save()
    raise_names_version(session.tournament.club_id)
    assert "Désormais" in words(who.get(address))


def told(answer):
    return answer.status_code, answer.content, dict(answer.items())
