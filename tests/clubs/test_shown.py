"""How people stand in what is public: by name, by initials, hidden, or by a number once they are erased."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Player, Shown
from clubs.names import initials_of
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import PUBLIC, call_in_public, is_named, public_name
from tests.factories import make_club


@pytest.fixture
def player():
    return add_players(club=make_club(), lines=[RosterLine("Saint-Jean", "Élise")])[0]


@pytest.mark.parametrize(
    ("first", "last", "initials"),
    [
        ("Élise", "Saint-Jean", "É. S.-J."),
        ("Jean-Pierre", "Dupont", "J.-P. D."),
        ("Jean Pierre", "de La Tour", "J. P. L. T."),
        ("Éric", "d’Artagnan", "É. D."),
        ("E\u0301lise", "(Martin)", "É. M."),
        ("zoé", "nom", "Z. N."),
        ("", "Dupont", "D."),
        ("", "123", ""),
    ],
)
def test_initials(first, last, initials):
    assert initials_of(first, last) == initials


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("shown", "french", "english"),
    [
        (Shown.NAME, "Élise Saint-Jean", "Élise Saint-Jean"),
        (Shown.INITIALS, "É. S.-J.", "É. S.-J."),
        (Shown.HIDDEN, "Joueur masqué", "Hidden player"),
    ],
)
def test_public_name_is_what_was_chosen_in_the_reader_s_language(
    player, shown, french, english, django_assert_num_queries
):
    player.person.shown = shown
    player.person.save()
    player = Player.objects.select_related(*PUBLIC).get(pk=player.pk)
    with django_assert_num_queries(0):
        with override("fr"):
            assert public_name(player) == french
        with override("en"):
            assert public_name(player) == english
        assert is_named(player) == (shown == Shown.NAME)
    assert Player.objects.named().exists() == (shown == Shown.NAME)
    assert player.name == "Élise Saint-Jean"


@pytest.mark.django_db
def test_initials_of_a_name_without_letters_are_hidden(player):
    player.person.shown, player.first_name, player.last_name = Shown.INITIALS, "", "123"
    with override("en"):
        assert public_name(player) == "Hidden player"


@pytest.mark.django_db
def test_who_is_erased_is_a_number_for_everybody(player):
    player.person.shown, player.erased_at = Shown.HIDDEN, timezone.now()
    player.save()
    with override("fr"):
        assert {public_name(player), player.name, player.listed} == {f"Joueur n°\xa0{player.pk}"}
    assert not is_named(player)
    assert list(Player.objects.named()) == []


@pytest.mark.django_db
def test_who_was_merged_is_shown_as_whom_he_is_now(player):
    (other,) = add_players(club=player.club, lines=[RosterLine("St-Jean", "Élise")])
    other.merged_into = player
    other.save()
    player.person.shown = Shown.HIDDEN
    player.person.save()
    with override("en"):
        assert {called.name for called in call_in_public([player.pk, other.pk]).values()} == {"Hidden player"}
