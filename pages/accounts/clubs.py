"""The page of all clubs, for the site's administrators: they add a club and invite its director.

If a club has no director any more, an administrator invites the next one here.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.accounts.founding import make_club
from clubs.accounts.invitations import invite_director, open_invitations
from clubs.log import log_club_action
from clubs.models import Club, User, validate_name
from clubs.roles import clubs_with_teams, clubs_without_director, is_director
from pages.doors import FORM, author
from pages.form_fields import ShortTextField
from tournaments.addresses import link_to


class ClubForm(forms.Form):
    club = forms.CharField(label=_("Club name"), max_length=120, validators=[validate_name])
    whom = ShortTextField(
        _("The director"), 120, help_text=_("Gets this role by the link on the next page; it can be you.")
    )


class NextForm(forms.Form):
    whom = ShortTextField(_("Next director"), 120)


@never_cache
@login_required
@require_http_methods(FORM)
def site_clubs(request: HttpRequest) -> HttpResponse:
    by = require_administrator(request)
    form = ClubForm(request.POST or None)
    context: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        club, token = found_club(form.cleaned_data["club"], form.cleaned_data["whom"], by)
        context = {"made": club, "link": link_to(request, reverse("invitation", args=[token]))}
        form = ClubForm()
    return show_clubs(request, form=form, **context)


@never_cache
@login_required
@require_http_methods(FORM)
def site_director(request: HttpRequest, club: str) -> HttpResponse:
    """Invite the next director of a club that has no director any more. The link is shown only once, on this page."""
    by = require_administrator(request)
    found = clubs_without_director().filter(slug=club).first()
    if found is None:
        messages.error(request, gettext("This club has a director, who invites others: nothing was changed."))
    if request.method != "POST" or found is None:
        return redirect("site_clubs")
    form = NextForm(request.POST, auto_id=f"id_{found.slug}_%s")
    if not form.is_valid():
        return show_clubs(request, naming={found.pk: form})
    token = invite_director(found, now=timezone.now(), by=by, whom=form.cleaned_data["whom"])
    link = link_to(request, reverse("invitation", args=[token]))
    return show_clubs(request, named=found, link=link)


def require_administrator(request: HttpRequest) -> User:
    if not (by := author(request)).is_superuser:
        raise PermissionDenied
    return by


def show_clubs(request: HttpRequest, *, naming: Mapping[int, NextForm] | None = None, **context: Any) -> HttpResponse:
    """Show the clubs. Those without a director come first, each with a form to name the next.

    `naming` holds forms with errors by the id of their club. They are shown again with the values typed.
    """
    now, forms_there = timezone.now(), naming or {}
    orphans = [
        (
            club,
            [each for each in open_invitations(club, now=now) if is_director(each.role)],
            forms_there.get(club.pk) or NextForm(auto_id=f"id_{club.slug}_%s"),
        )
        for club in clubs_without_director().order_by("name")
    ]
    told = {"form": ClubForm(), "clubs": clubs_with_teams(), "orphans": orphans, "folder": settings.VAR_DIR}
    return render(request, "account/clubs.html", told | context)


@transaction.atomic
def found_club(name: str, whom: str, by: User) -> tuple[Club, str]:
    club, now = make_club(name), timezone.now()
    log_club_action(club, "club_made", now=now, by=by)
    return club, invite_director(club, now=now, by=by, whom=whom)
