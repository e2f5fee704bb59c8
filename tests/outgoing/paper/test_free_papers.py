"""The papers of an evening at which the tables deal: a PDF in both languages, from the seats alone."""

from dataclasses import replace

import pytest
from django.test import Client

from outgoing.paper.free import LAYOUTS, PaperChoice, find_shown_tables, list_people, read_free_evening
from pages.desk.papers.documents import FREE_DOCUMENTS, REPORT
from pages.doors import session_url
from tests.factories import make_director
from tests.free_evenings import lay_out_tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return lay_out_tables([4, 3, 5], games=3, deals=4, seated=2)


@pytest.fixture
def desk(session):
    client = Client()
    client.force_login(make_director(session.tournament.club))
    return client


def pdf_of(desk, session, document, language="en", **more):
    answer = desk.get(
        session_url("prints_pdf", session), {"document": document, **more}, headers={"accept-language": language}
    )
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf"), document
    return answer.content


def test_every_document_is_offered(session, desk):
    assert {each.code for each in FREE_DOCUMENTS} - {REPORT.code} == set(LAYOUTS)
    page = desk.get(session_url("prints", session)).content.decode()
    assert all(f"document={each.code}" in page for each in FREE_DOCUMENTS)


@pytest.mark.nightly("print")
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("code", LAYOUTS)
def test_document_is_a_pdf(session, desk, code, language):
    assert pdf_of(desk, session, code, language).startswith(b"%PDF")


def test_seats_are_those_of_the_newest_game_unless_another_is_asked_for(session):
    evening = read_free_evening(session)
    assert [position.number for position in evening.positions] == [1, 2]
    for game, expected in ((0, 2), (1, 1), (7, 2)):
        _layout, data = LAYOUTS["tables"](evening, PaperChoice(game=game if game in (1, 2) else 0))
        assert data["title"].endswith(str(expected))
        seated = [player["name"] for table in data["tables"] for player in table["players"]]
        assert len(seated) == len(set(seated)) == 12


def test_sheet_has_a_column_for_each_player_and_a_row_for_each_deal(session):
    _layout, data = LAYOUTS["sheets"](read_free_evening(session), PaperChoice(game=1))
    assert [len(form["players"]) for form in data["forms"]] == [4, 3, 5]
    assert [[deal["dealer"] for deal in form["deals"]] for form in data["forms"]] == [
        ["N", "W", "S", "E"],
        ["N", "S", "E", "N"],
        ["N", "F", "W", "S"],
    ]


def test_evening_is_read_in_few_queries(session, django_assert_num_queries):
    session.tournament.club  # noqa: B018
    with django_assert_num_queries(3):
        read_free_evening(session)


def test_list_of_people_has_the_seat_of_each_and_a_dash_for_who_has_none(session):
    evening = read_free_evening(session)
    _, told = list_people(evening, PaperChoice())
    seated = {row["listed"]: (row["table"], row["seat"]) for row in told["players"]}
    _, tables = find_shown_tables(evening, 0)
    expected = {who.listed: (str(one.table), seat) for one in tables for seat, who in one.seats.items()}
    assert {name: place for name, place in seated.items() if name in expected} == expected
    assert len(expected) == len(seated) == 12
    _, told = list_people(replace(evening, positions=()), PaperChoice())
    assert {(row["table"], row["seat"]) for row in told["players"]} == {("–", "")}
