"""The head of the desk while an evening runs: the position, its clock, the tables with missing results, and buttons.

Each button sends a POST, which redirects to the page of the session. Only directors see the buttons.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evenings.glance import SessionGlance, get_session_at
from evenings.plans.free.laying import count_timed_deals
from evenings.plays.desk_state import DeskPlay
from evenings.plays.free import count_unseated_after, find_last_seated
from evenings.plays.state import SET_ASIDE
from evenings.sessions import running
from evenings.sessions.hall_link import renew_hall_link
from evenings.sessions.running import close_session, reopen_session
from pages.acting import done, signed
from pages.desk.hall import HallQuery, HallView, glance_in, newest, revisions
from pages.desk.progress import SessionDesk
from pages.doors import ACTION, Phase, address_of, author, never_kept, session_page, session_url
from pages.form_fields import ReasonForm
from tournaments.models import Session
from tournaments.numbers import read_number
from tournaments.permissions import Can, require_found
from tournaments.words.stamps import make_stamp


class Head(HallView):
    """The values of the hall's page, and those that only the head of the desk shows.

    They come from the plays and tables that the desk has read already.
    """

    def __init__(self, desk: SessionDesk, *, now: dt.datetime) -> None:
        super().__init__(desk.session, HallQuery(named=True), desk.settled, now=now)
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
        """The position that can be called next, or None after the last one and before a game that is not seated."""
        following = self.session.position + 1
        last = find_last_seated(self.session, (each.position for each in self.desk.plays))
        return following if following <= last else None

    @property
    def minutes(self) -> int:
        """The minutes to which the clock of a position is set."""
        return self.count_minutes(self.session.position + 1)

    def count_minutes(self, position: int) -> int:
        """Return the minutes of a position. A game that is not seated yet is as long as the last seated one."""
        last = max((each.position for each in self.desk.plays), default=0)
        has_five = min(position, last) in self.with_five
        return count_timed_deals(self.session, has_five=has_five) * self.session.minutes_per_etui

    @cached_property
    def with_five(self) -> set[int]:
        """The positions in which five people sit at some table."""
        return {each.position for each in self.desk.plays if each.play.fifth_id}

    @property
    def evening_ends(self) -> dt.datetime:
        """The approximate end of the last position.

        It is computed from the clock or, before the first call, from the planned hour, or from now if that is later.
        """
        if self.called:
            begin = self.now + dt.timedelta(seconds=self.seconds)
        else:
            planned = dt.datetime.combine(self.session.date, self.session.starts_at)
            begin = max(self.now, timezone.make_aware(planned))
        to_come = range(self.session.position + 1, self.session.positions + 1)
        return begin + dt.timedelta(minutes=sum(map(self.count_minutes, to_come)))

    @property
    def owed(self) -> list[tuple[int, int, list[int]]]:
        """Each earlier position with missing results: (position, number of missing results, numbers of the tables)."""
        return [
            (position, sum(tables.values()), list(tables))
            for position, tables in self.owing.items()
            if position < self.position
        ]

    @cached_property
    def begun(self) -> bool:
        """True if a play of the position called last has begun. The call of that position cannot be withdrawn then."""
        return any(has_begun(each) for each in self.plays_called if each.position == self.session.position)

    @cached_property
    def set_aside(self) -> list[DeskPlay]:
        return [each for each in self.plays_called if each.finest.value in SET_ASIDE]

    @property
    def awaited(self) -> int:
        """The number of missing results, of every position. Games that are not seated yet count."""
        return sum(each.missing for each in self.desk.plays) + self.unseated

    @cached_property
    def unseated(self) -> int:
        """The number of results of games that are not seated yet."""
        return count_unseated_after(self.session, (each.position for each in self.desk.plays))

    @property
    def playing_on(self) -> list[int]:
        """The numbers of the tables that have not had their last call."""
        return [place.table for place in self.tables if place.table not in self.last_calls]


def has_begun(each: DeskPlay) -> bool:
    if each.entry or each.annulled or each.play.started_at is not None:
        return True
    rulings = list(each.play.rulings.all())
    return bool(rulings) and rulings[-1].kind in SET_ASIDE


@require_safe
def running_head(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """Answer with the head as it is now, or with 204 if nothing in it has changed."""
    glance = glance_in(address, timezone.now(), request.user)
    if glance is None or glance.power < Can.ENTER:
        return show_running(request, **address)  # this view says why the request is refused
    if request.GET.get("seen") == stamp_for(glance):
        return HttpResponse(status=204)
    return never_kept(request, draw(request, get_session_at(glance, Can.ENTER), glance))


@session_page(Can.ENTER, phase=Phase.BEGUN)
def show_running(request: HttpRequest, session: Session) -> HttpResponse:
    glance = require_found(glance_in(address_of(session), timezone.now(), request.user))
    return draw(request, newest(session, glance), glance)


def draw(request: HttpRequest, session: Session, glance: SessionGlance) -> HttpResponse:
    desk = SessionDesk(session, author(request) if glance.power >= Can.DIRECT else None, glance)
    return render(request, "desk/_running_head.html", make_head_context(desk))


def make_head_context(desk: SessionDesk) -> dict[str, Any]:
    """Return the template context for the head of the desk."""
    head = Head(desk, now=timezone.now())
    return {"session": desk.session, "head": head, "stamp": stamp_for(desk.glance)}


def stamp_for(glance: SessionGlance) -> str:
    return make_stamp("head", glance.power, *revisions(glance))


@session_page(Can.DIRECT, ACTION)
def call_position(request: HttpRequest, session: Session) -> HttpResponse:
    """Call the position named or, with `back`, withdraw its call."""
    service = running.take_back_call if "back" in request.POST else running.call_position
    return carry_out(request, session, service, position=read_number(request.POST, "position"))


@session_page(Can.DIRECT, ACTION)
def clock(request: HttpRequest, session: Session) -> HttpResponse:
    """Stop, start or move the clock. `do` is "stop", "go", or the minutes to add (to take off, if below 0).

    `seen` is the clock as the page showed it.
    """
    match request.POST.get("do"):
        case "stop":
            return carry_out(request, session, running.stop_clock)
        case "go":
            return carry_out(request, session, running.resume_clock)
    seen = request.POST.get("seen", "")
    return carry_out(request, session, running.move_clock, minutes=read_number(request.POST, "do"), seen=seen)


@session_page(Can.DIRECT, ACTION)
def last_call(request: HttpRequest, session: Session) -> HttpResponse:
    """Give the last call at the table named or, without one, at all tables. With `back`, withdraw it."""
    where = {"position": read_number(request.POST, "position"), "table": read_number(request.POST, "table") or None}
    if "back" in request.POST:
        return carry_out(request, session, running.take_back_last_call, **where)
    return carry_out(request, session, running.last_call, **where, unstarted=request.POST.get("unstarted", ""))


@session_page(Can.DIRECT, ACTION)
def close_or_reopen(request: HttpRequest, session: Session) -> HttpResponse:
    """Close the evening or, if `do` is "reopen", open it again for a reason."""
    if request.POST.get("do") == "reopen":
        form = ReasonForm(request.POST)
        reason = form.cleaned_data["reason"] if form.is_valid() else ""
        return carry_out(request, session, reopen_session, reason=reason)
    return carry_out(request, session, close_session)


@session_page(Can.DIRECT, ACTION)
def renew_hall(request: HttpRequest, session: Session) -> HttpResponse:
    """Give the evening a new link for the names in the hall, and lead to the papers, which have it."""
    renew_hall_link(session_id=session.pk, **signed(request))
    text = _("There is a new link for the hall: print what has its code again.")
    return done(request, text, f"{session_url('prints', session)}#hall")


def carry_out(request: HttpRequest, session: Session, service: Callable[..., object], **what: object) -> HttpResponse:
    service(session_id=session.pk, **signed(request), **what)
    return redirect(session_url("session", session))
