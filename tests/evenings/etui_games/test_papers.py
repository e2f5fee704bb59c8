"""The papers with étuis for three or five: each is a PDF, and sheets name the étuis with their dealers."""

import pytest
from django.urls import reverse

from outgoing.paper.free import PaperChoice, list_sheets, read_free_evening
from pages.desk.papers.documents import list_documents
from pages.doors import session_url
from scoring.formats import find_format
from tests.etui_games import publish_evening
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def evening(request):
    return publish_evening(request.param, 3)


@pytest.mark.nightly("print")
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_document_is_a_pdf(evening, language):
    session, by = evening
    browser = browser_of(by)
    documents = list_documents(find_format(session.tournament.format), published=True)
    assert {"people", "tables", "guides", "sheets", "labels", "report", "feuilles"} <= {each.code for each in documents}
    for document in documents:
        answer = browser.get(
            session_url("prints_pdf", session), {"document": document.code}, headers={"accept-language": language}
        )
        assert (answer.status_code, answer.content[:4]) == (200, b"%PDF"), document.code


@pytest.mark.nightly("print")
def test_page_of_papers_speaks_of_positions(evening):
    session, by = evening
    for language, game in (("en", "game"), ("fr", "partie")):
        page = browser_of(by).get(session_url("prints", session), headers={"accept-language": language})
        told = page.content.decode().split("<main", 1)[1].split("</main>")[0]
        assert "position" in told
        assert game not in told, language


def test_sheets_have_the_numbers_and_dealers_of_the_etuis(evening):
    session, _by = evening
    dealers = dict(session.deal_set.etuis.values_list("number", "dealer"))
    _layout, data = list_sheets(read_free_evening(session), PaperChoice(game=2))
    for form in data["forms"]:
        assert [(deal["number"], deal["dealer"]) for deal in form["deals"]] == [(n, dealers[n]) for n in (4, 5, 6)]


def test_the_ranking_is_a_pdf(evening):
    session, by = evening
    browser = browser_of(by)
    for name in ("ranking_pdf",):
        answer = browser.get(session_url(name, session, 1))
        assert (answer.status_code, answer.content[:4]) == (200, b"%PDF"), name


def test_the_set_of_the_session_is_printed_for_its_players(evening):
    session, by = evening
    browser, club, pk = browser_of(by), session.tournament.club.slug, session.deal_set_id
    page = browser.get(reverse("deal_set_print", args=[club, pk]))
    assert page.status_code == 200
