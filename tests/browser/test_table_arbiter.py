"""The screen of a table and the arbiter: the call without network, the visit, corrections, withdrawn results.

A table sees the results of the others once its own result is settled. After a backup is restored, the phone sends again
the commands that it has receipts for.
"""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from evenings.plays.entering import correct_result, withdraw_result
from evenings.plays.ruling import answer_call
from evenings.standings.computing import refresh
from evenings.tables.devices import renew_token
from pages.doors import session_url
from tests.browser.devices import FIELDS, axe, current, evening, words
from tests.browser.test_evening import log_in
from tests.factories import enter, garde, make_director, publish
from tests.services.waiting import wait_until
from tournaments.models import ArbiterCall, EntryCheck, LogEntry, Play, ResultEntry, Session, Table, TableDevice

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

AN_HOUR_AHEAD = """() => new Promise((done, failed) => indexedDB.open("topage-table").onsuccess = ({ target }) => {
    const transaction = target.result.transaction("commands", "readwrite");
    const commands = transaction.objectStore("commands");
    commands.getAll().onsuccess = ({ target: { result } }) => result.forEach((command) => {
        const at = new Date(Date.parse(command.receipt.at) + 3600_000).toISOString();
        commands.put({ ...command, receipt: { ...command.receipt, at } });
    });
    transaction.oncomplete = () => { target.result.close(); done(); };
    transaction.onabort = failed;
})"""


def agreed(session, count):
    """Wait until the other side agrees with that many results."""
    checks = EntryCheck.objects.filter(entry__play__session=session, entry__current=True, agrees=True)
    wait_until(lambda: checks.count() == count, 60, "the table's words")


def play_of(session, etui):
    return session.plays.select_related("etui").get(table__number=1, position=1, etui__number=etui)


def test_first_digit_replaces_the_points_that_were_answered_before(table):
    session, address = evening(etuis=1)
    with table(address) as phone:
        typed = phone.page.locator(".typed output")
        phone.tap("write")
        phone.etui(1)
        phone.page.locator("main .answer").nth(1).click()  # one bout
        phone.tap("digit-7", "digit-8", "next")
        phone.page.go_back()
        expect(typed).to_have_text("78")
        phone.tap("digit-4")
        expect(typed).to_have_text("4")
        phone.tap("digit-8")
        expect(typed).to_have_text("48")
        phone.page.reload()  # after a reload the next digit is added to what was typed
        phone.tap("erase", "digit-9")
        expect(typed).to_have_text("49")
        phone.tap("next", "petit-none", "save", "agree", "skip")
        agreed(session, 1)
    assert ResultEntry.objects.get(play__session=session).half_points == 98


def test_call_without_network_is_not_heard_and_then_the_arbiter_comes(table, problems):
    session, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        call = phone.page.locator("[data-key=call]")
        phone.page.context.set_offline(True)
        phone.tap("call")
        expect(phone.status).to_contain_text(words("call_kept"))
        assert "1" not in phone.status.inner_text()  # a call does not count as an entry
        expect(call).to_have_text(words("uncall_kept"))
        assert (axe(phone.page), phone.fits()) == ([], True)
        phone.page.context.set_offline(False)
        expect(call).to_have_text(words("uncall"))
        answer_call(
            session_id=session.pk,
            call_id=ArbiterCall.objects.get().pk,
            by=make_director(session.tournament.club),
            now=timezone.now(),
        )
        phone.look()
        expect(phone.status).to_have_text(words("arbiter_comes"))
        expect(call).to_have_text(words("call"))
        problems[:] = [problem for problem in problems if "ERR_" not in problem]


def test_what_the_arbiter_corrects_and_withdraws_says_so(table):
    session, address = evening(etuis=2)
    director, (first, second) = make_director(session.tournament.club), [play_of(session, etui) for etui in (1, 2)]
    with table(address) as phone:
        phone.tap("write")
        for etui in (1, 2):
            phone.enter(etui)
            phone.tap("agree", "skip")
        agreed(session, 2)
        correct_result(
            play_id=first.pk, entry=garde(first.etui.taker, points=52), reason="fiche relue", seen_version=1,
            by=director, now=timezone.now(),
        )  # fmt: skip
        withdraw_result(
            play_id=second.pk, seen_version=1, reason="tapé sur la mauvaise ligne", by=director, now=timezone.now()
        )
        phone.look()
        expect(phone.row(1)).to_have_text(f"+72 · {words('arbiter.corrected')}")
        expect(phone.row(2)).to_have_text(words("state.withdrawn"))
        assert (axe(phone.page), phone.fits()) == ([], True)
        phone.enter(2, points=50)
        phone.tap("agree")  # the opening lead is asked for once
        expect(phone.row(2)).to_have_text(f"+68 · {words('state.confirmed')}")
        agreed(session, 1)
    assert current(session) == {1: 2, 2: 2}


def test_topage_is_shown_once_the_other_side_agrees_and_then_nothing_is_corrected(table):
    session, address = evening(etuis=1, check="same")
    Session.objects.filter(pk=session.pk).update(shows_after=Session.ShownAfter.TOPAGE)
    elsewhere = session.plays.select_related("etui").filter(etui__number=1).exclude(table__number=1).first()
    enter(elsewhere, garde(elsewhere.etui.taker, points=60), by=make_director(session.tournament.club))
    with table(address) as phone:
        phone.tap("write")
        phone.enter(1)
        expect(phone.page.locator("[data-key=agree]")).to_be_visible()
        phone.page.go_back()
        refresh(session.pk, now=timezone.now())
        phone.look()
        expect(phone.page.locator("[data-key=correct]")).to_be_visible()
        expect(phone.page.locator(".after")).to_have_count(0)
        phone.tap("check", "agree", "skip")
        agreed(session, 1)
        expect(phone.page.locator(".after li")).to_have_count(2)
        expect(phone.page.locator("[data-key=correct]")).to_have_count(0)
        expect(phone.page.locator("main")).to_contain_text(words("final"))
        assert axe(phone.page) == []


def back_up(session):
    """Return a function that restores the session as it is now, before anything is played."""
    backup = Session.objects.values("results_version", "revision").get(pk=session.pk)
    tables = list(session.tables.all())

    def restore():
        for lost in (EntryCheck, ResultEntry, ArbiterCall, LogEntry, TableDevice):
            lost.objects.all().delete()
        Play.objects.update(started_at=None)
        Session.objects.filter(pk=session.pk).update(**backup)
        Table.objects.bulk_update(tables, ["revision"])

    return restore


def test_results_that_a_restored_backup_has_lost_come_back_from_the_phone(table):
    """Restore a backup older than the first result.

    Meanwhile the second étui has been laid out anew, under another number, and the clock of the site has been set back
    by an hour.
    """
    session, address = evening(etuis=2)
    restore = back_up(session)
    with table(address) as phone:
        phone.tap("write")
        for etui in (1, 2):
            phone.enter(etui)
            phone.tap("agree", "skip")
        agreed(session, 2)
        expect(phone.row(2)).to_have_text(f"+66 · {words('state.confirmed')}")
        keys = set(ResultEntry.objects.values_list("key", flat=True))
        restore()
        second = play_of(session, 2)
        second.delete()
        Play.objects.bulk_create([Play(**{field.attname: getattr(second, field.attname) for field in FIELDS})])
        phone.page.evaluate(AN_HOUR_AHEAD)
        phone.page.reload()
        agreed(session, 2)
        expect(phone.page.locator(".etui .state", has_text=words("state.confirmed"))).to_have_count(2)
        expect(phone.status).to_contain_text("2")
        assert phone.page.locator("[role=alert]").count() == 0
        phone.page.reload()
        expect(phone.page.locator(".etui .state", has_text=words("state.confirmed"))).to_have_count(2)
    assert current(session) == {1: 1, 2: 1}
    assert set(ResultEntry.objects.values_list("key", flat=True)) == keys
    assert list(EntryCheck.objects.values_list("agrees", flat=True)) == [True, True]


def test_check_refused_for_want_of_its_result_is_sent_again_once_it_is_back(table):
    """Let the other side agree after the restore, before the phone knows of it."""
    session, address = evening(etuis=1)
    restore = back_up(session)
    with table(address) as phone:
        phone.tap("write")
        phone.enter(1)
        expect(phone.page.locator("[data-key=agree]")).to_be_visible()
        expect(phone.status).to_contain_text(str(wait_until(ResultEntry.objects.first, what="the result").pk))
        phone.page.route("**/state/**", lambda route: route.abort())  # the phone learns of it only by what it sends
        restore()
        with phone.page.expect_response("**/send/") as answer:
            phone.tap("agree", "skip")
        assert [receipt["code"] for receipt in answer.value.json()["receipts"]] == ["nothing_to_check"]
        phone.page.unroute_all(behavior="wait")
        agreed(session, 1)
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        assert phone.page.locator("[role=alert]").count() == 0
    assert (current(session), EntryCheck.objects.count()) == ({1: 1}, 1)


def test_start_and_call_that_a_restored_backup_has_lost_come_back_from_the_phone(table):
    """Check that both come back with the number of the call and with the time that the site had given."""
    session, address = evening(etuis=1)
    restore = back_up(session)
    with table(address) as phone:
        phone.tap("write")
        phone.etui(1)
        began = wait_until(lambda: play_of(session, 1).started_at, what="the start")
        phone.page.go_back()
        phone.tap("menu", "call")
        call = wait_until(lambda: ArbiterCall.objects.first(), what="the call")
        expect(phone.page.locator("[data-key=call]")).to_have_text(words("uncall"))
        restore()
        phone.look()
        wait_until(lambda: play_of(session, 1).started_at, what="the start, again")
        wait_until(ArbiterCall.objects.exists, what="the call, again")
        again = ArbiterCall.objects.get()
        assert (again.key, again.answered_at) == (call.key, None)
        assert abs(play_of(session, 1).started_at - began).total_seconds() < 1
        expect(phone.page.locator("[data-key=call]")).to_have_text(words("uncall"))


def test_published_session_that_has_lost_a_result_is_sent_nothing(table):
    session, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write")
        phone.enter(1)
        phone.tap("agree", "skip")
        agreed(session, 1)
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        publish(session, by=make_director(session.tournament.club), allow_missing=True)
        for lost in (EntryCheck, ResultEntry):
            lost.objects.all().delete()
        sent = []
        phone.page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
        for _ in range(3):  # what the first answer makes the phone send is sent before the last answer
            with phone.page.expect_request(lambda request: "/state/" in request.url) as asked:
                phone.look()
            assert asked.value.response().ok
    assert sent == []
    assert current(session) == {}


def test_results_that_are_lost_with_their_code_come_back_under_the_new_one(table):
    session, address = evening(etuis=1)
    director = make_director(session.tournament.club)
    with table(address) as phone:
        phone.tap("write")
        phone.enter(1)
        phone.tap("agree", "skip")
        agreed(session, 1)
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        for lost in (EntryCheck, ResultEntry, LogEntry):
            lost.objects.all().delete()
        renewed = renew_token(table=session.tables.get(number=1), by=director, now=timezone.now())
        phone.page.goto(reverse("table_screen", args=[renewed.token]))
        agreed(session, 1)
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
    assert current(session) == {1: 1}


def test_director_withdraws_a_result_and_changes_the_settings_while_tables_play(table, laptop):
    session, address = evening(etuis=1)
    make_director(session.tournament.club)
    play = play_of(session, 1)
    with table(address) as phone:
        phone.tap("write")
        phone.enter(1)
        phone.tap("agree", "skip")
        agreed(session, 1)
        log_in(laptop, "directrice")
        laptop.goto(session_url("play", session, play.pk))
        laptop.get_by_text("Ce résultat est celui d’un autre étui ou d’une autre table").click()
        laptop.fill("#withdraw-reason", "tapé sur la mauvaise ligne")
        laptop.get_by_role("button", name="Retirer ce résultat").click()
        laptop.get_by_role("button", name="Appliquer").click()
        expect(laptop.locator("main")).to_contain_text("tapé sur la mauvaise ligne")
        expect(laptop.locator("#save")).to_be_visible()
        assert axe(laptop) == []
        laptop.goto(session_url("session", session))
        laptop.get_by_role("button", name="Plus", exact=True).click()
        laptop.get_by_role("link", name="Réglages de la séance").click()
        laptop.get_by_label("Vérification par l’autre camp").select_option("none")
        assert axe(laptop) == []
        laptop.get_by_role("button", name="Enregistrer").click()
        expect(laptop.locator("main")).to_contain_text("Les nouveaux réglages valent")
        phone.look()
        expect(phone.row(1)).to_have_text(words("state.withdrawn"))
        phone.enter(1)
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.entered')}")
        wait_until(lambda: current(session) == {1: 2}, 60)


def test_device_has_a_name_and_a_code_that_opens_nothing_says_what_to_do(table, problems):
    _, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write", "menu")
        expect(phone.page.locator("main")).to_contain_text(words("leave", name="PC 1"))
        assert phone.page.goto(address[:-2] + ("A/" if address[-2] != "A" else "B/")).status == 404
        expect(phone.heading).to_have_text("Ce code ne fonctionne pas")
        expect(phone.page.locator("main")).to_contain_text("Scannez de nouveau la carte de votre table")
        assert axe(phone.page) == []
        problems[:] = [problem for problem in problems if "404" not in problem]
