"""The opening lead on a table's phone: one tap after a result, one tap to take it back, and as easily skipped."""

import pytest
from django.db.models import F
from playwright.sync_api import expect

from tests.browser.devices import axe, current, evening, words
from tests.browser.recording.deals import await_receipts, recorded
from tests.browser.test_table_arbiter import back_up
from tests.services.waiting import PATIENCE, wait_until
from tournaments.locks import step
from tournaments.models import PlayRecord, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def plays_of(session):
    """Return the plays of table 1 in position 1, by the order of their étuis."""
    return list(session.plays.filter(table__number=1, position=1).select_related("etui").order_by("etui__number"))


def keep_result(phone, number, **facts):
    """Enter a result that the other side accepts, up to the question about its lead."""
    phone.enter(number, **facts)
    phone.tap("agree")


def test_lead_is_one_tap_and_another_tap_takes_it_back(table):
    session, address = evening()
    first = plays_of(session)[0]
    with table(address) as phone:
        page = phone.page
        phone.tap("write")
        keep_result(phone, 1)
        leader = first.seats[{"N": "W", "W": "S", "S": "E", "E": "N"}[first.etui.dealer]]
        expect(phone.heading).to_have_text(words("ask.lead", name=leader.name))
        expect(phone.heading).to_be_focused()
        expect(page.locator(".taps-deck button")).to_have_count(78)
        assert (axe(page), phone.fits()) == ([], True)

        phone.tap("card-♠R")
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        line = page.locator(".taps-noted")
        expect(line).to_contain_text("Entame : ♠\ufe0eR")
        assert (axe(page), phone.fits()) == ([], True)
        phone.tap("noted")
        expect(page.locator(".is-taken")).to_have_count(0)
        phone.tap("card-17")
        expect(line).to_contain_text("Entame : 17")
        assert not PlayRecord.objects.exists()  # it can still be taken back

        phone.etui(2)  # goes on, and the lead is sent
        wait_until(lambda: recorded(first) == ["17"], what="the lead")
        phone.tap("home")
        phone.etui(1)
        expect(page.locator("main")).to_contain_text("Entame : 17")
        phone.tap("record", "card-*")  # corrects the lead that the site has
        expect(page.locator(".taps-noted")).to_contain_text("★")
        phone.tap("home")
        wait_until(lambda: recorded(first) == ["*"], what="the other lead")
        await_receipts(phone.page)
    assert [row.version for row in PlayRecord.objects.all()] == [1, 2]
    assert current(session) == {1: 1}


def test_lead_that_is_not_taken_back_goes_by_itself(table):
    session, address = evening(etuis=1)
    (play,) = plays_of(session)
    with table(address) as phone:
        phone.tap("write")
        keep_result(phone, 1)
        phone.tap("card-♥10")
        expect(phone.page.locator("[data-key=noted]")).to_have_text(words("record_undo"))
        phone.page.evaluate("Date.now = ((now) => () => now() + 16_000)(Date.now.bind(Date))")
        phone.look()
        wait_until(lambda: recorded(play) == ["♥10"], what="the lead")
        phone.look()
        expect(phone.page.locator("[data-key=noted]")).to_have_text(words("record_change"))
        phone.tap("noted")
        expect(phone.page.locator("[data-key=skip]")).to_have_text(words("lead_keep", card="♥\ufe0e10"))
        phone.tap("skip")
        expect(phone.page.locator(".taps-noted")).to_contain_text("♥\ufe0e10")
        await_receipts(phone.page)
    assert recorded(play) == ["♥10"]


def test_hidden_page_sends_the_lead_at_once(table):
    session, address = evening(etuis=1)
    (play,) = plays_of(session)
    with table(address) as phone:
        phone.tap("write")
        keep_result(phone, 1)
        phone.tap("card-♣5")
        expect(phone.page.locator(".taps-noted")).to_be_visible()
        phone.page.evaluate(
            "Object.defineProperty(document, 'hidden', { get: () => true });"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
        wait_until(lambda: recorded(play) == ["♣5"], what="the lead")
        await_receipts(phone.page)


def test_skipped_lead_is_asked_once_and_a_table_that_wants_none_is_never_asked(table):
    _, address = evening()
    with table(address) as phone:
        page = phone.page
        phone.tap("write")
        keep_result(phone, 1)
        phone.tap("skip")
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        phone.etui(1)
        expect(page.locator("[data-key=record]")).to_have_text(words("record_lead"))
        phone.tap("correct", "21")
        phone.points(51)
        phone.tap("next", "save", "agree")
        expect(phone.row(1)).to_contain_text(words("state.confirmed"))  # the lead is not asked for again

        keep_result(phone, 2)
        phone.tap("never")
        expect(phone.row(2)).to_contain_text(words("state.confirmed"))
        page.reload()
        keep_result(phone, 3)
        expect(phone.row(3)).to_contain_text(words("state.confirmed"))
        phone.tap("menu", "asks", "back")
        keep_result(phone, 4)
        expect(page.locator(".taps-deck")).to_be_visible()
        await_receipts(phone.page)
    assert not PlayRecord.objects.exists()


def test_nobody_is_asked_for_the_lead_of_a_deal_that_everybody_passed(table):
    _, address = evening(check="none", auction="free", etuis=1)
    with table(address) as phone:
        phone.tap("write")
        phone.etui(1)
        phone.tap("passed", "save")
        expect(phone.row(1)).to_contain_text(words("state.entered"))
        phone.etui(1)
        expect(phone.page.locator("[data-key=correct]")).to_be_visible()
        expect(phone.page.locator("[data-key=record]")).to_have_count(0)
        await_receipts(phone.page)


def test_lead_without_network_waits_with_its_result_and_is_stored_once(table, problems):
    session, address = evening(etuis=2)
    first, second = plays_of(session)
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        phone.page.context.set_offline(True)
        keep_result(phone, 1)
        phone.tap("card-♦2")
        phone.page.reload()
        expect(phone.page.locator(".taps-noted")).to_contain_text("♦\ufe0e2")
        phone.tap("home")
        expect(phone.status).to_contain_text(words("kept_here", count=3))
        phone.page.context.set_offline(False)
        wait_until(lambda: recorded(first) == ["♦2"], what="the lead")

        # The site stores the lead, and its answer is lost: the same key comes again.
        keep_result(phone, 2)
        expect(phone.status).to_contain_text(words("etui", etui=2))  # everything before is received
        phone.page.route("**/send/", lambda route: (route.fetch(timeout=PATIENCE * 1000), route.abort()))
        phone.tap("card-21")
        with phone.page.expect_event("requestfailed"):
            phone.tap("home")
        wait_until(lambda: recorded(second) == ["21"], what="the lead")
        phone.page.unroute_all(behavior="wait")
        phone.look()
        expect(phone.status).not_to_contain_text(words("kept_here", count=1))
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
        await_receipts(phone.page)
    assert PlayRecord.objects.count() == 2
    assert current(session) == {1: 1, 2: 1}


def test_record_that_a_restored_backup_has_lost_comes_back_under_its_key(table):
    session, address = evening(etuis=1)
    (play,) = plays_of(session)
    restore = back_up(session)
    with table(address) as phone:
        phone.tap("write")
        keep_result(phone, 1)
        phone.tap("card-♠R", "home")
        row = wait_until(PlayRecord.objects.first, what="the lead")
        expect(phone.status).not_to_contain_text(words("kept_here", count=1))
        PlayRecord.objects.all().delete()
        restore()
        phone.look()
        wait_until(lambda: recorded(play) == ["♠R"], what="the lead, again")
        await_receipts(phone.page)
    assert (PlayRecord.objects.get().key, current(session)) == (row.key, {1: 1})


def test_cards_are_not_shown_to_the_players_who_come_next(table):
    session, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write")
        keep_result(phone, 1)
        phone.tap("card-♠R", "home")
        wait_until(PlayRecord.objects.exists, what="the lead")
        Session.objects.filter(pk=session.pk).update(position=2, revision=F("revision") + step())
        phone.look()
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.tap("before")
        phone.page.locator(".etui").first.click()
        expect(phone.heading).to_have_text(words("etui", etui=1))
        assert "♠" not in phone.page.locator("body").inner_text()
        expect(phone.page.locator("[data-key=record]")).to_have_count(0)
        await_receipts(phone.page)
