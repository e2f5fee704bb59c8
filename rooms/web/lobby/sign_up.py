"""An account for somebody without a club: the address is confirmed first, by a site that sends mails.

Nothing is stored before the address is confirmed. What the same device played as a guest follows into the account, if
its owner wants so.
"""

import datetime as dt

from allauth.account.utils import filter_users_by_email
from django import forms
from django.conf import settings
from django.core import signing
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from clubs.accounts.founding import make_account
from clubs.errors import AccountRefused
from clubs.guard import answer_too_often, find_full, note_tries
from clubs.models import User
from outgoing.mailing.queued import ROOMS_SALT
from pages.accounts.log_in import log_in
from pages.accounts.player import PasswordForm, count_letters, greet, queue_sign_up
from pages.accounts.player import over as answer_link_over
from pages.form_fields import MailField, ShortTextField
from rooms.classic.sitting import keep_guest_and_seat
from rooms.visitors.finding import VISITOR_COOKIE, find_device_guest
from rooms.visitors.guests import ensure_visitor
from rooms.visitors.names import MOST, VisitorRefused, clean_guest_name
from rooms.web.doors import FORM, rooms_page
from tournaments.models import QueuedMail
from tournaments.words.messages import say

LINK_LIFE = dt.timedelta(days=3)


class RoomAccountForm(forms.Form):
    name = ShortTextField(
        _("Your name here"), MOST, autocomplete="nickname", help_text=_("The others read it beside your results.")
    )
    email = MailField(_("Your e-mail address"), help_text=_("We send an e-mail there. Nobody else sees the address."))

    def clean_name(self) -> str:
        try:
            return clean_guest_name(self.cleaned_data["name"])
        except VisitorRefused as refusal:
            raise forms.ValidationError(say(refusal)) from refusal


class RoomPasswordForm(PasswordForm):
    keep = forms.BooleanField(label=_("What I played as a guest on this device is mine"), required=False, initial=True)


@rooms_page(FORM)
def account_ask(request: HttpRequest) -> HttpResponseBase:
    """Show the form to ask for an account, and send the e-mail for it. It does not say whether an address is known."""
    if request.user.is_authenticated:
        return redirect("rooms_me")
    guest = find_device_guest(request)
    initial = {"name": guest.name if guest else ""}
    form = RoomAccountForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and settings.MAIL and form.is_valid():
        letters = count_letters(request)
        if find_full([letters]):
            return answer_too_often(request)
        note_tries([letters])
        send_room_letter(request, **form.cleaned_data)
        return render(request, "rooms/lobby/account_asked.html", {"email": form.cleaned_data["email"]})
    return render(request, "rooms/lobby/account.html", {"form": form, "mail": settings.MAIL, "guest": guest})


def send_room_letter(request: HttpRequest, *, name: str, email: str) -> None:
    """Queue the link that confirms an address. If an account has the address, the e-mail says so instead."""
    queue_sign_up(request, QueuedMail(email=email.lower(), name=name))


@sensitive_post_parameters("password")
@rooms_page(FORM)
def account_confirm(request: HttpRequest, *, token: str) -> HttpResponseBase:
    """Show the page that the e-mail links to. There a password is chosen, which creates the account."""
    if not settings.MAIL:
        raise Http404
    guest = find_device_guest(request)
    try:
        signed_up = signing.loads(token, salt=ROOMS_SALT, max_age=LINK_LIFE)
        if filter_users_by_email(signed_up["email"]):
            raise AccountRefused("confirmation_over")
        form = RoomPasswordForm(User(username=signed_up["name"], email=signed_up["email"]), request.POST or None)
        if guest is None:
            del form.fields["keep"]
        if request.method == "POST" and form.is_valid():
            return make_room_account(request, signed_up, form)
    except (signing.BadSignature, IntegrityError):
        return answer_link_over(request, AccountRefused("confirmation_over"))
    except AccountRefused as refusal:
        return answer_link_over(request, refusal)
    return render(request, "rooms/lobby/account_confirm.html", {"form": form, "asked": signed_up, "guest": guest})


def make_room_account(request: HttpRequest, asked: dict[str, str], form: RoomPasswordForm) -> HttpResponse:
    """Create the account, log its owner in, and let the results of the device's guest follow if wanted."""
    now, guest = timezone.now(), find_device_guest(request)
    user = make_account(asked["name"], email=asked["email"], password=form.cleaned_data["password"], confirmed=True)
    response = redirect("rooms_me")
    if guest is not None and form.cleaned_data.get("keep"):
        keep_guest_and_seat(visitor=guest, account=user, now=now)
        response.delete_cookie(VISITOR_COOKIE, samesite="Lax")
    ensure_visitor(account=user, name=asked["name"], now=now)
    log_in(request, user)
    greet(request, user)
    return response
