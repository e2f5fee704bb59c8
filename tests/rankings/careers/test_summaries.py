"""The stored sums of a player's seasons: they equal the sum of the rows, and stale ones do not count."""

import datetime as dt
from fractions import Fraction

import pytest

from rankings.careers.figures import Totals, Where, figure_of, weigh_deals
from rankings.careers.keeping import refresh
from rankings.careers.rows import find_ranks, make_rows
from rankings.careers.seasons import first_day_of, season_of
from rankings.careers.summaries import (
    ALL_SEASONS,
    CareerSummary,
    SummaryKey,
    SummarySource,
    find_made,
    find_wholes,
    read_rows,
    renew,
    summarise_careers,
)
from scoring.intervals import Sample
from tests.rankings.careers.world import played, players_of, repeat
from tournaments.models import Appearance, CareerBasis, CareerSeason
from tournaments.reports.session import decode_report

pytestmark = pytest.mark.django_db


@pytest.fixture
def zoe():
    session = played()
    player = players_of(session)[0]
    repeat(session, 60, player)
    return player


def summary_of(rows):
    whole = CareerSummary()
    for row in rows:
        whole.add_row(row)
    return whole


def told(summary):
    """Return all figures that a page shows of the summary."""
    totals = summary.totals
    figures = (totals.overall, totals.attack, totals.defence, totals.interval, totals.heights)
    cells = [(key, cell.made, cell.attack.figure, cell.defence.figure) for key, cell in totals.by_bouts]
    mates = {who: (mate.deals, mate.together.figure, mate.against.figure) for who, mate in totals.mates.items()}
    return figures, cells, mates, summary.months, summary.stood_in, summary.imposed


def test_seasons_kept_are_what_the_rows_add_up_to(zoe):
    made = find_made([zoe.pk])
    assert len(made) >= 2
    assert sum(each.rows for each in made.values()) == 61
    assert {
        SummaryKey(each.player, each.season): SummarySource(each.rows, each.newest)
        for each in CareerSeason.objects.filter(player=zoe.pk)
    } == made | find_wholes(made)
    every = told(summary_of(read_rows(made)))
    assert told(summarise_careers(made)) == every


@pytest.mark.parametrize("wrong", [{"rows": 7}, {"newest": 1}])
def test_sum_of_all_seasons_is_read_alone_and_only_if_it_is_current(zoe, wrong, django_assert_num_queries):
    made = find_made([zoe.pk])
    every = told(summary_of(read_rows(made)))
    with django_assert_num_queries(1):
        summarise_careers(made)
    CareerSeason.objects.filter(season=ALL_SEASONS).update(data={}, **wrong)
    with django_assert_num_queries(2):
        assert told(summarise_careers(made)) == every
    renew([zoe.pk])
    with django_assert_num_queries(1):
        assert told(summarise_careers(made)) == every


def test_sum_of_all_seasons_goes_with_the_second_season(zoe):
    last = max(key.season for key in find_made([zoe.pk]))
    Appearance.objects.filter(player=zoe.pk).exclude(season=last).delete()
    renew([zoe.pk])
    assert [each.season for each in CareerSeason.objects.filter(player=zoe.pk)] == [last]


@pytest.mark.nightly("story")
def test_what_is_out_of_date_is_added_up_by_whoever_reads(zoe):
    made = find_made([zoe.pk])
    before = told(summarise_careers(made))
    CareerSeason.objects.filter(player=zoe.pk).update(rows=7)
    assert told(summarise_careers(made)) == before
    CareerSeason.objects.all().delete()
    assert told(summarise_careers(made)) == before
    renew([zoe.pk])
    assert told(summarise_careers(made)) == before
    assert CareerSeason.objects.filter(player=zoe.pk).count() == len(made) + 1


def test_season_whose_rows_are_gone_is_gone(zoe):
    Appearance.objects.filter(player=zoe.pk).delete()
    renew([zoe.pk])
    assert not CareerSeason.objects.filter(player=zoe.pk).exists()


@pytest.mark.nightly("story")
def test_job_renews_the_seasons_of_those_who_played(zoe):
    CareerBasis.objects.all().delete()
    CareerSeason.objects.all().delete()
    refresh(Appearance.objects.order_by("pk").first().session_id)
    assert CareerSeason.objects.values("player").distinct().count() == 20


@pytest.mark.parametrize(
    ("date", "season"),
    [(dt.date(2026, 9, 1), 2026), (dt.date(2026, 8, 31), 2025), (dt.date(2027, 1, 1), 2026)],
)
def test_season_runs_from_september_to_august(date, season):
    assert season_of(date) == season
    assert first_day_of(season) <= date < first_day_of(season + 1)


def play(position, note, taker="N", **more):
    """Return a play of four seats with this note for the taker; each defender has 100 minus the note."""
    rest = str(100 - Fraction(note))
    notes = {line: note if line == taker else rest for line in "NESW"}
    facts = {"bouts": 2, "contract": "garde", "made": True}
    seats = {"N": 1, "E": 2, "S": 3, "W": 4}
    about = {"id": position, "table": 1, "state": "scored", "position": position}
    about |= {"taker": taker, "base_score": 56, "notes": notes, "facts": facts, "part": 1}
    return about | {"seats": seats, "fixed": {}} | more


def report(*plays, auction="imposed", stand_ins=()):
    players = [
        {"id": pk, "player": 10 * pk, "stand_ins": list(stand_ins) if pk == 1 else [], "overall": "50"}
        | {"rank_alterne": pk, "rank_general": pk, "line": "NESW"[pk - 1], "number": 1}
        for pk in (1, 2, 3, 4)
    ]
    etuis = [{"number": number, "plays": [each]} for number, each in enumerate(plays, start=1)]
    return {"auction": auction, "session": 1, "date": "2026-11-20", "players": players, "etuis": etuis}


def rows_of(data):
    report = decode_report(data)
    return {row.player: row for row in make_rows(report, find_ranks(report, alone=True), in_detail=True)}


def test_plays_that_do_not_count_are_left_out():
    rows = rows_of(report(play(1, "80"), play(1, "10", notes=None, base_score=None, taker="N")))
    assert rows[10].deals == 1
    assert rows[10].figures["a"] == [1, 80, 6400]


def test_who_never_sat_down_has_no_row():
    data = report(play(1, "80"), play(2, "40"), stand_ins=[{"player": 77, "from": 1, "to": None}])
    assert set(rows_of(data)) == {77, 20, 30, 40}


def test_who_stands_in_for_some_positions_gives_the_seat_back():
    data = report(play(1, "80"), play(2, "40"), play(3, "60"), stand_ins=[{"player": 77, "from": 2, "to": 2}])
    rows = rows_of(data)
    assert (rows[10].deals, rows[77].deals) == (2, 1)
    assert rows[77].overall == "40"
    assert {mate[0] for mate in rows[20].figures["m"]} == {10, 77, 30, 40}


def test_free_auction_tells_contracts_and_weighs_all_notes_alike():
    row = rows_of(report(play(1, "80"), play(1, "30", taker="E"), auction="free"))[10]
    totals = Totals()
    totals.add(row.figures, is_free=True, where=Where(1, 1, "2026-11-20"))
    assert totals.overall.mean == (80 + 70) / Fraction(2)
    assert [key for key, _cell in totals.by_contract] == ["garde"]


def test_global_of_both_kinds_is_weighed_by_deals():
    """Weigh two imposed deals at 40 and 80 (¼ and ¾ of them make 70) and one deal of a free auction at 10."""
    none = dict.fromkeys("ado", Sample())
    imposed = none | {"a": Sample.of([Fraction(40)]), "d": Sample.of([Fraction(80)])}
    free = none | {"o": Sample.of([Fraction(10)])}
    assert figure_of(*weigh_deals(imposed, free)).mean == Fraction(2, 3) * 70 + Fraction(1, 3) * 10
    assert figure_of(*weigh_deals(imposed, none)).mean == 70
    assert figure_of(*weigh_deals(none, free)).mean == 10
    assert figure_of(*weigh_deals(none, none)) == (None, 0, None)
    assert figure_of(*weigh_deals(none | {"d": Sample.of([Fraction(80)])}, none)).mean == 80


def test_interval_is_told_below_thirty_deals():
    notes = [Fraction(number % 7 * 10) for number in range(30)]
    one = Fraction(1)
    assert figure_of((one, Sample.of(notes[:29]))).interval is not None
    assert figure_of((one, Sample.of(notes))).interval is None


def test_interval_of_every_note_there_is_is_not_told():
    assert figure_of((Fraction(1), Sample.of([Fraction(50), Fraction(100)]))) == (75, 2, None)
