"""The plays of a plan of teams as rows for the database: who attacks each étui, who defends, and whose turn it is."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evenings.plans.teams.badges import Slots, give_turns
from evenings.teams.lineups import read_line_ups
from evenings.teams.quarters import list_attack_places
from movements import Plan, PlanStop, Seating
from scoring.formats import find_format
from scoring.plays import NORTH_SOUTH
from scoring.teams import AttackSlot, fill_team_seats, find_line
from tournaments.models import Entrant, Session
from tournaments.models.seats import make_seat_columns

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlannedAttack:
    """An étui at a table in a position, with the starting numbers of the two teams. `badge` is 0 if it is not named."""

    position: int
    table: int
    etui: int
    taker: str
    attacking: int
    defending: int
    badge: int = 0


def list_attacks(plan: Plan[int], takers: Mapping[int, str], *, after: int = 0) -> list[PlannedAttack]:
    """Return the attacks at all complete tables of the plan, in the positions after `after`.

    `takers` has the taker of each étui by the étui's number in the plan.
    """
    return [
        PlannedAttack(
            stop.position, stop.table, etui, takers[etui], *find_two_teams(plan, stop, takers[etui]), stop.badge
        )
        for stop in plan.stops
        if stop.complete and stop.position > after
        for etui in stop.etuis
    ]


def find_two_teams(plan: Plan[int], stop: PlanStop[int], taker: str) -> tuple[int, int]:
    """Return the numbers of the attacking and of the defending team for an étui with this taker."""
    assert stop.first is not None
    assert stop.second is not None
    if plan.seating is Seating.SIDES and find_line(taker) != NORTH_SOUTH:
        return stop.second, stop.first
    return stop.first, stop.second


def read_takers(session: Session) -> dict[int, str]:
    """Return the taker of each of the session's étuis, by the étui's number in the plan.

    In some formats South takes every étui, whatever the étuis name.
    """
    assert session.deal_set is not None
    first, fixed = session.first_etui, find_format(session.tournament.format).fixed_taker
    etuis = session.deal_set.etuis.filter(number__gte=first).values_list("number", "taker")
    return {number - first + 1: str(fixed or taker) for number, taker in etuis}


def lay_team_rows(
    session: Session,
    attacks: list[PlannedAttack],
    *,
    entrants: Mapping[int, Entrant],
    tables: Mapping[int, int],
    etuis: Mapping[int, int],
    first: int,
    kept: Slots,
) -> list[Row]:
    """Return the rows of plays for these attacks.

    - `entrants`: by starting number. `tables` and `etuis`: ids by their numbers in the plan.
    - `first`: the place that attacks first in the tournament. It is not used if teams have line-ups.
    - `kept`: the slots of this session, by team id, whose badges are given already.
    """
    format = find_format(session.tournament.format)
    mirror = format.is_mirrored
    shift = session.first_etui - 1
    slots: defaultdict[int, list[AttackSlot]] = defaultdict(list)
    for each in attacks:
        if not each.badge:
            slots[team_id(entrants[each.attacking])].append(
                AttackSlot(session.number, each.position, each.etui + shift)
            )
    if format.has_matches:
        places = list_attack_places(session)
        turns = {(team, slot): places[team, slot.position] for team, own in slots.items() for slot in own}
    elif mirror:
        attackers = {team: line_up.attacker.place for team, line_up in read_line_ups(session).items()}
        turns = {(team, slot): attackers[team] for team, own in slots.items() for slot in own}
    else:
        turns = give_turns(session, slots, first=first, kept=kept)
    had: dict[tuple[object, int], int] = {}
    rows = []
    for each in sorted(attacks, key=lambda one: (one.position, one.table)):
        slot = AttackSlot(session.number, each.position, each.etui + shift)
        # If teams mirror each other, a team plays an étui at two tables, once with its attacker and once with its
        # defenders.
        parts = enumerate((each.attacking, each.defending)) if mirror else (each.attacking, each.defending)
        again = [had.setdefault((part, each.etui), each.position) for part in parts]
        seats = fill_team_seats(each.attacking, each.defending, each.taker)
        rows.append(
            {
                "position": each.position,
                "table_id": tables[each.table],
                "etui_id": etuis[each.etui],
                **make_seat_columns(entrants[number].pk for number in seats),
                "is_replay": any(position != each.position for position in again),
                "badge": each.badge or turns[team_id(entrants[each.attacking]), slot],
            }
        )
    return rows


def team_id(entrant: Entrant) -> int:
    """Return the id of the entrant's team. Raise `ValueError` for a single player."""
    if entrant.team_id is None:
        raise ValueError(f"entrant {entrant.pk} is no team")
    return entrant.team_id
