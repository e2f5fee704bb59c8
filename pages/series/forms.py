"""The forms of the directors' pages of series."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from clubs.matching import SAME, MatchedLine, say_name
from clubs.models import Club, Season
from pages.acting import refusals_in
from pages.form_fields import FigureField, SeasonDayField, ShortTextField
from pages.parts.form_parts import FormInParts
from pages.roster_forms import RosterForm
from pages.roster_rows import ask_about_rows
from rankings.series.lists import FIGURES, POINTS, RANK, split_list
from rankings.series.setup import SeriesGiven, SeriesRefused, read_points
from scoring.formats import FREE_AUCTION, FREE_AUCTION_3, FREE_AUCTION_5, FREE_DEALS, INDIVIDUAL
from tournaments.models import Series, Session
from tournaments.rules.series import (
    ALTERNE,
    BY_HAND,
    GENERAL,
    MARKS,
    MOST_EVENTS,
    PERCENT,
    SESSIONS,
    TOURNAMENTS,
    UNSCALED,
    SeriesSettings,
    read_settings,
)
from tournaments.words.figures import count_decimals, decimal, show_marks

# The rules whose fields have the stored value.
AS_TYPED = ("brings", "counting", "best_of", "best_of_day", "chooses", "format", "ranks")


class SeriesForm(FormInParts, forms.Form):
    """The title, the days and the rules of a series, in plain words. `given` has them as values."""

    title = ShortTextField(_("Name of the championship"), 120)
    starts_on = SeasonDayField(_("First day"))
    ends_on = SeasonDayField(_("Last day"))
    season = forms.ModelChoiceField(
        label=_("Season of the club"), queryset=Season.objects.none(), required=False, empty_label=_("none")
    )
    chooses = forms.ChoiceField(
        label=_("What counts"),
        choices=[
            (SESSIONS, _("every evening between these days")),
            (TOURNAMENTS, _("every tournament between these days, as a whole")),
            (BY_HAND, _("only what I choose")),
        ],
        initial=SESSIONS,
        widget=forms.RadioSelect,
    )
    format = forms.ChoiceField(
        label=_("Which contract"),
        required=False,
        choices=[
            ("", _("every individual evening")),
            (INDIVIDUAL.name, _("imposed Garde alone")),
            (FREE_AUCTION.name, _("free auction alone")),
            (FREE_AUCTION_3.name, _("étuis at three alone")),
            (FREE_AUCTION_5.name, _("étuis at five alone")),
            (FREE_DEALS.name, _("donnes libres alone")),
        ],
    )
    brings = forms.ChoiceField(
        label=_("What an evening brings"),
        choices=[
            (PERCENT, _("the percentage: 62.5 per cent brings 62.5")),
            (MARKS, _("the marks, only of donnes libres: +120 brings +120")),
            ("places", _("one point for each place: of 20 players, the first gets 20, the last 1")),
            ("hundred", _("100 for the first, 0 for the last: of 5 players 100, 75, 50, 25, 0")),
            ("table", _("our own points for each rank: for example 25 20 16 13")),
        ],
        initial=PERCENT,
        help_text=_("Marks and percentages are never added together. Points for ranks go with both kinds of evenings."),
        widget=forms.RadioSelect,
    )
    table = forms.CharField(
        label=_("Our points, the winner’s first"),
        required=False,
        max_length=1000,
        help_text=_("Only for our own points. Ranks after the last number get 0."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    presence = FigureField(
        label=_("Points for everybody who plays"),
        required=False,
        min_value=0,
        max_value=10_000,
        max_digits=7,
        decimal_places=2,
        help_text=_("Only with points. Empty: none."),
    )
    ranks = forms.ChoiceField(
        label=_("Rank of one evening"),
        choices=[
            (ALTERNE, _("the classement alterné, as for prizes")),
            (GENERAL, _("the classement général, by percentage")),
        ],
        initial=ALTERNE,
        help_text=_("Only with points. A tournament of several sessions always has the classement général."),
    )
    counting = forms.ChoiceField(
        label=_("The results together"),
        choices=[("sum", _("added up")), ("mean", _("their mean"))],
        initial="sum",
        widget=forms.RadioSelect,
    )
    best_of = forms.IntegerField(
        label=_("Only the best results count: how many?"),
        required=False,
        min_value=1,
        max_value=MOST_EVENTS,
        help_text=_("For example 10 of 30 evenings. Empty: all count."),
    )
    least = forms.IntegerField(
        label=_("Ranked from how many evenings on?"), required=False, min_value=1, max_value=MOST_EVENTS, initial=1
    )
    best_of_day = forms.BooleanField(label=_("Of two events on one day, only the better one counts"), required=False)
    carry_over = forms.IntegerField(
        label=_("Carried into a final, in per cent"),
        required=False,
        min_value=0,
        max_value=100,
        initial=100,
        help_text=_("Only if you mark an event as the final: how much of the earlier total the finalists keep."),
    )
    PARTS = {
        "basics": ("title", "starts_on", "ends_on", "season"),
        "more": ("format", "ranks", "presence", "least", "best_of_day", "carry_over"),
    }

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["season"].queryset = club.seasons.order_by("-starts_on")  # type: ignore[attr-defined]
        if not self.fields["season"].queryset.exists():  # type: ignore[attr-defined]
            del self.fields["season"]

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        if self.errors:
            return told
        with refusals_in(self):
            told["settings"] = self.read_rules(told)
        with refusals_in(self):
            if told["ends_on"] < told["starts_on"]:
                raise SeriesRefused("series_ends_first", "ends_on")
        return told

    def read_rules(self, told: dict[str, Any]) -> SeriesSettings:
        """Return the rules of the form. A field that does not apply is ignored."""
        in_points = told["brings"] not in UNSCALED
        return SeriesSettings(
            **{name: told[name] for name in AS_TYPED},
            table=read_points(told["table"]) if told["brings"] == "table" else (),
            presence=Fraction(told["presence"] or 0) if in_points else Fraction(),
            least=told["least"] or 1,
            carry_over=100 if told["carry_over"] is None else told["carry_over"],
        )

    @property
    def given(self) -> SeriesGiven:
        told = self.cleaned_data
        season = told.get("season")
        return SeriesGiven(
            told["title"], told["starts_on"], told["ends_on"], told["settings"], season.pk if season else None
        )


def start_of_series(series: Series) -> dict[str, Any]:
    """Return the initial values of the form for a series."""
    rules = read_settings(series.rules)
    return {
        "title": series.title,
        "starts_on": series.starts_on,
        "ends_on": series.ends_on,
        "season": series.season_id,
        "table": " ".join(write_short(each) for each in rules.table),
        "presence": Decimal(rules.presence.numerator) / rules.presence.denominator if rules.presence else None,
        **{name: getattr(rules, name) for name in (*AS_TYPED, "least", "carry_over")},
    }


def write_short(points: Fraction) -> str:
    """Return points with at most two decimals, as a director types them."""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.2f}".rstrip("0")


class WeightForm(forms.Form):
    """A form that says whether an event counts, and how much. The prefix is the key of the event.

    `seen` has the values that the page showed. What is sent back unchanged is no decision: so it does not undo what
    another director has decided meanwhile.
    """

    counts = forms.BooleanField(label=_("counts"), required=False)
    coefficient = FigureField(
        label=_("coefficient"), min_value=Decimal("0.01"), max_value=100, max_digits=5, decimal_places=2
    )
    stage = forms.ChoiceField(label=_("stage"), choices=Session.Stage.choices, required=False)
    seen = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def decides(self) -> bool:
        """Return whether the valid form was sent with other values than those that the page showed."""
        told = self.cleaned_data
        return bool(told["seen"] != write_seen(told["counts"], told["coefficient"], told["stage"]))


def write_seen(counts: bool, coefficient: Decimal, stage: str) -> str:
    """Return the values of an event as text."""
    return f"{int(counts)} {float(coefficient):.2f} {stage}".strip()


class ListForm(RosterForm):
    """A typed list, pasted or in a file. With `signed` the numbers are marks, which have a sign."""

    target, action = "typed", "save"
    opening = _("See who each line is")
    saves = ngettext_lazy("save %(n)s result", "save %(n)s results", "n")
    field_order = ("title", "day", "source", "figures", "text", "file", "order")

    title = ShortTextField(_("Name of the event"), 120)
    day = SeasonDayField(_("Day"))
    source = ShortTextField(
        _("Where the results come from"),
        200,
        help_text=_("Readers see it: for example “results sheet of the federation”."),
    )
    figures = forms.ChoiceField(
        label=_("The number at the end of each line"),
        choices=[(POINTS, pgettext_lazy("of a series", "points, added as they are")), (RANK, _("the rank"))],
        initial=FIGURES[0],
        widget=forms.RadioSelect,
    )

    def __init__(self, club: Club, *args: Any, signed: bool = False, **kwargs: Any) -> None:
        super().__init__(club, *args, **kwargs)
        self.numbers: dict[int, Decimal] = {}
        self.signed = signed
        self.fields["text"].label = _("The results, one player on each line")
        self.fields["text"].help_text = _("The name or the licence, then the number: “DUPONT Marie 25”.")
        self.fields["file"].help_text = _("A first line may name the columns: name; licence; points or rank …")
        if signed:
            choices: Any = [(POINTS, _("marks, added as they are: −120 takes 120 off"))]
            self.fields["figures"].choices = choices  # type: ignore[attr-defined]

    def read_text(self, text: str) -> None:
        split = split_list(text, self.cleaned_data.get("figures", POINTS), signed=self.signed)
        self.numbers, self.pasted = dict(split.figures), split.names
        asked = ask_about_rows(split.names, self.club, self.written, self.data)
        self.questions = [replace(each, figure=self.write_number(each.row.number)) for each in asked]
        self.refuse_repeated()

    def write_number(self, line: int) -> str:
        """Return the number of a line as the site reads it. Marks have their sign."""
        exact = Fraction(self.numbers[line])
        return show_marks(exact) if self.signed else decimal(exact, count_decimals(exact))

    def refuse_repeated(self) -> None:
        """Raise `SeriesRefused` for a line about the person of an earlier line: its number would be lost."""
        for question in self.questions:
            row = question.row
            first = row.first.number if row.first and question.answer == SAME else row.repeats
            if first is None:
                continue
            name = say_name(row.line) if row.line else row.text
            raise SeriesRefused("series_list_twice", "text", name=name, first=first, second=row.number)

    @property
    def listed(self) -> list[tuple[int, MatchedLine, Decimal]]:
        """The places of the lines of the players, the players, and their numbers, in the order of the text."""
        found = [(each.row.number, each.taken) for each in self.questions]
        return [(place, taken, self.numbers[place]) for place, taken in found if taken]
