"""The closing of an evening, and its reopening. Both are idempotent.

When an evening is closed, tables can no longer enter results, and no position can be called. The director can still
correct, rule and publish.
"""

import datetime as dt

from django.db import transaction

from clubs.models import User
from evenings.plays.said import require_reason
from evenings.sessions.running import set_clock
from tournaments.laptop_backups import backups
from tournaments.locks import lock_running, lock_tables
from tournaments.log import log_action
from tournaments.models import ArbiterCall, ArbiterCode, Session
from tournaments.rules.clock import Clock


@transaction.atomic
def close_session(*, session_id: int, by: User, now: dt.datetime) -> Session:
    """Close the evening, and return the session. An entry that comes at the same moment is stored first, or refused."""
    lock_tables(session_id)
    session = lock_running(session_id, no_key=True)
    if session.closed_at is None:
        end_evening(session, by=by, now=now)
    return session


def end_evening(session: Session, *, by: User, now: dt.datetime) -> None:
    """Mark a session as closed: stop its clock, and end its calls for the arbiter and its arbiter's codes.

    The caller has locked the session and its tables.
    """
    session.closed_at = now
    session.save(update_fields=["closed_at"])
    set_clock(session, Clock())
    ArbiterCall.objects.filter(session=session, answered_at=None).update(answered_at=now)
    ArbiterCode.objects.filter(table__session=session, ended_at=None).update(ended_at=now, code="", grant="")
    log_action(session, "session_closed", now=now, by=by)
    backups.ask()


@transaction.atomic
def reopen_session(*, session_id: int, reason: str, by: User, now: dt.datetime) -> Session:
    """Reopen the evening, so that tables can enter results again. Return the session. Publications stay as they are."""
    given = require_reason(reason)
    lock_tables(session_id)
    session = lock_running(session_id, no_key=True)
    if session.closed_at is not None:
        session.closed_at = None
        session.save(update_fields=["closed_at"])
        log_action(session, "session_reopened", now=now, by=by, words=given, reason=given)
    return session
