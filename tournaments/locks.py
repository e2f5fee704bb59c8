"""Every lock on rows that a write of an evening takes; the transaction around it holds it to its end.

One order keeps two writes from waiting for each other for ever. Each takes what it needs of it, in this order:

    tournament ──► plays of a session, by their ids ──► tables, by their ids ──► the session ──► a deal set, or the club

- Whatever lays a plan out anew, or takes it back, has every play and every table of the session: no entry comes in
  between.
- Entering, correcting and ruling on a play have that play and its table; as results change, the session's row follows.
- A table's row stands for what that table alone has: its code, its devices, its calls for the arbiter. 150 tables do
  not wait for each other.
- The session's row stands for all that hangs on it: its plan, players and settings before the start; then its
  position and clock.
- The hiding of results from a director that is lifted is taken after the session.
- Sections that are compared with each other change together: of their sessions those of lower ids come first. So does
  `lock_session`, and so does who raises the versions of all.
- Standings come after the session, and wait for nobody: who computes them locks nothing else. Those of the session come
  before those of its étuis.

Whoever locks to write raises: a table's `revision`, or the session's, which all its tables share. By them screens know
whether there is anything new (`words.stamps`); raised once too often they ask once too often, no more. By steps
of chance: what is written after a backup was restored never climbs to a number that some screen holds already.

`no_key`: rows that only refer to the one locked, as the log's lines do to their session, need not wait for it.
"""

import datetime as dt
import secrets
from collections.abc import Collection
from typing import Any, TypeVar

from django.db import connection
from django.db.models import F, Model, Q, Subquery

from clubs.models import Club, User
from deals.models import DealSet
from tournaments.errors import Refused
from tournaments.models import (
    ArbiterCall,
    Play,
    PlayingDirector,
    SectionGroup,
    Session,
    SessionStandings,
    Table,
    Tournament,
)
from tournaments.prepared import Prepared


def lock_tournament(tournament_id: int, *, no_key: bool = False) -> Tournament:
    return Tournament.objects.select_for_update(no_key=no_key).get(pk=tournament_id)


def lock_free_tournament(tournament_id: int) -> Tournament | None:
    """The tournament, for a write that somebody else does where he has it: None then."""
    rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
    return rows.filter(pk=tournament_id).first()


def raise_tournament(session_id: int) -> None:
    """Locks the tournament of a session by the raising: its ranking follows from something that is about to change."""
    Tournament.objects.filter(sessions=session_id).update(revision=F("revision") + 1)


def raise_told(now: dt.datetime, **which: Any) -> None:
    """Of sessions of which calendars say something else from now on; whoever asks has locked them, or their
    tournament."""
    Session.objects.filter(**which).update(told_version=F("told_version") + 1, told_at=now)


def lock_play(play_id: int) -> Play:
    """One play of a session under way; `Refused` where it is gone."""
    plays = Play.objects.select_for_update(of=("self",)).select_related("etui", "table", "session__tournament__club")
    play = plays.filter(pk=play_id, session__status=Session.Status.RUNNING).first()
    if play is None:
        raise Refused("play_gone")
    raise_tables(pk=play.table_id)
    return play


PLAY_UNDER_WAY = Prepared(
    lambda play: Play.objects.select_for_update(of=("self",)).filter(pk=play, session__status=Session.Status.RUNNING)
)


def lock_read_play(play: Play) -> Play:
    """The same of a play that has been read with its table, étui and session; read anew where it may have changed."""
    lock_play_at(play.pk)
    if raise_table(play.table):
        return play
    return Play.objects.select_related("etui", "table", "session__tournament__club").get(pk=play.pk)


def lock_play_at(play_id: int) -> None:
    """A play of a table whose rows are known, and whose table is raised next (`raise_table`); `Refused` where it is
    gone."""
    if not PLAY_UNDER_WAY(play_id):
        raise Refused("play_gone")


def lock_plays(session_id: int, *, position: int | None = None, table: int | None = None) -> None:
    """Every play of the session, or those of a position, or of a position at one table."""
    wanted = {"session_id": session_id, "position": position, "table__number": table}
    plays = Play.objects.filter(**{field: value for field, value in wanted.items() if value is not None})
    list(plays.select_for_update(of=("self",)).order_by("pk").values_list("pk"))


def lock_tables(session_id: int, *, number: int | None = None) -> None:
    """Every table of the session, or the one of that number."""
    tables = Table.objects.filter(session_id=session_id)
    tables = tables if number is None else tables.filter(number=number)
    raise_tables(pk__in=list(tables.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)))


def raise_tables(**which: Any) -> int:
    """Locks the tables' rows by the very raising; of several, those that are locked already, for the order's sake."""
    return Table.objects.filter(**which).update(revision=F("revision") + step())


RAISE = """UPDATE tournaments_table SET revision = revision + %s
    WHERE id = %s AND EXISTS (SELECT 1 FROM tournaments_session s WHERE s.id = session_id AND s.status = 'running')
    RETURNING revision, (SELECT s.revision FROM tournaments_session s WHERE s.id = session_id)"""


def raise_table(table: Table) -> bool:
    """Locks the row of a table that is known, by the raising; whether it was as it is known, and its session too. From
    then on it is known with its new revision. `Refused` where its session is not under way, or it is gone."""
    by = step()
    with connection.cursor() as cursor:
        cursor.execute(RAISE, [by, table.pk])
        raised = cursor.fetchall()
    if not raised:
        raise Refused("session_not_started")
    ((own, shared),) = raised
    known, table.revision = table.revision, own
    return (known, table.session.revision) == (own - by, shared)


def step() -> int:
    return 1 + secrets.randbelow(1 << 20)


def lock_session(session_id: int, *related: str, no_key: bool = False) -> Session:
    """The session's row, after those of the sections before it that are compared with it; `related` rows come with it
    and are not locked."""
    sessions = Session.objects.select_for_update(of=("self",), no_key=no_key)
    if related:  # without a name Django would bring them all
        sessions = sessions.select_related(*related)
    group = SectionGroup.objects.filter(sections=session_id, one_topage=True).values("pk")
    wanted = Q(pk=session_id) | Q(pk__lt=session_id, group=Subquery(group))
    session = next((each for each in sessions.filter(wanted).order_by("pk") if each.pk == session_id), None)
    if session is None:
        raise Session.DoesNotExist
    session.revision += step()
    Session.objects.filter(pk=session_id).update(revision=session.revision)
    return session


def lock_free_session(session_id: int, *related: str) -> Session | None:
    """The session with these rows, for a write that somebody else does where he has it: None then."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True, skip_locked=True)
    session = rows.select_related(*related).filter(pk=session_id).first()
    if session is not None:
        Session.objects.filter(pk=session_id).update(revision=F("revision") + step())
    return session


def lock_plan(session_id: int, *, no_key: bool = False) -> Session:
    """The session with its tournament and its set, its tables, and every play that its plan has laid out."""
    lock_plays(session_id)
    lock_tables(session_id)
    return lock_session(session_id, "tournament__club", "deal_set", no_key=no_key)


def lock_plan_to_remove(session_id: int) -> Session:
    """Lock the session as `lock_plan` does, then its standings. A job has that row before it writes those of the étuis,
    so who removes both locks it first."""
    session = lock_plan(session_id)
    list(SessionStandings.objects.select_for_update().filter(pk=session_id).values_list("pk"))
    return session


def lock_sections(sessions: Collection[int]) -> list[Session]:
    """These sessions by their ids, each with its tournament and its set, after every play and table of all of them."""
    list(Play.objects.filter(session__in=sessions).select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    tables = Table.objects.filter(session__in=sessions).select_for_update(no_key=True).order_by("pk")
    raise_tables(pk__in=list(tables.values_list("pk", flat=True)))
    return [lock_session(pk, "tournament__club", "deal_set") for pk in sorted(sessions)]


def lock_position(session_id: int, position: int, table: int | None = None) -> Session:
    """The session under way, and a position's plays with their tables, one or all; `Refused` where it is not."""
    lock_plays(session_id, position=position, table=table)
    lock_tables(session_id, number=table)
    return lock_open(session_id)


def lock_draft(session_id: int) -> Session:
    """The session before its start; `Refused` where it is under way."""
    session = lock_session(session_id, "tournament__club")
    if session.status != Session.Status.DRAFT:
        raise Refused("session_started")
    return session


def lock_running(session_id: int, *related: str, no_key: bool = False) -> Session:
    """The session under way; `Refused` where it is not."""
    session = lock_session(session_id, *related, no_key=no_key)
    if session.status != Session.Status.RUNNING:
        raise Refused("session_not_started")
    return session


def lock_open(session_id: int) -> Session:
    """The session whose evening goes on; `Refused` where it is closed, or not under way."""
    session = lock_running(session_id, no_key=True)
    if session.closed_at is not None:
        raise Refused("session_closed")
    return session


def lock_table(table: Table) -> None:
    """What hangs on a table: one device at a time. `Refused` where its session is not under way, or it is gone."""
    if not raise_tables(pk=table.pk, session__status=Session.Status.RUNNING):
        raise Refused("session_not_started")


def lock_standings(session_id: int) -> SessionStandings:
    """What is kept of a session's standings, with the session, which is not locked: a job that ends meanwhile waits."""
    standings = SessionStandings.objects.select_for_update(of=("self",)).select_related("session")
    return standings.get(pk=session_id)


M = TypeVar("M", bound=Model)


def lock_apart(rows: type[M], keys: Collection[Any]) -> list[M]:
    """Rows that no evening waits for, by their keys: what is said of people, long after or about them alone."""
    return list(rows._base_manager.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))


def lock_deal_set(deal_set_id: int) -> DealSet:
    return DealSet.objects.select_for_update().get(pk=deal_set_id)


def lock_club(club_id: int) -> Club:
    return Club.every.select_for_update().get(pk=club_id)


def lock_call(session_id: int, call_id: int) -> ArbiterCall:
    """A table's call, with its table, whose row is locked; `Refused` where the session has none of that id."""
    if not raise_tables(session_id=session_id, calls=call_id):
        raise Refused("call_unknown")
    return ArbiterCall.objects.select_related("table").get(pk=call_id)


def lock_hiding(session_id: int, director: User) -> PlayingDirector | None:
    """What hides results from a director who plays himself, with the entrant; None where there is nothing."""
    hidings = PlayingDirector.objects.select_for_update(of=("self",))
    hidings = hidings.select_related("entrant__player", "entrant__stand_in")
    return hidings.filter(session_id=session_id, user=director).first()
