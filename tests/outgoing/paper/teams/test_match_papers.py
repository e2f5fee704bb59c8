"""The papers of team matches: four quarters, the contract of the attacker, and no line-up before both are in."""

import pytest

from pages.doors import session_url
from tests.evenings.teams.matches.evening import (
    find_member,
    hand_in,
    make_matches,
    play_matches,
    prepare_match,
    start,
)
from tests.factories import make_director, publish
from tests.outgoing.paper.test_pdf import flat
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(db):
    return prepare_match(make_matches(2))


@pytest.fixture
def desk(session):
    return browser_of(make_director(session.tournament.club))


def pdf_of(desk, session, document, language="en"):
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    answer = desk.get(session_url("prints_pdf", session), {"document": document})
    assert answer.status_code == 200, document
    return flat(answer.content)


def test_line_up_sheet_of_a_match_has_four_quarters_and_all_players(session, desk):
    text = pdf_of(desk, session, "line_up_sheets")
    assert [text.count(f"Quarter {number}") for number in range(1, 6)] == [2, 2, 2, 2, 0]
    assert "5 Prénom01 Fam501" in text


@pytest.mark.nightly("print")
def test_line_ups_are_on_papers_once_both_of_the_quarter_are_in(session, desk):
    hand_in(session, 1, 1, "5123")
    session = start(session)
    for document in ("cards", "line_ups", "sheets"):
        assert "Fam" not in pdf_of(desk, session, document), document
    hand_in(session, 2, 1, "3124")
    attackers = [find_member(1, 5).player.name, find_member(2, 3).player.name]
    for document in ("cards", "line_ups", "sheets"):
        text = pdf_of(desk, session, document)
        assert [name for name in attackers if name not in text] == [], document
        assert find_member(1, 4).player.name not in text, document
    assert "from position 2" in pdf_of(desk, session, "line_ups")


def test_score_sheet_of_a_match_asks_for_the_contract_and_gives_the_loser_nothing(session, desk):
    text = pdf_of(desk, start(session), "sheets")
    assert text.count("Contract") == 2 * 4
    assert "the other team has 0" in text


@pytest.mark.nightly("print")
@pytest.mark.parametrize("language", ["fr", "en"])
def test_each_offered_paper_of_a_match_answers_and_no_card_leads_a_player(session, desk, language):
    session = start(session)
    by = make_director(session.tournament.club, "arbitre")
    publish(play_matches(session, by=by), by=by)
    codes = [each.code for each in desk.get(session_url("prints", session)).context["documents"]]
    assert {"guides", "teams", "players", "badges"}.isdisjoint(codes)
    for code in codes:
        text = pdf_of(desk, session, code, language)
        assert "%" not in text, code
