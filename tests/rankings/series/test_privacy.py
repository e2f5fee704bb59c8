"""The data of a person in series: handed out to the person, and without the name after an erasure."""

import io
import json
import zipfile
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.export import write_export
from archives.privacy.whom import whom_of_account, whom_of_player
from clubs.accounts.players import tie
from clubs.models import Player
from clubs.shown import Way, choose_shown
from rankings.series.computing import refresh_series
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.factories import make_club, make_director, make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, thursdays
from tests.rankings.series.test_edges import type_figures
from tournaments.models import SeriesClub, SeriesListRow
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db

club = season.club
director = season.director
people = season.people


def everything_in(export):
    with zipfile.ZipFile(io.BytesIO(export)) as archive:
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


@pytest.fixture
def series(club, director, people):
    """Return a series with an evening and a typed list, in which Ada has 12 points of somebody else's sheet."""
    hold(thursdays(club), FIRST, dict(zip(people, (60, 50, 40, 30), strict=True)))
    made = make_series(club, director, brings="places")
    type_figures(made, director, "points", [(people[0], 12)])
    refresh_series(made.pk, now=timezone.now())
    return made


@pytest.mark.nightly("story")
def test_typed_results_are_handed_out_to_the_player(series, director):
    (gus,) = name_players(series.club, "Gus")
    account = make_user("gus")
    tie(gus, account, by=director, now=timezone.now())
    type_figures(series, director, "points", [(gus, 12)])
    with write_export(whom_of_account(account), told="", now=timezone.now()) as archive:
        (told,) = json.loads(everything_in(archive.read())["series_results.json"])
    assert (told["championship"], told["event"], told["points"]) == ("Challenge d’été", "Open", "12.00")


@pytest.mark.nightly("story")
def test_erased_player_has_no_name_on_any_page_and_the_figures_stay(series, director, people):
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))
    erase(whom_of_player(Player.objects.get(pk=people[0].pk)), by=director, now=timezone.now())
    assert SeriesListRow.objects.get().points == Decimal(12)
    place = [series.club.slug, series.slug]
    for browser in (browser_of(), browser_of(director)):
        for name in ("series", "series_versions", "series_file", "series_pdf", "series_list"):
            answer = browser.get(reverse(name, args=place[:1] if name == "series_list" else place))
            assert "Ada" not in answer.content.decode(errors="replace"), name
    assert "16" in words(browser_of().get(reverse("series", args=place)))  # 4 and 12


def test_categories_are_ranked_among_themselves_and_new_members_too(club, director):
    names = ("Ada", "Bob", "Cyr", "Dan", "Eve", "Flo")
    six = name_players(club, *names)
    for player, category in zip(six, ("senior", "veteran") * 3, strict=True):
        Player.objects.filter(pk=player.pk).update(category=category)
    evenings = thursdays(club)
    hold(evenings, FIRST.replace(month=6), {six[0]: 60, six[1]: 50, six[2]: 40})  # before the first day
    hold(evenings, FIRST, dict(zip(six, (60, 58, 56, 54, 54, 50), strict=True)), ranks=[1, 2, 3, 4, 4, 6])
    series = make_series(club, director)
    refresh_series(series.pk, now=timezone.now())
    page = browser_of().get(reverse("series", args=[club.slug, series.slug]), {"by": "category"})
    tables = {
        table.title: [(row.player.name.split()[-1], row.rank) for row in table.rows] for table in page.context["tables"]
    }
    # veterans: Bob 58, Dan 54, Flo 50; new: Dan and Eve share the first place
    assert tables["Veteran"] == [("Bob", 1), ("Dan", 2), ("Flo", 3)]
    assert tables["New members"] == [("Dan", 1), ("Eve", 1), ("Flo", 3)]


@pytest.fixture
def twins(club, director, people):
    """Return a series over three clubs, with players of the same name in each, and the directors of the others."""
    series = make_series(club, director)
    hold(thursdays(club), FIRST, dict(zip(people, (60, 50, 40, 30), strict=True)))
    directors = {}
    for slug in ("voisins", "lointains"):
        other = make_club(slug, slug.capitalize())
        directors[slug] = make_director(other, f"directrice {slug}")
        told = {"asked_at": timezone.now(), "asked_by": director, "agreed_at": timezone.now()}
        SeriesClub.objects.create(series=series, club=other, **told)
        members = name_players(other, "Ada", "Bob") if slug == "voisins" else name_players(other, "Cyr", "Zacharie")
        hold(thursdays(other, "Lundis"), FIRST, dict(zip(members, (55, 45), strict=True)))
    refresh_series(series.pk, now=timezone.now())
    return series, directors


def read_doubts(series, browser):
    page = browser.get(reverse("series", args=[series.club.slug, series.slug]))
    told = page.context.get("twins") or []
    return [[(player.club.slug, player.last_name) for player in twin.players] for twin in told], page


@pytest.mark.nightly("story")
def test_director_of_a_club_that_takes_part_reads_the_doubts_about_own_members(twins, director):
    series, directors = twins
    own = series.club.slug
    found, page = read_doubts(series, browser_of(directors["voisins"]))
    assert found == [[(own, "Ada"), ("voisins", "Ada")], [(own, "Bob"), ("voisins", "Bob")]]
    assert "One person or two?" in words(page)
    member = Player.objects.get(club__slug="voisins", last_name="Ada")
    assert reverse("club_player", args=["voisins", member.pk]) in page.content.decode()
    other = Player.objects.get(club__slug=own, last_name="Ada")
    assert reverse("club_player", args=[own, other.pk]) not in page.content.decode()
    assert read_doubts(series, browser_of(directors["lointains"]))[0] == [[(own, "Cyr"), ("lointains", "Cyr")]]
    for reader in (browser_of(), browser_of(make_director(make_club("ailleurs"), "étrangère"))):
        found, page = read_doubts(series, reader)
        assert (found, "One person or two?" in words(page)) == ([], False)
    clubs = browser_of(director).get(reverse("series_clubs", args=[own, series.slug]))
    assert len(clubs.context["twins"]) == 3  # the owner reads them all, on the page of the clubs


def test_doubts_name_no_hidden_player_of_another_club(twins, director, people):
    series, directors = twins
    for player in (people[0], Player.objects.get(club__slug="voisins", last_name="Bob")):
        choose_shown(player=player, shown="hidden", way=Way.DIRECTOR, by=director, now=timezone.now())
    refresh_series(series.pk, now=timezone.now())
    found, _page = read_doubts(series, browser_of(directors["voisins"]))
    # Ada of the owner's club is hidden: no doubt. Bob is the own member, whom the director knows.
    assert found == [[(series.club.slug, "Bob"), ("voisins", "Bob")]]
    clubs = browser_of(director).get(reverse("series_clubs", args=[series.club.slug, series.slug]))
    told = [[player.last_name for player in twin.players] for twin in clubs.context["twins"]]
    assert told == [["Ada", "Ada"], ["Cyr", "Cyr"]]
