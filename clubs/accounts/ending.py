"""The end of an account: nobody can log in with it any more, and its name is deleted.

If no other row refers to the account, it is deleted. Otherwise its empty row stays, so that the results and decisions
that it entered stay.
"""

import datetime as dt

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import ProtectedError

from clubs.accounts.changing import end_access
from clubs.accounts.handed_out import end_all_links
from clubs.accounts.staff import require_another_director
from clubs.errors import AccountRefused
from clubs.models import Membership, User


def require_leave(user: User) -> None:
    """Raise AccountRefused for the last director of a club and for the only superuser of the site."""
    for member in Membership.objects.filter(user=user).select_related("club"):
        require_another_director(member)
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise AccountRefused("last_superuser")


def end_log_ins(user: User) -> None:
    keys = UserSession.objects.filter(user=user).values_list("session_key", flat=True)
    Session.objects.filter(session_key__in=list(keys)).delete()


def end_account(user: User, *, now: dt.datetime) -> None:
    """End an account. The caller (`archives.privacy`) has already cleared its data."""
    end_access(user)
    end_all_links(user, now=now)
    try:
        with transaction.atomic():
            User.objects.get(pk=user.pk).delete()
    except ProtectedError:
        return
