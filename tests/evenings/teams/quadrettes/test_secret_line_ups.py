"""A line-up that is handed in before the session: which pages show it, and to whom."""

import re

import pytest

from tests.evenings.teams.quadrettes.test_handing_in import hand_in
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare
from tests.test_access import PAGES, ROLES, visit
from tests.world import make_world
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
KINDS = ("draft", "running", "published", "tournament")
OF_SESSION = [name for name, (_, _, where) in PAGES.items() if where and where.split()[0] in KINDS]


def plain(answer):
    """Return the page without the token that differs at each request, and an empty feed without its own moment."""
    text = answer.content.decode(errors="replace") if not answer.streaming else ""
    if "<feed" in text and "<entry>" not in text:
        text = re.sub(r"<updated>[^<]*</updated>", "", text)
    return answer.status_code, re.sub(r'csrfmiddlewaretoken" value="\w+"', "", text)


@pytest.fixture(scope="module")
def read(rows_of_the_file):
    """Return every page of a session for each role, before its line-ups are handed in and after, and the session."""
    session = Session.objects.get(pk=prepare(make_quadrettes(4), positions=3).pk)
    world = make_world(session.tournament.club, ROLES)
    for client in world["clients"].values():
        client.raise_request_exception = False  # a session that has not started has no plays
    entrant = session.entrants.get(team__number=1)
    found = world | {"tournament": session.tournament, "draft": session, "running": session, "published": session}
    found["entrant"] = dict.fromkeys(("draft", "running", "published"), entrant.pk)
    found["play"] = dict.fromkeys(("draft", "running", "published"), 1)

    def read_all():
        return {role: {name: plain(visit(found, name, role)) for name in OF_SESSION} for role in ROLES}

    before = read_all()
    hand_in(session)
    hand_in(session, places="4123")
    return before, read_all(), session


@pytest.mark.parametrize("role", ROLES)
def test_line_ups_before_the_session_are_read_by_directors_alone(read, role):
    """Ask for every page of the club as every role: the line-up of a team has a mark that no page has otherwise."""
    before, after, session = read
    changed = {name for name in OF_SESSION if before[role][name] != after[role][name]}
    assert changed <= ({"line_ups", "session", "log"} if role == "director" else set())
    assert ("line_ups" in changed) is (role == "director")
    assert session.status == Session.Status.DRAFT
