"""The hours of a simultaneous: from when clubs may play, until when, and from when the étuis are public."""

import datetime as dt
from typing import NamedTuple, Self

from django.db import transaction
from django.db.models import Q, QuerySet

from clubs.models import User
from deals.copies import set_hours
from deals.models import DealLook, DealSet
from rankings.simultaneous.locking import lock_secret_simultaneous, refuse_received, tell_clubs, touch_simultaneous
from rankings.simultaneous.refusals import SimultaneousRefused
from tournaments.locks import lock_session
from tournaments.models import Session, Simultaneous


class FieldHours(NamedTuple):
    """The three hours of a simultaneous."""

    opens_at: dt.datetime
    closes_at: dt.datetime
    public_at: dt.datetime

    @classmethod
    def of(cls, simultaneous: Simultaneous) -> Self:
        return cls(simultaneous.opens_at, simultaneous.closes_at, simultaneous.public_at)


class HoursChange(NamedTuple):
    """A simultaneous after its hours were changed, and how often cards had been looked at or printed before."""

    simultaneous: Simultaneous
    looks: int


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
def change_hours(*, simultaneous_id: int, hours: FieldHours, by: User, now: dt.datetime) -> HoursChange:
    """Change the hours, also those of the sets and sessions of all clubs. Each club logs it.

    If cards were looked at or printed before, the logs say so. Raise `SimultaneousRefused` after the public hour.
    """
    playing = Session.objects.filter(deal_set__master__simultaneous=simultaneous_id)
    for pk in playing.order_by("pk").values_list("pk", flat=True):
        lock_session(pk, no_key=True)
    simultaneous = lock_secret_simultaneous(simultaneous_id, now)
    refuse_received(simultaneous)
    before = FieldHours.of(simultaneous)
    looks = count_looks(simultaneous)
    if before == hours:
        return HoursChange(simultaneous, looks)
    check_field_hours(hours, now=now, before=before)
    for name, hour in hours._asdict().items():
        setattr(simultaneous, name, hour)
    simultaneous.save(update_fields=hours._fields)
    set_hours(simultaneous.deal_set, opens_at=hours.opens_at, held_until=hours.public_at)
    playing.filter(held_until__isnull=False).update(held_until=hours.public_at)
    told = dict(zip(("opens", "closes", "public"), (hour.isoformat() for hour in hours), strict=True))
    if looks:
        codes = "simultaneous_hours_late", "simultaneous_told_hours_late"
        told["count"] = str(looks)
    else:
        codes = "simultaneous_hours", "simultaneous_told_hours"
    tell_clubs(simultaneous, *codes, by=by, now=now, **told)
    touch_simultaneous(simultaneous)
    return HoursChange(simultaneous, looks)


def find_looks(simultaneous: Simultaneous) -> QuerySet[DealLook]:
    """Return the looks at the étuis of a simultaneous, through its own set or through the copies of the clubs."""
    sets = DealSet.objects.filter(Q(pk=simultaneous.deal_set_id) | Q(master=simultaneous.deal_set_id))
    return DealLook.objects.filter(deal_set__in=sets.values("pk")).exclude(kind=DealLook.LookKind.PLAYED)


def count_looks(simultaneous: Simultaneous) -> int:
    """Return how often somebody has seen, printed or exported cards of a simultaneous."""
    return find_looks(simultaneous).count()
