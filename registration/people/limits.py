"""The limits of a network address: how many registrations may come from it. A whole hall may share one address.

A registration keeps no address. It keeps a keyed digest of address and day, until that day is over.
"""

import datetime as dt

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from clubs.guard import Count
from clubs.guard.counting import DAY, MINUTE
from tournaments.models import Applicant

SIGN_UPS_A_MINUTE, SIGN_UPS_A_DAY = 20, 300
SALT = "registration.people.address_digest"
DIGEST_SIGNS = 32


def count_sign_ups(address: str | None) -> list[Count]:
    """Return the counters of the registrations that came from a network address."""
    whose = f"address {address}"
    return [Count("sign-ups", whose, SIGN_UPS_A_MINUTE, MINUTE), Count("sign-ups", whose, SIGN_UPS_A_DAY, DAY)]


def digest_address(address: str | None, now: dt.datetime) -> str:
    """Return the digest of a network address for the day (UTC) of `now`, or "" if the address is not known."""
    if address is None:
        return ""
    day = now.astimezone(dt.UTC).date()
    return salted_hmac(SALT, f"{day} {address}", algorithm="sha256").hexdigest()[:DIGEST_SIGNS]


def past_digests(now: dt.datetime) -> QuerySet[Applicant]:
    """Return the applicants whose digest is of a day (UTC) before that of `now`."""
    midnight = now.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return Applicant.objects.filter(registered_at__lt=midnight).exclude(address_digest="")
