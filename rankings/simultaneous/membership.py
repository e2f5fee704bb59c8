"""The clubs of a simultaneous: inviting a club by name or by link, its answer, its leaving, and taking it out.

A club that agrees gets a copy of the étuis, without cards and seed. A club has one copy for good: if it leaves and
comes back, it plays the same one.
"""

import datetime as dt
import hmac
import re

from django.db import transaction
from django.db.models import Q

from clubs.log import log_in_clubs
from clubs.models import Club, User, real_clubs
from deals.copies import make_copy
from deals.models import DealSet
from rankings.simultaneous.writing import (
    SimultaneousRefused,
    lock_secret_simultaneous,
    refuse_received,
    touch_simultaneous,
)
from tournaments.locks import lock_account, lock_deal_set
from tournaments.models import Session, Simultaneous, SimultaneousClub

LINK = re.compile(r"[A-Za-z0-9_-]{43}")
A_DAY = dt.timedelta(days=1)
MOST_INVITED_A_DAY = 150  # the most invitations of one director, and to one simultaneous, in a day
MOST_OPEN_INVITATIONS = 3  # the most invitations of one organiser that a club has not answered yet


@transaction.atomic
def invite_club(*, simultaneous_id: int, slug: str, by: User, now: dt.datetime) -> SimultaneousClub:
    """Invite a club. Both clubs log it. The organiser's own club takes part at once.

    A club that has said no is not asked again: with the link its directors can still change their mind. There is a
    limit for a day.
    """
    lock_account(by.pk)
    simultaneous = lock_open_simultaneous(simultaneous_id, now)
    club = Club.objects.filter(real_clubs(), slug=slug).first()
    if club is None:
        raise SimultaneousRefused("simultaneous_club_unknown", "slug")
    if simultaneous.clubs.filter(club=club, left_at=None).exists():
        raise SimultaneousRefused("simultaneous_club_already", "slug", club=club.name)
    if simultaneous.clubs.filter(
        club=club, agreed_at=None, left_at__isnull=False, left_by__memberships__club=club
    ).exists():
        raise SimultaneousRefused("simultaneous_declined", "slug", club=club.name)
    if club.pk != simultaneous.club_id:
        require_few_invitations(simultaneous, club, by, now)
    row = SimultaneousClub.objects.create(simultaneous=simultaneous, club=club, invited_at=now, invited_by=by)
    if club.pk == simultaneous.club_id:
        take_part(simultaneous, row, by=by, now=now)
        return row
    told = {"simultaneous": simultaneous.title}
    log_in_clubs(
        (simultaneous.club, "simultaneous_club_invited", by, told | {"other_club": club.name}),
        (club, "simultaneous_invited", None, told | {"other_club": simultaneous.club.name}),
        now=now,
    )
    return row


def require_few_invitations(simultaneous: Simultaneous, club: Club, by: User, now: dt.datetime) -> None:
    """Raise `SimultaneousRefused` if too many clubs were invited within a day, or if the club has too many open ones.

    The caller has locked the simultaneous and the account of the director.
    """
    whose = Q(simultaneous=simultaneous) | Q(invited_by=by)
    lately = SimultaneousClub.objects.filter(whose, invited_at__gt=now - A_DAY).exclude(club=simultaneous.club_id)
    if lately.count() >= MOST_INVITED_A_DAY:
        raise SimultaneousRefused("simultaneous_invited_often", "slug", most=MOST_INVITED_A_DAY)
    mine = SimultaneousClub.objects.filter(simultaneous__club=simultaneous.club_id, simultaneous__public_at__gt=now)
    if mine.filter(club=club, agreed_at=None, left_at=None).count() >= MOST_OPEN_INVITATIONS:
        raise SimultaneousRefused("simultaneous_invited_unanswered", "slug", club=club.name)


@transaction.atomic
def agree_to_simultaneous(*, club: Club, row_id: int, by: User, now: dt.datetime) -> SimultaneousClub:
    """Agree, for a club that was invited, to take part. The club gets its copy of the étuis."""
    simultaneous, row = lock_row_of_club(row_id, Q(club=club, left_at=None), now)
    if row.agreed_at is None:
        check_open(simultaneous)
        take_part(simultaneous, row, by=by, now=now)
    return row


@transaction.atomic
def join_by_link(*, club: Club, token: str, by: User, now: dt.datetime) -> SimultaneousClub:
    """Take part, for a club whose director has the link of invitation. A second call changes nothing."""
    found = find_by_invitation(token)
    if found is None:
        raise SimultaneousRefused("simultaneous_link_unknown")
    if club.is_practice:
        raise SimultaneousRefused("simultaneous_practice")
    simultaneous = lock_open_simultaneous(found.pk, now)
    if not hmac.compare_digest(simultaneous.token.encode(), token.encode()):  # the organiser has just renewed it
        raise SimultaneousRefused("simultaneous_link_unknown")
    row = simultaneous.clubs.filter(club=club, left_at=None).first()
    if row is None:
        row = SimultaneousClub.objects.create(simultaneous=simultaneous, club=club, invited_at=now, invited_by=by)
    if row.agreed_at is None:
        take_part(simultaneous, row, by=by, now=now)
    return row


def find_by_invitation(token: str) -> Simultaneous | None:
    """Return the simultaneous that this link invites to, or None."""
    if not LINK.fullmatch(token):
        return None
    return Simultaneous.objects.select_related("club").filter(token=token, put_away_at=None).first()


def take_part(simultaneous: Simultaneous, row: SimultaneousClub, *, by: User, now: dt.datetime) -> None:
    """Write that the club of a row takes part, and give it its copy: a new one, or the one that it had before."""
    club = row.club
    earlier = simultaneous.clubs.filter(club=club, deal_set__isnull=False).exclude(pk=row.pk).last()
    if earlier is None:
        copy = make_copy(master=simultaneous.deal_set, club=club, name=simultaneous.title, by=by, now=now)
        session = None
    else:
        assert earlier.deal_set_id is not None
        copy, session = lock_deal_set(earlier.deal_set_id), earlier.session
        earlier.deal_set = earlier.session = None
        earlier.save(update_fields=["deal_set", "session"])
        DealSet.objects.filter(pk=copy.pk).update(given_up_at=None)
    row.agreed_at, row.agreed_by, row.deal_set, row.session = now, by, copy, session
    row.save()
    told = {"simultaneous": simultaneous.title}
    other = [(simultaneous.club, "simultaneous_club_agreed", None, told | {"other_club": club.name})]
    log_in_clubs((club, "simultaneous_agreed", by, told), *(other if club.pk != simultaneous.club_id else []), now=now)
    touch_simultaneous(simultaneous)


@transaction.atomic
def leave_simultaneous(*, club: Club, row_id: int, reason: str, by: User, now: dt.datetime) -> SimultaneousClub:
    """Leave a simultaneous, or refuse to take part. Its results no longer count over all clubs.

    A club that has agreed gives a reason. Its copy is given up, unless a session uses it.
    """
    simultaneous, row = lock_row_of_club(row_id, Q(club=club, left_at=None), now)
    if row.agreed_at is not None and not reason.strip():
        raise SimultaneousRefused("simultaneous_reason_missing", "reason")
    end_membership(row, reason, by=by, now=now)
    told = {"simultaneous": simultaneous.title, **({"reason": row.reason} if row.reason else {})}
    how = "_reason" if row.reason else ""
    other = (simultaneous.club, f"simultaneous_club_left{how}", None, told | {"other_club": club.name})
    log_in_clubs(
        (club, f"simultaneous_left{how}", by, told), *([other] if club.pk != simultaneous.club_id else []), now=now
    )
    touch_simultaneous(simultaneous)
    return row


@transaction.atomic
def take_out_of_simultaneous(
    *, simultaneous_id: int, row_id: int, reason: str, by: User, now: dt.datetime
) -> SimultaneousClub:
    """Take a club out of a simultaneous, for a reason that both clubs log."""
    simultaneous, row = lock_row_of_club(row_id, Q(simultaneous=simultaneous_id, left_at=None), now)
    if not reason.strip():
        raise SimultaneousRefused("simultaneous_reason_missing", "reason")
    end_membership(row, reason, by=by, now=now)
    told = {"simultaneous": simultaneous.title, "reason": row.reason}
    own = (simultaneous.club, "simultaneous_club_taken_out", by, told | {"other_club": row.club.name})
    theirs = (row.club, "simultaneous_taken_out", None, told)
    log_in_clubs(own, *([theirs] if row.club_id != simultaneous.club_id else []), now=now)
    touch_simultaneous(simultaneous)
    return row


def end_membership(row: SimultaneousClub, reason: str, *, by: User, now: dt.datetime) -> None:
    """Write that a club has left, and give up its copy if no session has begun with it."""
    copy = None if row.deal_set_id is None else lock_deal_set(row.deal_set_id)
    row.refresh_from_db(fields=["session"])  # a session may have taken the copy before the lock
    row.left_at, row.left_by, row.reason = now, by, reason.strip()[:300]
    row.save()
    if copy is not None and not copy.sessions.exclude(status=Session.Status.DRAFT).exists():
        DealSet.objects.filter(pk=copy.pk, given_up_at=None).update(given_up_at=now)


def lock_open_simultaneous(simultaneous_id: int, now: dt.datetime) -> Simultaneous:
    """Lock and return a simultaneous that further clubs can join."""
    simultaneous = lock_secret_simultaneous(simultaneous_id, now)
    refuse_received(simultaneous)
    check_open(simultaneous)
    return simultaneous


def check_open(simultaneous: Simultaneous) -> None:
    """Raise `SimultaneousRefused` if the organiser has closed the simultaneous."""
    if simultaneous.closed_at is not None:
        raise SimultaneousRefused("simultaneous_is_closed")


def lock_row_of_club(row_id: int, condition: Q, now: dt.datetime) -> tuple[Simultaneous, SimultaneousClub]:
    """Lock the simultaneous of a row, and return both. Raise `SimultaneousRefused` if the row does not qualify."""
    found = SimultaneousClub.objects.filter(pk=row_id).values_list("simultaneous", flat=True).first()
    if found is None:
        raise SimultaneousRefused("simultaneous_club_gone")
    simultaneous = lock_secret_simultaneous(found, now)
    row = SimultaneousClub.objects.filter(condition, pk=row_id).select_related("club", "deal_set").first()
    if row is None:
        raise SimultaneousRefused("simultaneous_club_gone")
    return simultaneous, row
