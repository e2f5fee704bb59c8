"""The typed lists of a series in which somebody stands twice: both lines are named, and nothing is lost."""

from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from time import process_time

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.matching import MatchedLine
from clubs.players import add_players
from clubs.roster import RosterLine
from rankings.series.lists import ListGiven, split_list, type_list
from rankings.series.setup import SeriesRefused
from tests.pages.browsing import browser_of, press_preview
from tests.pages.reading import words
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, make_series
from tournaments.models import SeriesEvent, SeriesList, SeriesListRow

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
            return press_preview(browser, address, TOLD | {"text": text, **given, **more})
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
    rows = [(place, MatchedLine(names[place], twins[place].pk), Decimal(9)) for place in (0, 1)]
    given = ListGiven(title="Open", day=FIRST, source="feuille", figures="points", rows=rows)
    typed = type_list(series_id=series.pk, given=given, by=director, now=timezone.now())
    assert typed.rows.count() == 2


def test_lists_typed_by_programs_name_the_places_in_the_list(club, director, series, people):
    ada = people[0]
    rows = [(place, MatchedLine(RosterLine("Ada", "Zoé"), ada.pk), Decimal(9)) for place in (1, 2)]
    given = ListGiven(title="Open", day=FIRST, source="feuille", figures="points", rows=rows)
    with pytest.raises(SeriesRefused, match="series_list_twice") as refused:
        type_list(series_id=series.pk, given=given, by=director, now=timezone.now())
    assert (refused.value.params["first"], refused.value.params["second"]) == (1, 2)
    assert SeriesEvent.objects.count() == 0


NARROW, THIN, FIXED = "\u202f", "\u2009", "\u00a0"
READ = {
    "ADA Zoé 12,5": ("ADA Zoé", "12.5"),
    "ADA Zoé : 12,5 pts": ("ADA Zoé", "12.5"),
    "ADA Zoé 40½": ("ADA Zoé", "40.5"),
    "ADA;Zoé;25,00": ("ADA;Zoé", "25"),
    "ADA Zoé 3 000": ("ADA Zoé", "3000"),
    f"ADA Zoé 1{NARROW}234{THIN}567,5": ("ADA Zoé", "1234567.5"),
    f"ADA Zoé\t3{FIXED}000": ("ADA Zoé", "3000"),
    "ADA\tZoé\t412\t250": ("ADA\tZoé\t412", "250"),
    "ADA Zoé 4123 250": ("ADA Zoé 4123", "250"),
    "ADA, Zoé, 4123, 25": ("ADA, Zoé, 4123", "25"),
    "ADA, Zoé, 12,5": ("ADA, Zoé", "12.5"),
    "ADA,Zoé,25": ("ADA,Zoé", "25"),
    "412 250": ("412", "250"),
    "ADA Zoé: 12.75 ": ("ADA Zoé", "12.75"),
    "ADA Zoé −120": ("ADA Zoé", "-120"),
    "ADA-ZOÉ -1 200,5": ("ADA-ZOÉ", "-1200.5"),
    "ADA Zoé +80": ("ADA Zoé", "80"),
    "ADA Zoé 0": ("ADA Zoé", "0"),
}


@pytest.mark.parametrize(
    ("figures", "found"),
    [("points", {2: Decimal("12.5"), 3: Decimal(-1044)}), ("rank", {2: Decimal(1), 3: Decimal(2)})],
)
def test_columns_of_a_table_have_the_names_and_the_numbers(figures, found):
    read = split_list("Rang;Nom;Prénom;Points;Club\n1er;Mevel;Roland;12,5;Lyon\n2e;Arzel;Jean;− 1 044;", figures)
    assert [row.number for row in read.names.rows] == [2, 3]
    assert read.figures == found


def test_row_of_a_table_without_its_number_is_quoted():
    with pytest.raises(SeriesRefused, match="Line 2, “Mevel ; Roland ; douze”, has no number"):
        split_list("Nom;Prénom;Points\nMevel;Roland;douze\nArzel;Jean;3")


@pytest.mark.parametrize(("signed", "figure"), [(True, -52), (False, 52)])
def test_dash_with_a_blank_is_a_minus_sign_among_marks(signed, figure):
    assert split_list("FLOCH Ginette – 52", signed=signed).figures == {1: Decimal(figure)}


@pytest.mark.parametrize(("line", "read"), READ.items())
def test_number_at_the_end_of_a_line_is_read_as_it_is_written(line, read):
    name, figure = read
    read = split_list(line)
    assert ([row.text for row in read.names.rows], read.figures) == ([name], {1: Decimal(figure)})


def test_rank_of_a_line_may_be_an_ordinal_and_points_may_not():
    assert split_list("ADA Zoé 1er\nBOB Zoé 2e", "rank").figures == {1: Decimal(1), 2: Decimal(2)}
    with pytest.raises(SeriesRefused, match="series_list_figure"):
        split_list("ADA Zoé 1er")


@pytest.mark.parametrize("line", ["ADA,Zoé,12,5", "ADA Zoé 12,345", "ADA Zoé 3  000", "ADA;Zoé;4123,250", "ADA 12 ,5"])
def test_number_that_can_be_read_in_two_ways_is_refused(line):
    with pytest.raises(SeriesRefused, match="series_list_ambiguous"):
        split_list(line)


@pytest.mark.parametrize("line", ["ADA Zoé 12.345", "ADA Zoé 1'000", "ADA Zoé 25 kg", "ADA Zoé", "12"])
def test_line_without_a_number_that_can_be_read_is_refused(line):
    with pytest.raises(SeriesRefused, match="series_list_figure"):
        split_list(line)


@pytest.mark.parametrize("piece", ["1 234 ", "123 ", "1,", " ", ";,", "a ", "-1 ", "\u2009", "0"])
def test_line_of_three_hundred_letters_is_read_in_no_time(piece):
    start = process_time()
    for line in ((piece * 300)[:299] + "x", (piece * 300)[:300]):
        with suppress(SeriesRefused):
            split_list(line)
    assert process_time() - start < 0.05


def test_each_number_stands_beside_the_name_before_anything_is_saved(ask):
    told = words(ask("ADA Zoé 12,5\nBOB Zoé 3 000"))
    assert "ADA Zoé → 12.5" in told
    assert "BOB Zoé → 3000" in told
    assert SeriesEvent.objects.count() == 0
    ask("ADA Zoé 12,5\nBOB Zoé 3 000", {})
    rows = SeriesListRow.objects.order_by("pk").values_list("player__last_name", "points")
    assert list(rows) == [("Ada", Decimal("12.5")), ("Bob", Decimal(3000))]


def test_points_are_not_negative(ask):
    assert "-5 is not possible" in words(ask("ADA Zoé -5", {}))
    assert SeriesEvent.objects.count() == 0


def test_list_that_is_typed_again_replaces_the_lines_of_its_event(club, director, series, people):
    given = ListGiven(title="Open", day=FIRST, source="feuille", figures="points", rows=rows_of(people[0], 9))
    told = {"series_id": series.pk, "by": director, "now": timezone.now()}
    event = type_list(given=given, **told).event
    again = replace(given, title="Open de mai", rows=rows_of(people[0], 8), event=event.pk)
    assert type_list(given=again, **told).event == event
    assert SeriesEvent.objects.get().title == "Open de mai"


def rows_of(player, points):
    return [(1, MatchedLine(RosterLine(player.last_name, player.first_name), player.pk), Decimal(points))]
