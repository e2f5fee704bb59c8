"""The models of results: what is known of a play, and what follows from it. Fields and constraints only.

Results, checks, rulings and penalties are rows that are added and never overwritten. Standings are derived from them;
`published` has what is published of them.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from deals.models import LINE_CHOICES, Etui
from tournaments.models.evening import Entrant, Play, Session
from tournaments.rules.split import EtuiSplit


class ResultEntry(models.Model):
    """A table's report of a play: the facts, or the fiche's signed base score alone, or four passes.

    Append-only. A correction is a new version; `current` marks the one that counts, and is the only field that changes.
    A `contested` entry arrived when the play had another result already: it is stored for the director, and never
    counts. `author` is the account, None if a table's own device entered it, from the named `seat`. `key` is the
    sender's own number of the entry: sent twice, it is stored once. `attack_bouts` are named as "21+petit", or "none";
    "" if only their number is known. `typed_at` is the sender's clock, which may be wrong. `check_by` is how the other
    side had to check it when it came, and `shows` whether the table then sees the results of others: later changes of
    these settings apply to later entries.
    """

    class EntryKind(models.TextChoices):
        FACTS = "facts", _("facts")
        FICHE = "fiche", _("score from the fiche")
        PASSED = "passed", _("everyone passed")

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="entries")
    version = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    kind = models.CharField(max_length=6, choices=EntryKind)
    taker = models.CharField(max_length=1, choices=LINE_CHOICES, blank=True)
    contract = models.CharField(max_length=12, blank=True)
    bouts = models.PositiveSmallIntegerField(null=True, blank=True)
    attack_bouts = models.CharField(max_length=20, blank=True)
    half_points = models.PositiveSmallIntegerField(null=True, blank=True)
    petit_au_bout = models.CharField(max_length=7, blank=True)
    poignees_attack = models.CharField(max_length=20, blank=True)
    poignees_defence = models.CharField(max_length=20, blank=True)
    chelem = models.CharField(max_length=20, blank=True)
    fiche_score = models.SmallIntegerField(null=True, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    seat = models.CharField(max_length=1, choices=LINE_CHOICES, blank=True)
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
                | Q(kind="passed", bouts=None, half_points=None, fiche_score=None, taker="", contract=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.play_id} v{self.version}"

    @property
    def sender(self) -> str:
        """The account or the table's device from which it came."""
        return self.author.get_username() if self.author else self.device

    @property
    def sender_name(self) -> str:
        """The name of the person who sent it, or the device, as people read it."""
        return self.author.shown_name if self.author else self.device


class EntryCheck(models.Model):
    """The other side's check of an entry: it agrees or not. `author` is None if a table's device sent it."""

    entry = models.ForeignKey(ResultEntry, on_delete=models.PROTECT, related_name="checks")
    agrees = models.BooleanField()
    seat = models.CharField(max_length=1, choices=LINE_CHOICES, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.agrees}"


class Ruling(models.Model):
    """A ruling of the arbiter on a play. Rows are added; the newest one of a play is in force.

    A play that is *not played* is no longer expected; one *to be played later* is, after its position. Neither says
    anything about a play that has a result. A *withdrawn* result was not this play's: the play has no result, and is
    expected, until a new one is entered.

    An *adjusted* play has the base score assigned by the arbiter (`score`, for `taker`), or fixed notes, or both.
    `notes` has, by line, "60" or "175/2", or "better 60": the better of that figure and the mean of the player's
    unfixed notes on the same side. With `compared`, its score counts in the topage of the others.
    """

    class RulingKind(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        RESTORED = "restored", _("restored")
        NOT_PLAYED = "not_played", _("not played")
        LATER = "later", _("to be played later")
        WITHDRAWN = "withdrawn", _("result withdrawn")
        ADJUSTED = "adjusted", _("adjusted by the arbiter")

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=10, choices=RulingKind)
    taker = models.CharField(max_length=1, choices=LINE_CHOICES, blank=True)
    score = models.SmallIntegerField(null=True, blank=True)
    notes = models.JSONField(default=dict, blank=True)
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
                condition=Q(kind="adjusted") & (Q(score__isnull=False) | ~Q(notes={}))
                | ~Q(kind="adjusted") & Q(score=None, notes={}, taker="", compared=True),
                name="ruling_adjusts_a_score_or_notes",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.play_id} {self.kind}"

    @property
    def sender(self) -> str:
        return self.author.get_username() if self.author else self.device

    @property
    def sender_name(self) -> str:
        """The name of the person who sent it, or the device, as people read it."""
        return self.author.shown_name if self.author else self.device


class EtuiRuling(models.Model):
    """A ruling of the arbiter on an étui for the whole session. The newest one of an étui is in force.

    A *split* étui was altered before `from_position`, or within it, after the tables that had played it by then: its
    plays before and after are compared separately.
    """

    class EtuiRulingKind(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        SPLIT = "split", _("altered from a position on")
        RESTORED = "restored", _("restored")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="etui_rulings")
    etui = models.ForeignKey(Etui, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=8, choices=EtuiRulingKind)
    from_position = models.PositiveSmallIntegerField(null=True, blank=True)
    played_before = models.JSONField(
        default=list, blank=True, help_text="numbers of the tables of from_position that came before"
    )
    article = models.CharField(_("article of the regulation"), max_length=60, blank=True)
    reason = models.CharField(max_length=300)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    ruled_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="etui_ruling_has_reason"),
            models.CheckConstraint(
                condition=Q(kind="split", from_position__gte=2)
                | Q(("kind", "split"), ("from_position", 1), ~Q(played_before=[]))
                | Q(~Q(kind="split"), ("from_position", None), ("played_before", [])),
                name="etui_ruling_split_from_a_position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.etui_id} {self.kind}"

    @property
    def split(self) -> EtuiSplit | None:
        return None if self.from_position is None else EtuiSplit(self.from_position, tuple(self.played_before))


class Penalty(models.Model):
    """A penalty, bonus or warning: percentage points subtracted from a player's overall percentage or added to it.

    A warning has no points. A row that names another one in `reverses` cancels it. With a `position`, its weight is
    that of the position in the session.
    """

    class PenaltyKind(models.TextChoices):
        PENALTY = "penalty", _("penalty")
        BONUS = "bonus", _("bonus")
        WARNING = "warning", _("warning")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="penalties")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="penalties")
    kind = models.CharField(max_length=7, choices=PenaltyKind, default=PenaltyKind.PENALTY)
    points = models.DecimalField(_("percentage points"), max_digits=5, decimal_places=2)
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
                condition=Q(points__gt=0, points__lte=100) & ~Q(kind="warning") | Q(points=0, kind="warning"),
                name="penalty_above_0_to_100",
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

    `data` has the players with their percentages and ranks, and counts. They follow from `sums`, which are always the
    sums of the session's étuis. Before the first job both are empty, and `computed_at` is None. `compared_at` is when
    they were last compared with a computation from nothing.
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
    """The standings of one étui in a session: a function of its plays and the rulings on them alone.

    `plays` has each play's state, score and notes by its id; `sums` has the counts, and what the étui adds to the sums
    of each player. `results_version` is that of the standings with which it was computed.
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
    """An étui whose plays have changed since its standings were computed. Without an étui, the whole session has.

    The transaction that changes results adds the row, and the computation that has read the plays since then removes
    it. Because the row is separate from the standings, neither of the two waits for the other.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="changed_etuis")
    etui = models.ForeignKey(Etui, null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "changed étuis"

    def __str__(self) -> str:
        return f"{self.session_id} {self.etui_id or 'all'}"
