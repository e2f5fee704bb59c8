"""The differences between two frozen reports: none between equal reports, and one of each kind where they differ."""

import copy

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from rankings.publication.differences import people_in, say_change
from rankings.publication.publishing import SESSIONS

NAMES = {7: "Élise Aubert", 8: "Zoé Nom"}


def play(pk, score=56, table=1, state="scored"):
    return {
        "id": pk,
        "position": 1,
        "table": table,
        "seats": {"N": 1, "E": 2, "S": 3, "W": 4},
        "state": state,
        "taker": "N",
        "base_score": score,
        "facts": None,
        "notes": dict.fromkeys("NESW", "50") if score is not None else None,
        "part": 0,
    }


def player(pk, rank=1):
    return {
        "id": pk,
        "player": pk,
        "line": "N",
        "number": pk,
        "ranked": True,
        "unranked": "",
        "stand_ins": [],
        "penalty": "0",
        "overall": "50",
        "attack": "50",
        "defence": "50",
        "rank_general": rank,
        "rank_line": rank,
        "rank_alterne": rank,
    }


def report():
    etuis = [
        {
            "number": number,
            "taker": "N",
            "dealer": "W",
            "cards": "",
            "altered_from": None,
            "altered_after": [],
            "plays": [play(10 * number + table, table=table) for table in (1, 2, 3)],
        }
        for number in (13, 14)
    ]
    shape = {"session": 1, "date": "2026-11-20", "tables": 3, "positions": 5, "etuis_per_position": 4}
    return shape | {"auction": "imposed", "format": 2, "players": [player(7, 1), player(8, 2)], "etuis": etuis}


def told(change):
    """Return the sentences, in English, about what `change` does to a report."""
    before, after = report(), report()
    change(after)
    with override("en"):
        return [say_change(each, NAMES) for each in SESSIONS.compared.changes(before, after)]


def of_play(**fields):
    return lambda data: data["etuis"][1]["plays"][2].update(fields)


def of_etui(**fields):
    return lambda data: data["etuis"][1].update(fields)


def of_player(**fields):
    return lambda data: data["players"][0].update(fields)


def swap_ranks(data):
    for each, rank in zip(data["players"], (2, 1), strict=True):
        each.update(rank_general=rank, rank_line=rank, rank_alterne=rank)


def annul_etui(data):
    for each in data["etuis"][1]["plays"]:
        each.update(state="annulled", base_score=None, notes=None)


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (of_play(base_score=46), ["Étui 14, table 3: +56 became +46"]),
        (of_play(base_score=-8), ["Étui 14, table 3: +56 became −8"]),
        (
            of_play(base_score=None, notes=None, state="annulled"),
            ["Étui 14, table 3: +56 became “annulled”"],
        ),
        (of_play(taker="E"), ["Étui 14, table 3: the details are corrected, the score is still +56"]),
        (of_play(seats={"N": 2, "E": 1, "S": 3, "W": 4}), ["Étui 14, table 3: the players are corrected"]),
        (of_play(position=2), ["Étui 14, table 3: the position or the table is corrected"]),
        (
            of_play(fixed=["N"], notes={"N": "60", "E": "50", "S": "50", "W": "50"}),
            ["Étui 14, table 3, North: the arbiter fixes the note at 60.0%"],
        ),
        (
            of_play(fixed=["E", "N"], notes={"N": "60", "E": "50", "S": "50", "W": "50"}),
            [
                "Étui 14, table 3, North: the arbiter fixes the note at 60.0%",
                "Étui 14, table 3, East: the arbiter fixes the note at 50.0%",
            ],
        ),
        (of_play(compared=False), ["Étui 14, table 3: the score is no longer compared with the others"]),
        (of_etui(altered_from=3), ["Étui 14: altered, its plays before and after are compared separately"]),
        (of_etui(dealer="E"), ["Étui 14: the taker or the dealer is corrected"]),
        (of_etui(cards="x"), ["The cards of 1 étui have been added"]),
        (of_etui(plays=report()["etuis"][1]["plays"][:2]), ["Étui 14, table 3: no longer in the plan"]),
        (lambda data: data["etuis"].pop(), ["Étui 14: no longer in the plan"]),
        (annul_etui, ["Étui 14: annulled for everybody"]),
        (
            of_player(penalty="2"),
            ["Élise Aubert: penalties and bonuses total −2.00 points (before: 0.00)"],
        ),
        (
            of_player(penalty="-3/2"),
            ["Élise Aubert: penalties and bonuses total +1.50 points (before: 0.00)"],
        ),
        (of_player(ranked=False), ["Élise Aubert: no longer ranked"]),
        (of_player(unranked="share"), ["Élise Aubert: no longer ranked"]),
        (of_player(stand_ins=[{"player": 8, "from": 2, "to": None}]), ["Élise Aubert: the stand-in is corrected"]),
        (of_player(number=9), ["Élise Aubert: the seat is corrected"]),
        (of_player(overall="51"), ["The percentages of 1 player change"]),
        (lambda data: data["players"].pop(), ["Zoé Nom: no longer in the session"]),
        (swap_ranks, ["2 players change rank"]),
        (lambda data: data.update(date="2026-11-21"), ["The date or the plan of the session is corrected"]),
        (lambda data: data.update(format=3), ["Details of the figures"]),
    ],
)
def test_each_kind_of_change_is_told(change, sentences):
    assert told(change) == sentences


def test_correction_with_what_follows_from_it_is_told_in_that_order():
    def correct(data):
        of_play(base_score=46)(data)
        swap_ranks(data)
        of_player(overall="49")(data)

    assert told(correct) == [
        "Étui 14, table 3: +56 became +46",
        "The percentages of 1 player change",
        "2 players change rank",
    ]


def test_results_that_were_awaited_are_counted_where_they_are_many():
    before, after = report(), report()
    for each in before["etuis"][0]["plays"]:
        each.update(state="missing", base_score=None, notes=None)
    with override("en"):
        assert [say_change(each, NAMES) for each in SESSIONS.compared.changes(before, after)] == [
            "3 missing results have come in"
        ]
        after["etuis"][0]["plays"][1:] = before["etuis"][0]["plays"][1:]
        assert [say_change(each, NAMES) for each in SESSIONS.compared.changes(before, after)] == [
            "Étui 13, table 1: +56, which was missing"
        ]


def test_who_moves_is_named_by_the_clubs_list_alone():
    after = report()
    swap_ranks(after)
    (change,) = SESSIONS.compared.changes(report(), after)
    assert change == {"code": "ranks", "count": 2, "moves": [[7, 1, 2], [8, 2, 1]]}
    assert people_in([change]) == {7, 8}


@given(
    etui=st.integers(0, 1),
    number=st.integers(0, 2),
    field=st.sampled_from(["base_score", "taker", "state", "position", "table", "seats", "notes", "facts", "part"]),
    value=st.none() | st.integers(-100, 100) | st.sampled_from(["annulled", "missing", "E"]),
)
def test_equal_reports_differ_in_nothing_and_others_in_something(etui, number, field, value):
    before, after = report(), report()
    assert SESSIONS.compared.changes(before, copy.deepcopy(before)) == []
    if field == "seats":
        value = {"N": value}
    elif field in ("position", "table", "part"):
        value = value if isinstance(value, int) else 9
    elif field == "base_score":
        value = value if isinstance(value, int) else None
    elif field in ("state", "taker"):
        value = value if isinstance(value, str) else "missing"
    after["etuis"][etui]["plays"][number][field] = value
    assert (SESSIONS.compared.changes(before, after) == []) == (before == after)


def test_deal_on_a_sheet_is_no_change_of_its_own():
    assert told(of_play(base_score=26)) != ["Details of the figures"]
    assert told(of_play(base_score=26, on_sheet=True)) == ["Details of the figures"]
