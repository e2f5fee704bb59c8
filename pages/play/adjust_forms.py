"""The form for the arbiter's own score and notes for a play.

It checks only that each value has the right format. `evenings.plays.adjusting` decides what is allowed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.house import settings_of
from pages.form_fields import ArticleForm, WholeFigureField, read_plain_text
from pages.play.entry_forms import ALONE
from scoring.errors import ScoringError
from scoring.formats import Unit, find_format
from scoring.notes import read_fixed, read_fixed_points, read_ruled_note
from scoring.plays import SEATS
from tournaments.models import Play, Ruling
from tournaments.words.messages import LABELS, say
from tournaments.words.rulings import say_adjusted, say_note

ATTACK, DEFENCE = SIDES = ("attack", "defence")
BETTER = "better"
USUAL = ((60, 40), (40, 60), (60, 60))  # notes of attack and defence that a button fills in


class ScoreForm(ArticleForm):
    """A form for the arbiter's base score: its sign and figure, and the taker."""

    sign = forms.ChoiceField(
        label=_("Base score"),
        choices=[("", _("as it was entered")), ("+", _("+ for the taker")), ("-", _("− against the taker"))],
        required=False,
        widget=forms.RadioSelect,
    )
    figure = WholeFigureField(
        label=_("Amount"),
        min_value=0,
        max_value=32_767,
        required=False,
        help_text=_("The base score as it would be written on the fiche, not multiplied by three."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    taker = forms.ChoiceField(label=_("Taker"), required=False)


def make_partner_field(names: Sequence[tuple[str, str]]) -> forms.ChoiceField:
    """Return the field for the taker's partner among five. `names` has the seats with the players' names."""
    alone = (ALONE, gettext("the taker played alone"))
    return forms.ChoiceField(label=_("Partner"), choices=[("", gettext("nobody")), *names, alone], required=False)


def read_partner(given: Mapping[str, Any], taker: str) -> str:
    """Return the seat of the partner in a form's cleaned values: the taker's own if the taker played alone."""
    partner: str = given.get("partner") or ""
    return taker if partner == ALONE else partner


class AdjustForm(ScoreForm):
    """A form for the arbiter's base score, the arbiter's notes for a side or for a player, or both.

    A note is not fixed, or it is a figure, or the better of the club's fixed figure and the player's own mean. For the
    player North, the field `fix_N` has this choice, and `note_N` has the figure.
    """

    compared = forms.TypedChoiceField(
        label=_("For the other tables"),
        choices=[
            ("in", _("included: its score counts in the topage of the others")),
            ("out", _("excluded: it counts for nobody else, and the étui has one play fewer")),
        ],
        initial="in",
        widget=forms.RadioSelect,
    )
    field_order = ("sign", "figure", "taker", "compared", "reason", "article")
    usual: tuple[tuple[int, int], ...] = USUAL

    def __init__(self, play: Play, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tournament = play.session.tournament
        format = find_format(tournament.format)
        self.unit = format.unit
        self.play, self.least = play, settings_of(tournament.club).fixed_note
        for name in format.settled:
            self.fields.pop(name, None)
        if "taker" in self.fields:
            names = [(line, f"{LABELS['letter'][line]} · {seat.name}") for line, seat in play.seats.items()]
            blank = [("", gettext("as it was entered, or nobody"))]
            self.fields["taker"].choices = blank + names  # type: ignore[attr-defined]
            if len(names) == len(SEATS):
                self.fields["partner"] = make_partner_field(names)
        least = say_note(read_fixed(str(self.least)))
        fixed = [
            ("", gettext("not fixed")),
            ("figure", gettext("this figure:")),
            (BETTER, gettext("the better of %(note)s and the player’s mean on that side") % {"note": least}),
        ]
        if self.unit is Unit.MATCH_POINTS:
            del fixed[-1]
            self.usual = ()
        for who, name in self.whom().items():
            self.fields[f"fix_{who}"] = forms.ChoiceField(label=name, choices=fixed, required=False)
            self.fields[f"note_{who}"] = forms.CharField(
                label=pgettext_lazy("of a play", "Note"),
                max_length=20,
                required=False,
                widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}),
            )

    def whom(self) -> dict[str, str]:
        """Return the sides and players that can get a fixed note: their names by the suffix of their form fields.

        Match points can be fixed only for the team that attacks.
        """
        if self.unit is Unit.MATCH_POINTS:
            return {ATTACK: gettext("Match points of %(team)s") % {"team": self.play.seats[self.play.taker].name}}
        sides = {ATTACK: gettext("Attack"), DEFENCE: gettext("Defence")}
        return sides | {line: seat.name for line, seat in self.play.seats.items()}

    @property
    def sides(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"fix_{who}"], self[f"note_{who}"]) for who in SIDES if f"fix_{who}" in self.fields]

    @property
    def players(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        there = [line for line in SEATS if f"fix_{line}" in self.fields]
        return [(line, self[f"fix_{line}"], self[f"note_{line}"]) for line in there]

    @property
    def has_players(self) -> bool:
        """True if the note of a single player is fixed. The page then shows the players' part of the form open."""
        return any(fix.value() or fix.errors or note.errors for _line, fix, note in self.players)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if bool(given.get("sign")) != (given.get("figure") is not None) and "figure" not in self.errors:
            self.add_error("figure", gettext("Give both the column and the amount, or neither."))
        fixed = {who: self.read_note(who) for who in (*SIDES, *self.play.seats)}
        by_side = {who: fixed[who] for who in SIDES if fixed[who]}
        taker = self.who_took(given)
        if by_side and not taker:
            self.add_error(None, gettext("The taker is not known: choose one, or fix the notes player by player."))
        attack = {taker, self.who_was_called(given)}
        seats = [line for line in SEATS if line in self.play.seats]
        notes = {line: by_side.get(ATTACK if line in attack else DEFENCE) for line in seats} if taker else {}
        self.notes = {line: told for line in seats if (told := fixed[line] or notes.get(line))}
        return given

    def read_note(self, who: str) -> str:
        """Return the fixed note as text ("60", "better 40"), or "" if the note is not fixed.

        `who` is the suffix of the fields. An error is added to the field of the figure.
        """
        how, typed = self.cleaned_data.get(f"fix_{who}"), self.cleaned_data.get(f"note_{who}", "").strip()
        if how == BETTER:
            return f"{BETTER} {self.least}"
        if not how and not typed:
            return ""
        try:
            read = read_fixed_points if self.unit is Unit.MATCH_POINTS else read_fixed
            return str(read(read_plain_text(typed), "note"))
        except ScoringError as error:
            self.add_error(f"note_{who}", say(error))
            return ""

    def who_took(self, given: dict[str, Any]) -> str:
        if "taker" not in self.fields:
            return self.play.taker
        current = self.play.entries.filter(current=True).first()
        return str(given.get("taker") or (current.taker if current else ""))

    def who_was_called(self, given: dict[str, Any]) -> str:
        """Return the seat of the taker's partner at five, or "". A partner of the entered result stays the partner."""
        current = self.play.entries.filter(current=True).first()
        return read_partner(given, self.who_took(given)) or (current.partner if current else "")

    @property
    def told(self) -> dict[str, Any]:
        """The arguments for the service that saves the adjustment."""
        given = self.cleaned_data
        score = None if not given["sign"] else given["figure"] * (1 if given["sign"] == "+" else -1)
        return {
            "score": score,
            "taker": given.get("taker", ""),
            **({"partner": read_partner(given, self.who_took(given))} if "partner" in self.fields else {}),
            "notes": self.notes,
            "compared": given["compared"] == "in",
            "reason": given["reason"],
            "article": given["article"],
        }

    @property
    def said(self) -> list[str]:
        """The adjustment as sentences for people."""
        told = {name: value for name, value in self.told.items() if name in ("score", "notes", "compared")}
        names = {line: seat.name for line, seat in self.play.seats.items()}
        return say_adjusted(Ruling(**told), names, find_format(self.play.session.tournament.format))

    @staticmethod
    def of(ruling: Ruling) -> dict[str, Any]:
        """Return the initial values of the form for an adjustment in force."""
        in_points = find_format(ruling.play.session.tournament.format).unit is Unit.MATCH_POINTS
        shown: dict[str, Any] = {"taker": ruling.taker, "compared": "in" if ruling.compared else "out"}
        if ruling.partner:
            shown["partner"] = ALONE if ruling.partner == ruling.taker else ruling.partner
        if ruling.score is not None:
            shown |= {"sign": "-" if ruling.score < 0 else "+", "figure": abs(ruling.score)}
        for line, told in ruling.notes.items():
            note = read_ruled_note(told)
            who = ATTACK if in_points else line
            shown |= {f"fix_{who}": BETTER} if note.better else {f"fix_{who}": "figure", f"note_{who}": str(note)}
        return shown
