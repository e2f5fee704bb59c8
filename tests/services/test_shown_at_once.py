"""The choice of how a person is shown, by two at once on PostgreSQL.

Two people hide one person. The person is joined with another one meanwhile, or edited.
"""

import pytest
from django.utils import timezone

from clubs.accounts.questions import answer_question
from clubs.editing import edit_player
from clubs.models import Club, Person, ShownWord
from clubs.persons import PersonRefused
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import choose_shown
from tests.factories import make_club, make_director
from tests.joined import ask, director_of
from tests.services.test_standings_jobs import in_threads

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


@pytest.fixture
def player():
    return add_players(club=make_club(), lines=[RosterLine("Saint-Jean", "Élise")])[0]


@pytest.fixture
def director(player):
    return make_director(player.club)


def hide(player, way, by):
    return lambda: choose_shown(player=player, shown="hidden", way=way, by=by, now=timezone.now())


def shown(player):
    return Person.objects.get(players=player).shown


def test_of_two_who_hide_one_person_each_has_a_row_and_the_end_is_the_same(player, director):
    before = Club.objects.get().names_version
    in_threads([hide(player, ShownWord.WordWay.LINK, None), hide(player, ShownWord.WordWay.DIRECTOR, director)])
    assert (shown(player), Club.objects.get().names_version) == ("hidden", before + 2)
    assert sorted(ShownWord.objects.values_list("way", "shown")) == [("director", "hidden"), ("link", "hidden")]


def test_who_is_hidden_while_he_is_joined_with_another_hides_both(player, director):
    (other,) = add_players(club=make_club("ailleurs"), lines=[RosterLine("Saint-Jean", "Élise")])
    link = ask(player, other)
    told = {"club": other.club, "link_id": link.pk, "agree": True, "by": director_of(other.club)}
    in_threads([hide(other, ShownWord.WordWay.LINK, None), lambda: answer_question(**told, now=timezone.now())])
    assert [shown(player), shown(other)] == ["hidden", "hidden"]


def test_who_is_hidden_while_his_category_is_given_stays_hidden(player, director):
    values = {"club": player.club, "player_id": player.pk, "values": {"category": "junior"}, "by": director}
    in_threads([hide(player, ShownWord.WordWay.LINK, None), lambda: edit_player(**values)])
    assert shown(player) == "hidden"


def test_of_two_who_answer_at_once_whether_two_are_one_the_second_is_told(player, director):
    (other,) = add_players(club=make_club("ailleurs"), lines=[RosterLine("Saint-Jean", "Élise")])
    link = ask(player, other)
    told = {"club": other.club, "link_id": link.pk, "by": director_of(other.club)}
    answers = [lambda agree=agree: answer_question(**told, agree=agree, now=timezone.now()) for agree in (True, False)]
    done = in_threads(answers)
    assert [type(each) for each in done].count(PersonRefused) == 1
    link.refresh_from_db()
    assert (link.accepted_at is None) != (link.refused_at is None)
    joined = Person.objects.get(players=player) == Person.objects.get(players=other)
    assert joined == (link.accepted_at is not None)
