"""The personal links: one for each player of a session, printed on their papers, to send requests without an account.

If the entrant is a team, each member has a link. Links are made when papers are first printed. Papers that are printed
again have the same links. A director can revoke or replace a link.
"""

import datetime as dt
import re
import secrets
from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Prefetch, QuerySet

from clubs.models import User
from evenings.teams.membership import list_playing_members
from tournaments.codes import draw_codes, is_code, read_code
from tournaments.errors import ActionRefused
from tournaments.locks import lock_session
from tournaments.log import log_action
from tournaments.models import Entrant, PersonalLink, Session, TeamMember

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits: short enough for a small QR code that phones can read
SIGNS_BEFORE = 8  # length of codes that were printed before they had twelve signs
TYPED_FOR = dt.timedelta(days=30)  # the code to type is valid for this time after the evening; the link stays valid


def ensure_links(session: Session, *, now: dt.datetime) -> dict[int, PersonalLink]:
    """Return the valid links of the session's single players by entrant id. Make links for players who never had one.

    A player whose link was revoked gets no new one. This takes two queries if no link has to be made.
    """
    lacking = session.entrants.filter(links=None, team=None).values_list("pk", flat=True)
    add_links(((entrant, None) for entrant in lacking), now=now)
    links = PersonalLink.objects.filter(entrant__session=session, member=None, revoked_at=None)
    return {link.entrant_id: link for link in links}


def ensure_member_links(session: Session, *, now: dt.datetime) -> dict[int, PersonalLink]:
    """Return the valid links of the members of the session's teams, by member id.

    Make a link for each member who never had one. A member has a link if they belong to the team in one of the
    session's positions. A member whose link was revoked gets no new one. This takes four queries if no link has to be
    made.
    """
    entrants = {each.member.pk: each.entrant.pk for each in list_playing_members(session)}
    there = PersonalLink.objects.filter(entrant__session=session, member__in=entrants)
    had = set(there.values_list("member_id", flat=True))
    add_links(((entrant, member) for member, entrant in entrants.items() if member not in had), now=now)
    return {link.member_id: link for link in there.filter(revoked_at=None) if link.member_id is not None}


def add_links(owners: Iterable[tuple[int, int | None]], *, now: dt.datetime) -> None:
    """Make a link for each owner, given as (id of the entrant, id of the team's member or None).

    If two requests make links at the same moment, the second row is ignored.
    """
    lacking = list(owners)
    codes = draw_codes(len(lacking), taken=codes_among)
    PersonalLink.objects.bulk_create(
        (
            PersonalLink(entrant_id=entrant, member_id=member, token=secrets.token_urlsafe(16), code=code, made_at=now)
            for (entrant, member), code in zip(lacking, codes, strict=True)
        ),
        ignore_conflicts=True,
    )


def codes_among(codes: set[str]) -> Iterable[str]:
    """Return those of these codes that belong to a link already."""
    return PersonalLink.objects.filter(code__in=codes).values_list("code", flat=True)


@transaction.atomic
def revoke_link(*, session_id: int, entrant_id: int, member_id: int | None = None, by: User, now: dt.datetime) -> None:
    """Revoke the link of an entrant, or of a member of a team. The call is idempotent."""
    owner = lock_owner(session_id, entrant_id, member_id)
    if owner.links.update(revoked_at=now):
        log_action(session_id, "link_revoked", now=now, by=by, words=owner.name, name=owner.name)


@transaction.atomic
def renew_link(
    *, session_id: int, entrant_id: int, member_id: int | None = None, by: User, now: dt.datetime
) -> PersonalLink:
    """Revoke the link of an entrant, or of a member of a team, and return a new one.

    Raise `ActionRefused` if the member was not in the team in any position of the session.
    """
    owner = lock_owner(session_id, entrant_id, member_id)
    if owner.member is not None and not any(
        each.member == owner.member for each in list_playing_members(owner.entrant.session, but=entrant_id)
    ):
        raise ActionRefused("member_never_there", "member", name=owner.name)
    owner.links.update(revoked_at=now)
    add_links([(entrant_id, member_id)], now=now)
    log_action(session_id, "link_renewed", now=now, by=by, words=owner.name, name=owner.name)
    return owner.links.get()


class LinkOwner(NamedTuple):
    """The entrant of a link and, if it is a team, its member."""

    entrant: Entrant
    member: TeamMember | None

    @property
    def name(self) -> str:
        return self.entrant.name if self.member is None else self.member.player.name

    @property
    def links(self) -> QuerySet[PersonalLink]:
        """The valid link, if there is one."""
        return PersonalLink.objects.filter(entrant=self.entrant, member=self.member, revoked_at=None)


def lock_owner(session_id: int, entrant_id: int, member_id: int | None) -> LinkOwner:
    """Lock the session, and return its entrant with this id and the member. Raise `ActionRefused` if one is unknown."""
    lock_session(session_id, no_key=True)
    entrants = Entrant.objects.select_related("player", "stand_in", "team", "session")
    entrant = entrants.filter(session=session_id, pk=entrant_id).first()
    if entrant is None:
        raise ActionRefused("entrant_unknown", "entrant")
    if entrant.team is None and member_id is None:
        return LinkOwner(entrant, None)
    member = TeamMember.objects.filter(pk=member_id or 0, team=entrant.team_id or 0).select_related("player").first()
    if member is None:
        raise ActionRefused("member_unknown", "member")
    return LinkOwner(entrant, member)


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
    """Return all links, each with its member. Their entrants, sessions and clubs are read by a second query.

    One query would join ten tables, and PostgreSQL would take longer to plan it than to run it.
    """
    entrants = Entrant.objects.select_related("player", "stand_in", "team", "session__tournament__club")
    return PersonalLink.objects.select_related("member__player").prefetch_related(Prefetch("entrant", entrants))
