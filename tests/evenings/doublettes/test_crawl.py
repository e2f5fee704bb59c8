"""Every page of doublettes, as each role finds it by its links, and the screens of their tables."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.sessions.running import call_position
from evenings.standings.computing import refresh
from pages.doors import session_url
from tests.evenings.doublettes.evening import draft_doublettes, make_doublettes, start_doublettes
from tests.evenings.free.crawling import crawl
from tests.evenings.tables.phones import tokens_of
from tests.factories import enter_all, make_helper, publish
from tests.pages.browsing import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]


def start_crawls(session, by, language):
    """Return the names of all pages that each role finds."""
    club = session.tournament.club
    base = reverse("tournament", args=[club.slug, session.tournament.slug])
    starts = [base, session_url("session", session), session_url("hall", session)]
    roles = {"director": browser_of(by), "helper": browser_of(make_helper(club)), "reader": Client()}
    return {role: {name for name, _url in crawl(browser, starts, language)} for role, browser in roles.items()}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_doublettes_in_preparation(language):
    tournament, by = make_doublettes()
    read = start_crawls(draft_doublettes(tournament), by, language)
    assert read["director"] >= {"prepare_teams", "entrants", "registration", "plan_choose", "etuis"}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_doublettes_under_way_and_published(language):
    tournament, by = make_doublettes()
    session = start_doublettes(tournament)
    call_position(session_id=session.pk, position=1, by=by, now=timezone.now())
    enter_all(session, by=by, plays=session.plays.filter(position=1).select_related("etui"))
    refresh(session.pk, now=timezone.now())
    tables = [reverse("table_screen", args=[token]) for token in tokens_of(session).values()]
    assert {name for name, _url in crawl(Client(), tables, language)} >= {"table_screen"}
    enter_all(session, by=by, plays=session.plays.filter(position__gt=1).select_related("etui"))
    publish(session, by=by)
    read = start_crawls(session, by, language)
    assert read["director"] >= {"prepare_teams", "standings", "ranking", "feuille", "published_etui", "changes"}
