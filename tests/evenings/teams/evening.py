"""A running session of triplettes, made straight from rows: teams with members, a plan, and its plays."""

from collections.abc import Sequence

from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table, seal_deal_set
from evenings.sessions.setup import create_session, create_tournament
from evenings.tables.devices import open_tables
from movements import Plan
from movements.teams import propose_triplettes
from scoring.teams import fill_team_seats
from tests.factories import DATE, make_club
from tests.worlds import kept_world
from tournaments.models import Entrant, Play, Session, SessionStandings, Team, TeamMember, Tournament
from tournaments.models.seats import make_seat_columns

PLACES = (1, 2, 3)


def make_teams(tournament: Tournament, count: int, *, first: int = 1, places: Sequence[int] = PLACES) -> list[Team]:
    """Add `count` teams of new players in these places, numbered from `first`.

    Team 2 has a name, the others their number.
    """
    now, teams = timezone.now(), []
    for number in range(first, first + count):
        lines = [RosterLine(f"Fam{place}{number:02}", f"Prénom{number:02}") for place in places]
        players = add_players(club=tournament.club, lines=lines)
        team = Team.objects.create(
            tournament=tournament,
            number=number,
            name="Les Bouts" if number == 2 else "",
            captain=players[0],
            made_at=now,
        )
        TeamMember.objects.bulk_create(
            TeamMember(tournament=tournament, team=team, player=player, place=place)
            for place, player in zip(places, players, strict=True)
        )
        teams.append(team)
    return teams


@kept_world
def make_team_tournament(name: str = "Triplettes d’été", teams: int = 6) -> Tournament:
    tournament = create_tournament(club=make_club(), name=name, format="triplettes", now=timezone.now())
    tournament.first_badge = 2
    tournament.save(update_fields=["first_badge"])
    make_teams(tournament, teams)
    return tournament


def start_with_rows(tournament: Tournament, plan: Plan[int]) -> Session:
    """Return a running session of the tournament's teams with this plan. Team k has the starting number k."""
    now, entrants = timezone.now(), {}
    etuis = max(etui for stop in plan.stops for etui in stop.etuis)
    deal_set = create_set_dealt_at_table(club=tournament.club, name="Étuis", count=etuis, by=None, now=now)
    seal_deal_set(deal_set=deal_set, now=now)
    session = create_session(
        tournament=tournament, date=DATE, positions=plan.positions, etuis_per_position=plan.etuis_per_position
    )
    for team in tournament.teams.order_by("number"):
        line = "" if not plan.lines else "N" if team.number <= plan.lines[0] else "E"
        entrants[team.number] = Entrant.objects.create(session=session, team=team, line=line, number=team.number)
    session.tables.bulk_create(
        session.tables.model(session=session, number=number + 1) for number in range(plan.tables)
    )
    session.deal_set, session.status, session.started_at = deal_set, Session.Status.RUNNING, now
    session.results_version = 1
    session.save()
    Play.objects.bulk_create(lay_rows(session, plan, entrants))
    open_tables(session, now=now)
    SessionStandings.objects.create(session=session, results_version=0, data={})
    return session


def lay_rows(session: Session, plan: Plan[int], entrants: dict[int, Entrant]) -> Sequence[Play]:
    tables = {table.number: table for table in session.tables.all()}
    etuis = {etui.number: etui for etui in session.deal_set.etuis.all()}
    attacks = dict.fromkeys(entrants, 0)
    plays = []
    for stop in sorted(plan.stops):
        for number in stop.etuis if stop.complete else ():
            taker = etuis[number].taker
            attacking, defending = (stop.first, stop.second) if taker in "NS" else (stop.second, stop.first)
            badge = (session.tournament.first_badge - 1 + attacks[attacking]) % len(PLACES) + 1
            attacks[attacking] += 1
            seats = fill_team_seats(entrants[attacking].pk, entrants[defending].pk, taker)
            plays.append(
                Play(
                    session=session,
                    position=stop.position,
                    table=tables[stop.table],
                    etui=etuis[number],
                    badge=badge,
                    **make_seat_columns(seats),
                )
            )
    return plays


@kept_world
def triplettes_session(
    teams: int = 6, positions: int = 3, etuis_per_position: int = 4, rule: str = "all_meet"
) -> Session:
    """Return a running session of triplettes. `rule`: "all_meet", "two_lines" and others of `propose_triplettes`."""
    tournament = make_team_tournament(teams=teams)
    plans = {each.plan.rule: each.plan for each in propose_triplettes(teams, positions, etuis_per_position)}
    return start_with_rows(tournament, plans[rule])
