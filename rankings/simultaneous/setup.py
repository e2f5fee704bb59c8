"""The setup of a simultaneous: creating it, changing it, closing it, putting it away. The club's log has each write.

Its set of étuis (the master) is sealed when the simultaneous is created. `hours` changes the hours.

The organiser rules on étuis for all clubs: to annul an étui, to split an altered one, to let it count again. The clubs'
own rankings do not change.
"""

import datetime as dt
import secrets
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.text import slugify

from clubs.accounts.founding import free_name
from clubs.house import settings_of
from clubs.log import log_club_action
from clubs.models import Club, User
from deals.copies import make_master
from deals.models import DealSet, Etui
from deals.sets import create_deal_set
from rankings.simultaneous.hours import FieldHours, check_field_hours
from rankings.simultaneous.writing import (
    SimultaneousRefused,
    lock_secret_simultaneous,
    lock_simultaneous,
    refuse_received,
    tell_clubs,
    touch_simultaneous,
)
from tournaments.locks import lock_club
from tournaments.models import FieldRuling, Simultaneous

RESERVED = {"new", "asked", "receive"}  # these parts of an address lead to other pages


class SimultaneousGiven(NamedTuple):
    """The values that a director gives a simultaneous: its title, and the two choices about the ranking."""

    title: str
    alterne: bool = False
    keeps_lookers: bool = False


def find_sets_to_play(club: Club) -> QuerySet[DealSet]:
    """Return the sets of a club that could be the étuis of a simultaneous: dealt from a seed, and never used."""
    same = DealSet.objects.filter(seed_digest=OuterRef("seed_digest"))
    used = same.exclude(pk=OuterRef("pk")), same.filter(sessions__isnull=False)
    awaited = Etui.objects.filter(deal_set=OuterRef("pk"), origin=Etui.Origin.AWAITED)
    found = DealSet.objects.filter(
        club=club, players=4, master=None, simultaneous=None, revealed_at=None, given_up_at=None
    ).exclude(seed_digest="")
    return found.filter(*(~Exists(each) for each in (*used, awaited))).order_by("-created_at", "-pk")


@transaction.atomic
def create_simultaneous(
    *,
    club: Club,
    given: SimultaneousGiven,
    hours: FieldHours,
    etuis: DealSet | int,
    by: User,
    now: dt.datetime,
) -> Simultaneous:
    """Create and return a simultaneous. Its address is made from its title and is unique in the club.

    `etuis` is an unused set of the club, or the number of étuis of a new set. The set is sealed.
    """
    if club.is_practice:
        raise SimultaneousRefused("simultaneous_practice")
    check_field_hours(hours, now=now)
    lock_club(club.pk)
    if isinstance(etuis, int):
        master = create_deal_set(club=club, name=given.title, count=etuis, now=now, by=by)
    elif find_sets_to_play(club).filter(pk=etuis.pk).exists():
        master = etuis
    else:
        raise SimultaneousRefused("simultaneous_set_unknown", "deal_set")
    make_master(deal_set=master, opens_at=hours.opens_at, held_until=hours.public_at, now=now)
    simultaneous = Simultaneous.objects.create(
        club=club,
        slug=find_free_address(club, given.title),
        deal_set=master,
        window_hours=settings_of(club).window_hours,
        token=secrets.token_urlsafe(32),
        created_at=now,
        **given._asdict(),
        **hours._asdict(),
    )
    log_club_action(club, "simultaneous_made", now=now, by=by, simultaneous=given.title)
    return simultaneous


def find_free_address(club: Club, title: str) -> str:
    """Return the part of the address that is made from the title, and that no other simultaneous of the club has."""
    base = slugify(title)[:50] or "simultane"
    taken = {*RESERVED, *club.simultaneous.filter(slug__startswith=base).values_list("slug", flat=True)}
    return free_name(base, "-", taken)


@transaction.atomic
def change_simultaneous(*, simultaneous_id: int, given: SimultaneousGiven, by: User, now: dt.datetime) -> Simultaneous:
    """Change the title or the ranking of a simultaneous, and return it. If nothing changes, nothing is logged."""
    simultaneous = lock_simultaneous(simultaneous_id)
    before = SimultaneousGiven(simultaneous.title, simultaneous.alterne, simultaneous.keeps_lookers)
    if before == given:
        return simultaneous
    for name, value in given._asdict().items():
        setattr(simultaneous, name, value)
    simultaneous.save(update_fields=given._fields)
    log_club_action(simultaneous.club, "simultaneous_changed", now=now, by=by, simultaneous=given.title)
    touch_simultaneous(simultaneous)
    return simultaneous


@transaction.atomic
def close_simultaneous(*, simultaneous_id: int, reopen: bool = False, by: User, now: dt.datetime) -> Simultaneous:
    """Close a simultaneous: no further result counts, and clubs without results are left out. `reopen` undoes this.

    The étuis stay secret until their hour. A second call changes nothing. A simultaneous of another site is refused:
    its organiser closes it there.
    """
    simultaneous = lock_secret_simultaneous(simultaneous_id, now) if reopen else lock_simultaneous(simultaneous_id)
    refuse_received(simultaneous)
    if (simultaneous.closed_at is None) == reopen:
        return simultaneous
    simultaneous.closed_at, simultaneous.closed_by = (None, None) if reopen else (now, by)
    simultaneous.save(update_fields=["closed_at", "closed_by"])
    done = "reopened" if reopen else "closed"
    tell_clubs(simultaneous, f"simultaneous_{done}", f"simultaneous_told_{done}", by=by, now=now)
    touch_simultaneous(simultaneous)
    return simultaneous


@transaction.atomic
def put_simultaneous_away(*, simultaneous_id: int, back: bool = False, by: User, now: dt.datetime) -> Simultaneous:
    """Remove a simultaneous from all lists, or put it back. Its clubs, hours and rankings stay."""
    simultaneous = lock_simultaneous(simultaneous_id)
    if (simultaneous.put_away_at is None) != back:
        simultaneous.put_away_at = None if back else now
        simultaneous.save(update_fields=["put_away_at"])
        action = "simultaneous_back" if back else "simultaneous_put_away"
        log_club_action(simultaneous.club, action, now=now, by=by, simultaneous=simultaneous.title)
    return simultaneous


@transaction.atomic
def renew_link_of_simultaneous(*, simultaneous_id: int, by: User, now: dt.datetime) -> Simultaneous:
    """Give a simultaneous a new link of invitation. The old one stops working."""
    simultaneous = lock_simultaneous(simultaneous_id)
    simultaneous.token = secrets.token_urlsafe(32)
    simultaneous.save(update_fields=["token"])
    log_club_action(simultaneous.club, "simultaneous_link_renewed", now=now, by=by, simultaneous=simultaneous.title)
    return simultaneous


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
