"""The federation's list that a club keeps: who is deleted from it, when it ends, and where no holder is ever found."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.licences.reading import read_licences
from clubs.licences.storing import digest_of, find_old_lists, forget_after_restore, store_list
from clubs.models import Club, ErasedHolder, LicenceHolder, LicenceList
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.factories import make_club
from tests.tournaments.browsing import browser_of
from tests.tournaments.pages import words
from texts.table import write_cells
from tournaments.privacy.erasing import erase
from tournaments.privacy.periods import forget_what_is_over
from tournaments.privacy.whom import whom_of_player

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


@pytest.mark.nightly("story")
def test_erased_player_is_in_no_clubs_list_and_is_not_read_again(director):
    here, there = make_club(), make_club("autre")
    players = add_players(club=here, lines=[RosterLine("Dupont", "Marie", "100"), RosterLine("Sans", "Licence")])
    for club in (here, there):
        keep(club, director)
    for player in players:
        erase(whom_of_player(player), by=director, now=timezone.now())
    assert (holders(here), holders(there)) == (["Reste"], ["Sans", "Reste"])
    for club in (here, there):
        keep(club, director)
    assert (holders(here), holders(there)) == (["Reste"], ["Sans", "Reste"])


@pytest.mark.nightly("story")
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
    forget_after_restore({digest_of("100")}, now=now)
    assert (holders(old), holders(new)) == ([], ["Sans", "Reste"])
    assert ErasedHolder.objects.get().digest == digest_of("100")


def test_director_deletes_the_list(club, director):
    keep(club, director)
    browser = browser_of(director)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    assert "is deleted" in words(browser.post(reverse("licences", args=[club.slug]), {"action": "delete"}, follow=True))
    assert not LicenceList.objects.exists()
    assert club.log.filter(action="licences_deleted").count() == 1
