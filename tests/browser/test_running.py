"""The director's clock and the screen in the hall, side by side in a real browser."""

import datetime as dt

import pytest
from django.utils import timezone

from evenings.sessions import running
from pages.doors import session_url
from tests.browser.conftest import LAPTOP
from tests.browser.devices import width_of
from tests.browser.test_evening import follow, log_in
from tests.factories import make_director, started_session
from tournaments.models import Session

pytestmark = pytest.mark.nightly("browser")

RUNG = "window.rung = []; document.addEventListener('topage:rung', (event) => window.rung.push(event.detail))"


def pass_time(page, seconds):
    """Let the page's own clock run, and wait for its requests."""
    page.clock.run_for(1000 * seconds)
    page.wait_for_load_state("networkidle")


def test_hall_follows_the_desk_rings_at_the_end_and_says_when_the_network_is_lost(open_page, problems, live_server):
    session = started_session()
    user = make_director(session.tournament.club)
    with open_page(LAPTOP) as desk, open_page((1280, 720)) as hall:
        log_in(desk, "directrice")
        desk.goto(session_url("session", session))
        hall.clock.install()
        hall.add_init_script(RUNG)
        hall.goto(session_url("hall", session))
        assert hall.inner_text(".hall-position").split()[-1] == "1"
        hall.click("[data-sound]")
        hall.wait_for_selector("[data-sound][aria-pressed=true]")
        hall.evaluate("window.rung.length = 0")

        follow(desk, "#call-next")
        assert desk.inner_text("#call-next").endswith("2")
        pass_time(hall, 6)
        hall.wait_for_selector(".hall-live .clock-figure:visible")
        follow(desk, "#clock-stop")
        follow(desk, "#clock-go")

        soon = timezone.now() + dt.timedelta(seconds=90)
        Session.objects.filter(pk=session.pk).update(clock_ends_at=soon)
        pass_time(hall, 6)
        hall.wait_for_selector(".hall-live.previews")
        assert hall.locator(".hall-after b").count() == 20
        assert hall.evaluate("window.rung") == []
        pass_time(hall, 95)
        hall.wait_for_selector(".clock-over [data-clock-over]:visible")
        assert hall.evaluate("window.rung") == ["end"]
        running.last_call(session_id=session.pk, position=1, table=2, by=user, now=timezone.now())
        pass_time(hall, 6)
        hall.wait_for_selector(".hall-last")
        pass_time(hall, 1)  # the refreshed part is in place, then the bell rings
        assert hall.evaluate("window.rung") == ["end", "last"]

        hall.route("**/hall/**", lambda route: route.abort())
        pass_time(hall, 6)
        hall.wait_for_selector("#hall-lost:visible")
        hall.unroute("**/hall/**")
        pass_time(hall, 6)
        hall.wait_for_selector("#hall-lost", state="hidden")
        assert {problem.split()[0] for problem in problems} == {"console:", "request:"}
        problems.clear()


def test_sixty_four_players_take_turns_on_the_hall_screen_and_one_finds_his_seat(phone, open_page, live_server):
    session = started_session(tables=16)
    with open_page((1280, 720)) as hall:
        hall.clock.install()
        hall.goto(session_url("hall", session))
        assert hall.inner_text("#hall-page") == "1 / 2"
        pass_time(hall, 9)
        assert hall.inner_text("#hall-page") == "2 / 2"
        # The page scrolls there smoothly.
        hall.wait_for_function("document.querySelector('[data-pages]').scrollLeft > 0")
        hall.click("[data-pause]")
        pass_time(hall, 20)
        assert hall.inner_text("#hall-page") == "2 / 2"
    phone.goto(session_url("hall", session))
    phone.fill("#find", "nom030")
    follow(phone, ".find button")
    assert "Nom030" in phone.inner_text(".hall-mine h2")
    assert width_of(phone) == 390
