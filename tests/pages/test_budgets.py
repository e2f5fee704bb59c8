"""The number of queries of each page: small, and the same at 1 table and at 40.

The tests open each page of the table of pages that is read, and the requests of programs and of tables. Tests beside
the cache count the queries of cached pages; tests beside the polls count those of a poll without news.
"""

import datetime as dt
from decimal import Decimal

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import claim
from clubs.house import change_settings
from evenings.plays import desk_state
from evenings.plays.common import kept_common
from evenings.plays.penalties import Sanction, give_penalty
from evenings.standings import computing
from pages.desk import settled
from rankings.careers import keeping
from rankings.events.publishing import TOURNAMENTS
from rankings.leaderboards.keeping import make_leaderboards_anew
from registration.people.registration import set_registration
from tests.evenings.requests.world import Four
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.factories import (
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_tournament,
    make_user,
    plausible,
    publish,
    started_session,
)
from tests.rankings.events.several import count_uncompared
from tests.test_access import PAGES, address
from tests.world import make_field_of, make_series_of, make_simultaneous_of, make_webhook_of
from tournaments import page_cache as pages_kept
from tournaments.models import Applicant, TableDevice
from tournaments.permissions import kept_session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db

SIZES = (1, 40)
PAPERS = ("prints_pdf",)  # the PDFs of a whole hall take long to draw: tests beside them count their queries
OPENED = sorted(name for name, (method, _, _) in PAGES.items() if method == "GET" and name not in PAPERS)
ASKED = {"published_file": "?table=ranking&kind=csv"}  # a job makes the larger ones
READ_BY_PROGRAMS = {
    "api_session": "running",
    "api_entrants": "running",
    "api_plays": "running",
    "api_plan": "running",
    "api_changes": "running",
    "api_standings": "running",
    "api_feuille": "running entrant",
    "api_publications": "published",
    "api_requests": "published",
    "api_open_points": "running",
    "api_latest": "published",
}
MOST = 12
MORE = {
    "change": 15, "session_request": 16, "sitemap": 16, "live_etui": 21, "live_feuille": 17, "session": 15,
    "publish": 15,
    "api_feuille": 18, "club": 18, "head_to_head": 13, "player": 16, "player_merge": 13, "table_state": 15,
    "table_send": 30, "tournament": 15, "series": 17, "series_clubs": 15, "series_file": 15, "series_player": 16,
    "series_pdf": 16, "series_publish": 14, "series_embedded": 14, "series_podium": 13, "simultaneous_clubs": 14,
    "field_feuille": 15, "field_publish": 15, "field": 14, "field_version": 14, "field_pdf": 15,
}  # fmt: skip
# The pages that readers open most, and those that got more when all pages of a place got one bar. For each: its queries
# without an account and as a director, then what they were before the bar. Lower the first two, never raise them.
BY_READERS = """
home 6 10 6 11
calendar 4 6 4 6
club 12 17 13 19
tournament 10 14 10 15
session 4 14 4 15
session_plan 5 7 5 8
ranking 4 6 4 6
ranking_version 4 6 4 6
versions 3 5 3 5
published_etuis 3 5 3 5
published_etui 3 5 3 5
feuille 5 6 5 6
tournament_ranking 3 5 3 5
tournament_versions 3 5 3 5
series 12 14 13 16
series_versions 4 6 4 7
series_player 12 14 13 16
series_embedded 12 12 12 12
field 9 11 9 12
player 14 14 14 15
head_to_head 12 12 12 13
entrants 0 10 0 10
prints 0 9 0 9
tournament_new 0 6 0 7
"""


def make_hall(tables):
    """Return three sessions of so many tables: one in preparation, one half entered, one published."""
    club = make_club(f"salle-{tables}")
    director, tournament = make_director(club, club.slug), make_tournament(club)
    shape = {"tables": tables, "positions": 1, "etuis_per_position": 2}
    draft, running, published = (
        make(tournament, **shape) for make in (draft_session, started_session, started_session)
    )
    enter_all(running, by=director, plays=running.plays.filter(etui__number__lte=tables).select_related("etui"))
    enter_all(published, by=director)
    # without bonuses nobody is alone on a step of the podium
    for more, entrant in enumerate(published.entrants.order_by("pk")[:3]):
        bonus = Sanction(kind="bonus", points=Decimal(60 + more))
        give_penalty(
            session_id=published.pk,
            entrant_id=entrant.pk,
            sanction=bonus,
            reason="fair-play",
            by=director,
            now=timezone.now(),
        )
    publish(published, by=director)
    count_uncompared(tournament)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    computing.refresh(running.pk, now=timezone.now())
    asked = Four(published).ask()
    sessions = {"draft": draft, "running": running, "published": published}
    play = running.plays.filter(entries=None).select_related("etui", "table").first()
    things = {
        "play": {"running": play.pk, "draft": None, "published": None},
        "entrant": {name: session.entrants.first().pk for name, session in sessions.items()},
    }
    now = timezone.now()
    set_registration(accepts_at_once=True, session_id=draft.pk, by=director, now=now, places=tables)
    Applicant.objects.bulk_create(
        Applicant(
            session=draft, last_name=f"Nom{number}", key=str(number), token=f"{tables}-{number}", registered_at=now
        )
        for number in range(tables)
    )
    Applicant.objects.filter(session=draft).update(present_at=now)
    change_settings(club, {"player_accounts": "open"}, now=now, by=director)
    claim(club, make_user(f"joueuse-{tables}"), now=now)
    phone = Phone(tokens_of(running)[play.table.number])
    phone.send("join")
    client = Client()
    client.force_login(director)
    one, other = club.players.order_by("pk")[:2]
    keeping.refresh(published.pk)
    make_leaderboards_anew(now)
    first, second = published.entrants.order_by("pk").values_list("player", flat=True)[:2]
    named = {"one": first, "two": second}
    named |= {"series": make_series_of(club, by=director).slug}
    named |= {"webhook": make_webhook_of(club, by=director).pk}
    named |= {"simultaneous": make_simultaneous_of(club, by=director).slug}
    named |= make_field_of(club, published, by=director)
    named |= {"member": director.memberships.get().pk, "player": one.pk, "other": other.pk, "version": 1}
    own = {
        "club": club,
        "named": named,
        "tournament": tournament,
        "request": asked.pk,
        "client": client,
        "phone": phone,
        "to_enter": play,
    }
    return sessions | things | own


@pytest.fixture(scope="module")
def halls(rows_of_the_file):
    return [make_hall(tables) for tables in SIZES]


def count(ask):
    """Return the number of queries of a request, with empty caches, and undo what it writes."""
    pages_kept.ask_page_cache("clear")
    desk_state.kept.clear()
    settled.kept.clear()
    kept_common.cache_clear()
    kept_session.cache_clear()
    with transaction.atomic():
        with CaptureQueriesContext(connection) as asked:
            answer = ask()
        transaction.set_rollback(True)
    assert answer.status_code in (200, 302), answer.content
    return len(asked)


def assert_the_same_everywhere(name, counts):
    assert len(set(counts)) == 1, dict(zip(SIZES, counts, strict=True))
    assert counts[0] <= MORE.get(name, MOST)


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("name", OPENED)
def test_page_costs_the_same_few_queries_in_any_hall(halls, name):
    assert_the_same_everywhere(
        name, [count(lambda hall=hall: hall["client"].get(address(hall, name) + ASKED.get(name, ""))) for hall in halls]
    )


@pytest.mark.guard("each page keeps its budget of queries in any hall")
@pytest.mark.parametrize("row", BY_READERS.strip().splitlines(), ids=lambda row: row.split()[0])
def test_page_costs_readers_no_more_queries_than_before(halls, row):
    name, anonymous, director, *before = row.split()
    for who, most, once in zip(("anonymous", "director"), (anonymous, director), before, strict=True):
        assert int(most) <= int(once)
        counts = [
            count(
                lambda hall=hall, who=who: (hall["client"] if who == "director" else Client()).get(address(hall, name))
            )
            for hall in halls
        ]
        assert max(counts) <= int(most), (who, counts)


@pytest.mark.guard("each page keeps its budget of queries in any hall")
@pytest.mark.parametrize("name", READ_BY_PROGRAMS)
def test_answer_to_a_program_costs_the_same_few_queries_in_any_hall(halls, name):
    session, *rest = READ_BY_PROGRAMS[name].split()
    counts = []
    for hall in halls:
        path = reverse(name, args=[hall[session].pk, *(hall[part][session] for part in rest)])
        counts.append(count(lambda hall=hall, path=path: hall["client"].get(path)))
    assert_the_same_everywhere(name, counts)


@pytest.fixture
def _heard_of_long_ago(halls):
    """Make every device one that was seen a day ago, so that its next request also notes that it is there."""
    TableDevice.objects.update(seen_at=timezone.now() - dt.timedelta(days=1))


@pytest.mark.guard("each page keeps its budget of queries in any hall")
@pytest.mark.usefixtures("_heard_of_long_ago")
def test_tables_screen_costs_the_same_queries_in_any_hall(halls):
    assert_the_same_everywhere("table_state", [count(hall["phone"].get) for hall in halls])


@pytest.mark.guard("each page keeps its budget of queries in any hall")
@pytest.mark.usefixtures("_heard_of_long_ago")
def test_beginning_and_entering_cost_the_same_queries_in_any_hall(halls):
    def enter(hall):
        play = hall["to_enter"]
        sent = command("start", play=play), command("enter", play=play, seat="N", entry=plausible(play))
        return hall["phone"].post(*sent)

    counts = [count(lambda hall=hall: enter(hall)) for hall in halls]
    assert_the_same_everywhere("table_send", counts)
