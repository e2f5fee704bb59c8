"""The badges of triplettes in a session: which member of a team has the turn to attack an étui.

The colour that begins is drawn once for a tournament. The étuis that a team attacks go to its badges in turn. The next
session continues where the last one stopped. An étui that is annulled or not played keeps its badge.
"""

import datetime as dt
import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping

from clubs.models import User
from scoring.formats import MEETING_TEAMS
from scoring.teams import AttackSlot, Badge, colour_attacks
from tournaments.locks import lock_tournament
from tournaments.log import log_action
from tournaments.models import Entrant, Play, Session, Tournament
from tournaments.models.seats import find_taker_seat, read_with_seats

BADGES = tuple(Badge)  # the badges of the members with the places 1, 2, 3 in a team
Slots = Mapping[int, Mapping[AttackSlot, Badge]]


def lock_tournament_of_teams(session_id: int) -> None:
    """Lock the session's tournament if teams play in it, before the session itself is locked.

    The start draws the first colour, and changes of teams lock in this order too.
    """
    for pk in Tournament.objects.filter(sessions=session_id, format__in=MEETING_TEAMS).values_list("pk", flat=True):
        lock_tournament(pk)


def draw_first_badge(session: Session, *, by: User | None, now: dt.datetime) -> int:
    """Return the place that attacks first in the tournament. If it was never drawn, draw it and log the draw."""
    tournament = lock_tournament(session.tournament_id)
    if not tournament.first_badge:
        tournament.first_badge = 1 + secrets.randbelow(len(BADGES))
        tournament.save(update_fields=["first_badge"])
        log_action(session, f"badge_drawn_{BADGES[tournament.first_badge - 1]}", now=now, by=by)
    return tournament.first_badge


def give_turns(
    session: Session, attacks: Mapping[int, Iterable[AttackSlot]], *, first: int, kept: Slots
) -> dict[tuple[int, AttackSlot], int]:
    """Return the place of the member who attacks, by (team id, slot).

    - `attacks`: the slots of this session in which each team attacks, by team id.
    - `first`: the place that attacks first in the tournament.
    - `kept`: the slots of this session whose badge must stay. This function itself reads the badges of the other
      sessions.
    """
    before = read_given(session)
    turns: dict[tuple[int, AttackSlot], int] = {}
    for team, slots in attacks.items():
        own = {**before.get(team, {}), **kept.get(team, {})}
        given = colour_attacks(slots, BADGES[first - 1], kept=own)
        turns |= {(team, slot): BADGES.index(given[slot]) + 1 for slot in slots}
    return turns


def read_given(session: Session) -> dict[int, dict[AttackSlot, Badge]]:
    """Return the badges given in the tournament's other sessions, by team id and slot.

    An étui that a team attacks at several tables at once is left out: all its members attack it.
    """
    others = Play.objects.filter(session__tournament=session.tournament_id, badge__gt=0).exclude(session=session)
    entrants = Entrant.objects.filter(session__tournament=session.tournament_id, team__isnull=False)
    teams: dict[int, int] = dict(entrants.values_list("pk", "team_id"))
    found: defaultdict[int, dict[AttackSlot, Badge]] = defaultdict(dict)
    at_once: set[tuple[int, AttackSlot]] = set()
    columns = "session__number", "position", "etui__number", "etui__taker", "badge"
    for (number, position, etui, named, badge), seats in read_with_seats(others.order_by("pk"), *columns):
        team, slot = teams[seats[find_taker_seat(seats, named)]], AttackSlot(number, position, etui)
        if slot in found[team]:
            at_once.add((team, slot))
        found[team][slot] = BADGES[badge - 1]
    for team, slot in at_once:
        del found[team][slot]
    return dict(found)
