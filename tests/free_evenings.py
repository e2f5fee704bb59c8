"""The small evenings of donnes libres of the tests: who sits where in each game, as plays with deal numbers."""

from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_free_set
from scoring.formats import FREE_DEALS
from scoring.plays import SEATS
from tests.factories import DATE, make_club
from tournaments.models import Entrant, Play, Session, SessionStandings, Table
from tournaments.models.seats import name_seat_columns
from tournaments.sessions.setup import create_session, create_tournament


def make_free_tournament(club=None):
    now = timezone.now()
    return create_tournament(club=club or make_club(), name="Donnes libres", format=FREE_DEALS.name, now=now)


def free_session(games, *, deals=2, tournament=None, rests=None):
    """Return a running session. `games` has a list of tables for each game, and a table is a list of places from 0.

    `rests` gives the seat that does not play a deal, by (game, table, deal); all of them from 1.
    """
    tournament = tournament or make_free_tournament()
    now, club = timezone.now(), tournament.club
    session = create_session(tournament=tournament, date=DATE, positions=len(games), etuis_per_position=deals)
    count = 1 + max(place for tables in games for table in tables for place in table)
    names = [RosterLine(f"Nom{place:03}", "Zoé") for place in range(1, count + 1)]
    players = add_players(club=club, lines=names)
    entrants = [
        Entrant.objects.create(session=session, player=player, line="N", number=place)
        for place, player in enumerate(players, start=1)
    ]
    deal_set = create_free_set(club=club, name="Donnes libres", count=deals * len(games), now=now, by=None)
    etuis = {etui.number: etui for etui in deal_set.etuis.all()}
    rows = [Table.objects.create(session=session, number=n) for n in range(1, 1 + max(map(len, games)))]
    for game, tables in enumerate(games, start=1):
        for row, places in zip(rows, tables, strict=False):
            seats = {seat: entrants[place].pk for seat, place in zip(SEATS, places, strict=False)}
            for deal in range(1, deals + 1):
                Play.objects.create(
                    session=session,
                    position=game,
                    table=row,
                    etui=etuis[(game - 1) * deals + deal],
                    resting=(rests or {}).get((game, row.number, deal), ""),
                    **name_seat_columns(seats),
                )
    Session.objects.filter(pk=session.pk).update(
        status=Session.Status.RUNNING, started_at=now, deal_set=deal_set, position=1
    )
    SessionStandings.objects.get_or_create(session=session, defaults={"results_version": 0, "data": {}})
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


def plays_at(session, game=1, table=1):
    """Return the plays of a table in a game, by the number of the deal."""
    plays = session.plays.filter(position=game, table__number=table).select_related("etui", "table")
    return list(plays.order_by("etui__number"))
