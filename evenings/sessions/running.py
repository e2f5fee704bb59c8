"""The director's actions that drive and close an evening: positions, the clock, last calls; each can be undone.

A position can be called while some tables still finish the one before. All actions are idempotent, and logged.

When an evening is closed, tables can no longer enter results, and no position can be called. The director can still
correct, rule and publish.
"""

import datetime as dt
from collections.abc import Callable

from django.db import transaction

from clubs.models import User
from evenings.plans.free.laying import count_timed_deals
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.teams.quarters import settle_quarter
from evenings.plays.entering import rule
from evenings.plays.free import find_last_seated
from evenings.plays.rulings_given import require_reason
from evenings.plays.session_plays import ListedPlay, plays_of
from evenings.plays.state import SET_ASIDE, PlayState
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.laptop_backups import backups
from tournaments.locks import lock_open, lock_position, lock_running, lock_tables
from tournaments.log import log_action
from tournaments.models import ArbiterCall, ArbiterCode, LogEntry, ResultEntry, Ruling, Session, Tournament
from tournaments.rules.clock import Clock

MOST_MINUTES = 60


def clock_of(session: Session) -> Clock:
    return Clock(session.clock_ends_at, session.clock_left)


# Positions


@transaction.atomic
def call_position(*, session_id: int, position: int, by: User, now: dt.datetime) -> Session:
    """Call the next position: its players go to their tables, and its clock starts. Return the session.

    The call is idempotent. In team matches, a team whose line-up for this quarter is missing plays as proposed.
    """
    is_quarter = position <= find_format(Tournament.objects.get(sessions=session_id).format).quarters
    session = lock_position(session_id, position) if is_quarter else lock_open(session_id)
    if position == session.position:
        return session
    if session.position >= session.positions:
        raise ActionRefused("no_position_left", "position", count=session.positions)
    if position != session.position + 1:
        raise ActionRefused("position_not_next", "position", position=position, next=session.position + 1)
    last_play = session.plays.order_by("-position").values_list("position", flat=True)[:1]
    if position > find_last_seated(session, last_play):
        raise GamesRefused("game_not_seated", "position", game=position)
    before = clock_of(session)
    session.position = position
    set_clock(session, Clock.start(count_minutes(session, position), now))
    log_step(session, "position_called", by=by, now=now, position=position, clock=str(before))
    if is_quarter:
        settle_quarter(session, position, by=by, now=now)
    backups.ask_for_tournament(session.tournament_id)
    return session


def count_minutes(session: Session, position: int) -> int:
    """Return the minutes to which the clock of a position is set. A table of five with a mort deals more deals."""
    may_rest = session.odd_tables == Session.OddTable.MORT
    has_five = may_rest and session.plays.filter(position=position, fifth__isnull=False).exists()
    return count_timed_deals(session, has_five=has_five) * session.minutes_per_etui


@transaction.atomic
def take_back_call(*, session_id: int, position: int, by: User, now: dt.datetime) -> Session:
    """Undo the call of a position. The position before it continues, with the clock that it had. Return the session.

    Raise `ActionRefused` if a play of the position has begun, or has a result or a ruling.
    """
    session = lock_position(session_id, position)
    if position == session.position + 1:
        return session
    if position != session.position or not position:
        raise ActionRefused("position_not_last_called", "position", position=position, called=session.position)
    kept = ("", Ruling.RulingKind.RESTORED)
    states = plays_of(session, position=position)
    begun = any(state.play.started_at or state.ruling not in kept for state in states)
    if begun or ResultEntry.objects.filter(play__session=session, play__position=position).exists():
        raise ActionRefused("position_begun_already", "position", position=position)
    session.tables.filter(last_call=position).update(last_call=0)
    called = session.log.filter(action="position_called", params__position=position).first()
    session.position = position - 1
    set_clock(session, Clock.read(called.params["clock"]) if called else Clock())
    log_step(session, "call_taken_back", by=by, now=now, position=position)
    return session


# The clock


def move_clock(*, session_id: int, minutes: int, seen: str, by: User, now: dt.datetime) -> Session:
    """Add minutes to the clock, or take them off if `minutes` is negative. Return the session.

    If the time is over, the minutes count from now. `seen` is the clock that the user saw, as text: if the clock has
    changed since, do nothing.
    """
    if not 0 < abs(minutes) <= MOST_MINUTES:
        raise ActionRefused("clock_minutes", "minutes", most=MOST_MINUTES)
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
    """Set the clock to the result of `change`, and log it. Return the session.

    Do nothing if the clock is no longer the one that was `seen`, for example after a double tap.
    """
    session = lock_open(session_id)
    clock = clock_of(session)
    if not session.position:
        raise ActionRefused("no_position_called")
    changed = change(clock, *how, now)
    if changed == clock or seen not in (None, str(clock)):
        return session
    set_clock(session, changed)
    log_step(session, action, by=by, now=now, **params)
    return session


def set_clock(session: Session, clock: Clock) -> None:
    session.clock_ends_at, session.clock_left = clock.ends_at, clock.left
    session.save(update_fields=["position", "clock_ends_at", "clock_left"])


# Last call


@transaction.atomic
def last_call(
    *, session_id: int, position: int, by: User, now: dt.datetime, table: int | None = None, unstarted: str = ""
) -> Session:
    """Make a last call: in the called position, no étui may begin any more at this table, or at any table.

    Étuis that have not begun get the ruling `unstarted`: "not_played" or "later". If it is "", their results are still
    expected. Étuis that already have such a ruling keep it. Return the session.
    """
    session = lock_position(session_id, position, table)
    if unstarted and unstarted not in SET_ASIDE:
        raise ActionRefused("last_call_unknown", "unstarted")
    must_be_called(session, position)
    states = states_at(session, position, table)
    tables = session.tables.filter(pk__in={state.play.table_id for state in states}).exclude(last_call=position)
    stopped = tables.update(last_call=position)
    waiting = [state.play for state in states if state.finest == PlayState.TODO]
    for play in waiting if unstarted else ():
        rule(play, Ruling.RulingKind(unstarted), by=by, now=now)
    if stopped or (waiting and unstarted):
        aside = [play.pk for play in waiting] if unstarted else []
        action = "last_call" if table is None else "last_call_table"
        log_step(session, action, by=by, now=now, position=position, table=table, unstarted=unstarted, plays=aside)
    return session


@transaction.atomic
def take_back_last_call(
    *, session_id: int, position: int, by: User, now: dt.datetime, table: int | None = None
) -> Session:
    """Undo a last call, for one table or for all, and return the session.

    Étuis of the position can begin again. Those that got a ruling by the last call are expected again.
    """
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
            rule(state.play, Ruling.RulingKind.RESTORED, by=by, now=now)
    action = "last_call_taken_back" if table is None else "last_call_table_taken_back"
    log_step(session, action, by=by, now=now, position=position, table=table)
    return session


def must_be_called(session: Session, position: int) -> None:
    """Raise `ActionRefused` if this position is not the one that was called last."""
    if not session.position:
        raise ActionRefused("no_position_called")
    if position != session.position:
        raise ActionRefused("position_not_last_called", "position", position=position, called=session.position)


def states_at(session: Session, position: int, table: int | None) -> list[ListedPlay]:
    """Return the plays of a position, at one table or at all. Raise `ActionRefused` if there are none."""
    where = {} if table is None else {"table__number": table}
    states = plays_of(session, position=position, **where)
    if not states:
        raise ActionRefused("table_rests", "table", table=table or 0)
    return states


# Shared


def log_step(session: Session, action: str, *, by: User, now: dt.datetime, **params: object) -> LogEntry:
    """Log an action. Its position and table are stored as words too, so that the search of the log finds them."""
    told = {name: value for name, value in params.items() if value is not None}
    words = " ".join(f"{name} {told[name]}" for name in ("position", "table") if name in told)
    return log_action(session, action, now=now, by=by, words=words, **told)  # type: ignore[arg-type]


@transaction.atomic
def close_session(*, session_id: int, by: User, now: dt.datetime) -> Session:
    """Close the evening, and return the session. An entry that comes at the same moment is stored first, or refused."""
    lock_tables(session_id)
    session = lock_running(session_id, no_key=True)
    if session.closed_at is None:
        end_evening(session, by=by, now=now)
    return session


def end_evening(session: Session, *, by: User, now: dt.datetime) -> None:
    """Mark a session as closed: stop its clock, and end its calls for the arbiter and its arbiter's codes.

    The caller has locked the session and its tables.
    """
    session.closed_at = now
    session.save(update_fields=["closed_at"])
    set_clock(session, Clock())
    ArbiterCall.objects.filter(session=session, answered_at=None).update(answered_at=now)
    ArbiterCode.objects.filter(table__session=session, ended_at=None).update(ended_at=now, code="", grant="")
    log_action(session, "session_closed", now=now, by=by)
    backups.ask()


@transaction.atomic
def reopen_session(*, session_id: int, reason: str, by: User, now: dt.datetime) -> Session:
    """Reopen the evening, so that tables can enter results again. Return the session. Publications stay as they are."""
    given = require_reason(reason)
    lock_tables(session_id)
    session = lock_running(session_id, no_key=True)
    if session.closed_at is not None:
        session.closed_at = None
        session.save(update_fields=["closed_at"])
        log_action(session, "session_reopened", now=now, by=by, words=given, reason=given)
    return session
