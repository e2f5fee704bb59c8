"""The requests that are generated from the schema of the API: none makes the server fail."""

import datetime as dt
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from rest_framework.throttling import ScopedRateThrottle
from schemathesis import Case
from schemathesis.generation import GenerationMode

from clubs.models import Club, User
from rankings.careers.keeping import refresh
from rooms.classic.halls import find_halls
from rooms.classic.sitting import take_seat
from rooms.models import RoomKind
from rooms.opening import Departure, join_room, make_room
from rooms.visitors.guests import ensure_visitor
from tests.api.conftest import V1, Client, schema
from tests.evenings.requests.world import Four
from tests.examples import draw_examples
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session, started_session
from tests.world import make_field_of

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("statistics")]
HOUR = dt.timedelta(hours=1)
BUDGET = draw_examples(12, database=None, suppress_health_check=list(HealthCheck))
OPERATIONS = [
    (path, method.upper())
    for path, methods in schema().raw_schema["paths"].items()
    for method in methods
    if method != "parameters"
]
BEFORE_THE_START = {
    ("PATCH", f"{V1}sessions/{{id}}/"),
    ("PUT", f"{V1}sessions/{{id}}/entrants/"),
    ("POST", f"{V1}sessions/{{id}}/deal-set/"),
    ("POST", f"{V1}sessions/{{id}}/start/"),
}
OPEN = [
    (path, method)
    for path, method in OPERATIONS
    if {} in schema().raw_schema["paths"][path][method.lower()].get("security", [{}])
]


@pytest.fixture(scope="module")
def club(rows_of_the_file: None) -> Club:
    return make_club()


@pytest.fixture(scope="module")
def director(club: Club) -> Client:
    return Client(make_director(club))


@pytest.fixture(scope="module")
def places(club: Club, director: Client) -> dict[str, dict[str, int | str]]:
    """Return path parameters that exist, by the first part of the path. `draft` is for a session in preparation."""
    published = published_session(make_tournament(club), tables=1, positions=1, by=director.user)
    asked = Four(published).ask()
    refresh(published.pk)
    one, other = published.entrants.order_by("pk").values_list("player", flat=True)[:2]
    field = make_field_of(club, published, by=director.user)
    running = started_session(make_tournament(club), tables=1, positions=1)
    return {
        "clubs": {
            "slug": club.slug,
            "usual": 1,
            "season": 1,
            "player": one,
            "series": "challenge",
            "simultaneous": field["field"],
            "version": 1,
            "etui": field["field_etui"],
            "entrant": field["field_entrant"],
        },
        "tournaments": {"version": 1, "id": running.tournament_id, "group": 1, "team": 1, "member": 1},
        "sessions": {
            "team": 1,
            "id": published.pk,
            "version": 1,
            "etui": 1,
            "penalty": 1,
            "asked": asked.pk,
            "entrant": asked.entrant_id,
            "player": one,
            "game": 1,
        },
        "players": {"id": one, "other": other},
        "draft": {"id": draft_session(make_tournament(club), tables=1, positions=1).pk},
        "plays": {"id": running.plays.earliest("pk").pk},
        "rooms": {"id": join_room_of(director.user), "etui": 1, "table": sit_down_for_four(director.user)},
    }


def join_room_of(user: User) -> int:
    """Return the id of an open room in which the account has a table."""
    now = timezone.now()
    room = make_room(Departure(RoomKind.HALF, now, now + HOUR, 2), now=now)
    join_room(room_id=room.pk, visitor=ensure_visitor(account=user, name="Ada", now=now), now=now)
    return room.pk


def sit_down_for_four(user: User) -> int:
    """Return the id of a table for four at which the account sits, in a hall that is open now."""
    now = timezone.now()
    visitor = ensure_visitor(account=user, name="Ada", now=now)
    return take_seat(room_id=find_halls(now)[0].pk, visitor=visitor, now=now).pk


@pytest.fixture(autouse=True)
def with_rooms(settings: Any) -> None:
    settings.ROOMS = True


def throw(client: Client, path: str, method: str, places: dict[str, dict[str, Any]]) -> None:
    """Send requests that the schema allows and some that it does not. `Client` holds each answer against the schema."""
    operation = schema()[path][method]
    kind = "draft" if (method, path) in BEFORE_THE_START else path.removeprefix(V1).partition("/")[0]
    where = path.format(**places.get(kind, {}))

    @BUDGET
    @given(st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode)))
    def each(case: Case) -> None:
        body = case.body if isinstance(case.body, dict | list | str | int | float | bool | None) else None
        client.send(method, where, body, query=urlencode(case.query or {}))

    each()


@pytest.fixture
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        ScopedRateThrottle,
        "THROTTLE_RATES",
        dict.fromkeys(("token", "score", "plans", "search", "games", "rooms", "rooms-play"), "1000/min"),
    )


@pytest.mark.parametrize(("path", "method"), OPEN)
def test_no_request_of_a_stranger_breaks_an_open_door(
    stranger: Client, places: dict[str, Any], unthrottled: None, path: str, method: str
) -> None:
    throw(stranger, path, method, places)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_no_request_of_a_director_breaks_a_door(
    director: Client, places: dict[str, Any], unthrottled: None, path: str, method: str
) -> None:
    throw(director, path, method, places)
