"""The form for the arbiter's own score or marks for a deal that a table dealt.

Nothing is compared there, so no note is fixed. A score belongs to one deal. Where the sheet of a game stands, only the
marks of the whole game can be assigned.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pages.form_fields import WholeFigureField
from pages.play.adjust_forms import ScoreForm
from pages.play.entry_forms import ALONE
from scoring.formats import find_format
from scoring.free import find_turn
from scoring.plays import SEATS
from tournaments.models import Play, ResultEntry, Ruling
from tournaments.words.messages import LABELS
from tournaments.words.rulings import say_adjusted

FIGURE = forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off", "size": 6})


class MarksForm(ScoreForm):
    """A form for a base score with its taker and partner, or for the marks of each player in `mark_N` and so on."""

    partner = forms.ChoiceField(label=_("Partner"), required=False)
    field_order = ("sign", "figure", "taker", "partner", "reason", "article")
    has_marks = True

    def __init__(self, play: Play, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["figure"].help_text = _("The base score of the deal, not multiplied by the number of defenders.")
        self.play = play
        self.on_sheet = play.entries.filter(current=True, kind=ResultEntry.EntryKind.SHEET).exists()
        seats = {seat: play.seats[seat] for seat in find_turn(play.seats)}
        self.marked = {seat: who for seat, who in seats.items() if self.on_sheet or seat in play.playing_seats}
        for seat, who in self.marked.items():
            self.fields[f"mark_{seat}"] = WholeFigureField(label=who.name, required=False, widget=FIGURE)
        if self.on_sheet:
            for name in ("sign", "figure", "taker", "partner"):
                del self.fields[name]
            return
        names = [(seat, f"{LABELS['letter'][seat]} · {who.name}") for seat, who in play.playing.items()]
        entered = [("", gettext("as it was entered, or nobody"))]
        self.fields["taker"].choices = entered + names  # type: ignore[attr-defined]
        if len(play.playing_seats) == len(SEATS):
            alone = [(ALONE, gettext("the taker played alone"))]
            self.fields["partner"].choices = [("", gettext("nobody")), *names, *alone]  # type: ignore[attr-defined]
        else:
            del self.fields["partner"]

    @property
    def mark_fields(self) -> list[forms.BoundField]:
        return [self[f"mark_{seat}"] for seat in self.marked]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if bool(given.get("sign")) != (given.get("figure") is not None) and "figure" not in self.errors:
            place = None if self.on_sheet else "figure"
            self.add_error(place, gettext("Give both the column and the amount, or neither."))
        self.marks = {seat: mark for seat in self.marked if (mark := given.get(f"mark_{seat}")) is not None}
        if given.get("partner") and given["partner"] == given.get("taker"):
            self.add_error("partner", gettext("The taker is nobody’s partner: choose somebody else, or “alone”."))
        return given

    @property
    def told(self) -> dict[str, Any]:
        """The arguments for the service that saves the adjustment."""
        given = self.cleaned_data
        score = None if not given.get("sign") else given["figure"] * (1 if given["sign"] == "+" else -1)
        taker, partner = given.get("taker", ""), given.get("partner", "")
        return {
            "score": score,
            "taker": taker,
            "partner": self.taker_entered if partner == ALONE and not taker else taker if partner == ALONE else partner,
            "marks": self.marks,
            "reason": given["reason"],
            "article": given["article"],
        }

    @property
    def taker_entered(self) -> str:
        current = self.play.entries.filter(current=True).first()
        return current.taker if current else ""

    @property
    def said(self) -> list[str]:
        """The adjustment as sentences for people."""
        told = {name: value for name, value in self.told.items() if name not in ("reason", "article")}
        names = {seat: who.name for seat, who in self.play.seats.items()}
        return say_adjusted(Ruling(**told), names, find_format(self.play.session.tournament.format))

    @staticmethod
    def of(ruling: Ruling) -> dict[str, Any]:
        """Return the initial values of the form for an adjustment in force."""
        shown: dict[str, Any] = {"taker": ruling.taker}
        shown["partner"] = ALONE if ruling.partner and ruling.partner == ruling.taker else ruling.partner
        if ruling.score is not None:
            shown |= {"sign": "-" if ruling.score < 0 else "+", "figure": abs(ruling.score)}
        return shown | {f"mark_{seat}": mark for seat, mark in ruling.marks.items()}
