"""The careers of members of teams: a note counts for who attacked, and for the three who defended."""

from collections import Counter
from fractions import Fraction

import pytest

from rankings.careers.keeping import refresh as refresh_careers
from tests.evenings.teams.evening import triplettes_session
from tests.evenings.teams.playing import play_all, replace_member
from tests.factories import make_director, publish
from tournaments.models import Appearance, TeamMember

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    found = triplettes_session(teams=4)
    replace_member(TeamMember.objects.get(team__number=3, place=1), found, 2)
    by = make_director(found.tournament.club)
    play_all(found, by=by)
    publish(found, by=by)
    refresh_careers(found.pk)
    return found


def count_parts(session):
    """Return (attacks, defences) of each player, counted from the plays and the members alone."""
    attacks, defences = Counter(), Counter()
    entrants = {entrant.pk: entrant.team for entrant in session.entrants.select_related("team")}
    for play in session.plays.select_related("etui"):
        teams = {play.north_id, play.east_id, play.south_id, play.west_id}
        (attacking,) = {play.seat_ids[play.taker]}
        (defending,) = teams - {attacking}
        for pk, wanted, counts in ((attacking, {play.badge}, attacks), (defending, {1, 2, 3}, defences)):
            for member in entrants[pk].members.all():
                since = member.from_position if member.from_session_id else 1
                until = member.until_position or session.positions
                counts[member.player_id] += member.place in wanted and since <= play.position <= until
    return attacks, defences


@pytest.mark.nightly("story")
def test_notes_count_for_the_attacker_and_the_three_defenders(session):
    attacks, defences = count_parts(session)
    rows = Appearance.objects.filter(session=session)
    assert rows.count() == 13
    for row in rows:
        figures = row.figures
        told = (figures.get("a", [0])[0], figures.get("d", [0])[0])
        assert told == (attacks[row.player], defences[row.player])
        assert row.rank is not None
        assert row.ranked == 4
        assert not row.is_stand_in


@pytest.mark.nightly("story")
def test_notes_of_a_member_are_those_of_the_team(session):
    member = TeamMember.objects.get(team__number=1, place=1)
    entrant = session.entrants.get(team__number=1)
    row = Appearance.objects.get(session=session, player=member.player_id)
    assert row.entrant == entrant.pk
    total = Fraction(row.figures.get("d", [0, 0])[1], row.figures["den"])
    publication = session.publications.get().data
    expected = sum(
        Fraction(next(note for line, note in play["notes"].items() if play["seats"][line] == entrant.pk))
        for etui in publication["etuis"]
        for play in etui["plays"]
        if entrant.pk in play["seats"].values() and play["seats"][play["taker"]] != entrant.pk
    )
    assert total == expected
