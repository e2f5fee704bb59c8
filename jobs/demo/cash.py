"""The cash box of the demonstration's published evening: fees, payments, prizes, and the cash that was counted."""

import datetime as dt
from typing import Any

from clubs.house import change_settings
from clubs.models import User
from registration.cash.fees import FeeGiven, save_fee
from registration.cash.payments import PaidBy, PaymentGiven, count_cash, give_back, take_payment
from registration.cash.prizes import hand_prize, propose_prizes, save_prize_plan
from tournaments.models import Fee, Payment, Session

PRIZES = "1: 30 %\n2: 20 %\n3: 15"
FLOAT_CENTS = 5000


def fill_cash_box(session: Session, *, by: User, now: dt.datetime) -> None:
    """Open the club's cash box, take the fee of everybody but the last two players, and hand out the first prize."""
    change_settings(session.tournament.club, {"keeps_cash": True}, now=now, by=by)
    session = Session.objects.select_related("tournament__club__house").get(pk=session.pk)
    told: dict[str, Any] = {"session_id": session.pk, "by": by, "now": now}
    full, _members = (
        save_fee(tournament=session.tournament, given=FeeGiven(name, cents, preset.value), now=now)
        for name, cents, preset in (
            ("Plein tarif", 1000, Fee.FeePreset.EVERYBODY),
            ("Membres", 600, Fee.FeePreset.MEMBERS),
        )
    )
    players = list(session.entrants.order_by("pk").values_list("player", flat=True))[:-2]
    ways = {1: Payment.PaymentWay.CHEQUE, 2: Payment.PaymentWay.CARD, 3: Payment.PaymentWay.FREE}
    paid = [
        take_payment(
            payer=PaidBy(player=player),
            given=PaymentGiven(full.pk, ways.get(place, Payment.PaymentWay.CASH), "arbitre" if place == 3 else ""),
            **told,
        )
        for place, player in enumerate(players)
    ]
    give_back(payment_id=paid[-1].pk, reason="malade, n’a pas joué", **told)
    save_prize_plan(session_id=session.pk, given={"share": 80, "added": 2000, "lines": PRIZES, "one_each": True})
    first = propose_prizes(session).rows[0]
    hand_prize(player_id=first.player, seen=first.due, **told)
    count_cash(counted=FLOAT_CENTS + 22000 - first.due, float_cents=FLOAT_CENTS, **told)
