"""The clubs of the site, for whoever looks after it: a new one, with the invitation of its director."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.accounts.founding import make_club
from clubs.accounts.invitations import invite
from clubs.accounts.log import log
from clubs.accounts.roles import DIRECTOR, clubs_with_teams
from clubs.models import Club, User, validate_name
from tournaments.web.doors import FORM, author


class ClubForm(forms.Form):
    club = forms.CharField(label=_("Name of the club"), max_length=120, validators=[validate_name])
    whom = forms.CharField(
        label=_("Its director"),
        max_length=120,
        validators=[validate_name],
        help_text=_("Gets the role by the link that comes next; it may be you."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@never_cache
@login_required
@require_http_methods(FORM)
def site_clubs(request: HttpRequest) -> HttpResponse:
    by = author(request)
    if not by.is_superuser:
        raise PermissionDenied
    form = ClubForm(request.POST or None)
    context: dict[str, object] = {}
    if request.method == "POST" and form.is_valid():
        club, token = found_club(form.cleaned_data["club"], form.cleaned_data["whom"], by)
        context = {"made": club, "link": request.build_absolute_uri(reverse("invitation", args=[token]))}
        form = ClubForm()
    return render(request, "account/clubs.html", {"form": form, "clubs": clubs_with_teams(), **context})


@transaction.atomic
def found_club(name: str, whom: str, by: User) -> tuple[Club, str]:
    club, now = make_club(name), timezone.now()
    log(club, "club_made", now=now, by=by)
    return club, invite(club, DIRECTOR, now=now, by=by, whom=whom)
