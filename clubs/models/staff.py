"""The models of invitations, of links for a new password, of tries to log in, and of the log of a club."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Club, Membership, User
from clubs.models.one_use import OneUseLink
from clubs.models.shown_names import validate_name


class Invitation(OneUseLink):
    """A link by which one person gets a role in a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=10, choices=Membership.Role)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    whom = models.CharField(_("for whom"), max_length=120, blank=True, validators=[validate_name])

    class Meta(OneUseLink.Meta):
        constraints = [
            models.CheckConstraint(condition=Q(role__in=["director", "helper"]), name="invitation_role_known")
        ]

    def __str__(self) -> str:
        return f"{self.club} · {self.get_role_display()} · {self.whom}"


class PasswordLink(OneUseLink):
    """A link by which the owner of an account chooses a new password."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="password_links")
    club = models.ForeignKey(Club, null=True, on_delete=models.CASCADE, related_name="password_links")
    access = models.CharField(
        max_length=64, editable=False, help_text="what sessions are held against: another password ends the link too"
    )

    def __str__(self) -> str:
        return f"{self.user} · {self.made_at}"


class LogInTry(models.Model):
    """A log-in, or a wrong password that somebody typed. It is deleted after 30 days.

    `name` is the user name of the account, or what was typed if there is none. `address` is the counted address.
    """

    at = models.DateTimeField(_("time"), db_index=True)
    name = models.CharField(_("account name"), max_length=255)
    address = models.GenericIPAddressField(_("network address"), null=True)
    agent = models.CharField(_("browser"), max_length=255)
    succeeded = models.BooleanField(_("logged in"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("try to log in")
        verbose_name_plural = _("tries to log in")

    def __str__(self) -> str:
        return f"{self.at} {self.name}"


class ClubLogEntry(models.Model):
    """An entry in the log of a club: a change of its roles, players or settings. Entries are never changed."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField()
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    action = models.CharField(max_length=30)
    params = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at} {self.action}"
