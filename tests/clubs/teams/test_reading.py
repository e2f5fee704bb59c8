"""The reading of a pasted list of teams: names and players that stand on it twice, answers, and errors."""

import pytest

from clubs import teams as pasted_teams
from clubs.lists import read_pasted
from clubs.matching import KnownPlayer, LineState, match_lines
from clubs.roster import NameOrder, RosterError
from clubs.teams import TEAM_SIZES, WANTED

THREE, SIX = TEAM_SIZES["triplettes"], TEAM_SIZES["team_match"]
LIST = "Les As: Ada Dupont, Bob Martin, Cyd Petit\n\nLes Rois: Dan Durand, Eve Leroy, Fab Moreau\n"
UNCLEAR = "Dupont, Marie, Martin, Paul Petit"
FIRSTS = ("Marie", "Paul", "Luc")
LASTS = ("Dupont", "Durand", "Petit", "Roux", "Blanc", "Noir", "Moreau", "Garnier", "Fabre", "Leroy", "Simon", "Faure")


def read_teams(text, size, known=(), answers=None, order=NameOrder.SEEN):
    pasted = read_pasted(text, WANTED)
    return pasted_teams.read_teams(
        pasted, size, answers or {}, lambda lines: match_lines(lines, known, order or pasted.order)
    )


def codes(text, size=THREE):
    return [team.error.code if team.error else "" for team in read_teams(text, size)]


def names(team):
    return [f"{each.row.line.first_name} {each.row.line.last_name}" for each in team.players]


def count_questions(teams):
    return sum(team.asks for team in teams) + sum(player.asks for team in teams for player in team.players)


@pytest.mark.parametrize(
    ("text", "name", "players"),
    [
        ("Les As\tMarie Petit\tJean Grand\tLéo Brun", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        ("DUPONT Marie / DURAND Paul / PETIT Luc", "", "Marie DUPONT, Paul DURAND, Luc PETIT"),
        ("Dupont Marie ; Durand Paul ; Petit Luc", "", "Marie Dupont, Paul Durand, Luc Petit"),
        ("Marie Petit - Jean-Luc Grand - Léo Brun", "", "Marie Petit, Jean-Luc Grand, Léo Brun"),
        ("Les As - Marie Petit, Jean Grand, Léo Brun", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        ("1 - Les As - Marie PETIT - Jean GRAND - Léo BRUN", "Les As", "Marie PETIT, Jean GRAND, Léo BRUN"),
        ("Les As,Marie Petit,Jean Grand,Léo Brun", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        ("| Les As | Marie Petit | Jean Grand | Léo Brun |", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        ("3\tMarie Petit\tJean Grand\tLéo Brun", "", "Marie Petit, Jean Grand, Léo Brun"),
        ("Les As ; Petit, Marie ; Grand, Jean ; Brun, Léo", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        (
            "Équipe;Joueur 1;Joueur 2;Joueur 3\nLes As;Marie Petit;Jean Grand;Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe\tNom 1\tPrénom 1\tNom 2\tPrénom 2\tNom 3\tPrénom 3\nLes As\tPetit\tMarie\tGrand\tJean\tBrun\tLéo",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe;Nom;Prénom\nLes As;Petit;Marie\nLes As;Grand;Jean\nLES AS;Brun;Léo",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Nom de l’équipe\tJoueurs\nLes As\tMarie Petit, Jean Grand, Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe;Capitaine;Joueur 2;Joueur 3\nLes As;Marie Petit;Jean Grand;Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe;Capitaine;Licence capitaine;Équipier 1;Co-équipier 2\nLes As;Marie Petit;12345;Jean Grand;Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Team;Captain;Captain’s email;Teammate 1;Teammate 2\nLes As;Marie Petit;m@x.org;Jean Grand;Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe;Joueur 1;Licence;Joueur 2;Licence;J3;Licence\nLes As;Marie Petit;11;Jean Grand;12;Léo Brun;13",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "N° équipe;Équipe;Joueur 1 (capitaine);Joueur n° 2;Joueur n° 3\n1;Les As;Marie Petit;Jean Grand;Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "N°;Équipe;Joueurs\n1;Les As;Marie Petit / Jean Grand / Léo Brun\nListe du 3 mai",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        ("Les As\nMarie Petit\nJean Grand\nLéo Brun\n", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        ("Les As :\n- Marie Petit\n- Jean Grand\n- Léo Brun\n", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        ("Les As [Marie Petit, Jean Grand, Léo Brun]", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        ("1. Les As (Marie Petit, Jean Grand, Léo Brun)", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        (
            "Équipe;Nom;Prénom;Équipier 1;Équipier 2\nLes As;Petit;Marie;Jean Grand;Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe;Nom;Prénom\nLes As;Petit;Marie\nÉquipe;Nom;Prénom\n;Grand;Jean\n;Brun;Léo\nTotal;3;",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe\tNom\tPrénom\nLes As\n\tPetit\tMarie\n\tGrand\tJean\n\tBrun\tLéo",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe;Capitaine;Joueur 1;Joueur 2;Joueur 3\nLes As;Marie Petit;Marie Petit;Jean Grand;Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        (
            "Équipe;Nom;Prénom;Nom;Prénom;Nom;Prénom\nLes As;Petit;Marie;Grand;Jean;Brun;Léo",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
        ("Équipe;Joueur\nLes As;Marie Petit\n;Jean Grand\n;Léo Brun", "Les As", "Marie Petit, Jean Grand, Léo Brun"),
        (
            "teamname,player1,player2,player3\nLes As,Marie Petit,Jean Grand,Léo Brun",
            "Les As",
            "Marie Petit, Jean Grand, Léo Brun",
        ),
    ],
)
def test_team_is_read_as_people_write_teams_and_nothing_is_asked(text, name, players):
    (team,) = read_teams(text, THREE)
    assert (team.name, ", ".join(names(team)), team.settled) == (name, players, True)


@pytest.mark.parametrize("known", [True, False])
def test_twelve_teams_in_the_order_of_the_site_ask_nothing(known):
    people = [(last, first) for last in LASTS for first in FIRSTS]
    there = [KnownPlayer(place, last, first) for place, (last, first) in enumerate(people, start=1)] if known else []
    text = "\n".join(" ; ".join(f"{last} {first}" for first in FIRSTS) for last in LASTS)
    teams = read_teams(text, THREE, there)
    assert (len(teams), count_questions(teams)) == (12, 0)
    assert [name for team in teams for name in names(team)] == [f"{first} {last}" for last, first in people]
    assert {each.row.state for team in teams for each in team.players} == {LineState.SURE if known else LineState.NEW}


def test_order_that_somebody_chooses_is_that_of_the_whole_list():
    (team,) = read_teams("Xu Wei; Li Na; Ma Long", THREE, order=NameOrder.FAMILY_FIRST)
    assert names(team) == ["Wei Xu", "Na Li", "Long Ma"]


def test_licences_of_a_table_stay_with_their_players():
    text = "Équipe;Joueur 1;Licence 1;Joueur 2;Licence 2;Joueur 3;Licence 3\nLes As;Ada Un;0012;Bob Deux;;Cyd Trois;34"
    (team,) = read_teams(text, THREE)
    assert [each.row.line.licence for each in team.players] == ["0012", "", "34"]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Zoé Brun; Ada Éluard; Léo Adam; Max Petit", THREE),
        ("Les As; Marie Petit; Jean Grand; Léo Brun; Luc Roux", SIX),
    ],
)
def test_first_cell_that_may_be_a_player_or_the_name_is_asked_about(text, size):
    (team,) = read_teams(text, size)
    assert (team.asks, team.name) == (True, text.split(";")[0])


def test_each_line_that_is_not_empty_is_a_team_in_the_order_of_the_list():
    teams = read_teams(LIST, THREE)
    assert [(team.number, team.name, [each.row.line.last_name for each in team.players]) for team in teams] == [
        (1, "Les As", ["Dupont", "Martin", "Petit"]),
        (3, "Les Rois", ["Durand", "Leroy", "Moreau"]),
    ]
    assert [each.row.team for team in teams for each in team.players] == [1, 1, 1, 2, 2, 2]
    assert all(team.settled for team in teams)


def test_wrong_lines_are_shown_beside_right_ones():
    teams = read_teams(LIST + "Ada Simon, Bob Laurent\nGil Roux, Hal Blanc, Ida Garnier\n", THREE)
    assert [team.error.code if team.error else "" for team in teams] == ["", "", "team_size", ""]
    wrong = teams[2]
    assert wrong.error.params == {"line": 4, "found": 2, "least": 3, "most": 3}
    assert (wrong.text, wrong.players, wrong.asks) == ("Ada Simon, Bob Laurent", (), False)


@pytest.mark.parametrize("other", ["Ada Dupont", "Dupont Ada", "ADA DUPONT", "Àda Düpont", "DUPONT Ada", "Ada-Dupont"])
def test_player_in_two_teams_by_two_spellings_is_refused(other):
    text = f"Ada Dupont, Bob Martin, Cyd Petit\nDan Durand, {other}, Fab Moreau"
    (error,) = [team.error for team in read_teams(text, THREE) if team.error]
    assert (error.code, error.params["line"], error.params["first"]) == ("roster_twice", 2, 1)


def test_player_twice_in_one_team_is_refused():
    assert codes("Jérôme Petit, Bob Martin, PETIT Jerome") == ["team_player_again"]


@pytest.mark.parametrize("other", ["Zoé Roux 12345", "Ada Dupont"])
def test_one_licence_or_one_name_in_two_teams_is_asked_about(other):
    text = f"Ada Dupont 12345, Bob Martin, Cyd Petit\nDan Durand, {other}, Fab Moreau"
    asked = read_teams(text, THREE)[1].players[1]
    assert (asked.asks, asked.row.first.line.last_name) == (True, "Dupont")
    assert read_teams(text, THREE, answers={asked.row.key: "new"})[1].settled
    refused = read_teams(text, THREE, answers={asked.row.key: "same"})[1]
    assert (refused.error.code, refused.error.params["found"]) == ("team_size", 2)


def test_two_players_of_one_name_are_two_if_their_licences_differ():
    teams = read_teams("Ada Dupont 12345, Bob Martin, Cyd Petit\nDan Durand, Ada Dupont 54321, Fab Moreau", THREE)
    assert [team.settled for team in teams] == [True, True]


def test_team_name_that_an_earlier_line_has_is_refused():
    (error,) = [
        team.error for team in read_teams(LIST + "LES ÀS: Gil Roux, Hal Blanc, Ida Garnier", THREE) if team.error
    ]
    assert (error.code, error.params) == ("team_name_twice", {"line": 4, "first": 1, "name": "LES ÀS"})
    assert codes("★: Ada Dupont, Bob Martin, Cyd Petit\n★: Gil Roux, Hal Blanc, Ida Garnier") == ["", "team_name_twice"]
    assert codes("★: Ada Dupont, Bob Martin, Cyd Petit\n♥: Gil Roux, Hal Blanc, Ida Garnier") == ["", ""]


def test_teams_without_a_name_do_not_clash():
    assert codes("Ada Dupont, Bob Martin, Cyd Petit\nGil Roux, Hal Blanc, Ida Garnier") == ["", ""]


def test_line_with_several_ways_is_asked_about_and_takes_the_answer():
    (team,) = read_teams(UNCLEAR, THREE)
    assert (team.asks, team.settled, len(team.ways)) == (True, False, 2)
    (answered,) = read_teams(UNCLEAR, THREE, answers={team.key: "1"})
    assert (answered.settled, names(answered)) == (True, [" Dupont", "Martin Marie", "Paul Petit"])


@pytest.mark.parametrize("given", ["7", "-1", "yes", "", "²"])
def test_answer_that_is_no_way_leaves_the_question(given):
    (team,) = read_teams(UNCLEAR, THREE)
    assert read_teams(UNCLEAR, THREE, answers={team.key: given})[0].asks


def test_answer_stays_with_its_line_if_other_lines_change():
    (team,) = read_teams(UNCLEAR, THREE)
    teams = read_teams(f"Gil Roux, Hal Blanc, Ida Garnier\n{UNCLEAR}", THREE, answers={team.key: "1"})
    assert [each.settled for each in teams] == [True, True]


def test_same_line_twice_is_two_teams_with_two_keys():
    teams = read_teams("Ada Dupont, Bob Martin, Cyd Petit\nAda Dupont, Bob Martin, Cyd Petit", THREE)
    assert [team.key[-2:] for team in teams] == ["-1", "-2"]
    assert teams[0].key[:-1] == teams[1].key[:-1]
    assert [team.error.code if team.error else "" for team in teams] == ["", "roster_twice"]


def test_couple_of_a_team_is_asked_about_person_by_person():
    (team,) = read_teams("Jean et Marie Dupont, Paul Petit", THREE)
    assert names(team) == ["Jean Dupont", "Marie Dupont", "Paul Petit"]
    assert [each.asks for each in team.players] == [True, True, False]


def test_seventh_player_of_a_match_team_is_refused():
    text = "A Dupont, B Martin, C Petit, D Durand, E Leroy, F Moreau, G Simon"
    assert codes(text, SIX) == ["team_size_range"]
    assert codes(text.rpartition(",")[0], SIX) == [""]


def test_too_many_teams_are_refused_with_their_number(monkeypatch):
    assert pasted_teams.MOST_TEAMS == 300
    monkeypatch.setattr(pasted_teams, "MOST_TEAMS", 3)
    with pytest.raises(RosterError) as caught:
        read_teams("A, B, C\n" * 4, THREE)
    assert (caught.value.code, caught.value.params) == ("team_too_many", {"most": 3, "found": 4})
    assert len(read_teams("A, B, C\n" * 3, THREE)) == 3


def test_empty_text_has_no_teams():
    assert read_teams(" \n\n", THREE) == []


def test_team_whose_name_is_a_number_takes_no_row_without_a_team():
    table = "Équipe;Nom;Prénom\n;Petit;Max\n2;Roux;Ida\n2;Noir;Guy"
    teams = read_teams(table, TEAM_SIZES["donnes_libres"])
    assert [(team.name, len(team.players)) for team in teams] == [("", 1), ("2", 2)]


def test_row_with_a_whole_team_does_not_belong_to_the_team_above():
    teams = read_teams("Équipe;Joueurs\nLes As;Ida Roux, Guy Noir, Max Petit\n;Zoé Brun, Léo Gris, Ana Vert", THREE)
    assert [(team.name, len(team.players)) for team in teams] == [("Les As", 3), ("", 3)]
