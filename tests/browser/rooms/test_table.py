"""The table of a room in a browser: by taps, by keyboard alone, without scripts, on two devices, without network."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from rooms.models import Game, Room
from tests.browser.conftest import LAPTOP, LOW_PHONE
from tests.browser.devices import axe, width_of
from tests.browser.rooms.sitting import sit
from tests.browser.test_languages import small_words
from tests.rooms.conftest import same_seeds  # noqa: F401
from tests.rooms.seated import makes_ecart, must_follow, never, seat_guest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
TARGET = 40  # pixels
REFUSED_REQUEST = "console: Failed to load resource: the server responded with a status of 400 (Bad Request)"
CONFLICT = "console: Failed to load resource: the server responded with a status of 409 (Conflict)"


@pytest.fixture(autouse=True)
def _with_rooms(settings):
    settings.ROOMS = True


@pytest.fixture
def seated():
    return seat_guest()


@pytest.fixture
def table(open_page, live_server, seated):
    """Give a function that opens the page of the guest, to be used as a context manager."""
    return lambda **more: sit(open_page, live_server.url, seated, **more)


def bids(game):
    return game.view.phase == "auction"


def plays(game):
    return game.view.phase == "play" and bool(game.view.legal)


def small_targets(page):
    """Return the size of each button and box of the table that a finger could miss."""
    boxes = [
        each.bounding_box() for each in page.locator("[data-play] :is(button[name], label)").all() if each.is_visible()
    ]
    return [(box["width"], box["height"]) for box in boxes if min(box["width"], box["height"]) < TARGET]


def test_guest_plays_an_etui_to_its_end_by_taps(table, seated):
    etui = seated.find_moment(makes_ecart, takes=True)
    with table(etui=etui) as here:
        asked = []
        while (kind := here.kind) != "over":
            if kind not in asked:
                assert width_of(here.page) <= LOW_PHONE[0]
                assert here.height() <= LOW_PHONE[1]
                assert small_targets(here.page) == []
            asked.append(here.answer(lambda element: element.click()))
        assert asked[0] == "ecart"
        assert asked.count("card") == 18
        expect(here.page.locator(".room-score")).to_be_visible()
        here.page.click("[data-key=next]")
        expect(here.page.locator("h1")).to_have_text(f"Étui {etui + 1}/24")
    assert Game.objects.exclude(finished_at=None).get(etui__number=etui).finished_by == "hand"


def test_guest_plays_an_etui_by_keyboard_alone(table, seated):
    etui = seated.find_moment(makes_ecart, takes=True)
    with table(etui=etui) as here:
        keys = here.page.keyboard
        hand = here.page.locator("[data-hand]")
        assert hand.locator("[tabindex='0']").count() == 1
        here.page.locator("[data-hand] [tabindex='0']").focus()
        for _card in range(6):
            keys.press("Space")
            keys.press("ArrowRight")
        expect(here.page.locator("[data-count]")).to_have_text("6/6")
        keys.press("Tab")
        keys.press("Enter")
        cards = 0
        while here.kind == "card":
            assert hand.locator("[tabindex='0']").count() == 1
            assert here.page.evaluate("document.activeElement.closest('[data-hand]') !== null")
            keys.press("Home")
            while here.page.evaluate("document.activeElement.getAttribute('aria-disabled')") == "true":
                keys.press("ArrowRight")
            keys.press("Enter")
            cards += 1
        assert cards == 18
        assert here.kind == "over"
        assert here.page.evaluate("document.activeElement.dataset.key") == "next"
        keys.press("Enter")
        expect(here.page.locator("h1")).to_have_text(f"Étui {etui + 1}/24")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_enter_key_in_a_box_presses_no_button(table, seated, scripts):
    """Check it because the first button of the form may be the chelem, which nobody can take back."""
    etui = seated.find_moment(makes_ecart, takes=True)
    with table(etui=etui, scripts=scripts, quick=False) as here:
        here.page.locator("input[name=ecart]").first.focus()
        here.page.keyboard.press("Space")
        here.page.keyboard.press("Enter")
        here.page.keyboard.press("Space")
        assert here.kind == "ecart"
        expect(here.page.locator("input[name=ecart]:checked")).to_have_count(0)
        expect(here.refused).to_have_text("")


def test_key_that_is_pressed_while_cards_move_plays_its_card_when_the_table_is_free(table, seated):
    etui, gone = seated.find_moment(lambda game: plays(game) and len(game.view.cards) == 3), []
    with table(etui=etui, quick=False) as here:
        while here.kind == "card" and 2 not in gone:
            before = len(here.hand)
            here.legal.first.focus()
            here.page.keyboard.press("Enter")
            expect(here.page.locator("[data-room-table][data-busy]")).to_be_attached()
            here.page.locator("[data-hand] [data-card]:not(.is-away)").last.focus()
            here.page.keyboard.press("Enter")
            gone.append(before - len(here.hand) if here.kind else 0)
        assert 2 in gone


def test_guest_plays_an_etui_without_scripts(table, seated, problems):
    etui = seated.find_moment(makes_ecart, takes=True)
    with table(etui=etui, scripts=False, quick=False) as here:
        asked = []
        for _answer in range(40):
            if here.form.get_attribute("data-thinking") == "yes":
                here.load(etui)
                continue
            if here.kind == "over":
                break
            if here.kind == "ecart":
                for box in here.page.locator("input[name=ecart]").all()[:2]:
                    box.check()
                here.page.click("[data-key=ecart]")
                expect(here.refused).to_have_text("Sud doit écarter 6 cartes, et non 2.")
                assert here.page.locator("input[name=ecart]:checked").count() == 2
                assert problems == [REFUSED_REQUEST]
                problems.clear()
                for box in here.page.locator("input[name=ecart]").all()[:2]:
                    box.uncheck()
            asked.append(here.answer(lambda element: element.click()))
        assert here.kind == "over"
        assert asked.count("card") == 18
        expect(here.page.locator(".room-score")).to_be_visible()


def has_choice(game):
    return plays(game) and game.view.legal.bit_count() > 1


def test_second_device_shows_the_same_table_and_a_card_of_both_is_taken_once(table, seated):
    etui = seated.find_moment(has_choice)
    with table(etui=etui) as first, table(etui=etui, size=LAPTOP) as second:
        assert (first.kind, first.length, first.hand) == (second.kind, second.length, second.hand)
        before, card = first.length, first.legal.first.get_attribute("data-card")
        for here in (first, second):
            here.page.click(f"[data-card='{card}']")
            assert here.kind
        assert (first.length, first.hand) == (second.length, second.hand)
    record = Game.objects.get(etui__number=etui, table__is_filler=False).record.split()
    assert record[before] == f"k:{card}"
    assert record.count(f"k:{card}") == 1


def test_other_card_from_a_second_device_draws_the_true_table_and_says_so(table, seated, problems):
    etui = seated.find_moment(has_choice)
    with table(etui=etui) as first, table(etui=etui, size=LAPTOP) as second:
        before = first.length
        first.legal.first.click()
        assert first.kind
        second.legal.last.click()
        assert second.kind
        expect(second.refused).to_contain_text("sur un autre appareil")
        assert (first.length, first.hand) == (second.length, second.hand)
        assert second.length > before
        assert problems == [CONFLICT]
        problems.clear()


def test_table_that_is_looked_at_again_shows_what_another_device_did(table, seated):
    etui = seated.find_moment(plays)
    with table(etui=etui) as here:
        length, card = here.length, here.legal.first.get_attribute("data-card")
        seated.move(f"k:{card}", etui)
        assert here.length == length
        here.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(here.page.locator(f"[data-hand] [data-card='{card}']")).to_have_count(0)
        assert here.kind
        assert here.length > length


def test_wrong_card_says_why_and_moves_nothing(table, seated, problems):
    etui = seated.find_moment(must_follow)
    with table(etui=etui) as here:
        hand, length = here.hand, here.length
        here.page.locator("button[aria-disabled]").first.click(force=True)
        expect(here.refused).to_contain_text("Sud ne peut pas jouer")
        assert (here.kind, here.hand, here.length) == ("card", hand, length)
        assert here.page.locator("[data-slot='S'] svg").count() == 0
        assert problems == [REFUSED_REQUEST]
        problems.clear()
        here.legal.first.click()
        assert here.kind
        assert here.length > length


def test_card_is_kept_and_sent_again_when_the_network_comes_back(table, seated, problems):
    etui = seated.find_moment(plays)
    with table(etui=etui) as here:
        length, card = here.length, here.legal.first.get_attribute("data-card")
        here.page.context.set_offline(True)
        here.page.click(f"[data-card='{card}']")
        expect(here.refused).to_contain_text("Le site est injoignable.")
        expect(here.page.locator("[data-slot='S'] svg")).to_be_visible()
        assert seated.game(etui).length == length
        here.page.context.set_offline(False)
        assert here.kind
        expect(here.refused).to_have_text("")
        assert Game.objects.get(etui__number=etui, table__is_filler=False).record.split()[length] == f"k:{card}"
        assert all("ERR_INTERNET_DISCONNECTED" in problem for problem in problems)
        problems.clear()


def test_card_wants_two_taps_if_the_player_likes(table, seated):
    etui = seated.find_moment(plays)
    with table(etui=etui) as here:
        here.page.get_by_label("Toucher deux fois").check()
        length, card = here.length, here.legal.first
        card.click()
        expect(here.refused).to_have_text("Touchez encore la carte pour la jouer.")
        here.page.keyboard.press("Escape")
        expect(here.refused).to_have_text("")
        card.click()
        assert here.length == length
        card.click()
        assert here.kind
        assert here.length > length
        here.load(etui)
        assert here.page.get_by_label("Toucher deux fois").is_checked()


def test_card_that_is_dragged_to_the_table_is_played(table, seated):
    etui = seated.find_moment(plays)
    with table(etui=etui) as here:
        length, mouse = here.length, here.page.mouse
        box = here.legal.first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for far, played in ((20, False), (200, True)):
            mouse.move(x, y)
            mouse.down()
            mouse.move(x + 10, y - far, steps=4)
            mouse.up()
            assert here.kind
            assert (here.length > length) == played


def test_live_region_tells_the_bids_and_each_trick(table, seated):
    seated.game(1)
    with table(etui=1) as here:
        here.page.locator(".bids button").first.click()
        assert here.kind
        expect(here.page.locator("[data-news]")).to_contain_text("Sud\N{NO-BREAK SPACE}: Passe.")
    etui = seated.find_moment(plays)
    with table(etui=etui) as here:
        here.legal.first.click()
        assert here.kind
        news = here.page.locator("[data-news]")
        expect(news).to_contain_text("Pli 1.")
        expect(news).to_contain_text("fait le pli.")


def test_last_trick_opens_on_demand_without_moving_the_hand(table, seated):
    etui = seated.find_moment(lambda game: plays(game) and len(game.view.tricks) > 2)
    with table(etui=etui) as here:
        top = here.legal.first.bounding_box()
        here.page.locator(".last-trick summary").click()
        expect(here.page.locator(".last-trick .round > li")).to_have_count(4)
        assert here.legal.first.bounding_box() == top
        here.page.keyboard.press("Escape")
        expect(here.page.locator(".last-trick .round")).to_be_hidden()


MOVING = """() => { window.moved = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) { window.moved += 1; return animate.apply(this, all); }; }"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_trick_stays_until_a_press_and_moves_only_for_readers_who_want_motion(table, seated, motion):
    etui = seated.find_moment(lambda game: plays(game) and len(game.view.cards) == 3)
    with table(etui=etui, quick=False) as here:
        here.page.emulate_media(reduced_motion=motion)
        here.page.evaluate(MOVING)
        trick = here.form.get_attribute("data-trick")
        here.legal.first.click()
        expect(here.page.locator("[data-slot].is-winner svg")).to_be_visible()
        assert here.form.get_attribute("data-trick") == trick
        assert here.page.locator("[data-slot] svg").count() == 4
        here.page.keyboard.press("Escape")
        assert here.kind
        assert int(here.form.get_attribute("data-trick")) == int(trick) + 1
        assert (here.page.evaluate("window.moved") > 0) == (motion == "no-preference")


@pytest.mark.parametrize(
    ("moment", "kind"), [(bids, "bid"), (makes_ecart, "ecart"), (must_follow, "card"), (never, "over")]
)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_page_has_one_language_and_axe_finds_nothing(table, seated, moment, kind, language):
    etui = 1 if moment is never else seated.find_moment(moment, takes=moment is makes_ecart)
    seated.play_until(moment, etui=etui)
    with table(etui=etui) as here:
        if language == "en":
            here.page.get_by_role("button", name="Menu").click()
            here.page.click("button[name=language][value=en]")
            expect(here.page.locator("html[lang=en]")).to_be_attached()
            here.load(etui)
        assert here.kind == kind
        assert small_words(here.page, "en" if language == "fr" else "fr") == set()
        for scheme in ("light", "dark"):
            here.page.emulate_media(color_scheme=scheme)
            assert axe(here.page) == []


def test_hand_stands_in_one_line_on_a_laptop(table, seated):
    seated.game(1)
    with table(etui=1, size=LAPTOP) as here:
        tops = {box.bounding_box()["y"] for box in here.page.locator("[data-hand] li").all()}
        assert len(tops) == 1
        assert here.height() <= LAPTOP[1]


def test_page_counts_down_to_the_closing(table, seated):
    seated.game(1)
    with table(etui=1) as here:
        clock = here.page.locator("[data-left]")
        assert here.page.locator("[data-left-clock]").inner_text()[:2] in ("23", "24")
        assert "Reste" in clock.aria_snapshot()
        expect(here.page.locator(".room-foot")).to_contain_text("votre partie est gardée")
        room = reverse("room", args=[seated.room.pk])
        Room.objects.filter(pk=seated.room.pk).update(closes_at=timezone.now())
        clock.evaluate("element => { element.dataset.ends = new Date(0).toISOString(); }")
        here.page.wait_for_url(f"**{room}")
