"""The families of sentences by their codes, the sentences about a result, and the words for the phases of a deal.

`tournaments.words.messages` fills the sentences in. The texts of errors are in the classes of the errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy


@dataclass(frozen=True, slots=True)
class Family:
    """The sentences of one kind, such as the questions about a result, by their codes.

    `kinds` has the kind of label for each param of the sentences, by the param's name. For example, a param of the kind
    "contract" is shown as the name of a contract.
    """

    texts: Mapping[str, str | Promise]
    kinds: Mapping[str, str] = field(default_factory=dict)


QUESTIONS = Family(
    {
        "petit_without_bout": _("The petit au bout goes to %(side)s, which has no bout: did the Petit change sides?"),
        "points_below_ecart": _(
            "The écart and the bouts alone give the attack %(least)s points, but %(points)s are entered: "
            "were they counted?"
        ),
        "poignee_too_few_points": _(
            "A poignée this long wins tricks: it gives the attack at least %(least)s points, but %(points)s "
            "are entered. Are the points and the poignée right?"
        ),
        "poignee_too_many_points": _(
            "A poignée this long in the defence wins tricks: it leaves the attack at most %(most)s points, "
            "but %(points)s are entered. Are the points and the poignée right?"
        ),
        "chelem_not_said": _("With %(points)s points, the defence may have won no trick: was it a chelem?"),
        "points_extreme": _("%(points)s points: is that right?"),
        "chelem": _("%(chelem)s: is that right?"),
        "poignee_triple": _("%(poignee)s: is that right?"),
        "base_score_chelem": _("%(contract)s: a result gives %(value)s only with a chelem. Was there one?"),
        "base_score_impossible": _(
            "%(contract)s: no result gives %(value)s. Is the amount right, and not multiplied by three?"
        ),
        "base_score_mark": _(
            "%(contract)s: %(value)s is rare as a base score. Is it the taker’s mark, %(times)s × %(score)s?"
        ),
        "sheet_remainders": _(
            "Where %(players)s play, any two marks differ by a multiple of %(players)s. Here they do not: "
            "is a figure wrong?"
        ),
    },
    {"side": "side", "chelem": "chelem", "poignee": "poignee", "contract": "contract"},
)

LINES = Family(
    {
        "made": ngettext_lazy(
            "%(contract)s made by %(difference)s with %(bouts)s bout: (%(base)s + %(difference)s) × %(coefficient)s",
            "%(contract)s made by %(difference)s with %(bouts)s bouts: (%(base)s + %(difference)s) × %(coefficient)s",
            "bouts",
        ),
        "failed": ngettext_lazy(
            "%(contract)s failed by %(difference)s with %(bouts)s bout: −(%(base)s + %(difference)s) × %(coefficient)s",
            "%(contract)s failed by %(difference)s with %(bouts)s bouts:"
            " −(%(base)s + %(difference)s) × %(coefficient)s",
            "bouts",
        ),
        "petit_au_bout": _("Petit au bout to %(side)s: %(bonus)s × %(coefficient)s"),
        "poignee": _("%(poignee)s shown by %(side)s"),
        "chelem": "%(chelem)s",
    },
    {"contract": "contract", "side": "side", "poignee": "poignee", "chelem": "chelem"},
)

PHASE_NAMES = {
    "auction": _("the auction"),
    "call": _("the call of a card"),
    "ecart": _("the écart"),
    "play": _("the play"),
    "over": _("nothing, because the deal is over"),
}
