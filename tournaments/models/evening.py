"""Tournaments, sessions and the facts of an evening: fields and constraints only.

A play is planned once, at the start; results and rulings are rows that are added and never overwritten; standings are
derived from them; a publication is a frozen copy of the standings of one moment.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player, Season
from deals.models import DealSet, Etui, Line


class Tournament(models.Model):
    class Format(models.TextChoices):
        INDIVIDUAL = "individual", _("individual")

    class Auction(models.TextChoices):
        IMPOSED = "imposed", _("imposed Garde: the étui names the taker")
        FREE = "free", _("free auction: the table bids")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    season = models.ForeignKey(Season, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments")
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(max_length=60)
    format = models.CharField(max_length=12, choices=Format, default=Format.INDIVIDUAL)
    auction = models.CharField(_("contract"), max_length=8, choices=Auction, default=Auction.IMPOSED)
    rules = models.CharField(max_length=20, default="fft")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="tournament_slug_once_per_club")]

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """One séance: players who sit down together, a deal set, a movement laid out as plays."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("in preparation")
        RUNNING = "running", _("under way")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField()
    date = models.DateField(_("date"))
    status = models.CharField(max_length=8, choices=Status, default=Status.DRAFT)
    positions = models.PositiveSmallIntegerField(_("positions"), default=5)
    etuis_per_position = models.PositiveSmallIntegerField(_("étuis a position"), default=4)
    deal_set = models.ForeignKey(DealSet, null=True, blank=True, on_delete=models.PROTECT, related_name="sessions")
    first_etui = models.PositiveSmallIntegerField(_("first étui"), default=1)
    started_at = models.DateTimeField(null=True, blank=True)
    results_version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="session_number_once_per_tournament"),
            models.CheckConstraint(condition=Q(positions__range=(1, 60)), name="session_positions_1_to_60"),
            models.CheckConstraint(condition=Q(etuis_per_position__range=(1, 12)), name="session_etuis_1_to_12"),
            models.CheckConstraint(
                condition=Q(status="draft", started_at=None) | Q(status="running", deal_set__isnull=False),
                name="session_runs_with_a_deal_set",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.number}"


class Table(models.Model):
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="table_number_once_per_session")]

    def __str__(self) -> str:
        return str(self.number)


class Entrant(models.Model):
    """A player in a session: the line kept all evening and the table of position 1, which is the starting number."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    line = models.CharField(max_length=1, choices=Line)
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number", "id"]
        constraints = [
            models.UniqueConstraint(fields=["session", "line", "number"], name="entrant_seat_once_per_session"),
            models.UniqueConstraint(fields=["session", "player"], name="entrant_player_once_per_session"),
        ]

    def __str__(self) -> str:
        return f"{self.line}{self.number} {self.player}"


class Play(models.Model):
    """One étui at one table in one position, with the four who play it."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="plays")
    position = models.PositiveSmallIntegerField()
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="plays")
    etui = models.ForeignKey(Etui, on_delete=models.PROTECT, related_name="plays")
    north = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    east = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    south = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    west = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["position", "table__number", "etui__number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "position", "table", "etui"], name="play_planned_once"),
            *(
                models.UniqueConstraint(fields=["session", "etui", seat], name=f"play_etui_once_per_{seat}")
                for seat in ("north", "east", "south", "west")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} · {self.table_id} · {self.etui_id}"

    @property
    def seats(self) -> dict[str, Entrant]:
        return {"N": self.north, "E": self.east, "S": self.south, "W": self.west}


class ResultEntry(models.Model):
    """What a table reports of a play: the facts, or the fiche's signed base score alone, or four passes.

    Append-only. A correction is a new version; `current` marks the one that counts and is all that ever changes.
    """

    class Kind(models.TextChoices):
        FACTS = "facts", _("facts")
        FICHE = "fiche", _("score from the fiche")
        PASSED = "passed", _("everyone passed")

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="entries")
    version = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    kind = models.CharField(max_length=6, choices=Kind)
    taker = models.CharField(max_length=1, choices=Line, blank=True)
    contract = models.CharField(max_length=12, blank=True)
    bouts = models.PositiveSmallIntegerField(null=True, blank=True)
    half_points = models.PositiveSmallIntegerField(null=True, blank=True)
    petit_au_bout = models.CharField(max_length=7, blank=True)
    poignees_attack = models.CharField(max_length=20, blank=True)
    poignees_defence = models.CharField(max_length=20, blank=True)
    chelem = models.CharField(max_length=20, blank=True)
    fiche_score = models.SmallIntegerField(null=True, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    entered_at = models.DateTimeField()
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["play", "version"]
        verbose_name_plural = "result entries"
        constraints = [
            models.UniqueConstraint(fields=["play"], condition=Q(current=True), name="entry_one_current_per_play"),
            models.UniqueConstraint(fields=["play", "version"], name="entry_version_once_per_play"),
            models.CheckConstraint(condition=Q(version=1) | ~Q(reason=""), name="entry_correction_has_reason"),
            models.CheckConstraint(
                name="entry_holds_what_its_kind_says",
                condition=Q(kind="facts", bouts__range=(0, 3), half_points__range=(0, 182), fiche_score=None)
                & ~Q(taker="")
                & ~Q(contract="")
                | Q(kind="fiche", bouts=None, half_points=None, fiche_score__isnull=False) & ~Q(taker="")
                | Q(kind="passed", bouts=None, half_points=None, fiche_score=None, taker="", contract=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.play_id} v{self.version}"


class Ruling(models.Model):
    """The arbiter's word on a play. Rows are added; the newest one of a play is in force."""

    class Kind(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        RESTORED = "restored", _("restored")

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=8, choices=Kind)
    reason = models.CharField(max_length=300)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    ruled_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_reason")]

    def __str__(self) -> str:
        return f"{self.play_id} {self.kind}"


class SessionStandings(models.Model):
    """The last computed standings of a session, and the version of the results they were computed from."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="standings", primary_key=True)
    results_version = models.PositiveIntegerField()
    computed_at = models.DateTimeField()
    data = models.JSONField()

    class Meta:
        verbose_name_plural = "session standings"

    def __str__(self) -> str:
        return f"{self.session_id} at {self.results_version}"


class Publication(models.Model):
    """A dated, frozen copy of a session's standings, which public pages are served from. Never changed."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="publications")
    version = models.PositiveSmallIntegerField()
    results_version = models.PositiveIntegerField()
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    data = models.JSONField()
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["session", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["session", "version"], name="publication_version_once_per_session"),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} v{self.version}"
