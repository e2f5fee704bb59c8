"""The API of teams beyond making them: mistakes that are corrected, line-ups, and bad input that changes nothing."""

import pytest
from django.utils import timezone, translation
from rest_framework.serializers import ValidationError

from api.plans.mistakes import MistakeField
from clubs.models import Club, Player
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import start_session
from evenings.sessions.setup import create_tournament
from tests.api.conftest import Client
from tests.evenings.teams.accidents.test_mistakes import at, attacking, defending, play_position, start_two_lines
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare
from tests.factories import make_director
from tournaments.models import LineUp, Session, Team, TeamMember, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    return start_two_lines()


@pytest.fixture
def programs(session: Session) -> Client:
    return Client(make_director(session.tournament.club))


def etuis(session: Session, table: int) -> list[int]:
    return [play.etui.number for play in at(session, 1, table)]


@pytest.mark.nightly("story")
def test_exchanged_etuis_are_previewed_corrected_and_undone(session: Session, programs: Client) -> None:
    play_position(session, 1, make_director(session.tournament.club, "d2"))
    one, two = etuis(session, 1), etuis(session, 2)
    mistake = {
        "kind": "wrong_etuis",
        "position": 1,
        "table": 1,
        "pairs": [[*pair] for pair in zip(one, two, strict=True)],
    }
    path = f"sessions/{session.pk}/team-plan/mistakes/"
    told = programs.post(f"{path}preview/", {"mistake": mistake}, status=200)
    assert (told["seen"], etuis(session, 1)) == (1, one)
    assert told["text"]
    assert programs.refused("POST", path, {"mistake": mistake, "seen": 7}, status=409) == "plan_out_of_date"
    assert programs.post(path, {"mistake": mistake, "seen": 1}, status=201)["version"] == 2
    assert (etuis(session, 1), etuis(session, 2)) == (two, one)
    programs.post(f"sessions/{session.pk}/changes/undo/", {"seen": 2}, status=200)
    assert (etuis(session, 1), etuis(session, 2)) == (one, two)


@pytest.mark.nightly("story")
def test_teams_that_exchanged_seats_are_corrected(session: Session, programs: Client) -> None:
    play_position(session, 1, make_director(session.tournament.club, "d2"))
    play = at(session, 1, 1)[0]
    before = attacking(play), defending(play)
    one, other = sorted({*play.seat_ids.values()})
    mistake = {"kind": "swap", "position": 1, "one": one, "other": other}
    path = f"sessions/{session.pk}/team-plan/mistakes/"
    told = programs.post(f"{path}preview/", {"mistake": mistake}, status=200)
    assert play.pk in told["turned"]
    programs.post(path, {"mistake": mistake, "seen": 1}, status=201)
    after = session.plays.get(pk=play.pk)
    assert (attacking(after), defending(after)) == before[::-1]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("mistake", "code", "status"),
    [
        ({"kind": "leave", "position": 1}, "invalid", 400),
        ({"kind": "swap", "position": 1, "one": 10**9, "other": 10**9 + 1}, "entrant_unknown", 422),
        ({"kind": "swap", "position": 5, "one": 1, "other": 2}, "position_unknown", 422),
        ({"kind": "wrong_etuis", "position": 1, "table": 1, "pairs": [[1, 2]], "later": True}, "invalid", 400),
        ("swap", "invalid", 400),
    ],
)
def test_wrong_mistake_is_refused_and_changes_nothing(
    session: Session, programs: Client, mistake: object, code: str, status: int
) -> None:
    for path, more in (("preview/", {}), ("", {"seen": 1})):
        body = {"mistake": mistake, **more}
        asked = f"sessions/{session.pk}/team-plan/mistakes/{path}"
        assert programs.refused("POST", asked, body, status=status) == code
    assert session.plans.count() == 1


def test_line_up_is_read_chosen_and_changed_with_a_reason() -> None:
    session = prepare(make_quadrettes())
    programs = Client(make_director(session.tournament.club))
    path = f"sessions/{session.pk}/line-ups/"
    first = programs.get(path)[0]
    assert (first["number"], first["chosen"]) == (1, False)
    seats = first["members"]
    other = {"S": seats["N"], "N": seats["S"], "E": seats["E"], "W": seats["W"]}
    told = programs.put(f"{path}{first['team']}/", {"members": other})
    assert (told["members"], told["chosen"]) == (other, True)
    start_session(session_id=session.pk, now=timezone.now())
    one = f"{path}{first['team']}/"
    assert programs.refused("PUT", one, {"members": seats}, status=422) == "line_up_reason"
    assert programs.put(one, {"members": seats, "reason": "malade"})["members"] == seats
    assert LineUp.objects.count() == 2


def test_line_up_with_a_stranger_or_a_member_in_two_seats_is_refused() -> None:
    session = prepare(make_quadrettes())
    programs = Client(make_director(session.tournament.club))
    path = f"sessions/{session.pk}/line-ups/"
    first, second = programs.get(path)[:2]
    one, seats = f"{path}{first['team']}/", first["members"]
    stranger = seats | {"W": second["members"]["W"]}
    assert programs.refused("PUT", one, {"members": stranger}, status=422) == "line_up_stranger"
    assert programs.refused("PUT", one, {"members": seats | {"N": seats["S"]}}, status=422) == "line_up_twice"
    assert programs.refused("PUT", one, {"members": {"S": seats["S"]}}, status=400) == "invalid"
    assert programs.refused("PUT", f"{path}{10**9}/", {"members": seats}, status=422) == "team_unknown"
    assert not LineUp.objects.exists()


@pytest.mark.nightly("story")
def test_session_of_triplettes_has_no_line_ups(session: Session, programs: Client) -> None:
    assert programs.refused("GET", f"sessions/{session.pk}/line-ups/", status=422) == "line_ups_not_played"


# Bad input, before anybody plays


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return create_tournament(club=club, name="Triplettes", format="triplettes", now=timezone.now())


def people_of(club: Club, *lasts: str) -> list[Player]:
    return add_players(club=club, lines=[RosterLine(last, "A") for last in lasts])


def test_changes_of_a_team_are_made_all_or_none(tournament: Tournament, director: Client) -> None:
    one, two = make_teams(tournament, 2)
    path = f"tournaments/{tournament.pk}/teams/{one.pk}/"
    stranger = two.members.first().player_id
    assert director.refused("PATCH", path, {"name": "Neuf", "number": 2, "captain": stranger}, status=422)
    assert [(team.number, team.name) for team in Team.objects.order_by("pk")] == [(1, ""), (2, "Les Bouts")]


def test_team_of_two_waits_and_cannot_be_seated(tournament: Tournament, director: Client, club: Club) -> None:
    people = people_of(club, "Brun", "Petit")
    made = director.post(f"tournaments/{tournament.pk}/teams/", {"players": [each.pk for each in people]}, status=201)
    assert made["complete"] is False
    session = prepare_session(tournament)
    body = {"teams": [made["id"]]}
    assert director.refused("PUT", f"sessions/{session.pk}/teams/", body, status=422) == "team_incomplete"


def prepare_session(tournament: Tournament) -> Session:
    return Session.objects.create(tournament=tournament, number=1, date="2026-11-20", positions=3, etuis_per_position=4)


def test_player_in_two_teams_a_seventh_player_and_a_name_given_twice_are_refused(
    tournament: Tournament, director: Client, club: Club
) -> None:
    people = people_of(club, "Brun", "Petit", "Adam", "Noir", "Vert", "Roux", "Gris")
    path, ids = f"tournaments/{tournament.pk}/teams/", [each.pk for each in people]
    director.post(path, {"players": ids[:3], "name": "Les Bouts"}, status=201)
    assert director.refused("POST", path, {"players": [ids[0], *ids[3:5]]}, status=422) == "player_in_a_team"
    assert director.refused("POST", path, {"players": ids[3:7]}, status=422) == "team_too_large"
    assert director.refused("POST", path, {"players": ids}, status=400) == "invalid"
    twice = {"players": ids[3:6], "name": "LES  bouts"}
    assert director.refused("POST", path, twice, status=422) == "team_name_taken"
    assert director.refused("POST", path, {"players": [ids[3]] * 2}, status=422) == "player_in_team_twice"
    assert (Team.objects.count(), TeamMember.objects.count()) == (1, 3)


@pytest.mark.parametrize("given", [None, [], {}, {"kind": 7}, {"kind": ["swap"]}, {"kind": "wrong"}])
def test_mistake_of_no_known_kind_is_refused_with_the_known_ones(given: object) -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        MistakeField().to_internal_value(given)
    assert refused.value.detail == {"kind": ["The kind of an operation is one of these: swap, wrong_etuis."]}
