"""The hours of a simultaneous: from when clubs may play, until when, and from when the étuis are public.

At the public hour étuis, cards and seed are opened to everybody, even if a club still plays.
"""

import datetime as dt
from functools import partial
from typing import NamedTuple, Self

from django.db import transaction
from django.db.models import Exists, Min, OuterRef, Q, QuerySet

from clubs.models import Player, User
from deals.copies import open_to_everybody, set_hours
from deals.models import DealLook, DealSet, Etui
from rankings.kinds import do_for_each
from rankings.simultaneous.writing import (
    SimultaneousRefused,
    lock_secret_simultaneous,
    lock_simultaneous,
    refuse_received,
    tell_clubs,
    touch_simultaneous,
)
from tournaments.locks import lock_session
from tournaments.models import Entrant, PlayingDirector, Session, Simultaneous
from tournaments.queue import queue_careers


class FieldHours(NamedTuple):
    """The three hours of a simultaneous."""

    opens_at: dt.datetime
    closes_at: dt.datetime
    public_at: dt.datetime

    @classmethod
    def of(cls, simultaneous: Simultaneous) -> Self:
        return cls(simultaneous.opens_at, simultaneous.closes_at, simultaneous.public_at)


def check_field_hours(hours: FieldHours, *, now: dt.datetime, before: FieldHours | None = None) -> None:
    """Raise `SimultaneousRefused` if the hours are not in order, or if an hour that changes is over.

    `before` are the present hours. The opening hour may be over: then clubs can play at once.
    """
    if hours.closes_at <= hours.opens_at:
        raise SimultaneousRefused("simultaneous_closes_first", "closes_at")
    if hours.public_at < hours.closes_at:
        raise SimultaneousRefused("simultaneous_public_first", "public_at")
    for name in ("closes_at", "public_at"):
        hour = getattr(hours, name)
        if hour <= now and (before is None or hour != getattr(before, name)):
            raise SimultaneousRefused("simultaneous_hour_past", name)


@transaction.atomic
def change_hours(*, simultaneous_id: int, hours: FieldHours, by: User, now: dt.datetime) -> Simultaneous:
    """Change the hours, also those of the sets and sessions of all clubs. Each club logs it.

    If cards were looked at or printed before, the logs say so. Raise `SimultaneousRefused` after the public hour.
    """
    playing = Session.objects.filter(deal_set__master__simultaneous=simultaneous_id)
    for pk in playing.order_by("pk").values_list("pk", flat=True):
        lock_session(pk, no_key=True)
    simultaneous = lock_secret_simultaneous(simultaneous_id, now)
    refuse_received(simultaneous)
    before = FieldHours.of(simultaneous)
    if before == hours:
        return simultaneous
    check_field_hours(hours, now=now, before=before)
    for name, hour in hours._asdict().items():
        setattr(simultaneous, name, hour)
    simultaneous.save(update_fields=hours._fields)
    set_hours(simultaneous.deal_set, opens_at=hours.opens_at, held_until=hours.public_at)
    playing.filter(held_until__isnull=False).update(held_until=hours.public_at)
    told = dict(zip(("opens", "closes", "public"), (hour.isoformat() for hour in hours), strict=True))
    if looks := find_looks(simultaneous).count():
        codes = "simultaneous_hours_late", "simultaneous_told_hours_late"
        told["count"] = str(looks)
    else:
        codes = "simultaneous_hours", "simultaneous_told_hours"
    tell_clubs(simultaneous, *codes, by=by, now=now, **told)
    touch_simultaneous(simultaneous)
    return simultaneous


def find_looks(simultaneous: Simultaneous) -> QuerySet[DealLook]:
    """Return the looks at the étuis of a simultaneous, through its own set or through the copies of the clubs.

    Somebody has then seen, printed or exported cards.
    """
    sets = DealSet.objects.filter(Q(pk=simultaneous.deal_set_id) | Q(master=simultaneous.deal_set_id))
    return DealLook.objects.filter(deal_set__in=sets.values("pk")).exclude(kind=DealLook.LookKind.PLAYED)


def find_lookers(simultaneous: Simultaneous) -> set[int]:
    """Return the ids of the entrants who have seen, printed or exported cards. It takes three queries.

    An entrant is known by the account of the player's person, or as a director who said that they play. Looks after the
    entrant's session was closed, or after the public hour, do not count. Somebody may play in one club, look, and play
    in another club: only the second entrant has looked.
    """
    looks = find_looks(simultaneous).filter(looked_at__lt=simultaneous.public_at).order_by()
    first_look = dict(looks.values("user").annotate(first=Min("looked_at")).values_list("user", "first"))
    if not first_look:
        return set()
    users: dict[int, list[int]] = {}
    for person, user in Player.objects.filter(account__in=first_look).values_list("person", "account"):
        users.setdefault(person, []).append(user)
    inside = {"session__simultaneous_club__simultaneous": simultaneous}
    seated = Entrant.objects.filter(**inside, player__person__in=users).order_by()
    found: list[tuple[int, int, dt.datetime | None]] = [
        (entrant, user, closed)
        for entrant, person, closed in seated.values_list("pk", "player__person", "session__closed_at")
        for user in users[person]
    ]
    declared = PlayingDirector.objects.filter(**inside, user__in=first_look).order_by()
    found += declared.values_list("entrant", "user", "session__closed_at")
    return {entrant for entrant, user, closed in found if closed is None or first_look[user] < closed}


def open_all_due(now: dt.datetime) -> list[int]:
    """Open each simultaneous whose public hour is over. Return the ids of those that were opened now.

    One that cannot be opened is logged, and does not stop the others.
    """
    return do_for_each(find_due(now), partial(open_simultaneous, now=now), failed="simultaneous %s cannot be opened")


def find_due(now: dt.datetime) -> list[int]:
    """Return the ids of the simultaneous tournaments in which something is closed after the public hour."""
    held = Session.objects.filter(held_until__lte=now, deal_set__commitment=OuterRef("deal_set__commitment"))
    bare = Etui.objects.filter(deal_set__master=OuterRef("deal_set"), cards="")
    closed = Q(deal_set__revealed_at=None) | Exists(bare)
    due = Simultaneous.objects.filter(Exists(held) | Q(~Q(deal_set__seed=""), closed), public_at__lte=now)
    return list(due.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def open_simultaneous(simultaneous_id: int, *, now: dt.datetime) -> bool:
    """Open the étuis of a simultaneous whose public hour is over. Return whether something was opened.

    A club's copy of the set that no session plays is marked as given up. From now on, careers and ratings use the
    single deals of the sessions. The sessions open even if this site lacks the cards, because nobody typed the key that
    another site gave.
    """
    commitment = Simultaneous.objects.values_list("deal_set__commitment", flat=True).get(pk=simultaneous_id)
    playing = Session.objects.filter(deal_set__commitment=commitment, held_until__lte=now).order_by("pk")
    for session_id in playing.values_list("pk", flat=True):  # the same order of locks as in a change of hours
        lock_session(session_id, no_key=True)
    simultaneous = lock_simultaneous(simultaneous_id)
    if simultaneous.public_at > now:
        return False
    if simultaneous.deal_set.seed:
        open_to_everybody(master=simultaneous.deal_set, now=now)
    sessions = list(playing.values_list("pk", flat=True))
    Session.objects.filter(pk__in=sessions).update(held_until=None)
    for session_id in sessions:
        queue_careers(session_id)
    return True
