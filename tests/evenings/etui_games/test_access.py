"""Every page of sessions with étuis for three or five: who may open it, and no card before the publication."""

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rankings.publication.publishing import SESSIONS
from tests.etui_games import draft_etui_session, make_etui_tournament, play_etuis, start_etui_session
from tests.factories import make_club, make_director, make_helper
from tests.pages.browsing import browser_of
from tests.test_access import PAGES, outcome, text_of
from tournaments.permissions import Can
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]
STATES = ("draft", "running", "published")
OF_SESSIONS = {name: page for name, page in PAGES.items() if (page[2] or "").split(" ")[0] in STATES}


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def world(request):
    """Return a session in each state, and a client for each role. At three there are fewer roles."""
    club = make_club()
    tournament, by = make_etui_tournament(request.param, club), make_director(club)
    shape = {"by": by, "tournament": tournament}
    sessions = {
        "draft": draft_etui_session(request.param, 2, name="Avant", **shape),
        "running": start_etui_session(request.param, 2, name="Pendant", **shape),
        "published": start_etui_session(request.param, 2, name="Ensuite", **shape),
    }
    play_etuis(sessions["running"], by, most=3)
    play_etuis(sessions["published"], by)
    SESSIONS.publish(sessions["published"].pk, DirectorWord(by, timezone.now()))
    roles = {
        "anonymous": (Can.READ, Client()),
        "foreign director": (Can.READ, browser_of(make_director(make_club("autre"), "foreign"))),
        "helper": (Can.ENTER, browser_of(make_helper(club))),
        "director": (Can.DIRECT, browser_of(by)),
    }
    asked = roles if request.param == 5 else ("anonymous", "helper")
    return sessions, {role: roles[role] for role in asked}


def address(sessions, name):
    state, *rest = OF_SESSIONS[name][2].split(" ")
    session = sessions[state]
    play, entrant = session.plays.first(), session.entrants.first()
    parts = {"version": 1, "etui": 1, "table": 1, "penalty": 1, "applicant": 1, "call": 1, "request": 1, "kind": "csv"}
    parts |= {"operation": "arrive", "step": "show", "entrant": entrant.pk, "play": play.pk if play else 1}
    place = (session.tournament.club.slug, session.tournament.slug, session.number)
    return reverse(name, args=[*place, *(parts[part] for part in rest)])


def test_each_page_opens_to_who_may_and_shows_no_secret_card(world):
    sessions, roles = world
    secret = [etui.cards for name in ("draft", "running") for etui in sessions[name].deal_set.etuis.all()]
    secret += [hand for cards in secret for hand in cards.split()[:3] if len(hand) > 8]
    secret += [sessions[name].deal_set.seed for name in ("draft", "running")]
    assert (len(OF_SESSIONS) > 80, len(secret) > 10) == (True, True)
    wrong, shown = [], []
    for name, (method, need, _where) in OF_SESSIONS.items():
        url = address(sessions, name)
        for role, (power, browser) in roles.items():
            with transaction.atomic():
                answer = browser.generic(method, url)
                text = text_of(answer) if power < Can.DIRECT else ""
                transaction.set_rollback(True)
            closed = "login" if role == "anonymous" else "forbidden"
            found = outcome(answer)
            if (found == closed) != (power < need) or answer.status_code >= 500:
                wrong.append((name, role, found))
            shown += [(name, role) for word in secret if word in text]
    assert (wrong, shown) == ([], [])
