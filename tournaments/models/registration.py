"""Who puts himself down for a session before the evening, and how that is done. Fields and constraints only."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Player, validate_name
from tournaments.models.evening import Session


class Registration(models.Model):
    """How people put themselves down for a session, while it `is_open` and until `closes_at`."""

    class Way(models.TextChoices):
        WORD = "word", _("anybody; a director says yes before a name is shown")
        PASSWORD = "password", _("who has the password that the club gives out")
        ACCOUNT = "account", _("who is logged in")

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="registration")
    is_open = models.BooleanField(_("open"), default=True)
    way = models.CharField(_("who may put himself down"), max_length=8, choices=Way, default=Way.WORD)
    code = models.CharField(max_length=12, blank=True, help_text="the drawn password, which the club gives out")
    password = models.CharField(
        max_length=128, blank=True, help_text="a digest of a chosen one, from before passwords were drawn"
    )
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.session_id} registration"

    @property
    def asks(self) -> tuple[str, ...]:
        """Return what it asks whoever comes: the same until a director changes it."""
        return (self.way, self.code, self.password) if self.way == self.Way.PASSWORD else ()


class Applicant(models.Model):
    """Somebody who is down for a session, in the order of coming; the first `places` have one, the others wait.

    `token` is his personal link. What he says of himself but his name is for directors alone. A name is shown to
    everybody once it is `accepted`. `player` is who he is on the club's list, known once he is seated.
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
    registered_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    moved_up_at = models.DateTimeField(null=True, blank=True, help_text="since when he has a place for which he waited")
    present_at = models.DateTimeField(null=True, blank=True, help_text="since when he is known to be there")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
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
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def listed(self) -> str:
        """Return the name as a list in the order of family names has it."""
        return f"{self.last_name} {self.first_name}".strip()
