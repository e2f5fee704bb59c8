"""The models of the cash box of an evening: fees, payments, counts and prizes. Fields and constraints only.

All amounts are whole numbers of cents.
"""

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Player, validate_name
from tournaments.models.evening import Session, Tournament
from tournaments.models.published import Publication
from tournaments.models.registration import Applicant

MOST_CENTS = 10_000_000


class Fee(models.Model):
    """A fee of a tournament, such as the one for members. `preset` says for whom the check-in proposes it.

    A fee that is not used any more has `ended_at`, and its row stays, because payments refer to it.
    """

    class FeePreset(models.TextChoices):
        EVERYBODY = "all", _("everybody else")
        MEMBERS = "member", _("members of the club")
        YOUTH = "youth", _("juniors and players under 18")
        NOBODY = "none", pgettext_lazy("a fee that is proposed to", "nobody")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="fees")
    name = models.CharField(_("name"), max_length=60, validators=[validate_name])
    cents = models.PositiveIntegerField(validators=[MaxValueValidator(MOST_CENTS)])
    preset = models.CharField(_("proposed to"), max_length=6, choices=FeePreset, default=FeePreset.EVERYBODY)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "name"], condition=Q(ended_at=None), name="fee_name_once_per_tournament"
            ),
            models.UniqueConstraint(
                fields=["tournament", "preset"],
                condition=Q(ended_at=None) & ~Q(preset="none"),
                name="fee_preset_once_per_tournament",
            ),
            models.CheckConstraint(condition=Q(cents__lte=MOST_CENTS), name="fee_of_a_plausible_amount"),
        ]

    def __str__(self) -> str:
        return self.name


class Payment(models.Model):
    """A payment for a session, or money given back. Rows are never changed.

    The payer is an applicant, a player of the club's list, or both. A row that gives a payment back names it in
    `reverses` and has the negative amount. `turn` is the number of payments that this payer got back before.
    A second payment of the same turn is refused, even from another desk. Rows that give back have no turn.
    """

    class PaymentWay(models.TextChoices):
        CASH = "cash", _("cash")
        CHEQUE = "cheque", _("cheque")
        CARD = "card", pgettext_lazy("a way to pay", "card")
        TRANSFER = "transfer", _("bank transfer")
        FREE = "free", pgettext_lazy("a way to pay", "free of charge")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="payments")
    applicant = models.ForeignKey(Applicant, null=True, on_delete=models.SET_NULL, related_name="payments")
    player = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="payments")
    fee = models.ForeignKey(Fee, null=True, on_delete=models.PROTECT, related_name="payments")
    cents = models.IntegerField()
    way = models.CharField(max_length=8, choices=PaymentWay, default=PaymentWay.CASH)
    turn = models.PositiveSmallIntegerField(null=True)
    reverses = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="reversed_by")
    reason = models.CharField(_("reason"), max_length=300, blank=True, validators=[validate_name])
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "applicant", "turn"], name="payment_of_an_applicant_once_per_turn"
            ),
            models.UniqueConstraint(fields=["session", "player", "turn"], name="payment_of_a_player_once_per_turn"),
            models.CheckConstraint(
                condition=Q(turn__isnull=False, cents__gte=0) | Q(turn=None, cents__lte=0),
                name="payment_taken_or_given_back",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}: {self.cents}"


class CashCount(models.Model):
    """The cash that a director counted at the end of a session, and the float that was in the box before.

    Rows are never changed: the newest one counts.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="cash_counts")
    counted = models.PositiveIntegerField(help_text="in cents")
    float_cents = models.PositiveIntegerField(default=0, help_text="the money in the box before the evening, in cents")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.session_id}: {self.counted}"


class PrizePlan(models.Model):
    """The rules for the prizes of a session: the pot, and the list of prizes.

    The pot is a share of the fees, in per cent, and an addition. `lines` has a line of text for each prize, as
    `tournaments.rules.cash` reads them.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="prize_plan")
    share = models.PositiveSmallIntegerField(_("share of the fees, in per cent"), default=100)
    added = models.PositiveIntegerField(default=0, help_text="in cents")
    lines = models.TextField(_("prizes"), blank=True, max_length=4000)
    one_each = models.BooleanField(_("one prize a person at most"), default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(share__range=(0, 100)), name="prize_share_0_to_100"),
            models.CheckConstraint(condition=Q(added__lte=MOST_CENTS), name="prize_addition_plausible"),
        ]

    def __str__(self) -> str:
        return f"prizes of {self.session_id}"


class PrizeHanded(models.Model):
    """The prize money that a player got for a rank in a published version. Rows are never changed.

    `turn` is the number of rows that the player had in this session before: so a button pressed twice makes one row. A
    row with a negative amount says that the money was not handed over after all, or came back.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="prizes_handed")
    publication = models.ForeignKey(Publication, null=True, on_delete=models.SET_NULL, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="prizes_handed")
    cents = models.IntegerField()
    turn = models.PositiveSmallIntegerField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["session", "player", "turn"], name="prize_handed_once_per_turn"),
            models.CheckConstraint(condition=~Q(cents=0), name="prize_handed_of_some_money"),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}: {self.player_id} {self.cents}"
