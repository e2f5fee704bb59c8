"""The column for searching people, clubs and tournaments: it follows their names, however they are written."""

import pytest
from django.utils import timezone

from clubs.editing import edit_player
from clubs.house import change_settings
from clubs.matching import MatchedLine
from clubs.models import Club, Person, Player, fold
from clubs.players import add_players, take_list
from clubs.roster import RosterLine
from tests.factories import make_club, make_director, make_tournament

pytestmark = pytest.mark.django_db


def columns(model=Player):
    return sorted(model._base_manager.values_list("folded", flat=True))


def make_player(club, last="Saint-Jean", first="Élise"):
    return Player.objects.create(club=club, last_name=last, first_name=first, person=Person.objects.create())


def test_name_is_kept_without_accents_capitals_and_signs():
    assert fold("Élise", "SAINT-JEAN") == " elise saint jean"
    assert fold("Œdipe", "d’Ł%_\\🂡\u202e") == " oedipe d l"
    assert fold("", "") == ""
    assert len(fold("ﷺ" * 80, "ﷺ" * 80)) <= 300


def test_every_writer_of_players_keeps_it():
    club = make_club()
    director = make_director(club)
    added, licensed = add_players(club=club, lines=[RosterLine("Côté", "Zoé"), RosterLine("Noël", "Aïda", "123456")])
    assert columns() == [" aida noel", " zoe cote"]
    take_list(club=club, taken=[MatchedLine(RosterLine("Bœuf", "Léo"), None)])
    assert " leo boeuf" in columns()
    edit_player(club=club, player_id=added.pk, values={"last_name": "Hôte"}, by=director)
    assert columns() == [" aida noel", " leo boeuf", " zoe hote"]
    licensed.last_name, licensed.folded = "Pâques", "anything"
    licensed.save(update_fields=["last_name"])
    assert " aida paques" in columns()
    licensed.last_name = "Été"
    Player.objects.bulk_update([licensed], ["last_name"])
    assert " aida ete" in columns()
    Player.objects.filter(pk=licensed.pk).update(first_name="Ève", last_name="Çelik")
    assert " eve celik" in columns()
    Player.objects.bulk_create([Player(club=club, last_name="Ünal", person=Person.objects.create())])
    assert " unal" in columns()
    club.players.update(country="France")
    assert " unal" in columns()


def test_part_of_a_name_is_not_written_past_it():
    player = make_player(make_club())
    with pytest.raises(TypeError, match="part of a name"):
        Player.objects.filter(pk=player.pk).update(last_name="Autre")
    assert columns() == [" elise saint jean"]


def test_every_writer_of_clubs_and_tournaments_keeps_it():
    club = make_club(name="Étuis d’Été")
    assert Club.objects.get().folded == " etuis d ete"
    change_settings(club, {"name": "Nœuds"}, now=timezone.now(), by=make_director(club))
    assert Club.objects.get().folded == " noeuds"
    tournament = make_tournament(club, name="Trophée de Noël")
    assert type(tournament).objects.get().folded == " trophee de noel"
