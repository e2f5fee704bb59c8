"""The pages of a tournament's settings.

They are its name, season and contract, who is ranked, the tie-breaks, how sessions become one ranking, and how long a
ranking is provisional.
"""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evenings.sessions.ranking_rules import change_rules
from pages.acting import done, refusals_in, signed
from pages.doors import tournament_page
from pages.parts.form_parts import TOURNAMENT_SETTINGS, SectionForm, SettingsSection, find_section
from pages.prepare.setup_forms import TournamentForm
from scoring.formats import find_format, find_offered_format
from scoring.ties import TieBreak
from tournaments.models import Session, Tournament
from tournaments.permissions import Can
from tournaments.rules.formats import FITTED, fit_rules, list_settings, list_ties
from tournaments.words.format_cards import CARDS, list_format_choices
from tournaments.words.formats import speak_as_format
from tournaments.words.messages import label

MOST_HOURS = 720
MOST_SESSIONS = 99
MOST_MATCH_POINTS = 20
ORDINALS = (
    gettext_lazy("Ties: first by"),
    gettext_lazy("Ties: second by"),
    gettext_lazy("Ties: third by"),
    gettext_lazy("Ties: fourth by"),
    gettext_lazy("Ties: fifth by"),
)


class RulesForm(SectionForm, TournamentForm):
    """A form for one section of the tournament's settings.

    `fixed_card` is the card of the form of play if it can no longer change. Then the form has no field for it.
    """

    least_share = forms.IntegerField(
        label=gettext_lazy("Smallest share of the étuis, in per cent"),
        min_value=0,
        max_value=100,
        help_text=gettext_lazy(
            "Players who have played less than this share of what the others have played are shown with "
            "their percentages, unranked. 50 is usual; 0 ranks everybody."
        ),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    substitutes_ranked = forms.BooleanField(
        label=gettext_lazy("Substitutes are ranked"),
        required=False,
        help_text=gettext_lazy(
            "Players who took somebody’s seat for percentages of their own. Otherwise they are shown unranked."
        ),
    )
    drops_worst = forms.BooleanField(
        label=gettext_lazy("The lowest marks of each team do not count"),
        required=False,
        help_text=gettext_lazy("Players play alone; a team adds up the marks of its players."),
    )
    window_hours = forms.IntegerField(
        label=gettext_lazy("Hours until a ranking is official"),
        min_value=0,
        max_value=MOST_HOURS,
        help_text=gettext_lazy("Until then it is provisional, and players may ask for a correction. 48 is usual."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    counting = forms.ChoiceField(
        label=gettext_lazy("The tournament ranking"),
        choices=Tournament.SessionCounting.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "The sum is the FFT’s rule: a missed session brings nothing. The mean is that of the sessions "
            "played. Each percentage counts as many times as the coefficient of its session."
        ),
    )
    best_of = forms.IntegerField(
        label=gettext_lazy("Number of best sessions that count"),
        required=False,
        min_value=1,
        max_value=MOST_SESSIONS,
        help_text=gettext_lazy("Empty: all of them. A final always counts as well."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    least_sessions = forms.IntegerField(
        label=gettext_lazy("Smallest number of sessions"),
        min_value=1,
        max_value=MOST_SESSIONS,
        help_text=gettext_lazy("Players with fewer sessions are shown unranked, once that number has been held."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    carry_over = forms.IntegerField(
        label=gettext_lazy("Carried into the final, in per cent"),
        required=False,
        min_value=0,
        max_value=100,
        help_text=gettext_lazy(
            "The share of what finalists had before the final. Empty: all of it; 0: only the final counts "
            "for them. The final is chosen in the settings of its session."
        ),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    win_points = forms.IntegerField(
        label=gettext_lazy("In a league: points for a match won"),
        min_value=1,
        max_value=MOST_MATCH_POINTS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    draw_points = forms.IntegerField(
        label=gettext_lazy("In a league: points for a match drawn"),
        min_value=0,
        max_value=MOST_MATCH_POINTS,
        help_text=gettext_lazy("2 for a win and 1 for a draw are usual. Then the match points count."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, tournament: Tournament, data: Any = None, *, section: SettingsSection) -> None:
        initial = {name: getattr(tournament, name) for name in self.base_fields}
        initial["auction"] = find_format(tournament.format).word
        initial |= {f"tie_{place}": criterion for place, criterion in enumerate(tournament.ties, start=1)}
        super().__init__(tournament.club, data, initial=initial, section=section)
        self.present = find_format(tournament.format)
        offered = dict(list_format_choices())
        if self.present.word not in offered:  # a format that is not offered to others
            offered[self.present.word] = CARDS[self.present.name]
            self.fields["auction"].choices = [*offered.items()]  # type: ignore[attr-defined]
        self.leave_out_fixed_rules()
        self.fields["name"].help_text = _("Shown everywhere from now on. The address of its pages does not change.")
        self.fixed_card = None
        if tournament.sessions.exclude(status=Session.Status.DRAFT).exists():
            self.fixed_card = CARDS[tournament.format]
            del self.fields["auction"]
        ties = list_ties(self.present)
        for place, ordinal in enumerate(ORDINALS[: len(ties)], start=1):
            nobody = _("they share a rank") if place == 1 else _("nothing more")
            choices = [("", nobody), *((tie.value, label("tie", tie)) for tie in ties)]
            self.fields[f"tie_{place}"] = forms.ChoiceField(label=ordinal, choices=choices, required=False)
        if TieBreak.BEST_ETUI in ties:
            self.fields["tie_1"].help_text = _(
                "The FFT has no rule for ties. The best étui is a player’s best note; a top is a note of 100."
            )
        self.keep_section()

    def leave_out_fixed_rules(self) -> None:
        """Take out the fields of rules about which the format leaves no choice."""
        others = {"counting": "mean", "best_of": 1, "carry_over": 0}
        fixed = [name for name in FITTED[1:] if fit_rules(self.present, others)[name] != others[name]]
        for name in {*fixed, *(self.fields.keys() - list_settings(self.present, self.fields))}:
            del self.fields[name]
        speak_as_format(self.present, self.fields)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        chosen = [given.pop(f"tie_{place}", "") for place in range(1, len(ORDINALS) + 1)]
        if "auction" in given:
            word = given.pop("auction")
            given["format"] = (self.present if word == self.present.word else find_offered_format(word)).name
        if given.get("draw_points", 0) > given.get("win_points", MOST_MATCH_POINTS):
            self.add_error("draw_points", _("A draw is worth no more than a win."))
        ties = {"ties": [criterion for criterion in chosen if criterion]} if "tie_1" in self.fields else {}
        return given | ties


@tournament_page(Can.DIRECT)
def tournament_rules(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show or save one section of the settings, that of the address."""
    section = find_section(request, TOURNAMENT_SETTINGS)
    form = RulesForm(tournament, request.POST if request.method == "POST" else None, section=section)
    if form.is_valid():
        with refusals_in(form):
            change_rules(tournament_id=tournament.pk, **signed(request), **form.cleaned_data)
            return done(request, _("The tournament settings are saved; its rankings follow them."), request.path)
    return render(request, "prepare/settings.html", {"club": tournament.club, "tournament": tournament, "form": form})
