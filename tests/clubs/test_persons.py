"""One person in several clubs: by licence, or by the word of both directors; never by a name; taken back by either."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import PersonLink, Player
from clubs.persons import PersonRefused, answer_link, end_link, say_same
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.factories import make_club, make_director
from tests.tournaments.browsing import browser_of
from tests.tournaments.pages import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return make_club("ici", "Ici")


@pytest.fixture
def there():
    return make_club("ailleurs", "Ailleurs")


@pytest.fixture
def director(here):
    return make_director(here, "directrice-ici")


@pytest.fixture
def other_director(there):
    return make_director(there, "directeur-ailleurs")


def add(club, licence=""):
    return add_players(club=club, lines=[RosterLine("Dupont", "Marie", licence)])[0]


def same(player, other):
    return len(set(Player.objects.filter(pk__in=[player.pk, other.pk]).values_list("person", flat=True))) == 1


def say(player, other, by):
    return say_same(player=player, other=other, by=by, now=timezone.now())


def test_name_alone_makes_nobody_one_person(here, there):
    assert not same(add(here), add(there))


def test_licence_makes_one_person_at_once(here, there, director):
    one, other = add(here, "123456"), add(there, "123456")
    assert say(one, other, director).reason == PersonLink.Reason.LICENCE
    assert same(one, other)


def test_word_of_one_club_waits_for_the_others(here, there, director, other_director):
    one, other = add(here), add(there)
    link = say(one, other, director)
    assert say(one, other, director) == link
    assert not same(one, other)
    with pytest.raises(PersonRefused):
        answer_link(club=here, link_id=link.pk, agree=True, by=director, now=timezone.now())
    answer_link(club=there, link_id=link.pk, agree=True, by=other_director, now=timezone.now())
    assert same(one, other)


@pytest.mark.parametrize("agree", [True, False])
def test_either_club_takes_it_back_and_everybody_is_who_he_was(here, there, director, other_director, agree):
    one, other = add(here), add(there)
    before = one.person_id, other.person_id
    link = say(one, other, director)
    if agree:
        answer_link(club=there, link_id=link.pk, agree=True, by=other_director, now=timezone.now())
    end_link(club=there, link_id=link.pk, by=other_director, now=timezone.now())
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.person_id, other.person_id) == before
    with pytest.raises(PersonRefused):
        end_link(club=here, link_id=link.pk, by=director, now=timezone.now())


def test_account_follows_and_comes_back(here, there, director, other_director):
    one, other = add(here, "1" * 6), add(there, "1" * 6)
    other.person.account = other_director
    other.person.save()
    link = say(one, other, director)
    one.person.refresh_from_db()
    assert one.person.account == other_director
    end_link(club=here, link_id=link.pk, by=director, now=timezone.now())
    other.refresh_from_db()
    assert other.person.account == other_director


def test_person_has_one_player_in_each_club(here, there, director):
    first, second = add(here, "123456"), add(here, "654321")
    other = add(there, "123456")
    say(first, other, director)
    with pytest.raises(PersonRefused) as refused:
        say(second, other, director)
    assert refused.value.code == "person_twice"


def test_pages_ask_the_other_club_and_it_agrees(here, there, director, other_director):
    one, other = add(here), add(there)
    address = reverse("player_person", args=["ici", one.pk])
    said = {"action": "say", "club": "ailleurs", "words": "dupont marie"}
    asked = browser_of(director).post(address, said, follow=True)
    assert "Ailleurs is asked whether it is the same person." in words(asked)
    assert "not answered yet" in words(asked)
    nobody = browser_of(director).post(address, {"action": "say", "club": "ailleurs", "words": "X"}, follow=True)
    assert "Nobody alone has this name or licence" in words(nobody)
    browser = browser_of(other_director)
    assert "says that it is the same person" in words(browser.get(reverse("club_player", args=["ailleurs", other.pk])))
    link = PersonLink.objects.get()
    browser.post(reverse("player_person", args=["ailleurs", other.pk]), {"action": "agree", "link": link.pk})
    assert same(one, other)
