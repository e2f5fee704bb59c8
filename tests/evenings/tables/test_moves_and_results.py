"""The moves of the players at a table, their published results and their requests, without a database."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from evenings.plays.common import SessionOutcome
from evenings.tables import state
from scoring.formats import FREE_DEALS, TEAM_MATCH, TRIPLETTES
from tests.evenings.plays.test_checks import row
from tests.evenings.tables import values
from tests.evenings.tables.values import NAMES, NOW, make_entrant, make_play, make_session
from tournaments.models import Table
from tournaments.reports.session import RankedPlayer

share = values.share_with_tables


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
