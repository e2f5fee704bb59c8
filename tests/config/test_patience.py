"""The error of a query that the database did not answer: it keeps no cursor, and users get a message."""

import gc
import weakref

import psycopg
import pytest
from django.db import connection
from django.db.utils import DatabaseErrorWrapper, OperationalError

from api.errors import exception_handler
from clubs.accounts import founding
from config.patience import tell_failure
from tournaments.failures import SILENT

ANSWERS = {
    "page": lambda request, error: tell_failure(request, error, SILENT),
    "API": lambda request, error: exception_handler(error, {"request": request}),
}


class Cursor:
    """A cursor whose statement would keep a SQLite database open while anything refers to it."""


def ask_in_vain():
    cursor = Cursor()
    held.append(weakref.ref(cursor))
    with DatabaseErrorWrapper(connection):
        raise psycopg.OperationalError("database is locked")


held = []


@pytest.fixture
def _nothing_collected():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_nothing_collected")
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_cursor_of_a_question_in_vain_is_given_up_with_its_answer(answer, rf):
    request = rf.get("/")
    request.resolver_match = None
    with pytest.raises(OperationalError) as raised:
        ask_in_vain()
    assert held[-1]() is not None
    assert answer(request, raised.value).status_code == 503
    assert held[-1]() is None


ASKED = {
    "API": ("/api/v1/clubs/", {}, "application/json"),
    "program": ("/", {"Accept": "application/json"}, "application/json"),
    "browser": ("/", {"Accept": "text/html,*/*"}, "text/html; charset=utf-8"),
}


@pytest.mark.parametrize("asked", ASKED)
def test_whoever_asks_is_told_in_their_way_of_a_failure_before_the_view(asked, db, client, monkeypatch):
    path, headers, kind = ASKED[asked]
    client.raise_request_exception = False
    monkeypatch.setattr(founding, "is_over", fail)
    founding.over.clear()
    answer = client.get(path, headers={"Accept-Language": "en"} | headers)
    assert (answer.status_code, answer["Content-Type"], answer["Retry-After"]) == (503, kind, "5")
    if kind == "application/json":
        error = {"code": SILENT.code, "field": "", "message": f"{SILENT.title}. {SILENT.advice}", "params": {}}
        assert answer.json() == {"error": error}
    else:
        assert SILENT.title in answer.content.decode()


def fail():
    raise OperationalError("the database is silent")
