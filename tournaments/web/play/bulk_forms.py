"""The values of one row of the grid for paper slips, read by the form of a single result, with the same checks.

A row holds a signed figure, or a figure in one of the fiche's two columns, or bouts and points.
"""

from collections.abc import Mapping

from tournaments.models import Play
from tournaments.web.play.entry_forms import FORMS, EntryForm, FactsForm, FicheForm, PassedForm

FICHE, FACTS, PASSED = FicheForm.kind, FactsForm.kind, PassedForm.kind
FIGURES = ("score", "plus", "minus")
MUST = ("bouts", "points")
RARE = ("petit_au_bout", "poignee_attack", "poignee_defence", "chelem")
# The default values of a row that nobody has typed in.
UNTOUCHED = {"petit_au_bout": "none", "chelem": "none"}
BESIDE = ("taker", "contract")
MINUS = ("-", "−", "–")


def names_of(kind: str) -> tuple[str, ...]:
    """Return the names of the row's fields for slips of that kind."""
    return (*BESIDE, *((*MUST, *RARE) if kind == FACTS else FIGURES))


def is_typed(typed: Mapping[str, str], kind: str) -> bool:
    """Return whether any part of a result is typed in the row."""
    told = (*MUST, *RARE) if kind == FACTS else FIGURES
    return typed.get("taker") == PASSED or any(typed.get(name, "") not in ("", UNTOUCHED.get(name)) for name in told)


def form_of(play: Play, typed: Mapping[str, str], kind: str) -> EntryForm:
    """Return the row as a bound form of a single result."""
    if typed.get("taker") == PASSED:
        return FORMS[PASSED](play, {})
    data = {name: value for name in names_of(kind) if (value := typed.get(name, ""))}
    if kind == FACTS:
        return FORMS[FACTS](play, UNTOUCHED | data | {"counted": "attack"})
    minus, text = typed.get("minus", ""), typed.get("score", "") or typed.get("plus", "")
    if minus and not text:
        return FORMS[FICHE](play, data | {"sign": "-", "figure": minus.lstrip("".join(MINUS))})
    against = text.startswith(MINUS)
    return FORMS[FICHE](play, data | {"sign": "-" if against else "+", "figure": text.lstrip("".join(("+", *MINUS)))})


def both_columns(typed: Mapping[str, str]) -> bool:
    """Return whether a figure stands under both + and −, although only one of them can be right."""
    return bool(typed.get("plus") and typed.get("minus"))
