"""The standings of a tournament follow from those of its sessions, whichever are computed first."""

from fractions import Fraction

import pytest
from django.db.models import F
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.put_away import put_session_away
from evenings.standings import computing as of_session
from rankings.events import counting
from registration.people.merging import merge_players
from tests.factories import enter, enter_all, make_director, make_tournament, started_session
from tests.rankings.events.several import figures_of, played_sessions
from tournaments.models import Entrant, Session, SessionStandings, Tournament, TournamentStandings

pytestmark = pytest.mark.django_db


def refresh(tournament):
    return counting.refresh(tournament.pk, now=timezone.now())


def overall(session):
    """Return the stored global percentage of each player of the session, by the player's id."""
    people = dict(Entrant.objects.filter(session=session).values_list("pk", "player_id"))
    data = SessionStandings.objects.get(pk=session.pk).data
    return {people[row["id"]]: Fraction(row["overall"]) for row in data["players"]}


def test_a_tournament_adds_up_what_its_sessions_gave():
    tournament = make_tournament()
    one, other = played_sessions(tournament)
    Session.objects.filter(pk=other.pk).update(coefficient="1.5")
    Tournament.objects.filter(pk=tournament.pk).update(revision=1)
    refresh(tournament)
    first, second = overall(one), overall(other)
    sums = {player: first[player] + second[player] * Fraction(3, 2) for player in first}
    assert {player: Fraction(total) for player, total, _rank in figures_of(tournament)} == sums


def test_the_job_of_a_session_asks_for_its_tournament(django_capture_on_commit_callbacks):
    tournament = make_tournament()
    director = make_director(tournament.club)
    played_sessions(tournament, by=director)
    with django_capture_on_commit_callbacks(execute=True):
        enter_all(started_session(tournament), by=director)
    kept = TournamentStandings.objects.get(pk=tournament.pk)
    assert counting.is_tournament_fresh(Tournament.objects.get(pk=tournament.pk), kept)
    assert len(kept.data["rounds"]) == 3


def test_one_session_alone_has_no_ranking_of_a_tournament(django_capture_on_commit_callbacks):
    session = started_session()
    with django_capture_on_commit_callbacks(execute=True):
        enter_all(session, by=make_director(session.tournament.club))
    assert not TournamentStandings.objects.exists()
    assert counting.tournaments_with_stale_standings() == []


def test_what_is_computed_is_computed_once():
    tournament = make_tournament()
    played_sessions(tournament)
    assert refresh(tournament)
    assert not refresh(tournament)


def test_the_sweep_finds_what_was_never_computed_and_what_is_stale():
    tournament = make_tournament()
    director = make_director(tournament.club)
    one, other = played_sessions(tournament, by=director)
    assert counting.tournaments_with_stale_standings() == [tournament.pk]
    refresh(tournament)
    assert counting.tournaments_with_stale_standings() == []
    Session.objects.filter(pk=one.pk).update(results_version=F("results_version") + 1)
    of_session.refresh(one.pk, now=timezone.now())
    assert counting.tournaments_with_stale_standings() == [tournament.pk]
    refresh(tournament)
    put_session_away(session_id=other.pk, by=director, now=timezone.now())
    put_session_away(session_id=one.pk, by=director, now=timezone.now())
    put_session_away(session_id=one.pk, by=director, now=timezone.now(), back=True)
    # only one session is left, and it has a ranking of its own
    assert counting.tournaments_with_stale_standings() == []
    assert not counting.is_tournament_fresh(tournament, TournamentStandings.objects.get(pk=tournament.pk))


def test_an_older_computation_never_replaces_a_newer(monkeypatch):
    tournament = make_tournament()
    one, _other = played_sessions(tournament)
    refresh(tournament)
    slow, count_live = [], counting.count_live

    def overtaken(asked):
        counted = count_live(asked)
        if not slow:
            slow.append(True)
            Session.objects.filter(pk=one.pk).update(results_version=F("results_version") + 1)
            of_session.refresh(one.pk, now=timezone.now())
            assert refresh(tournament)
        return counted

    Session.objects.filter(pk=one.pk).update(results_version=F("results_version") + 1)
    of_session.refresh(one.pk, now=timezone.now())
    monkeypatch.setattr(counting, "count_live", overtaken)
    assert not refresh(tournament)
    assert counting.is_tournament_fresh(tournament, TournamentStandings.objects.get(pk=tournament.pk))


def test_who_completes_a_table_has_missed_the_session():
    tournament = make_tournament()
    one, other = played_sessions(tournament)
    filler = one.entrants.first()
    Entrant.objects.filter(pk=filler.pk).update(ranked=False)
    Session.objects.filter(pk=one.pk).update(results_version=F("results_version") + 1)
    of_session.refresh(one.pk, now=timezone.now())
    refresh(tournament)
    row = next(
        row
        for row in TournamentStandings.objects.get(pk=tournament.pk).data["players"]
        if row["player"] == filler.player_id
    )
    assert row["played"] == 1
    assert row["results"][0]["unranked"] == "filler"
    assert not row["results"][0]["counts"]
    assert row["total"] == str(overall(other)[filler.player_id])


@pytest.mark.nightly("crawl")
def test_a_computation_costs_the_same_queries_for_many_sessions(django_assert_num_queries):
    tournament = make_tournament()
    played_sessions(tournament, count=2)
    with django_assert_num_queries(10):
        refresh(tournament)
    played_sessions(tournament, count=4, by=tournament.club.memberships.get().user)
    with django_assert_num_queries(7):  # the row exists by now
        refresh(tournament)


def test_an_entry_is_one_more_to_be_computed():
    tournament = make_tournament()
    director = make_director(tournament.club)
    played_sessions(tournament, by=director)
    session = started_session(tournament)
    refresh(tournament)
    kept = TournamentStandings.objects.get(pk=tournament.pk)
    enter(session.plays.select_related("etui").first(), by=director)
    assert not counting.is_tournament_fresh(tournament, kept)


def test_a_merge_of_players_asks_for_the_tournament(django_capture_on_commit_callbacks):
    tournament = make_tournament()
    director = make_director(tournament.club)
    one, _other = played_sessions(tournament, by=director)
    refresh(tournament)
    (other,) = add_players(club=tournament.club, lines=[RosterLine("Double", "Zoé")])
    player = one.entrants.first().player
    with django_capture_on_commit_callbacks(execute=True):
        merge_players(club=tournament.club, kept_id=other.pk, gone_id=player.pk, by=director, now=timezone.now())
    tournament.refresh_from_db()
    kept = TournamentStandings.objects.get(pk=tournament.pk)
    assert counting.is_tournament_fresh(tournament, kept)
    assert other.pk in {row["player"] for row in kept.data["players"]}
    assert player.pk not in {row["player"] for row in kept.data["players"]}
