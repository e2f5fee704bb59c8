"""A session's plan by the API, open to everybody, and its changes: directors preview, carry out and undo them."""

from typing import Any

import pytest

from clubs.models import Club
from clubs.players import add_players
from clubs.roster import RosterLine
from movements import plan_tables, to_csv
from tests.api.conftest import Client
from tests.factories import draft_session, enter_all, make_tournament, started_session
from tournaments.models import Session


@pytest.fixture
def session(club: Club, director: Client) -> Session:
    session = started_session(make_tournament(club), tables=7, positions=4, etuis_per_position=1)
    assert director.user is not None
    enter_all(session, by=director.user, plays=session.plays.filter(position=1).select_related("etui"))
    return session


def arrival(club: Club, name: str = "Tardif", after: int = 1) -> dict[str, Any]:
    (player,) = add_players(club=club, lines=[RosterLine(name, "")])
    return {"kind": "arrive", "players": [player.pk], "after": after}


def test_plan_is_public_once_the_session_runs(stranger: Client, session: Session) -> None:
    plan = stranger.get(f"sessions/{session.pk}/plan/")
    assert (plan["version"], plan["figures"]["perfect"], plan["exempt"]) == (1, True, [[]] * 4)
    assert [seat["seat"] for seat in plan["seats"]][:3] == ["N1", "N2", "N3"]
    assert len(plan["plan"]["plays"]) == 28
    draft = draft_session(session.tournament)
    assert stranger.refused("GET", f"sessions/{draft.pk}/plan/", status=422) == "session_not_started"


@pytest.mark.nightly("story")
def test_arrival_is_previewed_carried_out_and_undone(club: Club, director: Client, session: Session) -> None:
    path, operation = f"sessions/{session.pk}/changes/", arrival(club)
    preview = director.post(f"{path}preview/", {"operation": operation})
    assert (preview["seen"], preview["text"]) == (1, "Tardif plays from position 2 on.")
    kept = next(way for way in preview["outcomes"] if way["code"] == "kept")
    choice = preview["outcomes"].index(kept)
    assert [stop["position"] for stop in kept["newcomers"][0]["way"]] == [2, 3, 4]
    assert {move["before"] is None for move in kept["positions"][0]["moves"] if move["name"] == "Tardif"} == {True}
    made = director.post(path, {"operation": operation, "choice": choice, "seen": 1}, status=201)
    assert (made["version"], made["kind"], made["undone_at"]) == (2, "arrive", None)
    plan = director.get(f"sessions/{session.pk}/plan/")
    assert (plan["version"], plan["exempt"]) == (2, kept["exempt"])
    assert [seat["name"] for seat in plan["seats"] if seat["first_position"] == 2] == ["Tardif"]
    undone = director.post(f"{path}undo/", {"seen": 2})
    assert (undone["version"], undone["undone_at"] is None) == (2, False)
    assert director.get(f"sessions/{session.pk}/plan/")["version"] == 1
    assert [version["kind"] for version in director.get(path)] == ["arrive", "choice"]


@pytest.mark.nightly("story")
def test_plan_names_who_comes_back_at_each_of_his_stays(director: Client, session: Session) -> None:
    path, gone = f"sessions/{session.pk}/", session.entrants.get(line="E", number=4)
    for seen, kind, after in ((1, "leave", 1), (2, "return", 2)):
        operation = {"kind": kind, "entrants": [gone.pk], "after": after}
        director.post(f"{path}changes/", {"operation": operation, "choice": 0, "seen": seen}, status=201)
    seats = [seat for seat in director.get(f"{path}plan/")["seats"] if seat["entrant"] == gone.pk]
    assert [(seat["first_position"], seat["last_position"]) for seat in seats] == [(1, 1), (3, None)]
    assert seats[0]["seat"] == "E4"


def test_change_of_a_plan_that_is_another_by_now_is_a_conflict(director: Client, session: Session) -> None:
    change = {"operation": {"kind": "resize", "positions": 3}, "choice": 0, "seen": 1}
    path = f"sessions/{session.pk}/changes/"
    director.post(path, change, status=201)
    assert director.refused("POST", path, change, status=409) == "plan_out_of_date"


@pytest.mark.parametrize(
    ("operation", "field"),
    [
        ({"kind": "dance"}, "operation.kind"),
        ({}, "operation.kind"),
        ([], "operation.kind"),
        ({"kind": "arrive", "players": [], "after": 1}, "operation.players"),
        ({"kind": "resize"}, "operation.positions"),
        ({"kind": "resize", "positions": 3, "tables": 2}, "operation.tables"),
        ({"kind": "wrong_etuis", "position": 1, "table": 1, "pairs": [[1]]}, "operation.pairs.0"),
    ],
)
def test_operation_of_the_wrong_shape_is_told_by_field(
    director: Client, session: Session, operation: Any, field: str
) -> None:
    answer = director.post(f"sessions/{session.pk}/changes/preview/", {"operation": operation}, status=400)
    assert answer["error"]["field"].startswith(field)


def test_what_the_evening_forbids_is_refused(club: Club, director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/changes/"
    twice = arrival(club)
    refused = {
        "player_twice": twice | {"players": twice["players"] * 2},
        "position_begun": arrival(club, after=0),
        "entrant_unknown": {"kind": "leave", "entrants": [10**9], "after": 1},
    }
    for code, operation in refused.items():
        assert director.refused("POST", f"{path}preview/", {"operation": operation}, status=422) == code
    assert director.refused("POST", f"{path}undo/", {"seen": 1}, status=422) == "nothing_to_undo"


@pytest.mark.nightly("story")
def test_thirty_one_players_and_one_who_completes_start_by_the_plan_chosen(club: Club, director: Client) -> None:
    session = draft_session(make_tournament(club), tables=8, etuis_per_position=1)
    path = f"sessions/{session.pk}/"
    seats = director.get(f"{path}entrants/")
    told = [{name: seat[name] for name in ("player", "line", "number", "ranked")} for seat in seats]
    told[-1]["ranked"] = False
    assert [seat["ranked"] for seat in director("PUT", f"{path}entrants/", told)] == [True] * 31 + [False]
    assert director.refused("PUT", f"{path}plan/", {"choice": 0, "players": 32}, status=409) == "plan_out_of_date"
    assert director.refused("PUT", f"{path}plan/", {"choice": 99, "players": 31}, status=422) == "plan_unknown"
    assert director("PUT", f"{path}plan/", {"choice": 0, "players": 31})["kind"] == "choice"
    director.post(f"{path}start/")
    plan = director.get(f"{path}plan/")
    assert [seat["seat"] for seat in plan["seats"] if not seat["ranked"]] == ["W8"]
    assert plan["exempt"] == [[]] * 5


def test_plan_of_ones_own_is_verified_before_it_is_kept(club: Club, director: Client) -> None:
    session = draft_session(make_tournament(club), tables=2, positions=1, etuis_per_position=1)
    path = f"sessions/{session.pk}/plan/"
    rows = ["position,table,N,E,S,W,etuis", "1,1,1,1,1,1,1", "1,2,2,2,2,2,2"]
    assert director("PUT", path, {"csv": "\n".join(rows)})["kind"] == "choice"
    twice = "\n".join([*rows[:2], "1,2,1,2,2,2,2"])
    assert director.refused("PUT", path, {"csv": twice}, status=422) == "plan_faulty"
    others = to_csv(plan_tables(7, 5))
    assert director.refused("PUT", path, {"csv": others}, status=422) == "plan_for_others"
    assert director.refused("PUT", path, {"csv": "1;2;3"}, status=400) == "fields"
