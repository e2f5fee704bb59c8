"""The screen in the hall, and on each player's phone the page that says where he sits. Public; of results it knows
those of the podium, once they are published.

It shows the position called last or, before the first call, where the evening begins; at the end who has won, and on
a large screen the whole ranking by turns, which that screen alone asks for.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.functional import cached_property

from clubs.models import User
from clubs.names import plain
from clubs.shown import is_named, public_name
from tournaments.models import Entrant, Session
from tournaments.permissions import Can, SessionGlance, get_session_at, glance_at_session, require_found
from tournaments.plans.places import PlanOfPlaces, Stop, TablePlace
from tournaments.plays.common import common_of
from tournaments.plays.outcome import Outcome
from tournaments.plays.session_plays import find_owing
from tournaments.sessions.running import clock_of
from tournaments.web.desk.podium import Place, Podium, draw_code, podium_of, ranking_of
from tournaments.web.desk.settled import Settled, settled_of
from tournaments.web.doors import Phase, address_of, session_page
from tournaments.words.stamps import make_stamp

SOON = 180  # seconds before the end, from which the next position is shown


@dataclass(frozen=True, slots=True)
class HallSeat:
    """Where one person is now and in the next position. `after` is None where there is none, or he goes home.
    `for_whom` he stands in, if he does."""

    entrant: Entrant
    family: str
    given: str
    for_whom: str
    now: Stop
    after: Stop | None

    @property
    def place(self) -> TablePlace | None:
        """None while he rests."""
        return self.now.place

    @property
    def line(self) -> str:
        """Where he sits now: a rover perhaps not on his own line."""
        return self.now.line

    @property
    def key(self) -> str:
        return plain(f"{self.family} {self.given}")


@dataclass(frozen=True, slots=True)
class Asked:
    """How somebody looks at the hall: by table or by name, for the part of a name that is `wanted`."""

    by_table: bool = False
    wanted: str = ""

    def stamp(self, glance: SessionGlance) -> str:
        """Another one whenever something on the page may be, but for the clock that ticks by itself."""
        return make_stamp("hall", self.by_table, self.wanted, *revisions(glance))


class Hall:
    """A session under way as the room sees it."""

    def __init__(self, session: Session, asked: Asked, settled: Settled, *, now: dt.datetime) -> None:
        self.session, self.now, self.by_table, self.wanted = session, now, asked.by_table, asked.wanted
        self.settled = settled
        self.position = session.position or 1
        self.clock = clock_of(session)

    @property
    def called(self) -> bool:
        return bool(self.session.position)

    @cached_property
    def finished(self) -> bool:
        """Whether the evening is closed, or published and nobody plays on: nothing is missing, or no call is next."""
        if self.session.closed_at is not None:
            return True
        if not self.settled.publications:
            return False
        between = 0 < self.session.position < self.session.positions
        return not between or not find_owing(self.session, until=self.session.positions)

    @property
    def by_name(self) -> bool:
        """Whether people look for their seats: once the evening is over it is a public page as every other."""
        return not self.finished

    @property
    def closed_at(self) -> dt.datetime | None:
        return self.session.closed_at

    @cached_property
    def outcome(self) -> Outcome | None:
        """What is published, once the evening is over."""
        return common_of(self.session).outcome if self.finished else None

    @property
    def is_checked(self) -> bool:
        """Whether a ranking is published, and not taken back."""
        return self.outcome is not None and self.outcome.is_public

    @cached_property
    def podium(self) -> Podium | None:
        """None too where the ranking is not shown."""
        if self.outcome is None or not self.outcome.is_public or not self.session.shows_ranking:
            return None
        return podium_of(common_of(self.session), self.outcome)

    @property
    def ranking(self) -> list[Place]:
        """Everybody, where there is a podium."""
        return ranking_of(common_of(self.session), self.outcome) if self.podium and self.outcome else []

    @property
    def shows_end(self) -> bool:
        """Whether the end takes the place of the seats: to who asks for neither a table nor a name."""
        return self.finished and not self.by_table and not self.wanted

    @property
    def seconds(self) -> int:
        return self.clock.seconds(self.now)

    @property
    def figure(self) -> str:
        """As a clock shows it: minutes and seconds; with a plus those since the end."""
        overtime = self.clock.overtime(self.now)
        minutes, seconds = divmod(overtime or self.seconds, 60)
        return f"{'+' if overtime else ''}{minutes}:{seconds:02}"

    @property
    def over(self) -> bool:
        return self.clock.is_over(self.now)

    @property
    def following(self) -> int | None:
        """The next position; None in the last one, and before the first is called."""
        return self.position + 1 if self.called and self.position < self.session.positions else None

    @property
    def previews(self) -> bool:
        """Whether people are about to move on."""
        return self.following is not None and self.clock.is_set and self.seconds <= SOON

    @property
    def plan(self) -> PlanOfPlaces:
        return self.settled.plan

    @cached_property
    def seats(self) -> list[HallSeat]:
        """Everybody who is there, by family name."""
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
        """By the table's number: what goes on there in the next position."""
        places = [seat.after.place for seat in self.seats if seat.after and seat.after.place]
        return {place.table: place for place in places}

    @cached_property
    def tables_with_next(self) -> list[tuple[int, TablePlace | None, TablePlace | None]]:
        """Each table's number with what goes on there now and, once people are about to move on, next."""
        now = {place.table: place for place in self.tables}
        after = self.tables_next if self.previews else {}
        return [(table, now.get(table), after.get(table)) for table in sorted(now.keys() | after.keys())]

    @cached_property
    def tables(self) -> list[TablePlace]:
        return sorted(
            (seat.place for seat in self.seats if seat.place and seat.line == "N"),
            key=lambda place: place.table,
        )

    @property
    def all_playing(self) -> bool:
        return self.called and len(self.owing.get(self.position, ())) == len(self.tables)

    @property
    def late(self) -> list[tuple[int, str]]:
        """Each position with the tables that owe results of it; without the present one while all are playing."""
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
        words = plain(self.wanted).split()
        return [seat for seat in self.seats if all(word in seat.key for word in words)] if words else []

    @cached_property
    def owing(self) -> dict[int, dict[int, int]]:
        return find_owing(self.session, until=self.session.position)

    @cached_property
    def last_calls(self) -> list[int]:
        """Tables where no étui is begun any more."""
        if not self.called:
            return []
        return list(self.session.tables.filter(last_call=self.position).values_list("number", flat=True))

    @property
    def last_call_everywhere(self) -> bool:
        return len(self.last_calls) >= len(self.tables)

    @property
    def rings(self) -> str:
        """What is heard, each by a name of its own."""
        return " ".join(f"last-{self.position}-{table}" for table in self.last_calls)


def revisions(glance: SessionGlance) -> tuple[object, ...]:
    """What the hall and the head of the desk are at; of results they show which are missing."""
    return glance.shared, glance.names, glance.tables, glance.soon, glance.over


def glance_in(
    address: Mapping[str, Any], now: dt.datetime, user: User | AnonymousUser | None = None
) -> SessionGlance | None:
    """At the session that a page's address names."""
    return glance_at_session(user, address, now=now, soon=now + dt.timedelta(seconds=SOON + 1))


def newest(session: Session, glance: SessionGlance) -> Session:
    """The session as it was when it was looked at or later, read again where it was written to before that: so that
    nothing is built under a stamp that is newer than it."""
    read = session.revision, session.results_version, session.standings.results_version
    return session if read == (glance.shared, glance.results, glance.computed) else get_session_at(glance, Can.READ)


def who(entrant: Entrant, position: int, *, by_name: bool) -> tuple[str, str, str]:
    """Family name and first name of the person who plays for an entrant in that position, and for whom he stands in, if
    he does. Not `by_name`: what stands for them in public."""
    person = entrant.person_at(position)
    for_whom = "" if person == entrant.player else entrant.player.name if by_name else public_name(entrant.player)
    if by_name or is_named(person):
        return person.last_name, person.first_name, for_whom
    return public_name(person), "", for_whom


def hall(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """The whole page; as a refresh its changing part, or 204 where nothing has changed, so that nothing moves."""
    seen = request.htmx and is_seen(request, address)  # type: ignore[attr-defined]
    response = HttpResponse(status=204) if seen else page(request, **address)
    add_never_cache_headers(response)
    return response


def is_seen(request: HttpRequest, address: Mapping[str, Any]) -> bool:
    seen, glance = request.GET.get("seen"), glance_in(address, timezone.now())
    return bool(seen) and glance is not None and seen == asked_by(request).stamp(glance)


def asked_by(request: HttpRequest) -> Asked:
    return Asked(by_table=request.GET.get("by") == "table", wanted=request.GET.get("q", "").strip()[:80])


@session_page(Can.READ, phase=Phase.BEGUN)
def page(request: HttpRequest, session: Session) -> HttpResponse:
    asked, now = asked_by(request), timezone.now()
    glance = require_found(glance_in(address_of(session), now, request.user))
    session = newest(session, glance)
    template = "hall/_live.html" if request.htmx else "hall/hall.html"  # type: ignore[attr-defined]
    shown = Hall(session, asked, settled_of(session, glance.names), now=now)
    if "ranking" in request.GET:
        return render(request, "hall/_ranking.html", {"ranking": shown.ranking})
    context = {"session": session, "hall": shown, "stamp": asked.stamp(glance)}
    if shown.podium:
        context["code"] = draw_code(request, session)
    return render(request, template, context)
