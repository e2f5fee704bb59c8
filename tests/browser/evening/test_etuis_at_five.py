"""The étuis for three and five players on the table's screen: the partner, half points, and a pass."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.devices import axe, width_of
from tests.etui_games import make_etui_tournament, start_etui_session
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_club, make_director
from tournaments.models import ResultEntry, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def address_of(session, table=1):
    return reverse("table_screen", args=[tokens_of(session)[table]])


def start(size, **shape):
    club = make_club()
    by = make_director(club)
    return start_etui_session(size, 2, by=by, tournament=make_etui_tournament(size, club), **shape)


def current():
    rows = ResultEntry.objects.filter(current=True).order_by("play__etui__number")
    return [(row.kind, row.taker, row.partner, row.half_points) for row in rows]


@pytest.mark.parametrize("size", [3, 5])
def test_etuis_are_entered_with_partner_half_points_and_a_pass(table, problems, size):
    session = start(size, check_by=Session.Check.NONE)
    with table(address_of(session)) as phone:
        phone.tap("write")
        phone.is_kept()
        expect(phone.page.locator(".etuis li")).to_have_count(2)
        assert axe(phone.page) == []
        phone.etui(1)
        taker = "F" if size == 5 else "S"
        phone.tap(taker, "garde", *(["W"] if size == 5 else []), "21+petit")
        phone.tap("half", "digit-4", "digit-8", "next", "petit-none")
        assert width_of(phone.page) <= 390
        assert axe(phone.page) == []
        phone.tap("save")
        phone.look()
        phone.tap("home")
        phone.etui(2)
        phone.tap("passed", "save")
        phone.tap("home")
        expect(phone.page.locator(".etuis .state-done")).to_have_count(2)
        partner = "W" if size == 5 else ""
        assert current() == [("facts", taker, partner, 97), ("passed", "", "", None)]
