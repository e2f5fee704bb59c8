"""A play's result as it is typed: by its facts, by the fiche's figure, or as passed; each reads into an `Entry`.

Shape is checked by the fields, the game by `tournaments.domain.entry.check`, whose errors land at the field they name.
"""

from typing import Any, cast

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.bounds import DECK
from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side, rules_named
from scoring.ranking import Line
from tournaments.domain.entry import PLAYERS, Auction, Entry, EntryError, Facts, Fiche, Passed, check
from tournaments.entries import taker_named
from tournaments.messages import LABELS, say
from tournaments.models import Play, ResultEntry, Tournament

POINTS = DECK // 2
POIGNEES = [
    ("", _("none")),
    (Poignee.SIMPLE.value, _("simple: 10")),
    (Poignee.DOUBLE.value, _("double: 13")),
    (Poignee.TRIPLE.value, _("triple: 15")),
]
# The field of the form for each field that an error may name, where the two are called otherwise.
PLACES = {"poignees_attack": "poignee_attack", "poignees_defence": "poignee_defence", "base_score": "figure"}


def choices(kind: str) -> list[tuple[str, str | Promise]]:
    return list(LABELS[kind].items())


class Answers(forms.RadioSelect):
    """Radios of which, where one has the focus first, it is the one that is chosen."""

    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> Any:
        groups = super().optgroups(name, value, attrs)
        options = [option for _group, options, _index in groups for option in options]
        if any(option["selected"] for option in options):
            for option in options:
                if not option["selected"]:
                    option["attrs"].pop("autofocus", None)
        return groups


class EntryForm(forms.Form):
    """What the three kinds share: the play, its taker, and the checks of the game. `kind` as in `ResultEntry`."""

    kind: str

    def __init__(self, play: Play, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.play = play
        self.auction = cast(Auction, play.session.tournament.auction)
        self.entry: Entry | None = None
        if "taker" in self.fields:
            names = [(line, f"{LABELS['letter'][line]} · {seat.player.name}") for line, seat in play.seats.items()]
            self.fields["taker"].choices = names  # type: ignore[attr-defined]
        if self.auction == Tournament.Auction.IMPOSED:
            for settled in ("taker", "contract"):
                self.fields.pop(settled, None)
        for first in [] if self.is_bound else list(self.fields.values())[:1]:
            first.widget.attrs["autofocus"] = True

    @property
    def who_takes(self) -> Line:
        return Line(self.cleaned_data.get("taker", self.play.etui.taker))

    def read(self) -> Entry:
        """The entry that the cleaned fields describe."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            entry = self.read()
            try:
                check(
                    entry,
                    auction=self.auction,
                    etui_taker=taker_named(self.play.etui),
                    rules=rules_named(self.play.session.tournament.rules),
                )
            except (EntryError, ScoringError) as error:
                place = PLACES.get(error.field, error.field)
                self.add_error(place if place in self.fields else None, say(error))
            else:
                self.entry = entry
        return data

    @property
    def unfinished(self) -> bool:
        """Whether something that must be given is not given yet."""
        return any(error.code == "required" for errors in self.errors.as_data().values() for error in errors)


class FactsForm(EntryForm):
    kind = ResultEntry.Kind.FACTS.value
    template_name = "direct/_facts.html"
    taker = forms.ChoiceField(label=_("Taker"), widget=Answers)
    contract = forms.ChoiceField(label=_("Contract"), choices=choices("contract"), widget=Answers)
    bouts = forms.TypedChoiceField(
        label=_("Bouts in the taker's tricks"),
        choices=[(n, str(n)) for n in range(4)],
        coerce=int,
        widget=Answers,
    )
    points = forms.DecimalField(
        label=_("Points"),
        min_value=0,
        max_value=POINTS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off", "step": "1"}),
    )
    counted = forms.ChoiceField(
        label=_("Counted by"),
        choices=[("attack", _("the taker")), ("defence", _("the defence"))],
        initial="attack",
        widget=Answers,
    )
    petit_au_bout = forms.ChoiceField(
        label=_("Petit au bout"), choices=choices("side"), initial=Side.NONE.value, widget=Answers
    )
    poignee_attack = forms.ChoiceField(
        label=_("Poignée shown by the taker"),
        choices=POIGNEES,
        required=False,
        widget=Answers,
    )
    poignee_defence = forms.ChoiceField(
        label=_("Poignée shown by the defence"),
        choices=POIGNEES,
        required=False,
        widget=Answers,
    )
    poignee_defence_2 = forms.ChoiceField(
        label=_("A second poignée of the defence"),
        choices=POIGNEES,
        required=False,
        widget=Answers,
    )
    chelem = forms.ChoiceField(label=_("Chelem"), choices=choices("chelem"), initial=Chelem.NONE.value, widget=Answers)

    def read(self) -> Facts:
        data = self.cleaned_data
        half_points = int(data["points"] * 2)
        shown = (data["poignee_defence"], data["poignee_defence_2"])
        return Facts(
            self.who_takes,
            DealResult(
                players=PLAYERS,
                contract=Contract(data.get("contract", Contract.GARDE)),
                bouts=data["bouts"],
                half_points=half_points if data["counted"] == "attack" else DECK - half_points,
                petit_au_bout=Side(data["petit_au_bout"]),
                poignees_attack=tuple(Poignee(name) for name in (data["poignee_attack"],) if name),
                poignees_defence=tuple(sorted(Poignee(name) for name in shown if name)),
                chelem=Chelem(data["chelem"]),
            ),
        )

    def clean_points(self) -> Any:
        """Half points are left to the game's own check, thirds are no points at all."""
        points = self.cleaned_data["points"]
        if points * 2 % 1:
            raise forms.ValidationError(_("Write the points as a whole number."))
        return points

    @property
    def has_extras(self) -> bool:
        """Whether something rare is told, so that its part of the form stands open."""
        names = ("poignee_attack", "poignee_defence", "poignee_defence_2", "chelem")
        return any(self[name].value() not in (None, "", "none") or self[name].errors for name in names)

    @staticmethod
    def of(entry: Facts) -> dict[str, object]:
        result = entry.result
        attack, defence = map(list, (result.poignees_attack, result.poignees_defence))
        return {
            "taker": str(entry.taker),
            "contract": str(result.contract),
            "bouts": result.bouts,
            "points": result.half_points // 2,
            "counted": "attack",
            "petit_au_bout": str(result.petit_au_bout),
            "poignee_attack": str(attack[0]) if attack else "",
            "poignee_defence": str(defence[0]) if defence else "",
            "poignee_defence_2": str(defence[1]) if len(defence) > 1 else "",
            "chelem": str(result.chelem),
        }


class FicheForm(EntryForm):
    kind = ResultEntry.Kind.FICHE.value
    template_name = "direct/_fiche.html"
    taker = forms.ChoiceField(label=_("Taker"), widget=Answers)
    sign = forms.ChoiceField(
        label=_("Column of the fiche"),
        choices=[("+", _("+ for the taker")), ("-", _("− against him"))],
        widget=Answers,
    )
    figure = forms.IntegerField(
        label=_("Figure"),
        min_value=0,
        help_text=_("The base score as it stands on the fiche, not multiplied by three."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    def read(self) -> Fiche:
        figure = self.cleaned_data["figure"]
        return Fiche(self.who_takes, figure if self.cleaned_data["sign"] == "+" else -figure)

    @staticmethod
    def of(entry: Fiche) -> dict[str, object]:
        sign = "-" if entry.base_score < 0 else "+"
        return {"taker": str(entry.taker), "sign": sign, "figure": abs(entry.base_score)}


class PassedForm(EntryForm):
    kind = ResultEntry.Kind.PASSED.value
    template_name = "direct/_passed.html"

    def read(self) -> Passed:
        return Passed()


FORMS: dict[str, type[FactsForm | FicheForm | PassedForm]] = {
    form.kind: form for form in (FactsForm, FicheForm, PassedForm)
}


def kinds_for(play: Play) -> list[str]:
    """The kinds of entry that the play's tournament knows: nobody may pass where the Garde is imposed."""
    free = play.session.tournament.auction == Tournament.Auction.FREE
    return [kind for kind in FORMS if free or kind != PassedForm.kind]


def kind_of(entry: Entry) -> str:
    match entry:
        case Facts():
            return FactsForm.kind
        case Fiche():
            return FicheForm.kind
        case Passed():
            return PassedForm.kind


def initial_of(entry: Entry) -> dict[str, object]:
    """What the form of the entry's kind shows to have it corrected."""
    match entry:
        case Facts():
            return FactsForm.of(entry)
        case Fiche():
            return FicheForm.of(entry)
        case Passed():
            return {}


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("A few words, kept for good beside your name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class CorrectionForm(ReasonForm):
    seen_version = forms.IntegerField(widget=forms.HiddenInput)
