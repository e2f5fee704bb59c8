"""Tournaments, sessions and the plan of an evening: who sits where with which étuis. Fields and constraints only.

The start lays the plan out as plays. A change in flight adds a plan version and lays out again what was not played.
"""

import datetime as dt

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Findable, FoldedField, FoundByName, Player, Season
from clubs.shown import public_name
from deals.domain.cards import LINES
from deals.models import LINE_CHOICES, DealSet, Etui

SEAT_FIELDS = ("north", "east", "south", "west")  # of a play, in the order of LINES
SEAT_COLUMNS = tuple(f"{seat}_id" for seat in SEAT_FIELDS)
MOST_POSITIONS = 60  # of a session


class Tournament(Findable):
    """One winner, of one session or of several.

    `least_share`, per cent of its étuis that a player must have played to be ranked in a session. `ties`: the names of
    `scoring`'s criteria by which equals are told apart, in order; none: they share the rank. `counting`, `best_of` and
    `least_sessions`: how sessions become one ranking. `carry_over`: how much of what the qualifying sessions gave, in
    per cent, is taken into the final. `window_hours`: how long a publication is provisional. `revision` is raised by
    every change of what its ranking follows from, the sessions' results aside.
    """

    class Counting(models.TextChoices):
        SUM = "sum", _("the sum of the percentages")
        MEAN = "mean", _("the mean of the percentages")

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
    federation = models.BooleanField(_("event of the federation"), default=False)
    created_at = models.DateTimeField()
    put_away_at = models.DateTimeField(null=True, blank=True, help_text="since when no list names it")
    least_share = models.PositiveSmallIntegerField(_("least share of the étuis, in per cent"), default=50)
    substitutes_ranked = models.BooleanField(_("substitutes are ranked"), default=True)
    ties = models.JSONField(default=list, blank=True)
    counting = models.CharField(_("several sessions"), max_length=4, choices=Counting, default=Counting.SUM)
    best_of = models.PositiveSmallIntegerField(_("best sessions that count"), null=True, blank=True)
    least_sessions = models.PositiveSmallIntegerField(_("least number of sessions"), default=1)
    carry_over = models.PositiveSmallIntegerField(_("carried into the final, in per cent"), null=True, blank=True)
    window_hours = models.PositiveSmallIntegerField(_("hours until a ranking is official"), default=48)
    revision = models.PositiveBigIntegerField(default=0)
    folded = FoldedField()

    objects = FoundByName["Tournament"].as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="tournament_slug_once_per_club"),
            models.CheckConstraint(condition=Q(least_share__range=(0, 100)), name="tournament_least_share_0_to_100"),
            models.CheckConstraint(
                condition=Q(carry_over=None) | Q(carry_over__range=(0, 100)), name="tournament_carry_over_0_to_100"
            ),
            models.CheckConstraint(condition=Q(window_hours__range=(0, 720)), name="tournament_window_0_to_720"),
        ]

    def __str__(self) -> str:
        return self.name


class SectionGroup(models.Model):
    """Sessions of a tournament played on the same étuis. `one_topage`: their plays are one field; `one_ranking`: so is
    their ranking."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="section_groups")
    one_topage = models.BooleanField(_("compared together"), default=True)
    one_ranking = models.BooleanField(_("one ranking"), default=True)

    def __str__(self) -> str:
        return f"{self.tournament_id} · {self.pk}"


class Session(models.Model):
    """One séance: players who sit down together, a deal set, a movement laid out as plays.

    A *section* is a session beside others on the same étuis (`group`). `closed_at`: the evening is over, tables enter
    nothing more. What readers see of its publications is switched by `shows_ranking` and its like.
    """

    class Stage(models.TextChoices):
        NONE = "", _("all count alike")
        QUALIFYING = "qualifying", _("qualifying")
        FINAL = "final", _("final")

    class Status(models.TextChoices):
        DRAFT = "draft", _("in preparation")
        RUNNING = "running", _("under way")

    class Devices(models.TextChoices):
        TABLES = "tables", _("a device at each table")
        DESK = "desk", _("the director’s desk only")

    class Check(models.TextChoices):
        NONE = "none", _("no check")
        SAME = "same", _("on the same device, handed over")
        OTHER = "other", _("on another device")
        BLIND = "blind", _("blind second entry")

    class Shown(models.TextChoices):
        NOTHING = "nothing", _("nothing")
        TOPAGE = "topage", _("the étui’s topage so far")
        RANKING = "ranking", _("the running ranking")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField()
    date = models.DateField(_("date"))
    status = models.CharField(max_length=8, choices=Status, default=Status.DRAFT)
    positions = models.PositiveSmallIntegerField(_("positions"), default=5)
    etuis_per_position = models.PositiveSmallIntegerField(_("étuis a position"), default=4)
    barometer = models.BooleanField(_("barometer: every table plays the same étuis"), default=False)
    starts_at = models.TimeField(_("beginning"), default=dt.time(20, 30))
    minutes_per_etui = models.PositiveSmallIntegerField(_("minutes an étui"), default=9)
    deal_set = models.ForeignKey(DealSet, null=True, blank=True, on_delete=models.PROTECT, related_name="sessions")
    public_etuis_reason = models.CharField(
        max_length=300, blank=True, help_text="why étuis are played although readers know their cards"
    )
    first_etui = models.PositiveSmallIntegerField(_("first étui"), default=1)
    started_at = models.DateTimeField(null=True, blank=True)
    results_version = models.PositiveIntegerField(default=0)
    revision = models.PositiveBigIntegerField(default=0, help_text="raised by every write of what all its tables share")
    position = models.PositiveSmallIntegerField(default=0, help_text="the one called last; 0 before the first")
    clock_ends_at = models.DateTimeField(null=True, blank=True)
    clock_left = models.PositiveIntegerField(null=True, blank=True, help_text="seconds, while the clock is stopped")
    devices = models.CharField(_("who enters"), max_length=6, choices=Devices, default=Devices.TABLES)
    check_by = models.CharField(_("check by the other side"), max_length=6, choices=Check, default=Check.SAME)
    shows_after = models.CharField(_("shown after an entry"), max_length=8, choices=Shown, default=Shown.NOTHING)
    put_away_at = models.DateTimeField(null=True, blank=True, help_text="since when no list names it")
    hidden_positions = models.PositiveSmallIntegerField(_("last positions without the running ranking"), default=1)
    coefficient = models.DecimalField(_("coefficient"), max_digits=5, decimal_places=2, default=1)
    stage = models.CharField(_("stage"), max_length=10, choices=Stage, default=Stage.NONE, blank=True)
    section = models.CharField(_("section"), max_length=20, blank=True)
    group = models.ForeignKey(SectionGroup, null=True, blank=True, on_delete=models.SET_NULL, related_name="sections")
    closed_at = models.DateTimeField(null=True, blank=True)
    shows_ranking = models.BooleanField(_("the ranking"), default=True)
    shows_etuis = models.BooleanField(_("the étuis with their results"), default=True)
    shows_cards = models.BooleanField(_("the cards"), default=True)
    shows_feuilles = models.BooleanField(_("the feuilles de route"), default=True)
    cards_shown_at = models.DateTimeField(null=True, blank=True, help_text="since when readers have known its cards")
    told_version = models.PositiveIntegerField(default=0, help_text="raised where calendars say something else of it")
    told_at = models.DateTimeField(null=True, help_text="since when they say what they say")

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.CheckConstraint(
                condition=Q(coefficient__gt=0, coefficient__lte=100), name="session_coefficient_above_0_to_100"
            ),
            models.UniqueConstraint(fields=["tournament", "number"], name="session_number_once_per_tournament"),
            models.CheckConstraint(condition=Q(positions__range=(1, MOST_POSITIONS)), name="session_positions_1_to_60"),
            models.CheckConstraint(condition=Q(etuis_per_position__range=(1, 12)), name="session_etuis_1_to_12"),
            models.CheckConstraint(condition=Q(minutes_per_etui__range=(1, 60)), name="session_minutes_1_to_60"),
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
    last_call = models.PositiveSmallIntegerField(default=0, help_text="the position in which no étui is begun any more")
    revision = models.PositiveBigIntegerField(default=0, help_text="raised by every write of what this table alone has")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="table_number_once_per_session")]

    def __str__(self) -> str:
        return str(self.number)


class Entrant(models.Model):
    """A player in a session: the line kept all evening and the starting number, with the positions he is there for.

    A substitute with percentages of his own is an entrant on the same seat, from a later position on. A `stand_in`
    plays for the entrant, whose percentages they remain. Who has gone and come back has `earlier` stays. Who is not
    `ranked` completes a table and is in no ranking.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    line = models.CharField(max_length=1, choices=LINE_CHOICES)
    number = models.PositiveSmallIntegerField()
    ranked = models.BooleanField(default=True)
    first_position = models.PositiveSmallIntegerField(default=1)
    last_position = models.PositiveSmallIntegerField(null=True, blank=True)
    earlier = models.JSONField(default=list, blank=True, help_text="[number, first position, last position], in order")
    stand_in = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    stand_in_from = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["number", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "line", "number"],
                condition=Q(last_position=None),
                name="entrant_seat_once_at_a_time",
            ),
            models.UniqueConstraint(fields=["session", "player"], name="entrant_player_once_per_session"),
            models.CheckConstraint(
                condition=Q(stand_in=None, stand_in_from=None) | Q(stand_in__isnull=False, stand_in_from__isnull=False),
                name="entrant_stand_in_from_a_position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line}{self.number} {self.player}"

    @property
    def stays(self) -> list[tuple[int, int, int | None]]:
        """Starting number, first and last position of each time he is there; None: to the end."""
        return [*map(tuple, self.earlier), (self.number, self.first_position, self.last_position)]

    def is_there(self, position: int) -> bool:
        """Whether he has come by that position and has not gone home."""
        return any(first <= position and (last is None or position <= last) for _number, first, last in self.stays)

    def number_at(self, position: int) -> int:
        """The starting number he has in that position, or has next."""
        for number, _first, last in self.stays:
            if last is None or position <= last:
                return number
        return self.number

    def person_at(self, position: int) -> Player:
        """Who sits there for him in that position: the stand-in from the one on from which he stands in."""
        stands_in = self.stand_in_from is not None and self.stand_in_from <= position
        return self.stand_in if stands_in and self.stand_in else self.player

    @property
    def name(self) -> str:
        """With whoever stands in for the player."""
        return f"{self.player.name} / {self.stand_in.name}" if self.stand_in else self.player.name

    @property
    def public_name(self) -> str:
        """What stands for them in what is public; to be read with PUBLIC_PEOPLE."""
        own = public_name(self.player)
        return f"{own} / {public_name(self.stand_in)}" if self.stand_in else own

    def called(self, *, by_name: bool) -> str:
        return self.name if by_name else self.public_name

    @property
    def listed(self) -> str:
        """As a list in the order of family names has it."""
        return f"{self.player.listed} / {self.stand_in.listed}" if self.stand_in else self.player.listed


# What a query of entrants joins so that they are shown in public: whoever was merged sits as whom he is now.
PUBLIC_PEOPLE = ("player__person", "stand_in__person")
# What a query of plays joins so that each names its four players without asking again.
PEOPLE = tuple(f"{seat}__{who}" for seat in SEAT_FIELDS for who in ("player", "stand_in"))


class Play(models.Model):
    """One étui at one table in one position, with the four who play it.

    A *replay* is laid out where somebody there has had the étui by what went wrong: nobody plays it, and if it was
    played its result does not count.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="plays")
    position = models.PositiveSmallIntegerField()
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="plays")
    etui = models.ForeignKey(Etui, on_delete=models.PROTECT, related_name="plays")
    north = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    east = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    south = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    west = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(null=True, blank=True)
    is_replay = models.BooleanField(default=False)

    class Meta:
        ordering = ["position", "table__number", "etui__number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "position", "table", "etui"], name="play_planned_once"),
            *(
                models.UniqueConstraint(
                    fields=["session", "etui", seat], condition=Q(is_replay=False), name=f"play_etui_once_per_{seat}"
                )
                for seat in SEAT_FIELDS
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} · {self.table_id} · {self.etui_id}"

    @property
    def seats(self) -> dict[str, Entrant]:
        return {line: getattr(self, seat) for line, seat in zip(LINES, SEAT_FIELDS, strict=True)}

    @property
    def people(self) -> dict[str, Player]:
        """Who sits there, by line."""
        return {line: entrant.person_at(self.position) for line, entrant in self.seats.items()}


class PlanVersion(models.Model):
    """The plan as data, the figures claimed of it, and what led to it; the newest one that is not undone holds.

    `code` and `params` are the proposal's words. `operation` says what was done, with its arguments. `before` and
    `after` are the plays that the change removed, altered or added, as they were and as it left them; `newest_entry`
    and `newest_ruling` were the last of their kind then: by them is known whether results depend on the change.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="plans")
    number = models.PositiveSmallIntegerField()
    data = models.JSONField()
    figures = models.JSONField()
    code = models.CharField(max_length=20)
    params = models.JSONField(default=dict)
    operation = models.JSONField(default=dict)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    newest_entry = models.PositiveBigIntegerField(default=0)
    newest_ruling = models.PositiveBigIntegerField(default=0)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["session", "number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="plan_number_once_per_session")]

    def __str__(self) -> str:
        return f"{self.session_id} plan {self.number}"
