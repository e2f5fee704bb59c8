"""A national simultaneous beside a hall: the session of the hall takes part in it, or does not."""

from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.utils import timezone

from rankings.simultaneous.field.computing import refresh_field
from tournaments.queue import queue_field

if TYPE_CHECKING:
    from tournaments.models import Session


class FieldBeside:
    """A simultaneous of so many clubs, each with so many tables and all results. The hall's session is one more."""

    def __init__(self, session: "Session", clubs: int, tables: int) -> None:
        from bench.national import National

        self.session = session
        with transaction.atomic():
            made = National(clubs, tables)
        self.simultaneous, by, now = made.simultaneous, made.director, timezone.now()
        told = {"invited_at": now, "invited_by": by, "agreed_at": now, "agreed_by": by}
        self.row = self.simultaneous.clubs.create(club=session.tournament.club, **told)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        refresh_field(self.simultaneous.pk, now=now)

    def enter(self) -> None:
        """Let the hall's session take part, and queue the field as a result does."""
        self.row.session, self.row.left_at = self.session, None
        self.row.save(update_fields=["session", "left_at"])
        queue_field(self.simultaneous.pk)

    def leave(self) -> None:
        """Take the hall's session out."""
        self.row.session, self.row.left_at = None, timezone.now()
        self.row.save(update_fields=["session", "left_at"])
