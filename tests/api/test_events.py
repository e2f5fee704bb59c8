"""The ranking of a tournament of several sessions by the API: settings, reading, publishing, taking back."""

from fractions import Fraction

import pytest
from django.utils import timezone

from rankings.events import counting
from tests.factories import make_tournament
from tests.rankings.events.several import published_sessions
from tournaments.models import TournamentStandings


@pytest.fixture
def tournament(club, director):
    tournament = make_tournament(club)
    published_sessions(tournament, by=director.user)
    counting.refresh(tournament.pk, now=timezone.now())
    return tournament


def test_the_ranking_as_it_stands_is_exact_and_for_directors(tournament, director, helper):
    told = director.get(f"tournaments/{tournament.pk}/standings/")
    kept = TournamentStandings.objects.get(pk=tournament.pk).data["players"]
    assert [Fraction(row["total"]["exact"]) for row in told["players"]] == [Fraction(row["total"]) for row in kept]
    assert told["fresh"] is True
    assert [each["sessions"][0]["version"] for each in told["rounds"]] == [0, 0]
    assert helper.refused("GET", f"tournaments/{tournament.pk}/standings/", status=403) == "permission_denied"


def test_settings_are_changed_and_the_ranking_follows(tournament, director):
    path = f"tournaments/{tournament.pk}/rules/"
    changed = director("PATCH", path, {"counting": "mean", "best_of": 1, "carry_over": None, "least_sessions": 2})
    assert (changed["counting"], changed["best_of"], changed["least_sessions"]) == ("mean", 1, 2)
    told = director.get(f"tournaments/{tournament.pk}/standings/")
    assert told["counting"] == "mean"
    assert all(sum(result["counts"] for result in row["results"] if result) == 1 for row in told["players"])
    assert director.refused("PATCH", path, {"best_of": 0}, status=400) == "invalid"


def test_a_session_is_weighed(tournament, director):
    session = tournament.sessions.earliest("pk")
    told = director("PATCH", f"sessions/{session.pk}/", {"coefficient": "1.5", "stage": "final"})
    assert (told["coefficient"], told["stage"]) == ("1.50", "final")
    for wrong in ("0", "1234567", "1.234", "deux"):
        assert director.refused("PATCH", f"sessions/{session.pk}/", {"coefficient": wrong}, status=400) == "invalid"


@pytest.mark.nightly("story")
def test_it_is_published_read_by_everybody_and_taken_back(tournament, director, stranger):
    path = f"tournaments/{tournament.pk}/publications/"
    assert stranger.refused("GET", f"{path}latest/", status=404) == "not_found"
    assert director.post(path, {}, status=201)["status"] == "provisional"
    read = stranger.get(f"{path}latest/")
    assert (read["version"], [each["sessions"][0]["version"] for each in read["rounds"]]) == (1, [1, 1])
    assert director.post(f"{path}official/", {})["version"] == 2
    assert director.post(f"{path}reopen/", {"reason": "relu"})["status"] == "provisional"
    assert [each["version"] for each in stranger.get(path)] == [3, 2, 1]
    assert director.post(f"{path}withdraw/", {"reason": "mauvais coefficient"})["status"] == "withdrawn"
    for version in ("latest", "1", "3"):
        assert stranger.refused("GET", f"{path}{version}/", status=404) == "withdrawn"
