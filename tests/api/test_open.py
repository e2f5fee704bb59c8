"""The answers that scripts on other sites may read: all that is open to everybody, nothing that needs an account."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client

from api.public.schema import OpenMiddleware, is_open
from api.urls import urlpatterns
from tests import shared_evenings
from tests.api.conftest import V1

pytestmark = pytest.mark.django_db
ELSEWHERE = {"origin": "https://club.example"}
STAR = "Access-Control-Allow-Origin"


session = shared_evenings.published


def ask(path, method="get", **headers):
    return getattr(Client(), method)(f"{V1}{path}", headers=ELSEWHERE | headers)


OPEN = ("rankings/", "sessions/", "clubs/", "sessions/{pk}/publications/latest/", "score/rules/", "search/?q=zoe")
CLOSED = ("sessions/{pk}/standings/", "sessions/{pk}/plays/", "sessions/{pk}/requests/", "clubs/club/players/")


@pytest.mark.parametrize("path", OPEN)
def test_every_site_may_read_what_is_open(session, path):
    answer = ask(path.format(pk=session.pk))
    assert (answer.status_code, answer[STAR]) == (200, "*")
    assert "ETag" in answer["Access-Control-Expose-Headers"]
    assert not answer.has_header("Access-Control-Allow-Credentials")


@pytest.mark.parametrize("path", OPEN[:4])
def test_who_has_it_already_is_told_so_too(session, path):
    path = path.format(pk=session.pk)
    answer = ask(path, **{"if-none-match": ask(path)["ETag"]})
    assert (answer.status_code, answer[STAR]) == (304, "*")


@pytest.mark.parametrize(
    ("path", "status"), [("sessions/999999/publications/latest/", 404), ("sessions/?limit=x", 400)]
)
def test_errors_are_read_too(session, path, status):
    answer = ask(path)
    assert (answer.status_code, answer[STAR]) == (status, "*")
    assert "error" in answer.json()


def test_a_failed_database_is_read_too(monkeypatch):
    def fail(_self):
        raise OperationalError("could not connect to server: Connection refused")

    monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", fail)
    answer = ask("rankings/")
    assert (answer.status_code, answer[STAR]) == (503, "*")


@pytest.mark.parametrize(("path", "star"), [("rankings/", "*"), ("sessions/1/standings/", None), ("unknown/", None)])
def test_an_error_before_the_address_is_looked_up_is_read_too(rf, path, star):
    answer = OpenMiddleware(lambda _request: HttpResponse(status=503))(rf.get(f"{V1}{path}"))
    assert answer.get(STAR) == star


@pytest.mark.parametrize("path", CLOSED)
def test_nobody_reads_what_wants_an_account(session, path):
    answer = ask(path.format(pk=session.pk))
    assert answer.status_code in (401, 403)
    assert not answer.has_header(STAR)


def test_nothing_is_written_from_elsewhere(session):
    for method in ("post", "put", "patch", "delete", "options"):
        assert not ask("clubs/", method).has_header(STAR), method


def test_no_page_is_read_from_elsewhere(session):
    for path in ("/", "/rules/", "/login/", f"/clubs/club/tournaments/{session.tournament.slug}/1/ranking/"):
        assert not Client().get(path, headers=ELSEWHERE).has_header(STAR), path


def test_open_addresses_are_those_that_strangers_may_get():
    class Asked:
        path_info = ""

        def __init__(self, view):
            self.resolver_match = SimpleNamespace(func=view)

    open_names = {each.name for each in urlpatterns if is_open(Asked(each.callback))}
    assert {"api_rankings", "api_latest", "api_search", "api_career", "api_schema", "api_clubs"} <= open_names
    assert open_names.isdisjoint(
        {"api_plays", "api_standings", "api_requests", "api_token", "api_score", "api_players"}
    )
