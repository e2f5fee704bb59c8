"""The refusals of the cash box, of the registration of teams, and of other writes by personal links."""

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


class RegistrationRefused(ActionRefused):
    """An error: a write of somebody who signs up, or of a director at check-in, was refused and wrote nothing."""

    messages: ClassVar[Texts] = {
        "registration_cancelled": _("This evening will not take place: there is nothing left to change."),
        "registration_removed": _("A director has removed you from the list: ask them if you want to play."),
        "registration_own_account": _(
            "You are logged in with another person’s account: log in as %(name)s. If your name is misspelled here, ask "
            "the captain to name you again."
        ),
        "registration_step_unknown": _("Nothing was changed: look at the page again, then choose one of its buttons."),
        "team_signed_up_already": _(
            "%(name)s is already on the list, so nothing was changed. Change your team on its own page, or ask a "
            "director."
        ),
        "team_at_door_gone": _(
            "This team has withdrawn or has another captain now: look for it in the list, then try again."
        ),
        "player_in_two_lists": _(
            "%(name)s is in two teams that are present, “%(team)s” and “%(other)s”: remove one of the two names first."
        ),
        "team_parted": _(
            "Players of %(team)s now come in two teams, “%(one)s” and “%(other)s”: change the members on the page of "
            "the teams first."
        ),
        "cut_ranking_changed": _("This ranking has a newer version, or none now: look at the list again."),
        "cut_made_already": _("This session already has a cut: undo it first, then choose again."),
        "cut_without_players": _("Nobody in this ranking can go on: choose another one."),
        "cut_of_teams": _("Cuts are made for players, not for teams: add the teams that go on by hand."),
        "cut_places": _("Write how many players go on, from 1 to %(most)s."),
        "cut_people_wait": _("People wait for a place in this session: give them places, or withdraw them first."),
        "cut_missing": _("This session has no cut now: look at the page again."),
    }
