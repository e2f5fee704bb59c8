"""The models of accounts, of clubs and roles, of links that work once, of tokens, and of a site's first run."""

import datetime as dt
import zoneinfo
from typing import NamedTuple

from django.conf import settings
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


class OneUseLink(models.Model):
    """A link that works once for the person who has its token, until a certain time, unless it is revoked.

    Only a digest of the token is stored.
    """

    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    by_site = models.BooleanField(
        default=False, editable=False, help_text="made for the site, by its administrator or a command of its server"
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-made_at"]


AUTH_SALT = "clubs.models.User.get_session_auth_hash"


def validate_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("This is not a time zone: choose one from the list."), code="unknown_zone")


class RoleLimit(NamedTuple):
    """The only role that an account has in a request of a program: the key of a club, and the role there."""

    club: int
    role: str | None


class User(AbstractUser):
    """An account that can log in. Its memberships say what it may do.

    `limit` is set on the account of a request that came with the token of a program. It is not a column.
    """

    limit: RoleLimit | None = None

    access_version = models.PositiveIntegerField(
        default=0, editable=False, help_text="raised to end every session and token: accounts.changing.end_access"
    )

    class Meta(AbstractUser.Meta):
        verbose_name = _("account")  # type: ignore[assignment]
        verbose_name_plural = _("accounts")  # type: ignore[assignment]

    def get_session_auth_hash(self) -> str:
        """Return the hash that sessions and tokens must have.

        A new password, or a new access version, changes the hash and so ends all of them.
        """
        return salted_hmac(AUTH_SALT, f"{self.password}{self.access_version}", algorithm="sha256").hexdigest()

    @property
    def shown_name(self) -> str:
        return self.get_full_name() or self.username

    @cached_property
    def roles(self) -> dict[int, str]:
        """The account's role in each of its clubs, by club key.

        Reading it takes one query for each loaded account, and none for the account of a browser's session
        (`find_account_with_roles`) or of one with a limit. Only `clubs.roles` may read it.
        """
        if not self.is_active:
            return {}
        if self.limit is not None:
            return {} if self.limit.role is None else {self.limit.club: self.limit.role}
        # The days are compared here: Django takes twice as long to write a query with the condition of `in_force`.
        members = Membership.objects.filter(user_id=self.pk).values_list("club_id", "role", "ends_on")
        return {club: role for club, role, ends_on in members if is_in_force(ends_on)}


class AnyClubs(models.Manager["Club"]):
    def get_queryset(self) -> models.QuerySet["Club"]:
        return FoundByName(self.model, using=self._db)


class RealClubs(AnyClubs):
    """A manager of all clubs except practice clubs, so that no list shows these by mistake."""

    def get_queryset(self) -> models.QuerySet["Club"]:
        return super().get_queryset().filter(practice_of=None)


class Club(Findable):
    """A club. `objects` has the real clubs; `every` has practice clubs too.

    A practice club belongs to a real club (`practice_of`). It has invented players and evenings, with which directors
    can practise. Nobody else sees it, and it has no real data.
    """

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
        """The time zone in which the club's hours are shown, or None for the site's time zone."""
        return zoneinfo.ZoneInfo(self.time_zone) if self.time_zone else None

    @property
    def is_practice(self) -> bool:
        """True for a club in which directors practise with invented players.

        Only people with a role in the real club see it.
        """
        return self.practice_of_id is not None

    @property
    def real(self) -> "Club":
        """The club itself or, for a practice club, the real club that it belongs to."""
        return self.practice_of or self

    @property
    def real_id(self) -> int:
        """The key of the real club."""
        return self.practice_of_id or self.pk


def real_clubs(path: str = "") -> Q:
    """Return the filter that leaves out practice clubs. `path` leads to the club, for example `tournament__club`."""
    return Q(**{f"{path}__practice_of" if path else "practice_of": None})


def day_of_roles(now: dt.datetime | None = None) -> dt.date:
    """Return the date of `now`, or of today, in the site's time zone.

    Roles end by this date, whatever the time zone of a club or of a reader.
    """
    return timezone.localdate(now, timezone.get_default_timezone())


def in_force() -> Q:
    """Return the condition for memberships whose last day is not over."""
    return Q(ends_on=None) | Q(ends_on__gte=day_of_roles())


def is_in_force(ends_on: dt.date | None) -> bool:
    """Return whether a membership with this last day is not over. It is the condition of `in_force` for one row."""
    return ends_on is None or ends_on >= day_of_roles()


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
        rights = {Scope.READ: self.may_read, Scope.ENTER: self.may_enter, Scope.DIRECT: self.may_direct}
        return [scope for scope, has_it in rights.items() if has_it]


class FirstRun(models.Model):
    """The only row of its table. It has the digest of the key that a server asks for when a site is set up.

    It is locked while somebody sets up the site, so that only one person does.
    """

    THE_ONE = 1

    key_digest = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return "first run"
