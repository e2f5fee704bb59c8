"""The forms of a director's rulings on an étui or a player.

They check only that each value has the right format. `evenings.plays.ruling` decides what is allowed.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from pages.form_fields import ArticleForm
from pages.penalty_forms import SanctionForm
from scoring.formats import find_format
from tournaments.models import Entrant, Play, Session
from tournaments.words.formats import say_word, speak_as_format


class EtuiRulingForm(ArticleForm):
    from_position = forms.TypedChoiceField(
        label=_("Altered from position"), coerce=int, required=False, empty_value=None
    )
    before = forms.TypedMultipleChoiceField(coerce=int, required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, plays: Sequence[Play], positions: Sequence[int], *args: Any, **kwargs: Any) -> None:
        """Build the form from the étui's `plays`, in order, and the `positions` from which the plays can be split."""
        super().__init__(*args, **kwargs)
        self.by_position = [(position, list(those)) for position, those in groupby(plays, attrgetter("position"))]
        self.within = any(len(those) > 1 for _position, those in self.by_position)
        self.splits = bool(positions)
        self.fields["from_position"].help_text = say_positions([position for position, _those in self.by_position])
        choices = [("", "–"), *((position, str(position)) for position in positions)]
        self.fields["from_position"].choices = choices  # type: ignore[attr-defined]
        ticks = [
            (play.pk, describe_play(play)) for _position, those in self.by_position for play in those if len(those) > 1
        ]
        self.fields["before"].choices = ticks  # type: ignore[attr-defined]
        self.order_fields(["from_position", "before", "article", "reason"])

    def places(self) -> Iterator[tuple[int, list[tuple[str, Any]]]]:
        """Yield (position, list of (play as text, checkbox)). The checkbox is None if the play cannot be ticked."""
        boxes = {str(box.data["value"]): box for box in self["before"]}
        for position, plays in self.by_position:
            yield position, [(describe_play(play), boxes.get(str(play.pk))) for play in plays]


def describe_play(play: Play) -> str:
    names = ", ".join(entrant.name for entrant in play.seats.values())
    return gettext("Table %(table)s: %(names)s") % {"table": play.table.number, "names": names}


def say_positions(positions: list[int]) -> str:
    text = ngettext(
        "This étui is played in position %(positions)s.",
        "This étui is played in positions %(positions)s.",
        len(positions),
    )
    return text % {"positions": ", ".join(map(str, positions))}


class EntrantChoice(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, entrant: Entrant) -> str:
        return entrant.listed


class EntrantForm(forms.Form):
    """A form to choose one of the entrants of the session."""

    entrant = EntrantChoice(queryset=Entrant.objects.none(), label=_("Player"), empty_label=_("choose…"))

    def __init__(self, session: Session, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entrants = session.entrants.select_related("player", "stand_in", "team")
        field: Any = self.fields["entrant"]
        field.queryset = entrants
        in_order = sorted(entrants, key=attrgetter("name_order"))
        field.choices = [("", field.empty_label), *((one.pk, field.label_from_instance(one)) for one in in_order)]


class PenaltyForm(EntrantForm, SanctionForm):
    position = forms.TypedChoiceField(
        label=_("It applies"),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("For one position, the points are divided by the number of positions of the session."),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
    field_order = ("entrant", "kind", "points", "position", "article", "reason", "seen")

    def __init__(self, session: Session, *args: Any, **kwargs: Any) -> None:
        super().__init__(session, *args, **kwargs)
        format = find_format(session.tournament.format)
        self.ask_in(format.unit)
        speak_as_format(format, self.fields)
        positions = [
            (each, say_word(format.name, "to_position_only", {"position": each}))
            for each in range(1, session.positions + 1)
        ]
        self.fields["position"].choices = [("", _("to the whole session")), *positions]  # type: ignore[attr-defined]
