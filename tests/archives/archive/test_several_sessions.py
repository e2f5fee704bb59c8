"""The archive of a tournament with sections, several sessions, a ranking over them, lots and merged players."""

import datetime as dt
import random

import pytest
from django.utils import timezone

from clubs.models import Season
from evenings.standings.computing import compute
from rankings.events import counting
from rankings.events.publishing import TOURNAMENTS, find_published_tournament
from rankings.events.report import read_tournament
from rankings.events.standings_file import write_tournament_csv
from registration.people.merging import merge_players
from tests.archives.archive.packed import bring, export
from tests.factories import make_club
from tests.rankings.events.test_standings_file import play_tournament
from tournaments.models import TieDraw, TournamentStandings
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.nightly("story")


class Season2026:
    """A tournament of a season, its archive, and the tournament of another club that came from it."""

    def __init__(self):
        self.first = play_tournament(random.Random(7), "imposed")
        self.source = self.first.tournament
        self.director, now = self.first.published_by, timezone.now()
        club = self.source.club
        days = {"starts_on": dt.date(2026, 9, 1), "ends_on": dt.date(2027, 8, 31)}
        season = Season.objects.create(club=club, name="2026", **days)
        type(self.source).objects.filter(pk=self.source.pk).update(season=season)
        order = [row["player"] for row in self.first.data["players"]]
        drawn = {"tournament": self.source, "author": self.director, "drawn_at": now}
        TieDraw.objects.create(order=order, **drawn)
        first, second, third, last = self.source.sessions.order_by("number")
        TieDraw.objects.create(session=last, order=order[:2], **drawn)
        others = first.entrants.values("player")
        kept = third.entrants.exclude(player__in=others).order_by("pk")[0].player
        gone = second.entrants.order_by("pk")[0].player
        merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=self.director, now=now)
        self.gone = gone
        word = DirectorWord(self.director, now, "deux fiches d’une personne")
        TOURNAMENTS.publish(self.source.pk, word)
        self.packed = export(self.source)
        self.club = make_club("ailleurs", "Ailleurs")
        self.tournament = bring(self.packed, self.club)

    def versions(self):
        """Return the versions of both tournaments' rankings, in pairs."""
        there, here = (each.publications.order_by("version") for each in (self.source, self.tournament))
        return list(zip(there, here, strict=True))


@pytest.fixture(scope="module")
def season(rows_of_the_file):
    return Season2026()


def test_archive_of_the_imported_season_has_the_same_bytes(season):
    assert export(season.tournament) == season.packed
    assert season.tournament.season.club == season.club
    assert season.tournament.section_groups.get().sections.count() == 2


def test_rankings_over_sessions_keep_digests_and_name_the_same_people(season):
    assert len(season.versions()) == 2
    assert any(season.gone.pk in {row["player"] for row in there.data["players"]} for there, _here in season.versions())
    sessions = dict(season.tournament.sessions.values_list("pk", "number"))
    for there, here in season.versions():
        assert (here.digest, here.frozen) == (there.digest, there.data)
        assert {sessions[int(pk)] for pk in here.sessions} == {1, 2, 3, 4}
        mine, theirs = (read_tournament(each.data, each.sessions) for each in (here, there))
        assert [(row.name, row.total, row.rank) for row in mine.rows] == [
            (row.name, row.total, row.rank) for row in theirs.rows
        ]
        # A version from before the merge ranks one person twice, and its file tells the two apart at the source.
        if season.gone.pk not in {row["player"] for row in there.data["players"]}:
            assert write_tournament_csv(here) == write_tournament_csv(there)


def test_readers_see_of_the_imported_rankings_what_they_see_of_the_source(season):
    stamps = [
        find_published_tournament(each.club.slug, each.slug, None, timezone.now())
        for each in (season.source, season.tournament)
    ]
    assert stamps[0].offers_file == stamps[1].offers_file is True
    assert [stamp.held for stamp in stamps] == [frozenset(), frozenset()]


@pytest.mark.nightly("story")
def test_standings_over_sessions_are_computed_anew_and_equal(season):
    figures = []
    for tournament in (season.source, season.tournament):
        for session in tournament.sessions.all():
            assert compute(session.pk) is not None
        counting.refresh(tournament.pk, now=timezone.now())
        kept = TournamentStandings.objects.get(pk=tournament.pk)
        figures.append([(row["total"], row["rank"], row["played"]) for row in kept.data["players"]])
    assert figures[0] == figures[1]
    assert len(figures[0]) > 20


def test_lots_name_the_players_of_the_importing_club(season):
    ids = set(season.club.players.values_list("pk", flat=True))
    for draw in season.tournament.draws.all():
        assert draw.order
        assert set(draw.order) <= ids


def test_same_figures_published_after_the_import_are_no_new_version(season):
    word = DirectorWord(season.director, timezone.now(), "encore")
    last = season.tournament.publications.order_by("version").last()
    assert TOURNAMENTS.publish(season.tournament.pk, word) == last
