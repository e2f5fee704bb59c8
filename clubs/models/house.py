"""What a club says of itself and is used to."""

import datetime as dt

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Club
from clubs.names import hidden_in

NOBODY, BY_LINK, OPEN = "none", "link", "open"
PLAYER_ACCOUNTS = [
    (NOBODY, _("for nobody")),
    (BY_LINK, _("by a personal link")),
    (OPEN, _("for whoever asks by e-mail")),
]
AUCTIONS = [("imposed", _("imposed Garde: the étui names the taker")), ("free", _("free auction: the table bids"))]


def validate_address(text: str) -> None:
    """As a name, but of several lines."""
    if any(hidden_in(line) for line in text.splitlines()):
        raise ValidationError(_("There is a character in it that nobody sees: type it again by hand."))


class ClubSettings(models.Model):
    """A club without one has the defaults of the fields: `clubs.house.settings_of`."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="house")
    address = models.TextField(_("address"), max_length=500, blank=True, validators=[validate_address])
    contact = models.EmailField(_("e-mail address for visitors"), blank=True)
    language = models.CharField(_("language"), max_length=2, blank=True, choices=settings.LANGUAGES)
    starts_at = models.TimeField(_("beginning"), default=dt.time(20, 30))
    positions = models.PositiveSmallIntegerField(
        _("positions"), default=5, validators=[MinValueValidator(1), MaxValueValidator(60)]
    )
    etuis_per_position = models.PositiveSmallIntegerField(
        _("étuis a position"), default=4, validators=[MinValueValidator(1), MaxValueValidator(12)]
    )
    minutes_per_etui = models.PositiveSmallIntegerField(
        _("minutes an étui"), default=9, validators=[MinValueValidator(1), MaxValueValidator(60)]
    )
    fixed_note = models.DecimalField(
        _("note of a play that was fouled by others, at least"),
        max_digits=5,
        decimal_places=2,
        default=60,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    window_hours = models.PositiveSmallIntegerField(
        _("hours until a ranking is official"), default=48, validators=[MaxValueValidator(720)]
    )
    auction = models.CharField(_("contract"), max_length=10, default="imposed", choices=AUCTIONS)
    shows_address = models.BooleanField(_("the address and the way to write to the club"), default=True)
    player_accounts = models.CharField(_("accounts of players"), max_length=4, default=NOBODY, choices=PLAYER_ACCOUNTS)
    listed = models.BooleanField(_("the club, in the list of the first page"), default=True)
    indexed = models.BooleanField(_("events and rankings, in search engines"), default=True)
    shows_members = models.BooleanField(_("who is on the club’s list, those who are shown by name"), default=False)
    embedders = models.JSONField(
        _("web sites that may show rankings in a page of theirs"),
        default=list,
        blank=True,
        help_text="their origins: clubs.origins.read_origins",
    )
    told_version = models.PositiveIntegerField(
        default=0, editable=False, help_text="raised where its evenings say something else of the club in calendars"
    )
    told_at = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return str(self.club)


class ClubLogo(models.Model):
    """A picture that the site has written itself (`clubs.house.read_logo`). It is served as a picture alone."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="logo")
    kind = models.CharField(max_length=20)
    data = models.BinaryField()
    digest = models.CharField(max_length=16)

    def __str__(self) -> str:
        return str(self.club)
