"""The secrecy of a simultaneous: until its public hour readers see the rankings, and nothing of the étuis."""

import datetime as dt
import re
from unittest import mock

import pytest
from django.core.cache import caches
from django.utils import timezone

from rankings.careers.keeping import find_stale, refresh
from tests import factories, world
from tests.api.test_roles import NEEDS, OPEN
from tests.test_access import NUMBERED, PAGES, ROLES, text_of, visit
from tournaments.models import Appearance, RatedSession, ResultEntry, Session, Simultaneous
from tournaments.permissions import Can
from tournaments.published import Shows

MARK = "31234"  # points of a fiche that no page contains otherwise
READERS = [role for role, power in ROLES.items() if power == Can.READ]
CLOSED = {"feuille", "published_etuis", "published_etui", "results_csv", "feuilles_pdf", "tournament_csv"}
CLOSED |= {"field_etui", "field_feuille"}


def publish_marked(session, *, by):
    """Publish a session whose fiches all have the mark."""
    nothing = {"contract": "", "bouts": None, "half_points": None, "petit_au_bout": "", "chelem": ""}
    ResultEntry.objects.filter(play__session=session).update(kind="fiche", fiche_score=int(MARK), **nothing)
    return factories.publish(session, by=by)


@pytest.fixture(scope="module")
def held(rows_of_the_file):
    with mock.patch.object(world, "publish", publish_marked):
        made = world.make_world(factories.make_club(), ROLES)
    session = made["published"].pk
    later = timezone.now() + dt.timedelta(hours=1)
    Session.objects.filter(pk=session).update(held_until=later)
    Simultaneous.objects.filter(clubs__session=session).update(closes_at=later, public_at=later)
    refresh(session)
    return made


def crawl(held, role):
    for each in caches:
        caches[each].clear()
    return {name: visit(held, name, role) for name, (_, need, _) in PAGES.items() if need == Can.READ}


def shown_results(answers):
    """Return the names of the pages that have the mark, also if it is written with spaces between its digits."""
    texts = {name: re.sub(r"\s", "", NUMBERED.sub("", text_of(answer))) for name, answer in answers.items()}
    return {name for name, text in texts.items() if MARK in text}


pytestmark = pytest.mark.django_db


@pytest.mark.nightly("story")
@pytest.mark.parametrize("role", READERS)
def test_no_page_has_results_before_the_public_hour(held, role):
    answers = crawl(held, role)
    closed = {name for name, answer in answers.items() if answer.status_code == 404}
    assert shown_results(answers) == set()
    assert closed == CLOSED
    assert answers["ranking"].status_code == answers["podium"].status_code == 200


def ask_programs(held, role):
    """Return the answers of the API and of feeds and calendars about the held session, by address."""
    session, named, club = held["published"], held["named"], held["club"].slug
    told = {"session": session.pk, "published": session.pk, "slug": club, "field": named["simultaneous"]}
    told |= {"tournament": session.tournament_id, "several": session.tournament_id, "series": named["series"]}
    told |= {"player": named["one"], "other": named["two"], "published_entrant": held["entrant"]["published"]}
    place = f"/clubs/{club}/"
    addresses = ["/feed/", f"{place}feed/", f"{place}tournaments/{session.tournament.slug}/feed/"]
    for path, methods in (OPEN | NEEDS).items():
        if methods.get("GET") == Can.READ and not set(re.findall(r"{(\w+)}", path)) - told.keys():
            addresses.append("/api/v1/" + path.format(**told))
    for each in caches:
        caches[each].clear()
    return {address: held["clients"][role].get(address) for address in addresses}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("role", ["anonymous", "player", "foreign_director"])
def test_no_program_gets_results_before_the_public_hour(held, role):
    answers = ask_programs(held, role)
    assert shown_results(answers) == set()
    closed = {address for address, answer in answers.items() if answer.status_code == 404}
    assert {address.partition("/sessions/")[2].partition("/")[2] for address in closed} >= {
        "publications/latest/etuis/1/",
        "publications/1/etuis/1/",
    }
    assert sum(answer.status_code == 200 for answer in answers.values()) > 15


@pytest.mark.nightly("story")
def test_programs_get_results_when_the_hour_is_over(held):
    Session.objects.filter(pk=held["published"].pk).update(held_until=None)
    refresh(held["published"].pk)
    assert shown_results(ask_programs(held, "anonymous"))


@pytest.mark.nightly("story")
def test_all_opens_when_the_hour_is_over(held):
    Session.objects.filter(pk=held["published"].pk).update(held_until=None)
    refresh(held["published"].pk)
    shown = shown_results(crawl(held, "anonymous"))
    assert shown >= {"feuille", "published_etuis", "published_etui"}


def test_careers_and_ratings_get_no_single_deal(held):
    session = held["published"].pk
    rated = RatedSession.objects.get(pk=session)
    assert rated.plays == []
    assert list(Appearance.objects.filter(session=session).exclude(plays=[])) == []
    Session.objects.filter(pk=session).update(held_until=None)
    assert find_stale() == [session]
    refresh(session)
    assert RatedSession.objects.get(pk=session).plays
    assert not Appearance.objects.filter(session=session, plays=[]).exists()


def test_switches_of_the_director_stay_as_they_are(held):
    session = Session.objects.get(pk=held["published"].pk)
    assert Shows.of(session) == Shows()
    assert Shows.to_readers(session) == Shows(ranking=True, etuis=False, cards=False, feuilles=False)
