"""The storing of a verified plan as a version, in every format."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import Max

from clubs.models import User
from evenings.plans.current import faults_in
from movements import (
    LinePlan,
    Plan,
    PlanFault,
    PlanFigures,
    compute_figures,
    write_figures,
    write_plan,
)
from tournaments.errors import ActionRefused, Conflict
from tournaments.log import log_action
from tournaments.models import PlanVersion, ResultEntry, Ruling, Session

Offered = TypeVar("Offered")
IMPORTED = "imported"  # the code of a plan from a file


def write_shape(session: Session, competitors: int) -> str:
    """Return the values that the proposals depend on as a text such as "14-7-4-0".

    They are the number of competitors, of positions and of étuis per position, and 1 for a barometer.
    """
    return f"{competitors}-{session.positions}-{session.etuis_per_position}-{int(session.barometer)}"


def pick_proposal(offered: Sequence[Offered], choice: int) -> Offered:
    """Return the proposal with the index `choice`, or raise `ActionRefused`."""
    if not 0 <= choice < len(offered):
        raise ActionRefused("plan_unknown", "plan")
    return offered[choice]


def require_same_shape(shape: str, now: str) -> None:
    """Raise `Conflict` if the shape that the user saw is not the shape now."""
    if shape != now:
        raise Conflict("plan_out_of_date")


def keep_choice(
    session: Session,
    plan: LinePlan | Plan[int],
    *,
    code: str,
    params: Mapping[str, object],
    by: User | None,
    now: dt.datetime,
) -> PlanVersion:
    """Replace the plan of a session in preparation by this one, and return the new version.

    Its operation notes for which positions the plan was offered, and whether for a barometer: if none is possible, the
    site offers other plans.
    """
    session.plans.all().delete()
    offered_for_barometer = session.barometer and code != IMPORTED
    operation = {"kind": "choice", "positions": session.positions, "barometer": offered_for_barometer}
    return store_plan(session, plan, code=code, params=params, operation=operation, by=by, now=now)


def store_plan(
    session: Session,
    plan: LinePlan | Plan[int],
    *,
    code: str,
    params: Mapping[str, object],
    operation: Mapping[str, object],
    by: User | None,
    now: dt.datetime,
    fixed: int = 0,
    accepted: Collection[PlanFault] = (),
    changed: Mapping[str, Any] | None = None,
) -> PlanVersion:
    """Store and return a new version of the plan, and log it. `changed` are other columns of its row.

    Raise `ActionRefused` as `require_right_plan` does.
    """
    figures = require_right_plan(plan, fixed=fixed, accepted=accepted)
    newest = {
        "newest_entry": ResultEntry.objects.filter(play__session=session).aggregate(last=Max("pk"))["last"] or 0,
        "newest_ruling": Ruling.objects.filter(play__session=session).aggregate(last=Max("pk"))["last"] or 0,
    }
    last = session.plans.aggregate(last=Max("number"))["last"] or 0
    version = PlanVersion.objects.create(
        session=session,
        number=last + 1,
        data=write_plan(plan),
        figures=write_figures(plan.seating, figures),
        code=code,
        params=dict(params),
        operation=dict(operation),
        author=by,
        made_at=now,
        **newest,
        **(changed or {}),
    )
    log_action(session, f"plan_{operation['kind']}", by=by, now=now, words=str(operation.get("words", "")))
    return version


def require_right_plan(
    plan: LinePlan | Plan[int], *, fixed: int = 0, accepted: Collection[PlanFault] = ()
) -> PlanFigures:
    """Return the figures of a plan that is proposed or stored.

    Raise `ActionRefused` if the plan has a fault in a position after `fixed` that is not `accepted`. The faults of
    mistakes at the tables are accepted.
    """
    if faults := [fault for fault in faults_in(plan, fixed=fixed) if fault not in accepted]:
        raise ActionRefused("plan_faulty", "plan", problem=faults[0], count=len(faults))
    return compute_figures(plan)


def is_for_settings(version: PlanVersion, plan: LinePlan | Plan[int], competitors: int) -> bool:
    """Return whether a plan that was chosen fits this number of competitors and its session's present settings."""
    session = version.session
    return (
        plan.competitors - len(plan.fillers) == competitors
        and session.positions in (version.operation.get("positions", plan.positions), plan.positions)
        and session.etuis_per_position == plan.etuis_per_position
        and (plan.in_barometer(1) or not session.barometer or version.operation.get("barometer", False))
    )
