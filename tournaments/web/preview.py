"""The preview of a director's ruling: the ranking before and after it, and one button that applies it.

The button sends the same form that led to the preview, so exactly what was shown is done. A director who has still to
play sees no ranking, because it would reveal results.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Session
from tournaments.plays.desk_state import hidden_etuis
from tournaments.standings.preview import preview_ruling
from tournaments.web.numbers import read_number

APPLY = "apply"
OWN = {"csrfmiddlewaretoken", APPLY}


class PreviewedWord(NamedTuple):
    """A ruling to preview: its title, the page to go `back` to, and what it is `about` in a few words."""

    title: str
    back: str
    about: str = ""


def is_applied(request: HttpRequest) -> bool:
    """Return whether the director has seen the preview and now applies the ruling."""
    return APPLY in request.POST


def read_seen(request: HttpRequest) -> int | None:
    """Return the id of the newest ruling that was shown beside the form, or 0 if there was none.

    Return None if the form did not send it.
    """
    return read_number(request.POST, "seen_ruling") if "seen_ruling" in request.POST else None


def show_preview(
    request: HttpRequest, session: Session, rule: Callable[[], object], word: PreviewedWord
) -> HttpResponse:
    """Show how calling `rule` would change the ranking; nothing is written.

    If `rule` refuses, its refusal is raised here.
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
