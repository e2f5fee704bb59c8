"""The models of ratings and leaderboards: what each session brings, and the figures that a job computes from it."""

from django.db import models
from django.db.models import Q

from clubs.models import Club
from tournaments.models.evening import Session


class GameKind(models.TextChoices):
    """The kinds of play that have ratings and leaderboards of their own."""

    IMPOSED = "imposed"
    FREE = "free"
    TEAMS = "teams"

    @property
    def names_taker(self) -> bool:
        """True if the étui names the taker. Otherwise the players bid."""
        return self in (GameKind.IMPOSED, GameKind.TEAMS)


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


class BoardMeasure(models.TextChoices):
    """The figures by which a leaderboard ranks its players."""

    RATING = "rating"
    MEAN = "mean"
    ATTACK = "attack"
    DEFENCE = "defence"
    DEALS = "deals"
    TOPS = "tops"
    PRESENCE = "presence"


class LeaderboardBasis(models.Model):
    """A text that identifies the data from which all ratings and leaderboards were made. There is at most one row.

    If the text is no longer current, the job makes them again, but not before an hour after `looked_at`.
    """

    basis = models.CharField(max_length=64, blank=True)
    looked_at = models.DateTimeField(help_text="when the job last compared the basis with the data")
    made_at = models.DateTimeField(null=True, help_text="when ratings and leaderboards last changed")

    class Meta:
        verbose_name_plural = "leaderboard bases"

    def __str__(self) -> str:
        return self.basis


class PersonRating(models.Model):
    """The rating of a person in one kind of play, in points of %. `scoring.rating` defines it.

    `person` and `player` are ids. The player is the person's player in the club where they last played. `within`: with
    95 %, the true figure is not further away. `group` is the lowest person id of those with whom the person can be
    compared. In a free auction there is neither attack nor defence. `position` is the place in the site's list, or None
    for a person who is not on it.
    """

    kind = models.CharField(max_length=8, choices=GameKind)
    person = models.PositiveBigIntegerField()
    player = models.PositiveBigIntegerField()
    figure = models.DecimalField(max_digits=7, decimal_places=2)
    attack = models.DecimalField(max_digits=7, decimal_places=2, null=True)
    defence = models.DecimalField(max_digits=7, decimal_places=2, null=True)
    within = models.DecimalField(max_digits=7, decimal_places=2)
    sessions = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    group = models.PositiveBigIntegerField()
    position = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "kind"], name="rating_once_per_person")]
        indexes = [models.Index(fields=["player"], name="rating_of_player")]

    def __str__(self) -> str:
        return f"{self.figure} of {self.person}"


class Leaderboard(models.Model):
    """A leaderboard of the site (`club` is None) or of a club, for one kind of play and one period.

    `period` is "all", the year in which a sporting year began ("2026"), a month ("2026-11"), or a club's own season by
    its id ("s7"). `basis` is the digest of the board's rows. `apart` is the number of rated people who are not on the
    list of ratings, because nobody on it can be compared with them.
    """

    club = models.ForeignKey(Club, null=True, on_delete=models.CASCADE, related_name="leaderboards")
    kind = models.CharField(max_length=8, choices=GameKind)
    period = models.CharField(max_length=20)
    basis = models.CharField(max_length=64, blank=True)
    apart = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "kind", "period"], name="leaderboard_once_per_club"),
            models.UniqueConstraint(
                fields=["kind", "period"], condition=Q(club=None), name="leaderboard_once_for_the_site"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.period} of {self.club_id}"


class LeaderboardRow(models.Model):
    """A person's row on a leaderboard, by one measure.

    `place` counts the listed rows from 1, so that a page of the list is found by its places. It is None for a person
    who is not shown by name: such a person is neither listed nor counted. Their own page shows the `position` that they
    would have. Equal figures have equal positions. `person` and `player` are ids, as in `PersonRating`.
    `within` is set for ratings.
    """

    board = models.ForeignKey(Leaderboard, on_delete=models.CASCADE, related_name="rows")
    measure = models.CharField(max_length=8, choices=BoardMeasure)
    person = models.PositiveBigIntegerField()
    player = models.PositiveBigIntegerField()
    place = models.PositiveIntegerField(null=True)
    position = models.PositiveIntegerField()
    figure = models.DecimalField(max_digits=12, decimal_places=3)
    within = models.DecimalField(max_digits=7, decimal_places=2, null=True)
    sessions = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["board", "measure", "person"], name="leaderboard_row_once_per_person")
        ]
        indexes = [
            models.Index(fields=["board", "measure", "place"], name="leaderboard_row_by_place"),
            models.Index(fields=["person"], name="leaderboard_row_of_person"),
            models.Index(fields=["player"], name="leaderboard_row_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.position} in {self.board_id}: {self.person}"
