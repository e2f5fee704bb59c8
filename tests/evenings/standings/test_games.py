"""The criteria of equals: the best game and the contracts made, in an evening of two games of two deals."""

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play, correct_result, enter_result
from evenings.standings.computing import count_contracts, figure_session, find_best_games, rules_of
from scoring.contract import FFT
from scoring.formats import FREE_DEALS
from tests.factories import garde, make_director
from tests.free_evenings import lay_out_games, plays_at
from tournaments.rules.entry import Fiche


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    """Return an evening whose first deal is annulled. North made one of two contracts, and East lost one."""
    session = lay_out_games([[[0, 1, 2, 3]], [[0, 1, 2, 3]]], deals=2)
    said = {"by": make_director(session.tournament.club), "now": timezone.now()}
    plays = [play for game in (1, 2) for play in plays_at(session, game=game)]
    for play, entry in zip(plays, (GAME, garde("N", points=51), garde("N", points=31), LOST), strict=True):
        enter_result(play_id=play.pk, entry=entry, **said)
    annul_play(play_id=plays[0].pk, reason="x", **said)
    return session, plays[-1], said


GAME, LOST = garde("S", points=51), garde("E", points=31)  # ±70: by 10 points, as a garde


def correct(play, entry, said):
    correct_result(play_id=play.pk, entry=entry, seen_version=1, reason="x", **said)


def test_contracts_made_are_counted_in_the_results_that_stand(evening, db):
    session, last, said = evening
    n, e, s, w = map(last.seat_ids.get, "NESW")
    assert count_contracts(session.pk, [n, e, s, w], FFT) == {n: 1, e: 0, s: 0, w: 0}
    correct(last, garde("E", points=51), said)
    assert count_contracts(session.pk, [n, e, s, w], FFT) == {n: 1, e: 1, s: 0, w: 0}
    assert count_contracts(session.pk, [e, w], FFT) == {e: 1, w: 0}


def test_contracts_cannot_be_counted_if_only_the_marks_of_a_deal_are_known(evening, db):
    session, last, said = evening
    correct(last, Fiche("E", 60), said)
    assert count_contracts(session.pk, [*last.seat_ids.values()], FFT) == {}


def test_best_game_of_each_player_is_the_one_with_the_most_marks(evening, db):
    session, last, _said = evening
    n, e, s, w = map(last.seat_ids.get, "NESW")
    figures = figure_session(session.pk, rules_of("fft", FREE_DEALS.name))
    # North: 210, then −210 + 70. East: −70, then 70 − 210. South and West: −70, then 70 + 70.
    assert find_best_games(session.pk, figures, {n, e, s, w}) == {n: 210, e: -70, s: 140, w: 140}
    assert find_best_games(session.pk, figures, {e}) == {e: -70}
