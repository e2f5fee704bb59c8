"""What a club says of itself, and what its evenings usually are."""

import zoneinfo
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs.house import MOST_BYTES, NO_LOGO, OWN, Logo, change_settings, read_logo, settings_of
from clubs.models import Club, ClubLogo, ClubSettings, validate_name
from clubs.origins import read_origins, write_origins
from tournaments.permissions import Can, get_club_for, require_found
from tournaments.web.doors import author, club_page


class OriginsField(forms.CharField):
    """Web sites, typed one a line; cleaned to the list of their origins."""

    def prepare_value(self, value: Any) -> Any:
        return write_origins(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        return read_origins(super().clean(value))


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
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
        help_text=gettext_lazy("In which the hours of its evenings are shown."),
    )
    no_logo = forms.BooleanField(label=gettext_lazy("Take the logo away"), required=False)
    embedders = OriginsField(
        label=gettext_lazy("Web sites that may show rankings in a page of theirs"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "https://club.example", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Five at most, one a line. What they show in a frame (iframe) is the address of a ranking with embed/"
            " behind it, as …/ranking/embed/."
        ),
    )
    field_order = ("name", "address", "contact", "logo", "no_logo")

    class Meta:
        model = ClubSettings
        fields = (
            "address",
            "contact",
            "language",
            "starts_at",
            "auction",
            "positions",
            "etuis_per_position",
            "minutes_per_etui",
            "window_hours",
            "fixed_note",
            "player_accounts",
            "listed",
            "indexed",
            "shows_address",
            "shows_members",
            "embedders",
        )
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "address": forms.Textarea(attrs={"rows": 3, "autocomplete": "street-address"}),
            "starts_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "fixed_note": gettext_lazy(
                "What the arbiter may fix: the better of this and the player’s mean. The FFT has not settled it."
            ),
            "language": gettext_lazy("What those who log in find first; everybody may choose another."),
            "window_hours": gettext_lazy("So long a published ranking is provisional. 0: official at once."),
            "player_accounts": gettext_lazy(
                "An account gives no right. A director hands over the links, or says which player somebody is who asks."
            ),
            "indexed": gettext_lazy(
                "Google and others may list the club, its tournaments, rankings and étuis. Pages about one player they"
                " may never list. Without this what is listed already goes as soon as they come by again."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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

    def clean_logo(self) -> Logo | None:
        sent = self.cleaned_data["logo"]
        return None if sent is None else read_logo(sent.read(MOST_BYTES + 1))

    def part(self, *names: str) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    @property
    def house(self) -> list[forms.BoundField]:
        return self.part("name", "address", "contact", "logo", "no_logo", "language", "time_zone")

    @property
    def usual(self) -> list[forms.BoundField]:
        times = ("starts_at", "auction", "positions", "etuis_per_position", "minutes_per_etui")
        return self.part(*times, "fixed_note", "window_hours")

    @property
    def public(self) -> list[forms.BoundField]:
        return self.part("player_accounts", "listed", "indexed", "shows_address", "shows_members", "embedders")


@club_page(Can.DIRECT)
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    if club.practice_of is not None:
        return redirect("club_settings", club.practice_of.slug)
    own = {field: getattr(club, field) for field in OWN}
    form = SettingsForm(request.POST or None, request.FILES or None, instance=settings_of(club), initial=own)
    if request.method == "POST" and form.is_valid():
        given = dict(form.cleaned_data)
        logo, away = given.pop("logo"), given.pop("no_logo", False)
        logo = NO_LOGO if away and logo is None else logo
        change_settings(club, given, now=timezone.now(), by=author(request), logo=logo)
        messages.success(request, _("The settings of the club are saved."))
        return redirect("club", club.slug)
    return render(request, "club/settings.html", {"club": club, "form": form})


@require_safe
def logo(request: HttpRequest, club: str) -> HttpResponse:
    """Return the picture as the site has written it, and nothing that a browser would run."""
    found = get_club_for(request.user, Can.READ, slug=club)
    picture = require_found(ClubLogo.objects.filter(club=found).first())
    answer = HttpResponse(bytes(picture.data), content_type=picture.kind)
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cache-Control"] = "public, max-age=86400"
    return answer
