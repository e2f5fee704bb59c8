"""A director's word shown before it is given: the ranking before and after it, and one button that gives it.

The form that the button sends is the one that led here, so that what was shown is what is done. A director who has
still to play is shown no ranking: it would tell him results.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Session
from tournaments.plays.desk_state import hidden_etuis
from tournaments.standings.preview import preview
from tournaments.web.numbers import read_number

APPLY = "apply"
OWN = {"csrfmiddlewaretoken", APPLY}


class Word(NamedTuple):
    """What is about to be said, where to go `back` to, and what it is `about` in a few words."""

    title: str
    back: str
    about: str = ""


def is_applied(request: HttpRequest) -> bool:
    """Whether the preview has been seen, and the word is given."""
    return APPLY in request.POST


def read_seen(request: HttpRequest) -> int | None:
    """The newest ruling that the form was shown beside, 0 where there was none."""
    return read_number(request.POST, "seen_ruling") if "seen_ruling" in request.POST else None


def show_preview(request: HttpRequest, session: Session, rule: Callable[[], object], word: Word) -> HttpResponse:
    """What calling `rule` would make of the ranking; nothing is written. What it refuses, it refuses here."""
    hidden = bool(hidden_etuis(session, request.user))
    context = {
        "session": session,
        "word": word,
        "hidden": hidden,
        "preview": None if hidden else preview(session.pk, rule),
        "reason": request.POST.get("reason", "").strip(),
        "article": request.POST.get("article", "").strip(),
        "sent": [(name, value) for name, values in request.POST.lists() if name not in OWN for value in values],
        "apply": APPLY,
    }
    return render(request, "rulings/preview.html", context)
