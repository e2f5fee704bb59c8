"""The rows of a national simultaneous for benchmarks: many clubs play the same étuis in the same way.

The first club is set up and seated by the site's services. The rows of its session are then copied for each other club,
with other players and other results.
"""

import datetime as dt
import random
from typing import Any

POSITIONS, ETUIS = 9, 4
LATER = dt.timedelta(hours=3)


class National:
    """A simultaneous of so many clubs with so many tables each, in a new database. `sessions` are those of the clubs.

    Each position brings four étuis, and every table plays all 36.
    """

    def __init__(self, clubs: int, tables: int) -> None:
        from clubs.models import Club
        from tests.factories import make_club, make_director

        self.chance = random.Random(1)
        self.club: Club = make_club("federation", "Fédération")
        self.director = make_director(self.club, "directrice-nationale")
        first = self.start_first(tables)
        self.sessions = [first, *(self.copy(first, number) for number in range(2, clubs + 1))]
        for session in self.sessions:
            self.enter_all(session)
        self.simultaneous = self.make_rows()

    def make_rows(self) -> Any:
        """Return the simultaneous of these sessions. Its hours are such that it is open."""
        from django.utils import timezone

        from deals.sets import create_set_dealt_at_table
        from tournaments.models import Simultaneous, SimultaneousClub

        now = timezone.now()
        named: dict[str, Any] = {
            "club": self.club,
            "name": "Simultané",
            "count": POSITIONS * ETUIS,
            "now": now,
            "by": None,
        }
        hours = {"opens_at": now - LATER, "closes_at": now + LATER, "public_at": now + LATER}
        about = {"club": self.club, "title": "Simultané", "slug": "simultane", "created_at": now, "alterne": True}
        simultaneous = Simultaneous.objects.create(deal_set=create_set_dealt_at_table(**named), **about, **hours)
        told = {"invited_at": now, "invited_by": self.director, "agreed_at": now, "agreed_by": self.director}
        SimultaneousClub.objects.bulk_create(
            SimultaneousClub(simultaneous=simultaneous, club=session.tournament.club, session=session, **told)
            for session in self.sessions
        )
        return simultaneous

    def start_first(self, tables: int) -> Any:
        """Return the session of the first club, started by the services of the site."""
        from django.utils import timezone

        from clubs.players import add_players
        from clubs.roster import RosterLine
        from deals.sets import create_set_dealt_at_table
        from evenings.plans.choosing import choose_plan, proposals_for, shape_of
        from evenings.plans.starting import start_session
        from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
        from tests.factories import DATE, make_club, make_tournament
        from tests.short_searches import SHORT, search_with

        club = make_club("club-1", "Club 1")
        tournament = make_tournament(club, name="Simultané")
        session = create_session(tournament=tournament, date=DATE, positions=POSITIONS, etuis_per_position=ETUIS)
        session.barometer = True
        session.save(update_fields=["barometer"])
        names = [RosterLine(f"Nom{number:03}", "Zoé") for number in range(1, 4 * tables + 1)]
        players = add_players(club=club, lines=names)
        set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
        named = {"club": club, "name": "étuis", "count": POSITIONS * ETUIS, "now": timezone.now(), "by": None}
        use_deal_set(session_id=session.pk, deal_set=create_set_dealt_at_table(**named))
        session.refresh_from_db()
        with search_with(SHORT):
            proposals_for(session)
            choose_plan(session_id=session.pk, choice=0, shape=shape_of(session), by=self.director, now=timezone.now())
        return start_session(session_id=session.pk, now=timezone.now())

    def copy(self, first: Any, number: int) -> Any:
        """Return a session of another club with the same seats and étuis, and players of its own."""
        from clubs.models import Person
        from tests.factories import make_club, make_tournament
        from tournaments.models import SessionStandings
        from tournaments.models.seats import SEAT_COLUMNS

        club = make_club(f"club-{number}", f"Club {number}")
        tournament = make_tournament(club, name="Simultané")
        deal_set = copy_row(first.deal_set, club=club, seed_digest="")
        etuis = copy_rows(first.deal_set.etuis.order_by("pk"), deal_set=deal_set)
        session = copy_row(first, tournament=tournament, deal_set=deal_set, started_at=first.started_at + LATER)
        SessionStandings.objects.create(session=session, results_version=0, data={})
        entrants = list(first.entrants.select_related("player").order_by("pk"))
        persons = Person.objects.bulk_create(Person() for _each in entrants)
        players = copy_rows(
            [each.player for each in entrants],
            club=club,
            each=[{"person": person, "account": None} for person in persons],
        )
        seated = copy_rows(entrants, session=session, each=[{"player": player} for player in players.values()])
        tables = copy_rows(first.tables.order_by("pk"), session=session)
        moved = [
            {
                "etui_id": etuis[play.etui_id].pk,
                "table_id": tables[play.table_id].pk,
                **{seat: seated[getattr(play, seat)].pk for seat in SEAT_COLUMNS},
            }
            for play in first.plays.order_by("pk")
        ]
        copy_rows(first.plays.order_by("pk"), session=session, each=moved)
        return session

    def enter_all(self, session: Any) -> None:
        """Enter a result of each play, as rows."""
        from django.db.models import F
        from django.utils import timezone

        from evenings.plays.entries import to_row
        from scoring.contract import Contract, DealResult
        from scoring.ranking import Line
        from tournaments.models import ResultEntry, Session
        from tournaments.rules.entry import Facts

        entries = []
        now = timezone.now()
        for play in session.plays.select_related("etui"):
            result = DealResult(4, Contract.GARDE, self.chance.randint(0, 3), 2 * self.chance.randint(20, 75))
            row = to_row(Facts(Line(play.etui.taker), result))
            entries.append(ResultEntry(play=play, version=1, author=self.director, entered_at=now, **row))
        ResultEntry.objects.bulk_create(entries)
        Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + len(entries))


def copy_row(row: Any, **changed: Any) -> Any:
    """Return a new row like this one, with other values in some columns."""
    return next(iter(copy_rows([row], **changed).values()))


def copy_rows(rows: Any, each: list[dict[str, Any]] | None = None, **changed: Any) -> dict[int, Any]:
    """Return new rows like these by the id of the copied row. `each` has further values for each row."""
    listed = list(rows)
    if not listed:
        return {}
    model = type(listed[0])
    fields = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    fields = [name for name in fields if not getattr(model._meta.get_field(name), "generated", False)]
    own = each or [{}] * len(listed)
    made = [
        model(**{name: getattr(row, name) for name in fields} | dict(more) | changed)
        for row, more in zip(listed, own, strict=True)
    ]
    for row, more in zip(made, own, strict=True):
        for name, value in (changed | more).items():
            setattr(row, name, value)
    model._default_manager.bulk_create(made)
    return {old.pk: new for old, new in zip(listed, made, strict=True)}
