"""The refusals of the registration of teams, and of other writes by personal links."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


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
