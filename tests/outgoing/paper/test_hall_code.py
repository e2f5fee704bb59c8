"""The code of the hall on what is put up: the poster or, where tables are seated in games, the lists of seats."""

import pytest
import segno
from django.utils import timezone

from evenings.sessions.hall_link import find_key
from evenings.sessions.running import close_session
from pages.doors import session_url
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare, start
from tests.factories import make_director, started_session
from tests.free_evenings import start_free_session
from tests.outgoing.paper.test_pdf import drawn_codes, flat
from tests.pages.browsing import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("print")]
SESSIONS = {
    "poster": lambda: started_session(positions=2),
    "poster of teams": lambda: start(prepare(make_quadrettes(4), positions=3)),
    "people": lambda: start_free_session(8, games=2),
    "tables": lambda: start_free_session(8, games=2),
}


@pytest.mark.parametrize("paper", SESSIONS)
def test_what_is_put_up_has_the_code_of_the_hall_as_long_as_its_link_works(paper, settings):
    settings.ALLOWED_HOSTS = ["*"]
    session = SESSIONS[paper]()
    by = make_director(session.tournament.club, "affiche")
    session.refresh_from_db()
    address = f"{session_url('prints_pdf', session)}?document={paper.split()[0]}"

    def ask(host="testserver"):
        return browser_of(by).get(address, HTTP_HOST=host).content

    link = f"http://testserver{session_url('hall_link', session, find_key(session, timezone.now()))}"
    document = ask()
    assert drawn_codes(document) == [[list(row) for row in segno.make_qr(link, error="m").matrix]]
    assert "Where do I sit? All names, on your phone" in flat(document)
    assert drawn_codes(ask("localhost")) == []  # no phone opens it
    close_session(session_id=session.pk, by=by, now=timezone.now())
    assert drawn_codes(ask()) == []
