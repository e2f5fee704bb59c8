"""A season of 40 evenings against an independent computation, and what must never change a ranking."""

import datetime as dt
import random
from fractions import Fraction as F

import pytest
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.accounts.players import tie, untie
from clubs.log import say_entry
from clubs.models import ClubLogEntry, Player
from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series, find_stale_series, refresh_series
from rankings.series.membership import agree_to_series, ask_club
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.report import read_palmares
from registration.people.merging import merge_players, undo_merge
from tests.factories import make_club, make_director, make_user
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tournaments.errors import ActionRefused
from tournaments.models import Series, SeriesStandings, Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
WEEK = dt.timedelta(weeks=1)

club = season.club
director = season.director
people = season.people


def figures_of(series):
    series = Series.objects.get(pk=series.pk)
    return figure_series(series, choose_events(series))


def rows_of(series):
    return {row["player"]: (F(row["total"]), row["rank"]) for row in figures_of(series)["players"]}


def draw_season(club, *, evenings=40, players=60):
    """Hold evenings with drawn percentages. Return what each evening brought, by player id."""
    chance = random.Random(40)
    everybody = name_players(club, *(f"Nom{number:02}" for number in range(players)))
    tournament, held = thursdays(club), []
    for week in range(evenings):
        there = chance.sample(everybody, 40)
        figures = sorted((F(chance.randrange(3000, 7000), 100) for _ in there), reverse=True)
        hold(tournament, FIRST + week * WEEK, dict(zip(there, figures, strict=True)))
        held.append({player.pk: figure for player, figure in zip(there, figures, strict=True)})
    return held


@pytest.mark.nightly("statistics")
def test_season_of_forty_evenings_equals_an_independent_computation(club, director):
    held = draw_season(club)
    series = make_series(club, director, best_of=10)
    mine = {}
    for evening in held:
        for player, figure in evening.items():
            mine.setdefault(player, []).append(figure)
    totals = {player: sum(sorted(figures)[-10:]) for player, figures in mine.items()}
    expected = {
        player: (total, 1 + sum(other > total for other in totals.values())) for player, total in totals.items()
    }
    assert rows_of(series) == expected
    refresh_series(series.pk, now=timezone.now())
    assert SeriesStandings.objects.get(pk=series.pk).data == figures_of(series)  # to the digit


@pytest.mark.nightly("statistics")
def test_points_by_place_of_a_season_equal_an_independent_computation(club, director):
    held = draw_season(club, evenings=12, players=50)
    series = make_series(club, director, brings="places")
    totals = {}
    for evening in held:
        for player, figure in evening.items():
            above = sum(other > figure for other in evening.values())
            equal = sum(other == figure for other in evening.values())
            # the evenings are ranked in the order of the draw, so that equal figures have different places
            place = [*evening].index(player)
            assert above <= place < above + equal
            totals[player] = totals.get(player, 0) + len(evening) - place
    assert {player: total for player, (total, _rank) in rows_of(series).items()} == totals


def test_order_in_which_evenings_are_published_changes_nothing(people, club, director):
    ada, bob, cyr, _dan = people
    results = [{ada: 60, bob: 50}, {bob: 61, cyr: 52}, {cyr: 70, ada: 40}]
    tables = []
    for turn, order in enumerate([(0, 1, 2), (2, 0, 1), (1, 2, 0)]):
        tournament = thursdays(club, f"Tour {turn}")
        for each in order:
            hold(tournament, FIRST + each * WEEK, results[each])
        tables.append(rows_of(make_series(club, director, title=f"Challenge {turn}")))
        Session.objects.filter(tournament=tournament).update(put_away_at=timezone.now())
    assert tables[0] == tables[1] == tables[2]
    assert len(tables[0]) == 3


def test_evening_counts_in_two_series(people, club, director):
    ada, bob, *_others = people
    hold(thursdays(club), FIRST, {ada: 60, bob: 50})
    one, other = make_series(club, director), make_series(club, director, brings="hundred")
    assert rows_of(one)[ada.pk] == (60, 1)
    assert rows_of(other)[ada.pk] == (100, 1)


@pytest.mark.nightly("story")
def test_merge_makes_one_player_and_undoing_it_two_again(people, club, director):
    ada, bob, cyr, dan = people
    tournament = thursdays(club)
    hold(tournament, FIRST, {ada: 60, bob: 50})
    hold(tournament, FIRST + WEEK, {dan: 55, cyr: 45})
    series = make_series(club, director)
    refresh_series(series.pk, now=timezone.now())
    before = rows_of(series)
    merge = merge_players(club=club, kept_id=ada.pk, gone_id=dan.pk, by=director, now=timezone.now())
    assert find_stale_series() == [series.pk]
    assert rows_of(series)[ada.pk] == (115, 1)
    assert dan.pk not in rows_of(series)
    undo_merge(club=club, merge_id=merge.pk, by=director, now=timezone.now())
    assert rows_of(series) == before


@pytest.mark.nightly("story")
def test_erased_champion_is_a_number_and_the_frozen_ranking_stays(people, club, director):
    ada, bob, *_others = people
    hold(thursdays(club), FIRST, {ada: 60, bob: 50})
    series = make_series(club, director)
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))
    SERIES_OF_CLUBS.make_official(series.pk, DirectorWord(director, timezone.now()))
    assert [each.name for each in read_palmares(club, timezone.now()).rows[0].champions] == ["Zoé Ada"]
    ada.refresh_from_db()
    erase(whom_of_player(ada), by=director, now=timezone.now())
    (champion,) = read_palmares(club, timezone.now()).rows[0].champions
    assert "Ada" not in champion.name
    assert str(ada.pk) in champion.name
    last = series.publications.first()
    assert SERIES_OF_CLUBS.find_due(series, last, timezone.now()) is None  # the figures are the same


def test_correction_after_the_end_needs_a_new_version_with_a_reason(people, club, director):
    ada, bob, *_others = people
    evening = hold(thursdays(club), FIRST, {ada: 60, bob: 50})
    series = make_series(club, director)
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))
    publish_rows(evening, {bob: 65, ada: 60})
    changes = SERIES_OF_CLUBS.find_due(series, series.publications.first(), timezone.now()).changes
    assert [change["code"] for change in changes] == ["ranks"]
    publish_rows(evening, {ada: 60, bob: 50})
    assert SERIES_OF_CLUBS.find_due(series, series.publications.first(), timezone.now()) is None  # corrected back


def test_ranking_takes_the_steps_of_every_ranking_and_the_club_logs_them(people, club, director):
    ada, *_others = people
    hold(thursdays(club), FIRST, {ada: 60})
    series = make_series(club, director)
    word = DirectorWord(director, timezone.now(), "relu")
    with pytest.raises(ActionRefused, match="nothing_published"):
        SERIES_OF_CLUBS.make_official(series.pk, word)
    SERIES_OF_CLUBS.publish(series.pk, word)
    steps = (SERIES_OF_CLUBS.make_official, SERIES_OF_CLUBS.reopen, SERIES_OF_CLUBS.withdraw)
    made = [step(series.pk, word).status for step in steps]
    assert made == ["official", "provisional", "withdrawn"]
    entries = ClubLogEntry.objects.filter(club=club, action__startswith="series_").order_by("pk")
    assert [entry.action for entry in entries] == [
        "series_made",
        "series_published_reason",
        "series_official",
        "series_reopened_reason",
        "series_withdrawn_reason",
    ]
    assert all("Challenge" in say_entry(entry) for entry in entries)


def test_window_that_is_over_makes_the_ranking_official(people, club, director):
    ada, *_others = people
    hold(thursdays(club), FIRST, {ada: 60})
    series = make_series(club, director)
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now() - dt.timedelta(days=3)))
    SERIES_OF_CLUBS.settle_all()
    assert [version.status for version in series.publications.all()] == ["official", "provisional"]


@pytest.mark.nightly("story")
def test_linked_players_of_two_clubs_are_one_person_until_they_are_parted(people, club, director):
    ada, *_others = people
    other = make_club("voisins", "Voisins")
    neighbour = make_director(other, "voisine")
    (twin,) = name_players(other, "Ada")
    hold(thursdays(club), FIRST, {ada: 60})
    hold(thursdays(other, "Lundis"), FIRST + WEEK, {twin: 50})
    series = make_series(club, director)
    row = ask_club(series_id=series.pk, slug=other.slug, by=director, now=timezone.now())
    agree_to_series(club=other, row_id=row.pk, by=neighbour, now=timezone.now())
    assert rows_of(series) == {ada.pk: (60, 1), twin.pk: (50, 2)}
    account = make_user("ada")
    for player, by in ((ada, director), (twin, neighbour)):
        tie(player, account, by=by, now=timezone.now())
    assert rows_of(series) == {ada.pk: (110, 1)}
    assert find_stale_series() == [series.pk]
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))
    untie(Player.objects.get(pk=twin.pk), by=neighbour, now=timezone.now())
    assert rows_of(series) == {ada.pk: (60, 1), twin.pk: (50, 2)}
    frozen = series.publications.first()
    assert [row["total"] for row in frozen.data["players"]] == ["110"]  # what was published stays
    assert SERIES_OF_CLUBS.find_due(series, frozen, timezone.now())
