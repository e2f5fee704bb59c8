"""The people of doublettes: who signs up by twos, comes late or leaves, and what a place in a team then brings."""

from fractions import Fraction

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan
from evenings.plans.choosing import choose_plan, proposals_for, shape_of
from evenings.plans.starting import start_session
from evenings.sessions.checklist import preparation_of
from evenings.sessions.seating import DrawOrder, draw_seats, move_player
from evenings.sessions.setup import create_session
from evenings.teams.substitutes import replace_member
from registration.people.applicants import NewApplicant, list_teams_down
from registration.people.registration import set_registration
from registration.people.seats import seat_present_teams
from registration.people.teams import agree, register_team
from tests.evenings.doublettes.evening import draft_doublettes, make_doublettes, start_doublettes
from tests.factories import DATE, enter_all, publish
from tournaments.models import Applicant, TeamMember
from tournaments.rules.operations import Arrive, Substitute

pytestmark = pytest.mark.django_db


def test_checklist_names_the_players_of_a_team_who_meet_and_the_draw_parts_them():
    tournament, by = make_doublettes()
    session = draft_doublettes(tournament)
    assert preparation_of(session).steps[0].warning == ""
    one, other = (each.player_id for each in TeamMember.objects.filter(team__number=1).order_by("place"))
    here = session.entrants.get(player=one)
    move_player(session_id=session.pk, player_id=other, line="E" if here.line == "N" else "N", number=here.number)
    warning = preparation_of(session).steps[0].warning
    assert "Zoé Nom001 – Zoé Nom002" in warning
    drawn = draw_seats(session_id=session.pk, seed=1, by=by, now=timezone.now(), order=DrawOrder.CHANCE)
    assert (drawn.together, preparation_of(session).steps[0].warning) == ((), "")


@pytest.mark.nightly("story")
def test_substitute_in_the_team_and_the_player_who_left_bring_their_mean_together():
    tournament, by = make_doublettes()
    session = start_doublettes(tournament)
    team = tournament.teams.get(number=1)
    leaver = team.members.order_by("place").first()
    entrant = session.entrants.get(player=leaver.player_id)
    enter_all(session, by=by, plays=session.plays.filter(position__lte=2).select_related("etui"))
    (late,) = add_players(club=tournament.club, lines=[RosterLine("Tardif", "Ugo")])
    change_session(
        session_id=session.pk,
        operation=Substitute(entrant.pk, late.pk, position=3),
        choice=0,
        seen=number_of_plan(session),
        by=by,
        now=timezone.now(),
    )
    told = {"tournament_id": tournament.pk, "by": by, "now": timezone.now()}
    replace_member(member_id=leaver.pk, player=late.pk, session_id=session.pk, position=3, **told)
    enter_all(session, by=by, plays=session.plays.filter(position__gt=2).select_related("etui"))
    data = publish(session, by=by).data
    rows = {row["player"]: row for row in data["players"]}
    mate = team.members.exclude(pk=leaver.pk).get(ended_at=None, replaces=None)
    own = [rows[pk] for pk in (leaver.player_id, late.pk)]
    deals = sum(row["deals"] for row in own)
    joined = sum(Fraction(row["overall"]) * row["deals"] for row in own) / deals
    found = next(row for row in data["teams"] if row["team"] == 1)
    assert Fraction(found["total"]) == joined + Fraction(rows[mate.player_id]["overall"])
    assert {member["player"] for member in found["members"]} == {leaver.player_id, late.pk, mate.player_id}


@pytest.mark.nightly("story")
def test_players_sign_up_by_twos_and_take_seats_apart():
    tournament, by = make_doublettes(teams=0)
    session = create_session(tournament=tournament, date=DATE, positions=4, etuis_per_position=2)
    now = timezone.now()
    set_registration(accepts_at_once=True, session_id=session.pk, by=by, now=now, places=None)
    for number in range(10):
        people = [NewApplicant(f"Nom{number}{letter}") for letter in "AB"]
        captain = register_team(session_id=session.pk, captain=people[0], named=people[1:], now=now)
        agree(token=captain.named.get().token, now=now)
    assert [len(team.members) for team in list_teams_down(session)] == [2] * 10
    Applicant.objects.update(present_at=now)
    entrants = seat_present_teams(session_id=session.pk, answers={}, by=by, now=now)
    assert (len(entrants), {each.team_id for each in entrants}) == (20, {None})
    assert tournament.teams.count() == 10
    assert preparation_of(session).steps[0].warning == ""
    Applicant.objects.filter(last_name="Nom3B").update(present_at=None)
    left = seat_present_teams(session_id=session.pk, answers={}, by=by, now=now)
    assert {each.own_name for each in entrants} - {each.own_name for each in left} == {"Nom3A", "Nom3B"}


@pytest.mark.nightly("story")
def test_latecomer_on_a_free_seat_adds_the_own_percentage_to_that_of_the_team():
    tournament, by = make_doublettes()
    late = tournament.team_members.get(team__number=10, place=2).player_id
    present = tournament.team_members.exclude(player=late).order_by("team", "place").values_list("player", flat=True)
    session = draft_doublettes(tournament, players=tuple(present))
    codes = [way.code for way in proposals_for(session, players=19)]
    choice, shape = codes.index("phantom"), shape_of(session)
    choose_plan(session_id=session.pk, choice=choice, shape=shape, by=by, now=timezone.now())
    session = start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=by, plays=session.plays.filter(position=1).select_related("etui"))
    change_session(
        session_id=session.pk,
        operation=Arrive((late,), after=1),
        choice=0,
        seen=number_of_plan(session),
        by=by,
        now=timezone.now(),
    )
    assert session.entrants.get(player=late).first_position == 2
    enter_all(session, by=by, plays=session.plays.filter(position__gt=1).select_related("etui"))
    data = publish(session, by=by).data
    rows = {row["player"]: row for row in data["players"]}
    mate = tournament.team_members.get(team__number=10, place=1).player_id
    team = next(row for row in data["teams"] if row["team"] == 10)
    assert rows[late]["unranked"] == ""
    assert Fraction(team["total"]) == Fraction(rows[late]["overall"]) + Fraction(rows[mate]["overall"])
    assert team["rank"] is not None
