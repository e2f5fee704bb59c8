"""Writes of an evening as it goes: positions called, the clock, last calls; each with what takes it back.

A position can be called while stragglers finish the one before. What is asked for twice is done once, and all of it
is in the session's log.
"""

import datetime as dt
from collections.abc import Callable

from django.db import transaction

from clubs.models import User
from tournaments.errors import Refused
from tournaments.locks import lock_open, lock_position
from tournaments.log import log
from tournaments.models import LogEntry, ResultEntry, Ruling, Session
from tournaments.plays.entering import rule
from tournaments.plays.session_plays import ListedPlay, plays_of
from tournaments.plays.state import SET_ASIDE, State
from tournaments.rules.clock import Clock

MOST_MINUTES = 60


def clock_of(session: Session) -> Clock:
    return Clock(session.clock_ends_at, session.clock_left)


# Positions


@transaction.atomic
def call_position(*, session_id: int, position: int, by: User, now: dt.datetime) -> Session:
    """The players go to that position, the next one, and its clock starts. Called already, it changes nothing."""
    session = lock_open(session_id)
    if position == session.position:
        return session
    if session.position >= session.positions:
        raise Refused("no_position_left", "position", count=session.positions)
    if position != session.position + 1:
        raise Refused("position_not_next", "position", position=position, next=session.position + 1)
    before = clock_of(session)
    session.position = position
    set_clock(session, Clock.start(session.etuis_per_position * session.minutes_per_etui, now))
    tell(session, "position_called", by=by, now=now, position=position, clock=str(before))
    return session


@transaction.atomic
def take_back_call(*, session_id: int, position: int, by: User, now: dt.datetime) -> Session:
    """The position was called too early: the one before it goes on, with its clock, if nothing of this one is begun."""
    session = lock_position(session_id, position)
    if position == session.position + 1:
        return session
    if position != session.position or not position:
        raise Refused("position_not_last_called", "position", position=position, called=session.position)
    kept = ("", Ruling.Kind.RESTORED)
    states = plays_of(session, position=position)
    begun = any(state.play.started_at or state.ruling not in kept for state in states)
    if begun or ResultEntry.objects.filter(play__session=session, play__position=position).exists():
        raise Refused("position_begun_already", "position", position=position)
    session.tables.filter(last_call=position).update(last_call=0)
    called = session.log.filter(action="position_called", params__position=position).first()
    session.position = position - 1
    set_clock(session, Clock.read(called.params["clock"]) if called else Clock())
    tell(session, "call_taken_back", by=by, now=now, position=position)
    return session


# The clock


def move_clock(*, session_id: int, minutes: int, seen: str, by: User, now: dt.datetime) -> Session:
    """More minutes, or fewer; after the end they count from now. `seen` is the clock as its reader saw it."""
    if not 0 < abs(minutes) <= MOST_MINUTES:
        raise Refused("clock_minutes", "minutes", most=MOST_MINUTES)
    return change_clock(session_id, "clock_moved", Clock.move, minutes, seen=seen, by=by, now=now, minutes=minutes)


def stop_clock(*, session_id: int, by: User, now: dt.datetime) -> Session:
    return change_clock(session_id, "clock_stopped", Clock.stop, by=by, now=now)


def resume_clock(*, session_id: int, by: User, now: dt.datetime) -> Session:
    return change_clock(session_id, "clock_resumed", Clock.resume, by=by, now=now)


@transaction.atomic
def change_clock(
    session_id: int,
    action: str,
    change: Callable[..., Clock],
    *how: int,
    by: User,
    now: dt.datetime,
    seen: str | None = None,
    **params: object,
) -> Session:
    """Where the clock is no longer the one that was seen, as after a double tap, nothing changes."""
    session = lock_open(session_id)
    clock = clock_of(session)
    if not session.position:
        raise Refused("no_position_called")
    changed = change(clock, *how, now)
    if changed == clock or seen not in (None, str(clock)):
        return session
    set_clock(session, changed)
    tell(session, action, by=by, now=now, **params)
    return session


def set_clock(session: Session, clock: Clock) -> None:
    session.clock_ends_at, session.clock_left = clock.ends_at, clock.left
    session.save(update_fields=["position", "clock_ends_at", "clock_left"])


# Last call


@transaction.atomic
def last_call(
    *, session_id: int, position: int, by: User, now: dt.datetime, table: int | None = None, unstarted: str = ""
) -> Session:
    """No étui of the called position is begun any more at that table, or at all of them.

    Those not begun become `unstarted`: not_played, later, or, empty, stay waited for. What the table has said of an
    étui before stays.
    """
    session = lock_position(session_id, position, table)
    if unstarted and unstarted not in SET_ASIDE:
        raise Refused("last_call_unknown", "unstarted")
    must_be_called(session, position)
    states = states_at(session, position, table)
    tables = session.tables.filter(pk__in={state.play.table_id for state in states}).exclude(last_call=position)
    stopped = tables.update(last_call=position)
    waiting = [state.play for state in states if state.finest == State.TODO]
    for play in waiting if unstarted else ():
        rule(play, Ruling.Kind(unstarted), by=by, now=now)
    if stopped or (waiting and unstarted):
        aside = [play.pk for play in waiting] if unstarted else []
        action = "last_call" if table is None else "last_call_table"
        tell(session, action, by=by, now=now, position=position, table=table, unstarted=unstarted, plays=aside)
    return session


@transaction.atomic
def take_back_last_call(
    *, session_id: int, position: int, by: User, now: dt.datetime, table: int | None = None
) -> Session:
    """The table, or every one, may begin étuis of the position again; what the last call set aside is waited for."""
    session = lock_position(session_id, position, table)
    must_be_called(session, position)
    states = states_at(session, position, table)
    tables = session.tables.filter(pk__in={state.play.table_id for state in states}, last_call=position)
    if not tables.update(last_call=0):
        return session
    calls = session.log.filter(action__startswith="last_call", params__position=position)
    aside = {pk for call in calls for pk in call.params.get("plays", ())}
    for state in states:
        if state.play.pk in aside and state.ruling in SET_ASIDE:
            rule(state.play, Ruling.Kind.RESTORED, by=by, now=now)
    action = "last_call_taken_back" if table is None else "last_call_table_taken_back"
    tell(session, action, by=by, now=now, position=position, table=table)
    return session


def must_be_called(session: Session, position: int) -> None:
    if not session.position:
        raise Refused("no_position_called")
    if position != session.position:
        raise Refused("position_not_last_called", "position", position=position, called=session.position)


def states_at(session: Session, position: int, table: int | None) -> list[ListedPlay]:
    """The plays of a position at one table, or at all."""
    where = {} if table is None else {"table__number": table}
    states = plays_of(session, position=position, **where)
    if not states:
        raise Refused("table_rests", "table", table=table or 0)
    return states


# What they share


def tell(session: Session, action: str, *, by: User, now: dt.datetime, **params: object) -> LogEntry:
    """The line of the session's log, found again by its position and table."""
    told = {name: value for name, value in params.items() if value is not None}
    words = " ".join(f"{name} {told[name]}" for name in ("position", "table") if name in told)
    return log(session, action, now=now, by=by, words=words, **told)  # type: ignore[arg-type]
