"""The plays of a plan of teams as rows for the database: who attacks each étui, who defends, and whose turn it is."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping

from clubs.models import User
from evenings.plans.laying import etui_ids, lay_plays, list_planned
from evenings.plans.layout import Row
from evenings.plans.teams.badges import Slots, draw_first_badge, give_turns
from evenings.teams.lineups import read_line_ups
from evenings.teams.quarters import list_attack_places
from movements import Plan, PlanStop, Seating
from scoring.formats import QUADRETTES, TEAM_MATCH, find_format
from scoring.plays import NORTH_SOUTH
from scoring.teams import AttackSlot, fill_team_seats, find_line
from tournaments.models import Entrant, Session
from tournaments.models.seats import make_seat_columns

TeamSlot = tuple[int, AttackSlot]  # an étui that a team attacks, with the team's id


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
    first, format = session.first_etui, find_format(session.tournament.format)
    etuis = session.deal_set.etuis.filter(number__gte=first).values_list("number", "taker")
    return {number - first + 1: str(format.find_taker(taker) or taker) for number, taker in etuis}


def lay_team_plays(
    session: Session,
    plan: Plan[int],
    *,
    entrants: Mapping[int, Entrant],
    tables: Mapping[int, int],
    etuis: Mapping[int, int],
    first: int = 0,
    kept: Slots,
    after: int = 0,
) -> list[Row]:
    """Return the plays of the plan after position `after` as rows.

    - `entrants`: by starting number. `tables` and `etuis`: ids by their numbers in the plan.
    - `first`: the place that attacks first in the tournament. It is not used if teams have line-ups.
    - `kept`: the slots of this session, by team id, whose badges are given already.
    """
    takers, mirror = read_takers(session), plan.seating is Seating.MIRROR
    badges = give_badges(session, plan, takers, entrants=entrants, first=first, kept=kept, after=after)
    had: dict[tuple[object, int], int] = {}

    def fill(stop: PlanStop[int], etui: int) -> Row:
        both = find_two_teams(plan, stop, takers[etui])
        # If teams mirror each other, a team plays an étui at two tables, once with its attacker and once with its
        # defenders.
        again = [had.setdefault((part, etui), stop.position) for part in (enumerate(both) if mirror else both)]
        return {
            **make_seat_columns(entrants[number].pk for number in fill_team_seats(*both, takers[etui])),
            "is_replay": any(position != stop.position for position in again),
            "badge": badges[stop.position, stop.table, etui],
        }

    return lay_plays(plan, fill, tables=tables, etuis=etuis, after=after)


def give_badges(
    session: Session,
    plan: Plan[int],
    takers: Mapping[int, str],
    *,
    entrants: Mapping[int, Entrant],
    first: int,
    kept: Slots,
    after: int,
) -> dict[tuple[int, int, int], int]:
    """Return the badge or place with which the attacking team plays each étui, by position, table and étui.

    A badge that the plan names stays. The arguments are those of `lay_team_plays`.
    """
    shift, badges, slots = session.first_etui - 1, {}, {}
    for stop, etui in list_planned(plan, after=after):
        key = stop.position, stop.table, etui
        badges[key] = stop.badge
        if not stop.badge:
            attacking = entrants[find_two_teams(plan, stop, takers[etui])[0]]
            slots[key] = team_id(attacking), AttackSlot(session.number, stop.position, etui + shift)
    places = {TEAM_MATCH.name: follow_quarters, QUADRETTES.name: follow_line_ups}.get(session.tournament.format)
    turns = places(session, slots.values()) if places else take_turns(session, slots.values(), first=first, kept=kept)
    return badges | {key: turns[slot] for key, slot in slots.items()}


def follow_quarters(session: Session, slots: Iterable[TeamSlot]) -> dict[TeamSlot, int]:
    """Return the place of the member who attacks in each slot of a match, by the line-ups of its quarters."""
    places = list_attack_places(session)
    return {(team, slot): places[team, slot.position] for team, slot in slots}


def follow_line_ups(session: Session, slots: Iterable[TeamSlot]) -> dict[TeamSlot, int]:
    """Return the place of the member who attacks in each slot, by the line-ups of the session."""
    line_ups = read_line_ups(session)
    return {(team, slot): line_ups[team].attacker.place for team, slot in slots}


def take_turns(session: Session, slots: Iterable[TeamSlot], *, first: int, kept: Slots) -> dict[TeamSlot, int]:
    """Return the place of the member who attacks in each slot, in turn by the badges."""
    wanted: defaultdict[int, list[AttackSlot]] = defaultdict(list)
    for team, slot in slots:
        wanted[team].append(slot)
    return give_turns(session, wanted, first=first, kept=kept)


def lay_team_start(session: Session, plan: Plan[int], *, by: User | None, now: dt.datetime) -> list[Row]:
    """Return the rows of the plan's plays. Give each entrant its line, and draw the colour that attacks first, if any.

    New tables have ids below 0, as `write_rows` expects.
    """
    first = 0 if plan.seating is Seating.MIRROR else draw_first_badge(session, by=by, now=now)
    return lay_team_plays(
        session,
        plan,
        entrants={entrant.number: entrant for entrant in give_lines(session, plan)},
        tables={number: -number for number in range(1, plan.tables + 1)},
        etuis=etui_ids(session),
        first=first,
        kept={},
    )


def give_lines(session: Session, plan: Plan[int]) -> list[Entrant]:
    """Store the line of each team: N if it always sits North-South, E if East-West, none if it changes sides."""
    entrants = list(session.entrants.all())
    for entrant in entrants:
        entrant.line = ("N" if entrant.number <= plan.lines[0] else "E") if plan.lines else ""
    Entrant.objects.bulk_update(entrants, ["line"])
    return entrants


def team_id(entrant: Entrant) -> int:
    """Return the id of the entrant's team. Raise `ValueError` for a single player."""
    if entrant.team_id is None:
        raise ValueError(f"entrant {entrant.pk} is no team")
    return entrant.team_id
