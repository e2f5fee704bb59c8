"""The models of ratings and leaderboards: what each session brings, and the figures that a job computes from it."""

from django.db import models

from tournaments.models.evening import Session


class GameKind(models.TextChoices):
    """The kinds of play that have ratings and leaderboards of their own."""

    IMPOSED = "imposed"
    FREE = "free"
    TEAMS = "teams"


class RatedSession(models.Model):
    """The row with what a session brings to ratings and leaderboards, as its newest publication has it.

    The job that makes the `Appearance` rows makes this row too, under the same `CareerBasis`. `field` is as in
    `Appearance`. Notes are whole numbers over `den`. `careers.rated` describes the form of `players` and `plays`. The
    ids in them are those of the publication, so players who were merged later still have their old ids.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="rated", primary_key=True)
    kind = models.CharField(max_length=8, choices=GameKind)
    date = models.DateField()
    field = models.PositiveBigIntegerField()
    den = models.PositiveBigIntegerField(default=1)
    players = models.JSONField(default=list)
    plays = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.kind} of {self.session_id}"
