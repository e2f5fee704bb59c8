"""What a director says of a player: shape only; what may be said, `tournaments.plays.penalties` knows."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models import Penalty, UsualPenalty
from tournaments.plays.penalties import Sanction
from tournaments.web.reason import ArticleForm

KINDS = [
    (Penalty.Kind.PENALTY, pgettext_lazy("what a player is given", "penalty")),
    (Penalty.Kind.BONUS, pgettext_lazy("what a player is given", "bonus")),
    (Penalty.Kind.WARNING, pgettext_lazy("what a player is given", "warning, without points")),
]


class SanctionForm(ArticleForm):
    """What is given, to whomever, and why."""

    kind = forms.ChoiceField(
        label=pgettext_lazy("of a penalty", "What is given"),
        choices=KINDS,
        initial=Penalty.Kind.PENALTY,
        widget=forms.RadioSelect,
    )
    points = forms.DecimalField(
        label=pgettext_lazy("of a penalty", "Percentage points"),
        help_text=_("Taken off the overall percentage, or added to it; none for a warning."),
        required=False,
        min_value=0,
        max_value=100,
        decimal_places=2,
        localize=True,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if "points" in given and not given["points"] and given.get("kind") != Penalty.Kind.WARNING:
            self.add_error("points", gettext("Say how many points, above 0."))
        return given

    @property
    def sanction(self) -> Sanction:
        given = self.cleaned_data
        return Sanction(given["kind"], given["points"] or Decimal(0), int(given["position"] or 0), given["article"])


class UsualPenaltyForm(SanctionForm):
    position = forms.BooleanField(label=_("For one position"), required=False)
    field_order = ("kind", "points", "position", "article", "reason")


def start_of(usual: UsualPenalty, position: int = 1) -> dict[str, Any]:
    """What a form of either kind holds at first, by one of the list."""
    return {
        "kind": usual.kind,
        "points": usual.points.normalize() if usual.points else None,
        "position": position if usual.for_position else None,
        "article": usual.article,
        "reason": usual.reason,
    }
