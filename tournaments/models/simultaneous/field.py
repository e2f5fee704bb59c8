"""The models of the field of a simultaneous: the organiser's rulings, the standings and their published versions."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.published import Version
from tournaments.models.simultaneous.rows import Simultaneous
from tournaments.rules.split import EtuiSplit


class FieldRuling(models.Model):
    """A ruling of the organiser on an étui (its number), for the ranking over all clubs. The newest one is in force.

    The clubs' own rankings do not change. A *split* étui was altered for everybody: see `EtuiRuling`.
    """

    class FieldRulingKind(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        SPLIT = "split", _("altered from a position on")
        LIFTED = "lifted", _("restored")

    simultaneous = models.ForeignKey(Simultaneous, on_delete=models.CASCADE, related_name="rulings")
    etui = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=FieldRulingKind)
    from_position = models.PositiveSmallIntegerField(null=True, blank=True)
    played_before = models.JSONField(
        default=list, blank=True, help_text="numbers of the tables of from_position that came before"
    )
    reason = models.CharField(max_length=300)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    ruled_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="field_ruling_has_reason"),
            models.CheckConstraint(
                condition=Q(kind="split", from_position__gte=2)
                | Q(("kind", "split"), ("from_position", 1), ~Q(played_before=[]))
                | Q(~Q(kind="split"), ("from_position", None), ("played_before", [])),
                name="field_ruling_split_from_a_position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.simultaneous_id}: {self.etui} {self.kind}"

    @property
    def split(self) -> EtuiSplit | None:
        return None if self.from_position is None else EtuiSplit(self.from_position, tuple(self.played_before))


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
