"""The organiser's rulings on étuis for all clubs: to annul an étui, to split an altered one, to let it count again.

The clubs' own rankings do not change.
"""

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from clubs.models import User
from rankings.simultaneous.writing import (
    SimultaneousRefused,
    lock_simultaneous,
    refuse_received,
    tell_clubs,
    touch_simultaneous,
)
from tournaments.models import FieldRuling, Simultaneous

Kind = FieldRuling.FieldRulingKind
FIRST_SPLIT, LAST_SPLIT = 2, 32_767


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingGiven:
    """A ruling of the organiser: the étui, what is ruled, the reason, and for a split the position it begins with."""

    etui: int
    kind: str
    reason: str
    from_position: int | None = None


@transaction.atomic
def rule_for_all(*, simultaneous_id: int, given: RulingGiven, by: User, now: dt.datetime) -> FieldRuling:
    """Store a ruling on an étui, and return it. Each club logs it. The ruling in force is not stored again."""
    simultaneous = lock_simultaneous(simultaneous_id)
    refuse_received(simultaneous)
    if not simultaneous.deal_set.etuis.filter(number=given.etui).exists():
        raise SimultaneousRefused("simultaneous_etui_unknown", "etui", number=given.etui)
    split = given.from_position if given.kind == Kind.SPLIT else None
    if given.kind == Kind.SPLIT and (split is None or not FIRST_SPLIT <= split <= LAST_SPLIT):
        raise SimultaneousRefused("simultaneous_split_from", "from_position")
    reason = given.reason.strip()[:300]
    if not reason:
        raise SimultaneousRefused("simultaneous_reason_missing", "reason")
    last = simultaneous.rulings.filter(etui=given.etui).last()
    if given.kind == Kind.LIFTED and (last is None or last.kind == Kind.LIFTED):
        raise SimultaneousRefused("simultaneous_not_ruled", "etui", number=given.etui)
    if last is not None and (last.kind, last.from_position, last.reason) == (given.kind, split, reason):
        return last
    ruling = FieldRuling.objects.create(
        simultaneous=simultaneous,
        etui=given.etui,
        kind=given.kind,
        from_position=split,
        reason=reason,
        author=by,
        ruled_at=now,
    )
    told = {"etui": str(given.etui), "reason": reason} | ({"position": str(split)} if split else {})
    code = f"simultaneous_etui_{given.kind}"
    tell_clubs(simultaneous, code, f"simultaneous_told_{given.kind}", by=by, now=now, **told)
    touch_simultaneous(simultaneous)
    return ruling


def list_rulings(simultaneous: Simultaneous) -> list[FieldRuling]:
    """Return the rulings in force, the newest one of each étui that does not count as usual."""
    newest = {ruling.etui: ruling for ruling in simultaneous.rulings.select_related("author").order_by("pk")}
    return [ruling for _number, ruling in sorted(newest.items()) if ruling.kind != Kind.LIFTED]
