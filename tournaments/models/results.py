"""The models of results: entered results, checks, rulings and penalties, and the standings computed from them.

Fields and constraints only. Rows of results, checks, rulings and penalties are added and never overwritten. The
published copies of standings are in `published`.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from deals.models import SEAT_CHOICES, Etui
from tournaments.models.evening import Session
from tournaments.models.plays import Entrant, Play
from tournaments.models.teams import TeamMember
from tournaments.rules.etuis import EtuiSplit


class ResultEntry(models.Model):
    """A reported result of a play: the facts, or only the signed base score of the fiche, or that everyone passed.

    Where the tables deal, it may also be the sheet of a game. Its `marks` are those of each seat in this deal and in
    the later ones of its game, together `covers` deals. `players` play the deal. If five do, `partner` is the seat that
    the taker called. The taker's own seat means that the taker plays alone.

    Rows are only added: a correction is a new version. `current` marks the version that counts, and is the only field
    that changes. A `contested` entry arrived when the play already had another result: it is stored for the director,
    and does not count. `author` is the account that entered the result. It is None for an entry from a table's own
    device; `seat` then says who entered it. `key` is a number that the sender chose for the entry: an entry sent twice
    with the same key is stored once. `attack_bouts` is a text such as "21+petit" or "none", or "" if only the number of
    bouts is known. `typed_at` is the time on the sender's clock, which may be wrong. `check_by` and `shows` are copies
    of the session's settings when the entry came. They say how the other side must check it, and whether the table then
    sees other tables' results. Later changes of the settings apply to later entries only.
    """

    class EntryKind(models.TextChoices):
        FACTS = "facts", _("facts")
        FICHE = "fiche", _("score from the fiche")
        PASSED = "passed", _("everyone passed")
        SHEET = "sheet", _("sheet of the game")

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="entries")
    version = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    kind = models.CharField(max_length=6, choices=EntryKind)
    taker = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    partner = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    players = models.PositiveSmallIntegerField(default=4)
    contract = models.CharField(max_length=12, blank=True)
    bouts = models.PositiveSmallIntegerField(null=True, blank=True)
    attack_bouts = models.CharField(max_length=20, blank=True)
    half_points = models.PositiveSmallIntegerField(null=True, blank=True)
    petit_au_bout = models.CharField(max_length=7, blank=True)
    poignees_attack = models.CharField(max_length=20, blank=True)
    poignees_defence = models.CharField(max_length=20, blank=True)
    chelem = models.CharField(max_length=20, blank=True)
    fiche_score = models.SmallIntegerField(null=True, blank=True)
    marks = models.CharField(max_length=60, blank=True, help_text="whole numbers after the seats, which sum to zero")
    covers = models.PositiveSmallIntegerField(default=1, help_text="deals of which a sheet has the marks")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    seat = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    attacker = models.ForeignKey(TeamMember, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    key = models.UUIDField(null=True, blank=True, unique=True)
    contested = models.BooleanField(default=False)
    check_by = models.CharField(max_length=6, choices=Session.Check, default=Session.Check.SAME)
    shows = models.BooleanField(default=False)
    typed_at = models.DateTimeField(null=True, blank=True)
    entered_at = models.DateTimeField()
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["play", "version"]
        verbose_name_plural = "result entries"
        constraints = [
            models.UniqueConstraint(fields=["play"], condition=Q(current=True), name="entry_one_current_per_play"),
            models.UniqueConstraint(fields=["play", "version"], name="entry_version_once_per_play"),
            models.CheckConstraint(
                condition=Q(version=1) | Q(author=None) | ~Q(reason=""), name="entry_correction_has_reason"
            ),
            models.CheckConstraint(condition=Q(author__isnull=False) | Q(key__isnull=False), name="entry_has_a_sender"),
            models.CheckConstraint(condition=Q(contested=False) | Q(current=False), name="entry_contested_counts_not"),
            models.CheckConstraint(
                name="entry_holds_what_its_kind_says",
                condition=Q(kind="facts", bouts__range=(0, 3), half_points__range=(0, 182), fiche_score=None)
                & ~Q(taker="")
                & ~Q(contract="")
                | Q(kind="fiche", bouts=None, half_points=None, fiche_score__isnull=False) & ~Q(taker="")
                | Q(
                    kind__in=["passed", "sheet"],
                    bouts=None,
                    half_points=None,
                    fiche_score=None,
                    taker="",
                    contract="",
                    partner="",
                ),
            ),
            models.CheckConstraint(
                condition=Q(kind="sheet", covers__gte=1) & ~Q(marks="") | ~Q(kind="sheet") & Q(marks="", covers=1),
                name="entry_sheet_has_marks",
            ),
            models.CheckConstraint(
                condition=Q(players__in=[3, 4, 5]) & (Q(partner="") | Q(players=5)), name="entry_partner_at_five"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.play_id} v{self.version}"

    @property
    def sender(self) -> str:
        """The username of the account that sent the entry, or the name of the table's device."""
        return self.author.get_username() if self.author else self.device

    @property
    def sender_name(self) -> str:
        """The shown name of the person who sent the entry, or the name of the table's device."""
        return self.author.shown_name if self.author else self.device


class EntryCheck(models.Model):
    """The other side's check of an entry: whether they agree. `author` is None if a table's device sent the check."""

    entry = models.ForeignKey(ResultEntry, on_delete=models.PROTECT, related_name="checks")
    agrees = models.BooleanField()
    seat = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.agrees}"


class Ruling(models.Model):
    """A ruling of the arbiter on a play. Rows are only added, and the newest ruling on a play is in force.

    - *Not played*: no result is expected any more. It has no effect if the play has a result.
    - *To be played later*: a result is still expected, after the play's position. It has no effect if the play has a
      result.
    - *Withdrawn*: the entered result belongs to another play. This play has no result until a new one is entered.
    - *On a sheet*: the sheet of its game has the marks of this deal, which gets no result of its own.
    - *Adjusted*: the arbiter assigns a base score (`score`, for `taker`), or fixes notes, or both. Where the tables
      deal, the arbiter assigns a base score (at five players with the `partner`) or `marks` by seat.

    `notes` has a text by line: an exact note such as "60" or "175/2", or "better 60". "better 60" means 60 or, if it is
    better, the mean of the player's other notes in the same part (attack or defence). With `compared`, the score of an
    adjusted play counts in the topage of the other tables.
    """

    class RulingKind(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        RESTORED = "restored", _("restored")
        NOT_PLAYED = "not_played", _("not played")
        LATER = "later", _("to be played later")
        WITHDRAWN = "withdrawn", _("result withdrawn")
        ADJUSTED = "adjusted", _("adjusted by the arbiter")
        ON_SHEET = "on_sheet", _("on the sheet of the game")

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=10, choices=RulingKind)
    taker = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    partner = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    score = models.SmallIntegerField(null=True, blank=True)
    notes = models.JSONField(default=dict, blank=True)
    marks = models.JSONField(default=dict, blank=True, help_text="whole numbers by seat")
    compared = models.BooleanField(default=True)
    article = models.CharField(_("article of the regulation"), max_length=60, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    ruled_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind__in=["annulled", "withdrawn", "adjusted"]) | ~Q(reason="") & Q(author__isnull=False),
                name="ruling_annuls_with_reason",
            ),
            models.CheckConstraint(
                condition=Q(kind="adjusted") & (Q(score__isnull=False) | ~Q(notes={}) | ~Q(marks={}))
                | ~Q(kind="adjusted") & Q(score=None, notes={}, marks={}, taker="", partner="", compared=True),
                name="ruling_adjusts_a_score_or_notes",
            ),
            models.CheckConstraint(
                condition=Q(marks={}) | Q(score=None, notes={}, taker="", partner=""), name="ruling_marks_stand_alone"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.play_id} {self.kind}"

    @property
    def sender(self) -> str:
        return self.author.get_username() if self.author else self.device

    @property
    def sender_name(self) -> str:
        """The shown name of the director who ruled, or the name of the table's device."""
        return self.author.shown_name if self.author else self.device


class AnyEtuiRuling(models.Model):
    """A ruling on an étui, of a session or of a simultaneous. The newest one of an étui is in force.

    The cards of a *split* étui were altered during the evening, so its plays before and after the alteration are
    compared separately. The plays from `from_position` on came after it. In that position, the tables in
    `played_before` played the étui before it.
    """

    from_position = models.PositiveSmallIntegerField(null=True, blank=True)
    played_before = models.JSONField(
        default=list, blank=True, help_text="numbers of the tables of from_position that came before"
    )
    reason = models.CharField(max_length=300)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    ruled_at = models.DateTimeField()

    class Meta:
        abstract = True

    @property
    def split(self) -> EtuiSplit | None:
        return None if self.from_position is None else EtuiSplit(self.from_position, tuple(self.played_before))


def require_reason_and_split(name: str) -> list[models.BaseConstraint]:
    """Return the constraints of a model of rulings: each has a reason, and only a split étui has a position."""
    return [
        models.CheckConstraint(condition=~Q(reason=""), name=f"{name}_has_reason"),
        models.CheckConstraint(
            condition=Q(kind="split", from_position__gte=2)
            | Q(("kind", "split"), ("from_position", 1), ~Q(played_before=[]))
            | Q(~Q(kind="split"), ("from_position", None), ("played_before", [])),
            name=f"{name}_split_from_a_position",
        ),
    ]


class EtuiRuling(AnyEtuiRuling):
    """A ruling of the arbiter on an étui for the whole session."""

    class EtuiRulingKind(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        SPLIT = "split", _("altered from a position on")
        RESTORED = "restored", _("restored")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="etui_rulings")
    etui = models.ForeignKey(Etui, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=8, choices=EtuiRulingKind)
    article = models.CharField(_("article of the regulation"), max_length=60, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = require_reason_and_split("etui_ruling")

    def __str__(self) -> str:
        return f"{self.etui_id} {self.kind}"


class Penalty(models.Model):
    """A penalty, bonus or warning: percentage points subtracted from a player's overall percentage or added to it.

    Where match points or marks are added up, the points are of that kind. Marks are at most 9 999, others 100. A
    warning has no points. A row with `reverses` cancels the penalty that `reverses` names. If `position` is set, the
    points apply to that position only, and weigh as much as the position does in the session.
    """

    class PenaltyKind(models.TextChoices):
        PENALTY = "penalty", _("penalty")
        BONUS = "bonus", _("bonus")
        WARNING = "warning", _("warning")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="penalties")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="penalties")
    kind = models.CharField(max_length=7, choices=PenaltyKind, default=PenaltyKind.PENALTY)
    points = models.DecimalField(_("percentage points"), max_digits=6, decimal_places=2)
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    reverses = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversal")
    article = models.CharField(_("article of the regulation"), max_length=60, blank=True)
    reason = models.CharField(_("reason"), max_length=300)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "penalties"
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="penalty_has_reason"),
            models.CheckConstraint(
                condition=Q(points__gt=0, points__lte=9_999) & ~Q(kind="warning") | Q(points=0, kind="warning"),
                name="penalty_above_0_to_9999",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} {self.points}"


class UsualPenalty(models.Model):
    """A penalty, bonus or warning that a club's arbiters often give, to be chosen from a list."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="usual_penalties")
    kind = models.CharField(max_length=7, choices=Penalty.PenaltyKind, default=Penalty.PenaltyKind.PENALTY)
    points = models.DecimalField(_("percentage points"), max_digits=5, decimal_places=2)
    for_position = models.BooleanField(_("for one position"), default=False)
    article = models.CharField(_("article of the regulation"), max_length=60, blank=True)
    reason = models.CharField(_("reason"), max_length=300)

    class Meta:
        ordering = ["reason", "id"]
        verbose_name_plural = "usual penalties"
        constraints = [
            models.CheckConstraint(
                condition=Q(points__gt=0, points__lte=100) & ~Q(kind="warning") | Q(points=0, kind="warning"),
                name="usual_penalty_above_0_to_100",
            ),
        ]

    def __str__(self) -> str:
        return self.reason


class SessionStandings(models.Model):
    """The last computed standings of a session, and the version of the results that they contain.

    `data` has the players with their percentages and ranks, and some counts. It is computed from `sums`, which are the
    sums of the standings of all étuis of the session. Before the first job both are empty, and `computed_at` is None.
    `compared_at` is when the standings were last compared with a full new computation.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="standings", primary_key=True)
    results_version = models.PositiveIntegerField()
    computed_at = models.DateTimeField(null=True)
    data = models.JSONField()
    sums = models.JSONField(default=dict)
    compared_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "session standings"

    def __str__(self) -> str:
        return f"{self.session_id} at {self.results_version}"


class EtuiStandings(models.Model):
    """The standings of one étui in a session. They depend only on the étui's plays and the rulings on these plays.

    `plays` has the state, score and notes of each play by the play's id. `sums` has counts, and what the étui adds to
    the sums of each player. `results_version` is the version of the session's standings that were computed together
    with this row.
    """

    standings = models.ForeignKey(SessionStandings, on_delete=models.CASCADE, related_name="etuis")
    etui = models.ForeignKey(Etui, on_delete=models.PROTECT, related_name="+")
    results_version = models.PositiveIntegerField()
    plays = models.JSONField()
    sums = models.JSONField()

    class Meta:
        verbose_name_plural = "étui standings"
        constraints = [models.UniqueConstraint(fields=["standings", "etui"], name="etui_standings_once_per_session")]

    def __str__(self) -> str:
        return f"{self.etui_id} at {self.results_version}"


class ChangedEtui(models.Model):
    """An étui whose plays have changed since its standings were computed. With `etui` None, every étui has changed.

    The transaction that changes results adds the row. The computation that reads these results removes it. The row is
    separate from the standings so that neither of the two waits for the other.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="changed_etuis")
    etui = models.ForeignKey(Etui, null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "changed étuis"

    def __str__(self) -> str:
        return f"{self.session_id} {self.etui_id or 'all'}"
