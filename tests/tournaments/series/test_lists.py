"""The typed lists of a series in which somebody stands twice: both lines are named, and nothing is lost."""

from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.answers import MatchedLine
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.tournaments.browsing import browser_of
from tests.tournaments.pages import words
from tests.tournaments.series import season
from tests.tournaments.series.seasons import FIRST, make_series
from tournaments.models import SeriesEvent, SeriesList, SeriesListRow
from tournaments.series.lists import ListGiven, type_list
from tournaments.series.refusals import SeriesRefused

pytestmark = pytest.mark.django_db

club = season.club
director = season.director
people = season.people
TEXT = "ADA Zoé 12\nBOB Zoé 7\nADA Zoé 3"
TOLD = {"title": "Coupe", "day": "2026-10-01", "source": "feuille de la ligue", "figures": "points"}


@pytest.fixture
def series(club, director, people):
    return make_series(club, director, brings="places")


@pytest.fixture
def ask(director, series):
    """Return a function that posts the form, with the answers to some lines by their numbers."""
    browser, address = browser_of(director), reverse("series_type", args=[series.club.slug, series.slug])

    def post(text, answers=None, **more):
        page = browser.post(address, TOLD | {"text": text})
        names = {question.row.number: question.name for question in page.context["form"].questions}
        given = {names[number]: answer for number, answer in (answers or {}).items()}
        if answers is not None:
            return browser.post(address, TOLD | {"text": text, "shown": page.context["shown"], **given, **more})
        return page

    return post


def test_same_line_twice_names_both_lines_and_saves_nothing(ask):
    for page in (ask(TEXT), ask(TEXT, {}), ask(TEXT, {3: "out"})):
        assert page.status_code == 200
        assert "Lines 1 and 3 are both Zoé ADA: keep one of the two." in words(page)
        assert page.context["form"]["text"].value() == TEXT
        assert page.context["form"]["source"].value() == "feuille de la ligue"
    assert (SeriesList.objects.count(), SeriesEvent.objects.count()) == (0, 0)


def test_list_without_the_repeated_line_is_saved_whole(ask):
    assert ask(TEXT.rpartition("\n")[0], {}).status_code == 302
    rows = SeriesListRow.objects.order_by("pk").values_list("player__last_name", "points")
    assert list(rows) == [("Ada", Decimal(12)), ("Bob", Decimal(7))]


def test_two_spellings_of_one_player_are_refused_with_both_lines(club, ask, people):
    ada = people[0]
    text = "BOB Zoé 7\nADA Zoé 12\nADDA Zoé 3"
    page = ask(text, {3: str(ada.pk)})
    assert page.status_code == 200
    assert "Lines 2 and 3 are both Zoé Ada: keep one of the two." in words(page)
    assert page.context["form"]["text"].value() == text
    assert (SeriesList.objects.count(), SeriesEvent.objects.count(), club.players.count()) == (0, 0, 4)


def test_two_players_of_one_name_are_told_apart_by_their_licences(club, director, series):
    names = [RosterLine("Petit", "Léa", licence) for licence in ("0100001", "0100002")]
    twins = add_players(club=club, lines=names)
    assert len({player.pk for player in twins}) == 2
    rows = [(MatchedLine(line, player.pk), Decimal(9)) for line, player in zip(names, twins, strict=True)]
    given = ListGiven(title="Open", day=FIRST, source="feuille", figures="points", rows=rows)
    typed = type_list(series_id=series.pk, given=given, by=director, now=timezone.now())
    assert typed.rows.count() == 2


def test_lists_typed_by_programs_name_the_places_in_the_list(club, director, series, people):
    ada = people[0]
    rows = [(MatchedLine(RosterLine("Ada", "Zoé"), ada.pk), Decimal(points)) for points in (9, 8)]
    given = ListGiven(title="Open", day=FIRST, source="feuille", figures="points", rows=rows)
    with pytest.raises(SeriesRefused, match="series_list_twice") as refused:
        type_list(series_id=series.pk, given=given, by=director, now=timezone.now())
    assert (refused.value.params["first"], refused.value.params["second"]) == (1, 2)
    assert SeriesEvent.objects.count() == 0
