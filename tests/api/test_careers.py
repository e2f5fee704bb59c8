"""A player's career by the API: what the answer holds, who may read it, the number of queries."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Club, Player, Visibility
from clubs.players import raise_names_version
from rankings.careers.keeping import refresh
from tests.api.conftest import V1, Client
from tests.factories import make_club, make_tournament, published_session
from tournaments.models import Appearance, Session, Tournament

pytestmark = pytest.mark.nightly("story")


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return make_tournament(club)


@pytest.fixture
def sessions(tournament: Tournament, director: Client) -> list[Session]:
    made = [published_session(tournament, by=director.user) for _ in range(2)]
    for session in made:
        refresh(session.pk)
    return made


@pytest.fixture
def players(sessions: list[Session]) -> list[Player]:
    return [entrant.player for entrant in sessions[0].entrants.select_related("player").order_by("pk")[:2]]


def hide(player: Player, shown: Visibility = Visibility.HIDDEN) -> None:
    player.person.shown = shown
    player.person.save()
    raise_names_version(player.club_id)


def test_career_adds_up_what_is_published(stranger: Client, sessions: list[Session], players: list[Player]) -> None:
    Player.objects.create(club=make_club("elsewhere"), person=players[0].person, last_name="Listed")
    told = stranger.get(f"players/{players[0].pk}/")
    rows = Appearance.objects.filter(player=players[0].pk)
    assert (told["name"], told["clubs"], told["seasons"]) == (players[0].name, ["club"], [2026])
    assert (
        (told["sessions"], told["deals"]) == (2, sum(rows.values_list("deals", flat=True))) == (2, sum(told["notes"]))
    )
    feuilles = [
        stranger.get(f"sessions/{session.pk}/entrants/{session.entrants.get(player=players[0]).pk}/")
        for session in sessions
    ]
    notes = [
        (Fraction(play["note"]["exact"]), play["taker"] == feuille["player"]["line"])
        for feuille in feuilles
        for play in feuille["plays"]
    ]
    for side, is_attack in (("attack", True), ("defence", False)):
        own = [note for note, attacks in notes if attacks == is_attack]
        assert told[side]["deals"] == len(own)
        assert told[side]["mean"] == (told[side]["mean"] and told[side]["mean"] | {"exact": str(sum(own) / len(own))})
    assert [each["sessions"] for each in told["curve"]] == [1, 1]
    assert stranger.get(f"players/{players[0].pk}/?season=2025")["sessions"] == 0
    assert all(row["player"] != players[0].pk for row in told["companions"])


def test_sessions_of_a_player_lead_to_his_feuilles(
    stranger: Client, sessions: list[Session], players: list[Player]
) -> None:
    rows = stranger.get(f"players/{players[0].pk}/sessions/")
    assert [row["session"] for row in rows] == [each.pk for each in reversed(sessions)]
    for row in rows:
        feuille = stranger.get(f"sessions/{row['session']}/entrants/{row['entrant']}/")
        assert feuille["player"]["overall"] == row["overall"]
        assert feuille["player"]["rank_alterne"] == row["rank_alterne"]
    first = stranger.client.get(f"{V1}players/{players[0].pk}/sessions/?size=1")
    assert [row["session"] for row in first.json()] == [sessions[1].pk]
    assert 'rel="next"' in first["Link"]


def test_two_players_are_held_against_each_other(stranger: Client, players: list[Player]) -> None:
    one, other = (player.pk for player in players)
    told = stranger.get(f"players/{one}/with/{other}/")
    back = stranger.get(f"players/{other}/with/{one}/")
    assert (told["one"]["player"], told["other"]["player"], told["sessions"]) == (one, other, 2)
    assert sum(told["ranks"].values()) == 2
    assert (told["ranks"]["better"], told["etuis"]["better"]) == (back["ranks"]["worse"], back["etuis"]["worse"])
    assert stranger.refused("GET", f"players/{one}/with/{one}/", status=404) == "not_found"


@pytest.mark.parametrize("path", ["", "sessions/", "with/{}/"])
def test_who_is_not_shown_by_name_has_a_career_for_his_directors_alone(
    stranger: Client, outsider: Client, director: Client, players: list[Player], path: str
) -> None:
    where = f"players/{players[0].pk}/{path.format(players[1].pk)}"
    first = stranger.client.get(V1 + where)
    assert first["Cache-Control"] == "no-cache"
    hide(players[0])
    for client in (stranger, outsider):
        assert client.refused("GET", where, status=404) == "not_found"
        nobody = f"players/{Player.objects.latest('pk').pk + 1}/{path.format(players[1].pk)}"
        assert client.refused("GET", nobody, status=404) == "not_found"
    private = director.client.get(V1 + where)
    assert (private.status_code, private["Cache-Control"]) == (200, "private, no-store")
    assert players[0].name not in str(stranger.get(f"players/{players[1].pk}/"))


def test_career_is_known_before_it_is_built(stranger: Client, players: list[Player]) -> None:
    path = f"{V1}players/{players[0].pk}/"
    first = stranger.client.get(path)
    with CaptureQueriesContext(connection) as asked:
        again = stranger.client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, len(asked) <= 5) == (304, True)
    hide(players[1])
    assert stranger.client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.parametrize("wrong", ["season=1", f"season={'9' * 5000}", "season=été", "colour=red"])
def test_season_that_is_none_is_refused(stranger: Client, players: list[Player], wrong: str) -> None:
    assert stranger.refused("GET", f"players/{players[0].pk}/?{wrong}", status=400) == "invalid"
