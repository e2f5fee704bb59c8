"""What a director says of an étui or a player: shape only; what may be said, `tournaments.services.rulings` knows."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from clubs.names import plain
from tournaments.forms.entry import ReasonForm
from tournaments.models import Entrant, Session


class EtuiRulingForm(ReasonForm):
    from_position = forms.TypedChoiceField(
        label=_("Altered from position"), coerce=int, required=False, empty_value=None
    )

    def __init__(self, played: list[int], *args: Any, **kwargs: Any) -> None:
        """`played`: the positions in which the étui is played; it can be altered before each but the first."""
        super().__init__(*args, **kwargs)
        self.splits = len(played) > 1
        choices = [(position, str(position)) for position in played[1:]]
        self.fields["from_position"].help_text = played_in(played)
        self.fields["from_position"].choices = [("", "–"), *choices]  # type: ignore[attr-defined]
        self.order_fields(["from_position", "reason"])


def played_in(positions: list[int]) -> str:
    told = {"positions": ", ".join(map(str, positions))}
    text = ngettext(
        "This étui is played in position %(positions)s.",
        "This étui is played in positions %(positions)s.",
        len(positions),
    )
    return text % told


class EntrantChoice(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, entrant: Entrant) -> str:
        return entrant.listed


class PlayerForm(forms.Form):
    """One of those who play in the session."""

    entrant = EntrantChoice(queryset=Entrant.objects.none(), label=_("Player"), empty_label=_("choose…"))

    def __init__(self, session: Session, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entrants = session.entrants.select_related("player", "stand_in")
        field: Any = self.fields["entrant"]
        field.queryset = entrants
        in_order = sorted(
            entrants, key=lambda entrant: (plain(entrant.player.last_name), plain(entrant.player.first_name))
        )
        field.choices = [("", field.empty_label), *((one.pk, field.label_from_instance(one)) for one in in_order)]


class PenaltyForm(PlayerForm, ReasonForm):
    points = forms.DecimalField(
        label=pgettext_lazy("of a penalty", "Percentage points"),
        min_value=Decimal("0.01"),
        max_value=100,
        decimal_places=2,
        localize=True,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    field_order = ("entrant", "points", "reason")
