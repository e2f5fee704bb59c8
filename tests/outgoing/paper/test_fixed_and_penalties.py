"""The arbiter's decisions about a player, on the printed feuille de route and on the player's own page."""

from decimal import Decimal

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty
from evenings.requests.links import ensure_links
from pages.doors import session_url
from tests.evenings.requests.world import visit
from tests.factories import enter_all, make_director, publish, started_session
from tests.outgoing.paper.test_pdf import flat, printed
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import PersonalLink

pytestmark = pytest.mark.django_db
MEANS = "§ The arbiter has fixed this note"


@pytest.fixture
def ruled(db):
    """Return an evening with one fixed note (North of the first play), a penalty for East, and a bonus for South."""
    session = started_session()
    director = make_director(session.tournament.club)
    said = {"by": director, "now": timezone.now(), "reason": "retard"}
    play = session.plays.select_related("etui").order_by("position", "etui__number").first()
    enter_all(session, by=director)
    adjust_play(play_id=play.pk, notes={"N": "60"}, compared=False, **said)
    for entrant, sanction in (
        (play.east, Sanction(points=Decimal("1.5"))),
        (play.south, Sanction(kind="bonus", points=Decimal("0.75"))),
    ):
        give_penalty(session_id=session.pk, entrant_id=entrant.pk, sanction=sanction, **said)
    publish(session, by=director, allow_missing=True)
    return session, director, play


def page_of(entrant):
    ensure_links(entrant.session, now=timezone.now())
    return words(visit(PersonalLink.objects.get(entrant=entrant)))


def feuilles_of(session, director):
    """Return the printed feuilles of a session, and their text."""
    document = browser_of(director).get(session_url("prints_pdf", session), {"document": "feuilles"}).content
    return document, flat(document)


@pytest.mark.nightly("print")
def test_printed_feuille_marks_the_note_that_the_arbiter_has_fixed(ruled):
    session, director, _play = ruled
    document, text = feuilles_of(session, director)
    marked = [run for page in printed(document) for run in page if "§" in run]
    assert [run.strip() for run in marked if "60.0%" in run] == ["§ 60.0%"]
    assert text.count(MEANS) == 1, "where nothing is fixed, nothing explains the sign"


@pytest.mark.nightly("print")
def test_printed_feuille_says_what_was_taken_off_or_added(ruled):
    session, director, _play = ruled
    _document, text = feuilles_of(session, director)
    assert text.count("Penalty, already deducted") == text.count("−1.50") == 1
    assert text.count("Bonus, already added") == text.count("+0.75") == 1


@pytest.mark.nightly("print")
def test_personal_page_shows_attack_defence_and_what_was_taken_off_or_added(ruled):
    _session, _director, play = ruled
    page = page_of(play.east)
    assert "Attack" in page
    assert "Defence" in page
    assert "Penalty, already deducted −1.50" in page
    assert "Bonus, already added +0.75" in page_of(play.south)
    other = page_of(play.north)
    assert "already" not in other
    assert "fixed by the arbiter" in other
