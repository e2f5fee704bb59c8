"""The personal links: one for each entrant of a session, printed on their papers, to send requests without an account.

Links are made when papers are first printed. Papers that are printed again have the same links. A director can revoke
or replace a link.
"""

import datetime as dt
import re
import secrets
from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from clubs.models import User
from tournaments.codes import draw_codes, is_code, read_code
from tournaments.errors import ActionRefused
from tournaments.locks import lock_session
from tournaments.log import log_action
from tournaments.models import Entrant, PersonalLink, Session

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits: short enough for a small QR code that phones can read
SIGNS_BEFORE = 8  # length of codes that were printed before they had twelve signs
TYPED_FOR = dt.timedelta(days=30)  # how long after the evening the code to type is valid; the link stays valid


def ensure_links(session: Session, *, now: dt.datetime) -> dict[int, PersonalLink]:
    """Return the valid links of the session's entrants by entrant id. Make links for entrants who never had one.

    An entrant whose link was revoked gets no new one. This takes two queries if no link has to be made.
    """
    add_links(session.entrants.filter(links=None).values_list("pk", flat=True), now=now)
    links = PersonalLink.objects.filter(entrant__session=session, revoked_at=None)
    return {link.entrant_id: link for link in links}


def add_links(entrants: Iterable[int], *, now: dt.datetime) -> None:
    """Make a link for each entrant (ids). If two requests make links at the same moment, the second row is ignored."""
    lacking = list(entrants)
    codes = draw_codes(len(lacking), taken=codes_among)
    PersonalLink.objects.bulk_create(
        (
            PersonalLink(entrant_id=entrant, token=secrets.token_urlsafe(16), code=code, made_at=now)
            for entrant, code in zip(lacking, codes, strict=True)
        ),
        ignore_conflicts=True,
    )


def codes_among(codes: set[str]) -> Iterable[str]:
    """Return those of these codes that belong to a link already."""
    return PersonalLink.objects.filter(code__in=codes).values_list("code", flat=True)


@transaction.atomic
def revoke_link(*, session_id: int, entrant_id: int, by: User, now: dt.datetime) -> None:
    """Revoke the link of an entrant. Idempotent."""
    entrant = lock_entrant(session_id, entrant_id)
    if entrant.links.filter(revoked_at=None).update(revoked_at=now):
        log_action(session_id, "link_revoked", now=now, by=by, words=entrant.name, name=entrant.name)


@transaction.atomic
def renew_link(*, session_id: int, entrant_id: int, by: User, now: dt.datetime) -> PersonalLink:
    """Revoke the link of an entrant, and return a new one."""
    entrant = lock_entrant(session_id, entrant_id)
    entrant.links.filter(revoked_at=None).update(revoked_at=now)
    add_links([entrant.pk], now=now)
    log_action(session_id, "link_renewed", now=now, by=by, words=entrant.name, name=entrant.name)
    return entrant.links.get(revoked_at=None)


def lock_entrant(session_id: int, entrant_id: int) -> Entrant:
    """Lock the session, and return its entrant with this id."""
    lock_session(session_id, no_key=True)
    entrants = Entrant.objects.filter(session=session_id, pk=entrant_id).select_related("player", "stand_in", "team")
    entrant = entrants.first()
    if entrant is None:
        raise ActionRefused("entrant_unknown", "entrant")
    return entrant


def find_personal_link(token: str) -> PersonalLink | None:
    """Return the link with this token, with its player, session and club. Return None for an unknown token.

    A revoked link is returned too.
    """
    return links_with_all().filter(token=token).first() if TOKEN.fullmatch(token) else None


def find_link_by_code(typed: str, *, today: dt.date) -> PersonalLink | None:
    """Return the valid link that has the typed code, or None. The code is valid until TYPED_FOR after the evening."""
    code = read_code(typed)
    open_links = links_with_all().filter(revoked_at=None, entrant__session__date__gte=today - TYPED_FOR)
    return open_links.filter(code=code).first() if is_personal_code(code) else None


def is_personal_code(code: str) -> bool:
    return is_code(code) or is_code(code, SIGNS_BEFORE)


def links_with_all() -> QuerySet[PersonalLink]:
    joined = ("entrant__player", "entrant__stand_in", "entrant__session__tournament__club")
    return PersonalLink.objects.select_related(*joined)
