"""The form for a draw of seats: how to draw, the number of the draw, and which players may not sit at one table."""

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from clubs.names import simplify_name
from evenings.sessions.seating import DrawOrder

MAX_SEED = 999_999_999


class SeatDrawForm(forms.Form):
    """A form for a draw of the seats.

    `cleaned_data["apart"]` is a list of groups; each group is a set of player ids. `cleaned_data["seed"]` is None for a
    new draw.
    """

    WAYS = MappingProxyType(
        {
            DrawOrder.CHANCE: _("at random"),
            DrawOrder.STRENGTH: _("by the last ranking"),
            DrawOrder.RUNNING: _("lines by the tournament ranking so far"),
        }
    )
    by = forms.ChoiceField(
        label=_("Draw"),
        initial=DrawOrder.CHANCE,
        widget=forms.RadioSelect,
        help_text=_(
            "By the last ranking, each table gets one player from each quarter of it. By the tournament ranking so "
            "far, the first four are drawn for the four lines, then the next four, and so on. Players who are not "
            "in it count as weaker."
        ),
    )
    apart = forms.CharField(
        label=_("Not at the same table in position 1"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("One group on each line: “Dupont” for everybody of that name, or “Marie Petit, Jean Grand”."),
    )
    seed = forms.IntegerField(
        label=_("Number of the draw"),
        required=False,
        min_value=0,
        max_value=MAX_SEED,
        help_text=_("Empty for a new draw; the same number gives the same players the same seats again."),
    )

    def __init__(self, players: Iterable[Player], *args: Any, orders: Sequence[DrawOrder], **kwargs: Any) -> None:
        """Build the form. `orders` are the ways to draw seats that this session offers, besides chance."""
        super().__init__(*args, **kwargs)
        self.players = list(players)
        if orders:
            self.fields["by"].choices = [(way, self.WAYS[way]) for way in (DrawOrder.CHANCE, *orders)]  # type: ignore[attr-defined]
        else:
            del self.fields["by"]

    def clean_apart(self) -> list[set[int]]:
        groups, wrong = [], []
        for number, line in enumerate(self.cleaned_data["apart"].splitlines(), start=1):
            names = [name.strip() for name in line.replace(";", ",").split(",") if name.strip()]
            found = [self.call(name) for name in names]
            for name in (name for name, ids in zip(names, found, strict=True) if not ids):
                wrong.append(
                    gettext("Line %(line)s: nobody this evening is called “%(name)s”.") % name_line(number, name)
                )
            group: set[int] = set().union(*found)
            if len(group) == 1 and all(found):
                wrong.append(
                    gettext("Line %(line)s has only one player: add the one to keep apart.") % name_line(number)
                )
            if len(group) > 1:
                groups.append(group)
        if wrong:
            raise forms.ValidationError(wrong)
        return groups

    def call(self, name: str) -> set[int]:
        """Return the ids of the players whose name contains all words of `name`."""
        words = set(simplify_name(name).split())
        return {player.pk for player in self.players if words and words <= set(simplify_name(player.name).split())}


def name_line(line: int, name: str = "") -> dict[str, object]:
    return {"line": line, "name": name}
