"""The pages of readers of étuis for three or five: personal links, requests, hidden persons, several sessions."""

import subprocess
import sys

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.shown import choose_shown
from evenings.requests.links import ensure_links
from pages.doors import session_url
from rankings.events.counting import refresh as refresh_tournament
from rankings.events.publishing import TOURNAMENTS
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.publishing import SESSIONS
from tests.etui_games import play_etuis, publish_evening, start_etui_session
from tests.evenings.free.crawling import crawl
from tests.pages.browsing import browser_of
from tournaments.models import CorrectionRequest, Tournament
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SCRIPT = settings.BASE_DIR / "deals" / "static" / "deals" / "topage_standings.py"


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def evening(request):
    return publish_evening(request.param)


@pytest.mark.nightly("story")
def test_a_player_asks_for_a_correction_by_the_personal_link(evening):
    session, by = evening
    link = next(iter(ensure_links(session, now=timezone.now()).values()))
    reader, url = Client(), reverse("personal", args=[link.token])
    assert reader.get(url).status_code == 200
    entrant = link.entrant_id
    mine = next(each for each in session.plays.filter(position=1) if entrant in each.seat_ids.values())
    ask = reverse("personal_play", args=[link.token, mine.pk])
    assert reader.get(ask).status_code == 200
    reader.post(ask, {"what": "score", "text": ""})
    assert CorrectionRequest.objects.get().play_id == mine.pk
    for other in ensure_links(session, now=timezone.now()).values():
        assert reader.get(reverse("personal", args=[other.token])).status_code == 200
    assert browser_of(by).get(session_url("session_requests", session)).status_code == 200


@pytest.mark.nightly("story")
def test_a_hidden_player_is_named_on_no_public_page(evening):
    session, by = evening
    player = session.entrants.first().player
    player.last_name = "Quarantesous"
    player.save()
    choose_shown(player=player, shown="hidden", way="director", by=by, now=timezone.now())
    starts = [session_url("session", session), session_url("hall", session)]
    pages = crawl(Client(), starts, "fr")
    assert len(pages) > 5
    assert [url for (_name, url), text in pages.items() if "Quarantesous" in text] == []


@pytest.mark.nightly("story")
def test_two_sessions_make_one_ranking_of_the_tournament(evening, tmp_path):
    session, by = evening
    size, tournament = session.deal_set.players, session.tournament
    second = start_etui_session(size, 2, by=by, tournament=tournament, name="Autre")
    play_etuis(second, by)
    SESSIONS.publish(second.pk, DirectorWord(by, timezone.now()))
    refresh_tournament(tournament.pk, now=timezone.now())
    published = TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), ""))
    path = tmp_path / "tournament.csv"
    path.write_text(write_tournament_csv(published), encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
    count = 8 * size  # everybody in the tournament, and everybody in their own session
    assert (done.stdout.strip().splitlines()[-1], done.returncode) == (f"{count} of {count} agree", 0), done.stderr
    base = reverse("tournament", args=[tournament.club.slug, tournament.slug])
    pages = crawl(Client(), [base], "fr")
    assert any(name == "tournament_ranking" for name, _url in pages), sorted({name for name, _url in pages})
    assert Tournament.objects.get().sessions.count() == 2
