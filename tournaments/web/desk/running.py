"""The head of the desk while an evening runs: the position, its clock, who owes what; and what a director does there.

Each action is a POST that leads back to the session. Helpers see the head without its buttons.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import cached_property

from tournaments.models import Session
from tournaments.permissions import Can, SessionGlance, get_session_at, require_found
from tournaments.plays.desk_state import DeskPlay
from tournaments.plays.state import SET_ASIDE
from tournaments.sessions import running
from tournaments.sessions.closing import close_session, reopen_session
from tournaments.web.desk.hall import Asked, Hall, glance_in, newest, revisions
from tournaments.web.desk.progress import Desk
from tournaments.web.doors import ACTION, Phase, address_of, author, never_kept, session_page, session_url
from tournaments.web.numbers import read_number
from tournaments.web.reason import ReasonForm
from tournaments.words.stamps import make_stamp


class Head(Hall):
    """What the hall sees, and what a director needs beside it; its plays and tables as the desk has read them."""

    def __init__(self, desk: Desk, *, now: dt.datetime) -> None:
        super().__init__(desk.session, Asked(), desk.settled, now=now)
        self.desk, self.directs = desk, desk.directs

    @cached_property
    def owing(self) -> dict[int, dict[int, int]]:
        found: dict[int, dict[int, int]] = {}
        for each in self.plays_called:
            if each.missing:
                tables = found.setdefault(each.position, {})
                tables[each.table] = tables.get(each.table, 0) + 1
        return found

    @cached_property
    def plays_called(self) -> list[DeskPlay]:
        return [each for each in self.desk.plays if each.position <= self.session.position]

    @cached_property
    def last_calls(self) -> list[int]:
        tables = self.desk.tables.last_calls.items()
        return [table for table, position in tables if self.called and position == self.position]

    @property
    def next_position(self) -> int | None:
        """The position that can be called."""
        following = self.session.position + 1
        return following if following <= self.session.positions else None

    @property
    def minutes(self) -> int:
        """What the clock of a position is set to."""
        return self.session.etuis_per_position * self.session.minutes_per_etui

    @property
    def evening_ends(self) -> dt.datetime:
        """About when the last position is over: by the clock, before the first call by the planned hour or by now."""
        if self.called:
            begin = self.now + dt.timedelta(seconds=self.seconds)
        else:
            planned = dt.datetime.combine(self.session.date, self.session.starts_at)
            begin = max(self.now, timezone.make_aware(planned))
        to_come = self.session.positions - self.session.position
        return begin + dt.timedelta(minutes=to_come * self.minutes)

    @property
    def owed(self) -> list[tuple[int, int, list[int]]]:
        """For each position before the one called: how many results are missing, and at which tables."""
        return [
            (position, sum(tables.values()), list(tables))
            for position, tables in self.owing.items()
            if position < self.position
        ]

    @cached_property
    def begun(self) -> bool:
        """Whether anything of the position called last stands in the way of taking its call back."""
        return any(has_begun(each) for each in self.plays_called if each.position == self.session.position)

    @cached_property
    def set_aside(self) -> list[DeskPlay]:
        return [each for each in self.plays_called if each.finest.value in SET_ASIDE]

    @property
    def awaited(self) -> int:
        """Results that are missing, of every position."""
        return sum(each.missing for each in self.desk.plays)

    @property
    def playing_on(self) -> list[int]:
        """Tables that have not had their last call."""
        return [place.table for place in self.tables if place.table not in self.last_calls]


def has_begun(each: DeskPlay) -> bool:
    if each.entry or each.annulled or each.play.started_at is not None:
        return True
    rulings = list(each.play.rulings.all())
    return bool(rulings) and rulings[-1].kind in SET_ASIDE


def running_head(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """The head as it is now; 204 where nothing in it has changed."""
    glance = glance_in(address, timezone.now(), request.user)
    if glance is None or glance.power < Can.ENTER:
        return page(request, **address)  # which says why not
    if request.GET.get("seen") == stamp_for(glance):
        return HttpResponse(status=204)
    return never_kept(request, draw(request, get_session_at(glance, Can.ENTER), glance))


@session_page(Can.ENTER, phase=Phase.BEGUN)
def page(request: HttpRequest, session: Session) -> HttpResponse:
    glance = require_found(glance_in(address_of(session), timezone.now(), request.user))
    return draw(request, newest(session, glance), glance)


def draw(request: HttpRequest, session: Session, glance: SessionGlance) -> HttpResponse:
    desk = Desk(session, author(request) if glance.power >= Can.DIRECT else None, glance)
    return render(request, "desk/_running_head.html", context_of(desk))


def context_of(desk: Desk) -> dict[str, Any]:
    """What the head of the desk is made of."""
    head = Head(desk, now=timezone.now())
    return {"session": desk.session, "head": head, "stamp": stamp_for(desk.glance)}


def stamp_for(glance: SessionGlance) -> str:
    return make_stamp("head", glance.power, *revisions(glance))


@session_page(Can.DIRECT, ACTION)
def call_position(request: HttpRequest, session: Session) -> HttpResponse:
    """Calls the position named or, with `back`, takes its call back."""
    service = running.take_back_call if "back" in request.POST else running.call_position
    return carry_out(request, session, service, position=read_number(request.POST, "position"))


@session_page(Can.DIRECT, ACTION)
def clock(request: HttpRequest, session: Session) -> HttpResponse:
    """`do` is stop, go, or the minutes to add or, below 0, to take; `seen` the clock as the page showed it."""
    match request.POST.get("do"):
        case "stop":
            return carry_out(request, session, running.stop_clock)
        case "go":
            return carry_out(request, session, running.resume_clock)
    seen = request.POST.get("seen", "")
    return carry_out(request, session, running.move_clock, minutes=read_number(request.POST, "do"), seen=seen)


@session_page(Can.DIRECT, ACTION)
def last_call(request: HttpRequest, session: Session) -> HttpResponse:
    """At the table named or, without one, at all of them; with `back` it is taken back."""
    where = {"position": read_number(request.POST, "position"), "table": read_number(request.POST, "table") or None}
    if "back" in request.POST:
        return carry_out(request, session, running.take_back_last_call, **where)
    return carry_out(request, session, running.last_call, **where, unstarted=request.POST.get("unstarted", ""))


@session_page(Can.DIRECT, ACTION)
def closing(request: HttpRequest, session: Session) -> HttpResponse:
    """Closes the evening or, by `do`, opens it again, for a reason."""
    if request.POST.get("do") == "reopen":
        form = ReasonForm(request.POST)
        reason = form.cleaned_data["reason"] if form.is_valid() else ""
        return carry_out(request, session, reopen_session, reason=reason)
    return carry_out(request, session, close_session)


def carry_out(request: HttpRequest, session: Session, service: Callable[..., object], **what: object) -> HttpResponse:
    service(session_id=session.pk, by=author(request), now=timezone.now(), **what)
    return redirect(session_url("session", session))
