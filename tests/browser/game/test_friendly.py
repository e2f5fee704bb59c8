"""The friendly game: a phone alone counts the deals of an evening, without internet, and shares them by a link."""

import json
import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from pages.public.game.words import catalogue
from tests.browser.devices import CONTROLLED, axe, width_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

NAMES = ["Anaïs", "Benoît", "Chloé", "Désiré", "Émilie"]
KEPT = """async () => {
    const { openStore } = await import("/static/table/device/store.js");
    const { Games } = await import("/static/game/games.js");
    const games = new Games(await openStore("topage-game"));
    await games.recall();
    return games.all;
}"""
TOTALS = """async (game) => {
    const { totalsOf } = await import("/static/game/state/game.js");
    return totalsOf(game);
}"""
CONTRACTS = ["prise", "garde", "garde_sans", "garde_contre"]


def say(key, language="fr", **params):
    return catalogue()[language][f"game.{key}"] % params


class Phone:
    """The friendly game in the hands of a player."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, *keys):
        for key in keys:
            self.page.locator(f"[data-key='{key}']").first.click()
            self.taps += 1

    def begin(self, names=NAMES, end=None):
        for place, name in enumerate(names):
            self.page.fill(f"[name=name-{place}]", name)
        if end:
            kind, value = end
            self.page.check(f"[name=end][value={kind}]")
            self.page.fill(f"[name=end-{kind}]", str(value))
        self.tap("begin")

    def deal(self, taker, contract="garde", bouts=2, points="49", *, partner=None, bonus=()):
        self.tap(f"player-{taker}", contract)
        if partner is not None:
            self.tap("alone" if partner == taker else f"player-{partner}")
        self.tap(f"bouts-{bouts}")
        for digit in points:
            self.tap("half" if digit == "½" else f"digit-{digit}")
        self.tap("next", *bonus, "save")

    @property
    def heading(self):
        return self.page.locator("h1")

    def kept(self):
        return self.page.evaluate(KEPT)

    def totals(self):
        return self.page.evaluate(TOTALS, self.kept()[0])


@pytest.fixture
def friendly(phone):
    phone.goto(reverse("game"))
    return Phone(phone)


def test_twenty_deals_at_five_without_internet_are_reloaded_shared_and_opened(friendly, open_page):
    page = friendly.page
    page.evaluate(CONTROLLED)
    asked = []
    page.context.set_offline(True)
    page.on("request", lambda request: asked.append((request.method, request.url)))
    page.reload()
    friendly.begin(end=("deals", 20))
    for number in range(20):
        expect(friendly.heading).to_have_text(say("who_takes_of", number=number + 1, deals=20))
        before = friendly.taps
        taker = number % 5
        friendly.deal(
            taker,
            CONTRACTS[number % 4],
            bouts=number % 4,
            points=f"{30 + 2 * number}" + "½" * (number % 2),
            partner=(number * 3) % 5,
            bonus=("petit", "attack" if number % 4 else "none", "poignee", f"player-{taker}", "simple", "next")
            if number % 3 == 0
            else (),
        )
        assert friendly.taps - before <= 8 + (number % 2) + 6 * (number % 3 == 0)
    page.reload()
    totals = friendly.totals()
    assert sum(totals) == 0
    best = NAMES[totals.index(max(totals))]
    expect(friendly.heading).to_have_text(say("wins", name=best))
    friendly.tap("tab-share")
    link = page.locator("#link").input_value()
    assert len(link) < 400
    assert {method for method, _ in asked} == {"GET"}
    assert not [url for _, url in asked if "#" in url or "?" in url]
    with open_page((390, 844)) as other:
        other.goto(link)
        expect(other.locator("h1")).to_have_text(say("ask.keep"))
        assert Phone(other).kept() == []
        Phone(other).tap("keep")
        expect(other.locator("h1")).to_have_text(say("wins", name=best))
        assert written(Phone(other).kept()) == written(friendly.kept())
        assert "#" not in other.url
        assert other.context.cookies() == []
        other.goto(link)
        expect(other.locator("h1")).to_have_text(say("same_here"))


def written(games):
    return json.dumps(games, sort_keys=True)


def test_game_at_four_is_corrected_undone_and_changes_its_players(friendly):
    page = friendly.page
    friendly.begin(["Anaïs", "Benoît", "Chloé", "Désiré"])
    before = friendly.taps
    friendly.deal(0)
    assert friendly.taps - before == 7
    assert friendly.totals() == [198, -66, -66, -66]
    # The first deal is corrected: two points less.
    friendly.tap("correct", "player-1", "garde", "bouts-2", "digit-4", "digit-0", "next", "save")
    expect(friendly.heading).to_have_text(say("deal", number=1))
    assert friendly.totals() == [52, -156, 52, 52]
    friendly.tap("undo")
    assert friendly.totals() == [198, -66, -66, -66]
    friendly.tap("remove")
    assert friendly.kept()[0]["deals"] == []
    assert friendly.kept()[0]["dealer"] == 0
    friendly.tap("undo")
    # Somebody joins, another leaves, and comes back; five can play with a mort.
    friendly.tap("tab-players")
    page.fill("#comer", "anaïs")
    friendly.tap("join")
    expect(page.get_by_role("alert").filter(has_text=say("wrong.twice", name="anaïs"))).to_be_visible()
    assert page.locator("#comer").input_value() == "anaïs"
    page.fill("#comer", "Émilie")
    friendly.tap("join")
    friendly.tap("leave-1")
    friendly.tap("back-1")
    page.check("[name=mort][value=yes]")
    friendly.tap("settings", "tab-game")
    expect(page.locator(".resting")).to_contain_text(say("rests", name="Chloé"))
    friendly.deal(4)
    assert friendly.totals() == [132, -132, -66, -132, 198]
    friendly.tap("passed")
    assert friendly.kept()[0]["dealer"] == 4
    assert [deal["present"] for deal in friendly.kept()[0]["deals"]] == [[0, 1, 2, 3], [0, 2, 3, 4, 1]]
    # The game is erased, and comes back.
    friendly.tap("tab-players", "erase-game")
    assert friendly.kept() == []
    friendly.tap("undo")
    assert len(friendly.kept()) == 1


def test_wrong_names_and_impossible_points_are_told_and_kept(friendly):
    page = friendly.page
    page.fill("[name=name-0]", "Anaïs")
    friendly.tap("begin")
    expect(page.locator("#problem")).to_have_text(say("wrong.names"))
    assert page.locator("[name=name-0]").input_value() == "Anaïs"
    friendly.begin(["Anaïs", "anaïs", "Chloé"])
    expect(page.locator("#problem")).to_have_text(say("wrong.twice", name="anaïs"))
    friendly.begin(["Anaïs", "Benoît", "Chloé"], end=("deals", 201))
    expect(page.locator("#problem")).to_have_text(say("wrong.deals", most=200))
    page.check("[name=end][value=open]")
    friendly.tap("begin", "player-0", "prise", "bouts-3", "digit-3", "next")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("output")).to_have_text("3")
    # The answers so far outlive a reload, and half a point is rounded for the winner of the deal.
    friendly.tap("digit-4", "digit-1", "half")
    page.reload()
    expect(page.locator("output")).to_have_text("41½")
    expect(page.locator(".typed p")).to_contain_text("41,5")
    friendly.tap("next", "save")
    assert friendly.totals() == [62, -31, -31]


def test_half_typed_names_outlive_a_reload_for_a_new_version_of_the_shell(friendly):
    page = friendly.page
    page.evaluate(CONTROLLED)
    page.reload()  # a page that a worker controls is loaded again by the next worker
    for place, name in enumerate(["Anaïs", "Benoît", "Chloé", "Désiré", "Émi"]):
        page.fill(f"[name=name-{place}]", name)
    page.check("[name=mort][value=yes]")
    page.check("[name=end][value=deals]")
    page.fill("[name=end-deals]", "12")
    with page.expect_navigation():
        # as after a new service worker has taken over
        page.evaluate("() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))")
    expect(page.locator("[name=name-4]")).to_have_value("Émi")
    expect(page.locator("[name=name-0]")).to_have_value("Anaïs")
    expect(page.locator("[name=mort][value=yes]")).to_be_checked()
    expect(page.locator("[name=end-deals]")).to_have_value("12")
    friendly.tap("language")
    expect(friendly.heading).to_have_text(say("new", "en"))
    expect(page.locator("[name=name-4]")).to_have_value("Émi")
    page.fill("[name=name-4]", "Émilie")
    friendly.tap("begin")
    (game,) = friendly.kept()
    assert (game["names"], game["mort"], game["end"]) == (NAMES, True, {"kind": "deals", "value": 12})
    # The name of somebody who comes, until the screen is left.
    friendly.tap("tab-players", "leave-1")
    page.fill("#comer", "Fran")
    page.reload()
    expect(page.locator("#comer")).to_have_value("Fran")
    friendly.tap("tab-game", "tab-players")
    expect(page.locator("#comer")).to_have_value("")
    friendly.tap("all", "new")
    expect(page.locator("[name=name-0]")).to_have_value("Anaïs")  # the players of the last game


MADE = """async (count) => {
    const { writeLink } = await import("/static/game/state/link.js");
    const told = { taker: 1, partner: null, contract: "garde", bouts: 2, half_points: 98, petit: "none" };
    const seating = { present: [0, 1, 2, 3], dealer: 0, resting: null };
    const deals = Array.from({ length: count }, () => ({ ...seating, ...told, shown: [], chelem: "none" }));
    const end = { kind: "open", value: 0 };
    const game = { id: "0123abcd", day: "2026-11-26", names: ["A", "B", "C", "D"], end, mort: false };
    return writeLink({ ...game, present: [0, 1, 2, 3], dealer: 0, deals });
}"""


def test_link_that_is_cut_newer_or_too_long_says_so_and_changes_nothing(friendly):
    page = friendly.page
    whole, long = page.evaluate(MADE, 3), page.evaluate(MADE, 500)
    newer = "Ag" + whole[2:]
    for link, code in [(whole[:-4], "cut"), (whole[:10] + "é", "cut"), ("AQ", "cut"), (newer, "newer"), (long, "long")]:
        page.goto(reverse("rules"))
        page.goto(f"{reverse('game')}#{link}")
        expect(page.locator(".notice")).to_have_text(say(f"link.{code}"))
        assert friendly.kept() == []
    friendly.tap("leave")
    expect(friendly.heading).to_have_text(say("new"))


READ = """async (texts) => {
    const { readLink } = await import("/static/game/state/link.js");
    return texts.map((text) => {
        try {
            return readLink(text).id;
        } catch (error) {
            return error.code;
        }
    });
}"""


def test_link_with_any_letter_lost_or_changed_is_refused(friendly):
    whole = friendly.page.evaluate(MADE, 4)
    changed = [
        whole[:place] + ("A" if whole[place] != "A" else "B") + whole[place + 1 :] for place in range(len(whole))
    ]
    lost = [whole[:place] + whole[place + 1 :] for place in range(len(whole))]
    cut = [whole[:place] for place in range(len(whole))]
    read = friendly.page.evaluate(READ, [whole, *changed[:-1], *lost, *cut])
    assert read[0] == "0123abcd"
    assert set(read[1:]) <= {"cut", "newer"}


def test_link_asks_before_it_replaces_a_game(friendly):
    page = friendly.page
    short, longer = page.evaluate(MADE, 1), page.evaluate(MADE, 2)

    def open_link(link, answer):
        page.goto(reverse("rules"))
        page.goto(f"{reverse('game')}#{link}")
        friendly.tap(answer)

    open_link(short, "keep")
    open_link(longer, "leave")
    assert [len(game["deals"]) for game in friendly.kept()] == [1]
    open_link(longer, "both")
    assert [len(game["deals"]) for game in friendly.kept()] == [2, 1]
    open_link(longer, "replace")
    assert [len(game["deals"]) for game in friendly.kept()] == [2, 2]
    friendly.tap("undo")
    assert sorted(len(game["deals"]) for game in friendly.kept()) == [1, 2]


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_each_screen_fits_speaks_one_language_and_has_no_fault_that_axe_finds(open_page, size, language):
    names = ["Marie-Antoinette de La Rochefoucauld"[:30], "Émilie", "François-Xavier Ó Súilleabháin", "Zoé", "Noël"]
    with open_page(size) as page:
        page.goto(reverse("game"))
        friendly = Phone(page)
        if language == "en":
            friendly.tap("language")

        def look(name):
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert axe(page) == [], name
            assert width_of(page) <= size[0], name

        look("begin")
        friendly.begin(names)
        look("first deal")
        friendly.tap("player-0")
        look("contract")
        friendly.tap("garde")
        look("partner")
        friendly.tap("player-2")
        look("bouts")
        friendly.tap("bouts-1", "digit-5", "digit-2", "half")
        look("points")
        friendly.tap("next")
        look("bonus")
        friendly.tap("poignee", "player-0", "triple", "next", "save")
        look("question")
        friendly.tap("yes")
        friendly.deal(2, "garde_sans", 3, "60", partner=2)
        friendly.deal(1, "prise", 1, "30", partner=3)
        look("game")
        for tab in ("sheet", "players", "share"):
            friendly.tap(f"tab-{tab}")
            look(tab)
        link = page.locator("#link").input_value()
        friendly.tap("tab-sheet", "deal-1")
        look("deal")
        friendly.tap("correct")
        look("correction")
        page.go_back()
        friendly.tap("tab-game", "dealer")
        look("dealer")
        friendly.tap("player-3", "tab-players")
        page.check("[name=end][value=deals]")
        page.fill("[name=end-deals]", "3")
        friendly.tap("settings", "tab-game")
        look("over")
        friendly.tap("all")
        look("list")
        page.goto(reverse("rules"))
        page.goto(link)
        look("link of another state")


def test_keyboard_enters_a_deal_and_the_heading_has_the_focus(friendly):
    page = friendly.page
    friendly.begin(["Anaïs", "Benoît", "Chloé"])
    page.locator("[data-key='player-1']").focus()
    page.keyboard.press("Enter")
    expect(friendly.heading).to_be_focused()
    for key in ("prise", "bouts-2"):
        page.locator(f"[data-key='{key}']").focus()
        page.keyboard.press("Enter")
    for key in ("4", "7", "Backspace", "0", ","):
        page.keyboard.press(key)
    expect(page.locator("output")).to_have_text("40½")
    page.keyboard.press("Enter")
    expect(page.locator(".fiche")).to_contain_text("−52")
    page.locator("[data-key='save']").focus()
    page.keyboard.press("Enter")
    expect(friendly.heading).to_have_text(say("who_takes", number=2))
    assert friendly.totals() == [26, -52, 26]


def test_without_scripts_the_page_says_why_and_prints_an_empty_sheet(open_page):
    with open_page((390, 844), scripts=False) as page:
        page.goto(reverse("game"))
        expect(page.locator("noscript h1, h1")).to_be_visible()
        assert page.locator("table tbody tr").count() == 20
        assert re.search("JavaScript", page.locator("main").inner_text())


def test_first_page_leads_to_the_game_in_one_tap(phone):
    phone.goto(reverse("home"))
    phone.locator(f".actions a[href='{reverse('game')}']").click()
    expect(phone.locator("h1")).to_have_text(say("new"))
