"""The beginning of a site: its first club, with the account that directs it and looks after the site."""

from dataclasses import dataclass
from threading import Event

from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction
from django.utils.crypto import constant_time_compare

from clubs.accounts.errors import AccountRefused
from clubs.accounts.founding import make_account, make_club
from clubs.accounts.one_use import digest, make_token
from clubs.models import FirstRun, Membership, User

over = Event()  # of this process: once a site has an account, it is never asked for again


@dataclass(frozen=True, slots=True)
class Beginning:
    club: str
    name: str
    email: str
    password: str


def is_over() -> bool:
    """Whether the site has an account. A database that cannot say so is no reason to ask people for a club."""
    if not over.is_set():
        try:
            begun = User.objects.exists()
        except (DatabaseError, InterfaceError):
            return True
        if begun:
            over.set()
    return over.is_set()


def make_key() -> str:
    """The key that the first run on a server asks for; one made before it opens nothing any more."""
    key = make_token()
    FirstRun.objects.update_or_create(pk=FirstRun.THE_ONE, defaults={"key_digest": digest(key)})
    return key


@transaction.atomic
def begin_site(given: Beginning, *, key: str | None) -> User:
    """The first account, director of the first club. `key` is None where whoever runs the site is known to ask.

    Raises `AccountRefused` where the site has an account already, whoever came first, or the key is another.
    """
    FirstRun.objects.get_or_create(pk=FirstRun.THE_ONE)
    first = FirstRun.objects.select_for_update().get(pk=FirstRun.THE_ONE)
    if User.objects.exists():
        raise AccountRefused("site_set_up")
    if (
        settings.SERVER
        and key is not None
        and not (first.key_digest and constant_time_compare(digest(key), first.key_digest))
    ):
        raise AccountRefused("first_key_wrong", "key")
    first.key_digest = ""
    first.save(update_fields=["key_digest"])
    user = make_account(given.name, email=given.email, password=given.password)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    Membership.objects.create(user=user, club=make_club(given.club), role=Membership.Role.DIRECTOR)
    return user
