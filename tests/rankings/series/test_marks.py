"""The evenings of donnes libres in a championship: by their ranks or marks, and never beside percentages."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.matching import MatchedLine
from clubs.models import Player
from clubs.roster import RosterLine
from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series, refresh_series
from rankings.series.lists import ListGiven, type_list
from rankings.series.setup import EventDecision, SeriesGiven, SeriesRefused, change_series, decide_events
from scoring.formats import Unit
from scoring.series import PointRules, PointScale, give_points
from tests.factories import DATE
from tests.free_tournaments import play_two_evenings
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.series.seasons import FIRST, LAST, hold, make_series, name_players, thursdays
from tournaments.rules.series import SeriesSettings
from tournaments.words.figures import show_marks

OTHERS = ("Ada", "Bob", "Cyr", "Dan")
pytestmark = pytest.mark.django_db


@pytest.fixture
def evenings():
    """Return two evenings of donnes libres, their director and their sums; and an evening with étuis, by the club."""
    tournament, by, sums = play_two_evenings()
    club = tournament.club
    hold(thursdays(club), DATE, dict(zip(name_players(club, *OTHERS), (60, 55, 50, 40), strict=True)))
    return tournament, by, sums


def totals(series):
    data = figure_series(series, choose_events(series))
    return {row["player"]: (row["rank"], row["total"]) for row in data["players"]}


def rank_of(sums):
    return {who: 1 + sum(other > mine for other in sums.values()) for who, mine in sums.items()}


def test_ranks_of_both_kinds_of_evenings_give_points(evenings):
    tournament, by, sums = evenings
    series = make_series(tournament.club, by, brings="places")
    assert [event.counts for event in choose_events(series) if event.kind == "session"] == [True] * 3
    found = totals(series)
    rules = PointRules(PointScale.PLACES)
    points = [give_points(rank_of(each), rules) for each in sums]
    players = points[0].keys() | points[1].keys()
    assert len(found) == len(players) + len(OTHERS)
    assert {who: found[who][1] for who in players} == {
        who: str(sum(each.get(who, 0) for each in points)) for who in players
    }


def test_percentages_leave_marks_out_and_the_pages_say_why(evenings):
    tournament, by, _sums = evenings
    series = make_series(tournament.club, by)
    refresh_series(series.pk, now=timezone.now())
    events = [event for event in choose_events(series) if event.kind == "session"]
    assert [event.counts for event in events if event.unit is Unit.MARKS] == [False, False]
    assert [event.counts for event in events if event.unit is not Unit.MARKS] == [True]
    page = browser_of(by).get(reverse("series_events", args=[tournament.club.slug, series.slug])).content.decode()
    assert page.count("left out: it has marks, and percentages count here.") == 3  # the tournament too
    page = browser_of().get(reverse("series", args=[tournament.club.slug, series.slug])).content.decode()
    assert "Evenings of donnes libres have marks. Percentages count here, so these evenings are left out." in page


def test_marks_add_up_exactly_and_leave_percentages_out(evenings):
    tournament, by, sums = evenings
    series = make_series(tournament.club, by, brings="marks")
    refresh_series(series.pk, now=timezone.now())
    whole = {who: sum((each.get(who, 0) for each in sums), Fraction()) for who in sums[0].keys() | sums[1].keys()}
    ranks = rank_of(whole)
    assert totals(series) == {who: (ranks[who], str(mine)) for who, mine in whole.items()}
    page = browser_of().get(reverse("series", args=[tournament.club.slug, series.slug])).content.decode()
    main = page.split("<main", 1)[1]
    assert show_marks(max(whole.values())) in main
    assert "Each event brings its marks. Only donnes libres count." in main
    assert "Evenings with étuis have percentages. Marks count here, so these evenings are left out." in main
    assert "%" not in main


def test_whole_tournament_brings_its_marks(evenings):
    tournament, by, sums = evenings
    series = make_series(tournament.club, by, brings="marks", chooses="tournaments")
    whole = {who: sum((each.get(who, 0) for each in sums), Fraction()) for who in sums[0].keys() | sums[1].keys()}
    found = {who: Fraction(total) for who, (_rank, total) in totals(series).items()}
    assert found == whole


def test_pages_of_a_player_have_marks_and_no_outlook(evenings):
    tournament, by, sums = evenings
    series = make_series(tournament.club, by, brings="marks")
    refresh_series(series.pk, now=timezone.now())
    (late,) = sums[1].keys() - sums[0].keys()
    page = browser_of().get(reverse("series_player", args=[tournament.club.slug, series.slug, late])).content.decode()
    main = page.split("<main", 1)[1]
    assert show_marks(sums[1][late]) in main
    assert "What is still possible" not in main
    assert "%" not in main


@pytest.mark.parametrize(
    ("brings", "in_marks", "code"),
    [("percent", True, "series_marks_beside_percent"), ("marks", False, "series_percent_beside_marks")],
)
def test_director_cannot_count_an_evening_with_other_figures(evenings, brings, in_marks, code):
    tournament, by, _sums = evenings
    series = make_series(tournament.club, by, brings=brings)
    event = next(each for each in choose_events(series) if (each.unit is Unit.MARKS) == in_marks)
    with pytest.raises(SeriesRefused) as refused:
        decide_events(series_id=series.pk, decisions={event.key: EventDecision(counts=True)}, by=by, now=timezone.now())
    assert refused.value.code == code


@pytest.mark.parametrize(("brings", "format"), [("percent", "donnes_libres"), ("marks", "individual")])
def test_rules_refuse_a_format_with_other_figures(evenings, brings, format):
    tournament, by, _sums = evenings
    with pytest.raises(SeriesRefused) as refused:
        make_series(tournament.club, by, brings=brings, format=format)
    assert refused.value.field == "format"


def test_percentage_of_a_ranking_by_points_is_none_for_marks(evenings):
    tournament, by, sums = evenings
    series = make_series(tournament.club, by, brings="hundred")
    data = figure_series(series, choose_events(series))
    results = [result for row in data["players"] for result in row["results"] if result]
    told = [(result["percentage"] is None, "marks" in result) for result in results]
    assert told.count((True, True)) == sum(map(len, sums))
    assert told.count((False, False)) == len(OTHERS)


def test_missed_evening_is_0_among_the_best_of_marks():
    assert SeriesSettings(brings="marks", best_of=2).counted.tournament.missed_is_zero
    assert not SeriesSettings(brings="marks", counting="mean").counted.tournament.missed_is_zero
    assert not SeriesSettings().counted.tournament.missed_is_zero


def type_figures(series, by, figures, rows):
    lines = [MatchedLine(RosterLine(each.last_name, each.first_name), each.pk) for each, _told in rows]
    known = [(place, line, Decimal(told)) for place, (line, (_each, told)) in enumerate(zip(lines, rows, strict=True))]
    given = ListGiven(title="Open", day=DATE, source="feuille", figures=figures, rows=known)
    return type_list(series_id=series.pk, given=given, by=by, now=timezone.now())


def test_series_of_marks_adds_typed_marks_and_negative_ones(evenings):
    tournament, by, sums = evenings
    series = make_series(tournament.club, by, brings="marks")
    both = {pk: sum((evening.get(pk, 0) for evening in sums), Fraction()) for pk in {*sums[0], *sums[1]}}
    best = max(both, key=both.__getitem__)
    player, (other,) = Player.objects.get(pk=best), name_players(tournament.club, "Eve")
    type_figures(series, by, "points", [(player, "-1500.5"), (other, 80)])
    found = {pk: Fraction(total) for pk, (_rank, total) in totals(series).items()}
    assert found == both | {best: both[best] - Fraction("1500.5"), other.pk: Fraction(80)}


def test_series_of_marks_takes_no_typed_ranks_and_others_no_negative_points(evenings):
    tournament, by, _sums = evenings
    (eve,) = name_players(tournament.club, "Eve")
    series = make_series(tournament.club, by, brings="marks")
    with pytest.raises(SeriesRefused, match="series_list_of_ranks"):
        type_figures(series, by, "rank", [(eve, 1)])
    places = make_series(tournament.club, by, title="Places", brings="places")
    with pytest.raises(SeriesRefused, match="series_list_number"):
        type_figures(places, by, "points", [(eve, -1)])


@pytest.mark.parametrize(("brings", "other"), [("marks", "places"), ("places", "marks")])
def test_typed_marks_never_become_points_nor_points_marks(evenings, brings, other):
    """Refuse the change even if the list is left out: nobody could tell later which figures it has."""
    tournament, by, _sums = evenings
    series = make_series(tournament.club, by, brings=brings)
    typed = type_figures(series, by, "points", [(name_players(tournament.club, "Eve")[0], 12)])
    decide_events(
        series_id=series.pk, decisions={f"l{typed.event_id}": EventDecision(counts=False)}, by=by, now=timezone.now()
    )
    given = SeriesGiven(series.title, FIRST, LAST, SeriesSettings(brings=other))
    with pytest.raises(SeriesRefused, match="series_list_beside_marks"):
        change_series(series_id=series.pk, given=given, by=by, now=timezone.now())


def test_form_of_a_series_of_marks_shows_each_mark_with_its_sign(evenings):
    tournament, by, _sums = evenings
    series = make_series(tournament.club, by, brings="marks")
    address = reverse("series_type", args=[tournament.club.slug, series.slug])
    told = {
        "title": "Open",
        "day": DATE.isoformat(),
        "source": "feuille",
        "figures": "points",
        "text": "EVE Zoé -1 200",
    }
    page = words(browser_of(by).post(address, told))
    assert "EVE Zoé → −1200" in page
    assert "marks, added as they are" in page
