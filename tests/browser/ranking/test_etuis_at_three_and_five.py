"""The published pages of étuis for three and five players in a real browser: nothing too wide, and axe content."""

import pytest
from django.utils import timezone

from clubs.models import Player
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.etui_games import make_etui_tournament, play_etuis, start_etui_session
from tests.factories import make_club, make_director
from tests.pages.public.test_pages import address
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


@pytest.mark.parametrize("size", [3, 5])
def test_pages_fit_a_phone_and_a_laptop(phone, size):
    club = make_club()
    by = make_director(club)
    session = start_etui_session(size, 3, by=by, etuis=3, tournament=make_etui_tournament(size, club))
    for player in Player.objects.filter(entries__session=session)[:2]:
        player.last_name = f"{'W' * 50}{player.pk}"  # a name without a place to break the line
        player.save()
    play_etuis(session, by)
    SESSIONS.publish(session.pk, DirectorWord(by, timezone.now()))
    entrant = session.entrants.order_by("pk").first().pk
    pages = {
        "ranking": address("ranking", session),
        "etui": address("published_etui", session, version=1, etui=1),
        "feuille": address("feuille", session, version=1, entrant=entrant),
        "plan": session_url("session_plan", session),
    }
    for name, url in pages.items():
        phone.goto(url)
        phone.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        for width, height in (PHONE, LAPTOP):
            phone.set_viewport_size({"width": width, "height": height})
            assert width_of(phone) <= width, name
            assert axe(phone) == [], name
