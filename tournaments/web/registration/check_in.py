"""The director's list of a session before its start: who is down, who is there, who walks in; and their seats."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.guard import find_full
from clubs.guard.codes import count_of_session
from clubs.models import Player
from clubs.names import plain, words_of
from clubs.players import sort_by_name
from clubs.roster import MAX_NAME
from tournaments.addresses import link_to
from tournaments.errors import Refused
from tournaments.models import Applicant, Registration, Session
from tournaments.people.registration import (
    Asked,
    Listed,
    accept,
    check_in,
    decline,
    find_next,
    find_registration,
    list_down,
    list_withdrawn,
    said_by,
    set_registration,
    walk_in,
)
from tournaments.people.seats import find_who, seat_present
from tournaments.permissions import Can
from tournaments.web.doors import ACTION, FORM, Phase, author, session_page, session_url
from tournaments.web.numbers import number_of, read_number
from tournaments.web.registration.forms import RegistrationForm, WalkInForm
from tournaments.words.messages import say


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT)
def registration(request: HttpRequest, session: Session) -> HttpResponse:
    """The button pressed says what is meant: the settings, or somebody who walks in."""
    known = find_registration(session)
    down = list_down(session)
    players = free_players(session, down)
    settings, walks_in = RegistrationForm(instance=known), WalkInForm(players=players)
    if request.method == "POST" and request.POST.get("action") == "walk_in":
        walks_in = WalkInForm(request.POST, players=players)
        if walks_in.is_valid():
            asked, player = walks_in.asked, walks_in.player
            try:
                walk_in(session_id=session.pk, asked=asked, player=player, by=author(request), now=timezone.now())
            except Refused as refusal:
                walks_in.add_error(None, say(refusal))
            else:
                return redirect(f"{session_url('registration', session)}#walk-in")
    elif request.method == "POST":
        settings = RegistrationForm(request.POST, instance=known)
        if settings.is_valid():
            given = dict(settings.cleaned_data)
            set_registration(session_id=session.pk, by=author(request), now=timezone.now(), **given)
            messages.success(request, _("The settings of the registration are kept."))
            return redirect(session_url("registration", session))
    context = context_of(session, known, down, query=request.GET.get("q", "").strip()[:MAX_NAME])
    context |= {
        "settings": settings,
        "walk_in": walks_in,
        "page_link": link_to(request, session_url("sign_up", session)),
    }
    context["strikes"] = read_number(request.GET, "strike")
    return render(request, "sign_up/registration.html", context)


def free_players(session: Session, down: Sequence[Listed]) -> list[Player]:
    """Return the players of the club's list who are not down, in the order of names."""
    taken = [said_by(each.applicant) for each in down]
    by_words: dict[str, list[Asked]] = {}
    for each in taken:
        by_words.setdefault(each.words, []).append(each)
    players = session.tournament.club.players.listed()
    asked = {player: Asked(player.last_name, player.first_name, player.licence) for player in players}
    return sort_by_name(
        player for player, own in asked.items() if not any(map(own.is_same, by_words.get(own.words, ())))
    )


def context_of(session: Session, known: Registration | None, down: Sequence[Listed], *, query: str) -> dict[str, Any]:
    """Return what the page tells of those who are down, in the order of names; `query` narrows them to some."""
    there = [each.applicant for each in down if each.applicant.present_at]
    club = session.tournament.club
    who = find_who(club, [applicant for applicant in there if applicant.player_id is None])
    rows = [
        {
            "applicant": each.applicant,
            "waits": each.waits,
            "twice": each.twice,
            "who": found if (found := who.get(each.applicant.pk)) and found.doubtful else None,
            "hidden": not is_found(each.applicant, query),
        }
        for each in sorted(down, key=place_of)
    ]
    return {
        "session": session,
        "registration": known,
        "is_guessed": known is not None and find_full([count_of_session(session.pk)]) is not None,
        "rows": rows,
        "query": query,
        "found": sum(not row["hidden"] for row in rows),
        "next": find_next(down),
        "withdrawn": list_withdrawn(session),
        "there": len(there),
        "doubts": sum(each.doubtful for each in who.values()),
    }


def place_of(listed: Listed) -> tuple[str, str, int]:
    applicant = listed.applicant
    return plain(applicant.last_name), plain(applicant.first_name), applicant.pk


def is_found(applicant: Applicant, query: str) -> bool:
    """Return whether name and licence have every word of the query, accents and capitals aside."""
    text = " ".join(words_of(f"{applicant.name} {applicant.licence}"))
    return all(word in text for word in words_of(query))


@session_page(Can.DIRECT, ACTION, phase=Phase.DRAFT, back="registration")
def applicant(request: HttpRequest, session: Session, applicant: int) -> HttpResponse:
    """The director's word on one of them, by the button pressed."""
    word, now = request.POST.get("word", ""), timezone.now()
    if word in ("here", "away"):
        check_in(session_id=session.pk, applicant_id=applicant, present=word == "here", now=now)
    elif word == "accept":
        accept(session_id=session.pk, applicant_id=applicant, now=now)
    elif word == "decline":
        decline(session_id=session.pk, applicant_id=applicant, by=author(request), now=now)
    return redirect(f"{session_url('registration', session)}#applicant-{applicant}")


@session_page(Can.DIRECT, ACTION, phase=Phase.DRAFT, back="registration")
def seat(request: HttpRequest, session: Session) -> HttpResponse:
    """Those who are there take seats; the answers to who somebody is come with it."""
    answers = read_answers(request.POST)
    entrants = seat_present(session_id=session.pk, answers=answers, by=author(request), now=timezone.now())
    told = ngettext("%(count)s player is seated.", "%(count)s players are seated.", len(entrants))
    messages.success(request, told % {"count": len(entrants)})
    return redirect(session_url("entrants", session))


def read_answers(given: Mapping[str, str]) -> dict[int, int | None]:
    """Whom an applicant's id means: a player's id, or None for somebody new. What cannot be read is no answer."""
    answers: dict[int, int | None] = {}
    for name, whom in given.items():
        applicant = number_of(name.removeprefix("who-")) if name.startswith("who-") else 0
        player = number_of(whom)
        if applicant and (player or whom == "new"):
            answers[applicant] = player or None
    return answers
