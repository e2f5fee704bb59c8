"""The teams made by hand, from pasted lines and from the last tournament, and what is refused."""

import pytest
from django.utils import timezone

from clubs.lists import read_pasted
from clubs.models import Player
from clubs.players import ListChanged, ListCounts, add_players
from clubs.roster import Doubt, RosterError, RosterLine
from clubs.teams import WANTED, PastedTeam, TeamError
from evenings.sessions.setup import create_session, create_tournament
from evenings.teams.making import WantedTeam, make_pasted_teams, make_team, make_teams, match_teams, take_last_teams
from tests.evenings.teams.evening import make_team_tournament
from tests.factories import DATE, make_club, make_director
from tournaments.errors import ActionRefused
from tournaments.models import Team, Tournament

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def tournament() -> Tournament:
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=NOW)
    create_session(tournament=tournament, date=DATE, positions=3, etuis_per_position=4)
    return tournament


@pytest.fixture
def by(tournament):
    return make_director(tournament.club)


def add(tournament, *names: str) -> list[int]:
    lines = [RosterLine(*reversed(name.split(" "))) for name in names]
    return [player.pk for player in add_players(club=tournament.club, lines=lines)]


def match_text(tournament, text: str, answers: dict[str, str]) -> list[PastedTeam]:
    return match_teams(tournament, read_pasted(text, WANTED), answers)


def paste(tournament, by, text: str, **answers: str) -> list[Team]:
    teams = match_text(tournament, text, answers)
    return make_pasted_teams(tournament_id=tournament.pk, teams=teams, by=by, now=NOW)


def code_of(tournament, text: str) -> list[str]:
    return [team.error.code if team.error else "" for team in match_text(tournament, text, {})]


def members(team: Team) -> list[str]:
    return [member.player.name for member in team.members.filter(ended_at=None).order_by("place")]


def test_team_by_hand_has_badges_by_family_name_and_a_captain(tournament, by):
    ids = add(tournament, "Zoé Brun", "Ada Éluard", "Léo Adam")
    team = make_team(tournament_id=tournament.pk, players=ids, name=" Les  Bouts ", by=by, now=NOW)
    assert (team.number, team.name, team.captain_id) == (1, "Les Bouts", ids[0])
    assert members(team) == ["Léo Adam", "Zoé Brun", "Ada Éluard"]
    assert make_team(tournament_id=tournament.pk, players=ids, name="Les Bouts", by=by, now=NOW) == team
    assert Team.objects.count() == 1
    assert list(tournament.sessions.get().log.values_list("action", "params")) == [("team_made", {"team": 1})]


def test_team_of_two_waits_and_a_fourth_player_is_refused(tournament, by):
    ids = add(tournament, "Zoé Brun", "Ada Éluard", "Léo Adam", "Max Petit")
    make_team(tournament_id=tournament.pk, players=ids[:2], by=by, now=NOW)
    with pytest.raises(ActionRefused, match="team_too_large"):
        make_team(tournament_id=tournament.pk, players=[*add(tournament, "A B", "C D", "E F"), ids[3]], by=by, now=NOW)
    assert Team.objects.count() == 1


def test_player_is_in_one_team_and_a_name_belongs_to_one(tournament, by):
    ids = add(tournament, "Zoé Brun", "Ada Éluard", "Léo Adam", "Max Petit")
    make_team(tournament_id=tournament.pk, players=ids[:3], name="Les Élus", by=by, now=NOW)
    with pytest.raises(ActionRefused) as refused:
        make_team(tournament_id=tournament.pk, players=[ids[3], ids[0]], by=by, now=NOW)
    assert (refused.value.code, refused.value.params) == ("player_in_a_team", {"name": "Zoé Brun", "team": "Les Élus"})
    with pytest.raises(ActionRefused, match="team_name_taken"):
        make_team(tournament_id=tournament.pk, players=[ids[3]], name="LES ELUS", by=by, now=NOW)
    with pytest.raises(ActionRefused, match="player_in_team_twice"):
        make_team(tournament_id=tournament.pk, players=[ids[3], ids[3]], by=by, now=NOW)
    with pytest.raises(ActionRefused, match="player_unknown"):
        make_team(tournament_id=tournament.pk, players=[999999], by=by, now=NOW)
    assert Team.objects.count() == 1


def test_single_players_tournament_takes_no_teams(tournament, by):
    other = create_tournament(club=tournament.club, name="Individuel", format="individual", now=NOW)
    with pytest.raises(ActionRefused, match="teams_not_played"):
        make_team(tournament_id=other.pk, players=add(tournament, "Zoé Brun"), by=by, now=NOW)


def test_pasted_teams_find_known_players_and_make_new_ones(tournament, by):
    known = add(tournament, "Zoé Brun", "Ada Éluard")
    text = "Les Bouts: Zoé Brun, Ada Éluard, Léo Adam\nMax Petit; Ida Roux; Guy Noir\nJo Vert\tEva Bleu\tLuc Gris"
    made = paste(tournament, by, text)
    assert [team.number for team in made] == [1, 2, 3]
    assert [team.name for team in made] == ["Les Bouts", "", ""]
    assert members(made[0]) == ["Léo Adam", "Zoé Brun", "Ada Éluard"]
    assert set(known) < set(made[0].members.values_list("player_id", flat=True))
    assert tournament.club.players.count() == 9


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Les Bouts: Zoé Brun, Ada Éluard", "team_size"),
        ("A B; C D; E F; G H; I J; K L; M N", "team_size"),
        ("Zoé Brun; Ada Éluard; Zoe BRUN", "team_player_again"),
        ("Les Bouts: ", "team_size"),
    ],
)
def test_pasted_line_that_is_no_team_says_why(tournament, by, text, code):
    assert code_of(tournament, text) == [code]
    with pytest.raises(TeamError) as refused:
        paste(tournament, by, text)
    assert refused.value.code == code
    assert not Team.objects.exists()
    assert not tournament.club.players.exists()


def test_pasted_lines_with_one_name_or_one_player_twice_are_refused(tournament):
    text = "Les Bouts: Zoé Brun; Ada Éluard; Léo Adam\nLES BOUTS: Max Petit; Ida Roux; Guy Noir"
    assert code_of(tournament, text) == ["", "team_name_twice"]
    text = "Zoé Brun; Ada Éluard; Léo Adam\nMax Petit; BRUN Zoe; Guy Noir"
    assert code_of(tournament, text) == ["", "roster_twice"]


def test_two_spellings_that_mean_one_known_player_are_refused(tournament):
    add(tournament, "Marie-Louise Dupont")
    text = "Marie Louise Dupont; Ada Éluard; Léo Adam\nMax Petit; Marie-Louise Dupond; Guy Noir"
    answers = {
        player.row.key: str(player.row.candidates[0].who.id)
        for team in match_text(tournament, text, {})
        for player in team.players
        if player.asks
    }
    found = match_text(tournament, text, answers)
    assert [team.error.code if team.error else "" for team in found] == ["", "roster_twice"]


def test_nothing_is_written_if_the_list_has_changed_since_the_teams_were_read(tournament, by):
    teams = match_text(tournament, "Zoé Brun; Ada Éluard; Léo Adam", {})
    add(tournament, "Zoé Brun")
    told = ListCounts(rows=1, new=3)
    with pytest.raises(ListChanged):
        make_pasted_teams(tournament_id=tournament.pk, teams=teams, by=by, now=NOW, told=told)
    assert (Team.objects.count(), tournament.club.players.count()) == (0, 1)


def test_pasted_player_of_another_team_is_refused_with_its_name(tournament, by):
    ids = add(tournament, "Zoé Brun", "Ada Éluard", "Léo Adam")
    make_team(tournament_id=tournament.pk, players=ids, name="Les Élus", by=by, now=NOW)
    (team,) = match_text(tournament, "Max Petit; Zoé Brun; Guy Noir", {})
    assert (team.error.code, team.error.params["team"]) == ("player_in_a_team", "Les Élus")
    (team,) = match_text(tournament, "les elus: Max Petit; Ida Roux; Guy Noir", {})
    assert team.error.code == "team_name_taken"


def test_nearly_known_player_is_asked_and_the_answer_counts(tournament, by):
    (known,) = add(tournament, "Frédérique Lemaire")
    text = "Frédérique Lemair; Ada Éluard; Léo Adam"
    with pytest.raises(RosterError) as refused:
        paste(tournament, by, text)
    assert refused.value.code == "roster_doubt"
    assert not Team.objects.exists()
    (team,) = match_text(tournament, text, {})
    asked = next(player for player in team.players if player.asks)
    (made,) = paste(tournament, by, text, **{asked.row.key: str(known)})
    assert made.members.filter(player=known).exists()
    assert tournament.club.players.count() == 3


def test_family_name_comma_first_name_is_asked(tournament):
    text = "Brun, Zoé; Éluard, Ada; Adam, Léo"
    (team,) = match_text(tournament, text, {})
    assert [player.row.line.first_name for player in team.players] == ["Zoé", "Ada", "Léo"]
    (team,) = match_text(tournament, "Brun, Zoé, Éluard, Ada", {})
    assert team.asks or team.error


def test_last_teams_come_again_without_those_taken(tournament, by):
    last = make_team_tournament("Printemps", teams=3)
    last.club = tournament.club
    last.save()
    Player.objects.filter(memberships__tournament=last).update(club=tournament.club)
    taken = last.teams.get(number=3).members.get(place=1).player
    make_team(tournament_id=tournament.pk, players=[taken.pk], name="Les Bouts", by=by, now=NOW)
    made = take_last_teams(tournament_id=tournament.pk, by=by, now=NOW)
    assert [(team.number, team.name) for team in made] == [(2, ""), (3, "")]
    assert members(made[0]) == members(last.teams.get(number=1))
    assert take_last_teams(tournament_id=tournament.pk, by=by, now=NOW) == []


def test_last_teams_keep_captains_and_leave_out_teams_with_an_erased_player(tournament, by):
    last = make_team_tournament("Printemps", teams=3)
    last.club = tournament.club
    last.save()
    Player.objects.filter(memberships__tournament=last).update(club=tournament.club)
    one, two, _three = last.teams.order_by("number")
    Team.objects.filter(pk=one.pk).update(captain=one.members.get(place=3).player)
    Player.objects.filter(pk=two.members.get(place=2).player_id).update(erased_at=NOW, erased_number=1)
    made, other = take_last_teams(tournament_id=tournament.pk, by=by, now=NOW)
    assert [(team.number, team.name) for team in (made, other)] == [(1, ""), (2, "")]
    assert made.captain_id == one.members.get(place=3).player_id
    assert members(made) == members(one)


def test_without_an_earlier_tournament_there_are_no_last_teams(tournament, by):
    with pytest.raises(ActionRefused, match="no_last_teams"):
        take_last_teams(tournament_id=tournament.pk, by=by, now=NOW)


def test_teams_made_at_once_have_badges_free_names_and_each_player_once(tournament, by):
    ids = add(tournament, "Zoé Brun", "Ada Éluard", "Léo Adam", "Max Petit", "Eva Vert", "Jo Bleu")
    asked = {"tournament_id": tournament.pk, "by": by, "now": NOW}
    for wanted in ([WantedTeam(ids[:3]), WantedTeam(ids[2:5])], [WantedTeam([ids[0], ids[0]])]):
        with pytest.raises(ActionRefused, match=r"player_in_team_twice|player_in_a_team"):
            make_teams(wanted=wanted, **asked)
    assert not Team.objects.exists()
    one, two = make_teams(wanted=[WantedTeam(ids[:3], "Les Bouts"), WantedTeam(ids[3:], "LES bouts")], **asked)
    assert (one.number, one.name, two.number, two.name) == (1, "Les Bouts", 2, "")
    assert members(one) == ["Léo Adam", "Zoé Brun", "Ada Éluard"]
    assert (one.captain_id, make_teams(wanted=[], **asked)) == (ids[0], [])
    with pytest.raises(ActionRefused, match="player_in_a_team"):
        make_teams(wanted=[WantedTeam(ids[:1])], **asked)


def test_two_people_of_one_licence_in_a_team_are_asked_about_and_both_are_added(tournament, by):
    text = "Anne Rey 4123; Paul Rey 4123; Ida Roux"
    (team,) = match_text(tournament, text, {})
    assert [(player.row.doubt, player.checked) for player in team.players[1:]] == [(Doubt.SAME, ""), (None, "")]
    with pytest.raises(RosterError) as refused:
        paste(tournament, by, text)
    assert refused.value.code == "roster_unclear"
    (made,) = paste(tournament, by, text, **{team.players[1].row.key: "new"})
    assert members(made) == ["Anne Rey", "Paul Rey", "Ida Roux"]
    assert sorted(Player.objects.values_list("first_name", "licence"))[:3:2] == [("Anne", "4123"), ("Paul", "")]
