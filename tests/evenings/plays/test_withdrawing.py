"""The withdrawal of a result typed on the wrong row: the play has no result any more, and nothing is lost."""

import pytest
from django.utils import timezone

from evenings.plays.desk_state import desk_plays
from evenings.plays.entering import annul_play, restore_play, withdraw_result
from evenings.plays.ruling import declare_playing
from evenings.plays.session_plays import plays_of
from evenings.sessions.lists import progress_of
from evenings.standings import computing
from pages.doors import session_url
from tests import shared_evenings
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import enter, enter_all, garde
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import LogEntry, Ruling, Session

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_two_positions


@pytest.fixture
def device(session):
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    device.send("join")
    return device


@pytest.fixture
def play(device):
    return device.table.plays.select_related("etui").first()


def withdraw(play, director, version=1, reason="mauvaise ligne", **seen):
    return withdraw_result(
        play_id=play.pk, seen_version=version, reason=reason, by=director, now=timezone.now(), **seen
    )


def rows(play):
    return list(play.entries.order_by("version").values_list("version", "current"))


def contested(session, play):
    (each,) = desk_plays(session, flags=False, pk=play.pk)
    return [row.version for row in each.contested]


@pytest.mark.nightly("story")
def test_play_is_without_result_on_desk_lists_table_and_standings(session, director, device, play):
    enter_all(session, by=director)
    before = Session.objects.get(pk=session.pk).results_version
    withdraw(play, director)
    session.refresh_from_db()
    assert session.results_version == before + 1
    assert rows(play) == [(1, False)]
    (state,) = plays_of(session, pk=play.pk)
    assert (state.state, progress_of(session)["missing"]) == ("missing", 1)
    assert next(each.state for each in desk_plays(session, flags=True) if each.play.pk == play.pk) == "missing"
    told = device.play(play.pk)
    assert (told["state"], told["entry"], told["withdrawn"]) == ("todo", None, True)
    computing.refresh(session.pk, now=timezone.now())
    computed = session.standings
    computed.refresh_from_db()
    assert computed.data["counts"] == {
        "scored": session.plays.count() - 1,
        "missing": 1,
        "annulled": 0,
        "not_played": 0,
    }
    line = LogEntry.objects.get(session=session, action="withdrawn")
    assert (line.author, line.params["version"]) == (director, 1)


@pytest.mark.nightly("story")
def test_it_is_undone_by_entering_anew_by_the_desk_or_the_table(director, device, play):
    enter(play, garde(play.etui.taker), by=director)
    withdraw(play, director)
    anew = enter(play, garde(play.etui.taker, points=52), by=director)
    assert (anew.version, anew.reason) == (2, "mauvaise ligne")
    withdraw(play, director, version=2, reason="encore")
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    assert rows(play) == [(1, False), (2, False), (3, True)]
    assert device.play(play.pk)["withdrawn"] is False
    actions = LogEntry.objects.filter(action__in=["entered", "corrected", "withdrawn"]).order_by("id")
    assert [line.action for line in actions] == ["entered", "withdrawn", "entered", "withdrawn", "entered"]


@pytest.mark.nightly("story")
def test_what_contested_a_withdrawn_result_says_nothing_of_the_next_one(session, director, device, play):
    enter(play, garde(play.etui.taker), by=director)
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker, points=52))
    assert contested(session, play) == [2]
    withdraw(play, director)
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker, points=60))
    assert contested(session, play) == []
    device.send("correct", play=play, seat="N", entry=garde(play.etui.taker, points=61), seen_version=3)
    assert contested(session, play) == []
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker, points=62))
    assert contested(session, play) == [5]
    assert rows(play) == [(1, False), (2, False), (3, False), (4, True), (5, False)]


@pytest.mark.nightly("story")
def test_twice_is_once_and_what_cannot_be_withdrawn_is_refused(director, play):
    with pytest.raises(ActionRefused, match="nothing_to_withdraw"):
        withdraw(play, director)
    enter(play, by=director)
    with pytest.raises(ActionRefused, match="reason_missing"):
        withdraw(play, director, reason=" ")
    with pytest.raises(Conflict, match="corrected_meanwhile"):
        withdraw(play, director, version=2)
    assert withdraw(play, director) == withdraw(play, director) == Ruling.objects.get()
    enter(play, by=director)
    annul_play(play_id=play.pk, reason="altéré", by=director, now=timezone.now())
    with pytest.raises(ActionRefused, match="play_annulled"):
        withdraw(play, director, version=2)


@pytest.mark.nightly("story")
def test_play_that_was_ruled_meanwhile_is_withdrawn_only_by_who_has_seen_that(director, play):
    enter(play, by=director)
    annul_play(play_id=play.pk, reason="altéré", by=director, now=timezone.now())
    back = restore_play(play_id=play.pk, reason="vérifié", by=director, now=timezone.now())
    with pytest.raises(Conflict, match="ruled_meanwhile"):
        withdraw(play, director, seen_ruling=0)
    assert rows(play) == [(1, True)]
    withdraw(play, director, seen_ruling=back.pk)
    assert rows(play) == [(1, False)]


@pytest.mark.nightly("story")
def test_phone_that_holds_the_result_does_not_bring_it_back(director, device, play):
    sent = device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    withdraw(play, director)
    assert device.play(play.pk)["keys"] == [sent.key[:8]]
    late = device.send("correct", play=play, seat="N", entry=garde(play.etui.taker), seen_version=1)
    assert late.error.code == "nothing_to_correct"


@pytest.mark.nightly("story")
def test_director_withdraws_on_the_plays_page_and_sees_there_what_was(session, director, play):
    enter(play, garde(play.etui.taker), by=director)
    browser, url = browser_of(director), session_url("play", session, play.pk)
    assert "This result belongs to another étui or table" in words(browser.get(url))
    address = session_url("withdraw", session, play.pk)
    browser.post(address, {"seen_version": 1, "reason": ""})
    assert rows(play) == [(1, True)]
    told = {"seen_version": 1, "reason": "mauvaise ligne"}
    assert "? Nothing has been done yet." in words(browser.post(address, told))
    assert rows(play) == [(1, True)]
    browser.post(address, told | {"apply": "1"})
    page = words(browser.get(url))
    for told in (
        "The result that was here is withdrawn",
        "Version 1, directrice",
        "Result withdrawn",
        "mauvaise ligne",
    ):
        assert told in page


@pytest.mark.nightly("story")
def test_director_who_has_still_to_play_the_etui_withdraws_nothing_unseen(session, director, play):
    other = session.plays.filter(etui=play.etui).exclude(pk=play.pk).select_related("etui").first()
    enter(other, by=director)
    declare_playing(session_id=session.pk, entrant_id=play.north_id, by=director, now=timezone.now())
    answer = browser_of(director).post(session_url("withdraw", session, other.pk), {"seen_version": 1, "reason": "x"})
    assert (answer.status_code, rows(other)) == (403, [(1, True)])
