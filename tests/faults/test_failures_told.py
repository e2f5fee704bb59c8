"""A database that answers with errors: pages, API and log name the fault, each kind with its own message."""

import json

import pytest
from django.db import connection

from tests.evenings.tables.phones import tokens_of
from tests.factories import make_director, started_session
from tournaments.failures import CONFLICT, DAMAGED, FULL, NOT_MIGRATED, READ_ONLY
from tournaments.models import TableToken

pytestmark = pytest.mark.nightly("process")

# The messages of PostgreSQL, raised by a function in a view.
CODES = {"53100": FULL, "40P01": CONFLICT, "40001": CONFLICT, "25006": READ_ONLY, "XX001": DAMAGED}
FRENCH = {
    FULL: "Le disque de la base de données est plein",
    CONFLICT: "Quelqu’un d’autre enregistrait au même moment",
    READ_ONLY: "Le site ne peut pas écrire dans sa base de données",
    DAMAGED: "La base de données est abîmée",
    NOT_MIGRATED: "La base de données n’est pas prête pour cette version du site",
}


@pytest.fixture
def site(transactional_db, serve, postgres_server):
    session = started_session()
    make_director(session.tournament.club)  # otherwise the site asks for its first club
    tokens_of(session)
    return serve(DATABASE_URL=postgres_server.url(connection.settings_dict["NAME"]))


def execute(*statements):
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.fixture
def _clubs_aside(site):
    execute("ALTER TABLE clubs_club RENAME TO clubs_aside")
    yield
    execute(
        "DROP VIEW IF EXISTS clubs_club",
        "DROP FUNCTION IF EXISTS fail",
        "ALTER TABLE clubs_aside RENAME TO clubs_club",
    )


def told(site):
    """Return the messages to a page, to a program in English and to a table's phone."""
    table = f"/t/{TableToken.objects.first().token}/state/?device=telephone"
    page, program, phone = site.get("/"), site.get("/api/v1/clubs/", **{"Accept-Language": "en"}), site.get(table)
    assert {page[0], program[0], phone[0]} == {503}
    errors = [json.loads(text)["error"] for _status, text in (program, phone)]
    return page[1], errors[0]["message"], {error["code"] for error in errors}


@pytest.mark.usefixtures("_clubs_aside")
def test_page_program_and_log_are_told_what_is_wrong_with_the_database(site):
    answers = {NOT_MIGRATED: told(site)}
    execute(
        "CREATE FUNCTION fail() RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END'",
        "CREATE VIEW clubs_club AS SELECT * FROM clubs_aside WHERE fail()",
    )
    for code, failure in CODES.items():
        raising = f"'BEGIN RAISE EXCEPTION USING ERRCODE = ''{code}'', MESSAGE = ''as told''; END'"
        execute(f"CREATE OR REPLACE FUNCTION fail() RETURNS boolean LANGUAGE plpgsql AS {raising}")
        answers[failure] = told(site)
    log = site.child.log.read_text()
    for failure, (page, message, codes) in answers.items():
        assert (codes, message) == ({failure.code}, f"{failure.title}. {failure.advice}")
        assert f"<h1>{FRENCH[failure]}</h1>" in page
        assert failure.title in page
        assert log.count(failure.logged) >= 3
    assert "did not answer" not in log
