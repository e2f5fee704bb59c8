"""Every page of an evening of donnes libres, as each role finds it by its links: nothing fails, nothing is absurd."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import tie
from clubs.house import change_settings
from clubs.models import Club
from evenings.plans.free.next_game import take_next_game
from evenings.plays.state import WAITED_FOR, with_states
from evenings.requests.links import ensure_links
from evenings.sessions.running import call_position
from evenings.standings.computing import refresh
from pages.doors import session_url
from scoring.plays import SEATS
from tests.evenings.free.crawling import crawl
from tests.evenings.tables.phones import tokens_of
from tests.factories import enter, make_club, make_director, make_helper, make_user, publish
from tests.free_evenings import draft_free_session, make_free_tournament, start_free_session
from tests.pages.browsing import browser_of
from tournaments.rules.entry import Fiche

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

LANGUAGES = ("en", "fr")
LEFT_OUT = ("tournament_rules", "tournament_new", "club")  # these pages, and their parts, speak of every format
# Words of duplicate that mean nothing where the tables deal.
ABSURD = re.compile(r"[ée]tuis?\b|topages?\b|per cent|pour cent|%|\bpercentages?\b|pourcentages?", re.IGNORECASE)


def make_tournament():
    club = make_club()
    Club.objects.filter(pk=club.pk).update(name="Club de tarot")
    return make_free_tournament(Club.objects.get(pk=club.pk))


def starts(session):
    tournament = session.tournament
    base = reverse("tournament", args=[tournament.club.slug, tournament.slug])
    return [base, session_url("session", session), session_url("hall", session)]


def play_deals(session, by, *, most=None):
    """Enter a result for each deal that waits for one, or for the first `most` of them."""
    waiting = with_states(session.plays.select_related("etui", "table")).filter(state__in=WAITED_FOR)
    for play in list(waiting.order_by("position", "etui__number"))[:most]:
        seats = play.playing_seats
        partner = seats[1] if len(seats) == len(SEATS) else None
        enter(play, Fiche(seats[play.etui.number % len(seats)], 30, partner=partner), by=by)
    refresh(session.pk, now=timezone.now())


def find_absurd(pages):
    """Return the absurd words of each page, and the pages of étuis among them."""
    found = {}
    for (name, url), text in pages.items():
        if "etui" in name:
            found.setdefault(name, []).append(url)
        text = text.replace("Topage", "") if not name.startswith(LEFT_OUT) else ""
        if hits := [text[max(0, hit.start() - 40) : hit.end() + 25] for hit in ABSURD.finditer(text)]:
            found.setdefault(name, []).extend(hits[:5])
    return found


def clients(club, director):
    return {"director": browser_of(director), "helper": browser_of(make_helper(club)), "reader": Client()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_evening_in_preparation(language):
    session = draft_free_session(13, tournament=make_tournament())
    for browser in clients(session.tournament.club, make_director(session.tournament.club)).values():
        assert find_absurd(crawl(browser, starts(session), language)) == {}


@pytest.mark.parametrize(
    ("odd", "language"), [("threes", "en"), ("five", "fr"), ("mort", "en"), ("mort", "fr"), ("fives", "fr")]
)
def test_evening_under_way(odd, language):
    session = start_free_session(13, odd_tables=odd, tournament=make_tournament(), games=2)
    by = make_director(session.tournament.club)
    call_position(session_id=session.pk, position=1, by=by, now=timezone.now())
    play_deals(session, by, most=5)
    for browser in clients(session.tournament.club, by).values():
        assert find_absurd(crawl(browser, starts(session), language)) == {}
    tables = [reverse("table_screen", args=[token]) for token in tokens_of(session).values()]
    assert find_absurd(crawl(Client(), tables, language)) == {}


def publish_evening(odd):
    """Return a session of two games that is played and published, and the browsers of each role."""
    session = start_free_session(13, odd_tables=odd, tournament=make_tournament(), games=2)
    club, by = session.tournament.club, make_director(session.tournament.club)
    play_deals(session, by)
    take_next_game(session_id=session.pk, game=2, by=by, now=timezone.now())
    play_deals(session, by)
    publish(session, by=by)
    change_settings(club, {"player_accounts": "open"}, now=timezone.now(), by=by)
    player = make_user("joueuse")
    tie(session.entrants.first().player, player, by=by, now=timezone.now())
    return session, clients(club, by) | {"player": browser_of(player)}


@pytest.mark.parametrize(("odd", "language"), [("threes", "fr"), ("mort", "en")])
def test_published_evening(odd, language):
    session, browsers = publish_evening(odd)
    own = [reverse("account"), reverse("player", args=[session.entrants.first().player_id])]
    club = [reverse("club", args=[session.tournament.club.slug]), *own[1:]]
    for role, browser in browsers.items():
        pages = crawl(browser, [*starts(session), *club, *(own if role == "player" else [])], language)
        assert find_absurd(pages) == {}, role
        read = {name for name, _url in pages}
        assert read >= {"ranking", "ranking_version", "versions", "feuille", "tournament", "session", "hall"}
        assert (read >= {"standings", "live_feuille", "progress"}) == (role == "director")
    links = ensure_links(session, now=timezone.now())
    personal = [reverse("personal", args=[link.token]) for link in links.values()][:2]
    pages = crawl(Client(), personal, language)

    assert find_absurd(pages) == {}
