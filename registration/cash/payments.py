"""The services of payments: taking one, and giving it back. Also the sums of the treasurer's sheet.

Each service locks the session's row first, so that two desks never take one payment twice.
"""

import datetime as dt
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from clubs.models import Player, User
from registration.cash.payers import (
    CashPosition,
    find_applicant_of_player,
    find_player_of_applicant,
    find_seated_player,
    require_cash_box,
    sum_payments,
)
from registration.cash.prizes import sum_handed
from registration.errors import CashRefused
from registration.people.registration import check_in
from tournaments.locks import lock_session
from tournaments.models import Applicant, CashCount, Fee, Payment, Session


class PaymentGiven(NamedTuple):
    """A fee that a person pays, with the way of paying, and perhaps a reason, such as why it is free of charge."""

    fee_id: int
    way: str = Payment.PaymentWay.CASH
    reason: str = ""


class PaidBy(NamedTuple):
    """A payer by the ids of the applicant and of the player of the club's list. One of them may be None."""

    applicant: int | None = None
    player: int | None = None


@transaction.atomic
def take_payment(
    *, session_id: int, payer: PaidBy, given: PaymentGiven, by: User, now: dt.datetime, here: bool = False
) -> Payment:
    """Store a payment of the fee, and return it. With `here`, also mark the applicant as present.

    If the person has already paid, return that payment. Raise `CashRefused` if the person is unknown or has withdrawn,
    or if the fee is not in use.
    """
    session = lock_session(session_id, "tournament__club", no_key=True)
    require_cash_box(session.tournament.club)
    applicant, player = find_payer(session, payer)
    if here and applicant is not None and applicant.present_at is None and session.status == Session.Status.DRAFT:
        check_in(session_id=session_id, applicant_id=applicant.pk, present=True, now=now)
    earlier = find_payments_of(session, applicant, player)
    standing = next((each for each in earlier if not hasattr(each, "reversed_by")), None)
    if standing is not None:
        return standing
    fee = Fee.objects.filter(pk=given.fee_id, tournament=session.tournament_id, ended_at=None).first()
    if fee is None:
        raise CashRefused("fee_unknown", "fee")
    if given.way == Payment.PaymentWay.FREE and not given.reason.strip():
        raise CashRefused("reason_missing", "reason")
    return Payment.objects.create(
        session=session,
        applicant=applicant,
        player=player,
        fee=fee,
        cents=0 if given.way == Payment.PaymentWay.FREE else fee.cents,
        way=given.way,
        turn=len(earlier),
        reason=given.reason.strip(),
        author=by,
        at=now,
    )


def find_payer(session: Session, payer: PaidBy) -> tuple[Applicant | None, Player | None]:
    """Return the applicant and the player who pay.

    Raise `CashRefused` if they are not of this session, or have withdrawn and have no seat.
    """
    rows = Applicant.objects.filter(session=session).select_related("player__merged_into")
    applicant: Applicant | None
    if payer.applicant is not None:
        applicant = rows.filter(pk=payer.applicant).first()
        player = find_player_of_applicant(session, applicant) if applicant is not None else None
    else:
        player = find_seated_player(session, payer.player or 0)
        applicant = find_applicant_of_player(session, player) if player is not None else None
    if applicant is None and player is None:
        raise CashRefused("payer_unknown")
    withdrew = applicant is not None and applicant.withdrawn_at is not None
    if applicant is not None and withdrew and (player is None or find_seated_player(session, player.pk) is None):
        raise CashRefused("payer_withdrew", name=applicant.name)
    return applicant, player


def find_payments_of(session: Session, applicant: Applicant | None, player: Player | None) -> list[Payment]:
    """Return the payments of a person in a session, also those given back."""
    own = Q(pk=None)
    if applicant is not None:
        own |= Q(applicant=applicant)
    if player is not None:
        own |= Q(player=player) | Q(applicant__player=player)
    taken = Payment.objects.filter(own, session=session, turn__isnull=False)
    return list(taken.select_related("reversed_by").order_by("pk"))


@transaction.atomic
def give_back(*, session_id: int, payment_id: int, reason: str, by: User, now: dt.datetime) -> Payment:
    """Store that a payment was given back, and return the new row.

    If it was given back already, return that row. Raise `CashRefused` if there is no reason.
    """
    session = lock_session(session_id, "tournament__club", no_key=True)
    require_cash_box(session.tournament.club)
    taken = Payment.objects.filter(session=session, pk=payment_id, turn__isnull=False).first()
    if taken is None:
        raise CashRefused("payment_unknown")
    if (done := Payment.objects.filter(reverses=taken).first()) is not None:
        return done
    if not reason.strip():
        raise CashRefused("reason_missing", "reason")
    same = {name: getattr(taken, name) for name in ("session", "applicant", "player", "fee", "way")}
    fields = {"cents": -taken.cents, "reverses": taken, "reason": reason.strip(), "author": by, "at": now}
    return Payment.objects.create(**same, **fields)


@transaction.atomic
def count_cash(*, session_id: int, counted: int, float_cents: int, by: User, now: dt.datetime) -> CashCount:
    """Store how much cash was counted, and return the count. If the newest count is the same, return that one."""
    session = lock_session(session_id, "tournament__club", no_key=True)
    require_cash_box(session.tournament.club)
    newest = CashCount.objects.filter(session=session).first()
    if newest is not None and (newest.counted, newest.float_cents) == (counted, float_cents):
        return newest
    return CashCount.objects.create(session=session, counted=counted, float_cents=float_cents, author=by, at=now)


class CashSums(NamedTuple):
    """The sums of an evening in cents. `counted` is None as long as nobody has counted the cash."""

    positions: list[CashPosition]
    taken: int
    returned: int
    free: int
    prizes: int
    cash: int
    float_cents: int
    counted: int | None

    @property
    def left(self) -> int:
        """The rest of the fees after money given back and prizes, by all ways of paying."""
        return self.taken - self.returned - self.prizes

    @property
    def expected(self) -> int:
        """The cash that should be in the box: prizes are paid in cash."""
        return self.float_cents + self.cash - self.prizes

    @property
    def difference(self) -> int | None:
        return None if self.counted is None else self.counted - self.expected


def make_cash_sums(session: Session) -> CashSums:
    """Return the sums of a session."""
    positions = sum_payments(session)
    count = CashCount.objects.filter(session=session).first()
    return CashSums(
        positions=positions,
        taken=sum(each.cents for each in positions),
        returned=sum(each.returned_cents for each in positions),
        free=sum(each.payments - each.returned for each in positions if each.way == Payment.PaymentWay.FREE),
        prizes=sum(sum_handed(session).values()),
        cash=sum(each.cents - each.returned_cents for each in positions if each.way == Payment.PaymentWay.CASH),
        float_cents=count.float_cents if count else 0,
        counted=count.counted if count else None,
    )
