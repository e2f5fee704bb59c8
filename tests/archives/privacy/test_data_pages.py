"""The pages on which a person asks for their data or for erasure: the account's, the link's, the director's."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import tie
from clubs.models import ClubLogEntry, Player, User
from tests.evenings.requests.world import Four
from tests.factories import PASSWORD, enter_all, make_tournament, make_user, published_session, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_session(make_tournament())


@pytest.fixture
def session(db, evening):
    cache.clear()
    return Session.objects.select_related("tournament__club").get(pk=evening.pk)


@pytest.fixture
def director(session):
    return session.tournament.club.memberships.get().user


@pytest.fixture
def link(session):
    return Four(session).asker


@pytest.fixture
def player(link):
    return link.entrant.player


@pytest.fixture
def owner(player, director):
    user = make_user("zoe")
    tie(player, user, by=director, now=timezone.now())
    return user


def erasure(player):
    return reverse("player_erase", args=["club", player.pk])


def log_in(user):
    """Return a browser of a user who has just typed the password once more."""
    client = browser_of(user)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def test_account_page_offers_both(owner):
    page = words(browser_of(owner).get(reverse("account")))
    assert "What is kept about me" in page
    assert "Erase my data" in page


@pytest.mark.nightly("story")
def test_to_be_erased_asks_for_the_password_and_then_for_a_word(owner, player):
    asked = browser_of(owner).get(reverse("account_erase"))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    client = log_in(owner)
    page = words(client.get(reverse("account_erase")))
    assert "This cannot be undone" in page
    assert player.name in page
    again = client.post(reverse("account_erase"))
    assert "Tick the box first" in words(again)
    assert User.objects.filter(pk=owner.pk).exists()
    done = client.post(reverse("account_erase"), {"understood": "on"}, follow=True)
    assert done.redirect_chain == [(reverse("home"), 302)]
    assert "Your data has been erased" in words(done)
    assert not User.objects.filter(pk=owner.pk).exists()
    player.refresh_from_db()
    assert player.erased_at is not None


def test_last_director_is_told_what_to_do_first(director):
    client = log_in(director)
    page = client.get(reverse("account_erase"))
    assert "needs at least one director" in words(page)
    assert "Erase my data for good" not in words(page)
    assert client.post(reverse("account_erase"), {"understood": "on"}).status_code == 409
    assert User.objects.get(pk=director.pk).is_active


@pytest.mark.nightly("story")
def test_director_erases_a_player_once_he_has_read_what_it_means(director, player, session):
    client = browser_of(director)
    shown = words(client.get(reverse("club_player", args=["club", player.pk])))
    assert "What is kept about this player" in shown
    assert "to the last digit" in words(client.get(erasure(player)))
    assert "Tick the box first" in words(client.post(erasure(player), {"action": "erase"}))
    done = client.post(erasure(player), {"action": "erase", "understood": "on"}, follow=True)
    assert "Erased: a number replaces" in words(done)
    assert player.name not in words(done)
    gone = client.get(reverse("club_player", args=["club", player.pk]), follow=True)
    assert "only the results are left" in words(gone)
    assert client.get(erasure(player)).status_code == 404
    ranking = reverse("ranking", args=["club", session.tournament.slug, session.number])
    for language, number in (("en", f"Player no. {player.pk}"), ("fr", f"Joueur n°\N{NO-BREAK SPACE}{player.pk}")):
        page = browser_of().get(ranking, headers={"accept-language": language}).content.decode()
        assert number in page
        assert player.name not in page
    (line,) = ClubLogEntry.objects.filter(action="player_erased")
    assert player.last_name not in str(line.params)
    assert "erased n°" in words(client.get(reverse("team", args=["club"])))


def test_director_is_told_of_an_evening_that_goes_on(director, session):
    running = started_session(session.tournament)
    enter_all(running, by=director)
    playing = running.entrants.first().player
    client = browser_of(director)
    assert "plays in a session that is under way" in words(client.get(erasure(playing)))
    refused = client.post(erasure(playing), {"action": "erase", "understood": "on"})
    assert refused.status_code == 409
    assert Player.objects.get(pk=playing.pk).erased_at is None


def test_by_the_link_on_paper_it_is_asked_for_and_a_director_does_it(link, player, director):
    address = reverse("personal_data", args=[link.token])
    stranger, client = browser_of(), browser_of(director)
    assert "Download the file" in words(stranger.get(address))
    assert "Tick the box first" in words(stranger.post(address, {"action": "ask"}))
    stranger.post(address, {"action": "ask", "understood": "on"})
    assert "You asked for it on" in words(stranger.get(address))
    player.refresh_from_db()
    assert (player.erasure_asked_at is None, player.erased_at) == (False, None)
    assert f"{player.name} asks to be erased" in words(client.get(reverse("players", args=["club"])))
    assert "asks to be erased" in words(client.get(reverse("club_player", args=["club", player.pk])))
    stranger.post(address, {"action": "back"})
    player.refresh_from_db()
    assert player.erasure_asked_at is None


def test_director_puts_a_strangers_wish_aside(link, player, director):
    browser_of().post(reverse("personal_data", args=[link.token]), {"action": "ask", "understood": "on"})
    for _time in range(2):
        browser_of(director).post(erasure(player), {"action": "decline"})
    player.refresh_from_db()
    assert player.erasure_asked_at is None
    assert ClubLogEntry.objects.filter(action="erasure_declined").count() == 1


def test_pages_of_a_link_are_kept_by_nobody(link):
    page = browser_of().get(reverse("personal_data", args=[link.token]))
    assert (page["Cache-Control"], page["X-Robots-Tag"]) == ("no-store", "noindex")


def test_director_reads_first_what_an_erasure_means(director, player):
    page = browser_of(director).get(erasure(player))
    assert (page.status_code, player.name in words(page)) == (200, True)
