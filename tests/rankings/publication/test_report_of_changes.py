"""The report of an evening with changes: players who are unranked, penalised or replaced, and plays not played."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.plans.choosing import choose_plan, proposals_for, shape_of
from evenings.plans.starting import start_session
from evenings.plays.entering import not_played
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import split_etui
from evenings.sessions.setup import SeatGiven, set_entrants
from evenings.standings import computing
from pages.doors import session_url
from rankings.publication import building
from rankings.publication.report import read_report
from tests.factories import draft_session, enter_all, make_director, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import Session
from tournaments.rules.operations import Arrive, Leave, Substitute

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return started_session(tables=5, positions=3, etuis_per_position=1)


def report_of(session):
    return read_report(building.build_live(Session.objects.select_related("standings").get(pk=session.pk)))


def refreshed(session):
    computing.refresh(session.pk, now=timezone.now())
    return report_of(session)


def reader():
    return Client(headers={"accept-language": "en"})


@pytest.mark.nightly("story")
def test_fillers_stand_after_the_ranked_without_a_rank():
    session = draft_session(tables=5, positions=3, etuis_per_position=1)
    director = make_director(session.tournament.club)
    offered = proposals_for(session, players=18)
    choice, plan = next((place, way.plan) for place, way in enumerate(offered) if way.code == "filler")
    ids = session.entrants.values_list("player_id", flat=True)
    seats = [
        SeatGiven(player, "NESW"[member.line], member.number, member not in plan.fillers)
        for player, member in zip(ids, plan.everybody(), strict=True)
    ]
    set_entrants(session_id=session.pk, seats=seats)
    choose_plan(session_id=session.pk, choice=choice, shape=shape_of(session), by=director, now=timezone.now())
    session = start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=director)
    publish(session, by=director)
    report = read_report(session.publications.get().data)
    for order in (report.players, report.ranking.order("alterne")):
        assert [player.ranked for player in order] == [True] * 18 + [False] * 2
        assert [player.rank_general for player in order[-2:]] == [None, None]
    rows = read(reader().get(session_url("ranking", session))).rows
    assert [(row[0], "unranked" in row[2]) for row in rows[-2:]] == [("–", True)] * 2


@pytest.mark.nightly("story")
def test_penalty_shows_beside_the_name_and_on_the_feuille(session, director):
    enter_all(session, by=director)
    entrant = refreshed(session).players[0]
    points = Decimal("2.5")
    given = {"sanction": Sanction(points=points), "reason": "Retard", "by": director, "now": timezone.now()}
    give_penalty(session_id=session.pk, entrant_id=entrant.id, **given)
    after = refreshed(session).player(entrant.id)
    assert (after.penalty, after.overall) == (Fraction(5, 2), entrant.overall - Fraction(5, 2))
    publish(session, by=director)
    page = words(reader().get(session_url("ranking", session)))
    assert page.count("(penalty −2.50)") == 1
    feuille = words(reader().get(session_url("feuille", session, 1, entrant.id)))
    assert "Penalty, already deducted −2.50" in feuille


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("own", "names"), [(True, ["Zoé Nom001", "Doublure"]), (False, ["Zoé Nom001 / Doublure"])])
def test_substitute_has_a_line_of_his_own_or_stands_beside_the_name(session, director, own, names):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Doublure", "")])
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    replaced = session.entrants.get(line="N", number=1)
    operation = Substitute(replaced.pk, player.pk, position=2, own=own)
    seen = {"seen": number_of_plan(session), "choice": 0, "by": director, "now": timezone.now()}
    change_session(session_id=session.pk, operation=operation, **seen)
    enter_all(session, by=director, plays=session.plays.filter(position__gt=1).select_related("etui"))
    report = refreshed(session)
    found = [player for player in report.players if player.line == "N" and player.number == 1]
    assert sorted(player.name for player in found) == sorted(names)
    assert sorted(len(report.feuille(player.id)) for player in found) == ([1, 2] if own else [3])


@pytest.mark.nightly("story")
def test_plays_on_both_sides_of_an_alteration_are_listed_apart(session, director):
    enter_all(session, by=director)
    given = {"reason": "Carte retournée", "by": director, "now": timezone.now()}
    split_etui(session_id=session.pk, etui=1, from_position=2, **given)
    report = refreshed(session)
    etui = report.etui(1)
    assert etui.altered_from == 2
    assert [play.position >= 2 for play in report.topage(etui)] == [False, True, True]


@pytest.mark.nightly("story")
def test_publishing_says_how_many_plays_are_not_played(session, director):
    plays = list(session.plays.select_related("etui"))
    enter_all(session, by=director, plays=plays[2:])
    for play in plays[:2]:
        not_played(play_id=play.pk, by=director, now=timezone.now())
    page = words(browser_of(director).get(session_url("publish", session)))
    assert "Every result is in. 2 plays are marked as not played: they count for nobody." in page
    publish(session, by=director)
    assert "2 deals were not played." in words(reader().get(session_url("ranking", session)))


@pytest.mark.nightly("story")
def test_pages_read_the_rows_where_the_last_standings_are_of_another_plan(session, director):
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Tardif", "")])
    given = {"session_id": session.pk, "by": director, "now": timezone.now()}
    arrival = Arrive((player.pk,), after=1)
    version = change_session(operation=arrival, choice=0, seen=number_of_plan(session), **given)
    assert "Tardif" in [player.name for player in refreshed(session).players]
    undo_change(seen=version.number, **given)
    assert "Tardif" not in [player.name for player in report_of(session).players]
    pages = [browser_of(director).get(session_url(name, session)) for name in ("standings", "session")]
    assert [("Tardif" in words(page), page.status_code) for page in pages] == [(False, 200)] * 2


@pytest.mark.nightly("story")
def test_who_went_before_the_first_position_is_on_no_plan(session, director):
    gone = session.entrants.get(line="E", number=2)
    given = {"choice": 0, "seen": number_of_plan(session), "by": director, "now": timezone.now()}
    change_session(session_id=session.pk, operation=Leave((gone.pk,), after=0), **given)
    assert gone.name not in words(reader().get(session_url("session_plan", session)))
