"""The error for a refused change of a deal set."""

from typing import ClassVar

from deals.domain.profile import ProfileError
from wording import Refusal, Texts
from wording import gettext_noop as _


class DealSetRefused(Refusal):
    """A refused change: nothing was written. `field` is the name of the wrong input, or empty if there is none."""

    messages: ClassVar[Texts] = {
        "too_many_etuis": _("A set has 1 to %(most)s étuis: correct their number."),
        "number_too_high": _("Étuis are numbered from 1 to %(most)s, not %(number)s: number them again."),
        "seed_revealed": _("The secret draw of this set is revealed: everybody can know its cards. Make another set."),
        "copy_without_seed": _(
            "Only a set dealt by the site can be copied: its cards stay secret until both clubs have played."
        ),
        "copy_before_value": _("The set is waiting for the public value (%(name)s): enter it, then copy the set."),
        "master_without_seed": _(
            "Only a set that this site dealt from its own secret draw can be played by many clubs."
        ),
        "master_used": _(
            "The étuis of a simultaneous must be new: this set has a copy, or a session plays it. Make another set."
        ),
        "copy_of_master": _("These étuis belong to a simultaneous: nobody can add étuis to the set, or copy it."),
        "set_held": _(
            "The étuis of this simultaneous are secret until its public hour: the secret draw opens by itself then."
        ),
        "set_of_simultaneous": _("In a simultaneous nobody waits for your copy: leave the simultaneous instead."),
        "set_not_sealed": _("The set is not sealed yet: seal it first, so that its fingerprint is public."),
        "no_value_named": _("No public value was announced for this set: it needs none."),
        "value_missing": _("The public value is missing: write it as it was published (%(name)s)."),
        "value_given": _("The public value has already been entered (%(value)s): it can no longer change."),
        "etui_unknown": _("The set has no étui %(number)s: choose another."),
        "players_differ": _(
            "Étui %(number)s is for %(expected)s players, but these cards are for another number: type them again."
        ),
        "cards_known": _("The cards of étui %(number)s are already known: they can no longer change."),
        "profile_players": ProfileError.messages["profile_players"],
        "cards_not_of_seed": _(
            "The cards of étui %(number)s are not those that the secret draw in the file deals. Remove the secret draw "
            "from the file to import the cards alone."
        ),
        "taker_not_of_profile": _(
            "Étui %(number)s names another taker than the profile %(profile)s: correct the taker, or "
            "remove the profile."
        ),
        "seed_elsewhere": _(
            "The secret draw of this set is not in its archive, so only the site where it was dealt can deal from it."
        ),
        "no_seed": _("This set does not come from a secret draw: there is no secret draw to reveal."),
    }
