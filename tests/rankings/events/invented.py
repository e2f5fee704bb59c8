"""The standings of a tournament of any size, computed by the site from invented percentages."""

import datetime as dt
from fractions import Fraction
from typing import Any

from django.utils import timezone

from clubs.models import User
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session
from rankings.events.counting import CountedSession, figure, find_basis
from tests.factories import DATE
from tournaments.models import Session, Tournament, TournamentStandings

LONG = "de La Rochefoucauld-Montmorency-Bouteville"


def invent_standings(tournament: Tournament, *, players: int, sessions: int, by: User | None = None) -> dict[str, Any]:
    """Store standings of a tournament with so many players and sessions.

    Some players have missed a session, some have completed a table, some names are long.
    """
    listed = add_players(
        club=tournament.club,
        lines=[RosterLine(LONG if not n % 17 else f"Nom{n:03}", "Marie-Françoise") for n in range(players)],
    )
    made = [create_session(tournament=tournament, date=DATE + dt.timedelta(days=7 * n)) for n in range(sessions)]
    Session.objects.filter(pk=made[-1].pk).update(coefficient="1.5")
    counted = [
        CountedSession(session, [row(player.pk, n, place) for n, player in enumerate(listed) if (n + place) % 7])
        for place, session in enumerate(tournament.sessions.order_by("number"))
    ]
    data = figure(tournament, counted)
    TournamentStandings.objects.update_or_create(
        tournament=tournament, defaults={"basis": find_basis(tournament), "computed_at": timezone.now(), "data": data}
    )
    return data


def row(player: int, n: int, place: int) -> dict[str, Any]:
    overall = 30 + Fraction((n * 37 + place * 101) % 4001, 100)
    ranked = (n + 2 * place) % 23 != 0
    return {
        "player": player,
        "overall": str(overall),
        "attack": str(overall - 1),
        "defence": str(overall + Fraction(1, 3)),
        "deals": 20,
        "rank_general": 1 if ranked else None,
        "unranked": "" if ranked else "share",
    }
