"""The models of players, of persons, and of a club's seasons."""

import datetime as dt
from typing import Protocol

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Club, OneUseLink, real_clubs
from clubs.models.folded import Findable, FoldedField, FoundByName
from clubs.models.shown_names import validate_name


class Visibility(models.TextChoices):
    """The ways in which a player is shown in public, from the most open to the most private."""

    NAME = "name", pgettext_lazy("how somebody is shown", "by name")
    INITIALS = "initials", pgettext_lazy("how somebody is shown", "by initials")
    HIDDEN = "hidden", pgettext_lazy("how somebody is shown", "hidden")

    @property
    def privacy(self) -> int:
        return list(Visibility).index(self)


class Person(models.Model):
    """A human being. A person may have one player in each of several clubs.

    Links between players, a common account or a merge make several players one person; `clubs.persons.regroup` decides
    which. A person has no rights and makes no choices: these belong to the players. `shown`: how the person is shown in
    public. It is computed from the choices for the players (`ShownWord`) and from their categories.
    """

    shown = models.CharField(max_length=8, choices=Visibility, default=Visibility.NAME, editable=False)

    def __str__(self) -> str:
        return str(self.pk)


class NamedPlayer(Protocol):
    """An object with the columns that make a player's name: a `Player`, or columns read without making a `Player`."""

    @property
    def pk(self) -> int: ...
    @property
    def first_name(self) -> str: ...
    @property
    def last_name(self) -> str: ...
    @property
    def erased_at(self) -> dt.datetime | None: ...
    @property
    def erased_number(self) -> int | None: ...


def write_name(player: NamedPlayer) -> str:
    """Return the name of the player, for readers who may see it."""
    return write_number_of_erased(player) or f"{player.first_name} {player.last_name}".strip()


def write_number_of_erased(player: NamedPlayer) -> str:
    """Return the text that replaces an erased name, or "" for a player who was not erased."""
    return gettext("Player no. %(number)s") % {"number": player.erased_number or player.pk} if player.erased_at else ""


class Players(FoundByName["Player"]):
    """A query set of players."""

    def real(self) -> "Players":
        """Return the players who are neither merged into another player nor erased."""
        return self.filter(merged_into=None, erased_at=None)

    def keep_unrated(self) -> "Players":
        """Return the players for whom somebody has switched the rating off, merged players too."""
        return self.filter(Q(unrated_by_self=True) | Q(unrated_by_club=True))

    def keep_listed(self) -> "Players":
        """Return the players that a list offers: not merged, not erased, not put away."""
        return self.real().filter(put_away_at=None)

    def keep_named(self) -> "Players":
        """Return the players who are shown by name in public: not merged, not erased, not invented for practice."""
        return self.real().filter(real_clubs("club"), person__shown=Visibility.NAME)


class Player(Findable):
    """A player on a club's list. The licence number, if there is one, distinguishes two people with the same name.

    A player who is `merged_into` another player counts as that player from then on. The row stays, because published
    figures have its number.
    """

    class Category(models.TextChoices):
        YOUTH = "youth", pgettext_lazy("category of players", "under 18")
        JUNIOR = "junior", pgettext_lazy("category of players", "junior")
        SENIOR = "senior", pgettext_lazy("category of players", "senior")
        VETERAN = "veteran", pgettext_lazy("category of players", "veteran")

    class SeriesClass(models.TextChoices):
        """The class that the federation gives a player, the highest first."""

        FIRST = "1", pgettext_lazy("category of players", "series 1")
        SECOND = "2", pgettext_lazy("category of players", "series 2")
        THIRD = "3", pgettext_lazy("category of players", "series 3")
        FOURTH = "4", pgettext_lazy("category of players", "series 4")
        PROMOTION = "promotion", pgettext_lazy("category of players", "promotion")

    class Ladies(models.TextChoices):
        LADIES = "ladies", pgettext_lazy("category of players", "ladies")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="players", editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="players",
        help_text="the account that is this player: clubs.accounts.players.tie",
    )
    last_name = models.CharField(_("family name"), max_length=80, validators=[validate_name])
    first_name = models.CharField(_("first name"), max_length=80, blank=True, validators=[validate_name])
    licence = models.CharField(_("licence number"), max_length=20, blank=True, validators=[validate_name])
    category = models.CharField(_("category"), max_length=8, choices=Category, blank=True)
    series = models.CharField(_("series"), max_length=9, choices=SeriesClass, blank=True)
    ladies = models.CharField(_("ladies’ ranking"), max_length=6, choices=Ladies, blank=True)
    country = models.CharField(_("country"), max_length=60, blank=True, validators=[validate_name])
    origin = models.CharField(_("club of origin"), max_length=120, blank=True, validators=[validate_name])
    licence_until = models.DateField(_("last day of the licence"), null=True, blank=True, editable=False)
    member_until = models.DateField(_("member of the club until"), null=True, blank=True, editable=False)
    put_away_at = models.DateTimeField(null=True, blank=True, editable=False)
    erasure_asked_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="by the player’s own link")
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    unrated_by_self = models.BooleanField(default=False, editable=False, help_text="the person’s own wish: no rating")
    unrated_by_club = models.BooleanField(default=False, editable=False, help_text="a director’s wish for the player")
    erased_number = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="the number by which an erased player is called: the row’s own, or that on the site of an archive",
    )
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="merged"
    )
    folded = FoldedField(of=("first_name", "last_name"))

    objects = Players.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("player"), _("players")
        ordering = ["last_name", "first_name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "licence"],
                condition=~Q(licence="") & Q(merged_into=None),
                name="player_licence_once_per_club",
            ),
            models.UniqueConstraint(
                fields=["club", "last_name", "first_name"],
                condition=Q(licence="", merged_into=None),
                name="player_name_once_per_club",
            ),
            models.UniqueConstraint(
                fields=["club", "account"],
                condition=Q(merged_into=None, account__isnull=False),
                name="player_account_once_per_club",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name of the player, for readers who may see it. Public pages use `clubs.shown.public_name`."""
        return write_name(self)

    @property
    def listed(self) -> str:
        """The player's name with the family name first, as in a sorted list."""
        return write_number_of_erased(self) or f"{self.last_name} {self.first_name}".strip()

    @property
    def is_now(self) -> "Player":
        """The player into whom this player was merged. The player itself if it was not merged."""
        return self.merged_into or self


class ShownWord(models.Model):
    """A choice of how a player is shown in public, with its author and time. Rows are never changed or deleted.

    Two choices count for a player: the newest one made by the person (`own`), and the newest one made by the club.
    `clubs.shown.update_visibility` takes the stricter one.
    """

    class WordWay(models.TextChoices):
        ACCOUNT = "account"
        LINK = "link"
        DIRECTOR = "director"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="shown_words")
    shown = models.CharField(
        max_length=8, choices=Visibility, blank=True, help_text="empty where nothing is said any more"
    )
    own = models.BooleanField(help_text="the person’s own word, which no director takes back")
    way = models.CharField(max_length=8, choices=WordWay)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.shown or '–'} ({self.way})"


class PlayerMerge(models.Model):
    """A merge of two players of a club, made by a director. It has everything that is needed to undo it.

    `moved` and `had` are ids of rows by "app.model.field". `moved` has the rows that moved to the player `kept`, and
    `had` the rows that `kept` had before. These rows are also the log of merges.
    """

    kept = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    gone = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    moved = models.JSONField(default=dict)
    had = models.JSONField(default=dict)
    gained = models.JSONField(default=dict, help_text="fields that were empty and took the other’s value")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", help_text="who the gone one was")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.gone_id} is {self.kept_id}"


class PersonLink(models.Model):
    """A question whether players of two clubs are one person. If both sides agree, it is the link between them.

    The club of the player `one` asks the club `asked_club` about somebody. `asked` is what it wrote, a name or a
    licence. `other` is the player found with it, or None. The asking club must not learn whether somebody was found. So
    a question about nobody is a row like any other, and only the asked side sees `refused_at`. `asked` is emptied when
    the question ends.

    `one_agreed_…` and `other_agreed_…` say who answered for each player: the player's account, or a director if there
    is no account. Old links that one club made alone may lack these values. Then both clubs confirm such a link, or one
    of them ends it.
    """

    class LinkReason(models.TextChoices):
        LICENCE = "licence", _("the same licence")
        DIRECTORS = "directors", _("confirmed by both clubs")
        ACCOUNT = "account", _("by their own account")

    one = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    asked_club = models.ForeignKey(Club, null=True, on_delete=models.CASCADE, related_name="+")
    asked = models.CharField(max_length=160, blank=True)
    reason = models.CharField(max_length=9, choices=LinkReason)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    one_agreed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    one_agreed_at = models.DateTimeField(null=True)
    other_agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    other_agreed_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(null=True, help_text="when both sides had agreed: one person from then on")
    refused_at = models.DateTimeField(null=True, help_text="the asked side said no: not shown to the club that asks")
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True, help_text="taken back, undone, or not answered for 30 days")

    class Meta:
        ordering = ["-id"]
        constraints = [models.CheckConstraint(condition=~Q(one=F("other")), name="person_link_of_two")]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}"


class PlayerLink(OneUseLink):
    """A link by which a player on the list opens an account."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="account_links")

    def __str__(self) -> str:
        return f"link of {self.player_id}"


class PlayerClaim(models.Model):
    """The question of an account which player of a club it is. A director answers: this player, or none."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="claims")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims")
    asked_at = models.DateTimeField()

    class Meta:
        ordering = ["asked_at"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="claim_once_per_club")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.club_id}"


class Season(models.Model):
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60, validators=[validate_name])
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))

    class Meta:
        verbose_name, verbose_name_plural = _("season"), _("seasons")
        ordering = ["-starts_on"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once_per_club"),
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="season_ends_after_its_start"),
        ]

    def __str__(self) -> str:
        return self.name
