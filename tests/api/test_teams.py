"""The teams of a tournament by the API: made, changed, seated, their plan, and what single players' addresses say."""

from typing import Any

import pytest
from django.utils import timezone

from clubs.models import Club, Person, Player, Visibility
from clubs.players import add_players, raise_names_version
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table
from evenings.sessions.setup import create_session, create_tournament, use_deal_set
from tests.api.conftest import Client
from tests.evenings.teams.evening import make_teams
from tests.factories import DATE, enter_all, make_tournament, publish, published_session
from tournaments.models import Session, Team, Tournament


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return create_tournament(club=club, name="Triplettes", format="triplettes", now=timezone.now())


@pytest.fixture
def people(club: Club) -> list[Player]:
    return add_players(club=club, lines=[RosterLine(last, "A") for last in ("Brun", "Adam", "Petit", "Noir")])


def url(tournament: Tournament, rest: str = "") -> str:
    return f"tournaments/{tournament.pk}/teams/{rest}"


def names(team: dict[str, Any]) -> list[str]:
    return [member["name"] for member in team["members"] if member["ended_at"] is None]


def make(director: Client, tournament: Tournament, people: list[Player], **more: Any) -> dict[str, Any]:
    body = {"players": [each.pk for each in people], **more}
    made: dict[str, Any] = director.post(url(tournament), body, status=201)
    return made


def test_team_is_made_once_with_its_badges_by_family_name(
    tournament: Tournament, people: list[Player], director: Client
) -> None:
    made = make(director, tournament, people[:3], name="Les Bouts", captain=people[2].pk)
    assert (made["number"], made["name"], made["captain"], made["complete"]) == (1, "Les Bouts", people[2].pk, True)
    assert [(each["place"], each["name"]) for each in made["members"]] == [(1, "A Adam"), (2, "A Brun"), (3, "A Petit")]
    assert make(director, tournament, people[:3], name="Les Bouts") == made
    assert director.get(url(tournament)) == [made]
    assert director.get(url(tournament, f"{made['id']}/")) == made


def test_team_that_lacks_a_player_waits_and_gets_one(
    tournament: Tournament, people: list[Player], director: Client
) -> None:
    made = make(director, tournament, people[:2])
    assert made["complete"] is False
    members = url(tournament, f"{made['id']}/members/")
    full = director.post(members, {"player": people[2].pk}, status=200)
    assert (full["complete"], names(full)) == (True, ["A Adam", "A Brun", "A Petit"])
    assert director.refused("POST", members, {"player": people[3].pk}, status=422) == "team_full"
    member = next(each["id"] for each in full["members"] if each["player"] == people[0].pk)
    assert names(director("DELETE", f"{members}{member}/")) == ["A Adam", "A Petit"]


def test_player_of_another_team_and_an_unknown_one_are_refused(
    tournament: Tournament, people: list[Player], director: Client
) -> None:
    make(director, tournament, people[:2])
    body = {"players": [people[0].pk, people[3].pk]}
    assert director.refused("POST", url(tournament), body, status=422) == "player_in_a_team"
    assert director.refused("POST", url(tournament), {"players": [10**9]}, status=422) == "player_unknown"
    assert Team.objects.count() == 1


def test_name_number_and_captain_change(tournament: Tournament, people: list[Player], director: Client) -> None:
    one = make(director, tournament, people[:2])
    two = make(director, tournament, people[2:], name="Duo")
    path = url(tournament, f"{one['id']}/")
    changed = director("PATCH", path, {"name": "Unis", "number": 2, "captain": people[1].pk})
    assert (changed["name"], changed["number"], changed["captain"]) == ("Unis", 2, people[1].pk)
    assert director.get(url(tournament, f"{two['id']}/"))["number"] == 1
    assert director.refused("PATCH", path, {"name": "DUO"}, status=422) == "team_name_taken"
    assert director.refused("PATCH", path, {"captain": people[3].pk}, status=422) == "captain_not_in_team"


@pytest.mark.nightly("story")
def test_substitute_takes_the_place_over_and_gives_it_back(
    tournament: Tournament, people: list[Player], director: Client
) -> None:
    (team,) = make_teams(tournament, 1)
    start_with(tournament, director, teams=3, first=2)
    member = team.members.get(place=2)
    path = url(tournament, f"{team.pk}/members/{member.pk}/")
    assert director.refused("PUT", path, {}, status=422) == "substitute_one_way"
    assert director.refused("PUT", path, {"last_name": "Loin"}, status=422) == "reason_for_outsider"
    after = director.put(path, {"player": people[3].pk, "reason": "malade"})
    came = next(each for each in after["members"] if each["replaces"] == member.pk)
    assert (came["name"], came["place"], came["reason"]) == ("A Noir", 2, "malade")
    back = director("DELETE", url(tournament, f"{team.pk}/members/{came['id']}/substitution/"))
    assert [each["id"] for each in back["members"] if each["place"] == 2] == [member.pk]


def test_team_leaves_comes_back_and_is_dissolved(
    tournament: Tournament, people: list[Player], director: Client
) -> None:
    made = make(director, tournament, people[:3])
    path = url(tournament, f"{made['id']}/leaving/")
    assert director.refused("POST", path, {}, status=400) == "invalid"
    assert director.post(path, {"reason": "panne"}, status=200)["left_reason"] == "panne"
    assert director("DELETE", path)["left_at"] is None
    assert director("DELETE", url(tournament, f"{made['id']}/"), status=204) is None
    assert director.get(url(tournament)) == []


def start_with(tournament: Tournament, director: Client, *, teams: int, first: int = 1) -> Session:
    """Return a session that runs with these teams and the others of the tournament."""
    session = prepare_with(tournament, director, teams=teams, first=first)
    director.post(f"sessions/{session.pk}/start/")
    return session


def prepare_with(tournament: Tournament, director: Client, *, teams: int, first: int = 1) -> Session:
    make_teams(tournament, teams, first=first)
    now, session = timezone.now(), create_session(tournament=tournament, date=DATE, positions=3, etuis_per_position=4)
    deal_set = create_set_dealt_at_table(club=tournament.club, name="Étuis", count=40, by=None, now=now)
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    director.put(f"sessions/{session.pk}/teams/", {})
    return session


@pytest.mark.nightly("crawl")
def test_session_of_teams_goes_from_numbers_to_its_plan(tournament: Tournament, director: Client) -> None:
    session = prepare_with(tournament, director, teams=4)
    path = f"sessions/{session.pk}/team-plan/"
    seated = director.get(f"sessions/{session.pk}/entrants/")
    assert [(each["player"], each["team"] is not None, each["number"]) for each in seated] == [
        (None, True, number) for number in range(1, 5)
    ]
    before = director.get(path)
    assert (before["version"], before["stops"]) == (0, [])
    codes = [each["code"] for each in before["proposals"]]
    chosen = director.put(path, {"choice": codes.index("all_meet"), "teams": 4})
    assert (chosen["version"], chosen["kind"]) == (1, "choice")
    assert director.refused("PUT", path, {"choice": 0, "teams": 6}, status=409) == "plan_out_of_date"
    director.post(f"sessions/{session.pk}/start/")
    plan = director.get(path)
    assert (plan["code"], len(plan["stops"]), plan["proposals"]) == ("all_meet", 6, [])
    assert {each["first"] for each in plan["stops"]} | {each["second"] for each in plan["stops"]} == {1, 2, 3, 4}


@pytest.mark.nightly("crawl")
def test_numbers_are_given_to_chosen_teams_in_order_or_drawn(tournament: Tournament, director: Client) -> None:
    session = prepare_with(tournament, director, teams=4)
    teams = list(tournament.teams.order_by("-number").values_list("pk", flat=True))
    path = f"sessions/{session.pk}/teams/"
    assert [each["team"] for each in director.put(path, {"teams": teams[:3]})] == teams[:3]
    assert {each["team"] for each in director.put(path, {"draw": True})} == {*teams}
    assert director.refused("PUT", path, {"teams": [10**9]}, status=422) == "team_unknown"


@pytest.mark.nightly("story")
def test_team_leaves_a_running_session_and_the_undoing(tournament: Tournament, director: Client) -> None:
    session = start_with(tournament, director, teams=4)
    team = tournament.teams.get(number=2)
    path = f"sessions/{session.pk}/team-plan/changes/"
    body = {"kind": "leave", "team": team.pk, "after": 1, "seen": 1}
    assert director.refused("POST", path, body | {"seen": 7}, status=409) == "plan_out_of_date"
    assert director.post(path, body, status=201)["version"] == 2
    plan = director.get(f"sessions/{session.pk}/team-plan/")
    seats = {each["team"]: each["last_position"] for each in plan["teams"]}
    assert seats[team.pk] == 1
    assert director.post(f"sessions/{session.pk}/changes/undo/", {"seen": 2}, status=200)["undone_at"]
    late = make_teams(tournament, 1, first=9)[0]
    told = director.client.generic(
        "POST",
        f"/api/v1/{path}",
        f'{{"kind": "arrive", "team": {late.pk}, "after": 1, "seen": 3}}',
        content_type="application/json",
    )
    assert told.status_code in (201, 409, 422)


@pytest.mark.nightly("story")
def test_stranger_reads_the_plan_once_it_runs_with_public_names(
    tournament: Tournament, director: Client, stranger: Client
) -> None:
    session = prepare_with(tournament, director, teams=4)
    path = f"sessions/{session.pk}/team-plan/"
    assert (stranger.get(path)["teams"], stranger.get(path)["proposals"]) == ([], [])
    director.post(f"sessions/{session.pk}/start/")
    named = tournament.teams.get(number=2)
    assert "Les Bouts" in [each["name"] for each in stranger.get(path)["teams"]]
    player = named.members.get(place=1).player
    player.last_name = "Bouts"
    player.save()
    Person.objects.filter(players=player).update(shown=Visibility.HIDDEN)
    raise_names_version(tournament.club_id)
    assert "Les Bouts" not in [each["name"] for each in stranger.get(path)["teams"]]


@pytest.mark.nightly("story")
def test_addresses_of_single_players_say_that_teams_play(tournament: Tournament, director: Client) -> None:
    session = prepare_with(tournament, director, teams=4)
    path = f"sessions/{session.pk}/"
    assert director.refused("PUT", f"{path}plan/", {"choice": 0, "players": 4}, status=422) == "plan_of_teams"
    assert director.refused("PUT", f"{path}entrants/", [], status=422) == "players_not_played"
    director.post(f"{path}start/")
    assert director.refused("GET", f"{path}plan/", status=422) == "plan_of_teams"
    operation = {"operation": {"kind": "resize", "positions": 2}}
    assert director.refused("POST", f"{path}changes/preview/", operation, status=422) == "plan_of_teams"


def test_addresses_of_teams_say_that_single_players_play(club: Club, director: Client) -> None:
    tournament = create_tournament(club=club, name="Seuls", format="individual", now=timezone.now())
    session = create_session(tournament=tournament, date=DATE)
    (player,) = add_players(club=club, lines=[RosterLine("Seul", "A")])
    assert director.get(url(tournament)) == []
    assert director.refused("POST", url(tournament), {"players": [player.pk]}, status=422) == "teams_not_played"
    for method, path in (("PUT", "teams/"), ("GET", "team-plan/")):
        assert director.refused(method, f"sessions/{session.pk}/{path}", {}, status=422) == "teams_not_played"


@pytest.mark.nightly("crawl")
def test_published_teams_have_their_number_and_members_and_hide_who_is_hidden(
    tournament: Tournament, director: Client, stranger: Client
) -> None:
    session = start_with(tournament, director, teams=4)
    assert director.user is not None
    enter_all(session, by=director.user)
    publish(session, by=director.user)
    member = tournament.teams.get(number=3).members.get(place=2)
    Person.objects.filter(players=member.player).update(shown=Visibility.HIDDEN)
    raise_names_version(tournament.club_id)
    for client, path in ((director, "standings/"), (stranger, "publications/latest/")):
        rows = {each["team"]: each for each in client.get(f"sessions/{session.pk}/{path}")["players"]}
        assert {*rows} == {1, 2, 3, 4}
        assert [each["place"] for each in rows[3]["members"]] == [1, 2, 3]
        hidden = rows[3]["members"][1]
        assert (hidden["player"] == member.player_id) == (client is director)
        assert (member.player.last_name in hidden["name"]) == (client is director)


@pytest.mark.nightly("story")
def test_rows_of_single_players_have_no_fields_of_teams(club: Club, stranger: Client, director: Client) -> None:
    assert director.user is not None
    session = published_session(make_tournament(club, name="Seuls"), by=director.user)
    row = stranger.get(f"sessions/{session.pk}/publications/latest/")["players"][0]
    assert not {"team", "members"} & row.keys()
