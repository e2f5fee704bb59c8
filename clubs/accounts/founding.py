"""The creation of accounts and clubs, and the first run of a site, which creates its first club and account."""

from collections.abc import Collection
from dataclasses import dataclass
from threading import Event

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction
from django.utils.crypto import constant_time_compare
from django.utils.text import slugify

from clubs.accounts.one_use import digest, make_link_token
from clubs.errors import AccountRefused
from clubs.models import Club, FirstRun, Membership, User


def make_account(name: str, *, email: str = "", password: str | None = None, confirmed: bool = False) -> User:
    """Create and return an account for a person with this name. Without a password nobody can log in."""
    first_name, _space, last_name = name.partition(" ")
    wanted = slugify(name).replace("-", ".")[:40] or "compte"
    taken = User.objects.filter(username__istartswith=wanted).values_list("username", flat=True)
    user = User.objects.create_user(
        free_name(wanted, "", [taken_name.casefold() for taken_name in taken]),
        email=email.lower(),
        password=password,
        first_name=first_name,
        last_name=last_name,
    )
    if email:
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=confirmed)
    return user


def make_club(name: str) -> Club:
    wanted = slugify(name)[:50] or "club"
    taken = Club.every.filter(slug__startswith=wanted).values_list("slug", flat=True)
    return Club.objects.create(name=name, slug=free_name(wanted, "-", list(taken)))


def free_name(wanted: str, before: str, taken: Collection[str]) -> str:
    """Return the wanted name if it is free, otherwise the name with the first number that is free: `club-2`."""
    numbered = (f"{wanted}{before}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (wanted, *numbered) if name not in taken)


over = Event()  # set once this process has seen an account; from then on it does not ask the database again


@dataclass(frozen=True, slots=True)
class SiteSetup:
    club: str
    name: str
    email: str
    password: str


def is_over() -> bool:
    """Return whether the site has an account.

    Return True too if the database fails, so that nobody is asked to create a club then.
    """
    if not over.is_set():
        try:
            begun = User.objects.exists()
        except (DatabaseError, InterfaceError):
            return True
        if begun:
            over.set()
    return over.is_set()


def make_key() -> str:
    """Return a new key for the first run on a server. An earlier key is no longer valid."""
    key = make_link_token()
    FirstRun.objects.update_or_create(pk=FirstRun.THE_ONE, defaults={"key_digest": digest(key)})
    return key


@transaction.atomic
def begin_site(given: SiteSetup, *, key: str | None) -> User:
    """Create the first club, and the account that directs it and looks after the site. Return the account.

    `key` is None if the caller is known to run the site. Raise AccountRefused if the site already has an account, or if
    the key is wrong.
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
        raise AccountRefused("first_key_wrong", "key", command=settings.COMMAND)
    first.key_digest = ""
    first.save(update_fields=["key_digest"])
    user = make_account(given.name, email=given.email, password=given.password)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    Membership.objects.create(user=user, club=make_club(given.club), role=Membership.Role.DIRECTOR)
    return user
