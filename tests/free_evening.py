"""An evening at which the tables deal, made of rows: two tables of four and three, three of five, or what is asked."""

from collections.abc import Sequence

from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.domain.cards import LINES
from deals.models import DealSet, Etui
from scoring.formats import FREE_DEALS
from scoring.free.turns import find_dealer
from scoring.plays import SEATS
from tests.factories import DATE, make_club, make_tournament
from tournaments.models import Entrant, Play, Session, SessionStandings, Table, Tournament
from tournaments.models.seats import ALL_SEAT_FIELDS
from tournaments.sessions.setup import create_session

NAMES = ("Anne", "Bruno", "Claire", "Denis", "Élise", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karine", "Louis")


def make_free_tournament(club=None) -> Tournament:
    tournament = make_tournament(club or make_club(), auction="free", name="Donnes libres")
    Tournament.objects.filter(pk=tournament.pk).update(format=FREE_DEALS.name)
    return Tournament.objects.select_related("club").get(pk=tournament.pk)


def free_session(
    sizes: Sequence[int] = (4, 3),
    *,
    games: int = 2,
    deals: int = 2,
    seated: int | None = None,
    mort: bool = False,
    tournament: Tournament | None = None,
    **fields: object,
) -> Session:
    """Return a session in play. `sizes` are the numbers of people at the tables, and `seated` the games with seats.

    From game to game, everybody moves on by one seat. With `mort`, the dealer rests at tables of five.
    """
    tournament, now = tournament or make_free_tournament(), timezone.now()
    session = create_session(tournament=tournament, date=DATE, positions=games, etuis_per_position=deals)
    names = [RosterLine(f"Nom{number:02}", NAMES[number % len(NAMES)]) for number in range(sum(sizes))]
    players = add_players(club=tournament.club, lines=names)
    entrants = [
        Entrant.objects.create(session=session, player=player, line=LINES[place % 4], number=place // 4 + 1)
        for place, player in enumerate(players)
    ]
    deal_set = DealSet.objects.create(club=tournament.club, name="donnes", free=True, created_at=now)
    etuis = [Etui.objects.create(deal_set=deal_set, number=number) for number in range(1, games * deals + 1)]
    tables = [Table.objects.create(session=session, number=number) for number in range(1, len(sizes) + 1)]
    Session.objects.filter(pk=session.pk).update(deal_set=deal_set, status="running", started_at=now, **fields)
    SessionStandings.objects.create(session=session, results_version=0, data={})
    for game in range(1, (seated or games) + 1):
        order = entrants[game - 1 :] + entrants[: game - 1]
        for table, size in zip(tables, sizes, strict=True):
            people, order = order[:size], order[size:]
            seats = dict(zip(ALL_SEAT_FIELDS, people, strict=False))
            for deal in range(1, deals + 1):
                resting = find_dealer(SEATS[:size], deal) if mort and size == len(SEATS) else ""
                Play.objects.create(
                    session=session,
                    position=game,
                    table=table,
                    etui=etuis[(game - 1) * deals + deal - 1],
                    resting=resting,
                    **seats,
                )
    return Session.objects.select_related("tournament__club").get(pk=session.pk)
