"""The places of a team in the plan, for the own page of each of its members. This module only reads."""

from evenings.plans.places import read_plan_of_places
from evenings.plays.free import OwnSeat
from tournaments.models import Entrant, Session


def find_team_seats(entrant: Entrant, session: Session) -> list[OwnSeat]:
    """Return the tables of a team from the present position on, with the line on which the team sits there."""
    ways = read_plan_of_places(session).ways
    stops = next((way.stops for way in ways if way.entrant.pk == entrant.pk), [])
    return [
        OwnSeat(stop.position, tables, line)
        for stop in stops
        if stop.position >= (session.position or 1)
        for tables, line in stop.groups
    ]
