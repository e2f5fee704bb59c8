"""What changes about an account that there is: its name, its address, whether what was let in still is."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import F

from clubs.models import User


def rename(user: User, name: str) -> None:
    user.first_name, _space, user.last_name = name.partition(" ")
    user.save(update_fields=["first_name", "last_name"])


@transaction.atomic
def use_address(user: User, email: str) -> None:
    """An address that nobody has confirmed, or none: two accounts may give the same, until one confirms it."""
    user.email = email.lower()
    user.save(update_fields=["email"])
    EmailAddress.objects.filter(user=user).delete()
    if email:
        EmailAddress.objects.create(user=user, email=user.email, primary=True)


def end_access(user: User) -> None:
    """Ends every session and every token of the account; whoever goes on has to be let in anew."""
    User.objects.filter(pk=user.pk).update(access_version=F("access_version") + 1)
    user.refresh_from_db(fields=["access_version"])
