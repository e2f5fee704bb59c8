"""The values of a table's state, without a database: the session, the clock, plays with their results."""

import datetime as dt
from types import SimpleNamespace

import pytest

from deals.models import Etui
from evenings.plays.state import PlayState
from evenings.tables import state
from scoring.formats import FREE_AUCTION, FREE_DEALS, INDIVIDUAL, TEAM_MATCH
from tests.evenings.plays.test_checks import row
from tests.evenings.tables import values
from tests.evenings.tables.values import NOW, make_entrant, make_play, make_session
from tournaments.models import ArbiterCall, Session
from tournaments.rules.entry import GameSheet

share = values.share_with_tables


def test_session_is_told_as_it_is_set():
    told = state.session_data(make_session(), published=True)
    assert told == {
        "club": "Club des Étuis",
        "tournament": "Été",
        "date": "2026-11-20",
        "auction": "imposed",
        "shows": "topage",
        "positions": 3,
        "whole_records": False,
        "published": True,
        "closed": False,
        "address": "/clubs/club/tournaments/ete/1/",
    }


@pytest.mark.parametrize(
    ("session", "changed"),
    [
        (make_session(federation=True), {"shows": "nothing"}),
        (make_session(closed_at=NOW), {"closed": True}),
        (make_session(FREE_DEALS), {"auction": "free", "free_deals": True}),
        (make_session(FREE_AUCTION), {"auction": "free"}),
        (make_session(TEAM_MATCH), {"contracts": ["garde", "garde_sans", "garde_contre"]}),
    ],
)
def test_session_of_another_kind_differs_in_its_own_fields(session, changed):
    plain, told = (state.session_data(each, published=False) for each in (make_session(), session))
    assert {name: value for name, value in told.items() if name not in plain or plain[name] != value} == changed


@pytest.mark.parametrize(
    ("format", "position", "laid"), [(INDIVIDUAL, 2, True), (FREE_DEALS, 1, True), (FREE_DEALS, 2, False)]
)
def test_position_of_free_deals_is_laid_out_once_somebody_is_seated_in_it(share, format, position, laid):
    share({(1, 9): [(1, "N")]})
    assert state.is_laid_out(make_session(format), position) is laid


def test_clock_runs_to_an_end_or_has_time_left():
    assert state.clock_data(make_session(clock_ends_at=NOW)) == {"ends_at": "2026-11-20T23:30:00+00:00", "left": None}
    assert state.clock_data(make_session(clock_left=90)) == {"ends_at": None, "left": 90}


@pytest.mark.parametrize(
    ("answered", "by", "told"),
    [
        (None, None, {"coming": False}),
        (dt.timedelta(0), 1, {"coming": True}),
        (dt.timedelta(minutes=5, seconds=-1), 1, {"coming": True}),
        (dt.timedelta(minutes=5), 1, None),
        (dt.timedelta(minutes=1), None, None),  # the table has taken it back
    ],
)
def test_call_is_told_while_it_is_open_or_a_director_is_on_the_way(answered, by, told):
    call = ArbiterCall(answered_at=None if answered is None else NOW - answered, answered_by_id=by)
    assert state.call_data(call, NOW) == told


def test_without_a_call_nothing_is_told():
    assert state.call_data(None, NOW) is None


def tell_play(shown, session, own="one", *, open_to_table=True):
    return state.play_data(shown, session, own, stop=[shown], open_to_table=open_to_table)


@pytest.mark.usefixtures("share")
def test_play_without_a_result_has_the_check_of_the_session():
    session = make_session(check_by=Session.Check.OTHER)
    assert tell_play(make_play(session), session) == {
        "id": 5,
        "etui": 7,
        "taker": "N",
        "leader": "S",
        "state": PlayState.TODO,
        "started": False,
        "version": None,
        "entry": None,
        "seat": None,
        "score": None,
        "check": "other",
        "arbiter": "",
        "withdrawn": False,
        "record": None,
        "keys": [],
    }
    begun = make_play(session, started_at=NOW, etui=Etui(pk=7, number=7, taker="", dealer="W"))
    told = tell_play(begun, session)
    assert (told["taker"], told["started"]) == (None, True)


@pytest.mark.usefixtures("share")
@pytest.mark.parametrize(
    ("check", "checks", "own", "open_to_table", "visible"),
    [
        ("same", (), "other", True, True),
        ("same", (), "other", False, False),
        ("blind", (), "other", True, False),
        ("blind", (), "one", True, True),
        ("blind", (), "one", False, False),
        ("blind", [(True, None, 1)], "other", True, True),
    ],
)
def test_entry_is_hidden_from_the_other_device_before_a_blind_check(check, checks, own, open_to_table, visible):
    session = make_session(check_by=Session.Check.OTHER)
    shown = make_play(session, row(check_by=check, checks=checks, seat="E", version=3))
    told = tell_play(shown, session, own, open_to_table=open_to_table)
    assert (told["check"], told["version"]) == (check, 3)
    assert told["seat"] == ("E" if visible else None)
    entry = {"kind": "fiche", "taker": "N", "base_score": 60}
    assert told["entry"] == (entry if visible else None)
    assert (told["score"] is not None) is visible


def test_score_has_its_lines_and_the_marks_of_each_seat():
    session = make_session()
    facts = {"contract": "garde", "bouts": 2, "half_points": 98, "players": 4, "kind": "facts", "fiche_score": None}
    shown = make_play(session, row(**facts))
    told = state.score_data(shown.current, shown.play, session)
    assert (told["base_score"], told["marks"]) == (66, {"N": 198, "E": -66, "S": -66, "W": -66})
    assert [line["value"] for line in told["lines"]] == [66]
    fiche = make_play(session, row(fiche_score=-60))
    told = state.score_data(fiche.current, fiche.play, session)
    assert told == {"base_score": -60, "lines": [], "marks": {"N": -180, "E": 60, "S": 60, "W": 60}}


def test_sheet_of_a_game_has_its_own_marks():
    session = make_session(FREE_DEALS)
    play = make_play(session).play
    assert state.marks_of(GameSheet({"N": 30, "E": -30}), 0, play) == {"N": 30, "E": -30}


def test_seats_have_the_names_of_the_players():
    seated = {"N": make_entrant(1), "E": make_entrant(2)}
    assert state.seats_data(seated, by_name=True) == {"N": {"name": "Ada Roux"}, "E": {"name": "Léo Petit"}}


@pytest.mark.usefixtures("share")
@pytest.mark.parametrize(
    ("called", "position", "complete", "open_to_table", "told"),
    [
        (0, 3, True, True, True),
        (2, 2, True, True, True),
        (1, 2, True, True, False),  # it is played before it is called
        (0, 3, False, True, False),
        (0, 3, True, False, False),
    ],
)
def test_results_of_other_tables_are_told_after_an_entry_that_stands(called, position, complete, open_to_table, told):
    session = make_session(position=called)
    plays = [make_play(session, row(check_by="none", shows=True), position=position)]
    plays += [] if complete else [make_play(session, position=position)]
    after = SimpleNamespace(session=session, data=lambda shown: shown.play.pk)
    found = state.plays_data(plays, after, "one", open_to_table=open_to_table, by_name=True)
    assert len(found) == len(plays)
    assert (found[0]["id"], found[0]["final"], found[0]["after"]) == (5, complete, 5 if told else None)
