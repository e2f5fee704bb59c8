"""The log-in, which leads where tonight's work is."""

import datetime as dt

from django.contrib.auth.views import LoginView
from django.shortcuts import resolve_url
from django.utils import timezone

from clubs.models import User
from tournaments.sessions.lists import session_of_the_night
from tournaments.web.doors import session_url

# An evening ends after midnight.
NIGHT = dt.timedelta(hours=6)


class Login(LoginView):
    def get_default_redirect_url(self) -> str:
        user = self.request.user
        return choose_landing(user) if isinstance(user, User) else super().get_default_redirect_url()


def choose_landing(user: User) -> str:
    """Tonight's session, where one of his clubs has one; else his club's page, or the list of clubs."""
    session = session_of_the_night(user, date=timezone.localdate(timezone.now() - NIGHT))
    if session is not None:
        return session_url("session", session)
    slugs = list(user.memberships.values_list("club__slug", flat=True)[:2])
    return resolve_url("club", slugs[0]) if len(slugs) == 1 else resolve_url("home")
