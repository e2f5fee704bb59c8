"""The deal sets of sessions: adding étuis, typing cards, declaring a set played, giving up a copy, revealing the seed.

The cards and the seed of a set are shown to everybody only after all sessions, here and in other clubs, have played
them.
"""

import datetime as dt

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet
from django.utils import timezone

from clubs.models import User
from deals.domain.deal import Deal
from deals.errors import DealSetRefused
from deals.models import DealLook, DealSet, Etui
from deals.sets import add_etuis, record_look, reveal_deal_set, type_cards
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_deal_set, lock_session
from tournaments.log import log_action
from tournaments.models import Publication, Session
from tournaments.reports.session import decode_report

FOUR = 4


@transaction.atomic
def reveal_seed(*, deal_set_id: int, now: dt.datetime) -> DealSet:
    """Reveal the seed of a set to everybody, and return the set.

    Raise `ActionRefused` if a club with these deals has still to play or publish them.
    """
    deal_set = lock_deal_set(deal_set_id)
    if deal_set.revealed_at is not None:
        return deal_set
    if deal_set.held_until is not None:  # its job opens everything at once
        raise DealSetRefused("set_held")
    if not is_played(deal_set):
        raise ActionRefused("set_not_played")
    if waiting := sessions_to_wait_for(deal_set).count() + find_unplayed_copies(deal_set).count():
        raise ActionRefused("sessions_still_to_play", waiting=waiting)
    hidden = sessions_with(deal_set).filter(shows_cards=False, cards_shown_at=None).select_related("tournament").first()
    if hidden is not None:
        raise ActionRefused("cards_not_shown", name=hidden.tournament.name, number=hidden.number)
    reveal_deal_set(deal_set=deal_set, now=now)
    return deal_set


@transaction.atomic
def add_etuis_to(*, session_id: int, count: int, by: User, now: dt.datetime) -> range:
    """Add the étuis that the session's set lacks for `count` étuis in a row. The first is the session's first étui.

    Return the numbers of the new étuis. Raise `ActionRefused` if the seed is revealed, or if the set has copies, which
    would no longer have the same étuis.
    """
    session = lock_session(session_id, no_key=True)
    deal_set = session.deal_set
    if deal_set is None:
        raise ActionRefused("no_deal_set", "deal_set", needed=count)
    if is_revealed(deal_set):
        raise ActionRefused("seed_revealed", "deal_set")
    if sets_with(deal_set).exclude(pk=deal_set.pk).exists():
        raise ActionRefused("set_copied", "deal_set")
    taker = find_format(session.tournament.format).find_taker("")
    added = add_etuis(deal_set_id=deal_set.pk, last=session.first_etui + count - 1, taker=taker)
    if added:
        words = f"etui {' '.join(map(str, added))}"
        log_action(
            session, "etuis_added", by=by, now=now, words=words, count=len(added), first=added[0], last=added[-1]
        )
    return added


@transaction.atomic
def type_cards_of(*, deal_set_id: int, number: int, cards: Deal) -> None:
    """Save the cards of an étui that a director typed from its diagrams.

    Lock the sessions that play the set, because their desks compare results with the cards.
    """
    for pk in Session.objects.filter(deal_set_id=deal_set_id).order_by("pk").values_list("pk", flat=True):
        lock_session(pk, no_key=True)
    type_cards(deal_set_id=deal_set_id, number=number, cards=cards)


@transaction.atomic
def declare_played(*, deal_set_id: int, day: dt.date, by: User, now: dt.datetime) -> DealSet:
    """Record the day on which the club played a set for three or five players that no session of the site plays.

    The log of looks at the set's cards records this. Another call corrects a wrong day, until the seed is
    revealed. Return the set.
    """
    deal_set = lock_deal_set(deal_set_id)
    if deal_set.played_on == day:
        return deal_set
    if deal_set.players == FOUR or deal_set.revealed_at is not None or deal_set.sessions.exists():
        raise ActionRefused("set_not_declared")
    if deal_set.sealed_at is None:
        raise ActionRefused("set_not_sealed")
    if not timezone.localdate(deal_set.sealed_at) <= day <= timezone.localdate(now):
        raise ActionRefused("played_date", "played_on")
    deal_set.played_on = day
    deal_set.save(update_fields=["played_on"])
    ends = deal_set.etuis.aggregate(first=Min("number"), last=Max("number"))
    kind = DealLook.LookKind.PLAYED
    record_look(deal_set=deal_set, user=by, now=now, kind=kind, document=day.isoformat(), **ends)
    return deal_set


@transaction.atomic
def give_up_copy(*, deal_set_id: int, now: dt.datetime) -> DealSet:
    """Record that a club will never play its copy of a set: other clubs can then reveal the seed. Return the copy.

    Raise `ActionRefused` if a session plays it, or if it belongs to a simultaneous: there nobody waits for a club.
    """
    deal_set = lock_deal_set(deal_set_id)
    if deal_set.held_until is not None:
        raise DealSetRefused("set_of_simultaneous")
    if deal_set.given_up_at is not None:
        return deal_set
    if deal_set.sessions.exists():
        raise ActionRefused("set_in_use")
    deal_set.given_up_at = now
    deal_set.save(update_fields=["given_up_at"])
    return deal_set


def sets_with(deal_set: DealSet) -> QuerySet[DealSet]:
    """Return the set and its copies, in other clubs or imported here. Copies have the same seed."""
    if not deal_set.seed_digest:
        return DealSet.objects.filter(pk=deal_set.pk)
    return DealSet.objects.filter(seed_digest=deal_set.seed_digest)


def is_played(deal_set: DealSet) -> bool:
    """Return whether a session plays the set or a copy of it, or a club has declared one of them played."""
    return sessions_with(deal_set).exists() or sets_with(deal_set).filter(played_on__isnull=False).exists()


def sessions_with(deal_set: DealSet) -> QuerySet[Session]:
    """Return the sessions that play these deals, here or with a copy of the set in another club."""
    return Session.objects.filter(deal_set__in=sets_with(deal_set))


def sessions_to_wait_for(deal_set: DealSet) -> QuerySet[Session]:
    """Return the sessions that play these deals and are not published, or are published with results missing."""
    through = Q(publications__data__counts__missing=0)
    return sessions_with(deal_set).exclude(pk__in=Session.objects.filter(through).values("pk"))


def find_unplayed_copies(deal_set: DealSet) -> QuerySet[DealSet]:
    """Return the copies in other clubs that no session uses yet, and that have not been given up."""
    return sets_with(deal_set).exclude(club=deal_set.club_id).filter(sessions=None, given_up_at=None, played_on=None)


def still_to_play(deal_set: DealSet, *, but: Session) -> bool:
    """Return whether players of another session than `but` may still play these deals.

    Once the seed is revealed, nobody waits any more: the étuis of a simultaneous open at its public hour.
    """
    if is_revealed(deal_set):
        return False
    return sessions_to_wait_for(deal_set).exclude(pk=but.pk).exists() or find_unplayed_copies(deal_set).exists()


def is_revealed(deal_set: DealSet) -> bool:
    """Return whether the seed of the set is public, because it was revealed for this set or for a copy."""
    return sets_with(deal_set).filter(revealed_at__isnull=False).exists()


def has_opened_cards(session: Session) -> bool:
    """Return whether the public hour of a simultaneous has opened the cards of the copy that the session plays."""
    if session.deal_set is None or session.deal_set.master_id is None:
        return False
    return DealSet.objects.filter(pk=session.deal_set.master_id, revealed_at__isnull=False).exists()


def find_known_etuis(deal_set: DealSet) -> set[int]:
    """Return the numbers of the étuis whose cards readers have seen at least once, even if they are hidden now.

    The public hour of a simultaneous opens all étuis.
    """
    if sets_with(deal_set).filter(master__revealed_at__isnull=False).exists():
        return set(deal_set.etuis.values_list("number", flat=True))
    shown = Publication.objects.filter(session__in=sessions_with(deal_set), session__cards_shown_at__isnull=False)
    return {
        etui.number for data in shown.values_list("data", flat=True) for etui in decode_report(data).etuis if etui.cards
    }


def find_other_takers(session: Session, *, needed: int) -> list[int]:
    """Return the numbers of the session's étuis on which the wrong taker is written, or none.

    Some formats have one seat that takes every étui. The list is empty in other formats, in which the étui or an
    auction decides who takes. `needed` is the number of étuis that the plan needs, or 0 if it is not known: then all
    étuis of the set count.
    """
    always = find_format(session.tournament.format).find_taker("")
    if always is None or session.deal_set_id is None:
        return []
    etuis = Etui.objects.filter(deal_set=session.deal_set_id, number__gte=session.first_etui)
    if needed:
        etuis = etuis.filter(number__lt=session.first_etui + needed)
    return list(etuis.exclude(taker=always).order_by("number").values_list("number", flat=True))
