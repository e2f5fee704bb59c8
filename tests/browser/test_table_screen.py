"""The screen of a table on a phone: the questions of an evening, their order, and the check by the other side.

In every case the database has exactly one current entry a play, and the screen shows what the site has received.
"""

import pytest
from django.db.models import F
from playwright.sync_api import expect

from evenings.plays.desk_state import desk_plays
from tests.browser.devices import axe, current, evening, words
from tournaments.locks import step
from tournaments.models import ArbiterCall, EntryCheck, ResultEntry, Session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.guard("a position is entered on the screen of a table")
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

        # The usual case: imposed Garde, no bonus, checked on the same device.
        phone.taps = 0
        phone.enter(1)
        expect(page.locator(".fiche")).to_have_text(f"{words('fiche')} +66")
        phone.tap("agree", "skip")
        expect(phone.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        assert phone.taps == 9  # étui, bouts, two digits and Next, no petit au bout, save, agree, no lead

        # Double taps, the back button and reloads change nothing. Each bonus adds one question.
        phone.etui(2)
        expect(phone.heading).to_be_focused()
        look_at("bouts", phone)
        keys = page.locator("[data-key]").evaluate_all("keys => keys.map(key => key.dataset.key)")
        assert len({key for key in keys if {*key.split("+")} <= {"none", "21", "petit", "excuse"}}) == 8
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
        phone.tap("next", "poignee", "S", "simple", "next")
        look_at("bonus", phone)
        phone.tap("petit-attack")
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
        page.go_back()  # straight to the list, past the answered questions
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.etui(2)
        phone.tap("check", "agree", "skip")
        page.emulate_media(color_scheme="light")

        # An étui played out of order gets a question. "Not played" is undone. Impossible results are refused, unlikely
        # ones get a question.
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
        phone.tap("petit-none")
        expect(page.locator("[role=alert]")).to_contain_text("77")  # the question whether one side won every trick
        phone.tap("chelem", "announced_failed", "next")
        expect(phone.heading).to_have_text(words("ask.really"))
        phone.tap("yes", "save", "disagree", "correct", "21")
        phone.points(51)
        phone.tap("chelem", "none", "next", "save", "disagree", "correct", "21", "digit-4", "digit-1")
        expect(page.locator(".typed output")).to_have_text("41")
        phone.tap("next", "next")
        phone.tap("save", "agree", "skip")

        # The arbiter is one tap away on every screen. The position ends with the next table of each player.
        phone.etui(4)
        phone.tap("call")
        expect(page.locator("[data-key=call]")).to_have_text(words("uncall"))
        phone.tap("call")
        phone.facts()
        phone.tap("save", "agree", "skip")
        expect(phone.heading).to_have_text(words("complete", position=1))
        expect(page.locator(".next li")).to_have_count(4)
        look_at("complete", phone)
        expect(phone.status).to_contain_text("4")
    assert found == {name: [] for name in found}
    assert fits == dict.fromkeys(fits, True)
    assert current(session) == {1: 1, 2: 1, 3: 3, 4: 1}
    assert EntryCheck.objects.filter(entry__current=True, agrees=True).count() == 4
    assert [call.answered_at is None for call in ArbiterCall.objects.all()] == [False]


PETIT = "[data-key^='petit-']"


@pytest.mark.nightly("browser")
def test_petit_au_bout_is_asked_where_somebody_can_have_it(table):
    session, address = evening(check="none", auction="free")
    with table(address) as phone:
        asked, onward = phone.page.locator(PETIT), phone.page.locator("[data-key=next]")
        phone.tap("write")
        phone.etui(1)
        phone.taps = 0
        phone.tap("N", "garde_contre", "21+excuse")
        phone.points(49)
        expect(asked).to_have_count(3)
        expect(phone.page.locator(f"{PETIT}[aria-pressed=true]")).to_have_count(0)
        expect(onward).to_have_count(0)  # nothing goes on before somebody has answered
        phone.page.reload()
        phone.tap("petit-defence", "save")
        assert phone.taps == 8  # one more at five: the partner
        phone.tap("skip")
        phone.etui(1)
        phone.tap("correct", "N", "garde_contre", "21+excuse", "next")
        expect(phone.page.locator(f"{PETIT}[aria-pressed=true]")).to_have_attribute("data-key", "petit-defence")
        phone.tap("petit-none")
        phone.page.go_back()
        phone.tap("chelem", "unannounced_made")  # the Petit that the attack did not win lies in the chien
        expect(asked).to_have_count(0)
        expect(onward).to_be_visible()
        phone.tap("chelem", "none", "next", "save", "home")
        expect(phone.row(1)).to_have_text(f"+198 · {words('state.entered')}")
    rows = ResultEntry.objects.filter(play__session=session).order_by("version")
    assert list(rows.values_list("petit_au_bout", flat=True)) == ["defence", "none"]


@pytest.mark.nightly("browser")
def test_fiche_whose_facts_cannot_be_goes_to_the_arbiter(table):
    """Check that the fiche is kept as written, that the desk is warned, and that the director settles it."""
    session, address = evening(check="none")
    with table(address) as phone:
        phone.tap("write")
        phone.etui(1)
        phone.tap("21")
        phone.points(90)
        expect(phone.page.locator("[role=alert]")).to_contain_text("82")
        phone.tap("digit-8")  # replaces the refused points
        expect(phone.page.locator(".typed output")).to_have_text("8")
        phone.tap("digit-9", "next", "only-fiche", "-", "digit-5", "digit-1")
        expect(phone.heading).to_have_text(words("ask.figure"))
        assert phone.fits()
        phone.tap("next")
        phone.page.go_back()
        phone.tap("digit-5")  # replaces the answered points
        expect(phone.page.locator(".typed output")).to_have_text("5")
        phone.tap("digit-1", "next")
        expect(phone.page.locator(".fiche strong")).to_have_text("−51")
        phone.tap("save", "skip")
        expect(phone.row(1)).to_contain_text("−51")
        expect(phone.page.locator("[data-key=call]")).to_have_text(words("uncall"))
        expect(phone.status).to_contain_text("1")
    row = ResultEntry.objects.get(play__session=session)
    assert (row.kind, row.fiche_score, row.current) == ("fiche", -51, True)
    assert ArbiterCall.objects.get().play_id == row.play_id
    assert [each.state for each in desk_plays(session, flags=True) if each.play.pk == row.play_id] == ["disputed"]


@pytest.mark.nightly("browser")
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
        first.tap("home-list", "skip")
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
        first.tap("home-list", "skip")
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


@pytest.mark.nightly("browser")
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
        phone.tap("save", "skip")
        expect(phone.row(1)).to_have_text(f"+116 · {words('state.confirmed')}")
    assert current(session) == {1: 1}
    row = ResultEntry.objects.get(play__session=session)
    assert (row.taker, row.contract, row.seat, row.checks.get().seat) == ("E", "garde_sans", "N", "E")


@pytest.mark.nightly("browser")
def test_etui_that_is_owed_comes_before_the_position_called_since(table):
    session, address = evening(etuis=1)
    Session.objects.filter(pk=session.pk).update(position=2)
    (owed, next_one) = session.plays.filter(table__number=1, position__lte=2).values_list("etui__number", flat=True)
    with table(address) as phone:
        phone.tap("write")
        late, debt = (phone.page.locator(".notice-warning", has_text=words(key)) for key in ("late", "owed"))
        expect(late).to_have_text(f"{words('late')} {owed}")  # even before the players move
        phone.tap("after")
        phone.etui(next_one)
        expect(phone.page.locator("main")).to_contain_text(words("order.other", first=owed))
        phone.tap("yes", "home")
        expect(debt).to_contain_text(words("owed_etui", etui=owed, position=1))


@pytest.mark.nightly("browser")
def test_reminder_of_where_each_came_from_stands_below_the_question_and_its_answers(table):
    """Check that the four see the question and can answer it. Once an étui has begun, the reminder is gone."""
    session, address = evening(check="none", etuis=2)
    with table(address) as phone:
        page = phone.page
        phone.tap("write")
        for number in (1, 2):
            phone.enter(number)
            phone.tap("skip")
        expect(phone.heading).to_have_text(words("complete", position=1))
        expect(page.locator(".next h2")).to_have_text(words("where_next"))
        Session.objects.filter(pk=session.pk).update(position=2, revision=F("revision") + step())
        phone.look()
        expect(phone.heading).to_have_text(words("ask.etui"))
        expect(page.locator(".next h2")).to_have_text(words("where_left", position=1))
        assert page.locator("main > *").evaluate_all("all => all.map((one) => one.className || one.localName)") == [
            "h1", "etuis", "next", "around",
        ]  # fmt: skip
        answers, reminder = (page.locator(place).bounding_box() for place in (".etuis", ".next"))
        assert answers["y"] + answers["height"] <= reminder["y"]
        page.locator(".etui.is-next").click()
        expect(phone.heading).to_contain_text("bouts")
        expect(page.locator(".next")).to_have_count(0)
        phone.tap("home")
        expect(phone.heading).to_have_text(words("ask.etui"))
        expect(page.locator(".next")).to_have_count(0)
