"""The replay on the page of an étui: which records are shown, with whose names, from which kept page, at what cost."""

import gzip
import re
from dataclasses import replace

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deals.domain.cards import Seat
from deals.domain.deal import loads
from evenings.plays.entering import correct_result
from evenings.records import ShownRecord, store_record, withdraw_record
from pages.doors import session_url
from pages.parts.replay import list_notes
from pages.public import pages
from pages.public.published import PublishedVersion
from rankings.publication.publishing import switch_parts
from referee.errors import PlayRefused
from referee.records.judging import judge_record
from referee.records.steps import list_steps
from referee.records.values import DealRecord
from scoring.values import Contract
from tests.evenings.records.played import first_cards, play_etui
from tests.factories import enter, enter_all, garde, make_club, make_director, make_tournament, publish, started_session
from tests.pages.reading import words
from tests.pages.test_weights import MOST, TABLES
from tests.referee.records.test_records import LEAD
from tournaments.models import PlayRecord
from tournaments.published import Shows
from tournaments.versions import DirectorWord
from tournaments.words.messages import say

pytestmark = pytest.mark.django_db
ETUI = 1


@pytest.fixture
def tournament():
    return make_tournament()


@pytest.fixture
def director(tournament):
    return make_director(tournament.club)


@pytest.fixture
def session(tournament, director):
    """Return a published session. Of étui 1 are recorded: a whole play, ten cards, a lead; two plays are not."""
    return record_evening(started_session(tournament, cards=True), director)


def record_evening(session, director):
    """Play, record and publish a session."""
    others = []
    for number, play in enumerate(session.plays.select_related("etui").order_by("etui__number", "position", "pk")):
        if play.etui.number != ETUI or number > 2:
            others.append(play)
            continue
        record, entry = play_etui(play.etui, seed=number)
        enter(play, entry, by=director)
        record_play(play, [record, first_cards(record, 10), first_cards(record, 1)][number], director)
    enter_all(session, by=director, plays=others)
    publish(session, by=director)
    return session


def record_play(play, record, director, **more):
    return store_record(play_id=play.pk, compose=lambda _head: record, by=director, now=timezone.now(), **more)


def recorded_plays(session):
    rows = PlayRecord.objects.filter(play__session=session, current=True).select_related("play__etui", "play__table")
    return [row.play for row in rows.order_by("play__position", "play")]


def open_etui(session, language="en", version=1, **asked):
    return Client(headers={"accept-language": language}).get(
        session_url("published_etui", session, version, ETUI), asked
    )


def tricks(page):
    return re.findall(r'id="(trick-\d+)"', page.content.decode())


@pytest.mark.nightly("story")
def test_whole_record_is_replayed_first_and_others_as_far_as_they_go(session):
    whole, part, lead = recorded_plays(session)
    page = open_etui(session)
    assert page.context["replayed"].shown == whole.pk
    assert tricks(page) == [f"trick-{number}" for number in range(1, 19)]
    assert tricks(open_etui(session, replay=part.pk)) == ["trick-1", "trick-2", "trick-3"]
    assert "The écart was not recorded" in words(open_etui(session, replay=part.pk))
    assert "The record ends in trick 3." in words(open_etui(session, replay=part.pk))
    assert tricks(open_etui(session, replay=lead.pk)) == ["trick-1"]
    assert "Only the opening lead was recorded." in words(open_etui(session, replay=lead.pk))


def test_last_trick_has_the_points_of_the_result(session):
    whole = recorded_plays(session)[0]
    result = whole.entries.get(current=True)
    table = open_etui(session).context["replayed"].replay.tables[0]
    assert (table.tricks[-1].won.attack, table.tricks[-1].won.attack_bouts) == (result.half_points, result.bouts)


def test_lead_and_its_player_stand_in_the_list_of_plays(session):
    page = open_etui(session)
    for row in page.context["rows"]:
        record = PlayRecord.objects.filter(play=row.play.id).first()
        assert (row.lead is None) is (record is None)
        if row.lead:
            assert row.lead.player == row.play.players[row.lead.seat].name
    assert words(page).count("Lead: ") == 3
    assert f'href="?replay={recorded_plays(session)[2].pk}#replay"' in page.content.decode()


@pytest.mark.nightly("story")
def test_two_tables_stand_side_by_side_until_they_part(session):
    whole, part, _lead = recorded_plays(session)
    page = open_etui(session, replay=whole.pk, beside=part.pk)
    replay = page.context["replayed"].replay
    assert [len(table.tricks) for table in replay.tables] == [18, 3]
    assert len(replay.rows) == 18
    (number,) = [row.number for row in replay.rows if row.parts]
    assert f"These tables part in trick {number}: " in words(page)
    same = open_etui(session, replay=whole.pk, beside=whole.pk).context["replayed"]
    assert (same.beside, same.replay.is_pair) == (None, False)


def test_tables_that_played_alike_are_said_to(session, director):
    whole, part, _lead = recorded_plays(session)
    record, _entry = play_etui(whole.etui, seed=0)
    record_play(part, first_cards(record, 12), director, seen_version=1, reason="Relu")
    page = open_etui(session, replay=whole.pk, beside=part.pk)
    assert "these tables played the same cards" in words(page)


def test_revoke_is_marked_at_its_card(session, director):
    part = recorded_plays(session)[1]
    record, _entry = play_etui(part.etui, seed=1)
    revoked = find_revoke(record)
    record_play(part, revoked, director, seen_version=1, reason="Relu")
    page = open_etui(session, replay=part.pk)
    assert page.content.decode().count("is-fault") == 1
    assert "Revoke: Trick" in words(page)


def find_revoke(record):
    """Return the first cards of a record, with a card at the end that its player had to keep back."""
    deal = PlayRecord.objects.first().play.etui.cards
    for count in range(2, 40):
        for later in range(count, 72):
            cards = (*record.cards[: count - 1], record.cards[later])
            try:
                judged = judge_record(replace(record, deal=loads(deal), cards=cards))
            except ValueError:
                continue
            if judged.faults:
                return replace(record, cards=cards)
    raise AssertionError


@pytest.mark.nightly("story")
def test_no_record_is_shown_where_the_cards_are_not(session, director):
    url = session_url("published_etui", session, 1, ETUI)
    word = DirectorWord(director, timezone.now())
    for shows, shown in ((Shows(cards=False), False), (Shows(), True), (Shows(etuis=False), False)):
        switch_parts(session_id=session.pk, shows=shows, word=word)
        html = Client(headers={"accept-language": "en"}).get(url).content.decode()
        assert ('id="trick-1"' in html, "Lead: " in html) == (shown, shown)


@pytest.mark.nightly("story")
def test_whole_record_is_shown_only_with_the_score_that_is_published(session, director):
    whole, part, lead = recorded_plays(session)
    now = timezone.now()
    correct_result(
        play_id=whole.pk,
        entry=garde(whole.etui.taker, points=60),
        reason="Relu",
        seen_version=1,
        by=director,
        now=now,
    )
    publish(session, by=director)
    old, new = open_etui(session), open_etui(session, version=2)
    assert [choice.id for choice in old.context["replayed"].choices].count(whole.pk) == 1
    assert {choice.id for choice in new.context["replayed"].choices} == {part.pk, lead.pk}


@pytest.mark.nightly("story")
def test_kept_page_changes_with_its_records(session, director):
    caches["pages"].clear()
    part = recorded_plays(session)[1]
    url = session_url("published_etui", session, 1, ETUI)
    reader = Client(headers={"accept-language": "en"})
    first = reader.get(url, {"replay": part.pk})
    assert reader.get(url, {"replay": part.pk}, headers={"if-none-match": first["ETag"]}).status_code == 304
    record, _entry = play_etui(part.etui, seed=1)
    record_play(part, record, director, seen_version=1, reason="Suite")
    second = reader.get(url, {"replay": part.pk}, headers={"if-none-match": first["ETag"]})
    assert second.status_code == 200
    assert len(tricks(second)) == 18
    withdraw_record(play_id=part.pk, seen_version=2, by=director, now=timezone.now())
    third = reader.get(url, {"replay": part.pk}, headers={"if-none-match": second["ETag"]})
    assert part.pk not in {choice.id for choice in third.context["replayed"].choices}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("asked", ["0", "x", "-1", "999999999", "1e3", "<script>"])
def test_play_without_a_record_is_not_asked_for(session, asked):
    usual, page = open_etui(session), open_etui(session, replay=asked, beside=asked)
    assert (page.context, page.content) == (None, usual.content)  # it is the kept page


@pytest.mark.nightly("story")
def test_record_of_another_session_is_not_asked_for(session):
    other = make_tournament(make_club("other"))
    there = make_director(other.club, "autre")
    play = started_session(other).plays.select_related("etui").first()
    enter(play, garde(play.etui.taker, points=50), by=there)
    lead = DealRecord(4, Seat(play.etui.dealer), Seat(play.etui.taker), Contract.GARDE, cards=(3,))
    record_play(play, lead, there)
    usual, page = open_etui(session), open_etui(session, replay=play.pk)
    assert (page.context, page.content) == (None, usual.content)


@pytest.mark.nightly("crawl")
def test_more_records_take_no_more_queries(session):
    whole, part, lead = recorded_plays(session)
    open_etui(session)
    counts = []
    for gone in ((), (part.pk, lead.pk), (whole.pk,)):
        PlayRecord.objects.filter(play__in=gone).update(current=False)
        caches["pages"].clear()
        with CaptureQueriesContext(connection) as captured:
            open_etui(session)
        counts.append(len(captured))
    assert counts == [counts[0]] * 3
    assert counts[0] <= 5


@pytest.mark.nightly("story")
def test_page_of_150_recorded_tables_is_light(session, monkeypatch):
    publication = session.publications.get()
    etui = next(etui for etui in publication.data["etuis"] if etui["number"] == ETUI)
    play = etui["plays"][0]
    record = replace(play_etui(recorded_plays(session)[0].etui, seed=0)[0], deal=loads(etui["cards"]))
    etui["plays"] = [play | {"id": number, "table": number} for number in range(1, TABLES + 1)]
    kept = {each["id"]: ShownRecord(each["id"], 1, record, judge_record(record)) for each in etui["plays"]}
    monkeypatch.setattr(PublishedVersion, "read", lambda stamp, *needs: PublishedVersion(publication, stamp))
    monkeypatch.setattr(pages, "find_shown_records", lambda *_given: kept)
    page = open_etui(session)
    assert len(page.context["replayed"].choices) == TABLES
    assert len(gzip.compress(page.content, 6, mtime=0)) <= MOST


@pytest.mark.nightly("story")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_are_those_of_the_publication(session, language):
    whole = recorded_plays(session)[0]
    page = open_etui(session, language)
    report = {each.id: each for each in page.context["report"].players}
    table = page.context["replayed"].replay.tables[0]
    assert {seat.line: seat.name for seat in table.seats} == {
        line: report[entrant.pk].name for line, entrant in whole.seats.items()
    }
    assert [seat.line for seat in table.seats if seat.takes] == [whole.etui.taker]


@pytest.mark.usefixtures("english")
def test_notes_say_what_the_record_lacks_and_what_is_wrong_in_it():
    steps, without_ecart = list_steps(LEAD), "The écart was not recorded: the points are those of the tricks alone."
    notes = [without_ecart, "Only the opening lead was recorded."]
    assert list_notes(steps) == notes
    fault = PlayRefused("chelem_seat", seat=Seat.N)
    assert list_notes(replace(steps, faults=(fault,))) == [*notes, say(fault)]
