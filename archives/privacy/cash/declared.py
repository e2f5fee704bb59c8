"""The personal data of the cash box: payments and prizes, and how long they are kept.

Payments are kept for the years that a club has set, also those of an erased player, who is a number by then.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import ExpiryStep, Period, PersonalData, Rows, WithholdReason
from clubs.models import ClubSettings
from tournaments.models import CashCount, Payment, PrizeHanded

A_YEAR = dt.timedelta(days=365, hours=6)

PERSONAL_DATA_OF_CASH = (
    PersonalData(
        name="payments",
        model="tournaments.Payment",
        title=_("what you paid for evenings, and what you got back"),
        whose=("player", "applicant__player", "applicant__user"),
        unless={"applicant__user": ("player", "applicant__player")},
        session="session",
        shows="number=id fee=fee__name cents way turn reverses=reverses_id reason at",
        guards=("cents", "way", "reason"),
        hides={"author": WithholdReason.OTHERS},
        frees=("reason",),
    ),
    PersonalData(
        name="prizes",
        model="tournaments.PrizeHanded",
        title=_("prize money that was handed to you"),
        whose=("player",),
        session="session",
        shows="version=publication__version cents turn at",
        guards=("cents",),
        hides={"author": WithholdReason.OTHERS},
    ),
    PersonalData(
        name="",
        model="tournaments.CashCount",
        session="session",
        hides={"author": WithholdReason.OTHERS},
    ),
)


def find_old_money(rows: type[Any]) -> "Any":
    """Return a function that finds the rows of a model of money which are older than their club keeps them."""

    def due(now: dt.datetime) -> Rows:
        usual = ClubSettings._meta.get_field("cash_years").default
        own = ClubSettings.objects.exclude(cash_years=usual).values_list("cash_years", flat=True).distinct()
        house = "session__tournament__club__house"
        old = Q(at__lt=now - usual * A_YEAR) & (Q(**{f"{house}__cash_years": usual}) | Q(**{house: None}))
        for years in own.order_by("cash_years"):
            old |= Q(at__lt=now - years * A_YEAR, **{f"{house}__cash_years": years})
        found: Rows = rows._base_manager.filter(old)
        return found

    return due


def delete_money(rows: Sequence[Any]) -> None:
    if rows:
        type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows]).delete()


PERIOD_OF_CASH = Period(
    _("Payments and prize money of clubs that keep a cash box"),
    _("ten years, or as many as the club has set"),
    _("The club’s accounts need them. Only the people at the club’s desk see them; an erased player is a number."),
    tuple(ExpiryStep(find_old_money(rows), delete_money) for rows in (Payment, PrizeHanded, CashCount)),
)
