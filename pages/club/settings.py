"""The page of a club's settings: its name, address and logo, the usual values of its evenings, and what is public."""

import zoneinfo
from itertools import chain
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs.house import MOST_BYTES, NO_LOGO, OWN, Logo, change_settings, read_logo, settings_of
from clubs.models import Club, ClubLogo, ClubSettings, validate_name
from clubs.origins import read_origins, write_origins
from clubs.session_settings import settings_with
from pages.acting import done, signed
from pages.doors import club_page
from pages.parts.form_parts import FormInParts
from scoring.formats import find_format, find_offered_format
from tournaments.permissions import Can, get_club_for, require_found
from tournaments.words.format_cards import list_format_choices


class OriginsField(forms.CharField):
    """A field for websites, one on each line. Its cleaned value is a list of origins like "https://club.example"."""

    def prepare_value(self, value: Any) -> Any:
        return write_origins(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        return read_origins(super().clean(value))


# The fields of the form, in the parts of the page.
PARTS: dict[str, tuple[str, ...]] = {
    "house": ("name", "address", "contact", "logo", "no_logo", "language", "time_zone"),
    "usual": (*settings_with("usual"), "auction", "fixed_note", "window_hours"),
    "cash": ("keeps_cash", "cash_years"),
    "public": ("player_accounts", "listed", "indexed", "shows_address", "shows_members", "embedders"),
}


class SettingsForm(FormInParts, forms.ModelForm):  # type: ignore[type-arg]
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, validators=[validate_name])
    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        required=False,
        help_text=gettext_lazy("PNG or JPEG, 300 kB and 16 megapixels at most."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        required=False,
        help_text=gettext_lazy("The times of its evenings are shown in this time zone."),
    )
    auction = forms.ChoiceField(label=gettext_lazy("How it is played"), choices=list_format_choices)
    no_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)
    embedders = OriginsField(
        label=gettext_lazy("Websites that may embed rankings"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "https://club.example", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Five at most, one on each line. They show, in a frame (iframe), the address of a ranking with "
            "embed/ at the end, like …/ranking/embed/ or …/series/challenge/embed/."
        ),
    )
    PARTS = PARTS

    class Meta:
        model = ClubSettings
        fields = tuple(chain.from_iterable(PARTS.values()))
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "address": forms.Textarea(attrs={"rows": 3, "autocomplete": "street-address"}),
            "starts_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "fixed_note": gettext_lazy(
                "The arbiter may fix the better of this figure and the player’s mean. The FFT has no rule for it."
            ),
            "language": gettext_lazy(
                "The first language that people see when they log in; each of them can choose another."
            ),
            "keeps_cash": gettext_lazy(
                "Helpers take fees at the check-in, and directors hand out prizes. No public page shows money."
            ),
            "window_hours": gettext_lazy("A published ranking stays provisional for this long. 0: official at once."),
            "player_accounts": gettext_lazy(
                "An account gives no rights. A director gives out the links, or says which player is asking."
            ),
            "indexed": gettext_lazy(
                "Google and others may list the club, its tournaments, rankings and étuis, but never the "
                "pages of one player. If you untick this, what they list already disappears at their next "
                "visit."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["auction"] = find_format(self.instance.format).word
        languages = [("", _("that of each browser")), *settings.LANGUAGES]
        self.fields["language"].choices = languages  # type: ignore[attr-defined]
        zones = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone)
        of_the_site = _("that of the site (%(zone)s)") % {"zone": timezone.get_default_timezone_name()}
        self.fields["time_zone"].choices = [  # type: ignore[attr-defined]
            ("", of_the_site),
            *((zone, zone) for zone in zones),
        ]
        if not ClubLogo.objects.filter(club=self.instance.club_id).exists():
            del self.fields["no_logo"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "auction" in given:
            given["format"] = find_offered_format(given.pop("auction")).name
        return given

    def clean_logo(self) -> Logo | None:
        sent = self.cleaned_data["logo"]
        return None if sent is None else read_logo(sent.read(MOST_BYTES + 1))


@club_page(Can.DIRECT, real=True)
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    own = {field: getattr(club, field) for field in OWN}
    form = SettingsForm(request.POST or None, request.FILES or None, instance=settings_of(club), initial=own)
    if request.method == "POST" and form.is_valid():
        given = dict(form.cleaned_data)
        logo, away = given.pop("logo"), given.pop("no_logo", False)
        logo = NO_LOGO if away and logo is None else logo
        change_settings(club, given, **signed(request), logo=logo)
        return done(request, _("The club settings are saved."), "club", club.slug)
    return render(request, "club/settings.html", {"club": club, "form": form})


@require_safe
def logo(request: HttpRequest, club: str) -> HttpResponse:
    """Return the club's logo as a picture, with headers that forbid the browser to run any code in it."""
    found = get_club_for(request.user, Can.READ, slug=club)
    picture = require_found(ClubLogo.objects.filter(club=found).first())
    answer = HttpResponse(bytes(picture.data), content_type=picture.kind)
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cache-Control"] = "public, max-age=86400"
    return answer
