"""The preview of a director's ruling: the ranking before and after it, and one button that applies it.

The button sends the same values again with which the preview was made. A director who has still to play étuis sees no
ranking, because it would reveal results.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from evenings.plays.desk_state import hidden_etuis
from evenings.standings.preview import preview_ruling
from tournaments.models import Session
from tournaments.numbers import read_number

APPLY = "apply"
OWN = {"csrfmiddlewaretoken", APPLY}


class PreviewedWord(NamedTuple):
    """The texts of a preview: its title, the address to go `back` to, and a few words `about` the ruling."""

    title: str
    back: str
    about: str = ""


def is_applied(request: HttpRequest) -> bool:
    """Return whether the request comes from the button of the preview, which applies the ruling."""
    return APPLY in request.POST


def read_seen(request: HttpRequest) -> int | None:
    """Return the id of the newest ruling that the page with the form showed, or 0 if it showed none.

    Return None if the form has no such field.
    """
    return read_number(request.POST, "seen_ruling") if "seen_ruling" in request.POST else None


def show_preview(
    request: HttpRequest, session: Session, rule: Callable[[], object], word: PreviewedWord
) -> HttpResponse:
    """Show how the function `rule`, which carries out a ruling, would change the ranking. Nothing is saved.

    If `rule` raises a refusal, raise it.
    """
    hidden = bool(hidden_etuis(session, request.user))
    context = {
        "session": session,
        "word": word,
        "hidden": hidden,
        "preview": None if hidden else preview_ruling(session.pk, rule),
        "reason": request.POST.get("reason", "").strip(),
        "article": request.POST.get("article", "").strip(),
        "sent": [(name, value) for name, values in request.POST.lists() if name not in OWN for value in values],
        "apply": APPLY,
    }
    return render(request, "rulings/preview.html", context)
