"""The screen of a table on a phone that loses its wifi, reloads, loses its code or meets a stopped database.

In every case the database has exactly one current entry a play, and the screen shows what the site has received.
"""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from evenings.tables.devices import renew_token
from tests.browser.devices import FIELDS, current, evening, words
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_user
from tests.services.waiting import PATIENCE
from tournaments.models import EntryCheck, Play, ResultEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def test_nothing_typed_without_network_is_lost_or_doubled(table, problems):
    session, address = evening()
    kept = words("state.kept")

    def send_meets(handler):
        """Answer the next sendings by `handler`. None gives them the normal network."""
        phone.page.unroute_all(behavior="wait")  # sendings under way end first
        if handler:
            phone.page.route("**/send/", handler)

    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()

        # The network is gone before sending, and the phone reloads what it has stored.
        phone.page.context.set_offline(True)
        phone.enter(1)
        phone.tap("agree", "skip")
        expect(phone.row(1)).to_have_text(f"+66 · {kept}")
        phone.page.reload()
        expect(phone.row(1)).to_have_text(f"+66 · {kept}")
        expect(phone.status).to_contain_text(words("net.offline"))
        expect(phone.status).to_contain_text(words("kept_here", count=2))
        phone.tap("after")  # the coming positions are stored too
        expect(phone.page.locator(".etui")).to_have_count(4)
        phone.tap("home")
        assert current(session) == {}
        phone.page.context.set_offline(False)
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        assert current(session) == {1: 1}

        # The connection breaks while sending.
        send_meets(lambda route: route.abort())
        phone.enter(2)
        phone.tap("agree", "skip")
        expect(phone.row(2)).to_have_text(f"+66 · {kept}")
        assert current(session) == {1: 1}

        # The site receives the command, but its answer is lost.
        send_meets(lambda route: (route.fetch(timeout=PATIENCE * 1000), route.abort()))
        with phone.page.expect_event("requestfailed"):
            phone.look()
        assert current(session) == {1: 1, 2: 1}
        expect(phone.row(2)).to_have_text(f"+66 · {kept}")
        phone.page.reload()
        expect(phone.row(2)).to_have_text(f"+66 · {kept}")
        send_meets(None)
        phone.look()
        expect(phone.row(2)).to_have_text(f"+66 · {words('state.confirmed')}")

        # A captive portal answers 200 to everything.
        send_meets(lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Welcome</h1>"))
        phone.enter(3)
        phone.tap("agree", "skip")
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


def test_code_that_opens_nothing_is_told_and_what_was_typed_is_kept(table, problems):
    session, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        expect(phone.heading).to_have_text(words("ask.etui"))
        renewed = renew_token(table=session.tables.get(number=1), by=make_user("directrice"), now=timezone.now())
        phone.enter(1)
        phone.tap("agree", "skip")
        expect(phone.status).to_contain_text(words("net.gone"))
        phone.page.goto(reverse("table_screen", args=[renewed.token]))
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        problems[:] = [problem for problem in problems if "404" not in problem]
    assert current(session) == {1: 1}


def test_result_without_its_play_finds_the_etui_again_or_stays_on_the_screen(table, problems):
    """Change the plan while a table plays without network: one étui is laid out anew, the other one is gone."""
    session, address = evening(etuis=2)
    first, second = session.plays.filter(table__number=1, position=1).select_related("etui")
    with table(address) as phone:
        phone.tap("write")
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.page.context.set_offline(True)
        for play in (first, second):
            phone.enter(play.etui.number)
            phone.tap("agree", "skip")
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


def test_result_waits_on_the_phone_while_the_database_is_stopped(table, problems, settings, postgres_server):
    settings.DATABASE_SECONDS = 2
    session, address = evening()
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        postgres_server.freeze()
        try:
            phone.enter(1)
            phone.tap("agree", "skip")
            expect(phone.row(1)).to_have_text(f"+66 · {words('state.kept')}")
            expect(phone.status).to_contain_text(words("net.trouble"))
            expect(phone.status).to_contain_text(words("kept_here", count=2))
        finally:
            postgres_server.thaw()
        phone.look()
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        problems[:] = [problem for problem in problems if "503" not in problem]
    assert current(session) == {1: 1}


LEASE_OF_ANOTHER_TAB = """ahead => new Promise((resolve, reject) => {
    const request = indexedDB.open("topage-table", 1);
    request.onerror = reject;
    request.onsuccess = () => {
        const transaction = request.result.transaction("values", "readwrite");
        transaction.objectStore("values").put({ holder: "another tab", until: Date.now() + ahead }, "lease");
        transaction.oncomplete = resolve;
    };
})"""


def test_tab_that_is_gone_holds_nothing_up_when_the_phones_clock_falls_back(table):
    session, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.page.evaluate(LEASE_OF_ANOTHER_TAB, 3_600_000)
        phone.enter(1)
        phone.tap("agree", "skip")
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
    assert current(session) == {1: 1}


KEPT = """() => new Promise((done, fail) => {
    const request = indexedDB.open("topage-table");
    request.onerror = () => fail(request.error);
    request.onsuccess = () => {
        const values = request.result.transaction("values").objectStore("values");
        const [names, all] = [values.getAllKeys(), values.getAll()];
        values.transaction.oncomplete = () => {
            request.result.close();
            done(JSON.stringify(names.result.map((name, place) => [name, all.result[place]])));
        };
    };
})"""
LATER = "Date.now = ((now) => () => now() + 37 * 3600 * 1000)(Date.now.bind(Date))"


def test_phone_keeps_no_name_once_its_code_opens_nothing(table, problems):
    session, address = evening(etuis=1)
    names = set(session.entrants.values_list("player__last_name", flat=True))
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        phone.enter(1)
        assert [name for name in names if name in phone.page.evaluate(KEPT)] != []
        renew_token(table=session.tables.get(number=1), by=make_user("directrice"), now=timezone.now())
        phone.look()
        expect(phone.status).to_contain_text(words("net.gone"))
        assert [name for name in names if name in phone.page.evaluate(KEPT)] == []
        assert [name for name in names if name in phone.page.locator("body").inner_text()] == []
        phone.page.reload()
        expect(phone.status).to_contain_text(words("net.gone"))
        problems[:] = [problem for problem in problems if "404" not in problem]


def test_phone_forgets_who_sat_there_when_it_is_opened_after_the_evening(table, problems):
    session, address = evening(etuis=1)
    other = reverse("table_screen", args=[tokens_of(session)[2]])
    names = set(session.entrants.values_list("player__last_name", flat=True))
    with table(address) as phone:
        phone.is_kept()
        expect(phone.page.locator(".seats-at-table")).to_be_visible()
        phone.page.goto(other)
        expect(phone.page.locator(".seats-at-table")).to_be_visible()
        first, second = (where.split("/")[2] for where in (address, other))
        assert f"{first}:state" in phone.page.evaluate(KEPT)
        phone.page.add_init_script(LATER)
        phone.page.context.set_offline(True)
        phone.page.reload()
        expect(phone.heading).to_have_text(words("nothing.offline"))
        kept = phone.page.evaluate(KEPT)
        assert [f"{token}:state" in kept for token in (first, second)] == [False, False]
        assert [name for name in names if name in kept] == []
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
