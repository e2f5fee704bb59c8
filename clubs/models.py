"""Who people are: accounts, clubs, the roles in them, their players and seasons. Knows nothing of tournaments."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """An account that can log in. What it may do is told by its memberships alone."""


class Club(models.Model):
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

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
    last_name = models.CharField(_("family name"), max_length=80)
    first_name = models.CharField(_("first name"), max_length=80, blank=True)
    licence = models.CharField(_("licence number"), max_length=20, blank=True)

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


class Season(models.Model):
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60)
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
