"""The rows that a request has read of its table: whether they are up to date, and how it adds its own writes."""

import datetime as dt
from types import SimpleNamespace

import pytest

from deals.models import Etui
from evenings.plays.common import Common
from evenings.plays.state import PlayState
from evenings.tables import here as module
from evenings.tables.here import Here
from tests.evenings.plays.test_checks import row
from tests.evenings.tables.values import NOW, make_play, make_session
from tournaments.errors import ActionRefused
from tournaments.models import EntryCheck, EtuiRuling, Play, Table, TableDevice

ETUI = Etui(pk=7, number=7, taker="N", dealer="W")


@pytest.fixture
def rulings(monkeypatch):
    """Return the rulings on étuis that all tables share, to fill in."""
    shared = {}
    monkeypatch.setattr(module, "common_of", lambda session: Common({}, {}, shared, {}, None))
    return shared


@pytest.fixture
def done(monkeypatch):
    """Return the list of the locks that are taken and of the rows that are read, without a database."""
    told = []
    monkeypatch.setattr(module, "lock_play_at", lambda play: told.append(f"play {play}"))
    monkeypatch.setattr(module, "raise_table", lambda table: told.append(f"table {table.number}") or True)
    return told


def make_here(*plays, **how):
    here = Here(Table(pk=1, number=1, revision=3, session=make_session(revision=5)))
    vars(here).update({"plays": {each.play.pk: each for each in plays}, "devices": {}} | how)
    return here


@pytest.mark.parametrize(
    ("own", "shared", "names", "still"), [(3, 5, 1, True), (4, 5, 1, False), (3, 6, 1, False), (3, 5, 2, False)]
)
def test_rows_are_up_to_date_while_the_three_versions_are_those_of_the_glance(own, shared, names, still):
    here = make_here()
    here.table.session.tournament.club.names_version = 1
    assert here.is_still(SimpleNamespace(own=own, shared=shared, names=names)) is still


def test_plays_and_devices_are_read_by_their_ids_and_again_once_forgotten(monkeypatch):
    shown, devices = make_play(make_session()), {"one": TableDevice(device="one")}
    monkeypatch.setattr(module, "plays_at", lambda table: [shown] if table.number == 1 else [])
    monkeypatch.setattr(module, "devices_at", lambda table: devices if table.number == 1 else {})
    here = Here(Table(number=1))
    assert (here.plays, here.devices) == ({5: shown}, devices)
    here.table = Table(number=2)
    here.forget("plays")
    assert (here.plays, here.devices) == ({}, devices)
    here.forget("plays", "devices")
    assert here.devices == {}


def test_play_is_locked_before_its_table(done):
    shown = make_play(make_session())
    here = make_here(shown)
    assert here.lock(shown.play) is shown
    assert done == ["play 5", "table 1"]
    with pytest.raises(ActionRefused, match="play_gone"):
        here.lock(Play(pk=6))


@pytest.mark.parametrize(("about_a_play", "locks"), [(True, ["play 5", "table 1"]), (False, ["table 1"])])
def test_call_locks_the_play_that_it_is_about(done, about_a_play, locks):
    shown = make_play(make_session())
    make_here(shown).lock_for_call(shown.play if about_a_play else None)
    assert done == locks


@pytest.mark.parametrize("before", [None, NOW - dt.timedelta(minutes=9)])
def test_play_begins_once(rulings, before):
    here = make_here(make_play(make_session(), started_at=before))
    if before is None:
        assert here.plays[5].state == PlayState.TODO
    here.begin(Play(pk=5), NOW)
    assert (here.plays[5].play.started_at, here.plays[5].state) == (before or NOW, PlayState.STARTED)
    here.begin(Play(pk=6), NOW)
    assert here.plays.keys() == {5}


def test_entry_and_check_are_added_to_the_rows_of_their_play(rulings):
    here = make_here(make_play(make_session(), row(pk=1, play_id=5, current=False)))
    play = here.plays[5].play
    new = row(pk=2, version=2, play=play)
    del new._prefetched_objects_cache
    here.add(play, new)
    assert ([entry.pk for entry in here.plays[5].rows], list(new.checks.all())) == ([1, 2], [])
    assert here.plays[5].state == PlayState.ENTERED
    checks = [EntryCheck(pk=pk, entry=new, agrees=pk == 2, checked_at=NOW) for pk in (1, 2)]
    for check, state in zip(checks, (PlayState.DISPUTED, PlayState.CONFIRMED), strict=True):
        here.add(play, check)
        assert here.plays[5].state == state
    assert (list(play.entries.all()[0].checks.all()), list(new.checks.all())) == ([], checks)


def test_ruling_on_its_etui_decides_the_state_of_a_play(rulings):
    shown = make_play(make_session(), etui=ETUI)
    here = make_here(shown)
    rulings[ETUI.pk] = EtuiRuling(kind=EtuiRuling.EtuiRulingKind.ANNULLED)
    here.know(shown.play)
    assert here.plays[5].state == PlayState.ANNULLED
