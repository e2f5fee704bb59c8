"""The log of a session and the search in it. A log entry says what was done, by whom, when and from which device.

Log entries are only added, never changed.
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
    """Add an entry to the session's log and return it.

    `action` and `params` make the sentence (see `words.log_sentences`). `words` are the names and numbers by which the
    search finds the entry; only the first 400 letters are stored.
    """
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
    """Return the session's log entries that match, newest first, joined with their authors.

    Every word of `q` must occur in the entry's `words`, in the name of its author or in the name of its device.
    `action` and `author` (a username) restrict the entries; "" means any.
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
    """Return the session's log entries with this action, oldest first."""
    return LogEntry.objects.filter(session=session, action=action).order_by("id")


def list_logged(session: Session) -> tuple[set[str], list[tuple[str, str]]]:
    """Return the actions that occur in the session's log, and their authors as pairs (username, shown name).

    The authors are sorted by shown name. If two authors have the same name, the username is added: "Ada Roux (ada2)".
    """
    entries = LogEntry.objects.filter(session=session).order_by()
    people = User.objects.filter(pk__in=entries.exclude(author=None).values("author"))
    named = sorted((person.shown_name, person.username) for person in people)
    often = Counter(name for name, _login in named)
    authors = [(login, f"{name} ({login})" if often[name] > 1 else name) for name, login in named]
    return set(entries.values_list("action", flat=True).distinct()), authors
