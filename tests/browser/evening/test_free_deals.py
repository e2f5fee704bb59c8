"""An evening at which the tables deal, on the table's screen: three to five players, offline through a whole game."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from evenings.plans.free.closing import close_game
from evenings.standings.computing import compute
from tests.browser.devices import axe, width_of, words
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_director
from tests.free_evenings import lay_out_tables, plays_at, start_free_session
from tournaments.models import EntryCheck, ResultEntry, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def address_of(session, table=1):
    return reverse("table_screen", args=[tokens_of(session)[table]])


def deal(phone, number, *taps, points):
    """Enter a deal: the taps from the taker to the bouts, the points, no bonus, save."""
    phone.etui(number)
    phone.tap(*taps)
    phone.tap(*("half" if digit == "½" else f"digit-{digit}" for digit in points), "next")
    phone.tap("petit-none", "save")


def current(session):
    rows = ResultEntry.objects.filter(play__session=session, current=True).order_by("play__etui__number")
    return [(row.taker, row.partner, row.half_points) for row in rows]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_game_of_five_is_kept_without_network_and_agreed_to_once(table, problems, language):
    session = lay_out_tables([5], games=2, deals=3, check_by=Session.Check.SAME, position=1)
    with table(address_of(session)) as phone:
        if phone.page.evaluate("document.documentElement.lang") != language:
            phone.tap("menu", "language", "back")
        phone.tap("write")
        phone.is_kept()
        expect(phone.page.locator(".etuis li")).to_have_count(3)
        assert axe(phone.page) == []
        phone.page.context.set_offline(True)
        deal(phone, 1, "F", "garde", "W", "21+petit", points="49")
        deal(phone, 2, "S", "garde", "alone", "21", points="40½")
        expect(phone.row(2)).to_contain_text(words("state.kept", language))
        phone.page.reload()
        expect(phone.page.locator(".sheet-so-far .num")).to_have_text(["+6", "+204", "+138", "−354", "+6"])
        deal(phone, 3, "E", "prise", "N", "none", points="56")
        expect(phone.heading).to_have_text(words("sheet_of", language, position=1))
        expect(phone.page.locator(".sheet tbody tr")).to_have_count(3)
        expect(phone.page.locator(".sheet tfoot td")).to_have_text(["+31", "+179", "+113", "−379", "+56"])
        assert width_of(phone.page) <= 390
        assert axe(phone.page) == []
        phone.tap("agree-S", "home-list")
        assert current(session) == []
        phone.page.context.set_offline(False)
        phone.look()
        expect(phone.page.locator(".etuis .state-done")).to_have_count(3)
        assert current(session) == [("F", "W", 98), ("S", "S", 81), ("E", "N", 112)]
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
        assert [check.seat for check in EntryCheck.objects.filter(agrees=True)] == ["S"] * 3


def test_timed_game_without_network_loses_no_deal_when_it_is_closed_meanwhile(table, problems):
    """Play a game of as many deals as fit. The director closes it while the phone still keeps four results."""
    session = start_free_session(8, games=2, fits_deals=True)
    by = make_director(session.tournament.club)
    Session.objects.filter(pk=session.pk).update(position=1, check_by=Session.Check.NONE)
    with table(address_of(session)) as phone:
        phone.tap("write")
        phone.is_kept()
        expect(phone.page.locator(".etuis li")).to_have_count(12)
        phone.page.context.set_offline(True)
        for number, taker in enumerate("NWSE", start=1):
            deal(phone, number, taker, "garde", "21+petit", points="49")
        close_game(session_id=session.pk, game=1, by=by, now=timezone.now())
        phone.page.reload()
        expect(phone.page.locator(".sheet-so-far .num")).to_have_text(["0", "0", "0", "0"])
        phone.page.context.set_offline(False)
        phone.look()
        expect(phone.page.locator(".etuis .state-done")).to_have_count(4)
        assert [taker for taker, _partner, _points in current(session)] == ["N", "W", "S", "E"]
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
    counts = compute(session.pk).figures["counts"]
    assert (counts["scored"], counts["not_played"]) == (4, 12 + 8)


def test_wrong_deal_of_three_is_corrected_from_the_sheet(table, problems):
    session = lay_out_tables([3], games=1, deals=2, check_by=Session.Check.SAME, position=1)
    with table(address_of(session)) as phone:
        phone.tap("write")
        deal(phone, 1, "N", "garde", "21+petit", points="49")
        deal(phone, 2, "E", "garde", "21+petit", points="49")
        expect(phone.page.locator(".sheet tfoot td")).to_have_text(["+66", "−132", "+66"])
        second = session.plays.get(etui__number=2).pk
        phone.tap(f"deal-{second}", "correct", "S", "garde", "21+petit", "next", "next", "save")
        expect(phone.page.locator(".sheet tfoot td")).to_have_text(["+66", "+66", "−132"])
        phone.tap("agree-E", "home-list")
        expect(phone.page.locator(".etuis .state-done")).to_have_count(2)
        assert current(session) == [("N", "", 98), ("S", "", 98)]


def test_mort_is_not_asked_for(table, problems):
    session = lay_out_tables([5], games=1, deals=2, mort=True, position=1)
    with table(address_of(session)) as phone:
        phone.tap("write")
        phone.etui(1)
        expect(phone.page.locator("#screen [data-key='N']")).to_have_count(0)
        phone.tap("W", "garde", "21+petit")
        expect(phone.page.locator("[data-key='half']")).to_have_count(0)
        phone.points(49)
        phone.tap("petit-none", "save")
        phone.tap("home")
        expect(phone.page.locator(".sheet-so-far .num")).to_have_text(["0", "−66", "+198", "−66", "−66"])


def test_game_in_which_somebody_leaves_is_one_sheet_by_player(table, problems):
    """Let the player of South leave after the first deal: the player of West then sits South."""
    session = lay_out_tables([4], games=1, deals=2, check_by=Session.Check.SAME, position=1)
    first, second = plays_at(session)
    names = {seat: who.name for seat, who in first.seats.items()}
    session.plays.filter(pk=second.pk).update(south=first.west, west=None)
    with table(address_of(session)) as phone:
        phone.tap("write")
        deal(phone, 1, "S", "garde", "21+petit", points="49")
        deal(phone, 2, "S", "garde", "21+petit", points="49")
        heads = phone.page.locator(".sheet thead th span:first-child")
        expect(heads).to_have_text([names[seat] for seat in "NWES"])
        expect(phone.page.locator(".sheet tfoot td")).to_have_text(["−132", "+66", "−132", "+198"])
        expect(phone.page.locator(".sheet tbody tr").nth(1).locator("td")).to_have_text(["−66", "+132", "−66", ""])
        assert axe(phone.page) == []
        expect(phone.page.locator("[data-key^=agree-]")).to_have_text([names["W"], f"{names['E']}E"])
        phone.tap("agree-E", "home-list")
        expect(phone.page.locator(".etuis .state-done")).to_have_count(2)
    assert [check.seat for check in EntryCheck.objects.filter(agrees=True)] == ["E", "E"]
