"""Accounts, clubs, and the roles of the ones in the others."""

import datetime as dt
import zoneinfo

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models.folded import Findable, FoldedField, FoundByName
from clubs.models.shown_names import validate_name

AUTH_SALT = "clubs.models.User.get_session_auth_hash"


def validate_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("This is no time zone: choose one of the list."), code="unknown_zone")


class User(AbstractUser):
    """An account that can log in. What it may do is told by its memberships alone."""

    access_version = models.PositiveIntegerField(
        default=0, editable=False, help_text="raised to end every session and token: accounts.changing.end_access"
    )

    class Meta(AbstractUser.Meta):
        verbose_name = _("account")  # type: ignore[assignment]
        verbose_name_plural = _("accounts")  # type: ignore[assignment]

    def get_session_auth_hash(self) -> str:
        """What sessions and tokens are held against: another password, or another version, ends them all."""
        return salted_hmac(AUTH_SALT, f"{self.password}{self.access_version}", algorithm="sha256").hexdigest()

    @property
    def shown_name(self) -> str:
        return self.get_full_name() or self.username

    @cached_property
    def roles(self) -> dict[int, str]:
        """Its role in each of its clubs, by the club's key: asked once for each time that the account is loaded, which
        is once a request. Only `accounts.roles` reads it."""
        if not self.is_active:
            return {}
        return dict(self.memberships.filter(in_force()).values_list("club_id", "role"))


class AnyClubs(models.Manager["Club"]):
    def get_queryset(self) -> models.QuerySet["Club"]:
        return FoundByName(self.model, using=self._db)


class RealClubs(AnyClubs):
    """Without those that are for practice, so that no list names them by accident."""

    def get_queryset(self) -> models.QuerySet["Club"]:
        return super().get_queryset().filter(practice_of=None)


class Club(Findable):
    """A club; or, as `practice_of` one, what its directors try things out with: invented players and their evenings,
    apart from all that is real and seen by nobody else. `objects` has the real ones, `every` both."""

    name = models.CharField(_("name"), max_length=120, validators=[validate_name])
    slug = models.SlugField(max_length=60, unique=True)
    time_zone = models.CharField(_("time zone"), max_length=60, blank=True, validators=[validate_zone])
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    practice_of = models.OneToOneField(
        "self", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="practice"
    )
    names_version = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text="raised by each write that changes a name shown: players.raise_names_version",
    )
    folded = FoldedField()

    objects = RealClubs()
    every = AnyClubs()

    class Meta:
        verbose_name = pgettext_lazy("where people play", "club")
        verbose_name_plural = pgettext_lazy("where people play", "clubs")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> zoneinfo.ZoneInfo | None:
        """In which its hours are shown; None for that of the site."""
        return zoneinfo.ZoneInfo(self.time_zone) if self.time_zone else None


def day_of_roles(now: dt.datetime | None = None) -> dt.date:
    """Return the day by which a role has ended or not: by the clock of the site, the same for every club and reader."""
    return timezone.localdate(now, timezone.get_default_timezone())


def in_force() -> Q:
    """Return the condition of memberships whose last day is not over."""
    return Q(ends_on=None) | Q(ends_on__gte=day_of_roles())


class Membership(models.Model):
    class Role(models.TextChoices):
        DIRECTOR = "director", _("director")
        HELPER = "helper", _("helper")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    invited_by = models.ForeignKey(
        User,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="whose invitation gave the role",
    )

    class Meta:
        verbose_name, verbose_name_plural = _("role"), _("roles")
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="membership_once_per_club"),
            models.CheckConstraint(condition=Q(role__in=["director", "helper"]), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.club} · {self.get_role_display()}"

    @property
    def is_over(self) -> bool:
        return self.ends_on is not None and self.ends_on < day_of_roles()
