"""The seat of a filler, who completes a table unranked: whoever plays for a ranking has it before others rest."""

import datetime as dt
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.utils import timezone, translation

from clubs.models import Player
from evenings.changes.carry_out import undo_change
from evenings.changes.fillers import count_rests
from evenings.changes.outcomes import outcomes, running_evening
from evenings.changes.preview import OperationNames, say_plan_version, say_ranks
from evenings.plans.choosing import choose_plan, proposals_for, shape_of
from evenings.plans.current import SessionPlan, faults_in
from evenings.plans.layout import find_laid_rows
from evenings.plans.starting import start_session
from evenings.sessions.seating import ranked_in
from evenings.sessions.setup import SeatGiven, create_session, set_entrants
from evenings.standings import computing
from pages.doors import session_url
from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series
from rankings.series.setup import SeriesGiven, create_series
from tests.evenings.changes.test_carry_out import newcomers
from tests.evenings.changes.test_wrong_etuis import change, play_position, previews
from tests.factories import draft_session, make_director, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Entrant, Session, Tournament
from tournaments.models.seats import list_seated
from tournaments.rules.operations import Arrive, Leave, Operation, Return, Substitute
from tournaments.rules.series import SeriesSettings

pytestmark = pytest.mark.django_db


def seat_with_fillers(players: int) -> Session:
    """Return a session at four tables that has begun, in which this number of players is ranked, of sixteen."""
    session = draft_session(tables=4, positions=4, etuis_per_position=2)
    choice, plan = next(
        (place, way.plan) for place, way in enumerate(proposals_for(session, players=players)) if way.code == "filler"
    )
    ids = session.entrants.values_list("player_id", flat=True)
    seats = [
        SeatGiven(player, "NESW"[member.line], member.number, member not in plan.fillers)
        for player, member in zip(ids, plan.everybody(), strict=True)
    ]
    set_entrants(session_id=session.pk, seats=seats)
    director = make_director(session.tournament.club)
    choose_plan(session_id=session.pk, choice=choice, shape=shape_of(session), by=director, now=timezone.now())
    return start_session(session_id=session.pk, now=timezone.now())


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return seat_with_fillers(15).pk


def filler_of(session: Session) -> Entrant:
    return session.entrants.get(ranked=False, last_position=None)


def come_late(session: Session, director, *, position: int, **given) -> str:
    """Seat a newcomer in the filler's seat from this position on, play everything, and return the reason for no rank.

    The reason is "" if the newcomer is ranked.
    """
    (player,) = newcomers(session, "Tardive")
    for early in range(1, position):
        play_position(session, early, director)
    change(session, Substitute(filler_of(session).pk, player, position=position, **given), director)
    for late in range(position, session.positions + 1):
        play_position(session, late, director)
    came = session.entrants.get(player=player)
    row = next(row for row in computing.compute(session.pk).data["players"] if row["id"] == came.pk)
    assert (row["rank_general"] is None) == bool(row["unranked"])
    assert (player in ranked_in(session)) == came.ranked
    return row["unranked"]


@pytest.mark.parametrize(
    ("position", "given", "reason"),
    [(2, {}, ""), (4, {}, "share"), (2, {"ranked": False}, "filler")],
    ids=["early", "too late", "unless the director says not"],
)
def test_newcomer_in_the_seat_of_a_filler_is_ranked_as_latecomers_are(session, director, position, given, reason):
    assert come_late(session, director, position=position, **given) == reason


@pytest.mark.nightly("story")
def test_newcomer_in_the_seat_of_a_filler_is_no_substitute(session, director):
    Tournament.objects.filter(pk=session.tournament_id).update(substitutes_ranked=False)
    assert come_late(session, director, position=2) == ""


@pytest.mark.nightly("story")
def test_newcomer_in_the_seat_of_a_filler_counts_in_a_championship(session, director):
    filler = filler_of(session).player
    assert come_late(session, director, position=2) == ""
    newcomer = session.entrants.get(ranked=True, first_position=2).player
    publication = publish(session, by=director)
    ranks = {row["player"]: row["rank_general"] for row in publication.data["players"]}
    assert (ranks[newcomer.pk] is None, ranks[filler.pk]) == (False, None)
    rules = {"brings": "table", "table": tuple(Fraction(20 - place) for place in range(16)), "presence": Fraction(5)}
    given = SeriesGiven("Challenge", session.date, session.date, SeriesSettings(**rules))
    series = create_series(club=session.tournament.club, given=given, by=director, now=timezone.now())
    found = {row["player"]: row for row in figure_series(series, choose_events(series))["players"]}
    assert Fraction(found[newcomer.pk]["total"]) == 5 + Fraction(21 - ranks[newcomer.pk])
    assert found[newcomer.pk]["rank"] is not None
    assert Fraction(found[filler.pk]["total"]) == 5, "for presence alone"


def test_the_same_players_as_last_time_have_the_newcomer_and_not_the_filler(session, director):
    filler = filler_of(session).player
    come_late(session, director, position=2)
    newcomer = session.entrants.get(ranked=True, first_position=2).player
    following = create_session(tournament=session.tournament, date=session.date + dt.timedelta(days=7))
    page = browser_of(director).get(session_url("entrants", following), {"last": session.pk})
    proposed = page.context["join"].fields["players"].initial
    assert (newcomer.pk in proposed, filler.pk in proposed, len(proposed)) == (True, False, 16)
    assert "Ticks everybody who played for the ranking on" in words(page)


def test_page_of_consequences_says_that_the_newcomer_is_ranked(session, director):
    (player,) = newcomers(session, "Tardive")
    given = {"entrant": filler_of(session).pk, "player": player, "position": 2, "own": "yes"}
    shown = words(browser_of(director).post(session_url("change", session, "substitute"), given))
    assert "Tardive is ranked, with 6 étuis of 8." in shown


def consequences(session: Session, operation: Operation) -> str:
    with translation.override("en"):
        return " ".join(previews(session, operation)[0].consequences)


def test_consequences_say_whether_the_newcomer_is_ranked(session, director):
    seat, (player,) = filler_of(session).pk, newcomers(session, "Tardive")
    ranked = session.entrants.get(line="N", number=1).pk
    assert consequences(session, Substitute(seat, player, position=2)) == "Tardive is ranked, with 6 étuis of 8."
    assert "2 étuis of 8 are less than the 50%" in consequences(session, Substitute(seat, player, position=4))
    unranked = Substitute(ranked, player, position=2, ranked=False)
    assert consequences(session, unranked) == "Tardive completes the table and is unranked."
    assert consequences(session, Substitute(seat, player, position=2, own=False)) == ""
    session.tournament.substitutes_ranked = False
    session.tournament.save()
    assert "does not rank substitutes" in consequences(session, Substitute(ranked, player, position=2))


def test_somebody_who_comes_late_has_the_seat_of_the_filler_first(session, director):
    filler = filler_of(session)
    (player,) = newcomers(session, "Tardive")
    operation = Arrive((player,), after=1)
    play_position(session, 1, director)
    way = outcomes(session, operation)[0]
    assert (way.code, way.gone, count_rests(way), way.plan.fillers) == ("relieved", (filler.pk,), 0, ())
    before = find_laid_rows(session)
    version = change(session, operation, director)
    came = session.entrants.get(player=player)
    assert (came.line, came.number, came.ranked) == (filler.line, filler.number, True)
    with translation.override("en"):
        told = say_plan_version(version, OperationNames(session))
    assert told.endswith(f" {filler.name} completes the table no longer, and stops after position 1.")
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert (find_laid_rows(session), filler_of(session)) == (before, filler)


def test_second_who_comes_late_sits_elsewhere_and_no_filler_plays(session, director):
    players = newcomers(session, "Tardive", "Retard")
    play_position(session, 1, director)
    change(session, Arrive(players, after=1), director)
    assert session.entrants.filter(ranked=False, last_position=None).count() == 0
    assert session.entrants.filter(player__in=players, last_position=None).count() == 2
    assert faults_in(running_evening(session).plan, fixed=1) == []


@pytest.mark.nightly("story")
def test_filler_stops_first_when_somebody_leaves(session, director):
    filler, leaver = filler_of(session), session.entrants.get(line="N", number=1)
    play_position(session, 1, director)
    operation = Leave((leaver.pk,), after=1)
    first, *others = outcomes(session, operation)
    assert first.gone == (leaver.pk, filler.pk)
    assert count_rests(first) < min(map(count_rests, others))
    version = change(session, operation, director)
    assert session.entrants.filter(last_position=1).count() == 2
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert session.entrants.filter(last_position=1).count() == 0


@pytest.mark.parametrize("first", [0, 1])
def test_whoever_comes_back_has_the_seat_of_a_filler_on_the_own_line(session, director, first):
    """Let the filler's neighbour on the line leave, and another take the seat: the neighbour has no old seat."""
    filler = filler_of(session)
    gone = session.entrants.get(line=filler.line, number=1)
    for position in range(1, first + 1):
        play_position(session, position, director)
    (player,) = newcomers(session, "Autre")
    change(session, Substitute(gone.pk, player, position=first + 1), director)
    before = find_laid_rows(session)
    operation = Return((gone.pk,), after=first)
    assert outcomes(session, operation)[0].code == "relieved"
    version = change(session, operation, director)
    gone.refresh_from_db()
    assert (gone.number, gone.last_position) == (filler.number, None)
    assert find_seated(session, first) >= {gone.pk}
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert (find_laid_rows(session), filler_of(session)) == (before, filler)


def find_seated(session: Session, after: int) -> set[int]:
    """Return the ids of all entrants who sit somewhere after this position."""
    return {pk for row in find_laid_rows(session).values() if row["position"] > after for pk in list_seated(row)}


def test_empty_seat_is_better_than_the_seat_of_a_filler(session, director):
    leaver = session.entrants.get(line="E", number=2)
    operation = Leave((leaver.pk,), after=1)
    play_position(session, 1, director)
    kept = next(place for place, way in enumerate(outcomes(session, operation)) if way.code == "kept")
    change(session, operation, director, choice=kept)
    (player,) = newcomers(session, "Tardive")
    found = outcomes(session, Arrive((player,), after=1))
    assert (found[0].code, found[0].gone, count_rests(found[0])) == ("kept", (), 0)


def test_page_of_a_substitute_offers_the_seat_of_the_filler_first(session, director):
    page = browser_of(director).get(session_url("change", session, "substitute"))
    choices = page.context["form"].fields["entrant"].choices
    assert choices[1] == (filler_of(session).pk, "Nom016 Zoé · W 4 · completes the table")
    (player,) = newcomers(session, "Tardive")
    given = {"entrant": choices[1][0], "player": player, "position": 2, "own": "unranked"}
    shown = words(browser_of(director).post(session_url("change", session, "substitute"), given))
    assert "Tardive completes the table and is unranked." in shown


def test_newcomer_of_an_evening_that_nobody_can_play_is_said_no_rank():
    tournament = Tournament(substitutes_ranked=True)
    evening = SessionPlan(Session(tournament=tournament), SimpleNamespace(stops=[]))
    newcomer = Entrant(pk=-1, player=Player(last_name="Tardive"), line="N", number=1)
    assert say_ranks(evening, SimpleNamespace(plan=evening.plan), [newcomer]) == []
