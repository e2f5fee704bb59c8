"""The people of a club's team: who has which role, invitations, links for a forgotten password, and what was done."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.accounts.invitations import invite, revoke
from clubs.accounts.log import say_entry
from clubs.accounts.team import change_role, end_role, help_with_password
from clubs.models import Club, Membership, validate_name
from tournaments.permissions import Can
from tournaments.web.doors import ACTION, author, club_page
from tournaments.web.letters import write_letter

MOST_LINES = 50


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices)
    ends_on = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("Empty: without end."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def clean_ends_on(self) -> Any:
        day = self.cleaned_data["ends_on"]
        if day and day < timezone.localdate():
            raise forms.ValidationError(_("This day is over: choose another, or end the role."))
        return day


class InvitationForm(RoleForm):
    whom = forms.CharField(
        label=gettext_lazy("For whom"),
        required=False,
        max_length=120,
        validators=[validate_name],
        help_text=gettext_lazy("So that you know it again; he gives his name himself."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address, to send the link there"),
        required=False,
        help_text=gettext_lazy("Left empty, you hand the link over yourself."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("whom", "email", "role", "ends_on")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.MAIL:
            del self.fields["email"]


@club_page(Can.DIRECT)
def team(request: HttpRequest, club: Club) -> HttpResponse:
    """With a post, an invitation: its link is on this page, and never again."""
    if club.practice_of is not None:
        return redirect("team", club.practice_of.slug)
    form = InvitationForm(request.POST or None, initial={"role": Membership.Role.HELPER})
    told: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        given = {"whom": asked["whom"], "ends_on": asked["ends_on"], "now": timezone.now(), "by": author(request)}
        link = request.build_absolute_uri(reverse("invitation", args=[invite(club, asked["role"], **given)]))
        told["link"] = link
        if email := asked.get("email"):
            letter = {"name": asked["whom"], "club": club.name, "link": link, "by": author(request).shown_name}
            told |= {"sent": write_letter("invitation", email, letter, club=club), "email": email}
        told["form"] = InvitationForm(initial={"role": Membership.Role.HELPER})
    return show_team(request, club, **{"form": form} | told)


def show_team(request: HttpRequest, club: Club, **more: Any) -> HttpResponse:
    members = list(club.memberships.select_related("user").order_by("role", "user__last_name", "user__username"))
    for member in members:
        initial = {"role": member.role, "ends_on": member.ends_on}
        member.form = RoleForm(initial=initial, auto_id=f"id_{member.pk}_%s")  # type: ignore[attr-defined]
    entries = club.log.select_related("author")[:MOST_LINES]
    context = {
        "club": club,
        "members": members,
        "invitations": club.invitations.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now()),
        "log": [(entry, say_entry(entry)) for entry in entries],
        "form": InvitationForm(initial={"role": Membership.Role.HELPER}),
    }
    return render(request, "club/team.html", context | more)


@club_page(Can.DIRECT, ACTION, back="team")
def member_change(request: HttpRequest, club: Club, member: int) -> HttpResponse:
    form = RoleForm(request.POST)
    if form.is_valid():
        change_role(club, member, **form.cleaned_data, now=timezone.now(), by=author(request))
        messages.success(request, _("The role is changed."))
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect("team", club.slug)


@club_page(Can.DIRECT, ACTION, back="team")
def member_end(request: HttpRequest, club: Club, member: int) -> HttpResponse:
    by = author(request)
    mine = by.memberships.filter(pk=member).exists()
    end_role(club, member, now=timezone.now(), by=by)
    messages.success(request, _("You have left the team.") if mine else _("The role is ended."))
    return redirect("club" if mine else "team", club.slug)


@club_page(Can.DIRECT, ACTION, back="team")
def member_password(request: HttpRequest, club: Club, member: int) -> HttpResponse:
    """A link by which one of the team chooses another password: on this page, and never again."""
    link = help_with_password(club, member, now=timezone.now(), by=author(request))
    helped = club.memberships.select_related("user").get(pk=member).user.shown_name
    return show_team(request, club, password_link=request.build_absolute_uri(link), helped=helped)


@club_page(Can.DIRECT, ACTION, back="team")
def invitation_revoke(request: HttpRequest, club: Club, invitation: int) -> HttpResponse:
    revoke(club, invitation, now=timezone.now(), by=author(request))
    messages.success(request, _("The invitation is taken back: its link serves no more."))
    return redirect("team", club.slug)
