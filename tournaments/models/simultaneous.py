"""The models of simultaneous tournaments: many clubs play the étuis of one set, each in a session of its own.

Fields and constraints only. `tournaments.simultaneous` writes the rows.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from deals.models import DealSet
from deals.secret import SecretTextField
from tournaments.models.evening import Session
from tournaments.models.published import Version
from tournaments.models.results import AnyEtuiRuling, require_reason_and_split


class Simultaneous(models.Model):
    """A simultaneous: an organising club, one sealed set (the master), and the hours at which things open.

    From `opens_at` the clubs may see the cards and play, until `closes_at`. At `public_at` étuis, cards and seed open
    for everybody. `alterne`: the ranking over all clubs has a classement alterné too. `keeps_lookers`: players who
    looked at cards are ranked. `window_hours` is how long a published ranking is provisional. `revision` is raised by
    every change of the simultaneous, its clubs or its rulings. `token` is part of the link by which clubs are invited.
    After `closed_at` no further play counts.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="simultaneous")
    title = models.CharField(_("title"), max_length=120)
    slug = models.SlugField(max_length=60)
    deal_set = models.OneToOneField(DealSet, on_delete=models.PROTECT, related_name="simultaneous")
    opens_at = models.DateTimeField(_("clubs may play from"))
    closes_at = models.DateTimeField(_("clubs play until"))
    public_at = models.DateTimeField(_("étuis are public from"))
    alterne = models.BooleanField(_("also a classement alterné"), default=False)
    keeps_lookers = models.BooleanField(_("players who looked at cards are ranked"), default=False)
    window_hours = models.PositiveSmallIntegerField(_("hours until a ranking is official"), default=48)
    revision = models.PositiveBigIntegerField(default=0)
    token = models.CharField(max_length=64, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    put_away_at = models.DateTimeField(null=True, blank=True, help_text="since when no list names it")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "simultaneous"
        ordering = ["-opens_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="simultaneous_slug_once_per_club"),
            models.CheckConstraint(
                condition=Q(closes_at__gt=F("opens_at"), public_at__gte=F("closes_at")),
                name="simultaneous_hours_in_order",
            ),
            models.CheckConstraint(condition=Q(window_hours__range=(0, 720)), name="simultaneous_window_0_to_720"),
            models.CheckConstraint(
                condition=Q(closed_at=None, closed_by=None) | Q(closed_at__isnull=False, closed_by__isnull=False),
                name="simultaneous_closed_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class SimultaneousClub(models.Model):
    """A club that was invited to a simultaneous. After it has agreed, it has a copy of the set, `deal_set`.

    `session` is the session in which the club plays the copy. A club that comes back after leaving gets a new row.
    `is_elsewhere` marks a club that stands for one on another site, whose results came as an archive.
    """

    simultaneous = models.ForeignKey(Simultaneous, on_delete=models.CASCADE, related_name="clubs")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="simultaneous_elsewhere")
    deal_set = models.OneToOneField(
        DealSet, null=True, blank=True, on_delete=models.PROTECT, related_name="simultaneous_club"
    )
    session = models.OneToOneField(
        Session, null=True, blank=True, on_delete=models.SET_NULL, related_name="simultaneous_club"
    )
    invited_at = models.DateTimeField()
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    agreed_at = models.DateTimeField(null=True, blank=True)
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    left_at = models.DateTimeField(null=True, blank=True)
    left_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(max_length=300, blank=True)
    is_elsewhere = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["simultaneous", "club"], condition=Q(left_at=None), name="club_once_per_simultaneous_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(agreed_at__isnull=False) | Q(deal_set=None, session=None),
                name="simultaneous_club_plays_after_agreeing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.simultaneous_id}: {self.club_id}"


class FieldRuling(AnyEtuiRuling):
    """A ruling of the organiser on an étui (its number), for the ranking over all clubs.

    The clubs' own rankings do not change. A *split* étui was altered for everybody.
    """

    class FieldRulingKind(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        SPLIT = "split", _("altered from a position on")
        LIFTED = "lifted", _("restored")

    simultaneous = models.ForeignKey(Simultaneous, on_delete=models.CASCADE, related_name="rulings")
    etui = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=FieldRulingKind)

    class Meta:
        ordering = ["id"]
        constraints = require_reason_and_split("field_ruling")

    def __str__(self) -> str:
        return f"{self.simultaneous_id}: {self.etui} {self.kind}"


class FieldStandings(models.Model):
    """The last computed standings of a field. `basis` says from which versions of the data they were computed."""

    simultaneous = models.OneToOneField(
        Simultaneous, on_delete=models.CASCADE, related_name="standings", primary_key=True
    )
    basis = models.JSONField(default=dict)
    computed_at = models.DateTimeField(null=True)
    data = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "field standings"

    def __str__(self) -> str:
        return str(self.simultaneous_id)


class FieldPublication(Version):
    """A version of the ranking of a field. `sessions` has the results version of each session, by its id as text."""

    simultaneous = models.ForeignKey(Simultaneous, on_delete=models.PROTECT, related_name="publications")
    sessions = models.JSONField(default=dict)

    class Meta:
        ordering = ["simultaneous", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["simultaneous", "version"], name="publication_version_once_per_field"),
            models.CheckConstraint(
                condition=~Q(status="withdrawn") | ~Q(reason=""), name="field_withdrawn_with_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.simultaneous_id} v{self.version}"


class SealedEtuis(models.Model):
    """The sealed étuis of a simultaneous that several sites play.

    `key` names the simultaneous on every site. On the organiser's site, `secret` is the key that opens the sealed
    cards. On another site, `content` is the sealed file, `organiser` the club that sent it, and `address` its page on
    the organiser's site.
    """

    simultaneous = models.OneToOneField(Simultaneous, on_delete=models.CASCADE, related_name="sealed", primary_key=True)
    key = models.UUIDField()
    secret = SecretTextField(blank=True)
    content = models.BinaryField(null=True, blank=True)
    organiser = models.CharField(max_length=120, blank=True)
    address = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "sealed étuis"
        constraints = [
            models.CheckConstraint(
                condition=Q(~Q(secret=""), content=None) | Q(secret="", content__isnull=False),
                name="sealed_etuis_sent_or_received",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.simultaneous_id}: {self.key}"
