"""The federation's list that a club keeps: who is deleted from it, when it ends, and where no holder is ever found."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.periods import forget_what_is_over
from archives.privacy.whom import whom_of_account, whom_of_player
from clubs.accounts.players import tie
from clubs.licences import digest_of, find_old_lists, forget_after_restore, read_licences, store_list
from clubs.models import Club, ErasedHolder, LicenceHolder, LicenceList, Player
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.factories import make_club, make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from wording.table import write_cells

pytestmark = pytest.mark.django_db
LIST = [
    ["Licence", "Nom", "Prénom"],
    ["0000100", "DUPONT", "Marie"],
    ["200", "SANS", "Licence"],
    ["300", "RESTE", "Paul"],
]


def keep(club, by, now=None):
    return store_list(
        club=club, file=read_licences(write_cells(LIST)), name="liste.csv", by=by, now=now or timezone.now()
    )


def holders(club):
    return list(LicenceHolder.objects.filter(list__club=club).order_by("pk").values_list("last_name", flat=True))


def test_newer_list_replaces_the_one_before_and_the_log_says_so(director):
    club = make_club()
    keep(club, director)
    newer = keep(club, director)
    assert (LicenceList.objects.get(), LicenceHolder.objects.count()) == (newer, 3)
    assert club.log.filter(action="licences_kept", params={"count": "3", "file": "liste.csv"}).count() == 2


def test_one_file_that_was_read_once_is_kept_for_two_clubs(director):
    file, clubs = read_licences(write_cells(LIST)), [make_club(), make_club("autre")]
    for club in clubs:
        store_list(club=club, file=file, name="liste.csv", by=director, now=timezone.now())
    assert [holders(club) for club in clubs] == [["Dupont", "Sans", "Reste"]] * 2


@pytest.fixture
def two_clubs(director):
    """Return two clubs that keep the same list, and two players of the first: Marie with her licence, Sans without."""
    here, there = make_club(), make_club("autre")
    lines = [RosterLine("Dupont", "Marie", "100"), RosterLine("Sans", "Licence")]
    marie, sans = add_players(club=here, lines=lines)
    for club in (here, there):
        keep(club, director)
    return here, there, marie, sans


def holders_before_and_after_a_newer_list(clubs, by):
    before = [holders(club) for club in clubs]
    for club in clubs:
        keep(club, by)
    assert [holders(club) for club in clubs] == before
    return before


@pytest.mark.nightly("story")
def test_director_who_erases_reaches_the_list_of_the_own_club_alone(two_clubs, director):
    *clubs, marie, sans = two_clubs
    for player in (marie, sans):
        erase(whom_of_player(player), by=director, now=timezone.now())
    assert holders_before_and_after_a_newer_list(clubs, director) == [["Reste"], ["Dupont", "Sans", "Reste"]]


@pytest.mark.nightly("story")
def test_who_asks_to_be_erased_is_in_no_clubs_list_and_is_not_read_again(two_clubs, director):
    *clubs, marie, _sans = two_clubs
    user = make_confirmed_account(marie, director)
    erase(whom_of_account(user), by=user, now=timezone.now())
    assert holders_before_and_after_a_newer_list(clubs, director) == [["Sans", "Reste"], ["Sans", "Reste"]]


def make_confirmed_account(player, director, *, confirmed=True):
    user = make_user(f"owner-{player.pk}")
    EmailAddress.objects.create(user=user, email=f"owner-{player.pk}@example.org", verified=confirmed)
    tie(player, user, by=director, now=timezone.now())
    return user


@pytest.mark.nightly("story")
def test_account_without_a_confirmed_address_reaches_the_lists_of_its_own_clubs(two_clubs, director):
    *clubs, marie, _sans = two_clubs
    user = make_confirmed_account(marie, director, confirmed=False)
    erase(whom_of_account(user), by=user, now=timezone.now())
    assert holders_before_and_after_a_newer_list(clubs, director) == [["Sans", "Reste"], ["Dupont", "Sans", "Reste"]]


@pytest.mark.nightly("story")
def test_licence_under_another_name_is_deleted_from_no_other_clubs_list(two_clubs, director):
    *clubs, marie, _sans = two_clubs
    Player.objects.filter(pk=marie.pk).update(first_name="Hugo", last_name="Autre")
    user = make_confirmed_account(marie, director)
    erase(whom_of_account(user), by=user, now=timezone.now())
    assert holders_before_and_after_a_newer_list(clubs, director) == [["Sans", "Reste"], ["Dupont", "Sans", "Reste"]]


@pytest.mark.nightly("story")
def test_licence_of_a_merged_player_reaches_the_list_of_the_own_club_alone(two_clubs, director):
    here, there, marie, _sans = two_clubs
    (paul,) = add_players(club=here, lines=[RosterLine("Reste", "Marie", "300")])
    Player.objects.filter(pk=paul.pk).update(merged_into=marie)
    user = make_confirmed_account(marie, director)
    erase(whom_of_account(user), by=user, now=timezone.now())
    assert holders_before_and_after_a_newer_list([here, there], director) == [["Sans"], ["Sans", "Reste"]]


def test_list_ends_after_13_months(director):
    now = dt.datetime(2026, 3, 31, 12, tzinfo=dt.UTC)
    keep(make_club(), director, now=dt.datetime(2025, 2, 28, 12, tzinfo=dt.UTC))
    assert not find_old_lists(now).exists()
    forget_what_is_over(now)
    assert LicenceHolder.objects.count() == 3
    forget_what_is_over(now + dt.timedelta(minutes=1))
    assert (LicenceList.objects.count(), LicenceHolder.objects.count()) == (0, 0)


def test_list_goes_with_the_club(director):
    club = make_club()
    keep(club, director)
    Club.every.filter(pk=club.pk).delete()
    assert not LicenceHolder.objects.exists()


def test_restore_forgets_old_lists_and_whoever_was_erased_since(director):
    now = timezone.now()
    old, new = make_club(), make_club("autre")
    keep(old, director, now=now - dt.timedelta(days=400))
    keep(new, director)
    forget_after_restore({digest_of("100 dupont")}, now=now)
    assert (holders(old), holders(new)) == ([], ["Sans", "Reste"])
    assert ErasedHolder.objects.get().digest == digest_of("100 dupont")


def test_director_deletes_the_list(club, director):
    keep(club, director)
    browser = browser_of(director)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    assert "is deleted" in words(browser.post(reverse("licences", args=[club.slug]), {"action": "delete"}, follow=True))
    assert not LicenceList.objects.exists()
    assert club.log.filter(action="licences_deleted").count() == 1
