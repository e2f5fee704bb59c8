"""The seasons of a club and the settings of a tournament, by the API."""

import pytest

from clubs.models import Club, Season
from tests.api.conftest import Client
from tests.factories import make_club, make_tournament, started_session

PATH = "clubs/club/seasons/"
GIVEN = {"name": "2026-2027", "starts_on": "2026-09-01", "ends_on": "2027-08-31"}


def test_season_is_made_changed_and_deleted(club: Club, director: Client) -> None:
    made = director.post(PATH, GIVEN, status=201)
    assert made | {"id": 0} == GIVEN | {"id": 0}
    longer = GIVEN | {"name": "Saison d’été", "ends_on": "2027-09-15"}
    assert director.put(f"{PATH}{made['id']}/", longer) == longer | {"id": made["id"]}
    assert director.get("clubs/club/")["seasons"] == [longer | {"id": made["id"]}]
    director("DELETE", f"{PATH}{made['id']}/", status=204)
    assert not club.seasons.exists()


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        (GIVEN, 422, "season_name_taken", "name"),
        (GIVEN | {"name": "x", "ends_on": "2026-08-31"}, 422, "season_ends_first", "ends_on"),
        (GIVEN | {"ends_on": "demain"}, 400, "invalid", "ends_on"),
        (GIVEN | {"name": ""}, 400, "invalid", "name"),
    ],
)
def test_season_that_cannot_be_is_refused(
    club: Club, director: Client, body: dict[str, str], status: int, code: str, field: str
) -> None:
    director.post(PATH, GIVEN, status=201)
    error = director.post(PATH, body, status=status)["error"]
    assert (error["code"], error["field"], club.seasons.count()) == (code, field, 1)


def test_tournament_is_renamed_and_put_into_a_season_of_its_own_club_alone(club: Club, director: Client) -> None:
    tournament = make_tournament(club, name="Été")
    path = f"tournaments/{tournament.pk}/"
    season = director.post(PATH, GIVEN, status=201)["id"]
    told = director("PATCH", path, {"name": "Hiver", "season": season, "auction": "free"})
    assert (told["name"], told["slug"], told["season"], told["auction"]) == ("Hiver", "ete", season, "free")
    foreign = Season.objects.create(club=make_club("autre"), **GIVEN)
    assert director("PATCH", path, {"season": foreign.pk}, status=422)["error"]["code"] == "season_unknown"
    assert director("DELETE", f"{PATH}{season}/", status=422)["error"]["code"] == "season_used"
    assert director("PATCH", path, {"season": None})["season"] is None
    started_session(tournament)
    error = director("PATCH", path, {"auction": "imposed"}, status=422)["error"]
    assert (error["code"], error["field"]) == ("contract_is_played", "auction")
    assert director.get(path)["auction"] == "free"


def test_evenings_of_every_week_are_made_once(club: Club, director: Client) -> None:
    path = f"tournaments/{make_tournament(club).pk}/sessions/weekly/"
    asked = {"date": "2027-01-08", "until": "2027-01-23", "positions": 6}
    made = director.post(path, asked, status=201)
    told = [(each["number"], each["date"], each["positions"]) for each in made]
    assert told == [(1, "2027-01-08", 6), (2, "2027-01-15", 6), (3, "2027-01-22", 6)]
    assert director.post(path, asked, status=201) == []
    error = director.post(path, asked | {"until": "2029-01-01"}, status=422)["error"]
    assert (error["code"], error["params"]["most"]) == ("too_many_weeks", 60)


def test_player_s_series_and_ladies_ranking_are_kept_and_taken_back(club: Club, director: Client) -> None:
    (added,) = director.post("clubs/club/players/", {"last_name": "Dupont", "licence": "12"}, status=201)
    path = f"clubs/club/players/{added['id']}/"
    told = director("PATCH", path, {"series": "promotion", "ladies": "ladies"})
    assert (told["series"], told["ladies"], told["category"], told["licence"]) == ("promotion", "ladies", "", "12")
    assert director("PATCH", path, {"series": ""}) == told | {"series": ""} == director.get(path)
    assert director("PATCH", path, {"series": "5"}, status=400)["error"]["field"] == "series"
    director("PATCH", "clubs/club/players/999999/", {"series": "1"}, status=404)
