"""The log of a session: what was done, by whom, when and from which device. Rows are only ever added."""

import datetime as dt

from clubs.models import User
from tournaments.models import LogEntry, Session


def log(
    session: Session | int,
    action: str,
    *,
    now: dt.datetime,
    by: User | None = None,
    device: str = "",
    words: str = "",
    **params: object,
) -> LogEntry:
    """Writes one line; `words` are the names and numbers by which a director finds it again."""
    return LogEntry.objects.create(
        session_id=session if isinstance(session, int) else session.pk,
        at=now,
        author=by,
        device=device,
        action=action,
        params=params,
        words=words[:400],
    )
