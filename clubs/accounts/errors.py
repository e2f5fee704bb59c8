"""What is refused to who makes, invites or ends accounts."""

from typing import ClassVar

from wording import Refusal, Texts
from wording import gettext_noop as _


class AccountRefused(Refusal):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    messages: ClassVar[Texts] = {
        "site_set_up": _("Somebody has set this site up already: log in, or ask for an invitation."),
        "first_key_wrong": _(
            "This is not the key of this site: whoever runs the server prints it with “manage.py first_run”."
        ),
        "invitation_unknown": _(
            "No such invitation is known: its link is not whole, or the club has left this site. Ask for another."
        ),
        "invitation_used": _(
            "This invitation to %(club)s has been used, and serves once: if it was you, log in; else ask for another."
        ),
        "invitation_revoked": _("%(club)s has taken this invitation back: ask its directors."),
        "invitation_maker_gone": _(
            "Whoever made this invitation may no longer give this role in %(club)s: ask its directors for another."
        ),
        "invitation_expired": _("This invitation to %(club)s is over: ask its directors for another."),
        "role_gone": _("This person is no longer in the team: look at the list again."),
        "player_link_unknown": _(
            "No such link is known: it is not whole, or the player has left the list. Ask for another."
        ),
        "player_link_used": _("This link has been used, and serves once: if it was you, log in; else ask for another."),
        "player_link_revoked": _("%(club)s has taken this link back: ask its directors."),
        "player_link_maker_gone": _(
            "Whoever made this link no longer directs %(club)s: ask its directors for another."
        ),
        "player_link_expired": _("This link of %(club)s is over: ask its directors for another."),
        "player_accounts_closed": _("%(club)s gives its players no accounts at present: ask its directors."),
        "player_has_account": _("%(name)s has another account: it has to be untied first."),
        "claim_gone": _("This account has been answered, or asks no more: look at the list again."),
        "confirmation_over": _("This link serves no more: it is older than three days, not whole, or has been used."),
        "last_director": _(
            "A club keeps at least one director without a last day: give the role to somebody else first."
        ),
        "last_superuser": _("You alone look after this site: give somebody else its administration first."),
        "password_link_unknown": _("This link is unknown: perhaps a part of it is missing. Ask for another."),
        "password_link_used": _(
            "This link serves no more: it has been used, or somebody has logged in to the account or changed its"
            " password since."
        ),
        "password_link_revoked": _("This link has been taken back: ask for another."),
        "password_link_maker_gone": _("Whoever made this link may no longer make it: ask for another."),
        "password_link_expired": _("This link is over: ask for another."),
        "not_yours_to_help": _(
            "%(name)s has a role or plays in a club that you do not direct. “Password forgotten” on the log-in page"
            " helps where this site sends mail; else whoever runs the site does."
        ),
        "longer_than_yours_to_help": _(
            "%(name)s has a role that lasts longer than yours: a director whose role lasts as long makes this link, or"
            " whoever runs the site."
        ),
        "not_to_be_helped": _("%(name)s looks after the site, or this account is closed: whoever runs the site helps."),
        "own_password": _("You choose another password for yourself on the page of your account."),
        "longer_than_yours": _(
            "Your own role ends on %(day)s, and nobody gives a role that ends later: choose that day or an earlier one."
        ),
        "directs_no_longer": _("You no longer direct %(club)s: nothing was changed."),
    }
