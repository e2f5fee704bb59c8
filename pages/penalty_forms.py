"""The forms of penalties, bonuses and warnings.

They check only that each value has the right format. `evenings.plays.penalties` decides what is allowed.
"""

from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from evenings.plays.penalties import MOST_MARKS, Sanction
from pages.form_fields import ArticleForm, FigureField
from scoring.formats import Unit
from tournaments.models import Penalty, UsualPenalty

KINDS = [
    (Penalty.PenaltyKind.PENALTY, pgettext_lazy("what a player is given", "penalty")),
    (Penalty.PenaltyKind.BONUS, pgettext_lazy("what a player is given", "bonus")),
    (Penalty.PenaltyKind.WARNING, pgettext_lazy("what a player is given", "warning, without points")),
]

POINTS_IN: Mapping[Unit, FigureField] = {
    Unit.MARKS: FigureField(
        label=_("Marks"),
        help_text=_("Taken off the sum of marks, or added to it; none for a warning."),
        required=False,
        min_value=0,
        max_value=MOST_MARKS,
        decimal_places=0,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    ),
}


class SanctionForm(ArticleForm):
    """A form for a penalty, a bonus or a warning with its reason. It has no field for the player."""

    kind = forms.ChoiceField(
        label=pgettext_lazy("of a penalty", "What is given"),
        choices=KINDS,
        initial=Penalty.PenaltyKind.PENALTY,
        widget=forms.RadioSelect,
    )
    points = FigureField(
        label=pgettext_lazy("of a penalty", "Percentage points"),
        help_text=_("Taken off the overall percentage, or added to it; none for a warning."),
        required=False,
        min_value=0,
        max_value=100,
        decimal_places=2,
        localize=True,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )

    def ask_in(self, unit: Unit) -> None:
        """Ask for the points in this unit of rankings. The usual field has the decimals of other units."""
        self.fields["points"] = deepcopy(POINTS_IN.get(unit, self.fields["points"]))
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if "points" in given and not given["points"] and given.get("kind") != Penalty.PenaltyKind.WARNING:
            self.add_error("points", gettext("Give the number of points, above 0."))
        return given

    @property
    def sanction(self) -> Sanction:
        given = self.cleaned_data
        return Sanction(given["kind"], given["points"] or Decimal(0), int(given["position"] or 0), given["article"])


class UsualPenaltyForm(SanctionForm):
    position = forms.BooleanField(label=_("For one position"), required=False)
    field_order = ("kind", "points", "position", "article", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["points"].label = pgettext_lazy("of a penalty", "Points")
        self.fields["points"].help_text = _(
            "Percentage points, taken off the overall percentage or added to it. Match points in quadrettes and team"
            " matches, marks in donnes libres. None for a warning."
        )


def start_of(usual: UsualPenalty, position: int = 1) -> dict[str, Any]:
    """Return the initial values of a form, taken from one of the club's usual penalties.

    The form contains `position` only if the penalty is for one position.
    """
    return {
        "kind": usual.kind,
        "points": usual.points.normalize() if usual.points else None,
        "position": position if usual.for_position else None,
        "article": usual.article,
        "reason": usual.reason,
    }
