"""The results of another site that come in while others write, on two connections to PostgreSQL."""

import threading

import pytest
from django.utils import timezone

from archives.elsewhere import results
from rankings.simultaneous.hours import FieldHours, change_hours
from tests.archives.elsewhere import test_sites as sites
from tests.rankings.simultaneous.world import HOUR
from tests.services.test_standings_jobs import blocked_writers, in_threads
from tests.services.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]

simultaneous = sites.simultaneous
far_club = sites.far_club
far = sites.far


def test_results_that_come_again_while_the_hours_move_block_nobody(simultaneous, far_club, far, monkeypatch):
    """Move the hours when the results have taken their first locks, and go on when the other waits."""
    tournament = sites.play_elsewhere(simultaneous, far_club, far)
    sites.bring(simultaneous, tournament)
    opens, by = timezone.now() - HOUR, sites.organiser_of(simultaneous)
    hours = FieldHours(opens, opens + 3 * HOUR, opens + 4 * HOUR)
    reached, goes_on, over = threading.Event(), threading.Event(), threading.Event()
    really = results.find_guest

    def pause(*told):
        reached.set()
        assert goes_on.wait(PATIENCE)
        return really(*told)

    monkeypatch.setattr(results, "find_guest", pause)

    def move():
        assert reached.wait(PATIENCE)
        try:
            return change_hours(simultaneous_id=simultaneous.pk, hours=hours, by=by, now=timezone.now())
        finally:
            over.set()

    def watch():
        wait_until(lambda: over.is_set() or blocked_writers(""), what="the hours to wait, or to be moved")
        goes_on.set()

    outcomes = in_threads([lambda: sites.bring(simultaneous, tournament).pk, move, watch])
    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
    simultaneous.refresh_from_db()
    assert simultaneous.public_at == hours.public_at
    assert simultaneous.clubs.get(left_at=None).session_id == outcomes[0]
