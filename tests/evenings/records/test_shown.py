"""The records that readers may see beside a published étui, and the stamp that changes with them."""

from dataclasses import replace

import pytest
from django.utils import timezone

from evenings.plays.entering import correct_result
from evenings.records import find_shown_records, find_shown_records_of, store_record, withdraw_record
from tests import shared_evenings
from tests.evenings.records.played import first_cards, play_etui
from tests.factories import enter, enter_all, publish
from tournaments.models import Publication
from tournaments.published import PublicPlace, find_published
from tournaments.reports.session import decode_report

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_cards_and_two_positions


director = shared_evenings.director_of_session


play = shared_evenings.first_play_of_first_table


@pytest.fixture
def played(session, director, play):
    """Publish the session, in which the play has the result of a known record. Return the record."""
    record, entry = play_etui(play.etui)
    enter(play, entry, by=director)
    enter_all(session, by=director, plays=session.plays.select_related("etui").exclude(pk=play.pk))
    publish(session, by=director)
    return record


def store(play, record, director, **how):
    return store_record(play_id=play.pk, compose=lambda _head: record, by=director, now=timezone.now(), **how)


def shown(session, play):
    """Return the records shown for the play's étui in the newest version."""
    return find_shown_records(find_etui(session, play), session.tournament)


def find_etuis(session):
    return decode_report(Publication.objects.filter(session=session).latest("version").data).etuis


def find_etui(session, play):
    return next(etui for etui in find_etuis(session) if etui.number == play.etui.number)


def etag(session):
    from pages.public.published import tell_stamp

    return tell_stamp(find_published(PublicPlace.of(session), timezone.now()), "fr")


def test_record_that_agrees_with_the_published_result_is_shown(session, director, play, played):
    assert shown(session, play) == {}
    store(play, played, director)
    found = shown(session, play)
    assert list(found) == [play.pk]
    assert found[play.pk].record.cards == played.cards
    assert found[play.pk].record.deal is not None
    assert found[play.pk].judged.faults == ()


def test_lead_alone_is_shown(session, director, play, played):
    store(play, first_cards(played, 1), director)
    assert shown(session, play)[play.pk].record.cards == played.cards[:1]


def test_record_of_other_cards_is_not_shown(session, director, play, played):
    record = first_cards(played, 1)
    hand = {card for card in played.cards if card != record.cards[0]}
    store(play, replace(record, cards=(max(hand - first_hand(play)),)), director)
    assert shown(session, play) == {}


def first_hand(play):
    from deals.domain.cards import Seat
    from deals.domain.deal import loads
    from deals.domain.etui import leader

    return set(loads(play.etui.cards).hand(leader(Seat(play.etui.dealer))))


def test_record_is_shown_only_while_its_score_is_the_published_one(session, director, play, played):
    store(play, played, director)
    entry = play_etui(play.etui)[1]
    other = replace(entry, result=replace(entry.result, half_points=entry.result.half_points + 2))
    said = {"seen_version": 1, "reason": "relu", "by": director, "now": timezone.now()}
    correct_result(play_id=play.pk, entry=other, **said)
    assert list(shown(session, play)) == [play.pk]  # the published result is still the old one
    publish(session, by=director)
    assert shown(session, play) == {}


def test_withdrawn_record_is_not_shown(session, director, play, played):
    row = store(play, played, director)
    withdraw_record(play_id=play.pk, seen_version=row.version, by=director, now=timezone.now())
    assert shown(session, play) == {}


def test_etui_without_cards_asks_nothing(session, play, played, director, django_assert_num_queries):
    store(play, played, director)
    etuis = find_etuis(session)
    with django_assert_num_queries(0):
        found = find_shown_records_of([replace(etui, cards="") for etui in etuis], session.tournament)
    assert found == {etui.number: {} for etui in etuis}
    with django_assert_num_queries(1):
        assert sum(map(len, find_shown_records_of(etuis, session.tournament).values())) == 1


def test_play_after_the_cards_were_altered_has_no_record(session, director, play, played):
    store(play, played, director)
    etui = find_etui(session, play)
    altered = replace(etui, plays=[replace(each, part=2) for each in etui.plays])
    assert list(find_shown_records(etui, session.tournament)) == [play.pk]
    assert find_shown_records(altered, session.tournament) == {}


def test_kept_pages_change_with_the_record_and_versions_do_not(session, director, play, played):
    before, frozen = etag(session), Publication.objects.get(session=session).digest
    store(play, first_cards(played, 1), director)
    after = etag(session)
    assert after != before
    store(play, played, director, seen_version=1, reason="la suite")
    assert etag(session) not in (before, after)
    assert Publication.objects.get(session=session).digest == frozen
