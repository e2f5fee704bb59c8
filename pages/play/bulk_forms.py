"""The reading of one row of the grid for paper slips, by the same form as for a single result.

A row has a signed figure, or a figure in one of the fiche's two columns (+ and −), or bouts and points.
"""

from collections.abc import Collection, Mapping

from pages.play.entry_forms import FORMS, EntryForm, FactsForm, FicheForm, PassedForm
from tournaments.models import Play, TeamMember

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
