"""The models of the prizes of a session: how they are computed, and what was handed over. Fields and constraints only.

All amounts are whole numbers of cents.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from tournaments.models.cash.money import MOST_CENTS
from tournaments.models.evening import Session
from tournaments.models.published import Publication


class PrizePlan(models.Model):
    """The rules for the prizes of a session: the pot, and the list of prizes.

    The pot is a share of the fees, in per cent, and an addition. `lines` has a line of text for each prize, as
    `tournaments.rules.cash.prize_list` reads them.
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
