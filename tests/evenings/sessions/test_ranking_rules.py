"""The ranking rules of a tournament, changed while it is played: who is ranked, and how equal players are separated."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan
from evenings.sessions.ranking_rules import change_rules
from evenings.standings import computing
from scoring.ties import UnrankedReason
from tests import shared_evenings
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.factories import draft_session, enter_all
from tournaments.errors import ActionRefused
from tournaments.models import Session, SessionStandings
from tournaments.rules.operations import Substitute
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


session = shared_evenings.started


def change(session, director, **changes):
    return change_rules(tournament_id=session.tournament_id, by=director, now=timezone.now(), **changes)


def players_of(session):
    computing.refresh(session.pk, now=timezone.now())
    return SessionStandings.objects.get(pk=session.pk).data["players"]


def some_results(session, director):
    """Enter all results but those of table 1 in the last position, so that its players have fewer deals."""
    last = session.plays.order_by("-position").first().position
    enter_all(session, by=director, plays=session.plays.select_related("etui").exclude(position=last, table__number=1))


def test_a_new_least_share_unranks_who_has_fewer_deals_and_is_taken_back(session, director):
    some_results(session, director)
    before = players_of(session)
    assert [player["unranked"] for player in before] == [""] * len(before)
    change(session, director, least_share=100)
    after = players_of(session)
    most = max(player["deals"] for player in after)
    assert {player["id"] for player in after if player["unranked"]} == {
        player["id"] for player in before if player["deals"] < most
    }
    assert all((player["rank_general"] is None) == (player["unranked"] == "share") for player in after)
    change(session, director, least_share=50)
    assert players_of(session) == before
    assert_kept_from_nothing(session)


@pytest.mark.nightly("story")
def test_a_substitute_is_ranked_or_not_as_the_tournament_says(session, director):
    left = session.entrants.first()
    (coming,) = add_players(club=session.tournament.club, lines=[RosterLine("Remplaçante", "Zoé")])
    done = Substitute(left.pk, coming.pk, position=2)
    seen = number_of_plan(session)
    change_session(session_id=session.pk, operation=done, choice=0, seen=seen, by=director, now=timezone.now())
    enter_all(session, by=director)
    substitute = session.entrants.get(player=coming).pk
    change(session, director, least_share=0)
    assert {player["id"]: player["unranked"] for player in players_of(session)}[substitute] == ""
    change(session, director, substitutes_ranked=False)
    told = {player["id"]: player["unranked"] for player in players_of(session)}
    assert [pk for pk, reason in told.items() if reason] == [substitute]
    assert told[substitute] == UnrankedReason.SUBSTITUTE
    assert_kept_from_nothing(session)


def test_a_change_raises_versions_and_stands_in_the_log_of_each_session(session, director):
    draft = draft_session(session.tournament)
    version, revision = Session.objects.get(pk=session.pk).results_version, session.tournament.revision
    change(session, director, ties=["attack", "draw"], substitutes_ranked=False)
    assert Session.objects.get(pk=session.pk).results_version == version + 1
    session.tournament.refresh_from_db()
    assert session.tournament.revision == revision + 1
    for each in (session, draft):
        with override("en"):
            said = {say_log(entry) for entry in each.log.filter(action="rules_changed")}
        assert said == {
            "Changed in the tournament: how ties are separated, from “they share a rank” to “attack "
            "percentage, drawing of lots”",
            "Changed in the tournament: substitutes are ranked, from “yes” to “no”",
        }


def test_nothing_is_written_where_nothing_differs(session, director):
    version = Session.objects.get(pk=session.pk).results_version
    change(session, director, least_share=50, ties=[])
    assert Session.objects.get(pk=session.pk).results_version == version
    assert not session.log.filter(action="rules_changed").exists()


def test_the_window_moves_no_rank_and_asks_for_no_standings(session, director):
    version = Session.objects.get(pk=session.pk).results_version
    assert change(session, director, window_hours=2).window_hours == 2
    assert Session.objects.get(pk=session.pk).results_version == version


def test_a_criterion_is_chosen_once(session, director):
    with pytest.raises(ActionRefused) as refused:
        change(session, director, ties=["attack", "attack"])
    assert (refused.value.code, refused.value.field) == ("ties_twice", "ties")


@pytest.mark.nightly("story")
@pytest.mark.parametrize("ties", [["tops", "best_etui"], ["attack", "defence"], ["best_etui", "attack", "tops"]])
def test_what_is_kept_with_ties_equals_a_computation_from_nothing(session, director, ties):
    change(session, director, ties=ties)
    plays = list(session.plays.select_related("etui"))
    for some in (plays[:7], plays[7:16], plays[16:]):
        enter_all(session, by=director, plays=some)
        computing.refresh(session.pk, now=timezone.now())
        assert_kept_from_nothing(session)
