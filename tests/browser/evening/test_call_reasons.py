"""The call for the arbiter on a phone: the first tap sends it, a second one gives a reason, without network too."""

import pytest
from playwright.sync_api import expect

from tests.browser.devices import axe, evening, words
from tests.services.waiting import wait_until
from tournaments.models import ArbiterCall

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def reason():
    return ArbiterCall.objects.values_list("reason", flat=True).first()


def test_reason_is_one_tap_and_leads_back_to_where_the_call_was_made(table):
    _session, address = evening(etuis=2)
    with table(address) as phone:
        phone.tap("write")
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.etui(1)
        expect(phone.heading).not_to_have_text(words("ask.etui"))
        asked = phone.heading.inner_text()
        phone.tap("call")
        expect(phone.heading).to_have_text(words("call_why"))
        assert (axe(phone.page), phone.fits()) == ([], True)
        wait_until(lambda: reason() == "", what="the call, before its reason")
        phone.tap("reason-cards")
        expect(phone.heading).to_have_text(asked)
        wait_until(lambda: reason() == "cards", what="the reason")
        expect(phone.page.locator("[data-key=call]")).to_have_text(words("uncall"))
        phone.tap("call")
        expect(phone.page.locator("[data-key=call]")).to_have_text(words("call"))
        expect(phone.heading).to_have_text(asked)
        wait_until(lambda: ArbiterCall.objects.filter(answered_at__isnull=False).exists(), what="the call's end")


def test_call_taken_back_before_its_reason_leads_back_too(table):
    _session, address = evening(etuis=2)
    with table(address) as phone:
        phone.tap("write")
        expect(phone.heading).to_have_text(words("ask.etui"))
        phone.tap("call")
        expect(phone.heading).to_have_text(words("call_why"))
        phone.tap("call")
        expect(phone.heading).to_have_text(words("ask.etui"))
        wait_until(lambda: ArbiterCall.objects.filter(answered_at__isnull=False).exists(), what="the call's end")


def test_call_and_reason_without_network_are_both_sent_when_it_is_back(table, problems):
    _session, address = evening(etuis=2)
    with table(address) as phone:
        phone.tap("write")
        phone.is_kept()
        phone.page.context.set_offline(True)
        phone.tap("call", "reason-irregularity")
        expect(phone.status).to_contain_text(words("call_kept"))
        phone.page.context.set_offline(False)
        phone.look()
        wait_until(lambda: reason() == "irregularity", what="the call and its reason")
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
