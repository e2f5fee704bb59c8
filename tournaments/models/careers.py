"""The models of careers: each player's figures over all published sessions.

A job computes these rows from the publications.
"""

from fractions import Fraction

from django.db import models

from tournaments.models.evening import Session


class CareerBasis(models.Model):
    """A text that identifies the data from which the `Appearance` rows of a session were made.

    If the text is no longer current, the rows are made again. It is "" if readers may see nothing of the session.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="career_basis", primary_key=True)
    basis = models.CharField(max_length=60, blank=True)

    class Meta:
        verbose_name_plural = "career bases"

    def __str__(self) -> str:
        return f"{self.session_id}: {self.basis}"


class Appearance(models.Model):
    """The figures of one player in one session, as its newest publication has them.

    `player` is the player's id in the publication. If the player is merged later, this id stays, and the code that
    reads the row looks up the remaining player. `field` is the lowest id of the sessions whose plays are compared with
    each other: players of the same étuis have equal `field`. `overall` is the overall percentage as an exact fraction
    ("175/3"), or "" if there is none. For a player with a rank it is the percentage in the ranking. For a stand-in it
    is the percentage of the deals that the stand-in played. `careers.rows` describes the form of `figures` and `plays`.
    Both are empty if readers may see neither étuis nor feuilles.
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
            # The index has all columns that the comparison of two players reads. So the database need not read the
            # rows, which are large.
            models.Index(
                fields=["player", "season", "date", "session", "field", "rank"], name="appearance_of_player_wide"
            ),
            models.Index(fields=["field"], name="appearance_in_field"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.session_id}"

    @property
    def percentage(self) -> Fraction | None:
        """The overall percentage from 0 to 100, or None."""
        return Fraction(self.overall) if self.overall else None


class CareerSeason(models.Model):
    """The sums over a player's appearances in one sporting year. A page reads this row instead of all appearances.

    A player with several seasons also has a row of season 0, with the sums over all of them. `rows` is the number of
    the appearances that were summed, and `newest` is the highest of their ids. The row is stale if the player's
    appearances now have another number or another highest id.
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


class CareerDuels(models.Model):
    """The comparisons of a player with others on the étuis that both played, in one sporting year.

    Each pair of players is stored once, with the lower id as `player`; the season is that of this player's rows. `data`
    has a list for each other player, as `careers.duels` describes it.
    """

    player = models.PositiveBigIntegerField()
    season = models.PositiveSmallIntegerField()
    data = models.JSONField()

    class Meta:
        verbose_name_plural = "career duels"
        constraints = [models.UniqueConstraint(fields=["player", "season"], name="career_duels_once_per_player")]

    def __str__(self) -> str:
        return f"{self.player} in {self.season}"
