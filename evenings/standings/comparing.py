"""The comparison of the stored standings with a full computation from the results: both must be exactly equal.

If they differ, a write did not add a `ChangedEtui` row for its étui, or somebody changed the database by hand. Then an
error is logged, and the computed standings replace the stored ones.
"""

import datetime as dt
import logging
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q

from evenings.standings.computing import OTHERS, ComputedStandings, compute, keep
from tournaments.locks import lock_standings
from tournaments.models import ChangedEtui, Etui, Session, SessionStandings

logger = logging.getLogger(__name__)

SETTLED = dt.timedelta(minutes=5)  # the least time between two comparisons of the same session


class StandingsDifference(NamedTuple):
    """The difference between the stored standings of a session and a full computation, with étuis by their ids.

    `etuis` are the étuis whose stored figures differ or are missing. `gone` are étuis with stored figures but without a
    play. `wrong` are the étuis in these two sets that were not waiting for a computation: their stored figures are an
    error. `ranking` is True if the stored figures of the session itself are an error.
    """

    etuis: set[int]
    gone: set[int]
    wrong: set[int]
    ranking: bool

    def __bool__(self) -> bool:
        return bool(self.wrong) or self.ranking


def find_difference(kept: SessionStandings, computed: ComputedStandings) -> StandingsDifference:
    """Return the difference between the stored standings and the computed ones."""
    # Read the changes before the étuis: a job that ends now writes its étuis first, and then deletes their changes.
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
    """Store fully computed standings, if they differ from the stored ones or are newer.

    Log an error if the stored standings are wrong. The caller makes sure that the results do not change in between: it
    has locked the session, or compares the results version again.
    """
    kept = lock_standings(session.pk)
    difference = find_difference(kept, computed)
    if difference:
        log_difference(session, difference)
    elif kept.results_version == computed.results_version:
        return
    etuis = {etui: computed.etuis[etui] for etui in difference.etuis}
    changes = list(ChangedEtui.objects.filter(session=session).values_list("pk", flat=True))
    several = Session.objects.filter(OTHERS, pk=session.pk).exists()
    keep(kept, computed._replace(etuis=etuis), gone=difference.gone, changes=changes, several=several, now=now)


def compare_one(*, now: dt.datetime) -> int | None:
    """Compare the stored standings of one session with a full computation. Return the id of the session.

    Sessions are looked at if their standings are up to date and were computed since their last comparison. The one that
    was compared longest ago is taken. Return None if there is no such session. Return None too if results came in
    during the computation: the next call then takes the same session. If the computation fails, raise the error. The
    session is then not compared again before its next computation, so that the other sessions are compared.
    """
    set_back = Q(compared_at__gt=now)  # the clock was set back, so `computed_at` and `compared_at` tell nothing
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
    """Compare the session's stored standings with a full computation, and replace them if they differ.

    Return False if results came in, or standings were stored, during the computation.
    """
    computed = compute(session_id)
    if computed is None:  # the session has no play: nothing is wrong
        note_compared(session_id, now=now)
        return True
    # The lock is taken only after the computation: with SQLite, nobody else can write while it is held.
    with transaction.atomic():
        kept = lock_standings(session_id)
        if (kept.results_version, kept.session.results_version) != (computed.results_version,) * 2:
            return False
        keep_computed(kept.session, computed, now=now)
        note_compared(session_id, now=now)
    return True


def note_compared(session_id: int, *, now: dt.datetime) -> None:
    SessionStandings.objects.filter(pk=session_id).update(compared_at=now)


def log_difference(session: Session, difference: StandingsDifference) -> None:
    """Log an error that lists the étuis whose stored standings were wrong."""
    numbers = Etui.objects.filter(pk__in=difference.wrong).order_by("number").values_list("number", flat=True)
    logger.error(
        "The standings kept of session %s were not those of its results: étuis %s%s. They are replaced.",
        session.pk,
        ", ".join(map(str, numbers)) or "none",
        ", and the ranking" if difference.ranking else "",
    )
