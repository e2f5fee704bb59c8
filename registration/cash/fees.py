"""The fees of a tournament, the fee that the site proposes to each person, and the writing of amounts of money."""

import datetime as dt
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Player
from registration.errors import CashRefused
from tournaments.locks import lock_tournament
from tournaments.models import Fee, Session, Tournament
from tournaments.words.figures import decimal


class FeeGiven(NamedTuple):
    """The name and amount of a fee. `preset` says which people get it as a proposal: everybody, members, the young."""

    name: str
    cents: int
    preset: str


def require_cash_box(club: Club) -> None:
    """Raise `CashRefused` if the club keeps no cash box."""
    if not keeps_cash_box(club):
        raise CashRefused("cash_off")


def keeps_cash_box(club: Club) -> bool:
    """Return whether the club keeps a cash box. A practice club never does.

    No query is needed if the club was read with its settings (`house`).
    """
    return not club.is_practice and hasattr(club, "house") and club.house.keeps_cash


def list_fees(tournament: Tournament) -> list[Fee]:
    """Return the fees that are in use, in the order in which they were made."""
    return list(Fee.objects.filter(tournament=tournament, ended_at=None))


@transaction.atomic
def save_fee(*, tournament: Tournament, given: FeeGiven, fee_id: int = 0, now: dt.datetime) -> Fee:
    """Add a fee, or replace the fee `fee_id`, and return it. Payments made before keep their amounts and their fee.

    If the fee is there already with these values, return it.
    """
    lock_tournament(tournament.pk, no_key=True)
    require_cash_box(tournament.club)
    fees = list_fees(tournament)
    replaced = next((fee for fee in fees if fee.pk == fee_id), None)
    if fee_id and replaced is None:
        raise CashRefused("fee_unknown")
    for fee in fees:
        if (fee.name, fee.cents, fee.preset) == given:
            return fee
        if fee is replaced:
            continue
        if fee.name.casefold() == given.name.casefold():
            raise CashRefused("fee_name_taken", "name", name=fee.name)
        if fee.preset == given.preset != Fee.FeePreset.NOBODY:
            raise CashRefused("fee_preset_taken", "preset", name=fee.name)
    if replaced is not None:
        end_fees([replaced], now)
    return Fee.objects.create(tournament=tournament, **given._asdict())


@transaction.atomic
def end_fee(*, tournament: Tournament, fee_id: int, now: dt.datetime) -> None:
    """End a fee: it is proposed to nobody any more. Payments keep it. The call is idempotent."""
    lock_tournament(tournament.pk, no_key=True)
    require_cash_box(tournament.club)
    end_fees([fee for fee in list_fees(tournament) if fee.pk == fee_id], now)


def end_fees(fees: Iterable[Fee], now: dt.datetime) -> None:
    for fee in fees:
        fee.ended_at = now
        fee.save(update_fields=["ended_at"])


def find_preset_fee(fees: Iterable[Fee], player: Player | None, session: Session) -> Fee | None:
    """Return the fee that is proposed to a player, or None. `player` is None for a person who is new to the club.

    A young player gets the fee for the young, a member that for members, and anybody else the general one. If that fee
    does not exist, the next of these is taken.
    """
    by_preset = {fee.preset: fee for fee in fees}
    wanted = [Fee.FeePreset.EVERYBODY]
    if player is not None and player.member_until is not None and player.member_until >= session.date:
        wanted.insert(0, Fee.FeePreset.MEMBERS)
    if player is not None and player.category in (Player.Category.YOUTH, Player.Category.JUNIOR):
        wanted.insert(0, Fee.FeePreset.YOUTH)
    return next((by_preset[preset] for preset in wanted if preset in by_preset), None)


def write_amount(cents: int) -> str:
    """Return the amount with two decimals in the reader's language, such as "€12.50"."""
    amount = _("€%(amount)s") % {"amount": decimal(Fraction(abs(cents), 100), 2)}
    return f"−{amount}" if cents < 0 else amount


def write_plain_amount(cents: int) -> str:
    """Return the amount as people type it in a form, without the sign of the euro."""
    return decimal(Fraction(cents, 100), 2)
