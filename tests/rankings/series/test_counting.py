"""The standings of a series from rows: each way of counting by hand, and which events bring something."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction as F

import pytest
from django.utils import timezone

from rankings.events.publishing import TOURNAMENTS
from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series, find_stale_series, refresh_series
from rankings.series.results import read_tournament
from rankings.series.setup import EventDecision, SeriesRefused, decide_events
from scoring.series import EventResult, HeldEvent, PointRules, PointScale, SeriesRules, value_event
from tests.factories import make_club
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, publish_rows, thursdays
from tournaments.models import Series, SeriesStandings, Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
WEEK = dt.timedelta(weeks=1)


club = season.club
director = season.director
people = season.people


def totals(series):
    """Return family name, total and rank of everybody."""
    series = Series.objects.get(pk=series.pk)
    data = figure_series(series, choose_events(series))
    names = dict(series.club.players.values_list("pk", "last_name"))
    return [(names[row["player"]], F(row["total"]), row["rank"]) for row in data["players"]]


def test_sum_of_the_percentages_of_three_evenings(club, director, people):
    ada, bob, cyr, _dan = people
    evenings = thursdays(club)
    hold(evenings, FIRST, {ada: 60, bob: 50, cyr: 40})
    hold(evenings, FIRST + WEEK, {bob: 61, ada: 52})
    hold(evenings, FIRST + 2 * WEEK, {cyr: "55.5", bob: 40})
    # ada 60 + 52; bob 50 + 61 + 40; cyr 40 + 55.5
    assert totals(make_series(club, director)) == [("Bob", 151, 1), ("Ada", 112, 2), ("Cyr", F(191, 2), 3)]


def test_mean_with_a_least_number_of_evenings(club, director, people):
    ada, bob, cyr, _dan = people
    evenings = thursdays(club)
    hold(evenings, FIRST, {ada: 60, bob: 50})
    hold(evenings, FIRST + WEEK, {ada: 50, cyr: 49})
    # ada (60 + 50) / 2; the others came once
    series = make_series(club, director, counting="mean", least=2)
    assert totals(series) == [("Ada", 55, 1), ("Bob", 50, None), ("Cyr", 49, None)]


def test_best_two_of_three_by_the_table_of_the_club_with_presence(club, director, people):
    ada, bob, cyr, dan = people
    evenings = thursdays(club)
    for week, order in enumerate([(ada, bob, cyr), (bob, ada, dan), (ada, cyr, bob)]):
        hold(evenings, FIRST + week * WEEK, dict(zip(order, (60, 50, 40), strict=True)))
    series = make_series(club, director, brings="table", table=(F(10), F(6)), presence=F(1), best_of=2)
    # ada 11, 7, 11 → 22; bob 7, 11, 1 → 18; cyr 1, 7 → 8; dan 1
    assert totals(series) == [("Ada", 22, 1), ("Bob", 18, 2), ("Cyr", 8, 3), ("Dan", 1, 4)]


def test_points_by_place_are_shared_by_equals(club, director, people):
    ada, bob, cyr, dan = people
    hold(thursdays(club), FIRST, {ada: 60, bob: 55, cyr: 55, dan: 40}, ranks=[1, 2, 2, 4])
    # four players: 4, then the mean of 3 and 2 for both, then 1
    assert totals(make_series(club, director, brings="places")) == [
        ("Ada", 4, 1),
        ("Bob", F(5, 2), 2),
        ("Cyr", F(5, 2), 2),
        ("Dan", 1, 4),
    ]


def test_points_from_hundred_and_a_player_without_a_rank(club, director, people):
    ada, bob, cyr, dan = people
    hold(thursdays(club), FIRST, {ada: 60, bob: 50, cyr: 40, dan: None})
    # three ranked: 100, 50, 0; the filler gets nothing
    series = make_series(club, director, brings="hundred")
    assert totals(series) == [("Ada", 100, 1), ("Bob", 50, 2), ("Cyr", 0, 3), ("Dan", 0, 3)]


def test_coefficient_and_final_with_half_carried_over(club, director, people):
    ada, bob, cyr, _dan = people
    evenings = thursdays(club)
    first = hold(evenings, FIRST, {ada: 60, bob: 50, cyr: 40})
    final = hold(evenings, FIRST + WEEK, {bob: 55, ada: 50})
    series = make_series(club, director, carry_over=50)
    told = {
        f"s{first.pk}": EventDecision(counts=True, coefficient=Decimal(2), stage="qualifying"),
        f"s{final.pk}": EventDecision(counts=True, stage="final"),
    }
    assert decide_events(series_id=series.pk, decisions=told, by=director, now=timezone.now()) == 2
    # final: ada 50 + 60, bob 55 + 50, half of a double evening each; cyr has 40 · 2
    assert totals(series) == [("Ada", 110, 1), ("Bob", 105, 2), ("Cyr", 80, 3)]


def test_two_events_of_a_day_both_count_unless_the_best_of_the_day_does(club, director, people):
    ada, bob, *_others = people
    hold(thursdays(club), FIRST, {ada: 60, bob: 50})
    hold(thursdays(club, "Vendredis"), FIRST, {bob: 55, ada: 45})
    assert totals(make_series(club, director)) == [("Ada", 105, 1), ("Bob", 105, 1)]
    assert totals(make_series(club, director, best_of_day=True)) == [("Ada", 60, 1), ("Bob", 55, 2)]


def test_new_members_are_those_of_whom_nothing_was_published_before(club, director, people):
    ada, bob, *_others = people
    evenings = thursdays(club)
    hold(evenings, FIRST - WEEK, {ada: 60})
    hold(evenings, FIRST, {ada: 60, bob: 50})
    series = make_series(club, director)
    data = figure_series(series, choose_events(series))
    assert {row["player"]: row["new"] for row in data["players"]} == {ada.pk: False, bob.pk: True}


def test_evening_put_away_hidden_withdrawn_or_outside_the_days_brings_nothing(club, director, people):
    ada, bob, *_others = people
    evenings = thursdays(club)
    counted = hold(evenings, FIRST, {ada: 60})
    away, hidden, withdrawn = (hold(evenings, FIRST + week * WEEK, {bob: 70}) for week in (1, 2, 3))
    hold(evenings, FIRST - WEEK, {bob: 80})
    Session.objects.filter(pk=away.pk).update(put_away_at=timezone.now())
    Session.objects.filter(pk=hidden.pk).update(shows_ranking=False)
    publish_rows(withdrawn, {bob: 70}, status="withdrawn", reason="erreur")
    series = make_series(club, director)
    assert totals(series) == [("Ada", 60, 1)]
    assert {event.key for event in choose_events(series) if event.counts} >= {f"s{counted.pk}"}


@pytest.mark.nightly("story")
def test_corrections_and_corrections_back_change_nothing(club, director, people):
    ada, bob, *_others = people
    evenings = thursdays(club)
    first = hold(evenings, FIRST, {ada: 60, bob: 50})
    series = make_series(club, director)
    refresh_series(series.pk, now=timezone.now())
    kept = SeriesStandings.objects.get(pk=series.pk).data
    publish_rows(first, {bob: 65, ada: 45})
    assert find_stale_series() == [series.pk]
    assert refresh_series(series.pk, now=timezone.now())
    assert SeriesStandings.objects.get(pk=series.pk).data != kept
    publish_rows(first, {ada: 60, bob: 50})
    assert refresh_series(series.pk, now=timezone.now())
    assert SeriesStandings.objects.get(pk=series.pk).data == kept
    assert find_stale_series() == []
    assert not refresh_series(series.pk, now=timezone.now())


def test_whole_tournament_brings_its_mean_and_its_sessions_are_not_counted_twice(club, director, people):
    ada, bob, cyr, _dan = people
    event = thursdays(club, "Tournoi de la Toussaint")
    hold(event, FIRST, {ada: 60, bob: 50})
    second = hold(event, FIRST + WEEK, {bob: 64, ada: 50, cyr: 30})
    TOURNAMENTS.publish(event.pk, DirectorWord(director, timezone.now()))
    hold(thursdays(club, "Seule séance"), FIRST + 2 * WEEK, {cyr: 58})
    series = make_series(club, director, chooses="tournaments")
    # means: ada 55, bob 57, cyr 30; the tournament of one session brings cyr 58
    assert totals(series) == [("Cyr", 88, 1), ("Bob", 57, 2), ("Ada", 55, 3)]
    places = make_series(club, director, chooses="tournaments", brings="places")
    assert totals(places)[0][:2] == ("Bob", 3)
    Session.objects.filter(pk=second.pk).update(shows_ranking=False)
    assert totals(series) == [("Cyr", 58, 1)]


def test_step_of_a_tournament_queues_the_series_of_its_club(club, director, people, monkeypatch):
    queued = []
    monkeypatch.setattr("rankings.events.publishing.queue_series", queued.append)
    event = thursdays(club, "Tournoi de la Toussaint")
    for week in range(2):
        hold(event, FIRST + week * WEEK, {people[0]: 60})
    series = make_series(club, director, chooses="tournaments")
    make_series(make_club("ailleurs"), director)
    TOURNAMENTS.publish(event.pk, DirectorWord(director, timezone.now()))
    assert queued == [series.pk]
    TOURNAMENTS.withdraw(event.pk, word=DirectorWord(director, timezone.now(), "erreur"))
    assert queued == [series.pk] * 2


def test_event_chosen_by_hand_counts_although_the_rule_leaves_it_out(club, director, people):
    ada, *_others = people
    evenings = thursdays(club)
    first, _second = hold(evenings, FIRST, {ada: 60}), hold(evenings, FIRST + WEEK, {ada: 50})
    series = make_series(club, director, chooses="hand")
    assert totals(series) == []
    told = {f"s{first.pk}": EventDecision(counts=True)}
    decide_events(series_id=series.pk, decisions=told, by=director, now=timezone.now())
    assert totals(series) == [("Ada", 60, 1)]
    with pytest.raises(SeriesRefused, match="series_event_unknown"):
        decide_events(
            series_id=series.pk, decisions={"s0": EventDecision(counts=True)}, by=director, now=timezone.now()
        )


def test_general_rank_counts_if_the_series_says_so(club, director, people):
    ada, bob, *_others = people
    evening = hold(thursdays(club), FIRST, {ada: 60, bob: 50})
    publication = evening.publications.get()
    for row, alterne in zip(publication.data["players"], (2, 1), strict=True):
        row["rank_alterne"] = alterne
    publication.save()
    assert totals(make_series(club, director, brings="hundred"))[0][0] == "Bob"
    assert totals(make_series(club, director, brings="hundred", ranks="general"))[0][0] == "Ada"


def test_tournament_chosen_by_hand_replaces_its_sessions(club, director, people):
    ada, bob, *_others = people
    event = thursdays(club, "Tournoi de la Toussaint")
    hold(event, FIRST, {ada: 60, bob: 50})
    hold(event, FIRST + WEEK, {bob: 64, ada: 50})
    TOURNAMENTS.publish(event.pk, DirectorWord(director, timezone.now()))
    series = make_series(club, director)
    assert totals(series) == [("Bob", 114, 1), ("Ada", 110, 2)]
    told = {f"t{event.pk}": EventDecision(counts=True)}
    decide_events(series_id=series.pk, decisions=told, by=director, now=timezone.now())
    assert totals(series) == [("Bob", 57, 1), ("Ada", 55, 2)]


def test_whoever_was_ranked_in_no_session_has_points_for_presence():
    """Count players 1 and 2, who played. Player 3 is listed without a session, as after a session was put away."""
    ranked, unranked = ({"session": 1, "overall": "60", "counts": counts} for counts in (True, False))
    rows = [
        {"player": 1, "rank": 1, "total": "60", "results": [ranked]},
        {"player": 2, "rank": None, "total": None, "results": [unranked | {"unranked": "filler"}]},
        {"player": 3, "rank": None, "total": None, "results": [None]},
    ]
    results = read_tournament(rows, None)
    assert results == {1: EventResult(F(60), 1), 2: EventResult(None, None)}
    rules = SeriesRules(PointRules(PointScale.PLACES, presence=F(2)))
    assert value_event(HeldEvent(FIRST, results), rules) == {1: 3, 2: 2}
    assert value_event(HeldEvent(FIRST, results), SeriesRules()) == {1: 60}
