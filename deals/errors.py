"""What a write to a deal set refuses."""

from typing import ClassVar

from deals.domain.profile import ProfileError
from wording import Refusal, Texts
from wording import gettext_noop as _


class DealSetRefused(Refusal):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    messages: ClassVar[Texts] = {
        "too_many_etuis": _("A set has 1 to %(most)s étuis: correct their number."),
        "number_too_high": _("Étuis are numbered from 1 to %(most)s, not %(number)s: number them again."),
        "seed_revealed": _("The seed of this set is revealed, so that everybody knows its cards: make another set."),
        "copy_without_seed": _(
            "Only a set dealt by the site can be copied, for its cards stay secret until both clubs have played."
        ),
        "copy_before_value": _("The étuis wait for the public value (%(name)s): enter it, then copy the set."),
        "set_not_sealed": _("The set is not sealed yet: seal it first, so that its commitment is public."),
        "no_value_named": _("No public value was named in advance for this set: it needs none."),
        "value_missing": _("The public value is missing: write it as it was published (%(name)s)."),
        "value_given": _("The public value has been entered already (%(value)s): it cannot change any more."),
        "etui_unknown": _("The set has no étui %(number)s: choose one that it has."),
        "players_differ": _("Étui %(number)s is for %(expected)s players: the cards are for another number."),
        "cards_known": _("The cards of étui %(number)s are known already: they cannot change any more."),
        "profile_players": ProfileError.messages["profile_players"],
        "cards_not_of_seed": _(
            "The cards of étui %(number)s are not those that the seed in the file deals. Take the seed out of the"
            " file to import the cards alone."
        ),
        "no_seed": _("This set was not generated from a seed: there is none to reveal."),
    }
