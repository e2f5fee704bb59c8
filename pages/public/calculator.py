"""The public calculator: a form for the result of one deal, and its score.

It checks only that each value has the right format; the rules of the game are in `scoring`.
"""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.contract import DealScore, score_deal
from scoring.errors import ScoringError
from scoring.notation import read_result
from scoring.plausibility import Question, ask_about_result
from tournaments.words.messages import LABELS, say

FIELD_OF = {"poignees_attack": "attack_first", "poignees_defence": "defence_first"}
POIGNEES = [("", pgettext_lazy("a poignée", "none")), *LABELS["poignee"].items()]


def radios(label: Any, choices: Any, **more: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(choices), widget=forms.RadioSelect, **more)


class CalculatorForm(forms.Form):
    """A form for the result of one deal. After `is_valid`, `score` and `questions` (about odd results) are set."""

    # FFT 2012 p. 9, the first worked example: 106.
    EXAMPLE: ClassVar[dict[str, str]] = {
        "players": "4",
        "contract": "garde",
        "bouts": "2",
        "points": "49",
        "petit_au_bout": "attack",
        "attack_first": "simple",
        "chelem": "none",
        "partner": "true",
    }

    players = radios(_("Players"), [(n, n) for n in ("3", "4", "5")])
    partner = radios(
        _("At five, the taker plays"), [("true", _("with a partner")), ("false", _("alone"))], required=False
    )
    contract = radios(_("Contract"), LABELS["contract"].items())
    bouts = radios(_("Bouts of the attack"), [(n, n) for n in "0123"])
    points = forms.CharField(
        label=_("Points of the attack"),
        max_length=12,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    petit_au_bout = radios(_("Petit au bout"), LABELS["side"].items(), required=False)
    attack_first = forms.ChoiceField(label=_("Poignée of the attack"), choices=POIGNEES, required=False)
    attack_second = forms.ChoiceField(label=_("The partner’s poignée"), choices=POIGNEES, required=False)
    defence_first = forms.ChoiceField(label=_("Poignée of the defence"), choices=POIGNEES, required=False)
    defence_second = forms.ChoiceField(label=_("Another defender’s poignée"), choices=POIGNEES, required=False)
    chelem = forms.ChoiceField(label=_("Chelem"), choices=list(LABELS["chelem"].items()), required=False)

    score: DealScore | None = None
    questions: tuple[Question, ...] = ()

    @property
    def unfinished(self) -> bool:
        """True if a required field is still empty."""
        return any(error.code == "required" for errors in self.errors.as_data().values() for error in errors)

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if self.errors:
            return given
        five = given["players"] == "5"
        try:
            result = read_result(
                {
                    **{name: given[name] for name in ("players", "contract", "bouts", "points", "petit_au_bout")},
                    "chelem": given["chelem"],
                    "poignees_attack": poignees(given["attack_first"], five and given["attack_second"]),
                    "poignees_defence": poignees(given["defence_first"], given["defence_second"]),
                    "partner": (given["partner"] or "true") if five else None,
                }
            )
            self.score, self.questions = score_deal(result), ask_about_result(result)
        except ScoringError as error:
            self.add_error(FIELD_OF.get(error.field, error.field), say(error))
        return given


def poignees(*shown: str | bool) -> list[str]:
    return [name for name in shown if isinstance(name, str) and name]
