"""The offensive names: visitors report them, and the administrator of the site hides them.

Each step of an administrator is a line of the log of the administration. The log has the visitor's number only.
"""

import datetime as dt

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import QuerySet

from clubs.models import User
from rooms.models import Visitor
from rooms.visitors.names import VisitorRefused


def report_name(*, visitor_id: int, now: dt.datetime) -> bool:
    """Store that somebody finds a visitor's name offensive. Return False if there is nothing to report."""
    named = Visitor.objects.filter(pk=visitor_id, forgotten_at=None, hidden_at=None).exclude(name="")
    return bool(named.filter(reported_at=None).update(reported_at=now)) or named.exists()


def list_reported() -> QuerySet[Visitor]:
    """Return the visitors whose name was reported and is not hidden, the oldest report first."""
    return Visitor.objects.filter(reported_at__isnull=False, hidden_at=None).order_by("reported_at", "pk")


def list_hidden() -> QuerySet[Visitor]:
    """Return the visitors whose name is hidden, the newest first."""
    return Visitor.objects.filter(hidden_at__isnull=False).order_by("-hidden_at", "-pk")


@transaction.atomic
def hide_name(*, visitor_id: int, by: User, now: dt.datetime) -> None:
    """Show a number instead of a visitor's name, everywhere."""
    change(visitor_id, "name hidden", by, hidden_at=now, hidden_by=by, reported_at=None)


@transaction.atomic
def show_name_again(*, visitor_id: int, by: User) -> None:
    """Show the name of a visitor again, which was hidden."""
    change(visitor_id, "name shown again", by, hidden_at=None, hidden_by=None, reported_at=None)


@transaction.atomic
def keep_name(*, visitor_id: int, by: User) -> None:
    """End the report of a name, which stays."""
    change(visitor_id, "report of the name ended", by, reported_at=None)


def change(visitor_id: int, what: str, by: User, **values: object) -> None:
    if not Visitor.objects.filter(pk=visitor_id, forgotten_at=None).update(**values):
        raise VisitorRefused("visitor_unknown")
    log_of_administration(Visitor, visitor_id, what, by)


def log_of_administration(model: type, pk: int, what: str, by: User) -> None:
    """Add a line to the log of the administration. It names rows by their numbers."""
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(model),
        object_id=str(pk),
        object_repr=f"no. {pk}",
        action_flag=CHANGE,
        change_message=what,
    )
