"""The changes of a running session of teams: a team leaves, or comes late; and why each version was made.

A change keeps the positions that have begun. Badges are given anew to the étuis after them.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from evenings.changes.carry_out import check_seen, difference, keep_rulings
from evenings.changes.ways import find_held, refuse_before_coming
from evenings.plans.current import SessionPlan, evening_of
from evenings.plans.laying import write_rows
from evenings.plans.layout import Row, find_laid_rows, find_met_before, fit_rows, mark_replays
from evenings.plans.plays_after import PlaysBefore, read_before
from evenings.plans.starting import check_etuis
from evenings.plans.storing import store_plan
from evenings.plans.teams.badges import BADGES
from evenings.plans.teams.laying import lay_team_plays, team_id
from evenings.plans.teams.seating import list_ready_teams, unready
from evenings.plays.entering import raise_results_version
from evenings.tables.devices import open_tables
from movements import Plan, PlanFault, Seating, find_faults
from movements.teams import replan_with, replan_without
from scoring.teams import AttackSlot, Badge
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan
from tournaments.models import Entrant, Etui, PlanVersion, Session
from tournaments.models.seats import find_taker_seat, name_seats_by_line, read_row_seats
from tournaments.words.messages import say_proposal
from tournaments.words.team_plans import badges_of

LEAST_LEFT = 2  # a session that has begun goes on with fewer teams than its format needs for a start
Change = Callable[[SessionPlan, list[Entrant]], tuple[Plan[int], list[Entrant]]]


def leave(
    evening: SessionPlan, there: list[Entrant], *, entrant_id: int, after: int
) -> tuple[Plan[int], list[Entrant]]:
    """Return the plan without the team after position `after`, and the team's entrant with its last position set."""
    gone = next((entrant for entrant in there if entrant.pk == entrant_id), None)
    if gone is None:
        known = evening.session.entrants.filter(pk=entrant_id).select_related("team").first()
        raise ActionRefused("team_gone", "entrant", name=known.own_name if known else "?")
    refuse_before_coming(gone, after)
    rest = [entrant.number for entrant in there if entrant != gone]
    if len(rest) < LEAST_LEFT:
        raise ActionRefused("too_few_teams", "entrant", least=LEAST_LEFT)
    gone.last_position = after
    return replan_without(evening.plan, [gone.number], there=rest, after=after), [gone]


def arrive(evening: SessionPlan, there: list[Entrant], *, team_id: int, after: int) -> tuple[Plan[int], list[Entrant]]:
    """Return the plan with a further team after position `after`, and its entrant, which is not saved."""
    session = evening.session
    if known := session.entrants.filter(team=team_id).select_related("team").first():
        raise ActionRefused("team_plays_already", "team", name=known.own_name)
    team = list_ready_teams(session).filter(pk=team_id).first()
    if team is None:
        raise unready(session, team_id)
    plan = replan_with(evening.plan, there=[entrant.number for entrant in there], after=after)
    line = "" if not plan.lines else "N" if plan.competitors <= plan.lines[0] else "E"
    return plan, [Entrant(session=session, team=team, number=plan.competitors, line=line, first_position=after + 1)]


def find_team_plan(session: Session, change: Change, *, after: int) -> tuple[SessionPlan, Plan[int], list[Entrant]]:
    """Return the evening, the plan after the change, and the entrant who leaves or comes. This writes nothing.

    Raise `ActionRefused` if the session has not started, or if a position after `after` has begun.
    """
    if session.status != Session.Status.RUNNING or (evening := evening_of(session)) is None:
        raise ActionRefused("session_not_started")
    last = evening.plan.positions - 1
    if not (held := find_held(session)) <= after <= last:
        raise ActionRefused("position_begun", "after", settled=held, last=last)
    there = [entrant for entrant in evening.entrants if entrant.last_position is None]
    return evening, *change(evening, there)


def let_team_leave(
    *, session_id: int, entrant_id: int, after: int, seen: int, by: User, now: dt.datetime
) -> PlanVersion:
    """Take a team out of a running session after position `after`. Return the new version of the plan.

    `seen` is the number of the plan that the user saw. Raise `Conflict` if the session has a newer one, and
    `ActionRefused` if a later position has begun, or if too few teams would be left.
    """
    change = partial(leave, entrant_id=entrant_id, after=after)
    return change_teams(session_id, "leave", change, after=after, seen=seen, by=by, now=now)


def let_team_arrive(*, session_id: int, team_id: int, after: int, seen: int, by: User, now: dt.datetime) -> PlanVersion:
    """Let a team of the tournament play in a running session after position `after`. Return the new plan version.

    Raise what `let_team_leave` raises, and `PlanError` if the movement has no place for a further team.
    """
    change = partial(arrive, team_id=team_id, after=after)
    return change_teams(session_id, "arrive", change, after=after, seen=seen, by=by, now=now)


@transaction.atomic
def change_teams(
    session_id: int, kind: str, change: Change, *, after: int, seen: int, by: User, now: dt.datetime
) -> PlanVersion:
    """Carry out a change of the teams: `change` returns the new plan and the entrant who leaves or comes."""
    session = lock_plan(session_id, no_key=True)
    check_seen(session, seen)
    evening, plan, moved = find_team_plan(session, change, after=after)
    check_etuis(session, needed=plan.count_etuis())
    gone = [entrant.pk for entrant in moved if entrant.pk]
    done: dict[str, object] = {
        "kind": kind,
        "after": after,
        "team": moved[0].team_id,
        "positions_before": session.positions,
        "tables": list(session.tables.values_list("number", flat=True)),
        "words": " ".join(entrant.own_name for entrant in moved),
        "gone": gone,
        "returned": [],
    }
    before = read_before(session)
    for entrant in moved:
        entrant.save()
    done["added"] = [entrant.pk for entrant in moved if entrant.pk not in gone]
    wanted, _met = lay_after(before, plan, before.rows, after=after)
    done["rulings"] = keep_rulings(before.rows.keys() - wanted.keys())
    write_rows(session, before.rows, wanted)
    open_tables(session, now=now)
    changed = difference(before.rows, find_laid_rows(session))
    away = {entrant.number for entrant in session.entrants.exclude(last_position=None)}
    version = store_plan(
        session,
        plan,
        code=evening.code,
        params={},
        operation=done,
        by=by,
        now=now,
        fixed=after,
        # The faults of the present plan come from corrected mistakes in positions that stay.
        accepted=[*find_faults(evening.plan), *list_halves_alone(plan, away)],
        changed=changed,
    )
    raise_results_version(session.pk)
    return version


def list_halves_alone(plan: Plan[int], away: Collection[int]) -> list[PlanFault]:
    """Return the faults of a plan that a departure cannot avoid: an attack that a team has to leave without an answer.

    `away` are the numbers of the teams that have gone. With an odd number of quadrettes, a team may go between the two
    halves of its matches.
    """
    return [
        fault
        for fault in find_faults(plan)
        if fault.code == "mirror" and not {fault.params["team"], fault.params["other"]}.isdisjoint(away)
    ]


def lay_after(
    before: PlaysBefore, plan: Plan[int], rows: Mapping[int, Row], *, after: int, told: Collection[int] = ()
) -> tuple[dict[int, Row], dict[int, list[int]]]:
    """Return the rows of plays with the new plan, by id, and the teams that get an étui again, by the row's id.

    `rows` are those of the session, in which positions up to `after` stay. New plays have ids below 0, new tables too.
    `told` are the ids of rows whose étui was played, as the director has reported.
    """
    session = before.session
    entrants = {entrant.number: entrant for entrant in session.entrants.all()}
    kept = {pk: row for pk, row in rows.items() if row["position"] <= after}
    laid = lay_team_plays(
        session,
        plan,
        entrants=entrants,
        tables={number: -number for number in range(1, plan.tables + 1)} | before.tables,
        etuis=before.etuis,
        first=session.tournament.first_badge,
        kept=find_given(session, kept, {entrant.pk: entrant for entrant in entrants.values()})
        if badges_of(session.tournament.format)
        else {},
        after=after,
    )
    same, new = fit_rows({pk: row for pk, row in rows.items() if pk not in kept}, laid)
    badges = {identity_of(row): row for row in laid}
    again = {pk: badges[identity_of(row)] for pk, row in same.items()}
    found = {**kept, **again, **{-place: row for place, row in enumerate(new, start=1)}}
    if plan.seating is not Seating.SIDES:  # by the plan, a team has the same étui at several tables at once
        return found, {}
    met = find_met_before(found, played=before.entered | {*told}, skipped=before.skipped - {*told})
    return mark_replays(found, met), met


def identity_of(row: Row) -> tuple[int, int, int]:
    return row["position"], row["table_id"], row["etui_id"]


def find_given(
    session: Session, rows: Mapping[int, Row], entrants: Mapping[int, Entrant]
) -> dict[int, dict[AttackSlot, Badge]]:
    """Return the badges of these rows, by team id and slot."""
    etuis = {etui.pk: etui for etui in Etui.objects.filter(deal_set_id=session.deal_set_id)}
    found: defaultdict[int, dict[AttackSlot, Badge]] = defaultdict(dict)
    for row in rows.values():
        etui = etuis[row["etui_id"]]
        if row.get("badge"):
            seats = name_seats_by_line(read_row_seats(row))
            attacking = seats[find_taker_seat(seats, etui.taker)]
            slot = AttackSlot(session.number, row["position"], etui.number)
            found[team_id(entrants[attacking])][slot] = BADGES[row["badge"] - 1]
    return dict(found)


CHANGES = ("leave", "arrive")  # the kinds of operations that a director makes in a running session


def say_team_version(version: PlanVersion, names: Mapping[int, str]) -> str:
    """Return in a sentence why a version of a plan of teams was made. `names` has the teams' names by id."""
    done = version.operation
    if done.get("kind") not in CHANGES:
        return say_proposal(version)
    name = names.get(done.get("team") or 0, "?")
    if done["kind"] == "arrive":
        return _("%(team)s plays from position %(position)s on.") % {"team": name, "position": done["after"] + 1}
    if not done["after"]:
        return _("%(team)s does not play.") % {"team": name}
    return _("%(team)s leaves after position %(position)s.") % {"team": name, "position": done["after"]}
