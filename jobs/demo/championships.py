"""The championships of the demonstration: one that is over and has its champion, and one that is under way."""

from datetime import datetime
from fractions import Fraction

from clubs.models import User
from jobs.demo.season import WEEK
from rankings.series.computing import refresh_series
from rankings.series.publishing import SERIES_RANKINGS, publish_series
from rankings.series.setup import SeriesGiven, create_series
from tournaments.models import Series, Tournament
from tournaments.rules.series import SeriesSettings
from tournaments.versions.steps import DirectorWord

OVER, UNDER_WAY = "Challenge des vendredis", "Grand prix de la saison"
POINTS = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)


def hold_championships(tournament: Tournament, *, by: User, now: datetime) -> None:
    """Make both championships from the evenings of the tournament, which are published.

    The first one has all evenings but the newest: the best two thirds count, by points. Its ranking is official. The
    second one also has the evenings to come, by percentages.
    """
    days = list(tournament.sessions.exclude(publications=None).order_by("number").values_list("date", flat=True))
    last = max(tournament.sessions.values_list("date", flat=True))
    best = max(1, 2 * (len(days) - 1) // 3)
    points = SeriesSettings(
        brings="table", table=tuple(map(Fraction, POINTS)), presence=Fraction(1), best_of=best, format=tournament.format
    )
    over = make_series_of_club(tournament, SeriesGiven(OVER, days[0], days[-2], points), by=by, now=now)
    publish_series(series_id=over.pk, word=DirectorWord(by, now))
    SERIES_RANKINGS.make_official(over.pk, DirectorWord(by, now))
    percent = SeriesSettings(counting="mean", least=min(3, len(days)), format=tournament.format)
    make_series_of_club(tournament, SeriesGiven(UNDER_WAY, days[0], last + WEEK, percent), by=by, now=now)


def make_series_of_club(tournament: Tournament, given: SeriesGiven, *, by: User, now: datetime) -> Series:
    series = create_series(club=tournament.club, given=given, by=by, now=now)
    refresh_series(series.pk, now=now)
    return series
