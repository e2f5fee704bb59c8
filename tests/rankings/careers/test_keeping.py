"""The stored rows of players' careers: what they follow from, and that they equal rows computed from nothing."""

import datetime as dt
import json
from fractions import Fraction

import pytest
from django.core.management import call_command
from django.utils import timezone

from evenings.sessions.put_away import put_session_away, put_tournament_away
from jobs.tasks import sweep_publications
from rankings.careers.figures import Totals, Where
from rankings.careers.keeping import find_bases, find_stale, make, make_all_anew, read_kept, refresh
from rankings.publication.publishing import SESSIONS, switch_parts
from rankings.publication.report import read_report
from scoring.intervals import Sample
from tests.factories import enter_all, make_tournament, publish, published_session, started_session
from tournaments.models import Appearance, CareerBasis, CareerDuels, CareerSeason, Publication, Session
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = published_session(etuis_per_position=4)
    refresh(session.pk)
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


@pytest.fixture
def word(director):
    return DirectorWord(director, timezone.now(), "une erreur")


def totals_of(*rows):
    totals = Totals()
    for row in rows:
        totals.add(row.figures, is_free=row.is_free, where=Where(row.session_id, row.version, str(row.date)))
    return totals


def kept(session):
    return {row.player: row for row in Appearance.objects.filter(session=session)}


@pytest.mark.nightly("story")
def test_row_has_the_ranking_and_the_samples_of_the_report(session):
    rows, report = kept(session), read_report(session.publications.get().data)
    assert len(rows) == 20
    for player in report.players:
        row = rows[player.player]
        assert (row.rank, row.rank_general, row.ranked) == (player.rank_alterne, player.rank_general, 20)
        assert (Fraction(row.overall), row.deals) == (player.overall, player.deals)
        totals = totals_of(row)
        assert (totals.overall.mean, totals.attack.mean, totals.defence.mean) == (
            player.overall, player.attack, player.defence,
        )  # fmt: skip
        notes = [line.note for line in report.feuille(player.id)]
        assert totals.imposed["a"].sample + totals.imposed["d"].sample == Sample.of(notes)
        assert sum(totals.heights) == len(notes)


@pytest.mark.nightly("story")
def test_row_says_who_sat_there_as_partners_and_against_each_other(session):
    report = read_report(session.publications.get().data)
    player = report.players[0]
    totals = totals_of(kept(session)[player.player])
    lines = report.feuille(player.id)
    for other in {each.player for line in lines for each in line.partners}:
        mine = [line for line in lines if other in {each.player for each in line.partners}]
        taken = [line for line in mine if line.play.taker_player.player in (other, player.player)]
        mate = totals.mates[other]
        assert mate.deals == len(mine)
        assert mate.against.sample == Sample.of([line.note for line in taken])
        assert mate.together.sample == Sample.of([line.note for line in mine if line not in taken])


def test_row_of_twenty_deals_is_small(session):
    rows = kept(session).values()
    assert {row.deals for row in rows} == {20}
    sizes = [len(json.dumps([row.figures, row.plays], separators=(",", ":"))) for row in rows]
    assert max(sizes) < 2000


@pytest.mark.nightly("story")
def test_what_is_kept_is_what_is_made_from_nothing_to_the_last_digit(session):
    other = started_session(make_tournament(session.tournament.club, auction="free", name="Libre"))
    by = session.tournament.club.memberships.get().user
    enter_all(other, by=by)
    publish(other, by=by)
    refresh(other.pk)
    bases = find_bases()
    assert bases.keys() == {session.pk, other.pk}
    for pk, basis in bases.items():
        made = make(pk, basis)
        assert len(made.contents) == len(made.appearances) + 1
        assert made.contents == read_kept(pk).contents
    assert make_all_anew() == (2, 0)


def test_command_makes_anew_what_is_wrong(session, capsys):
    Appearance.objects.filter(session=session).update(overall="1/3")
    call_command("careers")
    assert "1 sessions, 1 of them" in capsys.readouterr().out
    assert "1/3" not in {row.overall for row in kept(session).values()}
    assert make_all_anew() == (1, 0)


@pytest.mark.nightly("story")
def test_second_time_nothing_is_written(session):
    ids = set(Appearance.objects.values_list("pk", flat=True))
    assert refresh(session.pk) is False
    assert set(Appearance.objects.values_list("pk", flat=True)) == ids


def test_unknown_session_is_nothing():
    assert refresh(4711) is False
    assert not CareerBasis.objects.exists()


@pytest.mark.nightly("story")
def test_version_that_becomes_official_is_the_one_that_is_led_to(session, word):
    SESSIONS.make_official(session.pk, word=word)
    assert find_stale() == [session.pk]
    refresh(session.pk)
    assert {row.version for row in kept(session).values()} == {2}


def withdraw(session, word):
    SESSIONS.withdraw(session.pk, word=word)


def switch_off(session, word):
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=word)


def put_away(session, word):
    put_session_away(session_id=session.pk, by=word.by, now=word.now)


def put_all_away(session, word):
    put_tournament_away(tournament_id=session.tournament_id, by=word.by, now=word.now)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("take_off", [withdraw, switch_off, put_away, put_all_away])
def test_nothing_is_kept_of_what_readers_may_not_have(session, word, take_off):
    take_off(session, word)
    refresh(session.pk)
    assert kept(session) == {}
    assert find_stale() == []


@pytest.mark.nightly("story")
def test_what_is_put_away_comes_back(session, word):
    put_away(session, word)
    refresh(session.pk)
    put_session_away(session_id=session.pk, by=word.by, now=word.now, back=True)
    refresh(session.pk)
    assert len(kept(session)) == 20


@pytest.mark.nightly("story")
def test_nothing_is_kept_of_practice(session):
    session.tournament.club.practice_of = make_tournament().club
    session.tournament.club.save()
    refresh(session.pk)
    assert kept(session) == {}


@pytest.mark.nightly("story")
def test_without_etuis_and_feuilles_the_ranking_alone_is_kept(session, word):
    switch_parts(session_id=session.pk, shows=Shows(etuis=False, feuilles=False), word=word)
    refresh(session.pk)
    rows = kept(session).values()
    assert {(len(row.figures), len(row.plays)) for row in rows} == {(0, 0)}
    assert all(row.overall and row.rank for row in rows)


@pytest.mark.nightly("story")
def test_sweep_makes_what_no_job_has(session):
    CareerBasis.objects.all().delete()
    Appearance.objects.all().delete()
    sweep_publications()
    assert len(kept(session)) == 20


@pytest.mark.nightly("story")
def test_jobs_follow_what_is_published(session, word, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        withdraw(session, word)
    assert kept(session) == {}


def test_who_stands_in_has_the_plays_he_sat_at(session):
    """Check a report in which somebody takes over a seat from position 2 on."""
    found = Publication.objects.get(session=session)
    player = found.data["players"][0]
    player["stand_ins"] = [{"player": 999_999, "from": 2, "to": None}]
    found.save()
    CareerBasis.objects.all().delete()
    refresh(session.pk)
    rows = kept(session)
    own, other = rows[player["player"]], rows[999_999]
    assert (own.deals, other.deals) == (4, 16)
    assert (own.rank, own.is_stand_in, own.overall) == (player["rank_alterne"], False, player["overall"])
    assert (other.rank, other.is_stand_in, other.entrant) == (None, True, player["id"])
    assert Fraction(other.overall) == totals_of(other).overall.mean
    mates = {each[0] for row in rows.values() for each in row.figures["m"]}
    assert 999_999 in mates


@pytest.mark.nightly("story")
def test_date_is_the_one_that_was_published(session):
    Session.objects.filter(pk=session.pk).update(date=dt.date(2020, 1, 1))
    CareerBasis.objects.all().delete()
    refresh(session.pk)
    assert {row.date.isoformat() for row in kept(session).values()} == {session.publications.get().data["date"]}


def test_job_stores_the_duels_of_a_session_and_forgets_those_of_one_withdrawn(session, word):
    players = sorted(session.entrants.values_list("player", flat=True))
    stored = {each.player: each.data for each in CareerDuels.objects.all()}
    assert sorted(stored) == players[:-1]  # the last one is compared in the rows of the others
    assert {len(data) for data in stored.values()} == set(range(1, 20))
    SESSIONS.withdraw(session.pk, word=word)
    refresh(session.pk)
    assert not CareerDuels.objects.exists()


@pytest.mark.nightly("process")
def test_command_stores_sums_that_are_missing(session):
    before = {(each.player, each.season): each.data for each in CareerDuels.objects.all()}
    CareerDuels.objects.all().delete()
    CareerSeason.objects.all().delete()
    assert make_all_anew() == (1, 0)
    assert {(each.player, each.season): each.data for each in CareerDuels.objects.all()} == before
    assert CareerSeason.objects.count() == 20
