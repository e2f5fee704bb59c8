"""The personal links of people who signed up, and the limits on registrations from one network address.

A captain passes on the links of the named players. So a player gets a new link on agreeing, and the players who have
not answered get new ones when the team has another captain. The first half of the new link follows from that of the old
one by the secret key of the site. So the site recognises an old link without storing it. The second half is secret.

A registration keeps no address. It keeps a keyed digest of address and day, until that day is over.
"""

import base64
import datetime as dt
import secrets

from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from clubs.guard import Count
from clubs.guard.counting import DAY, MINUTE
from tournaments.models import Applicant, Session

HALF = 21  # the number of letters by which the site recognises a link that was replaced
STEPS = 6  # a link is still recognised after so many replacements


def make_token(session: Session, once: str = "") -> str:
    """Return the secret token of a personal link.

    `once` is the key of the form that was sent. The same key gives the same token; without a key it is random.
    """
    return secrets.token_urlsafe(32) if len(once) < 32 else write_token("registration", f"{session.pk}:{once}")


def replace_token(token: str, once: str = "") -> str:
    """Return the token that replaces this one.

    `once` is the key of the form that was sent. The same key gives the same token; without a key it is random.
    """
    secret = secrets.token_urlsafe(32) if len(once) < 32 else once
    return follow_half(token) + write_token("registration renewed", f"{token}:{secret}")[HALF:]


def follow_half(token: str) -> str:
    """Return the first half of the token that replaces this one."""
    return write_token("registration followed", token[:HALF])[:HALF]


def write_token(salt: str, text: str) -> str:
    digest = salted_hmac(salt, text, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def find_by_link(token: str) -> Applicant | None:
    """Return the applicant with this personal link, read with session, club and registration, or None."""
    return (
        Applicant.objects.select_related("session__tournament__club", "session__registration")
        .filter(token=token)
        .first()
    )


def find_renewed(token: str) -> Applicant | None:
    """Return the applicant whose personal link has replaced the one with this token, or None. This takes one query."""
    wanted, half = Q(), token
    for _step in range(STEPS):
        half = follow_half(half)
        wanted |= Q(token__startswith=half)
    joins = "session__tournament__club", "session__registration"
    return Applicant.objects.select_related(*joins).filter(wanted).first()


def is_known_to_captain(applicant: Applicant) -> bool:
    """Return whether the captain still knows the link of a named player: the player has not agreed by it.

    A player whom a director marked as present has agreed at that moment, without a new link.
    """
    return applicant.agreed_at is None or applicant.agreed_at == applicant.present_at


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
