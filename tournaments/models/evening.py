"""The models of tournaments, their sessions, and the tables of a session. Fields and constraints only."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Findable, FoldedField, FoundByName, Season
from clubs.session_settings import FREE_DEALS_SETTINGS, SETTINGS
from deals.models import DealSet
from scoring import formats

MOST_POSITIONS: int = SETTINGS["positions"].most
DEFAULTS = {name: setting.default for name, setting in (SETTINGS | FREE_DEALS_SETTINGS).items()}


class Tournament(Findable):
    """A tournament with one ranking, of one session or of several.

    `format` is the name of the way it is played and ranked. `scoring.formats` has everything that follows from the
    format. `least_share` is the share of a session's étuis, in per cent, that a player must have played to be ranked in
    that session. `ties` has the names of the criteria (in `scoring`) that separate equal players, in order. If it is
    empty, equal players share the rank. `counting`, `best_of` and `least_sessions` say how sessions become one ranking.
    `carry_over` is the share, in per cent, of the qualifying results that is taken into the final. `window_hours` is
    how long a publication is provisional. `meeting` says who meets whom in team matches; a league gives `win_points`
    and `draw_points` for a match. `revision` is raised by every change of data that the ranking depends on,
    except changes of the sessions' results.
    """

    class SessionCounting(models.TextChoices):
        SUM = "sum", _("the sum of the percentages")
        MEAN = "mean", _("the mean of the percentages")

    class FormatName(models.TextChoices):
        INDIVIDUAL = formats.INDIVIDUAL.name, _("imposed Garde: the étui names the taker")
        FREE_AUCTION = formats.FREE_AUCTION.name, _("free auction: the table bids")
        DOUBLETTES = formats.DOUBLETTES.name, _("doublettes: teams of two add up their percentages, imposed Garde")
        TRIPLETTES = formats.TRIPLETTES.name, _("triplettes: teams of three, imposed Garde")
        QUADRETTES = formats.QUADRETTES.name, _("quadrettes: teams of four, imposed Garde")
        TEAM_MATCH = formats.TEAM_MATCH.name, _("team matches: teams of four to six, the taker chooses the contract")
        FREE_DEALS = formats.FREE_DEALS.name, _("donnes libres: the tables deal, marks are added up")
        FREE_AUCTION_3 = formats.FREE_AUCTION_3.name, _("free auction with étuis for three at each table")
        FREE_AUCTION_5 = formats.FREE_AUCTION_5.name, _("free auction with étuis for five at each table")

    class MeetingKind(models.TextChoices):
        """The ways in which the teams of team matches meet."""

        SINGLE = "single", _("single matches: each one stands alone")
        LEAGUE = "league", _("a league: every team meets every other one")
        TREE = "tree", _("knock-out: the winners go on")

    class Auction(models.TextChoices):
        """The two words that the API, reports and the table's screen use for the auction of a format."""

        IMPOSED = formats.INDIVIDUAL.auction, _("imposed Garde: the étui names the taker")
        FREE = formats.FREE_AUCTION.auction, _("free auction: the table bids")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    season = models.ForeignKey(Season, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments")
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(max_length=60)
    format = models.CharField(_("contract"), max_length=20, choices=FormatName, default=FormatName.INDIVIDUAL)
    rules = models.CharField(max_length=20, default="fft")
    federation = models.BooleanField(_("official FFT event"), default=False)
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
    drops_worst = models.BooleanField(_("the lowest marks of each team do not count"), default=False)
    first_badge = models.PositiveSmallIntegerField(
        default=0, help_text="the place in each team that attacks first, by lot; 0 before the draw"
    )
    meeting = models.CharField(_("who meets whom"), max_length=6, choices=MeetingKind, default=MeetingKind.LEAGUE)
    win_points = models.PositiveSmallIntegerField(_("points for a match won"), default=2)
    draw_points = models.PositiveSmallIntegerField(_("points for a match drawn"), default=1)
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
            models.CheckConstraint(condition=Q(first_badge__range=(0, 3)), name="tournament_first_badge_0_to_3"),
            models.CheckConstraint(
                condition=Q(win_points__range=(1, 20), draw_points__lte=F("win_points")), name="tournament_match_points"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def auction(self) -> str:
        """The value of `Auction` for the tournament's format. Code that needs more uses `formats.find_format`."""
        return formats.find_format(self.format).auction

    @property
    def deals_freely(self) -> bool:
        """True if its tables deal. Code that needs more uses `formats.find_format`."""
        return formats.find_format(self.format).has_free_deals

    @property
    def unit(self) -> formats.Unit:
        """The unit of its results."""
        return formats.find_format(self.format).unit


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

    class GameSeating(models.TextChoices):
        """The ways to seat the games of free deals."""

        FIXED = "fixed", _("all games beforehand, with guide cards")
        RANKING = "ranking", _("by the ranking after each game, and nobody meets again")
        STRICT = "strict", _("strictly by the ranking: first with second, and so on")
        DRAW = "draw", _("by lot before each game")

    class OddTable(models.TextChoices):
        """The kinds of tables for players who cannot be divided by four."""

        THREES = "threes", _("tables of three")
        FIVE = "five", _("tables of five, all play")
        MORT = "mort", _("tables of five with a mort: the dealer rests")
        FIVES = "fives", _("tables of five wherever possible")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField()
    date = models.DateField(_("date"))
    status = models.CharField(max_length=8, choices=Status, default=Status.DRAFT)
    positions = models.PositiveSmallIntegerField(_("positions"), default=DEFAULTS["positions"])
    etuis_per_position = models.PositiveSmallIntegerField(
        _("étuis per position"), default=DEFAULTS["etuis_per_position"]
    )
    barometer = models.BooleanField(_("all tables play the same étuis at once"), default=DEFAULTS["barometer"])
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
    level = models.PositiveSmallIntegerField(default=0, help_text="how many cuts its players have passed")
    section = models.CharField(_("section"), max_length=20, blank=True)
    group = models.ForeignKey(SectionGroup, null=True, blank=True, on_delete=models.SET_NULL, related_name="sections")
    closed_at = models.DateTimeField(null=True, blank=True)
    shows_ranking = models.BooleanField(_("the ranking"), default=True)
    shows_etuis = models.BooleanField(_("the étuis with their results"), default=True)
    shows_cards = models.BooleanField(_("the cards"), default=True)
    shows_feuilles = models.BooleanField(_("the feuilles de route"), default=True)
    cards_shown_at = models.DateTimeField(null=True, blank=True, help_text="since when readers have known its cards")
    held_until = models.DateTimeField(null=True, blank=True, help_text="until then readers see its ranking alone")
    told_version = models.PositiveIntegerField(default=0, help_text="raised where calendars say something else of it")
    told_at = models.DateTimeField(null=True, help_text="since when they say what they say")
    records_version = models.PositiveBigIntegerField(default=0, help_text="raised by every write of its plays' records")
    seating = models.CharField(_("seating"), max_length=7, choices=GameSeating, default=DEFAULTS["seating"])
    odd_tables = models.CharField(_("odd tables"), max_length=6, choices=OddTable, default=DEFAULTS["odd_tables"])
    fits_deals = models.BooleanField(_("as many deals as fit, up to 12"), default=DEFAULTS["fits_deals"])
    three_weight = models.DecimalField(
        _("weight of marks at three"), max_digits=4, decimal_places=2, default=DEFAULTS["three_weight"]
    )
    five_weight = models.DecimalField(
        _("weight of marks at five"), max_digits=4, decimal_places=2, default=DEFAULTS["five_weight"]
    )

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
                condition=Q(three_weight__gt=0, five_weight__gt=0), name="session_weights_of_odd_tables_above_0"
            ),
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
