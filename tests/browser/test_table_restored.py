"""Two devices of a table after an older copy is put back: one had entered, the other one had checked."""

import pytest
from playwright.sync_api import expect

from tests.browser.devices import current, evening, words
from tests.browser.test_table_arbiter import agreed, back_up, play_of
from tests.services.waiting import wait_until
from tournaments.models import EntryCheck, ResultEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("process")]


def test_check_that_is_sent_again_does_not_agree_with_another_result(table):
    """Let the result be lost with its phone: a third phone enters another result, which nobody has checked."""
    session, address = evening(etuis=1, check="other")
    with table(address) as checker:
        with table(address) as writer:
            writer.tap("write")
            checker.page.reload()
            checker.tap("follow")
            restore = back_up(session)
            writer.enter(1)
            expect(writer.heading).to_have_text(words("saved"))
            wait_until(ResultEntry.objects.exists, what="the result")
            checker.look()
            expect(checker.row(1)).to_have_text(f"+66 · {words('state.to_check')}")
            checker.etui(1)
            checker.tap("agree")
            agreed(session, 1)
        restore()
        with table(address) as other:
            other.tap("write")
            other.enter(1, points="45")
            expect(other.heading).to_have_text(words("saved"))
            wait_until(ResultEntry.objects.exists, what="the other result")
            with checker.page.expect_response("**/send/**") as answer:
                checker.look()
            assert [receipt["code"] for receipt in answer.value.json()["receipts"]] == ["corrected_meanwhile"]
            checker.look()
    assert current(session) == {1: 1}
    assert not EntryCheck.objects.exists()


@pytest.mark.nightly("process")
def test_check_of_another_devices_result_comes_back_after_an_older_copy(table):
    """Let the device that checked ask first: the site has then nothing yet that could be checked."""
    session, address = evening(etuis=1, check="other")
    with table(address) as writer, table(address) as checker:
        writer.tap("write")
        checker.page.reload()
        checker.tap("follow")
        restore = back_up(session)
        writer.enter(1)
        expect(writer.heading).to_have_text(words("saved"))
        wait_until(ResultEntry.objects.exists, what="the result")
        began = play_of(session, 1).started_at
        checker.look()
        expect(checker.row(1)).to_have_text(f"+66 · {words('state.to_check')}")
        checker.etui(1)
        checker.tap("agree")
        agreed(session, 1)
        keys = set(EntryCheck.objects.values_list("key", flat=True))
        expect(checker.row(1)).to_have_text(f"+66 · {words('state.confirmed')}")
        restore()
        with checker.page.expect_response("**/state/**"):
            checker.look()
        writer.look()
        wait_until(ResultEntry.objects.exists, what="the result, again")
        checker.look()
        agreed(session, 1)
    assert current(session) == {1: 1}
    assert set(EntryCheck.objects.values_list("key", flat=True)) == keys
    assert abs(play_of(session, 1).started_at - began).total_seconds() < 1
