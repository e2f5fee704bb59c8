"""The queries by which the screens of a hall ask every few seconds whether anything has changed.

A *glance* is the answer to such a query: version numbers of the data that the screen shows. The content of a screen is
built only if its glance has changed. Each kind of screen has one query. It is written in SQL by hand, because Django
takes ten times as long to build it as the database takes to answer it.
"""

import datetime as dt
from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection

from clubs.models import User
from clubs.roles import IS_PRACTICE, ROLE, role_params
from tournaments.models import Session, Table
from tournaments.permissions import (
    AFTER_PUBLICATION,
    MOST_NUMBER,
    ROLES,
    TOKEN,
    Can,
    find_session,
    kept_session,
    require_found,
)
from tournaments.prepared import plan_once


class Glance(NamedTuple):
    """The answer of the query for a table's screen.

    `own` and `shared` are the revisions of the table and of its session. `names` is the version of the names in the
    club, and `computed` the version of the standings that the screen may show. `coming` is True if the arbiter is on
    the way. `device` is the id of the `TableDevice` that sent the request, and `unseen` is True if its last request was
    long ago. The other fields are columns of the table's row.
    """

    table_id: int
    own: int
    shared: int
    names: int
    computed: int | None
    coming: bool
    device: int | None
    unseen: bool
    session_id: int
    number: int
    last_call: int


# The WHERE requires that the code is not expired (see `open_codes`), and that the session is under way with devices at
# the tables. For `computed`: a screen shows only the topages of étuis that were entered at the table's present position
# (`tables.state.After`). The versions of their standings never go down, so their sum changes whenever one of them does.
GLANCE = """SELECT t.id, t.revision, s.revision, club.names_version,
        CASE s.shows_after WHEN 'ranking' THEN computed.results_version WHEN 'topage' THEN (
            SELECT SUM(shown.results_version) FROM tournaments_etuistandings shown
            WHERE shown.standings_id = s.id AND shown.etui_id IN (
                SELECT p.etui_id FROM tournaments_play p
                JOIN tournaments_resultentry e ON e.play_id = p.id AND e.current
                WHERE p.table_id = t.id AND p.position = (
                    SELECT MAX(q.position) FROM tournaments_play q
                    JOIN tournaments_resultentry f ON f.play_id = q.id AND f.current
                    WHERE q.table_id = t.id AND (q.position <= s.position OR s.position = 0)
                )
            )
        ) END,
        EXISTS (
            SELECT 1 FROM tournaments_arbitercall c
            WHERE c.table_id = t.id AND c.answered_by_id IS NOT NULL AND c.answered_at > %s
                AND c.answered_at <= %s
        ),
        d.id, d.seen_at NOT BETWEEN %s AND %s, t.session_id, t.number, t.last_call
    FROM tournaments_tabletoken k
    JOIN tournaments_table t ON t.id = k.table_id
    JOIN tournaments_session s ON s.id = t.session_id
    JOIN tournaments_tournament tournament ON tournament.id = s.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    LEFT JOIN tournaments_sessionstandings computed ON computed.session_id = s.id
    LEFT JOIN tournaments_tabledevice d ON d.table_id = t.id AND d.device = %s
    WHERE k.token = %s AND k.revoked_at IS NULL AND k.expires_at > %s AND s.status = 'running' AND s.devices = 'tables'
        AND COALESCE((
            SELECT MAX(p.published_at) FROM tournaments_publication p
            WHERE p.session_id = s.id AND p.status <> 'official'
        ), %s) > %s
"""
GLANCE_TYPES = *("timestamptz",) * 4, "text", "text", *("timestamptz",) * 3


def glance_at_table(token: str, device: str, now: dt.datetime, *, coming: dt.datetime, seen: dt.datetime) -> Glance:
    """Return the glance at the table that has this code. Raise `Http404` if the code opens no table's screen.

    The arbiter is on the way if a call was answered after `coming`. The device was seen lately if its last request came
    after `seen`. Moments after `now` do not count: they show that the clock has been set back.
    """
    require_found(TOKEN.fullmatch(token))
    moment = connection.ops.adapt_datetimefield_value
    closed = now - AFTER_PUBLICATION
    present = moment(now)
    since = moment(coming), present, moment(seen), present
    asked = (*since, device, token, present, present, moment(closed))
    with connection.cursor() as cursor:
        cursor.execute(plan_once("glance", GLANCE, GLANCE_TYPES), asked)
        return Glance(*require_found(cursor.fetchone()))


class SessionGlance(NamedTuple):
    """The answer of the query for the desk and the hall screen of a session under way.

    `shared` is the revision of the session, and `tables` the sum of the revisions of its tables. `names`, `results` and
    `computed` are version numbers: of the names in the club, of the results, of the standings. `soon` is True if the
    position's clock ends soon, `over` if it has ended; both are None while no clock runs. `practice` is True for a
    practice club. `role` is the role of the account in the club, or None.
    """

    session_id: int
    shared: int
    names: int
    tables: int
    results: int
    computed: int | None
    soon: bool | None
    over: bool | None
    practice: bool
    role: str | None

    @property
    def power(self) -> Can:
        return ROLES[self.role]


GLANCE_AT_SESSION = f"""SELECT s.id, s.revision, club.names_version,
        (SELECT SUM(t.revision) FROM tournaments_table t WHERE t.session_id = s.id),
        s.results_version, computed.results_version, s.clock_ends_at <= %s, s.clock_ends_at <= %s,
        {IS_PRACTICE}, {ROLE}
    FROM tournaments_session s
    JOIN tournaments_tournament tournament ON tournament.id = s.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    LEFT JOIN tournaments_sessionstandings computed ON computed.session_id = s.id
    WHERE club.slug = %s AND tournament.slug = %s AND s.number = %s AND s.status = 'running'
"""


def glance_at_session(
    user: User | AnonymousUser | None, address: Mapping[str, Any], *, now: dt.datetime, soon: dt.datetime
) -> SessionGlance | None:
    """Return the glance at the session under way with this address: its `club`, `tournament` and `number`.

    Return None if there is no such session, or if its club is for practice and the account has no role there. The
    glance's `soon` is True if the clock ends before the moment `soon`. The caller checks what the account may see.
    """
    moment = connection.ops.adapt_datetimefield_value
    where = (address["club"], address["tournament"], min(address["number"], MOST_NUMBER))
    with connection.cursor() as cursor:
        cursor.execute(GLANCE_AT_SESSION, (moment(soon), moment(now), *role_params(user, now), *where))
        row = cursor.fetchone()
    glance = row and SessionGlance(*row)
    return None if glance is None or (glance.practice and glance.power == Can.READ) else glance


def get_table_for_token(token: str, now: dt.datetime) -> Table:
    """Return the table whose screen this code opens, without asking for an account. Raise `Http404` for another code.

    The session must be under way with devices at the tables.
    """
    return get_table_at(glance_at_table(token, "", now, coming=now, seen=now))


def get_table_at(glance: Glance) -> Table:
    """Return the table of a glance, with its session. This takes no query if the session is in the cache."""
    session = kept_session(glance.session_id, glance.shared, glance.names)
    return Table(
        pk=glance.table_id,
        session=copy(session),
        number=glance.number,
        last_call=glance.last_call,
        revision=glance.own,
    )


def get_session_at(glance: SessionGlance, need: Can) -> Session:
    """Return the session of a glance. Raise `PermissionDenied` if the account's level in its club is below `need`."""
    if glance.power < need:
        raise PermissionDenied
    return find_session(pk=glance.session_id)
