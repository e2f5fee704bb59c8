"""The error for a refused change of an account, an invitation, a role, a link or a player's account."""

from typing import ClassVar

from wording import Refusal, Texts
from wording import gettext_noop as _


class AccountRefused(Refusal):
    """A refused change: nothing was written. `field` is the name of the wrong input, or empty if there is none."""

    messages: ClassVar[Texts] = {
        "site_set_up": _("Somebody has already set up this site: log in, or ask for an invitation."),
        "first_key_wrong": _("This is not the key of this site: on the server, “%(command)s first_run” prints it."),
        "invitation_unknown": _(
            "This invitation is unknown: part of its link may be missing, or the club has left this site. "
            "Ask for another."
        ),
        "invitation_used": _(
            "This invitation to %(club)s has been used, and works only once. If it was you, log in; "
            "otherwise ask for another."
        ),
        "invitation_revoked": _("%(club)s has withdrawn this invitation: ask its directors."),
        "invitation_maker_gone": _(
            "The person who made this invitation may no longer give this role in %(club)s: ask its directors "
            "for another."
        ),
        "invitation_expired": _("This invitation to %(club)s has expired: ask its directors for another."),
        "role_gone": _("This person is no longer on the staff: look at the list again."),
        "player_link_unknown": _(
            "This link is unknown: part of it may be missing, or the player has left the list. Ask for another."
        ),
        "player_link_used": _(
            "This link has been used, and works only once. If it was you, log in; otherwise ask for another."
        ),
        "player_link_revoked": _("%(club)s has withdrawn this link: ask its directors."),
        "player_link_maker_gone": _(
            "The person who created this link no longer directs %(club)s: ask its directors for another."
        ),
        "player_link_expired": _("This link from %(club)s has expired: ask its directors for another."),
        "player_accounts_closed": _("%(club)s does not offer accounts to players at the moment: ask its directors."),
        "player_has_account": _("%(name)s has another account: unlink it first."),
        "claim_gone": _("This request has been answered or withdrawn: look at the list again."),
        "confirmation_over": _(
            "This link no longer works: it is more than three days old, incomplete, or already used."
        ),
        "last_director": _(
            "A club needs at least one director whose role has no last day: give that role to somebody else first."
        ),
        "last_superuser": _("You are the only administrator of this site: make somebody else an administrator first."),
        "password_link_unknown": _("This link is unknown: part of it may be missing. Ask for another."),
        "password_link_used": _(
            "This link no longer works: it has been used, or somebody has since logged in to the account or "
            "changed its password."
        ),
        "password_link_revoked": _("This link has been withdrawn: ask for another."),
        "password_link_maker_gone": _("The person who created this link may no longer do so: ask for another."),
        "password_link_expired": _("This link has expired: ask for another."),
        "not_yours_to_help": _(
            "%(name)s has a role, or plays, in a club that you do not direct. If this site sends e-mail, “Forgotten"
            " password” on the log-in page helps; otherwise ask the site’s administrator."
        ),
        "longer_than_yours_to_help": _(
            "%(name)s has a role that lasts longer than yours. Ask a director whose role lasts as long, or the "
            "site’s administrator, for this link."
        ),
        "not_to_be_helped": _(
            "%(name)s is an administrator of the site, or this account is closed: ask the site’s administrator."
        ),
        "own_password": _("To change your own password, go to the page of your account."),
        "token_without_scope": _("Choose what the program may do."),
        "token_ends_too_early": _("This day has passed: choose another."),
        "token_ends_too_late": _("A token lasts until %(day)s at the latest: choose that day or an earlier one."),
        "token_name_taken": _(
            "You have a token named “%(token)s” already: choose another name, or end that one first."
        ),
        "too_many_tokens": _("The club has %(most)s tokens already: end one that no program uses."),
        "longer_than_yours": _(
            "Your own role ends on %(day)s, and you cannot give one that ends later: choose that day or an earlier one."
        ),
        "directs_no_longer": _("You no longer direct %(club)s: nothing was changed."),
    }
