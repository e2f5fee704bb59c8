"""The best étuis of a player, however many of them have the highest note."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from rankings.careers.figures import MOST_BEST, Totals, Where
from rankings.careers.reading import best_of
from rankings.careers.summaries import renew
from tests.pages.reading import words
from tests.rankings.careers.test_summaries import play, report, rows_of
from tests.rankings.careers.world import played, players_of, repeat
from tournaments.models import Appearance, CareerSeason


def etui_of(*scores, taker="N"):
    """Return an étui with these base scores. Players 1 to 4 sit in the first play, and others in each other play."""
    ordered = sorted(scores)
    plays = []
    for score in scores:
        note = 100 * sum((score > other) + (score == other) / 2 for other in ordered) - 50
        plays.append(play(1, str(note / (len(scores) - 1)), taker=taker, base_score=score))
    for number, each in enumerate(plays[1:]):
        each["seats"] = dict(zip("NESW", range(5 + 4 * number, 9 + 4 * number), strict=True))
    return plays


def row_of(*etuis, auction="imposed"):
    """Return the row of player 10, who sits North in the first play of each étui."""
    data = report(auction=auction)
    data["players"] = [
        {
            "id": pk,
            "player": 10 * pk,
            "line": "N",
            "number": pk,
            "overall": "50",
            "rank_alterne": pk,
            "rank_general": pk,
        }
        for pk in range(1, 41)
    ]
    data["etuis"] = [{"number": number, "plays": plays} for number, plays in enumerate(etuis, start=1)]
    return rows_of(data)[10]


def best_numbers(row):
    return [each[0] for each in row.figures["best"]]


def test_of_equal_notes_the_one_farthest_ahead_of_the_others_comes_first():
    row = row_of(etui_of(60, 50, 40), etui_of(90, -50, -60), etui_of(70, 50, 48))
    assert best_numbers(row) == [2, 3, 1]
    assert row.figures["best"] == [[2, 100, 3, "a", "145"], [3, 100, 3, "a", "21"], [1, 100, 3, "a", "15"]]


def test_a_note_among_more_plays_comes_before_one_among_few():
    row = row_of(etui_of(90, -90, -90), etui_of(60, 50, 40, 30))
    assert best_numbers(row) == [2, 1]


def test_defence_is_measured_by_what_the_taker_lost():
    row = row_of(etui_of(-60, 50, 60, taker="E"))
    assert row.figures["best"] == [[1, 100, 3, "d", "115"]]


def test_free_auction_is_measured_by_the_marks_of_the_seat():
    row = row_of(etui_of(60, 50, 40), auction="free")
    assert row.figures["best"] == [[1, 100, 3, "a", "45"]]


def test_play_without_a_score_of_its_own_stands_behind_the_others():
    fixed = etui_of(60, 50, 40)
    fixed[0] |= {"base_score": None, "taker": None, "notes": dict.fromkeys("NESW", "100")}
    row = row_of(fixed, [*etui_of(60, 50)])
    assert row.figures["best"] == [[2, 100, 2, "a", "10"], [1, 100, 2, "o", None]]


def test_lead_leaves_out_plays_that_are_not_compared():
    plays = etui_of(60, 50, 40)
    plays[1]["compared"] = False
    assert row_of(plays).figures["best"] == [[1, 100, 2, "a", "20"]]


def test_new_tops_take_no_place_from_better_ones_of_long_ago():
    row = row_of(*(etui_of(60 + 10 * number, 40, 30) for number in range(MOST_BEST)))
    weak = row_of(*(etui_of(42, 40, 30) for _ in range(MOST_BEST)))
    totals = Totals()
    totals.add(row.figures, is_free=False, where=Where(1, 1, "2019-09-10"))
    for number in range(2, 30):
        totals.add(weak.figures, is_free=False, where=Where(number, 1, f"2026-11-{number:02}"))
    kept = Totals()
    kept.add_kept(totals.to_data())
    for each in (totals, kept):
        assert [best.where.session for best in best_of(each)] == [1] * MOST_BEST


@pytest.mark.django_db
def test_page_lists_the_best_étuis_and_not_the_latest():
    session = played()
    zoe = players_of(session)[0]
    repeat(session, 40, zoe)
    old = Appearance.objects.filter(player=zoe.pk).earliest("date")
    old.figures |= {"best": [[7, 100 * old.figures["den"], 5, "a", "185/2"]]}
    old.save()
    renew_all(zoe)
    with_tops = Appearance.objects.filter(player=zoe.pk, date__gt=old.date)
    for row in with_tops:
        row.figures |= {"best": [[1, 100 * row.figures["den"], 5, "a", "3"]]}
    Appearance.objects.bulk_update(with_tops, ["figures"])
    renew_all(zoe)
    text = words(Client(headers={"accept-language": "en"}).get(reverse("player", args=[zoe.pk])))
    first = text.split("Best étuis")[1].split("Étui 1,")[0]
    assert "Étui 7" in first
    assert date_format(old.date) in first
    assert "93 points better than the median result" in first


def renew_all(player):
    CareerSeason.objects.filter(player=player.pk).delete()
    renew([player.pk])
