"""The computation of standings from rows: exact, never stale, few queries, equal to an independent computation."""

from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play, restore_play
from evenings.standings import computing
from evenings.standings.computing import sessions_with_stale_standings
from jobs import demo
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from scoring.contract import Contract, DealResult
from scoring.ranking import Line
from tests import shared_evenings
from tests.evenings.standings import independent_standings
from tests.factories import enter, garde, make_tournament, published_session, started_session
from tournaments.models import Session, SessionStandings
from tournaments.rules.entry import AllPassed, Facts, Fiche

pytestmark = pytest.mark.django_db
FFT = {56: "75", 62: "100", -56: "0", -52: "25", 50: "50"}


session = shared_evenings.started


def plays_of_first_etui(session):
    return list(session.plays.filter(etui__number=1).select_related("etui").order_by("position"))


def test_five_table_topage_of_the_federation(session, director):
    plays = plays_of_first_etui(session)
    for play, score in zip(plays, FFT, strict=True):
        enter(play, Fiche(Line(play.etui.taker), score), by=director)
    computed, taker = computing.compute(session.pk).data["plays"], plays[0].etui.taker
    assert [computed[str(play.pk)]["notes"][taker] for play in plays] == list(FFT.values())
    for defender in set("NESW") - {taker}:
        notes = [computed[str(play.pk)]["notes"][defender] for play in plays]
        assert notes == [str(100 - int(note)) for note in FFT.values()]


def test_missing_and_annulled_plays_leave_the_topage(session, director):
    plays = plays_of_first_etui(session)
    for play, score in zip(plays[:4], (10, 20, 30, 40), strict=True):
        enter(play, Fiche(Line(play.etui.taker), score), by=director)
    annul_play(play_id=plays[0].pk, reason="étui altéré", by=director, now=timezone.now())
    data = computing.compute(session.pk).data
    assert [data["plays"][str(play.pk)]["state"] for play in plays] == ["annulled", *["scored"] * 3, "missing"]
    notes = [data["plays"][str(play.pk)]["notes"] for play in plays]
    assert [note and note[plays[0].etui.taker] for note in notes] == [None, "0", "50", "100", None]
    assert data["counts"] == {"scored": 3, "missing": 21, "annulled": 1, "not_played": 0}


def test_restored_play_counts_again(session, director):
    play = plays_of_first_etui(session)[0]
    enter(play, by=director)
    annul_play(play_id=play.pk, reason="étui altéré", by=director, now=timezone.now())
    restore_play(play_id=play.pk, reason="vérifié", by=director, now=timezone.now())
    assert computing.compute(session.pk).data["plays"][str(play.pk)]["state"] == "scored"


@pytest.mark.nightly("story")
def test_free_auction_compares_each_seat_with_the_same_seat(director):
    session = started_session(make_tournament(director.memberships.get().club, auction="free", name="Libre"))
    north_takes, east_takes, all_pass = plays_of_first_etui(session)[:3]
    result = DealResult(4, Contract.GARDE, 2, 98)
    enter(north_takes, Facts(Line.N, result), by=director)
    enter(east_takes, Facts(Line.E, result), by=director)
    enter(all_pass, AllPassed(), by=director)
    notes = computing.compute(session.pk).data["plays"]
    # The marks: +198 −66 −66 −66, then −66 +198 −66 −66, then four times 0.
    assert notes[str(north_takes.pk)]["notes"] == {"N": "100", "E": "0", "S": "25", "W": "25"}
    assert notes[str(east_takes.pk)]["notes"] == {"N": "0", "E": "100", "S": "25", "W": "25"}
    assert notes[str(all_pass.pk)]["notes"] == {"N": "50", "E": "50", "S": "100", "W": "100"}


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("count", [1, 25])
def test_standings_take_four_queries_however_many_results(session, director, count, django_assert_num_queries):
    for play in session.plays.select_related("etui")[:count]:
        enter(play, by=director)
    with django_assert_num_queries(4):
        computing.compute(session.pk)


def test_refresh_keeps_standings_with_their_version(session, director):
    enter(session.plays.select_related("etui").first(), by=director)
    version = Session.objects.get(pk=session.pk).results_version
    assert computing.refresh(session.pk, now=timezone.now()) is True
    kept = SessionStandings.objects.get(pk=session.pk)
    assert (kept.results_version, kept.data) == (version, computing.compute(session.pk).figures)


def test_refresh_of_fresh_standings_does_nothing(session, django_assert_num_queries):
    computing.refresh(session.pk, now=timezone.now())
    with django_assert_num_queries(1):
        assert computing.refresh(session.pk, now=timezone.now()) is False


def test_sweep_finds_exactly_what_is_stale(session, director):
    computing.refresh(session.pk, now=timezone.now())
    assert sessions_with_stale_standings() == []
    enter(session.plays.select_related("etui").first(), by=director)
    assert sessions_with_stale_standings() == [session.pk]


def test_session_without_plays_has_no_standings():
    assert computing.compute(0) is None


@pytest.mark.nightly("story")
def test_order_in_which_results_come_in_does_not_matter(session, director):
    twin = started_session(session.tournament)
    plays, twins = (list(each.plays.select_related("etui")) for each in (session, twin))
    for play in plays:
        enter(play, garde(play.etui.taker, points=30 + play.pk % 25), by=director)
    for play, other in reversed(list(zip(plays, twins, strict=True))):
        enter(other, garde(other.etui.taker, points=30 + play.pk % 25), by=director)
    figures = [
        sorted(
            (p["line"], p["overall"], p["rank_general"], p["rank_alterne"])
            for p in computing.compute(each.pk).data["players"]
        )
        for each in (session, twin)
    ]
    assert figures[0] == figures[1]


def evening(session):
    publication = session.publications.first()
    return read_report(publication.data)


def agrees(report):
    independent = independent_standings.standings(results_csv(report))
    published = {
        player.name: (
            player.line,
            player.attack,
            player.defence,
            player.overall,
            player.rank_general,
            player.rank_alterne,
        )
        for player in report.players
    }
    return independent, published


@pytest.mark.nightly("statistics")
def test_evening_of_28_players_agrees_with_an_independent_computation():
    publication = demo.play_evening(now=timezone.now())
    independent, published = agrees(read_report(publication.data))
    assert len(published) == 28
    assert independent == published
    assert all(isinstance(figure, Fraction) for row in published.values() for figure in row[1:4])


def test_evening_with_fiches_agrees_with_an_independent_computation():
    independent, published = agrees(evening(published_session()))
    assert independent == published
