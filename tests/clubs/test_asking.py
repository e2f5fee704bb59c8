"""The question whether a player is in another club too: the director learns nothing unless the other side agrees."""

import datetime as dt
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.periods import forget_what_is_over
from archives.privacy.whom import whom_of_player
from clubs.accounts.players import tie
from clubs.accounts.questions import (
    LIFE,
    MOST_A_DAY,
    answer_as_account,
    answer_question,
    ask_same,
    questions_to_club,
    waiting_questions,
)
from clubs.editing import delete_player
from clubs.models import ClubLogEntry, PersonLink, Player, Visibility
from clubs.persons import PersonRefused
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import Way, choose_shown
from pages.prepare.persons import persons_of
from tests import shared_evenings
from tests.factories import make_club, make_director, make_user
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


@pytest.fixture
def kinds(there):
    """Return a licence for each kind: nobody, a player, a hidden one, a junior with an account."""
    choose_shown(player=add(there, "HIDDEN", "Un"), shown=Visibility.HIDDEN, way=Way.LINK, by=None, now=timezone.now())
    Player.objects.filter(pk=add(there, "JUNIOR", "Deux").pk).update(category="junior")
    own_account(Player.objects.get(licence="JUNIOR"), "junior")
    add(there, "PLAYER", "Trois")
    return ["NOBODY", "PLAYER", "HIDDEN", "JUNIOR"]


def seen(browser, player, asked):
    """Return the words of the asker's page, without names, the hidden fields of forms and the time of the question."""
    page = browser.get(reverse("player_person", args=["ici", player.pk]))
    return re.sub(r"\b\d{1,2}:\d\d\b", "…", words(page)).replace(asked, "…").replace(player.last_name, "…")


@pytest.mark.nightly("story")
def test_asking_about_anybody_and_about_nobody_is_answered_alike(here, there, director, other_director, kinds):
    answers, costs = [], []
    for number, asked in enumerate(kinds):
        player = add(here, "", f"Nom{number}")
        browser = browser_of(director)
        address = reverse("player_person", args=["ici", player.pk])
        browser.get(address)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = browser.post(address, {"action": "ask", "club": "ailleurs", "words": asked})
        kinds_of_query = [re.sub("[0-9]", "", each["sql"][:40]) for each in queries.captured_queries]
        costs.append((answer.status_code, kinds_of_query))
        answers.append(seen(browser, player, asked).replace(player.name, "Marie"))
    assert "Ailleurs has been asked." in answers[0]
    assert "no answer yet" in answers[0]
    assert [answer for answer in answers if answer != answers[0]] == []
    assert [cost for cost in costs if cost != costs[0]] == []


@pytest.mark.nightly("story")
@pytest.mark.parametrize("what", ["refused", "deleted", "erased", "half agreed"])
def test_asker_s_page_stays_the_same_whatever_the_other_side_does_but_agree(one, other, director, other_director, what):
    nobody = add(one.club, "", "Autre")
    put(nobody, other.club, director, "no such licence")
    link = put(one, other.club, director)
    if what == "refused":
        say(link, other.club, other_director, agree=False)
        assert not questions_to_club(other.club, now=timezone.now()).exists()
    elif what == "deleted":
        delete_player(club=other.club, player_id=other.pk, by=other_director, now=timezone.now())
    elif what == "erased":
        erase(whom_of_player(other), by=other_director, now=timezone.now())
    else:
        own_account(one, "un")
        say(link, other.club, other_director)
    browser = browser_of(director)
    pages = [seen(browser, player, player.name) for player in (one, nobody)]
    assert pages[0] == pages[1]
    assert code_of(lambda: put(one, other.club, director, "else")) == "person_asked_already"
    assert code_of(lambda: put(nobody, other.club, director, "else")) == "person_asked_already"


def test_asking_is_logged_here_and_there_only_where_somebody_was_found(one, other, director):
    put(one, other.club, director)
    put(add(one.club, "", "Autre"), other.club, director, "nobody")
    lines = ClubLogEntry.objects.filter(action__in=["person_asked", "person_question"])
    assert sorted(lines.values_list("club__slug", "action", "author")) == [
        ("ailleurs", "person_question", None),
        ("ici", "person_asked", director.pk),
        ("ici", "person_asked", director.pk),
    ]


@pytest.mark.nightly("story")
def test_director_asks_ten_questions_a_day_whatever_becomes_of_the_players(here, there, director):
    now = timezone.now()
    for number in range(MOST_A_DAY):
        player = add(here, "", f"Nom{number}")
        put(player, there, director, f"L{number}", now)
        delete_player(club=here, player_id=player.pk, by=director, now=now)
    last = add(here, "", "Onzième")
    assert code_of(lambda: put(last, there, director, "L", now)) == "person_asked_often"
    assert put(last, there, director, "L", now + dt.timedelta(days=1, seconds=1)).pk
    assert put(add(here, "", "Douzième"), there, make_director(here, "autre"), "L", now).pk


def test_question_ends_after_thirty_days_with_its_words_for_anybody_and_nobody(one, other, director):
    then = timezone.now() - LIFE - dt.timedelta(minutes=1)
    put(one, other.club, director, now=then)
    put(add(one.club, "", "Autre"), other.club, director, "nobody", then)
    assert not waiting_questions(one, now=timezone.now()).exists()
    assert not questions_to_club(other.club, now=timezone.now()).exists()
    forget_what_is_over(timezone.now())
    assert [(each.asked, each.ended_at, each.accepted_at) for each in PersonLink.objects.all()] == [
        ("", then + LIFE, None)
    ] * 2


def test_words_are_gone_with_the_answer(one, other, director, other_director):
    link = put(one, other.club, director)
    assert PersonLink.objects.get().asked == "123456"
    say(link, other.club, other_director, agree=False)
    assert PersonLink.objects.get().asked == ""


def test_words_that_mean_two_players_mean_nobody(here, there, director):
    add(there, "1", "Dupont"), add(there, "2", "Dupont")
    assert put(add(here), there, director, "dupont marie").other is None


def test_name_written_otherwise_means_the_player(one, other, director):
    assert put(one, other.club, director, "DUPONT, marie").other == other


def test_director_sees_a_question_at_its_own_player_and_at_no_other_one(one, other, there, director):
    put(one, there, director)
    assert [asked.player for asked in persons_of(there, other)["asks"]] == [other]
    assert persons_of(there, add(there, name="Autre"))["asks"] == []


def test_question_says_whether_the_player_answers_with_an_account(one, other, there, director):
    put(one, there, director)
    assert [asked.account for asked in persons_of(there, other)["asks"]] == [False]
    own_account(other, "marie")
    assert [asked.account for asked in persons_of(there, other)["asks"]] == [True]
