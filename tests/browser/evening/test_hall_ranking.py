"""The screen in the hall after the publication: the podium, then the whole ranking, page after page."""

import pytest

from pages.doors import session_url
from tests.browser.test_publishing import fits, long_named
from tests.browser.test_running import pass_time
from tests.factories import enter_all, make_director, publish, started_session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
SCREEN, LAPTOP_IN_THE_HALL = (1920, 1080), (1280, 720)
A_TURN = 8
SHOWN = """() => [...document.querySelectorAll(".hall-ranking li")].filter((row) => {
    const box = row.getBoundingClientRect();
    return box.width && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
}).map((row) => row.querySelector(".podium-name").textContent)"""
SIZE = "parseFloat(getComputedStyle(document.querySelector('.hall-ranking li')).fontSize)"


def published(tables):
    session = started_session(tables=tables, positions=2, etuis_per_position=2)
    long_named(session)
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    publish(session, by=director)
    return session


def open_hall(page, session):
    page.clock.install()
    page.goto(session_url("hall", session))
    page.wait_for_selector(".podium li")
    page.wait_for_selector(".hall-ranking", state="attached")


def is_podium(page):
    return page.locator(".podium").is_visible()


@pytest.mark.parametrize("size", [SCREEN, LAPTOP_IN_THE_HALL])
def test_hall_pages_through_the_whole_ranking_after_the_podium(open_page, size):
    session = published(tables=10)
    names = {entrant.public_name for entrant in session.entrants.select_related("player")}
    with open_page(size) as hall:
        hall.emulate_media(reduced_motion="reduce")  # pages change at once, without scrolling
        open_hall(hall, session)
        assert is_podium(hall)
        pass_time(hall, A_TURN + 1)
        assert is_podium(hall)  # the podium stays twice as long as a page
        pass_time(hall, A_TURN)
        assert not is_podium(hall)
        # Rows are as large as the names of the seats, to be read from the same distance.
        assert hall.evaluate(SIZE) >= size[1] / 24
        assert fits(hall)
        pages = int(hall.inner_text("#hall-page").split("/")[1])
        seen = []
        for _page in range(pages):
            pass_time(hall, 2)  # scrolling has ended
            seen += hall.evaluate(SHOWN)
            pass_time(hall, A_TURN - 2)
        assert set(seen) == names  # the last page is filled up with rows of the page before
        assert is_podium(hall)
        hall.click("[data-pause]")
        pass_time(hall, 5 * A_TURN)
        assert is_podium(hall)


def test_hall_moves_without_scrolling_for_whoever_wants_less_motion(open_page):
    session = published(tables=10)
    with open_page(LAPTOP_IN_THE_HALL) as hall:
        hall.emulate_media(reduced_motion="reduce")
        open_hall(hall, session)
        assert hall.evaluate("getComputedStyle(document.querySelector('.podium li')).animationName") == "none"
        pass_time(hall, 3 * A_TURN + 1)
        step = hall.evaluate("document.querySelector('.hall-ranking').scrollLeft")
        pass_time(hall, 1)
        assert step == hall.evaluate("document.querySelector('.hall-ranking').scrollLeft") > 0


def test_phone_in_the_hall_is_not_sent_the_ranking(open_page):
    session = published(tables=5)
    with open_page((390, 844)) as phone:
        asked = []
        phone.on("request", lambda request: asked.append(request.url))
        phone.goto(session_url("hall", session))
        phone.wait_for_load_state("networkidle")
        assert phone.locator(".podium li").count() >= 3
        assert [url for url in asked if "ranking" in url.split("/hall/")[-1]] == []
