"""The secret addresses of personal calendars. Fields and constraints only."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.requests import PersonalLink


class CalendarLink(models.Model):
    """A secret address of a calendar, which belongs either to an account or to a player's personal link.

    With `user`, the calendar shows the evenings of the account's players in all their clubs. With `personal`, it shows
    the player's evenings in the club of that link. The address is no longer valid once it or its personal link is
    revoked.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="calendar_links"
    )
    personal = models.ForeignKey(PersonalLink, null=True, on_delete=models.CASCADE, related_name="calendar_links")
    token = models.CharField(max_length=43, unique=True)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(revoked_at=None), name="calendar_once_per_account"),
            models.UniqueConstraint(fields=["personal"], condition=Q(revoked_at=None), name="calendar_once_per_link"),
            models.CheckConstraint(
                condition=Q(user=None, personal__isnull=False) | Q(user__isnull=False, personal=None),
                name="calendar_of_an_account_or_a_link",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or ''} {self.personal_id or ''}".strip()
