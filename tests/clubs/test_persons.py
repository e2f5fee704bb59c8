"""One person in several clubs: who is asked, who may answer, what the asker learns, and who may end it."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.accounts.players import tie, untie
from clubs.accounts.questions import (
    answer_as_account,
    answer_question,
    ask_same,
    confirm_link,
    end_as_account,
    end_link,
    questions_to_account,
)
from clubs.models import PersonLink, Player, Visibility
from clubs.persons import PersonRefused
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import Way, choose_shown
from registration.people.merging import merge_players
from tests import shared_evenings
from tests.factories import make_club, make_director, make_user
from tests.joined import ask, join_players
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return make_club("ici", "Ici")


@pytest.fixture
def there():
    return make_club("ailleurs", "Ailleurs")


director = shared_evenings.director_of_the_club_here


@pytest.fixture
def other_director(there):
    return make_director(there, "directeur-ailleurs")


@pytest.fixture
def one(here, director):
    return add(here, "123456")


@pytest.fixture
def other(there, other_director):
    return add(there, "123456")


def add(club, licence="", name="Dupont"):
    return add_players(club=club, lines=[RosterLine(name, "Marie", licence)])[0]


def same(*players):
    return len(set(Player.objects.filter(pk__in=[each.pk for each in players]).values_list("person", flat=True))) == 1


def put(player, club, by, words="123456", now=None):
    return ask_same(player=player, club=club, words=words, by=by, now=now or timezone.now())


def say(link, club, by, agree=True):
    return answer_question(club=club, link_id=link.pk, agree=agree, by=by, now=timezone.now())


def own_account(player, name):
    user = make_user(name)
    tie(player, user, by=user, now=timezone.now())
    return user


def speak(link, user, agree=True):
    return answer_as_account(user=user, link_id=link.pk, agree=agree, now=timezone.now())


def code_of(act):
    with pytest.raises(PersonRefused) as refused:
        act()
    return refused.value.code


# Who agrees


def test_neither_a_name_nor_a_licence_makes_two_players_one_person(one, other, director):
    assert not same(one, other)
    put(one, other.club, director)
    assert not same(one, other)


def test_without_accounts_the_director_of_the_other_club_answers_and_nobody_else(one, other, director, other_director):
    link = put(one, other.club, director)
    assert code_of(lambda: say(link, one.club, director)) == "link_unknown"
    assert not same(one, other)
    say(link, other.club, other_director)
    assert same(one, other)
    assert code_of(lambda: say(link, other.club, other_director)) == "link_unknown"


def test_player_with_an_account_answers_alone(one, other, director, other_director):
    user = own_account(other, "elle")
    link = put(one, other.club, director)
    assert code_of(lambda: say(link, other.club, other_director)) == "person_account_answers"
    assert code_of(lambda: speak(link, make_user("autre"))) == "link_unknown"
    assert not same(one, other)
    speak(link, user)
    assert same(one, other)


def test_where_each_has_an_account_both_answer(one, other, director):
    mine, hers = own_account(one, "un"), own_account(other, "deux")
    link = put(one, other.club, director)
    speak(link, hers)
    assert not same(one, other)
    assert not questions_to_account(hers, now=timezone.now()).exists()
    speak(link, mine)
    assert same(one, other)
    assert [Player.objects.get(pk=each.pk).account for each in (one, other)] == [mine, hers]


def test_account_of_the_asking_club_joins_nobody_the_other_was_not_asked_about(one, other, director, other_director):
    """Refuse it, or a director whose account has a player of its own could claim anybody."""
    mine = own_account(one, "prête-nom")
    link = put(one, other.club, director)
    speak(link, mine)
    assert not same(one, other)
    say(link, other.club, other_director)
    assert same(one, other)


def test_director_s_yes_does_not_count_for_who_has_taken_an_account_since(one, other, director, other_director):
    link = put(one, other.club, director)
    mine = own_account(one, "un")
    say(link, other.club, other_director)
    assert not same(one, other)
    speak(link, mine)
    assert same(one, other)


def test_director_of_both_clubs_has_said_both(one, other, director):
    other.club.memberships.create(user=director, role="director")
    assert put(one, other.club, director).accepted_at
    assert same(one, other)


def test_director_of_both_clubs_does_not_speak_for_an_account(one, other, director):
    other.club.memberships.create(user=director, role="director")
    own_account(other, "elle")
    put(one, other.club, director)
    assert not same(one, other)


def test_director_whose_role_has_ended_there_has_not_said_both(one, other, director):
    yesterday = timezone.localdate() - dt.timedelta(days=1)
    other.club.memberships.create(user=director, role="director", ends_on=yesterday)
    put(one, other.club, director)
    assert not same(one, other)


def test_no_two_players_of_one_club_become_one_person(one, other, director, other_director):
    third = add(make_club("tiers"), "123456")
    second = add(one.club, "654321", "Durand")
    join_players(one, third)
    join_players(second, other)
    link = put(third, other.club, make_director(third.club, "tierce"))
    assert code_of(lambda: say(link, other.club, other_director)) == "person_twice"


def test_account_that_takes_a_link_in_a_second_club_makes_one_person(one, other):
    user = own_account(one, "elle")
    tie(other, user, by=user, now=timezone.now())
    assert same(one, other)
    assert PersonLink.objects.get().reason == PersonLink.LinkReason.ACCOUNT
    untie(other, by=user, now=timezone.now())
    assert not same(one, other)


# Each side can end it


@pytest.mark.parametrize("which", ["ici", "ailleurs"])
def test_either_club_ends_it_and_each_player_is_as_before(one, other, director, other_director, which):
    user = own_account(other, "elle")
    link = join_players(one, other)
    by = director if which == "ici" else other_director
    club = one.club if which == "ici" else other.club
    end_link(club=club, link_id=link.pk, by=by, now=timezone.now())
    assert not same(one, other)
    assert [Player.objects.get(pk=each.pk).account for each in (one, other)] == [None, user]
    assert code_of(lambda: end_link(club=club, link_id=link.pk, by=by, now=timezone.now())) == "link_unknown"
    for each in (one.club, other.club):
        assert [line.action for line in each.log.filter(action__in=["person_joined", "person_parted"])] == [
            "person_parted",
            "person_joined",
        ]


def test_account_ends_what_its_own_player_is_part_of(one, other, director):
    user = own_account(other, "elle")
    link = join_players(one, other)
    with pytest.raises(PersonRefused):
        end_as_account(user=make_user("autre"), link_id=link.pk, now=timezone.now())
    end_as_account(user=user, link_id=link.pk, now=timezone.now())
    assert not same(one, other)


def test_asked_club_takes_no_question_back(one, other, director, other_director):
    link = put(one, other.club, director)
    with pytest.raises(PersonRefused):
        end_link(club=other.club, link_id=link.pk, by=other_director, now=timezone.now())


@pytest.mark.nightly("story")
def test_who_was_held_together_by_one_player_alone_is_told_apart_without_it(one, other, director, other_director):
    third = add(make_club("tiers"), "123456")
    join_players(one, other)
    join_players(other, third)
    assert same(one, other, third)
    erase(whom_of_player(other), by=other_director, now=timezone.now())
    assert not same(one, third)
    for player in (one, third):
        player.refresh_from_db()
        assert (player.erased_at, player.last_name) == (None, "Dupont")


def test_merged_player_keeps_what_joined_it(one, other, director):
    kept = add(one.club, "", "Dupond")
    join_players(one, other)
    merge_players(club=one.club, kept_id=kept.pk, gone_id=one.pk, by=director, now=timezone.now())
    assert same(kept, one, other)


# Links that one club made alone


@pytest.fixture
def unasked(one, other, director):
    """Return a link as a licence made it in earlier versions."""
    link = join_players(one, other)
    PersonLink.objects.update(reason="licence", one_agreed_at=None, other_agreed_at=None)
    return link


@pytest.mark.nightly("story")
def test_link_made_on_one_word_is_shown_to_both_clubs_which_confirm_it(unasked, one, other, director, other_director):
    for by, player in ((director, one), (other_director, other)):
        browser, address = browser_of(by), reverse("player_person", args=[player.club.slug, player.pk])
        assert "Does Marie Dupont play in another club too?" in words(
            browser.get(reverse("players", args=[player.club.slug]))
        )
        assert "decided without asking both clubs" in words(browser.get(address))
        browser.post(address, {"action": "confirm", "link": unasked.pk})
        assert "decided without asking both clubs" not in words(browser.get(address))
    assert same(one, other)
    with pytest.raises(PersonRefused):
        confirm_link(club=one.club, link_id=unasked.pk, by=director, now=timezone.now())


def test_link_made_on_one_word_is_ended_by_the_club_that_was_not_asked(unasked, one, other, other_director):
    address = reverse("player_person", args=["ailleurs", other.pk])
    browser_of(other_director).post(address, {"action": "end", "link": unasked.pk})
    assert not same(one, other)


# Pages


@pytest.mark.guard("two clubs agree on a person")
def test_pages_ask_the_other_club_and_it_agrees(one, other, director, other_director):
    choose_shown(player=one, shown=Visibility.INITIALS, way=Way.LINK, by=None, now=timezone.now())
    address = reverse("player_person", args=["ici", one.pk])
    said = {"action": "ask", "club": "ailleurs", "words": "dupont marie"}
    asked = browser_of(director).post(address, said, follow=True)
    assert "Ailleurs has been asked." in words(asked)
    browser, page = browser_of(other_director), reverse("player_person", args=["ailleurs", other.pk])
    assert "Does Marie Dupont play in another club too?" in words(browser.get(reverse("players", args=["ailleurs"])))
    assert "Ici asked on" in words(browser.get(page))
    assert "their player M. D." in words(browser.get(page))
    browser.post(page, {"action": "agree", "link": PersonLink.objects.get().pk})
    assert same(one, other)
    assert "M. D. (Ailleurs)" in words(browser_of(director).get(address))


def test_page_keeps_what_was_typed_and_says_what_is_wrong(one, there, director):
    address = reverse("player_person", args=["ici", one.pk])
    for words_typed, said in ((".", "Write the player’s licence number or full name"), ("", "This field is required")):
        answer = browser_of(director).post(address, {"action": "ask", "club": "ailleurs", "words": words_typed})
        assert said in words(answer)
        assert f'value="{words_typed}"' in answer.content.decode() or not words_typed
    assert not PersonLink.objects.exists()


def test_account_s_page_asks_its_owner(one, other, director):
    user = own_account(other, "elle")
    link = ask(one, other)
    browser = browser_of(user)
    assert "1 question" in words(browser.get(reverse("account")))
    page = reverse("account_persons")
    assert "Ici asks whether you are their player Marie Dupont" in words(browser.get(page))
    browser.post(page, {"action": "agree", "link": link.pk})
    assert same(one, other)
    assert "Marie Dupont (Ici)" in words(browser.get(page))
    browser.post(page, {"action": "end", "link": link.pk})
    assert not same(one, other)
    assert "No questions" in words(browser.get(page))


def test_account_of_three_clubs_keeps_two_as_one_person(one, other):
    user, players = make_user("zoe"), [one, other, add(make_club("tiers"))]
    for player in players:
        tie(player, user, by=user, now=timezone.now())
    untie(one, by=user, now=timezone.now())
    assert (same(other, players[2]), same(one, other)) == (True, False)
