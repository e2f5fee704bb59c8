"""The seasons for the tests of series: evenings with invented published rankings, made without playing them."""

import datetime as dt
from fractions import Fraction

from django.utils import timezone

from clubs.models import Club, Player, User
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session
from rankings.series.setup import SeriesGiven, create_series
from tests.factories import make_tournament
from tournaments.models import Publication, PublishedPlayer, Series, Session, Tournament
from tournaments.rules.series import SeriesSettings
from tournaments.versions import digest_figures

FIRST = dt.date(2026, 9, 4)
LAST = dt.date(2027, 6, 30)


def name_players(club: Club, *names: str) -> list[Player]:
    """Return the players of a club with these family names, added where they are missing."""
    return add_players(club=club, lines=[RosterLine(name, "Zoé") for name in names])


def hold(
    tournament: Tournament, date: dt.date, players: dict[Player, object], *, ranks: list[int] | None = None
) -> Session:
    """Return a session with a published ranking: percentages by player, the first one the winner.

    `ranks` are the ranks in the classement général. Every player is alone on a line, so the classement alterné is the
    same. A percentage of None means a player without a rank.
    """
    session = create_session(tournament=tournament, date=date)
    publish_rows(session, players, ranks=ranks)
    return session


def publish_rows(
    session: Session, players: dict[Player, object], *, ranks: list[int] | None = None, **told: object
) -> Publication:
    """Add a version of a session's ranking with these percentages."""
    ranked = [player for player, percentage in players.items() if percentage is not None]
    held = dict(zip(ranked, ranks or range(1, len(ranked) + 1), strict=True))
    rows = [
        {
            "id": player.pk,
            "line": "N",
            "number": place,
            "player": player.pk,
            "overall": None if percentage is None else str(Fraction(str(percentage))),
            "attack": None,
            "defence": None,
            "rank_general": held.get(player),
            "rank_alterne": held.get(player),
            "rank_line": held.get(player),
            "unranked": "" if player in held else "filler",
        }
        for place, (player, percentage) in enumerate(players.items(), start=1)
    ]
    data = {"format": 1, "date": session.date.isoformat(), "players": rows, "etuis": []}
    last = session.publications.order_by("-version").first()
    publication = Publication.objects.create(
        session=session,
        version=last.version + 1 if last else 1,
        official_from=timezone.now() + dt.timedelta(days=2),
        results_version=0,
        published_at=timezone.now(),
        data=data,
        digest=digest_figures(data),
        **{"status": "provisional", **told},
    )
    PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=publication, player=player) for player in players)
    return publication


def make_series(club: Club, by: User, *, title: str = "Challenge d’été", **rules: object) -> Series:
    given = SeriesGiven(title, FIRST, LAST, SeriesSettings(**rules))  # type: ignore[arg-type]
    return create_series(club=club, given=given, by=by, now=timezone.now())


def thursdays(club: Club, name: str = "Jeudis") -> Tournament:
    return make_tournament(club, name=name)
