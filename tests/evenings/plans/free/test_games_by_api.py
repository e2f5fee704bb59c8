"""The games of an evening of donnes libres by the API: its settings, the next game, closing, undoing, its queries."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.throttling import ScopedRateThrottle

from clubs.models import Club
from tests.api.conftest import Client, club, director
from tests.factories import draft_session, make_tournament
from tests.free_evenings import draft_free_session, make_free_tournament, seats_in, start_free_session
from tournaments.models import Session

__all__ = ["club", "director"]

pytestmark = pytest.mark.django_db
READING = 12  # the queries of one reading, from the account to the proposal


@pytest.fixture
def session(club: Club) -> Session:
    """Return a running session of 13 players and three games, of which the first one is seated."""
    session: Session = start_free_session(13, tournament=make_free_tournament(club))
    return session


def path_of(session: Session, *parts: object) -> str:
    return "".join([f"sessions/{session.pk}/games/", *(f"{part}/" for part in parts)])


def test_a_tournament_of_donnes_libres_and_its_settings_are_made(club: Club, director: Client) -> None:
    made = director.post(
        f"clubs/{club.slug}/tournaments/", {"name": "Donnes libres", "format": "donnes_libres"}, status=201
    )
    assert (made["format"], made["auction"]) == ("donnes_libres", "free")
    session = draft_free_session(13, tournament=make_free_tournament(club))
    changed = {"odd_tables": "mort", "seating": "draw", "five_weight": "1.37"}
    answer = director("PATCH", path_of(session), changed)
    assert answer["settings"] | {"three_weight": "1.00"} == {
        "seating": "draw",
        "odd_tables": "mort",
        "fits_deals": False,
        "three_weight": "1.00",
        "five_weight": "1.37",
    }
    assert (answer["seated"], answer["next"], answer["games"]) == ([], None, 3)


@pytest.mark.parametrize("wrong", [{"odd_tables": "six"}, {"five_weight": "0"}, {"seating": ""}, {"fits_deals": "x"}])
def test_a_wrong_setting_is_refused(club: Club, director: Client, wrong: Any) -> None:
    session = draft_free_session(13, tournament=make_free_tournament(club))
    assert director.refused("PATCH", path_of(session), wrong, status=400)


@pytest.mark.nightly("process")
def test_settings_are_fixed_after_the_start_and_absent_with_etuis(session: Session, director: Client) -> None:
    assert director.refused("PATCH", path_of(session), {"seating": "draw"}, status=422)
    other = draft_session(make_tournament(session.tournament.club))
    assert director.refused("PATCH", path_of(other), {"seating": "draw"}, status=422) == "no_free_deals"
    assert (director.get(path_of(other))["seated"], director.get(path_of(other))["next"]) == ([], None)


@pytest.mark.nightly("story")
def test_the_next_game_is_proposed_changed_by_hand_taken_and_undone(session: Session, director: Client) -> None:
    before = director.get(path_of(session))
    assert [game["game"] for game in before["seated"]] == [1]
    assert {row["results"] for row in before["next"]["missing"]} == {4}
    tables = [row["people"] for row in before["next"]["tables"]]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    taken = director.put(path_of(session, 2), {"tables": tables})
    assert director.put(path_of(session, 2), {"tables": tables}) == taken
    assert [row["people"] for row in taken["seated"][1]["tables"]] == tables
    assert {number: list(people) for number, people in seats_in(session, 2).items()} == dict(enumerate(tables, start=1))
    for _again in range(2):
        director("DELETE", path_of(session, 2), status=204)
    assert session.plays.filter(position=2).count() == 0
    assert len(director.put(path_of(session, 2), {})["seated"]) == 2


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("game", "body", "code"),
    [
        (2, {"tables": [[1, 2, 3]]}, "tables_not_whole"),
        (2, {"tables": [[1, 1, 1, 1]]}, "tables_not_whole"),
        (2, {"tables": []}, "tables_not_whole"),
        (3, {}, "game_not_next"),
        (9, {}, "game_not_next"),
    ],
)
def test_a_game_that_cannot_be_seated_is_refused(
    session: Session, director: Client, game: int, body: Any, code: str
) -> None:
    assert director.refused("PUT", path_of(session, game), body, status=422) == code
    assert session.plays.filter(position__gt=1).count() == 0


@pytest.mark.nightly("story")
def test_a_game_is_closed_and_its_deals_expected_again(session: Session, director: Client) -> None:
    path = path_of(session, 1, "closing")
    assert [director.put(path)["deals"] for _again in range(2)] == [16, 0]
    assert [director("DELETE", path)["deals"] for _again in range(2)] == [16, 0]
    assert director.refused("PUT", path_of(session, 2, "closing"), None, status=422) == "game_not_seated"


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("people", [13, 61])
def test_reading_the_games_takes_as_many_queries_in_any_hall(club: Club, director: Client, people: int) -> None:
    session = start_free_session(people, tournament=make_free_tournament(club))
    with CaptureQueriesContext(connection) as asked:
        director.get(path_of(session))
    assert len(asked) == READING


@pytest.mark.nightly("story")
def test_proposals_have_a_throttle(session: Session, director: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"games": "2/min"})
    for _time in range(2):
        director.get(path_of(session))
    assert director.refused("GET", path_of(session), status=429) == "throttled"
    assert director.refused("PUT", path_of(session, 2), {}, status=429) == "throttled"
    assert session.plays.filter(position=2).count() == 0
