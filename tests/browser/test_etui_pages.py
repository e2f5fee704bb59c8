"""The page of an étui in a real browser: the reader's own line, the keyboard, no script, paper."""

import pytest
from playwright.sync_api import expect

from clubs.models import Player
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.factories import make_tournament, published_session
from tests.pages.public.test_pages import address

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


@pytest.fixture(params=["imposed", "free"])
def session(request):
    session = published_session(make_tournament(auction=request.param), cards=True)
    for player in Player.objects.filter(entries__session=session):
        player.last_name = f"{'W' * 50}{player.pk}"  # a name without a place to break the line
        player.save()
    return session


def play_of(session):
    return session.publications.get().data["etuis"][0]["plays"][0]


def test_phone_that_knows_its_reader_marks_his_score_in_chart_table_and_list(phone, session):
    phone.goto(address("published_etui", session, version=1, etui=1))
    entrant = play_of(session)["seats"]["N"]
    (player,) = [each["player"] for each in session.publications.get().data["players"] if each["id"] == entrant]
    assert phone.locator(".chart-sign:visible").count() == 0
    assert phone.locator(".hand .card").first.bounding_box()["y"] <= 450
    phone.evaluate(f"localStorage.setItem('topage.me', '{player}')")
    phone.reload()
    expect(phone.locator(".chart-sign:visible")).to_have_count(1)
    expect(phone.locator(".frequencies tr:has(.me)")).to_have_count(1)
    phone.locator(".to-my-evening a:visible").press("Enter")
    phone.wait_for_url(f"**?of={entrant}")
    phone.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    expect(phone.locator(".etui-plays :is(tr.me, tr:has(.me))")).to_have_count(1)
    for (width, height), scheme in ((PHONE, "dark"), (LAPTOP, "light")):
        phone.set_viewport_size({"width": width, "height": height})
        phone.emulate_media(color_scheme=scheme)
        assert axe(phone) == []
        assert width_of(phone) <= width


def test_evening_is_gone_through_by_keyboard_and_led_back_to_the_feuille(phone, session):
    entrant = play_of(session)["seats"]["N"]
    feuille = address("feuille", session, version=1, entrant=entrant)
    phone.goto(feuille)
    stops = phone.locator(".feuille td a").all_inner_texts()
    phone.locator(".feuille td a").first.press("Enter")
    for number in stops[1:]:
        phone.locator(".my-evening [rel=next]").press("Enter")
        expect(phone.locator("h1")).to_have_text(f"Étui {number}")
    expect(phone.locator(".my-evening [rel=next]")).to_have_count(0)
    phone.locator(".pager [rel=prev]").press("Enter")
    expect(phone.locator("h1")).to_have_text(f"Étui {stops[-2]}")
    phone.locator(".my-evening a").last.press("Enter")
    phone.wait_for_url(f"**{feuille}")


def test_paper_has_every_play_and_every_card(laptop, session):
    laptop.goto(address("published_etui", session, version=1, etui=1))
    laptop.emulate_media(media="print")
    expect(laptop.locator(".etui-plays tbody tr").last).to_be_visible()
    assert laptop.locator("svg.card:visible").count() == 78
    assert width_of(laptop) <= LAPTOP[0]


def test_without_script_nothing_is_missing(open_page, session):
    entrant = play_of(session)["seats"]["N"]
    with open_page(LAPTOP, scripts=False) as page:
        page.goto(address("published_etui", session, version=1, etui=1) + f"?of={entrant}")
        assert page.locator(".chart-sign:visible").count() == 1
        assert page.locator(".frequencies tr.is-me").count() == 1
        assert page.locator(".my-evening a").count() >= 2
