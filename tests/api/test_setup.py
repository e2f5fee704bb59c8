"""The preparation of an evening by the API: players, tournaments, sessions, seats, étuis, start."""

from typing import Any

import pytest

from clubs.models import Club
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.api.conftest import Client
from tests.factories import SEED, draft_session, make_tournament
from tournaments.models import Entrant, Session, Tournament


@pytest.fixture
def session(club: Club) -> Session:
    return draft_session(make_tournament(club))


def names(players: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(player["last_name"], player["first_name"], player["licence"]) for player in players]


def test_clubs_are_listed_with_the_roles_of_who_asks(
    club: Club, director: Client, helper: Client, stranger: Client
) -> None:
    roles = [client.get("clubs/")[0]["role"] for client in (director, helper, stranger)]
    assert roles == ["director", "helper", None]
    assert stranger.get("clubs/") == [{"slug": "club", "name": "Club des Étuis", "role": None}]


@pytest.mark.parametrize(
    "body",
    [
        {"last_name": "Dupont", "first_name": "Marie", "licence": "123456"},
        [{"last_name": "Dupont", "first_name": "Marie", "licence": "123456"}],
        {"roster": "Dupont; Marie; 123456\n"},
    ],
)
def test_player_is_added_once_however_written(club: Club, director: Client, body: object) -> None:
    added = director.post("clubs/club/players/", body, status=201)
    assert names(added) == [("Dupont", "Marie", "123456")]
    assert director.post("clubs/club/players/", body, status=201) == added
    assert director.get("clubs/club/players/") == added


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({"last_name": ""}, 400, "invalid", "last_name"),
        ({"last_name": "A" * 81}, 400, "invalid", "last_name"),
        ({"last_name": "Dupont", "age": 40}, 400, "invalid", "age"),
        ({"last_name": "Du\x00pont"}, 400, "invalid", "last_name"),
        ([{"last_name": "Dupont"}, {}], 400, "invalid", "1.last_name"),
        ("Dupont", 400, "invalid", ""),
        ([{"last_name": "Dupont"}] * 1001, 400, "too_many_players", ""),
        ({"roster": "Marie DUPONT\nMarie DUPONT"}, 422, "roster_twice", "roster"),
        ({"roster": "A\n" * 3, "more": 1}, 400, "invalid", "more"),
    ],
)
def test_players_that_cannot_be_read(
    club: Club, director: Client, body: object, status: int, code: str, field: str
) -> None:
    error = director.post("clubs/club/players/", body, status=status)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert club.players.count() == 0


def test_lines_of_a_list_are_told_with_their_doubts_and_nothing_is_written(club: Club, director: Client) -> None:
    (marie,) = director.post("clubs/club/players/", {"last_name": "Dupont", "first_name": "Marie"}, status=201)
    asked = {"roster": "Marie Dupond\nDupont Marie\nLuc Garnier\n123"}
    told = director.post("clubs/club/players/read/", asked)
    rows = told["rows"]
    assert (told["columns"], told["above"]) == ([], [])
    assert [(row["number"], row["state"], row["suggested"]) for row in rows] == [
        (1, "probable", None), (2, "probable", marie["id"]), (3, "new", None), (4, "no_name", None),
    ]  # fmt: skip
    assert rows[0]["candidates"] == [marie | {"why": "letters"}]
    assert "has no name" in rows[3]["error"]
    assert club.players.count() == 1


def test_table_is_told_with_the_columns_that_are_read_and_those_that_are_not(director: Client, club: Club) -> None:
    table = "Tournoi du jeudi;;;\nNom Prénom;Licence;Courriel;Série\nde La Tour Ana;0012345;a@example.org;2e série"
    told = director.post("clubs/club/players/read/", {"roster": table})
    assert told["columns"] == [
        {"place": 1, "heading": "Nom Prénom", "kind": "name", "seat": 0},
        {"place": 2, "heading": "Licence", "kind": "licence", "seat": 0},
        {"place": 3, "heading": "Courriel", "kind": None, "seat": 0},
        {"place": 4, "heading": "Série", "kind": "series", "seat": 0},
    ]
    assert (told["above"], told["order"]) == ([{"number": 1, "text": "Tournoi du jeudi"}], "family")
    (row,) = told["rows"]
    read = {"number": 3, "last_name": "de La Tour", "first_name": "Ana", "licence": "0012345", "series": "2"}
    assert row | read | {"ladies": ""} == row


def test_table_with_too_many_columns_is_refused_with_the_bound(director: Client, club: Club) -> None:
    table = ";".join(["Nom", *["x"] * 200]) + "\nDupont" + ";" * 200
    for where in ("clubs/club/players/read/", "clubs/club/players/"):
        error = director.post(where, {"roster": table}, status=422)["error"]
        assert (error["code"], error["params"]) == ("roster_columns", {"most": 200, "found": 201})
    assert club.players.count() == 0


def test_doubts_are_added_with_an_answer_and_refused_without(club: Club, director: Client) -> None:
    (marie,) = director.post("clubs/club/players/", {"last_name": "Dupont", "first_name": "Marie"}, status=201)
    asked = {"roster": "Marie Dupond\nLuc Garnier"}
    error = director.post("clubs/club/players/", asked, status=422)["error"]
    assert (error["code"], error["params"]["line"], club.players.count()) == ("roster_doubt", 1, 1)
    key = error["params"]["key"]
    for answer in ("999999", "nobody"):
        director.post("clubs/club/players/", asked | {"answers": {key: answer}}, status=422)
    found = director.post("clubs/club/players/", asked | {"answers": {key: str(marie["id"])}}, status=201)
    assert names(found) == [("Dupont", "Marie", ""), ("Garnier", "Luc", "")]
    added = director.post("clubs/club/players/", asked | {"answers": {key: "new"}}, status=201)
    assert names(added) == [("Dupond", "Marie", ""), ("Garnier", "Luc", "")]
    assert club.players.count() == 3


def test_tournament_and_sessions_are_created(club: Club, director: Client, stranger: Client) -> None:
    made = director.post("clubs/club/tournaments/", {"name": "Été", "auction": "free"}, status=201)
    assert made | {"id": 0, "sessions": []} == {
        "id": 0, "club": "club", "season": None, "slug": "ete", "name": "Été", "format": "individual",
        "auction": "free", "sessions": [],
    }  # fmt: skip
    session = director.post(f"tournaments/{made['id']}/sessions/", {"date": "2026-11-20"}, status=201)
    assert (session["number"], session["positions"], session["etuis_per_position"]) == (1, 5, 4)
    (listed,) = stranger.get("clubs/club/tournaments/")
    assert listed == stranger.get(f"tournaments/{made['id']}/")
    assert listed["sessions"] == [
        {"id": session["id"], "number": 1, "date": "2026-11-20", "status": "draft", "published": None, "standing": None}
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"date": "20/11/2026"}, "date"),
        ({"positions": 0}, "positions"),
        ({"etuis_per_position": 13}, "etuis_per_position"),
    ],
)
def test_session_of_a_wrong_shape(club: Club, director: Client, change: dict[str, Any], field: str) -> None:
    tournament = make_tournament(club)
    error = director.post(f"tournaments/{tournament.pk}/sessions/", {"date": "2026-11-20"} | change, status=400)[
        "error"
    ]
    assert (error["code"], error["field"], list(error["fields"])) == ("invalid", field, [field])


def test_session_is_edited_until_it_starts(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/"
    assert director("PATCH", path, {"positions": 3})["positions"] == 3
    director.post(f"{path}start/")
    assert director.refused("PATCH", path, {"positions": 4}, status=422) == "session_started"
    assert director.post(f"{path}unstart/")["status"] == "draft"
    assert director("PATCH", path, {"positions": 4, "date": "2027-01-01"})["date"] == "2027-01-01"


@pytest.mark.nightly("process")
def test_settings_that_need_no_other_plan_change_while_the_session_runs(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/"
    director.post(f"{path}start/")
    changes = {"minutes_per_etui": 8, "check_by": "other", "shows_after": "topage", "hidden_positions": 0}
    assert changes.items() <= director("PATCH", path, changes).items()
    assert changes.items() <= director.get(path).items()
    assert session.log.filter(action="edited").count() == 4
    assert director.refused("PATCH", path, {"minutes_per_etui": 7, "positions": 4}, status=422) == "session_started"
    assert director.get(path)["minutes_per_etui"] == 8
    for wrong in ({"minutes_per_etui": 0}, {"check_by": "nobody"}, {"hidden_positions": 61}, {"shows_after": "all"}):
        assert director.refused("PATCH", path, wrong, status=400) == "invalid"


def test_evening_of_a_year_that_no_calendar_has_is_refused(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/"
    error = director("PATCH", path, {"date": "9999-12-31"}, status=422)["error"]
    assert (error["code"], error["field"]) == ("session_year", "date")
    assert director.get(path)["date"] == str(session.date)


@pytest.mark.nightly("story")
def test_tables_of_an_event_of_the_federation_see_nothing_by_the_api_either(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/"
    Tournament.objects.update(federation=True)
    for start in (False, True):
        if start:
            director.post(f"{path}start/")
        error = director("PATCH", path, {"shows_after": "topage", "minutes_per_etui": 8}, status=422)["error"]
        assert (error["code"], error["field"]) == ("federation_shows_nothing", "shows_after")
        assert (director.get(path)["shows_after"], director.get(path)["minutes_per_etui"]) == ("nothing", 9)


def test_settings_of_a_session_in_preparation_are_not_public(stranger: Client, session: Session) -> None:
    shown = stranger.get(f"sessions/{session.pk}/")
    names = ("positions", "minutes_per_etui", "check_by", "shows_after", "hidden_positions")
    assert [shown[name] for name in names] == [None] * 5


def test_entrants_are_seated_in_order_or_seat_by_seat(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/entrants/"
    players = [entrant["player"] for entrant in director.get(path)]
    turned = director.put(path, players[::-1])
    places = [(line, number) for number in range(1, 6) for line in "NESW"]
    assert [(entrant["player"], (entrant["line"], entrant["number"])) for entrant in turned] == list(
        zip(players[::-1], places, strict=True)
    )
    seats = [{"player": entrant["player"], "line": entrant["line"], "number": entrant["number"]} for entrant in turned]
    again = director.put(path, seats[::-1])
    assert [entrant | {"id": 0} for entrant in again] == [entrant | {"id": 0} for entrant in turned]
    assert director.put(path, []) == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ([1, "two"], 400, "invalid"),
        ([True], 400, "invalid"),
        ([2**63], 400, "invalid"),
        ({"players": []}, 400, "invalid"),
        ([{"player": 1, "line": "O", "number": 1}], 400, "invalid"),
        ([999_999_999], 422, "player_unknown"),
    ],
)
def test_entrants_that_cannot_be_seated(
    director: Client, session: Session, body: object, status: int, code: str
) -> None:
    assert director.refused("PUT", f"sessions/{session.pk}/entrants/", body, status=status) == code
    assert session.entrants.count() == 20


def test_same_player_or_seat_twice_is_refused(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/entrants/"
    one, two = [entrant["player"] for entrant in director.get(path)][:2]
    assert director.refused("PUT", path, [one, one], status=422) == "player_twice"
    seats = [{"player": player, "line": "N", "number": 1} for player in (one, two)]
    assert director.refused("PUT", path, seats, status=422) == "seat_twice"


def test_seed_that_a_program_sends_chooses_no_card(director: Client, session: Session) -> None:
    """Check that the site mixes in bytes of its own.

    Otherwise a program could try seeds until it likes the cards.
    """
    path, drawn = f"sessions/{session.pk}/deal-set/", set()
    for _time in range(2):
        director.post(path, {"cards": True, "seed": SEED.hex()}, status=201)
        deal_set = Session.objects.get(pk=session.pk).deal_set
        assert deal_set is not None
        drawn.add((deal_set.seed, deal_set.commitment, deal_set.etuis.values_list("cards", flat=True)[0]))
    assert [len(set(column)) for column in zip(*drawn, strict=True)] == [2, 2, 2]
    assert SEED.hex() not in {seed for seed, _, _ in drawn}


@pytest.mark.nightly("story")
def test_deal_set_answers_the_commitment_and_as_many_etuis_as_the_players_need(
    director: Client, session: Session
) -> None:
    path = f"sessions/{session.pk}/deal-set/"
    made = director.post(path, {"cards": True, "seed": SEED.hex().upper()}, status=201)
    assert made | {"name": "", "commitment": ""} == {
        "name": "", "count": 5, "cards": True, "commitment": "", "sealed_at": None, "warning": "",
    }  # fmt: skip
    assert len(made["commitment"]) == 64
    assert director.get(path) == made
    assert director.post(path, {"cards": True, "count": 12}, status=201)["count"] == 12
    tables_deal = director.post(path, {"cards": False}, status=201)
    assert (tables_deal["cards"], tables_deal["commitment"]) == (False, "")
    director.post(f"sessions/{session.pk}/start/")
    assert director.get(path)["sealed_at"] is not None
    assert director.refused("POST", path, {"cards": True}, status=422) == "session_started"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"cards": True, "count": 0}, 400, "invalid"),
        ({"cards": True, "count": 1000}, 400, "invalid"),
        ({"cards": True, "seed": "abc"}, 422, "seed_digits"),
        ({"cards": True, "seed": "x" * 64}, 422, "seed_digit"),
        ({"cards": False, "seed": SEED.hex()}, 400, "seed_without_cards"),
    ],
)
def test_deal_set_that_cannot_be_made(director: Client, session: Session, body: object, status: int, code: str) -> None:
    before = session.deal_set_id
    assert director.refused("POST", f"sessions/{session.pk}/deal-set/", body, status=status) == code
    session.refresh_from_db()
    assert session.deal_set_id == before


def test_deal_set_wants_players_or_a_count(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/deal-set/"
    Entrant.objects.filter(session=session).delete()
    assert director.refused("POST", path, {"cards": False}, status=422) == "no_players"
    assert director.post(path, {"cards": False, "count": 3}, status=201)["count"] == 3


def test_deal_set_has_as_many_etuis_as_the_plan_takes(director: Client, session: Session) -> None:
    """Check that 12 players in 5 positions of 4 étuis get 20 étuis, and not 12.

    Where a director may choose a plan, the set is refused until they have chosen.
    """
    path = f"sessions/{session.pk}/"
    players = [entrant["player"] for entrant in director.get(f"{path}entrants/")]
    director.put(f"{path}entrants/", players[:12])
    director("PATCH", path, {"etuis_per_position": 4, "positions": 5})
    Session.objects.filter(pk=session.pk).update(deal_set=None)
    assert director.refused("POST", f"{path}deal-set/", {"cards": False}, status=422) == "plan_to_choose"
    assert director.refused("GET", f"{path}deal-set/", status=422) == "no_deal_set_nor_plan"
    director.put(f"{path}plan/", {"choice": 0, "players": 12})
    assert director.get(f"{path}deal-set/", status=422)["error"]["params"] == {"needed": 20}
    assert director.post(f"{path}deal-set/", {"cards": False}, status=201)["count"] == 20


@pytest.mark.nightly("story")
def test_etuis_are_added_from_the_seed_of_the_set(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/deal-set/"
    made = director.post(path, {"cards": True}, status=201)
    director.post(f"sessions/{session.pk}/start/")
    sealed = director.get(path)["sealed_at"]
    assert director("PATCH", path, {"count": 8}) == made | {"count": 8, "sealed_at": sealed}
    assert director("PATCH", path, {"count": 8})["count"] == 8
    assert director.refused("PATCH", path, {"count": 0}, status=400) == "invalid"


def test_session_without_etuis_says_how_many_it_needs(director: Client, session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(deal_set=None)
    error = director.get(f"sessions/{session.pk}/deal-set/", status=422)["error"]
    assert (error["code"], error["params"]) == ("no_deal_set", {"needed": 5})
    assert director.refused("POST", f"sessions/{session.pk}/start/", status=422) == "no_deal_set"


@pytest.mark.nightly("story")
def test_start_is_done_once_and_undone_while_nothing_is_entered(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/"
    first = director.post(f"{path}start/")
    assert first["progress"]["plays"] == 25
    assert director.post(f"{path}start/")["started_at"] == first["started_at"]
    assert director.post(f"{path}unstart/")["progress"] is None
    director.post(f"{path}start/")
    (play, *_rest) = director.get(f"{path}plays/")
    director.post(f"plays/{play['id']}/result/", {"base_score": 60}, status=201)
    assert director.refused("POST", f"{path}unstart/", status=422) == "results_depend_on_start"


def test_start_that_leaves_a_choice_names_the_number_of_players(director: Client, club: Club) -> None:
    session = draft_session(make_tournament(club), tables=5)
    session.entrants.filter(line="W", number=5).delete()
    error = director.post(f"sessions/{session.pk}/start/", status=422)["error"]
    assert (error["code"], error["field"], error["params"]) == ("plan_to_choose", "plan", {"count": 19})


def test_rules_of_a_tournament_are_changed_and_what_cannot_be_is_refused(
    club: Club, director: Client, stranger: Client
) -> None:
    path = f"tournaments/{make_tournament(club).pk}/rules/"
    several = {"counting": "sum", "best_of": None, "least_sessions": 1, "carry_over": None}
    usual = {"least_share": 50, "substitutes_ranked": True, "ties": [], "window_hours": 48, **several}
    usual |= {"meeting": "league", "win_points": 2, "draw_points": 1, "drops_worst": False}
    assert stranger.get(path) == usual
    changed = director("PATCH", path, {"least_share": 0, "ties": ["attack", "draw"]})
    assert changed == usual | {"least_share": 0, "ties": ["attack", "draw"]} == stranger.get(path)
    for wrong in ({"least_share": 101}, {"ties": ["height"]}, {"window_hours": -1}, {"coefficient": 0}):
        director.refused("PATCH", path, wrong, status=400)
    assert director.refused("PATCH", path, {"ties": ["tops", "tops"]}, status=422) == "ties_twice"
    assert stranger.get(path) == changed


def test_entrants_cost_the_same_with_stand_ins_for_all(
    director: Client, club: Club, django_assert_num_queries: Any
) -> None:
    session = draft_session(make_tournament(club))
    stand_ins = add_players(club=club, lines=[RosterLine(f"Remplaçant{number}", "Léa") for number in range(20)])
    for entrant, stand_in in zip(session.entrants.all(), stand_ins, strict=True):
        session.entrants.filter(pk=entrant.pk).update(stand_in=stand_in, stand_in_from=2)
    with django_assert_num_queries(3):
        told = director.get(f"sessions/{session.pk}/entrants/")
    assert all(" / Léa Remplaçant" in row["name"] for row in told)
