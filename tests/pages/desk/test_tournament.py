"""The directors' page of a tournament's ranking: what it shows, who may read it, the number of queries."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from rankings.events import counting
from tests import shared_evenings
from tests.factories import started_session
from tests.pages.browsing import browser_of
from tests.rankings.events.invented import invent_standings
from tests.rankings.events.several import played_sessions
from tournaments.models import PlayingDirector, Tournament, TournamentStandings

pytestmark = pytest.mark.django_db


def page_of(tournament, director, **asked):
    url = reverse("tournament_standings", args=[tournament.club.slug, tournament.slug])
    return browser_of(director).get(url, asked)


director = shared_evenings.director_of_tournament


@pytest.mark.nightly("story")
def test_a_director_sees_who_leads_after_each_session(tournament, director):
    played_sessions(tournament, by=director)
    counting.refresh(tournament.pk, now=timezone.now())
    page = page_of(tournament, director)
    assert page.status_code == 200
    first = TournamentStandings.objects.get(pk=tournament.pk).data["players"][0]
    assert page.context["tables"][0].rows[0].player.player == first["player"]
    assert len(page.context["ranking"].steps) == 2
    assert "Computed at" in page.text
    session = started_session(tournament)
    assert session.number == 3  # it has no result yet
    assert len(page_of(tournament, director).context["ranking"].steps) == 2


def test_standings_that_wait_for_their_job_say_so(tournament, director):
    played_sessions(tournament, by=director)
    counting.refresh(tournament.pk, now=timezone.now())
    Tournament.objects.filter(pk=tournament.pk).update(revision=5)
    assert "being computed" in page_of(tournament, director).text


def test_one_session_has_its_own_ranking_only(tournament, director):
    played_sessions(tournament, by=director, count=1)
    page = page_of(tournament, director)
    assert page.status_code == 200
    assert "One session" in page.text


@pytest.mark.nightly("story")
def test_before_any_result_there_is_nothing_to_rank(tournament, director):
    played_sessions(tournament, by=director, count=0)
    started_session(tournament)
    started_session(tournament)
    assert "Nothing is compared yet" in page_of(tournament, director).text


def test_a_director_who_plays_sees_no_ranking_with_what_he_has_to_play_yet(tournament, director):
    played_sessions(tournament, by=director)
    session = started_session(tournament)
    counting.refresh(tournament.pk, now=timezone.now())
    entrant = session.entrants.first()
    PlayingDirector.objects.create(session=session, user=director, entrant=entrant)
    page = page_of(tournament, director)
    assert "Hidden while you play" in page.text
    assert "Computed at" not in page.text


@pytest.mark.nightly("story")
def test_a_name_is_found_in_a_long_ranking(tournament, director):
    data = invent_standings(tournament, players=300, sessions=3)
    page = page_of(tournament, director, q="nom256")
    assert [row.player.name for row in page.context["found"]] == ["Marie-Françoise Nom256"]
    assert page.context["part"] is not None
    assert any(row.found for row in page.context["tables"][0].rows)
    assert len(page_of(tournament, director, part="all").context["tables"][0].rows) == len(data["players"])


def test_what_does_not_count_is_in_brackets_and_what_is_missed_a_dash(tournament, director):
    Tournament.objects.filter(pk=tournament.pk).update(best_of=1)
    tournament.refresh_from_db()
    invent_standings(tournament, players=30, sessions=3)
    text = page_of(tournament, director).text
    cells = re.findall(r'<td class="num wide-only nowrap">\s*([^<]*?)\s*</td>', text)
    assert "–" in cells
    assert any(re.fullmatch(r"\(\d+\.\d\d\)", cell) for cell in cells)
    assert any(re.fullmatch(r"\d+\.\d\d", cell) for cell in cells)
    assert "× 1.5" in text or "×\N{NO-BREAK SPACE}1.5" in text


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize(("players", "sessions"), [(8, 2), (300, 12)])
def test_the_page_costs_the_same_queries_for_any_tournament(
    tournament, director, players, sessions, django_assert_num_queries
):
    invent_standings(tournament, players=players, sessions=sessions)
    browser = browser_of(director)
    url = reverse("tournament_standings", args=[tournament.club.slug, tournament.slug])
    browser.get(url)
    with django_assert_num_queries(8):
        browser.get(url, {"part": "all"})
