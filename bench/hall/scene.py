"""The evening that is measured: half of it entered, a card for each table; and the one before it, published.

A hall of more tables than a session may have is of several sessions of about the same size, at the same time.
"""

from collections import deque
from typing import Any, cast

from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from tests.factories import draft_session, enter_all, make_director, make_tournament, plausible, publish
from tests.tournaments.tables.phones import command, tokens_of
from tournaments.models import Play, Session
from tournaments.plans.choosing import choose_plan, shape_of
from tournaments.plans.starting import start_session

POSITIONS, ETUIS = 10, 2
MOST_TABLES = 150  # of a session


def start_evening(tournament: Any, director: User, *, tables: int, positions: int) -> Session:
    """By the first plan that is proposed."""
    draft = draft_session(tournament, tables=tables, positions=positions, etuis_per_position=ETUIS)
    now = timezone.now()
    choose_plan(session_id=draft.pk, choice=0, shape=shape_of(draft), by=director, now=now)
    return start_session(session_id=draft.pk, now=now)


class Scene:
    """Sessions under way with `tables` tables in all, whose first half is entered, after one that was published.

    Tables are numbered through the hall, those of the first session as they are there. No more positions than tables:
    there are as many étuis for each.
    """

    def __init__(self, tables: int) -> None:
        count = -(-tables // MOST_TABLES)
        sizes = [tables // count + (number < tables % count) for number in range(count)]
        positions = min(POSITIONS, sizes[-1])
        tournament = make_tournament(name="Salle comble")
        self.place = tournament.club.slug, tournament.slug
        self.director: User = make_director(tournament.club)
        published = self.play(tournament, sizes[0], positions, played=positions)
        publish(published, by=self.director)
        self.ranking = reverse("ranking", args=(*self.place, published.number))
        half = positions // 2
        self.sessions = [self.play(tournament, size, positions, played=half) for size in sizes]
        self.session = self.sessions[0]
        # Called is all that tables are to play below: they go on without waiting for a director.
        Session.objects.filter(pk__in=[session.pk for session in self.sessions]).update(position=half + 1)
        self.tokens: dict[int, str] = {}
        self.left: dict[int, deque[Play]] = {}
        for session in self.sessions:
            self.seat(session, half)
        client = Client()
        client.force_login(self.director)
        self.cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as the server itself has done after some minutes

    def seat(self, session: Session, half: int) -> None:
        """The tables of a session behind those of the ones before: their codes, and what is left to them to play."""
        before = len(self.tokens)
        self.tokens |= {before + number: token for number, token in tokens_of(session).items()}
        plays = Play.objects.filter(session=session, position__gt=half).select_related("etui", "table")
        for play in plays.order_by("position", "etui__number"):
            self.left.setdefault(before + play.table.number, deque()).append(play)

    @property
    def tables(self) -> list[int]:
        """Those of the first session."""
        return sorted(self.tokens)[: self.session.tables.count()]

    def play(self, tournament: Any, tables: int, positions: int, *, played: int) -> Session:
        session = start_evening(tournament, self.director, tables=tables, positions=positions)
        enter_all(session, by=self.director, plays=session.plays.select_related("etui").filter(position__lte=played))
        return session

    def address(self, name: str, session: Session | None = None) -> str:
        """Of a page of a session under way, the first unless told otherwise."""
        return reverse(name, args=(*self.place, (session or self.session).number))

    def state(self, table: int) -> str:
        return reverse("table_state", args=(self.tokens[table],))

    def send(self, table: int) -> str:
        return reverse("table_send", args=(self.tokens[table],))

    def next_result(self, table: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """What a table sends for its next play: that it begins, its result, the other side's word."""
        play = self.left[table].popleft()
        taker = play.etui.taker
        check = {"version": 1, "seat": "S" if taker == "N" else taker, "agrees": True}
        sent = (
            command("start", play=play),
            command("enter", play=play, seat="N", entry=plausible(play)),
            command("check", play=play, **check),
        )
        return cast(tuple[dict[str, Any], dict[str, Any], dict[str, Any]], sent)
