"""Every page with the cash box in use, by role: amounts stand only on the desk's pages, and on no public one."""

import re

import pytest
from django.core.cache import caches
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import User
from registration.cash.payers import FeeGiven, save_fee
from registration.cash.payments import PaidBy, PaymentGiven, take_payment
from registration.cash.prizes import hand_prize, propose_prizes, save_prize_plan
from tests.factories import make_club
from tests.test_access import NUMBERED, PAGES, ROLES, outcome, text_of, visit
from tests.world import make_world
from tournaments.models import Session, Tournament
from tournaments.permissions import Can

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

CENTS = 7531900  # 75,319 euros: a sum that stands nowhere else
FOR_HELPERS = {"cash"}
FOR_DIRECTORS = FOR_HELPERS | {"cash_fees", "cash_prizes", "cash_sheet", "cash_file"}


@pytest.fixture(scope="module")
def paid(rows_of_the_file):
    """Return a world in which a player of each session has paid, and the first of the published one got a prize."""
    world = make_world(make_club(), ROLES)
    by, now = User.objects.get(username="director"), timezone.now()
    change_settings(world["club"], {"keeps_cash": True}, now=now, by=by)
    fee = save_fee(
        tournament=Tournament.objects.get(pk=world["tournament"].pk), given=FeeGiven("Plein", CENTS, "all"), now=now
    )
    for state in ("draft", "running", "published"):
        payer = PaidBy(player=world[state].entrants.first().player_id)
        take_payment(session_id=world[state].pk, payer=payer, given=PaymentGiven(fee.pk), by=by, now=now)
    published = Session.objects.get(pk=world["published"].pk)
    given = {"share": 100, "added": 0, "lines": "1: 100 %", "one_each": True}
    save_prize_plan(session_id=published.pk, given=given)
    row = propose_prizes(published).rows[0]
    hand_prize(session_id=published.pk, player_id=row.player, seen=row.due, by=by, now=now)
    return world


def find_pages_with_amounts(world, role):
    for each in caches:
        caches[each].clear()
    found = set()
    for name in PAGES:
        text = re.sub(r"[\s.,\u202f]", "", NUMBERED.sub("", text_of(visit(world, name, role))))
        if "75319" in text:
            found.add(name)
    return found


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("role", ["anonymous", "player", "foreign_director", "former_director"])
def test_no_page_for_readers_has_an_amount(paid, role):
    assert find_pages_with_amounts(paid, role) == set()


@pytest.mark.nightly("crawl")
def test_a_helper_sees_amounts_on_the_page_of_payments_alone(paid):
    assert find_pages_with_amounts(paid, "helper") == FOR_HELPERS


@pytest.mark.nightly("crawl")
def test_a_director_sees_amounts_on_the_pages_of_the_cash_box_alone(paid):
    assert find_pages_with_amounts(paid, "director") == FOR_DIRECTORS


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("role", ROLES)
def test_pages_of_the_cash_box_open_to_who_may_with_the_box_in_use(paid, role):
    closed = "login" if role == "anonymous" else "forbidden"
    pages = {name: need for name, (_method, need, _thing) in PAGES.items() if name.startswith("cash")}
    expected = {name: "open" if ROLES[role] >= need else closed for name, need in pages.items()}
    assert {name: outcome(visit(paid, name, role)) for name in pages} == expected
    assert set(pages.values()) == {Can.ENTER, Can.DIRECT}
