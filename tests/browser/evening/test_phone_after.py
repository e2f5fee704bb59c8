"""The phone of a table once its results are published: it shows no clock, no last call, and no settled question."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import LOW_PHONE
from tests.browser.devices import words
from tests.evenings.requests.world import Four
from tests.evenings.tables.phones import tokens_of
from tests.factories import enter_all, make_director, publish, published_session, started_session
from tests.services.waiting import wait_until
from tournaments.models import Session, Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def test_last_call_is_not_shown_over_published_results(open_page):
    session = started_session(positions=2, etuis_per_position=2)
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    Session.objects.filter(pk=session.pk).update(position=2)
    Table.objects.filter(session=session).update(last_call=2)
    address = reverse("table_screen", args=[tokens_of(session)[1]])
    with open_page(LOW_PHONE) as phone:
        phone.goto(address)
        phone.click("[data-key=write]")
        expect(phone.locator("#clock")).to_contain_text("Dernière donne")
        enter_all(session, by=director, plays=session.plays.filter(position=2).select_related("etui"))
        publish(session, by=director)
        phone.goto(address)
        phone.wait_for_selector(".published li")
        expect(phone.locator("#clock")).to_have_text("")
        assert "is-late" not in phone.locator("#clock").get_attribute("class")


def test_others_are_not_asked_any_more_once_all_have_answered(open_page):
    session = published_session()
    four = Four(session)
    request = four.ask()
    address = reverse("table_screen", args=[tokens_of(session)[four.play.table.number]])
    lines = [line for line, entrant in four.play.seats.items() if entrant.pk != request.entrant_id]
    with open_page(LOW_PHONE) as phone:
        phone.goto(address)
        question = phone.get_by_text(words("request_agree"), exact=True)
        expect(question).to_be_visible()
        for line in lines[:2]:
            phone.click(f"[data-key='agrees-{request.pk}-{line}']")
        expect(question).to_be_visible()
        phone.click(f"[data-key='denies-{request.pk}-{lines[2]}']")
        expect(question).to_have_count(0)
        wait_until(lambda: request.answers.count() == 3, what="the three words")
