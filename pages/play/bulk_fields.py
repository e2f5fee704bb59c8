"""The fields of the rows of the grid for paper slips, as HTML, and their forms.

A grid of 150 tables has thousands of fields. So they are written without templates, and equal lists of options are
written only once.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from deals.domain.cards import LINES
from pages.play.entry_forms import ALONE, FORMS, EntryForm, FactsForm, FicheForm, PassedForm
from tournaments.models import Play, TeamMember
from tournaments.words.messages import LABELS
from tournaments.words.team_plans import BADGES, COLOURS

FICHE, FACTS, PASSED = FicheForm.kind, FactsForm.kind, PassedForm.kind
FIGURES = ("score", "plus", "minus")
MUST = ("bouts", "points")
RARE = ("petit_au_bout", "poignee_attack", "poignee_defence", "chelem")
# The default values of a row that nobody has typed in.
UNTOUCHED = {"petit_au_bout": "none", "chelem": "none"}
BESIDE = ("taker", "partner", "contract", "attacker")
MINUS = ("-", "−", "–")


def names_of(kind: str) -> tuple[str, ...]:
    """Return the names of a row's fields. `kind` is FACTS (bouts and points) or FICHE (a signed figure)."""
    return (*BESIDE, *((*MUST, *RARE) if kind == FACTS else FIGURES))


def is_typed(typed: Mapping[str, str], kind: str) -> bool:
    """Return whether any part of a result is typed in the row."""
    told = (*MUST, *RARE) if kind == FACTS else FIGURES
    return (
        typed.get("taker") == PASSED
        or bool(typed.get("attacker"))
        or any(typed.get(name, "") not in ("", UNTOUCHED.get(name)) for name in told)
    )


def form_of(
    play: Play, typed: Mapping[str, str], kind: str, members: Collection[TeamMember] | None = None
) -> EntryForm:
    """Return the form of a single result, bound to the values typed in the row. `members` are those of the teams."""
    if typed.get("taker") == PASSED:
        return FORMS[PASSED](play, {})
    data = {name: value for name in names_of(kind) if (value := typed.get(name, ""))}
    if kind == FACTS:
        return FORMS[FACTS](play, UNTOUCHED | data | {"counted": "attack"}, members=members)
    minus, text = typed.get("minus", ""), typed.get("score", "") or typed.get("plus", "")
    if minus and not text:
        return FORMS[FICHE](play, data | {"sign": "-", "figure": minus.lstrip("".join(MINUS))}, members=members)
    against = text.startswith(MINUS)
    figure = text.lstrip("".join(("+", *MINUS)))
    return FORMS[FICHE](play, data | {"sign": "-" if against else "+", "figure": figure}, members=members)


def both_columns(typed: Mapping[str, str]) -> bool:
    """Return whether figures are typed under both + and −. This is an error."""
    return bool(typed.get("plus") and typed.get("minus"))


INPUT = (
    '<input type="text"{more} class="figure-in" name="{name}-{pk}" value="{value}" autocomplete="off" data-cell'
    ' aria-label="{label}"{invalid}>'
)
SELECT = '<select name="{name}-{pk}" data-cell aria-label="{label}">{options}</select>'
OPTION = '<option value="{}"{}>{}</option>'
CELL, PAIR = "<td>{}</td>", '<td class="bulk-pair">{}</td>'
INVALID = ' aria-invalid="true" aria-describedby="said-{}"'
SELECTED = mark_safe(" selected")
EMPTY = mark_safe('<option value=""></option>')
POIGNEES = ("poignee_attack", "poignee_defence")
WITHOUT_DEFAULT = ("taker", "partner", "contract", "attacker")


class TextField(NamedTuple):
    """A text field. `more` has its further HTML attributes."""

    label: str | Promise
    more: SafeString = SafeString()


NUMERIC = mark_safe(' inputmode="numeric"')
BOUTS = mark_safe(' maxlength="20" autocapitalize="characters" spellcheck="false"')
TYPED: dict[str, TextField] = {
    "plus": TextField(gettext_lazy("Under + for the taker"), NUMERIC),
    "minus": TextField(gettext_lazy("Under − against the taker"), NUMERIC),
    "bouts": TextField(gettext_lazy("Bouts: 21, P, E"), BOUTS),
    "points": TextField(gettext_lazy("Points"), mark_safe(f'{NUMERIC} maxlength="5"')),
    "score": TextField(gettext_lazy("Score, + or −"), mark_safe(' maxlength="6"')),
}
CHOSEN: dict[str, str | Promise] = {
    "taker": gettext_lazy("Taker"),
    "partner": gettext_lazy("Partner"),
    "contract": gettext_lazy("Contract"),
    "attacker": gettext_lazy("Who attacked, if out of turn"),
    "petit_au_bout": gettext_lazy("Petit au bout"),
    "poignee_attack": gettext_lazy("Poignée shown by the taker"),
    "poignee_defence": gettext_lazy("Poignée shown by the defence"),
    "chelem": gettext_lazy("Chelem"),
}


class FieldsOfGrid:
    """The form fields of one grid. `cells` has the names of the fields in each cell of a row.

    `contracts` are those that the takers may play, and `seats` those of a table.
    """

    def __init__(
        self, cells: Sequence[Sequence[str]], contracts: Collection[str], seats: Collection[str] = LINES
    ) -> None:
        self.cells, self.contracts, self.seats = cells, contracts, seats
        self.labels = {name: str(field.label) for name, field in TYPED.items()}
        self.labels |= {name: str(label) for name, label in CHOSEN.items()}
        self.drawn: dict[tuple[str, str], SafeString] = {}

    def draw_cells(self, pk: int, typed: Mapping[str, str], *, wrong: bool) -> SafeString:
        """Return the cells in the row of play `pk` as HTML. `wrong` is true if the row has errors."""
        drawn = ((PAIR if len(names) > 1 else CELL, names) for names in self.cells)
        return mark_safe(
            "".join(format_html(cell, self.draw_all(names, pk, typed, wrong=wrong)) for cell, names in drawn)
        )

    def draw_fields(self, pk: int, typed: Mapping[str, str], *, wrong: bool) -> SafeString:
        """Return the fields in the row of play `pk` as HTML, without cells around them."""
        names = [name for cell in self.cells for name in cell]
        return self.draw_all(names, pk, typed, wrong=wrong)

    def draw_all(self, names: Sequence[str], pk: int, typed: Mapping[str, str], *, wrong: bool) -> SafeString:
        return mark_safe("".join(self.draw(name, pk, typed[name], wrong=wrong) for name in names))

    def draw(self, name: str, pk: int, value: str, *, wrong: bool = False) -> SafeString:
        label = self.labels[name]
        if name in CHOSEN:
            return format_html(SELECT, name=name, pk=pk, label=label, options=self.options(name, value))
        invalid = format_html(INVALID, pk) if wrong else ""
        more = TYPED[name].more
        return format_html(INPUT, name=name, pk=pk, value=value, label=label, more=more, invalid=invalid)

    def options(self, name: str, value: str) -> SafeString:
        """Return the options of a select field as HTML. Rows with the same value share them."""
        if (name, value) not in self.drawn:
            choices = [each for each in self.choices(name) if name != "contract" or each[0] in self.contracts]
            told = ((choice, SELECTED if choice == value else "", text) for choice, text in choices)
            self.drawn[name, value] = format_html_join("", OPTION, told)
            if name in WITHOUT_DEFAULT:
                self.drawn[name, value] = EMPTY + self.drawn[name, value]
        return self.drawn[name, value]

    def choices(self, name: str) -> Sequence[tuple[Any, Any]]:
        """Return (value, label) of each option of a select field, with the seats of these tables."""
        letters = [(seat, letter) for seat, letter in LABELS["letter"].items() if seat in self.seats]
        if name == "taker":
            return [*letters, (PASSED, _("everyone passed"))]
        if name == "partner":
            return [*letters, (ALONE, _("alone"))]
        if name in POIGNEES and len(self.seats) != len(LINES):  # other numbers of trumps than at four
            return [("", _("none")), *LABELS["poignee"].items()]
        return choices_of(name)


def choices_of(name: str) -> Sequence[tuple[Any, Any]]:
    """Return (value, label) of each option of a select field, mostly as in the form of a single result."""
    if name == "attacker":
        return [(str(place), COLOURS[badge]) for place, badge in BADGES.items()]
    choices: Sequence[tuple[Any, Any]] = FORMS[FACTS].base_fields[name].choices  # type: ignore[attr-defined]
    return choices
