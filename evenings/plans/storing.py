"""The storing of a verified plan as a version, for single players and for teams."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import Max

from clubs.models import User
from tournaments.errors import ActionRefused, Conflict
from tournaments.log import log_action
from tournaments.models import PlanVersion, ResultEntry, Ruling, Session

Offered = TypeVar("Offered")


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


def replace_plans(session: Session) -> dict[str, object]:
    """Delete the plans of a session in preparation. Return the operation that a newly chosen plan is stored with."""
    session.plans.all().delete()
    return {"kind": "choice", "positions": session.positions}


def store_version(
    session: Session,
    *,
    data: Mapping[str, object],
    figures: Mapping[str, object],
    code: str,
    params: Mapping[str, object],
    operation: Mapping[str, object],
    by: User | None,
    now: dt.datetime,
    **changed: Any,
) -> PlanVersion:
    """Store and return a new version of the plan, and log it. `changed` are other columns of its row."""
    newest = {
        "newest_entry": ResultEntry.objects.filter(play__session=session).aggregate(last=Max("pk"))["last"] or 0,
        "newest_ruling": Ruling.objects.filter(play__session=session).aggregate(last=Max("pk"))["last"] or 0,
    }
    last = session.plans.aggregate(last=Max("number"))["last"] or 0
    version = PlanVersion.objects.create(
        session=session,
        number=last + 1,
        data=data,
        figures=figures,
        code=code,
        params=dict(params),
        operation=dict(operation),
        author=by,
        made_at=now,
        **newest,
        **changed,
    )
    log_action(session, f"plan_{operation['kind']}", by=by, now=now, words=str(operation.get("words", "")))
    return version
