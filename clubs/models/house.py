"""The models of a club's settings, of its logo, and of the federation's list of licences that it keeps."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Club, ClubLogEntry
from clubs.models.folded import Findable, FoldedField
from clubs.models.people import Player
from clubs.names import hidden_in
from clubs.session_settings import SETTINGS

NOBODY, BY_LINK, OPEN = "none", "link", "open"
PLAYER_ACCOUNTS = [
    (NOBODY, _("for nobody")),
    (BY_LINK, _("by a personal link")),
    (OPEN, _("for anybody who asks by e-mail")),
]


def validate_address(text: str) -> None:
    """Raise ValidationError if an address has hidden characters. Unlike a name, it may have several lines."""
    if any(hidden_in(line) for line in text.splitlines()):
        raise ValidationError(
            _("The text contains an invisible character or a pile of accents: type it again by hand.")
        )


def bounds_of(name: str) -> dict[str, Any]:
    """Return the default and the limits of a session's setting, as options for a column of `ClubSettings`."""
    setting = SETTINGS[name]
    return {
        "default": setting.default,
        "validators": [MinValueValidator(setting.least), MaxValueValidator(setting.most)],
    }


class ClubSettings(models.Model):
    """The settings of a club. If a club has no row, the defaults of the fields apply (`clubs.house.settings_of`)."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="house")
    address = models.TextField(_("address"), max_length=500, blank=True, validators=[validate_address])
    contact = models.EmailField(_("e-mail address for visitors"), blank=True)
    language = models.CharField(_("language"), max_length=2, blank=True, choices=settings.LANGUAGES)
    starts_at = models.TimeField(_("beginning"), default=SETTINGS["starts_at"].default)
    positions = models.PositiveSmallIntegerField(_("positions"), **bounds_of("positions"))
    etuis_per_position = models.PositiveSmallIntegerField(_("étuis per position"), **bounds_of("etuis_per_position"))
    minutes_per_etui = models.PositiveSmallIntegerField(_("minutes per étui"), **bounds_of("minutes_per_etui"))
    fixed_note = models.DecimalField(
        _("lowest note for a play spoiled by others"),
        max_digits=5,
        decimal_places=2,
        default=60,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    window_hours = models.PositiveSmallIntegerField(
        _("hours until a ranking is official"), default=48, validators=[MaxValueValidator(720)]
    )
    format = models.CharField(
        _("contract"), max_length=20, default="individual", help_text="the name of a format: scoring.formats"
    )
    shows_address = models.BooleanField(_("the club’s address and contact"), default=True)
    player_accounts = models.CharField(_("players’ accounts"), max_length=4, default=NOBODY, choices=PLAYER_ACCOUNTS)
    listed = models.BooleanField(_("the club, in the list on the home page"), default=True)
    indexed = models.BooleanField(_("tournaments and rankings, in search engines"), default=True)
    shows_members = models.BooleanField(_("the list of members, those shown by name"), default=False)
    embedders = models.JSONField(
        _("websites that may embed our rankings"),
        default=list,
        blank=True,
        help_text="their origins: clubs.origins.read_origins",
    )
    keeps_cash = models.BooleanField(_("a cash box at the evenings: fees, payments and prizes"), default=False)
    cash_years = models.PositiveSmallIntegerField(
        _("years for which payments are kept"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(30)],
    )
    told_version = models.PositiveIntegerField(
        default=0, editable=False, help_text="raised where its evenings say something else of the club in calendars"
    )
    told_at = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return str(self.club)


class ClubLogo(models.Model):
    """A picture that the site has written itself (`clubs.house.read_logo`). The site serves it only as a picture."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="logo")
    kind = models.CharField(max_length=20)
    data = models.BinaryField()
    digest = models.CharField(max_length=16)

    def __str__(self) -> str:
        return str(self.club)


class LicenceList(models.Model):
    """The federation's list that a club has read. A newer one replaces it.

    `columns` has the headings of the file, each with the name of what was read there, or "" if it was not read.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="licence_list")
    file = models.CharField(max_length=200)
    columns = models.JSONField(default=list)
    read_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.club_id}: {self.file}"


class LicenceHolder(Findable):
    """A person on the federation's list, who need not be a player of any club here. Only directors see the person.

    `key` is the licence as licences are compared. The values of `category` and `series` are those of `Player`.
    """

    list = models.ForeignKey(LicenceList, on_delete=models.CASCADE, related_name="holders")
    licence = models.CharField(max_length=20)
    key = models.CharField(max_length=20)
    last_name = models.CharField(max_length=80)
    first_name = models.CharField(max_length=80, blank=True)
    category = models.CharField(max_length=8, choices=Player.Category, blank=True)
    series = models.CharField(max_length=9, choices=Player.SeriesClass, blank=True)
    until = models.DateField(null=True)
    club_name = models.CharField(max_length=120, blank=True)
    folded = FoldedField(of=("first_name", "last_name"))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["list", "key"], name="holder_licence_once_per_list")]

    def __str__(self) -> str:
        return f"{self.last_name} {self.first_name}".strip()

    def find_origin(self, club: Club) -> str:
        """Return the club of origin that this person has as a player of `club`: "" if it is the same club."""
        return self.club_name if self.club_name != club.name else ""


class ErasedHolder(models.Model):
    """A person who asked to be erased. No list is read with this person again. The digest names nobody."""

    digest = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return self.digest


class LicenceChange(models.Model):
    """A change of one player by a list. `before` and `after` hold the changed fields, with days as 2026-08-31.

    `entry` is the line in the club's log about the list. These rows make it possible to undo the list.
    """

    entry = models.ForeignKey(ClubLogEntry, on_delete=models.CASCADE, related_name="licence_changes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="licence_changes")
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player_id}: {', '.join(self.after)}"
