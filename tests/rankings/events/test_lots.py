"""The lots among equal players of a tournament: a director draws them; they are logged, stored and taken back."""

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from evenings.sessions.ranking_rules import change_rules
from rankings.events import counting
from rankings.events.counting import draw_tournament_lots, take_back_tournament_lots
from rankings.events.publishing import TOURNAMENTS
from tests import shared_evenings
from tests.factories import publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.events.several import played_sessions
from tournaments.errors import ActionRefused
from tournaments.models import SessionStandings, TournamentStandings
from tournaments.versions import DirectorWord
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


director = shared_evenings.director_of_a_new_tournament


@pytest.fixture
def tournament(director):
    """Return a tournament of two sessions in which everybody has 50 %."""
    tournament = director.memberships.get().club.tournaments.get()
    for session in played_sessions(tournament, by=director):
        kept = SessionStandings.objects.get(pk=session.pk)
        for player in kept.data["players"]:
            player |= dict.fromkeys(("attack", "defence", "overall"), "50")
        kept.save()
    change_rules(tournament_id=tournament.pk, by=director, now=timezone.now(), ties=["attack", "draw"])
    return tournament


def figures(tournament):
    counting.refresh(tournament.pk, now=timezone.now())
    return TournamentStandings.objects.get(pk=tournament.pk).data["players"]


def said_by(director):
    return {"by": director, "now": timezone.now()}


def test_lots_give_each_equal_a_rank_of_his_own_and_stand_in_the_log_of_each_session(tournament, director):
    before = figures(tournament)
    assert {player["rank"] for player in before} == {1, len(before) // 2 + 1} or {p["rank"] for p in before} == {1}
    draw = draw_tournament_lots(tournament_id=tournament.pk, **said_by(director))
    after = figures(tournament)
    assert [player["rank"] for player in after] == list(range(1, len(after) + 1))
    assert sorted(draw.order) == sorted(player["player"] for player in after)
    assert {player["told"] for player in after} == {"draw"}
    with override("en"):
        told = [say_log(session.log.get(action="tournament_lots_drawn")) for session in tournament.sessions.all()]
    assert len(told) == 2
    assert all(line.startswith("Lots drawn for the tournament ranking, first to last: ") for line in told)
    with pytest.raises(ActionRefused, match="no_equals"):
        draw_tournament_lots(tournament_id=tournament.pk, **said_by(director))


def test_lots_are_taken_back_with_a_reason(tournament, director):
    before = [player["rank"] for player in figures(tournament)]
    with pytest.raises(ActionRefused, match="no_lots"):
        take_back_tournament_lots(tournament_id=tournament.pk, reason="trop tôt", **said_by(director))
    draw_tournament_lots(tournament_id=tournament.pk, **said_by(director))
    with pytest.raises(ActionRefused, match="reason_missing"):
        take_back_tournament_lots(tournament_id=tournament.pk, reason=" ", **said_by(director))
    take_back_tournament_lots(tournament_id=tournament.pk, reason="trop tôt", **said_by(director))
    assert [player["rank"] for player in figures(tournament)] == before


def test_nothing_is_drawn_where_the_tournament_draws_none(tournament, director):
    change_rules(tournament_id=tournament.pk, ties=["attack"], **said_by(director))
    with pytest.raises(ActionRefused, match="lots_not_drawn"):
        draw_tournament_lots(tournament_id=tournament.pk, **said_by(director))


def test_the_page_offers_lots_and_the_ranking_says_by_what_equals_were_told_apart(tournament, director):
    def address(name):
        return reverse(name, args=[tournament.club.slug, tournament.slug])

    browser = browser_of(director)
    page = address("tournament_standings")
    everybody = len(figures(tournament))
    assert f"{everybody} players share a rank" in words(browser.get(page))
    assert browser.post(address("tournament_lots_draw")).url == page
    figures(tournament)
    said = words(browser.get(page))
    assert "share a rank, and nothing" not in said
    assert said.count("(by lot)") == everybody
    assert "separated by: attack percentage, drawing of lots" in said
    assert "Nobody shares a rank" in words(browser.post(address("tournament_lots_draw"), follow=True))
    browser.post(address("tournament_lots_back"), {"reason": "trop tôt"})
    figures(tournament)
    assert "(by lot)" not in words(browser.get(page))


def test_readers_are_told_of_lots_in_what_is_published(tournament, director):
    for session in tournament.sessions.order_by("number"):
        publish(session, by=director)
    counting.refresh(tournament.pk, now=timezone.now())
    version = TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    assert version.data["ties"] == ["attack", "draw"]
    url = reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])
    assert "separated by: attack percentage, drawing of lots" in words(browser_of().get(url))
