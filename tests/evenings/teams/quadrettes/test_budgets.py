"""The number of queries of an afternoon of quadrettes: the same for 4 teams and for 40, and after several sessions."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays import desk_state
from evenings.plays.common import kept_common
from evenings.requests.links import ensure_member_links
from evenings.standings import computing
from pages.desk import settled
from pages.doors import session_url
from tests.evenings.requests.world import visit
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.evenings.teams.playing import play_all
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare, start
from tests.factories import make_director, plausible, publish
from tests.pages.browsing import browser_of
from tournaments.models import Session, TableDevice
from tournaments.permissions import kept_session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

SIZES = (4, 40)
RUNNING = {
    "session": 21,
    "hall": 16,
    "session_plan": 16,
    "standings": 16,
    "bulk": 15,
    "changes": 14,
    "line_ups": 16,
    "prints": 16,
    "live_etui": 24,
    "penalties": 14,
    "table": 20,
    "enter": 35,
    "job": 16,
}
PUBLISHED = {"ranking": 14, "feuille": 14, "member": 14, "published_etui": 14, "published_etuis": 14, "personal": 20}


class QuadrettesHall:
    """A session of one position, in which one table has still to enter its results. One was published before it."""

    def __init__(self, teams: int) -> None:
        tournament = make_quadrettes(teams)
        self.by = make_director(tournament.club, f"directrice-{teams}")
        self.browser = browser_of(self.by)
        before = play_all(start(prepare(tournament, positions=1, etuis=2)), by=self.by)
        publish(before, by=self.by)
        self.session = start(prepare(tournament, positions=1, etuis=2))
        play_all(self.session, by=self.by, missing=2)
        Session.objects.filter(pk=self.session.pk).update(position=1)
        self.play = self.session.plays.filter(entries=None).select_related("etui", "table").first()
        self.phone = Phone(tokens_of(self.session)[self.play.table.number])
        self.phone.send("join")
        self.link = next(iter(ensure_member_links(self.session, now=timezone.now()).values()))

    def enter(self):
        entry = plausible(self.play)
        return self.phone.post(
            command("start", play=self.play), command("enter", play=self.play, seat="S", entry=entry)
        )

    def ask(self, name: str):
        if name == "table":
            return self.phone.get()
        if name == "enter":
            return self.enter()
        if name == "job":
            return computing.refresh(self.session.pk, now=timezone.now())
        if name == "personal":
            return visit(self.link)
        entrant, etui = self.play.south_id, self.play.etui.number
        arguments = {"feuille": (1, entrant), "member": (1, entrant), "published_etui": (1, etui)}
        arguments |= {"published_etuis": (1,), "live_etui": (etui,)}
        page = "feuille" if name == "member" else name
        asked = {"member": "1"} if name == "member" else {}
        return self.browser.get(session_url(page, self.session, *arguments.get(name, ())), asked)


def count(hall: QuadrettesHall, name: str) -> int:
    desk_state.kept.clear()
    settled.kept.clear()
    kept_common.cache_clear()
    kept_session.cache_clear()
    with transaction.atomic():
        if name == "job":
            hall.enter()
        TableDevice.objects.update(seen_at=timezone.now())  # a slow run would write it anew
        with CaptureQueriesContext(connection) as asked:
            answer = hall.ask(name)
        transaction.set_rollback(True)
    assert answer is True or answer.status_code == 200, name
    return len(asked)


def test_pages_polls_and_jobs_of_40_quadrettes_cost_what_those_of_4_cost():
    halls = [QuadrettesHall(teams) for teams in SIZES]
    found = {name: [count(hall, name) for hall in halls] for name in RUNNING}
    for hall in halls:
        publish(hall.session, by=hall.by, allow_missing=True)
    found |= {name: [count(hall, name) for hall in halls] for name in PUBLISHED}
    assert {name: counts for name, counts in found.items() if len({*counts}) > 1} == {}
    most = RUNNING | PUBLISHED
    assert {name: counts for name, counts in found.items() if counts[0] > most[name]} == {}
