"""The model of the tokens that directors make for programs, and the scopes that a token may have."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Membership
from clubs.models.shown_names import validate_name


class Scope(models.TextChoices):
    """A scope of a token: reading what its owner may read, entering results, or everything that its owner may do."""

    READ = "read", _("read everything, including what is not public")
    ENTER = "enter", _("enter results")
    DIRECT = "direct", _("do everything that a director may do")


class ProgramToken(models.Model):
    """A token by which a program uses the API with one role: that of one account in one club.

    Only a digest of the token is stored. The row is deleted with the row of the role.
    """

    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="program_tokens")
    name = models.CharField(_("name"), max_length=80, validators=[validate_name])
    digest = models.CharField(max_length=64, unique=True, editable=False)
    access = models.CharField(
        max_length=64, editable=False, help_text="what sessions are held against: another password ends the token too"
    )
    may_read = models.BooleanField()
    may_enter = models.BooleanField()
    may_direct = models.BooleanField()
    made_at = models.DateTimeField()
    ends_on = models.DateField(_("last day"))
    used_at = models.DateTimeField(null=True, help_text="the last use, up to ten minutes earlier than it was")
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["member", "name"], condition=Q(ended_at=None), name="program_token_name_once_in_use"
            ),
            models.CheckConstraint(
                condition=Q(may_read=True) | Q(may_enter=True) | Q(may_direct=True), name="program_token_has_a_scope"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member} · {self.name}"

    @property
    def scopes(self) -> list[Scope]:
        given = {Scope.READ: self.may_read, Scope.ENTER: self.may_enter, Scope.DIRECT: self.may_direct}
        return [scope for scope, has_it in given.items() if has_it]
