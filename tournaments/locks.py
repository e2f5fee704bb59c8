"""The locks on database rows for the writes of an evening. A lock is held until the end of the transaction.

All writes take their locks in the same order, which prevents deadlocks:

    tournament ──► plays of a session, by their ids ──► tables, by their ids ──► the session ──► a deal set, or the club

- A write that replaces the plays of a plan locks every play and table of the session. So no result is entered at the
  same time.
- A write that enters or corrects a result, or rules on a play, locks that play and its table. If results change, it
  locks the session's row last.
- The lock of a table's row also protects what only that table has: its code, its devices, its calls for the arbiter.
  Because of this, 150 tables do not wait for each other.
- The lock of the session's row also protects the session's plan, players and settings, its position and its clock.
- A member of a team is locked after the table and before the session, where a result names them as attacker. A
  substitution locks the member before anything else, and the check-in of teams all members of the tournament.
- The row that hides results from a director (`PlayingDirector`) is locked after the session.
- Sections that are compared with each other change together. So `lock_session`, and each write that raises the versions
  of all of them, lock their sessions in the order of their ids.
- The row of a series is locked alone, before a club or a club's log.
- The row of an account is locked after the session, before a series, a simultaneous or a club, to count what it does.
- Standings are locked after the session, first those of the session, then those of its étuis. A job that computes
  standings locks no other rows.

A lock also raises a `revision`, of the table or of the session. Screens compare revisions to see whether anything has
changed (`words.stamps`). A revision that is raised without a change only costs the screen one more request. Revisions
grow by random steps: otherwise, after a backup is restored, a write could give a revision that a screen already knows.

With `no_key`, other transactions can still add rows that refer to the locked row, such as log entries of a session.
"""

import datetime as dt
import secrets
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection
from django.db.models import F, Model, Q, Subquery
from django.db.transaction import TransactionManagementError

from clubs.models import Club, User
from deals.models import DealSet
from tournaments.errors import ActionRefused
from tournaments.models import (
    ArbiterCall,
    Play,
    PlayingDirector,
    SectionGroup,
    Session,
    SessionStandings,
    Table,
    TeamMember,
    Tournament,
)
from tournaments.prepared import PreparedRows

P = ParamSpec("P")
R = TypeVar("R")


def in_transaction(lock: Callable[P, R]) -> Callable[P, R]:
    """Make a lock function raise `TransactionManagementError` outside a transaction, where its lock would end at once.

    PostgreSQL itself refuses only some of these locks outside a transaction, and SQLite (on a laptop) refuses none.
    """

    @wraps(lock)
    def take(*args: P.args, **kwargs: P.kwargs) -> R:
        if not connection.in_atomic_block:
            raise TransactionManagementError(f"{lock.__name__} is called outside a transaction")
        return lock(*args, **kwargs)

    return take


@in_transaction
def lock_tournament(tournament_id: int, *, no_key: bool = False) -> Tournament:
    return Tournament.objects.select_for_update(no_key=no_key).get(pk=tournament_id)


@in_transaction
def lock_free_tournament(tournament_id: int) -> Tournament | None:
    """Lock and return the tournament, or return None at once if another transaction has locked it."""
    rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
    return rows.filter(pk=tournament_id).first()


@in_transaction
def raise_tournament(session_id: int) -> None:
    """Raise the revision of a session's tournament. This also locks the tournament.

    Call it before a change of data that the ranking of the tournament depends on.
    """
    Tournament.objects.filter(sessions=session_id).update(revision=F("revision") + 1)


@in_transaction
def raise_told(now: dt.datetime | None, **which: Any) -> None:
    """Raise the version of the calendar entries of the sessions that match `which`, because these entries change.

    The caller has locked the sessions or their tournament. If `now` is None, the time of the last change stays.
    """
    Session.objects.filter(**which).update(told_version=F("told_version") + 1, told_at=now or F("told_at"))


@in_transaction
def lock_play(play_id: int) -> Play:
    """Lock and return a play of a session under way, with its table, étui, session, tournament and club.

    Raise `ActionRefused` if there is no such play any more.
    """
    plays = Play.objects.select_for_update(of=("self",)).select_related("etui", "table", "session__tournament__club")
    play = plays.filter(pk=play_id, session__status=Session.Status.RUNNING).first()
    if play is None:
        raise ActionRefused("play_gone")
    raise_tables(pk=play.table_id)
    return play


PLAY_UNDER_WAY = PreparedRows(
    lambda play: Play.objects.select_for_update(of=("self",)).filter(pk=play, session__status=Session.Status.RUNNING)
)


@in_transaction
def lock_read_play(play: Play) -> Play:
    """Lock a play that was read before with its table, étui and session. Return it, read again if it may have changed.

    Raise `ActionRefused` if there is no such play any more.
    """
    lock_play_at(play.pk)
    if raise_table(play.table):
        return play
    return Play.objects.select_related("etui", "table", "session__tournament__club").get(pk=play.pk)


@in_transaction
def lock_play_at(play_id: int) -> None:
    """Lock a play. The caller must then call `raise_table` for its table.

    Raise `ActionRefused` if there is no such play any more.
    """
    if not PLAY_UNDER_WAY(play_id):
        raise ActionRefused("play_gone")


@in_transaction
def lock_plays(session_id: int, *, position: int | None = None, table: int | None = None) -> None:
    """Lock the plays of the session. `position` and `table` (its number) may restrict them."""
    wanted = {"session_id": session_id, "position": position, "table__number": table}
    plays = Play.objects.filter(**{field: value for field, value in wanted.items() if value is not None})
    list(plays.select_for_update(of=("self",)).order_by("pk").values_list("pk"))


@in_transaction
def lock_tables(session_id: int, *, number: int | None = None) -> None:
    """Lock every table of the session, or only the table with this number, and raise their revisions."""
    tables = Table.objects.filter(session_id=session_id)
    tables = tables if number is None else tables.filter(number=number)
    raise_tables(pk__in=list(tables.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)))


@in_transaction
def raise_tables(**which: Any) -> int:
    """Raise the revisions of the tables that match `which`. Return the number of tables.

    This locks their rows.

    If `which` matches several tables, the caller has locked them before in the order of their ids.
    """
    return Table.objects.filter(**which).update(revision=F("revision") + step())


RAISE = """UPDATE tournaments_table SET revision = revision + %s
    WHERE id = %s AND EXISTS (SELECT 1 FROM tournaments_session s WHERE s.id = session_id AND s.status = 'running')
    RETURNING revision, (SELECT s.revision FROM tournaments_session s WHERE s.id = session_id)"""


@in_transaction
def raise_table(table: Table) -> bool:
    """Raise the revision of a table. This locks its row. Return True if nothing has changed since `table` was read.

    Nothing has changed if the table and its session still had the revisions that were read. `table` gets its new
    revision. Raise `ActionRefused` if the session is not under way, or if there is no such table any more.
    """
    by = step()
    with connection.cursor() as cursor:
        cursor.execute(RAISE, [by, table.pk])
        raised = cursor.fetchall()
    if not raised:
        raise ActionRefused("session_not_started")
    ((own, shared),) = raised
    revision, table.revision = table.revision, own
    return (revision, table.session.revision) == (own - by, shared)


@in_transaction
def raise_records(session_id: int) -> None:
    """Raise the session's version of records. This locks its row. Call it last: all tables wait for this row."""
    Session.objects.filter(pk=session_id).update(records_version=F("records_version") + step())


def step() -> int:
    """Return a random number by which a revision grows."""
    return 1 + secrets.randbelow(1 << 20)


@in_transaction
def lock_session(session_id: int, *related: str, no_key: bool = False) -> Session:
    """Lock and return the session. Before it, lock the sections with lower ids that are compared with it.

    The relations named in `related` are read together with the session, and are not locked.
    """
    sessions = Session.objects.select_for_update(of=("self",), no_key=no_key)
    if related:  # `select_related()` without names would join every relation
        sessions = sessions.select_related(*related)
    group = SectionGroup.objects.filter(sections=session_id, one_topage=True).values("pk")
    wanted = Q(pk=session_id) | Q(pk__lt=session_id, group=Subquery(group))
    session = next((each for each in sessions.filter(wanted).order_by("pk") if each.pk == session_id), None)
    if session is None:
        raise Session.DoesNotExist
    session.revision += step()
    Session.objects.filter(pk=session_id).update(revision=session.revision)
    return session


@in_transaction
def lock_free_session(session_id: int, *related: str) -> Session | None:
    """Lock and return the session with its `related` rows, or return None if another transaction has locked it."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True, skip_locked=True)
    session = rows.select_related(*related).filter(pk=session_id).first()
    if session is not None:
        Session.objects.filter(pk=session_id).update(revision=F("revision") + step())
    return session


@in_transaction
def lock_plan(session_id: int, *, no_key: bool = False) -> Session:
    """Lock every play and table of the session, then the session. Return it with its tournament, club and deal set."""
    lock_plays(session_id)
    lock_tables(session_id)
    return lock_session(session_id, "tournament__club", "deal_set", no_key=no_key)


@in_transaction
def lock_plan_to_remove(session_id: int) -> Session:
    """Lock the session as `lock_plan` does, then its standings. Return the session.

    It is for writes that remove the standings. A job that computes standings locks the same row first, so that the two
    cannot block each other.
    """
    session = lock_plan(session_id)
    list(SessionStandings.objects.select_for_update().filter(pk=session_id).values_list("pk"))
    return session


@in_transaction
def lock_sections(sessions: Collection[int]) -> list[Session]:
    """Lock every play and table of these sessions, then the sessions. Return the sessions in the order of their ids.

    Each session comes with its tournament, club and deal set.
    """
    list(Play.objects.filter(session__in=sessions).select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    tables = Table.objects.filter(session__in=sessions).select_for_update(no_key=True).order_by("pk")
    raise_tables(pk__in=list(tables.values_list("pk", flat=True)))
    return [lock_session(pk, "tournament__club", "deal_set") for pk in sorted(sessions)]


@in_transaction
def lock_position(session_id: int, position: int, table: int | None = None) -> Session:
    """Lock the plays of a position and the tables, then the session. Return the session.

    With a table's number, only that table and its plays are locked. Raise `ActionRefused` if the session is closed or
    not under way.
    """
    lock_plays(session_id, position=position, table=table)
    lock_tables(session_id, number=table)
    return lock_open(session_id)


@in_transaction
def lock_draft(session_id: int) -> Session:
    """Lock and return a session that has not started. Raise `ActionRefused` if it has."""
    session = lock_session(session_id, "tournament__club")
    if session.status != Session.Status.DRAFT:
        raise ActionRefused("session_started")
    return session


@in_transaction
def lock_running(session_id: int, *related: str, no_key: bool = False) -> Session:
    """Lock and return a session under way. Raise `ActionRefused` if it has not started."""
    session = lock_session(session_id, *related, no_key=no_key)
    if session.status != Session.Status.RUNNING:
        raise ActionRefused("session_not_started")
    return session


@in_transaction
def lock_open(session_id: int) -> Session:
    """Lock and return a session under way that is not closed. Raise `ActionRefused` if it is closed or not started."""
    session = lock_running(session_id, no_key=True)
    if session.closed_at is not None:
        raise ActionRefused("session_closed")
    return session


@in_transaction
def lock_table(table: Table) -> None:
    """Lock a table, so that requests of its devices run one after another, and raise its revision.

    Raise `ActionRefused` if its session is not under way, or if there is no such table any more.
    """
    if not raise_tables(pk=table.pk, session__status=Session.Status.RUNNING):
        raise ActionRefused("session_not_started")


@in_transaction
def lock_standings(session_id: int) -> SessionStandings:
    """Lock and return the standings of a session, read with the session, which is not locked.

    Another job that computes the same standings waits for this lock before it writes them.
    """
    standings = SessionStandings.objects.select_for_update(of=("self",)).select_related("session")
    return standings.get(pk=session_id)


M = TypeVar("M", bound=Model)


@in_transaction
def lock_apart(rows: type[M], keys: Collection[Any], *, free: bool = False) -> list[M]:
    """Lock and return the rows of a model with these keys, in the order of their keys.

    With `free`, rows that another transaction has locked are left out. Only for rows that no session under way needs:
    choices about people, series, or data of evenings long ago.
    """
    locked = rows._base_manager.select_for_update(no_key=True, skip_locked=free)
    return list(locked.filter(pk__in=keys).order_by("pk"))


@in_transaction
def lock_member(member_id: int) -> None:
    """Lock a member of a team.

    So no result can name the member as attacker while a substitute takes the member's place.
    """
    TeamMember.objects.select_for_update(no_key=True).filter(pk=member_id).order_by().values_list("pk").first()


@in_transaction
def lock_members(tournament_id: int) -> None:
    """Lock the active members of all teams of a tournament, for a write that may replace several of them."""
    members = TeamMember.objects.filter(tournament=tournament_id, ended_at=None)
    list(members.select_for_update(no_key=True).order_by("pk").values_list("pk"))


@in_transaction
def lock_deal_set(deal_set_id: int) -> DealSet:
    return DealSet.objects.select_for_update().get(pk=deal_set_id)


@in_transaction
def lock_club(club_id: int) -> Club:
    return Club.every.select_for_update().get(pk=club_id)


@in_transaction
def lock_account(user_id: int) -> None:
    """Lock the row of an account, so that what it may do only so often a day is counted one after the other."""
    User.objects.select_for_update(no_key=True).filter(pk=user_id).order_by().values_list("pk").first()


@in_transaction
def lock_call(session_id: int, call_id: int) -> ArbiterCall:
    """Lock the table of a call for the arbiter. Return the call with its table.

    Raise `ActionRefused` if the session has no such call.
    """
    if not raise_tables(session_id=session_id, calls=call_id):
        raise ActionRefused("call_unknown")
    return ArbiterCall.objects.select_related("table").get(pk=call_id)


@in_transaction
def lock_hiding(session_id: int, director: User) -> PlayingDirector | None:
    """Lock and return the row that hides results from this director, with the entrant. Return None if there is none."""
    hidings = PlayingDirector.objects.select_for_update(of=("self",))
    hidings = hidings.select_related("entrant__player", "entrant__stand_in")
    return hidings.filter(session_id=session_id, user=director).first()


def read_one_moment() -> None:
    """Set the transaction that has just begun to read one snapshot of all rows, while others write.

    SQLite's transactions do so anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
