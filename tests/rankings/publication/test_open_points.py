"""The open questions before a publication: their kinds and numbers, as a director may see them, each with a link."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays import ruling
from evenings.plays.desk_state import desk_plays
from evenings.plays.entering import annul_play
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from pages.doors import session_url
from rankings.publication.publishing import open_points
from tests.factories import enter, enter_all, garde, make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import CorrectionRequest, EntryCheck, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = started_session(positions=4, etuis_per_position=2)
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


@pytest.fixture
def said(director):
    return {"by": director, "now": timezone.now()}


def counts(session, user):
    plays = desk_plays(session, flags=True, user=user, people=False)
    return [(point.code, point.count) for point in open_points(session, plays)]


@pytest.mark.nightly("story")
def test_nothing_open_is_said_plainly(session, director):
    enter_all(session, by=director)
    for play in session.plays.filter(entries__isnull=False):
        ruling.confirm_result(play_id=play.pk, seen_version=1, by=director, now=timezone.now())
    assert counts(session, director) == []
    page = words(browser_of(director).get(session_url("publish", session)))
    assert "Everything is settled" in page
    assert "Decided, and counted in the ranking" not in page


def make_all_open(session, director, said):
    """Make one open question of each kind, each on an étui of its own. The first play has no result."""
    missing, *plays = session.plays.select_related("etui").order_by("etui__number", "pk").distinct()
    enter_all(session, by=director, plays=plays)
    of_etui = {play.etui.number: play for play in reversed(plays)}
    disputed, annulled, asked = of_etui[2], of_etui[3], of_etui[4]
    EntryCheck.objects.create(
        entry=disputed.entries.get(), agrees=False, seat="N", device="x", checked_at=timezone.now()
    )
    annul_play(play_id=annulled.pk, reason="cartes vues", **said)
    ruling.annul_etui(session_id=session.pk, etui=5, reason="étui faux", **said)
    people = session.entrants.all()
    given = {"session_id": session.pk, "reason": "retard", **said}
    given["sanction"] = Sanction(points=Decimal(1))
    give_penalty(entrant_id=people[0].pk, **given)
    back = give_penalty(entrant_id=people[1].pk, **given)
    take_back_penalty(session_id=session.pk, penalty_id=back.pk, reason="à tort", **said)
    warning = given | {"sanction": Sanction(kind="warning")}
    give_penalty(entrant_id=people[2].pk, **warning)  # a warning changes nothing in the ranking
    text = {"text": "c’était 51", "asked_at": timezone.now(), "entrant": asked.north}
    CorrectionRequest.objects.create(play=asked, **text)
    CorrectionRequest.objects.create(play=annulled, decided_at=timezone.now(), accepted=False, **text)
    return missing


@pytest.mark.nightly("story")
def test_each_kind_is_counted_once(session, director, said):
    make_all_open(session, director, said)
    found = dict(counts(session, director))
    odd, etuis = found.pop("odd", 0), session.plays.filter(etui__number=5).count()
    assert found == {
        "missing": 1, "disputed": 1, "requests": 1, "annulled": 1, "etuis_annulled": 1, "penalties": 1,
    }  # fmt: skip
    assert odd <= session.plays.count() - etuis


def test_publishing_shows_each_with_the_page_where_it_is_settled(session, director, said):
    make_all_open(session, director, said)
    browser = browser_of(director)
    page = browser.get(session_url("publish", session))
    told = words(page)
    for text in (
        "1 result is missing",
        "1 result is disputed",
        "1 request for a correction awaits an answer",
        "1 play is annulled",
        "1 étui is annulled for everybody",
        "1 penalty or bonus is given",
    ):
        assert text in told
    desk = session_url("session", session)
    links = set(read(page).links)
    assert {f"{desk}#desk-missing", f"{desk}?show=look#desk-look", session_url("penalties", session)} <= links


@pytest.mark.nightly("story")
def test_director_who_plays_is_told_nothing_of_what_he_may_not_see(session, director, said):
    missing = make_all_open(session, director, said)
    ruling.declare_playing(session_id=session.pk, entrant_id=missing.north_id, **said)
    hidden = missing.etui
    other = session.plays.filter(etui=hidden).exclude(pk=missing.pk).first()
    before = dict(counts(session, director))
    EntryCheck.objects.create(entry=other.entries.get(), agrees=False, seat="N", device="x", checked_at=timezone.now())
    CorrectionRequest.objects.create(play=other, entrant=other.north, text="non", asked_at=timezone.now())
    ruling.annul_etui(session_id=session.pk, etui=hidden.number, reason="étui faux", **said)
    after = dict(counts(session, director))
    assert {code: after.get(code) for code in ("disputed", "requests", "etuis_annulled", "annulled")} == {
        code: before.get(code) for code in ("disputed", "requests", "etuis_annulled", "annulled")
    }
    page = words(browser_of(director).get(session_url("publish", session)))
    assert "1 étui that you have not played yet is not counted here." in page


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("tables", [5, 150])
def test_it_costs_the_same_few_queries_however_large_the_hall(tables, django_assert_max_num_queries):
    session = started_session(tables=tables, positions=2)
    director = make_director(session.tournament.club, f"directrice{tables}")
    session = Session.objects.select_related("tournament__club").get(pk=session.pk)
    enter(session.plays.select_related("etui").first(), by=director)
    plays = desk_plays(session, flags=True, user=director, people=False)
    with CaptureQueriesContext(connection) as asked:
        open_points(session, plays)
    assert len(asked) == 3
    with django_assert_max_num_queries(30):
        browser_of(director).get(session_url("publish", session))


def test_garde_confirmed_by_the_director_is_no_longer_open(session, director):
    play = session.plays.select_related("etui").first()
    enter(play, garde(play.etui.taker), by=director)
    EntryCheck.objects.create(entry=play.entries.get(), agrees=False, seat="N", device="x", checked_at=timezone.now())
    assert ("disputed", 1) in counts(session, director)
    ruling.confirm_result(play_id=play.pk, seen_version=1, by=director, now=timezone.now())
    assert "disputed" not in dict(counts(session, director))
