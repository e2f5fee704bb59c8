"""The end of the evening in a browser: publishing at the desk, the podium in the hall, the results on the phones."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from pages.doors import session_url
from tests.browser.conftest import LAPTOP, LOW_PHONE
from tests.browser.devices import Table, width_of
from tests.browser.test_evening import follow, log_in
from tests.browser.test_running import pass_time
from tests.evenings.tables.phones import tokens_of
from tests.factories import enter_all, make_director, started_session
from tournaments import addresses
from tournaments.models import Session

pytestmark = pytest.mark.nightly("browser")

SCREEN = (1920, 1080)


def long_named(session):
    entrant = session.entrants.select_related("player").order_by("number", "line").first()
    entrant.player.first_name, entrant.player.last_name = "Anne-Éléonore", "de La Rochefoucauld-Montbel d’Ançay"
    entrant.player.save()


def hear_nothing_of_the_network(problems):
    told = ("net::ERR_", "service-worker", "fetching the script")
    assert [problem for problem in problems if not any(each in problem for each in told)] == []
    problems.clear()


def fits(page):
    """Return True if nothing is cut at the sides."""
    return width_of(page) <= page.viewport_size["width"]


def test_publishing_turns_the_hall_and_the_phones_and_closes_the_evening(open_page, problems, live_server, monkeypatch):
    monkeypatch.setattr(addresses, "ONLY_HERE", set())  # pretend that the site has a name that phones can find
    session = started_session(etuis_per_position=2)
    long_named(session)
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    address = reverse("table_screen", args=[tokens_of(session)[1]])
    with open_page(LAPTOP) as desk, open_page(SCREEN) as hall, open_page(LOW_PHONE) as phone:
        hall.clock.install()
        hall.goto(session_url("hall", session))
        device = Table(phone, address)
        device.tap("write")
        phone.clock.install()
        phone.reload()
        phone.wait_for_selector(".etui, .next")
        phone.context.set_offline(True)

        log_in(desk, "directrice")
        desk.goto(session_url("publish", session))
        assert "Tout est réglé" in desk.inner_text("main") or "à vérifier" in desk.inner_text("main")
        assert fits(desk)
        follow(desk, "form.form button.button-primary")
        assert Session.objects.get(pk=session.pk).closed_at is not None

        pass_time(hall, 6)
        hall.wait_for_selector(".podium li")
        assert "provisoire" in hall.inner_text("h1")
        assert fits(hall)
        boxes = [hall.locator(one).bounding_box() for one in (".podium", ".hall-code svg")]
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= SCREEN[1] for box in boxes)
        assert hall.evaluate("parseFloat(getComputedStyle(document.querySelector('.podium-name')).fontSize)") >= 60
        pass_time(hall, 60)
        assert hall.locator(".podium li").count() >= 3

        assert phone.locator(".published").count() == 0  # the phone was asleep
        phone.context.set_offline(False)
        hear_nothing_of_the_network(problems)
        phone.wait_for_selector(".published li")
        assert phone.locator(".published li").count() == 4
        assert phone.inner_text("h1") == "Vos résultats, provisoires"
        assert fits(phone)
        phone.click("[data-key=feuille-N]")
        phone.wait_for_url("**/ranking/1/players/**")
        assert phone.locator("h1").count() == 1

        desk.goto(session_url("session", session))
        desk.click("#reopen summary")
        desk.fill("#reopen-reason", "étui oublié")
        follow(desk, "#reopen-button")
        desk.wait_for_selector("#close")
        assert Session.objects.get(pk=session.pk).closed_at is None


def test_entry_that_waits_while_the_evening_is_closed_is_sent_once_it_is_open(open_page, problems, live_server):
    session = started_session(positions=2, etuis_per_position=2)
    make_director(session.tournament.club)
    Session.objects.filter(pk=session.pk).update(position=1, check_by="none")
    first = session.plays.filter(table__number=1, position=1).order_by("etui__number").first()
    address = reverse("table_screen", args=[tokens_of(session)[1]])
    with open_page(LAPTOP) as desk, open_page(LOW_PHONE) as phone:
        device = Table(phone, address)
        device.tap("write")
        phone.context.set_offline(True)
        device.enter(first.etui.number)
        device.tap("skip")  # the question for the opening lead, which would come back once the result is stored
        phone.wait_for_selector("#status.state-wait")

        log_in(desk, "directrice")
        desk.goto(session_url("session", session))
        desk.click("#close summary")
        follow(desk, "#close-button")
        assert "terminée" in desk.inner_text(".running-position")

        phone.context.set_offline(False)
        hear_nothing_of_the_network(problems)
        phone.wait_for_selector("[role=alert]")
        assert "close" in phone.inner_text("[role=alert]")
        assert phone.locator("[data-key^=retype]").count() == 0
        assert not first.entries.exists()

        desk.click("#reopen summary")
        desk.fill("#reopen-reason", "étui oublié")
        follow(desk, "#reopen-button")
        phone.reload()
        device.row(first.etui.number).wait_for()
        expect(phone.locator("[role=alert]")).to_have_count(0)
        phone.wait_for_selector("#status.state-done")
        assert first.entries.get().current
