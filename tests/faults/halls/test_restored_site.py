"""A laptop whose site is restored from an older backup in mid-evening, while a phone holds more than the backup.

All is real: the commands `backup` and `restore --replace`, the site before and after, and a phone in Chromium. The
phone has receipts for results that the backup lacks, and a result that it typed while no site was there.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LOW_PHONE, browser  # noqa: F401 (a fixture)
from tests.browser.devices import Table, words
from tests.faults.halls.small_hall import SmallHall
from tests.services.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.nightly("process")


def confirmed(phone, etui):
    expect(phone.row(etui)).to_have_text(f"+66 · {words('state.confirmed')}")


def test_phone_brings_back_what_a_restored_backup_lacks(browser, serve, migrated_laptop, tmp_path):  # noqa: F811
    hall = SmallHall(tmp_path / "site", migrated_laptop)
    hall.run("call_first_position()")
    mine = [play for play in hall.plays if (play["table"], play["position"]) == (1, 1)]
    first, second = (play["etui"] for play in mine)
    others = [play for play in hall.plays if play["table"] != 1]
    site = serve(**hall.environment)
    with browser.new_context(
        viewport=dict(zip(("width", "height"), LOW_PHONE, strict=True)), locale="fr-FR"
    ) as context:
        context.set_default_timeout(PATIENCE * 1000)
        phone = Table(context.new_page(), site.address(f"/t/{mine[0]['token']}/"))
        phone.tap("write")
        phone.is_kept()
        for play in others[:4]:
            hall.play_one(site, play)
        backup = tmp_path / "before.gz"
        hall.command("backup", str(backup))

        phone.enter(first)
        phone.tap("agree", "skip")
        confirmed(phone, first)
        wait_until(lambda: len(hall.examine(seconds=0)["checks"]) == 5, what="the other side's word")
        before = hall.examine()
        site.child.stop()
        phone.enter(second)
        phone.tap("agree", "skip")
        expect(phone.row(second)).to_have_text(f"+66 · {words('state.kept')}")

        hall.command("restore", "--replace", "--yes", str(backup))
        restored = hall.examine(seconds=0)
        assert len(restored["entries"]) == len(restored["checks"]) == 4
        site = serve(**hall.environment, port=site.port)
        for play in others[4:8]:
            hall.play_one(site, play)
        phone.look()
        for etui in (first, second):
            confirmed(phone, etui)
        expect(phone.page.locator("[role=alert]")).to_have_count(0)
        wait_until(lambda: len(hall.examine(seconds=0)["checks"]) == 10, what="all words of the phone")
    found = hall.examine()
    assert before["entries"].keys() < found["entries"].keys()
    assert set(before["checks"]) < set(found["checks"])
    assert sorted(found["current"]) == sorted(play["id"] for play in [*mine, *others[:8]])
    assert len(found["entries"]) == 10
    assert (found["fresh"], found["exact"]) == (True, True)
    # No number that the site had given comes again for another result.
    given = {number: key for key, number in before["entries"].items()}
    assert all(given.get(number, key) == key for key, number in found["entries"].items())
