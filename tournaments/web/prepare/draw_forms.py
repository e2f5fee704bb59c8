"""The form of the draw: by chance or by strength, from which number, and who is kept apart."""

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from clubs.names import plain
from tournaments.sessions.known_ranks import Order

MAX_SEED = 999_999_999


class SeatDrawForm(forms.Form):
    """`cleaned_data["apart"]` has the ids of each group; `seed` is None where a new one is wanted."""

    WAYS = MappingProxyType(
        {
            Order.CHANCE: _("by chance"),
            Order.STRENGTH: _("by the last ranking"),
            Order.RUNNING: _("lines by the running ranking of the tournament"),
        }
    )
    by = forms.ChoiceField(
        label=_("Draw"),
        initial=Order.CHANCE,
        widget=forms.RadioSelect,
        help_text=_(
            "By the last ranking, each table gets one player of each quarter of it. By the running ranking the first"
            " four are drawn on the four lines, then the next four, and so on. Who is not in it counts as less strong."
        ),
    )
    apart = forms.CharField(
        label=_("Not at the same table in position 1"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("One group a line: “Dupont” for all of that name, or “Marie Petit, Jean Grand”."),
    )
    seed = forms.IntegerField(
        label=_("Number of the draw"),
        required=False,
        min_value=0,
        max_value=MAX_SEED,
        help_text=_("Empty for a new draw; the same number gives the same players the same seats again."),
    )

    def __init__(self, players: Iterable[Player], *args: Any, orders: Sequence[Order], **kwargs: Any) -> None:
        """`orders`: by what else than chance seats can be drawn."""
        super().__init__(*args, **kwargs)
        self.players = list(players)
        if orders:
            self.fields["by"].choices = [(way, self.WAYS[way]) for way in (Order.CHANCE, *orders)]  # type: ignore[attr-defined]
        else:
            del self.fields["by"]

    def clean_apart(self) -> list[set[int]]:
        groups, wrong = [], []
        for number, line in enumerate(self.cleaned_data["apart"].splitlines(), start=1):
            names = [name.strip() for name in line.replace(";", ",").split(",") if name.strip()]
            found = [self.call(name) for name in names]
            for name in (name for name, ids in zip(names, found, strict=True) if not ids):
                wrong.append(
                    gettext("Line %(line)s: nobody of this evening is called “%(name)s”.") % describe(number, name)
                )
            group: set[int] = set().union(*found)
            if len(group) == 1 and all(found):
                wrong.append(
                    gettext("Line %(line)s names one player only: name whom to keep apart.") % describe(number)
                )
            if len(group) > 1:
                groups.append(group)
        if wrong:
            raise forms.ValidationError(wrong)
        return groups

    def call(self, name: str) -> set[int]:
        """Whoever has all these words in the name."""
        words = set(plain(name).split())
        return {player.pk for player in self.players if words and words <= set(plain(player.name).split())}


def describe(line: int, name: str = "") -> dict[str, object]:
    return {"line": line, "name": name}
