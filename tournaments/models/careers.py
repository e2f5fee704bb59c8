"""What is kept of players over all their published sessions: rows derived from publications, made anew by a job."""

from django.db import models

from tournaments.models.evening import Session


class CareerBasis(models.Model):
    """What a session's appearances were made from; "" where there is nothing that readers may have."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="career_basis", primary_key=True)
    basis = models.CharField(max_length=60, blank=True)

    class Meta:
        verbose_name_plural = "career bases"

    def __str__(self) -> str:
        return f"{self.session_id}: {self.basis}"


class Appearance(models.Model):
    """A player in a session, as its newest publication has him.

    `player` is his number in the club's list as the publication has it, merged or not: whoever reads follows it.
    `field`: the lowest of the sessions whose plays are compared with each other, by which equal étuis are known.
    `overall` is exact ("175/3"), "" where there is none: with the ranks it is the ranking's; of a stand-in it is that
    of the deals he played.
    `figures` and `plays` are those of `careers.rows`, empty where readers are shown neither étuis nor feuilles.
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
    """What a player's appearances of one sporting year come to together, kept so that a page need not read them all.

    Made from so many `rows`, of which `newest` has the highest number: where there are others by now it counts nothing.
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
