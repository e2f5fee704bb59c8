"""The comparison of the stored standings with standings computed from nothing: both must be equal, étui by étui.

They must be equal to the last fraction. If they differ, a change of results did not name its étui, or somebody altered
the rows. Then an error is logged, and the standings computed from nothing replace the stored ones.
"""

import datetime as dt
import logging
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q

from tournaments.locks import lock_standings
from tournaments.models import ChangedEtui, Etui, Session, SessionStandings
from tournaments.standings.computing import OTHERS, ComputedStandings, compute, keep

logger = logging.getLogger(__name__)

SETTLED = dt.timedelta(minutes=5)  # the least time between two comparisons of one session


class StandingsDifference(NamedTuple):
    """The difference between the stored standings of a session and those computed from nothing.

    `etuis`: the étuis whose stored figures differ or are missing. `gone`: the stored étuis that have no play. `wrong`:
    the étuis of both sets that should have been right, because they were not waiting for a computation. `ranking`: True
    if the stored figures of the session itself should have been right, and are not.
    """

    etuis: set[int]
    gone: set[int]
    wrong: set[int]
    ranking: bool

    def __bool__(self) -> bool:
        return bool(self.wrong) or self.ranking


def find_difference(kept: SessionStandings, computed: ComputedStandings) -> StandingsDifference:
    # In this order: a job that ends meanwhile writes its étuis before it deletes their changes.
    changes = set(ChangedEtui.objects.filter(session=kept.pk).values_list("etui_id", flat=True))
    rows = {row.etui_id: row for row in kept.etuis.all()}
    differ = {
        etui
        for etui, figures in computed.etuis.items()
        if etui not in rows or (rows[etui].plays, rows[etui].sums) != (figures.plays, figures.sums.to_data())
    }
    gone = rows.keys() - computed.etuis.keys()
    if not kept.sums or None in changes:
        return StandingsDifference(differ, gone, set(), ranking=False)
    ranking = kept.results_version == computed.results_version and (
        (kept.data, kept.sums) != (computed.figures, computed.sums.to_data())
    )
    return StandingsDifference(differ, gone, (differ | gone) - changes, ranking)


def keep_computed(session: Session, computed: ComputedStandings, *, now: dt.datetime) -> None:
    """Store standings computed from nothing. Log an error if other standings are stored for the same results.

    The results may not change meanwhile: the caller locks the session, or compares its version again.
    """
    kept = lock_standings(session.pk)
    difference = find_difference(kept, computed)
    if difference:
        tell(session, difference)
    elif kept.results_version == computed.results_version:
        return
    etuis = {etui: computed.etuis[etui] for etui in difference.etuis}
    changes = list(ChangedEtui.objects.filter(session=session).values_list("pk", flat=True))
    several = Session.objects.filter(OTHERS, pk=session.pk).exists()
    keep(kept, computed._replace(etuis=etuis), gone=difference.gone, changes=changes, several=several, now=now)


def compare_one(*, now: dt.datetime) -> int | None:
    """Compare the stored standings of the session that was compared longest ago, and return the session's id.

    Only sessions are chosen whose standings are fresh, and were computed since their last comparison. Return None if
    there is no such session, or if results came in during the computation: the session then stays the next one. If a
    session cannot be compared, the error is raised, and the session waits until it is computed again, so that the
    others have their turn.
    """
    set_back = Q(compared_at__gt=now)  # the clock was set back: a computation since may seem older than the comparison
    due = Q(compared_at=None) | set_back | Q(compared_at__lt=now - SETTLED, computed_at__gt=F("compared_at"))
    fresh = SessionStandings.objects.filter(due, results_version=F("session__results_version"))
    found = fresh.order_by(F("compared_at").asc(nulls_first=True), "pk").values_list("pk", flat=True).first()
    if found is None:
        return None
    try:
        return found if compare(found, now=now) else None
    except (OperationalError, InterfaceError):  # an error of the database, not of the session
        raise
    except Exception:
        note_compared(found, now=now)
        raise


def compare(session_id: int, *, now: dt.datetime) -> bool:
    """Compare the session's stored standings. Return False if results came in or standings were stored meanwhile."""
    computed = compute(session_id)
    if computed is None:  # the session has no play: nothing is wrong
        note_compared(session_id, now=now)
        return True
    # Only the writing holds the lock: with SQLite nobody else could write while a whole session is computed.
    with transaction.atomic():
        kept = lock_standings(session_id)
        if (kept.results_version, kept.session.results_version) != (computed.results_version,) * 2:
            return False
        keep_computed(kept.session, computed, now=now)
        note_compared(session_id, now=now)
    return True


def note_compared(session_id: int, *, now: dt.datetime) -> None:
    SessionStandings.objects.filter(pk=session_id).update(compared_at=now)


def tell(session: Session, difference: StandingsDifference) -> None:
    numbers = Etui.objects.filter(pk__in=difference.wrong).order_by("number").values_list("number", flat=True)
    logger.error(
        "The standings kept of session %s were not those of its results: étuis %s%s. They are replaced.",
        session.pk,
        ", ".join(map(str, numbers)) or "none",
        ", and the ranking" if difference.ranking else "",
    )
