"""The sums of the treasurer's sheet of an evening. This module only reads."""

from typing import NamedTuple

from registration.cash.payers import CashPosition, sum_payments
from registration.cash.prizes import sum_handed
from tournaments.models import CashCount, Payment, Session


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
