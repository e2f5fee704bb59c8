"""The lots among equal players of a session: random, logged, kept by the players who drew them, taken back."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from evenings.plays.entering import enter_result
from evenings.sessions.lots import draw_lots, put_among, take_back_lots
from evenings.sessions.ranking_rules import change_rules
from evenings.standings import computing
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.factories import make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import SessionStandings
from tournaments.rules.entry import Fiche
from tournaments.versions import DirectorWord
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    """Return a session whose tables all score the same, so that everybody has 50 %."""
    session = started_session(tables=5, positions=5, etuis_per_position=1)
    director = make_director(session.tournament.club)
    change_rules(tournament_id=session.tournament_id, by=director, now=timezone.now(), ties=["tops", "draw"])
    for play in session.plays.select_related("etui"):
        enter_result(play_id=play.pk, entry=Fiche(play.etui.taker, 66), by=director, now=timezone.now())
    session.tournament.refresh_from_db()
    return session


def ranks(session):
    computing.refresh(session.pk, now=timezone.now())
    assert_kept_from_nothing(session)
    return [player["rank_general"] for player in SessionStandings.objects.get(pk=session.pk).data["players"]]


@pytest.mark.nightly("story")
def test_lots_give_each_equal_a_rank_of_his_own_and_stand_in_the_log(session, director):
    everybody = session.entrants.count()
    assert ranks(session) == [1] * everybody
    draw = draw_lots(session_id=session.pk, by=director, now=timezone.now())
    assert ranks(session) == list(range(1, everybody + 1))
    players = SessionStandings.objects.get(pk=session.pk).data["players"]
    people = {entrant.pk: entrant for entrant in session.entrants.select_related("player")}
    assert [people[player["id"]].player_id for player in players] == draw.order
    assert {player["told"] for player in players} == {"draw"}
    told = ", ".join(people[player["id"]].name for player in players)
    with override("en"):
        said = say_log(session.log.get(action="lots_drawn"))
    assert said == f"Lots drawn, first to last: {told}"


@pytest.mark.nightly("story")
def test_lots_are_taken_back_with_a_reason(session, director):
    everybody = session.entrants.count()
    draw_lots(session_id=session.pk, by=director, now=timezone.now())
    with pytest.raises(ActionRefused, match="reason_missing"):
        take_back_lots(session_id=session.pk, reason=" ", by=director, now=timezone.now())
    take_back_lots(session_id=session.pk, reason="trop tôt", by=director, now=timezone.now())
    assert ranks(session) == [1] * everybody
    with pytest.raises(ActionRefused, match="no_lots"):
        take_back_lots(session_id=session.pk, reason="encore", by=director, now=timezone.now())


@pytest.mark.nightly("story")
def test_nothing_is_drawn_where_nobody_is_equal_or_the_tournament_draws_none(session, director):
    draw_lots(session_id=session.pk, by=director, now=timezone.now())
    with pytest.raises(ActionRefused, match="no_equals"):
        draw_lots(session_id=session.pk, by=director, now=timezone.now())
    change_rules(tournament_id=session.tournament_id, by=director, now=timezone.now(), ties=[])
    with pytest.raises(ActionRefused, match="lots_not_drawn"):
        draw_lots(session_id=session.pk, by=director, now=timezone.now())


def test_who_has_drawn_keeps_his_lot_and_every_order_is_as_likely():
    orders = {tuple(put_among([1, 2], [2, 3])) for _time in range(300)}
    assert orders == {(3, 1, 2), (1, 3, 2), (1, 2, 3)}


@pytest.mark.nightly("story")
def test_the_page_offers_lots_while_somebody_is_equal_and_the_ranking_says_so(session, director):
    browser = browser_of(director)
    page = session_url("standings", session)
    computing.refresh(session.pk, now=timezone.now())
    assert "20 players share a rank" in words(browser.get(page))
    assert browser.post(session_url("lots_draw", session)).url == page
    computing.refresh(session.pk, now=timezone.now())
    said = words(browser.get(page))
    assert "share a rank, and nothing" not in said
    assert said.count("(by lot)") == 20
    assert "separated by: number of tops, drawing of lots" in said
    SESSIONS.publish(session.pk, DirectorWord(director, timezone.now()))
    assert words(browser_of().get(session_url("ranking", session))).count("(by lot)") == 20
    browser.post(session_url("lots_back", session), {"reason": "trop tôt"})
    computing.refresh(session.pk, now=timezone.now())
    assert "(by lot)" not in words(browser.get(page))


@pytest.mark.nightly("story")
def test_the_ranking_tells_deals_and_who_is_unranked_and_why(session, director):
    change_rules(tournament_id=session.tournament_id, by=director, now=timezone.now(), least_share=100)
    session.entrants.filter(line="N", number=1).update(ranked=False)
    computing.refresh(session.pk, now=timezone.now())
    said = words(browser_of(director).get(session_url("standings", session)))
    assert said.count("(completes a table, unranked)") == 1
    assert "Deals" in said
    assert "Unranked players are listed last" in said
