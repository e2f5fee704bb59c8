"""The page on which a director publishes a session's ranking, chooses what readers see, and changes this later.

The page shows the points to check first, each with the link to the page where it can be settled (`link_points`).
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evenings.plays.desk_state import DeskPlay, hidden_etuis
from evenings.plays.free import count_not_played
from evenings.standings.preview import preview_since
from pages.acting import done, signed
from pages.desk.desk import read_desk
from pages.desk.papers.documents import list_feuilles
from pages.desk.progress import Progress
from pages.doors import ACTION, FORM, Phase, session_page, session_url
from pages.form_fields import ReasonForm
from pages.parts.ranking_steps import answer_publishing, take_ranking_step
from rankings.publication.publishing import (
    SESSIONS,
    Terms,
    open_points,
    publishable_cards,
    sections_still_playing,
    switch_parts,
)
from scoring.formats import find_format
from tournaments.models import Publication, Session
from tournaments.permissions import Can
from tournaments.published import Shows
from tournaments.rules.formats import list_settings
from tournaments.versions import DirectorWord
from tournaments.words.desk_sentences import OPEN_POINTS
from tournaments.words.formats import speak_as_format
from tournaments.words.messages import label, sentence

# Code of the point → name of the page, and the part of that page.
SETTLED_AT = {
    "missing": ("session", "#desk-missing"),
    "unseated": ("games", ""),
    "disputed": ("session", "?show=look#desk-look"),
    "check_etui": ("session", "?show=look#desk-look"),
    "odd": ("session", "?show=odd#desk-look"),
    "requests": ("session_requests", ""),
    "annulled": ("session", "#desk-annulled"),
    "etuis_annulled": ("session", "#desk-annulled"),
    "adjusted": ("log", "?action=play_adjusted"),
    "penalties": ("penalties", ""),
}


def link_points(session: Session, plays: Iterable[DeskPlay]) -> dict[str, list[tuple[str, str]]]:
    """Return the points to check before a publication, each as text with the address where it can be settled.

    `settled` has the decisions that are already part of the ranking.
    """
    found: dict[str, list[tuple[str, str]]] = {"to_settle": [], "settled": []}
    for point in open_points(session, plays):
        page, part = SETTLED_AT[point.code]
        text = sentence(OPEN_POINTS, point.code, {"count": point.count})
        found["to_settle" if point.is_open else "settled"].append((text, f"{session_url(page, session)}{part}"))
    return found


class PublishForm(ReasonForm):
    """A form with a switch for each part that readers see.

    A reason is required if the published figures were official.
    """

    HELP = {
        "ranking": gettext_lazy("The ranks and the percentages."),
        "etuis": gettext_lazy("Each étui with every table’s result. Readers can work out the ranking from them."),
        "cards": gettext_lazy("The four hands and the chien of each étui. Once shown, they are known for good."),
        "feuilles": gettext_lazy("What each player played, étui by étui, on a page of their own."),
    }

    def __init__(self, session: Session, given: Any) -> None:
        super().__init__(given, initial=Shows.of(session)._asdict())
        for part, text in self.HELP.items():
            self.fields[part] = forms.BooleanField(label=label("part", part), required=False, help_text=text)
        self.format = find_format(session.tournament.format)
        speak_as_format(self.format, self.fields)

    @property
    def switches(self) -> list[forms.BoundField]:
        return [self[part] for part in list_settings(self.format, Shows._fields)]

    @property
    def terms(self) -> Terms:
        return Terms(self.shows, "allow_missing" in self.data)

    @property
    def shows(self) -> Shows | None:
        """The parts that are switched on, or None if the request was sent without switches."""
        return Shows(*(self.cleaned_data[part] for part in Shows._fields)) if "switches" in self.data else None


@session_page(Can.DIRECT, FORM, phase=Phase.BEGUN)
def publish(request: HttpRequest, session: Session) -> HttpResponse:
    """Show what readers will see. A POST publishes it. If results are missing, the director must agree to that."""

    def describe(shown: Mapping[str, Any]) -> dict[str, Any]:
        moves = who_moves(request, session, shown["last"]) if shown["last"] is not None and shown["due"] else {}
        return moves | what_is_shown(request, session)

    tell, make_form = partial(tell_published, session), partial(PublishForm, session)
    return answer_publishing(request, SESSIONS, session, tell, describe, make_form)


def tell_published(session: Session) -> tuple[str, str]:
    """Return the message that a session is published, and the page to show then."""
    session.refresh_from_db(fields=["shows_ranking"])
    if session.tournament.club.is_practice:
        told = _("Published (practice).")
    elif session.shows_ranking:
        told = _("Published: everybody can read the ranking.")
    else:
        told = _("Published: readers see what you have chosen.")
    return told, session_url("ranking" if session.shows_ranking else "publish", session)


def who_moves(request: HttpRequest, session: Session, last: Publication) -> dict[str, Any]:
    """Return template values that show how a new version would change the published ranking.

    For a director who has still to play étuis, `hidden` is true and `preview` is None.
    """
    hidden = bool(hidden_etuis(session, request.user))
    return {"hidden": hidden, "preview": None if hidden else preview_since(session.pk, last.data)}


def what_is_shown(request: HttpRequest, session: Session) -> dict[str, Any]:
    progress = Progress(read_desk(request, session))
    has_cards = session.deal_set is not None and session.deal_set.etuis.exclude(cards="").exists()
    return {
        "session": session,
        "feuilles": list_feuilles(find_format(session.tournament.format)),
        "progress": progress,
        "not_played": count_not_played(session),
        "others": sections_still_playing(session),
        "open_points": link_points(session, progress.states),
        "has_cards": has_cards,
        "shows_cards": has_cards and bool(publishable_cards(session, missing=progress.missing)),
    }


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN, back="publish")
def publication_step(request: HttpRequest, session: Session, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it, or "show" the chosen parts.

    To reopen or withdraw it needs a reason. Raise Http404 for another `step`.
    """
    if step == "show":
        form = PublishForm(session, request.POST)
        form.full_clean()
        word = DirectorWord(**signed(request))
        switch_parts(session_id=session.pk, shows=form.shows or Shows.of(session), word=word)
        return done(request, _("Readers now see what you have chosen."), session_url("publish", session))
    return take_ranking_step(request, SESSIONS, step, session.pk, session_url("publish", session))
