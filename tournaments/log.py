"""The log of a session, and its search: what was done, by whom, when and from which device.

Rows are only ever added.
"""

import datetime as dt
from collections import Counter

from django.db.models import Q, QuerySet

from clubs.models import User
from clubs.names import simplify_name
from tournaments.models import LogEntry, Session


def log_action(
    session: Session | int,
    action: str,
    *,
    now: dt.datetime,
    by: User | None = None,
    device: str = "",
    words: str = "",
    **params: object,
) -> LogEntry:
    """Write one line into the log. `words` are the names and numbers by which a director finds the line again."""
    return LogEntry.objects.create(
        session_id=session if isinstance(session, int) else session.pk,
        at=now,
        author=by,
        device=device,
        action=action,
        params=params,
        words=words[:400],
    )


def search_log(session: Session, *, q: str = "", action: str = "", author: str = "") -> QuerySet[LogEntry]:
    """Return the log entries that match, newest first, with their authors.

    Every word of `q` must occur in the names and numbers of the entry, in its author's name or in its device's name.
    """
    entries = LogEntry.objects.filter(session=session)
    for word in q.split():
        entries = entries.filter(
            Q(words__icontains=word)
            | Q(words__icontains=simplify_name(word))
            | Q(author__username__icontains=word)
            | Q(author__first_name__icontains=word)
            | Q(author__last_name__icontains=word)
            | Q(device__icontains=word)
        )
    if action:
        entries = entries.filter(action=action)
    if author:
        entries = entries.filter(author__username=author)
    return entries.select_related("author").order_by("-id")


def list_doings(session: Session, action: str) -> QuerySet[LogEntry]:
    """Return the log entries of this action, oldest first."""
    return LogEntry.objects.filter(session=session, action=action).order_by("id")


def list_logged(session: Session) -> tuple[set[str], list[tuple[str, str]]]:
    """Return the actions that occur in the log, and their authors as pairs of username and shown name.

    The authors are sorted by name. If two persons have the same name, the username is added to it.
    """
    entries = LogEntry.objects.filter(session=session).order_by()
    people = User.objects.filter(pk__in=entries.exclude(author=None).values("author"))
    named = sorted((person.shown_name, person.username) for person in people)
    often = Counter(name for name, _login in named)
    authors = [(login, f"{name} ({login})" if often[name] > 1 else name) for name, login in named]
    return set(entries.values_list("action", flat=True).distinct()), authors
