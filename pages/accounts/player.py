"""The pages on which players get an account: they ask for it on a club's page, or open a personal link.

An account that a player asks for is created after the e-mail address is confirmed. A personal link comes from a
director. The link between a player and an account can be removed again.
"""

import datetime as dt
from typing import Any

from allauth.account.utils import filter_users_by_email
from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from redis import RedisError

from clubs.accounts.invitations import NewAccount
from clubs.accounts.players import (
    claim,
    find_player_link,
    make_asking_account,
    offers_accounts,
    take_back_claim,
    take_player_link,
    untie,
)
from clubs.errors import AccountRefused
from clubs.guard import Count, answer_too_often, counted_address, find_full, note_tries, read_device
from clubs.guard.counting import MINUTE
from clubs.models import Club, Player, User
from clubs.persons import PersonRefused
from outgoing.mailing.queued import PLAYER_SALT
from pages.accounts.first_run import NewcomerForm, PasswordField, check_password_for, log_new_account_in
from pages.accounts.forms import RULE
from pages.accounts.log_in import log_in
from pages.acting import done
from pages.doors import FORM, author, club_page
from pages.form_fields import MailField, ShortTextField
from pages.letters import queue_letter
from tournaments.models import QueuedMail
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.messages import say

LIFE = dt.timedelta(days=3)
MOST_A_MINUTE = 30  # e-mails that one IP address may cause; all phones in a hall share one address
MOST_OF_DEVICE = 5  # e-mails a minute that a known device may cause; other devices do not use up this limit


class AccountAskForm(forms.Form):
    name = ShortTextField(gettext_lazy("Your name"), 120, autocomplete="name")
    email = MailField(
        gettext_lazy("Your e-mail address"),
        help_text=gettext_lazy("We send an e-mail there. Only the club’s directors see the address."),
    )


class PasswordForm(forms.Form):
    password = PasswordField(label=gettext_lazy("Password"), help_text=RULE)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or self.cleaned_data
        if "password" in told:
            check_password_for(self, "password", self.user)
        return told


@club_page(Can.READ)
def player_sign_up(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the form to ask for an account, and send the e-mail for it.

    Nothing is stored before the e-mail address is confirmed. The page does not reveal whether the address is known.
    """
    if not offers_accounts(club):
        raise Http404
    form = AccountAskForm(request.POST if request.method == "POST" and not request.user.is_authenticated else None)
    if request.method == "POST" and isinstance(request.user, User):
        claim(club, request.user, now=timezone.now())
        return redirect("account")
    if request.method == "POST" and settings.MAIL and form.is_valid():
        letters = count_letters(request)
        if find_full([letters]):
            return answer_too_often(request)
        note_tries([letters])
        queue_answer(request, club, **form.cleaned_data)
        return render(request, "account/player_asked.html", {"club": club, "email": form.cleaned_data["email"]})
    return render(request, "account/player_sign_up.html", {"club": club, "form": form, "mail": settings.MAIL})


def count_letters(request: HttpRequest) -> Count:
    device = read_device(request)
    if device.accounts or device.has_opened_code:
        return Count("sign_up", f"device {device.number}", MOST_OF_DEVICE, MINUTE)
    return Count("sign_up", f"address {counted_address(request)}", MOST_A_MINUTE, MINUTE)


def queue_answer(request: HttpRequest, club: Club, *, name: str, email: str) -> None:
    """Queue the answer to a request for an account, with the link to confirm the address.

    It repeats nothing that was typed, because a stranger may have typed it.
    """
    queue_sign_up(request, QueuedMail(email=email.lower(), name=name, club=club))


def queue_sign_up(request: HttpRequest, mail: QueuedMail) -> None:
    """Queue the letter that confirms an address. If an account has the address already, the letter says so instead.

    Few of them go to one address. Without Redis they cannot be counted, but then no job sends any: one letter waits.
    """
    mail.kind = QueuedMail.PageMailKind.SIGN_UP
    try:
        few = ratelimit.consume(request, action="confirm_email", key=mail.email)
    except RedisError:
        few = not QueuedMail.objects.filter(kind=mail.kind, email=mail.email).exists()
    if few:
        queue_letter(mail)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(FORM)
def player_confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page that the e-mail links to. There the user chooses a password, which creates the account."""
    try:
        asked = signing.loads(token, salt=PLAYER_SALT, max_age=LIFE)
        club = Club.objects.get(slug=asked["club"])
        if not offers_accounts(club):
            raise AccountRefused("player_accounts_closed", club=club.name)
        if filter_users_by_email(asked["email"]):
            raise AccountRefused("confirmation_over")
        form = PasswordForm(User(username=asked["name"], email=asked["email"]), request.POST or None)
        if request.method == "POST" and form.is_valid():
            given = {"email": asked["email"], "password": form.cleaned_data["password"]}
            user = make_asking_account(asked["name"], **given, club=club, now=timezone.now())
            log_in(request, user)
            greet(request, user)
            return redirect("account")
    except (signing.BadSignature, Club.DoesNotExist, IntegrityError):
        return over(request, AccountRefused("confirmation_over"))
    except AccountRefused as refusal:
        return over(request, refusal)
    return render(request, "account/player_confirm.html", {"club": club, "form": form, "asked": asked})


def greet(request: HttpRequest, user: User) -> None:
    told = _("Welcome. Your account name is %(name)s: use it to log in.") % {"name": user.username}
    messages.success(request, told)


def over(request: HttpRequest, refusal: AccountRefused) -> HttpResponse:
    status = 404 if refusal.code == "player_link_unknown" else 410
    return render(request, "account/player_link_over.html", {"reason": say(refusal)}, status=status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(FORM)
def player_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a personal link. A POST creates an account for the player, or links the player to the user's."""
    try:
        player = find_player_link(token, now=timezone.now()).player.is_now
        form = NewcomerForm(request.POST or None, initial={"name": player.name})
        user = request.user if isinstance(request.user, User) else None
        if request.method == "POST":
            if "log_in" in request.POST:
                return redirect_to_login(request.path)
            if user is not None:
                take_player_link(token, user, now=timezone.now())
                return done(request, _("%(name)s is now linked to your account.") % {"name": player.name}, "account")
            if form.is_valid():
                made = take_player_link(token, NewAccount(**form.cleaned_data), now=timezone.now())
                return log_new_account_in(request, made, reverse("account"))
    except AccountRefused as refusal:
        return over(request, refusal)
    except PersonRefused as refusal:
        messages.error(request, say(refusal))
        return redirect("account")
    return render(request, "account/player_link.html", {"player": player, "form": form})


@login_required
@require_POST
def player_untie(request: HttpRequest) -> HttpResponse:
    """Remove one of the user's players from the account, or withdraw the user's claim to be a player of a club."""
    user = author(request)
    take_back_claim(read_number(request.POST, "claim"), user)
    mine = Player.objects.filter(account=user, pk=read_number(request.POST, "player"))
    if player := mine.select_related("club").first():
        untie(player, by=user, now=timezone.now())
        messages.success(request, _("%(name)s is no longer linked to your account.") % {"name": player.name})
    return redirect("account")
