"""The values of a table's state, without a database: the session, the clock, results, moves and rankings."""

import datetime as dt
from fractions import Fraction
from types import SimpleNamespace

import pytest

from clubs.models import Club, Player
from deals.models import Etui
from scoring.formats import FREE_AUCTION, FREE_DEALS, INDIVIDUAL, TEAM_MATCH, TRIPLETTES
from tests.tournaments.plays.test_checks import row
from tournaments.models import ArbiterCall, Entrant, Play, Session, Table, Tournament
from tournaments.plays.common import Common
from tournaments.plays.outcome import SessionOutcome
from tournaments.plays.state import PlayState
from tournaments.plays.table_plays import table_play
from tournaments.reports.session import RankedPlayer
from tournaments.rules.entry import GameSheet
from tournaments.tables import state

NOW = dt.datetime(2026, 11, 20, 23, 30, tzinfo=dt.UTC)
NAMES = ["Ada Roux", "Léo Petit", "Zoé Blanc", "Max Brun"]


def make_entrant(pk, **how):
    first, last = NAMES[pk - 1].split()
    return Entrant(pk=pk, player=Player(first_name=first, last_name=last), line="NESW"[pk - 1], **how)


def make_session(format=INDIVIDUAL, *, federation=False, **how):
    club = Club(name="Club des Étuis", slug="club")
    tournament = Tournament(club=club, name="Été", slug="ete", format=format.name, federation=federation)
    fields = {"number": 1, "date": NOW.date(), "positions": 3, "shows_after": Session.ShownAfter.TOPAGE}
    return Session(tournament=tournament, **(fields | how))


def make_play(session, *rows, people=(), position=1, etui=None, started_at=None):
    """Return a play of table 1 with these entries. Four entrants sit there, or `people`."""
    people = people or [make_entrant(pk) for pk in range(1, 5)]
    seats = dict(zip(("north", "east", "south", "west"), people, strict=False))
    etui = etui or Etui(pk=7, number=7, taker="N", dealer="W")
    play = Play(
        pk=5, session=session, table=Table(number=1), etui=etui, position=position, started_at=started_at, **seats
    )
    play._prefetched_objects_cache = {"entries": list(rows), "rulings": [], "records": []}
    return table_play(play, None)


@pytest.fixture
def share(monkeypatch):
    """Return a function that lets all tables share this data."""

    def share(seats=(), outcome=None, people=()):
        common = Common(dict(people), {}, {}, dict(seats), outcome)
        monkeypatch.setattr(state, "common_of", lambda session: common)

    share()
    return share


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


def move(share, session, at, people, *, here=2, laid=(1, 2, 3), by_name=True):
    """Return where four players go after a position, if they sit at these tables in each one."""
    share({(position, pk): places for (position, pk), places in at.items()})
    stops = {position: [make_play(session, people=people, position=position)] for position in laid}
    return state.moves_data(session, stops, here, by_name=by_name)


def test_players_go_to_their_next_tables_and_those_before_them_have_gone(share):
    session = make_session()
    people = [make_entrant(1), make_entrant(2, last_position=2), make_entrant(3), make_entrant(4, last_position=1)]
    at = {(2, 1): [(1, "N")], (2, 2): [(1, "E")], (2, 3): [(1, "S")], (3, 1): [(4, "N")], (3, 3): [(2, "E")]}
    told = move(share, session, at, people)
    assert told["next"] == [
        {"name": "Ada Roux", "line": "N", "table": 4},
        {"name": "Zoé Blanc", "line": "E", "table": 2},
    ]
    assert told["left"] == {
        "position": 1,
        "next": [
            {"name": "Ada Roux", "line": "N", "table": 1},
            {"name": "Léo Petit", "line": "E", "table": 1},
            {"name": "Zoé Blanc", "line": "S", "table": 1},
        ],
    }


def test_nobody_goes_on_from_the_last_position_or_has_come_to_the_first(share):
    session = make_session()
    people = [make_entrant(pk) for pk in range(1, 5)]
    assert move(share, session, {}, people, here=1)["left"] is None
    told = move(share, session, {}, people, here=3)
    assert (told["next"], told["left"]["position"]) == ([], 2)
    assert [one["table"] for one in told["left"]["next"]] == ["rest"] * 4


def test_nobody_goes_to_a_game_without_seats_or_from_a_table_that_rests(share):
    session = make_session(FREE_DEALS)
    people = [make_entrant(pk) for pk in range(1, 5)]
    at = {(1, 1): [(1, "N")], (2, 1): [(1, "N")]}
    told = move(share, session, at, people)
    assert (told["next"], len(told["left"]["next"])) == ([], 4)
    told = move(share, make_session(), at, people, laid=(1, 3))
    assert (told["next"], len(told["left"]["next"])) == ([], 4)


def test_player_who_rests_keeps_the_line_and_a_rover_without_one_gets_north(share):
    session = make_session()
    people = [make_entrant(pk) for pk in range(1, 5)]
    people[1].line = ""
    told = move(share, session, {}, people, here=1)
    assert [(one["table"], one["line"]) for one in told["next"]] == [
        ("rest", "N"), ("rest", "N"), ("rest", "S"), ("rest", "W"),
    ]  # fmt: skip


def test_team_may_go_to_several_tables(share):
    at = {(2, 1): [(5, "E"), (3, "N")]}
    share(at)
    session = make_session(TRIPLETTES)
    play = make_play(session).play
    assert play.taker == "N"
    told = state.describe_move(session, play, play.north, by_name=True)
    assert told == {"name": "Ada Roux", "line": "E", "table": 5, "tables": [3, 5]}


@pytest.mark.parametrize(
    ("pk", "places", "told"),
    [
        (1, [(5, "E"), (3, "N")], {"line": "N", "table": 3}),
        (2, [(5, "E"), (3, "N")], {"line": "E", "table": 5}),
        (1, [(5, "N"), (3, "N")], {"line": "N", "table": 5, "tables": [3, 5]}),
        (1, [], {"line": "N", "table": "rest"}),
        (2, [], {"line": "E", "table": "rest"}),
    ],
)
def test_attacker_of_a_match_and_the_three_others_go_to_places_of_their_own(share, pk, places, told):
    session = make_session(TEAM_MATCH)
    north, others = make_entrant(1), make_entrant(2)
    share({(2, pk): places} if places else {})
    play = make_play(session, people=[others, others, north, others]).play
    assert play.taker == "S"
    found = state.describe_move(session, play, north if pk == 1 else others, by_name=True)
    assert found == {"name": NAMES[pk - 1], "part": True} | told


def rank(pk, place):
    return RankedPlayer(id=pk, number=pk, line="N", overall=Fraction(58 + pk), rank_alterne=place, rank_general=9)


def outcome_of(*pks, status="official"):
    players = {pk: rank(pk, place) for place, pk in enumerate(pks, start=1)}
    return SessionOutcome(4, status, players, "rank_alterne")


def tell_results(session, *complete, people=()):
    """Return the results told at a table whose stops are complete or not."""
    rows = [[row()] if done else [] for done in complete]
    stops = [[make_play(session, *each, people=people)] for each in rows]
    return state.results_data(session, stops, by_name=True)


def test_results_of_the_last_players_are_told(share):
    share(outcome=outcome_of(3, 1, 4))
    session = make_session(closed_at=NOW)
    told = tell_results(session, False)
    ranking = "/clubs/club/tournaments/ete/1/ranking/"
    assert told == {
        "status": "official",
        "address": ranking,
        "players": [
            {"line": line, "name": name, "rank": place, "percent": percent, "address": f"{ranking}4/players/{pk}/"}
            for line, name, place, percent, pk in [
                ("N", "Ada Roux", 2, "59.0", 1), ("S", "Zoé Blanc", 1, "61.0", 3), ("W", "Max Brun", 3, "62.0", 4),
            ]
        ],
    }  # fmt: skip


def test_player_on_two_seats_is_told_once_and_feuilles_may_be_hidden(share):
    share(outcome=outcome_of(1, 2))
    both = [make_entrant(1), make_entrant(2)]
    session = make_session(closed_at=NOW, shows_feuilles=False)
    told = tell_results(session, True, people=[both[0], both[1], both[0], both[1]])
    assert [(one["line"], one["rank"], one["address"]) for one in told["players"]] == [("N", 1, None), ("E", 2, None)]


def test_results_are_told_without_players_if_nobody_ever_sat_there(share):
    share(outcome=outcome_of(1))
    told = state.results_data(make_session(closed_at=NOW), [[], []], by_name=True)
    assert told["players"] == []


@pytest.mark.parametrize(
    ("how", "status", "complete", "shown"),
    [
        ({}, "official", (True, True, True), True),
        ({}, "official", (True, False, True), False),
        ({}, "official", (True, True), False),
        ({"closed_at": NOW}, "official", (False,), True),
        ({"shows_ranking": False}, "official", (True, True, True), False),
        ({}, "withdrawn", (True, True, True), False),
        ({}, None, (True, True, True), False),
    ],
)
def test_results_are_told_once_the_evening_is_over_and_the_ranking_public(share, how, status, complete, shown):
    share(outcome=status and outcome_of(1, 2, 3, 4, status=status))
    assert (tell_results(make_session(**how), *complete) is not None) is shown


def test_results_are_those_of_the_last_position_that_was_played(share):
    share(outcome=outcome_of(1, 2))
    session = make_session(closed_at=NOW)
    stops = [[make_play(session, people=[make_entrant(pk)])] for pk in (1, 2)]
    told = state.results_data(session, [*stops, []], by_name=True)
    assert [player["name"] for player in told["players"]] == ["Léo Petit"]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (None, {"agrees": None, "own": False}),
        (SimpleNamespace(device=""), {"agrees": True, "own": True}),
        (SimpleNamespace(device="Table 1 · 1"), {"agrees": True, "own": False}),
    ],
)
@pytest.mark.parametrize("status", [None, "withdrawn", "official"])
def test_requests_are_told_with_their_answers_while_a_publication_stands(share, monkeypatch, word, told, status):
    people = {pk: make_entrant(pk) for pk in (1, 2)}
    share(outcome=status and outcome_of(status=status), people=people)
    voice = SimpleNamespace(line="E", entrant=people[2], word=word, agrees=None if word is None else True)
    request = SimpleNamespace(pk=8, entrant_id=1, text="Relu")
    asked = SimpleNamespace(request=request, play=make_play(make_session()).play, voices=[voice])
    monkeypatch.setattr(state, "requests_at", lambda table, *, now: [asked])
    found = state.requests_data(Table(session=make_session()), NOW, by_name=True)
    expected = {
        "id": 8,
        "etui": 7,
        "position": 1,
        "name": "Ada Roux",
        "text": "Relu",
        "voices": [{"line": "E", "name": "Léo Petit"} | told],
    }
    assert found == ([expected] if status == "official" else [])
