"""The refusals of the cash box."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


class CashRefused(ActionRefused):
    """An error: a write of the cash box was refused and wrote nothing."""

    messages: ClassVar[Texts] = {
        "cash_off": _("This club keeps no cash box: a director can switch it on in the club settings."),
        "fee_unknown": _("This fee does not exist, or is not used any more: choose another one."),
        "fee_name_taken": _("There is already a fee %(name)s: change that one, or choose another name."),
        "fee_preset_taken": _("The fee %(name)s is already proposed to the same players: change that one first."),
        "payer_unknown": _("This person is not on the list of this evening any more: look at the list again."),
        "payer_withdrew": _("%(name)s has withdrawn: nothing was paid."),
        "payment_unknown": _("This payment is not of this evening: look at the list again."),
        "reason_missing": _("Write the reason: the treasurer will read it."),
        "prize_list_line": _("Line %(row)s of the prizes, “%(text)s”, cannot be read: write for example 1: 15."),
        "prize_list_category": _(
            "Line %(row)s of the prizes, “%(text)s”, names a category that nobody knows: write one of %(words)s."
        ),
        "prize_list_places": _("Line %(row)s of the prizes, “%(text)s”, has no places in rising order."),
        "prize_list_amount": _("Line %(row)s of the prizes, “%(text)s”, has no amount: write for example 15."),
        "prize_list_twice": _("Line %(row)s of the prizes, “%(text)s”, has a place that has a prize already."),
        "prize_list_shares": _("The shares are more than the whole pot: lower one of them."),
        "prize_list_many": _("That is too many prizes: shorten the list."),
        "prizes_unpublished": _("No ranking is published now: publish it first, then hand out the prizes."),
        "prizes_exceed_pot": _("The prizes are more than the pot: add to the pot or lower the prizes first."),
        "prize_changed": _("This prize has changed since you saw the page: look at it again."),
        "prize_not_handed": _("No prize was handed to this player: nothing was changed."),
    }
