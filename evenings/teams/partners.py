"""The seats of players who play alone in a team, such as a doublette, chosen so that they do not meet."""

from collections.abc import Sequence
from itertools import pairwise

from deals.domain.cards import LINES
from movements import LinePlan, Member
from movements.draw import NO_TEAMS, Apart, find_meetings, part_newcomers, seat_apart
from scoring.formats import find_format
from tournaments.models import Entrant, Session, TeamMember

Place = tuple[str, int]  # a seat: its line and number


def list_partners(session: Session, players: Sequence[int]) -> list[list[int]]:
    """Return the players (ids) of each team that has several of these players, [] if the format has no such teams."""
    if not find_format(session.tournament.format).partners:
        return []
    members = TeamMember.objects.filter(tournament=session.tournament_id, ended_at=None, player__in=players)
    teams: dict[int, list[int]] = {}
    for team, player in members.order_by("team", "place").values_list("team", "player"):
        teams.setdefault(team, []).append(player)
    return [team for team in teams.values() if len(team) > 1]


def keep_partners_apart(
    session: Session, players: Sequence[int], places: Sequence[Place], plan: LinePlan | None
) -> Apart:
    """Return the teams of these players, and for each place the places that it meets in the plan.

    Without a plan, places with one number meet, because they are at one table in position 1.
    """
    teams = list_partners(session, players)
    if not teams:
        return NO_TEAMS
    if plan is None:
        return seat_apart(teams, [number for _line, number in places])
    met, at = find_meetings(plan), {to_member(place): index for index, place in enumerate(places)}
    return Apart(teams, [[at[each] for each in met.get(to_member(place), ()) if each in at] for place in places])


def seat_newcomers(
    session: Session, seated: dict[Place, int], new: dict[Place, int], plan: LinePlan | None
) -> list[int]:
    """Return the players of `new` in the order of its places, exchanged so that as few partners meet as possible.

    Both arguments have the player (id) of each place. Those of `seated` stay.
    """
    both = seated | new
    apart = keep_partners_apart(session, [*both.values()], [*both], plan)
    return part_newcomers([*both.values()], apart, len(new))


def find_meeting_partners(session: Session, plan: LinePlan) -> list[tuple[Entrant, Entrant]]:
    """Return the pairs of partners who would meet at a table of the plan, in the order of their teams."""
    seated = {each.player_id: each for each in session.entrants.select_related("player") if each.player_id}
    teams, met = list_partners(session, [*seated]), find_meetings(plan) if seated else {}
    pairs = [(seated[one], seated[other]) for team in teams for one, other in pairwise(team)]
    return [
        (one, other)
        for one, other in pairs
        if to_member((other.line, other.number)) in met.get(to_member((one.line, one.number)), ())
    ]


def to_member(place: Place) -> Member:
    """Return the member of a plan who has this line and number."""
    return Member(LINES.index(place[0]), place[1])
