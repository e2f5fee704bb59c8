"""A publication by the API: the status of a ranking, what readers see of it, the changes between versions."""

import datetime as dt

import pytest
from django.utils import timezone

from clubs.models import Club
from tests.api.conftest import V1, Client
from tests.factories import make_tournament, published_session
from tournaments.models import Publication, Session

Door = str


@pytest.fixture
def session(club: Club, director: Client) -> Session:
    return published_session(make_tournament(club), by=director.user, cards=True)


@pytest.fixture
def door(session: Session) -> Door:
    return f"sessions/{session.pk}/publications/"


def correct(director: Client, session: Session, score: int) -> None:
    play = session.plays.earliest("pk")
    version = play.entries.latest("version").version
    body = {"base_score": score, "reason": "relu", "seen_version": version}
    director.put(f"plays/{play.pk}/result/", body)


@pytest.mark.nightly("story")
def test_ranking_becomes_official_is_reopened_taken_back_and_published_again(
    director: Client, stranger: Client, door: Door
) -> None:
    assert stranger.get(f"{door}latest/")["status"] == "provisional"
    assert director.refused("POST", f"{door}reopen/", {"reason": "x"}, status=422) == "ranking_not_official"
    official = director.post(f"{door}official/", {}, status=200)
    assert (official["version"], official["status"], official["official_from"]) == (2, "official", None)
    assert director.refused("POST", f"{door}reopen/", {}, status=400) == "invalid"
    assert director.post(f"{door}reopen/", {"reason": "table 3"}, status=200)["status"] == "provisional"
    assert stranger.get(f"{door}latest/")["reason"] == "table 3"
    assert director.post(f"{door}withdraw/", {"reason": "mêlée"}, status=200)["status"] == "withdrawn"
    for version in ("latest", "1", "4"):
        assert stranger.refused("GET", f"{door}{version}/", status=404) == "withdrawn"
    assert [each["status"] for each in stranger.get(door)] == ["withdrawn", "provisional", "official", "provisional"]
    director.post(door, {}, status=201)
    assert stranger.get(f"{door}latest/")["version"] == 5


@pytest.mark.nightly("story")
def test_correction_of_an_official_ranking_wants_a_reason_and_is_told(
    director: Client, stranger: Client, door: Door, session: Session
) -> None:
    director.post(f"{door}official/", {}, status=200)
    correct(director, session, 200)
    correct(director, session, -300)
    assert director.refused("POST", door, {}, status=422) == "reason_missing"
    told = director.post(door, {"reason": "étui 1 relu"}, status=201)
    assert (told["version"], told["status"], told["reason"]) == (3, "provisional", "étui 1 relu")
    newest, *_rest = stranger.get(door)
    assert newest["changes"][0]["code"] == "score"
    assert newest["changes"][0]["text"].endswith("became −300")


@pytest.mark.nightly("story")
def test_each_part_is_switched_alone(director: Client, stranger: Client, door: Door, session: Session) -> None:
    entrant = session.entrants.earliest("pk").pk
    everything = stranger.get(f"{door}latest/")
    assert everything["shows"] == dict.fromkeys(("ranking", "etuis", "cards", "feuilles"), True)
    assert director("PATCH", f"{door}shows/", {"cards": False})["cards"] is False
    assert {etui["cards"] for etui in stranger.get(f"{door}latest/")["etuis"]} == {""}
    director("PATCH", f"{door}shows/", {"ranking": False})
    told = stranger.get(f"{door}1/")
    assert {(player["rank_general"], player["overall"]) for player in told["players"]} == {(None, None)}
    assert stranger.get(f"sessions/{session.pk}/entrants/{entrant}/")["player"]["rank_general"] is None
    director("PATCH", f"{door}shows/", {"feuilles": False, "etuis": False})
    assert stranger.get(f"{door}latest/")["etuis"] == []
    assert stranger.refused("GET", f"sessions/{session.pk}/entrants/{entrant}/", status=404) == "part_not_shown"
    assert stranger.get(f"{door}shows/") == dict.fromkeys(("ranking", "etuis", "cards", "feuilles"), False)


def test_switch_makes_another_etag(director: Client, stranger: Client, door: Door) -> None:
    tag = stranger.client.get(f"{V1}{door}latest/")["ETag"]
    director("PATCH", f"{door}shows/", {"cards": False})
    again = stranger.client.get(f"{V1}{door}latest/", headers={"if-none-match": tag})
    assert (again.status_code, again["ETag"] == tag) == (200, False)


def test_session_is_published_with_its_switches(director: Client, stranger: Client, door: Door) -> None:
    director.post(door, {"shows": {"etuis": False}}, status=200)
    assert stranger.get(f"{door}latest/")["shows"]["etuis"] is False


def test_first_look_after_the_window_makes_it_official(stranger: Client, door: Door) -> None:
    Publication.objects.update(official_from=timezone.now() - dt.timedelta(hours=1))
    assert stranger.get(f"{door}latest/")["status"] == "official"
    assert len(stranger.get(door)) == 2
