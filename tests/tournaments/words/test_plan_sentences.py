"""The sentences about plans: faults, proposals, figures, announcements, and files that hold no plan."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

import movements
from evenings.plans.proposals import PlanQuestion, find_proposals
from movements import (
    LineFault,
    LinePlan,
    Member,
    PlanError,
    PlanFigures,
    Proposal,
    Stay,
    compute_figures,
    plan_tables,
)
from movements.plan.plan import CYCLIC, Shifts
from tests.movements.judge import members
from tournaments.errors import ActionRefused
from tournaments.words.messages import (
    announcement,
    say,
    say_fault,
    say_figures,
    say_proposal,
    say_tables_at_rest,
    say_worth,
)
from tournaments.words.plan_sentences import CHOSEN

FIVE = plan_tables(5, 5, 2)


def broken(*seats: Any, **change: Any) -> LinePlan:
    """Return a plan of five tables whose second seating is changed."""
    first, second, *rest = FIVE.stops
    if seats:
        change["seats"] = members(*seats)
    return replace(FIVE, stops=(first, second._replace(**change), *rest))


SAME_PLAYERS = tuple(play._replace(etuis=FIVE.stops[play.table - 1].etuis) for play in FIVE.stops)
BROKEN = [
    replace(FIVE, stops=FIVE.stops[1:]),
    broken(etuis=(3,)),
    broken(2, 2, 2),
    broken(2, 2, 2, 9),
    broken(2, 2, 2, Member(1, 2)),
    broken(*FIVE.stops[0].seats),
    broken(etuis=FIVE.stops[0].etuis),
    broken(etuis=(3, 11)),
    replace(plan_tables(5, 5, 2, barometer=True), stops=plan_tables(5, 5, 2).stops),
    replace(FIVE, stops=SAME_PLAYERS),
    replace(FIVE, stays=(Stay(Member(3, 6), 1, 2),)),
    replace(FIVE, stays=(Stay(Member(4, 1), 1, 2),)),
]


def test_every_fault_of_a_plan_of_the_planner_is_told() -> None:
    faults = [fault for plan in BROKEN for fault in movements.find_faults(plan)]
    shared = {"position", "seats", "etuis", "etui_twice", "barometer"}
    assert {fault.code for fault in faults} == {*LineFault.messages, *shared}
    with override("en"):
        texts = {say_fault(fault) for fault in faults}
        assert [text for text in texts if "%(" in text] == []
        assert texts >= {
            "Position 1, table 2 needs 4 seats, not 3",
            "Position 1, table 2 needs 2 different étuis, numbered from 1",
            "Position 2, table 1: the étuis 1 2 should not be there, as announced",
            "Position 1, table 2: North 1 should not be there, as announced",
            "West 6, in the plan from position 1 to 2, is not one of its players",
            "5 1, in the plan from position 1 to 2, is not one of its players",
        }
        refused = ActionRefused("plan_faulty", problem=faults[0])
        assert "(Position 1: its tables must be numbered from 1, each once, at most 5)" in say(refused)


@pytest.mark.parametrize(
    ("players", "texts"),
    [
        (
            28,
            [
                "28 players: 7 tables, nobody rests.",
                "28 players: 7 tables, all with the same étuis in each position.",
            ],
        ),
        (
            31,
            [
                "31 players: 8 tables with 1 more who plays unranked; nobody rests.",
                "31 players: 7 tables with 3 floating players, who sit in for other players in each position.",
                "31 players: 8 tables with an empty seat, which moves; the three players at that table rest.",
            ],
        ),
    ],
)
def test_proposals_are_told(players: int, texts: list[str]) -> None:
    with override("en"):
        assert [say_proposal(proposal) for proposal in find_proposals(PlanQuestion(players, 5, 4, False))] == texts


def test_positions_chosen_for_balance_are_said_to_need_guide_cards() -> None:
    with override("en"):
        said = [say_proposal(proposal) for proposal in find_proposals(PlanQuestion(40, 5, 4, False)) if proposal.chosen]
        assert said == [f"40 players: 10 tables, nobody rests. {CHOSEN}"]


def test_counts_of_a_proposal_have_their_own_plurals() -> None:
    params = {"players": 5, "tables": 1, "positions": 3, "rovers": 1}
    fewer, rover = (
        Proposal(code, params, FIVE, compute_figures(FIVE), chosen=False) for code in ("fewer_positions", "rovers")
    )
    with override("en"):
        assert say_proposal(fewer) == "5 players: 1 table, but only 3 positions."
        assert (
            say_proposal(rover)
            == "5 players: 1 table with a floating player, who sits in for another player in each position."
        )


def worth(**change: Any) -> list[str]:
    played = {"etuis": 20, "least_played": 20, "most_played": 20, "least_attacks": 5, "most_attacks": 5}
    none = PlanFigures(1, 0, 0, exempt=(0, 0), balance=97, **played)
    with override("en"):
        return say_figures(replace(none, **change))


def test_figures_of_a_perfect_plan_are_told() -> None:
    assert worth() == [
        "Nobody meets anybody twice",
        "Nobody rests",
        "Fairness of comparisons: 97%",
        "Everybody plays every étui",
        "Everybody attacks 5 times",
    ]


def told(plan: LinePlan) -> list[str]:
    with override("en"):
        return say_worth(plan, compute_figures(plan))


def test_offer_says_that_its_etuis_move_and_how_many_are_to_be_filled() -> None:
    said = told(plan_tables(7, 5))
    assert said[:2] == ["The étuis go from table to table, each at one table at a time", "28 étuis to prepare"]
    assert "Everybody plays 20 of the 28 étuis" in said


def test_plan_of_a_latecomer_says_whom_its_figures_are_about() -> None:
    late = replace(plan_tables(7, 5), stays=(Stay(Member(0, 1), 3, 5),))
    said = told(late)
    assert "Every player who is there from start to end plays 20 of the 28 étuis" in said
    assert [line for line in said if line.startswith("Everybody plays")] == []
    assert [line for line in said if "attacks" in line and "there from start to end" not in line] == []


@pytest.mark.parametrize(
    ("tables", "etuis", "lines"),
    [
        (7, 4, ["2 copies of each étui, or tables wait for them", "20 étuis to prepare, 40 with their copies"]),
        (7, 3, ["3 copies of each étui, or tables wait for them", "15 étuis to prepare, 45 with their copies"]),
        (4, 4, ["One copy of each étui is enough: it goes round within the position", "20 étuis to prepare"]),
    ],
)
def test_barometer_says_its_copies(tables: int, etuis: int, lines: list[str]) -> None:
    barometer = "All tables play the same étuis in each position"
    assert told(plan_tables(tables, 5, etuis, barometer=True))[:3] == [barometer, *lines]


@pytest.mark.parametrize("players", [17, 18, 21, 22, 25, 26])
def test_no_offer_hides_a_barometer(players: int) -> None:
    for proposal in find_proposals(PlanQuestion(players, 5, 4, False)):
        said = told(proposal.plan)
        assert any("all tables play the same" in line.lower() for line in said) == proposal.plan.barometer
        assert ("Irregular changes of table: follow the guide cards" in said) == (proposal.plan.shifts is None)


def test_attacks_are_told_where_the_etuis_name_the_taker_only() -> None:
    plan = plan_tables(5, 5)
    with override("en"):
        assert say_worth(plan, compute_figures(plan), imposed=False) == told(plan)[:-1]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"most_meetings": 2, "repeated": 1}, "1 meeting is repeated, none more than twice"),
        ({"most_meetings": 2, "repeated": 16}, "16 meetings are repeated, none more than twice"),
        ({"most_meetings": 3, "repeated": 16}, "16 meetings are repeated, none more than 3 times"),
        ({"replays": 4}, "4 étuis are played again by somebody"),
        ({"exempt": (1, 1), "most_exempt": 1}, "1 player rests in each position"),
        ({"exempt": (3, 3), "most_exempt": 1}, "Nobody rests twice"),
        ({"exempt": (3, 0), "most_exempt": 1}, "From 0 to 3 players rest in each position"),
        ({"exempt": (3, 3), "most_exempt": 2}, "Everybody rests from 0 to 2 times"),
        ({"exempt": (3, 3), "least_exempt": 2, "most_exempt": 2}, "Everybody rests 2 times"),
        ({"missing": 8, "etuis": 28}, "Everybody plays 20 of the 28 étuis"),
        ({"missing": 8, "etuis": 28, "most_played": 24}, "Everybody plays from 20 to 24 of the 28 étuis"),
        ({"repeated": 7}, "In theory, no meeting would have to be repeated"),
        ({"repeated": 7, "bound": 4}, "At least 4 meetings have to be repeated, whatever the plan"),
        ({"least_attacks": 0, "most_attacks": 2}, "Somebody never attacks, nobody more than 2 times"),
        ({"least_attacks": 4}, "Everybody attacks from 4 to 5 times"),
        ({"least_attacks": 1, "most_attacks": 1}, "Everybody attacks 1 time"),
    ],
)
def test_figures_are_told_as_they_are(change: dict[str, Any], line: str) -> None:
    assert set(worth(**change)) - set(worth()) >= {line}


def test_announcement_says_who_moves_where() -> None:
    with override("en"):
        assert (
            announcement(CYCLIC)
            == "North stays, East moves up one table, South two, West three; the étuis move down one"
        )
        assert announcement(Shifts(0, 1, -1, 2, 0)) == (
            "tables to move up: North 0, East +1, South −1, West +2, étuis 0"
        )


def test_tables_whose_seat_is_empty_are_named_position_by_position() -> None:
    (phantom,) = [one for one in find_proposals(PlanQuestion(27, 5, 4, False)) if one.code == "phantom"]
    with override("en"):
        assert say_tables_at_rest(phantom.plan) == "Empty table, position by position: 7, 3, 6, 2, 5"
        assert say_tables_at_rest(find_proposals(PlanQuestion(28, 5, 4, False))[0].plan) == ""


UNREAD = [
    (
        "position,table,N,E,S,W,etuis\n1,1,1,1,1,1,x\n",
        "Line 2: etuis cannot be “x”. Positions, tables and players are numbered from 1, "
        "and étuis are written 5-8 or 5 6 7 8.",
    ),
    (
        "position,table\n",
        "The first line of the file must name these columns, each once: "
        "position, table, N, E, S, W, etuis. Correct it.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), UNREAD)
def test_file_that_holds_no_plan_is_told(text: str, sentence: str) -> None:
    with override("en"), pytest.raises(PlanError) as caught:
        movements.from_csv(text)
    with override("en"):
        assert say(caught.value) == sentence


def test_attacks_that_differ_are_told_and_what_would_make_them_equal() -> None:
    apart = "Attacks are not equal: some attack 2 times more than others"
    four = "With four étuis per position, or eight, attacks would be equal, apart from rests"
    assert apart in worth(least_attacks=3)
    assert worth(least_attacks=0, most_attacks=2)[-2:] == ["Somebody never attacks, nobody more than 2 times", apart]
    assert apart not in worth(least_attacks=4)
    uneven = find_proposals(PlanQuestion(28, 5, 1, False))[0].plan
    assert told(uneven)[-2:] == [apart, four]
    assert four not in told(find_proposals(PlanQuestion(28, 5, 4, False))[0].plan)
    with override("fr"):
        said = say_worth(uneven, compute_figures(uneven))
    assert "Les attaques ne sont pas égales\N{NO-BREAK SPACE}: certains attaquent 2 fois de plus que d’autres" in said


@pytest.mark.parametrize("code", ["roving", "fresh_roving"])
def test_rovers_of_a_plan_made_anew_are_told(code: str) -> None:
    with override("en"):
        assert "Floating players play on any line" in say_proposal(Proposal(code, {}, FIVE, compute_figures(FIVE)))
