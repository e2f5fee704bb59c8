"""The models of series: championships that rank events over several tournaments, and perhaps over several clubs.

Fields and constraints only. `tournaments.rules.series` has the form of the rules. `tournaments.series` writes the rows.
"""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player, Season
from tournaments.models.evening import Session, Tournament
from tournaments.models.published import Version

ONE_OF_THREE = (
    Q(session__isnull=False, tournament=None, title="", day=None)
    | Q(session=None, tournament__isnull=False, title="", day=None)
    | (Q(session=None, tournament=None, day__isnull=False) & ~Q(title=""))
)


class Series(models.Model):
    """A series of events with one ranking over all of them, such as a club's championship.

    `rules` is a value of `tournaments.rules.series`. `window_hours` is how long a published ranking is provisional.
    `revision` is raised by every change of the series, of its clubs, its events or its lists.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="series")
    season = models.ForeignKey(Season, null=True, blank=True, on_delete=models.SET_NULL, related_name="series")
    title = models.CharField(_("title"), max_length=120)
    slug = models.SlugField(max_length=60)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    rules = models.JSONField(default=dict)
    window_hours = models.PositiveSmallIntegerField(_("hours until a ranking is official"), default=48)
    revision = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField()
    put_away_at = models.DateTimeField(null=True, blank=True, help_text="since when no list names it")

    class Meta:
        verbose_name_plural = "series"
        ordering = ["-ends_on", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="series_slug_once_per_club"),
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="series_ends_after_it_starts"),
            models.CheckConstraint(condition=Q(window_hours__range=(0, 720)), name="series_window_0_to_720"),
        ]

    def __str__(self) -> str:
        return self.title


class SeriesClub(models.Model):
    """A club, other than the owner, that was asked to take part in a series.

    Its events count after it has agreed. If it leaves, its events up to that day still count, unless the owner takes
    them out for a `reason`. A club that comes back gets a new row.
    """

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="clubs")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="series_elsewhere")
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    agreed_at = models.DateTimeField(null=True, blank=True)
    agreed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    left_at = models.DateTimeField(null=True, blank=True)
    left_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    left_on = models.DateField(null=True, blank=True, help_text="its events count up to this day")
    taken_out_at = models.DateTimeField(null=True, blank=True)
    taken_out_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["series", "club"], condition=Q(left_at=None), name="club_once_per_series_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(taken_out_at=None) | ~Q(reason=""), name="series_club_taken_out_with_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.club_id}"


class SeriesEvent(models.Model):
    """A decision about an event of a series: a session, a whole tournament, or a typed list.

    Without a row an event is chosen by the rule of the series, and counts once. `included` is None if the rule still
    decides, and the row only has a coefficient or a stage. A typed list has a `title` and a `day`.
    """

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="events")
    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="series_events")
    tournament = models.ForeignKey(Tournament, null=True, on_delete=models.CASCADE, related_name="series_events")
    title = models.CharField(_("title"), max_length=120, blank=True)
    day = models.DateField(_("day"), null=True, blank=True)
    included = models.BooleanField(null=True)
    coefficient = models.DecimalField(
        _("coefficient"),
        max_digits=5,
        decimal_places=2,
        default=1,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    stage = models.CharField(_("stage"), max_length=10, choices=Session.Stage, blank=True, default=Session.Stage.NONE)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["series", "session"], name="session_once_per_series"),
            models.UniqueConstraint(fields=["series", "tournament"], name="tournament_once_per_series"),
            models.CheckConstraint(condition=ONE_OF_THREE, name="series_event_is_one_thing"),
            models.CheckConstraint(
                condition=Q(coefficient__gt=0, coefficient__lte=100), name="series_coefficient_above_0"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.session_id or self.tournament_id or self.title}"


class SeriesList(models.Model):
    """A list of results that somebody typed for an event of a series. The newest list of an event counts."""

    event = models.ForeignKey(SeriesEvent, on_delete=models.CASCADE, related_name="lists")
    source = models.CharField(_("where the results come from"), max_length=200)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.event_id} {self.pk}"


class SeriesListRow(models.Model):
    """A player of a typed list, with either points or a rank."""

    list = models.ForeignKey(SeriesList, on_delete=models.CASCADE, related_name="rows")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="series_rows")
    points = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    rank = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(points__isnull=False, rank=None) | Q(points=None, rank__isnull=False),
                name="series_row_has_points_or_rank",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.list_id} {self.player_id}"


class SeriesStandings(models.Model):
    """The last computed standings of a series. `basis` says from which versions of the data they were computed."""

    series = models.OneToOneField(Series, on_delete=models.CASCADE, related_name="standings", primary_key=True)
    basis = models.JSONField(default=dict)
    computed_at = models.DateTimeField(null=True)
    data = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "series standings"

    def __str__(self) -> str:
        return str(self.series_id)


class SeriesPublication(Version):
    """A version of the ranking of a series, published when the series is over.

    `events` has the version numbers of the sessions and tournaments that count, by "s" or "t" and the id, as "s12".
    """

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="publications")
    events = models.JSONField(default=dict)

    class Meta:
        ordering = ["series", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["series", "version"], name="publication_version_once_per_series"),
            models.CheckConstraint(
                condition=~Q(status="withdrawn") | ~Q(reason=""), name="series_withdrawn_with_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series_id} v{self.version}"
