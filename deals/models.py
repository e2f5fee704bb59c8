"""The rows of deal sets and of their étuis. They hold cards. Other modules decide who may see them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from deals.domain.cards import LINES, Seat
from deals.secret import SecretTextField

# The seats that may take or deal: the four lines, and the fifth player if five play.
SEAT_CHOICES = list(zip(map(str, Seat), (_("North"), _("East"), _("South"), _("West"), _("Fifth")), strict=True))
LINE_CHOICES = SEAT_CHOICES[: len(LINES)]


class DealSet(models.Model):
    """A set of étuis. Its cards are dealt from one secret seed, or there is no seed and the tables deal.

    The commitment to the seed is public. The seed itself is shown only when every session that uses the set is
    finished. Copies of a set, in this club and in others, have the same `seed_digest`. `played_on`: the day on which
    the club played a set outside the sessions of the site.

    A set without a club belongs to a room. It is in no list of sets, and nobody may look at it.

    A `free` set is only a list of deal numbers, for one session: the tables deal, each table its own cards. Its étuis
    name no dealer: the deal's number and the people at the table decide who deals.

    A set from an archive may have a commitment without its seed, and étuis without their cards. A *copy* has no seed
    and no cards: a club plays the étuis of a simultaneous with it. Its `master` is the organiser's set, which has the
    cards. From `opens_at` on, the directors of the club read them there. Until `held_until`, readers see none of the
    étuis, whatever a club publishes.
    """

    club = models.ForeignKey("clubs.Club", null=True, blank=True, on_delete=models.CASCADE, related_name="deal_sets")
    name = models.CharField(_("name"), max_length=120)
    players = models.PositiveSmallIntegerField(default=4)
    free = models.BooleanField(default=False)
    seed = SecretTextField(blank=True, help_text="hexadecimal; secret until every user of the set is through")
    seed_digest = models.CharField(max_length=64, blank=True, db_index=True)
    seed_imported = models.BooleanField(default=False)
    commitment = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    profile = models.CharField(_("taker profile"), max_length=20, blank=True)
    value_name = models.CharField(_("public value announced"), max_length=200, blank=True)
    value = models.CharField(_("public value"), max_length=200, blank=True)
    sealed_at = models.DateTimeField(null=True, blank=True)
    revealed_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    played_on = models.DateField(null=True, blank=True)
    master = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="copies")
    opens_at = models.DateTimeField(null=True, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(master=None) | Q(seed=""), name="dealset_copy_without_seed"),
            models.CheckConstraint(
                condition=Q(seed="") | ~Q(commitment=""),
                name="dealset_seed_with_commitment",
            ),
            models.CheckConstraint(condition=Q(seed="") | ~Q(seed_digest=""), name="dealset_seed_with_digest"),
            models.CheckConstraint(condition=Q(players__in=[3, 4, 5]), name="dealset_players_3_4_5"),
            models.CheckConstraint(condition=Q(value="") | ~Q(value_name=""), name="dealset_value_named_in_advance"),
            models.CheckConstraint(
                condition=Q(revealed_at=None) | (~Q(seed="") & Q(sealed_at__isnull=False)),
                name="dealset_reveals_a_sealed_seed",
            ),
            models.CheckConstraint(
                condition=Q(free=False)
                | Q(seed="", commitment="", profile="", value_name="", master=None, sealed_at=None, played_on=None),
                name="dealset_free_has_no_seed",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Etui(models.Model):
    """One étui, with its number and dealer, its taker if four play, and its cards if they are known.

    An étui of a free set has its number alone.

    `cards`: the text of the deal in TDG-1. `attempt`: the number of the attempt by which the algorithm dealt these
    cards.
    """

    class Origin(models.TextChoices):
        NONE = "none", _("dealt at the table")
        AWAITED = "awaited", _("awaiting the public value")
        GENERATED = "generated", _("generated from the secret draw")
        TYPED = "typed", _("typed from the diagrams")
        IMPORTED = "imported", _("imported")

    deal_set = models.ForeignKey(DealSet, on_delete=models.CASCADE, related_name="etuis")
    number = models.PositiveSmallIntegerField(_("étui"))
    taker = models.CharField(_("taker"), max_length=1, choices=SEAT_CHOICES, blank=True)
    dealer = models.CharField(_("dealer"), max_length=1, choices=SEAT_CHOICES, blank=True)
    attempt = models.PositiveIntegerField(null=True, blank=True)
    cards = SecretTextField(blank=True)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.NONE)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["deal_set", "number"], name="etui_number_once_per_set"),
            models.CheckConstraint(condition=Q(number__gte=1), name="etui_number_from_1"),
            models.CheckConstraint(
                condition=Q(cards="") | ~Q(origin__in=["none", "awaited"]),
                name="etui_cards_with_origin",
            ),
            models.CheckConstraint(
                condition=~Q(dealer="") | Q(taker="", cards="", origin="none"), name="etui_without_dealer_is_a_number"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal_set_id} · {self.number}"


class DealLook(models.Model):
    """The record that a user saw or got the cards of some étuis, and in which way.

    It is written before a card is shown, and never deleted. `document`: the name of the printed or exported document;
    for a set that was declared played, the day.
    """

    class LookKind(models.TextChoices):
        SEEN = "seen", _("seen on the screen")
        PRINTED = "printed", _("printed")
        EXPORTED = "exported", _("exported")
        STATISTICS = "statistics", _("statistics")
        SEED = "seed", _("brought the secret draw")
        BOTS = "bots", _("played by bots")
        PLAYED = "played", _("declared played")

    deal_set = models.ForeignKey(DealSet, on_delete=models.PROTECT, related_name="looks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    first_etui = models.PositiveSmallIntegerField()
    last_etui = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=LookKind, default=LookKind.SEEN)
    document = models.CharField(max_length=20, blank=True)
    looked_at = models.DateTimeField()

    class Meta:
        ordering = ["-looked_at", "-id"]

    def __str__(self) -> str:
        return f"{self.user} · {self.first_etui}–{self.last_etui}"
