"""The other tables' results: a table sees them after its own result is final, and then only directors correct it."""

import pytest
from django.utils import timezone

from evenings.standings import computing
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import enter, garde, started_session
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = started_session(positions=2, etuis_per_position=2)
    Session.objects.update(shows_after=Session.ShownAfter.TOPAGE, position=1)
    return session


@pytest.fixture
def device(session):
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    device.send("join")
    return device


@pytest.fixture
def plays(device):
    return list(device.table.plays.filter(position=1).select_related("etui"))


def shown(device, play):
    """Return whether the topage is shown, and whether the table may no longer correct."""
    computing.refresh(play.session_id, now=timezone.now())
    told = device.play(play.pk)
    return told["after"] is not None, told["final"]


def typed(device, play, **facts):
    return device.send("enter", play=play, seat="", entry=garde(play.etui.taker, **facts)).status


def corrected(device, play, version):
    entry = garde(play.etui.taker, points=55)
    return device.send("correct", play=play, seat="", entry=entry, seen_version=version).status


def agree(device, play, version, *, agrees=True):
    return device.send("check", play=play, version=version, seat=play.etui.taker, agrees=agrees).status


def test_topage_is_shown_after_the_other_sides_check_and_ends_own_corrections(device, plays):
    play = plays[0]
    typed(device, play, points=80)
    assert shown(device, play) == (False, False)
    assert corrected(device, play, 1) == "received"
    agree(device, play, 2)
    assert shown(device, play) == (True, True)
    assert corrected(device, play, 2) == "received"  # the same result again
    assert device.send("correct", play=play, seat="", entry=garde(play.etui.taker), seen_version=2).status == "conflict"
    assert shown(device, play) == (False, True)  # the result is disputed, so the director decides


def test_who_disputes_after_having_agreed_corrects_nothing_either(device, plays):
    typed(device, plays[0])
    agree(device, plays[0], 1)
    agree(device, plays[0], 1, agrees=False)
    assert shown(device, plays[0]) == (False, True)
    assert corrected(device, plays[0], 1) == "conflict"


@pytest.mark.nightly("story")
def test_without_a_check_it_is_shown_once_the_position_is_complete(session, device, plays, director):
    """Check also that a table cannot complete a position, look, and open it again."""
    Session.objects.update(check_by=Session.Check.NONE)
    first, second = plays
    typed(device, first)
    assert shown(device, first) == (False, False)
    assert corrected(device, first, 1) == "received"
    device.send("not_played", play=second)
    assert shown(device, first) == (True, True)
    assert device.send("undo_not_played", play=second).status == "refused"
    assert corrected(device, first, 2) == "received"  # the same result again
    assert (
        device.send("correct", play=first, seat="", entry=garde(first.etui.taker), seen_version=2).status == "conflict"
    )


def test_where_nothing_is_shown_the_table_corrects_what_was_agreed(device, plays):
    Session.objects.update(shows_after=Session.ShownAfter.NOTHING)
    typed(device, plays[0])
    agree(device, plays[0], 1)
    assert shown(device, plays[0]) == (False, False)
    assert corrected(device, plays[0], 1) == "received"


def test_settings_that_change_hold_for_entries_from_then_on(session, device, plays):
    Session.objects.update(shows_after=Session.ShownAfter.NOTHING, check_by=Session.Check.NONE)
    first, second = plays
    typed(device, first)
    Session.objects.update(shows_after=Session.ShownAfter.TOPAGE, check_by=Session.Check.SAME)
    typed(device, second)
    told = [(device.play(play.pk)["check"], play.entries.get().shows) for play in plays]
    assert told == [("none", False), ("same", True)]
    agree(device, second, 1)
    assert [shown(device, play) for play in plays] == [(False, False), (True, True)]
    Session.objects.update(shows_after=Session.ShownAfter.NOTHING)
    assert shown(device, second) == (False, True)


def test_result_typed_at_the_desk_is_shown(device, plays, director):
    enter(plays[0], by=director)
    assert shown(device, plays[0]) == (True, True)
