"""The correction of a mistake in a running session of teams. `carry_out.undo_change` undoes it.

There are two kinds of mistakes. Two teams exchanged their seats in a position, at one table or at two. Or a table
played other étuis than planned. The results go to the étuis that were played and to the teams that played them. Nobody
changes seat in the positions to come. If another team attacks in a play after the correction, only the director can
know which of its players attacked.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.db import transaction

from clubs.models import User
from evenings.changes.carry_out import (
    MENDED,
    SEATS_MENDED,
    check_seen,
    difference,
    keep_rulings,
    retake,
    tell_redirected,
)
from evenings.changes.teams import find_given, lay_after
from evenings.changes.ways import etuis_played, find_held
from evenings.plans.current import SessionPlan, evening_of
from evenings.plans.laying import write_rows
from evenings.plans.layout import Row, find_laid_rows
from evenings.plans.plays_after import PlaysAfter, PlaysBefore, read_before
from evenings.plans.storing import store_plan
from evenings.plans.teams.badges import give_turns
from evenings.plans.teams.laying import find_two_teams, read_takers, team_id
from evenings.plays.entering import raise_results_version
from evenings.tables.devices import open_tables
from movements import Plan, PlanStop, Seating, find_faults
from scoring.teams import AttackSlot, fill_team_seats
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan
from tournaments.models import Entrant, PlanVersion, Session
from tournaments.models.seats import make_seat_columns, read_row_seats
from tournaments.rules.operations import Swap, WrongEtuis, write_operation_data

Mistake = Swap | WrongEtuis


@dataclass(frozen=True, slots=True)
class MendedTeams:
    """The session of teams after the correction of a mistake, before anything is written.

    `after` has all plays as they will be. `turned` are the ids of the plays in which another team attacks.
    """

    evening: SessionPlan
    plan: Plan[int]
    before: PlaysBefore
    after: PlaysAfter
    turned: frozenset[int]


def find_mended_teams(session: Session, mistake: Mistake) -> MendedTeams:
    """Return the session as it will be after the correction. This writes nothing.

    Raise `ActionRefused` if the session has not started, or if the mistake is impossible.
    """
    if session.status != Session.Status.RUNNING or (evening := evening_of(session)) is None:
        raise ActionRefused("session_not_started")
    before, exchanged = read_before(session), dict[tuple[int, int], int]()
    if isinstance(mistake, Swap):
        plan = swap_teams(evening, mistake)
    else:
        if evening.plan.seating is not Seating.SIDES:
            raise ActionRefused("team_at_tables")
        first = session.first_etui - 1
        exchanged = {
            (table, planned - first): number - first
            for (table, planned), number in etuis_played(evening, mistake).items()
        }
        plan = exchange_etuis(evening.plan, mistake.position, exchanged)
    mended = mend_rows(evening, plan, before, position=mistake.position, exchanged=exchanged)
    turned = {pk: row for pk, row in mended.items() if attacks_of(row) != attacks_of(before.rows[pk])}
    after = max(mistake.position, find_held(session))
    rows = {**before.rows, **mended}
    rows |= give_badges_anew(evening, before, rows, turned, after=after)
    told = mended.keys() if isinstance(mistake, WrongEtuis) else set()
    laid, met = lay_after(before, plan, rows, after=after, told=told)
    found = PlaysAfter(laid, met, frozenset(mended), ())
    return MendedTeams(evening, plan, before, found, frozenset(turned))


def swap_teams(evening: SessionPlan, mistake: Swap) -> Plan[int]:
    """Return the plan in which the two teams have exchanged their seats in the position. One of them may rest there.

    Raise `ActionRefused` if a team was not there, or sits at several tables.
    """
    entrants = {entrant.pk: entrant for entrant in evening.entrants}
    position, most = mistake.position, max(1, find_held(evening.session))
    if not 1 <= position <= most:
        raise ActionRefused("position_unknown", "position", most=most)
    both: list[Entrant] = []
    for pk, field in ((mistake.one, "one"), (mistake.other, "other")):
        entrant = entrants.get(pk)
        if entrant is None:
            raise ActionRefused("entrant_unknown", field)
        if entrant in both:
            raise ActionRefused("swap_of_one", field, name=entrant.own_name)
        if not entrant.is_there(position):
            raise ActionRefused("team_gone", field, name=entrant.own_name)
        if sum(entrant.number in stop.people for stop in evening.plan.at(position)) > 1:
            raise ActionRefused("team_at_tables", field)
        both.append(entrant)
    one, other = (entrant.number for entrant in both)
    exchange = {one: other, other: one}

    def seat(stop: PlanStop[int]) -> PlanStop[int]:
        if stop.position != position:
            return stop
        return stop._replace(seats=tuple(None if team is None else exchange.get(team, team) for team in stop.seats))

    return replace(evening.plan, stops=tuple(map(seat, evening.plan.stops)))


def exchange_etuis(plan: Plan[int], position: int, exchanged: Mapping[tuple[int, int], int]) -> Plan[int]:
    """Return the plan with the étuis that were played. `exchanged` has them by table and planned étui.

    Raise `ActionRefused` if a table would have an étui twice.
    """
    stops = []
    for stop in plan.stops:
        etuis = stop.etuis
        if stop.position == position:
            etuis = tuple(exchanged.get((stop.table, etui), etui) for etui in etuis)
        if len(set(etuis)) < len(etuis):
            raise ActionRefused("etui_twice_at_table", "pairs", table=stop.table)
        stops.append(stop._replace(etuis=etuis))
    return replace(plan, stops=tuple(stops))


def mend_rows(
    evening: SessionPlan,
    plan: Plan[int],
    before: PlaysBefore,
    *,
    position: int,
    exchanged: Mapping[tuple[int, int], int],
) -> dict[int, Row]:
    """Return the rows of the position that differ from the stored ones, by id, with the étuis and teams of `plan`."""
    takers, numbers = read_takers(evening.session), {pk: number for number, pk in before.etuis.items()}
    stops = {stop.table: stop for stop in plan.at(position) if stop.complete}
    mended = {}
    for pk, row in before.rows.items():
        table = before.table_numbers[row["table_id"]]
        if row["position"] != position or table not in stops:
            continue
        planned = numbers[row["etui_id"]]
        etui = exchanged.get((table, planned), planned)
        both = find_two_teams(plan, stops[table], takers[etui])
        seats = fill_team_seats(*both, takers[etui])
        new = {
            **row,
            "etui_id": before.etuis[etui],
            **make_seat_columns(evening.holder(number, position).pk for number in seats),
        }
        if new != row:
            mended[pk] = new
    return mended


def attacks_of(row: Row) -> int:
    """Return the id of the entrant who attacks in a row. It is the one who has only one seat."""
    seats = [pk for pk in read_row_seats(row) if pk is not None]
    return next(pk for pk in seats if seats.count(pk) == 1)


def give_badges_anew(
    evening: SessionPlan, before: PlaysBefore, rows: Mapping[int, Row], turned: Mapping[int, Row], *, after: int
) -> dict[int, Row]:
    """Return the `turned` rows with the badge whose turn it is in the team that attacks now.

    `rows` are all rows. Those up to position `after` keep their badges.
    """
    session = evening.session
    entrants = {entrant.pk: entrant for entrant in evening.entrants}
    kept = {pk: row for pk, row in rows.items() if row["position"] <= after and pk not in turned}
    slots = {
        pk: AttackSlot(session.number, row["position"], before.numbers[row["etui_id"]]) for pk, row in turned.items()
    }
    by_team: defaultdict[int, list[AttackSlot]] = defaultdict(list)
    for pk, row in turned.items():
        by_team[team_id(entrants[attacks_of(row)])].append(slots[pk])
    first = session.tournament.first_badge
    turns = give_turns(session, by_team, first=first, kept=find_given(session, kept, entrants))
    return {pk: {**row, "badge": turns[team_id(entrants[attacks_of(row)]), slots[pk]]} for pk, row in turned.items()}


@transaction.atomic
def mend_teams(*, session_id: int, mistake: Mistake, seen: int, by: User, now: dt.datetime) -> PlanVersion:
    """Correct a mistake in a running session of teams. Return the new version of the plan.

    `seen` is the number of the plan that the user saw. Raise `Conflict` if the session has a newer one.
    """
    session = lock_plan(session_id, no_key=True)
    check_seen(session, seen)
    mended = find_mended_teams(session, mistake)
    swapped = (mistake.one, mistake.other) if isinstance(mistake, Swap) else ()
    done: dict[str, object] = write_operation_data(mistake) | {
        "positions_before": session.positions,
        "tables": list(session.tables.values_list("number", flat=True)),
        "words": " ".join(one.own_name for one in mended.evening.entrants if one.pk in swapped),
        **{name: [] for name in ("gone", "returned", "added")},
    }
    before, rows = mended.before.rows, mended.after.rows
    done["rulings"] = keep_rulings(before.keys() - rows.keys())
    write_rows(session, before, rows)
    open_tables(session, now=now)
    tell_redirected(mended.before, mended.after, by=by, now=now)
    done["attackers"] = retake(session, by=by, now=now, reason=SEATS_MENDED if swapped else MENDED)
    version = store_plan(
        session,
        mended.plan,
        code=mended.evening.code,
        params={},
        operation=done,
        by=by,
        now=now,
        accepted=find_faults(mended.plan),
        changed=difference(before, find_laid_rows(session)),
    )
    raise_results_version(session.pk)
    return version
