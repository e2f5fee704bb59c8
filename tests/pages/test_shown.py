"""The choice of how a person is shown in public: on the account's page, by personal link, on a director's page."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import tie
from clubs.models import Person, ShownWord, Visibility
from clubs.shown import choose_shown
from evenings.requests.links import ensure_links
from tests import shared_evenings
from tests.factories import make_club, make_director, make_user, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db


session = shared_evenings.published


@pytest.fixture
def entrant(session):
    return session.entrants.select_related("player").get(line="N", number=1)


@pytest.fixture
def by_director(entrant, director):
    where = reverse("club_player", args=[entrant.player.club.slug, entrant.player.pk])
    return lambda shown: browser_of(director).post(where, {"action": "shown", "shown": shown}, follow=True)


@pytest.fixture
def link(session, entrant):
    """Return the page on which the player chooses by personal link."""
    return reverse("personal_shown", args=[ensure_links(session, now=timezone.now())[entrant.pk].token])


@pytest.fixture
def account(entrant, director):
    user = make_user("elle")
    tie(entrant.player, user, by=director, now=timezone.now())
    return browser_of(user)


def shown(entrant):
    return Person.objects.get(players=entrant.player).shown


def test_personal_link_chooses_and_says_when_it_was_chosen(entrant, link):
    stranger = browser_of()
    assert "Nobody has chosen yet" in words(stranger.get(link))
    answer = stranger.post(link, {"shown": "hidden"}, follow=True)
    assert shown(entrant) == Visibility.HIDDEN
    assert "through the player’s own link" in words(answer)
    assert 'value="hidden" required checked' in " ".join(answer.content.decode().split())
    assert (answer["Cache-Control"], answer["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert ShownWord.objects.get().own


def test_personal_link_chooses_before_anything_is_published():
    session = started_session()
    entrant = session.entrants.first()
    token = ensure_links(session, now=timezone.now())[entrant.pk].token
    where = reverse("personal_shown", args=[token])
    assert where in browser_of().get(reverse("personal", args=[token])).content.decode()
    browser_of().post(where, {"shown": "initials"})
    assert shown(entrant) == Visibility.INITIALS


def test_personal_page_leads_to_the_choice_and_names_the_player(entrant, link):
    choose_shown(player=entrant.player, shown="hidden", way=ShownWord.WordWay.LINK, by=None, now=timezone.now())
    page = browser_of().get(link.removesuffix("shown/"))
    assert (link in page.content.decode(), entrant.player.name in words(page)) == (True, True)
    assert entrant.player.name in words(browser_of().get(link))


@pytest.mark.parametrize("typed", ["", "nobody", "NAME", "hidden\0"])
def test_what_is_none_of_the_three_is_refused_by_the_link(entrant, link, typed):
    answer = browser_of().post(link, {"shown": typed})
    assert (answer.status_code, shown(entrant)) == (409, Visibility.NAME)
    assert "Choose one of the three." in words(answer)


def test_account_chooses_for_its_own_player(entrant, account):
    where = reverse("account_shown")
    assert entrant.player.name in words(account.get(where))
    answer = account.post(where, {"shown": "hidden"}, follow=True)
    assert ("by the player, logged in" in words(answer), shown(entrant)) == (True, Visibility.HIDDEN)
    assert "Choose one of the three." in words(account.post(where, {"shown": "no"}, follow=True))
    assert shown(entrant) == Visibility.HIDDEN


def test_account_without_a_player_is_told_so(session):
    answer = browser_of(make_user("personne")).post(reverse("account_shown"), {"shown": "hidden"})
    assert "No player is linked to this account" in words(answer)
    assert not ShownWord.objects.exists()


def test_director_chooses_and_is_told_who_did(entrant, director, by_director):
    answer = by_director("initials")
    assert shown(entrant) == Visibility.INITIALS
    assert f"by a director ({director.shown_name})" in words(answer)
    assert entrant.player.name in words(answer)


@pytest.mark.nightly("story")
def test_director_takes_nobody_s_own_word_back_and_is_told_so(entrant, by_director, link):
    browser_of().post(link, {"shown": "initials"})
    answer = by_director("name")
    assert shown(entrant) == Visibility.INITIALS
    assert "In public, it is still by initials: the player asked for it." in words(answer)
    assert "it is still" not in words(browser_of().get(link))
    by_director("hidden")
    assert shown(entrant) == Visibility.HIDDEN
    assert "In public, it is still hidden: a director of the club asked for it." in words(browser_of().get(link))
    by_director("name")
    assert shown(entrant) == Visibility.INITIALS


def test_director_of_another_club_has_no_word(entrant, session):
    other = make_director(make_club("ailleurs"), "directeur-ailleurs")
    where = reverse("club_player", args=[entrant.player.club.slug, entrant.player.pk])
    assert browser_of(other).post(where, {"action": "shown", "shown": "hidden"}).status_code == 403
    assert shown(entrant) == Visibility.NAME
