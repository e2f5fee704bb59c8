"""The desk's page of a record: typed from a sheet, corrected, chosen; doubts; cards after a look that is logged."""

from dataclasses import replace

import pytest
from django.utils import timezone

from deals.domain.cards import BOUTS, Seat, is_trump, rank, show_card
from deals.models import DealLook
from evenings.plays.desk_state import deal_of, desk_plays
from evenings.plays.ruling import declare_playing, split_etui
from pages.doors import session_url
from referee.records import notation
from scoring.contract import Contract, DealResult
from tests import shared_evenings
from tests.etui_games import make_etui_tournament, start_etui_session
from tests.evenings.records.played import first_cards, lead, play_etui
from tests.evenings.tables.phones import Device
from tests.factories import enter, enter_all, make_club, make_director, make_helper
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words
from tournaments.models import PlayRecord
from tournaments.rules.entry import Facts
from tournaments.rules.recorded import find_record_faults

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_cards_and_two_positions


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


director = shared_evenings.browser_of_user


play = shared_evenings.first_play_of_first_table


@pytest.fixture
def played(play, user):
    record, entry = play_etui(play.etui)
    enter(play, entry, by=user)
    return record


def url(play, name="play_record"):
    return session_url(name, play.session, play.pk)


def state_of(play, user):
    return next(each.state for each in desk_plays(play.session, flags=True, user=user) if each.pk == play.pk)


def typed(record, **more):
    return {"text": notation.dumps(record), "reason": "", "seen_version": ""} | more


def test_sheet_is_typed_in_the_tolerant_notation(director, play, played):
    page = director.get(url(play))
    head = fields(page)["text"]
    assert head == f"record 4\ndealer {play.etui.dealer}\ntaker {play.etui.taker} garde"
    tricks = [" ".join(map(show_card, played.cards[at : at + 4])) for at in range(0, 72, 4)]
    text = "\n".join([head, *(f"{number}. {trick}" for number, trick in enumerate(tricks, 1))])
    assert director.post(url(play), {"text": text}).status_code == 302
    assert play.records.get().text == notation.dumps(replace(played, ecart=None))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("record 4\ndealer N\ntaker E garde\ntrick CR", "Write the sign of the suit"),
        ("record 4\ndealer N\ntaker E garde\ntrick ♠Z", "is not a card"),
        ("record 4\ndealer N\ntaker E garde\n♠R ♠R", "twice"),
        ("record 4\ntaker E garde\n♠R", "dealer"),
        ("record 5\ndealer N\ntaker E garde\n♠R", "four players"),
        ("record 4\ndealer N\ntaker E garde", "no card"),
        ("", "required"),
        ("bonjour", "is not a card"),
    ],
)
def test_what_cannot_be_read_stays_in_the_form(director, play, played, text, told):
    page = director.post(url(play), {"text": text})
    assert told in words(page)
    assert fields(page)["text"] == text
    assert not PlayRecord.objects.exists()


def test_correction_needs_the_version_and_a_reason(director, play, played):
    director.post(url(play), typed(first_cards(played, 1)))
    page = director.post(url(play), typed(played))
    assert "in the meantime" in words(page)
    assert fields(page)["text"].strip() == notation.dumps(played).strip()
    assert "reason is missing" in words(director.post(url(play), typed(played, seen_version=1)))
    assert director.post(url(play), typed(played, seen_version=1, reason="fiche relue")).status_code == 302
    assert list(play.records.order_by("version").values_list("current", flat=True)) == [False, True]


def test_cards_are_shown_only_after_a_look_that_is_logged(director, play, played):
    director.post(url(play), typed(played))
    trick = f"trick {show_card(played.cards[0])} "
    page = director.get(url(play))
    assert trick not in page.content.decode()
    assert not DealLook.objects.filter(first_etui=play.etui.number, kind="seen").exists()
    page = director.post(url(play), {"do": "show"})
    assert trick in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert DealLook.objects.filter(first_etui=play.etui.number, last_etui=play.etui.number, kind="seen").count() == 1


def test_doubts_stand_beside_the_result_and_name_no_card(director, user, play, played):
    assert state_of(play, user) != "check_etui"
    director.post(url(play), typed(replace(first_cards(played, 1), cards=(other_hand(played),))))
    assert state_of(play, user) == "check_etui"
    page = words(director.get(url(play, "play")))
    assert "plays a card that another hand of the étui has" in page
    assert show_card(other_hand(played)) not in page
    assert "plays a card that another hand" in words(director.get(url(play)))


def other_hand(record):
    """Return a card that somebody else than the first leader plays."""
    return record.cards[1]


def test_record_with_another_score_is_told_and_changes_nothing(director, user, play):
    record, entry = play_etui(play.etui)
    wrong = replace(entry, result=replace(entry.result, half_points=entry.result.half_points + 2))
    enter(play, wrong, by=user)
    director.post(url(play), typed(record))
    assert "gives another score than the result" in words(director.get(url(play, "play")))
    assert play.entries.get().half_points == wrong.result.half_points


def test_revoke_is_told_to_the_director(director, play, played):
    deal = deal_of(play.etui.cards)
    for later in range(4, 72):
        cards = list(played.cards)
        cards[1], cards[later] = cards[later], cards[1]
        revoked = replace(played, cards=tuple(cards[:4]), ecart=None)
        if [fault.code for fault in find_record_faults(replace(revoked, ecart=played.ecart), deal)] == ["follow"]:
            break
    director.post(url(play), typed(replace(revoked, ecart=played.ecart)))
    assert "somebody breaks a rule of the play" in words(director.get(url(play)))
    assert "cannot play" in words(director.post(url(play), {"do": "show"}))


def is_kept(card):
    """Return whether the card is a Roi or a bout."""
    return card in BOUTS or (not is_trump(card) and rank(card) == 14)


def is_plain_trump(card):
    return is_trump(card) and card not in BOUTS


@pytest.mark.parametrize(
    ("barred", "told"),
    [(is_kept, "no Roi and no bout may be in the écart"), (is_plain_trump, "cannot discard")],
    ids=["a Roi or a bout", "a trump"],
)
def test_ecart_that_breaks_the_rules_is_kept_and_told(director, play, played, barred, told):
    deal = deal_of(play.etui.cards)
    held = deal.hand(Seat(play.etui.taker)) + deal.chien
    card = next(card for card in held if barred(card) and card != played.cards[0])
    ecart = tuple(sorted((card, *played.ecart[1:])))
    record = replace(played, ecart=ecart, cards=played.cards[:1])
    assert director.post(url(play), typed(record)).status_code == 302
    assert "somebody breaks a rule of the play" in words(director.get(url(play)))
    page = words(director.post(url(play), {"do": "show"}))
    assert told in page
    assert f"cannot discard {show_card(card)}" in page
    assert play.records.get().text == notation.dumps(record)


@pytest.mark.guard("a director decides between two records of a play")
def test_director_chooses_between_two_records(director, play, played):
    for name, data in (("phone-one", lead(played)), ("phone-two", {"tricks": [[show_card(played.cards[1])]]})):
        device = Device(play.table, name)
        device.send("take_over")
        place = {"play": play.pk, "position": 1, "etui": play.etui.number}
        device.send("record", **place, record=data)
    assert "Two records of the cards differ" in words(director.get(url(play)))
    director.post(url(play), {"do": "choose", "version": 2, "seen_version": 1, "reason": "la fiche le dit"})
    assert play.records.get(current=True).version == 3
    assert play.records.get(version=3).text == play.records.get(version=2).text
    assert "Two records of the cards differ" not in words(director.get(url(play)))
    director.post(url(play), {"do": "choose", "version": 9, "seen_version": 3, "reason": "x"})
    director.post(url(play), {"do": "choose", "version": 1, "seen_version": 1, "reason": "x"})
    assert play.records.get(current=True).version == 3
    director.post(url(play), {"do": "drop", "seen_version": 3})
    assert not play.records.filter(current=True).exists()
    assert play.records.count() == 3


@pytest.mark.nightly("story")
def test_director_who_has_still_to_play_the_etui_sees_nothing(session, director, user, play, played):
    director.post(url(play), typed(played))
    waiting = session.plays.filter(etui=play.etui, entries=None).first()
    declare_playing(session_id=session.pk, entrant_id=waiting.north_id, by=user, now=timezone.now())
    for sent in ({"do": "show"}, typed(first_cards(played, 3), seen_version=1, reason="x")):
        assert director.post(url(play), sent).status_code == 302
    assert director.get(url(play)).status_code == 302
    assert play.records.count() == 1


def test_play_without_a_result_has_no_record(director, play):
    assert director.get(url(play)).status_code == 302
    assert director.post(url(play), {"text": "record 4"}).status_code == 302


def test_play_of_an_altered_etui_is_not_compared_with_the_cards(session, director, user, play):
    later = session.plays.select_related("etui", "table").filter(position=2).first()
    record, entry = play_etui(later.etui)
    enter(later, entry, by=user)
    enter_all(session, by=user, plays=session.plays.select_related("etui").filter(entries=None))
    director.post(url(later), typed(replace(first_cards(record, 1), cards=(record.cards[1],))))
    assert state_of(later, user) == "check_etui"
    split_etui(
        session_id=session.pk,
        etui=later.etui.number,
        from_position=2,
        before=(),
        reason="carte perdue",
        by=user,
        now=timezone.now(),
    )
    assert state_of(later, user) != "check_etui"


def test_helper_may_not_open_it(session, play, played):
    helper = browser_of(make_helper(session.tournament.club))
    assert helper.get(url(play)).status_code == 403


def test_page_of_the_play_leads_there(director, play, played):
    assert url(play) in director.get(url(play, "play")).content.decode()


def test_head_of_a_record_says_how_many_play():
    club = make_club()
    by = make_director(club)
    session = start_etui_session(5, 1, by=by, tournament=make_etui_tournament(5, club))
    first = session.plays.earliest("etui__number")
    enter(first, Facts("F", DealResult(5, Contract.GARDE, 2, 98, partner=True), partner="N"), by=by)
    page = browser_of(by).get(url(first))
    assert f"record 5\ndealer {first.etui.dealer}\ntaker F garde\n" in page.content.decode()
