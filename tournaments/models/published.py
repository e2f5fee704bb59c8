"""The models of publications: the published versions of sessions and tournaments, and the standings of a tournament.

Fields and constraints only. A version is never changed. When the ranking changes, another version is added.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from tournaments.models.evening import Session, Tournament


class Version(models.Model):
    """A dated, frozen copy of standings, from which public pages are served.

    A version is first *provisional*, until `official_from`. At that moment the site adds an *official* version, with
    `published_by` None. A director may add it earlier. A provisional version after an official one has a `reason`: it
    is a correction, or it reopens the time for corrections with the same figures. A *withdrawn* version removes the
    ranking and has a `reason` too. It keeps the figures of the version before, but readers see none of them. `changes`
    are the differences from the version before, as codes with params.

    `digest` is the digest of `frozen`, the figures as another site froze them, if the version comes from an archive.
    `data` then has the same figures with the numbers that players, entrants and plays have on this site.
    """

    class PublicationStatus(models.TextChoices):
        PROVISIONAL = "provisional", _("provisional")
        OFFICIAL = "official", _("official")
        WITHDRAWN = "withdrawn", _("withdrawn")

    version = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=11, choices=PublicationStatus, default=PublicationStatus.PROVISIONAL)
    official_from = models.DateTimeField(null=True, blank=True)
    results_version = models.PositiveBigIntegerField()
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    changes = models.JSONField(default=list, blank=True)
    data = models.JSONField()
    digest = models.CharField(max_length=64)
    frozen = models.JSONField(null=True, help_text="the figures as the site of an archive froze them")

    class Meta:
        abstract = True


class Publication(Version):
    """A version of a session's standings.

    Its figures contain the ids of players and no names. A row of `PublishedPlayer` for each of these players keeps the
    player from being deleted. If no étui was compared, every note is 50, and the session does not count in its
    tournament.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="publications")
    compared_etuis = models.PositiveIntegerField(
        null=True, help_text="étuis of which two plays at least are compared; empty in versions from before it was kept"
    )

    class Meta:
        ordering = ["session", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["session", "version"], name="publication_version_once_per_session"),
            models.CheckConstraint(
                condition=~Q(status="withdrawn") | ~Q(reason=""), name="publication_withdrawn_with_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} v{self.version}"


class PublishedPlayer(models.Model):
    """A player whom a publication shows, or who stood in for such a player.

    Because of the row the player cannot be deleted from the club's list.
    """

    publication = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="people")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="published")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["publication", "player"], name="player_once_per_publication"),
        ]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.player_id}"


class TournamentStandings(models.Model):
    """The last computed standings of a tournament of several sessions, and the versions of the data they were made of.

    `basis` has the tournament's revision, and the results version of each session by the session's id as text.
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="standings", primary_key=True)
    basis = models.JSONField(default=dict)
    computed_at = models.DateTimeField(null=True)
    data = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "tournament standings"

    def __str__(self) -> str:
        return str(self.tournament_id)


class TournamentPublication(Version):
    """A version of a tournament's standings.

    `sessions` has the version number of the publication of each session that counts, by the session's id as text.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="publications")
    sessions = models.JSONField(default=dict)

    class Meta:
        ordering = ["tournament", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="publication_version_once_per_tournament"),
            models.CheckConstraint(
                condition=~Q(status="withdrawn") | ~Q(reason=""), name="tournament_withdrawn_with_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} v{self.version}"


class TieDraw(models.Model):
    """A draw of lots among players with equal results.

    `order` has the ids of the players, the first drawn first. A draw applies to its session, or to the whole tournament
    if `session` is None. The newest draw is in force.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="draws")
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.CASCADE, related_name="draws")
    order = models.JSONField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    drawn_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.session_id or ''}"
