"""The players of a club, the persons they are, and its seasons."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Club
from clubs.models.folded import Findable, FoldedField, FoundByName
from clubs.models.one_use import OneUseLink
from clubs.models.shown_names import validate_name


class Shown(models.TextChoices):
    """How somebody stands in what is public, from the most open to the most private."""

    NAME = "name", pgettext_lazy("how somebody is shown", "by name")
    INITIALS = "initials", pgettext_lazy("how somebody is shown", "by initials")
    HIDDEN = "hidden", pgettext_lazy("how somebody is shown", "hidden")

    @property
    def privacy(self) -> int:
        return list(Shown).index(self)


class Person(models.Model):
    """Somebody who has a player in each club where they play: the players that links, an account or a merge hold
    together (`clubs.persons.regroup`). A person has no right and no word of its own: these belong to its players.

    `shown` is what follows from what was said of the players (`ShownWord`) and from their categories.
    """

    shown = models.CharField(max_length=8, choices=Shown, default=Shown.NAME, editable=False)

    def __str__(self) -> str:
        return str(self.pk)


class Players(FoundByName["Player"]):
    """A club's players."""

    def real(self) -> "Players":
        """Without those who have been merged into another, or erased."""
        return self.filter(merged_into=None, erased_at=None)

    def listed(self) -> "Players":
        """Whom a list offers: nor those put away."""
        return self.real().filter(put_away_at=None)

    def named(self) -> "Players":
        """Those who stand by name in what is public: nobody merged, erased, or invented for practice."""
        return self.real().filter(person__shown=Shown.NAME, club__practice_of=None)


class Player(Findable):
    """A person on a club's list. The licence number, where given, tells two people of one name apart.

    Who is `merged_into` another is he from then on: his row stays for the frozen figures that have his number.
    """

    class Category(models.TextChoices):
        YOUTH = "youth", pgettext_lazy("category of players", "under 18")
        JUNIOR = "junior", pgettext_lazy("category of players", "junior")
        SENIOR = "senior", pgettext_lazy("category of players", "senior")
        VETERAN = "veteran", pgettext_lazy("category of players", "veteran")

    class Series(models.TextChoices):
        """The class in which the federation counts a player, the highest first."""

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
    series = models.CharField(_("series"), max_length=9, choices=Series, blank=True)
    ladies = models.CharField(_("ladies’ ranking"), max_length=6, choices=Ladies, blank=True)
    country = models.CharField(_("country"), max_length=60, blank=True, validators=[validate_name])
    origin = models.CharField(_("club of origin"), max_length=120, blank=True, validators=[validate_name])
    put_away_at = models.DateTimeField(null=True, blank=True, editable=False)
    erasure_asked_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="by the player’s own link")
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
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
        """For those who may know it: what is public has `clubs.shown.public_name`."""
        return self.number_of_erased or f"{self.first_name} {self.last_name}".strip()

    @property
    def listed(self) -> str:
        """As a list in the order of family names has it."""
        return self.number_of_erased or f"{self.last_name} {self.first_name}".strip()

    @property
    def number_of_erased(self) -> str:
        """What stands for a name that was erased; "" for everybody else."""
        return gettext("Player no. %(number)s") % {"number": self.pk} if self.erased_at else ""

    @property
    def is_now(self) -> "Player":
        """Whom he has been merged into, or himself."""
        return self.merged_into or self


class ShownWord(models.Model):
    """What was said of how a player is shown, by whom and when. Rows are only ever added. Of each player the newest
    word that is the person's `own` counts, and the newest word of the club: `clubs.shown.settle` takes the strictest.
    """

    class Way(models.TextChoices):
        ACCOUNT = "account"
        LINK = "link"
        DIRECTOR = "director"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="shown_words")
    shown = models.CharField(max_length=8, choices=Shown, blank=True, help_text="empty where nothing is said any more")
    own = models.BooleanField(help_text="the person’s own word, which no director takes back")
    way = models.CharField(max_length=8, choices=Way)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.shown or '–'} ({self.way})"


class PlayerMerge(models.Model):
    """One player of a club taken for another, by a director: what followed, so that it can be undone. The log of it.

    `moved` and `had` are ids of rows by "app.model.field": those that went over, and those that `kept` had by then.
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
    """A question whether two players of two clubs are one person, and the link between them once both sides agree.

    The club of the player `one` asks `asked_club` about somebody by the words `asked`; `other` is the player whom the
    words mean, None where they mean nobody. The club that asks must not learn which, so a question about nobody is a
    row like any other, `refused_at` is shown to the asked side alone, and `asked` is emptied when the question ends.

    `one_agreed` and `other_agreed` say who spoke for each player: its account, or a director where it has none. A link
    that was made on the word of one club, before both were asked, has neither: both clubs confirm it or end it.
    """

    class Reason(models.TextChoices):
        LICENCE = "licence", _("the same licence")
        DIRECTORS = "directors", _("by the word of both clubs")
        ACCOUNT = "account", _("by their own account")

    one = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    asked_club = models.ForeignKey(Club, null=True, on_delete=models.CASCADE, related_name="+")
    asked = models.CharField(max_length=160, blank=True)
    reason = models.CharField(max_length=9, choices=Reason)
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
    """By which a player of the list takes an account."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="account_links")

    def __str__(self) -> str:
        return f"link of {self.player_id}"


class PlayerClaim(models.Model):
    """An account that says to play in a club, until a director says as whom, or that it does not."""

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
