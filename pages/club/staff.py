"""The page of a club's staff (its directors and helpers): roles, invitations, password links, and the club's log."""

from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.accounts.changes import change_role, directing_now, end_role
from clubs.accounts.invitations import invite, open_invitations, revoke
from clubs.accounts.one_use import digest, help_with_password, revoke_password_link, waiting_in, why_not_to_help
from clubs.errors import AccountRefused
from clubs.log import say_author, say_entry
from clubs.models import Club, Membership, PasswordLink, User
from clubs.roles import find_directorship, has_ended
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, author, club_page
from pages.form_fields import DayField, MailField, ShortTextField
from pages.letters import queue_letter
from tournaments.addresses import link_to
from tournaments.models import QueuedMail
from tournaments.permissions import Can
from tournaments.words.messages import say

MOST_LINES = 50


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices)
    ends_on = DayField(gettext_lazy("Last day"), required=False, help_text=gettext_lazy("Empty: no last day."))

    def clean_ends_on(self) -> Any:
        day = self.cleaned_data["ends_on"]
        if has_ended(day):
            raise forms.ValidationError(_("This day has passed: choose another, or end the role."))
        return day


class InvitationForm(RoleForm):
    whom = ShortTextField(
        gettext_lazy("For whom"),
        120,
        required=False,
        help_text=gettext_lazy("So that you recognise them. They give their name themselves."),
    )
    email = MailField(
        gettext_lazy("E-mail address, to send the link there"),
        autocomplete="off",
        required=False,
        help_text=gettext_lazy("If it is empty, you give the link yourself."),
    )
    field_order = ("whom", "email", "role", "ends_on")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.MAIL:
            del self.fields["email"]


@club_page(Can.DIRECT, real=True)
def show_staff(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the staff. A POST makes an invitation; its link is shown only once, on this page."""
    form = InvitationForm(request.POST or None, initial={"role": Membership.Role.HELPER})
    if form.is_valid():
        with refusals_in(form):
            values = form.cleaned_data
            token = invite(club, values["role"], whom=values["whom"], ends_on=values["ends_on"], **signed(request))
            shown = {"link": link_to(request, reverse("invitation", args=[token]))}
            if email := values.get("email"):
                row = club.invitations.get(digest=digest(token)).pk
                queue_letter(QueuedMail(kind=QueuedMail.PageMailKind.STAFF, email=email, row=row), club=club)
                shown["email"] = email
            return show_team(request, club, **shown)
    return show_team(request, club, form=form)


class MemberRow(NamedTuple):
    """A member of the staff as a director of the club sees them.

    `doubtful` is true if the person who invited the member is now neither a director of the club nor an administrator
    of the site. `helped` is true if a director may make a link with which the member chooses a new password; otherwise
    `refused` is the reason. `waiting` is such a link that was made and not used yet, or None.
    """

    member: Membership
    form: RoleForm
    doubtful: bool
    helped: bool
    refused: str
    waiting: PasswordLink | None


def rows_of(club: Club, by: User) -> list[MemberRow]:
    members = list(club.memberships.select_related("user", "invited_by").order_by("role", "user__last_name", "pk"))
    directing, links = directing_now(club), waiting_in(club, now=timezone.now())
    refused = why_not_to_help(by, [member.user for member in members])
    rows = []
    for member in members:
        form = RoleForm(initial={"role": member.role, "ends_on": member.ends_on}, auto_id=f"id_{member.pk}_%s")
        why = refused.get(member.user_id, "")
        helped = not why and member.user_id != by.pk and not member.is_over
        told = say(AccountRefused(why, name=member.user.shown_name)) if why and member.user_id != by.pk else ""
        inviter = member.invited_by
        doubtful = inviter is not None and inviter.pk not in directing and not looks_after_site(inviter)
        rows.append(MemberRow(member, form, doubtful, helped, told, links.get(member.user_id)))
    return rows


def looks_after_site(user: User) -> bool:
    return user.is_superuser and user.is_active


def show_team(request: HttpRequest, club: Club, **more: Any) -> HttpResponse:
    by = author(request)
    rows, entries = rows_of(club, by), club.log.select_related("author")[:MOST_LINES]
    context = {
        "club": club,
        "rows": rows,
        "own": next((row.member for row in rows if row.member.user_id == by.pk), None),
        "invitations": open_invitations(club, now=timezone.now()),
        "log": [(entry, say_author(entry), say_entry(entry)) for entry in entries],
        "form": InvitationForm(initial={"role": Membership.Role.HELPER}),
    }
    return render(request, "club/staff.html", context | more)


@club_page(Can.DIRECT, ACTION, back="team")
def member_change(request: HttpRequest, club: Club, member: int) -> HttpResponse:
    form, by = RoleForm(request.POST), author(request)
    if form.is_valid():
        came = change_role(club, member, **form.cleaned_data, now=timezone.now(), by=by)
        messages.success(request, _("The role is changed."))
        if find_directorship(by, club) is None:
            return redirect("club", club.slug)
        if came:
            return show_team(request, club, came=came)
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect("team", club.slug)


@club_page(Can.DIRECT, ACTION, back="team")
def member_end(request: HttpRequest, club: Club, member: int) -> HttpResponse:
    by = author(request)
    mine = by.memberships.filter(pk=member).exists()
    came = end_role(club, member, now=timezone.now(), by=by)
    messages.success(request, _("You have left the staff.") if mine else _("The role has ended."))
    if came and not mine:
        return show_team(request, club, came=came)
    return redirect("club" if mine else "team", club.slug)


@club_page(Can.DIRECT, ACTION, back="team")
def member_password(request: HttpRequest, club: Club, member: int) -> HttpResponse:
    """Make a link with which a member of the staff chooses a new password. This page shows the link only once."""
    token = help_with_password(club, member, **signed(request))
    helped = club.memberships.select_related("user").get(pk=member).user.shown_name
    link = link_to(request, reverse("password_link", args=[token]))
    return show_team(request, club, password_link=link, helped=helped)


@club_page(Can.DIRECT, ACTION, back="team")
def member_password_revoke(request: HttpRequest, club: Club, member: int) -> HttpResponse:
    revoke_password_link(club, member, **signed(request))
    return done(request, _("The link is withdrawn: it no longer works."), "team", club.slug)


@club_page(Can.DIRECT, ACTION, back="team")
def invitation_revoke(request: HttpRequest, club: Club, invitation: int) -> HttpResponse:
    revoke(club, invitation, **signed(request))
    return done(request, _("The invitation is withdrawn: its link no longer works."), "team", club.slug)
