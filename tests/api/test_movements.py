"""The addresses GET /api/v1/movements/ and POST …/verify/: the planner's answers, their limits, and no row read."""

import json
from typing import Any

import pytest
from rest_framework.throttling import ScopedRateThrottle

from api.plans.movements import MOST_FAULTS, MOST_PLAYS, MOST_SPANS
from evenings.plans import proposals
from evenings.plans.proposals import take_turn
from movements import compute_figures, find_faults, plan_tables, propose_plans, read_line_plan, to_csv, write_plays
from tests.api.conftest import V1, Client

CSV = to_csv(plan_tables(5, 3, 1))


def test_players_get_every_proposal_with_its_plan(stranger: Client) -> None:
    answer = stranger.get("movements/?players=30&positions=5&etuis=2")
    offered = propose_plans(30, 5, 2)
    assert [read_line_plan(proposal["plan"]) for proposal in answer["proposals"]] == [one.plan for one in offered]
    first = answer["proposals"][0]
    assert {name: first[name] for name in ("code", "text", "announcement", "worth")} == {
        "code": "rovers",
        "text": "30 players: 7 tables with 2 floating players, who sit in for other players in each position.",
        "announcement": "North stays, East moves up one table, South two, West three; the étuis move down one",
        "worth": [
            "The étuis go from table to table, each at one table at a time",
            "14 étuis to prepare",
            "Nobody meets anybody twice",
            "2 players rest in each position",
            "Nobody rests twice",
            f"Fairness of comparisons: {offered[0].figures.balance}%",
            "Everybody plays from 8 to 10 of the 14 étuis",
            "Everybody attacks from 1 to 3 times",
            "Attacks are not equal: some attack 2 times more than others",
            "With four étuis per position, or eight, attacks would be equal, apart from rests",
        ],
    }
    assert first["exempt"][0] == ["N4", "E5"]
    assert (first["figures"]["exempt"], first["figures"]["perfect"]) == ([2] * 5, True)


@pytest.mark.parametrize(
    ("query", "plan"),
    [
        ("tables=7&positions=5&etuis=3", plan_tables(7, 5, 3)),
        ("tables=6", plan_tables(6, 5)),
        ("tables=23", plan_tables(23, 20)),
        ("tables=7&positions=4&barometer=true", plan_tables(7, 4, barometer=True)),
    ],
)
def test_tables_get_the_simplest_plan(stranger: Client, query: str, plan: Any) -> None:
    (only,) = stranger.get(f"movements/?{query}")["proposals"]
    assert (only["plan"], only["code"]) == (write_plays(plan), "barometer" if plan.barometer else "tables")
    assert only["exempt"] == [[]] * plan.positions


def test_players_play_five_positions_of_four_etuis_unless_told(stranger: Client) -> None:
    plan = stranger.get("movements/?players=20")["proposals"][0]["plan"]
    assert (plan["positions"], plan["etuis_per_position"], plan["barometer_after"]) == (5, 4, None)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "invalid"),
        ("players=20&tables=5", 400, "invalid"),
        ("players=many", 400, "invalid"),
        ("players=20&rounds=5", 400, "invalid"),
        ("players=20&barometer=perhaps", 400, "invalid"),
        ("players=3", 422, "players"),
        ("players=601", 422, "players"),
        ("tables=0", 422, "tables"),
        ("tables=151&positions=2", 422, "tables"),
        ("players=20&positions=21", 422, "positions"),
        ("tables=7&positions=0", 422, "positions"),
        ("tables=7&etuis=25", 422, "etuis"),
    ],
)
def test_what_cannot_be_planned_is_told(stranger: Client, query: str, status: int, code: str) -> None:
    assert stranger.refused("GET", f"movements/?{query}", status=status) == code


@pytest.mark.parametrize("body", [write_plays(plan_tables(5, 3, 1)), {"csv": CSV}, {"csv": CSV.replace("\n", "\r")}])
def test_plan_without_fault_gets_its_figures(stranger: Client, body: Any) -> None:
    answer = stranger.post("movements/verify/", body)
    assert answer == {
        "faults": [],
        "worth": [
            "The étuis go from table to table, each at one table at a time", "5 étuis to prepare",
            *(["Irregular changes of table: follow the guide cards"] if "csv" in body else []),
            "Nobody meets anybody twice", "Nobody rests", "Fairness of comparisons: 90%",
            "Everybody plays 3 of the 5 étuis", "Somebody never attacks, nobody more than 2 times",
            "Attacks are not equal: some attack 2 times more than others",
            "With four étuis per position, or eight, attacks would be equal, apart from rests",
        ],
        "figures": {
            "perfect": True, "most_meetings": 1, "repeated": 0, "replays": 0, "exempt": [0, 0, 0],
            "least_exempt": 0, "most_exempt": 0, "balance": compute_figures(plan_tables(5, 3, 1)).balance, "missing": 2,
            "bound": 0, "etuis": 5, "copies": 1, "least_played": 3, "most_played": 3,
            "least_attacks": 0, "most_attacks": 2,
        },
        "exempt": [[], [], []],
    }  # fmt: skip


def test_what_a_proposal_answers_is_verified(stranger: Client) -> None:
    first = stranger.get("movements/?players=29")["proposals"][0]
    verdict = stranger.post("movements/verify/", first["plan"])
    assert verdict == {"faults": [], **{name: first[name] for name in ("worth", "figures", "exempt")}}


def test_faults_are_told_one_by_one(stranger: Client) -> None:
    answer = stranger.post("movements/verify/", {"csv": CSV.replace("2,1,1,5,4,3", "2,1,2,5,4,3")})
    assert answer == {
        "faults": [
            {
                "code": "seated_twice",
                "text": "Position 2: North 2 sits at tables 1 and 2",
                "params": {"position": 2, "table": 2, "line": "N", "number": 2, "first": 1},
            },
            {
                "code": "replayed",
                "text": "North 2 plays étui 2 in positions 1 and 2",
                "params": {"line": "N", "number": 2, "etui": 2, "first": 1, "position": 2, "table": 1},
            },
        ],
        "worth": [],
        "figures": None,
        "exempt": None,
    }


def test_more_faults_than_anybody_reads_are_cut(stranger: Client) -> None:
    plan = plan_tables(11, 11, 4)
    stuck = write_plays(plan) | {
        "plays": [write_plays(plan)["plays"][0] | {"position": p, "table": 1} for p in range(1, 12)]
    }
    many = stuck | {"plays": [play | {"etuis": list(range(1, 5))} for play in stuck["plays"]], "shifts": None}
    assert len(find_faults(read_line_plan(many))) > MOST_FAULTS
    assert len(stranger.post("movements/verify/", many)["faults"]) == MOST_FAULTS


PLAY = {"position": 1, "table": 1, "etuis": [1], "N": 1, "E": 1, "S": 1, "W": 1}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (None, "data"),
        ([], "data"),
        ({}, "data"),
        ({"plays": []}, "empty"),
        ({"plays": [PLAY | {"N": "x"}]}, "data"),
        ({"plays": [PLAY] * (MOST_PLAYS + 1)}, "data"),
        ({"plays": [PLAY], "spans": [[0, 1, 1, 1]] * (MOST_SPANS + 1)}, "data"),
        ({"csv": 5}, "data"),
        ({"csv": ""}, "fields"),
        ({"csv": CSV + "4,1,1,1,1,1,x\n"}, "value"),
        ({"csv": CSV + "4,1,1,1,1," + "1 " * 100_000}, "data"),
    ],
)
def test_what_is_no_plan_is_told(stranger: Client, body: Any, code: str) -> None:
    assert stranger.refused("POST", "movements/verify/", body, status=400) == code


@pytest.mark.django_db
def test_no_row_is_read(stranger: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        stranger.get("movements/?players=21")
        stranger.post("movements/verify/", {"csv": CSV})
        stranger.post("movements/verify/", json.loads("[]"), status=400)


@pytest.mark.parametrize("question", ["players=30", "tables=7"])
def test_one_search_at_a_time_so_that_the_tables_keep_the_rest(stranger: Client, question: str) -> None:
    proposals.answered.clear()
    with take_turn():
        answer = stranger.client.get(f"{V1}movements/?{question}")
    assert (answer.status_code, answer.json()["error"]["code"], answer["Retry-After"]) == (429, "busy", "5")
    assert stranger.get(f"movements/?{question}")["proposals"]


def test_what_is_answered_already_needs_no_turn(stranger: Client) -> None:
    answer = stranger.get("movements/?players=30")
    with take_turn():
        assert stranger.get("movements/?players=30") == answer


def test_searches_have_a_throttle_of_their_own(stranger: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"plans": "2/min"})
    for _time in range(2):
        stranger.get("movements/?players=8")
    assert stranger.refused("GET", "movements/?players=8", status=429) == "throttled"
