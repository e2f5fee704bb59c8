"""Who people are: accounts, clubs, the roles in them, their players and seasons. Knows nothing of tournaments."""

import re

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

# Controls, line ends, and what turns the direction of writing: nobody sees them, and they disguise what he does see.
HIDDEN = re.compile(r"[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def hidden_in(text: str) -> str:
    """The first character that no name may hold, as "U+202E"; "" where there is none."""
    found = HIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def validate_name(text: str) -> None:
    """What every name is asked for, a player's, a club's, a tournament's, a set's; and every reason that is kept."""
    if code := hidden_in(text):
        raise ValidationError(
            _("There is a character in it that nobody sees (%(code)s): type it again by hand."),
            code="hidden_character",
            params={"code": code},
        )


class User(AbstractUser):
    """An account that can log in. What it may do is told by its memberships alone."""

    @cached_property
    def roles(self) -> dict[int, str]:
        """Its role in each of its clubs, by the club's key: asked once for each time that the account is loaded, which
        is once a request."""
        return dict(self.memberships.values_list("club_id", "role"))


class Club(models.Model):
    name = models.CharField(_("name"), max_length=120, validators=[validate_name])
    slug = models.SlugField(max_length=60, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    names_version = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text="raised by each write that changes a name shown: players.raise_names_version",
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    class Role(models.TextChoices):
        DIRECTOR = "director", _("director")
        HELPER = "helper", _("helper")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="membership_once_per_club"),
            models.CheckConstraint(condition=Q(role__in=["director", "helper"]), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.club} · {self.role}"


class Player(models.Model):
    """A person on a club's list. The licence number, where given, tells two people of one name apart."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    last_name = models.CharField(_("family name"), max_length=80, validators=[validate_name])
    first_name = models.CharField(_("first name"), max_length=80, blank=True, validators=[validate_name])
    licence = models.CharField(_("licence number"), max_length=20, blank=True, validators=[validate_name])

    class Meta:
        ordering = ["last_name", "first_name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "licence"], condition=~Q(licence=""), name="player_licence_once_per_club"
            ),
            models.UniqueConstraint(
                fields=["club", "last_name", "first_name"], condition=Q(licence=""), name="player_name_once_per_club"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def listed(self) -> str:
        """As a list in the order of family names has it."""
        return f"{self.last_name} {self.first_name}".strip()


class Season(models.Model):
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60, validators=[validate_name])
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))

    class Meta:
        ordering = ["-starts_on"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once_per_club"),
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="season_ends_after_its_start"),
        ]

    def __str__(self) -> str:
        return self.name
