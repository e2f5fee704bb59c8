"""Commands that come late: the plan, the result or the position has changed since they were typed."""

import pytest

from tests.factories import enter_all, garde, make_director, publish, started_session
from tests.tournaments.tables import Device, command, tokens_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return started_session(positions=2, etuis_per_position=2)


@pytest.fixture
def table(session):
    tokens_of(session)
    return session.tables.get(number=1)


@pytest.fixture
def device(table):
    device = Device(table)
    device.send("join")
    return device


@pytest.fixture
def play(table):
    return table.plays.filter(position=1).select_related("etui").first()


def outcome(receipt):
    return receipt.status, receipt.error.code if receipt.error else ""


def rows(play):
    return list(play.entries.order_by("version").values_list("version", "current", "contested"))


def test_what_was_typed_for_a_play_that_was_laid_out_anew_counts_for_its_etui(session, device, play):
    """Whatever its number is by now that of: an older backup has given it to another table's."""
    number, position, etui = play.pk, play.position, play.etui
    seats = {f"{seat}_id": getattr(play, f"{seat}_id") for seat in ("north", "east", "south", "west")}
    play.delete()
    entry = {"play": number, "seat": "N", "entry": garde(etui.taker), "position": position, "etui": etui.number}
    assert outcome(device.send("enter", **entry)) == ("refused", "play_unknown")
    anew = session.plays.create(position=position, table=device.table, etui=etui, **seats)
    assert device.send("enter", **entry).status == "received"
    assert rows(anew) == [(1, True, False)]
    elsewhere = session.plays.exclude(table=device.table).first()
    assert device.send("enter", **entry | {"play": elsewhere.pk}).number == anew.entries.get().pk
    assert rows(elsewhere) == []


def test_receipt_that_comes_late_names_the_version_it_is_about(device, play):
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    device.send_again(sent)
    device.send("correct", play=play, seat="N", entry=garde(play.etui.taker, points=50), seen_version=1)
    assert device.send_again(sent).version == 1


def test_correction_after_the_session_is_published_is_kept_for_the_director(session, device, play):
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.exclude(pk=play.pk))
    assert not device.state()["stops"][-1]["closed"]
    publish(session, by=director)
    assert [stop["closed"] for stop in device.state()["stops"]] == [True, True]
    last = session.plays.filter(table=device.table).order_by("-position").first()
    late = {"play": last, "seat": "N", "entry": garde(last.etui.taker, points=80), "seen_version": 1}
    assert outcome(device.send("correct", **late)) == ("conflict", "kept_contested")
