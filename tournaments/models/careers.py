"""The models of careers: rows of players over all their published sessions, derived from publications by a job."""

from django.db import models

from tournaments.models.evening import Session


class CareerBasis(models.Model):
    """The basis from which a session's appearances were made; "" if readers may see nothing."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="career_basis", primary_key=True)
    basis = models.CharField(max_length=60, blank=True)

    class Meta:
        verbose_name_plural = "career bases"

    def __str__(self) -> str:
        return f"{self.session_id}: {self.basis}"


class Appearance(models.Model):
    """A player in a session, as in its newest publication.

    `player` is the number on the club's list that the publication has, even if that player was merged later: readers
    follow the merge. `field` is the lowest id of the sessions whose plays are compared with each other; equal étuis are
    recognised by it. `overall` is exact ("175/3"), "" if there is none. With ranks it is that of the ranking; for a
    stand-in it is that of the deals that they played. `figures` and `plays` have the form that `careers.rows`
    describes. They are empty if readers may see neither étuis nor feuilles.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="appearances")
    player = models.PositiveBigIntegerField()
    entrant = models.PositiveBigIntegerField()
    version = models.PositiveSmallIntegerField()
    date = models.DateField()
    season = models.PositiveSmallIntegerField(help_text="the year in which its sporting year began")
    field = models.PositiveBigIntegerField()
    is_free = models.BooleanField()
    is_stand_in = models.BooleanField(default=False)
    rank = models.PositiveIntegerField(null=True, help_text="in the classement alterné")
    rank_general = models.PositiveIntegerField(null=True)
    ranked = models.PositiveIntegerField(help_text="how many have a rank")
    overall = models.CharField(max_length=200, blank=True)
    deals = models.PositiveIntegerField()
    figures = models.JSONField(default=dict)
    plays = models.JSONField(default=list)

    class Meta:
        ordering = ["-date", "-session"]
        constraints = [models.UniqueConstraint(fields=["session", "player"], name="appearance_once_per_session")]
        indexes = [
            models.Index(fields=["player", "season"], name="appearance_of_player"),
            models.Index(fields=["field"], name="appearance_in_field"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.session_id}"


class CareerSeason(models.Model):
    """The sum of a player's appearances in one sporting year, stored so that a page need not read them all.

    It is made from `rows` appearances, of which `newest` has the highest id. It is stale if there are others now.
    """

    player = models.PositiveBigIntegerField()
    season = models.PositiveSmallIntegerField()
    rows = models.PositiveIntegerField()
    newest = models.PositiveBigIntegerField()
    data = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "season"], name="career_season_once_per_player")]

    def __str__(self) -> str:
        return f"{self.player} in {self.season}"
