"""A tournament of several evenings of donnes libres adds up marks, on every page and in every file."""

from collections import Counter
from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.standings import computing
from rankings.events.counting import count_published, figure, refresh
from tests.factories import enter, make_director, publish
from tests.free_evenings import lay_out_games, make_free_tournament, plays_at
from tests.free_tournaments import play_two_evenings
from tournaments.models import Session, Tournament, TournamentStandings
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db


def totals(data):
    return {row["player"]: (row["rank"], row["total"]) for row in data["players"]}


def rank_sums(sums):
    return {who: (1 + sum(other > mine for other in sums.values()), str(mine)) for who, mine in sums.items()}


@pytest.fixture
def evenings():
    return play_two_evenings()


def test_total_is_the_sum_of_the_evenings(evenings):
    tournament, _by, sums = evenings
    whole = Counter()
    for each in sums:
        for who, mine in each.items():
            whole[who] += mine
    assert len(whole) == 13
    assert any(Fraction(mine).denominator > 1 for mine in whole.values())
    data = tournament.publications.get().data
    assert data["form"] == "donnes_libres"
    assert totals(data) == rank_sums(whole)
    assert TournamentStandings.objects.get(pk=tournament.pk).data == data


def test_who_misses_an_evening_keeps_the_marks_of_the_others(evenings):
    tournament, _by, sums = evenings
    rows = {row["player"]: row for row in tournament.publications.get().data["players"]}
    (late,) = sums[1].keys() - sums[0].keys()
    (gone,) = sums[0].keys() - sums[1].keys()
    assert (rows[late]["total"], rows[late]["results"][0]) == (str(sums[1][late]), None)
    assert (rows[gone]["total"], rows[gone]["results"][1]) == (str(sums[0][gone]), None)


def play_single_table(tournament, by, *scores):
    """Play one evening at one table of four: in each deal North takes."""
    session = lay_out_games([[[0, 1, 2, 3]]], tournament=tournament, deals=len(scores))
    for play, score in zip(plays_at(session), scores, strict=True):
        enter(play, Fiche("N", score), by=by)
    computing.refresh(session.pk, now=timezone.now())
    publish(session, by=by)
    return session


@pytest.mark.nightly("story")
def test_evening_with_one_table_counts():
    tournament = make_free_tournament()
    by = make_director(tournament.club)
    for score in (10, -30):
        play_single_table(tournament, by, score)
    refresh(tournament.pk, now=timezone.now())
    live = TournamentStandings.objects.get(pk=tournament.pk).data
    assert [(row["rank"], row["total"]) for row in live["players"]] == [(1, "20"), (1, "20"), (1, "20"), (4, "-60")]
    assert figure(tournament, count_published(tournament)) == live


@pytest.mark.nightly("story")
def test_coefficient_and_share_before_the_final_multiply_marks():
    tournament = make_free_tournament()
    by = make_director(tournament.club)
    Tournament.objects.filter(pk=tournament.pk).update(carry_over=50)
    first, final = play_single_table(tournament, by, 10), play_single_table(tournament, by, -3)
    Session.objects.filter(pk=first.pk).update(coefficient="1.5")
    Session.objects.filter(pk=final.pk).update(stage=Session.Stage.FINAL)
    tournament.refresh_from_db()
    rows = totals(figure(tournament, count_published(tournament)))
    north = first.entrants.get(number=1).player_id
    assert rows[north] == (1, "27/2")  # 3 × 10 × 1.5 × ½ − 9
    assert {total for who, total in rows.items() if who != north} == {(2, "-9/2")}


@pytest.mark.nightly("story")
def test_best_evenings_may_include_a_missed_one():
    """Somebody who misses an evening has 0 for it, which is better than marks below 0."""
    tournament = make_free_tournament()
    by = make_director(tournament.club)
    Tournament.objects.filter(pk=tournament.pk).update(best_of=2)
    play_single_table(tournament, by, 10)
    play_single_table(tournament, by, -20)
    absent = lay_out_games([[[1, 2, 3, 4]]], tournament=tournament, deals=1)
    enter(plays_at(absent)[0], Fiche("N", -5), by=by)
    computing.refresh(absent.pk, now=timezone.now())
    publish(absent, by=by)
    tournament.refresh_from_db()
    rows = {row["player"]: row for row in figure(tournament, count_published(tournament))["players"]}
    north = Session.objects.get(pk=absent.pk).entrants.get(number=1).player_id
    assert rows[north]["total"] == "30"
    assert [result and result["counts"] for result in rows[north]["results"]] == [True, False, None]
