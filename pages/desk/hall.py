"""The public page that shows who sits at which table, for the screen in the hall and for each player's phone.

It shows the seats of the position called last or, before the first call, of the first position. At the end it shows the
podium. The page shows no results before the ranking is published. A large screen also fetches and shows the whole
ranking, page by page.

People are shown as on every public page. Whoever opens the evening's link (`sessions.hall_link`) gets a cookie, with
which the page shows full names.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.functional import cached_property
from django.views.decorators.http import require_safe

from clubs.models import User
from clubs.names import simplify_name
from clubs.shown import is_named, public_name
from evenings.glance import SessionGlance, get_session_at, glance_at_session
from evenings.plans.places import PlanOfPlaces, Stop, TablePlace
from evenings.plays.common import SessionOutcome, common_of
from evenings.plays.free import count_unseated
from evenings.plays.session_plays import find_owing
from evenings.sessions.hall_link import find_key, shows_names
from evenings.sessions.running import clock_of
from evenings.teams.membership import was_active
from pages.desk.podium import PLACES, PodiumPlace, draw_ranking_code, list_hall_places
from pages.desk.settled import SettledPart, settled_of
from pages.doors import Phase, address_of, session_page, session_url
from tournaments.models import Entrant, Session
from tournaments.permissions import Can, require_found
from tournaments.words.stamps import make_stamp

COOKIE = "hall"  # it goes to the page of the hall of one session alone, and has the key of the session's link
LIFE = 2 * 86_400  # seconds
SOON = 180  # the next position is shown too, from this number of seconds before the end of a position


@dataclass(frozen=True, slots=True)
class HallSeat:
    """The place of one person now and in the next position.

    `after` is None if there is no next position, or if the person goes home. `for_whom` is the name of the player whom
    the person replaces as a stand-in, or "".
    """

    entrant: Entrant
    family: str
    given: str
    for_whom: str
    now: Stop
    after: Stop | None

    @property
    def place(self) -> TablePlace | None:
        """The table where the person sits now, or None while the person rests."""
        return self.now.place

    @property
    def line(self) -> str:
        """The line on which the person sits now. A rover may sit on another line than their own."""
        return self.now.line

    @property
    def key(self) -> str:
        return simplify_name(f"{self.family} {self.given}")


@dataclass(frozen=True, slots=True)
class HallQuery:
    """The reader's choice: seats by table or by name, and the name to look for. `named` readers see full names."""

    by_table: bool = False
    wanted: str = ""
    named: bool = False

    def stamp(self, glance: SessionGlance) -> str:
        """Return a digest that changes whenever the page may change, except for the clock, which a script moves on."""
        return make_stamp("hall", self.by_table, self.wanted, self.named, *revisions(glance))


class HallView:
    """A session under way as the people in the hall see it."""

    def __init__(self, session: Session, asked: HallQuery, settled: SettledPart, *, now: dt.datetime) -> None:
        self.session, self.now, self.by_table, self.wanted = session, now, asked.by_table, asked.wanted
        self.named = asked.named
        self.settled = settled
        self.position = session.position or 1
        self.clock = clock_of(session)

    @property
    def called(self) -> bool:
        return bool(self.session.position)

    @cached_property
    def finished(self) -> bool:
        """True if the session is closed, or is published and no more play goes on.

        No more play goes on if no result is missing, or if no position remains to be called.
        """
        if self.session.closed_at is not None:
            return True
        if not self.settled.publications:
            return False
        between = 0 < self.session.position < self.session.positions
        if count_unseated(self.session):
            return False
        return not between or not find_owing(self.session, until=self.session.positions)

    @property
    def by_name(self) -> bool:
        """True if full names are shown: to people in the hall, who look for their seats, while the evening runs.

        Other readers see only public names, as on every other public page.
        """
        return self.named and not self.finished

    @property
    def closed_at(self) -> dt.datetime | None:
        return self.session.closed_at

    @cached_property
    def outcome(self) -> SessionOutcome | None:
        """The published outcome once the evening is over, or None before that or without a publication."""
        return common_of(self.session).outcome if self.finished else None

    @property
    def is_checked(self) -> bool:
        """True if a ranking is published and not withdrawn."""
        return self.outcome is not None and self.outcome.is_public

    @property
    def shows_ranking(self) -> bool:
        """True if a ranking is public, and readers may see it."""
        return self.is_checked and self.session.shows_ranking

    @property
    def podium(self) -> list[PodiumPlace]:
        """The ranks 1 to 3, if readers may see the ranking."""
        return (
            list_hall_places(common_of(self.session), self.outcome, PLACES)
            if self.shows_ranking and self.outcome
            else []
        )

    @property
    def ranking(self) -> list[PodiumPlace]:
        """All players of the ranking, if readers may see it."""
        return list_hall_places(common_of(self.session), self.outcome) if self.shows_ranking and self.outcome else []

    @property
    def shows_end(self) -> bool:
        """True if the end of the evening is shown instead of the seats.

        Readers who ask for tables or look for a name see the seats.
        """
        return self.finished and not self.by_table and not self.wanted

    @property
    def seconds(self) -> int:
        return self.clock.seconds(self.now)

    @property
    def figure(self) -> str:
        """The time left in the position as text, for example "12:05".

        After the end of the position, it is the time since the end, with a plus sign: "+0:30".
        """
        overtime = self.clock.overtime(self.now)
        minutes, seconds = divmod(overtime or self.seconds, 60)
        return f"{'+' if overtime else ''}{minutes}:{seconds:02}"

    @property
    def over(self) -> bool:
        return self.clock.is_over(self.now)

    @property
    def following(self) -> int | None:
        """The next position, or None in the last position and before the first call."""
        return self.position + 1 if self.called and self.position < self.session.positions else None

    @property
    def previews(self) -> bool:
        """True if people are about to move to the next position."""
        return self.following is not None and self.clock.is_set and self.seconds <= SOON

    @property
    def plan(self) -> PlanOfPlaces:
        return self.settled.plan

    @cached_property
    def seats(self) -> list[HallSeat]:
        """All people who play or rest in this position, by family name."""
        found = []
        for way in self.plan.ways:
            stops = {stop.position: stop for stop in way.stops if stop.there}
            if self.position in stops:
                family, given, for_whom = who(way.entrant, self.position, by_name=self.by_name)
                after = stops.get(self.following) if self.following else None
                found.append(HallSeat(way.entrant, family, given, for_whom, stops[self.position], after))
        return sorted(found, key=lambda seat: seat.key)

    @cached_property
    def tables_next(self) -> dict[int, TablePlace]:
        """The tables of the next position with their players and étuis, by number."""
        return {place.table: place for place in self.places_in(self.following or 0)}

    @cached_property
    def tables_with_next(self) -> list[tuple[int, TablePlace | None, TablePlace | None]]:
        """Each table's number, its players and étuis now, and those of the next position once people are to move."""
        now = {place.table: place for place in self.tables}
        after = self.tables_next if self.previews else {}
        return [(table, now.get(table), after.get(table)) for table in sorted(now.keys() | after.keys())]

    @cached_property
    def tables(self) -> list[TablePlace]:
        return self.places_in(self.position)

    def places_in(self, position: int) -> list[TablePlace]:
        """Return the tables that play in a position, by number. It is empty for a position that the plan lacks."""
        return [place for places in self.plan.positions for place in places if place.position == position]

    @property
    def all_playing(self) -> bool:
        return self.called and len(self.owing.get(self.position, ())) == len(self.tables)

    @property
    def late(self) -> list[tuple[int, str]]:
        """Each position with missing results up to the present one, with its tables as text: (3, "1, 4, 7").

        The present position is left out while all of its tables play.
        """
        shown = [position for position in self.owing if position < self.position or not self.all_playing]
        return [(position, ", ".join(map(str, self.owing[position]))) for position in shown]

    @property
    def resting(self) -> list[HallSeat]:
        return [seat for seat in self.seats if seat.place is None]

    @property
    def resting_next(self) -> list[HallSeat]:
        return [seat for seat in self.seats if seat.after is not None and seat.after.place is None]

    @cached_property
    def found(self) -> list[HallSeat]:
        words = simplify_name(self.wanted).split()
        members = self.members if words else {}

        def fits(seat: HallSeat) -> bool:
            keys = [seat.key, *members.get(seat.entrant.team_id or 0, ())]
            return any(all(word in key for word in words) for key in keys)

        return [seat for seat in self.seats if fits(seat)] if words else []

    @property
    def members(self) -> dict[int, list[str]]:
        """The names of the members of each team in this position, as `HallSeat.key`, by the team's id."""
        found: dict[int, list[str]] = {}
        for member in common_of(self.session).members:
            if was_active(member, self.session.number, self.position):
                name = member.player.name if self.by_name else public_name(member.player)
                found.setdefault(member.team_id, []).append(simplify_name(name))
        return found

    @cached_property
    def owing(self) -> dict[int, dict[int, int]]:
        return find_owing(self.session, until=self.session.position)

    @cached_property
    def last_calls(self) -> list[int]:
        """The numbers of the tables that have had their last call: they begin no more étuis."""
        if not self.called:
            return []
        return list(self.session.tables.filter(last_call=self.position).values_list("number", flat=True))

    @property
    def last_call_everywhere(self) -> bool:
        return len(self.last_calls) >= len(self.tables)

    @property
    def rings(self) -> str:
        """The names of the last calls, separated by spaces. The page makes a sound for each name that is new to it."""
        return " ".join(f"last-{self.position}-{table}" for table in self.last_calls)


def revisions(glance: SessionGlance) -> tuple[object, ...]:
    """Return the values of a glance that change whenever the hall's page or the head of the desk may change.

    Both show which results are missing, but no result. So the versions of the results are left out.
    """
    return glance.shared, glance.names, glance.tables, glance.soon, glance.over


def glance_in(
    address: Mapping[str, Any], now: dt.datetime, user: User | AnonymousUser | None = None
) -> SessionGlance | None:
    """Return the glance (version numbers, read by one query) of the session that an address names, or None."""
    return glance_at_session(user, address, now=now, soon=now + dt.timedelta(seconds=SOON + 1))


def newest(session: Session, glance: SessionGlance) -> Session:
    """Return the session. Read it again if its version numbers differ from those of the glance.

    The stamp of a page is made from the glance. So a page never shows figures that are older than its stamp.
    """
    read = session.revision, session.results_version, session.standings.results_version
    return session if read == (glance.shared, glance.results, glance.computed) else get_session_at(glance, Can.READ)


def who(entrant: Entrant, position: int, *, by_name: bool) -> tuple[str, str, str]:
    """Return (family name, first name, `for_whom`) of the person who plays for an entrant in that position.

    A team has its name for a family name.

    `for_whom` is the name of the player whom the person replaces, or "". Without `by_name`, the public names are
    returned.
    """
    if entrant.team_id is not None:
        return entrant.get_name(by_name=by_name), "", ""
    person = entrant.person_at(position)
    own = entrant.single
    for_whom = "" if person == own else own.name if by_name else public_name(own)
    if by_name or is_named(person):
        return person.last_name, person.first_name, for_whom
    return public_name(person), "", for_whom


@require_safe
def hall_screen(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """Show the whole page. For a refresh, answer with its changing part, or with 204 if nothing has changed.

    After a 204, the browser leaves the page as it is.
    """
    seen = request.htmx and is_seen(request, address)  # type: ignore[attr-defined]
    response = HttpResponse(status=204) if seen else show_hall(request, **address)
    add_never_cache_headers(response)
    return response


@session_page(Can.READ, phase=Phase.BEGUN)
def open_hall(request: HttpRequest, session: Session, key: str) -> HttpResponse:
    """Open the page of the hall with full names: give this browser a cookie, and redirect to the page itself.

    So the key leaves the address. With an old link the page says so.
    """
    now, address = timezone.now(), session_url("hall", session)
    glance = require_found(glance_in(address_of(session), now, request.user))
    opens = shows_names(glance, key, now)
    response = redirect(address if opens else f"{address}?ended")
    if opens:
        response.set_cookie(COOKIE, key, LIFE, path=address, secure=settings.HTTPS, httponly=True, samesite="Lax")
    add_never_cache_headers(response)
    return response


@session_page(Can.ENTER, phase=Phase.BEGUN)
def open_from_desk(_request: HttpRequest, session: Session) -> HttpResponse:
    """Redirect the desk to the hall by the evening's link. So the desk, which is drawn often, needs no query for it."""
    return redirect(find_hall_address(session))


def find_hall_address(session: Session) -> str:
    """Return the address that opens the hall's page with full names or, once the link has ended, the page itself."""
    key = find_key(session, timezone.now())
    return session_url("hall_link", session, key) if key else session_url("hall", session)


def is_seen(request: HttpRequest, address: Mapping[str, Any]) -> bool:
    now = timezone.now()
    seen, glance = request.GET.get("seen"), glance_in(address, now)
    return bool(seen) and glance is not None and seen == asked_by(request, glance, now).stamp(glance)


def asked_by(request: HttpRequest, glance: SessionGlance, now: dt.datetime) -> HallQuery:
    return HallQuery(
        by_table=request.GET.get("by") == "table",
        wanted=request.GET.get("q", "").strip()[:80],
        named=shows_names(glance, request.COOKIES.get(COOKIE, ""), now),
    )


@session_page(Can.READ, phase=Phase.BEGUN)
def show_hall(request: HttpRequest, session: Session) -> HttpResponse:
    now = timezone.now()
    glance = require_found(glance_in(address_of(session), now, request.user))
    asked = asked_by(request, glance, now)
    session = newest(session, glance)
    template = "hall/_live.html" if request.htmx else "hall/hall.html"  # type: ignore[attr-defined]
    shown = HallView(session, asked, settled_of(session, glance.names), now=now)
    if "ranking" in request.GET:
        return render(request, "hall/_ranking.html", {"ranking": shown.ranking})
    context = {"session": session, "screen": shown, "stamp": asked.stamp(glance), "ended": "ended" in request.GET}
    if shown.shows_ranking:
        context["code"] = draw_ranking_code(request, session)
    return render(request, template, context)
