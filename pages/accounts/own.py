"""The pages on which users change their own account: name, e-mail address, password, and the devices logged in.

Users also find here their calendar, the line-ups of their teams, and the data stored about them.

By a link that a director has given them, they choose a new password without the old one.
"""

from collections.abc import Sequence

from allauth.account import views
from allauth.account.decorators import reauthentication_required
from allauth.usersessions.internal.flows.sessions import end_other_sessions
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from redis import RedisError

from archives.privacy.erasing import asked_by_confirmed_account, check_erasure, erase
from archives.privacy.whom import whom_of_account
from clubs.accounts.changes import end_access, rename, use_address
from clubs.accounts.one_use import choose_password, find_password_link
from clubs.accounts.questions import questions_to_account
from clubs.errors import AccountRefused
from clubs.guard import know_account
from clubs.models import Player, ShownWord
from clubs.roles import clubs_without_director
from clubs.shown import choose_shown, read_rating_wish
from evenings.teams.lineups import list_awaiting_entrants
from evenings.teams.quarters import list_match_entrants
from pages.accounts.forms import ForgottenForm
from pages.accounts.player import PasswordForm
from pages.acting import done, refusals_told, signed
from pages.doors import FORM, author
from pages.downloads import hand_out
from pages.form_fields import MailField, ShortTextField
from pages.parts.own_calendar import addresses_of
from pages.parts.own_line_ups import hand_in_posted, list_own_line_ups
from rankings.leaderboards.keeping import RATING_ACTIONS, wish_rating
from registration.agenda.files import ask_calendar_link, find_calendar_link
from tournaments.words.messages import say
from tournaments.words.shown_sentences import choices_of
from wording import Refusal


class AccountNameForm(forms.Form):
    name = ShortTextField(gettext_lazy("Your name"), 120, autocomplete="name")


@never_cache
@login_required
@require_http_methods(FORM)
def account(request: HttpRequest) -> HttpResponse:
    user = author(request)
    form = AccountNameForm(request.POST or None, initial={"name": user.get_full_name()})
    if request.method == "POST" and form.is_valid():
        rename(user, form.cleaned_data["name"])
        return done(request, _("Your name is saved."), "account")
    players = list(Player.objects.real().filter(account=user).select_related("club").order_by("club__name"))
    context = {
        "form": form,
        "memberships": user.memberships.select_related("club").order_by("club__name"),
        "players": players,
        "line_ups": count_line_ups([player.pk for player in players]) if players else 0,
        "questions": questions_to_account(user, now=timezone.now()).count(),
        "claims": user.claims.select_related("club"),
        "mail": settings.MAIL,
        "orphans": clubs_without_director().count() if user.is_superuser else 0,
        "devices": len(UserSession.objects.purge_and_list(user)),
    }
    return render(request, "account/account.html", context)


@never_cache
@login_required
@require_http_methods(FORM)
def account_shown(request: HttpRequest) -> HttpResponse:
    """Show and change the public name of the user's players. The choice applies to all of them, in every club."""
    user = author(request)
    player = Player.objects.real().filter(account=user).select_related("person").order_by("pk").first()
    action = request.POST.get("action")
    if player is not None and action in RATING_ACTIONS:
        way, off = ShownWord.WordWay.ACCOUNT, RATING_ACTIONS[action]
        wish_rating(player=player, off=off, way=way, by=user, now=timezone.now())
        return done(request, _("This applies from now on, on every page."), "account_shown")
    if request.method == "POST" and player is not None:
        shown, way = request.POST.get("shown", ""), ShownWord.WordWay.ACCOUNT
        with refusals_told(request):
            choose_shown(player=player, shown=shown, way=way, **signed(request))
            return done(request, _("This applies from now on, on every page."), "account_shown")
        return redirect("account_shown")
    shown_as = choices_of(player, own=True) if player else None
    wish = read_rating_wish(player, own=True) if player else None
    return render(request, "account/shown.html", {"shown_as": shown_as, "wish": wish})


@login_required
@require_POST
def log_out_everywhere(request: HttpRequest) -> HttpResponse:
    """Log out all other devices and all programs. This device stays logged in."""
    user = author(request)
    end_other_sessions(request, user)
    end_access(user)
    update_session_auth_hash(request, user)
    know_account(request, user)
    UserSession.objects.create_from_request(request)
    return done(request, _("All other devices are logged out, and the tokens of programs have ended."), "account")


@require_http_methods(FORM)
def forgotten_password(request: HttpRequest) -> HttpResponseBase:
    """Queue an e-mail with a link for a new password. Without a mail server, show who can make a link.

    Few of them go to one address. Without Redis they cannot be counted, but then no job sends any: one letter waits.
    """
    if not settings.MAIL:
        return render(request, "account/forgotten_without_mail.html", {"command": settings.COMMAND})
    try:
        answer: HttpResponseBase = views.password_reset(request)
    except RedisError:
        form = ForgottenForm(request.POST)
        if form.is_valid():
            form.save(request)
        answer = redirect("account_reset_password_done")
    return answer


class AddressForm(forms.Form):
    email = MailField(
        gettext_lazy("E-mail address"), required=False, help_text=gettext_lazy("To log in. This site sends no e-mail.")
    )


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def email(request: HttpRequest) -> HttpResponseBase:
    """Change the e-mail address. The site sends an e-mail to confirm the new address.

    Without a mail server, the new address counts at once. It then only serves to log in.
    """
    if settings.MAIL:
        answer: HttpResponseBase = views.email(request)
        return answer
    user = author(request)
    form = AddressForm(request.POST or None, initial={"email": user.email})
    if request.method == "POST" and form.is_valid():
        use_address(user, form.cleaned_data["email"])
        return done(request, _("Your address is saved."), "account")
    return render(request, "account/email_without_mail.html", {"form": form})


def count_line_ups(players: Sequence[int]) -> int:
    """Return the number of teams of these players (ids) that may still hand in line-ups."""
    return len(list_awaiting_entrants(players)) + len(list_match_entrants(players))


@never_cache
@login_required
@require_http_methods(FORM)
def account_calendar(request: HttpRequest) -> HttpResponse:
    user = author(request)
    if request.method == "POST":
        ask_calendar_link(request.POST.get("do", ""), user=user, now=timezone.now())
        return redirect("account_calendar")
    return render(request, "agenda/account.html", addresses_of(request, find_calendar_link(user=user)))


@never_cache
@login_required
@require_http_methods(FORM)
def account_line_ups(request: HttpRequest) -> HttpResponse:
    players = set(Player.objects.real().filter(account=author(request)).values_list("pk", flat=True))
    shown, status, late = list_own_line_ups(players), 200, ""
    if request.method == "POST":
        shown, stored, late = hand_in_posted(request, shown, players, now=timezone.now())
        if stored:
            text = _("The line-up is handed in. You can change it until the session starts.")
            return done(request, text, "account_line_ups")
        status = 409
    return render(request, "line_ups/account.html", {"line_ups": shown, "late": late}, status=status)


@never_cache
@login_required
@require_POST
def account_export(request: HttpRequest) -> HttpResponseBase:
    user = author(request)
    told = _("Account: %(name)s. Made by its owner.") % {"name": user.username}
    return hand_out(request, whom_of_account(user), told=told, whose=f"account-{user.pk}")


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(FORM)
def account_erase(request: HttpRequest) -> HttpResponse:
    """Show what erasing means. After the user confirms it, erase the user's data and log the user out."""
    user = author(request)
    whom, refused = whom_of_account(user), ""
    try:
        check_erasure(whom, account=True)
        if request.method == "POST" and "understood" in request.POST:
            erase(whom, by=user, now=timezone.now())
            logout(request)
            return done(request, _("Your data has been erased: a number replaces your name."), "home")
    except Refusal as refusal:
        refused = say(refusal)
    players = Player.objects.real().filter(pk__in=whom.players).select_related("club").order_by("club__name")
    missing = request.method == "POST" and not refused
    context = {"players": players, "refused": refused, "missing": missing, "own": True, "account": True}
    context |= {"confirmed": asked_by_confirmed_account(whom)}
    return render(request, "account/erase.html", context, status=409 if refused and request.method == "POST" else 200)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(FORM)
def password_link(request: HttpRequest, token: str) -> HttpResponse:
    try:
        user = find_password_link(token, now=timezone.now()).user
        form = PasswordForm(user, request.POST or None)
        if request.method == "POST" and form.is_valid():
            user = choose_password(token, form.cleaned_data["password"], now=timezone.now())
            know_account(request, user)  # wrong passwords on other devices do not lock this device out
            return redirect("account_reset_password_from_key_done")
    except AccountRefused as refusal:
        status = 404 if refusal.code == "password_link_unknown" else 410
        return render(request, "password/over.html", {"reason": say(refusal)}, status=status)
    return render(request, "password/choose.html", {"account": user, "form": form})
