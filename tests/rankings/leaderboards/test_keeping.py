"""The stored ratings and leaderboards: what they follow from, and that they equal rows computed from nothing."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.management import call_command
from django.utils import timezone

from clubs.models import Person, Player, Season
from clubs.shown import choose_shown
from jobs.tasks import sweep_publications
from rankings.careers.keeping import refresh
from rankings.careers.reading import Career
from rankings.careers.subjects import look_at, subject_of
from rankings.leaderboards.keeping import (
    are_leaderboards_due,
    make_leaderboards_anew,
    refresh_leaderboards,
    wish_rating,
)
from rankings.publication.publishing import switch_parts
from scoring.rating.players import RatedEtui, RatedPlay, rate
from tests.factories import make_tournament
from tests.rankings.careers.world import played, players_of
from tournaments.models import Leaderboard, LeaderboardBasis, LeaderboardRow, PersonRating, RatedSession
from tournaments.published import Shows
from tournaments.versions import DirectorWord
from wording.figures import decimal_text

pytestmark = pytest.mark.django_db


def contents(**which):
    """Return all stored rows without their ids."""
    ratings = PersonRating.objects.order_by("kind", "person").values_list(
        "kind", "person", "player", "figure", "attack", "defence", "within", "sessions", "deals", "group", "position"
    )
    rows = LeaderboardRow.objects.filter(**which).order_by("board__club", "board__kind", "board__period", "measure")
    columns = "board__club board__kind board__period measure person player place position figure within sessions deals"
    return list(ratings), sorted(map(repr, rows.values_list(*columns.split())))


def hide(player, shown="hidden"):
    choose_shown(player=player, shown=shown, way="link", by=None, now=timezone.now())


def rows_of(measure, period="all", club=None, kind="imposed"):
    rows = LeaderboardRow.objects.filter(
        board__club=club, board__period=period, board__kind=kind, measure=measure
    ).order_by("position", "person")
    return list(rows)


def test_ratings_are_those_of_the_pure_function(session):
    rated = RatedSession.objects.get()
    person_of = dict(Player.objects.values_list("pk", "person"))
    etuis = {}
    for etui, _part, note, taker, *others in rated.plays:
        play = RatedPlay(person_of[taker], tuple(person_of[each] for each in others), note / rated.den)
        etuis.setdefault(etui, []).append(play)
    wanted = rate(RatedEtui(rated.date.toordinal(), tuple(plays)) for plays in etuis.values())
    assert len(wanted) == 20
    for rating in PersonRating.objects.all():
        told = wanted[rating.person]
        assert (rating.figure, rating.attack, rating.defence, rating.within) == tuple(
            Decimal(repr(each)) for each in (told.figure, told.attack, told.defence, told.within)
        )
        assert (rating.deals, rating.group, rating.sessions) == (told.deals, told.group, 1)
    assert PersonRating.objects.count() == 20


@pytest.mark.nightly("story")
def test_figures_are_those_of_the_career_page(session):
    for row in rows_of("deals"):
        player = Player.objects.get(pk=row.player)
        subject = subject_of(player)
        totals = Career(subject, look_at(subject)).totals
        assert (row.figure, row.deals, row.sessions) == (totals.deals, totals.deals, 1)
    LeaderboardRow.objects.all().delete()
    players = RatedSession.objects.get().players
    # five times as many deals with the same means
    told = [[who, deals, tops, den, *(5 * number for number in sides)] for who, deals, tops, den, *sides in players]
    RatedSession.objects.update(players=told)
    make_leaderboards_anew(timezone.now())
    for measure in ("mean", "attack", "defence"):
        rows = rows_of(measure)
        assert len(rows) == 20
        for row in rows:
            subject = subject_of(Player.objects.get(pk=row.player))
            totals = Career(subject, look_at(subject)).totals
            mean = {"mean": totals.overall, "attack": totals.attack, "defence": totals.defence}[measure].mean
            assert row.figure == Decimal(decimal_text(Fraction(mean), 3))


def test_equal_figures_have_equal_positions_and_the_list_is_in_order(session):
    rows = rows_of("rating")
    assert [row.place for row in rows] == list(range(1, 21))
    for row in rows:
        assert row.position == 1 + sum(other.figure > row.figure for other in rows)
    deals = rows_of("deals")
    assert {row.position for row in deals} == {1}  # all played twenty deals


def test_percentages_need_a_least_number_of_deals(session):
    assert rows_of("mean") == []
    month = f"{session.date:%Y-%m}"
    assert len(rows_of("mean", month)) == 20
    assert len(rows_of("presence")) == 20


def test_site_and_club_have_boards_of_all_sessions_the_season_and_the_month(session):
    club, month = session.tournament.club_id, f"{session.date:%Y-%m}"
    year = str(session.date.year if session.date.month >= 9 else session.date.year - 1)
    assert {(each.club_id, each.period) for each in Leaderboard.objects.all()} == {
        (of, period) for of in (None, club) for period in ("all", year, month)
    }


def test_club_with_seasons_of_its_own_has_boards_of_them(session, again):
    club, day = session.tournament.club, dt.timedelta(days=1)
    told = {"club": club, "starts_on": session.date, "ends_on": session.date}
    season = Season.objects.create(name="Automne", **told)
    Season.objects.create(name="Hiver", **told | {"starts_on": session.date + day, "ends_on": session.date + day})
    assert again()
    periods = set(Leaderboard.objects.filter(club=club).values_list("period", flat=True))
    assert periods == {"all", f"s{season.pk}", f"{session.date:%Y-%m}"}


def test_person_without_a_shown_name_is_neither_listed_nor_counted(session, again):
    first = rows_of("rating")[0]
    hide(Player.objects.get(pk=first.player))
    assert again()
    rows = {row.person: row for row in rows_of("rating")}
    assert rows[first.person].place is None
    assert rows[first.person].position == 1  # what only their own page shows
    listed = sorted(row.place for row in rows.values() if row.place)
    assert listed == list(range(1, 20))
    assert [row.position for row in rows_of("rating")][:2] == [1, 1]


def test_rating_that_is_switched_off_is_gone_at_once_and_stays_away(session, again):
    first, second = rows_of("rating")[:2]
    player = Player.objects.get(pk=first.player)
    figures = {row.person: row.figure for row in rows_of("rating")}
    wish_rating(player=player, off=True, way="link", by=None, now=timezone.now())
    assert not PersonRating.objects.filter(person=first.person).exists()
    assert first.person not in {row.person for row in rows_of("rating")}
    assert again()
    rows = rows_of("rating")
    assert len(rows) == 19
    assert (rows[0].person, rows[0].position) == (second.person, 1)
    assert {row.person: row.figure for row in rows} == {
        person: figure for person, figure in figures.items() if person != first.person
    }  # the others are still compared with them
    assert first.person in {row.person for row in rows_of("deals")}
    wish_rating(player=player, off=False, way="link", by=None, now=timezone.now())
    assert again()
    assert len(rows_of("rating")) == 20


@pytest.mark.nightly("story")
def test_players_of_two_clubs_who_are_one_person_have_one_rating(session, again):
    other = played(make_tournament())
    one, two = players_of(session)[0], players_of(other)[0]
    Player.objects.filter(pk=two.pk).update(person=one.person_id)
    assert again()
    assert PersonRating.objects.filter(person=one.person_id).count() == 1
    assert PersonRating.objects.get(person=one.person_id).sessions == 2
    groups = set(PersonRating.objects.values_list("group", flat=True))
    assert groups == {min(PersonRating.objects.values_list("person", flat=True))}
    assert rows_of("presence")[0].person == one.person_id


@pytest.mark.nightly("story")
def test_circles_that_never_met_are_apart_and_the_site_lists_the_largest(session, again):
    other = played(make_tournament())
    assert again()
    assert PersonRating.objects.count() == 40
    assert len({rating.group for rating in PersonRating.objects.all()}) == 2
    assert len(rows_of("rating")) == 20
    assert Leaderboard.objects.get(club=None, period="all").apart == 20
    assert len(rows_of("rating", club=other.tournament.club)) == 20
    assert PersonRating.objects.filter(position=None).count() == 20


def test_merged_player_counts_for_the_one_who_remains(session, again):
    one, two = players_of(session)[:2]
    new = Player.objects.create(club=one.club, last_name="Neuf", person=Person.objects.create())
    Player.objects.filter(pk=one.pk).update(merged_into=new, person=new.person)
    assert again()
    row = next(row for row in rows_of("deals") if row.person == new.person_id)
    assert row.player == new.pk
    assert two.person_id in {row.person for row in rows_of("deals")}


def test_erased_player_has_no_row_but_still_counts_as_an_opponent(session, again):
    gone = players_of(session)[0]
    before = {rating.person: rating.figure for rating in PersonRating.objects.exclude(person=gone.person_id)}
    Player.objects.filter(pk=gone.pk).update(erased_at=timezone.now())
    assert again()
    assert not PersonRating.objects.filter(person=gone.person_id).exists()
    assert not LeaderboardRow.objects.filter(person=gone.person_id).exists()
    assert {rating.person: rating.figure for rating in PersonRating.objects.all()} == before


@pytest.mark.nightly("story")
def test_free_auction_has_a_rating_and_lists_of_its_own(session, again, play_free):
    play_free()
    assert again()
    assert PersonRating.objects.filter(kind="free", attack=None, defence=None).count() > 0
    assert rows_of("rating", kind="free")
    assert {row.sessions for row in rows_of("presence", kind="free")} == {1}


@pytest.mark.nightly("story")
def test_order_of_sessions_and_corrections_back_change_nothing(session, again):
    other = played(session.tournament)
    assert again()
    before = contents()
    by = DirectorWord(other.tournament.club.memberships.get().user, timezone.now(), "une erreur")
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=by)
    refresh(session.pk)
    assert again()
    assert contents() != before
    switch_parts(session_id=session.pk, shows=Shows(), word=by)
    refresh(session.pk)
    assert again()
    assert contents() == before
    rows = list(RatedSession.objects.order_by("-pk"))
    RatedSession.objects.all().delete()
    RatedSession.objects.bulk_create(rows)
    assert make_leaderboards_anew(timezone.now())[2] == 0


@pytest.mark.nightly("story")
def test_what_is_kept_is_what_is_made_anew_to_the_digit(session, again, play_free, capsys):
    play_free()
    assert again()
    before = contents()
    call_command("leaderboards")
    assert ", 0 stored rows were wrong" in capsys.readouterr().out
    assert contents() == before
    PersonRating.objects.filter(pk=PersonRating.objects.first().pk).update(figure="99.99")
    row = LeaderboardRow.objects.first()
    LeaderboardRow.objects.filter(pk=row.pk).update(figure="99.999")
    call_command("leaderboards")
    assert ", 2 stored rows were wrong" in capsys.readouterr().out
    assert contents() == before


@pytest.mark.nightly("story")
def test_nothing_is_made_twice_and_not_within_an_hour(session, again):
    ids = set(LeaderboardRow.objects.values_list("pk", flat=True))
    assert not are_leaderboards_due(timezone.now())
    assert not again()  # nothing has changed
    played(session.tournament)
    assert not refresh_leaderboards(timezone.now())  # not within an hour
    assert set(LeaderboardRow.objects.values_list("pk", flat=True)) == ids
    assert again()
    assert are_leaderboards_due(timezone.now() - dt.timedelta(days=1))  # the clock was set back


@pytest.mark.nightly("story")
def test_job_that_comes_second_writes_nothing(session, monkeypatch):
    played(session.tournament)
    LeaderboardBasis.objects.update(looked_at=timezone.now() - dt.timedelta(hours=2))
    before = contents()

    def make(people):
        LeaderboardBasis.objects.update(basis="another job")
        return

    monkeypatch.setattr("rankings.leaderboards.keeping.make_boards", make)
    assert not refresh_leaderboards(timezone.now())
    assert contents() == before


def test_sweep_makes_what_are_leaderboards_due(session):
    LeaderboardBasis.objects.all().delete()
    Leaderboard.objects.all().delete()
    sweep_publications()
    assert rows_of("rating")
