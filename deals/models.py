"""Deal sets and their étuis. Knows which cards lie where; never who may look at them, nor what is published."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Line(models.TextChoices):
    """The four orientations, in the order in which seats are numbered."""

    NORTH = "N", _("North")
    EAST = "E", _("East")
    SOUTH = "S", _("South")
    WEST = "W", _("West")


class DealSet(models.Model):
    """Étuis that belong together: one hexadecimal seed and its commitment, or no seed where the tables deal.

    The seed is a secret; only the commitment may ever be shown before every session that uses the set is through.
    """

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="deal_sets")
    name = models.CharField(_("name"), max_length=120)
    players = models.PositiveSmallIntegerField(default=4)
    seed = models.CharField(
        max_length=64, blank=True, help_text="hexadecimal; secret until every user of the set is through"
    )
    commitment = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    sealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(seed="", commitment="") | (~Q(seed="") & ~Q(commitment="")),
                name="dealset_seed_with_commitment",
            ),
            models.CheckConstraint(condition=Q(players__in=[3, 4, 5]), name="dealset_players_3_4_5"),
        ]

    def __str__(self) -> str:
        return self.name


class Etui(models.Model):
    """One board: its number, taker and dealer always; its cards (text of dealing.md) where they are known."""

    class Origin(models.TextChoices):
        NONE = "none", _("dealt at the table")
        GENERATED = "generated", _("generated from the seed")
        TYPED = "typed", _("typed from the diagrams")
        IMPORTED = "imported", _("imported")

    deal_set = models.ForeignKey(DealSet, on_delete=models.CASCADE, related_name="etuis")
    number = models.PositiveSmallIntegerField(_("étui"))
    taker = models.CharField(_("taker"), max_length=1, choices=Line)
    dealer = models.CharField(_("dealer"), max_length=1, choices=Line)
    cards = models.CharField(max_length=200, blank=True)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.NONE)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["deal_set", "number"], name="etui_number_once_per_set"),
            models.CheckConstraint(condition=Q(number__gte=1), name="etui_number_from_1"),
            models.CheckConstraint(
                condition=Q(origin="none", cards="") | (~Q(origin="none") & ~Q(cards="")), name="etui_cards_with_origin"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal_set_id} · {self.number}"


class DealLook(models.Model):
    """That somebody looked at the cards of these étuis before they were published. Never deleted."""

    deal_set = models.ForeignKey(DealSet, on_delete=models.PROTECT, related_name="looks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    first_etui = models.PositiveSmallIntegerField()
    last_etui = models.PositiveSmallIntegerField()
    looked_at = models.DateTimeField()

    class Meta:
        ordering = ["-looked_at", "-id"]

    def __str__(self) -> str:
        return f"{self.user} · {self.first_etui}–{self.last_etui}"
