"""The players of a club, and its seasons."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Club
from clubs.models.shown_names import validate_name


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
