"""The printed feuilles de route: one for each player with a personal link, once something is published."""

import re

import pytest
import segno
from django.urls import reverse

from pages.doors import session_url
from tests import shared_evenings
from tests.factories import published_session, started_session
from tests.outgoing.paper.test_pdf import drawn_codes, flat, printed
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.codes import group_code
from tournaments.models import PersonalLink

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_session()


session = shared_evenings.evening_of_the_file


@pytest.fixture
def desk(session):
    return browser_of(session.tournament.club.memberships.get().user)


def pdf_of(desk, session):
    return desk.get(session_url("prints_pdf", session), {"document": "feuilles"})


@pytest.mark.nightly("print")
def test_every_player_has_his_own_with_his_figures_and_link(session, desk):
    document = pdf_of(desk, session).content
    pages, report = printed(document), session.publications.get().data
    assert len(pages) == -(-len(report["players"]) // 2)
    text = flat(document)
    names = {entrant.name for entrant in session.entrants.select_related("player", "stand_in")}
    assert [name for name in names if name not in text] == []
    links = {link.entrant_id: link for link in PersonalLink.objects.all()}
    assert [link.code for link in links.values() if group_code(link.code) not in text.replace(" ", "\xa0")] == []
    address = "http://testserver" + reverse("personal", args=[links[report["players"][0]["id"]].token])
    assert [list(row) for row in segno.make_qr(address, error="m").matrix] in drawn_codes(document)


@pytest.mark.nightly("print")
def test_it_has_each_of_his_etuis(session, desk):
    (page, *_others) = printed(pdf_of(desk, session).content)
    assert len([run for run in page if re.fullmatch(r"\d+\.\d%", run)]) == 2 * 5


def test_it_is_offered_once_something_is_published(session, desk):
    assert "Feuilles de route" in words(desk.get(session_url("prints", session)))
    before = started_session(session.tournament)
    assert "Feuilles de route" not in words(desk.get(session_url("prints", before)))
    assert pdf_of(desk, before).status_code == 404
    session.publications.update(status="withdrawn", reason="x")
    assert pdf_of(desk, session).status_code == 404
