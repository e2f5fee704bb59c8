"""The links and codes that are handed out: each has a button that copies it, and a link has a QR code too."""

import re

import pytest
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from evenings.sessions.setup import create_session
from evenings.tables.devices import open_tables
from pages.doors import session_url
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration
from tests import shared_evenings
from tests.factories import DATE, make_director, started_session
from tests.pages.browsing import browser_of
from tournaments.codes import group_code
from tournaments.models import TableToken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site")]
SITE = "https://topage.exemple.fr"


@pytest.fixture
def site():
    with override_settings(SITE_URL=SITE):
        yield


@pytest.fixture
def user(tournament):
    return make_director(tournament.club)


director = shared_evenings.browser_of_user


def handed(page):
    """Return what can be copied, and the number of QR codes."""
    html = page.content.decode()
    found = re.findall(r'<code\s+id="[^"]*"\s*>([^<]*)<', html)
    assert html.count("data-copy=") == len(found)
    return found, html.count('class="segno"')


def test_invitation_is_copied_and_photographed(director, tournament):
    asked = {"role": "helper", "whom": "Zoé", "ends_on": ""}
    invited = director.post(reverse("team", args=[tournament.club.slug]), asked, follow=True)
    ((link,), pictures) = handed(invited)
    assert (link.startswith(SITE), pictures) == (True, 1)


def test_registration_s_page_and_password_are_copied(director, user, tournament):
    session = create_session(tournament=tournament, date=DATE)
    set_registration(accepts_at_once=True, session_id=session.pk, by=user, now=timezone.now(), way="password")
    found, pictures = handed(director.get(session_url("registration", session)))
    assert found == [session.registration.code, SITE + session_url("sign_up", session)]
    assert pictures == 1


def test_own_link_of_somebody_who_is_down_is_copied(user, tournament):
    session = create_session(tournament=tournament, date=DATE)
    set_registration(accepts_at_once=True, session_id=session.pk, by=user, now=timezone.now())
    applicant = register(session_id=session.pk, asked=NewApplicant("Blanc", "Zoé"), now=timezone.now())
    address = reverse("registered", args=[applicant.token])
    assert handed(browser_of().get(address)) == ([SITE + address], 1)


def test_table_s_link_is_shown_where_it_is_asked_for(director, tournament):
    session = started_session(tournament)
    open_tables(session, now=timezone.now())
    address = session_url("tables", session)
    typed = [group_code(token.number) for token in TableToken.objects.order_by("table__number")]
    assert handed(director.get(address)) == (typed, 0)
    token = TableToken.objects.get(table__session=session, table__number=1).token
    shown = [typed[0], SITE + reverse("table_screen", args=[token]), *typed[1:]]
    assert handed(director.get(address, {"qr": "1"})) == (shown, 1)
    assert len(typed) == 5
    assert handed(director.get(address, {"qr": "99"})) == (typed, 0)


def test_link_that_opens_on_this_computer_alone_has_no_picture(user, tournament):
    session = create_session(tournament=tournament, date=DATE)
    set_registration(accepts_at_once=True, session_id=session.pk, by=user, now=timezone.now())
    with override_settings(SITE_URL="http://127.0.0.1:8000"):
        found, pictures = handed(browser_of(user).get(session_url("registration", session)))
    assert (len(found), pictures) == (1, 0)
