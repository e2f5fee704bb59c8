"""The results that tables enter: sent twice, checked, contested, and set aside, as the services store them."""

import uuid

import pytest
from django.utils import timezone

from evenings.plays import entering
from evenings.plays.entering import SentEntry
from evenings.plays.entries import entry_of
from scoring.ranking import Line
from tests import shared_evenings
from tests.factories import garde, make_helper, started_session
from tournaments.errors import ActionRefused
from tournaments.models import EntryCheck, ResultEntry, Ruling, Session
from tournaments.rules.entry import EntryError, Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


play = shared_evenings.first_play


@pytest.fixture
def other(session, play):
    return session.plays.exclude(pk=play.pk).exclude(etui=play.etui_id).first()


@pytest.fixture
def seats(play):
    """Return the taker's seat and that of a defender."""
    taker = play.etui.taker
    return taker, next(line for line in Line if line != taker)


def sent(device="Table 1", seat="N", **how):
    return SentEntry(device, how.pop("key", None) or uuid.uuid4(), seat, **how)


def enter(play, sent, points=49):
    entry = garde(play.etui.taker, points=points)
    return entering.enter_result(play_id=play.pk, entry=entry, now=timezone.now(), sent=sent)


def correct(play, sent, points, seen_version=1):
    entry = garde(play.etui.taker, points=points)
    return entering.correct_result(
        play_id=play.pk, entry=entry, seen_version=seen_version, now=timezone.now(), sent=sent
    )


def wrong(play):
    """Return a result that the étui cannot have: another taker than the one that it names."""
    return Fiche(next(line for line in Line if line != play.etui.taker), 60)


def said(play, **more):
    return {"play_id": play.pk, "now": timezone.now(), **more}


def version_of(session):
    return Session.objects.get(pk=session.pk).results_version


def test_result_from_a_table_has_its_device_seat_key_and_moment(play):
    origin = sent("Tablette", "E", typed_at=timezone.now())
    row = ResultEntry.objects.get(pk=enter(play, origin).pk)
    told = (row.author, row.device, row.seat, row.key, row.typed_at)
    assert told == (None, "Tablette", "E", origin.key, origin.typed_at)
    assert (row.version, row.current, row.contested, row.reason) == (1, True, False, "")


def test_request_sent_twice_returns_the_row_that_it_stored(play):
    origin = sent()
    assert enter(play, origin, 49) == enter(play, origin, 55)
    again = sent()
    assert correct(play, again, 55) == correct(play, again, 61)
    assert [row.version for row in play.entries.order_by("version")] == [1, 2]


def test_key_of_another_play_is_refused(play, other):
    origin = sent()
    row = enter(play, origin)
    for store in (lambda: enter(other, origin), lambda: correct(other, origin, 55)):
        with pytest.raises(ActionRefused) as refused:
            store()
        assert refused.value.code == "key_used"
    assert entering.find_stored(origin.key, play) == row
    assert entering.find_stored(uuid.uuid4(), play) is None
    assert entering.is_used(origin.key)
    assert not entering.is_used(uuid.uuid4())


def test_equal_result_from_the_other_side_is_a_check_with_its_own_key(play, seats):
    taker, defender = seats
    row, origin = enter(play, sent(seat=taker)), sent(seat=defender)
    assert enter(play, origin) == row == enter(play, origin)
    check = EntryCheck.objects.get()
    assert (check.entry, check.agrees, check.seat, check.device) == (row, True, defender, "Table 1")
    assert (check.key, check.author) == (origin.key, None)
    assert entering.is_used(origin.key)
    assert play.entries.count() == 1


def test_equal_result_from_the_same_side_and_device_is_no_check(play, seats):
    taker, _ = seats
    row = enter(play, sent(seat=taker))
    assert enter(play, sent(seat=taker)) == row
    assert not EntryCheck.objects.exists()


def test_different_result_is_contested_and_changes_no_ranking(session, play):
    enter(play, sent(), 49)
    before = version_of(session)
    row = enter(play, sent(), 55)
    assert (row.version, row.current, row.contested) == (2, False, True)
    late = correct(play, sent(), 61, seen_version=0)
    assert (late.version, late.current, late.contested) == (3, False, True)
    assert version_of(session) == before
    assert [line.action for line in session.log.order_by("-id")[:3]] == ["contested", "contested", "entered"]
    assert [line.params["version"] for line in session.log.order_by("-id")[:3]] == [3, 2, 1]


def test_withdrawal_needs_a_reason_which_the_next_result_gets(play, director):
    enter(play, sent(), 49)
    with pytest.raises(ActionRefused) as refused:
        entering.withdraw_result(**said(play, seen_version=1, by=director, reason=" "))
    assert refused.value.code == "reason_missing"
    entering.withdraw_result(**said(play, seen_version=1, by=director, reason="mauvaise ligne"))
    row = enter(play, sent(), 55)
    assert (row.version, row.current, row.contested, row.reason) == (2, True, False, "mauvaise ligne")


@pytest.mark.parametrize("stored", [False, True])
def test_table_stores_nothing_that_the_etui_cannot_have(play, stored):
    if stored:
        enter(play, sent())
    store = entering.correct_result if stored else entering.enter_result
    how = {"seen_version": 1} if stored else {}
    with pytest.raises(EntryError):
        store(**said(play, entry=wrong(play), sent=sent(), **how))
    with pytest.raises(EntryError):
        entering.enter_result(**said(play, entry=wrong(play), sent=sent()))
    assert play.entries.count() == stored


def test_correction_from_a_table_needs_no_reason_and_counts(play):
    enter(play, sent(), 49)
    row = correct(play, sent("Table 2", "S"), 55)
    assert (row.version, row.current, row.device, row.seat) == (2, True, "Table 2", "S")
    assert entry_of(play.entries.get(current=True)) == garde(play.etui.taker, points=55)


def test_play_that_was_read_before_takes_the_first_result(play, director):
    whole = type(play).objects.select_related("table", "etui", "session__tournament__club").get(pk=play.pk)
    assert not entering.has_result(play.pk)
    row = entering.enter_into(whole, garde(play.etui.taker), now=timezone.now(), by=director, device="programme")
    assert (row.author, row.device, row.version) == (director, "programme", 1)
    assert entering.has_result(play.pk)


def test_play_with_a_result_is_not_set_aside(play, director):
    enter(play, sent())
    with pytest.raises(ActionRefused) as refused:
        entering.not_played(**said(play, by=director))
    assert refused.value.code == "play_has_result"


@pytest.mark.parametrize("later", [False, True])
def test_play_set_aside_waits_again_once(session, play, director, later):
    kind = Ruling.RulingKind.LATER if later else Ruling.RulingKind.NOT_PLAYED
    before = version_of(session)
    row = entering.not_played(**said(play, by=director, later=later))
    assert row == entering.not_played(**said(play, by=director, later=later))
    assert (row.kind, row.author, row.reason, row.device) == (kind, director, "", "")
    again = entering.to_be_played(**said(play, by=director))
    assert (again.kind, play.rulings.count()) == (Ruling.RulingKind.RESTORED, 2)
    assert entering.to_be_played(**said(play, by=director)) is None
    assert version_of(session) == before + 2
    assert [line.action for line in session.log.order_by("-id")[:2]] == ["restored", kind.value]


def test_set_aside_by_a_device_is_logged_by_the_command_of_the_table_alone(session, play):
    row = entering.not_played(**said(play, device="Table 1"))
    assert (row.device, row.author) == ("Table 1", None)
    assert not session.log.filter(action__in=["not_played", "later"]).exists()


def test_annulled_play_is_neither_set_aside_nor_withdrawn(play, director):
    enter(play, sent())
    entering.annul_play(**said(play, by=director, reason="cartes vues", article="8.3"))
    with pytest.raises(ActionRefused) as refused:
        entering.withdraw_result(**said(play, seen_version=1, by=director, reason="mauvaise ligne"))
    assert refused.value.code == "play_annulled"
    with pytest.raises(ActionRefused) as refused:
        entering.restore_play(**said(play, by=director, reason=""))
    assert refused.value.code == "reason_missing"
    row = play.rulings.get()
    assert (row.kind, row.reason, row.article) == (Ruling.RulingKind.ANNULLED, "cartes vues", "8.3")


def test_annulled_play_without_a_result_is_not_set_aside(play, director):
    entering.annul_play(**said(play, by=director, reason="cartes vues"))
    with pytest.raises(ActionRefused) as refused:
        entering.not_played(**said(play, by=director))
    assert refused.value.code == "play_annulled"


def test_withdrawing_twice_is_one_ruling_and_where_nothing_is_it_is_refused(session, play, other, director):
    enter(play, sent())
    before = version_of(session)
    word = {"seen_version": 1, "by": director, "reason": " mauvaise ligne ", "article": "4.1"}
    row = entering.withdraw_result(**said(play, **word))
    assert row == entering.withdraw_result(**said(play, **word))
    assert (row.kind, row.reason, row.article) == (Ruling.RulingKind.WITHDRAWN, "mauvaise ligne", "4.1")
    assert version_of(session) == before + 1
    assert session.log.filter(action="withdrawn").get().params["version"] == 1
    with pytest.raises(ActionRefused) as refused:
        entering.withdraw_result(**said(other, **word))
    assert refused.value.code == "nothing_to_withdraw"


def test_equal_result_comes_back_to_its_author_and_to_a_director(session, play, director):
    helper = make_helper(session.tournament.club)
    entry = garde(play.etui.taker)
    row = entering.enter_result(**said(play, entry=entry, by=helper))
    assert entering.enter_result(**said(play, entry=entry, by=helper)) == row
    assert entering.enter_result(**said(play, entry=entry, by=director)) == row
