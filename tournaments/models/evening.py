"""The models of tournaments, sessions and the plan of an evening: seats and étuis. Fields and constraints only.

The start of a session makes a `Play` for each étui at each table. A later change of the plan adds a `PlanVersion`.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Findable, FoldedField, FoundByName, Player, Season
from clubs.session_settings import SETTINGS
from clubs.shown import public_name
from deals.domain.cards import LINES
from deals.models import LINE_CHOICES, DealSet, Etui
from scoring import formats
from tournaments.models.seats import SEAT_FIELDS, name_seats_by_line, read_seats

MOST_POSITIONS: int = SETTINGS["positions"].most
DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}


class Tournament(Findable):
    """A tournament with one ranking, of one session or of several.

    `format` is the name of the way it is played and ranked. `scoring.formats` has everything that follows from the
    format. `least_share` is the share of a session's étuis, in per cent, that a player must have played to be ranked in
    that session. `ties` has the names of the criteria (in `scoring`) that separate equal players, in order. If it is
    empty, equal players share the rank. `counting`, `best_of` and `least_sessions` say how sessions become one ranking.
    `carry_over` is the share, in per cent, of the qualifying results that is taken into the final. `window_hours` is
    how long a publication is provisional. `revision` is raised by every change of data that the ranking depends on,
    except changes of the sessions' results.
    """

    class SessionCounting(models.TextChoices):
        SUM = "sum", _("the sum of the percentages")
        MEAN = "mean", _("the mean of the percentages")

    class FormatName(models.TextChoices):
        INDIVIDUAL = formats.INDIVIDUAL.name, _("imposed Garde: the étui names the taker")
        FREE_AUCTION = formats.FREE_AUCTION.name, _("free auction: the table bids")

    class Auction(models.TextChoices):
        """The two words that forms, the API, reports and the table's screen use for a format."""

        IMPOSED = formats.INDIVIDUAL.auction, _("imposed Garde: the étui names the taker")
        FREE = formats.FREE_AUCTION.auction, _("free auction: the table bids")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    season = models.ForeignKey(Season, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments")
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(max_length=60)
    format = models.CharField(_("contract"), max_length=20, choices=FormatName, default=FormatName.INDIVIDUAL)
    rules = models.CharField(max_length=20, default="fft")
    federation = models.BooleanField(_("federation event"), default=False)
    created_at = models.DateTimeField()
    put_away_at = models.DateTimeField(null=True, blank=True, help_text="since when no list names it")
    least_share = models.PositiveSmallIntegerField(_("smallest share of the étuis, in per cent"), default=50)
    substitutes_ranked = models.BooleanField(_("substitutes are ranked"), default=True)
    ties = models.JSONField(default=list, blank=True)
    counting = models.CharField(
        _("several sessions"), max_length=4, choices=SessionCounting, default=SessionCounting.SUM
    )
    best_of = models.PositiveSmallIntegerField(_("number of best sessions that count"), null=True, blank=True)
    least_sessions = models.PositiveSmallIntegerField(_("smallest number of sessions"), default=1)
    carry_over = models.PositiveSmallIntegerField(_("carried into the final, in per cent"), null=True, blank=True)
    window_hours = models.PositiveSmallIntegerField(_("hours until a ranking is official"), default=48)
    revision = models.PositiveBigIntegerField(default=0)
    archive_key = models.UUIDField(null=True, blank=True, editable=False, help_text="recognises it in archives")
    folded = FoldedField()

    objects = FoundByName["Tournament"].as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="tournament_slug_once_per_club"),
            models.UniqueConstraint(fields=["club", "archive_key"], name="tournament_archive_once_per_club"),
            models.CheckConstraint(condition=Q(least_share__range=(0, 100)), name="tournament_least_share_0_to_100"),
            models.CheckConstraint(
                condition=Q(carry_over=None) | Q(carry_over__range=(0, 100)), name="tournament_carry_over_0_to_100"
            ),
            models.CheckConstraint(condition=Q(window_hours__range=(0, 720)), name="tournament_window_0_to_720"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def auction(self) -> str:
        """The value of `Auction` for the tournament's format. Code that needs more uses `formats.find_format`."""
        return formats.find_format(self.format).auction


class SectionGroup(models.Model):
    """The sessions of a tournament played on the same étuis.

    With `one_topage` their plays are compared with each other. With `one_ranking` they have one ranking together.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="section_groups")
    one_topage = models.BooleanField(_("compared together"), default=True)
    one_ranking = models.BooleanField(_("one ranking"), default=True)

    def __str__(self) -> str:
        return f"{self.tournament_id} · {self.pk}"


def require_bounds(setting: str, word: str) -> models.CheckConstraint:
    """Return the database constraint that keeps a setting of a session between its least and its greatest value.

    `setting` is its name in `clubs.session_settings`. `word` is part of the constraint's name.
    """
    least, most = SETTINGS[setting].least, SETTINGS[setting].most
    condition = Q((f"{setting}__range", (least, most)))
    ends = [getattr(bound, "year", bound) for bound in (least, most)]
    return models.CheckConstraint(condition=condition, name=f"session_{word}_{ends[0]}_to_{ends[1]}")


class Session(models.Model):
    """A séance: one sitting of a tournament, with its players, its deal set and its plays.

    A session that plays the same étuis as other sessions is a *section*, and has a `group`. After `closed_at`, tables
    can no longer enter results. Fields such as `shows_cards` say which parts of the publications readers see.
    """

    class Stage(models.TextChoices):
        NONE = "", _("all count the same")
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
        SAME = "same", _("on the same device, passed on")
        OTHER = "other", _("on another device")
        BLIND = "blind", _("blind second entry")

    class ShownAfter(models.TextChoices):
        NOTHING = "nothing", _("nothing")
        TOPAGE = "topage", _("the étui’s topage so far")
        RANKING = "ranking", _("the ranking so far")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField()
    date = models.DateField(_("date"))
    status = models.CharField(max_length=8, choices=Status, default=Status.DRAFT)
    positions = models.PositiveSmallIntegerField(_("positions"), default=DEFAULTS["positions"])
    etuis_per_position = models.PositiveSmallIntegerField(
        _("étuis per position"), default=DEFAULTS["etuis_per_position"]
    )
    barometer = models.BooleanField(_("barometer: every table plays the same étuis"), default=DEFAULTS["barometer"])
    starts_at = models.TimeField(_("beginning"), default=DEFAULTS["starts_at"])
    minutes_per_etui = models.PositiveSmallIntegerField(_("minutes per étui"), default=DEFAULTS["minutes_per_etui"])
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
    devices = models.CharField(_("who enters"), max_length=6, choices=Devices, default=DEFAULTS["devices"])
    check_by = models.CharField(_("check by the other side"), max_length=6, choices=Check, default=DEFAULTS["check_by"])
    shows_after = models.CharField(
        _("shown after an entry"), max_length=8, choices=ShownAfter, default=DEFAULTS["shows_after"]
    )
    put_away_at = models.DateTimeField(null=True, blank=True, help_text="since when no list names it")
    hidden_positions = models.PositiveSmallIntegerField(
        _("last positions without the ranking so far"), default=DEFAULTS["hidden_positions"]
    )
    whole_records = models.BooleanField(_("tables may record whole deals"), default=DEFAULTS["whole_records"])
    coefficient = models.DecimalField(_("coefficient"), max_digits=5, decimal_places=2, default=DEFAULTS["coefficient"])
    stage = models.CharField(_("stage"), max_length=10, choices=Stage, default=DEFAULTS["stage"], blank=True)
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
    records_version = models.PositiveBigIntegerField(default=0, help_text="raised by every write of its plays' records")

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.CheckConstraint(
                condition=Q(coefficient__gt=0, coefficient__lte=SETTINGS["coefficient"].most),
                name="session_coefficient_above_0_to_100",
            ),
            models.UniqueConstraint(fields=["tournament", "number"], name="session_number_once_per_tournament"),
            require_bounds("positions", "positions"),
            require_bounds("etuis_per_position", "etuis"),
            require_bounds("minutes_per_etui", "minutes"),
            require_bounds("hidden_positions", "hidden"),
            require_bounds("date", "date"),
            models.CheckConstraint(
                condition=Q(status="draft", started_at=None) | Q(status="running", deal_set__isnull=False),
                name="session_runs_with_a_deal_set",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.number}"


class Table(models.Model):
    """A table of a session, known by its number."""

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
    """A player in a session: the line for the whole evening, the starting number, and the first and last position.

    A substitute, who gets percentages of their own, is another entrant on the same seat, from a later position on. A
    `stand_in` plays for the entrant, who keeps the percentages. An entrant who left and came back has the times before
    in `earlier`. An entrant who is not `ranked` completes a table and is in no ranking.
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
        """Each stay as (starting number, first position, last position), in order. None: until the end."""
        return [*map(tuple, self.earlier), (self.number, self.first_position, self.last_position)]

    def is_there(self, position: int) -> bool:
        """Return whether the entrant takes part in the evening in that position."""
        return any(first <= position and (last is None or position <= last) for _number, first, last in self.stays)

    def number_at(self, position: int) -> int:
        """Return the entrant's starting number in that position. If the entrant is away, return the next number."""
        for number, _first, last in self.stays:
            if last is None or position <= last:
                return number
        return self.number

    def person_at(self, position: int) -> Player:
        """Return the person who plays in that position: the stand-in from `stand_in_from` on, else the player."""
        stands_in = self.stand_in_from is not None and self.stand_in_from <= position
        return self.stand_in if stands_in and self.stand_in else self.player

    @property
    def name(self) -> str:
        """The name of the player, followed by the stand-in's if there is one: "Ada Roux / Léo Petit"."""
        return f"{self.player.name} / {self.stand_in.name}" if self.stand_in else self.player.name

    @property
    def public_name(self) -> str:
        """The public name of the player, followed by the stand-in's. The query must have joined PUBLIC_PEOPLE."""
        own = public_name(self.player)
        return f"{own} / {public_name(self.stand_in)}" if self.stand_in else own

    def get_name(self, *, by_name: bool) -> str:
        return self.name if by_name else self.public_name

    @property
    def listed(self) -> str:
        """The name with the family name first, as in a sorted list."""
        return f"{self.player.listed} / {self.stand_in.listed}" if self.stand_in else self.player.listed


# The joins that a query of entrants needs for their public names. A merged player is shown as the other player.
PUBLIC_PEOPLE = ("player__person", "stand_in__person")
# The joins that a query of plays needs so that reading the names of the four players takes no further query.
PEOPLE = tuple(f"{seat}__{who}" for seat in SEAT_FIELDS for who in ("player", "stand_in"))


class Play(models.Model):
    """An étui at one table in one position, with the four players.

    It is a *replay* if somebody at the table has already played the étui, because of a mistake in play. Nobody plays a
    replay, and if it was played, its result does not count.
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
        """The entrants who sit at the table, by line. Empty seats are left out."""
        there = zip(LINES, SEAT_FIELDS, read_seats(self), strict=True)
        return {line: getattr(self, seat) for line, seat, pk in there if pk is not None}

    @property
    def seat_ids(self) -> dict[str, int]:
        """The ids of the entrants who sit at the table, by line. Reading them takes no query."""
        return name_seats_by_line(read_seats(self))

    @property
    def people(self) -> dict[str, Player]:
        """The persons who sit at the table, by line: for each entrant, the player or the stand-in."""
        return {line: entrant.person_at(self.position) for line, entrant in self.seats.items()}


class PlanVersion(models.Model):
    """A version of a session's plan, with its figures and its cause. The newest version not undone is in force.

    `data` is the plan and `figures` says how good it is. `code` and `params` make the sentence that describes it.
    `operation` names the change that made this version, with its arguments. `before` and `after` are the plays that the
    change removed, altered or added: as they were, and as they became. `newest_entry` and `newest_ruling` are the
    highest ids of entries and rulings at that moment: newer ones may depend on the change.
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
