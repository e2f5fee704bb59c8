"""The changes of an existing account: its name, its e-mail address, and the end of all its log-ins."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import F

from clubs.models import User


def rename(user: User, name: str) -> None:
    user.first_name, _space, user.last_name = name.partition(" ")
    user.save(update_fields=["first_name", "last_name"])


@transaction.atomic
def use_address(user: User, email: str) -> None:
    """Set the account's e-mail address, not confirmed yet, or remove the address if `email` is "".

    Several accounts may have the same unconfirmed address.
    """
    user.email = email.lower()
    user.save(update_fields=["email"])
    EmailAddress.objects.filter(user=user).delete()
    if email:
        EmailAddress.objects.create(user=user, email=user.email, primary=True)


def end_access(user: User) -> None:
    """End every session and every API token of the account. Its user has to log in again."""
    User.objects.filter(pk=user.pk).update(access_version=F("access_version") + 1)
    user.refresh_from_db(fields=["access_version"])
