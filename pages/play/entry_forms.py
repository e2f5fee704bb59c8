"""The forms for a play's result: its facts (bouts, points), the figure of the fiche, or that all players passed.

The fields check only that each value has the right format. `tournaments.rules.entry.check_entry_rules` checks the rules
of the game. Each of its errors names a field, and the form shows the error there.

Bouts have a field of their own (`BoutsField`). They are ticked, or typed as 21, P and E in any order, or as their
number.
"""

import re
from collections.abc import Callable, Collection, Iterable
from itertools import combinations
from typing import Any, Self

from django import forms
from django.utils.functional import Promise, lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from deals.domain.cards import LINES
from evenings.plays.attackers import attacking_team, members_in, members_of
from evenings.plays.entries import name_attacker, taker_named
from evenings.plays.free import fit_entry
from pages.form_fields import ArticleForm, FigureField, ReasonForm, WholeFigureField
from scoring.bounds import DECK
from scoring.contract import Chelem, Contract, Poignee, ScoringError, Side, find_rules
from scoring.formats import find_format
from scoring.notation import result_from_data, result_to_data
from scoring.plays import FIFTH, SEATS
from scoring.ranking import Line
from tournaments.models import Play, TeamMember
from tournaments.rules.entry import (
    AllPassed,
    Bout,
    Entry,
    EntryError,
    Facts,
    Fiche,
    GameSheet,
    attacker_of,
    check_entry_rules,
)
from tournaments.words.formats import say_word
from tournaments.words.messages import LABELS, say, say_bouts
from tournaments.words.team_plans import say_badge

NONE = "none"
EIGHT = [frozenset(named) for count in range(4) for named in combinations(Bout, count)]
NAMED = {"2": Bout.TRUMP_21, "p": Bout.PETIT, "e": Bout.EXCUSE}  # first letter → bout
LETTER = r"(?:21|p(?:etit)?|e(?:xcuse)?)"
LETTERS = rf"(?:{LETTER}[\s+,]*)+"
COUNTED = {"1": _("1, not named"), "2": _("2, not named")}


def value_of(bouts: Iterable[Bout]) -> str:
    return "+".join(bout for bout in Bout if bout in bouts) or NONE


def in_words(bouts: frozenset[Bout]) -> str:
    return (
        str(_("all three"))
        if len(bouts) == len(Bout)
        else say_bouts(bouts) or pgettext("which bouts a side has", "none")
    )


lazy_words = lazy(in_words, str)


def read_bouts(text: str) -> str:
    """Return the value of the field for a text that names bouts, for example "21 p". Return any other text unchanged.

    The number 0 names no bout, and 3 names all bouts.
    """
    if text in ("0", "3"):
        return value_of(Bout if text == "3" else ())
    letters = re.findall(LETTER, text.lower()) if re.fullmatch(LETTERS, text.lower()) else []
    bouts = {NAMED[letter[0]] for letter in letters}
    return value_of(bouts) if bouts and len(bouts) == len(letters) else text


class BoutsField(forms.ChoiceField):
    """A form field whose cleaned value is the set of the bouts, or their number if only the number is known.

    The numbers 1 and 2 are accepted, but are not among the choices.
    """

    default_error_messages = {
        "invalid_choice": _("Write the taker’s bouts as 21, P and E, or their number: 0 to 3."),
    }

    def __init__(self, **given: Any) -> None:
        super().__init__(choices=[(value_of(bouts), lazy_words(bouts)) for bouts in EIGHT], **given)

    def to_python(self, value: object) -> str:
        return read_bouts(super().to_python(value).strip())

    def valid_value(self, value: str) -> bool:
        return value in COUNTED or super().valid_value(value)

    def clean(self, value: object) -> frozenset[Bout] | int:
        text = super().clean(value)
        if text in COUNTED:
            return int(text)
        return frozenset(map(Bout, text.split("+"))) if text != NONE else frozenset()


def describe_bouts(entry: Facts) -> str:
    """Return the value of the field for an entry: its bouts, or their number (1 or 2) if they are not named."""
    return read_bouts(str(entry.result.bouts)) if entry.attack_bouts is None else value_of(entry.attack_bouts)


POINTS = DECK // 2
ALONE = "alone"  # the value of the field for the partner if the taker plays alone
ALIKE = ("petit_au_bout", "chelem")  # fields with the same name in the form and in the result
POIGNEES = [
    ("", _("none")),
    (Poignee.SIMPLE.value, _("simple: 10")),
    (Poignee.DOUBLE.value, _("double: 13")),
    (Poignee.TRIPLE.value, _("triple: 15")),
]
# The name of the form field for errors that call the field by another name.
PLACES = {"poignees_attack": "poignee_attack", "poignees_defence": "poignee_defence", "base_score": "figure"}


def choices(kind: str) -> list[tuple[str, str | Promise]]:
    return list(LABELS[kind].items())


class Answers(forms.RadioSelect):
    """A group of radio buttons. If the page opens with the focus on the group, the chosen button gets the focus."""

    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> Any:
        groups = super().optgroups(name, value, attrs)
        options = [option for _group, options, _index in groups for option in options]
        if any(option["selected"] for option in options):
            for option in options:
                if not option["selected"]:
                    option["attrs"].pop("autofocus", None)
        return groups


class EntryForm(forms.Form):
    """The base of the three forms: it has the play and its taker, and checks the rules of the game.

    `kind` is the kind of entry, as in `ResultEntry`. `read` returns the entry from the cleaned values.
    """

    kind: str
    read: Callable[[], Entry]

    attacker = forms.ChoiceField(label=_("Who attacked"), required=False, widget=Answers)

    def __init__(self, play: Play, *args: Any, members: Collection[TeamMember] | None = None, **kwargs: Any) -> None:
        """Build the form. `members` are those of the teams; None: they are read here if teams play."""
        super().__init__(*args, **kwargs)
        self.play = play
        self.attackers = attackers_of(play, members)
        if self.attackers:
            self.fields["attacker"].choices = [  # type: ignore[attr-defined]
                (place, say_attacker(play, member)) for place, member in self.attackers.items()
            ]
            named = self.initial.pop("named", None)
            places = (place for place, member in self.attackers.items() if member.pk == named)
            self.initial.setdefault("attacker", next(places, play.badge))
        else:
            del self.fields["attacker"]
        self.format = find_format(play.session.tournament.format)
        self.entry: Entry | None = None
        if "taker" in self.fields:
            names = [(line, f"{LABELS['letter'][line]} · {seat.own_name}") for line, seat in play.playing.items()]
            self.fields["taker"].choices = names  # type: ignore[attr-defined]
            self.fields["partner"].choices = [*names, (ALONE, _("alone: the called card was in hand or in the chien"))]  # type: ignore[attr-defined]
        self.fit_to_players(len(play.playing_seats))
        for name in self.format.settled:
            self.fields.pop(name, None)
        if "contract" in self.fields:
            allowed = [choice for choice in choices("contract") if choice[0] in self.format.contracts]
            self.fields["contract"].choices = allowed  # type: ignore[attr-defined]
        first_fields = [field for name, field in self.fields.items() if name != "attacker"]
        for first in [] if self.is_bound else first_fields[:1]:
            first.widget.attrs["autofocus"] = True

    def fit_to_players(self, players: int) -> None:
        """Ask for the partner only at five, and for half points only at three and five."""
        if players != len(SEATS):
            self.fields.pop("partner", None)
        if players == len(LINES):
            return
        if "points" in self.fields:
            self.fields["points"].widget.attrs |= {"step": "0.5", "inputmode": "decimal"}
        for name in ("poignee_attack", "poignee_defence", "poignee_defence_2"):
            if name in self.fields:
                sizes = [("", _("none")), *choices("poignee")]
                self.fields[name].choices = sizes  # type: ignore[attr-defined]

    @property
    def who_takes(self) -> str:
        taker = self.cleaned_data.get("taker", self.play.taker)
        return FIFTH if taker == FIFTH else Line(taker)

    @property
    def who_was_called(self) -> str | None:
        """The seat of the partner at five: the taker's own seat if the taker plays alone. None if nobody is named."""
        called = self.cleaned_data.get("partner") or None
        if called == ALONE:
            return self.who_takes
        if called is not None and called == self.who_takes:
            raise EntryError("partner_missing", "partner")  # a taker who plays alone says so
        return called

    @property
    def who_attacked(self) -> int | None:
        """The id of the member who attacked out of turn, or None."""
        place = self.cleaned_data.get("attacker")
        return self.attackers[int(place)].pk if place and int(place) != self.play.badge else None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                entry = fit_entry(self.play, name_attacker(self.read(), self.who_attacked))
                check_entry_rules(
                    entry,
                    format=self.format,
                    etui_taker=taker_named(self.play.etui),
                    rules=find_rules(self.play.session.tournament.rules),
                )
            except (EntryError, ScoringError) as error:
                place = PLACES.get(error.field, error.field)
                self.add_error(place if place in self.fields else None, say(error))
            else:
                self.entry = entry
        return data

    @property
    def unfinished(self) -> bool:
        """True if a required field is still empty."""
        return any(error.code == "required" for errors in self.errors.as_data().values() for error in errors)


class FactsForm(EntryForm):
    kind = Facts.kind
    template_name = "play/_facts.html"
    taker = forms.ChoiceField(label=_("Taker"), widget=Answers)
    partner = forms.ChoiceField(label=_("Partner"), required=False, widget=Answers)
    contract = forms.ChoiceField(label=_("Contract"), choices=choices("contract"), widget=Answers)
    bouts = BoutsField(label=_("Bouts in the taker’s tricks"), widget=Answers)
    points = FigureField(
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

    def __init__(self, play: Play, *args: Any, **kwargs: Any) -> None:
        """Build the form. If an earlier version has only the number of bouts, add this number as a choice."""
        super().__init__(play, *args, **kwargs)
        if (known := self["bouts"].value()) in COUNTED:
            self.fields["bouts"].choices += [(known, COUNTED[known])]  # type: ignore[attr-defined]

    def read(self) -> Facts:
        data = self.cleaned_data
        named = None if isinstance(data["bouts"], int) else data["bouts"]
        half_points = int(data["points"] * 2)
        defence = (data["poignee_defence"], data["poignee_defence_2"])
        told = {
            "contract": data.get("contract", Contract.GARDE),
            "bouts": data["bouts"] if named is None else len(named),
            "half_points": half_points if data["counted"] == "attack" else DECK - half_points,
            "poignees_attack": list(filter(None, [data["poignee_attack"]])),
            "poignees_defence": sorted(filter(None, defence)),
        }
        result = result_from_data(told | {name: data[name] for name in ALIKE})
        return Facts(self.who_takes, result, named, partner=self.who_was_called)

    def clean_points(self) -> Any:
        """Refuse points that are not a multiple of a half. The rules of the game decide whether halves are possible."""
        points = self.cleaned_data["points"]
        if points * 2 % 1:
            raise forms.ValidationError(_("Write the points as a whole number."))
        return points

    @property
    def has_extras(self) -> bool:
        """True if a rarely used field has a value or an error. The page then shows these fields open."""
        names = ("poignee_attack", "poignee_defence", "poignee_defence_2", "chelem")
        return any(self[name].value() not in (None, "", "none") or self[name].errors for name in names)

    @staticmethod
    def of(entry: Facts) -> dict[str, object]:
        told = result_to_data(entry.result)
        attack, defence = (*told["poignees_attack"], ""), (*told["poignees_defence"], "", "")
        return {name: told[name] for name in ("contract", *ALIKE)} | {
            "taker": str(entry.taker),
            "bouts": describe_bouts(entry),
            "points": told["half_points"] // 2 if told["half_points"] % 2 == 0 else f"{told['half_points'] / 2}",
            "partner": name_partner(entry),
            "counted": "attack",
            "poignee_attack": attack[0],
            "poignee_defence": defence[0],
            "poignee_defence_2": defence[1],
        }


class FicheForm(EntryForm):
    kind = Fiche.kind
    template_name = "play/_fiche.html"
    taker = forms.ChoiceField(label=_("Taker"), widget=Answers)
    partner = forms.ChoiceField(label=_("Partner"), required=False, widget=Answers)
    sign = forms.ChoiceField(
        label=_("Column of the fiche"),
        choices=[("+", _("+ for the taker")), ("-", _("− against the taker"))],
        widget=Answers,
    )
    figure = WholeFigureField(
        label=_("Amount"),
        min_value=0,
        help_text=_("The base score as written on the fiche, not multiplied by three."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    def read(self) -> Fiche:
        figure = self.cleaned_data["figure"]
        figure = figure if self.cleaned_data["sign"] == "+" else -figure
        return Fiche(self.who_takes, figure, partner=self.who_was_called)

    @staticmethod
    def of(entry: Fiche) -> dict[str, object]:
        sign = "-" if entry.base_score < 0 else "+"
        figure = abs(entry.base_score)
        return {"taker": str(entry.taker), "partner": name_partner(entry), "sign": sign, "figure": figure}


class PassedForm(EntryForm):
    kind = AllPassed.kind
    template_name = "play/_passed.html"

    def read(self) -> AllPassed:
        return AllPassed()


FORMS: dict[str, type[FactsForm | FicheForm | PassedForm]] = {
    form.kind: form for form in (FactsForm, FicheForm, PassedForm)
}


def kinds_for(play: Play) -> list[str]:
    """Return the kinds of entry that the tournament's format allows.

    Players cannot all pass if the Garde is imposed.
    """
    allowed = find_format(play.session.tournament.format).kinds
    return [kind for kind in FORMS if kind in allowed]


def attackers_of(play: Play, members: Collection[TeamMember] | None = None) -> dict[int, TeamMember]:
    """Return the members of the attacking team in the play's position, by place. Return {} if single players play."""
    team = attacking_team(play)
    if team is None:
        return {}
    return members_in(play, members_of([team.pk]) if members is None else members, team.pk)


def say_attacker(play: Play, member: TeamMember) -> str:
    """Return the name of a member with the colour of the badge, and whether it is that member's turn to attack.

    Without badges, it says whether the line-up names the member.
    """
    key = "attacker_in_turn" if member.place == play.badge else "attacker"
    told = {"name": member.player.name, "badge": say_badge(member.place)}
    return say_word(play.session.tournament.format, key, told)


def initial_of(entry: Entry) -> dict[str, object]:
    """Return the initial values of the form that corrects the entry.

    The id of the member who attacked out of turn is under `named`, if there is one.
    """
    match entry:
        case Facts():
            return FactsForm.of(entry) | initial_attacker(entry)
        case Fiche():
            return FicheForm.of(entry) | initial_attacker(entry)
        case AllPassed() | GameSheet():
            return {}


def name_partner(entry: Facts | Fiche) -> str:
    """Return the value of the field for the partner: a seat, ALONE, or "" if the deal has none."""
    return ALONE if entry.partner == entry.taker else str(entry.partner or "")


def initial_attacker(entry: Entry) -> dict[str, object]:
    attacker = attacker_of(entry)
    return {} if attacker is None else {"named": attacker}


class CorrectionForm(ReasonForm):
    seen_version = forms.IntegerField(widget=forms.HiddenInput)

    def unsent(self) -> Self:
        """Return the same form with its values but without errors, as if it had not been sent."""
        return type(self)(initial={name: self[name].value() for name in self.fields})

    @property
    def query(self) -> SafeString:
        """The part of the page's query string that follows the kind of entry."""
        return mark_safe("&amp;correct")


class WithdrawalForm(CorrectionForm, ArticleForm):
    """A form to withdraw a result that was entered at the wrong play."""


class RequestedForm(CorrectionForm):
    """A form for a correction that a player asked for. Saving the correction grants the request."""

    request = forms.IntegerField(widget=forms.HiddenInput)

    @property
    def query(self) -> SafeString:
        return format_html("{}&amp;request={}", super().query, self["request"].value())
