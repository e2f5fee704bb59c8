"""The creation of accounts and clubs. Each gets a user name or address that is still free."""

from collections.abc import Collection

from allauth.account.models import EmailAddress
from django.utils.text import slugify

from clubs.models import Club, User


def make_account(name: str, *, email: str = "", password: str | None = None, confirmed: bool = False) -> User:
    """Create and return an account for a person with this name. Without a password nobody can log in."""
    first_name, _space, last_name = name.partition(" ")
    wanted = slugify(name).replace("-", ".")[:40] or "compte"
    taken = User.objects.filter(username__istartswith=wanted).values_list("username", flat=True)
    user = User.objects.create_user(
        free_name(wanted, "", [found.casefold() for found in taken]),
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
