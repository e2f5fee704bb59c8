"""The number of queries of an evening of teams: the same for 4 tables and for 40, on each page and in each request."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays import desk_state
from evenings.plays.common import kept_common
from evenings.standings import computing
from pages.desk import settled
from pages.doors import session_url
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.evenings.teams.evening import triplettes_session
from tests.evenings.teams.playing import play_all
from tests.factories import make_director, plausible, publish
from tests.pages.browsing import browser_of
from tournaments.models import Session, TableDevice
from tournaments.permissions import kept_session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

SIZES = (4, 40)
# The public names of teams take two queries more than the names of players, once for each process and plan.
RUNNING = {"session": 17, "hall": 12, "session_plan": 12, "standings": 15, "bulk": 12, "changes": 12} | {
    "table": 17,
    "enter": 32,
    "job": 15,
}
PUBLISHED = {"ranking": 12, "feuille": 12, "published_etui": 12}


class Hall:
    """An evening of one position, in which one table has still to enter its results."""

    def __init__(self, tables: int) -> None:
        self.session = triplettes_session(teams=2 * tables, positions=1, etuis_per_position=2, rule="two_lines")
        by = make_director(self.session.tournament.club, f"directrice-{tables}")
        self.by, self.browser = by, browser_of(by)
        play_all(self.session, by=by, missing=2)
        Session.objects.filter(pk=self.session.pk).update(position=1)
        self.play = self.session.plays.filter(entries=None).select_related("etui", "table").first()
        self.phone = Phone(tokens_of(self.session)[self.play.table.number])
        self.phone.send("join")

    def publish(self) -> None:
        publish(self.session, by=self.by, allow_missing=True)

    def enter(self):
        entry = plausible(self.play)
        return self.phone.post(
            command("start", play=self.play), command("enter", play=self.play, seat="N", entry=entry)
        )

    def ask(self, name: str):
        if name == "table":
            return self.phone.get()
        if name == "enter":
            return self.enter()
        if name == "job":
            return computing.refresh(self.session.pk, now=timezone.now())
        entrant = self.play.seat_ids["N"]
        arguments = {"feuille": (1, entrant), "published_etui": (1, self.play.etui.number)}
        return self.browser.get(session_url(name, self.session, *arguments.get(name, ())))


@pytest.fixture
def halls(db):
    return [Hall(tables) for tables in SIZES]


def count(hall: Hall, name: str) -> int:
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
    assert answer is True or answer.status_code == 200
    return len(asked)


def test_pages_polls_and_jobs_cost_the_same_few_queries_for_4_tables_and_for_40(halls):
    found = {name: [count(hall, name) for hall in halls] for name in RUNNING}
    for hall in halls:
        hall.publish()
    found |= {name: [count(hall, name) for hall in halls] for name in PUBLISHED}
    assert {name: counts for name, counts in found.items() if len({*counts}) > 1} == {}
    most = RUNNING | PUBLISHED
    assert {name: counts for name, counts in found.items() if counts[0] > most[name]} == {}
