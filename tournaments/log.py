"""The log of a session: what was done, by whom, when and from which device; found again. Rows are only ever added."""

import datetime as dt
from collections import Counter

from django.db.models import Q, QuerySet

from clubs.models import User
from clubs.names import plain
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


def search_log(session: Session, *, q: str = "", action: str = "", author: str = "") -> QuerySet[LogEntry]:
    """Newest first, with the authors. Every word of `q` is found among the names and numbers of the entry, in its
    author's name or its device's."""
    entries = LogEntry.objects.filter(session=session)
    for word in q.split():
        entries = entries.filter(
            Q(words__icontains=word)
            | Q(words__icontains=plain(word))
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
    """Every time that it was done, in order."""
    return LogEntry.objects.filter(session=session, action=action).order_by("id")


def list_logged(session: Session) -> tuple[set[str], list[tuple[str, str]]]:
    """Return the actions that the log has, and who did them: each account's name to log in by, and the person's name,
    in the order of the latter. Where two persons have one name, the account tells them apart."""
    entries = LogEntry.objects.filter(session=session).order_by()
    people = User.objects.filter(pk__in=entries.exclude(author=None).values("author"))
    named = sorted((person.shown_name, person.username) for person in people)
    often = Counter(name for name, _login in named)
    authors = [(login, f"{name} ({login})" if often[name] > 1 else name) for name, login in named]
    return set(entries.values_list("action", flat=True).distinct()), authors
