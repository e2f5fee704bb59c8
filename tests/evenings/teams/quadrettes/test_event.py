"""An event of three sessions of quadrettes equals, to the last digit, a computation that shares no code with it."""

from fractions import Fraction

import pytest
from django.utils import timezone

from rankings.events import counting as events
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.teams.quadrettes.event import QuadrettesEvent
from tests.scoring.teams.plain import plain_ranks
from tournaments.models import TournamentStandings

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


@pytest.mark.parametrize("teams", [6, 5])
def test_event_of_three_sessions_equals_an_independent_computation(teams):
    event = QuadrettesEvent(teams)
    sums = dict.fromkeys(range(1, teams + 1), Fraction())
    for session in event.sessions:
        found = event.find_totals(session)
        numbers = dict(session.entrants.values_list("pk", "team__number"))
        rows = {numbers[row["id"]]: row for row in session.standings.data["players"]}
        assert {team: (Fraction(row["overall"]), row["attacks"]) for team, row in rows.items()} == found
        ranks = plain_ranks({team: total for team, (total, _etuis) in found.items()})
        assert {team: row["rank_general"] for team, row in rows.items()} == ranks
        assert_kept_from_nothing(session)
        for team, (total, _etuis) in found.items():
            sums[team] += total
    events.refresh(event.tournament.pk, now=timezone.now())
    kept = TournamentStandings.objects.get(pk=event.tournament.pk).data["players"]
    assert {row["team"]: (Fraction(row["total"]), row["rank"]) for row in kept} == {
        team: (total, plain_ranks(sums)[team]) for team, total in sums.items()
    }
    third = next(row for row in kept if row["team"] == 3)
    assert [member["place"] for member in third["members"]] == [1, 1, 2, 3, 4]


def test_match_points_of_a_session_sum_to_zero_without_penalties_and_fixed_points():
    event = QuadrettesEvent(6)
    for session in event.sessions:
        session.penalties.all().delete()
        points = [
            Fraction(play["notes"]["S"])
            for etui in session.standings.etuis.all()
            for play in etui.plays.values()
            if play["notes"] and play["notes"].get("S")
        ]
        assert sum(points) == 0
        assert any(points)
