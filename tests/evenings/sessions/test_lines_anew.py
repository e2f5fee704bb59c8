"""The draw of lines for the next session of a tournament, by its ranking so far."""

import pytest
from django.utils import timezone

from evenings.sessions.seating import DrawOrder, draw_seats
from movements.draw import draw_lines
from pages.doors import session_url
from rankings.events import counting
from tests.factories import draft_session, make_director, make_tournament
from tests.pages.browsing import browser_of
from tests.rankings.events.several import played_sessions
from tournaments.errors import ActionRefused
from tournaments.models import TournamentStandings


def bands(drawn, seats):
    """Return the lines of each four players who follow each other in the ranking."""
    line_of = {player: line for player, (line, _table) in zip(drawn.players, seats, strict=True)}
    return [sorted(line_of[player] for player in range(first, first + 4)) for first in range(0, len(seats), 4)]


@pytest.mark.parametrize("tables", [1, 5, 12])
@pytest.mark.parametrize("seed", [0, 7, 1408])
def test_each_four_of_the_ranking_sit_on_the_four_lines(tables, seed):
    seats = [(line, table) for table in range(1, tables + 1) for line in range(4)]
    drawn = draw_lines(range(4 * tables), seats, seed=seed)
    assert bands(drawn, seats) == [[0, 1, 2, 3]] * tables
    assert drawn == draw_lines(range(4 * tables), seats, seed=seed)
    family = [{0, 5, 9}] if tables > 4 else []
    apart = draw_lines(range(4 * tables), seats, seed=seed, apart=family)
    assert (apart.together, bands(apart, seats)) == ((), [[0, 1, 2, 3]] * tables)


@pytest.mark.django_db
def test_the_next_session_draws_its_lines_by_the_running_ranking():
    tournament = make_tournament()
    director = make_director(tournament.club)
    played_sessions(tournament, by=director)
    session = draft_session(tournament)
    told = {"session_id": session.pk, "seed": 7, "by": director, "now": timezone.now(), "order": DrawOrder.RUNNING}
    with pytest.raises(ActionRefused, match="no_ranking_yet"):
        draw_seats(**told)
    counting.refresh(tournament.pk, now=timezone.now())
    page = browser_of(director).get(session_url("entrants", session))
    assert "lines by the tournament ranking so far" in page.text
    posted = {"action": "draw", "by": "running", "seed": "7", "apart": ""}
    assert browser_of(director).post(session_url("entrants", session), posted).status_code == 302
    ranked = [row["player"] for row in TournamentStandings.objects.get(pk=tournament.pk).data["players"]]
    line_of = dict(session.entrants.values_list("player_id", "line"))
    assert sorted(line_of[player] for player in ranked[:4]) == ["E", "N", "S", "W"]
    assert session.log.filter(action="draw_by_running").count() == 1
