"""The table's screen on a phone: an evening's results through lost wifi, reloads and second devices, each of them once.

In every case the database has exactly one current entry a play, and the screen says what the site has of it. Whatever
it sends is what its schema says.
"""

import json
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.factories import make_tournament, make_user, started_session
from tests.tournaments.screen_schema import fitting
from tests.tournaments.tables import tokens_of
from tournaments.models import ArbiterCall, EntryCheck, Play, ResultEntry, Session
from tournaments.plays.desk_state import desk_plays
from tournaments.tables import words as table_words
from tournaments.tables.devices import renew_token

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = (390, 700)
NAMED = ["none", "21", "21+petit", "21+petit+excuse"]  # the bouts that a test with this many of them taps
FIELDS = [field for field in Play._meta.concrete_fields if not field.primary_key]
CONTROLLED = """() => new Promise((done) => navigator.serviceWorker.controller
    ? done() : navigator.serviceWorker.addEventListener("controllerchange", () => done()))"""


def evening(check="same", auction="imposed", etuis=4):
    """A session whose first position is called, and the code of its table 1."""
    session = started_session(make_tournament(auction=auction), tables=5, etuis_per_position=etuis)
    Session.objects.filter(pk=session.pk).update(position=1, check_by=check)
    return session, reverse("table_screen", args=[tokens_of(session)[1]])


class Table:
    """A device at the table, as fingers use it; `taps` counts them."""

    def __init__(self, page, address):
        self.page, self.taps = page, 0
        page.goto(address)

    def tap(self, *keys):
        for key in keys:
            self.page.locator(f"[data-key='{key}']").first.click()
            self.taps += 1

    def etui(self, number):
        self.page.locator(".etui", has=self.page.locator(f"strong:text-is('{number}')")).click()
        self.taps += 1

    def points(self, points):
        self.tap(*(f"digit-{digit}" for digit in str(points)), "next")

    def facts(self, bouts=2, points=49):
        """From the bouts to the fiche, without a bonus."""
        self.tap(NAMED[bouts])
        self.points(points)
        self.tap("next")

    def enter(self, number, **facts):
        self.etui(number)
        self.facts(**facts)
        self.tap("save")

    def row(self, number):
        return self.page.locator(".etui", has=self.page.locator(f"strong:text-is('{number}')")).locator(".state")

    @property
    def heading(self):
        return self.page.locator("h1")

    @property
    def status(self):
        return self.page.locator("#status")

    def is_kept(self):
        """The screen opens without network from now on."""
        self.page.evaluate(CONTROLLED)

    def look(self):
        """What the browser says when the network is back; else the screen asks again by itself in a few seconds."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def fits(self):
        return self.page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
        )


@pytest.fixture
def table(open_page):
    """Open a device at an address: `with table(address) as phone`."""
    sent = []

    @contextmanager
    def open_table(address, size=PHONE):
        with open_page(size) as page:
            page.on("request", lambda request: request.method == "POST" and sent.append(request.post_data))
            yield Table(page, address)

    yield open_table
    for body in sent:
        fitting("Sending", json.loads(body))


def words(key, language="fr", **params):
    text = table_words.catalogue()[language][key]
    return (text if isinstance(text, str) else text[params["count"] > 1]) % params


def current(session):
    """The version that counts of each étui at table 1; no play has two."""
    rows = ResultEntry.objects.filter(play__session=session, current=True).select_related("play__etui")
    assert len({row.play_id for row in rows}) == len(rows)
    return {row.play.etui.number: row.version for row in rows}


def axe(page):
    results = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    return [(found["id"], [node["html"] for node in found["nodes"][:3]]) for found in results.response["violations"]]


def test_whole_position_at_one_table(table):
    session, address = evening()
    second = session.plays.get(position=1, table__number=1, etui__number=2)
    found, fits = {}, {}

    def look_at(name, phone):
        found[name], fits[name] = axe(phone.page), phone.fits()

    with table(address) as phone:
        page = phone.page
        expect(phone.heading).to_have_text(words("join_title", table=1))
        look_at("join", phone)
        phone.tap("write")
        look_at("list", phone)

        # The common case: imposed Garde, no bonus, agreed on the same device.
        phone.taps = 0
        phone.enter(1)
        expect(page.locator(".fiche")).to_have_text(f"{words('fiche')} +66")
        phone.tap("agree")
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        assert phone.taps <= 9

        # Double taps, the back button and reloads do no harm; a bonus asks one more question each.
        phone.etui(2)
        expect(phone.heading).to_be_focused()
        look_at("bouts", phone)
        page.locator("[data-key='21+petit']").dblclick()
        expect(phone.heading).to_have_text(words("ask.points"))
        page.go_back()
        expect(page.locator("[data-key='21+petit']")).to_have_attribute("aria-pressed", "true")
        page.reload()
        phone.tap("21+petit", "defence", "digit-4", "digit-2")
        page.reload()
        expect(page.locator(".typed output")).to_have_text("42")
        page.emulate_media(color_scheme="dark")
        look_at("points", phone)
        phone.tap("next", "petit", "attack", "poignee", "S", "simple", "next")
        look_at("bonus", phone)
        phone.tap("next")
        expect(page.locator(".fiche strong")).to_have_text("+106")
        taker = page.locator(".outcome p").first
        expect(taker).to_have_text(words("of_etui", etui=2, name=second.seats[second.etui.taker].name))
        expect(page.locator(".outcome .both")).to_have_text(words("both_points", attack=49, defence=42))
        expect(page.locator(".outcome p").last).to_have_text("2 bouts (21, Petit), réussi de 8")
        look_at("summary", phone)
        page.locator("[data-key=save]").dblclick()
        expect(page.locator("[data-key=agree]")).to_be_visible()
        expect(page.locator(".brief")).to_have_text("attaque 49, défense 42, 2 bouts (21, Petit)")
        look_at("check", phone)
        page.go_back()
        expect(page.locator("[data-key=check]")).to_be_visible()
        page.go_back()  # at once to the list, past the questions that are answered
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.etui(2)
        phone.tap("check", "agree")
        page.emulate_media(color_scheme="light")

        # Out of order asks; not played is taken back; the impossible is refused, the unlikely asked about.
        phone.etui(4)
        expect(phone.heading).to_have_text(words("ask.order", etui=4))
        phone.tap("no")
        phone.etui(3)
        phone.tap("not_played")
        expect(page.locator("main .state")).to_have_text(words("state.not_played"))
        phone.tap("undo", "home")
        phone.etui(3)
        phone.tap("21", "digit-8", "digit-9", "next")
        expect(page.locator("[role=alert]")).to_contain_text("82")
        look_at("refused", phone)
        phone.tap("back", "none")
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
        page.keyboard.type("0")
        page.keyboard.press("Enter")
        phone.tap("next")
        expect(page.locator("[role=alert]")).to_contain_text("77")  # did one side win every trick?
        phone.tap("chelem", "announced_failed", "next")
        expect(phone.heading).to_have_text(words("ask.really"))
        phone.tap("yes", "save", "disagree", "correct", "21")
        phone.points(51)
        phone.tap("chelem", "none", "next", "save", "disagree", "correct", "21", "digit-4", "digit-1")
        expect(page.locator(".typed output")).to_have_text("41")
        phone.tap("next", "next")
        phone.tap("save", "agree")

        # The arbiter is a tap away on every screen, and the position ends with where each one goes.
        phone.etui(4)
        phone.tap("call")
        expect(page.locator("[data-key=call]")).to_have_text(words("uncall"))
        phone.tap("call")
        phone.facts()
        phone.tap("save", "agree")
        expect(phone.heading).to_have_text(words("complete", position=1))
        expect(page.locator(".next li")).to_have_count(4)
        look_at("complete", phone)
        expect(phone.status).to_contain_text("4")

        # Called on, they read what is asked of them and answer it before they read where they came from.
        Session.objects.filter(pk=session.pk).update(position=2)
        phone.look()
        expect(page.locator(".etuis + .next h2")).to_have_text(words("where_left", position=1))
        expect(page.locator(".next")).to_have_count(1)
    assert found == {name: [] for name in found}
    assert fits == dict.fromkeys(fits, True)
    assert current(session) == {1: 1, 2: 1, 3: 3, 4: 1}
    assert EntryCheck.objects.filter(entry__current=True, agrees=True).count() == 4
    assert [call.answered_at is None for call in ArbiterCall.objects.all()] == [False]


def test_fiche_whose_facts_cannot_be_goes_to_the_arbiter(table):
    """What is written is kept as written; the desk is rung, and the director's word settles it."""
    session, address = evening(check="none")
    with table(address) as phone:
        phone.tap("write")
        phone.etui(1)
        phone.tap("21")
        phone.points(90)
        expect(phone.page.locator("[role=alert]")).to_contain_text("82")
        phone.tap("digit-8")  # takes the place of what was refused
        expect(phone.page.locator(".typed output")).to_have_text("8")
        phone.tap("digit-9", "next", "only-fiche", "-", "digit-5", "digit-1")
        expect(phone.heading).to_have_text(words("ask.figure"))
        assert phone.fits()
        phone.tap("next")
        phone.page.go_back()
        phone.tap("digit-5")  # takes the place of the figure that was answered
        expect(phone.page.locator(".typed output")).to_have_text("5")
        phone.tap("digit-1", "next")
        expect(phone.page.locator(".fiche strong")).to_have_text("−51")
        phone.tap("save")
        expect(phone.row(1)).to_contain_text("−51")
        expect(phone.page.locator("[data-key=call]")).to_have_text(words("uncall"))
        expect(phone.status).to_contain_text("1")
    row = ResultEntry.objects.get(play__session=session)
    assert (row.kind, row.fiche_score, row.current) == ("fiche", -51, True)
    assert ArbiterCall.objects.get().play_id == row.play_id
    assert [each.state for each in desk_plays(session, flags=True) if each.play.pk == row.play_id] == ["disputed"]


def test_nothing_typed_without_network_is_lost_or_doubled(table, problems):
    session, address = evening()
    kept = words("state.kept")

    def send_meets(handler):
        """The next sendings meet with this; the network as it is, if None."""
        phone.page.unroute_all()
        if handler:
            phone.page.route("**/send/", handler)

    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()

        # Before sending: no network, and the phone is reloaded with what it holds.
        phone.page.context.set_offline(True)
        phone.enter(1)
        phone.tap("agree")
        expect(phone.row(1)).to_have_text(f"+66 · {kept}")
        phone.page.reload()
        expect(phone.row(1)).to_have_text(f"+66 · {kept}")
        expect(phone.status).to_contain_text(words("net.offline"))
        expect(phone.status).to_contain_text(words("kept_here", count=2))
        phone.tap("after")  # the coming positions are there too
        expect(phone.page.locator(".etui")).to_have_count(4)
        phone.tap("home")
        assert current(session) == {}
        phone.page.context.set_offline(False)
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        assert current(session) == {1: 1}

        # While sending: the connection breaks.
        send_meets(lambda route: route.abort())
        phone.enter(2)
        phone.tap("agree")
        expect(phone.row(2)).to_have_text(f"+66 · {kept}")
        assert current(session) == {1: 1}

        # The site has taken it, and its answer is lost.
        send_meets(lambda route: (route.fetch(), route.abort()))
        with phone.page.expect_event("requestfailed"):
            phone.look()
        assert current(session) == {1: 1, 2: 1}
        expect(phone.row(2)).to_have_text(f"+66 · {kept}")
        phone.page.reload()
        expect(phone.row(2)).to_have_text(f"+66 · {kept}")
        send_meets(None)
        phone.look()
        expect(phone.row(2)).to_have_text(f"+66 · {words('state.confirmed')}")

        # A captive portal says 200 to everything.
        send_meets(lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Welcome</h1>"))
        phone.enter(3)
        phone.tap("agree")
        expect(phone.status).to_contain_text(words("net.portal"))
        expect(phone.row(3)).to_have_text(f"+66 · {kept}")
        send_meets(lambda route: route.fulfill(status=200, json={"server": "topage", "receipts": []}))
        phone.look()
        expect(phone.row(3)).to_have_text(f"+66 · {kept}")
        send_meets(None)
        phone.look()
        expect(phone.row(3)).to_have_text(f"+66 · {words('state.confirmed')}")
        expect(phone.status).to_contain_text(
            str(ResultEntry.objects.get(play__etui__number=3, play__session=session).pk)
        )
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
    assert current(session) == {1: 1, 2: 1, 3: 1}
    assert ResultEntry.objects.filter(play__session=session).count() == 3
    assert EntryCheck.objects.filter(entry__play__session=session).count() == 3


def test_second_device_agrees_and_two_that_wrote_apart_end_in_a_shown_conflict(table, problems):
    session, address = evening(check="other")
    with table(address) as first, table(address) as second:
        first.tap("write")
        expect(first.heading).to_have_text(words("ask.etui"))
        second.page.reload()
        expect(second.heading).to_have_text(words("join_taken", table=1))
        second.tap("follow", "menu", "language", "back")
        expect(second.page.locator("html")).to_have_attribute("lang", "en")
        expect(second.heading).to_have_text(words("etuis_of", "en", position=1))

        first.enter(1)
        expect(first.heading).to_have_text(words("saved"))
        first.tap("home-list")
        expect(first.row(1)).to_have_text(f"+66 · {words('state.to_check')}")
        second.look()
        expect(second.row(1)).to_have_text(f"+66 · {words('state.to_check', 'en')}")
        second.etui(1)
        expect(second.page.locator(".score-lines")).to_contain_text("Garde made by 8")
        second.tap("agree")
        expect(second.row(1)).to_have_text(f"+66 · {words('state.confirmed', 'en')}")
        first.look()
        expect(first.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")

        first.page.context.set_offline(True)
        first.enter(2)
        first.tap("home-list")
        second.tap("take_over")
        second.enter(2, points=41)
        expect(second.status).to_contain_text("2")
        first.page.context.set_offline(False)
        expect(first.page.locator("[role=alert]")).to_contain_text(words("etui", etui=2))
        expect(first.page.locator("[role=alert]")).to_contain_text("+66")
        expect(first.row(2)).to_contain_text(words("state.look"))
        assert axe(first.page) == []
        first.tap(f"dismiss-{ResultEntry.objects.get(contested=True).key}")
        expect(first.row(2)).to_have_text(f"+50 · {words('state.disputed')}")
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
    assert current(session) == {1: 1, 2: 1}
    assert ResultEntry.objects.filter(play__session=session, contested=True).count() == 1


def test_free_auction_is_entered_twice_without_seeing(table):
    session, address = evening(check="blind", auction="free", etuis=1)
    with table(address) as phone:
        phone.tap("write")
        phone.etui(1)
        phone.tap("E", "garde_sans")
        phone.facts(bouts=2, points=45)
        expect(phone.page.locator(".fiche strong")).to_have_text("+116")
        phone.tap("save")
        expect(phone.page.locator(".fiche")).to_have_count(0)
        phone.tap("blind", "E", "garde_sans")
        phone.facts(bouts=2, points=45)
        phone.tap("save")
        expect(phone.row(1)).to_have_text(f"+116 · {words('state.confirmed')}")
    assert current(session) == {1: 1}
    row = ResultEntry.objects.get(play__session=session)
    assert (row.taker, row.contract, row.seat, row.checks.get().seat) == ("E", "garde_sans", "N", "E")


def test_code_that_opens_nothing_is_told_and_what_was_typed_is_kept(table, problems):
    session, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        expect(phone.heading).to_have_text(words("ask.etui"))
        renewed = renew_token(table=session.tables.get(number=1), by=make_user("directrice"), now=timezone.now())
        phone.enter(1)
        phone.tap("agree")
        expect(phone.status).to_contain_text(words("net.gone"))
        phone.page.goto(reverse("table_screen", args=[renewed.token]))
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        problems[:] = [problem for problem in problems if "404" not in problem]
    assert current(session) == {1: 1}


def test_result_without_its_play_finds_the_etui_again_or_stays_on_the_screen(table, problems):
    """The plan changes while a table without network plays on: one étui is laid out anew, the other one is gone."""
    session, address = evening(etuis=2)
    first, second = session.plays.filter(table__number=1, position=1).select_related("etui")
    with table(address) as phone:
        phone.tap("write")
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.page.context.set_offline(True)
        for play in (first, second):
            phone.enter(play.etui.number)
            phone.tap("agree")
        session.plays.filter(pk__in=[first.pk, second.pk]).delete()
        Play.objects.bulk_create([Play(**{field.attname: getattr(first, field.attname) for field in FIELDS})])
        phone.page.context.set_offline(False)
        expect(phone.row(first.etui.number)).to_have_text(f"+66 · {words('state.confirmed')}")
        alert = phone.page.locator("[role=alert]", has=phone.page.locator(".score-lines"))
        expect(alert).to_contain_text(words("etui", etui=second.etui.number))
        expect(alert).to_contain_text(words("typed_kept", score="+66"))
        phone.page.reload()
        expect(alert).to_contain_text("+66")
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
    assert current(session) == {first.etui.number: 1}


def test_etui_that_is_owed_comes_before_the_position_called_since(table):
    session, address = evening(etuis=1)
    Session.objects.filter(pk=session.pk).update(position=2)
    (owed, next_one) = session.plays.filter(table__number=1, position__lte=2).values_list("etui__number", flat=True)
    with table(address) as phone:
        phone.tap("write")
        debt = phone.page.locator(".notice-warning", has_text=words("owed"))
        expect(debt).to_have_text(f"{words('owed')} {owed}")  # before the players move
        phone.tap("after")
        phone.etui(next_one)
        expect(phone.page.locator("main")).to_contain_text(words("order.other", first=owed))
        phone.tap("yes", "home")
        expect(debt).to_contain_text(words("owed_etui", etui=owed, position=1))


def test_result_waits_on_the_phone_while_the_database_is_stopped(table, problems, settings, postgres_server):
    settings.DATABASE_SECONDS = 2
    session, address = evening()
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        postgres_server.freeze()
        try:
            phone.enter(1)
            phone.tap("agree")
            expect(phone.row(1)).to_have_text(f"+66 · {words('state.kept')}")
            expect(phone.status).to_contain_text(words("net.trouble"))
            expect(phone.status).to_contain_text(words("kept_here", count=2))
        finally:
            postgres_server.thaw()
        phone.look()
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        problems[:] = [problem for problem in problems if "503" not in problem]
    assert current(session) == {1: 1}
