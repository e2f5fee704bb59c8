"""What is kept, étui by étui, held against a computation from nothing: both must be equal, to the last fraction.

Where they are not, a change of results has not said which étui it touched, or somebody has altered the rows: it is said
loudly, and the computation from nothing takes the place of what was kept.
"""

import datetime as dt
import logging
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q

from tournaments.locks import lock_standings
from tournaments.models import ChangedEtui, Etui, Session, SessionStandings
from tournaments.standings.computing import OTHERS, Computed, compute, keep

logger = logging.getLogger(__name__)

SETTLED = dt.timedelta(minutes=5)  # between two comparisons of one session


class Difference(NamedTuple):
    """Étuis of which something else is kept, those kept that have no play, and which of both should have been right:
    they were not waiting for a computation. `ranking`: whether the session's own figures should have been, and are not.
    """

    etuis: set[int]
    gone: set[int]
    wrong: set[int]
    ranking: bool

    def __bool__(self) -> bool:
        return bool(self.wrong) or self.ranking


def find_difference(kept: SessionStandings, computed: Computed) -> Difference:
    # In this order: a job that ends meanwhile has written its étuis before their changes are gone.
    changes = set(ChangedEtui.objects.filter(session=kept.pk).values_list("etui_id", flat=True))
    rows = {row.etui_id: row for row in kept.etuis.all()}
    differ = {
        etui
        for etui, figures in computed.etuis.items()
        if etui not in rows or (rows[etui].plays, rows[etui].sums) != (figures.plays, figures.sums.to_data())
    }
    gone = rows.keys() - computed.etuis.keys()
    if not kept.sums or None in changes:
        return Difference(differ, gone, set(), ranking=False)
    ranking = kept.results_version == computed.results_version and (
        (kept.data, kept.sums) != (computed.figures, computed.sums.to_data())
    )
    return Difference(differ, gone, (differ | gone) - changes, ranking)


def settle(session: Session, computed: Computed, *, now: dt.datetime) -> None:
    """Keeps what was computed from nothing, and says so where what was kept for the same results is something else.

    The results may not change meanwhile: the session is locked by who calls, or its version is looked at again.
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
    """Compares the session that was compared longest ago, of those whose fresh standings were computed since; its id.

    None where there is none, or where results have come in while it was computed: its turn comes again. One that cannot
    be compared says so, and has its next turn once it is computed anew: the others have theirs.
    """
    set_back = Q(compared_at__gt=now)  # the clock: what was computed since may seem older than the comparison
    due = Q(compared_at=None) | set_back | Q(compared_at__lt=now - SETTLED, computed_at__gt=F("compared_at"))
    fresh = SessionStandings.objects.filter(due, results_version=F("session__results_version"))
    found = fresh.order_by(F("compared_at").asc(nulls_first=True), "pk").values_list("pk", flat=True).first()
    if found is None:
        return None
    try:
        return found if compare(found, now=now) else None
    except (OperationalError, InterfaceError):  # of the database, not of the session
        raise
    except Exception:
        note_compared(found, now=now)
        raise


def compare(session_id: int, *, now: dt.datetime) -> bool:
    """Compare the session; return whether nothing has come in meanwhile."""
    computed = compute(session_id)
    if computed is None:  # it has no play: nothing is wrong
        note_compared(session_id, now=now)
        return True
    # Only what is written is locked: on a laptop nobody else could write while a whole session is computed.
    with transaction.atomic():
        kept = lock_standings(session_id)
        if (kept.results_version, kept.session.results_version) != (computed.results_version,) * 2:
            return False
        settle(kept.session, computed, now=now)
        note_compared(session_id, now=now)
    return True


def note_compared(session_id: int, *, now: dt.datetime) -> None:
    SessionStandings.objects.filter(pk=session_id).update(compared_at=now)


def tell(session: Session, difference: Difference) -> None:
    numbers = Etui.objects.filter(pk__in=difference.wrong).order_by("number").values_list("number", flat=True)
    logger.error(
        "The standings kept of session %s were not those of its results: étuis %s%s. They are replaced.",
        session.pk,
        ", ".join(map(str, numbers)) or "none",
        ", and the ranking" if difference.ranking else "",
    )
