"""The login, and the choice of the page that it leads to."""

import datetime as dt

from allauth.account.internal.flows.login import record_authentication
from allauth.account.views import LoginView
from allauth.usersessions.models import UserSession
from django.contrib.auth import login
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils import timezone

from clubs.models import Player, User
from clubs.roles import clubs_of
from evenings.sessions.lists import session_of_the_night
from pages.doors import session_url

BACKEND = "clubs.guard.log_in.PasswordBackend"
# An evening can end after midnight: until 6 o'clock, "tonight" is the evening of the day before.
NIGHT = dt.timedelta(hours=6)


class Login(LoginView):  # type: ignore[misc]
    template_name = "registration/login.html"


def choose_landing(user: User) -> str:
    """Return the address of the page after a login.

    If a club of the user has a session tonight, it is that session. Otherwise it is the page of the club where the
    user works or, for users who work in no club, where they play. With several such clubs or none, it is the first page
    of the site.
    """
    session = session_of_the_night(user, date=timezone.localdate(timezone.now() - NIGHT))
    if session is not None:
        return session_url("session", session)
    slugs = list(clubs_of(user).values_list("slug", flat=True)[:2])
    slugs = slugs or list(Player.objects.real().filter(account=user).values_list("club__slug", flat=True)[:2])
    return resolve_url("club", slugs[0]) if len(slugs) == 1 else resolve_url("home")


def log_in(request: HttpRequest, user: User) -> None:
    """Log in a user who has just chosen a password, and add this device to the list of the account's devices."""
    login(request, user, backend=BACKEND)
    record_authentication(request, user, method="password", username=user.username)
    UserSession.objects.create_from_request(request)
