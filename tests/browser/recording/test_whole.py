"""A whole deal on a table's phone: card by card after its result, if the session has tables record whole deals."""

import pytest
from playwright.sync_api import expect

from tests.browser.devices import axe, evening, words
from tests.browser.recording.deals import await_receipts, play_garde, recorded, tap_all
from tests.browser.recording.test_lead import keep_result, plays_of
from tests.services.waiting import wait_until
from tournaments.models import PlayRecord, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def recording_evening(**shape):
    """Return a session whose tables may record whole deals, and the address of table 1."""
    session, address = evening(**shape)
    Session.objects.filter(pk=session.pk).update(whole_records=True)
    return session, address


def names_of(play):
    """Return the names of the players in the order of play, from the leader."""
    order = {"N": "WSEN", "W": "SENW", "S": "ENWS", "E": "NWSE"}[play.etui.dealer]
    return [play.seats[line].name for line in order]


def test_setting_off_asks_for_the_lead_alone(table):
    session, address = evening(etuis=1)
    with table(address) as phone:
        phone.tap("write")
        keep_result(phone, 1)
        expect(phone.page.locator("[data-key=undo-card]")).to_have_count(0)
        phone.tap("card-1", "home")
        wait_until(lambda: recorded(plays_of(session)[0]) == ["1"], what="the lead")
        await_receipts(phone.page)


def test_each_card_is_one_tap_and_the_screen_says_whose_turn_it_is(table):
    session, address = recording_evening(etuis=1)
    (play,) = plays_of(session)
    first, second, third, fourth = names_of(play)
    with table(address) as phone:
        page = phone.page
        said = page.locator("#said")
        phone.tap("write")
        keep_result(phone, 1)
        expect(phone.heading).to_have_text(words("ask.lead", name=first))
        phone.tap("card-♠R")
        expect(phone.heading).to_have_text(words("record_turn", trick=1, name=second))
        expect(said).to_have_text(f"Roi de pique. {words('record_turn', trick=1, name=second)}")
        phone.tap("card-♠2", "card-17")
        expect(phone.heading).to_have_text(words("record_turn", trick=1, name=fourth))
        assert (axe(page), phone.fits()) == ([], True)
        phone.tap("card-♠5")
        won = words("trick_won", trick=1, name=third)
        expect(said).to_have_text(f"5 de pique. {won}. {words('record_turn', trick=2, name=third)}")
        expect(page.locator(".taps-trick .is-winner")).to_contain_text("17")

        # One tap undoes, as often as there are cards.
        phone.tap("undo-card", "undo-card", "card-♠D")
        expect(phone.heading).to_have_text(words("record_turn", trick=1, name=fourth))
        expect(page.locator(".is-taken")).to_have_count(3)
        phone.tap("card-♠5")

        # A reload and a look at the list lose nothing. What is tapped so far is a record.
        page.reload()
        expect(phone.heading).to_have_text(words("record_turn", trick=2, name=first))
        phone.tap("home")
        wait_until(lambda: recorded(play) == ["♠R", "♠2", "♠D", "♠5"], what="the first trick")
        page.go_back()
        phone.tap("card-♦R", "skip")
        expect(page.locator(".taps-noted")).to_contain_text(words("cards_noted", count=5))
        wait_until(lambda: recorded(play) == ["♠R", "♠2", "♠D", "♠5", "♦R"], what="one card more")
        phone.tap("noted", "claim", "attack")
        expect(phone.heading).to_have_text(words("claimed.attack"))
        expect(page.locator("[data-key='card-♦1']")).to_have_attribute("aria-disabled", "true")
        assert (axe(page), phone.fits()) == ([], True)
        phone.tap("skip")
        wait_until(lambda: PlayRecord.objects.filter(current=True, text__contains="claim attack"), what="the claim")
        await_receipts(phone.page)
    assert PlayRecord.objects.filter(play=play, current=True).count() == 1


def test_card_that_its_player_denied_is_refused_unless_it_was_a_revoke(table):
    session, address = recording_evening(etuis=1)
    (play,) = plays_of(session)
    first, second, third, _fourth = names_of(play)
    with table(address) as phone:
        page = phone.page
        phone.tap("write")
        keep_result(phone, 1)
        phone.tap("card-♠R", "card-♠2", "card-♥3", "card-♠5")  # the third player has neither spades nor trumps
        phone.tap("card-♣R", "card-♣2")
        expect(phone.heading).to_have_text(words("record_turn", trick=2, name=third))
        expect(page.locator(".is-denied")).to_have_count(14 - 3 + 21)
        phone.tap("card-♠D")
        alert = page.locator("[role=alert]")
        expect(alert).to_contain_text(words("card_denied", name=third, card="♠\ufe0eD", trick=1))
        expect(page.locator("[data-key='card-♠D']")).to_be_focused()
        assert (axe(page), phone.fits()) == ([], True)
        phone.tap("card-♣3")
        expect(alert).to_have_count(0)
        phone.tap("undo-card", "card-♠D", "really")
        expect(page.locator("[data-key='card-♠D']")).to_have_attribute("aria-disabled", "true")
        phone.tap("skip")
        wait_until(lambda: recorded(play) == ["♠R", "♠2", "♥3", "♠5", "♣R", "♣2", "♠D"], what="the revoke")
        await_receipts(phone.page)
    assert (first, second) != (third, third)


def test_keyboard_alone_records_the_cards(table):
    session, address = recording_evening(etuis=1)
    (play,) = plays_of(session)
    with table(address) as phone:
        page, press = phone.page, phone.page.keyboard.press
        phone.tap("write")
        keep_result(phone, 1)
        expect(phone.heading).to_be_focused()
        press("Tab")  # not to ask any more
        press("Tab")
        expect(page.locator("[data-key='card-♠R']")).to_be_focused()
        press("Enter")
        expect(page.locator("[data-key='card-♠R']")).to_be_focused()  # the focus stays where it is
        press("ArrowDown")
        expect(page.locator("[data-key='card-♠6']")).to_be_focused()
        press("Space")
        for key in ("ArrowDown", "ArrowRight", "Enter"):
            press(key)
        expect(page.locator("[data-key='card-♥D']")).to_have_attribute("aria-disabled", "true")
        press("Backspace")
        expect(page.locator("[data-key='card-♥D']")).not_to_have_attribute("aria-disabled", "true")
        for _ in range(12):
            press("ArrowDown")
        press("ArrowRight")
        expect(page.locator("[data-key='card-3']")).to_be_focused()
        press("Tab")
        expect(page.locator("[data-key=undo-card]")).to_be_focused()
        press("Shift+Tab")
        expect(page.locator("[data-key='card-3']")).to_be_focused()  # one stop for all cards, where it was left
        press("Tab")
        press("Tab")
        press("Enter")
        wait_until(lambda: recorded(play) == ["♠R", "♠6"], what="two cards")
        await_receipts(phone.page)


def test_whole_deal_without_network_is_stored_once_and_compared_with_the_result(table, problems):
    session, address = recording_evening(etuis=2)
    right, wrong = plays_of(session)
    with table(address) as phone:
        page = phone.page
        phone.tap("write")
        phone.is_kept()
        cards, result = play_garde(right)
        page.context.set_offline(True)
        keep_result(phone, 1, bouts=result.bouts, points=result.half_points // 2)
        tap_all(page, cards[:50])
        page.reload()
        expect(page.locator(".is-taken")).to_have_count(50)
        tap_all(page, cards[50:])
        expect(phone.heading).to_have_text(words("record_over"))
        phone.tap("skip")
        page.context.set_offline(False)
        wait_until(lambda: recorded(right) == cards, what="the whole deal")
        expect(phone.row(1)).to_contain_text(words("state.confirmed"))

        cards, result = play_garde(wrong, seed=2)
        keep_result(phone, 2, bouts=result.bouts, points=result.half_points // 2 - 3)
        tap_all(page, cards)
        phone.tap("skip")
        wait_until(lambda: recorded(wrong) == cards, what="the other deal")
        phone.look()
        expect(phone.row(2)).to_contain_text(words("state.look"))
        expect(phone.row(1)).to_contain_text(words("state.confirmed"))
        phone.etui(2)
        expect(page.locator(".notice-warning")).to_contain_text("Les cartes notées donnent")
        assert axe(page) == []
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
        await_receipts(phone.page)
    assert PlayRecord.objects.count() == 2


def test_english_screen_speaks_english(table):
    session, address = recording_evening(etuis=1)
    (play,) = plays_of(session)
    with table(address) as phone:
        phone.tap("write", "menu", "language", "menu")
        keep_result(phone, 1)
        phone.tap("card-♠R")
        name = names_of(play)[1]
        expect(phone.page.locator("#said")).to_have_text(
            f"Roi of spades. {words('record_turn', 'en', trick=1, name=name)}"
        )
        await_receipts(phone.page)
