"""The models of registration: the people who sign up for a session before it starts, and the rules for signing up.

Fields and constraints only.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Player, validate_name
from tournaments.models.evening import Session
from tournaments.models.published import Publication, TournamentPublication
from tournaments.rules.cut import CutTies


class Registration(models.Model):
    """The rules by which people sign up for a session, while it `is_open` and until `closes_at`."""

    class RegistrationWay(models.TextChoices):
        WORD = "word", _("anybody; a director accepts each name before it is shown")
        PASSWORD = "password", _("anybody who has the club’s password")
        ACCOUNT = "account", _("anybody who is logged in")

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="registration")
    is_open = models.BooleanField(_("open"), default=True)
    way = models.CharField(_("who may sign up"), max_length=8, choices=RegistrationWay, default=RegistrationWay.WORD)
    code = models.CharField(max_length=12, blank=True, help_text="the drawn password, which the club gives out")
    password = models.CharField(
        max_length=128, blank=True, help_text="a digest of a chosen one, from before passwords were drawn"
    )
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    accepts_at_once = models.BooleanField(_("accept at once"), default=False)
    reminds = models.BooleanField(_("reminder by e-mail the day before"), default=False)

    def __str__(self) -> str:
        return f"{self.session_id} registration"

    @property
    def asks(self) -> tuple[str, ...]:
        """The settings that decide which password a person needs to sign up. Empty if no password is needed.

        The value changes only when a director changes these settings.
        """
        return (self.way, self.code, self.password) if self.way == self.RegistrationWay.PASSWORD else ()


class Cut(models.Model):
    """The cut by which the list of a session is filled from a published ranking, which stays the same for it.

    The ranking is that of a session (`publication`), or of a tournament (`tournament_publication`). A *consolation*
    takes the players who do not go on: those whom the cut `out_of` leaves out. `lot` is the random text from which the
    lots follow. Everybody sees who is qualified since `shown_at`. Registration was open before the cut if `was_open`,
    with `places_before`. `was_open` is None if there was no registration.
    """

    class Ties(models.TextChoices):
        ALL = CutTies.ALL.value, _("all equal players go on")
        LAST = CutTies.LAST.value, _("the better result in the last session goes on; if that is equal too, all")
        DRAW = CutTies.DRAW.value, _("lots are drawn among equal players")

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="cut")
    publication = models.ForeignKey(Publication, null=True, on_delete=models.PROTECT, related_name="cuts")
    tournament_publication = models.ForeignKey(
        TournamentPublication, null=True, on_delete=models.PROTECT, related_name="cuts"
    )
    out_of = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="consolations")
    places = models.PositiveSmallIntegerField(_("places"))
    ties = models.CharField(_("equal players at the last place"), max_length=4, choices=Ties, default=Ties.ALL)
    lot = models.CharField(max_length=32, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    shown_at = models.DateTimeField(null=True, help_text="since when everybody sees who is qualified")

    was_open = models.BooleanField(null=True, help_text="whether registration was open before the cut")
    places_before = models.PositiveSmallIntegerField(null=True, help_text="the places of registration before the cut")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(places__range=(1, 2000)), name="cut_places_1_to_2000"),
            models.CheckConstraint(
                condition=Q(publication=None, tournament_publication__isnull=False)
                | Q(publication__isnull=False, tournament_publication=None),
                name="cut_reads_one_ranking",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} cut"


class Applicant(models.Model):
    """A person who signed up for a session.

    The first `places` have a place, in the order of signing up; the others wait. If the registration does not accept
    people at once, an applicant `needs_acceptance`: no place and no number on the waiting list before `accepted_at`.

    `token` is the secret part of the applicant's personal link. Everybody sees the name once `accepted_at` is set. Only
    directors see the other data. `player` is the player on the club's list; it is None until the applicant has a seat.

    Where teams play, an applicant without a `captain` has signed up a team, and the others are the players whom the
    captain named. Everybody sees their names only once they have agreed, too. `invited_at` is when a mail told a named
    player of it. Everybody sees the name of the team once a director has accepted it.

    `cut_rank` is the rank by which a player came through the cut of the session, or None for other people. `by_cut` is
    True if the cut put the player on the list; else the player had signed up before.

    `language` is the language in which the person read the pages when they signed up: mails are in this language.

    Rows with an equal `address_digest` came from one network address on one day. It is emptied when that day is over.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="applicants")
    last_name = models.CharField(max_length=80, validators=[validate_name])
    first_name = models.CharField(max_length=80, blank=True, validators=[validate_name])
    licence = models.CharField(max_length=20, blank=True, validators=[validate_name])
    contact = models.CharField(max_length=120, blank=True, validators=[validate_name])
    key = models.CharField(max_length=200, help_text="the words of the name and the licence, however written")
    token = models.CharField(max_length=43, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    captain = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="named")
    team_name = models.CharField(max_length=60, blank=True, validators=[validate_name])
    team_name_shown_at = models.DateTimeField(null=True, blank=True, help_text="since when everybody sees that name")
    agreed_at = models.DateTimeField(null=True, blank=True, help_text="since when the player agrees to be in the team")
    invited_at = models.DateTimeField(null=True, blank=True)
    registered_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    needs_acceptance = models.BooleanField(default=False, help_text="has no place before a director has accepted it")
    address_digest = models.CharField(max_length=32, blank=True, help_text="a keyed digest of address and day")
    moved_up_at = models.DateTimeField(null=True, blank=True, help_text="since when he has a place for which he waited")
    present_at = models.DateTimeField(null=True, blank=True, help_text="since when he is known to be there")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    language = models.CharField(max_length=2, blank=True, choices=settings.LANGUAGES)
    cut_rank = models.PositiveSmallIntegerField(null=True, help_text="the rank by which a player came through the cut")
    by_cut = models.BooleanField(default=False, help_text="put on the list by the cut")
    declined = models.BooleanField(default=False, help_text="withdrawn by a director")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "key"], condition=Q(withdrawn_at=None), name="applicant_once_per_session"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def waits_for_director(self) -> bool:
        """The answer to whether the applicant has no place because no director has accepted them yet."""
        return self.needs_acceptance and self.accepted_at is None

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def listed(self) -> str:
        """The name with the family name first, as in a sorted list."""
        return f"{self.last_name} {self.first_name}".strip()
